//! Observations of TicTac.

use super::{Square, TicTac};
use crate::cpu::Cpu;
use crate::observe::{Observe, OnCpu};
use crate::position::Position;
use crate::random::Rng;

impl Observe for TicTac {
    fn shape(&self) -> (usize, usize) {
        (3, 3)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let [first, _] = self.marks();
        for (index, cell) in cells.iter_mut().enumerate() {
            let mark = Square::new(index).and_then(|square| self.get(square));
            *cell = mark.map_or(0, |mark| if mark == first { 1 } else { 2 });
        }
    }
}

impl OnCpu for TicTac {
    #[inline(always)]
    fn write_planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let [own, other] = self.sides();
        let (own, other) = (u64::from(own), u64::from(other));
        // A constant length lets the loops be unrolled.
        if let Ok(planes) = <&mut [u8; 18]>::try_from(planes) {
            cpu.spread(&[own | other << 9], planes);
        }
    }

    #[inline(always)]
    fn choose_on(&self, cpu: impl Cpu, rng: &mut Rng) -> Option<usize> {
        self.moves().choose_on(cpu, rng).map(Square::index)
    }

    #[inline(always)]
    fn write_mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if let Ok(mask) = <&mut [u8; 9]>::try_from(mask) {
            cpu.spread(&[self.moves().bits()], mask);
        }
    }
}
