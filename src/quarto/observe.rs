//! Observations of Quarto.

use super::lines::FILLED;
use super::{Move, Piece, Quarto, Square};
use crate::cpu::Cpu;
use crate::observe::{Observe, OnCpu};
use crate::position::Position;
use crate::random::Rng;

impl Observe for Quarto {
    /// Occupied, tall, sepia, square, solid; then the same for the piece in hand, each as a constant plane.
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

    /// Returns zeros: the pieces are nobody's.
    fn count_cells(&self) -> [usize; 2] {
        [0; 2]
    }

    /// Appends the numbers of the pieces on the squares, then of the one in hand; -1 for none.
    fn push_cells(&self, bytes: &mut Vec<u8>) {
        let mut cells = [u8::MAX; 17];
        self.write_cells(&mut cells[..16]);
        cells[16] = self.hand().map_or(u8::MAX, |piece| piece.index() as u8);
        bytes.extend_from_slice(&cells);
    }

    fn write_planes(&self, planes: &mut [u8]) {
        assert_eq!(planes.len(), self.observation_len(), "the length of an observation");
        // A piece in five bits: whether there is one, then its number.
        let bits = |piece: Option<Piece>| piece.map_or(0, |piece| 16 | piece.index());
        let hand = bits(self.hand());
        for (at, square) in Square::ALL.into_iter().enumerate() {
            let here = bits(self.get(square));
            for plane in 0..5 {
                planes[plane * 16 + at] = (here >> (4 - plane) & 1) as u8;
                planes[(plane + 5) * 16 + at] = (hand >> (4 - plane) & 1) as u8;
            }
        }
    }
}

impl OnCpu for Quarto {
    #[inline(always)]
    fn choose_on(&self, cpu: impl Cpu, rng: &mut Rng) -> Option<usize> {
        self.moves().choose_on(cpu, rng).map(Move::index)
    }

    #[inline(always)]
    fn write_planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let (holds, attributes) = self.hand().map_or((0, 0), |piece| (0xffff, FILLED[piece.index()]));
        // The position has its sixteen-bit planes in the opposite order.
        let turned = |planes: u64| {
            let halves = planes.rotate_left(32);
            (halves & 0x0000_ffff_0000_ffff) << 16 | (halves >> 16 & 0x0000_ffff_0000_ffff)
        };
        let (board, hand) = (turned(self.ones), turned(attributes));
        let words =
            [u64::from(self.occupied) | board << 16, board >> 48 | holds << 16 | hand << 32, hand >> 32];
        // A constant length lets the loops be unrolled.
        if let Ok(planes) = <&mut [u8; 160]>::try_from(planes) {
            cpu.spread(&words, planes);
        }
    }

    #[inline(always)]
    fn write_mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if let Ok(mask) = <&mut [u8; 32]>::try_from(mask) {
            cpu.spread(&[self.moves().bits()], mask);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_cells_are_pieces_and_the_one_in_hand() {
        for (text, pieces) in [
            ("0.../.f../..../.... 5 2", [(0, 0), (5, 15), (16, 5)]),
            ("...a/..../..../.... - 2", [(3, 10), (0, u8::MAX), (16, u8::MAX)]),
        ] {
            let (mut cells, mut packed) = ([0; 16], Vec::new());
            let position: Quarto = text.parse().unwrap();
            position.write_cells(&mut cells);
            position.push_cells(&mut packed);
            assert_eq!((packed.len(), &packed[..16]), (17, &cells[..]));
            for (at, piece) in pieces {
                assert_eq!(packed[at], piece, "{text}");
            }
        }
    }
}
