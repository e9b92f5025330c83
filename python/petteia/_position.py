"""The protocol of positions: four members that petteia's games have, and your own can have too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ._enums import Enum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._petteia import Outcome


class Player(Enum):
    """One of the two sides of a game, in the order of their first moves."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)


Player.__module__ = "petteia"


@runtime_checkable
class Position(Protocol):
    """A position of a two-player game: a value without history that knows its legal moves.

    petteia's games have these four members and many more. perft, playouts, solve, mcts, match, the bots and
    Record also take your own class if it has them. docs/own-games.md lists optional members.

    >>> isinstance(petteia.Reversi(), petteia.Position)
    True
    """

    @property
    def turn(self) -> int | None:
        """The player to move, 0 for the one who began and 1 for the other; None when the game is over."""

    @property
    def moves(self) -> Sequence[str]:
        """The legal moves as strings, always in the same order; empty if and only if the game is over."""
        ...

    def play(self, move: str, /) -> Any:
        """Return the position after a legal move, as a new object."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""


Position.__module__ = "petteia"
