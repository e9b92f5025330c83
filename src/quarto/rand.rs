//! The pseudo-random numbers of the GNU C library, which the document's games depend on.

/// How many words the generator keeps.
const WORDS: usize = 31;

/// How far apart the two words are that make the next number.
const GAP: usize = 3;

/// What `srand` and `rand` do in the GNU C library, on any machine.
///
/// It is an additive generator: each word is the sum of those 31 and 3 places back, and a number is a word without its
/// lowest bit.
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
    /// Where the oldest word is, which the next one replaces.
    oldest: usize,
}

impl GlibcRand {
    /// Starts the stream that `srand(seed)` starts; the seed 0 is the same as 1.
    pub fn new(seed: u32) -> Self {
        // The seed is a signed int there: those from 2^31 on are negative, and so are their remainders.
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
