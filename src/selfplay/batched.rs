//! Self-play with an evaluator of your own, a neural network say: many games side by side, so that one call of it judges
//! a position of each.
//!
//! Every game has its own search and its own random numbers. So it is the same game whichever are played beside it, as
//! long as the evaluator judges a position the same whichever are judged with it.

use std::ops::Range;

use super::{Form, GAMES, Games, Written};
use crate::cpu::{Cpu, Operation, Portable, on_best_cpu};
use crate::error::{ArgumentError, push, reserve};
use crate::observe::OnCpu;
use crate::position::{Outcome, Player};
use crate::random::Rng;
use crate::search::puct::{Puct, PuctOptions, check_results, write_leaves};
use crate::work::{Stopped, Watch, apart, is_large};

/// How games are played with an evaluator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchedOptions {
    /// The search for each move.
    pub search: PuctOptions,
    /// Game `i` of a seed is always the same.
    pub seed: u64,
    /// How freely the first moves are chosen: see [`Puct::choose`]. Later ones are the best.
    pub temperature: f64,
    /// How many moves of a game are chosen like that.
    pub temperature_plies: u64,
    /// A game is cut off after this many moves.
    pub max_plies: u64,
}

impl Default for BatchedOptions {
    fn default() -> Self {
        let search = PuctOptions::default();
        BatchedOptions { search, seed: 0, temperature: 1.0, temperature_plies: 16, max_plies: u64::MAX }
    }
}

impl BatchedOptions {
    /// Checks the ranges.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] that names the option which is out of range.
    pub fn check(&self) -> Result<(), ArgumentError> {
        self.search.check()?;
        check_temperature(self.temperature)
    }
}

/// Checks a temperature.
///
/// # Errors
///
/// An [`ArgumentError`] for one that is negative, or not a number.
pub fn check_temperature(temperature: f64) -> Result<(), ArgumentError> {
    if (0.0..=1e6).contains(&temperature) {
        return Ok(());
    }
    Err(ArgumentError::new("temperature", temperature, "0 to 1000000"))
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played<P> {
    /// Its number.
    pub number: u64,
    /// All positions, including the first and the last.
    pub positions: Vec<P>,
    /// The actions of the moves.
    pub actions: Vec<i32>,
    /// The search's value of the position before each move for the player to move, -1 to 1.
    pub values: Vec<f32>,
    /// The search's [policy](Puct::policy) before each move: a probability for each action of the game.
    pub policies: Vec<f32>,
    /// How it ended, or `None` if it was cut off.
    pub outcome: Option<Outcome>,
}

/// Games in progress, one beside the other.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::selfplay::batched::{Batched, BatchedOptions};
/// use petteia::{PuctOptions, TicTac};
///
/// let search = PuctOptions { simulations: 20, ..PuctOptions::default() };
/// let options = BatchedOptions { search, ..BatchedOptions::default() };
/// let mut games = Batched::new(options, 16, 0..40, |_| TicTac::default());
/// let mut played = Vec::new();
/// loop {
///     // A position of each game in progress.
///     let count = games.collect();
///     played.extend(games.finished());
///     if count == 0 {
///         break;
///     }
///     games.take(&vec![1.0; 9 * count], &vec![0.0; count])?;
/// }
/// assert_eq!(played.len(), 40);
/// # Ok::<(), petteia::ArgumentError>(())
/// ```
pub struct Batched<P: OnCpu, N, S> {
    options: BatchedOptions,
    /// The numbers of the games to come.
    numbers: N,
    /// Returns the start of a game.
    start: S,
    lanes: Vec<Lane<P>>,
    /// One that waits of each lane.
    leaves: Vec<P>,
    finished: Vec<Played<P>>,
}

/// A game in progress.
struct Lane<P: OnCpu> {
    search: Puct<P>,
    game: Played<P>,
}

impl<P: OnCpu, N: Iterator<Item = u64>, S: FnMut(u64) -> P> Batched<P, N, S> {
    /// Begins to play the games with the given numbers, at most so many at once, each from its own start.
    ///
    /// A start that is over makes a game without moves.
    pub fn new(
        options: BatchedOptions,
        at_once: usize,
        numbers: impl IntoIterator<IntoIter = N>,
        start: S,
    ) -> Self {
        let mut games = Batched {
            options,
            numbers: numbers.into_iter(),
            start,
            lanes: Vec::new(),
            leaves: Vec::new(),
            finished: Vec::new(),
        };
        while games.lanes.len() < at_once {
            let Some(game) = games.next_game() else { break };
            let rng = Rng::for_game(options.seed, game.number);
            // A game that is over has no search, and is not among those that `next_game` returns.
            let Ok(search) = Puct::new(game.positions[0].clone(), options.search, rng) else { break };
            push(GAMES, &mut games.lanes, Lane { search, game });
        }
        games
    }

    /// Plays on until every game waits for the evaluator, and returns how many there are: 0 when all are finished.
    ///
    /// Positions that wait since the last call are judged anew.
    pub fn collect(&mut self) -> usize {
        on_best_cpu!(cpu => cpu.run(Collect { cpu, games: self }));
        self.leaves.len()
    }

    /// Like [`collect`](Batched::collect), but a watcher is asked now and then whether to go on, where a single move can
    /// take long.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the watcher asked for it. The games in progress are then lost; those that are finished are not.
    pub fn collect_watched(&mut self, watch: Watch<'_>) -> Result<usize, Stopped>
    where
        P: Send,
        N: Send,
        S: Send,
    {
        if !self.lanes.iter().any(|lane| is_large(lane.search.root().heap_bytes())) {
            return Ok(self.collect());
        }
        apart(watch, || self.collect()).inspect_err(|_| self.lanes.clear())
    }

    /// Returns the positions that wait for the evaluator; none of them is over.
    pub fn leaves(&self) -> &[P] {
        &self.leaves
    }

    /// Writes the observations and the masks of the leaves, as the evaluator sees them, one after another.
    ///
    /// # Panics
    ///
    /// If there is not exactly as much room.
    pub fn write(&self, observations: &mut [u8], masks: &mut [u8]) {
        write_leaves(&self.leaves, observations, masks);
    }

    /// Takes what the evaluator says of the leaves, as [`Puct::take`].
    ///
    /// # Errors
    ///
    /// As for [`check_results`].
    pub fn take(&mut self, priors: &[f32], values: &[f32]) -> Result<(), ArgumentError> {
        let Some(first) = self.leaves.first() else { return check_results(0, 0, priors, values) };
        let actions = first.num_actions();
        check_results(self.leaves.len(), actions, priors, values)?;
        for (at, (row, value)) in priors.chunks_exact(actions).zip(values).enumerate() {
            if let Some(next) = self.lanes.get(at + 1) {
                next.search.touch();
            }
            self.lanes[at].search.take_checked(row, std::slice::from_ref(value), actions);
        }
        self.leaves.clear();
        Ok(())
    }

    /// Returns the games that were finished since the last call, in the order in which they ended.
    pub fn finished(&mut self) -> Vec<Played<P>> {
        std::mem::take(&mut self.finished)
    }

    /// Begins the next game that is not over at once.
    fn next_game(&mut self) -> Option<Played<P>> {
        loop {
            let number = self.numbers.next()?;
            let start = (self.start)(number);
            let outcome = start.outcome();
            let (actions, values, policies) = (Vec::new(), Vec::new(), Vec::new());
            let game = Played { number, positions: vec![start], actions, values, policies, outcome };
            if outcome.is_none() && self.options.max_plies > 0 {
                return Some(game);
            }
            push(GAMES, &mut self.finished, game);
        }
    }

    #[inline(always)]
    fn collect_on(&mut self, cpu: impl Cpu) {
        self.leaves.clear();
        let mut at = 0;
        while at < self.lanes.len() {
            if let Some(next) = self.lanes.get(at + 1) {
                next.search.touch();
            }
            let lane = &mut self.lanes[at];
            if !lane.search.is_done() {
                lane.search.collect_on(cpu, 1);
                if let Some(leaf) = lane.search.leaves().first() {
                    push(GAMES, &mut self.leaves, leaf.clone());
                    at += 1;
                }
            } else if let Some(next) = lane.step(&self.options) {
                lane.search.restart(next);
            } else {
                // The next game takes the place of this one, which others see from the end of it alone.
                match self.next_game() {
                    Some(next) => {
                        let lane = &mut self.lanes[at];
                        lane.search.restart(next.positions[0].clone());
                        lane.search.seed(Rng::for_game(self.options.seed, next.number));
                        push(GAMES, &mut self.finished, std::mem::replace(&mut lane.game, next));
                    }
                    None => {
                        let done = self.lanes.remove(at);
                        push(GAMES, &mut self.finished, done.game);
                    }
                }
            }
        }
    }
}

impl<P: OnCpu> Lane<P> {
    /// Plays a move, and returns the position after it unless the game has ended with it.
    fn step(&mut self, options: &BatchedOptions) -> Option<P> {
        let Lane { search, game } = self;
        let ply = game.actions.len() as u64;
        let temperature = if ply < options.temperature_plies { options.temperature } else { 0.0 };
        let (tree, policy) = (search.tree(), search.policy());
        let chosen = search.choose(temperature);
        let position = search.root();
        let actions = position.num_actions();
        let row = game.policies.len();
        reserve(GAMES, &mut game.policies, actions);
        game.policies.resize(row + actions, 0.0);
        for (branch, share) in tree.branches.iter().zip(policy) {
            game.policies[row + position.action_of_legal(&branch.m)] = share as f32;
        }
        let m = tree.branches[chosen].m.clone();
        push(GAMES, &mut game.values, tree.value() as f32);
        push(GAMES, &mut game.actions, position.action_of_legal(&m) as i32);
        let next = position.after_unchecked(m);
        push(GAMES, &mut game.positions, next.clone());
        game.outcome = next.outcome();
        (game.outcome.is_none() && ply + 1 < options.max_plies).then_some(next)
    }
}

struct Collect<'a, C, P: OnCpu, N, S> {
    cpu: C,
    games: &'a mut Batched<P, N, S>,
}

impl<C: Cpu, P: OnCpu, N: Iterator<Item = u64>, S: FnMut(u64) -> P> Operation for Collect<'_, C, P, N, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.games.collect_on(self.cpu);
    }
}

impl Games {
    /// Appends a game, with the positions in the given form.
    pub fn push<P: OnCpu>(&mut self, form: Option<Form>, game: &Played<P>) {
        if self.ends.is_empty() {
            self.clear(form);
        }
        let mut written = Written::new(form);
        game.positions.iter().for_each(|position| written.write(Portable, position));
        self.end(&mut written, game.outcome);
        extend(&mut self.actions, &game.actions);
        extend(&mut self.values, &game.values);
        extend(&mut self.policies, &game.policies);
        push(GAMES, &mut self.ends, self.actions.len() as i64);
    }
}

/// Played games as a learner wants them: the positions before all moves, one after another, with what is to be learned
/// of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lessons {
    /// The [planes](crate::Observe::write_planes) of each position.
    pub observations: Vec<u8>,
    /// The legal actions of each position, as ones.
    pub masks: Vec<u8>,
    /// The search's policy, a probability for each action.
    pub policies: Vec<f32>,
    /// The search's value for the player to move.
    pub values: Vec<f32>,
    /// How the game ended for the player to move: 1, 0 or -1; 0 if it was cut off.
    pub outcomes: Vec<i8>,
    /// Whether the game was cut off.
    pub truncated: Vec<u8>,
    /// The action that was played.
    pub actions: Vec<i32>,
    /// The player to move, 0 or 1.
    pub turns: Vec<i8>,
    /// The number of the game.
    pub games: Vec<i64>,
}

impl Lessons {
    /// Appends a game.
    pub fn push<P: OnCpu>(&mut self, game: &Played<P>) {
        let plies = game.actions.len();
        let positions = &game.positions[..plies];
        let Some(first) = positions.first() else { return };
        let planes = room(&mut self.observations, plies * first.observation_len());
        let masks = room(&mut self.masks, plies * first.num_actions());
        let (observations, masks) = (&mut self.observations[planes], &mut self.masks[masks]);
        write_leaves(positions, observations, masks);
        extend(&mut self.policies, &game.policies);
        extend(&mut self.values, &game.values);
        extend(&mut self.actions, &game.actions);
        for position in positions {
            let turn = position.turn().unwrap_or(Player::First);
            let outcome = match game.outcome {
                Some(Outcome::Win(winner)) if winner == turn => 1,
                Some(Outcome::Win(_)) => -1,
                Some(Outcome::Draw) | None => 0,
            };
            push(GAMES, &mut self.outcomes, outcome);
            push(GAMES, &mut self.truncated, u8::from(game.outcome.is_none()));
            push(GAMES, &mut self.turns, turn.index() as i8);
            push(GAMES, &mut self.games, game.number as i64);
        }
    }
}

/// Makes room for more bytes at the end, and returns where it is.
fn room(bytes: &mut Vec<u8>, more: usize) -> Range<usize> {
    let begin = bytes.len();
    reserve(GAMES, bytes, more);
    bytes.resize(begin + more, 0);
    begin..begin + more
}

fn extend<T: Copy>(list: &mut Vec<T>, more: &[T]) {
    reserve(GAMES, list, more.len());
    list.extend_from_slice(more);
}
