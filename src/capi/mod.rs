//! The C ABI: the functions declared in `include/petteia.h` and `include/breakdown.h`.
//!
//! The test `headers` generates both headers from these files, one section per file. Names are those of C, and doc
//! comments are written for C programmers. Enum parameters arrive as plain integers (the `Raw…` aliases) and are
//! checked, since C can put any number in an enum. Every body runs inside `guard::guard`, which turns errors and
//! panics into what the header promises.
//!
//! Code for a single game is in that game's file; everything else reads the core's list of games.

// C passes raw pointers; only this folder and the documented fast paths need unsafe code.
#![allow(unsafe_code)]
// The names are C's, so that a header reads like its source.
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

pub mod analysis;
pub mod bot;
pub mod breakdown;
pub mod breakdown_position;
mod clib;
pub mod contest;
pub mod counting;
#[cfg(feature = "members")]
pub mod course;
pub mod game;
mod guard;
#[cfg(any(petteia_c_library, test))]
mod memory;
pub mod moves;
pub mod options;
pub mod position;
pub mod quarto;
pub mod record;
pub mod reversi;
pub mod selfplay;
pub mod solve;
pub mod status;
pub mod tictac;
pub mod tree;
pub mod vector;
