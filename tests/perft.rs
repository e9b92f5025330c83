//! Numbers of move sequences against the table in data/perft.txt.

use petteia::{Breakdown, Position, Quarto, Reversi, TicTac};

/// Deeper counts than this take too long for a test.
const MOST: u64 = 30_000_000;

fn check<P: Position>(how: &str, counts: &str) -> usize {
    let start: P = match how.strip_prefix("from ") {
        Some(text) => text.parse().unwrap(),
        None => P::from_parameters(how).unwrap(),
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
        checked += match game {
            "tictac" => check::<TicTac>(how, counts),
            "breakdown" => check::<Breakdown>(how, counts),
            "reversi" => check::<Reversi>(how, counts),
            "quarto" => check::<Quarto>(how, counts),
            _ => panic!("{line}"),
        };
    }
    assert_eq!(checked, 218);
}
