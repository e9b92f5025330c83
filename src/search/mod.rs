//! Counting and searching, written over [`Position`](crate::Position) for all games.

pub mod mcts;
pub mod perft;
pub mod solve;

mod clock;
mod minimax;
mod root;
mod table;

pub(crate) use clock::{Clock, Stopped};
pub(crate) use minimax::Hasher;
pub(crate) use root::{Searcher, solve_with};
pub(crate) use solve::{Options, SolveError};
pub(crate) use table::Table;

/// Returns how many threads to use where some number is asked for: one at least, and no more than any machine gains from.
pub(crate) fn thread_count(asked: usize) -> usize {
    asked.clamp(1, 256)
}
