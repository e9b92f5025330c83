//! Analysis against exact solutions: what it proves is true, whatever limits, threads and memories it has.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use petteia::prelude::*;
use petteia::{
    Analysis, AnalysisOptions, Breakdown, Evaluator, MAX_ADVANTAGE, Memory, Progress, Quarto, Reversi, Rng,
    SolveOptions, TicTac, TreeOptions, evaluate, mcts,
};

/// Returns the exact value of a position for the player to move, by the game's solver. Lines meet in the same positions
/// again and again, so what was solved is kept.
fn solved<P: Engine>(position: &P) -> i32 {
    static KNOWN: LazyLock<Mutex<HashMap<String, i32>>> = LazyLock::new(Default::default);
    let key = format!("{} {position}", P::NAME);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&value) = known().get(&key) {
        return value;
    }
    let solution =
        position.solve(&SolveOptions { all_best: false, ..SolveOptions::default() }).expect("a solution");
    assert!(solution.exact, "{position}");
    known().insert(key, solution.value);
    solution.value
}

/// Returns the exact value of a move for the player who makes it.
fn value_of<P: Engine>(position: &P, m: &P::Move) -> i32 {
    let child = position.after(m.clone()).expect("a legal move");
    match child.score_for(position.turn(), false) {
        Some(score) => score,
        None if child.turn() == position.turn() => solved(&child),
        None => -solved(&child),
    }
}

/// Checks all that an analysis says, and returns how many values it proved.
fn check<P: Engine>(position: &P, options: &AnalysisOptions, analysis: &Analysis<P::Move>) -> usize {
    let context = || format!("{position} {options:?} {analysis:?}");
    let lines = &analysis.lines;
    assert_eq!(lines.len(), options.lines.clamp(1, position.moves().len()), "{}", context());
    let moves: HashSet<&P::Move> = lines.iter().map(|line| &line.moves[0]).collect();
    assert_eq!(moves.len(), lines.len(), "{}", context());
    let expected: Vec<f64> = lines.iter().map(|line| line.estimate.expected()).collect();
    assert!(expected.is_sorted_by(|a, b| a >= b), "{expected:?} {}", context());
    if options.threads == 1 {
        assert!(options.node_limit.is_none_or(|limit| analysis.nodes <= limit), "{}", context());
    }
    assert!(options.depth.is_none_or(|depth| analysis.depth <= depth), "{}", context());
    for line in lines {
        let mut position = position.clone();
        for m in &line.moves {
            position.play(m.clone()).unwrap_or_else(|error| panic!("{error} {}", context()));
        }
        let Some(value) = line.value else { continue };
        assert_eq!(line.estimate.expected(), f64::from(value.signum()), "{}", context());
    }
    for line in lines {
        let Some(value) = line.value else { continue };
        // No move of the line gives away what is proved.
        let mut next = position.clone();
        for m in &line.moves {
            let value = if next.turn() == position.turn() { value } else { -value };
            assert_eq!(value_of(&next, m), value, "{m} {}", context());
            next.play_unchecked(m.clone());
        }
    }
    if analysis.exact() {
        assert_eq!(lines[0].value, Some(solved(position)), "{}", context());
    }
    lines.iter().filter(|line| line.value.is_some()).count()
}

/// Analyses a position, checks the result, and returns how many values were proved.
fn analyse<P: Engine>(position: &P, options: &AnalysisOptions) -> usize {
    check(position, options, &position.analyse(options).expect("an analysis"))
}

/// Limits of all sizes, with one line and several.
fn all_limits() -> Vec<AnalysisOptions<'static>> {
    let none = AnalysisOptions::default();
    let mut all = vec![none, AnalysisOptions { lines: usize::MAX, ..none }];
    for lines in [1, 3] {
        for nodes in [0, 1, 2, 3, 7, 30, 64, 100, 129, 300, 1_000, 5_000] {
            all.push(AnalysisOptions { node_limit: Some(nodes), lines, ..none });
        }
        for depth in [0, 1, 2, 3, 4] {
            all.push(AnalysisOptions { depth: Some(depth), lines, ..none });
        }
        for micros in [0, 50, 1_000] {
            all.push(AnalysisOptions { time_limit: Some(Duration::from_micros(micros)), lines, ..none });
        }
    }
    all
}

/// Returns positions of random games that are not over.
fn positions<P: Engine>(start: &P, games: u64, is_late: impl Fn(&P) -> bool) -> Vec<P> {
    let mut found = Vec::new();
    for game in 0..games {
        let mut rng = Rng::for_game(11, game);
        let mut position = start.clone();
        // Games of Breakdown may go on for long.
        for _ in 0..60 {
            let Some(m) = position.moves().choose(&mut rng) else { break };
            if is_late(&position) {
                found.push(position.clone());
            }
            position.play(m).unwrap();
        }
    }
    found
}

fn breakdowns() -> Vec<Breakdown> {
    [[3, 3, 1, 2], [4, 4, 2, 2], [4, 3, 1, 2], [5, 3, 3, 2], [4, 5, 2, 2]]
        .iter()
        .flat_map(|&[width, height, stick, square]| {
            let start = Breakdown::new(width, height, stick, square).unwrap();
            positions(&start, 4, |_| true).into_iter().step_by(3)
        })
        .collect()
}

fn late_quartos(games: u64) -> Vec<Quarto> {
    positions(&Quarto::new(), games, |position| position.placed() >= 9)
}

fn reachable(position: &TicTac, seen: &mut HashSet<TicTac>) {
    if !position.is_over() && seen.insert(*position) {
        position.moves().for_each(|m| reachable(&position.after(m).unwrap(), seen));
    }
}

fn tictacs() -> Vec<TicTac> {
    let mut seen = HashSet::new();
    reachable(&TicTac::default(), &mut seen);
    assert_eq!(seen.len(), 4520);
    seen.into_iter().collect()
}

#[test]
fn all_of_tictac_is_right() {
    for position in tictacs() {
        // More than are needed; the table is small then.
        let all = AnalysisOptions { lines: 9, node_limit: Some(50_000), ..AnalysisOptions::default() };
        assert_eq!(analyse(&position, &all), position.moves().len(), "{position}");
        for nodes in [1, 10, 100, 1_000] {
            analyse(&position, &AnalysisOptions { node_limit: Some(nodes), ..all });
        }
        for depth in 1..=9 {
            let proved = analyse(&position, &AnalysisOptions { depth: Some(depth), lines: 2, ..all });
            if depth >= position.moves().len() as u32 {
                assert_eq!(proved, position.moves().len().min(2), "{position}");
            }
        }
    }
}

#[test]
fn values_are_right_within_all_limits() {
    fn run<P: Engine>(positions: &[P]) {
        let mut proved = 0;
        for position in positions {
            for options in all_limits() {
                proved += analyse(position, &options);
            }
        }
        assert!(proved > 10 * positions.len(), "{proved} values proved in {} positions", positions.len());
    }
    run(&late_quartos(8));
    run(&breakdowns());
}

/// What is remembered from other positions of the game never makes a value wrong.
#[test]
fn a_memory_keeps_values_right() {
    fn run<P: Engine>(positions: &[P]) {
        let memory = Memory::default();
        for position in positions {
            for nodes in [20, 300, 3_000] {
                let limited = AnalysisOptions { node_limit: Some(nodes), ..AnalysisOptions::default() };
                analyse(position, &AnalysisOptions { memory: Some(&memory), lines: 2, ..limited });
            }
            let shallow = AnalysisOptions { depth: Some(3), ..AnalysisOptions::default() };
            analyse(position, &AnalysisOptions { memory: Some(&memory), ..shallow });
        }
    }
    run(&tictacs());
    run(&late_quartos(20));
    // Games of other parameters, one after another.
    run(&breakdowns());
    run(&breakdowns().into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn threads_agree() {
    fn run<P: Engine>(positions: &[P]) {
        for position in positions {
            for nodes in [100, 4_000, 40_000] {
                let options =
                    AnalysisOptions { node_limit: Some(nodes), threads: 2, lines: 2, ..Default::default() };
                analyse(position, &options);
            }
        }
    }
    run(&late_quartos(6));
    run(&breakdowns());
}

#[test]
fn an_analysis_is_the_same_again() {
    fn run<P: Engine>(position: &P) {
        for options in all_limits() {
            if options.time_limit.is_some() {
                continue;
            }
            let [first, second] = [0, 1].map(|_| position.analyse(&options).unwrap());
            assert_eq!(
                (&first.lines, first.depth, first.nodes),
                (&second.lines, second.depth, second.nodes),
                "{position} {options:?}"
            );
        }
    }
    run(&TicTac::default());
    run(&Breakdown::default());
    run(&Breakdown::new(7, 6, 2, 3).unwrap());
    run(&Quarto::new());
    late_quartos(2).iter().for_each(run);
}

/// A search to a depth has just that depth, unless all is proved before.
#[test]
fn depths_are_exact() {
    for depth in 1..=4 {
        let options = AnalysisOptions { depth: Some(depth), lines: 2, ..AnalysisOptions::default() };
        assert_eq!(Breakdown::new(8, 8, 3, 3).unwrap().analyse(&options).unwrap().depth, depth);
        let early: Quarto = "0.../.7../..3./.... - 2".parse().unwrap();
        assert_eq!(early.analyse(&options).unwrap().depth, depth);
    }
}

/// The book of Quarto knows what docs/results/quarto.txt proves: every board with three pieces is in it, and drawn.
#[test]
fn the_book_of_quarto_is_proved() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/results/quarto.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let drawn: HashSet<Quarto> = text
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split('\t').collect();
            assert_eq!(words[1], "0", "{line}");
            words[0].parse::<Quarto>().unwrap().canonical()
        })
        .collect();
    // All boards up to symmetry: each piece on each square, one after the other.
    let mut boards = HashSet::from([Quarto::new()]);
    for _ in 0..3 {
        let next = |board: &Quarto| -> Vec<Quarto> {
            let given = board.moves().map(|m| board.after(m).unwrap());
            given.flat_map(|given| given.moves().map(move |m| given.after(m).unwrap().canonical())).collect()
        };
        boards = boards.iter().flat_map(next).collect();
    }
    assert_eq!((boards.len(), &boards), (454, &drawn));
    for position in positions(&Quarto::new(), 5, |position| position.placed() <= 3) {
        for nodes in [0, 1, 10, 1_000] {
            let options = AnalysisOptions { node_limit: Some(nodes), lines: 99, ..Default::default() };
            let analysis = position.analyse(&options).unwrap();
            assert!(analysis.nodes <= nodes);
            assert_eq!(analysis.lines.len(), position.moves().len());
            let known = analysis.lines.iter().filter(|line| line.value == Some(0)).count();
            assert_eq!(known, if position.placed() <= 2 { position.moves().len() } else { 0 }, "{position}");
        }
    }
}

/// A quick win is better than a slow one, and a slow loss better than a quick one.
#[test]
fn wins_are_quick_and_losses_slow() {
    let options = AnalysisOptions::default();
    for position in tictacs() {
        let value = solved(&position);
        let best = *position.analyse(&options).unwrap().best();
        let plies = |m| longest(&position.after(m).unwrap());
        let same = position.moves().filter(|m| value_of(&position, m) == value).map(plies);
        match value {
            1 => assert_eq!(Some(plies(best)), same.min(), "{position} {best}"),
            -1 => assert_eq!(Some(plies(best)), same.max(), "{position} {best}"),
            _ => assert_eq!(value_of(&position, &best), 0, "{position} {best}"),
        }
    }
}

/// Returns how many plies a decided game lasts if the winner hurries and the loser does not.
fn longest(position: &TicTac) -> u32 {
    if position.is_over() {
        return 0;
    }
    let value = solved(position);
    let plies = position
        .moves()
        .filter(|m| value_of(position, m) == value)
        .map(|m| 1 + longest(&position.after(m).unwrap()));
    if value == 1 { plies.min() } else { plies.max() }.unwrap()
}

#[test]
fn large_boards_are_in_time() {
    let board = Breakdown::new(400, 400, 3, 3).unwrap();
    let options = AnalysisOptions { time_limit: Some(Duration::from_millis(50)), ..Default::default() };
    for threads in [1, 2] {
        let start = Instant::now();
        let analysis = board.analyse(&AnalysisOptions { threads, ..options }).unwrap();
        // How late exactly is a matter for benches: this machine may be busy.
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        assert!(board.is_legal(analysis.best()));
    }
    let start = Instant::now();
    let watch = |progress: &Progress| match progress.seconds > 0.05 {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let options =
        AnalysisOptions { watch: Some(&watch), node_limit: Some(u64::MAX), ..AnalysisOptions::default() };
    assert!(board.is_legal(board.analyse(&options).unwrap().best()));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// What is solved is only ranked, not searched until the limits are met.
#[test]
fn solved_positions_take_no_more_than_they_need() {
    const RANKING: u64 = 1 << 18;
    let limit = 10_000_000;
    let options = AnalysisOptions { node_limit: Some(limit), ..AnalysisOptions::default() };
    let analysis = Quarto::new().analyse(&options).unwrap();
    assert!(analysis.exact() && analysis.nodes <= RANKING, "{analysis:?}");
    let mut draws = 0;
    for position in positions(&Quarto::new(), 3, |position| position.placed() == 8) {
        let solution = position.solve(&SolveOptions::default()).unwrap();
        let analysis = position.analyse(&options).unwrap();
        assert_eq!(analysis.lines[0].value, Some(solution.value), "{position}");
        draws += u32::from(solution.value == 0);
        let most = limit / 10 + solution.nodes + RANKING;
        assert!(analysis.nodes <= most, "{position} took {} nodes, more than {most}", analysis.nodes);
    }
    assert!(draws > 0);
}

/// Estimates of lines that were not searched are those of a look at the position: in Reversi, with a difference.
#[test]
fn lines_that_were_not_searched_have_whole_estimates() {
    for position in positions(&Reversi::default(), 3, |_| true) {
        for nodes in [0, 1, 2, 5, 20] {
            let options =
                AnalysisOptions { node_limit: Some(nodes), lines: 64, ..AnalysisOptions::default() };
            let analysis = position.analyse(&options).unwrap();
            let mut last = f64::INFINITY;
            for line in &analysis.lines {
                assert!(line.estimate.difference.is_some(), "{position} {nodes} {line:?}");
                assert!(line.estimate.expected() <= last, "{position} {nodes} {analysis:?}");
                last = line.estimate.expected();
            }
            if nodes == 0 {
                assert_eq!(analysis.lines[0].estimate, position.estimate(), "{position}");
            }
        }
    }
}

#[test]
fn one_that_is_stopped_at_once_has_a_move() {
    fn run<P: Engine>(position: &P) {
        let watch = |_: &Progress| ControlFlow::Break(());
        for lines in [1, 2] {
            let options = AnalysisOptions { watch: Some(&watch), lines, ..AnalysisOptions::default() };
            let analysis = position.analyse(&options).unwrap();
            assert!(!analysis.lines.is_empty() && analysis.lines.iter().all(|line| line.value.is_none()));
            assert!(position.is_legal(analysis.best()));
        }
    }
    run(&TicTac::default());
    run(&Breakdown::default());
    run(&Breakdown::new(400, 400, 3, 3).unwrap());
    run(&"0.../.7../..3./d... - 1".parse::<Quarto>().unwrap());
}

/// A watcher that said stop is not asked again.
#[test]
fn stopped_is_stopped() {
    let calls = std::sync::atomic::AtomicU32::new(0);
    let watch = |_: &Progress| {
        assert_eq!(calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed), 0, "it was asked again");
        ControlFlow::Break(())
    };
    let options = AnalysisOptions { watch: Some(&watch), ..AnalysisOptions::default() };
    Breakdown::new(7, 6, 2, 3).unwrap().analyse(&options).unwrap();
}

/// Estimates are bounded, the same for all symmetries, and right where it is obvious.
#[test]
fn estimates_make_sense() {
    fn run<P: Engine + Symmetry>(positions: &[P]) {
        for position in positions {
            let advantage = position.advantage();
            assert!(advantage.abs() < MAX_ADVANTAGE, "{position} {advantage}");
            for symmetry in 0..position.symmetries().min(64) {
                assert_eq!(position.transform(symmetry).advantage(), advantage, "{position} {symmetry}");
            }
            let wins = position.moves().any(|m| {
                let child = position.after(m).unwrap();
                child.score_for(position.turn(), false) == Some(1)
            });
            assert_eq!(advantage == MAX_ADVANTAGE - 1, wins, "{position} {advantage}");
            let expected = evaluate(position).unwrap().expected();
            assert!((expected - f64::from(advantage) / 1000.0).abs() < 1e-9);
        }
    }
    run(&tictacs());
    run(&positions(&Quarto::new(), 50, |_| true));
    for [width, height, stick, square] in
        [[4, 5, 2, 2], [7, 6, 2, 3], [8, 8, 3, 3], [3, 7, 1, 2], [5, 4, 9, 1], [10, 9, 3, 3], [16, 8, 2, 2]]
    {
        let start = Breakdown::new(width, height, stick, square).unwrap();
        if !start.is_over() {
            run(&positions(&start, 40, |_| true));
        }
    }
    assert_eq!(Breakdown::new(400, 400, 3, 3).unwrap().advantage(), 0);
}

/// Exchanging the colours and the turn changes nothing.
#[test]
fn colours_are_alike() {
    let swap = |text: &str, pairs: [(char, char); 2]| -> String {
        let exchange = |c: char| {
            pairs.iter().find_map(|&(a, b)| if c == a { Some(b) } else { (c == b).then_some(a) }).unwrap_or(c)
        };
        text.chars().map(exchange).collect()
    };
    for position in positions(&Breakdown::new(7, 6, 2, 3).unwrap(), 20, |_| true) {
        let other: Breakdown = swap(&position.to_string(), [('*', 'o'), ('b', 'w')]).parse().unwrap();
        assert_ne!(other, position);
        assert_eq!((other.advantage(), other.family()), (position.advantage(), position.family()));
    }
    for position in tictacs() {
        let other: TicTac = swap(&position.to_string(), [('X', 'O'), ('X', 'O')]).parse().unwrap();
        assert_eq!((other.advantage(), other.key()), (position.advantage(), position.key()));
    }
}

/// Games with other parameters do not share a family, unless they are the same game.
#[test]
fn families_are_games() {
    let family = |[width, height, stick, square]: [u32; 4]| {
        Breakdown::new(width, height, stick, square).unwrap().family()
    };
    let mut seen = HashSet::new();
    let mut count = 0;
    for (width, height) in [(4, 5), (5, 4), (1, 64), (64, 1), (8, 8), (3, 3)] {
        for stick in 1..=width.max(height) + 1 {
            for square in 1..=width.min(height) + 1 {
                seen.insert(family([width, height, stick, square]));
                count += 1;
            }
        }
    }
    assert_eq!(seen.len(), count);
    assert_eq!(family([4, 5, 6, 5]), family([4, 5, u32::MAX, 4_000_000]));
    let reversi = |width, height| Reversi::new(width, height).unwrap().family();
    assert_ne!(reversi(4, 6), reversi(6, 4));
}

#[test]
fn trees_take_estimates_and_time() {
    let position: Quarto = "0.../.7../..3./d... - 1".parse().unwrap();
    for evaluator in [Evaluator::Playout, Evaluator::Estimate] {
        let options = TreeOptions { simulations: 2_000, evaluator, ..TreeOptions::default() };
        let tree = mcts(&position, &options).unwrap();
        assert_eq!(tree.simulations, 2_000);
        assert_eq!(tree, mcts(&position, &options).unwrap());
        let timed = TreeOptions {
            simulations: u64::MAX,
            time_limit: Some(Duration::from_millis(30)),
            threads: 2,
            ..options
        };
        let start = Instant::now();
        let tree = mcts(&Reversi::default(), &timed).unwrap();
        assert!(tree.simulations > 0 && start.elapsed() < Duration::from_secs(3));
    }
    // A win in one is seen by its estimate: all moves but these let the opponent win.
    for position in late_quartos(10) {
        let tree = mcts(
            &position,
            &TreeOptions { simulations: 3_000, evaluator: Evaluator::Estimate, ..TreeOptions::default() },
        )
        .unwrap();
        for branch in tree.branches {
            assert!((-1.0..=1.0).contains(&branch.value));
            if let Some(proven) = branch.proven {
                assert_eq!(proven, value_of(&position, &branch.m), "{position} {}", branch.m);
            }
        }
    }
}
