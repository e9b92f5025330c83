"""Your own game in Python: Connect Four in four members, which petteia counts, plays, solves and records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import petteia


@dataclass(frozen=True)
class ConnectFour:
    """A position: columns from left to right, each a tuple of discs from the bottom up, 0 or 1 by player."""

    columns: tuple[tuple[int, ...], ...] = ((),) * 7
    height: int = 6

    @property
    def turn(self) -> int | None:
        """The player to move, or None when the game is over."""
        return None if self.outcome else sum(map(len, self.columns)) % 2

    @property
    def moves(self) -> list[str]:
        """The letters of the columns that are not full."""
        if self.outcome:
            return []
        return ["abcdefgh"[x] for x, column in enumerate(self.columns) if len(column) < self.height]

    def play(self, move: str) -> ConnectFour:
        """Drop a disc into a column."""
        player, at = sum(map(len, self.columns)) % 2, "abcdefgh".index(move)
        columns = [(*column, player) if x == at else column for x, column in enumerate(self.columns)]
        return ConnectFour(tuple(columns), self.height)

    @property
    def outcome(self) -> petteia.Outcome | None:
        """Four in a row win; a full board is a draw."""
        return self._outcome

    @cached_property
    def _outcome(self) -> petteia.Outcome | None:
        # It is cached, since turn and moves use it too.
        cells = {(x, y): disc for x, column in enumerate(self.columns) for y, disc in enumerate(column)}
        for (x, y), disc in cells.items():
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(cells.get((x + i * dx, y + i * dy)) == disc for i in range(4)):
                    return petteia.Outcome(disc)
        return petteia.Outcome() if len(cells) == len(self.columns) * self.height else None

    # That is all petteia needs. With a text, games can be recorded, and errors show the position.

    @property
    def text(self) -> str:
        """The columns from left to right, each from the bottom up, and their height: '01,,0 4'."""
        return ",".join("".join(map(str, column)) for column in self.columns) + f" {self.height}"

    @staticmethod
    def from_text(text: str) -> ConnectFour:
        """Read a position back from its text."""
        columns, height = text.split(" ")
        return ConnectFour(tuple(tuple(map(int, column)) for column in columns.split(",")), int(height))


def main() -> None:
    """Show what petteia does with it."""
    start = ConnectFour()
    counts = [petteia.perft(start, depth) for depth in range(1, 5)]
    print("positions after 1 to 4 plies:", counts)
    assert counts == [7, 49, 343, 2401]

    tally = petteia.playouts(start, 100, seed=1)
    print(f"100 random games: {tally.wins[0]} and {tally.wins[1]} wins, {tally.draws} draws")

    small = ConnectFour(((),) * 4, height=4)
    solution = petteia.solve(small, all_best=False)
    print(f"4 by 4 is worth {solution.value} to the first player, found in {solution.nodes} positions")
    assert solution.value == 0

    tree = petteia.mcts(start, simulations=200, seed=1)
    print("tree search plays", tree.best_move)

    print(petteia.match("mcts:20", "random", start, games=10, seed=1))

    record = petteia.Record(start, ["d", "d", "e", "d", "f", "g", "c"])
    print("a record:", record.text)
    print("it ended:", record.outcome)
    assert petteia.Record.from_text(record.text, game=ConnectFour) == record


if __name__ == "__main__":
    main()
