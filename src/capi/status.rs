//! Status codes, the last error, the version, and the error handler of `breakdown.h`.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::sync::{PoisonError, RwLock};

use super::clib::Stream;
use super::guard::{Failure, OutText, guard, last_error};

/// How a call went. Every function that can fail returns one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum petteia_status {
    /// It went well.
    PETTEIA_OK = 0,
    /// A pointer is NULL that must not be.
    PETTEIA_NULL_POINTER = 1,
    /// A number is out of range, an enum has a value that it does not have, or there is no memory for a board.
    PETTEIA_INVALID_ARGUMENT = 2,
    /// A text is not UTF-8.
    PETTEIA_NOT_UTF8 = 3,
    /// A text does not follow its format.
    PETTEIA_PARSE_ERROR = 4,
    /// A move is against the rules; the position is as it was.
    PETTEIA_ILLEGAL_MOVE = 5,
    /// A function of one game was given a position of another.
    PETTEIA_WRONG_GAME = 6,
    /// A piece is used already, a square is empty or is not, or there is nothing left to choose from.
    PETTEIA_UNAVAILABLE = 7,
    /// A bug in petteia, caught at the border; the arguments of the call should not be used any more.
    PETTEIA_PANIC = 8,
    /// Whoever was asked wanted a call to stop.
    PETTEIA_STOPPED = 9,
}

/// A status as C sends it: any number.
pub type RawStatus = c_uint;

/// Returns a short text for a status: a constant that lives as long as the program, "unknown status" for a number that
/// is none.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_status_message(status: RawStatus) -> *const c_char {
    const MESSAGES: [&CStr; 10] = [
        c"ok",
        c"a pointer is NULL",
        c"an argument is out of range",
        c"a text is not UTF-8",
        c"a text does not follow its format",
        c"a move is against the rules",
        c"the position is of another game",
        c"the piece or square is not available",
        c"a bug in petteia",
        c"stopped as asked for",
    ];
    MESSAGES.get(status as usize).unwrap_or(&c"unknown status").as_ptr()
}

/// Writes the full text of the last error in the calling thread: what was wrong, with the offending text quoted, and what
/// was expected.
///
/// It is that of the last call that failed, whatever succeeded since, and empty before the first. This function alone
/// leaves it as it is, also when it fails.
///
/// # Safety
///
/// As the header says: `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_last_error(buf: *mut c_char, cap: usize, len: *mut usize) -> petteia_status {
    let failed = |failure: Failure| failure.status();
    guard(failed, || {
        // SAFETY: the caller keeps the header's rules.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(&last_error());
        Ok(petteia_status::PETTEIA_OK)
    })
}

/// Returns the version of the library that the program runs with, such as "1.2.3": a constant that lives as long as the
/// program. PETTEIA_VERSION is the version it was compiled with.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// What breakdown.h calls with an error: a text that is only valid during the call, and the pointer it was set with.
pub type petteia_error_handler = Option<unsafe extern "C" fn(message: *const c_char, user: *mut c_void)>;

/// Sets what the functions of breakdown.h do about an error, for the whole process.
///
/// They have no status to return. Without a handler they write a message to stderr and call exit(1). With one they call
/// it with the message and `user`, and when it has returned they return NULL, 0, EMPTY or IN_PROGRESS, with nothing
/// changed. The handler must return (no longjmp, no exception), may be called from any thread that uses breakdown.h, and
/// may itself use the library. `user` is handed through as it is. A NULL handler restores exit(1).
///
/// # Safety
///
/// The handler stays callable, with `user`, from every thread that uses breakdown.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_set_error_handler(handler: petteia_error_handler, user: *mut c_void) {
    let set = || {
        let handler = handler.map(|function| Handler { function, user });
        *HANDLER.write().unwrap_or_else(PoisonError::into_inner) = handler;
        Ok(())
    };
    guard(|_| (), set);
}

#[derive(Clone, Copy)]
struct Handler {
    function: unsafe extern "C" fn(*const c_char, *mut c_void),
    user: *mut c_void,
}

// SAFETY: whoever set the handler promised that it can be called from every thread.
unsafe impl Send for Handler {}
// SAFETY: as above.
unsafe impl Sync for Handler {}

static HANDLER: RwLock<Option<Handler>> = RwLock::new(None);

/// Reports an error of a `breakdown.h` function: to the handler if there is one, else to stderr, which is the end.
#[cold]
pub(super) fn report(function: &str, failure: &Failure) {
    let message = format!("{function}: {}", failure.message());
    // Copied out, so that the handler may call what it likes.
    let handler = *HANDLER.read().unwrap_or_else(PoisonError::into_inner);
    match handler {
        Some(handler) => {
            let message = CString::new(message).unwrap_or_default();
            // SAFETY: whoever set the handler promised that it can be called.
            unsafe { (handler.function)(message.as_ptr(), handler.user) }
        }
        None => {
            Stream::Stderr.write(&format!("{message}\n"));
            std::process::exit(1);
        }
    }
}
