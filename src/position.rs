//! What a position is: the [`Position`] trait that each game implements once, and the words all games share.
//!
//! A game writes the few required methods; checked [`play`](Position::play), [`perft`](Position::perft), random
//! [`playouts`](Position::playouts) and the [`canonical`](Position::canonical) form are provided here for all of them.

use std::error::Error;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use crate::moves::Moves;
use crate::playout::{self, Tally};
use crate::random::Rng;
use crate::search;
use crate::search::solve::{Options, Solution, SolveError};
use crate::svg::Marks;

/// One of the two sides of a game, by the order in which they move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Player {
    /// The player who makes the first move of the game.
    First = 0,
    /// The other player.
    Second = 1,
}

impl Player {
    /// Both players, the first to move first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// Returns the opponent.
    #[inline]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// Returns 0 for the first player and 1 for the second, to index a pair.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// One player won.
    Win(Player),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Returns the player who won, if one did.
    #[inline]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Win(player) => Some(player),
            Outcome::Draw => None,
        }
    }
}

/// A position of a two-player game: a value without history that knows its legal moves.
///
/// Legal moves are a [`MoveSet`](crate::MoveSet) or another small iterator that lives in registers: no heap is touched
/// to list, count or pick a move.
///
/// # Examples
///
/// ```
/// use petteia::{Outcome, Player, Position, TicTac};
///
/// let mut game = TicTac::default();
/// for square in ["B2", "C2", "C3", "A1", "B3", "A3", "B1"] {
///     game.play(square.parse()?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
/// assert_eq!(game.text(), "O_O/XXX/_OX -");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Position:
    Clone + Ord + Hash + Send + Sync + fmt::Debug + fmt::Display + FromStr<Err = ParseError>
{
    /// A move, with its notation as `Display` and `FromStr`.
    type Move: Copy + Eq + Hash + Send + Sync + fmt::Debug + fmt::Display + FromStr<Err = ParseError>;

    /// The legal moves of a position in the order of their actions.
    type Moves: Moves<Item = Self::Move> + Send;

    /// The game's name in records and on the command line.
    const NAME: &'static str;

    /// Whether the score of a finished game is a difference of squares, so that empty ones can count for the winner.
    const COUNTS_SQUARES: bool = false;

    /// Returns the position that a game with the given parameters starts from.
    ///
    /// The parameters are the words that [`parameters`](Position::parameters) returns, joined by single spaces.
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for too few or too many words and for numbers out of range.
    fn from_parameters(words: &str) -> Result<Self, ParseError>;

    /// Returns the words that tell this game from others of its name, such as `8 8` for a Reversi board's size.
    fn parameters(&self) -> String;

    /// Returns the players' names, the first to move first.
    fn players(&self) -> [&'static str; 2];

    /// Returns the player to move, or `None` when the game is over.
    fn turn(&self) -> Option<Player>;

    /// Returns how the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the legal moves in the order of their actions; there are none exactly when the game is over.
    fn moves(&self) -> Self::Moves;

    /// Returns whether a move is legal now.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Plays a move without checking it: the fast path for moves that came from [`moves`](Position::moves).
    ///
    /// An illegal move gives a position that no game has, or panics in a debug build; it is never undefined behaviour.
    fn play_unchecked(&mut self, m: Self::Move);

    /// Returns how many actions the game has: every move's action is below this number.
    fn num_actions(&self) -> usize;

    /// Returns a move's dense number, or `None` for one that this board has no room for.
    fn action(&self, m: Self::Move) -> Option<usize>;

    /// Returns the move with the given action, or `None` if the number is too large.
    fn move_of(&self, action: usize) -> Option<Self::Move>;

    /// Returns the one-line text that parses back to an equal position.
    fn text(&self) -> String;

    /// Appends the [`text`](Position::text), for those who write many into one place.
    fn push_text(&self, text: &mut String) {
        text.push_str(&self.text());
    }

    /// Returns the picture of the position.
    fn svg(&self, marks: &Marks<Self::Move>) -> String;

    /// Returns the order of the group of symmetries that this position's game has.
    fn symmetries(&self) -> usize;

    /// Returns the position seen through one of the game's symmetries; number 0 changes nothing.
    ///
    /// # Panics
    ///
    /// If the number is not below [`symmetries`](Position::symmetries).
    fn transform(&self, symmetry: usize) -> Self;

    /// Returns what a move becomes under a symmetry, so that playing and transforming commute.
    ///
    /// # Panics
    ///
    /// If the number is not below [`symmetries`](Position::symmetries).
    fn transform_move(&self, symmetry: usize, m: Self::Move) -> Self::Move;

    /// Returns one position for all those that are equal under the game's symmetries.
    ///
    /// Which of them it is stays the same within a version of petteia, not longer.
    fn canonical(&self) -> Self {
        let images = (1..self.symmetries()).map(|symmetry| self.transform(symmetry));
        images.fold(self.clone(), |least, image| least.min(image))
    }

    /// Returns two words that no two positions of a game share unless they go on alike, as those do that are equal under
    /// symmetry; `None` if two words cannot tell the positions of this game apart.
    ///
    /// It is what tables of positions are kept under.
    fn key(&self) -> Option<[u64; 2]> {
        None
    }

    /// Returns the score that no player of this game can exceed: 1, for a win, unless the game counts squares.
    #[inline]
    fn max_score(&self) -> i32 {
        1
    }

    /// Returns the first player's score when the game is over: 1, 0 or -1, or the difference of squares.
    ///
    /// Squares that stayed empty count for the winner if asked for, where the game counts squares.
    #[inline]
    fn score(&self, empties_to_winner: bool) -> Option<i32> {
        let _ = empties_to_winner;
        self.outcome().map(|outcome| match outcome {
            Outcome::Win(Player::First) => 1,
            Outcome::Win(Player::Second) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the [`score`](Position::score) from the view of a player.
    #[doc(hidden)]
    #[inline]
    fn score_for(&self, player: Option<Player>, empties_to_winner: bool) -> Option<i32> {
        let score = self.score(empties_to_winner)?;
        Some(if player == Some(Player::Second) { -score } else { score })
    }

    /// Returns whether the game is over.
    #[inline]
    fn is_over(&self) -> bool {
        self.turn().is_none()
    }

    /// Plays a legal move.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] for any other; the position is then as it was.
    #[inline]
    fn play(&mut self, m: Self::Move) -> Result<(), IllegalMove> {
        if self.is_legal(m) {
            self.play_unchecked(m);
            Ok(())
        } else {
            Err(IllegalMove::new(self, &m))
        }
    }

    /// Returns the position after a legal move.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] for any other.
    #[inline]
    fn after(&self, m: Self::Move) -> Result<Self, IllegalMove> {
        if self.is_legal(m) { Ok(self.after_unchecked(m)) } else { Err(IllegalMove::new(self, &m)) }
    }

    /// Returns the position after a move that came from [`moves`](Position::moves), without checking it.
    #[inline]
    fn after_unchecked(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }

    /// Counts the move sequences of exactly `depth` plies from here; a finished game has none but the empty one.
    ///
    /// ```
    /// use petteia::{Position, TicTac};
    ///
    /// assert_eq!(TicTac::default().perft(9), 127_872);
    /// ```
    fn perft(&self, depth: u32) -> u64 {
        search::perft::walk(self, depth)
    }

    /// Finds the exact value of the position, its best moves and the line of best play.
    ///
    /// ```
    /// use petteia::{Options, Position, TicTac};
    ///
    /// let position: TicTac = "X_O/_X_/___ O".parse()?;
    /// let solution = position.solve(&Options::default())?;
    /// assert_eq!((solution.value, solution.best_moves), (0, vec!["C3".parse()?]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`SolveError`] for a finished game, for counting empties in a game that does not count squares, or for a table
    /// that memory has no room for.
    fn solve(&self, options: &Options) -> Result<Solution<Self::Move>, SolveError> {
        search::solve::solve_plainly(self, options)
    }

    /// Plays uniformly random moves to the end of the game, and returns how it ended and after how many plies.
    fn playout(&self, rng: &mut Rng) -> (Outcome, u64) {
        playout::play_out(self.clone(), rng)
    }

    /// Plays random games from here and adds up how they end.
    ///
    /// Game `i` of a seed is the same game on every machine, whatever range it is played in: ranges can be handed to
    /// threads and their tallies added.
    ///
    /// ```
    /// use petteia::{Position, Quarto};
    ///
    /// let whole = Quarto::default().playouts(0..1000, 7);
    /// let halves = Quarto::default().playouts(0..500, 7) + Quarto::default().playouts(500..1000, 7);
    /// assert_eq!(whole, halves);
    /// ```
    fn playouts(&self, games: std::ops::Range<u64>, seed: u64) -> Tally {
        playout::play_out_many(self, games, seed)
    }
}

/// A move that is not legal in the position it was played in.
///
/// Its message quotes the move, the position and the legal moves.
#[derive(Clone, PartialEq, Eq)]
pub struct IllegalMove {
    // Boxed, so that the result of a checked play stays one word.
    message: Box<str>,
}

impl IllegalMove {
    /// How many legal moves a message lists before it only counts them.
    const LISTED: usize = 64;

    /// Describes a move, or the text of one, that cannot be played in a position.
    #[cold]
    pub fn new<P: Position>(position: &P, m: &impl fmt::Display) -> Self {
        let position_text = position.text();
        let mut message =
            format!("illegal move {} in {} {}: ", Quoted(&m.to_string()), P::NAME, Quoted(&position_text));
        let moves = position.moves();
        let count = moves.len();
        if count == 0 {
            message.push_str("the game is over");
        } else {
            message.push_str("the legal moves are");
            for m in moves.take(Self::LISTED) {
                message.push(' ');
                message.push_str(&m.to_string());
            }
            if count > Self::LISTED {
                message.push_str(&format!(" and {} more", count - Self::LISTED));
            }
        }
        IllegalMove { message: message.into() }
    }

    /// Says where in a sequence of moves the illegal one stands, counted from 1.
    #[must_use]
    pub fn at_ply(self, ply: usize) -> Self {
        IllegalMove { message: format!("ply {ply}: {}", self.message).into() }
    }

    /// Says in which of many games the illegal move was to be played, counted from 0.
    #[must_use]
    pub(crate) fn in_lane(self, lane: usize) -> Self {
        IllegalMove { message: format!("lane {lane}: {}", self.message).into() }
    }
}

/// A text that is not what it should be, or a number out of range.
///
/// Its message quotes the text and says what was expected.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError {
    message: Box<str>,
}

impl ParseError {
    /// Describes a text that could not be read as `what`.
    #[cold]
    pub(crate) fn new(what: &str, input: &str, expected: impl fmt::Display) -> Self {
        ParseError { message: format!("invalid {what} {}: expected {expected}", Quoted(input)).into() }
    }

    /// Describes a number that is out of range.
    #[cold]
    pub(crate) fn number(what: &str, got: impl fmt::Display, expected: impl fmt::Display) -> Self {
        ParseError { message: format!("invalid {what} {got}: expected {expected}").into() }
    }

    /// Says where in a sequence of moves the unreadable one stands, counted from 1.
    #[must_use]
    pub fn at_ply(self, ply: usize) -> Self {
        ParseError { message: format!("ply {ply}: {}", self.message).into() }
    }
}

macro_rules! message_error {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.message)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.message)
            }
        }

        impl Error for $name {}
    };
}

message_error!(IllegalMove);
message_error!(ParseError);

/// A text in quotation marks with control characters escaped, cut where it grows too long to read.
struct Quoted<'a>(&'a str);

impl Quoted<'_> {
    /// How many characters of a text a message shows.
    const SHOWN: usize = 240;
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(Self::SHOWN) {
            None => write!(f, "{:?}", self.0),
            Some((end, _)) => write!(f, "{:?}… ({} bytes)", &self.0[..end], self.0.len()),
        }
    }
}
