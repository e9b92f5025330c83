"""What the page shows of a game, all of it computed from a record and a ply."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypedDict

from petteia import Record
from petteia._games import DECLARED, Parameter

from .computers import COMPUTERS

if TYPE_CHECKING:
    from petteia._petteia import _Position as AnyGame

LONGEST = 20_000
"""The longest record in characters: longer than any real game, and shown in less than a second."""

LARGEST = 64
"""The largest parameter on the page: the most columns and rows that the library's pictures show."""


_HEADERS = re.compile(r'(?:\[\S+ "(?:[^"\\]|\\.)*"\] )*', re.DOTALL)
"""What looks like the headers of a record; whether they are right is for the library to say."""


class BadRequest(ValueError):
    """A request that the page never makes, or cannot show; the message says what was expected."""


def games() -> list[dict[str, Any]]:
    """Return the names, titles, parameters and presets of the games."""
    return [
        {
            "name": declared.name,
            "title": declared.title,
            "about": declared.about,
            "parameters": [_offered(parameter) for parameter in declared.parameters],
            "presets": [
                {"name": name, "values": [str(value) for value in values.values()]}
                for name, values in declared.presets
            ],
        }
        for declared in DECLARED.values()
    ]


def _offered(parameter: Parameter) -> dict[str, Any]:
    """Return the values of a parameter that the page offers."""
    if parameter.most is None:
        return {"about": parameter.about, "words": parameter.words}
    return {"about": parameter.about, "least": parameter.least, "most": min(parameter.most, LARGEST)}


class Legal(TypedDict):
    """A legal move and what it would do."""

    move: str
    changes: list[list[int]]
    wins: list[list[int]]


class View(TypedDict):
    """A game as the page shows it: moves in notation, players 0 and 1, cells as in `Position.array`."""

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
    """Parse a record, or raise ParseError, IllegalMove, or BadRequest if it is too large to show."""
    if len(text) > LONGEST:
        raise BadRequest(f"record of {len(text)} characters: expected at most {LONGEST}")
    name, words = _game(text)
    parameters = DECLARED[name].parameters if name in DECLARED else ()
    # A board of 2^28 cells is valid: refuse it before it is allocated.
    for parameter, word in zip(parameters, words):
        is_limited = parameter.most is not None and parameter.most > LARGEST
        if is_limited and word.isascii() and word.isdecimal() and (len(word) > 9 or int(word) > LARGEST):
            shown = word if len(word) < 20 else f"of {len(word)} digits"
            raise BadRequest(f"invalid {parameter.name} {shown}: expected at most {LARGEST} on the page")
    return Record.from_text(text)


def _game(text: str) -> tuple[str, list[str]]:
    """Return the game of a record and its parameters."""
    head = _HEADERS.sub("", text, count=1).partition(":")[0].partition(" from ")[0]
    name, *words = head.split(" ")
    return name, words


def checked(record: Record[Any], ply: int | None) -> int:
    """Return a ply of the record, the last one for None."""
    if ply is None:
        return len(record)
    if not 0 <= ply <= len(record):
        raise BadRequest(f"invalid ply {ply}: expected 0 to {len(record)}")
    return ply


def view(record: Record[Any], ply: int | None = None) -> View:
    """Return what the page shows of a game at a ply, the last one for None."""
    ply, moves, positions = checked(record, ply), record.moves, record.positions
    before, position = positions[max(ply - 1, 0)], positions[ply]
    game, parameters = _game(record.text)
    sides = [int(place.turn) for place in positions[:-1]]
    cells = position.array
    return View(
        record=record.text,
        game=game,
        parameters=parameters,
        players=list(position.players),
        moves=moves,
        sides=sides,
        ply=ply,
        turn=None if position.turn is None else int(position.turn),
        over=position.is_over,
        winner=_winner(position),
        skipped=_skipped(game, position, sides[ply - 1] if ply else None),
        cells=cells.tolist(),
        before=before.array.tolist(),
        last=moves[ply - 1] if ply else None,
        hand=_hand(position),
        legal=[_legal(position, move, cells) for move in position.moves],
        winning=_winning(position),
        computers=list(COMPUTERS),
    )


def _legal(position: AnyGame, move: str, cells: Any) -> Legal:
    """Return what a legal move would do: the cells it changes, with their new values, and those that win."""
    after = position.play(move)
    then = after.array
    changes = [
        [int(row), int(column), int(then[row, column])] for row, column in zip(*(then != cells).nonzero())
    ]
    return Legal(move=move, changes=changes, wins=_winning(after))


def _winner(position: AnyGame) -> int | None:
    winner = position.outcome.winner if position.outcome else None
    return None if winner is None else int(winner)


def _winning(position: AnyGame) -> list[list[int]]:
    """Return the cells that have won, in games that have such cells."""
    return [list(cell) for cell in getattr(position, "winning_cells", ())]


def _skipped(game: str, position: AnyGame, mover: int | None) -> int | None:
    """Return who has just been skipped: the opponent of a player who moves twice in a row."""
    if mover is None or position.turn != mover or not DECLARED[game].skips:
        return None
    return 1 - mover


def _hand(position: AnyGame) -> int | None:
    """Return the action of the piece in hand, in games that have one."""
    hand = getattr(position, "hand", None)
    return None if hand is None else position.action(hand)
