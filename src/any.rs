//! All four games at once: the one place that lists them.
//!
//! A face that meets a game by its name, such as a command line or a C handle, holds an [`AnyPosition`] and comes down
//! to the game's own type with [`with_position!`](crate::with_position). Everything else is written over
//! [`Position`].

use std::fmt;
use std::str::FromStr;

use crate::position::{ParseError, Position};
use crate::vector::{Batch, Illegal, VectorEnv};
use crate::{Breakdown, Quarto, Reversi, TicTac};

/// One of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Game {
    /// [`TicTac`].
    TicTac = 0,
    /// [`Breakdown`].
    Breakdown = 1,
    /// [`Reversi`].
    Reversi = 2,
    /// [`Quarto`].
    Quarto = 3,
}

impl Game {
    /// All games, in the order of their numbers.
    pub const ALL: [Game; 4] = [Game::TicTac, Game::Breakdown, Game::Reversi, Game::Quarto];

    /// Returns the game's name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Game::TicTac => TicTac::NAME,
            Game::Breakdown => Breakdown::NAME,
            Game::Reversi => Reversi::NAME,
            Game::Quarto => Quarto::NAME,
        }
    }

    /// Returns the names of the game's parameters in their order, each with its default.
    pub const fn parameters(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Game::TicTac => &[("first", "X")],
            Game::Breakdown => &[("width", "4"), ("height", "5"), ("stick", "2"), ("square", "2")],
            Game::Reversi => &[("width", "8"), ("height", "8")],
            Game::Quarto => &[],
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Game {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let named = Game::ALL.into_iter().find(|game| game.name() == text);
        named.ok_or_else(|| ParseError::new("game", text, "tictac, breakdown, reversi or quarto"))
    }
}

/// A position of any of the games.
///
/// ```
/// use petteia::any::{AnyPosition, Game};
/// use petteia::{Position, with_position};
///
/// let any = AnyPosition::start("reversi".parse()?, "4 4")?;
/// assert_eq!(any.game(), Game::Reversi);
/// assert_eq!(with_position!(&any, position => position.text()), "____/____/____/____ D");
/// # Ok::<(), petteia::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnyPosition {
    /// A position of TicTac.
    TicTac(TicTac),
    /// A position of Breakdown.
    Breakdown(Breakdown),
    /// A position of Reversi.
    Reversi(Reversi),
    /// A position of Quarto.
    Quarto(Quarto),
}

/// Does the same for a position of whichever game it is: `with_position!(&any, position => position.text())`.
///
/// The first argument is an [`AnyPosition`](crate::any::AnyPosition) or a reference to one; in the expression after the
/// arrow the name stands for the game's own position.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::any::AnyPosition::TicTac($position) => $body,
            $crate::any::AnyPosition::Breakdown($position) => $body,
            $crate::any::AnyPosition::Reversi($position) => $body,
            $crate::any::AnyPosition::Quarto($position) => $body,
        }
    };
}

impl AnyPosition {
    /// Returns the position that a game with the given parameters starts from; see [`Position::from_parameters`].
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for parameters that the game does not have.
    pub fn start(game: Game, parameters: &str) -> Result<Self, ParseError> {
        Ok(match game {
            Game::TicTac => TicTac::from_parameters(parameters)?.into(),
            Game::Breakdown => Breakdown::from_parameters(parameters)?.into(),
            Game::Reversi => Reversi::from_parameters(parameters)?.into(),
            Game::Quarto => Quarto::from_parameters(parameters)?.into(),
        })
    }

    /// Returns the position that a game with its usual parameters starts from.
    pub fn default_start(game: Game) -> Self {
        match game {
            Game::TicTac => TicTac::default().into(),
            Game::Breakdown => Breakdown::default().into(),
            Game::Reversi => Reversi::default().into(),
            Game::Quarto => Quarto::default().into(),
        }
    }

    /// Reads the one-line text of a game's position; see [`Position::text`].
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for any other text.
    pub fn parse(game: Game, text: &str) -> Result<Self, ParseError> {
        Ok(match game {
            Game::TicTac => text.parse::<TicTac>()?.into(),
            Game::Breakdown => text.parse::<Breakdown>()?.into(),
            Game::Reversi => text.parse::<Reversi>()?.into(),
            Game::Quarto => text.parse::<Quarto>()?.into(),
        })
    }

    /// Returns which game it is.
    pub const fn game(&self) -> Game {
        match self {
            AnyPosition::TicTac(_) => Game::TicTac,
            AnyPosition::Breakdown(_) => Game::Breakdown,
            AnyPosition::Reversi(_) => Game::Reversi,
            AnyPosition::Quarto(_) => Game::Quarto,
        }
    }
}

/// Returns a number of games from a position, stepped together; see [`VectorEnv::new`].
///
/// # Errors
///
/// As for [`VectorEnv::new`].
pub fn batch(
    start: AnyPosition,
    num_envs: usize,
    seed: u64,
    threads: usize,
    illegal: Illegal,
) -> Result<Box<dyn Batch>, ParseError> {
    Ok(with_position!(start, start => Box::new(VectorEnv::new(start, num_envs, seed, threads, illegal)?)))
}

macro_rules! from_position {
    ($($game:ident),*) => {
        $(impl From<$game> for AnyPosition {
            fn from(position: $game) -> Self {
                AnyPosition::$game(position)
            }
        })*
    };
}

from_position!(TicTac, Breakdown, Reversi, Quarto);
