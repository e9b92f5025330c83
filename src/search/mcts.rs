//! Monte-Carlo tree search, for games that are too large to be solved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use super::root::listed;
use super::solve::SolveError;
use crate::engine::Engine;
use crate::error::{MemoryError, push, room};
use crate::position::{Outcome, Player, Position};
use crate::random::Rng;
use crate::time::{Duration, Instant};
use crate::work::{Pulse, Rhythm, Stopped, Terms, breathing, interruptible, is_large, share, thread_count};

/// The options of a tree search.
#[derive(Clone, Copy)]
pub struct TreeOptions<'a> {
    /// The number of simulations, on all threads together; fewer are played if the position is solved before.
    pub simulations: u64,
    /// How long the search may take.
    pub time_limit: Option<Duration>,
    /// What tells the value of a position at the end of the tree.
    pub evaluator: Evaluator,
    /// The seed of the simulations: the same seed and number of threads give the same result.
    pub seed: u64,
    /// How many threads search, each with its own tree; the trees are merged at the end.
    pub threads: usize,
    /// Called now and then with the number of simulations on one thread; can stop the search.
    pub watch: Option<TreeWatch<'a>>,
}

/// What tells the value of a position at the end of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// The result of a random game.
    #[default]
    Playout,
    /// The game's [estimate](Engine::estimate).
    Estimate,
}

/// A callback that receives the progress and says whether to go on.
pub type TreeWatch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl Default for TreeOptions<'_> {
    fn default() -> Self {
        TreeOptions {
            simulations: 1000,
            time_limit: None,
            evaluator: Evaluator::Playout,
            seed: 0,
            threads: 1,
            watch: None,
        }
    }
}

/// The result of a tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<M> {
    /// Every legal move, in the order of the actions.
    pub branches: Vec<Branch<M>>,
    /// How many simulations were played.
    pub simulations: u64,
}

/// The result of a tree search for one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch<M> {
    /// The move.
    pub m: M,
    /// How often it was visited; the better a move, the more often.
    pub visits: u64,
    /// Its value for the player to move, from -1 for a loss to 1 for a win; 0 for a move that was never visited.
    pub value: f64,
    /// Its exact value, if proved: 1, 0 or -1 for a win, a draw or a loss.
    pub proven: Option<i32>,
    /// Its prior probability, if an evaluator gave one.
    pub prior: Option<f64>,
}

impl<M> Tree<M> {
    /// Returns the best branch: a proven win if there is one, a proven loss only if there is nothing else.
    ///
    /// Among the others, it is the most visited one, unless a draw is better.
    pub fn best(&self) -> &Branch<M> {
        let key = |branch: &Branch<M>| match branch.proven {
            Some(value) => (value, 0),
            // A move that loses more often than it wins is worse than a proven draw.
            None if branch.value >= 0.0 => (0, 1 + branch.visits),
            None => (-1, 1 + branch.visits),
        };
        let mut best = &self.branches[0];
        for branch in &self.branches[1..] {
            if key(branch) > key(best) {
                best = branch;
            }
        }
        best
    }

    /// Returns the value of the position for the player to move: that of the best move.
    pub fn value(&self) -> f64 {
        self.best().value
    }
}

/// Runs a Monte-Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with proven wins and losses.
///
/// ```
/// use petteia::{Reversi, TreeOptions, mcts};
///
/// let tree = mcts(&Reversi::default(), &TreeOptions { simulations: 500, ..TreeOptions::default() })?;
/// assert_eq!(tree.branches.len(), 4);
/// assert_eq!(tree.branches.iter().map(|branch| branch.visits).sum::<u64>(), 500);
/// # Ok::<(), petteia::SolveError>(())
/// ```
///
/// # Errors
///
/// [`SolveError::Over`] for a finished game, [`SolveError::Memory`] if there are too many moves even to list them.
pub fn mcts<P: Engine>(position: &P, options: &TreeOptions) -> Result<Tree<P::Move>, SolveError> {
    if position.is_over() {
        return Err(SolveError::Over);
    }
    let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let threads = thread_count(options.threads);
    let done = AtomicU64::new(0);
    let watch =
        || options.watch.map_or(ControlFlow::Continue(()), |watch| watch(done.load(Ordering::Relaxed)));
    // Even a search that is stopped at once knows the moves.
    let moves = listed(position)?;
    let terms = Terms { threads, watch: Some(&watch), apart: is_large(position.heap_bytes()), deadline };
    let trees = share(terms, |number, pulse| {
        // The first threads share the remainder.
        let remainder = options.simulations % threads as u64;
        let simulations = options.simulations / threads as u64 + u64::from((number as u64) < remainder);
        let rng = Rng::for_game(options.seed, number as u64);
        let tree = match Tree::new(&moves) {
            Ok(tree) => tree,
            Err(error) => return Ok(Err(error)),
        };
        // A search that is stopped still has a tree, even before it has begun.
        let Ok(nodes) = interruptible(|| Ok(first_nodes(&moves))) else { return Ok(Ok(tree)) };
        Ok(nodes.map(|nodes| {
            let mut search = Search::new(position, tree, nodes, options.evaluator, rng, MAX_NODES / threads);
            let done = (number == 0).then_some(&done);
            let _ = interruptible(|| search.run(simulations, done, pulse));
            search.into_tree()
        }))
    });
    let trees = trees.expect("a tree search is never stopped without a tree");
    let trees = trees.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(trees.into_iter().reduce(Tree::add).expect("there is at least one thread"))
}

/// What errors call a tree that there is no memory for.
const TREE: &str = "a search tree";

impl<M: Clone> Tree<M> {
    /// Returns the tree of a search that has not begun.
    fn new(moves: &[M]) -> Result<Self, MemoryError> {
        let mut branches = room(TREE, moves.len())?;
        branches.extend(moves.iter().map(|m| Branch {
            m: m.clone(),
            visits: 0,
            value: 0.0,
            proven: None,
            prior: None,
        }));
        Ok(Tree { branches, simulations: 0 })
    }
}

impl<M> Tree<M> {
    /// Merges the result of another search of the same position.
    fn add(mut self, other: Tree<M>) -> Self {
        self.simulations += other.simulations;
        for (mine, other) in self.branches.iter_mut().zip(&other.branches) {
            mine.proven = mine.proven.or(other.proven);
            let visits = mine.visits + other.visits;
            let sum = mine.value * mine.visits as f64 + other.value * other.visits as f64;
            mine.value = match mine.proven {
                Some(value) => value.into(),
                None if visits == 0 => 0.0,
                None => sum / visits as f64,
            };
            mine.visits = visits;
        }
        self
    }
}

/// The exploration constant of UCT.
const EXPLORATION: f64 = 1.0;

/// How many nodes the trees have at most, some hundred megabytes; then the search goes on, but they stop growing.
const MAX_NODES: usize = 1 << 24;

/// A node of the tree; values are for the player who moved to it.
struct Node<M> {
    m: Option<M>,
    /// Where its children are; a node is expanded on its second visit.
    first: u32,
    count: u32,
    visits: u64,
    /// Wins minus losses, or the sum of what was expected.
    sum: f64,
    proven: Option<Proven>,
}

impl<M> Node<M> {
    const fn new(m: Option<M>) -> Self {
        Node { m, first: 0, count: 0, visits: 0, sum: 0.0, proven: None }
    }
}

/// A proven value. In a byte with its absence, all of which is written: a tree has millions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i8)]
enum Proven {
    Loss = -1,
    Draw = 0,
    Win = 1,
}

impl Proven {
    /// Returns what an outcome is for a player.
    const fn of(outcome: Outcome, player: Option<Player>) -> Self {
        match (outcome, player) {
            (Outcome::Draw, _) | (_, None) => Proven::Draw,
            (Outcome::Win(winner), Some(player)) if winner as u8 == player as u8 => Proven::Win,
            _ => Proven::Loss,
        }
    }

    const fn turned(self) -> Self {
        match self {
            Proven::Loss => Proven::Win,
            Proven::Draw => Proven::Draw,
            Proven::Win => Proven::Loss,
        }
    }

    fn value(self) -> f64 {
        f64::from(self as i8)
    }
}

/// Returns the root and its children.
fn first_nodes<M: Clone>(moves: &[M]) -> Result<Vec<Node<M>>, MemoryError> {
    let mut nodes = room(TREE, moves.len() + 1)?;
    nodes.push(Node { first: 1, count: moves.len() as u32, ..Node::new(None) });
    nodes.extend(breathing(moves).map(|m| Node::new(Some(m.clone()))));
    Ok(nodes)
}

struct Search<'a, P: Position> {
    root: &'a P,
    /// The result, kept up to date: to collect the figures of a million moves at the end would be late.
    tree: Tree<P::Move>,
    nodes: Vec<Node<P::Move>>,
    max_nodes: usize,
    evaluator: Evaluator,
    rng: Rng,
    /// The path to the current node, each with the player who moved to it.
    path: Vec<(usize, Option<Player>)>,
}

impl<'a, P: Engine> Search<'a, P> {
    fn new(
        root: &'a P,
        tree: Tree<P::Move>,
        nodes: Vec<Node<P::Move>>,
        evaluator: Evaluator,
        rng: Rng,
        max_nodes: usize,
    ) -> Self {
        Search { root, tree, nodes, max_nodes, evaluator, rng, path: vec![(0, root.turn())] }
    }

    /// Runs simulations until there are enough, the position is solved, or the search is stopped.
    fn run(
        &mut self,
        simulations: u64,
        done: Option<&AtomicU64>,
        pulse: &mut Pulse<'_>,
    ) -> Result<(), Stopped> {
        self.find_ends(0, self.root);
        let mut rhythm = Rhythm::new();
        for number in 0..simulations {
            if self.nodes[0].proven.is_some() {
                break;
            }
            if rhythm.is_time() {
                if let Some(done) = done {
                    done.store(number, Ordering::Relaxed);
                }
                pulse.look()?;
            }
            self.simulate();
        }
        Ok(())
    }

    /// Ends the search with its result.
    fn into_tree(mut self) -> Tree<P::Move> {
        self.tree.simulations = self.nodes[0].visits;
        self.tree
    }

    /// Copies what is known of a child of the root to the result.
    fn tell(&mut self, index: usize) {
        let node = &self.nodes[index];
        let branch = &mut self.tree.branches[index - self.nodes[0].first as usize];
        branch.visits = node.visits;
        branch.value = node.proven.map_or_else(|| node.sum / node.visits as f64, Proven::value);
        branch.proven = node.proven.map(|value| value as i32);
    }

    fn children(&self, node: &Node<P::Move>) -> &[Node<P::Move>] {
        &self.nodes[node.first as usize..(node.first + node.count) as usize]
    }

    /// Expands the last node of the path, as far as the tree may grow, and finds the children that end the game.
    ///
    /// Returns whether it has children now; not if the game is over, as is a user-defined game that has failed.
    fn expand(&mut self, index: usize, position: &P) -> bool {
        let first = self.nodes.len();
        let moves = position.moves();
        let count = moves.len();
        if count == 0 || first + count > self.max_nodes || self.nodes.try_reserve(count).is_err() {
            return false;
        }
        self.nodes.extend(moves.map(|m| Node::new(Some(m))));
        (self.nodes[index].first, self.nodes[index].count) = (first as u32, count as u32);
        self.find_ends(index, position);
        true
    }

    /// Finds the children of the last node of the path that end the game.
    fn find_ends(&mut self, index: usize, position: &P) {
        let mover = position.turn();
        let Node { first, count, .. } = self.nodes[index];
        for child in first as usize..(first + count) as usize {
            // Only the root has no move that leads to it.
            let Some(m) = self.nodes[child].m.clone() else { continue };
            let Some(outcome) = position.after_unchecked(m).outcome() else { continue };
            self.nodes[child].proven = Some(Proven::of(outcome, mover));
            if index == 0 {
                self.tell(child);
            }
        }
        self.prove(self.path.len() - 1, mover);
    }

    /// Returns the value of a position for the player who moved to it.
    fn evaluate(&mut self, position: &P, mover: Option<Player>) -> f64 {
        match self.evaluator {
            Evaluator::Playout => {
                let (outcome, _) = position.playout(&mut self.rng);
                Proven::of(outcome, mover).value()
            }
            Evaluator::Estimate => {
                let expected = position.estimate().expected();
                if position.turn() == mover { expected } else { -expected }
            }
        }
    }

    /// Descends to a leaf, evaluates it, and backs up its value along the path.
    fn simulate(&mut self) {
        let mut position = self.root.clone();
        self.path.truncate(1);
        let mut index = 0;
        let (leaf, sure): ((f64, _), bool) = loop {
            let node = &self.nodes[index];
            let mover = self.path[self.path.len() - 1].1;
            if let Some(value) = node.proven {
                break ((value.value(), mover), true);
            }
            let open = node.count > 0 || node.visits > 0 && self.expand(index, &position);
            if let Some(value) = self.nodes[index].proven {
                break ((value.value(), mover), true);
            }
            if !open {
                break ((self.evaluate(&position, mover), mover), false);
            }
            let turn = position.turn();
            index = self.select(index);
            // Only the root has no move that leads to it.
            position.play_unchecked(self.nodes[index].m.clone().expect("a child is reached by a move"));
            push("a line of moves", &mut self.path, (index, turn));
        };
        for at in (0..self.path.len()).rev() {
            let (index, mover) = self.path[at];
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.sum += if mover == leaf.1 { leaf.0 } else { -leaf.0 };
            if sure && at > 0 {
                self.prove(at - 1, mover);
            }
        }
        if let Some(&(child, _)) = self.path.get(1) {
            self.tell(child);
        }
    }

    /// Proves the value of a node on the path if its children, reached by moves of `turn`, determine it.
    fn prove(&mut self, at: usize, turn: Option<Player>) {
        let (index, mover) = self.path[at];
        let children = self.children(&self.nodes[index]);
        let best = children.iter().filter_map(|child| child.proven).max();
        let decided = best == Some(Proven::Win) || children.iter().all(|child| child.proven.is_some());
        if decided && self.nodes[index].proven.is_none() {
            self.nodes[index].proven = best.map(|value| if mover == turn { value } else { value.turned() });
        }
    }

    /// Selects the child to visit next: one that does well, or is little explored.
    fn select(&mut self, index: usize) -> usize {
        let parent = &self.nodes[index];
        let (first, count) = (parent.first as usize, parent.count as usize);
        let log = (parent.visits.max(1) as f64).ln();
        // The first of equal children is selected, so start at a random one.
        let start = self.rng.below(count);
        let mut best = (f64::NEG_INFINITY, first);
        for i in (start..count).chain(0..start) {
            let child = &self.nodes[first + i];
            let score = match child.proven {
                Some(Proven::Loss) => continue,
                Some(value) => value.value(),
                None if child.visits == 0 => f64::INFINITY,
                None => {
                    let visits = child.visits as f64;
                    child.sum / visits + EXPLORATION * (log / visits).sqrt()
                }
            };
            if score > best.0 {
                best = (score, first + i);
            }
        }
        best.1
    }
}
