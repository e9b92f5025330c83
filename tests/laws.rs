//! The laws that every game keeps, checked over seeded random play.

use std::collections::HashSet;

use petteia::{
    Breakdown, Moves, Outcome, Position, Quarto, Record, RecordError, Reversi, Rng, Tally, TicTac,
    tictac::Mark,
};

/// Plays random games and checks every law at every position.
fn check<P: Position>(start: &P, games: u64) {
    for game in 0..games {
        let mut rng = Rng::for_game(40, game);
        let mut record = Record::new(start.clone());
        let mut trail = vec![start.clone()];
        loop {
            let position = record.last().clone();
            check_position(&position);
            check_symmetry(&position, &mut rng);
            let Some(m) = position.moves().choose(&mut rng) else { break };
            record.play(m).unwrap();
            assert_eq!(record.last(), &position.after(m).unwrap());
            trail.push(record.last().clone());
        }
        assert!(record.positions().eq(trail));
        let line = record.to_string();
        assert_eq!(line.parse::<Record<P>>().as_ref(), Ok(&record), "{line}");
    }
    check_playouts(start);
    check_perft(start);
}

fn check_position<P: Position>(position: &P) {
    // A text parses back to an equal position, and so does the game that starts from its parameters.
    let text = position.text();
    let mut several = text.clone();
    position.push_text(&mut several);
    assert_eq!(several, text.repeat(2));
    assert_eq!(text.parse::<P>().as_ref(), Ok(position), "{text}");
    let start = P::from_parameters(&position.parameters()).unwrap();
    assert_eq!(start.parameters(), position.parameters());
    assert_eq!(start.num_actions(), position.num_actions());

    // Moves are the legal actions in order, without a duplicate; notation and numbers lead back.
    let moves: Vec<P::Move> = position.moves().collect();
    assert_eq!(moves.len(), position.moves().len());
    let legal: Vec<P::Move> = (0..position.num_actions())
        .map(|action| position.move_of(action).unwrap())
        .filter(|&m| position.is_legal(m))
        .collect();
    assert_eq!(moves, legal, "{text}");
    for action in 0..position.num_actions() {
        let m = position.move_of(action).unwrap();
        assert_eq!(position.action(m), Some(action));
        assert_eq!(m.to_string().parse().as_ref(), Ok(&m));
    }
    for beyond in [position.num_actions(), position.num_actions() + 1, usize::MAX] {
        assert_eq!(position.move_of(beyond), None);
    }
    for (n, &m) in moves.iter().enumerate() {
        assert_eq!(position.moves().nth(n), Some(m));
    }
    assert_eq!(position.moves().nth(moves.len()), None);

    // Over, without a player to move, without moves and with an outcome are the same thing.
    assert_eq!(position.is_over(), moves.is_empty());
    assert_eq!(position.is_over(), position.turn().is_none());
    assert_eq!(position.is_over(), position.outcome().is_some());
    assert_eq!(text.ends_with(" -") || text.contains(" - "), position.is_over() || text.contains(" - "));

    // An illegal move is an error that names the move and the position, and changes nothing.
    let step = position.num_actions().div_ceil(40);
    for action in (0..position.num_actions()).step_by(step) {
        let m = position.move_of(action).unwrap();
        let mut copy = position.clone();
        match copy.play(m) {
            Ok(()) => assert!(position.is_legal(m) && Ok(&copy) == position.after(m).as_ref()),
            Err(error) => {
                assert_eq!((&copy, position.is_legal(m)), (position, false));
                let message = error.to_string();
                assert!(message.contains(&m.to_string()) && message.contains(&text), "{message}");
            }
        }
    }
    assert!(!position.to_string().is_empty());
}

/// Symmetries keep everything but the picture, commute with play and share one canonical form.
fn check_symmetry<P: Position>(position: &P, rng: &mut Rng) {
    let order = position.symmetries();
    assert_eq!(&position.transform(0), position);
    let canonical = position.canonical();
    let sample: Vec<usize> =
        if order <= 8 { (0..order).collect() } else { (0..6).map(|_| rng.below(order)).collect() };
    for symmetry in sample {
        let image = position.transform(symmetry);
        assert_eq!(image.canonical(), canonical, "{position:?} under {symmetry}");
        assert_eq!((image.turn(), image.outcome()), (position.turn(), position.outcome()));
        assert_eq!(image.text().parse().as_ref(), Ok(&image));
        let moves: HashSet<P::Move> =
            position.moves().map(|m| position.transform_move(symmetry, m)).collect();
        assert_eq!(moves, image.moves().collect());
        if let Some(m) = position.moves().choose(rng) {
            let played_then_moved = position.after(m).unwrap().transform(symmetry);
            let moved_then_played = image.after(position.transform_move(symmetry, m)).unwrap();
            assert_eq!(played_then_moved, moved_then_played);
        }
    }
}

/// The games that are played in bulk are those that are played one by one, in ranges cut anywhere.
fn check_playouts<P: Position>(start: &P) {
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

/// Counting is what playing every move and counting says.
fn check_perft<P: Position>(start: &P) {
    fn count<P: Position>(position: &P, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => position.moves().map(|m| count(&position.after(m).unwrap(), depth - 1)).sum(),
        }
    }
    for depth in (0..5).take_while(|&depth| start.num_actions().pow(depth) < 2_000_000) {
        assert_eq!(start.perft(depth), count(start, depth));
        assert_eq!(petteia::perft(start, depth), start.perft(depth));
    }
}

#[test]
fn tictac_keeps_the_laws() {
    check(&TicTac::new(Mark::X), 200);
    check(&TicTac::new(Mark::O), 200);
}

#[test]
fn breakdown_keeps_the_laws() {
    for (width, height, stick, square) in [
        (4, 5, 2, 2),
        (7, 6, 2, 3),
        (1, 1, 1, 1),
        (3, 3, 1, 2),
        (5, 1, 2, 2),
        (1, 9, 3, 1),
        (8, 8, 3, 3),
        (9, 9, 2, 4),
        (16, 8, 4, 2),
        (63, 2, 3, 2),
        (64, 2, 5, 2),
        (2, 64, 3, 2),
        (129, 1, 7, 1),
        (70, 3, 3, 3),
        (4, 4, 5, 2),
    ] {
        check(&Breakdown::new(width, height, stick, square).unwrap(), 4);
    }
}

#[test]
fn reversi_keeps_the_laws() {
    for width in 2..=8 {
        for height in 2..=8 {
            let start = Reversi::new(width, height).unwrap();
            check(&start, 3);
            let (even_width, even_height) = (width % 2 == 0, height % 2 == 0);
            let order = match (even_width, even_height, width == height) {
                (true, true, true) => 8,
                (true, true, false) => 4,
                (false, false, true) => 2,
                (false, false, false) => 1,
                _ => 2,
            };
            assert_eq!(start.symmetries(), order, "{width}x{height}");
        }
    }
}

#[test]
fn quarto_keeps_the_laws() {
    check(&Quarto::default(), 100);
    assert_eq!(Quarto::default().symmetries(), 32 * 384);
}

/// The same seed gives the same games on every platform: these are the figures of every other machine.
#[test]
fn random_games_are_the_same_everywhere() {
    let tally = |wins, draws, plies| Tally { wins, draws, plies };
    assert_eq!(TicTac::default().playouts(0..1000, 1), tally([606, 267], 127, 7645));
    assert_eq!(Breakdown::default().playouts(0..1000, 1), tally([520, 356], 124, 8467));
    assert_eq!(Reversi::default().playouts(0..1000, 1), tally([437, 510], 53, 63_991));
    assert_eq!(Quarto::default().playouts(0..1000, 1), tally([496, 474], 30, 23_236));
}

#[test]
fn records_tell_what_is_wrong() {
    let parse = |text: &str| text.parse::<Record<TicTac>>();
    assert_eq!(parse("tictac X: B2 C2 C3").unwrap().to_string(), "tictac X: B2 C2 C3");
    assert_eq!(parse("tictac O:").unwrap().moves(), []);
    assert_eq!("quarto:".parse::<Record<Quarto>>().unwrap().to_string(), "quarto:");
    let won = parse("tictac X: A1 B1 A2 B2 A3").unwrap();
    assert_eq!(won.last().outcome(), Some(Outcome::Win(petteia::Player::First)));
    for (text, expected) in [
        ("", "a colon"),
        ("tictac X", "a colon"),
        ("chess:", "the game's name, tictac"),
        ("tictacX:", "the game's name, tictac"),
        ("tictac :", "the game's name, tictac"),
        ("tictac  X:", "X or O"),
        ("tictac:", "X or O"),
        ("tictac X Y:", "X or O"),
        ("tictac X:B2", "a space after the colon"),
        ("tictac X: ", "ply 1: invalid square \"\""),
        ("tictac X: B2 ", "ply 2: invalid square \"\""),
        ("tictac X: B2  C2", "ply 2: invalid square \"\""),
        ("tictac X: B2 d9", "ply 2: invalid square \"d9\""),
    ] {
        match parse(text) {
            Err(RecordError::Parse(error)) => assert!(error.to_string().contains(expected), "{error}"),
            other => panic!("{text:?}: {other:?}"),
        }
    }
    match parse("tictac X: B2 C2 B2") {
        Err(RecordError::Illegal(error)) => {
            assert!(error.to_string().starts_with("ply 3: illegal move \"B2\""), "{error}")
        }
        other => panic!("{other:?}"),
    }
}
