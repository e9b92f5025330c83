//! The position, as bit masks.

use std::ops::Range;

use super::lines::{FILLED, PLANES, completions, has_line};
use super::{Board, Move, Piece, Pool, Square, advantage, symmetry};
use crate::engine::{Engine, Strength};
use crate::error::SetupError;
use crate::moves::MoveSet;
use crate::parameters::{Declared, Preset, check_values};
use crate::playout::{Tally, playouts_by_mask};
use crate::position::{Actions, Outcome, Player, Position, Symmetry};
use crate::search::analysis::{Analysis, AnalysisOptions, analyse_knowing};
use crate::search::reasons::{self, Reason};
use crate::search::solve::{Solution, SolveError, SolveOptions};

/// All sixteen squares, or pieces.
const FULL: u16 = !0;

/// For each attribute, in the order of the planes, the pieces that have the value 1.
const PIECES_WITH: [u16; 4] = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];

/// A position of Quarto.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::Quarto;
///
/// let mut game = Quarto::default();
/// for m in ["SBCH", "A1", "SEQO"] {
///     game.play(m.parse()?)?;
/// }
/// assert_eq!(game.to_string(), "0.../..../..../.... 7 1");
/// assert_eq!(game.turn(), Some(Player::First));
/// assert_eq!(game.moves().len(), 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quarto {
    /// The two fields of a [`Board`], separate since its padding would waste six bytes.
    pub(super) ones: u64,
    pub(super) occupied: u16,
    /// The pieces that can no longer be selected: those on the board and the one in hand.
    pub(super) taken: u16,
    pub(super) hand: Option<Piece>,
    /// Stored so that it need not be computed.
    pub(super) won: bool,
}

impl Quarto {
    /// Returns the empty board, with player 1 to select a piece.
    #[inline]
    pub const fn new() -> Self {
        Quarto { ones: 0, occupied: 0, taken: 0, hand: None, won: false }
    }

    /// Returns the piece in hand, which is to be placed, if there is one.
    #[inline]
    pub const fn hand(&self) -> Option<Piece> {
        self.hand
    }

    /// Returns the piece on a square, if there is one.
    #[inline]
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.board().get(square)
    }

    /// Returns the number of pieces placed so far.
    #[inline]
    pub const fn placed(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Returns the board.
    #[inline]
    pub const fn board(&self) -> Board {
        Board { ones: self.ones, occupied: self.occupied }
    }

    /// Returns the pool; as in the course's assignment, it includes the piece in hand.
    pub fn pool(&self) -> Pool {
        Pool::with_used(self.taken & !self.hand.map_or(0, Piece::bit))
    }

    /// Returns the squares of the winning lines, if any.
    pub fn winning_squares(&self) -> impl ExactSizeIterator<Item = Square> + Clone + use<> {
        let lines = if self.won { self.board().line_squares() } else { 0 };
        MoveSet::new(u64::from(lines))
    }

    /// Returns the empty squares on which a piece would win at once, bit `i` for the square with number `i`.
    ///
    /// There are none when the game is over. The piece may be any, in hand or not.
    #[inline]
    pub fn winning_squares_for(&self, piece: Piece) -> u16 {
        if self.won {
            return 0;
        }
        let planes = completions(self.board().matching(piece));
        let pair = planes | planes >> 32;
        (pair | pair >> 16) as u16 & !self.occupied
    }

    /// Returns the unselected pieces that could win at once, bit `i` for the piece with number `i`.
    ///
    /// Selecting one of them loses. There are none when the game is over.
    #[inline]
    pub fn bad_pieces(&self) -> u16 {
        if self.won {
            return 0;
        }
        // Any piece with the missing value completes a line: the planes need not be combined.
        let empty = PLANES * u64::from(!self.occupied);
        let ones = completions(self.ones) & empty;
        let zeros = completions(self.board().zeros()) & empty;
        let mut bad = 0;
        for (plane, pieces) in PIECES_WITH.into_iter().enumerate() {
            let awaited = |planes: u64| planes >> (16 * plane) & 0xffff != 0;
            bad |= if awaited(ones) { pieces } else { 0 } | if awaited(zeros) { !pieces } else { 0 };
        }
        bad & !self.taken
    }

    /// Returns the player who placed the last piece, and who selects the next.
    #[inline]
    fn last_placer(&self) -> Player {
        if self.placed() % 2 == 0 { Player::First } else { Player::Second }
    }
}

impl Position for Quarto {
    type Move = Move;
    type Moves = MoveSet<Move>;

    const NAME: &'static str = "quarto";

    fn players(&self) -> [&'static str; 2] {
        ["1", "2"]
    }

    #[inline]
    fn turn(&self) -> Option<Player> {
        match (self.outcome(), self.hand) {
            (Some(_), _) => None,
            (None, None) => Some(self.last_placer()),
            (None, Some(_)) => Some(self.last_placer().other()),
        }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.occupied == FULL
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            Some(Outcome::Win(self.last_placer()))
        } else if self.occupied == FULL {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    #[inline]
    fn moves(&self) -> MoveSet<Move> {
        MoveSet::new(match self.hand {
            _ if self.won => 0,
            None => u64::from(!self.taken),
            Some(_) => u64::from(!self.occupied) << 16,
        })
    }

    #[inline]
    fn is_legal(&self, &m: &Move) -> bool {
        match (m, self.hand) {
            (Move::Select(piece), None) => !self.won && self.taken & piece.bit() == 0,
            (Move::Place(square), Some(_)) => self.occupied & square.bit() == 0,
            _ => false,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        debug_assert!(self.is_legal(&m), "{m} is not legal here");
        match m {
            Move::Select(piece) => {
                self.taken |= piece.bit();
                self.hand = Some(piece);
            }
            Move::Place(square) => {
                let piece = self.hand.expect("only a piece in hand is placed");
                self.ones |= FILLED[piece.index()] & PLANES << square.index();
                self.occupied |= square.bit();
                self.hand = None;
                // A new line contains the new piece, so only values that it shares can be common to all.
                self.won = has_line(self.board().matching(piece));
            }
        }
    }
}

impl Actions for Quarto {
    fn num_actions(&self) -> usize {
        Move::COUNT
    }

    #[inline]
    fn action(&self, m: &Move) -> Option<usize> {
        Some(m.index())
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        Move::new(action)
    }
}

impl Symmetry for Quarto {
    fn symmetries(&self) -> usize {
        symmetry::COUNT
    }

    fn transform(&self, symmetry: usize) -> Self {
        symmetry::transform(self, symmetry)
    }

    fn transform_move(&self, symmetry: usize, m: Move) -> Move {
        symmetry::transform_move(symmetry, m)
    }
}

impl Engine for Quarto {
    /// The solver is fast, and sees more than estimates do.
    const ANALYSIS_SHARES: [u32; 2] = [10, 85];

    /// One mistake loses a game, so that only the weak levels make many. From 150 nodes on there are enough for the solver.
    const LEVELS: [Strength; 10] = Strength::levels([
        (30, 1000),
        (30, 720),
        (30, 480),
        (30, 280),
        (30, 120),
        (70, 20),
        (150, 30),
        (600, 5),
        (3_500, 0),
        (1_500_000, 0),
    ]);

    fn canonical(&self) -> Self {
        symmetry::canonical(self)
    }

    #[inline]
    fn key(&self) -> Option<[u64; 2]> {
        // There are so many symmetries that a canonical form would cost more than it saves.
        let hand = self.hand.map_or(0, |piece| 1 + piece.index() as u64);
        Some([self.ones, hand << 32 | u64::from(self.taken) << 16 | u64::from(self.occupied)])
    }

    #[inline]
    fn exact_key(&self) -> Option<[u64; 2]> {
        self.key()
    }

    fn advantage(&self) -> i32 {
        advantage::of(self)
    }

    fn solve(&self, options: &SolveOptions) -> Result<Solution<Move>, SolveError> {
        super::solve::solve(self, options)
    }

    fn analyse(&self, options: &AnalysisOptions) -> Result<Analysis<Move>, SolveError> {
        // A book of one line. All 454 boards with three pieces, up to symmetry, and none in hand are draws, as
        // docs/results.md proves and docs/results/quarto.txt lists. With fewer pieces on the board every line of play
        // leads to one of them, whoever selects and places: so each move draws. With three it is still to be found
        // which pieces can be given, and with one in hand nothing is known.
        analyse_knowing(self, options, (self.placed() <= 2).then_some(0))
    }

    fn reasons(&self, m: &Move) -> Vec<Reason> {
        let mut reasons = reasons::seen(self, m);
        for reason in &mut reasons {
            if let (Reason::StopsThreat(among), Move::Select(_)) = (*reason, m) {
                *reason = Reason::GivesNoWinningPiece(among);
            }
        }
        reasons
    }

    fn playouts(&self, games: Range<u64>, seed: u64) -> Tally {
        playouts_by_mask(self, games, seed)
    }
}

impl Declared for Quarto {
    const TITLE: &'static str = "Quarto";
    const ABOUT: &'static str = "Four in a line with one thing in common wins.";
    const PRESETS: &'static [Preset] = &[Preset { name: "4 by 4", values: &[] }];

    fn start(values: &[u32]) -> Result<Self, SetupError> {
        let [] = check_values::<0, Self>(values)?;
        Ok(Quarto::new())
    }

    fn values(&self) -> Vec<u32> {
        Vec::new()
    }

    fn longest_game(&self) -> Option<u64> {
        // Each of the sixteen pieces is selected and placed.
        Some(32)
    }
}
