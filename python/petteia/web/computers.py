"""The computer players that the page offers, and what it knows of the value of a position.

This is the one place for stronger ones: a new player is an entry of COMPUTERS, a better judge stands in for
`search`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypedDict

from petteia import Breakdown, Quarto, Reversi, quarto

Bot: TypeAlias = Callable[[Any], str]
"""Chooses a move, as notation, in a position that is not over."""


class Computer(NamedTuple):
    """A computer player: how one is made, which is done anew for every move, and which games it plays."""

    make: Callable[[], Bot]
    plays: Callable[[Any], bool] = lambda _: True


def _random(position: Any) -> str:
    return str(random.choice(position.moves))


def _myopic(position: Quarto) -> str:
    board, pool = quarto.Board(), quarto.Pool()
    for index, piece in enumerate(position.array.flat):
        if piece >= 0:
            board.place(pool.pieces[piece], board.squares[index])
    player = quarto.MyopicPlayer(board, pool, random.getrandbits(32))
    if position.hand is None:
        return str(player.select_piece())
    return str(player.select_square(pool.get_unused_piece(position.hand)))


COMPUTERS: dict[str, Computer] = {
    "random": Computer(lambda: _random),
    "myopic": Computer(lambda: _myopic, lambda position: isinstance(position, Quarto)),
}


def names(position: Any) -> list[str]:
    """Return the names of the computer players that play this game."""
    return [name for name, computer in COMPUTERS.items() if computer.plays(position)]


class Evaluation(TypedDict):
    """The exact value for the first player (tiles ahead in Reversi, else 1, 0, -1), and every best move."""

    value: int
    best: list[str]


def evaluate(position: Any) -> Evaluation | None:
    """Return the exact value of a position if it is at hand, else None: the page's hints and its bar."""
    return Evaluation(value=_final(position), best=[]) if position.is_over else search(position)


BUDGET = 6_000
"""How many positions a search may look at: all of TicTac, and some hundredths of a second."""


def search(position: Any) -> Evaluation | None:
    """Return the exact value of a position that is not over by looking at all that follows, if it is little.

    Breakdown can go on for ever, so a look at all that follows does not end.
    """
    if isinstance(position, Breakdown):
        return None
    known: dict[Any, int] = {}

    def value(place: Any) -> int:
        if place not in known:
            if place.is_over:
                known[place] = _final(place)
            elif len(known) >= BUDGET:
                raise OverflowError
            else:
                best = max if place.turn == 0 else min
                known[place] = best(value(place.play(action)) for action in place.actions)
        return known[place]

    try:
        values = {move: value(position.play(move)) for move in position.moves}
    except OverflowError:
        return None
    top = max(values.values()) if position.turn == 0 else min(values.values())
    return Evaluation(value=top, best=[move for move, worth in values.items() if worth == top])


def _final(position: Any) -> int:
    """Return what a finished game is worth to the first player."""
    if isinstance(position, Reversi):
        cells = position.array
        return int((cells == 1).sum()) - int((cells == 2).sum())
    winner = position.outcome.winner
    return 0 if winner is None else 1 - 2 * int(winner)
