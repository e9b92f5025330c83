//! Game records.

use petteia::any::Game;
use petteia::{Position, or_no_memory, with_game};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use crate::arguments::{Given, text, type_error};
use crate::errors::{OrRaise, Raise, illegal};
use crate::games::{PyPosition, with_py_position};
use crate::own::{OwnMove, OwnPosition};
use crate::position::{Rebuild, Wrap, move_to_play, pictured};

/// A position whose games can be recorded.
trait Recorded: Position {
    /// Returns the position as a Python object.
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// Reads a move to play.
    fn read_move(&self, given: &Bound<'_, PyAny>) -> PyResult<Self::Move>;

    /// Returns the text of a record that starts here up to the colon, or raises an exception if it has none.
    fn header(&self) -> PyResult<String>;

    /// Raises the exception that a user-defined game has raised meanwhile, if any.
    fn check(&self) -> PyResult<()>;
}

impl<P: Wrap> Recorded for P {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        or_no_memory(|| self.clone()).or_raise()?.wrap(py)
    }

    fn read_move(&self, given: &Bound<'_, PyAny>) -> PyResult<P::Move> {
        move_to_play(self, given)
    }

    fn header(&self) -> PyResult<String> {
        if P::start(&self.values()).as_ref() != Ok(self) {
            let start = self.to_string();
            let message = format!("a record cannot start from {start:?}: expected the beginning of a game");
            return Err(PyValueError::new_err(message));
        }
        let parameters = self.parameters();
        let space = if parameters.is_empty() { "" } else { " " };
        Ok(format!("{}{space}{parameters}", P::NAME))
    }

    fn check(&self) -> PyResult<()> {
        Ok(())
    }
}

impl Recorded for OwnPosition {
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.object(py)
    }

    fn read_move(&self, given: &Bound<'_, PyAny>) -> PyResult<OwnMove> {
        let notation = given.cast::<PyString>().map_err(|_| type_error("a move as a str", given))?;
        text(notation).parse().map_err(Raise::raise)
    }

    fn header(&self) -> PyResult<String> {
        let line = Python::attach(|py| self.line(py))?.ok_or_else(|| {
            let message = format!("{} has no text: expected one for records to begin with", self.name());
            PyTypeError::new_err(message)
        })?;
        if line.is_empty() || line.contains(['\n', '\r']) {
            let message =
                format!("{}.text is {line:?}: expected one line for records to begin with", self.name());
            return Err(PyValueError::new_err(message));
        }
        Ok(format!("{} {line}", self.name()))
    }

    fn check(&self) -> PyResult<()> {
        OwnPosition::check(self)
    }
}

macro_rules! declare_record {
    ([$($game:ident)*]) => {
        /// A record of any game, petteia's or user-defined.
        #[derive(PartialEq, Eq, Hash)]
        enum AnyRecord {
            $($game(petteia::Record<petteia::$game>),)*
            Own(petteia::Record<OwnPosition>),
        }

        $(impl From<petteia::Record<petteia::$game>> for AnyRecord {
            fn from(record: petteia::Record<petteia::$game>) -> Self {
                AnyRecord::$game(record)
            }
        })*
    };
}

petteia::games!([declare_record]);

impl From<petteia::Record<OwnPosition>> for AnyRecord {
    fn from(record: petteia::Record<OwnPosition>) -> Self {
        AnyRecord::Own(record)
    }
}

/// Evaluates an expression for a record of any game.
macro_rules! with_record {
    ($any:expr, $record:ident => $body:expr) => {
        petteia::games!([match_record] ($any) $record ($body))
    };
}

macro_rules! match_record {
    ([$($game:ident)*] ($any:expr) $record:ident ($body:expr)) => {
        match $any {
            $(AnyRecord::$game($record) => $body,)*
            AnyRecord::Own($record) => $body,
        }
    };
}

/// A game from its starting position: the moves played, each checked.
///
/// It can be written as one line of text and read back.
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
pub struct Record(AnyRecord);

/// Returns a record without moves.
fn begun<P: Position>(start: P) -> PyResult<petteia::Record<P>> {
    or_no_memory(|| petteia::Record::new(start)).or_raise()
}

/// Returns the record with more moves; the error for an illegal one names its ply.
fn extend<'py, P: Recorded>(
    record: &petteia::Record<P>,
    moves: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<petteia::Record<P>> {
    let mut record = or_no_memory(|| record.clone()).or_raise()?;
    for given in moves {
        let given = given?;
        let ply = record.moves().len() + 1;
        let refused = |error: petteia::IllegalMove| illegal(error, &given);
        let m = match record.last().read_move(&given) {
            Ok(m) => m,
            // A move that cannot be read is illegal too.
            Err(error) if error.is_instance_of::<crate::errors::IllegalMove>(given.py()) => {
                let shown = given.str()?.to_string_lossy().into_owned();
                return Err(refused(petteia::IllegalMove::new(record.last(), &shown).at_ply(ply)));
            }
            Err(error) => return Err(error),
        };
        or_no_memory(|| record.play(m)).or_raise()?.map_err(refused)?;
        record.last().check()?;
    }
    Ok(record)
}

/// Reads a record of one of petteia's games.
fn parse(text: &str) -> PyResult<AnyRecord> {
    let header = text.split_once(':').map_or(text, |(header, _)| header);
    let name = header.split_once(' ').map_or(header, |(name, _)| name);
    let game = name.parse::<Game>().or_raise()?;
    Ok(with_game!(game, G => text.parse::<petteia::Record<G>>().or_raise()?.into()))
}

/// Reads a record of a user-defined game, whose class reads the starting position.
fn parse_own(class: &Bound<'_, PyAny>, text: &str) -> PyResult<AnyRecord> {
    let name = class.cast::<PyType>().map_err(|_| type_error("game as a class", class))?.name()?.to_string();
    let read = class.getattr_opt("from_text")?.ok_or_else(|| {
        PyTypeError::new_err(format!("{name} has no from_text: expected a class that reads its own text"))
    })?;
    let error = |expected: &str| petteia::ParseError::new("record", text, expected).raise();
    let (header, moves) = text.rsplit_once(':').ok_or_else(|| error("a colon between position and moves"))?;
    let line = header.strip_prefix(&name).and_then(|rest| rest.strip_prefix(' '));
    let line =
        line.ok_or_else(|| error(&format!("the game's name, {name}, and the position it starts from")))?;
    let start = PyPosition::read(&read.call1((line,))?)?;
    let words: Vec<_> = match moves {
        "" => Vec::new(),
        _ => moves.strip_prefix(' ').ok_or_else(|| error("a space after the colon"))?.split(' ').collect(),
    };
    let words = words.into_iter().map(|word| Ok(PyString::new(class.py(), word).into_any()));
    with_py_position!(start, start => Ok(extend(&begun(start)?, words)?.into()))
}

impl Record {
    fn words(&self) -> Vec<String> {
        with_record!(&self.0, record => record.moves().iter().map(|m| m.to_string()).collect())
    }

    /// Returns the line of text, or raises an exception if there is none.
    fn line(&self) -> PyResult<String> {
        let mut line = with_record!(&self.0, record => record.start().header())? + ":";
        for word in self.words() {
            // The moves of petteia's games never contain these.
            if word.is_empty() || word.contains([' ', ':', '\n', '\r']) {
                let message = format!(
                    "a record cannot contain the move {word:?}: expected one without spaces or colons"
                );
                return Err(PyValueError::new_err(message));
            }
            line.push(' ');
            line.push_str(&word);
        }
        Ok(line)
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (position, moves=Given(None)), text_signature = "(position, moves=())")]
    fn new(position: &Bound<'_, PyAny>, moves: Given<'_>) -> PyResult<Self> {
        let start = PyPosition::read(position)?;
        if let Some(text) = moves.0.as_ref().filter(|moves| moves.is_instance_of::<PyString>()) {
            return Err(type_error("a list of moves", text));
        }
        let moves = moves.0.map(|moves| moves.try_iter()).transpose()?.into_iter().flatten();
        with_py_position!(start, start => Ok(Record(extend(&begun(start)?, moves)?.into())))
    }

    /// Reads a record from its line of text, such as 'reversi 8 8: d4 e4 e5 d5 e3'.
    ///
    /// For your own game, game is its class, whose from_text reads the starting position.
    ///
    /// Raises ParseError or, for an illegal move, IllegalMove; both name the ply.
    #[staticmethod]
    #[pyo3(signature = (text, game=None))]
    fn from_text(text: &Bound<'_, PyString>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let text = self::text(text);
        match game {
            None => parse(&text).map(Record),
            Some(class) => parse_own(class, &text).map(Record),
        }
    }

    /// The record as one line of text: the game, its parameters, a colon and the moves.
    ///
    /// For your own game, the name of its class and the text of the starting position come before the colon.
    ///
    /// Raises ValueError for a record that starts in the middle of one of petteia's games, and TypeError for your own
    /// game if it has no text.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.line()
    }

    /// The moves in notation.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.words())
    }

    /// Every position of the game from first to last, one more than there are moves.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        with_record!(&self.0, record => {
            let mut positions = or_no_memory(|| record.positions()).or_raise()?;
            while let Some(position) = or_no_memory(|| positions.next()).or_raise()? {
                list.append(position.to_python(py)?)?;
            }
        });
        Ok(list)
    }

    /// The starting position.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        with_record!(&self.0, record => record.start().to_python(py))
    }

    /// The position after the last move.
    #[getter]
    fn last(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        with_record!(&self.0, record => record.last().to_python(py))
    }

    /// How the game ended, or None if it goes on.
    #[getter]
    fn outcome(&self) -> Option<crate::outcome::Outcome> {
        with_record!(&self.0, record => record.last().outcome()).map(Into::into)
    }

    /// Returns the record with one more move, given as notation or as an action.
    ///
    /// Raises IllegalMove, which names the ply.
    #[pyo3(signature = (r#move))]
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let moves = std::iter::once(Ok(r#move.clone()));
        with_record!(&self.0, record => Ok(Record(extend(record, moves)?.into())))
    }

    /// Iterates over the moves, each with the position it led to.
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

    /// Supports Record[Reversi], for type checkers.
    #[classmethod]
    fn __class_getitem__<'py>(
        class: &Bound<'py, PyType>,
        game: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.py().import("types")?.getattr("GenericAlias")?.call1((class, game))
    }

    fn __len__(&self) -> usize {
        with_record!(&self.0, record => record.moves().len())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.line().or_else(|_| self.__repr__(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        match (&self.0, self.line()) {
            (AnyRecord::Own(_), _) | (_, Err(_)) => {
                let start = self.start(py)?.bind(py).repr()?.to_string_lossy().into_owned();
                Ok(format!("petteia.Record({start}, {:?})", self.words()))
            }
            (_, Ok(line)) => Ok(format!("petteia.Record.from_text('{line}')")),
        }
    }

    /// Returns the game as notebooks show it, with buttons, a slider and keys to step through it.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        pictured("record", slf.as_any())
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
