"""The computer players that the page offers, and its hints. A new player is one entry of COMPUTERS."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict

from petteia import Breakdown, Quarto, Reversi, quarto


class Computer(NamedTuple):
    """A computer player: which games it plays, and the move it chooses in a position that is not over."""

    plays: Callable[[Any], bool]
    choose: Callable[[Any], str]


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
    "random": Computer(lambda _: True, _random),
    "myopic": Computer(lambda position: isinstance(position, Quarto), _myopic),
}


def names(position: Any) -> list[str]:
    """Return the names of the computer players that play this game."""
    return [name for name, computer in COMPUTERS.items() if computer.plays(position)]


class Hint(TypedDict):
    """The exact value for the player to move (tiles ahead in Reversi, else 1, 0, -1), and the best moves."""

    value: int
    best: list[str]


BUDGET = 6_000
"""How many positions a hint may look at: all of TicTac, and some hundredths of a second."""


def hint(position: Any) -> Hint | None:
    """Return the exact answer if it is at hand, which it is near the end of a game, else None.

    Breakdown can go on for ever, so a look at all that follows does not end.
    """
    if position.is_over or isinstance(position, Breakdown):
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
    sign = 1 if position.turn == 0 else -1
    top = max(sign * worth for worth in values.values())
    return Hint(value=top, best=[move for move, worth in values.items() if sign * worth == top])


def _final(position: Any) -> int:
    """Return what a finished game is worth to the first player."""
    if isinstance(position, Reversi):
        cells = position.array
        return int((cells == 1).sum()) - int((cells == 2).sum())
    winner = position.outcome.winner
    return 0 if winner is None else 1 - 2 * int(winner)
