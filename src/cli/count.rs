//! Counting.

use std::io::Write;
use std::time::Instant;

use super::{Failure, Io};
use crate::any::{AnyPosition, Game};
use crate::search::perft::{PerftOptions, perft_with};
use crate::{Position, with_position};

/// Returns the position to start from: the text's, or the start of a game with the given options.
pub(super) fn position(
    game: Game,
    text: Option<&String>,
    option: impl Fn(&str) -> Option<u32>,
) -> Result<AnyPosition, Failure> {
    let parameters = game.parameters();
    for name in ["width", "height", "stick", "square"].into_iter().filter(|name| option(name).is_some()) {
        if !parameters.iter().any(|(parameter, _)| *parameter == name) {
            return Err(Failure::Complaint(format!("--{name}: {game} has no such option")));
        }
        if text.is_some() {
            return Err(Failure::Complaint(format!("--{name}: the text after --from tells it already")));
        }
    }
    if let Some(text) = text {
        return Ok(AnyPosition::parse(game, text)?);
    }
    let word = |&(name, default): &(&str, &str)| option(name).map_or(default.to_owned(), |n| n.to_string());
    Ok(AnyPosition::start(game, &parameters.iter().map(word).collect::<Vec<_>>().join(" "))?)
}

/// Counts the move sequences from a position, and prints the count, the time and the rate.
pub(super) fn perft(
    io: &mut Io,
    position: &AnyPosition,
    depth: u32,
    options: &PerftOptions,
    json: bool,
) -> Result<u8, Failure> {
    let start = Instant::now();
    let leaves = with_position!(position, position => perft_with(position, depth, options));
    let leaves = leaves.map_err(|error| Failure::Complaint(error.to_string()))?;
    let seconds = start.elapsed().as_secs_f64();
    let rate = leaves as f64 / seconds.max(1e-9);
    let (game, text) = (position.game(), with_position!(position, position => position.text()));
    if json {
        // Positions' texts have no character that JSON would want escaped.
        writeln!(
            io.output,
            "{{\"game\": \"{game}\", \"position\": \"{text}\", \"depth\": {depth}, \"leaves\": {leaves}, \
             \"seconds\": {seconds:.6}, \"leaves_per_second\": {rate:.0}}}"
        )?;
    } else {
        writeln!(io.output, "{leaves} leaves, {seconds:.3} s, {rate:.0} leaves/s")?;
    }
    Ok(0)
}
