//! The laws that every game of petteia keeps, for a game that petteia does not know.

#[path = "../../../tests/common/laws.rs"]
mod laws;

use connect_four::ConnectFour;
use laws::{check, check_symmetries, check_views};
use petteia::prelude::*;
use petteia::vector::{Arrays, Batch, Illegal, VectorEnv};

#[test]
fn connect_four_keeps_the_laws() {
    let small = (1..=8).flat_map(|width| (1..=7).map(move |height| (width, height)));
    for (width, height) in small.chain([(9, 7), (26, 2), (2, 26), (12, 12)]) {
        let start = ConnectFour::new(width, height).unwrap();
        check(&start, 5);
        check_symmetries(&start, 5);
        check_views(&start, 5);
    }
}

#[test]
fn a_batch_shows_its_positions() {
    const LANES: usize = 50;
    let start = ConnectFour::default();
    let mut env = VectorEnv::new(start.clone(), LANES, 3, 2, Illegal::Refuse).unwrap();
    let (mut observations, mut action_mask) = (vec![9; LANES * 2 * 42], vec![9; LANES * 7]);
    let (mut turns, mut rewards, mut terminated) = ([9; LANES], [[9.0; 2]; LANES], [9; LANES]);
    let mut ended = 0;
    for _ in 0..100 {
        let before: Vec<ConnectFour> = (0..LANES).map(|lane| env.lane(lane).position).collect();
        let mut actions = [0; LANES];
        env.random_actions(&mut actions);
        let mut arrays = Arrays {
            observations: &mut observations,
            action_mask: &mut action_mask,
            turns: &mut turns,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: None,
        };
        env.step(&actions, &mut arrays).unwrap();
        for (lane, before) in before.into_iter().enumerate() {
            let position = env.lane(lane).position;
            let played = |action: i64| before.after(before.move_of(action as usize).unwrap()).unwrap();
            assert_eq!(position, if before.is_over() { start.clone() } else { played(actions[lane]) });
            let (mut planes, mut mask) = ([0; 2 * 42], [0; 7]);
            position.write_planes(&mut planes);
            position.write_mask(&mut mask);
            assert_eq!(observations[lane * 84..][..84], planes, "{position}");
            assert_eq!(action_mask[lane * 7..][..7], mask, "{position}");
            assert_eq!(turns[lane], position.turn().map_or(-1, |player| player.index() as i8));
            let reward = position.score(false).unwrap_or(0) as f32;
            assert_eq!((rewards[lane], terminated[lane]), ([reward, -reward], position.is_over().into()));
            ended += usize::from(position.is_over());
        }
    }
    assert!(ended > LANES, "too few games ended to have seen new ones start");
}
