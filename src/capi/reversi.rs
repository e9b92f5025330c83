//! Reversi: what else its document, homework of a C++ course, has: sets of squares, and moves with their gains.

use std::ffi::{c_char, c_uint};

use super::guard::{Failure, Out, OutArray, OutText, Result, exclusive, status};
use super::position::{RawPlayer, ask, petteia_player, petteia_position, player, wrong_game};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::prelude::Position;
use crate::reversi::{self, Board, Move, Player, PositionSet, Square};
use crate::{IllegalMove, Reversi};

/// A square: column x and row y, counted from 0 at the top left.
#[repr(C)]
pub struct petteia_reversi_square {
    /// The column.
    pub x: c_uint,
    /// The row.
    pub y: c_uint,
}

impl petteia_position {
    fn reversi(&self) -> Result<&Reversi> {
        match &self.0 {
            AnyPosition::Reversi(game) => Ok(game),
            _ => Err(wrong_game(Game::Reversi, self)),
        }
    }
}

/// Returns the square at x and y, if the largest board has it.
fn square(x: c_uint, y: c_uint) -> Option<Square> {
    Square::new(x as usize, y as usize)
}

fn off_board(x: c_uint, y: c_uint) -> Failure {
    Failure::argument(format!("no square at x {x}, y {y}: expected one on the board"))
}

/// Reads a player, or neither, from C.
fn owner(raw: RawPlayer) -> Result<Player> {
    Ok(player(raw)?.into())
}

/// Creates an empty board, 2 to 8 squares wide and high. The caller frees it with petteia_position_free.
///
/// # Safety
///
/// `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_new(
    width: c_uint,
    height: c_uint,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { Out::new(position, "position") }?;
        let start = Reversi::new(width as usize, height as usize)?;
        position.hand_over(petteia_position(start.into()));
        Ok(())
    })
}

/// Creates the position with the given tiles and player to move, PETTEIA_NOBODY for a finished game. The caller frees
/// it with petteia_position_free.
///
/// Fails with PETTEIA_INVALID_ARGUMENT if the sets overlap or reach off the board, or if the position is easily seen
/// to be unreachable.
///
/// # Safety
///
/// `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_from_tiles(
    width: c_uint,
    height: c_uint,
    dark: u64,
    light: u64,
    turn: RawPlayer,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { Out::new(position, "position") }?;
        let (dark, light) = (PositionSet::from_bits(dark), PositionSet::from_bits(light));
        if !(dark & light).is_empty() {
            return Err(Failure::argument(format!("both players have tiles on {}", dark & light)));
        }
        let mut board = Board::new(width as usize, height as usize)?;
        board.set_all(dark, Player::Dark)?;
        board.set_all(light, Player::Light)?;
        let start = Reversi::from_board(&board, player(turn)?)?;
        position.hand_over(petteia_position(start.into()));
        Ok(())
    })
}

/// Writes the width and height of a position's board.
///
/// # Safety
///
/// `position` is NULL or a position, `width` and `height` are valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_size(
    position: *const petteia_position,
    width: *mut c_uint,
    height: *mut c_uint,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let game = position.reversi()?;
        // SAFETY: the caller upholds the header's contract.
        let height = unsafe { Out::new(height, "height") }?;
        height.write(game.height() as c_uint);
        Ok(game.width() as c_uint)
    };
    // SAFETY: as above.
    unsafe { ask(position, (width, "width"), answer) }
}

/// Writes who has a tile on a square: PETTEIA_FIRST is dark, PETTEIA_SECOND light, PETTEIA_NOBODY no tile. Fails with
/// PETTEIA_INVALID_ARGUMENT if the square is off the board.
///
/// # Safety
///
/// `position` is NULL or a position, `owner` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_get(
    position: *const petteia_position,
    x: c_uint,
    y: c_uint,
    owner: *mut petteia_player,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let board = position.reversi()?.board();
        let owner = square(x, y).and_then(|square| board.get(square)).ok_or_else(|| off_board(x, y))?;
        Ok(match owner {
            Player::Dark => petteia_player::PETTEIA_FIRST,
            Player::Light => petteia_player::PETTEIA_SECOND,
            Player::Neither => petteia_player::PETTEIA_NOBODY,
        })
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (owner, "owner"), answer) }
}

/// Writes the set of squares with a player's tiles, or of empty squares for PETTEIA_NOBODY.
///
/// # Safety
///
/// `position` is NULL or a position, `set` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_tiles(
    position: *const petteia_position,
    player: RawPlayer,
    set: *mut u64,
) -> petteia_status {
    let answer =
        |position: &petteia_position| Ok(position.reversi()?.board().positions(owner(player)?).bits());
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (set, "set"), answer) }
}

/// Writes the number of a player's tiles, or of empty squares for PETTEIA_NOBODY.
///
/// # Safety
///
/// `position` is NULL or a position, `count` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_count(
    position: *const petteia_position,
    player: RawPlayer,
    count: *mut c_uint,
) -> petteia_status {
    let answer =
        |position: &petteia_position| Ok(position.reversi()?.board().count_player(owner(player)?) as c_uint);
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (count, "count"), answer) }
}

/// Writes the set of squares where the player to move may play.
///
/// # Safety
///
/// `position` is NULL or a position, `set` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_legal(
    position: *const petteia_position,
    set: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(position.reversi()?.legal().bits());
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (set, "set"), answer) }
}

/// Writes the set of squares that a move would gain: the played one and those of the tiles it would flip. The set is
/// empty (0) if the move is not legal or the square is off the board.
///
/// # Safety
///
/// `position` is NULL or a position, `gained` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_find_move(
    position: *const petteia_position,
    x: c_uint,
    y: c_uint,
    gained: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let game = position.reversi()?;
        Ok(square(x, y).map_or(PositionSet::EMPTY, |square| game.gains(square)).bits())
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (gained, "gained"), answer) }
}

/// Plays on a square. Fails with PETTEIA_ILLEGAL_MOVE if the move is not legal or the square is off the board; the
/// position is then unchanged.
///
/// # Safety
///
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_play_move(
    position: *mut petteia_position,
    x: c_uint,
    y: c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { exclusive(position, "position") }?;
        position.reversi()?;
        let AnyPosition::Reversi(game) = &mut position.0 else { return Ok(()) };
        match square(x, y) {
            Some(square) => Ok(game.play(square)?),
            None => Err(IllegalMove::new(game, &format!("{{{x}, {y}}}")).into()),
        }
    })
}

/// Returns the set of squares where a player can flip tiles of the opponent, given both players' tiles on a board of
/// the given size; no handle is needed. These are the legal moves once the four centre squares are occupied. If there
/// are none, and none for the opponent either, the game is over.
///
/// The set is empty (0) too if the sets overlap or reach off the board, or if a side is not from 2 to 8.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_reversi_moves(own: u64, opponent: u64, width: u32, height: u32) -> u64 {
    reversi::bare_moves(own, opponent, width, height)
}

/// Returns the set of the opponent's tiles that a tile on a square would flip, given both players' tiles; the square in
/// column x and row y is 8 * y + x. It is the same on boards of any size.
///
/// The set is empty (0) too if the square is occupied or not below 64, or if the sets overlap.
#[unsafe(no_mangle)]
pub extern "C" fn petteia_reversi_flips(square: u32, own: u64, opponent: u64) -> u64 {
    reversi::bare_flips(square, own, opponent)
}

/// Writes the set of all squares of a board, 2 to 8 squares wide and high.
///
/// # Safety
///
/// `set` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_all_positions(
    width: c_uint,
    height: c_uint,
    set: *mut u64,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { squares_of(width, height, set, Board::all_positions) }
}

/// Writes the set of the four centre squares of a board, where the opening phase is played.
///
/// # Safety
///
/// `set` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_center_positions(
    width: c_uint,
    height: c_uint,
    set: *mut u64,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { squares_of(width, height, set, Board::center_positions) }
}

/// Writes a set of squares that depends only on a board's size.
///
/// # Safety
///
/// `set` is NULL or valid for writes.
unsafe fn squares_of(
    width: c_uint,
    height: c_uint,
    set: *mut u64,
    squares: fn(&Board) -> PositionSet,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let set = unsafe { Out::new(set, "set") }?;
        let board = Board::new(width as usize, height as usize)?;
        set.write(squares(&board).bits());
        Ok(())
    })
}

/// Writes the squares of a set, ordered by x, then by y.
///
/// # Safety
///
/// `squares` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_set_squares(
    set: u64,
    squares: *mut petteia_reversi_square,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutArray::new(squares, cap, len, "squares") }?;
        out.write(
            PositionSet::from_bits(set)
                .iter()
                .map(|square| petteia_reversi_square { x: square.x() as c_uint, y: square.y() as c_uint }),
        );
        Ok(())
    })
}

/// Writes a set as the document prints it: "{{0, 7}, {2, 3}}", ordered by x, then by y.
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_set_text(
    set: u64,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(&PositionSet::from_bits(set).to_string());
        Ok(())
    })
}

/// Writes a move and its gains as the document prints them: "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}". Fails with
/// PETTEIA_INVALID_ARGUMENT if x or y is above 7.
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_reversi_move_text(
    x: c_uint,
    y: c_uint,
    gained: u64,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        let first = square(x, y).ok_or_else(|| off_board(x, y))?;
        out.write(&Move { first, second: PositionSet::from_bits(gained) }.to_string());
        Ok(())
    })
}
