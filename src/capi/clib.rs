//! The parts of the C library that are shared with the calling program: memory and the standard streams.
//!
//! Rust's allocator and streams will not do: boards are documented to come from `calloc`, and board_show must write
//! through the same buffer as the program's own `printf`. Declaring the few functions by hand saves a dependency.

use std::ffi::c_void;

/// C's `FILE`, used only behind pointers.
#[repr(C)]
struct FILE {
    _opaque: [u8; 0],
}

// SAFETY: these match the C library's declarations. On some systems `stdout` and `stderr` are macros for other names.
unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn fwrite(data: *const c_void, size: usize, count: usize, stream: *mut FILE) -> usize;

    #[cfg(not(windows))]
    #[cfg_attr(any(target_vendor = "apple", target_os = "freebsd"), link_name = "__stdoutp")]
    static stdout: *mut FILE;
    #[cfg(not(windows))]
    #[cfg_attr(any(target_vendor = "apple", target_os = "freebsd"), link_name = "__stderrp")]
    static stderr: *mut FILE;
    #[cfg(windows)]
    fn __acrt_iob_func(index: std::ffi::c_uint) -> *mut FILE;
}

/// A standard stream of the C library.
#[derive(Clone, Copy)]
pub(super) enum Stream {
    Stdout = 1,
    Stderr = 2,
}

impl Stream {
    /// Writes a text as `printf` would, in order with the program's own output. Failures are ignored.
    pub(super) fn write(self, text: &str) {
        // SAFETY: the variable is read anew each time, since a program may assign it; the bytes are valid, and the C
        // library locks the stream.
        unsafe {
            #[cfg(windows)]
            let stream = __acrt_iob_func(self as std::ffi::c_uint);
            #[cfg(not(windows))]
            let stream = match self {
                Stream::Stdout => stdout,
                Stream::Stderr => stderr,
            };
            fwrite(text.as_ptr().cast(), 1, text.len(), stream);
        }
    }
}

/// Returns zeroed memory for `count` elements from C's `calloc`, or `None` if it fails.
pub(super) fn zeroed<T>(count: usize) -> Option<*mut T> {
    // SAFETY: any numbers are allowed: calloc checks their product.
    let memory = unsafe { calloc(count, size_of::<T>()) };
    (!memory.is_null()).then_some(memory.cast())
}

/// Frees memory with C's `free`; NULL is ignored.
///
/// # Safety
///
/// The memory came from C's allocator and is no longer used.
pub(super) unsafe fn release<T>(memory: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { free(memory.cast()) }
}
