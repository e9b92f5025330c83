//! Boards of up to 128 cells: a colour is one machine word, a rule a handful of shifts.
//!
//! Bit `r * width + c` is the cell in row `r` and column `c`, so a shift by 1 is a step to the side and one by the width
//! is a step up or down.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, Not, Shl, Shr};

use super::bits::Bits;
use super::cells::Shape;
use super::moves::Moves;
use super::notation::Move;
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
            fn widen(self) -> u128 {
                u128::from(self)
            }
        }
    };
}

word!(u64);
word!(u128);

/// The rules for boards of one shape, as masks that cost next to nothing to make.
///
/// `K` and `Q` are the stick and the square where they are known when the code is compiled, as for the long runs of
/// random games with the usual numbers; 0 means that the shape tells.
#[derive(Clone, Copy)]
pub(super) struct Engine<W, const K: u32 = 0, const Q: u32 = 0> {
    width: u32,
    area: u32,
    /// The length of a stick and the side of a square, cut to where they fit or 1 where they do not.
    stick: [u32; 2],
    square: u32,
    /// The leftmost column.
    column: W,
    /// Where upright and lying sticks can start in the top row.
    entries: [W; 2],
    /// An upright and a lying stick in the top left corner, and one without cells.
    sticks: [W; 3],
    /// How many bits the first cell of each of these lies before the one in the same column of its lowest row.
    heights: [u32; 3],
    /// The bottom row.
    bottom: W,
    /// Where the top left corner of a square can be.
    corners: W,
}

impl<W: Word, const K: u32, const Q: u32> Engine<W, K, Q> {
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
            sticks: [column & W::low(lengths[0] * width), W::low(lengths[1]), W::ZERO],
            heights: [(lengths[0] - 1) * width, 0, 0],
            bottom: W::low(width) << (area - width),
            corners: if fits { column * W::low(width - square + 1) } else { W::ZERO },
        }
    }

    /// Returns the cells where a lying stick would lie on something with its left end there.
    ///
    /// It falls as that end would by itself among these cells.
    #[inline(always)]
    pub(super) fn under_lying(&self, occupied: W) -> W {
        fold(occupied, 1, if K > 0 { K } else { self.stick[1] }, |a, b| a | b)
    }

    /// Returns the columns in which there is room for an upright and for a lying stick.
    #[inline(always)]
    pub(super) fn room(&self, occupied: W, under_lying: W) -> [W; 2] {
        let under_upright = fold(occupied, self.width, if K > 0 { K } else { self.stick[0] }, |a, b| a | b);
        [self.entries[0] & !under_upright, self.entries[1] & !under_lying]
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
        let [upright, lying] = self.room(occupied, self.under_lying(occupied));
        [upright.widen(), lying.widen()]
    }

    /// Returns the cells in which something that falls from above comes to rest, given what it cannot pass.
    ///
    /// For a lying stick these are the cells [under it](Engine::under_lying).
    #[inline(always)]
    pub(super) fn rests(&self, obstacles: W) -> W {
        obstacles >> (self.width % W::BITS) | self.bottom
    }

    /// Returns the cells of a stick that comes to rest in a column; `kind` is 0 for upright, 1 for lying, 2 for none.
    #[inline(always)]
    pub(super) fn landing(&self, rests: W, column: u32, kind: usize) -> W {
        let lowest = (rests & (self.column << column)).first();
        self.sticks[kind] << (lowest.wrapping_sub(self.heights[kind]) % W::BITS)
    }

    /// Returns the top left corners of the squares in a colour.
    #[inline(always)]
    pub(super) fn squares(&self, plane: W) -> W {
        let side = if Q > 0 { Q } else { self.square };
        let in_rows = fold(plane, 1, side, |a, b| a & b);
        // Whatever ran across the right edge is not among the corners.
        fold(in_rows, self.width, side, |a, b| a & b) & self.corners
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

    /// Returns the cells with nothing but cells beneath them, which never move again.
    #[inline]
    pub(super) fn fixed(&self, occupied: W) -> W {
        let mut air = !occupied & W::low(self.area);
        let mut rows = 1;
        while rows * self.width < self.area {
            air |= air >> (rows * self.width);
            rows *= 2;
        }
        occupied & !air
    }

    /// Returns false only if a player cannot force a square any more: if the other can keep from each some cell of it.
    ///
    /// A cell that never moves again is never the player's if it is the other's. With sticks of one cell, on a board on
    /// which none can fall, the other can do much more, by answering each cell right on top of it and passing where
    /// there is no room or nothing to answer. Then of any two cells above each other that are still to come, the upper
    /// is the other's or the lower is, so that a square of more than one row can get no more than one cell in each
    /// column: the one that is to come next. It makes no difference who is to move, as the other may pass first.
    #[inline]
    pub(super) fn has_chance(&self, planes: &[W; 2], player: Player) -> bool {
        let (own, occupied) = (planes[player.index()], planes[0] | planes[1]);
        let reach = if self.stick == [1, 1] && self.falling(occupied) == W::ZERO {
            own | self.rests(occupied) & !occupied
        } else {
            own | !self.fixed(occupied)
        };
        self.squares(reach) != W::ZERO
    }

    /// Lets every cell fall that has air beneath it, and returns whether any had.
    #[inline(always)]
    pub(super) fn settle(&self, planes: &mut [W; 2]) -> bool {
        /// How many rows everything falls before anyone looks: enough for most boards, so that nobody has to guess.
        const ROWS: usize = 2;
        let before = *planes;
        loop {
            for _ in 0..ROWS {
                let falling = self.falling(planes[0] | planes[1]);
                for plane in &mut *planes {
                    let moved = *plane & falling;
                    *plane = *plane ^ moved | moved << (self.width % W::BITS);
                }
            }
            if self.falling(planes[0] | planes[1]) == W::ZERO {
                return *planes != before;
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
                let [upright, lying] = self.room(occupied, self.under_lying(occupied));
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
        let occupied = planes[0] | planes[1];
        let obstacles = if lying { self.under_lying(occupied) } else { occupied };
        let plane = &mut planes[mover.index()];
        *plane |= self.landing(self.rests(obstacles), column % W::BITS, kind);
        // Nobody had a square, and a stick adds to one colour only.
        if self.squares(*plane) != W::ZERO {
            return Some(Outcome::Win(mover));
        }
        let occupied = planes[0] | planes[1];
        let [upright, lying] = self.room(occupied, self.under_lying(occupied));
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
