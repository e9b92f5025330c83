//! The exceptions of the course's assignment.

use std::error::Error;
use std::fmt;

use super::{Piece, Square};

/// Why an operation of the assignment failed, with the assignment's message.
///
/// ```
/// use petteia::quarto::{Piece, QuartoError};
///
/// assert_eq!(QuartoError::UsedPiece(Piece::default()).to_string(), "SBCH is already used.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QuartoError {
    /// A square has no piece to return: SquareException with `empty`.
    EmptySquare(Square),
    /// A square should be empty but is not: SquareException with `not empty`.
    OccupiedSquare(Square),
    /// A piece should be unused but is not: UsedPieceException.
    UsedPiece(Piece),
    /// Text is not a piece or not a square: InvalidInputException.
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
