//! docs/results.md is true: small games are solved again, and its statements are checked against the tables.

use std::collections::BTreeMap;
use std::fs;

use petteia::prelude::*;
use petteia::{Breakdown, Quarto, Reversi, SolveOptions};

fn read(file: &str) -> String {
    let path = format!("{}/docs/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the bounds on black's value by width, height, stick and square.
fn breakdown() -> BTreeMap<[u32; 4], (i32, i32)> {
    let text = read("results/breakdown.txt");
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let board = [0, 1, 2, 3].map(|at| words[at].parse().unwrap());
        (board, (words[4].parse().unwrap(), words[5].parse().unwrap()))
    };
    text.lines().map(row).collect()
}

#[test]
fn small_boards_of_breakdown_have_their_values() {
    let mut solved = 0;
    for (board, bounds) in breakdown() {
        let [width, height, stick, square] = board;
        if width * height <= 20 {
            let start = Breakdown::new(width, height, stick, square).unwrap();
            let value =
                start.score(false).unwrap_or_else(|| start.solve(&SolveOptions::default()).unwrap().value);
            assert_eq!((value, value), bounds, "{board:?}");
            solved += 1;
        }
    }
    assert!(solved > 1400, "{solved}");
}

#[test]
fn statements_about_breakdown_hold() {
    let table = breakdown();
    let all = (1..=30u32).flat_map(|width| (1..=30 / width).map(move |height| (width, height)));
    let count: u32 = all.map(|(width, height)| (width.max(height) + 1) * (width.min(height) + 1)).sum();
    assert_eq!((count, table.len()), (3584, 3584));
    for (&[width, height, stick, square], &(lower, upper)) in &table {
        let board = [width, height, stick, square];
        assert_eq!(lower, upper, "{board:?}");
        let (longer, shorter) = (width.max(height), width.min(height));
        let wins = match (stick, square) {
            _ if stick > longer || square > shorter => false,
            (_, 1) => true,
            (1, _) | (_, 3..) => false,
            _ if width < 3 => false,
            _ if stick <= height => !(stick == 3 && height == 6 || [width, height, stick] == [4, 7, 4]),
            _ => height == 3 && width >= 2 * stick,
        };
        assert_eq!(lower == 1, wins, "{board:?}");
    }
}

#[test]
fn small_boards_of_reversi_have_their_values() {
    let mut solved = 0;
    for line in read("results.md").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some((width, height)) = cells.get(1).and_then(|board| board.split_once('x')) else { continue };
        let (Ok(width), Ok(height)) = (width.parse::<usize>(), height.parse::<usize>()) else { continue };
        if width * height > 24 {
            continue;
        }
        let start = Reversi::new(width, height).unwrap();
        for (empties_to_winner, value) in [(false, cells[2]), (true, cells[3])] {
            let options = SolveOptions { all_best: false, empties_to_winner, ..SolveOptions::default() };
            assert_eq!(start.solve(&options).unwrap().value, value.parse().unwrap(), "{line}");
        }
        solved += 1;
    }
    assert_eq!(solved, 16);
}

#[test]
fn openings_of_quarto_have_their_values() {
    let text = read("results/quarto.txt");
    let mut quick = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let (position, value, nodes): (Quarto, i32, u64) =
            (words[0].parse().unwrap(), words[1].parse().unwrap(), words[2].parse().unwrap());
        assert_eq!((position.placed(), value), (3, 0), "{line}");
        quick.push((nodes, position));
    }
    assert_eq!(quick.len(), 454);
    quick.sort();
    for (_, position) in &quick[..2] {
        assert_eq!(
            position.solve(&SolveOptions { all_best: false, ..SolveOptions::default() }).unwrap().value,
            0
        );
    }
}
