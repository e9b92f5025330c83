//! A slow, simple Quarto to compare with, written from the document alone: strings, arrays and loops.

/// A game in progress, with pieces and squares by their codes.
pub(crate) struct Game {
    /// The code on each square, row by row.
    pub(crate) board: [[Option<String>; 4]; 4],
    /// The codes of the pieces that are not on the board, in the order of their numbers.
    pub(crate) pool: Vec<String>,
    pub(crate) hand: Option<String>,
    /// The player who selects this turn, 1 or 2.
    pub(crate) selector: u32,
    pub(crate) winner: Option<u32>,
}

impl Game {
    pub(crate) fn new() -> Game {
        let mut pool = Vec::new();
        for height in ["S", "T"] {
            for color in ["B", "E"] {
                for shape in ["C", "Q"] {
                    for top in ["H", "O"] {
                        pool.push([height, color, shape, top].concat());
                    }
                }
            }
        }
        Game { board: Default::default(), pool, hand: None, selector: 1, winner: None }
    }

    /// Returns who acts next, or `None` when the game is over.
    pub(crate) fn to_act(&self) -> Option<u32> {
        if self.winner.is_some() || self.pool.is_empty() {
            None
        } else if self.hand.is_some() {
            Some(3 - self.selector)
        } else {
            Some(self.selector)
        }
    }

    /// Returns the legal moves: pieces to select, or empty squares.
    pub(crate) fn moves(&self) -> Vec<String> {
        if self.to_act().is_none() {
            Vec::new()
        } else if self.hand.is_some() {
            self.empty_squares()
        } else {
            self.pool.clone()
        }
    }

    pub(crate) fn play(&mut self, m: &str) {
        let Some(piece) = self.hand.take() else {
            self.hand = Some(m.to_owned());
            return;
        };
        let wins = self.wins(&piece, m);
        let (row, column) = coordinates(m);
        self.board[row][column] = Some(piece.clone());
        self.pool.retain(|other| *other != piece);
        self.selector = 3 - self.selector;
        if wins {
            self.winner = Some(self.selector);
        }
    }

    pub(crate) fn empty_squares(&self) -> Vec<String> {
        let mut empty = Vec::new();
        for row in 0..4 {
            for column in 0..4 {
                if self.board[row][column].is_none() {
                    empty.push(format!("{}{}", ['A', 'B', 'C', 'D'][row], column + 1));
                }
            }
        }
        empty
    }

    /// Returns whether a piece on a square completes a row, column or diagonal with a common attribute.
    pub(crate) fn wins(&self, piece: &str, square: &str) -> bool {
        let (row, column) = coordinates(square);
        let mut lines = vec![[0, 1, 2, 3].map(|column| (row, column)), [0, 1, 2, 3].map(|row| (row, column))];
        if row == column {
            lines.push([0, 1, 2, 3].map(|i| (i, i)));
        }
        if row + column == 3 {
            lines.push([0, 1, 2, 3].map(|i| (i, 3 - i)));
        }
        for line in lines {
            for attribute in 0..4 {
                let mut alike = 0;
                for place in line {
                    let there = if place == (row, column) {
                        Some(piece)
                    } else {
                        self.board[place.0][place.1].as_deref()
                    };
                    if there.is_some_and(|there| there.as_bytes()[attribute] == piece.as_bytes()[attribute]) {
                        alike += 1;
                    }
                }
                if alike == 4 {
                    return true;
                }
            }
        }
        false
    }

    /// Returns the empty squares on which a piece wins.
    pub(crate) fn winning_squares(&self, piece: &str) -> Vec<String> {
        self.empty_squares().into_iter().filter(|square| self.wins(piece, square)).collect()
    }

    /// Returns the pieces that, if selected, let the other player win.
    pub(crate) fn bad_pieces(&self) -> Vec<String> {
        let free = self.pool.iter().filter(|piece| self.hand.as_ref() != Some(piece));
        free.filter(|piece| !self.winning_squares(piece).is_empty()).cloned().collect()
    }

    /// Returns the one-line text.
    pub(crate) fn text(&self) -> String {
        let digit = |code: &String| {
            let bits = code.chars().map(|letter| if "TEQO".contains(letter) { '1' } else { '0' });
            let bits: String = bits.collect();
            format!("{:x}", u32::from_str_radix(&bits, 2).unwrap())
        };
        let row = |row: &[Option<String>; 4]| -> String {
            row.iter().map(|square| square.as_ref().map_or(".".to_owned(), digit)).collect()
        };
        let rows: Vec<String> = self.board.iter().map(row).collect();
        let hand = self.hand.as_ref().map_or("-".to_owned(), digit);
        let player = self.to_act().map_or("-".to_owned(), |player| player.to_string());
        format!("{} {hand} {player}", rows.join("/"))
    }

    /// Returns the drawing of the board.
    pub(crate) fn board_text(&self) -> String {
        let mut text = String::from("    1    2    3    4\n  +----+----+----+----+\n");
        for (row, name) in self.board.iter().zip(["a", "b", "c", "d"]) {
            for (margin, half) in [(name, 0..2), (" ", 2..4)] {
                text += margin;
                text += " |";
                for square in row {
                    text += " ";
                    text += square.as_ref().map_or("  ", |code| &code[half.clone()]);
                    text += " |";
                }
                text += "\n";
            }
            text += "  +----+----+----+----+\n";
        }
        text
    }

    /// Returns the drawing of the pool.
    pub(crate) fn pool_text(&self) -> String {
        if self.pool.is_empty() {
            return String::new();
        }
        let half = |half: std::ops::Range<usize>| -> String {
            self.pool.iter().map(|code| format!("{} ", &code[half.clone()])).collect()
        };
        format!("Available:\n{}\n{}\n", half(0..2), half(2..4))
    }
}

fn coordinates(square: &str) -> (usize, usize) {
    let bytes = square.as_bytes();
    (usize::from(bytes[0] - b'A'), usize::from(bytes[1] - b'1'))
}
