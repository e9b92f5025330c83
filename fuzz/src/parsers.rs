//! Every parser either fails with a message or returns a value whose text parses back to it.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use petteia::any::{AnyPosition, Game};
use petteia::prelude::*;
use petteia::{Bot, ParseError, with_game, with_position};
use petteia::{quarto, reversi, tictac};

pub fn law(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    for &game in Game::ALL {
        with_game!(game, G => {
            strict::<G>(text);
            strict::<<G as Position>::Move>(text);
        });
        parameters(game, text);
    }
    strict::<Game>(text);
    strict::<tictac::Mark>(text);
    strict::<quarto::Piece>(text);
    strict::<quarto::Square>(text);
    strict::<reversi::Square>(text);
    lenient::<Bot>(text);
    lenient::<reversi::Finding>(text);
    lenient::<tictac::Move>(text);
}

/// The only text that is parsed to a value is its own.
fn strict<T: FromStr<Err = ParseError> + Display + PartialEq + Debug>(text: &str) {
    if let Some(value) = lenient::<T>(text) {
        assert_eq!(value.to_string(), text);
    }
}

/// A value's own text is parsed to the same value; an error quotes the text.
fn lenient<T: FromStr<Err = ParseError> + Display + PartialEq + Debug>(text: &str) -> Option<T> {
    match text.parse::<T>() {
        Ok(value) => {
            assert_eq!(value.to_string().parse().as_ref(), Ok(&value));
            Some(value)
        }
        Err(error) => {
            assert_eq!(error.input(), text);
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// A start has the parameters that it was made with.
fn parameters(game: Game, text: &str) {
    // Large boards take long.
    let sizes = text.split(' ').take(2).filter_map(|word| word.parse::<u32>().ok());
    if sizes.fold(1, u32::saturating_mul) > 1 << 16 {
        return;
    }
    match AnyPosition::start(game, text) {
        Ok(start) => with_position!(start, start => assert_eq!(start.parameters(), text)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
