//! What the module for WebAssembly has besides functions of `petteia.h`: python/petteia/web/static/petteia.js calls it.
//!
//! The host lends the module a clock, hears the message of a panic, after which the module ends, and is asked by long
//! calls whether to go on: functions of the host cannot be passed as pointers.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_char, c_void};
use std::panic;
use std::ptr::null_mut;

use super::guard::{Failure, OutArray, OutText, array, shared, status};
use super::options::petteia_progress;
use super::position::{petteia_position, tell};
use super::status::petteia_status;
use crate::any::Game;
use crate::prelude::*;
use crate::reversi::load_weights;
use crate::svg::{Marks, Theme};
use crate::time::set_clock;
use crate::{Parameter, Preset, Values, with_position};

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

/// Writes the indices of the cells that have won, row by row from 0, in games that are won by cells; else there are
/// none. Buffers are as for petteia_position_legal_actions.
///
/// # Safety
///
/// As for petteia_position_legal_actions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_wasm_winning(
    position: *const petteia_position,
    cells: *mut u32,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let (position, cells) =
            unsafe { (shared(position, "position")?, OutArray::new(cells, cap, len, "cells")?) };
        let winning = with_position!(&position.0, p => p.winning());
        cells.write(winning.into_iter().map(|cell| cell as u32));
        Ok(())
    })
}

/// Writes the declarations of all games, as JSON.
///
/// # Safety
///
/// Buffers are as for petteia_position_text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_wasm_games(buf: *mut c_char, cap: usize, len: *mut usize) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(&list(Game::ALL, |game| {
            let parameters = game.parameters();
            format!(
                r#"{{"name":{:?},"title":{:?},"about":{:?},"skips":{},"parameters":{},"presets":{}}}"#,
                game.name(),
                game.title(),
                game.about(),
                game.skips(),
                list(parameters, describe),
                list(game.presets(), |preset| settings(preset, parameters)),
            )
        }));
        Ok(())
    })
}

fn list<T>(items: &[T], text: impl FnMut(&T) -> String) -> String {
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(","))
}

// The declarations are plain words, whose Debug form is that of JSON.

fn describe(parameter: &Parameter) -> String {
    let values = match parameter.values {
        Values::Numbers { least, most } => format!(r#""least":{least},"most":{most}"#),
        Values::Words(words) => format!(r#""words":{words:?}"#),
    };
    let default = value(parameter, parameter.default);
    format!(r#"{{"name":{:?},"about":{:?},"default":{default},{values}}}"#, parameter.name, parameter.about)
}

fn settings(preset: &Preset, parameters: &[Parameter]) -> String {
    let pairs: Vec<_> = parameters.iter().zip(preset.values).collect();
    let pairs =
        list(&pairs, |(parameter, number)| format!("{:?}:{}", parameter.name, value(parameter, **number)));
    format!(r#"{{"name":{:?},"parameters":{{{}}}}}"#, preset.name, &pairs[1..pairs.len() - 1])
}

fn value(parameter: &Parameter, number: u32) -> String {
    let text = parameter.write(number);
    if matches!(parameter.values, Values::Words(_)) { format!("{text:?}") } else { text }
}
