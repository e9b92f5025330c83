//! The plain evaluation, for boards without weights: mobility, frontier, stability and tiles.

use super::{DISC, Evaluation};
use crate::reversi::Reversi;
use crate::reversi::endgame::Edges;
use crate::reversi::kernel::{Kernel, moves, neighbours};

/// The evaluation of a board of any size.
#[derive(Clone, Copy)]
pub(in crate::reversi) struct Plain {
    full: u64,
    edges: Edges,
}

impl Plain {
    /// What each feature is worth, in units of 1/[`DISC`]: a move more than the opponent has, a corner among them, an
    /// empty square next to the opponent's tiles, and a tile that cannot be flipped again.
    const MOVE: i32 = 3 * DISC / 4;
    const FRONTIER: i32 = DISC / 4;
    const STABLE: i32 = DISC;

    /// Returns the evaluation of the board of a position.
    pub(in crate::reversi) fn of(position: &Reversi) -> Self {
        let full = position.area().0;
        Plain::new(full, Edges::new(full, position.width() as u32, position.height() as u32))
    }

    /// Returns a guess at the standard deviation of the end of a game from its evaluation, in units of 1/[`DISC`].
    pub(in crate::reversi) fn doubt_of_end(self, tiles: u32) -> i32 {
        let (area, left) =
            (self.full.count_ones() as i32, self.full.count_ones().saturating_sub(tiles) as i32);
        DISC * (left + 1) * area.isqrt() * 2 / area
    }

    fn new(full: u64, edges: Edges) -> Self {
        Plain { full, edges }
    }
}

impl Evaluation for Plain {
    type Kept = ();

    #[inline(always)]
    fn look(self, _: impl Kernel, _: u64, _: u64) {}

    #[inline(always)]
    fn after(self, (): &(), _: usize, _: u64) {}

    #[inline(always)]
    fn pass(self, (): &()) {}

    #[inline(always)]
    fn evaluate(self, kernel: impl Kernel, me: u64, op: u64, (): &()) -> i32 {
        let empty = self.full & !(me | op);
        let count = |squares: u64| squares.count_ones() as i32;
        let (area, corners) = (count(self.full), self.edges.corners());
        let mobility = |moves: u64| count(moves) + count(moves & corners);
        let frontier = |tiles: u64| count(neighbours(tiles) & empty);
        let stable = |tiles: u64| self.edges.stable(tiles, empty) as i32;
        let position = Self::MOVE
            * (mobility(moves(kernel, me, op, self.full)) - mobility(moves(kernel, op, me, self.full)))
            + Self::FRONTIER * (frontier(op) - frontier(me))
            + Self::STABLE * (stable(me) - stable(op));
        // Tiles themselves count only when the board is nearly full: before, most of them are flipped again.
        let tiles = DISC * (count(me) - count(op));
        let (filled, left) = (area - count(empty), count(empty));
        let tiles = i64::from(tiles) * i64::from(filled.pow(3)) / i64::from(area.pow(2));
        let value = (position * left + tiles as i32) / area;
        value.clamp(1 - DISC * area, DISC * area - 1)
    }

    #[inline(always)]
    fn doubt(self, _: u32, _: u32) -> Option<i32> {
        None
    }
}
