#![doc = include_str!("../README.md")]

pub mod any;
pub mod breakdown;
#[cfg(feature = "cli")]
pub mod cli;
pub mod quarto;
pub mod reversi;
pub mod search;
pub mod selfplay;
pub mod svg;
pub mod tictac;
pub mod vector;

mod bots;
#[cfg(feature = "capi")]
mod capi;
mod cpu;
mod moves;
mod observe;
mod playout;
mod position;
mod random;
mod reading;
mod record;

pub use bots::Bot;
pub use breakdown::Breakdown;
pub use moves::{BitMove, MoveSet, Moves};
pub use observe::Observe;
pub use playout::Tally;
pub use position::{IllegalMove, Outcome, ParseError, Player, Position};
pub use quarto::Quarto;
pub use random::Rng;
pub use record::{Record, RecordError};
pub use reversi::Reversi;
pub use search::mcts::{Branch, Tree, TreeOptions, TreeWatch, mcts};
pub use search::perft::perft;
pub use search::solve::{Options, Progress, Solution, SolveError, solve};
pub use tictac::TicTac;
