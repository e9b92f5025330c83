//! The rules of the course's assignments, generic over any [`Board`], with get and set only.
//!
//! A function that finds an invalid cell returns the board's error before it changes anything. A stick of length 0
//! never fits, and a square of side 0 never exists.

use super::board::{Board, BoardError, Cell, Pos};
use crate::error::list;

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Turn {
    /// Black moves next.
    #[default]
    BlackNext = 0,
    /// White moves next.
    WhiteNext = 1,
}

impl Turn {
    /// Returns the other player's turn.
    #[inline]
    pub const fn other(self) -> Turn {
        match self {
            Turn::BlackNext => Turn::WhiteNext,
            Turn::WhiteNext => Turn::BlackNext,
        }
    }

    /// Returns the cells of the player to move.
    #[inline]
    pub const fn cell(self) -> Cell {
        match self {
            Turn::BlackNext => Cell::Black,
            Turn::WhiteNext => Cell::White,
        }
    }
}

/// The state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum GameOutcome {
    /// Black alone has a square.
    BlackWin = 0,
    /// White alone has a square.
    WhiteWin = 1,
    /// Both have a square, or nobody has and the board can no longer change.
    Draw = 2,
    /// The game goes on.
    InProgress = 3,
}

/// Drops a stick of the given length and colour into a column, and returns whether there was room for it.
///
/// The left end of a horizontal stick is in the column.
///
/// # Errors
///
/// The board's error for an invalid cell; nothing is then changed.
pub fn drop_stick<B: Board>(
    board: &mut B,
    stick: u32,
    col: u32,
    vertical: bool,
    colour: Cell,
) -> Result<bool, BoardError> {
    if !has_room(board, stick, col, vertical)? {
        return Ok(false);
    }
    // The row of the stick's lowest cells: a vertical one starts with its top in row 0.
    let (mut bottom, width) = if vertical { (stick - 1, 1) } else { (0, stick) };
    while bottom + 1 < board.height() && is_free(board, bottom + 1, col, width)? {
        bottom += 1;
    }
    for i in 0..stick {
        let pos = if vertical { Pos::new(bottom - i, col) } else { Pos::new(bottom, col + i) };
        board.set(pos, colour)?;
    }
    Ok(true)
}

/// Returns whether a stick fits into a column at the top of the board, where it starts to fall.
///
/// # Errors
///
/// The board's error for an invalid cell.
pub fn has_room<B: Board>(board: &B, stick: u32, col: u32, vertical: bool) -> Result<bool, BoardError> {
    if stick == 0 || col >= board.width() {
        return Ok(false);
    }
    if !vertical {
        // Not `col + stick`, which can overflow.
        return Ok(stick <= board.width() - col && is_free(board, 0, col, stick)?);
    }
    if stick > board.height() {
        return Ok(false);
    }
    for r in 0..stick {
        if !is_free(board, r, col, 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a stick fits into any column, vertical or horizontal.
///
/// # Errors
///
/// The board's error for an invalid cell.
pub fn has_room_anywhere<B: Board>(board: &B, stick: u32) -> Result<bool, BoardError> {
    // Horizontal sticks by the length of the current gap, so that a long stick costs no more than a short one.
    let mut gap = 0;
    for col in 0..board.width() {
        gap = if is_free(board, 0, col, 1)? { gap + 1 } else { 0 };
        if has_room(board, stick, col, true)? || (stick > 0 && gap >= stick) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether `width` cells of a row, starting at a column, are empty.
#[inline]
fn is_free<B: Board>(board: &B, r: u32, col: u32, width: u32) -> Result<bool, BoardError> {
    for c in col..col + width {
        if board.get(Pos { r, c })? != Cell::Empty {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Breaks all sticks down: every cell falls within its column as far as there is air beneath it.
///
/// # Errors
///
/// The board's error for an invalid cell; nothing is then changed.
pub fn breakdown<B: Board>(board: &mut B) -> Result<(), BoardError> {
    // Columns are settled one by one, so read them all first: an invalid cell in a later one must not leave the job
    // half done.
    for r in 0..board.height() {
        for c in 0..board.width() {
            board.get(Pos { r, c })?;
        }
    }
    for c in 0..board.width() {
        let mut floor = board.height();
        for r in (0..board.height()).rev() {
            let cell = board.get(Pos { r, c })?;
            if cell != Cell::Empty {
                floor -= 1;
                if floor != r {
                    board.set(Pos { r: floor, c }, cell)?;
                    board.set(Pos { r, c }, Cell::Empty)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns whether a breakdown would change anything: whether a cell has air beneath it.
///
/// # Errors
///
/// The board's error for an invalid cell.
pub fn breakdown_changes<B: Board>(board: &B) -> Result<bool, BoardError> {
    for c in 0..board.width() {
        let mut occupied = false;
        for r in 0..board.height() {
            let above = occupied;
            occupied = board.get(Pos { r, c })? != Cell::Empty;
            if above && !occupied {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Returns whether black and whether white has a square of at least the given side.
///
/// # Errors
///
/// The board's error for an invalid cell.
pub fn squares<B: Board>(board: &B, side: u32) -> Result<[bool; 2], BoardError> {
    let (width, height) = (board.width(), board.height());
    let mut found = [false, false];
    // The largest one-coloured square that ends in each cell of the previous line. Lines run along the shorter side of
    // the board: at most 2^14 cells, whatever the shape.
    let short = width.min(height);
    let mut before = list("a line of cells", (0..short).map(|_| (Cell::Empty, 0)));
    for line in 0..width.max(height) {
        let (mut left, mut corner) = ((Cell::Empty, 0), (Cell::Empty, 0));
        for (place, above) in (0..short).zip(&mut before) {
            let pos = if width <= height { Pos::new(line, place) } else { Pos::new(place, line) };
            let cell = board.get(pos)?;
            let reach = |(colour, side): (Cell, u32)| if colour == cell { side } else { 0 };
            let own = match cell {
                Cell::Empty => 0,
                _ => 1 + reach(left).min(reach(corner)).min(reach(*above)),
            };
            if side > 0 && own >= side {
                found[usize::from(cell == Cell::White)] = true;
            }
            (corner, left) = (*above, (cell, own));
            *above = left;
        }
    }
    Ok(found)
}

/// Returns the state of a game with the given stick and square.
///
/// Squares count on the board as it is, overhangs included.
///
/// # Errors
///
/// The board's error for an invalid cell.
pub fn game_outcome<B: Board>(board: &B, stick: u32, square: u32) -> Result<GameOutcome, BoardError> {
    Ok(match squares(board, square)? {
        [true, true] => GameOutcome::Draw,
        [true, false] => GameOutcome::BlackWin,
        [false, true] => GameOutcome::WhiteWin,
        [false, false] if has_room_anywhere(board, stick)? || breakdown_changes(board)? => {
            GameOutcome::InProgress
        }
        [false, false] => GameOutcome::Draw,
    })
}
