//! Counting move sequences: the figure by which move generators are compared and checked.
//!
//! [`Position::perft`] counts plainly. [`perft_with`] also shares the work among threads, keeps counts in a table, and
//! can be stopped.

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::table::Table;
use super::thread_count;
use crate::Position;

/// Counts the move sequences of exactly `depth` plies, the last ply by its number of legal moves alone.
pub(crate) fn walk<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => position.moves().map(|m| walk(&position.after_unchecked(m), depth - 1)).sum(),
    }
}

/// Counts the move sequences of exactly `depth` plies from a position; see [`Position::perft`].
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    position.perft(depth)
}

/// How move sequences are counted.
#[derive(Clone, Copy)]
pub struct PerftOptions<'a> {
    /// How many threads count together.
    pub threads: usize,
    /// About how many bytes of counts are kept, so that positions that are reached in several ways, also by symmetry, are
    /// counted once.
    ///
    /// Positions that two words cannot tell apart, those of Breakdown with more than 64 cells, are counted without.
    pub table_bytes: Option<usize>,
    /// What is asked every now and then, on the calling thread, whether to go on.
    pub watch: Option<&'a (dyn Fn() -> ControlFlow<()> + Sync)>,
}

impl Default for PerftOptions<'_> {
    fn default() -> Self {
        PerftOptions { threads: 1, table_bytes: None, watch: None }
    }
}

impl fmt::Debug for PerftOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerftOptions")
            .field("threads", &self.threads)
            .field("table_bytes", &self.table_bytes)
            .field("watch", &self.watch.map(|_| ".."))
            .finish()
    }
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftError {
    /// There is no memory for a table of the size that was asked for.
    Memory,
    /// There are 2^64 sequences or more.
    TooMany,
    /// Whoever was asked did not want to go on.
    Stopped,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PerftError::Memory => "no memory for the table: expected a smaller one",
            PerftError::TooMany => "too many sequences: expected a depth with fewer than 2^64",
            PerftError::Stopped => "the count was stopped",
        })
    }
}

impl Error for PerftError {}

/// Counts the move sequences of exactly `depth` plies on threads, with or without a table.
///
/// ```
/// use petteia::search::perft::{PerftOptions, perft_with};
/// use petteia::{Position, Reversi};
///
/// let options = PerftOptions { threads: 2, table_bytes: Some(1 << 20), ..PerftOptions::default() };
/// assert_eq!(perft_with(&Reversi::default(), 9, &options)?, Reversi::default().perft(9));
/// # Ok::<(), petteia::search::perft::PerftError>(())
/// ```
///
/// # Errors
///
/// A [`PerftError`] if there is no memory for the table, if the count does not fit 64 bits, or if it was stopped.
pub fn perft_with<P: Position>(position: &P, depth: u32, options: &PerftOptions) -> Result<u64, PerftError> {
    let table = match options.table_bytes {
        Some(bytes) if position.key().is_some() => Some(Table::new(bytes).map_err(|_| PerftError::Memory)?),
        _ => None,
    };
    let threads = thread_count(options.threads);
    let tail = tail(position, table.is_some());
    let job = Job { table, tail, stop: AtomicBool::new(false) };
    let mut pulse = Pulse { stop: &job.stop, watch: options.watch, last: Instant::now() };
    if threads == 1 || depth <= tail + 1 {
        return job.count(position, depth, &mut pulse);
    }
    let enough = |cut: &u32| position.perft(*cut) >= (TASKS * threads) as u64;
    let deepest = DEEPEST_CUT.min(depth - tail);
    let cut = (1..=deepest).find(enough).unwrap_or(deepest);
    let tasks = Mutex::new(Frontier::new(position, cut));
    let work = |pulse: &mut Pulse| {
        let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
        let mut sum = 0u64;
        while let Some(task) = next() {
            let count = job.count(&task, depth - cut, pulse);
            // What stops one thread stops all of them.
            sum = count
                .and_then(|count| sum.checked_add(count).ok_or(PerftError::TooMany))
                .inspect_err(|_| job.stop.store(true, Ordering::Relaxed))?;
        }
        Ok(sum)
    };
    let running = AtomicUsize::new(0);
    let others_work = || {
        let result = work(&mut Pulse { stop: &job.stop, watch: None, last: Instant::now() });
        running.fetch_sub(1, Ordering::Relaxed);
        result
    };
    let results: Vec<Result<u64, PerftError>> = thread::scope(|scope| {
        // A thread that the system refuses is done without: the others have more to do.
        let spawn = |_| {
            running.fetch_add(1, Ordering::Relaxed);
            let spawned = thread::Builder::new().spawn_scoped(scope, others_work);
            spawned.inspect_err(|_| _ = running.fetch_sub(1, Ordering::Relaxed)).ok()
        };
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let own = work(&mut pulse);
        // The last tasks may take the others a while: whoever asked can still stop them.
        while running.load(Ordering::Relaxed) > 0 && pulse.look().is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
        let others = others.into_iter().map(|other| other.join().unwrap_or(Err(PerftError::Stopped)));
        std::iter::once(own).chain(others).collect()
    });
    // A count that is too large has stopped the others.
    if results.contains(&Err(PerftError::TooMany)) {
        return Err(PerftError::TooMany);
    }
    results.into_iter().try_fold(0u64, |sum, count| {
        count.and_then(|count| sum.checked_add(count).ok_or(PerftError::TooMany))
    })
}

/// How many tasks there are for each thread, so that all are busy to the end.
const TASKS: usize = 64;

/// How deep the tree is cut into tasks at most.
const DEEPEST_CUT: u32 = 6;

/// From how many plies on counts are kept: shorter ones are counted again as soon as they are looked up.
const KEPT: u32 = 3;

/// Returns how many of the last plies are counted at once: few enough to take milliseconds.
fn tail(position: &impl Position, has_table: bool) -> u32 {
    let branching = (position.num_actions() as u64 / 2).max(2);
    let deepest = if has_table { KEPT } else { 5 };
    (2..=deepest).rev().find(|&plies| branching.saturating_pow(plies) <= 1 << 22).unwrap_or(1)
}

/// What a thread asks now and then to learn whether to go on.
struct Pulse<'a> {
    stop: &'a AtomicBool,
    watch: Option<&'a (dyn Fn() -> ControlFlow<()> + Sync)>,
    last: Instant,
}

impl Pulse<'_> {
    /// How often the watcher is asked.
    const BEAT: Duration = Duration::from_millis(20);

    /// Returns an error if the work is to end. Between two calls there are milliseconds at most.
    fn look(&mut self) -> Result<(), PerftError> {
        if let Some(watch) = self.watch {
            if self.last.elapsed() >= Self::BEAT {
                if watch().is_break() {
                    self.stop.store(true, Ordering::Relaxed);
                }
                self.last = Instant::now();
            }
        }
        if self.stop.load(Ordering::Relaxed) { Err(PerftError::Stopped) } else { Ok(()) }
    }
}

/// A position on the way down, the moves still to be looked at, and the sequences counted so far.
struct Frame<P: Position> {
    moves: P::Moves,
    position: P,
    key: Option<[u64; 2]>,
    count: u64,
}

impl<P: Position> Frame<P> {
    fn new(position: P, key: Option<[u64; 2]>) -> Self {
        Frame { moves: position.moves(), position, key, count: 0 }
    }
}

/// What all threads share.
struct Job {
    table: Option<Table>,
    tail: u32,
    stop: AtomicBool,
}

impl Job {
    /// Counts the sequences of `depth` plies. The way down is kept on the heap, since a game can have any number of plies.
    fn count<P: Position>(&self, position: &P, depth: u32, pulse: &mut Pulse) -> Result<u64, PerftError> {
        let key = match self.look_up(position, depth) {
            Ok(count) => return Ok(count),
            Err(key) => key,
        };
        let mut stack = vec![Frame::new(position.clone(), key)];
        while let Some(top) = stack.last_mut() {
            pulse.look()?;
            let Some(m) = top.moves.next() else {
                let left = depth + 1 - stack.len() as u32;
                let Some(done) = stack.pop() else { break };
                self.keep(done.key, left, done.count);
                match stack.last_mut() {
                    Some(parent) => {
                        parent.count = parent.count.checked_add(done.count).ok_or(PerftError::TooMany)?;
                    }
                    None => return Ok(done.count),
                }
                continue;
            };
            let child = top.position.after_unchecked(m);
            match self.look_up(&child, depth - stack.len() as u32) {
                Ok(count) => {
                    if let Some(top) = stack.last_mut() {
                        top.count = top.count.checked_add(count).ok_or(PerftError::TooMany)?;
                    }
                }
                Err(key) => stack.push(Frame::new(child, key)),
            }
        }
        Ok(0)
    }

    /// Returns the count if the table has it or it takes no time, else the key under which it is to be kept.
    #[inline]
    fn look_up<P: Position>(&self, position: &P, left: u32) -> Result<u64, Option<[u64; 2]>> {
        let key = self.table.as_ref().filter(|_| left >= KEPT).and_then(|_| position.key());
        if let (Some(table), Some(key)) = (&self.table, key) {
            if let Some(known) = table.get(at_depth(key, left)).filter(|known| known >> 56 == left.into()) {
                return Ok(known & COUNT);
            }
        }
        if left > self.tail {
            return Err(key);
        }
        let count = position.perft(left);
        self.keep(key, left, count);
        Ok(count)
    }

    /// Keeps a count, if it has one of the few sizes that fit beside the plies.
    #[inline]
    fn keep(&self, key: Option<[u64; 2]>, left: u32, count: u64) {
        if let (Some(table), Some(key), true) = (&self.table, key, left < 256 && count <= COUNT) {
            table.put(at_depth(key, left), u64::from(left) << 56 | count);
        }
    }
}

/// The part of a word in the table that is the count. The highest byte is the number of plies: the table lets what took
/// longer stay, and a key that another number of plies has made the same is found out.
const COUNT: u64 = u64::MAX >> 8;

/// Gives a position a slot for each number of plies.
#[inline]
fn at_depth([first, second]: [u64; 2], left: u32) -> [u64; 2] {
    [first, second ^ u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15)]
}

/// All positions a number of plies below one, made as they are asked for.
struct Frontier<P: Position> {
    stack: Vec<Frame<P>>,
    plies: usize,
}

impl<P: Position> Frontier<P> {
    fn new(position: &P, plies: u32) -> Self {
        Frontier { stack: vec![Frame::new(position.clone(), None)], plies: plies as usize }
    }
}

impl<P: Position> Iterator for Frontier<P> {
    type Item = P;

    fn next(&mut self) -> Option<P> {
        loop {
            let top = self.stack.last_mut()?;
            match top.moves.next().map(|m| top.position.after_unchecked(m)) {
                None => drop(self.stack.pop()),
                Some(child) if self.stack.len() == self.plies => return Some(child),
                Some(child) => self.stack.push(Frame::new(child, None)),
            }
        }
    }
}
