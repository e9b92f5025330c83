//! Game records.

use std::ops::Range;

use petteia::any::Game;
use petteia::{Headers, Position, or_no_memory, read_headers, with_game};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{
    PyDict, PyIterator, PyList, PyMapping, PyMappingProxy, PySlice, PyString, PyTuple, PyType,
};

use crate::arguments::{Given, Integer, elements, named_text, text, type_error};
use crate::errors::{OrRaise, Raise, illegal, out_of_range};
use crate::games::{PyPosition, with_py_position};
use crate::own::{OwnMove, OwnPosition};
use crate::position::{Rebuild, Wrap, move_to_play, pictured};

/// A position whose games can be recorded.
trait Recorded: Position {
    /// Returns the position as a Python object.
    fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// Reads a move to play.
    fn read_move(&self, given: &Bound<'_, PyAny>) -> PyResult<Self::Move>;

    /// Returns the text of a record, or raises an exception if it has none.
    fn line(record: &petteia::Record<Self>) -> PyResult<String>;

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

    fn line(record: &petteia::Record<P>) -> PyResult<String> {
        or_no_memory(|| record.to_string()).or_raise()
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

    fn line(record: &petteia::Record<OwnPosition>) -> PyResult<String> {
        let start = record.start();
        let name = start.name();
        let text = Python::attach(|py| start.line(py))?.ok_or_else(|| {
            PyTypeError::new_err(format!("{name} has no text: expected one for records to begin with"))
        })?;
        if text.is_empty() || text.contains(['\n', '\r']) {
            let message = format!("{name}.text is {text:?}: expected one line for records to begin with");
            return Err(PyValueError::new_err(message));
        }
        let mut line = format!("{}{name} {text}:", record.headers());
        for word in record.moves().iter().map(|m| m.to_string()) {
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

/// A game from some position on: the moves played, each checked.
///
/// It is a sequence of its moves: a slice is the record of these moves, which starts from the position before them. It
/// can be written as one line of text and read back, also with headers that say what else is known of the game.
///
/// >>> record = petteia.Record.from_text("tictac X: B2 C2 C3")
/// >>> record.moves
/// ['B2', 'C2', 'C3']
/// >>> record.last.text
/// '___/_X_/_OX O'
/// >>> record.play("A1").text
/// 'tictac X: B2 C2 C3 A1'
/// >>> record[-1], record[:2].text, record[1:].text
/// ('C3', 'tictac X: B2 C2', 'tictac X from ___/_X_/___ O: C2 C3')
/// >>> record.undo().with_headers(first="Ada", second="Bob").text
/// '[first "Ada"] [second "Bob"] tictac X: B2 C2'
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

/// Returns the record of some of the moves.
fn part<P: Recorded>(record: &petteia::Record<P>, plies: Range<usize>) -> PyResult<Record>
where
    AnyRecord: From<petteia::Record<P>>,
{
    let part = or_no_memory(|| record.part(plies)).or_raise()?;
    part.last().check()?;
    Ok(Record(part.into()))
}

/// Sets headers from a mapping; None removes one if that is allowed.
fn set_headers(headers: &mut Headers, given: &Bound<'_, PyMapping>, may_remove: bool) -> PyResult<()> {
    for item in given.items()? {
        let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name = name.cast::<PyString>().map_err(|_| type_error("the name of a header as a str", &name))?;
        let name = text(whole_text(name)?);
        if may_remove && value.is_none() {
            headers.remove(&name);
            continue;
        }
        let value = value.cast::<PyString>().map_err(|_| {
            let kind = if may_remove { "a str or None" } else { "a str" };
            type_error(&format!("the header {name:?} as {kind}"), &value)
        })?;
        headers.set(&name, &text(whole_text(value)?)).or_raise()?;
    }
    Ok(())
}

/// Returns a str that can be written, or raises a ValueError.
fn whole_text<'a, 'py>(given: &'a Bound<'py, PyString>) -> PyResult<&'a Bound<'py, PyString>> {
    match given.to_str() {
        Ok(_) => Ok(given),
        Err(_) => {
            let shown = given.repr()?;
            Err(PyValueError::new_err(format!(
                "invalid header {shown}: expected text without a lone surrogate"
            )))
        }
    }
}

/// Reads a record of one of petteia's games.
fn parse(text: &str) -> PyResult<AnyRecord> {
    let (_, name, _) = read_headers(text).or_raise()?;
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
    let (headers, _, game) = read_headers(text).or_raise()?;
    let (head, moves) = game.rsplit_once(':').ok_or_else(|| error("a colon between position and moves"))?;
    let line = head.strip_prefix(&name).and_then(|rest| rest.strip_prefix(' '));
    let line =
        line.ok_or_else(|| error(&format!("the game's name, {name}, and the position it starts from")))?;
    let start = PyPosition::read(&read.call1((line,))?)?;
    let words: Vec<_> = match moves {
        "" => Vec::new(),
        _ => moves.strip_prefix(' ').ok_or_else(|| error("a space after the colon"))?.split(' ').collect(),
    };
    let words = words.into_iter().map(|word| Ok(PyString::new(class.py(), word).into_any()));
    with_py_position!(start, start => {
        let mut record = begun(start)?;
        *record.headers_mut() = headers;
        Ok(extend(&record, words)?.into())
    })
}

impl Record {
    fn words(&self) -> Vec<String> {
        with_record!(&self.0, record => record.moves().iter().map(|m| m.to_string()).collect())
    }

    /// Returns the line of text, or raises an exception if there is none.
    fn line(&self) -> PyResult<String> {
        with_record!(&self.0, record => Recorded::line(record))
    }

    fn known_headers(&self) -> &Headers {
        with_record!(&self.0, record => record.headers())
    }

    fn headers_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        self.known_headers().iter().try_for_each(|(name, value)| headers.set_item(name, value))?;
        Ok(headers)
    }

    /// Returns the record if it is one of Reversi.
    fn of_reversi(&self) -> PyResult<&petteia::Record<petteia::Reversi>> {
        match &self.0 {
            AnyRecord::Reversi(record) => Ok(record),
            other => {
                let name = with_record!(other, record => record.start().name().to_owned());
                Err(PyTypeError::new_err(format!("GGF and PGN are for records of reversi, not of {name}")))
            }
        }
    }
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (position, moves=Given(None), headers=None))]
    #[pyo3(text_signature = "(position, moves=(), headers=None)")]
    fn new(
        position: &Bound<'_, PyAny>,
        moves: Given<'_>,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let start = PyPosition::read(position)?;
        let listed = moves.0.as_ref().map(|moves| elements("moves as a list of moves", moves));
        let moves = listed.transpose()?.into_iter().flatten();
        let mut known = Headers::default();
        if let Some(given) = headers {
            let mapping = given.cast::<PyMapping>();
            let mapping = mapping.map_err(|_| type_error("headers as a mapping of str to str", given))?;
            set_headers(&mut known, mapping, false)?;
        }
        with_py_position!(start, start => {
            let mut record = begun(start)?;
            *record.headers_mut() = known;
            Ok(Record(extend(&record, moves)?.into()))
        })
    }

    /// Reads a record from its line of text, such as 'reversi 8 8: d4 e4 e5 d5 e3', with or without its newline.
    ///
    /// For your own game, game is its class, whose from_text reads the starting position.
    ///
    /// Raises ParseError or, for an illegal move, IllegalMove; both name the ply.
    #[staticmethod]
    #[pyo3(signature = (text, game=None))]
    fn from_text(text: &Bound<'_, PyAny>, game: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let text = self::text(named_text("text", text)?);
        match game {
            None => parse(&text).map(Record),
            Some(class) => parse_own(class, &text).map(Record),
        }
    }

    /// The record as one line of text: the headers, the game, its parameters, a colon and the moves.
    ///
    /// If the record does not start where the game does, "from" and the text of the starting position come before the
    /// colon. For your own game, the name of its class and the text of the starting position do.
    ///
    /// Raises TypeError for your own game if it has no text.
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

    /// Returns the record without its last move.
    ///
    /// Raises ValueError if there is no move.
    fn undo(&self) -> PyResult<Self> {
        let kept = self.__len__().checked_sub(1);
        let kept = kept.ok_or_else(|| PyValueError::new_err("nothing to undo: the record has no moves"))?;
        with_record!(&self.0, record => part(record, 0..kept))
    }

    /// What is known of the game besides its moves, such as its players: texts by name. It cannot be changed.
    ///
    /// Names are lower-case words, such as first, second, date and result. petteia does not check the texts against the
    /// game: a result is what somebody wrote.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        Ok(PyMappingProxy::new(py, self.headers_dict(py)?.as_mapping()))
    }

    /// Returns the record with more or other headers, without those that are None.
    ///
    /// >>> record = petteia.Record(petteia.Reversi.othello(), ["d3"], {"date": "1971"})
    /// >>> record.with_headers(date=None, first="Ada").headers["first"]
    /// 'Ada'
    ///
    /// Raises ValueError for a name that is no lower-case word, for a text with a newline or another control character,
    /// or if either is too long.
    #[pyo3(signature = (**headers), text_signature = "($self, **headers)")]
    fn with_headers(&self, headers: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        with_record!(&self.0, record => {
            let mut record = or_no_memory(|| record.clone()).or_raise()?;
            if let Some(given) = headers {
                set_headers(record.headers_mut(), given.as_mapping(), true)?;
            }
            Ok(Record(record.into()))
        })
    }

    /// Reads a game of Othello in GGF, the Generic Game Format, as a record of Reversi.
    ///
    /// Its tags become headers: PB first, PW second, DT date, PC place, RE result, TI time, RB first-rating, RW
    /// second-rating, and so on. Passes, and the values and times of moves, are left out.
    ///
    /// >>> game = "(;GM[Othello]PB[Ada]PW[Bob]RE[?]TY[4]BO[4 ---- -O*- -*O- ---- *]B[a2//1.5]W[a1];)"
    /// >>> petteia.Record.from_ggf(game).text
    /// '[first "Ada"] [second "Bob"] reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1'
    ///
    /// Raises ParseError for a text that is not one game of Othello, and IllegalMove, which names the ply without
    /// counting passes.
    #[staticmethod]
    #[pyo3(signature = (text))]
    fn from_ggf(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = self::text(named_text("text", text)?);
        Ok(Record(petteia::Record::from_ggf(&text).or_raise()?.into()))
    }

    /// Returns a record of Reversi in GGF, the Generic Game Format of Othello programs, on one line.
    ///
    /// Othello has no opening phase, so the first position is that in which the four centre squares are occupied. Headers
    /// become tags as in from_ggf; others are left out.
    ///
    /// Raises ValueError for what GGF cannot say: a board that is not square, a game that is still in the opening, a
    /// header with a closing bracket. Raises TypeError for other games.
    fn to_ggf(&self) -> PyResult<String> {
        self.of_reversi()?.to_ggf().or_raise()
    }

    /// Returns a record of Reversi in the manner of PGN: tags in brackets, then the moves with their numbers.
    ///
    /// Black is Dark, so the result is 1-0 if Dark won. The first position is that of to_ggf; if it is not the start of
    /// 8x8 Othello, the tag Position has its text. A pass is written pass.
    ///
    /// >>> record = petteia.Record(petteia.Reversi.othello(), ["d3", "c5"], {"first": "Ada"})
    /// >>> print(record.to_pgn(), end="")
    /// [Event "?"]
    /// [Site "?"]
    /// [Date "?"]
    /// [Round "?"]
    /// [Black "Ada"]
    /// [White "?"]
    /// [Result "*"]
    /// <BLANKLINE>
    /// 1. d3 c5 *
    ///
    /// Raises ValueError for a game that is still in the opening, and TypeError for other games.
    fn to_pgn(&self) -> PyResult<String> {
        self.of_reversi()?.to_pgn().or_raise()
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

    /// Returns a move, or for a slice the record of these moves.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.__len__();
        if let Ok(slice) = key.cast::<PySlice>() {
            let found = slice.indices(length as isize)?;
            if found.step != 1 {
                return Err(out_of_range(
                    "step",
                    found.step,
                    "1, since the moves of a record follow each other",
                ));
            }
            let (start, stop) = (found.start as usize, found.stop.max(found.start) as usize);
            let part = with_record!(&self.0, record => part(record, start..stop))?;
            return Ok(part.into_pyobject(py)?.into_any());
        }
        let index = Integer::of(key).map_err(|error| match error.is_instance_of::<PyTypeError>(py) {
            true => type_error("the index of a move, or a slice", key),
            false => error,
        })?;
        let place = match index {
            Integer::Small(index @ ..0) => usize::try_from(index + length as i64).ok(),
            _ => index.index(),
        };
        let word = place
            .filter(|&place| place < length)
            .map(|place| with_record!(&self.0, record => record.moves()[place].to_string()));
        let word = word.ok_or_else(|| {
            PyIndexError::new_err(match length {
                0 => format!("no move {index}: the record has none"),
                _ => format!("no move {index}: expected {} to {}", -(length as i64), length - 1),
            })
        })?;
        Ok(PyString::new(py, &word).into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.moves(py)?.try_iter()
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let moves = self.moves(py)?;
        moves.reverse()?;
        moves.try_iter()
    }

    fn __contains__(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.moves(r#move.py())?.contains(r#move)
    }

    /// Returns the place of the first such move, counted from 0.
    ///
    /// Raises ValueError if there is none from start on and before stop.
    #[pyo3(signature = (r#move, start=0, stop=isize::MAX))]
    #[pyo3(text_signature = "($self, move, start=0, stop=sys.maxsize)")]
    fn index(&self, r#move: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let py = r#move.py();
        let found = self.moves(py)?.call_method1("index", (r#move, start, stop));
        let found = found.map_err(|error| match error.is_instance_of::<PyValueError>(py) {
            true => match r#move.repr() {
                Ok(shown) => PyValueError::new_err(format!("{shown} is not among these moves of the record")),
                Err(error) => error,
            },
            false => error,
        })?;
        found.extract()
    }

    /// Returns how often a move was played.
    #[pyo3(signature = (r#move))]
    fn count(&self, r#move: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.moves(r#move.py())?.call_method1("count", (r#move,))?.extract()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.line().or_else(|_| self.__repr__(py))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = |object: Bound<'_, PyAny>| PyResult::Ok(object.repr()?.to_string_lossy().into_owned());
        if let (false, Ok(line)) = (matches!(self.0, AnyRecord::Own(_)), self.line()) {
            return Ok(format!("petteia.Record.from_text({})", shown(PyString::new(py, &line).into_any())?));
        }
        let start = shown(self.start(py)?.into_bound(py))?;
        let headers = match self.known_headers().is_empty() {
            true => String::new(),
            false => format!(", {}", shown(self.headers_dict(py)?.into_any())?),
        };
        Ok(format!("petteia.Record({start}, {:?}{headers})", self.words()))
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
        let arguments = (record.start(py)?, record.moves(py)?, record.headers_dict(py)?).into_pyobject(py)?;
        Ok((slf.get_type().into_any(), arguments))
    }
}
