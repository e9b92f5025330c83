//! A board represented by its lines, for operations on all pieces at once.
//!
//! Each of the eight attribute values has a lane with the lines whose pieces all have it (they are alive), and each
//! number of pieces has the lines with that many. The lines with three pieces then tell which pieces can be given
//! safely. A reply is a square and a piece to give next; safe replies are found for all sixteen possible pieces in hand
//! at once.

use super::kernel::{Kernel, Lanes};
use crate::quarto::lines::{LINES, PLANES};

/// The lines through each square.
pub(super) const THROUGH: [u16; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 160 {
        let (line, square) = (at / 16, at % 16);
        table[square] |= (LINES[line] >> square & 1) << line;
        at += 1;
    }
    table
};

/// The values of each piece, bit `2 * attribute + value`.
const VALUES: [u8; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 64 {
        let (piece, plane) = (at / 4, at % 4);
        table[piece] |= 1 << (2 * plane + (piece >> plane & 1));
        at += 1;
    }
    table
};

/// For each set of values that complete no line, the pieces with only such values.
pub(super) static SAFE: [u16; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut piece = 0;
        while piece < 16 {
            if VALUES[piece] as usize & !set == 0 {
                table[set] |= 1 << piece;
            }
            piece += 1;
        }
        set += 1;
    }
    table
};

/// For each set of values and each piece, the other pieces that share none of these values with it.
pub(super) static APART: [[u16; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let mut piece = 0;
        while piece < 16 {
            let mut other = 0;
            while other < 16 {
                if other != piece && VALUES[piece] as usize & VALUES[other] as usize & set == 0 {
                    table[set][piece] |= 1 << other;
                }
                other += 1;
            }
            piece += 1;
        }
        set += 1;
    }
    table
};

/// For each square and piece, the lines that stay alive.
static KEPT: [[Lanes; 16]; 16] = {
    let mut table = [[Lanes([!0; 8]); 16]; 16];
    let mut square = 0;
    while square < 16 {
        let mut piece = 0;
        while piece < 16 {
            let mut value = 0;
            while value < 8 {
                if VALUES[piece] >> value & 1 == 0 {
                    table[square][piece].0[value] = !THROUGH[square];
                }
                value += 1;
            }
            piece += 1;
        }
        square += 1;
    }
    table
};

/// A board without a winning line.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// For each value, the lines whose pieces all have it.
    alive: Lanes,
    /// The lines with no, one, two and three pieces.
    counts: u64,
    /// The empty squares.
    pub(super) empty: u16,
}

impl Lines {
    pub(super) const EMPTY: Lines = Lines { alive: Lanes([0x3ff; 8]), counts: 0x3ff, empty: 0xffff };

    #[inline(always)]
    pub(super) fn place(&self, square: usize, piece: usize) -> Lines {
        let through = PLANES * u64::from(THROUGH[square & 15]);
        Lines {
            alive: self.alive.and(KEPT[square & 15][piece & 15]),
            counts: self.counts & !through | (self.counts & through) << 16,
            empty: self.empty & !(1 << (square & 15)),
        }
    }

    #[inline(always)]
    fn two(&self) -> u16 {
        (self.counts >> 32) as u16
    }

    #[inline(always)]
    fn three(&self) -> u16 {
        (self.counts >> 48) as u16
    }

    /// Returns the lines that are not full, in the lanes of the values that they are alive for.
    #[inline(always)]
    fn open(&self) -> Lanes {
        let halves = self.counts | self.counts >> 32;
        self.alive.and(Lanes::splat((halves | halves >> 16) as u16))
    }

    /// Returns whether no line can be completed any more.
    #[inline(always)]
    pub(super) fn settled(&self) -> bool {
        self.open().0 == [0; 8]
    }

    /// Returns how many lines can still be completed, counted once for each value, and how many have two pieces.
    pub(super) fn tension(&self) -> (u32, u32) {
        (self.open().0.into_iter().map(u16::count_ones).sum(), self.two().count_ones())
    }

    /// Returns the pieces that cannot win at once.
    #[inline(always)]
    pub(super) fn safe<K: Kernel>(&self, kernel: K) -> u16 {
        SAFE[kernel.empty_lanes(self.alive.and(Lanes::splat(self.three()))) & 255]
    }

    /// Returns the lines with two and with three pieces, in the lanes of the values that they are alive for.
    #[inline(always)]
    fn ripe(&self) -> [Lanes; 2] {
        [self.alive.and(Lanes::splat(self.two())), self.alive.and(Lanes::splat(self.three()))]
    }

    /// Returns, for each piece that could be given, the number of safe replies.
    #[inline(always)]
    pub(super) fn replies<K: Kernel>(&self, kernel: K, pieces: u16) -> [u16; 16] {
        kernel.replies(self.ripe(), self.empty, pieces)
    }

    /// Returns whether some piece that could be given has no safe reply.
    #[inline(always)]
    pub(super) fn unanswerable<K: Kernel>(&self, kernel: K, given: u16, pieces: u16) -> bool {
        kernel.unanswerable(self.ripe(), self.empty, given, pieces)
    }
}

/// The indices of the set bits, lowest first.
pub(super) struct Bits(pub(super) u16);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize & 15;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// The indices of the set bits, two at a time; the last may be alone.
pub(super) struct Pairs(pub(super) u16);

impl Iterator for Pairs {
    type Item = (usize, Option<usize>);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, Option<usize>)> {
        let mut bits = Bits(self.0);
        let first = bits.next()?;
        let second = bits.next();
        self.0 = bits.0;
        Some((first, second))
    }
}
