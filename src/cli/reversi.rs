//! Reversi in the terminal.

use std::io::Write;

use super::arguments::Seat;
use super::{Failure, Io, keys};
use crate::reversi::{Player, PositionSet, Reversi, Square};
use crate::{Outcome, Position, Rng};

/// A game in the terminal.
pub(super) struct Table {
    pub(super) position: Reversi,
    seats: [Seat; 2],
    rng: Rng,
}

/// What is shown on the board besides the tiles.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown {
    /// The square that the keys point to.
    pub(super) cursor: Option<Square>,
    /// The squares that a move would gain.
    pub(super) gains: PositionSet,
    /// Whether there are colours.
    pub(super) colours: bool,
}

/// Plays a game to its end.
pub(super) fn play(io: &mut Io, position: Reversi, seats: [Seat; 2], seed: u64) -> Result<u8, Failure> {
    let mut table = Table { position, seats, rng: Rng::new(seed) };
    if io.keys {
        return keys::play(io, &mut table);
    }
    let shown = Shown { colours: io.colours, ..Shown::default() };
    write!(io.output, "{}", table.draw(shown))?;
    while !table.position.is_over() {
        writeln!(io.output, "{}", table.status())?;
        let said = match table.computer_move() {
            Some(square) => {
                writeln!(io.output, "{}> {square}", table.mover())?;
                table.make(square)
            }
            None => ask(io, &mut table)?,
        };
        write!(io.output, "\n{}{}", said, table.draw(shown))?;
    }
    writeln!(io.output, "{}", table.status())?;
    Ok(0)
}

/// Asks for squares until a move is made, and returns what there is to say about it.
fn ask(io: &mut Io, table: &mut Table) -> Result<String, Failure> {
    loop {
        let answer = io.ask(&format!("{}> ", table.mover()))?;
        let answer = String::from_utf8_lossy(&answer).trim().to_owned();
        let (word, preview) = match answer.strip_prefix('?') {
            Some(rest) => (rest.trim(), true),
            None => (answer.as_str(), false),
        };
        match word.parse::<Square>() {
            Ok(square) if !table.position.is_legal(square) => {
                writeln!(io.output, "{square} is not a legal move.")?;
            }
            Ok(square) if preview => {
                let gains = table.position.gains(square);
                write!(io.output, "{}", table.draw(Shown { gains, colours: io.colours, cursor: None }))?;
                writeln!(io.output, "{}", table.preview(square))?;
            }
            Ok(square) => return Ok(table.make(square)),
            Err(_) => writeln!(
                io.output,
                "Type a square such as {} to play there, or ?{0} to see what it gains.",
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

    /// Returns the computer's move, if it is the computer's turn.
    pub(super) fn computer_move(&mut self) -> Option<Square> {
        let player = self.position.turn()?;
        match self.seats[player.index()] {
            Seat::Person => None,
            Seat::Computer(bot) => bot.choose(&self.position, &mut self.rng),
        }
    }

    /// Plays a legal move, and returns a line if the opponent's turn was skipped.
    pub(super) fn make(&mut self, square: Square) -> String {
        let mover = self.position.turn();
        self.position.play_unchecked(square);
        match self.position.turn() {
            next if next.is_some() && next == mover => {
                format!("{} cannot move and is skipped.\n", name(Player::from(mover).other()))
            }
            _ => String::new(),
        }
    }

    fn example(&self) -> String {
        self.position.moves().next().map_or_else(String::new, |square| square.to_string())
    }

    /// Says what a legal move would gain.
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

    /// Says who is to move and where, or how the game ended, and what each side has.
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

    /// Draws the board with labels: tiles as `D` and `L`, legal squares as `+`, what a move would gain in brackets.
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
                let Some(square) = Square::new(x, y) else { continue };
                let player = board.get(square).unwrap_or(Player::Neither);
                let symbol = match player {
                    Player::Neither if self.position.is_legal(square) => '+',
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

/// Returns a player's name as it is said.
fn name(player: Player) -> &'static str {
    match player {
        Player::Dark => "Dark",
        Player::Light => "Light",
        Player::Neither => "Nobody",
    }
}

/// Returns a symbol in its colour: the losing side's tiles are dimmed at the end.
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
