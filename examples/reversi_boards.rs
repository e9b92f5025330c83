//! Solves Reversi with its free opening, board by board, for the table in docs/results.md.
//!
//! ```text
//! cargo run --release --example reversi_boards -- JOURNAL [WIDTHxHEIGHT]...
//! ```
//!
//! Without sizes, all boards of at most 32 cells are solved. Each finding is written to the journal at once: with the
//! same journal, the program resumes where it was stopped, however that happened.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use petteia::reversi::{Finding, solve_resumably};
use petteia::{Progress, Reversi, SolveOptions};

/// The two ways to count empties, as named in the journal: for nobody, or for the winner.
const WAYS: [&str; 2] = ["plain", "winner"];

/// How often the progress is written to the journal, in seconds.
const TELL: f64 = 30.0;

/// What the journal contains for a board and a way to count.
#[derive(Clone, Default)]
struct Job {
    value: Option<i32>,
    nodes: u64,
    seconds: f64,
    findings: Vec<Finding>,
}

/// A board's width and height, and a way to count.
type Name = (usize, usize, &'static str);

/// Parses a journal. Its lines begin with a board, a way to count and a word that says what follows.
fn read(text: &str) -> Result<BTreeMap<Name, Job>, Box<dyn Error>> {
    let mut jobs: BTreeMap<Name, Job> = BTreeMap::new();
    // A line without a newline was being written when the program was stopped.
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        let unreadable = || format!("invalid journal line {line:?}");
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().ok_or_else(unreadable);
        let (width, height) = size(word()?)?;
        let (way, kind, rest) = (word()?, word()?, word()?);
        let way = WAYS.into_iter().find(|name| *name == way).ok_or_else(unreadable)?;
        let job = jobs.entry((width, height, way)).or_default();
        match (kind, rest.split(' ').collect::<Vec<_>>().as_slice()) {
            ("found", _) => job.findings.push(rest.parse()?),
            ("took", [nodes, seconds]) => (job.nodes, job.seconds) = (nodes.parse()?, seconds.parse()?),
            ("value", [value]) => job.value = Some(value.parse()?),
            _ => return Err(unreadable().into()),
        }
    }
    Ok(jobs)
}

fn size(text: &str) -> Result<(usize, usize), Box<dyn Error>> {
    let (width, height) =
        text.split_once('x').ok_or_else(|| format!("invalid size {text:?}: expected one such as 4x6"))?;
    Ok((width.parse()?, height.parse()?))
}

/// Writes a line durably, even if the program is stopped right after.
fn write(journal: &Mutex<File>, line: std::fmt::Arguments) {
    let mut file = journal.lock().unwrap_or_else(PoisonError::into_inner);
    // In one piece, so that only the last line can be incomplete.
    if let Err(error) = file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_data()) {
        eprintln!("cannot write the journal: {error}");
        std::process::exit(1);
    }
}

/// Solves a board, resuming from its findings.
fn solve(name: Name, job: &mut Job, journal: &Arc<Mutex<File>>) -> Result<(), Box<dyn Error>> {
    let (width, height, way) = name;
    let (nodes, seconds) = (job.nodes, job.seconds);
    let took = |progress: &Progress| {
        let (nodes, seconds) = (nodes + progress.nodes, seconds + progress.seconds);
        write(journal, format_args!("{width}x{height} {way} took {nodes} {seconds:.1}"));
    };
    let told = Mutex::new(0.0);
    let watch = |progress: &Progress| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if progress.seconds - *told >= TELL {
            *told = progress.seconds;
            took(progress);
        }
        ControlFlow::Continue(())
    };
    let options = SolveOptions {
        all_best: false,
        empties_to_winner: way == "winner",
        table_bytes: (width * height > 32).then_some(1 << 30),
        watch: Some(&watch),
        ..SolveOptions::default()
    };
    let for_findings = Arc::clone(journal);
    let tell =
        move |finding: &Finding| write(&for_findings, format_args!("{width}x{height} {way} found {finding}"));
    let solution = solve_resumably(&Reversi::new(width, height)?, &options, &job.findings, tell)?;
    let all = Progress { nodes: solution.nodes, seconds: solution.seconds, lower: 0, upper: 0 };
    took(&all);
    write(journal, format_args!("{width}x{height} {way} value {}", solution.value));
    (job.nodes, job.seconds) = (nodes + solution.nodes, seconds + solution.seconds);
    job.value = Some(solution.value);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: reversi_boards JOURNAL [WIDTHxHEIGHT]...")?;
    let mut sizes = arguments.map(|text| size(&text)).collect::<Result<Vec<_>, _>>()?;
    if sizes.is_empty() {
        // Transposed boards are equivalent.
        sizes = (2..=8).flat_map(|width| (width..=8).map(move |height| (width, height))).collect();
        sizes.retain(|(width, height)| width * height <= 32);
        sizes.sort_by_key(|&(width, height)| (width * height, width));
    }
    let journal = OpenOptions::new().create(true).append(true).open(&path)?;
    let text = std::fs::read_to_string(&path)?;
    let jobs = read(&text)?;
    // Drops a last line that was cut off when the program was stopped.
    journal.set_len(text.rfind('\n').map_or(0, |end| end + 1) as u64)?;
    let journal = Arc::new(Mutex::new(journal));
    println!("| board | plain | empties to the winner | nodes | seconds |");
    println!("| --- | --- | --- | --- | --- |");
    for (width, height) in sizes {
        let mut row = WAYS.map(|way| jobs.get(&(width, height, way)).cloned().unwrap_or_default());
        for (way, job) in WAYS.into_iter().zip(&mut row) {
            if job.value.is_none() {
                solve((width, height, way), job, &journal)?;
            }
        }
        let [plain, winner] = row.map(|job| (job.value.unwrap_or_default(), job.nodes, job.seconds));
        println!(
            "| {width}x{height} | {:+} | {:+} | {} / {} | {:.2} / {:.2} |",
            plain.0, winner.0, plain.1, winner.1, plain.2, winner.2
        );
    }
    Ok(())
}
