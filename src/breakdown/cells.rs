//! The cells of a position, stored according to the size of the board.

use super::large::Large;
use super::small::Engine;
use crate::error::MemoryError;
use crate::position::Outcome;

/// The four parameters of a game, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) stick: u32,
    pub(super) square: u32,
}

impl Shape {
    /// Returns the number of cells.
    #[inline]
    pub(super) fn area(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// The cells of each colour, one bit each, in the smallest of three forms that fits the board.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Cells {
    /// Up to 64 cells.
    Word([u64; 2]),
    /// Up to 128 cells; in halves, since the alignment of `u128` would make every position larger.
    Double([[u64; 2]; 2]),
    /// More.
    Large(Box<Large>),
}

impl Clone for Cells {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Cells::Word(planes) => Cells::Word(*planes),
            Cells::Double(planes) => Cells::Double(*planes),
            Cells::Large(large) => Cells::Large(large.clone()),
        }
    }

    /// Needs no memory if the boards have the same size.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Cells::Large(large), Cells::Large(source)) => large.clone_from(source),
            (cells, source) => *cells = source.clone(),
        }
    }
}

#[inline]
pub(super) fn join([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

#[inline]
pub(super) fn split(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

impl Cells {
    /// Returns an empty board, or an error if there is not enough memory.
    pub(super) fn new(shape: &Shape) -> Result<Self, MemoryError> {
        Ok(match shape.area() {
            0..=64 => Cells::Word([0; 2]),
            65..=128 => Cells::Double([[0; 2]; 2]),
            _ => Cells::Large(Box::new(Large::new(shape)?)),
        })
    }

    /// Fills an empty cell with a player's colour.
    #[inline]
    pub(super) fn set(&mut self, player: usize, at: u64) {
        match self {
            Cells::Word(planes) => planes[player] |= 1 << at,
            Cells::Double(planes) => planes[player][(at / 64) as usize] |= 1 << (at % 64),
            Cells::Large(large) => large.set(player, at),
        }
    }

    #[inline]
    pub(super) fn get(&self, player: usize, at: u64) -> bool {
        match self {
            Cells::Word(planes) => planes[player] >> at & 1 == 1,
            Cells::Double(planes) => planes[player][(at / 64) as usize] >> (at % 64) & 1 == 1,
            Cells::Large(large) => large.get(player, at),
        }
    }

    /// Returns the outcome of a game with this board, if it is over.
    pub(super) fn outcome(&self, shape: &Shape) -> Option<Outcome> {
        match self {
            Cells::Word(planes) => Engine::<_>::new(shape).outcome(planes),
            Cells::Double(planes) => Engine::<_>::new(shape).outcome(&planes.map(join)),
            Cells::Large(large) => large.outcome(shape),
        }
    }
}
