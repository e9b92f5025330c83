//! Squares and their coordinates.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;
use crate::moves::BitMove;

/// A row of the board, the vertical coordinate of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Vaxis {
    /// The top row.
    #[default]
    A = 0,
    /// The second row.
    B,
    /// The third row.
    C,
    /// The bottom row.
    D,
}

impl Vaxis {
    /// All rows, from the top.
    pub const ALL: [Vaxis; 4] = [Vaxis::A, Vaxis::B, Vaxis::C, Vaxis::D];
}

/// A column of the board, the horizontal coordinate of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Haxis {
    /// The leftmost column.
    #[default]
    H1 = 0,
    /// The second column.
    H2,
    /// The third column.
    H3,
    /// The rightmost column.
    H4,
}

impl Haxis {
    /// All columns, from the left.
    pub const ALL: [Haxis; 4] = [Haxis::H1, Haxis::H2, Haxis::H3, Haxis::H4];
}

/// A square of the board, numbered from 0 at A1 row by row to 15 at D4.
///
/// A square is only a place; the [`Board`](super::Board) has the piece on it.
///
/// ```
/// use petteia::quarto::{Haxis, Square, Vaxis};
///
/// let mut square = Square::at(Vaxis::B, Haxis::H1);
/// square.set_h(Haxis::H4);
/// assert_eq!(square.to_string(), "B4");
/// assert_eq!("B4".parse(), Ok(square));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// All squares, in the order of their numbers.
    pub const ALL: [Square; 16] = {
        let mut all = [Square(0); 16];
        let mut index = 0;
        while index < 16 {
            all[index] = Square(index as u8);
            index += 1;
        }
        all
    };

    /// Returns the square with the given number, or `None` if it is above 15.
    pub const fn new(index: usize) -> Option<Square> {
        if index < 16 { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square in the given row and column.
    pub const fn at(v: Vaxis, h: Haxis) -> Square {
        Square((v as u8) << 2 | h as u8)
    }

    /// Returns the square's number.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing, but shows that no shift by a square overflows.
        (self.0 & 15) as usize
    }

    /// Returns the row.
    pub const fn v(self) -> Vaxis {
        Vaxis::ALL[self.index() >> 2]
    }

    /// Sets the row.
    pub fn set_v(&mut self, v: Vaxis) {
        *self = Square::at(v, self.h());
    }

    /// Returns the column.
    pub const fn h(self) -> Haxis {
        Haxis::ALL[self.index() & 3]
    }

    /// Sets the column.
    pub fn set_h(&mut self, h: Haxis) {
        *self = Square::at(self.v(), h);
    }

    /// Returns whether the square is on the diagonal from top left to bottom right.
    pub const fn is_on_first_diagonal(self) -> bool {
        self.v() as u8 == self.h() as u8
    }

    /// Returns whether the square is on the diagonal from top right to bottom left.
    pub const fn is_on_second_diagonal(self) -> bool {
        self.v() as u8 + self.h() as u8 == 3
    }

    /// Parses a square's name, which may be any bytes.
    pub(super) const fn from_name(name: &[u8]) -> Option<Square> {
        match *name {
            [row @ b'A'..=b'D', column @ b'1'..=b'4'] => Some(Square((row - b'A') << 2 | (column - b'1'))),
            _ => None,
        }
    }

    #[inline]
    pub(super) const fn bit(self) -> u16 {
        1 << self.index()
    }
}

impl BitMove for Square {
    #[inline]
    fn from_bit(bit: u32) -> Self {
        Square(bit as u8 & 15)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.v(), self.h() as u8 + 1)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Square::from_name(text.as_bytes())
            .ok_or_else(|| ParseError::new("square", text, "a row A to D and a column 1 to 4, such as B2"))
    }
}
