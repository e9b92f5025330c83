//! Counting move sequences.

use std::io::Write;
use std::time::Instant;

use clap::{ArgMatches, Command};

use super::arguments::{flag, number, value};
use super::{Failure, Io, Program, shared};
use crate::search::perft::{PerftOptions, perft_with};
use crate::with_position;

pub(super) const PROGRAM: Program = Program { name: "perft", executable: None, describe, run };

fn describe(command: Command) -> Command {
    command
        .about("Counts the move sequences of a given length")
        .arg(shared::game())
        .arg(number("depth", "Number of plies", 0..=u32::MAX).required(true))
        .args(shared::start())
        .args(shared::resources("Size of the transposition table in megabytes [default: no table]"))
        .arg(flag("json", "Prints one JSON object"))
        .after_help(
            "With the Python package, --workers N counts in N processes on this machine, \
             and --dask ADDRESS on a cluster.\n\n\
             Example:\n  petteia perft reversi 9 --width 6 --height 6",
        )
}

/// Counts the move sequences from a position, and prints the count, the time and the rate.
fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let position = shared::position(matches)?;
    let depth: u32 = value(matches, "depth");
    let options = PerftOptions {
        threads: shared::threads(matches),
        table_bytes: shared::table_bytes(matches),
        ..PerftOptions::default()
    };
    let start = Instant::now();
    let leaves = with_position!(&position, position => perft_with(position, depth, &options))?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = leaves as f64 / seconds.max(1e-9);
    if matches.get_flag("json") {
        let game = position.game();
        // No position's text contains a character that JSON must escape.
        writeln!(
            io.output,
            "{{\"game\": \"{game}\", \"position\": \"{position}\", \"depth\": {depth}, \"leaves\": {leaves}, \
             \"seconds\": {seconds:.6}, \"leaves_per_second\": {rate:.0}}}"
        )?;
    } else {
        writeln!(io.output, "{leaves} leaves, {seconds:.3} s, {rate:.0} leaves/s")?;
    }
    Ok(0)
}
