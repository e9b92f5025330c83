//! Moves and flips on bare bitboards: the inner loop of everything in Reversi.
//!
//! A board is two 64-bit masks, the tiles of the player to move and the opponent's, with bit `8 * y + x` whatever the
//! board's size: squares off a smaller board are never occupied, so lines end there by themselves and one kernel serves
//! all sizes. The kernel in this file is portable; the one in `avx2` is tested against it.

use crate::cpu::{Cpu, Operation, Portable};

/// The operations on bitboards, for one processor level.
pub(super) trait Kernel: Cpu {
    /// Returns every square, occupied or not, from which a line of opposing tiles leads to one of the player's.
    fn reach(self, me: u64, op: u64) -> u64;

    /// Returns the opponent's tiles that a tile on the given square would flip.
    fn flips(self, square: usize, me: u64, op: u64) -> u64;

    /// Returns [`reach`](Kernel::reach) of the opponent after a move: most of the work of perft.
    #[inline(always)]
    fn reach_after(self, square: usize, me: u64, op: u64) -> u64 {
        let flips = self.flips(square, me, op);
        self.reach(op & !flips, me | flips | 1 << square)
    }
}

/// Returns the legal squares in the main phase.
#[inline(always)]
pub(super) fn moves<K: Kernel>(kernel: K, me: u64, op: u64, full: u64) -> u64 {
    kernel.reach(me, op) & full & !(me | op)
}

/// Returns the squares of a board.
#[inline(always)]
pub(super) const fn full(width: u8, height: u8) -> u64 {
    let row = (1 << width) - 1;
    (row * 0x0101_0101_0101_0101) >> (8 * (8 - height))
}

/// Returns all neighbours of a set of squares.
#[inline(always)]
pub(super) fn neighbours(squares: u64) -> u64 {
    let across = (squares << 1 & 0xfefe_fefe_fefe_fefe) | (squares >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    let three = squares | across;
    across | three << 8 | three >> 8
}

/// Perft in the main phase, to a depth of at least 2, given the legal moves.
pub(super) struct Perft<K> {
    pub(super) kernel: K,
    pub(super) me: u64,
    pub(super) op: u64,
    pub(super) moves: u64,
    pub(super) full: u64,
    pub(super) depth: u32,
}

impl<K: Kernel> Operation for Perft<K> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Perft { kernel, me, op, full, depth, .. } = self;
        let empty = full & !(me | op);
        let mut rest = self.moves;
        let mut count = 0;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let replies = kernel.reach_after(square, me, op) & empty & !bit;
            if depth == 2 && replies != 0 {
                count += u64::from(replies.count_ones());
                continue;
            }
            let flips = kernel.flips(square, me, op);
            let (mover, other) = (op & !flips, me | flips | bit);
            // Without a reply the opponent is skipped, or the game is over with nothing to count.
            let (me, op, moves) = match replies {
                0 => (other, mover, kernel.reach(other, mover) & empty & !bit),
                _ => (mover, other, replies),
            };
            count += match moves {
                0 => 0,
                _ if depth == 2 => u64::from(moves.count_ones()),
                _ => kernel.run(Perft { me, op, moves, depth: depth - 1, ..self }),
            };
        }
        count
    }
}

/// The eight rays of a square: four towards higher bits, then the opposite four towards lower bits.
#[repr(align(64))]
pub(super) struct Rays(pub(super) [u64; 8]);

/// The steps of the first four rays in x and y; the others go in the opposite directions.
const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The rays of every square, to the edge of the 8 by 8 universe.
pub(super) static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays([0; 8]) }; 64];
    let mut square = 0;
    while square < 64 {
        let mut ray = 0;
        while ray < 8 {
            let sign = if ray < 4 { 1 } else { -1 };
            let (dx, dy) = (sign * STEPS[ray % 4].0, sign * STEPS[ray % 4].1);
            let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
            while 0 <= x && x < 8 && 0 <= y && y < 8 {
                rays[square].0[ray] |= 1 << (8 * y + x);
                (x, y) = (x + dx, y + dy);
            }
            ray += 1;
        }
        square += 1;
    }
    rays
};

impl Kernel for Portable {
    #[inline]
    fn reach(self, me: u64, op: u64) -> u64 {
        // Lines must not wrap around the sides of the board: opposing tiles in the outer columns can only be inside
        // vertical lines.
        let inner = op & 0x7e7e_7e7e_7e7e_7e7e;
        line(me, inner, 1) | line(me, inner, 7) | line(me, op, 8) | line(me, inner, 9)
    }

    #[inline]
    fn flips(self, square: usize, me: u64, op: u64) -> u64 {
        let [up @ .., _, _, _, _] = RAYS[square].0;
        let [_, _, _, _, down @ ..] = RAYS[square].0;
        let mut flips = 0;
        for ray in up {
            // The first square on the ray that is not the opponent's: if it is the player's, all before it flip.
            let stops = ray & !op;
            let end = stops & stops.wrapping_neg() & me;
            flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for ray in down {
            let stops = ray & !op;
            let end = (1 << 63 >> (stops | 1).leading_zeros()) & stops & me;
            flips |= (end.wrapping_neg() << 1) & ray;
        }
        flips
    }
}

/// Fills both ways along one axis: from the player's tiles over the opponent's, and one step beyond.
#[inline]
fn line(me: u64, op: u64, step: u32) -> u64 {
    let mut up = op & (me << step);
    let mut down = op & (me >> step);
    up |= op & (up << step);
    down |= op & (down >> step);
    // Two steps at a time, by pairs of opposing tiles: there are at most six between the ends of a line.
    let pairs_up = op & (op << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::Rng;

    /// Checks a kernel against the portable one on boards that are dense, sparse and in between.
    pub(in super::super) fn check_equal(kernel: impl Kernel) {
        let mut rng = Rng::new(5);
        for round in 0..100_000 {
            let mut occupied = rng.next_u64();
            for _ in 0..round % 3 {
                occupied |= rng.next_u64();
            }
            let me = occupied & rng.next_u64();
            let op = occupied & !me;
            assert_eq!(kernel.reach(me, op), Portable.reach(me, op), "{me:#x} {op:#x}");
            for square in (0..64).filter(|square| occupied >> square & 1 == 0) {
                let expected = Portable.flips(square, me, op);
                assert_eq!(kernel.flips(square, me, op), expected, "{square} {me:#x} {op:#x}");
                let reached = Portable.reach_after(square, me, op);
                assert_eq!(kernel.reach_after(square, me, op), reached, "{square} {me:#x} {op:#x}");
            }
        }
        let (me, op) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
        let moves = moves(kernel, me, op, !0);
        assert_eq!(kernel.run(Perft { kernel, me, op, moves, full: !0, depth: 8 }), 390_216);
    }

    #[test]
    fn portable_kernel_counts_right() {
        check_equal(Portable);
    }

    #[test]
    fn reach_and_flips_are_what_walking_finds() {
        let mut rng = Rng::new(6);
        for _ in 0..20_000 {
            let occupied = rng.next_u64() | rng.next_u64();
            let me = occupied & rng.next_u64();
            let op = occupied & !me;
            let mut reached = 0;
            for square in (0..64).filter(|square| occupied >> square & 1 == 0) {
                let flips = walk(square, me, op);
                assert_eq!(Portable.flips(square, me, op), flips);
                reached |= u64::from(flips != 0) << square;
            }
            assert_eq!(Portable.reach(me, op) & !occupied, reached);
        }
    }

    /// Finds flips by stepping from square to square.
    fn walk(square: usize, me: u64, op: u64) -> u64 {
        let mut flips = 0;
        for (dx, dy) in crate::reversi::Board::all_directions() {
            let (mut x, mut y) = (square as i32 % 8, square as i32 / 8);
            let mut run = 0;
            loop {
                (x, y) = (x + i32::from(dx), y + i32::from(dy));
                if !(0..8).contains(&x) || !(0..8).contains(&y) {
                    break;
                }
                let bit = 1u64 << (8 * y + x);
                if op & bit != 0 {
                    run |= bit;
                } else {
                    if me & bit != 0 {
                        flips |= run;
                    }
                    break;
                }
            }
        }
        flips
    }
}
