//! The endgame solver: principal variation search on bare bitboards, to the last disc.
//!
//! With many empties, positions are looked up in a transposition table, moves are ordered fastest first (by how few
//! replies they leave), and all but the first are searched with a null window ([`Pvs`], [`Scout`]). With few empties
//! there is no table, and with very few moves are ordered by parity alone: those into regions with an odd number of
//! empties come first, since playing last in a region is an advantage ([`Shallow`]). The last two squares are unrolled.

mod journal;
mod last;
mod order;
mod stability;
mod table;

use std::sync::Arc;

pub use self::journal::Finding;
use self::journal::Listener;
use self::last::Shallow;
use self::order::Ordered;
pub(super) use self::stability::Edges;
use self::table::{Bounds, look_up, store, table_for};
use super::Reversi;
use super::evaluation::{Learned, learned};
use super::kernel::Kernel;
use super::midgame::Midgame;
use super::position_set::Square;
use crate::cpu::{Operation, on_best_cpu};
use crate::engine::Engine;
use crate::position::Position;
use crate::search::solve::{Solution, SolveError, SolveOptions};
use crate::search::{Clock, Searcher, Table, solve_with};
use crate::work::Stopped;

/// Up to this many empties, positions are not looked up: the table would be slower than the search.
const SHALLOW_EMPTIES: u32 = 9;

/// Up to this many empties, values are found by null windows alone.
const STEPPED_EMPTIES: u32 = 7;

/// With more empties than this, the moves of the root are ordered by a selective search that leaves so many.
const GUESSED_EMPTIES: u32 = 10;

/// How many standard deviations that search takes as certain, in hundredths.
const GUESS_CAUTION: i32 = 120;

/// More nodes than are searched between two looks at the clock: a search of seven empties has at most twice 13,700 (if
/// every turn is passed back and forth), one of nine twice 986,410, one that orders moves at most 34 times 1,191.
const ROOM: u64 = 1 << 17;
const ROOM_OF_NINE: u64 = 1 << 21;

/// How many nodes make the result of a search worth reporting: about a tenth of a second.
const REPORTED: u64 = 1 << 21;

/// The state of a search.
#[derive(Clone)]
pub(super) struct Endgame<K> {
    pub(super) kernel: K,
    /// The squares of the board, their number, the corners, and the four quadrants that serve as regions for parity.
    pub(super) full: u64,
    area: i32,
    pub(super) corners: u64,
    quadrants: [u64; 4],
    pub(super) edges: Edges,
    /// The centre squares, where the opening is played.
    center: u64,
    empties_to_winner: bool,
    /// What moves are ordered by, if the board has weights.
    learned: Option<&'static Learned>,
    table: Table,
    /// Is told of results that took long to find.
    listener: Option<Listener>,
    /// About what the value of the position is whose moves were last ordered, if a search looked.
    guess: Option<i32>,
    /// The number of the thread, so that each orders moves differently; 0 for the main one.
    number: u64,
    /// Nodes searched since the clock was last updated.
    pub(super) nodes: u64,
}

/// Solves a position with the processor's best instructions.
pub(super) fn solve(position: &Reversi, options: &SolveOptions) -> Result<Solution<Square>, SolveError> {
    solve_from(position, options, &[], None)
}

/// Like [`Engine::solve`], but resumes an earlier search from its findings, and reports new ones.
///
/// The findings must come from a search of the same position that counted empties in the same way. `tell` is called, on
/// any thread, with each bound that took about a tenth of a second or more.
///
/// # Errors
///
/// A [`SolveError`] as for [`Engine::solve`].
pub fn solve_resumably(
    position: &Reversi,
    options: &SolveOptions,
    known: &[Finding],
    tell: impl Fn(&Finding) + Send + Sync + 'static,
) -> Result<Solution<Square>, SolveError> {
    solve_from(position, options, known, Some(Arc::new(tell)))
}

fn solve_from(
    position: &Reversi,
    options: &SolveOptions,
    known: &[Finding],
    listener: Option<Listener>,
) -> Result<Solution<Square>, SolveError> {
    on_best_cpu!(kernel => {
        let mut search = Endgame::new(kernel, position, options)?;
        search.learn(known);
        solve_with(position, options, &mut Endgame { listener, ..search })
    })
}

impl<K: Kernel> Endgame<K> {
    pub(super) fn new(kernel: K, position: &Reversi, options: &SolveOptions) -> Result<Self, SolveError> {
        let (me, op) = position.sides();
        let empties = (position.area().0 & !(me | op)).count_ones();
        let table = table_for(options.table_bytes, empties)?;
        Ok(Endgame::with_table(kernel, position, options, table))
    }

    pub(super) fn with_table(kernel: K, position: &Reversi, options: &SolveOptions, table: Table) -> Self {
        let (width, height) = (position.width() as u32, position.height() as u32);
        let (full, center) = position.area();
        let edges = Edges::new(full, width, height);
        let left = full & (((1 << (width / 2)) - 1) * 0x0101_0101_0101_0101);
        let top = full & ((1 << (8 * (height / 2))) - 1);
        let quadrants = [left & top, top & !left, left & !top, full & !left & !top];
        Endgame {
            kernel,
            full,
            area: full.count_ones() as i32,
            corners: edges.corners(),
            quadrants,
            edges,
            center,
            empties_to_winner: options.empties_to_winner,
            learned: ((width, height) == (8, 8)).then(learned),
            table,
            listener: None,
            guess: None,
            number: 0,
            nodes: 0,
        }
    }

    /// Returns the best move that the table knows of a position.
    pub(super) fn best(&self, me: u64, op: u64) -> Option<u8> {
        Some(look_up(&self.table, me, op).best).filter(|&best| best < 64)
    }

    /// Returns the score of a finished game.
    #[inline(always)]
    pub(super) fn final_score(&self, me: u64, op: u64) -> i32 {
        let (me, op) = (me.count_ones() as i32, op.count_ones() as i32);
        let empties = if self.empties_to_winner { self.area - me - op } else { 0 };
        me - op + (me - op).signum() * empties
    }

    /// Returns the squares of quadrants with an odd number of empties.
    #[inline(always)]
    fn odd(&self, empty: u64) -> u64 {
        let squares =
            |quadrant: u64| (u64::from((empty & quadrant).count_ones() & 1)).wrapping_neg() & quadrant;
        squares(self.quadrants[0])
            | squares(self.quadrants[1])
            | squares(self.quadrants[2])
            | squares(self.quadrants[3])
    }

    #[inline(always)]
    pub(super) fn moves(&self, me: u64, op: u64) -> u64 {
        self.kernel.reach(me, op) & self.full & !(me | op)
    }

    /// Searches with the null window above `alpha`; returns a bound.
    #[inline(always)]
    pub(super) fn scout(&mut self, clock: &mut Clock, me: u64, op: u64, alpha: i32) -> Result<i32, Stopped> {
        let kernel = self.kernel;
        if self.is_shallow(clock, me, op) {
            Ok(kernel.run(Shallow { search: self, me, op, alpha }))
        } else {
            kernel.run(Scout { search: self, clock, me, op, alpha })
        }
    }

    /// Searches with a full window.
    #[inline(always)]
    pub(super) fn value(
        &mut self,
        clock: &mut Clock,
        me: u64,
        op: u64,
        (alpha, beta): (i32, i32),
    ) -> Result<i32, Stopped> {
        let kernel = self.kernel;
        if (self.full & !(me | op)).count_ones() > STEPPED_EMPTIES || !self.has_room(clock) {
            return kernel.run(Pvs { search: self, clock, me, op, alpha, beta });
        }
        // With so few empties, null windows step up from alpha to the value.
        let mut floor = alpha;
        loop {
            let value = self.scout(clock, me, op, floor)?;
            if value <= floor || value >= beta {
                return Ok(value.max(if floor > alpha { floor } else { i32::MIN }));
            }
            floor = value;
        }
    }

    /// Stores the findings of another search in the table.
    fn learn(&mut self, known: &[Finding]) {
        for &Finding { me, op, best, lower, upper } in known {
            let bounds = Bounds { best, lower: lower.into(), upper: upper.into() };
            store(&self.table, me, op, (self.full & !(me | op)).count_ones(), bounds);
        }
    }

    /// Reports bounds that took long to find.
    #[cold]
    #[inline(never)]
    fn tell(&self, me: u64, op: u64, Bounds { best, lower, upper }: Bounds) {
        if let Some(listener) = &self.listener {
            listener(&Finding { me, op, best, lower: lower as i8, upper: upper as i8 });
        }
    }

    /// Counts a node, and those since the last time, unless it is time to stop.
    #[inline(always)]
    pub(super) fn count(&mut self, clock: &mut Clock) -> Result<(), Stopped> {
        self.report(clock);
        clock.tick()
    }

    /// Tells the clock of the nodes since the last time.
    #[inline(always)]
    pub(super) fn report(&mut self, clock: &mut Clock) {
        clock.nodes += self.nodes;
        self.nodes = 0;
    }

    /// Returns whether the limit leaves room for searches that do not look at the clock; if not, every node does.
    #[inline(always)]
    fn has_room(&self, clock: &Clock) -> bool {
        clock.nodes_left() > self.nodes + ROOM
    }

    /// Returns whether a position is searched without the table and the clock.
    #[inline(always)]
    fn is_shallow(&self, clock: &Clock, me: u64, op: u64) -> bool {
        let left = (self.full & !(me | op)).count_ones();
        let room = if left <= STEPPED_EMPTIES { ROOM } else { ROOM_OF_NINE };
        left <= SHALLOW_EMPTIES && clock.nodes_left() > self.nodes + room
    }
}

/// A null-window search above `alpha`.
struct Scout<'a, 'c, K> {
    search: &'a mut Endgame<K>,
    clock: &'a mut Clock<'c>,
    me: u64,
    op: u64,
    alpha: i32,
}

impl<K: Kernel> Operation for Scout<'_, '_, K> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<i32, Stopped> {
        let Scout { search, clock, me, op, alpha } = self;
        search.count(clock)?;
        let before = clock.nodes;
        let empty = search.full & !(me | op);
        let moves = search.moves(me, op);
        if moves == 0 {
            return match search.moves(op, me) {
                0 => Ok(search.final_score(me, op)),
                _ => Ok(-search.scout(clock, op, me, -alpha - 1)?),
            };
        }
        if let Some(bound) = search.stability_bound(op, empty, alpha) {
            return Ok(bound);
        }
        let known = look_up(&search.table, me, op);
        if known.lower > alpha {
            return Ok(known.lower);
        }
        if known.upper <= alpha {
            return Ok(known.upper);
        }
        let roomy = search.has_room(clock);
        let mut ordered = Ordered::new(search, me, op, moves, known.best, roomy);
        if let Some(value) = ordered.transposition_cutoff(search, me, op, alpha) {
            return Ok(value);
        }
        let (mut best, mut best_move) = (i32::MIN, 0);
        while let Some((square, flips)) = ordered.next() {
            let value = -search.scout(clock, op & !flips, me | flips | 1 << square, -alpha - 1)?;
            if value > best {
                (best, best_move) = (value, square);
                if best > alpha {
                    break;
                }
            }
        }
        let bounds = if best > alpha { (best, known.upper) } else { (known.lower, best) };
        let bounds = Bounds { best: best_move as u8, lower: bounds.0, upper: bounds.1 };
        store(&search.table, me, op, empty.count_ones(), bounds);
        if clock.nodes - before >= REPORTED {
            search.tell(me, op, bounds);
        }
        Ok(best)
    }
}

/// Principal variation search between `alpha` and `beta`.
struct Pvs<'a, 'c, K> {
    search: &'a mut Endgame<K>,
    clock: &'a mut Clock<'c>,
    me: u64,
    op: u64,
    alpha: i32,
    beta: i32,
}

impl<K: Kernel> Operation for Pvs<'_, '_, K> {
    type Output = Result<i32, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<i32, Stopped> {
        let Pvs { search, clock, me, op, alpha, beta } = self;
        search.count(clock)?;
        let before = clock.nodes;
        let empty = search.full & !(me | op);
        let moves = search.moves(me, op);
        if moves == 0 {
            return match search.moves(op, me) {
                0 => Ok(search.final_score(me, op)),
                _ => Ok(-search.value(clock, op, me, (-beta, -alpha))?),
            };
        }
        let known = look_up(&search.table, me, op);
        if known.lower >= beta || known.lower == known.upper {
            return Ok(known.lower);
        }
        if known.upper <= alpha {
            return Ok(known.upper);
        }
        let (alpha, beta) = (alpha.max(known.lower - 1), beta.min(known.upper + 1));
        let roomy = search.has_room(clock);
        let mut ordered = Ordered::new(search, me, op, moves, known.best, roomy);
        let (mut best, mut best_move) = (i32::MIN, 0);
        while let Some((square, flips)) = ordered.next() {
            let (child_me, child_op) = (op & !flips, me | flips | 1 << square);
            let floor = alpha.max(best);
            let mut value = i32::MAX;
            if best > i32::MIN && beta - floor > 1 {
                value = -search.scout(clock, child_me, child_op, -floor - 1)?;
            }
            if value > floor && (value < beta || value == i32::MAX) {
                value = -search.value(clock, child_me, child_op, (-beta, -floor))?;
            }
            if value > best {
                (best, best_move) = (value, square);
                if best >= beta {
                    break;
                }
            }
        }
        let bounds = match best {
            _ if best >= beta => (best, known.upper),
            _ if best <= alpha => (known.lower, best),
            _ => (best, best),
        };
        let bounds = Bounds { best: best_move as u8, lower: bounds.0, upper: bounds.1 };
        store(&search.table, me, op, empty.count_ones(), bounds);
        if clock.nodes - before >= REPORTED {
            search.tell(me, op, bounds);
        }
        Ok(best)
    }
}

impl<K: Kernel> Searcher<Reversi> for Endgame<K> {
    fn search(
        &mut self,
        position: &Reversi,
        (alpha, beta): (i32, i32),
        clock: &mut Clock,
    ) -> Result<i32, Stopped> {
        let (me, op) = position.sides();
        if self.center & !(me | op) == 0 {
            let value = self.value(clock, me, op, (alpha, beta));
            self.report(clock);
            return value;
        }
        // The opening: up to symmetry, its few lines transpose into each other.
        let mut best = i32::MIN;
        for m in position.moves() {
            let child = position.after_unchecked(m).canonical();
            let floor = alpha.max(best);
            let value = match child.score_for(position.turn(), self.empties_to_winner) {
                Some(score) => score,
                None if child.turn() == position.turn() => self.search(&child, (floor, beta), clock)?,
                None => -self.search(&child, (-beta, -floor), clock)?,
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn order(&mut self, position: &Reversi, moves: &mut [Square], clock: &mut Clock) {
        let (me, op) = position.sides();
        if self.center & !(me | op) != 0 {
            return;
        }
        let (empty, kernel) = (self.full & !(me | op), self.kernel);
        let left = empty.count_ones();
        if let Some(learned) = self.learned.filter(|_| left > GUESSED_EMPTIES) {
            let mut midgame = Midgame::new(self.clone(), learned, self.table.clone(), Some(GUESS_CAUTION));
            self.guess = midgame.sort(me, op, left - GUESSED_EMPTIES, moves, clock);
            self.nodes = midgame.endgame.nodes;
            return;
        }
        let depth = if left > 12 && self.has_room(clock) { 5 } else { 1 };
        moves.sort_by_cached_key(|&square| {
            let flips = kernel.flips(square.index(), me, op);
            self.evaluate_deeply(op & !flips, me | flips | square.bit(), depth)
        });
    }

    fn guess(&self) -> Option<i32> {
        self.guess
    }

    fn fork(&self, number: usize) -> Option<Self> {
        Some(Endgame { number: number as u64, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::moves::Moves;
    use crate::random::Rng;

    #[test]
    fn the_portable_kernel_gives_the_same_answer() -> Result<(), SolveError> {
        for game in 0..40 {
            let mut rng = Rng::for_game(12, game);
            let mut position = Reversi::default();
            while position.tiles().iter().map(|tiles| tiles.len() as u32).sum::<u32>() < 53 {
                let Some(m) = position.moves().choose(&mut rng) else { break };
                position.play_unchecked(m);
            }
            let options = SolveOptions::default();
            let mut portable = Endgame::new(Portable, &position, &options)?;
            let found = solve(&position, &options);
            let expected = solve_with(&position, &options, &mut portable);
            let parts = |solution: Solution<Square>| (solution.value, solution.best_moves, solution.nodes);
            assert_eq!(found.map(parts), expected.map(parts));
        }
        Ok(())
    }
}
