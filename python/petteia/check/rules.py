"""Rules, tested on random cases; a case that breaks a rule is shrunk.

A case is built from a sequence of integers. The search for a case that breaks a rule draws them from a seeded
generator, which is fast. Shrinking draws them from Hypothesis, starting with the integers of the case found.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeVar

Item = TypeVar("Item")
Case = TypeVar("Case", bound=Hashable)


class Unusable(Exception):
    """The target could not be built or started."""


class Draw:
    """The source of a case's integers: smaller integers make simpler cases."""

    def __init__(self, integer: Callable[[int, int], int]) -> None:
        self.integer = integer

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of several items, of which the first is the simplest."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, of: int) -> bool:
        """Draw True with a probability of one in `of`; False is the simpler case."""
        return self.integer(0, of - 1) == of - 1

    def several(self, most: int, go_on: int = 8) -> Iterator[int]:
        """Yield a random number of times, at most `most`; a larger `go_on` makes it higher."""
        # The end is drawn even when it is certain: otherwise Hypothesis could not delete earlier repetitions.
        for i in range(most + 1):
            if self.integer(0, go_on if i < most else 0) == 0:
                return
            yield i


@dataclass(frozen=True)
class Picture:
    """A board in a report: a caption, and the text of a position that petteia can draw."""

    caption: str
    position: str
    game: str


@dataclass(frozen=True)
class Finding:
    """A broken rule, shown by the smallest game found."""

    summary: str
    call: str
    before: str
    expected: str
    got: str
    repeat: str
    """A program or shell command that reproduces it."""
    language: Literal["c", "c++", "sh", "python"]
    size: int
    """The number of moves, including pieces set by hand."""
    pictures: tuple[Picture, ...] = ()


# The result of judging a case: a finding, or whether the case tested the rule at all.
Judgement = Finding | bool


class Pace(Enum):
    """How much time to spend on code that fails."""

    USUAL = 0
    QUICK = 1
    """Little: it is known to fail, and will fail many more times."""
    THOROUGH = 2
    """Enough to find the line of the source where it fails."""


class Target(Protocol):
    """One build of an implementation, started."""

    build: str
    calls: int
    slow: int
    """How often it was killed because it exceeded a limit on time, memory or output."""

    def pace(self, pace: Pace) -> None:
        """Set how much time to spend on failures."""

    def close(self) -> None:
        """End the processes that were started."""


@dataclass(frozen=True)
class Rule(Generic[Case]):
    """One requirement of a document."""

    name: str
    says: str
    """The requirement in one sentence."""
    cases: Callable[[Draw], Case]
    judge: Callable[[Any, Case], Judgement]
    shorter: Callable[[Case], Iterable[Case]] = lambda case: ()
    """Yields cases that are a move or two shorter, to try instead of a case."""
    share: float = 1.0
    """The fraction of the usual number of cases that is enough."""
    note: bool = False
    """Whether the document leaves it open: then a finding is only a note, not a failure."""


@dataclass
class Result:
    """The result of testing a rule."""

    rule: Rule[Any]
    status: Literal["passed", "failed", "untested", "note"]
    """A rule is untested if no case reached what it is about."""
    finding: Finding | None = None
    cases: int = 0
    calls: int = 0
    seconds: float = 0.0
    build: str = ""


@dataclass
class Report:
    """The results of all rules for an implementation."""

    target: str
    paths: tuple[str, ...]
    seed: int
    results: list[Result] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What could not be checked, and why."""

    @property
    def failed(self) -> list[Result]:
        """The results of the rules that are broken."""
        return [result for result in self.results if result.status == "failed"]

    @property
    def ok(self) -> bool:
        """Whether no rule is broken and at least one was tested; untested rules do not count as broken."""
        return not self.failed and any(result.status in ("passed", "note") for result in self.results)

    def __getitem__(self, rule: str) -> Result:
        """Return the result of a rule."""
        return next(result for result in self.results if result.rule.name == rule)


# A rule is given up after this many cases that exceeded a limit in calls it is not about: other rules report
# those.
SLOW = 2

# Shrinking stops after this many cases that exceeded a limit, or after this many seconds.
SHRINKING_SLOW = 30
SHRINKING = 60.0

# What a rule is about may be rare: until a case tests it, cases are tried for at least this many seconds.
PATIENCE = 3.0


def apply(rule: Rule[Case], targets: Sequence[Target], cases: int, seed: int, shrink: bool = True) -> Result:
    """Test a rule on each build of a target; stop at the first case that breaks it, and shrink that case."""
    start = time.monotonic()
    calls = sum(target.calls for target in targets)
    result = Result(rule, "untested")
    for number, target in enumerate(targets):
        wanted = max(1, round(cases * rule.share / len(targets)))
        random = Random(f"{seed} {rule.name} {number}")
        slow = target.slow
        patience = time.monotonic() + PATIENCE
        for tried in itertools.count():
            untold = result.status == "untested" and time.monotonic() < patience
            if target.slow - slow >= SLOW or (tried >= wanted and not untold):
                break
            choices: list[int] = []
            case = rule.cases(Draw(_recorded(random, choices)))
            result.cases += 1
            judgement = rule.judge(target, case)
            if target.slow == 1:
                target.pace(Pace.QUICK)
            if isinstance(judgement, Finding):
                result.status = "failed"
                # Calls made while shrinking are not counted: their number differs from run to run.
                result.calls = sum(target.calls for target in targets) - calls
                result.finding = _smallest(rule, target, case, judgement, choices) if shrink else judgement
                result.build = target.build
                break
            if judgement and result.status == "untested":
                result.status = "passed"
        if result.finding:
            break
    if rule.note:
        result.status = "note"
    if not result.finding:
        result.calls = sum(target.calls for target in targets) - calls
    result.seconds = time.monotonic() - start
    return result


def _recorded(random: Random, choices: list[int]) -> Callable[[int, int], int]:
    def integer(low: int, high: int) -> int:
        choices.append(random.randint(low, high))
        return choices[-1]

    return integer


def _smallest(rule: Rule[Case], target: Target, case: Case, found: Finding, choices: list[int]) -> Finding:
    from hypothesis import Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
    from hypothesis.errors import NoSuchExample

    judged: dict[Hashable, Judgement] = {case: found}
    smallest = case
    end, slow = time.monotonic() + SHRINKING, target.slow + SHRINKING_SLOW

    @st.composite
    def cases(draw: st.DrawFn) -> Case:
        return rule.cases(Draw(lambda low, high: draw(st.integers(low, high))))

    def breaks(case: Case) -> bool:
        if case not in judged:
            going = time.monotonic() < end and target.slow < slow
            judged[case] = rule.judge(target, case) if going else False
        return isinstance(judged[case], Finding)

    # One integer too many: an exact match would pass for a case that an earlier run has already shrunk.
    database = InMemoryExampleDatabase()
    database.save(rule.name.encode(), choices_to_bytes([*choices, 0]))
    phases = (Phase.reuse, Phase.generate, Phase.shrink)
    profile = settings(max_examples=10, database=database, deadline=None, phases=phases)
    target.pace(Pace.QUICK)
    with _quietly(), suppress(NoSuchExample):
        smallest = find(cases(), breaks, settings=profile, database_key=rule.name.encode())
    # The fewest integers are not always the fewest moves.
    while shorter := next(filter(breaks, rule.shorter(smallest)), None):
        smallest = shorter
    target.pace(Pace.THOROUGH)
    judgement = rule.judge(target, smallest)
    target.pace(Pace.QUICK if target.slow else Pace.USUAL)
    return judgement if isinstance(judgement, Finding) else found


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence Hypothesis's warnings about slow cases: those may be the findings."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
