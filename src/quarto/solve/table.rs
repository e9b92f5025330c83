//! The transposition table, which threads share, with one word per entry.
//!
//! A position with a piece in hand, up to symmetry, fits in 48 bits as long as at most eight pieces are placed: the
//! occupied squares, and four bits per piece. So an entry holds the whole position besides the results and their cost,
//! and there are no collisions. No lock is needed, since a word is read and written at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Goal;
use crate::error::MemoryError;

/// The number of entries in a bucket, which is one cache line.
const BUCKET_SIZE: usize = 8;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; BUCKET_SIZE]);

/// The transposition table. Clones share it, for other threads.
#[derive(Clone)]
pub(super) struct TranspositionTable {
    // A slice directly in the Arc would have to be copied there.
    buckets: Arc<Vec<Bucket>>,
    shift: u32,
}

impl TranspositionTable {
    /// Creates an empty table of at most this many bytes, but at least two buckets.
    pub(super) fn new(bytes: usize) -> Result<Self, MemoryError> {
        let bits = (bytes / size_of::<Bucket>()).max(2).ilog2();
        let mut buckets = Vec::new();
        let bytes = size_of::<Bucket>() << bits;
        let no_memory = MemoryError { what: "a transposition table", bytes };
        buckets.try_reserve_exact(1 << bits).map_err(|_| no_memory)?;
        buckets.resize_with(1 << bits, Bucket::default);
        Ok(TranspositionTable { buckets: Arc::new(buckets), shift: 64 - bits })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[AtomicU64; BUCKET_SIZE] {
        let mixed = (key ^ key >> 23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        &self.buckets[(mixed >> self.shift) as usize].0
    }

    /// Returns whether a goal is achieved, if that is known.
    #[inline(always)]
    pub(super) fn get(&self, key: u64, goal: Goal) -> Option<bool> {
        let entries = self.bucket(key).iter().map(|entry| entry.load(Relaxed));
        let results = entries.fold(0, |found, entry| found | if entry >> 16 == key { entry } else { 0 });
        let results = results >> (2 * goal as u32);
        (results & 1 == 1).then_some(results & 2 != 0)
    }

    /// Stores whether a goal is achieved, which took this many nodes to find; the cheapest entry of the bucket is
    /// replaced.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let entry = |goal: Goal| (1 | u64::from(answer) << 1) << (2 * goal as u32);
        let mut results = entry(goal);
        // A win is also a draw at least, and without even a draw there is no win.
        if (goal == Goal::Win) == answer {
            results |= entry(goal.other());
        }
        let new = key << 16 | u64::from(nodes.max(1).ilog2() + 1) << 8 | results;
        let bucket = self.bucket(key);
        let mut cheapest = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let old = slot.load(Relaxed);
            if old != 0 && old >> 16 == key {
                let cost = (old & 0xff00).max(new & 0xff00);
                slot.store(new & !0xff00 | cost | old & 15, Relaxed);
                return;
            }
            if old & 0xff00 < least {
                (cheapest, least) = (slot, old & 0xff00);
            }
        }
        cheapest.store(new, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_again_and_the_cheapest_is_replaced() -> Result<(), MemoryError> {
        let table = TranspositionTable::new(0)?;
        assert_eq!(table.get(0, Goal::Win), None);
        table.put(0, Goal::Win, false, 1 << 40);
        assert_eq!((table.get(0, Goal::Win), table.get(0, Goal::Draw)), (Some(false), None));
        table.put(0, Goal::Draw, true, 1);
        for key in 1..1000 {
            table.put(key, Goal::Win, key % 2 == 0, key);
            assert_eq!(table.get(key, Goal::Win), Some(key % 2 == 0));
            // A win implies a draw; no win implies nothing about the draw.
            assert_eq!(table.get(key, Goal::Draw), (key % 2 == 0).then_some(true));
        }
        assert_eq!((table.get(0, Goal::Win), table.get(0, Goal::Draw)), (Some(false), Some(true)));
        Ok(())
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        let error = MemoryError { what: "a transposition table", bytes: 64 << 55 };
        assert_eq!(TranspositionTable::new(usize::MAX / 4).err(), Some(error));
    }
}
