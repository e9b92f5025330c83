//! Whole games of the computer players by the million, as the columns of a table.

use std::ops::{ControlFlow, Range};

use petteia::{Bot, Outcome, Player, Position, Rng, with_position};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arguments::text;
use crate::errors::OrRaise;
use crate::games::any_position;
use crate::search::watched;

/// Games one after another. A list of lists is one array of all their items, and where each of them ends.
#[derive(Default)]
struct Columns {
    /// Where each game's moves end, after a 0; its positions, one more, end so much later.
    ends: Vec<i64>,
    actions: Vec<i32>,
    /// What the player thought each position is worth; empty if the player does not think.
    values: Vec<f32>,
    /// For the first player: 1, 0 or -1; 2 for a game that was not played to its end.
    outcomes: Vec<i8>,
    /// Where the text of each position ends, after a 0.
    text_ends: Vec<i64>,
    texts: String,
}

/// What the columns are in Python: the numbers as they are in memory.
type Bytes<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// How many moves are played between two looks at signals: a few milliseconds of the fastest game.
const PLIES_A_LOOK: u64 = 1 << 14;

/// Plays games of a bot with itself, of those of a seed from first to before last; petteia.selfplay makes tables of them.
///
/// Returns buffers: the ends of the games' moves (int64), actions (int32), values (float32), outcomes (int8), the ends of the
/// positions' texts (int64), and the texts.
#[pyfunction]
#[pyo3(signature = (bot, position, first, last, seed, max_plies, positions))]
#[allow(clippy::too_many_arguments)]
pub fn selfplay<'py>(
    py: Python<'py>,
    bot: &Bound<'py, PyString>,
    position: &Bound<'py, PyAny>,
    first: u64,
    last: u64,
    seed: u64,
    max_plies: u64,
    positions: bool,
) -> PyResult<Bytes<'py>> {
    let bot = text(bot).parse::<Bot>().or_raise()?;
    let start = any_position(position)?;
    let columns = watched(
        py,
        |_, ()| Ok(()),
        |watch| {
            let go_on = || watch(());
            let job = Job { bot, games: first..last, seed, max_plies, positions, watch: &go_on };
            with_position!(&start, start => job.play(start))
        },
    )?;
    let Columns { ends, actions, values, outcomes, text_ends, texts } = columns;
    Ok((
        bytes(py, &ends, i64::to_ne_bytes),
        bytes(py, &actions, i32::to_ne_bytes),
        bytes(py, &values, f32::to_ne_bytes),
        bytes(py, &outcomes, i8::to_ne_bytes),
        bytes(py, &text_ends, i64::to_ne_bytes),
        PyBytes::new(py, texts.as_bytes()),
    ))
}

fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes_of: impl Fn(T) -> [u8; N],
) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|&number| bytes_of(number)).collect();
    PyBytes::new(py, &bytes)
}

/// What there is to play.
struct Job<'a> {
    bot: Bot,
    games: Range<u64>,
    seed: u64,
    max_plies: u64,
    positions: bool,
    watch: &'a (dyn Fn() -> ControlFlow<()> + Sync),
}

impl Job<'_> {
    fn play<P: Position>(&self, start: &P) -> Columns {
        let mut columns = Columns { ends: vec![0], text_ends: vec![0], ..Columns::default() };
        let mut played = 0u64;
        for game in self.games.clone() {
            let mut rng = Rng::for_game(self.seed, game);
            let mut position = start.clone();
            for _ in 0..self.max_plies {
                played += 1;
                if played % PLIES_A_LOOK == 0 && (self.watch)().is_break() {
                    return columns;
                }
                let Some((m, value)) = self.bot.judge(&position, &mut rng, self.watch) else { break };
                columns.see(&position, self.positions);
                // Every legal move has an action.
                columns.actions.push(position.action(m).unwrap_or_default() as i32);
                columns.values.extend(value.map(|value| value as f32));
                position.play_unchecked(m);
            }
            columns.see(&position, self.positions);
            columns.ends.push(columns.actions.len() as i64);
            columns.outcomes.push(match position.outcome() {
                Some(Outcome::Win(Player::First)) => 1,
                Some(Outcome::Win(Player::Second)) => -1,
                Some(Outcome::Draw) => 0,
                None => 2,
            });
        }
        columns
    }
}

impl Columns {
    fn see<P: Position>(&mut self, position: &P, wanted: bool) {
        if wanted {
            position.push_text(&mut self.texts);
            self.text_ends.push(self.texts.len() as i64);
        }
    }
}
