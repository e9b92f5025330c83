//! Records: where they start, their parts, their headers, and the formats of Othello programs. That they are read as they
//! are written, from every position of every game, is among the laws.

use petteia::prelude::*;
use petteia::{ArgumentError, Headers, Quarto, Record, RecordError, Reversi, TicTac};

/// Reads a record of TicTac that is none, and returns the message.
fn refused(text: &str) -> String {
    match text.parse::<Record<TicTac>>() {
        Err(RecordError::Parse(error)) => error.to_string(),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn othello_starts_crosswise_or_side_by_side() {
    let rows = "________/________/________";
    let othello = Reversi::othello(8, 8).unwrap();
    assert_eq!(othello.to_string(), format!("{rows}/___LD___/___DL___/{rows} D"));
    assert_eq!(Reversi::parallel(8, 8).unwrap().to_string(), format!("{rows}/___DD___/___LL___/{rows} D"));
    // The counts of Othello are known.
    assert_eq!([1, 2, 3, 4, 5, 6].map(|depth| othello.perft(depth)), [4, 12, 56, 244, 1396, 8200]);
    for (width, height) in (2..=8).flat_map(|width| (2..=8).map(move |height| (width, height))) {
        for start in [Reversi::othello(width, height), Reversi::parallel(width, height)] {
            let start = start.unwrap();
            assert_eq!(start.to_string().parse(), Ok(start));
            assert_eq!(start.tiles().map(|tiles| tiles.len()), [2, 2]);
        }
    }
    assert_eq!(Reversi::othello(8, 9), Err(ArgumentError::new("height", 9, "2 to 8")));
}

#[test]
fn records_start_anywhere() {
    let line = "reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1";
    let record: Record<Reversi> = line.parse().unwrap();
    assert_eq!(record.start(), &Reversi::othello(4, 4).unwrap());
    assert_eq!(record.to_string(), line);
    let quarto: Record<Quarto> = "quarto from 0.../..../..../.... 5 1: A2".parse().unwrap();
    assert_eq!(quarto.to_string(), "quarto from 0.../..../..../.... 5 1: A2");
    // What goes without saying may be said, and is left out.
    let told: Record<TicTac> = "tictac O from ___/___/___ O: B2\r\n".parse().unwrap();
    assert_eq!(told.to_string(), "tictac O: B2");
    for (text, expected) in [
        ("tictac X from X__/___/___ X:", "tictac position"),
        (
            "tictac O from X__/___/___ O:",
            "invalid tictac position \"X__/___/___ O\": expected one with the parameters O",
        ),
        ("tictac from X__/___/___ O:", "X or O"),
        ("tictac X from:", "X or O"),
        ("tictac X from :", "tictac position"),
        ("tictac X: B2\n\n", "ply 1: invalid square"),
        ("tictac X: B2\r", "ply 1: invalid square"),
        ("\ntictac X: B2", "the game's name"),
    ] {
        assert!(refused(text).contains(expected), "{text:?}: {}", refused(text));
    }
}

#[test]
fn headers_are_kept_in_order() {
    let line = r#"[first "Ada"] [second "Bob, \"the wall\" \\"] [result ""] [x-1_y "π: 1"] tictac X: B2"#;
    let mut record: Record<TicTac> = line.parse().unwrap();
    assert_eq!(record.to_string(), line);
    let headers = record.headers();
    assert_eq!(
        headers.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["first", "second", "result", "x-1_y"]
    );
    assert_eq!(headers.get("second"), Some("Bob, \"the wall\" \\"));
    assert_eq!((headers.get("date"), headers.len()), (None, 4));
    let plain: Record<TicTac> = "tictac X: B2".parse().unwrap();
    assert_ne!(plain, record);
    record.play("A1".parse().unwrap()).unwrap();
    record.undo();
    assert_eq!(record.to_string(), line);
    record.headers_mut().set("first", "Eve").unwrap();
    assert_eq!(record.headers_mut().remove("second").as_deref(), Some("Bob, \"the wall\" \\"));
    assert_eq!(record.headers_mut().remove("second"), None);
    assert!(record.to_string().starts_with(r#"[first "Eve"] [result ""] [x-1_y "#));
    *record.headers_mut() = Headers::default();
    assert_eq!(record, plain);
}

#[test]
fn headers_tell_what_is_wrong() {
    for (header, expected) in [
        (
            "[First \"\"] ",
            "invalid record header name \"First\": expected a to z, then a to z, 0 to 9, _ or -",
        ),
        ("[é \"\"] ", "invalid record header name"),
        ("[ \"\"] ", "invalid record header name"),
        ("[first] ", "a name and a text in quotation marks"),
        ("[first \"Ada] ", "a closing \""),
        ("[first \"\\n\"] ", "\\\" or \\\\ for these"),
        ("[first \"\\", "a closing \""),
        ("[first \"\"]", "] and a space"),
        ("[first \"\" ] ", "] and a space"),
        ("[first \"\"]  ", "the game's name"),
        ("[first \"a\nb\"] ", "one line without control characters"),
        ("[first \"\u{85}\"] ", "one line without control characters"),
        ("[first \"\u{2029}\"] ", "one line without control characters"),
        ("[a \"\"] [a \"\"] ", "invalid record header \"a\": expected each name once"),
        ("[", "a name and a text"),
    ] {
        let message = refused(&format!("{header}tictac X:"));
        assert!(message.contains(expected), "{header:?}: {message}");
    }
    let most: String = (0..Headers::MOST).map(|n| format!("[a{n} \"\"] ")).collect();
    assert!(format!("{most}tictac X:").parse::<Record<TicTac>>().is_ok());
    assert!(refused(&format!("{most}[b \"\"] tictac X:")).contains("at most 64 headers"));
    let mut headers = Headers::default();
    headers.set(&"a".repeat(Headers::LONGEST_NAME), &"é".repeat(Headers::LONGEST_VALUE)).unwrap();
    let before = headers.clone();
    let long = "é".repeat(Headers::LONGEST_VALUE + 1);
    let errors = [headers.set(&"a".repeat(65), ""), headers.set("a", &long), headers.set("a", "\r")];
    assert_eq!(
        errors.map(|error| error.unwrap_err().name().to_owned()),
        ["header name", "header a", "header a"]
    );
    assert_eq!(headers, before);
}

/// Published games, one a line.
const GAMES: &str = include_str!("othello.ggf");

#[test]
fn published_games_end_as_published() {
    let mut games = 0;
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let record = Record::from_ggf(line).unwrap();
        let [dark, light] = record.last().tiles().map(|tiles| tiles.len() as f64);
        let number = |name: &str| record.headers().get(name).map(|text| text.parse::<f64>().unwrap());
        if let Some(result) = number("result") {
            assert_eq!(dark - light, result + number("komi").unwrap_or(0.0), "{line}");
            assert!(record.last().is_over());
        }
        let ggf = record.to_ggf().unwrap();
        assert_eq!(Record::from_ggf(&ggf).as_ref(), Ok(&record));
        assert_eq!(record.to_string().parse().as_ref(), Ok(&record));
        // As published, but for the values and times of moves, and how squares and passes are written.
        let squares = |text: &str| {
            let (_, moves) = text.split_once("BO[").unwrap().1.split_once(']').unwrap();
            let moves = moves.split(']').filter_map(|tag| tag.split_once('['));
            moves.map(|(colour, at)| (colour.to_owned(), at[..2].to_ascii_lowercase())).collect::<Vec<_>>()
        };
        assert_eq!(squares(&ggf), squares(line));
        games += 1;
    }
    assert_eq!(games, 6);
}

#[test]
fn ggf_and_pgn_say_what_is_wrong() {
    let board = "4 ---- -O*- -*O- ---- *";
    let game = |tags: &str| format!("(;GM[Othello]BO[{board}]{tags};)");
    for (text, expected) in [
        (game("").replace("Othello", "Go"), "invalid GGF game \"GM[Go]\": expected GM[Othello]"),
        (game("").replace(board, "4 ---- -O*- -*O- --- *"), "16 cells, of which there are 15"),
        (game("W[a2]"), "ply 1: invalid GGF move \"W[a2]\": expected a move of B, who is to move"),
        (game("B[a2]W[pass]"), "ply 2: invalid GGF move \"W[pass]\": expected a move, since there is one"),
        (game("B[a2]W[d4]"), "ply 2: illegal move \"d4\""),
        (game("TY[8]"), "the size of the board, 4"),
    ] {
        let error = Record::from_ggf(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(Record::new(Reversi::default()).to_ggf().is_err());
    assert!(Record::new(Reversi::default()).to_pgn().is_err());
    assert!(Record::new(Reversi::othello(4, 6).unwrap()).to_ggf().is_err());
    let record = Record::from_ggf(&game("PB[Ada]B[a2]W[a1]")).unwrap();
    assert_eq!(
        record.to_ggf().unwrap(),
        format!("(;GM[Othello]PC[]PB[Ada]PW[]TI[0]TY[4]RE[?]BO[{board}]B[a2]W[a1];)")
    );
    let pgn = record.to_pgn().unwrap();
    assert!(pgn.contains(
        "[Black \"Ada\"]\n[White \"?\"]\n[Result \"*\"]\n[Position \"____/_LD_/_DL_/____ D\"]\n\n"
    ));
    assert!(pgn.ends_with("\n\n1. a2 a1 *\n"));
}
