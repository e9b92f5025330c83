//! Breakdown against plain retrograde analysis.

use std::collections::HashMap;

use petteia::prelude::*;
use petteia::{Breakdown, SolveOptions};

/// Returns the values of all reachable positions, for the player to move, by retrograde analysis: all start as draws,
/// and wins and losses spread from the finished games until nothing changes.
fn retrograde(start: &Breakdown) -> HashMap<Breakdown, i32> {
    let mut values = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(position) = open.pop() {
        if values.insert(position.clone(), 0).is_none() {
            open.extend(position.moves().map(|m| position.after(m).unwrap()));
        }
    }
    let positions: Vec<Breakdown> = values.keys().filter(|position| !position.is_over()).cloned().collect();
    loop {
        let mut changed = false;
        for position in positions.iter() {
            let moves = position.moves().map(|m| {
                let child = position.after(m).unwrap();
                match child.outcome() {
                    Some(Outcome::Win(player)) if Some(player) == position.turn() => 1,
                    Some(Outcome::Win(_)) => -1,
                    Some(Outcome::Draw) => 0,
                    None => -values[&child],
                }
            });
            let value = moves.max().unwrap();
            if value != values[position] {
                values.insert(position.clone(), value);
                changed = true;
            }
        }
        if !changed {
            return values;
        }
    }
}

#[test]
fn forced_wins_are_those_of_retrograde_analysis() {
    let (mut checked, mut seen) = (0, [0; 3]);
    for (w, h) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 2), (2, 4), (5, 1), (1, 5), (4, 3), (3, 4), (5, 2)] {
        for (k, q) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 2), (2, 3), (3, 3)] {
            let start = Breakdown::new(w, h, k, q).unwrap();
            if start.is_over() || w * h > 9 && k == 1 {
                continue;
            }
            let values = retrograde(&start);
            // All positions of small games, a sample of larger ones.
            let step = values.len() / 400 + 1;
            let mut positions: Vec<&Breakdown> = values.keys().filter(|p| !p.is_over()).collect();
            positions.sort();
            for position in positions.into_iter().step_by(step).chain([&start]) {
                let value = values[position];
                let solution = position.solve(&SolveOptions::default()).unwrap();
                assert_eq!((solution.value, solution.exact), (value, true), "{position}");
                let best = position.moves().filter(|&m| {
                    let child = position.after(m).unwrap();
                    let first = position.turn() == Some(Player::First);
                    let score = child.score(false).map(|score| if first { score } else { -score });
                    score.unwrap_or_else(|| -values[&child]) == value
                });
                assert_eq!(solution.best_moves, best.collect::<Vec<_>>(), "{position}");
                let end = solution.line.iter().fold(position.clone(), |p, &m| p.after(m).unwrap());
                assert!(value == 0 || end.is_over(), "the line of a win must end it: {position}");
                seen[(value + 1) as usize] += 1;
                checked += 1;
            }
        }
    }
    assert!(checked > 5000 && seen.iter().all(|&count| count > 100), "{checked} {seen:?}");
}

#[test]
fn boards_of_any_size_have_an_answer_or_bounds() {
    let huge = Breakdown::new(400, 300, 2, 2).unwrap();
    let solution = huge.solve(&SolveOptions { node_limit: Some(300), ..SolveOptions::default() }).unwrap();
    assert!(!solution.exact && solution.lower <= solution.upper);
    let narrow = Breakdown::new(1, 3000, 1, 2).unwrap();
    assert_eq!(narrow.solve(&SolveOptions::default()).unwrap().value, 0);
    let won = Breakdown::new(9, 9, 2, 1).unwrap();
    assert_eq!(won.solve(&SolveOptions::default()).unwrap().value, 1);
}
