//! Training: weights from games that petteia plays against itself.
//!
//! A round plays games with the weights of the round before, labels their positions, and fits the weights to the
//! labels. Games begin with random moves. Once a position can be solved its score is its label, and moves are random
//! again. The label of an earlier position is mostly that of the next one, and a little what a search found there.
//! Nothing else goes in, and the same settings give the same weights on any number of threads.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::patterns::{DISC, Features, KINDS, Patterns, STAGES, stage};
use super::weights::{self, CUTS, FIRST_CUT, Weights};
use super::{Evaluation, Learned, Plain};
use crate::cpu::on_best_cpu;
use crate::moves::Moves;
use crate::position::{Player, Position};
use crate::random::Rng;
use crate::reversi::Reversi;
use crate::reversi::endgame::Endgame;
use crate::reversi::kernel::Kernel;
use crate::reversi::midgame::Midgame;
use crate::search::solve::SolveOptions;
use crate::search::{Clock, Table};
use crate::work::{Terms, share};

/// How much to train.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of all random choices.
    pub seed: u64,
    /// How often to play and fit.
    pub rounds: u32,
    /// How many games a round has.
    pub games: usize,
    /// How many times as many the last round has.
    pub last: usize,
    /// How deep players search.
    pub depth: u32,
    /// How often a fit goes through all positions.
    pub epochs: u32,
    /// How deep the searches are that tell how far shallower ones are off.
    pub cut_depth: u32,
    /// How many threads work; the result does not depend on it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            rounds: 5,
            games: 40_000,
            last: 10,
            depth: 4,
            epochs: 12,
            cut_depth: 10,
            threads: 2,
        }
    }
}

/// With this many empties, a game is solved.
const SOLVED: u32 = 12;

/// The table of a player, in bytes: small, since it is new in every game.
const TABLE: usize = 1 << 20;

/// How much of a label comes from the next position; in the first round, which has no weights to search with, all.
const LAMBDA: f32 = 0.95;

/// One move in so many is random.
const EXPLORED: usize = 24;

/// How many standard deviations players take as certain, in hundredths.
const CAUTION: i32 = 120;

/// One game in so many is not trained with, to measure the loss.
const HELD_OUT: usize = 16;

/// A position of a game, and the disc difference that is expected at its end, for the player to move.
#[derive(Clone, Copy)]
struct Sample {
    me: u64,
    op: u64,
    label: f32,
}

/// Trains weights, and writes what it does.
///
/// # Errors
///
/// Those of `log`.
pub fn train(settings: &Settings, log: &mut dyn Write) -> io::Result<Weights> {
    let mut model = Model::new();
    let mut learned: Option<Learned> = None;
    let mut games = Vec::new();
    writeln!(log, "{settings:?}")?;
    for round in 0..settings.rounds {
        let start = Instant::now();
        let count = settings.games * if round + 1 == settings.rounds { settings.last } else { 1 };
        let new = play(settings, round, count, learned.as_ref());
        let played = start.elapsed().as_secs_f64();
        let positions: usize = new.iter().map(Vec::len).sum();
        // The games of the round before, with better labels than those of the first, are fitted to once more.
        games.drain(..games.len().saturating_sub(if round > 1 { settings.games } else { 0 }));
        games.extend(new);
        let losses = model.fit(settings, round, &games);
        let fitted = start.elapsed().as_secs_f64() - played;
        writeln!(log, "round {}: {positions} positions of {count} games", round + 1)?;
        let shown = |losses: &[f32]| losses.iter().map(|loss| format!("{loss:6.2}")).collect::<String>();
        writeln!(log, "  loss by stage, before {}", shown(&losses.before))?;
        writeln!(log, "  after                 {}", shown(&losses.after))?;
        writeln!(log, "  in games held out     {}", shown(&losses.held_out))?;
        writeln!(log, "  {played:.0} s of play, {fitted:.0} s of fitting")?;
        model.doubts = losses.held_out;
        learned = Some(Learned::new(model.weights()));
    }
    let Some(last) = learned else { return Ok(model.weights()) };
    model.cuts = measure_cuts(settings, &last, &games);
    for (depth, cuts) in (FIRST_CUT..).zip(transposed(&model.cuts)) {
        writeln!(log, "doubt at depth {depth:2} {}", cuts.map(|cut| format!("{cut:6.2}")).join(""))?;
    }
    Ok(model.weights())
}

fn transposed(cuts: &[[f32; CUTS]; STAGES]) -> [[f32; STAGES]; CUTS] {
    std::array::from_fn(|depth| std::array::from_fn(|stage| cuts[stage][depth]))
}

/// Does numbered pieces of work on several threads, and returns the results in order.
fn in_parallel<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = share(Terms { threads, ..Terms::default() }, |_, _| {
        let numbers = std::iter::from_fn(|| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < count).then_some(number)
        });
        Ok(numbers.map(|number| (number, work(number))).collect::<Vec<_>>())
    });
    let mut results: Vec<_> = done.expect("nobody stops it").into_iter().flatten().collect();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Plays so many games of a round.
fn play(settings: &Settings, round: u32, count: usize, learned: Option<&Learned>) -> Vec<Vec<Sample>> {
    in_parallel(settings.threads, count, |game| {
        let rng = Rng::for_game(settings.seed.wrapping_add(u64::from(round) << 32), game as u64);
        on_best_cpu!(kernel => match learned {
            Some(learned) => play_game(kernel, learned, settings.depth, LAMBDA, rng),
            None => play_game(kernel, Plain::of(&Reversi::default()), settings.depth.min(3), 1.0, rng),
        })
    })
}

fn endgame<K: Kernel>(kernel: K, position: &Reversi) -> Endgame<K> {
    let options = SolveOptions { table_bytes: Some(TABLE), ..SolveOptions::default() };
    Endgame::new(kernel, position, &options).expect("a small table fits into memory")
}

/// Plays random moves until the board has this many tiles, or the game is over.
fn random_position(tiles: usize, rng: &mut Rng) -> Reversi {
    let mut position = Reversi::default();
    while position.tiles().iter().map(|set| set.len()).sum::<usize>() < tiles {
        let Some(m) = position.moves().choose(rng) else { break };
        position.play_unchecked(m);
    }
    position
}

/// Plays one game and labels its positions.
fn play_game<K: Kernel, E: Evaluation>(
    kernel: K,
    evaluation: E,
    depth: u32,
    lambda: f32,
    mut rng: Rng,
) -> Vec<Sample> {
    let tiles = 6 + rng.below(14);
    let mut position = random_position(tiles, &mut rng);
    let table = Table::new(TABLE).expect("a small table fits into memory");
    let mut search = Midgame::new(endgame(kernel, &position), evaluation, table, Some(CAUTION));
    let options = SolveOptions::default();
    let mut clock = Clock::new(&options, (0, 0));
    let mut samples = Vec::new();
    // Each position that is not solved, with what the search found there, and whether the move was random.
    let mut seen = Vec::new();
    while !position.is_over() {
        let (me, op) = position.sides();
        let mut best = None;
        if 64 - (me | op).count_ones() <= SOLVED {
            let score = search.endgame.value(&mut clock, me, op, (-65, 65)).expect("there is no limit");
            samples.push((Sample { me, op, label: score as f32 }, position.turn()));
        } else {
            let node = search.node(me, op);
            let found = search.search(&mut clock, &node, depth, (-64 * DISC, 64 * DISC));
            let found = found.expect("there is no limit") as f32 / DISC as f32;
            best = search.best(me, op).filter(|_| rng.below(EXPLORED) > 0);
            seen.push((Sample { me, op, label: found }, best.is_none(), position.turn()));
        }
        let moves = || position.moves();
        let m = best.and_then(|best| moves().find(|m| m.index() == usize::from(best)));
        let m = m.or_else(|| moves().choose(&mut rng)).expect("a game that is not over has a move");
        position.play_unchecked(m);
    }
    // The label of a game that ends before it can be solved is its result.
    let (me, op) = position.sides();
    let end = (search.endgame.final_score(me, op) as f32, Some(Player::First));
    let (mut value, mut turn) = samples.first().map_or(end, |&(sample, turn)| (sample.label, turn));
    let mut samples: Vec<Sample> = samples.into_iter().map(|(sample, _)| sample).collect();
    for (sample, is_random, mover) in seen.into_iter().rev() {
        if mover != turn {
            (value, turn) = (-value, mover);
        }
        // What follows a random move says nothing about the position before.
        value = if is_random { sample.label } else { lambda * value + (1.0 - lambda) * sample.label };
        samples.push(Sample { label: value, ..sample });
    }
    samples
}

/// The weights while they are trained, in discs.
struct Model {
    /// Where each contents of each kind has its weight.
    places: Vec<Vec<u32>>,
    /// How many weights each kind has.
    counts: Vec<usize>,
    stages: Vec<Vec<f32>>,
    doubts: [f32; STAGES],
    cuts: [[f32; CUTS]; STAGES],
}

/// The standard deviations of labels from evaluations, by stage.
struct Losses {
    before: [f32; STAGES],
    after: [f32; STAGES],
    held_out: [f32; STAGES],
}

impl Model {
    fn new() -> Self {
        let (mut places, mut counts, mut next) = (Vec::new(), Vec::new(), 0);
        for kind in &KINDS {
            let first = next;
            let mut of_kind: Vec<u32> = Vec::new();
            for (contents, image) in kind.mirrored().into_iter().enumerate() {
                if usize::from(image) < contents {
                    of_kind.push(of_kind[usize::from(image)]);
                } else {
                    of_kind.push(next);
                    next += 1;
                }
            }
            places.push(of_kind);
            counts.push((next - first) as usize);
        }
        let stages = vec![vec![0.0; next as usize]; STAGES];
        Model { places, counts, stages, doubts: [0.0; STAGES], cuts: [[0.0; CUTS]; STAGES] }
    }

    fn weights(&self) -> Weights {
        let learned = |stage: usize| {
            let mut rest = &self.stages[stage][..];
            let kind = |&count: &usize| {
                let (kind, others) = rest.split_at(count);
                rest = others;
                kind.to_vec()
            };
            let kinds = self.counts.iter().map(kind).collect();
            weights::Learned { doubt: self.doubts[stage], cuts: self.cuts[stage].to_vec(), kinds }
        };
        Weights::new(&(0..STAGES).map(learned).collect::<Vec<_>>())
    }

    /// Fits the weights of every stage to the positions of games, and to those of a few plies before and after.
    fn fit(&mut self, settings: &Settings, round: u32, games: &[Vec<Sample>]) -> Losses {
        let patterns = Patterns::new(&self.weights());
        let mut fitted = vec![(Vec::new(), Vec::new()); STAGES];
        for (number, game) in games.iter().enumerate() {
            for &sample in game {
                let tiles = (sample.me | sample.op).count_ones();
                for near in [tiles - 2, tiles, tiles + 2].map(stage) {
                    let (training, held_out) = &mut fitted[near];
                    let samples: &mut Vec<Sample> = if number % HELD_OUT == 0 { held_out } else { training };
                    // It is in a stage once, and held out only in its own.
                    let is_there =
                        samples.last().is_some_and(|last| (last.me, last.op) == (sample.me, sample.op));
                    if !is_there && (number % HELD_OUT != 0 || near == stage(tiles)) {
                        samples.push(sample);
                    }
                }
            }
        }
        let model = &*self;
        let results = in_parallel(settings.threads, STAGES, |stage| {
            let (training, held_out) = &fitted[stage];
            let mut weights = model.stages[stage].clone();
            let rng = Rng::for_game(settings.seed ^ 0x5eed, u64::from(round) << 8 | stage as u64);
            let (before, after) = model.descend(&patterns, settings.epochs, training, &mut weights, rng);
            let squares = held_out
                .iter()
                .map(|sample| (sample.label - evaluate(&weights, &model.places(&patterns, sample))).powi(2));
            let held_out = (squares.sum::<f32>() / held_out.len().max(1) as f32).sqrt();
            (weights, [before, after, held_out])
        });
        let losses = |number: usize| std::array::from_fn(|stage| results[stage].1[number]);
        let losses = Losses { before: losses(0), after: losses(1), held_out: losses(2) };
        self.stages = results.into_iter().map(|(weights, ..)| weights).collect();
        losses
    }

    /// Returns where the weights of a position are.
    fn places(&self, patterns: &Patterns, sample: &Sample) -> Places {
        let features: Features = patterns.features(sample.me, sample.op);
        let place = |(kind, contents): (u8, u16)| self.places[usize::from(kind)][usize::from(contents)];
        patterns.contents(&features).map(place)
    }

    /// Stochastic gradient descent; returns the losses before and after it.
    fn descend(
        &self,
        patterns: &Patterns,
        epochs: u32,
        samples: &[Sample],
        weights: &mut [f32],
        mut rng: Rng,
    ) -> (f32, f32) {
        /// How much of an error the first step removes.
        const FIRST_STEP: f32 = 0.25;
        let mut samples: Vec<(f32, Places)> =
            samples.iter().map(|sample| (sample.label, self.places(patterns, sample))).collect();
        let loss = |samples: &[(f32, Places)], weights: &[f32]| {
            let square =
                |(label, places): &(f32, Places)| f64::from((label - evaluate(weights, places)).powi(2));
            (samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64).sqrt() as f32
        };
        let before = loss(&samples, weights);
        for epoch in 0..epochs {
            for i in (1..samples.len()).rev() {
                samples.swap(i, rng.below(i + 1));
            }
            let step = FIRST_STEP * (1.0 - epoch as f32 / epochs as f32) / 46.0;
            for (label, places) in &samples {
                let error = label - evaluate(weights, places);
                for &place in places {
                    weights[place as usize] += step * error;
                }
            }
        }
        (before, loss(&samples, weights))
    }
}

/// Where the weights of a position are.
type Places = [u32; 46];

fn evaluate(weights: &[f32], places: &Places) -> f32 {
    places.iter().map(|&place| weights[place as usize]).sum()
}

/// Measures how far the results of searches are from those of shallower ones, in positions of games.
fn measure_cuts(settings: &Settings, learned: &Learned, games: &[Vec<Sample>]) -> [[f32; CUTS]; STAGES] {
    /// How many positions of a stage are searched.
    const POSITIONS: usize = 100;
    let deepest = settings.cut_depth as usize;
    in_parallel(settings.threads, STAGES, |number| {
        let mut sums = [(0u32, 0f32); CUTS];
        let tiles = |sample: &&Sample| (sample.me | sample.op).count_ones();
        let samples =
            games.iter().filter_map(|game| game.iter().find(|sample| stage(tiles(sample)) == number));
        for &Sample { me, op, .. } in samples.take(POSITIONS) {
            let empties = 64 - (me | op).count_ones();
            on_best_cpu!(kernel => {
                let table = Table::new(16 * TABLE).expect("a small table fits into memory");
                let mut search = Midgame::new(endgame(kernel, &Reversi::default()), learned, table, None);
                let options = SolveOptions::default();
                let mut clock = Clock::new(&options, (0, 0));
                let node = search.node(me, op);
                let mut found = vec![0; deepest + 1];
                for depth in (1..=deepest).filter(|&depth| (depth as u32) < empties) {
                    let value = search.search(&mut clock, &node, depth as u32, (-64 * DISC, 64 * DISC));
                    found[depth] = value.expect("there is no limit");
                    if depth >= FIRST_CUT {
                        let shallow = 2 * (depth / 4) + depth % 2;
                        let (count, sum) = &mut sums[depth - FIRST_CUT];
                        *count += 1;
                        *sum += ((found[depth] - found[shallow]) as f32 / DISC as f32).powi(2);
                    }
                }
            });
        }
        let mut last = 0.0;
        sums.map(|(count, sum)| {
            if count > 0 {
                last = (sum / count as f32).sqrt();
            }
            last
        })
    })
    .try_into()
    .expect("one for each stage")
}
