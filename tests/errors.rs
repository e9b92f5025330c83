//! The fields of every error, for programs, and its message, for people.

use std::error::Error;
use std::fmt::{Debug, Display};

use petteia::any::{self, AnyPosition, Game};
use petteia::prelude::*;
use petteia::reversi::{Board, Square};
use petteia::vector::{Arrays, Batch, Illegal, LaneState, MAX_ENVS, VectorEnv};
use petteia::{
    ArgumentError, Bot, Breakdown, IllegalMove, MemoryError, ParseError, PerftError, PerftOptions, Quarto,
    Record, RecordError, Reversi, SetupError, SolveError, SolveOptions, TicTac, perft_with,
};

/// Returns the error of a text that is not a record.
fn record<P: Declared>(text: &str) -> RecordError {
    text.parse::<Record<P>>().map(|record| panic!("{record} was accepted")).unwrap_err()
}

fn unreadable<P: Declared>(text: &str) -> ParseError {
    match record::<P>(text) {
        RecordError::Parse(error) => error,
        other => panic!("{other}"),
    }
}

fn illegal<P: Declared>(text: &str) -> IllegalMove {
    match record::<P>(text) {
        RecordError::Illegal(error) => error,
        other => panic!("{other}"),
    }
}

fn argument<T>(result: Result<T, SetupError>) -> ArgumentError {
    match result.err().expect("an error") {
        SetupError::Argument(error) => error,
        SetupError::Memory(error) => panic!("{error}"),
    }
}

fn memory<T>(result: Result<T, SetupError>) -> MemoryError {
    match result.err().expect("an error") {
        SetupError::Argument(error) => panic!("{error}"),
        SetupError::Memory(error) => error,
    }
}

// ---------------------------------------------------------------- texts

#[test]
fn unreadable_texts_are_told() {
    let rows = "nine cells and the player to move, such as X_O/_X_/___ O";
    let square = "a row A to C and a column 1 to 3, such as B2";
    let names: Vec<&str> = Game::ALL.iter().map(|game| game.name()).collect();
    let game = &format!("one of {}", names.join(", "));
    let bot = "random, myopic, mcts or mcts:1000, perfect or perfect:1000000, alphabeta, alphabeta:depth=8, \
               alphabeta:nodes=100000 or alphabeta:time=0.5, or level:1 to level:10";
    let of_tictac = "the game's name, tictac, and its parameters";
    let of_reversi = "width (2 to 8) and height (2 to 8), such as 8 8";
    let of_breakdown = "width (1 to 268435456), height (1 to 268435456), stick (1 to 4294967295) \
                        and square (1 to 4294967295), such as 4 5 2 2";
    let finding = "1 2".parse::<petteia::reversi::Finding>().unwrap_err();
    for (error, what, input, expected, ply) in [
        ("XX".parse::<TicTac>().unwrap_err(), "tictac position", "XX", rows, None),
        ("D4".parse::<petteia::tictac::Square>().unwrap_err(), "square", "D4", square, None),
        ("go".parse::<Game>().unwrap_err(), "game", "go", game, None),
        ("mcts:0".parse::<Bot>().unwrap_err(), "player", "mcts:0", bot, None),
        (unreadable::<TicTac>("tictac X"), "record", "tictac X", "a colon between game and moves", None),
        (unreadable::<TicTac>("quarto:"), "record", "quarto:", of_tictac, None),
        (unreadable::<TicTac>("tictac X:A1"), "record", "tictac X:A1", "a space after the colon", None),
        (unreadable::<TicTac>("tictac:"), "tictac parameters", "", "first (X or O), such as X", None),
        (unreadable::<Quarto>("quarto 4:"), "quarto parameters", "4", "none", None),
        (unreadable::<Reversi>("reversi 9 8:"), "reversi parameters", "9 8", of_reversi, None),
        (
            unreadable::<Breakdown>("breakdown 0 5 2 2:"),
            "breakdown parameters",
            "0 5 2 2",
            of_breakdown,
            None,
        ),
        (unreadable::<TicTac>("tictac X: A1 D4"), "square", "D4", square, Some(2)),
        (unreadable::<TicTac>("tictac X: A1  B2"), "square", "", square, Some(2)),
        (finding.clone(), finding.what(), "1 2", finding.expected(), None),
    ] {
        assert_eq!(
            (error.what(), error.input(), error.expected(), error.ply()),
            (what, input, expected, ply)
        );
        let place = ply.map_or(String::new(), |ply| format!("ply {ply}: "));
        assert_eq!(error.to_string(), format!("{place}invalid {what} {input:?}: expected {expected}"));
    }
    assert_eq!(
        unreadable::<TicTac>("tictac X: A1 D4").to_string(),
        "ply 2: invalid square \"D4\": expected a row A to C and a column 1 to 3, such as B2"
    );
}

/// Each number is in range but the board is too large; the error names all parameters.
#[test]
fn parameters_that_do_not_go_together_are_unreadable() {
    let error = unreadable::<Breakdown>("breakdown 16385 16384 2 2:");
    assert_eq!((error.what(), error.input()), ("breakdown parameters", "16385 16384 2 2"));
    assert_eq!(error.expected(), "at most 268435456 cells");
    let same = AnyPosition::start(Game::Breakdown, "16385 16384 2 2");
    assert_eq!(same, Err(RecordError::Parse(error)));
}

#[test]
fn long_texts_are_cut_in_messages_but_not_in_fields() {
    let long = "é\n".repeat(1000);
    let error = long.parse::<Reversi>().unwrap_err();
    assert_eq!(error.input(), long);
    let shown = "é\\n".repeat(120);
    let start = format!("invalid reversi position \"{shown}\"… (3000 bytes): expected ");
    assert!(error.to_string().starts_with(&start), "{error}");
}

// ---------------------------------------------------------------- moves

#[test]
fn illegal_moves_are_told() {
    let position: TicTac = "X__/___/___ O".parse().unwrap();
    let over: TicTac = "XXX/OO_/___ -".parse().unwrap();
    let mut played = Record::new(TicTac::default());
    played.play("A1".parse().unwrap()).unwrap();
    let a1 = || "A1".parse().unwrap();
    let before = "X__/___/___ O";
    let legal = "the legal moves are A2 A3 B1 B2 B3 C1 C2 C3";
    for (error, position, ply, why) in [
        (position.after(a1()).unwrap_err(), before, None, legal),
        (position.clone().play(a1()).unwrap_err(), before, None, legal),
        (played.play(a1()).unwrap_err(), before, Some(2), legal),
        (illegal::<TicTac>("tictac X: A1 A1 A2"), before, Some(2), legal),
        (over.after(a1()).unwrap_err(), "XXX/OO_/___ -", None, "the game is over"),
    ] {
        assert_eq!((error.game(), error.position(), error.given()), ("tictac", position, "A1"));
        assert_eq!((error.ply(), error.lane()), (ply, None));
        let place = ply.map_or(String::new(), |ply| format!("ply {ply}: "));
        assert_eq!(error.to_string(), format!("{place}illegal move \"A1\" in tictac {position:?}: {why}"));
        assert_eq!(error.reason(), why);
        // A fault takes the place of the legal moves, but is no news when the game is over.
        let because = error.because("A1 is taken");
        let why = if why == legal { "A1 is taken" } else { why };
        assert_eq!(because.to_string(), format!("{place}illegal move \"A1\" in tictac {position:?}: {why}"));
        assert_eq!((because.reason().as_str(), because.ply()), (why, ply));
    }
    assert_eq!((played.moves().len(), played.last()), (1, &position), "the record is unchanged");
}

#[test]
fn many_legal_moves_are_counted() {
    let wide = Breakdown::new(100, 2, 1, 2).unwrap();
    let error = wide.after(petteia::breakdown::Move::Vertical(100)).unwrap_err();
    assert_eq!((error.position(), error.given()), (wide.to_string().as_str(), "|100"));
    let message = error.to_string();
    let start = format!(
        "illegal move \"|100\" in breakdown \"{dots}/{dots} b 1 2\": the legal moves are |0 |1 ",
        dots = ".".repeat(100)
    );
    assert!(message.starts_with(&start), "{message}");
    assert!(message.ends_with(" and 137 more"), "{message}");
    assert_eq!(message[start.len() - 6..].split(' ').filter(|word| word.starts_with('|')).count(), 64);
}

#[test]
fn illegal_actions_name_their_lane() {
    let mut env = VectorEnv::new(TicTac::default(), 3, 0, 1, Illegal::Refuse).unwrap();
    let (mut observations, mut mask) = (vec![7; 3 * 18], vec![7; 3 * 9]);
    let (mut turns, mut rewards, mut terminated) = (vec![7; 3], vec![[7.0; 2]; 3], vec![7; 3]);
    let mut step = |actions: [i64; 3]| {
        env.step(
            &actions,
            &mut Arrays {
                observations: &mut observations,
                action_mask: &mut mask,
                turns: &mut turns,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: None,
            },
        )
    };
    step([0, 1, 2]).unwrap();
    let error = step([1, 1, 9]).unwrap_err();
    assert_eq!((error.game(), error.position()), ("tictac", "_X_/___/___ O"));
    assert_eq!((error.given(), error.ply(), error.lane()), ("A2, action 1", None, Some(1)));
    assert_eq!(
        error.to_string(),
        "lane 1: illegal move \"A2, action 1\" in tictac \"_X_/___/___ O\": \
         the legal moves are A1 A3 B1 B2 B3 C1 C2 C3"
    );
    for (action, given) in [(9, "action 9"), (-1, "action -1"), (i64::MAX, "action 9223372036854775807")] {
        let error = step([1, 0, action]).unwrap_err();
        assert_eq!((error.given(), error.lane()), (given, Some(2)));
    }
    step([1, 0, 0]).unwrap();
    assert_eq!(env.lane(0).position.to_string(), "XO_/___/___ X", "the failed steps changed nothing");
}

// ---------------------------------------------------------------- arguments

#[test]
fn arguments_out_of_range_are_told() {
    let cells = "at most 268435456 cells";
    let mut board = Board::new(3, 2).unwrap();
    let off_board = board.set("a3".parse::<Square>().unwrap(), petteia::reversi::Player::Dark).unwrap_err();
    for (error, name, given, expected) in [
        (Reversi::new(9, 8).unwrap_err(), "width", "9", "2 to 8"),
        (Reversi::new(8, usize::MAX).unwrap_err(), "height", "18446744073709551615", "2 to 8"),
        (argument(Reversi::start(&[8, 1])), "height", "1", "2 to 8"),
        (argument(Reversi::start(&[8])), "number of parameters", "1", "2 of reversi"),
        (argument(Quarto::start(&[8])), "number of parameters", "1", "0 of quarto"),
        (argument(TicTac::start(&[2])), "first", "2", "X or O"),
        (argument(Breakdown::new(4, 5, 0, 2)), "stick", "0", "1 or more"),
        (argument(Breakdown::new(4, 5, 2, 0)), "square", "0", "1 or more"),
        (argument(Breakdown::new(65536, 65536, 2, 2)), "board size", "65536 x 65536", cells),
        (argument(Breakdown::start(&[65536, 65536, 2, 2])), "board size", "65536 x 65536", cells),
        (argument(Breakdown::start(&[u32::MAX, 1, 2, 2])), "width", "4294967295", "1 to 268435456"),
        (argument(AnyPosition::start_with(Game::Reversi, &[1, 8])), "width", "1", "2 to 8"),
    ] {
        assert_eq!((error.name(), error.given(), error.expected()), (name, given, expected));
        assert_eq!(error.to_string(), format!("invalid {name} {given}: expected {expected}"));
    }
    let quoted = "invalid square \"a3\": expected a square of the 3 by 2 board";
    assert_eq!((off_board.name(), off_board.given()), ("square", "a3"));
    assert_eq!(off_board.to_string(), quoted);
    let dark = petteia::reversi::Player::Dark;
    let [on, off] = ["a1", "a3"].map(|square| square.parse::<Square>().unwrap());
    assert_eq!(board.find_flips(off, (0, 1), dark).unwrap_err(), off_board);
    assert_eq!(board.evaluate_position(off, dark).unwrap_err(), off_board);
    for step in [(0, 0), (2, 0), (0, -2), (i8::MIN, i8::MAX)] {
        let error = board.find_flips(on, step, dark).unwrap_err();
        assert_eq!((error.name(), error.given()), ("dir", format!("({}, {})", step.0, step.1).as_str()));
        assert_eq!(error.expected(), "a step of -1, 0 or 1 in x and in y, not both 0");
    }
    let neither = petteia::reversi::Player::Neither;
    for error in [board.find_flips(on, (0, 1), neither), board.evaluate_position(on, neither)] {
        assert_eq!(
            error.unwrap_err().to_string(),
            "invalid player NEITHER: expected Player.DARK or Player.LIGHT"
        );
    }
}

#[test]
fn states_that_no_lane_can_have_are_told() {
    let start = Reversi::new(4, 4).unwrap();
    let mut env = any::batch(AnyPosition::from(start), 2, 0, 1, Illegal::Lose).unwrap();
    let before = env.lane(1);
    let state = |position: AnyPosition, forfeited| LaneState { position, stream: 0, forfeited, plies: 0 };
    let other_size = Reversi::new(4, 6).unwrap();
    let over: Reversi = "DDDD/DDDD/DDDD/DDDD -".parse().unwrap();
    for (state, given, expected) in [
        (state(TicTac::default().into(), false), "___/___/___ X", "one of reversi 4 4"),
        (state(other_size.into(), false), "____/____/____/____/____/____ D", "one of reversi 4 4"),
        (state(over.into(), true), &over.to_string(), "a game in progress, as only these can be forfeited"),
    ] {
        let error = env.set_lane(1, state).unwrap_err();
        assert_eq!((error.name(), error.given(), error.expected()), ("position", given, expected));
        assert_eq!(error.to_string(), format!("invalid position \"{given}\": expected {expected}"));
        assert_eq!(env.lane(1), before);
    }
    let mut own = VectorEnv::new(start, 1, 0, 1, Illegal::Lose).unwrap();
    let state = LaneState { position: other_size, stream: 0, forfeited: false, plies: 0 };
    let error = own.set_lane(0, state).unwrap_err();
    assert_eq!(error.expected(), "a board of the environment's size");
}

// ---------------------------------------------------------------- memory

#[test]
fn batches_have_lanes_and_room_for_them() {
    for num_envs in [0, MAX_ENVS + 1, usize::MAX] {
        let error = argument(VectorEnv::new(Quarto::default(), num_envs, 0, 1, Illegal::Refuse));
        assert_eq!((error.name(), error.given()), ("num_envs", num_envs.to_string().as_str()));
        assert_eq!(error.to_string(), format!("invalid num_envs {num_envs}: expected 1 to 1073741824"));
        let same = any::batch(AnyPosition::from(Quarto::default()), num_envs, 0, 1, Illegal::Refuse);
        assert_eq!(argument(same), error);
    }
}

/// No address space has room for the arrays of this many large boards.
#[test]
fn batches_of_huge_boards_are_refused() {
    let start = Breakdown::new(1 << 14, 1 << 14, 2, 2).unwrap();
    let shown = start.observation_len() + start.num_actions();
    for num_envs in [1 << 20, MAX_ENVS] {
        let error = memory(VectorEnv::new(start.clone(), num_envs, 0, 1, Illegal::Refuse));
        assert_eq!(error, MemoryError { what: "a batch of environments", bytes: num_envs * shown });
        let message = format!(
            "no memory for a batch of environments of {} bytes: expected more memory, or a smaller one",
            error.bytes
        );
        assert_eq!(error.to_string(), message);
        let same = any::batch(AnyPosition::from(start.clone()), num_envs, 0, 1, Illegal::Refuse);
        assert_eq!(memory(same), error);
    }
}

#[test]
fn huge_boards_are_made_or_refused() {
    let sizes = [1, 2, 63, 64, 65, 1 << 14, (1 << 14) + 1, 1 << 28, (1 << 28) + 1, u32::MAX - 1, u32::MAX];
    for width in sizes {
        for height in sizes {
            let fits = u64::from(width) * u64::from(height) <= 1 << 28;
            for stick in [1, 3, u32::MAX] {
                match Breakdown::new(width, height, stick, stick) {
                    Ok(board) => {
                        assert!(fits, "{width} {height}");
                        assert_eq!(board.values(), [width, height, stick, stick]);
                    }
                    Err(SetupError::Argument(error)) => {
                        assert!(!fits, "{error}");
                        assert_eq!(
                            (error.name(), error.given()),
                            ("board size", format!("{width} x {height}").as_str())
                        );
                    }
                    // A small machine may not have the memory.
                    Err(SetupError::Memory(error)) => assert_eq!(error.what, "a board"),
                }
            }
        }
    }
}

#[test]
fn tables_that_no_machine_has_are_refused() {
    let reversi: Reversi = "____/_LD_/_DL_/____ D".parse().unwrap();
    let quarto: Quarto = "0..3/.5../..a./6..7 c 2".parse().unwrap();
    let what = "a transposition table";
    for bytes in [1 << 60, usize::MAX / 4, usize::MAX] {
        let options = SolveOptions { table_bytes: Some(bytes), ..SolveOptions::default() };
        let plain = PerftOptions { table_bytes: Some(bytes), ..PerftOptions::default() };
        let mut told = Vec::new();
        for error in [reversi.solve(&options).unwrap_err(), quarto.solve(&options).unwrap_err()] {
            let SolveError::Memory(memory) = error else { panic!("{error}") };
            assert_eq!(error.to_string(), memory.to_string());
            told.push(memory);
        }
        let error = perft_with(&reversi, 5, &plain).unwrap_err();
        let PerftError::Memory(memory) = error else { panic!("{error}") };
        assert_eq!(error.to_string(), memory.to_string());
        told.push(memory);
        for memory in told {
            assert_eq!(memory.what, what);
            assert!(bytes / 2 <= memory.bytes && memory.bytes <= bytes, "{memory}");
            let message = format!(
                "no memory for a transposition table of {} bytes: expected more memory, or a smaller one",
                memory.bytes
            );
            assert_eq!(memory.to_string(), message);
        }
    }
}

// ---------------------------------------------------------------- all of them

/// Errors can be sent between threads, compared and boxed, and show their message when `main` returns them.
#[test]
fn errors_are_values() {
    fn check<E: Error + Clone + Eq + Debug + Display + Send + Sync + 'static>(error: E, name: &str) {
        assert_eq!(error, error.clone());
        assert_eq!(format!("{error:?}"), format!("{name}({:?})", error.to_string()));
        assert_eq!(Box::<dyn Error>::from(error.clone()).to_string(), error.to_string());
    }
    let parse = "".parse::<Reversi>().unwrap_err();
    let argument = Reversi::new(0, 0).unwrap_err();
    let memory = MemoryError { what: "a board", bytes: 7 };
    let illegal = illegal::<Quarto>("quarto: A1");
    check(parse.clone(), "ParseError");
    check(argument.clone(), "ArgumentError");
    check(memory, "MemoryError");
    check(illegal.clone(), "IllegalMove");
    check(SetupError::from(argument.clone()), "SetupError");
    check(SetupError::from(memory), "SetupError");
    // An error that wraps another has its message.
    assert_eq!(SetupError::from(argument.clone()).to_string(), argument.to_string());
    assert_eq!(SetupError::from(memory).to_string(), memory.to_string());
    assert_eq!(RecordError::from(parse.clone()).to_string(), parse.to_string());
    assert_eq!(RecordError::from(illegal.clone()).to_string(), illegal.to_string());
    assert_eq!(RecordError::from(memory).to_string(), memory.to_string());
    assert_eq!(SolveError::from(memory).to_string(), memory.to_string());
    assert_eq!(size_of::<Result<(), IllegalMove>>(), size_of::<usize>(), "a checked play returns one word");
}
