//! The board of the course's assignment: a mutable map from squares to players.

use std::fmt;

use super::position_set::{PositionSet, Square};
use crate::error::ArgumentError;

/// A player, or nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Player {
    /// The player who begins.
    Dark,
    /// The other player.
    Light,
    /// No player: an empty square, the turn of a finished game, the winner of a tie.
    Neither,
}

impl Player {
    /// Returns the opponent; neither for neither.
    pub const fn other(self) -> Player {
        match self {
            Player::Dark => Player::Light,
            Player::Light => Player::Dark,
            Player::Neither => Player::Neither,
        }
    }

    /// Returns the player as printed: `D`, `L` or `_`.
    pub const fn symbol(self) -> char {
        match self {
            Player::Dark => 'D',
            Player::Light => 'L',
            Player::Neither => '_',
        }
    }
}

impl From<Option<crate::Player>> for Player {
    fn from(player: Option<crate::Player>) -> Self {
        match player {
            Some(crate::Player::First) => Player::Dark,
            Some(crate::Player::Second) => Player::Light,
            None => Player::Neither,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

/// A board of tiles, 2 to 8 squares wide and high.
///
/// ```
/// use petteia::reversi::{Board, Player};
///
/// let mut board = Board::new(3, 2)?;
/// board.set("a1".parse()?, Player::Dark)?;
/// board.set("c2".parse()?, Player::Light)?;
/// assert_eq!(board.to_string(), "D__\n__L\n");
/// assert_eq!(board.count_player(Player::Neither), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: u8,
    height: u8,
    dark: PositionSet,
    light: PositionSet,
}

/// Checks a board's size.
pub(super) fn check_size(width: usize, height: usize) -> Result<(), ArgumentError> {
    for (name, size) in [("width", width), ("height", height)] {
        if !(2..=8).contains(&size) {
            return Err(ArgumentError::new(name, size, "2 to 8"));
        }
    }
    Ok(())
}

/// Checks that a player is one who can move.
fn check_player(player: Player) -> Result<(), ArgumentError> {
    match player {
        Player::Dark | Player::Light => Ok(()),
        Player::Neither => Err(ArgumentError::new("player", "NEITHER", "Player.DARK or Player.LIGHT")),
    }
}

/// Returns the four squares of the opening phase.
pub(super) fn center(width: usize, height: usize) -> PositionSet {
    PositionSet::rectangle(width / 2 - 1, height / 2 - 1, 2, 2)
}

impl Board {
    /// Returns an empty board.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if the width or the height is not from 2 to 8.
    pub fn new(width: usize, height: usize) -> Result<Self, ArgumentError> {
        check_size(width, height)?;
        Ok(Board {
            width: width as u8,
            height: height as u8,
            dark: PositionSet::EMPTY,
            light: PositionSet::EMPTY,
        })
    }

    /// Returns a board whose size and tiles are known to be valid.
    pub(super) fn with_tiles(width: u8, height: u8, dark: PositionSet, light: PositionSet) -> Self {
        Board { width, height, dark, light }
    }

    /// Returns the board's width and height.
    pub fn dimensions(&self) -> (usize, usize) {
        (usize::from(self.width), usize::from(self.height))
    }

    /// Returns all squares of the board.
    pub fn all_positions(&self) -> PositionSet {
        let (width, height) = self.dimensions();
        PositionSet::rectangle(0, 0, width, height)
    }

    /// Returns the four centre squares, on which the opening phase is played.
    pub fn center_positions(&self) -> PositionSet {
        let (width, height) = self.dimensions();
        center(width, height)
    }

    /// Returns the eight directions as steps in x and y.
    pub const fn all_directions() -> [(i8, i8); 8] {
        [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
    }

    /// Returns who has a tile on a square, or `None` for a square off the board.
    pub fn get(&self, square: Square) -> Option<Player> {
        self.all_positions().contains(square).then(|| match () {
            () if self.dark.contains(square) => Player::Dark,
            () if self.light.contains(square) => Player::Light,
            () => Player::Neither,
        })
    }

    /// Puts a player's tile on a square, or clears it.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a square off the board.
    pub fn set(&mut self, square: Square, player: Player) -> Result<(), ArgumentError> {
        self.set_all([square].into_iter().collect(), player)
    }

    /// Puts a player's tiles on all squares of a set.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if any square is off the board; nothing is then changed.
    pub fn set_all(&mut self, squares: PositionSet, player: Player) -> Result<(), ArgumentError> {
        self.check(squares)?;
        self.dark -= squares;
        self.light -= squares;
        match player {
            Player::Dark => self.dark |= squares,
            Player::Light => self.light |= squares,
            Player::Neither => {}
        }
        Ok(())
    }

    /// Checks that squares are on the board.
    fn check(&self, squares: PositionSet) -> Result<(), ArgumentError> {
        match (squares - self.all_positions()).iter().next() {
            Some(square) => {
                let size = format!("a square of the {} by {} board", self.width, self.height);
                Err(ArgumentError::of_text("square", square, size))
            }
            None => Ok(()),
        }
    }

    /// Returns the squares on which a player has a tile, or the empty ones for neither.
    pub fn positions(&self, player: Player) -> PositionSet {
        match player {
            Player::Dark => self.dark,
            Player::Light => self.light,
            Player::Neither => self.all_positions() - self.dark - self.light,
        }
    }

    /// Returns the number of a player's tiles, or of empty squares for neither.
    pub fn count_player(&self, player: Player) -> usize {
        self.positions(player).len()
    }

    /// Returns the opponent's tiles in one direction from a square that a player's tile there would flip: those in a
    /// straight line that ends in a tile of the player. The square itself is not looked at.
    ///
    /// ```
    /// use petteia::reversi::{Board, Player};
    ///
    /// let mut board = Board::new(8, 8)?;
    /// board.set("c3".parse()?, Player::Dark)?;
    /// board.set("c4".parse()?, Player::Light)?;
    /// assert!(board.find_flips("c5".parse()?, (0, 1), Player::Dark)?.is_empty());
    /// assert_eq!(board.find_flips("c5".parse()?, (0, -1), Player::Dark)?.to_string(), "{{2, 3}}");
    /// assert_eq!(board.evaluate_position("c5".parse()?, Player::Dark)?.to_string(), "{{2, 3}, {2, 4}}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a square off the board, for a step that is not one of
    /// [`all_directions`](Board::all_directions), and for neither player.
    pub fn find_flips(
        &self,
        square: Square,
        (dx, dy): (i8, i8),
        player: Player,
    ) -> Result<PositionSet, ArgumentError> {
        self.check([square].into_iter().collect())?;
        if !Board::all_directions().contains(&(dx, dy)) {
            let expected = "a step of -1, 0 or 1 in x and in y, not both 0";
            return Err(ArgumentError::new("dir", format_args!("({dx}, {dy})"), expected));
        }
        check_player(player)?;
        let mut flips = PositionSet::EMPTY;
        let mut at = square;
        loop {
            let x = at.x().checked_add_signed(dx.into());
            let y = at.y().checked_add_signed(dy.into());
            let Some(next) = x.zip(y).and_then(|(x, y)| Square::new(x, y)) else {
                return Ok(PositionSet::EMPTY);
            };
            match self.get(next) {
                Some(here) if here == player.other() => flips.insert(next),
                Some(here) if here == player => return Ok(flips),
                _ => return Ok(PositionSet::EMPTY),
            }
            at = next;
        }
    }

    /// Returns the squares that a player gains by a tile on a square: that square and all flips, or none if the square
    /// is occupied or nothing would flip. In the opening phase the rules are others: see [`Model`](super::Model).
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a square off the board, and for neither player.
    pub fn evaluate_position(&self, square: Square, player: Player) -> Result<PositionSet, ArgumentError> {
        self.check([square].into_iter().collect())?;
        check_player(player)?;
        let mut gained = PositionSet::EMPTY;
        if self.get(square) == Some(Player::Neither) {
            for direction in Board::all_directions() {
                gained |= self.find_flips(square, direction, player)?;
            }
            gained.set(square, !gained.is_empty());
        }
        Ok(gained)
    }

    /// Returns the rows from the top as printed.
    pub(super) fn rows(&self) -> impl Iterator<Item = String> + '_ {
        let (width, height) = self.dimensions();
        (0..height).map(move |y| {
            let squares = (0..width).filter_map(|x| self.get(Square::new(x, y)?));
            squares.map(Player::symbol).collect()
        })
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows().try_for_each(|row| writeln!(f, "{row}"))
    }
}
