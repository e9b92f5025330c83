//! The command's programs.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command's programs with the streams of the process, and returns the status to exit with.
///
/// The first argument is the name that the command was called by.
#[pyfunction]
#[pyo3(signature = (arguments))]
pub fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| petteia::cli::main(arguments))
}
