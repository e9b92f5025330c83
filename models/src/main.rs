//! The lock-free parts of petteia, in every order of events: `make models`.
//!
//! The sources are petteia's own. Only what they are made of, `sync`, is replaced by loom's, which runs a model again
//! and again until it has tried every order in which threads can act, and every value that a relaxed load can return.

// Each model uses a part of what it includes.
#![allow(dead_code)]

#[path = "../../src/vector/pool.rs"]
mod pool;
#[path = "../../src/search/table.rs"]
mod table;

mod error {
    #[derive(Clone, Copy, Debug)]
    pub struct MemoryError {
        pub what: &'static str,
        pub bytes: usize,
    }
}

mod sync {
    pub use loom::hint::spin_loop;
    pub use loom::sync::{Arc, Condvar, Mutex, MutexGuard, atomic};
    pub use loom::thread;

    /// Polling in vain teaches nothing new.
    pub const SPINS: u32 = 1;

    pub fn zeroed(count: usize) -> Option<Box<[atomic::AtomicU64]>> {
        Some((0..count).map(|_| atomic::AtomicU64::new(0)).collect())
    }
}

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use loom::model::Builder;
use loom::sync::atomic::AtomicUsize;
use loom::thread;

use pool::Pool;
use table::Table;

/// Runs a model in all orders with at most this many preemptions, and prints how many there were.
fn check(name: &str, preemptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    RUNS.store(0, Relaxed);
    let mut builder = Builder::new();
    builder.preemption_bound = preemptions;
    builder.max_branches = 10_000;
    builder.check(move || {
        RUNS.fetch_add(1, Relaxed);
        model();
    });
    let bound = preemptions.map_or("all".to_owned(), |bound| format!("at most {bound}"));
    println!("{name}: {} orders of events, {bound} preemptions", RUNS.load(Relaxed));
}

/// An entry that belongs to one key.
fn entry(key: u64) -> u64 {
    key << 56 | key
}

/// Reads keys that threads write meanwhile: there is nothing, or what was written under that key.
fn read(table: &Table, keys: &[u64]) {
    for &key in keys {
        assert!(table.get([key, !key]).is_none_or(|found| found == entry(key)));
    }
}

fn main() {
    // With two pairs, two of three keys are in the same.
    check("table, two writers and a reader", Some(2), || {
        let table = Table::new(0).expect("a small table");
        let writers = [[1, 2], [3, 1]].map(|keys| {
            let table = table.clone();
            thread::spawn(move || keys.into_iter().for_each(|key| table.put([key, !key], entry(key))))
        });
        read(&table, &[1, 2, 3]);
        writers.into_iter().for_each(|writer| writer.join().expect("it does not panic"));
        read(&table, &[1, 2, 3]);
    });
    check("pool, two jobs", Some(2), || {
        let mut pool = Pool::new(2);
        for parts in [2, 3] {
            let done: Vec<_> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
            pool.run(parts, &|part| _ = done[part].fetch_add(1, loom::sync::atomic::Ordering::Relaxed));
            for part in &done {
                assert_eq!(part.load(loom::sync::atomic::Ordering::Relaxed), 1);
            }
        }
    });
    check("pool, a panic", Some(2), || {
        let mut pool = Pool::new(2);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            pool.run(2, &|part| {
                if part == 1 {
                    std::panic::resume_unwind(Box::new("on purpose"));
                }
            })
        }));
        assert!(ran.is_err());
        pool.run(2, &|_| ());
    });
    check("pool, made and dropped", None, || drop(Pool::new(2)));
}
