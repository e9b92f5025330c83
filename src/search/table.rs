//! A lock-free transposition table that threads share.

use crate::error::MemoryError;
use crate::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use crate::sync::atomic::{AtomicU64, fence};
use crate::sync::{Arc, zeroed};

/// Two slots, each with the two words of a key and the word of data, behind a version: one cache line.
///
/// It is a seqlock. The version is odd while a thread writes, and every write changes it.
///
/// *A thread that reads the same even version before and after the slots has read what one thread wrote there, whole.*
/// Say it read a word of a write that was not over at its first look. The writer had made the version odd before that,
/// with a release fence in between, and the reader has an acquire fence between that word and its second look: so the
/// second look sees the odd version, or a later one. No version comes back: at a billion writes a second, 64 bits last
/// for centuries. (H.-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012.)
///
/// Nobody waits: a pair that is being written is skipped, and counts as one without the key.
type Pair = [AtomicU64; WORDS];

const WORDS: usize = 8;
const PAIR_BYTES: usize = WORDS * size_of::<u64>();

/// The index of the version in a pair, and of the first words of its slots.
const VERSION: usize = 0;
const SLOTS: [usize; 2] = [1, 4];

/// A transposition table: one word of data for each position, under an exact key of two words.
///
/// Slots come in pairs, one replaced by depth, the other always. Clones share the table, for other threads.
#[derive(Clone)]
pub(crate) struct Table {
    // A slice directly in the Arc would have to be copied there.
    words: Arc<Box<[AtomicU64]>>,
    /// Where the first pair begins, so that each is in one cache line.
    first: usize,
    shift: u32,
}

impl Table {
    /// Creates an empty table of about this many bytes, but of at least two pairs.
    pub(crate) fn new(bytes: usize) -> Result<Self, MemoryError> {
        let bits = (bytes / PAIR_BYTES).max(2).ilog2();
        let no_memory = MemoryError { what: "a transposition table", bytes: PAIR_BYTES << bits };
        let words = zeroed(WORDS + (WORDS << bits)).ok_or(no_memory)?;
        let first = words.as_ptr().align_offset(PAIR_BYTES).min(WORDS);
        Ok(Table { words: Arc::new(words), first, shift: 64 - bits })
    }

    #[inline(always)]
    fn pair(&self, key: [u64; 2]) -> &Pair {
        let mixed = key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ key[1].wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let place = self.first + WORDS * (mixed >> self.shift) as usize;
        self.words[place..].first_chunk().expect("a pair")
    }

    /// Returns the data of a key.
    #[inline(always)]
    pub(crate) fn get(&self, key: [u64; 2]) -> Option<u64> {
        let pair = self.pair(key);
        let version = pair[VERSION].load(Acquire);
        let found = SLOTS.into_iter().find_map(|slot| {
            let entry = pair[slot + 2].load(Relaxed);
            (entry != 0 && has_key(pair, slot, key)).then_some(entry)
        });
        fence(Acquire);
        found.filter(|_| version % 2 == 0 && pair[VERSION].load(Relaxed) == version)
    }

    /// Stores the data of a key: not zero, with the depth, or another measure of the effort, in the highest byte.
    #[inline(always)]
    pub(crate) fn put(&self, key: [u64; 2], entry: u64) {
        let pair = self.pair(key);
        let version = pair[VERSION].load(Relaxed);
        let odd = version | 1;
        if version == odd || pair[VERSION].compare_exchange(version, odd, Acquire, Relaxed).is_err() {
            return;
        }
        fence(Release);
        let [first, second] = SLOTS;
        let old = pair[first + 2].load(Relaxed);
        let slot = if has_key(pair, first, key) || old >> 56 <= entry >> 56 { first } else { second };
        pair[slot].store(key[0], Relaxed);
        pair[slot + 1].store(key[1], Relaxed);
        pair[slot + 2].store(entry, Relaxed);
        pair[VERSION].store(odd.wrapping_add(1), Release);
    }
}

#[inline(always)]
fn has_key(pair: &Pair, slot: usize, key: [u64; 2]) -> bool {
    pair[slot].load(Relaxed) == key[0] && pair[slot + 1].load(Relaxed) == key[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest table has two pairs, so that keys collide.
    #[test]
    fn deeper_entries_stay() -> Result<(), MemoryError> {
        let table = Table::new(0)?;
        let long = 9 << 56 | 7;
        table.put([0, 0], long);
        for key in 1..100 {
            table.put([key, 0], 1 << 56 | key);
            assert_eq!(table.get([key, 0]), Some(1 << 56 | key));
        }
        assert_eq!(table.get([0, 0]), Some(long));
        assert_eq!(table.get([0, 1]), None);
        table.put([0, 0], 1);
        assert_eq!(table.get([0, 0]), Some(1));
        Ok(())
    }

    #[test]
    fn threads_never_read_what_none_wrote() -> Result<(), MemoryError> {
        let table = Table::new(0)?;
        let work = |seed: u64| {
            for i in 0..100_000 {
                let key = i * seed % 64;
                table.put([key, !key], key << 8 | 1 << 56 | seed);
                if let Some(entry) = table.get([key, !key]) {
                    assert_eq!(entry >> 8 & 0xff, key);
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| work(5));
            work(3);
        });
        Ok(())
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        let error = MemoryError { what: "a transposition table", bytes: 1 << 61 };
        assert_eq!(Table::new(usize::MAX / 4).err(), Some(error));
    }
}
