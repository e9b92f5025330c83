//! A position of any game, behind one handle.

use std::ffi::{c_char, c_uint};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::game::{RawGame, known_parameters, raw_game};
use super::guard::{Failure, Out, OutArray, OutText, Result, exclusive, release, shared, status, text};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::error::zeros;
use crate::prelude::*;
use crate::{ArgumentError, SolveError, Tally, with_position};

/// A player. petteia_position_player_name writes a game's names for the two, such as "dark" and "light".
#[derive(Clone, Copy)]
#[repr(C)]
pub enum petteia_player {
    /// The player who moves first.
    PETTEIA_FIRST = 0,
    /// The other player.
    PETTEIA_SECOND = 1,
    /// Neither player: the turn of a finished game, the owner of an empty square.
    PETTEIA_NOBODY = 2,
}

/// A player as C passes it: any number.
pub type RawPlayer = c_uint;

/// The result of a game; PETTEIA_IN_PROGRESS until it is over.
#[repr(C)]
pub enum petteia_outcome {
    PETTEIA_FIRST_WINS = 0,
    PETTEIA_SECOND_WINS = 1,
    PETTEIA_DRAW = 2,
    PETTEIA_IN_PROGRESS = 3,
}

/// Counts of the results of several games.
#[repr(C)]
pub struct petteia_tally {
    /// Games won by the first player.
    pub first_wins: u64,
    /// Games won by the second player.
    pub second_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Moves played in all games.
    pub plies: u64,
}

impl From<Tally> for petteia_tally {
    fn from(tally: Tally) -> Self {
        let [first_wins, second_wins] = tally.wins;
        petteia_tally { first_wins, second_wins, draws: tally.draws, plies: tally.plies }
    }
}

/// A position of a game: the board and the player to move, without the moves that led to it.
pub struct petteia_position(pub(super) AnyPosition);

impl From<Option<Player>> for petteia_player {
    fn from(player: Option<Player>) -> Self {
        match player {
            Some(Player::First) => petteia_player::PETTEIA_FIRST,
            Some(Player::Second) => petteia_player::PETTEIA_SECOND,
            None => petteia_player::PETTEIA_NOBODY,
        }
    }
}

/// Reads a player, or nobody, from C.
pub(super) fn player(raw: RawPlayer) -> Result<Option<Player>> {
    match raw {
        0 => Ok(Some(Player::First)),
        1 => Ok(Some(Player::Second)),
        2 => Ok(None),
        _ => Err(Failure::invalid("player", raw, "0, 1 or 2")),
    }
}

/// Describes a position of the wrong game.
#[cold]
pub(super) fn wrong_game(expected: Game, position: &petteia_position) -> Failure {
    let message = format!("a {} position: expected a {expected} position", position.0.game());
    Failure::new(petteia_status::PETTEIA_WRONG_GAME, message)
}

impl petteia_position {
    /// Fails if the game is over.
    pub(super) fn in_progress(&self) -> Result<()> {
        match with_position!(&self.0, p => p.turn()) {
            Some(_) => Ok(()),
            None => Err(SolveError::Over.into()),
        }
    }
}

/// Writes a value computed from a position to a place, which has a name in the header.
///
/// # Safety
///
/// `position` is NULL or a position, `place` is NULL or valid for writes.
#[inline]
pub(super) unsafe fn ask<T>(
    position: *const petteia_position,
    (place, name): (*mut T, &str),
    answer: impl FnOnce(&petteia_position) -> Result<T>,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let (position, place) = unsafe { (shared(position, "position")?, Out::new(place, name)?) };
        place.write(answer(position)?);
        Ok(())
    })
}

/// Writes a text computed from a position.
///
/// # Safety
///
/// `position` is NULL or a position, the others are as for [`OutText::new`].
pub(super) unsafe fn tell(
    position: *const petteia_position,
    (buf, cap, len): (*mut c_char, usize, *mut usize),
    answer: impl FnOnce(&petteia_position) -> Result<String>,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let (position, out) = unsafe { (shared(position, "position")?, OutText::new(buf, cap, len)?) };
        out.write(&answer(position)?);
        Ok(())
    })
}

/// Creates the starting position of a game. The caller frees it with petteia_position_free.
///
/// `game` is the game's name. `parameters` lists the values of its parameters, separated by single spaces, such as
/// "8 8" for the width and height of "reversi"; an empty text stands for the defaults. petteia_game_parameter
/// describes the parameters of a game. Each game also has a function that takes them as numbers, such as
/// petteia_reversi_new.
///
/// Fails with PETTEIA_PARSE_ERROR if there is no such game or the parameters are invalid, PETTEIA_NO_MEMORY if there
/// is not enough memory for the board.
///
/// # Safety
///
/// `game` and `parameters` are NULL or C strings, `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_new(
    game: *const c_char,
    parameters: *const c_char,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (game, parameters, position) = unsafe {
            (text(game, "game")?, text(parameters, "parameters")?, Out::new(position, "position")?)
        };
        let game: Game = game.parse()?;
        let start = match parameters {
            "" => AnyPosition::default_start(game),
            words => AnyPosition::start(game, words)?,
        };
        position.hand_over(petteia_position(start));
        Ok(())
    })
}

/// Creates a position of the game with a name from its text, such as "____/_DL_/_LD_/____ D" for "reversi"; see
/// petteia_position_text. The caller frees it with petteia_position_free. Fails with PETTEIA_PARSE_ERROR if there is no
/// such game or the text is not a position of it, PETTEIA_NO_MEMORY if there is not enough memory for the board.
///
/// # Safety
///
/// `game` and `line` are NULL or C strings, `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_parse(
    game: *const c_char,
    line: *const c_char,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (game, line, position) =
            unsafe { (text(game, "game")?, text(line, "line")?, Out::new(position, "position")?) };
        position.hand_over(petteia_position(AnyPosition::parse(game.parse()?, line)?));
        Ok(())
    })
}

/// Creates a copy of a position. The caller frees it with petteia_position_free.
///
/// # Safety
///
/// `position` is NULL or a position, `clone` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_clone(
    position: *const petteia_position,
    clone: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, clone) = unsafe { (shared(position, "position")?, Out::new(clone, "clone")?) };
        clone.hand_over(petteia_position(position.0.clone()));
        Ok(())
    })
}

/// Makes a position a copy of another, of the same game or not. It takes no memory from the heap, except for boards of
/// more than 128 cells that differ in size. Fails with PETTEIA_NO_MEMORY if there is not enough; `dst` is then
/// unchanged. Both may be the same position.
///
/// A search keeps one position for each ply of its line: it copies the position of one ply to the next, and plays a
/// move there. Nothing needs to be undone.
///
/// # Safety
///
/// Both are NULL or positions; nothing else uses `dst` meanwhile.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_copy(
    dst: *mut petteia_position,
    src: *const petteia_position,
) -> petteia_status {
    status(|| {
        if std::ptr::eq(dst.cast_const(), src) && !dst.is_null() {
            return Ok(());
        }
        // SAFETY: the caller upholds the header's contract, and these are not the same.
        let (dst, src) = unsafe { (exclusive(dst, "dst")?, shared(src, "src")?) };
        dst.0.clone_from(&src.0);
        Ok(())
    })
}

/// Frees a position. NULL is ignored.
///
/// # Safety
///
/// `position` is NULL or a position that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_free(position: *mut petteia_position) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(position) }
}

/// Writes whether two positions are equal: the same game, parameters, board and player to move. A finished game has no
/// player to move.
///
/// # Safety
///
/// Both are NULL or positions, `equal` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_equal(
    position: *const petteia_position,
    other: *const petteia_position,
    equal: *mut bool,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller upholds the header's contract.
        let other = unsafe { shared(other, "other") }?;
        Ok(position.0 == other.0)
    };
    // SAFETY: as above.
    unsafe { ask(position, (equal, "equal"), answer) }
}

/// Writes the key of a position: two numbers that two positions of the same game and parameters share exactly if they
/// are equal. It is the key of a transposition table that never mistakes one position for another. It may differ
/// between versions of the library.
///
/// Fails with PETTEIA_UNAVAILABLE if two numbers cannot hold the position, as on boards of Breakdown with more than 64
/// cells.
///
/// # Safety
///
/// `position` is NULL or a position, `key` has room for two numbers.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_key(
    position: *const petteia_position,
    key: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| with_position!(&position.0, p => p.exact_key().ok_or_else(|| no_key(p)));
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (key.cast::<[u64; 2]>(), "key"), answer) }
}

#[cold]
fn no_key<P: Declared>(position: &P) -> Failure {
    let message = format!("no key for {} {}: expected a smaller board", P::NAME, position.parameters());
    Failure::new(petteia_status::PETTEIA_UNAVAILABLE, message)
}

/// Writes a hash of a position, made from its key if it has one. Equal positions have equal hashes in every process
/// that runs the same version of the library.
///
/// # Safety
///
/// `position` is NULL or a position, `hash` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_hash(
    position: *const petteia_position,
    hash: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let game = position.0.game() as u64;
        Ok(with_position!(&position.0, p => match p.exact_key() {
            // The same key of another game, or with other parameters, has another hash.
            Some([first, second]) => mixed([first.wrapping_add(p.family() << 8 | game), second]),
            None => {
                let mut hasher = DefaultHasher::new();
                p.hash(&mut hasher);
                hasher.finish()
            }
        }))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (hash, "hash"), answer) }
}

/// Mixes words into one, so that each of its bits depends on each of theirs.
#[inline]
fn mixed(words: [u64; 2]) -> u64 {
    // The odd number nearest to 2^64 divided by the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    words.into_iter().fold(FACTOR, |hash, word| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        // The low half does not depend on the high bits of the word, nor the high half much on its low bits.
        (product as u64 ^ (product >> 64) as u64).wrapping_add(FACTOR)
    })
}

/// Writes all cells of the board, row by row from the top: 0 is empty, 1 and 2 are the first and the second player's.
/// In Quarto they are the numbers of the pieces; 255 is empty.
///
/// # Safety
///
/// `position` is NULL or a position; `cells` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_cells(
    position: *const petteia_position,
    cells: *mut u8,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, cells) =
            unsafe { (shared(position, "position")?, OutArray::new(cells, cap, len, "cells")?) };
        with_position!(&position.0, p => {
            let (rows, columns) = p.shape();
            let mut all = zeros("the cells of a board", rows * columns)?;
            p.write_cells(&mut all);
            cells.write(all.into_iter());
        });
        Ok(())
    })
}

/// Writes the game of a position.
///
/// # Safety
///
/// `position` is NULL or a position, `game` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_game(
    position: *const petteia_position,
    game: *mut RawGame,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(raw_game(position.0.game()));
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (game, "game"), answer) }
}

/// Writes the parameters of a position's game as petteia_position_new takes them.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_parameters(
    position: *const petteia_position,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.parameters()));
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes the value of a parameter of a position's game, by the parameter's name, such as "width". A word is written
/// as its index in the list of petteia_game_parameter. Fails with PETTEIA_INVALID_ARGUMENT if the game has no
/// parameter of that name.
///
/// # Safety
///
/// `position` is NULL or a position, `name` is NULL or a C string, `value` is valid for writes.
#[cfg(not(target_family = "wasm"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_parameter(
    position: *const petteia_position,
    name: *const c_char,
    value: *mut i64,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller upholds the header's contract.
        let name = unsafe { text(name, "name") }?;
        let game = position.0.game();
        let values = with_position!(&position.0, p => p.values());
        let named = game.parameters().iter().zip(values).find(|(parameter, _)| parameter.name == name);
        let unknown = || ArgumentError::of_text("parameter", name, known_parameters(game));
        let (_, value) = named.ok_or_else(unknown)?;
        Ok(value.into())
    };
    // SAFETY: as above.
    unsafe { ask(position, (value, "value"), answer) }
}

/// Writes the name that a position's game has for a player, such as "dark". Fails with PETTEIA_INVALID_ARGUMENT for
/// PETTEIA_NOBODY.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_player_name(
    position: *const petteia_position,
    player: RawPlayer,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let player = self::player(player)?
            .ok_or_else(|| Failure::invalid("player", "PETTEIA_NOBODY", "PETTEIA_FIRST or PETTEIA_SECOND"))?;
        Ok(with_position!(&position.0, p => p.players()[player.index()].to_owned()))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes the player to move, or PETTEIA_NOBODY if the game is over.
///
/// # Safety
///
/// `position` is NULL or a position, `turn` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_turn(
    position: *const petteia_position,
    turn: *mut petteia_player,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.turn()).into());
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (turn, "turn"), answer) }
}

/// Writes the result of the game, or PETTEIA_IN_PROGRESS if it is not over.
///
/// # Safety
///
/// `position` is NULL or a position, `outcome` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_outcome(
    position: *const petteia_position,
    outcome: *mut petteia_outcome,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(match with_position!(&position.0, p => p.outcome()) {
            Some(Outcome::Win(Player::First)) => petteia_outcome::PETTEIA_FIRST_WINS,
            Some(Outcome::Win(Player::Second)) => petteia_outcome::PETTEIA_SECOND_WINS,
            Some(Outcome::Draw) => petteia_outcome::PETTEIA_DRAW,
            None => petteia_outcome::PETTEIA_IN_PROGRESS,
        })
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (outcome, "outcome"), answer) }
}

/// Writes whether the game is over.
///
/// # Safety
///
/// `position` is NULL or a position, `is_over` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_is_over(
    position: *const petteia_position,
    is_over: *mut bool,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(with_position!(&position.0, p => p.is_over()));
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (is_over, "is_over"), answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that differ little have hashes that differ much: none is the same, and any byte is as likely as any
    /// other.
    #[test]
    fn words_are_mixed_well() {
        for shift in [0, 8, 27, 56] {
            let words = |number: u64| [(number & 0xff) << shift, (number >> 8).rotate_right(shift)];
            let mut hashes: Vec<u64> = (0..1 << 16).map(|number| mixed(words(number))).collect();
            for byte in 0..8 {
                let mut counts = [0u32; 256];
                hashes.iter().for_each(|hash| counts[hash.to_le_bytes()[byte] as usize] += 1);
                // Five standard deviations and more of 65536 throws.
                assert!(counts.iter().all(|count| (170..340).contains(count)), "{shift} {byte} {counts:?}");
            }
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), 1 << 16);
        }
    }
}
