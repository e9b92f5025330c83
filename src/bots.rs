//! Computer players of every strength, for all games.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::engine::Engine;
use crate::error::ParseError;
use crate::moves::Moves;
use crate::position::{Outcome, Position};
use crate::random::Rng;
use crate::search::mcts::{TreeOptions, mcts};
use crate::search::solve::{Progress, SolveOptions};
use crate::work::{Terms, Watch, is_large, share};

/// A computer player.
///
/// Its text is its name and, optionally for those that search, its budget: `random`, `myopic`, `mcts:1000`, `perfect`.
///
/// ```
/// use petteia::{Bot, Rng, TicTac};
///
/// let bot: Bot = "mcts:200".parse()?;
/// let position: TicTac = "XX_/OO_/___ X".parse()?;
/// let m = bot.choose(&position, &mut Rng::new(1));
/// assert_eq!(m, Some("A3".parse()?));
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Plays uniformly random moves.
    Random,
    /// Looks one move ahead: wins at once if it can, else plays a random move that does not let the opponent win at
    /// once, if there is one.
    Myopic,
    /// Monte-Carlo tree search with the given number of simulations per move.
    Mcts(u64),
    /// Plays perfectly where the position can be solved within the given number of nodes, else by tree search with
    /// about the same effort.
    Perfect(u64),
}

impl Bot {
    /// One of each, with the default budgets.
    pub const ALL: [Bot; 4] = [Bot::Random, Bot::Myopic, Bot::Mcts(1000), Bot::Perfect(2_000_000)];

    /// How many nodes the perfect player searches in the time of one simulation of its tree search.
    const NODES_PER_SIMULATION: u64 = 200;

    const fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Myopic => "myopic",
            Bot::Mcts(_) => "mcts",
            Bot::Perfect(_) => "perfect",
        }
    }

    /// Chooses a move, or `None` when the game is over.
    pub fn choose<P: Engine>(self, position: &P, rng: &mut Rng) -> Option<P::Move> {
        self.choose_watched(position, rng, &|| ControlFlow::Continue(()))
    }

    /// Like [`choose`](Bot::choose), but can be cut short by a callback that is called now and then.
    pub fn choose_watched<P: Engine>(self, position: &P, rng: &mut Rng, watch: Watch<'_>) -> Option<P::Move> {
        self.judge(position, rng, watch).map(|(m, _)| m)
    }

    /// Like [`choose_watched`](Bot::choose_watched), and also returns what a player that searches takes to be the value
    /// for the player to move, from -1 for a loss to 1 for a win.
    pub fn judge<P: Engine>(
        self,
        position: &P,
        rng: &mut Rng,
        watch: Watch<'_>,
    ) -> Option<(P::Move, Option<f64>)> {
        match self {
            Bot::Random => position.moves().choose(rng).map(|m| (m, None)),
            Bot::Myopic => {
                let Prospects { wins, safe } = Prospects::of(position, watch);
                pick(&wins, rng)
                    .or_else(|| pick(&safe, rng))
                    .or_else(|| position.moves().choose(rng))
                    .map(|m| (m, None))
            }
            Bot::Mcts(simulations) => {
                let watch = |_| watch();
                let options =
                    TreeOptions { simulations, seed: rng.next_u64(), threads: 1, watch: Some(&watch) };
                mcts(position, &options).ok().map(|tree| (tree.best().m.clone(), Some(tree.value())))
            }
            Bot::Perfect(nodes) => {
                let stopped = AtomicBool::new(false);
                let watch_progress = |_: &Progress| {
                    let answer = watch();
                    stopped.fetch_or(answer.is_break(), Ordering::Relaxed);
                    answer
                };
                let options = SolveOptions {
                    node_limit: Some(nodes),
                    watch: Some(&watch_progress),
                    ..SolveOptions::default()
                };
                // A position that cannot be solved at all, as in an endless game, is treated like one that takes too
                // long.
                let solution = position.solve(&options).ok();
                let stopped = stopped.into_inner();
                // The value may be known even if not every best move was found in time. A player that is stopped has
                // no time for anything better.
                let known = solution.filter(|solution| stopped || solution.lower == solution.upper);
                let best = known.and_then(|known| {
                    Some((pick(&known.best_moves, rng)?, Some(f64::from(known.value.signum()))))
                });
                best.or_else(|| match stopped {
                    true => Bot::Random.judge(position, rng, watch),
                    false => Bot::Mcts(nodes / Self::NODES_PER_SIMULATION).judge(position, rng, watch),
                })
            }
        }
    }
}

/// What a look one move ahead finds, as far as it gets.
struct Prospects<M> {
    /// The moves that win at once.
    wins: Vec<M>,
    /// If there are none, the moves that do not let the opponent win at once.
    safe: Vec<M>,
}

impl<M: Clone + Send> Prospects<M> {
    fn of<P: Engine<Move = M>>(position: &P, watch: Watch<'_>) -> Self {
        let mut found = Prospects { wins: Vec::new(), safe: Vec::new() };
        if !is_large(position.heap_bytes()) {
            found.look(position);
            return found;
        }
        // The calling thread watches: see `work`.
        let found = Mutex::new(found);
        let terms = Terms { threads: 1, watch: Some(watch), apart: true, deadline: None };
        let _ = share(terms, |_, _| {
            found.lock().unwrap_or_else(PoisonError::into_inner).look(position);
            Ok(())
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn look<P: Position<Move = M>>(&mut self, position: &P) {
        self.wins.extend(winning_moves(position));
        if self.wins.is_empty() {
            let safe = |m: &M| {
                let next = position.after_unchecked(m.clone());
                next.turn() == position.turn() || winning_moves(&next).next().is_none()
            };
            self.safe.extend(position.moves().filter(safe));
        }
    }
}

/// Returns the moves that win at once.
fn winning_moves<P: Position>(position: &P) -> impl Iterator<Item = P::Move> {
    let turn = position.turn();
    position.moves().filter(move |m| {
        matches!(position.after_unchecked(m.clone()).outcome(), Some(Outcome::Win(winner)) if Some(winner) == turn)
    })
}

fn pick<M: Clone>(moves: &[M], rng: &mut Rng) -> Option<M> {
    if moves.is_empty() { None } else { Some(moves[rng.below(moves.len())].clone()) }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Bot::Random | Bot::Myopic => Ok(()),
            Bot::Mcts(budget) | Bot::Perfect(budget) => write!(f, ":{budget}"),
        }
    }
}

impl FromStr for Bot {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || {
            let expected =
                "random, myopic, mcts or perfect, the last two optionally with a number, as in mcts:1000";
            ParseError::new("player", text, expected)
        };
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name, Some(read_budget(budget).ok_or_else(error)?)),
            None => (text, None),
        };
        let bot = Bot::ALL.into_iter().find(|bot| bot.name() == name).ok_or_else(error)?;
        match (bot, budget) {
            (_, None) => Ok(bot),
            (Bot::Mcts(_), Some(budget)) => Ok(Bot::Mcts(budget)),
            (Bot::Perfect(_), Some(budget)) => Ok(Bot::Perfect(budget)),
            (Bot::Random | Bot::Myopic, Some(_)) => Err(error()),
        }
    }
}

/// Parses a number of at least 1, in digits only.
fn read_budget(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number > 0 && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}
