//! Analysing positions, and hints.

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{flag, number};
use super::{Failure, Io, Program, shared};
use crate::{
    Analysis, AnalysisOptions, Engine, Estimate, Line, Progress, SolveError, SolveWatch, evaluate, explain,
    with_position,
};

pub(super) const ANALYSE: Program =
    Program { name: "analyse", executable: None, describe: describe_analysis, run: run_analysis };

pub(super) const EVALUATE: Program =
    Program { name: "evaluate", executable: None, describe: describe_estimate, run: run_estimate };

fn describe_analysis(command: Command) -> Command {
    let time = Arg::new("time")
        .long("time")
        .value_name("SECONDS")
        .allow_negative_numbers(true)
        .value_parser(read_time)
        .help("Takes at most this many seconds");
    let nodes =
        format!("Searches at most this many positions [default without a limit: {}]", AnalysisOptions::NODES);
    command
        .about("Finds the best moves, with estimates of how the game will end, or exact values")
        .arg(shared::game())
        .args(shared::start())
        .arg(time)
        .arg(number("nodes", nodes, 1..=u64::MAX).long("nodes"))
        .arg(
            number("depth", "Searches at most this many plies deep", 1..=u32::MAX)
                .long("depth")
                .value_name("PLIES"),
        )
        .arg(number("lines", "Number of moves to show", 1..=u32::MAX).long("lines").default_value("1"))
        .arg(shared::threads_option())
        .arg(flag("json", "Prints one JSON object"))
        .after_help(
            "The results are for the player to move. An exact one is proved; an estimate is not.\n\n\
             Example:\n  petteia analyse reversi --time 1 --lines 3",
        )
}

/// Parses a number of seconds, which is more than 0.
fn read_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let seconds = seconds.filter(|seconds| !seconds.is_zero());
    seconds.ok_or_else(|| "expected a number of seconds above 0, such as 1.5".to_owned())
}

/// Analyses a position, and returns the result with its moves in notation.
fn analyse<P: Engine>(position: &P, options: &AnalysisOptions) -> Result<Analysis<String>, SolveError> {
    let Analysis { lines, depth, nodes, seconds } = position.analyse(options)?;
    let written = |line: Line<P::Move>| {
        let Line { moves, estimate, value } = line;
        Line { moves: moves.iter().map(ToString::to_string).collect(), estimate, value }
    };
    Ok(Analysis { lines: lines.into_iter().map(written).collect(), depth, nodes, seconds })
}

fn run_analysis(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let position = shared::position(matches)?;
    let bar = io.progress.then(|| ProgressBar::new_spinner().with_style(ProgressStyle::default_spinner()));
    let watch = |news: &Progress| {
        if let Some(bar) = &bar {
            bar.set_message(format!("{} nodes, {:.0} s", news.nodes, news.seconds));
            bar.tick();
        }
        ControlFlow::Continue(())
    };
    let options = AnalysisOptions {
        depth: matches.get_one("depth").copied(),
        node_limit: matches.get_one("nodes").copied(),
        time_limit: matches.get_one("time").copied(),
        lines: super::arguments::value::<u32>(matches, "lines") as usize,
        threads: shared::threads(matches),
        memory: None,
        watch: bar.as_ref().map(|_| &watch as SolveWatch),
    };
    let analysis = with_position!(&position, position => analyse(position, &options));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let analysis = analysis?;
    if !matches.get_flag("json") {
        writeln!(io.output, "{analysis}")?;
        return Ok(0);
    }
    let Analysis { lines, depth, nodes, seconds } = &analysis;
    let lines: Vec<String> = lines.iter().map(line_as_json).collect();
    let game = position.game();
    // Neither positions nor moves contain a character that JSON must escape.
    writeln!(
        io.output,
        "{{\"game\": \"{game}\", \"position\": \"{position}\", \"lines\": [{}], \"depth\": {depth}, \
         \"nodes\": {nodes}, \"seconds\": {seconds:.6}}}",
        lines.join(", ")
    )?;
    Ok(0)
}

fn line_as_json(line: &Line<String>) -> String {
    let moves: Vec<String> = line.moves.iter().map(|m| format!("\"{m}\"")).collect();
    let value = line.value.map_or("null".to_owned(), |value| value.to_string());
    let estimate = estimate_as_json(&line.estimate);
    format!("{{\"moves\": [{}], \"value\": {value}, \"estimate\": {estimate}}}", moves.join(", "))
}

fn estimate_as_json(estimate: &Estimate) -> String {
    let Estimate { win, draw, loss, difference } = *estimate;
    let difference = difference.map_or("null".to_owned(), |discs| format!("{discs:.3}"));
    format!("{{\"win\": {win:.6}, \"draw\": {draw:.6}, \"loss\": {loss:.6}, \"difference\": {difference}}}")
}

fn describe_estimate(command: Command) -> Command {
    command
        .about("Estimates how the game will end, from a look at the position alone")
        .arg(shared::game())
        .args(shared::start())
        .arg(flag("json", "Prints one JSON object"))
        .after_help(
            "The estimate is for the player to move. `petteia analyse` looks ahead.\n\n\
             Example:\n  petteia evaluate reversi --width 6 --height 6",
        )
}

fn run_estimate(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let position = shared::position(matches)?;
    let estimate = with_position!(&position, position => evaluate(position))?;
    if matches.get_flag("json") {
        let (game, estimate) = (position.game(), estimate_as_json(&estimate));
        // No position's text contains a character that JSON must escape.
        writeln!(
            io.output,
            "{{\"game\": \"{game}\", \"position\": \"{position}\", \"estimate\": {estimate}}}"
        )?;
    } else {
        writeln!(io.output, "{estimate}")?;
    }
    Ok(0)
}

/// Returns a hint for a person at the keyboard, which says whether it is exact or an estimate, and why it is good.
pub(super) fn hint<P: Engine>(position: &P) -> String {
    // The nodes end the search, so that hints repeat; the time is for positions that are slow to play on.
    let (nodes, time) = (200_000, Duration::from_secs(1));
    let options =
        AnalysisOptions { node_limit: Some(nodes), time_limit: Some(time), ..AnalysisOptions::default() };
    match position.analyse(&options) {
        Ok(analysis) => {
            let best = analysis.best();
            let reasons = explain(position, best).expect("the best move is legal");
            let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            let hint = format!("Hint: {best} ({}).", analysis.lines[0].result());
            if reasons.is_empty() { hint } else { format!("{hint}\n{}", reasons.join(" ")) }
        }
        Err(error) => format!("No hint: {error}."),
    }
}
