"""Helpers of the adapters to other libraries: starts by name, observations of either player, images."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ._arguments import whole
from ._games import GAMES, name_of, of_petteia
from ._petteia import longest_game
from .bots import starts_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from ._petteia import _Position as AnyGame


MOST = 200
"""After how many plies, or steps of an agent, the adapters truncate a game that can go on forever."""


class Starts:
    """Where the games of an environment start, and after how many plies they are truncated."""

    def __init__(
        self, game: Any, parameters: dict[str, Any], start: Any = None, max_plies: SupportsIndex | None = None
    ) -> None:
        """Take the arguments of an environment."""
        self.positions: list[AnyGame] = [
            of_petteia(position, "an adapter") for position in starts_of(game, parameters, start)
        ]
        self.max_plies = max_plies if max_plies is None else whole("max_plies", max_plies, 1)
        self.game = name_of(self.first)

    @property
    def first(self) -> AnyGame:
        """One of the positions, whose board is like that of all."""
        return self.positions[0]

    def draw(self, random: np.random.Generator) -> AnyGame:
        """Draw a position; a generator is not asked if there is only one."""
        number = len(self.positions)
        return self.positions[int(random.integers(number)) if number > 1 else 0]

    def truncates(self, position: AnyGame, plies: int) -> bool:
        """Return whether a game is cut off at a position after a number of plies."""
        return self.max_plies is not None and plies >= self.max_plies and not position.is_over


def longest(name: str) -> int:
    """Return the greatest number of plies of a game, with any parameters, or MOST if it can go on forever."""
    # Boards are never larger than by default where games end by themselves.
    return longest_game(GAMES[name]()) or MOST


def planes(position: AnyGame, player: int) -> NDArray[np.uint8]:
    """Return the observation of a position from a player's point of view, to move or not."""
    seen = position.observation()
    mover = 0 if position.turn is None else int(position.turn)
    # Two planes are those of the two players. Otherwise the pieces belong to nobody.
    return seen[::-1].copy() if player != mover and len(seen) == 2 else seen


def mask(position: AnyGame) -> NDArray[np.int8]:
    """Return a 1 for every legal action."""
    return position.action_mask.view(np.int8)


def score(position: AnyGame, player: int) -> float:
    """Return 1 if the player has won, -1 if the opponent has, else 0."""
    winner = None if position.outcome is None else position.outcome.winner
    return 0.0 if winner is None else 1.0 if winner == player else -1.0


CELL = 48
"""The side of a cell in pixels."""
GAP = 6
"""The space around what is beside the board."""
GREEN, LINE, DARK, LIGHT = (74, 122, 92), (44, 72, 54), (32, 32, 36), (236, 232, 220)
"""The colours of the board, its lines and the players' pieces."""
GROUND = (152, 158, 152)
"""The colour around what is beside the board."""


def picture(position: AnyGame) -> NDArray[np.uint8]:
    """Return the board as an RGB image, with what the game has beside it, such as a piece in hand.

    The size of the image stays the same in the course of a game.
    """
    module = _module(position)
    paint = getattr(module, "paint_cell", _paint_disc)
    board = _paint(position.array, paint)
    if not hasattr(module, "beside"):
        return board
    side = _paint(np.array(module.beside(position), np.int8), paint)
    height, width, _ = board.shape
    image = np.full((height, width + 2 * GAP + side.shape[1], 3), GROUND, np.uint8)
    image[:, :width] = board
    image[GAP : GAP + side.shape[0], width + GAP : -GAP] = side
    return image


def _module(position: AnyGame) -> ModuleType:
    """Return the module of a game."""
    return sys.modules[f"{__package__}.{name_of(position)}"]


def _paint(cells: NDArray[np.int8], paint: Callable[..., None]) -> NDArray[np.uint8]:
    """Return an image of cells, whose contents a function paints."""
    rows, columns = cells.shape
    image = np.empty((rows * CELL, columns * CELL, 3), np.uint8)
    # Each pixel's distance from the centre of its cell, in cells: Euclidean, and the larger of x and y.
    y, x = (np.mgrid[:CELL, :CELL] - (CELL - 1) / 2) / CELL
    circle, square = np.hypot(x, y), np.maximum(abs(x), abs(y))
    for (row, column), cell in np.ndenumerate(cells):
        here = image[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        here[:] = np.where((square > 0.5 - 1 / CELL)[..., None], LINE, GREEN)
        paint(here, int(cell), circle, square)
    return image


def _paint_disc(
    pixels: NDArray[np.uint8], cell: int, circle: NDArray[np.float64], square: NDArray[np.float64]
) -> None:
    if cell:
        pixels[circle < 0.4] = DARK if cell == 1 else LIGHT
