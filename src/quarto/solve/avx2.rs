//! The kernel for x86-64 processors with AVX2: all pieces side by side in one register.

// A documented fast path: intrinsics are unsafe to call where the compiler cannot see that the processor supports them.
// All of this is inlined into operations that `V3::run` compiles for its level.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::kernel::{Kernel, Lanes, THROUGH_LANES};
use super::lines::{APART, Pairs, SAFE};
use crate::cpu::V3;

impl Kernel for V3 {
    #[inline(always)]
    fn empty_lanes(self, lanes: Lanes) -> usize {
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe {
            let empty = _mm_cmpeq_epi16(load(&lanes), _mm_setzero_si128());
            _mm_movemask_epi8(_mm_packs_epi16(empty, _mm_setzero_si128())) as usize
        }
    }

    #[inline(always)]
    fn replies(self, ripe: [Lanes; 2], empty: u16, pieces: u16) -> [u16; 16] {
        // SAFETY: a `V3` proves that the processor has the instructions; the result is as large as a register.
        unsafe {
            let ripe = [both_halves(&ripe[0]), both_halves(&ripe[1])];
            let pieces = _mm256_set1_epi16(pieces as i16);
            // Bytes are summed separately, and do not overflow with at most sixteen squares.
            let mut counts = _mm256_setzero_si256();
            for (first, second) in Pairs(empty) {
                let [safe, safe_second] = safe_after(ripe, [first, second.unwrap_or(first)]);
                counts = _mm256_add_epi8(counts, bits(_mm256_and_si256(safe, pieces)));
                if second.is_some() {
                    counts = _mm256_add_epi8(counts, bits(_mm256_and_si256(safe_second, pieces)));
                }
            }
            let low = _mm256_and_si256(counts, _mm256_set1_epi16(0xff));
            std::mem::transmute(_mm256_add_epi16(low, _mm256_srli_epi16::<8>(counts)))
        }
    }

    #[inline(always)]
    fn unanswerable(self, ripe: [Lanes; 2], empty: u16, given: u16, pieces: u16) -> bool {
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe {
            let ripe = [both_halves(&ripe[0]), both_halves(&ripe[1])];
            let pieces = _mm256_set1_epi16(pieces as i16);
            let mut answers = _mm256_setzero_si256();
            for (first, second) in Pairs(empty) {
                let [safe, safe_second] = safe_after(ripe, [first, second.unwrap_or(first)]);
                answers = _mm256_or_si256(answers, _mm256_or_si256(safe, safe_second));
                // Usually the first squares suffice.
                if zeros(_mm256_and_si256(answers, pieces)) & given == 0 {
                    return false;
                }
            }
            given != 0
        }
    }

    #[inline(always)]
    fn zeros(self, numbers: [u16; 16]) -> u16 {
        // SAFETY: a `V3` proves that the processor has the instructions; the numbers are as large as a register.
        unsafe { zeros(std::mem::transmute::<[u16; 16], __m256i>(numbers)) }
    }
}

/// Loads lanes into a register.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn load(lanes: &Lanes) -> __m128i {
    // SAFETY: lanes are sixteen bytes, aligned to sixteen.
    unsafe { _mm_load_si128(lanes.0.as_ptr().cast()) }
}

/// Loads lanes into both halves of a register.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn both_halves(lanes: &Lanes) -> __m256i {
    // SAFETY: the caller's processor has AVX2.
    unsafe { _mm256_broadcastsi128_si256(load(lanes)) }
}

/// Returns, for each piece, the pieces that are safe after it was placed on each of two squares.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn safe_after([two, three]: [__m256i; 2], [first, second]: [usize; 2]) -> [__m256i; 2] {
    // SAFETY: the caller's processor has AVX2; sixteen sets are as large as a register.
    unsafe {
        let through = _mm256_set_m128i(load(&THROUGH_LANES[second & 15]), load(&THROUGH_LANES[first & 15]));
        let zero = _mm256_setzero_si256();
        let left = _mm256_cmpeq_epi16(_mm256_andnot_si256(through, three), zero);
        // Lanes that are empty but for the lines that grow.
        let grown = _mm256_andnot_si256(_mm256_cmpeq_epi16(_mm256_and_si256(two, through), zero), left);
        // Packing works on the halves of a register, so the results for each square end up side by side.
        let lanes = _mm256_movemask_epi8(_mm256_packs_epi16(left, grown)) as u32 as usize;
        let safe = |lanes: usize| {
            let apart = _mm256_loadu_si256(APART[lanes >> 8 & 255].as_ptr().cast());
            _mm256_and_si256(apart, _mm256_set1_epi16(SAFE[lanes & 255] as i16))
        };
        [safe(lanes), safe(lanes >> 16)]
    }
}

/// Returns how many bits are set in each byte.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn bits(bytes: __m256i) -> __m256i {
    // SAFETY: the caller's processor has AVX2.
    unsafe {
        let table =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        let nibble = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bytes, nibble));
        let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble));
        _mm256_add_epi8(low, high)
    }
}

/// Returns which of sixteen numbers are zero.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn zeros(numbers: __m256i) -> u16 {
    // SAFETY: the caller's processor has AVX2.
    unsafe {
        let zero = _mm256_cmpeq_epi16(numbers, _mm256_setzero_si256());
        let packed = _mm_packs_epi16(_mm256_castsi256_si128(zero), _mm256_extracti128_si256::<1>(zero));
        _mm_movemask_epi8(packed) as u16
    }
}
