//! The two kinds of move.

use std::fmt;
use std::str::FromStr;

use super::{Piece, Square};
use crate::error::ParseError;
use crate::moves::BitMove;

/// One ply: a piece is selected for the opponent, or the piece in hand is placed.
///
/// ```
/// use petteia::quarto::Move;
///
/// assert!(matches!("SBCH".parse()?, Move::Select(_)));
/// assert!(matches!("B2".parse()?, Move::Place(_)));
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Selects a piece for the opponent to place, such as `SBCH`.
    Select(Piece),
    /// Places the piece in hand on a square, such as `B2`.
    Place(Square),
}

impl Move {
    /// How many moves there are: sixteen pieces and sixteen squares.
    pub(super) const COUNT: usize = 32;

    /// Returns the move's number: the piece's, or 16 plus the square's.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Move::Select(piece) => piece.index(),
            Move::Place(square) => 16 + square.index(),
        }
    }

    /// Returns the move with the given number, or `None` if it is above 31.
    #[inline]
    pub fn new(index: usize) -> Option<Move> {
        (index < Move::COUNT).then(|| Move::from_bit(index as u32))
    }
}

impl BitMove for Move {
    #[inline]
    fn from_bit(bit: u32) -> Self {
        if bit < 16 { Move::Select(Piece::from_bit(bit)) } else { Move::Place(Square::from_bit(bit)) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Select(piece) => piece.fmt(f),
            Move::Place(square) => square.fmt(f),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.len() {
            4 => text.parse().map(Move::Select),
            2 => text.parse().map(Move::Place),
            _ => {
                Err(ParseError::new("move", text, "a piece of four letters or a square, such as SEQO or B2"))
            }
        }
    }
}
