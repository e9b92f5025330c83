//! One game of a batch, and its slices of the arrays.

use super::Arrays;
use crate::cpu::Cpu;
use crate::observe::OnCpu;
use crate::playout::Tally;
use crate::position::{Outcome, Player};
use crate::random::Rng;

/// A game, and its random stream.
#[derive(Clone)]
pub(super) struct Lane<P> {
    pub(super) position: P,
    pub(super) stream: Rng,
    /// Whether the player to move lost by an illegal action. Only games in progress can be forfeited.
    pub(super) forfeited: bool,
}

/// Returns the move of an action from the caller, which may be any number.
#[inline(always)]
pub(super) fn move_of<P: OnCpu>(position: &P, action: i64) -> Option<P::Move> {
    usize::try_from(action).ok().and_then(|action| position.move_of(action))
}

impl<P: OnCpu> Lane<P> {
    pub(super) fn new(start: &P) -> Self {
        Lane { position: start.clone(), stream: Rng::new(0), forfeited: false }
    }

    pub(super) fn restart(&mut self, start: &P) {
        self.position.clone_from(start);
        self.forfeited = false;
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.forfeited || self.position.is_over()
    }

    /// Returns the move of an action if it is legal.
    #[inline(always)]
    fn legal(&self, action: i64) -> Option<P::Move> {
        usize::try_from(action).ok().and_then(|action| self.position.legal_move(action))
    }

    /// Returns whether a step accepts an action: a legal one, or any if the game is over.
    #[inline(always)]
    pub(super) fn accepts(&self, action: i64) -> bool {
        self.legal(action).is_some() || self.is_over()
    }

    /// Plays an action, which may have been checked already, or starts a new game if this one is over.
    #[inline(always)]
    pub(super) fn step(&mut self, cpu: impl Cpu, start: &P, action: i64, checked: bool) {
        if self.is_over() {
            return self.restart(start);
        }
        let m = if checked { move_of(&self.position, action) } else { self.legal(action) };
        if let Some(m) = m {
            self.position.play_on(cpu, m);
        } else {
            self.forfeited = true;
        }
    }

    #[inline(always)]
    pub(super) fn choose(&mut self, cpu: impl Cpu) -> i64 {
        // Like a finished lane, a forfeited one draws no random number: any action starts a new game.
        if self.forfeited {
            return 0;
        }
        self.position.choose_on(cpu, &mut self.stream).unwrap_or(0) as i64
    }

    /// Steps with a random action, and tallies the game if that ends it.
    #[inline(always)]
    pub(super) fn roll(&mut self, cpu: impl Cpu, start: &P, tally: &mut Tally) {
        if self.is_over() {
            return self.restart(start);
        }
        let chosen = self.position.choose_on(cpu, &mut self.stream);
        if let Some(m) = chosen.and_then(|action| self.position.move_of(action)) {
            self.position.play_on(cpu, m);
            tally.plies += 1;
        }
        if self.position.is_over() {
            if let Some(outcome) = self.position.outcome() {
                tally.record(outcome, 0);
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.position.turn() {
            Some(player) if self.forfeited => Some(Outcome::Win(player.other())),
            _ => self.position.outcome(),
        }
    }

    #[inline(always)]
    pub(super) fn show(&self, cpu: impl Cpu, sheet: Sheet<'_>) {
        // Read before anything is written, since the compiler must assume that the writes change it.
        let (over, turn) = (self.is_over(), self.position.turn());
        self.position.write_planes_on(cpu, sheet.observation);
        self.position.write_mask_on(cpu, sheet.mask);
        *sheet.terminated = u8::from(over);
        *sheet.rewards = [0.0; 2];
        *sheet.turn = turn.map_or(-1, |player| player.index() as i8);
        if over {
            self.show_end(sheet.rewards);
            if self.forfeited {
                sheet.mask.fill(0);
                *sheet.turn = -1;
            }
        }
    }

    fn show_end(&self, rewards: &mut [f32; 2]) {
        if let Some(Outcome::Win(winner)) = self.outcome() {
            let sign = if winner == Player::First { 1.0 } else { -1.0 };
            *rewards = [sign, -sign];
        }
    }
}

/// The slices of the arrays for one lane.
pub(super) struct Sheet<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [u8],
    turn: &'a mut i8,
    rewards: &'a mut [f32; 2],
    terminated: &'a mut u8,
}

/// The slices of the arrays for consecutive lanes.
pub(super) struct Sheets<'a> {
    arrays: Arrays<'a>,
}

impl<'a> Sheets<'a> {
    /// Splits the arrays into parts of this many lanes.
    pub(super) fn cut<P: OnCpu>(
        arrays: &'a mut Arrays<'_>,
        lanes: usize,
        start: &P,
    ) -> impl Iterator<Item = Sheets<'a>> {
        let (observation_len, num_actions) = (start.observation_len(), start.num_actions());
        let observations = arrays.observations.chunks_mut(observation_len * lanes);
        let masks = arrays.action_mask.chunks_mut(num_actions * lanes);
        let turns = arrays.turns.chunks_mut(lanes);
        let rewards = arrays.rewards.chunks_mut(lanes);
        let terminated = arrays.terminated.chunks_mut(lanes);
        let parts = observations.zip(masks).zip(turns).zip(rewards).zip(terminated);
        parts.map(move |((((observations, action_mask), turns), rewards), terminated)| Sheets {
            arrays: Arrays { observations, action_mask, turns, rewards, terminated },
        })
    }

    /// Returns the same slices, but with lengths that the compiler can see, which saves the bounds checks of each lane.
    #[inline(always)]
    pub(super) fn of(self, lanes: usize, start: &impl OnCpu) -> Self {
        let Arrays { observations, action_mask, turns, rewards, terminated } = self.arrays;
        let arrays = Arrays {
            observations: &mut observations[..lanes * start.observation_len()],
            action_mask: &mut action_mask[..lanes * start.num_actions()],
            turns: &mut turns[..lanes],
            rewards: &mut rewards[..lanes],
            terminated: &mut terminated[..lanes],
        };
        Sheets { arrays }
    }

    /// Returns the slices for a lane of this part.
    // By index, since compilers do not see through iterators over five arrays.
    #[inline(always)]
    pub(super) fn sheet(&mut self, lane: usize, start: &impl OnCpu) -> Sheet<'_> {
        // Not hoisted out of the loop over lanes, since for most games these are constants.
        let (observation_len, num_actions) = (start.observation_len(), start.num_actions());
        let Arrays { observations, action_mask, turns, rewards, terminated } = &mut self.arrays;
        Sheet {
            observation: &mut observations[lane * observation_len..][..observation_len],
            mask: &mut action_mask[lane * num_actions..][..num_actions],
            turn: &mut turns[lane],
            rewards: &mut rewards[lane],
            terminated: &mut terminated[lane],
        }
    }
}
