"""What an implementation under test may use of petteia: the types of the protocol, and none of the games.

It stands in for petteia, which is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol, SupportsIndex

__all__ = ["ArgumentError", "IllegalMove", "Outcome", "ParseError", "Player", "Position"]


class Player(IntEnum):
    """One of the two players."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(1 - self)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, init=False)
class Outcome:
    """How a game ended: who won it, or nobody."""

    winner: Player | None

    def __init__(self, winner: SupportsIndex | None = None) -> None:
        object.__setattr__(self, "winner", None if winner is None else Player(winner.__index__()))

    @property
    def is_draw(self) -> bool:
        """Whether nobody won."""
        return self.winner is None


class ParseError(ValueError):
    """A text that cannot be read."""


class IllegalMove(ValueError):
    """A move that is not allowed."""


class ArgumentError(ValueError):
    """An argument out of range."""


class Position(Protocol):
    """A position of a game."""

    @property
    def turn(self) -> Player | None: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def outcome(self) -> Outcome | None: ...
    def play(self, move: str) -> Position: ...


def _call_petteia_s(*kinds: type) -> None:
    for kind in kinds:
        kind.__module__ = "petteia"


_call_petteia_s(Player, Outcome, ParseError, IllegalMove, ArgumentError, Position)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(
        f"an implementation under test may not use petteia.{name}: only {', '.join(__all__)} are there"
    )
