//! Positions as numpy arrays. numpy is imported on first use.

use std::any::Any;
use std::sync::Arc;

use petteia::OnCpu;
use petteia::cpu::Portable;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyDict, PyTuple};

/// Returns the cells as an array of int8.
pub fn array<P: OnCpu>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, rows * columns, |cells| {
        position.write_cells(cells);
        Ok(())
    })?;
    over(&bytes, "int8")?.call_method1("reshape", (rows, columns)).map(Bound::unbind)
}

/// Returns the planes as an array of uint8.
pub fn observation<P: OnCpu>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, P::PLANES * rows * columns, |planes| {
        position.write_planes_on(Portable, planes);
        Ok(())
    })?;
    over(&bytes, "uint8")?.call_method1("reshape", (P::PLANES, rows, columns)).map(Bound::unbind)
}

/// Returns the legal actions as an array of bool.
pub fn mask<P: OnCpu>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let bytes = PyByteArray::new_with(py, position.num_actions(), |mask| {
        position.write_mask_on(Portable, mask);
        Ok(())
    })?;
    over(&bytes, "bool").map(Bound::unbind)
}

/// Returns a flat array that shares the bytes.
pub fn over<'py>(bytes: &Bound<'py, PyByteArray>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FROM_BUFFER.import(bytes.py(), "numpy", "frombuffer")?.call1((bytes, dtype))
}

/// Rust memory behind a numpy array. It lives as long as the array.
#[pyclass(frozen)]
pub struct Memory {
    /// Held, and never used.
    _owner: Arc<dyn Any + Send + Sync>,
    address: usize,
    shape: Vec<usize>,
    /// A letter and a number of bytes, such as i8.
    kind: &'static str,
}

#[pymethods]
impl Memory {
    /// Describes the memory to numpy, each time with a new dict, which nobody else can have changed.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let order = match self.kind {
            kind if kind.ends_with('1') => '|',
            _ if cfg!(target_endian = "big") => '>',
            _ => '<',
        };
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("data", (self.address, false))?;
        interface.set_item("typestr", format!("{order}{}", self.kind))?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        Ok(interface)
    }
}

/// Returns a numpy array over memory that its owner keeps in place as long as there are arrays.
pub fn over_memory(
    py: Python<'_>,
    owner: Arc<dyn Any + Send + Sync>,
    address: usize,
    shape: &[usize],
    kind: &'static str,
) -> PyResult<Py<PyAny>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let memory = Memory { _owner: owner, address, shape: shape.to_vec(), kind };
    Ok(ASARRAY.import(py, "numpy", "asarray")?.call1((memory,))?.unbind())
}
