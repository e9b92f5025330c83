//! Exact values.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::time::Duration;

use super::guard::{Failure, Out, OutArray, Result, release, shared, status};
use super::moves::action_of;
use super::position::petteia_position;
use super::status::petteia_status;
use crate::prelude::*;
use crate::{Progress, Solution, SolveError, SolveOptions, SolveWatch, with_position};

/// The progress of a search.
#[repr(C)]
pub struct petteia_progress {
    /// Positions searched so far.
    pub nodes: u64,
    /// Seconds taken so far.
    pub seconds: f64,
    /// The lower bound on the value.
    pub lower: i32,
    /// The upper bound on the value.
    pub upper: i32,
}

/// A callback that a search calls now and then, on the thread that called the library, with its progress and the
/// `user` pointer of its options. Returning true ends the search with what it has found so far. It must return (no
/// longjmp, no exception).
pub type petteia_solve_cancel =
    Option<unsafe extern "C" fn(progress: *const petteia_progress, user: *mut c_void) -> bool>;

/// The options of petteia_solve. All zeros, as in `petteia_solve_options options = {0};`, are the defaults.
#[repr(C)]
pub struct petteia_solve_options {
    /// About how many positions may be searched; 0 for no limit.
    pub node_limit: u64,
    /// About how many seconds the search may take; 0 for no limit.
    pub time_limit: f64,
    /// About how many bytes the transposition table may take; 0 for the game's default.
    pub table_bytes: usize,
    /// How many threads search together; 0 and 1 both mean the calling thread alone. The value and the best moves do
    /// not depend on it.
    pub threads: u32,
    /// Nonzero to find just one best move, which is faster than finding all.
    pub one_best: c_int,
    /// Nonzero to count empty squares for the winner, as in Reversi tournaments.
    pub empties_to_winner: c_int,
    /// A callback that can end the search, or NULL.
    pub cancel: petteia_solve_cancel,
    /// The pointer to call `cancel` with.
    pub user: *mut c_void,
}

/// The result of a search, except for the moves.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_value {
    /// The value for the player to move: the disc difference in Reversi, else 1 for a win, 0 for a draw, -1 for a
    /// loss. If the search ended early, this is the lower bound.
    pub value: i32,
    /// The lower bound on the value.
    pub lower: i32,
    /// The upper bound on the value.
    pub upper: i32,
    /// 1 if the value is exact, 0 if a limit or `cancel` ended the search early.
    pub exact: c_int,
    /// How many positions were searched.
    pub nodes: u64,
    /// How many seconds it took.
    pub seconds: f64,
}

/// The result of a search.
pub struct petteia_solution {
    value: petteia_value,
    best_actions: Vec<u32>,
    line: Vec<u32>,
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let status = match error {
            SolveError::Over => petteia_status::PETTEIA_UNAVAILABLE,
            SolveError::EmptiesToWinner => petteia_status::PETTEIA_WRONG_GAME,
            SolveError::Memory(_) => petteia_status::PETTEIA_NO_MEMORY,
            SolveError::TooLong => petteia_status::PETTEIA_INVALID_ARGUMENT,
        };
        Failure::new(status, error)
    }
}

/// The caller's callback and its `user` pointer.
pub(super) struct Caller(
    pub(super) unsafe extern "C" fn(*const petteia_progress, *mut c_void) -> bool,
    pub(super) *mut c_void,
);

// SAFETY: a search calls its watcher on the calling thread only, so the pointer stays there.
unsafe impl Sync for Caller {}

impl Caller {
    pub(super) fn watch(&self, news: &Progress) -> ControlFlow<()> {
        let Progress { nodes, seconds, lower, upper } = *news;
        let news = petteia_progress { nodes, seconds, lower, upper };
        // SAFETY: the caller promised that the function can be called with its pointer.
        let answer = unsafe { self.0(&raw const news, self.1) };
        if answer { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn solve<P: Actions + Engine>(position: &P, options: &SolveOptions) -> Result<petteia_solution> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let actions = |moves: Vec<P::Move>| moves.iter().map(|m| action_of(position, m)).collect();
    Ok(petteia_solution {
        value: petteia_value { value, lower, upper, exact: exact.into(), nodes, seconds },
        best_actions: actions(best_moves),
        line: actions(line),
    })
}

/// Finds the exact value of a position, its best moves and the principal variation. `options` may be NULL for the
/// defaults. The caller frees the solution with petteia_solution_free.
///
/// A search that a limit or `cancel` ends early returns PETTEIA_OK too, with bounds in place of the value. Fails with
/// PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for `empties_to_winner` in a game that does not count
/// squares, PETTEIA_INVALID_ARGUMENT if the time limit is negative or NaN, PETTEIA_NO_MEMORY if there is not enough
/// memory for the transposition table.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose callback can be called with `user`,
/// `solution` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solve(
    position: *const petteia_position,
    options: *const petteia_solve_options,
    solution: *mut *mut petteia_solution,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, options, out) =
            unsafe { (shared(position, "position")?, options.as_ref(), Out::new(solution)?) };
        let Some(given) = options else {
            out.hand_over(with_position!(&position.0, p => solve(p, &SolveOptions::default()))?);
            return Ok(());
        };
        if given.time_limit.is_nan() || given.time_limit < 0.0 {
            return Err(Failure::invalid("time_limit", given.time_limit, "seconds, 0 or more"));
        }
        let caller = given.cancel.map(|function| Caller(function, given.user));
        let watch = caller.as_ref().map(|caller| |news: &Progress| caller.watch(news));
        let options = SolveOptions {
            all_best: given.one_best == 0,
            empties_to_winner: given.empties_to_winner != 0,
            node_limit: Some(given.node_limit).filter(|&limit| limit > 0),
            // 0 is no limit, and one too long for a Duration as good as none; one too short for it is no time at all.
            time_limit: (given.time_limit > 0.0)
                .then(|| Duration::try_from_secs_f64(given.time_limit).ok())
                .flatten(),
            table_bytes: Some(given.table_bytes).filter(|&bytes| bytes > 0),
            threads: given.threads as usize,
            watch: watch.as_ref().map(|watch| watch as SolveWatch),
        };
        out.hand_over(with_position!(&position.0, p => solve(p, &options))?);
        Ok(())
    })
}

/// Writes the value of a solution, and whether it is exact.
///
/// # Safety
///
/// `solution` is NULL or a solution, `value` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solution_value(
    solution: *const petteia_solution,
    value: *mut petteia_value,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (solution, value) = unsafe { (shared(solution, "solution")?, Out::new(value)?) };
        value.write(solution.value);
        Ok(())
    })
}

/// Writes a list of actions from a solution.
///
/// # Safety
///
/// `solution` is NULL or a solution, the others are as for [`OutArray::new`].
unsafe fn write_actions(
    solution: *const petteia_solution,
    (actions, cap, len): (*mut u32, usize, *mut usize),
    which: impl FnOnce(&petteia_solution) -> &[u32],
) -> petteia_status {
    status(|| {
        // SAFETY: the caller's promise.
        let (solution, out) = unsafe { (shared(solution, "solution")?, OutArray::new(actions, cap, len)?) };
        out.write(which(solution).iter().copied());
        Ok(())
    })
}

/// Writes the actions that achieve the value, in increasing order: all of them, or at least one with `one_best`. If
/// the search ended early, these are the actions known to achieve the lower bound, if any.
///
/// # Safety
///
/// `solution` is NULL or a solution; `actions` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solution_best_actions(
    solution: *const petteia_solution,
    actions: *mut u32,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_actions(solution, (actions, cap, len), |solution| &solution.best_actions) }
}

/// Writes the actions of the principal variation: best play by both sides, starting with a best move, as far as it is
/// cheap to find.
///
/// # Safety
///
/// `solution` is NULL or a solution; `actions` has room for `cap` elements, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solution_line(
    solution: *const petteia_solution,
    actions: *mut u32,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_actions(solution, (actions, cap, len), |solution| &solution.line) }
}

/// Frees a solution. NULL is ignored.
///
/// # Safety
///
/// `solution` is NULL or a solution that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solution_free(solution: *mut petteia_solution) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(solution) }
}
