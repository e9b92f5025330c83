//! How a finished game ended.

use crate::position::Rebuild;
use petteia::Player;
use pyo3::prelude::*;

use crate::enums::PLAYER;

/// How a finished game ended: with a winner, or in a draw.
///
/// >>> petteia.TicTac.from_text("XXX/OO_/___ -").outcome
/// petteia.Outcome(petteia.Player.FIRST)
#[pyclass(frozen, eq, hash, module = "petteia")]
#[derive(PartialEq, Eq, Hash)]
pub struct Outcome(petteia::Outcome);

impl From<petteia::Outcome> for Outcome {
    fn from(outcome: petteia::Outcome) -> Self {
        Outcome(outcome)
    }
}

impl Outcome {
    /// Returns the core's outcome.
    pub fn core(&self) -> petteia::Outcome {
        self.0
    }
}

#[pymethods]
impl Outcome {
    #[new]
    #[pyo3(signature = (winner=None))]
    fn new(winner: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let player = winner.map(|winner| PLAYER.named_value("winner", winner)).transpose()?;
        let won = |player| petteia::Outcome::Win(Player::BOTH[player]);
        Ok(Outcome(player.map_or(petteia::Outcome::Draw, won)))
    }

    /// The player who won, or None for a draw.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.0.winner().map(|player| PLAYER.member(py, player.index())).transpose()
    }

    fn __repr__(&self) -> &'static str {
        match self.0.winner() {
            Some(Player::First) => "petteia.Outcome(petteia.Player.FIRST)",
            Some(Player::Second) => "petteia.Outcome(petteia.Player.SECOND)",
            None => "petteia.Outcome(None)",
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Rebuild<'py, (Option<Py<PyAny>>,)>> {
        Ok((slf.get_type().into_any(), (slf.get().winner(slf.py())?,)))
    }
}
