//! TicTac: tic-tac-toe with game records.
//!
//! Two players, X and O, take turns claiming the nine squares of a 3 by 3 grid; either of them may begin. Rows are
//! called A, B and C from the top, columns 1, 2 and 3 from the left. The first to claim three squares in a line across,
//! down or diagonally wins; when all squares are claimed without a line, the game is a draw.
//!
//! The course's lab that this follows defines a game record as text with one move per line: the move's number, the
//! player and the square, such as `2 O C2 # oops`. [`evaluate`] tells how a record ends; [`Evaluator`] does the same
//! for one that arrives in pieces.

mod evaluator;
mod notation;
mod observe;
mod position;
mod svg;

pub use evaluator::{Evaluator, Verdict, evaluate};
pub use notation::{Mark, Move, Square};
pub use position::TicTac;
