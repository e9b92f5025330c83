"""Solving and tree search: the engine's results, with their parts named."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple, SupportsIndex

from . import _petteia, _pictures

if TYPE_CHECKING:
    from ._position import Position


class _Solution(NamedTuple):
    """The parts of a Solution."""

    value: int
    """The value for the player to move: the disc difference in Reversi, else 1 (a win), 0 or -1.

    If a limit was hit, it is the lower bound."""
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
    """The result of solving a position."""

    def _repr_html_(self) -> str:
        """Return the solution as notebooks show it."""
        return _pictures.solution(self)


def solve(
    position: Position,
    *,
    threads: SupportsIndex = 1,
    time_limit: float | None = None,
    node_limit: SupportsIndex | None = None,
    table_mb: SupportsIndex | None = None,
    empties_to_winner: bool = False,
    all_best: bool = True,
    progress: Callable[[int, float, int, int], object] | None = None,
) -> Solution:
    """Find the exact value of a position, its best moves and the principal variation.

    all_best=False finds one best move only, which is faster. time_limit, in seconds, and node_limit stop the
    search with bounds on the value. table_mb is the size of the transposition table in megabytes.
    empties_to_winner, for Reversi only, counts empty squares for the winner, as in tournaments. The value and
    the best moves do not depend on the number of threads. progress is called now and then with the nodes, the
    seconds, and the lower and upper bound so far. Ctrl-C stops the search.

    Your own game is solved by alpha-beta search, for games in which no position can repeat.

    Raises ValueError for a finished game, for empties_to_winner in any game but Reversi, and for your own
    game if a line of play has more than 4,096 plies.

    >>> solution = petteia.solve(petteia.TicTac.from_text("X_O/_X_/___ O"))
    >>> solution.value, solution.best_moves, solution.line
    (0, ['C3'], ['C3', 'B3', 'B1', 'A2', 'C2', 'C1'])
    """
    found = _petteia.solve(
        position, threads, time_limit, node_limit, table_mb, empties_to_winner, all_best, progress
    )
    return Solution(*found)._of(position)


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


class Tree(_Tree, _pictures.Result):
    """The result of a tree search."""

    def _repr_html_(self) -> str:
        """Return the moves as notebooks show them."""
        return _pictures.tree(self)


def mcts(
    position: Position,
    simulations: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    progress: Callable[[int], object] | None = None,
    *,
    time: float | None = None,
    evaluator: Literal["estimate"] | None = None,
) -> Tree:
    """Run a Monte-Carlo tree search (UCT) with proven wins and losses.

    The same seed and number of threads give the same result; each thread has its own tree, and the trees are
    merged at the end. progress is called now and then with the number of simulations on one thread. Ctrl-C
    stops the search, and so does time, in seconds. With evaluator="estimate", the estimate of a position
    takes the place of a random game from it.

    >>> tree = petteia.mcts(petteia.TicTac.from_text("XX_/OO_/___ X"), simulations=100)
    >>> tree.best_move, tree.proven["A3"]
    ('A3', 1)
    """
    branches, played = _petteia.mcts(position, simulations, seed, threads, progress, time, evaluator)
    best_move, _, value, _ = branches[0]
    place = {move: number for number, move in enumerate(position.moves)}
    found = sorted(branches, key=lambda branch: place[branch[0]])
    return Tree(
        best_move=best_move,
        value=value,
        visits={move: visits for move, visits, _, _ in found},
        values={move: worth for move, _, worth, _ in found},
        proven={move: sure for move, _, _, sure in found if sure is not None},
        simulations=played,
    )._of(position)


for _public in (Solution, solve, Tree, mcts):
    _public.__module__ = "petteia"
