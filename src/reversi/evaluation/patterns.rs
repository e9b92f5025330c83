//! Patterns: parts of the 8 by 8 board whose contents are looked up as a whole.
//!
//! The contents of a pattern are a number in balanced ternary: a digit for each square, 1 for a tile of the player to
//! move, -1 for one of the opponent, 0 for none. Exchanging the players negates all numbers, so a move is a few
//! additions of vectors and a negation, and one table serves both players.

use super::weights::Weights;

/// The kinds of patterns, each by its squares, `8 * y + x`.
///
/// The mirror image of a pattern in itself, if it has one, is an order of its squares; without one it is the same order.
pub(super) const KINDS: [Kind; 11] = [
    // The three by three squares at a corner.
    Kind::new(&[0, 1, 2, 8, 9, 10, 16, 17, 18], &[0, 3, 6, 1, 4, 7, 2, 5, 8]),
    // An edge, and the two squares diagonally next to its corners.
    Kind::new(&[9, 0, 1, 2, 3, 4, 5, 6, 7, 14], &[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    // The two by five squares at a corner.
    Kind::new(&[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    // The second, third and fourth lines.
    Kind::new(&[8, 9, 10, 11, 12, 13, 14, 15], &[7, 6, 5, 4, 3, 2, 1, 0]),
    Kind::new(&[16, 17, 18, 19, 20, 21, 22, 23], &[7, 6, 5, 4, 3, 2, 1, 0]),
    Kind::new(&[24, 25, 26, 27, 28, 29, 30, 31], &[7, 6, 5, 4, 3, 2, 1, 0]),
    // The diagonals, from the longest to those of four squares.
    Kind::new(&[0, 9, 18, 27, 36, 45, 54, 63], &[7, 6, 5, 4, 3, 2, 1, 0]),
    Kind::new(&[1, 10, 19, 28, 37, 46, 55], &[6, 5, 4, 3, 2, 1, 0]),
    Kind::new(&[2, 11, 20, 29, 38, 47], &[5, 4, 3, 2, 1, 0]),
    Kind::new(&[3, 12, 21, 30, 39], &[4, 3, 2, 1, 0]),
    Kind::new(&[4, 13, 22, 31], &[3, 2, 1, 0]),
];

/// A kind of pattern.
pub(super) struct Kind {
    squares: &'static [u8],
    mirror: &'static [u8],
}

impl Kind {
    const fn new(squares: &'static [u8], mirror: &'static [u8]) -> Self {
        assert!(squares.len() == mirror.len());
        Kind { squares, mirror }
    }

    /// Returns how many contents it can have.
    pub(super) const fn contents(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// Returns the greatest number that its contents can be.
    const fn most(&self) -> i32 {
        (self.contents() as i32 - 1) / 2
    }

    /// Returns the number of the mirror image of contents, which are counted from 0 here.
    fn mirrored(&self, contents: usize) -> usize {
        let digit = |place: u8| contents / 3usize.pow(place.into()) % 3;
        self.mirror.iter().zip(0..).map(|(&from, to)| digit(from) * 3usize.pow(to)).sum()
    }

    /// Returns the contents, counted from 0, that stand for themselves and their mirror image.
    pub(super) fn representatives(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.contents()).filter(|&contents| contents <= self.mirrored(contents))
    }

    /// Writes a value for each contents from the values of the representatives.
    fn spread(&self, values: impl Iterator<Item = i16>, all: &mut [i16]) {
        for (contents, value) in self.representatives().zip(values) {
            all[contents] = value;
            all[self.mirrored(contents)] = value;
        }
    }
}

/// How many patterns the board has: all images of the kinds under its eight symmetries.
const COUNT: usize = 46;

/// The same, rounded up to whole registers.
pub(super) const SLOTS: usize = 48;

/// How many contents all kinds have together.
const STRIDE: usize = {
    let (mut sum, mut kind) = (0, 0);
    while kind < KINDS.len() {
        sum += KINDS[kind].contents();
        kind += 1;
    }
    sum
};

/// How many stages of the game have weights of their own.
pub(super) const STAGES: usize = 12;

/// Returns the stage of a position with so many tiles.
#[inline(always)]
pub(super) fn stage(tiles: u32) -> usize {
    (tiles.saturating_sub(4) as usize / 5).min(STAGES - 1)
}

/// The unit of evaluations: a disc is so many.
pub(in crate::reversi) const DISC: i32 = 128;

/// The greatest evaluation, less than the difference of a won game can be.
const MOST: i32 = 64 * DISC - 1;

/// The weights, ready to be looked up.
pub(super) struct Patterns {
    /// What a tile of the player to move on each square adds to the contents of each pattern.
    powers: Box<[[i16; SLOTS]; 64]>,
    /// Where in a stage the contents 0 of each pattern are.
    centers: [i32; SLOTS],
    /// The kind of each pattern.
    kinds: [usize; COUNT],
    weights: Vec<i16>,
}

/// The contents of all patterns, from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(in crate::reversi) struct Features([i16; SLOTS]);

impl Features {
    /// Returns the features from the point of view of the other player.
    #[inline(always)]
    pub(super) fn turned(&self) -> Features {
        Features(self.0.map(|digit| -digit))
    }
}

impl Patterns {
    pub(super) fn new(given: &Weights) -> Self {
        let mut powers = Box::new([[0; SLOTS]; 64]);
        let (mut centers, mut kinds) = ([0; SLOTS], [0; COUNT]);
        let (mut slot, mut first) = (0, 0);
        for (number, kind) in KINDS.iter().enumerate() {
            let mut seen: Vec<Vec<u8>> = Vec::new();
            for symmetry in 0..8 {
                let squares: Vec<u8> = kind.squares.iter().map(|&square| image(square, symmetry)).collect();
                let mut sorted = squares.clone();
                sorted.sort_unstable();
                if seen.contains(&sorted) {
                    continue;
                }
                seen.push(sorted);
                for (&square, place) in squares.iter().zip(0..) {
                    powers[usize::from(square)][slot] = 3i16.pow(place);
                }
                centers[slot] = first + kind.most();
                kinds[slot] = number;
                slot += 1;
            }
            first += kind.contents() as i32;
        }
        assert_eq!((slot, first as usize), (COUNT, STRIDE), "the patterns of the kinds");
        let mut weights = vec![0; STAGES * STRIDE];
        for (stage, all) in weights.chunks_exact_mut(STRIDE).enumerate() {
            let mut rest = all;
            for (number, kind) in KINDS.iter().enumerate() {
                let (all, others) = rest.split_at_mut(kind.contents());
                kind.spread(given.values(stage, number), all);
                rest = others;
            }
        }
        Patterns { powers, centers, kinds, weights }
    }

    /// Returns the features of a board.
    #[inline(always)]
    pub(super) fn features(&self, me: u64, op: u64) -> Features {
        let mut features = Features([0; SLOTS]);
        for (mut tiles, sign) in [(me, 1), (op, -1)] {
            while tiles != 0 {
                let powers = &self.powers[tiles.trailing_zeros() as usize & 63];
                for (digit, power) in features.0.iter_mut().zip(powers) {
                    *digit += sign * power;
                }
                tiles &= tiles - 1;
            }
        }
        features
    }

    /// Returns the features after a move, from the point of view of the other player.
    #[inline(always)]
    pub(super) fn after(&self, features: &Features, square: usize, mut flips: u64) -> Features {
        let mut sums = [0; SLOTS];
        while flips != 0 {
            let powers = &self.powers[flips.trailing_zeros() as usize & 63];
            for (sum, power) in sums.iter_mut().zip(powers) {
                *sum += power;
            }
            flips &= flips - 1;
        }
        let powers = &self.powers[square & 63];
        let mut next = Features([0; SLOTS]);
        for slot in 0..SLOTS {
            next.0[slot] = -(features.0[slot] + powers[slot] + 2 * sums[slot]);
        }
        next
    }

    /// Returns the expected disc difference at the end for the player to move, in units of 1/[`DISC`].
    #[inline(always)]
    pub(super) fn evaluate(&self, features: &Features, tiles: u32) -> i32 {
        let first = stage(tiles) * STRIDE;
        let weights = &self.weights[first..first + STRIDE];
        let mut sum = 0;
        for slot in 0..COUNT {
            sum += i32::from(weights[(self.centers[slot] + i32::from(features.0[slot])) as usize]);
        }
        sum.clamp(-MOST, MOST)
    }

    /// Returns the kind and the contents, counted from 0, of each pattern: what weights are trained by.
    pub(super) fn contents(&self, features: &Features) -> [(u8, u16); COUNT] {
        std::array::from_fn(|slot| {
            let kind = self.kinds[slot];
            let contents = (KINDS[kind].most() + i32::from(features.0[slot])) as usize;
            (kind as u8, contents.min(KINDS[kind].mirrored(contents)) as u16)
        })
    }
}

/// Returns the image of a square under one of the eight symmetries of the board.
const fn image(square: u8, symmetry: u8) -> u8 {
    let (mut x, mut y) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        x = 7 - x;
    }
    if symmetry & 2 != 0 {
        y = 7 - y;
    }
    if symmetry & 4 != 0 { 8 * x + y } else { 8 * y + x }
}
