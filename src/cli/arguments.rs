//! What can be asked for, and how it is understood.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use super::{Failure, Io, breakdown, count, quarto, reversi, solve, tictac};
use crate::Bot;
use crate::any::Game;
use crate::breakdown::Kind;
use crate::search::perft::PerftOptions;

/// The programs that the Python package adds, with what they do.
const IN_PYTHON: [(&str, &str); 6] = [
    ("play", "Opens the four games in the browser (Python package)"),
    ("check", "Holds an implementation of a game against petteia (Python package)"),
    ("selfplay", "Writes played games to Parquet files (Python package)"),
    ("playouts", "Plays random games and counts how they end (Python package)"),
    ("match", "Lets two players play games against each other (Python package)"),
    ("solve-table", "Solves a position in parts, with a journal (Python package)"),
];

/// What a computer player can be, for those who ask.
const BOTS: &str = "random, myopic, mcts or mcts:SIMULATIONS, perfect or perfect:NODES";

/// The names of the documents' executables, and the programs that they are.
const LINKS: [(&str, &str); 5] = [
    ("move-check", "move-check"),
    ("game-check", "game-check"),
    ("play", "breakdown"),
    ("game", "quarto"),
    ("reversi", "reversi"),
];

/// Who makes a side's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Someone at the keyboard.
    Person,
    /// The computer.
    Computer(Bot),
}

/// Understands the arguments and does what they ask for.
pub(super) fn perform(arguments: impl IntoIterator<Item = OsString>, io: &mut Io) -> Result<u8, Failure> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let called = arguments.first().and_then(|name| Path::new(name).file_name()).unwrap_or_default();
    if let Some((_, program)) = LINKS.into_iter().find(|(link, _)| called == *link) {
        arguments.insert(1, program.into());
    }
    let matches = match command().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            write!(io.output, "{error}")?;
            return Ok(0);
        }
        Err(error) => return Err(Failure::Complaint(in_one_line(&error, &arguments))),
    };
    if matches.get_flag("cflags") || matches.get_flag("libs") {
        return Err(python_package("--cflags and --libs"));
    }
    let Some((program, matches)) = matches.subcommand() else {
        return Err(among_programs("no program given"));
    };
    match program {
        "move-check" => tictac::move_check(io),
        "game-check" => {
            let files: Vec<PathBuf> = matches.get_many("files").unwrap_or_default().cloned().collect();
            tictac::game_check(io, &files, matches.get_flag("nul"))
        }
        "breakdown" => {
            let number = |name| matches.get_one::<u32>(name).copied().unwrap_or_default();
            let kind = if matches.get_flag("bits") { Kind::Bits } else { Kind::Matrix };
            let game = crate::breakdown::Game::new(number("k"), number("q"), number("w"), number("h"), kind)?;
            breakdown::play(io, game, [seat(matches, "black"), seat(matches, "white")], seed(matches))
        }
        "quarto" => {
            let seat = |name| matches.get_one(name).copied().unwrap_or(crate::quarto::Seat::Human);
            quarto::play(io, [seat("first"), seat("second")], number_of(matches, "seed").unwrap_or(0))
        }
        "reversi" => {
            let size = |name| number_of(matches, name).unwrap_or(8) as usize;
            let position = crate::Reversi::new(size("width"), size("height"))?;
            reversi::play(io, position, [seat(matches, "dark"), seat(matches, "light")], seed(matches))
        }
        "perft" => {
            let game = matches.get_one::<Game>("game").copied().unwrap_or(Game::TicTac);
            let depth = number_of(matches, "depth").unwrap_or(0);
            let position = count::position(game, matches.get_one("from"), |name| number_of(matches, name))?;
            let options = PerftOptions {
                threads: number_of(matches, "threads").map_or(1, |threads| threads as usize),
                table_bytes: number_of(matches, "table")
                    .map(|megabytes| (megabytes as usize).saturating_mul(1 << 20)),
                watch: None,
            };
            count::perft(io, &position, depth, &options, matches.get_flag("json"))
        }
        "solve" => {
            let game = matches.get_one::<Game>("game").copied().unwrap_or(Game::TicTac);
            let position = count::position(game, matches.get_one("from"), |name| number_of(matches, name))?;
            let wishes = solve::Wishes {
                one: matches.get_flag("one"),
                empties_to_winner: matches.get_flag("empties-to-winner"),
                node_limit: matches.get_one("node-limit").copied(),
                time_limit: matches.get_one("time-limit").copied(),
                threads: number_of(matches, "threads"),
                table_mb: number_of(matches, "table"),
                json: matches.get_flag("json"),
            };
            solve::solve(io, &position, &wishes)
        }
        "completions" => {
            let shell = matches.get_one::<Shell>("shell").copied().unwrap_or(Shell::Bash);
            // Into memory first: it would panic if nobody wanted to read it.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command(), "petteia", &mut script);
            io.output.write_all(&script)?;
            Ok(0)
        }
        "man" => {
            let mut page = command().disable_help_subcommand(true);
            if let Some(name) = matches.get_one::<String>("program") {
                page.build();
                let program = page.find_subcommand(name).cloned();
                let program = program.ok_or_else(|| among_programs(&format!("no program {name:?}")))?;
                page = program.display_name(format!("petteia-{name}"));
            }
            clap_mangen::Man::new(page).render(&mut io.output)?;
            Ok(0)
        }
        other => Err(python_package(other)),
    }
}

/// Complains about a program, and says which there are.
fn among_programs(complaint: &str) -> Failure {
    let programs: Vec<String> = command().get_subcommands().map(|c| c.get_name().to_owned()).collect();
    Failure::Complaint(format!("{complaint}: expected one of {}", programs.join(", ")))
}

fn python_package(what: &str) -> Failure {
    Failure::Complaint(format!("{what}: part of the Python package, which `pip install petteia` installs"))
}

fn number_of(matches: &ArgMatches, name: &str) -> Option<u32> {
    // A name that the program has no argument for has no number either.
    matches.try_get_one(name).ok().flatten().copied()
}

fn seat(matches: &ArgMatches, name: &str) -> Seat {
    matches.get_one(name).copied().unwrap_or(Seat::Person)
}

fn seed(matches: &ArgMatches) -> u64 {
    u64::from(number_of(matches, "seed").unwrap_or(0))
}

/// Says in one line what is wrong with the arguments and how they go.
fn in_one_line(error: &clap::Error, arguments: &[OsString]) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let what = words.join(" ");
    let mut command = command();
    command.build();
    let program = arguments.get(1).and_then(|name| name.to_str()).unwrap_or_default();
    let usage = match command.find_subcommand_mut(program) {
        Some(program) => program.render_usage(),
        None => command.render_usage(),
    };
    let usage: Vec<String> = usage.to_string().split_whitespace().map(str::to_owned).collect();
    format!(
        "{}; {}",
        what.strip_prefix("error: ").unwrap_or(&what),
        usage.join(" ").replacen("Usage", "usage", 1)
    )
}

/// Reads a number that is written in digits alone.
fn digits(text: &str) -> Result<u32, String> {
    let number = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    number
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| "expected a number from 0 to 4294967295".to_owned())
}

/// Reads a long number that is written in digits alone.
fn long_digits(text: &str) -> Result<u64, String> {
    let number = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    number
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| "expected a number from 0 to 18446744073709551615".to_owned())
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && number >= 0.0);
    number.ok_or_else(|| "expected a number of seconds, such as 1.5".to_owned())
}

/// Reads the width or height of a Reversi board.
fn side(text: &str) -> Result<u32, String> {
    let number = digits(text).ok().filter(|number| (2..=8).contains(number));
    number.ok_or_else(|| "expected a number from 2 to 8".to_owned())
}

/// Reads a number above 0.
fn positive(text: &str) -> Result<u32, String> {
    let number = digits(text).ok().filter(|&number| number > 0);
    number.ok_or_else(|| "expected a number from 1 to 4294967295".to_owned())
}

/// Describes the whole command.
pub(super) fn command() -> Command {
    let number = |name: &'static str, about: &'static str| {
        // A negative number is taken for what it is, so that the answer says which numbers can be given.
        let arg = Arg::new(name).value_name(name.to_uppercase()).allow_negative_numbers(true);
        arg.value_parser(digits).help(about)
    };
    let option = |name: &'static str, about: &'static str| number(name, about).long(name);
    let computer = |name: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("PLAYER")
            .value_parser(|text: &str| text.parse().map(Seat::Computer))
            .help(format!("Lets the computer play {name}: {BOTS}"))
    };
    let game = || {
        let names = PossibleValuesParser::new(Game::ALL.map(Game::name));
        Arg::new("game")
            .value_name("GAME")
            .required(true)
            .value_parser(names.try_map(|name| name.parse::<Game>()))
            .help("The game")
    };
    let sizes = || {
        [
            option("width", "Width of the board (Reversi, Breakdown)"),
            option("height", "Height of the board (Reversi, Breakdown)"),
            option("stick", "Length of a stick (Breakdown)"),
            option("square", "Side of the square that wins (Breakdown)"),
        ]
    };
    let seed = || option("seed", "Fixes the computer's random moves");
    let command = Command::new("petteia")
        .version(env!("CARGO_PKG_VERSION"))
        .about("TicTac, Breakdown, Reversi and Quarto: the documents' own programs, counting and solving")
        .subcommand_value_name("PROGRAM")
        .subcommand_help_heading("Programs")
        .after_help("Results go to standard output, complaints to standard error. `petteia PROGRAM --help` shows an example.")
        .arg(flag("cflags", "Prints the flags to compile a C program with (Python package)"))
        .arg(flag("libs", "Prints the flags to link a C program with (Python package)"))
        .subcommand(
            Command::new("move-check")
                .about("Reads one move of a TicTac record and prints it as it should be written")
                .after_help("Exit status: 0 for a move, 1 for anything else.\n\nExample:\n  echo '2  o c2 # oops' | petteia move-check"),
        )
        .subcommand(
            Command::new("game-check")
                .about("Evaluates TicTac game records")
                .arg(Arg::new("files").value_name("FILE").num_args(0..).value_parser(value_parser!(PathBuf)).help("Records to check, a verdict a line; without any, one record is read from standard input"))
                .arg(Arg::new("nul").short('0').action(ArgAction::SetTrue).conflicts_with("files").help("Reads many records from standard input, each ended by a NUL byte, a verdict a line"))
                .after_help("Exit status: 0 if every record is fine, 1 after a parse error, 2 after an invalid move.\n\nExample:\n  printf '1 X B2\\n2 O C2\\n' | petteia game-check"),
        )
        .subcommand(
            Command::new("breakdown")
                .about("Plays Breakdown in the terminal")
                .disable_help_flag(true)
                .arg(flag("help", "Prints help; -h is the height").action(ArgAction::Help))
                .args([("w", 'w', "Width of the board"), ("h", 'h', "Height of the board"), ("k", 'k', "Length of a stick"), ("q", 'q', "Side of the square that wins")].map(|(name, short, about)| {
                    number(name, about).short(short).value_parser(positive).required(true)
                }))
                .arg(Arg::new("matrix").short('m').action(ArgAction::SetTrue).help("Stores the board as a matrix"))
                .arg(Arg::new("bits").short('b').action(ArgAction::SetTrue).help("Stores the board in bits"))
                .group(ArgGroup::new("kind").args(["matrix", "bits"]).required(true))
                .args([computer("black"), computer("white"), seed()])
                .after_help("Moves: | drops a stick upright, - lays one, and the column is asked for next; ! breaks all sticks down. The first character of each line counts.\n\nExample:\n  petteia breakdown -w 7 -h 6 -k 2 -q 3 -b"),
        )
        .subcommand(
            Command::new("quarto")
                .about("Plays Quarto in the terminal")
                .args(["first", "second"].map(|name| {
                    Arg::new(name).value_name(name.to_uppercase()).value_parser(str::parse::<crate::quarto::Seat>).required(true).help(format!("h, a human, m, the myopic player, or another: {BOTS}"))
                }))
                .arg(number("seed", "Fixes the computer's random choices [default: 0]"))
                .after_help("Example:\n  petteia quarto h m 2019"),
        )
        .subcommand(
            Command::new("reversi")
                .about("Plays Reversi in the terminal")
                .arg(number("width", "Width of the board, 2 to 8 [default: 8]").value_parser(side).requires("height"))
                .arg(number("height", "Height of the board, 2 to 8 [default: 8]").value_parser(side))
                .args([computer("dark"), computer("light"), seed()])
                .after_help("A square such as d3 plays there, ?d3 shows what it would gain. In a terminal, arrow keys and Enter do too.\n\nExample:\n  petteia reversi 6 6 --light random"),
        )
        .subcommand(
            Command::new("perft")
                .about("Counts the move sequences of a number of plies")
                .arg(game())
                .arg(number("depth", "The number of plies").required(true))
                .arg(Arg::new("from").long("from").value_name("TEXT").help("Counts from a position's text instead of the start"))
                .args(sizes())
                .arg(option("threads", "Counts on so many threads").value_parser(positive))
                .arg(option("table", "Keeps counts in so many megabytes, so that positions that come again are counted once").value_name("MB").value_parser(positive))
                .arg(flag("json", "Prints one JSON object"))
                .after_help("With the Python package, --workers N counts on processes of this machine and --dask ADDRESS on a cluster.\n\nExample:\n  petteia perft reversi 9 --width 6 --height 6"),
        )
        .subcommand(
            Command::new("solve")
                .about("Finds a position's exact value, its best moves and the line of best play")
                .arg(game())
                .arg(Arg::new("from").long("from").value_name("TEXT").help("Solves a position's text instead of the start"))
                .args(sizes())
                .arg(flag("one", "Asks for one best move only, sooner"))
                .arg(flag("empties-to-winner", "Counts squares that stay empty for the winner (Reversi)"))
                .arg(option("node-limit", "Stops after about so many positions, with bounds").value_name("NODES").value_parser(long_digits))
                .arg(option("time-limit", "Stops after about so many seconds, with bounds").value_name("SECONDS").value_parser(seconds))
                .arg(option("threads", "How many threads search together [default: 1]").value_parser(positive))
                .arg(option("table", "Size of the table of positions in megabytes").value_name("MB").value_parser(positive))
                .arg(flag("json", "Prints one JSON object"))
                .after_help("The value is that of the player to move: the disc difference in Reversi, else 1, 0 or -1. The line of best play goes as far as the search knows it.\n\nExample:\n  petteia solve reversi --width 4 --height 5"),
        )
        .subcommand(
            Command::new("completions")
                .about("Prints the completions for a shell")
                .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(PossibleValuesParser::new(["bash", "zsh", "fish"]).try_map(|name| name.parse::<Shell>())).help("The shell"))
                .after_help("Example:\n  petteia completions bash > ~/.local/share/bash-completion/completions/petteia"),
        )
        .subcommand(
            Command::new("man")
                .about("Prints the manual page, or that of a program")
                .arg(Arg::new("program").value_name("PROGRAM").help("The program"))
                .after_help("Example:\n  petteia man solve | man -l -"),
        );
    IN_PYTHON.into_iter().fold(command, |command, (name, about)| {
        let anything =
            Arg::new("arguments").num_args(0..).trailing_var_arg(true).allow_hyphen_values(true).hide(true);
        command
            .subcommand(Command::new(name).about(about).arg(anything.value_parser(value_parser!(OsString))))
    })
}

fn flag(name: &'static str, about: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(about)
}
