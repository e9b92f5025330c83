//! The document of Quarto. Its pieces and squares are shared objects, written in Python; what they ask of the rules is
//! answered here, over sixteen numbers: the piece on each square.

use petteia::quarto::{Board, MyopicPlayer, Piece, Pool, QuartoPlayer, Square};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in};
use crate::errors::out_of_range;

type Cells = Vec<Option<Integer>>;

fn piece(index: Integer) -> PyResult<Piece> {
    let known = index.index().and_then(Piece::new);
    known.ok_or_else(|| out_of_range("piece", index, "0 to 15"))
}

fn square(index: Integer) -> PyResult<Square> {
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

/// Returns whether a piece on a square makes a line through it with a common attribute.
#[pyfunction]
pub fn quarto_is_winning(cells: Cells, piece: Integer, square: Integer) -> PyResult<bool> {
    Ok(board(cells)?.is_winning(self::piece(piece)?, self::square(square)?))
}

/// Returns the drawing of a board.
#[pyfunction]
pub fn quarto_board_text(cells: Cells) -> PyResult<String> {
    Ok(board(cells)?.to_string())
}

/// Returns the list of the pieces that are not used.
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
