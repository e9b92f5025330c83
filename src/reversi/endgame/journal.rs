//! Findings of a long search, with which another can resume it.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::error::ParseError;

/// Bounds on a position's value for the player to move that took long to find.
///
/// Its text is one line of a journal: the bits of both sides' [`PositionSet`](crate::reversi::PositionSet)s in
/// hexadecimal, the square of the best move, and the bounds.
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

/// A callback for findings.
pub(super) type Listener = Arc<dyn Fn(&Finding) + Send + Sync>;
