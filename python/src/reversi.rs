//! Reversi: its positions, and its document's position sets, board, moves and model.

use petteia::reversi::{self, Player, Square};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString};

use crate::arguments::{Given, Integer, number_in, pair, square, text};
use crate::enums::REVERSI_PLAYER;
use crate::errors::{IllegalMove, OrRaise, out_of_range};
use crate::position::{Class, Rebuild, position_class};

position_class! {
    /// A position of Reversi on a board from 2x2 to 8x8, with an opening phase on the four centre squares.
    ///
    /// Squares are written column first: d3 is column 3, row 2, counted from 0. Actions are numbered row by row. A
    /// player who cannot move is skipped.
    ///
    /// >>> game = petteia.Reversi(4, 4)
    /// >>> for square in ["b2", "c2", "c3", "b3"]:
    /// ...     game = game.play(square)
    /// >>> print(game, end="")
    /// ____
    /// _DL_
    /// _LD_
    /// ____
    /// >>> game.moves
    /// ['c1', 'd2', 'a3', 'b4']
    ///
    /// An observation has two planes of height by width.
    Reversi "(width=8, height=8)" {
        /// The number of columns.
        #[getter]
        fn width(&self) -> usize {
            self.0.width()
        }

        /// The number of rows.
        #[getter]
        fn height(&self) -> usize {
            self.0.height()
        }

        /// The discs of each player, dark's first.
        #[getter]
        fn count(&self) -> PyResult<(usize, usize)> {
            crate::position::count(&self.0).map(Into::into)
        }
    }
}

const PLAYERS: [Player; 3] = [Player::Dark, Player::Light, Player::Neither];

fn player(py: Python<'_>, player: Player) -> PyResult<Py<PyAny>> {
    REVERSI_PLAYER.member(py, player as usize)
}

/// Reads a square, or raises an IndexError if it is on no board.
fn on_any_board(given: &Bound<'_, PyAny>) -> PyResult<Square> {
    square(given)?.ok_or_else(|| off_board(given, 8, 8))
}

#[cold]
fn off_board(given: &Bound<'_, PyAny>, width: usize, height: usize) -> PyErr {
    match pair(given) {
        Ok([x, y]) => PyIndexError::new_err(format!(
            "no square at x {x}, y {y}: expected an x below {width} and a y below {height}"
        )),
        Err(error) => error,
    }
}

fn xy(square: Square) -> (usize, usize) {
    (square.x(), square.y())
}

/// A set of positions (x, y), with x and y from 0 to 7.
///
/// It has the operators of a set: & | ^ - and their assignments, comparisons and in; ~ is the complement on the 8x8
/// board. Iteration is by x, then by y.
///
/// >>> pset = petteia.reversi.PositionSet([(3, 2), (2, 3)])
/// >>> pset[4, 1] = True
/// >>> print(pset)
/// {{2, 3}, {3, 2}, {4, 1}}
/// >>> len(~pset), list(pset & ~petteia.reversi.PositionSet([(2, 3)]))
/// (61, [(3, 2), (4, 1)])
#[pyclass(module = "petteia.reversi")]
pub struct PositionSet(reversi::PositionSet);

#[pymethods]
impl PositionSet {
    #[new]
    #[pyo3(signature = (positions=Given(None)), text_signature = "(positions=())")]
    fn new(positions: Given<'_>) -> PyResult<Self> {
        let mut set = reversi::PositionSet::EMPTY;
        if let Some(positions) = positions.0 {
            for position in positions.try_iter()? {
                set.insert(on_any_board(&position?)?);
            }
        }
        Ok(PositionSet(set))
    }

    /// Returns the set with the given bits, bit 8 * y + x for the position (x, y).
    #[staticmethod]
    fn from_bits(bits: Integer) -> PyResult<Self> {
        Ok(PositionSet(reversi::PositionSet::from_bits(number_in("bits", bits, 0..=u64::MAX)?)))
    }

    /// The set as bits, bit 8 * y + x for the position (x, y).
    #[getter]
    fn bits(&self) -> u64 {
        self.0.bits()
    }

    /// Returns whether the set has no positions.
    fn empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all positions.
    fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds a position.
    fn add(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.insert(on_any_board(position)?);
        Ok(())
    }

    /// Removes a position if it is in the set.
    fn discard(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(square) = square(position)? {
            self.0.remove(square);
        }
        Ok(())
    }

    /// Removes a position; raises KeyError if it is not in the set.
    fn remove(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        if !self.__contains__(position)? {
            return Err(PyKeyError::new_err(position.clone().unbind()));
        }
        self.discard(position)
    }

    /// Removes and returns the first position; raises KeyError if the set is empty.
    fn pop(&mut self) -> PyResult<(usize, usize)> {
        let first = self.0.iter().next().ok_or_else(|| PyKeyError::new_err("pop from an empty set"))?;
        self.0.remove(first);
        Ok(xy(first))
    }

    /// Returns whether this set and another have no position in common.
    fn isdisjoint(&self, other: &Bound<'_, Self>) -> PyResult<bool> {
        Ok((self.0 & other.try_borrow()?.0).is_empty())
    }

    /// Returns a copy.
    fn copy(&self) -> Self {
        PositionSet(self.0)
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.contains(on_any_board(position)?))
    }

    fn __setitem__(&mut self, position: &Bound<'_, PyAny>, present: bool) -> PyResult<()> {
        self.0.set(on_any_board(position)?, present);
        Ok(())
    }

    fn __contains__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(square(position)?.is_some_and(|square| self.0.contains(square)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.iter().map(xy))?.try_iter()
    }

    fn __richcmp__(&self, other: &Bound<'_, Self>, operator: CompareOp) -> PyResult<bool> {
        let (own, other) = (self.0, other.try_borrow()?.0);
        Ok(match operator {
            CompareOp::Eq => own == other,
            CompareOp::Ne => own != other,
            CompareOp::Le => own.is_subset(other),
            CompareOp::Lt => own.is_subset(other) && own != other,
            CompareOp::Ge => other.is_subset(own),
            CompareOp::Gt => other.is_subset(own) && own != other,
        })
    }

    fn __invert__(&self) -> Self {
        PositionSet(!self.0)
    }

    fn __and__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet(self.0 & other.try_borrow()?.0))
    }

    fn __or__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet(self.0 | other.try_borrow()?.0))
    }

    fn __xor__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet(self.0 ^ other.try_borrow()?.0))
    }

    fn __sub__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet(self.0 - other.try_borrow()?.0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let positions: Vec<_> = self.0.iter().map(xy).collect();
        format!("petteia.reversi.PositionSet({positions:?})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (u64,)>> {
        Ok((slf.get_type().getattr("from_bits")?, (slf.borrow().bits(),)))
    }
}

/// A move: the position played, and all positions it gains, which are the one played and the flips.
#[pyclass(frozen, eq, hash, module = "petteia.reversi")]
#[derive(PartialEq, Eq, Hash)]
pub struct Move(reversi::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(first: &Bound<'_, PyAny>, second: &Bound<'_, PositionSet>) -> PyResult<Self> {
        Ok(Move(reversi::Move { first: on_any_board(first)?, second: second.try_borrow()?.0 }))
    }

    /// The position played.
    #[getter]
    fn first(&self) -> (usize, usize) {
        xy(self.0.first)
    }

    /// The positions that the player gains, including the one played.
    #[getter]
    fn second(&self) -> PositionSet {
        PositionSet(self.0.second)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.reversi.Move({:?}, {})", self.first(), self.second().__repr__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, ((usize, usize), PositionSet)> {
        (slf.get_type().into_any(), (slf.get().first(), slf.get().second()))
    }
}

/// A mutable board, 2 to 8 squares wide and high: a map from positions (x, y) to players.
///
/// >>> from petteia.reversi import Board, Player
/// >>> board = Board(3, 2)
/// >>> board[0, 0] = Player.DARK
/// >>> board[2, 1] = Player.LIGHT
/// >>> print(board, end="")
/// D__
/// __L
/// >>> board.count_player(Player.NEITHER)
/// 4
#[pyclass(eq, module = "petteia.reversi")]
#[derive(PartialEq, Eq)]
pub struct Board(reversi::Board);

impl Board {
    fn square(&self, position: &Bound<'_, PyAny>) -> PyResult<Square> {
        let (width, height) = self.0.dimensions();
        let here = square(position)?.filter(|square| square.x() < width && square.y() < height);
        here.ok_or_else(|| off_board(position, width, height))
    }

    fn rows(&self) -> Vec<String> {
        self.0.to_string().lines().map(str::to_owned).collect()
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (width=Integer::Small(8), height=Integer::Small(8)))]
    #[pyo3(text_signature = "(width=8, height=8)")]
    fn new(width: Integer, height: Integer) -> PyResult<Self> {
        let side = |what, given| number_in(what, given, 2..=8).map(|side| side as usize);
        Ok(Board(reversi::Board::new(side("width", width)?, side("height", height)?).or_raise()?))
    }

    /// Returns a board with the given rows, from the top, as they are printed.
    ///
    /// >>> petteia.reversi.Board.from_rows(["D__", "__L"])[2, 1]
    /// petteia.reversi.Player.LIGHT
    #[staticmethod]
    fn from_rows(rows: Vec<Bound<'_, PyString>>) -> PyResult<Self> {
        let rows: Vec<_> = rows.iter().map(text).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut board = reversi::Board::new(width, rows.len()).or_raise()?;
        for (y, row) in rows.iter().enumerate() {
            let read = |symbol| PLAYERS.into_iter().find(|player| player.symbol() == symbol);
            let players: Option<Vec<Player>> = row.chars().map(read).collect();
            let players = players.filter(|players| players.len() == width);
            let expected = || format!("{width} cells D, L or _");
            let players = players.ok_or_else(|| out_of_range("row", format!("{row:?}"), expected()))?;
            for (x, player) in players.into_iter().enumerate() {
                if let Some(square) = Square::new(x, y) {
                    board.set(square, player).or_raise()?;
                }
            }
        }
        Ok(Board(board))
    }

    /// Returns the board's width and height.
    fn dimensions(&self) -> (usize, usize) {
        self.0.dimensions()
    }

    /// Returns all positions on the board.
    fn all_positions(&self) -> PositionSet {
        PositionSet(self.0.all_positions())
    }

    /// Returns the four centre positions, where the opening phase is played.
    fn center_positions(&self) -> PositionSet {
        PositionSet(self.0.center_positions())
    }

    /// Returns the eight directions, as steps in x and y.
    #[staticmethod]
    fn all_directions() -> Vec<(i8, i8)> {
        reversi::Board::all_directions().to_vec()
    }

    /// Puts a player's tiles on all positions of a set, or removes the tiles there for Player.NEITHER.
    ///
    /// Raises IndexError, and changes nothing, if a position is off the board.
    fn set_all(&mut self, positions: &Bound<'_, PositionSet>, player: &Bound<'_, PyAny>) -> PyResult<()> {
        let player = PLAYERS[REVERSI_PLAYER.value(player)?];
        let set = positions.try_borrow()?.0;
        self.0.set_all(set, player).map_err(|error| PyIndexError::new_err(error.to_string()))
    }

    /// Returns the positions of a player's tiles, or the empty ones for Player.NEITHER.
    fn positions(&self, player: &Bound<'_, PyAny>) -> PyResult<PositionSet> {
        Ok(PositionSet(self.0.positions(PLAYERS[REVERSI_PLAYER.value(player)?])))
    }

    /// Returns the number of a player's tiles, or of empty squares for Player.NEITHER.
    fn count_player(&self, player: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.0.count_player(PLAYERS[REVERSI_PLAYER.value(player)?]))
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let square = self.square(position)?;
        player(position.py(), self.0.get(square).unwrap_or(Player::Neither))
    }

    fn __setitem__(&mut self, position: &Bound<'_, PyAny>, player: &Bound<'_, PyAny>) -> PyResult<()> {
        let square = self.square(position)?;
        self.0.set(square, PLAYERS[REVERSI_PLAYER.value(player)?]).or_raise()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.reversi.Board.from_rows({:?})", self.rows())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (Vec<String>,)>> {
        Ok((slf.get_type().getattr("from_rows")?, (slf.borrow().rows(),)))
    }
}

/// A game: the board, the turn, the winner and the legal moves.
///
/// >>> model = petteia.reversi.Model()
/// >>> for position in [(3, 3), (4, 3), (4, 4), (3, 4)]:
/// ...     model.play_move(position)
/// >>> model.turn
/// petteia.reversi.Player.DARK
/// >>> print(model.find_move((4, 2)))
/// Move{{4, 2}, {{4, 2}, {4, 3}}}
/// >>> model.find_move((0, 0)) is None
/// True
#[pyclass(eq, module = "petteia.reversi")]
#[derive(PartialEq, Eq)]
pub struct Model(reversi::Model);

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (width=Integer::Small(8), height=Integer::Small(8)))]
    #[pyo3(text_signature = "(width=8, height=8)")]
    fn new(width: Integer, height: Integer) -> PyResult<Self> {
        let side = |what, given| number_in(what, given, 2..=8).map(|side| side as usize);
        Ok(Model(reversi::Model::new(side("width", width)?, side("height", height)?).or_raise()?))
    }

    /// Returns a game that has reached a position.
    #[staticmethod]
    fn from_position(position: &Bound<'_, Reversi>) -> Self {
        Model(reversi::Model::from(*position.get().position()))
    }

    /// The player to move, or Player.NEITHER when the game is over.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        player(py, self.0.turn())
    }

    /// The winner; Player.NEITHER while the game goes on, and after a tie.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        player(py, self.0.winner())
    }

    /// Whether the game is over.
    #[getter]
    fn is_game_over(&self) -> bool {
        self.0.is_game_over()
    }

    /// A copy of the board; changing it does not change the game.
    #[getter]
    fn board(&self) -> Board {
        Board(*self.0.board())
    }

    /// The current position.
    #[getter]
    fn position(&self) -> Reversi {
        Reversi::from(*self.0.position())
    }

    /// The legal moves: a dict from each position that can be played to the set of positions it gains.
    #[getter]
    fn next_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let moves = PyDict::new(py);
        let by_column: reversi::PositionSet = self.0.next_moves().keys().copied().collect();
        for square in by_column {
            moves.set_item(xy(square), PositionSet(self.0.next_moves()[&square]).into_pyobject(py)?)?;
        }
        Ok(moves)
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.board().__getitem__(position)
    }

    /// Returns the move on a position, or None if it is illegal.
    fn find_move(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Move>> {
        Ok(square(position)?.and_then(|square| self.0.find_move(square)).map(Move))
    }

    /// Plays a move. The turn passes to the opponent, back if the opponent cannot move, or to nobody at the end.
    ///
    /// Raises IllegalMove if the move is illegal, which it always is off the board.
    fn play_move(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        match square(position)? {
            Some(square) => self.0.play_move(square).or_raise(),
            None => {
                let shown = pair(position)?.map(|number| number.to_string()).join(", ");
                let error = petteia::IllegalMove::new(self.0.position(), &format!("({shown})"));
                Err(IllegalMove::new_err(error.to_string()))
            }
        }
    }

    fn __str__(&self) -> String {
        self.0.board().to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.reversi.Model.from_position(petteia.Reversi.from_text('{}'))", self.position().0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (Reversi,)>> {
        Ok((slf.get_type().getattr("from_position")?, (slf.borrow().position(),)))
    }
}
