"""Positions and test vectors."""

import gzip
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import petteia
import pytest

AnyPosition: TypeAlias = petteia.TicTac | petteia.Breakdown | petteia.Reversi | petteia.Quarto

ROOT = Path(__file__).resolve().parent.parent.parent

STARTS: list[AnyPosition] = [
    petteia.TicTac(),
    petteia.TicTac(first="O"),
    petteia.Breakdown(),
    petteia.Breakdown(3, 3, 1, 2),
    petteia.Breakdown(7, 6, 3, 3),
    petteia.Breakdown(70, 3, 2, 2),
    petteia.Reversi(),
    petteia.Reversi(2, 2),
    petteia.Reversi(7, 4),
    petteia.Quarto(),
]


def random_game(position: AnyPosition, seed: int, most: int = 400) -> Iterator[AnyPosition]:
    """Yield the positions of a random game, including the start and the end."""
    choose = random.Random(seed).choice
    yield position
    while not position.is_over and most:
        position = position.play(choose(position.actions))
        most -= 1
        yield position


@contextmanager
def exactly(error: type[Exception], match: str) -> Iterator[None]:
    """Expect exactly this class of exception, and no subclass (ParseError is one of ValueError)."""
    with pytest.raises(error, match=match) as raised:
        yield
    assert raised.type is error


def vectors(game: str) -> Any:
    """Return the test vectors of a game."""
    with gzip.open(ROOT / "tests" / "data" / f"{game}.json.gz") as file:
        return json.load(file)
