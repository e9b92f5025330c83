//! Positions as numpy arrays. numpy is imported when the first array is asked for.

use petteia::{Breakdown, Player, Position, Quarto, Reversi, TicTac};
use petteia::{breakdown, quarto, reversi, tictac};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyByteArray;

/// What a board looks like to a program that learns: cells, and planes of zeros and ones.
pub trait Planes: Position {
    /// How many planes an observation has.
    const PLANES: usize = 2;

    /// Returns the board's rows and columns.
    fn shape(&self) -> (usize, usize);

    /// Writes the cells row by row: 0 is empty, 1 and 2 are the first and the second player's.
    fn write_cells(&self, cells: &mut [u8]);

    /// Writes the planes one after another: the cells of the player to move, then the other's.
    ///
    /// In a finished game nobody is to move, and the first player's come first.
    fn write_planes(&self, planes: &mut [u8]) {
        let (rows, columns) = self.shape();
        let mine = if self.turn() == Some(Player::Second) { 2 } else { 1 };
        let (own, other) = planes.split_at_mut(rows * columns);
        self.write_cells(own);
        for (own, other) in own.iter_mut().zip(other) {
            *other = u8::from(*own == 3 - mine);
            *own = u8::from(*own == mine);
        }
    }
}

impl Planes for TicTac {
    fn shape(&self) -> (usize, usize) {
        (3, 3)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let [first, _] = self.marks();
        for (index, cell) in cells.iter_mut().enumerate() {
            let mark = tictac::Square::new(index).and_then(|square| self.get(square));
            *cell = mark.map_or(0, |mark| if mark == first { 1 } else { 2 });
        }
    }
}

impl Planes for Breakdown {
    fn shape(&self) -> (usize, usize) {
        (self.height() as usize, self.width() as usize)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let places = (0..self.height()).flat_map(|row| (0..self.width()).map(move |column| (row, column)));
        for ((row, column), cell) in places.zip(cells) {
            *cell = self.get(row, column).unwrap_or(breakdown::Cell::Empty) as u8;
        }
    }
}

impl Planes for Reversi {
    fn shape(&self) -> (usize, usize) {
        (self.height(), self.width())
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let [dark, light] = self.tiles();
        let squares = (0..self.height()).flat_map(|y| (0..self.width()).map(move |x| (x, y)));
        for ((x, y), cell) in squares.zip(cells) {
            let has =
                |set: reversi::PositionSet| reversi::Square::new(x, y).is_some_and(|at| set.contains(at));
            *cell = u8::from(has(dark)) + 2 * u8::from(has(light));
        }
    }
}

impl Planes for Quarto {
    /// Occupied, tall, sepia, square, solid; then the same of the piece in hand, each all over its plane.
    const PLANES: usize = 10;

    fn shape(&self) -> (usize, usize) {
        (4, 4)
    }

    /// Writes the numbers of the pieces; an empty square is -1.
    fn write_cells(&self, cells: &mut [u8]) {
        for (square, cell) in quarto::Square::ALL.into_iter().zip(cells) {
            *cell = self.get(square).map_or(u8::MAX, |piece| piece.index() as u8);
        }
    }

    fn write_planes(&self, planes: &mut [u8]) {
        // A piece in five bits: that there is one, then its attributes as in its number.
        let describe = |piece: Option<quarto::Piece>| piece.map_or(0, |piece| 16 | piece.index());
        let hand = describe(self.hand());
        for square in quarto::Square::ALL {
            let here = describe(self.get(square));
            for plane in 0..5 {
                planes[plane * 16 + square.index()] = (here >> (4 - plane) & 1) as u8;
                planes[(plane + 5) * 16 + square.index()] = (hand >> (4 - plane) & 1) as u8;
            }
        }
    }
}

/// Returns the cells as an array of int8.
pub fn array<P: Planes>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, rows * columns, |cells| {
        position.write_cells(cells);
        Ok(())
    })?;
    over(&bytes, "int8")?.call_method1("reshape", (rows, columns)).map(Bound::unbind)
}

/// Returns the planes as an array of uint8.
pub fn observation<P: Planes>(py: Python<'_>, position: &P) -> PyResult<Py<PyAny>> {
    let (rows, columns) = position.shape();
    let bytes = PyByteArray::new_with(py, P::PLANES * rows * columns, |planes| {
        position.write_planes(planes);
        Ok(())
    })?;
    over(&bytes, "uint8")?.call_method1("reshape", (P::PLANES, rows, columns)).map(Bound::unbind)
}

/// Returns a flat array over bytes, which it shares rather than copies.
pub fn over<'py>(bytes: &Bound<'py, PyByteArray>, dtype: &str) -> PyResult<Bound<'py, PyAny>> {
    static FROM_BUFFER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FROM_BUFFER.import(bytes.py(), "numpy", "frombuffer")?.call1((bytes, dtype))
}
