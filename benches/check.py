"""Measure the conformance kit, as JSON lines: calls per second, and how soon it finds mistakes.

Needs petteia and the packages of the tests; `make bench-check` runs it in their environment.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))

import zoo
from petteia.check import Compilers, Options
from petteia.check.classes import Journal, Task, grade_class, submissions
from petteia.check.rules import Result
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
            if any(group.apply(rule, GAMES, 0).status == "failed" for rule in group.rules):
                return time.perf_counter() - begun
    raise AssertionError(f"{bug.name} was not found")


def calls_a_second() -> float:
    """Return how many calls per second the rules make to a correct library in a separate process."""
    os.environ.pop("BUG", None)
    compilers = Compilers(cflags=("-g", "-O1"), sanitize=False)
    with ExitStack() as stack:
        opened = open_target("breakdown", [str(zoo.ZOO / "breakdown")], Options(compilers), stack)
        (group, *_) = opened.groups
        results: list[Result] = [group.apply(rule, GAMES, 0) for rule in group.rules]
    assert all(result.status in ("passed", "note") for result in results)
    return sum(result.calls for result in results) / sum(result.seconds for result in results)


CLASS = 10
"""Submissions of a class that is timed, of the 200 that figures are given for."""


def class_seconds(target: str, folder: Path, bugs: list[zoo.Bug]) -> float:
    """Return the processor seconds for each of a class: right ones, and those with each bug in turn."""
    os.environ.pop("BUG", None)
    source = {"quarto": "piece.cpp", "breakdown": "pos.c"}.get(target, f"{target}.c")
    for number in range(CLASS):
        place = folder / f"{number}"
        if target == "tictac":
            place.mkdir(parents=True)
            for name, header in (("move-check", ""), ("game-check", "#define GAME\n")):
                text = header + (zoo.ZOO / "tictac" / "tictac.cpp").read_text()
                (place / f"{name}.cpp").write_text(text)
            changed = [place / "move-check.cpp", place / "game-check.cpp"]
        elif target == "reversi":
            place.mkdir(parents=True)
            changed = [place / "reversi.c"]
            shutil.copy(zoo.ZOO / "reversi" / "reversi.c", place)
        else:
            shutil.copytree(zoo.ZOO / target, place)
            changed = [place / source]
        for path in changed if number % 2 else ():
            bug = f'setenv("BUG", "{bugs[number // 2 % len(bugs)].name}", 1);'
            constructor = f"__attribute__((constructor)) static void choose(void) {{ {bug} }}"
            path.write_text(f"{path.read_text()}\n#include <stdlib.h>\n{constructor}\n")
        if target == "reversi":
            subprocess.run(["cc", "-O1", "-o", str(place / "reversi"), str(place / "reversi.c")], check=True)
    task = Task(target, 100, 0, (), Options())
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    results = grade_class(task, submissions(folder), os.cpu_count() or 1, Journal(None, task))
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    assert all(not result.words for result in results), [result.words for result in results]
    return seconds / CLASS


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
        for target, bugs in (
            ("breakdown", zoo.BREAKDOWN),
            ("tictac", zoo.TICTAC),
            ("reversi", zoo.REVERSI),
            ("quarto", zoo.QUARTO),
        ):
            each = class_seconds(target, built / f"class-{target}", bugs)
            print(json.dumps({"class": target, "each": each}), flush=True)


if __name__ == "__main__":
    main()
