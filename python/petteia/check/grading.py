"""What a rule is worth, and who sees it: a small file of the teacher's.

points = 100                    # in all
hidden = ["bits-*"]             # rules that students never see
after-due = ["memory"]          # rules that they see when the assignment is due

[weights]                       # 1 for each rule that is not named; the last pattern that fits counts
"play-*" = 2
show = 0
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Visibility = Literal["visible", "hidden", "after_due_date"]


@dataclass(frozen=True)
class Grading:
    """The points of a check."""

    points: float = 100.0
    weights: Mapping[str, float] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    after_due: tuple[str, ...] = ()

    def weight(self, rule: str) -> float:
        """Return a rule's share, compared with the others."""
        found = [weight for pattern, weight in self.weights.items() if fnmatchcase(rule, pattern)]
        return found[-1] if found else 1.0

    def visibility(self, rule: str) -> Visibility:
        """Return when students see a rule."""
        if any(fnmatchcase(rule, pattern) for pattern in self.hidden):
            return "hidden"
        due = any(fnmatchcase(rule, pattern) for pattern in self.after_due)
        return "after_due_date" if due else "visible"


def read_grading(path: str) -> Grading:
    """Return what a file says; raise ValueError, which says what is wrong with it."""
    try:
        told = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"--grading {path!a} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"--grading {path!a} is not a TOML file: {error}") from None
    for name in told:
        if name not in ("points", "weights", "hidden", "after-due"):
            raise ValueError(f"--grading {path!a}: {name!a}: expected points, weights, hidden or after-due")

    def wrong(name: str, expected: str) -> ValueError:
        return ValueError(f"--grading {path!a}: {name} is {told[name]!r}: expected {expected}")

    points, weights = told.get("points", 100), told.get("weights", {})
    if not _is_number(points):
        raise wrong("points", "a number of at least 0")
    if not isinstance(weights, dict) or not all(map(_is_number, weights.values())):
        raise wrong("weights", "names of rules, each with a number of at least 0")
    names = {}
    for name in ("hidden", "after-due"):
        listed = told.get(name, [])
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise wrong(name, "a list of names of rules")
        names[name] = tuple(listed)
    return Grading(float(points), weights, names["hidden"], names["after-due"])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9


@dataclass(frozen=True)
class Row:
    """A rule's line in a submission's results."""

    name: str
    says: str
    status: str
    """Either passed, failed, untested or note."""
    score: float
    most: float
    visibility: Visibility
    text: str
    """What the terminal shows."""
    section: str
    """What a page shows."""
    seconds: float


@dataclass
class Graded:
    """A submission that has been checked, or could not be."""

    name: str
    target: str
    seed: int
    words: str = ""
    """Why nothing could be judged: the compiler's words, say."""
    remarks: list[str] = field(default_factory=list)
    seconds: float = 0.0
    rules: list[dict[str, Any]] = field(default_factory=list)
    """Each rule's result: name, says, status, size, seconds, text and section."""

    @property
    def status(self) -> str:
        """Either graded or not built."""
        return "not built" if self.words else "graded"

    def rows(self, grading: Grading) -> list[Row]:
        """Return the results with their points; one row, without any, if nothing could be judged."""
        if self.words:
            said = "it can be built, started and judged"
            row = Row("build", said, "failed", 0.0, grading.points, "visible", self.words, "", self.seconds)
            return [row]
        counted = [rule for rule in self.rules if rule["status"] != "note"]
        total = sum(grading.weight(rule["name"]) for rule in counted)
        rows = []
        for rule in self.rules:
            name, status = rule["name"], rule["status"]
            share = grading.weight(name) / total if total and status != "note" else 0.0
            most = grading.points * share
            rows.append(
                Row(
                    name,
                    rule["says"],
                    status,
                    most if status == "passed" else 0.0,
                    most,
                    grading.visibility(name),
                    rule["text"],
                    rule["section"],
                    rule["seconds"],
                )
            )
        return rows

    def score(self, grading: Grading) -> float:
        """Return the points."""
        return round(sum(row.score for row in self.rows(grading)), 4)

    def seen(self, grading: Grading) -> list[Row]:
        """Return the rows that students see."""
        return [row for row in self.rows(grading) if row.visibility == "visible"]
