"""Breakdown as its document has it: boards that change, and a game whose turn is in its user's hands."""

from ._enums import Enum
from ._petteia import BreakdownBoard as Board
from ._petteia import BreakdownGame as Game

__all__ = ["Board", "Cell", "Game", "Outcome", "Turn"]


class Cell(Enum):
    """What a place on the board holds."""

    EMPTY = 0
    BLACK = 1
    WHITE = 2


class Turn(Enum):
    """Whose turn it is."""

    BLACK_NEXT = 0
    WHITE_NEXT = 1


class Outcome(Enum):
    """How a game stands."""

    BLACK_WIN = 0
    WHITE_WIN = 1
    DRAW = 2
    IN_PROGRESS = 3
