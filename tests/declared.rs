//! The declarations of the games are true: names, parameters, presets, lengths.

use std::collections::HashSet;

use petteia::any::{AnyPosition, Game};
use petteia::prelude::*;
use petteia::{ArgumentError, Parameter, Record, Rng, SetupError, Values, with_game, with_position};

fn defaults(game: Game) -> Vec<u32> {
    game.parameters().iter().map(|parameter| parameter.default).collect()
}

/// Returns starts of a game: its presets, and its defaults with one parameter at its minimum.
fn starts(game: Game) -> Vec<AnyPosition> {
    let presets = game.presets().iter().map(|preset| preset.values.to_vec());
    let smallest = game.parameters().iter().enumerate().map(|(number, parameter)| {
        let mut values = defaults(game);
        values[number] = parameter.bounds().0;
        values
    });
    let start = |values: Vec<u32>| {
        AnyPosition::start_with(game, &values).unwrap_or_else(|error| panic!("{game} {values:?}: {error}"))
    };
    presets.chain(smallest).map(start).collect()
}

/// Returns the error for values that a game refuses.
fn refused(game: Game, values: &[u32]) -> ArgumentError {
    match AnyPosition::start_with(game, values) {
        Err(SetupError::Argument(error)) => error,
        other => panic!("{game} {values:?}: {other:?}"),
    }
}

fn is_word(name: &str) -> bool {
    name.split('-').all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()))
}

fn are_different<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = HashSet::new();
    names.all(|name| seen.insert(name))
}

#[test]
fn names_are_different_words() {
    assert!(are_different(Game::ALL.iter().map(|game| game.name())));
    assert!(are_different(Game::ALL.iter().map(|game| game.title())));
    for &game in Game::ALL {
        assert!(is_word(game.name()), "{game}");
        assert_eq!(game.title().to_ascii_lowercase().replace(' ', "-"), game.name());
        assert!(game.about().ends_with('.'), "{}", game.about());
        let parameters = game.parameters();
        assert!(parameters.iter().all(|parameter| is_word(parameter.name)), "{parameters:?}");
        assert!(parameters.iter().all(|parameter| !parameter.about.is_empty()), "{parameters:?}");
        assert!(are_different(parameters.iter().map(|parameter| parameter.name)), "{parameters:?}");
        assert!(are_different(game.presets().iter().map(|preset| preset.name)), "{game}");
    }
}

#[test]
fn games_are_found_by_their_names_alone() {
    for (number, &game) in Game::ALL.iter().enumerate() {
        assert_eq!(game as usize, number);
        assert_eq!(game.name().parse(), Ok(game));
        assert_eq!(game.to_string(), game.name());
        for wrong in [game.title(), &format!("{game} "), &game.name()[1..], ""] {
            let error = wrong.parse::<Game>().unwrap_err();
            assert_eq!((error.what(), error.input()), ("game", wrong));
            assert!(error.expected().contains(game.name()), "{error}");
        }
        with_game!(game, G => assert_eq!(game.name(), G::NAME));
        with_position!(AnyPosition::default_start(game), position => assert_eq!(position.name(), game.name()));
    }
}

#[test]
fn parameters_have_bounds_that_hold() {
    for parameter in Game::ALL.iter().flat_map(|game| game.parameters()) {
        let (least, most) = parameter.bounds();
        assert!(least < most, "{parameter:?}");
        assert!((least..=most).contains(&parameter.default), "{parameter:?}");
        for value in [least, most, parameter.default] {
            assert_eq!(parameter.check(value), Ok(value));
            assert_eq!(parameter.read(&parameter.write(value)), Some(value), "{parameter:?}");
        }
        for value in beyond(parameter) {
            let error = ArgumentError::new(parameter.name, value, parameter.expected());
            assert_eq!(parameter.check(value), Err(error));
            assert_eq!(parameter.read(&value.to_string()), None);
        }
        for word in ["", " ", "-1", "+1", "1.0", "one", "4294967296", "é"] {
            assert_eq!(parameter.read(word), None, "{word:?} for {parameter:?}");
        }
        let default = parameter.write(parameter.default);
        for word in [format!("0{default}"), format!("{default} "), format!(" {default}")] {
            assert_eq!(parameter.read(&word), None, "{word:?} for {parameter:?}");
        }
        if let Values::Words(words) = parameter.values {
            assert!(are_different(words.iter().copied()), "{words:?}");
            assert!(words.iter().all(|word| !word.is_empty() && !word.contains([' ', ':'])), "{words:?}");
        }
    }
}

/// Returns values outside a parameter's bounds.
fn beyond(parameter: &Parameter) -> impl Iterator<Item = u32> {
    let (least, most) = parameter.bounds();
    [least.checked_sub(1), most.checked_add(1), (most < u32::MAX).then_some(u32::MAX)].into_iter().flatten()
}

#[test]
fn presets_are_starts_and_the_first_has_the_defaults() {
    for &game in Game::ALL {
        assert_eq!(game.presets()[0].values, defaults(game), "{game}");
        let usual = AnyPosition::default_start(game);
        assert_eq!(AnyPosition::start_with(game, &defaults(game)), Ok(usual), "{game}");
        for preset in game.presets() {
            let start = AnyPosition::start_with(game, preset.values).unwrap();
            assert_eq!(start.game(), game);
            with_position!(start, position => {
                assert_eq!(position.values(), preset.values, "{game} {}", preset.name);
                assert_eq!(position.turn(), Some(Player::First), "{game} {}", preset.name);
            });
        }
    }
}

#[test]
fn values_that_are_too_few_too_many_or_out_of_range_are_refused() {
    for &game in Game::ALL {
        let usual = defaults(game);
        let wrong_numbers = (0..usual.len() + 3).filter(|&number| number != usual.len());
        for number in wrong_numbers {
            let values: Vec<u32> = usual.iter().copied().chain([1; 3]).take(number).collect();
            let expected = format!("{} of {game}", usual.len());
            let error = ArgumentError::new("number of parameters", number, expected);
            assert_eq!(refused(game, &values), error);
        }
        for (number, parameter) in game.parameters().iter().enumerate() {
            for value in beyond(parameter) {
                let mut values = usual.clone();
                values[number] = value;
                let error = ArgumentError::new(parameter.name, value, parameter.expected());
                assert_eq!(refused(game, &values), error, "{game} {values:?}");
            }
        }
    }
}

#[test]
fn parameters_are_read_back_from_the_head_of_a_record() {
    fn check<P: Declared>(start: &P) {
        let words = start.parameters();
        let head = if words.is_empty() { P::NAME.to_owned() } else { format!("{} {words}", P::NAME) };
        let record: Record<P> = format!("{head}:").parse().unwrap();
        assert_eq!((record.start(), record.moves().len()), (start, 0));
        assert_eq!(record.to_string(), format!("{head}:"));
        assert_eq!(Record::new(start.clone()), record);
        // Parameters do not change during a game.
        let mut position = start.clone();
        while let Some(m) = position.moves().next() {
            position.play(m).unwrap();
            assert_eq!(position.values(), start.values(), "{position}");
            if position.longest_game().is_none() {
                break;
            }
        }
        for wrong in [format!("{head} :"), format!("{head} 1:"), format!("{head}  1:"), format!(" {head}:")] {
            assert!(wrong.parse::<Record<P>>().is_err(), "{wrong:?}");
        }
    }
    for &game in Game::ALL {
        for start in starts(game) {
            with_position!(&start, position => check(position));
            let words = with_position!(&start, position => position.parameters());
            assert_eq!(AnyPosition::start(game, &words), Ok(start));
        }
    }
}

/// Plays random games and calls a function with the player to move at every ply, once per game.
fn play<P: Engine>(start: &P, games: u64, mut look: impl FnMut(Vec<Player>)) {
    for game in 0..games {
        let (mut position, mut rng, mut turns) = (start.clone(), Rng::for_game(17, game), Vec::new());
        while let Some(player) = position.turn() {
            turns.push(player);
            position.play(position.moves().choose(&mut rng).unwrap()).unwrap();
        }
        look(turns);
    }
}

#[test]
fn no_game_is_longer_than_the_longest() {
    for &game in Game::ALL {
        for start in starts(game) {
            with_position!(&start, position => {
                let longest = position.longest_game().unwrap_or(u64::MAX);
                play(position, 50, |turns| assert!(turns.len() as u64 <= longest, "{position}: {}", turns.len()));
            });
        }
    }
}

/// If nobody is ever skipped, the number of the ply determines whose turn it is, even in Quarto, where the player who
/// places a piece also selects the next one.
#[test]
fn players_are_skipped_where_the_game_says_so() {
    for &game in Game::ALL {
        let mut whose: Vec<HashSet<Player>> = Vec::new();
        with_position!(AnyPosition::default_start(game), position => play(&position, 50, |turns| {
            whose.resize(whose.len().max(turns.len()), HashSet::new());
            whose.iter_mut().zip(turns).for_each(|(players, player)| _ = players.insert(player));
        }));
        let skips = whose.iter().any(|players| players.len() > 1);
        assert_eq!(game.skips(), skips, "{game}");
        with_game!(game, G => assert_eq!(G::SKIPS, skips));
    }
    assert!(Game::Reversi.skips());
}
