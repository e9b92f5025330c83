//! Reversi on any board from 2 by 2 to 8 by 8, with its opening phase.
//!
//! Two players, Dark and Light, lay tiles on a board; Dark goes first. In the opening phase they play on the four centre
//! squares only, where `cx = w / 2` and `cy = h / 2` are the right and the lower of them, until those are occupied.
//! From then on each move must capture: it forms a straight line, across, down or diagonally, with the player's new tile
//! at one end, one of the player's tiles at the other and nothing but the opponent's tiles, at least one, between; all
//! tiles between, in every such line, are flipped to the player's colour. A player who cannot move is skipped; when
//! neither can, the game is over and the player with more tiles wins, or it is a tie.
//!
//! [`Reversi`] is the fast position; [`Model`], [`Board`], [`PositionSet`] and [`Move`] are the document's own types.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod board;
mod endgame;
mod kernel;
mod model;
mod observe;
mod position;
mod position_set;
mod svg;

pub use board::{Board, Player};
pub use endgame::{Finding, solve_resumably};
pub use model::{Model, Move, MoveMap};
pub use position::Reversi;
pub use position_set::{PositionSet, Square};
