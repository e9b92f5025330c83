//! TicTac: the moves and game records of its document, a lab of a C++ course.

use std::ffi::{c_char, c_int, c_uint};

use super::guard::{Failure, Out, OutText, Result, array, exclusive, release, shared, status};
use super::position::{ask, petteia_player, petteia_position, wrong_game};
use super::status::petteia_status;
use crate::any::{AnyPosition, Game};
use crate::tictac::{Evaluator, Mark, Move, Square, Verdict, evaluate};
use crate::{Player, TicTac};

/// A player's mark.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum petteia_tictac_mark {
    PETTEIA_TICTAC_X = 0,
    PETTEIA_TICTAC_O = 1,
}

/// A mark as C passes it: any number.
pub type RawMark = c_uint;

// The core has the same numbers.
const _: () = {
    use petteia_tictac_mark::*;
    assert!(PETTEIA_TICTAC_X as u8 == Mark::X as u8 && PETTEIA_TICTAC_O as u8 == Mark::O as u8);
};

/// A line of a game record, such as "2 O C2".
#[repr(C)]
pub struct petteia_tictac_move {
    /// The number of the move, 1 to 9.
    pub number: c_uint,
    /// The player who moves.
    pub player: RawMark,
    /// The claimed square, row by row from 0 for A1 to 8 for C3.
    pub square: c_uint,
}

/// The evaluator's verdict on a game record.
#[derive(Clone, Copy)]
#[repr(C)]
pub enum petteia_tictac_verdict {
    /// No move has been made.
    PETTEIA_TICTAC_NEW_GAME = 0,
    /// The game goes on, and X is to move.
    PETTEIA_TICTAC_X_TURN = 1,
    /// The game goes on, and O is to move.
    PETTEIA_TICTAC_O_TURN = 2,
    /// X has won.
    PETTEIA_TICTAC_X_WINS = 3,
    /// O has won.
    PETTEIA_TICTAC_O_WINS = 4,
    /// All squares are claimed, and nobody has won.
    PETTEIA_TICTAC_DRAW = 5,
    /// A line is not a move.
    PETTEIA_TICTAC_PARSE_ERROR = 6,
    /// A move is against the rules.
    PETTEIA_TICTAC_INVALID_MOVE = 7,
}

/// A verdict as C passes it: any number.
pub type RawVerdict = c_uint;

/// An evaluator for a game record that arrives in pieces.
pub struct petteia_tictac_evaluator(Evaluator);

fn read_mark(raw: RawMark) -> Result<Mark> {
    match raw {
        0 => Ok(Mark::X),
        1 => Ok(Mark::O),
        _ => Err(Failure::invalid("mark", raw, "0 for X or 1 for O")),
    }
}

fn read_square(raw: c_uint) -> Result<Square> {
    let square = Square::new(raw as usize);
    square.ok_or_else(|| Failure::invalid("square", raw, "0 to 8"))
}

fn read_verdict(raw: RawVerdict) -> Result<Verdict> {
    let verdict = Verdict::ALL.get(raw as usize).copied();
    verdict.ok_or_else(|| Failure::invalid("verdict", raw, "0 to 7"))
}

impl From<Verdict> for petteia_tictac_verdict {
    fn from(verdict: Verdict) -> Self {
        use petteia_tictac_verdict::*;
        match verdict {
            Verdict::NewGame => PETTEIA_TICTAC_NEW_GAME,
            Verdict::XTurn => PETTEIA_TICTAC_X_TURN,
            Verdict::OTurn => PETTEIA_TICTAC_O_TURN,
            Verdict::XWins => PETTEIA_TICTAC_X_WINS,
            Verdict::OWins => PETTEIA_TICTAC_O_WINS,
            Verdict::Draw => PETTEIA_TICTAC_DRAW,
            Verdict::ParseError => PETTEIA_TICTAC_PARSE_ERROR,
            Verdict::InvalidMove => PETTEIA_TICTAC_INVALID_MOVE,
        }
    }
}

/// Creates the empty grid, with the given player to move. The caller frees it with petteia_position_free.
///
/// # Safety
///
/// `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_new(
    first: RawMark,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { Out::new(position, "position") }?;
        position.hand_over(petteia_position(TicTac::new(read_mark(first)?).into()));
        Ok(())
    })
}

/// Writes who has claimed a square, from 0 for A1 to 8 for C3. PETTEIA_FIRST is the player who moved first.
///
/// # Safety
///
/// `position` is NULL or a position, `owner` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_get(
    position: *const petteia_position,
    square: c_uint,
    owner: *mut petteia_player,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let AnyPosition::TicTac(game) = &position.0 else { return Err(wrong_game(Game::TicTac, position)) };
        let mark = game.get(read_square(square)?);
        Ok(Player::BOTH.into_iter().find(|player| mark == Some(game.marks()[player.index()])).into())
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (owner, "owner"), answer) }
}

/// Parses one line of a game record, of `size` bytes, with or without its newline. A comment may contain any bytes.
/// `line` may be NULL if `size` is 0. Fails with PETTEIA_PARSE_ERROR if the line does not follow the document's
/// format.
///
/// # Safety
///
/// `line` has `size` bytes, `move` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_parse_move(
    line: *const c_char,
    size: usize,
    r#move: *mut petteia_tictac_move,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (line, out) = unsafe { (array(line.cast(), size, "line")?, Out::new(r#move, "move")?) };
        let parsed = Move::parse(line)?;
        out.write(petteia_tictac_move {
            number: parsed.number().into(),
            player: parsed.player() as RawMark,
            square: parsed.square().index() as c_uint,
        });
        Ok(())
    })
}

/// Writes a move as a line of a game record, such as "2 O C2", without a newline. Fails with PETTEIA_INVALID_ARGUMENT
/// if there is no such move.
///
/// # Safety
///
/// `move` is NULL or a move; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_format_move(
    r#move: *const petteia_tictac_move,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (m, out) = unsafe { (shared(r#move, "move")?, OutText::new(buf, cap, len)?) };
        let number = u8::try_from(m.number).unwrap_or(u8::MAX);
        let line = Move::new(number, read_mark(m.player)?, read_square(m.square)?);
        let line = line.ok_or_else(|| Failure::invalid("move number", m.number, "1 to 9"))?;
        out.write(&line.to_string());
        Ok(())
    })
}

/// Evaluates a whole game record of `size` bytes, like the document's evaluator. `record` may be NULL if `size` is 0.
/// For an invalid record, the call succeeds and the verdict says so.
///
/// # Safety
///
/// `record` has `size` bytes, `verdict` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluate(
    record: *const c_char,
    size: usize,
    verdict: *mut petteia_tictac_verdict,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (record, verdict) =
            unsafe { (array(record.cast(), size, "record")?, Out::new(verdict, "verdict")?) };
        verdict.write(evaluate(record).into());
        Ok(())
    })
}

/// Writes the line that the document's evaluator prints for a verdict, such as "Game over: X wins.", without newline.
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_verdict_line(
    verdict: RawVerdict,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(read_verdict(verdict)?.line());
        Ok(())
    })
}

/// Writes the exit status of the document's evaluator for a verdict: 1 for a parse error, 2 for an invalid move, else
/// 0.
///
/// # Safety
///
/// `exit_code` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_exit_code(
    verdict: RawVerdict,
    exit_code: *mut c_int,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(exit_code, "exit_code") }?;
        out.write(read_verdict(verdict)?.exit_code().into());
        Ok(())
    })
}

/// Creates an evaluator for a game record that arrives in pieces. It uses constant memory. The caller frees it
/// with petteia_tictac_evaluator_free.
///
/// # Safety
///
/// `evaluator` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluator_new(
    evaluator: *mut *mut petteia_tictac_evaluator,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(evaluator, "evaluator") }?;
        out.hand_over(petteia_tictac_evaluator(Evaluator::new()));
        Ok(())
    })
}

/// Frees an evaluator. NULL is ignored.
///
/// # Safety
///
/// `evaluator` is NULL or an evaluator that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluator_free(evaluator: *mut petteia_tictac_evaluator) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(evaluator) }
}

/// Feeds an evaluator the next `size` bytes of its record, which may be split anywhere. `bytes` may be NULL if `size`
/// is 0.
///
/// # Safety
///
/// `evaluator` is NULL or an evaluator, `bytes` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluator_push(
    evaluator: *mut petteia_tictac_evaluator,
    bytes: *const c_char,
    size: usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (evaluator, bytes) =
            unsafe { (exclusive(evaluator, "evaluator")?, array(bytes.cast(), size, "bytes")?) };
        evaluator.0.push(bytes);
        Ok(())
    })
}

/// Writes whether an error has been found. The rest of the record cannot change the verdict then.
///
/// # Safety
///
/// `evaluator` is NULL or an evaluator, `is_decided` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluator_is_decided(
    evaluator: *const petteia_tictac_evaluator,
    is_decided: *mut bool,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (evaluator, out) =
            unsafe { (shared(evaluator, "evaluator")?, Out::new(is_decided, "is_decided")?) };
        out.write(evaluator.0.is_decided());
        Ok(())
    })
}

/// Writes the verdict on the record so far. More of it may follow.
///
/// # Safety
///
/// `evaluator` is NULL or an evaluator, `verdict` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_tictac_evaluator_verdict(
    evaluator: *const petteia_tictac_evaluator,
    verdict: *mut petteia_tictac_verdict,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (evaluator, out) = unsafe { (shared(evaluator, "evaluator")?, Out::new(verdict, "verdict")?) };
        out.write(evaluator.0.verdict().into());
        Ok(())
    })
}
