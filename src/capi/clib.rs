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

/// Keeps the library in memory once it is loaded, whatever `dlclose` says.
///
/// Rust's standard library leaves a key for thread-local memory behind in the process whenever the library is unloaded,
/// of which a process has about a thousand; and threads may still be within code of the library. The installed library
/// has a mark for it from the linker (`-z nodelete`), a plain cargo build, such as the one in the wheel, does it here.
#[cfg(all(
    not(feature = "members"),
    any(target_os = "linux", target_os = "freebsd", target_vendor = "apple")
))]
mod stay {
    use std::ffi::{c_char, c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr;

    /// C's `Dl_info`.
    #[repr(C)]
    struct DlInfo {
        file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }

    // SAFETY: these match the C library's declarations.
    unsafe extern "C" {
        fn dladdr(address: *const c_void, info: *mut DlInfo) -> c_int;
        fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    }

    const RTLD_LAZY: c_int = 1;
    /// Loads nothing: in a program that the library is a part of, nothing happens.
    const RTLD_NOLOAD: c_int = if cfg!(target_vendor = "apple") {
        0x10
    } else if cfg!(target_os = "freebsd") {
        0x2000
    } else if cfg!(any(target_arch = "mips", target_arch = "mips64")) {
        8
    } else {
        4
    };
    const RTLD_NODELETE: c_int = if cfg!(target_vendor = "apple") { 0x80 } else { 0x1000 };

    /// Called when the library is loaded.
    // SAFETY: the section is the one for pointers to functions that take nothing they need.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    static AT_LOAD: extern "C" fn() = stay;

    extern "C" fn stay() {
        let mut info = MaybeUninit::<DlInfo>::uninit();
        let here = ptr::from_ref(&AT_LOAD).cast();
        // SAFETY: the address is in this library, and `info` is written if the result is not 0. Its file is a text that
        // lives as long as the library. Opening a loaded library again from within its own start is allowed; the handle
        // is kept for ever.
        unsafe {
            if dladdr(here, info.as_mut_ptr()) != 0 {
                dlopen((*info.as_ptr()).file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
            }
        }
    }
}
