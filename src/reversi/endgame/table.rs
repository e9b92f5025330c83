//! The entries of the transposition table.

use crate::error::MemoryError;
use crate::search::Table;

/// Bounds on a position's value, and the best move of its last search.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

impl Bounds {
    /// The bounds of a position that is not in the table; its best move is no square.
    const NONE: Bounds = Bounds { lower: -64, upper: 64, best: u8::MAX };

    /// Packs the bounds into a word, with the number of empties in the highest byte.
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

/// Creates a table of at most this many bytes, or of a size that suits the number of empties.
pub(super) fn table_for(bytes: Option<usize>, empties: u32) -> Result<Table, MemoryError> {
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
pub(super) fn store(table: &Table, me: u64, op: u64, empties: u32, bounds: Bounds) {
    table.put([me, op], bounds.pack(empties));
}
