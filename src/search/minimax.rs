//! Alpha-beta search over any position, with a transposition table.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::clock::Clock;
use super::root::Searcher;
use super::solve::{LONGEST_LINE, SolveOptions};
use crate::engine::Engine;
use crate::playout::no_move;
use crate::work::Stopped;

/// Mixes the few words of a position: faster than the standard library's hasher, which has to resist attacks.
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

/// Alpha-beta search with a transposition table of bounds, which positions that are equal by symmetry share.
///
/// The table is sound only if positions cannot repeat, since a value must not depend on the path to it.
pub(crate) struct Minimax<P> {
    table: HashMap<P, (i32, i32), BuildHasherDefault<Hasher>>,
    capacity: usize,
    empties_to_winner: bool,
    /// The ply of the current node, counted from the root.
    depth: usize,
    /// The search was aborted since a line of play was too long.
    pub(super) too_long: bool,
}

impl<P: Engine> Minimax<P> {
    /// The default limit for the size of the table in bytes.
    const BYTES: usize = 256 << 20;

    pub(crate) fn new(position: &P, options: &SolveOptions) -> Self {
        let bytes = options.table_bytes.unwrap_or(Self::BYTES);
        // A map keeps some room free, and has a control byte per entry.
        let entry = 2 * (size_of::<(P, (i32, i32))>() + 1) + position.heap_bytes();
        Minimax {
            table: HashMap::default(),
            capacity: bytes / entry,
            empties_to_winner: options.empties_to_winner,
            depth: 0,
            too_long: false,
        }
    }

    /// Searches one ply deeper.
    fn descend(&mut self, position: &P, window: (i32, i32), clock: &mut Clock) -> Result<i32, Stopped> {
        if self.depth == LONGEST_LINE {
            self.too_long = true;
            return Err(Stopped);
        }
        self.depth += 1;
        let value = self.search(position, window, clock);
        self.depth -= 1;
        value
    }
}

impl<P: Engine> Searcher<P> for Minimax<P> {
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
        let moves = position.moves();
        if moves.len() == 0 {
            no_move(position);
        }
        for m in moves {
            let child = position.after_unchecked(m);
            let floor = alpha.max(best);
            let value = match child.score_for(mover, self.empties_to_winner) {
                Some(score) => score,
                // The opponent is skipped: the same player moves again.
                None if child.turn() == mover => self.descend(&child, (floor, beta), clock)?,
                None => -self.descend(&child, (-beta, -floor), clock)?,
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
        // A full table starts over: what is still useful will soon be back.
        if self.table.len() >= self.capacity {
            self.table.clear();
        }
        // Without memory for more, it stays as it is.
        if self.capacity > 0 && self.table.try_reserve(1).is_ok() {
            self.table.insert(key, known);
        }
        Ok(best)
    }
}
