//! The exceptions with their fields, and the conversion of the core's errors.

use pyo3::IntoPyObjectExt;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    petteia,
    IllegalMove,
    PyValueError,
    "An illegal move; the message quotes it, the position and the legal moves.\n\n\
     Its fields are move (as it was given), position (as text), game (by name), reason (the end of the message), ply \
     (of a record, from 1) and lane (of a batch, from 0), each None if unknown."
);
create_exception!(
    petteia,
    ParseError,
    PyValueError,
    "Malformed text; the message quotes it and says what was expected.\n\n\
     Its fields are text, expected and, for a move of a record, ply, from 1."
);
create_exception!(
    petteia,
    InvalidMove,
    IllegalMove,
    "An illegal move in a TicTac record, raised by petteia.tictac.evaluate; reason names the fault of its number, its \
     player or its square."
);

/// Adds the exceptions' fields, which are None unless set.
pub fn add_fields(py: Python<'_>) -> PyResult<()> {
    for field in ["move", "position", "game", "reason", "ply", "lane"] {
        py.get_type::<IllegalMove>().setattr(field, py.None())?;
    }
    for field in ["text", "expected", "ply"] {
        py.get_type::<ParseError>().setattr(field, py.None())?;
    }
    Ok(())
}

/// Sets a field of an exception.
fn with_field<'py>(py: Python<'py>, error: &PyErr, name: &str, value: impl IntoPyObject<'py>) {
    // If a field cannot be set, the message still says enough.
    if let Ok(value) = value.into_bound_py_any(py) {
        let _ = error.value(py).setattr(name, value);
    }
}

/// An error of the core that can be raised in Python.
pub trait Raise {
    fn raise(self) -> PyErr;
}

/// A result of the core whose error can be raised in Python.
pub trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Raise> OrRaise<T> for Result<T, E> {
    #[inline]
    fn or_raise(self) -> PyResult<T> {
        self.map_err(Raise::raise)
    }
}

impl Raise for petteia::ParseError {
    #[cold]
    fn raise(self) -> PyErr {
        let error = ParseError::new_err(self.to_string());
        Python::attach(|py| {
            with_field(py, &error, "text", self.input());
            with_field(py, &error, "expected", self.expected());
            with_field(py, &error, "ply", self.ply());
        });
        error
    }
}

impl Raise for petteia::IllegalMove {
    #[cold]
    fn raise(self) -> PyErr {
        let error = IllegalMove::new_err(self.to_string());
        set_fields(&error, &self);
        error
    }
}

/// Sets the fields of an exception for an illegal move.
pub fn set_fields(error: &PyErr, illegal: &petteia::IllegalMove) {
    Python::attach(|py| {
        with_field(py, error, "move", illegal.given());
        with_field(py, error, "position", illegal.position());
        with_field(py, error, "game", illegal.game());
        with_field(py, error, "reason", illegal.reason());
        with_field(py, error, "ply", illegal.ply());
        with_field(py, error, "lane", illegal.lane());
    });
}

/// Returns an IllegalMove whose `move` is the object that was given, which need not be a str.
#[cold]
pub fn illegal(refused: petteia::IllegalMove, given: &Bound<'_, PyAny>) -> PyErr {
    let error = refused.raise();
    with_field(given.py(), &error, "move", given);
    error
}

impl Raise for petteia::ArgumentError {
    fn raise(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

impl Raise for petteia::MemoryError {
    fn raise(self) -> PyErr {
        PyMemoryError::new_err(self.to_string())
    }
}

impl Raise for petteia::SetupError {
    fn raise(self) -> PyErr {
        match self {
            petteia::SetupError::Argument(error) => error.raise(),
            petteia::SetupError::Memory(error) => error.raise(),
        }
    }
}

impl Raise for petteia::RecordError {
    fn raise(self) -> PyErr {
        match self {
            petteia::RecordError::Parse(error) => error.raise(),
            petteia::RecordError::Illegal(error) => error.raise(),
            petteia::RecordError::Memory(error) => error.raise(),
        }
    }
}

impl Raise for petteia::SolveError {
    fn raise(self) -> PyErr {
        match self {
            petteia::SolveError::Memory(error) => error.raise(),
            other => PyValueError::new_err(other.to_string()),
        }
    }
}

impl Raise for petteia::PerftError {
    fn raise(self) -> PyErr {
        match self {
            petteia::PerftError::Memory(error) => error.raise(),
            petteia::PerftError::TooMany => PyOverflowError::new_err(self.to_string()),
            petteia::PerftError::Stopped => PyRuntimeError::new_err(self.to_string()),
        }
    }
}

impl Raise for petteia::work::Stopped {
    fn raise(self) -> PyErr {
        PyRuntimeError::new_err("the work was stopped")
    }
}

/// Describes an argument that is out of range.
#[cold]
pub fn out_of_range(name: &str, got: impl std::fmt::Display, expected: impl std::fmt::Display) -> PyErr {
    petteia::ArgumentError::new(name, got, expected).raise()
}
