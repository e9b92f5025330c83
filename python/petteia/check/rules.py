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
    about: str = ""
    """What kind of mistake it is: shrinking keeps it."""
    stderr: str = ""
    """What the implementation printed on stderr."""
    again: str = ""
    """What happened when `repeat` was run, unless it showed the mistake again."""


@dataclass(frozen=True)
class Stopped:
    """A case that could not be judged, since a call or a program did not end as it should."""

    finding: Finding
    """What the rule about such ends shows."""
    kind: str
    """How it ended: the kind of a Death."""


# The result of judging a case: a finding, how it was stopped, or whether the case tested the rule at all.
Judgement = Finding | Stopped | bool


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

    def again(self, finding: Finding) -> Finding:
        """Run the program that repeats a finding, and return the finding with what else that shows."""
        ...

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
    after: tuple[str, ...] = ()
    """Rules whose mistakes can break this one too: if one of them fails, this one cannot be judged."""
    parts: tuple[Rule[Any], ...] = ()
    """The rules whose cases it is tested on, if it is about how calls end."""
    sanitized: bool = False
    """Whether it is tested on the build with the sanitizers."""


@dataclass
class Result:
    """The result of testing a rule."""

    rule: Rule[Any]
    status: Literal["passed", "failed", "untested", "note"]
    """A rule is untested if it could not be judged: `reason` says why."""
    finding: Finding | None = None
    reason: str = ""
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


@dataclass(frozen=True)
class Part:
    """A case of one of several rules."""

    at: int
    case: Any


def watching(
    name: str, says: str, rules: Sequence[Rule[Any]], sanitized: bool = False, **more: Any
) -> Rule[Part]:
    """Make a rule about how calls end, tested on the cases of other rules.

    A rule of the same name among them is about ends too: its findings are findings of the new rule.
    """
    parts = tuple(rule for rule in rules if not rule.note)

    def cases(draw: Draw) -> Part:
        at = draw.integer(0, len(parts) - 1)
        return Part(at, parts[at].cases(draw))

    def judge(target: Any, part: Part) -> Judgement:
        rule = parts[part.at]
        said = rule.judge(target, part.case)
        if isinstance(said, Stopped):
            return said.finding if not sanitized or said.kind == "sanitizer" else False
        return said if rule.name == name or not isinstance(said, Finding) else True

    def shorter(part: Part) -> Iterator[Part]:
        return (Part(part.at, case) for case in parts[part.at].shorter(part.case))

    return Rule(name, says, cases, judge, shorter, parts=parts, sanitized=sanitized, **more)


def sanitizer(name: str, rules: Sequence[Rule[Any]], **more: Any) -> Rule[Part]:
    """Make a rule about what the sanitizers report, in games in which the plain build does what it should."""
    says = "no access outside memory and no undefined behaviour (address and undefined sanitizers)"
    return watching(name, says, rules, sanitized=True, **more)


@dataclass
class Group:
    """One deliverable: its rules, and its builds."""

    rules: Sequence[Rule[Any]]
    targets: list[Target]
    """The plain build, and perhaps one with the sanitizers, of which rules of their own are about."""
    siblings: list[Group] = field(default_factory=list)
    """The other deliverables of the same submission, whose mistakes can break rules of this one."""
    _causes: dict[tuple[str, int, int], str | None] = field(default_factory=dict)
    _stopped: dict[str, list[int]] = field(default_factory=dict)
    """For each rule that was stopped, the integers of the first case that was."""

    def __post_init__(self) -> None:
        if len(self.targets) == 1:
            self.rules = [rule for rule in self.rules if not rule.sanitized]

    def forget(self) -> None:
        """Forget all results, for an implementation that has changed."""
        self._causes.clear()
        self._stopped.clear()

    def apply(self, rule: Rule[Any], cases: int, seed: int, shrink: bool = True) -> Result:
        """Test a rule; stop at the first case that breaks it, and shrink that case."""
        start = time.monotonic()
        target = self.targets[-1 if rule.sanitized else 0]
        if target is not self.targets[0] and self.targets[0].slow:
            target.pace(Pace.QUICK)
        calls = target.calls
        result = Result(rule, "untested")
        choices: list[int] = []
        found = self._search(rule, target, cases, seed, result, choices)
        # Calls made while shrinking are not counted: their number differs from run to run.
        result.calls = target.calls - calls
        if found:
            case, finding = found
            cause = self._cause(rule, cases, seed)
            if cause:
                result.reason = f"{cause} fails, which can break it too"
                self._causes[rule.name, cases, seed] = cause
            else:
                result.status, result.build = "failed", target.build
                result.finding = finding
                if shrink:
                    smallest = self._smallest(rule, target, case, finding, choices)
                    result.finding = target.again(smallest)
        self._causes.setdefault(
            (rule.name, cases, seed), rule.name if result.status == "failed" and not rule.note else None
        )
        if rule.note:
            result.status = "note"
        result.seconds = time.monotonic() - start
        return result

    def _cause(self, rule: Rule[Any], cases: int, seed: int) -> str | None:
        """Return a rule that fails and can break this one too."""
        for name in rule.after:
            for group in (self, *self.siblings):
                for other in group.rules:
                    if other.name == name and other is not rule:
                        if (name, cases, seed) not in group._causes:
                            group.apply(other, cases, seed, shrink=False)
                        if group._causes[name, cases, seed]:
                            return group._causes[name, cases, seed]
        return None

    def _judge(self, rule: Rule[Any], target: Target, case: Any) -> Judgement:
        said = rule.judge(target, case)
        if rule.sanitized and isinstance(said, Finding):
            # What shows in the plain build is told by other rules.
            plain = rule.parts[case.at].judge(self.targets[0], case.case)
            return False if isinstance(plain, (Finding, Stopped)) else said
        return said

    def _search(
        self, rule: Rule[Any], target: Target, cases: int, seed: int, result: Result, choices: list[int]
    ) -> tuple[Any, Finding] | None:
        """Return the first case that breaks a rule, and leave its integers in `choices`."""
        replayed = (
            []
            if rule.sanitized
            else [
                [at, *self._stopped[part.name]]
                for at, part in enumerate(rule.parts)
                if part.name in self._stopped
            ]
        )
        wanted = max(1, round(cases * rule.share))
        random = Random(f"{seed} {rule.name}")
        slow = target.slow
        patience = time.monotonic() + PATIENCE
        judged = stopped = 0
        for tried in itertools.count():
            untold = not judged and not stopped and time.monotonic() < patience
            if target.slow - slow >= (SLOW if slow < SLOW else 1) or (
                tried >= wanted + len(replayed) and not untold
            ):
                break
            choices.clear()
            again = iter(replayed[tried]) if tried < len(replayed) else iter(())
            case = rule.cases(Draw(_recorded(random, again, choices)))
            result.cases += 1
            was_slow = target.slow
            judgement = self._judge(rule, target, case)
            if target.slow and not was_slow:
                target.pace(Pace.QUICK)
            if isinstance(judgement, Finding):
                return case, judgement
            if isinstance(judgement, Stopped):
                stopped += 1
                self._stopped.setdefault(rule.name, list(choices))
            judged += judgement is True
        # A rule that is stopped more often than not has not been tested.
        if judged and judged >= stopped:
            result.status = "passed"
        elif stopped:
            names = [other.name for other in self.rules if rule in other.parts and not other.sanitized]
            result.reason = f"what it is about does not end well{': see ' + names[0] if names else ''}"
        else:
            result.reason = "no game came to what it is about"
        return None

    def _smallest(
        self, rule: Rule[Any], target: Target, case: Any, found: Finding, choices: list[int]
    ) -> Finding:
        from hypothesis import Phase, find, settings
        from hypothesis import strategies as st
        from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
        from hypothesis.errors import NoSuchExample

        judged: dict[Hashable, Judgement] = {case: found}
        smallest = case
        end, slow = time.monotonic() + SHRINKING, target.slow + SHRINKING_SLOW

        @st.composite
        def cases(draw: st.DrawFn) -> Any:
            return rule.cases(Draw(lambda low, high: draw(st.integers(low, high))))

        def breaks(case: Any) -> bool:
            if case not in judged:
                going = time.monotonic() < end and target.slow < slow
                judged[case] = self._judge(rule, target, case) if going else False
            said = judged[case]
            return isinstance(said, Finding) and said.about == found.about

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
        judgement = self._judge(rule, target, smallest)
        target.pace(Pace.QUICK if target.slow else Pace.USUAL)
        return judgement if isinstance(judgement, Finding) else found


def _recorded(random: Random, again: Iterator[int], choices: list[int]) -> Callable[[int, int], int]:
    """Return a source of integers: some that were drawn before, then random ones."""

    def integer(low: int, high: int) -> int:
        choices.append(min(max(next(again, random.randint(low, high)), low), high))
        return choices[-1]

    return integer


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence Hypothesis's warnings about slow cases: those may be the findings."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
