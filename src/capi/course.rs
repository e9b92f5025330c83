//! What the members of the installed library call: the rules of `breakdown.h` for boards of a program's own.
//!
//! The course has three files, `pos.c`, `board.c` and `logic.c`, and so has the installed library: see `course/`. A
//! student may write any of them. Then the rules must use the student's boards as the course's `logic.c` would, by
//! their functions alone: what is behind the public struct is the student's.

use std::ffi::{c_int, c_uint};
use std::ptr;

use super::breakdown::{self as own, RawCell, RawType, board, game, outcome, pos};
use super::clib;
use super::guard::{Failure, Result, guard, shared};
use super::status::report;
use crate::breakdown::{Board, BoardError, Cell, Pos, positive, rules};

/// The functions of a program's own `board.c`, as in `course/course.h`.
#[repr(C)]
pub struct Functions {
    new: unsafe extern "C" fn(c_uint, c_uint, RawType) -> *mut board,
    free: unsafe extern "C" fn(*mut board),
    get: unsafe extern "C" fn(*mut board, pos) -> RawCell,
    set: unsafe extern "C" fn(*mut board, pos, RawCell),
}

/// A board of a program's own.
struct Foreign<'a> {
    b: *mut board,
    width: c_uint,
    height: c_uint,
    functions: &'a Functions,
}

impl<'a> Foreign<'a> {
    /// Returns the board of a game whose members are in order.
    ///
    /// # Safety
    ///
    /// The board is NULL or valid, and belongs to the functions.
    unsafe fn of(g: &game, functions: &'a Functions) -> Result<Self> {
        // SAFETY: the caller's promise. The reference ends here, before a function of the program's gets the pointer.
        let (width, height) = unsafe { shared(g.b, "the game's board") }.map(|b| (b.width, b.height))?;
        positive("stick", g.stick)?;
        positive("square", g.square)?;
        Ok(Foreign { b: g.b, width, height, functions })
    }
}

impl Board for Foreign<'_> {
    fn width(&self) -> u32 {
        self.width
    }

    fn height(&self) -> u32 {
        self.height
    }

    fn get(&self, at: Pos) -> Result<Cell, BoardError> {
        // SAFETY: the board belongs to the functions.
        let code = unsafe { (self.functions.get)(self.b, pos { r: at.r, c: at.c }) };
        Cell::from_code(code).ok_or(BoardError::BadCell { pos: at, code })
    }

    fn set(&mut self, at: Pos, cell: Cell) -> Result<(), BoardError> {
        // SAFETY: the board belongs to the functions.
        unsafe { (self.functions.set)(self.b, pos { r: at.r, c: at.c }, cell as RawCell) };
        Ok(())
    }
}

/// `new_game`, on a board from the given functions; NULL stands for the library's own, here and below.
///
/// # Safety
///
/// `functions` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_course_new_game(
    functions: *const Functions,
    stick: c_uint,
    square: c_uint,
    width: c_uint,
    height: c_uint,
    r#type: RawType,
) -> *mut game {
    // SAFETY: the caller's promise.
    let Some(functions) = (unsafe { functions.as_ref() }) else {
        return own::new_game(stick, square, width, height, r#type);
    };
    let failed = |failure| {
        report("new_game", &failure);
        ptr::null_mut()
    };
    guard(failed, || {
        positive("stick", stick)?;
        positive("square", square)?;
        // SAFETY: it takes any numbers, as the course's does.
        let b = unsafe { (functions.new)(width, height, r#type) };
        if b.is_null() {
            return Err(Failure::no_memory("board_new returned NULL"));
        }
        let Some(g) = clib::zeroed::<game>(1) else {
            // SAFETY: the board was just made, and nothing else points to it.
            unsafe { (functions.free)(b) };
            return Err(Failure::no_memory("no memory for a game"));
        };
        // SAFETY: `g` is fresh memory for a game.
        unsafe { g.write(game { stick, square, b, next: own::turn::BLACK_NEXT as _ }) };
        Ok(g)
    })
}

/// `game_free`.
///
/// # Safety
///
/// As for `game_free`; the board belongs to the functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_course_game_free(functions: *const Functions, g: *mut game) {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(functions) = functions.as_ref() else {
            return own::game_free(g);
        };
        if let Some(game) = g.as_ref() {
            // Not every board.c of the course takes NULL.
            if !game.b.is_null() {
                (functions.free)(game.b);
            }
            clib::release(g);
        }
    }
}

/// `drop_stick`.
///
/// # Safety
///
/// As for `drop_stick`; the board belongs to the functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_course_drop_stick(
    functions: *const Functions,
    g: *mut game,
    col: c_uint,
    vertical: c_int,
) -> c_int {
    // SAFETY: the caller's promise.
    let Some(functions) = (unsafe { functions.as_ref() }) else {
        // SAFETY: the caller's promise.
        return unsafe { own::drop_stick(g, col, vertical) };
    };
    let failed = |failure| {
        report("drop_stick", &failure);
        0
    };
    guard(failed, || {
        // SAFETY: the caller's promise.
        let (g, mut b) = unsafe {
            let g = shared(g, "g")?;
            (g, Foreign::of(g, functions)?)
        };
        Ok(rules::drop_stick(&mut b, g.stick, col, vertical != 0, g.turn()?.cell())?.into())
    })
}

/// `breakdown`.
///
/// # Safety
///
/// As for `breakdown`; the board belongs to the functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_course_breakdown(functions: *const Functions, g: *mut game) {
    // SAFETY: the caller's promise.
    let Some(functions) = (unsafe { functions.as_ref() }) else {
        // SAFETY: the caller's promise.
        return unsafe { own::breakdown(g) };
    };
    guard(
        |failure| report("breakdown", &failure),
        || {
            // SAFETY: the caller's promise.
            let mut b = unsafe { Foreign::of(shared(g, "g")?, functions)? };
            Ok(rules::breakdown(&mut b)?)
        },
    );
}

/// `game_outcome`.
///
/// # Safety
///
/// As for `game_outcome`; the board belongs to the functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_course_game_outcome(functions: *const Functions, g: *mut game) -> outcome {
    // SAFETY: the caller's promise.
    let Some(functions) = (unsafe { functions.as_ref() }) else {
        // SAFETY: the caller's promise.
        return unsafe { own::game_outcome(g) };
    };
    let failed = |failure| {
        report("game_outcome", &failure);
        outcome::IN_PROGRESS
    };
    guard(failed, || {
        // SAFETY: the caller's promise.
        let (g, b) = unsafe {
            let g = shared(g, "g")?;
            (g, Foreign::of(g, functions)?)
        };
        Ok(rules::game_outcome(&b, g.stick, g.square)?.into())
    })
}
