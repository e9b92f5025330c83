//! Quarto: four in a line, with the opponent choosing your piece.
//!
//! Sixteen pieces, each unlike every other, are short or tall, beige or sepia, circular or square, hollow or solid. They
//! start in a common pool beside an empty board of 4 by 4 squares; rows are called A to D from the top, columns 1 to 4
//! from the left. A turn has two plies: one player selects a piece from the pool, and the other places it on an empty
//! square and then selects the next piece; player 1 selects first. Whoever places a piece that completes a line of four
//! across, down or diagonally, in which all have an attribute in common, wins. When all pieces are placed and no line was
//! made, the game is a draw.
//!
//! [`Quarto`] is the position. [`Piece`], [`Pool`], [`Square`] and [`Board`] are the document's types, [`HumanPlayer`] and
//! [`MyopicPlayer`] its players and [`play`] its driver. In the document a piece and a square are objects that change;
//! here they are values, the pool knows which pieces are used, and the board knows which piece stands on which square.

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
