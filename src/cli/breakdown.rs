//! The play program of Breakdown.

use std::io::Write;
use std::ops::ControlFlow;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};

use super::analyse::hint;
use super::arguments::{bot, bots, flag, number, seed, value};
use super::{Failure, Io, Program};
use crate::breakdown::{Board, Game, GameOutcome, Kind, Move, Turn, index_of};
use crate::{Bot, Breakdown, Declared, Memory, Position, Rng};

pub(super) const PROGRAM: Program = Program { name: "breakdown", executable: Some("play"), describe, run };

/// The document's letters for the game's parameters.
const LETTERS: [(&str, char); 4] = [("w", 'w'), ("h", 'h'), ("k", 'k'), ("q", 'q')];

/// The sides in the order of play.
const SIDES: [&str; 2] = ["black", "white"];

fn describe(command: Command) -> Command {
    let sizes = LETTERS.into_iter().zip(Breakdown::PARAMETERS).map(|((name, letter), parameter)| {
        let (least, most) = parameter.bounds();
        number(name, parameter.about, least..=most).short(letter).required(true)
    });
    let kind = |name: &'static str, letter, about: &'static str| {
        Arg::new(name).short(letter).action(ArgAction::SetTrue).help(about)
    };
    command
        .about("Plays Breakdown in the terminal")
        .disable_help_flag(true)
        .arg(flag("help", "Prints help (-h is the height)").action(ArgAction::Help))
        .args(sizes)
        .arg(kind("matrix", 'm', "Stores the board as a matrix"))
        .arg(kind("bits", 'b', "Stores the board as packed bits"))
        .group(ArgGroup::new("kind").args(["matrix", "bits"]).required(true))
        .args(SIDES.map(bot))
        .arg(seed().long("seed"))
        .arg(flag("hints", "Answers ? with a good move: exact, or by an estimate"))
        .after_help(
            "Moves: | drops a vertical stick and - a horizontal one, into the column asked for next; \
             ! is a breakdown. Only the first character of a line counts.\n\n\
             Example:\n  petteia breakdown -w 7 -h 6 -k 2 -q 3 -b",
        )
}

fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let [width, height, stick, square] = LETTERS.map(|(name, _)| value(matches, name));
    let kind = if matches.get_flag("bits") { Kind::Bits } else { Kind::Matrix };
    let game = Game::new(stick, square, width, height, kind)?;
    let mut rng = Rng::new(value::<u32>(matches, "seed").into());
    play(io, game, bots(matches, SIDES), matches.get_flag("hints"), &mut rng)
}

/// Plays a game to its end; a side without a bot is played by a person.
fn play(
    io: &mut Io,
    mut game: Game,
    bots: [Option<Bot>; 2],
    hints: bool,
    rng: &mut Rng,
) -> Result<u8, Failure> {
    let memories = [Memory::default(), Memory::default()];
    // Bots and hints need a position, which is kept in step with the game.
    let mut position = if bots == [None; 2] && !hints {
        None
    } else {
        let (width, height) = (game.board.width(), game.board.height());
        Some(Breakdown::new(width, height, game.stick(), game.square())?)
    };
    write!(io.output, "{}", game.board)?;
    let result = loop {
        match game.outcome() {
            GameOutcome::InProgress => {}
            GameOutcome::BlackWin => break "Black wins!",
            GameOutcome::WhiteWin => break "White wins!",
            GameOutcome::Draw => break "It is a draw.",
        }
        let (prompt, side) = match game.next {
            Turn::BlackNext => ("Black: ", 0),
            Turn::WhiteNext => ("White: ", 1),
        };
        let m = match bots[side] {
            None => ask(io, prompt, &mut game, position.as_ref().filter(|_| hints))?,
            Some(bot) => {
                let position = position.as_ref().expect("there is a position if there are bots");
                let choice = bot.think(position, rng, &memories[side], &|| ControlFlow::Continue(()));
                let m = choice.expect("there is a move until the game is over").m;
                writeln!(io.output, "{prompt}{m}")?;
                make(&mut game, m);
                m
            }
        };
        if let Some(position) = &mut position {
            position.play_unchecked(m);
        }
        game.next = game.next.other();
        write!(io.output, "\n{}", game.board)?;
    };
    writeln!(io.output, "\n{result}")?;
    Ok(0)
}

/// Asks for a move until one can be made, makes it and returns it; answers `?` with a hint if there is a position.
fn ask(io: &mut Io, prompt: &str, game: &mut Game, position: Option<&Breakdown>) -> Result<Move, Failure> {
    loop {
        let orientation: fn(u32) -> Move = match io.ask(prompt)?.first() {
            Some(b'!') => {
                game.breakdown();
                return Ok(Move::Breakdown);
            }
            Some(b'|') => Move::Vertical,
            Some(b'-') => Move::Horizontal,
            Some(b'?') if position.is_some() => {
                writeln!(io.output, "{}", position.map(hint).unwrap_or_default())?;
                continue;
            }
            _ => {
                writeln!(io.output, "Invalid input.")?;
                continue;
            }
        };
        let column = io.ask("Column: ")?.first().and_then(|&label| index_of(char::from(label)));
        match column.map(orientation) {
            Some(m) if make(game, m) => return Ok(m),
            Some(_) => writeln!(io.output, "No room for a stick there.")?,
            None => writeln!(io.output, "Invalid input.")?,
        }
    }
}

/// Makes a move if it fits, and returns whether it did.
fn make(game: &mut Game, m: Move) -> bool {
    match m {
        Move::Vertical(column) => game.drop_stick(column, true),
        Move::Horizontal(column) => game.drop_stick(column, false),
        Move::Breakdown => {
            game.breakdown();
            true
        }
    }
}
