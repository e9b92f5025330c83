"""What a position is: the four members that petteia's games have, and yours can have too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ._enums import Enum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._petteia import Outcome


class Player(Enum):
    """One of the two sides of a game, by the order in which they move first."""

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

    petteia's games have these four members and many more. A class of your own that has them can be counted,
    played, solved and written down too: perft, playouts, solve, mcts, match, the bots and Record take it.
    docs/own-games.md tells what else they make use of.

    >>> isinstance(petteia.Reversi(), petteia.Position)
    True
    """

    @property
    def turn(self) -> int | None:
        """The player to move, 0 for the one who began and 1 for the other; None when the game is over."""

    @property
    def moves(self) -> Sequence[str]:
        """The legal moves as texts, always in the same order; none exactly when the game is over."""

    def play(self, move: str, /) -> Any:
        """Return the position after a legal move, a new object."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""


Position.__module__ = "petteia"
