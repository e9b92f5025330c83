//! Evaluation: how a game is likely to end, guessed from the board alone.
//!
//! On the 8 by 8 board, patterns are looked up whose weights petteia has learned from its own games; on all others, a
//! few plain features have to do.

mod patterns;
mod plain;
#[cfg(feature = "train")]
pub mod train;
mod weights;

use std::sync::OnceLock;

pub(super) use self::patterns::{DISC, Features};
use self::patterns::{Patterns, stage};
pub(super) use self::plain::Plain;
pub(super) use self::weights::FIRST_CUT;
pub use self::weights::{Weights, WeightsError};
use super::kernel::Kernel;
use crate::cpu::Operation;
use crate::error::MemoryError;
use crate::shortage;

/// A way to evaluate boards, which keeps something up to date from move to move.
pub(super) trait Evaluation: Copy + Send {
    /// What is kept, from the point of view of the player to move.
    type Kept: Copy;

    /// Returns what is kept of a board.
    fn look(self, kernel: impl Kernel, me: u64, op: u64) -> Self::Kept;

    /// Returns what is kept after a move, from the point of view of the other player.
    fn after(self, kept: &Self::Kept, square: usize, flips: u64) -> Self::Kept;

    /// Returns what is kept if the turn passes to the other player.
    fn pass(self, kept: &Self::Kept) -> Self::Kept;

    /// Returns the expected disc difference at the end for the player to move, in units of 1/[`DISC`].
    fn evaluate(self, kernel: impl Kernel, me: u64, op: u64, kept: &Self::Kept) -> i32;

    /// Returns how far the result of a search of this depth usually is from that of one about half as deep, if known.
    fn doubt(self, tiles: u32, depth: u32) -> Option<i32>;
}

/// The evaluation by patterns, with the weights that belong to it.
pub(super) struct Learned {
    weights: Weights,
    patterns: Patterns,
}

impl Learned {
    pub(super) fn new(weights: Weights) -> Self {
        Learned { patterns: Patterns::new(&weights), weights }
    }

    /// Returns the standard deviation of the end of a game from its evaluation, in units of 1/[`DISC`].
    pub(super) fn doubt_of_end(&self, tiles: u32) -> i32 {
        self.weights.doubt(stage(tiles))
    }
}

/// What errors call the weights that there is no memory for.
const WEIGHTS: &str = "the weights of an evaluation";

static LEARNED: OnceLock<Learned> = OnceLock::new();

/// Returns the evaluation with the weights that the library contains, made when it is first needed.
///
/// Without memory for it, the error is [raised](MemoryError::raise), and the next call tries again.
#[inline]
pub(super) fn learned() -> &'static Learned {
    LEARNED.get_or_init(|| {
        let weights = contained();
        let weights = weights.unwrap_or_else(|error| panic!("the library's own weights are {error}"));
        let learned = Learned::new(weights);
        if shortage::is_noted() {
            MemoryError { what: WEIGHTS, bytes: size_of::<Learned>() }.raise();
        }
        learned
    })
}

#[cfg(not(target_family = "wasm"))]
fn contained() -> Result<Weights, WeightsError> {
    Weights::from_bytes(include_bytes!("weights.bin"))
}

/// The module for WebAssembly contains none, so that pages are there sooner: see [`load`].
#[cfg(target_family = "wasm")]
fn contained() -> Result<Weights, WeightsError> {
    Err(WeightsError::Header)
}

/// Takes the weights from the packed file that the module for WebAssembly is given before they are first needed.
///
/// # Errors
///
/// A [`WeightsError`] if it is not that file.
#[cfg(target_family = "wasm")]
pub fn load(packed: &[u8]) -> Result<(), WeightsError> {
    let weights = Weights::from_bytes(packed)?;
    // Given twice, they are the same.
    LEARNED.get_or_init(|| Learned::new(weights));
    Ok(())
}

/// A look at the features of a board.
struct Look<'a> {
    patterns: &'a Patterns,
    me: u64,
    op: u64,
}

impl Operation for Look<'_> {
    type Output = Features;

    #[inline(always)]
    fn run(self) -> Features {
        self.patterns.features(self.me, self.op)
    }
}

impl Evaluation for &Learned {
    type Kept = Features;

    #[inline(always)]
    fn look(self, kernel: impl Kernel, me: u64, op: u64) -> Features {
        // A call of its own: inlined, the features would be divided into pieces as their readers want them.
        kernel.run(Look { patterns: &self.patterns, me, op })
    }

    #[inline(always)]
    fn after(self, kept: &Features, square: usize, flips: u64) -> Features {
        self.patterns.after(kept, square, flips)
    }

    #[inline(always)]
    fn pass(self, kept: &Features) -> Features {
        kept.turned()
    }

    #[inline(always)]
    fn evaluate(self, _: impl Kernel, me: u64, op: u64, kept: &Features) -> i32 {
        self.patterns.evaluate(kept, (me | op).count_ones())
    }

    #[inline(always)]
    fn doubt(self, tiles: u32, depth: u32) -> Option<i32> {
        Some(self.weights.cut(stage(tiles), depth as usize))
    }
}
