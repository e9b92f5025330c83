//! Playouts: random play to the end of the game.
//!
//! [`Engine::playouts`] plays a range of games. [`playouts_with`] also runs in parallel and can be stopped.

use std::fmt;
use std::ops::{Add, AddAssign, ControlFlow, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cpu::{Cpu, Operation, on_best_cpu};
use crate::engine::Engine;
use crate::moves::{BitMove, MoveSet, Moves};
use crate::position::{Outcome, Player, Position};
use crate::random::Rng;
use crate::starts::Start;
use crate::time::Instant;
use crate::work::{BEAT, Pulse, Rhythm, Stopped, Terms, is_large, share};

/// How a number of games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Games won by each player, first player first.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Games cut off after a number of plies, which have no result.
    pub truncated: u64,
    /// Moves played in all games together.
    pub plies: u64,
}

impl Tally {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws + self.truncated
    }

    /// Adds one game.
    #[inline]
    pub fn record(&mut self, outcome: Outcome, plies: u64) {
        // Branchless, since the outcomes of random games defeat branch prediction.
        self.wins[0] += u64::from(outcome == Outcome::Win(Player::First));
        self.wins[1] += u64::from(outcome == Outcome::Win(Player::Second));
        self.draws += u64::from(outcome == Outcome::Draw);
        self.plies += plies;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
        self.truncated += other.truncated;
        self.plies += other.plies;
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(mut self, other: Tally) -> Tally {
        self += other;
        self
    }
}

/// How random games are played.
#[derive(Clone, Copy)]
pub struct PlayoutOptions<'a> {
    /// How many threads play; the result does not depend on it.
    pub threads: usize,
    /// A game is cut off after this many moves; see [`Tally::truncated`].
    pub max_plies: u64,
    /// Called now and then, on the calling thread, with the number of finished games; can stop the rest.
    pub watch: Option<&'a (dyn Fn(u64) -> ControlFlow<()> + Sync)>,
}

impl Default for PlayoutOptions<'_> {
    fn default() -> Self {
        PlayoutOptions { threads: 1, max_plies: u64::MAX, watch: None }
    }
}

impl fmt::Debug for PlayoutOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let watch = self.watch.map(|_| "..");
        f.debug_struct("PlayoutOptions")
            .field("threads", &self.threads)
            .field("max_plies", &self.max_plies)
            .field("watch", &watch)
            .finish()
    }
}

/// Plays the games of [`Engine::playouts`] in parallel, from a position or from one of several for each game.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::{PlayoutOptions, Reversi, playouts_with};
///
/// let options = PlayoutOptions { threads: 2, ..PlayoutOptions::default() };
/// let start = Reversi::default();
/// assert_eq!(playouts_with(&start, 0..1000, 7, &options), Ok(start.playouts(0..1000, 7)));
/// ```
///
/// # Errors
///
/// [`Stopped`] if the watcher asked for it.
pub fn playouts_with<P: Engine>(
    start: &impl Start<P>,
    games: Range<u64>,
    seed: u64,
    options: &PlayoutOptions,
) -> Result<Tally, Stopped> {
    // Counted from 0, so that the last ones do not overflow.
    let total = games.end.saturating_sub(games.start);
    let taken = AtomicU64::new(0);
    let finished = AtomicU64::new(0);
    let watch =
        || options.watch.map_or(ControlFlow::Continue(()), |watch| watch(finished.load(Ordering::Relaxed)));
    let most = total.clamp(1, 1 << 16) as usize;
    let threads = options.threads.min(most);
    let apart = is_large(start.first().heap_bytes());
    let terms = Terms { threads, watch: Some(&watch), apart, deadline: None };
    // Which a game may play faster than one after another.
    let alike = start.only().filter(|_| options.max_plies == u64::MAX);
    let tallies = share(terms, |_, pulse| {
        let mut tally = Tally::default();
        let mut batch = 1;
        loop {
            pulse.look()?;
            let before = taken.fetch_add(batch, Ordering::Relaxed);
            if before >= total {
                return Ok(tally);
            }
            let (first, count) = (games.start + before, batch.min(total - before));
            let begun = Instant::now();
            // The first game, and any that takes long by itself, is played one move at a time.
            tally += match alike {
                Some(position) if count > 1 => position.playouts(first..first + count, seed),
                _ => play_each(start, first..first + count, seed, options.max_plies, pulse)?,
            };
            finished.fetch_add(count, Ordering::Relaxed);
            let seconds = begun.elapsed();
            if seconds < BEAT / 4 {
                // Finished games take no time.
                batch = (2 * batch).min(1 << 32);
            } else if seconds > BEAT {
                batch = (batch / 2).max(1);
            }
        }
    })?;
    Ok(tallies.into_iter().fold(Tally::default(), |sum, tally| sum + tally))
}

/// Plays games one after another, the same as [`Engine::playouts`] would.
fn play_each<P: Position>(
    start: &impl Start<P>,
    games: Range<u64>,
    seed: u64,
    max_plies: u64,
    pulse: &mut Pulse<'_>,
) -> Result<Tally, Stopped> {
    let alone = games.end - games.start == 1;
    let mut rhythm = Rhythm::new();
    let mut tally = Tally::default();
    for game in games {
        let mut left = max_plies;
        let go_on = || {
            if alone || rhythm.is_time() {
                pulse.look().map_err(|_| Cut::Stopped)?;
            }
            left = left.checked_sub(1).ok_or(Cut::Truncated)?;
            Ok(())
        };
        let start = start.of_game(seed, game).clone();
        match play_out(start, &mut Rng::for_game(seed, game), go_on) {
            Ok((outcome, plies)) => tally.record(outcome, plies),
            Err(Cut::Truncated) => {
                tally.truncated += 1;
                tally.plies += max_plies;
            }
            Err(Cut::Stopped) => return Err(Stopped),
        }
    }
    Ok(tally)
}

/// Why a game did not come to its end.
enum Cut {
    Truncated,
    Stopped,
}

/// Plays out one game, checking before every move whether to go on.
pub(crate) fn play_out<P: Position, E>(
    mut position: P,
    rng: &mut Rng,
    mut go_on: impl FnMut() -> Result<(), E>,
) -> Result<(Outcome, u64), E> {
    let mut plies = 0;
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok((outcome, plies));
        }
        go_on()?;
        let m = position.moves().choose(rng).unwrap_or_else(|| no_move(&position));
        position.play_unchecked(m);
        plies += 1;
    }
}

/// Panics about a position with neither an outcome nor a move, which violates the contract of [`Position`].
#[cold]
pub(crate) fn no_move<P: Position>(position: &P) -> ! {
    panic!("{} {position} has neither an outcome nor a legal move", position.name())
}

/// Plays out many games, with the generic algorithm.
pub(crate) fn play_out_many<P: Position>(start: &P, games: Range<u64>, seed: u64) -> Tally {
    if let Some(outcome) = start.outcome() {
        return already_over(outcome, games);
    }
    on_best_cpu!(cpu => cpu.run(SideBySide { play: Plain { start }, games, seed }))
}

/// Plays out many games of any kind whose moves are a bit mask.
pub fn playouts_by_mask<P>(start: &P, games: Range<u64>, seed: u64) -> Tally
where
    P: Position<Moves = MoveSet<<P as Position>::Move>>,
    P::Move: BitMove,
{
    if let Some(outcome) = start.outcome() {
        return already_over(outcome, games);
    }
    on_best_cpu!(cpu => cpu.run(SideBySide { play: Masked { cpu, start }, games, seed }))
}

/// Tallies games that are over from the start.
pub(crate) fn already_over(outcome: Outcome, games: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    games.for_each(|_| tally.record(outcome, 0));
    tally
}

/// A method of playing random games from a position that is not over.
pub(crate) trait Play {
    /// The state of a game: the position, or something faster.
    type Game;

    /// Returns a game at its start.
    fn start(&self) -> Self::Game;

    /// Plays one move, chosen uniformly, and returns the outcome if it ended the game.
    ///
    /// To be marked `#[inline(always)]`. All methods choose the same move for the same random number: the n-th legal
    /// one.
    fn step(&self, game: &mut Self::Game, rng: &mut Rng) -> Option<Outcome>;
}

/// The generic method.
struct Plain<'a, P> {
    start: &'a P,
}

impl<P: Position> Play for Plain<'_, P> {
    type Game = P;

    fn start(&self) -> P {
        self.start.clone()
    }

    #[inline(always)]
    fn step(&self, position: &mut P, rng: &mut Rng) -> Option<Outcome> {
        match position.moves().choose(rng) {
            Some(m) => position.play_unchecked(m),
            None => no_move(position),
        }
        // Most moves do not end the game, and this is faster than asking for the outcome.
        if position.is_over() { position.outcome() } else { None }
    }
}

/// The method for games whose moves are a bit mask, from which a processor can pick one faster.
struct Masked<'a, C, P> {
    cpu: C,
    start: &'a P,
}

impl<C: Cpu, P> Play for Masked<'_, C, P>
where
    P: Position<Moves = MoveSet<<P as Position>::Move>>,
    P::Move: BitMove,
{
    type Game = P;

    fn start(&self) -> P {
        self.start.clone()
    }

    #[inline(always)]
    fn step(&self, position: &mut P, rng: &mut Rng) -> Option<Outcome> {
        match position.moves().choose_on(self.cpu, rng) {
            Some(m) => position.play_unchecked(m),
            None => no_move(position),
        }
        if position.is_over() { position.outcome() } else { None }
    }
}

/// Playouts of many games, each with its own random stream of the seed, a few at a time.
///
/// Each move depends on the one before it, but not on other games: interleaving a few games keeps the processor busy
/// where one would leave it mostly idle.
pub(crate) struct SideBySide<Y> {
    pub(crate) play: Y,
    pub(crate) games: Range<u64>,
    pub(crate) seed: u64,
}

/// One of the games.
struct Lane<G> {
    game: G,
    rng: Rng,
    plies: u64,
}

/// How many games are interleaved.
const LANES: usize = 4;

impl<Y: Play> Operation for SideBySide<Y> {
    type Output = Tally;

    #[inline(always)]
    fn run(self) -> Tally {
        let SideBySide { play, games, seed } = self;
        let mut tally = Tally::default();
        let mut waiting =
            games.map(|game| Lane { game: play.start(), rng: Rng::for_game(seed, game), plies: 0 });
        let mut lanes: Vec<Lane<Y::Game>> = waiting.by_ref().take(LANES).collect();
        while !lanes.is_empty() {
            let mut done = None;
            for (i, lane) in lanes.iter_mut().enumerate() {
                lane.plies += 1;
                if let Some(outcome) = play.step(&mut lane.game, &mut lane.rng) {
                    tally.record(outcome, lane.plies);
                    match waiting.next() {
                        Some(next) => *lane = next,
                        None => {
                            // The others continue in the next round.
                            done = Some(i);
                            break;
                        }
                    }
                }
            }
            if let Some(i) = done {
                lanes.swap_remove(i);
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Reversi, TicTac};

    /// Every processor level and every method plays the games of the generic method.
    #[test]
    fn portable_games_are_the_same() {
        fn check<P: Engine>(start: &P) {
            let play = Plain { start };
            assert_eq!(SideBySide { play, games: 0..300, seed: 8 }.run(), start.playouts(0..300, 8));
        }
        macro_rules! check_all {
            ([$($game:ident)*]) => {
                $(check(&crate::$game::default());)*
            };
        }
        crate::games!([check_all]);
    }

    #[test]
    fn games_with_the_largest_numbers_are_played_once() {
        let start = TicTac::default();
        for games in [u64::MAX - 100..u64::MAX, u64::MAX..u64::MAX, Range { start: 7, end: 3 }] {
            for threads in [1, 3] {
                let asked = AtomicU64::new(0);
                // A second is plenty for a hundred games.
                let watch = |_| match asked.fetch_add(1, Ordering::Relaxed) {
                    50 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                };
                let options = PlayoutOptions { threads, watch: Some(&watch), ..PlayoutOptions::default() };
                let tally = playouts_with(&start, games.clone(), 7, &options);
                assert_eq!(tally, Ok(start.playouts(games.clone(), 7)), "{games:?}");
            }
        }
    }

    #[test]
    fn finished_games_are_counted_as_they_are() {
        let won: TicTac = "XXX/OO_/___ -".parse().unwrap();
        assert_eq!(won.playouts(0..7, 0), Tally { wins: [7, 0], ..Tally::default() });
        let over: Reversi = "DL/LD -".parse().unwrap();
        assert_eq!(over.playouts(0..7, 0), Tally { draws: 7, ..Tally::default() });
    }
}
