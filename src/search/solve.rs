//! Exact values: what a position is worth when both sides play as well as can be.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use super::minimax::Minimax;
use super::root::solve_with;
use crate::Position;

/// What is asked of a solver.
///
/// ```
/// use petteia::{Options, Position, TicTac};
///
/// let options = Options { node_limit: Some(10), ..Options::default() };
/// let solution = TicTac::default().solve(&options)?;
/// assert!(!solution.exact && solution.lower <= 0 && solution.upper >= 0);
/// # Ok::<(), petteia::SolveError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Whether every best move is wanted, as by default, or any one of them, sooner.
    pub all_best: bool,
    /// Whether squares that stay empty count for the winner, as in tournaments of Reversi.
    pub empties_to_winner: bool,
    /// About how many positions may be searched.
    pub node_limit: Option<u64>,
    /// About how long the search may take.
    pub time_limit: Option<Duration>,
    /// About how many bytes the table of positions may take; each game has a default of its own.
    pub table_bytes: Option<usize>,
    /// How many threads search together. What is found out does not depend on it.
    pub threads: usize,
    /// What is told of the progress every now and then, and may break off the search.
    pub watch: Option<Watch<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            all_best: true,
            empties_to_winner: false,
            node_limit: None,
            time_limit: None,
            table_bytes: None,
            threads: 1,
            watch: None,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("all_best", &self.all_best)
            .field("empties_to_winner", &self.empties_to_winner)
            .field("node_limit", &self.node_limit)
            .field("time_limit", &self.time_limit)
            .field("table_bytes", &self.table_bytes)
            .field("threads", &self.threads)
            .field("watch", &self.watch.map(|_| ".."))
            .finish()
    }
}

/// A function that is told of the progress and says whether to go on.
pub type Watch<'a> = &'a (dyn Fn(&Progress) -> ControlFlow<()> + Sync);

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Positions searched so far.
    pub nodes: u64,
    /// Time taken so far.
    pub seconds: f64,
    /// What the value is at least.
    pub lower: i32,
    /// What the value is at most.
    pub upper: i32,
}

/// What a solver found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// The value for the player to move: the disc difference in Reversi, else 1, 0 or -1 for a win, a draw or a loss.
    ///
    /// Where a limit was hit it is the lower bound.
    pub value: i32,
    /// The moves that reach the value, in the order of their actions; at least one if only one was asked for.
    ///
    /// Where a limit was hit these are the moves known to reach the lower bound, if there are any.
    pub best_moves: Vec<M>,
    /// Best play by both sides, from a best move on as far as it is known at next to no cost.
    pub line: Vec<M>,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether the value is exact, which it is unless a limit was hit.
    pub exact: bool,
    /// What the value is at least.
    pub lower: i32,
    /// What the value is at most.
    pub upper: i32,
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The game is over.
    Over,
    /// Empty squares were to count for the winner in a game that does not count squares.
    EmptiesToWinner,
    /// There is no memory for a table of the size that was asked for.
    Memory,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SolveError::Over => "the game is over: expected a position with a player to move",
            SolveError::EmptiesToWinner => "empties to the winner: only games that count squares have them",
            SolveError::Memory => "no memory for the table: expected a smaller one",
        })
    }
}

impl Error for SolveError {}

/// Finds the exact value of a position; see [`Position::solve`].
///
/// # Errors
///
/// A [`SolveError`] for a finished game, for counting empties in a game that does not count squares, or for a table
/// that memory has no room for.
pub fn solve<P: Position>(position: &P, options: &Options) -> Result<Solution<P::Move>, SolveError> {
    position.solve(options)
}

/// Finds the exact value of a position in the way that serves every game whose positions do not repeat.
///
/// This is what a game's own, faster way is compared with.
///
/// # Errors
///
/// A [`SolveError`] as for [`solve`].
pub fn solve_plainly<P: Position>(position: &P, options: &Options) -> Result<Solution<P::Move>, SolveError> {
    solve_with(position, options, &mut Minimax::new(options))
}
