//! The limits of a search, looked at every now and then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::solve::{Options, Progress};
use super::thread_count;

/// A search was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Counts positions and tells when it is time to stop.
pub(crate) struct Clock<'a> {
    options: &'a Options<'a>,
    start: Instant,
    /// How many positions were searched.
    pub(crate) nodes: u64,
    /// At which number of positions to look at the limits again.
    next: u64,
    node_limit: u64,
    /// Set when others have found what this search looks for.
    stop: Option<&'a AtomicBool>,
    told: Duration,
    /// What is known of the value so far.
    pub(crate) bounds: (i32, i32),
}

impl<'a> Clock<'a> {
    /// How many positions are searched between two looks at the time.
    const STEP: u64 = 4096;

    /// How long the watcher is left alone.
    const TELL: Duration = Duration::from_millis(20);

    pub(crate) fn new(options: &'a Options<'a>, bounds: (i32, i32)) -> Self {
        // Each thread does its share, and only this one counts.
        let node_limit =
            options.node_limit.map_or(u64::MAX, |limit| limit / thread_count(options.threads) as u64);
        let start = Instant::now();
        Clock { options, start, nodes: 0, next: 0, node_limit, stop: None, told: Duration::ZERO, bounds }
    }

    /// Returns the clock of a search beside another, which goes on until that one is done.
    pub(crate) fn beside(&self, stop: &'a AtomicBool) -> Self {
        Clock { nodes: 0, next: 0, node_limit: u64::MAX, stop: Some(stop), ..*self }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Allows only so many positions more than now, if that is less than the limit.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.node_limit = self.node_limit.min(self.nodes.saturating_add(nodes));
        self.next = self.nodes;
    }

    /// Counts a position.
    #[inline(always)]
    pub(crate) fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.check()
    }

    /// Looks at the limits if it is time to, for searches that count by themselves.
    #[inline(always)]
    pub(crate) fn check(&mut self) -> Result<(), Stopped> {
        if self.nodes <= self.next { Ok(()) } else { self.look() }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Stopped> {
        if self.nodes > self.node_limit {
            return Err(Stopped);
        }
        self.next = self.node_limit.min(self.nodes + Self::STEP);
        if let Some(stop) = self.stop {
            return if stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) };
        }
        if self.options.time_limit.is_none() && self.options.watch.is_none() {
            return Ok(());
        }
        let elapsed = self.start.elapsed();
        if self.options.time_limit.is_some_and(|limit| elapsed >= limit) {
            return Err(Stopped);
        }
        if let Some(watch) = self.options.watch {
            if elapsed >= self.told + Self::TELL || self.told.is_zero() {
                self.told = elapsed.max(Duration::from_nanos(1));
                let (lower, upper) = self.bounds;
                let progress = Progress { nodes: self.nodes, seconds: elapsed.as_secs_f64(), lower, upper };
                if watch(&progress).is_break() {
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }
}
