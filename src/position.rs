//! The [`Position`] trait, which states the rules of a game, and the small traits that extend it.
//!
//! [`Position`] is all that a game must implement. [`Actions`] numbers its moves, [`Symmetry`] lists the symmetries of
//! its board. Everything done with positions, such as counting, playing and solving, lives in other modules.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::error::{IllegalMove, ParseError};
use crate::moves::Moves;

/// One of the two sides of a game, in the order of their first moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Player {
    /// The player who makes the first move of the game.
    First = 0,
    /// The other player.
    Second = 1,
}

impl Player {
    /// Both players, first player first.
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
/// A game implements its rules, which are the four required methods, and the notation of its moves and positions:
/// `to_string` gives one line of text. Equal positions have the same continuations.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::TicTac;
///
/// let mut game = TicTac::default();
/// for square in ["B2", "C2", "C3", "A1", "B3", "A3", "B1"] {
///     game.play(square.parse()?)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
/// assert_eq!(game.to_string(), "O_O/XXX/_OX -");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Position: Clone + Eq + Hash + Send + Sync + Debug + Display {
    /// A move, with its notation as `Display` and `FromStr`.
    type Move: Clone + Eq + Hash + Send + Sync + Debug + Display + FromStr<Err = ParseError>;

    /// The iterator over legal moves: a [`MoveSet`](crate::MoveSet), which fits in a register, the iterator of a `Vec`,
    /// or another small iterator.
    type Moves: Moves<Item = Self::Move> + Send;

    /// The game's name in records, in errors and on the command line.
    const NAME: &'static str;

    /// Returns the player to move, or `None` when the game is over.
    fn turn(&self) -> Option<Player>;

    /// Returns how the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the legal moves, always in the same order; there are none exactly when the game is over.
    fn moves(&self) -> Self::Moves;

    /// Plays a move without checking it: the fast path for moves from [`moves`](Position::moves).
    ///
    /// An illegal move leads to an impossible position, or panics in a debug build; it is never undefined behaviour.
    fn play_unchecked(&mut self, m: Self::Move);

    /// Returns the name of the game that this position belongs to.
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Returns the players' names, first player first.
    fn players(&self) -> [&'static str; 2] {
        ["first", "second"]
    }

    /// Returns whether the game is over.
    #[inline]
    fn is_over(&self) -> bool {
        self.turn().is_none()
    }

    /// Returns how many bytes the position takes on the heap, besides its own size; by default none.
    ///
    /// Searches count them in the limits of their tables.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Returns whether a move is legal.
    fn is_legal(&self, m: &Self::Move) -> bool {
        self.moves().any(|legal| legal == *m)
    }

    /// Plays a legal move.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] for any other; the position is then unchanged.
    #[inline]
    fn play(&mut self, m: Self::Move) -> Result<(), IllegalMove> {
        if self.is_legal(&m) {
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
        if self.is_legal(&m) { Ok(self.after_unchecked(m)) } else { Err(IllegalMove::new(self, &m)) }
    }

    /// Returns the position after a move from [`moves`](Position::moves), without checking it.
    #[inline]
    fn after_unchecked(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }
}

/// A position whose moves are numbered densely: batches, C and Python exchange moves as these numbers.
///
/// Legal moves then come in the order of their actions.
pub trait Actions: Position {
    /// Returns the number of actions of the game: every move's action is below it.
    fn num_actions(&self) -> usize;

    /// Returns a move's action, or `None` for one that does not fit on this board.
    fn action(&self, m: &Self::Move) -> Option<usize>;

    /// Returns the move with the given action, or `None` if the number is too large.
    fn move_of(&self, action: usize) -> Option<Self::Move>;

    /// Returns the action of a move that is legal in a position of this game.
    ///
    /// # Panics
    ///
    /// If it has none, which breaks the promise of this trait.
    #[inline]
    fn action_of_legal(&self, m: &Self::Move) -> usize {
        self.action(m).unwrap_or_else(|| panic!("the legal move {m} of {} has no action", self.name()))
    }
}

/// A position whose board has symmetries that leave the game unchanged, such as reflections.
pub trait Symmetry: Position + Ord {
    /// Returns the order of the symmetry group of this position's game.
    fn symmetries(&self) -> usize;

    /// Returns the image of the position under a symmetry; number 0 is the identity.
    ///
    /// # Panics
    ///
    /// If the number is not below [`symmetries`](Symmetry::symmetries).
    fn transform(&self, symmetry: usize) -> Self;

    /// Returns the image of a move under a symmetry, so that playing and transforming commute.
    ///
    /// # Panics
    ///
    /// If the number is not below [`symmetries`](Symmetry::symmetries).
    fn transform_move(&self, symmetry: usize, m: Self::Move) -> Self::Move;

    /// Returns the least image of the position under all symmetries, which symmetric positions share.
    fn least_image(&self) -> Self {
        let images = (1..self.symmetries()).map(|symmetry| self.transform(symmetry));
        images.fold(self.clone(), |least, image| least.min(image))
    }
}
