"""The computer players that the page offers, and what it knows of the value of a position."""

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
"""How each player is made from a seed, which is done anew for every move: the page has no memory."""


def choose(name: str, position: Any) -> str:
    """Return a computer player's move in a position that is not over."""
    return COMPUTERS[name](random.getrandbits(64)).choose(position)


class Evaluation(TypedDict):
    """The exact value for the first player (the disc difference in Reversi, else 1, 0 or -1), and every best
    move."""

    value: int
    best: list[str]


NODES = 500_000
"""How many positions a search may look at."""

SECONDS = 0.5
"""How long it may take."""


def evaluate(position: Any) -> Evaluation | None:
    """Return the exact value of a position if it is soon found, else None: the page's hints and its bar."""
    if position.is_over:
        return Evaluation(value=score(position, False) or 0, best=[])
    solution = solve(position, node_limit=NODES, time_limit=SECONDS)
    if not solution.exact:
        return None
    sign = 1 if position.turn == 0 else -1
    return Evaluation(value=sign * solution.value, best=solution.best_moves)
