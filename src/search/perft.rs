//! Counting move sequences: the figure by which move generators are compared and checked.

use crate::Position;

/// Counts the move sequences of exactly `depth` plies, the last ply by its number of legal moves alone.
pub(crate) fn walk<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => position.moves().map(|m| walk(&position.after_unchecked(m), depth - 1)).sum(),
    }
}

/// Counts the move sequences of exactly `depth` plies from a position; see [`Position::perft`].
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    position.perft(depth)
}
