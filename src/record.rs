//! A played game as one line of text.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::position::{IllegalMove, ParseError, Position};

/// A game from its start: the moves that were played, and the position they led to.
///
/// As text it is one line: the game, its parameters, a colon and the moves, with single spaces between.
///
/// ```
/// use petteia::{Position, Record, Reversi};
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

    /// Returns the position that the game started from.
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

    /// Returns every position of the game, from the start to the last, one more than there are moves.
    pub fn positions(&self) -> impl Iterator<Item = P> + '_ {
        let mut position = self.start.clone();
        std::iter::once(position.clone()).chain(self.moves.iter().map(move |&m| {
            position.play_unchecked(m);
            position.clone()
        }))
    }

    /// Plays a move and writes it down.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] that names the ply; the record is then as it was.
    pub fn play(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        self.last.play(m).map_err(|error| error.at_ply(self.moves.len() + 1))?;
        self.moves.push(m);
        Ok(())
    }
}

impl<P: Position> fmt::Display for Record<P> {
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

impl<P: Position> FromStr for Record<P> {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let error = |expected: &str| ParseError::new("record", text, expected);
        let (header, moves) = text.split_once(':').ok_or_else(|| error("a colon between game and moves"))?;
        let parameters = match header.strip_prefix(P::NAME) {
            Some("") => "",
            Some(rest) if rest.len() > 1 && rest.starts_with(' ') => &rest[1..],
            _ => return Err(error(&format!("the game's name, {}, and its parameters", P::NAME)).into()),
        };
        let mut record = Record::new(P::from_parameters(parameters)?);
        if moves.is_empty() {
            return Ok(record);
        }
        let moves = moves.strip_prefix(' ').ok_or_else(|| error("a space after the colon"))?;
        for (i, word) in moves.split(' ').enumerate() {
            record.play(word.parse().map_err(|error: ParseError| error.at_ply(i + 1))?)?;
        }
        Ok(record)
    }
}

/// Why a text is not the record of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The text does not follow the format.
    Parse(ParseError),
    /// A move is against the rules.
    Illegal(IllegalMove),
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

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Parse(error) => error.fmt(f),
            RecordError::Illegal(error) => error.fmt(f),
        }
    }
}

impl Error for RecordError {}
