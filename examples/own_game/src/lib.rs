//! Connect Four on a board of any size: a game of your own over petteia's traits.
//!
//! Two players, red and yellow, take turns dropping discs into columns; red begins. A disc falls to the lowest free cell
//! of its column. The first to get four in a row wins, horizontally, vertically or diagonally. A full board without such
//! a line is a draw.
//!
//! This file has the rules, which are a [`Position`]. `notation.rs` has the text of moves and positions, `extras.rs` the
//! optional traits.
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

use std::vec;

use petteia::prelude::*;

/// A column to drop a disc into; `a` is the leftmost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column(usize);

/// A position of Connect Four.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectFour {
    width: usize,
    height: usize,
    /// Whose disc is in each cell, row by row from the bottom.
    cells: Vec<Option<Player>>,
    /// How many discs have been dropped.
    plies: usize,
    outcome: Option<Outcome>,
}

impl ConnectFour {
    /// Returns whose disc is in a cell, counted from the left and from the bottom; nobody's off the board.
    fn disc(&self, column: isize, row: isize) -> Option<Player> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        if column < self.width && row < self.height { self.cells[row * self.width + column] } else { None }
    }

    /// Returns the lowest free cell of a column, or `None` if the column is full.
    fn landing(&self, column: usize) -> Option<usize> {
        (column..self.cells.len()).step_by(self.width).find(|&cell| self.cells[cell].is_none())
    }

    /// Returns whether the disc in a cell is one of four in a row.
    fn in_line(&self, cell: usize) -> bool {
        let (column, row) = ((cell % self.width) as isize, (cell / self.width) as isize);
        let same = |step: isize, right: isize, up: isize| {
            self.disc(column + step * right, row + step * up) == self.cells[cell]
        };
        let run = |right, up| (1..4).take_while(|&step| same(step, right, up)).count();
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(right, up)| run(right, up) + 1 + run(-right, -up) >= 4)
    }

    /// Returns the player to move, as if the game were not over.
    fn mover(&self) -> Player {
        Player::BOTH[self.plies % 2]
    }
}

impl Position for ConnectFour {
    type Move = Column;
    type Moves = vec::IntoIter<Column>;

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

    fn moves(&self) -> Self::Moves {
        let top = &self.cells[self.cells.len() - self.width..];
        let open = |column: &usize| self.outcome.is_none() && top[*column].is_none();
        (0..self.width).filter(open).map(Column).collect::<Vec<_>>().into_iter()
    }

    fn play_unchecked(&mut self, Column(column): Column) {
        let mover = self.mover();
        let cell = self.landing(column).expect("a column that is not full");
        self.cells[cell] = Some(mover);
        self.plies += 1;
        if self.in_line(cell) {
            self.outcome = Some(Outcome::Win(mover));
        } else if self.plies == self.cells.len() {
            self.outcome = Some(Outcome::Draw);
        }
    }
}
