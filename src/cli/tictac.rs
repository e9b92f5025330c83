//! The move parser and the game evaluator of TicTac.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, Io, Program};
use crate::reading;
use crate::tictac::{Evaluator, Move, Verdict};

pub(super) const MOVE_CHECK: Program = Program {
    name: "move-check",
    executable: Some("move-check"),
    describe: describe_move_check,
    run: move_check,
};

pub(super) const GAME_CHECK: Program = Program {
    name: "game-check",
    executable: Some("game-check"),
    describe: describe_game_check,
    run: game_check,
};

fn describe_move_check(command: Command) -> Command {
    command.about("Reads one move of a TicTac record and prints it in standard form").after_help(
        "Exit status: 0 for a move, 1 for anything else.\n\n\
         Example:\n  echo '2  o c2 # oops' | petteia move-check",
    )
}

fn describe_game_check(command: Command) -> Command {
    let files = Arg::new("files").value_name("FILE").num_args(0..).value_parser(value_parser!(PathBuf)).help(
        "Records to check, one verdict per line; without files, one record is read from standard input",
    );
    let nul = Arg::new("nul")
        .short('0')
        .action(ArgAction::SetTrue)
        .conflicts_with("files")
        .help("Reads many records from standard input, each ended by a NUL byte; one verdict per line");
    command.about("Evaluates TicTac game records").args([files, nul]).after_help(
        "Exit status: 0 if every record is valid, 1 after a parse error, 2 after an invalid move.\n\n\
         Example:\n  printf '1 X B2\\n2 O C2\\n' | petteia game-check",
    )
}

/// Reads one line and prints the move on it.
fn move_check(_: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    match Move::read(&mut io.input)? {
        Some(m) => {
            writeln!(io.output, "{m}")?;
            Ok(0)
        }
        None => {
            writeln!(io.output, "{}", Verdict::ParseError)?;
            Ok(Verdict::ParseError.exit_code())
        }
    }
}

/// Prints the verdict on each record, and returns the highest of the exit codes.
fn game_check(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    if matches.get_flag("nul") {
        return check_many(io);
    }
    if let Some(files) = matches.get_many("files") {
        return check_files(io, files);
    }
    let verdict = check_one(&mut io.input)?;
    writeln!(io.output, "{verdict}")?;
    Ok(verdict.exit_code())
}

/// Evaluates one record up to the line that decides the verdict, or to the end.
fn check_one(input: &mut dyn BufRead) -> io::Result<Verdict> {
    let mut evaluator = Evaluator::new();
    let mut ended = false;
    while !ended && !evaluator.is_decided() {
        ended = reading::take(input, |bytes| {
            evaluator.push(bytes);
            (bytes.len(), bytes.is_empty())
        })?;
    }
    Ok(evaluator.verdict())
}

/// Evaluates records that each end with a NUL byte; the last may lack it.
fn check_many(io: &mut Io) -> Result<u8, Failure> {
    let mut worst = 0;
    let mut evaluator = Evaluator::new();
    let mut begun = false;
    loop {
        let (at_end, record_ended) = reading::take(&mut io.input, |bytes| {
            let end = bytes.iter().position(|&byte| byte == 0);
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            begun |= !piece.is_empty();
            evaluator.push(piece);
            (piece.len() + usize::from(end.is_some()), (bytes.is_empty(), end.is_some()))
        })?;
        if record_ended || (at_end && begun) {
            let verdict = std::mem::take(&mut evaluator).verdict();
            worst = worst.max(verdict.exit_code());
            io.output.write_all(verdict.line().as_bytes())?;
            io.output.write_all(b"\n")?;
            begun = false;
        }
        if at_end {
            return Ok(worst);
        }
    }
}

/// Evaluates files; on a terminal, with a progress bar and a summary.
fn check_files<'a>(io: &mut Io, files: impl ExactSizeIterator<Item = &'a PathBuf>) -> Result<u8, Failure> {
    let bar = if io.progress { ProgressBar::new(files.len() as u64) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} records, {eta} left");
    bar.set_style(style.expect("the template is valid"));
    let mut worst = 0;
    let mut counts = [0u64; 3];
    for path in files {
        match File::open(path).and_then(|file| check_one(&mut BufReader::with_capacity(1 << 16, file))) {
            Ok(verdict) => {
                writeln!(io.output, "{verdict}")?;
                counts[usize::from(verdict.exit_code())] += 1;
                worst = worst.max(verdict.exit_code());
            }
            Err(error) => {
                writeln!(io.errors, "{}: {}: {error}", io.called, path.display())?;
                worst = worst.max(1);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if io.progress {
        io.output.flush()?;
        let [fine, unreadable, invalid] = counts;
        writeln!(io.errors, "{fine} valid, {unreadable} with a parse error, {invalid} with an invalid move")?;
    }
    Ok(worst)
}
