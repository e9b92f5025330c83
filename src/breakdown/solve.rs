//! The solver: a search for forced wins.
//!
//! A breakdown may be called when it changes nothing, so positions can repeat and a game need not end. The value of a
//! position is therefore defined by what can be forced: it is a win for a player who can force a win within some number
//! of plies, and a draw if neither can, since then each can prevent the other from winning forever. This is what
//! retrograde analysis finds, and the tests compare with it.
//!
//! The search needs no retrograde analysis. Call a `!` that changes nothing a pass.
//!
//! *A player who can force a win can do so without passing.* Say X, to move on board B, can force a win in n plies, but
//! no fewer. If only a pass achieved that, then Y, to move on B, would lose within n - 1 plies; but Y could pass as
//! well, and X, to move on B again, would win within n - 2 plies, a contradiction.
//!
//! *So the search for a forced win of a given player A has no cycles.* A need not pass, and a pass by the opponent is
//! followed by a move of A that is not a pass. Every move that is not a pass adds cells, or lets cells fall, after
//! which none can fall until more are added: no board repeats. The search is run for each player, and if neither has a
//! forced win, the value is a draw.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Breakdown, Move};
use crate::engine::Engine;
use crate::position::{Actions, Outcome, Player, Position};
use crate::search::solve::SolveOptions;
use crate::search::{Clock, Hasher, Searcher};
use crate::work::Stopped;

/// The result of a search for a forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is one.
    Yes,
    /// There is none.
    No,
    /// There is none within the depth of the search.
    NotYet,
}

/// A table entry for one player: the depth that was searched, and the answer if it is known.
#[derive(Clone, Copy, Default)]
struct Entry {
    plies: u16,
    answer: Option<bool>,
}

type Shard = HashMap<Breakdown, [Entry; 2], BuildHasherDefault<Hasher>>;

/// The number of shards of the table, so that threads rarely contend for the same one.
const SHARDS: usize = 64;

#[derive(Clone)]
pub(super) struct Solver {
    table: Arc<[Mutex<Shard>]>,
    /// The greatest number of positions in a shard.
    capacity: usize,
    /// The number of the thread, 0 for the main one: each starts with a different move.
    number: usize,
}

/// The depths of iterative deepening: forced wins are usually short.
const DEPTHS: [u16; 5] = [1, 3, 5, 7, 9];

/// The greatest depth. Only boards with hundreds of cells have longer games that matter.
const MAX_DEPTH: u16 = 400;

impl Solver {
    /// The default limit for the size of the table in bytes.
    const BYTES: usize = 1 << 30;

    pub(super) fn new(options: &SolveOptions) -> Self {
        let entry_size = 2 * (size_of::<(Breakdown, [Entry; 2])>() + 1);
        let capacity = (options.table_bytes.unwrap_or(Self::BYTES) / entry_size / SHARDS).max(1);
        Solver { table: (0..SHARDS).map(|_| Mutex::default()).collect(), capacity, number: 0 }
    }

    fn shard(&self, key: &Breakdown) -> MutexGuard<'_, Shard> {
        let hash = BuildHasherDefault::<Hasher>::default().hash_one(key);
        // The map itself uses the lowest and the highest bits.
        let shard = &self.table[(hash >> 32) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a player can force a win.
    fn wins(&mut self, position: &Breakdown, player: Player, clock: &mut Clock) -> Result<bool, Stopped> {
        for plies in DEPTHS.into_iter().chain([MAX_DEPTH]) {
            match self.wins_within(position, player, plies, clock)? {
                Verdict::Yes => return Ok(true),
                Verdict::No => return Ok(false),
                Verdict::NotYet => {}
            }
        }
        Err(Stopped)
    }

    /// Searches for a forced win of a player within some plies of a position that is not over.
    fn wins_within(
        &mut self,
        position: &Breakdown,
        player: Player,
        plies: u16,
        clock: &mut Clock,
    ) -> Result<Verdict, Stopped> {
        clock.tick()?;
        if !position.has_chance(player) {
            return Ok(Verdict::No);
        }
        if plies == 0 {
            return Ok(Verdict::NotYet);
        }
        let key = position.canonical();
        let entry = self.shard(&key).get(&key).map_or(Entry::default(), |entry| entry[player.index()]);
        match entry.answer {
            Some(true) => return Ok(Verdict::Yes),
            Some(false) => return Ok(Verdict::No),
            None if entry.plies >= plies => return Ok(Verdict::NotYet),
            None => {}
        }
        let verdict = self.search_children(position, player, plies, clock)?;
        let answer = match verdict {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::NotYet => None,
        };
        let mut shard = self.shard(&key);
        // A full shard starts over: what is still useful will soon be back.
        if shard.len() >= self.capacity {
            shard.clear();
        }
        shard.entry(key).or_default()[player.index()] = Entry { plies, answer };
        drop(shard);
        Ok(verdict)
    }

    fn search_children(
        &mut self,
        position: &Breakdown,
        player: Player,
        plies: u16,
        clock: &mut Clock,
    ) -> Result<Verdict, Stopped> {
        let attacking = position.turn() == Some(player);
        // The first child with the deciding verdict ends the search.
        let (decides, mut so_far) =
            if attacking { (Verdict::Yes, Verdict::No) } else { (Verdict::No, Verdict::Yes) };
        let mut children: Vec<Breakdown> = Vec::with_capacity(position.num_actions());
        for m in position.moves() {
            // A stick of one cell is the same in both orientations.
            if position.stick() == 1 && matches!(m, Move::Horizontal(_)) {
                continue;
            }
            let child = position.after_unchecked(m);
            match child.outcome() {
                Some(Outcome::Win(winner)) if winner == player => {
                    if attacking {
                        return Ok(Verdict::Yes);
                    }
                }
                Some(_) => {
                    if !attacking {
                        return Ok(Verdict::No);
                    }
                }
                None if attacking && m == Move::Breakdown && child.same_cells(position) => {}
                None => children.push(child),
            }
        }
        if !attacking {
            // A defence that leaves no chance is as good as one that ends the game.
            if children.iter().any(|child| !child.has_chance(player)) {
                return Ok(Verdict::No);
            }
        }
        if self.number > 0 && !children.is_empty() {
            let first = self.number % children.len();
            children.rotate_left(first);
        }
        for child in &children {
            let verdict = self.wins_within(child, player, plies - 1, clock)?;
            if verdict == decides {
                return Ok(verdict);
            }
            if verdict == Verdict::NotYet {
                so_far = Verdict::NotYet;
                // With the defender to move, one such child suffices: the win is not within reach.
                if !attacking {
                    return Ok(Verdict::NotYet);
                }
            }
        }
        Ok(so_far)
    }
}

impl Searcher<Breakdown> for Solver {
    fn search(
        &mut self,
        position: &Breakdown,
        (alpha, _): (i32, i32),
        clock: &mut Clock,
    ) -> Result<i32, Stopped> {
        let mover = position.turn().expect("only positions that are not over are searched");
        Ok(if alpha >= 0 {
            i32::from(self.wins(position, mover, clock)?)
        } else {
            -i32::from(self.wins(position, mover.other(), clock)?)
        })
    }

    fn fork(&self, number: usize) -> Option<Self> {
        Some(Solver { number, ..self.clone() })
    }
}
