//! Trains the weights of Reversi's evaluation: see `make train`.

use std::fs;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command, value_parser};
use petteia::reversi::train::{Settings, train};

fn main() -> ExitCode {
    match run(&command().get_matches()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("train: {error}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let usual = Settings::default();
    let number = |name: &'static str, usual: u64, range: RangeInclusive<u64>, help: &'static str| {
        let parser = value_parser!(u64).range(range);
        Arg::new(name).long(name).value_parser(parser).default_value(usual.to_string()).help(help)
    };
    Command::new("train")
        .about("Trains the weights of Reversi's evaluation with games that petteia plays against itself")
        .arg(Arg::new("file").required(true).value_parser(value_parser!(PathBuf)).help("Where to write them"))
        .arg(number("seed", usual.seed, 0..=u64::MAX, "The seed of all random choices"))
        .arg(number("rounds", usual.rounds.into(), 1..=100, "How often to play and fit"))
        .arg(number("games", usual.games as u64, 1..=100_000_000, "How many games a round has"))
        .arg(number("last", usual.last as u64, 1..=1000, "How many times as many the last round has"))
        .arg(number("depth", usual.depth.into(), 1..=20, "How deep players search"))
        .arg(number("epochs", usual.epochs.into(), 1..=1000, "How often a fit goes through all positions"))
        .arg(number(
            "cut-depth",
            usual.cut_depth.into(),
            1..=16,
            "How deep searches are that cuts are learned from",
        ))
        .arg(number("threads", usual.threads as u64, 1..=256, "How many threads work"))
}

fn run(matches: &ArgMatches) -> io::Result<()> {
    let number = |name: &str| *matches.get_one::<u64>(name).expect("it has a default");
    let settings = Settings {
        seed: number("seed"),
        rounds: number("rounds") as u32,
        games: number("games") as usize,
        last: number("last") as usize,
        depth: number("depth") as u32,
        epochs: number("epochs") as u32,
        cut_depth: number("cut-depth") as u32,
        threads: number("threads") as usize,
    };
    let file = matches.get_one::<PathBuf>("file").expect("it is required");
    let weights = train(&settings, &mut io::stdout())?;
    let bytes = weights.to_bytes();
    fs::write(file, &bytes)?;
    writeln!(io::stdout(), "{}: {} bytes", file.display(), bytes.len())
}
