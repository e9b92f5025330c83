//! Perft: counting move sequences, to check and compare move generators.
//!
//! [`Engine::perft`] simply counts. [`perft_with`] also runs in parallel, keeps counts in a transposition table, and
//! can be stopped.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::table::Table;
use crate::engine::Engine;
use crate::error::{MemoryError, or_no_memory, push};
use crate::position::Position;
use crate::time::{Duration, Instant};
use crate::work::{Pulse, Stopped, Terms, Watch, is_large, share, thread_count};

/// The maximal depth of recursion. A caller may ask for any depth, and some games can go on forever.
const MAX_RECURSION: u32 = 64;

/// Counts the move sequences of exactly `depth` plies.
pub(crate) fn walk<P: Position>(position: &P, depth: u32) -> u64 {
    match depth.checked_sub(MAX_RECURSION) {
        None | Some(0) => recurse(position, depth),
        // The plies before the last ones are on a stack on the heap.
        Some(plies) => Frontier::new(position, plies).map(|below| recurse(&below, MAX_RECURSION)).sum(),
    }
}

/// Counts recursively, with bulk counting at the last ply.
fn recurse<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => {
            let mut count = 0;
            for m in position.moves() {
                let child = position.after_unchecked(m);
                // Bulk counting without a call: most would be for the last ply.
                count += if depth == 2 { child.moves().len() as u64 } else { recurse(&child, depth - 1) };
            }
            count
        }
    }
}

/// How move sequences are counted.
#[derive(Clone, Copy)]
pub struct PerftOptions<'a> {
    /// How many threads count together; fewer do for boards of more than a hundred million cells.
    pub threads: usize,
    /// About how many bytes the transposition table may take; with one, transpositions and symmetric positions are
    /// counted once.
    ///
    /// It is ignored for positions without a [`key`](Engine::key), such as those of Breakdown with more than 64 cells.
    pub table_bytes: Option<usize>,
    /// To this is added what was counted so far, for the watcher to read.
    pub tally: Option<&'a AtomicU64>,
    /// Called now and then, on the calling thread, to ask whether to go on.
    pub watch: Option<Watch<'a>>,
}

impl Default for PerftOptions<'_> {
    fn default() -> Self {
        PerftOptions { threads: 1, table_bytes: None, tally: None, watch: None }
    }
}

impl fmt::Debug for PerftOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerftOptions")
            .field("threads", &self.threads)
            .field("table_bytes", &self.table_bytes)
            .field("tally", &self.tally)
            .field("watch", &self.watch.map(|_| ".."))
            .finish()
    }
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftError {
    /// There is not enough memory for a table of this size.
    Memory(MemoryError),
    /// There are 2^64 sequences or more.
    TooMany,
    /// The watcher stopped the count.
    Stopped,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftError::Memory(error) => error.fmt(f),
            PerftError::TooMany => f.write_str("too many sequences: expected a depth with fewer than 2^64"),
            PerftError::Stopped => f.write_str("the count was stopped"),
        }
    }
}

impl Error for PerftError {}

/// Counts the move sequences of exactly `depth` plies in parallel, with or without a transposition table.
///
/// ```
/// use petteia::search::perft::{PerftOptions, perft_with};
/// use petteia::prelude::*;
/// use petteia::Reversi;
///
/// let options = PerftOptions { threads: 2, table_bytes: Some(1 << 20), ..PerftOptions::default() };
/// assert_eq!(perft_with(&Reversi::default(), 9, &options)?, Reversi::default().perft(9));
/// # Ok::<(), petteia::search::perft::PerftError>(())
/// ```
///
/// # Errors
///
/// A [`PerftError`] if the table does not fit in memory, if the count does not fit in 64 bits, or if it was stopped.
pub fn perft_with<P: Engine>(position: &P, depth: u32, options: &PerftOptions) -> Result<u64, PerftError> {
    let table = match options.table_bytes {
        Some(bytes) if position.key().is_some() => Some(Table::new(bytes).map_err(PerftError::Memory)?),
        _ => None,
    };
    let job = Job { table, tally: options.tally, too_many: AtomicBool::new(false) };
    let counted = or_no_memory(|| job.run(position, depth, options)).map_err(PerftError::Memory)?;
    match job.too_many.into_inner() {
        true => Err(PerftError::TooMany),
        false => counted.map_err(|Stopped| PerftError::Stopped),
    }
}

/// How many tasks there are for each thread, for load balancing.
const TASKS_PER_THREAD: usize = 64;

/// The maximal depth at which the tree is split into tasks.
const MAX_SPLIT_DEPTH: u32 = 6;

/// The most bytes of positions for which another thread is worth it: beyond, all wait for the system to give them fresh
/// memory, and to take it back when they stop.
const SHARED_BYTES: usize = 1 << 26;

/// The minimal depth of counts in the table: shallower ones are counted as fast as they are looked up.
const MIN_TABLE_DEPTH: u32 = 3;

/// How many of the last plies are counted in one go: as many as take a few milliseconds, learned by counting.
struct Tail {
    plies: u32,
    most: u32,
    /// How often something was counted so far.
    times: u32,
}

impl Tail {
    const LONG: Duration = Duration::from_millis(2);

    fn new(has_table: bool) -> Self {
        Tail { plies: 1, most: if has_table { MIN_TABLE_DEPTH } else { 5 }, times: 0 }
    }

    fn count<P: Engine>(&mut self, position: &P, plies: u32) -> u64 {
        self.times = self.times.wrapping_add(1);
        // Once it is long enough, the time is taken now and then only.
        if plies < self.plies || self.plies == self.most && self.times % 64 != 0 {
            return position.perft(plies);
        }
        let start = Instant::now();
        let count = position.perft(plies);
        let took = start.elapsed();
        if took > Self::LONG {
            self.plies = (plies - 1).max(1);
        } else if took * u32::try_from(position.moves().len()).unwrap_or(u32::MAX) <= Self::LONG {
            self.plies = (plies + 1).min(self.most);
        }
        count
    }
}

/// A position on the stack, its remaining moves, and the sequences counted so far.
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
struct Job<'a> {
    table: Option<Table>,
    tally: Option<&'a AtomicU64>,
    /// A count did not fit in 64 bits.
    too_many: AtomicBool,
}

impl Job<'_> {
    /// Counts on as many threads as the options ask for.
    fn run<P: Engine>(&self, position: &P, depth: u32, options: &PerftOptions) -> Result<u64, Stopped> {
        let size = position.heap_bytes();
        let threads = thread_count(options.threads).min((SHARED_BYTES / size.max(1)).max(1));
        let terms = Terms { threads, watch: options.watch, apart: is_large(size), deadline: None };
        // A guess is good enough, and needs no counting that could take long itself.
        let branching = position.moves().len().max(2);
        let enough = |split: &u32| branching.saturating_pow(*split) >= TASKS_PER_THREAD * threads;
        let deepest = MAX_SPLIT_DEPTH.min(depth.saturating_sub(2));
        let split = (1..deepest).find(enough).unwrap_or(deepest);
        if threads == 1 || split == 0 {
            let counts = share(Terms { threads: 1, ..terms }, |_, pulse| {
                self.count(position.clone(), depth, &mut Tail::new(self.table.is_some()), pulse)
            });
            return counts.map(|counts| counts[0]);
        }
        let tasks = Mutex::new(Frontier::new(position, split));
        let counts = share(terms, |_, pulse| {
            let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let mut tail = Tail::new(self.table.is_some());
            let mut sum = 0;
            while let Some(task) = next() {
                pulse.look()?;
                sum = self.add(sum, self.count(task, depth - split, &mut tail, pulse)?, pulse)?;
            }
            Ok(sum)
        })?;
        let sum = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        sum.ok_or_else(|| {
            self.too_many.store(true, Ordering::Relaxed);
            Stopped
        })
    }

    /// Adds two counts; overflow stops all threads.
    #[inline]
    fn add(&self, sum: u64, count: u64, pulse: &Pulse) -> Result<u64, Stopped> {
        sum.checked_add(count).ok_or_else(|| {
            self.too_many.store(true, Ordering::Relaxed);
            pulse.stop()
        })
    }

    /// Counts the sequences of `depth` plies. The stack is on the heap, since a game can have any number of plies.
    fn count<P: Engine>(
        &self,
        position: P,
        depth: u32,
        tail: &mut Tail,
        pulse: &mut Pulse,
    ) -> Result<u64, Stopped> {
        let key = match self.look_up(&position, depth, tail) {
            Ok(count) => {
                self.note(count);
                return Ok(count);
            }
            Err(key) => key,
        };
        let mut stack = vec![Frame::new(position, key)];
        while let Some(top) = stack.last_mut() {
            pulse.look()?;
            let Some(m) = top.moves.next() else {
                let left = depth + 1 - stack.len() as u32;
                let Some(done) = stack.pop() else { break };
                self.store(done.key, left, done.count);
                match stack.last_mut() {
                    Some(parent) => parent.count = self.add(parent.count, done.count, pulse)?,
                    None => return Ok(done.count),
                }
                continue;
            };
            let child = top.position.after_unchecked(m);
            match self.look_up(&child, depth - stack.len() as u32, tail) {
                Ok(count) => {
                    self.note(count);
                    if let Some(top) = stack.last_mut() {
                        top.count = self.add(top.count, count, pulse)?;
                    }
                }
                Err(key) => push("a line of positions", &mut stack, Frame::new(child, key)),
            }
        }
        Ok(0)
    }

    /// Adds a count to the tally; if all do not fit in 64 bits, the tally does not matter.
    #[inline]
    fn note(&self, count: u64) {
        if let Some(tally) = self.tally {
            tally.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Returns the count if the table has it or it is quickly found, else the key to store it under.
    #[inline]
    fn look_up<P: Engine>(&self, position: &P, left: u32, tail: &mut Tail) -> Result<u64, Option<[u64; 2]>> {
        let key = self.table.as_ref().filter(|_| left >= MIN_TABLE_DEPTH).and_then(|_| position.key());
        if let (Some(table), Some(key)) = (&self.table, key) {
            if let Some(entry) = table.get(at_depth(key, left)).filter(|entry| entry >> 56 == u64::from(left))
            {
                return Ok(entry & COUNT);
            }
        }
        if left > tail.plies {
            return Err(key);
        }
        let count = tail.count(position, left);
        self.store(key, left, count);
        Ok(count)
    }

    /// Stores a count, if count and depth fit in a word.
    #[inline]
    fn store(&self, key: Option<[u64; 2]>, left: u32, count: u64) {
        if let (Some(table), Some(key), true) = (&self.table, key, left < 256 && count <= COUNT) {
            table.put(at_depth(key, left), u64::from(left) << 56 | count);
        }
    }
}

/// The mask of the count in a table entry. The highest byte is the depth, which controls replacement and reveals a key
/// that collides with one of another depth.
const COUNT: u64 = u64::MAX >> 8;

/// Mixes the depth into a key, so that each depth has its own entry.
#[inline]
fn at_depth([first, second]: [u64; 2], left: u32) -> [u64; 2] {
    [first, second ^ u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15)]
}

/// Iterates over all positions at a given depth.
struct Frontier<'a, P: Position> {
    root: &'a P,
    moves: P::Moves,
    stack: Vec<Frame<P>>,
    plies: usize,
}

impl<'a, P: Position> Frontier<'a, P> {
    fn new(root: &'a P, plies: u32) -> Self {
        Frontier { root, moves: root.moves(), stack: Vec::new(), plies: plies as usize }
    }
}

impl<P: Position> Iterator for Frontier<'_, P> {
    type Item = P;

    fn next(&mut self) -> Option<P> {
        loop {
            let (position, moves) = match self.stack.last_mut() {
                Some(top) => (&top.position, &mut top.moves),
                None => (self.root, &mut self.moves),
            };
            match moves.next().map(|m| position.after_unchecked(m)) {
                None => drop(self.stack.pop()?),
                Some(child) if self.stack.len() + 1 == self.plies => return Some(child),
                Some(child) => self.stack.push(Frame::new(child, None)),
            }
        }
    }
}
