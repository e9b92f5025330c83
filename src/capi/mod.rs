//! The C ABI: the functions that `include/petteia.h` and `include/breakdown.h` declare.
//!
//! The test `headers` generates both from these files, a section from each. Names are written as C has them, and doc
//! comments are for C programmers. A parameter that is an enum in C arrives as a plain integer (the `Raw…` aliases) and
//! is checked, since C can put any number in an enum. Every body runs inside [`guard::guard`], which turns errors and
//! panics into what the header promises.
//!
//! What is about one game is in that game's own file. All else reads the core's one list of games.

// The border to C is raw pointers; nothing but this folder and the documented fast paths needs unsafe code.
#![allow(unsafe_code)]
// Names are C's own, so that a header reads like its source.
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

mod breakdown;
mod breakdown_position;
mod clib;
mod game;
mod guard;
mod moves;
mod position;
mod quarto;
mod record;
mod reversi;
mod solve;
mod status;
mod tictac;
mod vector;
