//! Random games by the million.

use std::sync::atomic::{AtomicU64, Ordering};

use petteia::{PlayoutOptions, playouts_with};
use pyo3::prelude::*;

use crate::arguments::Integer::{self, Small};
use crate::arguments::{number_in, threads};
use crate::errors::OrRaise;
use crate::position::Rebuild;
use crate::starts::{PyStarts, max_plies, with_py_starts};
use crate::work::watched_on;

/// How a number of games ended: the result of playouts.
///
/// Tallies can be added. Games cut off after max_plies are counted as truncated, and have no result.
///
/// >>> tally = petteia.playouts(petteia.TicTac(), 1000)
/// >>> tally
/// petteia.Tally(wins=(587, 286), draws=127, plies=7656)
/// >>> tally.wins[petteia.Player.FIRST] + tally.wins[petteia.Player.SECOND] + tally.draws == tally.games
/// True
#[pyclass(frozen, eq, hash, module = "petteia")]
#[derive(PartialEq, Eq, Hash)]
pub struct Tally(petteia::Tally);

impl From<petteia::Tally> for Tally {
    fn from(tally: petteia::Tally) -> Self {
        Tally(tally)
    }
}

#[pymethods]
impl Tally {
    #[new]
    #[pyo3(signature = (wins=(Small(0), Small(0)), draws=Small(0), plies=Small(0), truncated=Small(0)))]
    #[pyo3(text_signature = "(wins=(0, 0), draws=0, plies=0, truncated=0)")]
    fn new(wins: (Integer, Integer), draws: Integer, plies: Integer, truncated: Integer) -> PyResult<Self> {
        let number = |what, given| number_in(what, given, 0..=MOST);
        let wins = [number("wins", wins.0)?, number("wins", wins.1)?];
        let (draws, plies) = (number("draws", draws)?, number("plies", plies)?);
        let truncated = number("truncated", truncated)?;
        Ok(Tally(petteia::Tally { wins, draws, truncated, plies }))
    }

    /// The games won by each player, first player first.
    #[getter]
    fn wins(&self) -> (u64, u64) {
        self.0.wins.into()
    }

    /// The drawn games.
    #[getter]
    fn draws(&self) -> u64 {
        self.0.draws
    }

    /// The games cut off after a number of plies, which have no result.
    #[getter]
    fn truncated(&self) -> u64 {
        self.0.truncated
    }

    /// The moves played in all games together.
    #[getter]
    fn plies(&self) -> u64 {
        self.0.plies
    }

    /// The number of games.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games()
    }

    fn __add__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        let sum = self.0 + other.get().0;
        let fits =
            sum.wins.into_iter().chain([sum.draws, sum.truncated, sum.plies]).all(|number| number <= MOST);
        fits.then_some(Tally(sum))
            .ok_or_else(|| pyo3::exceptions::PyOverflowError::new_err("more games than a tally can count"))
    }

    fn __repr__(&self) -> String {
        let petteia::Tally { wins: [first, second], draws, truncated, plies } = self.0;
        let truncated = if truncated > 0 { format!(", truncated={truncated}") } else { String::new() };
        format!("petteia.Tally(wins=({first}, {second}), draws={draws}, plies={plies}{truncated})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, ((u64, u64), u64, u64, u64)> {
        let tally = slf.get();
        (slf.get_type().into_any(), (tally.wins(), tally.draws(), tally.plies(), tally.truncated()))
    }
}

/// The limit of every count, so low that any two can be added.
const MOST: u64 = 1 << 60;

/// Plays the random games first to last - 1 of a seed; petteia.playouts plays 0 to n - 1.
#[pyfunction]
#[pyo3(signature = (position, first, last, seed, threads, progress, max_plies=None))]
#[allow(clippy::too_many_arguments)]
pub fn playouts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    first: Integer,
    last: Integer,
    seed: Integer,
    threads: Integer,
    progress: Option<Py<PyAny>>,
    max_plies: Option<Integer>,
) -> PyResult<Tally> {
    let starts = PyStarts::read(position)?;
    let max_plies = self::max_plies(max_plies)?;
    let last = number_in("n", last, 0..=MOST)?;
    let games = number_in("first", first, 0..=last)?..last;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?;
    let (told, number) = (AtomicU64::new(0), games.end - games.start);
    let tell = |py: Python<'_>, done: u64| {
        let more = done - told.swap(done, Ordering::Relaxed);
        match &progress {
            Some(progress) if more > 0 => progress.call1(py, (more,)).map(|_| ()),
            _ => Ok(()),
        }
    };
    let tally = watched_on(py, &starts, tell, |watch| {
        let options = PlayoutOptions { threads, max_plies, watch: Some(watch) };
        with_py_starts!(&starts, starts => playouts_with(starts, games, seed, &options))
    });
    let tally = tally?.or_raise()?;
    tell(py, number)?;
    Ok(Tally(tally))
}
