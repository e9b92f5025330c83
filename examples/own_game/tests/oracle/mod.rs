//! Connect Four by arrays and loops: slow, plain, and without a line of the crate that it judges.

use std::collections::HashMap;

/// A board: its cells row by row from the top, `.`, `r` or `y`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Oracle {
    width: usize,
    height: usize,
    cells: Vec<u8>,
}

impl Oracle {
    pub fn new(width: usize, height: usize) -> Self {
        Oracle { width, height, cells: vec![b'.'; width * height] }
    }

    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Returns the player to move if the game goes on.
    pub fn next(&self) -> u8 {
        let discs = self.cells.iter().filter(|&&cell| cell != b'.').count();
        if discs % 2 == 0 { b'r' } else { b'y' }
    }

    /// Returns whether a player has four cells in a row, in any of the four directions.
    pub fn has_line(&self, player: u8) -> bool {
        let (width, height) = (self.width as isize, self.height as isize);
        let has = |column: isize, row: isize| {
            (0..width).contains(&column)
                && (0..height).contains(&row)
                && self.cells[(row * width + column) as usize] == player
        };
        for row in 0..height {
            for column in 0..width {
                for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    if (0..4).all(|step| has(column + step * right, row + step * down)) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Returns the columns that a disc can be dropped into.
    pub fn moves(&self) -> Vec<usize> {
        if self.has_line(b'r') || self.has_line(b'y') {
            return Vec::new();
        }
        (0..self.width).filter(|&column| self.cells[column] == b'.').collect()
    }

    /// Returns the board after a disc was dropped into a column that is not full.
    pub fn after(&self, column: usize) -> Self {
        let mut after = self.clone();
        let mut row = 0;
        while row + 1 < self.height && self.cells[(row + 1) * self.width + column] == b'.' {
            row += 1;
        }
        after.cells[row * self.width + column] = self.next();
        after
    }

    /// Returns the text of the position.
    pub fn text(&self) -> String {
        let rows: Vec<&str> =
            self.cells.chunks(self.width).map(|row| std::str::from_utf8(row).unwrap()).collect();
        let turn = if self.moves().is_empty() { b'-' } else { self.next() };
        format!("{} {}", rows.join("/"), char::from(turn))
    }

    /// Counts the games of so many moves.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.moves().into_iter().map(|column| self.after(column).perft(depth - 1)).sum(),
        }
    }

    /// Returns what the position is worth to the player to move: 1, 0 or -1. What is known already is looked up.
    pub fn value(&self, known: &mut HashMap<Oracle, i32>) -> i32 {
        if let Some(&value) = known.get(self) {
            return value;
        }
        let mut values = Vec::new();
        for column in self.moves() {
            values.push(-self.after(column).value(known));
            // Nothing is better than a win.
            if values.contains(&1) {
                break;
            }
        }
        let value = match values.into_iter().max() {
            Some(best) => best,
            // Only the player who moved last can have a line.
            None if self.has_line(b'r') || self.has_line(b'y') => -1,
            None => 0,
        };
        known.insert(self.clone(), value);
        value
    }
}
