//! The document's exceptions.

use std::error::Error;
use std::fmt;

use super::{Piece, Square};

/// Why one of the document's operations could not be done; its text is the document's.
///
/// ```
/// use petteia::quarto::{Piece, QuartoError};
///
/// assert_eq!(QuartoError::UsedPiece(Piece::default()).to_string(), "SBCH is already used.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QuartoError {
    /// A piece was asked for on a square that has none: SquareException with `empty`.
    EmptySquare(Square),
    /// A square was to be empty and is not: SquareException with `not empty`.
    OccupiedSquare(Square),
    /// A piece was to be unused and is not: UsedPieceException.
    UsedPiece(Piece),
    /// A text is no piece or no square: InvalidInputException.
    InvalidInput(String),
}

impl fmt::Display for QuartoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuartoError::EmptySquare(square) => write!(f, "{square} is empty."),
            QuartoError::OccupiedSquare(square) => write!(f, "{square} is not empty."),
            QuartoError::UsedPiece(piece) => write!(f, "{piece} is already used."),
            QuartoError::InvalidInput(text) => write!(f, "{text} is an invalid input."),
        }
    }
}

impl Error for QuartoError {}
