//! The portable code and the code for newer processors give the same results.

use std::fmt::Debug;

use arbitrary::Result;
use petteia::cpu::{Cpu, Portable};
use petteia::prelude::*;
use petteia::vector::{Batch, Illegal, VectorEnv};
use petteia::{OnCpu, SolveOptions, with_position};

use super::{Bytes, position, with_bytes};

pub fn law(data: &[u8]) {
    with_bytes(data, |bytes| {
        bits(bytes)?;
        with_position!(position(bytes)?, position => operations(&position, bytes))
    });
}

/// Compares an operation on both paths.
fn both<T: PartialEq + Debug>(operation: impl Fn() -> T) {
    assert_eq!(operation(), Portable::only(&operation));
}

fn operations<P: Engine + OnCpu>(position: &P, bytes: &mut Bytes<'_>) -> Result<()> {
    let seed: u64 = bytes.arbitrary()?;
    // Large boards take long.
    let small = position.observation_len() <= 128;
    let depth = if small { bytes.int_in_range(0..=3)? } else { 1 };
    both(|| position.perft(depth));
    both(|| position.playouts(seed..seed.saturating_add(if small { 6 } else { 1 }), seed));
    let options = SolveOptions {
        node_limit: Some(bytes.int_in_range(1..=300)?),
        table_bytes: Some(1 << 12),
        all_best: bytes.arbitrary()?,
        empties_to_winner: P::COUNTS_SQUARES && bytes.arbitrary()?,
        ..SolveOptions::default()
    };
    both(|| position.solve(&options).map(|s| (s.lower, s.upper, s.exact, s.nodes, s.best_moves, s.line)));
    both(|| {
        let mut env = VectorEnv::new(position.clone(), 3, seed, 1, Illegal::Lose).expect("three lanes");
        let tally = env.rollout(5);
        (tally, [0, 1, 2].map(|lane| env.lane(lane)))
    });
    hooks(Portable, position);
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = petteia::cpu::V3::detect() {
        hooks(cpu, position);
    }
    Ok(())
}

/// The hooks write what the plain methods write.
fn hooks<P: OnCpu>(cpu: impl Cpu, position: &P) {
    let [mut plain, mut hooked] = [(); 2].map(|()| vec![9; position.observation_len()]);
    position.write_planes(&mut plain);
    position.write_planes_on(cpu, &mut hooked);
    assert_eq!(plain, hooked);
    let [mut plain, mut hooked] = [(); 2].map(|()| vec![9; position.num_actions()]);
    position.write_mask(&mut plain);
    position.write_mask_on(cpu, &mut hooked);
    assert_eq!(plain, hooked);
    let [mut plain, mut hooked] = [(); 2].map(|()| Vec::new());
    position.push_cells(&mut plain);
    position.push_cells_on(cpu, &mut hooked);
    assert_eq!(plain, hooked);
}

/// The operations on bits that everything else is made of.
fn bits(bytes: &mut Bytes<'_>) -> Result<()> {
    #[cfg(target_arch = "x86_64")]
    if let Some(fast) = petteia::cpu::V3::detect() {
        let words: [u64; 2] = bytes.arbitrary()?;
        assert_eq!(fast.apart(words[0] as u32), Portable.apart(words[0] as u32));
        assert!((0..words[0].count_ones()).all(|n| fast.nth(words[0], n) == Portable.nth(words[0], n)));
        let mut spread = [[9; 130]; 2];
        let length = bytes.int_in_range(0..=130)?;
        fast.spread(&words, &mut spread[0][..length]);
        Portable.spread(&words, &mut spread[1][..length]);
        assert_eq!(spread[0], spread[1]);
    }
    Ok(())
}
