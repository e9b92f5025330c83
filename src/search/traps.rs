//! Traps: of moves that are equally good, which one gives the opponent the most ways to go wrong.

use super::alphabeta::AlphaBeta;
use super::analysis::{Prober, Stage};
use super::clock::Clock;
use super::root::MOVES;
use super::solve::SolveOptions;
use crate::engine::Engine;
use crate::error::{list, push};
use crate::position::Player;
use crate::work::Stopped;

/// Nobody falls into traps that are deeper than this many plies, and few see how shallow ones work.
const DEEPEST: u32 = 6;

/// Returns those of some drawn moves after which the largest share of the opponent's replies is seen to lose.
///
/// Searches go deeper and deeper, and the last round within the limits counts; without any, all moves are as tricky.
pub(super) fn trickiest<P: Engine>(
    position: &P,
    moves: Vec<P::Move>,
    limits: &SolveOptions,
    prober: &mut AlphaBeta<P>,
) -> (Vec<P::Move>, u64) {
    let mut clock = Clock::new(limits, (0, 0));
    let mut shares = list(MOVES, moves.iter().map(|_| 0.0));
    if let Some(mover) = position.turn().filter(|_| moves.len() > 1) {
        for depth in 1..=DEEPEST {
            let mut traps = Traps { prober, clock: &mut clock, mover, depth };
            let mut round = Vec::new();
            let ended = moves.iter().try_for_each(|m| {
                push(MOVES, &mut round, traps.share(&position.after_unchecked(m.clone()))?);
                Ok(())
            });
            match ended.map(|()| round) {
                Ok(round) => shares = round,
                Err(Stopped) => break,
            }
        }
    }
    let most = shares.iter().copied().fold(0.0, f64::max);
    let tricky = moves.into_iter().zip(shares).filter(|&(_, share)| share >= most);
    (list(MOVES, tricky.map(|(m, _)| m)), clock.nodes)
}

/// Counts traps of a depth.
struct Traps<'a, 'c, P: Engine> {
    prober: &'a mut AlphaBeta<P>,
    clock: &'a mut Clock<'c>,
    /// Who sets the traps.
    mover: Player,
    depth: u32,
}

impl<P: Engine> Traps<'_, '_, P> {
    /// Returns the share of the opponent's replies that lose, after the best of the mover's own moves if these come first.
    fn share(&mut self, position: &P) -> Result<f64, Stopped> {
        if position.is_over() {
            return Ok(0.0);
        }
        if position.turn() != Some(self.mover) {
            let mut lost = 0;
            for m in position.moves() {
                lost += u32::from(self.winner(&position.after_unchecked(m))? == Some(self.mover));
            }
            return Ok(f64::from(lost) / position.moves().len() as f64);
        }
        let mut best: f64 = 0.0;
        for m in position.moves() {
            let next = position.after_unchecked(m);
            if self.winner(&next)? != Some(self.mover.other()) {
                best = best.max(self.share(&next)?);
            }
        }
        Ok(best)
    }

    /// Returns who is seen to win.
    fn winner(&mut self, position: &P) -> Result<Option<Player>, Stopped> {
        let score = match position.score(false) {
            Some(score) => score,
            None => {
                let most = <AlphaBeta<P> as Prober<P>>::MOST;
                let stage = Stage { depth: self.depth, caution: None };
                let found = self.prober.search(position, stage, (-most, most), self.clock)?;
                let score = self.prober.score(position, found.value).filter(|_| found.proven).unwrap_or(0);
                if position.turn() == Some(Player::First) { score } else { -score }
            }
        };
        Ok(match score {
            1.. => Some(Player::First),
            0 => None,
            _ => Some(Player::Second),
        })
    }
}
