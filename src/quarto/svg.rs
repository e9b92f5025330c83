//! Drawings of the position: in characters, in the format of the course's assignment, and as SVG: the board, the piece
//! in hand beside it, and the pool below that.
//!
//! Pieces are seen from above at an angle, so that their height shows; a hollow top has a hole.

use super::{Color, Height, Move, Piece, Quarto, Shape, Square, Top};
use crate::position::{Outcome, Player, Position};
use crate::svg::{self, Draw, Ink, Marks, Picture, Point};

const BOARD: Ink = Ink::new("board", "fill:#4f8285");
const BEIGE: [Ink; 2] = [
    Ink::new("beige", "fill:#e3cb98;stroke:#24150b;stroke-width:2;stroke-linejoin:round"),
    Ink::new("beige-top", "fill:#f6e9cc;stroke:#24150b;stroke-width:2;stroke-linejoin:round"),
];
const SEPIA: [Ink; 2] = [
    Ink::new("sepia", "fill:#5d3a20;stroke:#24150b;stroke-width:2;stroke-linejoin:round"),
    Ink::new("sepia-top", "fill:#8f6440;stroke:#24150b;stroke-width:2;stroke-linejoin:round"),
];
const SHADE: Ink = Ink::new("shade", "fill:#24150b;fill-opacity:.3");
const HOLE: Ink = Ink::new("hole", "fill:#24150b");

/// The left edge and the width of the piece in hand and the pool, and the top of the pool.
const SIDE: i32 = 448;
const SIDE_WIDTH: i32 = 236;
const POOL: i32 = 168;

impl Draw for Quarto {
    /// Draws the board as the course's assignment does, in fourteen lines; the piece in hand is not shown.
    fn drawing(&self) -> String {
        self.board().to_string()
    }

    fn caption(&self) -> Option<String> {
        self.hand().map(|piece| format!("in hand: {piece}"))
    }

    fn winning(&self) -> Vec<usize> {
        self.winning_squares().map(Square::index).collect()
    }

    fn svg(&self, marks: &Marks<Move>) -> String {
        draw(self, marks)
    }
}

fn draw(game: &Quarto, marks: &Marks<Move>) -> String {
    let middle = |square: Square| svg::cell(square.h() as usize, square.v() as usize);
    let hand_at = (SIDE + SIDE_WIDTH / 2, 52);

    let mut picture = Picture::new(marks.theme, BOARD, (4, 4), 0, SIDE + SIDE_WIDTH - 404);
    picture.grid(4, 4);
    picture.labels("1234".chars(), "ABCD".chars());
    picture.group(
        BOARD,
        [svg::rect((SIDE, -4), (SIDE_WIDTH, 112), 12), svg::rect((SIDE, POOL), (SIDE_WIDTH, SIDE_WIDTH), 12)],
    );
    picture.group(
        Ink::LABEL,
        [svg::text((hand_at.0, -28), "in hand"), svg::text((hand_at.0, POOL - 30), "pool")],
    );
    picture.win(game.winning_squares().map(middle));
    let placed = Square::ALL.iter().filter_map(|&square| Some((game.get(square)?, middle(square))));
    pieces(&mut picture, placed.chain(game.hand().map(|piece| (piece, hand_at))));
    picture.last(match marks.last {
        Some(Move::Place(square)) => Some(middle(square)),
        Some(Move::Select(piece)) => (game.hand() == Some(piece)).then_some(hand_at),
        None => None,
    });
    let shelf = |piece: Piece| svg::cell(piece.index() % 4, piece.index() / 4);
    picture.inset((SIDE + 4, POOL + 4), 57, |picture| {
        pieces(picture, pool(game).map(|piece| (piece, shelf(piece))));
    });
    if marks.legal {
        let dots = game.moves().map(|m| match m {
            Move::Place(square) => svg::dot(middle(square)),
            // Under the piece in the pool.
            Move::Select(piece) => {
                let (x, y) = shelf(piece);
                let (x, y) = (SIDE + 4 + x * 57 / 100, POOL + 4 + y * 57 / 100);
                svg::rect((x - 12, y + 23), (24, 4), 2)
            }
        });
        picture.legal(Ink::LIGHT, dots);
    }
    picture.finish(&title(game), &describe(game, marks))
}

/// Returns the pieces that have neither been placed nor selected.
fn pool(game: &Quarto) -> impl Iterator<Item = Piece> {
    let hand = game.hand();
    game.pool().unused().filter(move |&piece| Some(piece) != hand)
}

/// Draws pieces, one kind of part after the other.
fn pieces(picture: &mut Picture, pieces: impl Iterator<Item = (Piece, Point)>) {
    let pieces = pieces.collect::<Vec<_>>();
    for (color, [body, _]) in [(Color::Beige, BEIGE), (Color::Sepia, SEPIA)] {
        picture.group(body, pieces.iter().filter(|(piece, _)| piece.color() == color).map(outline));
    }
    picture.group(SHADE, pieces.iter().map(shadow));
    for (color, [_, top]) in [(Color::Beige, BEIGE), (Color::Sepia, SEPIA)] {
        picture.group(top, pieces.iter().filter(|(piece, _)| piece.color() == color).map(face));
    }
    let hollow = pieces.iter().filter(|(piece, _)| piece.top() == Top::Hollow);
    picture.group(HOLE, hollow.map(|piece| ellipse(top(piece), (15, 8))));
}

/// Returns the centre of a piece's top.
fn top(&(piece, (x, y)): &(Piece, Point)) -> Point {
    match piece.height() {
        Height::Short => (x, y - 2),
        Height::Tall => (x, y - 24),
    }
}

fn height(piece: Piece) -> i32 {
    match piece.height() {
        Height::Short => 18,
        Height::Tall => 46,
    }
}

/// Returns the outline of a piece.
fn outline(piece: &(Piece, Point)) -> String {
    let ((x, y), height) = (top(piece), height(piece.0));
    match piece.0.shape() {
        Shape::Circle => {
            format!("<path d=\"M{} {y}a31 16 0 0 1 62 0v{height}a31 16 0 0 1 -62 0z\"/>", x - 31)
        }
        Shape::Square => format!("<path d=\"M{} {y}l34 -17l34 17v{height}l-34 17l-34 -17z\"/>", x - 34),
    }
}

/// Returns the right half of a piece's side.
fn shadow(piece: &(Piece, Point)) -> String {
    let ((x, y), height) = (top(piece), height(piece.0));
    match piece.0.shape() {
        Shape::Circle => {
            format!("<path d=\"M{x} {}a31 16 0 0 0 31 -16v{height}a31 16 0 0 1 -31 16z\"/>", y + 16)
        }
        Shape::Square => format!("<path d=\"M{x} {}l34 -17v{height}l-34 17z\"/>", y + 17),
    }
}

/// Returns a piece's top.
fn face(piece: &(Piece, Point)) -> String {
    let (x, y) = top(piece);
    match piece.0.shape() {
        Shape::Circle => ellipse((x, y), (31, 16)),
        Shape::Square => format!("<path d=\"M{} {y}l34 -17l34 17l-34 17z\"/>", x - 34),
    }
}

fn ellipse((x, y): Point, (rx, ry): (i32, i32)) -> String {
    format!("<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"/>")
}

/// Returns the title: who is to do what, or how the game ended.
fn title(game: &Quarto) -> String {
    let name = |player: Player| game.players()[player.index()];
    match (game.turn(), game.outcome()) {
        (Some(player), _) if game.hand().is_some() => {
            format!("Quarto: player {} to place a piece", name(player))
        }
        (Some(player), _) => format!("Quarto: player {} to select a piece", name(player)),
        (None, Some(Outcome::Win(player))) => format!("Quarto: player {} wins", name(player)),
        (None, _) => "Quarto: draw".to_string(),
    }
}

/// Describes the picture in words.
fn describe(game: &Quarto, marks: &Marks<Move>) -> String {
    let mut sentences = Vec::new();
    for &square in &Square::ALL {
        sentences.extend(game.get(square).map(|piece| format!("{square}: {}.", words(piece))));
    }
    if sentences.is_empty() {
        sentences.push("The board is empty.".to_string());
    }
    let won = game.winning_squares().map(|square| square.to_string()).collect::<Vec<_>>();
    if !won.is_empty() {
        sentences.push(format!("Winning squares: {}.", won.join(", ")));
    }
    sentences.extend(game.hand().map(|piece| format!("In hand: {}.", words(piece))));
    let pool = pool(game).map(words).collect::<Vec<_>>();
    let pool = if pool.is_empty() { "none".to_string() } else { pool.join(", ") };
    sentences.push(format!("In the pool: {pool}."));
    sentences.extend(marks.last.map(|last| format!("Last move: {last}.")));
    sentences.join(" ")
}

/// Describes a piece by its attributes.
fn words(piece: Piece) -> String {
    let words = [
        ["short", "tall"][piece.height() as usize],
        ["beige", "sepia"][piece.color() as usize],
        ["hollow", "solid"][piece.top() as usize],
        ["circle", "square"][piece.shape() as usize],
    ];
    words.join(" ")
}
