"""Rules, and how one is tried: random cases, and the smallest that breaks it.

A case is built from integers, drawn one after another. To look for a case that breaks a rule they come from a
seeded generator, which is fast; to make a case small they come from Hypothesis, which starts with the
integers of the one that was found.
"""

from __future__ import annotations

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
    """Where a case takes its integers from: small ones are for what is simple."""

    def __init__(self, integer: Callable[[int, int], int]) -> None:
        self.integer = integer

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of several, the simplest of which is the first."""
        return items[self.integer(0, len(items) - 1)]

    def chance(self, of: int) -> bool:
        """Draw something that happens once in so many times; the simple case is that it does not."""
        return self.integer(0, of - 1) == of - 1

    def several(self, most: int, go_on: int = 8) -> Iterator[int]:
        """Draw how often something happens, one time after another."""
        # The end is drawn too where nothing else is possible: without it, what comes before could not be left
        # out.
        for i in range(most + 1):
            if self.integer(0, go_on if i < most else 0) == 0:
                return
            yield i


@dataclass(frozen=True)
class Picture:
    """A board in a report: what it shows, and a position's text that petteia can draw."""

    caption: str
    position: str
    game: str


@dataclass(frozen=True)
class Finding:
    """What is wrong, shown by the smallest game that was found."""

    summary: str
    call: str
    before: str
    expected: str
    got: str
    repeat: str
    """What to run to see it again."""
    language: Literal["c", "c++", "sh", "python"]
    size: int
    """The moves of the game, pieces that were set by hand included."""
    pictures: tuple[Picture, ...] = ()


# What a judgement says: a finding, or whether the case had anything in it that the rule speaks of.
Judgement = Finding | bool


class Pace(Enum):
    """How much time to take over code that fails."""

    USUAL = 0
    QUICK = 1
    """Less, where it is known to fail and will fail again and again."""
    THOROUGH = 2
    """All that it takes to say where in the source it fails."""


class Target(Protocol):
    """An implementation that has been started, in one build of it."""

    build: str
    calls: int
    slow: int
    """How often it had to be ended because it took too long, too much memory or printed too much."""

    def pace(self, pace: Pace) -> None:
        """Say how much time to take over what fails."""

    def close(self) -> None:
        """End what was started."""


@dataclass(frozen=True)
class Rule(Generic[Case]):
    """One thing that a document requires."""

    name: str
    says: str
    """What the document says, in one sentence."""
    cases: Callable[[Draw], Case]
    judge: Callable[[Any, Case], Judgement]
    shorter: Callable[[Case], Iterable[Case]] = lambda case: ()
    """Cases that are shorter than one by a move or so, to be tried in its place."""
    share: float = 1.0
    """Which part of the usual number of cases is enough."""
    note: bool = False
    """Whether the document is silent on it: then it is told, and no more."""


@dataclass
class Result:
    """How a rule was kept."""

    rule: Rule[Any]
    status: Literal["passed", "failed", "untested", "note"]
    """A rule is untested when no case got as far as what it speaks of."""
    finding: Finding | None = None
    cases: int = 0
    calls: int = 0
    seconds: float = 0.0
    build: str = ""


@dataclass
class Report:
    """How an implementation has kept the rules."""

    target: str
    paths: tuple[str, ...]
    seed: int
    results: list[Result] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What could not be looked at, and why."""

    @property
    def failed(self) -> list[Result]:
        """The rules that are broken."""
        return [result for result in self.results if result.status == "failed"]

    @property
    def ok(self) -> bool:
        """Whether no rule is broken; one that could not be reached is no mistake by itself."""
        return not self.failed and any(result.status in ("passed", "note") for result in self.results)

    def __getitem__(self, rule: str) -> Result:
        """Return the result of a rule."""
        return next(result for result in self.results if result.rule.name == rule)


# A rule is given up after so many cases that ended slowly in calls that it says nothing about: other rules
# do.
SLOW = 2

# Making a case smaller stops after so many cases that ended slowly, and in any case after so many seconds.
SHRINKING_SLOW = 30
SHRINKING = 60.0


def apply(rule: Rule[Case], targets: Sequence[Target], cases: int, seed: int, shrink: bool = True) -> Result:
    """Try a rule on each build of a target, and stop at the first that breaks it, with its smallest case."""
    start = time.monotonic()
    calls = sum(target.calls for target in targets)
    result = Result(rule, "untested")
    for number, target in enumerate(targets):
        wanted = max(1, round(cases * rule.share / len(targets)))
        random = Random(f"{seed} {rule.name} {number}")
        slow = target.slow
        for _ in range(wanted):
            if target.slow - slow >= SLOW:
                break
            choices: list[int] = []
            case = rule.cases(Draw(_recorded(random, choices)))
            result.cases += 1
            judgement = rule.judge(target, case)
            if target.slow == 1:
                target.pace(Pace.QUICK)
            if isinstance(judgement, Finding):
                result.status = "failed"
                # What it takes to make the case small is not counted: it differs from run to run.
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

    # One integer more than the case needs says that this is where to start, and not where an earlier run has
    # ended.
    database = InMemoryExampleDatabase()
    database.save(rule.name.encode(), choices_to_bytes([*choices, 0]))
    phases = (Phase.reuse, Phase.generate, Phase.shrink)
    profile = settings(max_examples=10, database=database, deadline=None, phases=phases)
    target.pace(Pace.QUICK)
    with _quietly(), suppress(NoSuchExample):
        smallest = find(cases(), breaks, settings=profile, database_key=rule.name.encode())
    # Fewer integers are not always fewer moves.
    while shorter := next(filter(breaks, rule.shorter(smallest)), None):
        smallest = shorter
    target.pace(Pace.THOROUGH)
    judgement = rule.judge(target, smallest)
    target.pace(Pace.QUICK if target.slow else Pace.USUAL)
    return judgement if isinstance(judgement, Finding) else found


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what Hypothesis has to say about slow cases to itself: they are the findings."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
