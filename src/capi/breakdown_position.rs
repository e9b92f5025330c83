//! Breakdown behind the handle. The boards and games of its document are in [`breakdown`](super::breakdown).

use std::ffi::c_uint;

use super::guard::{Failure, Out, status};
use super::position::{ask, petteia_player, petteia_position, wrong_game};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::breakdown::Cell;
use crate::{Breakdown, Player};

/// Makes an empty board with the given size, length of a stick and side of the square that wins. The caller frees it
/// with petteia_position_free.
///
/// PETTEIA_INVALID_ARGUMENT if one of the numbers is 0 or the board has more than 2^28 cells, PETTEIA_NO_MEMORY if
/// there is no memory for it.
///
/// # Safety
///
/// `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_breakdown_new(
    width: c_uint,
    height: c_uint,
    stick: c_uint,
    square: c_uint,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller keeps the header's rules.
        let position = unsafe { Out::new(position) }?;
        let start = Breakdown::new(width, height, stick, square)?;
        position.hand_over(petteia_position(start.into()));
        Ok(())
    })
}

/// Writes who has a cell, by its row and column, counted from 0 at the top left: PETTEIA_FIRST is black, PETTEIA_SECOND
/// white. PETTEIA_INVALID_ARGUMENT for a cell off the board.
///
/// # Safety
///
/// `position` is NULL or a position, `owner` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_breakdown_get(
    position: *const petteia_position,
    row: c_uint,
    column: c_uint,
    owner: *mut petteia_player,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let AnyPosition::Breakdown(game) = &position.0 else {
            return Err(wrong_game(Game::Breakdown, position));
        };
        let owner = match game.get(row, column) {
            Some(Cell::Empty) => None,
            Some(Cell::Black) => Some(Player::First),
            Some(Cell::White) => Some(Player::Second),
            None => {
                let message = format!("no cell at row {row}, column {column}: expected one on the board");
                return Err(Failure::argument(message));
            }
        };
        Ok(owner.into())
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, owner, answer) }
}
