//! Move ordering.

use super::Endgame;
use super::table::look_up;
use crate::cpu::Operation;
use crate::reversi::evaluation::{DISC, Evaluation, Features, Learned};
use crate::reversi::kernel::{Kernel, neighbours};
use crate::reversi::midgame::{Node, best_known};

/// The greatest number of legal moves after the opening.
///
/// No position of the 8x8 board with a full centre has more, reachable or not (H. Takizawa, "The maximum number of
/// legal moves of Othello in reachable positions is 33", 2023, doi:10.51094/jxiv.480). A smaller board, laid on the
/// larger one centre on centre, keeps its moves there.
const MAX_MOVES: usize = 34;

/// From this many empties on, moves are ordered by the patterns of the evaluation, if the board has weights.
const LEARNED_EMPTIES: u32 = 11;

/// From this many empties on, searches to a depth may have left a best move in the table.
const HINTED_EMPTIES: u32 = 14;

/// What a reply of the opponent, and a move into a region with an odd number of empties, weigh against evaluations.
const MOBILITY: i32 = 3 * DISC / 4;
const PARITY: i32 = DISC;

/// The moves of a position with their flips, least key first.
pub(super) struct Ordered {
    moves: [(i32, u8, u64); MAX_MOVES],
    count: usize,
    next: usize,
}

impl Ordered {
    #[inline(always)]
    pub(super) fn new<K: Kernel>(
        search: &mut Endgame<K>,
        me: u64,
        op: u64,
        moves: u64,
        best: u8,
        roomy: bool,
    ) -> Self {
        let empty = search.full & !(me | op);
        let left = empty.count_ones();
        let odd = search.odd(empty);
        // The larger the subtree, the more it pays off to look at the moves, or to search a little.
        let learned = search.learned.filter(|_| left >= LEARNED_EMPTIES);
        let depth = match (learned, left) {
            _ if !roomy => 0,
            (None, 0..=13) | (Some(_), 0..=15) => 0,
            (None, 14..=16) | (Some(_), 16..=18) => 1,
            (None, 17..=19) | (Some(_), 19..=21) => 2,
            _ => 3,
        };
        let features = learned.map(|learned| learned.look(search.kernel, me, op));
        let best = match learned {
            Some(_) if best == u8::MAX && left >= HINTED_EMPTIES => {
                best_known(&search.table, me, op).unwrap_or(best)
            }
            _ => best,
        };
        let mut ordered = Ordered { moves: [(0, 0, 0); MAX_MOVES], count: 0, next: 0 };
        let mut rest = moves;
        // One move too many would be out of bounds, which panics.
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let flips = search.kernel.flips(square, me, op);
            let (child_me, child_op) = (op & !flips, me | flips | bit);
            let key = if square == usize::from(best) || child_me == 0 {
                i32::MIN
            } else if let (Some(learned), Some(features)) = (learned, &features) {
                let node = Node { me: child_me, op: child_op, kept: learned.after(features, square, flips) };
                let replies = search.moves(child_me, child_op);
                let mobility = (replies.count_ones() + (replies & search.corners).count_ones()) as i32;
                let value = search.promise(learned, &node, depth);
                value + MOBILITY * mobility - PARITY * i32::from(bit & odd != 0) + search.bias(square)
            } else if depth == 0 {
                let replies = search.moves(child_me, child_op);
                let mobility = (replies.count_ones() + (replies & search.corners).count_ones()) as i32;
                let frontier = (neighbours(child_op) & empty & !bit).count_ones() as i32;
                let parity = i32::from(bit & odd != 0);
                let corner = i32::from(bit & search.corners != 0);
                32 * mobility + 2 * frontier - 8 * parity - 48 * corner
            } else {
                let value = search.evaluate_deeply(child_me, child_op, depth);
                value - 2 * i32::from(bit & odd != 0) + search.bias(square)
            };
            ordered.moves[ordered.count] = (key, square as u8, flips);
            ordered.count += 1;
        }
        ordered
    }

    /// Returns the next move and its flips.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<(u32, u64)> {
        if self.next == self.count {
            return None;
        }
        let mut least = self.next;
        for i in self.next + 1..self.count {
            if self.moves[i].0 < self.moves[least].0 {
                least = i;
            }
        }
        self.moves.swap(self.next, least);
        let (_, square, flips) = self.moves[self.next];
        self.next += 1;
        Some((square.into(), flips))
    }

    /// Enhanced transposition cutoff: returns a lower bound above `alpha` if the table has one for some child.
    #[inline(always)]
    pub(super) fn transposition_cutoff<K: Kernel>(
        &self,
        search: &Endgame<K>,
        me: u64,
        op: u64,
        alpha: i32,
    ) -> Option<i32> {
        if (search.full & !(me | op)).count_ones() < 11 {
            return None;
        }
        let table = &search.table;
        self.moves[..self.count].iter().find_map(|&(_, square, flips)| {
            let value = -look_up(table, op & !flips, me | flips | 1 << square).upper;
            (value > alpha).then_some(value)
        })
    }
}

impl<K: Kernel> Endgame<K> {
    /// Evaluates a position for the player to move: mobility, frontier and stability.
    #[inline(always)]
    fn evaluate(&self, me: u64, op: u64) -> i32 {
        let empty = self.full & !(me | op);
        let (mine, theirs) = (self.moves(me, op), self.moves(op, me));
        let mobility = |moves: u64| (moves.count_ones() + (moves & self.corners).count_ones()) as i32;
        let frontier = |tiles: u64| (neighbours(tiles) & empty).count_ones() as i32;
        let stable = |tiles: u64| self.edges.stable(tiles, empty) as i32;
        16 * (mobility(mine) - mobility(theirs))
            + 6 * (frontier(op) - frontier(me))
            + 12 * (stable(me) - stable(op))
    }

    /// Returns a small ordering bias for a square, different in each helper thread and zero in the main one.
    #[inline(always)]
    fn bias(&self, square: usize) -> i32 {
        (self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15 | 1 << square).rotate_left(square as u32) >> 59)
            as i32
    }

    /// Evaluates by a search of this many plies.
    #[inline(always)]
    pub(super) fn evaluate_deeply(&mut self, me: u64, op: u64, depth: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(ShallowSearch {
            search: self,
            me,
            op,
            depth,
            alpha: -MAX_EVALUATION,
            beta: MAX_EVALUATION,
        })
    }
}

/// The bound on evaluations.
const MAX_EVALUATION: i32 = 100_000;

/// A shallow alpha-beta search with the heuristic evaluation.
struct ShallowSearch<'a, K> {
    search: &'a mut Endgame<K>,
    me: u64,
    op: u64,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<K: Kernel> Operation for ShallowSearch<'_, K> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let ShallowSearch { search, me, op, depth, alpha, beta } = self;
        if depth <= 1 {
            return search.evaluate(me, op);
        }
        search.nodes += 1;
        let kernel = search.kernel;
        let mut rest = search.moves(me, op);
        if rest == 0 {
            return match search.moves(op, me) {
                0 => 1000 * search.final_score(me, op),
                _ => -kernel.run(ShallowSearch { search, me: op, op: me, depth, alpha: -beta, beta: -alpha }),
            };
        }
        let mut best = -MAX_EVALUATION;
        while rest != 0 && best < beta {
            let square = rest.trailing_zeros() as usize;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let flips = kernel.flips(square, me, op);
            let (me, op, floor) = (op & !flips, me | flips | bit, alpha.max(best));
            let value = kernel.run(ShallowSearch {
                search: &mut *search,
                me,
                op,
                depth: depth - 1,
                alpha: -beta,
                beta: -floor,
            });
            best = best.max(-value);
        }
        best
    }
}

impl<K: Kernel> Endgame<K> {
    /// Evaluates by a search of this many plies over the patterns of the evaluation.
    #[inline(always)]
    fn promise(&mut self, learned: &Learned, node: &Node<Features>, depth: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(Promise { search: self, learned, node, depth, alpha: -64 * DISC, beta: 64 * DISC })
    }
}

/// A shallow alpha-beta search over patterns.
struct Promise<'a, K> {
    search: &'a mut Endgame<K>,
    learned: &'a Learned,
    node: &'a Node<Features>,
    depth: u32,
    alpha: i32,
    beta: i32,
}

impl<K: Kernel> Operation for Promise<'_, K> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Promise { search, learned, node, depth, alpha, beta } = self;
        let (kernel, Node { me, op, ref kept }) = (search.kernel, *node);
        if depth == 0 {
            return learned.evaluate(kernel, me, op, kept);
        }
        search.nodes += 1;
        let mut rest = search.moves(me, op);
        if rest == 0 {
            if search.moves(op, me) == 0 {
                return DISC * search.final_score(me, op);
            }
            let passed = Node { me: op, op: me, kept: learned.pass(kept) };
            return -kernel.run(Promise {
                search,
                learned,
                node: &passed,
                depth,
                alpha: -beta,
                beta: -alpha,
            });
        }
        let mut best = i32::MIN;
        while rest != 0 && best < beta {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let flips = kernel.flips(square, me, op);
            let kept = learned.after(kept, square, flips);
            let child = Node { me: op & !flips, op: me | flips | 1 << square, kept };
            let floor = alpha.max(best);
            let value = match depth {
                1 => learned.evaluate(kernel, child.me, child.op, &child.kept),
                _ => kernel.run(Promise {
                    search: &mut *search,
                    learned,
                    node: &child,
                    depth: depth - 1,
                    alpha: -beta,
                    beta: -floor,
                }),
            };
            best = best.max(-value);
        }
        best
    }
}
