//! The rules and the notation, compared with the oracle.

mod oracle;

use std::collections::{HashMap, HashSet};

use connect_four::{Column, ConnectFour};
use oracle::Oracle;
use petteia::prelude::*;
use petteia::{Rng, SolveOptions};

/// Returns the move of a column by its number.
fn column(number: usize) -> Column {
    ConnectFour::new(26, 1).unwrap().move_of(number).unwrap()
}

/// Checks all that the oracle knows of a position.
fn compare(position: &ConnectFour, oracle: &Oracle) {
    assert_eq!(position.to_string(), oracle.text());
    let moves = oracle.moves();
    let outcome = match [b'r', b'y'].map(|player| oracle.has_line(player)) {
        [true, true] => panic!("{position} has two winners"),
        [true, false] => Some(Outcome::Win(Player::First)),
        [false, true] => Some(Outcome::Win(Player::Second)),
        [false, false] if moves.is_empty() => Some(Outcome::Draw),
        [false, false] => None,
    };
    assert_eq!(position.outcome(), outcome, "{position}");
    let next = if oracle.next() == b'r' { Player::First } else { Player::Second };
    assert_eq!(position.turn(), if outcome.is_none() { Some(next) } else { None }, "{position}");
    assert!(position.moves().eq(moves.into_iter().map(column)), "{position}");
    let mut cells = vec![9; oracle.cells().len()];
    position.write_cells(&mut cells);
    let letters: Vec<u8> = cells.iter().map(|&cell| b".ry"[usize::from(cell)]).collect();
    assert_eq!(letters, oracle.cells(), "{position}");
}

/// Plays a random game of both, at most so many moves long.
fn play(width: u32, height: u32, plies: usize, rng: &mut Rng) -> (ConnectFour, Oracle) {
    let mut position = ConnectFour::new(width, height).unwrap();
    let mut oracle = Oracle::new(width as usize, height as usize);
    for _ in 0..plies {
        compare(&position, &oracle);
        let moves = oracle.moves();
        if moves.is_empty() {
            break;
        }
        let chosen = moves[rng.below(moves.len())];
        position.play(column(chosen)).unwrap();
        oracle = oracle.after(chosen);
    }
    compare(&position, &oracle);
    (position, oracle)
}

#[test]
fn random_games_are_those_of_the_oracle() {
    let small = (1..=8).flat_map(|width| (1..=7).map(move |height| (width, height, 40)));
    for (width, height, games) in
        small.chain([(9, 7, 20), (13, 5, 20), (26, 1, 20), (1, 26, 20), (26, 26, 2)])
    {
        for game in 0..games {
            let (position, _) = play(width, height, usize::MAX, &mut Rng::for_game(1, game));
            assert!(position.is_over());
        }
    }
}

/// How many games of so many moves there are on the board of 7 by 6: what generators of its moves are compared by.
const PUBLISHED: [u64; 9] = [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];

#[test]
fn counts_are_the_published_ones() {
    for (depth, count) in (0..).zip(PUBLISHED) {
        assert_eq!(ConnectFour::default().perft(depth), count);
        if depth <= 6 {
            assert_eq!(Oracle::new(7, 6).perft(depth), count);
        }
    }
}

#[test]
fn small_boards_count_like_the_oracle() {
    for (width, height) in [(1, 7), (2, 3), (3, 3), (4, 2), (4, 4), (5, 2), (8, 1), (8, 2), (6, 7)] {
        let (start, oracle) =
            (ConnectFour::new(width, height).unwrap(), Oracle::new(width as usize, height as usize));
        for depth in (0..=8).take_while(|&depth| width.pow(depth) < 100_000) {
            assert_eq!(start.perft(depth), oracle.perft(depth), "{width} by {height}, {depth} plies");
        }
    }
}

/// Compares values and best moves.
fn compare_values(position: &ConnectFour, oracle: &Oracle, known: &mut HashMap<Oracle, i32>) -> i32 {
    let solution = position.solve(&SolveOptions::default()).unwrap();
    let value = oracle.value(known);
    assert_eq!((solution.value, solution.exact), (value, true), "{position}");
    let best = oracle.moves().into_iter().filter(|&column| -oracle.after(column).value(known) == value);
    assert_eq!(solution.best_moves, best.map(column).collect::<Vec<_>>(), "{position}");
    value
}

#[test]
fn small_boards_are_draws() {
    for (width, height) in [(1, 1), (1, 7), (3, 3), (2, 5), (4, 1), (4, 3), (3, 4), (4, 4), (5, 4), (7, 2)] {
        let start = ConnectFour::new(width, height).unwrap();
        let oracle = Oracle::new(width as usize, height as usize);
        assert_eq!(compare_values(&start, &oracle, &mut HashMap::new()), 0, "{width} by {height}");
    }
}

#[test]
fn late_positions_are_worth_what_the_oracle_says() {
    let mut seen = HashSet::new();
    for (width, height, plies) in [(5, 4, 9), (4, 5, 9), (6, 4, 14), (7, 6, 33), (8, 7, 47), (6, 6, 27)] {
        for game in 0..60 {
            let (position, oracle) = play(width, height, plies, &mut Rng::for_game(2, game));
            if !position.is_over() {
                seen.insert(compare_values(&position, &oracle, &mut HashMap::new()));
            }
        }
    }
    assert_eq!(seen, HashSet::from([-1, 0, 1]));
}

/// Reads every text of a board of four by two.
#[test]
fn what_is_read_is_written_the_same_way() {
    let mut reachable = HashSet::new();
    let mut open = vec![Oracle::new(4, 2)];
    while let Some(oracle) = open.pop() {
        if reachable.insert(oracle.text()) {
            open.extend(oracle.moves().into_iter().map(|column| oracle.after(column)));
        }
    }
    let mut read = HashSet::new();
    for number in 0..3u32.pow(8) {
        let cells: Vec<char> = (0..8).map(|i| ['.', 'r', 'y'][(number / 3u32.pow(i) % 3) as usize]).collect();
        let [top, bottom] = [&cells[..4], &cells[4..]].map(|row| row.iter().collect::<String>());
        for turn in ['r', 'y', '-'] {
            let text = format!("{top}/{bottom} {turn}");
            if let Ok(position) = text.parse::<ConnectFour>() {
                assert_eq!(position.to_string(), text);
                read.insert(text);
            }
        }
    }
    assert!(read.is_superset(&reachable));
    // The few others have discs that cannot have been dropped in turn, such as yellow's below all of red's.
    assert_eq!((reachable.len(), read.len()), (741, 755));
}

#[test]
fn bad_texts_are_refused() {
    for (text, expected) in [
        ("", "the player to move"),
        ("...", "the player to move"),
        (" r", "1 to 26 rows of 1 to 26 cells"),
        ("/ r", "1 to 26 rows of 1 to 26 cells"),
        (&format!("{} r", ".".repeat(27)), "1 to 26 rows of 1 to 26 cells"),
        (&format!("{}. r", "./".repeat(26)), "1 to 26 rows of 1 to 26 cells"),
        ("../... r", "rows of the same length"),
        (".../.. r", "rows of the same length"),
        (".../ r", "rows of the same length"),
        ("/... r", "1 to 26 rows of 1 to 26 cells"),
        ("..x r", "cells ., r or y"),
        ("..R r", "cells ., r or y"),
        ("é. r", "cells ., r or y"),
        (".r./... y", "no free cell below a disc"),
        ("r/./y r", "no free cell below a disc"),
        ("rr. y", "as many discs of both players"),
        ("y.. r", "as many discs of both players"),
        ("ryy r", "as many discs of both players"),
        // Both have a line; yellow has one, but red moved last; red went on after a line.
        ("rrrr/yyyy -", "no line but those that the last move completed"),
        ("rrr./yyyy/rrry -", "no line but those that the last move completed"),
        ("yyy..../rrrr... y", "- as the player to move"),
        ("yyyr.../rrrry.. -", "no line but those that the last move completed"),
        ("... -", "r as the player to move"),
        ("... y", "r as the player to move"),
        ("r.. r", "y as the player to move"),
        ("r. -", "y as the player to move"),
        ("... ", "r as the player to move"),
        ("...  r", "r as the player to move"),
        ("... r ", "r as the player to move"),
        ("... r\n", "r as the player to move"),
        ("... r r", "r as the player to move"),
        (" ... r", "1 to 26 rows of 1 to 26 cells"),
    ] {
        match text.parse::<ConnectFour>() {
            Err(error) => {
                assert!(error.expected().contains(expected), "{error}");
                assert_eq!((error.what(), error.input()), ("connect-four position", text));
            }
            Ok(position) => panic!("{text:?} was read as {position:?}"),
        }
    }
    for text in ["", "`", "{", "A", "1", "aa", "a ", " a", "é"] {
        assert!(text.parse::<Column>().is_err(), "{text:?}");
    }
    for (width, height) in [(0, 6), (27, 6), (7, 0), (7, 27), (u32::MAX, u32::MAX)] {
        assert!(ConnectFour::new(width, height).is_err(), "{width} by {height}");
    }
}

#[test]
fn illegal_moves_are_refused() {
    let mut position: ConnectFour = "y../r.. r".parse().unwrap();
    for full_or_missing in ["a", "d", "z"] {
        let error = position.play(full_or_missing.parse().unwrap()).unwrap_err();
        assert_eq!((error.given(), error.position()), (full_or_missing, "y../r.. r"));
    }
    assert_eq!(position.to_string(), "y../r.. r");
    assert_eq!([2, 3, 25].map(|number| position.action(&column(number))), [Some(2), None, None]);
}
