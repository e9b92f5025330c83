//! A batch does to each lane what the rules do to a single position, whatever the actions are.

use arbitrary::Result;
use petteia::prelude::*;
use petteia::vector::{Arrays, Batch, Illegal, LaneState, VectorEnv};
use petteia::{OnCpu, Rng, Tally, with_position};

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
    let mut env = VectorEnv::new(start.clone(), count, seed, threads, illegal).expect("a few lanes");
    let mut shown = Buffers::new(&env);
    let stream = |seed, lane: usize| Rng::for_game(seed, lane as u64).state();
    let single = |lane| LaneState { position: start.clone(), stream: stream(seed, lane), forfeited: false };
    let mut singles: Vec<LaneState<P>> = (0..count).map(single).collect();
    while !bytes.is_empty() {
        let mut actions = vec![0; count];
        match bytes.int_in_range(0..=5)? {
            0 => {
                let some: [i16; 4] = bytes.arbitrary()?;
                actions = (0..count).map(|lane| some[lane % 4].into()).collect();
                let fine = |(single, action): (&LaneState<P>, &i64)| {
                    is_over(single) || legal(single, *action).is_some()
                };
                let first = singles.iter().zip(&actions).position(|pair| !fine(pair));
                let refused = first.filter(|_| illegal == Illegal::Refuse);
                let before = shown.clone();
                match env.step(&actions, &mut shown.arrays()) {
                    Ok(()) => {
                        assert_eq!(refused, None);
                        singles.iter_mut().zip(&actions).for_each(|(single, a)| step(single, start, *a));
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
                    assert_eq!(action, choose(single));
                    step(single, start, action);
                }
            }
            2 => {
                let steps = bytes.int_in_range(0..=9)?;
                let mut tally = Tally::default();
                for _ in 0..steps {
                    singles.iter_mut().for_each(|single| roll(single, start, &mut tally));
                }
                assert_eq!(env.rollout(steps), tally);
            }
            3 => {
                let lane = bytes.int_in_range(0..=count - 1)?;
                let mut position = start.clone();
                for _ in 0..bytes.int_in_range(0..=9)? {
                    play_one(&mut position, bytes)?;
                }
                let state = LaneState { position, stream: bytes.arbitrary()?, forfeited: bytes.arbitrary()? };
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
                singles.iter_mut().for_each(|single| restart(single, start));
            }
        }
        env.show(&mut shown.arrays());
        for (lane, single) in singles.iter().enumerate() {
            assert_eq!(&env.lane(lane), single);
            shown.check(lane, single);
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
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: &mut self.observations,
            action_mask: &mut self.action_mask,
            turns: &mut self.turns,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
        }
    }

    /// Compares what is shown of a lane with a single position.
    fn check<P: OnCpu>(&self, lane: usize, single: &LaneState<P>) {
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
    }
}

fn is_over<P: Position>(single: &LaneState<P>) -> bool {
    single.forfeited || single.position.is_over()
}

fn legal<P: Actions>(single: &LaneState<P>, action: i64) -> Option<P::Move> {
    let m = single.position.move_of(usize::try_from(action).ok()?)?;
    single.position.is_legal(&m).then_some(m)
}

fn restart<P: Position>(single: &mut LaneState<P>, start: &P) {
    single.position = start.clone();
    single.forfeited = false;
}

/// Plays an action, or starts a new game if this one is over.
fn step<P: Actions>(single: &mut LaneState<P>, start: &P, action: i64) {
    if is_over(single) {
        return restart(single, start);
    }
    match legal(single, action) {
        Some(m) => single.position.play(m).expect("the move is legal"),
        None => single.forfeited = true,
    }
}

/// Chooses a random action.
fn choose<P: Actions>(single: &mut LaneState<P>) -> i64 {
    if is_over(single) {
        return 0;
    }
    let mut rng = Rng::new(single.stream);
    let m = single.position.moves().choose(&mut rng).expect("the game is not over");
    single.stream = rng.state();
    single.position.action_of_legal(&m) as i64
}

/// Steps with a random action, and tallies a game that ends.
fn roll<P: Actions>(single: &mut LaneState<P>, start: &P, tally: &mut Tally) {
    let fresh = is_over(single);
    let action = choose(single);
    step(single, start, action);
    if !fresh {
        tally.plies += 1;
        if let Some(outcome) = single.position.outcome() {
            tally.record(outcome, 0);
        }
    }
}
