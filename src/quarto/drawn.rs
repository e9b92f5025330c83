//! How many full boards are a draw, counted without looking at each.
//!
//! The board is cut into its two upper and its two lower rows, and those into blocks of two by two squares. A block is two
//! pairs, each on two squares of a column, the outer one first in an upper block and the inner one first in a lower block;
//! then the square of the first pair in the block's upper row and that of the second pair in its lower row are always
//! those on a diagonal of the board. What can go wrong on a line is told by the values that the two pieces of one block
//! have in common, and those of the block on the line's other half:
//!
//! - rows are shared by the two upper blocks, and by the two lower ones;
//! - columns are shared by an upper block and the one below it, the first pair of one and the second of the other;
//! - a diagonal is shared by an upper block and the lower one on the other side.
//!
//! For each way to choose the pieces of the upper half, all ways to make pairs of them and of the others are run through;
//! which piece of each pair is above the other is then counted for all four pairs of both halves at once.

use super::symmetry;

/// The number of 4-sets among the eight pieces of a half, and of the ways to make two pairs, a first and a second, of one.
const QUARTERS: usize = 70;
const PAIRINGS: usize = 6;

/// Returns the values that two pieces have in common: bit `a` for attribute `a` if it is 1 in both, `4 + a` if it is 0.
const fn common(one: u8, other: u8) -> u8 {
    one & other | (!one & !other & 15) << 4
}

/// Four pieces as two pairs. Each of four turns says which piece of each pair is above the other.
#[derive(Clone, Copy, Default)]
struct Block {
    /// What the first and the second pair have in common.
    columns: [u8; 2],
    /// For each turn, what the pieces on the diagonal have in common.
    diagonals: [u8; 4],
    /// For each turn, what the pieces of the upper and of the lower row have in common.
    rows: [u16; 4],
}

impl Block {
    fn new(first: [u8; 2], second: [u8; 2]) -> Block {
        let turn = |turn: usize| {
            ([first[turn & 1], first[1 - (turn & 1)]], [second[turn >> 1], second[1 - (turn >> 1)]])
        };
        Block {
            columns: [common(first[0], first[1]), common(second[0], second[1])],
            diagonals: [0, 1, 2, 3].map(turn).map(|(first, second)| common(first[0], second[1])),
            rows: [0, 1, 2, 3].map(turn).map(|(first, second)| {
                u16::from(common(first[0], second[0])) << 8 | u16::from(common(first[1], second[1]))
            }),
        }
    }

    /// Returns whether no column of this block and of the one above or below it has anything in common.
    fn fits_columns(&self, other: &Block) -> bool {
        self.columns[0] & other.columns[1] | self.columns[1] & other.columns[0] == 0
    }

    /// Returns which turns of two blocks go together on the diagonal: bit `4 * this + other`.
    fn fits_diagonal(&self, other: &Block) -> u16 {
        fits(self.diagonals, other.diagonals)
    }

    /// Returns which turns of two blocks side by side go together in their rows: bit `4 * this + other`.
    fn fits_rows(&self, other: &Block) -> u16 {
        fits(self.rows, other.rows)
    }
}

/// Returns the pairs of sets that have no bit in common: bit `4 * first + second`.
#[inline(always)]
fn fits<T: Copy + Default + PartialEq + std::ops::BitAnd<Output = T>>(first: [T; 4], second: [T; 4]) -> u16 {
    let mut fitting = 0;
    for turn in 0..16 {
        fitting |= u16::from(first[turn / 4] & second[turn % 4] == T::default()) << turn;
    }
    fitting
}

/// All blocks that can be made of eight pieces: for each 4-set, all pairings.
struct Half {
    blocks: Box<[[Block; PAIRINGS]; QUARTERS]>,
}

/// The 4-sets of eight things in increasing order: the others of the first are the last, and so on.
fn quarters() -> impl Iterator<Item = u8> {
    (0..=u8::MAX).filter(|set| set.count_ones() == 4)
}

impl Half {
    fn new(set: u16) -> Half {
        let pieces: Vec<u8> = (0..16).filter(|piece| set >> piece & 1 == 1).collect();
        let mut blocks = Box::new([[Block::default(); PAIRINGS]; QUARTERS]);
        for (row, quarter) in blocks.iter_mut().zip(quarters()) {
            let mut four = (0..8).filter(|place| quarter >> place & 1 == 1).map(|place| pieces[place]);
            let mut next = || four.next().unwrap_or_default();
            let [a, b, c, d] = [next(), next(), next(), next()];
            // A pairing and the one with its pairs exchanged are three apart.
            let pairings = [([a, b], [c, d]), ([a, c], [b, d]), ([a, d], [b, c])];
            for (at, (first, second)) in pairings.into_iter().enumerate() {
                row[at] = Block::new(first, second);
                row[at + 3] = Block::new(second, first);
            }
        }
        Half { blocks }
    }
}

/// Repeats four groups of four bits: each within sixteen bits of its own.
fn spread(groups: u16) -> u64 {
    let groups = u64::from(groups);
    (groups & 0xf | (groups & 0xf0) << 12 | (groups & 0xf00) << 24 | (groups & 0xf000) << 36) * 0x1111
}

/// Repeats four groups of four bits, all together four times.
fn repeat(groups: u16) -> u64 {
    u64::from(groups) * 0x0001_0001_0001_0001
}

/// Returns, over all groups of four bits, how many bits each has times how many it has in the other word, summed up.
#[inline(always)]
fn sum_of_products(one: u64, other: u64) -> u64 {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let bits = |x: u64| {
        let x = x - (x >> 1 & 0x5555_5555_5555_5555);
        (x & 0x3333_3333_3333_3333) + (x >> 2 & 0x3333_3333_3333_3333)
    };
    let (one, other) = (bits(one), bits(other).swap_bytes());
    // The highest byte of a product adds up what stands in opposite bytes; no byte below overflows into it.
    ((one & LOW).wrapping_mul(other & LOW) >> 56) + ((one >> 4 & LOW).wrapping_mul(other >> 4 & LOW) >> 56)
}

/// Counts the drawn boards whose upper half holds these eight pieces.
fn boards_with_above(set: u16) -> u64 {
    let (above, below) = (Half::new(set), Half::new(!set));
    // For each pair of lower blocks side by side, the turns that go together.
    let rows_below: Vec<[[u64; PAIRINGS]; PAIRINGS]> = (0..QUARTERS)
        .map(|quarter| {
            let (left, right) = (&below.blocks[quarter], &below.blocks[QUARTERS - 1 - quarter]);
            left.map(|left| right.map(|right| repeat(left.fits_rows(&right))))
        })
        .collect();
    let mut count = 0;
    // The board may be reflected, so that the first quarter is on the left; and turned such that in each half the rows
    // and in each block the columns are exchanged, so that a pairing is on the left and not the exchanged one.
    for quarter in 0..QUARTERS / 2 {
        for left in &above.blocks[quarter][..PAIRINGS / 2] {
            let main: Vec<[u64; PAIRINGS]> = below
                .blocks
                .iter()
                .map(|blocks| blocks.map(|block| spread(left.fits_diagonal(&block))))
                .collect();
            for right in &above.blocks[QUARTERS - 1 - quarter] {
                let rows = spread(left.fits_rows(right));
                if rows == 0 {
                    continue;
                }
                for quarter in 0..QUARTERS {
                    let (lefts, rights) = (&below.blocks[quarter], &below.blocks[QUARTERS - 1 - quarter]);
                    let rights_main = &main[QUARTERS - 1 - quarter];
                    let fitting: [bool; PAIRINGS] = rights.map(|lower| right.fits_columns(&lower));
                    for (lower_left, rows_below) in lefts.iter().zip(&rows_below[quarter]) {
                        if !left.fits_columns(lower_left) {
                            continue;
                        }
                        // Turns of both left blocks: how many turns of the right block above go with them, times how
                        // many of the one below.
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

/// Returns a set of eight pieces for each class of them under the symmetries and taking the others, with its size.
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

/// Returns how many of the 16! ways to fill the board make no line: these are the games that end in a draw, apart from the
/// order in which the pieces were placed.
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

    /// Calls a function with every order of some pieces.
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

    /// Returns for every order of the pieces of a half that makes no line within it what is common on the other lines.
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

    /// Puts all fillings of one half beside all of the other, with nothing but the list of lines to go by.
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
            let image = symmetry::images_of_pieces(set).nth(map).unwrap_or_default();
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
