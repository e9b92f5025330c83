//! The exceptions, and how the core's errors become them.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    petteia,
    IllegalMove,
    PyValueError,
    "A move that cannot be played; the message quotes it, the position and the legal moves."
);
create_exception!(
    petteia,
    ParseError,
    PyValueError,
    "A text that is not what it should be, or a number out of range; the message quotes it and says what was expected."
);
create_exception!(
    petteia,
    InvalidMove,
    IllegalMove,
    "A line of a TicTac record that is against the rules, raised by petteia.tictac.evaluate."
);

/// A result of the core whose error can be raised in Python.
pub trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, petteia::ParseError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| ParseError::new_err(error.to_string()))
    }
}

impl<T> OrRaise<T> for Result<T, petteia::IllegalMove> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| IllegalMove::new_err(error.to_string()))
    }
}

impl<T> OrRaise<T> for Result<T, petteia::RecordError> {
    fn or_raise(self) -> PyResult<T> {
        match self {
            Ok(value) => Ok(value),
            Err(petteia::RecordError::Parse(error)) => Err(error).or_raise(),
            Err(petteia::RecordError::Illegal(error)) => Err(error).or_raise(),
        }
    }
}

/// Describes an argument that is out of range, in the core's words.
#[cold]
pub fn out_of_range(what: &str, got: impl std::fmt::Display, expected: impl std::fmt::Display) -> PyErr {
    ParseError::new_err(format!("invalid {what} {got}: expected {expected}"))
}
