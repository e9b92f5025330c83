//! Computer players of every strength, for all games.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::engine::{Engine, Strength};
use crate::error::{ParseError, push};
use crate::moves::Moves;
use crate::position::Position;
use crate::random::Rng;
use crate::search::Memory;
use crate::search::analysis::{Analysis, AnalysisOptions, MOST_RANKING, hardest};
use crate::search::estimate::Estimate;
use crate::search::mcts::{TreeOptions, mcts};
use crate::search::reasons::winning_moves;
use crate::search::solve::{Progress, SolveError, SolveOptions};
use crate::work::{Terms, Watch, is_large, share};

/// A computer player.
///
/// Its text is its name and, optionally for those that search, how much it does for a move: `random`, `myopic`,
/// `mcts:1000` simulations, `perfect:1000000` nodes, `alphabeta:depth=8`, `alphabeta:nodes=100000`, `alphabeta:time=0.5`
/// seconds, `level:1` to `level:10`.
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
    /// Plays perfectly where the position can be solved within the given number of nodes, else by alpha-beta search
    /// with as many. Of moves that are equally good it prefers the hardest to answer, or in Reversi any.
    Perfect(u64),
    /// Alpha-beta search over estimates, and the exact solver where it gets to the end.
    AlphaBeta(Effort),
    /// A level from 1, for a child's first game, to 10: alpha-beta search with few or many nodes, and mistakes on purpose.
    Level(Level),
}

/// How much a player searches for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// To a depth in plies.
    Depth(u32),
    /// A number of nodes.
    Nodes(u64),
    /// For a time.
    Time(Duration),
}

impl Effort {
    fn options(self) -> AnalysisOptions<'static> {
        let none = AnalysisOptions::default();
        match self {
            Effort::Depth(depth) => AnalysisOptions { depth: Some(depth), ..none },
            Effort::Nodes(nodes) => AnalysisOptions { node_limit: Some(nodes), ..none },
            Effort::Time(time) => AnalysisOptions { time_limit: Some(time), ..none },
        }
    }
}

/// One of ten levels of strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The strongest level.
    pub const STRONGEST: Level = Level(10);

    /// Returns a level, or `None` if it is not between 1 and 10.
    pub const fn new(level: u8) -> Option<Level> {
        if level >= 1 && level <= Self::STRONGEST.0 { Some(Level(level)) } else { None }
    }

    /// Returns its number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// What a player chose, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<M> {
    /// The move.
    pub m: M,
    /// How the game is likely to end for the player to move, if the player looked.
    pub estimate: Option<Estimate>,
    /// The exact value, if the player proved that the move is best.
    pub value: Option<i32>,
}

impl<M> Choice<M> {
    const fn blind(m: M) -> Self {
        Choice { m, estimate: None, value: None }
    }

    /// Returns whether the move is proved to be best, not only estimated.
    pub const fn exact(&self) -> bool {
        self.value.is_some()
    }

    /// Returns the expected result for the player to move, from -1 for a loss to 1 for a win.
    pub fn expected(&self) -> Option<f64> {
        let proved = self.value.map(|value| value.signum().into());
        proved.or(self.estimate.map(|estimate| estimate.expected()))
    }

    fn of_analysis(analysis: Analysis<M>) -> Option<Self> {
        let line = analysis.lines.into_iter().next()?;
        Some(Choice { m: line.moves.into_iter().next()?, estimate: Some(line.estimate), value: line.value })
    }
}

impl Bot {
    /// The names that can be parsed, for error messages and help.
    pub const NAMES: &'static str = "random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, \
        alphabeta:depth=8, alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10";

    /// One of each, with the default budgets.
    pub const ALL: [Bot; 6] = [
        Bot::Random,
        Bot::Myopic,
        Bot::Mcts(1000),
        Bot::Perfect(2_000_000),
        Bot::AlphaBeta(Effort::Nodes(100_000)),
        Bot::Level(Level(5)),
    ];

    /// The perfect player searches a position that it has solved for 1/`RANKING` of the nodes, to choose among moves
    /// that are equally good.
    const RANKING: u64 = 32;

    const fn name(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Myopic => "myopic",
            Bot::Mcts(_) => "mcts",
            Bot::Perfect(_) => "perfect",
            Bot::AlphaBeta(_) => "alphabeta",
            Bot::Level(_) => "level",
        }
    }

    /// Chooses a move, or `None` when the game is over.
    pub fn choose<P: Engine>(self, position: &P, rng: &mut Rng) -> Option<P::Move> {
        self.choose_watched(position, rng, &|| ControlFlow::Continue(()))
    }

    /// Like [`choose`](Bot::choose), but can be cut short by a callback that is called now and then.
    pub fn choose_watched<P: Engine>(self, position: &P, rng: &mut Rng, watch: Watch<'_>) -> Option<P::Move> {
        self.think(position, rng, &Memory::default(), watch).map(|choice| choice.m)
    }

    /// Like [`choose_watched`](Bot::choose_watched), with a memory for the whole game, and also returns what the player
    /// thinks of the move.
    pub fn think<P: Engine>(
        self,
        position: &P,
        rng: &mut Rng,
        memory: &Memory,
        watch: Watch<'_>,
    ) -> Option<Choice<P::Move>> {
        match self {
            Bot::Random => position.moves().choose(rng).map(Choice::blind),
            Bot::Myopic => {
                let Prospects { wins, safe } = Prospects::of(position, watch);
                let m = pick(&wins, rng).or_else(|| pick(&safe, rng));
                m.or_else(|| position.moves().choose(rng)).map(Choice::blind)
            }
            Bot::Mcts(simulations) => {
                let watch = |_| watch();
                let options = TreeOptions {
                    simulations,
                    seed: rng.next_u64(),
                    watch: Some(&watch),
                    ..TreeOptions::default()
                };
                if_found(mcts(position, &options)).map(|tree| {
                    let best = tree.best();
                    let estimate = Some(Estimate::of_expected(best.value));
                    // A draw is not best as long as another move may win.
                    let all_proved = || tree.branches.iter().all(|branch| branch.proven.is_some());
                    let is_best = |value: &i32| !P::COUNTS_SQUARES && (*value == 1 || all_proved());
                    Choice { m: best.m.clone(), estimate, value: best.proven.filter(is_best) }
                })
            }
            Bot::Perfect(nodes) => {
                let stopped = AtomicBool::new(false);
                let watch_progress = |_: &Progress| {
                    let stops = stopped.load(Ordering::Relaxed) || watch().is_break();
                    stopped.store(stops, Ordering::Relaxed);
                    if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let options = SolveOptions {
                    node_limit: Some(nodes),
                    watch: Some(&watch_progress),
                    ..SolveOptions::default()
                };
                // A position that cannot be solved at all, as in an endless game, is treated like one that takes too
                // long.
                let solution = if_found(position.solve(&options));
                let stopped = stopped.load(Ordering::Relaxed);
                // The value may be known even if not every best move was found in time. A player that is stopped has
                // no time for anything better.
                let known = solution.filter(|solution| stopped || solution.lower == solution.upper);
                let best = known.and_then(|known| {
                    let value = (known.lower == known.upper).then_some(known.value);
                    let estimate = Some(Estimate::certain(known.value, P::COUNTS_SQUARES));
                    let m = match position.max_score() {
                        1 if !stopped => {
                            let nodes = (nodes / Self::RANKING).min(MOST_RANKING);
                            let known = (known.value, known.best_moves);
                            hardest(position, known, nodes, memory, &watch_progress)?
                        }
                        _ => pick(&known.best_moves, rng)?,
                    };
                    Some(Choice { m, estimate: estimate.filter(|_| value.is_some()), value })
                });
                best.or_else(|| match stopped {
                    true => Bot::Random.think(position, rng, memory, watch),
                    false => Bot::AlphaBeta(Effort::Nodes(nodes)).think(position, rng, memory, watch),
                })
            }
            Bot::AlphaBeta(effort) => {
                let watch = |_: &Progress| watch();
                let options =
                    AnalysisOptions { memory: Some(memory), watch: Some(&watch), ..effort.options() };
                match position.analyse(&options) {
                    Ok(analysis) => Choice::of_analysis(analysis),
                    Err(SolveError::Over) => None,
                    Err(SolveError::Memory(error)) => error.raise(),
                    Err(_) => {
                        let m = position.moves().choose(rng)?;
                        Some(Choice { m, estimate: Some(position.estimate()), value: None })
                    }
                }
            }
            Bot::Level(level) => {
                let Strength { nodes, mistakes } = P::LEVELS[usize::from(level.0) - 1];
                if rng.below(1000) < mistakes {
                    let m = position.moves().choose(rng)?;
                    return Some(Choice { m, estimate: Some(position.estimate()), value: None });
                }
                Bot::AlphaBeta(Effort::Nodes(nodes)).think(position, rng, memory, watch)
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
        winning_moves(position).for_each(|m| push("a list of moves", &mut self.wins, m));
        if self.wins.is_empty() {
            let safe = |m: &M| {
                let next = position.after_unchecked(m.clone());
                next.turn() == position.turn() || winning_moves(&next).next().is_none()
            };
            position.moves().filter(safe).for_each(|m| push("a list of moves", &mut self.safe, m));
        }
    }
}

/// Returns a result if there is one. Lack of memory is none that a player could do something about.
fn if_found<T>(result: Result<T, SolveError>) -> Option<T> {
    result
        .map_err(|error| {
            if let SolveError::Memory(error) = error {
                error.raise()
            }
        })
        .ok()
}

fn pick<M: Clone>(moves: &[M], rng: &mut Rng) -> Option<M> {
    if moves.is_empty() { None } else { Some(moves[rng.below(moves.len())].clone()) }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Depth(depth) => write!(f, "depth={depth}"),
            Effort::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Effort::Time(time) => write!(f, "time={}", time.as_secs_f64()),
        }
    }
}

impl fmt::Display for Bot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Bot::Random | Bot::Myopic => Ok(()),
            Bot::Mcts(budget) | Bot::Perfect(budget) => write!(f, ":{budget}"),
            Bot::AlphaBeta(effort) => write!(f, ":{effort}"),
            Bot::Level(level) => write!(f, ":{}", level.0),
        }
    }
}

impl FromStr for Bot {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new("player", text, Bot::NAMES);
        let (name, budget) = text.split_once(':').map_or((text, None), |(name, budget)| (name, Some(budget)));
        let bot = Bot::ALL.into_iter().find(|bot| bot.name() == name).ok_or_else(error)?;
        let Some(budget) = budget else { return Ok(bot) };
        let read = || match bot {
            Bot::Random | Bot::Myopic => None,
            Bot::Mcts(_) => read_budget(budget).map(Bot::Mcts),
            Bot::Perfect(_) => read_budget(budget).map(Bot::Perfect),
            Bot::AlphaBeta(_) => read_effort(budget).map(Bot::AlphaBeta),
            Bot::Level(_) => Level::new(read_budget(budget)?.try_into().ok()?).map(Bot::Level),
        };
        read().ok_or_else(error)
    }
}

/// Parses a number of at least 1, in digits only.
fn read_budget(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number > 0 && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

fn read_effort(text: &str) -> Option<Effort> {
    match text.split_once('=')? {
        ("depth", depth) => Some(Effort::Depth(read_budget(depth)?.try_into().ok()?)),
        ("nodes", nodes) => Some(Effort::Nodes(read_budget(nodes)?)),
        ("time", seconds) => {
            let plain = seconds.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let seconds: f64 = seconds.parse().ok().filter(|_| plain)?;
            Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).map(Effort::Time)
        }
        _ => None,
    }
}
