//! Long calls, which release the GIL and stop on Ctrl-C.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use petteia::or_no_memory;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTimeoutError};
use pyo3::prelude::*;

use crate::arguments::time;
use crate::errors::OrRaise;
use crate::games::Checked;

thread_local! {
    /// What stops the calls of this thread, if it works for a job of several threads.
    static STOP: RefCell<Option<Arc<Stopping>>> = const { RefCell::new(None) };
}

/// When to stop.
struct Stopping {
    now: AtomicBool,
    deadline: Option<Instant>,
    /// What else stops the thread that created this.
    outer: Option<Arc<Stopping>>,
}

impl Stopping {
    fn is_late_by(&self, time: Duration) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now().checked_duration_since(deadline) >= Some(time))
    }

    fn check(&self) -> PyResult<()> {
        if let Some(outer) = &self.outer {
            outer.check()?;
        }
        match self.now.load(Ordering::Relaxed) {
            true => Err(PyKeyboardInterrupt::new_err("stopped with the job")),
            false if self.is_late_by(Duration::ZERO) => Err(PyTimeoutError::new_err("the time is up")),
            false => Ok(()),
        }
    }
}

/// Stops the long calls of the threads that follow it: only the main thread of a process hears of signals, and the time
/// of a job is that of all its calls.
///
/// time is the seconds from now on after which their calls raise TimeoutError, or None. Whatever stops the current
/// thread stops them too.
#[pyclass(module = "petteia._petteia", frozen)]
pub struct Stop(Arc<Stopping>);

#[pymethods]
impl Stop {
    #[new]
    #[pyo3(signature = (time=None))]
    fn new(time: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let time = time.as_ref().map(self::time).transpose()?;
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let outer = STOP.with_borrow(Clone::clone);
        Ok(Stop(Arc::new(Stopping { now: AtomicBool::new(false), deadline, outer })))
    }

    /// Lets this stop the long calls of the current thread.
    fn follow(&self) {
        STOP.set(Some(Arc::clone(&self.0)));
    }

    /// Lets the current thread follow what it did when this was created, there.
    fn leave(&self) {
        STOP.set(self.0.outer.clone());
    }

    /// Stops the long calls of the threads that follow it, now and from now on.
    fn set(&self) {
        self.0.now.store(true, Ordering::Relaxed);
    }

    /// Whether the time is up.
    #[getter]
    fn is_late(&self) -> bool {
        self.0.is_late_by(Duration::ZERO)
    }

    /// The seconds that are left, at least 0, or None if there is no limit.
    #[getter]
    fn left(&self) -> Option<f64> {
        self.0.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64())
    }
}

impl Stop {
    /// Whether the time has been up for so long.
    pub fn is_late_by(&self, time: Duration) -> bool {
        self.0.is_late_by(time)
    }
}

/// Raises KeyboardInterrupt if the current thread is to stop, and TimeoutError if its time is up.
#[pyfunction]
pub fn check_stop() -> PyResult<()> {
    STOP.with_borrow(Clone::clone).map_or(Ok(()), |stop| stop.check())
}

/// Like [`watched`], for work on a position, or on several; an exception of a user-defined game ends it too.
pub fn watched_on<T: Send, N>(
    py: Python<'_>,
    position: &impl Checked,
    tell: impl Fn(Python<'_>, N) -> PyResult<()> + Sync,
    work: impl FnOnce(&(dyn Fn(N) -> ControlFlow<()> + Sync)) -> T + Send,
) -> PyResult<T> {
    let tell = |py: Python<'_>, news| {
        position.raise()?;
        tell(py, news)
    };
    let done = watched(py, tell, work);
    position.check()?;
    done
}

/// Runs work with the GIL released; the callback that it calls at every beat checks for signals and reports progress.
///
/// An exception there stops the work and is raised in place of the result.
pub fn watched<T: Send, N>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>, N) -> PyResult<()> + Sync,
    work: impl FnOnce(&(dyn Fn(N) -> ControlFlow<()> + Sync)) -> T + Send,
) -> PyResult<T> {
    let stop = STOP.with_borrow(Clone::clone);
    let error = Mutex::new(None);
    let watch = |news: N| {
        // Stopped work stays stopped.
        if error.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return ControlFlow::Break(());
        }
        let told = Python::attach(|py| {
            stop.as_deref().map_or(Ok(()), Stopping::check)?;
            py.check_signals()?;
            tell(py, news)
        });
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
                ControlFlow::Break(())
            }
        }
    };
    let result = py.detach(|| or_no_memory(|| work(&watch)));
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => result.or_raise(),
    }
}
