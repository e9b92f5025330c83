//! The pseudo-random numbers of the GNU C library, which the games of the course's assignment depend on.

/// How many words of state the generator has.
const WORDS: usize = 31;

/// The distance between the two words that are added.
const GAP: usize = 3;

/// The `srand` and `rand` of the GNU C library, on any machine.
///
/// It is an additive generator: each word is the sum of the words 31 and 3 places before it, and a number is a word
/// without its lowest bit.
///
/// ```
/// use petteia::quarto::GlibcRand;
///
/// let mut stream = GlibcRand::new(1);
/// assert_eq!(stream.rand(), 1_804_289_383);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlibcRand {
    words: [u32; WORDS],
    /// The index of the oldest word, which the next one replaces.
    oldest: usize,
}

impl GlibcRand {
    /// Starts the stream of `srand(seed)`; seed 0 is the same as 1.
    pub fn new(seed: u32) -> Self {
        // The C library treats the seed as a signed int: from 2^31 on it is negative, and so are the remainders.
        let mut word = i64::from(seed.max(1) as i32);
        let words = std::array::from_fn(|i| {
            if i > 0 {
                word = 16_807 * word % 0x7fff_ffff;
                if word < 0 {
                    word += 0x7fff_ffff;
                }
            }
            word as u32
        });
        let mut stream = GlibcRand { words, oldest: GAP };
        for _ in 0..10 * WORDS {
            stream.rand();
        }
        stream
    }

    /// Returns the next number, which is below 2^31.
    pub fn rand(&mut self) -> u32 {
        let recent = (self.oldest + WORDS - GAP) % WORDS;
        let word = self.words[self.oldest].wrapping_add(self.words[recent]);
        self.words[self.oldest] = word;
        self.oldest = (self.oldest + 1) % WORDS;
        word >> 1
    }
}
