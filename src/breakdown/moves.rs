//! The legal moves of a position as a set of actions.

use std::fmt;
use std::iter::FusedIterator;

use super::bits::Bits;
use super::notation::Move;
use crate::cpu::{Cpu, Portable};

/// The legal moves of a [`Breakdown`](super::Breakdown) position, in the order of their actions.
///
/// Up to 63 columns the set fits in two words; for wider boards it is on the heap.
#[derive(Clone)]
pub struct Moves {
    width: u32,
    set: Set,
}

#[derive(Clone)]
enum Set {
    /// Actions 0 to 63, and those from 64.
    Inline([u64; 2]),
    /// The words of the set, the index of the first that is not used up, and the number of moves left.
    Heap { words: Vec<u64>, first: usize, left: usize },
}

impl Moves {
    /// The widest board whose actions fit in two words.
    pub(super) const INLINE_WIDTH: u32 = 63;

    /// Returns the moves of a finished game.
    #[inline]
    pub(super) const fn none() -> Self {
        Moves { width: 0, set: Set::Inline([0, 0]) }
    }

    /// Returns the moves of a game in progress: vertical and horizontal sticks in the given columns, and the breakdown.
    #[inline]
    pub(super) fn inline(width: u32, [vertical, horizontal]: [u64; 2]) -> Self {
        debug_assert!(width <= Self::INLINE_WIDTH);
        let low = vertical | horizontal << width;
        // What does not fit in the first word; shifting in two steps allows a width of 0.
        let high = horizontal >> 1 >> (63 - width);
        let breakdown = 2 * width;
        let set =
            if breakdown < 64 { [low | 1 << breakdown, high] } else { [low, high | 1 << (breakdown - 64)] };
        Moves { width, set: Set::Inline(set) }
    }

    /// Returns the set with one bit per action, from the lowest of the first word; there may be too few or too many
    /// words.
    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        match &self.set {
            Set::Inline(words) => words,
            Set::Heap { words, .. } => words,
        }
    }

    /// Returns the moves of a game in progress on a board of any width.
    pub(super) fn heap(width: u32, rooms: [&Bits; 2]) -> Self {
        let columns = u64::from(width);
        let mut actions = Bits::zeros(2 * columns + 1);
        for (room, at) in rooms.into_iter().zip([0, columns]) {
            actions.write_all(at, room);
        }
        actions.set(2 * columns);
        let words = actions.into_words();
        let left = words.iter().map(|word| word.count_ones() as usize).sum();
        Moves { width, set: Set::Heap { words, first: 0, left } }
    }
}

/// Clears the n-th set bit of a word and all below it, and returns its index; there must be more than `n`.
#[inline]
fn take_nth(word: &mut u64, n: usize) -> u64 {
    let bit = if n == 0 { word.trailing_zeros() } else { Portable.nth(*word, n as u32) };
    // Shifting in two steps allows bit 63.
    *word &= (!0 << bit) << 1;
    u64::from(bit)
}

impl Iterator for Moves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Move> {
        let action = match &mut self.set {
            Set::Inline([low, high]) => {
                let in_low = low.count_ones() as usize;
                if n < in_low {
                    take_nth(low, n)
                } else if n - in_low < high.count_ones() as usize {
                    *low = 0;
                    64 + take_nth(high, n - in_low)
                } else {
                    (*low, *high) = (0, 0);
                    return None;
                }
            }
            Set::Heap { words, first, left } => {
                if n >= *left {
                    *left = 0;
                    *first = words.len();
                    return None;
                }
                *left -= n + 1;
                let mut skip = n;
                loop {
                    let word = words.get_mut(*first)?;
                    let count = word.count_ones() as usize;
                    if skip < count {
                        break *first as u64 * 64 + take_nth(word, skip);
                    }
                    skip -= count;
                    *first += 1;
                }
            }
        };
        Move::from_action(action, self.width)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = match &self.set {
            // Boards of up to 31 columns need only one word.
            Set::Inline([low, 0]) => low.count_ones() as usize,
            Set::Inline([low, high]) => (low.count_ones() + high.count_ones()) as usize,
            Set::Heap { left, .. } => *left,
        };
        (count, Some(count))
    }
}

impl crate::Moves for Moves {}
impl ExactSizeIterator for Moves {}
impl FusedIterator for Moves {}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.clone()).finish()
    }
}
