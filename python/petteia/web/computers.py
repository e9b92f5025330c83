"""The computer players that the page offers, and the exact values that it shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypedDict

from petteia import bots, solve
from petteia._petteia import score

COMPUTERS: dict[str, Callable[[int], bots.Bot]] = {
    "random": bots.Random,
    "myopic": bots.Myopic,
    "mcts": lambda seed: bots.Mcts(2000, seed),
    "perfect": lambda seed: bots.Perfect(1_000_000, seed),
}
"""Makes each player from a seed, anew for every move: the server keeps no state."""


def choose(name: str, position: Any) -> str:
    """Return a computer player's move in a position that is not over."""
    return COMPUTERS[name](random.getrandbits(64)).choose(position)


class Evaluation(TypedDict):
    """The exact value for the first player and the best moves.

    In Reversi the value is the disc difference, in the other games 1, 0 or -1.
    """

    value: int
    best: list[str]


NODES = 500_000
"""The node limit of a search."""

SECONDS = 0.5
"""Its time limit."""


def evaluate(position: Any) -> Evaluation | None:
    """Return the exact value of a position, for hints and the bar, or None if it is not found in time."""
    if position.is_over:
        return Evaluation(value=score(position, False) or 0, best=[])
    solution = solve(position, node_limit=NODES, time_limit=SECONDS)
    if not solution.exact or solution.value is None:
        return None
    sign = 1 if position.turn == 0 else -1
    return Evaluation(value=sign * solution.value, best=solution.best_moves)
