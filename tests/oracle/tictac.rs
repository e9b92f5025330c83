//! A slow, simple TicTac to compare with, written from the document alone: a list of nine cells.

use std::fmt::Write;

/// The eight lines, as squares numbered row by row.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A game: the cells, and who is next.
#[derive(Clone, Debug)]
pub struct Oracle {
    pub cells: [char; 9],
    pub next: char,
}

impl Oracle {
    pub fn new(first: char) -> Self {
        Oracle { cells: ['_'; 9], next: first }
    }

    pub fn winner(&self) -> Option<char> {
        let of = |line: &[usize; 3]| line.map(|square| self.cells[square]);
        LINES
            .iter()
            .map(of)
            .find(|cells| cells[0] != '_' && cells.iter().all(|c| *c == cells[0]))
            .map(|c| c[0])
    }

    pub fn is_over(&self) -> bool {
        self.winner().is_some() || !self.cells.contains(&'_')
    }

    pub fn moves(&self) -> Vec<usize> {
        if self.is_over() { vec![] } else { (0..9).filter(|&square| self.cells[square] == '_').collect() }
    }

    pub fn play(&mut self, square: usize) {
        assert!(self.moves().contains(&square));
        self.cells[square] = self.next;
        self.next = if self.next == 'X' { 'O' } else { 'X' };
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in self.cells.chunks(3) {
            write!(text, "{}{}{}/", row[0], row[1], row[2]).unwrap();
        }
        text.pop();
        format!("{text} {}", if self.is_over() { '-' } else { self.next })
    }
}

/// Parses a line of a record by splitting it into words.
pub fn parse_line(line: &str) -> Option<(usize, char, usize)> {
    let space = |c: char| matches!(c, ' ' | '\t' | '\u{b}' | '\u{c}' | '\r');
    if line.starts_with(space) {
        return None;
    }
    let mut words = line.split(space).filter(|word| !word.is_empty());
    let number = words.next().filter(|word| word.len() == 1 && "123456789".contains(word))?.parse().ok()?;
    let player = words.next().filter(|word| ["X", "O", "x", "o"].contains(word))?.to_uppercase();
    let square = words.next()?.to_uppercase();
    let names = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
    let square = names.iter().position(|name| *name == square)?;
    match words.next() {
        Some(word) if !word.starts_with('#') => None,
        _ => Some((number, player.chars().next()?, square)),
    }
}

/// Evaluates a record line by line, as the document describes.
pub fn evaluate(record: &str) -> &'static str {
    let body = record.strip_suffix('\n').unwrap_or(record);
    let mut game: Option<Oracle> = None;
    let mut count = 0;
    if !record.is_empty() {
        for line in body.split('\n') {
            let Some((number, player, square)) = parse_line(line) else { return "Parse error." };
            count += 1;
            let game = game.get_or_insert_with(|| Oracle::new(player));
            if number != count || game.next != player || !game.moves().contains(&square) {
                return "Invalid move.";
            }
            game.play(square);
        }
    }
    match game {
        None => "Game in progress: New game.",
        Some(game) => match (game.winner(), game.is_over(), game.next) {
            (Some('X'), ..) => "Game over: X wins.",
            (Some(_), ..) => "Game over: O wins.",
            (None, true, _) => "Game over: Draw.",
            (None, false, 'X') => "Game in progress: X's turn.",
            _ => "Game in progress: O's turn.",
        },
    }
}
