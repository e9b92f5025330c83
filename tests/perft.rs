//! Perft against the table in data/perft.txt.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use petteia::any::Game;
use petteia::prelude::*;
use petteia::search::perft::{PerftError, PerftOptions, perft_with};
use petteia::{Breakdown, MemoryError, Record, Reversi, TicTac, with_game};

/// Larger counts take too long for a test.
const MOST: u64 = 30_000_000;

fn check<P: Declared + Engine>(head: &str, how: &str, counts: &str) -> usize {
    let start: P = match how.strip_prefix("from ") {
        Some(text) => text.parse().unwrap(),
        None => format!("{head}:").parse::<Record<P>>().unwrap().start().clone(),
    };
    assert_eq!(start.perft(0), 1);
    let mut checked = 0;
    for (i, word) in counts.split_whitespace().enumerate() {
        let depth = i as u32 + 1;
        if word == "." {
            assert_eq!(start.perft(depth), 0, "{} {how}", P::NAME);
            break;
        }
        let count: u64 = word.parse().unwrap();
        if count <= MOST {
            assert_eq!(start.perft(depth), count, "{} {how}, depth {depth}", P::NAME);
            for (threads, table_bytes) in [(1, Some(1 << 24)), (3, Some(1 << 12)), (2, None)] {
                let options = PerftOptions { threads, table_bytes, ..PerftOptions::default() };
                let found = perft_with(&start, depth, &options);
                assert_eq!(found, Ok(count), "{} {how}, depth {depth}, {options:?}", P::NAME);
            }
            checked += 1;
        }
    }
    checked
}

#[test]
fn counts_are_those_of_the_table() {
    let mut checked = 0;
    for line in include_str!("data/perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let (head, counts) = line.split_once(':').expect(line);
        let (game, how) = head.split_once(' ').unwrap_or((head, ""));
        checked += with_game!(game.parse::<Game>().expect(line), G => check::<G>(head, how, counts));
    }
    assert_eq!(checked, 218);
}

/// Counts move sequences ply by ply, from the number of ways to reach each position.
fn reached<P: Position>(start: &P, depth: u32) -> u128 {
    let mut reached = HashMap::from([(start.clone(), 1u128)]);
    for _ in 0..depth {
        let mut next = HashMap::new();
        for (position, ways) in reached {
            for m in position.moves() {
                *next.entry(position.after(m).unwrap()).or_default() += ways;
            }
        }
        reached = next;
    }
    reached.into_values().sum()
}

/// Where positions repeat, a table makes counts possible that would otherwise take forever.
#[test]
fn deep_counts_are_right_or_refused() {
    let small = Breakdown::new(3, 3, 1, 4).unwrap();
    for (depth, fits) in [(20, true), (100, true), (250, false)] {
        let expected = u64::try_from(reached(&small, depth)).map_err(|_| PerftError::TooMany);
        assert_eq!(expected.is_ok(), fits, "{depth}: {expected:?}");
        for threads in [1, 3] {
            let options = PerftOptions { threads, table_bytes: Some(1 << 26), ..PerftOptions::default() };
            assert_eq!(perft_with(&small, depth, &options), expected, "{depth}");
        }
    }
}

/// A game that can go on forever is counted to any depth, on a small stack.
#[test]
fn depth_needs_no_stack() {
    let endless = Breakdown::new(1, 1, 1, 2).unwrap();
    let count = move || {
        for depth in [63, 64, 65, 128, 40_000] {
            let expected = reached(&endless, depth) as u64;
            assert_eq!(endless.perft(depth), expected, "{depth}");
            assert_eq!(perft_with(&endless, depth, &PerftOptions::default()), Ok(expected), "{depth}");
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(count).unwrap().join().unwrap();
}

#[test]
fn the_tally_is_the_count_in_the_end() {
    for (threads, table_bytes) in [(1, None), (3, None), (1, Some(1 << 20)), (3, Some(1 << 20))] {
        for depth in [0, 1, 2, 5, 8] {
            let tally = AtomicU64::new(0);
            let options =
                PerftOptions { threads, table_bytes, tally: Some(&tally), ..PerftOptions::default() };
            let count = perft_with(&TicTac::default(), depth, &options);
            assert_eq!(count, Ok(tally.into_inner()), "{threads} {table_bytes:?} {depth}");
        }
    }
}

#[test]
fn a_count_can_be_stopped() {
    for (threads, table_bytes) in [(1, None), (3, None), (1, Some(1 << 20)), (3, Some(1 << 20))] {
        let asked = AtomicU32::new(0);
        let watch = || match asked.fetch_add(1, Ordering::Relaxed) {
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = PerftOptions { threads, table_bytes, watch: Some(&watch), ..PerftOptions::default() };
        assert_eq!(perft_with(&Reversi::default(), 60, &options), Err(PerftError::Stopped));
        assert_eq!(asked.into_inner(), 3);
    }
    let too_large = PerftOptions { table_bytes: Some(usize::MAX / 4), ..PerftOptions::default() };
    let no_memory = MemoryError { what: "a transposition table", bytes: 1 << 61 };
    assert_eq!(perft_with(&TicTac::default(), 1, &too_large), Err(PerftError::Memory(no_memory)));
}
