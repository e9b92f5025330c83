//! Alpha-beta search to a depth, over the estimates of any game.

use super::analysis::{Found, Prober, Stage};
use super::clock::Clock;
use super::estimate::Estimate;
use super::root::MOVES;
use super::table::Table;
use crate::engine::{Engine, MAX_ADVANTAGE};
use crate::error::push;
use crate::position::{Outcome, Position};
use crate::work::{Stopped, is_large};

/// The value of a game that is won at once; one that is won after `n` plies is worth `n` less.
pub(crate) const WIN: i32 = 30_000;

/// Values beyond this are those of won and lost games: they are proved, however shallow the search was.
const PROVEN: i32 = 20_000;

/// The greatest depth.
pub(crate) const DEEPEST: u32 = 120;

/// Principal variation search with a transposition table.
pub(crate) struct AlphaBeta<P: Position> {
    /// Only games whose keys are exact have one: what it says is taken as proved.
    table: Option<Table>,
    /// The children of the nodes of a line, kept for their memory.
    children: Vec<Vec<Child<P>>>,
    /// The principal variation from each ply on.
    lines: Vec<Vec<P::Move>>,
}

struct Child<P: Position> {
    m: P::Move,
    index: u16,
    position: P,
    /// What it looks like for the player who moved there.
    promise: i32,
    /// The value for the player who moved there, if the game is over.
    ended: Option<i32>,
}

/// What the table knows of a position.
#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    found: Found,
    is_lower: bool,
    is_upper: bool,
    /// The index of the best move; only a hint, since positions that are equal by symmetry share an entry.
    best: u16,
}

impl Entry {
    const fn pack(self) -> u64 {
        (self.depth as u64) << 56
            | 1 << 48
            | (self.is_lower as u64) << 34
            | (self.is_upper as u64) << 33
            | (self.found.proven as u64) << 32
            | (self.best as u64) << 16
            | self.found.value as i16 as u16 as u64
    }

    const fn unpack(word: u64) -> Entry {
        Entry {
            depth: (word >> 56) as u32,
            found: Found { value: word as i16 as i32, proven: word >> 32 & 1 != 0 },
            is_lower: word >> 34 & 1 != 0,
            is_upper: word >> 33 & 1 != 0,
            best: (word >> 16) as u16,
        }
    }
}

impl<P: Engine> AlphaBeta<P> {
    pub(crate) fn new(table: Option<Table>) -> Self {
        AlphaBeta { table, children: Vec::new(), lines: Vec::new() }
    }

    /// Searches a position that is not over.
    fn node(
        &mut self,
        position: &P,
        (depth, ply): (u32, u32),
        (alpha, beta): (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped> {
        clock.tick()?;
        self.lines[ply as usize].clear();
        if depth == 0 {
            let value = position.advantage().clamp(1 - MAX_ADVANTAGE, MAX_ADVANTAGE - 1);
            return Ok(Found { value, proven: false });
        }
        let key = self.table.as_ref().and_then(|_| position.key());
        let known = key.and_then(|key| self.table.as_ref()?.get(key)).map(|word| Entry::unpack(word).at(ply));
        if let Some(entry) = known.filter(|entry| entry.depth >= depth || entry.found.proven) {
            let value = entry.found.value;
            let is_exact = entry.is_lower && entry.is_upper;
            if is_exact || entry.is_lower && value >= beta || entry.is_upper && value <= alpha {
                return Ok(entry.found);
            }
        }
        let mut children = std::mem::take(&mut self.children[ply as usize]);
        let best = self.best_child(position, (depth, ply), (alpha, beta), known, &mut children, clock);
        // Large positions take long to be freed, and there is no table for them.
        self.children[ply as usize] = children;
        let (found, best) = best?;
        if let (Some(table), Some(key)) = (&self.table, key) {
            let (is_lower, is_upper) = (found.value > alpha, found.value < beta);
            table.put(key, Entry { depth, found, is_lower, is_upper, best }.from(ply).pack());
        }
        Ok(found)
    }

    fn best_child(
        &mut self,
        position: &P,
        (depth, ply): (u32, u32),
        (alpha, beta): (i32, i32),
        known: Option<Entry>,
        children: &mut Vec<Child<P>>,
        clock: &mut Clock,
    ) -> Result<(Found, u16), Stopped> {
        let mover = position.turn();
        children.clear();
        // One at a time where a child is large, or is a leaf.
        let at_once = depth > 1 && !is_large(position.heap_bytes());
        let hint = known.map_or(u16::MAX, |entry| entry.best);
        let mut moves = position.moves().enumerate();
        if at_once {
            for (index, m) in moves.by_ref() {
                let mut child = Child::new(position, m, index, ply);
                if child.ended == Some(WIN - ply as i32 - 1) {
                    self.end_line(ply + 1);
                    self.note(ply, child.m);
                    return Ok((Found { value: WIN - ply as i32 - 1, proven: true }, index as u16));
                }
                if child.ended.is_none() {
                    child.promise = child.position.advantage();
                    if child.position.turn() != mover {
                        child.promise = -child.promise;
                    }
                    if child.index == hint {
                        child.promise = i32::MAX;
                    }
                }
                push(MOVES, children, child);
            }
            children.sort_unstable_by_key(|child| (std::cmp::Reverse(child.promise), child.index));
        }
        let mut ready = children.drain(..);
        let mut best = (Found { value: i32::MIN, proven: true }, 0);
        let mut all_proven = true;
        while let Some(child) =
            ready.next().or_else(|| moves.next().map(|(index, m)| Child::new(position, m, index, ply)))
        {
            let floor = alpha.max(best.0.value);
            let found = match child.ended {
                Some(value) => {
                    self.end_line(ply + 1);
                    Found { value, proven: true }
                }
                None => {
                    let same = child.position.turn() == mover;
                    let mut search = |alpha: i32, beta: i32| {
                        let window = if same { (alpha, beta) } else { (-beta, -alpha) };
                        let found = self.node(&child.position, (depth - 1, ply + 1), window, clock)?;
                        Ok(if same { found } else { Found { value: -found.value, ..found } })
                    };
                    let mut found = Found { value: i32::MAX, proven: false };
                    if best.0.value > i32::MIN && beta - floor > 1 {
                        found = search(floor, floor + 1)?;
                    }
                    if found.value > floor && (found.value < beta || found.value == i32::MAX) {
                        found = search(floor, beta)?;
                    }
                    found
                }
            };
            all_proven &= found.proven;
            if found.value > best.0.value {
                best = (found, child.index);
                if found.value > alpha {
                    self.note(ply, child.m);
                }
                if found.value >= beta {
                    // One move suffices for a lower bound.
                    return Ok(best);
                }
            }
        }
        // A win is proved by one move, all else by all.
        best.0.proven = all_proven || best.0.value > PROVEN;
        Ok(best)
    }

    /// Notes that the game is over at a ply.
    fn end_line(&mut self, ply: u32) {
        if let Some(line) = self.lines.get_mut(ply as usize) {
            line.clear();
        }
    }

    /// Notes that the principal variation from a ply begins with a move.
    fn note(&mut self, ply: u32, m: P::Move) {
        let (before, after) = self.lines.split_at_mut(ply as usize + 1);
        if let Some(line) = before.last_mut() {
            line.clear();
            line.push(m);
            line.extend(after.first().into_iter().flatten().cloned());
        }
    }
}

impl<P: Position> Child<P> {
    fn new(parent: &P, m: P::Move, index: usize, ply: u32) -> Self {
        let position = parent.after_unchecked(m.clone());
        let value = WIN - ply as i32 - 1;
        let ended = position.outcome().map(|outcome| match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if Some(winner) == parent.turn() => value,
            Outcome::Win(_) => -value,
        });
        Child { m, index: index.min(u16::MAX.into()) as u16, position, promise: ended.unwrap_or(0), ended }
    }
}

impl Entry {
    /// Counts the plies of wins and losses from the root, for an entry that counts them from its own position.
    fn at(self, ply: u32) -> Entry {
        self.moved(-(ply as i32))
    }

    /// The reverse of [`at`](Entry::at).
    fn from(self, ply: u32) -> Entry {
        self.moved(ply as i32)
    }

    fn moved(mut self, by: i32) -> Entry {
        let value = &mut self.found.value;
        *value += if *value > PROVEN {
            by
        } else if *value < -PROVEN {
            -by
        } else {
            0
        };
        self
    }
}

impl<P: Engine> Prober<P> for AlphaBeta<P> {
    const MOST: i32 = WIN;

    fn search(
        &mut self,
        position: &P,
        stage: Stage,
        window: (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped> {
        let plies = stage.depth as usize + 2;
        if self.children.len() < plies {
            self.children.resize_with(plies, Vec::new);
            self.lines.resize_with(plies, Vec::new);
        }
        self.node(position, (stage.depth, 0), window, clock)
    }

    fn value(score: i32) -> i32 {
        WIN * score.signum()
    }

    fn line(&self, root: &P, m: &P::Move) -> Vec<P::Move> {
        let mut line = vec![m.clone()];
        if !root.after_unchecked(m.clone()).is_over() {
            line.extend(self.lines.first().into_iter().flatten().cloned());
        }
        line
    }

    fn estimate(&self, _: &P, _: Stage, value: i32) -> Estimate {
        match value {
            _ if value > PROVEN => Estimate::certain(1, false),
            _ if value < -PROVEN => Estimate::certain(-1, false),
            _ => Estimate::of_expected(f64::from(value) / f64::from(MAX_ADVANTAGE)),
        }
    }

    fn score(&self, position: &P, value: i32) -> Option<i32> {
        // Only the winner is known of games that count squares.
        (position.max_score() == 1).then_some(match value {
            _ if value > PROVEN => 1,
            _ if value < -PROVEN => -1,
            _ => 0,
        })
    }

    fn fork(&self) -> Option<Self> {
        self.table.is_some().then(|| AlphaBeta::new(self.table.clone()))
    }
}
