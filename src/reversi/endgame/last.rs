//! Few empties: no transposition table, and cheaper move ordering.

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

/// From this many empties on, moves are sorted; with fewer, that costs more than it saves.
const SORTED_EMPTIES: u32 = 6;

/// The moves of a position with few empties, with their flips: those that leave the fewest replies come first.
struct Sorted {
    moves: [(i32, usize, u64); Sorted::MOST],
    count: usize,
}

impl Sorted {
    /// More than there are empties.
    const MOST: usize = 12;

    /// What a reply, a corner, and a move into a region with an odd number of empties weigh.
    const REPLY: i32 = 4;
    const CORNER: i32 = 4;
    const PARITY: i32 = 3;

    #[inline(always)]
    fn new<K: Kernel>(search: &Endgame<K>, me: u64, op: u64, moves: u64) -> Self {
        let odd = search.odd(search.full & !(me | op));
        let mut sorted = Sorted { moves: [(0, 0, 0); Sorted::MOST], count: 0 };
        let mut rest = moves;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let flips = search.kernel.flips(square, me, op);
            let replies = search.moves(op & !flips, me | flips | bit);
            let mobility = (replies.count_ones() + (replies & search.corners).count_ones()) as i32;
            let key = Self::REPLY * mobility
                - Self::CORNER * i32::from(bit & search.corners != 0)
                - Self::PARITY * i32::from(bit & odd != 0);
            let mut place = sorted.count;
            while place > 0 && sorted.moves[place - 1].0 > key {
                sorted.moves[place] = sorted.moves[place - 1];
                place -= 1;
            }
            sorted.moves[place] = (key, square, flips);
            sorted.count += 1;
        }
        sorted
    }
}

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
        let mut best = i32::MIN;
        if empty.count_ones() >= SORTED_EMPTIES && !moves.is_power_of_two() {
            let sorted = Sorted::new(search, me, op, moves);
            for &(_, square, flips) in &sorted.moves[..sorted.count] {
                let (me, op) = (op & !flips, me | flips | 1 << square);
                let value = -kernel.run(Shallow { search, me, op, alpha: -alpha - 1 });
                if value > best {
                    best = value;
                    if best > alpha {
                        break;
                    }
                }
            }
            return best;
        }
        let odd = search.odd(empty);
        let corners = search.corners;
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
