//! Records: games as one line of text.

use std::ffi::c_char;

use super::guard::{Out, OutArray, OutText, Result, array, shared, status, text};
use super::moves::action_of;
use super::position::petteia_position;
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::error::text_of;
use crate::prelude::*;
use crate::{IllegalMove, Record, read_headers, with_game, with_position};

/// Creates the position that a record starts from. The caller frees it with petteia_position_free.
///
/// This and the next two functions check the whole record. They fail with PETTEIA_PARSE_ERROR if the text is not a
/// record, PETTEIA_ILLEGAL_MOVE if a move is illegal, PETTEIA_NO_MEMORY if there is not enough memory for the board.
/// petteia_last_error names the ply of a bad move.
///
/// # Safety
///
/// `line` is NULL or a C string, `start` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_record_start(
    line: *const c_char,
    start: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (line, start) = unsafe { (text(line, "line")?, Out::new(start, "start")?) };
        let (first, _) = with_game!(game_of(line)?, G => ends::<G>(line))?;
        start.hand_over(petteia_position(first));
        Ok(())
    })
}

/// Creates the position after the last move of a record. The caller frees it with petteia_position_free. Fails like
/// petteia_record_start.
///
/// # Safety
///
/// `line` is NULL or a C string, `last` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_record_last(
    line: *const c_char,
    last: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (line, place) = unsafe { (text(line, "line")?, Out::new(last, "last")?) };
        let (_, last) = with_game!(game_of(line)?, G => ends::<G>(line))?;
        place.hand_over(petteia_position(last));
        Ok(())
    })
}

/// Writes the actions of a record's moves. Fails like petteia_record_start.
///
/// # Safety
///
/// `line` is NULL or a C string; `actions` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_record_actions(
    line: *const c_char,
    actions: *mut u32,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (line, actions) = unsafe { (text(line, "line")?, OutArray::new(actions, cap, len, "actions")?) };
        with_game!(game_of(line)?, G => {
            let record: Record<G> = line.parse()?;
            actions.write(record.moves().iter().map(|m| action_of(record.start(), m)));
        });
        Ok(())
    })
}

/// Returns the game of a record.
fn game_of(line: &str) -> Result<Game> {
    let (_, name, _) = read_headers(line)?;
    Ok(name.parse()?)
}

/// Returns the first and last position of a record.
fn ends<P: Declared + Into<AnyPosition>>(line: &str) -> Result<(AnyPosition, AnyPosition)> {
    let record: Record<P> = line.parse()?;
    Ok((record.start().clone().into(), record.last().clone().into()))
}

/// Writes the record of a game: `count` actions, played from `start`, which may be any position. `actions` may be NULL
/// if `count` is 0.
///
/// Fails with PETTEIA_ILLEGAL_MOVE if a move is illegal; petteia_last_error then names the ply.
///
/// # Safety
///
/// `start` is NULL or a position, `actions` has `count` elements; `buf` has room for `cap` bytes, `len` is valid for
/// writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_record_format(
    start: *const petteia_position,
    actions: *const u32,
    count: usize,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (start, actions, out) = unsafe {
            (shared(start, "start")?, array(actions, count, "actions")?, OutText::new(buf, cap, len)?)
        };
        with_position!(&start.0, start => out.write(&format_record(start, actions)?));
        Ok(())
    })
}

fn format_record<P: Actions + Declared>(start: &P, actions: &[u32]) -> Result<String> {
    let mut record = Record::new(start.clone());
    for &action in actions {
        let Some(m) = start.move_of(action as usize) else {
            let error = IllegalMove::new(record.last(), &format!("action {action}"));
            return Err(error.at_ply(record.moves().len() + 1).into());
        };
        record.play(m)?;
    }
    Ok(text_of(&record))
}
