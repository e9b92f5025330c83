//! Reversi endgames against published scores, and small boards against the plain search.

use std::sync::{Arc, Mutex};

use petteia::prelude::*;
use petteia::reversi::{Finding, solve_resumably};
use petteia::search::solve::solve_plainly;
use petteia::{Reversi, SolveOptions};

/// A position of the test suite, with its number and the exact score of each of its moves, the best first.
type Published = (u32, Reversi, Vec<(String, i32)>);

fn positions() -> Vec<Published> {
    let lines = include_str!("../data/ffo.txt").lines().filter(|line| !line.starts_with('#'));
    let position = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let scores = fields[2].split(' ').map(|word| {
            let (m, score) = word.split_once('=').unwrap();
            (m.to_owned(), score.parse().unwrap())
        });
        (fields[0].parse().unwrap(), fields[1].parse().unwrap(), scores.collect())
    };
    lines.map(position).collect()
}

#[test]
fn every_move_has_its_published_score() {
    let options = SolveOptions { empties_to_winner: true, all_best: false, ..SolveOptions::default() };
    let mut checked = 0;
    for (number, position, scores) in positions() {
        // The others take longer than a test should; the bench solves 40 to 44.
        if !(20..30).contains(&number) {
            continue;
        }
        assert_eq!(position.moves().len(), scores.len());
        for (m, score) in scores {
            let child = position.after(m.parse().unwrap()).unwrap();
            let sign = |same: bool| if same { 1 } else { -1 };
            let value = match child.score(true) {
                Some(score) => score * sign(position.turn() == Some(Player::First)),
                None => child.solve(&options).unwrap().value * sign(child.turn() == position.turn()),
            };
            assert_eq!(value, score, "{number} {m}");
            checked += 1;
        }
    }
    assert_eq!(checked, 85);
}

#[test]
fn all_best_moves_are_found() {
    for (number, position, scores) in positions() {
        if ![21, 23, 29].contains(&number) {
            continue;
        }
        let options = SolveOptions { empties_to_winner: true, ..SolveOptions::default() };
        let solution = position.solve(&options).unwrap();
        let best = scores.iter().filter(|(_, score)| *score == scores[0].1).map(|(m, _)| m.clone());
        let mut best: Vec<_> = best.map(|m| m.parse().unwrap()).collect();
        best.sort_by_key(|m| position.action(m));
        assert_eq!((solution.value, solution.best_moves), (scores[0].1, best), "{number}");
    }
}

#[test]
fn small_boards_agree_with_the_plain_search() {
    for (width, height) in [(2, 2), (2, 3), (5, 2), (3, 3), (4, 3), (3, 5), (2, 8), (4, 4)] {
        for empties_to_winner in [false, true] {
            let options = SolveOptions { empties_to_winner, ..SolveOptions::default() };
            let board = Reversi::new(width, height).unwrap();
            let (fast, plain) = (board.solve(&options).unwrap(), solve_plainly(&board, &options).unwrap());
            assert_eq!((fast.value, fast.best_moves), (plain.value, plain.best_moves), "{width}x{height}");
        }
    }
}

#[test]
fn tables_of_any_size_give_the_same_answer() {
    let position: Reversi = "______/__LD__/__DL__/______ D".parse().unwrap();
    let values = [0, 1 << 12, 1 << 20].map(|bytes| {
        let solution =
            position.solve(&SolveOptions { table_bytes: Some(bytes), ..SolveOptions::default() }).unwrap();
        (solution.value, solution.best_moves)
    });
    assert_eq!(values[0].0, 16);
    assert!(values.iter().all(|value| *value == values[0]));
}

#[test]
fn any_number_of_threads_gives_the_same_answer() {
    let endgames = positions().into_iter().filter(|(number, ..)| [21, 22, 23].contains(number));
    let mut starts: Vec<Reversi> = endgames.map(|(_, position, _)| position).collect();
    starts.push(Reversi::new(4, 5).unwrap());
    for position in starts {
        let answers = [1, 2, 3].map(|threads| {
            let options = SolveOptions { threads, empties_to_winner: true, ..SolveOptions::default() };
            let solution = position.solve(&options).unwrap();
            assert!(solution.exact);
            (solution.value, solution.best_moves)
        });
        assert_eq!(answers[0], answers[1], "{position:?}");
        assert_eq!(answers[0], answers[2], "{position:?}");
    }
}

/// A search that gets the findings of another finds the same value with fewer nodes.
#[test]
fn a_search_goes_on_where_another_stopped() {
    let (_, position, scores) = positions().into_iter().find(|(number, ..)| *number == 41).unwrap();
    let options = SolveOptions { empties_to_winner: true, all_best: false, ..SolveOptions::default() };
    let journal = Arc::new(Mutex::new(Vec::<String>::new()));
    let lines = Arc::clone(&journal);
    let tell = move |finding: &Finding| lines.lock().unwrap().push(finding.to_string());
    let first = solve_resumably(&position, &options, &[], tell).unwrap();
    let findings: Vec<Finding> = journal.lock().unwrap().iter().map(|line| line.parse().unwrap()).collect();
    assert!(!findings.is_empty());
    let again = solve_resumably(&position, &options, &findings, |_| {}).unwrap();
    assert_eq!((first.value, again.value), (scores[0].1, scores[0].1));
    assert!(again.nodes < first.nodes, "{} {}", first.nodes, again.nodes);
    for wrong in ["", "0 0 0 0", "1 1 0 0 0", "1 2 0 5 4", "x 0 0 0 0", "1 2 3 4 5 6"] {
        assert!(wrong.parse::<Finding>().is_err(), "{wrong}");
    }
}
