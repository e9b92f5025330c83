//! What the table of positions holds.

use crate::search::{SolveError, Table};

/// What is known of a position's value, and the move that was best when it was searched.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

impl Bounds {
    /// Of most positions nothing is known: no square has this number.
    const NONE: Bounds = Bounds { lower: -64, upper: 64, best: u8::MAX };

    /// Puts the bounds into a word whose highest byte tells how many squares were empty.
    #[inline(always)]
    const fn pack(self, empties: u32) -> u64 {
        let (lower, upper) = (self.lower as u8 as u64, self.upper as u8 as u64);
        (empties as u64) << 56 | 1 << 24 | (self.best as u64) << 16 | lower << 8 | upper
    }

    #[inline(always)]
    const fn unpack(word: u64) -> Bounds {
        Bounds { lower: (word >> 8) as i8 as i32, upper: word as i8 as i32, best: (word >> 16) as u8 }
    }
}

/// Returns an empty table of at most so many bytes, or of a size that serves a number of empty squares.
pub(super) fn table_for(bytes: Option<usize>, empties: u32) -> Result<Table, SolveError> {
    Table::new(bytes.unwrap_or(match empties {
        0..=12 => 1 << 18,
        13..=16 => 1 << 22,
        17..=19 => 1 << 25,
        _ => 192 << 20,
    }))
}

#[inline(always)]
pub(super) fn look_up(table: &Table, me: u64, op: u64) -> Bounds {
    table.get([me, op]).map_or(Bounds::NONE, Bounds::unpack)
}

#[inline(always)]
pub(super) fn keep(table: &Table, me: u64, op: u64, empties: u32, bounds: Bounds) {
    table.put([me, op], bounds.pack(empties));
}
