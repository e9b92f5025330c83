//! Observations of Breakdown.

use std::fmt::Write;

use super::board::Pos;
use super::cells::Cells;
use super::notation::Move;
use super::position::Breakdown;
use super::small::Engine;
use crate::cpu::Cpu;
use crate::error::MemoryError;
use crate::moves::Moves as _;
use crate::observe::{Observe, OnCpu};
use crate::position::{Actions, Player, Position};
use crate::random::Rng;

impl Observe for Breakdown {
    fn shape(&self) -> (usize, usize) {
        (self.height() as usize, self.width() as usize)
    }

    fn write_cells(&self, cells: &mut [u8]) {
        let places = (0..self.height()).flat_map(|row| (0..self.width()).map(move |column| (row, column)));
        for ((row, column), cell) in places.zip(cells) {
            *cell = self.cell(Pos::new(row, column)) as u8;
        }
    }
}

impl OnCpu for Breakdown {
    #[inline(always)]
    fn push_text(&self, text: &mut String) {
        if text.try_reserve(self.text_len()).is_err() {
            MemoryError { what: "the text of a board", bytes: self.text_len() }.raise();
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{self}");
    }

    #[inline(always)]
    fn write_planes_on(&self, cpu: impl Cpu, planes: &mut [u8]) {
        let second = usize::from(self.turn() == Some(Player::Second));
        let area = planes.len() / 2;
        match self.cells() {
            Cells::Word(cells) if area < 64 => {
                // As one bit string, most of which is spread a whole word at a time.
                let (own, other) = (cells[second], cells[1 - second]);
                cpu.spread(&[own | other << area, other >> 1 >> (63 - area)], planes);
            }
            Cells::Word(cells) => cpu.spread(&[cells[second], cells[1 - second]], planes),
            Cells::Double(cells) => {
                let (own, other) = planes.split_at_mut(area);
                cpu.spread(&cells[second], own);
                cpu.spread(&cells[1 - second], other);
            }
            Cells::Large(_) => self.write_planes(planes),
        }
    }

    #[inline(always)]
    fn write_mask_on(&self, cpu: impl Cpu, mask: &mut [u8]) {
        if self.is_over() {
            return mask.fill(0);
        }
        match self.legal_actions() {
            Some(actions) => cpu.spread(&[actions], mask),
            None => cpu.spread(self.moves().words(), mask),
        }
    }

    #[inline(always)]
    fn choose_on(&self, cpu: impl Cpu, rng: &mut Rng) -> Option<usize> {
        match self.legal_actions() {
            Some(0) => None,
            Some(actions) => {
                let chosen = rng.below(actions.count_ones() as usize);
                Some(cpu.nth(actions, chosen as u32) as usize)
            }
            None => self.moves().choose(rng).map(|m| self.action_of_legal(&m)),
        }
    }

    #[inline(always)]
    fn legal_move(&self, action: usize) -> Option<Move> {
        match self.legal_actions() {
            Some(actions) => self.move_of(action).filter(|_| actions >> (action % 64) & 1 == 1),
            None => self.legal_move_of_many(action),
        }
    }
}

impl Breakdown {
    /// Returns the move of an action if it is legal, on boards of any size; apart, so that small ones are quick.
    #[inline(never)]
    fn legal_move_of_many(&self, action: usize) -> Option<Move> {
        self.move_of(action).filter(|m| self.is_legal(m))
    }

    /// Returns the legal actions as one bit each, on boards whose cells and actions each fit in a word.
    #[inline(always)]
    fn legal_actions(&self) -> Option<u64> {
        match self.cells() {
            Cells::Word([black, white]) if self.width() <= 31 => {
                let engine = Engine::<u64>::new(self.sizes());
                let occupied = black | white;
                let [vertical, horizontal] = engine.room(occupied, engine.under_horizontal(occupied));
                let actions = vertical | horizontal << self.width() | 1 << (2 * self.width());
                Some(if self.is_over() { 0 } else { actions })
            }
            _ => None,
        }
    }
}
