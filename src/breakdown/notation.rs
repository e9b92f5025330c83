//! The notation of moves, rows and columns.

use std::fmt;
use std::str::FromStr;

use crate::error::ParseError;
use crate::parameters::read_number;

/// The characters that label rows and columns, in order.
const LABELS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Returns the label of a row or column on a drawn board: `?` from 62 on, where the letters run out.
pub const fn label(index: u32) -> char {
    if index < 62 { LABELS[index as usize] as char } else { '?' }
}

/// Returns the row or column of a label, or `None` for any other character.
pub const fn index_of(label: char) -> Option<u32> {
    match label {
        '0'..='9' => Some(label as u32 - '0' as u32),
        'A'..='Z' => Some(label as u32 - 'A' as u32 + 10),
        'a'..='z' => Some(label as u32 - 'a' as u32 + 36),
        _ => None,
    }
}

/// A move: a stick dropped into a column, or a breakdown.
///
/// It is written as an orientation and a column label, `|4` or `-B`, or as `!`; columns from 62 on have no label and
/// are written in decimal.
///
/// ```
/// use petteia::breakdown::Move;
///
/// assert_eq!("-B".parse(), Ok(Move::Horizontal(11)));
/// assert_eq!(Move::Vertical(62).to_string(), "|62");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Drops a vertical stick into a column.
    Vertical(u32),
    /// Drops a horizontal stick, with its left end in a column.
    Horizontal(u32),
    /// Breaks all sticks into single cells, which fall.
    Breakdown,
}

impl Move {
    /// Returns the move with the given action on a board of the given width, unless the number is too large.
    #[inline]
    pub(super) const fn from_action(action: u64, width: u32) -> Option<Move> {
        let columns = width as u64;
        if action < columns {
            Some(Move::Vertical(action as u32))
        } else if action < 2 * columns {
            Some(Move::Horizontal((action - columns) as u32))
        } else if action == 2 * columns {
            Some(Move::Breakdown)
        } else {
            None
        }
    }

    /// Returns the move's action on a board of the given width, unless its column is past the edge.
    #[inline]
    pub(super) const fn action(self, width: u32) -> Option<u64> {
        match self {
            Move::Vertical(column) if column < width => Some(column as u64),
            Move::Horizontal(column) if column < width => Some(width as u64 + column as u64),
            Move::Breakdown => Some(2 * width as u64),
            _ => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (orientation, column) = match *self {
            Move::Vertical(column) => ('|', column),
            Move::Horizontal(column) => ('-', column),
            Move::Breakdown => return f.write_str("!"),
        };
        match column {
            0..62 => write!(f, "{orientation}{}", label(column)),
            _ => write!(f, "{orientation}{column}"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let column = |rest: &str| {
            let mut characters = rest.chars();
            match (characters.next(), characters.next()) {
                (Some(label), None) => index_of(label),
                // A column with a label must not be written as a number: every move has one notation.
                _ => read_number(rest).filter(|&column| column >= 62),
            }
        };
        let parsed = match text.as_bytes().first() {
            Some(b'!') if text.len() == 1 => Some(Move::Breakdown),
            Some(b'|') => column(&text[1..]).map(Move::Vertical),
            Some(b'-') => column(&text[1..]).map(Move::Horizontal),
            _ => None,
        };
        let expected = "| or - and a column 0-9, A-Z, a-z or a number from 62, or !, such as |4, -B or !";
        parsed.ok_or_else(|| ParseError::new("breakdown move", text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_read_as_they_are_written() {
        for index in 0..62 {
            assert_eq!(index_of(label(index)), Some(index));
        }
        assert_eq!((label(10), label(35), label(36), label(61)), ('A', 'Z', 'a', 'z'));
        assert_eq!((label(62), label(u32::MAX)), ('?', '?'));
    }

    #[test]
    fn moves_have_one_notation() {
        for column in (0..200).chain([u32::MAX]) {
            for m in [Move::Vertical(column), Move::Horizontal(column)] {
                assert_eq!(m.to_string().parse(), Ok(m));
            }
        }
        let bad = [
            "",
            "|",
            "-",
            "!!",
            "! ",
            " !",
            "|10",
            "|61",
            "|062",
            "|+62",
            "|4294967296",
            "|?",
            "-é",
            "+1",
            "|é",
            "é",
        ];
        for text in bad {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
