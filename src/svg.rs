//! SVG pictures of positions: what can be marked in them, and the shapes that all games are drawn with.
//!
//! A picture is one SVG element, both for a file of its own and for a page with others: its CSS rules are scoped by a
//! class, and that class and its ids contain a hash of the content, so that only equal pictures share them. Its size is
//! given in `em` and shrinks to fit a narrow column, so that it suits the text around it; without a size it would fill
//! the width of the page. Screen readers get a title with the game and its state, and a description of the board.
//!
//! ```
//! use petteia::prelude::*;
//! use petteia::TicTac;
//! use petteia::svg::{Marks, Theme};
//!
//! let game: TicTac = "X_O/_X_/___ O".parse()?;
//! let picture = game.svg(&Marks { last: Some("B2".parse()?), legal: true, theme: Theme::Light });
//! assert!(picture.contains("TicTac: O to move"));
//! # Ok::<(), petteia::ParseError>(())
//! ```

use std::fmt::{self, Display, Write};

use crate::error::{Text, text_of};
use crate::observe::Observe;
use crate::position::{Outcome, Player, Position};

/// What a picture shows besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marks<M> {
    /// The last move, to be marked; one that cannot have led here is marked where it would be, or not at all.
    pub last: Option<M>,
    /// Whether to mark the legal moves.
    pub legal: bool,
    /// The colours.
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
    /// Follows the preference of the reader's system; light where it is unknown.
    #[default]
    Auto,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

/// A position that can be drawn.
///
/// `impl Draw for MyGame {}` takes the default drawings, discs on squares, for games whose cells belong to the players.
#[diagnostic::on_unimplemented(
    note = "every method is provided: `impl petteia::Draw for {Self} {{}}` is enough"
)]
pub trait Draw: Observe {
    /// Returns the position drawn with characters, each line terminated by a newline.
    fn drawing(&self) -> String {
        let (rows, columns) = self.shape();
        let mut cells = vec![0; rows * columns];
        self.write_cells(&mut cells);
        let symbol = |&cell: &u8| [".", "x", "o"].get(usize::from(cell)).copied().unwrap_or("?");
        let line = |row: &[u8]| row.iter().map(symbol).collect::<Vec<_>>().join(" ") + "\n";
        cells.chunks(columns.max(1)).map(line).collect()
    }

    /// Returns a line about what the drawing does not show, such as the piece in hand in Quarto; usually there is none.
    fn caption(&self) -> Option<String> {
        None
    }

    /// Returns the cells that have won, counted row by row from 0, in games that are won by cells; else there are none.
    fn winning(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the position as an SVG picture.
    fn svg(&self, marks: &Marks<Self::Move>) -> String {
        draw(self, marks)
    }
}

/// Returns a picture made by [`Draw::svg`] with a width in pixels instead of its own, and the height that goes with it.
///
/// In a narrower column it still shrinks.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{Breakdown, svg};
///
/// let picture = svg::sized(&Breakdown::default().svg(&svg::Marks::default()), 256.0);
/// assert!(picture.contains(" width=\"256\" height=\"306\" "));
/// ```
pub fn sized(picture: &str, width: f64) -> String {
    let attribute = |name: &str| {
        let (_, rest) = picture.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let sides = attribute("viewBox").and_then(|view| {
        let mut sides = view.split(' ').skip(2).map(|side| side.parse::<f64>().ok());
        Some((sides.next()??, sides.next()??))
    });
    let (Some((wide, high)), Some(own_width), Some(own_height)) =
        (sides, attribute("width"), attribute("height"))
    else {
        return picture.to_owned();
    };
    // To the thousandth of a pixel.
    let height = (width * high / wide * 1000.0).round() / 1000.0;
    let own = format!(" width=\"{own_width}\" height=\"{own_height}\"");
    picture.replacen(&own, &format!(" width=\"{width}\" height=\"{height}\""), 1)
}

/// Draws discs on squares.
fn draw<P: Observe>(position: &P, marks: &Marks<P::Move>) -> String {
    const BOARD: Ink = Ink::new("board", "fill:#5f7d99");
    let (rows, columns) = position.shape();
    let mut cells = vec![0; rows * columns];
    position.write_cells(&mut cells);
    let of = |player: u8| {
        let places = cells.iter().enumerate().filter(move |(_, cell)| **cell == player);
        places.map(move |(at, _)| disc(cell(at % columns, at / columns), 38))
    };
    let mut picture = Picture::new(marks.theme, BOARD, (columns, rows), 0, 0);
    picture.grid(columns, rows);
    picture.group(Ink::DARK, of(1));
    picture.group(Ink::LIGHT, of(2));
    let [first, second] = position.players();
    let name = |cell: &u8| ["empty", first, second].get(usize::from(*cell)).copied().unwrap_or("unknown");
    let mut sentences: Vec<String> = (1..)
        .zip(cells.chunks(columns.max(1)))
        .map(|(number, row)| format!("Row {number}: {}.", listed(row.iter().map(name))))
        .collect();
    if marks.legal && !position.is_over() {
        let moves: Vec<String> = position.moves().map(|m| m.to_string()).collect();
        sentences.push(format!("Legal moves: {}.", moves.join(", ")));
    }
    sentences.extend(marks.last.as_ref().map(|last| format!("Last move: {last}.")));
    picture.finish(&title(position.name(), position), &sentences.join(" "))
}

/// The side of a square. With a hundred units all coordinates are integers, and text is far above the minimum font size
/// of browsers.
pub(crate) const CELL: i32 = 100;

/// The margin around a board, which holds the labels.
pub(crate) const MARGIN: i32 = 56;

/// A point of a picture; the board's top left corner is (0, 0).
pub(crate) type Point = (i32, i32);

/// Returns the centre of a square.
pub(crate) fn cell(column: usize, row: usize) -> Point {
    (column as i32 * CELL + CELL / 2, row as i32 * CELL + CELL / 2)
}

/// The style of a group of shapes: a class, and its CSS rule in the light and in the dark theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    class: &'static str,
    light: &'static str,
    dark: &'static str,
}

/// The palette.
///
/// Boards have a middle tone whose contrast with both dark and light pieces exceeds 3 to 1, so that only what surrounds
/// a board depends on the theme. The contrast of labels with the background exceeds 4.5 to 1.
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

/// A picture under construction, group by group, each in one ink.
#[derive(Debug)]
pub(crate) struct Picture {
    theme: Theme,
    /// Left and top edge, width and height.
    view: [i32; 4],
    inks: Vec<Ink>,
    body: Text,
}

impl Picture {
    /// The side of a square, and the maximal side of a picture, in hundredths of an `em`.
    const SQUARE: i32 = 400;
    const LONGEST: i32 = 3000;

    /// Starts a picture of a board of `columns` by `rows` squares, with extra room above and to the right.
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
        let mut picture = Picture { theme, view, inks: Vec::new(), body: Text::default() };
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

    /// Draws a group of shapes in an ink, or nothing if there are none.
    pub(crate) fn group<S: Display>(&mut self, ink: Ink, shapes: impl IntoIterator<Item = S>) {
        self.open(ink, "", shapes);
    }

    /// Labels the columns above and the rows to the left.
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

    /// Marks the squares of the last move with brackets in their corners.
    pub(crate) fn last(&mut self, squares: impl IntoIterator<Item = Point>) {
        let angles = |(x, y): Point| {
            let path = "m-40 -25v-15h15m50 0h15v15m0 50v15h-15m-50 0h-15v-15";
            format!("<path d=\"M{x} {y}{path}\"/>")
        };
        self.group(Ink::LAST, squares.into_iter().map(angles));
    }

    /// Highlights the winning squares; to be called before the pieces on them are drawn.
    pub(crate) fn win(&mut self, squares: impl IntoIterator<Item = Point>) {
        self.group(Ink::WIN, squares.into_iter().map(|at| square(at, 47, 10)));
    }

    /// Draws something elsewhere and at another size, given in percent.
    pub(crate) fn inset(&mut self, (x, y): Point, percent: i32, draw: impl FnOnce(&mut Picture)) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "<g transform=\"translate({x} {y}) scale({})\">", Hundredths(percent));
        draw(self);
        let _ = writeln!(self.body, "</g>");
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
        let _ = writeln!(self.body, "</g>");
    }

    /// Returns the whole element.
    pub(crate) fn finish(self, title: &str, desc: &str) -> String {
        let (title, desc) = (escape(title), escape(desc));
        let [x, y, width, height] = self.view;
        let square = Self::SQUARE.min(Self::LONGEST * CELL / width.max(height));
        let [em_width, em_height] = [width, height].map(|side| Hundredths(side * square / CELL));
        let id = hash(&[&title, &desc, &self.style(""), &self.body.0]);
        text_of(&format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pet-{id}\" viewBox=\"{x} {y} {width} {height}\" \
             width=\"{em_width}em\" height=\"{em_height}em\" role=\"img\" aria-labelledby=\"pet-{id}-title\" \
             aria-describedby=\"pet-{id}-desc\">\n\
             <title id=\"pet-{id}-title\">{title}</title>\n\
             <desc id=\"pet-{id}-desc\">{desc}</desc>\n\
             <style>\n{}</style>\n{}</svg>\n",
            self.style(&format!(".pet-{id}")),
            self.body.0
        ))
    }

    /// Returns the CSS rules of the inks in use.
    ///
    /// Colours are written out rather than kept in custom properties, which many SVG viewers do not support.
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

/// Returns a rounded rectangle, given its top left corner.
pub(crate) fn rect((x, y): Point, (width, height): (i32, i32), round: i32) -> String {
    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>")
}

/// Returns a rounded square, given its centre and half its side.
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

/// Returns a cross of two strokes.
pub(crate) fn cross((x, y): Point) -> String {
    format!("<path d=\"M{x} {y}m-23 -23l46 46m0 -46l-46 46\"/>")
}

/// Returns text centred on a point.
pub(crate) fn text((x, y): Point, words: impl Display) -> String {
    // Digits and capitals are about 0.7 em high; not all viewers can centre text vertically.
    format!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 10, escape(&words.to_string()))
}

/// Returns the title: the game, and who is to move or how it ended.
pub(crate) fn title<P: Position>(game: &str, position: &P) -> String {
    let name = |player: Player| position.players()[player.index()];
    match (position.turn(), position.outcome()) {
        (Some(player), _) => format!("{game}: {} to move", name(player)),
        (None, Some(Outcome::Win(player))) => format!("{game}: {} wins", name(player)),
        (None, _) => format!("{game}: draw"),
    }
}

/// Joins names for a sentence, with runs of equal names counted: `2 empty, X`.
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

/// A number of hundredths, formatted without trailing zeros.
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

/// Escapes text for XML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Hashes texts to ten hexadecimal digits (FNV-1a, folded).
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
