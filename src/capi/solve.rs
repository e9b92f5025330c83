//! Exact values.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::time::Duration;

use super::guard::{Failure, Out, OutArray, Result, release, shared, status};
use super::moves::action_of;
use super::position::petteia_position;
use super::status::petteia_status;
use crate::search::solve::Watch;
use crate::{Options, Position, Progress, Solution, SolveError, with_position};

/// How far a search has come.
#[repr(C)]
pub struct petteia_progress {
    /// Positions searched so far.
    pub nodes: u64,
    /// Time taken so far.
    pub seconds: f64,
    /// What the value is at least.
    pub lower: i32,
    /// What the value is at most.
    pub upper: i32,
}

/// What a search calls every now and then, on the thread that called petteia_solve, with the pointer of its options: if
/// it returns true, the search ends with the bounds found so far. It must return (no longjmp, no exception).
pub type petteia_solve_cancel =
    Option<unsafe extern "C" fn(progress: *const petteia_progress, user: *mut c_void) -> bool>;

/// What is asked of petteia_solve. All zeros, as in `petteia_solve_options options = {0};`, are the defaults.
#[repr(C)]
pub struct petteia_solve_options {
    /// About how many positions may be searched, or 0 for as many as it takes.
    pub node_limit: u64,
    /// About how many seconds the search may take, or 0 for as long as it takes.
    pub time_limit: f64,
    /// About how many bytes the table of positions may take, or 0 for the game's default.
    pub table_bytes: usize,
    /// How many threads search together, 0 and 1 being the calling one alone. The value and the best moves do not depend
    /// on it.
    pub threads: u32,
    /// Not 0 if one best move is enough, which is found sooner.
    pub one_best: c_int,
    /// Not 0 if squares that stay empty count for the winner, as in tournaments of Reversi.
    pub empties_to_winner: c_int,
    /// What may end the search, or NULL.
    pub cancel: petteia_solve_cancel,
    /// What `cancel` is called with.
    pub user: *mut c_void,
}

/// What a search found out, but for its moves.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_value {
    /// The value for the player to move: the disc difference in Reversi, else 1, 0 or -1 for a win, a draw or a loss. It is
    /// the lower bound if the search was ended.
    pub value: i32,
    /// What the value is at least.
    pub lower: i32,
    /// What the value is at most.
    pub upper: i32,
    /// 1 if the value is exact, 0 if a limit was hit or the search was cancelled.
    pub exact: c_int,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// What a search found out about a position.
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
            SolveError::Memory => petteia_status::PETTEIA_INVALID_ARGUMENT,
        };
        Failure::new(status, error)
    }
}

/// The caller's function and its pointer.
struct Caller(unsafe extern "C" fn(*const petteia_progress, *mut c_void) -> bool, *mut c_void);

// SAFETY: a search calls its watcher on the thread that it was called on, so the pointer stays there.
unsafe impl Sync for Caller {}

impl Caller {
    fn watch(&self, news: &Progress) -> ControlFlow<()> {
        let Progress { nodes, seconds, lower, upper } = *news;
        let news = petteia_progress { nodes, seconds, lower, upper };
        // SAFETY: whoever set the options promised that the function can be called with its pointer.
        let answer = unsafe { self.0(&raw const news, self.1) };
        if answer { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn solve<P: Position>(position: &P, options: &Options) -> Result<petteia_solution> {
    let Solution { value, best_moves, line, nodes, seconds, exact, lower, upper } =
        position.solve(options)?;
    // What a solver plays is legal, and a legal move always has an action.
    let actions = |first: &P, moves: Vec<P::Move>| {
        moves.into_iter().map(|m| action_of(first, m).unwrap_or_default()).collect()
    };
    Ok(petteia_solution {
        value: petteia_value { value, lower, upper, exact: exact.into(), nodes, seconds },
        best_actions: actions(position, best_moves),
        line: actions(position, line),
    })
}

/// Finds the exact value of a position, its best moves and the line of best play, as a solution that the caller frees with
/// petteia_solution_free. `options` may be NULL for the defaults.
///
/// A limit that is hit, or a search that is cancelled, is PETTEIA_OK as well, with bounds in place of the value.
/// PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for empties_to_winner in another game than Reversi,
/// PETTEIA_INVALID_ARGUMENT for a time limit that is negative or not a number, and if there is no memory for the table.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose function can be called with its pointer,
/// `solution` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solve(
    position: *const petteia_position,
    options: *const petteia_solve_options,
    solution: *mut *mut petteia_solution,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller keeps the header's rules.
        let (position, options, out) =
            unsafe { (shared(position, "position")?, options.as_ref(), Out::new(solution)?) };
        let Some(given) = options else {
            out.hand_over(with_position!(&position.0, p => solve(p, &Options::default()))?);
            return Ok(());
        };
        if given.time_limit.is_nan() || given.time_limit < 0.0 {
            let message =
                format!("invalid time_limit {}: expected seconds that are not negative", given.time_limit);
            return Err(Failure::argument(message));
        }
        let caller = given.cancel.map(|function| Caller(function, given.user));
        let watch = caller.as_ref().map(|caller| |news: &Progress| caller.watch(news));
        let options = Options {
            all_best: given.one_best == 0,
            empties_to_winner: given.empties_to_winner != 0,
            node_limit: Some(given.node_limit).filter(|&limit| limit > 0),
            // A time too long to be written as one is as good as none.
            time_limit: Duration::try_from_secs_f64(given.time_limit).ok().filter(|limit| !limit.is_zero()),
            table_bytes: Some(given.table_bytes).filter(|&bytes| bytes > 0),
            threads: given.threads as usize,
            watch: watch.as_ref().map(|watch| watch as Watch),
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
        // SAFETY: the caller keeps the header's rules.
        let (solution, value) = unsafe { (shared(solution, "solution")?, Out::new(value)?) };
        value.write(solution.value);
        Ok(())
    })
}

/// Writes some actions of a solution.
///
/// # Safety
///
/// The pointers are NULL, or a solution and places for the actions and their number.
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

/// Writes the actions that reach the value, in increasing order: all of them, or at least one if one was enough. If the
/// search was ended these are the ones known to reach the lower bound, if there are any.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { write_actions(solution, (actions, cap, len), |solution| &solution.best_actions) }
}

/// Writes the actions of best play by both sides, from a best move on as far as it is known at next to no cost.
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
    // SAFETY: the caller keeps the header's rules.
    unsafe { write_actions(solution, (actions, cap, len), |solution| &solution.line) }
}

/// Frees a solution; NULL is fine.
///
/// # Safety
///
/// `solution` is NULL or a solution that nobody uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_solution_free(solution: *mut petteia_solution) {
    // SAFETY: the caller keeps the header's rules.
    unsafe { release(solution) }
}
