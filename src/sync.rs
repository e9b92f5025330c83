//! What the lock-free parts are made of. `models/` replaces it with loom's, to try all orders of events.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic;
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub(crate) use std::thread;

use std::alloc::{Layout, alloc_zeroed};

use crate::shortage;

/// How often a thread polls before it goes to sleep: tens of microseconds.
pub(crate) const SPINS: u32 = 1 << 12;

/// Returns zeroed words, which cost no time and no memory before they are written to; `None` if there is no memory.
///
/// The system provides zeroed pages lazily, so that a large table costs a short search nothing. For atomics this needs
/// unsafe code.
#[allow(unsafe_code)]
pub(crate) fn zeroed(count: usize) -> Option<Box<[atomic::AtomicU64]>> {
    let layout = Layout::array::<atomic::AtomicU64>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the size is not zero.
    let memory = unsafe { alloc_zeroed(layout) }.cast::<atomic::AtomicU64>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: the memory was just allocated for this many words, and zeroed memory is valid for atomics.
    let words = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, count)) };
    (!shortage::is_noted()).then_some(words)
}
