//! Random games by the million.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::position::Rebuild;
use petteia::{Moves, Position, Rng, with_position};
use pyo3::prelude::*;

use crate::arguments::Integer::{self, Small};
use crate::arguments::{number_in, threads};
use crate::games::any_position;
use crate::work::{BEAT, Pulse, Stopped, share};

/// How a number of games ended: the result of playouts.
///
/// Tallies add up: tally + tally is the tally of both together.
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
    #[pyo3(signature = (wins=(Small(0), Small(0)), draws=Small(0), plies=Small(0)))]
    #[pyo3(text_signature = "(wins=(0, 0), draws=0, plies=0)")]
    fn new(wins: (Integer, Integer), draws: Integer, plies: Integer) -> PyResult<Self> {
        let number = |what, given| number_in(what, given, 0..=MOST);
        let wins = [number("wins", wins.0)?, number("wins", wins.1)?];
        let (draws, plies) = (number("draws", draws)?, number("plies", plies)?);
        Ok(Tally(petteia::Tally { wins, draws, plies }))
    }

    /// The games won by each player, the first to move first.
    #[getter]
    fn wins(&self) -> (u64, u64) {
        self.0.wins.into()
    }

    /// The games that nobody won.
    #[getter]
    fn draws(&self) -> u64 {
        self.0.draws
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
        let fits = sum.wins.into_iter().chain([sum.draws, sum.plies]).all(|number| number <= MOST);
        fits.then_some(Tally(sum))
            .ok_or_else(|| pyo3::exceptions::PyOverflowError::new_err("more games than a tally can count"))
    }

    fn __repr__(&self) -> String {
        let petteia::Tally { wins: [first, second], draws, plies } = self.0;
        format!("petteia.Tally(wins=({first}, {second}), draws={draws}, plies={plies})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Rebuild<'py, ((u64, u64), u64, u64)> {
        let tally = slf.get();
        (slf.get_type().into_any(), (tally.wins(), tally.draws(), tally.plies()))
    }
}

/// The most games there can be, and the most of anything in a tally: any two of them can be added.
const MOST: u64 = 1 << 60;

/// Plays random games from a position, of the games of a seed those from first to before last; petteia.playouts plays all.
#[pyfunction]
#[pyo3(signature = (position, first, last, seed, threads, progress))]
pub fn playouts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    first: Integer,
    last: Integer,
    seed: Integer,
    threads: Integer,
    progress: Option<Py<PyAny>>,
) -> PyResult<Tally> {
    let position = any_position(position)?;
    let last = number_in("n", last, 0..=MOST)?;
    let games = number_in("first", first, 0..=last)?..last;
    let seed = number_in("seed", seed, 0..=u64::MAX)?;
    let threads = self::threads(threads)?.min((games.end - games.start).max(1) as usize);
    with_position!(&position, position => play(py, position, games, seed, threads, progress)).map(Tally)
}

fn play<P: Position + Send + Sync>(
    py: Python<'_>,
    position: &P,
    games: Range<u64>,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<petteia::Tally> {
    let next = AtomicU64::new(games.start);
    let finished = AtomicU64::new(0);
    let mut told = 0;
    let tell = |py: Python<'_>| {
        let done = finished.load(Ordering::Relaxed);
        if let Some(progress) = progress.as_ref().filter(|_| done > told) {
            progress.call1(py, (done - told,))?;
            told = done;
        }
        Ok(())
    };
    let tallies = share(py, threads, tell, |pulse| {
        let mut tally = petteia::Tally::default();
        let mut batch = 1;
        loop {
            pulse.beat()?;
            let first = next.fetch_add(batch, Ordering::Relaxed);
            if first >= games.end {
                return Ok(tally);
            }
            let count = batch.min(games.end - first);
            let start = Instant::now();
            // The first game, and every one that takes long by itself, is played a move at a time.
            tally += match count {
                1 => play_one(position, Rng::for_game(seed, first), pulse)?,
                _ => position.playouts(first..first + count, seed),
            };
            finished.fetch_add(count, Ordering::Relaxed);
            let seconds = start.elapsed();
            if seconds < BEAT / 4 {
                batch *= 2;
            } else if seconds > BEAT {
                batch = (batch / 2).max(1);
            }
        }
    })?;
    Ok(tallies.into_iter().fold(petteia::Tally::default(), |sum, tally| sum + tally))
}

/// Plays one game; it is the one that the core's playouts would play.
fn play_one<P: Position>(start: &P, mut rng: Rng, pulse: &mut Pulse<'_>) -> Result<petteia::Tally, Stopped> {
    let mut position = start.clone();
    let mut tally = petteia::Tally::default();
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            tally.record(outcome, plies);
            return Ok(tally);
        }
        pulse.beat()?;
        if let Some(m) = position.moves().choose(&mut rng) {
            position.play_unchecked(m);
        }
        plies += 1;
    }
}
