//! Self-play: whole games of a computer player against itself, as the columns of a table.

use std::sync::{Arc, Mutex, PoisonError};

use petteia::any::AnyStarts;
use petteia::selfplay::{Form, Games};
use petteia::{Bot, with_starts};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arguments::text;
use crate::arrays::over_memory;
use crate::errors::{OrRaise, out_of_range};
use crate::starts::PyStarts;
use crate::work::watched;

/// Games of a bot against itself, which petteia.selfplay writes to files.
///
/// positions is cells, text or None.
#[pyclass(frozen, module = "petteia._petteia")]
pub struct Selfplay {
    bot: Bot,
    starts: AnyStarts,
    seed: u64,
    max_plies: u64,
    positions: Option<Form>,
    /// The last games. The next ones reuse their memory when no array refers to it any more: allocating it each time
    /// would take as long as playing.
    games: Mutex<Arc<Mutex<Games>>>,
}

#[pymethods]
impl Selfplay {
    #[new]
    fn new(
        bot: &Bound<'_, PyString>,
        starts: &Bound<'_, PyAny>,
        seed: u64,
        max_plies: u64,
        positions: Option<&str>,
    ) -> PyResult<Self> {
        let positions = form_of(positions)?;
        let (bot, starts) = (text(bot).parse::<Bot>().or_raise()?, PyStarts::read(starts)?.petteia()?);
        Ok(Selfplay { bot, starts, seed, max_plies, positions, games: Mutex::default() })
    }

    /// Plays the games first to last - 1 of the seed.
    ///
    /// Returns arrays: where each game's moves end (int64), actions (int32), values (float32), outcomes (int8),
    /// positions (uint8), the players to move if these are cells (int8), where their texts end (int64), and the policies
    /// (float32), none without an evaluator.
    fn play<'py>(&self, py: Python<'py>, first: u64, last: u64) -> PyResult<Bound<'py, PyTuple>> {
        let games = {
            let mut last_games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            // Unlike a look at the count, this is ordered after the last use of the memory.
            if Arc::get_mut(&mut last_games).is_none() {
                *last_games = Arc::default();
            }
            Arc::clone(&last_games)
        };
        let mut guard = games.lock().unwrap_or_else(PoisonError::into_inner);
        let played = &mut *guard;
        watched(
            py,
            |_, ()| Ok(()),
            |watch| {
                let &Selfplay { bot, seed, max_plies, positions, .. } = self;
                let watch: &(dyn Fn() -> _ + Sync) = &|| watch(());
                let selfplay = petteia::selfplay::Selfplay { bot, seed, max_plies, positions, watch };
                with_starts!(&self.starts, starts => selfplay.play_into(starts, first..last, played))
            },
        )?;
        drop(guard);
        game_arrays(py, &games)
    }
}

/// Reads how positions are to be encoded.
pub fn form_of(positions: Option<&str>) -> PyResult<Option<Form>> {
    match positions {
        None => Ok(None),
        Some("cells") => Ok(Some(Form::Cells)),
        Some("text") => Ok(Some(Form::Text)),
        Some(other) => Err(out_of_range("positions", format!("{other:?}"), "cells, text or None")),
    }
}

/// Returns the columns as arrays over their memory.
pub fn game_arrays<'py>(py: Python<'py>, games: &Arc<Mutex<Games>>) -> PyResult<Bound<'py, PyTuple>> {
    let array = |address: usize, length: usize, kind: &'static str| {
        over_memory(py, Arc::clone(games) as _, address, &[length], kind)
    };
    let mut guard = games.lock().unwrap_or_else(PoisonError::into_inner);
    let Games { ends, actions, values, policies, outcomes, positions, turns, text_ends } = &mut *guard;
    PyTuple::new(
        py,
        [
            array(ends.as_mut_ptr().expose_provenance(), ends.len(), "i8")?,
            array(actions.as_mut_ptr().expose_provenance(), actions.len(), "i4")?,
            array(values.as_mut_ptr().expose_provenance(), values.len(), "f4")?,
            array(outcomes.as_mut_ptr().expose_provenance(), outcomes.len(), "i1")?,
            array(positions.as_mut_ptr().expose_provenance(), positions.len(), "u1")?,
            array(turns.as_mut_ptr().expose_provenance(), turns.len(), "i1")?,
            array(text_ends.as_mut_ptr().expose_provenance(), text_ends.len(), "i8")?,
            array(policies.as_mut_ptr().expose_provenance(), policies.len(), "f4")?,
        ],
    )
}
