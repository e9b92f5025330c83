//! The optional traits, and what each of them adds.

use petteia::prelude::*;
use petteia::{OnCpu, Parameter, Preset, SetupError, check_values};

use crate::{Column, ConnectFour};

impl ConnectFour {
    /// Returns the empty board of the given size.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] unless there are 1 to 26 columns and 1 to 26 rows.
    pub fn new(width: u32, height: u32) -> Result<Self, SetupError> {
        ConnectFour::start(&[width, height])
    }
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour::new(7, 6).expect("a board of the usual size")
    }
}

/// Declares the parameters of a game, for records.
impl Declared for ConnectFour {
    const TITLE: &'static str = "Connect Four";
    const ABOUT: &'static str = "Get four discs in a row.";
    // A column is a letter.
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("width", "Number of columns", 7, 1, 26),
        Parameter::number("height", "Number of rows", 6, 1, 26),
    ];
    const PRESETS: &'static [Preset] = &[Preset { name: "7 by 6", values: &[7, 6] }];

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [width, height] = check_values::<2, Self>(values)?.map(|value| value as usize);
        Ok(ConnectFour { width, height, cells: vec![None; width * height], plies: 0, outcome: None })
    }

    fn values(&self) -> Vec<u32> {
        vec![self.width as u32, self.height as u32]
    }

    fn longest_game(&self) -> Option<u64> {
        Some(self.cells.len() as u64)
    }
}

/// Numbers the moves.
impl Actions for ConnectFour {
    fn num_actions(&self) -> usize {
        self.width
    }

    fn action(&self, &Column(column): &Column) -> Option<usize> {
        (column < self.width).then_some(column)
    }

    fn move_of(&self, action: usize) -> Option<Column> {
        (action < self.width).then_some(Column(action))
    }
}

/// Says that a board and its mirror image are equivalent.
impl Symmetry for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Self {
        let mut image = self.clone();
        match symmetry {
            0 => {}
            1 => image.cells.chunks_mut(self.width).for_each(<[_]>::reverse),
            _ => panic!("Connect Four has 2 symmetries"),
        }
        image
    }

    fn transform_move(&self, symmetry: usize, Column(column): Column) -> Column {
        match symmetry {
            0 => Column(column),
            1 => Column(self.width - 1 - column),
            _ => panic!("Connect Four has 2 symmetries"),
        }
    }
}

/// Counts, plays at random and solves; equivalent positions are searched and counted once.
impl Engine for ConnectFour {
    fn canonical(&self) -> Self {
        self.least_image()
    }

    /// One bit per cell and player, if the cells fit into a word.
    fn key(&self) -> Option<[u64; 2]> {
        let cells = self.canonical().cells;
        let discs = |player| {
            let bit = |(place, cell): (usize, &Option<Player>)| u64::from(*cell == Some(player)) << place;
            cells.iter().enumerate().map(bit).sum()
        };
        (cells.len() <= 64).then(|| Player::BOTH.map(discs))
    }
}

/// Shows the board as numbers, for programs that learn.
impl Observe for ConnectFour {
    fn shape(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        // The top row comes first.
        let rows = self.cells.chunks(self.width).rev();
        for (cell, disc) in cells.iter_mut().zip(rows.flatten()) {
            *cell = disc.map_or(0, |player| player as u8 + 1);
        }
    }
}

/// Lets batches and self-play take the game.
impl OnCpu for ConnectFour {}

/// Draws the cells, with characters and as a picture.
impl Draw for ConnectFour {}
