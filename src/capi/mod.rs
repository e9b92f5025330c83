//! The C ABI: the functions declared in `include/petteia.h` and `include/breakdown.h`.
//!
//! The test `headers` generates both headers from these files, one section per file. Names are those of C, and doc
//! comments are written for C programmers. Enum parameters arrive as plain integers (the `Raw…` aliases) and are
//! checked, since C can put any number in an enum. Every body runs inside `guard::guard`, which turns errors and
//! panics into what the header promises.
//!
//! WebAssembly has no C library, and pages want less: there, what is for C programs alone is left out, and `wasm` is added.
//!
//! Code for a single game is in that game's file; everything else reads the core's list of games.

// C passes raw pointers; only this folder and the documented fast paths need unsafe code.
#![allow(unsafe_code)]
// The names are C's, so that a header reads like its source.
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

pub mod analysis;
pub mod bot;
#[cfg(not(target_family = "wasm"))]
pub mod breakdown;
#[cfg(not(target_family = "wasm"))]
pub mod breakdown_position;
#[cfg(not(target_family = "wasm"))]
mod clib;
#[cfg(not(target_family = "wasm"))]
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
#[cfg(not(target_family = "wasm"))]
pub mod quarto;
pub mod record;
#[cfg(not(target_family = "wasm"))]
pub mod reversi;
#[cfg(not(target_family = "wasm"))]
pub mod selfplay;
pub mod solve;
pub mod status;
#[cfg(not(target_family = "wasm"))]
pub mod tictac;
pub mod tree;
#[cfg(not(target_family = "wasm"))]
pub mod vector;
#[cfg(target_family = "wasm")]
mod wasm;
