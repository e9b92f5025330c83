//! Positions of any game as Python has them: one of petteia's, or somebody's own.

use petteia::any::{AnyPosition, Game};
use petteia::{Declared, Values, with_game, with_position};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arguments::{Integer, number_in, text, type_error};
use crate::classes;
use crate::errors::{OrRaise, out_of_range};
use crate::own::{Nested, OwnPosition};
use crate::position::{Class, Wrap};

/// A position that a function was given.
pub enum PyPosition {
    Petteia(AnyPosition),
    Own(OwnPosition, Nested),
}

/// Does the same for a position of whichever game it is, petteia's or somebody's own.
macro_rules! with_py_position {
    ($given:expr, $position:ident => $body:expr) => {
        match $given {
            $crate::games::PyPosition::Petteia(any) => petteia::with_position!(any, $position => $body),
            $crate::games::PyPosition::Own($position, _) => $body,
        }
    };
}

pub(crate) use with_py_position;

impl PyPosition {
    /// Reads a position; raises a TypeError for what is none.
    pub fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match known(given) {
            Some(position) => Ok(PyPosition::Petteia(position)),
            None => {
                let nested = Nested::enter()?;
                Ok(PyPosition::Own(OwnPosition::read(given)?, nested))
            }
        }
    }

    /// Raises what somebody's own game has raised since it was read.
    pub fn check(&self) -> PyResult<()> {
        match self {
            PyPosition::Petteia(_) => Ok(()),
            PyPosition::Own(position, _) => position.check(),
        }
    }
}

macro_rules! cast_to_any {
    ([$($game:ident)*] $given:ident) => {
        None$(.or_else(|| cast::<classes::$game>($given)))*
    };
}

/// Returns the position if it is one of petteia's.
fn known(given: &Bound<'_, PyAny>) -> Option<AnyPosition> {
    petteia::games!([cast_to_any] given)
}

fn cast<C: Class>(given: &Bound<'_, PyAny>) -> Option<AnyPosition>
where
    AnyPosition: From<C::Position>,
{
    given.cast::<C>().ok().map(|position| position.get().position().clone().into())
}

/// Reads a position of one of petteia's games.
pub fn any_position(given: &Bound<'_, PyAny>) -> PyResult<AnyPosition> {
    known(given).ok_or_else(|| type_error("a position of petteia", given))
}

/// Returns a position of any game as its class.
pub fn wrap(py: Python<'_>, position: AnyPosition) -> PyResult<Py<PyAny>> {
    with_position!(position, position => Wrap::wrap(position, py))
}

/// Returns the position that a game starts from, with parameters by their names.
pub fn start(game: Game, named: Option<&Bound<'_, PyDict>>) -> PyResult<AnyPosition> {
    Ok(with_game!(game, G => construct::<G>(None, named)?.into()))
}

/// Returns the position that a game starts from, with parameters by their places or names.
pub fn construct<P: Declared>(
    placed: Option<&Bound<'_, PyTuple>>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<P> {
    let mut values: Vec<Option<u32>> = vec![None; P::PARAMETERS.len()];
    let placed_len = placed.map_or(0, |placed| placed.len());
    if placed_len > values.len() {
        let message = format!("{} takes at most {} arguments ({placed_len} given)", P::TITLE, values.len());
        return Err(PyTypeError::new_err(message));
    }
    for (place, given) in placed.into_iter().flat_map(|placed| placed.iter()).enumerate() {
        values[place] = Some(value::<P>(place, &given)?);
    }
    for (name, given) in named.into_iter().flat_map(|named| named.iter()) {
        let name = name.extract::<String>()?;
        let place = P::PARAMETERS.iter().position(|parameter| parameter.name == name).ok_or_else(|| {
            let names: Vec<_> = P::PARAMETERS.iter().map(|parameter| parameter.name).collect();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            PyTypeError::new_err(format!("{} has no parameter {name:?}: expected {has}", P::TITLE))
        })?;
        if values[place].is_some() {
            return Err(PyTypeError::new_err(format!("{} got two values for {name}", P::TITLE)));
        }
        values[place] = Some(value::<P>(place, &given)?);
    }
    let defaults = P::PARAMETERS.iter().map(|parameter| parameter.default);
    let values: Vec<u32> =
        values.into_iter().zip(defaults).map(|(value, default)| value.unwrap_or(default)).collect();
    P::start(&values).or_raise()
}

/// Reads the value of a parameter; whatever is wrong with it, the error names the parameter.
fn value<P: Declared>(place: usize, given: &Bound<'_, PyAny>) -> PyResult<u32> {
    let parameter = &P::PARAMETERS[place];
    let wrong_type = |kind: &str| type_error(&format!("{} as {kind}", parameter.name), given);
    match parameter.values {
        Values::Numbers { least, most } => {
            let number = Integer::of(given).map_err(|error| {
                match error.is_instance_of::<PyTypeError>(given.py()) {
                    true => wrong_type("an int"),
                    false => error,
                }
            })?;
            number_in(parameter.name, number, least.into()..=most.into()).map(|value| value as u32)
        }
        Values::Words(_) => {
            let word = given.cast::<PyString>().map_err(|_| wrong_type("a str"))?;
            let word = text(word);
            let value = parameter.read(&word);
            value.ok_or_else(|| out_of_range(parameter.name, format!("{word:?}"), parameter.expected()))
        }
    }
}

/// Returns how many plies a game of petteia has at most from its start, or None if it can go on for ever.
#[pyfunction]
pub fn longest_game(position: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    Ok(with_position!(any_position(position)?, position => position.longest_game()))
}

/// What petteia.GAMES and its like are made of: every game as it is declared in its own room.
#[pyfunction]
pub fn declarations<'py>(py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    Game::ALL.iter().map(|&game| with_game!(game, G => declaration::<G>(py))).collect()
}

fn declaration<'py, P: Wrap + Declared>(py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
    let start = P::default();
    let declared = PyDict::new(py);
    declared.set_item("name", P::NAME)?;
    declared.set_item("title", P::TITLE)?;
    declared.set_item("about", P::ABOUT)?;
    declared.set_item("class", P::class(py))?;
    declared.set_item("players", start.players())?;
    declared.set_item("skips", P::SKIPS)?;
    let parameters = P::PARAMETERS.iter().map(|parameter| {
        let described = PyDict::new(py);
        described.set_item("name", parameter.name)?;
        described.set_item("about", parameter.about)?;
        match parameter.values {
            Values::Numbers { least, most } => {
                described.set_item("default", parameter.default)?;
                described.set_item("least", least)?;
                described.set_item("most", most)?;
            }
            Values::Words(words) => {
                described.set_item("default", parameter.write(parameter.default))?;
                described.set_item("words", words)?;
            }
        }
        Ok(described)
    });
    declared.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
    let presets = P::PRESETS.iter().map(|preset| Ok((preset.name, named_values::<P>(py, preset.values)?)));
    declared.set_item("presets", presets.collect::<PyResult<Vec<_>>>()?)?;
    Ok(declared)
}

/// Returns values of parameters by their names: numbers where they are numbers.
pub fn named_values<'py, P: Declared>(py: Python<'py>, values: &[u32]) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (parameter, &value) in P::PARAMETERS.iter().zip(values) {
        match parameter.values {
            Values::Numbers { .. } => named.set_item(parameter.name, value)?,
            Values::Words(_) => named.set_item(parameter.name, parameter.write(value))?,
        }
    }
    Ok(named)
}
