//! The position as bytes.

use super::board::Cell;
use super::cells::Cells;
use super::position::Breakdown;
use crate::cpu::Cpu;
use crate::observe::{Observe, planes_from_cells};
use crate::position::{Player, Position};

impl Observe for Breakdown {
    fn shape(&self) -> (usize, usize) {
        (self.height() as usize, self.width() as usize)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let places = (0..self.height()).flat_map(|row| (0..self.width()).map(move |column| (row, column)));
        for ((row, column), cell) in places.zip(cells) {
            *cell = self.get(row, column).unwrap_or(Cell::Empty) as u8;
        }
    }

    #[inline(always)]
    fn planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let second = usize::from(self.turn() == Some(Player::Second));
        let (own, other) = planes.split_at_mut(planes.len() / 2);
        match self.cells() {
            Cells::Word(cells) => {
                cpu.spread(&[cells[second]], own);
                cpu.spread(&[cells[1 - second]], other);
            }
            Cells::Double(cells) => {
                cpu.spread(&cells[second], own);
                cpu.spread(&cells[1 - second], other);
            }
            Cells::Large(_) => planes_from_cells(self, planes),
        }
    }

    #[inline(always)]
    fn mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if self.is_over() {
            return mask.fill(0);
        }
        cpu.spread(self.moves().words(), mask);
    }
}
