//! Long work, with the interpreter free for others, and stopped by Ctrl-C.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// Does work with the interpreter free for others; what it calls at every beat looks at signals and tells of progress.
///
/// An error there stops the work, which returns whatever it has, and is raised.
pub fn watched<T: Send, N>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>, N) -> PyResult<()> + Sync,
    work: impl FnOnce(&(dyn Fn(N) -> ControlFlow<()> + Sync)) -> T + Send,
) -> PyResult<T> {
    let error = Mutex::new(None);
    let watch = |news: N| {
        // What follows the work that was stopped is stopped as well.
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
    let result = py.detach(|| work(&watch));
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
