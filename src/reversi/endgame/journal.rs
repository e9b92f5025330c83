//! What a long search finds out on its way, so that another can go on where it was broken off.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::position::ParseError;

/// Bounds of a position's value that took long to find, for the player to move.
///
/// Its text is a line for a journal: the two sides' squares as [`PositionSet`](crate::reversi::PositionSet) counts them,
/// in hexadecimal digits, the best move's square, the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub(super) me: u64,
    pub(super) op: u64,
    pub(super) best: u8,
    pub(super) lower: i8,
    pub(super) upper: i8,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x} {:016x} {} {} {}", self.me, self.op, self.best, self.lower, self.upper)
    }
}

impl FromStr for Finding {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Self, ParseError> {
        let words: Vec<&str> = line.split(' ').collect();
        let read = || -> Option<Finding> {
            let [me, op, best, lower, upper] = words[..] else { return None };
            let [me, op] = [me, op].map(|word| u64::from_str_radix(word, 16).ok());
            let (me, op, best) = (me?, op?, best.parse().ok()?);
            let (lower, upper) = (lower.parse().ok()?, upper.parse().ok()?);
            (me & op == 0 && lower <= upper).then_some(Finding { me, op, best, lower, upper })
        };
        read().ok_or_else(|| {
            ParseError::new("line of a journal", line, "two sets of squares, a square and two bounds")
        })
    }
}

/// Whoever is told of findings.
pub(super) type Listener = Arc<dyn Fn(&Finding) + Send + Sync>;
