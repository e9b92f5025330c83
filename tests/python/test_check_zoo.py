"""The conformance kit finds and names every mistake in the zoo, and finds none in correct implementations.

PETTEIA_CHECK_GAMES=10000 plays that many games with each correct implementation.
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
from petteia.check.rules import Group
from petteia.check.targets import Opened

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


@pytest.fixture(scope="module")
def position_laws(stack: ExitStack) -> Opened:
    return zoo.open_zoo("position", f"{zoo.ZOO / 'tictac.py'}:TicTac", stack)


@pytest.fixture(scope="module")
def small(stack: ExitStack) -> Opened:
    return zoo.open_zoo("tictac", f"{zoo.ZOO / 'small_tictac.py'}:TicTac", stack)


@pytest.fixture(scope="module")
def small_laws(stack: ExitStack) -> Opened:
    return zoo.open_zoo("position", f"{zoo.ZOO / 'small_tictac.py'}:TicTac", stack)


def caught(bug: zoo.Bug, results: list[Result], tmp_path: Path) -> None:
    failed = {result.rule.name: result.finding for result in results if result.status == "failed"}
    assert bug.rule in failed
    assert set(failed) <= {bug.rule, *bug.also.split()}
    finding = failed[bug.rule]
    assert finding is not None
    assert bug.minimum <= finding.size <= bug.minimum + 2
    assert finding.summary and finding.expected and finding.got and finding.expected != finding.got
    # What is printed to reproduce it has been run, and does.
    assert finding.again == ""
    assert not any(result.status == "untested" and result.rule.name == bug.rule for result in results)
    repeats(finding, tmp_path)


def repeats(finding: Finding, folder: Path) -> None:
    """Check that the snippet compiles."""
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


def only(rule: str, opened: Opened) -> Opened:
    """Return the target with only one rule."""
    (group,) = [group for group in opened.groups if rule in [one.name for one in group.rules]]
    return Opened([Group([one for one in group.rules if one.name == rule], group.targets)])


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


@pytest.mark.parametrize("bug", zoo.SMALL_LAWS, ids=ids(zoo.SMALL_LAWS))
def test_four_members(
    bug: zoo.Bug, small_laws: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(small_laws, 80, bug.rule), tmp_path)


@pytest.mark.parametrize("bug", zoo.SMALL, ids=ids(zoo.SMALL))
def test_four_members_of_a_game(
    bug: zoo.Bug, small: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("BUG", bug.name)
    caught(bug, zoo.run(small, 80, bug.rule), tmp_path)


def test_four_members_have_the_rules_that_they_need(
    small: Opened, small_laws: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    (group,) = small_laws.groups
    wanted = "answers types moves over steady frozen replay illegal"
    assert [rule.name for rule in group.rules] == [f"position-{name}" for name in wanted.split()]
    (group,) = small.groups
    wanted = "answers outcome moves turn frozen illegal"
    assert [rule.name for rule in group.rules] == [f"position-{name}" for name in wanted.split()]
    for opened in (small, small_laws):
        (remark,) = opened.remarks
        assert remark.endswith(
            "skipped: action, actions, from_text, is_over, move, num_actions, players, text"
        )
    # The protocol does not say which moves are refused, so this is only a note.
    monkeypatch.setenv("BUG", "plays_anything")
    results = {result.rule.name: result for result in zoo.run(small_laws, 40)}
    assert results["position-illegal"].status == "note" and results["position-illegal"].finding
    assert {result.status for result in results.values()} == {"passed", "note"}


LAWS = {
    "misses_a_diagonal": "",
    "turn_after_the_end": "over",
    "actions_backwards": "moves",
    "forgets_the_last": "numbers",
    "plays_anything": "illegal",
    "changes_itself": "frozen",
    "hash_of_the_object": "replay",
}


@pytest.mark.parametrize("bug", LAWS)
def test_position_laws(bug: str, position_laws: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUG", bug)
    results = zoo.run(position_laws, 80)
    failed = [result.rule.name for result in results if result.status == "failed"]
    assert failed == [f"position-{name}" for name in LAWS[bug].split()]


OWN = """
from dataclasses import dataclass
import petteia

@dataclass(frozen=True)
class Nim:
    heap: int = 7
    player: int = 0

    @property
    def turn(self):
        return self.player if self.heap else None

    @property
    def moves(self):
        return [str(number) for number in (1, 2, 3) if number <= self.heap]

    def play(self, move):
        return Nim(self.heap - int(move), 1 - self.player)

    @property
    def outcome(self):
        return None if self.heap else petteia.Outcome(1 - self.player)

class NoOutcome:
    turn, moves = 0, ["a"]

class Methods(Nim):
    def moves(self):
        return []

class Nothing(Nim):
    def play(self, move):
        pass

start = Nim(21)
"""


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("Nim", ""),
        ("start", ""),
        ("Nothing", "play returned None: expected a position"),
    ],
)
def test_somebodys_own_game(name: str, broken: str, tmp_path: Path, stack: ExitStack) -> None:
    (tmp_path / "own.py").write_text(OWN)
    opened = zoo.open_zoo("position", f"{tmp_path / 'own.py'}:{name}", stack)
    if broken:
        # The other rules get nowhere, and each would be tried for some seconds.
        (result,) = zoo.run(only("position-answers", opened), 20)
        assert result.status == "failed" and result.finding and broken in result.finding.got
    else:
        assert [result.status for result in zoo.run(opened, 20)] == ["passed"] * 7 + ["note"]


@pytest.mark.parametrize(
    "name",
    ["breakdown", "tictac", "reversi", "quarto", "position", "position_laws", "small", "small_laws"],
)
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
        ("breakdown", "hangs_on_breakdown", "returns", "did not return"),
        ("breakdown", "eats_memory", "returns", "MB of memory"),
        ("breakdown", "prints_forever", "returns", "printed more than"),
        ("breakdown", "crashes_on_win", "returns", "segmentation fault"),
        ("tictac", "hangs_on_comment", "move-ends", "did not return"),
        ("reversi", "hangs_at_the_end", "answers", "did not return"),
        ("quarto", "hangs_on_invalid", "game-ends", "did not return"),
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
    (result,) = zoo.run(only(rule, request.getfixturevalue(name)), 80)
    assert result.status == "failed" and result.finding is not None
    assert words in result.finding.got or result.build == words
