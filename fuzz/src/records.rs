//! A record is its own text and leads where its moves lead; an error in it names the ply. A game of GGF stays the same.

use petteia::any::Game;
use petteia::prelude::*;
use petteia::{Record, RecordError, Reversi, read_headers, with_game};

pub fn law(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Large boards take long.
    let game = read_headers(text).map_or("", |(_, _, game)| game);
    let numbers = game.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse::<u32>().ok());
    if numbers.take(2).fold(1, u32::saturating_mul) > 1 << 12 {
        return;
    }
    for &game in Game::ALL {
        with_game!(game, G => check::<G>(text));
    }
    if let Ok(record) = text.parse() {
        exchange(&record);
    }
    match Record::from_ggf(text) {
        Ok(record) => exchange(&record),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is written as GGF is read as the same moves to the same end, and written as the same again.
fn exchange(record: &Record<Reversi>) {
    // A game that is still in the opening is neither.
    assert!(record.to_pgn().is_ok() || record.to_ggf().is_err());
    if let Ok(ggf) = record.to_ggf() {
        let again = Record::from_ggf(&ggf).expect("GGF is read as it is written");
        assert!(record.moves().ends_with(again.moves()));
        assert_eq!(again.last(), record.last());
        assert_eq!(again.to_ggf().as_ref(), Ok(&ggf));
    }
}

fn check<P: Declared>(text: &str) {
    let error = match text.parse::<Record<P>>() {
        Ok(record) => {
            spell(&record, text);
            parts(&record);
            let mut position = record.start().clone();
            let mut positions = record.positions();
            assert_eq!(positions.next().as_ref(), Some(&position));
            for m in record.moves() {
                position.play(m.clone()).expect("recorded moves are legal");
                assert_eq!(positions.next().as_ref(), Some(&position));
            }
            return assert_eq!((positions.next(), record.last()), (None, &position));
        }
        Err(error) => error,
    };
    assert!(!error.to_string().is_empty());
    let ply = match &error {
        RecordError::Parse(error) => error.ply(),
        RecordError::Illegal(error) => Some(error.ply().expect("an illegal move has a ply")),
        RecordError::Memory(_) => None,
    };
    // The record up to the ply is a good one.
    if let Some(ply) = ply {
        let (_, _, game) = read_headers(text).expect("the headers come before");
        let (header, moves) = game.split_once(": ").expect("a ply comes after the colon");
        let before: String = moves.split(' ').take(ply - 1).map(|word| format!(" {word}")).collect();
        let record: Record<P> = format!("{header}:{before}").parse().expect("nothing else is wrong");
        assert_eq!(record.moves().len(), ply - 1);
    }
}

/// A record has one text, but may end with a newline, and may say where it starts even if its game starts there.
fn spell<P: Declared>(record: &Record<P>, text: &str) {
    let line = text.strip_suffix('\n').map_or(text, |line| line.strip_suffix('\r').unwrap_or(line));
    let own = record.to_string();
    assert_eq!(own.parse().as_ref(), Ok(record));
    if line != own {
        let moves: String = record.moves().iter().map(|m| format!(" {m}")).collect();
        let head = own.strip_suffix(&format!(":{moves}")).expect("the moves come last");
        assert_eq!(line, format!("{head} from {}:{moves}", record.start()));
        assert_eq!(P::start(&record.start().values()).as_ref(), Ok(record.start()));
    }
}

/// A record is made of its parts.
fn parts<P: Declared>(record: &Record<P>) {
    let plies = record.moves().len();
    assert_eq!(record.part(0..plies), *record);
    let (before, mut after) = (record.part(0..plies / 2), record.part(plies / 2..plies));
    assert_eq!((before.last(), record.last()), (after.start(), after.last()));
    assert_eq!([before.moves(), after.moves()].concat(), record.moves());
    spell(&after, &after.to_string());
    while let Some(m) = after.undo() {
        assert!(after.last().is_legal(&m));
    }
    assert_eq!(after, record.part(plies / 2..plies / 2));
}
