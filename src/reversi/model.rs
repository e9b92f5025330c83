//! The model of the course's assignment: a game with its rules and the available moves.

use std::collections::BTreeMap;
use std::fmt;

use super::board::{Board, Player};
use super::position::Reversi;
use super::position_set::{PositionSet, Square};
use crate::error::{ArgumentError, IllegalMove};
use crate::position::Position;

/// A move: the square played and all squares gained, that square and the flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square played.
    pub first: Square,
    /// The squares that the player gains, including the one played.
    pub second: PositionSet,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move{{{{{}, {}}}, {}}}", self.first.x(), self.first.y(), self.second)
    }
}

/// The available moves: each legal square with the squares it gains.
pub type MoveMap = BTreeMap<Square, PositionSet>;

/// A game of Reversi.
///
/// ```
/// use petteia::reversi::{Model, Player};
///
/// let mut model = Model::new(8, 8)?;
/// for square in ["d4", "e4", "e5", "d5"] {
///     model.play_move(square.parse()?)?;
/// }
/// let found = model.find_move("e3".parse()?).expect("it captures e4");
/// assert_eq!(found.to_string(), "Move{{4, 2}, {{4, 2}, {4, 3}}}");
/// assert_eq!(model.turn(), Player::Dark);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    position: Reversi,
    board: Board,
    next_moves: MoveMap,
}

impl Model {
    /// Starts a game on an empty board.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if the width or the height is not from 2 to 8.
    pub fn new(width: usize, height: usize) -> Result<Self, ArgumentError> {
        Ok(Model::from(Reversi::new(width, height)?))
    }

    /// Returns the game as a position.
    pub fn position(&self) -> &Reversi {
        &self.position
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whether the game is over.
    pub fn is_game_over(&self) -> bool {
        self.position.is_over()
    }

    /// Returns the player to move, or neither when the game is over.
    pub fn turn(&self) -> Player {
        self.position.turn().into()
    }

    /// Returns the winner: neither while the game goes on and after a tie.
    pub fn winner(&self) -> Player {
        self.position.outcome().and_then(|outcome| outcome.winner()).into()
    }

    /// Returns who has a tile on a square, or `None` for a square off the board.
    pub fn get(&self, square: Square) -> Option<Player> {
        self.board.get(square)
    }

    /// Returns the moves of the player to move.
    pub fn next_moves(&self) -> &MoveMap {
        &self.next_moves
    }

    /// Returns the move on a square, or `None` if it is illegal.
    pub fn find_move(&self, square: Square) -> Option<Move> {
        self.next_moves.get(&square).map(|&second| Move { first: square, second })
    }

    /// Plays a move and passes the turn: to the opponent, or back if the opponent cannot move, or to nobody.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] for any other square; the game is then unchanged.
    pub fn play_move(&mut self, square: Square) -> Result<(), IllegalMove> {
        *self = Model::from(self.position.after(square).map_err(|error| self.explain(square, error))?);
        Ok(())
    }

    /// Adds what is wrong with a move.
    #[cold]
    fn explain(&self, square: Square, error: IllegalMove) -> IllegalMove {
        let legal = error.reason();
        let in_opening = !(self.board.center_positions() & self.board.positions(Player::Neither)).is_empty();
        let fault = match self.board.get(square) {
            None => format!("{square} is off the board"),
            Some(Player::Dark | Player::Light) => format!("{square} is occupied"),
            Some(Player::Neither) if in_opening => "the opening is played on the centre squares".to_owned(),
            Some(Player::Neither) => format!("{square} captures nothing"),
        };
        error.because(format_args!("{fault}; {legal}"))
    }
}

impl From<Reversi> for Model {
    fn from(position: Reversi) -> Self {
        let next_moves = position.moves().map(|square| (square, position.gains(square))).collect();
        Model { board: position.board(), position, next_moves }
    }
}

impl Default for Model {
    /// Starts a game on an empty 8 by 8 board.
    fn default() -> Self {
        Model::from(Reversi::default())
    }
}
