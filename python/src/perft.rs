//! Counting move sequences.

use std::sync::atomic::{AtomicU64, Ordering};

use petteia::{Engine, PerftOptions, perft_with};
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in, threads};
use crate::errors::OrRaise;
use crate::games::{Checked, PyPosition, with_py_position};
use crate::work::watched;

/// The greatest depth. No count gets that far, but the stack of positions must fit in memory.
const DEEPEST: u64 = u16::MAX as u64;

/// Counts the move sequences of exactly depth plies from a position of any game; petteia.perft adds executors.
#[pyfunction]
#[pyo3(signature = (position, depth, threads, table_mb, progress))]
pub fn perft(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    depth: Integer,
    threads: Option<Integer>,
    table_mb: Option<Integer>,
    progress: Option<Py<PyAny>>,
) -> PyResult<u64> {
    let position = PyPosition::read(position)?;
    let counted = with_py_position!(&position, position => {
        count(py, position, depth, threads, table_mb, progress.as_ref())
    });
    position.check()?;
    counted
}

pub fn count<P: Engine>(
    py: Python<'_>,
    position: &P,
    depth: Integer,
    threads_given: Option<Integer>,
    table_mb: Option<Integer>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<u64> {
    let depth = number_in("depth", depth, 0..=DEEPEST)? as u32;
    let threads = threads(threads_given)?;
    let megabytes = table_mb.map(|given| number_in("table_mb", given, 1..=1 << 30)).transpose()?;
    let table_bytes = megabytes.map(|megabytes| (megabytes << 20) as usize);
    let tally = AtomicU64::new(0);
    let tell = |py: Python<'_>, done: u64, total: Option<u64>| match progress {
        Some(progress) => progress.call1(py, (done, total)).map(|_| ()),
        None => Ok(()),
    };
    let counted = watched(
        py,
        |py, done| tell(py, done, None),
        |watch| {
            let watch = || watch(tally.load(Ordering::Relaxed));
            let tally = progress.map(|_| &tally);
            perft_with(position, depth, &PerftOptions { threads, table_bytes, tally, watch: Some(&watch) })
        },
    );
    let counted = counted?.or_raise()?;
    tell(py, counted, Some(counted))?;
    Ok(counted)
}
