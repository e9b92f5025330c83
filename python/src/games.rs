//! Python objects as positions: of petteia's games, or of user-defined ones.

use petteia::any::{AnyPosition, Game};
use petteia::{Declared, Values, or_no_memory, with_game, with_position};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arguments::{Integer, number_in, text, type_error};
use crate::classes;
use crate::errors::{OrRaise, out_of_range};
use crate::own::{Nested, OwnPosition};
use crate::position::{Class, Wrap};

/// A position that was passed to a function.
pub enum PyPosition {
    Petteia(AnyPosition),
    Own(OwnPosition, Nested),
}

/// Evaluates an expression for a position of any game, petteia's or user-defined.
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
    /// Reads a position, or raises a TypeError.
    pub fn read(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        match known(given)? {
            Some(position) => Ok(PyPosition::Petteia(position)),
            None => {
                let nested = Nested::enter()?;
                Ok(PyPosition::Own(OwnPosition::read(given)?, nested))
            }
        }
    }
}

/// What was passed as one or more positions, which may be of a user-defined game that raises exceptions.
pub trait Checked: Sync {
    /// Raises the exception that a user-defined game has raised, if any; until [`check`](Checked::check), the game
    /// remains one that has failed.
    fn raise(&self) -> PyResult<()>;

    /// Raises the exception that a user-defined game has raised since it was read, if any.
    fn check(&self) -> PyResult<()>;
}

impl Checked for PyPosition {
    fn raise(&self) -> PyResult<()> {
        match self {
            PyPosition::Petteia(_) => Ok(()),
            PyPosition::Own(position, _) => position.raise(),
        }
    }

    fn check(&self) -> PyResult<()> {
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
pub fn known(given: &Bound<'_, PyAny>) -> PyResult<Option<AnyPosition>> {
    or_no_memory(|| petteia::games!([cast_to_any] given)).or_raise()
}

fn cast<C: Class>(given: &Bound<'_, PyAny>) -> Option<AnyPosition>
where
    AnyPosition: From<C::Position>,
{
    given.cast::<C>().ok().map(|position| position.get().position().clone().into())
}

/// Reads a position of one of petteia's games.
pub fn any_position(given: &Bound<'_, PyAny>) -> PyResult<AnyPosition> {
    known(given)?.ok_or_else(|| type_error("a position of petteia", given))
}

/// Returns a position as an object of its game's class.
pub fn wrap(py: Python<'_>, position: AnyPosition) -> PyResult<Py<PyAny>> {
    with_position!(position, position => Wrap::wrap(position, py))
}

/// Returns the starting position of a game, with parameters by name.
pub fn start_of(game: Game, named: Option<&Bound<'_, PyDict>>) -> PyResult<AnyPosition> {
    Ok(with_game!(game, G => construct::<G>(None, named)?.into()))
}

/// Returns the starting position of a game, with positional or named parameters.
pub fn construct<P: Declared>(
    placed: Option<&Bound<'_, PyTuple>>,
    named: Option<&Bound<'_, PyDict>>,
) -> PyResult<P> {
    let placed_len = placed.map_or(0, |placed| placed.len());
    if placed_len == 0 && named.is_none() {
        return Ok(P::default());
    }
    let mut values: Vec<Option<u32>> = vec![None; P::PARAMETERS.len()];
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

/// Reads the value of a parameter; any error names the parameter.
fn value<P: Declared>(place: usize, given: &Bound<'_, PyAny>) -> PyResult<u32> {
    let parameter = &P::PARAMETERS[place];
    match parameter.values {
        Values::Numbers { least, most } => {
            let number = given.extract::<Integer>()?;
            number_in(parameter.name, number, least.into()..=most.into()).map(|value| value as u32)
        }
        Values::Words(_) => {
            let wrong_type = |_| type_error(&format!("{} as a str", parameter.name), given);
            let word = given.cast::<PyString>().map_err(wrong_type)?;
            let word = text(word);
            let value = parameter.read(&word);
            value.ok_or_else(|| out_of_range(parameter.name, format!("{word:?}"), parameter.expected()))
        }
    }
}

/// Returns the greatest possible number of plies of a game, or None if it can go on forever.
#[pyfunction]
pub fn longest_game(position: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    Ok(with_position!(any_position(position)?, position => position.longest_game()))
}

/// Returns the declarations of all games, from which petteia.GAMES is built.
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

/// Returns the values of parameters by name, as numbers or words.
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
