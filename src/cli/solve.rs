//! Solving positions.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{flag, listed, number};
use super::{Failure, Io, Program, shared};
use crate::any::Game;
use crate::{Engine, Progress, Solution, SolveError, SolveOptions, SolveWatch, with_game, with_position};

pub(super) const PROGRAM: Program = Program { name: "solve", executable: None, describe, run };

fn describe(command: Command) -> Command {
    let counting = |game: &&Game| with_game!(**game, G => <G as Engine>::COUNTS_SQUARES);
    let games: Vec<&Game> = Game::ALL.iter().filter(counting).collect();
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    let empties = format!("Counts empty squares for the winner at the end ({})", names.join(", "));
    let seconds = Arg::new("time-limit")
        .long("time-limit")
        .value_name("SECONDS")
        .allow_negative_numbers(true)
        .value_parser(read_seconds)
        .help("Stops after about this many seconds, with bounds on the value");
    command
        .about("Finds a position's exact value, its best moves and the principal variation")
        .arg(shared::game())
        .args(shared::start())
        .arg(flag("one", "Finds one best move only, which is faster"))
        .arg(flag("empties-to-winner", empties))
        .arg(
            number(
                "node-limit",
                "Stops after about this many positions, with bounds on the value",
                0..=u64::MAX,
            )
            .long("node-limit")
            .value_name("NODES"),
        )
        .arg(seconds)
        .args(shared::resources("Size of the transposition table in megabytes"))
        .arg(flag("json", "Prints one JSON object"))
        .after_help(format!(
            "The value is for the player to move: the disc difference in {}, else 1, 0 or -1. \
             The principal variation goes as far as it is cheap to find.\n\n\
             Example:\n  petteia solve reversi --width 4 --height 5",
            listed(games.iter().map(|game| game.title()))
        ))
}

/// Parses a number of seconds.
fn read_seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && number >= 0.0);
    number.ok_or_else(|| "expected a number of seconds, such as 1.5".to_owned())
}

/// A solution with its moves in notation.
struct Answer {
    value: i32,
    best: Vec<String>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    exact: bool,
    bounds: (i32, i32),
}

fn answer<P: Engine>(position: &P, options: &SolveOptions) -> Result<Answer, SolveError> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let written = |moves: Vec<P::Move>| moves.iter().map(ToString::to_string).collect();
    let (best, line) = (written(best_moves), written(line));
    Ok(Answer { value, best, line, nodes, seconds, exact, bounds: (lower, upper) })
}

/// Solves a position, and prints its value, the best moves and the principal variation.
fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let position = shared::position(matches)?;
    let bar = io.progress.then(|| ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner()));
    let watch = |news: &Progress| {
        if let Some(bar) = &bar {
            let Progress { nodes, seconds, lower, upper } = *news;
            bar.set_message(format!("{nodes} nodes, {seconds:.0} s, value from {lower} to {upper}"));
            bar.tick();
        }
        ControlFlow::Continue(())
    };
    let options = SolveOptions {
        all_best: !matches.get_flag("one"),
        empties_to_winner: matches.get_flag("empties-to-winner"),
        node_limit: matches.get_one("node-limit").copied(),
        // A limit too long for a `Duration` is as good as none.
        time_limit: matches
            .get_one("time-limit")
            .and_then(|&seconds| Duration::try_from_secs_f64(seconds).ok()),
        threads: shared::threads(matches),
        table_bytes: shared::table_bytes(matches),
        watch: bar.as_ref().map(|_| &watch as SolveWatch),
    };
    let answer = with_position!(&position, position => answer(position, &options));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let Answer { value, best, line, nodes, seconds, exact, bounds: (lower, upper) } = answer?;
    if matches.get_flag("json") {
        let game = position.game();
        // Neither positions nor moves contain a character that JSON must escape.
        let list = |moves: &[String]| moves.iter().map(|m| format!("\"{m}\"")).collect::<Vec<_>>().join(", ");
        writeln!(
            io.output,
            "{{\"game\": \"{game}\", \"position\": \"{position}\", \"value\": {value}, \"best_moves\": [{}], \
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
