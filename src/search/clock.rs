//! The limits of a search, checked now and then.

use std::sync::atomic::{AtomicBool, Ordering};

use super::solve::{Progress, SolveOptions};
use crate::shortage;
use crate::time::{Duration, Instant};
use crate::work::{BEAT, Stopped, breathe, next_step, thread_count};

/// Counts nodes and tells when it is time to stop.
pub(crate) struct Clock<'a> {
    options: &'a SolveOptions<'a>,
    start: Instant,
    /// How many nodes were searched.
    pub(crate) nodes: u64,
    /// The limits are checked again after this node.
    next: u64,
    /// How many nodes are searched between two checks.
    step: u64,
    /// When the limits were last checked.
    looked: Duration,
    node_limit: u64,
    /// Stops a helper when the main search is done.
    stop: Option<&'a AtomicBool>,
    told: Duration,
    /// Bounds on the value, as proved so far.
    pub(crate) bounds: (i32, i32),
}

impl<'a> Clock<'a> {
    /// The greatest number of nodes between two checks.
    const MAX_STEP: u64 = 4096;

    pub(crate) fn new(options: &'a SolveOptions<'a>, bounds: (i32, i32)) -> Self {
        // Every thread has an equal share of the limit.
        let node_limit =
            options.node_limit.map_or(u64::MAX, |limit| limit / thread_count(options.threads) as u64);
        let start = Instant::now();
        Clock {
            options,
            start,
            nodes: 0,
            next: 0,
            step: 1,
            looked: Duration::ZERO,
            node_limit,
            stop: None,
            told: Duration::ZERO,
            bounds,
        }
    }

    /// Returns the clock of a helper, which also stops when the main search is done.
    pub(crate) fn helper(&self, stop: &'a AtomicBool) -> Self {
        Clock { nodes: 0, next: 0, step: 1, stop: Some(stop), ..*self }
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns how many more nodes may be searched.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.nodes)
    }

    /// Lowers the limit to this many more nodes.
    pub(crate) fn allow(&mut self, nodes: u64) {
        self.node_limit = self.node_limit.min(self.nodes.saturating_add(nodes));
        self.next = self.nodes;
    }

    /// Counts a node, unless it is not searched any more.
    #[inline(always)]
    pub(crate) fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let result = self.check();
        if result.is_err() {
            self.nodes -= 1;
        }
        result
    }

    /// Checks the limits if it is time to, for searches that count nodes themselves.
    #[inline(always)]
    pub(crate) fn check(&mut self) -> Result<(), Stopped> {
        if self.nodes <= self.next { Ok(()) } else { self.look() }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Stopped> {
        breathe();
        if self.nodes > self.node_limit || shortage::is_noted() {
            return Err(Stopped);
        }
        let elapsed = self.start.elapsed();
        self.step = next_step(self.step, elapsed.saturating_sub(self.looked), Self::MAX_STEP);
        self.looked = elapsed;
        self.next = self.node_limit.min(self.nodes + self.step - 1);
        if let Some(stop) = self.stop {
            return if stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) };
        }
        if self.options.time_limit.is_some_and(|limit| elapsed >= limit) {
            return Err(Stopped);
        }
        if let Some(watch) = self.options.watch {
            if elapsed >= self.told + BEAT || self.told.is_zero() {
                self.told = elapsed.max(Duration::from_nanos(1));
                let (lower, upper) = self.bounds;
                let progress = Progress { nodes: self.nodes, seconds: elapsed.as_secs_f64(), lower, upper };
                if watch(&progress).is_break() {
                    // Nobody goes on, even if the one who hears it first does not say so.
                    (self.node_limit, self.next) = (0, 0);
                    return Err(Stopped);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicU64;
    use std::thread::sleep;

    #[test]
    fn slow_nodes_keep_the_time_limit() {
        const NODE: Duration = Duration::from_millis(3);
        let options = SolveOptions { time_limit: Some(20 * NODE), ..SolveOptions::default() };
        let mut clock = Clock::new(&options, (-1, 1));
        let mut searched = 0;
        while clock.tick().is_ok() {
            searched += 1;
            sleep(NODE);
        }
        assert!(searched <= 21, "{searched} nodes");
    }

    #[test]
    fn slow_nodes_do_not_delay_the_watcher() {
        let seen = AtomicU64::new(0);
        let watch = |_: &Progress| {
            let times = seen.fetch_add(1, Ordering::Relaxed);
            if times < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let options = SolveOptions { watch: Some(&watch), ..SolveOptions::default() };
        let mut clock = Clock::new(&options, (-1, 1));
        let mut searched = 0;
        while clock.tick().is_ok() {
            searched += 1;
            sleep(BEAT);
        }
        // The watcher was called at every node, except perhaps the first two.
        assert!((3..=5).contains(&searched), "{searched} nodes");
    }

    #[test]
    fn a_watcher_that_stops_once_stops_for_good() {
        let asked = AtomicU64::new(0);
        let watch = |_: &Progress| match asked.fetch_add(1, Ordering::Relaxed) {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = SolveOptions { watch: Some(&watch), ..SolveOptions::default() };
        let mut clock = Clock::new(&options, (-1, 1));
        assert_eq!([(); 3].map(|()| clock.tick()), [Err(Stopped); 3]);
        assert_eq!((clock.nodes_left(), asked.into_inner()), (0, 1));
    }
}
