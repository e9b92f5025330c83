//! Long work: shared among threads, with the interpreter free for others, and stopped by Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often the calling thread looks at signals, and how long a piece of work should take at most.
pub const BEAT: Duration = Duration::from_millis(20);

/// The work is to end without a result: a signal came, or a callback failed.
pub struct Stopped;

/// What a piece of work calls now and then to learn whether to go on.
pub struct Pulse<'a> {
    stop: &'a AtomicBool,
    /// The calling thread also looks after Python: what to do there, and when it was done last.
    caller: Option<(&'a mut dyn FnMut() -> bool, Instant)>,
}

impl Pulse<'_> {
    /// Returns an error if the work is to end. It costs little: call it every few microseconds or rarer.
    pub fn beat(&mut self) -> Result<(), Stopped> {
        if let Some((attend, last)) = &mut self.caller {
            if last.elapsed() >= BEAT {
                if !attend() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                *last = Instant::now();
            }
        }
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

/// Has every thread do the work, the calling one among them, and returns their results.
///
/// `attend` is called on the calling thread every [`BEAT`], after signals have been looked at, and once at the end. Its
/// error, or that of a signal, stops the work.
pub fn share<T: Send>(
    py: Python<'_>,
    threads: usize,
    mut attend: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl Fn(&mut Pulse<'_>) -> Result<T, Stopped> + Sync,
) -> PyResult<Vec<T>> {
    let mut error = None;
    let results = py.detach(|| {
        let stop = AtomicBool::new(false);
        let running = AtomicUsize::new(0);
        let mut look_after = || {
            let attended = Python::attach(|py| {
                py.check_signals()?;
                attend(py)
            });
            attended.map_err(|raised| error = Some(raised)).is_ok()
        };
        let others_work = || {
            let result = work(&mut Pulse { stop: &stop, caller: None });
            running.fetch_sub(1, Ordering::Relaxed);
            result
        };
        thread::scope(|scope| {
            // A thread that the system refuses is done without: the others have more to do.
            let spawn = |_| {
                running.fetch_add(1, Ordering::Relaxed);
                let spawned = thread::Builder::new().spawn_scoped(scope, others_work);
                spawned.inspect_err(|_| _ = running.fetch_sub(1, Ordering::Relaxed)).ok()
            };
            let others: Vec<_> = (1..threads).filter_map(spawn).collect();
            let mut pulse = Pulse { stop: &stop, caller: Some((&mut look_after, Instant::now())) };
            let own = work(&mut pulse);
            while running.load(Ordering::Relaxed) > 0 && pulse.beat().is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
            let others = others.into_iter().map(|other| other.join().unwrap_or(Err(Stopped)));
            let results = std::iter::once(own).chain(others).collect::<Result<Vec<T>, Stopped>>();
            results.ok().filter(|_| look_after())
        })
    });
    match (results, error) {
        (_, Some(error)) => Err(error),
        (Some(results), None) => Ok(results),
        (None, None) => Err(pyo3::exceptions::PyRuntimeError::new_err("the work was stopped")),
    }
}
