//! Estimates and analysis.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::guard::{Failure, Out, OutArray, Result, shared, status};
use super::moves::action_of;
use super::position::petteia_position;
use super::solve::{Caller, petteia_solve_cancel};
use super::status::petteia_status;
use crate::prelude::*;
use crate::{Analysis, AnalysisOptions, Estimate, Line, Progress, SolveWatch, evaluate, with_position};

/// How a game is likely to end for the player to move: what a position looks like, not what is proved of it. The three
/// probabilities add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_estimate {
    /// The probability that the player to move wins.
    pub win: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The probability that the player to move loses.
    pub loss: f64,
    /// The expected disc difference; 0 in games that do not count squares.
    pub difference: f64,
    /// 1 if the game counts squares, so that there is a difference; else 0.
    pub has_difference: c_int,
}

impl From<Estimate> for petteia_estimate {
    fn from(estimate: Estimate) -> Self {
        let Estimate { win, draw, loss, difference } = estimate;
        let has_difference = difference.is_some().into();
        petteia_estimate { win, draw, loss, difference: difference.unwrap_or(0.0), has_difference }
    }
}

/// The options of petteia_position_analyse. All zeros, as in `petteia_analysis_options options = {0};`, are the
/// defaults. The limit that is met first ends the search; without any limit, it searches a million positions.
#[repr(C)]
pub struct petteia_analysis_options {
    /// How many positions are searched at most; 0 for no limit. On one thread, the result is always the same.
    pub node_limit: u64,
    /// How many seconds the search may take; 0 for no limit.
    pub time_limit: f64,
    /// How many plies are searched at most; 0 for no limit. On one thread, the result is always the same.
    pub depth: u32,
    /// How many of the best moves are asked for; 0 and 1 both mean one.
    pub lines: u32,
    /// How many threads search together; 0 and 1 both mean the calling thread alone.
    pub threads: u32,
    /// A callback that can end the search, or NULL. The bounds that it is told are those of the game.
    pub cancel: petteia_solve_cancel,
    /// The pointer to call `cancel` with.
    pub user: *mut c_void,
}

/// How many moves a petteia_line has room for.
pub const PETTEIA_LINE_LENGTH: usize = 64;

/// A move and what is expected to follow.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_line {
    /// How the game is likely to end, for the player to move; certain if the value is exact.
    pub estimate: petteia_estimate,
    /// 1 if the value was proved, 0 if there is only the estimate.
    pub exact: c_int,
    /// The exact value for the player to move, as in petteia_value; 0 if it is not known.
    pub value: i32,
    /// How many actions there are, at least one. A longer line is cut.
    pub length: u32,
    /// The principal variation, which begins with the move; 0 after its end.
    pub actions: [u32; PETTEIA_LINE_LENGTH],
}

/// How much an analysis has searched.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_analysis {
    /// How many positions were searched.
    pub nodes: u64,
    /// How many seconds it took.
    pub seconds: f64,
    /// How many plies deep all moves were searched.
    pub depth: u32,
}

/// Estimates how a game will end, from a look at the position alone.
///
/// Fails with PETTEIA_UNAVAILABLE if the game is over.
///
/// # Safety
///
/// `position` is NULL or a position, `estimate` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_evaluate(
    position: *const petteia_position,
    estimate: *mut petteia_estimate,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, out) = unsafe { (shared(position, "position")?, Out::new(estimate)?) };
        out.write(with_position!(&position.0, p => evaluate(p))?.into());
        Ok(())
    })
}

fn analyse<P: Actions + Engine>(
    position: &P,
    options: &AnalysisOptions,
) -> Result<(Vec<petteia_line>, petteia_analysis)> {
    let Analysis { lines, depth, nodes, seconds } = position.analyse(options)?;
    let written = |line: Line<P::Move>| {
        let mut actions = [0; PETTEIA_LINE_LENGTH];
        for (action, m) in actions.iter_mut().zip(&line.moves) {
            *action = action_of(position, m);
        }
        petteia_line {
            estimate: line.estimate.into(),
            exact: line.value.is_some().into(),
            value: line.value.unwrap_or(0),
            length: line.moves.len().min(PETTEIA_LINE_LENGTH) as u32,
            actions,
        }
    };
    Ok((lines.into_iter().map(written).collect(), petteia_analysis { nodes, seconds, depth }))
}

/// Finds the best moves of a position within limits, best first, with estimates of how the game will end after each,
/// or exact values where they can be proved. `options` may be NULL for the defaults. *len is the number of lines found:
/// as many as were asked for, if there are so many moves, and at least one.
///
/// A search that `cancel` ends early returns PETTEIA_OK too, with what was found. Fails with PETTEIA_UNAVAILABLE if the
/// game is over, PETTEIA_INVALID_ARGUMENT if the time limit is negative or NaN, PETTEIA_NO_MEMORY if there is not
/// enough memory for the transposition table.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose callback can be called with `user`,
/// `lines` has room for `cap` elements, `len` and `analysis` are valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_analyse(
    position: *const petteia_position,
    options: *const petteia_analysis_options,
    lines: *mut petteia_line,
    cap: usize,
    len: *mut usize,
    analysis: *mut petteia_analysis,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, options, lines, analysis) = unsafe {
            let (lines, analysis) = (OutArray::new(lines, cap, len)?, Out::new(analysis)?);
            (shared(position, "position")?, options.as_ref(), lines, analysis)
        };
        let caller = options.and_then(|given| given.cancel.map(|function| Caller(function, given.user)));
        // An analysis is several searches: the caller, having ended one, is not asked about the next.
        let ended = AtomicBool::new(false);
        let ask = |caller: &Caller, news: &Progress| {
            if ended.load(Ordering::Relaxed) || caller.watch(news).is_break() {
                ended.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let watch = caller.as_ref().map(|caller| |news: &Progress| ask(caller, news));
        let mut asked = AnalysisOptions::default();
        if let Some(given) = options {
            if given.time_limit.is_nan() || given.time_limit < 0.0 {
                return Err(Failure::invalid("time_limit", given.time_limit, "seconds, 0 or more"));
            }
            asked = AnalysisOptions {
                depth: Some(given.depth).filter(|&depth| depth > 0),
                node_limit: Some(given.node_limit).filter(|&nodes| nodes > 0),
                // One too long for a Duration never ends the search; one too short for it is no time at all.
                time_limit: (given.time_limit > 0.0)
                    .then(|| Duration::try_from_secs_f64(given.time_limit).unwrap_or(Duration::MAX)),
                lines: given.lines.max(1) as usize,
                threads: given.threads as usize,
                memory: None,
                watch: watch.as_ref().map(|watch| watch as SolveWatch),
            };
        }
        let (found, summary) = with_position!(&position.0, p => analyse(p, &asked))?;
        lines.write(found.into_iter());
        analysis.write(summary);
        Ok(())
    })
}
