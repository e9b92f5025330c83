//! The player interface, and the myopic player, who looks one move ahead.

use std::io;

use super::{Board, GlibcRand, Piece, Pool, Square};

/// A player, who selects pieces and squares.
///
/// In the course's assignment a player keeps pointers to the board and the pool; here they are passed with each call.
pub trait QuartoPlayer {
    /// Returns an unused piece for the other player to place.
    ///
    /// # Errors
    ///
    /// An [`io::Error`] if there is nothing left to choose from, or if the input ended or failed.
    fn select_piece(&mut self, board: &Board, pool: &Pool) -> io::Result<Piece>;

    /// Returns an empty square to place a piece on.
    ///
    /// # Errors
    ///
    /// An [`io::Error`] if there is nothing left to choose from, or if the input ended or failed.
    fn select_square(&mut self, board: &Board, pool: &Pool, piece: Piece) -> io::Result<Square>;
}

/// A player who never misses a win in one move, and otherwise plays at random.
///
/// ```
/// use petteia::quarto::{Board, MyopicPlayer, Pool, QuartoPlayer};
///
/// let mut player = MyopicPlayer::new(2019);
/// let piece = player.select_piece(&Board::new(), &Pool::new())?;
/// assert_eq!(piece.to_string(), "SECO");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MyopicPlayer {
    stream: GlibcRand,
}

impl MyopicPlayer {
    /// Creates a player whose random choices follow `srand(seed)`.
    pub fn new(seed: u32) -> Self {
        MyopicPlayer { stream: GlibcRand::new(seed) }
    }

    /// Creates a player whose random choices follow a stream.
    pub fn following(stream: GlibcRand) -> Self {
        MyopicPlayer { stream }
    }

    fn choose<T>(&mut self, mut candidates: impl ExactSizeIterator<Item = T>) -> io::Result<T> {
        let nothing = || io::Error::new(io::ErrorKind::InvalidInput, "there is nothing left to choose from");
        let count = u32::try_from(candidates.len()).ok().filter(|&count| count > 0).ok_or_else(nothing)?;
        candidates.nth((self.stream.rand() % count) as usize).ok_or_else(nothing)
    }
}

impl QuartoPlayer for MyopicPlayer {
    /// Chooses among the pieces with which the opponent cannot win at once, or among all if there are none.
    fn select_piece(&mut self, board: &Board, pool: &Pool) -> io::Result<Piece> {
        let bad = |piece| Square::ALL.iter().any(|&sq| board.is_empty(sq) && board.is_winning(piece, sq));
        let safe: Vec<Piece> = pool.unused().filter(|&piece| !bad(piece)).collect();
        if safe.is_empty() { self.choose(pool.unused()) } else { self.choose(safe.into_iter()) }
    }

    /// Returns the first square that wins at once, or chooses among the empty ones if there is none.
    fn select_square(&mut self, board: &Board, _: &Pool, piece: Piece) -> io::Result<Square> {
        let empty: Vec<Square> = Square::ALL.into_iter().filter(|&square| board.is_empty(square)).collect();
        match empty.iter().find(|&&square| board.is_winning(piece, square)) {
            Some(&square) => Ok(square),
            None => self.choose(empty.into_iter()),
        }
    }
}
