//! Long calls, which release the GIL and stop on Ctrl-C.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use petteia::or_no_memory;
use pyo3::prelude::*;

use crate::errors::OrRaise;

/// Runs work with the GIL released; the callback that it calls at every beat checks for signals and reports progress.
///
/// An exception there stops the work and is raised in place of the result.
pub fn watched<T: Send, N>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>, N) -> PyResult<()> + Sync,
    work: impl FnOnce(&(dyn Fn(N) -> ControlFlow<()> + Sync)) -> T + Send,
) -> PyResult<T> {
    let error = Mutex::new(None);
    let watch = |news: N| {
        // Stopped work stays stopped.
        if error.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return ControlFlow::Break(());
        }
        let told = Python::attach(|py| py.check_signals().and_then(|()| tell(py, news)));
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
