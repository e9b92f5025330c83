//! Solving, tree search and matches of computer players. The results are tuples, whose parts python/petteia names.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use petteia::{Bot, Contest, Engine, Evaluator, Progress, Solution, SolveError, SolveOptions, TreeOptions};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{Integer, number_in, seconds, text, threads, time, type_error};
use crate::errors::{OrRaise, out_of_range};
use crate::games::{PyPosition, with_py_position};
use crate::starts::{PyStarts, with_py_starts};
use crate::work::watched_on;

/// A solution: value, best moves, line, nodes, seconds, exact, lower, upper.
type Found = (i32, Vec<String>, Vec<String>, u64, f64, bool, i32, i32);

/// The result of a tree search: notation, visits, value and proven value of each move; then the simulations.
type Tree = (Vec<(String, u64, f64, Option<i32>)>, u64);

/// Reads how long a solver may take: unlike elsewhere, nothing at all or for ever too.
fn time_limit(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = seconds("time_limit", given)?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err(out_of_range("time_limit", seconds, "a non-negative number of seconds"));
    }
    // A time too long for a `Duration` is as good as none.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Finds the exact value of a position; petteia.solve names the parts of the result.
#[pyfunction]
#[pyo3(signature = (
    position, threads, time_limit, node_limit, table_mb, empties_to_winner, all_best, progress, bounds
))]
#[allow(clippy::too_many_arguments)]
pub fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    threads: Option<Integer>,
    time_limit: Option<Bound<'_, PyAny>>,
    node_limit: Option<Integer>,
    table_mb: Option<Integer>,
    empties_to_winner: bool,
    all_best: bool,
    progress: Py<PyAny>,
    bounds: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let position = PyPosition::read(position)?;
    let threads = self::threads(threads)?;
    let time_limit = time_limit.as_ref().map(self::time_limit).transpose()?;
    let node_limit = node_limit.map(|given| number_in("node_limit", given, 0..=u64::MAX)).transpose()?;
    let table_mb = table_mb.map(|given| number_in("table_mb", given, 1..=1 << 40)).transpose()?;
    let options = SolveOptions {
        all_best,
        empties_to_winner,
        node_limit,
        time_limit,
        table_bytes: table_mb.map(|megabytes| (megabytes as usize) << 20),
        threads,
        watch: None,
    };
    let told = Mutex::new(None);
    let tell_bounds = |py: Python<'_>, new: (i32, i32)| {
        let old = told.lock().unwrap_or_else(PoisonError::into_inner).replace(new);
        match bounds.as_ref().filter(|_| old != Some(new)) {
            Some(bounds) => bounds.call1(py, new).map(|_| ()),
            None => Ok(()),
        }
    };
    let tell = |py: Python<'_>, news: Progress| {
        tell_bounds(py, (news.lower, news.upper))?;
        progress.call1(py, (news.nodes, node_limit)).map(|_| ())
    };
    let found = watched_on(py, &position, tell, |watch| {
        let watch = |news: &Progress| watch(*news);
        let options = SolveOptions { watch: Some(&watch), ..options };
        with_py_position!(&position, position => find(position, &options))
    });
    let found = found?.or_raise()?;
    let (_, _, _, nodes, _, _, lower, upper) = found;
    tell_bounds(py, (lower, upper))?;
    progress.call1(py, (nodes, nodes))?;
    Ok(found)
}

fn find<P: Engine>(position: &P, options: &SolveOptions) -> Result<Found, SolveError> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let written = |moves: Vec<P::Move>| moves.iter().map(ToString::to_string).collect();
    Ok((value, written(best_moves), written(line), nodes, seconds, exact, lower, upper))
}

/// Returns the first player's score (1, 0 or -1, or Reversi's disc difference), or None while the game goes on.
#[pyfunction]
#[pyo3(signature = (position, empties_to_winner))]
pub fn score(position: &Bound<'_, PyAny>, empties_to_winner: bool) -> PyResult<Option<i32>> {
    let position = PyPosition::read(position)?;
    Ok(with_py_position!(&position, position => position.score(empties_to_winner)))
}

/// Returns the greatest possible score: 1, or the number of squares in Reversi.
#[pyfunction]
pub fn max_score(position: &Bound<'_, PyAny>) -> PyResult<i32> {
    let position = PyPosition::read(position)?;
    Ok(with_py_position!(&position, position => position.max_score()))
}

/// Runs a Monte-Carlo tree search; petteia.mcts names the parts of the result.
#[pyfunction]
#[pyo3(signature = (position, simulations, seed, threads, progress, time, evaluator))]
#[allow(clippy::too_many_arguments)] // They are the arguments of the Python function.
pub fn mcts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    simulations: Integer,
    seed: Integer,
    threads: Option<Integer>,
    progress: Py<PyAny>,
    time: Option<Bound<'_, PyAny>>,
    evaluator: Option<Bound<'_, PyAny>>,
) -> PyResult<Tree> {
    let position = PyPosition::read(position)?;
    let simulations = number_in("simulations", simulations, 1..=1 << 60)?;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?;
    let time_limit = time.as_ref().map(self::time).transpose()?;
    let evaluator = evaluator.as_ref().map_or(Ok(Evaluator::Playout), read_evaluator)?;
    // What is known is the number on one of the threads.
    let tell = |py: Python<'_>, done: u64| {
        let done = done.saturating_mul(threads as u64).min(simulations);
        progress.call1(py, (done, simulations)).map(|_| ())
    };
    let grown = watched_on(py, &position, tell, |watch| {
        let options = TreeOptions { simulations, seed, threads, watch: Some(watch), time_limit, evaluator };
        with_py_position!(&position, position => grow(position, &options))
    });
    let tree = grown?.or_raise()?;
    progress.call1(py, (tree.1, tree.1))?;
    Ok(tree)
}

/// Reads what tells the value of a position at the end of a tree.
fn read_evaluator(given: &Bound<'_, PyAny>) -> PyResult<Evaluator> {
    match given.cast::<PyString>().map(|name| name.to_string_lossy().into_owned()).as_deref() {
        Ok("estimate") => Ok(Evaluator::Estimate),
        Ok(other) => Err(out_of_range("evaluator", format!("{other:?}"), "None, \"estimate\" or a function")),
        Err(_) => Err(type_error("evaluator as None, \"estimate\" or a function", given)),
    }
}

fn grow<P: Engine>(position: &P, options: &TreeOptions) -> Result<Tree, SolveError> {
    let tree = petteia::mcts(position, options)?;
    // The best move comes first, where python/petteia expects it.
    let best = tree.best().m.clone();
    let mut branches: Vec<_> = tree.branches.iter().collect();
    branches.sort_by_key(|branch| branch.m != best);
    let written =
        branches.iter().map(|branch| (branch.m.to_string(), branch.visits, branch.value, branch.proven));
    Ok((written.collect(), tree.simulations))
}

/// Plays some games of a match between two computer players, and returns the results for the first (1, 0 or -1), each
/// with a hash by which repeated games are known.
#[pyfunction]
#[pyo3(signature = (first, second, starts, seed, max_plies, games))]
pub fn contest(
    py: Python<'_>,
    first: &Bound<'_, PyString>,
    second: &Bound<'_, PyString>,
    starts: &Bound<'_, PyAny>,
    seed: u64,
    max_plies: u64,
    games: (u64, u64),
) -> PyResult<Vec<(i8, u64)>> {
    let bots = [text(first).parse::<Bot>().or_raise()?, text(second).parse::<Bot>().or_raise()?];
    let starts = PyStarts::read(starts)?;
    let results = watched_on(
        py,
        &starts,
        |_, ()| Ok(()),
        |watch| {
            let watch = || watch(());
            let contest = Contest { bots, seed, max_plies, watch: Some(&watch), ..Contest::default() };
            with_py_starts!(&starts, starts => contest.results(starts, games.0..games.1))
        },
    );
    results?.or_raise()
}
