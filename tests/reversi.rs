//! Reversi against its documents, its vectors and a slow oracle.

mod common;
#[path = "oracle/reversi.rs"]
mod oracle;

use common::{list, number, text, vectors};
use oracle::{Oracle, Place};
use petteia::prelude::*;
use petteia::reversi::{Board, Model, Move, Player, PositionSet, Square};
use petteia::{AnalysisOptions, ArgumentError, Reversi, Rng, SolveOptions};
use proptest::prelude::*;

fn square((x, y): Place) -> Square {
    Square::new(x, y).unwrap()
}

fn set(places: &[Place]) -> PositionSet {
    places.iter().copied().map(square).collect()
}

/// Compares a position and a model with the oracle in everything that the documents define.
fn compare(position: &Reversi, model: &Model, oracle: &Oracle) {
    assert_eq!(position.to_string(), oracle.text());
    let symbol = |player: Player| if player == Player::Neither { '-' } else { player.symbol() };
    assert_eq!(symbol(model.turn()), oracle.next);
    assert_eq!(model.winner().symbol(), oracle.winner());
    assert_eq!(model.is_game_over(), oracle.next == '-');
    let moves = oracle.moves();
    assert_eq!(position.legal(), set(&moves.iter().map(|m| m.0).collect::<Vec<_>>()));
    assert_eq!(model.next_moves().len(), moves.len());
    for (place, gained) in &moves {
        assert_eq!(position.gains(square(*place)), set(gained));
        let found = model.find_move(square(*place));
        assert_eq!(found, Some(Move { first: square(*place), second: set(gained) }));
    }
    let board = model.board();
    for (y, row) in oracle.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            assert_eq!(board.get(square((x, y))).map(Player::symbol), Some(*cell));
            assert_eq!(model.get(square((x, y))).map(Player::symbol), Some(*cell));
        }
    }
    for player in [Player::Dark, Player::Light, Player::Neither] {
        assert_eq!(board.count_player(player), oracle.count(player.symbol()));
    }
    let drawn: String = oracle.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    assert_eq!(position.drawing(), drawn);
    assert_eq!(board.to_string(), drawn);
}

#[test]
fn every_size_is_what_the_oracle_plays() {
    for width in 2..=8 {
        for height in 2..=8 {
            for game in 0..12 {
                let mut rng = Rng::for_game(2, game);
                let mut position = Reversi::new(width, height).unwrap();
                let mut model = Model::new(width, height).unwrap();
                let mut oracle = Oracle::new(width, height);
                loop {
                    compare(&position, &model, &oracle);
                    let Some(m) = position.moves().choose(&mut rng) else { break };
                    position.play(m).unwrap();
                    model.play_move(m).unwrap();
                    oracle.play((m.x(), m.y()));
                }
            }
        }
    }
}

#[test]
fn games_of_the_vectors() {
    let vectors = vectors("reversi");
    let games = list(&vectors["games"]);
    assert_eq!(games.len(), 250);
    let place = |value: &serde_json::Value| square((number(&value[0]), number(&value[1])));
    for game in games {
        let mut model = Model::new(number(&game["width"]), number(&game["height"])).unwrap();
        for ply in list(&game["plies"]) {
            let turn = if text(&ply["turn"]) == "dark" { Player::Dark } else { Player::Light };
            assert_eq!(model.turn(), turn);
            let moves = list(&ply["moves"]);
            assert_eq!(model.next_moves().len(), moves.len());
            for entry in moves {
                let gained: PositionSet = list(&entry[1]).iter().map(place).collect();
                let found = model.find_move(place(&entry[0])).unwrap();
                assert_eq!(found.second, gained);
                // Both orders are by column, then row.
                assert!(gained.iter().eq(list(&entry[1]).iter().map(place)));
            }
            model.play_move(place(&ply["played"])).unwrap();
            let counts = [Player::Dark, Player::Light].map(|player| model.board().count_player(player));
            assert_eq!(counts, [number(&ply["counts"][0]), number(&ply["counts"][1])]);
        }
        assert!(model.is_game_over());
        let winner = match text(&game["winner"]) {
            "dark" => Player::Dark,
            "light" => Player::Light,
            _ => Player::Neither,
        };
        assert_eq!(model.winner(), winner);
        let rows: String =
            list(&game["final"]).iter().map(|row| text(row).replace('.', "_") + "\n").collect();
        assert_eq!(model.board().to_string(), rows);
    }
}

/// Counts the complete games from a position: dark wins, light wins, ties.
fn complete_games(position: &Reversi) -> [u64; 3] {
    match position.outcome() {
        Some(outcome) => {
            [0, 1, 2].map(|i| u64::from(i == outcome.winner().map_or(2, |player| player.index())))
        }
        None => position.moves().fold([0; 3], |sum, m| {
            let more = complete_games(&position.after(m).unwrap());
            [sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]]
        }),
    }
}

#[test]
fn complete_games_are_the_known_numbers() {
    for (width, height, expected) in [
        (2, 2, [0, 0, 24]),
        (2, 3, [8, 8, 16]),
        (3, 3, [144, 176, 0]),
        (2, 4, [0, 0, 40]),
        (3, 4, [2432, 2784, 152]),
        (2, 8, [0, 0, 40]),
        (4, 4, [782_528, 631_840, 139_968]),
    ] {
        assert_eq!(complete_games(&Reversi::new(width, height).unwrap()), expected);
        assert_eq!(complete_games(&Reversi::new(height, width).unwrap()), expected);
    }
}

#[test]
fn position_sets_have_the_full_algebra() {
    let a = set(&[(0, 7), (2, 3), (5, 5)]);
    let b = set(&[(2, 3), (7, 0)]);
    assert_eq!(a & b, set(&[(2, 3)]));
    assert_eq!(a | b, set(&[(0, 7), (2, 3), (5, 5), (7, 0)]));
    assert_eq!(a ^ b, set(&[(0, 7), (5, 5), (7, 0)]));
    assert_eq!(a - b, a & !b);
    assert_eq!(!PositionSet::EMPTY, PositionSet::from_bits(!0));
    let mut c = a;
    c &= b;
    c |= a;
    c ^= b;
    c -= set(&[(7, 0)]);
    assert_eq!(c, set(&[(0, 7), (5, 5)]));
    assert!(c.is_subset(a) && !a.is_subset(c));
    c.insert(square((1, 1)));
    c.remove(square((0, 7)));
    c.set(square((5, 5)), true);
    assert_eq!((c.is_empty(), c.to_string().as_str()), (false, "{{1, 1}, {5, 5}}"));
    c.clear();
    assert_eq!((c.is_empty(), c.len(), c.to_string().as_str()), (true, 0, "{}"));
    assert_eq!(set(&[(2, 3), (0, 7)]).to_string(), "{{0, 7}, {2, 3}}");
    assert_eq!(set(&[(0, 0), (0, 7)]).bits(), 1 | 1 << 56);
    c.extend([square((3, 4)), square((3, 2))]);
    assert!(c.iter().eq([square((3, 2)), square((3, 4))]));
    assert_eq!((c.iter().len(), c.iter().size_hint()), (2, (2, Some(2))));
    assert!(!c.contains(square((4, 3))) && c.contains(square((3, 4))));
    let m = Move { first: square((2, 6)), second: set(&[(2, 4), (2, 5), (2, 6)]) };
    assert_eq!(m.to_string(), "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}");
}

#[test]
fn boards_are_maps_from_squares_to_players() {
    let mut board = Board::new(3, 2).unwrap();
    assert_eq!(board.dimensions(), (3, 2));
    assert_eq!(board.all_positions().len(), 6);
    assert_eq!(board.center_positions(), set(&[(0, 0), (0, 1), (1, 0), (1, 1)]));
    let centre = Board::new(8, 5).unwrap().center_positions();
    assert_eq!(centre, set(&[(3, 1), (3, 2), (4, 1), (4, 2)]));
    board.set_all(set(&[(0, 0), (2, 1)]), Player::Dark).unwrap();
    board.set(square((2, 1)), Player::Light).unwrap();
    assert_eq!(board.to_string(), "D__\n__L\n");
    assert_eq!(board.get(square((3, 0))), None);
    let error = board.set_all(set(&[(1, 1), (0, 2)]), Player::Dark).unwrap_err();
    assert_eq!((error.name(), error.given()), ("square", "a3"));
    assert_eq!(error.to_string(), "invalid square \"a3\": expected a square of the 3 by 2 board");
    assert_eq!(board.to_string(), "D__\n__L\n");
    board.set(square((0, 0)), Player::Neither).unwrap();
    assert_eq!(board.positions(Player::Neither).len(), 5);
    let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))).filter(|&step| step != (0, 0));
    assert!(Board::all_directions().into_iter().eq(around));
    assert_eq!(
        [Player::Dark, Player::Light, Player::Neither].map(Player::other),
        [Player::Light, Player::Dark, Player::Neither]
    );
    assert_eq!(format!("{}{}{}", Player::Dark, Player::Light, Player::Neither), "DL_");
    for (width, height) in [(1, 8), (8, 1), (9, 8), (8, 9), (0, 0), (usize::MAX, 8)] {
        let errors = [
            Board::new(width, height).unwrap_err(),
            Reversi::new(width, height).unwrap_err(),
            Model::new(width, height).unwrap_err(),
        ];
        let (name, given) = if (2..=8).contains(&width) { ("height", height) } else { ("width", width) };
        assert!(errors.iter().all(|error| *error == ArgumentError::new(name, given, "2 to 8")), "{errors:?}");
        assert!(errors.iter().all(|error| error.to_string().ends_with("expected 2 to 8")), "{errors:?}");
    }
}

/// The helpers that the document suggests, on positions of games and on its Figure 3.
#[test]
fn boards_are_searched_for_flips() {
    let mut board = Board::new(8, 8).unwrap();
    board.set(square((2, 2)), Player::Dark).unwrap();
    board.set(square((2, 3)), Player::Light).unwrap();
    assert_eq!(board.find_flips(square((2, 4)), (0, 1), Player::Dark), Ok(PositionSet::EMPTY));
    assert_eq!(board.find_flips(square((2, 4)), (0, -1), Player::Dark), Ok(set(&[(2, 3)])));
    assert_eq!(board.evaluate_position(square((2, 4)), Player::Dark), Ok(set(&[(2, 3), (2, 4)])));
    assert_eq!(board.evaluate_position(square((2, 4)), Player::Light), Ok(PositionSet::EMPTY));
    assert_eq!(board.evaluate_position(square((2, 2)), Player::Light), Ok(PositionSet::EMPTY));

    for (width, height, seed) in [(8, 8, 1), (7, 4, 2), (2, 8, 3), (5, 5, 4)] {
        let mut model = Model::new(width, height).unwrap();
        let mut random = Rng::new(seed);
        while !model.is_game_over() {
            let board = *model.board();
            if (board.center_positions() & board.positions(Player::Neither)).is_empty() {
                for at in board.all_positions() {
                    let gained = model.find_move(at).map_or(PositionSet::EMPTY, |found| found.second);
                    assert_eq!(board.evaluate_position(at, model.turn()), Ok(gained));
                    let each = Board::all_directions().map(|step| board.find_flips(at, step, model.turn()));
                    let union = each.into_iter().fold(PositionSet::EMPTY, |all, line| all | line.unwrap());
                    assert!(
                        board.get(at) != Some(Player::Neither) || union == gained - set(&[(at.x(), at.y())])
                    );
                }
            }
            let moves: Vec<Square> = model.next_moves().keys().copied().collect();
            model.play_move(moves[random.below(moves.len())]).unwrap();
        }
    }
}

#[test]
fn illegal_moves_of_a_model_name_their_fault() {
    let mut model = Model::default();
    let fault = |model: &mut Model, place| {
        let error = model.play_move(square(place)).unwrap_err().reason();
        error.split_once("; the legal moves are ").map(|(fault, _)| fault.to_owned()).unwrap_or(error)
    };
    assert_eq!(fault(&mut model, (0, 0)), "the opening is played on the centre squares");
    for place in [(3, 3), (4, 3), (4, 4), (3, 4)] {
        model.play_move(square(place)).unwrap();
        assert_eq!(fault(&mut model, place), format!("{} is occupied", square(place)));
    }
    assert_eq!(fault(&mut model, (0, 0)), "a1 captures nothing");
    let mut small = Model::new(2, 3).unwrap();
    assert_eq!(fault(&mut small, (2, 0)), "c1 is off the board");
    assert_eq!(fault(&mut small, (7, 7)), "h8 is off the board");
}

#[test]
fn illegal_moves_change_nothing() {
    let mut model = Model::default();
    let before = model.clone();
    for place in [(0, 0), (7, 7), (2, 3)] {
        assert_eq!(model.find_move(square(place)), None);
        let error = model.play_move(square(place)).unwrap_err().to_string();
        assert!(error.ends_with("the legal moves are d4 e4 d5 e5"), "{error}");
        assert_eq!(model, before);
    }
    let mut small = Model::new(2, 2).unwrap();
    assert_eq!(small.find_move(square((5, 5))), None);
    let position = Reversi::new(4, 3).unwrap();
    assert_eq!(position.players(), ["dark", "light"]);
    let actions = [(3, 2), (4, 0), (0, 3)].map(|place| position.action(&square(place)));
    assert_eq!(actions, [Some(11), None, None]);
    for place in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        small.play_move(square(place)).unwrap();
    }
    assert!(small.is_game_over());
    assert_eq!((small.turn(), small.winner()), (Player::Neither, Player::Neither));
    let error = small.play_move(square((0, 0))).unwrap_err().to_string();
    assert_eq!(error, "illegal move \"a1\" in reversi \"DD/LL -\": the game is over");
}

#[test]
fn texts_that_no_game_can_have_are_errors() {
    for (text, expected) in [
        ("", "such as ____/_DL_/_LD_/____ D"),
        ("____/____", "such as"),
        ("____/____ d", "D, L or -"),
        ("____/____ D ", "D, L or -"),
        ("____/___ D", "rows of equal length"),
        ("____ D", "2 to 8 rows of 2 to 8 cells"),
        ("_________/_________ D", "2 to 8 rows"),
        ("_/_ D", "2 to 8 rows"),
        ("____/_xL_/_LD_/____ D", "cells D, L or _"),
        ("____/_éL_/_LD_/____ D", "rows of equal length"),
        ("____/_D__/____/____ D", "D to move in the opening when both have equally many tiles, else L"),
        ("____/____/____/____ L", "D to move in the opening"),
        ("____/____/____/____ -", "D to move in the opening"),
        ("____/_L__/____/____ D", "numbers of D and L"),
        ("____/_DD_/____/____ L", "numbers of D and L"),
        ("D___/_DL_/____/____ D", "no tile outside the four centre squares"),
        ("____/_DL_/_LD_/____ -", "D or L to move, since the game is not over"),
        ("DL/LD D", "- for the player to move, since the game is over"),
        ("____/_DL_/_LD_/____ D", ""),
        ("_____/_DDD_/_DLL_/_____ D", ""),
        ("____/_DD_/_DD_/____ D", "- for the player to move"),
        ("_DDD/DDDL/_DDD/____ D", "a player to move who has a move"),
    ] {
        match text.parse::<Reversi>() {
            Ok(position) => assert!(expected.is_empty(), "{position:?}"),
            Err(error) => {
                let error = error.to_string();
                assert!(!expected.is_empty() && error.contains(expected), "{text}: {error}");
            }
        }
    }
    let board = Board::new(4, 4).unwrap();
    let error = Reversi::from_board(&board, None).unwrap_err();
    assert_eq!((error.name(), error.given()), ("reversi position", "____/____/____/____ -"));
    let error = error.to_string();
    assert!(
        error.starts_with("invalid reversi position \"____/____/____/____ -\": expected D to move"),
        "{error}"
    );
    assert!(std::mem::size_of::<Reversi>() <= 24);
}

/// Every endgame of the FFO suite parses, and its legal moves are those with a published score.
#[test]
fn endgame_positions_have_the_published_moves() {
    let file = include_str!("data/ffo.txt");
    let mut count = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let [_, position, scores] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position: Reversi = position.parse().unwrap();
        let mut moves: Vec<&str> = scores.split(' ').map(|entry| entry.split('=').next().unwrap()).collect();
        moves.sort();
        let mut legal: Vec<String> = position.moves().map(|m| m.to_string()).collect();
        legal.sort();
        assert_eq!(legal, moves, "{line}");
        count += 1;
    }
    assert_eq!(count, 15);
}

proptest! {
    #[test]
    fn no_text_panics(text in ".*", likely in "[DL_/]{0,70} [DL-]") {
        for text in [text, likely] {
            let _ = text.parse::<Square>();
            if let Ok(position) = text.parse::<Reversi>() {
                prop_assert_eq!(position.to_string(), text);
            }
        }
    }

    /// Random boards whose centre is full are played to the end as the oracle plays them.
    #[test]
    fn any_board_is_what_the_oracle_plays(width in 2..9usize, height in 2..9usize, cells in "[DL_]{64}", seed: u64) {
        let mut rows: Vec<Vec<char>> = (0..height).map(|y| cells[8 * y..8 * y + width].chars().collect()).collect();
        for (x, y) in [(1, 1), (1, 0), (0, 1), (0, 0)] {
            let cell = &mut rows[height / 2 - y][width / 2 - x];
            *cell = if *cell == '_' { 'D' } else { *cell };
        }
        let mut oracle = Oracle { rows, next: 'D' };
        if oracle.moves().is_empty() {
            oracle.next = if oracle.moves_of('L').is_empty() { '-' } else { 'L' };
        }
        let mut position: Reversi = oracle.text().parse().unwrap();
        let mut rng = Rng::new(seed);
        loop {
            compare(&position, &Model::from(position), &oracle);
            let Some(m) = position.moves().choose(&mut rng) else { break };
            position.play(m).unwrap();
            oracle.play((m.x(), m.y()));
        }
    }
}

/// The estimate knows the player to move and the opponent, not dark and light.
#[test]
fn estimates_are_the_same_with_the_colours_exchanged() {
    for (width, height) in [(8, 8), (6, 6), (5, 7)] {
        for game in 0..20 {
            let mut rng = Rng::for_game(18, game);
            let mut position = Reversi::new(width, height).unwrap();
            // Dark always begins: there are no such pairs in the opening.
            for _ in 0..4 {
                let m = position.moves().choose(&mut rng).unwrap();
                position.play_unchecked(m);
            }
            while let Some(m) = position.moves().choose(&mut rng) {
                let exchange = |c: char| match c {
                    'D' => 'L',
                    'L' => 'D',
                    other => other,
                };
                let exchanged: Reversi =
                    position.to_string().chars().map(exchange).collect::<String>().parse().unwrap();
                assert_eq!(exchanged.estimate(), position.estimate(), "{position}");
                position.play_unchecked(m);
            }
        }
    }
}

/// Whatever the search is doing when it has searched as many nodes as it may, it searches no more.
#[test]
fn limits_of_nodes_are_exact() {
    for (width, height) in [(8, 8), (6, 6), (4, 5)] {
        for game in 0..8 {
            let mut rng = Rng::for_game(19, game);
            let mut position = Reversi::new(width, height).unwrap();
            let plies = width * height - 6 - 2 * game as usize;
            for _ in 0..plies.min(if game % 4 == 3 { 2 } else { plies }) {
                let Some(m) = position.moves().choose(&mut rng) else { break };
                position.play_unchecked(m);
            }
            for limit in [1, 2, 3, 10, 100, 1000, 3000, 20_000, 150_000] {
                let node_limit = Some(limit);
                let Ok(analysis) = position.analyse(&AnalysisOptions { node_limit, ..Default::default() })
                else {
                    break;
                };
                assert!(analysis.nodes <= limit, "{position}: {} of {limit}", analysis.nodes);
                assert!(position.is_legal(analysis.best()));
                let solution = position.solve(&SolveOptions { node_limit, ..Default::default() }).unwrap();
                assert!(solution.nodes <= limit, "{position}: {} of {limit} to solve", solution.nodes);
                // What the search knows is true.
                if let (true, Some(value)) = (solution.exact, analysis.lines[0].value) {
                    assert_eq!(value, solution.value, "{position}");
                }
            }
        }
    }
}
