//! The root of the search, shared by all solvers: the best moves, the principal variation, and proven bounds.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::clock::Clock;
use super::minimax::Hasher;
use super::solve::{Progress, Solution, SolveError, SolveOptions};
use crate::engine::Engine;
use crate::error::{MemoryError, list, push, room};
use crate::position::Position;
use crate::time::Instant;
use crate::work::{
    StopOnDrop, Stopped, Terms, breathing, can_start_threads, can_work_apart, interruptible, is_large, share,
    stop_by, stops_and, thread_count,
};

/// A search algorithm.
pub(crate) trait Searcher<P: Position>: Send + Sized {
    /// Searches a position that is not over, from the point of view of the player to move.
    ///
    /// A result inside the search window is exact; at or below alpha it is an upper bound, at or above beta a lower
    /// bound.
    fn search(&mut self, position: &P, window: (i32, i32), clock: &mut Clock) -> Result<i32, Stopped>;

    /// Orders the moves, the most promising first.
    fn order(&mut self, position: &P, moves: &mut [P::Move], clock: &mut Clock) {
        let _ = (position, moves, clock);
    }

    /// Returns about what the value of the position is whose moves were last ordered, if that is known.
    fn guess(&self) -> Option<i32> {
        None
    }

    /// Returns a searcher for a helper thread that shares this one's transposition table, if that is useful.
    ///
    /// Helpers are numbered from 1, so that each can order moves differently.
    fn fork(&self, number: usize) -> Option<Self> {
        let _ = number;
        None
    }
}

/// The child of a root move, or of several that are equal by symmetry, with bounds on its value.
#[derive(Clone)]
struct Candidate<P: Position> {
    m: P::Move,
    /// The position after the move; a large one is made again when it is needed.
    child: Option<P>,
    lower: i32,
    upper: i32,
}

/// The search of the root moves.
struct Root<'a, 'o, P: Position, S> {
    position: &'a P,
    options: &'a SolveOptions<'o>,
    candidates: Vec<Candidate<P>>,
    searcher: &'a mut S,
    /// About what the value is, if the searcher knows.
    guess: Option<i32>,
    clock: Clock<'a>,
}

/// Solves a position with a search algorithm.
pub(crate) fn solve_with<P: Engine, S: Searcher<P>>(
    position: &P,
    options: &SolveOptions,
    searcher: &mut S,
) -> Result<Solution<P::Move>, SolveError> {
    if position.is_over() {
        return Err(SolveError::Over);
    }
    if options.empties_to_winner && !P::COUNTS_SQUARES {
        return Err(SolveError::EmptiesToWinner);
    }
    if !is_large(position.heap_bytes()) || !can_work_apart() {
        return Ok(search(position, options, searcher)?);
    }
    // The calling thread watches: see `work`. It tells the news that the search leaves here.
    let start = Instant::now();
    let most = position.max_score();
    let latest = Mutex::new(Progress { nodes: 0, seconds: 0.0, lower: -most, upper: most });
    let latest = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let note = |progress: &Progress| {
        *latest() = *progress;
        ControlFlow::Continue(())
    };
    let watch = || {
        let news = Progress { seconds: start.elapsed().as_secs_f64(), ..*latest() };
        options.watch.map_or(ControlFlow::Continue(()), |watch| watch(&news))
    };
    let deadline = options.time_limit.and_then(|limit| start.checked_add(limit));
    let terms = Terms { threads: 1, watch: Some(&watch), deadline, apart: true };
    let inner = SolveOptions { watch: Some(&note), ..*options };
    let searcher = Mutex::new(searcher);
    let found = share(terms, |_, _| {
        Ok(search(position, &inner, *searcher.lock().unwrap_or_else(PoisonError::into_inner)))
    });
    let Ok(found) = found else {
        // It was stopped before the first move was searched.
        let Progress { nodes, lower, upper, .. } = *latest();
        let (best_moves, line) = (Vec::new(), Vec::new());
        let seconds = start.elapsed().as_secs_f64();
        return Ok(Solution { value: lower, best_moves, line, nodes, seconds, exact: false, lower, upper });
    };
    let solutions = found.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(solutions.into_iter().next().expect("one thread has one solution"))
}

/// What errors call a list that there is no memory for.
pub(super) const MOVES: &str = "a list of moves";

/// Returns the moves of a position, unless there are too many for the memory.
pub(super) fn listed<P: Position>(position: &P) -> Result<Vec<P::Move>, MemoryError> {
    let moves = position.moves();
    let mut list = room(MOVES, moves.len())?;
    list.extend(breathing(moves));
    Ok(list)
}

/// Searches the moves of a game in progress.
fn search<P: Engine, S: Searcher<P>>(
    position: &P,
    options: &SolveOptions,
    searcher: &mut S,
) -> Result<Solution<P::Move>, MemoryError> {
    let most = position.max_score();
    let mover = position.turn();
    let mut moves = listed(position)?;
    // Large positions are searched in the order of the rules, and moves that lead to equal ones are not recognised.
    let large = is_large(position.heap_bytes());
    let mut clock = Clock::new(options, (-most, most));
    let mut places: HashMap<P::Move, usize> = HashMap::new();
    let mut classes: HashMap<P, usize, BuildHasherDefault<Hasher>> = HashMap::default();
    if !large {
        let reserved = places.try_reserve(moves.len()).and_then(|()| classes.try_reserve(moves.len()));
        let bytes = moves.len().saturating_mul(size_of::<(P, P::Move, [usize; 2])>());
        reserved.map_err(|_| MemoryError { what: MOVES, bytes })?;
        places.extend(moves.iter().cloned().zip(0..));
        searcher.order(position, &mut moves, &mut clock);
    }
    let mut candidates: Vec<Candidate<P>> = room(MOVES, moves.len())?;
    // The candidate of each move: moves that lead to the same position up to symmetry are searched once.
    let mut candidate_of: Vec<(P::Move, usize)> = room(MOVES, moves.len())?;
    for m in moves {
        let child = position.after_unchecked(m.clone());
        let new = candidates.len();
        let class = if large { new } else { *classes.entry(child.canonical()).or_insert(new) };
        if class == new {
            let score = child.score_for(mover, options.empties_to_winner);
            let (lower, upper) = score.map_or((-most, most), |score| (score, score));
            let child = (!large).then_some(child);
            candidates.push(Candidate { m: m.clone(), child, lower, upper });
        }
        candidate_of.push((m, class));
    }
    let guess = searcher.guess();
    let mut root = Root { position, options, candidates, searcher, guess, clock };
    let stopped = interruptible(|| root.run_in_parallel()).is_err();
    let (lower, upper) = root.bounds();
    let exact = lower == upper && !(stopped && options.all_best);
    // A trivial lower bound distinguishes no move.
    let known_good = exact || lower > -most;
    candidate_of.retain(|&(_, class)| known_good && root.candidates[class].lower == lower);
    let mut best_moves: Vec<P::Move> = list(MOVES, candidate_of.into_iter().map(|(m, _)| m));
    if !large {
        // No two have the same place. Numbers are sorted, not moves, so that all games share the code.
        let mut order = list(MOVES, best_moves.iter().map(|m| places.get(m)).zip(0..));
        order.sort_unstable();
        best_moves = list(MOVES, order.into_iter().map(|(_, at): (_, usize)| best_moves[at].clone()));
    }
    let mut line: Vec<P::Move> = best_moves.first().cloned().into_iter().collect();
    if exact {
        // What was found before a stop remains.
        let _ = interruptible(|| root.extend(&mut line, lower));
    }
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

impl<P: Engine, S: Searcher<P>> Root<'_, '_, P, S> {
    /// The principal variation may cost 1/`PV_SHARE` of the search, and a little more: without a limit, less than a
    /// second.
    const PV_SHARE: u64 = 16;
    const PV_NODES: u64 = 2_000;
    const PV_NODES_WITHOUT_LIMIT: u64 = 2_000_000;
    /// How many bytes its positions may take.
    const PV_BYTES: usize = 1 << 26;

    /// Returns the bounds on the position's value.
    fn bounds(&self) -> (i32, i32) {
        let lower = self.candidates.iter().map(|candidate| candidate.lower).max();
        let upper = self.candidates.iter().map(|candidate| candidate.upper).max();
        lower.zip(upper).expect("a position that is not over has a move")
    }

    /// Searches one root move; the window is from the point of view of the player to move at the root.
    fn search_move(&mut self, index: usize, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let candidate = &self.candidates[index];
        if candidate.lower >= beta || candidate.lower == candidate.upper {
            return Ok(candidate.lower);
        }
        if candidate.upper <= alpha {
            return Ok(candidate.upper);
        }
        let made = candidate.child.is_none().then(|| self.position.after_unchecked(candidate.m.clone()));
        let child = candidate.child.as_ref().or(made.as_ref()).expect("it is kept, or made");
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

    /// Searches on this thread, while helpers do the same in another order to fill the shared transposition table.
    ///
    /// Only this thread's results count, so that they do not depend on the number of threads.
    fn run_in_parallel(&mut self) -> Result<(), Stopped> {
        let flag = Arc::new(AtomicBool::new(false));
        let helper_nodes = AtomicU64::new(0);
        let threads = thread_count(self.options.threads);
        let threads = if threads > 1 && can_start_threads() { threads } else { 1 };
        let helpers: Vec<S> = (1..threads).map_while(|number| self.searcher.fork(number)).collect();
        if helpers.is_empty() {
            return self.run();
        }
        let result = thread::scope(|scope| {
            let start = |(number, mut searcher): (usize, S)| {
                let mut candidates = list(MOVES, self.candidates.iter().cloned());
                // If scores are searched, the first move's sets the window for the others, so every thread starts with
                // it.
                let first = usize::from(self.position.max_score() > 1);
                let others = &mut candidates[first..];
                let len = others.len().max(1);
                others.rotate_left((number + 1) % len);
                let (position, options, guess) = (self.position, self.options, self.guess);
                let (flag, nodes, stops) = (&flag, &helper_nodes, stops_and(&flag));
                let work = move || {
                    let _stops = stop_by(stops);
                    let clock = Clock::new(options, (0, 0)).helper(flag);
                    let searcher = &mut searcher;
                    let mut root = Root { position, options, candidates, searcher, guess, clock };
                    // Stopped or done, all that matters is what it left in the table.
                    let _ = interruptible(|| root.run());
                    nodes.fetch_add(root.clock.nodes, Ordering::Relaxed);
                };
                // Without a thread that cannot be spawned, the search is only slower.
                thread::Builder::new().spawn_scoped(scope, work).ok()
            };
            let started: Vec<_> = helpers.into_iter().enumerate().filter_map(start).collect();
            let done = StopOnDrop(&flag);
            let result = self.run();
            drop(done);
            // Joins the threads themselves: the scope would only wait for their closures to return.
            for thread in started {
                if let Err(panic) = thread.join() {
                    resume_unwind(panic);
                }
            }
            result
        });
        self.clock.nodes += helper_nodes.into_inner();
        result
    }

    fn run(&mut self) -> Result<(), Stopped> {
        let most = self.position.max_score();
        if most == 1 { self.solve_outcome() } else { self.solve_score(most) }
    }

    /// Tells win, draw and loss apart with two null windows: which moves win, and if none does, which draw?
    fn solve_outcome(&mut self) -> Result<(), Stopped> {
        for goal in [1, 0] {
            let mut reached = false;
            for index in 0..self.candidates.len() {
                reached |= self.search_move(index, goal - 1, goal)? >= goal;
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

    /// Principal variation search: finds the first move's score, and tests the others against it with null windows.
    fn solve_score(&mut self, most: i32) -> Result<(), Stopped> {
        let mut best = self.first_score(most)?;
        for index in 1..self.candidates.len() {
            if self.options.all_best {
                if self.search_move(index, best - 1, best)? >= best {
                    best = best.max(self.search_move(index, best, most + 1)?);
                }
            } else if self.search_move(index, best, best + 1)? > best {
                best = self.search_move(index, best, most + 1)?;
            }
        }
        Ok(())
    }

    /// Finds the first move's score: if there is a guess, with narrow windows around it first.
    fn first_score(&mut self, most: i32) -> Result<i32, Stopped> {
        const MARGIN: i32 = 3;
        let Some(guess) = self.guess else { return self.search_move(0, -most - 1, most + 1) };
        let guess = guess.clamp(-most, most);
        let (mut alpha, mut beta) = (guess - MARGIN, guess + MARGIN);
        let mut step = 2 * MARGIN;
        loop {
            let value = self.search_move(0, alpha, beta)?;
            if value <= alpha && alpha > -most {
                (alpha, beta) = (alpha - step, alpha + 1);
            } else if value >= beta && beta < most {
                (alpha, beta) = (beta - 1, beta + step);
            } else {
                return Ok(value);
            }
            step *= 2;
        }
    }

    /// Extends the principal variation, which begins with a best move, as long as that is cheap.
    fn extend(&mut self, line: &mut Vec<P::Move>, value: i32) -> Result<(), Stopped> {
        let Some(first) = line.first().cloned() else { return Ok(()) };
        let limited = self.options.node_limit.is_some() || self.options.time_limit.is_some();
        let more = if limited { Self::PV_NODES } else { Self::PV_NODES_WITHOUT_LIMIT };
        self.clock.allow(self.clock.nodes / Self::PV_SHARE + more);
        let longest = Self::PV_BYTES / (size_of::<P>() + self.position.heap_bytes());
        let mut position = self.position.after_unchecked(first);
        let mut value = if position.turn() == self.position.turn() { value } else { -value };
        let mut seen = vec![self.position.clone()];
        while !position.is_over() && !seen.contains(&position) && seen.len() < longest {
            let Some(m) = self.best_move(&position, value)? else { break };
            let next = position.after_unchecked(m.clone());
            value = if next.turn() == position.turn() { value } else { -value };
            push("a line of moves", line, m);
            push("a line of moves", &mut seen, std::mem::replace(&mut position, next));
        }
        Ok(())
    }

    /// Finds a move that achieves a position's value.
    fn best_move(&mut self, position: &P, value: i32) -> Result<Option<P::Move>, Stopped> {
        let mut moves = list(MOVES, position.moves());
        self.searcher.order(position, &mut moves, &mut self.clock);
        for m in moves {
            let child = position.after_unchecked(m.clone());
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

/// Searches a position that is not over, from the point of view of the player who moved to it.
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
