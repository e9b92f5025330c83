//! The solvers, in one run: `make bench`.
//!
//! Times are processor seconds, so that a busy machine matters little; every value is asserted. One JSON object a line
//! goes to standard output; the first argument that is not an option is the path of the compiled `perft_baseline.c`,
//! whose figure scales the bars to the machine at hand.

use std::process::Command;

use cpu_time::ProcessTime;
use petteia::search::perft::{PerftOptions, perft_with};
use petteia::{Breakdown, Moves, Options, Position, Quarto, Reversi, Rng};

/// The baseline's leaves a second on the machine that the bars were measured on.
const REFERENCE: f64 = 105e6;

/// Runs the C program a few times and returns the most leaves a second that it made.
fn perft_baseline(program: &str) -> f64 {
    let rate = |_| {
        let output = Command::new(program).args(["8", "8", "10"]).output().expect("the baseline runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words[0], "24571192", "the baseline counts right");
        words[words.len() - 2].parse::<f64>().expect("leaves a second")
    };
    (0..5).map(rate).fold(0.0, f64::max)
}

/// Counts the sequences of twelve plies from the diagonal start.
fn perft(table_bytes: Option<usize>) -> u64 {
    const DIAGONAL: &str = "________/________/________/___LD___/___DL___/________/________/________ D";
    let options = PerftOptions { table_bytes, ..PerftOptions::default() };
    let count = perft_with(&DIAGONAL.parse::<Reversi>().expect("a position"), 12, &options);
    assert_eq!(count, Ok(TWELVE_PLIES));
    TWELVE_PLIES
}

/// How many sequences of twelve plies the diagonal start has, as the baseline counts them.
const TWELVE_PLIES: u64 = 1_939_892_240;

/// Prints one measurement: the seconds, and the most they should be on this machine.
fn report(what: &str, seconds: f64, nodes: u64, bar: f64) {
    println!(
        "{{\"what\": \"{what}\", \"seconds\": {seconds:.4}, \"nodes\": {nodes}, \"nodes_per_second\": {:.0}, \
         \"bar\": {bar:.4}}}",
        nodes as f64 / seconds
    );
}

/// Times some work that returns how many positions it searched.
fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let start = ProcessTime::now();
    let nodes = work();
    (start.elapsed().as_secs_f64(), nodes)
}

/// Solves the endgames of the suite from number 40 on.
fn endgames() -> u64 {
    let options = Options { empties_to_winner: true, all_best: false, ..Options::default() };
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

/// Returns random positions with so many pieces placed and one in hand that does not win at once.
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
    let options = Options { all_best: false, ..Options::default() };
    positions.iter().map(|position| position.solve(&options).expect("a solution").nodes).sum()
}

/// Solves every Breakdown game with at most so many cells; the counts of losses, draws and wins are known.
fn breakdown(cells: u32, expected: [u32; 3]) -> u64 {
    let (mut nodes, mut counts) = (0, [0; 3]);
    for width in 1..=cells {
        for height in 1..=cells / width {
            for stick in 1..=width.max(height) {
                for square in 1..=width.min(height) + 1 {
                    let position = Breakdown::new(width, height, stick, square).expect("a size");
                    let Ok(solution) = position.solve(&Options::default()) else { continue };
                    counts[(solution.value + 1) as usize] += 1;
                    nodes += solution.nodes;
                }
            }
        }
    }
    assert_eq!(counts, expected);
    nodes
}

/// Solves a small Reversi board from its empty start.
fn small_board(width: usize, height: usize, value: i32) -> u64 {
    let options = Options { all_best: false, ..Options::default() };
    let solution = Reversi::new(width, height).expect("a size").solve(&options).expect("a solution");
    assert_eq!(solution.value, value, "{width}x{height}");
    solution.nodes
}

fn main() {
    let program = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let Some(program) = program else {
        // `cargo test` runs benches too, without arguments: there is nothing to measure then.
        return;
    };
    let baseline = perft_baseline(&program);
    let slower = REFERENCE / baseline;
    for (how, table_bytes, times) in [("", None, 3.3), (", with a table of 32 MB", Some(32 << 20), 16.0)] {
        let (seconds, leaves) = timed(|| perft(table_bytes));
        let what = format!("Reversi perft, diagonal start, depth 12{how} ({times} times perft_baseline.c)");
        report(&what, seconds, leaves, leaves as f64 / (times * baseline));
    }
    let (seconds, nodes) = timed(endgames);
    report("Reversi endgames FFO 40 to 44, one best move", seconds, nodes, 2.0 * 17.1 * slower);
    let boards = [(4, 7, 24, 3.0), (5, 5, 24, 3.0), (3, 8, 24, 3.0), (5, 6, 12, 30.0)];
    for (width, height, value, bar) in boards {
        let (seconds, nodes) = timed(|| small_board(width, height, value));
        report(&format!("Reversi {width}x{height} from the empty board"), seconds, nodes, bar * slower);
    }
    for (placed, count, mean) in [(6, 500, 0.75e-3), (4, 50, 52e-3)] {
        let positions = quarto_positions(placed, count);
        let (seconds, nodes) = timed(|| quarto(&positions));
        let what = format!("Quarto, random position with {placed} pieces placed, mean of {count}");
        report(&what, seconds / count as f64, nodes / count as u64, 3.0 * mean * slower);
    }
    let (seconds, nodes) = timed(|| {
        let options = Options { all_best: false, ..Options::default() };
        let solution = Quarto::default().solve(&options).expect("a solution");
        assert_eq!(solution.value, 0);
        solution.nodes
    });
    report("Quarto, the whole game", seconds, nodes, 3.0 * 7.3 * slower);
    let (seconds, nodes) = timed(|| breakdown(20, [0, 749, 609]));
    report(
        "Breakdown, all boards of at most 20 cells, every stick and square",
        seconds,
        nodes,
        30.0 * slower,
    );
}
