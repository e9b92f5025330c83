//! The position, as two nine-bit masks.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::notation::{Mark, Square};
use crate::engine::{Engine, MAX_ADVANTAGE, Strength};
use crate::error::{ParseError, SetupError};
use crate::moves::{BitMove, MoveSet};
use crate::parameters::{Declared, Parameter, Preset, check_values};
use crate::playout::{Tally, playouts_by_mask};
use crate::position::{Actions, Outcome, Player, Position, Symmetry};

/// All nine squares.
const FULL: u16 = 0o777;

/// The three rows, the three columns and the two diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// One bit for each of the 512 sets of squares: whether it contains a line.
const HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set & LINES[line] == LINES[line] {
                table[(set >> 6) as usize] |= 1 << (set & 63);
            }
            line += 1;
        }
        set += 1;
    }
    table
};

#[inline]
fn has_line(set: u16) -> bool {
    HAS_LINE[usize::from(set >> 6) & 7] >> (set & 63) & 1 == 1
}

/// A position of TicTac.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{TicTac, tictac::Mark};
///
/// let mut game = TicTac::new(Mark::O);
/// game.play("B2".parse()?)?;
/// assert_eq!(game.to_string(), "___/_O_/___ X");
/// assert_eq!(game.moves().len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TicTac {
    /// The squares of the player to move in the lower half, the opponent's in the upper: a move swaps the halves.
    claimed: u32,
    first: Mark,
    state: State,
}

/// Stored with the squares so that it need not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum State {
    FirstToMove,
    SecondToMove,
    FirstWon,
    SecondWon,
    Drawn,
}

impl Default for TicTac {
    fn default() -> Self {
        TicTac::new(Mark::X)
    }
}

impl TicTac {
    /// Returns the empty grid; the given player begins.
    #[inline]
    pub const fn new(first: Mark) -> Self {
        TicTac { claimed: 0, first, state: State::FirstToMove }
    }

    /// Returns both players' marks, the first player's first.
    #[inline]
    pub const fn marks(&self) -> [Mark; 2] {
        [self.first, self.first.other()]
    }

    /// Returns the mark on a square, if there is one.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Mark> {
        let player = self.claimed().into_iter().position(|set| set & square.bit() != 0)?;
        Some(self.marks()[player])
    }

    /// Returns the number of squares claimed so far.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.occupied().count_ones()
    }

    /// Returns the squares of the winning lines, if any.
    pub fn winning_squares(&self) -> impl Iterator<Item = Square> {
        let set = match self.outcome() {
            Some(Outcome::Win(player)) => self.claimed()[player.index()],
            _ => 0,
        };
        let lines = LINES.iter().filter(|&line| set & line == *line).fold(0, |all, line| all | line);
        MoveSet::new(u64::from(lines))
    }

    #[inline]
    fn occupied(&self) -> u16 {
        (self.claimed | self.claimed >> 16) as u16
    }

    /// Returns the squares of the player to move and of the opponent; when the game is over, the first player's come
    /// first.
    #[inline]
    pub(super) fn sides(&self) -> [u16; 2] {
        if self.is_over() { self.claimed() } else { [self.claimed as u16, (self.claimed >> 16) as u16] }
    }

    /// Returns the squares of the first player and of the second.
    fn claimed(&self) -> [u16; 2] {
        let halves = [self.claimed as u16, (self.claimed >> 16) as u16];
        if self.ply() % 2 == 0 { halves } else { [halves[1], halves[0]] }
    }

    /// Returns the position with the given squares of the first player and of the second.
    fn with_claimed(claimed: [u16; 2], first: Mark, state: State) -> Self {
        let [mover, other] = match (claimed[0] | claimed[1]).count_ones() % 2 {
            0 => claimed,
            _ => [claimed[1], claimed[0]],
        };
        TicTac { claimed: u32::from(mover) | u32::from(other) << 16, first, state }
    }

    /// Returns the image of a square under a symmetry: a reflection, then quarter turns.
    fn image(symmetry: usize, square: Square) -> Square {
        let (mut row, mut column) = (square.row(), square.column());
        if symmetry & 1 != 0 {
            column = 2 - column;
        }
        for _ in 0..symmetry >> 1 {
            (row, column) = (column, 2 - row);
        }
        Square::from_bit((row * 3 + column) as u32)
    }
}

impl Position for TicTac {
    type Move = Square;
    type Moves = MoveSet<Square>;

    const NAME: &'static str = "tictac";

    fn players(&self) -> [&'static str; 2] {
        self.marks().map(Mark::name)
    }

    #[inline]
    fn turn(&self) -> Option<Player> {
        const TURNS: [Option<Player>; 5] = [Some(Player::First), Some(Player::Second), None, None, None];
        TURNS[self.state as usize]
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.state >= State::FirstWon
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.state {
            State::FirstToMove | State::SecondToMove => None,
            State::FirstWon => Some(Outcome::Win(Player::First)),
            State::SecondWon => Some(Outcome::Win(Player::Second)),
            State::Drawn => Some(Outcome::Draw),
        }
    }

    #[inline]
    fn moves(&self) -> MoveSet<Square> {
        let free = if self.is_over() { 0 } else { FULL & !self.occupied() };
        MoveSet::new(u64::from(free))
    }

    #[inline]
    fn is_legal(&self, &square: &Square) -> bool {
        !self.is_over() && self.occupied() & square.bit() == 0
    }

    #[inline]
    fn play_unchecked(&mut self, square: Square) {
        let mover = usize::from(self.state == State::SecondToMove);
        self.claimed = (self.claimed | u32::from(square.bit())).rotate_left(16);
        // A table rather than branches, which random games would make unpredictable.
        const NEXT: [[State; 2]; 4] = [
            [State::SecondToMove, State::FirstToMove],
            [State::Drawn; 2],
            [State::FirstWon, State::SecondWon],
            [State::FirstWon, State::SecondWon],
        ];
        let won = usize::from(has_line((self.claimed >> 16) as u16));
        let full = usize::from(self.occupied() == FULL);
        self.state = NEXT[2 * won + full][mover];
    }
}

impl Actions for TicTac {
    fn num_actions(&self) -> usize {
        9
    }

    #[inline]
    fn action(&self, &square: &Square) -> Option<usize> {
        Some(square.index())
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Square> {
        Square::new(action)
    }
}

impl Symmetry for TicTac {
    fn symmetries(&self) -> usize {
        8
    }

    fn transform(&self, symmetry: usize) -> Self {
        assert!(symmetry < 8, "TicTac has 8 symmetries");
        let move_all = |set: u16| {
            let squares = MoveSet::<Square>::new(u64::from(set));
            squares.fold(0, |all, square| all | TicTac::image(symmetry, square).bit())
        };
        TicTac::with_claimed(self.claimed().map(move_all), self.first, self.state)
    }

    fn transform_move(&self, symmetry: usize, square: Square) -> Square {
        assert!(symmetry < 8, "TicTac has 8 symmetries");
        TicTac::image(symmetry, square)
    }
}

impl Engine for TicTac {
    /// A hundred nodes a move are enough never to lose, and a thousand solve the game.
    const LEVELS: [Strength; 10] = Strength::levels([
        (1, 1000),
        (10, 700),
        (15, 440),
        (25, 230),
        (30, 65),
        (100, 0),
        (1_000, 0),
        (1_000, 0),
        (1_000, 0),
        (1_000, 0),
    ]);

    fn canonical(&self) -> Self {
        self.least_image()
    }

    fn key(&self) -> Option<[u64; 2]> {
        // Who began does not matter: the key has the squares of the player to move, so one family is enough.
        Some([self.canonical().claimed.into(), 0])
    }

    #[inline]
    fn exact_key(&self) -> Option<[u64; 2]> {
        Some([self.claimed.into(), self.state as u64])
    }

    fn advantage(&self) -> i32 {
        if self.is_over() {
            return 0;
        }
        let [mine, theirs] = self.sides();
        let lines_with = |own: u16, other: u16, count: u32| {
            let open = LINES.iter().filter(|&line| other & line == 0);
            open.filter(|&line| (own & line).count_ones() >= count).count() as i32
        };
        // Two in a line win at once, two such lines of the opponent next; else the lines that are still open count.
        match (lines_with(mine, theirs, 2), lines_with(theirs, mine, 2)) {
            (1.., _) => MAX_ADVANTAGE - 1,
            (_, 2..) => 1 - MAX_ADVANTAGE,
            (_, threats) => 40 * (lines_with(mine, theirs, 1) - lines_with(theirs, mine, 1)) - 100 * threats,
        }
    }

    fn playouts(&self, games: Range<u64>, seed: u64) -> Tally {
        playouts_by_mask(self, games, seed)
    }
}

impl Declared for TicTac {
    const TITLE: &'static str = "TicTac";
    const ABOUT: &'static str = "Three in a row.";
    const PARAMETERS: &'static [Parameter] = &[Parameter::word("first", "Who begins", &["X", "O"])];
    const PRESETS: &'static [Preset] =
        &[Preset { name: "X begins", values: &[0] }, Preset { name: "O begins", values: &[1] }];

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [first] = check_values::<1, Self>(values)?;
        Ok(TicTac::new([Mark::X, Mark::O][first as usize]))
    }

    fn values(&self) -> Vec<u32> {
        vec![u32::from(self.first == Mark::O)]
    }

    fn longest_game(&self) -> Option<u64> {
        Some(9)
    }
}

/// Writes the one-line text: the rows from the top, joined by `/`, then the player to move or `-`.
impl fmt::Display for TicTac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(13);
        for square in (0..9).map(Square::from_bit) {
            if square.column() == 0 && square.row() > 0 {
                text.push('/');
            }
            text.push_str(self.get(square).map_or("_", Mark::name));
        }
        text.push(' ');
        text.push_str(self.turn().map_or("-", |player| self.players()[player.index()]));
        f.write_str(&text)
    }
}

impl FromStr for TicTac {
    type Err = ParseError;

    /// Parses the one-line text: the rows from the top, joined by `/`, then the player to move or `-`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| ParseError::new("tictac position", text, expected);
        let bytes = text.as_bytes();
        let [cells @ .., b' ', to_move] = bytes else {
            return Err(error("nine cells and the player to move, such as X_O/_X_/___ O"));
        };
        if cells.len() != 11 {
            return Err(error("three rows of three cells joined by /, then a space and X, O or -"));
        }
        let mut by_mark = [0u16; 2];
        for (place, &byte) in cells.iter().enumerate() {
            let square = 1 << (place / 4 * 3 + place % 4).min(8);
            match byte {
                b'/' if place % 4 == 3 => {}
                b'X' if place % 4 != 3 => by_mark[0] |= square,
                b'O' if place % 4 != 3 => by_mark[1] |= square,
                b'_' if place % 4 != 3 => {}
                _ => return Err(error("rows of three cells X, O or _ joined by /")),
            }
        }
        let [x, o] = by_mark.map(u16::count_ones);
        let full = by_mark[0] | by_mark[1] == FULL;
        // The counts tell who began; when they are equal, the player to move or the last one who moved does.
        let (first, over) = match (has_line(by_mark[0]), has_line(by_mark[1])) {
            (true, true) => return Err(error("a line for at most one player")),
            (true, false) if x == o || x == o + 1 => (if x > o { Mark::X } else { Mark::O }, true),
            (false, true) if x == o || o == x + 1 => (if o > x { Mark::O } else { Mark::X }, true),
            (false, false) if full && x.abs_diff(o) == 1 => (if x > o { Mark::X } else { Mark::O }, true),
            (false, false) if x.abs_diff(o) <= 1 => {
                let first = match (x.cmp(&o), to_move) {
                    (std::cmp::Ordering::Greater, b'O') => Mark::X,
                    (std::cmp::Ordering::Less, b'X') => Mark::O,
                    (std::cmp::Ordering::Equal, b'X') => Mark::X,
                    (std::cmp::Ordering::Equal, b'O') => Mark::O,
                    (_, b'X' | b'O') => return Err(error("the player with fewer squares to move")),
                    _ => return Err(error("X or O to move, since the game is not over")),
                };
                (first, false)
            }
            _ => return Err(error("numbers of X and O that alternating moves can reach")),
        };
        if over && *to_move != b'-' {
            return Err(error("- for the player to move, since the game is over"));
        }
        let claimed = if first == Mark::X { by_mark } else { [by_mark[1], by_mark[0]] };
        let state = match claimed {
            _ if !over && x == o => State::FirstToMove,
            _ if !over => State::SecondToMove,
            [first, _] if has_line(first) => State::FirstWon,
            [_, second] if has_line(second) => State::SecondWon,
            _ => State::Drawn,
        };
        Ok(TicTac::with_claimed(claimed, first, state))
    }
}
