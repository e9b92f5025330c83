//! Limits and callbacks hold on boards of any size, where a single move may take long.
//!
//! No time is asserted here, as `cargo bench --bench limits` measures that: a call that did not stop would take minutes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use petteia::prelude::*;
use petteia::search::perft::PerftError;
use petteia::search::puct::{MAX_LEAVES, Puct};
use petteia::selfplay::batched::{Batched, BatchedOptions};
use petteia::selfplay::{Form, Selfplay};
use petteia::vector::{Batch, Illegal, VectorEnv};
use petteia::work::Stopped;
use petteia::{
    Bot, Breakdown, Contest, PerftOptions, PlayoutOptions, Progress, PuctOptions, Rng, SolveOptions,
    TreeOptions, mcts, perft_with, playouts_with,
};

/// Boards on which nothing below could be done in less than minutes, up to the largest: high, wide and square.
fn boards() -> impl Iterator<Item = Breakdown> {
    [(1000, 1000), (1 << 12, 1 << 12), (3, 1 << 20), (1 << 20, 3)]
        .into_iter()
        .map(|(width, height)| Breakdown::new(width, height, 2, 3).unwrap())
}

/// Says stop at the second call, and counts the calls.
#[derive(Default)]
struct Watcher(AtomicU64);

impl Watcher {
    fn look(&self) -> ControlFlow<()> {
        if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn calls(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn solving_stops() {
    for board in boards() {
        for threads in [1, 3] {
            let watcher = Watcher::default();
            let watch = |_: &Progress| watcher.look();
            let options = SolveOptions { threads, watch: Some(&watch), ..SolveOptions::default() };
            let solution = board.solve(&options).unwrap();
            assert!(!solution.exact && (solution.lower, solution.upper) == (-1, 1));
            assert_eq!(watcher.calls(), 2);
        }
        let limits = [
            SolveOptions { time_limit: Some(Duration::from_millis(50)), ..SolveOptions::default() },
            SolveOptions {
                node_limit: Some(3),
                time_limit: Some(Duration::from_secs(2)),
                ..SolveOptions::default()
            },
        ];
        for options in limits {
            let solution = board.solve(&options).unwrap();
            assert!(!solution.exact && (solution.lower, solution.upper) == (-1, 1));
        }
    }
}

/// What was proved before the stop remains.
#[test]
fn a_stopped_solver_keeps_its_bounds() {
    // Whoever drops a stick wins.
    let board = Breakdown::new(1000, 1000, 1, 1).unwrap();
    let options = SolveOptions { all_best: false, ..SolveOptions::default() };
    let solution = board.solve(&options).unwrap();
    assert!(solution.exact && solution.value == 1 && solution.line.len() == 1);
    // Nobody can win, since no square fits.
    let board = Breakdown::new(300, 300, 2, 301).unwrap();
    let options = SolveOptions { node_limit: Some(10_000), ..SolveOptions::default() };
    let solution = board.solve(&options).unwrap();
    assert!(solution.exact && solution.value == 0 && solution.best_moves.len() == 599 + 1);
    assert!(solution.line.len() > 10);
}

#[test]
fn tree_search_stops_with_all_moves() {
    for board in boards() {
        let watcher = Watcher::default();
        let watch = |_| watcher.look();
        let options =
            TreeOptions { simulations: u64::MAX, threads: 2, watch: Some(&watch), ..TreeOptions::default() };
        let tree = mcts(&board, &options).unwrap();
        assert!(tree.branches.iter().map(|branch| branch.m).eq(board.moves()));
        assert_eq!(watcher.calls(), 2);
    }
}

#[test]
fn players_that_are_stopped_move() {
    for board in boards() {
        for bot in [Bot::Random, Bot::Myopic, Bot::Mcts(u64::MAX), Bot::Perfect(u64::MAX)] {
            let watcher = Watcher::default();
            let chosen = bot.choose_watched(&board, &mut Rng::new(1), &|| watcher.look());
            assert!(chosen.is_some_and(|m| board.is_legal(&m)), "{bot}");
            assert!(bot == Bot::Random || watcher.calls() >= 2, "{bot}");
        }
    }
}

#[test]
fn matches_stop() {
    for board in boards() {
        for bot in [Bot::Random, Bot::Myopic, Bot::Mcts(1000), Bot::Perfect(1_000_000)] {
            let watcher = Watcher::default();
            let watch = || watcher.look();
            let contest = Contest { bots: [bot; 2], games: 1000, watch: Some(&watch), ..Contest::default() };
            assert_eq!(contest.play(&board), Err(Stopped));
            assert_eq!(contest.results(&board, 0..1000), Err(Stopped));
        }
    }
}

#[test]
fn counting_stops() {
    // On boards of this size a few moves are quick, but millions are not.
    let small = Breakdown::new(70, 3, 2, 2).unwrap();
    for board in boards().chain([small]) {
        for (depth, threads) in [(5, 1), (5, 4), (40, 1), (40, 3)] {
            let watcher = Watcher::default();
            let watch = || watcher.look();
            let options = PerftOptions { threads, watch: Some(&watch), ..PerftOptions::default() };
            assert_eq!(perft_with(&board, depth, &options), Err(PerftError::Stopped));
            assert_eq!(watcher.calls(), 2);
        }
    }
}

#[test]
fn playouts_stop() {
    for board in boards() {
        let watcher = Watcher::default();
        let watch = |_| watcher.look();
        let options = PlayoutOptions { threads: 2, watch: Some(&watch), ..PlayoutOptions::default() };
        assert_eq!(playouts_with(&board, 0..1000, 7, &options), Err(Stopped));
        assert_eq!(watcher.calls(), 2);
    }
}

/// Games that are cut off by a stop are whole up to there.
#[test]
fn self_play_stops() {
    for board in boards() {
        for bot in [Bot::Random, Bot::Myopic, Bot::Mcts(1000)] {
            let watcher = Watcher::default();
            let watch = || watcher.look();
            let selfplay =
                Selfplay { bot, positions: Some(Form::Cells), watch: &watch, ..Selfplay::default() };
            let games = selfplay.play(&board, 0..3);
            // There may have been no time even to begin.
            let begun = games.outcomes.len();
            assert!(begun <= 3 && games.outcomes.iter().all(|&outcome| outcome == 2));
            let moves = *games.ends.last().unwrap() as usize;
            assert_eq!(games.actions.len(), moves);
            let length = (board.width() * board.height()).div_ceil(4) as usize;
            assert_eq!(games.positions.len(), (moves + begun) * length);
            let mut at = 0;
            for game in games.ends.windows(2) {
                let mut position = board.clone();
                for &action in &games.actions[game[0] as usize..game[1] as usize] {
                    position.play(position.move_of(action as usize).unwrap()).unwrap();
                }
                at += (game[1] - game[0] + 1) as usize * length;
                let mut cells = Vec::new();
                position.push_cells(&mut cells);
                assert!(games.positions[at - cells.len()..at] == cells);
            }
        }
    }
}

/// Lanes of a rollout that is stopped are where they were, or one step further.
#[test]
fn rollouts_stop() {
    for board in boards() {
        let mut env = VectorEnv::new(board.clone(), 20, 7, 2, Illegal::Refuse).unwrap();
        let watcher = Watcher::default();
        while env.rollout_watched(u64::MAX, &|| watcher.look()).is_ok() && watcher.look().is_continue() {}
        let mut alone = VectorEnv::new(board, 1, 7, 1, Illegal::Refuse).unwrap();
        let been_there = |_| {
            let found = alone.lane(0) == env.lane(0);
            alone.rollout(1);
            found
        };
        assert!((0..10_000).any(been_there));
    }
}

fn visits(search: &Puct<Breakdown>) -> u64 {
    search.tree().branches.iter().map(|branch| branch.visits).sum()
}

#[test]
fn searches_with_an_evaluator_stop() {
    let go_on = || ControlFlow::Continue(());
    for board in boards() {
        let options = PuctOptions { simulations: 1 << 30, ..PuctOptions::default() };
        let mut search = Puct::new(board.clone(), options, Rng::new(1)).unwrap();
        assert_eq!(search.collect_watched(64, &go_on), Ok(1));
        search.take(&vec![1.0; board.num_actions()], &[0.0]).unwrap();
        for _ in 0..3 {
            let watcher = Watcher::default();
            assert_eq!(search.collect_watched(MAX_LEAVES, &|| watcher.look()), Err(Stopped));
            assert_eq!(visits(&search), search.tree().simulations);
        }
        let at_once = if board.num_actions() > 100 { 1 } else { 64 };
        let options = BatchedOptions { search: options, ..BatchedOptions::default() };
        let mut games = Batched::new(options, at_once, 0..1000, |_| board.clone());
        assert_eq!(games.collect_watched(&go_on), Ok(at_once));
        games.take(&vec![1.0; at_once * board.num_actions()], &vec![0.0; at_once]).unwrap();
        let watcher = Watcher::default();
        assert_eq!(games.collect_watched(&|| watcher.look()), Err(Stopped));
        assert!(games.finished().is_empty());
    }
}

/// A tree that was stopped amid a descent loses no visit, and counts none twice.
#[test]
fn stopped_searches_with_an_evaluator_go_on() {
    let board = Breakdown::new(60, 200, 2, 3).unwrap();
    let options = PuctOptions { simulations: 1500, ..PuctOptions::default() };
    let mut search = Puct::new(board.clone(), options, Rng::new(1)).unwrap();
    let mut stops = 0;
    while !search.is_done() {
        let watcher = Watcher::default();
        stops += usize::from(search.collect_watched(500, &|| watcher.look()).is_err());
        assert_eq!(visits(&search), search.tree().simulations);
        let count = search.collect(200);
        search.take(&vec![1.0; count * board.num_actions()], &vec![0.0; count]).unwrap();
        assert_eq!(visits(&search), search.tree().simulations);
    }
    assert_eq!((visits(&search), stops > 0), (1500, true));
}
