"""What the page shows of a game: everything follows from its record and the ply that is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from petteia import Record
from petteia._games import DECLARED, Parameter

from .computers import COMPUTERS

if TYPE_CHECKING:
    from petteia._games import AnyGame

LONGEST = 20_000
"""The longest record, in characters: more than any game that people play, and shown in less than a second."""

LARGEST = 64
"""The most that a parameter can be on the page: as many columns and rows as the library's pictures show."""


class BadRequest(ValueError):
    """What the page never asks for, or cannot show; the message says what was expected."""


def games() -> list[dict[str, Any]]:
    """Return what the page knows of the games before one is played: their names, parameters and presets."""
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
    """Return which values of a parameter the page offers."""
    if parameter.most is None:
        return {"about": parameter.about, "words": parameter.words}
    return {"about": parameter.about, "least": parameter.least, "most": min(parameter.most, LARGEST)}


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
    """Read a record that the page can show; raise ParseError, IllegalMove or BadRequest for any other."""
    if len(text) > LONGEST:
        raise BadRequest(f"record of {len(text)} characters: expected at most {LONGEST}")
    name, _, words = text.partition(":")[0].partition(" ")
    parameters = DECLARED[name].parameters if name in DECLARED else ()
    # A board of 2^28 cells is a valid game: say no before it is made.
    for parameter, word in zip(parameters, words.split(" ")):
        is_limited = parameter.most is not None and parameter.most > LARGEST
        if is_limited and word.isascii() and word.isdecimal() and (len(word) > 9 or int(word) > LARGEST):
            shown = word if len(word) < 20 else f"of {len(word)} digits"
            raise BadRequest(f"invalid {parameter.name} {shown}: expected at most {LARGEST} on the page")
    return Record.from_text(text)


def checked(record: Record[Any], ply: int | None) -> int:
    """Return a ply that the record has, the last one for None."""
    if ply is None:
        return len(record)
    if not 0 <= ply <= len(record):
        raise BadRequest(f"invalid ply {ply}: expected 0 to {len(record)}")
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
    """Return what a legal move would do: the cells it changes, with what is there then, and what wins."""
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
    """Return the cells that have won, in games that are won by some."""
    return [list(cell) for cell in getattr(position, "winning_cells", ())]


def _skipped(game: str, position: AnyGame, mover: int | None) -> int | None:
    """Return who has just been skipped: whoever is not to move though the other has moved."""
    if mover is None or position.turn != mover or not DECLARED[game].skips:
        return None
    return 1 - mover


def _hand(position: AnyGame) -> int | None:
    """Return the action of the piece in hand, in games that have one."""
    hand = getattr(position, "hand", None)
    return None if hand is None else position.action(hand)
