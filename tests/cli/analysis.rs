//! Analysis, estimates and hints.

use super::{both, both_but_time, list, memory};

#[test]
fn analyses_and_estimates_are_told_apart() {
    let won = ["analyse", "tictac", "--from", "XX_/OO_/___ X", "--lines", "2", "--depth", "1"];
    let (code, output, errors) = both_but_time(&won);
    assert_eq!((code, errors.as_str()), (0, ""));
    let lines: Vec<&str> = output.lines().collect();
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert!(words == ["A3", "exact:", "win", "A3"] && lines.len() == 4, "{output}");
    assert!(lines[3].starts_with("depth 1, "), "{output}");
    let (_, output, _) = both_but_time(&["analyse", "reversi", "--nodes", "1000", "--time", "9"]);
    assert!(output.lines().nth(1).is_some_and(|line| line.contains("  estimate: win ")), "{output}");
    let (_, output, _) = memory(&[&won[..], &["--json"]].concat(), b"");
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(list(&json["lines"][0]["moves"]), ["A3"]);
    assert_eq!((json["lines"][0]["value"].as_i64(), json["depth"].as_u64()), (Some(1), Some(1)));
    assert!(json["lines"][1]["estimate"]["win"].is_number(), "{output}");

    let (code, output, _) = both(&["evaluate", "quarto"], b"");
    assert!(code == 0 && output.starts_with("estimate: win ") && output.lines().count() == 1, "{output}");
    let (_, output, _) = both(&["evaluate", "breakdown", "--json"], b"");
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert!(json["estimate"]["draw"].is_number() && json["estimate"]["difference"].is_null(), "{output}");
}

/// Hints are there for those who ask, and leave the documents' programs as they are.
#[test]
fn hints_say_what_they_are() {
    let (_, output, _) = both(&["reversi", "4", "4"], b"?\n");
    assert!(output.contains("Dark> Hint: ") && output.contains(" (exact: loss by 3).\n"), "{output}");
    let (_, output, _) = memory(&["reversi"], b"?\n");
    assert!(output.contains(" (estimate: win "), "{output}");
    let breakdown = ["breakdown", "-w", "4", "-h", "4", "-k", "2", "-q", "2", "-m"];
    let (_, output, _) = both(&[&breakdown[..], &["--hints"]].concat(), b"?\n");
    assert!(output.contains("Black: Hint: ") && output.contains(" (exact: win).\n"), "{output}");
    assert!(output.contains(".\nIt wins, whatever the opponent does.\nBlack: "), "{output}");
    let (_, output, _) = both(&breakdown, b"?\n");
    assert!(output.ends_with("Black: Invalid input.\nBlack: "), "{output}");
    let (_, output, _) = memory(&["quarto", "h", "m", "1", "--hints"], b"SBCH\n");
    assert!(output.contains("Player 1's turn to select a piece:\nHint: "), "{output}");
    let (_, output, _) = memory(&["quarto", "h", "m", "1"], b"SBCH\n");
    assert!(!output.contains("Hint"), "{output}");
}
