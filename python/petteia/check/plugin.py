"""The pytest plugin: each rule becomes a test.

    import pytest

    @pytest.mark.conformance("breakdown", "hw5", games=500)
    def test_breakdown(conformance_rule):
        conformance_rule.verify()

The marker takes the arguments of `petteia.check.check` except progress and on_result; paths are relative to
the test's folder. The test runs once for each rule, as `conformance_rule`. The fixture `conformance` is
`check` itself, for tests of a whole report.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from . import Report, Result
    from .rules import Group, Rule
    from .targets import Opened

_OPENED = pytest.StashKey[dict[str, "Opened"]]()
_STACK = pytest.StashKey[ExitStack]()


class ConformanceRule:
    """A rule to test on the implementation that the marker names."""

    def __init__(self, rule: Rule[Any], group: Group, games: int, seed: int) -> None:
        self.rule = rule
        self.group = group
        self.games = games
        self.seed = seed

    def check(self) -> Result:
        """Test the rule and return the result."""
        return self.group.apply(self.rule, self.games, self.seed)

    def verify(self) -> None:
        """Test the rule, and fail with the smallest game that breaks it; skip it if it cannot be judged."""
        from .report import Terminal

        __tracebackhide__ = True
        result = self.check()
        if result.status == "failed":
            pytest.fail(Terminal(False).result(result), pytrace=False)
        if result.status == "untested":
            pytest.skip(f"not judged: {result.reason}")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        "conformance(target, *paths, games=200, seed=0, only=(), options=None): check an implementation, "
        "one test per rule; the test takes conformance_rule",
    )
    config.stash[_OPENED] = {}
    config.stash[_STACK] = ExitStack()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the implementations that were started."""
    if _STACK in config.stash:
        config.stash[_STACK].close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test per rule."""
    if "conformance_rule" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("conformance")
    if marker is None or len(marker.args) < 2:
        raise pytest.UsageError("conformance_rule needs @pytest.mark.conformance(TARGET, PATH, ...)")
    rules = _rules(metafunc.config, metafunc.definition.path.parent, marker)
    metafunc.parametrize("conformance_rule", rules, ids=[rule.rule.name for rule in rules])


def _rules(config: pytest.Config, folder: os.PathLike[str], marker: pytest.Mark) -> list[ConformanceRule]:
    from petteia._arguments import seed_of

    from .rules import Unusable
    from .targets import TARGETS, Options, open_target

    target, *paths = marker.args
    known = {"games", "seed", "only", "options"}
    if target not in TARGETS or not known.issuperset(marker.kwargs):
        names = f"a target ({', '.join(TARGETS)}), paths and the keywords {', '.join(sorted(known))}"
        raise pytest.UsageError(f"conformance{marker.args}: expected {names}")
    paths = resolved(folder, paths)
    options = marker.kwargs.get("options") or Options()
    key = repr((target, paths, options))
    opened = config.stash[_OPENED]
    if key not in opened:
        try:
            opened[key] = open_target(target, paths, options, config.stash[_STACK])
        except Unusable as reason:
            raise pytest.UsageError(f"{target} {' '.join(paths)}: {reason}") from None
    games, seed = marker.kwargs.get("games", 200), seed_of(marker.kwargs.get("seed", 0))
    only = marker.kwargs.get("only", ())
    all_names = [rule.name for group in opened[key].groups for rule in group.rules]
    for name in only:
        if name not in all_names:
            expected = ", ".join(all_names)
            raise pytest.UsageError(f"conformance: unknown rule {name!r}: expected one of {expected}")
    return [
        ConformanceRule(rule, group, games, seed)
        for group in opened[key].groups
        for rule in group.rules
        if not rule.note and (not only or rule.name in only)
    ]


def resolved(folder: os.PathLike[str], paths: Sequence[str | type]) -> list[str]:
    """Return paths that are relative to a test's folder; modules and classes are found as they are."""
    from .position import named

    words = [path if isinstance(path, str) else named(path) for path in paths]
    found = [os.path.join(folder, word) for word in words]
    return [
        whole if os.path.exists(whole.rpartition(":")[0] if ".py:" in whole else whole) else word
        for whole, word in zip(found, words)
    ]


@pytest.fixture
def conformance(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Return `petteia.check.check`, with paths relative to the test's folder as in the marker."""
    from . import check

    def checked(target: str, *paths: str | type, **options: Any) -> Report:
        return check(target, *resolved(request.path.parent, paths), **options)

    return checked
