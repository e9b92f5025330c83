//! The play program of Breakdown.

use std::io::Write;

use super::arguments::Seat;
use super::{Failure, Io};
use crate::Rng;
use crate::breakdown::{Board, Game, GameOutcome, Move, Turn, index_of, rules};

/// Plays a game to its end.
pub(super) fn play(io: &mut Io, mut game: Game, seats: [Seat; 2], seed: u64) -> Result<u8, Failure> {
    let mut rng = Rng::new(seed);
    write!(io.output, "{}", game.board)?;
    while game.outcome() == GameOutcome::InProgress {
        let (name, seat) = match game.next {
            Turn::BlackNext => ("Black: ", seats[0]),
            Turn::WhiteNext => ("White: ", seats[1]),
        };
        match seat {
            Seat::Person => ask(io, name, &mut game)?,
            Seat::Random => {
                let m = choose(&game, &mut rng);
                writeln!(io.output, "{name}{m}")?;
                make(&mut game, m);
            }
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

/// Asks for a move until one can be made, and makes it.
fn ask(io: &mut Io, prompt: &str, game: &mut Game) -> Result<(), Failure> {
    loop {
        let vertical = match io.ask(prompt)?.first() {
            Some(b'!') => {
                game.breakdown();
                return Ok(());
            }
            Some(b'|') => true,
            Some(b'-') => false,
            _ => {
                writeln!(io.output, "Invalid input.")?;
                continue;
            }
        };
        let column = io.ask("Column: ")?.first().and_then(|&label| index_of(char::from(label)));
        match column.map(|column| game.drop_stick(column, vertical)) {
            Some(true) => return Ok(()),
            Some(false) => writeln!(io.output, "No room for a stick there.")?,
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

/// Chooses one of the legal moves.
fn choose(game: &Game, rng: &mut Rng) -> Move {
    let columns = 0..game.board.width();
    let upright = columns.clone().map(|column| (column, true));
    let lying = columns.map(|column| (column, false));
    let fits = |&(column, vertical): &(u32, bool)| {
        rules::has_room(&game.board, game.stick(), column, vertical) == Ok(true)
    };
    let drops: Vec<(u32, bool)> = upright.chain(lying).filter(fits).collect();
    match drops.get(rng.below(drops.len() + 1)) {
        Some(&(column, true)) => Move::Vertical(column),
        Some(&(column, false)) => Move::Horizontal(column),
        None => Move::Breakdown,
    }
}
