//! Alpha-beta over any position, with a table of what is known.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::clock::{Clock, Stopped};
use super::root::Searcher;
use super::solve::Options;
use crate::Position;

/// Mixes the few words of a position: sooner done than the hash of the standard library, which expects enemies.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hasher(u64);

impl std::hash::Hasher for Hasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// Alpha-beta search with a table of bounds, one entry for all positions that are equal under symmetry.
///
/// The table is right for games in which no position can come back, since a value must not depend on the way to it.
pub(crate) struct Minimax<P> {
    table: HashMap<P, (i32, i32), BuildHasherDefault<Hasher>>,
    capacity: usize,
    empties_to_winner: bool,
}

impl<P: Position> Minimax<P> {
    /// How many bytes the table takes at most unless told.
    const BYTES: usize = 256 << 20;

    pub(crate) fn new(options: &Options) -> Self {
        let bytes = options.table_bytes.unwrap_or(Self::BYTES);
        // A map keeps some room free, and has a control byte an entry.
        let entry = 2 * (size_of::<(P, (i32, i32))>() + 1);
        Minimax {
            table: HashMap::default(),
            capacity: (bytes / entry).max(1),
            empties_to_winner: options.empties_to_winner,
        }
    }
}

impl<P: Position> Searcher<P> for Minimax<P> {
    fn search(&mut self, position: &P, (alpha, beta): (i32, i32), clock: &mut Clock) -> Result<i32, Stopped> {
        clock.tick()?;
        let key = position.canonical();
        let most = position.max_score();
        let (lower, upper) = self.table.get(&key).copied().unwrap_or((-most, most));
        if lower >= beta || lower == upper {
            return Ok(lower);
        }
        if upper <= alpha {
            return Ok(upper);
        }
        let (alpha, beta) = (alpha.max(lower), beta.min(upper));
        let mover = position.turn();
        let mut best = -most;
        for m in position.moves() {
            let child = position.after_unchecked(m);
            let floor = alpha.max(best);
            let value = match child.score_for(mover, self.empties_to_winner) {
                Some(score) => score,
                // A player who is skipped leaves the other to move again.
                None if child.turn() == mover => self.search(&child, (floor, beta), clock)?,
                None => -self.search(&child, (-beta, -floor), clock)?,
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        let known = match best {
            _ if best >= beta => (best, upper),
            _ if best <= alpha => (lower, best),
            _ => (best, best),
        };
        // When it is full the table starts over: what is of use comes back.
        if self.table.len() >= self.capacity {
            self.table.clear();
        }
        self.table.insert(key, known);
        Ok(best)
    }
}
