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
        Plain(Portable).play(&mut position, rng);
        plies += 1;
    }
}

/// Plays many games out, each from its own stream of the seed, with the processor's best instructions.
pub(crate) fn play_out_many<P: Position>(start: &P, games: Range<u64>, seed: u64) -> Tally {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = V3::detect() {
        return cpu.run(SideBySide { start, games, seed, step: Plain(cpu) });
    }
    Portable.run(SideBySide { start, games, seed, step: Plain(Portable) })
}

/// A way to play one random move of a game that is not over.
pub(crate) trait Step<P> {
    fn play(&self, position: &mut P, rng: &mut Rng);
}

/// The step that serves every game.
struct Plain<C>(C);

impl<C: Cpu, P: Position> Step<P> for Plain<C> {
    #[inline(always)]
    fn play(&self, position: &mut P, rng: &mut Rng) {
        if let Some(m) = position.moves().choose_on(self.0, rng) {
            position.play_unchecked(m);
        }
    }
}

/// Many games played out, a few of them at a time.
///
/// A move waits for the one before it, but not for those of other games: a few games in turn keep the processor busy
/// where one would leave it idle most of the time.
pub(crate) struct SideBySide<'a, P, S> {
    pub(crate) start: &'a P,
    pub(crate) games: Range<u64>,
    pub(crate) seed: u64,
    pub(crate) step: S,
}

/// One of the games.
struct Lane<P> {
    position: P,
    rng: Rng,
    plies: u64,
}

/// How many there are at a time.
const LANES: usize = 4;

impl<P: Position, S: Step<P>> Operation for SideBySide<'_, P, S> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let mut tally = Tally::default();
        let mut waiting = self.games.map(|game| Lane {
            position: self.start.clone(),
            rng: Rng::for_game(self.seed, game),
            plies: 0,
        });
        let mut lanes: Vec<Lane<P>> = waiting.by_ref().take(LANES).collect();
        while !lanes.is_empty() {
            let mut i = 0;
            while i < lanes.len() {
                let lane = &mut lanes[i];
                if !lane.position.is_over() {
                    self.step.play(&mut lane.position, &mut lane.rng);
                    lane.plies += 1;
                    i += 1;
                } else if let Some(outcome) = lane.position.outcome() {
                    tally.record(outcome, lane.plies);
                    match waiting.next() {
                        Some(next) => *lane = next,
                        None => drop(lanes.swap_remove(i)),
                    }
                }
            }
        }
        tally
    }
}
