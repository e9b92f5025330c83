#![doc = include_str!("../packaging/pages/crate.md")]
// There, what only C programs and the command call is left out.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

#[cfg(doctest)]
#[doc = include_str!("../docs/tutorials/rust.md")]
#[doc = include_str!("../docs/rust.md")]
mod tutorial {}

pub mod any;
pub mod breakdown;
// Hidden: C programs call it by the headers. It is public for the fuzz targets alone.
#[cfg(feature = "capi")]
#[doc(hidden)]
pub mod capi;
#[cfg(feature = "cli")]
pub mod cli;
#[doc(hidden)]
pub mod cpu;
pub mod prelude;
pub mod quarto;
pub mod reversi;
pub mod search;
pub mod selfplay;
pub mod svg;
pub mod tictac;
pub mod vector;
pub mod work;

mod bots;
mod contest;
mod engine;
mod error;
mod moves;
mod observe;
mod parameters;
mod playout;
mod position;
mod random;
mod reading;
mod record;
mod shortage;
mod starts;
mod sync;
mod time;

pub use bots::{Bot, Choice, Effort, Level};
pub use breakdown::Breakdown;
pub use contest::{Contest, Score};
pub use engine::{Engine, MAX_ADVANTAGE, Strength};
pub use error::{ArgumentError, IllegalMove, MemoryError, ParseError, SetupError, or_no_memory};
pub use moves::{BitMove, MoveSet, Moves};
pub use observe::Observe;
#[doc(hidden)]
pub use observe::OnCpu;
pub use parameters::{Declared, Parameter, Preset, Values, check_values};
pub use playout::{PlayoutOptions, Tally, playouts_by_mask, playouts_with};
pub use position::{Actions, Outcome, Player, Position, Symmetry};
pub use quarto::Quarto;
pub use random::Rng;
#[doc(hidden)]
pub use record::read_headers;
pub use record::{Headers, Record, RecordError};
pub use reversi::Reversi;
pub use search::Memory;
pub use search::analysis::{Analysis, AnalysisOptions, Line};
pub use search::estimate::{Estimate, evaluate};
pub use search::mcts::{Branch, Evaluator, Tree, TreeOptions, TreeWatch, mcts};
pub use search::perft::{PerftError, PerftOptions, perft_with};
pub use search::puct::{Noise, Puct, PuctOptions};
pub use search::reasons::{Among, Reason, explain};
pub use search::solve::{Progress, Solution, SolveError, SolveOptions, SolveWatch};
pub use starts::{Start, Starts, drawn_start};
pub use svg::Draw;
pub use tictac::TicTac;
