//! What a board looks like to a program that learns: cells, planes of zeros and ones, and a mask of legal moves.

use crate::cpu::{Cpu, Portable};
use crate::moves::Moves;
use crate::position::{Player, Position};
use crate::random::Rng;

/// A position that can be written as numbers, a byte each.
///
/// ```
/// use petteia::{Observe, TicTac};
///
/// let position: TicTac = "X_O/_X_/___ O".parse()?;
/// let mut planes = [0; 2 * 9];
/// position.write_planes(&mut planes);
/// // O is to move, and comes first.
/// assert_eq!(planes, [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
/// # Ok::<(), petteia::ParseError>(())
/// ```
pub trait Observe: Position {
    /// How many planes an observation has.
    const PLANES: usize = 2;

    /// Returns the board's rows and columns.
    fn shape(&self) -> (usize, usize);

    /// Writes the cells row by row: 0 is empty, 1 and 2 are the first and the second player's.
    fn write_cells(&self, cells: &mut [u8]);

    /// Appends the cells in few bytes, for those who keep positions by the million: two bits each, four to a byte, the first
    /// in the lowest; in Quarto a byte each, and one more for the piece in hand.
    fn push_cells(&self, bytes: &mut Vec<u8>) {
        self.cells_on(Portable, bytes);
    }

    /// Returns how many bytes an observation has.
    fn observation_len(&self) -> usize {
        let (rows, columns) = self.shape();
        Self::PLANES * rows * columns
    }

    /// Writes the planes one after another: the cells of the player to move, then the other's.
    ///
    /// In a finished game nobody is to move, and the first player's come first.
    ///
    /// # Panics
    ///
    /// If there are not [`observation_len`](Observe::observation_len) bytes.
    fn write_planes(&self, planes: &mut [u8]) {
        assert_eq!(planes.len(), self.observation_len(), "the length of an observation");
        self.planes_on(Portable, planes);
    }

    /// Writes a 1 for every legal action, and a 0 for every other.
    ///
    /// # Panics
    ///
    /// If there are not [`num_actions`](Position::num_actions) bytes.
    fn write_mask(&self, mask: &mut [u8]) {
        assert_eq!(mask.len(), self.num_actions(), "the number of actions");
        self.mask_on(Portable, mask);
    }

    /// Does the work of [`push_cells`](Observe::push_cells) with the instructions of a processor.
    #[doc(hidden)]
    #[inline(always)]
    fn cells_on(&self, _: impl Cpu, bytes: &mut Vec<u8>) {
        pack_cells(self, bytes);
    }

    /// Does the work of [`write_planes`](Observe::write_planes) with the instructions of a processor.
    #[doc(hidden)]
    #[inline(always)]
    fn planes_on(&self, _: impl Cpu, planes: &mut [u8]) {
        planes_from_cells(self, planes);
    }

    /// Does the work of [`write_mask`](Observe::write_mask) with the instructions of a processor.
    #[doc(hidden)]
    #[inline(always)]
    fn mask_on(&self, _: impl Cpu, mask: &mut [u8]) {
        mask_from_moves(self, mask);
    }

    /// Returns the action of one of the legal moves, each with the same chance, or `None` if there are none.
    ///
    /// It is the move that [`choose`](Moves::choose) would give.
    #[doc(hidden)]
    #[inline(always)]
    fn choose_on(&self, cpu: impl Cpu, rng: &mut Rng) -> Option<usize> {
        self.moves().choose_on(cpu, rng).and_then(|m| self.action(m))
    }

    /// Returns the move of an action if it is legal.
    #[doc(hidden)]
    #[inline(always)]
    fn legal(&self, action: usize) -> Option<Self::Move> {
        self.move_of(action).filter(|&m| self.is_legal(m))
    }

    /// Does the work of [`play_unchecked`](Position::play_unchecked) with the instructions of a processor.
    #[doc(hidden)]
    #[inline(always)]
    fn play_on(&mut self, _: impl Cpu, m: Self::Move) {
        self.play_unchecked(m);
    }
}

/// Appends cells, four to a byte, in the way that serves every game whose cells are the players'.
pub(crate) fn pack_cells<P: Observe>(position: &P, bytes: &mut Vec<u8>) {
    let (rows, columns) = position.shape();
    let mut cells = vec![0; rows * columns];
    position.write_cells(&mut cells);
    bytes.extend(cells.chunks(4).map(|four| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell)));
}

/// Writes two planes in the way that serves every game whose cells are the players'.
pub(crate) fn planes_from_cells<P: Observe>(position: &P, planes: &mut [u8]) {
    let mine = if position.turn() == Some(Player::Second) { 2 } else { 1 };
    let (own, other) = planes.split_at_mut(planes.len() / 2);
    position.write_cells(own);
    for (own, other) in own.iter_mut().zip(other) {
        *other = u8::from(*own == 3 - mine);
        *own = u8::from(*own == mine);
    }
}

/// Writes the mask in the way that serves every game.
pub(crate) fn mask_from_moves<P: Observe>(position: &P, mask: &mut [u8]) {
    mask.fill(0);
    for action in position.moves().filter_map(|m| position.action(m)) {
        mask[action] = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::V3;
    use crate::{Breakdown, Quarto, Reversi, TicTac, tictac::Mark};

    /// Checks the ways of every processor against the plain ones, along random games.
    fn check<P: Observe>(start: P, planes: impl Fn(&P, &mut [u8])) {
        let write = |length: usize, write: &dyn Fn(&mut [u8])| {
            let mut bytes = vec![9; length];
            write(&mut bytes);
            bytes
        };
        for game in 0..40 {
            let mut rng = Rng::for_game(11, game);
            let mut position = start.clone();
            loop {
                let (length, actions) = (position.observation_len(), position.num_actions());
                let expected = write(length, &|bytes| planes(&position, bytes));
                let mask = write(actions, &|bytes| mask_from_moves(&position, bytes));
                assert_eq!(write(length, &|bytes| position.write_planes(bytes)), expected);
                assert_eq!(write(actions, &|bytes| position.write_mask(bytes)), mask);
                #[cfg(target_arch = "x86_64")]
                if let Some(cpu) = V3::detect() {
                    assert_eq!(write(length, &|bytes| position.planes_on(cpu, bytes)), expected);
                    assert_eq!(write(actions, &|bytes| position.mask_on(cpu, bytes)), mask);
                }
                for action in 0..=actions {
                    let legal = mask.get(action) == Some(&1);
                    assert_eq!(position.legal(action), position.move_of(action).filter(|_| legal));
                }
                #[cfg(target_arch = "x86_64")]
                if let Some(cpu) = V3::detect() {
                    let chosen = position.choose_on(cpu, &mut rng.clone());
                    assert_eq!(chosen, position.choose_on(Portable, &mut rng.clone()));
                }
                let chosen = position.choose_on(Portable, &mut rng.clone());
                let Some(m) = position.moves().choose(&mut rng) else { break };
                assert_eq!(chosen, position.action(m));
                let mut on_this = position.clone();
                #[cfg(target_arch = "x86_64")]
                if let Some(cpu) = V3::detect() {
                    on_this.play_on(cpu, m);
                    assert_eq!(on_this, position.after_unchecked(m));
                }
                on_this = position;
                on_this.play_on(Portable, m);
                position = on_this;
            }
        }
    }

    #[test]
    fn planes_are_those_of_the_cells() {
        check(TicTac::default(), planes_from_cells);
        check(TicTac::new(Mark::O), planes_from_cells);
        for (width, height) in [(8, 8), (2, 2), (7, 4), (5, 8), (8, 3)] {
            check(Reversi::new(width, height).unwrap(), planes_from_cells);
        }
        for (width, height, stick, square) in
            [(4, 5, 2, 2), (7, 6, 2, 3), (8, 8, 3, 2), (11, 10, 2, 2), (64, 1, 2, 1), (70, 3, 30, 2)]
        {
            check(Breakdown::new(width, height, stick, square).unwrap(), planes_from_cells);
        }
    }

    #[test]
    fn planes_of_quarto_are_those_of_its_pieces() {
        check(Quarto::default(), |position, planes| {
            // A piece in five bits: that there is one, then its attributes as in its number.
            let hand = position.hand().map_or(0, |piece| 16 | piece.index());
            let mut cells = [0; 16];
            position.write_cells(&mut cells);
            for (square, cell) in cells.into_iter().enumerate() {
                let here = if cell == u8::MAX { 0 } else { 16 | usize::from(cell) };
                for plane in 0..5 {
                    planes[plane * 16 + square] = (here >> (4 - plane) & 1) as u8;
                    planes[(plane + 5) * 16 + square] = (hand >> (4 - plane) & 1) as u8;
                }
            }
        });
    }
}
