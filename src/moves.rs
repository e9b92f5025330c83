//! Legal moves as a bit mask: the list that never touches the heap.
//!
//! A mask is counted with one instruction, iterated lowest bit first (which is the order of the actions) and asked for
//! its n-th move without a loop over the moves before it. Inline lists would cost a store a move; a visitor could not
//! pick a random move without walking all of them.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

use crate::cpu::{Cpu, Portable};
use crate::random::Rng;

/// The legal moves of a position, in the order of their actions.
pub trait Moves: ExactSizeIterator + Clone + fmt::Debug {
    /// Returns one of the moves, each with the same chance, or `None` if there are none.
    #[inline]
    fn choose(self, rng: &mut Rng) -> Option<Self::Item> {
        self.choose_on(Portable, rng)
    }

    /// Does the work of [`choose`](Moves::choose) with the instructions of a processor; the choice is the same.
    #[doc(hidden)]
    #[inline(always)]
    fn choose_on(mut self, _: impl Cpu, rng: &mut Rng) -> Option<Self::Item> {
        match self.len() {
            0 => None,
            count => self.nth(rng.below(count)),
        }
    }
}

/// A move that stands for one bit of a 64-bit mask.
pub trait BitMove: Copy {
    /// Returns the move of a bit that a position set in its mask.
    fn from_bit(bit: u32) -> Self;
}

/// A set of moves, one bit each, iterated in the order of their actions.
pub struct MoveSet<M> {
    bits: u64,
    moves: PhantomData<fn() -> M>,
}

impl<M> MoveSet<M> {
    #[inline]
    pub(crate) const fn new(bits: u64) -> Self {
        MoveSet { bits, moves: PhantomData }
    }

    /// Returns the set as one bit a move.
    #[inline]
    pub(crate) const fn bits(&self) -> u64 {
        self.bits
    }
}

impl<M> Clone for MoveSet<M> {
    #[inline]
    fn clone(&self) -> Self {
        MoveSet::new(self.bits)
    }
}

impl<M: BitMove> Iterator for MoveSet<M> {
    type Item = M;

    #[inline]
    fn next(&mut self) -> Option<M> {
        if self.bits == 0 {
            return None;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(M::from_bit(bit))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<M> {
        if n >= self.len() {
            self.bits = 0;
            return None;
        }
        let bit = nth_set_bit(self.bits, n as u32);
        // Everything up to the bit is taken; the shift in two steps allows bit 63.
        self.bits &= (!0 << bit) << 1;
        Some(M::from_bit(bit))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.bits.count_ones() as usize;
        (count, Some(count))
    }
}

impl<M: BitMove + fmt::Debug> Moves for MoveSet<M> {
    #[inline(always)]
    fn choose_on(self, cpu: impl Cpu, rng: &mut Rng) -> Option<M> {
        match self.bits.count_ones() {
            0 => None,
            count => Some(M::from_bit(cpu.nth(self.bits, rng.below(count as usize) as u32))),
        }
    }
}

impl<M: BitMove> ExactSizeIterator for MoveSet<M> {}
impl<M: BitMove> FusedIterator for MoveSet<M> {}

impl<M: BitMove + fmt::Debug> fmt::Debug for MoveSet<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.clone()).finish()
    }
}

/// The place of the n-th set bit of every byte.
static NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut place) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][n] = place;
                n += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the place of the n-th set bit, counted from 0 at the lowest; there must be more than `n`.
///
/// One multiplication counts the bits up to each byte, comparing all eight counts with `n` at once finds the byte, and a
/// table knows the place in it.
#[inline]
pub(crate) fn nth_set_bit(bits: u64, n: u32) -> u32 {
    debug_assert!(n < bits.count_ones());
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // A byte's high bit stays set where its sum is at most n: those bytes lie wholly below the bit.
    let below = (((u64::from(n) * ONES) | HIGH).wrapping_sub(sums) & HIGH) >> 7;
    let byte = 8 * (below.wrapping_mul(ONES) >> 56) as u32;
    let taken = ((sums << 8) >> byte) as u32 & 0xff;
    let rest = (bits >> byte) as usize & 0xff;
    byte + u32::from(NTH_IN_BYTE[rest][n.wrapping_sub(taken) as usize & 7])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn nth_set_bit_is_what_a_loop_finds() {
        let mut rng = Rng::new(3);
        let masks = [1, !0, 1 << 63, 0x8000_0000_0000_0001].into_iter();
        for mask in masks.chain((0..10_000).map(|i| rng.next_u64() & rng.next_u64().rotate_left(i))) {
            let places = (0..64).filter(|bit| mask >> bit & 1 == 1);
            for (n, place) in places.enumerate() {
                assert_eq!(nth_set_bit(mask, n as u32), place, "{mask:#x}");
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(cpu) = crate::cpu::V3::detect() {
                assert!((0..mask.count_ones()).all(|n| cpu.nth(mask, n) == nth_set_bit(mask, n)));
            }
        }
    }
}
