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
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
#[cfg(unix)]
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Signal, kill_current_process_group},
};
#[cfg(unix)]
use signal_hook::{
    consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM},
    flag,
    low_level::emulate_default_handler,
};

use super::reversi::{Shown, Table};
use super::{Failure, Io};
use crate::Position;
use crate::reversi::{PositionSet, Square};

/// The exit status of a program that Ctrl-C ends, as shells report it.
const INTERRUPTED: u8 = 130;

/// The terminal in raw mode; dropping this restores it.
struct Screen;

impl Screen {
    fn new() -> io::Result<Self> {
        let screen = Screen;
        screen.enter()?;
        // From the first look at the keyboard on, crossterm is told of changes of the window's size.
        event::poll(Duration::ZERO)?;
        Ok(screen)
    }

    fn enter(&self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, Hide)
    }

    fn leave(&self) -> io::Result<()> {
        execute!(io::stdout(), LeaveAlternateScreen, Show)?;
        disable_raw_mode()
    }

    /// Suspends the program, as Ctrl-Z does where the terminal is not in raw mode, and returns when it goes on.
    fn suspend(&self) -> io::Result<()> {
        self.leave()?;
        // The whole job, since a shell waits until all of it has stopped. Nothing stops where there is no shell to
        // continue it.
        #[cfg(unix)]
        kill_current_process_group(Signal::TSTP)?;
        self.enter()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is gone, there is nobody to tell.
        let _ = self.leave();
        let _ = disable_raw_mode();
    }
}

/// The signals that a game has to know of.
#[derive(Default)]
struct Signals {
    /// The signal that ends the program, or 0; it waits, as long as this lives, until the terminal is restored.
    ending: Arc<AtomicUsize>,
    /// Whether signals have their usual effect again.
    over: Arc<AtomicBool>,
    /// Whether the program was stopped and goes on.
    resumed: Arc<AtomicBool>,
}

impl Signals {
    fn new() -> io::Result<Self> {
        let signals = Signals::default();
        #[cfg(unix)]
        {
            for signal in [SIGHUP, SIGINT, SIGTERM] {
                flag::register_conditional_default(signal, Arc::clone(&signals.over))?;
                flag::register_usize(signal, Arc::clone(&signals.ending), signal as usize)?;
            }
            flag::register(SIGCONT, Arc::clone(&signals.resumed))?;
        }
        Ok(signals)
    }

    /// Returns whether the program has to end.
    fn end(&self) -> bool {
        self.ending.load(Ordering::Relaxed) != 0
    }

    /// Returns, once, whether the program was stopped and goes on.
    fn take_resumed(&self) -> bool {
        self.resumed.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        #[cfg(unix)]
        if self.end() {
            // Ends the program; if it cannot, the game has ended at least.
            let _ = emulate_default_handler(self.ending.load(Ordering::Relaxed) as i32);
        }
    }
}

/// The meaning of a key press.
enum Input {
    Step(i32, i32),
    Column(usize),
    Row(usize),
    Play,
    TakeBack,
    Raise,
    Lower,
    Hint,
    /// The window changed, or the program was suspended: draw it again.
    Redraw,
    Leave(Leaving),
    Nothing,
}

/// How a player leaves a game that is not over.
#[derive(Clone, Copy)]
enum Leaving {
    Quit,
    Interrupt,
}

impl Leaving {
    fn status(self) -> u8 {
        match self {
            Leaving::Quit => 0,
            Leaving::Interrupt => INTERRUPTED,
        }
    }
}

/// Waits for a key press, a signal or the end of a time, and returns whether the terminal is gone.
#[cfg(unix)]
fn is_gone_within(time: Duration) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut keyboard = [PollFd::new(&stdin, PollFlags::IN)];
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    match poll(&mut keyboard, Some(&time)) {
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(keyboard[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)),
    }
}

/// The keyboard, and what else happens to the program.
struct Keys<'a> {
    screen: &'a Screen,
    signals: &'a Signals,
    /// The key presses that came while the computer was thinking.
    waiting: Mutex<VecDeque<Input>>,
}

impl Keys<'_> {
    fn waiting(&self) -> MutexGuard<'_, VecDeque<Input>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a key press or another event.
    fn next(&self) -> io::Result<Input> {
        // How often it looks for a signal.
        const GLANCE: Duration = Duration::from_millis(50);
        if let Some(input) = self.waiting().pop_front() {
            return Ok(input);
        }
        loop {
            if let Some(input) = self.poll(GLANCE)? {
                return Ok(input);
            }
        }
    }

    /// Returns what happens within a time, if anything does.
    fn poll(&self, time: Duration) -> io::Result<Option<Input>> {
        #[cfg(unix)]
        let time = {
            // Always before crossterm looks: it would read for ever from a terminal that is gone. What it has read
            // already does not wait.
            if is_gone_within(Duration::ZERO)? || !event::poll(Duration::ZERO)? && is_gone_within(time)? {
                return Ok(Some(Input::Leave(Leaving::Quit)));
            }
            Duration::ZERO
        };
        let ready = event::poll(time)?;
        if self.signals.end() {
            return Ok(Some(Input::Leave(Leaving::Quit)));
        }
        if self.signals.take_resumed() {
            // Whoever stopped it may have left the terminal in any state.
            self.screen.leave()?;
            self.screen.enter()?;
            return Ok(Some(Input::Redraw));
        }
        if !ready {
            return Ok(None);
        }
        let key = match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            Event::Resize(..) => return Ok(Some(Input::Redraw)),
            _ => return Ok(None),
        };
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(Some(match key.code {
                KeyCode::Char('c') => Input::Leave(Leaving::Interrupt),
                KeyCode::Char('d') => Input::Leave(Leaving::Quit),
                KeyCode::Char('z') => {
                    self.screen.suspend()?;
                    self.signals.take_resumed();
                    Input::Redraw
                }
                _ => Input::Nothing,
            }));
        }
        Ok(Some(match key.code {
            KeyCode::Char('q') | KeyCode::Esc => Input::Leave(Leaving::Quit),
            KeyCode::Left => Input::Step(-1, 0),
            KeyCode::Right => Input::Step(1, 0),
            KeyCode::Up => Input::Step(0, -1),
            KeyCode::Down => Input::Step(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => Input::Play,
            KeyCode::Char('u') => Input::TakeBack,
            KeyCode::Char('+') => Input::Raise,
            KeyCode::Char('-') => Input::Lower,
            KeyCode::Char('?') => Input::Hint,
            KeyCode::Char(column @ 'a'..='h') => Input::Column(column as usize - 'a' as usize),
            KeyCode::Char(row @ '1'..='8') => Input::Row(row as usize - '1' as usize),
            _ => Input::Nothing,
        }))
    }

    /// Lets the computer move, and returns what to say of it, unless the player leaves meanwhile; other keys wait.
    fn computer_move(&self, table: &mut Table, page: &Page) -> io::Result<Result<String, Leaving>> {
        let stop = Mutex::new(None);
        let stop = || stop.lock().unwrap_or_else(PoisonError::into_inner);
        let attend = || -> io::Result<Option<Leaving>> {
            while let Some(input) = self.poll(Duration::ZERO)? {
                match input {
                    Input::Leave(leaving) => return Ok(Some(leaving)),
                    Input::Redraw => {
                        page.show()?;
                    }
                    input => self.waiting().push_back(input),
                }
            }
            Ok(None)
        };
        let look = || {
            let mut stop = stop();
            if stop.is_none() {
                *stop = attend().transpose();
            }
            if stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let square = table.computer_move(&look);
        // A quick move is made without a look.
        let _ = look();
        match (stop().take(), square) {
            (Some(leaving), _) => leaving.map(Err),
            (None, square) => {
                let square = square.expect("the computer moves until it is stopped");
                Ok(Ok(format!("The computer plays {square}. {}", table.make(square))))
            }
        }
    }
}

/// Plays a game to its end, or until the player leaves.
pub(super) fn play(io: &mut Io, table: &mut Table) -> Result<u8, Failure> {
    let status = {
        // Dropped after the screen, so that a signal ends the program when the terminal is as it was.
        let signals = Signals::new()?;
        let screen = Screen::new()?;
        let keys = Keys { screen: &screen, signals: &signals, waiting: Mutex::default() };
        keep_playing(&keys, table, io.colours)?
    };
    // The last board stays on the normal screen.
    let shown = Shown { colours: io.colours, ..Shown::default() };
    writeln!(io.output, "{}{}", table.draw(shown), table.status())?;
    Ok(status)
}

/// Plays on until the end, or until the player leaves, and returns the exit status.
fn keep_playing(keys: &Keys<'_>, table: &mut Table, colours: bool) -> io::Result<u8> {
    let mut cursor = table.position.moves().next();
    // What happened last, and what was wrong with the last key. The latter goes when the cursor moves.
    let (mut news, mut complaint) = (String::new(), String::new());
    loop {
        if table.is_computers_turn() {
            let page = Page::new(table, None, format!("{news}\nThe computer is thinking."), colours);
            page.show()?;
            match keys.computer_move(table, &page)? {
                Ok(said) => news = said,
                Err(leaving) => return Ok(leaving.status()),
            }
            continue;
        }
        let said = if complaint.is_empty() { &news } else { &complaint };
        let is_visible = Page::new(table, cursor, said.clone(), colours).show()?;
        if table.position.is_over() {
            return Ok(0);
        }
        let (x, y) = cursor.map_or((0, 0), |square| (square.x(), square.y()));
        let input = keys.next()?;
        if !matches!(input, Input::Redraw) {
            complaint.clear();
        }
        match input {
            Input::Leave(leaving) => return Ok(leaving.status()),
            // Nobody plays on a board that is not seen.
            _ if !is_visible => {}
            Input::Step(dx, dy) => cursor = moved(table, (x, y), dx, dy),
            Input::Column(x) => match on_board(table, x, y) {
                Some(square) => cursor = Some(square),
                None => complaint = "The board has no such column.".to_owned(),
            },
            Input::Row(y) => match on_board(table, x, y) {
                Some(square) => cursor = Some(square),
                None => complaint = "The board has no such row.".to_owned(),
            },
            Input::Play => match cursor.filter(|square| table.position.is_legal(square)) {
                Some(square) => news = table.make(square),
                None => complaint = "That is not a legal move.".to_owned(),
            },
            Input::TakeBack => match table.take_back() {
                Ok(said) => news = said,
                Err(said) => complaint = said.to_owned(),
            },
            Input::Raise => news = table.raise_level(),
            Input::Lower => news = table.lower_level(),
            Input::Hint => news = table.hint(),
            Input::Redraw | Input::Nothing => {}
        }
    }
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

/// What is on the screen.
struct Page {
    board: String,
    /// How many columns the board takes.
    width: usize,
    /// The text below, whose lines are wrapped.
    text: String,
}

impl Page {
    /// Describes a game, with the gains of the square under the cursor.
    fn new(table: &Table, cursor: Option<Square>, said: String, colours: bool) -> Self {
        let gains = cursor.map_or(PositionSet::EMPTY, |square| table.position.gains(square));
        let preview = match cursor {
            Some(square) if table.position.is_legal(&square) => table.preview(square),
            _ => String::new(),
        };
        let help = "arrows or a square's letter and digit move the cursor, Enter plays, u takes back\n\
                    + and - change the computer's level, ? gives a hint, q quits";
        Page {
            // The number of a row and a space, then three columns a square.
            width: 2 + 3 * table.position.width(),
            board: table.draw(Shown { cursor, gains, colours }),
            text: format!("{}\n{preview}\n{}\n{help}", table.status(), said.trim_end()),
        }
    }

    /// Draws the screen anew, and returns whether the window was large enough for it.
    fn show(&self) -> io::Result<bool> {
        /// The fewest columns in which the text can be read.
        const LEAST: usize = 24;
        // A terminal that does not tell its size has 0 columns and rows.
        let [columns, rows] = match terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => [columns.into(), rows.into()],
            _ => [usize::MAX; 2],
        };
        let needed = self.width.max(LEAST);
        let lines: Vec<&str> = self.board.lines().chain(wrapped(&self.text, columns.max(needed))).collect();
        let fits = columns >= needed && rows >= lines.len();
        let page = if fits {
            lines.join("\r\n")
        } else {
            let rows_needed = lines.len();
            let complaint = format!(
                "The window is too small: {columns} columns and {rows} rows, not {needed} and {rows_needed}. q quits."
            );
            wrapped(&complaint, columns).take(rows).collect::<Vec<_>>().join("\r\n")
        };
        let mut screen = io::stdout().lock();
        queue!(screen, MoveTo(0, 0), Clear(ClearType::All))?;
        screen.write_all(page.as_bytes())?;
        screen.flush()?;
        Ok(fits)
    }
}

/// Breaks lines of ASCII between words, or within words that are longer than a line.
fn wrapped(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(move |line| {
        let mut rest = Some(line);
        std::iter::from_fn(move || {
            let line = rest?;
            if line.len() <= columns {
                rest = None;
                return Some(line);
            }
            let end = line[..=columns].rfind(' ').filter(|&end| end > 0).unwrap_or(columns);
            rest = Some(line[end..].trim_start());
            Some(&line[..end])
        })
    })
}
