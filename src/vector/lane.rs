//! One game of a batch, and its slices of the arrays.

use std::num::NonZeroU32;

use super::Arrays;
use crate::cpu::Cpu;
use crate::observe::OnCpu;
use crate::playout::Tally;
use crate::position::{Outcome, Player};
use crate::random::Rng;
use crate::starts::{Start, Starts};

/// What all games of a batch have in common.
pub(super) struct Rules<P> {
    pub(super) starts: Starts<P>,
    /// After how many plies a game is truncated.
    pub(super) max_plies: Option<NonZeroU32>,
}

impl<P: OnCpu> Rules<P> {
    /// Returns one of the starts, whose board has the size of all.
    #[inline(always)]
    pub(super) fn start(&self) -> &P {
        self.starts.first()
    }
}

/// A game, and its random stream.
#[derive(Clone)]
pub(super) struct Lane<P> {
    pub(super) position: P,
    pub(super) stream: Rng,
    /// Whether the player to move lost by an illegal action. Only games in progress can be forfeited.
    pub(super) forfeited: bool,
    /// How many plies the game has had. They are counted only if they are limited, so that they never overflow.
    pub(super) plies: u32,
}

/// Returns the move of an action from the caller, which may be any number.
#[inline(always)]
pub(super) fn move_of<P: OnCpu>(position: &P, action: i64) -> Option<P::Move> {
    usize::try_from(action).ok().and_then(|action| position.move_of(action))
}

impl<P: OnCpu> Lane<P> {
    pub(super) fn new(start: &P) -> Self {
        Lane { position: start.clone(), stream: Rng::new(0), forfeited: false, plies: 0 }
    }

    #[inline(always)]
    pub(super) fn restart(&mut self, rules: &Rules<P>) {
        self.position.clone_from(rules.starts.draw(&mut self.stream));
        self.forfeited = false;
        self.plies = 0;
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.forfeited || self.position.is_over()
    }

    #[inline(always)]
    fn is_truncated(&self, rules: &Rules<P>) -> bool {
        rules.max_plies.is_some_and(|most| self.plies >= most.get()) && !self.is_over()
    }

    /// Returns whether the next step starts a new game.
    #[inline(always)]
    fn is_done(&self, rules: &Rules<P>) -> bool {
        self.is_over() || self.is_truncated(rules)
    }

    #[inline(always)]
    fn play(&mut self, cpu: impl Cpu, rules: &Rules<P>, m: P::Move) {
        self.position.play_on(cpu, m);
        self.plies += u32::from(rules.max_plies.is_some());
    }

    /// Returns the move of an action if it is legal.
    #[inline(always)]
    fn legal(&self, action: i64) -> Option<P::Move> {
        usize::try_from(action).ok().and_then(|action| self.position.legal_move(action))
    }

    /// Returns whether a step accepts an action: a legal one, or any where a new game starts.
    #[inline(always)]
    pub(super) fn accepts(&self, rules: &Rules<P>, action: i64) -> bool {
        self.legal(action).is_some() || self.is_done(rules)
    }

    /// Plays an action, which may have been checked already, or starts a new game if this one is over or truncated.
    #[inline(always)]
    pub(super) fn step(&mut self, cpu: impl Cpu, rules: &Rules<P>, action: i64, checked: bool) {
        if self.is_done(rules) {
            return self.restart(rules);
        }
        let m = if checked { move_of(&self.position, action) } else { self.legal(action) };
        if let Some(m) = m {
            self.play(cpu, rules, m);
        } else {
            self.forfeited = true;
        }
    }

    #[inline(always)]
    pub(super) fn choose(&mut self, cpu: impl Cpu, rules: &Rules<P>) -> i64 {
        // Like a finished lane, these draw no random number: any action starts a new game.
        if self.forfeited || self.is_truncated(rules) {
            return 0;
        }
        self.position.choose_on(cpu, &mut self.stream).unwrap_or(0) as i64
    }

    /// Steps with a random action, and tallies the game if that ends it.
    #[inline(always)]
    pub(super) fn roll(&mut self, cpu: impl Cpu, rules: &Rules<P>, tally: &mut Tally) {
        if self.is_done(rules) {
            return self.restart(rules);
        }
        let chosen = self.position.choose_on(cpu, &mut self.stream);
        if let Some(m) = chosen.and_then(|action| self.position.move_of(action)) {
            self.play(cpu, rules, m);
            tally.plies += 1;
        }
        if self.position.is_over() {
            if let Some(outcome) = self.position.outcome() {
                tally.record(outcome, 0);
            }
        } else {
            tally.truncated += u64::from(self.is_truncated(rules));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.position.turn() {
            Some(player) if self.forfeited => Some(Outcome::Win(player.other())),
            _ => self.position.outcome(),
        }
    }

    #[inline(always)]
    pub(super) fn show(&self, cpu: impl Cpu, rules: &Rules<P>, sheet: Sheet<'_>) {
        // Read before anything is written, since the compiler must assume that the writes change it.
        let (over, turn) = (self.is_over(), self.position.turn());
        let truncated = self.is_truncated(rules);
        self.position.write_planes_on(cpu, sheet.observation);
        self.position.write_mask_on(cpu, sheet.mask);
        *sheet.terminated = u8::from(over);
        *sheet.rewards = [0.0; 2];
        if let Some(shown) = sheet.truncated {
            *shown = u8::from(truncated);
        }
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
    truncated: Option<&'a mut u8>,
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
        let mut truncated = arrays.truncated.as_deref_mut().map(|truncated| truncated.chunks_mut(lanes));
        let parts = observations.zip(masks).zip(turns).zip(rewards).zip(terminated);
        parts.map(move |((((observations, action_mask), turns), rewards), terminated)| Sheets {
            arrays: Arrays {
                observations,
                action_mask,
                turns,
                rewards,
                terminated,
                truncated: truncated.as_mut().and_then(Iterator::next),
            },
        })
    }

    /// Returns the same slices, but with lengths that the compiler can see, which saves the bounds checks of each lane.
    #[inline(always)]
    pub(super) fn of(self, lanes: usize, start: &impl OnCpu) -> Self {
        let Arrays { observations, action_mask, turns, rewards, terminated, truncated } = self.arrays;
        let arrays = Arrays {
            observations: &mut observations[..lanes * start.observation_len()],
            action_mask: &mut action_mask[..lanes * start.num_actions()],
            turns: &mut turns[..lanes],
            rewards: &mut rewards[..lanes],
            terminated: &mut terminated[..lanes],
            truncated: truncated.map(|truncated| &mut truncated[..lanes]),
        };
        Sheets { arrays }
    }

    /// Returns the slices for a lane of this part.
    // By index, since compilers do not see through iterators over five arrays.
    #[inline(always)]
    pub(super) fn sheet(&mut self, lane: usize, start: &impl OnCpu) -> Sheet<'_> {
        // Not hoisted out of the loop over lanes, since for most games these are constants.
        let (observation_len, num_actions) = (start.observation_len(), start.num_actions());
        let Arrays { observations, action_mask, turns, rewards, terminated, truncated } = &mut self.arrays;
        Sheet {
            observation: &mut observations[lane * observation_len..][..observation_len],
            mask: &mut action_mask[lane * num_actions..][..num_actions],
            turn: &mut turns[lane],
            rewards: &mut rewards[lane],
            terminated: &mut terminated[lane],
            truncated: truncated.as_mut().map(|truncated| &mut truncated[lane]),
        }
    }
}
