//! The driver of Quarto.

use clap::{ArgMatches, Command};

use super::analyse::hint;
use super::arguments::{flag, player, seed, value};
use super::{Failure, Io, Program};
use crate::Quarto;
use crate::quarto::{self, Seat};

pub(super) const PROGRAM: Program = Program { name: "quarto", executable: Some("game"), describe, run };

fn describe(command: Command) -> Command {
    let player = |name| {
        let about = "h for a human, m for the myopic player of the assignment, or a computer player";
        player::<Seat>(name, about).required(true)
    };
    command
        .about("Plays Quarto in the terminal")
        .args([player("first"), player("second")])
        .arg(seed())
        .arg(flag("hints", "Shows humans a good move: exact, or by an estimate"))
        .after_help("Example:\n  petteia quarto h m 2019")
}

/// Plays a game to its end.
fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let seats = [value(matches, "first"), value(matches, "second")];
    let hint = matches.get_flag("hints").then_some(hint::<Quarto> as fn(&Quarto) -> String);
    quarto::play_with_hints(seats, value(matches, "seed"), &mut io.input, &mut io.output, hint)?;
    Ok(0)
}
