//! Arguments from Python, which may be any object at all: everything is checked.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use petteia::reversi::Square;
use petteia::work::thread_count;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};

use crate::errors::out_of_range;

/// An integer of any size: an `int`, or an object with `__index__`.
pub enum Integer {
    Small(i64),
    /// One that an `i64` cannot hold, in decimal.
    Huge(String),
}

impl Integer {
    /// Reads an integer, or raises a TypeError for anything else.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Integer> {
        match given.extract::<i64>() {
            Ok(number) => Ok(Integer::Small(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                // Python refuses to print integers of thousands of digits.
                let text = given.str().map(|text| text.to_string_lossy().into_owned());
                Ok(Integer::Huge(text.unwrap_or_else(|_| "of thousands of digits".to_owned())))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the number if it can be an index.
    pub fn index(&self) -> Option<usize> {
        match self {
            Integer::Small(number) => usize::try_from(*number).ok(),
            Integer::Huge(_) => None,
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(number) => write!(f, "{number}"),
            Integer::Huge(text) => f.write_str(text),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Integer {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Integer::of(&given)
    }
}

/// An argument that may be omitted, which is not the same as None.
pub struct Given<'py>(pub Option<Bound<'py, PyAny>>);

impl<'py> Given<'py> {
    /// Returns the argument, or the default if it was omitted; raises a TypeError if it is not a str.
    pub fn text_or(&self, default: &'static str) -> PyResult<Cow<'_, str>> {
        match &self.0 {
            Some(given) => given.cast::<PyString>().map(text).map_err(|_| type_error("str", given)),
            None => Ok(Cow::Borrowed(default)),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Given(Some(given.to_owned())))
    }
}

/// Checks that a number is in a range, or raises a ValueError that names the argument.
pub fn number_in(what: &str, given: Integer, range: RangeInclusive<u64>) -> PyResult<u64> {
    let number = match &given {
        Integer::Small(number) => u64::try_from(*number).ok(),
        Integer::Huge(text) => text.parse().ok(),
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| out_of_range(what, given, format!("{} to {}", range.start(), range.end())))
}

/// Checks a size, which is at least 1.
pub fn size(what: &str, given: Integer) -> PyResult<u32> {
    number_in(what, given, 1..=u64::from(u32::MAX)).map(|number| number as u32)
}

/// Checks a number of threads, and limits it to what any machine benefits from.
pub fn threads(given: Integer) -> PyResult<usize> {
    number_in("threads", given, 1..=u64::MAX).map(|threads| thread_count(threads as usize))
}

/// Returns a seed that nobody has chosen: of 53 bits, which every program and file format can hold.
pub fn fresh_seed(py: Python<'_>) -> PyResult<u64> {
    static RANDBITS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    RANDBITS.import(py, "secrets", "randbits")?.call1((53,))?.extract()
}

/// Describes an object of the wrong type.
#[cold]
pub fn type_error(expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let name = given.get_type().name().map(|name| name.to_string_lossy().into_owned());
    PyTypeError::new_err(format!(
        "expected {expected}, not {}",
        name.as_deref().unwrap_or("an object without a type")
    ))
}

/// Converts a str; a lone surrogate, which no valid text contains, becomes a replacement character.
pub fn text<'a>(given: &'a Bound<'_, PyString>) -> Cow<'a, str> {
    given.to_string_lossy()
}

/// Reads a pair of integers, such as the `r, c` of `board[r, c]`, or raises a TypeError.
pub fn pair(given: &Bound<'_, PyAny>) -> PyResult<[Integer; 2]> {
    match given.cast::<PyTuple>() {
        Ok(tuple) if tuple.len() == 2 => {
            Ok([Integer::of(&tuple.get_item(0)?)?, Integer::of(&tuple.get_item(1)?)?])
        }
        _ => Err(type_error("a pair of integers", given)),
    }
}

/// Reads a square `(x, y)` of Reversi; `None` if it is on no board.
pub fn square(given: &Bound<'_, PyAny>) -> PyResult<Option<Square>> {
    let [x, y] = pair(given)?;
    Ok(x.index().zip(y.index()).and_then(|(x, y)| Square::new(x, y)))
}
