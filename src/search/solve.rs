//! Solving: the exact value of a position under perfect play.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use super::minimax::Minimax;
use super::root::solve_with;
use crate::engine::Engine;
use crate::error::MemoryError;

/// The options of a solver.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{SolveOptions, TicTac};
///
/// let options = SolveOptions { node_limit: Some(10), ..SolveOptions::default() };
/// let solution = TicTac::default().solve(&options)?;
/// assert!(!solution.exact && solution.lower <= 0 && solution.upper >= 0);
/// # Ok::<(), petteia::SolveError>(())
/// ```
#[derive(Clone, Copy)]
pub struct SolveOptions<'a> {
    /// Whether to find every best move, the default, or just one of them, which is faster.
    pub all_best: bool,
    /// Whether empty squares count for the winner, as in Reversi tournaments.
    pub empties_to_winner: bool,
    /// About how many positions may be searched.
    pub node_limit: Option<u64>,
    /// About how long the search may take.
    pub time_limit: Option<Duration>,
    /// About how many bytes the transposition table may take; each game has a default of its own.
    pub table_bytes: Option<usize>,
    /// How many threads search together; value and best moves do not depend on it.
    pub threads: usize,
    /// Called now and then with the progress; can stop the search.
    pub watch: Option<SolveWatch<'a>>,
}

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        SolveOptions {
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

impl fmt::Debug for SolveOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveOptions")
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

/// A callback that receives the progress and says whether to go on.
pub type SolveWatch<'a> = &'a (dyn Fn(&Progress) -> ControlFlow<()> + Sync);

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time taken so far.
    pub seconds: f64,
    /// The lower bound on the value.
    pub lower: i32,
    /// The upper bound on the value.
    pub upper: i32,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// The value for the player to move: the disc difference in Reversi, else 1, 0 or -1 for a win, a draw or a loss.
    ///
    /// If a limit was hit, it is the lower bound.
    pub value: i32,
    /// The moves that achieve the value, in the order of their actions: all of them, or at least one if only one was
    /// asked for.
    ///
    /// If a limit was hit, these are the moves known to achieve the lower bound, if any.
    pub best_moves: Vec<M>,
    /// The principal variation: best play by both sides, starting with a best move, as far as it is cheap to find.
    pub line: Vec<M>,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether the value is exact, that is, no limit was hit.
    pub exact: bool,
    /// The lower bound on the value.
    pub lower: i32,
    /// The upper bound on the value.
    pub upper: i32,
}

/// Why a position cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The game is over.
    Over,
    /// Empty squares should count for the winner, but the game does not count squares.
    EmptiesToWinner,
    /// There is not enough memory for a transposition table of this size.
    Memory(MemoryError),
    /// A line of play goes on for more than [`LONGEST_LINE`] plies.
    TooLong,
}

/// The longest line of play, in plies, that the generic solver searches.
pub const LONGEST_LINE: usize = 4096;

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Over => f.write_str("the game is over: expected a position with a player to move"),
            SolveError::EmptiesToWinner => {
                f.write_str("empties to the winner: expected a game that counts squares")
            }
            SolveError::Memory(error) => error.fmt(f),
            SolveError::TooLong => write!(
                f,
                "a line of more than {LONGEST_LINE} plies: expected a game in which no position repeats"
            ),
        }
    }
}

impl Error for SolveError {}

impl From<MemoryError> for SolveError {
    fn from(error: MemoryError) -> Self {
        SolveError::Memory(error)
    }
}

/// Solves a position of any game whose positions do not repeat.
///
/// Games' own, faster solvers are tested against this one.
///
/// # Errors
///
/// A [`SolveError`] as for [`Engine::solve`].
pub fn solve_plainly<P: Engine>(
    position: &P,
    options: &SolveOptions,
) -> Result<Solution<P::Move>, SolveError> {
    let mut minimax = Minimax::new(position, options);
    let solution = solve_with(position, options, &mut minimax)?;
    if minimax.too_long { Err(SolveError::TooLong) } else { Ok(solution) }
}
