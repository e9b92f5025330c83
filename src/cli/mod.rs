//! The `petteia` command: the documents' own programs, and a few more, over any reader and writer.
//!
//! Every program is a function of its arguments and an [`Io`], so that tests drive it in memory as well as through pipes
//! and terminals. Results go to the output, complaints to the errors, one line each; a program that could not do its work
//! exits with 1.

mod arguments;
mod breakdown;
mod count;
mod keys;
mod quarto;
mod reversi;
mod tictac;

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, ErrorKind, IsTerminal, Write};

use crate::{ParseError, reading};

/// What a program reads from and writes to.
pub struct Io<'a> {
    input: Box<dyn BufRead + 'a>,
    output: Box<dyn Write + 'a>,
    errors: Box<dyn Write + 'a>,
    /// Whether there are keys to press and a screen to draw on.
    keys: bool,
    /// Whether the output shows colours.
    colours: bool,
    /// Whether the errors are read by a person who waits.
    progress: bool,
}

impl<'a> Io<'a> {
    /// Connects a program with any streams.
    pub fn new(input: impl BufRead + 'a, output: impl Write + 'a, errors: impl Write + 'a) -> Self {
        Io {
            input: Box::new(input),
            output: Box::new(output),
            errors: Box::new(errors),
            keys: false,
            colours: false,
            progress: false,
        }
    }

    /// Connects a program with the streams of the process.
    fn of_process() -> Io<'static> {
        let (stdin, stdout, stderr) = (io::stdin(), io::stdout(), io::stderr());
        let screen = stdout.is_terminal();
        let (keys, progress) = (screen && stdin.is_terminal(), stderr.is_terminal());
        let colours = screen && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Io { keys, colours, progress, ..Io::new(stdin.lock(), BufWriter::new(stdout.lock()), stderr) }
    }

    /// Asks a question and reads the line that answers it, without its end.
    fn ask(&mut self, question: &str) -> Result<Vec<u8>, Failure> {
        self.output.write_all(question.as_bytes())?;
        // Whoever is asked must see the question before the answer is waited for.
        self.output.flush()?;
        // A line is an answer of a few characters: what goes on for longer is read and not kept.
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

/// Why a program could not do its work.
#[derive(Debug)]
enum Failure {
    /// It was asked for something that it cannot do.
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

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        Failure::Complaint(error.to_string())
    }
}

/// Runs the command with the streams of the process, and returns the status to exit with.
///
/// The first argument is the name it was called by. Called `move-check`, `game-check`, `play`, `game` or `reversi`, it is
/// that program.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run(arguments, &mut Io::of_process())
}

/// Runs the command, and returns the status to exit with; see [`main`].
pub fn run(arguments: impl IntoIterator<Item = OsString>, io: &mut Io) -> u8 {
    let result = arguments::perform(arguments, io);
    let result = result.and_then(|code| Ok(io.output.flush().map(|()| code)?));
    let complaint = match result {
        Ok(code) => return code,
        // Whoever read the output has closed it and wants no more; there is nobody to tell.
        Err(Failure::Io(error)) if error.kind() == ErrorKind::BrokenPipe => return 1,
        Err(Failure::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            "the input ended before the game did".to_owned()
        }
        Err(Failure::Io(error)) => error.to_string(),
        Err(Failure::Complaint(complaint)) => complaint,
    };
    // What the program has said so far comes first; if a stream is gone, there is no other to complain to.
    let _ = io.output.flush();
    let _ = writeln!(io.errors, "petteia: {complaint}");
    1
}
