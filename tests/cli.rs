//! The command, byte for byte, in memory and through pipes.

mod common;

#[path = "cli/analysis.rs"]
mod analysis;

use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, Stdio};

use common::{list, number, text, vectors};
use petteia::Rng;
use petteia::any::Game;
use petteia::cli::{Io, run};

/// Runs a program in memory and returns its exit code, output and errors.
fn memory(arguments: &[&str], input: &[u8]) -> (u8, String, String) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let code = {
        let mut io = Io::new(input, &mut output, &mut errors);
        run(["petteia"].iter().chain(arguments).map(OsString::from), &mut io)
    };
    (code, String::from_utf8_lossy(&output).into_owned(), String::from_utf8_lossy(&errors).into_owned())
}

/// Runs the binary with pipes and returns its exit code, output and errors.
fn binary(name: Option<&str>, arguments: &[&str], input: &[u8]) -> (u8, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_petteia"));
    if let Some(name) = name {
        use std::os::unix::process::CommandExt;
        command.arg0(name);
    }
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may stop reading early and close the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let code = output.status.code().expect("an exit, not a signal");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (code as u8, text(&output.stdout), text(&output.stderr))
}

/// Runs a program both ways and returns their common result.
fn both(arguments: &[&str], input: &[u8]) -> (u8, String, String) {
    let result = memory(arguments, input);
    assert_eq!(binary(None, arguments, input), result, "{arguments:?}");
    result
}

#[test]
fn tictac_programs_are_those_of_the_vectors() {
    let vectors = vectors("tictac");
    for (program, cases) in [("game-check", &vectors["records"]), ("move-check", &vectors["lines"])] {
        for (i, case) in list(cases).iter().enumerate() {
            let input = text(&case["text"]).as_bytes();
            let expected =
                (number(&case["exit"]) as u8, format!("{}\n", text(&case["output"])), String::new());
            assert_eq!(memory(&[program], input), expected, "{case}");
            if i % 20 == 0 {
                assert_eq!(binary(Some(program), &[], input), expected, "{case}");
            }
        }
    }
}

#[test]
fn move_check_reads_one_line_of_any_length() {
    assert_eq!(both(&["move-check"], b"1 X B2 # \xff\xfe\nrest"), (0, "1 X B2\n".into(), String::new()));
    assert_eq!(both(&["move-check"], b""), (1, "Parse error.\n".into(), String::new()));
    let mut long = b"3 o c1 #".to_vec();
    long.resize(1 << 20, b'x');
    assert_eq!(both(&["move-check"], &long), (0, "3 O C1\n".into(), String::new()));
}

#[test]
fn game_check_takes_files_and_streams() {
    let folder = std::env::temp_dir().join(format!("petteia-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = vec![];
    for (name, record) in [("fine", "1 X B2\n"), ("invalid", "2 X B2\n"), ("empty", ""), ("broken", "what\n")]
    {
        let path = folder.join(name);
        std::fs::write(&path, record).unwrap();
        paths.push(path.to_str().unwrap().to_owned());
    }
    let mut arguments = vec!["game-check"];
    arguments.extend(paths.iter().map(String::as_str));
    let lines = "Game in progress: O's turn.\nInvalid move.\nGame in progress: New game.\nParse error.\n";
    assert_eq!(both(&arguments, b""), (2, lines.into(), String::new()));
    let missing = folder.join("missing");
    let (code, output, errors) = both(&["game-check", &paths[0], missing.to_str().unwrap()], b"");
    assert_eq!((code, output.as_str()), (1, "Game in progress: O's turn.\n"));
    assert!(errors.starts_with("petteia: ") && errors.contains("missing") && errors.lines().count() == 1);
    std::fs::remove_dir_all(&folder).unwrap();

    assert_eq!(
        both(&["game-check", "-0"], b"1 X B2\n\x002 X B2\n\0\0what"),
        (2, lines.into(), String::new())
    );
    assert_eq!(both(&["game-check", "-0"], b""), (0, String::new(), String::new()));
}

#[test]
fn quarto_plays_the_vectors() {
    let vectors = vectors("quarto");
    for case in list(&vectors["myopic"]).iter().chain(list(&vectors["mixed"])) {
        let players = case["players"].as_str().unwrap_or("mm");
        let seed = number(&case["seed"]).to_string();
        let input = case["stdin"].as_str().unwrap_or("");
        let (code, output, errors) =
            memory(&["quarto", &players[..1], &players[1..], &seed], input.as_bytes());
        assert_eq!((code, output.as_str(), errors.as_str()), (0, text(&case["stdout"]), ""));
    }
    let (code, output, _) = both(&["quarto", "m", "m", "2019"], b"");
    assert_eq!((code, output.len()), (0, 5582));
    assert_eq!(both(&["quarto", "m", "m"], b"").1, both(&["quarto", "m", "m", "1"], b"").1);
    let (code, _, errors) = both(&["quarto", "h", "m"], b"SBCH");
    assert_eq!((code, errors.as_str()), (1, "petteia: the input ended before the game did\n"));
}

#[test]
fn breakdown_plays_the_example_of_the_facts() {
    let input = b"x\n\n|\n9\n|\n0\n!\n|\n1\n";
    let expected = "  01\n\n0 ..\n1 ..\nBlack: Invalid input.\nBlack: Invalid input.\nBlack: Column: No room for a \
                    stick there.\nBlack: Column: \n  01\n\n0 *.\n1 *.\nWhite: \n  01\n\n0 *.\n1 *.\nBlack: Column: \
                    \n  01\n\n0 **\n1 **\n\nBlack wins!\n";
    for arguments in [
        ["breakdown", "-w", "2", "-h", "2", "-k", "2", "-q", "2", "-m"],
        ["breakdown", "-b", "-q", "2", "-k", "2", "-h", "2", "-w", "2"],
        ["breakdown", "-q", "2", "-w", "2", "-b", "-k", "2", "-h", "2"],
    ] {
        assert_eq!(both(&arguments, input), (0, expected.into(), String::new()));
        assert_eq!(binary(Some("play"), &arguments[1..], input), (0, expected.into(), String::new()));
    }
    // The rest of a line is discarded, and the last line needs no newline.
    let typed = b"|xyz\n0 and more\n!\n-\n0\n|\n0\n|\n1";
    let (code, output, _) = both(&["breakdown", "-w", "2", "-h", "3", "-k", "2", "-q", "2", "-m"], typed);
    assert!(output.contains("No room") && code == 1, "{output}");
    let (code, output, _) = both(&["breakdown", "-w", "4", "-h", "2", "-k", "5", "-q", "2", "-b"], b"");
    assert_eq!((code, output.as_str()), (0, "  0123\n\n0 ....\n1 ....\n\nIt is a draw.\n"));
}

/// The example game of the document, move by move.
#[test]
fn breakdown_plays_the_document_game() {
    let arguments = ["breakdown", "-w", "4", "-h", "5", "-k", "2", "-q", "2", "-b"];
    let (code, output, errors) = both(&arguments, b"|\n0\n-\n2\n-\n0\n-\n1\n!\n");
    assert!(output.contains("\n\n0 ....\n1 .oo.\n2 **..\n3 *...\n4 *.oo\nBlack: \n"));
    assert!(output.ends_with("  0123\n\n0 ....\n1 ....\n2 *...\n3 *oo.\n4 **oo\nWhite: "));
    assert_eq!((code, errors.as_str()), (1, "petteia: the input ended before the game did\n"));
}

#[test]
fn reversi_is_played_by_typing() {
    let (code, output, errors) = both(&["reversi", "2", "2"], b"nonsense\nc3\n?a1\na1\nb1\n\xff\na2\nb2\n");
    assert_eq!((code, errors.as_str()), (0, ""));
    for line in [
        "Type a square such as a1 to play there, ?a1 to see what it gains, or ? for a hint.",
        "c3 is not a legal move.",
        "a1 would flip nothing.",
        "Dark 2, Light 2. The game is over: it is a tie.",
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    let opening = "d4\ne4\ne5\nd5\n";
    let (code, output, _) = both(&["reversi"], format!("{opening}?e3\ne3\n").as_bytes());
    assert!(output.contains("e3 would flip e4."), "{output}");
    assert!(output.contains("3  _  _  _  _ [+] _  _  _"), "{output}");
    assert!(output.contains("Dark 4, Light 1. Light to move: d3 f3 f5"), "{output}");
    assert_eq!(code, 1);
}

#[test]
fn boards_begin_a_line_where_nothing_echoes() {
    let (_, output, _) = both(&["reversi", "2", "2"], b"?a1\n?c3\n+\n-\nu\na1\nu\na1\n");
    let answers: Vec<&str> = output.split("Dark> ").skip(1).collect();
    let begin = |answer: &str, text: &str| assert!(answer.starts_with(text), "{text:?} {output}");
    begin(answers[0], "\n   a  b\n1 [+] +\n2  +  +\na1 would flip nothing.\n");
    begin(answers[1], "c3 is not a legal move.\n");
    begin(answers[2], "Light: the computer, at level 1 of 10.\n");
    begin(answers[3], "Light: a person.\n");
    begin(answers[4], "There is no move of yours to take back.\n");
    begin(answers[5], "\n   a  b\n1  D  +\n2  +  +\nDark 1, Light 0. Light to move: b1 a2 b2\nLight> \n");
    let taken_back = "The last move is taken back.\n   a  b\n1  +  +\n2  +  +\nDark 0, Light 0. ";
    assert!(answers[5].contains(&format!("Light> \n{taken_back}")), "{output}");
}

/// A person who takes back is to move again, whoever else played meanwhile.
#[test]
fn reversi_is_taken_back_to_a_persons_turn() {
    for side in ["--dark", "--light"] {
        let (code, output, _) =
            memory(&["reversi", "4", "4", side, "random"], b"nothing\nc3\nc2\nb3\nb2\nu\nu\nu\nu\nu\n");
        assert_eq!(code, 1);
        let person = if side == "--dark" { "Light> " } else { "Dark> " };
        let turns: Vec<&str> = output.split(person).collect();
        let last = turns.iter().rposition(|turn| turn.contains("taken back")).unwrap();
        // Every move is taken back in the end, except the computer's first.
        let tiles = if side == "--dark" { "Dark 1, Light 0. Light" } else { "Dark 0, Light 0. Dark" };
        assert!(turns[last].contains(tiles), "{output}");
        assert!(turns[last + 1].starts_with("There is no move of yours to take back."), "{output}");
    }
    // Levels stay within their bounds, and above a person there is level 1.
    let (_, output, _) = memory(&["reversi", "4", "4", "--light", "level:9"], b"+\n+\n-\n");
    let levels: Vec<&str> =
        output.lines().filter_map(|line| line.strip_prefix("Dark> Light: the computer, at ")).collect();
    assert_eq!(levels, ["level 10 of 10.", "level 10 of 10.", "level 9 of 10."]);
}

#[test]
fn documents_programs_have_their_names() {
    for (name, program) in [
        ("move-check", "move-check"),
        ("game-check", "game-check"),
        ("play", "breakdown"),
        ("game", "quarto"),
        ("reversi", "reversi"),
    ] {
        let called = |arguments: &[&str]| binary(Some(&format!("/some/folder/{name}")), arguments, b"");
        let (code, output, errors) = called(&["--help"]);
        assert_eq!((code, errors.as_str()), (0, ""));
        assert!(output.contains(&format!("\nUsage: {name}")) && !output.contains("petteia "), "{output}");
        // Apart from the name, everything is as it is in petteia.
        let (_, own, _) = memory(&[program, "--help"], b"");
        assert_eq!(output, own.replace(&format!("petteia {program}"), name));
        let (code, output, errors) = called(&["--wrong"]);
        assert_eq!((code, output.as_str()), (1, ""));
        let (_, _, own) = memory(&[program, "--wrong"], b"");
        assert_eq!(
            errors,
            own.replace(&format!("petteia {program}"), name).replace("petteia: ", &format!("{name}: "))
        );
    }
    let (_, _, errors) = binary(Some("game-check"), &["missing"], b"");
    assert!(errors.starts_with("game-check: missing: "), "{errors}");
    let (_, _, errors) = binary(Some("game"), &["h", "h"], b"");
    assert_eq!(errors, "game: the input ended before the game did\n");
}

#[test]
fn reversi_says_who_is_skipped_and_who_wins() {
    // Two bots play: the last line of every game must announce the winner or a tie.
    let mut skipped = false;
    for seed in 0..20 {
        let arguments =
            ["reversi", "4", "4", "--dark", "random", "--light", "random", "--seed", &seed.to_string()];
        let (code, output, errors) = memory(&arguments, b"");
        assert_eq!((code, errors.as_str()), (0, ""));
        let last = output.lines().last().unwrap();
        assert!(
            last.contains("The game is over: ") && (last.ends_with("wins.") || last.ends_with("tie.")),
            "{last}"
        );
        skipped |= output.contains(" cannot move and is skipped.");
    }
    assert!(skipped);
    let arguments = [
        "breakdown",
        "-w",
        "4",
        "-h",
        "5",
        "-k",
        "2",
        "-q",
        "2",
        "-b",
        "--black",
        "random",
        "--white",
        "random",
    ];
    let (code, output, _) = both(&arguments, b"");
    assert!(code == 0 && (output.ends_with("wins!\n") || output.ends_with("It is a draw.\n")));
}

/// Perfect play on both sides reaches the known value of a game; the other bots play to the end.
#[test]
fn computers_take_seats() {
    for seed in ["1", "2"] {
        let (code, output, errors) =
            memory(&["reversi", "4", "4", "--dark", "perfect", "--light", "perfect", "--seed", seed], b"");
        assert_eq!((code, errors.as_str()), (0, ""));
        let counts = output.lines().last().unwrap();
        let tiles: Vec<i32> =
            counts.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        assert_eq!(tiles[0] - tiles[1], -3, "{counts}");
        let (code, output, _) = memory(&["quarto", "mcts:20", "perfect:1000", seed], b"");
        assert!(
            code == 0 && (output.ends_with("has won!\n") || output.ends_with("It is a draw.\n")),
            "{output}"
        );
        let (code, output, _) = memory(&["quarto", "level:2", "alphabeta:nodes=100", seed], b"");
        assert!(code == 0 && output.contains(" selected.\n"), "{output}");
        let seats = ["--black", "perfect", "--white", "myopic", "--seed", seed];
        let (code, output, _) = memory(
            &[&["breakdown", "-w", "4", "-h", "4", "-k", "2", "-q", "2", "-m"], &seats[..]].concat(),
            b"",
        );
        // Black, to move first, can force a win.
        assert!(code == 0 && output.ends_with("Black wins!\n"), "{output}");
    }
    for bad in [["quarto", "h", "mctx"], ["reversi", "--dark", "mcts:0"], ["breakdown", "--black", "m"]] {
        let (code, _, errors) = memory(&bad, b"");
        assert!(code == 1 && errors.lines().count() == 1 && errors.contains("expected"), "{errors}");
    }
}

#[test]
fn perft_counts() {
    for (code, output, _) in
        [memory(&["perft", "reversi", "10"], b""), binary(None, &["perft", "reversi", "10"], b"")]
    {
        assert!(code == 0 && output.starts_with("220736 leaves, "), "{output}");
    }
    let (_, output, _) = memory(
        &["perft", "breakdown", "3", "--width", "7", "--height", "6", "--stick", "3", "--square", "3"],
        b"",
    );
    assert!(output.starts_with("2115 leaves, "));
    let (_, output, _) = memory(&["perft", "tictac", "1", "--from", "XX_/OO_/___ X", "--json"], b"");
    let value: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((number(&value["leaves"]), text(&value["game"])), (5, "tictac"));
    let (_, output, _) = memory(&["perft", "quarto", "2"], b"");
    assert!(output.starts_with("256 leaves, "));
    let (_, output, _) = memory(&["perft", "reversi", "10", "--threads", "2", "--table", "1"], b"");
    assert!(output.starts_with("220736 leaves, "));
}

/// Returns the line of a help page that describes an option; there must be exactly one.
fn help_line<'a>(help: &'a str, option: &str) -> &'a str {
    let start = format!("{option} <");
    let mut lines = help.lines().filter(|line| line.trim_start().starts_with(&start));
    let line = lines.next().unwrap_or_else(|| panic!("no {option} in\n{help}"));
    assert_eq!(lines.next(), None, "{option} twice in\n{help}");
    line
}

/// Every parameter of every game is an option.
#[test]
fn games_parameters_are_options() {
    for program in ["perft", "solve", "analyse", "evaluate"] {
        let (_, help, _) = memory(&[program, "--help"], b"");
        for game in Game::ALL {
            for parameter in game.parameters() {
                let line = help_line(&help, &format!("--{}", parameter.name));
                let games = line.split_once(&format!("{} (", parameter.about)).expect(line).1;
                let games = games.split_once(')').expect(line).0;
                assert!(games.split(", ").any(|name| name == game.name()), "{game}: {line}");
            }
        }
        assert!(help_line(&help, "--width").contains(" Number of columns (breakdown, reversi"), "{help}");
        assert!(help_line(&help, "--first").ends_with(" (tictac) [possible values: X, O]"), "{help}");
    }
    for (shell, dashes) in [("bash", "--"), ("zsh", "--"), ("fish", "-l ")] {
        let (_, script, _) = memory(&["completions", shell], b"");
        for parameter in Game::ALL.iter().flat_map(|game| game.parameters()) {
            assert!(script.contains(&format!("{dashes}{}", parameter.name)), "{shell}: {parameter:?}");
        }
        assert!(["X O", "(X O)", "X\\t''\nO\\t''"].iter().any(|words| script.contains(words)), "{shell}");
    }
    // Passing the defaults explicitly changes nothing.
    for game in Game::ALL {
        let plain = ["perft", game.name(), "2", "--json"].map(str::to_owned);
        let spelled = game
            .parameters()
            .iter()
            .flat_map(|parameter| [format!("--{}", parameter.name), parameter.write(parameter.default)]);
        let spelled: Vec<String> = plain.iter().cloned().chain(spelled).collect();
        let [plain, spelled] = [&plain[..], &spelled].map(|words| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (code, output, errors) = memory(&words, b"");
            assert_eq!((code, errors.as_str()), (0, ""), "{words:?}");
            let value: serde_json::Value = serde_json::from_str(&output).unwrap();
            (text(&value["position"]).to_owned(), number(&value["leaves"]))
        });
        assert_eq!(plain, spelled, "{game}");
    }
    let (code, output, _) = memory(&["perft", "tictac", "9", "--first", "O"], b"");
    assert!(code == 0 && output.starts_with("127872 leaves, "), "{output}");
    let (_, output, _) = memory(&["perft", "tictac", "1", "--first", "O", "--json"], b"");
    assert!(output.contains("\"___/___/___ O\""), "{output}");
}

#[test]
fn wrong_parameters_are_told_by_their_options() {
    for (arguments, complaint) in [
        ("perft reversi 2 --stick 2", "--stick: reversi has no such option"),
        ("perft reversi 2 --first X", "--first: reversi has no such option"),
        ("solve quarto --width 4", "--width: quarto has no such option"),
        ("solve tictac --first X --from text", "--first: cannot be combined with --from"),
        (
            "perft reversi 2 --width 9",
            "invalid value '9' for '--width <WIDTH>': expected a number from 2 to 8",
        ),
        (
            "perft reversi 2 --height -1",
            "invalid value '-1' for '--height <HEIGHT>': expected a number from 2 to 8",
        ),
        (
            "solve reversi --width x\ny",
            "invalid value 'x\\ny' for '--width <WIDTH>': expected a number from 2 to 8",
        ),
        (
            "perft breakdown 2 --stick 0",
            "invalid value '0' for '--stick <STICK>': expected a number from 1 to 4294967295",
        ),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        assert_eq!(memory(&words, b""), (1, String::new(), format!("petteia: {complaint}\n")), "{arguments}");
    }
    let (code, output, errors) = both(&["perft", "tictac", "2", "--first", "o"], b"");
    assert_eq!((code, output.as_str(), errors.lines().count()), (1, "", 1), "{errors}");
    assert!(errors.contains("invalid value 'o' for '--first <FIRST>' [possible values: X, O]"), "{errors}");
}

/// The examples in the help of the programs that read nothing run.
#[test]
fn examples_of_the_help_run() {
    for program in ["perft", "solve", "analyse", "evaluate"] {
        let (_, help, _) = memory(&[program, "--help"], b"");
        let example = help.lines().skip_while(|line| *line != "Example:").nth(1).expect("an example");
        let words: Vec<&str> = example.split_whitespace().skip(1).collect();
        let (code, _, errors) = memory(&words, b"");
        assert_eq!((code, words[0], errors.as_str()), (0, program, ""), "{example}");
    }
}

#[test]
fn help_is_there_and_names_everything() {
    let (code, output, _) = both(&["--help"], b"");
    assert_eq!(code, 0);
    for program in [
        "move-check",
        "game-check",
        "breakdown",
        "quarto",
        "reversi",
        "perft",
        "solve",
        "analyse",
        "evaluate",
        "link",
        "completions",
        "play",
        "check",
        "selfplay",
        "playouts",
        "match",
        "solve-table",
        "man",
    ] {
        assert!(output.contains(&format!("\n  {program} ")), "{program}");
    }
    for program in
        ["move-check", "game-check", "breakdown", "quarto", "reversi", "perft", "play", "link", "completions"]
    {
        let (code, output, errors) = memory(&[program, "--help"], b"");
        assert!(code == 0 && output.contains("Example:") && errors.is_empty(), "{program}");
    }
    assert_eq!(both(&["--version"], b"").1, concat!("petteia ", env!("CARGO_PKG_VERSION"), "\n"));
    for shell in ["bash", "zsh", "fish"] {
        let (code, output, _) = memory(&["completions", shell], b"");
        assert!(code == 0 && output.contains("move-check"), "{shell}");
    }
    let (_, page, _) = memory(&["man"], b"");
    assert!(page.contains(".TH petteia 1"));
    // Every program that the page refers to has its own page.
    let page = page.replace("\\-", "-");
    let programs: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("petteia-")?.strip_suffix("(1)")).collect();
    assert!(programs.len() == 18 && programs.contains(&"solve"), "{programs:?}");
    for program in programs {
        let (code, page, errors) = memory(&["man", program], b"");
        assert_eq!((code, errors.as_str()), (0, ""), "{program}");
        assert!(page.contains(&format!(".TH petteia-{program} 1")), "{page}");
    }
}

#[test]
fn bad_arguments_are_told_in_one_line() {
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["--frobnicate"],
        &["move-check", "x"],
        &["game-check", "-0", "file"],
        &["breakdown"],
        &["breakdown", "-h"],
        &["breakdown", "-w", "2", "-h", "2", "-k", "2", "-q", "2"],
        &["breakdown", "-w", "2", "-h", "2", "-k", "2", "-q", "2", "-m", "-b"],
        &["breakdown", "-w", "2", "-h", "2", "-k", "2", "-q", "2", "-m", "-m"],
        &["breakdown", "-w", "2", "-w", "2", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "0", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "+2", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "-2", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "2x", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "4294967296", "-h", "2", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "100000", "-h", "100000", "-k", "2", "-q", "2", "-m"],
        &["breakdown", "-w", "-m", "2", "-h", "2", "-k", "2", "-q", "2"],
        &["quarto"],
        &["quarto", "h"],
        &["quarto", "h", "x"],
        &["quarto", "H", "m"],
        &["quarto", "m", "m", "x"],
        &["quarto", "m", "m", "-1"],
        &["quarto", "m", "m", "4294967296"],
        &["quarto", "m", "m", "1", "2"],
        &["reversi", "8"],
        &["reversi", "1", "8"],
        &["reversi", "8", "9"],
        &["reversi", "8", "8", "8"],
        &["reversi", "x", "y"],
        &["reversi", "--dark", "clever"],
        &["perft", "chess", "3"],
        &["perft", "reversi"],
        &["perft", "reversi", "x"],
        &["perft", "reversi", "2", "--stick", "2"],
        &["perft", "reversi", "2", "--threads", "0"],
        &["perft", "reversi", "2", "--table", "0"],
        &["perft", "reversi", "2", "--table", "4000000000"],
        &["perft", "reversi", "2", "--width", "9"],
        &["perft", "reversi", "2", "--from", "nonsense"],
        &["perft", "reversi", "2", "--from", "____/_DL_/_LD_/____ D", "--width", "4"],
        &["perft", "reversi", "-1"],
        &["solve", "reversi", "--time-limit", "-1"],
        &["link"],
        &["link", "/nowhere/at/all"],
        &["completions", "tcsh"],
        &["man", "chess"],
        &["play", "chess"],
        &["play", "tictac", "quarto"],
        &["play", "reversi", "9", "9"],
        &["play", "--port", "65536"],
        &["play", "--host", ""],
        &["check", "breakdown", "--anything", "here"],
        &["selfplay"],
        &["--cflags"],
        &["--libs", "--cflags"],
    ] {
        let (code, output, errors) = memory(arguments, b"");
        assert_eq!((code, output.as_str()), (1, ""), "{arguments:?}");
        assert!(errors.starts_with("petteia: ") && errors.ends_with('\n'), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    }
    for number in ["perft reversi -1", "solve tictac --time-limit -1", "solve tictac --threads -2"] {
        let words: Vec<&str> = number.split(' ').collect();
        assert!(memory(&words, b"").2.contains("expected a number"), "{number}");
    }
    for program in ["check", "selfplay", "match", "--cflags"] {
        assert!(memory(&[program], b"").2.contains("pip install petteia"));
    }
}

/// Whatever bytes it reads, a program ends with one of its exit codes and never panics.
#[test]
fn random_bytes_do_no_harm() {
    let programs: [&[&str]; 7] = [
        &["move-check"],
        &["game-check"],
        &["game-check", "-0"],
        &["breakdown", "-w", "4", "-h", "5", "-k", "2", "-q", "2", "-b"],
        &["quarto", "h", "h"],
        &["quarto", "h", "m", "7"],
        &["reversi", "4", "4"],
    ];
    let likely = b"|-!0123 \n\nabcdABCDSTBECQHO4?#xX\0\xff";
    let mut rng = Rng::new(77);
    for round in 0..400 {
        let length = rng.below(400);
        let input: Vec<u8> = (0..length)
            .map(|_| if round % 2 == 0 { rng.next_u64() as u8 } else { likely[rng.below(likely.len())] })
            .collect();
        for program in programs {
            let (code, _, errors) = memory(program, &input);
            assert!(code <= 2 && errors.lines().count() <= 1, "{program:?} {input:?}");
        }
    }
}

/// A program whose reader goes away ends silently.
#[test]
fn closed_pipe_is_no_reason_to_panic() {
    for arguments in [&["quarto", "m", "m", "2019"][..], &["completions", "bash"], &["--help"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_petteia"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {:?}", output.status);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn solve_prints_the_value_and_the_best_moves() {
    let (code, output, errors) = both_but_time(&["solve", "tictac", "--from", "X_O/_X_/___ O"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(output.starts_with("value 0\nbest C3\nline C3 "), "{output}");
    let (_, output, _) = both_but_time(&["solve", "reversi", "--width", "4", "--height", "3"]);
    assert!(output.starts_with("value "), "{output}");
    let (_, output, _) = both_but_time(&["solve", "breakdown", "--one"]);
    assert!(output.starts_with("value 1\nbest "), "{output}");

    let from = "____/_LD_/_DL_/____ D";
    let arguments = ["solve", "reversi", "--from", from, "--empties-to-winner", "--json"];
    let (code, output, _) = memory(&arguments, b"");
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, json["value"].as_i64(), json["exact"].as_bool()), (0, Some(-10), Some(true)));
    assert_eq!(list(&json["best_moves"]).len(), 4);

    let (code, output, _) = memory(&["solve", "reversi", "--node-limit", "1000", "--time-limit", "9.5"], b"");
    assert_eq!(code, 0);
    assert!(output.starts_with("value from -64 to 64: a limit was hit\n"), "{output}");
}

#[test]
fn solve_complains_in_one_line() {
    for arguments in [
        &["analyse", "tictac", "--from", "XXX/OO_/___ -"][..],
        &["evaluate", "tictac", "--from", "XXX/OO_/___ -"],
        &["analyse", "reversi", "--time", "0"],
        &["analyse", "reversi", "--time", "nan"],
        &["analyse", "reversi", "--nodes", "0"],
        &["analyse", "reversi", "--depth", "-1"],
        &["analyse", "reversi", "--lines", "0"],
        &["solve"],
        &["solve", "chess"],
        &["solve", "tictac", "--width", "4"],
        &["solve", "tictac", "--from", "XXX/OO_/___ -"],
        &["solve", "tictac", "--empties-to-winner"],
        &["solve", "reversi", "--time-limit", "-1"],
        &["solve", "reversi", "--node-limit", "many"],
    ] {
        let (code, output, errors) = both(arguments, b"");
        assert_eq!((code, output.as_str(), errors.lines().count()), (1, "", 1), "{arguments:?} {errors}");
        assert!(errors.starts_with("petteia: "), "{errors}");
    }
}

/// Runs a program both ways and compares all but the last line, which contains the time.
fn both_but_time(arguments: &[&str]) -> (u8, String, String) {
    let (code, output, errors) = memory(arguments, b"");
    let but_time = |text: &str| {
        text.rsplit_once("\n").map(|(head, _)| head.rsplit_once('\n').map(|(h, _)| h.to_owned()))
    };
    let other = binary(None, arguments, b"");
    assert_eq!((other.0, but_time(&other.1)), (code, but_time(&output)), "{arguments:?}");
    (code, output, errors)
}
