//! The table of positions.

/// What is known of a position's value, and the move that was best when it was searched.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    pub(super) best: u8,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    me: u64,
    op: u64,
    lower: i8,
    upper: i8,
    best: u8,
    empties: u8,
}

/// Positions in pairs: the first place of a pair goes to those that took long, the second to the latest.
///
/// An entry holds the whole position, so that no two are ever mistaken for each other.
pub(super) struct Table {
    entries: Vec<[Entry; 2]>,
    shift: u32,
}

impl Table {
    /// Returns an empty table of at most so many bytes, or of a size that serves a number of empty squares.
    pub(super) fn new(bytes: Option<usize>, empties: u32) -> Self {
        let bytes = bytes.unwrap_or(match empties {
            0..=12 => 1 << 18,
            13..=16 => 1 << 22,
            17..=19 => 1 << 25,
            _ => 192 << 20,
        });
        let pairs = (bytes / size_of::<[Entry; 2]>()).max(2).ilog2();
        Table { entries: vec![[Entry::default(); 2]; 1 << pairs], shift: 64 - pairs }
    }

    #[inline(always)]
    fn place(&self, me: u64, op: u64) -> usize {
        let mixed =
            me.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ op.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(29);
        let mixed = (mixed ^ mixed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> self.shift) as usize
    }

    /// Returns what is known of a position; of most it is nothing.
    #[inline(always)]
    pub(super) fn get(&self, me: u64, op: u64) -> Bounds {
        for entry in &self.entries[self.place(me, op)] {
            if entry.me == me && entry.op == op {
                return Bounds { lower: entry.lower.into(), upper: entry.upper.into(), best: entry.best };
            }
        }
        // No square has this number.
        Bounds { lower: -64, upper: 64, best: u8::MAX }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, me: u64, op: u64, empties: u32, bounds: Bounds) {
        let place = self.place(me, op);
        let [first, second] = &mut self.entries[place];
        let new = Entry {
            me,
            op,
            lower: bounds.lower as i8,
            upper: bounds.upper as i8,
            best: bounds.best,
            empties: empties as u8,
        };
        if first.me == me && first.op == op || u32::from(first.empties) <= empties {
            *first = new;
        } else {
            *second = new;
        }
    }
}
