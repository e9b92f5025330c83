//! Breakdown positions. The boards and games of the document are in [`breakdown`](super::breakdown).

use std::ffi::c_uint;

use super::guard::{Failure, Out, status};
use super::position::{ask, petteia_player, petteia_position, wrong_game};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::breakdown::Cell;
use crate::{Breakdown, Player};

/// Creates an empty board with the given size, stick length and side of a winning square. The caller frees it with
/// petteia_position_free.
///
/// Fails with PETTEIA_INVALID_ARGUMENT if one of the numbers is 0 or the board has more than 2^28 cells,
/// PETTEIA_NO_MEMORY if there is not enough memory for it.
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
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { Out::new(position, "position") }?;
        let start = Breakdown::new(width, height, stick, square)?;
        position.hand_over(petteia_position(start.into()));
        Ok(())
    })
}

/// Writes the owner of the cell in a row and column, counted from 0 at the top left: PETTEIA_FIRST is black,
/// PETTEIA_SECOND white, PETTEIA_NOBODY empty. Fails with PETTEIA_INVALID_ARGUMENT if the cell is off the board.
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
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (owner, "owner"), answer) }
}
