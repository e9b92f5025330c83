//! Records: played games as one line of text.

use std::ffi::c_char;

use super::guard::{Failure, Out, OutArray, OutText, Result, array, shared, status, text};
use super::moves::action_of;
use super::position::petteia_position;
use super::status::petteia_status;
use crate::any::AnyPosition;
use crate::{IllegalMove, Position, Record, with_position};

/// Makes the position that a record starts from, which the caller frees with petteia_position_free.
///
/// A record is the game, its parameters, a colon and the moves, with single spaces: "reversi 8 8: d4 e4 e5 d5 e3". The
/// whole of it is checked here as in the two functions below: PETTEIA_PARSE_ERROR for a text that is no record,
/// PETTEIA_ILLEGAL_MOVE for a move against the rules; the last error's text names the ply.
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
        // SAFETY: the caller keeps the header's rules.
        let (line, start) = unsafe { (text(line, "line")?, Out::new(start)?) };
        let first = with_position!(&game_of(line)?, p => ends(p, line)?.0.into());
        start.hand_over(petteia_position(first));
        Ok(())
    })
}

/// Makes the position after the last move of a record, which the caller frees with petteia_position_free.
///
/// # Safety
///
/// `line` is NULL or a C string, `last` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_record_last(
    line: *const c_char,
    last: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller keeps the header's rules.
        let (line, place) = unsafe { (text(line, "line")?, Out::new(last)?) };
        let last = with_position!(&game_of(line)?, p => ends(p, line)?.1.into());
        place.hand_over(petteia_position(last));
        Ok(())
    })
}

/// Writes the actions of the moves of a record.
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
        // SAFETY: the caller keeps the header's rules.
        let (line, actions) = unsafe { (text(line, "line")?, OutArray::new(actions, cap, len)?) };
        with_position!(&game_of(line)?, p => {
            let record = parse_like(p, line)?;
            // A move that was played always has an action.
            actions.write(record.moves().iter().map(|&m| action_of(record.start(), m).unwrap_or_default()));
        });
        Ok(())
    })
}

/// Returns some position of the game that a record is of, for its type.
fn game_of(line: &str) -> Result<AnyPosition> {
    let name = line.split([' ', ':']).next().unwrap_or_default();
    Ok(AnyPosition::default_start(name.parse()?))
}

/// Returns the first and the last position of a record.
fn ends<P: Position>(like: &P, line: &str) -> Result<(P, P)> {
    let record = parse_like(like, line)?;
    Ok((record.start().clone(), record.last().clone()))
}

/// Reads a record of the game that a position is of.
fn parse_like<P: Position>(_: &P, line: &str) -> Result<Record<P>> {
    Ok(line.parse()?)
}

/// Writes the record of a game: the moves with the given actions, played from the position that a game starts from.
///
/// PETTEIA_INVALID_ARGUMENT if `start` is not such a position, PETTEIA_ILLEGAL_MOVE if a move is against the rules; the last
/// error's text names the ply. `actions` may be NULL when `count` is 0.
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
        // SAFETY: the caller keeps the header's rules.
        let (start, actions, out) = unsafe {
            (shared(start, "start")?, array(actions, count, "actions")?, OutText::new(buf, cap, len)?)
        };
        with_position!(&start.0, start => out.write(&format_record(start, actions)?));
        Ok(())
    })
}

fn format_record<P: Position>(start: &P, actions: &[u32]) -> Result<String> {
    if P::from_parameters(&start.parameters())? != *start {
        let message =
            format!("invalid start {:?}: expected the position before the first move", start.text());
        return Err(Failure::argument(message));
    }
    let mut record = Record::new(start.clone());
    for &action in actions {
        let Some(m) = start.move_of(action as usize) else {
            let error = IllegalMove::new(record.last(), &format!("action {action}"));
            return Err(error.at_ply(record.moves().len() + 1).into());
        };
        record.play(m)?;
    }
    Ok(record.to_string())
}
