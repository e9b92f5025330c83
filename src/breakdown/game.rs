//! The game of the course's assignments: a mutable board, and a turn that the caller manages.

use super::board::{AnyBoard, BoardError, Kind, either, positive};
use super::rules::{self, GameOutcome, Turn};
use crate::error::SetupError;

/// A game as in the course's assignments: mutable, with the turn left to the caller.
///
/// ```
/// use petteia::breakdown::{Game, GameOutcome, Kind, Turn};
///
/// let mut game = Game::new(2, 2, 4, 5, Kind::Matrix)?;
/// assert!(game.drop_stick(0, true));
/// game.next = Turn::WhiteNext;
/// assert!(game.drop_stick(2, false));
/// assert_eq!(game.board.to_string(), "  0123\n\n0 ....\n1 ....\n2 ....\n3 *...\n4 *.oo\n");
/// assert_eq!(game.outcome(), GameOutcome::InProgress);
/// # Ok::<(), petteia::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    stick: u32,
    square: u32,
    /// The board.
    pub board: AnyBoard,
    /// Whose stick is dropped next; only the caller changes it.
    pub next: Turn,
}

impl Game {
    /// Returns a game on an empty board with black to move.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] if a number is 0, for too many cells, or if there is not enough memory.
    pub fn new(stick: u32, square: u32, width: u32, height: u32, kind: Kind) -> Result<Self, SetupError> {
        positive("stick", stick)?;
        positive("square", square)?;
        Ok(Game { stick, square, board: AnyBoard::new(width, height, kind)?, next: Turn::BlackNext })
    }

    /// Returns the length of a stick.
    #[inline]
    pub const fn stick(&self) -> u32 {
        self.stick
    }

    /// Returns the side of a winning square.
    #[inline]
    pub const fn square(&self) -> u32 {
        self.square
    }

    /// Drops a stick of the player to move, and returns whether there was room for it.
    ///
    /// The left end of a horizontal stick is in the column. The turn does not change.
    pub fn drop_stick(&mut self, col: u32, vertical: bool) -> bool {
        let (stick, colour) = (self.stick, self.next.cell());
        on_board(either!(&mut self.board, board => rules::drop_stick(board, stick, col, vertical, colour)))
    }

    /// Lets every cell with air beneath it fall. The turn does not change.
    pub fn breakdown(&mut self) {
        on_board(either!(&mut self.board, board => rules::breakdown(board)));
    }

    /// Returns the state of the game.
    pub fn outcome(&self) -> GameOutcome {
        on_board(either!(&self.board, board => rules::game_outcome(board, self.stick, self.square)))
    }
}

/// Unwraps the result of a rule, which cannot fail on a board that only this library writes to.
fn on_board<T>(result: Result<T, BoardError>) -> T {
    result.unwrap_or_else(|error| unreachable!("the rules stay on the board: {error}"))
}
