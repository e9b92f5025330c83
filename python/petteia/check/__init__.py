"""The conformance kit: tests an implementation of a game against petteia.

`petteia check` and the pytest plugin are interfaces to `check`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from contextlib import ExitStack
from typing import Any, SupportsIndex

from petteia import Progress
from petteia._arguments import seed_of, whole
from petteia._progress import telling

from .build import Compilers
from .position import named
from .rooms import OutOfTime, Unconfined
from .rules import Finding, Group, Report, Result, Rule, Unusable
from .sandbox import Limits
from .targets import TARGETS, Options, open_target

__all__ = [
    "TARGETS",
    "Compilers",
    "Finding",
    "Limits",
    "Options",
    "Report",
    "Result",
    "Unconfined",
    "Unusable",
    "check",
    "rule_names",
]


def check(
    target: str,
    *paths: str | os.PathLike[str] | type,
    games: SupportsIndex = 200,
    seed: SupportsIndex | None = 0,
    only: Collection[str] = (),
    options: Options | None = None,
    progress: Progress = None,
    on_result: Callable[[Result], object] | None = None,
) -> Report:
    """Check an implementation and return a report with the result of each rule.

    A path can also be a Python class. target is one of TARGETS; games is the number of games per rule.
    progress counts rules, and on_result is called with the result of each as soon as it is known. The report
    has the seed.

    Raises Unusable if the implementation cannot be built or started, and ValueError for an unknown target or
    rule.
    """
    if target not in TARGETS:
        raise ValueError(f"unknown target {target!r}: expected one of {', '.join(TARGETS)}")
    if not paths:
        raise ValueError("no path given: expected the implementation to check")
    words = [named(path) if isinstance(path, type) else os.fspath(path) for path in paths]
    report = Report(target, tuple(words), seed_of(seed))
    number = whole("games", games, 1)
    with ExitStack() as stack:
        options = options or Options()
        try:
            opened = open_target(target, words, options, stack)
        except OutOfTime:
            raise Unusable(f"it could not be built and started within {options.budget:g} s") from None
        report.remarks += opened.remarks
        names = [rule.name for group in opened.groups for rule in group.rules]
        for name in only:
            if name not in names:
                raise ValueError(f"unknown rule {name!r}: expected one of {', '.join(names)}")
        chosen = [
            (group, rule) for group in opened.groups for rule in group.rules if not only or rule.name in only
        ]
        tell = stack.enter_context(telling(progress, "rules"))
        for done, (group, rule) in enumerate(chosen):
            tell(done, len(chosen))
            report.results.append(_applied(rule, group, number, report))
            if on_result is not None:
                on_result(report.results[-1])
        tell(len(chosen), len(chosen))
    return report


def _applied(rule: Rule[Any], group: Group, games: int, report: Report) -> Result:
    """Test a rule; if that cannot be done, the report says why."""
    try:
        return group.apply(rule, games, report.seed)
    except OutOfTime:
        remark = "the time for the whole check was over: rules that are not judged were not tested"
    except Exception as error:
        # Code under test can put anything where answers are expected.
        remark = (
            f"{rule.name} could not be tested: the answers make no sense ({type(error).__name__}: {error})"
        )
    if remark not in report.remarks:
        report.remarks.append(remark)
    return Result(rule, "untested", reason=remark.split(":")[0])


def rule_names(target: str, *paths: str, options: Options | None = None) -> list[str]:
    """Return the names of the rules that apply to an implementation, in order."""
    with ExitStack() as stack:
        opened = open_target(target, paths, options or Options(), stack)
        return [rule.name for group in opened.groups for rule in group.rules]
