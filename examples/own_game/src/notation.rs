//! How moves and positions are written and read.

use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

use petteia::ParseError;
use petteia::prelude::*;

use crate::{BOTTOM, Column, ConnectFour, has_line};

/// Writes the letter of a column.
impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.0))
    }
}

impl FromStr for Column {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text.as_bytes() {
            [letter @ b'a'..=b'h'] => Ok(Column(letter - b'a')),
            _ => Err(ParseError::new("column", text, "a letter a to h")),
        }
    }
}

/// Returns how a disc, or the player to move, is written.
fn letter(player: Player) -> char {
    ['r', 'y'][player.index()]
}

/// Writes the rows from the top, joined by `/`, then the player to move or `-`.
impl Display for ConnectFour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for row in (0..self.height).rev() {
            for column in 0..self.width {
                f.write_char(self.disc(column, row).map_or('.', letter))?;
            }
            f.write_char(if row > 0 { '/' } else { ' ' })?;
        }
        f.write_char(self.turn().map_or('-', letter))
    }
}

/// Reads what `Display` writes, and nothing else. A board that breaks the rules is refused as far as it shows: whether
/// its discs could have been dropped in turn is not found out.
impl FromStr for ConnectFour {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| Err(ParseError::new("connect-four position", text, expected));
        let Some((board, to_move)) = text.split_once(' ') else {
            return error("rows of cells and the player to move, such as .../.y./rr. y");
        };
        let rows: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let Ok(mut position) = ConnectFour::new(size(rows[0].len()), size(rows.len())) else {
            return error("1 to 7 rows of 1 to 8 cells");
        };
        for (row, cells) in rows.iter().rev().enumerate() {
            if cells.len() != rows[0].len() {
                return error("rows of the same length");
            }
            for (column, cell) in cells.iter().enumerate() {
                let disc = 1 << (8 * column + row);
                match cell {
                    b'.' => {}
                    b'r' => position.discs[0] |= disc,
                    b'y' => position.discs[1] |= disc,
                    _ => return error("cells ., r or y"),
                }
            }
        }
        let occupied = position.occupied();
        if occupied & (occupied + BOTTOM) != 0 {
            return error("no free cell below a disc");
        }
        let [red, yellow] = position.discs.map(u64::count_ones);
        if red != yellow && red != yellow + 1 {
            return error("as many discs of both players, or one more of red");
        }
        position.outcome = position.find_outcome();
        // Nobody moves after a line: the last disc, one of those on top, completed all there are.
        let mover = position.mover();
        let [idle, last] = [mover, mover.other()].map(|player| position.discs[player.index()]);
        let top = last & !(occupied >> 1);
        let completes = |cell: u32| top >> cell & 1 == 1 && !has_line(last & !(1 << cell));
        if has_line(idle) || has_line(last) && !(0..64).any(completes) {
            return error("no line but those that the last move completed");
        }
        let turn = position.turn().map_or('-', letter);
        if to_move != turn.to_string() {
            return error(&format!("{turn} as the player to move"));
        }
        Ok(position)
    }
}
