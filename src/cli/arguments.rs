//! The command line: the whole command, and arguments that its programs share.

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::{Failure, Io, PROGRAMS, Program, link};
use crate::any::Game;
use crate::{Bot, ParseError};

/// The programs that the Python package adds, and what they do.
const IN_PYTHON: &[(&str, &str)] = &[
    #[cfg(not(feature = "play"))]
    ("play", "Opens the games in the browser (Python package)"),
    ("check", "Checks an implementation of a game against petteia (Python package)"),
    ("selfplay", "Writes played games to Parquet files (Python package)"),
    ("playouts", "Plays random games and counts how they end (Python package)"),
    ("match", "Plays two players against each other (Python package)"),
    ("solve-table", "Solves a position in parts, with a journal (Python package)"),
];

/// Runs the program that the arguments name.
pub(super) fn perform(arguments: impl IntoIterator<Item = OsString>, io: &mut Io) -> Result<u8, Failure> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(program) = arguments.first().and_then(|called| link::program(Path::new(called))) {
        let (name, command) = executable(program);
        io.called = name;
        return match read(command, &arguments, io)? {
            Some(matches) => (program.run)(&matches, io),
            None => Ok(0),
        };
    }
    let Some(matches) = read(command(), &arguments, io)? else { return Ok(0) };
    if matches.get_flag("cflags") || matches.get_flag("libs") {
        return Err(python_package("--cflags and --libs"));
    }
    let Some((name, matches)) = matches.subcommand() else {
        return Err(among_programs("no program given"));
    };
    match PROGRAMS.iter().find(|program| program.name == name) {
        Some(program) => (program.run)(matches, io),
        None => Err(python_package(name)),
    }
}

/// Parses arguments, or prints the help or the version if they ask for it.
fn read(command: Command, arguments: &[OsString], io: &mut Io) -> Result<Option<ArgMatches>, Failure> {
    match command.clone().try_get_matches_from(arguments) {
        Ok(matches) => Ok(Some(matches)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            write!(io.output, "{error}")?;
            Ok(None)
        }
        Err(error) => Err(Failure::Complaint(in_one_line(&error, command, arguments))),
    }
}

/// Returns the name of the document's executable, and describes the program as a command of that name.
fn executable(program: &Program) -> (&'static str, Command) {
    let name = program.executable.unwrap_or(program.name);
    let command = (program.describe)(Command::new(name));
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    (name, command.after_help(help.replace(&format!("petteia {}", program.name), name)))
}

/// Describes the whole command.
pub(super) fn command() -> Command {
    let games = listed(Game::ALL.iter().map(|game| game.title()));
    let command = Command::new("petteia")
        .version(env!("CARGO_PKG_VERSION"))
        .about(format!(
            "{games}: programs to play, check records, count move sequences, solve and analyse positions"
        ))
        .subcommand_value_name("PROGRAM")
        .subcommand_help_heading("Programs")
        .after_help(
            "Results go to standard output, errors to standard error. \
             `petteia PROGRAM --help` shows an example.",
        )
        .arg(flag("cflags", "Prints the flags to compile a C program with (Python package)"))
        .arg(flag("libs", "Prints the flags to link a C program with (Python package)"))
        .arg(
            flag("course", "Adds the folder of the course's pos.h, board.h and logic.h (Python package)")
                .requires("cflags"),
        )
        .subcommands(PROGRAMS.iter().map(|program| (program.describe)(Command::new(program.name))));
    IN_PYTHON.iter().fold(command, |command, &(name, about)| {
        let anything =
            Arg::new("arguments").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true).hide(true);
        command
            .subcommand(Command::new(name).about(about).arg(anything.value_parser(value_parser!(OsString))))
    })
}

/// Returns an error about a program's name, with a list of the programs.
pub(super) fn among_programs(complaint: &str) -> Failure {
    let programs: Vec<String> = command().get_subcommands().map(|c| c.get_name().to_owned()).collect();
    Failure::Complaint(format!("{complaint}: expected one of {}", programs.join(", ")))
}

fn python_package(what: &str) -> Failure {
    Failure::Complaint(format!("{what}: part of the Python package, which `pip install petteia` installs"))
}

/// Describes in one line what is wrong with the arguments, with the usage of the program.
fn in_one_line(error: &clap::Error, mut command: Command, arguments: &[OsString]) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = error.to_string();
    let what = words(text.split_once("\n\n").map_or(text.as_str(), |(what, _)| what));
    command.build();
    let usage = match arguments.get(1).and_then(|name| command.find_subcommand_mut(name)) {
        Some(program) => program.render_usage(),
        None => command.render_usage(),
    };
    let usage = words(&usage.to_string()).replacen("Usage", "usage", 1);
    format!("{}; {usage}", what.strip_prefix("error: ").unwrap_or(&what))
}

/// Describes an argument that is a number in a range; calling `long` on it makes it an option.
pub(super) fn number<T>(name: &'static str, about: impl Into<StyledStr>, range: RangeInclusive<T>) -> Arg
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    // A negative number is taken as a value, not as an option, so that the error is about the range.
    Arg::new(name)
        .value_name(name.to_uppercase())
        .allow_negative_numbers(true)
        .value_parser(move |text: &str| read_number(text, &range))
        .help(about.into())
}

/// Parses a number in a range, digits only.
pub(super) fn read_number<T>(text: &str, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && range.contains(number));
    number.ok_or_else(|| format!("expected a number from {} to {}", range.start(), range.end()))
}

/// Describes an argument that names a player: a [`Bot`], or a type with more kinds of players.
pub(super) fn player<T>(name: &'static str, about: &str) -> Arg
where
    T: FromStr<Err = ParseError> + Clone + Send + Sync + 'static,
{
    let help = format!("{about}: {}", Bot::NAMES);
    Arg::new(name).value_name(name.to_uppercase()).value_parser(str::parse::<T>).help(help)
}

/// Describes the option that makes a bot play a side; without it, a person at the keyboard does.
pub(super) fn bot(side: &'static str) -> Arg {
    player::<Bot>(side, &format!("Lets the computer play {side}")).long(side).value_name("PLAYER")
}

/// Returns who plays each side: a bot, or `None` for a person at the keyboard.
pub(super) fn bots(matches: &ArgMatches, sides: [&str; 2]) -> [Option<Bot>; 2] {
    sides.map(|side| matches.get_one(side).copied())
}

/// Describes the seed of the computer's random moves.
pub(super) fn seed() -> Arg {
    number("seed", "Seed of the computer's random moves", 0..=u32::MAX).default_value("0")
}

/// Describes an option without a value.
pub(super) fn flag(name: &'static str, about: impl Into<StyledStr>) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(about.into())
}

/// Returns the value of an argument that is required or has a default.
pub(super) fn value<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, name: &str) -> T {
    let value = matches.get_one::<T>(name).cloned();
    value.expect("the argument is required or has a default")
}

/// Joins words into a list: `a, b and c`.
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}
