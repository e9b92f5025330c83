//! Monte-Carlo tree search: playing well where a game is too large to be solved.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::solve::SolveError;
use super::thread_count;
use crate::{Outcome, Player, Position, Rng};

/// What is asked of a tree search.
#[derive(Clone, Copy)]
pub struct TreeOptions<'a> {
    /// How many random games are played, in all threads together. There may be fewer when the position is solved sooner.
    pub simulations: u64,
    /// What fixes the random games: the same seed and number of threads give the same result.
    pub seed: u64,
    /// How many threads search, each a tree of its own; the trees are added up.
    pub threads: usize,
    /// What is told every now and then how many random games one thread has played, and may break off the search.
    pub watch: Option<TreeWatch<'a>>,
}

/// A function that is told of the progress and says whether to go on.
pub type TreeWatch<'a> = &'a (dyn Fn(u64) -> ControlFlow<()> + Sync);

impl Default for TreeOptions<'_> {
    fn default() -> Self {
        TreeOptions { simulations: 1000, seed: 0, threads: 1, watch: None }
    }
}

/// What a tree search found out about the moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<M> {
    /// Every legal move, in the order of the actions.
    pub branches: Vec<Branch<M>>,
    /// How many random games were played.
    pub simulations: u64,
}

/// What a tree search found out about a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch<M> {
    /// The move.
    pub m: M,
    /// How often it was looked at; the better a move, the more often.
    pub visits: u64,
    /// What it is worth to the player to move, from -1 for a loss to 1 for a win; 0 for a move that was never looked at.
    pub value: f64,
    /// Its value if the search has proved it: 1, 0 or -1 for a win, a draw or a loss.
    pub proven: Option<i32>,
}

impl<M> Tree<M> {
    /// Returns the best branch: a proven win if there is one, never a proven loss if there is another move.
    ///
    /// Among the others it is the one looked at most often, unless a draw is better.
    pub fn best(&self) -> &Branch<M> {
        let key = |branch: &Branch<M>| match branch.proven {
            Some(value) => (value, 0),
            // A move that loses more often than not is worse than a draw for certain.
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

    /// Returns what the position is worth to the player to move: the value of the best move.
    pub fn value(&self) -> f64 {
        self.best().value
    }
}

/// Searches the tree of a position by random games: UCT (Kocsis and Szepesvári, 2006) that knows proven wins and losses.
///
/// ```
/// use petteia::{Position, Reversi, TreeOptions, mcts};
///
/// let tree = mcts(&Reversi::default(), &TreeOptions { simulations: 500, ..TreeOptions::default() })?;
/// assert_eq!(tree.branches.len(), 4);
/// assert_eq!(tree.branches.iter().map(|branch| branch.visits).sum::<u64>(), 500);
/// # Ok::<(), petteia::SolveError>(())
/// ```
///
/// # Errors
///
/// [`SolveError::Over`] for a finished game.
pub fn mcts<P: Position>(position: &P, options: &TreeOptions) -> Result<Tree<P::Move>, SolveError> {
    if position.is_over() {
        return Err(SolveError::Over);
    }
    let threads = thread_count(options.threads) as u64;
    let stop = AtomicBool::new(false);
    let search = |number: u64| {
        // What does not divide evenly goes to the first threads.
        let share = options.simulations / threads + u64::from(number < options.simulations % threads);
        let mut search =
            Search::new(position, Rng::for_game(options.seed, number), LARGEST / threads as usize);
        search.run(share, options.watch.filter(|_| number == 0), &stop);
        search.tree()
    };
    let search = &search;
    Ok(thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|number| (number, thread::Builder::new().spawn_scoped(scope, move || search(number))))
            .collect();
        let mut tree = search(0);
        for (number, other) in others {
            // The work of a thread that the system refuses is done here: the result stays the same.
            let other = other.map_or_else(|_| Ok(search(number)), |thread| thread.join());
            match other {
                Ok(other) => tree.add(&other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        tree
    }))
}

impl<M> Tree<M> {
    /// Adds what another search of the same position found out.
    fn add(&mut self, other: &Tree<M>) {
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
    }
}

/// How much a move that was seldom looked at gains by that, against how well it did.
const EXPLORATION: f64 = 1.0;

/// How many nodes the trees have at most: some hundred megabytes. From then on they are searched but do not grow.
const LARGEST: usize = 1 << 24;

/// How often the watcher is told.
const TELL: Duration = Duration::from_millis(20);

/// A position of the tree, seen by the player who moved to it.
struct Node<M> {
    m: Option<M>,
    /// Where its children are; none before it was looked at twice.
    first: u32,
    count: u32,
    visits: u64,
    /// Wins less losses.
    sum: i64,
    proven: Option<i8>,
}

impl<M> Node<M> {
    const fn new(m: Option<M>, proven: Option<i8>) -> Self {
        Node { m, first: 0, count: 0, visits: 0, sum: 0, proven }
    }
}

struct Search<'a, P: Position> {
    root: &'a P,
    nodes: Vec<Node<P::Move>>,
    largest: usize,
    rng: Rng,
    /// The way down to the node that is looked at, each with the player who moved to it.
    path: Vec<(usize, Option<Player>)>,
}

const fn worth(outcome: Outcome, player: Option<Player>) -> i8 {
    match (outcome, player) {
        (Outcome::Draw, _) | (_, None) => 0,
        (Outcome::Win(winner), Some(player)) if winner as u8 == player as u8 => 1,
        _ => -1,
    }
}

impl<'a, P: Position> Search<'a, P> {
    fn new(root: &'a P, rng: Rng, largest: usize) -> Self {
        let mut search =
            Search { root, nodes: vec![Node::new(None, None)], largest, rng, path: vec![(0, root.turn())] };
        search.expand(0, root);
        search
    }

    fn run(&mut self, simulations: u64, watch: Option<TreeWatch>, stop: &AtomicBool) {
        let mut told = Instant::now();
        for done in 0..simulations {
            if self.nodes[0].proven.is_some() {
                return;
            }
            if done % 64 == 0 {
                if let Some(watch) = watch {
                    if told.elapsed() >= TELL {
                        told = Instant::now();
                        if watch(done).is_break() {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
            self.simulate();
        }
    }

    fn tree(&self) -> Tree<P::Move> {
        let root = &self.nodes[0];
        let branch = |node: &Node<P::Move>| {
            let mean = if node.visits == 0 { 0.0 } else { node.sum as f64 / node.visits as f64 };
            Some(Branch {
                m: node.m?,
                visits: node.visits,
                value: node.proven.map_or(mean, f64::from),
                proven: node.proven.map(i32::from),
            })
        };
        Tree { branches: self.children(root).iter().filter_map(branch).collect(), simulations: root.visits }
    }

    fn children(&self, node: &Node<P::Move>) -> &[Node<P::Move>] {
        &self.nodes[node.first as usize..(node.first + node.count) as usize]
    }

    /// Gives the last node of the path its children, as far as the tree may grow, and learns which of them end the game.
    fn expand(&mut self, index: usize, position: &P) -> bool {
        let first = self.nodes.len();
        let mover = position.turn();
        for m in position.moves() {
            let outcome = position.after_unchecked(m).outcome();
            self.nodes.push(Node::new(Some(m), outcome.map(|outcome| worth(outcome, mover))));
        }
        let count = self.nodes.len() - first;
        if self.nodes.len() > self.largest && index != 0 {
            self.nodes.truncate(first);
            return false;
        }
        (self.nodes[index].first, self.nodes[index].count) = (first as u32, count as u32);
        self.prove(self.path.len() - 1, mover);
        true
    }

    /// Goes down to a leaf, plays a random game from there, and adds its result to every node on the way.
    fn simulate(&mut self) {
        let mut position = self.root.clone();
        self.path.truncate(1);
        let mut index = 0;
        let (winner, sure) = loop {
            let node = &self.nodes[index];
            let mover = self.path[self.path.len() - 1].1;
            if let Some(value) = node.proven {
                break ((value, mover), true);
            }
            let open = node.count > 0 || node.visits > 0 && self.expand(index, &position);
            if let Some(value) = self.nodes[index].proven {
                break ((value, mover), true);
            }
            if !open {
                let (outcome, _) = position.playout(&mut self.rng);
                break ((worth(outcome, mover), mover), false);
            }
            let turn = position.turn();
            index = self.select(index);
            if let Some(m) = self.nodes[index].m {
                position.play_unchecked(m);
            }
            self.path.push((index, turn));
        };
        for at in (0..self.path.len()).rev() {
            let (index, mover) = self.path[at];
            let node = &mut self.nodes[index];
            node.visits += 1;
            node.sum += i64::from(if mover == winner.1 { winner.0 } else { -winner.0 });
            if sure && at > 0 {
                self.prove(at - 1, mover);
            }
        }
    }

    /// Proves the value of a node on the path if its children, reached by moves of `turn`, decide it.
    fn prove(&mut self, at: usize, turn: Option<Player>) {
        let (index, mover) = self.path[at];
        let children = self.children(&self.nodes[index]);
        let best = children.iter().filter_map(|child| child.proven).max();
        let decided = best == Some(1) || children.iter().all(|child| child.proven.is_some());
        if decided && self.nodes[index].proven.is_none() {
            self.nodes[index].proven = best.map(|value| if mover == turn { value } else { -value });
        }
    }

    /// Chooses the child to look at next: one that does well, or of which little is known.
    fn select(&mut self, index: usize) -> usize {
        let parent = &self.nodes[index];
        let (first, count) = (parent.first as usize, parent.count as usize);
        let log = (parent.visits.max(1) as f64).ln();
        // Where children are equal the first one wins, so each time another one is the first.
        let start = self.rng.below(count);
        let mut best = (f64::NEG_INFINITY, first);
        for i in (start..count).chain(0..start) {
            let child = &self.nodes[first + i];
            let score = match child.proven {
                Some(-1) => continue,
                Some(value) => value.into(),
                None if child.visits == 0 => f64::INFINITY,
                None => {
                    let visits = child.visits as f64;
                    child.sum as f64 / visits + EXPLORATION * (log / visits).sqrt()
                }
            };
            if score > best.0 {
                best = (score, first + i);
            }
        }
        best.1
    }
}
