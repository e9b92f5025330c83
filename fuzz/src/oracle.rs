//! The tests' oracles: slow programs, written from the documents alone.

#![allow(dead_code)]

#[path = "../../tests/oracle/breakdown.rs"]
pub mod breakdown;
#[path = "../../tests/oracle/quarto.rs"]
pub mod quarto;
#[path = "../../tests/oracle/reversi.rs"]
pub mod reversi;
#[path = "../../tests/oracle/tictac.rs"]
pub mod tictac;
