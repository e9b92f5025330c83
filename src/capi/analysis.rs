//! Estimates and analysis.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use super::guard::{Out, OutArray, Result, shared, status};
use super::moves::action_of;
use super::options::{Caller, Options, petteia_callback, read, time_limit, write_defaults};
use super::position::petteia_position;
use super::status::petteia_status;
use crate::error::list;
use crate::prelude::*;
use crate::{Analysis, AnalysisOptions, Estimate, Line, Progress, evaluate, with_position};

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

/// The options of petteia_position_analyse. The limit that is met first ends the search; without any limit, it searches
/// a million positions.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_analysis_options {
    /// The size of this struct, as petteia_analysis_options_init fills it in.
    pub size: usize,
    /// A callback that can end the search, which then returns what it has found. The bounds that it is told are those
    /// of the game. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// How many positions are searched at most. On one thread, the result is always the same. Default: 0, for no limit.
    pub node_limit: u64,
    /// How many seconds the search may take. Default: 0, for no limit.
    pub time_limit: f64,
    /// How many threads search together. Default: 1; 0 counts as 1, and more than 256 as 256.
    pub threads: usize,
    /// How many plies are searched at most. On one thread, the result is always the same. Default: 0, for no limit.
    pub depth: u32,
    /// How many of the best moves are asked for. Default: 1; 0 counts as 1.
    pub lines: u32,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_analysis_options {
    const NAME: &'static str = "petteia_analysis_options";
    const DEFAULTS: Self = petteia_analysis_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        node_limit: 0,
        time_limit: 0.0,
        threads: 1,
        depth: 0,
        lines: 1,
    };
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_analysis_options_init calls
/// it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_analysis_options_defaults(
    options: *mut petteia_analysis_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
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
    /// How many positions were searched: fewer than the limit if all is proved before, or known.
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
        let (position, out) = unsafe { (shared(position, "position")?, Out::new(estimate, "estimate")?) };
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
    Ok((list("a list of lines", lines.into_iter().map(written)), petteia_analysis { nodes, seconds, depth }))
}

/// Finds the best moves of a position within limits, best first, with estimates of how the game will end after each,
/// or exact values where they can be proved. `options` may be NULL for the defaults. *len is the number of lines found:
/// as many as were asked for, if there are so many moves, and at least one.
///
/// With at most two pieces on the board, all moves in Quarto are known to draw, as docs/results.md proves: their value
/// is exact, even if nothing was searched. The search only ranks them, by how hard they are to answer, within a tenth
/// of the limits and 26214 positions; the rest would only prove what is known. petteia_solve proves such positions
/// anew.
///
/// A search that the callback ends early returns PETTEIA_OK too, with what was found. Fails with PETTEIA_UNAVAILABLE if
/// the game is over, PETTEIA_INVALID_ARGUMENT if the time limit is negative or NaN, PETTEIA_NO_MEMORY if there is not
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
        let (position, given, lines, analysis) = unsafe {
            let (lines, analysis) =
                (OutArray::new(lines, cap, len, "lines")?, Out::new(analysis, "analysis")?);
            (shared(position, "position")?, read(options)?, lines, analysis)
        };
        let caller = Caller::new(given.callback, given.user, given.node_limit);
        let watch = |news: &Progress| caller.search(news);
        let asked = AnalysisOptions {
            depth: Some(given.depth).filter(|&depth| depth > 0),
            node_limit: Some(given.node_limit).filter(|&nodes| nodes > 0),
            time_limit: time_limit(given.time_limit)?,
            lines: given.lines.max(1) as usize,
            threads: given.threads,
            memory: None,
            watch: Some(&watch),
        };
        let (found, summary) = with_position!(&position.0, p => analyse(p, &asked))?;
        lines.write(found.into_iter());
        analysis.write(summary);
        Ok(())
    })
}
