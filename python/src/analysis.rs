//! Estimates, analysis and computer players. The results are tuples, whose parts python/petteia names.

use petteia::{
    Analysis, AnalysisOptions, Bot, Choice, Effort, Engine, Estimate, IllegalMove, Level, Line, Progress,
    Rng, SolveError,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::arguments::{Integer, number_in, text, threads, time, type_error};
use crate::errors::{OrRaise, illegal};
use crate::games::{PyPosition, with_py_position};
use crate::work::watched_on;

/// An estimate: win, draw, loss, difference.
type Parts = (f64, f64, f64, Option<f64>);

/// A line of an analysis: moves, estimate, value.
type LineParts = (Vec<String>, Parts, Option<i32>);

/// An analysis: lines, depth, nodes, seconds.
type AnalysisParts = (Vec<LineParts>, u32, u64, f64);

/// What a player chose: move, value, estimate.
type ChoiceParts = (String, Option<i32>, Option<Parts>);

fn parts(estimate: Estimate) -> Parts {
    let Estimate { win, draw, loss, difference } = estimate;
    (win, draw, loss, difference)
}

fn estimate_of((win, draw, loss, difference): Parts) -> Estimate {
    Estimate { win, draw, loss, difference }
}

fn depth(given: Integer) -> PyResult<u32> {
    number_in("depth", given, 1..=u32::MAX.into()).map(|depth| depth as u32)
}

fn nodes(given: Integer) -> PyResult<u64> {
    number_in("nodes", given, 1..=u64::MAX)
}

/// Estimates how a game will end; petteia.evaluate names the parts of the result.
#[pyfunction]
pub fn estimate(py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Parts> {
    let position = PyPosition::read(position)?;
    let found = watched_on(
        py,
        &position,
        |_, ()| Ok(()),
        |_| with_py_position!(&position, position => petteia::evaluate(position)),
    );
    found?.or_raise().map(parts)
}

/// Says why a move is good, in sentences; see petteia.explain.
#[pyfunction]
#[pyo3(signature = (position, r#move))]
pub fn explain(py: Python<'_>, position: &Bound<'_, PyAny>, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
    let position = PyPosition::read(position)?;
    let notation = text(r#move.cast().map_err(|_| type_error("a move as a str", r#move))?);
    let found = watched_on(
        py,
        &position,
        |_, ()| Ok(()),
        |_| with_py_position!(&position, position => reasons(position, &notation)),
    );
    found?.map_err(|refused| illegal(refused, r#move))
}

/// Returns the reasons for a move; one that cannot be read is illegal too.
fn reasons<P: Engine>(position: &P, notation: &str) -> Result<String, IllegalMove> {
    let m = notation.parse().map_err(|_| IllegalMove::new(position, &notation))?;
    let reasons = petteia::explain(position, &m)?;
    Ok(reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
}

/// Finds the best moves of a position; petteia.analyse names the parts of the result.
#[pyfunction]
#[pyo3(signature = (position, time, nodes, depth, lines, threads, progress))]
#[allow(clippy::too_many_arguments)]
pub fn analyse(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    time: Option<Bound<'_, PyAny>>,
    nodes: Option<Integer>,
    depth: Option<Integer>,
    lines: Integer,
    threads: Option<Integer>,
    progress: Py<PyAny>,
) -> PyResult<AnalysisParts> {
    let position = PyPosition::read(position)?;
    let options = AnalysisOptions {
        depth: depth.map(self::depth).transpose()?,
        node_limit: nodes.map(self::nodes).transpose()?,
        time_limit: time.as_ref().map(self::time).transpose()?,
        lines: number_in("lines", lines, 1..=u64::MAX)? as usize,
        threads: self::threads(threads)?,
        memory: None,
        watch: None,
    };
    let tell = |py: Python<'_>, done: u64, total: Option<u64>| progress.call1(py, (done, total)).map(|_| ());
    let found = watched_on(
        py,
        &position,
        |py, done| tell(py, done, options.node_limit),
        |watch| {
            let watch = |news: &Progress| watch(news.nodes);
            let options = AnalysisOptions { watch: Some(&watch), ..options };
            with_py_position!(&position, position => find(position, &options))
        },
    );
    let found = found?.or_raise()?;
    tell(py, found.2, Some(found.2))?;
    Ok(found)
}

fn find<P: Engine>(position: &P, options: &AnalysisOptions) -> Result<AnalysisParts, SolveError> {
    let Analysis { lines, depth, nodes, seconds } = position.analyse(options)?;
    let written = |line: Line<P::Move>| {
        let moves = line.moves.iter().map(ToString::to_string).collect();
        (moves, parts(line.estimate), line.value)
    };
    Ok((lines.into_iter().map(written).collect(), depth, nodes, seconds))
}

/// Writes an estimate in words.
#[pyfunction]
pub fn estimate_text(estimate: Parts) -> String {
    estimate_of(estimate).to_string()
}

/// Writes an analysis as a table.
#[pyfunction]
pub fn analysis_text(lines: Vec<LineParts>, depth: u32, nodes: u64, seconds: f64) -> String {
    let read = |(moves, estimate, value)| Line { moves, estimate: estimate_of(estimate), value };
    Analysis { lines: lines.into_iter().map(read).collect(), depth, nodes, seconds }.to_string()
}

/// What a computer player remembers from move to move of a game; a copy remembers nothing.
#[pyclass(module = "petteia._petteia", frozen)]
pub struct Memory(petteia::Memory);

#[pymethods]
impl Memory {
    #[new]
    fn new() -> Self {
        Memory(petteia::Memory::default())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, ()) {
        (slf.get_type(), ())
    }
}

/// Returns a computer player's full name, or raises a ParseError.
#[pyfunction]
pub fn bot_name(name: &Bound<'_, PyString>) -> PyResult<String> {
    Ok(text(name).parse::<Bot>().or_raise()?.to_string())
}

/// Returns the names of the computer players, for help.
#[pyfunction]
pub fn bot_names() -> &'static str {
    Bot::NAMES
}

/// Returns the name of the alpha-beta player with a depth, a number of nodes or a time.
#[pyfunction]
#[pyo3(signature = (depth, nodes, time))]
pub fn alphabeta_name(
    depth: Option<Integer>,
    nodes: Option<Integer>,
    time: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let given = [("depth", depth.is_some()), ("nodes", nodes.is_some()), ("time", time.is_some())];
    let effort = match (depth, nodes, &time) {
        (Some(given), None, None) => Effort::Depth(self::depth(given)?),
        (None, Some(given), None) => Effort::Nodes(self::nodes(given)?),
        (None, None, Some(given)) => Effort::Time(self::time(given)?),
        (None, None, None) => return Ok("alphabeta".to_owned()),
        _ => {
            let given: Vec<_> = given.into_iter().filter_map(|(name, is)| is.then_some(name)).collect();
            let message =
                format!("{} given: expected only one of depth, nodes and time", given.join(" and "));
            return Err(PyTypeError::new_err(message));
        }
    };
    Ok(Bot::AlphaBeta(effort).to_string())
}

/// Returns the name of the player of a level.
#[pyfunction]
pub fn level_name(level: Integer) -> PyResult<String> {
    let most = u64::from(Level::STRONGEST.get());
    let level = number_in("level", level, 1..=most)?;
    Ok(format!("level:{level}"))
}

/// Returns a computer player's choice, the n-th that it makes with a seed: its move, the exact value of the move if it
/// is proved, and an estimate if the player looked; None when the game is over.
#[pyfunction]
#[pyo3(signature = (name, position, seed, n, memory))]
pub fn bot_choose(
    py: Python<'_>,
    name: &Bound<'_, PyString>,
    position: &Bound<'_, PyAny>,
    seed: u64,
    n: u64,
    memory: &Bound<'_, Memory>,
) -> PyResult<Option<ChoiceParts>> {
    let bot = text(name).parse::<Bot>().or_raise()?;
    let position = PyPosition::read(position)?;
    let memory = &memory.get().0;
    let mut rng = Rng::for_game(seed, n);
    watched_on(
        py,
        &position,
        |_, ()| Ok(()),
        |watch| {
            let go_on = || watch(());
            with_py_position!(&position, position => {
                bot.think(position, &mut rng, memory, &go_on).map(written)
            })
        },
    )
}

fn written<M: ToString>(choice: Choice<M>) -> ChoiceParts {
    let Choice { m, estimate, value } = choice;
    (m.to_string(), value, estimate.map(parts))
}
