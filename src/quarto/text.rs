//! The one-line text of a position.

use std::fmt;
use std::str::FromStr;

use super::{Board, Piece, Quarto, Square};
use crate::error::ParseError;
use crate::moves::MoveSet;
use crate::position::Position;

/// Writes the one-line text: the rows from the top, joined by `/`, then the piece in hand and the player to act.
impl fmt::Display for Quarto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(self))
    }
}

fn line(position: &Quarto) -> String {
    let digit = |piece: Piece| char::from(b"0123456789abcdef"[piece.index()]);
    let mut text = String::with_capacity(23);
    for square in Square::ALL {
        if square.index() % 4 == 0 && square.index() > 0 {
            text.push('/');
        }
        text.push(position.get(square).map_or('.', digit));
    }
    text.push(' ');
    text.push(position.hand().map_or('-', digit));
    text.push(' ');
    text.push_str(position.turn().map_or("-", |player| position.players()[player.index()]));
    text
}

/// Parses a piece's number from a hexadecimal digit.
fn read_piece(digit: u8) -> Option<Piece> {
    match digit {
        b'0'..=b'9' => Piece::new(usize::from(digit - b'0')),
        b'a'..=b'f' => Piece::new(usize::from(digit - b'a') + 10),
        _ => None,
    }
}

/// Returns whether some piece, which was placed last, is part of every line: without it nobody had won.
fn has_last_piece(board: Board) -> bool {
    MoveSet::<Square>::new(u64::from(board.occupied)).any(|square| {
        let mut before = board;
        before.set_piece(square, None);
        !before.has_line()
    })
}

impl FromStr for Quarto {
    type Err = ParseError;

    /// Parses the one-line text: the rows from the top, joined by `/`, then the piece in hand and the player to act.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| ParseError::new("quarto position", text, expected);
        let [cells @ .., b' ', hand, b' ', player] = text.as_bytes() else {
            return Err(error(
                "four rows, the piece in hand and the player to act, such as 0.../..../..../.... 5 1",
            ));
        };
        if cells.len() != 19 || [4, 9, 14].iter().any(|&place| cells[place] != b'/') {
            return Err(error(
                "four rows of four squares joined by /, then the piece in hand and the player",
            ));
        }
        let (mut board, mut taken) = (Board::new(), 0);
        for square in Square::ALL {
            let cell = cells[square.v() as usize * 5 + square.h() as usize];
            if cell == b'.' {
                continue;
            }
            let piece = read_piece(cell).ok_or_else(|| error("squares that are . or a piece from 0 to f"))?;
            if taken & piece.bit() != 0 {
                return Err(error("each piece at most once"));
            }
            taken |= piece.bit();
            board.set_piece(square, Some(piece));
        }
        let hand = match hand {
            b'-' => None,
            _ => Some(read_piece(*hand).ok_or_else(|| error("- or a piece from 0 to f in hand"))?),
        };
        if let Some(piece) = hand {
            if taken & piece.bit() != 0 {
                return Err(error("a piece in hand that is not on the board"));
            }
            taken |= piece.bit();
        }
        let won = board.has_line();
        if won && !has_last_piece(board) {
            return Err(error("lines that all contain one piece, the last one placed"));
        }
        if won && hand.is_some() {
            return Err(error("no piece in hand, since the game is over"));
        }
        let position = Quarto { ones: board.ones, occupied: board.occupied, taken, hand, won };
        let expected = position.turn().map_or("-", |player| position.players()[player.index()]);
        if [*player] != expected.as_bytes() {
            let reason = match (position.turn(), hand) {
                (None, _) => "since the game is over".to_owned(),
                (_, None) => format!("to select with {} placed", position.placed()),
                (_, Some(_)) => format!("to place with {} placed", position.placed()),
            };
            return Err(error(&format!("the player {expected}, {reason}")));
        }
        Ok(position)
    }
}
