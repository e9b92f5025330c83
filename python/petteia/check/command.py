"""The command `petteia check`."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from .._extras import extra
from . import formats
from .classes import Task
from .grading import Graded, Grading, read_grading
from .rooms import Unconfined
from .rules import Rule
from .targets import TARGETS, Options, explained, open_target
from .text import plain

USAGE = "petteia check TARGET PATH… [OPTION…], or petteia check TARGET --class FOLDER [OPTION…]"
PATHS = "\n".join(f"  {name:<11} {known.paths}" for name, known in TARGETS.items())
HELP = f"""usage: {USAGE}

Tests an implementation of a game against petteia. TARGET, and what PATH can be:
{PATHS}
  For a game, PATH can also be FILE.py:NAME or MODULE:NAME, a Python class of positions.

  --only RULE         test only this rule; may be repeated
  --list              print the rules and their descriptions; without PATH, all of TARGET
  --explain           print what an implementation must have; without PATH
  --games N           games per rule (200; 100 in a class)
  --seed N            seed of the random games (0)
  --hidden-seed       a new random seed each time; it is printed
  --matrix            Breakdown without bits boards, as in the first part of its document
  --cc CC, --cxx CXX  the compilers (cc, c++)
  --flags FLAGS       compiler flags, instead of those of the courses
  --given DIR         the course's own files, for those that are not handed in (the kit has some of its own)
  --map NAME=FILE     FILE stands for the document's file NAME; may be repeated
  --no-sanitize       no second build with -fsanitize=address,undefined
  --seconds S         processor time per game (1)
  --memory MB         memory per game (256)
  --budget S          seconds on the clock for the whole check (600)
  --env NAME[=VALUE]  a variable of the environment for the implementation, which sees none of yours
  --with-petteia      the implementation may use petteia itself
  --no-sandbox        do not confine what is built and run: only for code that you trust
  --json              the report as JSON on stdout
  --junit FILE        the report as JUnit XML
  --results FILE      the results.json of Gradescope
  --classroom FILE    the result for GitHub Classroom, added to the file $GITHUB_OUTPUT
  --html FILE         the report as a page with drawn boards
  --points N          points in all (100)
  --grading FILE      weights of the rules, and which of them students see: a TOML file

A class, with a folder or archive (zip, tar) for each submission in FOLDER:
  --class FOLDER      check them all; PATH is then not given
  --entry PATH        where the implementation is in each submission, if it is not to be looked for
  -j N                submissions at a time (as many as processors)
  --csv FILE          a row for each submission; interrupted, the same command goes on where it was
  --html FOLDER       a page for each submission, and index.html for the class
  --results FOLDER    a results.json for each submission, as NAME.json
  --zip FILE          the table and the pages in one archive
  --journal FILE      keep all results: only submissions that have changed are checked again
  --sources FOLDER    copy the sources of each, for tools that look for similar code

Example: petteia check breakdown my-breakdown --games 50

Exit code 0: every rule holds, or a class was checked; 1: a rule failed; 2: the target could not be built or
started.
"""

WITH_VALUE = [
    "--only",
    "--games",
    "--seed",
    "--cc",
    "--cxx",
    "--flags",
    "--seconds",
    "--memory",
    "--budget",
    "--env",
    "--given",
    "--map",
    "--junit",
    "--results",
    "--html",
    "--points",
    "--classroom",
    "--grading",
    "--class",
    "--entry",
    "-j",
    "--csv",
    "--zip",
    "--journal",
    "--sources",
]
ALONE = [
    "--list",
    "--explain",
    "--hidden-seed",
    "--matrix",
    "--no-sanitize",
    "--json",
    "--no-sandbox",
    "--with-petteia",
]


CLASS_ONLY = ("--entry", "-j", "--csv", "--zip", "--journal", "--sources")


class Wrong(Exception):
    """Invalid arguments."""


def main(words: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    if "--help" in words:
        print(HELP, end="")
        return 0
    try:
        code = _check(*_parse(words))
        sys.stdout.flush()
        return code
    except Unconfined as error:
        print(f"petteia check: {error}", file=sys.stderr)
        return 2
    except (Wrong, ValueError) as error:
        print(f"petteia check: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("petteia check: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever reads the output has seen enough; what is still in the buffer has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _parse(words: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    places: list[str] = []
    given: dict[str, list[str]] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word[:2] == "-j" and word[2:].isdigit():
            rest.insert(0, word[2:])
            word = "-j"
        name, equals, value = word.partition("=")
        if name in WITH_VALUE:
            if not equals and not rest:
                raise Wrong(f"{name} needs a value: expected {USAGE}")
            given.setdefault(name, []).append(value if equals else rest.pop(0))
        elif word in ALONE:
            given[word] = []
        elif word.startswith("-"):
            raise Wrong(f"unexpected argument {word!a}: expected {USAGE}; --help lists the options")
        else:
            places.append(word)
    alone = "--class" in given or "--explain" in given
    if len(places) != 1 if alone else len(places) < (1 if "--list" in given else 2):
        raise Wrong(f"expected {USAGE}")
    for name in CLASS_ONLY:
        if name in given and "--class" not in given:
            raise Wrong(f"{name} is for a class: expected --class FOLDER")
    return places, given


def _number(given: dict[str, list[str]], name: str, usual: float, least: float) -> float:
    word = given.get(name, [str(usual)])[-1]
    try:
        number = float(word)
    except ValueError:
        raise Wrong(f"{name} {word!a}: expected a number") from None
    if not least <= number < 1e12:
        raise Wrong(f"{name} {word!a}: expected a number of at least {least:g}")
    return number


def _check(places: list[str], given: dict[str, list[str]]) -> int:
    try:
        with extra("check"):
            import hypothesis.configuration
    except ModuleNotFoundError as missing:
        raise Wrong(str(missing)) from None
    from . import Compilers, Limits

    compilers = Compilers(sanitize="--no-sanitize" not in given)
    compilers = replace(compilers, cc=given.get("--cc", ["cc"])[-1], cxx=given.get("--cxx", ["c++"])[-1])
    if "--flags" in given:
        flags = tuple(shlex.split(given["--flags"][-1]))
        compilers = replace(compilers, cflags=flags, cxxflags=flags)
    seconds, memory = _number(given, "--seconds", 1, 0.01), _number(given, "--memory", 256, 16)
    options = Options(
        compilers,
        Limits(seconds, int(memory)),
        "--matrix" not in given,
        sandbox="--no-sandbox" not in given,
        petteia="--with-petteia" in given,
        variables=_variables(given.get("--env", ())),
        budget=_number(given, "--budget", 600, 1),
        given=given.get("--given", [""])[-1],
        map=_names(given.get("--map", ())),
    )
    seed = int(_number(given, "--seed", 0, 0))
    if "--hidden-seed" in given:
        seed = secrets.randbelow(1 << 32)
    games = int(_number(given, "--games", 100 if "--class" in given else 200, 1))
    if places[0] not in TARGETS:
        raise Wrong(f"unknown target {places[0]!r}: expected one of {', '.join(TARGETS)}")
    if "--explain" in given:
        print(explained(places[0]))
        return 0
    if "--list" in given and not places[1:]:
        return _print_rules(TARGETS[places[0]].rules(options))
    task = Task(
        places[0], games, seed, tuple(given.get("--only", ())), options, given.get("--entry", [""])[-1]
    )
    grading = Grading()
    if "--grading" in given:
        grading = read_grading(given["--grading"][-1])
    if "--points" in given:
        grading = replace(grading, points=_number(given, "--points", 100, 0))
    if "--class" in given:
        return _class(task, grading, given)
    with tempfile.TemporaryDirectory(prefix="petteia-check-") as folder:
        # Hypothesis stores files, which must not end up in the user's folder.
        hypothesis.configuration.set_hypothesis_home_dir(folder)
        if "--list" in given:
            return _list(places, options)
        return _one(places[1:], task, grading, given)


def _one(paths: list[str], task: Task, grading: Grading, given: dict[str, list[str]]) -> int:
    """Check one submission."""
    from . import Unconfined, Unusable, check
    from .report import Terminal, as_html, as_json
    from .rules import Result

    quiet = "--json" in given
    terminal = Terminal(sys.stdout.isatty() and not os.environ.get("NO_COLOR"))

    def show(result: Result) -> None:
        print(terminal.result(result), flush=True)

    name = Path(paths[0]).name or paths[0]
    try:
        report = check(
            task.target,
            *paths,
            games=task.games,
            seed=task.seed,
            only=task.only,
            options=task.options,
            on_result=None if quiet else show,
        )
        result, code = formats.graded(name, report), 0 if report.ok else 1
        page = as_html(report) if grading == Grading() else formats.as_page(result, grading)
        print(as_json(report) if quiet else "\n" + terminal.summary(report))
    except Unconfined:
        raise
    except Unusable as reason:
        # That it cannot be built is a result, too.
        result, code = Graded(name, task.target, task.seed, words=str(reason)), 2
        page = formats.as_page(result, grading)
        print(f"petteia check: {plain(str(reason))}", file=sys.stderr)
        if quiet:
            told = {
                "target": task.target,
                "paths": paths,
                "seed": task.seed,
                "ok": False,
                "error": str(reason),
            }
            print(json.dumps({**told, "remarks": [], "rules": []}, indent=2))
    _write(given, "--junit", formats.as_junit([result], grading))
    _write(given, "--results", formats.as_results(result, grading))
    _write(given, "--html", page)
    for path in given.get("--classroom", ()):
        _put("--classroom", Path(path), formats.as_classroom(result, grading), "a")
    return code


def _class(task: Task, grading: Grading, given: dict[str, list[str]]) -> int:
    """Check a class."""
    from .classes import Journal, export_sources, grade_class, links, submissions
    from .rooms import Sandbox

    if len(given["--class"]) > 1:
        raise Wrong(f"--class {given['--class'][1]!a}: expected one folder")
    if "--classroom" in given:
        raise Wrong("--classroom is for one submission")
    folder = Path(given["--class"][0])
    places = submissions(folder)
    outputs = ("--csv", "--html", "--results", "--zip", "--junit", "--journal", "--sources")
    for option in outputs:
        for path in given.get(option, ()):
            if Path(path).resolve().is_relative_to(folder.resolve()):
                raise Wrong(
                    f"{option} {path!a} is inside {str(folder)!a}: expected a place outside the class"
                )
    pages = links([*places])
    if "--sources" in given:
        export_sources(task, places, Path(given["--sources"][-1]))
    with closing(Sandbox(confined=task.options.sandbox)) as sandbox:
        # Whether this machine can do it is asked once, before anything of anybody is unpacked.
        sandbox.open()
    kept = part = None
    if "--journal" in given:
        kept = Path(given["--journal"][-1])
    elif "--csv" in given:
        kept = part = Path(given["--csv"][-1] + ".part")
    quiet = "--json" in given

    def show(result: Graded) -> None:
        if not quiet:
            line = " ".join(formats.summary(result, grading).split())
            print(f"{plain(result.name):<24} {line[:200]}", flush=True)

    workers = int(_number(given, "-j", os.cpu_count() or 1, 1))
    with closing(Journal(kept, task)) as journal:
        results = grade_class(task, places, workers, journal, show)
    table = formats.as_csv(results, grading)
    texts = {pages[each.name]: formats.as_page(each, grading) for each in results}
    whole = formats.as_class_page(results, grading, pages)
    _write(given, "--csv", table)
    _write(given, "--junit", formats.as_junit(results, grading))
    for option, files in (
        ("--html", {**texts, "index.html": whole}),
        (
            "--results",
            {pages[each.name][:-5] + ".json": formats.as_results(each, grading) for each in results},
        ),
    ):
        for path in given.get(option, ()):
            for name, text in files.items():
                _put(option, Path(path) / name, text, "w")
    for path in given.get("--zip", ()):
        shown = {
            **{f"{each.name}/report.html": texts[pages[each.name]] for each in results},
            "grades.csv": table,
        }
        _put("--zip", Path(path), formats.as_zip(shown), "w")
    if quiet:
        print(formats.as_class_json(results, grading))
    else:
        scores = [each.score(grading) for each in results]
        built = sum(not each.words for each in results)
        print(
            f"\n{len(results)} submissions, {len(results) - built} of them not built; a mean of "
            f"{sum(scores) / len(scores):.1f} of {grading.points:g} points, seed {task.seed}."
        )
    if part:
        part.unlink(missing_ok=True)
    return 0


def _write(given: dict[str, list[str]], option: str, text: str) -> None:
    for path in given.get(option, ()):
        _put(option, Path(path), text, "w")


def _put(option: str, path: Path, content: str | bytes, mode: Literal["w", "a"]) -> None:
    if isinstance(content, str):
        content = content.encode(errors="backslashreplace")
    try:
        if option in ("--html", "--results"):
            path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb" if mode == "w" else "ab") as file:
            file.write(content)
    except OSError as error:
        raise Wrong(f"{option} {str(path)!a} cannot be written: {error.strerror}") from None


def _variables(words: Sequence[str]) -> dict[str, str]:
    """Return the variables that are given, or named if they are set."""
    pairs = [word.partition("=") for word in words]
    found = {name: value if equals else os.environ.get(name) for name, equals, value in pairs}
    for name in found:
        if not name.isidentifier():
            raise Wrong(f"--env {name!a}: expected the name of a variable, or NAME=VALUE")
    return {name: value for name, value in found.items() if value is not None}


def _names(words: Sequence[str]) -> dict[str, str]:
    """Return the files that stand for the document's."""
    pairs = [word.partition("=") for word in words]
    for name, _, file in pairs:
        if not name or not file:
            raise Wrong(f"--map {name!a}: expected NAME=FILE, such as board.h=grid.h")
    return {name: file for name, _, file in pairs}


def _list(places: list[str], options: Options) -> int:
    from . import Unusable

    with ExitStack() as stack:
        try:
            groups = open_target(places[0], places[1:], options, stack).groups
        except Unusable as reason:
            print(f"petteia check: {plain(str(reason))}", file=sys.stderr)
            return 2
        return _print_rules([rule for group in groups for rule in group.rules])


def _print_rules(rules: Sequence[Rule[Any]]) -> int:
    for rule in rules:
        print(f"{rule.name:<19} {rule.says}")
    return 0
