//! Drawings of the position: in characters, in the format of the course's assignment, and as SVG.

use super::{PositionSet, Reversi, Square};
use crate::position::{Player, Position};
use crate::svg::{self, Draw, Ink, Marks, Picture};

const BOARD: Ink = Ink::new("board", "fill:#3d8862");
/// Tiles of the loser are grey; their rims keep the colour, so that they still stand out from the board.
const LOST: [Ink; 2] = [
    Ink::new("lost-dark", "fill:#8b918d;stroke:#15181b;stroke-width:6"),
    Ink::new("lost-light", "fill:#8b918d;stroke:#fffdf6;stroke-width:6"),
];

impl Draw for Reversi {
    /// Draws the board as the course's assignment does: one line per row.
    fn drawing(&self) -> String {
        self.board().to_string()
    }

    fn svg(&self, marks: &Marks<Square>) -> String {
        draw(self, marks)
    }
}

fn draw(game: &Reversi, marks: &Marks<Square>) -> String {
    let (width, height) = (game.width(), game.height());
    let middle = |square: Square| svg::cell(square.x(), square.y());

    let mut picture = Picture::new(marks.theme, BOARD, (width, height), 0, 0);
    picture.grid(width, height);
    picture.labels("abcdefgh".chars().take(width), "12345678".chars().take(height));
    let inks = [Ink::DARK, Ink::LIGHT];
    let winner = game.outcome().and_then(|outcome| outcome.winner());
    for (player, tiles) in Player::BOTH.into_iter().zip(game.tiles()) {
        let tiles = tiles.iter().map(middle);
        match winner {
            Some(winner) if winner != player => {
                picture.group(LOST[player.index()], tiles.map(|at| svg::disc(at, 35)));
            }
            _ => picture.group(inks[player.index()], tiles.map(|at| svg::disc(at, 38))),
        }
    }
    picture.last(marks.last.filter(|square| square.x() < width && square.y() < height).map(middle));
    if let (true, Some(player)) = (marks.legal, game.turn()) {
        picture.legal(inks[player.index()], game.moves().map(middle).map(svg::dot));
    }
    picture.finish(&svg::title("Reversi", game), &describe(game, marks))
}

/// Describes the picture in words.
fn describe(game: &Reversi, marks: &Marks<Square>) -> String {
    let [dark, light] = game.tiles().map(count_and_names);
    let last = marks.last.map(|square| format!(" Last move: {square}.")).unwrap_or_default();
    let size = format!("{} columns by {} rows", game.width(), game.height());
    format!("Board of {size}. Dark has {dark}. Light has {light}.{last}")
}

fn count_and_names(tiles: PositionSet) -> String {
    let names = tiles.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ");
    match tiles.len() {
        0 => "no tiles".to_string(),
        1 => format!("1 tile: {names}"),
        count => format!("{count} tiles: {names}"),
    }
}
