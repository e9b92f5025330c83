//! Self-play: whole games of a computer player against itself, by the million.

pub mod batched;

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};

use crate::bots::Bot;
use crate::cpu::{Cpu, Operation, Portable, on_best_cpu};
use crate::engine::Engine;
use crate::error::{push, reserve};
use crate::observe::OnCpu;
use crate::position::{Outcome, Player};
use crate::random::Rng;
use crate::search::Memory;
use crate::starts::Start;
use crate::work::{Rhythm, Stopped, Terms, Watch, interruptible, is_large, share};

/// How the positions of played games are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As by [`push_cells`](crate::Observe::push_cells), with the players to move in [`Games::turns`]: all positions of
    /// a game have the same length.
    Cells,
    /// As by `to_string`.
    Text,
}

/// How games are played and what is recorded.
///
/// ```
/// use petteia::selfplay::{Form, Selfplay};
/// use petteia::{Bot, TicTac};
///
/// let selfplay = Selfplay { bot: Bot::Random, seed: 7, positions: Some(Form::Text), ..Selfplay::default() };
/// let games = selfplay.play(&TicTac::default(), 0..100);
/// assert_eq!(games.outcomes.len(), 100);
/// assert!(games.positions.starts_with(b"___/___/___ X"));
/// ```
#[derive(Clone, Copy)]
pub struct Selfplay<'a> {
    /// The player.
    pub bot: Bot,
    /// Game `i` of a seed is always the same; for the random player it is game `i` of [`playouts`](Engine::playouts).
    pub seed: u64,
    /// A game is cut off after this many moves.
    pub max_plies: u64,
    /// How positions are encoded, if they are recorded.
    pub positions: Option<Form>,
    /// Called now and then; can stop the work, which cuts off the games in progress.
    pub watch: Watch<'a>,
}

impl Default for Selfplay<'_> {
    /// Random games to their end, without their positions.
    fn default() -> Self {
        Selfplay {
            bot: Bot::Random,
            seed: 0,
            max_plies: u64::MAX,
            positions: None,
            watch: &|| ControlFlow::Continue(()),
        }
    }
}

/// Played games, as the columns of a table. Lists of lists are stored as one array of all items, and the end of each
/// list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    /// A 0, then where each game's moves end. Since a game has one more position than moves, positions of game `i` end
    /// `i + 1` later.
    pub ends: Vec<i64>,
    /// The actions of the moves.
    pub actions: Vec<i32>,
    /// The player's evaluation of each position for the side to move, -1 to 1; empty if the player does not search.
    pub values: Vec<f32>,
    /// The policy before each move, a probability for each action of the game; empty without an
    /// [evaluator](batched).
    pub policies: Vec<f32>,
    /// The result for the first player: 1, 0 or -1; 2 for a game that was cut off.
    pub outcomes: Vec<i8>,
    /// The positions, including the first and the last of each game.
    pub positions: Vec<u8>,
    /// The player to move in each position, 0 or 1, or -1 when the game is over; empty unless positions are cells.
    pub turns: Vec<i8>,
    /// A 0, then where each position's text ends; empty unless positions are text.
    pub text_ends: Vec<i64>,
}

impl Games {
    fn clear(&mut self, form: Option<Form>) {
        let Games { ends, actions, values, policies, outcomes, positions, turns, text_ends } = self;
        ends.clear();
        actions.clear();
        values.clear();
        policies.clear();
        outcomes.clear();
        positions.clear();
        turns.clear();
        text_ends.clear();
        ends.push(0);
        text_ends.extend((form == Some(Form::Text)).then_some(0));
    }
}

impl Games {
    /// Appends the positions and the outcome of a game.
    fn end(&mut self, positions: &mut Written, outcome: Option<Outcome>) {
        positions.move_to(self);
        let outcome = match outcome {
            Some(Outcome::Win(Player::First)) => 1,
            Some(Outcome::Win(Player::Second)) => -1,
            Some(Outcome::Draw) => 0,
            None => 2,
        };
        push(GAMES, &mut self.outcomes, outcome);
    }
}

impl Selfplay<'_> {
    /// Plays the games with the given numbers, from a position or from one of several for each game.
    pub fn play<P: Engine + OnCpu>(&self, start: &impl Start<P>, games: Range<u64>) -> Games {
        let mut played = Games::default();
        self.play_into(start, games, &mut played);
        played
    }

    /// Plays the games with the given numbers, overwriting `played` to reuse its memory.
    pub fn play_into<P: Engine + OnCpu>(&self, start: &impl Start<P>, games: Range<u64>, played: &mut Games) {
        if !is_large(start.first().heap_bytes()) {
            return on_best_cpu!(cpu => cpu.run(Task { cpu, selfplay: self, start, games, played, position: PhantomData }));
        }
        // The calling thread watches: see `work`.
        let played = Mutex::new(played);
        let terms = Terms { threads: 1, watch: Some(self.watch), apart: true, deadline: None };
        let _ = share(terms, |_, pulse| {
            let watch = pulse.watcher();
            let selfplay = &Selfplay { watch: &watch, ..*self };
            let played = &mut **played.lock().unwrap_or_else(PoisonError::into_inner);
            Task { cpu: Portable, selfplay, start, games: games.clone(), played, position: PhantomData }
                .run();
            Ok(())
        });
    }
}

struct Task<'a, C, S, P> {
    cpu: C,
    selfplay: &'a Selfplay<'a>,
    start: &'a S,
    games: Range<u64>,
    played: &'a mut Games,
    position: PhantomData<P>,
}

/// How many games are interleaved, as in playouts: each move depends on the one before it, but not on other games.
const LANES: u64 = 4;

impl<C: Cpu, S: Start<P>, P: Engine + OnCpu> Operation for Task<'_, C, S, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Task { cpu, selfplay, start, games, played, .. } = self;
        played.clear(selfplay.positions);
        let large = is_large(start.first().heap_bytes());
        // Giving back the memory of many large boards would take longer than the work may be late.
        let at_once = if large { 1 } else { LANES };
        let mut lanes: Vec<Lane<P>> =
            games.clone().take(at_once as usize).map(|_| Lane::new(start.first(), selfplay)).collect();
        let mut rhythm = Rhythm::new();
        let mut stopped = false;
        for first in games.clone().step_by(at_once as usize) {
            let numbers = first..games.end.min(first.saturating_add(at_once));
            let lanes = &mut lanes[..(numbers.end - first) as usize];
            for (lane, game) in lanes.iter_mut().zip(numbers) {
                let start = start.of_game(selfplay.seed, game);
                lane.restart(start, Rng::for_game(selfplay.seed, game));
            }
            let mut going = true;
            while going && !stopped {
                going = false;
                for lane in lanes.iter_mut() {
                    match lane.step(cpu, selfplay, large) {
                        Ok(moved) => going |= moved,
                        Err(Stopped) => stopped = true,
                    }
                }
                stopped |= rhythm.is_time() && (selfplay.watch)().is_break();
            }
            for lane in lanes {
                lane.end(played);
            }
            if stopped {
                break;
            }
        }
    }
}

/// What errors call the games that there is no memory for.
const GAMES: &str = "games";

/// A game in progress, and its record.
struct Lane<P> {
    position: P,
    rng: Rng,
    /// What the player remembers of this game.
    memory: Memory,
    actions: Vec<i32>,
    values: Vec<f32>,
    positions: Written,
}

impl<P: Engine + OnCpu> Lane<P> {
    fn new(start: &P, selfplay: &Selfplay<'_>) -> Self {
        Lane {
            position: start.clone(),
            rng: Rng::new(0),
            memory: Memory::default(),
            actions: Vec::new(),
            values: Vec::new(),
            positions: Written::new(selfplay.positions),
        }
    }

    fn restart(&mut self, start: &P, rng: Rng) {
        self.position.clone_from(start);
        self.rng = rng;
        self.memory = Memory::default();
    }

    /// Plays a move unless the game is over or cut off; returns whether it did.
    #[inline(always)]
    fn step(&mut self, cpu: impl Cpu, selfplay: &Selfplay<'_>, large: bool) -> Result<bool, Stopped> {
        let Lane { position, rng, memory, actions, values, positions } = self;
        if actions.len() as u64 >= selfplay.max_plies {
            return Ok(false);
        }
        let mut choose = || match selfplay.bot {
            Bot::Random => position.choose_on(cpu, rng).map(|action| (action, None)),
            bot => bot
                .think(position, rng, memory, selfplay.watch)
                .map(|choice| (position.action_of_legal(&choice.m), choice.expected())),
        };
        let move_of = |action| position.move_of(action).expect("a chosen action has a move");
        // On a large board, a move is played on a copy, which can be dropped amid the operation.
        let (chosen, next) = if large {
            interruptible(|| {
                let chosen = choose();
                Ok((chosen, chosen.map(|(action, _)| position.after_unchecked(move_of(action)))))
            })?
        } else {
            (choose(), None)
        };
        let Some((action, value)) = chosen else { return Ok(false) };
        let m = move_of(action);
        positions.write(cpu, position);
        push(GAMES, actions, action as i32);
        if let Some(value) = value {
            push(GAMES, values, value as f32);
        }
        match next {
            Some(next) => *position = next,
            None => position.play_on(cpu, m),
        }
        Ok(true)
    }

    /// Appends the game to the played ones, and clears the record for the next.
    fn end(&mut self, games: &mut Games) {
        self.positions.write(Portable, &self.position);
        games.end(&mut self.positions, self.position.outcome());
        reserve(GAMES, &mut games.actions, self.actions.len());
        games.actions.append(&mut self.actions);
        reserve(GAMES, &mut games.values, self.values.len());
        games.values.append(&mut self.values);
        push(GAMES, &mut games.ends, games.actions.len() as i64);
    }
}

/// Encoded positions, one after another.
enum Written {
    Nothing,
    /// Cells, and the players to move.
    Cells(Vec<u8>, Vec<i8>),
    /// Texts, and where each ends.
    Text(String, Vec<i64>),
}

impl Written {
    fn new(form: Option<Form>) -> Self {
        match form {
            None => Written::Nothing,
            Some(Form::Cells) => Written::Cells(Vec::new(), Vec::new()),
            Some(Form::Text) => Written::Text(String::new(), Vec::new()),
        }
    }

    #[inline(always)]
    fn write<P: OnCpu>(&mut self, cpu: impl Cpu, position: &P) {
        match self {
            Written::Nothing => {}
            Written::Cells(cells, turns) => {
                position.push_cells_on(cpu, cells);
                turns.push(position.turn().map_or(-1, |player| player.index() as i8));
            }
            Written::Text(texts, ends) => {
                position.push_text(texts);
                ends.push(texts.len() as i64);
            }
        }
    }

    fn move_to(&mut self, games: &mut Games) {
        let before = games.positions.len() as i64;
        match self {
            Written::Nothing => {}
            Written::Cells(cells, turns) => {
                games.positions.append(cells);
                games.turns.append(turns);
            }
            Written::Text(texts, ends) => {
                games.positions.extend_from_slice(texts.as_bytes());
                games.text_ends.extend(ends.drain(..).map(|end| before + end));
                texts.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Breakdown, Reversi, Tally};

    /// Replays the games: every move is legal and leads to the next position, and the outcomes are those of playouts.
    fn check<P: Engine + OnCpu>(start: &P) {
        let selfplay = Selfplay { seed: 5, positions: Some(Form::Cells), ..Selfplay::default() };
        let games = selfplay.play(start, 10..60);
        let mut portable = Games { values: vec![1.0], text_ends: vec![1], ..games.clone() };
        let played = &mut portable;
        let games_of = 10..60;
        Task { cpu: Portable, selfplay: &selfplay, start, games: games_of, played, position: PhantomData }
            .run();
        assert_eq!(games, portable);
        let written = Selfplay { positions: Some(Form::Text), ..selfplay }.play(start, 10..60);
        assert_eq!(written.actions, games.actions);
        let texts = written
            .text_ends
            .windows(2)
            .map(|ends| std::str::from_utf8(&written.positions[ends[0] as usize..ends[1] as usize]).unwrap());
        let length = games.positions.len() / games.turns.len();
        let mut positions = games.positions.chunks_exact(length).zip(&games.turns).zip(texts);
        let mut see = |position: &P| {
            let ((cells, turn), text) = positions.next().unwrap();
            assert_eq!(text, position.to_string());
            let mut expected = Vec::new();
            position.push_cells(&mut expected);
            assert_eq!(cells, expected, "{text}");
            assert_eq!(*turn, position.turn().map_or(-1, |player| player.index() as i8));
        };
        let mut tally = Tally::default();
        for (ends, outcome) in games.ends.windows(2).zip(&games.outcomes) {
            let actions = &games.actions[ends[0] as usize..ends[1] as usize];
            let mut position = start.clone();
            for &action in actions {
                see(&position);
                position.play(position.move_of(action as usize).unwrap()).unwrap();
            }
            see(&position);
            assert_eq!(i32::from(*outcome), position.score(false).unwrap().signum());
            tally.record(position.outcome().unwrap(), actions.len() as u64);
        }
        assert!(positions.next().is_none());
        assert_eq!(tally, start.playouts(10..60, 5));
    }

    #[test]
    fn games_are_those_of_playouts_move_by_move() {
        macro_rules! check_all {
            ([$($game:ident)*]) => {
                $(check(&crate::$game::default());)*
            };
        }
        crate::games!([check_all]);
        check(&Breakdown::new(70, 3, 30, 2).unwrap());
        for (width, height) in [(8, 5), (5, 8), (2, 2)] {
            check(&Reversi::new(width, height).unwrap());
        }
    }

    #[test]
    fn long_games_and_stopped_ones_are_cut() {
        let start = Reversi::default();
        let short = Selfplay { max_plies: 7, ..Selfplay::default() }.play(&start, 0..3);
        assert_eq!((short.ends, short.outcomes), (vec![0, 7, 14, 21], vec![2, 2, 2]));
        let stop = || ControlFlow::Break(());
        let stopped = Selfplay { bot: Bot::Mcts(10), watch: &stop, ..Selfplay::default() }.play(&start, 0..3);
        assert_eq!(stopped.outcomes, [2, 2, 2]);
        assert!(stopped.actions.len() <= 3 * 16);
        assert_eq!(stopped.values.len(), stopped.actions.len());
    }
}
