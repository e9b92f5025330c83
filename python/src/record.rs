//! A played game.

use std::fmt::Write;
use std::hash::Hash;

use petteia::any::{AnyPosition, Game};
use petteia::svg::Marks;
use petteia::{Position, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use crate::arguments::{Given, text, type_error};
use crate::errors::{IllegalMove, OrRaise, ParseError};
use crate::games::{any_position, wrap};
use crate::position::{Rebuild, Wrap, move_to_play};

/// A played game: the position it started from and the moves, each checked.
///
/// It is one line of text, and back.
///
/// >>> record = petteia.Record.from_text("tictac X: B2 C2 C3")
/// >>> record.moves
/// ['B2', 'C2', 'C3']
/// >>> record.last.text
/// '___/_X_/_OX O'
/// >>> record.play("A1").text
/// 'tictac X: B2 C2 C3 A1'
/// >>> petteia.Record(petteia.Reversi(), ["d4", "e4"])
/// petteia.Record.from_text('reversi 8 8: d4 e4')
#[pyclass(frozen, eq, hash, module = "petteia")]
#[derive(PartialEq, Eq, Hash)]
pub struct Record {
    start: AnyPosition,
    /// The moves as actions, which are the same type in every game.
    actions: Vec<usize>,
    last: AnyPosition,
}

/// Plays moves one after another and names the ply of the first that is not legal.
fn replay<P: Position>(
    start: &P,
    plies: usize,
    moves: impl Iterator<Item = PyResult<Py<PyAny>>>,
    py: Python<'_>,
) -> PyResult<(Vec<usize>, P)> {
    let (mut actions, mut position) = (Vec::new(), start.clone());
    for (ply, given) in (plies + 1..).zip(moves) {
        let at_ply = |error: PyErr| match error.is_instance_of::<IllegalMove>(py) {
            true => IllegalMove::new_err(format!("ply {ply}: {}", error.value(py))),
            false => error,
        };
        let m = move_to_play(&position, given?.bind(py)).map_err(at_ply)?;
        position.play(m).or_raise().map_err(at_ply)?;
        actions.push(position.action(m).unwrap_or_default());
    }
    Ok((actions, position))
}

fn parse<P: Position>(_: &P, text: &str) -> PyResult<Record>
where
    AnyPosition: From<P>,
{
    let record = text.parse::<petteia::Record<P>>().or_raise()?;
    let actions = record.moves().iter().filter_map(|&m| record.start().action(m)).collect();
    Ok(Record { start: record.start().clone().into(), actions, last: record.last().clone().into() })
}

/// Returns the move of an action that was played.
fn played<P: Position>(position: &P, action: usize) -> P::Move {
    position.move_of(action).unwrap_or_else(|| unreachable!("action {action} was played"))
}

/// Returns every position of a game, from its start to its end.
fn positions<P: Position>(start: &P, actions: &[usize]) -> Vec<P> {
    let mut positions = vec![start.clone()];
    for (ply, &action) in actions.iter().enumerate() {
        positions.push(positions[ply].after_unchecked(played(start, action)));
    }
    positions
}

impl Record {
    fn words(&self) -> Vec<String> {
        with_position!(&self.start, start => {
            self.actions.iter().map(|&action| played(start, action).to_string()).collect()
        })
    }

    /// Returns the line of text, or `None` for a game that did not start from the beginning, which has none.
    fn line(&self) -> Option<String> {
        let mut line = with_position!(&self.start, start => header(start))?;
        for word in self.words() {
            line.push(' ');
            line.push_str(&word);
        }
        Some(line)
    }
}

/// Returns a game's name and parameters and a colon, if the position is the one they stand for.
fn header<P: Position>(start: &P) -> Option<String> {
    let parameters = start.parameters();
    let space = if parameters.is_empty() { "" } else { " " };
    let begins = P::from_parameters(&parameters).is_ok_and(|beginning| beginning == *start);
    begins.then(|| format!("{}{space}{parameters}:", P::NAME))
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (position, moves=Given(None)), text_signature = "(position, moves=())")]
    fn new(position: &Bound<'_, PyAny>, moves: Given<'_>) -> PyResult<Self> {
        let py = position.py();
        let start = any_position(position)?;
        if let Some(text) = moves.0.as_ref().filter(|moves| moves.is_instance_of::<PyString>()) {
            return Err(type_error("a list of moves", text));
        }
        let moves = moves.0.map(|moves| moves.try_iter()).transpose()?.into_iter().flatten();
        let moves = moves.map(|given| given.map(Bound::unbind));
        let (actions, last) = with_position!(&start, start => {
            let (actions, last) = replay(start, 0, moves, py)?;
            (actions, AnyPosition::from(last))
        });
        Ok(Record { start, actions, last })
    }

    /// Reads the one line of text of a game, such as 'reversi 8 8: d4 e4 e5 d5 e3'.
    ///
    /// Raises ParseError or, for a move against the rules, IllegalMove; both name the ply.
    #[staticmethod]
    #[pyo3(signature = (text))]
    fn from_text(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = self::text(text);
        let header = text.split(':').next().unwrap_or_default();
        let (name, parameters) = header.split_once(' ').unwrap_or((header, ""));
        let start = AnyPosition::start(name.parse::<Game>().or_raise()?, parameters).or_raise()?;
        with_position!(&start, start => parse(start, &text))
    }

    /// The game as one line of text: the game, its parameters, a colon, the moves.
    ///
    /// Raises ValueError for a record that starts in the middle of a game, which no such line can say.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.line().ok_or_else(|| {
            let start = with_position!(&self.start, start => start.text());
            ParseError::new_err(format!("no record starts from {start:?}: expected the beginning of a game"))
        })
    }

    /// The moves in their notation.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.words())
    }

    /// Every position of the game, from the start to the last, one more than there are moves.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let positions: Vec<_> = with_position!(&self.start, start => {
            positions(start, &self.actions).into_iter().map(|position| position.wrap(py)).collect::<PyResult<_>>()
        })?;
        PyList::new(py, positions)
    }

    /// The position that the game started from.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.start.clone())
    }

    /// The position after the last move.
    #[getter]
    fn last(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        wrap(py, self.last.clone())
    }

    /// How the game ended, or None if it goes on.
    #[getter]
    fn outcome(&self) -> Option<crate::outcome::Outcome> {
        with_position!(&self.last, last => last.outcome()).map(Into::into)
    }

    /// Returns a record with one move more, given as notation or as an action.
    ///
    /// Raises IllegalMove, which names the ply.
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let moves = std::iter::once(Ok(r#move.clone().unbind()));
        let (more, last) = with_position!(&self.last, last => {
            let (more, last) = replay(last, self.actions.len(), moves, r#move.py())?;
            (more, AnyPosition::from(last))
        });
        let actions = [self.actions.as_slice(), &more].concat();
        Ok(Record { start: self.start.clone(), actions, last })
    }

    /// Plays the game again: returns pairs of a move and the position it led to.
    ///
    /// >>> for move, position in petteia.Record.from_text("tictac X: B2 C2").replay():
    /// ...     print(move, position.text)
    /// B2 ___/_X_/___ O
    /// C2 ___/_X_/_O_ X
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let positions = self.positions(py)?;
        let pairs = self.words().into_iter().zip(positions.iter().skip(1));
        let pairs =
            pairs.map(|pair| pair.into_pyobject(py)).collect::<PyResult<Vec<Bound<'py, PyTuple>>>>()?;
        Ok(PyList::new(py, pairs)?.try_iter()?.into_any())
    }

    /// Says which game a record is of, for type checkers: Record[Reversi].
    #[classmethod]
    fn __class_getitem__<'py>(
        class: &Bound<'py, PyType>,
        game: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("types")?.getattr("GenericAlias")?.call1((class, game))
    }

    fn __len__(&self) -> usize {
        self.actions.len()
    }

    fn __str__(&self) -> String {
        self.line().unwrap_or_else(|| self.__repr__())
    }

    fn __repr__(&self) -> String {
        match self.line() {
            Some(line) => format!("petteia.Record.from_text('{line}')"),
            None => {
                let (class, text) = with_position!(&self.start, start => (class_name(start), start.text()));
                format!("petteia.Record(petteia.{class}.from_text('{text}'), {:?})", self.words())
            }
        }
    }

    /// The pictures that notebooks show, with a slider to step through them.
    fn _repr_html_(&self) -> String {
        let frames = with_position!(&self.start, start => frames(start, &self.actions));
        let (first, last) = (self.actions.len() + 1 - frames.len(), self.actions.len());
        // Each step shows one child and hides the others; no ids are needed, so that two records can share a page.
        let step = format!(
            "let f=this.closest('div').children;for(let i=1;i<f.length;i++)f[i].hidden=i-1+{first}!=this.value"
        );
        let mut html = format!(
            "<div><label>ply <input type=\"range\" min=\"{first}\" max=\"{last}\" value=\"{last}\" \
             oninput=\"{step};this.nextElementSibling.value=this.value\"> <output>{last}</output></label>\n"
        );
        for (ply, (words, picture)) in (first..).zip(frames) {
            let hidden = if ply == last { "" } else { " hidden" };
            // Writing to a string cannot fail.
            let _ = write!(html, "<figure{hidden}>\n{picture}<figcaption>{words}</figcaption>\n</figure>\n");
        }
        html.push_str("</div>\n");
        html
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, Bound<'py, PyTuple>>> {
        let (py, record) = (slf.py(), slf.get());
        let arguments = (record.start(py)?, record.moves(py)?).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments))
    }
}

/// Returns the name of a position's class.
fn class_name<P: Wrap>(_: &P) -> &'static str {
    P::NAME_IN_PYTHON
}

/// The most pictures that a record shows: the last ones of a longer game.
const MOST_FRAMES: usize = 256;

/// Returns what each ply was and the picture after it, with the move marked.
fn frames<P: Position>(start: &P, actions: &[usize]) -> Vec<(String, String)> {
    let positions = positions(start, actions);
    let last = std::iter::once(None).chain(actions.iter().map(|&action| Some(played(start, action))));
    let frames = positions.iter().zip(last).enumerate().map(|(ply, (position, last))| {
        let words = last.map_or("the start".to_owned(), |last| format!("{ply}. {last}"));
        (words, position.svg(&Marks { last, ..Marks::default() }))
    });
    frames.skip(positions.len().saturating_sub(MOST_FRAMES)).collect()
}
