"""The types of arguments that many functions share, for annotations of your own."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal, TypeAlias

from ._games import CLASSES
from ._position import Position

if TYPE_CHECKING:
    from ._petteia import _Position

    # The base class of all games exists for type checkers only.
    AnyGame: TypeAlias = _Position
    """A position of one of petteia's games."""
else:
    AnyGame = reduce(or_, CLASSES)

GameName: TypeAlias = Literal["tictac", "breakdown", "reversi", "quarto"]
"""The name of one of petteia's games."""

GameLike: TypeAlias = str | Position
"""A game: its name, for the position that it starts with, or a position of it, which may be your own."""

Progress: TypeAlias = Callable[[int, int | None], object] | bool | None
"""Who hears of the progress: a function of what is done and of the total, which is None where nobody knows
it; for True, a bar; for False and None, nobody."""
