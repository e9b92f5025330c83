//! How late long calls stop, on boards of all sizes: `cargo bench --bench limits`.
//!
//! Every call is told to stop after a tenth of a second. The output is one JSON object per line, with the milliseconds
//! from then until it returned: the worst of three. Arguments are parts of the names of calls, or sizes of boards, to
//! measure no others: `-- self-play 400x400`.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use petteia::prelude::*;
use petteia::selfplay::Selfplay;
use petteia::vector::{Batch, Illegal, VectorEnv};
use petteia::work::Watch;
use petteia::{
    AnalysisOptions, Bot, Breakdown, Contest, Effort, PerftOptions, PlayoutOptions, Progress, Rng,
    SolveOptions, TreeOptions, mcts, perft_with, playouts_with,
};

const LIMIT: Duration = Duration::from_millis(100);

/// Prints how late a call returns, unless others are asked for.
fn lateness(what: &str, board: &Breakdown, call: impl Fn(Watch<'_>)) -> f64 {
    let size = format!("{}x{}", board.width(), board.height());
    let is_asked = |argument: String| argument == size || what.contains(&argument);
    if !std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).all(is_asked) {
        return 0.0;
    }
    let late = |_| {
        let start = Instant::now();
        let watch =
            || if start.elapsed() < LIMIT { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        call(&watch);
        start.elapsed().saturating_sub(LIMIT).as_secs_f64() * 1e3
    };
    let worst = (0..3).map(late).fold(0.0, f64::max);
    println!("{{\"call\": \"{what}\", \"board\": \"{size}\", \"late_ms\": {worst:.1}}}");
    worst
}

fn main() {
    let sizes = [
        (7, 6),
        (11, 11),
        (30, 30),
        (100, 100),
        (400, 400),
        (1000, 1000),
        (1 << 14, 1 << 14),
        (1, 1 << 28),
        (1 << 20, 1 << 8),
    ];
    let mut worst = 0.0f64;
    for (width, height) in sizes {
        let board = Breakdown::new(width, height, 2, 3).expect("a board");
        let mut call = |what: &str, call: &dyn Fn(Watch<'_>)| {
            worst = worst.max(lateness(what, &board, call));
        };
        call("solve, time limit", &|_| {
            let options = SolveOptions { time_limit: Some(LIMIT), ..SolveOptions::default() };
            _ = black_box(board.solve(&options));
        });
        call("solve, callback", &|watch| {
            let watch = |_: &Progress| watch();
            let options = SolveOptions { threads: 2, watch: Some(&watch), ..SolveOptions::default() };
            _ = black_box(board.solve(&options));
        });
        call("mcts, time limit", &|_| {
            let options =
                TreeOptions { simulations: u64::MAX, time_limit: Some(LIMIT), ..TreeOptions::default() };
            _ = black_box(mcts(&board, &options));
        });
        call("mcts, callback", &|watch| {
            let watch = |_| watch();
            let options =
                TreeOptions { simulations: u64::MAX, watch: Some(&watch), ..TreeOptions::default() };
            _ = black_box(mcts(&board, &options));
        });
        call("analyse, time limit", &|_| {
            let options = AnalysisOptions { time_limit: Some(LIMIT), ..AnalysisOptions::default() };
            _ = black_box(board.analyse(&options));
        });
        call("analyse, callback", &|watch| {
            let watch = |_: &Progress| watch();
            let nodes = Some(u64::MAX);
            let options =
                AnalysisOptions { node_limit: nodes, watch: Some(&watch), ..AnalysisOptions::default() };
            _ = black_box(board.analyse(&options));
        });
        call("player alphabeta, time limit", &|_| {
            black_box(Bot::AlphaBeta(Effort::Time(LIMIT)).choose(&board, &mut Rng::new(1)));
        });
        for bot in [
            Bot::Myopic,
            Bot::Mcts(u64::MAX),
            Bot::Perfect(u64::MAX),
            Bot::AlphaBeta(Effort::Nodes(u64::MAX)),
        ] {
            call(&format!("player {bot}"), &|watch| {
                black_box(bot.choose_watched(&board, &mut Rng::new(1), watch));
            });
        }
        for bot in [Bot::Random, Bot::Myopic, Bot::Mcts(1000), Bot::Perfect(1_000_000)] {
            call(&format!("match of {bot}"), &|watch| {
                let contest =
                    Contest { bots: [bot; 2], games: u64::MAX, watch: Some(watch), ..Contest::default() };
                _ = black_box(contest.play(&board));
            });
        }
        for threads in [1, 2] {
            call(&format!("perft, {threads} threads"), &|watch| {
                let options = PerftOptions { threads, watch: Some(watch), ..PerftOptions::default() };
                _ = black_box(perft_with(&board, 30, &options));
            });
        }
        call("playouts", &|watch| {
            let watch = |_| watch();
            let options = PlayoutOptions { threads: 1, watch: Some(&watch), ..PlayoutOptions::default() };
            _ = black_box(playouts_with(&board, 0..u64::MAX, 7, &options));
        });
        call("self-play", &|watch| {
            _ = black_box(Selfplay { watch, ..Selfplay::default() }.play(&board, 0..u64::MAX));
        });
        if width * height <= 1 << 20 {
            call("rollout", &|watch| {
                let mut env = VectorEnv::new(board.clone(), 64, 7, 1, Illegal::Refuse).expect("a batch");
                let start = Instant::now();
                let watch = || if start.elapsed() < LIMIT { ControlFlow::Continue(()) } else { watch() };
                while black_box(env.rollout_watched(u64::MAX, &watch)).is_ok() && watch().is_continue() {}
            });
        }
    }
    println!("{{\"call\": \"worst\", \"late_ms\": {worst:.1}}}");
}
