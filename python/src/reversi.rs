//! Reversi: its positions, and its document's position sets, board, moves and model.

use petteia::reversi::{self, Player, Square};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple, PyType};

use crate::arguments::{self, Given, Integer, elements, number_in, pair, square, type_error};
use crate::enums::REVERSI_PLAYER;
use crate::errors::{OrRaise, illegal, out_of_range};
use crate::games::construct;
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
        /// Returns the start of Othello: the opening is over, its tiles lie crosswise, on 8 by 8 squares dark's on e4 and
        /// d5, and it is dark's turn.
        ///
        /// >>> petteia.Reversi.othello().moves
        /// ['d3', 'c4', 'f5', 'e6']
        #[staticmethod]
        #[pyo3(signature = (*placed, **named), text_signature = "(width=8, height=8)")]
        fn othello(placed: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
            let empty = construct::<petteia::Reversi>(Some(placed), named)?;
            petteia::Reversi::othello(empty.width(), empty.height()).or_raise().map(Reversi)
        }

        /// Returns the other position after an opening: dark's tiles side by side in the upper row of the centre, light's
        /// in the lower, and it is dark's turn.
        ///
        /// >>> petteia.Reversi.parallel(4, 4).text
        /// '____/_DD_/_LL_/____ D'
        #[staticmethod]
        #[pyo3(signature = (*placed, **named), text_signature = "(width=8, height=8)")]
        fn parallel(placed: &Bound<'_, PyTuple>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
            let empty = construct::<petteia::Reversi>(Some(placed), named)?;
            petteia::Reversi::parallel(empty.width(), empty.height()).or_raise().map(Reversi)
        }

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

/// Reads a set of positions, or raises a TypeError that names the argument.
fn set_of(what: &str, given: &Bound<'_, PyAny>) -> PyResult<reversi::PositionSet> {
    match given.cast::<PositionSet>() {
        Ok(set) => Ok(set.try_borrow()?.set),
        Err(_) => Err(type_error(&format!("{what} as a PositionSet"), given)),
    }
}

fn xy(square: Square) -> (usize, usize) {
    (square.x(), square.y())
}

/// A set of positions (x, y), with x and y from 0 to 7.
///
/// It has the operators of a set: & | ^ - and their assignments, comparisons and in; ~ is the complement on the 8x8
/// board. Iteration is by x, then by y. A set that belongs to a move or a model cannot be changed, its copy can.
///
/// >>> pset = petteia.reversi.PositionSet([(3, 2), (2, 3)])
/// >>> pset[4, 1] = True
/// >>> print(pset)
/// {{2, 3}, {3, 2}, {4, 1}}
/// >>> len(~pset), list(pset & ~petteia.reversi.PositionSet([(2, 3)]))
/// (61, [(3, 2), (4, 1)])
#[pyclass(module = "petteia.reversi")]
pub struct PositionSet {
    set: reversi::PositionSet,
    /// Whether it shows what a move or a model holds, which it could not change.
    read_only: bool,
}

impl PositionSet {
    fn own(set: reversi::PositionSet) -> Self {
        PositionSet { set, read_only: false }
    }

    fn read_only(set: reversi::PositionSet) -> Self {
        PositionSet { set, read_only: true }
    }

    /// Returns the set to be changed.
    fn change(&mut self) -> PyResult<&mut reversi::PositionSet> {
        match self.read_only {
            false => Ok(&mut self.set),
            true => Err(PyTypeError::new_err(
                "this set belongs to a move or a model and cannot be changed: expected a copy, as copy() makes",
            )),
        }
    }
}

#[pymethods]
impl PositionSet {
    #[new]
    #[pyo3(signature = (positions=Given(None)), text_signature = "(positions=())")]
    fn new(positions: Given<'_>) -> PyResult<Self> {
        let mut set = reversi::PositionSet::EMPTY;
        if let Some(positions) = positions.0 {
            for position in elements("positions as a list of pairs of integers", &positions)? {
                set.insert(on_any_board(&position?)?);
            }
        }
        Ok(PositionSet::own(set))
    }

    /// Returns the set with the given bits, bit 8 * y + x for the position (x, y).
    #[staticmethod]
    fn from_bits(bits: Integer) -> PyResult<Self> {
        Ok(PositionSet::own(reversi::PositionSet::from_bits(number_in("bits", bits, 0..=u64::MAX)?)))
    }

    /// The set as bits, bit 8 * y + x for the position (x, y).
    #[getter]
    fn bits(&self) -> u64 {
        self.set.bits()
    }

    /// Returns whether the set has no positions.
    fn empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Removes all positions.
    fn clear(&mut self) -> PyResult<()> {
        self.change()?.clear();
        Ok(())
    }

    /// Adds a position.
    fn add(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change()?.insert(on_any_board(position)?);
        Ok(())
    }

    /// Removes a position if it is in the set.
    fn discard(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let set = self.change()?;
        if let Some(square) = square(position)? {
            set.remove(square);
        }
        Ok(())
    }

    /// Removes a position; raises KeyError if it is not in the set.
    fn remove(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change()?;
        if !self.__contains__(position)? {
            return Err(PyKeyError::new_err(position.clone().unbind()));
        }
        self.discard(position)
    }

    /// Removes and returns the first position; raises KeyError if the set is empty.
    fn pop(&mut self) -> PyResult<(usize, usize)> {
        let set = self.change()?;
        let first = set.iter().next().ok_or_else(|| PyKeyError::new_err("pop from an empty set"))?;
        set.remove(first);
        Ok(xy(first))
    }

    /// Returns whether this set and another have no position in common.
    fn isdisjoint(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok((self.set & set_of("other", other)?).is_empty())
    }

    /// Returns a copy, which can be changed.
    fn copy(&self) -> Self {
        PositionSet::own(self.set)
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.set.contains(on_any_board(position)?))
    }

    fn __setitem__(&mut self, position: &Bound<'_, PyAny>, present: &Bound<'_, PyAny>) -> PyResult<()> {
        let present = present.extract().map_err(|_| type_error("True to add or False to remove", present))?;
        self.change()?.set(on_any_board(position)?, present);
        Ok(())
    }

    fn __contains__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(square(position)?.is_some_and(|square| self.set.contains(square)))
    }

    fn __len__(&self) -> usize {
        self.set.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.set.iter().map(xy))?.try_iter()
    }

    fn __richcmp__(&self, other: &Bound<'_, Self>, operator: CompareOp) -> PyResult<bool> {
        let (own, other) = (self.set, other.try_borrow()?.set);
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
        PositionSet::own(!self.set)
    }

    fn __and__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet::own(self.set & other.try_borrow()?.set))
    }

    fn __or__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet::own(self.set | other.try_borrow()?.set))
    }

    fn __xor__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet::own(self.set ^ other.try_borrow()?.set))
    }

    fn __sub__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        Ok(PositionSet::own(self.set - other.try_borrow()?.set))
    }

    // Both sides may be the same set, so the other is read first.
    fn __iand__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.try_borrow()?.set;
        *slf.try_borrow_mut()?.change()? &= other;
        Ok(())
    }

    fn __ior__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.try_borrow()?.set;
        *slf.try_borrow_mut()?.change()? |= other;
        Ok(())
    }

    fn __ixor__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.try_borrow()?.set;
        *slf.try_borrow_mut()?.change()? ^= other;
        Ok(())
    }

    fn __isub__(slf: &Bound<'_, Self>, other: &Bound<'_, Self>) -> PyResult<()> {
        let other = other.try_borrow()?.set;
        *slf.try_borrow_mut()?.change()? -= other;
        Ok(())
    }

    fn __str__(&self) -> String {
        self.set.to_string()
    }

    fn __repr__(&self) -> String {
        let positions: Vec<_> = self.set.iter().map(xy).collect();
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
    fn new(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Move(reversi::Move { first: on_any_board(first)?, second: set_of("second", second)? }))
    }

    /// The position played.
    #[getter]
    fn first(&self) -> (usize, usize) {
        xy(self.0.first)
    }

    /// The positions that the player gains, including the one played. The set cannot be changed, its copy can.
    #[getter]
    fn second(&self) -> PositionSet {
        PositionSet::read_only(self.0.second)
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
pub struct Board {
    board: reversi::Board,
    /// Whether it is the board of a model, whose moves alone change it.
    read_only: bool,
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
    }
}

impl Board {
    fn own(board: reversi::Board) -> Self {
        Board { board, read_only: false }
    }

    /// Returns the board to be changed.
    fn change(&mut self) -> PyResult<&mut reversi::Board> {
        match self.read_only {
            false => Ok(&mut self.board),
            true => Err(PyTypeError::new_err(
                "this board belongs to a model and is changed by its play_move alone: expected a copy, as copy() makes",
            )),
        }
    }

    fn square(&self, position: &Bound<'_, PyAny>) -> PyResult<Square> {
        let (width, height) = self.board.dimensions();
        let here = square(position)?.filter(|square| square.x() < width && square.y() < height);
        here.ok_or_else(|| off_board(position, width, height))
    }

    fn rows(&self) -> Vec<String> {
        self.board.to_string().lines().map(str::to_owned).collect()
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (width=Integer::Small(8), height=Integer::Small(8)))]
    #[pyo3(text_signature = "(width=8, height=8)")]
    fn new(width: Integer, height: Integer) -> PyResult<Self> {
        let side = |what, given| number_in(what, given, 2..=8).map(|side| side as usize);
        Ok(Board::own(reversi::Board::new(side("width", width)?, side("height", height)?).or_raise()?))
    }

    /// Returns a board with the given rows, from the top, as they are printed.
    ///
    /// >>> petteia.reversi.Board.from_rows(["D__", "__L"])[2, 1]
    /// petteia.reversi.Player.LIGHT
    #[staticmethod]
    fn from_rows(rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = arguments::rows(rows)?;
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
        Ok(Board::own(board))
    }

    /// Returns the board's width and height.
    fn dimensions(&self) -> (usize, usize) {
        self.board.dimensions()
    }

    /// Returns all positions on the board.
    fn all_positions(&self) -> PositionSet {
        PositionSet::own(self.board.all_positions())
    }

    /// Returns the four centre positions, where the opening phase is played.
    fn center_positions(&self) -> PositionSet {
        PositionSet::own(self.board.center_positions())
    }

    /// Returns the eight directions, as steps in x and y.
    #[staticmethod]
    fn all_directions() -> Vec<(i8, i8)> {
        reversi::Board::all_directions().to_vec()
    }

    /// Puts a player's tiles on all positions of a set, or removes the tiles there for Player.NEITHER.
    ///
    /// Raises IndexError, and changes nothing, if a position is off the board.
    fn set_all(&mut self, positions: &Bound<'_, PyAny>, player: &Bound<'_, PyAny>) -> PyResult<()> {
        let player = PLAYERS[REVERSI_PLAYER.value(player)?];
        let set = set_of("positions", positions)?;
        self.change()?.set_all(set, player).map_err(|error| PyIndexError::new_err(error.to_string()))
    }

    /// Returns the positions of a player's tiles, or the empty ones for Player.NEITHER.
    fn positions(&self, player: &Bound<'_, PyAny>) -> PyResult<PositionSet> {
        Ok(PositionSet::own(self.board.positions(PLAYERS[REVERSI_PLAYER.value(player)?])))
    }

    /// Returns the number of a player's tiles, or of empty squares for Player.NEITHER.
    fn count_player(&self, player: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.board.count_player(PLAYERS[REVERSI_PLAYER.value(player)?]))
    }

    /// Returns a copy, which can be changed.
    fn copy(&self) -> Self {
        Board::own(self.board)
    }

    /// Returns the opponent's tiles in the direction dir from a position that a player's tile there would flip.
    ///
    /// These are the tiles in a straight line that ends in a tile of the player; dir is one of all_directions(). The
    /// position itself is not looked at. Raises IndexError if it is off the board.
    ///
    /// >>> from petteia.reversi import Board, Player
    /// >>> board = Board()
    /// >>> board[2, 2], board[2, 3] = Player.DARK, Player.LIGHT
    /// >>> print(board.find_flips((2, 4), (0, 1), Player.DARK), board.find_flips((2, 4), (0, -1), Player.DARK))
    /// {} {{2, 3}}
    fn find_flips(
        &self,
        pos: &Bound<'_, PyAny>,
        dir: &Bound<'_, PyAny>,
        player: &Bound<'_, PyAny>,
    ) -> PyResult<PositionSet> {
        let square = self.square(pos)?;
        let [dx, dy] = pair(dir)?;
        // A number that is no step at all stays none.
        let step = |number: &Integer| match number {
            Integer::Small(number) => i8::try_from(*number).unwrap_or(i8::MAX),
            _ => i8::MAX,
        };
        let player = PLAYERS[REVERSI_PLAYER.value(player)?];
        self.board.find_flips(square, (step(&dx), step(&dy)), player).or_raise().map(PositionSet::own)
    }

    /// Returns the positions that a player gains by a tile on a position: that one and all flips.
    ///
    /// The set is empty if the position is occupied or nothing would flip. The opening phase, in which nothing need
    /// be flipped, is the model's. Raises IndexError if the position is off the board.
    ///
    /// >>> from petteia.reversi import Board, Player
    /// >>> print(Board.from_rows(["DLL_", "____"]).evaluate_position((3, 0), Player.DARK))
    /// {{1, 0}, {2, 0}, {3, 0}}
    fn evaluate_position(&self, pos: &Bound<'_, PyAny>, player: &Bound<'_, PyAny>) -> PyResult<PositionSet> {
        let square = self.square(pos)?;
        let player = PLAYERS[REVERSI_PLAYER.value(player)?];
        self.board.evaluate_position(square, player).or_raise().map(PositionSet::own)
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let square = self.square(position)?;
        player(position.py(), self.board.get(square).unwrap_or(Player::Neither))
    }

    fn __setitem__(&mut self, position: &Bound<'_, PyAny>, player: &Bound<'_, PyAny>) -> PyResult<()> {
        let square = self.square(position)?;
        let player = PLAYERS[REVERSI_PLAYER.value(player)?];
        self.change()?.set(square, player).or_raise()
    }

    fn __str__(&self) -> String {
        self.board.to_string()
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
pub struct Model {
    model: reversi::Model,
    board: Py<Board>,
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model
    }
}

impl Model {
    fn of(py: Python<'_>, model: reversi::Model) -> PyResult<Self> {
        let board = Py::new(py, Board { board: *model.board(), read_only: true })?;
        Ok(Model { model, board })
    }
}

/// The class of the dict of legal moves, which refuses changes.
static NEXT_MOVES: PyOnceLock<Py<PyType>> = PyOnceLock::new();

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (width=Integer::Small(8), height=Integer::Small(8)))]
    #[pyo3(text_signature = "(width=8, height=8)")]
    fn new(py: Python<'_>, width: Integer, height: Integer) -> PyResult<Self> {
        let side = |what, given| number_in(what, given, 2..=8).map(|side| side as usize);
        Model::of(py, reversi::Model::new(side("width", width)?, side("height", height)?).or_raise()?)
    }

    /// Returns a game that has reached a position.
    #[staticmethod]
    fn from_position(position: &Bound<'_, Reversi>) -> PyResult<Self> {
        Model::of(position.py(), reversi::Model::from(*position.get().position()))
    }

    /// The player to move, or Player.NEITHER when the game is over.
    #[getter]
    fn turn(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        player(py, self.model.turn())
    }

    /// The winner; Player.NEITHER while the game goes on, and after a tie.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        player(py, self.model.winner())
    }

    /// Whether the game is over.
    #[getter]
    fn is_game_over(&self) -> bool {
        self.model.is_game_over()
    }

    /// The board itself, which goes on with the game. Only play_move changes it; its copy() is a board of your own.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<Board> {
        self.board.clone_ref(py)
    }

    /// The current position.
    #[getter]
    fn position(&self) -> Reversi {
        Reversi::from(*self.model.position())
    }

    /// The legal moves: a dict from each position that can be played to the set of positions it gains.
    ///
    /// The dict and its sets cannot be changed, which would not change the game. A later move leaves them as they are.
    #[getter]
    fn next_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = PyDict::new(py);
        let by_column: reversi::PositionSet = self.model.next_moves().keys().copied().collect();
        for square in by_column {
            moves.set_item(
                xy(square),
                PositionSet::read_only(self.model.next_moves()[&square]).into_pyobject(py)?,
            )?;
        }
        NEXT_MOVES.import(py, "petteia.reversi", "_NextMoves")?.call1((moves,))
    }

    fn __getitem__(&self, position: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.board.try_borrow(position.py())?.__getitem__(position)
    }

    /// Returns the move on a position, or None if it is illegal.
    fn find_move(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Move>> {
        Ok(square(position)?.and_then(|square| self.model.find_move(square)).map(Move))
    }

    /// Plays a move. The turn passes to the opponent, back if the opponent cannot move, or to nobody at the end.
    ///
    /// Raises IllegalMove if the move is illegal, which it always is off the board.
    fn play_move(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let square = square(position)?;
        let mut board = self.board.try_borrow_mut(position.py())?;
        match square {
            Some(square) => self.model.play_move(square).map_err(|error| illegal(error, position))?,
            None => {
                let shown = pair(position)?.map(|number| number.to_string()).join(", ");
                let error = petteia::IllegalMove::new(self.model.position(), &format!("({shown})"));
                let legal = error.reason();
                return Err(illegal(error.because(format_args!("it is off the board; {legal}")), position));
            }
        }
        board.board = *self.model.board();
        Ok(())
    }

    fn __str__(&self) -> String {
        self.model.board().to_string()
    }

    fn __repr__(&self) -> String {
        format!("petteia.reversi.Model.from_position(petteia.Reversi.from_text('{}'))", self.position().0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (Reversi,)>> {
        Ok((slf.get_type().getattr("from_position")?, (slf.borrow().position(),)))
    }
}
