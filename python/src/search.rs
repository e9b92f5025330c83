//! Solving, tree search and matches of computer players. The results are tuples, whose parts python/petteia names.

use std::time::Duration;

use petteia::{Bot, Contest, Engine, Evaluator, Progress, Solution, SolveError, SolveOptions, TreeOptions};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::Integer;
use crate::arguments::{number_in, text, threads, type_error};
use crate::errors::{OrRaise, out_of_range};
use crate::games::{PyPosition, with_py_position};
use crate::work::watched_on;

/// A solution: value, best moves, line, nodes, seconds, exact, lower, upper.
type Found = (i32, Vec<String>, Vec<String>, u64, f64, bool, i32, i32);

/// The result of a tree search: notation, visits, value and proven value of each move; then the simulations.
type Tree = (Vec<(String, u64, f64, Option<i32>)>, u64);

/// Reads a number of seconds.
fn seconds(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds: f64 = given.extract().or_else(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            // An int that no float can hold.
            true => Ok(if given.gt(0)? { f64::INFINITY } else { f64::NEG_INFINITY }),
            false => Err(type_error("a number of seconds", given)),
        }
    })?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err(out_of_range("time_limit", seconds, "a non-negative number of seconds"));
    }
    // A time too long for a `Duration` is as good as none.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Finds the exact value of a position; petteia.solve names the parts of the result.
#[pyfunction]
#[pyo3(signature = (position, threads, time_limit, node_limit, table_mb, empties_to_winner, all_best, progress))]
#[allow(clippy::too_many_arguments)]
pub fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    threads: Integer,
    time_limit: Option<Bound<'_, PyAny>>,
    node_limit: Option<Integer>,
    table_mb: Option<Integer>,
    empties_to_winner: bool,
    all_best: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Found> {
    let position = PyPosition::read(position)?;
    let threads = self::threads(threads)?;
    let time_limit = time_limit.as_ref().map(seconds).transpose()?;
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
    let tell = |py: Python<'_>, news: Progress| match &progress {
        Some(progress) => progress.call1(py, (news.nodes, news.seconds, news.lower, news.upper)).map(|_| ()),
        None => Ok(()),
    };
    let found = watched_on(py, &position, tell, |watch| {
        let watch = |news: &Progress| watch(*news);
        let options = SolveOptions { watch: Some(&watch), ..options };
        with_py_position!(&position, position => find(position, &options))
    });
    found?.or_raise()
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
    threads: Integer,
    progress: Option<Py<PyAny>>,
    time: Option<Bound<'_, PyAny>>,
    evaluator: Option<Bound<'_, PyAny>>,
) -> PyResult<Tree> {
    let position = PyPosition::read(position)?;
    let simulations = number_in("simulations", simulations, 1..=1 << 60)?;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?;
    let time_limit = time.as_ref().map(crate::analysis::time).transpose()?;
    let evaluator = evaluator.as_ref().map_or(Ok(Evaluator::Playout), read_evaluator)?;
    let tell = |py: Python<'_>, done: u64| match &progress {
        Some(progress) => progress.call1(py, (done,)).map(|_| ()),
        None => Ok(()),
    };
    let grown = watched_on(py, &position, tell, |watch| {
        let options = TreeOptions { simulations, seed, threads, watch: Some(watch), time_limit, evaluator };
        with_py_position!(&position, position => grow(position, &options))
    });
    grown?.or_raise()
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

/// Plays some games of a match between two computer players, and returns the results for the first: 1, 0 or -1.
#[pyfunction]
#[pyo3(signature = (first, second, position, seed, max_plies, games))]
pub fn contest(
    py: Python<'_>,
    first: &Bound<'_, PyString>,
    second: &Bound<'_, PyString>,
    position: &Bound<'_, PyAny>,
    seed: u64,
    max_plies: u64,
    games: (u64, u64),
) -> PyResult<Vec<i8>> {
    let bots = [text(first).parse::<Bot>().or_raise()?, text(second).parse::<Bot>().or_raise()?];
    let position = PyPosition::read(position)?;
    let results = watched_on(
        py,
        &position,
        |_, ()| Ok(()),
        |watch| {
            let watch = || watch(());
            let contest = Contest { bots, seed, max_plies, watch: Some(&watch), ..Contest::default() };
            with_py_position!(&position, position => contest.results(position, games.0..games.1))
        },
    );
    results?.or_raise()
}
