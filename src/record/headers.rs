//! Headers of a record: what is known of a game besides its moves.

use std::fmt;
use std::fmt::Write;

use crate::error::{ArgumentError, ParseError, Text, push, text_of};

/// What is known of a game besides its moves, such as its players and its date: texts by name, in order.
///
/// Names are lower-case words such as `first`, `date` or `first-rating`; values are any text on one line. Nothing in
/// them is checked against the game: a `result` is what somebody wrote.
///
/// ```
/// use petteia::{Record, Reversi};
///
/// let mut record: Record<Reversi> = "[first \"Ada\"] [date \"2026-11-19\"] reversi 8 8: d4".parse()?;
/// assert_eq!(record.headers().get("first"), Some("Ada"));
/// record.headers_mut().set("second", "Bob, \"the wall\"")?;
/// assert!(record.to_string().contains(r#" [second "Bob, \"the wall\""] reversi 8 8: d4"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The greatest number of headers.
    pub const MOST: usize = 64;

    /// The greatest number of characters of a name.
    pub const LONGEST_NAME: usize = 64;

    /// The greatest number of characters of a value.
    pub const LONGEST_VALUE: usize = 1000;

    /// Returns the value of a header.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns the names and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> + '_ {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the number of headers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets a header: a new one comes last, one that is there keeps its place.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a name or a value that is not allowed, or for one header too many; nothing has changed
    /// then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ArgumentError> {
        check(name, value)?;
        let place = self.0.iter().position(|(known, _)| known == name);
        if place.is_none() && self.len() == Self::MOST {
            let expected = format!("at most {} headers", Self::MOST);
            return Err(ArgumentError::of_text("header", name, expected));
        }
        let value = text_of(value);
        match place {
            Some(place) => self.0[place].1 = value,
            None => push("headers", &mut self.0, (text_of(name), value)),
        }
        Ok(())
    }

    /// Removes a header, and returns its value if it was there.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Parses the headers that a text starts with, each with a space after it, and returns the rest too.
    pub(super) fn read(text: &str) -> Result<(Headers, &str), ParseError> {
        let mut headers = Headers::default();
        let mut rest = text;
        while let Some(header) = rest.strip_prefix('[') {
            let error = |expected: &str| ParseError::new("record header", rest, expected);
            let (name, quoted) = header
                .split_once(" \"")
                .ok_or_else(|| error("a name and a text in quotation marks, such as [first \"Ada\"]"))?;
            let (value, after) = unquote(quoted)
                .ok_or_else(|| error("a closing \", and \\\" or \\\\ for these in the text"))?;
            let after =
                after.strip_prefix("] ").ok_or_else(|| error("] and a space after the text of a header"))?;
            if headers.get(name).is_some() {
                return Err(ParseError::new("record header", name, "each name once"));
            }
            headers.set(name, &value).map_err(|error| {
                ParseError::new(format!("record {}", error.name()), error.given(), error.expected())
            })?;
            rest = after;
        }
        Ok((headers, rest))
    }
}

/// Checks a header's name and value.
fn check(name: &str, value: &str) -> Result<(), ArgumentError> {
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    let goes_on = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c));
    if !(begins && goes_on && name.len() <= Headers::LONGEST_NAME) {
        let expected =
            format!("a to z, then a to z, 0 to 9, _ or -, at most {} characters", Headers::LONGEST_NAME);
        return Err(ArgumentError::of_text("header name", name, expected));
    }
    // Whoever reads lines may end them at any of these.
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if value.contains(breaks) {
        let expected = "one line without control characters";
        return Err(ArgumentError::of_text(format!("header {name}"), value, expected));
    }
    if value.chars().nth(Headers::LONGEST_VALUE).is_some() {
        let expected = format!("at most {} characters", Headers::LONGEST_VALUE);
        return Err(ArgumentError::of_text(format!("header {name}"), value, expected));
    }
    Ok(())
}

/// Returns the text up to the next quotation mark, without its backslashes, and what comes after it.
fn unquote(quoted: &str) -> Option<(String, &str)> {
    let mut value = Text::default();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (end, '"') => return Some((value.0, &quoted[end + 1..])),
            (_, '\\') => {
                let (_, escaped) = characters.next().filter(|(_, c)| matches!(c, '"' | '\\'))?;
                value.write_char(escaped).ok()?;
            }
            (_, plain) => value.write_char(plain).ok()?,
        }
    }
}

/// A text in quotation marks, with a backslash before these and before backslashes.
pub(crate) struct InQuotes<'a>(pub(crate) &'a str);

impl fmt::Display for InQuotes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for part in self.0.split_inclusive(['"', '\\']) {
            match part.strip_suffix(['"', '\\']) {
                Some(plain) => write!(f, "{plain}\\{}", &part[plain.len()..])?,
                None => f.write_str(part)?,
            }
        }
        f.write_char('"')
    }
}

/// Writes the headers as in a record, with a space after each.
impl fmt::Display for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(name, value)| write!(f, "[{name} {}] ", InQuotes(value)))
    }
}
