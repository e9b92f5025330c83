//! Counting and searching, generic over [`Engine`](crate::Engine).

pub mod analysis;
pub mod estimate;
pub mod mcts;
pub mod perft;
pub mod puct;
pub mod reasons;
pub mod solve;

mod alphabeta;
mod clock;
mod deepening;
mod memory;
mod minimax;
mod root;
mod shown;
mod table;
mod traps;

pub(crate) use clock::Clock;
pub use memory::Memory;
pub(crate) use minimax::Hasher;
pub(crate) use root::{Searcher, solve_with};
pub(crate) use table::Table;
