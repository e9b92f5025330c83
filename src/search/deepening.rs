//! Iterative deepening: the moves of a position, searched deeper and deeper.

use std::cmp::Reverse;
use std::mem::replace;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::analysis::{Analysis, Line};
use super::clock::Clock;
use super::estimate::Estimate;
use super::root::MOVES;
use super::solve::SolveOptions;
use crate::engine::Engine;
use crate::error::{list, push};
use crate::position::Position;
use crate::work::{
    StopOnDrop, Stopped, breathing, can_start_threads, interruptible, stop_by, stops_and, thread_count,
};

/// One round of iterative deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// How many plies are searched.
    pub(crate) depth: u32,
    /// How sure selective search has to be, in hundredths of a standard deviation; `None` if nothing is left out.
    pub(crate) caution: Option<i32>,
}

/// The result of a search within a window: the value in it, a bound outside; proved, or based on estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) value: i32,
    pub(crate) proven: bool,
}

/// A search algorithm that goes to a depth.
pub(crate) trait Prober<P: Position>: Send + Sized {
    /// All values are between this and its negative.
    const MOST: i32;

    /// Searches a position that is not over, from the point of view of the player to move.
    fn search(
        &mut self,
        position: &P,
        stage: Stage,
        window: (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped>;

    /// Returns the value of a finished game with a score.
    fn value(score: i32) -> i32;

    /// Returns the principal variation that begins with a move, which was just searched.
    fn line(&self, root: &P, m: &P::Move) -> Vec<P::Move>;

    /// Returns what a value means, for the player who is to move at the root.
    fn estimate(&self, root: &P, stage: Stage, value: i32) -> Estimate;

    /// Returns the score that a proven value means, if it is one.
    fn score(&self, root: &P, value: i32) -> Option<i32>;

    /// Returns the same search for a helper thread, with the same table, if that is useful.
    fn fork(&self) -> Option<Self>;
}

/// A root move; there may be millions, of which few are ever searched.
#[derive(Clone)]
struct Candidate<M> {
    m: M,
    known: Option<Box<Known<M>>>,
}

/// What was found of a root move.
#[derive(Clone)]
struct Known<M> {
    found: Found,
    /// The round that found it, with its number.
    stage: (usize, Stage),
    /// Whether it is the value, and not a bound on it.
    is_value: bool,
    line: Vec<M>,
}

/// Iterative deepening over some of the moves of a position.
struct Deepening<'a, P: Position, S> {
    position: &'a P,
    prober: &'a mut S,
    candidates: Vec<Candidate<P::Move>>,
    lines: usize,
    /// How many of the moves the latest round has searched.
    searched: usize,
    /// How many rounds are over, and the depth of the last.
    done: usize,
    depth: u32,
}

impl<P: Engine, S: Prober<P>> Deepening<'_, P, S> {
    /// Returns the score that is proved of a move: its value, or at least a bound above it.
    fn proved(&self, candidate: &Candidate<P::Move>) -> Option<i32> {
        let known = candidate.known.as_ref().filter(|known| known.found.proven)?;
        self.prober.score(self.position, known.found.value)
    }

    /// Returns the value that is proved of a move.
    fn proved_value(&self, candidate: &Candidate<P::Move>) -> Option<i32> {
        candidate.known.as_ref().filter(|known| known.is_value)?;
        self.proved(candidate)
    }

    /// Returns whether the first move is proved to be a best one: it wins, or no other is better.
    ///
    /// That it draws is not enough, as long as others may win.
    fn is_best(&self) -> bool {
        let (first, others) = (&self.candidates[0], &self.candidates[1..]);
        self.proved_value(first).is_some_and(|value| {
            value == self.position.max_score()
                || others.iter().all(|other| self.proved(other).is_some_and(|bound| bound <= value))
        })
    }

    /// Returns whether all lines are proved, and to be the best.
    fn is_proved(&self) -> bool {
        let (best, others) = self.candidates.split_at(self.lines);
        let least = best.iter().map(|candidate| self.proved_value(candidate)).min().flatten();
        self.done > 0
            && least.is_some_and(|least| {
                least == self.position.max_score()
                    || others.iter().all(|other| self.proved(other).is_some_and(|bound| bound <= least))
            })
    }

    /// Runs rounds until the lines are proved; what was found remains if it is stopped.
    fn run(&mut self, stages: &[Stage], clock: &mut Clock) -> Result<(), Stopped> {
        for &stage in stages {
            if self.is_proved() {
                break;
            }
            let before = match self.lines > 1 && self.done > 0 {
                true => Some(interruptible(|| Ok(self.copied()))?),
                false => None,
            };
            let result = interruptible(|| self.round(stage, clock));
            match before.filter(|_| result.is_err()) {
                // Values of different depths cannot be compared, so several lines are those of one round.
                Some(before) => self.candidates = before,
                None => self.sort(),
            }
            result?;
            (self.done, self.depth) = (self.done + 1, stage.depth);
        }
        Ok(())
    }

    /// Sorts the moves: the best of the latest round come first, then those of the round before, then all that are not
    /// as good. A move that turned out to lose comes after those that were not searched any more.
    ///
    /// If the round was stopped, only the first moves are sorted, as many as lines are asked for: there may be millions.
    fn sort(&mut self) {
        let worst = -self.position.max_score();
        let key = |candidate: &Candidate<_>| {
            let known = candidate.known.as_ref().map(|known| {
                let value = if known.is_value { known.found.value } else { -S::MOST };
                (known.is_value, known.stage.0, value)
            });
            Reverse((self.proved(candidate) != Some(worst), known))
        };
        // Those that the round has not searched are in order already.
        let count = (self.searched + self.lines).min(self.candidates.len());
        // Moves that are as good stay in their order.
        let mut order = list(MOVES, self.candidates[..count].iter().map(key).zip(0..));
        order.sort_unstable();
        for start in 0..count {
            let mut to = start;
            // Round a cycle of moves that take each other's places.
            loop {
                let from = replace(&mut order[to].1, to);
                if from == start {
                    break;
                }
                self.candidates.swap(to, from);
                to = from;
            }
        }
    }

    fn copied(&self) -> Vec<Candidate<P::Move>> {
        list(MOVES, breathing(&self.candidates).cloned())
    }

    /// Searches all moves: the first ones for their values, the others to see whether they are better.
    fn round(&mut self, stage: Stage, clock: &mut Clock) -> Result<(), Stopped> {
        let mut values: Vec<i32> = Vec::new();
        self.searched = 0;
        for index in 0..self.candidates.len() {
            // What is not among the best so far does not matter.
            let floor = values.get(self.lines - 1).copied().unwrap_or(-S::MOST - 1);
            let mut found = Found { value: i32::MAX, proven: false };
            if floor >= -S::MOST {
                found = self.search(index, stage, (floor, floor + 1), clock)?;
            }
            if found.value > floor {
                found = self.search(index, stage, (floor, S::MOST + 1), clock)?;
            }
            let is_value = found.value > floor;
            let mut line = Vec::new();
            if is_value {
                push(MOVES, &mut values, found.value);
                values.sort_unstable_by_key(|&value| Reverse(value));
                line = self.prober.line(self.position, &self.candidates[index].m);
            }
            let known = Known { found, stage: (self.done, stage), is_value, line };
            self.candidates[index].known = Some(Box::new(known));
            self.searched += 1;
        }
        Ok(())
    }

    /// Searches one move.
    fn search(
        &mut self,
        index: usize,
        stage: Stage,
        (alpha, beta): (i32, i32),
        clock: &mut Clock,
    ) -> Result<Found, Stopped> {
        let child = self.position.after_unchecked(self.candidates[index].m.clone());
        if let Some(score) = child.score_for(self.position.turn(), false) {
            return Ok(Found { value: S::value(score), proven: true });
        }
        let stage = Stage { depth: stage.depth - 1, ..stage };
        if child.turn() == self.position.turn() {
            return self.prober.search(&child, stage, (alpha, beta), clock);
        }
        let found = self.prober.search(&child, stage, (-beta, -alpha), clock)?;
        Ok(Found { value: -found.value, ..found })
    }

    /// Returns the lines. The first has a value only if its move is proved to be best.
    fn lines(&self) -> Vec<Line<P::Move>> {
        let mut least = self.position.estimate();
        let line = |candidate: &Candidate<_>| {
            let mut line = self.line(candidate);
            if candidate.known.is_none() {
                // Not searched, and not to seem better than those before it, which were.
                line.estimate = least;
            }
            if line.estimate.expected() < least.expected() {
                least = line.estimate;
            }
            line
        };
        list(MOVES, self.candidates[..self.lines].iter().map(line))
    }

    /// Returns what was found, with all nodes: its own, and those of helpers.
    fn done(&self, clock: &Clock, helper_nodes: u64) -> Analysis<P::Move> {
        let (nodes, seconds) = (clock.nodes + helper_nodes, clock.seconds());
        Analysis { lines: self.lines(), depth: self.depth, nodes, seconds }
    }

    fn line(&self, candidate: &Candidate<P::Move>) -> Line<P::Move> {
        let Some(known) = &candidate.known else {
            return Line {
                moves: vec![candidate.m.clone()],
                estimate: self.position.estimate(),
                value: None,
            };
        };
        let moves = if known.line.is_empty() { vec![candidate.m.clone()] } else { known.line.clone() };
        let is_first = std::ptr::eq(candidate, &self.candidates[0]);
        let score = self.proved_value(candidate).filter(|_| !is_first || self.is_best());
        let estimate = match score {
            Some(score) => Estimate::certain(score, P::COUNTS_SQUARES),
            None => self.prober.estimate(self.position, known.stage.1, known.found.value),
        };
        Line { moves, estimate, value: score }
    }
}

/// Searches moves of a position that is not over, round by round, within limits.
pub(crate) fn deepen<P: Engine, S: Prober<P>>(
    position: &P,
    moves: Vec<P::Move>,
    lines: usize,
    limits: &SolveOptions,
    stages: &[Stage],
    prober: &mut S,
) -> Analysis<P::Move> {
    let candidates = list(MOVES, breathing(moves).map(|m| Candidate { m, known: None }));
    let lines = lines.clamp(1, candidates.len());
    let most = position.max_score();
    // The limit is shared by the threads that search, each of which has at least one node.
    let nodes = limits.node_limit.map_or(usize::MAX, |nodes| usize::try_from(nodes).unwrap_or(usize::MAX));
    let threads = thread_count(limits.threads.min(nodes));
    let threads = if threads > 1 && can_start_threads() { threads } else { 1 };
    let forks: Vec<S> = (1..threads).map_while(|_| prober.fork()).collect();
    let limits = &SolveOptions { threads: forks.len() + 1, ..*limits };
    let mut clock = Clock::new(limits, (-most, most));
    let mut main = Deepening { position, prober, candidates, lines, searched: 0, done: 0, depth: 0 };
    let flag = Arc::new(AtomicBool::new(false));
    let helper_nodes = AtomicU64::new(0);
    if forks.is_empty() {
        // Stopped or done, what was found remains.
        let _ = main.run(stages, &mut clock);
        return main.done(&clock, 0);
    }
    thread::scope(|scope| {
        let start = |(number, mut prober): (usize, S)| {
            let mut candidates = main.copied();
            // Another order of all but the first, so that each thread leaves something else in the table.
            if let Some(others) = candidates.get_mut(1..).filter(|others| !others.is_empty()) {
                others.rotate_left(number % others.len());
            }
            let (flag, nodes, stops) = (&flag, &helper_nodes, stops_and(&flag));
            let work = move || {
                let _stops = stop_by(stops);
                let mut clock = Clock::new(limits, (0, 0)).helper(flag);
                let mut helper = Deepening {
                    position,
                    prober: &mut prober,
                    candidates,
                    lines,
                    searched: 0,
                    done: 0,
                    depth: 0,
                };
                // Every other helper is a round ahead.
                let _ = helper.run(&stages[number % 2 % stages.len().max(1)..], &mut clock);
                nodes.fetch_add(clock.nodes, Ordering::Relaxed);
            };
            // Without a thread that cannot be spawned, the search is only slower.
            thread::Builder::new().spawn_scoped(scope, work).ok()
        };
        let started: Vec<_> = (1..).zip(forks).filter_map(start).collect();
        let done = StopOnDrop(&flag);
        let _ = main.run(stages, &mut clock);
        drop(done);
        for thread in started {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    });
    main.done(&clock, helper_nodes.into_inner())
}
