"""The puzzles of the page: each has one answer, proved anew by slow oracles; the program makes the files."""

from __future__ import annotations

import datetime
import itertools
import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import oracles
import pytest
from oracles import Proof, after, placed
from petteia.web import puzzles

GAMES = ("tictac", "breakdown", "reversi", "quarto")


@cache
def read(game: str) -> tuple[tuple[str, int, str, tuple[str, ...]], ...]:
    entries = json.loads((puzzles.FOLDER / f"{game}.json").read_text())["puzzles"]
    return tuple((kind, grade, position, tuple(moves)) for kind, grade, position, moves in entries)


def empty(position: str) -> int:
    return sum(sign in "._" for sign in position.split()[0])


def prove(kind: str, position: str, moves: tuple[str, ...]) -> None:
    """Check that a puzzle has its one answer."""
    game: Any = placed(position)
    own, other = Proof(game.turn), Proof(1 - game.turn)
    others = [move for move in game.moves() if move != moves[0]]
    assert len(others) >= 2 and moves[0] in game.moves()
    right = after(game, moves[0])
    assert not right.over
    if kind == "draw":
        assert not own.wins(game) and not other.wins(right)
        assert all(other.wins(after(game, move)) for move in others)
        return
    assert own.wins(right)
    assert not any(own.wins(after(game, move)) for move in others)
    assert own.wins_within(game, 1) == (kind == "two")
    for move in moves[1:]:
        right.play(move)
    assert kind == "only" or (right.over and right.winner == own.player)


@pytest.mark.parametrize("game", GAMES)
def test_files_are_small_graded_lists(game: str) -> None:
    entries = read(game)
    assert (puzzles.FOLDER / f"{game}.json").stat().st_size < 64_000
    assert {kind for kind, *_ in entries} == {"two", "only", "draw"}
    grades = [grade for _, grade, *_ in entries]
    assert grades == sorted(grades) and set(grades) == {1, 2, 3, 4, 5}
    assert len({position for _, _, position, _ in entries}) == len(entries)
    assert game == "tictac" or len(entries) >= 300
    assert all(len(moves) == 1 for kind, _, _, moves in entries if kind != "two")


def test_every_puzzle_of_tictac_is_there_and_proved() -> None:
    for kind, _, position, moves in read("tictac"):
        prove(kind, position, moves)
    reached: dict[tuple[object, ...], Any] = {}
    queue: list[Any] = [oracles.TicTac()]
    for game in queue:
        for move in game.moves():
            end = after(game, move)
            if reached.setdefault(least(end), end) is end:
                queue.append(end)
    expected = {shape for shape, game in reached.items() if is_puzzle(game)}
    assert {least(placed(position)) for _, _, position, _ in read("tictac")} == expected


def least(game: Any) -> tuple[object, ...]:
    """Return the least of the forms that turns and reflections give a board, with the player to move."""
    forms, board = [], game.board
    for _ in range(4):
        board = [list(row) for row in zip(*board[::-1], strict=True)]
        forms += [board, [row[::-1] for row in board]]
    return str(min(forms)), None if game.over else game.turn


def is_puzzle(game: Any) -> bool:
    """Return whether exactly one of at least three moves keeps the result, no loss, and the game goes on."""
    if len(game.moves()) < 3:
        return False
    own, other = Proof(game.turn), Proof(1 - game.turn)
    ends = [after(game, move) for move in game.moves()]
    right = [end for end in ends if own.wins(end)] or [end for end in ends if not other.wins(end)]
    return len(right) == 1 and not right[0].over


@pytest.mark.parametrize(("game", "most"), [("breakdown", 12), ("reversi", 6), ("quarto", 6)])
@pytest.mark.parametrize("kind", ["two", "only", "draw"])
def test_puzzles_are_proved_anew(game: str, kind: str, most: int) -> None:
    late = [entry for entry in read(game) if entry[0] == kind and empty(entry[2]) <= most]
    for _, _, position, moves in random.Random(1).sample(late, 6):
        prove(kind, position, moves)


def test_tictac_s_file_is_what_the_program_writes() -> None:
    text = puzzles.written("tictac", list(puzzles.all_of_tictac()))
    assert (puzzles.FOLDER / "tictac.json").read_text() == text


@pytest.mark.parametrize("game", ["breakdown", "reversi", "quarto"])
def test_files_are_what_the_program_writes(game: str) -> None:
    known = {(kind, position, moves) for kind, _, position, moves in read(game)}
    for board in puzzles.BOARDS[game]:
        first = list(itertools.islice(puzzles.found(board, puzzles.QUOTA[game]), 2))
        assert len(first) == 2 and known.issuperset(first)
        # Another seed gives others.
        assert not known.issuperset(itertools.islice(puzzles.found(board, puzzles.QUOTA[game], seed=2), 2))


def test_the_puzzles_of_the_day_are_the_documents() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "puzzles.md").read_text()
    days = re.findall(r"^\| (\d{4}-\d\d-\d\d) \| (\w+) \| (\d+) \|$", page, re.MULTILINE)
    assert len(days) == 4
    for date, game, index in days:
        day = (datetime.date.fromisoformat(date) - datetime.date(2026, 1, 1)).days
        assert (GAMES[day % 4], day // 4 * 7919 % len(read(game))) == (game, int(index))
