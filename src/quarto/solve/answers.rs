//! A table of answers that threads share, one word an entry.
//!
//! A position with a piece in hand, up to symmetry, fits into 48 bits as long as at most eight pieces are placed: the
//! occupied squares, and four bits a piece. So an entry holds the whole position, beside the answers and how long they
//! took to find, and is never taken for another's. No lock is needed: a word is read and written whole.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Goal;
use crate::search::SolveError;

/// So many entries share a place, as a line of the processor's cache has room for.
const SHARED: usize = 8;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; SHARED]);

/// The table. A clone is the same table, for another thread.
#[derive(Clone)]
pub(super) struct Answers {
    // A slice in the Arc itself would have to be copied there.
    buckets: Arc<Vec<Bucket>>,
    shift: u32,
}

impl Answers {
    /// Returns an empty table that takes at most so many bytes, and has two buckets at least.
    pub(super) fn new(bytes: usize) -> Result<Self, SolveError> {
        let bits = (bytes / size_of::<Bucket>()).max(2).ilog2();
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(1 << bits).map_err(|_| SolveError::Memory)?;
        buckets.resize_with(1 << bits, Bucket::default);
        Ok(Answers { buckets: Arc::new(buckets), shift: 64 - bits })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &[AtomicU64; SHARED] {
        let mixed = (key ^ key >> 23).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        &self.buckets[(mixed >> self.shift) as usize].0
    }

    /// Returns whether a goal is reached, if that is known.
    #[inline(always)]
    pub(super) fn get(&self, key: u64, goal: Goal) -> Option<bool> {
        let entries = self.bucket(key).iter().map(|entry| entry.load(Relaxed));
        let known = entries.fold(0, |found, entry| found | if entry >> 16 == key { entry } else { 0 });
        let known = known >> (2 * goal as u32);
        (known & 1 == 1).then_some(known & 2 != 0)
    }

    /// Keeps whether a goal is reached, which took so many positions to find; what was cheapest to find makes room.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let entry = |goal: Goal| (1 | u64::from(answer) << 1) << (2 * goal as u32);
        let mut known = entry(goal);
        // Who wins does not lose, and who loses does not win.
        if (goal == Goal::Win) == answer {
            known |= entry(goal.other());
        }
        let new = key << 16 | u64::from(nodes.max(1).ilog2() + 1) << 8 | known;
        let bucket = self.bucket(key);
        let mut place = &bucket[0];
        let mut least = u64::MAX;
        for slot in bucket {
            let old = slot.load(Relaxed);
            if old != 0 && old >> 16 == key {
                let cost = (old & 0xff00).max(new & 0xff00);
                slot.store(new & !0xff00 | cost | old & 15, Relaxed);
                return;
            }
            if old & 0xff00 < least {
                (place, least) = (slot, old & 0xff00);
            }
        }
        place.store(new, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_again_and_the_cheapest_makes_room() -> Result<(), SolveError> {
        let table = Answers::new(0)?;
        assert_eq!(table.get(0, Goal::Win), None);
        table.put(0, Goal::Win, false, 1 << 40);
        assert_eq!((table.get(0, Goal::Win), table.get(0, Goal::Draw)), (Some(false), None));
        table.put(0, Goal::Draw, true, 1);
        for key in 1..1000 {
            table.put(key, Goal::Win, key % 2 == 0, key);
            assert_eq!(table.get(key, Goal::Win), Some(key % 2 == 0));
            // A winner draws too; that someone cannot win says nothing of the draw.
            assert_eq!(table.get(key, Goal::Draw), (key % 2 == 0).then_some(true));
        }
        assert_eq!((table.get(0, Goal::Win), table.get(0, Goal::Draw)), (Some(false), Some(true)));
        Ok(())
    }

    #[test]
    fn too_large_a_table_is_an_error() {
        assert_eq!(Answers::new(usize::MAX / 4).err(), Some(SolveError::Memory));
    }
}
