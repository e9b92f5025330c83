//! A thread pool with work stealing, whose threads wait for the next step.
//!
//! A step of a few thousand games takes less time than spawning a thread, so an environment keeps its threads. The
//! calling thread always works too, and never waits for one that wakes up too late, as on a busy machine. A forked child
//! has none of the threads, and possibly a lock that one of them held: it starts a pool of its own.

// A documented fast path: threads that outlive a call are given work that borrows from it.
#![allow(unsafe_code)]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::PoisonError;

use crate::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use crate::sync::thread::{self, JoinHandle};
use crate::sync::{Arc, Condvar, Mutex, MutexGuard, SPINS, spin_loop};

/// Threads that share the parts of a job.
pub(super) struct Pool {
    shared: Arc<Shared>,
    threads: usize,
    workers: Vec<JoinHandle<()>>,
    /// The process that the workers belong to.
    process: u32,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The number of jobs so far; it changes when there is a new one.
    jobs: AtomicU64,
    /// How many workers are busy.
    running: AtomicUsize,
    work: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct State {
    /// The job that workers can join.
    job: Option<&'static Job<'static>>,
    /// Whether the workers should exit.
    quit: bool,
}

/// The parts of a job. Each thread has a share, the same in all jobs with as many parts, so that its data is still in
/// its cache. A thread that is done with its own share steals from the others.
struct Job<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    shares: Vec<Share>,
    /// The first panic, which the caller gets.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The remaining parts, from `next` to `end`.
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl<'a> Job<'a> {
    fn new(count: usize, threads: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        let share = |thread: usize| Share {
            next: AtomicUsize::new(count * thread / threads),
            end: count * (thread + 1) / threads,
        };
        Job { work, shares: (0..threads).map(share).collect(), panic: Mutex::new(None) }
    }

    fn run_and_steal(&self, thread: usize) {
        let (others, own) = self.shares.split_at(thread);
        for share in own.iter().chain(others) {
            loop {
                let part = share.next.fetch_add(1, Ordering::Relaxed);
                if part >= share.end {
                    break;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.work)(part))) {
                    self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
                }
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing can panic while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins one job after another until the workers should exit.
    fn serve(&self, thread: usize) {
        let mut seen = 0;
        loop {
            spin_until(|| self.jobs.load(Ordering::Relaxed) != seen);
            let mut state = self.lock();
            while !state.quit && self.jobs.load(Ordering::Relaxed) == seen {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.quit {
                return;
            }
            seen = self.jobs.load(Ordering::Relaxed);
            let Some(job) = state.job else { continue };
            self.running.fetch_add(1, Ordering::Relaxed);
            drop(state);
            job.run_and_steal(thread);
            let state = self.lock();
            if self.running.fetch_sub(1, Ordering::Release) == 1 {
                self.done.notify_all();
            }
            drop(state);
        }
    }
}

/// Busy-waits for a short time.
fn spin_until(happened: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if happened() {
            return;
        }
        spin_loop();
    }
}

impl Pool {
    /// Spawns the workers, one fewer than there are threads; those that the system refuses are dispensed with.
    pub(super) fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared::default());
        let spawn = |number| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("petteia".to_owned()).spawn(move || shared.serve(number)).ok()
        };
        let workers = (1..threads).map_while(spawn).collect();
        Pool { shared, threads, workers, process: process::id() }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `work` with every number below `count`, in any order and on any thread.
    pub(super) fn run(&mut self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        if self.threads == 1 || count <= 1 {
            return (0..count).for_each(work);
        }
        if self.process != process::id() {
            *self = Pool::new(self.threads);
        }
        let job = Job::new(count, self.threads, work);
        // SAFETY: only the lifetime changes. Workers join the job only while it is in `state`, and leave it before
        // `running` drops to 0; this function removes it and waits for that before it returns, in any case: nothing in
        // between can unwind.
        let joined: &'static Job<'static> = unsafe { std::mem::transmute::<&Job<'_>, _>(&job) };
        let mut state = self.shared.lock();
        state.job = Some(joined);
        self.shared.jobs.fetch_add(1, Ordering::Relaxed);
        drop(state);
        self.shared.work.notify_all();
        job.run_and_steal(0);
        self.shared.lock().job = None;
        spin_until(|| self.shared.running.load(Ordering::Acquire) == 0);
        let mut state = self.shared.lock();
        while self.shared.running.load(Ordering::Acquire) != 0 {
            state = self.shared.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        if let Some(panic) = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // A forked child does not have the workers: their lock may never be released, and nobody can join them.
        if self.process != process::id() {
            return std::mem::forget(std::mem::take(&mut self.workers));
        }
        self.shared.lock().quit = true;
        self.shared.jobs.fetch_add(1, Ordering::Relaxed);
        self.shared.work.notify_all();
        self.workers.drain(..).for_each(|worker| _ = worker.join());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        for threads in [1, 2, 5] {
            let mut pool = Pool::new(threads);
            for round in 0..2000 {
                let parts: Vec<AtomicUsize> = (0..round % 50).map(|_| AtomicUsize::new(0)).collect();
                pool.run(parts.len(), &|part| _ = parts[part].fetch_add(1, Ordering::Relaxed));
                assert!(parts.iter().all(|part| part.load(Ordering::Relaxed) == 1));
                if round % 500 == 0 {
                    // Long enough for the workers to fall asleep.
                    thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        }
    }

    #[test]
    fn a_panic_comes_back_to_the_caller() {
        let mut pool = Pool::new(2);
        let failed =
            catch_unwind(AssertUnwindSafe(|| pool.run(10, &|part| assert_ne!(part, 7, "a mistake"))));
        let message = failed.unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains("a mistake"));
        let sum = AtomicUsize::new(0);
        pool.run(10, &|part| _ = sum.fetch_add(part, Ordering::Relaxed));
        assert_eq!(sum.into_inner(), 45);
    }

    /// Forks at moments when a worker may hold the lock, which then stays locked in the child.
    #[test]
    #[cfg(target_os = "linux")]
    fn forked_children_go_on() {
        unsafe extern "C" {
            fn fork() -> i32;
            fn alarm(seconds: u32) -> u32;
            fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
            fn _exit(status: i32) -> !;
        }
        fn works(pool: &mut Pool) -> bool {
            let sum = AtomicUsize::new(0);
            pool.run(8, &|part| _ = sum.fetch_add(part, Ordering::Relaxed));
            sum.into_inner() == 28
        }
        let mut pool = Pool::new(3);
        for round in 0..2000 {
            assert!(works(&mut pool));
            // SAFETY: the child only uses the pool, and leaves without running the parent's destructors.
            unsafe {
                let child = fork();
                if child == 0 {
                    alarm(10);
                    let right = works(&mut pool) && works(&mut pool);
                    drop(pool);
                    _exit(if right { 0 } else { 1 });
                }
                let mut status = -1;
                assert_eq!(waitpid(child, &raw mut status, 0), child);
                assert_eq!(status, 0, "round {round}: 14 is a child that hung");
            }
        }
    }
}
