//! Opponents of every strength, for all games.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use crate::search::mcts::{TreeOptions, mcts};
use crate::{Moves, Options, Outcome, ParseError, Position, Progress, Rng};

/// A computer player.
///
/// Its text is its name and, where that can be chosen, how hard it thinks: `random`, `myopic`, `mcts:1000`, `perfect`.
///
/// ```
/// use petteia::{Bot, Position, Rng, TicTac};
///
/// let bot: Bot = "mcts:200".parse()?;
/// let position: TicTac = "XX_/OO_/___ X".parse()?;
/// let m = bot.choose(&position, &mut Rng::new(1));
/// assert_eq!(m, Some("A3".parse()?));
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bot {
    /// Plays any move, each with the same chance.
    Random,
    /// Looks one move ahead: wins at once if it can, else plays a random move after which the other cannot, if there is one.
    Myopic,
    /// Searches the tree of the game by so many random games a move.
    Mcts(u64),
    /// Plays perfectly where the game can be solved from here by looking at so many positions, else as strong a tree search
    /// as there is time for.
    Perfect(u64),
}

impl Bot {
    /// One of each, with how hard they think unless told.
    pub const ALL: [Bot; 4] = [Bot::Random, Bot::Myopic, Bot::Mcts(1000), Bot::Perfect(2_000_000)];

    /// How many positions a perfect player looks at in the time of one random game of its tree search.
    const NODES_A_SIMULATION: u64 = 200;

    const fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Myopic => "myopic",
            Bot::Mcts(_) => "mcts",
            Bot::Perfect(_) => "perfect",
        }
    }

    /// Chooses a move, or `None` when the game is over.
    pub fn choose<P: Position>(self, position: &P, rng: &mut Rng) -> Option<P::Move> {
        self.choose_watched(position, rng, &|| ControlFlow::Continue(()))
    }

    /// Chooses a move as [`choose`](Bot::choose) does, and sooner if a function says so that is called now and then.
    pub fn choose_watched<P: Position>(
        self,
        position: &P,
        rng: &mut Rng,
        watch: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Option<P::Move> {
        self.judge(position, rng, watch).map(|(m, _)| m)
    }

    /// Chooses a move as [`choose_watched`](Bot::choose_watched) does, and tells what a player who searches thinks that the
    /// position is worth to the player to move, from -1 for a loss to 1 for a win.
    pub fn judge<P: Position>(
        self,
        position: &P,
        rng: &mut Rng,
        watch: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Option<(P::Move, Option<f64>)> {
        match self {
            Bot::Random => position.moves().choose(rng).map(|m| (m, None)),
            Bot::Myopic => {
                let wins: Vec<P::Move> = winning_moves(position).collect();
                let safe = |m: &P::Move| {
                    let next = position.after_unchecked(*m);
                    next.turn() == position.turn() || winning_moves(&next).next().is_none()
                };
                pick(&wins, rng)
                    .or_else(|| pick(&position.moves().filter(safe).collect::<Vec<_>>(), rng))
                    .or_else(|| position.moves().choose(rng))
                    .map(|m| (m, None))
            }
            Bot::Mcts(simulations) => {
                let watch = |_| watch();
                let options =
                    TreeOptions { simulations, seed: rng.next_u64(), threads: 1, watch: Some(&watch) };
                mcts(position, &options).ok().map(|tree| (tree.best().m, Some(tree.value())))
            }
            Bot::Perfect(nodes) => {
                let watch_progress = |_: &Progress| watch();
                let options =
                    Options { node_limit: Some(nodes), watch: Some(&watch_progress), ..Options::default() };
                let solution = position.solve(&options).ok()?;
                // The value may be known although not every best move was found in time.
                let known = solution.lower == solution.upper;
                let value = f64::from(solution.value.signum());
                pick(&solution.best_moves, rng)
                    .filter(|_| known)
                    .map(|m| (m, Some(value)))
                    .or_else(|| Bot::Mcts(nodes / Self::NODES_A_SIMULATION).judge(position, rng, watch))
            }
        }
    }
}

/// Returns the moves with which the player to move wins at once.
fn winning_moves<P: Position>(position: &P) -> impl Iterator<Item = P::Move> {
    let turn = position.turn();
    position.moves().filter(move |&m| {
        matches!(position.after_unchecked(m).outcome(), Some(Outcome::Win(winner)) if Some(winner) == turn)
    })
}

fn pick<M: Copy>(moves: &[M], rng: &mut Rng) -> Option<M> {
    if moves.is_empty() { None } else { Some(moves[rng.below(moves.len())]) }
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
                "random, myopic, mcts or perfect, the last two with a number if wanted, as in mcts:1000";
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

/// Reads a number of at least 1, written with digits alone.
fn read_budget(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number > 0 && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}
