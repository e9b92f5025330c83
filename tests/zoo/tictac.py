"""TicTac in Python with petteia's Position protocol. BUG=name turns on one named bug."""

from __future__ import annotations

import os
from typing import Any

from petteia import Outcome, Player

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = [row + column for row in "ABC" for column in "123"]


def buggy(name: str) -> bool:
    return os.environ.get("BUG") == name


class TicTac:
    def __init__(self, first: str = "X", cells: str = "_________", turn: Player = Player.FIRST) -> None:
        self.players = (first, "O" if first == "X" else "X")
        self.cells = cells
        self._turn = turn

    @property
    def outcome(self) -> Outcome | None:
        for a, b, c in LINES[: 7 if buggy("misses_a_diagonal") else 8]:
            if self.cells[a] == self.cells[b] == self.cells[c] != "_":
                return Outcome(Player(self.players.index(self.cells[a])))
        return None if "_" in self.cells else Outcome(None)

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def turn(self) -> Player | None:
        if buggy("turn_after_the_end"):
            return self._turn
        return None if self.is_over else self._turn

    @property
    def actions(self) -> list[int]:
        if self.is_over:
            return []
        found = [i for i, cell in enumerate(self.cells) if cell == "_"]
        return found[::-1] if buggy("actions_backwards") else found

    @property
    def moves(self) -> list[str]:
        return [NAMES[action] for action in sorted(self.actions)]

    num_actions = 9

    def action(self, move: str) -> int:
        return NAMES.index(move)

    def move(self, action: int) -> str:
        return NAMES[action % 8 if buggy("forgets_the_last") else action]

    def play(self, move: str | int) -> TicTac:
        action = move if isinstance(move, int) else self.action(move)
        if action not in self.actions and not buggy("plays_anything"):
            raise ValueError(f"illegal move {move!r}")
        assert self._turn is not None
        cells = self.cells[:action] + self.players[self._turn] + self.cells[action + 1 :]
        if buggy("changes_itself"):
            self.cells = cells
        return TicTac(self.players[0], cells, Player(1 - self._turn))

    @property
    def text(self) -> str:
        who = "-" if self.is_over else self.players[self._turn]
        return "/".join(self.cells[i : i + 3] for i in (0, 3, 6)) + f" {who}"

    @staticmethod
    def from_text(text: str) -> TicTac:
        cells, who = text.replace("/", "").split()
        count = 9 - cells.count("_")
        x_first = (cells.count("X") > cells.count("O")) if count % 2 else who != "O"
        return TicTac("X" if x_first else "O", cells, Player(count % 2))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, TicTac) and self.text == other.text

    def __hash__(self) -> int:
        return id(self) if buggy("hash_of_the_object") else hash(self.text)
