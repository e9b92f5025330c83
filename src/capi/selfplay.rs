//! Self-play: games of a computer player against itself, one after another.

use std::ffi::{c_char, c_void};
use std::ops::Range;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};

use super::guard::{Failure, Result, enough, shared, status, text};
use super::options::{Caller, Options, numbers, petteia_callback, read, stopped, write_defaults};
use super::position::{petteia_outcome, petteia_position};
use super::status::petteia_status;
use crate::prelude::*;
use crate::selfplay::{Games, Selfplay};
use crate::shortage;
use crate::time::Instant;
use crate::work::BEAT;
use crate::{OnCpu, with_position};

/// The options of petteia_selfplay.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_selfplay_options {
    /// The size of this struct, as petteia_selfplay_options_init fills it in.
    pub size: usize,
    /// A callback that can stop the games. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
    /// The seed of the player's random choices. Default: 0.
    pub seed: u64,
    /// The number of the first game. Default: 0.
    pub first: u64,
    /// After how many moves a game is cut off. Default: 2^64 - 1, for never.
    pub max_plies: u64,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_selfplay_options {
    const NAME: &'static str = "petteia_selfplay_options";
    const DEFAULTS: Self = petteia_selfplay_options {
        size: size_of::<Self>(),
        callback: None,
        user: null_mut(),
        seed: 0,
        first: 0,
        max_plies: u64::MAX,
    };
}

/// A game that a computer player has played against itself.
#[repr(C)]
pub struct petteia_played_game {
    /// Its number.
    pub number: u64,
    /// How many moves it has.
    pub plies: usize,
    /// The actions of the moves.
    pub actions: *const u32,
    /// What the player expected before each move, for whoever moves there, from -1 for a loss to 1 for a win; NULL if
    /// the player does not search.
    pub values: *const f32,
    /// The result; PETTEIA_IN_PROGRESS if the game was cut off.
    pub outcome: petteia_outcome,
}

/// A callback that receives one game after another, with the `user` pointer given along with it. The game is valid only
/// during the call. Returning true stops the games. It must return (no longjmp, no exception).
pub type petteia_game_callback =
    Option<unsafe extern "C" fn(game: *const petteia_played_game, user: *mut c_void) -> bool>;

/// Fills options with the defaults, given the size of the struct in the program: petteia_selfplay_options_init calls
/// it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_selfplay_options_defaults(
    options: *mut petteia_selfplay_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Lets a computer player, named as for petteia_bot_new, play `games` games against itself, and hands each to
/// `receive`, in the order of their numbers, on the thread of the call. `options` may be NULL for the defaults.
///
/// The games of a seed are numbered, and each is always the same, unless the player has a limit of time: threads of the
/// program can divide a range. The games of "random" are those of petteia_position_playouts.
///
/// Fails with PETTEIA_STOPPED if a callback stopped the games, PETTEIA_NO_MEMORY if there is not enough memory; those
/// that `receive` got until then are whole. Fails with PETTEIA_UNAVAILABLE if the game is over at the start,
/// PETTEIA_PARSE_ERROR if no player has this name, PETTEIA_INVALID_ARGUMENT if the sum of `first` and `games` is above
/// 2^64 - 1.
///
/// # Safety
///
/// `player` is NULL or a C string, `start` is NULL or a position, `receive` is NULL or can be called with `user`,
/// `options` is NULL or points to options whose callback can be called with their `user`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_selfplay(
    player: *const c_char,
    start: *const petteia_position,
    games: u64,
    options: *const petteia_selfplay_options,
    receive: petteia_game_callback,
    user: *mut c_void,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (player, start, given) =
            unsafe { (text(player, "player")?, shared(start, "start")?, read(options)?) };
        let receive = receive.ok_or_else(|| Failure::null("receive"))?;
        start.in_progress()?;
        let numbers = numbers(given.first, games)?;
        let caller = Caller::new(given.callback, given.user, games);
        let done = AtomicU64::new(0);
        let watch = || caller.count(done.load(Ordering::Relaxed));
        let selfplay = Selfplay {
            bot: player.parse()?,
            seed: given.seed,
            max_plies: given.max_plies,
            positions: None,
            watch: &watch,
        };
        let hand_over = |game: &petteia_played_game| {
            // SAFETY: the caller promised that the function can be called with its pointer.
            let stops = shortage::aside(|| unsafe { receive(game, user) });
            done.fetch_add(1, Ordering::Relaxed);
            if stops { Err(stopped()) } else { Ok(()) }
        };
        with_position!(&start.0, p => play(p, &selfplay, numbers, &caller, hand_over))
    })
}

/// Plays some games at a time, as many as take a few milliseconds, and hands them over.
fn play<P: Engine + OnCpu>(
    start: &P,
    selfplay: &Selfplay<'_>,
    mut numbers: Range<u64>,
    caller: &Caller,
    hand_over: impl Fn(&petteia_played_game) -> Result<()>,
) -> Result<()> {
    let mut games = Games::default();
    let mut batch = 4;
    while !numbers.is_empty() {
        let now = numbers.start..numbers.end.min(numbers.start.saturating_add(batch));
        numbers.start = now.end;
        let began = Instant::now();
        selfplay.play_into(start, now.clone(), &mut games);
        let took = began.elapsed();
        // The last games may have been cut off.
        caller.check()?;
        enough()?;
        for (index, number) in now.enumerate() {
            let moves = games.ends[index] as usize..games.ends[index + 1] as usize;
            let actions = &games.actions[moves.clone()];
            hand_over(&petteia_played_game {
                number,
                plies: actions.len(),
                // No action is negative.
                actions: actions.as_ptr().cast(),
                values: games.values.get(moves).map_or(null(), <[f32]>::as_ptr),
                outcome: match games.outcomes[index] {
                    1 => petteia_outcome::PETTEIA_FIRST_WINS,
                    -1 => petteia_outcome::PETTEIA_SECOND_WINS,
                    0 => petteia_outcome::PETTEIA_DRAW,
                    _ => petteia_outcome::PETTEIA_IN_PROGRESS,
                },
            })?;
        }
        if took < BEAT / 4 {
            batch = (2 * batch).min(1 << 16);
        }
    }
    Ok(())
}
