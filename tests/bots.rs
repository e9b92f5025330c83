//! Tree search and bots against plain minimax and each other.

use std::collections::HashMap;
use std::ops::ControlFlow;

use petteia::prelude::*;
use petteia::tictac::{Mark, Square};
use petteia::{
    Bot, Branch, Breakdown, Memory, Quarto, Reversi, Rng, SolveError, SolveOptions, TicTac, Tree,
    TreeOptions, mcts,
};

fn search<P: Engine>(position: &P, simulations: u64, seed: u64) -> Tree<P::Move> {
    mcts(position, &TreeOptions { simulations, seed, ..TreeOptions::default() }).unwrap()
}

/// Returns the moves that win at once.
fn wins<P: Engine>(position: &P) -> Vec<P::Move> {
    let wins = |m: &P::Move| matches!(position.after(m.clone()).unwrap().outcome(), Some(Outcome::Win(player)) if Some(player) == position.turn());
    position.moves().filter(wins).collect()
}

/// Calls a function with every position of random games that is not over.
fn walk<P: Engine>(start: &P, games: u64, mut look: impl FnMut(&P)) {
    for game in 0..games {
        let mut rng = Rng::for_game(3, game);
        let mut position = start.clone();
        while let Some(m) = position.moves().choose(&mut rng) {
            look(&position);
            position.play(m).unwrap();
        }
    }
}

#[test]
fn every_win_in_one_is_found() {
    fn check<P: Engine>(start: &P, games: u64) {
        let mut found = 0;
        walk(start, games, |position| {
            let wins = wins(position);
            if wins.is_empty() {
                return;
            }
            found += 1;
            for bot in [Bot::Myopic, Bot::Mcts(1), Bot::Mcts(30), Bot::Perfect(1000)] {
                let m = bot.choose(position, &mut Rng::new(found)).unwrap();
                // In Reversi, perfect play maximises discs, and the game may last longer.
                if !matches!(bot, Bot::Perfect(_)) {
                    assert!(wins.contains(&m), "{bot} plays {m} in {position}");
                }
            }
        });
        assert!(found > games / 10, "only {found} wins in one");
    }
    check(&TicTac::default(), 200);
    check(&Breakdown::new(5, 5, 2, 2).unwrap(), 100);
    check(&Reversi::new(4, 4).unwrap(), 100);
    check(&Quarto::default(), 100);
}

/// Plays every game in which a bot moves for one side and the other tries every move.
fn against_all(position: &TicTac, bot: Bot, side: Player, seen: &mut HashMap<TicTac, bool>) {
    if seen.insert(*position, true).is_some() {
        return;
    }
    match position.outcome() {
        Some(outcome) => assert_ne!(outcome, Outcome::Win(side.other()), "{bot} lost: {position}"),
        None if position.turn() == Some(side) => {
            let m = bot.choose(position, &mut Rng::new(5)).unwrap();
            against_all(&position.after(m).unwrap(), bot, side, seen);
        }
        None => position.moves().for_each(|m| against_all(&position.after(m).unwrap(), bot, side, seen)),
    }
}

#[test]
fn tictac_is_never_lost() {
    for bot in [Bot::Mcts(1000), Bot::Perfect(100_000)] {
        for side in [Player::First, Player::Second] {
            against_all(&TicTac::default(), bot, side, &mut HashMap::new());
        }
    }
}

/// Returns the value for the first player, by exhaustive search.
fn minimax<P: Engine>(position: &P) -> i32 {
    match position.outcome() {
        Some(Outcome::Win(Player::First)) => 1,
        Some(Outcome::Win(Player::Second)) => -1,
        Some(Outcome::Draw) => 0,
        None => {
            let values = position.moves().map(|m| minimax(&position.after(m).unwrap()));
            if position.turn() == Some(Player::First) { values.max() } else { values.min() }.unwrap()
        }
    }
}

#[test]
fn what_is_proved_is_true() {
    fn check<P: Engine>(start: &P, games: u64, is_late: impl Fn(&P) -> bool) {
        let mut proofs = 0;
        walk(start, games, |position| {
            if !is_late(position) {
                return;
            }
            for Branch { m, proven, value, .. } in search(position, 300, 9).branches {
                assert!((-1.0..=1.0).contains(&value));
                let Some(proven) = proven else { continue };
                let sign = if position.turn() == Some(Player::First) { 1 } else { -1 };
                assert_eq!(proven, sign * minimax(&position.after(m.clone()).unwrap()), "{m} in {position}");
                assert_eq!(value, f64::from(proven));
                proofs += 1;
            }
        });
        assert!(proofs > games, "only {proofs} proofs");
    }
    check(&TicTac::default(), 50, |_| true);
    check(&Reversi::new(3, 4).unwrap(), 50, |_| true);
    check(&Quarto::default(), 50, |position| position.placed() >= 11);
}

#[test]
fn a_search_is_the_same_again() {
    fn check<P: Engine>(position: &P) {
        for threads in [1, 3] {
            let options = TreeOptions { simulations: 1000, seed: 4, threads, ..TreeOptions::default() };
            let tree = mcts(position, &options).unwrap();
            assert_eq!(tree, mcts(position, &options).unwrap());
            let other = TreeOptions { seed: 5, ..options };
            assert_ne!(tree, mcts(position, &other).unwrap());
            assert_eq!(tree.branches.iter().map(|branch| branch.visits).sum::<u64>(), tree.simulations);
            // A proven win ends the search early.
            let solved = tree.branches.iter().any(|branch| branch.proven == Some(1));
            assert!(tree.simulations == 1000 || solved, "{tree:?}");
            let moves: Vec<P::Move> = tree.branches.iter().map(|branch| branch.m.clone()).collect();
            assert_eq!(moves, position.moves().collect::<Vec<_>>());
        }
    }
    check(&TicTac::default());
    check(&Breakdown::default());
    check(&Reversi::default());
    check(&Quarto::default());
}

#[test]
fn a_watcher_can_stop_a_search() {
    let stop = |_| ControlFlow::Break(());
    let options =
        TreeOptions { simulations: u64::MAX, threads: 2, watch: Some(&stop), ..TreeOptions::default() };
    let tree = mcts(&Reversi::default(), &options).unwrap();
    assert!(tree.simulations > 0);
}

#[test]
fn a_finished_game_has_no_move() {
    let over: TicTac = "XXX/OO_/___ -".parse().unwrap();
    assert_eq!(mcts(&over, &TreeOptions::default()), Err(SolveError::Over));
    for bot in Bot::ALL {
        assert_eq!(bot.choose(&over, &mut Rng::new(1)), None);
    }
}

/// Only bots that search return an estimate, and asking for it does not change the move.
#[test]
fn thoughts_go_with_the_moves() {
    let think = |bot: Bot, position: &TicTac, seed: u64| {
        let go_on = || ControlFlow::Continue(());
        bot.think(position, &mut Rng::new(seed), &Memory::default(), &go_on).unwrap()
    };
    let start = TicTac::default();
    for bot in Bot::ALL {
        let choice = think(bot, &start, 3);
        assert_eq!(Some(choice.m), bot.choose(&start, &mut Rng::new(3)));
        assert_eq!(choice.expected().is_some(), !matches!(bot, Bot::Random | Bot::Myopic), "{bot}");
    }
    let searching = ["perfect:1000", "mcts:1000", "alphabeta:nodes=1000", "alphabeta:depth=5", "level:10"];
    for won in ["XX_/OO_/___ X", "XX_/_X_/OO_ O"] {
        let won: TicTac = won.parse().unwrap();
        for bot in searching {
            let choice = think(bot.parse().unwrap(), &won, 1);
            assert_eq!((choice.value, choice.expected()), (Some(1), Some(1.0)), "{bot}");
        }
    }
    // X threatens two lines: whatever O does, X wins.
    let lost: TicTac = "X_X/OX_/__O O".parse().unwrap();
    for bot in searching {
        assert_eq!(think(bot.parse().unwrap(), &lost, 1).expected(), Some(-1.0), "{bot}");
    }
    let reversi = Reversi::new(4, 4).unwrap();
    let go_on = || ControlFlow::Continue(());
    let choice = Bot::Perfect(1 << 20).think(&reversi, &mut Rng::new(1), &Memory::default(), &go_on).unwrap();
    assert!(choice.exact() && choice.expected() == Some(-1.0), "{choice:?}");
}

/// Plays a game between two bots and returns the result for the first.
fn game<P: Engine>(start: &P, bots: [Bot; 2], seed: u64) -> i32 {
    let mut rng = Rng::new(seed);
    let mut position = start.clone();
    while let Some(turn) = position.turn() {
        position.play(bots[turn.index()].choose(&position, &mut rng).unwrap()).unwrap();
    }
    match position.outcome() {
        Some(Outcome::Win(Player::First)) => 1,
        Some(Outcome::Win(Player::Second)) => -1,
        _ => 0,
    }
}

/// The stronger of two bots wins far more games than it loses, in every game.
#[test]
fn bots_are_as_strong_as_they_say() {
    fn check<P: Engine>(start: &P, weak: Bot, strong: Bot) {
        let games = 30;
        let score: i32 = (0..games)
            .map(|seed| {
                if seed % 2 == 0 {
                    game(start, [strong, weak], seed)
                } else {
                    -game(start, [weak, strong], seed)
                }
            })
            .sum();
        assert!(score > games as i32 / 4, "{strong} scores {score} in {games} games against {weak}");
    }
    let reversi = Reversi::new(6, 6).unwrap();
    check(&TicTac::default(), Bot::Random, Bot::Myopic);
    check(&Quarto::default(), Bot::Random, Bot::Myopic);
    check(&Quarto::default(), Bot::Myopic, Bot::Mcts(300));
    check(&Breakdown::default(), Bot::Random, Bot::Mcts(100));
    check(&reversi, Bot::Random, Bot::Mcts(100));
    check(&reversi, Bot::Mcts(5), Bot::Mcts(200));
    check(&Reversi::new(4, 4).unwrap(), Bot::Random, Bot::Perfect(1_000_000));
}

#[test]
fn bots_have_names() {
    for bot in Bot::ALL {
        assert_eq!(bot.to_string().parse(), Ok(bot));
    }
    assert_eq!("mcts".parse(), Ok(Bot::Mcts(1000)));
    assert_eq!("mcts:7".parse(), Ok(Bot::Mcts(7)));
    assert_eq!("perfect:7".parse(), Ok(Bot::Perfect(7)));
    for text in
        ["", "Random", "random:3", "mcts:", "mcts:0", "mcts:+3", "mcts:-1", "mcts: 3", "mcts:3:3", "mcts:x"]
    {
        let error = text.parse::<Bot>().unwrap_err().to_string();
        assert!(error.contains(&format!("{text:?}")) && error.contains("expected random, myopic"), "{error}");
    }
}

/// A tree search that proved a draw of one move has not proved that no other wins.
#[test]
fn what_tree_search_calls_exact_is() {
    for game in 0..60 {
        let mut rng = Rng::for_game(31, game);
        let mut position = TicTac::default();
        for _ in 0..game % 6 {
            let m = position.moves().choose(&mut rng).unwrap();
            position.play_unchecked(m);
        }
        let Ok(solution) = position.solve(&SolveOptions::default()) else { continue };
        for simulations in [5, 20, 50, 100, 300] {
            let bot = Bot::Mcts(simulations);
            let choice =
                bot.think(&position, &mut rng, &Memory::default(), &|| ControlFlow::Continue(())).unwrap();
            assert!(choice.value.is_none_or(|value| value == solution.value), "{position} {choice:?}");
        }
    }
}

/// Returns the value of a move for the player who makes it, and after how many plies the game is then over, if both
/// players hurry to win and put off losing.
fn outlook<P: Engine>(position: &P, m: &P::Move) -> (i32, u32) {
    let child = position.after(m.clone()).unwrap();
    if let Some(score) = child.score_for(position.turn(), false) {
        return (score.signum(), 1);
    }
    let replies = child.moves().map(|reply| outlook(&child, &reply));
    let (value, plies) = replies.max_by_key(|&outlook| preference(outlook)).unwrap();
    (if child.turn() == position.turn() { value } else { -value }, plies + 1)
}

/// Orders values: quick wins, slow wins, draws, slow losses, quick losses.
fn preference((value, plies): (i32, u32)) -> i32 {
    value * (100 - plies as i32)
}

/// A player who loses holds out for as long as possible, and one who wins does not dawdle.
#[test]
fn losses_are_long_and_wins_are_quick() {
    fn check<P: Engine>(positions: &[P]) {
        let mut choices = [0; 2];
        for position in positions {
            let outlooks: Vec<_> = position.moves().map(|m| (outlook(position, &m), m)).collect();
            let best = outlooks.iter().map(|&(outlook, _)| preference(outlook)).max().unwrap();
            let value = best.signum();
            let of_value: Vec<_> = outlooks.iter().filter(|((v, _), _)| *v == value).collect();
            let differ = of_value.iter().any(|(outlook, _)| preference(*outlook) != best);
            if value == 0 || !differ {
                continue;
            }
            choices[usize::from(value > 0)] += 1;
            for bot in ["perfect:1000000", "alphabeta:nodes=100000", "alphabeta:depth=9"] {
                let bot: Bot = bot.parse().unwrap();
                let m = bot.choose(position, &mut Rng::new(1)).unwrap();
                let (chosen, _) = outlooks.iter().find(|(_, other)| *other == m).unwrap();
                assert_eq!(preference(*chosen), best, "{bot} plays {m} in {position}: {outlooks:?}");
            }
        }
        assert!(choices[0] > 5 && choices[1] > 5, "{choices:?}");
    }
    fn late<P: Engine>(start: &P, games: u64, is_late: impl Fn(&P) -> bool) -> Vec<P> {
        let mut found = Vec::new();
        walk(start, games, |position| {
            if is_late(position) {
                found.push(position.clone());
            }
        });
        found
    }
    check(&late(&TicTac::default(), 300, |_| true));
    check(&late(&Quarto::default(), 100, |position| position.placed() >= 11));
}

/// Plays 10,000 games of players who do little for a move: nobody plays an illegal one, and fresh players repeat their
/// games. The perfect player takes part in one game of `perfect_every`.
fn are_legal<P: Engine>(starts: impl IntoIterator<Item = P>, perfect_every: u64) {
    /// Games of Breakdown may go on for long.
    const MAX_PLIES: u32 = 64;
    const NAMES: [&str; 12] = [
        "random",
        "myopic",
        "mcts:3",
        "alphabeta:depth=1",
        "alphabeta:depth=2",
        "alphabeta:nodes=1",
        "alphabeta:nodes=30",
        "level:1",
        "level:2",
        "level:4",
        "level:5",
        "perfect:20",
    ];
    fn play<P: Engine>(start: &P, bots: [Bot; 2], seed: u64) -> P {
        let memories = [Memory::default(), Memory::default()];
        let mut rng = Rng::new(seed);
        let mut position = start.clone();
        for _ in 0..MAX_PLIES {
            let Some(turn) = position.turn() else { break };
            let (bot, memory) = (bots[turn.index()], &memories[turn.index()]);
            let choice = bot.think(&position, &mut rng, memory, &|| ControlFlow::Continue(()));
            let m = choice.unwrap_or_else(|| panic!("{bot} has no move in {position}")).m;
            position.play(m).unwrap_or_else(|error| panic!("{bot}, seed {seed}: {error}"));
        }
        position
    }
    let bots = NAMES.map(|name| name.parse::<Bot>().unwrap());
    let starts: Vec<P> = starts.into_iter().filter(|start| !start.is_over()).collect();
    let mut rng = Rng::new(1);
    for seed in 0..10_000 {
        let start = &starts[seed as usize % starts.len()];
        // Most play against somebody quick.
        let all = bots.len() - usize::from(seed % perfect_every != 0);
        let mut pair = [bots[rng.below(all)], bots[rng.below(if seed % 5 == 0 { all } else { 2 })]];
        pair.rotate_left(rng.below(2));
        let end = play(start, pair, seed);
        if seed % 50 == 0 {
            assert_eq!(play(start, pair, seed), end, "{pair:?} in {start}, seed {seed}");
        }
    }
}

#[test]
fn games_of_tictac_are_legal() {
    are_legal([TicTac::default(), TicTac::new(Mark::O)], 1);
}

/// The perfect player takes long in Quarto.
#[test]
fn games_of_quarto_are_legal() {
    are_legal([Quarto::default()], 40);
}

/// On boards of all sizes, from the empty one on.
#[test]
fn games_of_reversi_are_legal() {
    let sizes = (2..=8).flat_map(|width| (2..=8).map(move |height| (width, height)));
    are_legal(sizes.map(|(width, height)| Reversi::new(width, height).unwrap()), 1);
}

#[test]
fn games_of_breakdown_are_legal() {
    let sizes = (1..=9).flat_map(|width| (1..=9).map(move |height| (width, height)));
    let boards = sizes.flat_map(|(width, height)| {
        [(1, 2), (2, 2), (2, 3), (3, 2), (3, 3), (9, 2)].map(|(stick, square)| (width, height, stick, square))
    });
    // Words of two sizes, and the heap.
    let boards = boards.chain([(12, 10, 3, 2), (70, 1, 2, 1), (70, 3, 2, 2)]);
    let start = |(width, height, stick, square)| Breakdown::new(width, height, stick, square).unwrap();
    are_legal(boards.map(start), 1);
}

/// Of moves that draw, players prefer one after which most replies of the opponent lose.
#[test]
fn draws_are_made_hard() {
    let mut choices = 0;
    walk(&TicTac::default(), 300, |position| {
        let outlooks: Vec<_> = position.moves().map(|m| (outlook(position, &m).0, m)).collect();
        if outlooks.iter().map(|&(value, _)| value).max() != Some(0) {
            return;
        }
        let share = |m: &Square| {
            let child = position.after(*m).unwrap();
            let lost = child.moves().filter(|reply| outlook(&child, reply).0 < 0).count();
            (100 * lost).checked_div(child.moves().len()).unwrap_or(0)
        };
        let shares: Vec<_> =
            outlooks.iter().filter(|(value, _)| *value == 0).map(|(_, m)| share(m)).collect();
        let most = *shares.iter().max().unwrap();
        choices += u32::from(shares.iter().any(|&share| share < most));
        for bot in ["perfect:1000000", "alphabeta:nodes=100000"] {
            let bot: Bot = bot.parse().unwrap();
            let m = bot.choose(position, &mut Rng::new(1)).unwrap();
            assert_eq!(share(&m), most, "{bot} plays {m} in {position}");
        }
    });
    assert!(choices > 50, "{choices}");
}
