//! Counting move sequences, on threads, with or without a table, stopped by Ctrl-C at any time.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use petteia::Position;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in, threads};
use crate::position::Wrap;
use crate::work::{Pulse, Stopped, share};

/// The deepest count. Nobody can wait for it, but the stack of positions that leads there must fit in memory.
const DEEPEST: u64 = u16::MAX as u64;

/// How many tasks there are for each thread, so that all are busy to the end.
const TASKS: u64 = 64;

/// How deep the tree is cut into tasks at most.
const DEEPEST_CUT: u32 = 6;

pub fn perft<P: Wrap>(
    py: Python<'_>,
    position: &P,
    depth: Integer,
    threads_given: Integer,
    table_mb: Option<Integer>,
) -> PyResult<u64> {
    let depth = number_in("depth", depth, 0..=DEEPEST)? as u32;
    let threads = threads(threads_given)?;
    let table = match table_mb {
        Some(megabytes) => Some(Table::new(position, number_in("table_mb", megabytes, 1..=1 << 30)?)?),
        None => None,
    };
    let table = table.as_ref();
    let tail = tail(position, table.is_some());
    if threads == 1 || depth <= tail + 1 {
        let counts = share(py, 1, |_| Ok(()), |pulse| count(position, depth, tail, table, pulse))?;
        return Ok(counts.into_iter().sum());
    }
    let enough = |cut: &u32| position.perft(*cut) >= TASKS * threads as u64;
    let deepest = DEEPEST_CUT.min(depth - tail);
    let cut = (1..=deepest).find(enough).unwrap_or(deepest);
    let tasks = Mutex::new(Frontier::new(position, cut));
    let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let counts = share(
        py,
        threads,
        |_| Ok(()),
        |pulse| {
            let mut sum = 0;
            while let Some(task) = next() {
                sum += count(&task, depth - cut, tail, table, pulse)?;
            }
            Ok(sum)
        },
    )?;
    Ok(counts.into_iter().sum())
}

/// Returns how many of the last plies the core counts at once: few enough to take milliseconds.
///
/// A table wants to see all but the last two.
fn tail(position: &impl Position, has_table: bool) -> u32 {
    let branching = (position.num_actions() as u64 / 2).max(2);
    let deepest = if has_table { 2 } else { 5 };
    (2..=deepest).rev().find(|&plies| branching.saturating_pow(plies) <= 1 << 22).unwrap_or(1)
}

/// A position on the way down, the moves still to be looked at, and the sequences counted so far.
struct Frame<P: Position> {
    moves: P::Moves,
    position: P,
    count: u64,
}

impl<P: Position> Frame<P> {
    fn new(position: P) -> Self {
        Frame { moves: position.moves(), position, count: 0 }
    }
}

/// Counts the sequences of `depth` plies. The way down is kept on the heap, since a game can have any number of plies.
fn count<P: Wrap>(
    position: &P,
    depth: u32,
    tail: u32,
    table: Option<&Table<P>>,
    pulse: &mut Pulse<'_>,
) -> Result<u64, Stopped> {
    if depth <= tail {
        return Ok(position.perft(depth));
    }
    let mut stack = vec![Frame::new(position.clone())];
    while let Some(top) = stack.last_mut() {
        pulse.beat()?;
        let Some(m) = top.moves.next() else {
            let left = depth + 1 - stack.len() as u32;
            let Some(done) = stack.pop() else { break };
            if let Some(table) = table {
                table.put(&done.position, left, done.count);
            }
            match stack.last_mut() {
                Some(parent) => parent.count += done.count,
                None => return Ok(done.count),
            }
            continue;
        };
        let child = top.position.after_unchecked(m);
        let left = depth - stack.len() as u32;
        let known = if left <= tail {
            Some(child.perft(left))
        } else {
            table.and_then(|table| table.get(&child, left))
        };
        match (known, stack.last_mut()) {
            (Some(count), Some(top)) => top.count += count,
            _ => stack.push(Frame::new(child)),
        }
    }
    Ok(0)
}

/// All positions a number of plies below one, made as they are asked for.
struct Frontier<P: Position> {
    stack: Vec<Frame<P>>,
    plies: usize,
}

impl<P: Position> Frontier<P> {
    fn new(position: &P, plies: u32) -> Self {
        Frontier { stack: vec![Frame::new(position.clone())], plies: plies as usize }
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
                Some(child) => self.stack.push(Frame::new(child)),
            }
        }
    }
}

/// Counts that are known, of as many positions as its memory holds; a new one takes the place of an old one.
///
/// A slot keeps the whole position, so that a count is never taken for another's.
struct Table<P> {
    slots: Vec<Mutex<Option<(P, u32, u64)>>>,
}

impl<P: Wrap> Table<P> {
    fn new(position: &P, megabytes: u64) -> PyResult<Self> {
        // Cells past the 128 that a position has inside it are on the heap, two bits each.
        let (rows, columns) = position.shape();
        let heap = if rows * columns > 128 { rows * columns / 4 + 64 } else { 0 };
        let slot = size_of::<Mutex<Option<(P, u32, u64)>>>() + heap;
        let count = ((megabytes << 20) / slot as u64).max(1);
        let mut slots = Vec::new();
        let no_memory = |_| PyMemoryError::new_err(format!("no memory for a table of {megabytes} megabytes"));
        slots.try_reserve_exact(count as usize).map_err(no_memory)?;
        slots.resize_with(count as usize, Mutex::default);
        Ok(Table { slots })
    }

    /// Returns the position that stands for all that have the same count.
    ///
    /// Where symmetries are many, as in Quarto, finding it costs more than it saves.
    fn key(position: &P) -> P {
        if position.symmetries() <= 16 { position.canonical() } else { position.clone() }
    }

    fn slot(&self, key: &P, left: u32) -> &Mutex<Option<(P, u32, u64)>> {
        let mut hasher = DefaultHasher::new();
        (key, left).hash(&mut hasher);
        &self.slots[(hasher.finish() % self.slots.len() as u64) as usize]
    }

    fn get(&self, position: &P, left: u32) -> Option<u64> {
        let key = Self::key(position);
        match &*self.slot(&key, left).lock().unwrap_or_else(PoisonError::into_inner) {
            Some((known, plies, count)) if *plies == left && *known == key => Some(*count),
            _ => None,
        }
    }

    fn put(&self, position: &P, left: u32, count: u64) {
        let key = Self::key(position);
        let slot = self.slot(&key, left);
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, left, count));
    }
}
