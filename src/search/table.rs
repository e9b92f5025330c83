//! A table of what is known of positions, which threads share.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::solve::SolveError;

/// The two words of a key and the word that is known, the key mixed with what is known.
///
/// No lock is needed: a slot that two threads wrote to at once has a word of each, and then the key does not come out.
type Slot = [AtomicU64; 3];

/// What is known, one word a position, under a key of two words that tells positions apart wholly.
///
/// Slots come in pairs: the first place of a pair goes to what took longest to find, the second to the latest. A clone
/// is the same table, for another thread.
#[derive(Clone)]
pub(crate) struct Table {
    // A slice in the Arc itself would have to be copied there.
    pairs: Arc<Box<[[Slot; 2]]>>,
    shift: u32,
}

impl Table {
    /// Returns an empty table that takes at most so many bytes, and holds two pairs at least.
    pub(crate) fn new(bytes: usize) -> Result<Self, SolveError> {
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

    /// Returns what is known under a key.
    #[inline(always)]
    pub(crate) fn get(&self, key: [u64; 2]) -> Option<u64> {
        self.pair(key).iter().find_map(|slot| {
            let known = slot[2].load(Relaxed);
            (known != 0 && is_under(slot, key, known)).then_some(known)
        })
    }

    /// Keeps what is known under a key: not zero, and its highest byte says how long it took to find.
    #[inline(always)]
    pub(crate) fn put(&self, key: [u64; 2], known: u64) {
        let [first, second] = self.pair(key);
        let old = first[2].load(Relaxed);
        let slot = if is_under(first, key, old) || old >> 56 <= known >> 56 { first } else { second };
        slot[0].store(key[0] ^ known, Relaxed);
        slot[1].store(key[1] ^ known, Relaxed);
        slot[2].store(known, Relaxed);
    }
}

/// Returns pairs of nothing, which take no time and no memory before they are written to.
///
/// The system hands out zeros, so that a large table costs a short search nothing. Atomics cannot be had that way
/// without unsafe code.
#[allow(unsafe_code)]
fn empty_pairs(count: usize) -> Result<Box<[[Slot; 2]]>, SolveError> {
    let layout = Layout::array::<[Slot; 2]>(count).map_err(|_| SolveError::Memory)?;
    // SAFETY: the size is not zero, since there are two pairs at least.
    let memory = unsafe { alloc_zeroed(layout) }.cast::<[Slot; 2]>();
    if memory.is_null() {
        return Err(SolveError::Memory);
    }
    // SAFETY: the memory was just allocated for so many pairs, and zeros are atomics of value 0.
    Ok(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, count)) })
}

#[inline(always)]
fn is_under(slot: &Slot, key: [u64; 2], known: u64) -> bool {
    slot[0].load(Relaxed) ^ known == key[0] && slot[1].load(Relaxed) ^ known == key[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest table has two pairs, so that keys meet.
    #[test]
    fn what_took_longest_stays() -> Result<(), SolveError> {
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
    fn threads_never_read_what_none_wrote() -> Result<(), SolveError> {
        let table = Table::new(0)?;
        let work = |seed: u64| {
            for i in 0..100_000 {
                let key = i * seed % 64;
                table.put([key, !key], key << 8 | 1 << 56 | seed);
                if let Some(known) = table.get([key, !key]) {
                    assert_eq!(known >> 8 & 0xff, key);
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
        assert_eq!(Table::new(usize::MAX / 4).err(), Some(SolveError::Memory));
    }
}
