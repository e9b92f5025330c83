//! Connect Four on a board of any size up to eight columns and seven rows: a game of your own over petteia's traits.
//!
//! Two players, red and yellow, drop discs into columns in turn; red begins. A disc falls to the lowest free cell of its
//! column. The first to have four in a row wins, be it across, upright or diagonal. A full board without a line is a draw.
//!
//! This file has the rules, which are a [`Position`]; `notation.rs` has how moves and positions are written and read, and
//! `extras.rs` the traits that a game need not have.
//!
//! ```
//! use connect_four::ConnectFour;
//! use petteia::prelude::*;
//!
//! let mut game = ConnectFour::new(5, 4)?;
//! for column in ["c", "c", "d"] {
//!     game.play(column.parse()?)?;
//! }
//! assert_eq!(game.to_string(), "...../...../..y../..rr. y");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod extras;
mod notation;

use petteia::prelude::*;
use petteia::{BitMove, MoveSet};

/// The lowest cell of every column. A column is a byte of a mask, lowest cell first. Its highest bit is no cell, so that
/// no line runs from the top of one column to the bottom of the next.
const BOTTOM: u64 = 0x0101_0101_0101_0101;

/// Returns whether four of the discs are in a row.
fn has_line(discs: u64) -> bool {
    // The next cell of a line is the one above, or one of three in the next column.
    [1, 7, 8, 9].into_iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// A column, to drop a disc into: `a` is the leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(u8);

impl BitMove for Column {
    fn from_bit(bit: u32) -> Self {
        Column((bit / 8) as u8)
    }
}

/// A position of Connect Four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectFour {
    width: u8,
    height: u8,
    /// The discs of red and of yellow.
    discs: [u64; 2],
    /// Kept beside the discs, so that asking for it costs nothing.
    outcome: Option<Outcome>,
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour { width: 7, height: 6, discs: [0; 2], outcome: None }
    }
}

impl ConnectFour {
    /// Returns the cells with a disc in them.
    fn occupied(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// Returns the player whose turn it would be if the game were not over.
    fn mover(&self) -> Player {
        Player::BOTH[self.occupied().count_ones() as usize % 2]
    }

    /// Returns the cell that a disc would fall to in each column that is not full.
    fn landing(&self) -> u64 {
        let bottom = BOTTOM >> (64 - 8 * self.width);
        let board = bottom * ((1 << self.height) - 1);
        (self.occupied() + bottom) & board
    }

    /// Returns how the last move ended the game, if it did.
    fn find_outcome(&self) -> Option<Outcome> {
        let last = self.mover().other();
        match self.landing() {
            _ if has_line(self.discs[last.index()]) => Some(Outcome::Win(last)),
            0 => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// Returns whose disc is in a cell; columns count from the left, rows from the bottom.
    fn disc(&self, column: u8, row: u8) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.discs[player.index()] >> (8 * column + row) & 1 == 1)
    }
}

impl Position for ConnectFour {
    type Move = Column;
    type Moves = MoveSet<Column>;

    const NAME: &'static str = "connect-four";

    fn players(&self) -> [&'static str; 2] {
        ["red", "yellow"]
    }

    fn turn(&self) -> Option<Player> {
        match self.outcome {
            None => Some(self.mover()),
            Some(_) => None,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn moves(&self) -> MoveSet<Column> {
        MoveSet::new(if self.outcome.is_none() { self.landing() } else { 0 })
    }

    fn play_unchecked(&mut self, Column(column): Column) {
        self.discs[self.mover().index()] |= self.landing() & 0xff << (8 * column);
        self.outcome = self.find_outcome();
    }
}
