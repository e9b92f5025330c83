//! Matches between computer players: `make bench-strength`, or
//!
//! `cargo bench --bench strength -- quarto alphabeta:time=0.2 mcts:time=0.2 --games 100 --seed 1`,
//! `cargo bench --bench strength -- breakdown 7 6 2 3 alphabeta:time=0.2 mcts:time=0.2`: two players or more, each
//! against each; or
//!
//! `cargo bench --bench strength -- levels quarto --games 200`: each level against the one below it.
//!
//! Games come in pairs: both sides of the same random opening. The output is one JSON object per line, with the games
//! that the first player won, drew and lost, its share of the points, and the processor seconds that each took.
//! `--show` also prints each game: the opening, the moves, and what the players thought of theirs.
//! Players are those of petteia by name; `mcts:time=0.2` and `mcts-estimate:time=0.2`, tree search for so many seconds a
//! move; and `weak:30,950`, 30 nodes a move and 950 of a thousand moves at random, to set the levels with.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ProcessTime;
use petteia::prelude::*;
use petteia::{
    AnalysisOptions, Bot, Breakdown, Declared, Effort, Evaluator, Level, Memory, Outcome, Quarto, Reversi,
    Rng, TicTac, TreeOptions, mcts,
};

const USAGE: &str =
    "usage: strength [levels] GAME [PARAMETERS] PLAYER... [--games N] [--seed N] [--plies N] [--show]";

/// A game of this length is a draw.
const MAX_PLIES: u32 = 100;

#[derive(Clone, Copy)]
enum Player {
    Named(Bot),
    Tree(Duration, Evaluator),
    Weak(u64, usize),
}

impl Player {
    fn parse(text: &str) -> Result<Player, String> {
        for (name, evaluator) in
            [("mcts:time=", Evaluator::Playout), ("mcts-estimate:time=", Evaluator::Estimate)]
        {
            if let Some(seconds) = text.strip_prefix(name) {
                let seconds = seconds.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
                let seconds = seconds.ok_or_else(|| format!("{text:?}: expected seconds a move"))?;
                return Ok(Player::Tree(seconds, evaluator));
            }
        }
        if let Some(numbers) = text.strip_prefix("weak:") {
            let numbers = numbers.split_once(',').and_then(|(nodes, mistakes)| {
                Some(Player::Weak(nodes.parse().ok()?, mistakes.parse().ok()?))
            });
            return numbers
                .ok_or_else(|| format!("{text:?}: expected nodes and mistakes of a thousand moves"));
        }
        text.parse().map(Player::Named).map_err(|error| error.to_string())
    }

    /// Returns a move, what the player expects of it, and whether that is proved.
    fn choose<P: Engine>(self, position: &P, rng: &mut Rng, memory: &Memory) -> Option<(P::Move, f64, bool)> {
        match self {
            Player::Weak(_, mistakes) if rng.below(1000) < mistakes => {
                Player::Named(Bot::Random).choose(position, rng, memory)
            }
            Player::Weak(nodes, _) => {
                Player::Named(Bot::AlphaBeta(Effort::Nodes(nodes))).choose(position, rng, memory)
            }
            Player::Named(bot) => {
                let choice = bot.think(position, rng, memory, &|| ControlFlow::Continue(()))?;
                Some((choice.m.clone(), choice.expected().unwrap_or(0.0), choice.exact()))
            }
            Player::Tree(time, evaluator) => {
                let options = TreeOptions {
                    simulations: u64::MAX,
                    time_limit: Some(time),
                    evaluator,
                    seed: rng.next_u64(),
                    ..TreeOptions::default()
                };
                let tree = mcts(position, &options).ok()?;
                let best = tree.best();
                Some((best.m.clone(), best.value, best.proven.is_some()))
            }
        }
    }
}

/// What two players did.
#[derive(Default)]
struct Results {
    /// Games that the first won, drew and lost.
    counts: [u32; 3],
    seconds: [f64; 2],
    moves: [u32; 2],
}

/// Plays a game, in which the first player has the given side, and counts its result.
fn play<P: Engine>(
    opening: &P,
    players: [Player; 2],
    first_begins: bool,
    (seed, show): (u64, bool),
    results: &mut Results,
) {
    let mut rng = Rng::for_game(seed, u64::from(first_begins));
    let memories = [Memory::default(), Memory::default()];
    let begins = opening.turn();
    let mut position = opening.clone();
    if show {
        print!("{opening}:");
    }
    for _ in 0..MAX_PLIES {
        let Some(turn) = position.turn() else { break };
        let who = usize::from((Some(turn) == begins) != first_begins);
        let start = ProcessTime::now();
        let choice = players[who].choose(&position, &mut rng, &memories[who]);
        let (m, expected, exact) = choice.expect("a move");
        if show {
            print!(" {m}({expected:.2}{})", if exact { "!" } else { "" });
        }
        results.seconds[who] += start.elapsed().as_secs_f64();
        results.moves[who] += 1;
        position.play(m).expect("a legal move");
    }
    let result = match position.outcome() {
        Some(Outcome::Win(winner)) => usize::from((Some(winner) == begins) != first_begins) * 2,
        _ => 1,
    };
    if show {
        println!(" {}", ["won", "drawn", "lost"][result]);
    }
    results.counts[result] += 1;
}

/// Plays pairs of games, each from an opening of its own.
fn contest<P: Engine>(opening: &impl Fn(u64) -> P, players: [Player; 2], options: &Options) -> Results {
    let &Options { games, seed, show, .. } = options;
    let mut results = Results::default();
    for pair in 0..games.div_ceil(2) {
        let opening = opening(seed << 32 | pair);
        for first_begins in [true, false] {
            play(&opening, players, first_begins, (seed << 32 | pair, show), &mut results);
        }
    }
    results
}

fn report(game: &str, names: [&str; 2], results: &Results) {
    let [won, drawn, lost] = results.counts;
    let points = (f64::from(won) + f64::from(drawn) / 2.0) / f64::from(won + drawn + lost).max(1.0);
    let [first, second] = results.seconds;
    let [a, b] = results.moves.map(|moves| f64::from(moves.max(1)));
    println!(
        "{{\"game\": \"{game}\", \"players\": [\"{}\", \"{}\"], \"won\": {won}, \"drawn\": {drawn}, \"lost\": {lost}, \
         \"points\": {points:.4}, \"seconds\": [{first:.2}, {second:.2}], \"seconds_a_move\": [{:.5}, {:.5}]}}",
        names[0],
        names[1],
        first / a,
        second / b
    );
}

/// Returns the position after random moves; others are drawn if they end the game or, for a while, if `fits` refuses it.
fn random_opening<P: Engine>(start: &P, plies: u32, seed: u64, fits: impl Fn(&P) -> bool) -> P {
    for attempt in 0.. {
        let mut rng = Rng::for_game(seed, attempt);
        let mut position = start.clone();
        for _ in 0..plies {
            if let Some(m) = position.moves().choose(&mut rng) {
                position.play_unchecked(m);
            }
        }
        if !position.is_over() && (attempt > 200 || fits(&position)) {
            return position;
        }
    }
    unreachable!("there are openings")
}

struct Options {
    levels: bool,
    players: Vec<String>,
    games: u64,
    seed: u64,
    plies: Option<u32>,
    show: bool,
}

fn run<P: Engine>(
    name: &str,
    start: &P,
    plies: u32,
    options: &Options,
    fits: impl Fn(&P) -> bool,
) -> Result<(), String> {
    let plies = options.plies.unwrap_or(plies);
    let opening = |seed: u64| random_opening(start, plies, seed, &fits);
    let pairs: Vec<[String; 2]> = if options.levels {
        let levels: Vec<String> =
            (1..=Level::STRONGEST.get()).map(|level| format!("level:{level}")).collect();
        levels.windows(2).map(|pair| [pair[1].clone(), pair[0].clone()]).collect()
    } else {
        let players = &options.players;
        let after = |i: usize| players[i + 1..].iter().map(move |other| [players[i].clone(), other.clone()]);
        (0..players.len()).flat_map(after).collect()
    };
    let mut points: Vec<(String, f64, f64)> = Vec::new();
    for [first, second] in &pairs {
        let players = [Player::parse(first)?, Player::parse(second)?];
        let results = contest(&opening, players, options);
        report(name, [first, second], &results);
        let [won, drawn, lost] = results.counts.map(f64::from);
        for (player, share) in [(first, won + drawn / 2.0), (second, lost + drawn / 2.0)] {
            match points.iter_mut().find(|(name, ..)| name == player) {
                Some((_, sum, games)) => (*sum, *games) = (*sum + share, *games + won + drawn + lost),
                None => points.push((player.clone(), share, won + drawn + lost)),
            }
        }
    }
    if pairs.len() > 1 && !options.levels {
        for (player, sum, games) in points {
            println!("{{\"game\": \"{name}\", \"player\": \"{player}\", \"points\": {:.4}}}", sum / games);
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match read_and_run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn read_and_run() -> Result<(), String> {
    let mut options =
        Options { levels: false, players: Vec::new(), games: 100, seed: 1, plies: None, show: false };
    let mut words = Vec::new();
    // cargo adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("{argument}: expected a number"))
        };
        match argument.as_str() {
            "--games" => options.games = number()?,
            "--seed" => options.seed = number()?,
            "--plies" => options.plies = Some(u32::try_from(number()?).map_err(|error| error.to_string())?),
            "--show" => options.show = true,
            "levels" => options.levels = true,
            _ => words.push(argument),
        }
    }
    let (parameters, mut others): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.parse::<u32>().is_ok());
    if others.is_empty() {
        return Err("no game".to_owned());
    }
    let game = others.remove(0);
    options.players = others;
    if !options.levels && options.players.len() < 2 {
        return Err("expected two players".to_owned());
    }
    let values: Vec<u32> = parameters.iter().filter_map(|word| word.parse().ok()).collect();
    let name = [vec![game.clone()], parameters].concat().join(" ");
    match game.as_str() {
        TicTac::NAME => run(&name, &TicTac::default(), 1, &options, |_| true),
        Breakdown::NAME => {
            let values = if values.is_empty() { vec![7, 6, 2, 3] } else { values };
            let start = Breakdown::start(&values).map_err(|error| error.to_string())?;
            // After some pairs of moves one side has won already, which would measure nothing.
            let is_open = |position: &Breakdown| {
                let limit = AnalysisOptions { node_limit: Some(50_000), ..AnalysisOptions::default() };
                position
                    .analyse(&limit)
                    .is_ok_and(|analysis| analysis.lines[0].value.is_none_or(|value| value == 0))
            };
            run(&name, &start, 2, &options, is_open)
        }
        Reversi::NAME => {
            let diagonal = "________/________/________/___LD___/___DL___/________/________/________ D";
            let start: Reversi = diagonal.parse().map_err(|error| format!("{error}"))?;
            run(&name, &start, 8, &options, |_| true)
        }
        // All positions with three pieces placed and none in hand are drawn: see docs/results.md.
        Quarto::NAME => run(&name, &Quarto::new(), 6, &options, |_| true),
        _ => Err(format!("{game:?}: expected tictac, breakdown, reversi or quarto")),
    }
}
