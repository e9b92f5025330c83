//! What all long calls share: options that can grow, and the callback that hears of the progress.

use std::cell::Cell;
use std::ffi::c_void;
use std::ops::ControlFlow;
use std::slice;

use super::guard::{Failure, Result, exclusive, status};
use super::status::petteia_status;
use crate::Progress;
use crate::shortage;
use crate::time::{Duration, Instant};
use crate::work::BEAT;

/// The progress of a long call.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct petteia_progress {
    /// How much is done: games, simulations, or positions searched. 0 where that is not known, as in counting.
    pub done: u64,
    /// How much is to be done at most; 0 if that is not known.
    pub total: u64,
    /// Positions searched so far, if the call solves or analyses; else 0.
    pub nodes: u64,
    /// Seconds taken so far.
    pub seconds: f64,
    /// The lower bound on the value of the position, if the call solves or analyses; else 0.
    pub lower: i32,
    /// The upper bound on the value of the position, if the call solves or analyses; else 0.
    pub upper: i32,
}

/// A callback of a long call, which returns true to stop it.
///
/// It is called about every 10 milliseconds, on the thread that made the call, with the progress and the `user` pointer
/// of the options; a call that takes less time may never call it. Once it has returned true, the same call does not
/// call it again. It must return (no longjmp, no exception), and may itself use the library.
pub type petteia_callback =
    Option<unsafe extern "C" fn(progress: *const petteia_progress, user: *mut c_void) -> bool>;

/// The options of a long call.
///
/// # Safety
///
/// It is a `repr(C)` struct of numbers and pointers of which all bits are valid, and the first is its size in bytes. It
/// does not end with padding, so that a member added later makes it larger. What ends at one of the earlier sizes was
/// the whole struct then.
pub(super) unsafe trait Options: Copy {
    /// The name of the struct in C.
    const NAME: &'static str;

    /// The defaults, with the size of the struct.
    const DEFAULTS: Self;

    /// The sizes that the struct had in released versions of the library, if it has grown since: the places of the
    /// first members that were added.
    const EARLIER: &'static [usize] = &[];
}

/// No struct of options will ever be larger, in bytes: a larger size was never written.
const LARGEST: usize = 1 << 10;

/// Returns whether a struct may have this size: that of this version, of an earlier one, or of one to come.
fn is_size<O: Options>(size: usize) -> bool {
    let now = size_of::<O>();
    size == now
        || O::EARLIER.contains(&size)
        || (now..=LARGEST).contains(&size) && size % align_of::<usize>() == 0
}

/// Copies the options of a program that knows fewer or more of them than this library; NULL stands for the defaults.
///
/// # Safety
///
/// The pointer is NULL, or points to a size, and to as many bytes.
pub(super) unsafe fn read<O: Options>(given: *const O) -> Result<O> {
    let mut options = O::DEFAULTS;
    if given.is_null() {
        return Ok(options);
    }
    let known = size_of::<O>();
    let bytes = given.cast::<u8>();
    // SAFETY: the caller's promise: each struct begins with its size.
    let size = unsafe { given.cast::<usize>().read() };
    if !is_size::<O>(size) {
        let expected = format!("a struct filled by {}_init", O::NAME);
        return Err(Failure::invalid(&format!("size in {}", O::NAME), size, expected));
    }
    if size > known {
        // SAFETY: the caller's promise.
        let unknown = unsafe { slice::from_raw_parts(bytes.add(known), size - known) };
        if unknown.iter().any(|&byte| byte != 0) {
            let message =
                format!("{} has options that this version does not know: expected 0 there", O::NAME);
            return Err(Failure::argument(message));
        }
    }
    // SAFETY: both have as many bytes, any of which are valid, and do not overlap.
    unsafe { bytes.copy_to_nonoverlapping((&raw mut options).cast(), size.min(known)) };
    Ok(options)
}

/// Writes the defaults, as many as the program knows.
///
/// # Safety
///
/// The pointer is NULL or has room for `size` bytes.
pub(super) unsafe fn write_defaults<O: Options>(options: *mut O, size: usize) -> petteia_status {
    status(|| {
        // SAFETY: only the address is used before the size is known to be right.
        unsafe { exclusive(options.cast::<u8>(), "options") }?;
        if !is_size::<O>(size) {
            let expected = format!("sizeof({}), which is {} in this version", O::NAME, size_of::<O>());
            return Err(Failure::invalid("size", size, expected));
        }
        let defaults = O::DEFAULTS;
        let bytes = options.cast::<u8>();
        // SAFETY: the caller's promise; the first member, the size, is there.
        unsafe {
            bytes.write_bytes(0, size);
            bytes.copy_from_nonoverlapping((&raw const defaults).cast(), size.min(size_of::<O>()));
            bytes.cast::<usize>().write_unaligned(size);
        }
        Ok(())
    })
}

/// Reads a limit of time: 0 is none, one too long for a `Duration` never ends the work, one too short for it is no time
/// at all.
pub(super) fn time_limit(seconds: f64) -> Result<Option<Duration>> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(Failure::invalid("time_limit", seconds, "seconds, 0 or more"));
    }
    Ok((seconds > 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

/// The numbers of `count` games from `first` on.
pub(super) fn numbers(first: u64, count: u64) -> Result<std::ops::Range<u64>> {
    let end = first.checked_add(count);
    let end =
        end.ok_or_else(|| Failure::invalid("range", format!("{first} + {count}"), "a sum below 2^64"))?;
    Ok(first..end)
}

/// The caller's callback during one call.
pub(super) struct Caller {
    callback: petteia_callback,
    user: *mut c_void,
    total: u64,
    began: Instant,
    /// When it was last asked.
    asked: Cell<Instant>,
    stopped: Cell<bool>,
}

// SAFETY: the core calls its watchers, which alone use this, on the thread that made the call.
unsafe impl Sync for Caller {}

impl Caller {
    /// The least time between two calls. It is somewhat less than that between two looks at the time, so that none of
    /// them just misses it.
    const PAUSE: Duration = Duration::from_millis(BEAT.as_millis() as u64 - 1);

    pub(super) fn new(callback: petteia_callback, user: *mut c_void, total: u64) -> Self {
        let began = Instant::now();
        Caller { callback, user, total, began, asked: Cell::new(began), stopped: Cell::new(false) }
    }

    /// Tells how much is done, and asks whether to go on.
    pub(super) fn count(&self, done: u64) -> ControlFlow<()> {
        self.ask(petteia_progress { done, ..petteia_progress::default() })
    }

    /// Tells the progress of a search, and asks whether to go on.
    pub(super) fn search(&self, news: &Progress) -> ControlFlow<()> {
        let Progress { nodes, lower, upper, .. } = *news;
        self.ask(petteia_progress { done: nodes, nodes, lower, upper, ..petteia_progress::default() })
    }

    fn ask(&self, news: petteia_progress) -> ControlFlow<()> {
        let Some(callback) = self.callback else { return ControlFlow::Continue(()) };
        // Work may consist of several pieces: having ended one, the caller is not asked about the next.
        if !self.stopped.get() && self.asked.get().elapsed() >= Self::PAUSE {
            let seconds = self.began.elapsed().as_secs_f64();
            let news = petteia_progress { total: self.total, seconds, ..news };
            // SAFETY: the caller promised that the function can be called with its pointer.
            self.stopped.set(shortage::aside(|| unsafe { callback(&raw const news, self.user) }));
            self.asked.set(Instant::now());
        }
        if self.stopped.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Fails if the caller has stopped the call.
    pub(super) fn check(&self) -> Result<()> {
        if self.stopped.get() { Err(stopped()) } else { Ok(()) }
    }
}

/// Describes a call that the caller has stopped.
pub(super) fn stopped() -> Failure {
    Failure::new(petteia_status::PETTEIA_STOPPED, "the callback stopped the call")
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// The options of a version of the library, and of the one after it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Old {
        size: usize,
        depth: u64,
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct New {
        old: Old,
        threads: u64,
    }

    // SAFETY: numbers without padding, and the first is the size.
    unsafe impl Options for Old {
        const NAME: &'static str = "test_options";
        const DEFAULTS: Self = Old { size: size_of::<Old>(), depth: 5 };
    }

    // SAFETY: as above.
    unsafe impl Options for New {
        const NAME: &'static str = "test_options";
        const DEFAULTS: Self = New { old: Old { size: size_of::<New>(), depth: 5 }, threads: 3 };
        const EARLIER: &'static [usize] = &[offset_of!(New, threads)];
    }

    #[test]
    fn options_of_older_and_newer_programs_are_read() {
        let mut old = Old { size: 0, depth: 0 };
        let mut new = New { old, threads: 0 };
        // SAFETY: all pointers are to whole structs, or the size says how much of them there is.
        unsafe {
            // An old program with a new library.
            assert_eq!(
                write_defaults((&raw mut old).cast::<New>(), size_of::<Old>()),
                petteia_status::PETTEIA_OK
            );
            assert_eq!(old, Old::DEFAULTS);
            old.depth = 9;
            let read_new = read((&raw const old).cast::<New>()).expect("fewer options");
            assert_eq!((read_new.old.depth, read_new.threads), (9, 3));
            // A new program with an old library.
            assert_eq!(
                write_defaults((&raw mut new).cast::<Old>(), size_of::<New>()),
                petteia_status::PETTEIA_OK
            );
            assert_eq!(new, New { old: Old { size: size_of::<New>(), depth: 5 }, threads: 0 });
            new.old.depth = 8;
            assert_eq!(read((&raw const new).cast::<Old>()).expect("more options").depth, 8);
            new.threads = 2;
            let failure = read((&raw const new).cast::<Old>()).expect_err("an unknown option");
            let expected = "test_options has options that this version does not know: expected 0 there";
            assert_eq!(failure.message(), expected);
            // Sizes that nobody has written.
            for size in [0, 1, 7, 8, 12, 17, LARGEST + 8, usize::MAX, usize::MAX - 7] {
                old.size = size;
                let failure = read(&raw const old).expect_err("a wrong size");
                assert!(failure.message().starts_with(&format!("invalid size in test_options {size}: ")));
                let refused = write_defaults(&raw mut old, size);
                assert_eq!(refused, petteia_status::PETTEIA_INVALID_ARGUMENT);
                assert_eq!(old, Old { size, depth: 9 });
                // A struct that has grown takes its earlier sizes, and none between.
                let mut grown = New { old: Old { size, depth: 9 }, threads: 4 };
                let failure = read(&raw const grown).expect_err("a wrong size");
                assert!(failure.message().ends_with(": expected a struct filled by test_options_init"));
                let refused = write_defaults(&raw mut grown, size);
                assert_eq!(refused, petteia_status::PETTEIA_INVALID_ARGUMENT);
                assert_eq!(grown.threads, 4);
            }
        }
    }
}
