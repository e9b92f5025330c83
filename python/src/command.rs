//! The `petteia` command.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// Runs the command on the streams of the process, and returns its exit status.
///
/// The first argument is the name it was called by.
#[pyfunction]
#[pyo3(signature = (arguments))]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| petteia::cli::main(arguments))
}

/// Returns whether a link of this name to the command runs one of the documents' programs.
#[pyfunction]
#[pyo3(signature = (called))]
pub fn is_document_name(called: PathBuf) -> bool {
    petteia::cli::is_document_name(called)
}
