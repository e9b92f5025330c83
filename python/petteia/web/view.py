"""What the page shows of a game: everything follows from its record and the ply that is looked at."""

from __future__ import annotations

import re
from typing import Any, TypeAlias, TypedDict

from petteia import Breakdown, ParseError, Quarto, Record, Reversi, TicTac

from .computers import COMPUTERS

AnyPosition: TypeAlias = TicTac | Breakdown | Reversi | Quarto

LONGEST = 20_000
"""The longest record, in characters: more than any game that people play, and shown in less than a second."""

LARGEST = 64
"""The most columns and rows that the page draws, as in the library's pictures."""


class Legal(TypedDict):
    """A legal move and what it would do."""

    move: str
    changes: list[list[int]]
    wins: list[list[int]]


class View(TypedDict):
    """A game as the page shows it; README's notation, players 0 and 1, cells as in `Position.array`."""

    record: str
    game: str
    parameters: list[str]
    players: list[str]
    moves: list[str]
    sides: list[int]
    ply: int
    turn: int | None
    over: bool
    winner: int | None
    skipped: int | None
    cells: list[list[int]]
    before: list[list[int]]
    last: str | None
    hand: int | None
    legal: list[Legal]
    winning: list[list[int]]
    computers: list[str]


def read(text: str) -> Record[Any]:
    """Read a record that the page can show; raise ParseError or IllegalMove for any other."""
    if len(text) > LONGEST:
        raise ParseError(f"record of {len(text)} characters: expected at most {LONGEST}")
    # A board of 2^28 cells is a valid game: say no before it is made.
    sizes = re.match(r"breakdown (\d+) (\d+) ", text)
    if sizes and any(len(size) > 9 or int(size) > LARGEST for size in sizes.groups()):
        raise ParseError(
            f'board of "{sizes[1]}" by "{sizes[2]}": expected at most {LARGEST} by {LARGEST} on the page'
        )
    return Record.from_text(text)


def checked(record: Record[Any], ply: int | None) -> int:
    """Return a ply that the record has, the last one for None."""
    if ply is None:
        return len(record)
    if not 0 <= ply <= len(record):
        raise ParseError(f"ply {ply}: expected 0 to {len(record)}")
    return ply


def view(record: Record[Any], ply: int | None = None) -> View:
    """Return what the page shows of a game after so many plies, or at its end."""
    ply, moves, positions = checked(record, ply), record.moves, record.positions
    before, position = positions[max(ply - 1, 0)], positions[ply]
    game, _, parameters = record.text.partition(":")[0].partition(" ")
    sides = [int(place.turn) for place in positions[:-1]]
    cells = position.array
    return View(
        record=record.text,
        game=game,
        parameters=parameters.split(),
        players=list(position.players),
        moves=moves,
        sides=sides,
        ply=ply,
        turn=None if position.turn is None else int(position.turn),
        over=position.is_over,
        winner=_winner(position),
        skipped=_skipped(position, sides[ply - 1] if ply else None),
        cells=cells.tolist(),
        before=before.array.tolist(),
        last=moves[ply - 1] if ply else None,
        hand=_hand(position),
        legal=[_legal(position, move, cells) for move in position.moves],
        winning=_winning(position),
        computers=list(COMPUTERS),
    )


def _legal(position: AnyPosition, move: str, cells: Any) -> Legal:
    """Return what a legal move would do: the cells it changes, with what is there then, and what wins."""
    after = position.play(move)
    then = after.array
    changes = [
        [int(row), int(column), int(then[row, column])] for row, column in zip(*(then != cells).nonzero())
    ]
    return Legal(move=move, changes=changes, wins=_winning(after))


def _winner(position: AnyPosition) -> int | None:
    winner = position.outcome.winner if position.outcome else None
    return None if winner is None else int(winner)


def _winning(position: AnyPosition) -> list[list[int]]:
    if isinstance(position, Reversi) or not position.is_over:
        return []
    return [list(cell) for cell in position.winning_cells]


def _skipped(position: AnyPosition, mover: int | None) -> int | None:
    """Return who has just been skipped: in Reversi, whoever does not move though the other moved."""
    skipped = isinstance(position, Reversi) and mover is not None and position.turn == mover
    return 1 - mover if skipped and mover is not None else None


def _hand(position: AnyPosition) -> int | None:
    hand = position.hand if isinstance(position, Quarto) else None
    return None if hand is None else position.action(hand)
