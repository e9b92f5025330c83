//! Matches: independent of threads, counted correctly, and stopped on request.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use petteia::prelude::*;
use petteia::work::Stopped;
use petteia::{
    Bot, Breakdown, Contest, ParseError, Quarto, Reversi, Score, SolveOptions, Starts, TicTac, TreeOptions,
    mcts,
};

/// Checks a short match in every game, between bots that search and between bots that do not.
fn matches(check: impl Fn(&Contest<'_>, &dyn Fn(&Contest<'_>) -> (Score, Vec<(i8, u64)>))) {
    fn played<P: Engine>(start: P) -> impl Fn(&Contest<'_>) -> (Score, Vec<(i8, u64)>) {
        move |contest| (contest.play(&start).unwrap(), contest.results(&start, 0..contest.games).unwrap())
    }
    let of = |bots| Contest { bots, games: 21, seed: 5, ..Contest::default() };
    check(&of([Bot::Mcts(20), Bot::Perfect(400)]), &played(TicTac::default()));
    for contest in [of([Bot::Random, Bot::Myopic]), of([Bot::Mcts(20), Bot::Mcts(5)])] {
        check(&contest, &played(TicTac::default()));
        check(&contest, &played(Breakdown::default()));
        check(&contest, &played(Reversi::new(4, 4).unwrap()));
        check(&contest, &played(Quarto::default()));
    }
}

/// Counts results into a score.
fn counted(results: &[i8]) -> Score {
    let of = |parity: usize| {
        [1, 0, -1].map(|result| {
            let same = results.iter().skip(parity).step_by(2).filter(|&&played| played == result);
            same.count() as u64
        })
    };
    Score { as_first: of(0), as_second: of(1) }
}

#[test]
fn results_do_not_depend_on_threads() {
    matches(|contest, play| {
        let alone = play(contest);
        for threads in [2, 3] {
            assert_eq!(play(&Contest { threads, ..*contest }), alone, "{contest:?} on {threads} threads");
        }
    });
    let contest = Contest { games: 1000, ..Contest::default() };
    let alone = contest.play(&TicTac::default());
    for threads in [0, usize::MAX] {
        assert_eq!(Contest { threads, ..contest }.play(&TicTac::default()), alone, "{threads} threads");
    }
}

#[test]
fn scores_are_the_results_counted() {
    matches(|contest, play| {
        let (score, results) = play(contest);
        assert_eq!(score, counted(&of_first(results.clone())), "{contest:?}");
        assert_eq!(score.games(), contest.games);
        assert_eq!(score.counts().iter().sum::<u64>(), contest.games);
        let points: f64 = results.iter().map(|&(result, _)| f64::from(result + 1) / 2.0).sum();
        assert!((score.share() - points / contest.games as f64).abs() < 1e-9);
    });
    let none = Contest { games: 0, ..Contest::default() };
    assert_eq!(none.play(&TicTac::default()), Ok(Score::default()));
    assert_eq!((Score::default().games(), Score::default().share()), (0, 0.0));
}

#[test]
fn a_match_is_the_same_again() {
    matches(|contest, play| {
        let results = play(contest).1;
        assert_eq!(play(contest).1, results, "{contest:?}");
        let longer = Contest { games: 30, ..*contest };
        assert_eq!(play(&longer).1[..21], results, "a longer match begins with the same games");
        let even = Contest { bots: [Bot::Random; 2], games: 100, ..*contest };
        assert_ne!(play(&even).1, play(&Contest { seed: 6, ..even }).1, "{even:?} with another seed");
    });
}

#[test]
fn games_have_their_numbers_whatever_range_they_are_played_in() {
    let start = Quarto::default();
    let contest = Contest { bots: [Bot::Random, Bot::Myopic], seed: 3, ..Contest::default() };
    let whole = contest.results(&start, 0..30).unwrap();
    let parts = [0..1, 1..17, 17..17, 17..30].map(|games| contest.results(&start, games).unwrap());
    assert_eq!(parts.concat(), whole);
    let last = contest.results(&start, u64::MAX - 2..u64::MAX).unwrap();
    assert_eq!(last.len(), 2);
}

/// The results of games for the first player, without their hashes.
fn of_first(results: Vec<(i8, u64)>) -> Vec<i8> {
    results.into_iter().map(|(result, _)| result).collect()
}

#[test]
fn equal_games_have_equal_hashes() {
    let distinct = |contest: &Contest<'_>, start: &Starts<TicTac>| {
        let results = contest.results(start, 0..contest.games).unwrap();
        results.iter().map(|&(_, hash)| hash).collect::<HashSet<_>>().len()
    };
    let start = Starts::from(TicTac::default());
    let contest = |bot| Contest { bots: [bot; 2], games: 60, ..Contest::default() };
    // Without chance there is one game; two moves can be played in 72 ways.
    let best = contest("alphabeta:depth=9".parse().unwrap());
    assert_eq!(distinct(&best, &start), 1);
    assert!(distinct(&contest(Bot::Random), &start) > 55);
    let short = Contest { max_plies: 2, games: 5000, ..contest(Bot::Random) };
    assert_eq!(distinct(&short, &start), 72);
    assert_eq!(distinct(&Contest { max_plies: 0, ..short }, &start), 1);
    // The same moves from elsewhere are another game.
    let texts = ["___/___/___ X", "X__/___/___ O", "O__/X__/___ X"];
    let several = Starts::new(texts.map(|text| text.parse().unwrap()).to_vec()).unwrap();
    assert_eq!(distinct(&Contest { max_plies: 0, ..short }, &several), 3);
}

/// The player to move wins at once: the first bot in even-numbered games, the second in the others.
#[test]
fn players_take_turns_to_move_first() {
    for text in ["XX_/OO_/___ X", "XX_/OO_/X__ O"] {
        let start: TicTac = text.parse().unwrap();
        let contest = Contest { bots: [Bot::Myopic; 2], games: 5, ..Contest::default() };
        assert_eq!(of_first(contest.results(&start, 0..5).unwrap()), [1, -1, 1, -1, 1], "{text}");
        let score = contest.play(&start).unwrap();
        assert_eq!((score.as_first, score.as_second), ([3, 0, 0], [0, 0, 2]), "{text}");
        assert_eq!((score.counts(), score.share()), ([3, 0, 2], 0.6));
    }
}

#[test]
fn the_stronger_player_wins() {
    let contest = Contest { bots: [Bot::Mcts(100), Bot::Random], games: 40, ..Contest::default() };
    let reversi = Reversi::new(6, 6).unwrap();
    for score in [contest.play(&reversi), contest.play(&Quarto::default())] {
        assert!(score.unwrap().share() > 0.75, "{score:?}");
    }
}

#[test]
fn long_games_are_drawn() {
    let contest = Contest { games: 50, ..Contest::default() };
    let of =
        |max_plies| of_first(Contest { max_plies, ..contest }.results(&TicTac::default(), 0..50).unwrap());
    // Nobody wins in four moves.
    for max_plies in 0..5 {
        assert_eq!(of(max_plies), [0; 50], "{max_plies}");
    }
    let won = |max_plies| of(max_plies).iter().filter(|&&result| result != 0).count();
    assert!(0 < won(5) && won(5) < won(7) && won(7) < won(9), "{} {} {}", won(5), won(7), won(9));
    assert_eq!(of(9), of(u64::MAX));
    // A lower limit turns some results into draws and changes no others.
    assert!(of(6).iter().zip(of(9)).all(|(&short, long)| short == 0 || short == long));
}

#[test]
fn a_watcher_stops_a_match() {
    let over: TicTac = "XXX/OO_/___ -".parse().unwrap();
    for bots in [[Bot::Random; 2], [Bot::Mcts(u64::MAX), Bot::Random], [Bot::Perfect(u64::MAX); 2]] {
        for threads in [1, 3] {
            let asked = AtomicU32::new(0);
            let watch = || match asked.fetch_add(1, Ordering::Relaxed) {
                2.. => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let contest =
                Contest { bots, games: u64::MAX, threads, watch: Some(&watch), ..Contest::default() };
            assert_eq!(contest.play(&Reversi::default()), Err(Stopped), "{contest:?}");
            assert!(asked.load(Ordering::Relaxed) >= 3);
            assert_eq!(contest.results(&Reversi::default(), 0..u64::MAX), Err(Stopped), "{contest:?}");
            // Games without a move can be stopped too.
            assert_eq!(contest.play(&over), Err(Stopped), "{contest:?}");
            let short = Contest { max_plies: 0, ..contest };
            assert_eq!(short.play(&Reversi::default()), Err(Stopped), "{contest:?}");
        }
    }
}

/// A bot that is stopped moves at once, but such a game has no result.
#[test]
fn a_hasty_move_does_not_count() {
    let watch = || ControlFlow::Break(());
    let contest = Contest { bots: [Bot::Perfect(1 << 20); 2], watch: Some(&watch), ..Contest::default() };
    // Even the hasty move would win.
    let start: TicTac = "XX_/OO_/___ X".parse().unwrap();
    assert_eq!(contest.results(&start, 0..1), Err(Stopped));
    assert_eq!(Contest { games: 1, ..contest }.play(&start), Err(Stopped));
}

// ---------------------------------------------------------------- broken games

/// A game that breaks the contract of `Position`: its last position has neither moves nor an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Endless(u8);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Step;

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("step")
    }
}

impl FromStr for Step {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "step" { Ok(Step) } else { Err(ParseError::new("move", text, "step")) }
    }
}

impl Position for Endless {
    type Move = Step;
    type Moves = std::vec::IntoIter<Step>;

    const NAME: &'static str = "endless";

    fn turn(&self) -> Option<Player> {
        Some(Player::BOTH[usize::from(self.0 % 2)])
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn moves(&self) -> Self::Moves {
        vec![Step; usize::from(self.0 > 0)].into_iter()
    }

    fn play_unchecked(&mut self, _: Step) {
        self.0 -= 1;
    }
}

impl Engine for Endless {}

/// Broken invariants are loud everywhere, and never a value.
#[test]
fn a_game_that_does_not_end_is_told() {
    let broken = Endless(3);
    let calls: [(&str, &dyn Fn()); 4] = [
        ("playouts", &|| _ = broken.playouts(0..1, 0)),
        ("solve", &|| drop(broken.solve(&SolveOptions::default()))),
        ("mcts", &|| drop(mcts(&broken, &TreeOptions::default()))),
        ("a match", &|| _ = Contest { games: 1, ..Contest::default() }.play(&broken)),
    ];
    for (what, call) in calls {
        let panic = catch_unwind(AssertUnwindSafe(call)).expect_err(what);
        let told = panic.downcast_ref::<String>().unwrap_or_else(|| panic!("{what}: no message"));
        assert!(told.contains("endless 0"), "{what}: {told}");
    }
}
