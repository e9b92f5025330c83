//! Boards of up to 128 cells: each colour is one word, each rule a few shifts.
//!
//! Bit `r * width + c` is the cell in row `r` and column `c`, so a shift by 1 is a step to the side and a shift by the
//! width a step up or down.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, Not, Shl, Shr};

use super::bits::Bits;
use super::cells::Shape;
use super::moves::Moves;
use super::notation::Move;
use crate::position::{Outcome, Player};

/// A word, as far as the rules need it.
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

    /// Returns the word with every `width`-th bit set, starting with bit 0.
    fn every(width: u32) -> Self;

    /// Returns the index of the lowest set bit.
    fn first(self) -> u32;

    /// Returns the number of set bits.
    fn count(self) -> u32;

    /// Converts to the wider of the two types.
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

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
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

/// The rules for boards of one shape, as masks that are cheap to compute.
///
/// `K` and `Q` are the stick and the square if they are known at compile time, as in playouts with the usual
/// parameters; 0 means that they are only known at run time.
#[derive(Clone, Copy)]
pub(super) struct Engine<W, const K: u32 = 0, const Q: u32 = 0> {
    width: u32,
    area: u32,
    /// The lengths of a vertical and of a horizontal stick and the side of a square, or 1 where they do not fit on the
    /// board.
    stick: [u32; 2],
    square: u32,
    /// The leftmost column.
    column: W,
    /// Where vertical and horizontal sticks can start in the top row.
    entries: [W; 2],
    /// A vertical and a horizontal stick in the top left corner, and one without cells.
    sticks: [W; 3],
    /// The distance in bits from the first cell of each of these to its lowest row.
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
        let (vertical, horizontal) = (stick <= height, stick <= width);
        let lengths = [if vertical { stick } else { 1 }, if horizontal { stick } else { 1 }];
        let fits = square <= width.min(height);
        Engine {
            width,
            area,
            stick: lengths,
            square: if fits { square } else { 1 },
            column,
            entries: [
                if vertical { W::low(width) } else { W::ZERO },
                if horizontal { W::low(width - stick + 1) } else { W::ZERO },
            ],
            sticks: [column & W::low(lengths[0] * width), W::low(lengths[1]), W::ZERO],
            heights: [(lengths[0] - 1) * width, 0, 0],
            bottom: W::low(width) << (area - width),
            corners: if fits { column * W::low(width - square + 1) } else { W::ZERO },
        }
    }

    /// Returns the cells where the left end of a horizontal stick cannot be, since the stick would overlap something.
    ///
    /// The stick falls as its left end alone would among these obstacles.
    #[inline(always)]
    pub(super) fn under_horizontal(&self, occupied: W) -> W {
        fold(occupied, 1, if K > 0 { K } else { self.stick[1] }, |a, b| a | b)
    }

    /// Returns the columns with room for a vertical and for a horizontal stick.
    #[inline(always)]
    pub(super) fn room(&self, occupied: W, under_horizontal: W) -> [W; 2] {
        let under_vertical = fold(occupied, self.width, if K > 0 { K } else { self.stick[0] }, |a, b| a | b);
        [self.entries[0] & !under_vertical, self.entries[1] & !under_horizontal]
    }

    /// Returns the legal moves of a position in progress.
    #[inline]
    pub(super) fn moves(&self, planes: &[W; 2]) -> Moves {
        let rooms = self.room_for(planes);
        if self.width <= Moves::INLINE_WIDTH {
            return Moves::inline(self.width, rooms.map(|room| room as u64));
        }
        let [vertical, horizontal] = rooms.map(|room| {
            let mut bits = Bits::zeros(128);
            bits.write(0, room as u64);
            bits.write(64, (room >> 64) as u64);
            bits
        });
        Moves::heap(self.width, [&vertical, &horizontal])
    }

    /// Returns the columns with room for a vertical and for a horizontal stick.
    #[inline]
    pub(super) fn room_for(&self, planes: &[W; 2]) -> [u128; 2] {
        let occupied = planes[0] | planes[1];
        let [vertical, horizontal] = self.room(occupied, self.under_horizontal(occupied));
        [vertical.widen(), horizontal.widen()]
    }

    /// Returns the cells in which a falling cell can come to rest, given the obstacles.
    ///
    /// For a horizontal stick these are given by [`under_horizontal`](Engine::under_horizontal).
    #[inline(always)]
    pub(super) fn rests(&self, obstacles: W) -> W {
        obstacles >> (self.width % W::BITS) | self.bottom
    }

    /// Returns the cells of a stick that falls into a column; `kind` is 0 for vertical, 1 for horizontal, 2 for none.
    #[inline(always)]
    pub(super) fn landing(&self, rests: W, column: u32, kind: usize) -> W {
        let lowest = (rests & (self.column << column)).first();
        self.sticks[kind] << (lowest.wrapping_sub(self.heights[kind]) % W::BITS)
    }

    /// Returns the top left corners of the squares of a colour.
    #[inline(always)]
    pub(super) fn squares(&self, plane: W) -> W {
        let side = if Q > 0 { Q } else { self.square };
        let in_rows = fold(plane, 1, side, |a, b| a & b);
        // Squares that wrap around the right edge have no valid corner.
        fold(in_rows, self.width, side, |a, b| a & b) & self.corners
    }

    /// Calls a function with the cells of every place for a square.
    #[inline(always)]
    pub(super) fn for_each_place(&self, mut look: impl FnMut(W)) {
        let mut square = W::low(self.square);
        for _ in 1..self.square {
            square = square << self.width | W::low(self.square);
        }
        let mut corners = self.corners;
        while corners != W::ZERO {
            let corner = corners.first();
            look(square << corner);
            corners ^= W::low(1) << corner;
        }
    }

    /// Returns how many cells a square has, and a stick at most.
    #[inline]
    pub(super) fn sizes(&self) -> (u32, u32) {
        (self.square * self.square, self.stick[0].max(self.stick[1]))
    }

    /// Returns how many moves would complete a square of a player at once, if it was their turn, but not more than some.
    #[inline]
    pub(super) fn wins_at_once(&self, planes: &[W; 2], player: Player, most: u32) -> u32 {
        let own = planes[player.index()];
        let occupied = planes[0] | planes[1];
        let obstacles = [occupied, self.under_horizontal(occupied)];
        let rooms = self.room(occupied, obstacles[1]);
        let mut wins = 0;
        for kind in 0..2 {
            let rests = self.rests(obstacles[kind]);
            let mut room = rooms[kind];
            while room != W::ZERO && wins < most {
                let column = room.first();
                let landed = own | self.landing(rests, column, kind);
                wins += u32::from(self.squares(landed) != W::ZERO);
                room ^= W::low(1) << column;
            }
        }
        let mut fallen = *planes;
        if wins < most && self.settle(&mut fallen) {
            wins += u32::from(self.outcome(&fallen) == Some(Outcome::Win(player)));
        }
        wins
    }

    /// Returns the cells of all squares of a colour.
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

    /// Returns the cells with air directly beneath them.
    #[inline(always)]
    pub(super) fn falling(&self, occupied: W) -> W {
        // A single row can be as wide as the word; it has nothing beneath it, and the mask is empty.
        occupied & (!occupied >> (self.width % W::BITS)) & W::low(self.area - self.width)
    }

    /// Returns the cells without any air beneath them, which never move again.
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

    /// Returns false only if a player can no longer force a square: if the opponent can deny a cell of each.
    ///
    /// An opposing cell that never moves again denies its place. With sticks of one cell, on a board where nothing can
    /// fall, the opponent can do much more: answer each cell with one right on top of it, and pass if there is no room
    /// or nothing to answer. Then of any two adjacent future cells of a column one is the opponent's, so that a square
    /// of more than one row can use at most one future cell in each column: the next one. It does not matter who is to
    /// move, as the opponent may pass first.
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

    /// Lets every cell with air beneath it fall, and returns whether there was any.
    #[inline(always)]
    pub(super) fn settle(&self, planes: &mut [W; 2]) -> bool {
        /// How many rows everything falls between two checks: enough for most boards, to spare branch mispredictions.
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

    /// Returns the outcome of a game with this board, if it is over.
    #[inline]
    pub(super) fn outcome(&self, planes: &[W; 2]) -> Option<Outcome> {
        match planes.map(|plane| self.squares(plane) != W::ZERO) {
            [true, true] => Some(Outcome::Draw),
            [true, false] => Some(Outcome::Win(Player::First)),
            [false, true] => Some(Outcome::Win(Player::Second)),
            [false, false] => {
                let occupied = planes[0] | planes[1];
                let [vertical, horizontal] = self.room(occupied, self.under_horizontal(occupied));
                let stuck = vertical | horizontal | self.falling(occupied) == W::ZERO;
                if stuck { Some(Outcome::Draw) } else { None }
            }
        }
    }

    /// Plays a move in a game in progress, and returns the outcome if that ends it.
    #[inline]
    pub(super) fn play(&self, planes: &mut [W; 2], mover: Player, m: Move) -> Option<Outcome> {
        let (column, horizontal) = match m {
            Move::Vertical(column) => (column, false),
            Move::Horizontal(column) => (column, true),
            Move::Breakdown => {
                // A board that did not change has no new square, and was checked for being stuck before.
                return if self.settle(planes) { self.outcome(planes) } else { None };
            }
        };
        let kind = usize::from(horizontal);
        let occupied = planes[0] | planes[1];
        let obstacles = if horizontal { self.under_horizontal(occupied) } else { occupied };
        let plane = &mut planes[mover.index()];
        *plane |= self.landing(self.rests(obstacles), column % W::BITS, kind);
        // Nobody had a square, and a stick adds to only one colour.
        if self.squares(*plane) != W::ZERO {
            return Some(Outcome::Win(mover));
        }
        let occupied = planes[0] | planes[1];
        let [vertical, horizontal] = self.room(occupied, self.under_horizontal(occupied));
        if vertical | horizontal != W::ZERO || self.falling(occupied) != W::ZERO {
            None
        } else {
            Some(Outcome::Draw)
        }
    }

    /// Mirrors a colour by swapping columns in pairs.
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
    // Sticks and squares are short in most games: these cases need no loop.
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
