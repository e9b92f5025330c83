//! Where games start: at one position, or at one of several that is drawn by seed.
//!
//! Batches, playouts, self-play and matches all take a [`Start`]. A position is one; [`Starts`] are several.

use crate::error::{ArgumentError, list};
use crate::position::Position;
use crate::random::Rng;

/// Several positions of a game, one of which is drawn for each game; or just one.
///
/// ```
/// use petteia::{Reversi, Start, Starts};
///
/// let diagonal: Reversi = "____/_LD_/_DL_/____ D".parse()?;
/// let parallel: Reversi = "____/_LL_/_DD_/____ D".parse()?;
/// let starts = Starts::new([diagonal, parallel])?;
/// assert!((0..10).any(|game| *starts.of_game(7, game) == diagonal));
/// assert!((0..10).any(|game| *starts.of_game(7, game) == parallel));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starts<P> {
    first: P,
    others: Vec<P>,
}

impl<P: Position> Starts<P> {
    /// Returns the given positions.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if there are none, or for one in which the game is over.
    pub fn new(positions: impl IntoIterator<Item = P>) -> Result<Self, ArgumentError> {
        let mut positions = positions.into_iter();
        let first = positions.next();
        let first = first.ok_or_else(|| ArgumentError::new("start", "[]", "at least one position"))?;
        let starts = Starts { first, others: list("starts", positions) };
        let over = starts.iter().position(P::is_over);
        match over {
            None => Ok(starts),
            Some(place) => Err(starts.refuse(place, "a game in progress")),
        }
    }

    /// Returns all positions, in the given order.
    pub fn iter(&self) -> impl Iterator<Item = &P> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Describes why one of the positions, by its place, cannot be taken.
    pub(crate) fn refuse(&self, place: usize, expected: &str) -> ArgumentError {
        let position = self.at(place);
        let name = if self.others.is_empty() { "start".to_owned() } else { format!("start[{place}]") };
        ArgumentError::of_text(name, position, expected)
    }

    /// Draws a position with a random stream, which stays as it is if there is only one.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Rng) -> &P {
        if self.others.is_empty() { &self.first } else { self.draw_one(stream) }
    }

    #[inline(never)]
    fn draw_one(&self, stream: &mut Rng) -> &P {
        self.at(stream.below(1 + self.others.len()))
    }

    fn at(&self, place: usize) -> &P {
        place.checked_sub(1).map_or(&self.first, |place| &self.others[place])
    }
}

/// A position where all games start. If the game is over there, so is each of them.
impl<P: Position> From<P> for Starts<P> {
    fn from(first: P) -> Self {
        Starts { first, others: Vec::new() }
    }
}

/// Returns which of a number of starts a game of a seed has.
///
/// It has nothing to do with the game's own random stream, so with one start, games are what they would be.
///
/// # Panics
///
/// If there are none.
pub fn drawn_start(count: usize, seed: u64, game: u64) -> usize {
    if count == 1 { 0 } else { Rng::for_game(!seed, game).below(count) }
}

/// Where the games of a seed start: a position, or [`Starts`].
pub trait Start<P>: Sync {
    /// Returns one of the positions: the first.
    fn first(&self) -> &P;

    /// Returns the only position, or `None` if there are several.
    fn only(&self) -> Option<&P>;

    /// Returns the position where a game of a seed starts, by [`drawn_start`].
    fn of_game(&self, seed: u64, game: u64) -> &P;
}

impl<P: Position> Start<P> for P {
    fn first(&self) -> &P {
        self
    }

    fn only(&self) -> Option<&P> {
        Some(self)
    }

    fn of_game(&self, _: u64, _: u64) -> &P {
        self
    }
}

impl<P: Position> Start<P> for Starts<P> {
    fn first(&self) -> &P {
        &self.first
    }

    fn only(&self) -> Option<&P> {
        self.others.is_empty().then_some(&self.first)
    }

    fn of_game(&self, seed: u64, game: u64) -> &P {
        self.at(drawn_start(1 + self.others.len(), seed, game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TicTac;

    #[test]
    fn what_cannot_be_played_is_refused() {
        let start = TicTac::default();
        let over: TicTac = "XXX/OO_/___ -".parse().unwrap();
        let told = |positions: &[TicTac]| Starts::new(positions.iter().copied()).unwrap_err().to_string();
        assert_eq!(told(&[]), "invalid start []: expected at least one position");
        assert_eq!(told(&[over]), "invalid start \"XXX/OO_/___ -\": expected a game in progress");
        assert_eq!(told(&[start, over]), "invalid start[1] \"XXX/OO_/___ -\": expected a game in progress");
    }

    #[test]
    fn each_position_is_drawn_as_often_as_any_other() {
        let positions = ["___/___/___ X", "X__/___/___ O", "_X_/___/___ O"].map(|text| text.parse().unwrap());
        let starts: Starts<TicTac> = Starts::new(positions).unwrap();
        let drawn: Vec<&TicTac> = (0..3000).map(|game| starts.of_game(5, game)).collect();
        for position in starts.iter() {
            let hits = drawn.iter().filter(|drawn| **drawn == position).count();
            // Five standard deviations.
            assert!((870..1130).contains(&hits), "{position}: {hits}");
        }
        assert_eq!((0..3000).map(|game| starts.of_game(5, game)).collect::<Vec<_>>(), drawn);
        assert_ne!((0..3000).map(|game| starts.of_game(6, game)).collect::<Vec<_>>(), drawn);
    }
}
