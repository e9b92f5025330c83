//! Forks, which wait for what other threads do with the memory of environments: a child has only the thread that
//! forked, so what another one left half done, or locked, would stay so there.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How many threads are at work.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// Whether a thread is about to fork.
static FORKING: AtomicBool = AtomicBool::new(false);

/// How often a thread that waits looks again.
const PAUSE: Duration = Duration::from_micros(50);

/// How long a fork waits at most. Work that forks itself, in a signal handler say, never gets done meanwhile.
const PATIENCE: Duration = Duration::from_secs(1);

/// A short piece of work, which is not begun while a thread forks.
pub struct Work;

impl Work {
    pub fn begin() -> Self {
        loop {
            // Either this thread sees the fork, or the fork sees this thread: these are in one order for all.
            WORKING.fetch_add(1, SeqCst);
            if !FORKING.load(SeqCst) {
                return Work;
            }
            drop(Work);
            sleep(PAUSE);
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // The counter starts again in a child, where this may be the work that forked.
        let _ = WORKING.fetch_update(SeqCst, SeqCst, |working| working.checked_sub(1));
    }
}

/// Waits until no other thread is at work, and keeps them from beginning.
#[pyfunction]
fn before(py: Python<'_>) {
    py.detach(|| {
        FORKING.store(true, SeqCst);
        let start = Instant::now();
        while WORKING.load(SeqCst) > 0 && start.elapsed() < PATIENCE {
            sleep(PAUSE);
        }
    });
}

#[pyfunction]
fn after_in_parent() {
    FORKING.store(false, SeqCst);
}

#[pyfunction]
fn after_in_child() {
    WORKING.store(0, SeqCst);
    FORKING.store(false, SeqCst);
}

/// Makes Python's forks wait; systems without them have nothing to wait for.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else { return Ok(()) };
    let hooks = PyDict::new(py);
    hooks.set_item("before", wrap_pyfunction!(before, module)?)?;
    hooks.set_item("after_in_parent", wrap_pyfunction!(after_in_parent, module)?)?;
    hooks.set_item("after_in_child", wrap_pyfunction!(after_in_child, module)?)?;
    register.call((), Some(&hooks)).map(|_| ())
}
