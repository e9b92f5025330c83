//! Breakdown: its positions, and its document's mutable boards and game.

use petteia::breakdown::rules::{self, GameOutcome};
use petteia::breakdown::{AnyBoard, Board as _, Cell, Kind, Pos, Turn};
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};

use crate::arguments::{self, Given, Integer, pair, size, type_error};
use crate::enums::{BREAKDOWN_OUTCOME, CELL, TURN};
use crate::errors::{OrRaise, out_of_range};
use crate::position::{Rebuild, position_class};

position_class! {
    /// A position of Breakdown: sticks are dropped into an upright board, and a square of one colour wins.
    ///
    /// |4 drops an upright stick into column 4, -B a lying one with its left end in column 11, ! breaks all sticks
    /// down. Columns are 0-9, A-Z, a-z, then numbers from 62. Actions are upright sticks by column, lying ones by
    /// column, then !.
    ///
    /// >>> petteia.Breakdown().play("|0").play("-2").text
    /// '..../..../..../*.../*.oo b 2 2'
    ///
    /// An observation has two planes of height by width.
    Breakdown "(width=4, height=5, stick=2, square=2)" {
        /// The number of columns.
        #[getter]
        fn width(&self) -> u32 {
            self.0.width()
        }

        /// The number of rows.
        #[getter]
        fn height(&self) -> u32 {
            self.0.height()
        }

        /// The length of a stick.
        #[getter]
        fn stick(&self) -> u32 {
            self.0.stick()
        }

        /// The side of a winning square.
        #[getter]
        fn square(&self) -> u32 {
            self.0.square()
        }

        /// The cells of each player, first player first.
        #[getter]
        fn count(&self) -> PyResult<(usize, usize)> {
            crate::position::count(&self.0).map(Into::into)
        }

        /// The cells of all complete squares, as (row, column), row by row.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_cells().into_iter().map(|pos| (pos.r as usize, pos.c as usize)).collect()
        }
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Matrix => "matrix",
        Kind::Bits => "bits",
    }
}

fn read_kind(given: &Given<'_>) -> PyResult<Kind> {
    let given = given.text_or("kind", "matrix")?;
    let kind = [Kind::Matrix, Kind::Bits].into_iter().find(|&kind| kind_name(kind) == given);
    kind.ok_or_else(|| out_of_range("kind", format!("{given:?}"), "matrix or bits"))
}

fn read_turn(given: &Bound<'_, PyAny>) -> PyResult<Turn> {
    Ok([Turn::BlackNext, Turn::WhiteNext][TURN.named_value("next", given)?])
}

/// A mutable board, stored as one cell per element ("matrix") or two bits per cell ("bits").
///
/// >>> board = petteia.breakdown.Board(4, 2, "bits")
/// >>> board[1, 0] = petteia.breakdown.Cell.BLACK
/// >>> board[1, 0]
/// petteia.breakdown.Cell.BLACK
/// >>> print(board)
///   0123
/// <BLANKLINE>
/// 0 ....
/// 1 *...
/// <BLANKLINE>
/// >>> board.bits
/// [256]
#[pyclass(eq, module = "petteia.breakdown")]
#[derive(PartialEq, Eq)]
pub struct Board(AnyBoard);

impl Board {
    fn place(&self, index: &Bound<'_, PyAny>) -> PyResult<Pos> {
        let [r, c] = pair(index)?;
        let (width, height) = (self.0.width(), self.0.height());
        let inside = |index: Option<usize>, limit: u32| {
            index.and_then(|i| u32::try_from(i).ok()).filter(|&i| i < limit)
        };
        match (inside(r.index(), height), inside(c.index(), width)) {
            (Some(r), Some(c)) => Ok(Pos::new(r, c)),
            _ => Err(PyIndexError::new_err(format!(
                "no cell at row {r}, column {c}: expected a row below {height} and a column below {width}"
            ))),
        }
    }

    fn rows(&self) -> Vec<String> {
        let cell = |r, c| self.0.get(Pos::new(r, c)).map_or('.', Cell::symbol);
        (0..self.0.height()).map(|r| (0..self.0.width()).map(|c| cell(r, c)).collect()).collect()
    }
}

/// The class of the list of words, which refuses changes.
static WORDS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (width, height, kind=Given(None)), text_signature = "(width, height, kind='matrix')")]
    fn new(width: Integer, height: Integer, kind: Given<'_>) -> PyResult<Self> {
        let kind = read_kind(&kind)?;
        Ok(Board(AnyBoard::new(size("width", width)?, size("height", height)?, kind).or_raise()?))
    }

    /// Returns a board with the given rows, from the top, as they are drawn.
    ///
    /// >>> petteia.breakdown.Board.from_rows(["....", "*.oo"])[1, 3]
    /// petteia.breakdown.Cell.WHITE
    #[staticmethod]
    #[pyo3(signature = (rows, kind=Given(None)), text_signature = "(rows, kind='matrix')")]
    fn from_rows(rows: &Bound<'_, PyAny>, kind: Given<'_>) -> PyResult<Self> {
        let kind = read_kind(&kind)?;
        let rows = arguments::rows(rows)?;
        let width = rows.first().map_or(0, |row| row.len());
        let sizes = [width, rows.len()].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let mut board = AnyBoard::new(sizes[0], sizes[1], kind).or_raise()?;
        for (r, row) in (0..).zip(&rows) {
            let cells: Option<Vec<Cell>> = row.chars().map(Cell::from_symbol).collect();
            let cells = cells.filter(|cells| cells.len() == width);
            let expected = || format!("{width} cells . * or o");
            let cells = cells.ok_or_else(|| out_of_range("row", format!("{row:?}"), expected()))?;
            for (c, cell) in (0..).zip(cells) {
                on_board(board.set(Pos::new(r, c), cell))?;
            }
        }
        Ok(Board(board))
    }

    /// The number of columns.
    #[getter]
    fn width(&self) -> u32 {
        self.0.width()
    }

    /// The number of rows.
    #[getter]
    fn height(&self) -> u32 {
        self.0.height()
    }

    /// How the board is stored: "matrix" or "bits".
    #[getter]
    fn kind(&self) -> &'static str {
        kind_name(self.0.kind())
    }

    /// The packed words of a bits board: sixteen cells per word, row by row, the first in the lowest bits.
    ///
    /// They are a list that cannot be changed, which would not change the board.
    #[getter]
    fn bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            AnyBoard::Bits(board) => {
                let words = PyList::new(py, board.words())?;
                WORDS.import(py, "petteia.breakdown", "_Words")?.call1((words,))
            }
            AnyBoard::Matrix(_) => Err(PyAttributeError::new_err("a matrix board has no bits")),
        }
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let place = self.place(index)?;
        CELL.member(index.py(), on_board(self.0.get(place))? as usize)
    }

    fn __setitem__(&mut self, index: &Bound<'_, PyAny>, cell: &Bound<'_, PyAny>) -> PyResult<()> {
        let place = self.place(index)?;
        let cell = Cell::from_code(CELL.value(cell)? as u32).expect("every Cell of Python is one of Rust");
        on_board(self.0.set(place, cell))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.breakdown.Board.from_rows({:?}, {:?})", self.rows(), self.kind())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (Vec<String>, &'static str)>> {
        let board = slf.borrow();
        Ok((slf.get_type().getattr("from_rows")?, (board.rows(), board.kind())))
    }
}

/// The arguments of `Game.on_board`.
type OnBoard = (u32, u32, Py<Board>, u8);

/// A game: sticks of one length are dropped into a board until a square of one colour wins.
///
/// The turn is left to the caller: neither drop_stick nor breakdown changes next.
///
/// >>> from petteia.breakdown import Game, Turn
/// >>> game = Game(2, 2, 4, 5, "matrix")
/// >>> game.drop_stick(0, True)
/// True
/// >>> game.next = Turn.WHITE_NEXT
/// >>> game.drop_stick(2, False)
/// True
/// >>> print(game.board)
///   0123
/// <BLANKLINE>
/// 0 ....
/// 1 ....
/// 2 ....
/// 3 *...
/// 4 *.oo
/// <BLANKLINE>
/// >>> game.outcome()
/// petteia.breakdown.Outcome.IN_PROGRESS
#[pyclass(module = "petteia.breakdown")]
pub struct Game {
    stick: u32,
    square: u32,
    board: Py<Board>,
    next: Turn,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (stick, square, width, height, kind=Given(None)))]
    #[pyo3(text_signature = "(stick, square, width, height, kind='matrix')")]
    fn new(
        py: Python<'_>,
        stick: Integer,
        square: Integer,
        width: Integer,
        height: Integer,
        kind: Given<'_>,
    ) -> PyResult<Self> {
        let (stick, square) = (size("stick", stick)?, size("square", square)?);
        let board = Py::new(py, Board::new(width, height, kind)?)?;
        Ok(Game { stick, square, board, next: Turn::BlackNext })
    }

    /// Returns a game on an existing board, which it shares.
    #[staticmethod]
    #[pyo3(signature = (stick, square, board, next=Given(None)))]
    #[pyo3(text_signature = "(stick, square, board, next=petteia.breakdown.Turn.BLACK_NEXT)")]
    fn on_board(stick: Integer, square: Integer, board: Py<Board>, next: Given<'_>) -> PyResult<Self> {
        let (stick, square) = (size("stick", stick)?, size("square", square)?);
        Ok(Game { stick, square, board, next: next.0.as_ref().map_or(Ok(Turn::BlackNext), read_turn)? })
    }

    /// The length of a stick.
    #[getter]
    fn stick(&self) -> u32 {
        self.stick
    }

    /// The side of a winning square.
    #[getter]
    fn square(&self) -> u32 {
        self.square
    }

    /// The board itself, not a copy: writing to it changes the game.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<Board> {
        self.board.clone_ref(py)
    }

    /// Whose stick is dropped next.
    #[getter]
    fn next(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        TURN.member(py, self.next as usize)
    }

    #[setter]
    fn set_next(&mut self, next: &Bound<'_, PyAny>) -> PyResult<()> {
        self.next = read_turn(next)?;
        Ok(())
    }

    /// Drops a stick of the player to move into a column, upright or lying with its left end there.
    ///
    /// Returns whether there was room for it; if not, nothing changes.
    fn drop_stick(&self, py: Python<'_>, col: Integer, vertical: &Bound<'_, PyAny>) -> PyResult<bool> {
        // Any number, as in the document; but "horizontal" is no less true than "vertical".
        if vertical.is_none() || vertical.is_instance_of::<PyString>() {
            return Err(type_error("vertical as True or False", vertical));
        }
        let vertical = vertical.is_truthy()?;
        let Some(col) = col.named("col")?.index().and_then(|col| u32::try_from(col).ok()) else {
            return Ok(false);
        };
        let (board, colour) = (&mut self.board.try_borrow_mut(py)?.0, self.next.cell());
        on_board(match board {
            AnyBoard::Matrix(board) => rules::drop_stick(board, self.stick, col, vertical, colour),
            AnyBoard::Bits(board) => rules::drop_stick(board, self.stick, col, vertical, colour),
        })
    }

    /// Lets every cell with air beneath it fall.
    fn breakdown(&self, py: Python<'_>) -> PyResult<()> {
        on_board(match &mut self.board.try_borrow_mut(py)?.0 {
            AnyBoard::Matrix(board) => rules::breakdown(board),
            AnyBoard::Bits(board) => rules::breakdown(board),
        })
    }

    /// Returns the state of the game.
    fn outcome(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let outcome: GameOutcome = on_board(match &self.board.try_borrow(py)?.0 {
            AnyBoard::Matrix(board) => rules::game_outcome(board, self.stick, self.square),
            AnyBoard::Bits(board) => rules::game_outcome(board, self.stick, self.square),
        })?;
        BREAKDOWN_OUTCOME.member(py, outcome as usize)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<bool> {
        let other = other.try_borrow()?;
        let same_rules = (self.stick, self.square, self.next) == (other.stick, other.square, other.next);
        Ok(same_rules && *self.board.try_borrow(py)? == *other.board.try_borrow(py)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (board, next) = (self.board.bind(py).repr()?, self.next(py)?);
        let (stick, square, next) = (self.stick, self.square, next.bind(py).repr()?);
        Ok(format!("petteia.breakdown.Game.on_board({stick}, {square}, {board}, {next})"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, OnBoard>> {
        let (py, game) = (slf.py(), slf.borrow());
        let arguments = (game.stick, game.square, game.board(py), game.next as u8);
        Ok((slf.get_type().getattr("on_board")?, arguments))
    }
}

/// Raises the error of a board, which cannot occur on one that only this library writes to.
fn on_board<T>(result: Result<T, petteia::breakdown::BoardError>) -> PyResult<T> {
    result.map_err(|error| PyIndexError::new_err(error.to_string()))
}
