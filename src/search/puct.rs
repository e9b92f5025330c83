//! Tree search with an evaluator of your own, a neural network say: PUCT (Rosin, 2011), as in AlphaZero (Silver et al.,
//! 2018), with proven wins and losses.
//!
//! The search never calls the evaluator, so it may run anywhere, on many positions at once. [`Puct::collect`] descends to
//! leaves, [`Puct::leaves`] has their positions, and [`Puct::take`] takes what the evaluator says of them. A leaf that
//! waits counts as lost for whoever moves there, so that the next descent goes elsewhere (virtual loss).

use std::hint::black_box;
use std::ops::Range;

use super::mcts::{Branch, Tree};
use super::solve::SolveError;
use crate::cpu::{Cpu, Operation, on_best_cpu};
use crate::error::{ArgumentError, push, reserve};
use crate::observe::OnCpu;
use crate::position::{Outcome, Player};
use crate::random::Rng;
use crate::work::{Stopped, Watch, apart, is_large};

/// The options of a search with an evaluator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuctOptions {
    /// The number of simulations after the evaluation of the root; fewer are made if the position is solved before, and
    /// never more than [`MAX_SIMULATIONS`].
    pub simulations: u64,
    /// How much the priors weigh against the values.
    pub exploration: f64,
    /// The noise that is added to the priors of the root, for variety in self-play.
    pub noise: Option<Noise>,
}

impl Default for PuctOptions {
    fn default() -> Self {
        PuctOptions { simulations: 800, exploration: 1.5, noise: None }
    }
}

/// Noise for the priors of the root: they become `(1 - fraction) * prior + fraction * noise`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The parameter of the symmetric Dirichlet distribution of the noise: the smaller, the more unequal it is.
    pub alpha: f64,
    /// The share of the noise, from 0 to 1.
    pub fraction: f64,
}

impl PuctOptions {
    /// Checks the ranges.
    ///
    /// # Errors
    ///
    /// An [`ArgumentError`] that names the option which is out of range.
    pub fn check(&self) -> Result<(), ArgumentError> {
        if self.simulations == 0 {
            return Err(ArgumentError::new("simulations", 0, "at least 1"));
        }
        if !(self.exploration >= 0.0 && self.exploration <= 1e6) {
            return Err(ArgumentError::new("exploration", self.exploration, "0 to 1000000"));
        }
        let Some(Noise { alpha, fraction }) = self.noise else { return Ok(()) };
        if !(alpha > 0.0 && alpha <= 1e6) {
            return Err(ArgumentError::new("noise_alpha", alpha, "more than 0, and 1000000 at most"));
        }
        if !(0.0..=1.0).contains(&fraction) {
            return Err(ArgumentError::new("noise_fraction", fraction, "0 to 1"));
        }
        Ok(())
    }
}

/// Checks what an evaluator said of some leaves: a prior for each action, of at least 0, and a value from -1 to 1.
///
/// # Errors
///
/// An [`ArgumentError`] that names the first wrong number, or says that there are too few or too many.
pub fn check_results(
    leaves: usize,
    num_actions: usize,
    priors: &[f32],
    values: &[f32],
) -> Result<(), ArgumentError> {
    if priors.len() != leaves * num_actions {
        let expected = format!("{leaves} times {num_actions}");
        return Err(ArgumentError::new("number of priors", priors.len(), expected));
    }
    if values.len() != leaves {
        return Err(ArgumentError::new("number of values", values.len(), leaves));
    }
    let is_prior = |prior: f32| (0.0..=f32::MAX).contains(&prior);
    // Without a branch, so that many are checked at once.
    if !priors.iter().fold(true, |fine, &prior| fine & is_prior(prior)) {
        let wrong = priors.iter().position(|&prior| !is_prior(prior)).unwrap_or_default();
        let name = format!("priors[{}, {}]", wrong / num_actions, wrong % num_actions);
        return Err(ArgumentError::new(name, priors[wrong], "a finite number of at least 0"));
    }
    match values.iter().position(|value| !(-1.0..=1.0).contains(value)) {
        None => Ok(()),
        Some(wrong) => Err(ArgumentError::new(format!("values[{wrong}]"), values[wrong], "-1 to 1")),
    }
}

/// A search tree whose leaves an evaluator of your own judges.
///
/// ```
/// use petteia::prelude::*;
/// use petteia::search::puct::{Puct, PuctOptions};
/// use petteia::{Reversi, Rng};
///
/// let start = Reversi::default();
/// let mut search = Puct::new(start, PuctOptions { simulations: 500, ..PuctOptions::default() }, Rng::new(1))?;
/// while !search.is_done() {
///     // Up to 64 positions; the first time there is one, the start.
///     let count = search.collect(64);
///     let priors = vec![1.0; count * start.num_actions()];
///     let values: Vec<f32> = search.leaves().iter().map(|leaf| leaf.estimate().expected() as f32).collect();
///     search.take(&priors, &values)?;
/// }
/// let tree = search.tree();
/// assert_eq!(tree.branches.iter().map(|branch| branch.visits).sum::<u64>(), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Puct<P: OnCpu> {
    root: P,
    options: PuctOptions,
    rng: Rng,
    /// The evaluated positions, the root first.
    nodes: Vec<Node>,
    /// The priors of nodes that nobody has gone beyond. Most nodes stay like that, so these are small.
    priors: Vec<f32>,
    /// The moves of the others.
    edges: Vec<Edge<P::Move>>,
    /// The positions that wait for the evaluator.
    leaves: Vec<P>,
    /// The ways to them, one after another, and where each ends; to the root there is none.
    steps: Vec<Step>,
    ends: Vec<usize>,
    /// Ways to leaves that waited already.
    collided: Vec<Step>,
    /// How many simulations were begun.
    begun: u64,
    /// The value of the root for the player to move, if it is proved.
    proven: Option<i8>,
}

/// A position that was evaluated.
#[derive(Clone, Copy)]
struct Node {
    /// Where its moves are in `edges` if it is open, else where its priors are.
    first: u32,
    count: u32,
    /// How often it was evaluated or passed, including those that wait.
    visits: u32,
    turn: Player,
    open: bool,
}

/// A move from an open node. Values are for the player who makes it.
struct Edge<M> {
    /// The sum of the values of all visits but those that wait.
    sum: f64,
    /// The mean of all visits, where one that waits counts as lost; or the exact value, for a loss minus infinity, so
    /// that no bonus makes up for it.
    mean: f64,
    prior: f32,
    visits: u32,
    /// The node that it leads to, `NONE` or `WAITING`.
    node: u32,
    waiting: u16,
    /// The exact value, or `UNKNOWN`.
    proven: i8,
    m: M,
}

impl<M> Edge<M> {
    fn prove(&mut self, value: i8) {
        self.proven = value;
        self.mean = if value < 0 { f64::NEG_INFINITY } else { value.into() };
    }

    #[inline(always)]
    fn refresh(&mut self) {
        if self.proven == UNKNOWN {
            let sum = self.sum - f64::from(self.waiting);
            self.mean = if self.visits == 0 { 0.0 } else { sum / f64::from(self.visits) };
        }
    }
}

/// A move on the way to a leaf, and the node that it was made in.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    edge: u32,
}

/// There is no node yet.
const NONE: u32 = u32::MAX;
/// The node waits for its evaluation.
const WAITING: u32 = u32::MAX - 1;
/// There is no exact value.
const UNKNOWN: i8 = 2;

/// How many nodes, and moves, a tree has at most, some gigabytes; then the search goes on, but it stops growing.
const MAX_NODES: usize = 1 << 24;
const MAX_MOVES: usize = 1 << 28;

/// How many leaves can wait; a move counts them, with the collisions, in 16 bits.
pub const MAX_LEAVES: usize = 1 << 15;

/// How many simulations a search makes at most, since visits are counted in 32 bits.
pub const MAX_SIMULATIONS: u64 = 1 << 31;

/// How many simulations that need no evaluation are made in one call, which should not take long.
const MAX_KNOWN: usize = 1 << 10;

/// What errors call the memory of the tree.
const TREE: &str = "a search tree";

/// How a descent ended.
enum Reached {
    /// At a position to be evaluated.
    Leaf,
    /// At an exact value.
    Known,
    /// At a position that waits already.
    Collision,
}

impl<P: OnCpu> Puct<P> {
    /// Starts a search; the random numbers are for the noise and for [`choose`](Puct::choose).
    ///
    /// # Errors
    ///
    /// [`SolveError::Over`] for a finished game.
    pub fn new(root: P, options: PuctOptions, rng: Rng) -> Result<Self, SolveError> {
        if root.is_over() {
            return Err(SolveError::Over);
        }
        Ok(Puct {
            root,
            options,
            rng,
            nodes: Vec::new(),
            priors: Vec::new(),
            edges: Vec::new(),
            leaves: Vec::new(),
            steps: Vec::new(),
            ends: Vec::new(),
            collided: Vec::new(),
            begun: 0,
            proven: None,
        })
    }

    /// Starts afresh from another position of the same game that is not over, in the same memory.
    pub(crate) fn restart(&mut self, root: P) {
        self.root = root;
        self.nodes.clear();
        self.priors.clear();
        self.edges.clear();
        self.leaves.clear();
        self.steps.clear();
        self.ends.clear();
        (self.begun, self.proven) = (0, None);
    }

    /// Replaces the stream of random numbers.
    pub(crate) fn seed(&mut self, rng: Rng) {
        self.rng = rng;
    }

    /// Returns the position that is searched.
    pub fn root(&self) -> &P {
        &self.root
    }

    /// Returns whether all simulations are made, or the position is solved.
    pub fn is_done(&self) -> bool {
        !self.nodes.is_empty()
            && self.leaves.is_empty()
            && (self.begun >= self.limit() || self.proven.is_some())
    }

    /// Descends to at most so many new leaves, at most [`MAX_LEAVES`], and returns how many it found: the first time
    /// one, the root.
    ///
    /// There may be none, where simulations end at exact values, even before the search is done. Leaves that wait since
    /// the last call are given up first.
    pub fn collect(&mut self, most: usize) -> usize {
        on_best_cpu!(cpu => cpu.run(Collect { cpu, tree: self, most }));
        self.leaves.len()
    }

    /// Like [`collect`](Puct::collect), but a watcher is asked now and then whether to go on, where a single move can
    /// take long.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if the watcher asked for it. The tree then has what it had, and what was found on the way.
    pub fn collect_watched(&mut self, most: usize, watch: Watch<'_>) -> Result<usize, Stopped>
    where
        P: Send,
    {
        if !is_large(self.root.heap_bytes()) {
            return Ok(self.collect(most));
        }
        apart(watch, || self.collect(most)).inspect_err(|_| self.mend())
    }

    /// Returns the positions that wait for the evaluator; none of them is over.
    pub fn leaves(&self) -> &[P] {
        &self.leaves
    }

    /// Writes the observations and the masks of the leaves, as the evaluator sees them, one after another.
    ///
    /// # Panics
    ///
    /// If there is not exactly as much room.
    pub fn write(&self, observations: &mut [u8], masks: &mut [u8]) {
        write_leaves(&self.leaves, observations, masks);
    }

    /// Takes what the evaluator says of the leaves, in their order: a prior for each action, and the value for the
    /// player to move, from -1 for a loss to 1 for a win.
    ///
    /// Only the priors of legal moves count, and only their proportions; if all are 0, they are the same for all.
    ///
    /// # Errors
    ///
    /// As for [`check_results`]; the leaves still wait.
    pub fn take(&mut self, priors: &[f32], values: &[f32]) -> Result<(), ArgumentError> {
        let num_actions = self.root.num_actions();
        check_results(self.leaves.len(), num_actions, priors, values)?;
        self.take_checked(priors, values, num_actions);
        Ok(())
    }

    /// Returns what is known of each move. Leaves that wait do not count.
    pub fn tree(&self) -> Tree<P::Move> {
        let waiting = self.leaves.len() as u64;
        let simulations = self.begun.saturating_sub(waiting);
        let branches = match self.nodes.first() {
            Some(root) if root.open => self.edges(root).iter().map(branch).collect(),
            root => {
                // If it was evaluated, its priors are the first.
                let prior = |number| root.map(|_| f64::from(self.priors[number]));
                let moves = self.root.moves().enumerate();
                moves
                    .map(|(number, m)| Branch {
                        m,
                        visits: 0,
                        value: 0.0,
                        proven: None,
                        prior: prior(number),
                    })
                    .collect()
            }
        };
        Tree { branches, simulations }
    }

    /// Returns how good the moves are as one probability each, in the order of the moves: their shares of the visits, or
    /// the same for all moves that are proved to be best. A move that is proved to lose has none, unless all do.
    pub fn policy(&self) -> Vec<f64> {
        let tree = self.tree();
        let best = tree.best().proven;
        let weight = |branch: &Branch<P::Move>| match (best, self.proven) {
            (Some(_), Some(_)) => f64::from(branch.proven == best),
            _ if branch.proven == Some(-1) => 0.0,
            _ => branch.visits as f64,
        };
        let mut policy: Vec<f64> = tree.branches.iter().map(weight).collect();
        let mut sum: f64 = policy.iter().sum();
        if sum == 0.0 {
            // Nothing was visited yet.
            policy = tree.branches.iter().map(|branch| f64::from(branch.proven != Some(-1))).collect();
            sum = policy.iter().sum();
        }
        policy.iter_mut().for_each(|weight| *weight /= sum);
        policy
    }

    /// Chooses a move, by its number among the branches: the best at temperature 0, else at random with probabilities
    /// proportional to `policy^(1 / temperature)`.
    pub fn choose(&mut self, temperature: f64) -> usize {
        let tree = self.tree();
        if temperature == 0.0 {
            let best = tree.best();
            return tree.branches.iter().position(|branch| branch.m == best.m).unwrap_or_default();
        }
        let mut weights = self.policy();
        let most = weights.iter().copied().fold(0.0, f64::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight / most).powf(1.0 / temperature));
        let mut left = uniform(&mut self.rng) * weights.iter().sum::<f64>();
        let possible = |&number: &usize| weights[number] > 0.0;
        let chosen = (0..weights.len()).filter(possible).find(|&number| {
            left -= weights[number];
            left < 0.0
        });
        chosen.or_else(|| (0..weights.len()).rfind(possible)).unwrap_or_default()
    }

    fn limit(&self) -> u64 {
        self.options.simulations.min(MAX_SIMULATIONS)
    }

    /// Returns the moves of an open node.
    fn edges(&self, node: &Node) -> &[Edge<P::Move>] {
        &self.edges[node.first as usize..(node.first + node.count) as usize]
    }

    #[inline(always)]
    pub(crate) fn collect_on(&mut self, cpu: impl Cpu, most: usize) {
        self.give_up();
        if self.nodes.is_empty() {
            push(TREE, &mut self.leaves, self.root.clone());
            push(TREE, &mut self.ends, 0);
            return;
        }
        if !self.nodes[0].open {
            let root = self.root.clone();
            self.open(cpu, 0, &root);
            self.proven = self.decided(0);
        }
        let most = most.min(MAX_LEAVES);
        let (mut known, mut collisions) = (0, 0);
        while self.leaves.len() < most
            && self.begun < self.limit()
            && self.proven.is_none()
            && known < MAX_KNOWN
            // Where a tree has few leaves that do not wait, more descents would find the same ones.
            && 4 * collisions <= most
        {
            match self.descend(cpu) {
                Reached::Leaf => {}
                Reached::Known => known += 1,
                Reached::Collision => collisions += 1,
            }
        }
        let mut collided = std::mem::take(&mut self.collided);
        collided.iter().for_each(|&step| self.take_back(step));
        collided.clear();
        self.collided = collided;
    }

    /// Reads what the next call will need first: where there are many trees, it comes from far away, and is on its way
    /// while another tree is at work.
    #[inline(always)]
    pub(crate) fn touch(&self) {
        let edges = self.edges.iter().step_by(2).take(8).map(|edge| edge.visits);
        let steps = self.steps.iter().map(|step| self.edges[step.edge as usize].visits);
        black_box(edges.chain(steps).fold(0, |all, one| all ^ one));
    }

    /// Gives up the leaves that wait.
    fn give_up(&mut self) {
        for last in (0..self.leaves.len()).rev() {
            let begin = if last == 0 { 0 } else { self.ends[last - 1] };
            if let Some(step) = self.steps[begin..self.ends[last]].last() {
                self.edges[step.edge as usize].node = NONE;
                self.begun -= 1;
            }
            for at in begin..self.ends[last] {
                self.take_back(self.steps[at]);
            }
        }
        self.leaves.clear();
        self.steps.clear();
        self.ends.clear();
    }

    /// Takes back what a descent began that was stopped amid an operation on a position.
    fn mend(&mut self) {
        let mut begun = self.steps.split_off(self.ends.last().copied().unwrap_or_default());
        begun.append(&mut self.collided);
        begun.into_iter().for_each(|step| self.take_back(step));
        let open = self.nodes.iter().filter(|node| node.open);
        self.edges.truncate(open.map(|node| (node.first + node.count) as usize).max().unwrap_or_default());
    }

    /// Takes back a step of a descent.
    fn take_back(&mut self, step: Step) {
        self.nodes[step.node as usize].visits -= 1;
        let edge = &mut self.edges[step.edge as usize];
        edge.visits -= 1;
        edge.waiting -= 1;
        edge.refresh();
    }

    /// Descends from the root, always to the move that looks best, to a leaf or an exact value.
    #[inline(always)]
    fn descend(&mut self, cpu: impl Cpu) -> Reached {
        let begin = self.steps.len();
        let mut position = self.root.clone();
        let mut at = 0;
        loop {
            if !self.nodes[at].open {
                self.open(cpu, at, &position);
                if let Some(value) = self.decided(at) {
                    let turn = self.nodes[at].turn;
                    self.prove(begin, value, turn);
                    return self.know(begin, value, turn);
                }
            }
            let edge = self.select(at);
            push(TREE, &mut self.steps, Step { node: at as u32, edge: edge as u32 });
            let node = &mut self.nodes[at];
            node.visits += 1;
            let edge = &mut self.edges[edge];
            edge.visits += 1;
            edge.waiting += 1;
            if edge.proven != UNKNOWN {
                let (value, turn) = (edge.proven, node.turn);
                return self.know(begin, value, turn);
            }
            edge.refresh();
            if edge.node == WAITING {
                reserve(TREE, &mut self.collided, self.steps.len() - begin);
                self.collided.extend(self.steps.drain(begin..));
                return Reached::Collision;
            }
            position.play_on(cpu, edge.m.clone());
            if edge.node == NONE {
                edge.node = WAITING;
                push(TREE, &mut self.leaves, position);
                push(TREE, &mut self.ends, self.steps.len());
                self.begun += 1;
                return Reached::Leaf;
            }
            at = edge.node as usize;
        }
    }

    /// Ends a descent at an exact value.
    fn know(&mut self, begin: usize, value: i8, player: Player) -> Reached {
        self.back_up(begin..self.steps.len(), value.into(), player);
        self.steps.truncate(begin);
        self.begun += 1;
        Reached::Known
    }

    /// Lists the moves of a node, and looks which of them end the game.
    #[inline(always)]
    fn open(&mut self, cpu: impl Cpu, at: usize, position: &P) {
        let Node { first, count, turn, .. } = self.nodes[at];
        let (first, new) = (first as usize, self.edges.len());
        reserve(TREE, &mut self.edges, count as usize);
        for (m, &prior) in position.moves().zip(&self.priors[first..first + count as usize]) {
            let mut after = position.clone();
            after.play_on(cpu, m.clone());
            let proven = after.outcome().map_or(UNKNOWN, |outcome| match outcome {
                Outcome::Win(winner) => {
                    if winner == turn {
                        1
                    } else {
                        -1
                    }
                }
                Outcome::Draw => 0,
            });
            let mut edge =
                Edge { sum: 0.0, mean: 0.0, prior, visits: 0, node: NONE, waiting: 0, proven: UNKNOWN, m };
            if proven != UNKNOWN {
                edge.prove(proven);
            }
            self.edges.push(edge);
        }
        let node = &mut self.nodes[at];
        (node.first, node.open) = (new as u32, true);
    }

    /// Returns the value of an open node for the player to move if its moves determine it.
    fn decided(&self, at: usize) -> Option<i8> {
        let mut best = -1;
        for edge in self.edges(&self.nodes[at]) {
            match edge.proven {
                1 => return Some(1),
                UNKNOWN => best = UNKNOWN,
                value => best = best.max(value),
            }
        }
        (best != UNKNOWN).then_some(best)
    }

    /// Tells the way to a node its exact value, as far as that determines others.
    #[cold]
    fn prove(&mut self, begin: usize, mut value: i8, mut player: Player) {
        for at in (begin..self.steps.len()).rev() {
            let Step { node, edge } = self.steps[at];
            let turn = self.nodes[node as usize].turn;
            let edge = &mut self.edges[edge as usize];
            edge.prove(if turn == player { value } else { -value });
            match self.decided(node as usize) {
                Some(decided) => (value, player) = (decided, turn),
                None => return,
            }
        }
        self.proven = Some(value);
    }

    /// Returns the move to follow from an open node: the first with the greatest sum of its mean value and a bonus, for
    /// moves with a high prior that were little visited.
    #[inline(always)]
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let scale = self.options.exploration * f64::from(node.visits).sqrt();
        let (mut most, mut best) = (f64::NEG_INFINITY, 0);
        for (number, edge) in self.edges(node).iter().enumerate() {
            let score = edge.mean + scale * f64::from(edge.prior) / f64::from(1 + edge.visits);
            // Without a branch, which nobody could predict.
            let better = score > most;
            most = if better { score } else { most };
            best = if better { number } else { best };
        }
        node.first as usize + best
    }

    /// Adds a value to all moves on the way to a leaf.
    #[inline(always)]
    fn back_up(&mut self, steps: Range<usize>, value: f64, player: Player) {
        for &Step { node, edge } in &self.steps[steps] {
            let edge = &mut self.edges[edge as usize];
            edge.sum += if self.nodes[node as usize].turn == player { value } else { -value };
            edge.waiting -= 1;
            edge.refresh();
        }
    }

    /// Takes the results of the leaves, which were checked.
    pub(crate) fn take_checked(&mut self, priors: &[f32], values: &[f32], num_actions: usize) {
        let mut begin = 0;
        for leaf in 0..self.leaves.len() {
            let turn = self.leaves[leaf].turn().unwrap_or(Player::First);
            let node = self.grow(leaf, &priors[leaf * num_actions..][..num_actions], turn);
            let end = self.ends[leaf];
            if let Some(step) = self.steps[begin..end].last() {
                self.edges[step.edge as usize].node = node;
            }
            self.back_up(begin..end, values[leaf].into(), turn);
            begin = end;
        }
        self.leaves.clear();
        self.steps.clear();
        self.ends.clear();
    }

    /// Adds a leaf to the tree, unless that is full, and returns its node.
    fn grow(&mut self, leaf: usize, row: &[f32], turn: Player) -> u32 {
        let (position, first) = (&self.leaves[leaf], self.priors.len());
        let moves = position.moves();
        let count = moves.len();
        let is_root = self.nodes.is_empty();
        let full = self.nodes.len() >= MAX_NODES || first + count > MAX_MOVES;
        if full && !is_root {
            return NONE;
        }
        reserve(TREE, &mut self.priors, count);
        let mut sum = 0.0;
        for m in moves {
            let prior = row[position.action_of_legal(&m)];
            sum += f64::from(prior);
            self.priors.push(prior);
        }
        let own = &mut self.priors[first..];
        if sum > 0.0 {
            own.iter_mut().for_each(|prior| *prior = (f64::from(*prior) / sum) as f32);
        } else {
            own.fill((1.0 / count as f64) as f32);
        }
        if let Some(noise) = self.options.noise.filter(|_| is_root) {
            let dirichlet = dirichlet(noise.alpha, count, &mut self.rng);
            for (prior, more) in own.iter_mut().zip(dirichlet) {
                *prior = ((1.0 - noise.fraction) * f64::from(*prior) + noise.fraction * more) as f32;
            }
        }
        let node = Node { first: first as u32, count: count as u32, visits: 1, turn, open: false };
        push(TREE, &mut self.nodes, node);
        (self.nodes.len() - 1) as u32
    }
}

fn branch<M: Clone>(edge: &Edge<M>) -> Branch<M> {
    let visits = edge.visits - u32::from(edge.waiting);
    let value = match edge.proven {
        UNKNOWN if visits == 0 => 0.0,
        UNKNOWN => edge.sum / f64::from(visits),
        exact => exact.into(),
    };
    Branch {
        m: edge.m.clone(),
        visits: visits.into(),
        value,
        proven: (edge.proven != UNKNOWN).then_some(edge.proven.into()),
        prior: Some(edge.prior.into()),
    }
}

struct Collect<'a, C, P: OnCpu> {
    cpu: C,
    tree: &'a mut Puct<P>,
    most: usize,
}

impl<C: Cpu, P: OnCpu> Operation for Collect<'_, C, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.tree.collect_on(self.cpu, self.most);
    }
}

/// Writes the observations and the masks of positions of a game, one after another.
///
/// # Panics
///
/// If there is not exactly as much room.
pub(crate) fn write_leaves<P: OnCpu>(leaves: &[P], observations: &mut [u8], masks: &mut [u8]) {
    on_best_cpu!(cpu => cpu.run(Write { cpu, leaves, observations, masks }));
}

struct Write<'a, C, P> {
    cpu: C,
    leaves: &'a [P],
    observations: &'a mut [u8],
    masks: &'a mut [u8],
}

impl<C: Cpu, P: OnCpu> Operation for Write<'_, C, P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Write { cpu, leaves, observations, masks } = self;
        let Some(first) = leaves.first() else { return };
        let (planes, actions) = (first.observation_len(), first.num_actions());
        assert_eq!(observations.len(), leaves.len() * planes, "the length of all observations");
        assert_eq!(masks.len(), leaves.len() * actions, "the length of all masks");
        let rows = observations.chunks_exact_mut(planes).zip(masks.chunks_exact_mut(actions));
        for (leaf, (planes, mask)) in leaves.iter().zip(rows) {
            leaf.write_planes_on(cpu, planes);
            leaf.write_mask_on(cpu, mask);
        }
    }
}

/// Returns a number from 0 to 1, without 1.
fn uniform(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns shares of one, from the symmetric Dirichlet distribution: gamma variates over their sum.
fn dirichlet(alpha: f64, count: usize, rng: &mut Rng) -> Vec<f64> {
    let mut shares: Vec<f64> = (0..count).map(|_| gamma(alpha, rng)).collect();
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share /= sum);
    } else {
        // All are too small to tell: then nearly everything is one of them.
        shares[rng.below(count)] = 1.0;
    }
    shares
}

/// Draws from the gamma distribution (Marsaglia and Tsang, 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * uniform(rng).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - uniform(rng)).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// Draws from the standard normal distribution (Marsaglia's polar method).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * uniform(rng) - 1.0, 2.0 * uniform(rng) - 1.0);
        let s = x * x + y * y;
        if s > 0.0 && s < 1.0 {
            return x * (-2.0 * s.ln() / s).sqrt();
        }
    }
}
