"""Breakdown as in its course assignments: mutable boards, and a game that leaves the turn to the caller."""

from typing import Any, NoReturn

from ._enums import Enum
from ._petteia import BreakdownBoard as Board
from ._petteia import BreakdownGame as Game

__all__ = ["Board", "Cell", "Game", "Outcome", "Turn"]


class Cell(Enum):
    """The content of a cell."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2


class Turn(Enum):
    """Whose turn it is."""

    BLACK_NEXT = 0
    WHITE_NEXT = 1


class Outcome(Enum):
    """The state of a game."""

    BLACK_WIN = 0
    WHITE_WIN = 1
    DRAW = 2
    IN_PROGRESS = 3


class _Words(list[int]):
    """The packed words of a board, which refuse changes: these would not change the board."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("these words are a board's and cannot be changed: expected board[r, c] = cell")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = _refuse
    sort = _refuse  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)
