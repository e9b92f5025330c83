//! Moves and what follows from them: actions and notation, play, texts and pictures, counting and random games.

use std::ffi::{c_char, c_void};
use std::ops::ControlFlow;

use super::guard::{Failure, Out, OutArray, exclusive, shared, status, text};
use super::position::{ask, petteia_position, petteia_tally, tell};
use super::status::petteia_status;
use crate::search::perft::{PerftError, PerftOptions, perft_with};
use crate::svg::Marks;
use crate::{IllegalMove, Position, with_position};

/// Returns a move's action as C has it. The largest, of the widest Breakdown board, is far below 2^32.
#[inline]
pub(super) fn action_of<P: Position>(position: &P, m: P::Move) -> Option<u32> {
    position.action(m).map(|action| action as u32)
}

/// Writes how many actions a position's game has: 9 in TicTac, 2 * width + 1 in Breakdown, width * height in Reversi, 32
/// in Quarto. Every move is an action below that number.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, num_actions, answer) }
}

/// Writes the actions of the legal moves in increasing order; there are none exactly when the game is over.
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
        // SAFETY: the caller keeps the header's rules.
        let (position, actions) =
            unsafe { (shared(position, "position")?, OutArray::new(actions, cap, len)?) };
        // A legal move always has an action.
        with_position!(&position.0, p => {
            actions.write(p.moves().map(|m| action_of(p, m).unwrap_or_default()));
        });
        Ok(())
    })
}

/// Plays the move with an action. PETTEIA_ILLEGAL_MOVE for any that is not legal now, with the position as it was.
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
        // SAFETY: the caller keeps the header's rules.
        let position = unsafe { exclusive(position, "position") }?;
        with_position!(&mut position.0, p => match p.move_of(action as usize) {
            Some(m) => p.play(m)?,
            None => return Err(IllegalMove::new(p, &format!("action {action}")).into()),
        });
        Ok(())
    })
}

/// Plays the move with a notation, such as "d3". PETTEIA_PARSE_ERROR for a text that is no move, PETTEIA_ILLEGAL_MOVE for a
/// move that is not legal now, with the position as it was.
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
        // SAFETY: the caller keeps the header's rules.
        let (position, notation) = unsafe { (exclusive(position, "position")?, text(notation, "notation")?) };
        with_position!(&mut position.0, p => p.play(notation.parse()?)?);
        Ok(())
    })
}

/// Writes the action of the move with a notation, legal or not. PETTEIA_PARSE_ERROR for a text that is no move,
/// PETTEIA_ILLEGAL_MOVE for one that is off this board.
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
        // SAFETY: the caller keeps the header's rules.
        let notation = unsafe { text(notation, "notation") }?;
        with_position!(&position.0, p => {
            let m = notation.parse()?;
            action_of(p, m).ok_or_else(|| IllegalMove::new(p, &m).into())
        })
    };
    // SAFETY: as above.
    unsafe { ask(position, action, answer) }
}

/// Writes the notation of the move with an action, legal or not: in TicTac row and column ("B2"), in Breakdown an upright
/// stick ("|4"), a lying one ("-B") or the breakdown ("!"), in Reversi column and row ("d3"), in Quarto the piece that is
/// selected ("SBCH") or the square that it is placed on ("A1"). PETTEIA_INVALID_ARGUMENT for an action that the game does
/// not have.
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
            None => {
                let message = format!("invalid action {action}: expected one below {}", p.num_actions());
                Err(Failure::argument(message))
            }
        })
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes the one-line text of a position, which petteia_position_parse reads back to an equal position.
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
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.text()));
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes the board as it is drawn in its document, in lines that end in a newline.
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
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.to_string()));
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes a picture of a position: one SVG element, for a file of its own or for a page.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Makes the one position that stands for all those equal to this one under the game's symmetries, the same for each of
/// them within a version of the library. The caller frees it with petteia_position_free.
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
        // SAFETY: the caller keeps the header's rules.
        let (position, canonical) = unsafe { (shared(position, "position")?, Out::new(canonical)?) };
        canonical.hand_over(petteia_position(with_position!(&position.0, p => p.canonical().into())));
        Ok(())
    })
}

/// Counts the move sequences of exactly `depth` plies from a position. It takes as long as there are sequences.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, count, answer) }
}

/// Asks a caller whether to stop: it is called on the thread of the call that it was given to, every 20 milliseconds or so,
/// with the pointer that was given with it, and returns true to stop.
pub type petteia_cancel = Option<unsafe extern "C" fn(user: *mut c_void) -> bool>;

/// Counts as petteia_position_perft does, on a number of threads (0 is 1, and more than 256 are 256), with a table of about
/// so many bytes (0 for none) by which positions that come again, also by symmetry, are counted once.
///
/// `cancel` may be NULL. PETTEIA_STOPPED if it returned true, PETTEIA_INVALID_ARGUMENT if there is no memory for the table
/// or if there are 2^64 sequences or more.
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
    let user = User(user);
    let ask_caller = || {
        // SAFETY: the caller keeps the header's rules; the core asks on this thread only.
        let stop = cancel.is_some_and(|cancel| unsafe { cancel(user.pointer()) });
        if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = PerftOptions {
        threads: threads.clamp(1, 256) as usize,
        table_bytes: (table_bytes > 0).then_some(table_bytes),
        watch: Some(&ask_caller),
    };
    let answer = |position: &petteia_position| {
        let counted = with_position!(&position.0, p => perft_with(p, depth, &options));
        counted.map_err(|error| match error {
            PerftError::Stopped => Failure::new(petteia_status::PETTEIA_STOPPED, error),
            PerftError::Memory | PerftError::TooMany => Failure::argument(error),
        })
    };
    // SAFETY: as above.
    unsafe { ask(position, count, answer) }
}

/// A caller's pointer, which only comes back to the caller, on the thread that it came from.
struct User(*mut c_void);

// SAFETY: nothing is done with the pointer but to hand it back on its own thread.
unsafe impl Sync for User {}

impl User {
    fn pointer(&self) -> *mut c_void {
        self.0
    }
}

/// Plays random games from a position to their ends, and tallies them.
///
/// Game i of a seed is the same game on every machine, and games `first` to `first + games - 1` are played: threads can
/// share a job by ranges, and add their tallies. PETTEIA_INVALID_ARGUMENT if `first + games` is above 2^64 - 1.
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
        let end = first.checked_add(games).ok_or_else(|| {
            Failure::argument(format!("no game {first} + {games}: expected a sum below 2^64"))
        })?;
        Ok(with_position!(&position.0, p => p.playouts(first..end, seed)).into())
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, tally, answer) }
}
