//! The text of moves and positions.

use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

use petteia::ParseError;
use petteia::prelude::*;

use crate::{Column, ConnectFour};

/// Writes the letter of a column.
impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.0 as u8))
    }
}

impl FromStr for Column {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [letter @ b'a'..=b'z'] => Ok(Column((letter - b'a').into())),
            _ => Err(ParseError::new("column", text, "a letter a to z")),
        }
    }
}

/// Returns the letter of a player.
fn letter(player: Player) -> char {
    ['r', 'y'][player.index()]
}

/// Writes the rows from the top, joined by `/`, then the player to move or `-`.
impl Display for ConnectFour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, row) in self.cells.chunks(self.width).enumerate().rev() {
            row.iter().try_for_each(|disc| f.write_char(disc.map_or('.', letter)))?;
            f.write_char(if number > 0 { '/' } else { ' ' })?;
        }
        f.write_char(self.turn().map_or('-', letter))
    }
}

/// Reads what `Display` writes, and nothing else. Refuses most positions that no game can reach, but does not check
/// whether the discs can have been dropped in turn.
impl FromStr for ConnectFour {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| ParseError::new("connect-four position", text, expected);
        let Some((board, to_move)) = text.split_once(' ') else {
            return Err(error("rows of cells and the player to move, such as .../.y./rr. y"));
        };
        let rows: Vec<&str> = board.split('/').collect();
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let Ok(mut position) = ConnectFour::new(size(rows[0].len()), size(rows.len())) else {
            return Err(error("1 to 26 rows of 1 to 26 cells"));
        };
        if rows.iter().any(|row| row.len() != position.width) {
            return Err(error("rows of the same length"));
        }
        for (cell, letter) in position.cells.iter_mut().zip(rows.iter().rev().flat_map(|row| row.bytes())) {
            *cell = match letter {
                b'.' => None,
                b'r' => Some(Player::First),
                b'y' => Some(Player::Second),
                _ => return Err(error("cells ., r or y")),
            };
        }
        position.check().map_err(error)?;
        let turn = position.turn().map_or('-', letter);
        if to_move != turn.to_string() {
            return Err(error(&format!("{turn} as the player to move")));
        }
        Ok(position)
    }
}

impl ConnectFour {
    /// Checks the cells, and derives the number of plies and the outcome from them.
    fn check(&mut self) -> Result<(), &'static str> {
        let above = |cell: usize| self.cells.get(cell + self.width).copied().flatten();
        if (0..self.cells.len()).any(|cell| self.cells[cell].is_none() && above(cell).is_some()) {
            return Err("no free cell below a disc");
        }
        let [red, yellow] =
            Player::BOTH.map(|player| self.cells.iter().filter(|cell| **cell == Some(player)).count());
        if red != yellow && red != yellow + 1 {
            return Err("as many discs of both players, or one more of red");
        }
        self.plies = red + yellow;
        let last = self.mover().other();
        if self.lines().next().is_some() {
            // The disc dropped last is on top of its column and part of every line.
            let tops = (0..self.cells.len()).filter(|&cell| above(cell).is_none());
            let completes = |cell: usize| {
                let mut before = self.clone();
                before.cells[cell].take() == Some(last) && before.lines().next().is_none()
            };
            if !tops.into_iter().any(completes) {
                return Err("no line but those that the last move completed");
            }
            self.outcome = Some(Outcome::Win(last));
        } else if self.plies == self.cells.len() {
            self.outcome = Some(Outcome::Draw);
        }
        Ok(())
    }

    /// Returns the discs that are part of four in a row.
    fn lines(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell].is_some() && self.in_line(cell))
    }
}
