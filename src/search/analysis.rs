//! Analysis: the best moves of a position, with estimates, by iterative deepening.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::alphabeta::{AlphaBeta, DEEPEST};
pub(crate) use super::deepening::{Found, Prober, Stage, deepen};
use super::estimate::Estimate;
use super::memory::Memory;
use super::root::{MOVES, listed};
use super::solve::{Progress, Solution, SolveError, SolveOptions, SolveWatch};
use super::traps::trickiest;
use crate::engine::Engine;
use crate::error::{list, push};
use crate::time::{Duration, Instant};
use crate::work::{Terms, can_work_apart, is_large, share, thread_count};

/// How many nodes are spent at most on the choice among moves that are proved to be equally good, and how many may be if
/// the proof took fewer.
pub(crate) const MOST_RANKING: u64 = 1 << 18;
const LEAST_RANKING: u64 = 1 << 15;

/// The options of an analysis. The limit that is met first ends it; without any, there are as many nodes as
/// [`NODES`](AnalysisOptions::NODES).
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{AnalysisOptions, Reversi};
///
/// let options = AnalysisOptions { depth: Some(4), lines: 2, ..AnalysisOptions::default() };
/// let analysis = Reversi::default().analyse(&options)?;
/// assert_eq!((analysis.depth, analysis.lines.len()), (4, 2));
/// assert!(analysis.lines[0].estimate.expected() >= analysis.lines[1].estimate.expected());
/// # Ok::<(), petteia::SolveError>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnalysisOptions<'a> {
    /// How many plies are searched at most. A search with this limit alone, on one thread and without a memory, always
    /// gives the same result.
    pub depth: Option<u32>,
    /// How many positions are searched at most. On one thread, the result is always the same.
    pub node_limit: Option<u64>,
    /// How long the analysis may take.
    pub time_limit: Option<Duration>,
    /// How many of the best moves are asked for.
    pub lines: usize,
    /// How many threads search together.
    pub threads: usize,
    /// What is remembered from analysis to analysis; by default, nothing.
    pub memory: Option<&'a Memory>,
    /// Called now and then with the progress; can stop the search.
    pub watch: Option<SolveWatch<'a>>,
}

impl AnalysisOptions<'_> {
    /// How many nodes an analysis without a limit searches.
    pub const NODES: u64 = 1_000_000;

    /// Returns the limit on nodes, which is a default if there is no limit at all.
    pub(crate) fn nodes(&self) -> Option<u64> {
        let limited = self.depth.is_some() || self.time_limit.is_some();
        self.node_limit.or(if limited { None } else { Some(Self::NODES) })
    }

    /// Returns how large a table suits the limits, in bytes.
    pub(crate) fn table_bytes(&self) -> usize {
        const LEAST: u64 = 1 << 16;
        const MOST: u64 = 1 << 26;
        // About thirty bytes a position, of which few are stored; a thread searches some million a second.
        let nodes = match (self.nodes(), self.time_limit) {
            (Some(nodes), _) => nodes,
            (None, Some(limit)) => {
                (limit.as_micros() as u64).saturating_mul(2 * thread_count(self.threads) as u64)
            }
            (None, None) => 1 << 21,
        };
        (nodes.saturating_mul(8)).clamp(LEAST, MOST) as usize
    }
}

impl Default for AnalysisOptions<'_> {
    fn default() -> Self {
        AnalysisOptions {
            depth: None,
            node_limit: None,
            time_limit: None,
            lines: 1,
            threads: 1,
            memory: None,
            watch: None,
        }
    }
}

impl fmt::Debug for AnalysisOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnalysisOptions")
            .field("depth", &self.depth)
            .field("node_limit", &self.node_limit)
            .field("time_limit", &self.time_limit)
            .field("lines", &self.lines)
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("watch", &self.watch.map(|_| ".."))
            .finish()
    }
}

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The best moves, best first: as many as were asked for, if there are so many, and at least one.
    pub lines: Vec<Line<M>>,
    /// How many plies deep all moves were searched.
    pub depth: u32,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// A move and what is expected to follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The principal variation, which begins with the move.
    pub moves: Vec<M>,
    /// How the game is likely to end, for the player to move; certain if the value is known.
    pub estimate: Estimate,
    /// The exact value, if it was proved: the disc difference in Reversi, else 1, 0 or -1 for a win, a draw or a loss.
    pub value: Option<i32>,
}

impl<M> Analysis<M> {
    /// Returns the best move.
    pub fn best(&self) -> &M {
        &self.lines[0].moves[0]
    }

    /// Returns whether the best move is proved to be one, not only estimated.
    pub fn exact(&self) -> bool {
        self.lines[0].value.is_some()
    }
}

/// Runs an analysis on this thread or, if the position is large, on one that can be stopped amid an operation.
pub(crate) fn analyse_with<P: Engine>(
    position: &P,
    options: &AnalysisOptions,
    work: impl Fn(&SolveOptions) -> Result<Analysis<P::Move>, SolveError> + Sync,
) -> Result<Analysis<P::Move>, SolveError> {
    if position.is_over() {
        return Err(SolveError::Over);
    }
    let start = Instant::now();
    let limits = SolveOptions {
        node_limit: options.nodes(),
        time_limit: options.time_limit,
        threads: options.threads,
        watch: options.watch,
        ..SolveOptions::default()
    };
    if !is_large(position.heap_bytes()) || !can_work_apart() {
        return work(&limits);
    }
    let idle = Progress { nodes: 0, seconds: 0.0, lower: -position.max_score(), upper: position.max_score() };
    let latest = Mutex::new(idle);
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
    let inner = SolveOptions { watch: Some(&note), ..limits };
    let found = share(terms, |_, _| Ok(work(&inner)));
    match found.ok().and_then(|found| found.into_iter().next()) {
        Some(analysis) => analysis,
        // It was stopped before it had listed the moves: any of them will do.
        None => {
            let first = position.moves().next().ok_or(SolveError::Over)?;
            let line = Line { moves: vec![first], estimate: Estimate::of_expected(0.0), value: None };
            let seconds = start.elapsed().as_secs_f64();
            Ok(Analysis { lines: vec![line], depth: 0, nodes: latest().nodes, seconds })
        }
    }
}

/// Analyses a position of any game: iterative deepening over its estimates, and its solver.
///
/// # Errors
///
/// A [`SolveError`] as for [`Engine::analyse`].
pub fn analyse_plainly<P: Engine>(
    position: &P,
    options: &AnalysisOptions,
) -> Result<Analysis<P::Move>, SolveError> {
    analyse_knowing(position, options, None)
}

/// The same for a position of which it may be known that all its moves have the same value.
///
/// # Errors
///
/// A [`SolveError`] as for [`Engine::analyse`].
pub(crate) fn analyse_knowing<P: Engine>(
    position: &P,
    options: &AnalysisOptions,
    known: Option<i32>,
) -> Result<Analysis<P::Move>, SolveError> {
    analyse_with(position, options, |limits| {
        let stopped = AtomicBool::new(false);
        let spent = AtomicU64::new(0);
        let watch = |progress: &Progress| {
            let progress = Progress { nodes: spent.load(Ordering::Relaxed) + progress.nodes, ..*progress };
            let stops = stopped.load(Ordering::Relaxed)
                || limits.watch.is_some_and(|watch| watch(&progress).is_break());
            stopped.store(stops, Ordering::Relaxed);
            if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let limits = SolveOptions { watch: Some(&watch), ..*limits };
        let work = Work { position, options, known, limits, start: Instant::now(), spent: &spent };
        work.run()
    })
}

/// An analysis: some deepening, the solver, then deepening with what is left.
struct Work<'a, 'o, P> {
    position: &'a P,
    options: &'a AnalysisOptions<'o>,
    /// The value of all moves, if it is known.
    known: Option<i32>,
    limits: SolveOptions<'a>,
    start: Instant,
    /// How many nodes were searched in the parts before.
    spent: &'a AtomicU64,
}

impl<P: Engine> Work<'_, '_, P> {
    /// The solver gets at least so many nodes, or it is not called. It is late by fewer.
    const LEAST_NODES: u64 = 64;

    fn run(&self) -> Result<Analysis<P::Move>, SolveError> {
        let Work { position, options, limits, .. } = self;
        let moves = listed(*position)?;
        let memory = Memory::default();
        let table = match position.key() {
            Some(_) => Some(options.memory.unwrap_or(&memory).table(*position, options.table_bytes())?),
            None => None,
        };
        let mut prober = AlphaBeta::new(table.clone());
        let deepest = options.depth.unwrap_or(DEEPEST).min(DEEPEST);
        let stages: Vec<Stage> = (1..=deepest).map(|depth| Stage { depth, caution: None }).collect();
        let mut search = |moves: Vec<P::Move>, limits: &SolveOptions| {
            let found = deepen(*position, moves, options.lines, limits, &stages, &mut prober);
            self.spent.fetch_add(found.nodes, Ordering::Relaxed);
            found
        };
        let shares = P::ANALYSIS_SHARES;
        if let Some(value) = self.known {
            // Nothing is to be proved: a look at which moves are the hardest to answer is enough.
            let limits = SolveOptions { node_limit: at_most(limits.node_limit, MOST_RANKING), ..*limits };
            let found = search(moves, &part(&limits, shares[0]));
            let lines = self.with_value(found.lines, value, &[]);
            return Ok(self.done(Analysis { lines, ..found }));
        }
        // A search to a depth is only that. On large boards solvers do not get far.
        if options.depth.is_some() || is_large(position.heap_bytes()) {
            return Ok(search(moves, limits));
        }
        let mut first = search(list(MOVES, moves.iter().cloned()), &part(limits, shares[0]));
        // A draw is proved as soon as no move wins; which others draw as well is the solver's to say.
        let ranks_draws = options.lines == 1 && position.max_score() == 1;
        let proved = first.lines.iter().all(|line| line.value.is_some());
        if proved && !(ranks_draws && first.lines[0].value == Some(0)) {
            return Ok(first);
        }
        let solving = part(&self.left(), shares[1]);
        let solution = match solving.node_limit {
            Some(..Self::LEAST_NODES) => None,
            _ => match position.solve(&solving) {
                Ok(solution) => Some(solution),
                // A game that may be endless.
                Err(SolveError::TooLong) => None,
                Err(error) => return Err(error),
            },
        };
        let nodes = solution.as_ref().map_or(0, |solution| solution.nodes);
        self.spent.fetch_add(nodes, Ordering::Relaxed);
        let Some(solution) = solution.filter(|solution| solution.lower == solution.upper) else {
            if proved {
                return Ok(self.done(first));
            }
            let second = search(moves, &self.left());
            if second.depth > first.depth || second.depth == first.depth && second.depth > 0 {
                (first.lines, first.depth) = (second.lines, second.depth);
            }
            return Ok(self.done(first));
        };
        // Of the moves that achieve the value, some are harder to answer than others: as much again as was spent on the
        // value is enough to see which.
        let most = self.spent.load(Ordering::Relaxed).clamp(LEAST_RANKING, MOST_RANKING);
        let ranking = || {
            let left = self.left();
            SolveOptions { node_limit: at_most(left.node_limit, most / 2), ..left }
        };
        let mut best_moves = list(MOVES, solution.best_moves.iter().cloned());
        if solution.value == 0 && ranks_draws {
            let mut prober = AlphaBeta::new(table);
            let (tricky, nodes) = trickiest(*position, best_moves, &ranking(), &mut prober);
            self.spent.fetch_add(nodes, Ordering::Relaxed);
            best_moves = tricky;
        }
        let found = search(best_moves, &ranking());
        let mut lines = self.with_value(found.lines, solution.value, &solution.line);
        let others = first.lines.into_iter().filter(|line| !solution.best_moves.contains(&line.moves[0]));
        let counts = position.max_score() != 1;
        others.for_each(|line| push(MOVES, &mut lines, below(line, &solution, counts)));
        lines.truncate(options.lines.clamp(1, moves.len()));
        Ok(self.done(Analysis { lines, depth: first.depth.max(found.depth), ..found }))
    }

    /// Returns what is left of the limits.
    fn left(&self) -> SolveOptions<'_> {
        let spent = self.spent.load(Ordering::Relaxed);
        SolveOptions {
            node_limit: self.limits.node_limit.map(|limit| limit.saturating_sub(spent)),
            time_limit: self.limits.time_limit.map(|time| time.saturating_sub(self.start.elapsed())),
            ..self.limits
        }
    }

    /// Returns lines whose moves are known to have a value; `solved` is the principal variation of the solver.
    fn with_value(&self, lines: Vec<Line<P::Move>>, value: i32, solved: &[P::Move]) -> Vec<Line<P::Move>> {
        let estimate = Estimate::certain(value, P::COUNTS_SQUARES);
        list(MOVES, lines.into_iter().map(|line| proved(line, value, estimate, solved)))
    }

    /// Returns the analysis with all that was spent.
    fn done(&self, analysis: Analysis<P::Move>) -> Analysis<P::Move> {
        let nodes = self.spent.load(Ordering::Relaxed);
        Analysis { nodes, seconds: self.start.elapsed().as_secs_f64(), ..analysis }
    }
}

/// Returns a line whose first move is known to have a value, as far as it is proved: what a search has found to follow
/// without a proof may lose it again.
fn proved<M: Clone + PartialEq>(mut line: Line<M>, value: i32, estimate: Estimate, solved: &[M]) -> Line<M> {
    if line.value.is_none() {
        match line.moves.first() == solved.first() {
            true => line.moves = solved.to_vec(),
            false => line.moves.truncate(1),
        }
    }
    Line { value: Some(value), estimate, ..line }
}

/// Returns the line of a move that is not among the best moves of a solution.
fn below<M: Clone + PartialEq>(line: Line<M>, solution: &Solution<M>, counts: bool) -> Line<M> {
    // It is worse if all the best moves are known; what is worse than a draw is lost, if squares do not count.
    let most = solution.value - i32::from(solution.exact);
    if most == -1 && !counts {
        return proved(line, -1, Estimate::certain(-1, false), &[]);
    }
    let expected = line.estimate.expected().min(most.signum().into());
    let (value, estimate) = match line.estimate.expected() > expected {
        true => (None, Estimate::of_expected(expected)),
        false => (line.value, line.estimate),
    };
    Line { value, estimate, ..line }
}

/// Returns a limit that is not above another.
fn at_most(limit: Option<u64>, most: u64) -> Option<u64> {
    Some(limit.map_or(most, |limit| limit.min(most)))
}

/// Returns limits that are so many percent of others.
fn part<'a>(limits: &SolveOptions<'a>, percent: u32) -> SolveOptions<'a> {
    SolveOptions {
        node_limit: limits.node_limit.map(|nodes| (u128::from(nodes) * u128::from(percent) / 100) as u64),
        time_limit: limits.time_limit.map(|time| time.mul_f64(f64::from(percent) / 100.0)),
        ..*limits
    }
}

/// Returns the move, of some that all have a value, that a search with so many nodes prefers: the quickest win, the
/// slowest loss, the draw that is hardest to answer.
pub(crate) fn hardest<P: Engine>(
    position: &P,
    (value, mut moves): (i32, Vec<P::Move>),
    nodes: u64,
    memory: &Memory,
    watch: SolveWatch<'_>,
) -> Option<P::Move> {
    if moves.len() < 2 || is_large(position.heap_bytes()) {
        return moves.into_iter().next();
    }
    let limits = SolveOptions { node_limit: Some(nodes), watch: Some(watch), ..SolveOptions::default() };
    let bytes = AnalysisOptions { node_limit: Some(nodes), ..AnalysisOptions::default() }.table_bytes();
    let table = position.key().and_then(|_| memory.table(position, bytes).ok());
    let stages: Vec<Stage> = (1..=DEEPEST).map(|depth| Stage { depth, caution: None }).collect();
    if value == 0 {
        (moves, _) = trickiest(position, moves, &limits, &mut AlphaBeta::new(table.clone()));
    }
    let found = deepen(position, moves, 1, &limits, &stages, &mut AlphaBeta::new(table));
    Some(found.best().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worse_than_a_draw_is_not_one_disc_less() {
        let line = || Line { moves: vec![1], estimate: Estimate::of_expected(0.5), value: None };
        let solution = Solution {
            value: 0,
            best_moves: vec![0],
            line: vec![0],
            nodes: 1,
            seconds: 0.0,
            exact: true,
            lower: 0,
            upper: 0,
        };
        assert_eq!(below(line(), &solution, false).value, Some(-1));
        let counted = below(line(), &solution, true);
        assert_eq!((counted.value, counted.estimate.expected()), (None, -1.0));
    }
}
