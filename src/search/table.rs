//! A lock-free transposition table that threads share.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::MemoryError;

/// The two words of the key, each xored with the data, and the word of data.
///
/// No lock is needed: if two threads write a slot at once, its words do not match, and neither key is found there.
type Slot = [AtomicU64; 3];

/// A transposition table: one word of data for each position, under an exact key of two words.
///
/// Slots come in pairs, one replaced by depth, the other always. Clones share the table, for other threads.
#[derive(Clone)]
pub(crate) struct Table {
    // A slice directly in the Arc would have to be copied there.
    pairs: Arc<Box<[[Slot; 2]]>>,
    shift: u32,
}

impl Table {
    /// Creates an empty table of at most this many bytes, but at least two pairs.
    pub(crate) fn new(bytes: usize) -> Result<Self, MemoryError> {
        let bits = (bytes / size_of::<[Slot; 2]>()).max(2).ilog2();
        Ok(Table { pairs: Arc::new(empty_pairs(1 << bits)?), shift: 64 - bits })
    }

    #[inline(always)]
    fn pair(&self, key: [u64; 2]) -> &[Slot; 2] {
        let mixed = key[0].wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ key[1].wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        &self.pairs[(mixed >> self.shift) as usize]
    }

    /// Returns the data of a key.
    #[inline(always)]
    pub(crate) fn get(&self, key: [u64; 2]) -> Option<u64> {
        self.pair(key).iter().find_map(|slot| {
            let entry = slot[2].load(Relaxed);
            (entry != 0 && has_key(slot, key, entry)).then_some(entry)
        })
    }

    /// Stores the data of a key: not zero, with the depth, or another measure of the effort, in the highest byte.
    #[inline(always)]
    pub(crate) fn put(&self, key: [u64; 2], entry: u64) {
        let [first, second] = self.pair(key);
        let old = first[2].load(Relaxed);
        let slot = if has_key(first, key, old) || old >> 56 <= entry >> 56 { first } else { second };
        slot[0].store(key[0] ^ entry, Relaxed);
        slot[1].store(key[1] ^ entry, Relaxed);
        slot[2].store(entry, Relaxed);
    }
}

/// Returns empty pairs, which cost no time and no memory before they are written to.
///
/// The system provides zeroed pages lazily, so that a large table costs a short search nothing. For atomics this needs
/// unsafe code.
#[allow(unsafe_code)]
fn empty_pairs(count: usize) -> Result<Box<[[Slot; 2]]>, MemoryError> {
    let no_memory =
        MemoryError { what: "a transposition table", bytes: count.saturating_mul(size_of::<[Slot; 2]>()) };
    let layout = Layout::array::<[Slot; 2]>(count).map_err(|_| no_memory)?;
    // SAFETY: the size is not zero, since there are at least two pairs.
    let memory = unsafe { alloc_zeroed(layout) }.cast::<[Slot; 2]>();
    if memory.is_null() {
        return Err(no_memory);
    }
    // SAFETY: the memory was just allocated for this many pairs, and zeroed memory is valid for atomics.
    Ok(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, count)) })
}

#[inline(always)]
fn has_key(slot: &Slot, key: [u64; 2], entry: u64) -> bool {
    slot[0].load(Relaxed) ^ entry == key[0] && slot[1].load(Relaxed) ^ entry == key[1]
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
        let error = MemoryError { what: "a transposition table", bytes: 48 << 56 };
        assert_eq!(Table::new(usize::MAX / 4).err(), Some(error));
    }
}
