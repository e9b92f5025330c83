//! Reasons: why a move is good, in words.

use std::fmt;
use std::time::Duration;

use super::solve::SolveOptions;
use crate::engine::Engine;
use crate::error::IllegalMove;
use crate::position::{Outcome, Position};
use crate::work::is_large;

/// Why a move is good: something that is true of it, and not an opinion. Its text is a sentence.
///
/// To win at once is to end the game by a win with the next move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// It wins at once.
    Wins,
    /// The opponent cannot win at once after it, but could after some of the other moves.
    StopsThreat(Among),
    /// In Quarto, the opponent cannot win at once with the piece, but could with some of the others.
    GivesNoWinningPiece(Among),
    /// In Reversi, it takes a corner.
    TakesCorner,
    /// In Reversi, the opponent can take no corner next, but could after some of the other moves.
    KeepsCorners(Among),
    /// The opponent has no move next, and is skipped.
    Skips,
    /// It is proved that it wins, and the others do not.
    OnlyWin,
    /// It is proved that it wins.
    ForcesWin,
    /// It is proved that it draws, and the others lose.
    OnlyDraw,
    /// It is proved that it draws, and some of the others lose.
    KeepsDraw(Among),
}

/// How many of the other moves are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Among {
    /// How many are worse, at least 1.
    pub worse: usize,
    /// How many other moves there are.
    pub others: usize,
}

impl Among {
    /// Counts the legal moves other than `m` that are worse; `None` if none is, or if `m` is itself.
    pub(crate) fn count<P: Position>(
        position: &P,
        m: &P::Move,
        mut is_worse: impl FnMut(&P::Move) -> bool,
    ) -> Option<Self> {
        if is_worse(m) {
            return None;
        }
        let (worse, moves) = position.moves().fold((0, 0), |(worse, moves), other| {
            (worse + usize::from(other != *m && is_worse(&other)), moves + 1)
        });
        (worse > 0).then_some(Among { worse, others: moves - 1 })
    }

    fn all(self) -> bool {
        self.worse == self.others
    }
}

impl fmt::Display for Among {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of the {} other", self.worse, self.others)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Wins => f.write_str("It wins at once."),
            Reason::StopsThreat(among) if among.all() => {
                f.write_str("It is the only move after which the opponent cannot win at once.")
            }
            Reason::StopsThreat(among) => {
                write!(f, "It stops a threat: after {among} moves the opponent could win at once.")
            }
            Reason::GivesNoWinningPiece(among) if among.all() => {
                f.write_str("It is the only piece with which the opponent cannot win at once.")
            }
            Reason::GivesNoWinningPiece(among) => {
                write!(f, "The opponent cannot win at once with this piece, but could with {among} pieces.")
            }
            Reason::TakesCorner => f.write_str("It takes a corner, which nobody can flip."),
            Reason::KeepsCorners(among) if among.all() => {
                f.write_str("It is the only move after which the opponent can take no corner.")
            }
            Reason::KeepsCorners(among) => {
                write!(f, "The opponent can take no corner next, but could after {among} moves.")
            }
            Reason::Skips => f.write_str("The opponent cannot move next and is skipped."),
            Reason::OnlyWin => f.write_str("It is the only move that wins."),
            Reason::ForcesWin => f.write_str("It wins, whatever the opponent does."),
            Reason::OnlyDraw => f.write_str("It is the only move that does not lose."),
            Reason::KeepsDraw(among) => write!(f, "It keeps the draw; {among} moves lose."),
        }
    }
}

/// Returns why a move is good, as far as that is known: from looking a move or two ahead, and from a short proof.
///
/// There is no reason for a bad move, and not for every good one.
///
/// ```
/// use petteia::{TicTac, explain};
///
/// let position: TicTac = "XX_/_O_/___ O".parse()?;
/// let reasons = explain(&position, &"A3".parse()?)?;
/// assert_eq!(reasons[0].to_string(), "It is the only move after which the opponent cannot win at once.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// An [`IllegalMove`] if the move is not legal.
pub fn explain<P: Engine>(position: &P, m: &P::Move) -> Result<Vec<Reason>, IllegalMove> {
    let after = position.after(m.clone())?;
    if wins(position, &after) {
        return Ok(vec![Reason::Wins]);
    }
    // Where a look ahead is long, a proof is too far away as well.
    if position.moves().count() > MOST_MOVES || is_large(position.heap_bytes()) {
        return Ok(Vec::new());
    }
    let mut reasons = position.reasons(m);
    reasons.extend(proved(position, m));
    Ok(reasons)
}

/// With more moves than this, it takes too long to look at all replies to all of them.
const MOST_MOVES: usize = 64;

/// Returns the reasons that a look ahead shows in any game.
pub(crate) fn seen<P: Position>(position: &P, m: &P::Move) -> Vec<Reason> {
    let threat = Among::count(position, m, |m| lets_win(position, m)).map(Reason::StopsThreat);
    threat.into_iter().collect()
}

/// Returns whether a position is won for the player who has moved to it.
fn wins<P: Position>(before: &P, after: &P) -> bool {
    matches!(after.outcome(), Some(Outcome::Win(winner)) if Some(winner) == before.turn())
}

/// Returns the moves that win at once.
pub(crate) fn winning_moves<P: Position>(position: &P) -> impl Iterator<Item = P::Move> {
    position.moves().filter(|m| wins(position, &position.after_unchecked(m.clone())))
}

/// Returns whether the opponent can win at once after a move, and after any further move of the same turn, or has won.
fn lets_win<P: Position>(position: &P, m: &P::Move) -> bool {
    let mover = position.turn();
    let can_win = |after: &P| match after.outcome() {
        Some(outcome) => outcome.winner().is_some_and(|winner| Some(winner) != mover),
        None => after.turn() != mover && winning_moves(after).next().is_some(),
    };
    let after = position.after_unchecked(m.clone());
    if after.turn() != mover {
        return can_win(&after);
    }
    after.moves().all(|second| can_win(&after.after_unchecked(second)))
}

/// Returns what a short proof shows.
fn proved<P: Engine>(position: &P, m: &P::Move) -> Option<Reason> {
    // The nodes end the search, so that reasons repeat; the time is for positions that are slow to play on.
    let options = SolveOptions {
        node_limit: Some(50_000),
        time_limit: Some(Duration::from_secs(1)),
        table_bytes: Some(1 << 22),
        ..SolveOptions::default()
    };
    let solution = position.solve(&options).ok().filter(|solution| solution.exact)?;
    let best = &solution.best_moves;
    if !best.contains(m) || solution.value < 0 {
        return None;
    }
    let others = position.moves().count() - 1;
    let among = Among { worse: others + 1 - best.len(), others };
    match solution.value {
        // A move that is the only one needs no reason.
        0 if among.worse == 0 => None,
        0 if among.all() => Some(Reason::OnlyDraw),
        0 => Some(Reason::KeepsDraw(among)),
        // By fewer discs, others may win too.
        _ if among.all() && others > 0 && !P::COUNTS_SQUARES => Some(Reason::OnlyWin),
        _ => Some(Reason::ForcesWin),
    }
}
