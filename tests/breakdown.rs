//! Breakdown against its vectors, the document's examples and an oracle, and bitboards against boards of cells.

mod common;
#[path = "oracle/breakdown.rs"]
mod oracle;

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use common::{list, vectors};
use oracle::Oracle;
use petteia::any::AnyPosition;
use petteia::breakdown::{
    AnyBoard, BitsBoard, Board, BoardError, Cell, Game, GameOutcome, Kind, MatrixBoard, Move, Pos, Turn,
    rules,
};
use petteia::prelude::*;
use petteia::{ArgumentError, Breakdown, Record, RecordError, Rng, SetupError, Tally};
use proptest::prelude::*;
use serde_json::Value;

/// Parses the parameters of a game and returns its start.
fn start(words: &str) -> Result<AnyPosition, RecordError> {
    AnyPosition::start(petteia::any::Game::Breakdown, words)
}

fn num(value: &Value) -> u32 {
    value.as_u64().unwrap() as u32
}

/// Reads a move of the vectors.
fn move_of(value: &Value) -> Move {
    match (value[0].as_str(), &value[1]) {
        (Some("|"), column) => Move::Vertical(num(column)),
        (Some("-"), column) => Move::Horizontal(num(column)),
        _ => {
            assert_eq!(value, "!");
            Move::Breakdown
        }
    }
}

fn outcome_of(value: &Value) -> GameOutcome {
    match value.as_str().unwrap() {
        "black_win" => GameOutcome::BlackWin,
        "white_win" => GameOutcome::WhiteWin,
        "draw" => GameOutcome::Draw,
        _ => GameOutcome::InProgress,
    }
}

/// Returns the outcome of a position as the document's type.
fn outcome(position: &Breakdown) -> GameOutcome {
    match position.outcome() {
        None => GameOutcome::InProgress,
        Some(Outcome::Draw) => GameOutcome::Draw,
        Some(Outcome::Win(Player::First)) => GameOutcome::BlackWin,
        Some(Outcome::Win(Player::Second)) => GameOutcome::WhiteWin,
    }
}

/// The same game in all three implementations, kept in step.
struct Side {
    matrix: Game,
    bits: Game,
    position: Breakdown,
}

impl Side {
    fn new([width, height, stick, square]: [u32; 4]) -> Self {
        Side {
            matrix: Game::new(stick, square, width, height, Kind::Matrix).unwrap(),
            bits: Game::new(stick, square, width, height, Kind::Bits).unwrap(),
            position: Breakdown::new(width, height, stick, square).unwrap(),
        }
    }

    /// Plays a move in all three and returns whether it was legal.
    fn play(&mut self, m: Move) -> bool {
        let legal = self.position.is_legal(&m);
        assert_eq!(self.position.play(m).is_ok(), legal);
        for game in [&mut self.matrix, &mut self.bits] {
            let next = game.next;
            let done = match m {
                Move::Vertical(column) => game.drop_stick(column, true),
                Move::Horizontal(column) => game.drop_stick(column, false),
                Move::Breakdown => {
                    game.breakdown();
                    true
                }
            };
            assert_eq!(done, legal, "{m}");
            assert_eq!(game.next, next);
            if done {
                game.next = next.other();
            }
        }
        legal
    }

    fn words(&self) -> &[u32] {
        match &self.bits.board {
            AnyBoard::Bits(board) => board.words(),
            AnyBoard::Matrix(_) => unreachable!(),
        }
    }

    fn check(&self) {
        let position = &self.position;
        let text = position.to_string();
        let drawn = position.drawing();
        assert_eq!(self.matrix.board.to_string(), drawn);
        assert_eq!(self.bits.board.to_string(), drawn);
        assert_eq!(self.matrix.outcome(), outcome(position), "{text}");
        assert_eq!(self.bits.outcome(), outcome(position), "{text}");
        assert_eq!(text.parse(), Ok(position.clone()));
        assert_eq!(position.turn().is_some(), position.outcome().is_none());
        assert_eq!(position.moves().len() > 0, position.outcome().is_none());
    }
}

#[test]
fn games_of_the_vectors() {
    for game in list(&vectors("breakdown")["games"]) {
        let shape = ["w", "h", "k", "q"].map(|key| num(&game[key]));
        let mut side = Side::new(shape);
        let check = |side: &Side, outcome_value: &Value, state: &Value, prefix: &str| {
            side.check();
            assert_eq!(outcome(&side.position), outcome_of(outcome_value));
            let value = |key: &str| &state[format!("{prefix}{key}")];
            if let Some(show) = value("show").as_str() {
                assert_eq!(side.position.drawing(), show);
            }
            if let Some(bits) = value("bits").as_array() {
                assert_eq!(side.words(), bits.iter().map(num).collect::<Vec<_>>());
            }
            if let Some(legal) = value("legal").as_array() {
                let moves = side.position.moves().collect::<Vec<_>>();
                assert_eq!(moves, legal.iter().map(move_of).collect::<Vec<_>>());
            }
        };
        check(&side, &game["start_outcome"], game, "start_");
        for step in list(&game["steps"]) {
            assert_eq!(side.play(move_of(&step["m"])), step["ok"].as_bool().unwrap());
            check(&side, &step["outcome"], step, "");
            if let Some(turn) = side.position.turn() {
                assert_eq!(side.position.players()[turn.index()], step["next"]);
            }
        }
    }
}

#[test]
fn positions_of_the_vectors() {
    for case in list(&vectors("breakdown")["positions"]) {
        let rows = |key: &str| list(&case[key]).iter().map(|row| row.as_str().unwrap()).collect::<Vec<_>>();
        let (k, q) = (num(&case["k"]), num(&case["q"]));
        let over = case["outcome"] != "in_progress";
        let next = if over { "-" } else { &case["next"].as_str().unwrap()[..1] };
        let text = format!("{} {next} {k} {q}", rows("rows").join("/"));
        let position: Breakdown = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(outcome(&position), outcome_of(&case["outcome"]), "{text}");
        assert_eq!(position.drawing(), case["show"].as_str().unwrap());
        let legal = list(&case["legal"]).iter().map(move_of).collect::<Vec<_>>();
        assert_eq!(position.moves().collect::<Vec<_>>(), legal, "{text}");

        let mut board = BitsBoard::new(position.width(), position.height()).unwrap();
        for (r, row) in (0..).zip(rows("rows")) {
            for (c, symbol) in (0..).zip(row.chars()) {
                board.set(Pos::new(r, c), Cell::from_symbol(symbol).unwrap()).unwrap();
            }
        }
        let words = |key: &str| list(&case[key]).iter().map(num).collect::<Vec<_>>();
        assert_eq!(board.words(), words("bits"));
        assert_eq!(board.to_string(), position.drawing());
        assert_eq!(rules::breakdown_changes(&board), Ok(case["breakdown_changes"].as_bool().unwrap()));
        for (vertical, key) in [(true, "vertical"), (false, "horizontal")] {
            for (column, drop) in (0..).zip(list(&case["drops"][key])) {
                let (mut dropped, colour) = (board.clone(), Cell::White);
                let fits = rules::drop_stick(&mut dropped, k, column, vertical, colour).unwrap();
                assert_eq!(fits, !drop.is_null());
                for place in drop.as_array().into_iter().flatten() {
                    let pos = Pos::new(num(&place[0]), num(&place[1]));
                    assert_eq!(board.get(pos), Ok(Cell::Empty));
                    assert_eq!(dropped.get(pos), Ok(colour));
                    board_with(&mut dropped, pos, Cell::Empty);
                }
                assert_eq!(dropped, board, "only the stick has changed");
                let m = if vertical { Move::Vertical(column) } else { Move::Horizontal(column) };
                if let Ok(after) = position.after(m) {
                    for place in drop.as_array().unwrap() {
                        let cell = after.get(num(&place[0]), num(&place[1]));
                        assert_eq!(cell, Some(if next == "b" { Cell::Black } else { Cell::White }));
                    }
                }
            }
        }
        rules::breakdown(&mut board).unwrap();
        assert_eq!(board.words(), words("after_breakdown_bits"));
        let after_outcome = outcome_of(&case["after_breakdown_outcome"]);
        assert_eq!(rules::game_outcome(&board, k, q), Ok(after_outcome));
        if let Ok(after) = position.after(Move::Breakdown) {
            assert!(
                after.to_string().starts_with(&format!("{} ", rows("after_breakdown").join("/"))),
                "{text}"
            );
            assert_eq!(outcome(&after), after_outcome);
        }
    }
}

fn board_with(board: &mut impl Board, pos: Pos, cell: Cell) {
    board.set(pos, cell).unwrap();
}

#[test]
fn example_game_of_the_document() {
    let record: Record<Breakdown> = "breakdown 4 5 2 2: |0 -2 -0 -1 !".parse().unwrap();
    let boards = [
        "..../..../..../..../.... b 2 2",
        "..../..../..../*.../*... w 2 2",
        "..../..../..../*.../*.oo b 2 2",
        "..../..../**../*.../*.oo w 2 2",
        "..../.oo./**../*.../*.oo b 2 2",
        "..../..../*.../*oo./**oo w 2 2",
    ];
    assert_eq!(record.positions().map(|position| position.to_string()).collect::<Vec<_>>(), boards);
    assert_eq!(record.last().drawing(), "  0123\n\n0 ....\n1 ....\n2 *...\n3 *oo.\n4 **oo\n");
    // Another breakdown changes nothing but the turn.
    assert_eq!(record.last().after(Move::Breakdown).unwrap().to_string(), "..../..../*.../*oo./**oo b 2 2");
    assert_eq!(record.start(), &Breakdown::default());
    assert_eq!(record.to_string(), "breakdown 4 5 2 2: |0 -2 -0 -1 !");
}

#[test]
fn squares_inside_larger_regions_count() {
    // The document's picture of a black square of side 3, without the rest of the board.
    let position: Breakdown = ".****/****o/o***o/..*o. - 2 3".parse().unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Player::First)));
    let cells = position.winning_cells();
    assert_eq!(cells, (0..3).flat_map(|r| (1..4).map(move |c| Pos::new(r, c))).collect::<Vec<_>>());
    let both: Breakdown = "**oo/**oo - 2 2".parse().unwrap();
    assert_eq!(both.outcome(), Some(Outcome::Draw));
    assert_eq!(both.winning_cells().len(), 8);
}

#[test]
fn squares_do_not_wrap_around_the_edge() {
    for (text, width) in [("*..*/*..*/.... b 2 2", 4), ("*o*/*o*/*o* b 9 2", 3)] {
        let rows = text.split(' ').next().unwrap();
        // Padded with rows to a size for each of the three representations.
        for extra in [0, 15, 60] {
            let top = format!("{}/", ".".repeat(width)).repeat(extra);
            let position = format!("{top}{rows}{}", &text[rows.len()..]).parse::<Breakdown>();
            let outcome = position.map(|position| position.outcome());
            match outcome {
                Ok(outcome) => assert_eq!(outcome, None, "{text}"),
                // A full board is over, but not won.
                Err(error) => assert!(error.to_string().contains("since the game is over"), "{error}"),
            }
        }
    }
}

#[test]
fn facts() {
    let draw: Breakdown = "o*./oo*/o** - 2 2".parse().unwrap();
    assert_eq!(draw.outcome(), Some(Outcome::Draw));
    let mut game = Breakdown::new(2, 2, 2, 2).unwrap();
    game.play(Move::Vertical(0)).unwrap();
    assert_eq!(game.outcome(), None);

    let mut board = BitsBoard::new(5, 3).unwrap();
    for i in 0..15 {
        board_with(&mut board, Pos::new(i / 5, i % 5), Cell::from_code(i % 3).unwrap());
    }
    assert_eq!(board.words(), [0x2492_4924]);
    board_with(&mut board, Pos::new(0, 1), Cell::White);
    assert_eq!(board.get(Pos::new(0, 1)), Ok(Cell::White), "an occupied cell is overwritten");

    for (width, height) in [(4, 4), (1, 1), (70, 3), (12, 10)] {
        let stuck = Breakdown::new(width, height, width.max(height) + 1, 2).unwrap();
        assert_eq!(stuck.outcome(), Some(Outcome::Draw));
        assert_eq!((stuck.turn(), stuck.moves().len()), (None, 0));
        let huge = Breakdown::new(width, height, u32::MAX, u32::MAX).unwrap();
        assert_eq!(huge.outcome(), Some(Outcome::Draw));
        let game = Game::new(u32::MAX, u32::MAX, width, height, Kind::Bits).unwrap();
        assert_eq!(game.outcome(), GameOutcome::Draw);
        let unwinnable = Breakdown::new(width, height, 1, u32::MAX).unwrap();
        assert_eq!(unwinnable.outcome(), None);
        assert_eq!(unwinnable.playouts(0..10, 1).draws, 10);
    }
    let single = Breakdown::new(1, 1, 1, 1).unwrap();
    assert_eq!(single.after(Move::Horizontal(0)).unwrap().to_string(), "* - 1 1");
}

#[test]
fn labels_run_out_at_62() {
    let board = MatrixBoard::new(64, 64).unwrap().to_string();
    let header = "  0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz??";
    let lines = board.lines().collect::<Vec<_>>();
    assert_eq!(lines[..2], [header, ""]);
    let labels = lines[2..].iter().map(|line| &line[..2]).collect::<String>();
    assert_eq!(labels.replace(' ', ""), header.trim_start());
    assert_eq!(board, Breakdown::new(64, 64, 2, 2).unwrap().drawing());
}

#[test]
fn drops_off_the_board_are_refused() {
    for kind in [Kind::Matrix, Kind::Bits] {
        let mut game = Game::new(2, 2, 4, 5, kind).unwrap();
        let before = game.clone();
        for (column, vertical) in
            [(4, true), (u32::MAX, true), (3, false), (4, false), (u32::MAX, false), (u32::MAX - 1, false)]
        {
            assert!(!game.drop_stick(column, vertical), "{column}");
        }
        assert_eq!(game, before);
        for pos in [Pos::new(5, 0), Pos::new(0, 4), Pos::new(u32::MAX, u32::MAX)] {
            let error = BoardError::OffBoard { pos, width: 4, height: 5 };
            assert_eq!(game.board.get(pos), Err(error));
            assert_eq!(game.board.set(pos, Cell::Black), Err(error));
            let message = format!(
                "no cell at row {}, column {}: expected a row below 5 and a column below 4",
                pos.r, pos.c
            );
            assert_eq!(error.to_string(), message);
        }
        assert_eq!(game, before);
    }
    for shape in [[4, 5, 2, 2], [10, 10, 3, 3], [20, 20, 3, 3]] {
        let [width, height, stick, square] = shape;
        let mut position = Breakdown::new(width, height, stick, square).unwrap();
        let before = position.clone();
        for column in [width - 1, width, 64, 128, u32::MAX] {
            assert!(position.play(Move::Horizontal(column)).is_err());
            assert!(column < width || position.play(Move::Vertical(column)).is_err());
        }
        assert_eq!(position, before);
        assert_eq!((before.get(0, width), before.get(height, 0)), (None, None));
    }
}

/// A board with one invalid cell.
struct Spoilt(MatrixBoard, Pos);

impl Board for Spoilt {
    fn width(&self) -> u32 {
        self.0.width()
    }

    fn height(&self) -> u32 {
        self.0.height()
    }

    fn get(&self, pos: Pos) -> Result<Cell, BoardError> {
        if pos == self.1 { Err(BoardError::BadCell { pos, code: 3 }) } else { self.0.get(pos) }
    }

    fn set(&mut self, pos: Pos, cell: Cell) -> Result<(), BoardError> {
        self.0.set(pos, cell)
    }
}

#[test]
fn a_bad_cell_is_an_error_with_nothing_changed() {
    let mut board = MatrixBoard::new(3, 3).unwrap();
    board.set(Pos::new(0, 0), Cell::Black).unwrap();
    for (r, c) in [(0, 2), (1, 2), (2, 2), (2, 0)] {
        let mut spoilt = Spoilt(board.clone(), Pos::new(r, c));
        let error = BoardError::BadCell { pos: spoilt.1, code: 3 };
        assert_eq!(rules::breakdown(&mut spoilt), Err(error));
        assert_eq!(rules::game_outcome(&spoilt, 2, 4), Err(error));
        if c == 2 {
            assert_eq!(rules::drop_stick(&mut spoilt, 2, 2, true, Cell::White), Err(error));
        }
        assert_eq!(spoilt.0, board);
        assert_eq!(error.to_string(), format!("invalid cell 3 at row {r}, column {c}: expected 0, 1 or 2"));
    }
}

#[test]
fn bad_sizes_are_errors_told_at_once() {
    let too_many = [(1 << 28, 2), (16385, 16384), (u32::MAX, u32::MAX), (1, (1 << 28) + 1), (65536, 65536)];
    let zero = [(0, 5), (4, 0), (0, 0)];
    for (width, height) in too_many.into_iter().chain(zero) {
        let expected = match (width, height) {
            (0, _) => ArgumentError::new("width", 0, "1 or more"),
            (_, 0) => ArgumentError::new("height", 0, "1 or more"),
            _ => ArgumentError::new("board size", format!("{width} x {height}"), "at most 268435456 cells"),
        };
        let expected = SetupError::Argument(expected);
        assert_eq!(MatrixBoard::new(width, height), Err(expected.clone()));
        assert_eq!(BitsBoard::new(width, height), Err(expected.clone()));
        assert_eq!(Game::new(2, 2, width, height, Kind::Bits), Err(expected.clone()));
        assert_eq!(Breakdown::new(width, height, 2, 2), Err(expected));
        // In a record these are parse errors.
        let error = start(&format!("{width} {height} 2 2")).unwrap_err();
        let RecordError::Parse(error) = error else { panic!("{error}") };
        assert_eq!(error.what(), "breakdown parameters");
        assert_eq!(error.input(), format!("{width} {height} 2 2"));
    }
    let message = |result: Result<Breakdown, SetupError>| result.unwrap_err().to_string();
    assert_eq!(message(Breakdown::new(0, 5, 2, 2)), "invalid width 0: expected 1 or more");
    assert_eq!(message(Breakdown::new(4, 5, 0, 2)), "invalid stick 0: expected 1 or more");
    assert_eq!(message(Breakdown::new(4, 5, 2, 0)), "invalid square 0: expected 1 or more");
    let size = "invalid board size 16385 x 16384: expected at most 268435456 cells";
    assert_eq!(message(Breakdown::new(16385, 16384, 2, 2)), size);
    assert_eq!(
        Game::new(0, 2, 4, 5, Kind::Matrix).unwrap_err().to_string(),
        "invalid stick 0: expected 1 or more"
    );
}

#[test]
fn bad_texts_are_errors_that_say_what_was_expected() {
    let cases = [
        ("", "the rows, the player"),
        ("..../.... b 2", "the rows, the player"),
        ("..../.... b 2 2 ", "the rows, the player"),
        (" ..../.... b 2 2", "the rows, the player"),
        ("..../....  b 2 2", "the rows, the player"),
        ("..../.... b 02 2", "stick and square as numbers"),
        ("..../.... b 2 +2", "stick and square as numbers"),
        ("..../.... b 0 2", "stick and square as numbers"),
        ("..../.... b 2 0", "stick and square as numbers"),
        ("..../.... b 2 4294967296", "stick and square as numbers"),
        ("..../... b 2 2", "rows of the same length"),
        ("/.... b 2 2", "rows of the same length"),
        ("..../ b 2 2", "rows of the same length"),
        (" b 2 2", "rows of the same length"),
        ("..../..O. b 2 2", "cells . * or o"),
        ("..../..é b 2 2", "cells . * or o"),
        ("..../.... B 2 2", "b or w to move"),
        ("..../.... - 2 2", "b or w to move"),
        ("**../**.. b 2 2", "- for the player to move"),
        ("**/oo w 2 2", "- for the player to move"),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Breakdown>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("invalid breakdown position {text:?}: expected ")), "{error}");
        assert!(error.contains(expected), "{error}");
    }
    for words in
        ["", "4 5 2", "4 5 2 2 2", "4 5  2 2", "4 5 2 x", "4 5 2 02", "+4 5 2 2", "4 5 2 99999999999"]
    {
        let error = start(words).unwrap_err().to_string();
        assert!(error.starts_with(&format!("invalid breakdown parameters {words:?}: expected ")), "{error}");
    }
}

#[test]
fn finished_positions_have_no_turn() {
    // The same last board, reached by a move of either player.
    let by_black: Breakdown = ".../*../*.. b 2 2".parse().unwrap();
    let by_white: Breakdown = "**./.../**. w 2 2".parse().unwrap();
    let won: Breakdown = ".../**./**. - 2 2".parse().unwrap();
    assert_eq!(by_black.after(Move::Vertical(1)).unwrap(), won);
    assert_eq!(by_white.after(Move::Breakdown).unwrap(), won);
    assert_eq!(won.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!((won.turn(), won.is_legal(&Move::Breakdown), won.moves().len()), (None, false, 0));
}

/// Sizes for every representation, some with more than 64 columns or rows, and sticks and squares of all lengths.
const SHAPES: [[u32; 4]; 42] = [
    [4, 5, 2, 2],
    [7, 6, 2, 3],
    [7, 6, 3, 3],
    [1, 1, 1, 1],
    [1, 7, 2, 1],
    [9, 1, 3, 2],
    [2, 2, 1, 2],
    [3, 3, 2, 2],
    [5, 4, 3, 2],
    [8, 8, 3, 4],
    [8, 8, 8, 2],
    [64, 1, 2, 2],
    [1, 64, 3, 2],
    [32, 2, 5, 2],
    [31, 2, 1, 2],
    [2, 32, 7, 2],
    [16, 4, 17, 2],
    [9, 8, 2, 3],
    [10, 10, 3, 3],
    [11, 11, 2, 4],
    [128, 1, 9, 1],
    [1, 128, 5, 1],
    [64, 2, 3, 2],
    [63, 2, 7, 2],
    [16, 8, 4, 4],
    [43, 3, 5, 2],
    [3, 43, 4, 2],
    [13, 10, 3, 4],
    [63, 3, 2, 2],
    [64, 3, 2, 3],
    [65, 3, 3, 3],
    [70, 3, 2, 2],
    [3, 70, 5, 2],
    [130, 2, 3, 2],
    [65, 65, 9, 5],
    [1, 200, 7, 1],
    [200, 1, 7, 2],
    [33, 20, 7, 6],
    [20, 33, 11, 20],
    [129, 5, 2, 5],
    [150, 3, 70, 2],
    [128, 1, 3, 1],
];

#[test]
fn random_games_agree_with_the_oracle() {
    for (i, shape) in (0..).zip(SHAPES) {
        let [width, height, stick, square] = shape;
        let games = if width * height <= 128 { 30 } else { 3 };
        for game in 0..games {
            let mut rng = Rng::for_game(i, game);
            let mut side = Side::new(shape);
            let mut oracle = Oracle::new(width, height, stick, square);
            loop {
                let position = &side.position;
                assert_eq!(position.to_string(), oracle.text());
                assert_eq!(outcome(position), oracle.outcome());
                side.check();
                let over = position.is_over();
                let legal = |m: &Move| match *m {
                    _ if over => false,
                    Move::Vertical(column) => oracle.landing(column as usize, true).is_some(),
                    Move::Horizontal(column) => oracle.landing(column as usize, false).is_some(),
                    Move::Breakdown => true,
                };
                let all = (0..position.num_actions()).map(|action| position.move_of(action).unwrap());
                let moves = all.clone().filter(legal).collect::<Vec<_>>();
                assert_eq!(position.moves().collect::<Vec<_>>(), moves);
                assert_eq!(position.moves().len(), moves.len());
                assert!(all.clone().all(|m| position.is_legal(&m) == legal(&m)));
                assert!(all.enumerate().all(|(action, m)| position.action(&m) == Some(action)));
                check_mirror(position);
                check_winning_cells(position, &oracle);
                if moves.is_empty() {
                    break;
                }
                let chosen = rng.below(moves.len());
                assert_eq!(position.moves().nth(chosen), Some(moves[chosen]));
                assert_eq!(position.moves().nth(moves.len()), None);
                let mut rest = position.moves();
                rest.nth(chosen);
                assert_eq!(rest.len(), moves.len() - chosen - 1);
                assert!(rest.eq(moves[chosen + 1..].iter().copied()));
                for off in [Move::Vertical(width), Move::Horizontal(width)] {
                    assert!(!position.is_legal(&off) && position.action(&off).is_none(), "{off}");
                }
                assert!(side.play(moves[chosen]));
                match moves[chosen] {
                    Move::Vertical(column) => assert!(oracle.drop_stick(column as usize, true)),
                    Move::Horizontal(column) => assert!(oracle.drop_stick(column as usize, false)),
                    Move::Breakdown => _ = oracle.breakdown(),
                }
                oracle.pass_turn();
            }
        }
    }
}

fn check_mirror(position: &Breakdown) {
    let image = position.transform(1);
    assert_eq!(image.transform(1), *position);
    assert_eq!(position.transform(0), *position);
    assert_eq!(image.canonical(), position.canonical());
    for (r, c) in (0..position.height()).flat_map(|r| (0..position.width()).map(move |c| (r, c))) {
        assert_eq!(image.get(r, position.width() - 1 - c), position.get(r, c));
    }
    for m in position.moves().step_by(1 + position.moves().len() / 8) {
        let mirrored = position.transform_move(1, m);
        assert_eq!(
            position.after(m).unwrap().transform(1),
            image.after(mirrored).unwrap(),
            "{position:?} {m}"
        );
        assert_eq!(position.transform_move(1, mirrored), m);
        assert_eq!(position.transform_move(0, m), m);
    }
}

fn check_winning_cells(position: &Breakdown, oracle: &Oracle) {
    let mut cells = Vec::new();
    for (r, c) in [Cell::Black, Cell::White].iter().flat_map(|&colour| oracle.squares(colour)) {
        for i in 0..oracle.square {
            cells.extend((0..oracle.square).map(|j| Pos::new((r + i) as u32, (c + j) as u32)));
        }
    }
    cells.sort();
    cells.dedup();
    assert_eq!(position.winning_cells(), cells);
}

#[test]
fn random_boards_agree_with_the_oracle() {
    // Cells anywhere, even in mid-air, at any density.
    let mut rng = Rng::new(5);
    for round in 0..30 {
        for [width, height, stick, square] in SHAPES {
            if width * height > 1000 && round % 10 != 0 {
                continue;
            }
            let mut oracle = Oracle::new(width, height, stick, square);
            let (density, bias) = (1 + rng.below(20), 1 + rng.below(20));
            for cell in oracle.rows.iter_mut().flatten() {
                if rng.below(20) < density {
                    *cell = if rng.below(20) < bias { Cell::Black } else { Cell::White };
                }
            }
            let text = oracle.text();
            let position: Breakdown = text.parse().unwrap();
            assert_eq!(position.to_string(), text);
            assert_eq!(outcome(&position), oracle.outcome(), "{text}");
            check_mirror(&position);
            check_winning_cells(&position, &oracle);
            for m in position.moves() {
                let mut after = oracle.clone();
                match m {
                    Move::Vertical(column) => assert!(after.drop_stick(column as usize, true)),
                    Move::Horizontal(column) => assert!(after.drop_stick(column as usize, false)),
                    Move::Breakdown => _ = after.breakdown(),
                }
                after.pass_turn();
                assert_eq!(position.after(m).unwrap().to_string(), after.text(), "{text} {m}");
            }
        }
    }
}

#[test]
fn playouts_are_the_games_that_the_moves_give() {
    for [width, height, stick, square] in SHAPES {
        let start = Breakdown::new(width, height, stick, square).unwrap();
        let mut tally = Tally::default();
        for game in 0..20 {
            let mut rng = Rng::for_game(3, game);
            let mut again = rng.clone();
            let (mut position, mut plies) = (start.clone(), 0);
            while !position.is_over() {
                let moves = position.moves();
                let chosen = rng.below(moves.len());
                position.play_unchecked(moves.clone().nth(chosen).unwrap());
                plies += 1;
                if game < 2 && plies % 5 == 3 {
                    // In bulk and one at a time, with either player to move.
                    let single = (0..40).map(|game| position.playouts(game..game + 1, 9));
                    assert_eq!(
                        single.fold(Tally::default(), |sum, tally| sum + tally),
                        position.playouts(0..40, 9)
                    );
                }
            }
            let outcome = position.outcome().unwrap();
            tally.record(outcome, plies);
            assert_eq!(start.playout(&mut again), (outcome, plies));
            assert_eq!(again, rng, "a playout draws the same random numbers");
            assert_eq!(position.playout(&mut again), (outcome, 0));
        }
        assert_eq!(start.playouts(0..20, 3), tally);
        assert_eq!(start.playouts(0..3, 3) + start.playouts(3..20, 3), tally);
        assert_eq!(start.playouts(7..7, 3), Tally::default());
    }
}

#[test]
fn illegal_moves_leave_the_position_alone() {
    let mut position: Breakdown = "*.../*.../*... w 2 3".parse().unwrap();
    let before = position.clone();
    let error = position.play(Move::Vertical(0)).unwrap_err().to_string();
    assert_eq!(position, before);
    assert_eq!(
        error,
        "illegal move \"|0\" in breakdown \"*.../*.../*... w 2 3\": the legal moves are |1 |2 |3 -1 -2 !"
    );
    assert_eq!(before.action(&Move::Vertical(4)), None);
    assert_eq!(before.move_of(9), None);
}

#[test]
fn boards_at_the_limit_answer() {
    for [width, height] in [[1 << 28, 1], [1, 1 << 28], [1 << 14, 1 << 14]] {
        let mut position = Breakdown::new(width, height, 2, 2).unwrap();
        let drop = if width > 1 { Move::Horizontal(width - 2) } else { Move::Vertical(0) };
        position.play(drop).unwrap();
        position.play(Move::Breakdown).unwrap();
        assert_eq!(position.get(height - 1, width - 1), Some(Cell::Black));
        assert_eq!(position.turn(), Some(Player::First));
        let rights = position.moves().len() as u32;
        assert_eq!(
            rights,
            1 + if height > 1 { width } else { 0 }
                + if height > 1 { width.saturating_sub(1) } else { width - 3 }
        );
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "[ -~é/.*o]{0,40}") {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Breakdown>();
        let _ = text.parse::<Record<Breakdown>>();
        let _ = start(&text);
    }

    #[test]
    fn likely_texts_parse_back(text in "[.*o]{2}(/[.*o]{2}){0,3} [bw-] [1-3] [1-3]") {
        if let Ok(position) = text.parse::<Breakdown>() {
            prop_assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn numbers_do_not_panic(words in prop::array::uniform4(prop_oneof![0u32..300, Just(u32::MAX), Just(1000)])) {
        let [width, height, stick, square] = words;
        if let Ok(position) = Breakdown::new(width, height, stick, square) {
            prop_assert_eq!(start(&position.parameters()), Ok(position.clone().into()));
            for m in position.moves().take(3).chain([Move::Breakdown, Move::Vertical(stick), Move::Horizontal(width)]) {
                let _ = position.after(m);
                let _ = position.transform_move(1, m);
            }
        }
    }

    #[test]
    fn moves_have_one_notation(text in "[|!-][0-9A-Za-z]{0,3}") {
        if let Ok(m) = text.parse::<Move>() {
            prop_assert_eq!(m.to_string(), text);
        }
    }
}

#[test]
fn sizes_are_those_given() {
    let position = Breakdown::new(5, 7, 3, 2).unwrap();
    let sizes = (position.width(), position.height(), position.stick(), position.square());
    assert_eq!(sizes, (5, 7, 3, 2));
    let game = Game::new(3, 2, 5, 7, Kind::Bits).unwrap();
    assert_eq!((game.stick(), game.square()), (3, 2));
}

#[test]
fn hashes_tell_boards_apart() {
    for (width, height) in [(5, 5), (10, 10), (20, 20)] {
        let empty = Breakdown::new(width, height, 2, 3).unwrap();
        let boards = empty.moves().map(|m| empty.after(m).unwrap());
        let hashes: HashSet<u64> =
            boards.map(|board| BuildHasherDefault::<DefaultHasher>::default().hash_one(board)).collect();
        // A breakdown of the empty board leaves it empty.
        assert_eq!(hashes.len(), empty.moves().len(), "{width} by {height}");
    }
}

#[test]
fn wide_boards_have_moves_in_every_column() {
    for width in [63, 64, 65, 100, 128, 200] {
        let mut position = Breakdown::new(width, 1, 1, 1).unwrap();
        let columns = (0..width).map(Move::Vertical).chain((0..width).map(Move::Horizontal));
        assert!(position.moves().eq(columns.chain([Move::Breakdown])), "{width} columns");
        // A square of one cell would end the game.
        position = Breakdown::new(width, 1, 1, 2).unwrap();
        position.play(Move::Vertical(width - 1)).unwrap();
        let left = (0..width - 1).map(Move::Vertical).chain((0..width - 1).map(Move::Horizontal));
        assert!(position.moves().eq(left.chain([Move::Breakdown])), "{width} columns");
    }
}

#[test]
fn turns_and_kinds() {
    assert_eq!((Turn::BlackNext.other(), Turn::WhiteNext.cell()), (Turn::WhiteNext, Cell::White));
    let board = AnyBoard::new(2, 2, Kind::Bits).unwrap();
    assert_eq!((board.kind(), board.width(), board.height()), (Kind::Bits, 2, 2));
    assert_eq!(rules::has_room(&board, 0, 0, true), Ok(false));
    assert_eq!(rules::has_room_anywhere(&board, 0), Ok(false));
    assert_eq!(rules::squares(&board, 0), Ok([false, false]));
}
