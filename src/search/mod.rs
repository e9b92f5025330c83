//! Counting and searching, generic over [`Engine`](crate::Engine).

pub mod mcts;
pub mod perft;
pub mod solve;

mod clock;
mod minimax;
mod root;
mod table;

pub(crate) use clock::Clock;
pub(crate) use minimax::Hasher;
pub(crate) use root::{Searcher, solve_with};
pub(crate) use table::Table;
