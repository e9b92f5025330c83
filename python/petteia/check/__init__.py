"""The conformance kit: tests an implementation of a game against petteia.

`petteia check` and the pytest plugin are interfaces to `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack

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
    games: int = 200,
    seed: int = 0,
    only: Collection[str] = (),
    options: Options | None = None,
    progress: Callable[[Result], None] | None = None,
) -> Report:
    """Check an implementation and return a report with the result of each rule.

    target is one of TARGETS; games is the number of games per rule.

    Raises Unusable if the implementation cannot be built or started, and ValueError for an unknown target or
    rule.
    """
    if target not in TARGETS:
        raise ValueError(f"unknown target {target!r}: expected one of {', '.join(TARGETS)}")
    if not paths:
        raise ValueError("no path given: expected the implementation to check")
    report = Report(target, paths, seed)
    with ExitStack() as stack:
        opened = open_target(target, paths, options or Options(), stack)
        report.remarks += opened.remarks
        names = [rule.name for group in opened.groups for rule in group.rules]
        for name in only:
            if name not in names:
                raise ValueError(f"unknown rule {name!r}: expected one of {', '.join(names)}")
        for group in opened.groups:
            for rule in group.rules:
                if not only or rule.name in only:
                    report.results.append(apply(rule, group.targets, games, seed))
                    if progress:
                        progress(report.results[-1])
    return report


def rule_names(target: str, *paths: str, options: Options | None = None) -> list[str]:
    """Return the names of the rules that apply to an implementation, in order."""
    with ExitStack() as stack:
        opened = open_target(target, paths, options or Options(), stack)
        return [rule.name for group in opened.groups for rule in group.rules]
