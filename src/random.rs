//! The seeded random number generator: small, fast, and the same on every platform.

/// A stream of random numbers determined by its seed (SplitMix64 by Steele, Lea and Flood, 2014).
///
/// It is for games and tests, not for cryptography.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

/// The odd number nearest to 2^64 divided by the golden ratio: consecutive multiples are far apart.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes every input bit into all output bits.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// Starts the stream of a seed.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Rng { state: seed }
    }

    /// Starts the stream of one of many games: each pair of seed and game has its own.
    #[inline]
    pub const fn for_game(seed: u64, game: u64) -> Self {
        Rng { state: mix(mix(seed.wrapping_add(STEP)) ^ game.wrapping_mul(STEP)) }
    }

    /// Returns the state of the stream: as a seed, it continues from here.
    #[inline]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Returns the next number of the stream, uniform over all 64-bit numbers.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Returns a number below `n`, exactly uniform (Lemire's method, 2019).
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "no number is below 0");
        let n = n as u64;
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            // The few low parts below 2^64 mod n would bias the result: draw again.
            let surplus = n.wrapping_neg() % n;
            while (wide as u64) < surplus {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_is_the_published_one() {
        // The first outputs of SplitMix64 for seed 1234567, as listed with its reference implementation.
        let mut rng = Rng::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        for n in 1..20 {
            let mut hits = vec![0u32; n];
            for _ in 0..n * 10_000 {
                hits[rng.below(n)] += 1;
            }
            assert!(hits.iter().all(|hit| (9_500..10_500).contains(hit)), "{n}: {hits:?}");
        }
    }
}
