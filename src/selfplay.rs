//! Whole games that a computer player plays with itself, by the million.

use std::ops::{ControlFlow, Range};

#[cfg(target_arch = "x86_64")]
use crate::cpu::V3;
use crate::cpu::{Cpu, Operation, Portable};
use crate::{Bot, Observe, Outcome, Player, Rng};

/// How the positions of played games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As [`push_cells`](Observe::push_cells) does, with the players to move beside them: all positions of a game have as
    /// many bytes.
    Cells,
    /// As [`text`](crate::Position::text) does.
    Text,
}

/// How games are played and what is written down of them.
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
    /// Who plays.
    pub bot: Bot,
    /// Game `i` of a seed is always the same; that of the random player is game `i` of
    /// [`playouts`](crate::Position::playouts).
    pub seed: u64,
    /// A game is stopped after so many moves.
    pub max_plies: u64,
    /// How the positions are written, if they are.
    pub positions: Option<Form>,
    /// Called now and then. When it says so, the games being played are the last ones, and are stopped too.
    pub watch: &'a (dyn Fn() -> ControlFlow<()> + Sync),
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

/// Played games, as the columns of a table. A list of lists is one array of all their items, and where each of them ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    /// Where each game's moves end, after a 0; its positions, one more, end so much later.
    pub ends: Vec<i64>,
    /// The actions of the moves.
    pub actions: Vec<i32>,
    /// What the player thought each position is worth to the one to move, -1 to 1; empty if the player does not think.
    pub values: Vec<f32>,
    /// For the first player: 1, 0 or -1; 2 for a game that was not played to its end.
    pub outcomes: Vec<i8>,
    /// The positions, the first and the last of each game among them.
    pub positions: Vec<u8>,
    /// Who is to move in each position, 0 or 1, or -1 when the game is over; empty if they are not written as cells.
    pub turns: Vec<i8>,
    /// Where each position's text ends, after a 0; empty if they are not texts.
    pub text_ends: Vec<i64>,
}

impl Games {
    fn clear(&mut self, form: Option<Form>) {
        let Games { ends, actions, values, outcomes, positions, turns, text_ends } = self;
        ends.clear();
        actions.clear();
        values.clear();
        outcomes.clear();
        positions.clear();
        turns.clear();
        text_ends.clear();
        ends.push(0);
        text_ends.extend((form == Some(Form::Text)).then_some(0));
    }
}

/// How many moves of a lane are played between two looks at the watch: a few milliseconds of random games. Whoever thinks
/// looks at it meanwhile.
const fn plies_a_look(bot: Bot) -> u64 {
    match bot {
        Bot::Random => 1 << 16,
        _ => 1 << 4,
    }
}

impl Selfplay<'_> {
    /// Plays the games of a range of numbers.
    pub fn play<P: Observe>(&self, start: &P, games: Range<u64>) -> Games {
        let mut played = Games::default();
        self.play_into(start, games, &mut played);
        played
    }

    /// Plays the games of a range of numbers into the memory of others, which are gone then.
    pub fn play_into<P: Observe>(&self, start: &P, games: Range<u64>, played: &mut Games) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = V3::detect() {
            return cpu.run(Task { cpu, selfplay: self, start, games, played });
        }
        Task { cpu: Portable, selfplay: self, start, games, played }.run();
    }
}

struct Task<'a, C, P> {
    cpu: C,
    selfplay: &'a Selfplay<'a>,
    start: &'a P,
    games: Range<u64>,
    played: &'a mut Games,
}

/// How many games are played in turn, as those of playouts are: a move waits for the one before it, not for other games'.
const LANES: u64 = 4;

impl<C: Cpu, P: Observe> Operation for Task<'_, C, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Task { cpu, selfplay, start, games, played } = self;
        played.clear(selfplay.positions);
        let mut lanes: Vec<Lane<P>> =
            games.clone().take(LANES as usize).map(|_| Lane::new(start, selfplay)).collect();
        let mut plies = 0u64;
        let mut stopped = false;
        for first in games.clone().step_by(LANES as usize) {
            let numbers = first..games.end.min(first.saturating_add(LANES));
            let lanes = &mut lanes[..(numbers.end - first) as usize];
            for (lane, game) in lanes.iter_mut().zip(numbers) {
                lane.restart(start, Rng::for_game(selfplay.seed, game));
            }
            let mut going = true;
            while going && !stopped {
                going = false;
                for lane in lanes.iter_mut() {
                    going |= lane.step(cpu, selfplay);
                }
                plies += 1;
                stopped = plies % plies_a_look(selfplay.bot) == 0 && (selfplay.watch)().is_break();
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

/// One of the games being played, and what is written down of it.
struct Lane<P> {
    position: P,
    rng: Rng,
    actions: Vec<i32>,
    values: Vec<f32>,
    positions: Written,
}

impl<P: Observe> Lane<P> {
    fn new(start: &P, selfplay: &Selfplay<'_>) -> Self {
        Lane {
            position: start.clone(),
            rng: Rng::new(0),
            actions: Vec::new(),
            values: Vec::new(),
            positions: match selfplay.positions {
                None => Written::Nothing,
                Some(Form::Cells) => Written::Cells(Vec::new(), Vec::new()),
                Some(Form::Text) => Written::Text(String::new(), Vec::new()),
            },
        }
    }

    fn restart(&mut self, start: &P, rng: Rng) {
        self.position.clone_from(start);
        self.rng = rng;
    }

    /// Plays a move, unless the game is over or long enough; returns whether one was played.
    #[inline(always)]
    fn step(&mut self, cpu: impl Cpu, selfplay: &Selfplay<'_>) -> bool {
        let Lane { position, rng, actions, values, positions } = self;
        if actions.len() as u64 >= selfplay.max_plies {
            return false;
        }
        let chosen = match selfplay.bot {
            Bot::Random => position.choose_on(cpu, rng).map(|action| (action, None)),
            // Every legal move has an action.
            bot => bot
                .judge(position, rng, selfplay.watch)
                .map(|(m, value)| (position.action(m).unwrap_or_default(), value)),
        };
        let Some((action, value)) = chosen else { return false };
        let Some(m) = position.move_of(action) else { return false };
        positions.write(cpu, position);
        actions.push(action as i32);
        values.extend(value.map(|value| value as f32));
        position.play_on(cpu, m);
        true
    }

    /// Adds the game to the others, and makes room for the next one.
    fn end(&mut self, games: &mut Games) {
        self.positions.write(Portable, &self.position);
        self.positions.move_to(games);
        games.actions.append(&mut self.actions);
        games.values.append(&mut self.values);
        games.ends.push(games.actions.len() as i64);
        games.outcomes.push(match self.position.outcome() {
            Some(Outcome::Win(Player::First)) => 1,
            Some(Outcome::Win(Player::Second)) => -1,
            Some(Outcome::Draw) => 0,
            None => 2,
        });
    }
}

/// Positions as they are written, one after another.
enum Written {
    Nothing,
    /// Cells, and who is to move.
    Cells(Vec<u8>, Vec<i8>),
    /// Texts, and where each of them ends.
    Text(String, Vec<i64>),
}

impl Written {
    #[inline(always)]
    fn write<P: Observe>(&mut self, cpu: impl Cpu, position: &P) {
        match self {
            Written::Nothing => {}
            Written::Cells(cells, turns) => {
                position.cells_on(cpu, cells);
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
    use crate::{Breakdown, Quarto, Reversi, Tally, TicTac};

    /// Reads played games back: every move is legal and leads to the next position, and the outcomes are those of playouts.
    fn check<P: Observe>(start: &P, unpack: impl Fn(&P, &[u8]) -> Vec<u8>) {
        let selfplay = Selfplay { seed: 5, positions: Some(Form::Cells), ..Selfplay::default() };
        let games = selfplay.play(start, 10..60);
        let mut portable = Games { values: vec![1.0], text_ends: vec![1], ..games.clone() };
        let played = &mut portable;
        Task { cpu: Portable, selfplay: &selfplay, start, games: 10..60, played }.run();
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
            assert_eq!(text, position.text());
            let mut expected = vec![0; position.shape().0 * position.shape().1];
            position.write_cells(&mut expected);
            assert_eq!(unpack(position, cells), expected, "{text}");
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

    /// Takes cells apart one by one.
    fn two_bits_each<P: Observe>(position: &P, bytes: &[u8]) -> Vec<u8> {
        let (rows, columns) = position.shape();
        assert_eq!(bytes.len(), (rows * columns).div_ceil(4));
        (0..rows * columns).map(|i| bytes[i / 4] >> (2 * (i % 4)) & 3).collect()
    }

    #[test]
    fn games_are_those_of_playouts_move_by_move() {
        check(&TicTac::default(), two_bits_each);
        check(&Breakdown::default(), two_bits_each);
        check(&Breakdown::new(70, 3, 30, 2).unwrap(), two_bits_each);
        check(&Quarto::default(), |position, bytes| {
            assert_eq!(bytes[16], position.hand().map_or(u8::MAX, |piece| piece.index() as u8));
            bytes[..16].to_vec()
        });
        for (width, height) in [(8, 8), (8, 5), (5, 8), (2, 2)] {
            check(&Reversi::new(width, height).unwrap(), two_bits_each);
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
