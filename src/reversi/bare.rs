//! Moves and flips on bare bitboards, for programs with a board of their own: anything may be asked, and what cannot be
//! a board has none.
//!
//! They take a few nanoseconds, so that even to look what the processor supports would be felt: once that is known, it
//! is read from one byte.

use super::kernel::{Kernel, full, moves};
#[cfg(target_arch = "x86_64")]
use crate::cpu::V3;
use crate::cpu::{Cpu, Operation, on_best_cpu};

/// Returns the legal squares in the main phase.
#[inline]
pub(crate) fn bare_moves(own: u64, opponent: u64, width: u32, height: u32) -> u64 {
    if !(2..=8).contains(&width) || !(2..=8).contains(&height) {
        return 0;
    }
    let full = full(width as u8, height as u8);
    if own & opponent | (own | opponent) & !full != 0 {
        return 0;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = V3::known() {
        return cpu.bare_moves(own, opponent, full);
    }
    moves_anywhere(own, opponent, full)
}

/// Returns the opponent's tiles that a tile on a square would flip.
#[inline]
pub(crate) fn bare_flips(square: u32, own: u64, opponent: u64) -> u64 {
    if square >= 64 || own & opponent != 0 || (own | opponent) >> square & 1 == 1 {
        return 0;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = V3::known() {
        return cpu.bare_flips(square as usize, own, opponent);
    }
    flips_anywhere(square, own, opponent)
}

#[inline(never)]
fn moves_anywhere(own: u64, opponent: u64, full: u64) -> u64 {
    on_best_cpu!(kernel => kernel.run(Moves { kernel, own, opponent, full }))
}

#[inline(never)]
fn flips_anywhere(square: u32, own: u64, opponent: u64) -> u64 {
    on_best_cpu!(kernel => kernel.run(Flips { kernel, square, own, opponent }))
}

struct Moves<K> {
    kernel: K,
    own: u64,
    opponent: u64,
    full: u64,
}

impl<K: Kernel> Operation for Moves<K> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        moves(self.kernel, self.own, self.opponent, self.full)
    }
}

struct Flips<K> {
    kernel: K,
    square: u32,
    own: u64,
    opponent: u64,
}

impl<K: Kernel> Operation for Flips<K> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        self.kernel.flips((self.square & 63) as usize, self.own, self.opponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::random::Rng;

    /// Words of any kind, and boards of any size: every level of processor gives the same.
    #[test]
    fn bare_boards_are_the_same_on_every_processor() {
        let mut rng = Rng::new(17);
        for round in 0..50_000 {
            let (width, height) = (rng.below(10) as u32, rng.below(10) as u32);
            let mut own = rng.next_u64() & rng.next_u64();
            let mut opponent = rng.next_u64() & if round % 2 == 0 { !own } else { !0 };
            if round % 4 == 0 && width <= 8 && (1..=8).contains(&height) {
                let on_board = full(width as u8, height as u8);
                (own, opponent) = (own & on_board, opponent & on_board);
            }
            let moves = || bare_moves(own, opponent, width, height);
            assert_eq!(moves(), Portable::only(moves), "{own:#x} {opponent:#x} {width} {height}");
            for square in 0..66 {
                let flips = || bare_flips(square, own, opponent);
                assert_eq!(flips(), Portable::only(flips), "{own:#x} {opponent:#x} {square}");
                // What is known of the processor is not used any more after a look at the portable path.
                #[cfg(target_arch = "x86_64")]
                if let Some(cpu) = V3::detect().filter(|_| flips() != 0) {
                    assert_eq!(cpu.bare_flips(square as usize, own, opponent), flips());
                }
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(cpu) = V3::detect().filter(|_| moves() != 0) {
                assert_eq!(cpu.bare_moves(own, opponent, full(width as u8, height as u8)), moves());
            }
        }
    }
}
