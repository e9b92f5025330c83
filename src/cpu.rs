//! Which instructions a whole operation is compiled for.
//!
//! The library is built for every processor of its architecture. A long operation, such as a million random games, asks
//! once what the processor at hand can do, and [runs](Cpu::run) as the copy that was compiled for it.

use crate::moves::nth_set_bit;

/// A whole operation.
///
/// It is a trait and not a closure because only a function can insist on being inlined into the copy for a level.
pub trait Operation {
    /// What the operation returns.
    type Output;

    /// Does the work; to be marked `#[inline(always)]`, as everything below it that should use the level.
    fn run(self) -> Self::Output;
}

/// A level of instructions: a value without content that only exists where the processor has them.
pub trait Cpu: Copy + Send {
    /// Runs the copy of an operation that was compiled for this level.
    fn run<O: Operation>(self, operation: O) -> O::Output;

    /// Returns the place of the n-th set bit, counted from 0 at the lowest; there must be more than `n`.
    fn nth(self, bits: u64, n: u32) -> u32;
}

/// What every processor of the architecture has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn run<O: Operation>(self, operation: O) -> O::Output {
        operation.run()
    }

    #[inline(always)]
    fn nth(self, bits: u64, n: u32) -> u32 {
        nth_set_bit(bits, n)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use v3::V3;

// A documented fast path: instructions that not every processor has are unsafe to run without asking.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod v3 {
    use super::{Cpu, Operation};

    /// The third level of x86-64 as far as it serves here: 256-bit integers and the bit manipulation instructions.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct V3(());

    impl V3 {
        /// Returns the level if this processor has it.
        pub(crate) fn detect() -> Option<V3> {
            let found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            found.then_some(V3(()))
        }
    }

    impl Cpu for V3 {
        #[inline(always)]
        fn run<O: Operation>(self, operation: O) -> O::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn run<O: Operation>(operation: O) -> O::Output {
                operation.run()
            }
            // SAFETY: the level exists, so the processor has its instructions.
            unsafe { run(operation) }
        }

        #[inline(always)]
        fn nth(self, bits: u64, n: u32) -> u32 {
            // SAFETY: the level exists, so the processor has its instructions; no memory is touched.
            unsafe { std::arch::x86_64::_pdep_u64(1 << n, bits).trailing_zeros() }
        }
    }
}
