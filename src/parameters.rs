//! How a game describes itself: its title, its parameters and its presets.
//!
//! Each game does so once, in its own module. Constructors, records, the command, C, Python and the web page all read
//! it from here.

use std::fmt;
use std::str::FromStr;

use crate::error::{ArgumentError, ParseError, SetupError};
use crate::position::Position;

/// A number or a word that a game is set up with, such as the width of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name: an option of the command, a keyword in Python.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Its default value.
    pub default: u32,
    /// Its allowed values.
    pub values: Values,
}

/// The allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A range of numbers, both ends included.
    Numbers {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// A choice of words, numbered from 0.
    Words(&'static [&'static str]),
}

impl Parameter {
    /// Declares a number from `least` to `most`.
    pub const fn number(
        name: &'static str,
        about: &'static str,
        default: u32,
        least: u32,
        most: u32,
    ) -> Parameter {
        Parameter { name, about, default, values: Values::Numbers { least, most } }
    }

    /// Declares a choice of words; the first is the default.
    pub const fn word(name: &'static str, about: &'static str, words: &'static [&'static str]) -> Parameter {
        Parameter { name, about, default: 0, values: Values::Words(words) }
    }

    /// Returns the least and the greatest value.
    pub const fn bounds(&self) -> (u32, u32) {
        match self.values {
            Values::Numbers { least, most } => (least, most),
            Values::Words(words) => (0, words.len() as u32 - 1),
        }
    }

    /// Returns the value if it is allowed.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] that names the parameter for any other.
    pub fn check(&self, value: u32) -> Result<u32, ArgumentError> {
        let (least, most) = self.bounds();
        if (least..=most).contains(&value) {
            Ok(value)
        } else {
            Err(ArgumentError::new(self.name, value, self.expected()))
        }
    }

    /// Parses a value: a number in digits without leading zeros, or one of the words.
    pub fn read(&self, word: &str) -> Option<u32> {
        let value = match self.values {
            Values::Numbers { .. } => read_number(word)?,
            Values::Words(words) => words.iter().position(|known| *known == word)? as u32,
        };
        self.check(value).ok()
    }

    /// Returns the text of a value.
    pub fn write(&self, value: u32) -> String {
        match self.values {
            Values::Words(words) if (value as usize) < words.len() => words[value as usize].to_owned(),
            _ => value.to_string(),
        }
    }

    /// Describes the allowed values: `2 to 8`, `X or O`.
    pub fn expected(&self) -> String {
        match self.values {
            Values::Numbers { least, most } => format!("{least} to {most}"),
            Values::Words(words) => words.join(" or "),
        }
    }
}

/// Parses a number in canonical form: digits only, no leading zero.
pub(crate) fn read_number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let padded = text.len() > 1 && text.starts_with('0');
    if digits && !padded { text.parse().ok() } else { None }
}

/// A popular choice of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is called.
    pub name: &'static str,
    /// The value of each parameter.
    pub values: &'static [u32],
}

/// A game that describes itself and its parameters.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::Reversi;
///
/// assert_eq!((Reversi::NAME, Reversi::PARAMETERS[0].name), ("reversi", "width"));
/// assert_eq!(Reversi::new(6, 4)?.parameters(), "6 4");
/// # Ok::<(), petteia::ArgumentError>(())
/// ```
pub trait Declared: Position + Default + FromStr<Err = ParseError> {
    /// The game's title, for people.
    const TITLE: &'static str = Self::NAME;

    /// How the game is won, in a sentence.
    const ABOUT: &'static str = "";

    /// The parameters, in the order of records.
    const PARAMETERS: &'static [Parameter] = &[];

    /// Popular choices of parameters; the first has the defaults.
    const PRESETS: &'static [Preset] = &[];

    /// Whether a player who cannot move is skipped, so that the other moves twice in a row.
    const SKIPS: bool = false;

    /// Returns the starting position of a game with the given parameter values.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] for too few or too many values, for one out of range, or if there is not enough memory.
    fn start(values: &[u32]) -> Result<Self, SetupError>;

    /// Returns the values of this game's parameters.
    fn values(&self) -> Vec<u32>;

    /// Returns the greatest possible number of plies of a game, or `None` if it can go on forever.
    fn longest_game(&self) -> Option<u64> {
        None
    }

    /// Returns the parameters as words joined by single spaces, such as `8 8`.
    fn parameters(&self) -> String {
        let words =
            Self::PARAMETERS.iter().zip(self.values()).map(|(parameter, value)| parameter.write(value));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Parses the values of a game's parameters from words joined by single spaces.
///
/// # Errors
///
/// A [`ParseError`] for too few or too many words, or for one that its parameter does not allow.
pub fn read_values<P: Declared>(words: &str) -> Result<Vec<u32>, ParseError> {
    let mut given = words.split(' ');
    let mut next = |parameter: &Parameter| given.next().and_then(|word| parameter.read(word));
    let values: Option<Vec<u32>> = match P::PARAMETERS {
        [] => words.is_empty().then(Vec::new),
        parameters => {
            parameters.iter().map(&mut next).collect::<Option<_>>().filter(|_| given.next().is_none())
        }
    };
    values.ok_or_else(|| ParseError::new(format!("{} parameters", P::NAME), words, Expected(P::PARAMETERS)))
}

/// Checks the number and the ranges of a game's parameter values, as the first step of [`Declared::start`].
///
/// ```
/// use petteia::{Reversi, check_values};
///
/// assert_eq!(check_values::<2, Reversi>(&[6, 4]), Ok([6, 4]));
/// assert!(check_values::<2, Reversi>(&[6, 9]).is_err());
/// ```
///
/// # Errors
///
/// An [`ArgumentError`] for too few or too many values, or for one out of range.
pub fn check_values<const N: usize, P: Declared>(values: &[u32]) -> Result<[u32; N], ArgumentError> {
    let values: [u32; N] = values.try_into().map_err(|_| {
        ArgumentError::new("number of parameters", values.len(), format!("{N} of {}", P::NAME))
    })?;
    for (parameter, value) in P::PARAMETERS.iter().zip(values) {
        parameter.check(value)?;
    }
    Ok(values)
}

/// Describes the expected words.
struct Expected(&'static [Parameter]);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [others @ .., last] = self.0 else { return f.write_str("none") };
        for (number, parameter) in self.0.iter().enumerate() {
            let before = match number {
                0 => "",
                _ if number == others.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{} ({})", parameter.name, parameter.expected())?;
        }
        f.write_str(", such as")?;
        others
            .iter()
            .chain([last])
            .try_for_each(|parameter| write!(f, " {}", parameter.write(parameter.default)))
    }
}
