//! Exact values.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use super::guard::{Failure, Out, OutArray, Result, release, shared, status};
use super::moves::action_of;
use super::options::{Caller, Options, petteia_callback, read, time_limit, write_defaults};
use super::position::petteia_position;
use super::status::petteia_status;
use crate::error::list;
use crate::prelude::*;
use crate::{Progress, Solution, SolveError, SolveOptions, with_position};

/// The options of petteia_solve.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_solve_options {
    /// The size of this struct, as petteia_solve_options_init fills it in.
    pub size: usize,
    /// A callback that can end the search, which then returns what it has found. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// About how many positions may be searched. Default: 0, for no limit.
    pub node_limit: u64,
    /// About how many seconds the search may take. Default: 0, for no limit.
    pub time_limit: f64,
    /// About how many bytes the transposition table may take. Default: 0, for as many as the game's solver likes: in
    /// Reversi 128 MiB, but 32 MiB and less with fewer than 20 empty squares; in Quarto 64 MiB, but 8 MiB and less from
    /// three placed pieces on; in Breakdown a table that grows up to 1 GiB, or 128 MiB on boards of more than 3840
    /// cells; in TicTac a small one.
    pub table_bytes: usize,
    /// How many threads search together; the value and the best moves do not depend on it. Default: 1; 0 counts as 1,
    /// and more than 256 as 256.
    pub threads: usize,
    /// Nonzero to find just one best move, which is faster than finding all. Default: 0.
    pub one_best: c_int,
    /// Nonzero to count empty squares for the winner, as in Reversi tournaments. Default: 0.
    pub empties_to_winner: c_int,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_solve_options {
    const NAME: &'static str = "petteia_solve_options";
    const DEFAULTS: Self = petteia_solve_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        node_limit: 0,
        time_limit: 0.0,
        table_bytes: 0,
        threads: 1,
        one_best: 0,
        empties_to_winner: 0,
    };
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_solve_options_init calls it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solve_options_defaults(
    options: *mut petteia_solve_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
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
    /// 1 if the value is exact, 0 if a limit or the callback ended the search early.
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

fn solve<P: Actions + Engine>(position: &P, options: &SolveOptions) -> Result<petteia_solution> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    let actions = |moves: Vec<P::Move>| list("a list of moves", moves.iter().map(|m| action_of(position, m)));
    Ok(petteia_solution {
        value: petteia_value { value, lower, upper, exact: exact.into(), nodes, seconds },
        best_actions: actions(best_moves),
        line: actions(line),
    })
}

/// Finds the exact value of a position, its best moves and the principal variation. `options` may be NULL for the
/// defaults. The caller frees the solution with petteia_solution_free.
///
/// A search that a limit or the callback ends early returns PETTEIA_OK too, with bounds in place of the value; there
/// may be no best action and no line then. Fails with PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for
/// `empties_to_winner` in a game that does not count squares, PETTEIA_INVALID_ARGUMENT if the time limit is negative or
/// NaN, PETTEIA_NO_MEMORY if there is not enough memory for the transposition table.
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
        let (position, given, out) =
            unsafe { (shared(position, "position")?, read(options)?, Out::new(solution, "solution")?) };
        let caller = Caller::new(given.callback, given.user, given.node_limit);
        let watch = |news: &Progress| caller.search(news);
        let options = SolveOptions {
            all_best: given.one_best == 0,
            empties_to_winner: given.empties_to_winner != 0,
            node_limit: Some(given.node_limit).filter(|&limit| limit > 0),
            time_limit: time_limit(given.time_limit)?,
            table_bytes: Some(given.table_bytes).filter(|&bytes| bytes > 0),
            threads: given.threads,
            watch: Some(&watch),
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
        let (solution, value) = unsafe { (shared(solution, "solution")?, Out::new(value, "value")?) };
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
        let (solution, out) =
            unsafe { (shared(solution, "solution")?, OutArray::new(actions, cap, len, "actions")?) };
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
