//! The common pool of pieces.

use std::fmt;

use super::{Piece, QuartoError};
use crate::error::text_of;
use crate::moves::MoveSet;

/// Which of the sixteen pieces have been placed.
///
/// It keeps the `used` flag of every piece. In the course's assignment an unused piece is requested by index, by
/// attributes or by code; for the first two, use [`Piece::new`] and [`Piece::with`].
///
/// ```
/// use petteia::quarto::Pool;
///
/// let mut pool = Pool::new();
/// let piece = pool.get_unused_piece_by_code("SBCH")?;
/// pool.set_used(piece, true);
/// let again = pool.get_unused_piece_by_code("SBCH");
/// assert_eq!(again.unwrap_err().to_string(), "SBCH is already used.");
/// # Ok::<(), petteia::quarto::QuartoError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pool {
    used: u16,
}

impl Pool {
    /// Returns a pool in which no piece is used.
    pub const fn new() -> Self {
        Pool { used: 0 }
    }

    pub(super) const fn with_used(used: u16) -> Self {
        Pool { used }
    }

    /// Returns whether a piece has been placed.
    pub const fn is_used(&self, piece: Piece) -> bool {
        self.used & piece.bit() != 0
    }

    /// Sets whether a piece has been placed.
    pub fn set_used(&mut self, piece: Piece, used: bool) {
        if used {
            self.used |= piece.bit();
        } else {
            self.used &= !piece.bit();
        }
    }

    /// Returns the piece if it has not been placed.
    ///
    /// # Errors
    ///
    /// [`QuartoError::UsedPiece`] if it has.
    pub const fn get_unused_piece(&self, piece: Piece) -> Result<Piece, QuartoError> {
        if self.is_used(piece) { Err(QuartoError::UsedPiece(piece)) } else { Ok(piece) }
    }

    /// Returns the piece with the given code if it has not been placed.
    ///
    /// # Errors
    ///
    /// [`QuartoError::UsedPiece`] if it has, and [`QuartoError::InvalidInput`] if there is no such piece.
    pub fn get_unused_piece_by_code(&self, code: &str) -> Result<Piece, QuartoError> {
        let piece = Piece::from_code(code.as_bytes());
        self.get_unused_piece(piece.ok_or_else(|| QuartoError::InvalidInput(text_of(code)))?)
    }

    /// Returns the pieces that have not been placed, in the order of their numbers.
    pub fn unused(&self) -> impl ExactSizeIterator<Item = Piece> + Clone + use<> {
        MoveSet::new(u64::from(!self.used))
    }
}

/// Lists the unused pieces, the halves of each code one above the other; the text of an empty pool is empty.
impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unused().len() == 0 {
            return Ok(());
        }
        writeln!(f, "Available:")?;
        for half in [Piece::upper_half, Piece::lower_half] {
            self.unused().map(half).try_for_each(|[left, right]| write!(f, "{left}{right} "))?;
            writeln!(f)?;
        }
        Ok(())
    }
}
