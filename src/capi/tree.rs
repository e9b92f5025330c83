//! Tree search.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use super::guard::{Failure, Out, OutArray, Result, shared, status, text};
use super::moves::action_of;
use super::options::{Caller, Options, petteia_callback, read, time_limit, write_defaults};
use super::position::petteia_position;
use super::status::petteia_status;
use crate::error::list;
use crate::prelude::*;
use crate::work::thread_count;
use crate::{Branch, Evaluator, ParseError, TreeOptions, mcts, with_position};

/// The options of petteia_position_mcts.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_mcts_options {
    /// The size of this struct, as petteia_mcts_options_init fills it in.
    pub size: usize,
    /// A callback that can end the search, which then returns what it has found. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// How many simulations there are, on all threads together, at least 1; fewer if the position is solved before.
    /// Default: 1000.
    pub simulations: u64,
    /// How many seconds the search may take. Default: 0, for no limit.
    pub time_limit: f64,
    /// The seed of the simulations: the same seed and number of threads give the same result. Default: 0.
    pub seed: u64,
    /// What tells the value of a position at the end of the tree: "playout", a random game, or "estimate", as
    /// petteia_position_evaluate gives it. Default: "playout".
    pub evaluator: *const c_char,
    /// How many threads search, each with a tree of its own; the trees are merged. Default: 1; 0 counts as 1, and more
    /// than 256 as 256.
    pub threads: usize,
}

const PLAYOUT: &CStr = c"playout";

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_mcts_options {
    const NAME: &'static str = "petteia_mcts_options";
    const DEFAULTS: Self = petteia_mcts_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        simulations: 1000,
        time_limit: 0.0,
        seed: 0,
        evaluator: PLAYOUT.as_ptr(),
        threads: 1,
    };
}

/// What a tree search found for one move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_branch {
    /// The action of the move.
    pub action: u32,
    /// 1 if its exact result was proved, else 0.
    pub exact: c_int,
    /// How often it was visited; the better a move, the more often.
    pub visits: u64,
    /// Its expected result for the player to move, from -1 for a loss to 1 for a win; 0 for a move that was never
    /// visited.
    pub value: f64,
}

/// The result of a tree search, except for the branches.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_tree {
    /// The best of the branches: one that was proved to win if there is one, else the most visited of those that were
    /// not proved to lose, unless a draw is better.
    pub best: petteia_branch,
    /// How many simulations there were.
    pub simulations: u64,
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_mcts_options_init calls it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_mcts_options_defaults(
    options: *mut petteia_mcts_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Searches for a good move by Monte Carlo tree search: simulations that visit good moves more and more often.
/// `options` may be NULL for the defaults.
///
/// There is a branch for each legal move, in the order of the actions, and as many as petteia_position_num_actions are
/// always enough; *len is their number. The best one is in `tree` too, so that `branches` may be NULL if `cap` is 0.
///
/// A search that the callback or the time limit ends early returns PETTEIA_OK too, with what was found. Fails with
/// PETTEIA_UNAVAILABLE if the game is over, PETTEIA_PARSE_ERROR or PETTEIA_NOT_UTF8 if there is no such evaluator,
/// PETTEIA_INVALID_ARGUMENT if there are no simulations, or the time limit is negative or NaN, PETTEIA_NO_MEMORY if
/// there is not enough memory for the tree.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose callback can be called with `user`
/// and whose evaluator is NULL or a C string; `branches` has room for `cap` elements, `len` and `tree` are valid for
/// writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_mcts(
    position: *const petteia_position,
    options: *const petteia_mcts_options,
    branches: *mut petteia_branch,
    cap: usize,
    len: *mut usize,
    tree: *mut petteia_tree,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, given, branches, tree) = unsafe {
            let (branches, tree) = (OutArray::new(branches, cap, len, "branches")?, Out::new(tree, "tree")?);
            (shared(position, "position")?, read(options)?, branches, tree)
        };
        // SAFETY: the same.
        let evaluator = match unsafe { text(given.evaluator, "evaluator") }? {
            "playout" => Evaluator::Playout,
            "estimate" => Evaluator::Estimate,
            other => return Err(ParseError::new("evaluator", other, "playout or estimate").into()),
        };
        if given.simulations == 0 {
            return Err(Failure::invalid("simulations", 0, "1 or more"));
        }
        let caller = Caller::new(given.callback, given.user, given.simulations);
        // The core counts the simulations of one thread.
        let threads = thread_count(given.threads);
        let watch = |done: u64| caller.count(done.saturating_mul(threads as u64).min(given.simulations));
        let options = TreeOptions {
            simulations: given.simulations,
            time_limit: time_limit(given.time_limit)?,
            evaluator,
            seed: given.seed,
            threads,
            watch: Some(&watch),
        };
        let (found, summary) = with_position!(&position.0, p => grow(p, &options))?;
        branches.write(found.into_iter());
        tree.write(summary);
        Ok(())
    })
}

fn grow<P: Actions + Engine>(
    position: &P,
    options: &TreeOptions,
) -> Result<(Vec<petteia_branch>, petteia_tree)> {
    let tree = mcts(position, options)?;
    let written = |branch: &Branch<P::Move>| petteia_branch {
        action: action_of(position, &branch.m),
        exact: branch.proven.is_some().into(),
        visits: branch.visits,
        value: branch.value,
    };
    let summary = petteia_tree { best: written(tree.best()), simulations: tree.simulations };
    Ok((list("a list of branches", tree.branches.iter().map(written)), summary))
}
