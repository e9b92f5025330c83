//! Counting move sequences, and random games.

use std::ffi::c_void;
use std::ptr::null_mut;

use super::guard::{Failure, Out, shared, status};
use super::options::{Caller, Options, numbers, petteia_callback, read, stopped, write_defaults};
use super::position::{petteia_position, petteia_tally};
use super::status::petteia_status;
use crate::{PerftError, PerftOptions, PlayoutOptions, perft_with, playouts_with, with_position};

/// The options of petteia_position_perft.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_perft_options {
    /// The size of this struct, as petteia_perft_options_init fills it in.
    pub size: usize,
    /// A callback that can stop the count. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// About how many bytes a transposition table may take, with which positions that are reached in several ways, or
    /// are equal up to symmetry, are counted once. Default: 0, for none.
    pub table_bytes: usize,
    /// How many threads count together. Default: 1; 0 counts as 1, and more than 256 as 256.
    pub threads: usize,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_perft_options {
    const NAME: &'static str = "petteia_perft_options";
    const DEFAULTS: Self = petteia_perft_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        table_bytes: 0,
        threads: 1,
    };
}

/// The options of petteia_position_playouts.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_playouts_options {
    /// The size of this struct, as petteia_playouts_options_init fills it in.
    pub size: usize,
    /// A callback that can stop the games. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// The seed of the games. Default: 0.
    pub seed: u64,
    /// The number of the first game. Default: 0.
    pub first: u64,
    /// How many threads play; the result does not depend on it. Default: 1; 0 counts as 1, and more than 256 as 256.
    pub threads: usize,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_playouts_options {
    const NAME: &'static str = "petteia_playouts_options";
    const DEFAULTS: Self = petteia_playouts_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        seed: 0,
        first: 0,
        threads: 1,
    };
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_perft_options_init calls it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_perft_options_defaults(
    options: *mut petteia_perft_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_playouts_options_init calls
/// it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_playouts_options_defaults(
    options: *mut petteia_playouts_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Counts the sequences of exactly `depth` legal moves from a position; a finished game has only the empty one.
/// `options` may be NULL for the defaults.
///
/// Fails with PETTEIA_STOPPED if the callback stopped the count, PETTEIA_NO_MEMORY if there is not enough memory for
/// the table, PETTEIA_INVALID_ARGUMENT if the count does not fit in 64 bits.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose callback can be called with `user`,
/// `count` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_perft(
    position: *const petteia_position,
    depth: u32,
    options: *const petteia_perft_options,
    count: *mut u64,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, given, out) =
            unsafe { (shared(position, "position")?, read(options)?, Out::new(count, "count")?) };
        let caller = Caller::new(given.callback, given.user, 0);
        let watch = || caller.count(0);
        let options = PerftOptions {
            threads: given.threads,
            table_bytes: (given.table_bytes > 0).then_some(given.table_bytes),
            watch: Some(&watch),
            ..PerftOptions::default()
        };
        let counted = with_position!(&position.0, p => perft_with(p, depth, &options));
        out.write(counted.map_err(|error| match error {
            PerftError::Stopped => stopped(),
            PerftError::Memory(error) => error.into(),
            PerftError::TooMany => Failure::argument(error),
        })?);
        Ok(())
    })
}

/// Plays random games from a position to their ends, and counts the results. `options` may be NULL for the defaults. If
/// the game is over, each has no moves and its result.
///
/// The games of a seed are numbered, and each is the same on every machine. This plays as many as `games` says, from
/// the number `first` of the options on, so that programs can divide a range and add up their tallies.
///
/// Fails with PETTEIA_STOPPED if the callback stopped the games, PETTEIA_INVALID_ARGUMENT if the sum of `first` and
/// `games` is above 2^64 - 1.
///
/// # Safety
///
/// `position` is NULL or a position, `options` is NULL or points to options whose callback can be called with `user`,
/// `tally` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_position_playouts(
    position: *const petteia_position,
    games: u64,
    options: *const petteia_playouts_options,
    tally: *mut petteia_tally,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (position, given, out) =
            unsafe { (shared(position, "position")?, read(options)?, Out::new(tally, "tally")?) };
        let numbers = numbers(given.first, games)?;
        let caller = Caller::new(given.callback, given.user, games);
        let watch = |done| caller.count(done);
        let options =
            PlayoutOptions { threads: given.threads, watch: Some(&watch), ..PlayoutOptions::default() };
        let played = with_position!(&position.0, p => playouts_with(p, numbers, given.seed, &options));
        out.write(played.map_err(|_| stopped())?.into());
        Ok(())
    })
}
