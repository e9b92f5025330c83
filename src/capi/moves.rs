//! Moves: actions and notation, play, texts and pictures.

use std::ffi::c_char;

use super::guard::{Failure, Out, OutArray, exclusive, shared, status, text};
use super::position::{ask, petteia_position, tell};
use super::status::petteia_status;
use crate::cpu::{Cpu, Operation, on_best_cpu};
use crate::prelude::*;
use crate::svg::Marks;
use crate::{IllegalMove, OnCpu, with_position};

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
    unsafe { ask(position, (num_actions, "num_actions"), answer) }
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
            unsafe { (shared(position, "position")?, OutArray::new(actions, cap, len, "actions")?) };
        with_position!(&position.0, p => actions.write(p.moves().map(|m| action_of(p, &m))));
        Ok(())
    })
}

/// Writes whether a move is legal, by its action. No action beyond the last one is.
///
/// # Safety
///
/// `position` is NULL or a position, `legal` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_is_legal(
    position: *const petteia_position,
    action: u32,
    legal: *mut bool,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(with_position!(&position.0, p => p.legal_move(action as usize).is_some()))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (legal, "legal"), answer) }
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
        let played = with_position!(&mut position.0, position => {
            on_best_cpu!(cpu => cpu.run(Play { cpu, position, action: action as usize }))
        });
        if played { Ok(()) } else { Err(Failure::refused(&position.0, action)) }
    })
}

/// Plays the move with an action if it is legal, and returns whether it is.
struct Play<'a, C, P> {
    cpu: C,
    position: &'a mut P,
    action: usize,
}

impl<C: Cpu, P: OnCpu> Operation for Play<'_, C, P> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Play { cpu, position, action } = self;
        let legal = position.legal_move(action);
        legal.map(|m| position.play_on(cpu, m)).is_some()
    }
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
    unsafe { ask(position, (action, "action"), answer) }
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
#[cfg(not(target_family = "wasm"))]
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
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_canonical(
    position: *const petteia_position,
    canonical: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, canonical) =
            unsafe { (shared(position, "position")?, Out::new(canonical, "canonical")?) };
        canonical.hand_over(petteia_position(with_position!(&position.0, p => p.canonical().into())));
        Ok(())
    })
}
