//! The game evaluator: how a game record ends.

use std::fmt;

use super::notation::{LineReader, Mark, Move};
use super::position::TicTac;
use crate::position::{Outcome, Player, Position};

/// The verdict on a game record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Verdict {
    /// No move has been made.
    NewGame = 0,
    /// The game goes on, and X is to move.
    XTurn,
    /// The game goes on, and O is to move.
    OTurn,
    /// X has won.
    XWins,
    /// O has won.
    OWins,
    /// All squares are claimed, and nobody has won.
    Draw,
    /// A line is malformed.
    ParseError,
    /// A move is illegal.
    InvalidMove,
}

impl Verdict {
    /// All verdicts, in the order of their numbers.
    pub const ALL: [Verdict; 8] = [
        Verdict::NewGame,
        Verdict::XTurn,
        Verdict::OTurn,
        Verdict::XWins,
        Verdict::OWins,
        Verdict::Draw,
        Verdict::ParseError,
        Verdict::InvalidMove,
    ];

    /// Returns the line that the game evaluator prints, without a newline.
    pub const fn line(self) -> &'static str {
        match self {
            Verdict::NewGame => "Game in progress: New game.",
            Verdict::XTurn => "Game in progress: X's turn.",
            Verdict::OTurn => "Game in progress: O's turn.",
            Verdict::XWins => "Game over: X wins.",
            Verdict::OWins => "Game over: O wins.",
            Verdict::Draw => "Game over: Draw.",
            Verdict::ParseError => "Parse error.",
            Verdict::InvalidMove => "Invalid move.",
        }
    }

    /// Returns the status that the game evaluator exits with.
    pub const fn exit_code(self) -> u8 {
        match self {
            Verdict::ParseError => 1,
            Verdict::InvalidMove => 2,
            _ => 0,
        }
    }

    /// Returns the verdict on a game that has reached this position.
    fn of(game: &TicTac) -> Verdict {
        let name = |player: Player| game.marks()[player.index()];
        match (game.turn(), game.outcome()) {
            (Some(player), _) if name(player) == Mark::X => Verdict::XTurn,
            (Some(_), _) => Verdict::OTurn,
            (None, Some(Outcome::Win(player))) if name(player) == Mark::X => Verdict::XWins,
            (None, Some(Outcome::Win(_))) => Verdict::OWins,
            (None, _) => Verdict::Draw,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.line())
    }
}

/// Evaluates a whole game record.
///
/// ```
/// use petteia::tictac::{Verdict, evaluate};
///
/// assert_eq!(evaluate(b"1 X B2\n2 O C2 # oops\n"), Verdict::XTurn);
/// assert_eq!(evaluate(b"1 X B2\n2 O B2\n").line(), "Invalid move.");
/// ```
pub fn evaluate(record: &[u8]) -> Verdict {
    let mut evaluator = Evaluator::new();
    evaluator.push(record);
    evaluator.verdict()
}

/// Evaluates a game record that arrives in pieces, in constant memory.
///
/// ```
/// use petteia::tictac::{Evaluator, Verdict};
///
/// let mut evaluator = Evaluator::new();
/// evaluator.push(b"1 X B");
/// evaluator.push(b"2\n");
/// assert_eq!(evaluator.verdict(), Verdict::OTurn);
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    line: LineReader,
    game: Option<TicTac>,
    /// The first bad line decides; what follows is ignored.
    error: Option<Verdict>,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// Starts with an empty record.
    pub const fn new() -> Self {
        Evaluator { line: LineReader::new(), game: None, error: None }
    }

    /// Feeds the next piece of the record, split anywhere.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && self.error.is_none() {
            if self.line.at_start() {
                if let Some((m, rest)) = plain_line(bytes) {
                    self.play(m);
                    bytes = rest;
                    continue;
                }
            }
            let byte = bytes[0];
            if byte == b'\n' {
                self.end_line();
            } else if self.line.is_decided() {
                let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
                bytes = &bytes[end..];
                continue;
            } else {
                self.line.push(byte);
            }
            bytes = &bytes[1..];
        }
    }

    /// Returns whether a bad line has been found, so that the verdict is final.
    pub fn is_decided(&self) -> bool {
        self.error.is_some()
    }

    /// Returns the verdict on a record that ends here.
    pub fn verdict(&self) -> Verdict {
        let mut ended = self.clone();
        if !ended.line.at_start() && ended.error.is_none() {
            ended.end_line();
        }
        match (ended.error, ended.game) {
            (Some(error), _) => error,
            (None, Some(game)) => Verdict::of(&game),
            (None, None) => Verdict::NewGame,
        }
    }

    #[inline]
    fn end_line(&mut self) {
        match self.line.finish() {
            Some(m) => self.play(m),
            None => self.error = Some(Verdict::ParseError),
        }
        self.line = LineReader::new();
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let game = self.game.get_or_insert(TicTac::new(m.player()));
        let next = game.turn().map(|player| game.marks()[player.index()]);
        let in_turn = next == Some(m.player()) && game.ply() + 1 == u32::from(m.number());
        if in_turn && game.is_legal(&m.square()) {
            game.play_unchecked(m.square());
        } else {
            self.error = Some(Verdict::InvalidMove);
        }
    }
}

/// Splits off the first line if it is in the most common format: `1 X B2` and a newline.
///
/// Every other line is left to the [`LineReader`], which alone detects errors.
#[inline]
fn plain_line(bytes: &[u8]) -> Option<(Move, &[u8])> {
    let (line, rest) = bytes.split_first_chunk::<7>()?;
    let [number @ b'1'..=b'9', b' ', player, b' ', row @ b'A'..=b'C', column @ b'1'..=b'3', b'\n'] = *line
    else {
        return None;
    };
    let player = match player {
        b'X' => Mark::X,
        b'O' => Mark::O,
        _ => return None,
    };
    let square = super::Square::new(usize::from((row - b'A') * 3 + (column - b'1')))?;
    Some((Move::new(number - b'0', player, square)?, rest))
}
