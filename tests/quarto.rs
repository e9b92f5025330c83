//! Quarto against its document, its vectors and its oracle.

mod common;
#[path = "quarto/document.rs"]
mod document;
#[path = "oracle/quarto.rs"]
mod oracle;

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, ErrorKind, Read};

use common::vectors;
use petteia::any::{AnyPosition, Game};
use petteia::prelude::*;
use petteia::quarto::{
    Board, GlibcRand, HumanPlayer, Move, MyopicPlayer, Piece, Pool, QuartoPlayer, Seat, Square, play,
};
use petteia::{Bot, Quarto, Record, Rng};
use proptest::prelude::*;
use serde_json::Value;

/// Returns one of the lists of the vectors.
fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn outcome_of(winner: &Value) -> Outcome {
    match winner.as_u64().unwrap() {
        0 => Outcome::Draw,
        1 => Outcome::Win(Player::First),
        _ => Outcome::Win(Player::Second),
    }
}

fn pieces(mask: u16) -> Vec<String> {
    Piece::ALL.iter().filter(|piece| mask >> piece.index() & 1 == 1).map(ToString::to_string).collect()
}

fn squares(mask: u16) -> Vec<String> {
    Square::ALL.iter().filter(|square| mask >> square.index() & 1 == 1).map(ToString::to_string).collect()
}

fn piece(code: &str) -> Piece {
    code.parse().unwrap()
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn position(text: &str) -> Quarto {
    text.parse().unwrap()
}

fn record(moves: &str) -> Record<Quarto> {
    format!("quarto: {moves}").parse().unwrap()
}

/// Plays a random game and returns all its positions.
fn random_game(rng: &mut Rng) -> Vec<Quarto> {
    let mut positions = vec![Quarto::new()];
    let mut game = Quarto::new();
    while !game.is_over() {
        let mut moves = game.moves();
        let chosen = rng.below(moves.len());
        game.play(moves.nth(chosen).unwrap()).unwrap();
        positions.push(game);
    }
    positions
}

fn run(seats: &str, seed: u32, input: impl io::BufRead) -> (io::Result<Outcome>, String) {
    let mut output = Vec::new();
    let seats = [0, 1].map(|i| seats[i..=i].parse().unwrap());
    let outcome = play(seats, seed, input, &mut output);
    (outcome, String::from_utf8(output).unwrap())
}

// ---------------------------------------------------------------- the vectors

#[test]
fn recorded_games_are_played_alike() {
    let vectors = vectors("quarto");
    for game in list(&vectors, "games") {
        let mut position = Quarto::new();
        let (mut board, mut pool) = (Board::new(), Pool::new());
        for turn in list(game, "turns") {
            let (code, name) = (turn[0].as_str().unwrap(), turn[1].as_str().unwrap());
            assert_eq!(position.outcome(), None);
            assert_eq!(pieces(position.bad_pieces()), strings(&turn[3]));
            position.play(code.parse().unwrap()).unwrap();
            assert_eq!(squares(position.winning_squares_for(piece(code))), strings(&turn[2]));

            let chosen = pool.get_unused_piece_by_code(code).unwrap();
            let place = board.get_empty_square_by_name(name).unwrap();
            let winning =
                Square::ALL.into_iter().filter(|&sq| board.is_empty(sq) && board.is_winning(chosen, sq));
            assert_eq!(winning.map(|sq| sq.to_string()).collect::<Vec<_>>(), strings(&turn[2]));
            board.place(chosen, place, &mut pool);
            let wins = strings(&turn[2]).iter().any(|square| square == name);
            assert_eq!(board.is_winning(chosen, place), wins);

            position.play(name.parse().unwrap()).unwrap();
            assert_eq!(position.board(), board);
            assert_eq!(position.pool(), pool);
            assert_eq!(matches!(position.outcome(), Some(Outcome::Win(_))), wins);
        }
        assert_eq!(position.outcome(), Some(outcome_of(&game["winner"])));
        assert_eq!(position.drawing(), game["board"].as_str().unwrap());
        assert_eq!(position.pool().to_string(), game["pool"].as_str().unwrap());
    }
}

#[test]
fn driver_prints_every_byte() {
    let vectors = vectors("quarto");
    for game in list(&vectors, "myopic").iter().chain(list(&vectors, "mixed")) {
        let seed = game["seed"].as_u64().unwrap() as u32;
        let (seats, input) = (game["players"].as_str().unwrap_or("mm"), game["stdin"].as_str().unwrap_or(""));
        // Reading in pieces of three bytes must make no difference.
        for input in [BufReader::new(input.as_bytes()), BufReader::with_capacity(3, input.as_bytes())] {
            let (outcome, output) = run(seats, seed, input);
            assert_eq!(output, game["stdout"].as_str().unwrap(), "{seats} {seed}");
            assert_eq!(outcome.unwrap(), outcome_of(&game["winner"]));
        }
    }
}

#[test]
fn driver_plays_the_moves_of_computer_players() {
    for (seed, bot) in [(1, Bot::Random), (2, Bot::Random), (3, Bot::Mcts(20))] {
        let mut output = Vec::new();
        let outcome = play([Seat::Computer(bot); 2], seed, io::empty(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        // What was selected is a game: a piece and a square in turns.
        let moves: Vec<&str> = output.lines().filter_map(|line| line.strip_suffix(" selected.")).collect();
        let record: Record<Quarto> = format!("quarto: {}", moves.join(" ")).parse().unwrap();
        assert_eq!(record.last().outcome(), Some(outcome), "{output}");
    }
}

#[test]
fn random_numbers_are_those_of_the_c_library() {
    for stream in list(&vectors("quarto"), "rand") {
        let mut rand = GlibcRand::new(stream["seed"].as_u64().unwrap() as u32);
        for value in list(stream, "values") {
            assert_eq!(u64::from(rand.rand()), value.as_u64().unwrap(), "seed {}", stream["seed"]);
        }
    }
    assert_eq!(GlibcRand::new(0), GlibcRand::new(1));
}

// ---------------------------------------------------------------- the facts

/// Plays the myopic player against itself and returns the record and the outcome.
fn myopic_game(seed: u32) -> (String, Outcome) {
    let mut player = MyopicPlayer::new(seed);
    let (mut board, mut pool) = (Board::new(), Pool::new());
    let mut record = Record::new(Quarto::new());
    while !record.last().is_over() {
        let piece = player.select_piece(&board, &pool).unwrap();
        let square = player.select_square(&board, &pool, piece).unwrap();
        board.place(piece, square, &mut pool);
        record.play(Move::Select(piece)).unwrap();
        record.play(Move::Place(square)).unwrap();
    }
    (record.to_string(), record.last().outcome().unwrap())
}

#[test]
fn myopic_seeds_end_as_told() {
    let ends = (0..=400).map(|seed| (seed, myopic_game(seed).1));
    let mut wins = [0; 2];
    for (seed, outcome) in ends {
        match outcome.winner() {
            Some(player) => wins[player.index()] += 1,
            None => assert_eq!(seed, 332),
        }
    }
    assert_eq!(wins, [198, 202]);
    let game = "quarto: SECO A3 TECO A1 SBCH D4 SEQH C2 TBCH D3 SBCO D2 TEQH C3 SEQO B2 TEQO C1 SBQO A2";
    assert_eq!(myopic_game(2019), (game.to_owned(), Outcome::Win(Player::First)));
    let game = "quarto: SEQO B3 TECO C4 SBCO A4 TEQO B1 TBQO A2 TBQH D1 SBCH D4 TEQH C1 SEQH A1";
    assert_eq!(myopic_game(0), (game.to_owned(), Outcome::Win(Player::Second)));
    assert_eq!(myopic_game(1), myopic_game(0));
    assert_eq!(run("mm", 2019, io::empty()).1.len(), 5582);
}

#[test]
fn drawn_game_is_a_draw() {
    let moves = "SBCH A1 SBCO A2 TBCH A3 TEQO A4 SBQH B1 SBQO B2 SEQH B3 TBCO B4 \
                 SECH C1 TECO C2 TBQH C3 SEQO C4 TBQO D1 TECH D2 SECO D3 TEQH D4";
    let end = *record(moves).last();
    assert_eq!(end.outcome(), Some(Outcome::Draw));
    assert_eq!(end.turn(), None);
    assert_eq!(end.moves().len(), 0);
    assert_eq!(end.to_string(), "018f/2369/4da7/bc5e - -");
    assert_eq!(end.winning_squares().len(), 0);
    assert_eq!((end.bad_pieces(), end.winning_squares_for(Piece::default())), (0, 0));
    assert_eq!(end.pool().to_string(), "");
    let (outcome, output) = run("hh", 0, moves.as_bytes());
    assert_eq!(outcome.unwrap(), Outcome::Draw);
    assert!(output.ends_with(
        "d | TB | TE | SE | TE |\n  | QO | CH | CO | QH |\n  +----+----+----+----+\n\n\nIt is a draw.\n"
    ));
}

#[test]
fn human_dialogue_is_the_documents() {
    let words = "ABCD sbch SBC SBCHH A1 SBCH C5D c1 A0 A5 E1 A1\n\nSBCH\tSBCO A1 B4";
    let (outcome, output) = run("hh", 0, words.as_bytes());
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::UnexpectedEof);
    let asked = "Player 1's turn to select a piece:\n\
                 Enter a piece:ABCD is an invalid input.\n\
                 Enter a piece:sbch is an invalid input.\n\
                 Enter a piece:SBC is an invalid input.\n\
                 Enter a piece:SBCHH is an invalid input.\n\
                 Enter a piece:A1 is an invalid input.\n\
                 Enter a piece:SBCH selected.\n\n\
                 Player 2's turn to select a square:\n\
                 Enter a position:C5D is an invalid input.\n\
                 Enter a position:c1 is an invalid input.\n\
                 Enter a position:A0 is an invalid input.\n\
                 Enter a position:A5 is an invalid input.\n\
                 Enter a position:E1 is an invalid input.\n\
                 Enter a position:A1 selected.\n\n";
    assert!(output.contains(asked), "{output}");
    let asked = "Player 2's turn to select a piece:\n\
                 Enter a piece:SBCH is already used.\n\
                 Enter a piece:SBCO selected.\n\n\
                 Player 1's turn to select a square:\n\
                 Enter a position:A1 is not empty.\n\
                 Enter a position:B4 selected.\n\n";
    assert!(output.contains(asked), "{output}");
    assert!(output.ends_with("Player 1's turn to select a piece:\nEnter a piece:"));
}

// ---------------------------------------------------------------- the oracle

#[test]
fn every_ply_is_the_oracles() {
    let mut rng = Rng::new(4);
    for _ in 0..1500 {
        let mut oracle = oracle::Game::new();
        let mut game = Quarto::new();
        loop {
            let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
            assert_eq!(moves, oracle.moves());
            let legal =
                (0..game.num_actions()).filter(|&action| game.is_legal(&game.move_of(action).unwrap()));
            assert_eq!(legal.map(|a| game.move_of(a).unwrap().to_string()).collect::<Vec<_>>(), moves);
            assert_eq!(game.to_string(), oracle.text());
            assert_eq!(position(&game.to_string()), game);
            assert_eq!(game.drawing(), oracle.board_text());
            assert_eq!(game.caption(), game.hand().map(|piece| format!("in hand: {piece}")));
            assert_eq!(game.pool().to_string(), oracle.pool_text());
            assert_eq!(game.turn().map(|player| player.index() as u32 + 1), oracle.to_act());
            if oracle.to_act().is_none() {
                break;
            }
            assert_eq!(pieces(game.bad_pieces()), oracle.bad_pieces());
            for piece in Piece::ALL {
                let winning = oracle.winning_squares(&piece.to_string());
                assert_eq!(squares(game.winning_squares_for(piece)), winning);
            }
            let chosen = &moves[rng.below(moves.len())];
            game.play(chosen.parse().unwrap()).unwrap();
            oracle.play(chosen);
        }
        let winner = game.outcome().unwrap().winner().map(|player| player.index() as u32 + 1);
        assert_eq!(winner, oracle.winner);
        let winning = game.winning_squares().map(|sq| sq.to_string()).collect::<HashSet<_>>();
        // A won game has at least one line.
        assert_eq!(winning.len() >= 4, oracle.winner.is_some());
        for name in &winning {
            assert!(oracle.wins(&game.get(square(name)).unwrap().to_string(), name));
        }
    }
}

// ---------------------------------------------------------------- positions

#[test]
fn sequences_are_counted() {
    let counts = [1, 16, 256, 3840, 57_600, 806_400, 11_289_600, 146_764_800];
    for (depth, count) in counts.into_iter().enumerate() {
        assert_eq!(Quarto::new().perft(depth as u32), count);
    }
}

/// Visits one position per symmetry class, with the number of sequences that lead to the class.
#[test]
fn classes_are_counted_and_their_sequences_add_up() {
    let positions = [1, 2, 40, 454, 10_346, 214_800];
    let sequences: [u64; 13] = [
        1,
        16,
        256,
        3840,
        57_600,
        806_400,
        11_289_600,
        146_764_800,
        1_907_942_400,
        22_858_260_480,
        274_299_125_760,
        2_997_728_870_400,
        32_975_017_574_400,
    ];
    let mut classes = HashMap::from([(Quarto::new(), 1)]);
    for (ply, count) in sequences.into_iter().enumerate().take(11) {
        assert_eq!(classes.values().sum::<u64>(), count, "ply {ply}");
        classes.retain(|position, _| !position.is_over());
        if ply % 2 == 0 {
            assert_eq!(classes.len(), positions[ply / 2], "{} placed", ply / 2);
        }
        if ply == 10 {
            // The next two plies have eleven moves each: pieces, then squares.
            let last = classes.values().sum::<u64>();
            assert_eq!([last * 11, last * 11 * 11], sequences[11..]);
            break;
        }
        let mut next = HashMap::new();
        for (position, count) in classes {
            for m in position.moves() {
                *next.entry(position.after_unchecked(m).canonical()).or_default() += count;
            }
        }
        classes = next;
    }
}

#[test]
fn symmetries_commute_with_play() {
    let mut rng = Rng::new(5);
    let count = Quarto::new().symmetries();
    assert_eq!(count, 12_288);
    for _ in 0..200 {
        for game in random_game(&mut rng) {
            let symmetry = rng.below(count);
            let image = game.transform(symmetry);
            assert_eq!(position(&image.to_string()), image);
            assert_eq!(game.transform(0), game);
            let moves: HashSet<Move> = game.moves().map(|m| game.transform_move(symmetry, m)).collect();
            assert_eq!(moves, image.moves().collect());
            for m in game.moves() {
                let played = game.after_unchecked(m).transform(symmetry);
                assert_eq!(played, image.after_unchecked(game.transform_move(symmetry, m)));
            }
        }
    }
}

#[test]
fn canonical_form_is_the_same_throughout_each_orbit_and_in_it() {
    let mut rng = Rng::new(6);
    let mut games: Vec<Quarto> = (0..6).flat_map(|_| random_game(&mut rng)).collect();
    games.push(position("018f/2369/4da7/bc5e - -"));
    for game in games {
        let canonical = game.canonical();
        let images = (0..game.symmetries()).map(|symmetry| game.transform(symmetry));
        assert!(images.clone().all(|image| image.canonical() == canonical), "{game}");
        assert!(images.clone().any(|image| image == canonical), "{game}");
    }
}

#[test]
fn symmetries_are_all_different() {
    let game = position("0168/..3./.e../.... - 1");
    let images: HashSet<Quarto> = (0..game.symmetries()).map(|symmetry| game.transform(symmetry)).collect();
    assert_eq!(images.len(), game.symmetries());
}

#[test]
#[should_panic(expected = "12288 symmetries")]
fn there_are_no_more_symmetries() {
    Quarto::new().transform(12_288);
}

#[test]
fn position_stays_small() {
    assert_eq!(size_of::<Quarto>(), 16);
}

#[test]
fn records_and_parameters_are_read() {
    assert_eq!(AnyPosition::start(Game::Quarto, ""), Ok(Quarto::default().into()));
    assert!(AnyPosition::start(Game::Quarto, "4").is_err());
    assert_eq!(record("SBCH A1 TEQO B2").to_string(), "quarto: SBCH A1 TEQO B2");
    assert_eq!(record("SBCH A1").last().parameters(), "");
    assert_eq!(record("SBCH A1").last().players(), ["1", "2"]);
    assert!("quarto:".parse::<Record<Quarto>>().is_ok());
    for (text, error) in [
        ("quarto: SBCH SBCO", "ply 2: illegal move \"SBCO\""),
        ("quarto: A1", "ply 1: illegal move \"A1\""),
        ("quarto: SBCH A1 SBCH", "ply 3: illegal move \"SBCH\""),
        ("quarto: SBCH A1 SBCO A1", "ply 4: illegal move \"A1\""),
        ("quarto: SBCH A1 SB", "ply 3: invalid square \"SB\""),
        ("quarto 4: SBCH", "invalid quarto parameters \"4\": expected none"),
    ] {
        let message = text.parse::<Record<Quarto>>().unwrap_err().to_string();
        assert!(message.starts_with(error), "{message}");
    }
}

#[test]
fn illegal_moves_change_nothing() {
    let mut rng = Rng::new(8);
    for game in random_game(&mut rng) {
        for action in 0..32 {
            let m = game.move_of(action).unwrap();
            assert_eq!(game.action(&m), Some(action));
            assert_eq!(m.to_string().parse(), Ok(m));
            let mut played = game;
            if played.play(m).is_err() {
                assert_eq!(played, game);
            }
        }
        assert_eq!(game.move_of(32), None);
    }
}

#[test]
fn finished_positions_show_their_lines() {
    let won = position("0123/..../..../4... - -");
    assert_eq!(won.outcome(), Some(Outcome::Win(Player::Second)));
    assert_eq!(won.winning_squares().map(|sq| sq.to_string()).collect::<Vec<_>>(), ["A1", "A2", "A3", "A4"]);
    assert_eq!((won.bad_pieces(), won.winning_squares_for(piece("SBQH"))), (0, 0));
    let double = position("0123/4.../8.../c... - -");
    assert_eq!(double.winning_squares().len(), 7);
    let diagonals = position("0..1/.23./.46./8..e - -");
    assert_eq!(diagonals.winning_squares().map(|sq| sq.index()).collect::<Vec<_>>(), [0, 5, 10, 15]);
    assert_eq!(position("012./..../..../.... 3 1").winning_squares().len(), 0);
}

#[test]
fn texts_are_read_strictly() {
    for text in [
        "..../..../..../.... - 1",
        "..../..../..../.... f 2",
        "0.../..../..../.... - 2",
        "0.../..../..../.... 5 1",
        "0123/..../..../.... - -",
        "018f/2369/4da7/bc5e - -",
        "018f/2369/4da7/bc5. e 1",
    ] {
        assert_eq!(position(text).to_string(), text);
    }
    let rows = "expected four rows of four squares joined by /";
    let unit = "expected four rows, the piece in hand and the player to act";
    for (text, expected) in [
        ("", unit),
        ("0.../..../..../....", unit),
        ("0.../..../..../.... 51", unit),
        ("0.../..../..../.... 5 1 ", unit),
        ("0.../..../..../....  5 1", rows),
        (" 0.../..../..../.... 5 1", rows),
        ("0.../..../.... 5 1", rows),
        ("0...-..../..../.... 5 1", rows),
        ("0../..../..../.... 5 1", rows),
        ("0.../.../.../...... 5 1", rows),
        ("0.../../../..../.... 5 1", rows),
        ("0.../.././..../.... 5 1", "expected squares that are"),
        ("A.../..../..../.... 5 1", "expected squares that are . or a piece from 0 to f"),
        ("g.../..../..../.... 5 1", "expected squares that are . or a piece from 0 to f"),
        ("0../.../..../.../.. 5 1", rows),
        ("é../..../..../.... 5 1", "expected squares that are . or a piece from 0 to f"),
        ("00../..../..../.... 5 2", "expected each piece at most once"),
        ("0.../..../..../.... F 1", "expected - or a piece from 0 to f in hand"),
        ("0.../..../..../.... . 1", "expected - or a piece from 0 to f in hand"),
        ("0.../..../..../.... 0 1", "expected a piece in hand that is not on the board"),
        ("0.../..../..../.... 5 2", "expected the player 1, to place with 1 placed"),
        ("0.../..../..../.... - 1", "expected the player 2, to select with 1 placed"),
        ("0.../..../..../.... - -", "expected the player 2, to select with 1 placed"),
        ("0.../..../..../.... - 3", "expected the player 2, to select with 1 placed"),
        ("0123/..../..../.... - 1", "expected the player -, since the game is over"),
        ("018f/2369/4da7/bc5e - 1", "expected the player -, since the game is over"),
        ("0123/..../..../.... 4 -", "expected no piece in hand, since the game is over"),
        ("0123/4567/..../.... - -", "expected lines that all contain one piece, the last one placed"),
    ] {
        let message = text.parse::<Quarto>().unwrap_err().to_string();
        assert!(message.starts_with(&format!("invalid quarto position {text:?}: {expected}")), "{message}");
    }
}

// ---------------------------------------------------------------- any input

/// A reader that is interrupted before every byte and fails at the end.
struct Interrupted<'a>(&'a [u8], bool);

impl Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.0 {
            _ if self.1 => Err(ErrorKind::Interrupted.into()),
            [] => Err(ErrorKind::BrokenPipe.into()),
            [first, rest @ ..] => {
                buffer[0] = *first;
                self.0 = rest;
                Ok(1)
            }
        }
    }
}

#[test]
fn interruptions_are_ignored_and_failures_are_not() {
    let (outcome, output) = run("hh", 0, BufReader::new(Interrupted(b"ABCDEFG SBCH A1 ", false)));
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::BrokenPipe);
    assert!(output.contains("Enter a piece:ABCDEFG is an invalid input.\nEnter a piece:SBCH selected.\n"));
    assert!(output.ends_with("Enter a piece:"));
}

#[test]
fn huge_words_and_any_bytes_are_echoed() {
    let mut input = b"\xff\0\xc3 ".to_vec();
    input.extend(std::iter::repeat_n(b'x', 1 << 20));
    input.extend(b" SBCH");
    let mut output = Vec::new();
    let mut player = HumanPlayer::new(&input[..], &mut output);
    assert_eq!(player.select_piece(&Board::new(), &Pool::new()).unwrap(), piece("SBCH"));
    let mut expected = b"Enter a piece:\xff\0\xc3 is an invalid input.\nEnter a piece:".to_vec();
    expected.extend(&input[4..4 + (1 << 20)]);
    expected.extend(b" is an invalid input.\nEnter a piece:");
    assert!(output == expected);
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "\\PC*|[0-9a-f./]{19} [0-9a-f-] [12-]|[STBECQHO]{3,5}|[A-E][0-5]") {
        if let Ok(position) = text.parse::<Quarto>() {
            prop_assert_eq!(position.to_string(), text.clone());
        }
        if let Ok(m) = text.parse::<Move>() {
            prop_assert_eq!(m.to_string(), text.clone());
        }
        prop_assert!(AnyPosition::start(Game::Quarto, &text).is_ok() == text.is_empty());
        let _ = (text.parse::<Piece>(), text.parse::<Square>(), text.parse::<Seat>());
        let _ = (Pool::new().get_unused_piece_by_code(&text), Board::new().get_empty_square_by_name(&text));
    }

    #[test]
    fn boards_with_a_change_are_read_or_refused(seed: u64, place in 0usize..23, byte in "[0-9a-f./ 12-]") {
        let games = random_game(&mut Rng::new(seed));
        let mut text = games[seed as usize % games.len()].to_string();
        text.replace_range(place..=place, &byte);
        if let Ok(position) = text.parse::<Quarto>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn any_bytes_end_a_dialogue(
        bytes: Vec<u8>,
        words in "([STBECQHO]{4} |[A-D][1-4]\\n|x){0,80}",
        seats in "[hm]{2}",
        seed: u32,
    ) {
        let input = [words.as_bytes(), b"\t", &bytes].concat();
        let seats = [0, 1].map(|i| seats[i..=i].parse().unwrap());
        let mut outputs = [Vec::new(), Vec::new()];
        let whole = play(seats, seed, &input[..], &mut outputs[0]);
        let pieces = play(seats, seed, BufReader::with_capacity(1, &input[..]), &mut outputs[1]);
        prop_assert_eq!(whole.as_ref().ok(), pieces.as_ref().ok());
        prop_assert_eq!(&outputs[0], &outputs[1]);
        if let Err(error) = whole {
            prop_assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        }
    }
}
