"""What a position is: the protocol that the four games keep, and that other people's can keep too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from ._enums import Enum

if TYPE_CHECKING:
    from typing import SupportsIndex

    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self


class Player(Enum):
    """One of the two sides of a game, by the order in which they move first."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)


Player.__module__ = "petteia"


class Ended(Protocol):
    """How a finished game ended."""

    @property
    def winner(self) -> Player | None:
        """The player who won, or None for a draw."""


@runtime_checkable
class Position(Protocol):
    """A position of a two-player game: a frozen value without history that knows its legal moves.

    The four games keep it, and whatever keeps it can be played like them.

    >>> isinstance(petteia.Reversi(), petteia.Position)
    True
    """

    @property
    def moves(self) -> list[str]:
        """The legal moves in the order of their actions; there are none exactly when the game is over."""

    @property
    def actions(self) -> list[int]:
        """The actions of the legal moves, in ascending order."""

    def play(self, move: str | SupportsIndex) -> Self:
        """Return the position after a move, given as notation or as an action."""

    @property
    def turn(self) -> Player | None:
        """The player to move, or None when the game is over."""

    @property
    def players(self) -> tuple[str, str]:
        """The players' names, the first to move first."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""

    @property
    def outcome(self) -> Ended | None:
        """How the game ended, or None while it goes on."""

    @property
    def num_actions(self) -> int:
        """How many actions the game has: they are the numbers below this one."""

    def action(self, move: str) -> int:
        """Return the action of a move, which need not be legal now."""

    def move(self, action: SupportsIndex) -> str:
        """Return the notation of an action, which need not be legal now."""

    @property
    def text(self) -> str:
        """The position as one line of text; from_text reads it back."""

    @staticmethod
    def from_text(text: str) -> Any:
        """Read the one line of text of a position."""

    def svg(
        self,
        last: str | SupportsIndex | None = None,
        legal: bool = False,
        theme: Literal["auto", "light", "dark"] = "auto",
    ) -> str:
        """Return the picture of the position as one SVG element."""

    def _repr_svg_(self) -> str: ...

    @property
    def array(self) -> NDArray[np.int8]:
        """The cells as a numpy array."""

    @property
    def cells(self) -> bytes:
        """The cells in few bytes."""

    def observation(self) -> NDArray[np.uint8]:
        """Return planes of zeros and ones from the view of the player to move."""

    def perft(
        self, depth: SupportsIndex, *, threads: SupportsIndex = 1, table_mb: SupportsIndex | None = None
    ) -> int:
        """Count the sequences of exactly depth plies from here."""


Position.__module__ = "petteia"
