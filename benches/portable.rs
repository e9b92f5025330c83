//! The native side of `make bench-wasm`: work on one thread without the fast paths for certain processors, timed. Prints
//! a name and milliseconds, the least of some runs, for each; benches/wasm.mjs does the same work and compares.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use petteia::cpu::Portable;
use petteia::prelude::*;
use petteia::{Breakdown, PerftOptions, Progress, Quarto, Reversi, SolveOptions, TicTac, perft_with};

const RUNS: u32 = 3;

fn time<T>(name: &str, work: impl Fn() -> T) {
    let run = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    let least = (0..RUNS).map(|_| Portable::only(run)).fold(f64::INFINITY, f64::min);
    println!("{name}\t{least}");
}

fn perft<P: Engine>(name: &str, start: P, depth: u32, count: u64) {
    // As from JavaScript, which asks for it by way of C: with a watcher.
    let watch = || ControlFlow::Continue(());
    let options = PerftOptions { watch: Some(&watch), ..PerftOptions::default() };
    time(name, || assert_eq!(perft_with(&start, depth, &options), Ok(count)));
}

fn solve<P: Engine>(name: &str, position: P, value: i32) {
    let watch = |_: &Progress| ControlFlow::Continue(());
    let empties_to_winner = name.contains("reversi");
    let options =
        SolveOptions { empties_to_winner, all_best: true, watch: Some(&watch), ..SolveOptions::default() };
    time(name, || assert_eq!(position.solve(&options).expect("unfinished").value, value));
}

/// The position after so many plies, each played by a rule that needs no random numbers.
fn after<P: Position>(mut position: P, plies: usize) -> P {
    for ply in 0..plies {
        let moves: Vec<_> = position.moves().collect();
        position = position.after_unchecked(moves[7 * ply % moves.len()].clone());
    }
    position
}

fn main() {
    let start = "________/________/________/___LD___/___DL___/________/________/________ D";
    perft("perft reversi", start.parse::<Reversi>().expect("a start"), 10, 24_571_192);
    perft("perft tictac", TicTac::default(), 9, 127_872);
    perft("perft quarto", Quarto::default(), 6, 11_289_600);
    perft("perft breakdown", Breakdown::default(), 7, 646_982);
    let ffo40 = "L__LLLLD/_LLLLLLD/LLDDLLLD/LLDLLLDD/LLLLLLDD/___LLLLD/____L__D/________ D";
    solve("solve reversi", ffo40.parse::<Reversi>().expect("a position"), 38);
    solve("solve tictac", TicTac::default(), 0);
    solve("solve quarto", after(Quarto::default(), 12), 0);
    solve("solve breakdown", Breakdown::new(4, 4, 2, 2).expect("a board"), 1);
}
