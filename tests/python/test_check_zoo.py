"""The conformance kit finds every mistake of the zoo and names it, and finds none where there is none.

PETTEIA_CHECK_GAMES=10000 makes the correct implementations play so many games each.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import zoo
from petteia.check import Finding, Result
from petteia.check.targets import Group, Opened

GAMES = int(os.environ.get("PETTEIA_CHECK_GAMES", "800"))


@pytest.fixture(scope="module")
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zoo")
    zoo.programs(folder)
    return folder


@pytest.fixture(scope="module")
def breakdown(stack: ExitStack) -> Opened:
    return zoo.open_zoo("breakdown", zoo.ZOO / "breakdown", stack)


@pytest.fixture(scope="module")
def tictac(stack: ExitStack, built: Path) -> Opened:
    return zoo.open_zoo("tictac", built, stack)


@pytest.fixture(scope="module")
def reversi(stack: ExitStack, built: Path) -> Opened:
    return zoo.open_zoo("reversi", built / "reversi", stack)


@pytest.fixture(scope="module")
def quarto(stack: ExitStack) -> Opened:
    return zoo.open_zoo("quarto", zoo.ZOO / "quarto", stack, sanitize=False)


@pytest.fixture(scope="module")
def position(stack: ExitStack) -> Opened:
    return zoo.open_zoo("tictac", f"{zoo.ZOO / 'tictac.py'}:TicTac", stack)


def caught(bug: zoo.Bug, results: list[Result], tmp_path: Path) -> None:
    failed = {result.rule.name: result.finding for result in results if result.status == "failed"}
    assert bug.rule in failed
    assert set(failed) <= {bug.rule, *bug.also.split()}
    finding = failed[bug.rule]
    assert finding is not None
    assert bug.minimum <= finding.size <= bug.minimum + 2
    assert finding.summary and finding.expected and finding.got and finding.expected != finding.got
    assert not any(result.status == "untested" and result.rule.name == bug.rule for result in results)
    repeats(finding, tmp_path)


def repeats(finding: Finding, folder: Path) -> None:
    """The snippet compiles."""
    names = {"c": "repeat.c", "c++": "repeat.cpp", "sh": "repeat.sh", "python": "repeat.py"}
    path = folder / names[finding.language]
    path.write_text(finding.repeat)
    commands = {
        "c": ["cc", "-Wall", "-Werror", "-fsyntax-only", f"-I{zoo.ZOO / 'breakdown'}", str(path)],
        "c++": ["c++", "-std=c++11", "-Wall", "-fsyntax-only", f"-I{zoo.ZOO / 'quarto'}", str(path)],
        "sh": ["sh", "-n", str(path)],
        "python": ["python3", "-m", "py_compile", str(path)],
    }
    done = subprocess.run(commands[finding.language], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def ids(bugs: list[zoo.Bug]) -> list[str]:
    return [bug.name for bug in bugs]


@pytest.mark.parametrize("bug", zoo.BREAKDOWN, ids=ids(zoo.BREAKDOWN))
def test_breakdown(bug: zoo.Bug, breakdown: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(breakdown, 80, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.PLAY, ids=ids(zoo.PLAY))
def test_breakdown_play(
    bug: zoo.Bug, breakdown: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(breakdown, 60, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.TICTAC, ids=ids(zoo.TICTAC))
def test_tictac(bug: zoo.Bug, tictac: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(tictac, 40, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.REVERSI, ids=ids(zoo.REVERSI))
def test_reversi(bug: zoo.Bug, reversi: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(reversi, 60, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.QUARTO, ids=ids(zoo.QUARTO))
def test_quarto(bug: zoo.Bug, quarto: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(quarto, 80, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.POSITION, ids=ids(zoo.POSITION))
def test_position(bug: zoo.Bug, position: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(position, 80, bug.rule), tmp_path)


@pytest.mark.parametrize("name", ["breakdown", "tictac", "reversi", "quarto", "position"])
def test_correct_ones_pass(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BUG", raising=False)
    opened: Opened = request.getfixturevalue(name)
    rules = sum(rule.share for group in opened.groups for rule in group.rules)
    results = zoo.run(opened, round(GAMES / rules) + 3, seed=7)
    assert [(r.rule.name, r.finding) for r in results if r.status not in ("passed", "note")] == []
    assert sum(result.cases for result in results) >= GAMES


@pytest.mark.parametrize(
    ("name", "bug", "rule", "words"),
    [
        ("breakdown", "hangs_on_breakdown", "breakdown-falls", "did not come back"),
        ("breakdown", "eats_memory", "gravity", "more memory"),
        ("breakdown", "prints_forever", "show", "printed more than"),
        ("breakdown", "crashes_on_win", "win", "sanitizer"),
        ("tictac", "hangs_on_comment", "move-comment", "did not come back"),
        ("reversi", "hangs_at_the_end", "answers", "did not come back"),
        ("quarto", "hangs_on_invalid", "game-prompts", "did not come back"),
    ],
)
def test_survives(
    name: str,
    bug: str,
    rule: str,
    words: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BUG", bug)
    opened: Opened = request.getfixturevalue(name)
    (group,) = [group for group in opened.groups if rule in [one.name for one in group.rules]]
    alone = Opened([Group([one for one in group.rules if one.name == rule], group.targets)])
    results = zoo.run(alone, 40)
    (result,) = results
    assert result.status == "failed" and result.finding is not None
    assert words in result.finding.got or result.build == words
