//! Solvers against plain minimax and known values.

mod breakdown;
mod quarto;
mod reversi;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use petteia::prelude::*;
use petteia::search::perft::{PerftOptions, perft_with};
use petteia::search::solve::solve_plainly;
use petteia::{Breakdown, Quarto, Reversi, Rng, SolveError, SolveOptions, TicTac, TreeOptions, mcts};

/// Returns the value of a position for the player to move, by exhaustive search.
fn minimax<P: Engine>(position: &P, empties: bool) -> i32 {
    let values = position.moves().map(|m| {
        let child = position.after(m).unwrap();
        value_of(&child, position, empties)
    });
    values.max().expect("a position with moves")
}

/// Returns the value of a child for the player who moved to it.
fn value_of<P: Engine>(child: &P, parent: &P, empties: bool) -> i32 {
    let sign = |same: bool| if same { 1 } else { -1 };
    match child.score(empties) {
        Some(score) => score * sign(parent.turn() == Some(Player::First)),
        None => minimax(child, empties) * sign(child.turn() == parent.turn()),
    }
}

/// Checks a position's solutions, with all best moves and with one, against plain minimax.
fn check<P: Engine>(position: &P, empties: bool) {
    let values: Vec<(P::Move, i32)> = position
        .moves()
        .map(|m| (m.clone(), value_of(&position.after(m).unwrap(), position, empties)))
        .collect();
    let value = values.iter().map(|(_, value)| *value).max().unwrap();
    let best: Vec<P::Move> = values.iter().filter(|(_, v)| *v == value).map(|(m, _)| m.clone()).collect();
    for all_best in [true, false] {
        let options = SolveOptions { all_best, empties_to_winner: empties, ..SolveOptions::default() };
        for solution in [position.solve(&options).unwrap(), solve_plainly(position, &options).unwrap()] {
            let text = position.to_string();
            assert!(solution.exact, "{text}");
            assert_eq!((solution.value, solution.lower, solution.upper), (value, value, value), "{text}");
            if all_best {
                assert_eq!(solution.best_moves, best, "{text}");
            } else {
                assert!(!solution.best_moves.is_empty(), "{text}");
                assert!(solution.best_moves.iter().all(|m| best.contains(m)), "{text}");
            }
            assert_eq!(solution.line.first(), solution.best_moves.first(), "{text}");
            check_line(position, &solution.line, value, empties);
        }
    }
}

/// Plays a line and checks that every move keeps the value.
fn check_line<P: Engine>(position: &P, line: &[P::Move], value: i32, empties: bool) {
    let mut position = position.clone();
    let mut value = value;
    for m in line.iter().cloned() {
        let child = position.after(m).expect("legal moves");
        assert_eq!(value_of(&child, &position, empties), value);
        value = if child.turn() == position.turn() { value } else { -value };
        position = child;
    }
    assert!(position.is_over(), "the line reaches the end of the game");
}

/// Plays random games and checks the positions that are late enough for exhaustive search.
fn check_late<P: Engine>(start: &P, games: u64, empties: bool, late: impl Fn(&P) -> bool) -> usize {
    let mut checked = 0;
    for game in 0..games {
        let mut rng = Rng::for_game(77, game);
        let mut position = start.clone();
        while let Some(m) = position.moves().choose(&mut rng) {
            if late(&position) {
                check(&position, empties);
                checked += 1;
            }
            position.play(m).unwrap();
        }
    }
    checked
}

#[test]
fn late_positions_have_the_values_that_minimax_finds() {
    let mut checked = check_late(&TicTac::default(), 300, false, |p| p.moves().len() <= 7);
    checked += check_late(&Quarto::default(), 600, false, |p| p.placed() >= 12);
    for empties in [false, true] {
        for (width, height, games, left) in [(8, 8, 60, 6), (6, 5, 60, 6), (3, 4, 60, 7), (2, 3, 10, 6)] {
            let late = |p: &Reversi| {
                p.num_actions() - p.tiles().iter().map(|tiles| tiles.len()).sum::<usize>() <= left
            };
            checked += check_late(&Reversi::new(width, height).unwrap(), games, empties, late);
        }
    }
    assert!(checked > 4000, "{checked}");
}

#[test]
fn tictac_is_solved_position_by_position() {
    fn walk(position: TicTac, known: &mut HashMap<TicTac, i32>) -> i32 {
        if let Some(&value) = known.get(&position) {
            return value;
        }
        let value = match position.score(false) {
            // In a finished game nobody is to move; its value is stored for the first player.
            Some(score) => score,
            None => {
                let solution = position.solve(&SolveOptions::default()).unwrap();
                let children = position.moves().map(|m| {
                    let child = position.after(m).unwrap();
                    let (over, value) = (child.is_over(), walk(child, known));
                    let first = position.turn() == Some(Player::First);
                    if over && first { value } else { -value }
                });
                assert_eq!(children.max(), Some(solution.value), "{position}");
                solution.value
            }
        };
        known.insert(position, value);
        value
    }
    let mut known = HashMap::new();
    assert_eq!(walk(TicTac::default(), &mut known), 0);
    assert_eq!(known.len(), 5478);
    let solution = TicTac::default().solve(&SolveOptions::default()).unwrap();
    assert_eq!((solution.best_moves.len(), solution.line.len()), (9, 9));
}

#[test]
fn small_reversi_boards_have_their_known_values() {
    for (text, plain, with_empties) in [("____/_LD_/_DL_/____ D", -8, -10), ("____/_LL_/_DD_/____ D", -3, -4)]
    {
        let position: Reversi = text.parse().unwrap();
        for (empties_to_winner, value) in [(false, plain), (true, with_empties)] {
            let options = SolveOptions { empties_to_winner, ..SolveOptions::default() };
            assert_eq!(position.solve(&options).unwrap().value, value);
            assert_eq!(solve_plainly(&position, &options).unwrap().value, value);
        }
    }
}

#[test]
fn what_cannot_be_solved_is_an_error() {
    let over: TicTac = "XXX/OO_/___ -".parse().unwrap();
    assert_eq!(over.solve(&SolveOptions::default()), Err(SolveError::Over));
    let options = SolveOptions { empties_to_winner: true, ..SolveOptions::default() };
    assert_eq!(TicTac::default().solve(&options), Err(SolveError::EmptiesToWinner));
    assert_eq!(Quarto::default().solve(&options), Err(SolveError::EmptiesToWinner));
}

/// Checks that a search stops at its limits, and that its bounds contain the value.
fn check_limits<P: Engine>(position: &P, value: i32) {
    let nodes = position.solve(&SolveOptions::default()).unwrap().nodes;
    for limit in [0, 1, 10, nodes / 100, nodes / 10, nodes / 2, nodes] {
        let options = SolveOptions { node_limit: Some(limit), ..SolveOptions::default() };
        let solution = position.solve(&options).unwrap();
        assert!(solution.lower <= value && value <= solution.upper, "{solution:?}");
        assert!(!solution.exact || solution.lower == solution.upper, "{solution:?}");
        assert!(solution.nodes <= limit + limit / 4 + 20_000, "{limit} {solution:?}");
        assert!(solution.best_moves.iter().all(|m| position.is_legal(m)));
    }
    let told = AtomicU64::new(0);
    let watch = |_: &petteia::Progress| {
        told.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Break(())
    };
    let solution = position.solve(&SolveOptions { watch: Some(&watch), ..SolveOptions::default() }).unwrap();
    assert_eq!(told.load(Ordering::Relaxed), 1);
    assert!(!solution.exact && solution.lower <= value && value <= solution.upper);
}

#[test]
fn limits_give_honest_bounds() {
    check_limits(&TicTac::default(), 0);
    let late: Quarto = "0..3/.5../..a./6..7 c 2".parse().unwrap();
    check_limits(&late, late.solve(&SolveOptions::default()).unwrap().value);
    check_limits(&"____/_LD_/_DL_/____ D".parse::<Reversi>().unwrap(), -8);
    let limit = Duration::from_millis(50);
    let options = SolveOptions { time_limit: Some(limit), ..SolveOptions::default() };
    let start = Instant::now();
    let solution = Reversi::default().solve(&options).unwrap();
    assert!(!solution.exact && start.elapsed() < Duration::from_secs(2), "{solution:?}");
    assert_eq!((solution.lower, solution.upper), (-64, 64));
}

/// Threads share a transposition table and read each other's entries.
#[test]
fn threads_do_not_change_the_answer() {
    fn check<P: Engine>(start: &P, late: impl Fn(&P) -> bool) {
        let mut solved = 0;
        for game in 0..30 {
            let mut rng = Rng::for_game(77, game);
            let mut position = start.clone();
            while !position.is_over() && !late(&position) {
                let m = position.moves().choose(&mut rng).unwrap();
                position.play(m).unwrap();
            }
            if position.is_over() {
                continue;
            }
            for all_best in [true, false] {
                let solutions = [1, 2, 3].map(|threads| {
                    let options = SolveOptions { all_best, threads, ..SolveOptions::default() };
                    position.solve(&options).unwrap()
                });
                for solution in &solutions {
                    assert!(solution.exact);
                    let answer = (solution.value, &solution.best_moves);
                    assert_eq!(answer, (solutions[0].value, &solutions[0].best_moves), "{position}");
                }
            }
            solved += 1;
        }
        assert!(solved > 10, "only {solved} positions");
    }
    check(&TicTac::default(), |_| true);
    check(&petteia::Breakdown::default(), |position| position.to_string().matches('.').count() < 16);
    let tiles = |position: &Reversi| position.tiles().iter().map(|tiles| tiles.len()).sum::<usize>();
    check(&Reversi::default(), |position| tiles(position) >= 50);
    check(&Reversi::new(4, 4).unwrap(), |position| tiles(position) >= 3);
    check(&Quarto::default(), |position| position.placed() >= 7);
}

/// Numbers that are out of range are clamped.
/// All threads share the limit.
#[test]
fn the_node_limit_holds_for_all_threads_together() {
    fn check<P: Engine>(start: P) {
        for threads in [1, 8, 64] {
            let options = SolveOptions {
                threads,
                node_limit: Some(100_000),
                all_best: false,
                ..SolveOptions::default()
            };
            let solution = start.solve(&options).unwrap();
            assert!(!solution.exact, "{start}");
            assert!(solution.nodes <= 200_000, "{start}: {} nodes on {threads} threads", solution.nodes);
        }
    }
    check(Reversi::default());
    check(Quarto::default());
    check(Breakdown::new(10, 10, 3, 3).unwrap());
}

#[test]
fn any_number_of_threads_may_be_asked_for() {
    let start = TicTac::default();
    for threads in [0, usize::MAX] {
        let options = SolveOptions { threads, ..SolveOptions::default() };
        assert_eq!(Reversi::new(4, 4).unwrap().solve(&options).unwrap().value, -3);
        let options = TreeOptions { threads, ..TreeOptions::default() };
        assert_eq!(mcts(&start, &options).unwrap().branches.len(), 9);
        let options = PerftOptions { threads, ..PerftOptions::default() };
        assert_eq!(perft_with(&start, 9, &options), Ok(127_872));
    }
}
