//! Random games on boards of up to 128 cells, with nothing found out twice.

use super::small::{Engine, Word};
use crate::cpu::Cpu;
use crate::playout::Play;
use crate::position::{Outcome, Player};
use crate::random::Rng;

/// Random games from a position in progress.
pub(super) struct Sticks<C, W> {
    cpu: C,
    engine: Engine<W>,
    start: State<W>,
}

/// A game, with what one move finds out and the next one uses.
#[derive(Clone, Copy)]
pub(super) struct State<W> {
    mover: Player,
    /// The cells of the player to move, and of the other.
    planes: [W; 2],
    /// For an upright and for a lying stick: where it would lie on something, and the columns it fits into.
    obstacles: [W; 2],
    room: [W; 2],
}

impl<C: Cpu, W: Word> Sticks<C, W> {
    /// Starts from the cells of black and white.
    pub(super) fn new(cpu: C, engine: Engine<W>, [black, white]: [W; 2], mover: Player) -> Self {
        let planes = if mover == Player::First { [black, white] } else { [white, black] };
        let obstacles = engine.obstacles(black | white);
        let start = State { mover, planes, obstacles, room: engine.room(obstacles) };
        Sticks { cpu, engine, start }
    }
}

impl<C: Cpu, W: Word> Play for Sticks<C, W> {
    type Game = State<W>;

    #[inline(always)]
    fn start(&self) -> State<W> {
        self.start
    }

    #[inline(always)]
    fn step(&self, game: &mut State<W>, rng: &mut Rng) -> Option<Outcome> {
        let engine = &self.engine;
        let State { mover, mut planes, obstacles, room } = *game;
        let upright = room[0].count();
        let drops = upright + room[1].count();
        let chosen = rng.below(drops as usize + 1) as u32;
        if chosen < drops {
            // One path for both kinds of stick: which comes next is beyond a processor's guessing.
            let lying = chosen >= upright;
            let entries = if lying { room[1] } else { room[0] };
            let obstacles = if lying { obstacles[1] } else { obstacles[0] };
            let n = if lying { chosen - upright } else { chosen };
            let column = entries.nth(self.cpu, n);
            planes[0] |= engine.landing(obstacles, column, usize::from(lying));
            if engine.squares(planes[0]) != W::ZERO {
                return Some(Outcome::Win(mover));
            }
        } else if engine.settle(&mut planes) {
            match planes.map(|plane| engine.squares(plane) != W::ZERO) {
                [true, true] => return Some(Outcome::Draw),
                [true, false] => return Some(Outcome::Win(mover)),
                [false, true] => return Some(Outcome::Win(mover.other())),
                [false, false] => {}
            }
        }
        let occupied = planes[0] | planes[1];
        let obstacles = engine.obstacles(occupied);
        let room = engine.room(obstacles);
        *game = State { mover: mover.other(), planes: [planes[1], planes[0]], obstacles, room };
        let stuck = room[0] | room[1] == W::ZERO && engine.falling(occupied) == W::ZERO;
        stuck.then_some(Outcome::Draw)
    }
}
