//! The position: the board, the player to move, and the sizes of board, stick and square.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::advantage;
use super::board::{self, Cell, MAX_CELLS, Pos, positive};
use super::cells::{Cells, Shape, join, split};
use super::moves::Moves;
use super::notation::Move;
use super::playouts;
use super::small::Engine;
use super::solve::Solver;
use crate::engine::Strength;
use crate::error::{ParseError, SetupError, or_no_memory};
use crate::parameters::{Declared, Parameter, Preset, check_values, read_number};
use crate::playout::{self, Tally};
use crate::position::{Actions, Outcome, Player, Position, Symmetry};
use crate::search::solve::{Solution, SolveError, SolveOptions};
use crate::search::solve_with;

/// A position of Breakdown on a board of any size up to 2^28 cells.
///
/// Boards of up to 128 cells do not allocate.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::Breakdown;
///
/// let mut game = Breakdown::default();
/// for m in ["|0", "-2", "-0", "-1", "!"] {
///     game.play(m.parse()?)?;
/// }
/// assert_eq!(game.to_string(), "..../..../*.../*oo./**oo w 2 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Breakdown {
    shape: Shape,
    state: State,
    cells: Cells,
}

impl Clone for Breakdown {
    #[inline]
    fn clone(&self) -> Self {
        Breakdown { cells: self.cells.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        // First, since it may run out of memory.
        self.cells.clone_from(&source.cells);
        (self.shape, self.state) = (source.shape, source.state);
    }
}

/// Stored with the cells so that it need not be computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum State {
    BlackToMove,
    WhiteToMove,
    BlackWon,
    WhiteWon,
    Drawn,
}

impl State {
    /// Returns the state of a game with the given outcome, or with the given player to move.
    #[inline]
    fn new(ended: Option<Outcome>, next: Player) -> Self {
        match (ended, next) {
            (None, Player::First) => State::BlackToMove,
            (None, Player::Second) => State::WhiteToMove,
            (Some(Outcome::Win(Player::First)), _) => State::BlackWon,
            (Some(Outcome::Win(Player::Second)), _) => State::WhiteWon,
            (Some(Outcome::Draw), _) => State::Drawn,
        }
    }
}

impl Default for Breakdown {
    /// Returns the empty board of the course's example: 4 wide, 5 high, sticks of 2, squares of 2.
    fn default() -> Self {
        let shape = Shape { width: 4, height: 5, stick: 2, square: 2 };
        Breakdown { shape, state: State::BlackToMove, cells: Cells::Word([0; 2]) }
    }
}

impl Breakdown {
    /// Returns the empty board of the given size, with the length of a stick and the side of a winning square.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] if a number is 0, for more than 2^28 cells, or if there is not enough memory.
    pub fn new(width: u32, height: u32, stick: u32, square: u32) -> Result<Self, SetupError> {
        let shape = Shape { width, height, stick, square };
        Breakdown::with_cells(shape, |_| {})
    }

    /// Returns the position after `fill` has put cells on the board: black to move, or the game over.
    fn with_cells(shape: Shape, fill: impl FnOnce(&mut Cells)) -> Result<Self, SetupError> {
        board::cells(shape.width, shape.height)?;
        positive("stick", shape.stick)?;
        positive("square", shape.square)?;
        let mut cells = Cells::new(&shape)?;
        fill(&mut cells);
        // A large board needs memory to look for squares.
        let outcome = or_no_memory(|| cells.outcome(&shape))?;
        let state = State::new(outcome, Player::First);
        Ok(Breakdown { shape, state, cells })
    }

    /// Returns the number of columns.
    #[inline]
    pub const fn width(&self) -> u32 {
        self.shape.width
    }

    /// Returns the number of rows.
    #[inline]
    pub const fn height(&self) -> u32 {
        self.shape.height
    }

    /// Returns the length of a stick.
    #[inline]
    pub const fn stick(&self) -> u32 {
        self.shape.stick
    }

    /// Returns the side of a winning square.
    #[inline]
    pub const fn square(&self) -> u32 {
        self.shape.square
    }

    /// Returns the cell at a place, or `None` if it is off the board.
    #[inline]
    pub fn get(&self, row: u32, column: u32) -> Option<Cell> {
        let on_board = row < self.shape.height && column < self.shape.width;
        on_board.then(|| self.cell(Pos::new(row, column)))
    }

    /// Returns the cells of the winning squares, row by row, if any.
    pub fn winning_cells(&self) -> Vec<Pos> {
        let width = u64::from(self.shape.width);
        let area = self.shape.area();
        let place = |at: u64| Pos::new((at / width) as u32, (at % width) as u32);
        let small = |cells: u128| (0..area).filter(|at| cells >> at & 1 == 1).map(place).collect::<Vec<_>>();
        match &self.cells {
            Cells::Word(planes) => {
                let engine = Engine::<_>::new(&self.shape);
                small(u128::from(engine.in_squares(planes[0]) | engine.in_squares(planes[1])))
            }
            Cells::Double(planes) => {
                let engine = Engine::<_>::new(&self.shape);
                small(engine.in_squares(join(planes[0])) | engine.in_squares(join(planes[1])))
            }
            Cells::Large(large) => {
                let [black, white] = [0, 1].map(|player| large.in_squares(&self.shape, player));
                let mut all = black.places().chain(white.places()).map(place).collect::<Vec<_>>();
                all.sort_unstable();
                all
            }
        }
    }

    /// Returns whether two positions of the same game have the same cells, no matter who is to move.
    #[inline]
    pub(super) fn same_cells(&self, other: &Breakdown) -> bool {
        self.cells == other.cells
    }

    /// Returns false only if a player can no longer force a square.
    #[inline]
    pub(super) fn has_chance(&self, player: Player) -> bool {
        match &self.cells {
            Cells::Word(planes) => Engine::<_>::new(&self.shape).has_chance(planes, player),
            Cells::Double(planes) => Engine::<_>::new(&self.shape).has_chance(&planes.map(join), player),
            Cells::Large(_) => self.shape.square <= self.shape.width.min(self.shape.height),
        }
    }

    /// Returns about how long the text of the position is.
    pub(super) fn text_len(&self) -> usize {
        let Shape { width, height, .. } = self.shape;
        (width as usize + 1) * height as usize
    }

    #[inline]
    pub(super) fn sizes(&self) -> &Shape {
        &self.shape
    }

    #[inline]
    pub(super) fn cells(&self) -> &Cells {
        &self.cells
    }

    #[inline]
    pub(super) fn cell(&self, pos: Pos) -> Cell {
        let at = u64::from(pos.r) * u64::from(self.shape.width) + u64::from(pos.c);
        match [0, 1].map(|player| self.cells.get(player, at)) {
            [true, _] => Cell::Black,
            [_, true] => Cell::White,
            _ => Cell::Empty,
        }
    }
}

impl Position for Breakdown {
    type Move = Move;
    type Moves = Moves;

    const NAME: &'static str = "breakdown";

    fn players(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    #[inline]
    fn turn(&self) -> Option<Player> {
        match self.state {
            State::BlackToMove => Some(Player::First),
            State::WhiteToMove => Some(Player::Second),
            _ => None,
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.state {
            State::BlackToMove | State::WhiteToMove => None,
            State::BlackWon => Some(Outcome::Win(Player::First)),
            State::WhiteWon => Some(Outcome::Win(Player::Second)),
            State::Drawn => Some(Outcome::Draw),
        }
    }

    #[inline]
    fn heap_bytes(&self) -> usize {
        match &self.cells {
            Cells::Word(_) | Cells::Double(_) => 0,
            Cells::Large(large) => large.bytes(),
        }
    }

    #[inline]
    fn moves(&self) -> Moves {
        if self.is_over() {
            return Moves::none();
        }
        match &self.cells {
            Cells::Word(planes) => Engine::<_>::new(&self.shape).moves(planes),
            Cells::Double(planes) => Engine::<_>::new(&self.shape).moves(&planes.map(join)),
            Cells::Large(large) => large.moves(&self.shape),
        }
    }

    #[inline]
    fn is_legal(&self, &m: &Move) -> bool {
        let (column, horizontal) = match m {
            _ if self.is_over() => return false,
            Move::Vertical(column) => (column, false),
            Move::Horizontal(column) => (column, true),
            Move::Breakdown => return true,
        };
        let rooms = match &self.cells {
            Cells::Word(planes) => Engine::<_>::new(&self.shape).room_for(planes),
            Cells::Double(planes) => Engine::<_>::new(&self.shape).room_for(&planes.map(join)),
            Cells::Large(large) => return large.has_room(&self.shape, column, horizontal),
        };
        column < self.shape.width && rooms[usize::from(horizontal)] >> column & 1 == 1
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        let mover = if self.state == State::WhiteToMove { Player::Second } else { Player::First };
        let ended = match &mut self.cells {
            Cells::Word(planes) => Engine::<_>::new(&self.shape).play(planes, mover, m),
            Cells::Double(halves) => {
                let mut planes = halves.map(join);
                let ended = Engine::<_>::new(&self.shape).play(&mut planes, mover, m);
                *halves = planes.map(split);
                ended
            }
            Cells::Large(large) => large.play(&self.shape, mover, m),
        };
        self.state = State::new(ended, mover.other());
    }
}

impl Actions for Breakdown {
    fn num_actions(&self) -> usize {
        2 * self.shape.width as usize + 1
    }

    #[inline]
    fn action(&self, m: &Move) -> Option<usize> {
        m.action(self.shape.width).map(|action| action as usize)
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        Move::from_action(action as u64, self.shape.width)
    }
}

impl Symmetry for Breakdown {
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Self {
        assert!(symmetry < 2, "Breakdown has 2 symmetries");
        if symmetry == 0 {
            return self.clone();
        }
        let cells = match &self.cells {
            Cells::Word(planes) => {
                Cells::Word(planes.map(|plane| Engine::<_>::new(&self.shape).mirror(plane)))
            }
            Cells::Double(planes) => {
                Cells::Double(planes.map(|plane| split(Engine::<_>::new(&self.shape).mirror(join(plane)))))
            }
            Cells::Large(large) => Cells::Large(Box::new(large.mirror(&self.shape))),
        };
        Breakdown { cells, ..*self }
    }

    /// Returns the mirror image of a move; one that does not fit on a board of this width stays as it is.
    fn transform_move(&self, symmetry: usize, m: Move) -> Move {
        assert!(symmetry < 2, "Breakdown has 2 symmetries");
        let Shape { width, stick, .. } = self.shape;
        // Mirrored, the right end of a stick that covers `columns` from `column` on becomes its left end.
        let mirror = |column: u32, columns: u32| match width.checked_sub(columns) {
            Some(rightmost) if symmetry == 1 && column <= rightmost => rightmost - column,
            _ => column,
        };
        match m {
            Move::Vertical(column) => Move::Vertical(mirror(column, 1)),
            Move::Horizontal(column) => Move::Horizontal(mirror(column, stick)),
            Move::Breakdown => Move::Breakdown,
        }
    }
}

impl crate::engine::Engine for Breakdown {
    /// They were set on a board of 8 by 8 with sticks and squares of 2, where games are decided.
    const LEVELS: [Strength; 10] = Strength::levels([
        (30, 1000),
        (30, 700),
        (30, 400),
        (30, 150),
        (200, 30),
        (400, 10),
        (800, 0),
        (1_600, 0),
        (3_500, 0),
        (100_000, 0),
    ]);

    fn canonical(&self) -> Self {
        self.least_image()
    }

    fn key(&self) -> Option<[u64; 2]> {
        // The rules are the same for both colours: all that matters is which cells are the mover's.
        match (self.canonical().cells, self.state) {
            (Cells::Word([black, white]), State::WhiteToMove) => Some([white, black]),
            (Cells::Word(planes), _) => Some(planes),
            _ => None,
        }
    }

    #[inline]
    fn exact_key(&self) -> Option<[u64; 2]> {
        // The cells say whether the game is over, and their complement that it is white's turn. It is mistaken for no
        // other cells: two sets whose complements are disjoint, as the colours are, fill all 64 bits, and a game on a
        // full board is over.
        let white_moves = u64::from(self.state == State::WhiteToMove).wrapping_neg();
        match self.cells {
            Cells::Word(planes) => Some(planes.map(|plane| plane ^ white_moves)),
            _ => None,
        }
    }

    fn family(&self) -> u64 {
        // Only small boards have keys. Sticks and squares that do not fit on the board are all the same.
        let Shape { width, height, stick, square } = self.shape;
        let [longer, shorter] = [width.max(height), width.min(height)];
        [width, height, stick.min(longer + 1), square.min(shorter + 1)]
            .into_iter()
            .fold(0, |all, size| all << 16 | u64::from(size & 0xffff))
    }

    fn advantage(&self) -> i32 {
        let Some(mover) = self.turn() else { return 0 };
        match &self.cells {
            Cells::Word(planes) => advantage::of(&Engine::new(&self.shape), planes, mover),
            Cells::Double(planes) => advantage::of(&Engine::new(&self.shape), &planes.map(join), mover),
            // It would take too long.
            Cells::Large(_) => 0,
        }
    }

    fn solve(&self, options: &SolveOptions) -> Result<Solution<Move>, SolveError> {
        solve_with(self, options, &mut Solver::new(self, options))
    }

    fn playouts(&self, games: Range<u64>, seed: u64) -> Tally {
        match (self.turn(), &self.cells) {
            _ if self.shape.width > playouts::MAX_WIDTH => playout::play_out_many(self, games, seed),
            (Some(mover), Cells::Word(planes)) => playouts::play(&self.shape, *planes, mover, games, seed),
            (Some(mover), Cells::Double(planes)) => {
                playouts::play(&self.shape, planes.map(join), mover, games, seed)
            }
            _ => playout::play_out_many(self, games, seed),
        }
    }
}

impl Declared for Breakdown {
    const TITLE: &'static str = "Breakdown";
    const ABOUT: &'static str = "Drop sticks, or let all fall down. A full square wins.";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::number("width", "Number of columns", 4, 1, MAX_CELLS),
        Parameter::number("height", "Number of rows", 5, 1, MAX_CELLS),
        Parameter::number("stick", "Length of a stick", 2, 1, u32::MAX),
        Parameter::number("square", "Side of the square that wins", 2, 1, u32::MAX),
    ];
    const PRESETS: &'static [Preset] = &[
        Preset { name: "4 by 5", values: &[4, 5, 2, 2] },
        Preset { name: "7 by 6", values: &[7, 6, 2, 3] },
        Preset { name: "10 by 10", values: &[10, 10, 3, 3] },
    ];

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [width, height, stick, square] = check_values::<4, Self>(values)?;
        Breakdown::new(width, height, stick, square)
    }

    fn values(&self) -> Vec<u32> {
        let Shape { width, height, stick, square } = self.shape;
        vec![width, height, stick, square]
    }

    fn longest_game(&self) -> Option<u64> {
        // A breakdown may be called again and again.
        None
    }
}

/// Writes the one-line text: the rows from the top, joined by `/`, the player to move or `-`, stick and square.
impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { width, height, stick, square } = self.shape;
        // Large boards are written in parts.
        const PART: u32 = 1 << 12;
        let part = PART.min(width);
        let mut text = String::with_capacity((2 * PART as usize).min(self.text_len()));
        for r in 0..height {
            if r > 0 {
                text.push('/');
            }
            for first in (0..width).step_by(part as usize) {
                if text.len() >= PART as usize {
                    f.write_str(&text)?;
                    text.clear();
                }
                let columns = first..(first + part).min(width);
                text.extend(columns.map(|c| self.cell(Pos { r, c }).symbol()));
            }
        }
        let next = match self.turn() {
            Some(Player::First) => 'b',
            Some(Player::Second) => 'w',
            None => '-',
        };
        write!(f, "{text} {next} {stick} {square}")
    }
}

impl FromStr for Breakdown {
    type Err = ParseError;

    /// Parses the one-line text: the rows from the top, joined by `/`, the player to move or `-`, stick and square.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = |expected: &str| ParseError::new("breakdown position", text, expected);
        let mut words = text.split(' ');
        let words = [words.next(), words.next(), words.next(), words.next(), words.next()];
        let [Some(rows), Some(next), Some(stick), Some(square), None] = words else {
            return Err(error("the rows, the player to move, stick and square, such as ..../*.oo b 2 2"));
        };
        let numbers = [stick, square].map(|word| read_number(word).filter(|&number| number > 0));
        let [Some(stick), Some(square)] = numbers else {
            return Err(error("stick and square as numbers from 1 to 4294967295 at the end"));
        };
        let width = rows.split('/').next().map_or(0, str::len);
        if rows.bytes().any(|byte| !matches!(byte, b'.' | b'*' | b'o' | b'/')) {
            return Err(error("cells . * or o in rows joined by /"));
        }
        if width == 0 || rows.split('/').any(|row| row.len() != width) {
            return Err(error("rows of the same length, at least one cell long, joined by /"));
        }
        let height = rows.split('/').count();
        let size = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let shape = Shape { width: size(width), height: size(height), stick, square };
        let position = Breakdown::with_cells(shape, |cells| {
            for (at, byte) in (0..).zip(rows.bytes().filter(|&byte| byte != b'/')) {
                match byte {
                    b'*' => cells.set(0, at),
                    b'o' => cells.set(1, at),
                    _ => {}
                }
            }
        });
        let mut position = position.map_err(|wrong| match wrong {
            SetupError::Argument(wrong) => error(wrong.expected()),
            SetupError::Memory(wrong) => wrong.raise(),
        })?;
        match (position.is_over(), next) {
            (true, "-") | (false, "b") => {}
            (false, "w") => position.state = State::WhiteToMove,
            (true, _) => return Err(error("- for the player to move, since the game is over")),
            (false, _) => return Err(error("b or w to move, since the game is not over")),
        }
        Ok(position)
    }
}

impl fmt::Debug for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Breakdown").field(&self.to_string()).finish()
    }
}
