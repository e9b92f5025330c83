//! Arguments that `perft`, `solve` and `analyse` share: the position to start from, threads and memory.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches};

use super::Failure;
use super::arguments::{number, read_number, value};
use crate::any::{AnyPosition, Game};
use crate::parameters::{Parameter, Values};

/// Describes the game.
pub(super) fn game() -> Arg {
    let names = PossibleValuesParser::new(Game::ALL.iter().map(|game| game.name()));
    let game = names.try_map(|name| name.parse::<Game>());
    Arg::new("game").value_name("GAME").required(true).value_parser(game).help("The game")
}

/// Describes the options for the start: a position's text, or any parameter of any game.
pub(super) fn start() -> Vec<Arg> {
    let text =
        Arg::new("from").long("from").value_name("TEXT").help("Position to start from, as one line of text");
    let parameters = options().into_iter().map(|(name, games)| describe(name, &games));
    [text].into_iter().chain(parameters).collect()
}

/// A parameter and the game that has it.
type Owned = (Game, &'static Parameter);

/// Returns the parameters of all games, grouped by name, in the order of the games.
fn options() -> Vec<(&'static str, Vec<Owned>)> {
    let parameters = |game: Game| game.parameters().iter().map(move |parameter| (game, parameter));
    let all = Game::ALL.iter().flat_map(|&game| parameters(game));
    grouped(all.map(|(game, parameter)| (parameter.name, (game, parameter))))
}

/// Describes the option for all parameters of one name.
///
/// Its value stays text, since the allowed values depend on the game.
fn describe(name: &'static str, games: &[Owned]) -> Arg {
    let abouts = grouped(games.iter().map(|(game, parameter)| (parameter.about, game.name())));
    let abouts: Vec<String> =
        abouts.iter().map(|(about, games)| format!("{about} ({})", games.join(", "))).collect();
    let words = games.iter().map(|(_, parameter)| match parameter.values {
        Values::Words(words) => Some(words),
        Values::Numbers { .. } => None,
    });
    let arg = Arg::new(name)
        .long(name)
        .value_name(name.to_uppercase())
        .allow_negative_numbers(true)
        .help(abouts.join("; "));
    match words.collect::<Option<Vec<_>>>() {
        Some(words) => {
            let words = grouped(words.concat().into_iter().map(|word| (word, ())));
            arg.value_parser(PossibleValuesParser::new(words.into_iter().map(|(word, _)| word)))
        }
        None => arg,
    }
}

/// Groups values by key, in the order in which the keys first occur.
fn grouped<K: PartialEq, V>(pairs: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, value) in pairs {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// Returns the position to start from: the one given as text, or the start of the game with the given parameters.
pub(super) fn position(matches: &ArgMatches) -> Result<AnyPosition, Failure> {
    let game: Game = value(matches, "game");
    let text = matches.get_one::<String>("from");
    let given = |name| matches.get_one::<String>(name);
    for (name, games) in options() {
        if given(name).is_none() {
            continue;
        }
        if !games.iter().any(|(owner, _)| *owner == game) {
            return Err(Failure::Complaint(format!("--{name}: {game} has no such option")));
        }
        if text.is_some() {
            return Err(Failure::Complaint(format!("--{name}: cannot be combined with --from")));
        }
    }
    if let Some(text) = text {
        return Ok(AnyPosition::parse(game, text)?);
    }
    let values = game.parameters().iter().map(|parameter| match given(parameter.name) {
        Some(word) => read(parameter, word),
        None => Ok(parameter.default),
    });
    Ok(AnyPosition::start_with(game, &values.collect::<Result<Vec<u32>, _>>()?)?)
}

/// Parses the value of a parameter.
fn read(parameter: &Parameter, word: &str) -> Result<u32, Failure> {
    let value = match parameter.values {
        Values::Numbers { least, most } => read_number(word, &(least..=most)),
        Values::Words(_) => parameter.read(word).ok_or_else(|| format!("expected {}", parameter.expected())),
    };
    value.map_err(|expected| {
        let (name, word) = (parameter.name, word.escape_debug());
        Failure::Complaint(format!(
            "invalid value '{word}' for '--{name} <{}>': {expected}",
            name.to_uppercase()
        ))
    })
}

/// Describes the number of threads.
pub(super) fn threads_option() -> Arg {
    number("threads", "Number of threads", 1..=u32::MAX).long("threads").default_value("1")
}

/// Describes the number of threads and the size of the transposition table.
pub(super) fn resources(table: &'static str) -> [Arg; 2] {
    [threads_option(), number("table", table, 1..=u32::MAX).long("table").value_name("MB")]
}

/// Returns the number of threads.
pub(super) fn threads(matches: &ArgMatches) -> usize {
    value::<u32>(matches, "threads") as usize
}

/// Returns the size of the transposition table in bytes.
pub(super) fn table_bytes(matches: &ArgMatches) -> Option<usize> {
    matches.get_one::<u32>("table").map(|&megabytes| (megabytes as usize).saturating_mul(1 << 20))
}
