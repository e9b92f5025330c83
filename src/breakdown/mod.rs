//! Breakdown: sticks dropped into an upright board, and the moment they fall apart.
//!
//! Black and white take turns, black first. A turn drops a stick of `k` cells into the board, upright or lying, where
//! its place at the top is free; it falls as a rigid piece until any part of it rests on a cell or on the floor, so it
//! may overhang. Or a turn calls a breakdown: all sticks fall apart, and every cell with air beneath it falls within its
//! column. Only the colours of cells matter, not which stick they came from.
//!
//! Whoever has a `q` by `q` square of cells of their colour wins, whoever moved; if both have one, the game is a draw.
//! It is also a draw when no stick fits anywhere and a breakdown would change nothing.
//!
//! [`Breakdown`] is the position as a value, fast on any size. [`Game`] is the document's game: boards of either
//! [`Kind`] that change, under [`rules`] written with nothing but get and set.

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
