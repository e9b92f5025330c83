//! The limits of a search, checked now and then.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::solve::{Progress, SolveOptions};
use crate::work::{BEAT, Stopped, thread_count};

/// Counts nodes and tells when it is time to stop.
pub(crate) struct Clock<'a> {
    options: &'a SolveOptions<'a>,
    start: Instant,
    /// How many nodes were searched.
    pub(crate) nodes: u64,
    /// The node count at which to check the limits again.
    next: u64,
    node_limit: u64,
    /// Stops a helper when the main search is done.
    stop: Option<&'a AtomicBool>,
    told: Duration,
    /// Bounds on the value, as proved so far.
    pub(crate) bounds: (i32, i32),
}

impl<'a> Clock<'a> {
    /// How many nodes are searched between two checks.
    const STEP: u64 = 4096;

    pub(crate) fn new(options: &'a SolveOptions<'a>, bounds: (i32, i32)) -> Self {
        // The limit is shared by all threads, and only this one's nodes are counted.
        let node_limit =
            options.node_limit.map_or(u64::MAX, |limit| limit / thread_count(options.threads) as u64);
        let start = Instant::now();
        Clock { options, start, nodes: 0, next: 0, node_limit, stop: None, told: Duration::ZERO, bounds }
    }

    /// Returns the clock of a helper, which runs until the main search is done.
    pub(crate) fn helper(&self, stop: &'a AtomicBool) -> Self {
        Clock { nodes: 0, next: 0, node_limit: u64::MAX, stop: Some(stop), ..*self }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Lowers the limit to this many more nodes.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.node_limit = self.node_limit.min(self.nodes.saturating_add(nodes));
        self.next = self.nodes;
    }

    /// Counts a node.
    #[inline(always)]
    pub(crate) fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        self.check()
    }

    /// Checks the limits if it is time to, for searches that count nodes themselves.
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
            if elapsed >= self.told + BEAT || self.told.is_zero() {
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
