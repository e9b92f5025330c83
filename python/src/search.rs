//! Exact values, tree search and computer players. The results are tuples here; python/petteia gives them names.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use petteia::{Bot, Options, Position, Progress, Rng, Solution, SolveError, TreeOptions, with_position};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::Integer;
use crate::arguments::{number_in, text, threads, type_error};
use crate::errors::{OrRaise, out_of_range};
use crate::games::any_position;

/// What a solver found: value, best moves, line, nodes, seconds, exact, lower, upper.
type Found = (i32, Vec<String>, Vec<String>, u64, f64, bool, i32, i32);

/// What a tree search found: for each move its notation, visits, value and proven value; then the simulations.
type Tree = (Vec<(String, u64, f64, Option<i32>)>, u64);

/// Does work with the interpreter free for others; what it calls now and then looks at signals and tells of progress.
///
/// An error there stops the work, which returns whatever it has, and is raised.
pub fn watched<T: Send, N>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>, N) -> PyResult<()> + Sync,
    work: impl FnOnce(&(dyn Fn(N) -> ControlFlow<()> + Sync)) -> T + Send,
) -> PyResult<T> {
    let error = Mutex::new(None);
    let watch = |news: N| {
        // What follows the work that was stopped is stopped as well.
        if error.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return ControlFlow::Break(());
        }
        let told = Python::attach(|py| py.check_signals().and_then(|()| tell(py, news)));
        match told {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
                ControlFlow::Break(())
            }
        }
    };
    let result = py.detach(|| work(&watch));
    match error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

fn raise(error: SolveError) -> PyErr {
    match error {
        SolveError::Memory => PyMemoryError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Reads a number of seconds.
fn seconds(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds: f64 = given.extract().map_err(|_| type_error("a number of seconds", given))?;
    if seconds.is_nan() || seconds < 0.0 {
        return Err(out_of_range("time_limit", seconds, "a number of seconds that is not negative"));
    }
    // A time too long to be written as one is as good as none.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Finds the exact value of a position; petteia.solve gives the parts of the result their names.
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
    let position = any_position(position)?;
    let threads = self::threads(threads)?;
    let time_limit = time_limit.as_ref().map(seconds).transpose()?;
    let node_limit = node_limit.map(|given| number_in("node_limit", given, 0..=u64::MAX)).transpose()?;
    let table_mb = table_mb.map(|given| number_in("table_mb", given, 1..=1 << 40)).transpose()?;
    let options = Options {
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
    watched(py, tell, |watch| {
        let watch = |news: &Progress| watch(*news);
        let options = Options { watch: Some(&watch), ..options };
        with_position!(&position, position => find(position, &options))
    })?
    .map_err(raise)
}

fn find<P: Position>(position: &P, options: &Options) -> Result<Found, SolveError> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let written = |moves: Vec<P::Move>| moves.iter().map(ToString::to_string).collect();
    Ok((value, written(best_moves), written(line), nodes, seconds, exact, lower, upper))
}

/// Returns the first player's score of a finished game, or None while it goes on: 1, 0 or -1, or Reversi's difference of discs.
#[pyfunction]
#[pyo3(signature = (position, empties_to_winner))]
pub fn score(position: &Bound<'_, PyAny>, empties_to_winner: bool) -> PyResult<Option<i32>> {
    let position = any_position(position)?;
    Ok(with_position!(&position, position => position.score(empties_to_winner)))
}

/// Searches the tree of a position by random games; petteia.mcts gives the parts of the result their names.
#[pyfunction]
#[pyo3(signature = (position, simulations, seed, threads, progress))]
pub fn mcts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    simulations: Integer,
    seed: Integer,
    threads: Integer,
    progress: Option<Py<PyAny>>,
) -> PyResult<Tree> {
    let position = any_position(position)?;
    let simulations = number_in("simulations", simulations, 1..=1 << 60)?;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?;
    let tell = |py: Python<'_>, done: u64| match &progress {
        Some(progress) => progress.call1(py, (done,)).map(|_| ()),
        None => Ok(()),
    };
    watched(py, tell, |watch| {
        let options = TreeOptions { simulations, seed, threads, watch: Some(watch) };
        with_position!(&position, position => grow(position, &options))
    })?
    .map_err(raise)
}

fn grow<P: Position>(position: &P, options: &TreeOptions) -> Result<Tree, SolveError> {
    let tree = petteia::mcts(position, options)?;
    // The best first, so that nobody has to choose again.
    let best = tree.best().m;
    let mut branches: Vec<_> = tree.branches.iter().collect();
    branches.sort_by_key(|branch| branch.m != best);
    let written =
        branches.iter().map(|branch| (branch.m.to_string(), branch.visits, branch.value, branch.proven));
    Ok((written.collect(), tree.simulations))
}

/// Returns a computer player's name as it is written in full, or raises a ParseError.
#[pyfunction]
pub fn bot_name(name: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(text(name).parse::<Bot>().or_raise()?.to_string())
}

/// Chooses a computer player's move, the n-th that it chooses with a seed; None when the game is over.
#[pyfunction]
#[pyo3(signature = (name, position, seed, n))]
pub fn bot_choose(
    py: Python<'_>,
    name: &Bound<'_, PyString>,
    position: &Bound<'_, PyAny>,
    seed: u64,
    n: u64,
) -> PyResult<Option<String>> {
    let bot = text(name).parse::<Bot>().or_raise()?;
    let position = any_position(position)?;
    let mut rng = Rng::for_game(seed, n);
    watched(
        py,
        |_, ()| Ok(()),
        |watch| {
            let go_on = || watch(());
            with_position!(&position, position => bot.choose_watched(position, &mut rng, &go_on).map(|m| m.to_string()))
        },
    )
}
