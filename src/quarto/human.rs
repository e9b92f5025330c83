//! The human player.

use std::io::{self, BufRead, ErrorKind, Write};

use super::{Board, Piece, Pool, QuartoError, QuartoPlayer, Square};
use crate::reading;

/// A player who types pieces and squares, and is asked again until the answer is valid.
///
/// Answers are words separated by white space, as C++ reads them, and may be any bytes. A word that is too long is
/// echoed as it arrives, so that it takes constant memory.
///
/// ```
/// use petteia::quarto::{Board, HumanPlayer, Pool, QuartoPlayer};
///
/// let mut output = Vec::new();
/// let mut player = HumanPlayer::new("ABCD SBCH".as_bytes(), &mut output);
/// let piece = player.select_piece(&Board::new(), &Pool::new())?;
/// assert_eq!(piece.to_string(), "SBCH");
/// assert_eq!(output, b"Enter a piece:ABCD is an invalid input.\nEnter a piece:");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HumanPlayer<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> HumanPlayer<R, W> {
    /// Creates a player who reads answers from one stream and writes prompts to another.
    pub fn new(input: R, output: W) -> Self {
        HumanPlayer { input, output }
    }

    /// Asks until the answer is valid.
    fn ask<T>(
        &mut self,
        question: &str,
        read: impl Fn(&[u8]) -> Option<T>,
        check: impl Fn(T) -> Result<T, QuartoError>,
    ) -> io::Result<T> {
        loop {
            self.output.write_all(question.as_bytes())?;
            // The prompt must be visible before the answer is awaited.
            self.output.flush()?;
            let word = self.read_word()?;
            match read(word.as_bytes()).map(&check) {
                Some(Ok(choice)) => return Ok(choice),
                Some(Err(error)) => writeln!(self.output, "{error}")?,
                None => {
                    self.output.write_all(word.as_bytes())?;
                    self.echo_word()?;
                    writeln!(self.output, " is an invalid input.")?;
                }
            }
        }
    }

    /// Reads a word up to the next white space, or only its beginning if it is too long to be valid.
    fn read_word(&mut self) -> io::Result<Word> {
        let mut word = Word::default();
        while let Some(byte) = self.peek()? {
            match (is_space(byte), word.length) {
                (true, 0) => {}
                (false, 0..Word::MOST) => word.push(byte),
                _ => return Ok(word),
            }
            self.input.consume(1);
        }
        if word.length == 0 {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the input ended before the game did"));
        }
        Ok(word)
    }

    /// Echoes the rest of a word as it is read.
    fn echo_word(&mut self) -> io::Result<()> {
        loop {
            let output = &mut self.output;
            let ended = reading::take(&mut self.input, |bytes| {
                let rest = bytes.iter().position(|&byte| is_space(byte)).unwrap_or(bytes.len());
                let written = output.write_all(&bytes[..rest]);
                (rest, written.map(|()| rest < bytes.len() || rest == 0))
            })?;
            if ended? {
                return Ok(());
            }
        }
    }

    /// Returns the next byte without consuming it, or `None` at the end of the input.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        reading::take(&mut self.input, |bytes| (0, bytes.first().copied()))
    }
}

impl<R: BufRead, W: Write> QuartoPlayer for HumanPlayer<R, W> {
    fn select_piece(&mut self, _: &Board, pool: &Pool) -> io::Result<Piece> {
        self.ask("Enter a piece:", Piece::from_code, |piece| pool.get_unused_piece(piece))
    }

    fn select_square(&mut self, board: &Board, _: &Pool, _: Piece) -> io::Result<Square> {
        self.ask("Enter a position:", Square::from_name, |sq| board.get_empty_square(sq.v(), sq.h()))
    }
}

/// The beginning of a word, up to one byte more than the longest answer.
#[derive(Default)]
struct Word {
    bytes: [u8; Word::MOST],
    length: usize,
}

impl Word {
    const MOST: usize = 5;

    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Returns whether C's `isspace` accepts a byte.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}
