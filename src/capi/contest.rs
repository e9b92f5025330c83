//! Matches between two computer players.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};

use super::guard::{Out, shared, status, text};
use super::options::{Caller, Options, petteia_callback, read, stopped, write_defaults};
use super::position::petteia_position;
use super::status::petteia_status;
use crate::{Contest, Score, with_position};

/// The options of petteia_match.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_match_options {
    /// The size of this struct, as petteia_match_options_init fills it in.
    pub size: usize,
    /// A callback that can stop the match. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// The seed of the players' random choices: each game of a seed is always the same, unless a player has a limit of
    /// time. Default: 0.
    pub seed: u64,
    /// After how many moves a game is declared a draw. Default: 10000.
    pub max_plies: u64,
    /// How many threads play, each a game of its own; the result does not depend on it. Default: 1; 0 counts as 1, and
    /// more than 256 as 256.
    pub threads: usize,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_match_options {
    const NAME: &'static str = "petteia_match_options";
    const DEFAULTS: Self = petteia_match_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        seed: 0,
        max_plies: 10_000,
        threads: 1,
    };
}

/// The result of a match for the first of its players: how many games it won, drew and lost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_score {
    /// Games won, drawn and lost in which it moved first.
    pub as_first: [u64; 3],
    /// Games won, drawn and lost in which it moved second.
    pub as_second: [u64; 3],
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_match_options_init calls it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_match_options_defaults(
    options: *mut petteia_match_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Lets two computer players, named as for petteia_bot_new, play `games` games from a position. They take turns moving
/// first, the first player in the first game. `options` may be NULL for the defaults.
///
/// Fails with PETTEIA_UNAVAILABLE if the game is over at the start, PETTEIA_PARSE_ERROR if no player has such a name,
/// PETTEIA_STOPPED if the callback stopped the match.
///
/// # Safety
///
/// `first` and `second` are NULL or C strings, `start` is NULL or a position, `options` is NULL or points to options
/// whose callback can be called with `user`, `score` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_match(
    first: *const c_char,
    second: *const c_char,
    start: *const petteia_position,
    games: u64,
    options: *const petteia_match_options,
    score: *mut petteia_score,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (first, second, start, given, out) = unsafe {
            let names = (text(first, "first")?, text(second, "second")?);
            (names.0, names.1, shared(start, "start")?, read(options)?, Out::new(score, "score")?)
        };
        start.in_progress()?;
        let caller = Caller::new(given.callback, given.user, games);
        let finished = AtomicU64::new(0);
        let watch = || caller.count(finished.load(Ordering::Relaxed));
        let contest = Contest {
            bots: [first.parse()?, second.parse()?],
            games,
            seed: given.seed,
            max_plies: given.max_plies,
            threads: given.threads,
            watch: Some(&watch),
            finished: Some(&finished),
        };
        let played = with_position!(&start.0, p => contest.play(p));
        let Score { as_first, as_second } = played.map_err(|_| stopped())?;
        out.write(petteia_score { as_first, as_second });
        Ok(())
    })
}
