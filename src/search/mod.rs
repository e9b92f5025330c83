//! Counting and searching, written over [`Position`](crate::Position) for all games.

pub mod perft;
