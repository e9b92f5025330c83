//! Drawings of the position: in characters, in the format of the course's lab, and as SVG.

use super::{Mark, Square, TicTac};
use crate::position::Position;
use crate::svg::{self, Draw, Ink, Marks, Picture};

const BOARD: Ink = Ink::new("board", "fill:#5f7d99");
const CROSS: Ink = Ink::new("x", "fill:none;stroke:#15181b;stroke-width:14;stroke-linecap:round");
const NOUGHT: Ink = Ink::new("o", "fill:none;stroke:#fffdf6;stroke-width:14");

impl Draw for TicTac {
    fn drawing(&self) -> String {
        let cell = |row, column| Square::new(row * 3 + column).and_then(|square| self.get(square));
        let symbol = |row, column| cell(row, column).map_or(" ", Mark::name);
        let line = |(row, name): (usize, &str)| {
            let cells = format!("{name}  {} | {} | {}", symbol(row, 0), symbol(row, 1), symbol(row, 2));
            format!("{}\n", cells.trim_end())
        };
        let rows: Vec<String> = ROWS.into_iter().enumerate().map(line).collect();
        format!("   1   2   3\n{}", rows.join("  ---+---+---\n"))
    }

    fn winning(&self) -> Vec<usize> {
        self.winning_squares().map(Square::index).collect()
    }

    fn svg(&self, marks: &Marks<Square>) -> String {
        draw(self, marks)
    }
}

fn draw(game: &TicTac, marks: &Marks<Square>) -> String {
    let middle = |square: Square| svg::cell(square.column(), square.row());
    let squares = || (0..9).filter_map(Square::new);
    let marked = |mark| squares().filter(move |&square| game.get(square) == Some(mark)).map(middle);

    let mut picture = Picture::new(marks.theme, BOARD, (3, 3), 0, 0);
    picture.grid(3, 3);
    picture.labels(["1", "2", "3"].into_iter(), ROWS.into_iter());
    picture.win(game.winning_squares().map(middle));
    picture.group(CROSS, marked(Mark::X).map(svg::cross));
    picture.group(NOUGHT, marked(Mark::O).map(|at| svg::disc(at, 25)));
    picture.last(marks.last.map(middle));
    if marks.legal {
        let x_moves = game.turn().is_some_and(|player| game.marks()[player.index()] == Mark::X);
        let ink = if x_moves { Ink::DARK } else { Ink::LIGHT };
        picture.legal(ink, game.moves().map(middle).map(svg::dot));
    }
    picture.finish(&svg::title("TicTac", game), &describe(game, marks))
}

const ROWS: [&str; 3] = ["A", "B", "C"];

/// Describes the picture in words.
fn describe(game: &TicTac, marks: &Marks<Square>) -> String {
    let name = |index| Square::new(index).and_then(|square| game.get(square)).map_or("empty", Mark::name);
    let row = |row: usize| svg::listed((0..3).map(|column| name(row * 3 + column)));
    let rows = ROWS.iter().enumerate().map(|(index, name)| format!("Row {name}: {}.", row(index)));
    let won = game.winning_squares().map(|square| square.to_string()).collect::<Vec<_>>();
    let won = (!won.is_empty()).then(|| format!("Winning squares: {}.", won.join(", ")));
    let last = marks.last.map(|square| format!("Last move: {square}."));
    rows.chain(won).chain(last).collect::<Vec<_>>().join(" ")
}
