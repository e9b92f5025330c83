//! The whole game, by two questions: can the player to place win, and can they at least draw?
//!
//! Lines are kept as bits: for each of the eight attribute values the lines that no piece without it stands on, and for
//! each number of pieces the lines that hold so many. Which pieces can be given safely is then one look at the lines with
//! three pieces, and the number of safe replies that each piece would leave, by which moves are ordered, is found for all
//! sixteen at once. A reply without any is a win at once.

use std::collections::HashSet;

use super::lines::{FILLED, LINES, PLANES};
use super::{Move, Piece, Quarto, symmetry};
#[cfg(target_arch = "x86_64")]
use crate::cpu::V3;
use crate::cpu::{Cpu, Operation, Portable};
use crate::moves::{BitMove, MoveSet};
use crate::search::solve::{Solution, SolveError};
use crate::search::{Clock, Options, Searcher, Stopped, Table, solve_with};

/// With fewer empty squares than this, positions are not worth a table.
const TABLED: u32 = 9;

/// From this many empty squares on, symmetry is what makes the game small: replies with few different answers go first.
const NEAR_START: u32 = 13;

/// For each square the lines through it.
const THROUGH: [u16; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 160 {
        let (line, square) = (at / 16, at % 16);
        table[square] |= (LINES[line] >> square & 1) << line;
        at += 1;
    }
    table
};

/// For each piece the values that it has, bit `2 * attribute + value`.
const VALUES: [u8; 16] = {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 64 {
        let (piece, plane) = (at / 4, at % 4);
        table[piece] |= 1 << (2 * plane + (piece >> plane & 1));
        at += 1;
    }
    table
};

/// For each set of values that complete no line, the pieces that have no other.
static SAFE: [u16; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut piece = 0;
        while piece < 16 {
            if VALUES[piece] as usize & !set == 0 {
                table[set] |= 1 << piece;
            }
            piece += 1;
        }
        set += 1;
    }
    table
};

/// For each set of values and each piece: that piece, and all that share one of these values with it.
static SHARING: [[u16; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let mut piece = 0;
        while piece < 16 {
            table[set][piece] = 1 << piece;
            let mut other = 0;
            while other < 16 {
                if VALUES[piece] as usize & VALUES[other] as usize & set != 0 {
                    table[set][piece] |= 1 << other;
                }
                other += 1;
            }
            piece += 1;
        }
        set += 1;
    }
    table
};

/// For each square and piece the lines that stay alive, a lane of sixteen bits a value.
static KEPT: [[[u64; 2]; 16]; 16] = {
    let mut table = [[[!0; 2]; 16]; 16];
    let mut square = 0;
    while square < 16 {
        let mut piece = 0;
        while piece < 16 {
            let mut value = 0;
            while value < 8 {
                if VALUES[piece] >> value & 1 == 0 {
                    table[square][piece][value / 4] &= !((THROUGH[square] as u64) << (16 * (value % 4)));
                }
                value += 1;
            }
            piece += 1;
        }
        square += 1;
    }
    table
};

/// A board that nobody has won.
#[derive(Clone, Copy)]
struct Lines {
    /// For each value the lines on which every piece has it.
    alive: [u64; 2],
    /// The lines with no, one, two and three pieces.
    counts: u64,
    ones: u64,
    occupied: u16,
}

impl Lines {
    const EMPTY: Lines = Lines { alive: [PLANES * 0x3ff; 2], counts: 0x3ff, ones: 0, occupied: 0 };

    /// Returns the lines of a board that is not won.
    fn of(position: &Quarto) -> Lines {
        let squares = MoveSet::<super::Square>::new(u64::from(position.occupied));
        squares.fold(Lines::EMPTY, |lines, square| {
            lines.place(square.index(), position.get(square).map_or(0, Piece::index))
        })
    }

    #[inline(always)]
    fn place(&self, square: usize, piece: usize) -> Lines {
        let kept = &KEPT[square & 15][piece & 15];
        let through = PLANES * u64::from(THROUGH[square & 15]);
        Lines {
            alive: [self.alive[0] & kept[0], self.alive[1] & kept[1]],
            counts: self.counts & !through | (self.counts & through) << 16,
            ones: self.ones | FILLED[piece & 15] & PLANES << (square & 15),
            occupied: self.occupied | 1 << (square & 15),
        }
    }

    /// Returns the values that none of the given lines is alive for.
    #[inline(always)]
    fn dead(&self, lines: u64) -> usize {
        // A lane has ten bits, so adding this carries into its highest bit unless it is empty; then four bits are
        // gathered by a multiplication whose other products fall outside.
        let filled = |alive: u64| {
            let carry = (alive & (PLANES * lines)) + PLANES * 0x7fff;
            ((carry >> 15 & PLANES).wrapping_mul(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3) >> 48) as usize
        };
        !(filled(self.alive[0]) | filled(self.alive[1]) << 4) & 0xff
    }

    /// Returns the pieces with which nobody can win now.
    #[inline(always)]
    fn safe(&self) -> u16 {
        SAFE[self.dead(self.counts >> 48)]
    }

    /// Returns, for each piece that could be given, how many safe ways the receiver has to place it and give another.
    #[inline(always)]
    fn replies(&self, pieces: u16) -> [u16; 16] {
        let (two, three) = (self.counts >> 32 & 0xffff, self.counts >> 48);
        let mut counts = [0; 16];
        let mut rest = !self.occupied;
        while rest != 0 {
            let through = u64::from(THROUGH[rest.trailing_zeros() as usize & 15]);
            rest &= rest - 1;
            let before = self.dead(three & !through);
            let after = self.dead(three & !through | two & through);
            let safe = SAFE[before] & pieces;
            let sharing = &SHARING[before & !after];
            for piece in 0..16 {
                counts[piece] += (safe & !sharing[piece]).count_ones() as u16;
            }
        }
        counts
    }

    /// Returns the pieces to which the receiver has a safe reply.
    #[inline(always)]
    fn answerable(&self, pieces: u16) -> u16 {
        let (two, three) = (self.counts >> 32 & 0xffff, self.counts >> 48);
        let mut answers = [0; 16];
        let mut rest = !self.occupied;
        while rest != 0 {
            let through = u64::from(THROUGH[rest.trailing_zeros() as usize & 15]);
            rest &= rest - 1;
            let before = self.dead(three & !through);
            let after = self.dead(three & !through | two & through);
            let sharing = &SHARING[before & !after];
            for piece in 0..16 {
                answers[piece] |= SAFE[before] & !sharing[piece];
            }
        }
        (0..16).fold(0, |all, piece| all | u16::from(answers[piece] & pieces != 0) << piece)
    }

    /// Returns the canonical form with a piece in hand.
    fn canonical(&self, rest: u16, hand: usize) -> Quarto {
        let hand = Some(Piece::from_bit(hand as u32));
        symmetry::canonical(&Quarto {
            ones: self.ones,
            occupied: self.occupied,
            taken: !rest,
            hand,
            won: false,
        })
    }
}

/// Returns the words under which the table keeps a position.
fn table_key(position: &Quarto) -> [u64; 2] {
    let hand = position.hand.map_or(0, Piece::index) as u64;
    [position.ones, u64::from(position.occupied) << 8 | hand]
}

/// What is asked of the player who is to place a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Win = 0,
    Draw = 1,
}

impl Goal {
    const fn other(self) -> Goal {
        match self {
            Goal::Win => Goal::Draw,
            Goal::Draw => Goal::Win,
        }
    }
}

/// Answers to the questions, with a table of those that took longest to find.
#[derive(Clone)]
pub(super) struct Solver<C> {
    cpu: C,
    table: Table,
}

/// Solves a position with the processor's best instructions.
pub(super) fn solve(position: &Quarto, options: &Options) -> Result<Solution<Move>, SolveError> {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = V3::detect() {
        return solve_with(position, options, &mut Solver::new(cpu, position, options)?);
    }
    solve_with(position, options, &mut Solver::new(Portable, position, options)?)
}

impl<C: Cpu> Solver<C> {
    fn new(cpu: C, position: &Quarto, options: &Options) -> Result<Self, SolveError> {
        let bytes = options.table_bytes.unwrap_or(match position.placed() {
            0..=2 => 64 << 20,
            3..=4 => 16 << 20,
            5..=6 => 1 << 18,
            _ => 0,
        });
        Ok(Solver { cpu, table: Table::new(bytes)? })
    }

    /// Returns what is known of both questions, two bits each: whether the answer is known, and what it is.
    fn known(&self, key: &Quarto) -> u64 {
        self.table.get(table_key(key)).unwrap_or(0)
    }

    fn answer(&self, key: &Quarto, goal: Goal) -> Option<bool> {
        let known = self.known(key) >> (2 * goal as u32);
        (known & 1 == 1).then_some(known & 2 != 0)
    }

    fn store(&self, key: &Quarto, goal: Goal, answer: bool) {
        let entry = |goal: Goal| (1 | u64::from(answer) << 1) << (2 * goal as u32);
        let mut known = self.known(key) | entry(goal);
        // Who wins does not lose, and who loses does not win.
        if (goal == Goal::Win) == answer {
            known |= entry(goal.other());
        }
        self.table.put(table_key(key), known | u64::from(16 - key.placed() as u8) << 56);
    }

    fn ask(
        &mut self,
        clock: &mut Clock,
        lines: Lines,
        rest: u16,
        hand: usize,
        goal: Goal,
    ) -> Result<bool, Stopped> {
        let cpu = self.cpu;
        cpu.run(Ask { solver: self, clock, lines, rest, hand, goal })
    }
}

/// The question whether a player reaches a goal with a piece in hand that does not win at once.
struct Ask<'a, 'c, C> {
    solver: &'a mut Solver<C>,
    clock: &'a mut Clock<'c>,
    lines: Lines,
    /// The pieces that are neither placed nor in hand.
    rest: u16,
    hand: usize,
    goal: Goal,
}

impl<C: Cpu> Operation for Ask<'_, '_, C> {
    type Output = Result<bool, Stopped>;

    #[inline(always)]
    fn run(self) -> Result<bool, Stopped> {
        let Ask { solver, clock, lines, rest, hand, goal } = self;
        clock.tick()?;
        let empty = !lines.occupied;
        let left = empty.count_ones();
        if left <= 2 {
            // The last piece draws; with two to go nobody wins any more who does not give the other a winning piece.
            let gives = |square: u32| lines.place(square as usize, hand).safe() & rest != 0;
            let draws = left == 1 || gives(empty.trailing_zeros()) || gives(15 - empty.leading_zeros());
            return Ok(goal == Goal::Draw && draws);
        }
        if goal == Goal::Win && left <= 4 {
            // So late only a piece to which there is no safe reply wins.
            let mut squares = MoveSet::<super::Square>::new(u64::from(empty));
            return Ok(squares.any(|square| {
                let child = lines.place(square.index(), hand);
                let safe = child.safe() & rest;
                safe != 0 && safe & !child.answerable(rest) != 0
            }));
        }
        let key = (left >= TABLED).then(|| lines.canonical(rest, hand));
        if let Some(answer) = key.and_then(|key| solver.answer(&key, goal)) {
            return Ok(answer);
        }
        let mut children = [lines; 16];
        let mut replies = [0u32; 256];
        let mut count = 0;
        let mut squares = empty;
        while squares != 0 {
            let square = squares.trailing_zeros() as usize;
            squares &= squares - 1;
            let child = lines.place(square, hand);
            let mut safe = child.safe() & rest;
            if safe == 0 {
                continue;
            }
            children[square & 15] = child;
            let answers = child.replies(rest);
            let bias = bias(&child, left, goal);
            while safe != 0 {
                let piece = safe.trailing_zeros();
                safe &= safe - 1;
                let answers = u32::from(answers[piece as usize & 15]);
                if answers == 0 {
                    if let Some(key) = key {
                        solver.store(&key, goal, true);
                    }
                    return Ok(true);
                }
                replies[count & 255] = (answers + bias) << 8 | (square as u32) << 4 | piece;
                count += 1;
            }
        }
        let replies = &mut replies[..count];
        if goal == Goal::Draw && left >= NEAR_START {
            by_classes(replies, &children, rest, left);
        }
        let mut answer = false;
        for first in 0..replies.len() {
            let mut least = first;
            for i in first + 1..replies.len() {
                if replies[i] < replies[least] {
                    least = i;
                }
            }
            replies.swap(first, least);
            let (square, piece) = ((replies[first] >> 4 & 15) as usize, (replies[first] & 15) as usize);
            let cpu = solver.cpu;
            let lines = children[square];
            let rest = rest & !(1 << piece);
            let next = Ask {
                solver: &mut *solver,
                clock: &mut *clock,
                lines,
                rest,
                hand: piece,
                goal: goal.other(),
            };
            if !cpu.run(next)? {
                answer = true;
                break;
            }
        }
        if let Some(key) = key {
            solver.store(&key, goal, answer);
        }
        Ok(answer)
    }
}

/// Returns what speaks against a placement besides the replies it leaves: who wants a draw wants few lines alive.
#[inline(always)]
fn bias(child: &Lines, left: u32, goal: Goal) -> u32 {
    if goal == Goal::Win || left < 11 || left % 2 == 0 {
        return 0;
    }
    let all = child.counts | child.counts >> 32;
    let open = PLANES * ((all | all >> 16) & 0x3ff);
    let alive = (child.alive[0] & open).count_ones() + (child.alive[1] & open).count_ones();
    let pairs = (child.counts >> 32 & 0x3ff).count_ones();
    200 + 3 * alive - 6 * pairs
}

/// Orders replies by how many different positions, up to symmetry, can follow them.
#[inline(never)]
fn by_classes(replies: &mut [u32], children: &[Lines; 16], rest: u16, left: u32) {
    replies.sort_unstable();
    let looked_at = if left > NEAR_START { replies.len() } else { replies.len().min(30) };
    let mut seen = HashSet::new();
    for reply in &mut replies[..looked_at] {
        let (square, piece) = ((*reply >> 4 & 15) as usize, (*reply & 15) as usize);
        let rest = rest & !(1 << piece);
        seen.clear();
        for next in MoveSet::<super::Square>::new(u64::from(!children[square].occupied)) {
            let lines = children[square].place(next.index(), piece);
            for given in MoveSet::<Piece>::new(u64::from(lines.safe() & rest)) {
                seen.insert(lines.canonical(rest & !given.bit(), given.index()));
            }
        }
        *reply = (seen.len() as u32) << 8 | *reply & 0xff;
    }
    // Those that were not looked at stay behind.
    for reply in &mut replies[looked_at..] {
        *reply |= 1 << 30;
    }
}

impl<C: Cpu> Searcher<Quarto> for Solver<C> {
    fn search(
        &mut self,
        position: &Quarto,
        (alpha, _): (i32, i32),
        clock: &mut Clock,
    ) -> Result<i32, Stopped> {
        let lines = Lines::of(position);
        let (rest, safe) = (!position.taken, lines.safe());
        let goal = if alpha >= 0 { Goal::Win } else { Goal::Draw };
        let reached = match position.hand {
            Some(piece) if safe & piece.bit() == 0 => return Ok(1),
            Some(piece) => self.ask(clock, lines, rest, piece.index(), goal)?,
            None => {
                let mut reached = false;
                let replies = lines.replies(rest);
                let mut pieces: Vec<Piece> = MoveSet::new(u64::from(safe & rest)).collect();
                pieces.sort_by_key(|piece| replies[piece.index()]);
                for piece in pieces {
                    let rest = rest & !piece.bit();
                    reached = !self.ask(clock, lines, rest, piece.index(), goal.other())?;
                    if reached {
                        break;
                    }
                }
                reached
            }
        };
        Ok(i32::from(reached) - goal as i32)
    }

    fn fork(&self, _: usize) -> Option<Self> {
        Some(self.clone())
    }

    fn order(&mut self, position: &Quarto, moves: &mut [Move]) {
        let (lines, rest) = (Lines::of(position), !position.taken);
        let hand = position.hand.map_or(0, Piece::index);
        moves.sort_by_cached_key(|&m| match m {
            Move::Select(piece) => lines.replies(rest)[piece.index()],
            Move::Place(square) => {
                let child = lines.place(square.index(), hand);
                let replies = child.replies(rest);
                let pieces = MoveSet::<Piece>::new(u64::from(child.safe() & rest));
                pieces.map(|piece| replies[piece.index()]).min().unwrap_or(u16::MAX)
            }
        });
    }
}
