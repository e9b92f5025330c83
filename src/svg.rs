//! Pictures of positions: what can be marked in one, and the few shapes that all games are drawn with.
//!
//! A picture is one SVG element that stands alone in a file and can be put into a page beside others: its rules are
//! scoped by a class, and that class and its ids hold a hash of what it shows, so that only equal pictures share them.
//! Its size is given in `em` and gives way to a narrow column, so that it suits the text around it; without any size a
//! page would blow it up to its full width. Screen readers get a title, which game it is and how it stands, and a
//! description, what is where.
//!
//! ```
//! use petteia::svg::{Marks, Theme};
//! use petteia::{Position, TicTac};
//!
//! let game: TicTac = "X_O/_X_/___ O".parse()?;
//! let picture = game.svg(&Marks { last: Some("B2".parse()?), legal: true, theme: Theme::Light });
//! assert!(picture.contains("TicTac: O to move"));
//! # Ok::<(), petteia::ParseError>(())
//! ```

use std::fmt::{self, Display, Write};

use crate::position::{Outcome, Player, Position};

/// What a picture shows besides the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marks<M> {
    /// The move that led here, to be marked; one that cannot have led here is marked where it would be, or not at all.
    pub last: Option<M>,
    /// Whether legal moves are marked.
    pub legal: bool,
    /// Which colours are used.
    pub theme: Theme,
}

impl<M> Default for Marks<M> {
    fn default() -> Self {
        Marks { last: None, legal: false, theme: Theme::Auto }
    }
}

/// A picture's colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Follows what the reader's system prefers; light where a program cannot tell.
    #[default]
    Auto,
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}

/// The side of a board's square. With a hundred units all coordinates are whole numbers, and text is far above the
/// smallest size that browsers allow.
pub(crate) const CELL: i32 = 100;

/// The room around a board, where its labels stand.
pub(crate) const MARGIN: i32 = 56;

/// A place in a picture; the board's top left corner is (0, 0).
pub(crate) type Point = (i32, i32);

/// Returns the middle of a square.
pub(crate) fn cell(column: usize, row: usize) -> Point {
    (column as i32 * CELL + CELL / 2, row as i32 * CELL + CELL / 2)
}

/// What shapes are drawn in: a class, and its rule in the light and in the dark theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    class: &'static str,
    light: &'static str,
    dark: &'static str,
}

/// The palette.
///
/// Boards have a middle tone from which dark and light pieces both stand out by more than 3 to 1, so that only what
/// lies around a board depends on the theme. Labels stand out from the ground by more than 4.5 to 1.
impl Ink {
    const GROUND: Ink = Ink { class: "ground", light: "fill:#f4f1ea", dark: "fill:#1d2126" };
    const GRID: Ink = Ink::new("grid", "fill:none;stroke:#15181b;stroke-opacity:.35;stroke-width:2");
    const WIN: Ink = Ink::new("win", "fill:#ffdb57;fill-opacity:.2;stroke:#ffdb57;stroke-width:5");
    const LAST: Ink = Ink::new("last", "fill:none;stroke:#fffdf6;stroke-width:5;stroke-linecap:round");
    pub(crate) const LABEL: Ink = Ink { class: "label", light: "fill:#5a5f66", dark: "fill:#b4bac2" };
    pub(crate) const DARK: Ink = Ink::new("dark", "fill:#15181b");
    pub(crate) const LIGHT: Ink = Ink::new("light", "fill:#fffdf6");

    /// Returns an ink that is the same in both themes.
    pub(crate) const fn new(class: &'static str, rule: &'static str) -> Ink {
        Ink { class, light: rule, dark: rule }
    }
}

/// A picture that grows group by group, each in one ink.
#[derive(Debug)]
pub(crate) struct Picture {
    theme: Theme,
    /// The left and top edge, the width and the height.
    view: [i32; 4],
    inks: Vec<Ink>,
    body: String,
}

impl Picture {
    /// The side of a square, and the longest side of a picture, in hundredths of an `em`.
    const SQUARE: i32 = 400;
    const LONGEST: i32 = 3000;

    /// Starts a picture of a board of `columns` by `rows` squares with more room above it and to its right.
    pub(crate) fn new(
        theme: Theme,
        board: Ink,
        (columns, rows): (usize, usize),
        above: i32,
        right: i32,
    ) -> Self {
        let (columns, rows) = (columns as i32, rows as i32);
        let (width, height) = (columns * CELL, rows * CELL);
        let view = [-MARGIN, -MARGIN - above, width + right + 2 * MARGIN, height + above + 2 * MARGIN];
        let mut picture = Picture { theme, view, inks: Vec::new(), body: String::new() };
        let [x, y, view_width, view_height] = view;
        picture.group(Ink::GROUND, [rect((x, y), (view_width, view_height), 24)]);
        picture.group(board, [rect((-4, -4), (width + 8, height + 8), 12)]);
        picture
    }

    /// Draws the lines between the board's squares.
    pub(crate) fn grid(&mut self, columns: usize, rows: usize) {
        let (width, height) = (columns as i32 * CELL + 8, rows as i32 * CELL + 8);
        let across = (1..rows as i32).map(|row| format!("M-4 {}h{width}", row * CELL));
        let down = (1..columns as i32).map(|column| format!("M{} -4v{height}", column * CELL));
        let lines = across.chain(down).collect::<String>();
        self.group(Ink::GRID, (!lines.is_empty()).then(|| format!("<path d=\"{lines}\"/>")));
    }

    /// Draws shapes in an ink; no shapes leave no group.
    pub(crate) fn group<S: Display>(&mut self, ink: Ink, shapes: impl IntoIterator<Item = S>) {
        self.open(ink, "", shapes);
    }

    /// Writes names above the columns and to the left of the rows.
    pub(crate) fn labels<S: Display>(
        &mut self,
        columns: impl Iterator<Item = S>,
        rows: impl Iterator<Item = S>,
    ) {
        let columns = columns.enumerate().map(|(column, name)| text((cell(column, 0).0, -MARGIN / 2), name));
        let rows = rows.enumerate().map(|(row, name)| text((-MARGIN / 2, cell(0, row).1), name));
        self.group(Ink::LABEL, columns.chain(rows));
    }

    /// Marks legal moves with shapes in the colour of the player to move.
    pub(crate) fn legal<S: Display>(&mut self, ink: Ink, shapes: impl IntoIterator<Item = S>) {
        self.open(ink, " pet-legal", shapes);
    }

    /// Marks the squares of the last move with angles in their corners.
    pub(crate) fn last(&mut self, squares: impl IntoIterator<Item = Point>) {
        let angles = |(x, y): Point| {
            let path = "m-40 -25v-15h15m50 0h15v15m0 50v15h-15m-50 0h-15v-15";
            format!("<path d=\"M{x} {y}{path}\"/>")
        };
        self.group(Ink::LAST, squares.into_iter().map(angles));
    }

    /// Lights up the squares that won; what stands on them is drawn afterwards.
    pub(crate) fn win(&mut self, squares: impl IntoIterator<Item = Point>) {
        self.group(Ink::WIN, squares.into_iter().map(|at| square(at, 47, 10)));
    }

    /// Draws something at another place and in another size, given in percent.
    pub(crate) fn inset(&mut self, (x, y): Point, percent: i32, draw: impl FnOnce(&mut Picture)) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "<g transform=\"translate({x} {y}) scale({})\">", Hundredths(percent));
        draw(self);
        self.body.push_str("</g>\n");
    }

    fn open<S: Display>(&mut self, ink: Ink, more: &str, shapes: impl IntoIterator<Item = S>) {
        let mut shapes = shapes.into_iter().peekable();
        if shapes.peek().is_none() {
            return;
        }
        if !self.inks.contains(&ink) {
            self.inks.push(ink);
        }
        let _ = writeln!(self.body, "<g class=\"pet-{}{more}\">", ink.class);
        for shape in shapes {
            let _ = writeln!(self.body, "{shape}");
        }
        self.body.push_str("</g>\n");
    }

    /// Returns the whole element.
    pub(crate) fn finish(self, title: &str, desc: &str) -> String {
        let (title, desc) = (escape(title), escape(desc));
        let [x, y, width, height] = self.view;
        let square = Self::SQUARE.min(Self::LONGEST * CELL / width.max(height));
        let [em_width, em_height] = [width, height].map(|side| Hundredths(side * square / CELL));
        let id = hash(&[&title, &desc, &self.style(""), &self.body]);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pet-{id}\" viewBox=\"{x} {y} {width} {height}\" \
             width=\"{em_width}em\" height=\"{em_height}em\" role=\"img\" aria-labelledby=\"pet-{id}-title\" \
             aria-describedby=\"pet-{id}-desc\">\n\
             <title id=\"pet-{id}-title\">{title}</title>\n\
             <desc id=\"pet-{id}-desc\">{desc}</desc>\n\
             <style>\n{}</style>\n{}</svg>\n",
            self.style(&format!(".pet-{id}")),
            self.body
        )
    }

    /// Returns the rules of the inks in use.
    ///
    /// Colours are written out rather than kept in custom properties, which many programs that show SVG do not know.
    fn style(&self, scope: &str) -> String {
        let mut style = format!(
            "{scope}{{max-width:100%;height:auto}}\n\
             {scope} text{{font:600 28px system-ui,sans-serif;text-anchor:middle}}\n"
        );
        for ink in &self.inks {
            let rule = if self.theme == Theme::Dark { ink.dark } else { ink.light };
            let _ = writeln!(style, "{scope} .pet-{}{{{rule}}}", ink.class);
        }
        if self.theme == Theme::Auto {
            style.push_str("@media (prefers-color-scheme:dark){\n");
            for ink in self.inks.iter().filter(|ink| ink.dark != ink.light) {
                let _ = writeln!(style, "{scope} .pet-{}{{{}}}", ink.class, ink.dark);
            }
            style.push_str("}\n");
        }
        style
    }
}

/// Returns a rectangle with round corners, by its top left corner.
pub(crate) fn rect((x, y): Point, (width, height): (i32, i32), round: i32) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>")
}

/// Returns a square with round corners, by its middle and half its side.
pub(crate) fn square((x, y): Point, half: i32, round: i32) -> String {
    rect((x - half, y - half), (2 * half, 2 * half), round)
}

/// Returns a disc.
pub(crate) fn disc((x, y): Point, radius: i32) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
}

/// Returns the dot that marks a legal move.
pub(crate) fn dot(at: Point) -> String {
    disc(at, 11)
}

/// Returns two crossed strokes.
pub(crate) fn cross((x, y): Point) -> String {
    format!("<path d=\"M{x} {y}m-23 -23l46 46m0 -46l-46 46\"/>")
}

/// Returns words, by their middle.
pub(crate) fn text((x, y): Point, words: impl Display) -> String {
    // Digits and capitals rise by about 0.7 of their size; not all programs know how to centre them.
    format!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 10, escape(&words.to_string()))
}

/// Returns a title: the game, and who is to move or how it ended.
pub(crate) fn title<P: Position>(game: &str, position: &P) -> String {
    let name = |player: Player| position.players()[player.index()];
    match (position.turn(), position.outcome()) {
        (Some(player), _) => format!("{game}: {} to move", name(player)),
        (None, Some(Outcome::Win(player))) => format!("{game}: {} wins", name(player)),
        (None, _) => format!("{game}: draw"),
    }
}

/// Joins names for a sentence, equal neighbours as one with their number: `2 empty, X`.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match runs.last_mut() {
            Some((last, count)) if *last == name => *count += 1,
            _ => runs.push((name, 1)),
        }
    }
    let words = runs.into_iter().map(|(name, count)| match count {
        1 => name.to_string(),
        _ => format!("{count} {name}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A number of hundredths, written without needless digits.
struct Hundredths(i32);

impl Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{whole}"),
            (whole, rest) if rest % 10 == 0 => write!(f, "{whole}.{}", rest / 10),
            (whole, rest) => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// Returns a text as XML can hold it.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns ten hexadecimal digits that follow from the texts (FNV-1a, folded).
fn hash(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes());
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:010x}", (hash ^ hash >> 24) & 0xff_ffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let board = Ink::new("board", "fill:#000");
        let picture = Picture::new(Theme::Auto, board, (1, 1), 0, 0).finish("<a> & \"b\"", "1 < 2");
        assert!(picture.contains(">&lt;a&gt; &amp; &quot;b&quot;</title>"));
        assert!(picture.contains(">1 &lt; 2</desc>"));
        assert!(text((0, 0), "a&b").contains("a&amp;b"));
    }

    #[test]
    fn numbers_have_no_needless_digits() {
        let written = [0, 5, 50, 57, 100, 1648, 2160].map(|number| Hundredths(number).to_string());
        assert_eq!(written, ["0", "0.05", "0.5", "0.57", "1", "16.48", "21.6"]);
    }

    #[test]
    fn equal_neighbours_are_counted() {
        assert_eq!(listed(["X", "empty", "empty", "X"].into_iter()), "X, 2 empty, X");
        assert_eq!(listed([].into_iter()), "");
    }
}
