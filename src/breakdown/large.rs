//! Boards of more than 128 cells: each colour is a bit string on the heap.
//!
//! The string has one bit per cell, row by row without padding, so that a board one cell wide takes no more memory than
//! a square one, and the shifts of small boards work here too, one word at a time.
//!
//! On the largest boards, passing over all cells takes many milliseconds: every move, and every loop that does so, lets
//! [long work](crate::work) be stopped.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::bits::{Bits, low, ones, pieces, rows};
use super::cells::Shape;
use super::moves::Moves;
use super::notation::Move;
use crate::error::MemoryError;
use crate::position::{Outcome, Player};
use crate::work::breathe;

/// The cells of each colour.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Large {
    planes: [Bits; 2],
}

impl Clone for Large {
    fn clone(&self) -> Self {
        Large { planes: self.planes.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.bytes() == source.bytes() {
            self.planes.clone_from(&source.planes);
        } else {
            // Both planes or none, should there be no memory.
            *self = source.clone();
        }
    }
}

impl Large {
    /// Returns an empty board, or an error if there is not enough memory.
    pub(super) fn new(shape: &Shape) -> Result<Self, MemoryError> {
        Ok(Large { planes: [Bits::allocate(shape.area())?, Bits::allocate(shape.area())?] })
    }

    /// Returns how many bytes the board takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Large>() + self.planes.iter().map(Bits::bytes).sum::<usize>()
    }

    #[inline]
    pub(super) fn get(&self, player: usize, at: u64) -> bool {
        self.planes[player].get(at)
    }

    #[inline]
    pub(super) fn set(&mut self, player: usize, at: u64) {
        self.planes[player].set(at);
    }

    /// Returns which of the 64 cells starting at an index are occupied.
    #[inline]
    fn occupied(&self, at: u64) -> u64 {
        self.planes[0].read(at) | self.planes[1].read(at)
    }

    /// Returns whether cells of one row are empty.
    #[inline]
    fn is_free(&self, at: u64, count: u64) -> bool {
        if count <= 64 {
            return self.occupied(at) & low(count) == 0;
        }
        self.planes.iter().all(|plane| !plane.any_in(at, count))
    }

    /// Returns whether there is room for a stick at the top of a column.
    pub(super) fn has_room(&self, shape: &Shape, column: u32, horizontal: bool) -> bool {
        let [width, height, stick] = [shape.width, shape.height, shape.stick].map(u64::from);
        let column = u64::from(column);
        if horizontal {
            column + stick <= width && self.is_free(column, stick)
        } else {
            column < width
                && stick <= height
                && rows(0..stick).all(|row| self.is_free(row * width + column, 1))
        }
    }

    /// Returns the columns with room for a vertical stick.
    fn vertical_room(&self, shape: &Shape) -> Bits {
        let (width, stick) = (u64::from(shape.width), u64::from(shape.stick));
        if shape.stick > shape.height {
            return Bits::zeros(width);
        }
        let cells = pieces(0, stick * width).map(|(at, count)| self.occupied(at) & low(count));
        let mut rows_over = cells.collect::<Bits>();
        // The rows are folded in half until all are joined in one.
        let mut rows = stick;
        while rows > 1 {
            let half = rows.div_ceil(2);
            for (at, count) in pieces(0, (rows - half) * width) {
                let below = rows_over.read(half * width + at) & low(count);
                rows_over.write(at, below);
            }
            rows = half;
        }
        rows_over.free(width)
    }

    /// Returns the columns with room for the left end of a horizontal stick.
    fn horizontal_room(&self, shape: &Shape) -> Bits {
        let (width, stick) = (u64::from(shape.width), u64::from(shape.stick));
        if stick > width {
            return Bits::zeros(width);
        }
        let mut row = pieces(0, width).map(|(at, count)| self.occupied(at) & low(count)).collect::<Bits>();
        row.fold(1, stick, |a, b| a | b);
        row.free(width - stick + 1)
    }

    /// Returns whether a stick fits anywhere.
    fn has_room_anywhere(&self, shape: &Shape) -> bool {
        let (width, stick) = (u64::from(shape.width), u64::from(shape.stick));
        let mut gap = 0;
        for (at, count) in pieces(0, width) {
            for column in ones(self.occupied(at) & low(count)).map(|bit| at + bit) {
                if column - gap >= stick {
                    return true;
                }
                gap = column + 1;
            }
        }
        width - gap >= stick || !self.vertical_room(shape).is_zero()
    }

    /// Returns the legal moves of a position in progress.
    pub(super) fn moves(&self, shape: &Shape) -> Moves {
        let rooms = [self.vertical_room(shape), self.horizontal_room(shape)];
        if shape.width <= Moves::INLINE_WIDTH {
            Moves::inline(shape.width, rooms.map(|room| room.read(0)))
        } else {
            Moves::heap(shape.width, [&rooms[0], &rooms[1]])
        }
    }

    /// Returns the top left corners of the squares of a colour in some rows.
    fn squares(&self, shape: &Shape, player: usize, first_row: u64, count: u64) -> Bits {
        let (width, square) = (u64::from(shape.width), u64::from(shape.square));
        if square > width.min(count) {
            return Bits::zeros(0);
        }
        let mut cells = self.planes[player].slice(first_row * width, count * width);
        cells.fold(1, square, |a, b| a & b);
        if square > 1 && !cells.is_zero() {
            // Rows must not wrap around the right edge.
            for row in rows(0..count) {
                cells.clear(row * width + width - square + 1, square - 1);
            }
            cells.fold(width, square, |a, b| a & b);
        }
        cells
    }

    /// Returns the cells of all squares of a colour.
    pub(super) fn in_squares(&self, shape: &Shape, player: usize) -> Bits {
        let (width, square) = (u64::from(shape.width), u64::from(shape.square));
        let mut cells = self.squares(shape, player, 0, u64::from(shape.height));
        cells.spread(1, square);
        cells.spread(width, square);
        cells
    }

    /// Returns whether a breakdown would change anything.
    fn is_falling(&self, shape: &Shape) -> bool {
        let width = u64::from(shape.width);
        let mut above = pieces(0, shape.area() - width);
        above.any(|(at, count)| self.occupied(at) & !self.occupied(at + width) & low(count) != 0)
    }

    /// Lets every cell with air beneath it fall.
    fn settle(&mut self, shape: &Shape) {
        let width = u64::from(shape.width);
        // Strips of 64 columns, rows from the bottom up. Columns without a hole so far need no work; in the others,
        // each cell falls to the lowest free place.
        for (column, count) in pieces(0, width) {
            let mut settled = low(count);
            let mut floors = [0; 64];
            for row in rows(0..u64::from(shape.height)).rev() {
                let at = row * width + column;
                let cells =
                    [self.planes[0].read(at), self.planes[1].read(at)].map(|cells| cells & low(count));
                let occupied = cells[0] | cells[1];
                for bit in ones(settled & !occupied) {
                    floors[bit as usize] = row;
                }
                settled &= occupied;
                for (plane, cells) in self.planes.iter_mut().zip(cells) {
                    let falling = cells & !settled;
                    if falling == 0 {
                        continue;
                    }
                    plane.erase(at, falling);
                    for bit in ones(falling) {
                        let floor = &mut floors[bit as usize];
                        plane.set(*floor * width + column + bit);
                        // It is below this row, so there is a row above it.
                        *floor -= 1;
                    }
                }
            }
        }
    }

    /// Returns the outcome of a game with this board, if it is over.
    pub(super) fn outcome(&self, shape: &Shape) -> Option<Outcome> {
        match [0, 1].map(|player| !self.squares(shape, player, 0, u64::from(shape.height)).is_zero()) {
            [true, true] => Some(Outcome::Draw),
            [true, false] => Some(Outcome::Win(Player::First)),
            [false, true] => Some(Outcome::Win(Player::Second)),
            [false, false] if self.has_room_anywhere(shape) || self.is_falling(shape) => None,
            [false, false] => Some(Outcome::Draw),
        }
    }

    /// Plays a move in a game in progress, and returns the outcome if that ends it.
    ///
    /// A stick without room changes nothing; nor does a move that is stopped, or that runs out of memory.
    pub(super) fn play(&mut self, shape: &Shape, mover: Player, m: Move) -> Option<Outcome> {
        breathe();
        let (column, horizontal) = match m {
            Move::Vertical(column) => (column, false),
            Move::Horizontal(column) => (column, true),
            Move::Breakdown if !self.is_falling(shape) => return None,
            Move::Breakdown => {
                let mut next = self.clone();
                next.settle(shape);
                let ended = next.outcome(shape);
                *self = next;
                return ended;
            }
        };
        if !self.has_room(shape, column, horizontal) {
            return None;
        }
        let [width, height, stick, square] =
            [shape.width, shape.height, shape.stick, shape.square].map(u64::from);
        let column = u64::from(column);
        let (columns, length) = if horizontal { (stick, 1) } else { (1, stick) };
        // It rests on the first row that is not free.
        let end =
            rows(length..height).find(|row| !self.is_free(row * width + column, columns)).unwrap_or(height);
        for row in end - length..end {
            self.planes[mover.index()].fill(row * width + column, columns);
        }
        // Nobody had a square, so a new one must contain a part of the stick.
        let first = (end - length + 1).saturating_sub(square);
        let last = (end + square - 1).min(height);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            if !self.squares(shape, mover.index(), first, last - first).is_zero() {
                Some(Outcome::Win(mover))
            } else if self.has_room_anywhere(shape) || self.is_falling(shape) {
                None
            } else {
                Some(Outcome::Draw)
            }
        }));
        ended.unwrap_or_else(|stopped| {
            for row in end - length..end {
                self.planes[mover.index()].clear(row * width + column, columns);
            }
            resume_unwind(stopped)
        })
    }

    /// Returns the mirror image of the board.
    pub(super) fn mirror(&self, shape: &Shape) -> Self {
        let width = u64::from(shape.width);
        let planes = [0, 1].map(|player| {
            let mut image = Bits::zeros(shape.area());
            for row in rows(0..u64::from(shape.height)) {
                for (column, count) in pieces(0, width) {
                    let cells = self.planes[player].read(row * width + column) & low(count);
                    let reversed = cells.reverse_bits() >> (64 - count);
                    image.write(row * width + width - column - count, reversed);
                }
            }
            image
        });
        Large { planes }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::breakdown::Breakdown;
    use crate::moves::Moves as _;
    use crate::position::Position;
    use crate::random::Rng;
    use crate::work::{interruptible, stop_by, stops_and};

    /// A move that is stopped, at any moment, leaves the board as it was.
    #[test]
    fn a_stopped_move_changes_nothing() {
        // Breakdowns and sticks in turns, each of which takes a millisecond or so.
        let play = |round: u64| {
            let mut board = Breakdown::new(1500, 1500, 700, 3).unwrap();
            let mut copy = board.clone();
            let mut rng = Rng::new(round);
            let flag = Arc::new(AtomicBool::new(false));
            let stop = Arc::clone(&flag);
            let _stops = stop_by(stops_and(&flag));
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_micros(500 + 97 * (round % 200)));
                stop.store(true, Ordering::Relaxed);
            });
            let mut stopped = 0;
            for ply in 0.. {
                let chosen = interruptible(|| {
                    copy.clone_from(&board);
                    let stick = board.moves().choose(&mut rng).unwrap();
                    Ok(if ply % 2 == 0 { stick } else { Move::Breakdown })
                });
                let Ok(m) = chosen else { break };
                let played = interruptible(|| {
                    board.play_unchecked(m);
                    Ok(())
                });
                if played.is_err() {
                    assert!(board == copy, "{m} in round {round}");
                    stopped += 1;
                    break;
                }
                if board.is_over() {
                    break;
                }
            }
            stopper.join().unwrap();
            stopped
        };
        // In threads of their own, which can be stopped. On a busy machine many are stopped between two moves.
        let mut stopped = (0..3000).map(|round| thread::spawn(move || play(round)).join().unwrap());
        assert_eq!(stopped.by_ref().filter(|&stopped| stopped > 0).take(10).count(), 10);
    }

    /// The same at a moment that is sure to come after the stick was put there: on a board that is no higher than the
    /// stick, nothing before that takes so long that it would be looked whether to stop.
    #[test]
    fn a_stick_that_is_stopped_is_taken_back() {
        let play = |height: u32, stick: u32, m: Move| {
            let mut board = Breakdown::new(100_000, height, stick, 2).unwrap();
            let before = board.clone();
            let _stops = stop_by(stops_and(&Arc::new(AtomicBool::new(true))));
            let played = interruptible(|| {
                board.play_unchecked(m);
                Ok(())
            });
            assert!(played.is_err());
            assert!(board == before, "{m}");
        };
        thread::spawn(move || play(1, 700, Move::Horizontal(3))).join().unwrap();
        thread::spawn(move || play(3, 3, Move::Vertical(70_000))).join().unwrap();
    }

    /// A copy to a board of the same size is whole, whatever was there.
    #[test]
    fn copies_reuse_memory() {
        let mut board = Breakdown::new(30, 30, 2, 2).unwrap();
        let empty = board.clone();
        board.play_unchecked(Move::Vertical(3));
        let mut copy = empty.clone();
        copy.clone_from(&board);
        assert_eq!(copy, board);
        let wider = Breakdown::new(40, 30, 2, 2).unwrap();
        copy.clone_from(&wider);
        assert_eq!(copy, wider);
        copy.clone_from(&Breakdown::default());
        assert_eq!(copy, Breakdown::default());
        copy.clone_from(&empty);
        assert_eq!(copy, empty);
    }
}
