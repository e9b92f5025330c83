//! The board and the pieces on it.

use std::fmt;

use super::lines::{FILLED, LINES, PLANES, completions, has_line};
use super::{Haxis, Piece, Pool, QuartoError, Square, Vaxis};
use crate::error::text_of;

/// The sixteen squares and the pieces on them.
///
/// It has the methods of the assignment's squares: `getPiece` is [`get_piece`](Board::get_piece), `setPiece` is
/// [`set_piece`](Board::set_piece) and `isEmpty` is [`is_empty`](Board::is_empty).
///
/// ```
/// use petteia::quarto::{Board, Pool};
///
/// let (mut board, mut pool) = (Board::new(), Pool::new());
/// let piece = pool.get_unused_piece_by_code("SBCH")?;
/// let square = board.get_empty_square_by_name("A1")?;
/// board.place(piece, square, &mut pool);
/// assert!(pool.is_used(piece));
/// assert_eq!(board.get_piece(square)?, piece);
/// # Ok::<(), petteia::quarto::QuartoError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Four planes, one per attribute, of the squares whose piece has the value 1; see the module `lines`.
    pub(super) ones: u64,
    /// The occupied squares.
    pub(super) occupied: u16,
}

impl Board {
    /// Returns an empty board.
    pub const fn new() -> Self {
        Board { ones: 0, occupied: 0 }
    }

    /// Returns the square in the given row and column.
    pub const fn get_square(&self, v: Vaxis, h: Haxis) -> Square {
        Square::at(v, h)
    }

    /// Returns the square in the given row and column if it is empty.
    ///
    /// # Errors
    ///
    /// [`QuartoError::OccupiedSquare`] if it is not.
    pub const fn get_empty_square(&self, v: Vaxis, h: Haxis) -> Result<Square, QuartoError> {
        let square = Square::at(v, h);
        if self.is_empty(square) { Ok(square) } else { Err(QuartoError::OccupiedSquare(square)) }
    }

    /// Returns the square with the given name, such as `B2`, if it is empty.
    ///
    /// # Errors
    ///
    /// [`QuartoError::OccupiedSquare`] if it is not, and [`QuartoError::InvalidInput`] if there is no such square.
    pub fn get_empty_square_by_name(&self, name: &str) -> Result<Square, QuartoError> {
        let square = Square::from_name(name.as_bytes());
        let square = square.ok_or_else(|| QuartoError::InvalidInput(text_of(name)))?;
        self.get_empty_square(square.v(), square.h())
    }

    /// Returns whether a square has no piece.
    pub const fn is_empty(&self, square: Square) -> bool {
        self.occupied & square.bit() == 0
    }

    /// Returns the piece on a square, if there is one.
    pub fn get(&self, square: Square) -> Option<Piece> {
        if self.is_empty(square) {
            return None;
        }
        let column = self.ones >> square.index();
        let bit = |plane: usize| (column >> (16 * plane)) as usize & 1;
        Piece::new(bit(3) << 3 | bit(2) << 2 | bit(1) << 1 | bit(0))
    }

    /// Returns the piece on a square.
    ///
    /// # Errors
    ///
    /// [`QuartoError::EmptySquare`] if there is none.
    pub fn get_piece(&self, square: Square) -> Result<Piece, QuartoError> {
        self.get(square).ok_or(QuartoError::EmptySquare(square))
    }

    /// Puts a piece on a square, replacing any other, or empties the square.
    ///
    /// Unlike [`place`](Board::place), it does not change the pool.
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        let column = PLANES << square.index();
        self.ones &= !column;
        self.occupied &= !square.bit();
        if let Some(piece) = piece {
            self.ones |= column & FILLED[piece.index()];
            self.occupied |= square.bit();
        }
    }

    /// Places a piece on a square and marks it used in its pool.
    ///
    /// As in the assignment, the caller has to check that the piece is unused and the square empty: a piece on the
    /// square is replaced.
    pub fn place(&mut self, piece: Piece, square: Square, pool: &mut Pool) {
        self.set_piece(square, Some(piece));
        pool.set_used(piece, true);
    }

    /// Returns whether a piece on a square completes a line with a common attribute.
    ///
    /// The piece may have been placed there already: players ask before, the driver after.
    pub fn is_winning(&self, piece: Piece, square: Square) -> bool {
        completions(self.matching(piece)) & PLANES << square.index() != 0
    }

    /// Returns the occupied squares, each in the planes of the attributes that its piece shares with this one.
    #[inline]
    pub(super) fn matching(&self, piece: Piece) -> u64 {
        (PLANES * u64::from(self.occupied)) & !(self.ones ^ FILLED[piece.index()])
    }

    /// Returns the occupied squares, each in the planes of the attributes that are 0.
    #[inline]
    pub(super) fn zeros(&self) -> u64 {
        (PLANES * u64::from(self.occupied)) & !self.ones
    }

    /// Returns whether four pieces in a line have an attribute in common.
    pub(super) fn has_line(&self) -> bool {
        has_line(self.ones) || has_line(self.zeros())
    }

    /// Returns the squares of all lines that have an attribute in common.
    pub(super) fn line_squares(&self) -> u16 {
        let (ones, zeros) = (self.ones, self.zeros());
        let complete = |line: &&u16| {
            let line = u64::from(**line);
            (0..4).any(|plane| [ones, zeros].iter().any(|set| set >> (16 * plane) & line == line))
        };
        LINES.iter().filter(complete).fold(0, |all, line| all | line)
    }
}

/// Draws the board in fourteen lines, each piece as the two halves of its code, one above the other.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "  +----+----+----+----+";
        writeln!(f, "    1    2    3    4\n{RULE}")?;
        for (v, name) in Vaxis::ALL.into_iter().zip(["a", "b", "c", "d"]) {
            for (margin, half) in [(name, Piece::upper_half as fn(Piece) -> _), (" ", Piece::lower_half)] {
                write!(f, "{margin} |")?;
                for h in Haxis::ALL {
                    let [left, right] = self.get(Square::at(v, h)).map_or([' ', ' '], half);
                    write!(f, " {left}{right} |")?;
                }
                writeln!(f)?;
            }
            writeln!(f, "{RULE}")?;
        }
        Ok(())
    }
}
