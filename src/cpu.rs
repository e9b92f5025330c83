//! Run-time dispatch: which instructions a whole operation is compiled for.
//!
//! The library is built for every processor of its architecture. A long operation, such as a million random games,
//! detects once what the processor supports, and [runs](Cpu::run) the copy that was compiled for it.

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// Evaluates an expression with a name bound to the best instruction level of this processor.
///
/// It is the only place that chooses between the portable code and a faster one.
macro_rules! on_best_cpu {
    ($cpu:ident => $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        let answer = match $crate::cpu::V3::detect() {
            Some($cpu) => $body,
            None => {
                let $cpu = $crate::cpu::Portable;
                $body
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        let answer = {
            let $cpu = $crate::cpu::Portable;
            $body
        };
        answer
    }};
}

pub(crate) use on_best_cpu;

/// A whole operation.
///
/// A trait rather than a closure, since only a function can force its inlining into the copy for a level.
pub trait Operation {
    /// What the operation returns.
    type Output;

    /// Runs the operation; to be marked `#[inline(always)]`, like everything it calls that should use the level.
    fn run(self) -> Self::Output;
}

/// An instruction level: a zero-sized value that exists only if the processor supports it.
pub trait Cpu: Copy + Send {
    /// Runs the copy of an operation that was compiled for this level.
    fn run<O: Operation>(self, operation: O) -> O::Output;

    /// Returns the index of the n-th set bit, counted from 0 at the lowest; there must be more than `n`.
    fn nth(self, bits: u64, n: u32) -> u32;

    /// Spreads bits two apart: each moves to twice its index, with zeros between.
    #[inline(always)]
    fn apart(self, bits: u32) -> u64 {
        let step = |bits: u64, by: u32, kept: u64| (bits | bits << by) & kept;
        let bits = step(bits.into(), 16, 0x0000_ffff_0000_ffff);
        let bits = step(bits, 8, 0x00ff_00ff_00ff_00ff);
        let bits = step(bits, 4, 0x0f0f_0f0f_0f0f_0f0f);
        let bits = step(bits, 2, 0x3333_3333_3333_3333);
        step(bits, 1, 0x5555_5555_5555_5555)
    }

    /// Writes bits as bytes of 0 and 1, the lowest bit of the first word first; bytes past the words are left alone.
    #[inline(always)]
    fn spread(self, words: &[u64], mut bytes: &mut [u8]) {
        for &word in words {
            let (now, later) = bytes.split_at_mut(bytes.len().min(64));
            bytes = later;
            match now.try_into() {
                Ok(now) => self.spread_word(word, now),
                Err(_) => spread_some(self, word, now),
            }
        }
    }

    /// Writes the bits of a whole word as bytes of 0 and 1.
    #[inline(always)]
    fn spread_word(self, word: u64, bytes: &mut [u8; 64]) {
        spread_some(self, word, bytes);
    }

    /// Returns eight bits as bytes of 0 and 1, the lowest first.
    #[inline(always)]
    fn spread_eight(self, eight: u8) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        // Of the copies of the byte, byte i keeps only bit i, which is moved to the top without a carry, and back down.
        let apart = (u64::from(eight) * ONES) & 0x8040_2010_0804_0201;
        ((apart + 0x7f * ONES) >> 7) & ONES
    }

    /// Returns this level if it is the one with 256-bit integers; the answer is known at compile time.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn v3(self) -> Option<V3> {
        None
    }
}

/// Writes the low bits of a word as bytes of 0 and 1, as many as there are bytes.
#[inline(always)]
fn spread_some(cpu: impl Cpu, mut word: u64, bytes: &mut [u8]) {
    // Plain loops, which are sure to be inlined into the operation, whatever its level.
    let (eights, last) = bytes.split_at_mut(bytes.len() & !7);
    for chunk in eights.chunks_exact_mut(8) {
        // A whole array is one store; copying a slice would be a call.
        if let Ok(chunk) = <&mut [u8; 8]>::try_from(chunk) {
            *chunk = cpu.spread_eight(word as u8).to_le_bytes();
        }
        word >>= 8;
    }
    for byte in last {
        *byte = word as u8 & 1;
        word >>= 1;
    }
}

/// The instructions of every processor of the architecture.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

thread_local! {
    static PORTABLE_ONLY: Cell<bool> = const { Cell::new(false) };
}

/// What is known of this processor. Even an operation of nanoseconds can afford to read it.
static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Nobody has looked yet.
const UNKNOWN: u8 = 0;
/// [`Portable::only`] was used: each thread has to ask whether it is at work.
const ASK: u8 = 1;

impl Portable {
    /// Runs a closure whose operations all take the portable path, to compare it with the faster one.
    pub fn only<T>(body: impl FnOnce() -> T) -> T {
        // Also if the closure panics, the thread goes on as before.
        struct Restore(bool);

        impl Drop for Restore {
            fn drop(&mut self) {
                PORTABLE_ONLY.set(self.0);
            }
        }

        LEVEL.store(ASK, Ordering::Relaxed);
        let _before = Restore(PORTABLE_ONLY.replace(true));
        body()
    }
}

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

/// The index of the n-th set bit of every byte.
static NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut place) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][n] = place;
                n += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// Returns the index of the n-th set bit, counted from 0 at the lowest; there must be more than `n`.
///
/// One multiplication counts the bits up to each byte, comparing all eight counts with `n` at once finds the byte, and
/// a table gives the index in it.
#[inline]
fn nth_set_bit(bits: u64, n: u32) -> u32 {
    debug_assert!(n < bits.count_ones());
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // A byte's high bit stays set where its sum is at most n: those bytes lie entirely below the bit.
    let below = (((u64::from(n) * ONES) | HIGH).wrapping_sub(sums) & HIGH) >> 7;
    let byte = 8 * (below.wrapping_mul(ONES) >> 56) as u32;
    let taken = ((sums << 8) >> byte) as u32 & 0xff;
    let rest = (bits >> byte) as usize & 0xff;
    byte + u32::from(NTH_IN_BYTE[rest][n.wrapping_sub(taken) as usize & 7])
}

#[cfg(target_arch = "x86_64")]
pub use v3::V3;

// A documented fast path: instructions that not every processor has are unsafe to run undetected.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod v3 {
    use std::arch::x86_64::*;
    use std::sync::atomic::Ordering;

    use super::{Cpu, LEVEL, Operation, PORTABLE_ONLY, UNKNOWN};

    /// The processor has the instructions.
    const FOUND: u8 = 2;
    /// It does not have them.
    const MISSING: u8 = 3;

    /// The number 1 in every byte.
    const ONES: i64 = 0x0101_0101_0101_0101;

    /// The parts of x86-64-v3 used here: 256-bit integers and the bit manipulation instructions.
    #[derive(Clone, Copy, Debug)]
    pub struct V3(());

    impl V3 {
        /// Returns the level if this processor supports it, and [`Portable::only`](super::Portable::only) is not at
        /// work.
        #[inline]
        pub fn detect() -> Option<V3> {
            match LEVEL.load(Ordering::Relaxed) {
                FOUND => Some(V3(())),
                MISSING => None,
                _ => V3::look(),
            }
        }

        /// Returns the level if it is known that this processor supports it; if not, [`detect`](V3::detect) may know
        /// better.
        ///
        /// It calls nothing, for operations of a few nanoseconds.
        #[cfg(feature = "capi")]
        #[inline(always)]
        pub(crate) fn known() -> Option<V3> {
            (LEVEL.load(Ordering::Relaxed) == FOUND).then_some(V3(()))
        }

        #[cold]
        fn look() -> Option<V3> {
            let found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let level = if found { FOUND } else { MISSING };
            // Unless the threads have to be asked.
            let _ = LEVEL.compare_exchange(UNKNOWN, level, Ordering::Relaxed, Ordering::Relaxed);
            (found && !PORTABLE_ONLY.get()).then_some(V3(()))
        }
    }

    impl Cpu for V3 {
        #[inline(always)]
        fn run<O: Operation>(self, operation: O) -> O::Output {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            unsafe fn run<O: Operation>(operation: O) -> O::Output {
                operation.run()
            }
            // SAFETY: a value of this type proves that the processor has the instructions.
            unsafe { run(operation) }
        }

        #[inline(always)]
        fn nth(self, bits: u64, n: u32) -> u32 {
            // SAFETY: a value of this type proves that the processor has the instructions; no memory is touched.
            unsafe { _pdep_u64(1 << n, bits).trailing_zeros() }
        }

        #[inline(always)]
        fn apart(self, bits: u32) -> u64 {
            // SAFETY: a value of this type proves that the processor has the instructions; no memory is touched.
            unsafe { _pdep_u64(bits.into(), 0x5555_5555_5555_5555) }
        }

        #[inline(always)]
        fn spread_word(self, word: u64, bytes: &mut [u8; 64]) {
            // SAFETY: a value of this type proves that the processor has the instructions; both stores are inside
            // `bytes`.
            unsafe {
                // Every byte gets a copy of the eight bits that contain its own, and keeps only that one.
                let copies = _mm256_set1_epi64x(word as i64);
                let low = _mm256_setr_epi64x(0, ONES, 2 * ONES, 3 * ONES);
                let high = _mm256_setr_epi64x(4 * ONES, 5 * ONES, 6 * ONES, 7 * ONES);
                let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
                for (half, order) in [low, high].into_iter().enumerate() {
                    let kept = _mm256_and_si256(_mm256_shuffle_epi8(copies, order), own);
                    let ones = _mm256_min_epu8(kept, _mm256_set1_epi8(1));
                    _mm256_storeu_si256(bytes.as_mut_ptr().add(32 * half).cast(), ones);
                }
            }
        }

        #[inline(always)]
        fn spread_eight(self, eight: u8) -> u64 {
            // SAFETY: a value of this type proves that the processor has the instructions; no memory is touched.
            unsafe { _pdep_u64(u64::from(eight), ONES as u64) }
        }

        #[inline(always)]
        fn v3(self) -> Option<V3> {
            Some(self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn bits_are_spread_one_a_byte() {
        fn check(cpu: impl Cpu) {
            let mut rng = Rng::new(8);
            for length in 0..200 {
                let words = [0; 4].map(|_| rng.next_u64());
                let mut bytes = vec![7; length];
                cpu.spread(&words, &mut bytes);
                for (place, byte) in bytes.into_iter().enumerate() {
                    assert_eq!(u64::from(byte), words[place / 64] >> (place % 64) & 1, "{place} of {length}");
                }
            }
            let mut bytes = [7; 70];
            cpu.spread(&[!0], &mut bytes);
            assert_eq!((&bytes[..64], &bytes[64..]), (&[1; 64][..], &[7; 6][..]));
        }
        check(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = V3::detect() {
            check(cpu);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_portable_path_can_be_forced() {
        let found = V3::detect().is_some();
        assert!(Portable::only(|| Portable::only(V3::detect).is_none() && V3::detect().is_none()));
        assert_eq!(V3::detect().is_some(), found);
        let panics = || Portable::only(|| std::panic::resume_unwind(Box::new(())));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(V3::detect().is_some(), found);
    }

    #[test]
    fn nth_set_bit_is_what_a_loop_finds() {
        let mut rng = Rng::new(3);
        let masks = [1, !0, 1 << 63, 0x8000_0000_0000_0001].into_iter();
        for mask in masks.chain((0..10_000).map(|i| rng.next_u64() & rng.next_u64().rotate_left(i))) {
            let places = (0..64).filter(|bit| mask >> bit & 1 == 1);
            for (n, place) in places.enumerate() {
                assert_eq!(nth_set_bit(mask, n as u32), place, "{mask:#x}");
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(cpu) = V3::detect() {
                assert!((0..mask.count_ones()).all(|n| cpu.nth(mask, n) == nth_set_bit(mask, n)));
            }
        }
    }
}
