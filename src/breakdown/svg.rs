//! Drawings of the position: in characters, in the format of the course's assignments, and as SVG, with the legal moves
//! above their columns.

use std::convert::Infallible;

use super::board;
use super::{Breakdown, Cell, Move, Pos, label};
use crate::position::Position;
use crate::svg::{self, CELL, Draw, Ink, MARGIN, Marks, Picture, Point};

const BOARD: Ink = Ink::new("board", "fill:#a8703f");
const FOOT: Ink = Ink::new("foot", "fill:#7a4e2a");
/// The last stick is marked by a line of contrasting colour along it; a last breakdown by a ring around its `!`.
const LAST_BLACK: Ink = Ink::new("last", "fill:none;stroke:#fffdf6;stroke-width:9;stroke-linecap:round");
const LAST_WHITE: Ink = Ink::new("last", "fill:none;stroke:#15181b;stroke-width:9;stroke-linecap:round");
const LAST_BREAKDOWN: Ink = Ink::new("last", "fill:none;stroke:#a8703f;stroke-width:5");

/// Where the labels of rows and columns would meet.
const CORNER: Point = (-MARGIN / 2, -MARGIN / 2);

/// The greatest width and height that are drawn: a board can have 2^28 cells, and a picture of it would be megabytes
/// that nobody can read. For a larger board the picture only gives its size.
const MAX_DRAWN: u32 = 64;

impl Draw for Breakdown {
    fn drawing(&self) -> String {
        let Ok(text) = board::draw(self.width(), self.height(), |pos| Ok::<_, Infallible>(self.cell(pos)));
        text
    }

    fn winning(&self) -> Vec<usize> {
        let index = |pos: Pos| pos.r as usize * self.width() as usize + pos.c as usize;
        self.winning_cells().into_iter().map(index).collect()
    }

    fn svg(&self, marks: &Marks<Move>) -> String {
        draw(self, marks)
    }
}

fn draw(game: &Breakdown, marks: &Marks<Move>) -> String {
    let (width, height) = (game.width(), game.height());
    let title = svg::title("Breakdown", game);
    if width.max(height) > MAX_DRAWN {
        let mut picture = Picture::new(marks.theme, BOARD, (5, 2), 0, 0);
        let words =
            [((250, 80), format!("{width} × {height} cells,")), ((250, 120), "too many to draw".into())];
        picture.group(Ink::LIGHT, words.map(|(at, words)| svg::text(at, words)));
        return picture.finish(&title, &format!("{} It is too large to draw.", describe_board(game)));
    }

    // Legal moves need a row above the labels.
    let above = if marks.legal { 44 } else { 0 };
    let mut picture = Picture::new(marks.theme, BOARD, (width as usize, height as usize), above, 0);
    picture.group(FOOT, [svg::rect((-24, height as i32 * CELL + 4), (width as i32 * CELL + 48, 16), 6)]);
    picture.grid(width as usize, height as usize);
    picture.labels((0..width).map(name), (0..height).map(name));
    picture.win(game.winning_cells().into_iter().map(middle));
    for (ink, colour) in [(Ink::DARK, Cell::Black), (Ink::LIGHT, Cell::White)] {
        let cells = rectangle(Pos::new(0, 0), Pos::new(height - 1, width - 1));
        let blocks = cells.filter(|&pos| get(game, pos) == Some(colour));
        picture.group(ink, blocks.map(|pos| svg::square(middle(pos), 40, 9)));
    }
    match marks.last {
        Some(Move::Breakdown) => {
            picture.group(LAST_BREAKDOWN, [svg::disc(CORNER, 20)]);
            // The mark of a legal breakdown will be in the same place.
            let shown = marks.legal && !game.is_over();
            picture.group(Ink::LABEL, (!shown).then(bang));
        }
        Some(stick) => {
            let ends = last_stick(game, stick);
            let black = ends.is_some_and(|(from, _)| get(game, from) == Some(Cell::Black));
            let lines = ends.map(|(from, to)| {
                let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
                format!("<path d=\"M{x} {y}L{to_x} {to_y}\"/>")
            });
            picture.group(if black { LAST_BLACK } else { LAST_WHITE }, lines);
        }
        None => {}
    }
    if marks.legal {
        picture.legal(Ink::LABEL, game.moves().map(sign));
    }
    picture.finish(&title, &describe(game, marks))
}

/// Returns the name of a row or a column in moves.
fn name(index: u32) -> String {
    if index < 62 { label(index).to_string() } else { index.to_string() }
}

fn middle(pos: Pos) -> Point {
    svg::cell(pos.c as usize, pos.r as usize)
}

fn get(game: &Breakdown, pos: Pos) -> Option<Cell> {
    game.get(pos.r, pos.c)
}

/// Returns all places of the rectangle with these corners, row by row.
fn rectangle(from: Pos, to: Pos) -> impl Iterator<Item = Pos> {
    (from.r..=to.r).flat_map(move |r| (from.c..=to.c).map(move |c| Pos::new(r, c)))
}

/// Returns the mark of a legal move: vertical and horizontal sticks side by side above their column, `!` in the corner.
fn sign(m: Move) -> String {
    let over = |column: u32| (svg::cell(column as usize, 0).0, -MARGIN - 14);
    match m {
        Move::Vertical(column) => svg::rect((over(column).0 - 26, over(column).1 - 16), (8, 32), 3),
        Move::Horizontal(column) => svg::rect((over(column).0 - 6, over(column).1 - 4), (32, 8), 3),
        Move::Breakdown => bang(),
    }
}

fn bang() -> String {
    svg::text(CORNER, "!")
}

/// Returns both ends of the stick that a move has just dropped, or `None` if there can be no such stick.
///
/// It came from the top, so in each of its columns it is topmost.
fn last_stick(game: &Breakdown, last: Move) -> Option<(Pos, Pos)> {
    let reach = game.stick() - 1;
    let (column, down, across) = match last {
        Move::Vertical(column) => (column, reach, 0),
        Move::Horizontal(column) => (column, 0, reach),
        Move::Breakdown => return None,
    };
    let in_column = |r| Pos::new(r, column);
    let from = (0..game.height()).map(in_column).find(|&pos| get(game, pos) != Some(Cell::Empty))?;
    let to = Pos::new(from.r.checked_add(down)?, column.checked_add(across)?);
    let colour = get(game, from)?;
    let whole = rectangle(from, to).all(|pos| get(game, pos) == Some(colour));
    let free = || (0..from.r).all(|r| (column..=to.c).all(|c| game.get(r, c) == Some(Cell::Empty)));
    (whole && free()).then_some((from, to))
}

/// Describes the picture in words.
fn describe(game: &Breakdown, marks: &Marks<Move>) -> String {
    let mut sentences = vec![describe_board(game)];
    for r in 0..game.height() {
        let row = (0..game.width()).map(|c| match game.get(r, c) {
            Some(Cell::Black) => "black",
            Some(Cell::White) => "white",
            _ => "empty",
        });
        if row.clone().any(|cell| cell != "empty") {
            sentences.push(format!("Row {}: {}.", name(r), svg::listed(row)));
        }
    }
    if sentences.len() == 1 {
        sentences.push("All rows are empty.".to_string());
    }
    sentences.extend(marks.last.map(|last| format!("Last move: {last}.")));
    sentences.join(" ")
}

fn describe_board(game: &Breakdown) -> String {
    format!(
        "Standing board of {} columns by {} rows, sticks of {}, squares of {} win.",
        game.width(),
        game.height(),
        game.stick(),
        game.square()
    )
}
