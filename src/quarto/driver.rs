//! The game driver of the course's assignment.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::str::FromStr;

use super::{Board, HumanPlayer, Move, MyopicPlayer, Pool, Quarto, QuartoPlayer};
use crate::error::ParseError;
use crate::position::{Outcome, Player, Position};
use crate::{Bot, Memory, Rng};

/// Who controls a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A [`HumanPlayer`], `h`.
    Human,
    /// A [`MyopicPlayer`], `m`.
    Myopic,
    /// A computer player of another strength, by its name.
    Computer(Bot),
}

impl FromStr for Seat {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match text {
            "h" => Ok(Seat::Human),
            "m" => Ok(Seat::Myopic),
            _ => text.parse().map(Seat::Computer).map_err(|_| {
                let expected = format!("h for a human, m for the myopic player, {}", Bot::NAMES);
                ParseError::new("player", text, expected)
            }),
        }
    }
}

/// Plays a game and prints what the assignment's program prints; the seed is for the computer players.
///
/// Two myopic players are the same object, with one random stream; so are two humans, with one input.
///
/// ```
/// use petteia::quarto::{Seat, play};
/// use petteia::{Outcome, Player};
///
/// let mut output = Vec::new();
/// let outcome = play([Seat::Myopic; 2], 2019, std::io::empty(), &mut output)?;
/// assert_eq!(outcome, Outcome::Win(Player::First));
/// assert!(output.ends_with(b"Player 1 has won!\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// An [`io::Error`] of reading or writing; its kind is `UnexpectedEof` when the input ends before the game does.
pub fn play(seats: [Seat; 2], seed: u32, input: impl BufRead, output: impl Write) -> io::Result<Outcome> {
    play_with_hints(seats, seed, input, output, None)
}

/// Like [`play`], but tells humans what a function says about the position.
pub(crate) fn play_with_hints(
    seats: [Seat; 2],
    seed: u32,
    mut input: impl BufRead,
    mut output: impl Write,
    hint: Option<fn(&Quarto) -> String>,
) -> io::Result<Outcome> {
    let mut board = Board::new();
    let mut pool = Pool::new();
    let mut myopic = MyopicPlayer::new(seed);
    // The position for the computer players.
    let mut position = Quarto::new();
    let mut rng = Rng::new(seed.into());
    let memories = [Memory::default(), Memory::default()];
    let mut choose = |bot: Bot, player: Player, position: &Quarto| {
        let choice = bot.think(position, &mut rng, &memories[player.index()], &|| ControlFlow::Continue(()));
        choice.map(|choice| choice.m)
    };
    let hint = |output: &mut dyn Write, position: &Quarto| match hint {
        Some(hint) => writeln!(output, "{}", hint(position)),
        None => Ok(()),
    };
    let over = || io::Error::other("the computer has no move");
    let mut selector = Player::First;
    write!(output, "{board}\n{pool}\n")?;
    while pool.unused().len() > 0 {
        let placer = selector.other();

        writeln!(output, "Player {}'s turn to select a piece:", selector.index() + 1)?;
        let piece = match seats[selector.index()] {
            Seat::Human => {
                hint(&mut output, &position)?;
                HumanPlayer::new(&mut input, &mut output).select_piece(&board, &pool)?
            }
            Seat::Myopic => myopic.select_piece(&board, &pool)?,
            Seat::Computer(bot) => match choose(bot, selector, &position) {
                Some(Move::Select(piece)) => piece,
                _ => return Err(over()),
            },
        };
        position.play_unchecked(Move::Select(piece));
        write!(output, "{piece} selected.\n\n")?;

        writeln!(output, "Player {}'s turn to select a square:", placer.index() + 1)?;
        let square = match seats[placer.index()] {
            Seat::Human => {
                hint(&mut output, &position)?;
                HumanPlayer::new(&mut input, &mut output).select_square(&board, &pool, piece)?
            }
            Seat::Myopic => myopic.select_square(&board, &pool, piece)?,
            Seat::Computer(bot) => match choose(bot, placer, &position) {
                Some(Move::Place(square)) => square,
                _ => return Err(over()),
            },
        };
        position.play_unchecked(Move::Place(square));
        write!(output, "{square} selected.\n\n")?;

        board.place(piece, square, &mut pool);
        write!(output, "{board}\n{pool}\n")?;
        if board.is_winning(piece, square) {
            writeln!(output, "Player {} has won!", placer.index() + 1)?;
            output.flush()?;
            return Ok(Outcome::Win(placer));
        }
        selector = placer;
    }
    writeln!(output, "It is a draw.")?;
    output.flush()?;
    Ok(Outcome::Draw)
}
