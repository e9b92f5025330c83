"""Solving and tree search: the engine's results, with their parts named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, SupportsIndex

from . import _petteia, _pictures
from ._arguments import flag, position_of, seed_of, whole
from ._evaluator import checked, search_of, unused
from ._games import of_petteia
from ._progress import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._evaluator import Evaluator
    from ._types import GameLike, Progress


class _Solution(NamedTuple):
    """The parts of a Solution."""

    value: int | None
    """The value for the player to move: the disc difference in Reversi, else 1 (a win), 0 or -1.

    None if it is not known, because a limit was hit."""
    best_moves: list[str]
    """The moves that reach the value, in the order of their actions; with all_best=False, at least one.

    If a limit was hit, they are the moves known to reach the lower bound, if any."""
    line: list[str]
    """The principal variation: best play by both sides, as far as the search knows it."""
    nodes: int
    """The number of positions searched."""
    seconds: float
    """The time it took."""
    exact: bool
    """Whether the value is exact: true unless a limit was hit."""
    lower: int
    """A lower bound of the value."""
    upper: int
    """An upper bound of the value."""


class Solution(_Solution, _pictures.Result):
    """The result of solving a position.

    >>> solution = petteia.solve("reversi", node_limit=1000)
    >>> solution.value, solution.lower, solution.upper
    (None, -64, 64)
    """

    def __str__(self) -> str:
        """Return the solution in words."""
        bounds = f"from {self.lower} to {self.upper}: a limit was hit"
        lines = [f"value {bounds if self.value is None else self.value}"]
        if self.best_moves:
            lines += [f"best {' '.join(self.best_moves)}", f"line {' '.join(self.line)}"]
        return "\n".join([*lines, f"{self.nodes:,} nodes, {self.seconds:.3f} s"])

    def _repr_html_(self) -> str:
        """Return the solution as notebooks show it."""
        return _pictures.solution(self)


def solve(
    position: GameLike,
    *,
    threads: SupportsIndex | None = 1,
    time_limit: float | None = None,
    node_limit: SupportsIndex | None = None,
    table_mb: SupportsIndex | None = None,
    empties_to_winner: bool = False,
    all_best: bool = True,
    progress: Progress = None,
    bounds: Callable[[int, int], object] | None = None,
) -> Solution:
    """Find the exact value of a position, its best moves and the principal variation.

    all_best=False finds one best move only, which is faster. time_limit, in seconds, and node_limit stop the
    search with bounds on the value. table_mb is the size of the transposition table in megabytes.
    empties_to_winner, for Reversi only, counts empty squares for the winner, as in tournaments. The value and
    the best moves do not depend on the number of threads. progress counts nodes. bounds is called with the
    lower and the upper bound at first, whenever they have become closer, and at the end. Ctrl-C stops the
    search.

    Your own game is solved by alpha-beta search, for games in which no position can repeat.

    Raises ValueError for a finished game, for empties_to_winner in any game but Reversi, and for your own
    game if a line of play has more than 4,096 plies.

    >>> solution = petteia.solve(petteia.TicTac.from_text("X_O/_X_/___ O"))
    >>> solution.value, solution.best_moves, solution.line
    (0, ['C3'], ['C3', 'B3', 'B1', 'A2', 'C2', 'C1'])
    """
    start = position_of(position)
    flag("empties_to_winner", empties_to_winner)
    flag("all_best", all_best)
    if not (bounds is None or callable(bounds)):
        raise TypeError(f"expected bounds as a function of two bounds, not {type(bounds).__name__}")
    with telling(progress, "nodes") as tell:
        found = _petteia.solve(
            start, threads, time_limit, node_limit, table_mb, empties_to_winner, all_best, tell, bounds
        )
    _, best_moves, line, nodes, seconds, exact, lower, upper = found
    value = lower if lower == upper else None
    return Solution(value, best_moves, line, nodes, seconds, exact, lower, upper)._of(start)


class _Tree(NamedTuple):
    """The parts of a Tree."""

    best_move: str
    """The move to play: a proven win if there is one, else the most visited move.

    A proven draw is better than a move that loses more often than it wins."""
    value: float
    """The value of the position for the player to move, from -1 for a loss to 1 for a win."""
    visits: dict[str, int]
    """How often each legal move was visited; the better a move, the more often."""
    values: dict[str, float]
    """The value of each legal move for the player to move, from -1 to 1; 0 for a move never visited."""
    proven: dict[str, int]
    """The exact values of moves, where proved: 1, 0 or -1 for a win, a draw or a loss."""
    simulations: int
    """The number of simulations; fewer than requested if the position was solved."""
    seed: int
    """The seed of the search."""
    priors: dict[str, float] | None = None
    """The prior of each legal move, with noise if there is any; None without an evaluator of your own."""


class Tree(_Tree, _pictures.Result):
    """The result of a tree search."""

    def _repr_html_(self) -> str:
        """Return the moves as notebooks show them."""
        return _pictures.tree(self)


def mcts(
    position: GameLike,
    simulations: SupportsIndex,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = 1,
    progress: Progress = None,
    *,
    time: float | None = None,
    evaluator: Evaluator | Literal["estimate"] | None = None,
    batch: SupportsIndex = 64,
    exploration: float = 1.5,
    noise_alpha: float | None = None,
    noise_fraction: float = 0.25,
    temperature: float = 0.0,
) -> Tree:
    """Run a Monte-Carlo tree search with proven wins and losses.

    Without an evaluator it is UCT with random games. The same seed and number of threads give the same
    result; each thread has its own tree, and the trees are merged at the end. progress counts simulations.
    Ctrl-C stops the search, and so does time, in seconds. With evaluator="estimate", the estimate of a
    position takes the place of a random game from it.

    An evaluator of your own, a neural network say, is a function f(observations, masks) -> (priors, values)
    of many positions at once, at most batch; the search is then PUCT, as in AlphaZero. Its arguments are
    new arrays, which are yours to keep: uint8 of shape (n, planes, rows, columns) and bool of shape (n,
    actions). Its results are anything that numpy reads: priors of shape (n, actions) that are at least 0,
    of which only the proportions among the legal moves count, and values of shape (n,) for the player to
    move, from -1 for a loss to 1 for a win. Its first call has the position alone, which does not count as
    a simulation. A leaf that waits for its batch counts as lost, so that others are found: batch=1 is the
    plain search.

    exploration weighs the priors against the values. noise_alpha, with the seed, mixes Dirichlet noise into
    the priors of the position, with a share of noise_fraction. With a temperature, best_move is drawn by
    the seed, with probabilities proportional to visits ** (1 / temperature). These five, and batch, are for
    an evaluator of your own, on one thread, and for petteia's games, which have observations.

    Raises ValueError if the priors or values have the wrong shape, or numbers that are NaN or out of range.

    >>> tree = petteia.mcts(petteia.TicTac.from_text("XX_/OO_/___ X"), simulations=100)
    >>> tree.best_move, tree.proven["A3"]
    ('A3', 1)
    >>> import numpy
    >>> def even(observations, masks):
    ...     return masks, numpy.zeros(len(masks))
    >>> tree = petteia.mcts(petteia.Reversi(6, 6), simulations=100, evaluator=even)
    >>> sum(tree.visits.values()), tree.priors["c3"]
    (100, 0.25)
    """
    start, seed = position_of(position), seed_of(seed)
    branches: list[tuple[str, int, float, int | None, float | None]]
    with telling(progress, "simulations") as tell:
        if callable(evaluator):
            if threads is not None and whole("threads", threads, 1) != 1:
                raise ValueError(f"invalid threads {threads}: expected 1 with an evaluator of your own")
            branches, played = _petteia.puct(
                of_petteia(start, "mcts with an evaluator of your own"),
                checked(evaluator),
                batch,
                time,
                seed,
                search_of(simulations, exploration, noise_alpha, noise_fraction, temperature),
                tell,
            )
        else:
            unused(
                batch=(batch, 64),
                exploration=(exploration, 1.5),
                noise_alpha=(noise_alpha, None),
                noise_fraction=(noise_fraction, 0.25),
                temperature=(temperature, 0.0),
            )
            found = _petteia.mcts(start, simulations, seed, threads, tell, time, evaluator)
            branches = [(*branch, None) for branch in found[0]]
            played = found[1]
    best_move, _, value, _, _ = branches[0]
    place = {move: number for number, move in enumerate(start.moves)}
    branches = sorted(branches, key=lambda branch: place[branch[0]])
    return Tree(
        best_move=best_move,
        value=value,
        visits={move: visits for move, visits, *_ in branches},
        values={move: worth for move, _, worth, *_ in branches},
        proven={move: sure for move, _, _, sure, _ in branches if sure is not None},
        simulations=played,
        seed=seed,
        priors=({move: prior or 0.0 for move, *_, prior in branches} if callable(evaluator) else None),
    )._of(start)


for _public in (Solution, solve, Tree, mcts):
    _public.__module__ = "petteia"
