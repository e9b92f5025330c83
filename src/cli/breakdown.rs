//! The play program of Breakdown.

use std::io::Write;

use super::arguments::Seat;
use super::{Failure, Io};
use crate::breakdown::{Board, Game, GameOutcome, Move, Turn, index_of};
use crate::{Breakdown, Position, Rng};

/// Plays a game to its end.
pub(super) fn play(io: &mut Io, mut game: Game, seats: [Seat; 2], seed: u64) -> Result<u8, Failure> {
    let mut rng = Rng::new(seed);
    // The computer thinks on a position of its own, which follows the game.
    let mut position = if seats == [Seat::Person; 2] {
        None
    } else {
        let (width, height) = (game.board.width(), game.board.height());
        Some(Breakdown::new(width, height, game.stick(), game.square())?)
    };
    write!(io.output, "{}", game.board)?;
    while game.outcome() == GameOutcome::InProgress {
        let (name, seat) = match game.next {
            Turn::BlackNext => ("Black: ", seats[0]),
            Turn::WhiteNext => ("White: ", seats[1]),
        };
        let chosen = match (seat, &position) {
            (Seat::Computer(bot), Some(position)) => bot.choose(position, &mut rng),
            _ => None,
        };
        let m = match chosen {
            Some(m) => {
                writeln!(io.output, "{name}{m}")?;
                make(&mut game, m);
                m
            }
            None => ask(io, name, &mut game)?,
        };
        if let Some(position) = &mut position {
            position.play_unchecked(m);
        }
        game.next = game.next.other();
        write!(io.output, "\n{}", game.board)?;
    }
    let result = match game.outcome() {
        GameOutcome::BlackWin => "Black wins!",
        GameOutcome::WhiteWin => "White wins!",
        _ => "It is a draw.",
    };
    writeln!(io.output, "\n{result}")?;
    Ok(0)
}

/// Asks for a move until one can be made, makes it and returns it.
fn ask(io: &mut Io, prompt: &str, game: &mut Game) -> Result<Move, Failure> {
    loop {
        let orientation: fn(u32) -> Move = match io.ask(prompt)?.first() {
            Some(b'!') => {
                game.breakdown();
                return Ok(Move::Breakdown);
            }
            Some(b'|') => Move::Vertical,
            Some(b'-') => Move::Horizontal,
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

/// Makes a move that fits, and returns whether it did.
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
