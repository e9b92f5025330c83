//! The middle of the game: principal variation search over evaluations, to a fixed depth.
//!
//! Values are expected disc differences in units of 1/[`DISC`]. Searches with a null window are cut short if a search
//! about half as deep makes the result likely (multi-ProbCut: M. Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello", 1997): results are guesses, as evaluations are.

use std::cmp::Reverse;

use super::endgame::Endgame;
use super::evaluation::{DISC, Evaluation, FIRST_CUT};
use super::kernel::Kernel;
use super::position_set::Square;
use crate::cpu::Operation;
use crate::search::{Clock, Table};
use crate::work::Stopped;

/// The greatest number of moves; see the endgame's ordering.
const MAX_MOVES: usize = 34;

/// From this depth on, positions are looked up in the table, and moves are ordered by their evaluations.
const SORTED: u32 = 3;

/// The squares next to the corners along both diagonals and edges, which are often bad to play.
const RISKY: u64 = 0x42c3_0000_0000_c342;

/// Up to this many empties, a search to the end is exact even if it is selective before.
const SOLVED: u32 = 11;

/// The greatest depth of searches that only sort moves.
const MOST_SORTED: u32 = 13;

/// The state of a search.
#[derive(Clone)]
pub(super) struct Midgame<K, E> {
    /// Solves positions with fewer empties than plies left to search, and counts all nodes.
    pub(super) endgame: Endgame<K>,
    evaluation: E,
    table: Table,
    /// How many standard deviations make a result likely, in hundredths; searches without are complete.
    pub(super) caution: Option<i32>,
}

/// A board, and what the evaluation keeps of it.
#[derive(Clone, Copy)]
pub(super) struct Node<T> {
    pub(super) me: u64,
    pub(super) op: u64,
    pub(super) kept: T,
}

/// Returns the best move of the last search of a position to a depth, if the table has it.
#[inline(always)]
pub(super) fn best_known(table: &Table, me: u64, op: u64) -> Option<u8> {
    table.get(key(me, op)).map(|word| Entry::unpack(word).best).filter(|&best| best < 64)
}

/// What the table knows of a position at some depth.
#[derive(Clone, Copy)]
struct Entry {
    depth: u32,
    /// How many standard deviations made results likely, in hundredths; at most 1023.
    caution: i32,
    best: u8,
    lower: i32,
    upper: i32,
}

/// Returns the key of a position, which differs from all keys of the solver, with whom the table is shared: their words
/// have no bits in common.
#[inline(always)]
const fn key(me: u64, op: u64) -> [u64; 2] {
    [!me, op]
}

impl Entry {
    /// The caution of searches that leave nothing out.
    const SURE: i32 = 1023;
    /// Values are between these.
    const MOST: i32 = 64 * DISC;
    const NONE: Entry = Entry { depth: 0, caution: 0, best: u8::MAX, lower: -Self::MOST, upper: Self::MOST };

    #[inline(always)]
    const fn pack(self) -> u64 {
        let (lower, upper) = (self.lower as i16 as u16 as u64, self.upper as i16 as u16 as u64);
        (self.depth as u64) << 56
            | (self.caution as u64) << 41
            | 1 << 40
            | (self.best as u64) << 32
            | lower << 16
            | upper
    }

    #[inline(always)]
    const fn unpack(word: u64) -> Entry {
        Entry {
            depth: (word >> 56) as u32,
            caution: (word >> 41 & 1023) as i32,
            best: (word >> 32) as u8,
            lower: (word >> 16) as i16 as i32,
            upper: word as i16 as i32,
        }
    }
}

impl<K: Kernel, E: Evaluation> Midgame<K, E> {
    pub(super) fn new(endgame: Endgame<K>, evaluation: E, table: Table, caution: Option<i32>) -> Self {
        Midgame { endgame, evaluation, table, caution }
    }

    /// Returns the node of a board.
    #[inline(always)]
    pub(super) fn node(&self, me: u64, op: u64) -> Node<E::Kept> {
        Node { me, op, kept: self.evaluation.look(self.endgame.kernel, me, op) }
    }

    /// Returns the node after a move.
    #[inline(always)]
    fn after(&self, node: &Node<E::Kept>, square: usize, flips: u64) -> Node<E::Kept> {
        let Node { me, op, ref kept } = *node;
        let kept = self.evaluation.after(kept, square, flips);
        Node { me: op & !flips, op: me | flips | 1 << square, kept }
    }

    /// Returns the expected disc difference, in units of 1/[`DISC`].
    #[inline(always)]
    pub(super) fn evaluate(&self, node: &Node<E::Kept>) -> i32 {
        self.evaluation.evaluate(self.endgame.kernel, node.me, node.op, &node.kept)
    }

    /// Searches to a depth. A result inside the window is the value; at or below alpha it is an upper bound, at or above
    /// beta a lower one.
    #[inline(always)]
    pub(super) fn search(
        &mut self,
        clock: &mut Clock,
        node: &Node<E::Kept>,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, Stopped> {
        self.endgame.kernel.run(Search { search: self, clock, node, depth, alpha, beta })
    }

    /// Returns the best move of the last search of a position, if it is still known.
    pub(super) fn best(&self, me: u64, op: u64) -> Option<u8> {
        best_known(&self.table, me, op)
    }

    /// Sorts the moves of a position, the best first, by searches of deeper and deeper children, at last to the end of the
    /// game, and returns about what its value is, in discs.
    pub(super) fn sort(
        &mut self,
        me: u64,
        op: u64,
        depth: u32,
        moves: &mut [Square],
        clock: &mut Clock,
    ) -> Option<i32> {
        /// It may begin another round after a part of the nodes that are left.
        const SHARE: u64 = 16;
        let root = self.node(me, op);
        let to_the_end = (self.endgame.full & !(me | op)).count_ones() - 1;
        let enough = clock.nodes + clock.nodes_left() / SHARE;
        let mut guess = None;
        for depth in (0..depth.min(MOST_SORTED)).chain([to_the_end]) {
            if clock.nodes > enough {
                break;
            }
            // Only how good the best are matters, and in the end which is the best.
            let margin = if depth == to_the_end { DISC } else { 8 * DISC };
            let mut values = Vec::with_capacity(moves.len());
            let mut best = -Entry::MOST;
            for square in &*moves {
                let flips = self.endgame.kernel.flips(square.index(), me, op);
                let child = self.after(&root, square.index(), flips);
                let floor = (best - margin).max(-Entry::MOST);
                let Ok(value) = self.search(clock, &child, depth, (-Entry::MOST, -floor)) else {
                    return guess;
                };
                let value = -value;
                best = best.max(value);
                values.push((Reverse(value), *square));
            }
            values.sort_by_key(|&(value, _)| value);
            for (place, (_, square)) in moves.iter_mut().zip(values) {
                *place = square;
            }
            guess = Some(best / DISC);
        }
        guess
    }

    /// Solves a position instead, with few empties.
    #[inline(always)]
    fn solve(
        &mut self,
        clock: &mut Clock,
        node: &Node<E::Kept>,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, Stopped> {
        // A whole number is above alpha if it is above the next one below, and reaches beta if it reaches the next one
        // above.
        let (floor, ceiling) = (alpha.div_euclid(DISC), -(-beta).div_euclid(DISC));
        let value = if ceiling - floor <= 1 {
            self.endgame.scout(clock, node.me, node.op, floor)?
        } else {
            self.endgame.value(clock, node.me, node.op, (floor, ceiling))?
        };
        Ok(DISC * value)
    }

    /// Looks whether a shallower search makes it likely that a result is outside of a null window.
    #[inline(always)]
    fn cut(
        &mut self,
        clock: &mut Clock,
        node: &Node<E::Kept>,
        depth: u32,
        (alpha, beta): (i32, i32),
    ) -> Result<Option<i32>, Stopped> {
        let tiles = (node.me | node.op).count_ones();
        let doubt = self.evaluation.doubt(tiles, depth);
        let Some((caution, doubt)) = self.caution.zip(doubt) else { return Ok(None) };
        let margin = caution * doubt / 100;
        let shallow = 2 * (depth / 4) + depth % 2;
        let guess = self.evaluate(node);
        if guess >= beta {
            let goal = beta + margin;
            if goal < Entry::MOST && self.search(clock, node, shallow, (goal - 1, goal))? >= goal {
                return Ok(Some(beta));
            }
        } else {
            let goal = alpha - margin;
            if goal > -Entry::MOST && self.search(clock, node, shallow, (goal, goal + 1))? <= goal {
                return Ok(Some(alpha));
            }
        }
        Ok(None)
    }
}

/// A search to a depth.
struct Search<'a, 'c, K, E: Evaluation> {
    search: &'a mut Midgame<K, E>,
    clock: &'a mut Clock<'c>,
    node: &'a Node<E::Kept>,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<K: Kernel, E: Evaluation> Operation for Search<'_, '_, K, E> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<i32, Stopped> {
        let Search { search, clock, node, depth, alpha, beta } = self;
        if depth == 0 {
            search.endgame.count(clock)?;
            return Ok(search.evaluate(node));
        }
        let Node { me, op, ref kept } = *node;
        let empty = search.endgame.full & !(me | op);
        let left = empty.count_ones();
        if left <= depth && (search.caution.is_none() || left <= SOLVED) {
            return search.solve(clock, node, (alpha, beta));
        }
        search.endgame.count(clock)?;
        let moves = search.endgame.moves(me, op);
        if moves == 0 {
            if search.endgame.moves(op, me) == 0 {
                return Ok(DISC * search.endgame.final_score(me, op));
            }
            let passed = Node { me: op, op: me, kept: search.evaluation.pass(kept) };
            return Ok(-search.search(clock, &passed, depth, (-beta, -alpha))?);
        }
        if depth < SORTED {
            return search.shallow(clock, node, depth, (alpha, beta), moves);
        }
        let caution = search.caution.unwrap_or(Entry::SURE);
        let known = search.table.get(key(me, op)).map_or(Entry::NONE, Entry::unpack);
        let (mut lower, mut upper) = (-Entry::MOST, Entry::MOST);
        if known.depth >= depth && known.caution >= caution {
            (lower, upper) = (known.lower, known.upper);
            if lower >= beta || lower == upper {
                return Ok(lower);
            }
            if upper <= alpha {
                return Ok(upper);
            }
        }
        let is_null = beta - alpha == 1;
        if is_null && depth as usize >= FIRST_CUT {
            if let Some(value) = search.cut(clock, node, depth, (alpha, beta))? {
                return Ok(value);
            }
        }
        let mut ordered = Ordered::new(search, node, moves, known.best);
        let (mut best, mut best_move) = (i32::MIN, u8::MAX);
        while let Some((square, flips)) = ordered.next() {
            let child = search.after(node, square.into(), flips);
            let floor = alpha.max(best);
            let mut value = i32::MAX;
            if best > i32::MIN && beta - floor > 1 {
                value = -search.search(clock, &child, depth - 1, (-floor - 1, -floor))?;
            }
            if value > floor && (value < beta || value == i32::MAX) {
                value = -search.search(clock, &child, depth - 1, (-beta, -floor))?;
            }
            if value > best {
                (best, best_move) = (value, square);
                if best >= beta {
                    break;
                }
            }
        }
        let (lower, upper) = match best {
            _ if best >= beta => (best, upper.max(best)),
            _ if best <= alpha => (lower.min(best), best),
            _ => (best, best),
        };
        search.table.put(key(me, op), Entry { depth, caution, best: best_move, lower, upper }.pack());
        Ok(best)
    }
}

impl<K: Kernel, E: Evaluation> Midgame<K, E> {
    /// Searches one or two plies: the risky moves last.
    #[inline(always)]
    fn shallow(
        &mut self,
        clock: &mut Clock,
        node: &Node<E::Kept>,
        depth: u32,
        (alpha, beta): (i32, i32),
        moves: u64,
    ) -> Result<i32, Stopped> {
        let mut best = i32::MIN;
        // The leaves are counted without a look at the clock.
        if clock.nodes_left() < self.endgame.nodes + u64::from(moves.count_ones()) {
            return Err(Stopped);
        }
        let corners = moves & self.endgame.corners;
        for mut rest in [corners, moves & !corners & !RISKY, moves & RISKY & !corners] {
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let flips = self.endgame.kernel.flips(square, node.me, node.op);
                let child = self.after(node, square, flips);
                let floor = alpha.max(best);
                let value = match depth {
                    1 => {
                        self.endgame.nodes += 1;
                        -self.evaluate(&child)
                    }
                    _ => -self.search(clock, &child, depth - 1, (-beta, -floor))?,
                };
                best = best.max(value);
                if best >= beta {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }
}

/// The moves of a position with their flips, the most promising first.
struct Ordered {
    moves: [(i32, u8, u64); MAX_MOVES],
    count: usize,
    next: usize,
}

impl Ordered {
    #[inline(always)]
    fn new<K: Kernel, E: Evaluation>(
        search: &mut Midgame<K, E>,
        node: &Node<E::Kept>,
        moves: u64,
        best: u8,
    ) -> Self {
        let mut ordered = Ordered { moves: [(0, 0, 0); MAX_MOVES], count: 0, next: 0 };
        let mut rest = moves;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flips = search.endgame.kernel.flips(square, node.me, node.op);
            let child = search.after(node, square, flips);
            let key = if square == usize::from(best) {
                i32::MIN
            } else {
                // What leaves the opponent few moves is also searched sooner.
                let replies = search.endgame.moves(child.me, child.op).count_ones() as i32;
                search.evaluate(&child) + DISC / 4 * replies
            };
            ordered.moves[ordered.count] = (key, square as u8, flips);
            ordered.count += 1;
        }
        ordered
    }

    #[inline(always)]
    fn next(&mut self) -> Option<(u8, u64)> {
        let rest = &mut self.moves[self.next..self.count];
        let least = (0..rest.len()).min_by_key(|&i| rest[i].0)?;
        rest.swap(0, least);
        self.next += 1;
        Some((rest[0].1, rest[0].2))
    }
}
