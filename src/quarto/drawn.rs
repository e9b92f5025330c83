//! The number of full boards that are a draw, counted without enumerating them.
//!
//! The board is split into two halves, its upper two and its lower two rows, and each half into two blocks of two by
//! two squares. A block is two pairs, each on two squares of a column, the outer one first in an upper block and the
//! inner one first in a lower block; then the upper square of the first pair and the lower square of the second are
//! always those on a diagonal of the board. Whether four pieces in a line have something in common depends only on what
//! the two pieces in each of its blocks have in common:
//!
//! - rows are shared by the two upper blocks, and by the two lower ones;
//! - columns by an upper block and the one below it, the first pair of one and the second of the other;
//! - a diagonal by an upper block and the lower one on the other side.
//!
//! For each choice of the pieces of the upper half, all ways to pair them and the others are enumerated; the ways to
//! orient the pairs, that is, which piece is above the other, are then counted for all of them at once.

use super::symmetry;

/// The number of 4-subsets of the eight pieces of a half, and of the ways to split one into a first and a second pair.
const SUBSETS: usize = 70;
const PAIRINGS: usize = 6;

/// Returns the values that two pieces have in common: bit `a` for attribute `a` if it is 1 in both, `4 + a` if it is 0.
const fn common(one: u8, other: u8) -> u8 {
    one & other | (!one & !other & 15) << 4
}

/// Four pieces as two pairs. Each of its four orientations says which piece of each pair is above the other.
#[derive(Clone, Copy, Default)]
struct Block {
    /// What the first and the second pair have in common.
    columns: [u8; 2],
    /// For each orientation, what the pieces on the diagonal have in common.
    diagonals: [u8; 4],
    /// For each orientation, what the pieces of the upper and of the lower row have in common.
    rows: [u16; 4],
}

impl Block {
    fn new(first: [u8; 2], second: [u8; 2]) -> Block {
        let oriented = |orientation: usize| {
            let (a, b) = (orientation & 1, orientation >> 1);
            ([first[a], first[1 - a]], [second[b], second[1 - b]])
        };
        Block {
            columns: [common(first[0], first[1]), common(second[0], second[1])],
            diagonals: [0, 1, 2, 3].map(oriented).map(|(first, second)| common(first[0], second[1])),
            rows: [0, 1, 2, 3].map(oriented).map(|(first, second)| {
                u16::from(common(first[0], second[0])) << 8 | u16::from(common(first[1], second[1]))
            }),
        }
    }

    /// Returns whether the pieces of no column have anything in common, given the block above or below this one.
    fn fits_columns(&self, other: &Block) -> bool {
        self.columns[0] & other.columns[1] | self.columns[1] & other.columns[0] == 0
    }

    /// Returns which orientations of two blocks are compatible on the diagonal: bit `4 * this + other`.
    fn fits_diagonal(&self, other: &Block) -> u16 {
        fits(self.diagonals, other.diagonals)
    }

    /// Returns which orientations of two blocks side by side are compatible in their rows: bit `4 * this + other`.
    fn fits_rows(&self, other: &Block) -> u16 {
        fits(self.rows, other.rows)
    }
}

/// Returns the pairs of disjoint sets: bit `4 * first + second`.
#[inline(always)]
fn fits<T: Copy + Default + PartialEq + std::ops::BitAnd<Output = T>>(first: [T; 4], second: [T; 4]) -> u16 {
    let mut fitting = 0;
    for pair in 0..16 {
        fitting |= u16::from(first[pair / 4] & second[pair % 4] == T::default()) << pair;
    }
    fitting
}

/// All blocks of the eight pieces of a half: for each 4-subset, all pairings.
struct Half {
    blocks: Box<[[Block; PAIRINGS]; SUBSETS]>,
}

/// The 4-subsets of eight elements in increasing order, so that the first is the complement of the last, and so on.
fn subsets() -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(|set| set.count_ones() == 4)
}

impl Half {
    fn new(set: u16) -> Half {
        let pieces: Vec<u8> = (0..16).filter(|piece| set >> piece & 1 == 1).collect();
        let mut blocks = Box::new([[Block::default(); PAIRINGS]; SUBSETS]);
        for (row, subset) in blocks.iter_mut().zip(subsets()) {
            let mut four = (0..8).filter(|place| subset >> place & 1 == 1).map(|place| pieces[place]);
            let mut next = || four.next().expect("a subset has four pieces");
            let [a, b, c, d] = [next(), next(), next(), next()];
            // A pairing and the one with its pairs swapped are three apart.
            let pairings = [([a, b], [c, d]), ([a, c], [b, d]), ([a, d], [b, c])];
            for (at, (first, second)) in pairings.into_iter().enumerate() {
                row[at] = Block::new(first, second);
                row[at + 3] = Block::new(second, first);
            }
        }
        Half { blocks }
    }
}

/// Repeats each of four groups of four bits four times.
fn spread(groups: u16) -> u64 {
    let groups = u64::from(groups);
    (groups & 0xf | (groups & 0xf0) << 12 | (groups & 0xf00) << 24 | (groups & 0xf000) << 36) * 0x1111
}

/// Repeats a word of sixteen bits four times.
fn repeat(groups: u16) -> u64 {
    u64::from(groups) * 0x0001_0001_0001_0001
}

/// Returns the sum, over all groups of four bits, of the number of bits in one word times the number in the other.
#[inline(always)]
fn sum_of_products(one: u64, other: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let bits = |x: u64| {
        let x = x - (x >> 1 & 0x5555_5555_5555_5555);
        (x & 0x3333_3333_3333_3333) + (x >> 2 & 0x3333_3333_3333_3333)
    };
    let (one, other) = (bits(one), bits(other).swap_bytes());
    // The highest byte of the product sums the products of opposite bytes; no byte below overflows into it.
    ((one & LOW).wrapping_mul(other & LOW) >> 56) + ((one >> 4 & LOW).wrapping_mul(other >> 4 & LOW) >> 56)
}

/// Counts the drawn boards with these eight pieces in the upper half.
fn boards_with_above(set: u16) -> u64 {
    let (above, below) = (Half::new(set), Half::new(!set));
    // For each pair of lower blocks side by side, the compatible orientations.
    let rows_below: Vec<[[u64; PAIRINGS]; PAIRINGS]> = (0..SUBSETS)
        .map(|subset| {
            let (left, right) = (&below.blocks[subset], &below.blocks[SUBSETS - 1 - subset]);
            left.map(|left| right.map(|right| repeat(left.fits_rows(&right))))
        })
        .collect();
    let mut count = 0;
    // Two symmetries halve the work each: mirroring the board puts the first subset on the left, and swapping the rows
    // of each half and the columns of each block makes only one of a pairing and its swap necessary on the left.
    for subset in 0..SUBSETS / 2 {
        for left in &above.blocks[subset][..PAIRINGS / 2] {
            let main: Vec<[u64; PAIRINGS]> = below
                .blocks
                .iter()
                .map(|blocks| blocks.map(|block| spread(left.fits_diagonal(&block))))
                .collect();
            for right in &above.blocks[SUBSETS - 1 - subset] {
                let rows = spread(left.fits_rows(right));
                if rows == 0 {
                    continue;
                }
                for subset in 0..SUBSETS {
                    let (lefts, rights) = (&below.blocks[subset], &below.blocks[SUBSETS - 1 - subset]);
                    let rights_main = &main[SUBSETS - 1 - subset];
                    let fitting: [bool; PAIRINGS] = rights.map(|lower| right.fits_columns(&lower));
                    for (lower_left, rows_below) in lefts.iter().zip(&rows_below[subset]) {
                        if !left.fits_columns(lower_left) {
                            continue;
                        }
                        // For each orientation of both left blocks: the number of compatible ones of the upper right
                        // block, times those of the lower right one.
                        let upper = rows & repeat(lower_left.fits_diagonal(right));
                        for at in 0..PAIRINGS {
                            if fitting[at] {
                                count += sum_of_products(upper, rights_main[at] & rows_below[at]);
                            }
                        }
                    }
                }
            }
        }
    }
    4 * count
}

/// Returns a representative of each class of sets of eight pieces under symmetry and complement, with the size of the
/// class.
fn classes() -> Vec<(u16, u64)> {
    let mut seen = vec![false; 1 << 16];
    let mut classes = Vec::new();
    for set in (0..=u16::MAX).filter(|set| set.count_ones() == 8) {
        if seen[usize::from(set)] {
            continue;
        }
        let mut size = 0;
        for image in symmetry::images_of_pieces(set) {
            for set in [image, !image] {
                size += u64::from(!seen[usize::from(set)]);
                seen[usize::from(set)] = true;
            }
        }
        classes.push((set, size));
    }
    classes
}

/// Returns how many of the 16! ways to fill the board have no winning line: the drawn games, regardless of the order in
/// which the pieces were placed.
///
/// ```
/// assert_eq!(petteia::quarto::drawn_boards(), 414_298_141_056);
/// ```
pub fn drawn_boards() -> u64 {
    classes().into_iter().map(|(set, size)| size * boards_with_above(set)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quarto::lines::LINES;

    /// Calls a function with every permutation of some pieces.
    fn orders(pieces: &mut [u8], from: usize, take: &mut impl FnMut(&[u8])) {
        if from == pieces.len() {
            return take(pieces);
        }
        for at in from..pieces.len() {
            pieces.swap(from, at);
            orders(pieces, from + 1, take);
            pieces.swap(from, at);
        }
    }

    /// Returns, for every arrangement of the pieces of a half without a winning line in it, what is common on the other
    /// lines.
    fn fillings(set: u16, half: u16) -> Vec<u64> {
        let squares: Vec<usize> = (0..16).filter(|square| half >> square & 1 == 1).collect();
        let mut pieces: Vec<u8> = (0..16).filter(|piece| set >> piece & 1 == 1).collect();
        let mut found = Vec::new();
        orders(&mut pieces, 0, &mut |pieces| {
            let values = |line: u16| {
                let on_line = squares.iter().zip(pieces).filter(|(square, _)| line >> *square & 1 == 1);
                on_line.fold(0xff, |all, (_, &piece)| all & (piece | !piece << 4))
            };
            let (within, across): (Vec<u16>, Vec<u16>) = LINES.iter().partition(|&&line| line & !half == 0);
            if within.into_iter().all(|line| values(line) == 0) {
                let across = across.into_iter().filter(|line| line & half != 0);
                found.push(across.fold(0, |all, line| all << 8 | u64::from(values(line))));
            }
        });
        found
    }

    /// Combines all fillings of one half with all of the other, using only the list of lines.
    #[test]
    fn two_halves_are_counted_as_by_looking_at_each() {
        let set = 0b1011_0010_1100_0101;
        let (above, below) = (fillings(set, 0x00ff), fillings(!set, 0xff00));
        let fitting = |one: &u64| below.iter().filter(|&other| one & other == 0).count() as u64;
        let count: u64 = above.iter().map(fitting).sum();
        assert!(count > 0);
        assert_eq!(boards_with_above(set), count);
    }

    #[test]
    fn classes_take_in_all_halves() {
        let classes = classes();
        assert_eq!(classes.iter().map(|(_, size)| size).sum::<u64>(), 12_870);
        for (set, _) in classes.into_iter().step_by(9) {
            let map = 5 * 16 + 11;
            let image = symmetry::images_of_pieces(set).nth(map).expect("there are more images");
            assert_eq!(boards_with_above(set), boards_with_above(!image));
        }
    }

    #[test]
    fn products_are_summed_up() {
        let words = [0, u64::MAX, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x8421_7bde_f0f0_1337];
        for one in words {
            for other in words {
                let bits = |word: u64, group: u32| u64::from((word >> (4 * group) & 15).count_ones());
                let sum = (0..16).map(|group| bits(one, group) * bits(other, group)).sum::<u64>();
                assert_eq!(sum_of_products(one, other), sum);
            }
        }
    }
}
