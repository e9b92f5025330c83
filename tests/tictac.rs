//! TicTac against its document, its vectors and a slow oracle.

mod common;
#[path = "oracle/tictac.rs"]
mod oracle;

use std::io::BufReader;

use common::{list, number, text, vectors};
use oracle::Oracle;
use petteia::prelude::*;
use petteia::tictac::{Evaluator, Mark, Move, Square, Verdict, evaluate};
use petteia::{Rng, TicTac};
use proptest::prelude::*;

/// The record of the document's example, and the drawing of its last position.
const EXAMPLE: &str = "1 X B2\n2 O C2 # Oops...\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n";
const PICTURE: &str = "   1   2   3
A  O |   | O
  ---+---+---
B  X | X | X
  ---+---+---
C    | O | X
";

#[test]
fn document_example() {
    assert_eq!(evaluate(EXAMPLE.as_bytes()), Verdict::XWins);
    let game: TicTac = "O_O/XXX/_OX -".parse().unwrap();
    assert_eq!(game.drawing(), PICTURE);
    let squares: Vec<_> = game.winning_squares().map(|square| square.to_string()).collect();
    assert_eq!(squares, ["B1", "B2", "B3"]);
    assert_eq!(
        TicTac::default().drawing(),
        "   1   2   3\nA    |   |\n  ---+---+---\nB    |   |\n  ---+---+---\nC    |   |\n"
    );
}

#[test]
fn verdicts_have_their_numbers_and_codes() {
    for (i, verdict) in Verdict::ALL.into_iter().enumerate() {
        assert_eq!(verdict as usize, i);
        assert_eq!(verdict.to_string(), verdict.line());
        let code = match verdict.line() {
            "Parse error." => 1,
            "Invalid move." => 2,
            _ => 0,
        };
        assert_eq!(verdict.exit_code(), code);
    }
}

#[test]
fn records_of_the_vectors() {
    let vectors = vectors("tictac");
    let records = list(&vectors["records"]);
    assert_eq!(records.len(), 1000);
    for record in records {
        let verdict = evaluate(text(&record["text"]).as_bytes());
        assert_eq!(verdict.line(), text(&record["output"]), "{record}");
        assert_eq!(usize::from(verdict.exit_code()), number(&record["exit"]), "{record}");
    }
}

#[test]
fn lines_of_the_vectors() {
    let vectors = vectors("tictac");
    let lines = list(&vectors["lines"]);
    assert_eq!(lines.len(), 500);
    for line in lines {
        // The move parser reads one line and ignores the rest; empty input counts as an empty line.
        let first = text(&line["text"]).split('\n').next().unwrap();
        let printed = Move::parse(first.as_bytes()).map_or("Parse error.".into(), |m| m.to_string());
        assert_eq!(printed, text(&line["output"]), "{line}");
    }
}

#[test]
fn lines_that_are_no_moves() {
    let bad = [
        "",
        " ",
        " 1 X B2",
        "+1 X B2",
        "-1 X B2",
        "0 X B2",
        "01 X B2",
        "10 X B2",
        "1.0 X B2",
        "1 XX B2",
        "1 X B22",
        "1 X B 2",
        "1X B2",
        "1 XB2",
        "1 X B2#c",
        "1 X B2 x",
        "1 X D1",
        "1 X A4",
        "1 X A0",
        "#c",
        "1",
        "1 X",
        "1 X B",
        "1 X B2\0",
        "1\0X B2",
        "1\u{a0}X B2",
        "\u{feff}1 X B2",
        "1 X B2 é",
        "1 X B2\n2 O A1",
        "1\nX B2",
        "1 X B2\n\n",
    ];
    for line in bad {
        let error = Move::parse(line.as_bytes()).expect_err(line).to_string();
        assert!(error.contains("expected a number 1 to 9, a player X or O and a square"), "{error}");
    }
    let good =
        ["1  X\tB2", "1 x b2", "1 X B2 #", "1 X B2\r", "1 X B2 \t\u{b}\u{c}\r", "1 X B2 # é\0 #", "1 X B2\n"];
    for line in good {
        assert_eq!(line.parse::<Move>().expect(line).to_string(), "1 X B2");
    }
    assert_eq!(Move::parse(b"1 X B2 #\xff\xfe").unwrap().to_string(), "1 X B2");
    let parsed: Move = "9 o c1".parse().unwrap();
    assert_eq!((parsed.number(), parsed.player(), parsed.square().index()), (9, Mark::O, 6));
    for mark in [Mark::X, Mark::O] {
        assert_eq!(mark.to_string().parse(), Ok(mark));
    }
    assert!("x".parse::<Mark>().is_err());
}

/// Lines are read from streams one at a time, however the stream is cut into pieces.
#[test]
fn streams_are_read_line_by_line() {
    let stream = b"1 X B2\n2 O C2 # Oops...\n\nno move\n3 X A1";
    for piece in 1..=stream.len() {
        let mut input = BufReader::with_capacity(piece, &stream[..]);
        let lines: Vec<_> = (0..6).map(|_| Move::read(&mut input).unwrap().map(|m| m.to_string())).collect();
        let expected = [Some("1 X B2"), Some("2 O C2"), None, None, Some("3 X A1"), None];
        assert_eq!(lines, expected.map(|line| line.map(str::to_owned)), "pieces of {piece} bytes");
    }
}

#[test]
fn first_bad_line_decides() {
    let won = "1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n";
    for (tail, verdict) in [
        ("", Verdict::XWins),
        ("6 O C1\n", Verdict::InvalidMove),
        ("10 O C1\n", Verdict::ParseError),
        ("hello\n6 O C1\n", Verdict::ParseError),
        ("6 O C1\nhello\n", Verdict::InvalidMove),
        ("\n", Verdict::ParseError),
    ] {
        assert_eq!(evaluate(format!("{won}{tail}").as_bytes()), verdict, "{tail:?}");
    }
    assert_eq!(evaluate(b""), Verdict::NewGame);
    assert_eq!(evaluate(b"\n"), Verdict::ParseError);
    assert_eq!(evaluate(b"2 X A1\n"), Verdict::InvalidMove);
    assert_eq!(evaluate(b"1 O A1\r\n2 X A2"), Verdict::OTurn);
    // A win on the last square is a win, not a draw.
    assert_eq!(
        evaluate(b"1 X A1\n2 O A2\n3 X B1\n4 O B2\n5 X A3\n6 O C1\n7 X C2\n8 O B3\n9 X C3\n").line(),
        oracle::evaluate("1 X A1\n2 O A2\n3 X B1\n4 O B2\n5 X A3\n6 O C1\n7 X C2\n8 O B3\n9 X C3\n")
    );
}

#[test]
fn long_lines_and_many_pieces_need_no_memory() {
    let mut evaluator = Evaluator::new();
    evaluator.push(b"1 X B2 #");
    for _ in 0..1000 {
        evaluator.push(&[b'x'; 4096]);
    }
    evaluator.push(b"\n2 O");
    evaluator.push(&[b' '; 100_000]);
    evaluator.push(b"A1");
    assert_eq!(evaluator.verdict(), Verdict::XTurn);
    assert!(!evaluator.is_decided());
    evaluator.push(b"!\n");
    assert_eq!(evaluator.verdict(), Verdict::ParseError);
    assert!(evaluator.is_decided());
}

#[test]
fn positions_are_what_the_oracle_has() {
    for game in 0..2000 {
        let mut rng = Rng::for_game(1, game);
        let first = [Mark::X, Mark::O][game as usize % 2];
        let mut position = TicTac::new(first);
        let mut oracle = Oracle::new(first.name().chars().next().unwrap());
        loop {
            assert_eq!(position.to_string(), oracle.text());
            let moves: Vec<usize> = position.moves().map(Square::index).collect();
            assert_eq!(moves, oracle.moves());
            let winner = position.outcome().and_then(Outcome::winner).map(|p| position.players()[p.index()]);
            assert_eq!(winner.map(str::to_string), oracle.winner().map(|c| c.to_string()));
            assert_eq!(position.is_over(), oracle.is_over());
            let Some(square) = position.moves().choose(&mut rng) else { break };
            position.play(square).unwrap();
            oracle.play(square.index());
        }
    }
}

/// Walks the whole game and counts positions, finished games and their winners.
#[test]
fn whole_game_has_the_known_counts() {
    use std::collections::HashSet;
    fn walk(position: TicTac, seen: &mut HashSet<TicTac>, ends: &mut [u64; 3]) {
        seen.insert(position);
        match position.outcome() {
            Some(outcome) => ends[outcome.winner().map_or(2, |player| player.index())] += 1,
            None => position.moves().for_each(|m| walk(position.after(m).unwrap(), seen, ends)),
        }
    }
    let (mut seen, mut ends) = (HashSet::new(), [0; 3]);
    walk(TicTac::default(), &mut seen, &mut ends);
    assert_eq!(ends, [131_184, 77_904, 46_080]);
    assert_eq!(seen.len(), 5478);
    assert_eq!(TicTac::default().longest_game(), Some(9));
    let canonical: HashSet<TicTac> = seen.iter().map(|position| position.canonical()).collect();
    assert_eq!(canonical.len(), 765);
    // Every reachable position has a text that parses back, and no other text of nine cells does.
    let texts: HashSet<String> = seen.iter().map(|position| position.to_string()).collect();
    let mut parsed = 0;
    for code in 0..3u32.pow(9) {
        let cell = |i: u32| ["_", "X", "O"][(code / 3u32.pow(i) % 3) as usize];
        let rows = [0, 3, 6].map(|i| [cell(i), cell(i + 1), cell(i + 2)].concat()).join("/");
        for next in ["X", "O", "-"] {
            let text = format!("{rows} {next}");
            if let Ok(position) = text.parse::<TicTac>() {
                assert_eq!(position.to_string(), text);
                parsed += u32::from(texts.contains(&text));
                // If O began, the position with the marks swapped is reachable.
                let swapped: String = text
                    .chars()
                    .map(|c| {
                        if c == 'X' {
                            'O'
                        } else if c == 'O' {
                            'X'
                        } else {
                            c
                        }
                    })
                    .collect();
                assert!(texts.contains(&text) || texts.contains(&swapped), "{text}");
            }
        }
    }
    assert_eq!(parsed, 5478);
}

#[test]
fn bad_texts_are_told() {
    for (text, expected) in [
        ("", "such as X_O/_X_/___ O"),
        ("___/___/___", "such as"),
        ("___/___/___ x", "X or O to move"),
        ("___/___/___  X", "three rows of three cells"),
        ("___/___/____ X", "three rows of three cells"),
        ("___/__/____ X", "rows of three cells X, O or _"),
        ("___/_x_/___ X", "rows of three cells X, O or _"),
        ("XX_/___/___ O", "numbers of X and O"),
        ("X__/___/___ X", "the player with fewer squares"),
        ("XXX/OO_/___ O", "- for the player to move"),
        ("XXX/OOO/___ -", "a line for at most one player"),
        ("XXX/OO_/O__ -", ""),
        ("___/___/___ -", "X or O to move"),
        ("XOX/XOO/OXX X", "- for the player to move"),
    ] {
        match text.parse::<TicTac>() {
            Ok(position) => assert!(expected.is_empty(), "{position:?}"),
            Err(error) => {
                assert!(error.to_string().contains(expected) && !expected.is_empty(), "{text}: {error}")
            }
        }
    }
    // Slashes are where they belong, and nowhere else.
    for place in 0..11 {
        for cell in ["/", "_", "X", "O"] {
            let mut text = "___/___/___".to_owned();
            text.replace_range(place..=place, cell);
            let parsed = [" X", " O"].map(|turn| (text.clone() + turn).parse::<TicTac>().is_ok());
            let expected = match (place % 4 == 3, cell) {
                (true, "/") | (false, "_") => [true, true],
                (false, "X") => [false, true],
                (false, "O") => [true, false],
                _ => [false, false],
            };
            assert_eq!(parsed, expected, "{text}");
        }
    }
    assert!(std::mem::size_of::<TicTac>() <= 8);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in ".*") {
        let _ = Move::parse(&bytes);
        let _ = evaluate(&bytes);
        let _ = text.parse::<TicTac>();
        let _ = text.parse::<Square>();
        let _ = text.parse::<Mark>();
    }

    /// Records of likely bytes: the evaluator agrees with the oracle, and with itself when fed in two pieces.
    #[test]
    fn evaluator_is_what_the_oracle_says(
        lines in proptest::collection::vec("[1-4] ?[XOxo] [ABCabc][123]( ?#.?)?[ \t\r]?|[ -~]{0,8}", 0..6),
        ended: bool,
        cut in 0.0..1.0f64,
    ) {
        let mut record = lines.join("\n");
        if ended && !record.is_empty() {
            record.push('\n');
        }
        prop_assert_eq!(evaluate(record.as_bytes()).line(), oracle::evaluate(&record));
        let (head, tail) = record.as_bytes().split_at((cut * record.len() as f64) as usize);
        let mut evaluator = Evaluator::new();
        evaluator.push(head);
        evaluator.push(tail);
        prop_assert_eq!(evaluator.verdict(), evaluate(record.as_bytes()));
    }

    /// Plain records, some with a wrong move: the fast path for plain lines agrees with the oracle.
    #[test]
    fn plain_records_are_what_the_oracle_says(order in Just((0..9).collect::<Vec<usize>>()).prop_shuffle(), n in 0..10usize, wrong in 0..40usize, first: bool) {
        let mut record = String::new();
        for (i, square) in order.iter().take(n).enumerate() {
            let x = (i % 2 == 0) == first || i == wrong;
            let name = Square::new(*square).unwrap();
            record.push_str(&format!("{} {} {name}\n", i + 1 + usize::from(i + 10 == wrong), if x { 'X' } else { 'O' }));
        }
        prop_assert_eq!(evaluate(record.as_bytes()).line(), oracle::evaluate(&record));
    }
}
