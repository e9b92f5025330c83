//! Playouts on boards of up to 128 cells, many games in lockstep.
//!
//! All games of a batch move together. What every board needs, finding room for sticks and looking for squares, is the
//! same few shifts for all of them, which compilers vectorize; choosing moves and breakdowns are done game by game.

use std::ops::Range;

use super::cells::Shape;
use super::small::{Engine, Word};
use crate::cpu::{Cpu, Operation, on_best_cpu};
use crate::playout::Tally;
use crate::position::{Outcome, Player};
use crate::random::Rng;

/// The widest board whose moves fit in one mask.
pub(super) const MAX_WIDTH: u32 = 31;

/// Where horizontal sticks begin in the mask; vertical ones begin at 0.
const HORIZONTAL: u32 = 32;

/// The bit of the breakdown, which comes last, as in the order of the actions.
const BREAKDOWN: u32 = 63;

/// How many games run in lockstep.
const LANES: usize = 32;

/// One word for each game.
type Lanes<W> = [W; LANES];

/// Plays random games of a seed from a game in progress, given the cells of black and white.
pub(super) fn play<W: Word>(
    shape: &Shape,
    planes: [W; 2],
    mover: Player,
    games: Range<u64>,
    seed: u64,
) -> Tally {
    let fits = shape.stick.max(shape.square) <= shape.width.min(shape.height);
    let play = match (shape.stick, shape.square) {
        (2, 2) if fits => play_known::<W, 2, 2>,
        (2, 3) if fits => play_known::<W, 2, 3>,
        (3, 2) if fits => play_known::<W, 3, 2>,
        (3, 3) if fits => play_known::<W, 3, 3>,
        _ => play_known::<W, 0, 0>,
    };
    play(shape, planes, mover, games, seed)
}

fn play_known<W: Word, const K: u32, const Q: u32>(
    shape: &Shape,
    planes: [W; 2],
    mover: Player,
    games: Range<u64>,
    seed: u64,
) -> Tally {
    let engine = Engine::<W, K, Q>::new(shape);
    on_best_cpu!(cpu => cpu.run(Lockstep { cpu, engine, planes, mover, games, seed }))
}

/// The games, for one processor level.
struct Lockstep<C, W, const K: u32, const Q: u32> {
    cpu: C,
    engine: Engine<W, K, Q>,
    planes: [W; 2],
    mover: Player,
    games: Range<u64>,
    seed: u64,
}

impl<C: Cpu, W: Word, const K: u32, const Q: u32> Operation for Lockstep<C, W, K, Q> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let Lockstep { cpu, engine, planes, mover, mut games, seed } = self;
        let mut tally = Tally::default();
        // Sides take turns: in even steps side 0 moves in every lane, in odd ones side 1. In a game that begins in an
        // odd step the first to move is side 1.
        let first = [planes[mover.index()], planes[mover.other().index()]];
        let mut sides = [[W::ZERO; LANES]; 2];
        let mut began = [0; LANES];
        let mut streams: Lanes<Rng> = std::array::from_fn(|_| Rng::new(0));
        let mut playing = 0u64;
        let mut ended = (1u64 << LANES) - 1;
        for step in 0.. {
            let side = (step % 2) as usize;
            for lane in bits(ended) {
                playing &= !(1 << lane);
                if let Some(game) = games.next() {
                    playing |= 1 << lane;
                    streams[lane] = Rng::for_game(seed, game);
                }
                // A lane without a game plays one that is not counted.
                began[lane] = step;
                sides[side][lane] = first[0];
                sides[1 - side][lane] = first[1];
            }
            if playing == 0 {
                break;
            }

            let mut moves = [0u64; LANES];
            let mut rests = [[W::ZERO; LANES]; 2];
            for lane in 0..LANES {
                let occupied = sides[0][lane] | sides[1][lane];
                let under_horizontal = engine.under_horizontal(occupied);
                let [vertical, horizontal] =
                    engine.room(occupied, under_horizontal).map(|room| room.widen() as u64);
                moves[lane] = vertical | horizontal << HORIZONTAL | 1 << BREAKDOWN;
                rests[0][lane] = engine.rests(occupied);
                rests[1][lane] = engine.rests(under_horizontal);
            }
            // In two loops: the shorter the dependency chains, the more of them run in parallel.
            let mut places = [0; LANES];
            for lane in 0..LANES {
                let chosen = streams[lane].below(moves[lane].count_ones() as usize);
                places[lane] = cpu.nth(moves[lane], chosen as u32);
            }
            let mut breakdowns = 0;
            for (lane, &place) in places.iter().enumerate() {
                // Branchless, since random moves cannot be predicted: a breakdown is a stick without cells.
                let broken = place == BREAKDOWN;
                let horizontal = usize::from(place >= HORIZONTAL);
                let kind = horizontal + usize::from(broken);
                sides[side][lane] |= engine.landing(rests[horizontal][lane], place % HORIZONTAL, kind);
                breakdowns |= u64::from(broken) << lane;
            }
            let squares = sides[side].map(|plane| engine.squares(plane));
            let mut won = [0u64; 2];
            if squares.iter().fold(W::ZERO, |any, &corners| any | corners) != W::ZERO {
                for (lane, &corners) in squares.iter().enumerate() {
                    won[side] |= u64::from(corners != W::ZERO) << lane;
                }
            }
            let mut stuck = 0;
            for lane in bits(breakdowns) {
                let mut planes = [sides[0][lane], sides[1][lane]];
                if engine.settle(&mut planes) {
                    for side in 0..2 {
                        sides[side][lane] = planes[side];
                        won[side] |= u64::from(engine.squares(planes[side]) != W::ZERO) << lane;
                    }
                } else {
                    stuck |= u64::from(moves[lane] == 1 << BREAKDOWN) << lane;
                }
            }
            ended = won[0] | won[1] | stuck;
            for lane in bits(ended & playing) {
                let own = (began[lane] % 2) as usize;
                let outcome = match [won[own], won[1 - own]].map(|won| won >> lane & 1) {
                    [1, 0] => Outcome::Win(mover),
                    [0, 1] => Outcome::Win(mover.other()),
                    _ => Outcome::Draw,
                };
                // A stuck board ended the game with the previous move, which is only noticed now.
                tally.record(outcome, step + 1 - began[lane] - (stuck >> lane & 1));
            }
        }
        tally
    }
}

/// Returns the indices of the set bits of a mask of lanes, in order.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (set != 0).then_some(set.trailing_zeros() as usize % LANES)?;
        set &= set - 1;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;

    /// Every processor level plays the same games.
    #[test]
    fn portable_games_are_the_same() {
        for (width, height, stick, square) in
            [(7, 6, 2, 3), (4, 5, 2, 2), (5, 5, 3, 1), (12, 9, 4, 2), (31, 3, 3, 3)]
        {
            let shape = Shape { width, height, stick, square };
            let (engine, planes, mover, games, seed) =
                (Engine::<_>::new(&shape), [0u128; 2], Player::First, 0..200, 4);
            let portable =
                Lockstep { cpu: Portable, engine, planes, mover, games: games.clone(), seed }.run();
            assert_eq!(portable, play(&shape, planes, mover, games, seed));
            assert_eq!(portable.games(), 200);
        }
    }
}
