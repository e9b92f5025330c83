//! Who can force a win.
//!
//! A breakdown may be called when it changes nothing, so positions come back and a game need not end. The value of a
//! position is therefore defined by what can be forced: it is a win for a player who can make sure to win after some
//! number of plies, whatever the other does, and a draw where neither can: there each can keep the other from winning
//! forever. This is what retrograde analysis finds, and the tests compare with it.
//!
//! A search needs no retrograde analysis here. Call a `!` that changes nothing a pass.
//!
//! *Whoever can force a win can do so without passing.* Say X, to move, wins from board B in n plies at the soonest. If a
//! pass were X's only way to do that, the other, Y, to move on B, would lose within n - 1 plies; but Y could pass as well,
//! and X, to move on B again, would have to win within n - 2 plies, sooner than at the soonest.
//!
//! *So the question whether a given player A can force a win has no cycles.* A needs no passes, and a pass by the other is
//! followed by a move of A that is none. Every move that is not a pass adds cells, or lets cells fall on a board that
//! stays as full, after which nothing is left to fall: a board never comes back. The question is asked of each player,
//! and if the answer is no both times, the value is a draw.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Breakdown, Move};
use crate::position::{Outcome, Player, Position};
use crate::search::{Clock, Hasher, Options, Searcher, Stopped};

/// What a search for a forced win found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is one.
    Yes,
    /// There is none.
    No,
    /// There is none within the plies that were looked at.
    NotYet,
}

/// What the table knows of a player's chances: how many plies were looked at in vain, and the answer if there is one.
#[derive(Clone, Copy, Default)]
struct Known {
    plies: u16,
    answer: Option<bool>,
}

type Part = HashMap<Breakdown, [Known; 2], BuildHasherDefault<Hasher>>;

/// How many parts the table has, so that threads seldom want the same one.
const PARTS: usize = 64;

#[derive(Clone)]
pub(super) struct Solver {
    table: Arc<[Mutex<Part>]>,
    /// How many positions a part holds at most.
    capacity: usize,
    /// Which of the threads this is, the first being 0: each begins with another move.
    number: usize,
}

/// Forced wins are short as a rule: these are looked for before anything else.
const SOON: [u16; 5] = [1, 3, 5, 7, 9];

/// How deep a search goes at most. A board would need hundreds of cells to have longer games worth looking at.
const DEEPEST: u16 = 400;

impl Solver {
    /// How many bytes the table takes at most unless told.
    const BYTES: usize = 1 << 30;

    pub(super) fn new(options: &Options) -> Self {
        let entry = 2 * (size_of::<(Breakdown, [Known; 2])>() + 1);
        let capacity = (options.table_bytes.unwrap_or(Self::BYTES) / entry / PARTS).max(1);
        Solver { table: (0..PARTS).map(|_| Mutex::default()).collect(), capacity, number: 0 }
    }

    fn part(&self, key: &Breakdown) -> MutexGuard<'_, Part> {
        let hash = BuildHasherDefault::<Hasher>::default().hash_one(key);
        // The map itself goes by the lowest and the highest bits.
        let part = &self.table[(hash >> 32) as usize % PARTS];
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a player can force a win.
    fn wins(&mut self, position: &Breakdown, player: Player, clock: &mut Clock) -> Result<bool, Stopped> {
        for plies in SOON.into_iter().chain([DEEPEST]) {
            match self.wins_within(position, player, plies, clock)? {
                Verdict::Yes => return Ok(true),
                Verdict::No => return Ok(false),
                Verdict::NotYet => {}
            }
        }
        Err(Stopped)
    }

    /// Looks for a win that a player can force within some plies of a position that is not over.
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
        let known = self.part(&key).get(&key).map_or(Known::default(), |known| known[player.index()]);
        match known.answer {
            Some(true) => return Ok(Verdict::Yes),
            Some(false) => return Ok(Verdict::No),
            None if known.plies >= plies => return Ok(Verdict::NotYet),
            None => {}
        }
        let verdict = self.look(position, player, plies, clock)?;
        let answer = match verdict {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::NotYet => None,
        };
        let mut part = self.part(&key);
        // When it is full a part starts over: what is of use comes back.
        if part.len() >= self.capacity {
            part.clear();
        }
        part.entry(key).or_default()[player.index()] = Known { plies, answer };
        drop(part);
        Ok(verdict)
    }

    fn look(
        &mut self,
        position: &Breakdown,
        player: Player,
        plies: u16,
        clock: &mut Clock,
    ) -> Result<Verdict, Stopped> {
        let attacking = position.turn() == Some(player);
        // The first child that decides ends the search; until then the worst of the others is what is known.
        let (decides, mut so_far) =
            if attacking { (Verdict::Yes, Verdict::No) } else { (Verdict::No, Verdict::Yes) };
        let mut children: Vec<Breakdown> = Vec::with_capacity(position.num_actions());
        for m in position.moves() {
            // A stick of one cell lies as it stands.
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
            // A defence that leaves no chance at all is as good as one that ends the game.
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
                // With the defender to move one such answer is enough to know that this takes longer.
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
        let mover = position.turn().unwrap_or(Player::First);
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
