//! Algorithms over positions, which a game can override with faster ones of its own.

use std::convert::Infallible;
use std::ops::Range;

use crate::playout::{self, Tally};
use crate::position::{Outcome, Player, Position};
use crate::random::Rng;
use crate::search::analysis::{self, Analysis, AnalysisOptions};
use crate::search::estimate::Estimate;
use crate::search::perft;
use crate::search::reasons::{self, Reason};
use crate::search::solve::{self, Solution, SolveError, SolveOptions};

/// Counting, random play and solving.
///
/// Every method is provided: `impl Engine for MyGame {}` takes the generic algorithms. A game overrides those it can do
/// faster, or where it knows more about its positions.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{Reversi, TicTac};
///
/// assert_eq!(TicTac::default().perft(9), 127_872);
/// assert_eq!(Reversi::default().playouts(0..1000, 42).games(), 1000);
/// ```
#[diagnostic::on_unimplemented(
    note = "every method is provided: `impl petteia::Engine for {Self} {{}}` is enough"
)]
pub trait Engine: Position {
    /// Whether the score of a finished game is a disc difference, so that empty squares can count for the winner.
    const COUNTS_SQUARES: bool = false;

    /// How many percent of an analysis go to a first round of deepening, and how many of the rest to the exact solver;
    /// the others go to deepening again.
    const ANALYSIS_SHARES: [u32; 2] = [25, 50];

    /// What makes each of the ten [levels](crate::Level) as strong as it is.
    ///
    /// Mistakes tell weak levels apart, nodes the strong ones. docs/strength.md says how each level of petteia's games
    /// does against the one below it.
    const LEVELS: [Strength; 10] = Strength::levels([
        (30, 950),
        (30, 600),
        (60, 420),
        (120, 300),
        (250, 190),
        (600, 125),
        (1_500, 75),
        (4_000, 48),
        (20_000, 20),
        (150_000, 0),
    ]);

    /// Returns the same representative for all equivalent positions, such as mirror images; by default, the position
    /// itself.
    ///
    /// Which position represents them may change between versions of petteia.
    fn canonical(&self) -> Self {
        self.clone()
    }

    /// Returns a key of two words that two positions of a game share only if they have the same continuations and the
    /// same value for the player to move, such as mirror images, or positions with the players exchanged if the rules
    /// are the same for both; `None` if two words cannot tell the positions of this game apart.
    ///
    /// It is the key of transposition tables, those of [`perft_with`](crate::perft_with) and of
    /// [`analyse`](Engine::analyse).
    fn key(&self) -> Option<[u64; 2]> {
        None
    }

    /// Returns two words that two positions of a game with the same parameters share exactly if they are equal; `None`
    /// if two words cannot hold a position of this game.
    ///
    /// Unlike [`key`](Engine::key), it tells mirror images apart, and who is to move.
    fn exact_key(&self) -> Option<[u64; 2]> {
        None
    }

    /// Returns a number that two positions with a [`key`](Engine::key) share only if they belong to a game with the same
    /// parameters.
    fn family(&self) -> u64 {
        0
    }

    /// Returns how well the player to move stands, from a look at the position alone: the expected result, from
    /// -[`MAX_ADVANTAGE`] for a loss to [`MAX_ADVANTAGE`] for a win.
    ///
    /// It is what [`analyse`](Engine::analyse) searches with. It should be the same for mirror images, and with the
    /// players exchanged. The default, 0, knows nothing.
    fn advantage(&self) -> i32 {
        0
    }

    /// Returns how a game that is not over is likely to end for the player to move, from a look at the position alone.
    fn estimate(&self) -> Estimate {
        Estimate::of_expected(f64::from(self.advantage()) / f64::from(MAX_ADVANTAGE))
    }

    /// Returns the highest possible score: 1, for a win, unless the game counts squares.
    #[inline]
    fn max_score(&self) -> i32 {
        1
    }

    /// Returns the first player's score when the game is over: 1, 0 or -1, or the disc difference.
    ///
    /// If the game counts squares, `empties_to_winner` counts the empty ones for the winner.
    #[inline]
    fn score(&self, empties_to_winner: bool) -> Option<i32> {
        let _ = empties_to_winner;
        self.outcome().map(|outcome| match outcome {
            Outcome::Win(Player::First) => 1,
            Outcome::Win(Player::Second) => -1,
            Outcome::Draw => 0,
        })
    }

    /// Returns the [`score`](Engine::score) from a player's point of view.
    #[inline]
    fn score_for(&self, player: Option<Player>, empties_to_winner: bool) -> Option<i32> {
        let score = self.score(empties_to_winner)?;
        Some(if player == Some(Player::Second) { -score } else { score })
    }

    /// Counts the move sequences of exactly `depth` plies from here; a finished game has only the empty one.
    ///
    /// [`perft_with`](crate::perft_with) counts in parallel, with a transposition table.
    fn perft(&self, depth: u32) -> u64 {
        perft::walk(self, depth)
    }

    /// Plays uniformly random moves to the end of the game, and returns how it ended and after how many plies.
    fn playout(&self, rng: &mut Rng) -> (Outcome, u64) {
        let Ok(end) = playout::play_out(self.clone(), rng, || Ok::<(), Infallible>(()));
        end
    }

    /// Plays random games from here and tallies their outcomes.
    ///
    /// Game `i` of a seed is the same on every machine, whatever range it is part of: ranges can be played on several
    /// threads and their tallies added, as [`playouts_with`](crate::playouts_with) does.
    ///
    /// ```
    /// use petteia::prelude::*;
    /// use petteia::Reversi;
    ///
    /// let whole = Reversi::default().playouts(0..1000, 7);
    /// let halves = Reversi::default().playouts(0..500, 7) + Reversi::default().playouts(500..1000, 7);
    /// assert_eq!(whole, halves);
    /// ```
    fn playouts(&self, games: Range<u64>, seed: u64) -> Tally {
        playout::play_out_many(self, games, seed)
    }

    /// Finds the exact value of the position, its best moves and the principal variation.
    ///
    /// The default is alpha-beta search. It is for games in which no position can repeat.
    ///
    /// ```
    /// use petteia::prelude::*;
    /// use petteia::{SolveOptions, TicTac};
    ///
    /// let position: TicTac = "X_O/_X_/___ O".parse()?;
    /// let solution = position.solve(&SolveOptions::default())?;
    /// assert_eq!((solution.value, solution.best_moves), (0, vec!["C3".parse()?]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`SolveError`] for a finished game, for counting empties in a game that does not count squares, for a
    /// transposition table that does not fit in memory, or for a game that goes on for too long.
    fn solve(&self, options: &SolveOptions) -> Result<Solution<Self::Move>, SolveError> {
        solve::solve_plainly(self, options)
    }

    /// Finds the best moves within limits, with estimates of how the game will end after each, or exact values where
    /// they can be proved.
    ///
    /// The default is alpha-beta search with iterative deepening over [`advantage`](Engine::advantage), and
    /// [`solve`](Engine::solve) for some of the effort.
    ///
    /// ```
    /// use petteia::prelude::*;
    /// use petteia::{AnalysisOptions, TicTac};
    ///
    /// let position: TicTac = "X_O/_X_/___ O".parse()?;
    /// let analysis = position.analyse(&AnalysisOptions::default())?;
    /// assert_eq!((analysis.best(), analysis.lines[0].value), (&"C3".parse()?, Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A [`SolveError`] for a finished game, or if the transposition table does not fit in memory.
    fn analyse(&self, options: &AnalysisOptions) -> Result<Analysis<Self::Move>, SolveError> {
        analysis::analyse_plainly(self, options)
    }

    /// Returns the reasons for a legal move that a look ahead shows, for [`explain`](crate::explain), which knows of wins
    /// and adds what can be proved.
    fn reasons(&self, m: &Self::Move) -> Vec<Reason> {
        reasons::seen(self, m)
    }
}

/// The [advantage](Engine::advantage) of a game that is as good as won.
pub const MAX_ADVANTAGE: i32 = 1000;

/// What makes a [level](crate::Level) of a game as strong as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strength {
    /// How many nodes it searches for a move.
    pub nodes: u64,
    /// How many of a thousand moves it plays at random.
    pub mistakes: usize,
}

impl Strength {
    /// Returns ten levels, given the nodes and the mistakes of each.
    pub const fn levels(table: [(u64, usize); 10]) -> [Strength; 10] {
        let mut levels = [Strength { nodes: 0, mistakes: 0 }; 10];
        let mut level = 0;
        while level < table.len() {
            let (nodes, mistakes) = table[level];
            levels[level] = Strength { nodes, mistakes };
            level += 1;
        }
        levels
    }
}
