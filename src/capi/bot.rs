//! Computer players.

use std::ffi::{c_char, c_int, c_void};
use std::mem::take;
use std::ptr::null_mut;

use super::analysis::petteia_estimate;
use super::guard::{Failure, Out, OutText, Result, enough, exclusive, release, shared, status, text};
use super::moves::action_of;
use super::options::{Caller, Options, petteia_callback, read, write_defaults};
use super::position::petteia_position;
use super::status::petteia_status;
use crate::prelude::*;
use crate::work::Watch;
use crate::{Bot, Estimate, Memory, Rng, SolveError, with_position};

/// A computer player, who remembers what it has searched from move to move of a game.
pub struct petteia_bot {
    bot: Bot,
    seed: u64,
    chosen: u64,
    memory: Memory,
}

/// What a computer player chose, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct petteia_choice {
    /// The action.
    pub action: u32,
    /// 1 if the move is proved to be best, 0 if it is not.
    pub exact: c_int,
    /// The exact value for the player to move, as in petteia_value; 0 if it is not known.
    pub value: i32,
    /// 1 if the player has estimated how the game will end; 0 if it did not look, as the random player.
    pub has_estimate: c_int,
    /// How the game is likely to end for the player to move; all zeros if the player did not look.
    pub estimate: petteia_estimate,
}

/// Creates a computer player by its name: "random", "myopic", "mcts:1000" (simulations a move), "perfect:1000000"
/// (nodes a move), "alphabeta:depth=8", "alphabeta:nodes=100000", "alphabeta:time=0.5" (seconds a move), or "level:1"
/// to "level:10". A bare name has a default: "mcts" is "mcts:1000", "perfect" is "perfect:2000000", "alphabeta" is
/// "alphabeta:nodes=100000", "level" is "level:5". The moves that it chooses at random depend on the seed. The caller
/// frees it with petteia_bot_free.
///
/// A player is for one game: petteia_bot_new makes a fresh one for the next.
///
/// Fails with PETTEIA_PARSE_ERROR if no player has this name.
///
/// # Safety
///
/// `name` is NULL or a C string, `bot` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_bot_new(
    name: *const c_char,
    seed: u64,
    bot: *mut *mut petteia_bot,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (name, out) = unsafe { (text(name, "name")?, Out::new(bot, "bot")?) };
        out.hand_over(petteia_bot { bot: name.parse()?, seed, chosen: 0, memory: Memory::default() });
        Ok(())
    })
}

/// Writes the full name of a computer player, with how much it does for a move.
///
/// # Safety
///
/// `bot` is NULL or a computer player; `buf` has room for `cap` bytes, `len` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_bot_name(
    bot: *const petteia_bot,
    buf: *mut c_char,
    cap: usize,
    len: *mut usize,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (bot, out) = unsafe { (shared(bot, "bot")?, OutText::new(buf, cap, len)?) };
        out.write(&bot.bot.to_string());
        Ok(())
    })
}

fn choose<P: Actions + Engine>(
    bot: &petteia_bot,
    position: &P,
    memory: &Memory,
    watch: Watch<'_>,
) -> Result<petteia_choice> {
    let mut rng = Rng::for_game(bot.seed, bot.chosen);
    let choice = bot.bot.think(position, &mut rng, memory, watch);
    let choice = choice.ok_or_else(|| Failure::from(SolveError::Over))?;
    let nothing = Estimate { win: 0.0, draw: 0.0, loss: 0.0, difference: None };
    Ok(petteia_choice {
        action: action_of(position, &choice.m),
        exact: choice.exact().into(),
        value: choice.value.unwrap_or(0),
        has_estimate: choice.estimate.is_some().into(),
        estimate: choice.estimate.unwrap_or(nothing).into(),
    })
}

/// The options of petteia_bot_choose.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct petteia_choose_options {
    /// The size of this struct, as petteia_choose_options_init fills it in.
    pub size: usize,
    /// A callback that can make the player move at once. Default: NULL.
    pub callback: petteia_callback,
    /// The pointer to call `callback` with. Default: NULL.
    pub user: *mut c_void,
}

// SAFETY: pointers and numbers without padding, and the first is the size.
unsafe impl Options for petteia_choose_options {
    const NAME: &'static str = "petteia_choose_options";
    const DEFAULTS: Self =
        petteia_choose_options { size: size_of::<Self>(), callback: None, user: null_mut() };
}

/// Fills options with the defaults, given the size of the struct in the program: petteia_choose_options_init calls it.
/// Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
///
/// # Safety
///
/// `options` has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_choose_options_defaults(
    options: *mut petteia_choose_options,
    size: usize,
) -> petteia_status {
    // SAFETY: the caller upholds the header's contract.
    unsafe { write_defaults(options, size) }
}

/// Lets a computer player choose a move. `options` may be NULL for the defaults.
///
/// A player that the callback ends early returns PETTEIA_OK too, with the best move that it has found; it may be any
/// move. Fails with PETTEIA_UNAVAILABLE if the game is over. A call that fails makes the player forget what it searched
/// for earlier moves.
///
/// # Safety
///
/// `bot` is NULL or a computer player that nothing else uses meanwhile, `position` is NULL or a position, `options` is
/// NULL or points to options whose callback can be called with `user`, `choice` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_bot_choose(
    bot: *mut petteia_bot,
    position: *const petteia_position,
    options: *const petteia_choose_options,
    choice: *mut petteia_choice,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (bot, position, given, out) = unsafe {
            (
                exclusive(bot, "bot")?,
                shared(position, "position")?,
                read(options)?,
                Out::new(choice, "choice")?,
            )
        };
        let caller = Caller::new(given.callback, given.user, 0);
        // If the call fails, the player has forgotten what it knew; half of that would be worse.
        let memory = take(&mut bot.memory);
        let choice = with_position!(&position.0, p => choose(bot, p, &memory, &|| caller.count(0)))?;
        enough()?;
        (bot.memory, bot.chosen) = (memory, bot.chosen + 1);
        out.write(choice);
        Ok(())
    })
}

/// Frees a computer player. NULL is ignored.
///
/// # Safety
///
/// `bot` is NULL or a computer player that is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_bot_free(bot: *mut petteia_bot) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(bot) }
}
