//! A batch does to each lane what the rules do to a single position, whatever the actions are.

use std::num::NonZeroU32;

use arbitrary::Result;
use petteia::prelude::*;
use petteia::vector::{Arrays, Batch, Illegal, LaneState, VectorEnv};
use petteia::{OnCpu, Rng, Starts, Tally, with_position};

use super::{Bytes, play_one, position, with_bytes};

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| with_position!(position(bytes)?, start => check(&start, bytes)));
}

fn check<P: OnCpu>(start: &P, bytes: &mut Bytes<'_>) -> Result<()> {
    // Enough lanes of a small game for several parts, which threads share.
    let several = bytes.ratio(1, 32)? && start.observation_len() < 40;
    let (count, threads) = if several { (600, 2) } else { (bytes.int_in_range(1..=4)?, 1) };
    let illegal = *bytes.choose(&[Illegal::Refuse, Illegal::Lose])?;
    let mut seed: u64 = bytes.arbitrary()?;
    let rules = Rules::of(start, seed);
    let mut env = match &rules.starts[..] {
        [only] => VectorEnv::new(only.clone(), count, seed, threads, illegal),
        several => {
            let starts = Starts::new(several.to_vec()).expect("games in progress");
            VectorEnv::new(starts, count, seed, threads, illegal)
        }
    }
    .expect("a few lanes");
    env.set_max_plies(rules.max_plies);
    let mut shown = Buffers::new(&env);
    let stream = |seed, lane: usize| Rng::for_game(seed, lane as u64).state();
    let single = |lane| {
        let (position, stream) = (start.clone(), stream(seed, lane));
        let mut single = LaneState { position, stream, forfeited: false, plies: 0 };
        rules.restart(&mut single);
        single
    };
    let mut singles: Vec<LaneState<P>> = (0..count).map(single).collect();
    while !bytes.is_empty() {
        let mut actions = vec![0; count];
        match bytes.int_in_range(0..=5)? {
            0 => {
                let some: [i16; 4] = bytes.arbitrary()?;
                actions = (0..count).map(|lane| some[lane % 4].into()).collect();
                let fine = |(single, action): (&LaneState<P>, &i64)| {
                    rules.is_done(single) || legal(single, *action).is_some()
                };
                let first = singles.iter().zip(&actions).position(|pair| !fine(pair));
                let refused = first.filter(|_| illegal == Illegal::Refuse);
                let before = shown.clone();
                match env.step(&actions, &mut shown.arrays()) {
                    Ok(()) => {
                        assert_eq!(refused, None);
                        singles.iter_mut().zip(&actions).for_each(|(single, a)| rules.step(single, *a));
                    }
                    Err(error) => {
                        assert_eq!((error.lane(), refused.is_some()), (refused, true));
                        assert_eq!(shown, before);
                    }
                }
            }
            1 => {
                env.random_actions(&mut actions);
                env.step(&actions, &mut shown.arrays()).expect("random actions are legal");
                for (single, action) in singles.iter_mut().zip(actions) {
                    assert_eq!(action, rules.choose(single));
                    rules.step(single, action);
                }
            }
            2 => {
                let steps = bytes.int_in_range(0..=9)?;
                let mut tally = Tally::default();
                for _ in 0..steps {
                    singles.iter_mut().for_each(|single| rules.roll(single, &mut tally));
                }
                assert_eq!(env.rollout(steps), tally);
            }
            3 => {
                let lane = bytes.int_in_range(0..=count - 1)?;
                let mut position = start.clone();
                for _ in 0..bytes.int_in_range(0..=9)? {
                    play_one(&mut position, bytes)?;
                }
                let (stream, forfeited) = (bytes.arbitrary()?, bytes.arbitrary()?);
                let plies = if rules.max_plies.is_some() { stream as u32 % 9 } else { 0 };
                let state = LaneState { position, stream, forfeited, plies };
                let refused = state.forfeited && state.position.is_over();
                assert_eq!(env.set_lane(lane, state.clone()).is_err(), refused);
                if !refused {
                    singles[lane] = state;
                }
            }
            4 => {
                seed = bytes.arbitrary()?;
                env.seed(seed);
                singles.iter_mut().enumerate().for_each(|(lane, single)| single.stream = stream(seed, lane));
            }
            _ => {
                env.reset();
                singles.iter_mut().for_each(|single| rules.restart(single));
            }
        }
        env.show(&mut shown.arrays());
        for (lane, single) in singles.iter().enumerate() {
            assert_eq!(&env.lane(lane), single);
            shown.check(lane, single, &rules);
        }
    }
    Ok(())
}

/// The arrays of all lanes.
#[derive(Clone, Debug, PartialEq)]
struct Buffers {
    observations: Vec<u8>,
    action_mask: Vec<u8>,
    turns: Vec<i8>,
    rewards: Vec<[f32; 2]>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
}

impl Buffers {
    fn new(env: &impl Batch) -> Self {
        let lanes = env.num_envs();
        Buffers {
            observations: vec![9; lanes * env.observation_len()],
            action_mask: vec![9; lanes * env.num_actions()],
            turns: vec![9; lanes],
            rewards: vec![[9.0; 2]; lanes],
            terminated: vec![9; lanes],
            truncated: vec![9; lanes],
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: &mut self.observations,
            action_mask: &mut self.action_mask,
            turns: &mut self.turns,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: Some(&mut self.truncated),
        }
    }

    /// Compares what is shown of a lane with a single position.
    fn check<P: OnCpu>(&self, lane: usize, single: &LaneState<P>, rules: &Rules<P>) {
        let LaneState { position, forfeited, .. } = single;
        let (length, actions) = (position.observation_len(), position.num_actions());
        let (mut planes, mut mask) = (vec![0; length], vec![0; actions]);
        position.write_planes(&mut planes);
        if !forfeited {
            position.write_mask(&mut mask);
        }
        assert_eq!(self.observations[lane * length..][..length], planes);
        assert_eq!(self.action_mask[lane * actions..][..actions], mask);
        let turn = position.turn().filter(|_| !forfeited);
        assert_eq!(self.turns[lane], turn.map_or(-1, |player| player.index() as i8));
        let loser = position.turn().filter(|_| *forfeited);
        let winner = loser.map(Player::other).or(position.outcome().and_then(Outcome::winner));
        let rewards = winner.map_or([0.0, 0.0], |winner| [[1.0, -1.0], [-1.0, 1.0]][winner.index()]);
        assert_eq!(self.rewards[lane], rewards);
        assert_eq!(self.terminated[lane] == 1, is_over(single));
        assert_eq!(self.truncated[lane] == 1, rules.is_truncated(single));
    }
}

fn is_over<P: Position>(single: &LaneState<P>) -> bool {
    single.forfeited || single.position.is_over()
}

fn legal<P: Actions>(single: &LaneState<P>, action: i64) -> Option<P::Move> {
    let m = single.position.move_of(usize::try_from(action).ok()?)?;
    single.position.is_legal(&m).then_some(m)
}

/// Where games start, and how long they may be.
struct Rules<P> {
    starts: Vec<P>,
    max_plies: Option<NonZeroU32>,
}

impl<P: OnCpu> Rules<P> {
    /// Derives them from the bits of a seed that matter least otherwise.
    fn of(start: &P, seed: u64) -> Self {
        let mut starts = vec![start.clone()];
        let next = start.moves().next().map(|m| start.after_unchecked(m));
        starts.extend(next.filter(|next| seed >> 63 == 1 && !next.is_over()));
        Rules { starts, max_plies: NonZeroU32::new((seed >> 59 & 15) as u32) }
    }

    fn is_truncated(&self, single: &LaneState<P>) -> bool {
        !is_over(single) && self.max_plies.is_some_and(|most| single.plies >= most.get())
    }

    fn is_done(&self, single: &LaneState<P>) -> bool {
        is_over(single) || self.is_truncated(single)
    }

    fn restart(&self, single: &mut LaneState<P>) {
        let mut place = 0;
        if self.starts.len() > 1 {
            let mut rng = Rng::new(single.stream);
            place = rng.below(self.starts.len());
            single.stream = rng.state();
        }
        single.position = self.starts[place].clone();
        (single.forfeited, single.plies) = (false, 0);
    }

    /// Plays an action, or starts a new game if this one is over or truncated.
    fn step(&self, single: &mut LaneState<P>, action: i64) {
        if self.is_done(single) {
            return self.restart(single);
        }
        match legal(single, action) {
            Some(m) => {
                single.position.play(m).expect("the move is legal");
                single.plies += u32::from(self.max_plies.is_some());
            }
            None => single.forfeited = true,
        }
    }

    /// Chooses a random action.
    fn choose(&self, single: &mut LaneState<P>) -> i64 {
        if self.is_done(single) {
            return 0;
        }
        let mut rng = Rng::new(single.stream);
        let m = single.position.moves().choose(&mut rng).expect("the game is not over");
        single.stream = rng.state();
        single.position.action_of_legal(&m) as i64
    }

    /// Steps with a random action, and tallies a game that ends.
    fn roll(&self, single: &mut LaneState<P>, tally: &mut Tally) {
        let fresh = self.is_done(single);
        let action = self.choose(single);
        self.step(single, action);
        if !fresh {
            tally.plies += 1;
            tally.truncated += u64::from(self.is_truncated(single));
            if let Some(outcome) = single.position.outcome() {
                tally.record(outcome, 0);
            }
        }
    }
}
