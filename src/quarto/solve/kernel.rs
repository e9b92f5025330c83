//! The operations on lanes that have versions for different processor levels.

use super::lines::{APART, Bits, SAFE, THROUGH};
use crate::cpu::{Cpu, Portable};

/// A set of lines for each of the eight attribute values.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Lanes(pub(super) [u16; 8]);

impl Lanes {
    #[inline(always)]
    pub(super) const fn splat(lines: u16) -> Lanes {
        Lanes([lines; 8])
    }

    #[inline(always)]
    pub(super) fn and(mut self, other: Lanes) -> Lanes {
        for lane in 0..8 {
            self.0[lane] &= other.0[lane];
        }
        self
    }
}

/// For each square the lines through it, in every lane.
pub(super) static THROUGH_LANES: [Lanes; 16] = {
    let mut table = [Lanes([0; 8]); 16];
    let mut square = 0;
    while square < 16 {
        table[square] = Lanes::splat(THROUGH[square]);
        square += 1;
    }
    table
};

/// The operations, for one processor level.
///
/// Two of them are about safe replies. `ripe` are the lines with two and with three pieces, in the lanes of the values
/// that they are alive for. After a piece is placed, the lines with three pieces are those that had three and do not go
/// through its square, and those that had two and do, for the values of the piece.
pub(super) trait Kernel: Cpu {
    /// Returns which lanes are empty, the first in the lowest bit.
    fn empty_lanes(self, lanes: Lanes) -> usize;

    /// Returns, for each piece that could be placed, the number of safe replies: squares for it, and pieces to give
    /// after it.
    fn replies(self, ripe: [Lanes; 2], empty: u16, pieces: u16) -> [u16; 16];

    /// Returns whether one of the given pieces has no safe reply: wherever it is placed, none of the other pieces is
    /// safe.
    fn unanswerable(self, ripe: [Lanes; 2], empty: u16, given: u16, pieces: u16) -> bool;

    /// Returns which numbers are zero, the first in the lowest bit.
    fn zeros(self, numbers: [u16; 16]) -> u16;
}

/// Returns, for each piece, the pieces that are safe after it was placed on a square.
#[inline(always)]
fn safe_after([two, three]: [Lanes; 2], square: usize) -> [u16; 16] {
    let through = THROUGH[square & 15];
    let left = three.and(Lanes::splat(!through));
    let grown = two.and(Lanes::splat(through));
    let empty = Portable.empty_lanes(left);
    let grown = !Portable.empty_lanes(grown) & empty;
    let mut safe = APART[grown];
    for set in &mut safe {
        *set &= SAFE[empty];
    }
    safe
}

impl Kernel for Portable {
    #[inline(always)]
    fn empty_lanes(self, lanes: Lanes) -> usize {
        (0..8).fold(0, |all, lane| all | usize::from(lanes.0[lane] == 0) << lane)
    }

    #[inline(always)]
    fn replies(self, ripe: [Lanes; 2], empty: u16, pieces: u16) -> [u16; 16] {
        let mut counts = [0; 16];
        for square in Bits(empty) {
            let safe = safe_after(ripe, square);
            for piece in 0..16 {
                counts[piece] += (safe[piece] & pieces).count_ones() as u16;
            }
        }
        counts
    }

    #[inline(always)]
    fn unanswerable(self, ripe: [Lanes; 2], empty: u16, given: u16, pieces: u16) -> bool {
        self.zeros(self.replies(ripe, empty, pieces)) & given != 0
    }

    #[inline(always)]
    fn zeros(self, numbers: [u16; 16]) -> u16 {
        (0..16).fold(0, |all, piece| all | u16::from(numbers[piece] == 0) << piece)
    }
}

#[cfg(test)]
#[cfg(target_arch = "x86_64")]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::cpu::{Operation, V3};

    struct Agree(V3);

    impl Operation for Agree {
        type Output = ();

        #[inline(always)]
        fn run(self) {
            let mut rng = Rng::for_game(3, 0);
            // Few lines in each lane, so that many lanes are empty.
            let mut lanes = || {
                Lanes(std::array::from_fn(|_| (rng.below(1024) & rng.below(1024) & rng.below(1024)) as u16))
            };
            for turn in 0..10_000 {
                let (two, three) = (lanes(), lanes());
                assert_eq!(self.0.empty_lanes(two), Portable.empty_lanes(two));
                let (ripe, empty, pieces) =
                    ([two, three], (turn * 0x9e37) as u16, ((turn * 0x79b9) >> 3) as u16);
                let replies = Portable.replies(ripe, empty, pieces);
                assert_eq!(self.0.replies(ripe, empty, pieces), replies);
                for given in [1, 1 << (turn % 16), 0xf0f0, 0xffff] {
                    let unanswerable = Portable.unanswerable(ripe, empty, given, pieces);
                    assert_eq!(self.0.unanswerable(ripe, empty, given, pieces), unanswerable);
                }
                assert_eq!(self.0.zeros(replies), Portable.zeros(replies));
            }
        }
    }

    #[test]
    fn all_kernels_agree() {
        if let Some(cpu) = V3::detect() {
            cpu.run(Agree(cpu));
        }
    }
}
