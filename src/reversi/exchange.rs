//! Records in the formats of Othello programs: GGF, the Generic Game Format of the server GGS, and PGN.
//!
//! Othello has no opening phase: its games start with four tiles in the centre. So both formats get a game from where
//! its opening is over, and Black is petteia's Dark.

use super::board::{self, Board};
use super::position::Reversi;
use super::position_set::Square;
use crate::error::{ArgumentError, ParseError, or_no_memory, push};
use crate::position::{Outcome, Player, Position};
use crate::record::{InQuotes, Record, RecordError};

/// The tags of GGF that describe a game, in their usual order, and the headers of records that they become.
const TAGS: [(&str, &str); 14] = [
    ("PC", "place"),
    ("DT", "date"),
    ("PB", "first"),
    ("PW", "second"),
    ("RB", "first-rating"),
    ("RW", "second-rating"),
    ("TI", "time"),
    ("TB", "first-time"),
    ("TW", "second-time"),
    ("TY", "type"),
    ("KB", "first-komi"),
    ("KW", "second-komi"),
    ("KM", "komi"),
    ("RE", "result"),
];

/// What GGF writes for what is not known, where other programs expect a tag.
const UNKNOWN: [(&str, &str); 5] = [("PC", ""), ("PB", ""), ("PW", ""), ("TI", "0"), ("RE", "?")];

/// GGF's cells and colours: Black's, White's.
const CELLS: [char; 2] = ['*', 'O'];

impl Record<Reversi> {
    /// Reads a game of Othello in GGF, such as `(;GM[Othello]PB[Ada]PW[Bob]BO[8 …]B[f5]W[d6];)`.
    ///
    /// The tags that describe the game become headers: PC `place`, DT `date`, PB `first`, PW `second`, RB and RW
    /// `first-rating` and `second-rating`, TI, TB and TW `time`, `first-time` and `second-time`, TY `type` if it says more
    /// than the size, KB, KW and KM `first-komi`, `second-komi` and `komi`, RE `result`. Other tags, passes, and the
    /// values and times of moves are left out. The number 1 that archives put before a game is skipped.
    ///
    /// # Errors
    ///
    /// A [`RecordError`] for text that is not one game of Othello, and for an illegal move; plies are counted without
    /// passes.
    pub fn from_ggf(text: &str) -> Result<Self, RecordError> {
        or_no_memory(|| read_ggf(text))?
    }

    /// Writes the game in GGF, on one line.
    ///
    /// Headers become tags as in [`from_ggf`](Record::from_ggf); others are left out. RE is the header `result` if it is
    /// one of GGF, else the disc difference of a finished game.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for what GGF cannot say: a board that is not square, a game that is still in the opening, a
    /// header with a closing bracket.
    pub fn to_ggf(&self) -> Result<String, ArgumentError> {
        let (start, moves) = opened(self)?;
        let size = start.width();
        if start.height() != size {
            let given = format!("{size}x{}", start.height());
            return Err(ArgumentError::of_text("board", given, "a square one, for GGF"));
        }
        let mut ggf = String::new();
        ggf.push_str("(;GM[Othello]");
        for (tag, header) in TAGS {
            let given = self.headers().get(header).filter(|value| !value.is_empty());
            let value = match tag {
                "TY" => Some(given.filter(|ty| is_type(ty, size)).map_or(size.to_string(), str::to_owned)),
                "RE" => given
                    .filter(|result| score(result).is_some())
                    .map(str::to_owned)
                    .or_else(|| self.last().outcome().map(|_| format!("{:+}.000", difference(self.last())))),
                _ => given.map(str::to_owned),
            };
            let unknown =
                UNKNOWN.iter().find(|(known, _)| *known == tag).map(|(_, value)| (*value).to_owned());
            let Some(value) = value.or(unknown) else { continue };
            if value.contains(']') {
                let expected = "a text without ], which ends the texts of GGF";
                return Err(ArgumentError::of_text(format!("header {header}"), value, expected));
            }
            ggf.push_str(&format!("{tag}[{value}]"));
        }
        ggf.push_str(&format!("BO[{size} "));
        let [dark, light] = start.tiles();
        for y in 0..size {
            for square in (0..size).filter_map(|x| Square::new(x, y)) {
                let sides = [dark.contains(square), light.contains(square)];
                let cell = sides.iter().position(|owns| *owns).map_or('-', |side| CELLS[side]);
                ggf.push(cell);
            }
            ggf.push(' ');
        }
        let mover = start.turn().unwrap_or(Player::First);
        ggf.push_str(&format!("{}]", CELLS[mover.index()]));
        for (player, square) in turns(&start, moves) {
            let colour = ["B", "W"][player.index()];
            ggf.push_str(&match square {
                Some(square) => format!("{colour}[{square}]"),
                None => format!("{colour}[PA]"),
            });
        }
        ggf.push_str(";)");
        Ok(ggf)
    }

    /// Writes the game in the manner of PGN, the format of chess: a line for each tag, an empty line, and the moves with
    /// their numbers, in lines of at most 79 characters.
    ///
    /// The tags are Event, Site, Date, Round, Black, White and Result, of which Site is the header `place`, Black `first`
    /// and White `second`, then the other headers. Result is `1-0` if Black won, `0-1` if White did, `1/2-1/2` for a draw
    /// and `*` for a game that goes on. A game that starts anywhere but at the start of 8x8 Othello has a tag Position
    /// with the text of its first one. A pass is written `pass`.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] for a game that is still in the opening.
    pub fn to_pgn(&self) -> Result<String, ArgumentError> {
        let (start, moves) = opened(self)?;
        let result = result(self);
        let roster = [
            ("Event", "event"),
            ("Site", "place"),
            ("Date", "date"),
            ("Round", "round"),
            ("Black", "first"),
            ("White", "second"),
            ("Result", "result"),
        ];
        let mut pgn = String::new();
        for (tag, header) in roster {
            let value = if tag == "Result" { result } else { self.headers().get(header).unwrap_or("?") };
            pgn.push_str(&format!("[{tag} {}]\n", InQuotes(value)));
        }
        for (name, value) in self.headers().iter() {
            let tag = capitalised(name);
            // No tag comes twice.
            if tag != "Position" && roster.iter().all(|(known, header)| *known != tag && *header != name) {
                pgn.push_str(&format!("[{tag} {}]\n", InQuotes(value)));
            }
        }
        if Ok(start) != Reversi::othello(8, 8) {
            pgn.push_str(&format!("[Position \"{start}\"]\n"));
        }
        pgn.push('\n');
        let mut column = 0;
        let mut word = |word: &str| {
            let space = match column {
                0 => "",
                column if column + 1 + word.len() > 79 => "\n",
                _ => " ",
            };
            column = if space == " " { column + 1 + word.len() } else { word.len() };
            pgn.push_str(space);
            pgn.push_str(word);
        };
        let mut number = 0;
        for (player, square) in turns(&start, moves) {
            match player {
                Player::First => {
                    number += 1;
                    word(&format!("{number}."));
                }
                Player::Second if number == 0 => {
                    number = 1;
                    word("1...");
                }
                Player::Second => {}
            }
            word(&square.map_or("pass".to_owned(), |square| square.to_string()));
        }
        if self.last().is_over() {
            let [dark, light] = self.last().tiles();
            word(&format!("{{{}-{}}}", dark.len(), light.len()));
        }
        word(result);
        pgn.push('\n');
        Ok(pgn)
    }
}

/// Returns the position in which the opening of a game is over, and the moves from there on.
fn opened(record: &Record<Reversi>) -> Result<(Reversi, &[Square]), ArgumentError> {
    let found = record.positions().enumerate().find(|(_, position)| !position.is_opening());
    let (ply, start) = found.ok_or_else(|| {
        let expected = "one whose four centre squares are occupied, since Othello starts there";
        ArgumentError::of_text("record", record, expected)
    })?;
    Ok((start, &record.moves()[ply..]))
}

/// Returns the moves with their players, and the passes between them as `None`.
fn turns(start: &Reversi, moves: &[Square]) -> Vec<(Player, Option<Square>)> {
    let mut turns = Vec::new();
    let mut position = *start;
    let mut next = position.turn();
    for square in moves.iter().map(Some).chain([None]) {
        // What follows the last move is at most a pass.
        let Some(player) = position.turn() else { break };
        if next == Some(player.other()) {
            turns.push((player.other(), None));
        }
        if let Some(&square) = square {
            turns.push((player, Some(square)));
            position.play_unchecked(square);
            next = Some(player.other());
        }
    }
    turns
}

/// Returns by how many tiles Dark leads.
fn difference(position: &Reversi) -> i64 {
    let [dark, light] = position.tiles().map(|tiles| tiles.len() as i64);
    dark - light
}

/// Returns the result of a game for PGN: that of its last position, or of its header if the game goes on there.
fn result(record: &Record<Reversi>) -> &'static str {
    const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];
    if let Some(outcome) = record.last().outcome() {
        return match outcome {
            Outcome::Win(player) => RESULTS[player.index()],
            Outcome::Draw => RESULTS[2],
        };
    }
    let stated = record.headers().get("result").unwrap_or_default();
    let known = RESULTS.iter().find(|result| **result == stated);
    let scored = score(stated).map(|score| match score {
        score if score > 0.0 => RESULTS[0],
        score if score < 0.0 => RESULTS[1],
        _ => RESULTS[2],
    });
    known.copied().or(scored).unwrap_or("*")
}

/// Reads a result of GGF, such as `+12.000` or `-64.00:r`: by how much Black won, and why, if not on the board.
fn score(text: &str) -> Option<f64> {
    let number = [":r", ":t", ":s"].iter().find_map(|flag| text.strip_suffix(flag)).unwrap_or(text);
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { number.parse().ok() } else { None }
}

/// Returns whether a text is a type of GGF for boards of a size, such as `8`, `s8r20` and `8k`; with an `a` it would be
/// Anti-Othello.
fn is_type(text: &str, size: usize) -> bool {
    let digits = text.strip_prefix('s').unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end] == size.to_string() && !text.contains('a')
}

/// Returns the name of a header as one of PGN: `FirstRating` for `first-rating`.
fn capitalised(name: &str) -> String {
    let words = name.split(['-', '_']);
    words
        .map(|word| {
            word.chars()
                .take(1)
                .map(|c| c.to_ascii_uppercase())
                .chain(word.chars().skip(1))
                .collect::<String>()
        })
        .collect()
}

fn read_ggf(text: &str) -> Result<Record<Reversi>, RecordError> {
    let tags = read_tags(text)?;
    let only = |wanted: &str| {
        let mut values = tags.iter().filter(|(tag, _)| *tag == wanted).map(|(_, value)| *value);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(ParseError::new("GGF game", text, format!("one tag {wanted}"))),
        }
    };
    let missing = |what: &str| ParseError::new("GGF game", text, what);
    let game = only("GM")?.ok_or_else(|| missing("the tag GM[Othello]"))?;
    if !game.eq_ignore_ascii_case("Othello") {
        return Err(ParseError::new("GGF game", format!("GM[{game}]"), "GM[Othello]").into());
    }
    let start = read_board(only("BO")?.ok_or_else(|| missing("the tag BO with the first position"))?)?;
    let mut record = Record::new(start);
    for (tag, header) in TAGS {
        let Some(value) = only(tag)?.filter(|value| !value.is_empty()) else { continue };
        let wrong = |expected: &str| ParseError::new("GGF tag", format!("{tag}[{value}]"), expected);
        if tag == "TY" && value.contains('a') {
            return Err(wrong("a game that the player with more tiles wins, not Anti-Othello").into());
        }
        if tag == "TY" && !is_type(value, start.width()) {
            return Err(wrong(&format!("the size of the board, {}", start.width())).into());
        }
        let plain = tag == "TY" && value.bytes().all(|byte| byte.is_ascii_digit());
        if !plain && !UNKNOWN.contains(&(tag, value)) {
            record.headers_mut().set(header, value).map_err(|error| wrong(error.expected()))?;
        }
    }
    for (tag, value) in tags {
        let player = match tag {
            "B" => Player::First,
            "W" => Player::Second,
            _ => continue,
        };
        play(&mut record, player, tag, value)?;
    }
    Ok(record)
}

/// Splits a game of GGF into its tags and their values.
fn read_tags(text: &str) -> Result<Vec<(&str, &str)>, ParseError> {
    let error = |expected: &str| ParseError::new("GGF game", text, expected);
    let game = text.trim();
    let game = game.strip_prefix("1 ").unwrap_or(game);
    let mut rest = game.strip_prefix("(;").ok_or_else(|| error("a game that begins with (;"))?;
    let mut tags = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(";)") {
            return if after.is_empty() {
                Ok(tags)
            } else {
                Err(error("one game, and nothing after its ;)"))
            };
        }
        let (tag, value) = rest.split_once('[').ok_or_else(|| error("tags such as PB[Ada], then ;)"))?;
        if tag.is_empty() || !tag.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return Err(error("tags with names in capital letters, such as PB[Ada]"));
        }
        let (value, after) = value.split_once(']').ok_or_else(|| error("a ] after the text of each tag"))?;
        push("tags", &mut tags, (tag, value));
        rest = after;
    }
}

/// Reads the first position: the size, the cells from the top, and the colour to move.
fn read_board(text: &str) -> Result<Reversi, ParseError> {
    let error = |expected: &str| ParseError::new("GGF board", text, expected);
    let mut words = text.split_whitespace();
    let size = words.next().and_then(|word| word.parse::<usize>().ok());
    let size = size.filter(|size| (2..=8).contains(size)).ok_or_else(|| error("a size of 2 to 8 first"))?;
    let colour = words.next_back().and_then(|word| CELLS.iter().position(|cell| word.chars().eq([*cell])));
    let mover = match colour {
        Some(0) => Player::First,
        Some(_) => Player::Second,
        None => return Err(error("* or O for the player to move at the end")),
    };
    let mut board = Board::new(size, size).map_err(|_| error("a size of 2 to 8 first"))?;
    let mut count = 0;
    for cell in words.flat_map(str::chars) {
        let player = match cell {
            '*' => board::Player::Dark,
            'O' => board::Player::Light,
            '-' => board::Player::Neither,
            _ => return Err(error("cells *, O or -")),
        };
        if let Some(square) = Square::new(count % size, count / size) {
            // A square beyond the board is one cell too many, as the count tells.
            let _ = board.set(square, player);
        }
        count += 1;
    }
    if count != size * size {
        return Err(error(&format!("{} cells, of which there are {count}", size * size)));
    }
    let position = |turn| Reversi::from_board(&board, turn);
    position(Some(mover)).or_else(|refused| {
        // GGF may say that it is the turn of a player who cannot move.
        let passed = position(Some(mover.other())).or_else(|_| position(None));
        passed.map_err(|_| error(refused.expected()))
    })
}

/// Plays a move of GGF, such as `d3/1.25/0.4`, or a pass.
fn play(record: &mut Record<Reversi>, player: Player, tag: &str, value: &str) -> Result<(), RecordError> {
    let ply = record.moves().len() + 1;
    let wrong = |expected: &str| ParseError::new("GGF move", format!("{tag}[{value}]"), expected).at_ply(ply);
    let name = value.split('/').next().unwrap_or_default().trim();
    let turn = record.last().turn();
    if ["pa", "pass"].iter().any(|pass| name.eq_ignore_ascii_case(pass)) {
        // Who cannot move passes: petteia has skipped the turn, or the game is over.
        return if turn == Some(player) { Err(wrong("a move, since there is one").into()) } else { Ok(()) };
    }
    let square: Square = name
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| wrong("a square such as d3, or PA for a pass, and perhaps /value/time"))?;
    if turn == Some(player.other()) {
        let other = if tag == "B" { "W" } else { "B" };
        return Err(wrong(&format!("a move of {other}, who is to move")).into());
    }
    Ok(record.play(square)?)
}
