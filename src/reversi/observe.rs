//! Observations of Reversi.

use super::{PositionSet, Reversi, Square};
use crate::cpu::{Cpu, Portable};
use crate::observe::{Observe, OnCpu};
use crate::position::{Actions, Position};
use crate::random::Rng;

impl Observe for Reversi {
    fn shape(&self) -> (usize, usize) {
        (self.height(), self.width())
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let [dark, light] = self.tiles();
        let squares = (0..self.height()).flat_map(|y| (0..self.width()).map(move |x| (x, y)));
        for ((x, y), cell) in squares.zip(cells) {
            let has = |set: PositionSet| Square::new(x, y).is_some_and(|at| set.contains(at));
            *cell = u8::from(has(dark)) + 2 * u8::from(has(light));
        }
    }

    fn count_cells(&self) -> [usize; 2] {
        self.tiles().map(PositionSet::len)
    }
}

impl OnCpu for Reversi {
    #[inline(always)]
    fn push_cells_on(&self, cpu: impl Cpu, bytes: &mut Vec<u8>) {
        if self.width() != 8 {
            return self.push_cells(bytes);
        }
        // Each byte of a set is one row.
        let [dark, light] = self.tiles().map(PositionSet::bits);
        let half = |by: u32| cpu.apart((dark >> by) as u32) | cpu.apart((light >> by) as u32) << 1;
        let cells = u128::from(half(0)) | u128::from(half(32)) << 64;
        // A constant length is copied without a call.
        let length = bytes.len() + 2 * self.height();
        bytes.extend_from_slice(&cells.to_le_bytes());
        bytes.truncate(length);
    }

    #[inline(always)]
    fn write_planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let (me, op) = self.sides();
        let (own, other) = planes.split_at_mut(self.num_actions());
        self.spread(cpu, me, own);
        self.spread(cpu, op, other);
    }

    #[inline(always)]
    fn write_mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        self.spread(cpu, self.legal().bits(), mask);
    }

    #[inline(always)]
    fn push_text(&self, text: &mut String) {
        text.push_str(self.line().as_str());
    }

    #[inline(always)]
    fn choose_on(&self, cpu: impl Cpu, rng: &mut Rng) -> Option<usize> {
        self.moves().choose_on(cpu, rng).map(|square| self.action_of_legal(&square))
    }

    #[inline(always)]
    fn play_on(&mut self, cpu: impl Cpu, square: Square) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = cpu.v3() {
            return self.play_with(cpu, square);
        }
        let _ = cpu;
        self.play_with(Portable, square);
    }
}

impl Reversi {
    /// Writes a set of squares as bytes, row by row.
    #[inline(always)]
    fn spread(&self, cpu: impl Cpu, squares: u64, bytes: &mut [u8]) {
        if self.width() == 8 {
            return cpu.spread(&[squares], bytes);
        }
        for (row, squares) in bytes.chunks_mut(self.width()).zip(squares.to_le_bytes()) {
            cpu.spread(&[u64::from(squares)], row);
        }
    }
}
