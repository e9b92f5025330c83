//! Game records, as one line of text.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::error::{IllegalMove, MemoryError, ParseError, SetupError, or_no_memory};
use crate::parameters::{Declared, read_values};
use crate::position::Position;

/// A game from its starting position: the moves played, and the position they led to.
///
/// As text it is one line: the game, its parameters, a colon and the moves, with single spaces between.
///
/// ```
/// use petteia::{Record, Reversi};
///
/// let record: Record<Reversi> = "reversi 8 8: d4 e4 e5 d5 e3".parse()?;
/// assert_eq!(record.moves().len(), 5);
/// assert_eq!(record.to_string(), "reversi 8 8: d4 e4 e5 d5 e3");
/// # Ok::<(), petteia::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record<P: Position> {
    start: P,
    moves: Vec<P::Move>,
    last: P,
}

impl<P: Position> Record<P> {
    /// Starts a record with no moves.
    pub fn new(start: P) -> Self {
        Record { last: start.clone(), start, moves: Vec::new() }
    }

    /// Returns the starting position.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Returns the moves played so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    pub fn last(&self) -> &P {
        &self.last
    }

    /// Returns every position of the game from first to last, one more than there are moves.
    pub fn positions(&self) -> impl Iterator<Item = P> + '_ {
        let mut position = self.start.clone();
        std::iter::once(position.clone()).chain(self.moves.iter().map(move |m| {
            position.play_unchecked(m.clone());
            position.clone()
        }))
    }

    /// Plays a move and records it.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] that names the ply; the record is then unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        if self.moves.try_reserve(1).is_err() {
            no_memory::<P>(self.moves.len() + 1).raise();
        }
        self.last.play(m.clone()).map_err(|error| error.at_ply(self.moves.len() + 1))?;
        self.moves.push(m);
        Ok(())
    }
}

impl<P: Declared> fmt::Display for Record<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::NAME)?;
        let parameters = self.start.parameters();
        if !parameters.is_empty() {
            write!(f, " {parameters}")?;
        }
        f.write_str(":")?;
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl<P: Declared> FromStr for Record<P> {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let error = |expected: &str| ParseError::new("record", text, expected);
        let (header, moves) = text.split_once(':').ok_or_else(|| error("a colon between game and moves"))?;
        let parameters = match header.strip_prefix(P::NAME) {
            Some("") => "",
            Some(rest) if rest.len() > 1 && rest.starts_with(' ') => &rest[1..],
            _ => return Err(error(&format!("the game's name, {}, and its parameters", P::NAME)).into()),
        };
        let start = read_start(parameters)?;
        let mut record = or_no_memory(|| Record::new(start))?;
        if moves.is_empty() {
            return Ok(record);
        }
        let moves = moves.strip_prefix(' ').ok_or_else(|| error("a space after the colon"))?;
        let count = 1 + moves.bytes().filter(|byte| *byte == b' ').count();
        record.moves.try_reserve_exact(count).map_err(|_| no_memory::<P>(count))?;
        for (i, word) in moves.split(' ').enumerate() {
            record.play(word.parse().map_err(|error: ParseError| error.at_ply(i + 1))?)?;
        }
        Ok(record)
    }
}

/// Returns the error for a record with more moves than fit into memory.
fn no_memory<P: Position>(moves: usize) -> MemoryError {
    MemoryError { what: "a record", bytes: moves.saturating_mul(size_of::<P::Move>()) }
}

/// Returns the starting position of a game, with parameters given as words joined by single spaces.
///
/// # Errors
///
/// [`RecordError::Parse`] for parameters that the game does not allow, [`RecordError::Memory`] if there is not enough
/// memory.
pub fn read_start<P: Declared>(words: &str) -> Result<P, RecordError> {
    P::start(&read_values::<P>(words)?).map_err(|error| match error {
        // Each number is in range, but not their combination: still a fault of the text.
        SetupError::Argument(error) => {
            ParseError::new(format!("{} parameters", P::NAME), words, error.expected()).into()
        }
        SetupError::Memory(error) => error.into(),
    })
}

/// Why text is not a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The text is malformed.
    Parse(ParseError),
    /// A move is illegal.
    Illegal(IllegalMove),
    /// There is not enough memory for the board.
    Memory(MemoryError),
}

impl From<ParseError> for RecordError {
    fn from(error: ParseError) -> Self {
        RecordError::Parse(error)
    }
}

impl From<IllegalMove> for RecordError {
    fn from(error: IllegalMove) -> Self {
        RecordError::Illegal(error)
    }
}

impl From<MemoryError> for RecordError {
    fn from(error: MemoryError) -> Self {
        RecordError::Memory(error)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Parse(error) => error.fmt(f),
            RecordError::Illegal(error) => error.fmt(f),
            RecordError::Memory(error) => error.fmt(f),
        }
    }
}

impl Error for RecordError {}
