"""The conformance kit: tests an implementation of a game against petteia.

`petteia check` and the pytest plugin are interfaces to `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from typing import SupportsIndex

from petteia import Progress
from petteia._arguments import seed_of, whole
from petteia._progress import telling

from .build import Compilers
from .rules import Finding, Report, Result, Unusable, apply
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
    "Unusable",
    "check",
    "rule_names",
]


def check(
    target: str,
    *paths: str,
    games: SupportsIndex = 200,
    seed: SupportsIndex | None = 0,
    only: Collection[str] = (),
    options: Options | None = None,
    progress: Progress = None,
    on_result: Callable[[Result], object] | None = None,
) -> Report:
    """Check an implementation and return a report with the result of each rule.

    target is one of TARGETS; games is the number of games per rule. progress counts rules, and on_result is
    called with the result of each as soon as it is known. The report has the seed.

    Raises Unusable if the implementation cannot be built or started, and ValueError for an unknown target or
    rule.
    """
    if target not in TARGETS:
        raise ValueError(f"unknown target {target!r}: expected one of {', '.join(TARGETS)}")
    if not paths:
        raise ValueError("no path given: expected the implementation to check")
    report = Report(target, paths, seed_of(seed))
    number = whole("games", games, 1)
    with ExitStack() as stack:
        opened = open_target(target, paths, options or Options(), stack)
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
            report.results.append(apply(rule, group.targets, number, report.seed))
            if on_result is not None:
                on_result(report.results[-1])
        tell(len(chosen), len(chosen))
    return report


def rule_names(target: str, *paths: str, options: Options | None = None) -> list[str]:
    """Return the names of the rules that apply to an implementation, in order."""
    with ExitStack() as stack:
        opened = open_target(target, paths, options or Options(), stack)
        return [rule.name for group in opened.groups for rule in group.rules]
