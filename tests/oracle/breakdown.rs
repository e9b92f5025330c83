//! A slow, simple Breakdown to compare with, written from the document alone: a list of lists, and loops over cells.

use petteia::breakdown::{Cell, GameOutcome};

/// A game: rows of cells from the top, and the colour of the next stick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Oracle {
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) stick: usize,
    pub(crate) square: usize,
    pub(crate) next: Cell,
}

impl Oracle {
    pub(crate) fn new(width: u32, height: u32, stick: u32, square: u32) -> Self {
        let rows = vec![vec![Cell::Empty; width as usize]; height as usize];
        Oracle { rows, stick: stick as usize, square: square as usize, next: Cell::Black }
    }

    pub(crate) fn width(&self) -> usize {
        self.rows[0].len()
    }

    pub(crate) fn height(&self) -> usize {
        self.rows.len()
    }

    /// Returns the cells of a stick with its top left end at the given place, if they are on the board and empty.
    fn stick_at(&self, row: usize, col: usize, vertical: bool) -> Option<Vec<(usize, usize)>> {
        let step = if vertical { (1, 0) } else { (0, 1) };
        let mut cells = Vec::new();
        for i in 0..self.stick {
            let (r, c) = (row + step.0 * i, col + step.1 * i);
            if r >= self.height() || c >= self.width() || self.rows[r][c] != Cell::Empty {
                return None;
            }
            cells.push((r, c));
        }
        Some(cells)
    }

    /// Returns where a stick comes to rest: it starts at the top and falls while the next row is free.
    pub(crate) fn landing(&self, col: usize, vertical: bool) -> Option<Vec<(usize, usize)>> {
        let mut cells = self.stick_at(0, col, vertical)?;
        for row in 1.. {
            match self.stick_at(row, col, vertical) {
                Some(lower) => cells = lower,
                None => break,
            }
        }
        Some(cells)
    }

    pub(crate) fn drop_stick(&mut self, col: usize, vertical: bool) -> bool {
        let Some(cells) = self.landing(col, vertical) else { return false };
        for (r, c) in cells {
            self.rows[r][c] = self.next;
        }
        true
    }

    /// Lets cells fall one row at a time until none has an empty cell below it; returns whether any fell.
    pub(crate) fn breakdown(&mut self) -> bool {
        let mut fell = false;
        loop {
            let mut moved = false;
            for r in (1..self.height()).rev() {
                for c in 0..self.width() {
                    if self.rows[r][c] == Cell::Empty && self.rows[r - 1][c] != Cell::Empty {
                        self.rows[r][c] = self.rows[r - 1][c];
                        self.rows[r - 1][c] = Cell::Empty;
                        moved = true;
                    }
                }
            }
            if !moved {
                return fell;
            }
            fell = true;
        }
    }

    /// Returns the top left corners of a colour's squares.
    pub(crate) fn squares(&self, colour: Cell) -> Vec<(usize, usize)> {
        let side = self.square;
        let mut corners = Vec::new();
        if side > self.width() || side > self.height() {
            return corners;
        }
        for r in 0..=self.height() - side {
            for c in 0..=self.width() - side {
                if (r..r + side).all(|r| (c..c + side).all(|c| self.rows[r][c] == colour)) {
                    corners.push((r, c));
                }
            }
        }
        corners
    }

    pub(crate) fn outcome(&self) -> GameOutcome {
        let [black, white] = [Cell::Black, Cell::White].map(|colour| !self.squares(colour).is_empty());
        let fits =
            || (0..self.width()).any(|c| [true, false].iter().any(|&v| self.stick_at(0, c, v).is_some()));
        match (black, white) {
            (true, true) => GameOutcome::Draw,
            (true, false) => GameOutcome::BlackWin,
            (false, true) => GameOutcome::WhiteWin,
            _ if fits() || self.clone().breakdown() => GameOutcome::InProgress,
            _ => GameOutcome::Draw,
        }
    }

    pub(crate) fn pass_turn(&mut self) {
        self.next = if self.next == Cell::Black { Cell::White } else { Cell::Black };
    }

    /// Returns the one-line text.
    pub(crate) fn text(&self) -> String {
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
        let next = match (self.outcome(), self.next) {
            (GameOutcome::InProgress, Cell::Black) => "b",
            (GameOutcome::InProgress, _) => "w",
            _ => "-",
        };
        format!("{} {next} {} {}", rows.collect::<Vec<_>>().join("/"), self.stick, self.square)
    }
}
