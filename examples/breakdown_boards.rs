//! Solves the empty boards of Breakdown, for the tables in docs/results.md: `cargo run --release --example
//! breakdown_boards -- JOURNAL [CELLS [SECONDS]]`.
//!
//! All boards of at most CELLS cells (default 30) are solved with every stick of up to max(width, height) + 1 and
//! every square of up to min(width, height) + 1, for at most SECONDS (default 3600) each. Each result is appended to
//! the journal as one line: with the same journal, the command resumes after the last complete line. Boards that
//! stayed open are tried again if SECONDS has grown.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;

use petteia::prelude::*;
use petteia::{Breakdown, SolveOptions};

/// Width, height, stick and square.
type Board = [u32; 4];

/// The result for a board: bounds on black's value, and how long it took to find them.
#[derive(Clone, Copy)]
struct Known {
    lower: i32,
    upper: i32,
    seconds: f64,
}

fn parse(line: &str) -> Option<(Board, Known)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [width, height, stick, square, lower, upper, _nodes, seconds] = words[..] else { return None };
    let board = [width.parse().ok()?, height.parse().ok()?, stick.parse().ok()?, square.parse().ok()?];
    let known =
        Known { lower: lower.parse().ok()?, upper: upper.parse().ok()?, seconds: seconds.parse().ok()? };
    Some((board, known))
}

/// Returns the boards in the order in which they are solved: small ones first.
fn boards(cells: u32) -> Vec<Board> {
    let mut boards = Vec::new();
    for (width, height) in
        (1..=cells).flat_map(|width| (1..=cells / width).map(move |height| (width, height)))
    {
        for stick in 1..=width.max(height) + 1 {
            boards.extend((1..=width.min(height) + 1).map(|square| [width, height, stick, square]));
        }
    }
    boards.sort_by_key(|&[width, height, ..]| width * height);
    boards
}

/// Writes the table: a row for each size and stick, a column for each square.
fn write_table(known: &BTreeMap<Board, Known>) {
    let most = known.keys().map(|board| board[3]).max().unwrap_or(0);
    let columns: Vec<String> = (1..=most).map(|square| format!("q {square}")).collect();
    println!("| w x h | k | {} |", columns.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(most as usize));
    let mut rows: BTreeMap<(u32, u32, u32, u32), Vec<&str>> = BTreeMap::new();
    for (&[width, height, stick, _], known) in known {
        let cell = match (known.lower, known.upper) {
            (1, _) => "win",
            (0, 0) => "draw",
            (_, -1) => "loss",
            (0, 1) => "win or draw",
            (-1, 0) => "draw or loss",
            _ => "open",
        };
        rows.entry((width * height, width, height, stick)).or_default().push(cell);
    }
    for ((_, width, height, stick), mut cells) in rows {
        cells.resize(most as usize, "");
        println!("| {width} x {height} | {stick} | {} |", cells.join(" | "));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| match arguments.get(at) {
        Some(text) => text.parse().map_err(|_| format!("{text:?}: expected a number")),
        None => Ok(default),
    };
    let [journal, ..] = &arguments[..] else {
        return Err("usage: breakdown_boards JOURNAL [CELLS [SECONDS]]".into());
    };
    let (cells, limit) = (number(1, 30)?, number(2, 3600)?);
    let mut file = OpenOptions::new().create(true).append(true).open(journal)?;
    let text = fs::read_to_string(journal)?;
    // Drops a last line that was cut off when the command was stopped.
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    let mut known = BTreeMap::new();
    for line in text[..whole].lines() {
        let (board, entry) = parse(line).ok_or_else(|| format!("{journal}: invalid line {line:?}"))?;
        known.insert(board, entry);
    }
    for board in boards(cells) {
        let [width, height, stick, square] = board;
        let done = |known: &Known| known.lower == known.upper || known.seconds >= f64::from(limit);
        if known.get(&board).is_some_and(done) {
            continue;
        }
        let start = Breakdown::new(width, height, stick, square)?;
        let time_limit = Some(Duration::from_secs(limit.into()));
        let solution = match start.score(false) {
            // The game is over from the start: no stick fits.
            Some(score) => (score, score, 0, 0.0),
            None => {
                let found =
                    start.solve(&SolveOptions { all_best: false, time_limit, ..SolveOptions::default() })?;
                (found.lower, found.upper, found.nodes, found.seconds)
            }
        };
        let (lower, upper, nodes, seconds) = solution;
        let line = format!("{width} {height} {stick} {square} {lower} {upper} {nodes} {seconds:.2}\n");
        file.write_all(line.as_bytes())?;
        file.sync_data()?;
        known.insert(board, Known { lower, upper, seconds });
    }
    known.retain(|board, _| board[0] * board[1] <= cells);
    write_table(&known);
    let open = known.values().filter(|known| known.lower < known.upper).count();
    let seconds: f64 = known.values().map(|known| known.seconds).sum();
    println!("\n{} boards, {open} of them open, {seconds:.0} s of solving.", known.len());
    Ok(())
}
