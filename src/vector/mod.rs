//! Many games of one kind, stepped together.
//!
//! A [`VectorEnv`] has a number of lanes, each with a game and a stream of random numbers of its own, and writes what it
//! sees into the caller's [`Arrays`]. Results depend on the seed and the actions alone, not on the number of threads.
//!
//! A lane whose game has ended shows its last position, the rewards, and no legal action. The next step pays no heed to
//! its action and starts a new game there, which the lane then shows.

mod lane;
mod pool;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(target_arch = "x86_64")]
use crate::cpu::V3;
use crate::cpu::{Cpu, Operation, Portable};
use crate::observe::Observe;
use crate::playout::Tally;
use crate::position::{IllegalMove, ParseError};
use crate::random::Rng;
use crate::search::thread_count;
use lane::{Lane, Sheets};
use pool::Pool;

/// What happens to a lane that is given an action that is not legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// No lane is stepped, and the step is an error.
    #[default]
    Refuse,
    /// The player to move loses the game.
    Lose,
}

/// The places for what the lanes show, one lane after another.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// The planes of every lane, a byte each: [`Batch::observation_len`] for each lane.
    pub observations: &'a mut [u8],
    /// A 1 for every legal action: [`Batch::num_actions`] for each lane.
    pub action_mask: &'a mut [u8],
    /// The player to move, 0 or 1; -1 when the game is over.
    pub turns: &'a mut [i8],
    /// What the first and the second player get: 1 and -1, or 0 and 0.
    pub rewards: &'a mut [[f32; 2]],
    /// A 1 if the game is over.
    pub terminated: &'a mut [u8],
}

/// All that a lane remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneState {
    /// The text of the position.
    pub text: String,
    /// Where the stream of random numbers is.
    pub stream: u64,
    /// Whether the player to move has lost by an illegal action.
    pub forfeited: bool,
}

/// A number of games of whichever kind, stepped together.
pub trait Batch: Send {
    /// Returns the number of lanes.
    fn num_envs(&self) -> usize;

    /// Returns the number of threads.
    fn threads(&self) -> usize;

    /// Returns the name of the game.
    fn game(&self) -> &'static str;

    /// Returns the parameters of the game.
    fn parameters(&self) -> String;

    /// Returns the planes, rows and columns of an observation.
    fn observation_shape(&self) -> [usize; 3];

    /// Returns how many bytes an observation has.
    fn observation_len(&self) -> usize {
        self.observation_shape().iter().product()
    }

    /// Returns how many actions the game has.
    fn num_actions(&self) -> usize;

    /// Begins the streams of random numbers of a seed: each lane has its own.
    fn seed(&mut self, seed: u64);

    /// Starts new games in all lanes.
    fn reset(&mut self);

    /// Writes what all lanes show.
    ///
    /// # Panics
    ///
    /// As all that take arrays: if these are not as long as they have to be.
    fn show(&mut self, arrays: &mut Arrays<'_>);

    /// Writes what one lane shows.
    fn show_lane(&self, lane: usize, arrays: &mut Arrays<'_>);

    /// Plays an action in each lane, or starts a new game where one is over, and writes what all lanes show.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] that names the first lane whose action is not legal, if that is [refused](Illegal::Refuse);
    /// nothing has been stepped or written then.
    fn step(&mut self, actions: &[i64], arrays: &mut Arrays<'_>) -> Result<(), IllegalMove>;

    /// Chooses an action for each lane, every legal one with the same chance; 0 where the game is over.
    fn random_actions(&mut self, actions: &mut [i64]);

    /// Steps all lanes a number of times with random actions, and counts the games that ended.
    ///
    /// It is the same as choosing and stepping so many times, but nothing is written.
    fn rollout(&mut self, steps: u64) -> Tally;

    /// Returns the text of a lane's position.
    ///
    /// # Panics
    ///
    /// As all that take a lane: if there is no such lane.
    fn text(&self, lane: usize) -> String;

    /// Puts a position into a lane, finished or not.
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for a text that is no position of this game with its parameters.
    fn set_text(&mut self, lane: usize, text: &str) -> Result<(), ParseError>;

    /// Returns all that a lane remembers.
    fn state(&self, lane: usize) -> LaneState;

    /// Brings a lane back to what it was.
    ///
    /// # Errors
    ///
    /// As for [`set_text`](Batch::set_text), and for a finished game that was forfeited besides.
    fn set_state(&mut self, lane: usize, state: &LaneState) -> Result<(), ParseError>;
}

/// A number of games of one kind, stepped together.
///
/// ```
/// use petteia::TicTac;
/// use petteia::vector::{Arrays, Batch, Illegal, VectorEnv};
///
/// let mut env = VectorEnv::new(TicTac::default(), 1000, 7, 2, Illegal::Refuse)?;
/// let (mut observations, mut action_mask) = (vec![0; 1000 * env.observation_len()], vec![0; 1000 * env.num_actions()]);
/// let (mut turns, mut rewards, mut terminated) = (vec![0; 1000], vec![[0.0; 2]; 1000], vec![0; 1000]);
/// let mut arrays = Arrays {
///     observations: &mut observations,
///     action_mask: &mut action_mask,
///     turns: &mut turns,
///     rewards: &mut rewards,
///     terminated: &mut terminated,
/// };
/// let mut actions = vec![0; 1000];
/// for _ in 0..100 {
///     env.random_actions(&mut actions);
///     env.step(&actions, &mut arrays)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VectorEnv<P> {
    start: P,
    lanes: Vec<Lane<P>>,
    illegal: Illegal,
    pool: Pool,
}

/// The most lanes there can be.
pub const MAX_ENVS: usize = 1 << 30;

/// How many bytes of arrays a part of the work writes, so that all threads are busy to the end.
const PART: usize = 1 << 15;

/// How many lanes a part has at most.
const MOST: usize = 512;

impl<P: Observe + Send + Sync> VectorEnv<P> {
    /// Returns as many games from a position, on the given number of threads.
    ///
    /// # Errors
    ///
    /// A [`ParseError`] for no lanes or too many, or memory that is not there.
    pub fn new(
        start: P,
        num_envs: usize,
        seed: u64,
        threads: usize,
        illegal: Illegal,
    ) -> Result<Self, ParseError> {
        let too_many = |expected: &str| ParseError::number("number of environments", num_envs, expected);
        let bytes = num_envs.checked_mul(start.observation_len().saturating_add(start.num_actions()));
        if !(1..=MAX_ENVS).contains(&num_envs) || bytes.is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(too_many("1 to 1073741824, as far as memory goes"));
        }
        let mut lanes = Vec::new();
        lanes.try_reserve_exact(num_envs).map_err(|_| too_many("as many as memory has room for"))?;
        lanes.resize(num_envs, Lane::new(&start));
        let mut env = VectorEnv { start, lanes, illegal, pool: Pool::new(thread_count(threads)) };
        env.seed(seed);
        Ok(env)
    }

    /// Returns how many lanes a part of the work has.
    fn part(&self) -> usize {
        let bytes = self.start.observation_len() + self.start.num_actions();
        (PART / bytes).clamp(1, MOST)
    }

    /// Has all threads do the work of some jobs, compiled for this processor.
    fn share<J: Job>(pool: &mut Pool, jobs: impl Iterator<Item = J>) {
        let jobs: Vec<Mutex<Option<J>>> = jobs.map(|job| Mutex::new(Some(job))).collect();
        let take = |part: usize| jobs[part].lock().ok().and_then(|mut job| job.take());
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = V3::detect() {
            return pool.run(jobs.len(), &|part| {
                if let Some(job) = take(part) {
                    cpu.run(On(cpu, job));
                }
            });
        }
        pool.run(jobs.len(), &|part| {
            if let Some(job) = take(part) {
                Portable.run(On(Portable, job));
            }
        });
    }

    /// Returns the first lane whose action is not legal.
    fn first_illegal(&mut self, actions: &[i64]) -> Option<usize> {
        let part = self.part();
        let first = AtomicUsize::new(usize::MAX);
        let parts = self.lanes.chunks(part).zip(actions.chunks(part)).enumerate();
        let jobs = parts.map(|(i, (lanes, actions))| Check { lanes, actions, from: i * part, first: &first });
        Self::share(&mut self.pool, jobs);
        Some(first.into_inner()).filter(|&lane| lane != usize::MAX)
    }

    fn read(&self, text: &str) -> Result<P, ParseError> {
        let position: P = text.parse()?;
        let (given, own) = (position.parameters(), self.start.parameters());
        if given == own {
            return Ok(position);
        }
        let what = format!("{} position", P::NAME);
        Err(ParseError::new(&what, text, format!("one of {} {own}, not {given}", P::NAME)))
    }

    fn check_lengths(&self, arrays: &Arrays<'_>) {
        let lanes = self.lanes.len();
        assert_eq!(arrays.observations.len(), lanes * self.start.observation_len(), "observations");
        assert_eq!(arrays.action_mask.len(), lanes * self.start.num_actions(), "action_mask");
        assert_eq!(arrays.turns.len(), lanes, "turns");
        assert_eq!(arrays.rewards.len(), lanes, "rewards");
        assert_eq!(arrays.terminated.len(), lanes, "terminated");
    }
}

impl<P: Observe + Send + Sync> Batch for VectorEnv<P> {
    fn num_envs(&self) -> usize {
        self.lanes.len()
    }

    fn threads(&self) -> usize {
        self.pool.threads()
    }

    fn game(&self) -> &'static str {
        P::NAME
    }

    fn parameters(&self) -> String {
        self.start.parameters()
    }

    fn observation_shape(&self) -> [usize; 3] {
        let (rows, columns) = self.start.shape();
        [P::PLANES, rows, columns]
    }

    fn num_actions(&self) -> usize {
        self.start.num_actions()
    }

    fn seed(&mut self, seed: u64) {
        for (lane, number) in self.lanes.iter_mut().zip(0..) {
            lane.stream = Rng::for_game(seed, number);
        }
    }

    fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.restart(&self.start);
        }
    }

    fn show(&mut self, arrays: &mut Arrays<'_>) {
        self.check_lengths(arrays);
        let (part, start) = (self.part(), &self.start);
        let sheets = Sheets::cut(arrays, part, start);
        let jobs = self.lanes.chunks(part).zip(sheets).map(|(lanes, sheets)| Show { start, lanes, sheets });
        Self::share(&mut self.pool, jobs);
    }

    fn show_lane(&self, lane: usize, arrays: &mut Arrays<'_>) {
        self.check_lengths(arrays);
        for mut sheets in Sheets::cut(arrays, self.lanes.len(), &self.start) {
            self.lanes[lane].show(Portable, sheets.sheet(lane, &self.start));
        }
    }

    fn step(&mut self, actions: &[i64], arrays: &mut Arrays<'_>) -> Result<(), IllegalMove> {
        assert_eq!(actions.len(), self.lanes.len(), "actions");
        self.check_lengths(arrays);
        if self.illegal == Illegal::Refuse {
            if let Some(lane) = self.first_illegal(actions) {
                let position = &self.lanes[lane].position;
                let (action, m) = (actions[lane], lane::move_of(position, actions[lane]));
                let shown = m.map_or_else(|| format!("action {action}"), |m| format!("{m}, action {action}"));
                return Err(IllegalMove::new(position, &shown).in_lane(lane));
            }
        }
        let part = self.part();
        let (start, known) = (&self.start, self.illegal == Illegal::Refuse);
        let sheets = Sheets::cut(arrays, part, start);
        let parts = self.lanes.chunks_mut(part).zip(actions.chunks(part)).zip(sheets);
        let jobs = parts.map(|((lanes, actions), sheets)| Step { start, known, lanes, actions, sheets });
        Self::share(&mut self.pool, jobs);
        Ok(())
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        assert_eq!(actions.len(), self.lanes.len(), "actions");
        let part = self.part();
        let parts = self.lanes.chunks_mut(part).zip(actions.chunks_mut(part));
        Self::share(&mut self.pool, parts.map(|(lanes, actions)| Choose { lanes, actions }));
    }

    fn rollout(&mut self, steps: u64) -> Tally {
        let part = self.part();
        let start = &self.start;
        let total = Mutex::new(Tally::default());
        let jobs = self.lanes.chunks_mut(part).map(|lanes| Roll { start, lanes, steps, total: &total });
        Self::share(&mut self.pool, jobs);
        total.into_inner().unwrap_or_default()
    }

    fn text(&self, lane: usize) -> String {
        self.lanes[lane].position.text()
    }

    fn set_text(&mut self, lane: usize, text: &str) -> Result<(), ParseError> {
        let position = self.read(text)?;
        let lane = &mut self.lanes[lane];
        (lane.position, lane.forfeited) = (position, false);
        Ok(())
    }

    fn state(&self, lane: usize) -> LaneState {
        let lane = &self.lanes[lane];
        LaneState { text: lane.position.text(), stream: lane.stream.state(), forfeited: lane.forfeited }
    }

    fn set_state(&mut self, lane: usize, state: &LaneState) -> Result<(), ParseError> {
        let position = self.read(&state.text)?;
        if state.forfeited && position.is_over() {
            return Err(ParseError::new(
                "state",
                &state.text,
                "a game in progress, since a player forfeited it",
            ));
        }
        self.lanes[lane] = Lane { position, stream: Rng::new(state.stream), forfeited: state.forfeited };
        Ok(())
    }
}

/// A part of the work.
trait Job: Send {
    /// To be marked `#[inline(always)]`.
    fn run(self, cpu: impl Cpu);
}

/// A part of the work with the processor it is done on.
struct On<C, J>(C, J);

impl<C: Cpu, J: Job> Operation for On<C, J> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.1.run(self.0);
    }
}

/// Finds the first lane whose action is not legal.
struct Check<'a, P> {
    lanes: &'a [Lane<P>],
    actions: &'a [i64],
    from: usize,
    first: &'a AtomicUsize,
}

impl<P: Observe + Sync> Job for Check<'_, P> {
    #[inline(always)]
    fn run(self, _: impl Cpu) {
        let accepted = |(lane, action): (&Lane<P>, &i64)| lane.accepts(*action);
        let found = self.lanes.iter().zip(self.actions).position(|pair| !accepted(pair));
        if let Some(place) = found {
            self.first.fetch_min(self.from + place, Ordering::Relaxed);
        }
    }
}

/// Writes what lanes show.
struct Show<'a, P> {
    start: &'a P,
    lanes: &'a [Lane<P>],
    sheets: Sheets<'a>,
}

impl<P: Observe + Sync> Job for Show<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        let mut sheets = self.sheets.of(self.lanes.len(), self.start);
        for (number, lane) in self.lanes.iter().enumerate() {
            lane.show(cpu, sheets.sheet(number, self.start));
        }
    }
}

/// Steps lanes.
struct Step<'a, P> {
    start: &'a P,
    /// The actions have been checked.
    known: bool,
    lanes: &'a mut [Lane<P>],
    actions: &'a [i64],
    sheets: Sheets<'a>,
}

impl<P: Observe + Send + Sync> Job for Step<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        let Step { start, known, lanes, actions, sheets } = self;
        // Two short loops keep a processor busier than one long one.
        if known {
            lanes.iter_mut().zip(actions).for_each(|(lane, action)| lane.step(cpu, start, *action, true));
        } else {
            lanes.iter_mut().zip(actions).for_each(|(lane, action)| lane.step(cpu, start, *action, false));
        }
        Show { start, lanes, sheets }.run(cpu);
    }
}

/// Chooses actions.
struct Choose<'a, P> {
    lanes: &'a mut [Lane<P>],
    actions: &'a mut [i64],
}

impl<P: Observe + Send> Job for Choose<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for (lane, action) in self.lanes.iter_mut().zip(self.actions) {
            *action = lane.choose(cpu);
        }
    }
}

/// Steps lanes with random actions.
struct Roll<'a, P> {
    start: &'a P,
    lanes: &'a mut [Lane<P>],
    steps: u64,
    total: &'a Mutex<Tally>,
}

impl<P: Observe + Send + Sync> Job for Roll<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        let mut tally = Tally::default();
        for _ in 0..self.steps {
            for lane in &mut *self.lanes {
                lane.roll(cpu, self.start, &mut tally);
            }
        }
        if let Ok(mut total) = self.total.lock() {
            *total += tally;
        }
    }
}
