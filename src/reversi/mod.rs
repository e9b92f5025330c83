//! Reversi on any board from 2 by 2 to 8 by 8, with its opening phase.
//!
//! Two players, Dark and Light, place tiles on a board; Dark goes first. In the opening phase they may only play on the
//! four centre squares, of which `cx = w / 2` is the right column and `cy = h / 2` the lower row, until these are
//! occupied. From then on each move must capture: it forms a straight line, across, down or diagonally, with the
//! player's new tile at one end, another tile of the player at the other, and only tiles of the opponent, at least one,
//! between; the tiles between, in every such line, are flipped to the player's colour. A player who cannot move is
//! skipped; when neither can, the game is over and the player with more tiles wins, or it is a tie.
//!
//! [`Reversi`] is the fast position; [`Model`], [`Board`], [`PositionSet`] and [`Move`] are the types of the course's
//! assignment, Homework 6 of EECS 211 and CS 211.

mod analyse;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(feature = "capi")]
mod bare;
mod board;
mod endgame;
mod evaluation;
mod exchange;
mod kernel;
mod midgame;
mod model;
mod observe;
mod position;
mod position_set;
mod svg;

#[cfg(feature = "capi")]
pub(crate) use bare::{bare_flips, bare_moves};
pub use board::{Board, Player};
pub use endgame::{Finding, solve_resumably};
#[cfg(target_family = "wasm")]
pub(crate) use evaluation::load as load_weights;
#[cfg(feature = "train")]
pub use evaluation::train;
pub use evaluation::{Weights, WeightsError};
pub use model::{Model, Move, MoveMap};
pub use position::Reversi;
pub use position_set::{PositionSet, Square};
