"""Arguments that many functions take, read in one way: every error names the parameter."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Any

from . import _games, _petteia

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import SupportsIndex

MOST = 2**64 - 1
"""The largest number that most arguments may be."""


def whole(what: str, given: SupportsIndex, least: int, most: int = MOST) -> int:
    """Return an integer that is in range, or raise ValueError, or TypeError if it is none."""
    return _petteia.whole(what, given, least, most)


def seed_of(given: SupportsIndex | None, most: int = MOST) -> int:
    """Return a seed: the given one, or a fresh one for None."""
    # Of 53 bits, which every program and file format can hold.
    return secrets.randbits(53) & most if given is None else whole("seed", given, 0, most)


def threads_of(given: SupportsIndex | None) -> int:
    """Return a number of threads: the given one, or one for each core for None."""
    return _petteia.thread_count(given)


def flag(what: str, given: bool) -> bool:
    """Return a bool, or raise TypeError for anything else."""
    if not isinstance(given, bool):
        raise TypeError(f"expected {what} as a bool, not {type(given).__name__}")
    return given


def path_of(what: str, given: str | os.PathLike[str], kind: str) -> Path:
    """Return a path; raise TypeError for what is none, and ValueError for an empty one."""
    from pathlib import Path

    try:
        name: object = os.fspath(given)
    except TypeError:
        name = None
    if not isinstance(name, str):
        raise TypeError(f"expected {what} as the path of a {kind}, not {type(given).__name__}")
    if not name:
        raise ValueError(f"invalid {what} '': expected the path of a {kind}")
    return Path(name)


def position_of(game: Any) -> Any:
    """Return the position that a game, given by its name or a position, starts with."""
    return _games.game(game) if isinstance(game, str) else game


def start_of(game: Any, parameters: Mapping[str, Any]) -> Any:
    """Return the starting position of games, given by a name and parameters, or as one that is not over."""
    if isinstance(game, str):
        return _games.game(game, **parameters)
    if parameters:
        raise TypeError(f"unexpected {', '.join(parameters)}: a position has its parameters already")
    # Report mistakes in your own game before the first move.
    if _petteia.score(game, False) is not None:
        raise ValueError(f"the game is over: expected a position with a player to move, not {shown(game)}")
    return game


def shown(position: Any) -> str:
    """Return a position's text, quoted, or its repr if it has none."""
    text = getattr(position, "text", None)
    return repr(position) if text is None else repr(text)
