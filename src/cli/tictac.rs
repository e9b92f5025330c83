//! The move parser and the game evaluator.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, Io};
use crate::reading;
use crate::tictac::{Evaluator, Move, Verdict};

/// Reads one line and prints the move on it.
pub(super) fn move_check(io: &mut Io) -> Result<u8, Failure> {
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

/// Prints the verdict on each record, and returns the worst of their exit codes.
pub(super) fn game_check(io: &mut Io, files: &[PathBuf], nul: bool) -> Result<u8, Failure> {
    if nul {
        return check_many(io);
    }
    if !files.is_empty() {
        return check_files(io, files);
    }
    let verdict = check_one(&mut io.input)?;
    writeln!(io.output, "{verdict}")?;
    Ok(verdict.exit_code())
}

/// Evaluates one record up to the line that decides, or the end.
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

/// Evaluates records that each end with a NUL byte; the last may do without.
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

/// Evaluates files, with a bar that shows how far it is and a summary for whoever watches.
fn check_files(io: &mut Io, files: &[PathBuf]) -> Result<u8, Failure> {
    let bar = if io.progress { ProgressBar::new(files.len() as u64) } else { ProgressBar::hidden() };
    // The template is fixed and right; indicatif checks it when it runs.
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} records, {eta} left") {
        bar.set_style(style);
    }
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
                writeln!(io.errors, "petteia: {}: {error}", path.display())?;
                worst = worst.max(1);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if io.progress {
        io.output.flush()?;
        let [fine, unreadable, invalid] = counts;
        writeln!(io.errors, "{fine} fine, {unreadable} with a parse error, {invalid} with an invalid move")?;
    }
    Ok(worst)
}
