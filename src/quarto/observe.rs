//! The position as bytes.

use super::lines::FILLED;
use super::{Quarto, Square};
use crate::cpu::Cpu;
use crate::observe::Observe;
use crate::position::Position;

impl Observe for Quarto {
    /// Occupied, tall, sepia, square, solid; then the same of the piece in hand, each all over its plane.
    const PLANES: usize = 10;

    fn shape(&self) -> (usize, usize) {
        (4, 4)
    }

    /// Writes the numbers of the pieces; an empty square is -1.
    fn write_cells(&self, cells: &mut [u8]) {
        for (square, cell) in Square::ALL.into_iter().zip(cells) {
            *cell = self.get(square).map_or(u8::MAX, |piece| piece.index() as u8);
        }
    }

    /// Appends the numbers of the pieces on the squares, then of the one in hand; there is none at -1.
    fn cells_on(&self, _: impl Cpu, bytes: &mut Vec<u8>) {
        let mut cells = [u8::MAX; 17];
        self.write_cells(&mut cells[..16]);
        cells[16] = self.hand().map_or(u8::MAX, |piece| piece.index() as u8);
        bytes.extend_from_slice(&cells);
    }

    #[inline(always)]
    fn planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let (holds, attributes) = self.hand().map_or((0, 0), |piece| (0xffff, FILLED[piece.index()]));
        // Planes are sixteen bits, and the position has the attributes the other way round.
        let turned = |planes: u64| {
            let halves = planes.rotate_left(32);
            (halves & 0x0000_ffff_0000_ffff) << 16 | (halves >> 16 & 0x0000_ffff_0000_ffff)
        };
        let (board, hand) = (turned(self.ones), turned(attributes));
        let words =
            [u64::from(self.occupied) | board << 16, board >> 48 | holds << 16 | hand << 32, hand >> 32];
        // A length that is known lets the loops be unrolled.
        if let Ok(planes) = <&mut [u8; 160]>::try_from(planes) {
            cpu.spread(&words, planes);
        }
    }

    #[inline(always)]
    fn mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if let Ok(mask) = <&mut [u8; 32]>::try_from(mask) {
            cpu.spread(&[self.moves().bits()], mask);
        }
    }
}
