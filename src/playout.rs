//! Random play to the end of the game.

use std::ops::{Add, AddAssign, Range};

#[cfg(target_arch = "x86_64")]
use crate::cpu::V3;
use crate::cpu::{Cpu, Operation, Portable};
use crate::moves::Moves;
use crate::position::{Outcome, Player, Position};
use crate::random::Rng;

/// How a number of games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Games won by each player, the first to move first.
    pub wins: [u64; 2],
    /// Games that nobody won.
    pub draws: u64,
    /// Moves played in all games together.
    pub plies: u64,
}

impl Tally {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Counts one more game.
    #[inline]
    pub fn record(&mut self, outcome: Outcome, plies: u64) {
        // Sums rather than branches: the ends of random games are beyond a processor's guessing.
        self.wins[0] += u64::from(outcome == Outcome::Win(Player::First));
        self.wins[1] += u64::from(outcome == Outcome::Win(Player::Second));
        self.draws += u64::from(outcome == Outcome::Draw);
        self.plies += plies;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(mut self, other: Tally) -> Tally {
        self += other;
        self
    }
}

/// Plays one game out.
pub(crate) fn play_out<P: Position>(mut position: P, rng: &mut Rng) -> (Outcome, u64) {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return (outcome, plies);
        }
        if let Some(m) = position.moves().choose(rng) {
            position.play_unchecked(m);
        }
        plies += 1;
    }
}

/// Plays many games out with the processor's best instructions, in the way that serves every game.
pub(crate) fn play_out_many<P: Position>(start: &P, games: Range<u64>, seed: u64) -> Tally {
    if let Some(outcome) = start.outcome() {
        return already_over(outcome, games);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = V3::detect() {
        return cpu.run(SideBySide { play: Plain { cpu, start }, games, seed });
    }
    SideBySide { play: Plain { cpu: Portable, start }, games, seed }.run()
}

/// Counts games that end as they begin.
pub(crate) fn already_over(outcome: Outcome, games: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    games.for_each(|_| tally.record(outcome, 0));
    tally
}

/// A way to play random games from a position that is not over.
pub(crate) trait Play {
    /// The state of a game: the position, or whatever is faster.
    type Game;

    /// Returns a game at its start.
    fn start(&self) -> Self::Game;

    /// Plays one move, each legal one with the same chance, and returns the outcome if it ended the game.
    ///
    /// To be marked `#[inline(always)]`. All ways choose the same move for the same number: the n-th legal one.
    fn step(&self, game: &mut Self::Game, rng: &mut Rng) -> Option<Outcome>;
}

/// The way that serves every game.
struct Plain<'a, C, P> {
    cpu: C,
    start: &'a P,
}

impl<C: Cpu, P: Position> Play for Plain<'_, C, P> {
    type Game = P;

    fn start(&self) -> P {
        self.start.clone()
    }

    #[inline(always)]
    fn step(&self, position: &mut P, rng: &mut Rng) -> Option<Outcome> {
        if let Some(m) = position.moves().choose_on(self.cpu, rng) {
            position.play_unchecked(m);
        }
        // Most moves do not end the game, and this answers sooner than the outcome would.
        if position.is_over() { position.outcome() } else { None }
    }
}

/// Many games played out, each from its own stream of the seed, a few of them at a time.
///
/// A move waits for the one before it, but not for those of other games: a few games in turn keep the processor busy
/// where one would leave it idle most of the time.
pub(crate) struct SideBySide<Y> {
    pub(crate) play: Y,
    pub(crate) games: Range<u64>,
    pub(crate) seed: u64,
}

/// One of the games.
struct Lane<G> {
    game: G,
    rng: Rng,
    plies: u64,
}

/// How many there are at a time.
const LANES: usize = 4;

impl<Y: Play> Operation for SideBySide<Y> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let SideBySide { play, games, seed } = self;
        let mut tally = Tally::default();
        let mut waiting =
            games.map(|game| Lane { game: play.start(), rng: Rng::for_game(seed, game), plies: 0 });
        let mut lanes: Vec<Lane<Y::Game>> = waiting.by_ref().take(LANES).collect();
        while !lanes.is_empty() {
            let mut done = None;
            for (i, lane) in lanes.iter_mut().enumerate() {
                lane.plies += 1;
                if let Some(outcome) = play.step(&mut lane.game, &mut lane.rng) {
                    tally.record(outcome, lane.plies);
                    match waiting.next() {
                        Some(next) => *lane = next,
                        None => {
                            // The others take their step in the next round.
                            done = Some(i);
                            break;
                        }
                    }
                }
            }
            if let Some(i) = done {
                lanes.swap_remove(i);
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Quarto, Reversi, TicTac};

    /// The games of every processor are those of this one.
    #[test]
    fn portable_games_are_the_same() {
        fn check<P: Position>(start: &P) {
            let play = Plain { cpu: Portable, start };
            assert_eq!(SideBySide { play, games: 0..300, seed: 8 }.run(), start.playouts(0..300, 8));
        }
        check(&TicTac::default());
        check(&Reversi::default());
        check(&Quarto::default());
    }

    #[test]
    fn finished_games_are_counted_as_they_are() {
        let won: TicTac = "XXX/OO_/___ -".parse().unwrap();
        assert_eq!(won.playouts(0..7, 0), Tally { wins: [7, 0], draws: 0, plies: 0 });
        let over: Reversi = "DL/LD -".parse().unwrap();
        assert_eq!(over.playouts(0..7, 0), Tally { wins: [0, 0], draws: 7, plies: 0 });
    }
}
