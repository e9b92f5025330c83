//! Errors, one type for each cause: text, moves, arguments, memory.
//!
//! Every error has accessors for programs and a message for people. Messages are lower case, quote what was given and
//! say what was expected.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::position::Position;

/// Malformed text.
///
/// ```
/// use petteia::TicTac;
///
/// let error = "XX".parse::<TicTac>().unwrap_err();
/// assert_eq!((error.what(), error.input()), ("tictac position", "XX"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError(Box<Unreadable>);

#[derive(Clone, PartialEq, Eq)]
struct Unreadable {
    what: String,
    input: String,
    expected: String,
    ply: Option<usize>,
}

impl ParseError {
    /// Describes text that could not be parsed as `what`, such as `"reversi position"`.
    #[cold]
    pub fn new(what: impl Into<String>, input: impl Into<String>, expected: impl fmt::Display) -> Self {
        let (what, input, expected) = (what.into(), input.into(), expected.to_string());
        ParseError(Box::new(Unreadable { what, input, expected, ply: None }))
    }

    /// Adds the ply of the unreadable move in a sequence, counted from 1.
    #[must_use]
    pub fn at_ply(mut self, ply: usize) -> Self {
        self.0.ply = Some(ply);
        self
    }

    /// Returns what the text was parsed as.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// Returns the text.
    pub fn input(&self) -> &str {
        &self.0.input
    }

    /// Returns what was expected instead.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// Returns the ply of the move that could not be parsed, counted from 1, if it is part of a record.
    pub fn ply(&self) -> Option<usize> {
        self.0.ply
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { what, input, expected, ply } = &*self.0;
        if let Some(ply) = ply {
            write!(f, "ply {ply}: ")?;
        }
        write!(f, "invalid {what} {}: expected {expected}", Quoted(input))
    }
}

/// A move that is not legal in the position it was played in.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::TicTac;
///
/// let position: TicTac = "X__/___/___ O".parse()?;
/// let error = position.after("A1".parse()?).unwrap_err();
/// assert_eq!((error.game(), error.position(), error.given()), ("tictac", "X__/___/___ O", "A1"));
/// # Ok::<(), petteia::ParseError>(())
/// ```
// Boxed, so that the result of a checked move stays one word.
#[derive(Clone, PartialEq, Eq)]
pub struct IllegalMove(Box<Refused>);

#[derive(Clone, PartialEq, Eq)]
struct Refused {
    game: String,
    position: String,
    given: String,
    /// The first legal moves, and how many there are.
    legal: Vec<String>,
    count: usize,
    ply: Option<usize>,
    lane: Option<usize>,
}

impl IllegalMove {
    /// How many legal moves a message lists at most; it only counts the rest.
    const LISTED: usize = 64;

    /// Describes a move, or its text, that cannot be played in a position.
    #[cold]
    pub fn new<P: Position>(position: &P, given: &impl fmt::Display) -> Self {
        let moves = position.moves();
        IllegalMove(Box::new(Refused {
            game: position.name().to_owned(),
            position: position.to_string(),
            given: given.to_string(),
            count: moves.len(),
            legal: moves.take(Self::LISTED).map(|m| m.to_string()).collect(),
            ply: None,
            lane: None,
        }))
    }

    /// Adds the ply of the illegal move in a sequence, counted from 1.
    #[must_use]
    pub fn at_ply(mut self, ply: usize) -> Self {
        self.0.ply = Some(ply);
        self
    }

    /// Adds the lane, in a batch of games, that the move was played in, counted from 0.
    #[must_use]
    pub fn in_lane(mut self, lane: usize) -> Self {
        self.0.lane = Some(lane);
        self
    }

    /// Returns the name of the game.
    pub fn game(&self) -> &str {
        &self.0.game
    }

    /// Returns the text of the position.
    pub fn position(&self) -> &str {
        &self.0.position
    }

    /// Returns the move as it was given.
    pub fn given(&self) -> &str {
        &self.0.given
    }

    /// Returns the ply of the move, counted from 1, if it is part of a record.
    pub fn ply(&self) -> Option<usize> {
        self.0.ply
    }

    /// Returns the lane of the game, counted from 0, if it is part of a batch.
    pub fn lane(&self) -> Option<usize> {
        self.0.lane
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { game, position, given, legal, count, ply, lane } = &*self.0;
        if let Some(ply) = ply {
            write!(f, "ply {ply}: ")?;
        }
        if let Some(lane) = lane {
            write!(f, "lane {lane}: ")?;
        }
        write!(f, "illegal move {} in {game} {}: ", Quoted(given), Quoted(position))?;
        if *count == 0 {
            return f.write_str("the game is over");
        }
        f.write_str("the legal moves are")?;
        legal.iter().try_for_each(|m| write!(f, " {m}"))?;
        match count - legal.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// An argument that is out of range.
///
/// ```
/// let error = petteia::Reversi::new(9, 8).unwrap_err();
/// assert_eq!((error.name(), error.given(), error.expected()), ("width", "9", "2 to 8"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ArgumentError(Box<OutOfRange>);

#[derive(Clone, PartialEq, Eq)]
struct OutOfRange {
    name: String,
    given: String,
    expected: String,
    quoted: bool,
}

impl ArgumentError {
    /// Describes the number given for a named argument, and what was expected.
    #[cold]
    pub fn new(name: impl Into<String>, given: impl fmt::Display, expected: impl fmt::Display) -> Self {
        let (name, given, expected) = (name.into(), given.to_string(), expected.to_string());
        ArgumentError(Box::new(OutOfRange { name, given, expected, quoted: false }))
    }

    /// Like [`new`](ArgumentError::new), for an argument given as text, such as a square or a position; the message
    /// quotes it.
    #[cold]
    pub fn of_text(name: impl Into<String>, given: impl fmt::Display, expected: impl fmt::Display) -> Self {
        let mut error = ArgumentError::new(name, given, expected);
        error.0.quoted = true;
        error
    }

    /// Returns the name of the argument.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns what was given.
    pub fn given(&self) -> &str {
        &self.0.given
    }

    /// Returns what was expected.
    pub fn expected(&self) -> &str {
        &self.0.expected
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange { name, given, expected, quoted } = &*self.0;
        match quoted {
            true => write!(f, "invalid {name} {}: expected {expected}", Quoted(given)),
            false => write!(f, "invalid {name} {given}: expected {expected}"),
        }
    }
}

/// Memory that the system could not provide.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MemoryError {
    /// What it was for, such as `"a transposition table"`.
    pub what: &'static str,
    /// How many bytes it needs.
    pub bytes: usize,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for {} of {} bytes: expected a smaller one", self.what, self.bytes)
    }
}

/// Whether errors that unwind are caught and reported, as by the C library and the Python module.
static CAUGHT: AtomicBool = AtomicBool::new(cfg!(feature = "capi"));

impl MemoryError {
    /// Panics, as ways that return no error do when they run out of memory; inside [`or_no_memory`], the error gets
    /// there instead.
    #[cold]
    pub(crate) fn raise(self) -> ! {
        if CAUGHT.load(Ordering::Relaxed) {
            // Unlike a panic, it is not reported here.
            resume_unwind(Box::new(self));
        }
        panic!("{self}")
    }
}

/// Runs work that may run out of memory where it returns no error: copies of large boards, above all.
///
/// # Errors
///
/// A [`MemoryError`] if it does.
pub fn or_no_memory<T>(work: impl FnOnce() -> T) -> Result<T, MemoryError> {
    if !CAUGHT.load(Ordering::Relaxed) {
        CAUGHT.store(true, Ordering::Relaxed);
    }
    // Whoever gets the error drops what the work had begun.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<MemoryError>() {
        Ok(error) => *error,
        Err(panic) => resume_unwind(panic),
    })
}

/// Allocates zeroed memory.
///
/// # Errors
///
/// A [`MemoryError`] if the system cannot provide it.
pub(crate) fn zeros<T: Clone + Default>(what: &'static str, length: usize) -> Result<Vec<T>, MemoryError> {
    let mut memory = Vec::new();
    let bytes = length.saturating_mul(size_of::<T>());
    memory.try_reserve_exact(length).map_err(|_| MemoryError { what, bytes })?;
    memory.resize(length, T::default());
    Ok(memory)
}

/// Makes room for more bytes; without memory, the error is [raised](MemoryError::raise).
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) {
    if bytes.try_reserve(more).is_err() {
        MemoryError { what: "a board's contents", bytes: more }.raise();
    }
}

/// Why a setup failed: an argument is out of range, or there is not enough memory.
#[derive(Clone, PartialEq, Eq)]
pub enum SetupError {
    /// An argument is out of range.
    Argument(ArgumentError),
    /// There is not enough memory.
    Memory(MemoryError),
}

impl From<ArgumentError> for SetupError {
    fn from(error: ArgumentError) -> Self {
        SetupError::Argument(error)
    }
}

impl From<MemoryError> for SetupError {
    fn from(error: MemoryError) -> Self {
        SetupError::Memory(error)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Argument(error) => error.fmt(f),
            SetupError::Memory(error) => error.fmt(f),
        }
    }
}

/// Formats errors with `{:?}` by their messages, since that is how `main` prints them.
macro_rules! errors {
    ($($name:ident),*) => {
        $(impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:?})", stringify!($name), self.to_string())
            }
        }

        impl Error for $name {})*
    };
}

errors!(ParseError, IllegalMove, ArgumentError, MemoryError, SetupError);

/// Text in quotation marks with control characters escaped, truncated if it is too long to read.
struct Quoted<'a>(&'a str);

impl Quoted<'_> {
    /// How many characters a message shows.
    const SHOWN: usize = 240;
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(Self::SHOWN) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}… ({} bytes)", &self.0[..end], self.0.len()),
        }
    }
}
