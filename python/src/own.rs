//! User-defined games: a Python class with four members, played by the same code as petteia's games.
//!
//! The turn, outcome and moves of a position are read once, when it is created, and checked for consistency, so
//! mistakes in the class are reported where they are made. An exception cannot propagate through a search. Instead,
//! the move that raised it, and every later move of the same call, leads to a finished game, and whoever watches the
//! call stops it at the next beat; then the exception is raised.

use std::cell::Cell;
use std::convert::Infallible;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use petteia::{Engine, Outcome, ParseError, Player, Position};
use pyo3::exceptions::{PyAttributeError, PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PySet, PyString, PyType};

use crate::arguments::{text, type_error};
use crate::errors::illegal;

/// The members that a class must have.
const MEMBERS: [&str; 4] = ["turn", "moves", "play", "outcome"];

/// A position of a user-defined game.
#[derive(Clone)]
pub struct OwnPosition {
    state: Arc<State>,
    session: Arc<Session>,
}

/// The members of an object, read when it was created.
struct State {
    /// None in place of a position that could not be created.
    object: Option<Py<PyAny>>,
    turn: Option<Player>,
    outcome: Option<Outcome>,
    moves: Vec<OwnMove>,
    /// The hash of the object, or of its text.
    hash: u64,
    /// The object's text, if it identifies the position.
    text: Option<String>,
}

/// The data that all positions of one call share.
struct Session {
    /// The name of the class.
    name: String,
    identity: Identity,
    failed: AtomicBool,
    error: Mutex<Option<PyErr>>,
}

/// What identifies a position, depending on the members of the class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Identity {
    /// `__eq__` and `__hash__`.
    Value,
    /// `text`.
    Text,
    /// The object: no two are the same position.
    Object,
}

/// A move, by its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OwnMove(Arc<str>);

impl fmt::Display for OwnMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for OwnMove {
    type Err = ParseError;

    /// Accepts any text: only the game knows which are moves.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(OwnMove(text.into()))
    }
}

thread_local! {
    /// How many nested calls with user-defined games this thread is in.
    static NESTED: Cell<usize> = const { Cell::new(0) };
}

/// How deep these calls may nest: a class whose members solve their own position would overflow the stack.
const DEEPEST: usize = 32;

/// Counts a call while it lasts.
pub struct Nested(());

impl Nested {
    pub fn enter() -> PyResult<Self> {
        NESTED.with(|nested| match nested.get() {
            DEEPEST.. => Err(PyRecursionError::new_err(
                "calls to petteia with your own game or evaluator are nested too deeply: expected code that does not call it on itself",
            )),
            depth => {
                nested.set(depth + 1);
                Ok(Nested(()))
            }
        })
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTED.with(|nested| nested.set(nested.get() - 1));
    }
}

impl OwnPosition {
    /// Reads a position, or raises a TypeError that names all missing members.
    pub fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let class = object.get_type();
        check_members(object, &class)?;
        let identity = identity_of(object, &class)?;
        let session = Session {
            name: class_name(&class),
            identity,
            failed: AtomicBool::new(false),
            error: Mutex::new(None),
        };
        let state = session.read(object)?;
        Ok(OwnPosition { state: Arc::new(state), session: Arc::new(session) })
    }

    /// Reads another position of the same game, or raises a TypeError that names it.
    pub fn read_another(&self, object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let same = self
            .state
            .object
            .as_ref()
            .is_some_and(|own| object.get_type().is(own.bind(object.py()).get_type()));
        if !same {
            return Err(type_error(&format!("a position of {} as {name}", self.session.name), object));
        }
        let state = self.session.read(object)?;
        Ok(OwnPosition { state: Arc::new(state), session: Arc::clone(&self.session) })
    }

    /// Raises the exception that the game has raised meanwhile, if any; the game remains one that has failed.
    pub fn raise(&self) -> PyResult<()> {
        let error = self.session.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        error.map_or(Ok(()), Err)
    }

    /// Raises the exception that the game has raised meanwhile, if any, and lets it go on.
    pub fn check(&self) -> PyResult<()> {
        let raised = self.raise();
        self.session.failed.store(false, Ordering::Relaxed);
        raised
    }

    /// Returns the object itself.
    pub fn object(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.check()?;
        self.state.object.as_ref().map(|object| object.clone_ref(py)).ok_or_else(|| {
            PyValueError::new_err(format!("a position of {} could not be created", self.session.name))
        })
    }

    /// Returns the text of a position if the class has one.
    pub fn line(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match self.object(py)?.bind(py).getattr_opt("text")? {
            None => Ok(None),
            Some(found) => match found.cast::<PyString>() {
                Ok(found) => Ok(Some(text(found).into_owned())),
                Err(_) => Err(self.session.wrong("text", "a str", &found)),
            },
        }
    }
}

/// Returns the position after a move of a user-defined game, which need not check its moves itself.
#[pyfunction]
#[pyo3(signature = (position, m))]
pub fn after(position: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let _nested = Nested::enter()?;
    let mut own = OwnPosition::read(position)?;
    let written = m.cast::<PyString>().map_err(|_| type_error("a move as a str", m))?;
    let played = own.play(OwnMove((*text(written)).into()));
    own.check()?;
    played.map_err(|refused| illegal(refused, m))?;
    own.object(m.py())
}

impl Session {
    /// Reads and checks the members of an object.
    fn read(&self, object: &Bound<'_, PyAny>) -> PyResult<State> {
        let turn = object.getattr("turn")?;
        let player = match turn.extract::<Option<u8>>() {
            Ok(None) => None,
            Ok(Some(0)) => Some(Player::First),
            Ok(Some(1)) => Some(Player::Second),
            _ => return Err(self.wrong("turn", "0, 1 or None", &turn)),
        };
        let ended = object.getattr("outcome")?;
        let outcome = match ended.extract::<Option<Bound<'_, crate::outcome::Outcome>>>() {
            Ok(ended) => ended.map(|ended| ended.get().core()),
            Err(_) => return Err(self.wrong("outcome", "None or a petteia.Outcome", &ended)),
        };
        let moves = self.read_moves(&object.getattr("moves")?)?;
        let over = [player.is_none(), moves.is_empty(), outcome.is_some()];
        if over != [true; 3] && over != [false; 3] {
            let shown = object.repr().map(|shown| shown.to_string_lossy().into_owned());
            return Err(PyValueError::new_err(format!(
                "{} has a turn of {}, {} moves and an outcome of {}: expected no turn, no moves and an outcome when the game is over, and only then, in {}",
                self.name,
                turn.str()?.to_string_lossy(),
                moves.len(),
                ended.str()?.to_string_lossy(),
                shown.unwrap_or_else(|_| "an object without a repr".to_owned()),
            )));
        }
        let (hash, text) = match self.identity {
            Identity::Value => (object.hash()? as u64, None),
            Identity::Text => {
                let found = object.getattr("text")?;
                let line = found.cast::<PyString>().map_err(|_| self.wrong("text", "a str", &found))?;
                (object.getattr("text")?.hash()? as u64, Some(text(line).into_owned()))
            }
            Identity::Object => (object.as_ptr().addr() as u64, None),
        };
        Ok(State { object: Some(object.clone().unbind()), turn: player, outcome, moves, hash, text })
    }

    fn read_moves(&self, given: &Bound<'_, PyAny>) -> PyResult<Vec<OwnMove>> {
        let expected = "a list of str";
        // A str is an iterable of str too.
        if given.is_instance_of::<PyString>() || given.is_callable() {
            return Err(self.wrong("moves", expected, given));
        }
        if given.is_instance_of::<PySet>() || given.is_instance_of::<PyFrozenSet>() {
            return Err(self.wrong("moves", "a list of str, always in the same order", given));
        }
        let mut moves: Vec<OwnMove> = Vec::new();
        for found in given.try_iter().map_err(|_| self.wrong("moves", expected, given))? {
            let found = found?;
            let written = found.cast::<PyString>().map_err(|_| self.wrong("moves", expected, given))?;
            let written = written.to_str().map_err(|_| {
                PyValueError::new_err(format!("{}.moves has a lone surrogate: expected text", self.name))
            })?;
            moves.push(OwnMove(written.into()));
        }
        let mut sorted: Vec<&OwnMove> = moves.iter().collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message =
                format!("{}.moves has {:?} twice: expected each move once", self.name, &*twice[0].0);
            return Err(PyValueError::new_err(message));
        }
        Ok(moves)
    }

    /// Describes a member with a wrong value.
    #[cold]
    fn wrong(&self, member: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
        let shown = match given.is_callable() {
            true => "a method (did you forget @property?)".to_owned(),
            false => given.repr().map_or_else(
                |_| "an object without a repr".to_owned(),
                |shown| shown.to_string_lossy().into_owned(),
            ),
        };
        let mut end = shown.len().min(200);
        while !shown.is_char_boundary(end) {
            end -= 1;
        }
        PyTypeError::new_err(format!("{}.{member} is {}: expected {expected}", self.name, &shown[..end]))
    }

    /// Plays a move on an object.
    fn play(&self, py: Python<'_>, object: &Py<PyAny>, m: &OwnMove) -> PyResult<State> {
        // Lets Ctrl-C stop a game that goes on forever, in any call.
        py.check_signals()?;
        let object = object.bind(py);
        let next = object.call_method1(pyo3::intern!(py, "play"), (&*m.0,))?;
        if next.is(object) {
            let message =
                format!("{}.play({:?}) returned the position itself: expected a new one", self.name, &*m.0);
            return Err(PyValueError::new_err(message));
        }
        if next.is_none() {
            let message = format!("{}.play({:?}) returned None: expected a new position", self.name, &*m.0);
            return Err(PyTypeError::new_err(message));
        }
        let class = next.get_type();
        if !class.is(object.get_type()) {
            check_members(&next, &class).map_err(|error| match error.is_instance_of::<PyTypeError>(py) {
                true => PyTypeError::new_err(format!("{}.play({:?}): {}", self.name, &*m.0, error.value(py))),
                false => error,
            })?;
        }
        self.read(&next)
    }

    fn fail(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.failed.store(true, Ordering::Relaxed);
    }
}

/// Raises a TypeError that names all members that an object lacks.
fn check_members(object: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> PyResult<()> {
    if let Ok(class) = object.cast::<PyType>() {
        let name = class_name(class);
        return Err(PyTypeError::new_err(format!(
            "expected a position, such as {name}(), not the class {name}"
        )));
    }
    let mut missing = Vec::new();
    for member in MEMBERS {
        // A property that raises is not missing: its exception is raised when it is read.
        if !class.hasattr(member)? {
            match object.getattr(member) {
                Ok(_) => {}
                Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => missing.push(member),
                Err(error) => return Err(error),
            }
        }
    }
    if missing.len() == MEMBERS.len() {
        let message = format!(
            "expected a position of petteia, or an object with turn, moves, play and outcome, not {}",
            class_name(class)
        );
        return Err(PyTypeError::new_err(message));
    }
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} has no {}: expected a position with turn, moves, play and outcome",
        class_name(class),
        missing.join(", no ")
    );
    Err(PyTypeError::new_err(message))
}

fn class_name(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(|_| "object".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Returns what identifies the positions of a class.
fn identity_of(object: &Bound<'_, PyAny>, class: &Bound<'_, PyType>) -> PyResult<Identity> {
    let plain = object.py().get_type::<PyAny>();
    let hash = class.getattr("__hash__")?;
    if !hash.is_none() && !hash.is(&plain.getattr("__hash__")?) {
        return Ok(Identity::Value);
    }
    Ok(if object.hasattr("text")? { Identity::Text } else { Identity::Object })
}

impl Position for OwnPosition {
    type Move = OwnMove;
    type Moves = vec::IntoIter<OwnMove>;

    const NAME: &'static str = "own game";

    fn name(&self) -> &str {
        &self.session.name
    }

    fn turn(&self) -> Option<Player> {
        self.state.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome
    }

    fn moves(&self) -> Self::Moves {
        self.state.moves.clone().into_iter()
    }

    fn is_legal(&self, m: &OwnMove) -> bool {
        self.state.moves.contains(m)
    }

    fn play_unchecked(&mut self, m: OwnMove) {
        let next = match &self.state.object {
            Some(object) if !self.session.failed.load(Ordering::Relaxed) => {
                Python::attach(|py| self.session.play(py, object, &m))
                    .map_err(|error| self.session.fail(error))
            }
            _ => Err(()),
        };
        self.state = Arc::new(next.unwrap_or_else(|()| State {
            object: None,
            turn: None,
            outcome: Some(Outcome::Draw),
            moves: Vec::new(),
            hash: 0,
            text: None,
        }));
    }
}

impl Engine for OwnPosition {}

impl PartialEq for OwnPosition {
    fn eq(&self, other: &Self) -> bool {
        let (mine, other) = (&self.state, &other.state);
        if Arc::ptr_eq(mine, other) {
            return true;
        }
        let (Some(object), Some(another)) = (&mine.object, &other.object) else {
            return mine.object.is_none() && other.object.is_none();
        };
        match self.session.identity {
            _ if mine.hash != other.hash => false,
            Identity::Object => object.is(another),
            Identity::Text => mine.text == other.text,
            Identity::Value => Python::attach(|py| {
                let equal = object.bind(py).eq(another);
                equal.unwrap_or_else(|error| {
                    self.session.fail(error);
                    false
                })
            }),
        }
    }
}

impl Eq for OwnPosition {}

impl Hash for OwnPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.state.hash.hash(state);
    }
}

impl fmt::Debug for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", self.session.name)
    }
}

/// Writes the text of the object, or its repr if it has none.
impl fmt::Display for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(object) = &self.state.object else {
            return f.write_str("a position that could not be created");
        };
        let Ok(shown) = Python::attach(|py| {
            let object = object.bind(py);
            let found = object.getattr_opt("text").ok().flatten();
            let found = found.and_then(|found| found.cast_into::<PyString>().ok());
            let shown = found.map_or_else(|| object.repr(), Ok);
            Ok::<_, Infallible>(shown.map_or_else(
                |_| format!("an object of {}", self.session.name),
                |shown| text(&shown).into_owned(),
            ))
        });
        f.write_str(&shown)
    }
}
