//! The traits that a game need not have, and what each of them gives.

use petteia::prelude::*;
use petteia::{OnCpu, Parameter, Preset, SetupError, check_values};

use crate::{Column, ConnectFour};

/// Numbers the moves.
impl Actions for ConnectFour {
    fn num_actions(&self) -> usize {
        self.width.into()
    }

    fn action(&self, &Column(column): &Column) -> Option<usize> {
        (column < self.width).then_some(column.into())
    }

    fn move_of(&self, action: usize) -> Option<Column> {
        (action < self.num_actions()).then_some(Column(action as u8))
    }
}

/// Says that a board and its mirror image are the same game.
impl Symmetry for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Self {
        let mirror = |discs: u64| discs.swap_bytes() >> (64 - 8 * self.width);
        match symmetry {
            0 => *self,
            1 => ConnectFour { discs: self.discs.map(mirror), ..*self },
            _ => panic!("Connect Four has 2 symmetries"),
        }
    }

    fn transform_move(&self, symmetry: usize, Column(column): Column) -> Column {
        match symmetry {
            0 => Column(column),
            1 => Column(self.width - 1 - column),
            _ => panic!("Connect Four has 2 symmetries"),
        }
    }
}

/// Counts, plays at random and solves. What is found out of a position is found out of its mirror image too.
impl Engine for ConnectFour {
    fn canonical(&self) -> Self {
        self.least_image()
    }

    fn key(&self) -> Option<[u64; 2]> {
        Some(self.canonical().discs)
    }
}

impl ConnectFour {
    /// Returns the empty board of the given size.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] unless there are 1 to 8 columns and 1 to 7 rows.
    pub fn new(width: u32, height: u32) -> Result<Self, SetupError> {
        ConnectFour::start(&[width, height])
    }
}

/// Says which boards there are, for records.
impl Declared for ConnectFour {
    const TITLE: &'static str = "Connect Four";
    const ABOUT: &'static str = "Four in a row.";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("width", "Number of columns", 7, 1, 8),
        Parameter::number("height", "Number of rows", 6, 1, 7),
    ];
    const PRESETS: &'static [Preset] = &[Preset { name: "7 by 6", values: &[7, 6] }];

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [width, height] = check_values::<2, Self>(values)?;
        Ok(ConnectFour { width: width as u8, height: height as u8, ..ConnectFour::default() })
    }

    fn values(&self) -> Vec<u32> {
        vec![self.width.into(), self.height.into()]
    }

    fn longest_game(&self) -> Option<u64> {
        Some(u64::from(self.width) * u64::from(self.height))
    }
}

/// Shows the board as numbers, for programs that learn.
impl Observe for ConnectFour {
    fn shape(&self) -> (usize, usize) {
        (self.height.into(), self.width.into())
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let rows = (0..self.height).rev();
        let places = rows.flat_map(|row| (0..self.width).map(move |column| (column, row)));
        for (cell, (column, row)) in cells.iter_mut().zip(places) {
            *cell = self.disc(column, row).map_or(0, |player| player as u8 + 1);
        }
    }
}

/// Lets batches and self-play have it.
impl OnCpu for ConnectFour {}

/// Draws the cells as characters and as a picture.
impl Draw for ConnectFour {}
