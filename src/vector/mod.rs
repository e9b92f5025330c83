//! Vector environments: many games of one kind, stepped together.
//!
//! A [`VectorEnv`] has a number of lanes, each with its own game and random stream, and writes their observations into
//! the caller's [`Arrays`]. Results depend only on the seed and the actions, not on the number of threads.
//!
//! Lanes autoreset on the next step: a lane whose game has ended shows its last position, the rewards, and no legal
//! action. The next step ignores its action, starts a new game there, and shows its first position. If games are
//! truncated after a number of plies, such a lane shows its last position as it is, with its turn and its legal actions;
//! otherwise it is like a finished one.

mod lane;
mod pool;

use std::hint::black_box;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use crate::cpu::{Cpu, Operation, Portable, on_best_cpu};
use crate::error::{ArgumentError, IllegalMove, MemoryError, SetupError, be_sure, list, or_no_memory};
use crate::observe::OnCpu;
use crate::playout::Tally;
use crate::random::Rng;
use crate::shortage;
use crate::starts::{Start, Starts};
use crate::time::Instant;
use crate::work::{BEAT, Pulse, Stopped, Terms, Watch, can_start_threads, is_large, share, thread_count};
use lane::{Lane, Rules, Sheets};
use pool::Pool;

/// What an illegal action does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Illegal {
    /// The step is an error, and no lane is stepped.
    #[default]
    Refuse,
    /// The player to move loses the game.
    Lose,
}

/// The output buffers of all lanes, one lane after another.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// The planes, one byte per cell: [`Batch::observation_len`] for each lane.
    pub observations: &'a mut [u8],
    /// A 1 for every legal action, else 0: [`Batch::num_actions`] for each lane.
    pub action_mask: &'a mut [u8],
    /// The player to move, 0 or 1; -1 when the game is over.
    pub turns: &'a mut [i8],
    /// The rewards of the first and the second player: 1 and -1, or 0 and 0.
    pub rewards: &'a mut [[f32; 2]],
    /// A 1 if the game is over, else 0.
    pub terminated: &'a mut [u8],
    /// A 1 if the game is truncated, else 0; `None` for who does not want to know.
    pub truncated: Option<&'a mut [u8]>,
}

/// The state of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneState<P> {
    /// The position.
    pub position: P,
    /// The state of the random stream.
    pub stream: u64,
    /// Whether the player to move has lost by an illegal action.
    pub forfeited: bool,
    /// How many plies the game has had, if these are limited.
    pub plies: u32,
}

/// A batch of games of any kind, stepped together.
pub trait Batch: Send {
    /// Returns the number of lanes.
    fn num_envs(&self) -> usize;

    /// Returns the number of threads.
    fn threads(&self) -> usize;

    /// Returns the planes, rows and columns of an observation.
    fn observation_shape(&self) -> [usize; 3];

    /// Returns the number of bytes of an observation.
    fn observation_len(&self) -> usize {
        self.observation_shape().iter().product()
    }

    /// Returns the number of actions of the game.
    fn num_actions(&self) -> usize;

    /// Seeds the random streams; each lane has its own.
    fn seed(&mut self, seed: u64);

    /// Truncates games after a number of plies, or, as at first, never.
    fn set_max_plies(&mut self, max_plies: Option<NonZeroU32>);

    /// Starts new games in all lanes.
    fn reset(&mut self);

    /// Writes the observations of all lanes.
    ///
    /// # Panics
    ///
    /// Like every method that takes arrays, if one has the wrong length.
    fn show(&mut self, arrays: &mut Arrays<'_>);

    /// Writes the observation of one lane.
    fn show_lane(&self, lane: usize, arrays: &mut Arrays<'_>);

    /// Plays an action in each lane, or starts a new game where one is over or truncated, and writes the observations of
    /// all lanes.
    ///
    /// # Errors
    ///
    /// An [`IllegalMove`] that names the first lane with an illegal action, if these are [refused](Illegal::Refuse);
    /// nothing is then stepped or written.
    fn step(&mut self, actions: &[i64], arrays: &mut Arrays<'_>) -> Result<(), IllegalMove>;

    /// Picks a legal action for each lane uniformly at random; 0 where the game is over or truncated.
    fn random_actions(&mut self, actions: &mut [i64]);

    /// Steps all lanes a number of times with random actions, and tallies the games that ended.
    ///
    /// It is the same as alternating [`random_actions`](Batch::random_actions) and [`step`](Batch::step), but nothing
    /// is written.
    fn rollout(&mut self, steps: u64) -> Tally;

    /// Does [`reset`](Batch::reset) and [`show`](Batch::show); if there is no memory for one, it does neither.
    fn reset_and_show(&mut self, arrays: &mut Arrays<'_>);

    /// Does [`rollout`](Batch::rollout) and [`show`](Batch::show); if there is no memory for one, it does neither.
    fn rollout_and_show(&mut self, steps: u64, arrays: &mut Arrays<'_>) -> Tally;

    /// Like [`rollout`](Batch::rollout), but for about a [`BEAT`]: steps at least once and at most `steps` times, and
    /// returns how often it did.
    ///
    /// A single step, if it takes longer than that, can be stopped.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the watcher asked for it amid a step. Each lane is still at a position of its game, but some have
    /// made that step and others have not.
    fn rollout_watched(&mut self, steps: u64, watch: Watch<'_>) -> Result<(u64, Tally), Stopped>;
}

/// A batch of games of one kind, stepped together.
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
///     truncated: None,
/// };
/// let mut actions = vec![0; 1000];
/// for _ in 0..100 {
///     env.random_actions(&mut actions);
///     env.step(&actions, &mut arrays)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VectorEnv<P> {
    rules: Rules<P>,
    lanes: Vec<Lane<P>>,
    illegal: Illegal,
    pool: Pool,
}

/// The greatest number of lanes.
pub const MAX_ENVS: usize = 1 << 30;

/// How many bytes of the arrays a part of the work writes: small enough for load balancing.
const PART_BYTES: usize = 1 << 15;

/// The moves of games with more actions are on the heap.
const MOST_INLINE_ACTIONS: usize = 128;

/// The greatest number of lanes in a part.
const MAX_PART_LANES: usize = 512;

impl<P: OnCpu> VectorEnv<P> {
    /// Creates `num_envs` games, to be stepped on the given number of threads.
    ///
    /// They start from a position, or from one of several [`Starts`], which each lane draws with its random stream.
    ///
    /// # Errors
    ///
    /// A [`SetupError`] for no lanes or more than [`MAX_ENVS`], for starts on boards of several sizes, or if there is
    /// not enough memory.
    pub fn new(
        start: impl Into<Starts<P>>,
        num_envs: usize,
        seed: u64,
        threads: usize,
        illegal: Illegal,
    ) -> Result<Self, SetupError> {
        if !(1..=MAX_ENVS).contains(&num_envs) {
            return Err(ArgumentError::new("num_envs", num_envs, format!("1 to {MAX_ENVS}")).into());
        }
        let rules = Rules { starts: start.into(), max_plies: None };
        let start = rules.start();
        let size = |position: &P| (position.shape(), position.num_actions());
        if let Some(place) = rules.starts.iter().position(|other| size(other) != size(start)) {
            return Err(rules.starts.refuse(place, "boards of one size").into());
        }
        let each = start.observation_len().saturating_add(start.num_actions()).max(size_of::<Lane<P>>());
        let bytes = num_envs.saturating_mul(each);
        let no_memory = MemoryError { what: "a batch of environments", bytes };
        // The boards of large ones come one by one, and the system promises more memory than it has. An observation is
        // larger than its board, so if there is not enough memory, this shows here, before anything is copied.
        let mut room = Vec::<u8>::new();
        room.try_reserve_exact(bytes).map_err(|_| no_memory)?;
        // An allocation that is never used would be optimized away.
        drop(black_box(room));
        let mut lanes = Vec::new();
        lanes.try_reserve_exact(num_envs).map_err(|_| no_memory)?;
        or_no_memory(|| lanes.resize(num_envs, Lane::new(start)))?;
        let threads = if threads > 1 && can_start_threads() { thread_count(threads) } else { 1 };
        let several = rules.starts.only().is_none();
        let mut env = VectorEnv { rules, lanes, illegal, pool: Pool::new(threads) };
        env.seed(seed);
        if several {
            or_no_memory(|| env.reset())?;
        }
        Ok(env)
    }

    /// Returns the number of lanes in a part of the work.
    fn part(&self) -> usize {
        let bytes = self.start().observation_len() + self.start().num_actions();
        (PART_BYTES / bytes).clamp(1, MAX_PART_LANES)
    }

    /// Runs jobs on all threads, compiled for this processor.
    fn share<J: Job>(pool: &mut Pool, jobs: impl Iterator<Item = J>) {
        let mut list = Vec::new();
        // What is taken here is soon given back, and if it was the last there is, the work can be done nonetheless.
        let listed =
            pool.threads() > 1 && shortage::aside(|| list.try_reserve_exact(jobs.size_hint().0).is_ok());
        if !listed {
            return on_best_cpu!(cpu => jobs.for_each(|job| cpu.run(On(cpu, job))));
        }
        list.extend(jobs.map(|job| Mutex::new(Some(job))));
        let take = |part: usize| list[part].lock().ok().and_then(|mut job| job.take());
        let run = || {
            on_best_cpu!(cpu => pool.run(list.len(), &|part| {
                if let Some(job) = take(part) {
                    // A thread of the pool may have a note of work before.
                    shortage::aside(|| cpu.run(On(cpu, job)));
                }
            }))
        };
        shortage::aside(run);
    }

    /// Writes the observations of lanes.
    fn show_all(pool: &mut Pool, rules: &Rules<P>, lanes: &[Lane<P>], part: usize, arrays: &mut Arrays<'_>) {
        let sheets = Sheets::cut(arrays, part, rules.start());
        let jobs = lanes.chunks(part).zip(sheets).map(|(lanes, sheets)| Show { rules, lanes, sheets });
        Self::share(pool, jobs);
    }

    /// Lets lanes change, all or none: where a step takes memory, and may find none, it is done on copies.
    fn change<T>(&mut self, work: impl FnOnce(&Rules<P>, &mut [Lane<P>], &mut Pool) -> T) -> T {
        let VectorEnv { rules, lanes, pool, .. } = self;
        let start = rules.start();
        if start.heap_bytes() == 0 && start.num_actions() <= MOST_INLINE_ACTIONS {
            return work(rules, lanes, pool);
        }
        let mut changed = list("a batch of environments", lanes.iter().cloned());
        let result = work(rules, &mut changed, pool);
        be_sure();
        *lanes = changed;
        result
    }

    /// Returns the first lane with an illegal action.
    fn first_illegal(&mut self, actions: &[i64]) -> Option<usize> {
        let part = self.part();
        let first = AtomicUsize::new(usize::MAX);
        let parts = self.lanes.chunks(part).zip(actions.chunks(part)).enumerate();
        let rules = &self.rules;
        let jobs =
            parts.map(|(i, (lanes, actions))| Check { rules, lanes, actions, from: i * part, first: &first });
        Self::share(&mut self.pool, jobs);
        Some(first.into_inner()).filter(|&lane| lane != usize::MAX)
    }

    /// Returns where games start.
    pub fn starts(&self) -> &Starts<P> {
        &self.rules.starts
    }

    fn start(&self) -> &P {
        self.rules.start()
    }

    /// Returns the state of a lane.
    ///
    /// # Panics
    ///
    /// Like every method that takes a lane, if there is no such lane.
    pub fn lane(&self, lane: usize) -> LaneState<P> {
        let Lane { position, stream, forfeited, plies } = &self.lanes[lane];
        let (forfeited, plies) = (*forfeited, *plies);
        LaneState { position: position.clone(), stream: stream.state(), forfeited, plies }
    }

    /// Sets the state of a lane.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a position on a board of another size, or for a finished one marked as forfeited.
    pub fn set_lane(&mut self, lane: usize, state: LaneState<P>) -> Result<(), ArgumentError> {
        let LaneState { position, stream, forfeited, plies } = state;
        let wrong = |expected: &str| ArgumentError::of_text("position", &position, expected);
        let size = |position: &P| (position.shape(), position.num_actions());
        if size(&position) != size(self.start()) {
            return Err(wrong("a board of the environment's size"));
        }
        if forfeited && position.is_over() {
            return Err(wrong("a game in progress, as only these can be forfeited"));
        }
        be_sure();
        self.lanes[lane] = Lane { position, stream: Rng::new(stream), forfeited, plies };
        Ok(())
    }

    fn check_lengths(&self, arrays: &Arrays<'_>) {
        let lanes = self.lanes.len();
        assert_eq!(arrays.observations.len(), lanes * self.start().observation_len(), "observations");
        assert_eq!(arrays.action_mask.len(), lanes * self.start().num_actions(), "action_mask");
        assert_eq!(arrays.turns.len(), lanes, "turns");
        assert_eq!(arrays.rewards.len(), lanes, "rewards");
        assert_eq!(arrays.terminated.len(), lanes, "terminated");
        assert!(arrays.truncated.as_ref().is_none_or(|truncated| truncated.len() == lanes), "truncated");
    }
}

impl<P: OnCpu> Batch for VectorEnv<P> {
    fn num_envs(&self) -> usize {
        self.lanes.len()
    }

    fn threads(&self) -> usize {
        self.pool.threads()
    }

    fn observation_shape(&self) -> [usize; 3] {
        let (rows, columns) = self.start().shape();
        [P::PLANES, rows, columns]
    }

    fn num_actions(&self) -> usize {
        self.start().num_actions()
    }

    fn seed(&mut self, seed: u64) {
        for (lane, number) in self.lanes.iter_mut().zip(0..) {
            lane.stream = Rng::for_game(seed, number);
        }
    }

    fn set_max_plies(&mut self, max_plies: Option<NonZeroU32>) {
        self.rules.max_plies = max_plies;
    }

    fn reset(&mut self) {
        for lane in &mut self.lanes {
            lane.restart(&self.rules);
        }
    }

    fn show(&mut self, arrays: &mut Arrays<'_>) {
        self.check_lengths(arrays);
        let part = self.part();
        Self::show_all(&mut self.pool, &self.rules, &self.lanes, part, arrays);
    }

    fn reset_and_show(&mut self, arrays: &mut Arrays<'_>) {
        self.check_lengths(arrays);
        let part = self.part();
        self.change(|rules, lanes, pool| {
            lanes.iter_mut().for_each(|lane| lane.restart(rules));
            Self::show_all(pool, rules, lanes, part, arrays);
        });
    }

    fn show_lane(&self, lane: usize, arrays: &mut Arrays<'_>) {
        self.check_lengths(arrays);
        for mut sheets in Sheets::cut(arrays, self.lanes.len(), self.start()) {
            self.lanes[lane].show(Portable, &self.rules, sheets.sheet(lane, self.start()));
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
        let (part, checked) = (self.part(), self.illegal == Illegal::Refuse);
        self.change(|rules, lanes, pool| {
            let sheets = Sheets::cut(arrays, part, rules.start());
            let parts = lanes.chunks_mut(part).zip(actions.chunks(part)).zip(sheets);
            let jobs =
                parts.map(|((lanes, actions), sheets)| Step { rules, checked, lanes, actions, sheets });
            Self::share(pool, jobs);
        });
        Ok(())
    }

    fn random_actions(&mut self, actions: &mut [i64]) {
        assert_eq!(actions.len(), self.lanes.len(), "actions");
        let part = self.part();
        self.change(|rules, lanes, pool| {
            let parts = lanes.chunks_mut(part).zip(actions.chunks_mut(part));
            Self::share(pool, parts.map(|(lanes, actions)| Choose { rules, lanes, actions }));
        });
    }

    fn rollout(&mut self, steps: u64) -> Tally {
        self.roll(steps, None, None)
    }

    fn rollout_and_show(&mut self, steps: u64, arrays: &mut Arrays<'_>) -> Tally {
        self.check_lengths(arrays);
        self.roll(steps, None, Some(arrays))
    }

    fn rollout_watched(&mut self, steps: u64, watch: Watch<'_>) -> Result<(u64, Tally), Stopped> {
        let begun = Instant::now();
        let mut tally = self.step_watched(steps.min(1), watch)?;
        let mut done = steps.min(1);
        let mut more = 1;
        while done < steps && begun.elapsed() < BEAT / 4 {
            more = (2 * more).min(steps - done);
            tally += self.roll(more, None, None);
            done += more;
        }
        Ok((done, tally))
    }
}

impl<P: OnCpu> VectorEnv<P> {
    fn roll(&mut self, steps: u64, watched: Option<&Watched<'_>>, arrays: Option<&mut Arrays<'_>>) -> Tally {
        let part = self.part();
        let total = Mutex::new(Tally::default());
        self.change(|rules, lanes, pool| {
            let jobs =
                lanes.chunks_mut(part).map(|lanes| Roll { rules, lanes, steps, watched, total: &total });
            Self::share(pool, jobs);
            if let Some(arrays) = arrays {
                Self::show_all(pool, rules, lanes, part, arrays);
            }
        });
        total.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Steps once, or not at all, with random actions.
    fn step_watched(&mut self, steps: u64, watch: Watch<'_>) -> Result<Tally, Stopped> {
        if is_large(self.start().heap_bytes()) {
            return self.step_apart(steps, watch);
        }
        let stop = AtomicBool::new(false);
        let pulse = Mutex::new(Pulse::new(&stop, Some(watch)));
        let watched = Watched { pulse, stop: &stop, caller: thread::current().id() };
        let tally = self.roll(steps, Some(&watched), None);
        if stop.into_inner() { Err(Stopped) } else { Ok(tally) }
    }

    /// Does the same while the calling thread watches: see [`work`](crate::work).
    fn step_apart(&mut self, steps: u64, watch: Watch<'_>) -> Result<Tally, Stopped> {
        let terms = Terms { threads: self.pool.threads(), watch: Some(watch), apart: true, deadline: None };
        let rules = &self.rules;
        let lanes = Mutex::new(self.lanes.iter_mut());
        let next = || lanes.lock().unwrap_or_else(PoisonError::into_inner).next();
        let tallies = share(terms, |_, pulse| {
            let mut tally = Tally::default();
            while let Some(lane) = next().filter(|_| steps > 0) {
                pulse.look()?;
                // On a copy, which can be dropped amid the step.
                let mut stepped = lane.clone();
                stepped.roll(Portable, rules, &mut tally);
                *lane = stepped;
            }
            Ok(tally)
        })?;
        Ok(tallies.into_iter().fold(Tally::default(), |sum, tally| sum + tally))
    }
}

/// A watcher that can stop a step; it is called on the calling thread only.
struct Watched<'a> {
    pulse: Mutex<Pulse<'a>>,
    stop: &'a AtomicBool,
    caller: ThreadId,
}

impl Watched<'_> {
    fn is_stopped(&self) -> bool {
        if thread::current().id() == self.caller {
            return self.pulse.lock().unwrap_or_else(PoisonError::into_inner).look().is_err();
        }
        self.stop.load(Ordering::Relaxed)
    }
}

/// A part of the work.
trait Job: Send {
    /// To be marked `#[inline(always)]`.
    fn run(self, cpu: impl Cpu);
}

/// A part of the work, with the processor level that it runs on.
struct On<C, J>(C, J);

impl<C: Cpu, J: Job> Operation for On<C, J> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.1.run(self.0);
    }
}

/// Finds the first lane with an illegal action.
struct Check<'a, P> {
    rules: &'a Rules<P>,
    lanes: &'a [Lane<P>],
    actions: &'a [i64],
    from: usize,
    first: &'a AtomicUsize,
}

impl<P: OnCpu> Job for Check<'_, P> {
    #[inline(always)]
    fn run(self, _: impl Cpu) {
        let accepted = |(lane, action): (&Lane<P>, &i64)| lane.accepts(self.rules, *action);
        let found = self.lanes.iter().zip(self.actions).position(|pair| !accepted(pair));
        if let Some(place) = found {
            self.first.fetch_min(self.from + place, Ordering::Relaxed);
        }
    }
}

/// Writes observations.
struct Show<'a, P> {
    rules: &'a Rules<P>,
    lanes: &'a [Lane<P>],
    sheets: Sheets<'a>,
}

impl<P: OnCpu> Job for Show<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        let start = self.rules.start();
        let mut sheets = self.sheets.of(self.lanes.len(), start);
        for (number, lane) in self.lanes.iter().enumerate() {
            lane.show(cpu, self.rules, sheets.sheet(number, start));
        }
    }
}

/// Steps lanes.
struct Step<'a, P> {
    rules: &'a Rules<P>,
    /// Whether the actions have been checked.
    checked: bool,
    lanes: &'a mut [Lane<P>],
    actions: &'a [i64],
    sheets: Sheets<'a>,
}

impl<P: OnCpu> Job for Step<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        let Step { rules, checked, lanes, actions, sheets } = self;
        // Two short loops, stepping and showing, pipeline better than one long one.
        if checked {
            lanes.iter_mut().zip(actions).for_each(|(lane, action)| lane.step(cpu, rules, *action, true));
        } else {
            lanes.iter_mut().zip(actions).for_each(|(lane, action)| lane.step(cpu, rules, *action, false));
        }
        Show { rules, lanes, sheets }.run(cpu);
    }
}

/// Picks random actions.
struct Choose<'a, P> {
    rules: &'a Rules<P>,
    lanes: &'a mut [Lane<P>],
    actions: &'a mut [i64],
}

impl<P: OnCpu> Job for Choose<'_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for (lane, action) in self.lanes.iter_mut().zip(self.actions) {
            *action = lane.choose(cpu, self.rules);
        }
    }
}

/// Steps lanes with random actions.
struct Roll<'a, 'w, P> {
    rules: &'a Rules<P>,
    lanes: &'a mut [Lane<P>],
    steps: u64,
    watched: Option<&'a Watched<'w>>,
    total: &'a Mutex<Tally>,
}

impl<P: OnCpu> Job for Roll<'_, '_, P> {
    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        if self.watched.is_some_and(Watched::is_stopped) {
            return;
        }
        let mut tally = Tally::default();
        for _ in 0..self.steps {
            for lane in &mut *self.lanes {
                lane.roll(cpu, self.rules, &mut tally);
            }
        }
        *self.total.lock().unwrap_or_else(PoisonError::into_inner) += tally;
    }
}
