//! The laws that every game obeys, checked in seeded random games; they apply to your own games too.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use petteia::cpu::Portable;
use petteia::prelude::*;
use petteia::svg::Marks;
use petteia::{MAX_ADVANTAGE, PerftOptions, Record, Rng, Tally, evaluate, perft_with};

/// Plays random games and checks every law at every position.
pub fn check<P: Declared + Engine + Actions>(start: &P, games: u64) {
    check_declaration::<P>();
    let (mut counts, mut keyed) = (HashMap::new(), HashMap::new());
    for game in 0..games {
        let mut rng = Rng::for_game(40, game);
        let mut record = Record::new(start.clone());
        let mut trail = vec![start.clone()];
        loop {
            let position = record.last().clone();
            check_position(&position);
            check_score(&position);
            check_estimate(&position);
            // Positions with the same key have the same game tree, though the players may be swapped.
            if let Some(key) = position.key() {
                let count = position.perft(2);
                assert_eq!(*counts.entry(key).or_insert(count), count, "{position}");
            }
            // Of the positions that follow, too, only equal ones have the same exact key.
            for next in position.moves().map(|m| position.after_unchecked(m)) {
                if let Some(key) = next.exact_key() {
                    assert_eq!(*keyed.entry(key).or_insert_with(|| next.clone()), next, "{key:x?}");
                }
                assert_eq!(next.exact_key(), next.clone().exact_key());
            }
            let Some(m) = position.moves().choose(&mut rng) else { break };
            record.play(m.clone()).unwrap();
            assert_eq!(record.last(), &position.after(m).unwrap());
            trail.push(record.last().clone());
        }
        let plies = record.moves().len() as u64;
        assert!(start.longest_game().is_none_or(|longest| plies <= longest), "{record}");
        assert!(record.positions().eq(trail));
        let line = record.to_string();
        assert_eq!(line.parse::<Record<P>>().as_ref(), Ok(&record), "{line}");
        check_parts(&record);
    }
    check_playouts(start);
    check_perft(start);
}

/// Plays random games and checks the symmetries of every position.
pub fn check_symmetries<P: Declared + Engine + Symmetry>(start: &P, games: u64) {
    for game in 0..games {
        let mut rng = Rng::for_game(41, game);
        let mut position = start.clone();
        loop {
            check_symmetry(&position, &mut rng);
            let Some(m) = position.moves().choose(&mut rng) else { break };
            position.play_unchecked(m);
        }
    }
}

/// Plays random games and checks every view of their positions: arrays, drawings and pictures.
pub fn check_views<P: Draw>(start: &P, games: u64) {
    for game in 0..games {
        let mut rng = Rng::for_game(42, game);
        let mut position = start.clone();
        loop {
            check_view(&position);
            let Some(m) = position.moves().choose(&mut rng) else { break };
            position.play_unchecked(m);
        }
    }
}

/// A record is made of its parts, down to the last move taken back.
fn check_parts<P: Declared>(record: &Record<P>) {
    let plies = record.moves().len();
    for ply in (0..=plies).step_by(1 + plies / 8) {
        let (before, after) = (record.part(0..ply), record.part(ply..plies));
        assert_eq!((before.last(), record.last()), (after.start(), after.last()));
        assert_eq!([before.moves(), after.moves()].concat(), record.moves());
        assert_eq!(after.to_string().parse::<Record<P>>().as_ref(), Ok(&after), "{after}");
    }
    let mut undone = record.clone();
    for ply in (0..plies).rev().take(8) {
        assert_eq!(undone.undo().as_ref(), Some(&record.moves()[ply]));
        assert_eq!(undone, record.part(0..ply));
    }
    assert_eq!(record.part(0..0).undo(), None);
}

/// A game starts with its defaults, and refuses parameters out of range.
fn check_declaration<P: Declared>() {
    // A record's first word ends at a space or a colon.
    assert!(!P::NAME.is_empty() && !P::NAME.contains([' ', ':']), "{:?}", P::NAME);
    let defaults: Vec<u32> = P::PARAMETERS.iter().map(|parameter| parameter.default).collect();
    assert_eq!(P::start(&defaults).as_ref(), Ok(&P::default()));
    assert_eq!(P::default().values(), defaults);
    assert_eq!(P::PRESETS[0].values, defaults);
    for preset in P::PRESETS {
        assert_eq!(P::start(preset.values).unwrap().values(), preset.values, "{}", preset.name);
    }
    assert!(P::start(&[defaults.as_slice(), &[1]].concat()).is_err());
    for (number, parameter) in P::PARAMETERS.iter().enumerate() {
        assert!(P::start(&defaults[..number]).is_err());
        let (least, most) = parameter.bounds();
        for beyond in [least.checked_sub(1), most.checked_add(1)].into_iter().flatten() {
            let mut values = defaults.clone();
            values[number] = beyond;
            assert!(P::start(&values).is_err(), "{} {beyond}", parameter.name);
        }
    }
}

fn check_position<P: Declared + Actions>(position: &P) {
    // The text parses back to an equal position, and the parameters to an equal start.
    let text = position.to_string();
    let mut several = text.clone();
    write!(several, "{position}").unwrap();
    assert_eq!(several, text.repeat(2));
    assert_eq!(text.parse::<P>().as_ref(), Ok(position), "{text}");
    let start = P::start(&position.values()).unwrap();
    assert_eq!((start.values(), start.parameters()), (position.values(), position.parameters()));
    assert_eq!(start.num_actions(), position.num_actions());
    // A record may start anywhere, and says where unless the game starts there; colons are left to it.
    assert!(!text.contains(':'), "{text}");
    for (first, told) in [(&start, false), (position, *position != start)] {
        let mut record = Record::new(first.clone());
        assert_eq!(record.to_string().contains(" from "), told, "{record}");
        assert_eq!(record.to_string().parse::<Record<P>>().as_ref(), Ok(&record));
        record.headers_mut().set("first", "\\\"A: B\"] from ").unwrap();
        record.headers_mut().set("round-2_a", "").unwrap();
        assert_eq!(format!("{record}\n").parse::<Record<P>>().as_ref(), Ok(&record));
    }

    // Moves are the legal actions in order, without duplicates; notation and numbers convert back.
    let moves: Vec<P::Move> = position.moves().collect();
    assert_eq!(moves.len(), position.moves().len());
    let legal: Vec<P::Move> = (0..position.num_actions())
        .map(|action| position.move_of(action).unwrap())
        .filter(|m| position.is_legal(m))
        .collect();
    assert_eq!(moves, legal, "{text}");
    for action in 0..position.num_actions() {
        let m = position.move_of(action).unwrap();
        assert_eq!(position.action(&m), Some(action));
        assert_eq!(m.to_string().parse().as_ref(), Ok(&m));
    }
    for beyond in [position.num_actions(), position.num_actions() + 1, usize::MAX] {
        assert_eq!(position.move_of(beyond), None);
    }
    for (n, m) in moves.iter().enumerate() {
        assert_eq!(position.moves().nth(n).as_ref(), Some(m));
    }
    assert_eq!(position.moves().nth(moves.len()), None);

    // The game is over if and only if nobody is to move, there are no moves, and there is an outcome.
    assert_eq!(position.is_over(), moves.is_empty());
    assert_eq!(position.is_over(), position.turn().is_none());
    assert_eq!(position.is_over(), position.outcome().is_some());
    assert!(
        !position.is_over() || text.split(' ').skip(1).any(|word| word == "-"),
        "{text}: no - for the player"
    );

    // An illegal move is an error that names the move and the position, and changes nothing.
    let step = position.num_actions().div_ceil(40);
    for action in (0..position.num_actions()).step_by(step) {
        let m = position.move_of(action).unwrap();
        let mut copy = position.clone();
        match copy.play(m.clone()) {
            Ok(()) => assert!(position.is_legal(&m) && Ok(&copy) == position.after(m).as_ref()),
            Err(error) => {
                assert_eq!((&copy, position.is_legal(&m)), (position, false));
                let message = error.to_string();
                assert!(message.contains(&m.to_string()) && message.contains(&text), "{message}");
            }
        }
    }
    assert!(!text.is_empty() && !text.contains('\n'));
}

/// A finished game has a score that agrees with its outcome; a canonical position is equivalent to the original.
fn check_score<P: Engine>(position: &P) {
    let expected = position.outcome().map(|outcome| match outcome.winner() {
        None => 0,
        Some(Player::First) => 1,
        Some(Player::Second) => -1,
    });
    for empties_to_winner in [false, true] {
        let score = position.score(empties_to_winner);
        assert_eq!(score.map(i32::signum), expected, "{position}");
        assert!(score.is_none_or(|score| score.abs() <= position.max_score()), "{position}");
        assert_eq!(position.score_for(Some(Player::Second), empties_to_winner), score.map(|score| -score));
    }
    let canonical = position.canonical();
    assert_eq!(canonical.canonical(), canonical, "{position}");
    assert_eq!((canonical.turn(), canonical.outcome()), (position.turn(), position.outcome()), "{position}");
    assert_eq!(canonical.moves().len(), position.moves().len(), "{position}");
}

/// Estimates are bounded, and the same with and without the instructions of newer processors.
fn check_estimate<P: Engine>(position: &P) {
    let Ok(estimate) = evaluate(position) else {
        return assert!(position.is_over(), "{position}");
    };
    let parts = [estimate.win, estimate.draw, estimate.loss];
    assert!(parts.iter().all(|part| (0.0..=1.0).contains(part)), "{position}: {estimate:?}");
    assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{position}: {estimate:?}");
    let most = if P::COUNTS_SQUARES { position.max_score() } else { 0 };
    assert!(estimate.difference.is_none_or(|discs| discs.abs() <= most.into()), "{position}: {estimate:?}");
    assert!(position.advantage().abs() < MAX_ADVANTAGE, "{position}: {}", position.advantage());
    let portable = Portable::only(|| (position.estimate(), position.advantage()));
    assert_eq!(portable, (estimate, position.advantage()), "{position}");
}

/// Symmetries keep the turn, the outcome and the estimate, commute with play and share one canonical form.
fn check_symmetry<P: Declared + Engine + Symmetry>(position: &P, rng: &mut Rng) {
    let order = position.symmetries();
    assert_eq!(&position.transform(0), position);
    let canonical = position.canonical();
    let sample: Vec<usize> =
        if order <= 8 { (0..order).collect() } else { (0..6).map(|_| rng.below(order)).collect() };
    for symmetry in sample {
        let image = position.transform(symmetry);
        assert_eq!(image.canonical(), canonical, "{position:?} under {symmetry}");
        assert_eq!((image.turn(), image.outcome()), (position.turn(), position.outcome()));
        assert_eq!(evaluate(&image), evaluate(position), "{position:?} under {symmetry}");
        assert_eq!(image.to_string().parse().as_ref(), Ok(&image));
        let moves: HashSet<P::Move> =
            position.moves().map(|m| position.transform_move(symmetry, m)).collect();
        assert_eq!(moves, image.moves().collect());
        if let Some(m) = position.moves().choose(rng) {
            let played_then_moved = position.after(m.clone()).unwrap().transform(symmetry);
            let moved_then_played = image.after(position.transform_move(symmetry, m)).unwrap();
            assert_eq!(played_then_moved, moved_then_played);
        }
    }
}

/// The mask marks the legal actions, planes are zeros and ones, and everything has the declared length.
fn check_view<P: Draw>(position: &P) {
    // Bytes that are not written stay 9 and fail.
    let mut mask = vec![9; position.num_actions()];
    position.write_mask(&mut mask);
    let legal = (0..position.num_actions()).map(|action| position.move_of(action).unwrap());
    assert!(mask.into_iter().eq(legal.map(|m| u8::from(position.is_legal(&m)))), "{position}");
    let mut planes = vec![9; position.observation_len()];
    position.write_planes(&mut planes);
    assert!(planes.iter().all(|&bit| bit <= 1), "{position}");
    let (rows, columns) = position.shape();
    let mut cells = vec![99; rows * columns];
    position.write_cells(&mut cells);
    assert!(!cells.contains(&99), "{position}");
    // Cells that are not those of two players have more planes, and are nobody's.
    let counts = [1, 2].map(|player| cells.iter().filter(|&&cell| cell == player).count());
    assert_eq!(position.count_cells(), if P::PLANES == 2 { counts } else { [0; 2] }, "{position}");
    assert!(position.drawing().ends_with('\n'), "{position}");
    let picture = position.svg(&Marks { last: position.moves().next(), legal: true, ..Marks::default() });
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
}

/// Playouts in bulk are the games played one by one, however the range is split.
fn check_playouts<P: Engine>(start: &P) {
    let mut one_by_one = Tally::default();
    for game in 0..50 {
        let mut rng = Rng::for_game(9, game);
        let mut position = start.clone();
        let mut plies = 0;
        while let Some(m) = position.moves().choose(&mut rng) {
            position.play(m).unwrap();
            plies += 1;
        }
        let outcome = position.outcome().unwrap();
        assert_eq!(start.playout(&mut Rng::for_game(9, game)), (outcome, plies));
        one_by_one.record(outcome, plies);
    }
    assert_eq!(start.playouts(0..50, 9), one_by_one);
    assert_eq!(start.playouts(0..1, 9) + start.playouts(1..50, 9) + start.playouts(50..50, 9), one_by_one);
    assert_eq!(one_by_one.games(), 50);
}

/// Perft agrees with plain recursion, with and without a table.
fn check_perft<P: Engine + Actions>(start: &P) {
    fn count<P: Position>(position: &P, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => position.moves().map(|m| count(&position.after(m).unwrap(), depth - 1)).sum(),
        }
    }
    for depth in (0..5).take_while(|&depth| start.num_actions().pow(depth) < 2_000_000) {
        let expected = count(start, depth);
        assert_eq!(start.perft(depth), expected);
        for table_bytes in [None, Some(1 << 16)] {
            let options = PerftOptions { table_bytes, ..PerftOptions::default() };
            assert_eq!(perft_with(start, depth, &options), Ok(expected));
        }
    }
}
