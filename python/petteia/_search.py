"""Solving and tree search: the engine's results, with their parts named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, SupportsIndex

from . import _petteia
from ._arguments import flag, position_of, seed_of
from ._progress import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._types import GameLike, Progress


class Solution(NamedTuple):
    """The result of solving a position.

    >>> solution = petteia.solve("reversi", node_limit=1000)
    >>> solution.value, solution.lower, solution.upper
    (None, -64, 64)
    """

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

    def __str__(self) -> str:
        """Return the solution in words."""
        bounds = f"from {self.lower} to {self.upper}: a limit was hit"
        lines = [f"value {bounds if self.value is None else self.value}"]
        if self.best_moves:
            lines += [f"best {' '.join(self.best_moves)}", f"line {' '.join(self.line)}"]
        return "\n".join([*lines, f"{self.nodes:,} nodes, {self.seconds:.3f} s"])


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
    return Solution(value, best_moves, line, nodes, seconds, exact, lower, upper)


class Tree(NamedTuple):
    """The result of a tree search."""

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


def mcts(
    position: GameLike,
    simulations: SupportsIndex,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = 1,
    progress: Progress = None,
    *,
    time: float | None = None,
    evaluator: Literal["estimate"] | None = None,
) -> Tree:
    """Run a Monte-Carlo tree search (UCT) with proven wins and losses.

    The same seed and number of threads give the same result; each thread has its own tree, and the trees are
    merged at the end. progress counts simulations. Ctrl-C stops the search, and so does time, in seconds.
    With evaluator="estimate", the estimate of a position takes the place of a random game from it.

    >>> tree = petteia.mcts(petteia.TicTac.from_text("XX_/OO_/___ X"), simulations=100)
    >>> tree.best_move, tree.proven["A3"]
    ('A3', 1)
    """
    start, seed = position_of(position), seed_of(seed)
    with telling(progress, "simulations") as tell:
        branches, played = _petteia.mcts(start, simulations, seed, threads, tell, time, evaluator)
    best_move, _, value, _ = branches[0]
    place = {move: number for number, move in enumerate(start.moves)}
    found = sorted(branches, key=lambda branch: place[branch[0]])
    return Tree(
        best_move=best_move,
        value=value,
        visits={move: visits for move, visits, _, _ in found},
        values={move: worth for move, _, worth, _ in found},
        proven={move: sure for move, _, _, sure in found if sure is not None},
        simulations=played,
        seed=seed,
    )


for _public in (Solution, solve, Tree, mcts):
    _public.__module__ = "petteia"
