//! Random games by the million.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use petteia::{PlayoutOptions, playouts_with};
use pyo3::prelude::*;

use crate::arguments::Integer::{self, Small};
use crate::arguments::{number_in, threads};
use crate::errors::Raise;
use crate::position::Rebuild;
use crate::starts::{PyStarts, max_plies, with_py_starts};
use crate::work::{Stop, watched_on};

/// A tally: wins, draws, plies, seed.
type Parts = ((u64, u64), u64, u64, u64, Option<u64>);

/// How a number of games ended: the result of playouts.
///
/// Tallies can be added. They are equal if the numbers are, whatever the seed. Games cut off after max_plies are counted
/// as truncated, and have no result.
///
/// >>> tally = petteia.playouts(petteia.TicTac(), 1000)
/// >>> tally
/// petteia.Tally(wins=(587, 286), draws=127, plies=7656)
/// >>> tally.wins[petteia.Player.FIRST] + tally.wins[petteia.Player.SECOND] + tally.draws == tally.games
/// True
#[pyclass(frozen, eq, hash, module = "petteia")]
pub struct Tally(petteia::Tally, Option<u64>);

impl From<petteia::Tally> for Tally {
    fn from(tally: petteia::Tally) -> Self {
        Tally(tally, None)
    }
}

impl PartialEq for Tally {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Tally {}

impl Hash for Tally {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[pymethods]
impl Tally {
    #[new]
    #[pyo3(signature = (wins=(Small(0), Small(0)), draws=Small(0), plies=Small(0), truncated=Small(0), seed=None))]
    #[pyo3(text_signature = "(wins=(0, 0), draws=0, plies=0, truncated=0, seed=None)")]
    fn new(
        wins: (Integer, Integer),
        draws: Integer,
        plies: Integer,
        truncated: Integer,
        seed: Option<Integer>,
    ) -> PyResult<Self> {
        let number = |what, given| number_in(what, given, 0..=MOST);
        let wins = [number("wins", wins.0)?, number("wins", wins.1)?];
        let (draws, plies) = (number("draws", draws)?, number("plies", plies)?);
        let truncated = number("truncated", truncated)?;
        let seed = seed.map(|seed| number_in("seed", seed, 0..=u64::MAX)).transpose()?;
        Ok(Tally(petteia::Tally { wins, draws, truncated, plies }, seed))
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

    /// The seed that playouts played with; None for any other tally, such as a sum.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.1
    }

    fn __add__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        let sum = self.0 + other.get().0;
        let fits =
            sum.wins.into_iter().chain([sum.draws, sum.truncated, sum.plies]).all(|number| number <= MOST);
        fits.then_some(Tally::from(sum))
            .ok_or_else(|| pyo3::exceptions::PyOverflowError::new_err("more games than a tally can count"))
    }

    fn __repr__(&self) -> String {
        let petteia::Tally { wins: [first, second], draws, truncated, plies } = self.0;
        let truncated = if truncated > 0 { format!(", truncated={truncated}") } else { String::new() };
        format!("petteia.Tally(wins=({first}, {second}), draws={draws}, plies={plies}{truncated})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, Parts> {
        let tally = slf.get();
        let numbers = (tally.wins(), tally.draws(), tally.plies(), tally.truncated(), tally.1);
        (slf.get_type().into_any(), numbers)
    }
}

/// The limit of every count, so low that any two can be added.
const MOST: u64 = 1 << 60;

/// Plays the random games first to last - 1 of a seed; petteia.playouts plays 0 to n - 1.
///
/// stop, if given, has a time limit, at which the games that are over are returned: the first ones, without a gap.
#[pyfunction]
#[pyo3(signature = (position, first, last, seed, threads, progress, stop, max_plies=None))]
#[allow(clippy::too_many_arguments)] // They are the arguments of the Python function.
pub fn playouts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    first: Integer,
    last: Integer,
    seed: Integer,
    threads: Option<Integer>,
    progress: Py<PyAny>,
    stop: Option<&Bound<'_, Stop>>,
    max_plies: Option<Integer>,
) -> PyResult<Tally> {
    let starts = PyStarts::read(position)?;
    let max_plies = self::max_plies(max_plies)?;
    let last = number_in("n", last, 0..=MOST)?;
    let first = number_in("first", first, 0..=last)?;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?;
    let stop = stop.map(Bound::get);
    let mut tally = petteia::Tally::default();
    let mut piece = match stop {
        Some(_) => threads as u64,
        None => last - first,
    };
    let mut start = first;
    while start < last {
        let games = start..last.min(start.saturating_add(piece));
        let begun = Instant::now();
        let before = start - first;
        let tell = |py: Python<'_>, done: u64| progress.call1(py, (before + done, last - first)).map(|_| ());
        let played = watched_on(py, &starts, tell, |watch| {
            let late = |done| match stop {
                // A piece that is almost done may end.
                Some(stop) if stop.is_late_by(GRACE) => ControlFlow::Break(()),
                _ => watch(done),
            };
            let options = PlayoutOptions { threads, max_plies, watch: Some(&late) };
            with_py_starts!(&starts, starts => playouts_with(starts, games.clone(), seed, &options))
        })?;
        match played {
            Ok(more) => tally += more,
            Err(_) if stop.is_some_and(|stop| stop.is_late_by(GRACE)) => break,
            Err(stopped) => return Err(stopped.raise()),
        }
        start = games.end;
        if stop.is_some_and(|stop| stop.is_late_by(Duration::ZERO)) {
            break;
        }
        if begun.elapsed() < PIECE {
            piece = piece.saturating_mul(2);
        } else {
            piece = (piece / 2).max(1);
        }
    }
    let done = start - first;
    progress.call1(py, (done, done))?;
    Ok(Tally::from(tally))
}

/// How long a piece of the games should take when there is a time limit.
const PIECE: Duration = Duration::from_millis(20);

/// How much longer than the time limit a piece may take before it is given up.
const GRACE: Duration = Duration::from_millis(20);
