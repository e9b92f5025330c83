//! The engines against their baselines, in one run: `make bench`.
//!
//! Every figure is the best of a few rounds, in which petteia and its baseline alternate, so that a busy machine slows
//! both. Each measurement asserts its counts. The output is one JSON object per line; the first argument that is not
//! an option is the path of the compiled `perft_baseline.c`.

use std::process::Command;

use cpu_time::ProcessTime;
use petteia::breakdown::{Cell, GameOutcome, MatrixBoard, rules};
use petteia::prelude::*;
use petteia::tictac::{Mark, Verdict, evaluate};
use petteia::{Breakdown, Quarto, Reversi, Rng, Tally, TicTac};

const ROUNDS: usize = 5;
const DIAGONAL: &str = "________/________/________/___LD___/___DL___/________/________/________ D";

/// Times one run and returns the units of work per second of processor time, as the baseline does.
fn rate(work: f64, run: impl FnOnce()) -> f64 {
    let start = ProcessTime::now();
    run();
    work / start.elapsed().as_secs_f64()
}

/// Prints one measurement: the figure, its baseline, and the required ratio.
fn report(what: &str, unit: &str, figure: f64, baseline: &str, baseline_figure: f64, asked: f64) {
    let ratio = figure / baseline_figure;
    println!(
        "{{\"what\": \"{what}\", \"unit\": \"{unit}\", \"figure\": {figure:.0}, \"baseline\": \"{baseline}\", \
         \"baseline_figure\": {baseline_figure:.0}, \"ratio\": {ratio:.3}, \"asked\": {asked}}}"
    );
}

/// Runs the C program and returns its leaves per second.
fn perft_baseline(program: &str, depth: u32, leaves: u64) -> f64 {
    let output =
        Command::new(program).args(["8", "8", &depth.to_string()]).output().expect("the baseline runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words[0], leaves.to_string(), "the baseline counts right");
    words[words.len() - 2].parse().expect("leaves per second")
}

/// Plays out games in bulk and checks the first of them against the plain loop.
fn playouts<P: Engine>(start: &P, games: u64, seed: u64) -> f64 {
    let mut one_by_one = Tally::default();
    for game in 0..100 {
        let (outcome, plies) = start.playout(&mut Rng::for_game(seed, game));
        one_by_one.record(outcome, plies);
    }
    assert_eq!(start.playouts(0..100, seed), one_by_one);
    rate(games as f64, || assert_eq!(start.playouts(0..games, seed).games(), games))
}

/// Plays the same random Breakdown games by the get and set rules on the matrix board.
fn matrix_playouts(width: u32, height: u32, stick: u32, square: u32, games: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    for game in 0..games {
        let mut rng = Rng::for_game(seed, game);
        let mut board = MatrixBoard::new(width, height).expect("the size is fine");
        let mut plies = 0;
        let outcome = loop {
            match rules::game_outcome(&board, stick, square).expect("cells") {
                GameOutcome::InProgress => {}
                GameOutcome::BlackWin => break Outcome::Win(Player::First),
                GameOutcome::WhiteWin => break Outcome::Win(Player::Second),
                GameOutcome::Draw => break Outcome::Draw,
            }
            let colour = if plies % 2 == 0 { Cell::Black } else { Cell::White };
            let drops = [true, false].into_iter().flat_map(|vertical| (0..width).map(move |c| (c, vertical)));
            let mut moves: Vec<Option<(u32, bool)>> = drops
                .filter(|&(c, vertical)| rules::has_room(&board, stick, c, vertical) == Ok(true))
                .map(Some)
                .collect();
            moves.push(None);
            match moves[rng.below(moves.len())] {
                Some((c, vertical)) => {
                    assert_eq!(rules::drop_stick(&mut board, stick, c, vertical, colour), Ok(true))
                }
                None => rules::breakdown(&mut board).expect("cells"),
            }
            plies += 1;
        };
        tally.record(outcome, plies);
    }
    tally
}

/// Returns the records of random games, with the verdict on each.
fn records(count: u64) -> Vec<(String, Verdict)> {
    let record = |game: u64| {
        let mut rng = Rng::for_game(11, game);
        let mut position = TicTac::new(if game % 2 == 0 { Mark::X } else { Mark::O });
        let mut text = String::new();
        while let Some(player) = position.turn() {
            let mark = position.marks()[player.index()];
            let square = position.moves().choose(&mut rng).expect("the game goes on");
            let comment = if rng.below(8) == 0 { " # a remark" } else { "" };
            text.push_str(&format!("{} {mark} {square}{comment}\n", position.ply() + 1));
            position.play_unchecked(square);
        }
        let winner =
            position.outcome().and_then(Outcome::winner).map(|player| position.marks()[player.index()]);
        let verdict = match winner {
            Some(Mark::X) => Verdict::XWins,
            Some(Mark::O) => Verdict::OWins,
            None => Verdict::Draw,
        };
        (text, verdict)
    };
    (0..count).map(record).collect()
}

fn main() {
    let program = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let program = program.expect("the path of the compiled perft_baseline.c");
    let diagonal: Reversi = DIAGONAL.parse().expect("a position");
    let breakdown = Breakdown::new(7, 6, 2, 3).expect("a size");
    let records = records(100_000);
    let bytes: usize = records.iter().map(|(text, _)| text.len()).sum();
    const BREAKDOWN_GAMES: u64 = 20_000;
    let matrix_tally = matrix_playouts(7, 6, 2, 3, BREAKDOWN_GAMES / 10, 3);
    assert_eq!(breakdown.playouts(0..BREAKDOWN_GAMES / 10, 3), matrix_tally);

    let mut best = [0f64; 8];
    for _ in 0..ROUNDS {
        let figures = [
            perft_baseline(&program, 10, 24_571_192),
            rate(24_571_192.0, || assert_eq!(diagonal.perft(10), 24_571_192)),
            playouts(&Reversi::default(), 200_000, 1),
            rate((BREAKDOWN_GAMES / 10) as f64, || {
                assert_eq!(matrix_playouts(7, 6, 2, 3, BREAKDOWN_GAMES / 10, 3), matrix_tally);
            }),
            playouts(&breakdown, BREAKDOWN_GAMES * 5, 3),
            playouts(&Quarto::default(), 400_000, 1),
            playouts(&TicTac::default(), 2_000_000, 1),
            rate(bytes as f64, || {
                assert!(records.iter().all(|(text, verdict)| evaluate(text.as_bytes()) == *verdict));
            }),
        ];
        for (best, figure) in best.iter_mut().zip(figures) {
            *best = best.max(figure);
        }
    }
    let [base, perft, reversi, matrix, bits, quarto, tictac, evaluated] = best;
    let leaves = "perft_baseline.c, leaves";
    report("Reversi perft, diagonal 8x8 start, depth 10", "leaves/s", perft, leaves, base, 3.0);
    report("Reversi 8x8 random playouts", "games/s", reversi, leaves, base, 0.0);
    report(
        "Breakdown 7x6, k 2, q 3, random playouts",
        "games/s",
        bits,
        "get/set rules on the matrix board",
        matrix,
        30.0,
    );
    report("Quarto random playouts", "games/s", quarto, leaves, base, 0.015);
    report("TicTac random playouts", "games/s", tictac, leaves, base, 0.08);
    report("TicTac records evaluated", "bytes/s", evaluated, "250 MB/s", 250e6, 1.0);
}
