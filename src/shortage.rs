//! A note, on each thread, that memory was missing there.
//!
//! The C library has a reserve for small pieces of memory (`src/capi/memory.rs`), so that what is under way when memory
//! runs out can end as if there were some. It takes this note, and whoever may fail does: lists that grow, long work
//! when it looks whether to stop, and the call as a whole. Without the C library nobody takes it.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether memory was ever missing: nearly never, so that looking for a note costs no more than this.
static EVER: AtomicBool = AtomicBool::new(false);

thread_local! {
    // Without a destructor, which would take memory to register.
    static NOTED: Cell<bool> = const { Cell::new(false) };
}

/// Takes the note.
#[cold]
pub(crate) fn note() {
    EVER.store(true, Ordering::Relaxed);
    NOTED.set(true);
}

/// Returns whether memory was missing since the last [`forget`].
#[inline]
pub(crate) fn is_noted() -> bool {
    EVER.load(Ordering::Relaxed) && is_noted_here()
}

// Apart, since in a shared library it is a call to find out where the variables of a thread are, which the compiler would
// make in any case.
#[cold]
#[inline(never)]
fn is_noted_here() -> bool {
    NOTED.get()
}

/// Forgets the note.
#[cold]
pub(crate) fn forget() {
    if EVER.load(Ordering::Relaxed) {
        NOTED.set(false);
    }
}

/// Does something that fails, or does not, by itself, as a callback.
pub(crate) fn aside<T>(work: impl FnOnce() -> T) -> T {
    let before = is_noted();
    if before {
        forget();
    }
    let result = work();
    if before {
        note();
    } else if is_noted() {
        forget();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_that_of_a_thread_and_of_one_piece_of_work() {
        assert!(!is_noted());
        note();
        assert!(is_noted() && !aside(is_noted));
        aside(note);
        assert!(is_noted());
        assert!(!std::thread::spawn(is_noted).join().unwrap());
        forget();
        aside(note);
        assert!(!is_noted());
    }
}
