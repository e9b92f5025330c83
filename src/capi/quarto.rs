//! Quarto: what else its document, a project of a C++ course, has: pieces, squares, the pool, the myopic player.

use std::ffi::{c_char, c_uint};

use super::guard::{Failure, Out, OutText, Result, enough, exclusive, release, shared, status, text};
use super::position::{ask, petteia_position, tell, wrong_game};
use super::status::petteia_status;
use crate::Quarto;
use crate::any::{AnyPosition, Game};
use crate::quarto::{Color, Height, MyopicPlayer, Piece, QuartoError, QuartoPlayer, Shape, Square, Top};

/// The height of a piece: S or T in its code.
#[repr(C)]
pub enum petteia_quarto_height {
    PETTEIA_QUARTO_SHORT = 0,
    PETTEIA_QUARTO_TALL = 1,
}

/// The colour of a piece: B or E in its code.
#[repr(C)]
pub enum petteia_quarto_color {
    PETTEIA_QUARTO_BEIGE = 0,
    PETTEIA_QUARTO_SEPIA = 1,
}

/// The shape of a piece: C or Q in its code.
#[repr(C)]
pub enum petteia_quarto_shape {
    PETTEIA_QUARTO_CIRCLE = 0,
    PETTEIA_QUARTO_SQUARE = 1,
}

/// The top of a piece: H or O in its code.
#[repr(C)]
pub enum petteia_quarto_top {
    PETTEIA_QUARTO_HOLLOW = 0,
    PETTEIA_QUARTO_SOLID = 1,
}

// The core has the same numbers.
const _: () = {
    use petteia_quarto_color::*;
    use petteia_quarto_height::*;
    use petteia_quarto_shape::*;
    use petteia_quarto_top::*;
    assert!(
        PETTEIA_QUARTO_SHORT as u8 == Height::Short as u8 && PETTEIA_QUARTO_TALL as u8 == Height::Tall as u8
    );
    assert!(
        PETTEIA_QUARTO_BEIGE as u8 == Color::Beige as u8 && PETTEIA_QUARTO_SEPIA as u8 == Color::Sepia as u8
    );
    assert!(PETTEIA_QUARTO_CIRCLE as u8 == Shape::Circle as u8);
    assert!(PETTEIA_QUARTO_SQUARE as u8 == Shape::Square as u8);
    assert!(
        PETTEIA_QUARTO_HOLLOW as u8 == Top::Hollow as u8 && PETTEIA_QUARTO_SOLID as u8 == Top::Solid as u8
    );
};

/// Attributes as C passes them: any numbers.
pub type RawHeight = c_uint;
pub type RawColor = c_uint;
pub type RawShape = c_uint;
pub type RawTop = c_uint;

/// The document's myopic player. It takes a win in one move, avoids giving one away, and otherwise plays at random. On
/// every machine, its random numbers are those of the GNU C library's srand and rand.
pub struct petteia_quarto_myopic(MyopicPlayer);

impl From<QuartoError> for Failure {
    fn from(error: QuartoError) -> Self {
        let status = match error {
            QuartoError::InvalidInput(_) => petteia_status::PETTEIA_PARSE_ERROR,
            _ => petteia_status::PETTEIA_UNAVAILABLE,
        };
        Failure::new(status, error)
    }
}

impl petteia_position {
    fn quarto(&self) -> Result<&Quarto> {
        match &self.0 {
            AnyPosition::Quarto(game) => Ok(game),
            _ => Err(wrong_game(Game::Quarto, self)),
        }
    }
}

fn read_piece(raw: c_uint) -> Result<Piece> {
    let piece = Piece::new(raw as usize);
    piece.ok_or_else(|| Failure::invalid("piece", raw, "0 to 15"))
}

fn read_square(raw: c_uint) -> Result<Square> {
    let square = Square::new(raw as usize);
    square.ok_or_else(|| Failure::invalid("square", raw, "0 to 15"))
}

/// Reads one of an attribute's two values.
fn attribute<T: Copy>(both: [T; 2], raw: c_uint, name: &str) -> Result<T> {
    let value = both.get(raw as usize).copied();
    value.ok_or_else(|| Failure::invalid(name, raw, "0 or 1"))
}

fn unavailable(message: &str) -> Failure {
    Failure::new(petteia_status::PETTEIA_UNAVAILABLE, message)
}

/// Creates the empty board, with player 1 to select a piece. The caller frees it with petteia_position_free.
///
/// # Safety
///
/// `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_new(position: *mut *mut petteia_position) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let position = unsafe { Out::new(position, "position") }?;
        position.hand_over(petteia_position(Quarto::new().into()));
        Ok(())
    })
}

/// Writes the number of the piece with the given attributes.
///
/// # Safety
///
/// `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_piece(
    height: RawHeight,
    color: RawColor,
    shape: RawShape,
    top: RawTop,
    piece: *mut c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(piece, "piece") }?;
        let piece = Piece::with(
            attribute(Height::BOTH, height, "height")?,
            attribute(Color::BOTH, color, "color")?,
            attribute(Shape::BOTH, shape, "shape")?,
            attribute(Top::BOTH, top, "top")?,
        );
        out.write(piece.index() as c_uint);
        Ok(())
    })
}

/// Writes the code of a piece, such as "SBCH".
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_piece_code(
    piece: c_uint,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(&read_piece(piece)?.to_string());
        Ok(())
    })
}

/// Writes the number of the piece with a code, used or not. Fails with PETTEIA_PARSE_ERROR if there is none.
///
/// # Safety
///
/// `code` is NULL or a C string, `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_parse_piece(
    code: *const c_char,
    piece: *mut c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (code, out) = unsafe { (text(code, "code")?, Out::new(piece, "piece")?) };
        out.write(code.parse::<Piece>()?.index() as c_uint);
        Ok(())
    })
}

/// Writes the name of a square, such as "B2".
///
/// # Safety
///
/// `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_square_name(
    square: c_uint,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { OutText::new(buf, cap, len) }?;
        out.write(&read_square(square)?.to_string());
        Ok(())
    })
}

/// Writes the number of the square with a name, empty or not. Fails with PETTEIA_PARSE_ERROR if there is none.
///
/// # Safety
///
/// `name` is NULL or a C string, `square` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_parse_square(
    name: *const c_char,
    square: *mut c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (name, out) = unsafe { (text(name, "name")?, Out::new(square, "square")?) };
        out.write(name.parse::<Square>()?.index() as c_uint);
        Ok(())
    })
}

/// Writes whether a square is on the diagonal from top left to bottom right.
///
/// # Safety
///
/// `is_on_it` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_is_on_first_diagonal(
    square: c_uint,
    is_on_it: *mut bool,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(is_on_it, "is_on_it") }?;
        out.write(read_square(square)?.is_on_first_diagonal());
        Ok(())
    })
}

/// Writes whether a square is on the diagonal from top right to bottom left.
///
/// # Safety
///
/// `is_on_it` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_is_on_second_diagonal(
    square: c_uint,
    is_on_it: *mut bool,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(is_on_it, "is_on_it") }?;
        out.write(read_square(square)?.is_on_second_diagonal());
        Ok(())
    })
}

/// Writes the piece with a code if it has not been placed. Fails with PETTEIA_UNAVAILABLE if it has
/// ("SBCH is already used."), PETTEIA_PARSE_ERROR if there is no such piece ("ABCD is an invalid input.").
///
/// # Safety
///
/// `position` is NULL or a position, `code` is NULL or a C string, `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_unused_piece(
    position: *const petteia_position,
    code: *const c_char,
    piece: *mut c_uint,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller upholds the header's contract.
        let code = unsafe { text(code, "code") }?;
        Ok(position.quarto()?.pool().get_unused_piece_by_code(code)?.index() as c_uint)
    };
    // SAFETY: as above.
    unsafe { ask(position, (piece, "piece"), answer) }
}

/// Writes the square with a name if it is empty. Fails with PETTEIA_UNAVAILABLE if it is not ("B2 is not empty."),
/// PETTEIA_PARSE_ERROR if there is no such square ("C5D is an invalid input.").
///
/// # Safety
///
/// `position` is NULL or a position, `name` is NULL or a C string, `square` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_empty_square(
    position: *const petteia_position,
    name: *const c_char,
    square: *mut c_uint,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        // SAFETY: the caller upholds the header's contract.
        let name = unsafe { text(name, "name") }?;
        Ok(position.quarto()?.board().get_empty_square_by_name(name)?.index() as c_uint)
    };
    // SAFETY: as above.
    unsafe { ask(position, (square, "square"), answer) }
}

/// Writes the piece on a square. Fails with PETTEIA_UNAVAILABLE if there is none ("A1 is empty.").
///
/// # Safety
///
/// `position` is NULL or a position, `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_get(
    position: *const petteia_position,
    square: c_uint,
    piece: *mut c_uint,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(position.quarto()?.board().get_piece(read_square(square)?)?.index() as c_uint)
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (piece, "piece"), answer) }
}

/// Writes the selected piece, which is to be placed. Fails with PETTEIA_UNAVAILABLE if there is none.
///
/// # Safety
///
/// `position` is NULL or a position, `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_hand(
    position: *const petteia_position,
    piece: *mut c_uint,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let hand = position.quarto()?.hand().ok_or_else(|| unavailable("no piece is selected"))?;
        Ok(hand.index() as c_uint)
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (piece, "piece"), answer) }
}

/// Writes the set of pieces not yet placed, including a selected one, bit i for piece i.
///
/// # Safety
///
/// `position` is NULL or a position, `pieces` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_unused_pieces(
    position: *const petteia_position,
    pieces: *mut u16,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(position.quarto()?.pool().unused().fold(0, |set, piece| set | 1 << piece.index()))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (pieces, "pieces"), answer) }
}

/// Writes the set of empty squares, bit i for square i.
///
/// # Safety
///
/// `position` is NULL or a position, `squares` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_empty_squares(
    position: *const petteia_position,
    squares: *mut u16,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        let board = position.quarto()?.board();
        let empty = Square::ALL.into_iter().filter(|&square| board.is_empty(square));
        Ok(empty.fold(0, |set, square| set | 1 << square.index()))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (squares, "squares"), answer) }
}

/// Writes whether a piece on a square completes a line with a common attribute. The piece may already be there.
///
/// # Safety
///
/// `position` is NULL or a position, `is_winning` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_is_winning(
    position: *const petteia_position,
    piece: c_uint,
    square: c_uint,
    is_winning: *mut bool,
) -> petteia_status {
    let answer = |position: &petteia_position| {
        Ok(position.quarto()?.board().is_winning(read_piece(piece)?, read_square(square)?))
    };
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (is_winning, "is_winning"), answer) }
}

/// Writes the set of empty squares on which a piece would win at once, bit i for square i. It is empty if the game is
/// over.
///
/// # Safety
///
/// `position` is NULL or a position, `squares` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_winning_squares(
    position: *const petteia_position,
    piece: c_uint,
    squares: *mut u16,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(position.quarto()?.winning_squares_for(read_piece(piece)?));
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (squares, "squares"), answer) }
}

/// Writes the set of unselected pieces with which the opponent could win at once, bit i for piece i.
///
/// # Safety
///
/// `position` is NULL or a position, `pieces` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_bad_pieces(
    position: *const petteia_position,
    pieces: *mut u16,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(position.quarto()?.bad_pieces());
    // SAFETY: the caller upholds the header's contract.
    unsafe { ask(position, (pieces, "pieces"), answer) }
}

/// Writes the pool as the document draws it: three lines with the unused pieces, or nothing if all are used.
/// petteia_position_drawing draws the board.
///
/// # Safety
///
/// `position` is NULL or a position; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_pool_drawing(
    position: *const petteia_position,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    let answer = |position: &petteia_position| Ok(position.quarto()?.pool().to_string());
    // SAFETY: the caller upholds the header's contract.
    unsafe { tell(position, (buf, cap, len), answer) }
}

/// Creates a myopic player, with the random numbers of srand(seed). The caller frees it with
/// petteia_quarto_myopic_free.
///
/// # Safety
///
/// `player` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_myopic_new(
    seed: c_uint,
    player: *mut *mut petteia_quarto_myopic,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let out = unsafe { Out::new(player, "player") }?;
        out.hand_over(petteia_quarto_myopic(MyopicPlayer::new(seed)));
        Ok(())
    })
}

/// Frees a myopic player. NULL is ignored.
///
/// # Safety
///
/// `player` is NULL or a player that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_myopic_free(player: *mut petteia_quarto_myopic) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(player) }
}

/// Lets a myopic player choose an unused piece for the opponent, if possible one that does not win at once. The
/// position is unchanged. Fails with PETTEIA_UNAVAILABLE if no piece is left.
///
/// # Safety
///
/// `player` is NULL or a player, `position` is NULL or a position, `piece` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_myopic_select_piece(
    player: *mut petteia_quarto_myopic,
    position: *const petteia_position,
    piece: *mut c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (player, position, out) = unsafe {
            (exclusive(player, "player")?, shared(position, "position")?, Out::new(piece, "piece")?)
        };
        let game = position.quarto()?;
        let mut next = player.0.clone();
        let chosen = next.select_piece(&game.board(), &game.pool());
        let chosen = chosen.map_err(|error| unavailable(&error.to_string()))?;
        enough()?;
        player.0 = next;
        out.write(chosen.index() as c_uint);
        Ok(())
    })
}

/// Lets a myopic player choose an empty square for a piece: the first on which it wins, else a random one. The
/// position is unchanged. Fails with PETTEIA_UNAVAILABLE if no square is empty.
///
/// # Safety
///
/// `player` is NULL or a player, `position` is NULL or a position, `square` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_quarto_myopic_select_square(
    player: *mut petteia_quarto_myopic,
    position: *const petteia_position,
    piece: c_uint,
    square: *mut c_uint,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (player, position, out) = unsafe {
            (exclusive(player, "player")?, shared(position, "position")?, Out::new(square, "square")?)
        };
        let game = position.quarto()?;
        let mut next = player.0.clone();
        let chosen = next.select_square(&game.board(), &game.pool(), read_piece(piece)?);
        let chosen = chosen.map_err(|error| unavailable(&error.to_string()))?;
        enough()?;
        player.0 = next;
        out.write(chosen.index() as c_uint);
        Ok(())
    })
}
