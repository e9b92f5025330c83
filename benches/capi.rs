//! The overhead of the C ABI: `make bench`.
//!
//! The same games are played alternately from C through the handle and by the same calls in Rust; the bits board of
//! Breakdown's assignment is read and written through `breakdown.h` and by hand. What a search calls is compared with
//! an empty call, and the engine of `examples/c` with itself on bitboards written by hand. Every figure is the best of
//! a few rounds, in nanoseconds per call or node. The output is one JSON object per line. The arguments that are not
//! options are the paths of the compiled `capi.c`, `examples/c/engine.c` and `engine_by_hand.c`.

use std::process::Command;
use std::time::Instant;

use petteia::prelude::*;
use petteia::{Breakdown, Quarto, Reversi, TicTac};

const ROUNDS: usize = 7;
const PLIES: u32 = 1_000_000;

/// Returns the random numbers of `capi.c`.
fn numbers_of_c() -> impl FnMut() -> u64 {
    let mut state = 88_172_645_463_325_252u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Plays games as `capi.c` does, and returns the sum of all actions and the nanoseconds per call.
fn play<P: Actions>(start: &P) -> (u64, f64) {
    let mut next = numbers_of_c();
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

/// Returns what the kit's operations add up to in one round of `capi.c`: turns, moves and flips.
fn sums_of_kit() -> [u64; 4] {
    let (mut game, mut next) = (Reversi::default(), numbers_of_c());
    let [mut plies, mut turns, mut moves, mut flips] = [0, 0, 0u64, 0u64];
    for ply in 0.. {
        let legal: Vec<_> = game.moves().collect();
        let Some(turn) = game.turn() else { break };
        let square = legal[(next() % legal.len() as u64) as usize];
        if ply >= 4 {
            plies += 1;
            turns += turn.index() as u64;
            moves = moves.wrapping_add(game.legal().bits());
            let played = 1 << game.action_of_legal(&square);
            flips = flips.wrapping_add(game.gains(square).bits() & !played);
        }
        game.play(square).expect("it is legal");
    }
    [plies, turns, moves, flips]
}

/// Compares what a search calls with an empty call.
fn kit(program: &str) {
    const KIT_ROUNDS: u64 = 20_000;
    let [plies, turns, moves, flips] = sums_of_kit();
    let mut best = [f64::INFINITY; 8];
    for _ in 0..ROUNDS {
        let lines = numbers(program, &["kit"]);
        let sums: Vec<u64> = lines.iter().step_by(2).map(|sum| *sum as u64).collect();
        // The numbers are read as floating point, which has 53 bits.
        let rounded = |sum: u64| (sum.wrapping_mul(KIT_ROUNDS)) as f64 as u64;
        assert_eq!(sums[0], KIT_ROUNDS * (plies * (plies - 1) / 2), "calls");
        assert_eq!(sums[1], KIT_ROUNDS * turns, "turns");
        assert_eq!((sums[3], sums[4]), (rounded(moves), rounded(flips)), "moves and flips");
        assert!(sums[5..].iter().all(|&sum| sum == KIT_ROUNDS * plies), "copies, moves played and hashes");
        for (best, line) in best.iter_mut().zip(lines.iter().skip(1).step_by(2)) {
            *best = best.min(*line);
        }
    }
    let [empty, turn, is_legal, moves, flips, copy, copy_and_play, hash] = best;
    let row = |what: &str, figure: f64, asked: &str| report(what, figure, "make_pos", empty, asked);
    row("reversi: petteia_position_turn", turn, "at most 4 ns more");
    row("reversi: petteia_position_is_legal", is_legal, "at most 4 ns more");
    row("petteia_reversi_moves", moves, "at most 8 ns more");
    row("petteia_reversi_flips", flips, "");
    row("reversi: petteia_position_copy", copy, "at most 25 ns");
    row("reversi: petteia_position_play, less a copy", copy_and_play - copy, "at most 25 ns");
    row("reversi: petteia_position_hash", hash, "at most 10 ns");
}

/// Compares the example engine with the same on bitboards written by hand.
fn engine(programs: [&str; 2]) {
    // After the opening, with 13 tiles on the board.
    let position = "________/________/__LLD___/__LDD___/__LLDD__/____DDD_/________/________ L";
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let mut nodes = [0.0; 2];
        for (side, program) in programs.into_iter().enumerate() {
            let begin = Instant::now();
            let output = Command::new(program).args(["11", position]).output().expect("the engine runs");
            let seconds = begin.elapsed().as_secs_f64();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let count = text.trim().strip_suffix(" nodes").and_then(|text| text.rsplit(' ').next());
            nodes[side] = count.and_then(|count| count.parse().ok()).expect("a number of nodes");
            best[side] = best[side].min(seconds * 1e9 / nodes[side]);
        }
        assert!(nodes[0] == nodes[1] && nodes[0] > 1e6, "both visit the same nodes: {nodes:?}");
    }
    report(
        "examples/c/engine.c, a node",
        best[0],
        "bitboards by hand in C, -O2",
        best[1],
        "at most 1.11 times",
    );
}

fn main() {
    let programs: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [program, with_petteia, by_hand] = &programs[..] else {
        panic!("the paths of the compiled capi.c, engine.c and engine_by_hand.c");
    };
    handle(program, &TicTac::default());
    handle(program, &Breakdown::new(7, 6, 2, 3).expect("a size"));
    handle(program, &Reversi::default());
    handle(program, &Quarto::default());
    kit(program);
    engine([with_petteia, by_hand]);

    let rounds = (0..ROUNDS).map(|_| numbers(program, &["board"]));
    let best = rounds.reduce(|a, b| a.iter().zip(b).map(|(a, b)| a.min(b)).collect());
    let [get, hand_get, set, hand_set] = best.expect("rounds")[..] else { panic!("four figures") };
    report("board_get on bits", get, "by hand in C, -O2", hand_get, "at most 3 times");
    report("board_set on bits", set, "by hand in C, -O2", hand_set, "at most 3 times");
}
