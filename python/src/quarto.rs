//! Quarto: its positions, and the rules behind its document's classes. These are written in Python; here a board is
//! sixteen numbers, the piece on each square.

use petteia::quarto::{Board, MyopicPlayer, Piece, Pool, QuartoPlayer, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in};
use crate::errors::out_of_range;
use crate::position::position_class;

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

/// The myopic player's choices, from one stream of random numbers.
#[pyclass(module = "petteia._petteia")]
pub struct MyopicChoice(MyopicPlayer);

#[pymethods]
impl MyopicChoice {
    #[new]
    fn new(seed: Integer) -> PyResult<Self> {
        Ok(MyopicChoice(MyopicPlayer::new(number_in("seed", seed, 0..=u64::from(u32::MAX))? as u32)))
    }

    /// Returns the piece to give to the opponent.
    fn piece(&mut self, cells: Cells, unused: Vec<Integer>) -> PyResult<usize> {
        let choice = self.0.select_piece(&board(cells)?, &pool(unused)?);
        choice.map(Piece::index).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the square to place a piece on.
    fn square(&mut self, cells: Cells, piece: Integer) -> PyResult<usize> {
        let choice = self.0.select_square(&board(cells)?, &Pool::new(), self::piece(piece)?);
        choice.map(Square::index).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}
