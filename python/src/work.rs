//! Long calls, which release the GIL and stop on Ctrl-C.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use petteia::or_no_memory;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::games::Checked;

thread_local! {
    /// What stops the calls of this thread, if it works for a job of several threads.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Stops the long calls of the threads that follow it: only the main thread of a process hears of signals.
#[pyclass(module = "petteia._petteia", frozen)]
pub struct Stop(Arc<AtomicBool>);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Stop(Arc::default())
    }

    /// Lets this stop the long calls of the current thread.
    fn follow(&self) {
        STOP.set(Some(Arc::clone(&self.0)));
    }

    /// Stops the long calls of the threads that follow it, now and from now on.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Raises KeyboardInterrupt if the current thread is to stop.
#[pyfunction]
pub fn check_stop() -> PyResult<()> {
    check(STOP.with_borrow(Clone::clone).as_deref())
}

fn check(stop: Option<&AtomicBool>) -> PyResult<()> {
    match stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        true => Err(PyKeyboardInterrupt::new_err("stopped with the job")),
        false => Ok(()),
    }
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
            check(stop.as_deref())?;
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
