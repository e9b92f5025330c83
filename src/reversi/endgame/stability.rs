//! Stability: tiles that can never be flipped again.

use super::Endgame;
use crate::reversi::kernel::Kernel;

/// The edge squares of a board, where lines along the four axes end.
#[derive(Clone, Copy)]
pub(in crate::reversi) struct Edges {
    sides: u64,
    ends: u64,
}

impl Edges {
    pub(in crate::reversi) fn new(full: u64, width: u32, height: u32) -> Self {
        let column = 0x0101_0101_0101_0101;
        let sides = full & (column | column << (width - 1));
        let ends = full & (0xff | 0xff << (8 * (height - 1)));
        Edges { sides, ends }
    }

    /// Returns the four corners.
    pub(in crate::reversi) fn corners(&self) -> u64 {
        self.sides & self.ends
    }

    /// Returns a lower bound on the number of a player's stable tiles.
    ///
    /// A tile is stable if, along each of the four axes, its line is full, or ends at it, or continues with a stable
    /// tile of the same player.
    #[inline(always)]
    pub(in crate::reversi) fn stable(&self, tiles: u64, empty: u64) -> u32 {
        let diagonal = self.sides | self.ends;
        let across = !along::<1>(empty, COLUMNS) | self.sides;
        let down = !along::<8>(empty, [!0; 3]) | self.ends;
        let rising = !along::<7>(empty, COLUMNS_REVERSED) | diagonal;
        let falling = !along::<9>(empty, COLUMNS) | diagonal;
        let mut stable = tiles & across & down & rising & falling;
        if stable == 0 {
            return 0;
        }
        loop {
            let more = tiles
                & (across | stable << 1 | stable >> 1)
                & (down | stable << 8 | stable >> 8)
                & (rising | stable << 7 | stable >> 7)
                & (falling | stable << 9 | stable >> 9);
            if more == stable {
                return stable.count_ones();
            }
            stable = more;
        }
    }
}

/// The squares at least 1, 2 and 4 columns from the left.
const COLUMNS: [u64; 3] = [0xfefe_fefe_fefe_fefe, 0xfcfc_fcfc_fcfc_fcfc, 0xf0f0_f0f0_f0f0_f0f0];

/// The squares at least 1, 2 and 4 columns from the right.
const COLUMNS_REVERSED: [u64; 3] = [0x7f7f_7f7f_7f7f_7f7f, 0x3f3f_3f3f_3f3f_3f3f, 0x0f0f_0f0f_0f0f_0f0f];

/// Spreads squares over whole lines; `reached` are the squares that a shift upwards by 1, 2 and 4 steps can reach.
#[inline(always)]
fn along<const STEP: u32>(squares: u64, reached: [u64; 3]) -> u64 {
    let (mut up, mut down) = (squares, squares);
    for (i, reached) in reached.into_iter().enumerate() {
        let shift = STEP << i;
        up |= (up << shift) & reached;
        down |= (down & reached) >> shift;
    }
    up | down
}

impl<K: Kernel> Endgame<K> {
    /// Returns the upper bound from the opponent's stable tiles, if it causes a cutoff.
    #[inline(always)]
    pub(super) fn stability_bound(&self, op: u64, empty: u64, alpha: i32) -> Option<i32> {
        // Usually there are too few, and counting them would cost more than it saves.
        let needed = (self.area - alpha + 1) / 2;
        if op.count_ones() as i32 <= needed || alpha < self.area / 16 {
            return None;
        }
        let bound = self.area - 2 * self.edges.stable(op, empty) as i32;
        (bound <= alpha).then_some(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_spread_over_whole() {
        for square in 0..64u32 {
            let (x, y) = (square % 8, square / 8);
            let found = [
                along::<1>(1 << square, COLUMNS),
                along::<8>(1 << square, [!0; 3]),
                along::<7>(1 << square, COLUMNS_REVERSED),
                along::<9>(1 << square, COLUMNS),
            ];
            let mut expected = [0u64; 4];
            for other in 0..64u32 {
                let (u, v) = (other % 8, other / 8);
                let same = [y == v, x == u, x + y == u + v, x + v == u + y];
                for (line, same) in expected.iter_mut().zip(same) {
                    *line |= u64::from(same) << other;
                }
            }
            assert_eq!(found, expected, "{square}");
        }
    }
}
