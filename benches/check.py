"""Measure the conformance kit, as JSON lines: calls per second, and how soon it finds mistakes.

Needs petteia and the packages of the tests; `make bench-check` runs it in their environment.
"""

import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))

import zoo
from petteia.check import Compilers, Options
from petteia.check.rules import Result, apply
from petteia.check.targets import Opened, open_target

GAMES = 200
"""Games per rule, as many as the command plays by default."""


def first_finding(opened: Opened, bug: zoo.Bug) -> float:
    """Return the time to the first broken rule, shrinking included."""
    os.environ["BUG"] = bug.name
    begun = time.perf_counter()
    for group in opened.groups:
        if bug.rule in [rule.name for rule in group.rules]:
            zoo.refresh(group)
            if any(apply(rule, group.targets, GAMES, 0).status == "failed" for rule in group.rules):
                return time.perf_counter() - begun
    raise AssertionError(f"{bug.name} was not found")


def calls_a_second() -> float:
    """Return how many calls per second the rules make to a correct library in a separate process."""
    os.environ.pop("BUG", None)
    compilers = Compilers(cflags=("-g", "-O1"), sanitize=False)
    with ExitStack() as stack:
        opened = open_target("breakdown", [str(zoo.ZOO / "breakdown")], Options(compilers), stack)
        (group, *_) = opened.groups
        results: list[Result] = [apply(rule, group.targets, GAMES, 0) for rule in group.rules]
    assert all(result.status in ("passed", "note") for result in results)
    return sum(result.calls for result in results) / sum(result.seconds for result in results)


def main() -> None:
    print(json.dumps({"what": "calls", "per_s": calls_a_second()}), flush=True)
    with ExitStack() as stack:
        built = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        zoo.programs(built)
        breakdown = zoo.open_zoo("breakdown", zoo.ZOO / "breakdown", stack)
        quarto = zoo.open_zoo("quarto", zoo.ZOO / "quarto", stack, sanitize=False)
        for what, opened, bugs in (
            ("Breakdown, library", breakdown, zoo.BREAKDOWN),
            ("Breakdown, program", breakdown, zoo.PLAY),
            ("TicTac", zoo.open_zoo("tictac", built, stack), zoo.TICTAC),
            ("Reversi", zoo.open_zoo("reversi", built / "reversi", stack), zoo.REVERSI),
            ("Quarto", quarto, zoo.QUARTO),
        ):
            seconds = [first_finding(opened, bug) for bug in bugs]
            print(json.dumps({"what": what, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
