//! TicTac: its positions, and its document's game records.

use std::borrow::Cow;

use petteia::Position;
use petteia::tictac::{self, Mark, Square, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::arguments::{Integer, named_text, number_in, text, type_error};
use crate::arrays;
use crate::errors::{InvalidMove, OrRaise, Raise, out_of_range, set_fields};
use crate::position::{Rebuild, position_class};

position_class! {
    /// A position of TicTac: tic-tac-toe in which X or O may begin.
    ///
    /// Squares are written row first: B2 is the centre. Actions are 0 to 8, row by row.
    ///
    /// >>> game = petteia.TicTac().play("B2").play("A1")
    /// >>> game.text
    /// 'O__/_X_/___ X'
    /// >>> print(game)
    ///    1   2   3
    /// A  O |   |
    ///   ---+---+---
    /// B    | X |
    ///   ---+---+---
    /// C    |   |
    /// <BLANKLINE>
    ///
    /// An observation has two planes of 3 by 3.
    TicTac "(first='X')" {
        /// The mark of the player who began, X or O.
        #[getter]
        fn first(&self) -> &'static str {
            self.0.marks()[0].name()
        }

        /// The marks of each player, first player first.
        #[getter]
        fn count(&self) -> PyResult<(usize, usize)> {
            crate::position::count(&self.0).map(Into::into)
        }

        /// The squares of the winning lines, as (row, column), row by row; empty if nobody has won.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_squares().map(|square| (square.row(), square.column())).collect()
        }
    }
}

/// One line of a game record: the number of the move, the player and the square.
///
/// >>> move = petteia.tictac.parse_move("2  o c2 # oops")
/// >>> move.number, move.player, move.square
/// (2, 'O', 'C2')
/// >>> str(move)
/// '2 O C2'
#[pyclass(frozen, eq, hash, module = "petteia.tictac")]
#[derive(PartialEq, Eq, Hash)]
pub struct Move(tictac::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(number: Integer, player: &Bound<'_, PyAny>, square: &Bound<'_, PyAny>) -> PyResult<Self> {
        let number = number_in("number", number, 1..=9)? as u8;
        let (player, square) = (named_text("player", player)?, named_text("square", square)?);
        let player = text(player).parse::<Mark>().or_raise()?;
        let square = text(square).parse::<Square>().or_raise()?;
        let known = tictac::Move::new(number, player, square);
        known.map(Move).ok_or_else(|| out_of_range("number", number, "1 to 9"))
    }

    /// The number of the move in its game, from 1 to 9.
    #[getter]
    fn number(&self) -> u8 {
        self.0.number()
    }

    /// The player who moves, X or O.
    #[getter]
    fn player(&self) -> &'static str {
        self.0.player().name()
    }

    /// The claimed square, A1 to C3.
    #[getter]
    fn square(&self) -> String {
        self.0.square().to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.tictac.Move({}, '{}', '{}')", self.number(), self.player(), self.square())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, (u8, &'static str, String)> {
        let line = slf.get();
        (slf.get_type().into_any(), (line.number(), line.player(), line.square()))
    }
}

/// Returns the bytes of a str or bytes object.
fn bytes<'a>(what: &str, given: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = given.cast::<PyString>() {
        Ok(match self::text(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        })
    } else if let Ok(bytes) = given.cast::<PyBytes>() {
        Ok(Cow::Borrowed(bytes.as_bytes()))
    } else {
        Err(type_error(&format!("{what} as a str or bytes"), given))
    }
}

/// Reads one line of a game record, with or without its newline.
///
/// Raises ParseError if it does not follow the format exactly.
///
/// >>> petteia.tictac.parse_move("1 X B2")
/// petteia.tictac.Move(1, 'X', 'B2')
#[pyfunction]
#[pyo3(signature = (line))]
pub fn parse_move(line: &Bound<'_, PyAny>) -> PyResult<Move> {
    tictac::Move::parse(&bytes("line", line)?).or_raise().map(Move)
}

/// Evaluates a whole game record, and returns the line that says how the game stands.
///
/// Raises ParseError for a malformed line and InvalidMove for an illegal move.
///
/// >>> petteia.tictac.evaluate("1 X B2\n2 O C2 # oops\n")
/// "Game in progress: X's turn."
/// >>> petteia.tictac.evaluate("1 X B2\n2 O B2\n")
/// Traceback (most recent call last):
/// petteia.InvalidMove: ply 2: illegal move "2 O B2" in tictac "___/_X_/___ O": B2 is taken; the legal moves are A1 A2 A3 B1 B3 C1 C2 C3
#[pyfunction]
#[pyo3(signature = (text))]
pub fn evaluate(text: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let record = bytes("text", text)?;
    match tictac::evaluate(&record) {
        Verdict::ParseError | Verdict::InvalidMove => Err(explain(&record)),
        verdict => Ok(verdict.line()),
    }
}

/// Returns the exception for a record with a bad line, found by playing the game up to it.
fn explain(record: &[u8]) -> PyErr {
    let mut game = None;
    for (ply, line) in (1..).zip(record.split(|&byte| byte == b'\n')) {
        let m = match tictac::Move::parse(line) {
            Ok(m) => m,
            Err(error) => return error.at_ply(ply).raise(),
        };
        let position = game.get_or_insert(petteia::TicTac::new(m.player()));
        let mut faults = Vec::new();
        if ply != usize::from(m.number()) {
            faults.push(format!("the number should be {ply}"));
        }
        match position.turn().map(|player| position.marks()[player.index()]) {
            Some(next) if next != m.player() => faults.push(format!("it is {next}'s turn")),
            _ => {}
        }
        let taken = position.get(m.square()).is_some();
        if taken {
            faults.push(format!("{} is taken", m.square()));
        }
        if position.is_over() || !faults.is_empty() {
            let mut error = petteia::IllegalMove::new(position, &m).at_ply(ply);
            // Other squares help only if nothing else is wrong.
            let legal =
                if taken && faults.len() == 1 { format!("; {}", error.reason()) } else { String::new() };
            error = error.because(format_args!("{}{legal}", listed(&faults)));
            let raised = InvalidMove::new_err(error.to_string());
            set_fields(&raised, &error);
            return raised;
        }
        position.play_unchecked(m.square());
    }
    unreachable!("the record has no bad line")
}

/// Returns faults as a list in a sentence.
fn listed(faults: &[String]) -> String {
    match faults {
        [] => String::new(),
        [fault] => fault.clone(),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// Evaluates many game records, each a str or bytes, and returns their Verdicts as a numpy array of uint8.
///
/// >>> verdicts = petteia.tictac.evaluate_many(["1 X B2\n", "", b"1 X D4\n"])
/// >>> [petteia.tictac.Verdict(verdict).name for verdict in verdicts]
/// ['O_TURN', 'NEW_GAME', 'PARSE_ERROR']
#[pyfunction]
#[pyo3(signature = (records))]
pub fn evaluate_many(records: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let wrong = || type_error("records as a list of str or bytes", records);
    if bytes("records", records).is_ok() {
        return Err(wrong());
    }
    let mut verdicts = Vec::with_capacity(records.len().unwrap_or(0));
    for record in records.try_iter().map_err(|_| wrong())? {
        verdicts.push(tictac::evaluate(&bytes("each of records", &record?)?) as u8);
        if verdicts.len() % 4096 == 0 {
            records.py().check_signals()?;
        }
    }
    arrays::over(&PyByteArray::new(records.py(), &verdicts), "uint8").map(Bound::unbind)
}
