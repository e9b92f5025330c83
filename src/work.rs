//! Long-running work: how threads share it, and how it is interrupted.
//!
//! Work polls a [`Pulse`] between its pieces. On a very large board a single move can take seconds, so there the calling
//! thread only watches, and work that it stops ends amid the operation: the operations call `breathe` as they go
//! along, which unwinds the working thread up to `interruptible` or to `share`.

use std::any::Any;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::shortage;
use crate::time::{Duration, Instant};

/// How often long-running work checks whether to stop; no piece of it should take longer.
pub const BEAT: Duration = Duration::from_millis(10);

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
    /// Only the calling thread has a watcher and a deadline.
    watch: Option<Watch<'a>>,
    deadline: Option<Instant>,
    /// How often the watcher is called.
    beat: Duration,
    last: Instant,
}

impl<'a> Pulse<'a> {
    /// Returns the pulse of the calling thread; `stop` is shared with its helpers.
    pub fn new(stop: &'a AtomicBool, watch: Option<Watch<'a>>) -> Self {
        Pulse { stop, watch, deadline: None, beat: BEAT, last: Instant::now() }
    }

    /// Checks whether to go on.
    ///
    /// It costs tens of nanoseconds: call it every few microseconds, and at least every few milliseconds.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the work should end.
    pub fn look(&mut self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if shortage::is_noted() {
            return Err(self.stop());
        }
        if self.watch.is_none() && self.deadline.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(self.stop());
        }
        if let Some(watch) = self.watch.filter(|_| now.duration_since(self.last) >= self.beat) {
            if watch().is_break() {
                return Err(self.stop());
            }
            self.last = Instant::now();
        }
        Ok(())
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

/// Counts pieces of work, to look up about every millisecond however long they take.
pub(crate) struct Rhythm {
    left: u64,
    step: u64,
    last: Instant,
}

impl Rhythm {
    /// The greatest number of pieces between two looks.
    const MAX_STEP: u64 = 1 << 16;

    pub(crate) fn new() -> Self {
        Rhythm { left: 1, step: 1, last: Instant::now() }
    }

    /// Counts a piece, and returns whether it is time to look.
    #[inline]
    pub(crate) fn is_time(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.adapt()
    }

    #[cold]
    fn adapt(&mut self) -> bool {
        let now = Instant::now();
        self.step = next_step(self.step, now.duration_since(self.last), Self::MAX_STEP);
        (self.left, self.last) = (self.step, now);
        true
    }
}

/// Returns the number of pieces of work until the next look, given the number before this one and the time they took: a
/// node takes nanoseconds in a Reversi endgame, and many milliseconds on a Breakdown board of a million cells.
pub(crate) fn next_step(step: u64, took: Duration, most: u64) -> u64 {
    const INTERVAL: Duration = Duration::from_millis(1);
    let fitting = u128::from(step) * INTERVAL.as_nanos() / took.as_nanos().max(1);
    (fitting as u64).clamp(1, step.saturating_mul(2).min(most))
}

/// Returns whether a position with so many bytes on the heap is so large that work on it has to stop amid an operation.
///
/// From about here on, a random game, which tree search plays without a look at the time, takes milliseconds.
pub(crate) fn is_large(heap_bytes: usize) -> bool {
    heap_bytes >= 1 << 10
}

thread_local! {
    /// The flags that stop the work of this thread amid an operation: those of the work that it is part of.
    // Without a destructor, which would take memory to register.
    static STOPS: RefCell<ManuallyDrop<Stops>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

type Stops = Vec<Arc<AtomicBool>>;

/// Ends the work of this thread, by unwinding, if it was stopped, or is short of memory. Operations on large boards call
/// it every few microseconds.
#[inline]
pub(crate) fn breathe() {
    let stopped = STOPS.with_borrow(|stops| stops.iter().any(|stop| stop.load(Ordering::Relaxed)));
    if stopped || shortage::is_noted() {
        // Unlike a panic, it is not reported.
        resume_unwind(Box::new(Stopped));
    }
}

/// Returns elements of which there may be millions, as with the moves of a large board, and [breathes](breathe) on the way.
pub(crate) fn breathing<I: IntoIterator>(elements: I) -> impl Iterator<Item = I::Item> {
    const BREATH: usize = 1 << 12;
    elements.into_iter().enumerate().map(|(index, element)| {
        if index % BREATH == BREATH - 1 {
            breathe();
        }
        element
    })
}

/// Returns what stops the work of this thread, and a flag, for a thread that helps with it.
pub(crate) fn stops_and(flag: &Arc<AtomicBool>) -> Stops {
    STOPS.with_borrow(|stops| stops.iter().chain([flag]).cloned().collect())
}

/// Lets flags stop the work of this thread, which should be one of its own, amid an operation, as long as the result
/// lives.
#[must_use]
pub(crate) fn stop_by(stops: Stops) -> Unstopped {
    STOPS.set(ManuallyDrop::new(stops));
    Unstopped
}

/// Ends what [`stop_by`] began.
pub(crate) struct Unstopped;

impl Drop for Unstopped {
    fn drop(&mut self) {
        drop(ManuallyDrop::into_inner(STOPS.replace(ManuallyDrop::new(Vec::new()))));
    }
}

/// Runs work that may be stopped amid an operation. Whatever it changes must then still make sense.
///
/// # Errors
///
/// [`Stopped`] if it was.
pub(crate) fn interruptible<T>(work: impl FnOnce() -> Result<T, Stopped>) -> Result<T, Stopped> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(stopped(panic)))
}

/// Tells stopped work from a panic, which propagates.
pub(crate) fn stopped(panic: Box<dyn Any + Send>) -> Stopped {
    match panic.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    }
}

/// How work is done, and what can stop it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Terms<'a> {
    /// How many threads work.
    pub(crate) threads: usize,
    pub(crate) watch: Option<Watch<'a>>,
    pub(crate) deadline: Option<Instant>,
    /// Whether the calling thread only watches, since single operations may take long.
    pub(crate) apart: bool,
}

/// Returns whether work can be done apart from the calling thread, which only watches, and be stopped amid an operation.
pub(crate) fn can_work_apart() -> bool {
    // Where a panic aborts, nothing can end amid an operation.
    cfg!(panic = "unwind") && can_start_threads()
}

/// Returns whether there is memory for threads: if not, they are dispensed with before the standard library asks for a
/// handle of one, and ends the process because it gets none.
///
/// Nor are there any in WebAssembly, whatever the standard library offers.
pub(crate) fn can_start_threads() -> bool {
    if cfg!(target_family = "wasm") {
        return false;
    }
    // As much as the stack of one.
    let mut room = Vec::<u8>::new();
    let there_is = room.try_reserve_exact(1 << 21).is_ok();
    // An allocation that is never used would be optimized away.
    drop(black_box(room));
    there_is
}

/// Counts a thread as running until it returns or panics; a panic stops the others.
struct Running<'a> {
    count: &'a AtomicUsize,
    stop: &'a AtomicBool,
    /// Whether memory was missing in any of the threads.
    short: &'a AtomicBool,
    caller: thread::Thread,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if shortage::is_noted() {
            self.short.store(true, Ordering::Relaxed);
        }
        self.count.fetch_sub(1, Ordering::Release);
        self.caller.unpark();
    }
}

/// Stops helpers when the thread that they help is done, even if it panics.
pub(crate) struct StopOnDrop<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` once for each thread number, from 0, and returns the results in that order.
///
/// Number 0 is the calling thread, unless that only watches. If a thread cannot be spawned, the calling one does its
/// work, with the same results. Panics propagate to the caller.
///
/// # Errors
///
/// [`Stopped`] if any of them was stopped.
pub(crate) fn share<T: Send>(
    terms: Terms<'_>,
    work: impl Fn(usize, &mut Pulse<'_>) -> Result<T, Stopped> + Sync,
) -> Result<Vec<T>, Stopped> {
    let Terms { threads, watch, deadline, apart } = terms;
    let apart = apart && can_work_apart();
    if thread_count(threads) == 1 && !apart || !can_start_threads() {
        // As if all were refused. Even to know which thread this is would take memory.
        let stop = AtomicBool::new(false);
        let mut pulse = Pulse { deadline, ..Pulse::new(&stop, watch) };
        return (0..thread_count(threads)).map(|number| work(number, &mut pulse)).collect();
    }
    let flag = Arc::new(AtomicBool::new(false));
    let (stop, count, work) = (&*flag, &AtomicUsize::new(0), &work);
    let short = &AtomicBool::new(false);
    let caller = thread::current();
    let start = || {
        count.fetch_add(1, Ordering::Relaxed);
        Running { count, stop, short, caller: caller.clone() }
    };
    // A thread that only watches can do so more often.
    let beat = if apart { BEAT / 10 } else { BEAT };
    let mut pulse = Pulse { deadline, beat, ..Pulse::new(stop, watch) };
    thread::scope(|scope| {
        let _even_if_the_watcher_panics = StopOnDrop(stop);
        let first = usize::from(!apart);
        let others: Vec<_> = (first..thread_count(threads))
            .map(|number| {
                let mut pulse = Pulse { watch: None, deadline: None, ..pulse };
                let (running, stops) = (start(), apart.then(|| stops_and(&flag)));
                let work = move || {
                    let _running = running;
                    let _stops = stops.map(stop_by);
                    work(number, &mut pulse)
                };
                (number, thread::Builder::new().spawn_scoped(scope, work))
            })
            .collect();
        let mut results = Vec::new();
        if !apart {
            let _running = start();
            results.push(work(0, &mut pulse));
        }
        // The watcher still has to be called while the others finish.
        while count.load(Ordering::Acquire) > 0 && pulse.look().is_ok() {
            // This may be a part of other work, which was stopped.
            breathe();
            thread::park_timeout(Duration::from_millis(1));
        }
        for (number, other) in others {
            results.push(match other.map(|thread| thread.join()) {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) => Err(stopped(panic)),
                Err(_) => work(number, &mut pulse),
            });
        }
        if short.load(Ordering::Relaxed) {
            shortage::note();
        }
        results.into_iter().collect()
    })
}

/// Runs work on a thread of its own while this one only watches, so that the work can be stopped amid an operation.
/// Whatever it changes must then still make sense, or be thrown away.
///
/// # Errors
///
/// [`Stopped`] if it was.
pub(crate) fn apart<T: Send>(watch: Watch<'_>, work: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    let work = Mutex::new(Some(work));
    let terms = Terms { threads: 1, watch: Some(watch), apart: true, deadline: None };
    let done = share(terms, |_, _| {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.map(|work| work()).ok_or(Stopped)
    })?;
    done.into_iter().next().ok_or(Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(threads: usize) -> Terms<'static> {
        Terms { threads, ..Terms::default() }
    }

    #[test]
    fn results_come_in_order() {
        assert_eq!(share(on(5), |number, _| Ok(number * 10)), Ok(vec![0, 10, 20, 30, 40]));
    }

    #[test]
    fn a_watcher_stops_all_threads() {
        let watch = || ControlFlow::Break(());
        let endless = |_: usize, pulse: &mut Pulse<'_>| -> Result<(), Stopped> {
            loop {
                pulse.look()?;
            }
        };
        for apart in [false, true] {
            assert_eq!(share(Terms { watch: Some(&watch), apart, ..on(3) }, endless), Err(Stopped));
        }
    }

    #[test]
    fn panics_travel_to_the_caller() {
        let work = |number: usize, pulse: &mut Pulse<'_>| -> Result<(), Stopped> {
            assert_ne!(number, 2, "a mistake in thread 2");
            loop {
                pulse.look()?;
            }
        };
        let caught = catch_unwind(AssertUnwindSafe(|| share(on(4), work))).unwrap_err();
        // The others, which would run forever, are stopped.
        assert!(caught.downcast_ref::<String>().is_some_and(|text| text.contains("a mistake in thread 2")));
    }

    #[test]
    fn work_apart_stops_amid_an_operation() {
        let slow = |_: usize, _: &mut Pulse<'_>| -> Result<(), Stopped> {
            loop {
                breathe();
            }
        };
        let deadline = Some(Instant::now());
        assert_eq!(share(Terms { deadline, apart: true, ..on(2) }, slow), Err(Stopped));
        // What was done until then can be kept.
        let kept = share(Terms { deadline, apart: true, ..on(2) }, |number, pulse| {
            let mut done = 0;
            let result = interruptible(|| {
                done += 1;
                slow(number, pulse)
            });
            assert_eq!(result, Err(Stopped));
            Ok(done)
        });
        assert_eq!(kept, Ok(vec![1, 1]));
        // Elsewhere, nothing is stopped.
        breathe();
    }

    #[test]
    fn a_watcher_that_panics_stops_the_work() {
        let watch = || panic!("a mistake in the watcher");
        let endless = |_: usize, pulse: &mut Pulse<'_>| -> Result<(), Stopped> {
            loop {
                pulse.look()?;
            }
        };
        for apart in [false, true] {
            let terms = Terms { watch: Some(&watch), apart, ..on(2) };
            let caught = catch_unwind(AssertUnwindSafe(|| share(terms, endless))).unwrap_err();
            assert_eq!(caught.downcast_ref(), Some(&"a mistake in the watcher"));
        }
    }

    #[test]
    fn steps_follow_the_time_that_pieces_take() {
        let ms = Duration::from_millis;
        assert_eq!(next_step(1, Duration::from_nanos(100), 4096), 2);
        assert_eq!(next_step(3000, Duration::ZERO, 4096), 4096);
        assert_eq!(next_step(4096, ms(8), 4096), 512);
        assert_eq!(next_step(4096, Duration::from_secs(52), 4096), 1);
        assert_eq!(next_step(1, ms(500), 4096), 1);
        assert_eq!(next_step(u64::MAX / 4, Duration::MAX, 4096), 1);
    }
}
