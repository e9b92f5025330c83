//! Quarto: four in a line, with the opponent choosing your piece.
//!
//! Sixteen different pieces are short or tall, beige or sepia, circular or square, hollow or solid. They start in a
//! common pool beside an empty board of 4 by 4 squares; rows are called A to D from the top, columns 1 to 4 from the
//! left. A turn has two plies: one player selects a piece from the pool, and the other places it on an empty square and
//! then selects the next piece; player 1 selects first. A player who completes a line of four across, down or
//! diagonally, whose pieces have an attribute in common, wins. When all pieces are placed without such a line, the game
//! is a draw.
//!
//! [`Quarto`] is the position. [`Piece`], [`Pool`], [`Square`] and [`Board`] are the types of the course's assignment,
//! Project Four, [`HumanPlayer`] and [`MyopicPlayer`] its players and [`play`] its driver. In the assignment, pieces
//! and squares are mutable objects; here they are values, the pool keeps track of which pieces are used, and the board
//! of which piece is on which square.

mod advantage;
mod board;
mod drawn;
mod driver;
mod error;
mod human;
mod lines;
mod moves;
mod observe;
mod piece;
mod player;
mod pool;
mod position;
mod rand;
mod solve;
mod square;
mod svg;
mod symmetry;
mod text;

pub use board::Board;
pub use drawn::drawn_boards;
#[cfg(feature = "cli")]
pub(crate) use driver::play_with_hints;
pub use driver::{Seat, play};
pub use error::QuartoError;
pub use human::HumanPlayer;
pub use moves::Move;
pub use piece::{Color, Height, Piece, Shape, Top};
pub use player::{MyopicPlayer, QuartoPlayer};
pub use pool::Pool;
pub use position::Quarto;
pub use rand::GlibcRand;
pub use square::{Haxis, Square, Vaxis};
