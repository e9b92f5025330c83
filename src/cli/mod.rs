//! The `petteia` command: the programs of the documents, and a few more.
//!
//! The documents are the assignments of programming courses that the games come from:
//!
//! - TicTac: a lab in C++, the programs `move-check` and `game-check`, which read game records;
//! - Breakdown: an assignment in C in two parts, the second of which is the program `play`;
//! - Reversi: homework 6 of CS 211 in Winter 2022 and of EECS 211 in Winter 2019, in C++, the program `reversi`;
//! - Quarto: project four of a C++ course in July 2019, the program `game`.
//!
//! Every program is a function of its arguments and an [`Io`], so tests can run it in memory as well as through pipes
//! and terminals. Results go to the output; error messages go to the errors, one line each. A program that fails exits
//! with 1.

mod analyse;
mod arguments;
mod breakdown;
mod keys;
mod link;
mod perft;
#[cfg(feature = "play")]
mod play;
mod quarto;
mod reversi;
#[cfg(feature = "play")]
mod server;
mod shared;
mod shell;
mod solve;
mod tictac;

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;

use clap::{ArgMatches, Command};

use crate::search::perft::PerftError;
use crate::{ArgumentError, ParseError, SetupError, SolveError, reading};

/// A program of the command.
struct Program {
    /// Its name on the command line.
    name: &'static str,
    /// The name of the document's executable, if any. A link of that name to the command runs this program.
    executable: Option<&'static str>,
    /// Adds its arguments and its help to an empty command.
    describe: fn(Command) -> Command,
    /// Runs it, and returns the exit status.
    run: fn(&ArgMatches, &mut Io) -> Result<u8, Failure>,
}

/// The programs, in the order in which the help lists them.
const PROGRAMS: &[Program] = &[
    tictac::MOVE_CHECK,
    tictac::GAME_CHECK,
    breakdown::PROGRAM,
    quarto::PROGRAM,
    reversi::PROGRAM,
    #[cfg(feature = "play")]
    play::PROGRAM,
    perft::PROGRAM,
    solve::PROGRAM,
    analyse::ANALYSE,
    analyse::EVALUATE,
    link::PROGRAM,
    shell::COMPLETIONS,
    shell::MAN,
];

/// The streams that a program reads from and writes to.
pub struct Io<'a> {
    input: Box<dyn BufRead + 'a>,
    output: Box<dyn Write + 'a>,
    errors: Box<dyn Write + 'a>,
    /// What error messages call the program.
    called: &'static str,
    /// Whether input and output are a terminal, where a program can read single keys and draw a screen.
    keys: bool,
    /// Whether the output is in colour.
    colours: bool,
    /// Whether the errors go to a terminal, where progress can be shown.
    progress: bool,
}

impl<'a> Io<'a> {
    /// Connects a program to any streams.
    pub fn new(input: impl BufRead + 'a, output: impl Write + 'a, errors: impl Write + 'a) -> Self {
        Io {
            input: Box::new(input),
            output: Box::new(output),
            errors: Box::new(errors),
            called: "petteia",
            keys: false,
            colours: false,
            progress: false,
        }
    }

    /// Connects a program to the streams of the process.
    fn of_process() -> Io<'static> {
        let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
        let screen = stdout.is_terminal();
        let (keys, progress) = (screen && stdin.is_terminal(), stderr.is_terminal());
        let colours = screen && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Io { keys, colours, progress, ..Io::new(stdin.lock(), BufWriter::new(stdout.lock()), stderr) }
    }

    /// Prints a prompt and reads a line, without its newline.
    fn ask(&mut self, question: &str) -> Result<Vec<u8>, Failure> {
        self.output.write_all(question.as_bytes())?;
        // The prompt must be on the screen before the program waits for an answer.
        self.output.flush()?;
        // An answer is a few characters: the rest of a long line is read but not kept.
        let mut line = Vec::new();
        loop {
            let ended = reading::take(&mut self.input, |bytes| {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let piece = &bytes[..end.unwrap_or(bytes.len())];
                let kept = piece.len().min(LONGEST_ANSWER.saturating_sub(line.len()));
                line.extend_from_slice(&piece[..kept]);
                let nothing = bytes.is_empty() && line.is_empty();
                let ended = if nothing {
                    Err(ErrorKind::UnexpectedEof)
                } else {
                    Ok(end.is_some() || bytes.is_empty())
                };
                (piece.len() + usize::from(end.is_some()), ended)
            })?;
            if ended? {
                return Ok(line);
            }
        }
    }
}

/// How many bytes of an answer are kept.
const LONGEST_ANSWER: usize = 1000;

/// Why a program failed.
#[derive(Debug)]
enum Failure {
    /// An error, described for the user.
    Complaint(String),
    /// A stream failed.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Self {
        Failure::Io(kind.into())
    }
}

macro_rules! complaints {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::Complaint(error.to_string())
            }
        })*
    };
}

complaints!(ParseError, ArgumentError, SetupError, PerftError, SolveError);

/// Runs the command on the streams of the process, and returns the exit status.
///
/// The first argument is the name it was called by. If that is the name of a document's executable, such as
/// `game-check`, that program runs.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run(arguments, &mut Io::of_process())
}

/// Returns whether a link of this name to the command runs one of the documents' programs.
pub fn is_document_name(called: impl AsRef<Path>) -> bool {
    link::program(called.as_ref()).is_some()
}

/// Runs the command, and returns the exit status; see [`main`].
pub fn run(arguments: impl IntoIterator<Item = OsString>, io: &mut Io) -> u8 {
    let result = arguments::perform(arguments, io);
    let result = result.and_then(|code| Ok(io.output.flush().map(|()| code)?));
    let complaint = match result {
        Ok(code) => return code,
        // The reader has closed the pipe: nobody is left to tell.
        Err(Failure::Io(error)) if error.kind() == ErrorKind::BrokenPipe => return 1,
        Err(Failure::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            "the input ended before the game did".to_owned()
        }
        Err(Failure::Io(error)) => error.to_string(),
        Err(Failure::Complaint(complaint)) => complaint,
    };
    // The output so far comes before the message. If a stream is gone, there is nowhere else to report it.
    let _ = io.output.flush();
    let _ = writeln!(io.errors, "{}: {complaint}", io.called);
    1
}
