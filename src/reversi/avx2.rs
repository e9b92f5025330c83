//! The kernel for x86-64 processors with AVX2 and BMI2: the four axes of a board side by side in one register.

// A documented fast path: intrinsics are unsafe to call where the compiler cannot see that the processor supports them.
// All of this is inlined into operations that `V3::run` compiles for its level.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

#[cfg(feature = "capi")]
use super::kernel;
use super::kernel::{Kernel, RAYS};
use crate::cpu::V3;

impl Kernel for V3 {
    #[inline(always)]
    fn reach(self, me: u64, op: u64) -> u64 {
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe { any(reach(splat(me), splat(op))) }
    }

    #[inline(always)]
    fn flips(self, square: usize, me: u64, op: u64) -> u64 {
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe { any(flips(square, splat(me), splat(op))) }
    }

    #[inline(always)]
    fn reach_after(self, square: usize, me: u64, op: u64) -> u64 {
        // The flips never leave the vector registers: they are joined in all four elements at once.
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe {
            let (me, op) = (splat(me), splat(op));
            let lines = flips(square, me, op);
            let halves = _mm256_or_si256(lines, _mm256_permute4x64_epi64::<0b01_00_11_10>(lines));
            let flips = _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves));
            let tile = splat(1 << (square & 63));
            any(reach(_mm256_andnot_si256(flips, op), _mm256_or_si256(_mm256_or_si256(me, flips), tile)))
        }
    }
}

/// The operations on bitboards that C programs call one at a time, with their arguments in registers.
#[cfg(feature = "capi")]
impl V3 {
    /// Returns the legal squares in the main phase.
    #[inline(always)]
    pub(super) fn bare_moves(self, me: u64, op: u64, full: u64) -> u64 {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn run(cpu: V3, me: u64, op: u64, full: u64) -> u64 {
            kernel::moves(cpu, me, op, full)
        }
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe { run(self, me, op, full) }
    }

    /// Returns the flips of a move.
    #[inline(always)]
    pub(super) fn bare_flips(self, square: usize, me: u64, op: u64) -> u64 {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn run(cpu: V3, square: usize, me: u64, op: u64) -> u64 {
            cpu.flips(square, me, op)
        }
        // SAFETY: a `V3` proves that the processor has the instructions.
        unsafe { run(self, square, me, op) }
    }
}

/// Copies a board to all four elements.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn splat(board: u64) -> __m256i {
    // SAFETY: the caller's processor has AVX2; no memory is touched.
    unsafe { _mm256_set1_epi64x(board as i64) }
}

/// Returns the squares that the player reaches along each axis.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn reach(me: __m256i, op: __m256i) -> __m256i {
    // SAFETY: the caller's processor has AVX2; no memory is touched.
    unsafe {
        let step = _mm256_setr_epi64x(1, 7, 8, 9);
        let two = _mm256_setr_epi64x(2, 14, 16, 18);
        const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
        let op = _mm256_and_si256(op, _mm256_setr_epi64x(INNER, INNER, -1, INNER));
        let mut up = _mm256_and_si256(op, _mm256_sllv_epi64(me, step));
        let mut down = _mm256_and_si256(op, _mm256_srlv_epi64(me, step));
        up = _mm256_or_si256(up, _mm256_and_si256(op, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(op, _mm256_srlv_epi64(down, step)));
        let pairs_up = _mm256_and_si256(op, _mm256_sllv_epi64(op, step));
        let pairs_down = _mm256_srlv_epi64(pairs_up, step);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step))
    }
}

/// Returns the tiles that a tile on the given square flips along each axis.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn flips(square: usize, me: __m256i, op: __m256i) -> __m256i {
    let rays = &RAYS[square & 63].0;
    // SAFETY: the caller's processor has AVX2; both loads are inside `rays`, which is aligned to 64 bytes.
    unsafe {
        let up = _mm256_load_si256(rays.as_ptr().cast());
        let down = _mm256_load_si256(rays.as_ptr().add(4).cast());
        let zero = _mm256_setzero_si256();

        // Upwards, the first stop is the lowest bit.
        let stops = _mm256_andnot_si256(op, up);
        let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
        let open = _mm256_cmpeq_epi64(_mm256_and_si256(first, me), zero);
        let before = _mm256_and_si256(_mm256_add_epi64(first, _mm256_set1_epi64x(-1)), up);
        let flips_up = _mm256_andnot_si256(open, before);

        // Downwards, it is the highest: smear the stops down the axis, and what stays clear lies before the first.
        let step = _mm256_setr_epi64x(1, 7, 8, 9);
        let stops = _mm256_andnot_si256(op, down);
        let mut shade = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, _mm256_setr_epi64x(2, 14, 16, 18)));
        shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, _mm256_setr_epi64x(4, 28, 32, 36)));
        let first = _mm256_andnot_si256(_mm256_srlv_epi64(shade, step), stops);
        let open = _mm256_cmpeq_epi64(_mm256_and_si256(first, me), zero);
        let before = _mm256_andnot_si256(shade, down);
        let flips_down = _mm256_andnot_si256(open, before);

        _mm256_or_si256(flips_up, flips_down)
    }
}

/// Joins the four elements.
///
/// # Safety
///
/// The processor has AVX2.
#[inline(always)]
unsafe fn any(lines: __m256i) -> u64 {
    // SAFETY: the caller's processor has AVX2; no memory is touched.
    unsafe {
        let two = _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256::<1>(lines));
        (_mm_cvtsi128_si64(two) | _mm_extract_epi64::<1>(two)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_portable_kernel() {
        // A processor without AVX2 uses the portable kernel.
        if let Some(kernel) = V3::detect() {
            super::super::kernel::tests::check_equal(kernel);
        }
    }
}
