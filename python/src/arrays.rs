//! Positions as numpy arrays. numpy is imported when the first array is asked for.

use petteia::Observe;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyByteArray;

/// Returns the cells as an array of int8.
pub fn array<P: Observe>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, rows * columns, |cells| {
        position.write_cells(cells);
        Ok(())
    })?;
    over(&bytes, "int8")?.call_method1("reshape", (rows, columns)).map(Bound::unbind)
}

/// Returns the planes as an array of uint8.
pub fn observation<P: Observe>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, P::PLANES * rows * columns, |planes| {
        position.write_planes(planes);
        Ok(())
    })?;
    over(&bytes, "uint8")?.call_method1("reshape", (P::PLANES, rows, columns)).map(Bound::unbind)
}

/// Returns a flat array over bytes, which it shares rather than copies.
pub fn over<'py>(bytes: &Bound<'py, PyByteArray>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FROM_BUFFER.import(bytes.py(), "numpy", "frombuffer")?.call1((bytes, dtype))
}
