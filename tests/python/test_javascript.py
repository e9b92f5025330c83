"""The engines in JavaScript give the answers of these."""

import itertools
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import petteia
import pytest
from games import STARTS, random_game
from petteia._games import DECLARED, name_of

ROOT = Path(__file__).parent.parent.parent
STATIC = ROOT / "python" / "petteia" / "web" / "static"
ANSWERS = ROOT / "tests" / "js" / "answers.mjs"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which make test installs")


def positions() -> Iterator[Any]:
    """Yields positions of all games, in all phases."""
    starts = [
        petteia.TicTac(first="O"),
        petteia.Breakdown(),
        petteia.Breakdown(7, 6, 3, 3),
        petteia.Reversi(6, 6),
        petteia.Reversi(),
        petteia.Quarto(),
    ]
    for start in starts:
        position: Any = start
        ply = 0
        while not position.is_over:
            if ply % 5 == 0:
                yield position
            position = position.play(position.moves[7 * ply % len(position.moves)])
            ply += 1


def estimate(found: Any) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("win", "draw", "loss", "difference")}


def test_answers_are_the_same() -> None:
    questions: list[list[Any]] = []
    expected: list[Any] = []

    def ask(position: Any, what: str, *given: Any, answer: Any) -> None:
        game = next(name for name, kind in petteia.GAMES.items() if isinstance(position, kind))
        questions.append([what, game, position.text, *given])
        expected.append(answer)

    for number, position in enumerate(positions()):
        ask(position, "moves", answer=position.moves)
        ask(position, "actions", answer=position.actions)
        ask(position, "evaluate", answer=estimate(petteia.evaluate(position)))
        tally = petteia.playouts(position, 50, seed=number)
        ask(
            position,
            "playouts",
            50,
            {"seed": number},
            answer={"wins": list(tally.wins), "draws": tally.draws},
        )
        analysis = petteia.analyse(position, nodes=2000, lines=2)
        lines = [
            {"moves": list(line.moves), "value": line.value, "estimate": estimate(line.estimate)}
            for line in analysis.lines
        ]
        ask(
            position,
            "analyse",
            {"nodes": 2000, "lines": 2},
            answer={"depth": analysis.depth, "nodes": analysis.nodes, "lines": lines},
        )
        solution = petteia.solve(position, node_limit=3000)
        ask(
            position,
            "solve",
            {"nodeLimit": 3000},
            answer={
                "value": solution.value if solution.exact else None,
                "lower": solution.lower,
                "upper": solution.upper,
                "bestMoves": list(solution.best_moves),
                "line": list(solution.line),
                "nodes": solution.nodes,
            },
        )
        tree = petteia.mcts(position, 200, seed=number)
        ask(position, "mcts", {"simulations": 200, "seed": number}, answer={"best": {"move": tree.best_move}})
    for question, answer, given in zip(questions, expected, ask_all(questions), strict=True):
        assert_within(answer, given, str(question))


def ask_all(questions: list[list[Any]]) -> list[Any]:
    done = subprocess.run(
        ["node", ANSWERS], input=json.dumps(questions), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def winning(position: Any) -> list[list[int]]:
    return [list(cell) for cell in getattr(position, "winning_cells", ())]


def test_the_page_shows_what_the_library_knows() -> None:
    """Compares what view.js computes of whole games."""
    questions, expected = [], []

    def show(record: petteia.Record[Any], ply: int) -> None:
        position = record.positions[ply]
        before = record.positions[max(ply - 1, 0)]
        mover = before.turn if ply else None
        hand = getattr(position, "hand", None)
        legal = []
        for move in position.moves:
            after = position.play(move)
            changes = [
                [int(row), int(column), int(after.array[row, column])]
                for row, column in zip(*(after.array != position.array).nonzero())
            ]
            legal.append({"move": move, "changes": changes, "wins": winning(after)})
        name = name_of(position)
        skipped = DECLARED[name].skips and mover is not None and mover == position.turn
        outcome = position.outcome
        questions.append(["shown", record.text, ply])
        expected.append(
            {
                "record": record.text,
                "game": name,
                "parameters": record.text.partition(":")[0].split(" ")[1:],
                "players": list(position.players),
                "moves": list(record.moves),
                "cells": position.array.tolist(),
                "before": before.array.tolist(),
                "over": position.is_over,
                "turn": position.turn,
                "winner": outcome.winner if outcome else None,
                "winning": winning(position),
                "skipped": 1 - mover if skipped and mover is not None else None,
                "hand": None if hand is None else position.action(hand),
                "last": record.moves[ply - 1] if ply else None,
                "legal": legal,
            }
        )

    for start in STARTS:
        if isinstance(start, petteia.Breakdown) and start.width > 64:
            continue
        record: petteia.Record[Any] = petteia.Record(start)
        for before, position in itertools.pairwise(random_game(start, seed=1, most=70)):
            record = record.play(next(move for move in before.moves if before.play(move) == position))
        for ply in range(0, len(record) + 1, 1 if len(record) < 30 else 3):
            show(record, ply)
        show(record, len(record))
    assert any(answer["skipped"] is not None for answer in expected)
    for question, answer, given in zip(questions, expected, ask_all(questions), strict=True):
        assert given == answer, question


def refusals(records: list[str]) -> list[str]:
    """Return what the page says of records that it refuses."""
    program = f"""
        const {{ Line }} = await import({json.dumps(STATIC.joinpath("view.js").as_uri())});
        const said = (line) => {{ try {{ Line.parse(line); }} catch (error) {{ return error.message; }} }};
        console.log(JSON.stringify({json.dumps(records)}.map(said)));"""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", program], capture_output=True, text=True, check=True
    )
    said: list[str] = json.loads(done.stdout)
    return said


def test_what_is_too_large_for_the_page() -> None:
    expected = {
        "breakdown 16384 16384 2 2:": "invalid width 16384: expected at most 64 on the page",
        '[first "a: b"] breakdown 16384 16384 2 2:': "invalid width 16384: expected at most 64 on the page",
        '[x "\\""] breakdown 16384 9 2 2 from . b 2 2:': "invalid width 16384",
        "breakdown 4 65 2 2:": "invalid height 65: expected at most 64 on the page",
        "breakdown 4 " + "9" * 5000 + " 2 2:": "invalid height of 5000 digits: expected at most 64",
        "breakdown 4 5 2 2:" + " !" * 20_000: "at most 20000",
        "reversi 9 9:": "expected width (2 to 8) and height (2 to 8)",
    }
    for words, said in zip(expected.values(), refusals(list(expected)), strict=True):
        assert words in said


def assert_within(expected: Any, given: Any, place: str) -> None:
    """Asserts that what is expected is given, perhaps among more."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            assert_within(value, given[name], f"{place} {name}")
    elif isinstance(expected, list):
        assert len(expected) == len(given), place
        for index, value in enumerate(expected):
            assert_within(value, given[index], f"{place} {index}")
    elif isinstance(expected, float):
        # Exponential functions differ in the last digit from machine to machine.
        assert given == pytest.approx(expected, abs=1e-12), place
    else:
        assert given == expected, place


def test_the_program_of_the_readme_runs_in_deno(tmp_path: Path) -> None:
    found = re.search(r"```js\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert found
    module = (ROOT / "python/petteia/web/static/petteia.js").as_uri()
    program = tmp_path / "program.mjs"
    program.write_text(found[1].replace('"petteia"', json.dumps(module)))
    deno = str(Path(sys.executable).with_name("deno"))
    command = [deno, "run", "--quiet", "--no-remote", "--allow-read", str(program)]
    environment = {"DENO_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"reversi 6 6: .*\bexact: true\b", done.stdout, re.DOTALL)
