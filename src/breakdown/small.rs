//! Boards of up to 128 cells: a colour is one machine word, a rule a handful of shifts.
//!
//! Bit `r * width + c` is the cell in row `r` and column `c`, so a shift by 1 is a step to the side and one by the width
//! is a step up or down.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, Not, Shl, Shr};

use super::bits::Bits;
use super::moves::Moves;
use super::notation::Move;
use super::position::Shape;
use crate::cpu::Cpu;
use crate::position::{Outcome, Player};

/// What the rules need of a machine word.
pub(super) trait Word:
    Copy
    + Eq
    + Debug
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Mul<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;
    const ZERO: Self;

    /// Returns the word with every `width`-th bit set, from bit 0 on.
    fn every(width: u32) -> Self;

    /// Returns the place of the lowest set bit.
    fn first(self) -> u32;

    /// Returns the number of set bits.
    fn count(self) -> u32;

    /// Returns the place of the n-th set bit, counted from 0; there must be more than `n`.
    fn nth(self, cpu: impl Cpu, n: u32) -> u32;

    /// Returns the word as the wider of the two.
    fn widen(self) -> u128;

    /// Returns the word with the `count` lowest bits set.
    #[inline]
    fn low(count: u32) -> Self {
        if count >= Self::BITS { !Self::ZERO } else { !(!Self::ZERO << count) }
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn every(width: u32) -> Self {
                const TABLE: [$word; <$word>::BITS as usize + 1] = {
                    let mut table = [1; <$word>::BITS as usize + 1];
                    let mut width = 1;
                    while width < <$word>::BITS as usize {
                        let mut bit = width;
                        while bit < <$word>::BITS as usize {
                            table[width] |= 1 << bit;
                            bit += width;
                        }
                        width += 1;
                    }
                    table
                };
                TABLE[width as usize]
            }

            #[inline]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn nth(self, cpu: impl Cpu, n: u32) -> u32 {
                let low = (self as u64).count_ones();
                if Self::BITS == 64 || n < low {
                    cpu.nth(self as u64, n)
                } else {
                    64 + cpu.nth((u128::from(self) >> 64) as u64, n - low)
                }
            }

            #[inline]
            fn widen(self) -> u128 {
                u128::from(self)
            }
        }
    };
}

word!(u64);
word!(u128);

/// The rules for boards of one shape, as masks that cost next to nothing to make.
#[derive(Clone, Copy)]
pub(super) struct Engine<W> {
    width: u32,
    area: u32,
    /// The length of a stick and the side of a square, cut to where they fit or 1 where they do not.
    stick: [u32; 2],
    square: u32,
    /// The leftmost column.
    column: W,
    /// Where upright and lying sticks can start in the top row.
    entries: [W; 2],
    /// An upright and a lying stick in the top left corner.
    sticks: [W; 2],
    /// How far above the first bit beneath it a stick's first bit lies.
    lengths: [u32; 2],
    /// Where the top left corner of a square can be.
    corners: W,
}

impl<W: Word> Engine<W> {
    #[inline]
    pub(super) fn new(shape: &Shape) -> Self {
        let Shape { width, height, stick, square } = *shape;
        let area = width * height;
        let column = W::every(width) & W::low(area);
        let (upright, lying) = (stick <= height, stick <= width);
        let lengths = [if upright { stick } else { 1 }, if lying { stick } else { 1 }];
        let fits = square <= width.min(height);
        Engine {
            width,
            area,
            stick: lengths,
            square: if fits { square } else { 1 },
            column,
            entries: [
                if upright { W::low(width) } else { W::ZERO },
                if lying { W::low(width - stick + 1) } else { W::ZERO },
            ],
            sticks: [column & W::low(lengths[0] * width), W::low(lengths[1])],
            lengths: [lengths[0] * width, width],
            corners: if fits { column * W::low(width - square + 1) } else { W::ZERO },
        }
    }

    /// Returns the cells where an upright and a lying stick would lie on something.
    ///
    /// An upright one with its foot there, a lying one with its left end: it falls as that end would by itself.
    #[inline(always)]
    pub(super) fn obstacles(&self, occupied: W) -> [W; 2] {
        [occupied, fold(occupied, 1, self.stick[1], |a, b| a | b)]
    }

    /// Returns the columns in which there is room for an upright and for a lying stick.
    #[inline(always)]
    pub(super) fn room(&self, obstacles: [W; 2]) -> [W; 2] {
        let under_upright = fold(obstacles[0], self.width, self.stick[0], |a, b| a | b);
        [self.entries[0] & !under_upright, self.entries[1] & !obstacles[1]]
    }

    /// Returns the legal moves of a position in progress.
    #[inline]
    pub(super) fn moves(&self, planes: &[W; 2]) -> Moves {
        let rooms = self.room_for(planes);
        if self.width <= Moves::INLINE_WIDTH {
            return Moves::inline(self.width, rooms.map(|room| room as u64));
        }
        let [upright, lying] = rooms.map(|room| {
            let mut bits = Bits::zeros(128);
            bits.write(0, room as u64);
            bits.write(64, (room >> 64) as u64);
            bits
        });
        Moves::heap(self.width, [&upright, &lying])
    }

    /// Returns the columns in which there is room for an upright and for a lying stick.
    #[inline]
    pub(super) fn room_for(&self, planes: &[W; 2]) -> [u128; 2] {
        let occupied = planes[0] | planes[1];
        self.room(self.obstacles(occupied)).map(W::widen)
    }

    /// Returns the cells on which a stick comes to rest, among the obstacles for its kind: 0 upright, 1 lying.
    #[inline(always)]
    pub(super) fn landing(&self, obstacles: W, column: u32, kind: usize) -> W {
        let below = obstacles & (self.column << column);
        let floor = if below == W::ZERO { self.area + column } else { below.first() };
        self.sticks[kind] << (floor.wrapping_sub(self.lengths[kind]) % W::BITS)
    }

    /// Returns the top left corners of the squares in a colour.
    #[inline(always)]
    pub(super) fn squares(&self, plane: W) -> W {
        let in_rows = fold(plane, 1, self.square, |a, b| a & b);
        // Whatever ran across the right edge is not among the corners.
        fold(in_rows, self.width, self.square, |a, b| a & b) & self.corners
    }

    /// Returns the cells of all squares in a colour.
    pub(super) fn in_squares(&self, plane: W) -> W {
        let mut cells = self.squares(plane);
        for _ in 1..self.square {
            cells |= cells << 1;
        }
        for _ in 1..self.square {
            cells |= cells << self.width;
        }
        cells
    }

    /// Returns the cells with air right beneath them.
    #[inline(always)]
    pub(super) fn falling(&self, occupied: W) -> W {
        // A single row can be as wide as the word; nothing is beneath it, and the mask is empty.
        occupied & (!occupied >> (self.width % W::BITS)) & W::low(self.area - self.width)
    }

    /// Lets every cell fall that has air beneath it, and returns whether any had.
    #[inline(always)]
    pub(super) fn settle(&self, planes: &mut [W; 2]) -> bool {
        let mut changed = false;
        loop {
            let falling = self.falling(planes[0] | planes[1]);
            if falling == W::ZERO {
                return changed;
            }
            changed = true;
            for plane in &mut *planes {
                *plane = *plane & !falling | (*plane & falling) << self.width;
            }
        }
    }

    /// Returns how a game ended whose board is this, if it is over.
    #[inline]
    pub(super) fn outcome(&self, planes: &[W; 2]) -> Option<Outcome> {
        match planes.map(|plane| self.squares(plane) != W::ZERO) {
            [true, true] => Some(Outcome::Draw),
            [true, false] => Some(Outcome::Win(Player::First)),
            [false, true] => Some(Outcome::Win(Player::Second)),
            [false, false] => {
                let occupied = planes[0] | planes[1];
                let [upright, lying] = self.room(self.obstacles(occupied));
                let stuck = upright | lying | self.falling(occupied) == W::ZERO;
                if stuck { Some(Outcome::Draw) } else { None }
            }
        }
    }

    /// Plays a move in a position in progress, and returns how the game ended, if it has.
    #[inline]
    pub(super) fn play(&self, planes: &mut [W; 2], mover: Player, m: Move) -> Option<Outcome> {
        let (column, lying) = match m {
            Move::Vertical(column) => (column, false),
            Move::Horizontal(column) => (column, true),
            Move::Breakdown => {
                // What did not move makes no square; and whether a stick fits it had been asked before.
                return if self.settle(planes) { self.outcome(planes) } else { None };
            }
        };
        let kind = usize::from(lying);
        let obstacles = self.obstacles(planes[0] | planes[1])[kind];
        let plane = &mut planes[mover.index()];
        *plane |= self.landing(obstacles, column % W::BITS, kind);
        // Nobody had a square, and a stick adds to one colour only.
        if self.squares(*plane) != W::ZERO {
            return Some(Outcome::Win(mover));
        }
        let occupied = planes[0] | planes[1];
        let [upright, lying] = self.room(self.obstacles(occupied));
        if upright | lying != W::ZERO || self.falling(occupied) != W::ZERO {
            None
        } else {
            Some(Outcome::Draw)
        }
    }

    /// Returns a colour seen in the mirror: columns change places in pairs.
    pub(super) fn mirror(&self, mut plane: W) -> W {
        for left in 0..self.width / 2 {
            let apart = self.width - 1 - 2 * left;
            let differ = (plane ^ (plane >> apart)) & (self.column << left);
            plane ^= differ | differ << apart;
        }
        plane
    }
}

/// Combines each bit with the `count - 1` bits that follow it at a distance of `step`, in about log2(`count`) shifts.
#[inline(always)]
fn fold<W: Word>(word: W, step: u32, count: u32, combine: impl Fn(W, W) -> W) -> W {
    // Sticks and squares are short in most games: these need no counting.
    let further = |word: W, distance: u32| combine(word, word >> distance);
    match count {
        1 => word,
        2 => further(word, step),
        3 => further(further(word, step), step),
        _ => {
            let (mut word, mut done) = (word, 1);
            while done < count {
                let more = done.min(count - done);
                word = further(word, more * step);
                done += more;
            }
            word
        }
    }
}
