"""A slow, simple PUCT to compare with: recursion and dicts, one leaf at a time, without noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

EXPLORATION = 1.5


class Node:
    """A position that was evaluated, and what is known of its moves, for the player who makes them."""

    def __init__(self, position: Any, evaluator: Any) -> None:
        mask = np.zeros(position.num_actions, bool)
        mask[position.actions] = True
        priors, values = evaluator(position.observation()[None], mask[None])
        legal = [float(np.float32(priors[0][action])) for action in position.actions]
        total = sum(legal)
        shares = [prior / total if total else 1 / len(legal) for prior in legal]
        self.position = position
        self.value = float(np.float32(values[0]))
        self.priors = {m: float(np.float32(share)) for m, share in zip(position.moves, shares, strict=True)}
        self.visits = dict.fromkeys(position.moves, 0)
        self.sums = dict.fromkeys(position.moves, 0.0)
        self.children: dict[str, Node] = {}
        self.exact: dict[str, int] = {}
        self.is_open = False

    def open(self) -> None:
        """Look which moves end the game."""
        self.is_open = True
        for move in self.position.moves:
            after = self.position.play(move)
            if after.is_over:
                winner = after.outcome.winner
                self.exact[move] = 0 if winner is None else 1 if winner == self.position.turn else -1

    def known(self) -> int | None:
        """Return the exact value for the player to move, if the moves determine it."""
        values = self.exact.values()
        if 1 in values or len(values) == len(self.visits):
            return max(values)
        return None

    def mean(self, move: str) -> float:
        if move in self.exact:
            return self.exact[move]
        return self.sums[move] / self.visits[move] if self.visits[move] else 0.0

    def best(self) -> str:
        """Return the first of the moves with the highest score."""
        total = 1 + sum(self.visits.values())
        possible: list[str] = [move for move in self.position.moves if self.exact.get(move) != -1]
        return max(
            possible,
            key=lambda move: (
                self.mean(move) + EXPLORATION * math.sqrt(total) * self.priors[move] / (1 + self.visits[move])
            ),
        )

    def simulate(self, evaluator: Any) -> float:
        """Make a simulation, and return its value for the player to move here."""
        if not self.is_open:
            self.open()
            known = self.known()
            if known is not None:
                return known
        move = self.best()
        if move in self.exact:
            value: float = self.exact[move]
        else:
            after = self.position.play(move)
            sign = 1 if after.turn == self.position.turn else -1
            if move in self.children:
                child = self.children[move]
                value = sign * child.simulate(evaluator)
                known = child.known() if child.is_open else None
                if known is not None:
                    self.exact[move] = sign * known
            else:
                self.children[move] = child = Node(after, evaluator)
                value = sign * child.value
        self.visits[move] += 1
        self.sums[move] += value
        return value


def search(position: Any, simulations: int, evaluator: Any) -> Node:
    """Search a position."""
    root = Node(position, evaluator)
    root.open()
    for _ in range(simulations):
        if root.known() is not None:
            break
        root.simulate(evaluator)
    return root


def skips(node: Node) -> int:
    """Count the moves in a tree after which the same player is to move."""
    return sum((child.position.turn == node.position.turn) + skips(child) for child in node.children.values())
