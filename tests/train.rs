//! Training, on very few games.
#![cfg(feature = "train")]

use petteia::reversi::Weights;
use petteia::reversi::train::{Settings, train};

const TINY: Settings =
    Settings { seed: 3, rounds: 2, games: 64, last: 2, depth: 1, epochs: 4, cut_depth: 4, threads: 1 };

/// Trains, and returns the weights and what was printed, without the times.
fn trained(settings: &Settings) -> (Weights, Vec<String>) {
    let mut log = Vec::new();
    let weights = train(settings, &mut log).expect("a vector takes all that is written");
    let log = String::from_utf8(log).expect("text");
    let lines = log.lines().filter(|line| !line.contains(" s of play")).map(str::to_owned);
    (weights, lines.skip(1).collect())
}

/// Returns the sum of the losses of all stages on a line.
fn sum(line: &str) -> f64 {
    line.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).sum()
}

#[test]
fn training_lowers_the_loss() {
    let (weights, log) = trained(&TINY);
    for round in 0..2 {
        let at =
            log.iter().position(|line| line.starts_with(&format!("round {}", round + 1))).expect("a round");
        let (before, after) = (sum(&log[at + 1]), sum(&log[at + 2]));
        assert!(0.0 < after && after < 0.95 * before, "{log:#?}");
    }
    assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
}

#[test]
fn training_does_not_depend_on_threads() {
    let alone = trained(&TINY);
    assert_eq!(trained(&Settings { threads: 3, ..TINY }), alone);
    assert_ne!(trained(&Settings { seed: 4, ..TINY }).0, alone.0);
}
