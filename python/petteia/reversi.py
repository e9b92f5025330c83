"""Reversi as in its course assignment: players, position sets, board, moves and model.

A position is a pair (x, y), with (0, 0) at the top left.
"""

from collections.abc import MutableSet
from typing import Any, NoReturn

from ._enums import Enum
from ._petteia import PositionSet
from ._petteia import ReversiBoard as Board
from ._petteia import ReversiModel as Model
from ._petteia import ReversiMove as Move

__all__ = ["Board", "Model", "Move", "Player", "PositionSet", "other_player"]

MutableSet.register(PositionSet)  # pyright: ignore[reportAttributeAccessIssue]


class _NextMoves(dict[tuple[int, int], PositionSet]):
    """The legal moves of a model, which refuse changes: these would not change the model."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "these moves belong to a model and are changed by its play_move alone: expected a copy, "
            "such as dict(model.next_moves)"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = _refuse
    setdefault = update = _refuse  # pyright: ignore[reportAssignmentType]

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class Player(Enum):
    """A player, or nobody; printed as D, L or _."""

    DARK = 0
    LIGHT = 1
    NEITHER = 2

    def __str__(self) -> str:
        return "DL_"[self]


def other_player(player: Player) -> Player:
    """Return the opponent; that of Player.NEITHER is Player.NEITHER.

    >>> other_player(Player.DARK)
    petteia.reversi.Player.LIGHT
    """
    return (Player.LIGHT, Player.DARK, Player.NEITHER)[Player(player)]
