"""A class checked by the conformance kit: what is handed in, what comes out."""

from __future__ import annotations

import base64
import csv
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import zoo
from games import ROOT
from petteia.check.classes import Unreadable, links, submissions, unpack
from petteia.check.grading import Grading, read_grading

COMMAND = str(Path(sys.executable).with_name("petteia"))
FAST = ("--games", "5", "--no-sanitize", "--only", "gravity", "--only", "overhang", "--only", "memory")


def command(
    *words: str, cwd: Path, fails: bool = False, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1", **(variables or {})}
    done = subprocess.run(
        [COMMAND, "check", *words], capture_output=True, text=True, cwd=cwd, env=environment, timeout=300
    )
    assert fails or done.returncode == 0, done.stderr
    return done


def folder(place: Path, add: str = "") -> Path:
    """Hand in the zoo's Breakdown, without its program, with something added."""
    place.mkdir(parents=True)
    for path in (zoo.ZOO / "breakdown").iterdir():
        if path.name != "play.c":
            shutil.copy(path, place)
    if add:
        with (place / "logic.c").open("a") as file:
            file.write(add)
    return place


def table(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a table of grades by the names of the submissions."""
    with path.open(newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


def handed_in(place: Path) -> Path:
    """Make a class: folders, folders in folders, archives, an archive in a folder, and broken ones."""
    place.mkdir()
    folder(place / "ada")
    folder(place / "=1+2" / "homework" / "src")
    folder(place / "broken", "\nint x = ;\n")
    inside = folder(place.parent / "packed" / "hw5")
    for name, kind in (("grace", "zip"), ("alan", "gztar")):
        shutil.make_archive(str(place / name), kind, inside.parent)
    (place / "Kurt G_123_file_").mkdir()
    shutil.make_archive(str(place / "Kurt G_123_file_" / "hw5"), "zip", inside)
    (place / "noise.zip").write_bytes(b"PK\x03\x04 nothing of the kind")
    with zipfile.ZipFile(place / "escape.zip", "w") as archive:
        archive.writestr("../../escaped.c", "int main(void) { return 0; }")
    (place / "empty").mkdir()
    (place / "notes.txt").write_text("not a submission")
    return place


def test_a_class(tmp_path: Path) -> None:
    handed_in(tmp_path / "class")
    outputs = {
        "csv": "grades.csv",
        "html": "report",
        "zip": "all.zip",
        "results": "results",
        "junit": "junit.xml",
    }
    words = [word for option, name in outputs.items() for word in (f"--{option}", name)]
    done = command(
        "breakdown", "--class", "class", "-j2", *FAST, *words, "--sources", "sources", cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == (
        "9 submissions, 4 of them not built; a mean of 55.6 of 100 points, seed 0."
    )
    assert not (tmp_path / "grades.csv.part").exists() and not (tmp_path / "escaped.c").exists()

    rows = table(tmp_path / "grades.csv")
    right = {"ada", "'=1+2", "grace", "alan", "Kurt G_123_file_"}
    wrong = {"broken", "noise", "escape", "empty"}
    assert set(rows) == right | wrong
    assert {
        name for name, row in rows.items() if (row["status"], row["points"]) == ("graded", "100")
    } == right
    assert {
        name for name, row in rows.items() if (row["status"], row["points"]) == ("not built", "0")
    } == wrong
    assert {row["seed"] for row in rows.values()} == {"0"} and rows["ada"]["overhang"] == "ok"
    assert "expected expression" in rows["broken"]["remark"]
    assert "outside its folder" in rows["escape"]["remark"]

    pages = {path.name for path in (tmp_path / "report").iterdir()}
    assert len(pages) == 10 and {"index.html", "ada.html", "broken.html"} <= pages
    assert "expected expression" in (tmp_path / "report" / "broken.html").read_text()
    index = (tmp_path / "report" / "index.html").read_text()
    assert set(re.findall(r'href="([^"]+)"', index)) == pages - {"index.html"}
    results = json.loads((tmp_path / "results" / "broken.json").read_text())
    assert (results["score"], len(results["tests"])) == (0, 1)
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert [int(suite.get("errors", "")) for suite in suites].count(1) == 4
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "Kurt G_123_file_/report.html" in archive.namelist() and len(archive.namelist()) == 10
        assert archive.read("grades.csv") == (tmp_path / "grades.csv").read_bytes()
    copied = [path.name for path in (tmp_path / "sources" / "grace").iterdir()]
    assert sorted(copied) == sorted(path.name for path in (tmp_path / "class" / "ada").iterdir())
    # No path of the grader's machine is shown to students.
    assert not any(str(tmp_path) in path.read_text() for path in (tmp_path / "report").iterdir())


def test_journals(tmp_path: Path) -> None:
    for name in ("ada", "grace"):
        folder(tmp_path / "class" / name)
    words = ("breakdown", "--class", "class", *FAST, "--journal", "journal", "--csv", "grades.csv")
    command(*words, cwd=tmp_path)
    one = table(tmp_path / "grades.csv")
    begun = len((tmp_path / "journal").read_text().splitlines())
    # Those who hand in the same files have results of their own, which name them.
    keys = [json.loads(line)["key"] for line in (tmp_path / "journal").read_text().splitlines()]
    assert len(set(keys)) == 2
    (tmp_path / "class" / "grace" / "logic.c").write_text("int x = ;")
    (tmp_path / "grading.toml").write_text("points = 10\n")
    command(*words, "--grading", "grading.toml", cwd=tmp_path)
    assert (begun, len((tmp_path / "journal").read_text().splitlines())) == (2, 3)
    rows = table(tmp_path / "grades.csv")
    assert [row["points"] for row in rows.values()] == ["10", "0"]
    # What is known is not measured again.
    assert rows["ada"]["seconds"] == one["ada"]["seconds"]


def test_an_interrupted_class_goes_on(tmp_path: Path) -> None:
    folder(tmp_path / "class" / "ada")
    folder(tmp_path / "class" / "slow", "\n__attribute__((constructor)) void stop(void) { for (;;); }\n")
    words = [COMMAND, "check", "breakdown", "--class", "class", "-j1", *FAST, "--csv", "grades.csv"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*words, "--seconds", "200"], cwd=tmp_path, stdout=pipe, stderr=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ada ")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "petteia check: interrupted\n")
    assert len((tmp_path / "grades.csv.part").read_text().splitlines()) == 1
    (tmp_path / "class" / "slow" / "logic.c").unlink()
    command(*words[2:], "--seconds", "200", cwd=tmp_path)
    assert not (tmp_path / "grades.csv.part").exists()
    assert len((tmp_path / "grades.csv").read_text().splitlines()) == 3


def test_a_submission_has_a_budget(tmp_path: Path) -> None:
    folder(tmp_path / "class" / "ada")
    folder(tmp_path / "class" / "slow", "\n__attribute__((constructor)) void stop(void) { for (;;); }\n")
    words = (
        "breakdown",
        "--class",
        "class",
        *FAST,
        "--seconds",
        "100",
        "--budget",
        "15",
        "--csv",
        "grades.csv",
    )
    begun = time.monotonic()
    command(*words, cwd=tmp_path)
    assert time.monotonic() - begun < 120
    rows = table(tmp_path / "grades.csv")
    assert (rows["ada"]["points"], rows["slow"]["points"]) == ("100", "0")
    assert "time for the whole check was over" in rows["slow"]["remark"]


def test_grading(tmp_path: Path) -> None:
    folder(tmp_path / "hw5")
    (tmp_path / "grading.toml").write_text(
        'points = 12\nhidden = ["over*"]\nafter-due = ["memory"]\n[weights]\n"*" = 2\nmemory = 1\nshow = 0\n'
    )
    words = (
        "breakdown",
        "hw5",
        *FAST,
        "--grading",
        "grading.toml",
        "--results",
        "r.json",
        "--html",
        "r.html",
    )
    command(*words, "--env", "BUG=no_overhang", cwd=tmp_path, fails=True)
    told = json.loads((tmp_path / "r.json").read_text())
    assert {test["name"]: (test["max_score"], test["visibility"]) for test in told["tests"]} == {
        "gravity": (4.8, "visible"),
        "overhang": (4.8, "hidden"),
        "memory": (2.4, "after_due_date"),
    }
    assert told["score"] == 7.2
    page = (tmp_path / "r.html").read_text()
    assert "gravity" in page and "overhang" not in page and "2 of the rules are not shown" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("points = ", "is not a TOML file"),
        ("points = -1", "points is -1"),
        ("points = nan", "points is nan"),
        ("weights = 3", "weights is 3"),
        ("[weights]\nx = 'a'", "a number of at least 0"),
        ("hidden = 'x'", "a list of names"),
        ("hiden = []", "expected points, weights, hidden or after-due"),
    ],
)
def test_wrong_grading(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "grading.toml").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_grading(str(tmp_path / "grading.toml"))
    assert read_grading.__doc__ and Grading().visibility("x") == "visible"


def test_a_failed_build_is_a_result_in_every_format(tmp_path: Path) -> None:
    folder(tmp_path / "hw5", "\nint x = ;\n")
    names = ("junit", "results", "html", "classroom")
    words = [word for name in names for word in (f"--{name}", name)]
    done = command("breakdown", "hw5", "--no-sanitize", "--json", *words, cwd=tmp_path, fails=True)
    assert done.returncode == 2
    assert "expected expression" in json.loads(done.stdout)["error"]
    assert ElementTree.parse(tmp_path / "junit").getroot()[0].get("errors") == "1"
    results = json.loads((tmp_path / "results").read_text())
    assert results["score"] == 0 and "expected expression" in results["tests"][0]["output"]
    assert "expected expression" in (tmp_path / "html").read_text()
    told = json.loads(base64.b64decode((tmp_path / "classroom").read_text().removeprefix("result=")))
    assert (told["status"], told["max_score"]) == ("error", 100)


NASTY = "\x1b]0;title\x07<script>alert(1)</script>&\u202e=1+2\x00\x9b"


def test_what_a_submission_prints_is_shown_escaped(tmp_path: Path) -> None:
    program = tmp_path / "class" / "=nasty\x1b[2J" / "reversi"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\nprintf '{NASTY.replace(chr(0), '')}'\n")
    program.chmod(0o755)
    outputs = {"csv": "c.csv", "html": "report", "zip": "c.zip", "results": "results", "junit": "c.xml"}
    words = [word for option, name in outputs.items() for word in (f"--{option}", name)]
    done = command("reversi", "--class", "class", "--games", "2", "--only", "opening", *words, cwd=tmp_path)
    single = command("reversi", str(program), "--games", "2", "--only", "opening", cwd=tmp_path, fails=True)
    texts = [done.stdout, single.stdout]
    texts += [path.read_text() for path in tmp_path.rglob("*.*") if path.is_file() and path.suffix != ".zip"]
    assert len(texts) == 7
    for text in texts:
        assert not re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    pages = [path.read_text() for path in (tmp_path / "report").iterdir()]
    assert len(pages) == 2 and not any("<script" in page for page in pages)
    ElementTree.parse(tmp_path / "c.xml")
    assert [*table(tmp_path / "c.csv")] == ["'=nasty\\x1b[2J"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("breakdown", "one", "two"), "one and two are two folders"),
        (("breakdown", "--class", "one", "--class", "two"), "expected one folder"),
        (("breakdown", "one", "--class", "two"), "expected petteia check"),
        (("breakdown", "--class", "nowhere"), "No such file"),
        (("breakdown", "--class", "one"), "has no submissions"),
        (("breakdown", "one", "--csv", "x"), "--csv is for a class"),
        (("breakdown", "--class", "all", "--csv", "all/x"), "is inside"),
        (("breakdown", "--class", "all", "-j", "0"), "expected a number of at least 1"),
        (("breakdown", "--class", "all", "--grading", "nowhere"), "cannot be read"),
    ],
)
def test_bad_arguments(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    for name in ("one", "two", "all/ada"):
        (tmp_path / name).mkdir(parents=True)
    done = command(*words, cwd=tmp_path, fails=True)
    assert done.returncode in (1, 2) and said in done.stderr and done.stderr.startswith("petteia check: ")
    assert not done.stdout


def test_archives_stay_in_their_folder(tmp_path: Path) -> None:
    into = tmp_path / "into"
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc"
    evil = tarfile.TarInfo("link/passwd")
    pipe = tarfile.TarInfo("pipe")
    pipe.type = tarfile.FIFOTYPE
    with tarfile.open(tmp_path / "a.tar", "w") as tape:
        for member in (link, pipe, evil):
            tape.addfile(member, io.BytesIO() if member.isreg() else None)
    into.mkdir()
    unpack(tmp_path / "a.tar", into)
    # Neither links nor pipes are made.
    assert [path.relative_to(into).as_posix() for path in into.rglob("*")] == ["link", "link/passwd"]
    for name in ("/x", "a/../../x", "..\\x", "C:/../../x"):
        with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
            archive.writestr(name, "")
        with pytest.raises(Unreadable, match="outside"):
            unpack(tmp_path / "b.zip", into)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"{number}", bytes(10 << 20))
    with pytest.raises(Unreadable, match="more than 64 MB"):
        unpack(tmp_path / "bomb.zip", into)


def test_names(tmp_path: Path) -> None:
    for name in ("a", ".hidden", "__MACOSX"):
        (tmp_path / name).mkdir()
    for name in ("a.zip", "a.tar.gz", "b.TAR"):
        (tmp_path / name).touch()
    assert [*submissions(tmp_path)] == ["a", "a+", "a++", "b"]
    assert links(["a b", "a/b", "index", "é"]) == {
        "a b": "a_b.html",
        "a/b": "a_b_.html",
        "index": "index_.html",
        "é": "é.html",
    }


def test_entries(tmp_path: Path) -> None:
    for name in ("ada", "grace"):
        (tmp_path / "class" / name / "deep").mkdir(parents=True)
        shutil.copy(zoo.ZOO / "small_tictac.py", tmp_path / "class" / name / "deep" / "game.py")
    words = ("tictac", "--class", "class", "--entry", "game.py:TicTac", "--games", "3")
    done = command(*words, "--json", cwd=tmp_path)
    assert [each["points"] for each in json.loads(done.stdout)] == [100, 100]


def recipes() -> list[str]:
    text = (ROOT / "docs" / "conformance.md").read_text()
    return [recipe.strip() for recipe in re.findall(r"```sh\n(.*?)```", text, re.S)]


@pytest.mark.parametrize("recipe", recipes())
def test_recipes(recipe: str, tmp_path: Path) -> None:
    """Each recipe of the documentation, with folders and a variable in the place of the service."""
    script = recipe.replace("/autograder", str(tmp_path / "autograder"))
    for name in ("autograder/submission", "repository", "submissions/ada"):
        folder(tmp_path / name)
    (tmp_path / "autograder" / "results").mkdir()
    small = f"{COMMAND} check breakdown {' '.join(FAST)}"
    done = subprocess.run(
        ["sh", "-ec", script.replace("petteia check breakdown", small)],
        cwd=tmp_path / "repository" if " . " in script else tmp_path,
        env={**os.environ, "GITHUB_OUTPUT": str(tmp_path / "output")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    if "results.json" in script:
        assert json.loads((tmp_path / "autograder/results/results.json").read_text())["score"] == 100
    elif "--classroom" in script:
        encoded = (tmp_path / "output").read_text().removeprefix("result=")
        told = json.loads(base64.b64decode(encoded))
        assert told["status"] == "pass" and round(sum(test["score"] for test in told["tests"])) == 100
    elif "--junit" in script:
        assert ElementTree.parse(tmp_path / "repository" / "report.xml").getroot()[0].get("failures") == "0"
    else:
        assert (tmp_path / "grades.csv").is_file()
        assert (tmp_path / "feedback.zip").is_file() or (tmp_path / "sources" / "ada" / "logic.c").is_file()


def test_there_are_recipes() -> None:
    assert len(recipes()) == 5


def test_the_class_of_the_zoo(tmp_path: Path) -> None:
    """Right, wrong, not building, hanging and hostile ones of the class that README.md shows."""
    specification = importlib.util.spec_from_file_location("zoo_class", zoo.ZOO / "class.py")
    assert specification and specification.loader
    made = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(made)
    kinds = made.kinds()
    assert len(kinds) == 40 and [*kinds.values()].count("right") == 7
    wanted = ["right", "no_overhang", "play_never_ends", *made.ODD]
    names = {kind: name for name, kind in kinds.items() if kind in wanted}
    made.make(tmp_path / "class", tuple(names.values()))
    rules = ("--only", "overhang", "--only", "play-ends", "--only", "win")
    words = (*rules, "--games", "30", "--no-sanitize", "--seconds", "0.5", "--csv", "grades.csv")
    command("breakdown", "--class", "class", "-j2", *words, cwd=tmp_path)
    rows = table(tmp_path / "grades.csv")
    points = {kind: float(rows[name]["points"]) for kind, name in names.items()}
    assert points["right"] == points["escapes"] == 100
    assert rows[names["no_overhang"]]["overhang"] == "FAILED"
    assert rows[names["play_never_ends"]]["play-ends"] == "FAILED"
    unbuilt = {kind for kind, name in names.items() if rows[name]["status"] == "not built"}
    assert unbuilt == {"not building", "not linking", "no such header", "fills"}
    assert all(points[kind] < 40 for kind in ("hangs", "sleeps", "kills", "forks", "exits"))
