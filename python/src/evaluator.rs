//! Search and self-play with an evaluator in Python: a function from arrays of observations and masks to arrays of priors
//! and values.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use petteia::search::puct::{MAX_LEAVES, check_results};
use petteia::selfplay::Games;
use petteia::selfplay::batched::{Batched, BatchedOptions, Lessons, Played, check_temperature};
use petteia::work::BEAT;
use petteia::{Noise, OnCpu, Puct, PuctOptions, Rng, Start, or_no_memory, with_position, with_starts};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyList, PySlice, PyTuple};

use crate::arguments::{Integer, number_in, real, type_error};
use crate::arrays::over_memory;
use crate::errors::{OrRaise, out_of_range};
use crate::games::any_position;
use crate::own::Nested;
use crate::selfplay::{form_of, game_arrays};
use crate::starts::PyStarts;
use crate::work::{Stop, check_stop, watched};

/// The result of a search: notation, visits, value, proven value and prior of each move, the best first; then the
/// simulations.
type Tree = (Vec<(String, u64, f64, Option<i32>, Option<f64>)>, u64);

/// The options of a search, as [`search_options`] returns them: the number of simulations, the exploration, the alpha and
/// the fraction of the noise, if there is any, and the temperature of the choice.
type Search = (u64, f64, Option<f64>, f64, f64);

/// Checks the options of a search with an evaluator, and returns them as ints and floats.
#[pyfunction]
pub fn search_options(
    simulations: Integer,
    exploration: &Bound<'_, PyAny>,
    noise_alpha: Option<&Bound<'_, PyAny>>,
    noise_fraction: &Bound<'_, PyAny>,
    temperature: &Bound<'_, PyAny>,
) -> PyResult<Search> {
    let simulations = number_in("simulations", simulations, 1..=1 << 60)?;
    let number = |what: &str, given| real(&format!("{what} as a number"), given);
    let exploration = number("exploration", exploration)?;
    let alpha =
        noise_alpha.map(|given| real("noise_alpha as a number, or None for no noise", given)).transpose()?;
    let fraction = number("noise_fraction", noise_fraction)?;
    let temperature = number("temperature", temperature)?;
    // The fraction is checked even if there is no noise.
    let noise = Some(Noise { alpha: alpha.unwrap_or(1.0), fraction });
    PuctOptions { simulations, exploration, noise }.check().or_raise()?;
    check_temperature(temperature).or_raise()?;
    Ok((simulations, exploration, alpha, fraction, temperature))
}

/// Returns the options for the core, and the temperature.
fn read_search((simulations, exploration, alpha, fraction, temperature): Search) -> (PuctOptions, f64) {
    let noise = alpha.map(|alpha| Noise { alpha, fraction });
    (PuctOptions { simulations, exploration, noise }, temperature)
}

/// Checks how many positions may be judged at once.
#[pyfunction]
pub fn most_leaves(what: &str, given: Integer) -> PyResult<usize> {
    number_in(what, given, 1..=MAX_LEAVES as u64).map(|leaves| leaves as usize)
}

/// Runs a tree search with an evaluator; petteia.mcts names the parts of the result.
#[pyfunction]
#[pyo3(signature = (position, evaluator, batch, time, seed, search, progress))]
#[allow(clippy::too_many_arguments)] // They are the arguments of the Python function.
pub fn puct(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    evaluator: Bound<'_, PyAny>,
    batch: Integer,
    time: Option<Bound<'_, PyAny>>,
    seed: Integer,
    search: Search,
    progress: Bound<'_, PyAny>,
) -> PyResult<Tree> {
    let position = any_position(position)?;
    let (options, temperature) = read_search(search);
    let batch = most_leaves("batch", batch)?;
    let limit = time.as_ref().map(crate::arguments::time).transpose()?;
    let rng = Rng::for_game(number_in("seed", seed, 0..=u64::MAX)?, 0);
    let _nested = Nested::enter()?;
    let call = Call { evaluator, progress };
    with_position!(position, position => grow(py, position, options, &call, batch, limit, rng, temperature))
}

/// What is called while a search or self-play goes on.
struct Call<'py> {
    evaluator: Bound<'py, PyAny>,
    progress: Bound<'py, PyAny>,
}

impl Call<'_> {
    fn tell(&self, done: u64, total: u64) -> PyResult<()> {
        self.progress.call1((done, total)).map(|_| ())
    }
}

#[allow(clippy::too_many_arguments)]
fn grow<P: OnCpu>(
    py: Python<'_>,
    position: P,
    options: PuctOptions,
    call: &Call<'_>,
    batch: usize,
    limit: Option<Duration>,
    rng: Rng,
    temperature: f64,
) -> PyResult<Tree> {
    let begun = Instant::now();
    let deadline = limit.and_then(|limit| begun.checked_add(limit));
    let total = options.simulations;
    let mut desk = Desk::new(py, &position, (batch as u64).min(total) as usize)?;
    let mut search = Puct::new(position, options, rng).or_raise()?;
    let mut told = begun;
    // Even a search that is stopped at once has the evaluation of the position.
    let mut first = true;
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    while !search.is_done() && (first || !is_late()) {
        check_stop()?;
        py.check_signals()?;
        let collected = watched(
            py,
            |_, ()| Ok(()),
            |watch| {
                let watch = || if !first && is_late() { ControlFlow::Break(()) } else { watch(()) };
                search.collect_watched(batch, &watch)
            },
        );
        let Ok(count) = collected? else { break };
        first = false;
        py.detach(|| {
            or_no_memory(|| desk.fill(count, |observations, masks| search.write(observations, masks)))
        })
        .or_raise()??;
        if count > 0 {
            let answers = desk.ask(py, &call.evaluator, count)?;
            let (priors, values) = answers.of(count);
            let taken = py.detach(|| or_no_memory(|| search.take(priors, values)));
            taken.or_raise()?.or_raise()?;
        }
        if told.elapsed() >= 10 * BEAT && !search.is_done() {
            told = Instant::now();
            call.tell(search.tree().simulations, total)?;
        }
    }
    let (chosen, tree) = (search.choose(temperature), search.tree());
    call.tell(tree.simulations, tree.simulations)?;
    let written = |number: usize| {
        let branch = &tree.branches[number];
        (branch.m.to_string(), branch.visits, branch.value, branch.proven, branch.prior)
    };
    // The chosen move comes first, where python/petteia expects it.
    let others = (0..tree.branches.len()).filter(|&number| number != chosen);
    Ok((std::iter::once(chosen).chain(others).map(written).collect(), tree.simulations))
}

/// Plays games with an evaluator, many at once, and delivers them in parts.
///
/// parts are ranges of numbers. As soon as all games of one are finished, deliver(number of the part, arrays) is called;
/// the arrays are those of Selfplay.play and the policies (float32), or those of a learner if positions is "arrays".
/// Late by stop, it ends; then a learner's part has the games that are finished, the first ones, without a gap.
#[pyfunction]
#[pyo3(signature = (starts, parts, evaluator, games_at_once, search, seed, temperature_plies, max_plies, positions, deliver, progress, stop))]
#[allow(clippy::too_many_arguments)]
pub fn play_batched(
    py: Python<'_>,
    starts: &Bound<'_, PyAny>,
    parts: Vec<(u64, u64)>,
    evaluator: Bound<'_, PyAny>,
    games_at_once: Integer,
    search: Search,
    seed: u64,
    temperature_plies: Integer,
    max_plies: u64,
    positions: Option<&str>,
    deliver: Bound<'_, PyAny>,
    progress: Bound<'_, PyAny>,
    stop: Option<&Bound<'_, Stop>>,
) -> PyResult<()> {
    let starts = PyStarts::read(starts)?.petteia()?;
    let at_once = most_leaves("games_at_once", games_at_once)?;
    let temperature_plies = number_in("temperature_plies", temperature_plies, 0..=u64::MAX)?;
    let (search, temperature) = read_search(search);
    let options = BatchedOptions { search, seed, temperature, temperature_plies, max_plies };
    let _nested = Nested::enter()?;
    let call = Call { evaluator, progress };
    let stop = stop.map(Bound::get);
    with_starts!(&starts, starts => play(py, starts, parts, options, &call, at_once, positions, &deliver, stop))
}

#[allow(clippy::too_many_arguments)]
fn play<P: OnCpu>(
    py: Python<'_>,
    starts: &impl Start<P>,
    parts: Vec<(u64, u64)>,
    options: BatchedOptions,
    call: &Call<'_>,
    at_once: usize,
    positions: Option<&str>,
    deliver: &Bound<'_, PyAny>,
    stop: Option<&Stop>,
) -> PyResult<()> {
    let start = starts.first();
    let total: u64 = parts.iter().map(|(first, last)| last - first).sum();
    let mut desk = Desk::new(py, start, at_once.min(total as usize))?;
    let shape = start.shape();
    let shape = [P::PLANES, shape.0, shape.1, start.num_actions()];
    let numbers = parts.clone().into_iter().flat_map(|(first, last)| first..last);
    let mut games =
        Batched::new(options, at_once, numbers, |number| starts.of_game(options.seed, number).clone());
    let mut waiting: Vec<Vec<Played<P>>> = parts.iter().map(|_| Vec::new()).collect();
    let mut done = 0;
    let mut told = Instant::now();
    let is_late = || stop.is_some_and(|stop| stop.is_late_by(Duration::ZERO));
    loop {
        check_stop()?;
        py.check_signals()?;
        let collected = watched(
            py,
            |_, ()| Ok(()),
            |watch| {
                let watch = || if is_late() { ControlFlow::Break(()) } else { watch(()) };
                games.collect_watched(&watch)
            },
        )?;
        for game in games.finished() {
            done += 1;
            // The parts are in order, and so are the numbers in each.
            let part = parts.partition_point(|&(_, last)| last <= game.number);
            waiting[part].push(game);
            let (first, last) = parts[part];
            if waiting[part].len() as u64 == last - first {
                let mut played = std::mem::take(&mut waiting[part]);
                played.sort_by_key(|game| game.number);
                deliver.call1((part, columns(py, &played, positions, shape)?))?;
            }
        }
        let Ok(count) = collected else { break };
        if count == 0 {
            return call.tell(total, total);
        }
        if is_late() {
            break;
        }
        if told.elapsed() >= 10 * BEAT && done < total {
            told = Instant::now();
            call.tell(done, total)?;
        }
        py.detach(|| {
            or_no_memory(|| desk.fill(count, |observations, masks| games.write(observations, masks)))
        })
        .or_raise()??;
        let answers = desk.ask(py, &call.evaluator, count)?;
        let (priors, values) = answers.of(count);
        py.detach(|| or_no_memory(|| games.take(priors, values))).or_raise()?.or_raise()?;
    }
    // A file is whole or not there; a learner takes what there is.
    if let (Some("arrays"), &[(first, _)]) = (positions, &*parts) {
        let mut played = std::mem::take(&mut waiting[0]);
        played.sort_by_key(|game| game.number);
        let whole = played.iter().zip(first..).take_while(|(game, number)| game.number == *number).count();
        played.truncate(whole);
        deliver.call1((0, columns(py, &played, positions, shape)?))?;
        done = whole as u64;
    }
    call.tell(done, done)
}

/// Returns games as arrays, in the order that python/petteia expects.
fn columns<'py, P: OnCpu>(
    py: Python<'py>,
    played: &[Played<P>],
    positions: Option<&str>,
    shape: [usize; 4],
) -> PyResult<Bound<'py, PyTuple>> {
    if positions != Some("arrays") {
        let form = form_of(positions)?;
        let games = or_no_memory(|| {
            let mut games = Games::default();
            played.iter().for_each(|game| games.push(form, game));
            games
        });
        return game_arrays(py, &Arc::new(Mutex::new(games.or_raise()?)));
    }
    let lessons = or_no_memory(|| {
        let mut lessons = Lessons::default();
        played.iter().for_each(|game| lessons.push(game));
        lessons
    });
    let lessons = Arc::new(Mutex::new(lessons.or_raise()?));
    let mut guard = lock(&lessons);
    let Lessons { observations, masks, policies, values, outcomes, truncated, actions, turns, games } =
        &mut *guard;
    let plies = values.len();
    let [planes, rows, wide, num_actions] = shape;
    let array = |address: usize, shape: &[usize], kind: &'static str| {
        over_memory(py, Arc::clone(&lessons) as _, address, shape, kind)
    };
    PyTuple::new(
        py,
        [
            array(observations.as_mut_ptr().expose_provenance(), &[plies, planes, rows, wide], "u1")?,
            array(masks.as_mut_ptr().expose_provenance(), &[plies, num_actions], "b1")?,
            array(policies.as_mut_ptr().expose_provenance(), &[plies, num_actions], "f4")?,
            array(values.as_mut_ptr().expose_provenance(), &[plies], "f4")?,
            array(outcomes.as_mut_ptr().expose_provenance(), &[plies], "i1")?,
            array(truncated.as_mut_ptr().expose_provenance(), &[plies], "b1")?,
            array(actions.as_mut_ptr().expose_provenance(), &[plies], "i4")?,
            array(turns.as_mut_ptr().expose_provenance(), &[plies], "i1")?,
            array(games.as_mut_ptr().expose_provenance(), &[plies], "i8")?,
        ],
    )
}

/// The arrays that an evaluator gets.
#[derive(Default)]
struct Inputs {
    observations: Vec<u8>,
    masks: Vec<u8>,
}

/// What an evaluator said.
struct Answers {
    priors: Vec<f32>,
    values: Vec<f32>,
    num_actions: usize,
}

impl Answers {
    fn of(&self, count: usize) -> (&[f32], &[f32]) {
        (&self.priors[..count * self.num_actions], &self.values[..count])
    }
}

/// Where an evaluator gets its arrays, and leaves its answers.
struct Desk {
    /// The memory of the last arrays; it is used again when none of them is left.
    inputs: Arc<Inputs>,
    /// Where numpy copies the answers to. Nobody else has these arrays.
    answers: Arc<Mutex<Answers>>,
    priors: Py<PyAny>,
    values: Py<PyAny>,
    most: usize,
    /// Planes, rows and columns.
    shape: [usize; 3],
    num_actions: usize,
}

impl Desk {
    /// Prepares for so many leaves at once.
    fn new<P: OnCpu>(py: Python<'_>, position: &P, most: usize) -> PyResult<Self> {
        let ((rows, columns), num_actions) = (position.shape(), position.num_actions());
        let (priors, values) = (zeros(most.saturating_mul(num_actions))?, zeros(most)?);
        let answers = Arc::new(Mutex::new(Answers { priors, values, num_actions }));
        let addresses = {
            let mut answers = lock(&answers);
            [answers.priors.as_mut_ptr().expose_provenance(), answers.values.as_mut_ptr().expose_provenance()]
        };
        let array = |address: usize, shape: &[usize]| {
            over_memory(py, Arc::clone(&answers) as _, address, shape, "f4")
        };
        Ok(Desk {
            inputs: Arc::default(),
            priors: array(addresses[0], &[most, num_actions])?,
            values: array(addresses[1], &[most])?,
            answers,
            most,
            shape: [P::PLANES, rows, columns],
            num_actions,
        })
    }

    /// Writes the arrays for some leaves.
    fn fill(&mut self, count: usize, write: impl FnOnce(&mut [u8], &mut [u8])) -> PyResult<()> {
        let lengths = [self.shape.iter().product::<usize>(), self.num_actions].map(|each| count * each);
        // Unlike a look at the count, this is ordered after the last use of the memory.
        if Arc::get_mut(&mut self.inputs).is_none() {
            self.inputs = Arc::default();
        }
        let Some(Inputs { observations, masks }) = Arc::get_mut(&mut self.inputs) else {
            unreachable!("the memory is new, or nobody else has it");
        };
        for (bytes, length) in [&mut *observations, &mut *masks].into_iter().zip(lengths) {
            if bytes.len() < length {
                *bytes = zeros(length)?;
            }
        }
        write(&mut observations[..lengths[0]], &mut masks[..lengths[1]]);
        Ok(())
    }

    /// Calls the evaluator, and returns its answers, which fit and are in range.
    fn ask(
        &mut self,
        py: Python<'_>,
        evaluator: &Bound<'_, PyAny>,
        count: usize,
    ) -> PyResult<MutexGuard<'_, Answers>> {
        let [planes, rows, columns] = self.shape;
        let Some(Inputs { observations, masks }) = Arc::get_mut(&mut self.inputs) else {
            unreachable!("the arrays were filled, and not handed out");
        };
        let [seen, legal] = [observations, masks].map(|bytes| bytes.as_mut_ptr().expose_provenance());
        let array = |address: usize, shape: &[usize], kind: &'static str| {
            over_memory(py, Arc::clone(&self.inputs) as _, address, shape, kind)
        };
        let observations = array(seen, &[count, planes, rows, columns], "u1")?;
        let masks = array(legal, &[count, self.num_actions], "b1")?;
        let answer = evaluator.call1((observations, masks))?;
        let Some((priors, values)) = pair(&answer) else {
            return Err(type_error(
                "evaluator to return a pair of arrays, the priors and the values",
                &answer,
            ));
        };
        take(&priors, "priors", &[count, self.num_actions], self.priors.bind(py), self.most)?;
        take(&values, "values", &[count], self.values.bind(py), self.most)?;
        let answers = lock(&self.answers);
        let (priors, values) = answers.of(count);
        check_results(count, self.num_actions, priors, values).or_raise()?;
        Ok(answers)
    }
}

/// Reads a tuple or a list of two.
fn pair<'py>(answer: &Bound<'py, PyAny>) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if let Ok(list) = answer.cast::<PyList>() {
        return list.to_tuple().extract().ok();
    }
    answer.cast::<PyTuple>().ok()?.extract().ok()
}

/// Copies numbers from anything that numpy can read to the first rows of an array, or raises an error that names them.
fn take(
    given: &Bound<'_, PyAny>,
    name: &str,
    shape: &[usize],
    to: &Bound<'_, PyAny>,
    most: usize,
) -> PyResult<()> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static COPYTO: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static ERRSTATE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = given.py();
    let array = ASARRAY.import(py, "numpy", "asarray")?.call1((given,))?;
    let found = array.getattr(pyo3::intern!(py, "shape"))?;
    let fits = match *shape {
        [rows] => found.extract::<(usize,)>().is_ok_and(|found| found == (rows,)),
        _ => found.extract::<(usize, usize)>().is_ok_and(|found| found == (shape[0], shape[1])),
    };
    if !fits {
        let expected = PyTuple::new(py, shape)?;
        return Err(out_of_range(name, format!("of shape {found}"), format!("{expected}")));
    }
    let kind: char =
        array.getattr(pyo3::intern!(py, "dtype"))?.getattr(pyo3::intern!(py, "kind"))?.extract()?;
    if !matches!(kind, 'f' | 'i' | 'u' | 'b') {
        let message = format!("expected {name} as an array of numbers, not of {}", array.getattr("dtype")?);
        return Err(PyTypeError::new_err(message));
    }
    let rows = match shape[0] == most {
        true => to,
        false => &to.get_item(PySlice::new(py, 0, shape[0] as isize, 1))?,
    };
    let copy = || {
        let copyto = COPYTO.import(py, "numpy", "copyto")?;
        copyto.call1((rows, &array, pyo3::intern!(py, "same_kind"))).map(|_| ())
    };
    if array
        .getattr(pyo3::intern!(py, "dtype"))?
        .getattr(pyo3::intern!(py, "itemsize"))?
        .extract::<usize>()?
        <= 4
    {
        return copy();
    }
    // What float32 cannot hold is told as a wrong number, or it is as good as 0, whatever numpy does about such things.
    let ignored =
        ERRSTATE.import(py, "numpy", "errstate")?.call((), Some(&[("all", "ignore")].into_py_dict(py)?))?;
    ignored.call_method0(pyo3::intern!(py, "__enter__"))?;
    let copied = copy();
    ignored.call_method1(pyo3::intern!(py, "__exit__"), (py.None(), py.None(), py.None()))?;
    copied
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn zeros<T: Clone + Default>(count: usize) -> PyResult<Vec<T>> {
    let mut memory = Vec::new();
    let no_memory =
        |_| pyo3::exceptions::PyMemoryError::new_err(format!("no memory for arrays of {count} numbers"));
    memory.try_reserve_exact(count).map_err(no_memory)?;
    memory.resize(count, T::default());
    Ok(memory)
}
