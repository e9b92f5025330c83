//! Legal moves as a bit mask, which needs no heap.
//!
//! A mask is counted with one instruction, iterated from the lowest bit (the order of the actions) and gives its n-th
//! move without a loop over the moves before it. Inline lists would cost a store per move; a visitor could not pick a
//! random move without visiting all of them.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

use crate::cpu::{Cpu, Portable};
use crate::random::Rng;

/// The legal moves of a position.
pub trait Moves: ExactSizeIterator + Clone + fmt::Debug {
    /// Picks a move uniformly at random, or `None` if there is none.
    #[inline]
    fn choose(mut self, rng: &mut Rng) -> Option<Self::Item> {
        match self.len() {
            0 => None,
            count => self.nth(rng.below(count)),
        }
    }
}

/// A list will do for games that need not be fast.
impl<M: Clone + fmt::Debug> Moves for std::vec::IntoIter<M> {}

impl<M: Clone + fmt::Debug, const N: usize> Moves for std::array::IntoIter<M, N> {}

/// A move that is represented by one bit of a 64-bit mask.
pub trait BitMove: Copy {
    /// Returns the move of a bit that is set in a position's mask.
    fn from_bit(bit: u32) -> Self;
}

/// A set of moves, one bit each, iterated from the lowest bit, which is the order of their actions.
///
/// ```
/// use petteia::{BitMove, MoveSet};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Column(u32);
///
/// impl BitMove for Column {
///     fn from_bit(bit: u32) -> Self {
///         Column(bit)
///     }
/// }
///
/// let moves: MoveSet<Column> = MoveSet::new(0b1010);
/// assert!(moves.eq([Column(1), Column(3)]));
/// ```
pub struct MoveSet<M> {
    bits: u64,
    moves: PhantomData<fn() -> M>,
}

impl<M> MoveSet<M> {
    /// Creates a set from its bits.
    #[inline]
    pub const fn new(bits: u64) -> Self {
        MoveSet { bits, moves: PhantomData }
    }

    /// Returns the bits of the set.
    #[inline]
    pub const fn bits(&self) -> u64 {
        self.bits
    }
}

impl<M: BitMove> MoveSet<M> {
    /// Like [`choose`](Moves::choose), with the instructions of a processor level; the choice is the same.
    #[inline(always)]
    pub(crate) fn choose_on(self, cpu: impl Cpu, rng: &mut Rng) -> Option<M> {
        match self.bits.count_ones() {
            0 => None,
            count => Some(M::from_bit(cpu.nth(self.bits, rng.below(count as usize) as u32))),
        }
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
        let bit = Portable.nth(self.bits, n as u32);
        // Clears everything up to the bit; shifting in two steps allows bit 63.
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
    #[inline]
    fn choose(self, rng: &mut Rng) -> Option<M> {
        self.choose_on(Portable, rng)
    }
}

impl<M: BitMove> ExactSizeIterator for MoveSet<M> {}
impl<M: BitMove> FusedIterator for MoveSet<M> {}

impl<M: BitMove + fmt::Debug> fmt::Debug for MoveSet<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.clone()).finish()
    }
}
