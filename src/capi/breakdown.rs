//! `breakdown.h`: the exact API of Breakdown's document, an assignment of a C course, with public structs.
//!
//! [`board`] implements the core's [`Board`] over raw memory, so the rules are written once, in
//! [`rules`](crate::breakdown::rules).

use std::ffi::{c_int, c_uint};

use super::clib::{self, Stream};
use super::guard::{Failure, Result, enough, exclusive, guard, shared};
use super::status::report;
use crate::breakdown::{Board, BoardError, Cell, GameOutcome, Pos, Turn, rules};
use crate::breakdown::{cells, draw, index, positive};

/// A place on the board: row and column, counted from 0 at the top left.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct pos {
    /// The row.
    pub r: c_uint,
    /// The column.
    pub c: c_uint,
}

/// The contents of a place on the board.
#[repr(C)]
pub enum cell {
    EMPTY,
    BLACK,
    WHITE,
}

impl From<Cell> for cell {
    #[inline]
    fn from(cell: Cell) -> Self {
        match cell {
            Cell::Empty => cell::EMPTY,
            Cell::Black => cell::BLACK,
            Cell::White => cell::WHITE,
        }
    }
}

/// A cell as C passes it or writes it into a board: any number.
pub type RawCell = c_uint;

/// How a board is stored.
#[repr(C)]
pub enum r#type {
    /// One `enum cell` per place, in rows.
    MATRIX,
    /// Two bits per place, packed.
    BITS,
}

/// A type as C passes it: any number.
pub type RawType = c_uint;

/// The memory of a board. Programs may read and write it.
///
/// In a MATRIX board, the cell in row r and column c is `matrix[r][c]`. In a BITS board, it has the number
/// i = r * width + c and is `bits[i / 16] >> (2 * (i % 16)) & 3`. There are no more words than the cells need, and the
/// bits after the last cell are 0.
#[repr(C)]
pub union board_rep {
    /// The rows of a MATRIX board.
    pub matrix: *mut *mut RawCell,
    /// The words of a BITS board.
    pub bits: *mut c_uint,
}

/// A board. Programs may read all members, but should change only the cells.
#[repr(C)]
pub struct board {
    /// The number of columns.
    pub width: c_uint,
    /// The number of rows.
    pub height: c_uint,
    /// How the cells are stored.
    pub r#type: RawType,
    /// The cells.
    pub u: board_rep,
}

/// Whose turn it is.
#[repr(C)]
pub enum turn {
    BLACK_NEXT,
    WHITE_NEXT,
}

/// A turn as C writes it into a game: any number.
pub type RawTurn = c_uint;

/// The result of a game; IN_PROGRESS until it is over.
#[repr(C)]
pub enum outcome {
    BLACK_WIN,
    WHITE_WIN,
    DRAW,
    IN_PROGRESS,
}

impl From<GameOutcome> for outcome {
    fn from(outcome: GameOutcome) -> Self {
        match outcome {
            GameOutcome::BlackWin => outcome::BLACK_WIN,
            GameOutcome::WhiteWin => outcome::WHITE_WIN,
            GameOutcome::Draw => outcome::DRAW,
            GameOutcome::InProgress => outcome::IN_PROGRESS,
        }
    }
}

/// A game: the length of a stick, the side of a winning square, the board, and whose turn it is.
///
/// The program keeps track of the turn: it assigns `next`, which no function changes.
#[repr(C)]
pub struct game {
    /// The length of a stick.
    pub stick: c_uint,
    /// The side of a winning square.
    pub square: c_uint,
    /// The board.
    pub b: *mut board,
    /// Whose turn it is.
    pub next: RawTurn,
}

const MATRIX: RawType = r#type::MATRIX as RawType;
const BITS: RawType = r#type::BITS as RawType;
const BLACK_NEXT: RawTurn = turn::BLACK_NEXT as RawTurn;
const WHITE_NEXT: RawTurn = turn::WHITE_NEXT as RawTurn;

impl board {
    /// Returns whether the cells can be accessed, since a program may have overwritten the members.
    #[inline]
    fn is_sound(&self) -> bool {
        // SAFETY: both members are pointers, so either can be compared with NULL.
        self.r#type <= BITS && unsafe { !self.u.bits.is_null() }
    }

    /// Fails if the board is not sound.
    #[inline]
    fn check(&self) -> Result<()> {
        if self.is_sound() { Ok(()) } else { Err(unsound(self.r#type)) }
    }

    /// Returns an empty board, with all its memory from C's allocator.
    fn new(width: c_uint, height: c_uint, kind: RawType) -> Result<*mut board> {
        if kind > BITS {
            return Err(unsound(kind));
        }
        let count = cells(width, height)?;
        let no_memory = || Failure::no_memory(format!("no memory for a board of {width} x {height}"));
        let b = clib::zeroed::<board>(1).ok_or_else(no_memory)?;
        let u = match kind {
            MATRIX => matrix(width as usize, height as usize, count).map(|matrix| board_rep { matrix }),
            _ => clib::zeroed(count.div_ceil(16)).map(|bits| board_rep { bits }),
        };
        match u {
            Some(u) => {
                // SAFETY: `b` is fresh memory for a board.
                unsafe { b.write(board { width, height, r#type: kind, u }) };
                Ok(b)
            }
            None => {
                // SAFETY: `b` is fresh from calloc, and nothing else points to it.
                unsafe { clib::release(b) };
                Err(no_memory())
            }
        }
    }

    /// Frees all memory of a board with C's allocator.
    ///
    /// # Safety
    ///
    /// The board came from [`board::new`] and is no longer used.
    unsafe fn free(b: *mut board) {
        // SAFETY: the caller's promise; either kind of memory is one block.
        unsafe {
            clib::release((*b).u.bits);
            clib::release(b);
        }
    }
}

#[cold]
fn unsound(kind: RawType) -> Failure {
    match kind {
        MATRIX | BITS => Failure::argument("the board has no memory"),
        _ => Failure::invalid("board type", kind, "MATRIX or BITS"),
    }
}

/// Returns the rows of an empty board in one block, pointers first: one `free` is enough, even if the program has
/// changed the pointers.
fn matrix(width: usize, height: usize, count: usize) -> Option<*mut *mut RawCell> {
    // A pointer is as large as a few cells, and the start of the block is aligned for pointers.
    let pointers = height * (size_of::<*mut RawCell>() / size_of::<RawCell>());
    let block = clib::zeroed::<RawCell>(pointers + count)?;
    let rows = block.cast::<*mut RawCell>();
    for r in 0..height {
        // SAFETY: row r and its pointer are within the block.
        unsafe { rows.add(r).write(block.add(pointers + r * width)) };
    }
    Some(rows)
}

impl Board for board {
    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn height(&self) -> u32 {
        self.height
    }

    #[inline]
    fn get(&self, at: Pos) -> Result<Cell, BoardError> {
        let i = index(at, self.width, self.height)?;
        // SAFETY: the place is on the board, so it is within the memory.
        let code = unsafe {
            match self.r#type {
                MATRIX => *(*self.u.matrix.add(at.r as usize)).add(at.c as usize),
                _ => *self.u.bits.add(i / 16) >> (2 * (i % 16)) & 3,
            }
        };
        Cell::from_code(code).ok_or(BoardError::BadCell { pos: at, code })
    }

    #[inline]
    fn set(&mut self, at: Pos, cell: Cell) -> Result<(), BoardError> {
        let i = index(at, self.width, self.height)?;
        // SAFETY: the place is on the board, so it is within the memory.
        unsafe {
            match self.r#type {
                MATRIX => *(*self.u.matrix.add(at.r as usize)).add(at.c as usize) = cell as RawCell,
                _ => {
                    let (word, shift) = (self.u.bits.add(i / 16), 2 * (i % 16));
                    *word = *word & !(3 << shift) | (cell as c_uint) << shift;
                }
            }
        }
        Ok(())
    }
}

impl From<BoardError> for Failure {
    fn from(error: BoardError) -> Self {
        Failure::argument(error)
    }
}

impl game {
    /// Checks the members, which a program may have overwritten, and returns the board.
    ///
    /// # Safety
    ///
    /// As for [`exclusive`].
    unsafe fn board<'a>(&self) -> Result<&'a mut board> {
        // SAFETY: the caller's promise.
        let b = unsafe { exclusive(self.b, "the game's board") }?;
        b.check()?;
        positive("stick", self.stick)?;
        positive("square", self.square)?;
        Ok(b)
    }

    /// Returns whose turn it is, which a program assigns.
    pub(super) fn turn(&self) -> Result<Turn> {
        match self.next {
            BLACK_NEXT => Ok(Turn::BlackNext),
            WHITE_NEXT => Ok(Turn::WhiteNext),
            next => Err(Failure::invalid("turn", next, "BLACK_NEXT or WHITE_NEXT")),
        }
    }
}

/// Returns the place in row r and column c.
#[unsafe(no_mangle)]
pub extern "C" fn make_pos(r: c_uint, c: c_uint) -> pos {
    pos { r, c }
}

/// Creates an empty board. The caller frees it with board_free.
///
/// It is an error if the width or height is 0, the board has more than 2^28 cells, there is not enough memory for it,
/// or the type is neither MATRIX nor BITS.
#[unsafe(no_mangle)]
pub extern "C" fn board_new(width: c_uint, height: c_uint, r#type: RawType) -> *mut board {
    let failed = |failure| {
        report("board_new", &failure);
        std::ptr::null_mut()
    };
    guard(failed, || board::new(width, height, r#type))
}

/// Frees a board created by board_new. NULL is ignored. The board of a game is freed by game_free.
///
/// It is an error if its type is neither MATRIX nor BITS.
///
/// # Safety
///
/// `b` is NULL or a board from `board_new` that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn board_free(b: *mut board) {
    guard(
        |failure| report("board_free", &failure),
        || {
            if !b.is_null() {
                // SAFETY: the caller upholds the header's contract.
                unsafe {
                    (*b).check()?;
                    board::free(b);
                }
            }
            Ok(())
        },
    );
}

/// Prints a board to stdout, in order with the program's own output: column labels, an empty line, and the rows with
/// their labels. An empty cell is `.`, a black one `*`, a white one `o`. Rows and columns are labelled 0 to 9, A to Z
/// and a to z; from 62 on, `?`.
///
/// It is an error, and nothing is printed, if `b` is NULL or its memory holds an invalid cell.
///
/// # Safety
///
/// `b` is NULL or a valid board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn board_show(b: *mut board) {
    guard(
        |failure| report("board_show", &failure),
        || {
            // SAFETY: the caller upholds the header's contract.
            let b = unsafe { shared(b, "b") }?;
            b.check()?;
            let drawing = draw(b.width, b.height, |at| b.get(at))?;
            enough()?;
            Stream::Stdout.write(&drawing);
            Ok(())
        },
    );
}

/// Returns the cell in a place.
///
/// It is an error if `b` is NULL, or if the place is off the board or holds an invalid cell. With a handler, EMPTY is
/// returned then.
///
/// # Safety
///
/// `b` is NULL or a valid board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn board_get(b: *mut board, p: pos) -> cell {
    let failed = |failure| {
        report("board_get", &failure);
        cell::EMPTY
    };
    guard(failed, || {
        // SAFETY: the caller upholds the header's contract.
        let b = unsafe { shared(b, "b") }?;
        b.check()?;
        Ok(b.get(Pos::new(p.r, p.c))?.into())
    })
}

/// Sets the cell in a place, occupied or not.
///
/// It is an error, and nothing is changed, if `b` is NULL, the place is off the board, or `c` is not a cell.
///
/// # Safety
///
/// `b` is NULL or a valid board.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn board_set(b: *mut board, p: pos, c: RawCell) {
    guard(
        |failure| report("board_set", &failure),
        || {
            // SAFETY: the caller upholds the header's contract.
            let b = unsafe { exclusive(b, "b") }?;
            b.check()?;
            let cell =
                Cell::from_code(c).ok_or_else(|| Failure::invalid("cell", c, "EMPTY, BLACK or WHITE"))?;
            Ok(b.set(Pos::new(p.r, p.c), cell)?)
        },
    );
}

/// Creates a game on an empty board with black to move. The caller frees it with game_free.
///
/// It is an error if one of the numbers is 0, and in the cases of board_new. The stick and the square may be larger
/// than the board: such a stick never fits, and such a square cannot be built.
#[unsafe(no_mangle)]
pub extern "C" fn new_game(
    stick: c_uint,
    square: c_uint,
    width: c_uint,
    height: c_uint,
    r#type: RawType,
) -> *mut game {
    let failed = |failure| {
        report("new_game", &failure);
        std::ptr::null_mut()
    };
    guard(failed, || {
        positive("stick", stick)?;
        positive("square", square)?;
        let b = board::new(width, height, r#type)?;
        let Some(g) = clib::zeroed::<game>(1) else {
            // SAFETY: the board was just made, and nothing else points to it.
            unsafe { board::free(b) };
            return Err(Failure::no_memory("no memory for a game"));
        };
        // SAFETY: `g` is fresh memory for a game.
        unsafe { g.write(game { stick, square, b, next: BLACK_NEXT }) };
        Ok(g)
    })
}

/// Frees a game created by new_game, with its board. NULL is ignored.
///
/// It is an error if the board's type is neither MATRIX nor BITS.
///
/// # Safety
///
/// `g` is NULL or a game from `new_game` that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_free(g: *mut game) {
    guard(
        |failure| report("game_free", &failure),
        || {
            if g.is_null() {
                return Ok(());
            }
            // SAFETY: the caller upholds the header's contract.
            unsafe {
                if let Some(b) = (*g).b.as_ref() {
                    b.check()?;
                    board::free((*g).b);
                }
                clib::release(g);
            }
            Ok(())
        },
    );
}

/// Drops a stick of the player whose turn it is into a column. Returns 1 if there was room for it, else 0. `next` does
/// not change.
///
/// If `vertical` is nonzero the stick stands, else it lies with its left end in the column. It falls as far as it can.
/// There is no room in a column off the board, nor for a stick that would reach past the right edge.
///
/// It is an error if `g` or its board is NULL, its `next` is neither BLACK_NEXT nor WHITE_NEXT, its `stick` or
/// `square` is 0, or the board holds an invalid cell where the stick goes. With a handler, nothing is changed and 0 is
/// returned then.
///
/// # Safety
///
/// `g` is NULL or a valid game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn drop_stick(g: *mut game, col: c_uint, vertical: c_int) -> c_int {
    let failed = |failure| {
        report("drop_stick", &failure);
        0
    };
    guard(failed, || {
        // SAFETY: the caller upholds the header's contract.
        let (g, b) = unsafe {
            let g = shared(g, "g")?;
            (g, g.board()?)
        };
        Ok(rules::drop_stick(b, g.stick, col, vertical != 0, g.turn()?.cell())?.into())
    })
}

/// Breaks all sticks into cells: every cell falls within its column as far as it can. `next` does not change.
///
/// It is an error, and nothing is changed, if `g` or its board is NULL, its `stick` or `square` is 0, or the board
/// holds an invalid cell.
///
/// # Safety
///
/// `g` is NULL or a valid game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn breakdown(g: *mut game) {
    guard(
        |failure| report("breakdown", &failure),
        || {
            // SAFETY: the caller upholds the header's contract.
            let b = unsafe { shared(g, "g")?.board()? };
            Ok(rules::breakdown(b)?)
        },
    );
}

/// Returns the result of a game, or IN_PROGRESS. A colour wins if it has a square and the other has none. The game is
/// a draw if both have one, or if no stick fits anywhere and a breakdown would change nothing.
///
/// It is an error if `g` or its board is NULL, its `stick` or `square` is 0, or the board holds an invalid cell. With
/// a handler, IN_PROGRESS is returned then.
///
/// # Safety
///
/// `g` is NULL or a valid game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn game_outcome(g: *mut game) -> outcome {
    let failed = |failure| {
        report("game_outcome", &failure);
        outcome::IN_PROGRESS
    };
    guard(failed, || {
        // SAFETY: the caller upholds the header's contract.
        let (g, b) = unsafe {
            let g = shared(g, "g")?;
            (g, g.board()?)
        };
        Ok(rules::game_outcome(b, g.stick, g.square)?.into())
    })
}
