//! What all solvers share at the top: which moves are best, the line of best play, and honest bounds.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::clock::{Clock, Stopped};
use super::minimax::Hasher;
use super::solve::{Options, Solution, SolveError};
use super::thread_count;
use crate::Position;

/// A way to search the positions of a game.
pub(crate) trait Searcher<P: Position>: Send + Sized {
    /// Returns the value of a position that is not over, for its player to move, as far as the window asks.
    ///
    /// A result inside the window is exact; one at or below it is an upper bound, one at or above it a lower bound.
    fn search(&mut self, position: &P, window: (i32, i32), clock: &mut Clock) -> Result<i32, Stopped>;

    /// Puts the moves that are likely to be best first.
    fn order(&mut self, position: &P, moves: &mut [P::Move]) {
        let _ = (position, moves);
    }

    /// Returns a searcher for another thread that shares this one's table, if that is of any use.
    ///
    /// The number, from one on, tells the threads apart: each should look at things in an order of its own.
    fn fork(&self, number: usize) -> Option<Self> {
        let _ = number;
        None
    }
}

/// Where a root move leads, or several that are equal up to symmetry, and what is known of its value.
#[derive(Clone)]
struct Candidate<P: Position> {
    child: P,
    lower: i32,
    upper: i32,
}

/// The moves of a position, valued one after the other.
struct Root<'a, 'o, P: Position, S> {
    position: &'a P,
    options: &'a Options<'o>,
    candidates: Vec<Candidate<P>>,
    searcher: &'a mut S,
    clock: Clock<'a>,
}

/// Finds the value of a position and its best moves with a way to search.
pub(crate) fn solve_with<P: Position, S: Searcher<P>>(
    position: &P,
    options: &Options,
    searcher: &mut S,
) -> Result<Solution<P::Move>, SolveError> {
    if position.is_over() {
        return Err(SolveError::Over);
    }
    if options.empties_to_winner && !P::COUNTS_SQUARES {
        return Err(SolveError::EmptiesToWinner);
    }
    let most = position.max_score();
    let mover = position.turn();
    let mut moves: Vec<P::Move> = position.moves().collect();
    searcher.order(position, &mut moves);
    let mut classes: HashMap<P, usize, BuildHasherDefault<Hasher>> = HashMap::default();
    let mut candidates: Vec<Candidate<P>> = Vec::new();
    // Which candidate stands for each move: moves that lead to the same position up to symmetry are searched once.
    let mut stands_for: Vec<(P::Move, usize)> = Vec::new();
    for m in moves {
        let child = position.after_unchecked(m);
        let class = *classes.entry(child.canonical()).or_insert(candidates.len());
        if class == candidates.len() {
            let score = child.score_for(mover, options.empties_to_winner);
            let (lower, upper) = score.map_or((-most, most), |score| (score, score));
            candidates.push(Candidate { child, lower, upper });
        }
        stands_for.push((m, class));
    }
    let clock = Clock::new(options, (-most, most));
    let mut root = Root { position, options, candidates, searcher, clock };
    let stopped = root.run_with_others().is_err();
    let (lower, upper) = root.bounds();
    let exact = lower == upper && !(stopped && options.all_best);
    // Bounds that the rules of the game give anyway make no move a good one.
    let good = |&(m, class): &(P::Move, usize)| (root.candidates[class].lower == lower).then_some(m);
    let mut best_moves: Vec<P::Move> =
        if exact || lower > -most { stands_for.iter().filter_map(good).collect() } else { Vec::new() };
    best_moves.sort_by_key(|&m| position.action(m));
    let line = match best_moves.first() {
        Some(&first) if exact => root.line(first, lower),
        first => first.copied().into_iter().collect(),
    };
    Ok(Solution {
        value: lower,
        best_moves,
        line,
        nodes: root.clock.nodes,
        seconds: root.clock.seconds(),
        exact,
        lower,
        upper,
    })
}

impl<P: Position, S: Searcher<P>> Root<'_, '_, P, S> {
    /// The line may cost this part of the search, and a little more: where nobody set a limit, less than a second.
    const LINE_SHARE: u64 = 16;
    const LINE_NODES: u64 = 2_000;
    const LINE_NODES_WITHOUT_LIMIT: u64 = 2_000_000;

    /// Returns what is known of the position's value.
    fn bounds(&self) -> (i32, i32) {
        let most = self.position.max_score();
        let lower = self.candidates.iter().map(|candidate| candidate.lower).max();
        let upper = self.candidates.iter().map(|candidate| candidate.upper).max();
        (lower.unwrap_or(-most), upper.unwrap_or(most))
    }

    /// Searches one move; the window is from the view of the player to move at the root.
    fn look(&mut self, index: usize, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let candidate = &self.candidates[index];
        if candidate.lower >= beta || candidate.lower == candidate.upper {
            return Ok(candidate.lower);
        }
        if candidate.upper <= alpha {
            return Ok(candidate.upper);
        }
        let child = &candidate.child;
        let value = value_after(self.searcher, self.position, child, (alpha, beta), &mut self.clock)?;
        let candidate = &mut self.candidates[index];
        if value > alpha {
            candidate.lower = candidate.lower.max(value);
        }
        if value < beta {
            candidate.upper = candidate.upper.min(value);
        }
        self.clock.bounds = self.bounds();
        Ok(value)
    }

    /// Searches on this thread, while others do the same in another order, and fill the table that all share.
    ///
    /// Only this thread's results count, so that they are the same for any number of threads.
    fn run_with_others(&mut self) -> Result<(), Stopped> {
        let stop = AtomicBool::new(false);
        let others_nodes = AtomicU64::new(0);
        let others: Vec<S> =
            (1..thread_count(self.options.threads)).map_while(|number| self.searcher.fork(number)).collect();
        if others.is_empty() {
            return self.run();
        }
        let result = thread::scope(|scope| {
            let start = |(number, mut searcher): (usize, S)| {
                let mut candidates = self.candidates.clone();
                // Where the first move's score is what all others are asked about, everybody starts with it.
                let first = usize::from(self.position.max_score() > 1);
                let others = &mut candidates[first..];
                let len = others.len().max(1);
                others.rotate_left((number + 1) % len);
                let (position, options) = (self.position, self.options);
                let (stop, nodes) = (&stop, &others_nodes);
                let work = move || {
                    let clock = Clock::new(options, (0, 0)).beside(stop);
                    let mut root = Root { position, options, candidates, searcher: &mut searcher, clock };
                    // It is stopped or done: either way the table is what it leaves.
                    let _ = root.run();
                    nodes.fetch_add(root.clock.nodes, Ordering::Relaxed);
                };
                // A thread that the system refuses is done without.
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let started: Vec<_> = others.into_iter().enumerate().filter_map(start).collect();
            let result = self.run();
            stop.store(true, Ordering::Relaxed);
            // To the end of the threads themselves: the scope would only wait for the end of their work.
            for thread in started {
                let _ = thread.join();
            }
            result
        });
        self.clock.nodes += others_nodes.into_inner();
        result
    }

    fn run(&mut self) -> Result<(), Stopped> {
        let most = self.position.max_score();
        if most == 1 { self.run_questions() } else { self.run_scores(most) }
    }

    /// Asks two questions in place of searching for three values: who can win? Who can at least draw?
    fn run_questions(&mut self) -> Result<(), Stopped> {
        for goal in [1, 0] {
            let mut reached = false;
            for index in 0..self.candidates.len() {
                reached |= self.look(index, goal - 1, goal)? >= goal;
                if reached && !self.options.all_best {
                    return Ok(());
                }
            }
            if reached {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Finds the first move's score, and asks of all others whether they are better, or as good.
    fn run_scores(&mut self, most: i32) -> Result<(), Stopped> {
        let mut best = self.look(0, -most - 1, most + 1)?;
        for index in 1..self.candidates.len() {
            if self.options.all_best {
                if self.look(index, best - 1, best)? >= best {
                    best = best.max(self.look(index, best, most + 1)?);
                }
            } else if self.look(index, best, best + 1)? > best {
                best = self.look(index, best, most + 1)?;
            }
        }
        Ok(())
    }

    /// Follows best play from a best move on, as long as that costs next to nothing.
    fn line(&mut self, first: P::Move, value: i32) -> Vec<P::Move> {
        let limited = self.options.node_limit.is_some() || self.options.time_limit.is_some();
        let more = if limited { Self::LINE_NODES } else { Self::LINE_NODES_WITHOUT_LIMIT };
        self.clock.allow(self.clock.nodes / Self::LINE_SHARE + more);
        let mut line = vec![first];
        let mut position = self.position.after_unchecked(first);
        let mut value = if position.turn() == self.position.turn() { value } else { -value };
        let mut seen = vec![self.position.clone()];
        while !position.is_over() && !seen.contains(&position) {
            let Ok(Some(m)) = self.best_move(&position, value) else { break };
            let next = position.after_unchecked(m);
            value = if next.turn() == position.turn() { value } else { -value };
            line.push(m);
            seen.push(std::mem::replace(&mut position, next));
        }
        line
    }

    /// Finds a move that reaches a position's value.
    fn best_move(&mut self, position: &P, value: i32) -> Result<Option<P::Move>, Stopped> {
        let mut moves: Vec<P::Move> = position.moves().collect();
        self.searcher.order(position, &mut moves);
        for m in moves {
            let child = position.after_unchecked(m);
            let reached = match child.score_for(position.turn(), self.options.empties_to_winner) {
                Some(score) => score,
                None => {
                    let window = (value - 1, value);
                    value_after(self.searcher, position, &child, window, &mut self.clock)?
                }
            };
            if reached >= value {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}

/// Searches a position that is not over, from the view of the player who moved to it.
fn value_after<P: Position, S: Searcher<P>>(
    searcher: &mut S,
    parent: &P,
    child: &P,
    (alpha, beta): (i32, i32),
    clock: &mut Clock,
) -> Result<i32, Stopped> {
    if child.turn() == parent.turn() {
        searcher.search(child, (alpha, beta), clock)
    } else {
        Ok(-searcher.search(child, (-beta, -alpha), clock)?)
    }
}
