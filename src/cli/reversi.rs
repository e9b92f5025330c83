//! Reversi in the terminal.

use std::io::Write;
use std::ops::ControlFlow;

use clap::{ArgMatches, Command};

use super::analyse::hint;
use super::arguments::{bot, bots, number, seed, value};
use super::{Failure, Io, Program, keys};
use crate::bots::Level;
use crate::parameters::Parameter;
use crate::reversi::{Player, PositionSet, Reversi, Square};
use crate::work::Watch;
use crate::{Bot, Declared, Memory, Outcome, Position, Rng};

pub(super) const PROGRAM: Program = Program { name: "reversi", executable: Some("reversi"), describe, run };

/// The parameters that the program takes.
const SIZE: [&Parameter; 2] = [&Reversi::PARAMETERS[0], &Reversi::PARAMETERS[1]];

/// The sides in the order of play.
const SIDES: [&str; 2] = ["dark", "light"];

fn describe(command: Command) -> Command {
    let size = |parameter: &Parameter| {
        let (least, most) = parameter.bounds();
        let about = format!("{}, {}", parameter.about, parameter.expected());
        number(parameter.name, about, least..=most).default_value(parameter.write(parameter.default))
    };
    let [width, height] = SIZE;
    command
        .about("Plays Reversi in the terminal")
        .args([size(width).requires(height.name), size(height)])
        .args(SIDES.map(bot))
        .arg(seed().long("seed"))
        .after_help(
            "In a terminal, arrow keys or a square's letter and digit move the cursor, which shows what would flip; \
             Enter plays, ? gives a hint, Ctrl-Z suspends, q quits. From a pipe, type d3 to play there, ?d3 to see \
             what it would flip, ? for a hint. In both, u takes back your last move, with what the computer answered, \
             and + and - let the computer play the other side and change its level.\n\n\
             Example:\n  petteia reversi 6 6 --light level:3",
        )
}

fn run(matches: &ArgMatches, io: &mut Io) -> Result<u8, Failure> {
    let size: [u32; 2] = SIZE.map(|parameter| value(matches, parameter.name));
    let rng = Rng::new(value::<u32>(matches, "seed").into());
    let mut table = Table {
        position: Reversi::start(&size)?,
        past: Vec::new(),
        bots: bots(matches, SIDES),
        memories: Default::default(),
        rng,
    };
    if io.keys { keys::play(io, &mut table) } else { play(io, &mut table) }
}

/// A game in the terminal.
pub(super) struct Table {
    pub(super) position: Reversi,
    /// The positions before, in the order of play.
    past: Vec<Reversi>,
    /// Who plays each side: a bot, or `None` for a person.
    bots: [Option<Bot>; 2],
    /// What each bot remembers of the game.
    memories: [Memory; 2],
    rng: Rng,
}

/// What is drawn besides the tiles.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The square under the cursor.
    pub(super) cursor: Option<Square>,
    /// The squares that a move would gain.
    pub(super) gains: PositionSet,
    /// Whether to use colours.
    pub(super) colours: bool,
}

/// Plays a game to its end.
fn play(io: &mut Io, table: &mut Table) -> Result<u8, Failure> {
    let shown = Shown { colours: io.colours, ..Shown::default() };
    write!(io.output, "{}", table.draw(shown))?;
    while !table.position.is_over() {
        writeln!(io.output, "{}", table.status())?;
        let said = match table.computer_move(&|| ControlFlow::Continue(())) {
            Some(square) => {
                writeln!(io.output, "{}> {square}", table.mover())?;
                table.make(square)
            }
            None => ask(io, table)?,
        };
        write!(io.output, "\n{}{}", said, table.draw(shown))?;
    }
    writeln!(io.output, "{}", table.status())?;
    Ok(0)
}

/// Asks until a move is made or taken back, and returns what to say of it.
fn ask(io: &mut Io, table: &mut Table) -> Result<String, Failure> {
    loop {
        let answer = io.ask(&format!("{}> ", table.mover()))?;
        let answer = String::from_utf8_lossy(&answer).trim().to_owned();
        let (word, preview) = match answer.strip_prefix('?') {
            Some(rest) => (rest.trim(), true),
            None => (answer.as_str(), false),
        };
        match word.parse::<Square>() {
            _ if answer == "?" => writeln!(io.output, "{}", table.hint())?,
            _ if answer == "+" => writeln!(io.output, "{}", table.raise_level())?,
            _ if answer == "-" => writeln!(io.output, "{}", table.lower_level())?,
            _ if answer == "u" => match table.take_back() {
                Ok(said) => return Ok(format!("{said}\n")),
                Err(complaint) => writeln!(io.output, "{complaint}")?,
            },
            Ok(square) if !table.position.is_legal(&square) => {
                writeln!(io.output, "{square} is not a legal move.")?;
            }
            Ok(square) if preview => {
                let gains = table.position.gains(square);
                // In a pipe no echo ends the prompt's line.
                write!(io.output, "\n{}", table.draw(Shown { gains, colours: io.colours, cursor: None }))?;
                writeln!(io.output, "{}", table.preview(square))?;
            }
            Ok(square) => return Ok(table.make(square)),
            Err(_) => writeln!(
                io.output,
                "Type a square such as {} to play there, ?{0} to see what it gains, or ? for a hint. u takes back, + and - \
                 change the computer's level.",
                table.example()
            )?,
        }
    }
}

impl Table {
    /// Returns the name of the player to move.
    fn mover(&self) -> &'static str {
        name(self.position.turn().into())
    }

    /// Returns whether it is a computer's turn.
    pub(super) fn is_computers_turn(&self) -> bool {
        self.position.turn().is_some_and(|turn| self.bots[turn.index()].is_some())
    }

    /// Returns the computer's move, if it is the computer's turn; `watch` can cut its thinking short.
    pub(super) fn computer_move(&mut self, watch: Watch<'_>) -> Option<Square> {
        let side = self.position.turn()?.index();
        let bot = self.bots[side]?;
        let choice = bot.think(&self.position, &mut self.rng, &self.memories[side], watch);
        Some(choice.expect("there is a move until the game is over").m)
    }

    /// Returns a hint for the player to move.
    pub(super) fn hint(&self) -> String {
        hint(&self.position)
    }

    /// Plays a legal move, and returns a message if the opponent is skipped.
    pub(super) fn make(&mut self, square: Square) -> String {
        let mover = self.position.turn();
        self.past.push(self.position);
        self.position.play_unchecked(square);
        match self.position.turn() {
            next if next.is_some() && next == mover => {
                format!("{} cannot move and is skipped.\n", name(Player::from(mover).other()))
            }
            _ => String::new(),
        }
    }

    /// Takes back all moves from a person's last one on, and returns what to say of it, or else why not.
    pub(super) fn take_back(&mut self) -> Result<String, &'static str> {
        let person =
            |position: &Reversi| position.turn().is_some_and(|turn| self.bots[turn.index()].is_none());
        let kept = self.past.iter().rposition(person).ok_or("There is no move of yours to take back.")?;
        self.position = self.past[kept];
        let moves = self.past.len() - kept;
        self.past.truncate(kept);
        Ok(if moves == 1 {
            "The last move is taken back.".to_owned()
        } else {
            format!("{moves} moves are taken back.")
        })
    }

    /// Lets the computer play the side that is not to move, one level higher than before, and returns what to say of it.
    pub(super) fn raise_level(&mut self) -> String {
        self.change_level(|level| (level + 1).min(Level::STRONGEST.get()))
    }

    /// Lets the computer play the side that is not to move, one level lower than before; below the lowest a person plays.
    pub(super) fn lower_level(&mut self) -> String {
        self.change_level(|level| level.saturating_sub(1))
    }

    fn change_level(&mut self, change: impl FnOnce(u8) -> u8) -> String {
        let Some(side) = self.position.turn().map(|turn| turn.other()) else { return String::new() };
        let before = match self.bots[side.index()] {
            None => 0,
            Some(Bot::Level(level)) => level.get(),
            Some(_) => Level::STRONGEST.get(),
        };
        let level = Level::new(change(before));
        self.bots[side.index()] = level.map(Bot::Level);
        self.memories[side.index()] = Memory::default();
        let name = name(Some(side).into());
        match level {
            Some(level) => {
                format!("{name}: the computer, at level {} of {}.", level.get(), Level::STRONGEST.get())
            }
            None => format!("{name}: a person."),
        }
    }

    /// Returns a legal move as an example; the game must not be over.
    fn example(&self) -> Square {
        self.position.moves().next().expect("there is a move until the game is over")
    }

    /// Describes what a legal move would flip.
    pub(super) fn preview(&self, square: Square) -> String {
        let mut flips = self.position.gains(square);
        flips.remove(square);
        let squares: Vec<String> = flips.iter().map(|square| square.to_string()).collect();
        match squares.len() {
            0 => format!("{square} would flip nothing."),
            1 => format!("{square} would flip {}.", squares[0]),
            count => format!("{square} would flip {count} tiles: {}.", squares.join(" ")),
        }
    }

    /// Describes the state of the game: the tiles of each side, then the legal moves or the result.
    pub(super) fn status(&self) -> String {
        let [dark, light] = self.position.tiles().map(PositionSet::len);
        match self.position.outcome() {
            None => {
                let squares: Vec<String> = self.position.moves().map(|square| square.to_string()).collect();
                format!("Dark {dark}, Light {light}. {} to move: {}", self.mover(), squares.join(" "))
            }
            Some(Outcome::Draw) => format!("Dark {dark}, Light {light}. The game is over: it is a tie."),
            Some(Outcome::Win(player)) => {
                format!("Dark {dark}, Light {light}. The game is over: {} wins.", name(Some(player).into()))
            }
        }
    }

    /// Draws the board with labels: tiles as `D` and `L`, legal squares as `+`, the gains of a move in brackets.
    pub(super) fn draw(&self, shown: Shown) -> String {
        let (width, height) = (self.position.width(), self.position.height());
        let board = self.position.board();
        let winner = self.position.outcome().map(|outcome| Player::from(outcome.winner()));
        let columns: Vec<String> = (0..width).map(|x| char::from(b'a' + x as u8).to_string()).collect();
        let mut text = format!("   {}\n", columns.join("  "));
        for y in 0..height {
            text.push_str(&(y + 1).to_string());
            text.push(' ');
            for x in 0..width {
                let square = Square::new(x, y).expect("no board is larger than 8 by 8");
                let player = board.get(square).expect("the square is on the board");
                let symbol = match player {
                    Player::Neither if self.position.is_legal(&square) => '+',
                    player => player.symbol(),
                };
                let lost = winner.is_some_and(|winner| winner != Player::Neither && winner == player.other());
                let [left, right] = match () {
                    () if shown.cursor == Some(square) => ['<', '>'],
                    () if shown.gains.contains(square) => ['[', ']'],
                    () => [' ', ' '],
                };
                text.push(left);
                text.push_str(&paint(symbol, player, lost, shown.colours));
                text.push(right);
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

/// Returns a player's name for display.
fn name(player: Player) -> &'static str {
    match player {
        Player::Dark => "Dark",
        Player::Light => "Light",
        Player::Neither => "Nobody",
    }
}

/// Returns a symbol in its colour. At the end, the loser's tiles are dimmed.
fn paint(symbol: char, player: Player, lost: bool, colours: bool) -> String {
    let code = match (player, symbol) {
        _ if !colours => return symbol.to_string(),
        _ if lost => "2",
        (Player::Dark, _) => "1;34",
        (Player::Light, _) => "1;33",
        (Player::Neither, '+') => "32",
        (Player::Neither, _) => "2",
    };
    format!("\x1b[{code}m{symbol}\x1b[0m")
}
