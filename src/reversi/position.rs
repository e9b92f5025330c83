//! The position, as two bitboards from the point of view of the player to move.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::board::{self, Board};
use super::kernel::{self, Kernel, Perft};
use super::position_set::{PositionSet, Square, transpose};
use crate::cpu::{Cpu, Portable, on_best_cpu};
use crate::engine::{Engine, MAX_ADVANTAGE, Strength};
use crate::error::{ArgumentError, ParseError, SetupError};
use crate::moves::{BitMove, MoveSet};
use crate::parameters::{Declared, Parameter, Preset, check_values};
use crate::playout::{self, Play, SideBySide, Tally};
use crate::position::{Actions, Outcome, Player, Position, Symmetry};
use crate::random::Rng;
use crate::search::analysis::{Analysis, AnalysisOptions};
use crate::search::estimate::Estimate;
use crate::search::perft;
use crate::search::reasons::{self, Among, Reason};
use crate::search::solve::{Solution, SolveError, SolveOptions};

/// A position of Reversi.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::Reversi;
///
/// let mut game = Reversi::default();
/// for square in ["d4", "e4", "e5", "d5", "e3"] {
///     game.play(square.parse()?)?;
/// }
/// assert_eq!(game.to_string(), "________/________/____D___/___DD___/___LD___/________/________/________ L");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// A square is in one of four states, encoded in two bits: empty, the player to move's, the opponent's, or empty with a
// legal move on it (both bits). So the legal moves, which every ply needs twice (to see who moves next, and to move),
// are computed once and stored with the tiles in the same sixteen bytes. In a finished position, without a player to
// move, `mine` holds Dark's tiles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reversi {
    mine: u64,
    theirs: u64,
    width: u8,
    height: u8,
    turn: Option<Player>,
}

/// The squares of a board and its centre.
#[derive(Clone, Copy)]
struct Area {
    full: u64,
    center: u64,
}

impl Area {
    #[inline(always)]
    fn new(width: u8, height: u8) -> Self {
        let full = kernel::full(width, height);
        let center = 0x0303 << (8 * (height / 2 - 1) + width / 2 - 1);
        Area { full, center }
    }

    /// Returns the legal squares, in either phase.
    #[inline(always)]
    fn moves(self, kernel: impl Kernel, me: u64, op: u64) -> u64 {
        let opening = self.center & !(me | op);
        if opening != 0 { opening } else { kernel::moves(kernel, me, op, self.full) }
    }
}

impl Default for Reversi {
    /// Returns the empty 8 by 8 board.
    fn default() -> Self {
        Reversi::start(8, 8)
    }
}

impl Reversi {
    /// Returns the empty board of the given size.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if the width or the height is not from 2 to 8.
    pub fn new(width: usize, height: usize) -> Result<Self, ArgumentError> {
        board::check_size(width, height)?;
        Ok(Reversi::start(width as u8, height as u8))
    }

    /// Returns the start of Othello: the opening is over, its tiles lie crosswise, on 8 by 8 squares Dark's on e4 and d5,
    /// and it is Dark's turn.
    ///
    /// ```
    /// use petteia::Reversi;
    ///
    /// assert_eq!(Reversi::othello(4, 4)?.to_string(), "____/_LD_/_DL_/____ D");
    /// assert_eq!(Reversi::parallel(4, 4)?.to_string(), "____/_DD_/_LL_/____ D");
    /// # Ok::<(), petteia::ArgumentError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if the width or the height is not from 2 to 8.
    pub fn othello(width: usize, height: usize) -> Result<Self, ArgumentError> {
        Reversi::opened(width, height, [[1, 0], [0, 0], [0, 1], [1, 1]])
    }

    /// Returns the other position after an opening: Dark's tiles side by side in the upper row of the centre, Light's in
    /// the lower, and it is Dark's turn.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] if the width or the height is not from 2 to 8.
    pub fn parallel(width: usize, height: usize) -> Result<Self, ArgumentError> {
        Reversi::opened(width, height, [[0, 0], [0, 1], [1, 0], [1, 1]])
    }

    /// Plays an opening on the squares at these columns and rows of the centre.
    fn opened(width: usize, height: usize, squares: [[usize; 2]; 4]) -> Result<Self, ArgumentError> {
        let mut position = Reversi::new(width, height)?;
        for [column, row] in squares {
            let (x, y) = (width / 2 - 1 + column, height / 2 - 1 + row);
            position.play_unchecked(Square::from_bit((8 * y + x) as u32));
        }
        Ok(position)
    }

    fn start(width: u8, height: u8) -> Self {
        let center = Area::new(width, height).center;
        Reversi { mine: center, theirs: center, width, height, turn: Some(Player::First) }
    }

    /// Returns the position with the given tiles and player to move, `None` for a finished game.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for positions that are easily seen to be unreachable: in the opening phase, tiles outside
    /// the centre, or numbers of tiles that do not match the turn; a player to move without a move; no player to move
    /// although one could.
    pub fn from_board(board: &Board, turn: Option<Player>) -> Result<Self, ArgumentError> {
        Reversi::checked(board, turn).map_err(|expected| {
            ArgumentError::of_text("reversi position", Line::of_board(board, turn), expected)
        })
    }

    /// Like [`Reversi::from_board`], with what was expected as the error.
    fn checked(board: &Board, turn: Option<Player>) -> Result<Self, &'static str> {
        let (width, height) = board.dimensions();
        let (width, height) = (width as u8, height as u8);
        let area = Area::new(width, height);
        let dark = board.positions(board::Player::Dark).bits();
        let light = board.positions(board::Player::Light).bits();
        if area.center & !(dark | light) != 0 {
            if (dark | light) & !area.center != 0 {
                return Err("no tile outside the four centre squares before these are occupied");
            }
            let expected = match dark.count_ones().wrapping_sub(light.count_ones()) {
                0 => Player::First,
                1 => Player::Second,
                _ => return Err("numbers of D and L that alternating moves can reach"),
            };
            if turn != Some(expected) {
                return Err("D to move in the opening when both have equally many tiles, else L");
            }
        }
        let moves = [area.moves(Portable, dark, light), area.moves(Portable, light, dark)];
        let Some(player) = turn else {
            return match moves {
                [0, 0] => Ok(Reversi { mine: dark, theirs: light, width, height, turn: None }),
                _ => Err("D or L to move, since the game is not over"),
            };
        };
        match moves[player.index()] {
            0 if moves == [0, 0] => Err("- for the player to move, since the game is over"),
            0 => Err("a player to move who has a move"),
            legal => {
                let [me, op] = if player == Player::First { [dark, light] } else { [light, dark] };
                Ok(Reversi { mine: me | legal, theirs: op | legal, width, height, turn })
            }
        }
    }

    /// Returns the board's width.
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Returns the board's height.
    pub fn height(&self) -> usize {
        usize::from(self.height)
    }

    /// Returns the tiles as a [`Board`].
    pub fn board(&self) -> Board {
        let [dark, light] = self.tiles();
        Board::with_tiles(self.width, self.height, dark, light)
    }

    /// Returns the squares of Dark and of Light.
    #[inline]
    pub fn tiles(&self) -> [PositionSet; 2] {
        let (me, op) = self.sides();
        let tiles = if self.turn == Some(Player::Second) { [op, me] } else { [me, op] };
        tiles.map(PositionSet::from_bits)
    }

    /// Returns the squares of the legal moves.
    #[inline]
    pub fn legal(&self) -> PositionSet {
        PositionSet::from_bits(self.mine & self.theirs)
    }

    /// Returns the squares that a move would gain, the played one and the flips; none if the move is illegal.
    pub fn gains(&self, square: Square) -> PositionSet {
        if !self.is_legal(&square) {
            return PositionSet::EMPTY;
        }
        let (me, op) = self.sides();
        PositionSet::from_bits(square.bit() | Portable.flips(square.index(), me, op))
    }

    /// Returns the tiles of the player to move and of the opponent, without the legal moves.
    #[inline(always)]
    pub(super) fn sides(&self) -> (u64, u64) {
        (self.mine & !self.theirs, self.theirs & !self.mine)
    }

    /// Returns whether a centre square is empty, so that only these may be played on.
    pub(super) fn is_opening(&self) -> bool {
        let (me, op) = self.sides();
        Area::new(self.width, self.height).center & !(me | op) != 0
    }

    /// Returns the squares of the board, and its four centre squares.
    pub(super) fn area(&self) -> (u64, u64) {
        let Area { full, center } = Area::new(self.width, self.height);
        (full, center)
    }

    #[inline(always)]
    pub(super) fn play_with(&mut self, kernel: impl Kernel, square: Square) {
        let (me, op) = self.sides();
        // In the opening no three tiles are in a line, so nothing flips.
        let flips = kernel.flips(square.index(), me, op);
        let (me, op) = (op & !flips, me | flips | square.bit());
        let area = Area::new(self.width, self.height);
        let legal = area.moves(kernel, me, op);
        let turn = self.turn.map(Player::other);
        *self = Reversi { mine: me | legal, theirs: op | legal, turn, ..*self };
        if legal == 0 {
            self.skip_turn(area.moves(kernel, op, me));
        }
    }

    /// Passes the turn back after a move that left the opponent without one, or ends the game.
    #[cold]
    fn skip_turn(&mut self, legal: u64) {
        let (me, op) = (self.theirs, self.mine);
        if legal != 0 {
            *self =
                Reversi { mine: me | legal, theirs: op | legal, turn: self.turn.map(Player::other), ..*self };
        } else {
            let [dark, light] = self.tiles().map(PositionSet::bits);
            *self = Reversi { mine: dark, theirs: light, turn: None, ..*self };
        }
    }

    /// Returns which maps a symmetry is composed of: mirror left to right, mirror top to bottom, transpose.
    ///
    /// Only maps that preserve the centre are used: mirroring needs an even side, transposing a square board.
    fn maps(&self, symmetry: usize) -> [bool; 3] {
        assert!(symmetry < self.symmetries(), "this board has {} symmetries", self.symmetries());
        let mut number = symmetry;
        self.allowed_maps().map(|allowed| {
            let used = allowed && number & 1 == 1;
            number >>= usize::from(allowed);
            used
        })
    }

    fn allowed_maps(&self) -> [bool; 3] {
        [self.width % 2 == 0, self.height % 2 == 0, self.width == self.height]
    }

    fn image(&self, symmetry: usize, mut bits: u64) -> u64 {
        let [mirror, flip, turn] = self.maps(symmetry);
        if mirror {
            bits = self.mirrored(bits);
        }
        if flip {
            bits = self.flipped(bits);
        }
        if turn { transpose(bits) } else { bits }
    }

    #[inline(always)]
    fn mirrored(&self, bits: u64) -> u64 {
        // Reversing all bits rotates the board by 180 degrees; swapping the bytes back leaves each row reversed.
        bits.reverse_bits().swap_bytes() >> (8 - self.width)
    }

    #[inline(always)]
    fn flipped(&self, bits: u64) -> u64 {
        bits.swap_bytes() >> (8 * (8 - self.height))
    }
}

/// Random games with one kernel.
struct KernelPlay<'a, K> {
    kernel: K,
    start: &'a Reversi,
}

impl<K: Kernel> Play for KernelPlay<'_, K> {
    type Game = Reversi;

    fn start(&self) -> Reversi {
        *self.start
    }

    #[inline(always)]
    fn step(&self, position: &mut Reversi, rng: &mut Rng) -> Option<Outcome> {
        if let Some(square) = position.moves().choose_on(self.kernel, rng) {
            position.play_with(self.kernel, square);
        }
        position.outcome()
    }
}

impl Position for Reversi {
    type Move = Square;
    type Moves = MoveSet<Square>;

    const NAME: &'static str = "reversi";

    fn players(&self) -> [&'static str; 2] {
        ["dark", "light"]
    }

    #[inline]
    fn turn(&self) -> Option<Player> {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.turn.is_some() {
            return None;
        }
        let [dark, light] = self.tiles().map(PositionSet::len);
        Some(match dark.cmp(&light) {
            std::cmp::Ordering::Greater => Outcome::Win(Player::First),
            std::cmp::Ordering::Less => Outcome::Win(Player::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    #[inline]
    fn moves(&self) -> MoveSet<Square> {
        MoveSet::new(self.legal().bits())
    }

    #[inline]
    fn is_legal(&self, &square: &Square) -> bool {
        self.legal().contains(square)
    }

    #[inline]
    fn play_unchecked(&mut self, square: Square) {
        debug_assert!(self.is_legal(&square));
        self.play_with(Portable, square);
    }
}

impl Actions for Reversi {
    fn num_actions(&self) -> usize {
        self.width() * self.height()
    }

    #[inline]
    fn action(&self, square: &Square) -> Option<usize> {
        let (x, y) = (square.x(), square.y());
        (x < self.width() && y < self.height()).then(|| y * self.width() + x)
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Square> {
        if action >= self.num_actions() {
            return None;
        }
        if self.width == 8 {
            return Some(Square::from_bit(action as u32));
        }
        // Below 64, so that the shortest division will do.
        let action = action as u8;
        Square::new(usize::from(action % self.width), usize::from(action / self.width))
    }
}

impl Symmetry for Reversi {
    fn symmetries(&self) -> usize {
        self.allowed_maps().into_iter().map(|allowed| 1 + usize::from(allowed)).product()
    }

    fn transform(&self, symmetry: usize) -> Self {
        Reversi { mine: self.image(symmetry, self.mine), theirs: self.image(symmetry, self.theirs), ..*self }
    }

    fn transform_move(&self, symmetry: usize, square: Square) -> Square {
        Square::from_bit(self.image(symmetry, square.bit()).trailing_zeros())
    }
}

impl Engine for Reversi {
    const COUNTS_SQUARES: bool = true;

    const LEVELS: [Strength; 10] = Strength::levels([
        (30, 950),
        (30, 700),
        (30, 500),
        (60, 350),
        (120, 230),
        (400, 150),
        (1_500, 90),
        (6_000, 50),
        (40_000, 20),
        (800_000, 0),
    ]);

    fn max_score(&self) -> i32 {
        i32::from(self.width) * i32::from(self.height)
    }

    #[inline]
    fn score(&self, empties_to_winner: bool) -> Option<i32> {
        if self.turn.is_some() {
            return None;
        }
        let [dark, light] = self.tiles().map(|tiles| tiles.len() as i32);
        let empties = if empties_to_winner { self.max_score() - dark - light } else { 0 };
        Some(dark - light + (dark - light).signum() * empties)
    }

    fn canonical(&self) -> Self {
        let [mirrors, flips, turns] = self.allowed_maps();
        let mut least = [self.mine, self.theirs];
        for turned in [false, true] {
            let board = [self.mine, self.theirs].map(|bits| if turned { transpose(bits) } else { bits });
            let mirrored = board.map(|bits| self.mirrored(bits));
            least = least.min(board);
            if mirrors {
                least = least.min(mirrored);
            }
            if flips {
                least = least.min(board.map(|bits| self.flipped(bits)));
            }
            if mirrors && flips {
                least = least.min(mirrored.map(|bits| self.flipped(bits)));
            }
            if !turns {
                break;
            }
        }
        Reversi { mine: least[0], theirs: least[1], ..*self }
    }

    fn key(&self) -> Option<[u64; 2]> {
        // Which player is to move makes no difference to the continuations.
        let canonical = self.canonical();
        Some([canonical.mine, canonical.theirs])
    }

    #[inline]
    fn exact_key(&self) -> Option<[u64; 2]> {
        // The tiles say what the legal moves are and whether the game is over, and the complement that it is Light's
        // turn. It is mistaken for no other tiles: two sets whose complements are disjoint, as tiles are, fill the 8 by
        // 8 board, and on a full one it is nobody's turn.
        let light_moves = u64::from(self.turn == Some(Player::Second)).wrapping_neg();
        Some(self.tiles().map(|tiles| tiles.bits() ^ light_moves))
    }

    fn family(&self) -> u64 {
        u64::from(self.width) << 8 | u64::from(self.height)
    }

    fn perft(&self, depth: u32) -> u64 {
        let area = Area::new(self.width, self.height);
        let (me, op) = self.sides();
        if depth < 2 || self.is_over() || area.center & !(me | op) != 0 {
            return perft::walk(self, depth);
        }
        let moves = self.legal().bits();
        on_best_cpu!(kernel => kernel.run(Perft { kernel, me, op, moves, full: area.full, depth }))
    }

    fn advantage(&self) -> i32 {
        let expected = self.estimate().expected();
        // No estimate is certain.
        (expected * f64::from(MAX_ADVANTAGE - 1)) as i32
    }

    fn estimate(&self) -> Estimate {
        super::analyse::estimate(self)
    }

    fn analyse(&self, options: &AnalysisOptions) -> Result<Analysis<Square>, SolveError> {
        super::analyse::analyse(self, options)
    }

    fn solve(&self, options: &SolveOptions) -> Result<Solution<Square>, SolveError> {
        super::endgame::solve(self, options)
    }

    fn reasons(&self, m: &Square) -> Vec<Reason> {
        let mut reasons = reasons::seen(self, m);
        let [width, height] = [self.width(), self.height()];
        let is_corner = |m: &Square| [0, width - 1].contains(&m.x()) && [0, height - 1].contains(&m.y());
        let after = |m: &Square| self.after_unchecked(*m);
        let gives_corner =
            |m: &Square| after(m).turn() != self.turn && after(m).moves().any(|m| is_corner(&m));
        if is_corner(m) {
            reasons.push(Reason::TakesCorner);
        }
        reasons.extend(Among::count(self, m, gives_corner).map(Reason::KeepsCorners));
        if after(m).turn() == self.turn {
            reasons.push(Reason::Skips);
        }
        reasons
    }

    fn playouts(&self, games: Range<u64>, seed: u64) -> Tally {
        if let Some(outcome) = self.outcome() {
            return playout::already_over(outcome, games);
        }
        on_best_cpu!(kernel => kernel.run(SideBySide { play: KernelPlay { kernel, start: self }, games, seed }))
    }
}

impl Declared for Reversi {
    const TITLE: &'static str = "Reversi";
    const ABOUT: &'static str = "Catch tiles between yours. More tiles win.";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("width", "Number of columns", 8, 2, 8),
        Parameter::number("height", "Number of rows", 8, 2, 8),
    ];
    const PRESETS: &'static [Preset] = &[
        Preset { name: "8 by 8", values: &[8, 8] },
        Preset { name: "6 by 6", values: &[6, 6] },
        Preset { name: "4 by 4", values: &[4, 4] },
    ];
    const SKIPS: bool = true;

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [width, height] = check_values::<2, Self>(values)?;
        Ok(Reversi::new(width as usize, height as usize)?)
    }

    fn values(&self) -> Vec<u32> {
        vec![self.width.into(), self.height.into()]
    }

    fn longest_game(&self) -> Option<u64> {
        // Every ply fills a square.
        Some(self.num_actions() as u64)
    }
}

/// The one-line text of tiles and the player to move, built row by row for speed: self-play writes millions.
pub(super) struct Line {
    // Eight rows of eight cells and a separator, and the player.
    bytes: [u8; 8 * 9 + 1],
    len: usize,
}

impl Line {
    fn of_board(board: &Board, turn: Option<Player>) -> Line {
        let tiles = |player| board.positions(player).bits();
        Line::new(board.dimensions(), tiles(board::Player::Dark), tiles(board::Player::Light), turn)
    }

    fn new((width, height): (usize, usize), dark: u64, light: u64, turn: Option<Player>) -> Line {
        let mut bytes = [0; 8 * 9 + 1];
        let mut end = 0;
        for y in 0..height {
            let row = |tiles: u64| Portable.spread_eight((tiles >> (8 * y)) as u8);
            let dark_cells = row(dark) * u64::from(b'_' ^ b'D');
            let light_cells = row(light) * u64::from(b'_' ^ b'L');
            let cells = u64::from_le_bytes([b'_'; 8]) ^ dark_cells ^ light_cells;
            bytes[end..end + 8].copy_from_slice(&cells.to_le_bytes());
            end += width;
            bytes[end] = b'/';
            end += 1;
        }
        bytes[end - 1] = b' ';
        bytes[end] = match turn {
            Some(Player::First) => b'D',
            Some(Player::Second) => b'L',
            None => b'-',
        };
        Line { bytes, len: end + 1 }
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("a line is made of ASCII characters")
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Reversi {
    /// Returns the one-line text.
    pub(super) fn line(&self) -> Line {
        let [dark, light] = self.tiles().map(PositionSet::bits);
        Line::new((self.width(), self.height()), dark, light, self.turn)
    }
}

/// Writes the one-line text: the rows from the top, joined by `/`, then the player to move or `-`.
impl fmt::Display for Reversi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line().fmt(f)
    }
}

impl FromStr for Reversi {
    type Err = ParseError;

    /// Parses the one-line text: the rows from the top, joined by `/`, then the player to move or `-`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| ParseError::new("reversi position", text, expected);
        let (rows, turn) = text
            .split_once(' ')
            .ok_or_else(|| error("rows of cells and the player to move, such as ____/_DL_/_LD_/____ D"))?;
        let turn = match turn {
            "D" => Some(Player::First),
            "L" => Some(Player::Second),
            "-" => None,
            _ => return Err(error("D, L or - for the player to move")),
        };
        let height = rows.split('/').count();
        let width = rows.split('/').next().map_or(0, str::len);
        let mut board = Board::new(width, height).map_err(|_| error("2 to 8 rows of 2 to 8 cells"))?;
        for (y, row) in rows.split('/').enumerate() {
            if row.len() != width {
                return Err(error("rows of equal length"));
            }
            for (x, byte) in row.bytes().enumerate() {
                let player = match byte {
                    b'D' => board::Player::Dark,
                    b'L' => board::Player::Light,
                    b'_' => board::Player::Neither,
                    _ => return Err(error("cells D, L or _")),
                };
                let set = Square::new(x, y).map(|square| board.set(square, player));
                assert_eq!(set, Some(Ok(())), "x is below the width and y below the height");
            }
        }
        Reversi::checked(&board, turn).map_err(error)
    }
}

impl fmt::Debug for Reversi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reversi({:?})", self.to_string())
    }
}
