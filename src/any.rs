//! All games at once: the single list of them, and what follows from it.
//!
//! An interface that learns its game at run time, such as the command line or a C handle, holds a [`Game`] or an
//! [`AnyPosition`] and dispatches to the game's own type with [`with_game!`](crate::with_game) or
//! [`with_position!`](crate::with_position). Everything else is generic over the traits.

use std::fmt;
use std::str::FromStr;

use crate::error::{ArgumentError, ParseError, SetupError, push};
use crate::parameters::{Declared, Parameter, Preset};
use crate::position::Position;
use crate::record::{RecordError, read_start};
use crate::starts::{Start, Starts};
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

/// Evaluates an expression for starts of any game: `with_starts!(&any, starts => selfplay.play(starts, games))`.
///
/// The first argument is an [`AnyStarts`](crate::any::AnyStarts) or a reference to one; in the expression after the
/// arrow, the name is bound to the game's own [`Starts`](crate::Starts).
#[macro_export]
macro_rules! with_starts {
    ($any:expr, $starts:ident => $body:expr) => {
        $crate::games!([$crate::__match_starts] ($any) $starts ($body))
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

#[doc(hidden)]
#[macro_export]
macro_rules! __match_starts {
    ([$($game:ident)*] ($any:expr) $starts:ident ($body:expr)) => {
        match $any {
            $($crate::any::AnyStarts::$game($starts) => $body,)*
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

        /// [`Starts`] of any of the games, all with the same parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyStarts {
            $(#[doc = concat!("Starts of ", stringify!($game), ".")] $game(Starts<$game>),)*
        }

        impl AnyStarts {
            /// Returns the given positions.
            ///
            /// # Errors
            ///
            /// An [`ArgumentError`] if there are none, for one in which the game is over, or for one of another game or
            /// with other parameters than the first.
            pub fn new(positions: Vec<AnyPosition>) -> Result<Self, ArgumentError> {
                match positions.first() {
                    $(Some(AnyPosition::$game(_)) => alike(positions).map(AnyStarts::$game),)*
                    None => Err(ArgumentError::new("start", "[]", "at least one position")),
                }
            }

            /// Returns which game it is.
            pub const fn game(&self) -> Game {
                match self {
                    $(AnyStarts::$game(_) => Game::$game,)*
                }
            }

            /// Returns the game's name and parameters, as [`AnyPosition::described`].
            pub fn described(&self) -> String {
                match self {
                    $(AnyStarts::$game(starts) => described(starts.first()),)*
                }
            }

            /// Describes why the positions cannot be taken, by the first of them.
            pub fn refuse(&self, expected: &str) -> ArgumentError {
                match self {
                    $(AnyStarts::$game(starts) => starts.refuse(0, expected),)*
                }
            }

            /// Returns all positions, in the given order.
            pub fn positions(&self) -> Vec<AnyPosition> {
                match self {
                    $(AnyStarts::$game(starts) => starts.iter().cloned().map(Into::into).collect(),)*
                }
            }
        }

        /// A position where all games start. If the game is over there, so is each of them.
        impl From<AnyPosition> for AnyStarts {
            fn from(position: AnyPosition) -> Self {
                match position {
                    $(AnyPosition::$game(position) => AnyStarts::$game(position.into()),)*
                }
            }
        }

        $(impl From<$game> for AnyPosition {
            fn from(position: $game) -> Self {
                AnyPosition::$game(position)
            }
        }

        impl From<Starts<$game>> for AnyStarts {
            fn from(starts: Starts<$game>) -> Self {
                AnyStarts::$game(starts)
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

    /// Returns the game's name and parameters, as at the start of a record: `reversi 8 8`.
    pub fn described(&self) -> String {
        with_position!(self, position => described(position))
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
    /// Returns where games start.
    fn starts(&self) -> AnyStarts;

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
    AnyStarts: From<Starts<P>>,
{
    fn starts(&self) -> AnyStarts {
        VectorEnv::starts(self).clone().into()
    }

    fn lane(&self, lane: usize) -> LaneState<AnyPosition> {
        let LaneState { position, stream, forfeited, plies } = VectorEnv::lane(self, lane);
        LaneState { position: position.into(), stream, forfeited, plies }
    }

    fn set_lane(&mut self, lane: usize, state: LaneState<AnyPosition>) -> Result<(), ArgumentError> {
        let own = VectorEnv::starts(self).first();
        let wrong = |given: &dyn fmt::Display| ArgumentError::of_text("position", given, one_like(own));
        let position = P::try_from(state.position).map_err(|other| wrong(&other))?;
        if position.values() != own.values() {
            return Err(wrong(&position));
        }
        let LaneState { stream, forfeited, plies, .. } = state;
        VectorEnv::set_lane(self, lane, LaneState { position, stream, forfeited, plies })
    }
}

/// Returns a game's name and parameters, as at the start of a record.
fn described<P: Declared>(position: &P) -> String {
    let (name, parameters) = (P::NAME, position.parameters());
    if parameters.is_empty() { name.to_owned() } else { format!("{name} {parameters}") }
}

/// Describes the positions of a game with its parameters.
fn one_like<P: Declared>(position: &P) -> String {
    format!("one of {}", described(position))
}

/// Returns positions as starts of the first one's game.
fn alike<P>(positions: Vec<AnyPosition>) -> Result<Starts<P>, ArgumentError>
where
    P: Declared + TryFrom<AnyPosition, Error = AnyPosition>,
{
    let mut own: Vec<P> = Vec::new();
    for (place, position) in positions.into_iter().enumerate() {
        let wrong = |given: &dyn fmt::Display, own: &[P]| {
            let expected = own.first().map_or_else(String::new, one_like);
            ArgumentError::of_text(format!("start[{place}]"), given, expected)
        };
        let position = P::try_from(position).map_err(|other| wrong(&other, &own))?;
        if own.first().is_some_and(|first| first.values() != position.values()) {
            return Err(wrong(&position, &own));
        }
        push("starts", &mut own, position);
    }
    Starts::new(own)
}

/// Returns a batch of games, stepped together; see [`VectorEnv::new`].
///
/// # Errors
///
/// As for [`VectorEnv::new`].
pub fn batch(
    start: impl Into<AnyStarts>,
    num_envs: usize,
    seed: u64,
    threads: usize,
    illegal: Illegal,
) -> Result<Box<dyn AnyBatch>, SetupError> {
    Ok(
        with_starts!(start.into(), start => Box::new(VectorEnv::new(start, num_envs, seed, threads, illegal)?)),
    )
}
