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
use crate::error::{push, reserve};
use crate::position::{Actions, Outcome, Player, Position};
use crate::search::solve::SolveOptions;
use crate::search::{Clock, Hasher, Searcher};
use crate::work::{Stopped, is_large};

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

/// What errors call a list that there is no memory for.
const MOVES: &str = "a list of moves";

/// The number of shards of the table, so that threads rarely contend for the same one.
const SHARDS: usize = 64;

#[derive(Clone)]
pub(super) struct Solver {
    table: Arc<[Mutex<Shard>]>,
    /// The greatest number of positions in a shard.
    capacity: usize,
    /// The greatest depth, for which the positions of a line fit in memory.
    deepest: u16,
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
    /// The same for large boards, which rarely come back, and which take long to be freed.
    const BYTES_IF_LARGE: usize = 1 << 27;

    pub(super) fn new(position: &Breakdown, options: &SolveOptions) -> Self {
        let default = if is_large(position.heap_bytes()) { Self::BYTES_IF_LARGE } else { Self::BYTES };
        let bytes = options.table_bytes.unwrap_or(default);
        let entry_size = 2 * (size_of::<(Breakdown, [Entry; 2])>() + 1) + position.heap_bytes();
        let capacity = bytes / entry_size / SHARDS;
        // A line has a position and its key for each ply.
        let lines = bytes / (2 * position.heap_bytes()).max(1);
        let deepest = u16::try_from(lines).map_or(MAX_DEPTH, |lines| lines.clamp(1, MAX_DEPTH));
        let table = (0..SHARDS).map(|_| Mutex::default()).collect();
        Solver { table, capacity, deepest, number: 0 }
    }

    fn shard(&self, key: &Breakdown) -> MutexGuard<'_, Shard> {
        let hash = BuildHasherDefault::<Hasher>::default().hash_one(key);
        // The map itself uses the lowest and the highest bits.
        let shard = &self.table[(hash >> 32) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a player can force a win.
    fn wins(&mut self, position: &Breakdown, player: Player, clock: &mut Clock) -> Result<bool, Stopped> {
        let deepest = self.deepest;
        for plies in DEPTHS.into_iter().filter(|&plies| plies < deepest).chain([deepest]) {
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
        if self.capacity > 0 {
            let mut shard = self.shard(&key);
            // A full shard starts over: what is still useful will soon be back.
            if shard.len() >= self.capacity {
                shard.clear();
            }
            // Without memory for more, it stays as it is.
            if shard.try_reserve(1).is_ok() {
                shard.entry(key).or_default()[player.index()] = Entry { plies, answer };
            }
        }
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
        // Large ones are made again when they are searched.
        let large = is_large(position.heap_bytes());
        let mut children: Vec<(Move, Option<Breakdown>)> = Vec::new();
        if !large {
            reserve(MOVES, &mut children, position.num_actions());
        }
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
                // A defence that leaves no chance is as good as one that ends the game.
                None if !attacking && !child.has_chance(player) => return Ok(Verdict::No),
                None => push(MOVES, &mut children, (m, (!large).then_some(child))),
            }
        }
        if self.number > 0 && !children.is_empty() {
            let first = self.number % children.len();
            children.rotate_left(first);
        }
        for (m, child) in children {
            let child = child.unwrap_or_else(|| position.after_unchecked(m));
            let verdict = self.wins_within(&child, player, plies - 1, clock)?;
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
