//! The notation of marks, squares and moves.

use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;

use crate::error::ParseError;
use crate::moves::BitMove;
use crate::reading;

/// A player's mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Mark {
    /// The player with the crosses.
    X,
    /// The player with the noughts.
    O,
}

impl Mark {
    /// Returns the other player's mark.
    #[inline]
    pub const fn other(self) -> Mark {
        match self {
            Mark::X => Mark::O,
            Mark::O => Mark::X,
        }
    }

    /// Returns the mark's name, a capital letter.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::X => "X",
            Mark::O => "O",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mark {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "X" => Ok(Mark::X),
            "O" => Ok(Mark::O),
            _ => Err(ParseError::new("player", text, "X or O")),
        }
    }
}

/// A square of the grid, numbered from 0 at A1 row by row to 8 at C3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square with the given number, or `None` if it is above 8.
    pub const fn new(index: usize) -> Option<Square> {
        if index < 9 { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square's number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the row, 0 for A at the top.
    pub const fn row(self) -> usize {
        self.index() / 3
    }

    /// Returns the column, 0 for 1 at the left.
    pub const fn column(self) -> usize {
        self.index() % 3
    }

    #[inline]
    pub(super) const fn bit(self) -> u16 {
        1 << self.0
    }
}

impl BitMove for Square {
    #[inline]
    fn from_bit(bit: u32) -> Self {
        Square(bit as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ['A', 'B', 'C'][self.row()], self.column() + 1)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [row @ b'A'..=b'C', column @ b'1'..=b'3'] => Ok(Square((row - b'A') * 3 + (column - b'1'))),
            _ => Err(ParseError::new("square", text, "a row A to C and a column 1 to 3, such as B2")),
        }
    }
}

/// One line of a game record: the number of the move, the player and the square.
///
/// ```
/// use petteia::tictac::Move;
///
/// let parsed: Move = "2  o\tc2 # oops".parse()?;
/// assert_eq!(parsed.to_string(), "2 O C2");
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    number: u8,
    player: Mark,
    square: Square,
}

impl Move {
    /// Creates a move, or returns `None` if the number is not from 1 to 9.
    pub const fn new(number: u8, player: Mark, square: Square) -> Option<Move> {
        if matches!(number, 1..=9) { Some(Move { number, player, square }) } else { None }
    }

    /// Returns the number of the move in its game, from 1 to 9.
    #[inline]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// Returns the player who moves.
    #[inline]
    pub const fn player(self) -> Mark {
        self.player
    }

    /// Returns the square that is claimed.
    #[inline]
    pub const fn square(self) -> Square {
        self.square
    }

    /// Parses a line, with or without its newline; comments may contain any bytes.
    ///
    /// # Errors
    ///
    /// A [`ParseError`] if the line does not follow the format exactly.
    pub fn parse(line: &[u8]) -> Result<Move, ParseError> {
        let bytes = line.strip_suffix(b"\n").unwrap_or(line);
        let mut reader = LineReader::new();
        for &byte in bytes {
            // A newline inside does not count as white space: it would make two lines.
            if byte == b'\n' {
                return Err(line_error(line));
            }
            reader.push(byte);
        }
        reader.finish().ok_or_else(|| line_error(line))
    }

    /// Reads one line from a stream, in constant memory however long it is; `None` if it is not a move.
    ///
    /// # Errors
    ///
    /// Any [`io::Error`] of the stream.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<Move>> {
        let mut reader = LineReader::new();
        loop {
            let ended = reading::take(input, |bytes| {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                let line = &bytes[..end.unwrap_or(bytes.len())];
                line.iter().for_each(|&byte| reader.push(byte));
                (line.len() + usize::from(end.is_some()), end.is_some() || bytes.is_empty())
            })?;
            if ended {
                return Ok(reader.finish());
            }
        }
    }
}

/// A line as text, with a sign in place of what is not UTF-8.
struct Lossy<'a>(&'a [u8]);

impl fmt::Display for Lossy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.utf8_chunks().try_for_each(|chunk| {
            f.write_str(chunk.valid())?;
            f.write_str(if chunk.invalid().is_empty() { "" } else { "\u{fffd}" })
        })
    }
}

#[cold]
fn line_error(line: &[u8]) -> ParseError {
    ParseError::new(
        "move",
        Lossy(line),
        "a number 1 to 9, a player X or O and a square A1 to C3 separated by white space, such as 1 X B2",
    )
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.number, self.player, self.square)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Move::parse(text.as_bytes())
    }
}

/// How far a line has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Start,
    Number,
    NumberGap,
    Player,
    PlayerGap,
    Row,
    Square,
    SquareGap,
    Comment,
    Bad,
}

/// Parses a line byte by byte, so that lines of any length, in any pieces, need constant memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineReader {
    stage: Stage,
    number: u8,
    player: Mark,
    square: u8,
}

impl LineReader {
    pub(super) const fn new() -> Self {
        LineReader { stage: Stage::Start, number: 0, player: Mark::X, square: 0 }
    }

    /// Returns whether nothing of the line has been read yet.
    #[inline]
    pub(super) fn at_start(&self) -> bool {
        self.stage == Stage::Start
    }

    /// Returns whether the rest of the line can no longer change the result.
    #[inline]
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.stage, Stage::Comment | Stage::Bad)
    }

    /// Feeds the next byte of the line, which is not a newline.
    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        // The other five bytes that C's isspace accepts.
        let space = matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | b'\r');
        self.stage = match (self.stage, byte) {
            (Stage::Start, b'1'..=b'9') => {
                self.number = byte - b'0';
                Stage::Number
            }
            (Stage::Number | Stage::NumberGap, _) if space => Stage::NumberGap,
            (Stage::NumberGap, b'X' | b'x') => {
                self.player = Mark::X;
                Stage::Player
            }
            (Stage::NumberGap, b'O' | b'o') => {
                self.player = Mark::O;
                Stage::Player
            }
            (Stage::Player | Stage::PlayerGap, _) if space => Stage::PlayerGap,
            (Stage::PlayerGap, b'A'..=b'C' | b'a'..=b'c') => {
                self.square = (byte & 0x1f) * 3 - 3;
                Stage::Row
            }
            (Stage::Row, b'1'..=b'3') => {
                self.square += byte - b'1';
                Stage::Square
            }
            (Stage::Square | Stage::SquareGap, _) if space => Stage::SquareGap,
            (Stage::SquareGap, b'#') => Stage::Comment,
            (Stage::Comment, _) => Stage::Comment,
            _ => Stage::Bad,
        };
    }

    /// Returns the move at the end of the line, or `None` if the line does not follow the format.
    #[inline]
    pub(super) fn finish(&self) -> Option<Move> {
        match self.stage {
            Stage::Square | Stage::SquareGap | Stage::Comment => {
                Some(Move { number: self.number, player: self.player, square: Square(self.square) })
            }
            _ => None,
        }
    }
}
