//! Laws that no input may break, one per module: its function `law` panics if the given bytes break it.
//!
//! `make fuzz` searches for such bytes with libFuzzer, through the programs in `fuzz_targets/`. The test `fuzz` replays
//! the bytes in `corpus/`, a small choice of those that reach most.

use arbitrary::{Result, Unstructured};
use petteia::any::{AnyPosition, Game};
use petteia::prelude::*;
use petteia::with_position;

pub mod batches;
pub mod breakdown_structs;
pub mod c_functions;
pub mod oracles;
pub mod parsers;
pub mod portable;
pub mod programs;
pub mod records;
pub mod tictac_streams;

mod oracle;

/// A function that panics if bytes break a law.
pub type Law = fn(&[u8]);

/// All laws, by the names of their targets.
pub const LAWS: &[(&str, Law)] = &[
    ("batches", batches::law),
    ("breakdown_structs", breakdown_structs::law),
    ("c_functions", c_functions::law),
    ("oracles", oracles::law),
    ("parsers", parsers::law),
    ("portable", portable::law),
    ("programs", programs::law),
    ("records", records::law),
    ("tictac_streams", tictac_streams::law),
];

/// Input that is taken apart piece by piece. At its end, all numbers that it yields are 0.
type Bytes<'a> = Unstructured<'a>;

/// Calls a law that takes its input apart; input that it cannot use breaks no law.
fn with_bytes(data: &[u8], law: impl FnOnce(&mut Bytes<'_>) -> Result<()>) {
    let _ = law(&mut Bytes::new(data));
}

/// Returns a number: usually a small one, sometimes one of any size.
fn number(bytes: &mut Bytes<'_>) -> Result<u32> {
    match bytes.arbitrary::<u8>()? {
        255 => bytes.arbitrary(),
        small => Ok((small % 16).into()),
    }
}

/// Returns the start of any game. Boards are small, but some of Breakdown's have more than 128 cells, or more than 63
/// columns: then cells, or moves, are stored differently.
fn start(bytes: &mut Bytes<'_>) -> Result<AnyPosition> {
    let game = *bytes.choose(Game::ALL)?;
    let largest = *bytes.choose(&[[5, 5, 3, 2], [8, 8, 4, 3], [13, 13, 5, 5], [70, 3, 70, 3]])?;
    let mut values = Vec::new();
    for (parameter, largest) in game.parameters().iter().zip(largest) {
        let (least, most) = parameter.bounds();
        values.push(bytes.int_in_range(least..=most.min(largest))?);
    }
    Ok(AnyPosition::start_with(game, &values).expect("small numbers are in range"))
}

/// Returns a position of any game, reached by some moves.
fn position(bytes: &mut Bytes<'_>) -> Result<AnyPosition> {
    let mut any = start(bytes)?;
    with_position!(&mut any, position => {
        for _ in 0..bytes.int_in_range(0..=70)? {
            play_one(position, bytes)?;
        }
    });
    Ok(any)
}

/// Plays a legal move; does nothing if the game is over.
fn play_one<P: Position>(position: &mut P, bytes: &mut Bytes<'_>) -> Result<Option<P::Move>> {
    let mut moves = position.moves();
    if moves.len() == 0 {
        return Ok(None);
    }
    let n = bytes.int_in_range(0..=moves.len() - 1)?;
    let m = moves.nth(n).expect("n is below the number of moves");
    position.play(m.clone()).expect("the move is legal");
    Ok(Some(m))
}
