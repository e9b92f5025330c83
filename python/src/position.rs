//! The members that the positions of all games share, written once over the core's traits.

use petteia::cpu::Portable;
use petteia::svg::{Marks, Theme, sized};
use petteia::{Actions, Declared, Draw, Engine, Observe, OnCpu, Player, Position, Symmetry, or_no_memory};
use pyo3::PyClass;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString, PyType};

use crate::arguments::{Flag, Given, Integer, named_text, text, type_error};
use crate::enums::PLAYER;
use crate::errors::{OrRaise, Raise, illegal, out_of_range};

/// The result of `__reduce__`: a callable and its arguments.
pub type Rebuild<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// The class of a game's positions.
pub trait Class: PyClass<Frozen = pyo3::pyclass::boolean_struct::True> + Sync {
    type Position: Wrap;

    fn position(&self) -> &Self::Position;
}

/// A position that has a Python class.
pub trait Wrap: Engine + Symmetry + OnCpu + Draw + Declared {
    /// Returns the class.
    fn class(py: Python<'_>) -> Bound<'_, PyType>;

    /// Returns the position as an object of its class.
    fn wrap(self, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

/// Reads a move to play, as notation or as an action. One that cannot be read is illegal too.
#[inline]
pub fn move_to_play<P: Actions>(position: &P, given: &Bound<'_, PyAny>) -> PyResult<P::Move> {
    let illegal = |shown: &str| illegal(petteia::IllegalMove::new(position, &shown), given);
    // Programs play actions, so these have a fast path.
    if let Ok(action) = given.cast_exact::<PyInt>() {
        if let Some(m) =
            action.extract::<i64>().ok().and_then(|action| position.move_of(usize::try_from(action).ok()?))
        {
            return Ok(m);
        }
    }
    if let Ok(notation) = given.cast::<PyString>() {
        let notation = text(notation);
        return notation.parse().map_err(|_| illegal(&notation));
    }
    let integer = action_number(given)?;
    let found = integer.index().and_then(|action| position.move_of(action));
    found.ok_or_else(|| illegal(&integer.to_string()))
}

/// Reads a move of this game, legal now or not.
fn any_move<P: Actions>(position: &P, given: &Bound<'_, PyAny>) -> PyResult<P::Move> {
    let Ok(notation) = given.cast::<PyString>() else {
        return move_of(position, action_number(given)?);
    };
    let m = text(notation).parse::<P::Move>().or_raise()?;
    if position.action(&m).is_some() {
        return Ok(m);
    }
    let expected = format!("one that fits the board of {} {:?}", P::NAME, position.to_string());
    Err(petteia::ParseError::new("move", m.to_string(), expected).raise())
}

fn action_number(given: &Bound<'_, PyAny>) -> PyResult<Integer> {
    Integer::of(given).map_err(|error| match error.is_instance_of::<PyTypeError>(given.py()) {
        true => type_error("a move as a str or its action as an int", given),
        false => error,
    })
}

fn move_of<P: Actions>(position: &P, action: Integer) -> PyResult<P::Move> {
    let action = action.named("action")?;
    let found = action.index().and_then(|action| position.move_of(action));
    found.ok_or_else(|| {
        let expected = format!("0 to {}", position.num_actions() - 1);
        PyIndexError::new_err(petteia::ArgumentError::new("action", action, expected).to_string())
    })
}

#[inline]
pub fn play<P: Actions>(position: &P, given: &Bound<'_, PyAny>) -> PyResult<P> {
    let m = move_to_play(position, given)?;
    or_no_memory(|| position.after(m)).or_raise()?.map_err(|refused| illegal(refused, given))
}

#[inline]
pub fn actions<'py, P: Actions>(py: Python<'py>, position: &P) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, position.moves().map(|m| position.action_of_legal(&m)))
}

pub fn moves<'py, P: Position>(py: Python<'py>, position: &P) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, position.moves().map(|m| m.to_string()))
}

pub fn player(py: Python<'_>, player: Option<Player>) -> PyResult<Option<Py<PyAny>>> {
    player.map(|player| PLAYER.member(py, player.index())).transpose()
}

pub fn action<P: Actions>(position: &P, notation: &Bound<'_, PyAny>) -> PyResult<usize> {
    any_move(position, named_text("move", notation)?).map(|m| position.action_of_legal(&m))
}

pub fn notation<P: Actions>(position: &P, action: Integer) -> PyResult<String> {
    move_of(position, action).map(|m| m.to_string())
}

pub fn from_text<P: Declared>(given: &Bound<'_, PyAny>) -> PyResult<P> {
    let given = named_text("text", given)?;
    or_no_memory(|| P::from_str(&text(given))).or_raise()?.or_raise()
}

pub fn svg<P: Draw>(
    position: &P,
    last: Option<&Bound<'_, PyAny>>,
    legal: Flag,
    theme: Given<'_>,
    size: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let legal = legal.named("legal")?;
    let last = last.map(|last| any_move(position, last)).transpose()?;
    let theme = match &*theme.text_or("theme", "auto")? {
        "auto" => Theme::Auto,
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        other => return Err(out_of_range("theme", format!("{other:?}"), "auto, light or dark")),
    };
    let size = size.map(pixels).transpose()?;
    let picture = position.svg(&Marks { last, legal, theme });
    Ok(match size {
        Some(size) => sized(&picture, size),
        None => picture,
    })
}

/// The greatest size of a picture. Browsers draw none that is much larger.
const MOST_PIXELS: f64 = 1e5;

/// Reads the size of a picture.
fn pixels(given: &Bound<'_, PyAny>) -> PyResult<f64> {
    let expected = || format!("a number of pixels from 1 to {MOST_PIXELS}");
    let size = given.extract::<f64>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(given.py()) {
            type_error("size as a number of pixels", given)
        } else if error.is_instance_of::<PyOverflowError>(given.py()) {
            out_of_range("size", "of hundreds of digits", expected())
        } else {
            error
        }
    })?;
    match (1.0..=MOST_PIXELS).contains(&size) {
        true => Ok(size),
        false => Err(out_of_range("size", size, expected())),
    }
}

/// Returns the score of the first player as the board stands.
pub fn score<P: Engine + Observe>(position: &P) -> PyResult<i64> {
    if P::COUNTS_SQUARES {
        let [first, second] = count(position)?;
        return Ok(first as i64 - second as i64);
    }
    Ok(position.score(false).map_or(0, i64::from))
}

/// Returns what a notebook shows of an object: python/petteia/_pictures.py writes it.
pub fn pictured(kind: &str, object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.py().import("petteia._pictures")?.call_method1(kind, (object,))?.extract()
}

pub fn count<P: Observe>(position: &P) -> PyResult<[usize; 2]> {
    or_no_memory(|| position.count_cells()).or_raise()
}

fn symmetry<P: Symmetry>(position: &P, given: Integer) -> PyResult<usize> {
    let given = given.named("symmetry")?;
    let known = given.index().filter(|&number| number < position.symmetries());
    known.ok_or_else(|| out_of_range("symmetry", given, format!("0 to {}", position.symmetries() - 1)))
}

pub fn transform<P: Symmetry>(position: &P, symmetry: Integer) -> PyResult<P> {
    let symmetry = self::symmetry(position, symmetry)?;
    or_no_memory(|| position.transform(symmetry)).or_raise()
}

pub fn transform_action<P: Symmetry + Actions>(
    position: &P,
    action: Integer,
    symmetry: Integer,
) -> PyResult<usize> {
    let m = move_of(position, action)?;
    let symmetry = self::symmetry(position, symmetry)?;
    Ok(position.action_of_legal(&position.transform_move(symmetry, m)))
}

pub fn canonical<P: Engine>(position: &P) -> PyResult<P> {
    or_no_memory(|| position.canonical()).or_raise()
}

pub fn packed<P: OnCpu>(position: &P) -> PyResult<Vec<u8>> {
    let mut cells = Vec::new();
    or_no_memory(|| position.push_cells_on(Portable, &mut cells)).or_raise()?;
    Ok(cells)
}

pub fn written<P: OnCpu>(position: &P) -> PyResult<String> {
    let mut text = String::new();
    or_no_memory(|| position.push_text(&mut text)).or_raise()?;
    Ok(text)
}

/// Returns a str of any length: the usual conversion panics when there is no memory for it.
pub fn string<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    PyString::from_bytes(py, text.as_bytes())
}

/// Returns the drawing, and a line about what it does not show.
pub fn drawing<'py, P: Draw>(py: Python<'py>, position: &P) -> PyResult<Bound<'py, PyString>> {
    let mut drawing = or_no_memory(|| position.drawing()).or_raise()?;
    if let Some(caption) = position.caption() {
        drawing.push_str(&caption);
        drawing.push('\n');
    }
    string(py, &drawing)
}

pub fn repr<'py, P: OnCpu>(py: Python<'py>, class: &str, position: &P) -> PyResult<Bound<'py, PyString>> {
    let mut text = format!("petteia.{class}.from_text('");
    or_no_memory(|| position.push_text(&mut text)).or_raise()?;
    // A long text may have to move.
    text.try_reserve_exact(2).map_err(|_| PyMemoryError::new_err("no memory for a position's text"))?;
    text.push_str("')");
    string(py, &text)
}

/// Defines the class of a game's positions: its own members, then those that all games share.
macro_rules! position_class {
    ($(#[$doc:meta])* $name:ident $signature:literal { $($own:tt)* }) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, module = "petteia")]
        #[derive(PartialEq, Eq, Hash)]
        pub struct $name(petteia::$name);

        impl From<petteia::$name> for $name {
            fn from(position: petteia::$name) -> Self {
                $name(position)
            }
        }

        impl $crate::position::Class for $name {
            type Position = petteia::$name;

            fn position(&self) -> &petteia::$name {
                &self.0
            }
        }

        impl $crate::position::Wrap for petteia::$name {
            fn class(py: Python<'_>) -> Bound<'_, pyo3::types::PyType> {
                py.get_type::<$name>()
            }

            fn wrap(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $name(self))?.into_any())
            }
        }

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (*placed, **named), text_signature = $signature)]
            fn new(
                placed: &Bound<'_, pyo3::types::PyTuple>,
                named: Option<&Bound<'_, pyo3::types::PyDict>>,
            ) -> PyResult<Self> {
                $crate::games::construct(Some(placed), named).map($name)
            }

            $($own)*

            /// The legal moves in the order of their actions; empty if and only if the game is over.
            #[getter]
            fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                $crate::position::moves(py, &self.0)
            }

            /// The actions of the legal moves, in ascending order.
            #[getter]
            fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyList>> {
                $crate::position::actions(py, &self.0)
            }

            /// Returns the position after a move, given as notation or as an action.
            ///
            /// Raises IllegalMove for any str or int that is not a legal move.
            #[pyo3(signature = (r#move))]
            fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
                $crate::position::play(&self.0, r#move).map($name)
            }

            /// The player to move, or None when the game is over.
            #[getter]
            fn turn(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
                $crate::position::player(py, petteia::Position::turn(&self.0))
            }

            /// The players' names, first player first.
            #[getter]
            fn players(&self) -> (&'static str, &'static str) {
                petteia::Position::players(&self.0).into()
            }

            /// Whether the game is over.
            #[getter]
            fn is_over(&self) -> bool {
                petteia::Position::is_over(&self.0)
            }

            /// How the game ended, or None while it goes on.
            #[getter]
            fn outcome(&self) -> Option<$crate::outcome::Outcome> {
                petteia::Position::outcome(&self.0).map(Into::into)
            }

            /// The score of the first player as the board stands: in Reversi the discs more than the second player's;
            /// in the other games 1 for a win, -1 for a loss, and 0 for a draw or while the game goes on.
            #[getter]
            fn score(&self) -> PyResult<i64> {
                $crate::position::score(&self.0)
            }

            /// The number of actions of the game, which are numbered from 0.
            #[getter]
            fn num_actions(&self) -> usize {
                petteia::Actions::num_actions(&self.0)
            }

            /// Returns the action of a move, legal or not.
            ///
            /// Raises ParseError for text that is not a move of this game.
            #[pyo3(signature = (r#move))]
            fn action(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
                $crate::position::action(&self.0, r#move)
            }

            /// Returns the notation of an action, legal or not.
            ///
            /// Raises IndexError for a number that is not an action of this game.
            #[pyo3(name = "move")]
            fn notation(&self, action: $crate::arguments::Integer) -> PyResult<String> {
                $crate::position::notation(&self.0, action)
            }

            /// The position as one line of text; from_text reads it back.
            #[getter]
            fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyString>> {
                $crate::position::string(py, &$crate::position::written(&self.0)?)
            }

            /// Reads a position from its line of text.
            ///
            /// Raises ParseError if the text is malformed.
            #[staticmethod]
            fn from_text(text: &Bound<'_, PyAny>) -> PyResult<Self> {
                $crate::position::from_text(text).map($name)
            }

            /// Returns a picture of the position as an SVG element.
            ///
            /// last is a move to mark, legal marks the legal moves, theme is auto, light or dark, and size is the width in
            /// pixels; without it, a picture grows with its board and with the text around it.
            #[pyo3(signature = (last=None, legal=$crate::arguments::Flag::Is(false), theme=$crate::arguments::Given(None), size=None))]
            #[pyo3(text_signature = "($self, last=None, legal=False, theme='auto', size=None)")]
            fn svg(
                &self,
                last: Option<&Bound<'_, PyAny>>,
                legal: $crate::arguments::Flag,
                theme: $crate::arguments::Given<'_>,
                size: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<String> {
                $crate::position::svg(&self.0, last, legal, theme, size)
            }

            /// Returns the picture that notebooks show.
            fn _repr_svg_(&self) -> PyResult<String> {
                $crate::position::svg(&self.0, None, $crate::arguments::Flag::Is(true), $crate::arguments::Given(None), None)
            }

            /// The cells as a numpy array of int8, row by row: 0 is empty, 1 the first player's, 2 the second's,
            /// unless the class says otherwise.
            #[getter]
            fn array(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                $crate::arrays::array(py, &self.0)
            }

            /// The legal actions as a numpy array of bool, the same as a VectorEnv lane; none where the game is over.
            #[getter]
            fn action_mask(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                $crate::arrays::mask(py, &self.0)
            }

            /// The cells of array packed into bytes, as selfplay writes them: two bits each, four to a byte, the first
            /// in the lowest bits, unless the class says otherwise.
            #[getter]
            fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
                Ok(pyo3::types::PyBytes::new(py, &$crate::position::packed(&self.0)?))
            }

            /// Returns planes of 0 and 1 from the point of view of the player to move, as a numpy array of uint8.
            ///
            /// The class says which planes. Two planes are the cells of the player to move, then the opponent's; when
            /// the game is over, the first player's, then the second's.
            fn observation(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                $crate::arrays::observation(py, &self.0)
            }

            /// Counts the move sequences of exactly depth plies from here; a finished game has only the empty one.
            ///
            /// With a transposition table of table_mb megabytes, positions that are reached in several ways, up to
            /// symmetry, are counted once as long as they fit. The count releases the GIL and stops on Ctrl-C.
            ///
            /// Raises OverflowError if there are 2^64 sequences or more.
            #[pyo3(signature = (depth, *, threads=Some($crate::arguments::Integer::Small(1)), table_mb=None))]
            #[pyo3(text_signature = "($self, depth, *, threads=1, table_mb=None)")]
            fn perft(
                &self,
                py: Python<'_>,
                depth: $crate::arguments::Integer,
                threads: Option<$crate::arguments::Integer>,
                table_mb: Option<$crate::arguments::Integer>,
            ) -> PyResult<u64> {
                $crate::perft::count(py, &self.0, depth, threads, table_mb, None)
            }

            /// The number of symmetries of the game, including the identity.
            #[getter]
            fn symmetries(&self) -> usize {
                petteia::Symmetry::symmetries(&self.0)
            }

            /// Returns the position transformed by a symmetry; number 0 is the identity.
            fn transform(&self, symmetry: $crate::arguments::Integer) -> PyResult<Self> {
                $crate::position::transform(&self.0, symmetry).map($name)
            }

            /// Returns the action that an action becomes by a symmetry, for learning from a position in all its images.
            fn transform_action(
                &self,
                action: $crate::arguments::Integer,
                symmetry: $crate::arguments::Integer,
            ) -> PyResult<usize> {
                $crate::position::transform_action(&self.0, action, symmetry)
            }

            /// Returns the same representative for all positions that are equal up to symmetry.
            fn canonical(&self) -> PyResult<Self> {
                $crate::position::canonical(&self.0).map($name)
            }

            fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyString>> {
                $crate::position::drawing(py, &self.0)
            }

            fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyString>> {
                $crate::position::repr(py, stringify!($name), &self.0)
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
                slf
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<$crate::position::Rebuild<'py, (Bound<'py, pyo3::types::PyString>,)>> {
                Ok((slf.get_type().getattr("from_text")?, (slf.get().text(slf.py())?,)))
            }
        }
    };
}

pub(crate) use position_class;
