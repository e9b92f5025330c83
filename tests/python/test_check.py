"""The interfaces of the conformance kit: the command, its reports, the pytest plugin."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import zoo
from games import ROOT
from petteia.check import Compilers, Options, Unusable, check

COMMAND = str(Path(sys.executable).with_name("petteia"))
FOLDER = "tests/zoo/breakdown"


def command(*words: str, bug: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1"}
    bugs = ["--env", f"BUG={bug}"] if bug else []
    return subprocess.run(
        [COMMAND, "check", *words, *bugs],
        capture_output=True,
        text=True,
        env=environment,
        cwd=cwd,
        timeout=300,
    )


def test_correct_folder() -> None:
    done = command("breakdown", FOLDER, "--games", "60")
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAILED" not in done.stdout and "rules hold" in done.stdout


def test_ctrl_c() -> None:
    words = [COMMAND, "check", "breakdown", str(ROOT / FOLDER), "--games", "50000"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        # The first rule is done, and the rest would take minutes.
        assert process.stdout.readline().startswith("ok")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "petteia check: interrupted\n")


def test_broken_folder_and_all_reports(tmp_path: Path) -> None:
    names = {kind: str(tmp_path / kind) for kind in ("junit", "results", "html")}
    files = [word for kind, name in names.items() for word in (f"--{kind}", name)]
    rules = ["--only", "overhang", "--only", "gravity", "--only", "column-off-board"]
    done = command("breakdown", FOLDER, *rules, "--json", *files, bug="no_overhang")
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    status = {rule["name"]: rule["status"] for rule in report["rules"]}
    assert status == {"gravity": "passed", "overhang": "failed", "column-off-board": "note"}
    finding = report["rules"][1]["finding"]
    assert finding["moves"] == 2 and finding["expected"] == "  01\n\n0 oo\n1 .*\n2 .*\n"

    (suite,) = ElementTree.parse(names["junit"]).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    results = json.loads(Path(names["results"]).read_text())
    assert results["score"] == 50
    assert [(test["name"], test["score"]) for test in results["tests"]] == [("gravity", 50), ("overhang", 0)]
    page = Path(names["html"]).read_text()
    assert page.count("<svg") == 3 and "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_the_program_that_repeats_a_finding_does(tmp_path: Path) -> None:
    done = command("breakdown", FOLDER, "--only", "overhang", "--json", bug="no_overhang")
    source = tmp_path / "repeat.c"
    source.write_text(json.loads(done.stdout)["rules"][0]["finding"]["repeat"])
    words = source.read_text().split("repeat.c ", 1)[1].split(" && ", 1)[0].split()
    subprocess.run(["cc", "-g", str(source), *words, "-o", str(tmp_path / "repeat")], check=True, cwd=ROOT)
    shown = {}
    for bug in ("", "no_overhang"):
        environment = {**os.environ, "BUG": bug}
        ran = subprocess.run(
            [tmp_path / "repeat"], capture_output=True, text=True, env=environment, check=True
        )
        shown[bug] = ran.stdout
    assert shown[""].endswith("0 oo\n1 .*\n2 .*\n") and shown["no_overhang"].endswith("0 ..\n1 .*\n2 oo\n")


def test_shared_library(tmp_path: Path) -> None:
    library = tmp_path / "libbreakdown.so"
    files = [str(zoo.ZOO / "breakdown" / name) for name in ("pos.c", "board.c", "logic.c")]
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), *files], check=True)
    rules = ["--only", "bits-words", "--only", "memory", "--only", "win"]
    assert command("breakdown", str(library), *rules).returncode == 0
    done = command("breakdown", str(library), *rules, bug="word_too_many")
    assert done.returncode == 1 and re.search(r"FAILED +bits-words", done.stdout)


def test_petteia_keeps_its_own_rules(tmp_path: Path) -> None:
    """petteia passes its own check, with its command as the documents' executables."""
    for name, words in {
        "move-check": "move-check",
        "game-check": "game-check",
        "play": "breakdown",
        "game": "quarto",
    }.items():
        script = tmp_path / name
        script.write_text(f'#!/bin/sh\nexec {COMMAND} {words} "$@"\n')
        script.chmod(0o755)
    for target, path in (("tictac", "."), ("breakdown", "./play"), ("quarto", "./game")):
        done = command(
            target,
            path,
            "--games",
            "6",
            "--seconds",
            "20",
            "--memory",
            "4000",
            "--with-petteia",
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    include = subprocess.run([COMMAND, "--libs"], capture_output=True, text=True, check=True).stdout
    library = Path(re.findall(r"-L(\S+)", include)[0]) / "libpetteia.so"
    done = command("breakdown", str(library), "--games", "60", "--with-petteia")
    assert done.returncode == 0, done.stdout


def test_seeds() -> None:
    words = ("reversi", "tests/zoo/tictac.py:TicTac")
    assert command(*words).returncode in (1, 2)
    one = command("position", "tests/zoo/tictac.py:TicTac", "--hidden-seed", "--games", "5")
    two = command("position", "tests/zoo/tictac.py:TicTac", "--hidden-seed", "--games", "5")
    assert one.returncode == two.returncode == 0
    seeds = [re.findall(r"seed (\d+)", done.stdout) for done in (one, two)]
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 1, "expected petteia check TARGET PATH"),
        (("breakdown",), 1, "expected petteia check TARGET PATH"),
        (("chess", "."), 1, "unknown target 'chess'"),
        (("breakdown", FOLDER, "--frob"), 1, "unexpected argument"),
        (("breakdown", FOLDER, "--games", "many"), 1, "expected a number"),
        (("breakdown", FOLDER, "--games"), 1, "--games needs a value"),
        (("breakdown", FOLDER, "--map", "board.h"), 1, "expected NAME=FILE, such as board.h=grid.h"),
        (("breakdown", FOLDER, "--given", "nowhere"), 2, "nowhere does not exist"),
        (("breakdown", FOLDER, "--only", "frob", "--no-sanitize"), 1, "unknown rule 'frob'"),
        (("breakdown", "nowhere"), 2, "nowhere does not exist"),
        (("breakdown", "docs"), 2, "has no pos.c, board.c, logic.c"),
        (("breakdown", FOLDER, "--cc", "no-such-compiler"), 2, "compiler 'no-such-compiler' not found"),
        (("breakdown", FOLDER, "--flags=-DEMPTY=0"), 2, "does not compile"),
        (("tictac", "README.md"), 2, "move or game in its name"),
        (("reversi", "README.md"), 2, "not an executable file"),
        (("position", "tests/zoo/tictac.py:Nothing"), 2, "Nothing"),
        (("position", "README.md"), 2, "expected a Python file"),
    ],
)
def test_bad_arguments(words: tuple[str, ...], code: int, said: str) -> None:
    done = command(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr and done.stderr.startswith("petteia check: ")
    assert code == 2 or done.stderr.count("\n") == 1


def test_help_and_list() -> None:
    assert command("--help").stdout.startswith("usage: petteia check")
    listed = command("breakdown", FOLDER, "--list", "--no-sanitize", "--matrix").stdout
    assert "overhang" in listed and "bits-words" not in listed


def test_from_python() -> None:
    options = Options(Compilers(sanitize=False))
    report = check("breakdown", str(ROOT / FOLDER), games=20, only=["make-pos", "win"], options=options)
    assert report.ok and [result.rule.name for result in report.results] == ["make-pos", "win"]
    assert report["win"].cases == 20 and not report.failed
    with pytest.raises(Unusable):
        check("breakdown", "nowhere")
    with pytest.raises(ValueError, match="unknown target"):
        check("go", "nowhere")


PLUGIN = """
import os
import pytest
from petteia.check import Options

bug = Options(variables={{"BUG": os.environ["BUG"]}})

@pytest.mark.conformance("breakdown", "{folder}", games=40, only=["overhang", "gravity"], options=bug)
def test_rules(conformance_rule):
    conformance_rule.verify()

def test_report(conformance):
    assert conformance("breakdown", "{folder}", games=10, only=["make-pos"]).ok
"""


@pytest.mark.parametrize(("bug", "failed"), [("", 0), ("no_overhang", 1)])
def test_plugin(bug: str, failed: int, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(PLUGIN.format(folder=ROOT / FOLDER))
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\nfilterwarnings = error\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "BUG": bug},
        timeout=300,
    )
    assert done.returncode == (1 if failed else 0), done.stdout + done.stderr
    assert ("1 failed, 2 passed" if failed else "3 passed") in done.stdout
    if failed:
        assert "test_rules[overhang]" in done.stdout and "drop_stick(g, 0, 0)" in done.stdout


def test_the_guide_shows_what_it_prints() -> None:
    readme = (ROOT / "docs" / "conformance.md").read_text()
    shown = re.findall(r"```console\n\$ petteia check (.*?)\n(.*?)```", readme, re.S)
    assert len(shown) == 2
    for words, text in shown:
        done = command(*words.split())
        assert done.returncode == (1 if "BUG=" in words else 0)
        assert done.stdout == text


def test_every_rule_says_something() -> None:
    listed = command("breakdown", FOLDER, "--list", "--no-sanitize").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert len(names) == len(set(names)) > 30
    assert all(len(line.split()) > 3 for line in listed)


@pytest.mark.parametrize(
    ("source", "name", "reason"),
    [
        ("Game = 1\nimport os", "Nope", "there is no Nope in it, only Game, os"),
        ("raise RuntimeError('no luck')", "Game", r"RuntimeError: no luck \(game.py, line 1\)"),
        (
            "\nimport nonexistent",
            "Game",
            r"ModuleNotFoundError: No module named 'nonexistent' \(game.py, line 2\)",
        ),
        ("def Game(:", "Game", "line 1\n.*\n.*\nSyntaxError: invalid syntax"),
        ("import sys; sys.exit(3)", "Game", "SystemExit: 3"),
        ("class Game:\n  def __init__(self, a, b): pass", "Game", "TypeError: .* missing 2 required"),
        (
            "class Game:\n  turn = 0\n  def moves(self): return []\n  is_over = lambda self: 0",
            "Game",
            "Game has no play, no outcome, a moves that is a method, not a property, a is_over that",
        ),
    ],
)
def test_objects_that_cannot_be_loaded_are_told(tmp_path: Path, source: str, name: str, reason: str) -> None:
    (tmp_path / "game.py").write_text(source)
    with pytest.raises(Unusable, match=reason):
        check("position", f"{tmp_path / 'game.py'}:{name}")


HALF = """
import petteia

class Game:
    def __init__(self, plies=0):
        plies = 0 if plies == "X" else plies
        self.plies = plies
        self.turn = plies % 2 if plies < 3 else None
        self.moves = [] if self.turn is None else ["a", {move!r}]
        self.outcome = petteia.Outcome(None) if self.turn is None else None
        self.text = {text!r} + str(plies)

    def play(self, move):
        if move not in self.moves:
            raise ValueError(move)
        return Game(self.plies + 1)

    @classmethod
    def from_text(cls, text):
        return cls(int(text[-1]))
"""


@pytest.mark.parametrize(("text", "move"), [("\ud800", "b"), ("t", "\udfff")])
@pytest.mark.parametrize("target", ["position", "tictac"])
def test_half_a_surrogate_is_a_finding(text: str, move: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(HALF.format(text=text, move=move))
    reports = [word for kind in ("junit", "results", "html") for word in (f"--{kind}", str(tmp_path / kind))]
    place = f"{tmp_path / 'game.py'}:Game"
    only = ["--only", "position-types" if target == "position" else "position-moves"]
    done = command(target, place, "--games", "5", *only, *reports)
    assert (done.returncode, done.stderr) == (1, "")
    # A string that cannot be encoded has the wrong type: petteia's functions would reject it too.
    shown = "text is '\\ud8000'" if text != "t" else "moves is ['a', '\\udfff']"
    if target == "position":
        assert re.search(r"FAILED +position-types", done.stdout)
        assert f"got: {shown}" in done.stdout
    assert "rules hold" in done.stdout
    ElementTree.parse(tmp_path / "junit")
    assert (tmp_path / "html").read_text()


def test_a_member_that_raises_at_the_start_is_a_finding(tmp_path: Path) -> None:
    source = HALF.format(text="t", move="b").replace("self.text = ", "pass  # ")
    (tmp_path / "game.py").write_text(
        source + "    @property\n    def text(self): raise RuntimeError('no text')\n"
    )
    report = check("position", f"{tmp_path / 'game.py'}:Game", games=5, only=["position-answers"])
    finding = report["position-answers"].finding
    assert finding and finding.got == "it raised RuntimeError: no text"


SMALL = """
from .lines import LINES, NAMES
import petteia

class Outer:
    class TicTac:
        def __init__(self, first="X", cells="_" * 9):
            self.first, self.cells = first, cells

        @property
        def outcome(self):
            for a, b, c in LINES:
                if self.cells[a] == self.cells[b] == self.cells[c] != "_":
                    return Ended(self.cells[a])
            return None if "_" in self.cells else Ended(None)

        @property
        def turn(self):
            other = "XO"[self.first == "X"]
            return None if self.outcome else [self.first, other][self.cells.count("_") % 2 == 0]

        @property
        def moves(self):
            return [] if self.outcome else [n for n, c in zip(NAMES, self.cells) if c == "_"]

        def play(self, move):
            at = NAMES.index(move)
            return Outer.TicTac(self.first, self.cells[:at] + self.turn + self.cells[at + 1 :])

class Ended:
    def __init__(self, winner):
        self.winner = winner
"""
LINES = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = [row + column for row in "ABC" for column in "123"]
"""


@pytest.mark.parametrize("package", [True, False])
def test_modules_relative_imports_and_the_documents_own_letters(
    package: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "game.py").write_text(SMALL)
    (folder / "lines.py").write_text(LINES)
    if package:
        (folder / "__init__.py").write_text("")
    monkeypatch.chdir(tmp_path)
    report = check("tictac", "mine.game:Outer.TicTac", games=20)
    assert [each.rule.name for each in report.failed] == [] and report.ok
    with pytest.raises(
        Unusable, match=r"there is no module mine\.nothing in this folder or on Python's path"
    ):
        check("tictac", "mine.nothing:TicTac")


def test_a_class_is_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(zoo.ZOO))
    from tictac import TicTac  # type: ignore[import-not-found]

    report = check("tictac", TicTac, games=5, only=["position-moves"])
    assert report.ok and report.paths[0].endswith("tictac.py:TicTac")

    class Local:
        pass

    with pytest.raises(ValueError, match="expected a class at the top level of a file"):
        check("tictac", Local)


def test_an_object_that_fails_at_its_first_move_keeps_few_rules(tmp_path: Path) -> None:
    source = (
        (zoo.ZOO / "tictac.py").read_text().replace("assert self._turn is not None", "raise KeyError(move)")
    )
    (tmp_path / "game.py").write_text(source)
    report = check("tictac", f"{tmp_path / 'game.py'}:TicTac", games=40)
    status = {each.rule.name: each.status for each in report.results}
    assert status.pop("position-answers") == "failed"
    assert {name for name, one in status.items() if one == "passed"} <= {
        "position-illegal",
        "position-numbers",
        "position-text",
    }


def test_what_is_needed_and_all_rules_without_a_path() -> None:
    for target in ("breakdown", "tictac", "reversi", "quarto", "position"):
        done = command(target, "--explain")
        assert done.returncode == 0 and "play(move) returns the position after a move" in done.stdout
        listed = command(target, "--list").stdout.splitlines()
        assert len(listed) > 8 and all(len(line.split()) > 3 for line in listed)


def test_a_closed_pipe_is_no_traceback() -> None:
    words = [COMMAND, "check", "breakdown", str(ROOT / FOLDER), "--games", "5", "--no-sanitize"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert (process.stderr.read(), process.wait(120)) == (b"", 141)


def test_a_misspelt_rule_is_an_error_in_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(PLUGIN.format(folder=ROOT / FOLDER).replace('"gravity"', '"gravty"'))
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "BUG": ""}
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=300, env=environment)
    assert (
        done.returncode != 0
        and "unknown rule 'gravty': expected one of make-pos" in done.stdout + done.stderr
    )
