//! Arguments from Python, which may be any object at all: everything is checked, and every error names the argument.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::thread::available_parallelism;
use std::time::Duration;

use petteia::reversi::Square;
use petteia::work::thread_count;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyIterator, PyString, PyTuple};

use crate::errors::out_of_range;

/// An integer of any size: an `int`, or an object with `__index__`, but no `bool`.
pub enum Integer {
    Small(i64),
    /// One that an `i64` cannot hold, in decimal.
    Huge(String),
    /// No integer but an object of this type. It is refused by those who know the name of the argument.
    Wrong(String),
}

impl Integer {
    /// Reads an integer, or raises a TypeError for anything else.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Integer> {
        match Integer::extract(given.as_borrowed())? {
            Integer::Wrong(_) => Err(type_error("an int", given)),
            integer => Ok(integer),
        }
    }

    /// Raises a TypeError, which names the argument, if it is no integer.
    pub fn named(self, what: &str) -> PyResult<Integer> {
        match self {
            Integer::Wrong(name) => Err(wrong_type(&format!("{what} as an int"), &name)),
            integer => Ok(integer),
        }
    }

    /// Returns the number if it can be an index.
    pub fn index(&self) -> Option<usize> {
        match self {
            Integer::Small(number) => usize::try_from(*number).ok(),
            Integer::Huge(_) | Integer::Wrong(_) => None,
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(number) => write!(f, "{number}"),
            Integer::Huge(text) | Integer::Wrong(text) => f.write_str(text),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Integer {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if given.is_instance_of::<PyBool>() {
            return Ok(Integer::Wrong(type_name(&given)));
        }
        match given.extract::<i64>() {
            Ok(number) => Ok(Integer::Small(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                // Python refuses to print integers of thousands of digits.
                let text = given.str().map(|text| text.to_string_lossy().into_owned());
                Ok(Integer::Huge(text.unwrap_or_else(|_| "of thousands of digits".to_owned())))
            }
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => {
                Ok(Integer::Wrong(type_name(&given)))
            }
            Err(error) => Err(error),
        }
    }
}

/// An argument that may be omitted, which is not the same as None.
pub struct Given<'py>(pub Option<Bound<'py, PyAny>>);

impl<'py> Given<'py> {
    /// Returns the argument, or the default if it was omitted; raises a TypeError if it is not a str.
    pub fn text_or(&self, what: &str, default: &'static str) -> PyResult<Cow<'_, str>> {
        let wrong = |given| type_error(&format!("{what} as a str"), given);
        match &self.0 {
            Some(given) => given.cast::<PyString>().map(text).map_err(|_| wrong(given)),
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

/// A bool, or the type of what was given in its place.
pub enum Flag {
    Is(bool),
    Wrong(String),
}

impl Flag {
    /// Returns the bool, or raises a TypeError that names the argument.
    pub fn named(self, what: &str) -> PyResult<bool> {
        match self {
            Flag::Is(given) => Ok(given),
            Flag::Wrong(kind) => Err(PyTypeError::new_err(format!("expected {what} as a bool, not {kind}"))),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Flag {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(match given.extract() {
            Ok(flag) => Flag::Is(flag),
            Err(_) => Flag::Wrong(given.get_type().name()?.to_string()),
        })
    }
}

/// Iterates over an argument that is a list of something, or any other iterable but a str.
pub fn elements<'py>(what: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if given.is_instance_of::<PyString>() || given.getattr("__iter__").is_err() {
        return Err(type_error(what, given));
    }
    given.try_iter()
}

/// Checks that a number is in a range, or raises a ValueError that names the argument.
pub fn number_in(what: &str, given: Integer, range: RangeInclusive<u64>) -> PyResult<u64> {
    let given = given.named(what)?;
    let number = match &given {
        Integer::Small(number) => u64::try_from(*number).ok(),
        Integer::Huge(text) => text.parse().ok(),
        Integer::Wrong(_) => None,
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| out_of_range(what, given, format!("{} to {}", range.start(), range.end())))
}

/// Checks a size, which is at least 1.
pub fn size(what: &str, given: Integer) -> PyResult<u32> {
    number_in(what, given, 1..=u64::from(u32::MAX)).map(|number| number as u32)
}

/// Checks a number of threads, and limits it to what any machine benefits from; None is one for each core.
pub fn threads(given: Option<Integer>) -> PyResult<usize> {
    let Some(given) = given else {
        return Ok(thread_count(available_parallelism().map_or(1, usize::from)));
    };
    number_in("threads", given, 1..=u64::MAX).map(|threads| thread_count(threads as usize))
}

/// The most seconds that a call may be given: thirty years.
const LONGEST: f64 = 1e9;

/// Reads how many seconds a call may take.
pub fn time(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = seconds("time", given)?;
    let read = Duration::try_from_secs_f64(seconds).ok();
    read.filter(|time| !time.is_zero() && time.as_secs_f64() <= LONGEST)
        .ok_or_else(|| out_of_range("time", seconds, "more than 0 and at most 1e9 seconds"))
}

/// Reads a number of seconds, which may be any float.
pub fn seconds(what: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    real(&format!("{what} as a number of seconds"), given)
}

/// Reads a number, which may be any float, or raises a TypeError that says what was expected; a bool is none.
pub fn real(expected: &str, given: &Bound<'_, PyAny>) -> PyResult<f64> {
    let wrong = || type_error(expected, given);
    if given.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    given.extract().or_else(|error: PyErr| match error {
        // An int that no float can hold.
        error if error.is_instance_of::<PyOverflowError>(given.py()) => {
            Ok(if given.gt(0)? { f64::INFINITY } else { f64::NEG_INFINITY })
        }
        error if error.is_instance_of::<PyTypeError>(given.py()) => Err(wrong()),
        error => Err(error),
    })
}

/// Checks an integer for python/petteia.
#[pyfunction]
pub fn whole(what: &str, given: Integer, least: u64, most: u64) -> PyResult<u64> {
    number_in(what, given, least..=most)
}

/// Returns the number of threads that a number or None stands for.
#[pyfunction(name = "thread_count")]
#[pyo3(signature = (threads))]
pub fn count_threads(threads: Option<Integer>) -> PyResult<usize> {
    self::threads(threads)
}

/// Returns a seed that nobody has chosen: of 63 bits, which int64 columns can hold.
pub fn fresh_seed(py: Python<'_>) -> PyResult<u64> {
    static RANDBITS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    RANDBITS.import(py, "secrets", "randbits")?.call1((63,))?.extract()
}

/// Describes an object of the wrong type.
#[cold]
pub fn type_error(expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    wrong_type(expected, &type_name(given))
}

#[cold]
fn wrong_type(expected: &str, name: &str) -> PyErr {
    PyTypeError::new_err(format!("expected {expected}, not {name}"))
}

#[cold]
fn type_name(given: &Bound<'_, PyAny>) -> String {
    let name = given.get_type().name();
    name.map_or_else(|_| "an object without a type".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Reads a str, or raises a TypeError that names the argument.
pub fn named_text<'a, 'py>(what: &str, given: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    given.cast::<PyString>().map_err(|_| type_error(&format!("{what} as a str"), given))
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
    let pair = pair(given).map_err(|error| match error.is_instance_of::<PyTypeError>(given.py()) {
        true => type_error("position as a pair of integers", given),
        false => error,
    });
    let [x, y] = pair?;
    Ok(x.index().zip(y.index()).and_then(|(x, y)| Square::new(x, y)))
}

/// Reads the rows of a board, a sequence of str; a single str is none.
pub fn rows(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if given.is_instance_of::<PyString>() || !given.hasattr("__len__")? {
        return Err(type_error("rows as a list of str", given));
    }
    let row = |row: PyResult<Bound<'_, PyAny>>| {
        let row = row?;
        let row = row.cast::<PyString>().map_err(|_| type_error("each row as a str", &row))?;
        Ok(text(row).into_owned())
    };
    given.try_iter()?.map(row).collect()
}
