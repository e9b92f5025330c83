//! The position as bytes.

use super::{Square, TicTac};
use crate::cpu::Cpu;
use crate::observe::Observe;
use crate::position::Position;

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

    #[inline(always)]
    fn planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let [own, other] = self.sides();
        let (own, other) = (u64::from(own), u64::from(other));
        // A length that is known lets the loops be unrolled.
        if let Ok(planes) = <&mut [u8; 18]>::try_from(planes) {
            cpu.spread(&[own | other << 9], planes);
        }
    }

    #[inline(always)]
    fn mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if let Ok(mask) = <&mut [u8; 9]>::try_from(mask) {
            cpu.spread(&[self.moves().bits()], mask);
        }
    }
}
