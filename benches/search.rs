//! The solvers, in one run: `make bench`.
//!
//! Times are processor seconds, so a busy machine matters little; every value is asserted. The output is one JSON
//! object per line. The first argument that is not an option is the path of the compiled `perft_baseline.c`, whose
//! figure scales the bars to the machine. The second, which is optional, is the path of another Quarto solver to
//! compare with: called with `game` or with a number of pieces and of random positions, it prints `N s` or
//! `mean N ms`. It and petteia alternate, and both are timed by wall clock, best of three. `--only=quarto`, another
//! game or `evaluation` skips the rest.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use cpu_time::ProcessTime;
use petteia::prelude::*;
use petteia::quarto::drawn_boards;
use petteia::search::perft::{PerftOptions, perft_with};
use petteia::{AnalysisOptions, Breakdown, Quarto, Reversi, Rng, SolveOptions, evaluate};

/// The baseline's leaves per second on the machine that the bars were measured on.
const REFERENCE: f64 = 105e6;

/// Runs the C program a few times and returns its best leaves per second.
fn perft_baseline(program: &str) -> f64 {
    let rate = |_| {
        let output = Command::new(program).args(["8", "8", "10"]).output().expect("the baseline runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words[0], "24571192", "the baseline counts right");
        words[words.len() - 2].parse::<f64>().expect("leaves per second")
    };
    (0..5).map(rate).fold(0.0, f64::max)
}

/// Runs perft from the diagonal start to a depth of twelve.
fn perft(table_bytes: Option<usize>) -> u64 {
    const DIAGONAL: &str = "________/________/________/___LD___/___DL___/________/________/________ D";
    let options = PerftOptions { table_bytes, ..PerftOptions::default() };
    let count = perft_with(&DIAGONAL.parse::<Reversi>().expect("a position"), 12, &options);
    assert_eq!(count, Ok(TWELVE_PLIES));
    TWELVE_PLIES
}

/// The perft of the diagonal start at a depth of twelve, according to the baseline.
const TWELVE_PLIES: u64 = 1_939_892_240;

/// Prints one measurement: the seconds, their upper limit, and the seconds of the other solver.
fn report(what: &str, seconds: f64, nodes: u64, bar: f64, peer: Option<f64>) {
    let peer = peer.map_or("null".to_owned(), |peer| format!("{peer:.6}"));
    println!(
        "{{\"what\": \"{what}\", \"seconds\": {seconds:.6}, \"nodes\": {nodes}, \"nodes_per_second\": {:.0}, \
         \"bar\": {bar:.6}, \"peer\": {peer}}}",
        nodes as f64 / seconds
    );
}

/// Times some work that returns its number of nodes.
fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let start = ProcessTime::now();
    let nodes = work();
    (start.elapsed().as_secs_f64(), nodes)
}

/// Solves the FFO endgames 40 to 44.
fn endgames() -> u64 {
    let options = SolveOptions { empties_to_winner: true, all_best: false, ..SolveOptions::default() };
    let lines = include_str!("../tests/data/ffo.txt").lines().filter(|line| line.starts_with('4'));
    let scores = [38, 0, 6, -12, -14];
    let solved = lines.zip(scores).map(|(line, score)| {
        let position: Reversi = line.split('\t').nth(1).expect("a position").parse().expect("a position");
        let solution = position.solve(&options).expect("a solution");
        assert_eq!(solution.value, score, "{line}");
        solution.nodes
    });
    solved.sum()
}

/// The FFO endgames 45 to 49 with their scores, empties to the winner (G. Andersson's test suite).
const HARDER: [(u32, &str, i32); 5] = [
    (45, "___DDDD_/D_DDDL__/DDLDLL__/DDDLDL__/DDLDDL__/_LDDDLL_/L_LLLL__/____LL__ D", 6),
    (46, "___DDD__/__LLLD__/__LLLDD_/_LLLLDDD/__LLLLDD/__LDLDDD/__DDLL__/_DDDD_L_ D", -8),
    (47, "_LLLLL__/__LLLL__/_LLLLD__/DDDDDD__/_LDLLD__/LLLDLD__/__LLDD__/__DDDD__ L", 4),
    (48, "_____D__/D_DDD___/DDDDLL__/DLDLLDD_/DLLDDD__/DLLDD___/__LLLD__/_DDDDDD_ L", 28),
    (49, "__LD_L__/__DDLL__/LLLLLDD_/LLLLLD__/LLLDLDD_/LLLLDD__/___LLD__/__D_L___ D", 16),
];

/// Solves one of the harder FFO endgames.
fn harder_endgame(text: &str, score: i32) -> u64 {
    let options = SolveOptions { empties_to_winner: true, all_best: false, ..SolveOptions::default() };
    let solution = text.parse::<Reversi>().expect("a position").solve(&options).expect("a solution");
    assert_eq!(solution.value, score, "{text}");
    solution.nodes
}

/// Returns positions of the 8 by 8 board from random games, with so many tiles.
fn reversi_positions(tiles: usize, count: u64) -> Vec<Reversi> {
    let position = |game| {
        let mut rng = Rng::for_game(9, game);
        let mut position = Reversi::default();
        while position.tiles().iter().map(|set| set.len()).sum::<usize>() < tiles {
            let Some(m) = position.moves().choose(&mut rng) else { break };
            position.play_unchecked(m);
        }
        position
    };
    (0..count).map(position).filter(|position| !position.is_over()).collect()
}

/// Evaluates positions, each many times, and returns the number of evaluations.
fn evaluations(positions: &[Reversi], times: u64) -> u64 {
    let mut sum = 0.0;
    for _ in 0..times {
        let estimates = positions.iter().map(|position| evaluate(black_box(position)).expect("in progress"));
        sum += estimates.map(|estimate| estimate.win + estimate.draw + estimate.loss).sum::<f64>();
    }
    let count = times * positions.len() as u64;
    assert!((sum - count as f64).abs() < 1e-3, "the probabilities of each add up to 1");
    count
}

/// Searches positions to a depth, and returns the number of nodes.
fn alphabeta(positions: &[Reversi], depth: u32) -> u64 {
    let options = AnalysisOptions { depth: Some(depth), ..AnalysisOptions::default() };
    let nodes = positions.iter().map(|position| {
        let analysis = position.analyse(&options).expect("an analysis");
        assert_eq!(analysis.depth, depth);
        analysis.nodes
    });
    nodes.sum()
}

/// Returns random positions with this many pieces placed and one in hand that does not win at once.
fn quarto_positions(placed: u32, count: usize) -> Vec<Quarto> {
    let mut found = Vec::new();
    for game in 0.. {
        let mut rng = Rng::for_game(5, game);
        let mut position = Quarto::default();
        while !(position.placed() == placed && position.hand().is_some()) {
            let Some(m) = position.moves().choose(&mut rng) else { break };
            position.play_unchecked(m);
        }
        let hand = position.hand();
        if hand.is_some_and(|piece| position.winning_squares_for(piece) == 0) && !position.is_over() {
            found.push(position);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

fn quarto(positions: &[Quarto]) -> u64 {
    let options = SolveOptions { all_best: false, ..SolveOptions::default() };
    positions.iter().map(|position| position.solve(&options).expect("a solution").nodes).sum()
}

/// Proves that the whole game is a draw.
fn quarto_game() -> u64 {
    let options = SolveOptions { all_best: false, ..SolveOptions::default() };
    let solution = Quarto::default().solve(&options).expect("a solution");
    assert!(solution.exact && solution.value == 0);
    solution.nodes
}

/// Runs another Quarto solver and returns its seconds: the number before the unit in its output.
fn quarto_peer(program: &str, arguments: &[String]) -> f64 {
    let output = Command::new(program).args(arguments).output().expect("the other solver runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mean = words.iter().position(|word| *word == "mean");
    let (at, unit) = mean.map_or_else(
        || (words.iter().position(|word| word.trim_end_matches(',') == "s").expect("seconds") - 1, 1.0),
        |mean| (mean + 1, 1e-3),
    );
    words[at].parse::<f64>().expect("a time") * unit
}

/// Measures work on this many Quarto positions, and the other solver on the same kind, if there is one.
fn quarto_row(what: &str, count: usize, work: impl Fn() -> u64, peer: Option<(&str, &[String])>, bar: f64) {
    let Some((program, arguments)) = peer else {
        let (seconds, nodes) = timed(work);
        return report(what, seconds / count as f64, nodes / count as u64, bar, None);
    };
    let (mut best, mut best_peer, mut nodes) = (f64::MAX, f64::MAX, 0);
    for _ in 0..3 {
        best_peer = best_peer.min(quarto_peer(program, arguments));
        let start = Instant::now();
        nodes = work() / count as u64;
        best = best.min(start.elapsed().as_secs_f64() / count as f64);
    }
    report(what, best, nodes, 3.0 * best_peer, Some(best_peer));
}

/// Solves every Breakdown game with at most this many cells, and checks the counts of losses, draws and wins.
fn breakdown(cells: u32, expected: [u32; 3]) -> u64 {
    let (mut nodes, mut counts) = (0, [0; 3]);
    for width in 1..=cells {
        for height in 1..=cells / width {
            for stick in 1..=width.max(height) {
                for square in 1..=width.min(height) + 1 {
                    let position = Breakdown::new(width, height, stick, square).expect("a size");
                    let Ok(solution) = position.solve(&SolveOptions::default()) else { continue };
                    counts[(solution.value + 1) as usize] += 1;
                    nodes += solution.nodes;
                }
            }
        }
    }
    assert_eq!(counts, expected);
    nodes
}

/// Solves a small Reversi board from the empty start.
fn small_board(width: usize, height: usize, value: i32) -> u64 {
    let options = SolveOptions { all_best: false, ..SolveOptions::default() };
    let solution = Reversi::new(width, height).expect("a size").solve(&options).expect("a solution");
    assert_eq!(solution.value, value, "{width}x{height}");
    solution.nodes
}

fn main() {
    let mut programs = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let Some(program) = programs.next() else {
        // `cargo test` runs benches too, without arguments: nothing to measure then.
        return;
    };
    let peer = programs.next();
    let only = std::env::args().find_map(|argument| argument.strip_prefix("--only=").map(str::to_owned));
    let asked = |game: &str| only.as_ref().is_none_or(|only| only == game);
    let baseline = perft_baseline(&program);
    let slower = REFERENCE / baseline;
    if asked("reversi") {
        reversi_rows(baseline);
    }
    if asked("evaluation") {
        evaluation_rows(baseline);
    }
    if asked("quarto") {
        quarto_rows(slower, peer.as_deref());
    }
    if asked("breakdown") {
        let (seconds, nodes) = timed(|| breakdown(20, [0, 749, 609]));
        let what = "Breakdown, all boards of at most 20 cells, every stick and square";
        report(what, seconds, nodes, 30.0 * slower, None);
    }
}

fn reversi_rows(baseline: f64) {
    let slower = REFERENCE / baseline;
    for (how, table_bytes, times) in [("", None, 3.3), (", with a table of 32 MB", Some(32 << 20), 16.0)] {
        let (seconds, leaves) = timed(|| perft(table_bytes));
        let what = format!("Reversi perft, diagonal start, depth 12{how} ({times} times perft_baseline.c)");
        report(&what, seconds, leaves, leaves as f64 / (times * baseline), None);
    }
    let (seconds, nodes) = timed(endgames);
    report("Reversi endgames FFO 40 to 44, one best move", seconds, nodes, 12.0 * slower, None);
    for (number, text, score) in HARDER {
        let (seconds, nodes) = timed(|| harder_endgame(text, score));
        // There is no bar for these.
        report(&format!("Reversi endgame FFO {number}, one best move"), seconds, nodes, seconds, None);
    }
    let boards = [(4, 7, 24, 3.0), (5, 5, 24, 3.0), (3, 8, 24, 3.0), (5, 6, 12, 30.0)];
    for (width, height, value, bar) in boards {
        let (seconds, nodes) = timed(|| small_board(width, height, value));
        report(&format!("Reversi {width}x{height} from the empty board"), seconds, nodes, bar * slower, None);
    }
}

fn evaluation_rows(baseline: f64) {
    let slower = REFERENCE / baseline;
    let positions = reversi_positions(30, 1000);
    // The first evaluation unpacks the weights.
    evaluations(&positions, 1);
    let (seconds, count) = timed(|| evaluations(&positions, 1000));
    let what = "Reversi 8x8, evaluations of random positions with 30 tiles (60 ns each)";
    report(what, seconds, count, 60e-9 * count as f64 * slower, None);
    let (seconds, nodes) = timed(|| alphabeta(&positions[..20], 12));
    let what = "Reversi 8x8, alpha-beta to 12 plies, 20 positions (8 million nodes a second)";
    report(what, seconds, nodes, nodes as f64 / 8e6 * slower, None);
}

fn quarto_rows(slower: f64, peer: Option<&str>) {
    if peer.is_none() {
        eprintln!("no path of another Quarto solver was given: Quarto is measured without comparison");
    }
    for (placed, count, mean) in [(6, 500, 0.75e-3), (4, 50, 52e-3)] {
        let positions = quarto_positions(placed, count);
        let what = format!("Quarto, random position with {placed} pieces placed, mean of {count}");
        let arguments = [placed.to_string(), count.to_string()];
        let peer = peer.map(|program| (program, &arguments[..]));
        quarto_row(&what, count, || quarto(&positions), peer, 3.0 * mean * slower);
    }
    let arguments = ["game".to_owned()];
    let peer = peer.map(|program| (program, &arguments[..]));
    quarto_row("Quarto, the whole game", 1, quarto_game, peer, 3.0 * 7.3 * slower);
    let (seconds, boards) = timed(drawn_boards);
    assert_eq!(boards, 414_298_141_056);
    report("Quarto, drawn full boards counted", seconds, boards, 0.5 * slower, None);
}
