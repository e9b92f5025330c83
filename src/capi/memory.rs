//! The memory of the C library: System's, and a reserve for when there is none.
//!
//! Rust ends the process if a small allocation fails, and there are hundreds of places that make one: a `Box`, a
//! message, a short list. Here each of them gets its memory from a reserve then, and a note is taken, on the thread
//! where it happened ([`shortage`](crate::shortage)), with which [`guard`](super::guard) makes the call fail. What it
//! has begun is dropped, so that a block of the reserve is never kept.
//!
//! Larger pieces are refused, as by any allocator. Whatever may be larger than [`LARGEST`] comes from the functions in
//! `error.rs`, which return an error. They do so as well once there is a note: a call that is short of memory soon ends,
//! however much more it would have liked, and cannot use up the reserve, which has room for dozens of calls at a time.
//! Only if it is used up nonetheless does Rust end the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::shortage;

/// The memory of all that is linked into the C library. A program in Rust chooses its own: hence the condition, which
/// builds of the C library set.
#[cfg(petteia_c_library)]
#[global_allocator]
static MEMORY: Memory = Memory;

struct Memory;

/// The sizes of the blocks in the reserve, and how many there are of each.
const CLASSES: [(usize, usize); 4] = [(64, 512), (512, 128), (4 << 10, 64), (LARGEST, 8)];

/// The largest block in the reserve: some pictures are drawn in such pieces.
const LARGEST: usize = 64 << 10;

/// How many bytes the reserve has. They take no physical memory before they are used.
const BYTES: usize = {
    let mut bytes = 0;
    let mut class = 0;
    while class < CLASSES.len() {
        bytes += CLASSES[class].0 * CLASSES[class].1;
        class += 1;
    }
    bytes
};

/// The most that a block is aligned to.
const ALIGNMENT: usize = 4 << 10;

#[repr(C, align(4096))]
struct Reserve {
    blocks: UnsafeCell<[u8; BYTES]>,
    /// Which blocks of each class are taken, one bit each.
    taken: [[AtomicU64; 8]; CLASSES.len()],
}

// SAFETY: each block belongs to whoever has set its bit, and is only touched by that thread or those that it tells.
unsafe impl Sync for Reserve {}

static RESERVE: Reserve = Reserve::new();

impl Reserve {
    const fn new() -> Self {
        Reserve {
            blocks: UnsafeCell::new([0; BYTES]),
            taken: [const { [const { AtomicU64::new(0) }; 8] }; CLASSES.len()],
        }
    }

    /// Returns the classes, each with the index of its first byte.
    fn classes(&self) -> impl Iterator<Item = (usize, usize, usize, &[AtomicU64])> {
        let mut end = 0;
        CLASSES.iter().zip(&self.taken).map(move |(&(size, count), taken)| {
            let first = end;
            end += size * count;
            (first, size, count, &taken[..count.div_ceil(64)])
        })
    }

    /// Takes a block, and the note that memory was missing; returns NULL if there is none that is large enough.
    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        if layout.align() > ALIGNMENT {
            return null_mut();
        }
        // Every block is aligned to its size.
        let least = layout.size().max(layout.align().min(LARGEST));
        for (first, size, count, taken) in self.classes().filter(|&(_, size, ..)| size >= least) {
            for (number, word) in taken.iter().enumerate() {
                let all = if count < 64 { (1 << count) - 1 } else { u64::MAX };
                let free = |word: u64| (word != all).then(|| word | (word + 1));
                let Ok(before) = word.fetch_update(Ordering::Acquire, Ordering::Relaxed, free) else {
                    continue;
                };
                let block = 64 * number + before.trailing_ones() as usize;
                shortage::note();
                // The index of a block is inside of the reserve.
                return self.blocks.get().cast::<u8>().wrapping_add(first + block * size);
            }
        }
        null_mut()
    }

    /// Returns where in the reserve a block is, if it is there.
    #[inline]
    fn place(&self, block: *mut u8) -> Option<usize> {
        let at = block.addr().wrapping_sub(self.blocks.get().addr());
        (at < BYTES).then_some(at)
    }

    /// Gives back the block at a place.
    #[cold]
    fn give_back(&self, place: usize) {
        for (first, size, count, taken) in self.classes() {
            if place < first + size * count {
                let block = (place - first) / size;
                taken[block / 64].fetch_and(!(1 << (block % 64)), Ordering::Release);
                return;
            }
        }
    }
}

// SAFETY: blocks come from `System`, or from the reserve: large enough, aligned, and each given to one owner at a time.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { RESERVE.take(layout) } else { block }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let mut block = unsafe { System.alloc_zeroed(layout) };
        if block.is_null() {
            block = RESERVE.take(layout);
            if !block.is_null() {
                // SAFETY: the block has that size, and belongs to this thread.
                unsafe { block.write_bytes(0, layout.size()) };
            }
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match RESERVE.place(block) {
            Some(place) => RESERVE.give_back(place),
            // SAFETY: the caller's promise, and it is not from the reserve.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if RESERVE.place(block).is_none() {
            // SAFETY: the caller's promise, and it is not from the reserve.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.moved(block, layout, size) }
    }
}

impl Memory {
    /// Moves what is in a block to another; returns NULL, and leaves it, if there is none.
    ///
    /// # Safety
    ///
    /// As for [`GlobalAlloc::realloc`].
    #[cold]
    unsafe fn moved(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is not zero nor too large; both blocks have the bytes that are
        // copied, and the old one is not used any more.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, size.min(layout.size()));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// All blocks of a reserve of its own: apart from each other, aligned, and as many as there should be.
    #[test]
    fn blocks_are_apart() {
        static OWN: Reserve = Reserve::new();
        let reserve = &OWN;
        let layout = |size, align| Layout::from_size_align(size, align).expect("a layout");
        let mut taken = BTreeMap::new();
        let mut count = 0;
        for round in 0.. {
            // Blocks of all sizes in turns, as long as there is one; a full class leads to the next.
            let (size, align) =
                [(1, 1), (64, 64), (65, 8), (4096, 4096), (5000, 16), (LARGEST, 1)][round % 6];
            let block = reserve.take(layout(size, align));
            if block.is_null() {
                break;
            }
            let place = reserve.place(block).expect("a block of the reserve");
            assert_eq!(block.addr() % align, 0);
            assert_eq!(taken.insert(place, size), None);
            count += 1;
        }
        while !reserve.take(layout(1, 1)).is_null() {
            count += 1;
        }
        assert!(shortage::is_noted());
        shortage::forget();
        assert_eq!(count, CLASSES.iter().map(|(_, count)| count).sum::<usize>());
        let ends = taken.iter().map(|(place, size)| place + size);
        assert!(taken.keys().skip(1).zip(ends).all(|(next, end)| end <= *next));
        // What is given back is there again, and nothing else.
        for &place in taken.keys() {
            reserve.give_back(place);
        }
        let again = std::iter::from_fn(|| Some(reserve.take(layout(1, 1))).filter(|block| !block.is_null()));
        assert_eq!(again.count(), taken.len());
        shortage::forget();
        assert!(reserve.take(layout(1, 8192)).is_null() && reserve.take(layout(LARGEST + 1, 1)).is_null());
        assert!(reserve.place(null_mut()).is_none() && !shortage::is_noted());
    }
}
