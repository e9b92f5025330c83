//! Vector environments, with numpy arrays over Rust memory.

use std::num::NonZeroU32;
use std::process;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use petteia::any::{self, AnyBatch, AnyPosition, Game};
use petteia::vector::{Arrays, Illegal, LaneState, MAX_ENVS};
use petteia::{Declared, Start, or_no_memory, with_position, with_starts};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::arguments::Integer::{self, Small};
use crate::arguments::{Given, fresh_seed, number_in, text, threads, type_error};
use crate::arrays::over_memory;
use crate::errors::{OrRaise, Raise, illegal, out_of_range};
use crate::fork::Work;
use crate::games::{any_position, named_values, wrap};
use crate::playouts::Tally;
use crate::position::{pictured, string, written};
use crate::starts::{any_starts, listed};
use crate::work::watched;

/// The lanes, and the memory behind the numpy arrays.
struct State {
    batch: Box<dyn AnyBatch>,
    observations: Vec<u8>,
    action_mask: Vec<u8>,
    turns: Vec<i8>,
    rewards: Vec<[f32; 2]>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    /// The actions of a step, which nobody else can change while they are checked and played.
    actions: Vec<i64>,
}

impl State {
    fn split(&mut self) -> (&mut dyn AnyBatch, Arrays<'_>, &mut [i64]) {
        let arrays = Arrays {
            observations: &mut self.observations,
            action_mask: &mut self.action_mask,
            turns: &mut self.turns,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: Some(&mut self.truncated),
        };
        (&mut *self.batch, arrays, &mut self.actions)
    }

    fn show(&mut self) {
        let (batch, mut arrays, _) = self.split();
        batch.show(&mut arrays);
    }
}

/// How many bytes of arrays are updated within a beat or two.
const QUICKLY_SHOWN: usize = 1 << 25;

/// Many games of one kind, one per lane, stepped together.
///
/// game is a name in petteia.GAMES; parameters are those of its class, such as width and height. Every call updates
/// the arrays in place: they are the same objects for the lifetime of the environment. Each lane has its own random
/// stream, so results depend only on the seed and the actions, not on the number of threads, by default one per
/// processor (None). A seed of None is a fresh one, which env.seed tells.
///
/// Games start as usual; or from start, a position or its text; or from one of a sequence of these, which each lane
/// draws with its random stream. Instead of a name, game may be such a position too.
///
/// A lane whose game has ended shows its last position, the rewards and no legal action. The next step ignores its
/// action and starts a new game there. A game that is not over after max_plies plies is truncated: its lane shows its
/// last position as it is, with its turn and its legal actions, and rewards of 0, and then it starts a new game too.
///
/// An illegal action raises IllegalMove, which names the first lane that has one, and no lane is stepped; with
/// illegal="lose", the player to move loses instead.
///
/// >>> env = petteia.VectorEnv("reversi", 1000, seed=1, width=6, height=6)
/// >>> env.observations.shape, env.action_mask.shape
/// ((1000, 2, 6, 6), (1000, 36))
/// >>> for _ in range(100):
/// ...     observations, rewards, terminated = env.step(env.random_actions())
/// >>> env.position(0) == petteia.Reversi.from_text(env.position(0).text)
/// True
#[pyclass(frozen, module = "petteia")]
pub struct VectorEnv {
    state: Arc<Mutex<State>>,
    /// The process whose Python thread is using the environment, or 0.
    busy: AtomicU32,
    game: Game,
    parameters: Py<PyDict>,
    /// Where games start, if that was given.
    start: Option<Py<PyList>>,
    max_plies: Option<NonZeroU32>,
    seed: AtomicU64,
    illegal: Illegal,
    num_envs: usize,
    threads: usize,
    num_actions: usize,
    observation_shape: [usize; 3],
    observations: Py<PyAny>,
    action_mask: Py<PyAny>,
    turns: Py<PyAny>,
    rewards: Py<PyAny>,
    terminated: Py<PyAny>,
    truncated: Py<PyAny>,
    /// The array over the actions of a step, which numpy copies them to.
    actions: Py<PyAny>,
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, *, seed=Some(Small(0)), threads=None, illegal=Given(None), start=None, max_plies=None, **parameters))]
    #[pyo3(
        text_signature = "(game, num_envs, *, seed=0, threads=None, illegal='raise', start=None, max_plies=None, **parameters)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        num_envs: Integer,
        seed: Option<Integer>,
        threads: Option<Integer>,
        illegal: Given<'_>,
        start: Option<&Bound<'_, PyAny>>,
        max_plies: Option<Integer>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let num_envs = number_in("num_envs", num_envs, 1..=MAX_ENVS as u64)? as usize;
        let seed = match seed {
            Some(given) => number_in("seed", given, 0..=u64::MAX)?,
            None => fresh_seed(py)?,
        };
        let threads = self::threads(threads)?;
        let illegal = match &*illegal.text_or("illegal", "raise")? {
            "raise" => Illegal::Refuse,
            "lose" => Illegal::Lose,
            other => return Err(out_of_range("illegal", format!("{other:?}"), "raise or lose")),
        };
        let max_plies =
            max_plies.map(|given| number_in("max_plies", given, 1..=u32::MAX.into())).transpose()?;
        let max_plies = max_plies.and_then(|plies| NonZeroU32::new(plies as u32));
        let starts = any_starts(game, parameters, start)?;
        let game_is_start = !game.is_instance_of::<PyString>();
        let start = (start.is_some() || game_is_start).then(|| listed(py, &starts)).transpose()?;
        let game = starts.game();
        let parameters = with_starts!(&starts, starts => named(py, starts.first()))?;
        let mut batch = any::batch(starts, num_envs, seed, threads, illegal).or_raise()?;
        batch.set_max_plies(max_plies);
        let (threads, num_actions) = (batch.threads(), batch.num_actions());
        let observation_shape @ [planes, rows, columns] = batch.observation_shape();
        let state = Arc::new(Mutex::new(State {
            observations: zeros(num_envs * batch.observation_len())?,
            action_mask: zeros(num_envs * num_actions)?,
            turns: zeros(num_envs)?,
            rewards: zeros(num_envs)?,
            terminated: zeros(num_envs)?,
            truncated: zeros(num_envs)?,
            actions: zeros(num_envs)?,
            batch,
        }));
        py.detach(|| lock(&state).show());
        let addresses = {
            let mut state = lock(&state);
            [
                state.observations.as_mut_ptr().expose_provenance(),
                state.action_mask.as_mut_ptr().expose_provenance(),
                state.turns.as_mut_ptr().expose_provenance(),
                state.rewards.as_mut_ptr().expose_provenance(),
                state.terminated.as_mut_ptr().expose_provenance(),
                state.truncated.as_mut_ptr().expose_provenance(),
                state.actions.as_mut_ptr().expose_provenance(),
            ]
        };
        let array = |address: usize, shape: &[usize], kind: &'static str| {
            over_memory(py, Arc::clone(&state) as _, address, shape, kind)
        };
        Ok(VectorEnv {
            observations: array(addresses[0], &[num_envs, planes, rows, columns], "u1")?,
            action_mask: array(addresses[1], &[num_envs, num_actions], "b1")?,
            turns: array(addresses[2], &[num_envs], "i1")?,
            rewards: array(addresses[3], &[num_envs, 2], "f4")?,
            terminated: array(addresses[4], &[num_envs], "b1")?,
            truncated: array(addresses[5], &[num_envs], "b1")?,
            actions: array(addresses[6], &[num_envs], "i8")?,
            state,
            busy: AtomicU32::new(0),
            game,
            parameters,
            start: start.map(Bound::unbind),
            max_plies,
            seed: AtomicU64::new(seed),
            illegal,
            num_envs,
            threads,
            num_actions,
            observation_shape,
        })
    }

    /// The planes from the point of view of the player to move: uint8, (lanes, planes, rows, columns).
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.clone_ref(py)
    }

    /// The legal actions: bool, (lanes, actions); none where the game is over.
    #[getter]
    fn action_mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.action_mask.clone_ref(py)
    }

    /// The player to move: int8, (lanes,); 0 or 1, or -1 where the game is over.
    #[getter]
    fn turns(&self, py: Python<'_>) -> Py<PyAny> {
        self.turns.clone_ref(py)
    }

    /// The rewards of both players: float32, (lanes, 2); 1 and -1 if this step won the game, else 0.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyAny> {
        self.rewards.clone_ref(py)
    }

    /// Whether the game is over: bool, (lanes,).
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyAny> {
        self.terminated.clone_ref(py)
    }

    /// Whether the game was truncated after max_plies plies: bool, (lanes,); never where it is over.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyAny> {
        self.truncated.clone_ref(py)
    }

    /// The positions where games start.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let starts = self.enter(py, |state| state.batch.starts())?;
        listed(py, &starts)
    }

    /// After how many plies games are truncated; None is never.
    #[getter]
    fn max_plies(&self) -> Option<u32> {
        self.max_plies.map(NonZeroU32::get)
    }

    /// The seed that the random streams began with, here or at the last reset with a seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed.load(Relaxed)
    }

    /// The number of lanes.
    #[getter]
    fn num_envs(&self) -> usize {
        self.num_envs
    }

    /// The number of threads that take part in a step.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// All parameters of the game.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.parameters.bind(py).copy()
    }

    /// What an illegal action does: raise or lose.
    #[getter]
    fn illegal(&self) -> &'static str {
        match self.illegal {
            Illegal::Refuse => "raise",
            Illegal::Lose => "lose",
        }
    }

    /// The number of actions of the game.
    #[getter]
    fn num_actions(&self) -> usize {
        self.num_actions
    }

    /// The planes, rows and columns of one observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.observation_shape.into()
    }

    /// Starts new games in all lanes, and returns the observations.
    ///
    /// A seed restarts the random streams; without one they continue.
    #[pyo3(signature = (*, seed=None))]
    fn reset(&self, py: Python<'_>, seed: Option<Integer>) -> PyResult<Py<PyAny>> {
        let seed = seed.map(|seed| number_in("seed", seed, 0..=u64::MAX)).transpose()?;
        self.enter(py, |state| {
            if let Some(seed) = seed {
                state.batch.seed(seed);
                self.seed.store(seed, Relaxed);
            }
            state.batch.reset();
            state.show();
        })?;
        Ok(self.observations(py))
    }

    /// Plays an action in every lane, and returns the arrays (observations, rewards, terminated).
    ///
    /// actions has one integer per lane; where the game is over or truncated it is ignored, and a new game starts.
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
    ) -> PyResult<(Py<PyAny>, Py<PyAny>, Py<PyAny>)> {
        let inside = Inside::new(&self.busy)?;
        self.take_actions(actions)?;
        let stepped = self.work(py, |state| {
            let (batch, mut arrays, actions) = state.split();
            batch.step(actions, &mut arrays)
        })?;
        stepped.map_err(|refused| {
            // The exception has the move as it was given: as an action.
            let given = refused.lane().and_then(|lane| actions.get_item(lane).ok());
            match given.and_then(|given| given.call_method0("__index__").ok()) {
                Some(action) => illegal(refused.of(format!("action {action}")), &action),
                None => refused.raise(),
            }
        })?;
        drop(inside);
        Ok((self.observations(py), self.rewards(py), self.terminated(py)))
    }

    /// Picks a legal action for each lane uniformly at random; 0 where the game is over or truncated.
    ///
    /// Returns a new array of int64.
    fn random_actions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let _inside = Inside::new(&self.busy)?;
        self.work(py, |state| {
            let (batch, _, actions) = state.split();
            batch.random_actions(actions);
        })?;
        self.actions.call_method0(py, pyo3::intern!(py, "copy"))
    }

    /// Steps all lanes n times with random actions, and returns the Tally of the games that ended.
    ///
    /// It is the same as n times step(random_actions()), but faster: the arrays are updated once, at the end. Ctrl-C
    /// stops it between two steps, or amid one that takes long: some lanes have then made that step and others have
    /// not. If the arrays are so large that updating them takes long too, they still show the state before the call.
    fn rollout(&self, py: Python<'_>, n: Integer) -> PyResult<Tally> {
        let mut left = number_in("n", n, 0..=1 << 60)?;
        let inside = Inside::new(&self.busy)?;
        let mut tally = petteia::Tally::default();
        let mut interrupted = Ok(());
        while left > 0 && interrupted.is_ok() {
            let rolled = watched(
                py,
                |_, ()| Ok(()),
                |watch| {
                    let _work = Work::begin();
                    lock(&self.state).batch.rollout_watched(left, &|| watch(()))
                },
            );
            interrupted = rolled.and_then(OrRaise::or_raise).and_then(|(done, more)| {
                left -= done;
                tally += more;
                py.check_signals()
            });
        }
        let each = self.observation_shape.iter().product::<usize>() + self.num_actions;
        let bytes = self.num_envs.saturating_mul(each);
        let shown = match interrupted {
            Err(_) if bytes > QUICKLY_SHOWN => Ok(()),
            _ => self.work(py, State::show),
        };
        drop(inside);
        interrupted.and(shown).map(|()| Tally::from(tally))
    }

    /// Returns the position of a lane.
    fn position(&self, py: Python<'_>, lane: Integer) -> PyResult<Py<PyAny>> {
        let lane = self.lane(lane)?;
        let state = self.enter(py, |state| state.batch.lane(lane))?;
        wrap(py, state.position)
    }

    /// Sets the position of a lane, given as a position or its text, and updates the arrays.
    ///
    /// Plies are counted from there.
    fn set_position(&self, py: Python<'_>, lane: Integer, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let lane = self.lane(lane)?;
        let position = match position.cast::<PyString>() {
            Ok(line) => AnyPosition::parse(self.game, &text(line)).or_raise()?,
            Err(_) => any_position(position).map_err(|_| type_error("a position or its text", position))?,
        };
        let set = self.enter(py, |state| {
            let (batch, mut arrays, _) = state.split();
            let stream = batch.lane(lane).stream;
            batch.set_lane(lane, LaneState { position, stream, forfeited: false, plies: 0 })?;
            batch.show_lane(lane, &mut arrays);
            Ok(())
        })?;
        set.map_err(|error: petteia::ArgumentError| PyValueError::new_err(error.to_string()))
    }

    /// Returns the boards of the first lanes as notebooks show them.
    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        pictured("lanes", slf.as_any())
    }

    /// Returns the state of all lanes: positions as text, random streams, which games are forfeited, and how many plies
    /// they have had if these are limited.
    fn get_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let lanes = self.enter(py, |state| lanes(&*state.batch))??;
        let [texts, streams, forfeited, plies] = std::array::from_fn(|_| PyList::empty(py));
        for lane in &lanes {
            let text = with_position!(&lane.position, position => written(position))?;
            texts.append(string(py, &text)?)?;
            streams.append(lane.stream)?;
            forfeited.append(lane.forfeited)?;
            plies.append(lane.plies)?;
        }
        let state = PyDict::new(py);
        state.set_item("positions", texts)?;
        state.set_item("streams", streams)?;
        state.set_item("forfeited", forfeited)?;
        state.set_item("plies", plies)?;
        Ok(state)
    }

    /// Restores a state returned by get_state, of this or another environment with the same game and number of lanes.
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let wrong = || type_error("state as get_state returns it", state);
        let known = state.cast::<PyDict>().map_err(|_| wrong())?;
        let item = |name: &str| known.get_item(name)?.ok_or_else(wrong);
        let texts: Vec<String> = item("positions")?.extract()?;
        let streams: Vec<u64> = item("streams")?.extract()?;
        let forfeited: Vec<bool> = item("forfeited")?.extract()?;
        let plies: Vec<u32> = item("plies")?.extract()?;
        for length in [texts.len(), streams.len(), forfeited.len(), plies.len()] {
            if length != self.num_envs {
                return Err(out_of_range("state", format!("of {length} lanes"), self.num_envs));
            }
        }
        let error = |lane: usize, error: &dyn std::fmt::Display| {
            PyValueError::new_err(format!("lane {lane}: {error}"))
        };
        let all = texts.into_iter().zip(streams).zip(forfeited).zip(plies).enumerate();
        let new = all.map(|(lane, (((text, stream), forfeited), plies))| {
            let position = AnyPosition::parse(self.game, &text).map_err(|wrong| error(lane, &wrong))?;
            Ok(LaneState { position, stream, forfeited, plies })
        });
        let new = new.collect::<PyResult<Vec<_>>>()?;
        self.enter(py, |state| {
            let old = lanes(&*state.batch)?;
            let batch = &mut state.batch;
            let set = new
                .into_iter()
                .enumerate()
                .try_for_each(|(lane, new)| batch.set_lane(lane, new).map_err(|wrong| error(lane, &wrong)));
            if set.is_err() {
                // These were there before, so they are accepted.
                for (lane, old) in old.into_iter().enumerate() {
                    batch.set_lane(lane, old).or_raise()?;
                }
            }
            state.show();
            set
        })?
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str, usize), Bound<'py, PyDict>)> {
        let named = self.parameters(py)?;
        named.set_item("seed", self.seed())?;
        named.set_item("threads", self.threads)?;
        named.set_item("illegal", self.illegal())?;
        named.set_item("start", &self.start)?;
        named.set_item("max_plies", self.max_plies())?;
        Ok(((self.game(), self.num_envs), named))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.get_state(py)
    }

    fn __setstate__(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        self.set_state(py, state)
    }

    fn __len__(&self) -> usize {
        self.num_envs
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = format!("petteia.VectorEnv('{}', {}, seed={}", self.game, self.num_envs, self.seed());
        text += &format!(", threads={}, illegal='{}'", self.threads, self.illegal());
        if let Some(start) = &self.start {
            text += &format!(", start={}", start.bind(py).repr()?);
        }
        if let Some(plies) = self.max_plies {
            text += &format!(", max_plies={plies}");
        }
        for (name, value) in self.parameters.bind(py) {
            text += &format!(", {name}={}", value.repr()?);
        }
        Ok(text + ")")
    }
}

impl VectorEnv {
    /// Runs work on the state, with the GIL released, if no other thread does.
    fn enter<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> PyResult<T> {
        let _inside = Inside::new(&self.busy)?;
        self.work(py, work)
    }

    /// Runs work on the state, with the GIL released, by a thread that is [`Inside`].
    fn work<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> PyResult<T> {
        let done = py.detach(|| {
            let _work = Work::begin();
            or_no_memory(|| work(&mut lock(&self.state)))
        });
        done.or_raise()
    }

    fn lane(&self, given: Integer) -> PyResult<usize> {
        let given = given.named("lane")?;
        let lane = given.index().filter(|&lane| lane < self.num_envs);
        let expected = || format!("0 to {}", self.num_envs - 1);
        lane.ok_or_else(|| {
            PyIndexError::new_err(petteia::ArgumentError::new("lane", given, expected()).to_string())
        })
    }

    /// Copies actions from anything that numpy can read; what happens to the original then does not matter.
    fn take_actions(&self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static COPYTO: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static MINIMUM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = given.py();
        // numpy would take the bools among integers for integers.
        if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
            for (lane, action) in given.try_iter()?.enumerate() {
                if action?.is_instance_of::<PyBool>() {
                    let lanes = self.num_envs;
                    return Err(PyTypeError::new_err(format!(
                        "expected {lanes} integers as actions, one for each lane, not bool for lane {lane}"
                    )));
                }
            }
        }
        let array = ASARRAY.import(py, "numpy", "asarray")?.call1((given,))?;
        let dtype = array.getattr(pyo3::intern!(py, "dtype"))?;
        let kind: char = dtype.getattr(pyo3::intern!(py, "kind"))?.extract()?;
        let shape = array.getattr(pyo3::intern!(py, "shape"))?;
        let fits = shape.extract::<(usize,)>().is_ok_and(|(count,)| count == self.num_envs);
        if !matches!(kind, 'i' | 'u') || !fits {
            let lanes = self.num_envs;
            let message = format!(
                "expected {lanes} integers as actions, one for each lane, not {dtype} of shape {shape}"
            );
            return Err(if fits { PyTypeError::new_err(message) } else { PyValueError::new_err(message) });
        }
        let array = match (kind, dtype.getattr("itemsize")?.extract::<usize>()?) {
            // Numbers beyond int64 would become others.
            ('u', 8) => MINIMUM.import(py, "numpy", "minimum")?.call1((array, i64::MAX))?,
            _ => array,
        };
        let copyto = COPYTO.import(py, "numpy", "copyto")?;
        copyto.call1((&self.actions, array, pyo3::intern!(py, "same_kind"))).map(|_| ())
    }
}

/// A guard that lets only one Python thread use the environment at a time.
struct Inside<'a>(&'a AtomicU32);

impl<'a> Inside<'a> {
    fn new(busy: &'a AtomicU32) -> PyResult<Self> {
        let (free, own) = (0, process::id());
        // A thread of the parent, between two pieces of its work when it forked, does not exist in this process.
        let gone = |user: u32| user != own && busy.compare_exchange(user, own, Acquire, Relaxed).is_ok();
        match busy.compare_exchange(free, own, Acquire, Relaxed) {
            Ok(_) => Ok(Inside(busy)),
            Err(user) if gone(user) => Ok(Inside(busy)),
            Err(_) => Err(PyRuntimeError::new_err("another thread is using this environment")),
        }
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.store(0, Release);
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lanes(batch: &dyn AnyBatch) -> PyResult<Vec<LaneState<AnyPosition>>> {
    let count = batch.num_envs();
    let mut lanes = Vec::new();
    let no_memory = |_| PyMemoryError::new_err(format!("no memory for the positions of {count} lanes"));
    lanes.try_reserve_exact(count).map_err(no_memory)?;
    lanes.extend((0..count).map(|lane| batch.lane(lane)));
    Ok(lanes)
}

fn zeros<T: Clone + Default>(count: usize) -> PyResult<Vec<T>> {
    let mut memory = Vec::new();
    let no_memory = |_| PyMemoryError::new_err(format!("no memory for arrays of {count} numbers"));
    memory.try_reserve_exact(count).map_err(no_memory)?;
    memory.resize(count, T::default());
    Ok(memory)
}

/// Returns the parameters of a position's game by name.
fn named<P: Declared>(py: Python<'_>, position: &P) -> PyResult<Py<PyDict>> {
    named_values::<P>(py, &position.values()).map(Bound::unbind)
}
