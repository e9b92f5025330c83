//! Bit strings, one bit per cell of a board.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::error::{MemoryError, room, zeros};
use crate::work::breathe;

/// A bit string, packed in words from the lowest bit; bits past its end are 0.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bits {
    words: Vec<u64>,
}

/// How many steps of a loop over words or rows are done between two chances to stop.
const BREATH: usize = 1 << 12;

/// Returns a range of words in parts, between which long work can be stopped.
fn breaths(words: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
    (0..words.div_ceil(BREATH)).map(move |part| {
        if part > 0 {
            breathe();
        }
        part * BREATH..words.min((part + 1) * BREATH)
    })
}

/// Returns a range of rows, between which long work can be stopped.
pub(super) fn rows(range: Range<u64>) -> impl DoubleEndedIterator<Item = u64> {
    range.inspect(|row| {
        if row % BREATH as u64 == BREATH as u64 - 1 {
            breathe();
        }
    })
}

/// The memory of a copy comes from the heap, and may not be there: see [`MemoryError::raise`].
impl Clone for Bits {
    fn clone(&self) -> Self {
        let mut words = room_for(self.words.len());
        breaths(self.words.len()).for_each(|part| words.extend_from_slice(&self.words[part]));
        Bits { words }
    }

    /// Needs no memory if the strings have the same length.
    fn clone_from(&mut self, source: &Self) {
        if self.words.len() != source.words.len() {
            *self = source.clone();
        }
        self.words.copy_from_slice(&source.words);
    }
}

impl Hash for Bits {
    fn hash<H: Hasher>(&self, state: &mut H) {
        breaths(self.words.len()).for_each(|part| self.words[part].hash(state));
    }
}

/// Returns an empty vector with room for some words.
fn room_for(words: usize) -> Vec<u64> {
    room("a board", words).unwrap_or_else(|error| error.raise())
}

/// Returns a word with the `count` lowest bits set.
#[inline]
pub(super) fn low(count: u64) -> u64 {
    if count >= 64 { !0 } else { !(!0 << count) }
}

impl Bits {
    /// Returns a string of zeros, or an error if there is not enough memory.
    pub(super) fn allocate(length: u64) -> Result<Self, MemoryError> {
        Ok(Bits { words: zeros("a board", length.div_ceil(64) as usize)? })
    }

    pub(super) fn zeros(length: u64) -> Self {
        Bits::allocate(length).unwrap_or_else(|error| error.raise())
    }

    /// Returns how many bytes the string takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        self.words
    }

    #[inline]
    fn word(&self, i: usize) -> u64 {
        self.words.get(i).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn get(&self, at: u64) -> bool {
        self.word((at / 64) as usize) >> (at % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn set(&mut self, at: u64) {
        self.write(at, 1);
    }

    /// Returns the 64 bits starting at an index.
    #[inline]
    pub(super) fn read(&self, at: u64) -> u64 {
        let (i, shift) = ((at / 64) as usize, at % 64);
        // Shifting in two steps allows an index at the start of a word.
        self.word(i) >> shift | self.word(i + 1) << 1 << (63 - shift)
    }

    /// Sets the bits that are set in a word, starting at an index.
    #[inline]
    pub(super) fn write(&mut self, at: u64, bits: u64) {
        let (i, shift) = ((at / 64) as usize, at % 64);
        for (word, part) in self.words.iter_mut().skip(i).zip([bits << shift, bits >> 1 >> (63 - shift)]) {
            *word |= part;
        }
    }

    /// Clears the bits that are set in a word, starting at an index.
    #[inline]
    pub(super) fn erase(&mut self, at: u64, bits: u64) {
        let (i, shift) = ((at / 64) as usize, at % 64);
        for (word, part) in self.words.iter_mut().skip(i).zip([bits << shift, bits >> 1 >> (63 - shift)]) {
            *word &= !part;
        }
    }

    /// Returns whether any of the bits in a range is set.
    pub(super) fn any_in(&self, from: u64, count: u64) -> bool {
        pieces(from, count).any(|(at, count)| self.read(at) & low(count) != 0)
    }

    /// Sets the bits in a range.
    pub(super) fn fill(&mut self, from: u64, count: u64) {
        pieces(from, count).for_each(|(at, count)| self.write(at, low(count)));
    }

    /// Clears the bits in a range.
    pub(super) fn clear(&mut self, from: u64, count: u64) {
        pieces(from, count).for_each(|(at, count)| self.erase(at, low(count)));
    }

    /// Sets the bits that are set in another string, starting at an index.
    pub(super) fn write_all(&mut self, at: u64, other: &Bits) {
        for i in breaths(other.words.len()).flatten() {
            self.write(at + 64 * i as u64, other.words[i]);
        }
    }

    /// Copies a range.
    pub(super) fn slice(&self, from: u64, count: u64) -> Bits {
        pieces(from, count).map(|(at, count)| self.read(at) & low(count)).collect()
    }

    /// Returns the complement of the first `count` bits.
    pub(super) fn free(&self, count: u64) -> Bits {
        pieces(0, count).map(|(at, count)| !self.read(at) & low(count)).collect()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the indices of the set bits, in order.
    pub(super) fn places(&self) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(|(i, &word)| ones(word).map(move |bit| 64 * i as u64 + bit))
    }

    /// Combines each bit with the `count - 1` bits that follow it at a distance of `step`, in about log2(`count`)
    /// passes.
    pub(super) fn fold(&mut self, step: u64, count: u64, combine: impl Fn(u64, u64) -> u64) {
        let mut done = 1;
        while done < count {
            let more = done.min(count - done);
            let distance = more * step;
            for i in breaths(self.words.len()).flatten() {
                self.words[i] = combine(self.words[i], self.read(64 * i as u64 + distance));
            }
            done += more;
        }
    }

    /// Sets the `count - 1` bits that follow each set bit at a distance of `step`.
    pub(super) fn spread(&mut self, step: u64, count: u64) {
        let mut done = 1;
        while done < count {
            let more = done.min(count - done);
            let distance = more * step;
            // Backwards, so that no bit is moved twice in one pass.
            for i in breaths(self.words.len()).flatten().rev() {
                let word = self.words[i];
                self.words[i] = 0;
                self.write(64 * i as u64 + distance, word);
                self.words[i] |= word;
            }
            done += more;
        }
    }
}

/// Splits a range into pieces of up to 64 bits, between which long work can be stopped.
pub(super) fn pieces(from: u64, count: u64) -> impl ExactSizeIterator<Item = (u64, u64)> {
    (0..count.div_ceil(64) as usize).map(move |piece| {
        if piece % BREATH == BREATH - 1 {
            breathe();
        }
        let at = 64 * piece as u64;
        (from + at, (count - at).min(64))
    })
}

/// Returns the indices of the set bits of a word, in order.
#[inline]
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| u64::from(word.trailing_zeros()))?;
        word &= word - 1;
        Some(bit)
    })
}

impl FromIterator<u64> for Bits {
    fn from_iter<I: IntoIterator<Item = u64>>(words: I) -> Self {
        let words = words.into_iter();
        let mut all = room_for(words.size_hint().0);
        all.extend(words);
        Bits { words: all }
    }
}
