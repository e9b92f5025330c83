//! The C ABI: the functions that `include/petteia.h` and `include/breakdown.h` declare.
//!
//! Both headers are generated from these files, one section a file, by the test `headers`: names are written here as C
//! has them, and doc comments are read by C programmers. Parameters that are enums in C arrive as plain integers (the
//! `Raw…` aliases) and are checked, since C can put any number in an enum. Every body runs inside [`guard::guard`],
//! which turns errors and panics into what the header promises.

// The border to C is raw pointers; nothing but this folder and the documented fast paths needs unsafe code.
#![allow(unsafe_code)]
// Names are C's own, so that a header reads like its source.
#![allow(non_camel_case_types, clippy::upper_case_acronyms)]

mod breakdown;
mod breakdown_position;
mod clib;
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
