"""Exact values and tree search: the engine's answers, with their parts named."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from . import _petteia

if TYPE_CHECKING:
    from ._position import Position


class Solution(NamedTuple):
    """What a solver found out about a position."""

    value: int
    """The value for the player to move: the disc difference in Reversi, else 1 (a win), 0 or -1.

    Where a limit was hit it is the lower bound."""
    best_moves: list[str]
    """The moves that reach the value, in the order of their actions; at least one if only one was asked for.

    Where a limit was hit these are the moves known to reach the lower bound, if there are any."""
    line: list[str]
    """The principal variation: best play by both sides, from a best move on, as far as the search knows it."""
    nodes: int
    """How many positions were searched."""
    seconds: float
    """How long it took."""
    exact: bool
    """Whether the value is exact, which it is unless a limit was hit."""
    lower: int
    """What the value is at least."""
    upper: int
    """What the value is at most."""


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

    With all_best=False one best move is enough, which is found sooner. time_limit, in seconds, and node_limit
    end the search with bounds in place of the value. table_mb is the size of the transposition table in
    megabytes. With empties_to_winner, which only Reversi has, squares that stay empty count for the winner,
    as in tournaments. The value and the best moves do not depend on the number of threads. progress is called
    now and then with the nodes, the seconds, and the lower and upper bound so far. Ctrl-C stops the search.

    Your own game is solved by alpha-beta search, which is for games in which no position comes back.

    Raises ValueError for a finished game, for empties_to_winner in another game than Reversi, or for your own
    game if a line of play has more than 4,096 plies.

    >>> solution = petteia.solve(petteia.TicTac.from_text("X_O/_X_/___ O"))
    >>> solution.value, solution.best_moves, solution.line
    (0, ['C3'], ['C3', 'B3', 'B1', 'A2', 'C2', 'C1'])
    """
    found = _petteia.solve(
        position, threads, time_limit, node_limit, table_mb, empties_to_winner, all_best, progress
    )
    return Solution(*found)


class Tree(NamedTuple):
    """What a tree search found out about the moves of a position."""

    best_move: str
    """The move to play: a proven win if there is one, else that looked at most often, or a draw.

    A sure draw is played where every other move loses more often than not."""
    value: float
    """What the position is worth to the player to move, from -1 for a loss to 1 for a win."""
    visits: dict[str, int]
    """How often each legal move was looked at; the better a move, the more often."""
    values: dict[str, float]
    """What each legal move is worth to the player to move, from -1 to 1; 0 for one never looked at."""
    proven: dict[str, int]
    """The moves of which the value is proven: 1, 0 or -1 for a win, a draw or a loss."""
    simulations: int
    """How many random games were played; fewer than asked for if the position was solved."""


def mcts(
    position: Position,
    simulations: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    progress: Callable[[int], object] | None = None,
) -> Tree:
    """Search the tree of a position by random games (UCT), and prove wins and losses on the way.

    The same seed and number of threads give the same result; each thread searches a tree of its own, and the
    trees are added up. progress is called now and then with the number of games that one thread has played.
    Ctrl-C stops the search.

    >>> tree = petteia.mcts(petteia.TicTac.from_text("XX_/OO_/___ X"), simulations=100)
    >>> tree.best_move, tree.proven["A3"]
    ('A3', 1)
    """
    branches, played = _petteia.mcts(position, simulations, seed, threads, progress)
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
    )


for _public in (Solution, solve, Tree, mcts):
    _public.__module__ = "petteia"
