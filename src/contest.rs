//! Matches between two computer players, who take turns moving first.

use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::bots::Bot;
use crate::engine::Engine;
use crate::random::Rng;
use crate::search::Memory;
use crate::starts::Start;
use crate::work::{Pulse, Stopped, Terms, Watch, is_large, share};

/// A match between two computer players.
///
/// ```
/// use petteia::{Bot, Contest, TicTac};
///
/// let contest = Contest { bots: [Bot::Myopic, Bot::Random], games: 100, ..Contest::default() };
/// let score = contest.play(&TicTac::default()).unwrap();
/// assert_eq!(score.games(), 100);
/// assert!(score.share() > 0.5);
/// ```
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// The players; the first of them moves first in even-numbered games.
    pub bots: [Bot; 2],
    /// How many games.
    pub games: u64,
    /// The seed of the players' random choices: game `i` of a seed is always the same.
    pub seed: u64,
    /// A game of this length is declared a draw.
    pub max_plies: u64,
    /// How many threads play; the result does not depend on it.
    pub threads: usize,
    /// Called now and then, on the calling thread, to ask whether to go on.
    pub watch: Option<Watch<'a>>,
    /// Counts the finished games, for a watcher to look at.
    pub finished: Option<&'a AtomicU64>,
}

impl Default for Contest<'_> {
    fn default() -> Self {
        let bots = [Bot::Random; 2];
        Contest { bots, games: 100, seed: 0, max_plies: 10_000, threads: 1, watch: None, finished: None }
    }
}

impl fmt::Debug for Contest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contest")
            .field("bots", &self.bots)
            .field("games", &self.games)
            .field("seed", &self.seed)
            .field("max_plies", &self.max_plies)
            .field("threads", &self.threads)
            .field("watch", &self.watch.map(|_| ".."))
            .field("finished", &self.finished)
            .finish()
    }
}

/// The result of a match for the first of its players: games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The games in which it moved first.
    pub as_first: [u64; 3],
    /// The games in which it moved second.
    pub as_second: [u64; 3],
}

impl Score {
    /// Returns the games won, drawn and lost in total.
    pub fn counts(&self) -> [u64; 3] {
        std::array::from_fn(|i| self.as_first[i] + self.as_second[i])
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Returns the share of points, a draw counting half a point.
    pub fn share(&self) -> f64 {
        let [won, drawn, _] = self.counts();
        (won as f64 + drawn as f64 / 2.0) / self.games().max(1) as f64
    }

    fn count(&mut self, game: u64, result: i8) {
        let counts = if game % 2 == 0 { &mut self.as_first } else { &mut self.as_second };
        counts[(1 - result) as usize] += 1;
    }
}

impl Contest<'_> {
    /// Plays all games, from a position or from one of several for each pair of games, in which the players change
    /// seats.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the watcher asked for it.
    pub fn play<P: Engine>(&self, start: &impl Start<P>) -> Result<Score, Stopped> {
        let next = AtomicU64::new(0);
        let scores = share(self.terms(start, self.threads), |_, pulse| {
            let mut score = Score::default();
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= self.games {
                    return Ok(score);
                }
                score.count(game, self.play_game(start, game, pulse)?.0);
            }
        })?;
        Ok(scores.into_iter().fold(Score::default(), |sum, score| Score {
            as_first: std::array::from_fn(|i| sum.as_first[i] + score.as_first[i]),
            as_second: std::array::from_fn(|i| sum.as_second[i] + score.as_second[i]),
        }))
    }

    /// Plays the games with the given numbers on this thread and returns their results for the first player (1, 0 or
    /// -1), each with a hash of its moves, and of its start if there are several, by which repeated games are known.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the watcher asked for it.
    pub fn results<P: Engine>(
        &self,
        start: &impl Start<P>,
        games: Range<u64>,
    ) -> Result<Vec<(i8, u64)>, Stopped> {
        let results = share(self.terms(start, 1), |_, pulse| {
            games.clone().map(|game| self.play_game(start, game, pulse)).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(results.concat())
    }

    fn terms<P: Engine>(&self, start: &impl Start<P>, threads: usize) -> Terms<'_> {
        let apart = is_large(start.first().heap_bytes());
        Terms { threads, watch: self.watch, apart, deadline: None }
    }

    /// Plays one game and returns its result for the first player, and its hash.
    fn play_game<P: Engine>(
        &self,
        start: &impl Start<P>,
        game: u64,
        pulse: &mut Pulse<'_>,
    ) -> Result<(i8, u64), Stopped> {
        let several = start.only().is_none();
        let start = start.of_game(self.seed, game / 2);
        let mut hash = Written::default();
        if several {
            hash.write(start);
        }
        let mut seats = [Seat::new(self, 0, game), Seat::new(self, 1, game)];
        if game % 2 == 1 {
            seats.reverse();
        }
        let first = start.turn();
        let mut position = start.clone();
        let mut plies = 0;
        pulse.look()?;
        while !position.is_over() && plies < self.max_plies {
            let seat = &mut seats[usize::from(position.turn() != first)];
            let m = seat.choose(&position, &pulse.watcher());
            // A player that is told to stop moves at once: that move does not count.
            pulse.look()?;
            hash.write(&m);
            position.play_unchecked(m);
            plies += 1;
        }
        if let Some(finished) = self.finished {
            finished.fetch_add(1, Ordering::Relaxed);
        }
        let winner = position.outcome().and_then(|outcome| outcome.winner());
        let result = match winner {
            None => 0,
            winner if winner == first => 1,
            Some(_) => -1,
        };
        Ok((if game % 2 == 0 { result } else { -result }, hash.0.finish()))
    }
}

/// The hash of texts.
#[derive(Default)]
struct Written(DefaultHasher);

impl Written {
    fn write(&mut self, text: &impl fmt::Display) {
        // Nothing fails; the space ends the text.
        let _ = write!(self, "{text} ");
    }
}

impl fmt::Write for Written {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// A player in one game: each of its moves has its own random stream.
struct Seat {
    bot: Bot,
    seed: u64,
    chosen: u64,
    memory: Memory,
}

impl Seat {
    fn new(contest: &Contest<'_>, number: usize, game: u64) -> Self {
        // The odd number nearest to 2^64 divided by the golden ratio keeps neighbouring seeds apart.
        let place = game.wrapping_mul(2).wrapping_add(number as u64);
        let seed = contest.seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Seat { bot: contest.bots[number], seed, chosen: 0, memory: Memory::default() }
    }

    fn choose<P: Engine>(&mut self, position: &P, watch: Watch<'_>) -> P::Move {
        let mut rng = Rng::for_game(self.seed, self.chosen);
        self.chosen += 1;
        let chosen = self.bot.think(position, &mut rng, &self.memory, watch).map(|choice| choice.m);
        chosen.unwrap_or_else(|| panic!("{} found no move in {} {position}", self.bot, position.name()))
    }
}
