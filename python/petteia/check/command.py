"""The command `petteia check`."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from .._extras import extra
from .targets import TARGETS, Options, open_target

USAGE = "petteia check TARGET PATH… [OPTION…]"
PATHS = "\n".join(f"  {name:<11} {known.paths}" for name, known in TARGETS.items())
HELP = f"""usage: {USAGE}

Tests an implementation of a game against petteia. TARGET, and what PATH can be:
{PATHS}
  For a game, PATH can also be FILE.py:NAME, a Python class of positions to compare with petteia's.

  --only RULE         test only this rule; may be repeated
  --list              print the rules and their descriptions
  --games N           games per rule (200)
  --seed N            seed of the random games (0)
  --hidden-seed       a new random seed each time; it is printed
  --matrix            Breakdown without bits boards, as in the first part of its document
  --cc CC, --cxx CXX  the compilers (cc, c++)
  --flags FLAGS       compiler flags, instead of those of the courses
  --no-sanitize       no second build with -fsanitize=address,undefined
  --seconds S         processor time per game (1)
  --memory MB         memory per game (256)
  --budget S          seconds on the clock for the whole check (600)
  --env NAME[=VALUE]  a variable of the environment for the implementation, which sees none of yours
  --with-petteia      the implementation may use petteia itself
  --no-sandbox        do not confine what is built and run: only for code that you trust
  --json              the report as JSON on stdout
  --junit FILE        the report as JUnit XML
  --results FILE      the results.json of an autograder, with --points N in all (100)
  --html FILE         the report as a page with drawn boards

Example: petteia check breakdown my-breakdown --games 50

Exit code 0: every rule holds; 1: a rule failed; 2: the target could not be built or started.
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
    "--junit",
    "--results",
    "--html",
    "--points",
]
ALONE = ["--list", "--hidden-seed", "--matrix", "--no-sanitize", "--json", "--no-sandbox", "--with-petteia"]


class Wrong(Exception):
    """Invalid arguments."""


def main(words: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    if "--help" in words:
        print(HELP, end="")
        return 0
    try:
        return _check(*_parse(words))
    except (Wrong, ValueError) as error:
        print(f"petteia check: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("petteia check: interrupted", file=sys.stderr)
        return 130


def _parse(words: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    places: list[str] = []
    given: dict[str, list[str]] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
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
    if len(places) < 2:
        raise Wrong(f"expected {USAGE}")
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
    from . import Compilers, Limits, Unusable, check
    from .report import Terminal, as_html, as_json, as_junit, as_results
    from .rules import Result

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
    )
    seed = int(_number(given, "--seed", 0, 0))
    if "--hidden-seed" in given:
        seed = secrets.randbelow(1 << 32)
    games = int(_number(given, "--games", 200, 1))
    points = _number(given, "--points", 100, 0)
    quiet = "--json" in given
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    terminal = Terminal(colours)

    def show(result: Result) -> None:
        print(terminal.result(result), flush=True)

    with tempfile.TemporaryDirectory(prefix="petteia-check-") as folder:
        # Hypothesis stores files, which must not end up in the user's folder.
        hypothesis.configuration.set_hypothesis_home_dir(folder)
        try:
            if "--list" in given:
                return _list(places, options)
            report = check(
                places[0],
                *places[1:],
                games=games,
                seed=seed,
                only=given.get("--only", ()),
                options=options,
                on_result=None if quiet else show,
            )
        except Unusable as reason:
            print(f"petteia check: {reason}", file=sys.stderr)
            return 2
    print(as_json(report) if quiet else "\n" + terminal.summary(report))
    writers: dict[str, Callable[[], str]] = {
        "--junit": lambda: as_junit(report),
        "--results": lambda: as_results(report, points),
        "--html": lambda: as_html(report),
    }
    for option, write in writers.items():
        for path in given.get(option, ()):
            try:
                Path(path).write_text(write(), encoding="utf-8", errors="backslashreplace")
            except OSError as error:
                raise Wrong(f"{option} {path!a} cannot be written: {error.strerror}") from None
    return 0 if report.ok else 1


def _variables(words: Sequence[str]) -> dict[str, str]:
    """Return the variables that are given, or named if they are set."""
    pairs = [word.partition("=") for word in words]
    found = {name: value if equals else os.environ.get(name) for name, equals, value in pairs}
    for name in found:
        if not name.isidentifier():
            raise Wrong(f"--env {name!a}: expected the name of a variable, or NAME=VALUE")
    return {name: value for name, value in found.items() if value is not None}


def _list(places: list[str], options: Options) -> int:
    if places[0] not in TARGETS:
        raise Wrong(f"unknown target {places[0]!r}: expected one of {', '.join(TARGETS)}")
    with ExitStack() as stack:
        for group in open_target(places[0], places[1:], options, stack).groups:
            for rule in group.rules:
                print(f"{rule.name:<19} {rule.says}")
    return 0
