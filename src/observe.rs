//! Observations for programs that learn: cells, planes of zeros and ones, and a mask of legal moves.

use std::fmt::Write;

use crate::cpu::Cpu;
use crate::error::{reserve, zeros};
use crate::moves::Moves;
use crate::position::{Actions, Player};
use crate::random::Rng;

/// A position that can be encoded as numbers, one byte each.
///
/// A game provides the shape of its board and the contents of its cells; the rest follows.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::TicTac;
///
/// let position: TicTac = "X_O/_X_/___ O".parse()?;
/// let mut planes = [0; 2 * 9];
/// position.write_planes(&mut planes);
/// // O is to move, and comes first.
/// assert_eq!(planes, [0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
/// # Ok::<(), petteia::ParseError>(())
/// ```
pub trait Observe: Actions {
    /// The number of planes of an observation.
    const PLANES: usize = 2;

    /// Returns the board's rows and columns.
    fn shape(&self) -> (usize, usize);

    /// Writes the cells row by row: 0 is empty, 1 and 2 are the first and the second player's.
    fn write_cells(&self, cells: &mut [u8]);

    /// Appends the cells in compact form, for storing millions of positions: two bits each, four to a byte, the first
    /// in the lowest bits.
    fn push_cells(&self, bytes: &mut Vec<u8>) {
        let (rows, columns) = self.shape();
        let mut cells = zeros("cells", rows * columns).unwrap_or_else(|error| error.raise());
        self.write_cells(&mut cells);
        reserve("a board's contents", bytes, cells.len().div_ceil(4));
        bytes.extend(cells.chunks(4).map(|four| four.iter().rev().fold(0, |byte, cell| byte << 2 | cell)));
    }

    /// Counts the cells of each player, first player first: the discs of Reversi.
    fn count_cells(&self) -> [usize; 2] {
        let (rows, columns) = self.shape();
        let mut cells = zeros("cells", rows * columns).unwrap_or_else(|error| error.raise());
        self.write_cells(&mut cells);
        [1, 2].map(|player| cells.iter().filter(|&&cell| cell == player).count())
    }

    /// Returns the number of bytes of an observation.
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
        let mine = if self.turn() == Some(Player::Second) { 2 } else { 1 };
        let (own, other) = planes.split_at_mut(planes.len() / 2);
        self.write_cells(own);
        for (own, other) in own.iter_mut().zip(other) {
            *other = u8::from(*own == 3 - mine);
            *own = u8::from(*own == mine);
        }
    }

    /// Writes a 1 for every legal action, and a 0 for every other.
    ///
    /// # Panics
    ///
    /// If there are not [`num_actions`](Actions::num_actions) bytes.
    fn write_mask(&self, mask: &mut [u8]) {
        assert_eq!(mask.len(), self.num_actions(), "the number of actions");
        mask.fill(0);
        for m in self.moves() {
            mask[self.action_of_legal(&m)] = 1;
        }
    }
}

/// Hooks with which a game can use special instructions of the processor, in batches and self-play.
///
/// Each gives the same result as the plain method that it calls by default; tests compare the two. A game of your own
/// has `impl OnCpu for MyGame {}`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    note = "every method is provided: `impl petteia::OnCpu for {Self} {{}}` is enough"
)]
pub trait OnCpu: Observe {
    /// Like [`push_cells`](Observe::push_cells).
    #[inline(always)]
    fn push_cells_on(&self, _: impl Cpu, bytes: &mut Vec<u8>) {
        self.push_cells(bytes);
    }

    /// Appends the text of the position, sooner than a formatter where a game knows how.
    #[inline(always)]
    fn push_text(&self, text: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{self}");
    }

    /// Like [`write_planes`](Observe::write_planes).
    #[inline(always)]
    fn write_planes_on(&self, _: impl Cpu, planes: &mut [u8]) {
        self.write_planes(planes);
    }

    /// Like [`write_mask`](Observe::write_mask).
    #[inline(always)]
    fn write_mask_on(&self, _: impl Cpu, mask: &mut [u8]) {
        self.write_mask(mask);
    }

    /// Returns the action of the move that [`choose`](Moves::choose) would pick, or `None` if there is none.
    #[inline(always)]
    fn choose_on(&self, _: impl Cpu, rng: &mut Rng) -> Option<usize> {
        self.moves().choose(rng).map(|m| self.action_of_legal(&m))
    }

    /// Returns the move of an action if it is legal.
    #[inline(always)]
    fn legal_move(&self, action: usize) -> Option<Self::Move> {
        self.move_of(action).filter(|m| self.is_legal(m))
    }

    /// Like [`play_unchecked`](crate::Position::play_unchecked).
    #[inline(always)]
    fn play_on(&mut self, _: impl Cpu, m: Self::Move) {
        self.play_unchecked(m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::V3;
    use crate::{Breakdown, Declared, Reversi, TicTac};

    /// Checks the hooks of every processor level against the plain methods, along random games.
    fn check<P: OnCpu>(start: P) {
        check_on(Portable, &start);
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = V3::detect() {
            check_on(cpu, &start);
        }
    }

    fn check_on<P: OnCpu>(cpu: impl Cpu, start: &P) {
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
                let planes = write(length, &|bytes| position.write_planes(bytes));
                assert_eq!(write(length, &|bytes| position.write_planes_on(cpu, bytes)), planes);
                let mask = write(actions, &|bytes| position.write_mask(bytes));
                assert_eq!(write(actions, &|bytes| position.write_mask_on(cpu, bytes)), mask);
                let mut cells = [vec![1, 2], vec![1, 2]];
                position.push_cells(&mut cells[0]);
                position.push_cells_on(cpu, &mut cells[1]);
                assert_eq!(cells[0], cells[1]);
                let mut text = "before".to_owned();
                position.push_text(&mut text);
                assert_eq!(text, format!("before{position}"));
                for action in 0..=actions {
                    let legal = mask.get(action) == Some(&1);
                    assert_eq!(position.legal_move(action), position.move_of(action).filter(|_| legal));
                }
                let chosen = position.choose_on(cpu, &mut rng.clone());
                let Some(m) = position.moves().choose(&mut rng) else {
                    assert_eq!(chosen, None);
                    break;
                };
                assert_eq!(chosen, position.action(&m));
                let expected = position.after_unchecked(m.clone());
                position.play_on(cpu, m);
                assert_eq!(position, expected);
            }
        }
    }

    #[test]
    fn hooks_do_what_the_plain_methods_do() {
        macro_rules! check_all {
            ([$($game:ident)*]) => {
                $(for preset in crate::$game::PRESETS {
                    check(crate::$game::start(preset.values).unwrap());
                })*
            };
        }
        crate::games!([check_all]);
        for (width, height) in [(8, 8), (2, 2), (7, 4), (5, 8), (8, 3)] {
            check(Reversi::new(width, height).unwrap());
        }
        for (width, height, stick, square) in
            [(4, 5, 2, 2), (7, 6, 2, 3), (8, 8, 3, 2), (11, 10, 2, 2), (64, 1, 2, 1), (70, 3, 30, 2)]
        {
            check(Breakdown::new(width, height, stick, square).unwrap());
        }
    }

    /// Unpacks cells one by one.
    #[test]
    fn packed_cells_have_two_bits_each() {
        fn check<P: Observe>(position: P) {
            let (rows, columns) = position.shape();
            let (mut cells, mut packed) = (vec![0; rows * columns], Vec::new());
            position.write_cells(&mut cells);
            position.push_cells(&mut packed);
            assert_eq!(packed.len(), cells.len().div_ceil(4));
            let unpacked = (0..cells.len()).map(|i| packed[i / 4] >> (2 * (i % 4)) & 3);
            assert!(unpacked.eq(cells), "{position}");
        }
        check("X_O/_X_/___ O".parse::<TicTac>().unwrap());
        check("..../..../..../*.../*.oo b 2 2".parse::<Breakdown>().unwrap());
        check("_____/_DL__/_LD__/_____ D".parse::<Reversi>().unwrap());
        check(Breakdown::new(70, 3, 30, 2).unwrap());
    }
}
