//! Vectors of games, stepped together on the caller's buffers.

use std::ffi::c_uint;

use super::guard::{Failure, Out, Result, array, exclusive, release, shared, status};
use super::position::{petteia_position, petteia_tally};
use super::status::petteia_status;
use crate::any::{self, AnyBatch};
use crate::vector::{Arrays, Illegal, LaneState};

/// What an illegal action does.
#[repr(C)]
pub enum petteia_illegal {
    /// The call fails with PETTEIA_ILLEGAL_MOVE, and no lane is stepped.
    PETTEIA_REFUSE = 0,
    /// The player to move loses the game.
    PETTEIA_LOSE = 1,
}

/// What an illegal action does, as C passes it: any number.
pub type RawIllegal = c_uint;

/// The sizes that determine the lengths of the arrays.
#[repr(C)]
pub struct petteia_vector_sizes {
    /// The number of lanes.
    pub num_envs: usize,
    /// The number of planes in an observation.
    pub planes: usize,
    /// The number of rows in a plane.
    pub rows: usize,
    /// The number of columns in a plane.
    pub columns: usize,
    /// The number of actions in the game.
    pub num_actions: usize,
}

/// The caller's arrays for the state of the lanes, lane after lane. None of them may be NULL. Unlike other results, they
/// may have been written to by a call that fails with PETTEIA_NO_MEMORY, as calls on large boards may.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct petteia_vector_arrays {
    /// 1 or 0 for every cell of every plane, from the point of view of the player to move: planes * rows * columns per
    /// lane.
    pub observations: *mut u8,
    /// 1 for a legal action, else 0: num_actions per lane.
    pub action_mask: *mut u8,
    /// The player to move, 0 or 1, or -1 if the game is over: one per lane.
    pub turns: *mut i8,
    /// The rewards of the first and the second player, 1 for the winner and -1 for the loser, else 0: two per lane.
    pub rewards: *mut f32,
    /// 1 if the game is over, else 0: one per lane.
    pub terminated: *mut u8,
}

/// Many games with the same start, stepped together.
pub struct petteia_vector(Box<dyn AnyBatch>);

impl petteia_vector_arrays {
    /// Borrows the caller's arrays.
    ///
    /// # Safety
    ///
    /// Each pointer is NULL or has room for what its comment says, and nothing else uses that memory meanwhile.
    unsafe fn borrow<'a>(&self, batch: &dyn AnyBatch) -> Result<Arrays<'a>> {
        let lanes = batch.num_envs();
        // SAFETY: the caller's promise. Any bits are valid numbers of these types.
        unsafe {
            Ok(Arrays {
                observations: room(self.observations, lanes * batch.observation_len(), "observations")?,
                action_mask: room(self.action_mask, lanes * batch.num_actions(), "action_mask")?,
                turns: room(self.turns, lanes, "turns")?,
                rewards: room(self.rewards.cast(), lanes, "rewards")?,
                terminated: room(self.terminated, lanes, "terminated")?,
                truncated: None,
            })
        }
    }
}

/// Mutably borrows an array of numbers.
///
/// # Safety
///
/// The pointer is NULL or has room for `count` numbers, and nothing else uses that memory while the slice lives.
unsafe fn room<'a, T>(pointer: *mut T, count: usize, name: &str) -> Result<&'a mut [T]> {
    // SAFETY: the caller's promise; this checks the pointer and the length.
    unsafe { array(pointer.cast_const(), count, name) }?;
    // SAFETY: the same.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

fn check_lane(vector: &petteia_vector, lane: usize) -> Result<()> {
    let lanes = vector.0.num_envs();
    if lane < lanes {
        return Ok(());
    }
    Err(Failure::invalid("lane", lane, format!("a number below {lanes}")))
}

/// Creates a vector of games that start from a position. The caller frees it with petteia_vector_free.
///
/// Each lane has its own random numbers. Results depend on the seed and the actions, not on the number of threads, of
/// which more than 256 count as 256.
///
/// Fails with PETTEIA_INVALID_ARGUMENT for 0 or more than 2^30 lanes, 0 threads, or an `illegal` that does not exist;
/// PETTEIA_NO_MEMORY if there is not enough memory for the lanes.
///
/// # Safety
///
/// `start` is NULL or a position, `vector` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_new(
    start: *const petteia_position,
    num_envs: usize,
    seed: u64,
    threads: u32,
    illegal: RawIllegal,
    vector: *mut *mut petteia_vector,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (start, vector) = unsafe { (shared(start, "start")?, Out::new(vector, "vector")?) };
        const REFUSE: RawIllegal = petteia_illegal::PETTEIA_REFUSE as RawIllegal;
        const LOSE: RawIllegal = petteia_illegal::PETTEIA_LOSE as RawIllegal;
        let illegal = match illegal {
            REFUSE => Illegal::Refuse,
            LOSE => Illegal::Lose,
            _ => return Err(Failure::invalid("illegal", illegal, "0 or 1")),
        };
        if threads == 0 {
            return Err(Failure::invalid("threads", threads, "1 or more"));
        }
        let batch = any::batch(start.0.clone(), num_envs, seed, threads as usize, illegal);
        vector.hand_over(petteia_vector(batch?));
        Ok(())
    })
}

/// Frees a vector. NULL is ignored.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new, and is no longer used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_free(vector: *mut petteia_vector) {
    // SAFETY: the caller upholds the header's contract.
    unsafe { release(vector) }
}

/// Writes the sizes that determine the lengths of the arrays.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new, `sizes` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_get_sizes(
    vector: *const petteia_vector,
    sizes: *mut petteia_vector_sizes,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (vector, sizes) = unsafe { (shared(vector, "vector")?, Out::new(sizes, "sizes")?) };
        let [planes, rows, columns] = vector.0.observation_shape();
        let (num_envs, num_actions) = (vector.0.num_envs(), vector.0.num_actions());
        sizes.write(petteia_vector_sizes { num_envs, planes, rows, columns, num_actions });
        Ok(())
    })
}

/// Reseeds the random numbers of all lanes.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_seed(vector: *mut petteia_vector, seed: u64) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        unsafe { exclusive(vector, "vector") }?.0.seed(seed);
        Ok(())
    })
}

/// Starts new games in all lanes, and writes their state. The random numbers continue where they were.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new; `arrays` is NULL or has room for the state of all lanes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_reset(
    vector: *mut petteia_vector,
    arrays: *const petteia_vector_arrays,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (batch, mut arrays) = unsafe { both(vector, arrays)? };
        batch.reset_and_show(&mut arrays);
        Ok(())
    })
}

/// Writes the state of all lanes, for example after petteia_vector_set_position.
///
/// # Safety
///
/// As for petteia_vector_reset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_show(
    vector: *mut petteia_vector,
    arrays: *const petteia_vector_arrays,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (batch, mut arrays) = unsafe { both(vector, arrays)? };
        batch.show(&mut arrays);
        Ok(())
    })
}

/// Plays one action in each lane, and writes the state of all lanes. In a lane whose game is over, a new game starts
/// instead, whatever the action.
///
/// Fails with PETTEIA_ILLEGAL_MOVE if an action is not legal and the vector was created with PETTEIA_REFUSE. Then no
/// lane is stepped, nothing is written, and petteia_last_error names the first such lane.
///
/// # Safety
///
/// As for petteia_vector_reset; `actions` is NULL or has one number per lane.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_step(
    vector: *mut petteia_vector,
    actions: *const i64,
    arrays: *const petteia_vector_arrays,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (batch, mut arrays) = unsafe { both(vector, arrays)? };
        // SAFETY: the same.
        let actions = unsafe { array(actions, batch.num_envs(), "actions") }?;
        batch.step(actions, &mut arrays)?;
        Ok(())
    })
}

/// Writes a uniformly random legal action for each lane, or 0 if the game is over.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new; `actions` is NULL or has room for one number per lane.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_random_actions(
    vector: *mut petteia_vector,
    actions: *mut i64,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let batch = &mut unsafe { exclusive(vector, "vector") }?.0;
        // SAFETY: the same.
        batch.random_actions(unsafe { room(actions, batch.num_envs(), "actions") }?);
        Ok(())
    })
}

/// Steps all lanes `steps` times with random actions, writes their state at the end, and counts the results of the
/// games that ended. The same as petteia_vector_random_actions and petteia_vector_step in a loop, but faster.
///
/// # Safety
///
/// As for petteia_vector_reset; `tally` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_rollout(
    vector: *mut petteia_vector,
    steps: u64,
    arrays: *const petteia_vector_arrays,
    tally: *mut petteia_tally,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let ((batch, mut arrays), tally) = unsafe { (both(vector, arrays)?, Out::new(tally, "tally")?) };
        tally.write(batch.rollout_and_show(steps, &mut arrays).into());
        Ok(())
    })
}

/// Creates a copy of a lane's position. The caller frees it with petteia_position_free. Fails with
/// PETTEIA_INVALID_ARGUMENT if there is no such lane.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new, `position` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_position(
    vector: *const petteia_vector,
    lane: usize,
    position: *mut *mut petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (vector, position) = unsafe { (shared(vector, "vector")?, Out::new(position, "position")?) };
        check_lane(vector, lane)?;
        position.hand_over(petteia_position(vector.0.lane(lane).position));
        Ok(())
    })
}

/// Copies a position, finished or not, into a lane. The lane's random numbers continue where they were. Fails with
/// PETTEIA_INVALID_ARGUMENT if there is no such lane, PETTEIA_WRONG_GAME if the position is of another game or has
/// other parameters.
///
/// # Safety
///
/// `vector` is NULL or came from petteia_vector_new, `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn petteia_vector_set_position(
    vector: *mut petteia_vector,
    lane: usize,
    position: *const petteia_position,
) -> petteia_status {
    status(|| {
        // SAFETY: the caller upholds the header's contract.
        let (vector, position) = unsafe { (exclusive(vector, "vector")?, shared(position, "position")?) };
        check_lane(vector, lane)?;
        let stream = vector.0.lane(lane).stream;
        let state = LaneState { position: position.0.clone(), stream, forfeited: false, plies: 0 };
        // Only a position of another game, or with other parameters, is refused.
        let refused = vector.0.set_lane(lane, state);
        refused.map_err(|error| Failure::new(petteia_status::PETTEIA_WRONG_GAME, error))
    })
}

/// Borrows the lanes and the caller's arrays.
///
/// # Safety
///
/// As for [`exclusive`] and [`petteia_vector_arrays::borrow`].
unsafe fn both<'a>(
    vector: *mut petteia_vector,
    arrays: *const petteia_vector_arrays,
) -> Result<(&'a mut dyn AnyBatch, Arrays<'a>)> {
    // SAFETY: the caller's promise.
    let (vector, arrays) = unsafe { (exclusive(vector, "vector")?, shared(arrays, "arrays")?) };
    // SAFETY: the same.
    let arrays = unsafe { arrays.borrow(&*vector.0) }?;
    Ok((&mut *vector.0, arrays))
}
