//! Game records, as one line of text.

mod headers;

use std::error::Error;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

pub use headers::Headers;
pub(crate) use headers::InQuotes;

use crate::error::{IllegalMove, MemoryError, ParseError, SetupError, or_no_memory};
use crate::parameters::{Declared, read_values};
use crate::position::Position;

/// A game from some position on: the moves played, and the position they led to.
///
/// As text it is one line: the game, its parameters, a colon and the moves, with single spaces between. If it does not
/// start where the game does, `from` and the text of its first position come before the colon. [`Headers`] come first.
///
/// ```
/// use petteia::{Record, Reversi};
///
/// let record: Record<Reversi> = "reversi 8 8: d4 e4 e5 d5 e3".parse()?;
/// assert_eq!(record.moves().len(), 5);
/// assert_eq!(record.to_string(), "reversi 8 8: d4 e4 e5 d5 e3");
///
/// let middle: Record<Reversi> = "[date \"1880\"] reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1".parse()?;
/// assert_eq!(middle.start(), &Reversi::othello(4, 4)?);
/// assert_eq!(middle.headers().get("date"), Some("1880"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record<P: Position> {
    headers: Headers,
    start: P,
    moves: Vec<P::Move>,
    last: P,
}

impl<P: Position> Record<P> {
    /// Starts a record with no moves.
    pub fn new(start: P) -> Self {
        Record { headers: Headers::default(), last: start.clone(), start, moves: Vec::new() }
    }

    /// Returns what is known of the game besides its moves.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// Returns the headers to change them.
    pub fn headers_mut(&mut self) -> &mut Headers {
        &mut self.headers
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

    /// Takes back the last move and returns it; `None` if there is no move.
    pub fn undo(&mut self) -> Option<P::Move> {
        let kept = self.moves.len().checked_sub(1)?;
        self.last = advanced(&self.start, &self.moves[..kept]);
        self.moves.pop()
    }

    /// Returns the record of some of the moves, which starts from the position before them and has the same headers.
    ///
    /// # Panics
    ///
    /// If there are no such moves.
    ///
    /// ```
    /// use petteia::{Record, TicTac};
    ///
    /// let record: Record<TicTac> = "tictac X: B2 C2 C3".parse()?;
    /// assert_eq!(record.part(1..3).to_string(), "tictac X from ___/_X_/___ O: C2 C3");
    /// # Ok::<(), petteia::RecordError>(())
    /// ```
    #[must_use]
    pub fn part(&self, plies: Range<usize>) -> Self {
        let moves = &self.moves[plies.clone()];
        let mut room = Vec::new();
        if room.try_reserve_exact(moves.len()).is_err() {
            no_memory::<P>(moves.len()).raise();
        }
        room.extend_from_slice(moves);
        let start = advanced(&self.start, &self.moves[..plies.start]);
        Record { headers: self.headers.clone(), last: advanced(&start, moves), start, moves: room }
    }
}

/// Returns the position after moves that are known to be legal.
fn advanced<P: Position>(start: &P, moves: &[P::Move]) -> P {
    let mut position = start.clone();
    moves.iter().for_each(|m| position.play_unchecked(m.clone()));
    position
}

impl<P: Declared> fmt::Display for Record<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.headers, P::NAME)?;
        let parameters = self.start.parameters();
        if !parameters.is_empty() {
            write!(f, " {parameters}")?;
        }
        if !is_start(&self.start) {
            write!(f, "{FROM}{}", self.start)?;
        }
        f.write_str(":")?;
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

/// Returns whether a position is where its game starts.
fn is_start<P: Declared>(position: &P) -> bool {
    match P::start(&position.values()) {
        Ok(start) => start == *position,
        Err(SetupError::Argument(_)) => false,
        Err(SetupError::Memory(error)) => error.raise(),
    }
}

/// What comes between the parameters and the first position.
const FROM: &str = " from ";

impl<P: Declared> FromStr for Record<P> {
    type Err = RecordError;

    /// Parses the text, with or without a newline at its end.
    fn from_str(text: &str) -> Result<Self, RecordError> {
        let text = without_newline(text);
        let error = |expected: &str| ParseError::new("record", text, expected);
        let (headers, game) = or_no_memory(|| Headers::read(text))??;
        let (head, moves) = game.split_once(':').ok_or_else(|| error("a colon between game and moves"))?;
        let words = head.strip_prefix(P::NAME).map(|words| match words.split_once(FROM) {
            Some((words, position)) => (words, Some(position)),
            None => (words, None),
        });
        let (parameters, position) = match words {
            Some(("", position)) => ("", position),
            Some((words, position)) if words.len() > 1 && words.starts_with(' ') => (&words[1..], position),
            _ => return Err(error(&format!("the game's name, {}, and its parameters", P::NAME)).into()),
        };
        let start = match position {
            Some(position) => read_position(parameters, position)?,
            None => read_start(parameters)?,
        };
        let mut record = or_no_memory(|| Record::new(start))?;
        record.headers = headers;
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

/// Returns a line without the newline at its end, if there is one.
fn without_newline(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line))
}

/// Parses the headers of a record of any game, and returns them, the name of the game, and the rest from the name on,
/// without a newline.
///
/// # Errors
///
/// A [`RecordError`] for malformed headers, or if there is not enough memory.
pub fn read_headers(text: &str) -> Result<(Headers, &str, &str), RecordError> {
    let (headers, game) = or_no_memory(|| Headers::read(without_newline(text)))??;
    let end = game.find([' ', ':']).unwrap_or(game.len());
    Ok((headers, &game[..end], game))
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

/// Parses the first position of a record, which must have the parameters that the record has.
fn read_position<P: Declared>(words: &str, text: &str) -> Result<P, RecordError> {
    let values = read_values::<P>(words)?;
    let position: P = or_no_memory(|| text.parse())??;
    if position.values() == values {
        return Ok(position);
    }
    let what = format!("{} position", P::NAME);
    Err(ParseError::new(what, text, format!("one with the parameters {words} of the record")).into())
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
