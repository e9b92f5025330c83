//! A position of any game, behind one handle.

use std::ffi::{c_char, c_uint};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::guard::{Failure, Out, OutText, Result, release, shared, status, text};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::{Outcome, Player, Position, Tally, with_position};

/// One of the games.
#[repr(C)]
pub enum petteia_game {
    PETTEIA_TICTAC = 0,
    PETTEIA_BREAKDOWN = 1,
    PETTEIA_REVERSI = 2,
    PETTEIA_QUARTO = 3,
}

/// A game as C sends it: any number.
pub type RawGame = c_uint;

/// A player, by who makes the first move of the game: X in TicTac unless O begins, black in Breakdown, dark in Reversi, 1
/// in Quarto.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum petteia_player {
    PETTEIA_FIRST = 0,
    PETTEIA_SECOND = 1,
    /// Neither: the turn of a finished game, the owner of an empty cell.
    PETTEIA_NOBODY = 2,
}

/// A player as C sends it: any number.
pub type RawPlayer = c_uint;

/// How a game stands.
#[repr(C)]
pub enum petteia_outcome {
    PETTEIA_FIRST_WINS = 0,
    PETTEIA_SECOND_WINS = 1,
    PETTEIA_DRAW = 2,
    PETTEIA_IN_PROGRESS = 3,
}

/// How a number of random games ended.
#[repr(C)]
pub struct petteia_tally {
    /// Games won by the first player.
    pub first_wins: u64,
    /// Games won by the second player.
    pub second_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Moves played in all games together.
    pub plies: u64,
}

impl From<Tally> for petteia_tally {
    fn from(tally: Tally) -> Self {
        let [first_wins, second_wins] = tally.wins;
        petteia_tally { first_wins, second_wins, draws: tally.draws, plies: tally.plies }
    }
}

/// A position of a game: the board, whose turn it is and what moves are legal, with no memory of how it came about.
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
        _ => Err(Failure::argument(format!("invalid player {raw}: expected 0, 1 or 2"))),
    }
}

/// Describes a position that is not of the game a function is for.
#[cold]
pub(super) fn wrong_game(expected: Game, position: &petteia_position) -> Failure {
    let message = format!("a position of {}: expected one of {expected}", position.0.game());
    Failure::new(petteia_status::PETTEIA_WRONG_GAME, message)
}

/// Answers a question about a position with one value.
///
/// # Safety
///
/// The pointers are NULL, or a position and a place for the answer.
#[inline]
pub(super) unsafe fn ask<T>(
    position: *const petteia_position,
    place: *mut T,
    answer: impl FnOnce(&petteia_position) -> Result<T>,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let (position, place) = unsafe { (shared(position, "position")?, Out::new(place)?) };
        place.write(answer(position)?);
        Ok(())
    })
}

/// Answers a question about a position with a text.
///
/// # Safety
///
/// The pointers are NULL, or a position and places for the text and its length.
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

fn read_game(raw: RawGame) -> Result<Game> {
    let game = Game::ALL.get(raw as usize).copied();
    game.ok_or_else(|| Failure::argument(format!("invalid game {raw}: expected 0 to 3")))
}

/// Writes the name of a game, such as "reversi".
///
/// # Safety
///
/// As the header says: `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_game_name(
    game: RawGame,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller keeps the header's rules.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(read_game(game)?.name());
        Ok(())
    })
}

/// Makes the position that a game starts from, by the game's name and its parameters as one text: for "tictac" who begins
/// ("X"), for "breakdown" width, height, stick and square ("4 5 2 2"), for "reversi" width and height ("8 8"), for
/// "quarto" nothing. Empty parameters stand for those just named. The caller frees it with petteia_position_free.
///
/// petteia_tictac_new, petteia_breakdown_new, petteia_reversi_new and petteia_quarto_new do the same by numbers.
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
        // SAFETY: the caller keeps the header's rules.
        let (game, parameters, position) =
            unsafe { (text(game, "game")?, text(parameters, "parameters")?, Out::new(position)?) };
        let game: Game = game.parse()?;
        let start = match parameters {
            "" => AnyPosition::default_start(game),
            words => AnyPosition::start(game, words)?,
        };
        position.hand_over(petteia_position(start));
        Ok(())
    })
}

/// Makes a position from its one-line text, such as "____/_DL_/_LD_/____ D"; see petteia_position_text. The caller frees
/// it with petteia_position_free.
///
/// # Safety
///
/// `line` is NULL or a C string, `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_parse(
    game: RawGame,
    line: *const c_char,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller keeps the header's rules.
        let (line, position) = unsafe { (text(line, "line")?, Out::new(position)?) };
        position.hand_over(petteia_position(AnyPosition::parse(read_game(game)?, line)?));
        Ok(())
    })
}

/// Makes a copy of a position, which the caller frees with petteia_position_free.
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
        // SAFETY: the caller keeps the header's rules.
        let (position, clone) = unsafe { (shared(position, "position")?, Out::new(clone)?) };
        clone.hand_over(petteia_position(position.0.clone()));
        Ok(())
    })
}

/// Frees a position; NULL is fine.
///
/// # Safety
///
/// `position` is NULL or a position that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_free(position: *mut petteia_position) {
    // SAFETY: the caller keeps the header's rules.
    unsafe { release(position) }
}

/// Tells whether two positions are equal: of the same game with the same parameters, and with the same future. Finished
/// positions that differ only in who would have moved are equal.
///
/// # Safety
///
/// Both are NULL or positions, `equal` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_equal(
    position: *const petteia_position,
    other: *const petteia_position,
    equal: *mut bool,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller keeps the header's rules.
        let other = unsafe { shared(other, "other") }?;
        Ok(position.0 == other.0)
    };
    // SAFETY: as above.
    unsafe { ask(position, equal, answer) }
}

/// Writes a hash of a position, the same for equal positions, also in other processes that run the same version.
///
/// # Safety
///
/// `position` is NULL or a position, `hash` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_hash(
    position: *const petteia_position,
    hash: *mut u64,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let mut hasher = DefaultHasher::new();
        position.0.hash(&mut hasher);
        Ok(hasher.finish())
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, hash, answer) }
}

/// Writes which game a position is of.
///
/// # Safety
///
/// `position` is NULL or a position, `game` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_game(
    position: *const petteia_position,
    game: *mut petteia_game,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(match position.0.game() {
            Game::TicTac => petteia_game::PETTEIA_TICTAC,
            Game::Breakdown => petteia_game::PETTEIA_BREAKDOWN,
            Game::Reversi => petteia_game::PETTEIA_REVERSI,
            Game::Quarto => petteia_game::PETTEIA_QUARTO,
        })
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, game, answer) }
}

/// Writes the parameters of a position's game, as petteia_position_new reads them.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes a player's name in a position's game: "X" and "O", "black" and "white", "dark" and "light", "1" and "2".
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
        let player = self::player(player)?.ok_or_else(|| Failure::argument("nobody has no name"))?;
        Ok(with_position!(&position.0, p => p.players()[player.index()].to_owned()))
    };
    // SAFETY: the caller keeps the header's rules.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Writes whose turn it is: PETTEIA_NOBODY when the game is over.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, turn, answer) }
}

/// Writes how the game stands.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, outcome, answer) }
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { ask(position, is_over, answer) }
}
