"""The engines in JavaScript give the answers of these."""

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

ROOT = Path(__file__).parent.parent.parent
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
    done = subprocess.run(
        ["node", ANSWERS], input=json.dumps(questions), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for question, answer, given in zip(questions, expected, json.loads(done.stdout), strict=True):
        assert_within(answer, given, str(question))


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
