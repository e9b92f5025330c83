//! Reversi with arrow keys, on a real terminal.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGTERM},
    flag,
    low_level::emulate_default_handler,
};

use super::reversi::{Shown, Table};
use super::{Failure, Io};
use crate::Position;
use crate::reversi::{PositionSet, Square};

/// The terminal in raw mode; dropping this restores it.
struct Screen;

impl Screen {
    fn new() -> io::Result<Self> {
        enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is gone, there is nobody to tell.
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// The signals that end a program, which wait, as long as this lives, until the terminal is restored.
#[derive(Default)]
struct Ending {
    /// The signal that came, or 0.
    signal: Arc<AtomicUsize>,
    /// Whether signals have their usual effect again.
    over: Arc<AtomicBool>,
}

impl Ending {
    fn new() -> io::Result<Self> {
        let ending = Ending::default();
        #[cfg(unix)]
        for signal in [SIGHUP, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&ending.over))?;
            flag::register_usize(signal, Arc::clone(&ending.signal), signal as usize)?;
        }
        Ok(ending)
    }

    fn has_come(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        #[cfg(unix)]
        if self.has_come() {
            // Ends the program; if it cannot, the game has ended at least.
            let _ = emulate_default_handler(self.signal.load(Ordering::Relaxed) as i32);
        }
    }
}

/// The meaning of a key press.
enum Input {
    Step(i32, i32),
    Column(usize),
    Row(usize),
    Play,
    Hint,
    Quit,
    Nothing,
}

/// Waits for a key press, a signal, or another event.
fn next_input(ending: &Ending) -> io::Result<Input> {
    // How often it looks for a signal.
    const GLANCE: Duration = Duration::from_millis(50);
    loop {
        while !event::poll(GLANCE)? {
            if ending.has_come() {
                return Ok(Input::Quit);
            }
        }
        let Event::Key(key) = event::read()? else { return Ok(Input::Nothing) };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        return Ok(match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => Input::Quit,
            KeyCode::Char('q') | KeyCode::Esc => Input::Quit,
            KeyCode::Left => Input::Step(-1, 0),
            KeyCode::Right => Input::Step(1, 0),
            KeyCode::Up => Input::Step(0, -1),
            KeyCode::Down => Input::Step(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => Input::Play,
            KeyCode::Char('?') => Input::Hint,
            KeyCode::Char(column @ 'a'..='h') => Input::Column(column as usize - 'a' as usize),
            KeyCode::Char(row @ '1'..='8') => Input::Row(row as usize - '1' as usize),
            _ => Input::Nothing,
        });
    }
}

/// The key presses of a game.
struct Keys<'a> {
    /// Those that came while the computer was thinking.
    waiting: Mutex<VecDeque<Input>>,
    ending: &'a Ending,
}

impl Keys<'_> {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<Input>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> io::Result<Input> {
        let first = self.waiting().pop_front();
        first.map_or_else(|| next_input(self.ending), Ok)
    }

    /// Returns whether the player quits; all other keys wait.
    fn has_quit(&self) -> io::Result<bool> {
        if self.ending.has_come() {
            return Ok(true);
        }
        while event::poll(Duration::ZERO)? {
            match next_input(self.ending)? {
                Input::Quit => return Ok(true),
                input => self.waiting().push_back(input),
            }
        }
        Ok(false)
    }

    /// Lets the computer move, and returns what to say of it; `None` if the player quits meanwhile.
    fn computer_move(&self, table: &mut Table) -> Option<String> {
        let quit = AtomicBool::new(false);
        let look = || {
            // From a terminal that is gone no more keys will come.
            if quit.load(Ordering::Relaxed) || self.has_quit().unwrap_or(true) {
                quit.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let square = table.computer_move(&look)?;
        if look().is_break() {
            return None;
        }
        Some(format!("The computer plays {square}. {}", table.make(square)))
    }
}

/// Plays a game to its end, or until the player quits.
pub(super) fn play(io: &mut Io, table: &mut Table) -> Result<u8, Failure> {
    let mut said = String::new();
    let finished = {
        // Dropped after the screen, so that a signal ends the program when the terminal is as it was.
        let ending = Ending::new()?;
        let _screen = Screen::new()?;
        let keys = Keys { waiting: Mutex::default(), ending: &ending };
        let mut cursor = table.position.moves().next();
        loop {
            if table.is_computers_turn() {
                show(table, None, &format!("{said}\nThe computer is thinking."), io.colours)?;
                match keys.computer_move(table) {
                    Some(news) => said = news,
                    None => break false,
                }
                continue;
            }
            show(table, cursor, &said, io.colours)?;
            if table.position.is_over() {
                break true;
            }
            let here = cursor.map_or((0, 0), |square| (square.x(), square.y()));
            match keys.next()? {
                Input::Step(dx, dy) => cursor = moved(table, here, dx, dy),
                Input::Column(x) => cursor = on_board(table, x, here.1).or(cursor),
                Input::Row(y) => cursor = on_board(table, here.0, y).or(cursor),
                Input::Play => match cursor.filter(|square| table.position.is_legal(square)) {
                    Some(square) => said = table.make(square),
                    None => said = "That is not a legal move.".to_owned(),
                },
                Input::Hint => said = table.hint(),
                Input::Quit => break false,
                Input::Nothing => {}
            }
        }
    };
    // The last board stays on the normal screen.
    let shown = Shown { colours: io.colours, ..Shown::default() };
    writeln!(io.output, "{}{}", table.draw(shown), table.status())?;
    Ok(if finished { 0 } else { 1 })
}

fn on_board(table: &Table, x: usize, y: usize) -> Option<Square> {
    Square::new(x, y).filter(|_| x < table.position.width() && y < table.position.height())
}

/// Returns the square a step away, wrapping around at the edges.
fn moved(table: &Table, (x, y): (usize, usize), dx: i32, dy: i32) -> Option<Square> {
    let (width, height) = (table.position.width() as i32, table.position.height() as i32);
    let x = (x as i32 + dx).rem_euclid(width);
    let y = (y as i32 + dy).rem_euclid(height);
    Square::new(x as usize, y as usize)
}

/// Draws the board with the gains of the square under the cursor.
fn show(table: &Table, cursor: Option<Square>, said: &str, colours: bool) -> io::Result<()> {
    let gains = cursor.map_or(PositionSet::EMPTY, |square| table.position.gains(square));
    let preview = match cursor {
        Some(square) if table.position.is_legal(&square) => table.preview(square),
        _ => String::new(),
    };
    let text = format!(
        "{}{}\n{preview}\n{said}\narrows or a square's letter and digit move the cursor, Enter plays, ? gives a hint, q quits\n",
        table.draw(Shown { cursor, gains, colours }),
        table.status(),
    );
    let mut screen = io::stdout().lock();
    queue!(screen, MoveTo(0, 0), Clear(ClearType::All))?;
    // In raw mode a newline does not return to the start of the line.
    screen.write_all(text.replace('\n', "\r\n").as_bytes())?;
    screen.flush()
}
