//! Few empties: no transposition table, and move ordering by parity alone.

use super::Endgame;
use crate::cpu::Operation;
use crate::reversi::kernel::Kernel;

/// The squares around each square.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (dx, dy) =
                ((square % 8) as i32 - (other % 8) as i32, (square / 8) as i32 - (other / 8) as i32);
            if square != other && dx * dx <= 1 && dy * dy <= 1 {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// A null-window search above `alpha` of a position with few empties.
pub(super) struct Shallow<'a, K> {
    pub(super) search: &'a mut Endgame<K>,
    pub(super) me: u64,
    pub(super) op: u64,
    pub(super) alpha: i32,
}

impl<K: Kernel> Operation for Shallow<'_, K> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Shallow { search, me, op, alpha } = self;
        let empty = search.full & !(me | op);
        let kernel = search.kernel;
        match empty.count_ones() {
            0 => return search.final_score(me, op),
            1 => return search.last(me, op, empty.trailing_zeros() as usize),
            2 => return search.last_two(me, op, alpha, empty),
            3 => return LastThree::value(search, me, op, alpha, empty),
            4 => return search.last_few::<LastThree>(me, op, alpha, empty),
            _ => {}
        }
        search.nodes += 1;
        let moves = search.moves(me, op);
        if moves == 0 {
            return match search.moves(op, me) {
                0 => search.final_score(me, op),
                _ => -kernel.run(Shallow { search, me: op, op: me, alpha: -alpha - 1 }),
            };
        }
        if let Some(bound) = search.stability_bound(op, empty, alpha) {
            return bound;
        }
        let odd = search.odd(empty);
        let corners = search.corners;
        let mut best = i32::MIN;
        for set in [moves & odd & corners, moves & odd & !corners, moves & !odd] {
            let mut rest = set;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize;
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let flips = kernel.flips(square, me, op);
                let (me, op) = (op & !flips, me | flips | bit);
                let value = -kernel.run(Shallow { search, me, op, alpha: -alpha - 1 });
                if value > best {
                    best = value;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// A null-window search above `alpha` for one fixed number of empties.
///
/// A trait rather than a function pointer, since only direct calls are sure to be inlined, and must be: see
/// [`Operation`].
trait Last {
    fn value<K: Kernel>(search: &mut Endgame<K>, me: u64, op: u64, alpha: i32, empty: u64) -> i32;
}

struct LastTwo;

impl Last for LastTwo {
    #[inline(always)]
    fn value<K: Kernel>(search: &mut Endgame<K>, me: u64, op: u64, alpha: i32, empty: u64) -> i32 {
        search.last_two(me, op, alpha, empty)
    }
}

struct LastThree;

impl Last for LastThree {
    #[inline(always)]
    fn value<K: Kernel>(search: &mut Endgame<K>, me: u64, op: u64, alpha: i32, empty: u64) -> i32 {
        search.last_few::<LastTwo>(me, op, alpha, empty)
    }
}

impl<K: Kernel> Endgame<K> {
    /// Returns the tiles that a move flips; cheap if no opposing tile is next to it.
    #[inline(always)]
    fn flips_at(&self, square: usize, me: u64, op: u64) -> u64 {
        if NEIGHBOURS[square & 63] & op == 0 { 0 } else { self.kernel.flips(square, me, op) }
    }

    /// A null-window search above `alpha` with three or four empties, one more than `Next` takes.
    ///
    /// With so few, trying each is faster than generating the moves first.
    #[inline(always)]
    fn last_few<Next: Last>(&mut self, me: u64, op: u64, alpha: i32, empty: u64) -> i32 {
        self.nodes += 1;
        let odd = self.odd(empty);
        let (mut mover, mut other, mut floor, mut sign) = (me, op, alpha, 1);
        for _ in 0..2 {
            let mut best = i32::MIN;
            for mut rest in [empty & odd, empty & !odd] {
                while rest != 0 {
                    let square = rest.trailing_zeros() as usize;
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    let flips = self.flips_at(square, mover, other);
                    if flips != 0 {
                        let (me, op) = (other & !flips, mover | flips | bit);
                        let value = -Next::value(self, me, op, -floor - 1, empty ^ bit);
                        if value > floor {
                            return sign * value;
                        }
                        best = best.max(value);
                    }
                }
            }
            if best > i32::MIN {
                return sign * best;
            }
            // No move: the opponent's turn.
            (mover, other, floor, sign) = (other, mover, -floor - 1, -1);
        }
        self.final_score(me, op)
    }

    /// Searches a position with two empties.
    #[inline(always)]
    fn last_two(&mut self, me: u64, op: u64, alpha: i32, empty: u64) -> i32 {
        self.nodes += 1;
        let squares = [empty.trailing_zeros() as usize, 63 - empty.leading_zeros() as usize];
        let mut best = i32::MIN;
        for (square, other) in [(squares[0], squares[1]), (squares[1], squares[0])] {
            let flips = self.flips_at(square, me, op);
            if flips != 0 {
                let value = -self.last(op & !flips, me | flips | 1 << square, other);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        if best > i32::MIN {
            return best;
        }
        let mut worst = i32::MAX;
        for (square, other) in [(squares[0], squares[1]), (squares[1], squares[0])] {
            let flips = self.flips_at(square, op, me);
            if flips != 0 {
                let value = self.last(me & !flips, op | flips | 1 << square, other);
                if value <= alpha {
                    return value;
                }
                worst = worst.min(value);
            }
        }
        if worst < i32::MAX { worst } else { self.final_score(me, op) }
    }

    /// Returns the value of a position with one empty square; the last move is not made, only its flips are counted.
    #[inline(always)]
    fn last(&mut self, me: u64, op: u64, square: usize) -> i32 {
        self.nodes += 1;
        let tiles = 2 * me.count_ones() as i32 - self.area;
        let flips = self.flips_at(square, me, op);
        if flips != 0 {
            return tiles + 2 * flips.count_ones() as i32 + 2;
        }
        let flips = self.flips_at(square, op, me);
        if flips != 0 { tiles - 2 * flips.count_ones() as i32 } else { self.final_score(me, op) }
    }
}
