//! Counting move sequences, on threads, with or without a table, stopped by Ctrl-C at any time.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use petteia::search::perft::{PerftError, PerftOptions, perft_with};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError};
use pyo3::prelude::*;

use crate::arguments::{Integer, number_in, threads};
use crate::position::Wrap;

/// The deepest count. Nobody can wait for it, but the stack of positions that leads there must fit in memory.
const DEEPEST: u64 = u16::MAX as u64;

pub fn perft<P: Wrap>(
    py: Python<'_>,
    position: &P,
    depth: Integer,
    threads_given: Integer,
    table_mb: Option<Integer>,
) -> PyResult<u64> {
    let depth = number_in("depth", depth, 0..=DEEPEST)? as u32;
    let threads = threads(threads_given)?;
    let megabytes = table_mb.map(|given| number_in("table_mb", given, 1..=1 << 30)).transpose()?;
    let signal = Mutex::new(None);
    let look_at_signals = || match Python::attach(|py| py.check_signals()) {
        Ok(()) => ControlFlow::Continue(()),
        Err(raised) => {
            *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            ControlFlow::Break(())
        }
    };
    let options = PerftOptions {
        threads,
        table_bytes: megabytes.map(|megabytes| (megabytes << 20) as usize),
        watch: Some(&look_at_signals),
    };
    let count = py.detach(|| perft_with(position, depth, &options));
    count.map_err(|error| match (error, megabytes) {
        (PerftError::Memory, Some(megabytes)) => {
            PyMemoryError::new_err(format!("no memory for a table of {megabytes} megabytes"))
        }
        (PerftError::TooMany, _) => PyOverflowError::new_err(error.to_string()),
        _ => {
            let raised = signal.into_inner().unwrap_or_else(PoisonError::into_inner);
            raised.unwrap_or_else(|| PyRuntimeError::new_err(error.to_string()))
        }
    })
}
