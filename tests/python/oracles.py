"""Slow, simple games to compare with, written from the documents alone: lists and loops, without petteia."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any


class Oracle(ABC):
    """A game that is played in notation."""

    turn: int = 0
    winner: int | None = None
    over: bool = False

    @abstractmethod
    def moves(self) -> list[str]:
        """Return the legal moves, in any order."""

    @abstractmethod
    def play(self, move: str) -> None:
        """Play a legal move."""

    @abstractmethod
    def cells(self) -> list[list[int]]:
        """Return the board in the form of position.array."""


class TicTac(Oracle):
    def __init__(self) -> None:
        self.board = [[0] * 3 for _ in range(3)]

    def moves(self) -> list[str]:
        if self.over:
            return []
        return ["ABC"[r] + "123"[c] for r in range(3) for c in range(3) if not self.board[r][c]]

    def play(self, move: str) -> None:
        self.board["ABC".index(move[0])]["123".index(move[1])] = self.turn + 1
        b = self.board
        lines = [*b, *zip(*b), [b[i][i] for i in range(3)], [b[i][2 - i] for i in range(3)]]
        if any(set(line) == {self.turn + 1} for line in lines):
            self.over, self.winner = True, self.turn
        elif all(all(row) for row in b):
            self.over = True
        self.turn = 1 - self.turn

    def cells(self) -> list[list[int]]:
        return self.board


LABELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def label(column: int) -> str:
    """Return the label of a column in a move."""
    return LABELS[column] if column < 62 else str(column)


class Breakdown(Oracle):
    def __init__(self, width: int, height: int, stick: int, square: int) -> None:
        self.board = [[0] * width for _ in range(height)]
        self.width, self.height, self.stick, self.square = width, height, stick, square
        self._judge()

    def _stick(self, col: int, upright: bool, down: int) -> list[tuple[int, int]] | None:
        """Return the cells of a stick that has fallen by a number of rows, if they are free."""
        cells = [(down + i, col) if upright else (down, col + i) for i in range(self.stick)]
        free = all(r < self.height and c < self.width and not self.board[r][c] for r, c in cells)
        return cells if free else None

    def moves(self) -> list[str]:
        if self.over:
            return []
        sticks = [(o, c) for o in "|-" for c in range(self.width) if self._stick(c, o == "|", 0)]
        return [o + label(c) for o, c in sticks] + ["!"]

    def _fallen(self) -> list[list[int]]:
        columns = [[cell for cell in column if cell] for column in zip(*self.board)]
        padded = [[0] * (self.height - len(column)) + column for column in columns]
        return [list(row) for row in zip(*padded)]

    def _judge(self) -> None:
        q, found = self.square, set()
        for r in range(self.height - q + 1):
            for c in range(self.width - q + 1):
                found |= {
                    colour
                    for colour in (1, 2)
                    if all(self.board[r + i][c + j] == colour for i in range(q) for j in range(q))
                }
        if len(found) == 1:
            self.over, self.winner = True, found.pop() - 1
        elif len(found) == 2 or (self.moves() == ["!"] and self._fallen() == self.board):
            self.over = True

    def play(self, move: str) -> None:
        if move == "!":
            self.board = self._fallen()
        else:
            col = LABELS.index(move[1]) if len(move) == 2 else int(move[1:])
            down = 0
            while self._stick(col, move[0] == "|", down + 1):
                down += 1
            for r, c in self._stick(col, move[0] == "|", down) or []:
                self.board[r][c] = self.turn + 1
        self.turn = 1 - self.turn
        self._judge()

    def cells(self) -> list[list[int]]:
        return self.board


class Reversi(Oracle):
    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.board = [[0] * width for _ in range(height)]

    def _gains(self, x: int, y: int) -> list[tuple[int, int]]:
        gains = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                line: list[tuple[int, int]] = []
                i, j = x + dx, y + dy
                while 0 <= i < self.width and 0 <= j < self.height and self.board[j][i] == 2 - self.turn:
                    line.append((i, j))
                    i, j = i + dx, j + dy
                if 0 <= i < self.width and 0 <= j < self.height and self.board[j][i] == self.turn + 1:
                    gains += line
        return gains

    def _squares(self) -> list[tuple[int, int]]:
        cx, cy = self.width // 2, self.height // 2
        center = [(x, y) for x in (cx - 1, cx) for y in (cy - 1, cy) if not self.board[y][x]]
        every = [(x, y) for x in range(self.width) for y in range(self.height) if not self.board[y][x]]
        return center or [(x, y) for x, y in every if self._gains(x, y)]

    def moves(self) -> list[str]:
        return [] if self.over else ["abcdefgh"[x] + str(y + 1) for x, y in self._squares()]

    def play(self, move: str) -> None:
        x, y = "abcdefgh".index(move[0]), int(move[1]) - 1
        for i, j in [*self._gains(x, y), (x, y)]:
            self.board[j][i] = self.turn + 1
        self.turn = 1 - self.turn
        if not self._squares():
            self.turn = 1 - self.turn
            if not self._squares():
                dark, light = (sum(row.count(p) for row in self.board) for p in (1, 2))
                self.over, self.winner = True, None if dark == light else int(light > dark)

    def cells(self) -> list[list[int]]:
        return self.board


class Quarto(Oracle):
    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 16
        self.left = list(range(16))
        self.hand: int | None = None

    @staticmethod
    def _code(piece: int) -> str:
        return "".join(pair[piece >> 3 - i & 1] for i, pair in enumerate(("ST", "BE", "CQ", "HO")))

    def moves(self) -> list[str]:
        if self.over:
            return []
        if self.hand is None:
            return [self._code(piece) for piece in self.left]
        return ["ABCD"[s // 4] + "1234"[s % 4] for s in range(16) if self.board[s] is None]

    def play(self, move: str) -> None:
        if self.hand is None:
            self.hand = next(piece for piece in self.left if self._code(piece) == move)
            self.left.remove(self.hand)
            self.turn = 1 - self.turn
            return
        self.board["ABCD".index(move[0]) * 4 + "1234".index(move[1])], self.hand = self.hand, None
        lines = [range(r * 4, r * 4 + 4) for r in range(4)] + [range(c, 16, 4) for c in range(4)]
        for line in [*lines, range(0, 16, 5), range(3, 13, 3)]:
            pieces = [piece for square in line if (piece := self.board[square]) is not None]
            if len(pieces) == 4 and any(len({piece >> bit & 1 for piece in pieces}) == 1 for bit in range(4)):
                self.over, self.winner = True, self.turn
        self.over = self.over or None not in self.board

    def cells(self) -> list[list[int]]:
        numbers = [-1 if piece is None else piece for piece in self.board]
        return [numbers[r : r + 4] for r in range(0, 16, 4)]


def placed(position: str) -> Any:
    """Return a game at a position, given as petteia writes it."""
    field, *rest = position.split()
    rows = field.split("/")
    signs = "_XO" if rest[0] in ("X", "O") else ".*o" if len(rest) == 3 else "_DL"
    game: Any
    if len(rest) == 2:
        game = Quarto()
        game.board = [None if sign == "." else int(sign, 16) for row in rows for sign in row]
        game.hand = None if rest[0] == "-" else int(rest[0], 16)
        game.left = [piece for piece in range(16) if piece not in game.board and piece != game.hand]
        game.turn = int(rest[1]) - 1
        return game
    width, height = len(rows[0]), len(rows)
    if len(rest) == 3:
        game = Breakdown(width, height, int(rest[1]), int(rest[2]))
    else:
        game = TicTac() if rest[0] in ("X", "O") else Reversi(width, height)
    game.board = [[signs.index(sign) for sign in row] for row in rows]
    game.turn = ["XDb", "OLw"].index(next(players for players in ("XDb", "OLw") if rest[0] in players))
    return game


def after(game: Any, move: str) -> Any:
    """Return the game after a move."""
    game = copy.deepcopy(game)
    game.play(move)
    return game


def key(game: Any) -> tuple[object, ...]:
    """Return what tells positions of a game apart."""
    return str(game.board), getattr(game, "hand", None), game.turn


class Proof:
    """What a player can force in the positions of a game, by looking at all of them."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.known: dict[tuple[object, ...], bool] = {}

    def wins(self, game: Any) -> bool:
        """Return whether the player can force a win."""
        if game.over:
            return bool(game.winner == self.player)
        if key(game) not in self.known:
            own = game.turn == self.player
            ends = (self.wins(end) for end in self._ends(game, own))
            self.known[key(game)] = any(ends) if own else all(ends)
        return self.known[key(game)]

    def _ends(self, game: Any, own: bool) -> Iterator[Any]:
        for move in game.moves():
            end = after(game, move)
            # A breakdown of which nothing falls does not help to win: the opponent gives the turn back by
            # another. So no position comes twice.
            if not (own and move == "!" and end.board == game.board):
                yield end

    def wins_within(self, game: Any, turns: int) -> bool:
        """Return whether the player wins before the opponent begins one turn more than this."""
        if game.over:
            return bool(game.winner == self.player)
        own = game.turn == self.player
        ends = []
        for move in game.moves():
            end = after(game, move)
            left = turns - int(own and not end.over and end.turn != self.player)
            ends.append(left >= 0 and self.wins_within(end, left))
        return any(ends) if own else all(ends)
