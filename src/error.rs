//! Errors, one type for each cause: text, moves, arguments, memory.
//!
//! Every error has accessors for programs and a message for people. Messages are lower case, quote what was given and
//! say what was expected.

use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::position::Position;
use crate::shortage;

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
    pub fn new(what: impl fmt::Display, input: impl fmt::Display, expected: impl fmt::Display) -> Self {
        let (what, input, expected) = (text_of(&what), text_of(&input), text_of(&expected));
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
    /// What is wrong with the move, if more is known than that it is not one of these.
    fault: Option<String>,
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
            position: text_of(position),
            given: text_of(given),
            count: moves.len(),
            legal: moves.take(Self::LISTED).map(|m| m.to_string()).collect(),
            fault: None,
            ply: None,
            lane: None,
        }))
    }

    /// Names the fault of the move in place of the legal moves, unless the game is over.
    #[must_use]
    pub fn because(mut self, fault: impl fmt::Display) -> Self {
        self.0.fault = Some(text_of(&fault));
        self
    }

    /// Replaces the move by what was given for it.
    #[must_use]
    pub fn of(mut self, given: impl fmt::Display) -> Self {
        self.0.given = text_of(&given);
        self
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

    /// Returns why the move is illegal: its fault, or the legal moves, or that the game is over.
    pub fn reason(&self) -> String {
        text_of(&Reason(&self.0))
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
        let Refused { game, position, given, ply, lane, .. } = &*self.0;
        if let Some(ply) = ply {
            write!(f, "ply {ply}: ")?;
        }
        if let Some(lane) = lane {
            write!(f, "lane {lane}: ")?;
        }
        write!(f, "illegal move {} in {game} {}: {}", Quoted(given), Quoted(position), Reason(&self.0))
    }
}

/// Why a move is illegal.
struct Reason<'a>(&'a Refused);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { legal, count, fault, .. } = self.0;
        if *count == 0 {
            return f.write_str("the game is over");
        }
        if let Some(fault) = fault {
            return f.write_str(fault);
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
        let (name, given, expected) = (name.into(), text_of(&given), text_of(&expected));
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
        write!(
            f,
            "no memory for {} of {} bytes: expected more memory, or a smaller one",
            self.what, self.bytes
        )
    }
}

/// Whether errors that unwind are caught and reported, as by the C library and the Python module.
// Where a panic aborts, nothing is: the message of a panic is the most that there can be.
static CAUGHT: AtomicBool = AtomicBool::new(cfg!(all(feature = "capi", panic = "unwind")));

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
    if cfg!(panic = "unwind") && !CAUGHT.load(Ordering::Relaxed) {
        CAUGHT.store(true, Ordering::Relaxed);
    }
    // Whoever gets the error drops what the work had begun.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<MemoryError>() {
        Ok(error) => *error,
        Err(panic) => resume_unwind(panic),
    })
}

// Whatever may be larger than a few kilobytes comes by these: lists of which a program says, or a board, how long they
// get. The reserve of the C library is no place for them, nor for anything that is kept: see `shortage`.

/// Returns an empty list with room for exactly so many elements.
///
/// # Errors
///
/// A [`MemoryError`] if the system cannot provide it.
pub(crate) fn room<T>(what: &'static str, length: usize) -> Result<Vec<T>, MemoryError> {
    let mut list = Vec::new();
    match list.try_reserve_exact(length) {
        Ok(()) if !shortage::is_noted() => Ok(list),
        _ => Err(MemoryError { what, bytes: length.saturating_mul(size_of::<T>()) }),
    }
}

/// Allocates zeroed memory.
///
/// # Errors
///
/// A [`MemoryError`] if the system cannot provide it.
pub(crate) fn zeros<T: Clone + Default>(what: &'static str, length: usize) -> Result<Vec<T>, MemoryError> {
    let mut memory = room(what, length)?;
    memory.resize(length, T::default());
    Ok(memory)
}

/// Makes room for more elements of a list; without memory, the error is [raised](MemoryError::raise).
pub(crate) fn reserve<T>(what: &'static str, list: &mut Vec<T>, more: usize) {
    if list.try_reserve(more).is_err() || shortage::is_noted() {
        MemoryError { what, bytes: list.len().saturating_add(more).saturating_mul(size_of::<T>()) }.raise();
    }
}

/// Appends an element to a list; without memory, the error is [raised](MemoryError::raise).
#[inline]
pub(crate) fn push<T>(what: &'static str, list: &mut Vec<T>, element: T) {
    if list.len() == list.capacity() {
        reserve(what, list, 1);
    }
    list.push(element);
}

/// Collects a list; without memory, the error is [raised](MemoryError::raise).
pub(crate) fn list<T>(what: &'static str, elements: impl IntoIterator<Item = T>) -> Vec<T> {
    let elements = elements.into_iter();
    let mut list = room(what, elements.size_hint().0).unwrap_or_else(|error| error.raise());
    elements.for_each(|element| push(what, &mut list, element));
    list
}

/// [Raises](MemoryError::raise) an error if memory was missing: to be called before what cannot be taken back.
pub(crate) fn be_sure() {
    if shortage::is_noted() {
        MemoryError { what: "a call", bytes: 0 }.raise();
    }
}

/// Writes a value, which may be a text from a program or a large board; without memory, the error is
/// [raised](MemoryError::raise).
pub(crate) fn text_of(value: &(impl fmt::Display + ?Sized)) -> String {
    let mut text = Text::default();
    // What is displayed does not fail, and this raises what it has to say.
    let _ = fmt::write(&mut text, format_args!("{value}"));
    text.0
}

/// A text that may get long; without memory to write to it, the error is [raised](MemoryError::raise).
#[derive(Debug, Default)]
pub(crate) struct Text(pub(crate) String);

impl fmt::Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.try_reserve(more.len()).is_err() || shortage::is_noted() {
            MemoryError { what: "a text", bytes: self.0.len().saturating_add(more.len()) }.raise();
        }
        self.0.push_str(more);
        Ok(())
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
