//! The functions of `breakdown.h` on structs whose contents are the caller's: a MATRIX and a BITS board always agree,
//! with each other and with the oracle, and an error changes nothing.

// The caller of C functions.
#![allow(unsafe_code)]

use std::cell::Cell as Shared;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use arbitrary::Result;
use petteia::breakdown::Cell;
use petteia::capi::breakdown::*;
use petteia::capi::status::petteia_set_error_handler;

use super::oracle::breakdown::Oracle;
use super::{Bytes, number, with_bytes};

/// The code of an invalid cell, as read by [`cells`].
const BAD: u32 = 3;

thread_local! {
    static ERRORS: Shared<u32> = const { Shared::new(0) };
}

unsafe extern "C" fn count(_: *const c_char, _: *mut c_void) {
    ERRORS.set(ERRORS.get() + 1);
}

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| {
        // SAFETY: the handler only counts.
        unsafe { petteia_set_error_handler(Some(count), null_mut()) };
        let [stick, square] = [1 + bytes.int_in_range(0..=5)?, 1 + bytes.int_in_range(0..=3)?];
        let [width, height] = [1 + bytes.int_in_range(0..=9)?, 1 + bytes.int_in_range(0..=9)?];
        let games = [0, 1].map(|kind| new_game(stick, square, width, height, kind));
        let mut checked = Ok(());
        while !bytes.is_empty() && checked.is_ok() {
            checked = act(&games, bytes);
        }
        // SAFETY: both came from new_game, with sound boards.
        games.iter().for_each(|&g| unsafe { game_free(g) });
        checked
    });
}

/// Does one thing to both games.
fn act(games: &[*mut game; 2], bytes: &mut Bytes<'_>) -> Result<()> {
    let oracle = oracle(games[0]);
    let [r, c, code] = [number(bytes)?, number(bytes)?, number(bytes)?];
    let place = (r as usize, c as usize);
    match bytes.int_in_range(0..=8)? {
        0 => {
            let vertical = bytes.arbitrary()?;
            // SAFETY: the games are valid.
            let dropped = both(games, |g| unsafe { drop_stick(g, c, vertical) });
            if let Some(mut oracle) = oracle {
                let expected = oracle.drop_stick(place.1, vertical != 0);
                check(games, dropped, Ok(expected.into()), &oracle);
            }
        }
        1 => {
            // SAFETY: the games are valid.
            let fallen = both(games, |g| unsafe { breakdown(g) });
            if let Some(mut oracle) = oracle {
                oracle.breakdown();
                check(games, fallen, Ok(()), &oracle);
            }
        }
        2 => {
            // SAFETY: the games are valid.
            let result = both(games, |g| unsafe { game_outcome(g) } as u32);
            if let Some(oracle) = oracle {
                check(games, result, Ok(oracle.outcome() as u32), &oracle);
            }
        }
        3 => {
            // SAFETY: the boards are valid.
            let got = both(games, |g| unsafe { board_get((*g).b, make_pos(r, c)) } as u32);
            if let Some(oracle) = oracle {
                let cell = oracle.rows.get(place.0).and_then(|row| row.get(place.1));
                check(games, got, cell.map(|cell| *cell as u32).ok_or(0), &oracle);
            }
        }
        4 => {
            // SAFETY: the boards are valid.
            let set = both(games, |g| unsafe { board_set((*g).b, make_pos(r, c), code) });
            if let Some(mut oracle) = oracle {
                let cell = oracle.rows.get_mut(place.0).and_then(|row| row.get_mut(place.1));
                let cell = cell.zip(Cell::from_code(code)).map(|(cell, new)| *cell = new);
                check(games, set, cell.ok_or(()), &oracle);
            }
        }
        // Cells written by the program, invalid ones too.
        5 => games.iter().for_each(|&g| write(g, place, code)),
        // Members written by the program.
        6 => games.iter().for_each(|&g| {
            // SAFETY: the games are valid.
            let g = unsafe { &mut *g };
            *[&mut g.stick, &mut g.square, &mut g.next][place.0 % 3] = code;
        }),
        7 => without_board(games, code),
        // A board with an invalid cell is not printed.
        _ if cells(games[0]).contains(&BAD) => {
            // SAFETY: the boards are valid.
            assert_eq!(both(games, |g| unsafe { board_show((*g).b) }), Err(()));
        }
        _ => {}
    }
    Ok(())
}

/// Calls a function with both games. The results must agree; after an error, the cells are what they were.
fn both<T: PartialEq + std::fmt::Debug>(
    games: &[*mut game; 2],
    call: impl Fn(*mut game) -> T,
) -> std::result::Result<T, T> {
    let [matrix, bits] = games.map(|g| {
        let (before, errors) = (cells(g), ERRORS.get());
        let answer = call(g);
        if ERRORS.get() == errors {
            return Ok(answer);
        }
        assert_eq!((cells(g), ERRORS.get()), (before, errors + 1));
        Err(answer)
    });
    assert_eq!(matrix, bits);
    assert_eq!(cells(games[0]), cells(games[1]));
    matrix
}

/// Compares an answer and both boards with the oracle's.
fn check<T: PartialEq + std::fmt::Debug>(games: &[*mut game; 2], answer: T, expected: T, oracle: &Oracle) {
    assert_eq!(answer, expected);
    assert_eq!(cells(games[0]), oracle.rows.iter().flatten().map(|cell| *cell as u32).collect::<Vec<_>>());
}

/// Returns the oracle's game, or `None` if the program has written something invalid into this one.
fn oracle(g: *mut game) -> Option<Oracle> {
    // SAFETY: the game and its board are valid.
    let (g, b) = unsafe { (&*g, &*(*g).b) };
    let next = *[Cell::Black, Cell::White].get(g.next as usize)?;
    if g.stick == 0 || g.square == 0 {
        return None;
    }
    let cells: Option<Vec<Cell>> =
        cells(g as *const game as *mut game).into_iter().map(Cell::from_code).collect();
    let rows = cells?.chunks(b.width as usize).map(<[Cell]>::to_vec).collect();
    Some(Oracle { rows, stick: g.stick as usize, square: g.square as usize, next })
}

/// Reads all cells from the memory; every invalid one is [`BAD`].
fn cells(g: *mut game) -> Vec<u32> {
    // SAFETY: the game and its board are valid, and the places are on it.
    unsafe {
        let b = &*(*g).b;
        let (width, count) = (b.width as usize, (b.width * b.height) as usize);
        if b.r#type == 0 {
            return (0..count).map(|i| (*(*b.u.matrix.add(i / width)).add(i % width)).min(BAD)).collect();
        }
        let pair = |i: usize| *b.u.bits.add(i / 16) >> (2 * (i % 16)) & 3;
        // The rest of the last word stays 0.
        assert!((count..count.next_multiple_of(16)).all(|i| pair(i) == 0));
        (0..count).map(pair).collect()
    }
}

/// Writes any number into a cell's memory; where it is off the board, nothing is written.
fn write(g: *mut game, (r, c): (usize, usize), code: u32) {
    // SAFETY: the game and its board are valid, and the place is on it.
    unsafe {
        let b = &*(*g).b;
        if r >= b.height as usize || c >= b.width as usize {
            return;
        }
        if b.r#type == 0 {
            *(*b.u.matrix.add(r)).add(c) = code;
        } else {
            let i = r * b.width as usize + c;
            let word = &mut *b.u.bits.add(i / 16);
            *word = *word & !(3 << (2 * (i % 16))) | code.min(BAD) << (2 * (i % 16));
        }
    }
}

/// Calls every function with a board that is NULL, of no type, or without memory: each time an error.
fn without_board(games: &[*mut game; 2], code: u32) {
    for &g in games {
        let errors = ERRORS.get();
        // SAFETY: the functions check what is broken here, and it is mended before anything else happens.
        unsafe {
            let b = (*g).b;
            let (kind, memory) = ((*b).r#type, (*b).u.bits);
            match code % 3 {
                0 => (*g).b = null_mut(),
                1 => (*b).r#type = 2 + code,
                _ => (*b).u.bits = null_mut(),
            }
            assert_eq!(drop_stick(g, 0, 1), 0);
            breakdown(g);
            assert_eq!(game_outcome(g) as u32, 3);
            assert_eq!(board_get((*g).b, make_pos(0, 0)) as u32, 0);
            board_set((*g).b, make_pos(0, 0), 1);
            board_show((*g).b);
            (*g).b = b;
            ((*b).r#type, (*b).u.bits) = (kind, memory);
        }
        assert_eq!(ERRORS.get(), errors + 6);
    }
}
