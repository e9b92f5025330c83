//! The driver of Quarto.

use super::{Failure, Io};
use crate::quarto::{self, Seat};

/// Plays a game to its end.
pub(super) fn play(io: &mut Io, seats: [Seat; 2], seed: u32) -> Result<u8, Failure> {
    quarto::play(seats, seed, &mut io.input, &mut io.output)?;
    Ok(0)
}
