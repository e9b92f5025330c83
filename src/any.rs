//! All games at once: the single list of them, and what follows from it.
//!
//! An interface that learns its game at run time, such as the command line or a C handle, holds a [`Game`] or an
//! [`AnyPosition`] and dispatches to the game's own type with [`with_game!`](crate::with_game) or
//! [`with_position!`](crate::with_position). Everything else is generic over the traits.

use std::fmt;
use std::str::FromStr;

use crate::error::{ArgumentError, ParseError, SetupError};
use crate::parameters::{Declared, Parameter, Preset};
use crate::position::Position;
use crate::record::{RecordError, read_start};
use crate::vector::{Batch, Illegal, LaneState, VectorEnv};
use crate::{Breakdown, Quarto, Reversi, TicTac};

/// Passes the single list of games to a macro: `games!([my_macro] more)` is `my_macro!([TicTac …] more)`.
#[macro_export]
macro_rules! games {
    ([$($macro:tt)*] $($more:tt)*) => {
        $($macro)*! { [TicTac Breakdown Reversi Quarto] $($more)* }
    };
}

/// Evaluates an expression for a position of any game: `with_position!(&any, position => position.turn())`.
///
/// The first argument is an [`AnyPosition`](crate::any::AnyPosition) or a reference to one; in the expression after the
/// arrow, the name is bound to the game's own position.
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        $crate::games!([$crate::__match_position] ($any) $position ($body))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __match_position {
    ([$($game:ident)*] ($any:expr) $position:ident ($body:expr)) => {
        match $any {
            $($crate::any::AnyPosition::$game($position) => $body,)*
        }
    };
}

/// Evaluates an expression for any game: `with_game!(game, G => G::PARAMETERS)`.
///
/// In the expression after the arrow, the name is the type of the game's positions.
#[macro_export]
macro_rules! with_game {
    ($game:expr, $type:ident => $body:expr) => {
        $crate::games!([$crate::__match_game] ($game) $type ($body))
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __match_game {
    ([$($name:ident)*] ($game:expr) $type:ident ($body:expr)) => {
        match $game {
            $($crate::any::Game::$name => {
                type $type = $crate::$name;
                $body
            })*
        }
    };
}

macro_rules! declare {
    ([$($game:ident)*]) => {
        /// One of the games.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Game {
            $(#[doc = concat!("[`", stringify!($game), "`](crate::", stringify!($game), ").")] $game,)*
        }

        impl Game {
            /// All games, in the order of their numbers.
            pub const ALL: &'static [Game] = &[$(Game::$game),*];
        }

        /// A position of any of the games.
        ///
        /// ```
        /// use petteia::any::{AnyPosition, Game};
        /// use petteia::with_position;
        ///
        /// let any = AnyPosition::start("reversi".parse()?, "4 4")?;
        /// assert_eq!(any.game(), Game::Reversi);
        /// assert_eq!(with_position!(&any, position => position.to_string()), "____/____/____/____ D");
        /// # Ok::<(), petteia::RecordError>(())
        /// ```
        #[derive(Debug, PartialEq, Eq, Hash)]
        pub enum AnyPosition {
            $(#[doc = concat!("A position of ", stringify!($game), ".")] $game($game),)*
        }

        impl Clone for AnyPosition {
            #[inline]
            fn clone(&self) -> Self {
                match self {
                    $(AnyPosition::$game(position) => AnyPosition::$game(position.clone()),)*
                }
            }

            /// Reuses the memory of a position of the same game.
            #[inline]
            fn clone_from(&mut self, source: &Self) {
                match (self, source) {
                    $((AnyPosition::$game(position), AnyPosition::$game(source)) => position.clone_from(source),)*
                    (position, source) => *position = source.clone(),
                }
            }
        }

        impl AnyPosition {
            /// Returns which game it is.
            pub const fn game(&self) -> Game {
                match self {
                    $(AnyPosition::$game(_) => Game::$game,)*
                }
            }
        }

        $(impl From<$game> for AnyPosition {
            fn from(position: $game) -> Self {
                AnyPosition::$game(position)
            }
        }

        impl TryFrom<AnyPosition> for $game {
            type Error = AnyPosition;

            /// Returns the game's own position, or the given one if it belongs to another game.
            fn try_from(any: AnyPosition) -> Result<Self, AnyPosition> {
                match any {
                    AnyPosition::$game(position) => Ok(position),
                    other => Err(other),
                }
            }
        })*
    };
}

games!([declare]);

impl Game {
    /// Returns the game's name in records and on the command line.
    pub const fn name(self) -> &'static str {
        with_game!(self, G => G::NAME)
    }

    /// Returns the game's title, for people.
    pub const fn title(self) -> &'static str {
        with_game!(self, G => G::TITLE)
    }

    /// Returns how the game is won, in a sentence.
    pub const fn about(self) -> &'static str {
        with_game!(self, G => G::ABOUT)
    }

    /// Returns the game's parameters, in the order of records.
    pub const fn parameters(self) -> &'static [Parameter] {
        with_game!(self, G => G::PARAMETERS)
    }

    /// Returns popular choices of parameters, the defaults first.
    pub const fn presets(self) -> &'static [Preset] {
        with_game!(self, G => G::PRESETS)
    }

    /// Returns whether a player who cannot move is skipped.
    pub const fn skips(self) -> bool {
        with_game!(self, G => G::SKIPS)
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
        let named = Game::ALL.iter().copied().find(|game| game.name() == text);
        named.ok_or_else(|| {
            let names: Vec<_> = Game::ALL.iter().map(|game| game.name()).collect();
            ParseError::new("game", text, format!("one of {}", names.join(", ")))
        })
    }
}

impl AnyPosition {
    /// Returns the starting position of a game, with parameters given as words, such as `8 8`.
    ///
    /// # Errors
    ///
    /// [`RecordError::Parse`] for parameters that the game does not allow, [`RecordError::Memory`] if there is not
    /// enough memory.
    pub fn start(game: Game, parameters: &str) -> Result<Self, RecordError> {
        Ok(with_game!(game, G => read_start::<G>(parameters)?.into()))
    }

    /// Returns the starting position of a game with the given parameter values.
    ///
    /// # Errors
    ///
    /// As for [`Declared::start`].
    pub fn start_with(game: Game, values: &[u32]) -> Result<Self, SetupError> {
        Ok(with_game!(game, G => G::start(values)?.into()))
    }

    /// Returns the starting position of a game with its default parameters.
    pub fn default_start(game: Game) -> Self {
        with_game!(game, G => G::default().into())
    }

    /// Parses the one-line text of a game's position.
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for any other text.
    pub fn parse(game: Game, text: &str) -> Result<Self, ParseError> {
        Ok(with_game!(game, G => text.parse::<G>()?.into()))
    }
}

/// The text of the game's own position.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_position!(self, position => position.fmt(f))
    }
}

/// A batch of games of any kind, whose lanes are [`AnyPosition`]s.
pub trait AnyBatch: Batch {
    /// Returns the starting position of all lanes.
    fn start(&self) -> AnyPosition;

    /// Returns the state of a lane.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    fn lane(&self, lane: usize) -> LaneState<AnyPosition>;

    /// Sets the state of a lane.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a position of another game or with other parameters, or for a finished one marked as
    /// forfeited.
    ///
    /// # Panics
    ///
    /// If there is no such lane.
    fn set_lane(&mut self, lane: usize, state: LaneState<AnyPosition>) -> Result<(), ArgumentError>;
}

impl<P> AnyBatch for VectorEnv<P>
where
    VectorEnv<P>: Batch,
    P: Declared + crate::observe::OnCpu + Into<AnyPosition> + TryFrom<AnyPosition, Error = AnyPosition>,
{
    fn start(&self) -> AnyPosition {
        VectorEnv::start(self).clone().into()
    }

    fn lane(&self, lane: usize) -> LaneState<AnyPosition> {
        let LaneState { position, stream, forfeited } = VectorEnv::lane(self, lane);
        LaneState { position: position.into(), stream, forfeited }
    }

    fn set_lane(&mut self, lane: usize, state: LaneState<AnyPosition>) -> Result<(), ArgumentError> {
        let own = VectorEnv::start(self);
        let wrong = |given: &dyn fmt::Display| {
            let expected = format!("one of {}", described(P::NAME, &own.parameters()));
            ArgumentError::of_text("position", given, expected)
        };
        let position = P::try_from(state.position).map_err(|other| wrong(&other))?;
        if position.values() != own.values() {
            return Err(wrong(&position));
        }
        VectorEnv::set_lane(
            self,
            lane,
            LaneState { position, stream: state.stream, forfeited: state.forfeited },
        )
    }
}

/// Returns a game's name and parameters, as at the start of a record.
fn described(name: &str, parameters: &str) -> String {
    if parameters.is_empty() { name.to_owned() } else { format!("{name} {parameters}") }
}

/// Returns a batch of games from a position, stepped together; see [`VectorEnv::new`].
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
) -> Result<Box<dyn AnyBatch>, SetupError> {
    Ok(with_position!(start, start => Box::new(VectorEnv::new(start, num_envs, seed, threads, illegal)?)))
}
