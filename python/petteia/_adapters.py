"""What the adapters to other libraries share: positions by name, views of either player, a plain picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._petteia import Breakdown, Quarto, Reversi, TicTac, VectorEnv

AnyPosition = TicTac | Breakdown | Reversi | Quarto

GAMES = ("tictac", "breakdown", "reversi", "quarto")


def start(game: str, parameters: dict[str, Any]) -> AnyPosition:
    """Return the position that a game starts from; the names and the complaints are those of VectorEnv."""
    return VectorEnv(game, 1, threads=1, **parameters).position(0)


def planes(position: AnyPosition, player: int) -> NDArray[np.uint8]:
    """Return the observation of a position from the view of a player, to move or not."""
    seen = position.observation()
    mover = 0 if position.turn is None else int(position.turn)
    # Quarto's pieces are nobody's: both players see the same.
    return seen if player == mover or isinstance(position, Quarto) else seen[::-1].copy()


def mask(position: AnyPosition) -> NDArray[np.int8]:
    """Return a 1 for every legal action."""
    legal = np.zeros(position.num_actions, np.int8)
    legal[position.actions] = 1
    return legal


def score(position: AnyPosition, player: int) -> float:
    """Return 1 for a game that the player has won, -1 for one that is lost, else 0."""
    winner = None if position.outcome is None else position.outcome.winner
    return 0.0 if winner is None else 1.0 if winner == player else -1.0


# Pixels of a cell's side, and the colours of cells, lines, and of both players' pieces.
CELL = 48
GREEN, LINE, DARK, LIGHT = (74, 122, 92), (44, 72, 54), (32, 32, 36), (236, 232, 220)


def picture(position: AnyPosition) -> NDArray[np.uint8]:
    """Return the board as an image: rows, columns, and red, green and blue."""
    cells = position.array
    rows, columns = cells.shape
    image = np.empty((rows * CELL, columns * CELL, 3), np.uint8)
    y, x = np.mgrid[:CELL, :CELL] - (CELL - 1) / 2
    circle, square = np.hypot(x, y), np.maximum(abs(x), abs(y))
    for (row, column), cell in np.ndenumerate(cells):
        here = image[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        here[:] = np.where((square > CELL / 2 - 1)[..., None], LINE, GREEN)
        if isinstance(position, Quarto):
            if cell >= 0:
                # Tall pieces are large, sepia ones dark, square ones square, and hollow ones have a hole.
                distance = square if cell & 2 else circle
                here[distance < CELL * (0.42 if cell & 8 else 0.3)] = DARK if cell & 4 else LIGHT
                if not cell & 1:
                    here[circle < CELL * 0.12] = GREEN
        elif cell:
            here[circle < CELL * 0.4] = DARK if cell == 1 else LIGHT
    return image
