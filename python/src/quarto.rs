//! Quarto: its positions, and the rules behind its document's classes. These are written in Python; here a board is
//! sixteen numbers, the piece on each square.

use std::io;

use petteia::quarto::{Board, GlibcRand, MyopicPlayer, Piece, Pool, QuartoPlayer, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in};
use crate::errors::out_of_range;
use crate::position::{Rebuild, position_class};

position_class! {
    /// A position of Quarto, in which the opponent selects the piece that you place.
    ///
    /// A ply selects a piece by its code (action 0 for SBCH to 15 for TEQO) or places it on a square, row first
    /// (action 16 for A1 to 31 for D4). Player 1 selects first; the player who places a piece selects the next.
    ///
    /// >>> game = petteia.Quarto().play("SBCH").play("A1").play("TEQO")
    /// >>> game.text
    /// '0.../..../..../.... f 1'
    /// >>> game.hand
    /// 'TEQO'
    ///
    /// An observation has ten planes of 4 by 4: occupied, tall, sepia, square and solid for the board, then the same
    /// five for the piece in hand, each constant over its plane. In array, an empty square is -1 and a piece is its
    /// number; in cells, these take a byte each, followed by one for the piece in hand.
    Quarto "()" {
        /// The code of the piece to be placed, or None.
        #[getter]
        fn hand(&self) -> Option<String> {
            self.0.hand().map(|piece| piece.to_string())
        }

        /// The squares of the winning lines, as (row, column), row by row; empty if nobody has won.
        #[getter]
        fn winning_cells(&self) -> Vec<(usize, usize)> {
            self.0.winning_squares().map(|square| (square.v() as usize, square.h() as usize)).collect()
        }
    }
}

type Cells = Vec<Option<Integer>>;

fn piece(index: Integer) -> PyResult<Piece> {
    let index = index.named("piece")?;
    let known = index.index().and_then(Piece::new);
    known.ok_or_else(|| out_of_range("piece", index, "0 to 15"))
}

fn square(index: Integer) -> PyResult<Square> {
    let index = index.named("square")?;
    let known = index.index().and_then(Square::new);
    known.ok_or_else(|| out_of_range("square", index, "0 to 15"))
}

fn board(cells: Cells) -> PyResult<Board> {
    if cells.len() != Square::ALL.len() {
        return Err(out_of_range("number of squares", cells.len(), "16"));
    }
    let mut board = Board::new();
    for (square, cell) in Square::ALL.into_iter().zip(cells) {
        board.set_piece(square, cell.map(piece).transpose()?);
    }
    Ok(board)
}

fn pool(unused: Vec<Integer>) -> PyResult<Pool> {
    let mut pool = Pool::new();
    Piece::ALL.into_iter().for_each(|piece| pool.set_used(piece, true));
    for index in unused {
        pool.set_used(piece(index)?, false);
    }
    Ok(pool)
}

/// Returns whether a piece on a square completes a line with a common attribute.
#[pyfunction]
pub fn quarto_is_winning(cells: Cells, piece: Integer, square: Integer) -> PyResult<bool> {
    Ok(board(cells)?.is_winning(self::piece(piece)?, self::square(square)?))
}

/// Returns the drawing of a board.
#[pyfunction]
pub fn quarto_board_text(cells: Cells) -> PyResult<String> {
    Ok(board(cells)?.to_string())
}

/// Returns the list of unused pieces as text.
#[pyfunction]
pub fn quarto_pool_text(unused: Vec<Integer>) -> PyResult<String> {
    Ok(pool(unused)?.to_string())
}

/// The myopic player's choices, from one stream of random numbers, of which some were drawn before.
#[pyclass(module = "petteia._petteia")]
pub struct MyopicChoice {
    player: MyopicPlayer,
    seed: u32,
    drawn: u64,
}

impl MyopicChoice {
    /// Returns a choice, and counts the random number, if it took one.
    fn choose<T>(&mut self, choice: impl FnOnce(&mut MyopicPlayer) -> io::Result<T>) -> PyResult<T> {
        let before = self.player.clone();
        let chosen = choice(&mut self.player);
        self.drawn += u64::from(self.player != before);
        chosen.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl MyopicChoice {
    #[new]
    #[pyo3(signature = (seed, drawn=Integer::Small(0)))]
    #[pyo3(text_signature = "(seed, drawn=0)")]
    fn new(seed: Integer, drawn: Integer) -> PyResult<Self> {
        let seed = number_in("seed", seed, 0..=u64::from(u32::MAX))? as u32;
        let drawn = number_in("drawn", drawn, 0..=1 << 32)?;
        let mut stream = GlibcRand::new(seed);
        (0..drawn).for_each(|_| {
            stream.rand();
        });
        Ok(MyopicChoice { player: MyopicPlayer::following(stream), seed, drawn })
    }

    /// Returns the piece to give to the opponent.
    fn piece(&mut self, cells: Cells, unused: Vec<Integer>) -> PyResult<usize> {
        let (board, pool) = (board(cells)?, pool(unused)?);
        self.choose(|player| player.select_piece(&board, &pool)).map(Piece::index)
    }

    /// Returns the square to place a piece on.
    fn square(&mut self, cells: Cells, piece: Integer) -> PyResult<usize> {
        let (board, piece) = (board(cells)?, self::piece(piece)?);
        self.choose(|player| player.select_square(&board, &Pool::new(), piece)).map(Square::index)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, (u32, u64)> {
        let choice = slf.borrow();
        (slf.get_type().into_any(), (choice.seed, choice.drawn))
    }
}
