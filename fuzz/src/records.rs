//! A record is its own text and leads where its moves lead; an error in it names the ply.

use petteia::any::Game;
use petteia::prelude::*;
use petteia::{Record, RecordError, with_game};

pub fn law(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // Large boards take long.
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse::<u32>().ok());
    if numbers.take(2).fold(1, u32::saturating_mul) > 1 << 12 {
        return;
    }
    for &game in Game::ALL {
        with_game!(game, G => check::<G>(text));
    }
}

fn check<P: Declared>(text: &str) {
    let error = match text.parse::<Record<P>>() {
        Ok(record) => {
            assert_eq!(record.to_string(), text);
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
        let (header, moves) = text.split_once(": ").expect("a ply comes after the colon");
        let before: String = moves.split(' ').take(ply - 1).map(|word| format!(" {word}")).collect();
        let record: Record<P> = format!("{header}:{before}").parse().expect("nothing else is wrong");
        assert_eq!(record.moves().len(), ply - 1);
    }
}
