//! Analysis: the best moves of a position, with estimates, by iterative deepening.

use std::cmp::Reverse;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::alphabeta::{AlphaBeta, DEEPEST};
use super::clock::Clock;
use super::estimate::Estimate;
use super::memory::Memory;
use super::root::listed;
use super::solve::{Progress, SolveError, SolveOptions, SolveWatch};
use crate::engine::Engine;
use crate::position::Position;
use crate::work::{
    StopOnDrop, Stopped, Terms, interruptible, is_large, share, stop_by, stops_and, thread_count,
};

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
    /// How many plies are searched at most. A search with this limit alone always gives the same result.
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

/// A root move and what was found of it.
#[derive(Clone)]
struct Candidate<M> {
    m: M,
    found: Found,
    /// The round that found it, with its number from 1; `None` before the first.
    stage: Option<(usize, Stage)>,
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
    /// How many rounds are over, and the depth of the last.
    done: usize,
    depth: u32,
}

impl<P: Engine, S: Prober<P>> Deepening<'_, P, S> {
    /// Returns whether all lines are proved.
    fn is_proved(&self) -> bool {
        let proved = |candidate: &Candidate<_>| candidate.found.proven && candidate.is_value;
        self.done > 0 && self.candidates[..self.lines].iter().all(proved)
    }

    /// Runs rounds until the lines are proved; what was found remains if it is stopped.
    fn run(&mut self, stages: &[Stage], clock: &mut Clock) -> Result<(), Stopped> {
        for &stage in stages {
            if self.is_proved() {
                break;
            }
            let result = interruptible(|| self.round(stage, clock));
            // The best of the latest round come first, then those of the round before, then all that are not as good.
            self.candidates.sort_by_key(|candidate| {
                let round = candidate.stage.map_or(0, |(number, _)| number);
                let value = if candidate.is_value { candidate.found.value } else { -S::MOST };
                Reverse((candidate.is_value, round, value))
            });
            result?;
            (self.done, self.depth) = (self.done + 1, stage.depth);
        }
        Ok(())
    }

    /// Searches all moves: the first ones for their values, the others to see whether they are better.
    fn round(&mut self, stage: Stage, clock: &mut Clock) -> Result<(), Stopped> {
        let mut values: Vec<i32> = Vec::new();
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
                values.push(found.value);
                values.sort_unstable_by_key(|&value| Reverse(value));
                line = self.prober.line(self.position, &self.candidates[index].m);
            }
            let candidate = &mut self.candidates[index];
            *candidate = Candidate {
                m: candidate.m.clone(),
                found,
                stage: Some((self.done + 1, stage)),
                is_value,
                line,
            };
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

    fn line(&self, candidate: &Candidate<P::Move>) -> Line<P::Move> {
        let Found { value, proven } = candidate.found;
        let moves =
            if candidate.line.is_empty() { vec![candidate.m.clone()] } else { candidate.line.clone() };
        let Some((_, stage)) = candidate.stage else {
            return Line { moves, estimate: Estimate::of_expected(0.0), value: None };
        };
        let score = self.prober.score(self.position, value).filter(|_| proven && candidate.is_value);
        let estimate = match score {
            Some(score) => Estimate::certain(score, P::COUNTS_SQUARES),
            None => self.prober.estimate(self.position, stage, value),
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
    let unknown = Found { value: -S::MOST, proven: false };
    let candidate = |m| Candidate { m, found: unknown, stage: None, is_value: false, line: Vec::new() };
    let candidates: Vec<_> = moves.into_iter().map(candidate).collect();
    let lines = lines.clamp(1, candidates.len());
    let most = position.max_score();
    let mut clock = Clock::new(limits, (-most, most));
    let forks: Vec<S> = (1..thread_count(limits.threads)).map_while(|_| prober.fork()).collect();
    let mut main = Deepening { position, prober, candidates, lines, done: 0, depth: 0 };
    let flag = Arc::new(AtomicBool::new(false));
    let helper_nodes = AtomicU64::new(0);
    thread::scope(|scope| {
        let start = |(number, mut prober): (usize, S)| {
            let mut candidates = main.candidates.clone();
            // Another order of all but the first, so that each thread leaves something else in the table.
            if let Some(others) = candidates.get_mut(1..).filter(|others| !others.is_empty()) {
                others.rotate_left(number % others.len());
            }
            let (flag, nodes, stops) = (&flag, &helper_nodes, stops_and(&flag));
            let work = move || {
                stop_by(stops);
                let mut clock = Clock::new(limits, (0, 0)).helper(flag);
                let mut helper =
                    Deepening { position, prober: &mut prober, candidates, lines, done: 0, depth: 0 };
                // Every other helper is a round ahead.
                let _ = helper.run(&stages[number % 2 % stages.len().max(1)..], &mut clock);
                nodes.fetch_add(clock.nodes, Ordering::Relaxed);
            };
            // Without a thread that cannot be spawned, the search is only slower.
            thread::Builder::new().spawn_scoped(scope, work).ok()
        };
        let started: Vec<_> = (1..).zip(forks).filter_map(start).collect();
        let done = StopOnDrop(&flag);
        // Stopped or done, what was found remains.
        let _ = main.run(stages, &mut clock);
        drop(done);
        for thread in started {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    });
    Analysis {
        lines: main.candidates[..lines].iter().map(|candidate| main.line(candidate)).collect(),
        depth: main.depth,
        nodes: clock.nodes + helper_nodes.into_inner(),
        seconds: clock.seconds(),
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
    if !is_large(position.heap_bytes()) {
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
    analyse_with(position, options, |limits| {
        let start = Instant::now();
        let moves = listed(position)?;
        let memory = Memory::default();
        let table = match position.key() {
            Some(_) => Some(options.memory.unwrap_or(&memory).table(position, options.table_bytes())?),
            None => None,
        };
        let mut prober = AlphaBeta::new(table);
        let deepest = options.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let stages: Vec<Stage> = (1..=deepest).map(|depth| Stage { depth, caution: None }).collect();
        let mut search = |moves: Vec<P::Move>, limits: &SolveOptions| {
            deepen(position, moves, options.lines, limits, &stages, &mut prober)
        };
        // A search to a depth is only that. On large boards solvers do not get far.
        if options.depth.is_some() || is_large(position.heap_bytes()) {
            return Ok(search(moves, limits));
        }
        let first = search(moves.clone(), &part(limits, 4));
        if first.lines.iter().all(|line| line.value.is_some()) {
            return Ok(first);
        }
        let rest = left(limits, start, first.nodes);
        let solution = match position.solve(&part(&rest, 2)) {
            Ok(solution) => solution,
            // A game that may be endless.
            Err(SolveError::TooLong) => return Ok(search(moves, &rest).after(&first)),
            Err(error) => return Err(error),
        };
        let spent = first.nodes + solution.nodes;
        let rest = left(limits, start, spent);
        if solution.lower != solution.upper {
            let mut second = search(moves, &rest);
            if second.depth < first.depth {
                (second.lines, second.depth) = (first.lines, first.depth);
            }
            return Ok(Analysis {
                nodes: spent + second.nodes,
                seconds: start.elapsed().as_secs_f64(),
                ..second
            });
        }
        // Of the moves that achieve the value, some are harder to answer than others.
        let value = solution.value;
        let mut found = search(solution.best_moves.clone(), &rest);
        for line in &mut found.lines {
            line.value = Some(value);
            line.estimate = Estimate::certain(value, P::COUNTS_SQUARES);
        }
        let others = first.lines.into_iter().filter(|line| !solution.best_moves.contains(&line.moves[0]));
        found.lines.extend(others);
        found.lines.truncate(options.lines.max(1));
        Ok(Analysis { nodes: spent + found.nodes, seconds: start.elapsed().as_secs_f64(), ..found })
    })
}

impl<M> Analysis<M> {
    /// Adds the effort of an earlier search.
    fn after(self, earlier: &Analysis<M>) -> Self {
        Analysis { nodes: self.nodes + earlier.nodes, seconds: self.seconds + earlier.seconds, ..self }
    }
}

/// Returns limits that are a part of others.
fn part<'a>(limits: &SolveOptions<'a>, of: u32) -> SolveOptions<'a> {
    SolveOptions {
        node_limit: limits.node_limit.map(|nodes| nodes / u64::from(of)),
        time_limit: limits.time_limit.map(|time| time / of),
        ..*limits
    }
}

/// Returns what is left of limits.
fn left<'a>(limits: &SolveOptions<'a>, start: Instant, nodes: u64) -> SolveOptions<'a> {
    SolveOptions {
        node_limit: limits.node_limit.map(|limit| limit.saturating_sub(nodes)),
        time_limit: limits.time_limit.map(|time| time.saturating_sub(start.elapsed())),
        ..*limits
    }
}

/// Returns the move, of some that are equally good, that a search with so many nodes prefers: the quickest win, the
/// slowest loss, the draw that is hardest to answer.
pub(crate) fn hardest<P: Engine>(
    position: &P,
    moves: Vec<P::Move>,
    nodes: u64,
    memory: &Memory,
) -> Option<P::Move> {
    if moves.len() < 2 || is_large(position.heap_bytes()) {
        return moves.into_iter().next();
    }
    let limits = SolveOptions { node_limit: Some(nodes), ..SolveOptions::default() };
    let bytes = AnalysisOptions { node_limit: Some(nodes), ..AnalysisOptions::default() }.table_bytes();
    let table = position.key().and_then(|_| memory.table(position, bytes).ok());
    let stages: Vec<Stage> = (1..=DEEPEST).map(|depth| Stage { depth, caution: None }).collect();
    let found = deepen(position, moves, 1, &limits, &stages, &mut AlphaBeta::new(table));
    Some(found.best().clone())
}
