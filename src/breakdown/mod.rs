//! Breakdown: sticks dropped into an upright board, until they fall apart.
//!
//! Black and white take turns, black first. A move drops a stick of `k` cells into the board, vertical or horizontal,
//! where there is room for it at the top; it falls as a rigid piece until any part of it rests on a cell or on the
//! floor, so it may overhang. Or a move calls a breakdown: all sticks fall apart, and every cell with air beneath it
//! falls within its column. Only the colours of cells matter, not which stick they came from.
//!
//! A player with a `q` by `q` square of cells of their colour wins, no matter who moved; if both have one, the game is
//! a draw. It is also a draw when no stick fits anywhere and a breakdown would change nothing.
//!
//! [`Breakdown`] is the fast position, for boards of any size. [`Game`] is the mutable game of the course's
//! assignments, on boards of either [`Kind`], with [`rules`] that only use get and set.

mod advantage;
mod bits;
mod board;
mod cells;
mod game;
mod large;
mod moves;
mod notation;
mod observe;
mod playouts;
mod position;
pub mod rules;
mod small;
mod solve;
mod svg;

pub use board::{AnyBoard, BitsBoard, Board, BoardError, Cell, Kind, MAX_CELLS, MatrixBoard, Pos};
#[cfg(feature = "capi")]
pub(crate) use board::{cells, draw, index, positive};
pub use game::Game;
pub use moves::Moves;
pub use notation::{Move, index_of, label};
pub use position::Breakdown;
pub use rules::{GameOutcome, Turn};
