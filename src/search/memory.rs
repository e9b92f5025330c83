//! What a player remembers from move to move.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::table::Table;
use crate::engine::Engine;
use crate::error::MemoryError;
use crate::shortage;

/// What a search remembers from move to move of a game: its transposition table.
///
/// It is for one game at a time: a search of another game, or with other parameters, starts afresh. A clone remembers
/// nothing.
#[derive(Default)]
pub struct Memory(Mutex<Option<Kept>>);

struct Kept {
    game: (&'static str, u64),
    bytes: usize,
    table: Table,
}

impl Memory {
    /// Returns the table of a game, as it was left, or a new one of about this many bytes if it needs a larger one.
    pub(crate) fn table<P: Engine>(&self, position: &P, bytes: usize) -> Result<Table, MemoryError> {
        let game = (P::NAME, position.family());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.game == game && kept.bytes >= bytes) {
            return Ok(kept.table.clone());
        }
        let table = Table::new(bytes)?;
        if shortage::is_noted() {
            // A part of it is in the reserve, and must not be kept.
            return Err(MemoryError { what: "a transposition table", bytes });
        }
        *kept = Some(Kept { game, bytes, table: table.clone() });
        Ok(table)
    }
}

impl Clone for Memory {
    fn clone(&self) -> Self {
        Memory::default()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").finish_non_exhaustive()
    }
}
