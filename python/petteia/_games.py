"""The games by name, as the engine declares them: nothing else in the package lists them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, overload

from . import _petteia

if TYPE_CHECKING:
    from collections.abc import Mapping

    # The base class of all games exists for type checkers only.
    from ._petteia import Breakdown, Quarto, Reversi, TicTac
    from ._petteia import _Position as AnyGame


class Parameter(NamedTuple):
    """A parameter of a game, such as the width of its board."""

    name: str
    about: str
    default: int | str
    least: int | None = None
    """The least number, or None for a word."""
    most: int | None = None
    """The largest number, or None for a word."""
    words: tuple[str, ...] | None = None
    """The words to choose from, or None for a number."""

    @property
    def expected(self) -> str:
        """The possible values, for messages."""
        return " or ".join(self.words) if self.words else f"{self.least} to {self.most}"


class Declaration(NamedTuple):
    """The declaration of a game."""

    name: str
    title: str
    about: str
    """How it is won, in a sentence."""
    cls: type[AnyGame]
    """The class of its positions."""
    players: tuple[str, str]
    """The players' default names, first player first."""
    skips: bool
    """Whether a player who cannot move is skipped."""
    parameters: tuple[Parameter, ...]
    presets: tuple[tuple[str, dict[str, Any]], ...]
    """Popular values of the parameters, by name; the first are the defaults."""


def _declared(found: dict[str, Any]) -> Declaration:
    def parameter(known: dict[str, Any]) -> Parameter:
        return Parameter(**{**known, "words": tuple(known["words"]) if "words" in known else None})

    return Declaration(
        name=found["name"],
        title=found["title"],
        about=found["about"],
        cls=found["class"],
        players=tuple(found["players"]),
        skips=found["skips"],
        parameters=tuple(map(parameter, found["parameters"])),
        presets=tuple(found["presets"]),
    )


DECLARED: Mapping[str, Declaration] = MappingProxyType(
    {known["name"]: _declared(known) for known in _petteia.declarations()}
)
"""The declaration of each game, by name."""

GAMES: Mapping[str, type[AnyGame]] = MappingProxyType(
    {name: declared.cls for name, declared in DECLARED.items()}
)
"""The class of each game's positions, by the game's name."""

CLASSES: tuple[type[AnyGame], ...] = tuple(GAMES.values())
"""The classes of all games, for isinstance."""


@overload
def game(name: Literal["tictac"], /, *, first: Literal["X", "O"] = ...) -> TicTac: ...
@overload
def game(
    name: Literal["breakdown"],
    /,
    *,
    width: SupportsIndex = ...,
    height: SupportsIndex = ...,
    stick: SupportsIndex = ...,
    square: SupportsIndex = ...,
) -> Breakdown: ...
@overload
def game(
    name: Literal["reversi"], /, *, width: SupportsIndex = ..., height: SupportsIndex = ...
) -> Reversi: ...
@overload
def game(name: Literal["quarto"], /) -> Quarto: ...
@overload
def game(name: str, /, **parameters: Any) -> AnyGame: ...
def game(name: str, /, **parameters: Any) -> AnyGame:
    """Return the starting position of a game, by its name and parameters.

    >>> petteia.game("reversi", width=6, height=6).num_actions
    36
    >>> petteia.game("reversi", width=9)
    Traceback (most recent call last):
    ValueError: invalid width 9: expected 2 to 8
    """
    return class_of(name)(**parameters)


def class_of(name: str) -> type[AnyGame]:
    """Return the class of a game's positions."""
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a game as a str, not {type(name).__name__}")
    if name not in GAMES:
        raise ValueError(f"invalid game {name!r}: expected one of {', '.join(GAMES)}")
    return GAMES[name]


def of_petteia(position: Any, function: str) -> AnyGame:
    """Return a position, or raise TypeError if it is not of one of petteia's games."""
    if not isinstance(position, CLASSES):
        raise TypeError(f"{function} takes positions of petteia's own games, not {type(position).__name__}")
    return position


def name_of(position: object) -> str:
    """Return the name of a position's game; for your own game, the name of its class."""
    for name, known in GAMES.items():
        if type(position) is known:
            return name
    return type(position).__name__


game.__module__ = "petteia"
