//! Moves: actions and notation, play, texts and pictures, counting and random games.

use std::ffi::{c_char, c_void};
use std::ops::ControlFlow;

use super::guard::{Failure, Out, OutArray, exclusive, shared, status, text};
use super::position::{ask, petteia_position, petteia_tally, tell};
use super::status::petteia_status;
use crate::prelude::*;
use crate::svg::Marks;
use crate::{IllegalMove, OnCpu, PerftError, PerftOptions, perft_with, with_position};

/// Returns the action of a legal move as a C integer. No board is so wide that it would not fit.
#[inline]
pub(super) fn action_of<P: Actions>(position: &P, m: &P::Move) -> u32 {
    position.action_of_legal(m) as u32
}

/// Writes the number of actions in a position's game. Every action is below it.
///
/// # Safety
///
/// `position` is NULL or a position, `num_actions` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_num_actions(
    position: *const petteia_position,
    num_actions: *mut u32,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.num_actions()) as u32);
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, num_actions, answer) }
}

/// Writes the actions of the legal moves in increasing order. There are none if and only if the game is over.
///
/// # Safety
///
/// `position` is NULL or a position; `actions` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_legal_actions(
    position: *const petteia_position,
    actions: *mut u32,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, actions) =
            unsafe { (shared(position, "position")?, OutArray::new(actions, cap, len)?) };
        with_position!(&position.0, p => actions.write(p.moves().map(|m| action_of(p, &m))));
        Ok(())
    })
}

/// Plays the move with an action. Fails with PETTEIA_ILLEGAL_MOVE if it is not legal; the position is then unchanged.
///
/// # Safety
///
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_play(
    position: *mut petteia_position,
    action: u32,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { exclusive(position, "position") }?;
        with_position!(&mut position.0, p => match p.move_of(action as usize) {
            Some(m) => p.play(m)?,
            None => return Err(IllegalMove::new(p, &format!("action {action}")).into()),
        });
        Ok(())
    })
}

/// Plays the move with a notation, such as "d3". Fails with PETTEIA_PARSE_ERROR if the text is not a move,
/// PETTEIA_ILLEGAL_MOVE if the move is not legal; the position is then unchanged.
///
/// # Safety
///
/// `position` is NULL or a position, `notation` is NULL or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_play_notation(
    position: *mut petteia_position,
    notation: *const c_char,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, notation) = unsafe { (exclusive(position, "position")?, text(notation, "notation")?) };
        with_position!(&mut position.0, p => p.play(notation.parse()?)?);
        Ok(())
    })
}

/// Writes the action of the move with a notation, legal or not. Fails with PETTEIA_PARSE_ERROR if the text is not a
/// move, PETTEIA_ILLEGAL_MOVE if the board is too small for it.
///
/// # Safety
///
/// `position` is NULL or a position, `notation` is NULL or a C string, `action` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_action(
    position: *const petteia_position,
    notation: *const c_char,
    action: *mut u32,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller upholds the header's contract.
        let notation = unsafe { text(notation, "notation") }?;
        with_position!(&position.0, p => {
            let m = notation.parse()?;
            let action = p.action(&m).ok_or_else(|| IllegalMove::new(p, &m))?;
            Ok(action as u32)
        })
    };
    // SAFETY: as above.
    unsafe { ask(position, action, answer) }
}

/// Writes the notation of the move with an action, legal or not. Fails with PETTEIA_INVALID_ARGUMENT if the game has
/// no such action.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_notation(
    position: *const petteia_position,
    action: u32,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        with_position!(&position.0, p => match p.move_of(action as usize) {
            Some(m) => Ok(m.to_string()),
            None => Err(Failure::invalid("action", action, format!("a number below {}", p.num_actions()))),
        })
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes a position as one line of text, which petteia_position_parse reads back.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_text(
    position: *const petteia_position,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let mut text = String::new();
        with_position!(&position.0, p => p.push_text(&mut text));
        Ok(text)
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes the board as the game's document draws it. Every line ends with a newline.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_drawing(
    position: *const petteia_position,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.drawing()));
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes a picture of a position: one SVG element, for a file or a web page.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_svg(
    position: *const petteia_position,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.svg(&Marks::default())));
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Creates the canonical form of a position, the same for all positions that are equal up to symmetry, such as mirror
/// images. It may differ between versions of the library. The caller frees it with petteia_position_free.
///
/// # Safety
///
/// `position` is NULL or a position, `canonical` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_canonical(
    position: *const petteia_position,
    canonical: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, canonical) = unsafe { (shared(position, "position")?, Out::new(canonical)?) };
        canonical.hand_over(petteia_position(with_position!(&position.0, p => p.canonical().into())));
        Ok(())
    })
}

/// Counts the sequences of exactly `depth` legal moves from a position. This can take a long time;
/// petteia_position_perft_with can be stopped.
///
/// # Safety
///
/// `position` is NULL or a position, `count` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_perft(
    position: *const petteia_position,
    depth: u32,
    count: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.perft(depth)));
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, count, answer) }
}

/// A callback that stops a long call by returning true. It is called about every 10 milliseconds, on the thread that
/// made the call, with the `user` pointer given there. It must return (no longjmp, no exception).
pub type petteia_cancel = Option<unsafe extern "C" fn(user: *mut c_void) -> bool>;

/// Counts like petteia_position_perft, on `threads` threads (0 means 1, more than 256 means 256) and with a
/// transposition table of about `table_bytes` bytes (0 for none). With a table, positions that are reached in several
/// ways or are equal up to symmetry are counted once.
///
/// `cancel` may be NULL. Fails with PETTEIA_STOPPED if it returned true, PETTEIA_NO_MEMORY if there is not enough
/// memory for the table, PETTEIA_INVALID_ARGUMENT if the count does not fit in 64 bits.
///
/// # Safety
///
/// `position` is NULL or a position, `cancel` is NULL or may be called with `user`, `count` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_perft_with(
    position: *const petteia_position,
    depth: u32,
    threads: u32,
    table_bytes: usize,
    cancel: petteia_cancel,
    user: *mut c_void,
    count: *mut u64,
) -> petteia_status {
    let canceller = Canceller { cancel, user };
    let ask_caller = || canceller.watch();
    let options = PerftOptions {
        threads: threads as usize,
        table_bytes: (table_bytes > 0).then_some(table_bytes),
        watch: Some(&ask_caller),
    };
    let answer = |position: &petteia_position| {
        let counted = with_position!(&position.0, p => perft_with(p, depth, &options));
        counted.map_err(|error| match error {
            PerftError::Stopped => Failure::new(petteia_status::PETTEIA_STOPPED, error),
            PerftError::Memory(error) => error.into(),
            PerftError::TooMany => Failure::argument(error),
        })
    };
    // SAFETY: as above.
    unsafe { ask(position, count, answer) }
}

/// A caller's callback and its `user` pointer, which is only handed back to the caller, on the thread that it came from.
pub(super) struct Canceller {
    pub(super) cancel: petteia_cancel,
    pub(super) user: *mut c_void,
}

// SAFETY: the pointer is only handed back, on its own thread.
unsafe impl Sync for Canceller {}

impl Canceller {
    /// Asks the caller whether to go on.
    pub(super) fn watch(&self) -> ControlFlow<()> {
        // SAFETY: the caller upholds the header's contract; the core calls this on the caller's thread only.
        let stop = self.cancel.is_some_and(|cancel| unsafe { cancel(self.user) });
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Plays random games from a position to their ends, and counts the results.
///
/// The games of a seed are numbered, and each is the same on every machine. This plays the games `first` to
/// `first + games - 1`, so threads can divide a range and add up their tallies. Fails with PETTEIA_INVALID_ARGUMENT if
/// `first + games` is above 2^64 - 1.
///
/// # Safety
///
/// `position` is NULL or a position, `tally` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_playouts(
    position: *const petteia_position,
    first: u64,
    games: u64,
    seed: u64,
    tally: *mut petteia_tally,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let end = first.checked_add(games);
        let end =
            end.ok_or_else(|| Failure::invalid("range", format!("{first} + {games}"), "a sum below 2^64"))?;
        Ok(with_position!(&position.0, p => p.playouts(first..end, seed)).into())
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, tally, answer) }
}
