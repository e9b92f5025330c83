//! The overhead of the C ABI: `make bench`.
//!
//! The same games are played alternately from C through the handle and by the same calls in Rust; the bits board of
//! Breakdown's assignment is read and written through `breakdown.h` and by hand. Every figure is the best of a few
//! rounds, in nanoseconds per call. The output is one JSON object per line. The first argument that is not an option
//! is the path of the compiled `capi.c`.

use std::process::Command;
use std::time::Instant;

use petteia::prelude::*;
use petteia::{Breakdown, Quarto, Reversi, TicTac};

const ROUNDS: usize = 7;
const PLIES: u32 = 1_000_000;

/// Plays games as `capi.c` does, and returns the sum of all actions and the nanoseconds per call.
fn play<P: Actions>(start: &P) -> (u64, f64) {
    let mut state = 88_172_645_463_325_252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut game, mut sum, mut actions) = (start.clone(), 0, [0u32; 256]);
    let begin = Instant::now();
    for _ in 0..PLIES {
        let moves = game.moves();
        let count = moves.len();
        for (place, m) in actions.iter_mut().zip(moves) {
            *place = game.action_of_legal(&m) as u32;
        }
        let action = actions[(next() % count as u64) as usize];
        sum += u64::from(action);
        game.play(game.move_of(action as usize).expect("an action")).expect("it is legal");
        if game.outcome().is_some() {
            game = start.clone();
        }
    }
    (sum, begin.elapsed().as_secs_f64() * 1e9 / (3.0 * f64::from(PLIES)))
}

/// Runs the C program and returns the numbers it prints.
fn numbers(program: &str, arguments: &[&str]) -> Vec<f64> {
    let output = Command::new(program).args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{program} {arguments:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn report(what: &str, figure: f64, baseline: &str, baseline_figure: f64, asked: &str) {
    println!(
        "{{\"what\": \"{what}\", \"figure\": {figure:.2}, \"baseline\": \"{baseline}\", \
         \"baseline_figure\": {baseline_figure:.2}, \"asked\": \"{asked}\"}}"
    );
}

/// Compares a game through the handle with the same game in Rust.
fn handle<P: Actions + Declared>(program: &str, start: &P) {
    let (mut rust, mut c) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let (sum, here) = play(start);
        let there = numbers(program, &["handle", P::NAME, &start.parameters(), &PLIES.to_string()]);
        assert_eq!(there[0] as u64, sum, "both play the same games");
        (rust, c) = (rust.min(here), c.min(there[1]));
    }
    let what = format!("{}: legal moves, play, outcome through the handle", P::NAME);
    report(&what, c, "the same calls in Rust", rust, "at most 40 ns more");
}

fn main() {
    let program = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let program = program.expect("the path of the compiled capi.c");
    handle(&program, &TicTac::default());
    handle(&program, &Breakdown::new(7, 6, 2, 3).expect("a size"));
    handle(&program, &Reversi::default());
    handle(&program, &Quarto::default());

    let rounds = (0..ROUNDS).map(|_| numbers(&program, &["board"]));
    let best = rounds.reduce(|a, b| a.iter().zip(b).map(|(a, b)| a.min(b)).collect());
    let [get, hand_get, set, hand_set] = best.expect("rounds")[..] else { panic!("four figures") };
    report("board_get on bits", get, "by hand in C, -O2", hand_get, "at most 3 times");
    report("board_set on bits", set, "by hand in C, -O2", hand_set, "at most 3 times");
}
