//! Status codes, the last error, the version, and the error handler of `breakdown.h`.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::sync::{PoisonError, RwLock};

#[cfg(not(target_family = "wasm"))]
use super::clib::Stream;
use super::guard::{Failure, OutText, guard, write_last_error};
#[cfg(not(target_family = "wasm"))]
use crate::shortage;

/// The status of a call. Every function that can fail returns one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum petteia_status {
    /// Success.
    PETTEIA_OK = 0,
    /// A pointer that must not be NULL is NULL.
    PETTEIA_NULL_POINTER = 1,
    /// A number is out of range, or an enum value does not exist.
    PETTEIA_INVALID_ARGUMENT = 2,
    /// A text is not UTF-8.
    PETTEIA_NOT_UTF8 = 3,
    /// A text does not follow its format.
    PETTEIA_PARSE_ERROR = 4,
    /// A move is illegal. The position is unchanged.
    PETTEIA_ILLEGAL_MOVE = 5,
    /// The position is of the wrong game, or has the wrong parameters.
    PETTEIA_WRONG_GAME = 6,
    /// Not available in this position: a piece is already used, a square is empty or occupied, the game is over,
    /// nothing is left to choose from, or the position has no key.
    PETTEIA_UNAVAILABLE = 7,
    /// A bug in petteia. The objects passed to the call can be freed, but should no longer be used.
    PETTEIA_PANIC = 8,
    /// The caller's callback stopped the call.
    PETTEIA_STOPPED = 9,
    /// There is not enough memory. The arguments are unchanged, and can be used.
    PETTEIA_NO_MEMORY = 10,
}

/// A status as C passes it: any number.
pub type RawStatus = c_uint;

/// Returns a short description of a status, or "unknown status" for any other number. The text is static; do not free
/// it.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_status_message(status: RawStatus) -> *const c_char {
    const MESSAGES: [&CStr; 11] = [
        c"ok",
        c"a pointer is NULL",
        c"an argument is out of range",
        c"a text is not UTF-8",
        c"a text does not follow its format",
        c"a move is against the rules",
        c"the position is of the wrong game",
        c"not available in this position",
        c"a bug in petteia",
        c"stopped by the caller",
        c"not enough memory",
    ];
    MESSAGES.get(status as usize).unwrap_or(&c"unknown status").as_ptr()
}

/// Writes a message about the last call that failed in this thread. It quotes the offending argument and says what was
/// expected instead.
///
/// The message is empty before the first failure. Calls that succeed do not change it, nor does this one, even if it
/// fails. It needs no memory. What is longer than 2048 bytes is cut there.
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_last_error(buf: *mut c_char, cap: usize, len: *mut usize) -> petteia_status {
    let failed = |failure: Failure| failure.status();
    guard(failed, || {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        write_last_error(out);
        Ok(petteia_status::PETTEIA_OK)
    })
}

/// Returns the version of the library in use, such as "1.2.3". PETTEIA_VERSION is the version that the program was
/// compiled with. The text is static; do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// A callback for errors in breakdown.h. `message` is valid only during the call; `user` is the pointer given to
/// petteia_set_error_handler.
pub type petteia_error_handler = Option<unsafe extern "C" fn(message: *const c_char, user: *mut c_void)>;

/// Sets the error handler of breakdown.h for the whole process. NULL restores the default.
///
/// The functions of breakdown.h return no status. By default they print errors to stderr and call exit(1). With a
/// handler they call it with the message and `user`, change nothing, and return NULL, 0, EMPTY or IN_PROGRESS.
///
/// The handler must return (no longjmp, no exception). It may be called on any thread that uses breakdown.h, and may
/// itself use the library. `user` is only passed on to it.
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

// SAFETY: the program promised that its handler can be called from every thread.
unsafe impl Send for Handler {}
// SAFETY: as above.
unsafe impl Sync for Handler {}

static HANDLER: RwLock<Option<Handler>> = RwLock::new(None);

/// Reports an error of a `breakdown.h` function: to the handler if there is one, else to stderr, and exits.
#[cfg(not(target_family = "wasm"))]
#[cold]
pub(super) fn report(function: &str, failure: &Failure) {
    let message = format!("{function}: {}", failure.message());
    // Copied, so that the lock is not held while the handler runs, which may set another.
    let handler = *HANDLER.read().unwrap_or_else(PoisonError::into_inner);
    match handler {
        Some(handler) => {
            // A NUL inside the message would truncate it.
            let message = message.replace('\0', "\\0") + "\0";
            // SAFETY: the program promised that its handler can be called, and the message ends with a NUL.
            shortage::aside(|| unsafe { (handler.function)(message.as_ptr().cast(), handler.user) })
        }
        None => {
            Stream::Stderr.write(&format!("{message}\n"));
            std::process::exit(1);
        }
    }
}
