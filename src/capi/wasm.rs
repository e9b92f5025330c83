//! What the module for WebAssembly has besides functions of `petteia.h`: python/petteia/web/static/petteia.js calls it.
//!
//! The host lends the module a clock, hears the message of a panic, after which the module ends, and is asked by long
//! calls whether to go on: functions of the host cannot be passed as pointers.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_char, c_void};
use std::panic;
use std::ptr::null_mut;

use super::guard::{Failure, array, status};
use super::options::petteia_progress;
use super::position::{petteia_position, tell};
use super::status::petteia_status;
use crate::prelude::*;
use crate::reversi::load_weights;
use crate::svg::{Marks, Theme};
use crate::time::set_clock;
use crate::with_position;

#[link(wasm_import_module = "petteia")]
unsafe extern "C" {
    /// Returns the milliseconds since any point in time.
    safe fn now() -> f64;

    /// Hears the message of a panic, which is valid during the call.
    fn panicked(message: *const u8, length: usize);

    /// Hears of the progress of a long call, and returns whether to stop it.
    fn progressed(progress: *const petteia_progress, user: *mut c_void) -> bool;
}

/// Prepares a new instance of the module: to be called first.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_wasm_start() {
    set_clock(|| now());
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text =
            text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let message = format!("{text}{}", place.unwrap_or_default());
        // SAFETY: the message lives as long as the call.
        unsafe { panicked(message.as_ptr(), message.len()) }
    }));
}

unsafe extern "C" fn progress(progress: *const petteia_progress, user: *mut c_void) -> bool {
    // SAFETY: the host reads the progress during the call, and takes `user` for a number.
    unsafe { progressed(progress, user) }
}

/// Returns the callback for the options of long calls: it asks the host.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_wasm_callback()
-> unsafe extern "C" fn(progress: *const petteia_progress, user: *mut c_void) -> bool {
    progress
}

/// Returns so many bytes of memory, aligned for any type, or NULL if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_wasm_take(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes.max(1), ALIGNMENT) {
        // SAFETY: the size is not 0.
        Ok(layout) => unsafe { alloc(layout) },
        Err(_) => null_mut(),
    }
}

/// Gives back what [`petteia_wasm_take`] returned for so many bytes; NULL is ignored.
///
/// # Safety
///
/// It is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_wasm_give_back(memory: *mut u8, bytes: usize) {
    if let (false, Ok(layout)) = (memory.is_null(), Layout::from_size_align(bytes.max(1), ALIGNMENT)) {
        // SAFETY: the caller's promise.
        unsafe { dealloc(memory, layout) }
    }
}

const ALIGNMENT: usize = 16;

/// Takes the weights of the evaluation of 8 by 8 Reversi, from the file beside the module. They are needed before a
/// search or an estimate of a position on such a board.
///
/// Fails with PETTEIA_INVALID_ARGUMENT if it is not that file.
///
/// # Safety
///
/// `bytes` has so many elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_weights_load(bytes: *const u8, length: usize) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { array(bytes, length, "bytes") }?;
        load_weights(bytes).map_err(Failure::argument)
    })
}

/// Draws a position as petteia_position_svg does, with marks: `last` is the action of the last move, or -1; the theme is
/// 0 for the system's preference, 1 for light, 2 for dark.
///
/// # Safety
///
/// As for petteia_position_svg.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_wasm_svg(
    position: *const petteia_position,
    last: i32,
    legal: bool,
    theme: u32,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let theme = match theme {
            0 => Theme::Auto,
            1 => Theme::Light,
            2 => Theme::Dark,
            _ => return Err(Failure::invalid("theme", theme, "0, 1 or 2")),
        };
        let last = usize::try_from(last).ok();
        Ok(with_position!(&position.0, p => {
            p.svg(&Marks { last: last.and_then(|action| p.move_of(action)), legal, theme })
        }))
    };
    // SAFETY: the caller's promise.
    unsafe { tell(position, (buf, cap, len), answer) }
}
