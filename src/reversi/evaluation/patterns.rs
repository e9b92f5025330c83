//! Patterns: parts of the 8 by 8 board whose contents are looked up as a whole.
//!
//! The contents of a pattern are a number in balanced ternary: a digit for each square, 1 for a tile of the player to
//! move, -1 for one of the opponent, 0 for none. Exchanging the players negates all numbers, so a move is a few
//! additions of vectors and a negation, and one table serves both players.

use super::WEIGHTS;
use super::weights::Weights;
use crate::error::{list, room, zeros};

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

    /// Returns the mirror image of each of its contents, which are counted from 0 here.
    pub(super) fn mirrored(&self) -> Vec<u16> {
        let mut mirrored = room(WEIGHTS, self.contents()).unwrap_or_else(|error| error.raise());
        mirrored.push(0u16);
        // Digit by digit, from the lowest: each moves to where its square is in the mirror image.
        for place in 0..self.squares.len() {
            let to = self.mirror.iter().position(|&from| usize::from(from) == place).unwrap_or(place);
            let power = 3u16.pow(to as u32);
            let lower = list(WEIGHTS, mirrored.iter().copied());
            for digit in 1..3 {
                mirrored.extend(lower.iter().map(|image| image + digit * power));
            }
        }
        mirrored
    }

    /// Returns how many contents stand for themselves and their mirror image: those that are not above it.
    pub(super) fn representatives(&self) -> usize {
        // Of contents that are their own image, squares that are each other's image are the same.
        let fixed = self.mirror.iter().zip(0..).filter(|&(&from, place)| place == from).count();
        let free = fixed + (self.squares.len() - fixed) / 2;
        (self.contents() + 3usize.pow(free as u32)) / 2
    }
}

/// How many patterns the board has: all images of the kinds under its eight symmetries.
#[cfg(feature = "train")]
const COUNT: usize = 46;

/// The same, rounded up to whole registers.
pub(super) const SLOTS: usize = 48;

/// How many of them are of each kind.
const IMAGES: [usize; KINDS.len()] = [4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4];

/// Where in a stage the weights of each kind begin.
const FIRSTS: [usize; KINDS.len()] = {
    let mut firsts = [0; KINDS.len()];
    let mut kind = 1;
    while kind < KINDS.len() {
        firsts[kind] = firsts[kind - 1] + KINDS[kind - 1].contents();
        kind += 1;
    }
    firsts
};

/// How many contents all kinds have together.
const STRIDE: usize = FIRSTS[KINDS.len() - 1] + KINDS[KINDS.len() - 1].contents();

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
    /// What tiles of the player to move add to the contents of each pattern, for each half of a row and each way to have
    /// tiles on its four squares.
    halves: Box<[[Features; 16]; 16]>,
    /// What makes the contents of each pattern an index that counts from 0.
    centers: Features,
    /// All weights, and [`WINDOW`] more, which nobody looks up.
    weights: Vec<i16>,
}

/// An index of 16 bits is always inside of a window of so many weights.
const WINDOW: usize = 1 << 16;

/// The contents of all patterns, from the point of view of the player to move: three registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(in crate::reversi) struct Features([[i16; LANES]; SLOTS / LANES]);

/// How many numbers a register holds.
const LANES: usize = 16;

impl Features {
    const NONE: Features = Features([[0; LANES]; SLOTS / LANES]);

    /// Combines two numbers for each pattern; a plain loop over whole registers, which becomes one instruction each.
    #[inline(always)]
    fn with(self, other: &Features, combine: impl Fn(i16, i16) -> i16) -> Features {
        let mut all = Features::NONE;
        for ((to, a), b) in all.0.iter_mut().zip(&self.0).zip(&other.0) {
            for lane in 0..LANES {
                to[lane] = combine(a[lane], b[lane]);
            }
        }
        all
    }

    /// Returns the features from the point of view of the other player.
    #[inline(always)]
    pub(super) fn turned(&self) -> Features {
        Features::NONE.with(self, i16::wrapping_sub)
    }

    #[cfg(feature = "train")]
    fn get(&self, slot: usize) -> i16 {
        self.0[slot / LANES][slot % LANES]
    }

    fn set(&mut self, slot: usize, number: i16) {
        self.0[slot / LANES][slot % LANES] = number;
    }
}

impl Patterns {
    pub(super) fn new(given: &Weights) -> Self {
        let mut halves = Box::new([[Features::NONE; 16]; 16]);
        let (mut centers, mut slot) = (Features::NONE, 0);
        let weights = zeros(WEIGHTS, STAGES * STRIDE + WINDOW);
        let mut weights = weights.unwrap_or_else(|error| error.raise());
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
                    let (half, tile) = half(usize::from(square));
                    halves[half][tile].set(slot, 3i16.pow(place));
                }
                centers.set(slot, kind.most() as i16);
                slot += 1;
            }
            assert_eq!(seen.len(), IMAGES[number], "the images of a kind");
            let mirrored = kind.mirrored();
            for stage in 0..STAGES {
                let all = &mut weights[stage * STRIDE + FIRSTS[number]..][..kind.contents()];
                let mut values = given.values(stage, number);
                for contents in 0..all.len() {
                    let image = usize::from(mirrored[contents]);
                    all[contents] = if image < contents { all[image] } else { values.next().unwrap_or(0) };
                }
            }
        }
        for half in &mut *halves {
            for tiles in 1..half.len() {
                let others = tiles & (tiles - 1);
                half[tiles] = half[others].with(&half[tiles ^ others], i16::wrapping_add);
            }
        }
        Patterns { halves, centers, weights }
    }

    /// Returns the features of a board.
    #[inline(always)]
    pub(super) fn features(&self, me: u64, op: u64) -> Features {
        // Without a branch that depends on the board, and as fast for a full one.
        let mut features = Features::NONE;
        for (half, place) in self.halves.iter().zip((0..64).step_by(4)) {
            let tiles = |side: u64| &half[(side >> place) as usize & 15];
            features = features.with(tiles(me), i16::wrapping_add).with(tiles(op), i16::wrapping_sub);
        }
        features
    }

    /// Returns what a tile of the player to move on a square adds to the contents of each pattern.
    #[inline(always)]
    fn power(&self, square: usize) -> &Features {
        let (half, tile) = half(square & 63);
        &self.halves[half][tile]
    }

    /// Returns what tiles of the player to move, which are few, add to the contents of each pattern.
    #[inline(always)]
    fn sum(&self, mut tiles: u64) -> Features {
        let mut sum = Features::NONE;
        while tiles != 0 {
            sum = sum.with(self.power(tiles.trailing_zeros() as usize), i16::wrapping_add);
            tiles &= tiles - 1;
        }
        sum
    }

    /// Returns the features after a move, from the point of view of the other player.
    #[inline(always)]
    pub(super) fn after(&self, features: &Features, square: usize, flips: u64) -> Features {
        // A tile that is flipped changes by two.
        let next = self
            .sum(flips)
            .with(features, |flipped, before| before.wrapping_add(flipped).wrapping_add(flipped));
        next.with(self.power(square), |before, new| 0i16.wrapping_sub(before).wrapping_sub(new))
    }

    /// Returns the expected disc difference at the end for the player to move, in units of 1/[`DISC`].
    #[inline(always)]
    pub(super) fn evaluate(&self, features: &Features, tiles: u32) -> i32 {
        let weights = &self.weights[stage(tiles) * STRIDE..];
        let indices = features.with(&self.centers, i16::wrapping_add);
        let mut indices = indices.0.as_flattened().iter();
        let mut sum = 0;
        for (first, images) in FIRSTS.into_iter().zip(IMAGES) {
            let window: &[i16; WINDOW] = weights[first..].first_chunk().expect("weights beyond the last");
            for &index in indices.by_ref().take(images) {
                sum += i32::from(window[usize::from(index as u16)]);
            }
        }
        sum.clamp(-MOST, MOST)
    }

    /// Returns the kind and the contents, counted from 0, of each pattern: what weights are trained by.
    #[cfg(feature = "train")]
    pub(super) fn contents(&self, features: &Features) -> [(u8, u16); COUNT] {
        let mut kinds =
            IMAGES.into_iter().zip(0..).flat_map(|(images, kind)| std::iter::repeat_n(kind, images));
        std::array::from_fn(|slot| {
            let contents = features.get(slot).wrapping_add(self.centers.get(slot)) as u16;
            (kinds.next().unwrap_or(0), contents)
        })
    }
}

/// Returns in which half of a row a square is, and a tile on it alone as a way to have tiles there.
#[inline(always)]
const fn half(square: usize) -> (usize, usize) {
    (square / 4, 1 << (square % 4))
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

#[cfg(test)]
mod tests {
    use super::super::learned;
    use super::*;
    use crate::moves::Moves;
    use crate::position::Position;
    use crate::random::Rng;
    use crate::reversi::Reversi;

    /// Looks every pattern up square by square, in the weights as they are in the file.
    fn evaluate_slowly(weights: &Weights, me: u64, op: u64) -> i32 {
        let stage = stage((me | op).count_ones());
        let mut sum = 0;
        for (number, kind) in KINDS.iter().enumerate() {
            let values: Vec<i16> = weights.values(stage, number).collect();
            let mut images: Vec<Vec<u8>> = Vec::new();
            for symmetry in 0..8 {
                let squares: Vec<u8> = kind.squares.iter().map(|&square| image(square, symmetry)).collect();
                let is_same = |other: &Vec<u8>| squares.iter().all(|square| other.contains(square));
                if images.iter().any(is_same) {
                    continue;
                }
                let digits: Vec<usize> = squares
                    .iter()
                    .map(|square| 1 + (me >> square & 1) as usize - (op >> square & 1) as usize)
                    .collect();
                let number_of = |digits: &[usize]| digits.iter().rev().fold(0, |sum, digit| 3 * sum + digit);
                let mirrored: Vec<usize> =
                    kind.mirror.iter().map(|&from| digits[usize::from(from)]).collect();
                let contents = number_of(&digits).min(number_of(&mirrored));
                // The weight of contents comes after those of all lower ones that are not above their mirror image.
                let mirrors = kind.mirrored();
                let before = (0..contents).filter(|&lower| usize::from(mirrors[lower]) >= lower).count();
                sum += i32::from(values[before]);
                images.push(squares);
            }
        }
        sum.clamp(-MOST, MOST)
    }

    #[test]
    fn evaluations_are_sums_over_the_file() {
        for game in 0..3 {
            let mut rng = Rng::for_game(5, game);
            let mut position = Reversi::default();
            while let Some(m) = position.moves().choose(&mut rng) {
                let (me, op) = position.sides();
                let found =
                    learned().patterns.evaluate(&learned().patterns.features(me, op), (me | op).count_ones());
                if position.to_string().len() % 4 == position.moves().len() % 4 {
                    assert_eq!(found, evaluate_slowly(&learned().weights, me, op), "{position}");
                }
                position.play_unchecked(m);
            }
        }
    }

    #[test]
    fn features_follow_the_moves() {
        let patterns = &learned().patterns;
        for game in 0..50 {
            let mut rng = Rng::for_game(6, game);
            let mut position = Reversi::default();
            while let Some(m) = position.moves().choose(&mut rng) {
                let (me, op) = position.sides();
                let flips = position.gains(m).bits() & !m.bit();
                let after = patterns.after(&patterns.features(me, op), m.index(), flips);
                assert_eq!(after, patterns.features(op & !flips, me | flips | m.bit()), "{position} {m}");
                assert_eq!(patterns.features(me, op).turned(), patterns.features(op, me));
                position.play_unchecked(m);
            }
        }
    }
}
