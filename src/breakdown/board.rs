//! The boards of the course's assignments: cells to get and set, stored in one of two ways.

use std::error::Error;
use std::fmt;

use super::notation::label;
use crate::error::{ArgumentError, MemoryError, SetupError, zeros};

/// A place on the board, counted from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The row, 0 at the top.
    pub r: u32,
    /// The column, 0 at the left.
    pub c: u32,
}

impl Pos {
    /// Creates a place from its row and column.
    #[inline]
    pub const fn new(r: u32, c: u32) -> Self {
        Pos { r, c }
    }
}

/// The contents of a place on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Cell {
    /// Empty.
    #[default]
    Empty = 0,
    /// A part of a black stick.
    Black = 1,
    /// A part of a white stick.
    White = 2,
}

impl Cell {
    /// Returns the cell with a number in the assignments' memory layout, or `None` if there is none.
    #[inline]
    pub const fn from_code(code: u32) -> Option<Cell> {
        match code {
            0 => Some(Cell::Empty),
            1 => Some(Cell::Black),
            2 => Some(Cell::White),
            _ => None,
        }
    }

    /// Returns the character that the cell is drawn with.
    #[inline]
    pub const fn symbol(self) -> char {
        match self {
            Cell::Empty => '.',
            Cell::Black => '*',
            Cell::White => 'o',
        }
    }

    /// Returns the cell that is drawn with a character, or `None` if there is none.
    #[inline]
    pub const fn from_symbol(symbol: char) -> Option<Cell> {
        match symbol {
            '.' => Some(Cell::Empty),
            '*' => Some(Cell::Black),
            'o' => Some(Cell::White),
            _ => None,
        }
    }
}

/// A place that could not be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardError {
    /// The place is off the board.
    OffBoard {
        /// The place.
        pos: Pos,
        /// The board's width.
        width: u32,
        /// The board's height.
        height: u32,
    },
    /// The memory at the place does not hold a cell, which can only happen on boards that others write to.
    BadCell {
        /// The place.
        pos: Pos,
        /// The number found there.
        code: u32,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BoardError::OffBoard { pos: Pos { r, c }, width, height } => {
                write!(
                    f,
                    "no cell at row {r}, column {c}: expected a row below {height} and a column below {width}"
                )
            }
            BoardError::BadCell { pos: Pos { r, c }, code } => {
                write!(f, "invalid cell {code} at row {r}, column {c}: expected 0, 1 or 2")
            }
        }
    }
}

impl Error for BoardError {}

/// A board, as used by the [rules](super::rules): a size, and cells to get and set.
///
/// Implement these four methods to use the rules with another way of storing cells.
pub trait Board {
    /// Returns the number of columns.
    fn width(&self) -> u32;

    /// Returns the number of rows.
    fn height(&self) -> u32;

    /// Returns the cell at a place.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] for a place off the board, or if its memory does not hold a cell.
    fn get(&self, pos: Pos) -> Result<Cell, BoardError>;

    /// Puts a cell at a place, replacing what was there.
    ///
    /// # Errors
    ///
    /// A [`BoardError`] for a place off the board; nothing is then changed.
    fn set(&mut self, pos: Pos, cell: Cell) -> Result<(), BoardError>;
}

/// Returns the index of a place, row by row from the top left.
#[inline]
pub(crate) fn index(pos: Pos, width: u32, height: u32) -> Result<usize, BoardError> {
    if pos.r < height && pos.c < width {
        Ok(pos.r as usize * width as usize + pos.c as usize)
    } else {
        Err(BoardError::OffBoard { pos, width, height })
    }
}

/// The greatest number of cells of a board.
pub const MAX_CELLS: u32 = 1 << 28;

/// Returns the number of cells of a board of the given size.
///
/// # Errors
///
/// An [`ArgumentError`] if there would be none, or more than [`MAX_CELLS`].
pub(crate) fn cells(width: u32, height: u32) -> Result<usize, ArgumentError> {
    for (name, size) in [("width", width), ("height", height)] {
        positive(name, size)?;
    }
    let cells = u64::from(width) * u64::from(height);
    if cells <= u64::from(MAX_CELLS) {
        Ok(cells as usize)
    } else {
        let size = format!("{width} x {height}");
        Err(ArgumentError::new("board size", size, format!("at most {MAX_CELLS} cells")))
    }
}

/// Rejects 0, which is not a valid size.
pub(crate) fn positive(name: &str, number: u32) -> Result<(), ArgumentError> {
    if number > 0 { Ok(()) } else { Err(ArgumentError::new(name, number, "1 or more")) }
}

/// A board that stores one cell per element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatrixBoard {
    width: u32,
    height: u32,
    cells: Vec<Cell>,
}

impl MatrixBoard {
    /// Returns an empty board.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] for a size of 0, more than [`MAX_CELLS`] cells, or if there is not enough memory.
    pub fn new(width: u32, height: u32) -> Result<Self, SetupError> {
        Ok(MatrixBoard { width, height, cells: zeros("a board", cells(width, height)?)? })
    }
}

impl Board for MatrixBoard {
    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn height(&self) -> u32 {
        self.height
    }

    #[inline]
    fn get(&self, pos: Pos) -> Result<Cell, BoardError> {
        Ok(self.cells[index(pos, self.width, self.height)?])
    }

    #[inline]
    fn set(&mut self, pos: Pos, cell: Cell) -> Result<(), BoardError> {
        self.cells[index(pos, self.width, self.height)?] = cell;
        Ok(())
    }
}

/// A board that packs each cell in two bits: 00 is empty, 01 black and 10 white.
///
/// Cells are stored row by row from the top left, sixteen to a 32-bit word, the first in the lowest bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitsBoard {
    width: u32,
    height: u32,
    words: Vec<u32>,
}

impl BitsBoard {
    /// Returns an empty board.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] for a size of 0, more than [`MAX_CELLS`] cells, or if there is not enough memory.
    pub fn new(width: u32, height: u32) -> Result<Self, SetupError> {
        Ok(BitsBoard { width, height, words: zeros("a board", cells(width, height)?.div_ceil(16))? })
    }

    /// Returns the packed cells; bits past the last cell are 0.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

impl Board for BitsBoard {
    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn height(&self) -> u32 {
        self.height
    }

    #[inline]
    fn get(&self, pos: Pos) -> Result<Cell, BoardError> {
        let index = index(pos, self.width, self.height)?;
        let code = self.words[index / 16] >> (2 * (index % 16)) & 0b11;
        Cell::from_code(code).ok_or(BoardError::BadCell { pos, code })
    }

    #[inline]
    fn set(&mut self, pos: Pos, cell: Cell) -> Result<(), BoardError> {
        let index = index(pos, self.width, self.height)?;
        let (word, shift) = (&mut self.words[index / 16], 2 * (index % 16));
        *word = *word & !(0b11 << shift) | (cell as u32) << shift;
        Ok(())
    }
}

/// How a board is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// One cell per element: a [`MatrixBoard`].
    Matrix = 0,
    /// Two bits per cell: a [`BitsBoard`].
    Bits = 1,
}

/// A board of either kind, chosen when it is created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyBoard {
    /// One cell per element.
    Matrix(MatrixBoard),
    /// Two bits per cell.
    Bits(BitsBoard),
}

impl AnyBoard {
    /// Returns an empty board of the given kind.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] for a size of 0, more than [`MAX_CELLS`] cells, or if there is not enough memory.
    pub fn new(width: u32, height: u32, kind: Kind) -> Result<Self, SetupError> {
        Ok(match kind {
            Kind::Matrix => AnyBoard::Matrix(MatrixBoard::new(width, height)?),
            Kind::Bits => AnyBoard::Bits(BitsBoard::new(width, height)?),
        })
    }

    /// Returns how the board is stored.
    pub const fn kind(&self) -> Kind {
        match self {
            AnyBoard::Matrix(_) => Kind::Matrix,
            AnyBoard::Bits(_) => Kind::Bits,
        }
    }
}

/// Evaluates an expression for a board of either kind.
macro_rules! either {
    ($any:expr, $board:ident => $result:expr) => {
        match $any {
            AnyBoard::Matrix($board) => $result,
            AnyBoard::Bits($board) => $result,
        }
    };
}

pub(super) use either;

impl Board for AnyBoard {
    #[inline]
    fn width(&self) -> u32 {
        either!(self, board => board.width())
    }

    #[inline]
    fn height(&self) -> u32 {
        either!(self, board => board.height())
    }

    #[inline]
    fn get(&self, pos: Pos) -> Result<Cell, BoardError> {
        either!(self, board => board.get(pos))
    }

    #[inline]
    fn set(&mut self, pos: Pos, cell: Cell) -> Result<(), BoardError> {
        either!(self, board => board.set(pos, cell))
    }
}

/// Draws a board as the course's assignments do, with labels above and to the left, each line terminated by a newline.
///
/// # Errors
///
/// Any error of `get`.
pub(crate) fn draw<E>(width: u32, height: u32, get: impl Fn(Pos) -> Result<Cell, E>) -> Result<String, E> {
    let bytes = (width as usize + 3).saturating_mul(height as usize + 2);
    let mut text = String::new();
    if text.try_reserve_exact(bytes).is_err() {
        MemoryError { what: "the drawing of a board", bytes }.raise();
    }
    text.push_str("  ");
    text.extend((0..width).map(label));
    text.push_str("\n\n");
    for r in 0..height {
        text.push(label(r));
        text.push(' ');
        for c in 0..width {
            text.push(get(Pos { r, c })?.symbol());
        }
        text.push('\n');
    }
    Ok(text)
}

/// Draws any board as the assignments' `board_show` does; see [`draw`].
fn show(board: &impl Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let text = draw(board.width(), board.height(), |pos| board.get(pos)).map_err(|_| fmt::Error)?;
    f.write_str(&text)
}

/// Draws the board as the course's assignments do, each line terminated by a newline.
impl fmt::Display for MatrixBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f)
    }
}

/// Draws the board as the course's assignments do, each line terminated by a newline.
impl fmt::Display for BitsBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f)
    }
}

/// Draws the board as the course's assignments do, each line terminated by a newline.
impl fmt::Display for AnyBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, f)
    }
}
