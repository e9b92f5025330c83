//! Where games start, as Python says it: a game by name or as a position, and one start or a sequence of them.

use petteia::any::{AnyPosition, AnyStarts, Game};
use petteia::{Declared, ParseError, Start, Starts, with_starts};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySequence, PyString};

use crate::arguments::{Integer, number_in, text, type_error};
use crate::errors::{OrRaise, Raise};
use crate::games::{Checked, any_position, construct, known, named_values, start_of, wrap};
use crate::own::{Nested, OwnPosition};
use crate::record::Record;

/// Where games start, petteia's or user-defined ones.
pub enum PyStarts {
    Petteia(AnyStarts),
    Own(Starts<OwnPosition>, Nested),
}

/// Evaluates an expression for starts of any game, petteia's or user-defined.
macro_rules! with_py_starts {
    ($given:expr, $starts:ident => $body:expr) => {
        match $given {
            $crate::starts::PyStarts::Petteia(any) => petteia::with_starts!(any, $starts => $body),
            $crate::starts::PyStarts::Own($starts, _) => $body,
        }
    };
}

pub(crate) use with_py_starts;

impl PyStarts {
    /// Reads a position, in which the game may be over, or a sequence of positions, in which it may not.
    pub fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(position) = known(given)? {
            return Ok(PyStarts::Petteia(position.into()));
        }
        let Some(all) = sequence(given)? else {
            let nested = Nested::enter()?;
            return Ok(PyStarts::Own(OwnPosition::read(given)?.into(), nested));
        };
        let Some(first) = all.first() else {
            return Err(PyTypeError::new_err(
                "expected position as one or as a sequence of at least one, not []",
            ));
        };
        if known(first)?.is_some() {
            return AnyStarts::new(read_all(&all, None)?).or_raise().map(PyStarts::Petteia);
        }
        let nested = Nested::enter()?;
        let first = OwnPosition::read(first)?;
        let mut positions = vec![first.clone()];
        for (place, other) in all.iter().enumerate().skip(1) {
            positions.push(first.read_another(other, &format!("start[{place}]"))?);
        }
        Starts::new(positions).or_raise().map(|starts| PyStarts::Own(starts, nested))
    }

    /// Returns the starts if they are of petteia's own games.
    pub fn petteia(self) -> PyResult<AnyStarts> {
        match self {
            PyStarts::Petteia(starts) => Ok(starts),
            PyStarts::Own(..) => Err(PyTypeError::new_err("expected positions of petteia")),
        }
    }
}

impl Checked for PyStarts {
    fn raise(&self) -> PyResult<()> {
        match self {
            PyStarts::Petteia(_) => Ok(()),
            PyStarts::Own(starts, _) => starts.first().raise(),
        }
    }

    fn check(&self) -> PyResult<()> {
        match self {
            PyStarts::Petteia(_) => Ok(()),
            PyStarts::Own(starts, _) => starts.first().check(),
        }
    }
}

/// Returns the items of a sequence, or None for anything else, such as a position or its text.
fn sequence<'py>(given: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    // A position of your own may be a sequence too: a named tuple, say. A record is one of moves.
    let is_one = given.is_instance_of::<PyString>()
        || given.is_instance_of::<PyBytes>()
        || given.is_instance_of::<Record>()
        || given.hasattr("turn")? && given.hasattr("moves")?;
    match given.cast::<PySequence>() {
        Ok(all) if !is_one => all.try_iter()?.collect::<PyResult<Vec<_>>>().map(Some),
        _ => Ok(None),
    }
}

/// Reads positions of petteia, or their texts if the game is known.
fn read_all(all: &[Bound<'_, PyAny>], game: Option<Game>) -> PyResult<Vec<AnyPosition>> {
    let read = |(place, given)| read_one(given, game, &format!("start[{place}]"));
    all.iter().enumerate().map(read).collect()
}

fn read_one(given: &Bound<'_, PyAny>, game: Option<Game>, name: &str) -> PyResult<AnyPosition> {
    match (given.cast::<PyString>(), game) {
        (Ok(line), Some(game)) => {
            let read = AnyPosition::parse(game, &text(line));
            read.map_err(|error| {
                ParseError::new(format!("{} as {name}", error.what()), error.input(), error.expected())
            })
            .or_raise()
        }
        _ => any_position(given).map_err(|_| {
            let or_text = if game.is_some() { " or its text" } else { "" };
            let several = if name == "start" { ", or a sequence of these" } else { "" };
            type_error(&format!("{name} as a position{or_text}{several}"), given)
        }),
    }
}

/// Reads where games of petteia start.
///
/// game is a name, with parameters, or a position. start is a position of that game, its text, or a sequence of these;
/// parameters that are not given are then its own. Without start, games start as usual, or from the position given as
/// the game.
pub fn any_starts(
    game: &Bound<'_, PyAny>,
    parameters: Option<&Bound<'_, PyDict>>,
    start: Option<&Bound<'_, PyAny>>,
) -> PyResult<AnyStarts> {
    let like = match game.cast::<PyString>() {
        Ok(_) => None,
        Err(_) => match known(game)? {
            Some(position) => Some(position),
            None => return Err(type_error("game as a str, its name, or a position of petteia", game)),
        },
    };
    let name = match (&like, game.cast::<PyString>()) {
        (None, Ok(name)) => text(name).parse::<Game>().or_raise()?,
        (Some(position), _) => {
            if let Some((name, _)) = parameters.and_then(|parameters| parameters.iter().next()) {
                let name = name.str()?;
                let name = name.to_string_lossy();
                return Err(PyTypeError::new_err(format!(
                    "unexpected {name}: a position has its parameters already"
                )));
            }
            position.game()
        }
        _ => return Err(type_error("game as a str, its name, or a position of petteia", game)),
    };
    let Some(start) = start else {
        return match like {
            Some(position) => Ok(position.into()),
            None => start_of(name, parameters).map(Into::into),
        };
    };
    let given = match sequence(start)? {
        Some(all) => read_all(&all, Some(name))?,
        None => vec![read_one(start, Some(name), "start")?],
    };
    let starts = AnyStarts::new(given).or_raise()?;
    let wanted = match &like {
        Some(position) => position.described(),
        None if starts.game() != name => name.to_string(),
        None => with_starts!(&starts, starts => with_given(game.py(), starts.first(), parameters))?,
    };
    if starts.described() != wanted {
        return Err(starts.refuse(&format!("one of {wanted}")).raise());
    }
    Ok(starts)
}

/// Describes the game of a position, but with the parameters that are given.
fn with_given<P: Declared + Into<AnyPosition>>(
    py: Python<'_>,
    position: &P,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let named = named_values::<P>(py, &position.values())?;
    if let Some(parameters) = parameters {
        named.update(parameters.as_mapping())?;
    }
    let described: AnyPosition = construct::<P>(None, Some(&named))?.into();
    Ok(described.described())
}

/// Returns the positions where games start, as a list; petteia.bots.starts_of also takes user-defined games.
#[pyfunction]
pub fn starts<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyAny>,
    parameters: Option<&Bound<'py, PyDict>>,
    start: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    listed(py, &any_starts(game, parameters, start)?)
}

/// Checks positions of user-defined games that are to be starts.
#[pyfunction]
pub fn check_starts(positions: &Bound<'_, PyAny>) -> PyResult<()> {
    let starts = PyStarts::read(positions)?;
    starts.check()
}

/// Returns starts as a list of Python's positions.
pub fn listed<'py>(py: Python<'py>, starts: &AnyStarts) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for position in starts.positions() {
        list.append(wrap(py, position)?)?;
    }
    Ok(list)
}

/// Returns which of a number of starts a game of a seed has.
#[pyfunction]
pub fn drawn_start(count: usize, seed: u64, game: u64) -> usize {
    petteia::drawn_start(count, seed, game)
}

/// Reads after how many plies games are cut off; None is never.
pub fn max_plies(given: Option<Integer>) -> PyResult<u64> {
    given.map_or(Ok(u64::MAX), |given| number_in("max_plies", given, 1..=u64::MAX))
}
