//! Estimates: how a game is likely to end.

use super::solve::SolveError;
use crate::engine::Engine;

/// How a game is likely to end, for the player to move: what a position looks like, not what is proved of it.
///
/// The three probabilities add up to 1. The result that they expect is [`expected`](Estimate::expected).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The probability that the player to move wins.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability that the player to move loses.
    pub loss: f64,
    /// The expected disc difference, in games that count squares.
    pub difference: Option<f64>,
}

impl Estimate {
    /// What a finished game is, or a solved one, given the score for the player to move; `counts` says that it is a disc
    /// difference.
    pub(crate) fn certain(score: i32, counts: bool) -> Self {
        let is = |holds: bool| f64::from(u8::from(holds));
        Estimate {
            win: is(score > 0),
            draw: is(score == 0),
            loss: is(score < 0),
            difference: counts.then_some(score.into()),
        }
    }

    /// Returns the estimate of a game that is won, drawn or lost, given the expected result: 1 for a win, -1 for a loss.
    ///
    /// It is that of two games, of which each is won with the probability that gives the expected result, with a draw if
    /// each player wins one.
    pub fn of_expected(expected: f64) -> Self {
        let won = (1.0 + expected.clamp(-1.0, 1.0)) / 2.0;
        Estimate {
            win: won * won,
            draw: 2.0 * won * (1.0 - won),
            loss: (1.0 - won) * (1.0 - won),
            difference: None,
        }
    }

    /// Returns the estimate of a disc difference that is normally distributed, with a deviation of at least 1/128.
    ///
    /// The distribution function is approximated by a logistic function, which is off by less than 0.01: less than
    /// estimates are.
    pub(crate) fn of_difference(mean: f64, deviation: f64) -> Self {
        const LOGISTIC: f64 = 1.702;
        // A difference of more than half a disc is a win; it is then at least one disc. The logistic functions of the
        // mean less and plus half a disc have these two powers in common.
        let scale = LOGISTIC / deviation;
        let (power, half) = ((-scale * mean.abs()).exp(), (scale / 2.0).exp());
        let (likelier, other) = (1.0 / (1.0 + power * half), power / (power + half));
        let (win, loss) = if mean < 0.0 { (other, likelier) } else { (likelier, other) };
        Estimate { win, draw: (1.0 - win - loss).max(0.0), loss, difference: Some(mean) }
    }

    /// Returns the expected result: the probability of a win less that of a loss.
    pub fn expected(&self) -> f64 {
        self.win - self.loss
    }

    /// Returns the same estimate from the point of view of the other player.
    pub fn turned(self) -> Self {
        let difference = self.difference.map(|difference| -difference);
        Estimate { win: self.loss, loss: self.win, difference, ..self }
    }
}

/// Estimates how the game will end, from a look at the position alone.
///
/// ```
/// use petteia::{Reversi, evaluate};
///
/// let estimate = evaluate(&Reversi::default())?;
/// assert!((estimate.win + estimate.draw + estimate.loss - 1.0).abs() < 1e-9);
/// assert!(estimate.difference.is_some_and(|discs| discs.abs() < 20.0));
/// # Ok::<(), petteia::SolveError>(())
/// ```
///
/// # Errors
///
/// [`SolveError::Over`] for a finished game.
pub fn evaluate<P: Engine>(position: &P) -> Result<Estimate, SolveError> {
    if position.is_over() { Err(SolveError::Over) } else { Ok(position.estimate()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up() {
        let expected = [-1.0, -0.5, 0.0, 0.25, 1.0].map(Estimate::of_expected);
        let differences = [(-70.0, 3.0), (0.0, 20.0), (0.5, 1.0), (3.0, 0.1)]
            .map(|(mean, deviation)| Estimate::of_difference(mean, deviation));
        for estimate in expected.into_iter().chain(differences) {
            assert!((estimate.win + estimate.draw + estimate.loss - 1.0).abs() < 1e-12, "{estimate:?}");
            assert!(
                [estimate.win, estimate.draw, estimate.loss].iter().all(|part| (0.0..=1.0).contains(part))
            );
            assert_eq!(estimate.turned().turned(), estimate);
            assert_eq!(estimate.turned().expected(), -estimate.expected());
        }
        assert_eq!(Estimate::of_expected(0.25).expected(), 0.25);
    }
}
