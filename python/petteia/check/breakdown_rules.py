"""The rules of Breakdown's document for its functions."""

from __future__ import annotations

from typing import Any

from ..breakdown import Outcome
from .breakdown import BREAKDOWN, DROP_STICK, Play
from .breakdown_boards import (
    bits_layout,
    bits_like_matrix,
    bits_words,
    both_kinds,
    bounds_rule,
    edits,
    get_set_rule,
    make_pos,
    memory,
    new_game,
    of_kind,
    show,
    shown_boards,
    small_boards,
)
from .breakdown_moves import (
    boards,
    claiming,
    colour,
    drops,
    is_drop,
    moves_rule,
    off_board,
    outcome_looks_only,
    outcome_rule,
    past_edge,
    place,
    room,
    sizes,
    turn,
)
from .rules import Rule, sanitizer, watching


def rules(bits: bool = True) -> list[Rule[Any]]:
    """Return the rules of the document; without bits boards, only those of its first part."""
    matrix, more = _matrix(), _bits() if bits else []
    returns = "every call returns: none crashes, ends the program, or works or prints without end"
    watched = [rule for rule in [*matrix, *more] if rule.name != "right-edge"]
    found = [*matrix, *more, watching("returns", returns, watched, share=0.5), sanitizer("sanitizer", matrix)]
    if bits:
        # Bits boards that are too small would break it too.
        found.append(sanitizer("bits-sanitizer", more, after=("bits-words", "sanitizer"), share=0.5))
    found.append(
        moves_rule(
            "column-off-board",
            "a stick in a column off the board is refused",
            lambda step: step.call[0] == DROP_STICK and not 0 <= step.call[1] < step.play.width,
            room,
            off_board,
            True,
            0.1,
        )
    )
    return found


def _matrix() -> list[Rule[Any]]:
    both = (int(Outcome.BLACK_WIN), int(Outcome.WHITE_WIN))
    drop = is_drop
    return [
        Rule(
            "make-pos",
            "make_pos returns a pos with the given row and column",
            lambda d: (d.integer(0, 99), d.integer(0, 99)),
            make_pos,
            share=0.1,
        ),
        Rule(
            "new-game",
            "new_game makes an empty board and keeps its arguments, and black moves first",
            lambda d: Play(*sizes(d)),
            new_game,
            share=0.3,
        ),
        get_set_rule("get-set", "board_get returns what board_set has stored", 0, False),
        get_set_rule("overwrite", "board_set replaces what a cell held before", 0, True, ("get-set",)),
        bounds_rule("bounds", "board_get and board_set report an error for a place off the board", 0),
        Rule(
            "show",
            "board_show prints labels and rows in the document's format",
            shown_boards,
            show,
            Play.shorter,
            share=0.5,
        ),
        moves_rule(
            "gravity",
            "an upright stick falls as far as it can",
            drop(True, None),
            place,
            drops,
            after=("overwrite",),
        ),
        moves_rule(
            "upright-room",
            "an upright stick is refused exactly when its column has no room for it",
            drop(True, None),
            room,
            drops,
            after=("gravity",),
        ),
        moves_rule(
            "overhang",
            "a lying stick stays in one piece and rests on the first thing under any part of it",
            drop(False, False),
            place,
            drops,
            after=("gravity",),
        ),
        moves_rule(
            "lying-room",
            "a lying stick is refused exactly when one of its columns is full",
            drop(False, False),
            room,
            drops,
            after=("overhang", "upright-room"),
        ),
        claiming(
            moves_rule(
                "right-edge",
                "a lying stick that would reach past the right edge is refused",
                drop(False, True),
                room,
                past_edge,
            )
        ),
        moves_rule(
            "colour",
            "a stick has the colour of the player whose turn it is",
            lambda step: step.call[0] == DROP_STICK,
            colour,
            drops,
        ),
        moves_rule(
            "breakdown-falls",
            "breakdown drops every cell that has air beneath it",
            lambda step: step.call[0] == BREAKDOWN,
            place,
        ),
        moves_rule(
            "breakdown-order",
            "the cells of a column keep their order when they fall",
            lambda step: step.call[0] == BREAKDOWN,
            colour,
        ),
        moves_rule("turn", "drop_stick and breakdown leave the turn alone", lambda step: True, turn),
        outcome_rule("win", "a colour wins if it is the only one with a square", lambda o, n: o in both),
        outcome_rule(
            "both-squares",
            "it is a draw when both colours have a square, no matter who has more or larger ones",
            lambda o, n: n == 2,
            ("win",),
            lambda draw: boards(draw, both=True),
        ),
        outcome_rule(
            "draw",
            "it is a draw when no stick fits anywhere and a breakdown would change nothing",
            lambda o, n: o == Outcome.DRAW and n == 0,
            ("outcome-looks-only", "right-edge"),
        ),
        outcome_rule(
            "in-progress",
            "the game goes on while a stick fits or a breakdown would change something",
            lambda o, n: o == Outcome.IN_PROGRESS,
            ("outcome-looks-only", "right-edge", "draw"),
        ),
        Rule(
            "outcome-looks-only",
            "game_outcome changes nothing",
            boards,
            outcome_looks_only,
            Play.shorter,
            share=0.5,
        ),
        Rule("memory", "game_free frees everything", of_kind(0), memory, Play.shorter, share=0.5),
    ]


def _bits() -> list[Rule[Any]]:
    says = "on a bits board, "
    stored = ("bits-words", "get-set", "bits-get-set", "overwrite", "bits-overwrite")
    return [
        Rule(
            "bits-words",
            "a bits board has exactly as many array elements as its cells need",
            small_boards,
            bits_words,
            share=0.5,
        ),
        get_set_rule(
            "bits-get-set", says + "board_get returns what board_set has stored", 1, False, stored[:2]
        ),
        get_set_rule(
            "bits-overwrite", says + "board_set replaces what a cell held before", 1, True, stored[:4]
        ),
        Rule(
            "bits-layout",
            "two bits per cell, row by row, with the first cell in the lowest bits of the first word",
            edits(1, again=False),
            bits_layout,
            after=stored[:3],
        ),
        bounds_rule("bits-bounds", says + "a place off the board is an error", 1, ("bounds",)),
        Rule(
            "bits-like-matrix",
            "a bits board behaves like a matrix board",
            both_kinds,
            bits_like_matrix,
            Play.shorter,
            after=(*stored, "right-edge", "outcome-looks-only"),
        ),
        Rule(
            "bits-memory",
            says + "game_free frees everything",
            of_kind(1),
            memory,
            Play.shorter,
            share=0.5,
            after=("memory", "bits-words"),
        ),
    ]
