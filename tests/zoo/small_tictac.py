"""TicTac with only the four members that a position needs. BUG=name turns on one named bug."""

from __future__ import annotations

import os
import random
from typing import Any

from petteia import Outcome

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = [row + column for row in "ABC" for column in "123"]


def buggy(name: str) -> bool:
    return os.environ.get("BUG") == name


class TicTac:
    games = 0

    def __init__(self, first: str = "X", cells: str = "_________") -> None:
        self.first = first
        self.cells = cells
        TicTac.games += cells == "_________"

    @property
    def outcome(self) -> Outcome | None:
        for a, b, c in LINES[: 7 if buggy("misses_a_diagonal") else 8]:
            if self.cells[a] == self.cells[b] == self.cells[c] != "_":
                winner: Any = "01".index(self.cells[a])
                return winner if buggy("outcome_is_a_player") else Outcome(winner)
        if "_" in self.cells or buggy("draws_go_on"):
            return None
        return Outcome()

    @property
    def turn(self) -> int | None:
        if self.outcome is not None and not buggy("turn_after_the_end"):
            return None
        turn = 9 - self.cells.count("_")
        return turn if buggy("turn_counts_on") else turn % 2

    @property
    def moves(self) -> list[str]:
        if self.outcome is not None:
            return []
        found = [name for name, cell in zip(NAMES, self.cells) if cell == "_"]
        if buggy("corner_twice") and "A1" in found:
            found.append("A1")
        if buggy("shuffles"):
            random.shuffle(found)
        if buggy("forgets_the_last"):
            found = found[:8]
        return found

    def play(self, move: str) -> TicTac:
        if move not in self.moves and not buggy("plays_anything"):
            raise ValueError(f"illegal move {move!r}")
        at = NAMES.index(move)
        if buggy("crashes_in_the_middle") and move == "B2":
            raise KeyError(move)
        if buggy("remembers_games") and TicTac.games % 2 and move == "C3":
            at = NAMES.index("C2")
        mark = str((9 - self.cells.count("_")) % 2)
        cells = self.cells[:at] + mark + self.cells[at + 1 :]
        if buggy("changes_itself"):
            self.cells = cells
            return self
        return TicTac(self.first, cells)
