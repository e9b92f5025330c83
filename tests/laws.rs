//! The laws that every game obeys, reproducible playouts, and errors in records.

#[path = "common/laws.rs"]
mod laws;

use laws::{check, check_symmetries, check_views};
use petteia::prelude::*;
use petteia::tictac::Mark;
use petteia::{Breakdown, Quarto, Record, RecordError, Reversi, Tally, TicTac};

#[test]
fn tictac_keeps_the_laws() {
    for first in [Mark::X, Mark::O] {
        check(&TicTac::new(first), 200);
        check_symmetries(&TicTac::new(first), 200);
        check_views(&TicTac::new(first), 200);
    }
}

#[test]
fn breakdown_keeps_the_laws() {
    for (width, height, stick, square) in [
        (4, 5, 2, 2),
        (7, 6, 2, 3),
        (1, 1, 1, 1),
        (3, 3, 1, 2),
        (5, 1, 2, 2),
        (1, 9, 3, 1),
        (8, 8, 3, 3),
        (9, 9, 2, 4),
        (16, 8, 4, 2),
        (63, 2, 3, 2),
        (64, 2, 5, 2),
        (2, 64, 3, 2),
        (129, 1, 7, 1),
        (70, 3, 3, 3),
        (4, 4, 5, 2),
    ] {
        let start = Breakdown::new(width, height, stick, square).unwrap();
        check(&start, 4);
        check_symmetries(&start, 4);
        check_views(&start, 4);
    }
}

#[test]
fn reversi_keeps_the_laws() {
    for width in 2..=8 {
        for height in 2..=8 {
            let start = Reversi::new(width, height).unwrap();
            check(&start, 3);
            check_symmetries(&start, 3);
            check_views(&start, 3);
            let (even_width, even_height) = (width % 2 == 0, height % 2 == 0);
            let order = match (even_width, even_height, width == height) {
                (true, true, true) => 8,
                (true, true, false) => 4,
                (false, false, true) => 2,
                (false, false, false) => 1,
                _ => 2,
            };
            assert_eq!(start.symmetries(), order, "{width}x{height}");
        }
    }
}

#[test]
fn quarto_keeps_the_laws() {
    check(&Quarto::default(), 100);
    check_symmetries(&Quarto::default(), 100);
    check_views(&Quarto::default(), 100);
    assert_eq!(Quarto::default().symmetries(), 32 * 384);
}

/// The same seed gives the same games on every platform.
#[test]
fn random_games_are_the_same_everywhere() {
    let tally = |wins, draws, plies| Tally { wins, draws, truncated: 0, plies };
    assert_eq!(TicTac::default().playouts(0..1000, 1), tally([606, 267], 127, 7645));
    assert_eq!(Breakdown::default().playouts(0..1000, 1), tally([520, 356], 124, 8467));
    assert_eq!(Reversi::default().playouts(0..1000, 1), tally([437, 510], 53, 63_991));
    assert_eq!(Quarto::default().playouts(0..1000, 1), tally([496, 474], 30, 23_236));
}

#[test]
fn records_tell_what_is_wrong() {
    let parse = |text: &str| text.parse::<Record<TicTac>>();
    assert_eq!(parse("tictac X: B2 C2 C3").unwrap().to_string(), "tictac X: B2 C2 C3");
    assert_eq!(parse("tictac O:").unwrap().moves(), []);
    assert_eq!("quarto:".parse::<Record<Quarto>>().unwrap().to_string(), "quarto:");
    let won = parse("tictac X: A1 B1 A2 B2 A3").unwrap();
    assert_eq!(won.last().outcome(), Some(Outcome::Win(Player::First)));
    for (text, expected) in [
        ("", "a colon"),
        ("tictac X", "a colon"),
        ("chess:", "the game's name, tictac"),
        ("tictacX:", "the game's name, tictac"),
        ("tictac :", "the game's name, tictac"),
        ("tictac  X:", "X or O"),
        ("tictac:", "X or O"),
        ("tictac X Y:", "X or O"),
        ("tictac X:B2", "a space after the colon"),
        ("tictac X: ", "ply 1: invalid square \"\""),
        ("tictac X: B2 ", "ply 2: invalid square \"\""),
        ("tictac X: B2  C2", "ply 2: invalid square \"\""),
        ("tictac X: B2 d9", "ply 2: invalid square \"d9\""),
    ] {
        match parse(text) {
            Err(RecordError::Parse(error)) => assert!(error.to_string().contains(expected), "{error}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    match parse("tictac X: B2 C2 B2") {
        Err(RecordError::Illegal(error)) => {
            assert!(error.to_string().starts_with("ply 3: illegal move \"B2\""), "{error}")
        }
        other => panic!("{other:?}"),
    }
}
