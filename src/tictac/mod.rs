//! TicTac: tic-tac-toe with game records.
//!
//! Two players, X and O, claim the nine squares of a 3 by 3 grid in turn; either of them may begin. Rows are called A, B
//! and C from the top, columns 1, 2 and 3 from the left. Whoever first claims three squares in a line across, down or
//! diagonally wins; when all squares are claimed and nobody has a line, the game is a draw.
//!
//! A record of a game is text with one move a line: the move's number, the player and the square, such as
//! `2 O C2 # oops`. [`evaluate`] tells how a record ends; [`Evaluator`] does the same for one that arrives in pieces.

mod evaluator;
mod notation;
mod observe;
mod position;
mod svg;

pub use evaluator::{Evaluator, Verdict, evaluate};
pub use notation::{Mark, Move, Square};
pub use position::TicTac;
