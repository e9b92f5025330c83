//! Solving.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, Io};
use crate::any::AnyPosition;
use crate::search::solve::Watch;
use crate::{Options, Position, Progress, Solution, SolveError, with_position};

/// What one solution looks like once its moves are written down.
struct Answer {
    value: i32,
    best: Vec<String>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    exact: bool,
    bounds: (i32, i32),
}

fn answer<P: Position>(position: &P, options: &Options) -> Result<Answer, SolveError> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let written = |moves: Vec<P::Move>| moves.iter().map(ToString::to_string).collect();
    let (best, line) = (written(best_moves), written(line));
    Ok(Answer { value, best, line, nodes, seconds, exact, bounds: (lower, upper) })
}

/// What may be asked for on the command line.
pub(super) struct Wishes {
    pub(super) one: bool,
    pub(super) empties_to_winner: bool,
    pub(super) node_limit: Option<u64>,
    pub(super) time_limit: Option<f64>,
    pub(super) threads: Option<u32>,
    pub(super) table_mb: Option<u32>,
    pub(super) json: bool,
}

/// Solves a position, and prints its value, the best moves and the line of best play.
pub(super) fn solve(io: &mut Io, position: &AnyPosition, wishes: &Wishes) -> Result<u8, Failure> {
    let bar = io.progress.then(|| ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner()));
    let watch = |news: &Progress| {
        if let Some(bar) = &bar {
            let Progress { nodes, seconds, lower, upper } = *news;
            bar.set_message(format!("{nodes} nodes, {seconds:.0} s, value from {lower} to {upper}"));
            bar.tick();
        }
        ControlFlow::Continue(())
    };
    let options = Options {
        all_best: !wishes.one,
        empties_to_winner: wishes.empties_to_winner,
        node_limit: wishes.node_limit,
        // A time too long to be written as one is as good as none.
        time_limit: wishes.time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        threads: wishes.threads.map_or(1, |threads| threads as usize),
        table_bytes: wishes.table_mb.map(|megabytes| (megabytes as usize) << 20),
        watch: bar.as_ref().map(|_| &watch as Watch),
    };
    let answer = with_position!(position, position => answer(position, &options));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let answer = answer.map_err(|error| Failure::Complaint(error.to_string()))?;
    let Answer { value, best, line, nodes, seconds, exact, bounds: (lower, upper) } = answer;
    if wishes.json {
        let (game, text) = (position.game(), with_position!(position, position => position.text()));
        // Neither positions nor moves have a character that JSON would want escaped.
        let list = |moves: &[String]| moves.iter().map(|m| format!("\"{m}\"")).collect::<Vec<_>>().join(", ");
        writeln!(
            io.output,
            "{{\"game\": \"{game}\", \"position\": \"{text}\", \"value\": {value}, \"best_moves\": [{}], \
             \"line\": [{}], \"nodes\": {nodes}, \"seconds\": {seconds:.6}, \"exact\": {exact}, \
             \"lower\": {lower}, \"upper\": {upper}}}",
            list(&best),
            list(&line)
        )?;
        return Ok(0);
    }
    if exact {
        writeln!(io.output, "value {value}")?;
    } else {
        writeln!(io.output, "value from {lower} to {upper}: a limit was hit")?;
    }
    for (name, moves) in [("best", best), ("line", line)] {
        if !moves.is_empty() {
            writeln!(io.output, "{name} {}", moves.join(" "))?;
        }
    }
    writeln!(io.output, "{nodes} nodes, {seconds:.3} s")?;
    Ok(0)
}
