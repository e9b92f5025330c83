//! Long-running work: how threads share it, and how it is interrupted.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often long-running work checks whether to stop; no piece of it should take longer.
pub const BEAT: Duration = Duration::from_millis(20);

/// Clamps a requested number of threads: at least one, and no more than any machine benefits from.
pub fn thread_count(asked: usize) -> usize {
    asked.clamp(1, 256)
}

/// The work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the work was stopped before it was done")
    }
}

impl Error for Stopped {}

/// A callback, called every [`BEAT`] on the calling thread, that says whether to go on.
pub type Watch<'a> = &'a (dyn Fn() -> ControlFlow<()> + Sync);

/// What a piece of work polls to learn whether to go on.
#[derive(Clone, Copy)]
pub struct Pulse<'a> {
    stop: &'a AtomicBool,
    /// Only the calling thread has a watcher.
    watch: Option<Watch<'a>>,
    last: Instant,
}

impl<'a> Pulse<'a> {
    /// Returns the pulse of the calling thread; `stop` is shared with its helpers.
    pub fn new(stop: &'a AtomicBool, watch: Option<Watch<'a>>) -> Self {
        Pulse { stop, watch, last: Instant::now() }
    }

    /// Checks whether to go on.
    ///
    /// It costs tens of nanoseconds: call it every few microseconds, and at least every few milliseconds.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the work should end.
    pub fn look(&mut self) -> Result<(), Stopped> {
        if let Some(watch) = self.watch {
            if self.last.elapsed() >= BEAT {
                if watch().is_break() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                self.last = Instant::now();
            }
        }
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Returns a watcher for a piece of work that polls on its own schedule.
    pub fn watcher(&self) -> impl Fn() -> ControlFlow<()> + Sync + 'a {
        let Pulse { stop, watch, .. } = *self;
        move || {
            if watch.is_some_and(|watch| watch().is_break()) {
                stop.store(true, Ordering::Relaxed);
            }
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// Stops the work on all threads.
    pub fn stop(&self) -> Stopped {
        self.stop.store(true, Ordering::Relaxed);
        Stopped
    }
}

/// Counts a thread as running until it returns or panics; a panic stops the others.
struct Running<'a> {
    count: &'a AtomicUsize,
    stop: &'a AtomicBool,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.count.fetch_sub(1, Ordering::Release);
    }
}

/// Runs `work` once for each thread number, 0 on the calling thread, and returns the results in that order.
///
/// If a thread cannot be spawned, the calling one does its work, with the same results. Panics propagate to the caller.
///
/// # Errors
///
/// [`Stopped`] if any of them was stopped.
pub(crate) fn share<T: Send>(
    threads: usize,
    watch: Option<Watch<'_>>,
    work: impl Fn(usize, &mut Pulse<'_>) -> Result<T, Stopped> + Sync,
) -> Result<Vec<T>, Stopped> {
    let (stop, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (stop, count, work) = (&stop, &count, &work);
    let start = || {
        count.fetch_add(1, Ordering::Relaxed);
        Running { count, stop }
    };
    let mut pulse = Pulse::new(stop, watch);
    thread::scope(|scope| {
        let others: Vec<_> = (1..thread_count(threads))
            .map(|number| {
                let (running, mut pulse) = (start(), Pulse { watch: None, ..pulse });
                let work = move || {
                    let _running = running;
                    work(number, &mut pulse)
                };
                (number, thread::Builder::new().spawn_scoped(scope, work))
            })
            .collect();
        let running = start();
        let mut results = vec![work(0, &mut pulse)];
        drop(running);
        // The watcher still has to be called while the others finish.
        while count.load(Ordering::Acquire) > 0 && pulse.look().is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
        for (number, other) in others {
            results.push(match other.map(|thread| thread.join()) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => resume_unwind(panic),
                Err(_) => work(number, &mut pulse),
            });
        }
        results.into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn results_come_in_order() {
        assert_eq!(share(5, None, |number, _| Ok(number * 10)), Ok(vec![0, 10, 20, 30, 40]));
    }

    #[test]
    fn a_watcher_stops_all_threads() {
        let watch = || ControlFlow::Break(());
        let endless = |_: usize, pulse: &mut Pulse<'_>| -> Result<(), Stopped> {
            loop {
                pulse.look()?;
            }
        };
        assert_eq!(share(3, Some(&watch), endless), Err(Stopped));
    }

    #[test]
    fn panics_travel_to_the_caller() {
        let work = |number: usize, pulse: &mut Pulse<'_>| -> Result<(), Stopped> {
            assert_ne!(number, 2, "a mistake in thread 2");
            loop {
                pulse.look()?;
            }
        };
        let caught = catch_unwind(AssertUnwindSafe(|| share(4, None, work))).unwrap_err();
        // The others, which would run forever, are stopped.
        assert!(caught.downcast_ref::<String>().is_some_and(|text| text.contains("a mistake in thread 2")));
    }
}
