//! The few things of the C library that the C face shares with the program around it: memory, and standard streams.
//!
//! They are declared by hand, which is less than a dependency. What C allocates C may free, and what board_show writes
//! must pass through the same buffer as the program's own `printf`, so Rust's allocator and streams will not do.

use std::ffi::c_void;

/// C's `FILE`, of which only pointers are known here.
#[repr(C)]
struct FILE {
    _opaque: [u8; 0],
}

// SAFETY: these are the C library's own declarations. In some of them `stdout` and `stderr` are macros over other
// names.
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
    /// Writes a text where `printf` would write it next. As most programs do with `printf`, it ignores failures.
    pub(super) fn write(self, text: &str) {
        // SAFETY: reading which stream it is now (a program may assign these variables) and writing valid bytes to it,
        // which the C library locks against other threads.
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

/// Returns zeroed memory for `count` elements from C's `calloc`, or `None` if there is none.
pub(super) fn zeroed<T>(count: usize) -> Option<*mut T> {
    // SAFETY: any numbers are fine: calloc checks their product.
    let memory = unsafe { calloc(count, size_of::<T>()) };
    (!memory.is_null()).then_some(memory.cast())
}

/// Gives memory back to C's `free`; NULL is fine.
///
/// # Safety
///
/// The memory came from C's allocator and is not used any more.
pub(super) unsafe fn release<T>(memory: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { free(memory.cast()) }
}
