//! Squares and sets of squares.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use std::str::FromStr;

use crate::error::ParseError;
use crate::moves::BitMove;

/// A square of the board, by its column and its row from the top left; `d3` is column 3, row 2.
///
/// Squares compare in reading order: by row, then by column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square in column `x` and row `y`, or `None` if either is above 7.
    #[inline]
    pub const fn new(x: usize, y: usize) -> Option<Square> {
        if x < 8 && y < 8 { Some(Square((8 * y + x) as u8)) } else { None }
    }

    /// Returns the column, 0 for `a`.
    #[inline]
    pub const fn x(self) -> usize {
        (self.0 % 8) as usize
    }

    /// Returns the row, 0 for `1` at the top.
    #[inline]
    pub const fn y(self) -> usize {
        (self.0 / 8) as usize
    }

    /// Returns the square's bit in a [`PositionSet`], `8 * y + x`.
    #[inline]
    pub(super) const fn index(self) -> usize {
        // The mask tells the compiler that tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.index()
    }
}

impl BitMove for Square {
    #[inline]
    fn from_bit(bit: u32) -> Self {
        Square(bit as u8 & 63)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.0 % 8) as char, self.y() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [x @ b'a'..=b'h', y @ b'1'..=b'8'] => Ok(Square(8 * (y - b'1') + (x - b'a'))),
            _ => Err(ParseError::new("square", text, "a column a to h and a row 1 to 8, such as d3")),
        }
    }
}

/// A set of squares with all set operations; complements are relative to the 8 by 8 universe.
///
/// ```
/// use petteia::reversi::{PositionSet, Square};
///
/// let mut set: PositionSet = ["c4", "d3"].iter().map(|s| s.parse::<Square>().unwrap()).collect();
/// set.insert("e2".parse()?);
/// assert_eq!(set.to_string(), "{{2, 3}, {3, 2}, {4, 1}}");
/// assert_eq!((!set).len(), 61);
/// assert!((set & !set).is_empty());
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionSet(u64);

impl PositionSet {
    /// The empty set.
    pub const EMPTY: PositionSet = PositionSet(0);

    /// Creates a set from its bits, bit `8 * y + x` for the square in column x and row y.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        PositionSet(bits)
    }

    /// Returns the bits of the set, bit `8 * y + x` for the square in column x and row y.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the `width` by `height` rectangle with its top left corner at `x0, y0`, clipped to the universe.
    pub(super) fn rectangle(x0: usize, y0: usize, width: usize, height: usize) -> Self {
        let squares = (x0..x0 + width).flat_map(|x| (y0..y0 + height).map(move |y| Square::new(x, y)));
        squares.flatten().collect()
    }

    /// Returns whether the set has no squares.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Removes all squares.
    pub fn clear(&mut self) {
        self.0 = 0;
    }

    /// Returns whether a square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        self.set(square, true);
    }

    /// Removes a square.
    pub fn remove(&mut self, square: Square) {
        self.set(square, false);
    }

    /// Sets whether a square is in the set.
    pub fn set(&mut self, square: Square, present: bool) {
        self.0 = self.0 & !square.bit() | if present { square.bit() } else { 0 };
    }

    /// Returns whether every square of this set is in the other.
    pub const fn is_subset(self, other: PositionSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Iterates over the squares by column, then by row.
    pub fn iter(self) -> Squares {
        Squares { transposed: transpose(self.0) }
    }
}

/// Transposes an 8 by 8 board by swapping ever larger blocks across the diagonal.
#[inline]
pub(super) const fn transpose(mut bits: u64) -> u64 {
    let mut swap = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap ^ (swap << 7);
    swap = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits ^= swap ^ (swap << 14);
    swap = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ (swap << 28)
}

/// The squares of a [`PositionSet`], by column, then by row.
#[derive(Clone, Debug)]
pub struct Squares {
    transposed: u64,
}

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.transposed == 0 {
            return None;
        }
        let place = self.transposed.trailing_zeros() as u8;
        self.transposed &= self.transposed - 1;
        Some(Square(8 * (place % 8) + place / 8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.transposed.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

impl IntoIterator for PositionSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for PositionSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        PositionSet(squares.into_iter().fold(0, |bits, square| bits | square.bit()))
    }
}

impl Extend<Square> for PositionSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        *self |= squares.into_iter().collect::<PositionSet>();
    }
}

impl fmt::Display for PositionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, square) in self.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{{{}, {}}}", square.x(), square.y())?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for PositionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Not for PositionSet {
    type Output = PositionSet;

    fn not(self) -> PositionSet {
        PositionSet(!self.0)
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, |$a:ident, $b:ident| $result:expr) => {
        impl $trait for PositionSet {
            type Output = PositionSet;

            fn $method(self, other: PositionSet) -> PositionSet {
                let ($a, $b) = (self.0, other.0);
                PositionSet($result)
            }
        }

        impl $assign_trait for PositionSet {
            fn $assign_method(&mut self, other: PositionSet) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);
