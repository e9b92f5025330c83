//! The solver: two boolean searches, whether the player to place can win, and whether they can at least draw.
//!
//! A move here is a reply: the square for the piece in hand, and the piece to give next. Replies are ordered by how few
//! safe replies they leave the opponent; one that leaves none wins. With many empties, results are stored in a
//! transposition table under the canonical form, and a player who wants a draw prefers replies that can be followed by
//! the fewest positions up to symmetry. With few empties neither pays off, and the last five have code of their own.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod kernel;
mod lines;
mod table;

use kernel::Kernel;
use lines::{Bits, Lines};
use table::TranspositionTable;

use super::lines::{FILLED, PLANES};
use super::{Move, Piece, Quarto, Square, symmetry};
use crate::cpu::{Operation, Portable, on_best_cpu};
use crate::moves::MoveSet;
use crate::search::solve::{Solution, SolveError, SolveOptions};
use crate::search::{Clock, Searcher, solve_with};
use crate::work::Stopped;

/// With fewer empties than this, the transposition table does not pay off.
const MIN_TABLE_EMPTIES: u32 = 9;

/// From this many empties on, symmetry is what makes the game small: replies with few different continuations go first.
const NEAR_START: u32 = 13;

/// From this many empties on, forced wins are rare.
const EARLY: u32 = 11;

/// The bit of each piece.
static BITS: [u16; 16] =
    [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000];

/// What the player to place tries to achieve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Win = 0,
    Draw = 1,
}

impl Goal {
    #[inline(always)]
    const fn other(self) -> Goal {
        match self {
            Goal::Win => Goal::Draw,
            Goal::Draw => Goal::Win,
        }
    }
}

/// A position in which the piece in hand does not win at once.
#[derive(Clone, Copy)]
struct Node {
    lines: Lines,
    /// The pieces in the pool.
    rest: u16,
    hand: u8,
}

impl Node {
    /// Returns the board with the piece in hand placed.
    #[inline(always)]
    fn place(&self, square: usize) -> Lines {
        self.lines.place(square, usize::from(self.hand))
    }

    /// Returns the position after a piece was given.
    #[inline(always)]
    fn give(lines: Lines, rest: u16, piece: usize) -> Node {
        Node { lines, rest: rest & !(1 << piece), hand: piece as u8 }
    }
}

/// Returns whether a player wins with three or four empties: only by giving a piece to which there is no safe reply.
#[inline(always)]
fn wins_late<K: Kernel>(kernel: K, node: &Node) -> bool {
    for square in Bits(node.lines.empty) {
        let child = node.place(square);
        let safe = child.safe(kernel) & node.rest;
        if safe != 0 && child.unanswerable(kernel, safe, node.rest) {
            return true;
        }
    }
    false
}

/// Returns whether a player at least draws with at most five empties.
#[inline(always)]
fn draws_late<K: Kernel>(kernel: K, nodes: &mut u64, node: &Node, left: u32) -> bool {
    let mut children = [(Lines::EMPTY, 0u16); 5];
    let mut count = 0;
    for square in Bits(node.lines.empty) {
        let child = node.place(square);
        let safe = child.safe(kernel) & node.rest;
        // The last piece draws, and with two empties to come nobody can force a win: only giving away a winning piece
        // loses.
        if left == 1 || left <= 3 && safe != 0 {
            return true;
        }
        if safe != 0 {
            // Squares that leave the fewest safe pieces come first.
            let mut place = count;
            while place > 0 && children[place - 1].1.count_ones() > safe.count_ones() {
                children[place] = children[place - 1];
                place -= 1;
            }
            children[place] = (child, safe);
            count += 1;
        }
    }
    for &(child, safe) in children[..count].iter() {
        for piece in Bits(safe) {
            *nodes += 1;
            if !wins_late(kernel, &Node::give(child, node.rest, piece)) {
                return true;
            }
        }
    }
    false
}

/// Searches whether a player achieves a goal, without a transposition table.
struct PlainSearch<'a, 'c, K> {
    kernel: K,
    clock: &'a mut Clock<'c>,
    node: Node,
    left: u32,
    goal: Goal,
}

impl<K: Kernel> Operation for PlainSearch<'_, '_, K> {
    type Output = Result<bool, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<bool, Stopped> {
        let PlainSearch { kernel, clock, node, left, goal } = self;
        clock.tick()?;
        match goal {
            Goal::Win if left <= 2 => return Ok(false),
            Goal::Win if left <= 4 => return Ok(wins_late(kernel, &node)),
            Goal::Draw if left <= 5 => return Ok(draws_late(kernel, &mut clock.nodes, &node, left)),
            _ if node.lines.settled() => return Ok(goal == Goal::Draw),
            _ => {}
        }
        // A reply as a number: how many safe replies it leaves, its square and its piece. Each square has a row.
        let mut replies = [[u16::MAX; 16]; MIN_TABLE_EMPTIES as usize - 1];
        for (row, square) in Bits(node.lines.empty).enumerate() {
            let child = node.place(square);
            let safe = child.safe(kernel) & node.rest;
            if safe == 0 {
                continue;
            }
            let counts = child.replies(kernel, node.rest);
            if kernel.zeros(counts) & safe != 0 {
                return Ok(true);
            }
            for piece in 0..16 {
                let reply = counts[piece] << 8 | (square << 4 | piece) as u16;
                replies[row & 7][piece] = reply | if safe & BITS[piece] == 0 { u16::MAX } else { 0 };
            }
        }
        loop {
            let mut all = [u16::MAX; 16];
            for row in &replies[..left.min(8) as usize] {
                for piece in 0..16 {
                    all[piece] = all[piece].min(row[piece]);
                }
            }
            let mut least = u16::MAX;
            for reply in all {
                least = least.min(reply);
            }
            if least == u16::MAX {
                return Ok(false);
            }
            let (square, piece) = ((least >> 4 & 15) as usize, (least & 15) as usize);
            let row = (node.lines.empty & ((1 << square) - 1)).count_ones() as usize;
            replies[row & 7][piece] = u16::MAX;
            let node = Node::give(node.place(square), node.rest, piece);
            let next = PlainSearch { kernel, clock: &mut *clock, node, left: left - 1, goal: goal.other() };
            if !kernel.run(next)? {
                return Ok(true);
            }
        }
    }
}

/// The search, with its transposition table.
#[derive(Clone)]
struct Solver<K> {
    kernel: K,
    table: TranspositionTable,
    /// The number of the thread.
    number: usize,
}

/// Solves a position with the processor's best instructions.
pub(super) fn solve(position: &Quarto, options: &SolveOptions) -> Result<Solution<Move>, SolveError> {
    on_best_cpu!(cpu => solve_with(position, options, &mut Solver::new(cpu, position, options)?))
}

/// Searches whether a player achieves a goal, with a transposition table.
struct TableSearch<'a, 'c, K> {
    solver: &'a mut Solver<K>,
    clock: &'a mut Clock<'c>,
    node: Node,
    /// The planes of the board.
    ones: u64,
    left: u32,
    goal: Goal,
}

impl<K: Kernel> Operation for TableSearch<'_, '_, K> {
    type Output = Result<bool, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<bool, Stopped> {
        let TableSearch { solver, clock, node, ones, left, goal } = self;
        let kernel = solver.kernel;
        if left < MIN_TABLE_EMPTIES {
            return kernel.run(PlainSearch { kernel, clock, node, left, goal });
        }
        clock.tick()?;
        let start = clock.nodes;
        let key = symmetry::key(ones, !node.lines.empty, node.hand);
        if let Some(answer) = solver.table.get(key, goal) {
            return Ok(answer);
        }
        let mut replies = [0u32; 256];
        let mut count = 0;
        let mut answer = false;
        for square in Bits(node.lines.empty) {
            let child = node.place(square);
            let safe = child.safe(kernel) & node.rest;
            let counts = child.replies(kernel, node.rest);
            if kernel.zeros(counts) & safe != 0 {
                answer = true;
                break;
            }
            let bias = bias(&child, left, goal);
            for piece in Bits(safe) {
                let reply = (square << 4 | piece) as u32;
                replies[count & 255] = (u32::from(counts[piece]) + bias) << 8 | reply;
                count += 1;
            }
        }
        if !answer {
            let replies = &mut replies[..count];
            replies.sort_unstable();
            if goal == Goal::Draw && left >= NEAR_START {
                order_by_classes(kernel, replies, &node, ones);
            }
            if goal == Goal::Win && left >= EARLY {
                solver.reorder(replies);
            }
            for &mut reply in replies {
                let (square, piece) = ((reply >> 4 & 15) as usize, (reply & 15) as usize);
                let next = TableSearch {
                    solver: &mut *solver,
                    clock: &mut *clock,
                    node: Node::give(node.place(square), node.rest, piece),
                    ones: ones | planes(square, node.hand),
                    left: left - 1,
                    goal: goal.other(),
                };
                if !kernel.run(next)? {
                    answer = true;
                    break;
                }
            }
        }
        solver.table.put(key, goal, answer, clock.nodes - start);
        Ok(answer)
    }
}

/// Returns the planes of a piece on a square.
#[inline(always)]
fn planes(square: usize, piece: u8) -> u64 {
    FILLED[usize::from(piece & 15)] & PLANES << (square & 15)
}

/// Returns the ordering penalty of a placement: a player who wants a draw wants few lines alive.
#[inline(always)]
fn bias(child: &Lines, left: u32, goal: Goal) -> u32 {
    if goal == Goal::Win || left < EARLY || left % 2 == 0 {
        return 0;
    }
    let (alive, pairs) = child.tension();
    100 + 2 * alive - 4 * pairs
}

/// Orders replies by the number of positions, up to symmetry, that can follow.
#[inline(never)]
fn order_by_classes<K: Kernel>(kernel: K, replies: &mut [u32], node: &Node, ones: u64) {
    let mut classes = Vec::new();
    for reply in replies.iter_mut() {
        let (square, piece) = ((*reply >> 4 & 15) as usize, (*reply & 15) as usize);
        let ones = ones | planes(square, node.hand);
        let child = Node::give(node.place(square), node.rest, piece);
        classes.clear();
        for square in Bits(child.lines.empty) {
            let lines = child.place(square);
            let ones = ones | planes(square, child.hand);
            for piece in Bits(lines.safe(kernel) & child.rest) {
                classes.push(symmetry::key(ones, !lines.empty, piece as u8));
            }
        }
        classes.sort_unstable();
        classes.dedup();
        *reply = (classes.len() as u32) << 8 | *reply & 0xff;
    }
    replies.sort_unstable();
}

impl<K: Kernel> Solver<K> {
    fn new(kernel: K, position: &Quarto, options: &SolveOptions) -> Result<Self, SolveError> {
        let bytes = options.table_bytes.unwrap_or(match position.placed() {
            0..=2 => 64 << 20,
            3 => 8 << 20,
            4 => 1 << 20,
            5 => 1 << 18,
            6 => 1 << 16,
            _ => 0,
        });
        Ok(Solver { kernel, table: TranspositionTable::new(bytes)?, number: 0 })
    }

    /// Reorders the replies for this thread.
    ///
    /// This early, wins are rare, so usually all replies have to be searched. Threads that start with different ones
    /// save each other work through the table.
    fn reorder(&self, replies: &mut [u32]) {
        if self.number % 2 == 1 {
            replies.reverse();
        }
        replies.rotate_left(replies.len() * (self.number / 2 % 4) / 4);
    }

    fn achieves(
        &mut self,
        clock: &mut Clock,
        position: &Quarto,
        lines: Lines,
        piece: Piece,
        goal: Goal,
    ) -> Result<bool, Stopped> {
        let kernel = self.kernel;
        let rest = !position.taken & !piece.bit();
        let node = Node { lines, rest, hand: piece.index() as u8 };
        let left = lines.empty.count_ones();
        kernel.run(TableSearch { solver: self, clock, node, ones: position.ones, left, goal })
    }
}

/// Returns the lines of a board without a winning line.
fn lines_of(position: &Quarto) -> Lines {
    let squares = MoveSet::<Square>::new(u64::from(position.occupied));
    squares.fold(Lines::EMPTY, |lines, square| {
        lines.place(square.index(), position.get(square).map_or(0, Piece::index))
    })
}

impl<K: Kernel> Searcher<Quarto> for Solver<K> {
    fn search(
        &mut self,
        position: &Quarto,
        (alpha, _): (i32, i32),
        clock: &mut Clock,
    ) -> Result<i32, Stopped> {
        let lines = lines_of(position);
        let safe = lines.safe(Portable);
        let goal = if alpha >= 0 { Goal::Win } else { Goal::Draw };
        let reached = match position.hand {
            Some(piece) if safe & piece.bit() == 0 => return Ok(1),
            Some(piece) => self.achieves(clock, position, lines, piece, goal)?,
            None => {
                let mut reached = false;
                let replies = lines.replies(Portable, !position.taken);
                let mut pieces: Vec<Piece> = MoveSet::new(u64::from(safe & !position.taken)).collect();
                pieces.sort_by_key(|piece| replies[piece.index()]);
                for piece in pieces {
                    reached = !self.achieves(clock, position, lines, piece, goal.other())?;
                    if reached {
                        break;
                    }
                }
                reached
            }
        };
        Ok(i32::from(reached) - goal as i32)
    }

    fn fork(&self, number: usize) -> Option<Self> {
        Some(Solver { number, ..self.clone() })
    }

    fn order(&mut self, position: &Quarto, moves: &mut [Move], _: &mut Clock) {
        let (lines, rest) = (lines_of(position), !position.taken);
        let hand = position.hand.map_or(0, Piece::index);
        let counts = lines.replies(Portable, rest);
        moves.sort_by_cached_key(|&m| match m {
            Move::Select(piece) => counts[piece.index()],
            Move::Place(square) => {
                let child = lines.place(square.index(), hand);
                let counts = child.replies(Portable, rest);
                let pieces = MoveSet::<Piece>::new(u64::from(child.safe(Portable) & rest));
                pieces.map(|piece| counts[piece.index()]).min().unwrap_or(u16::MAX)
            }
        });
    }
}
