"""Programs that read stdin to its end and print: run once per case."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .rooms import Room, current
from .rules import Finding, Pace, Picture
from .sandbox import Limits, Ran, run


@dataclass
class Program:
    """An executable under test."""

    command: tuple[str, ...]
    shown: str
    """The command as it is shown to the user."""
    limits: Limits
    build: str = "program"
    sanitized: bool = False
    calls: int = 0
    slow: int = 0
    spent: Pace = Pace.USUAL
    seen: dict[tuple[str, tuple[str, ...], Pace | None], Ran] = field(default_factory=dict)
    learned: dict[str, object] = field(default_factory=dict)
    """What rules have learned about how it prints."""
    last: tuple[str, tuple[str, ...], Ran] | None = None
    """The run of the last finding."""
    built: str = ""
    """The command that builds it, if the kit has done so."""
    room: Room = field(default_factory=lambda: Room(current()))

    def pace(self, pace: Pace) -> None:
        """Set how much time to spend on failures."""
        self.spent = pace

    def again(self, finding: Finding) -> Finding:
        """Run a program once more on the input of a finding, and say if something else came."""
        if finding.language != "sh" or not self.last:
            return finding
        stdin, arguments, before = self.last
        self.seen.clear()
        ran = self.run(stdin, *arguments)
        same = (ran.stdout, ran.code) == (before.stdout, before.code)
        if same or (ran.death and before.death):
            return finding
        return replace(finding, again="When it was run again on this input, it printed something else.")

    def close(self) -> None:
        """Close its room: no process outlives its run."""
        self.room.close()

    def run(self, stdin: str, *arguments: str) -> Ran:
        """Run it on an input, or return the result of an earlier run."""
        for key in ((stdin, arguments, None), (stdin, arguments, self.spent)):
            if key in self.seen:
                return self.seen[key]
        self.calls += 1
        limits = self.limits.short() if self.spent is Pace.QUICK else self.limits
        symbolize = self.spent is Pace.THOROUGH
        command = [*self.command, *arguments]
        ran = run(command, stdin.encode("latin-1"), limits, self.sanitized, self.room, symbolize)
        self.slow += ran.death is not None and ran.death.slow
        # A program that takes long may still end within the usual time.
        self.seen[stdin, arguments, self.spent if ran.death else None] = ran
        return ran

    def repeat(self, stdin: str, *arguments: str) -> str:
        """Return a shell command that repeats a run."""
        words = " ".join([self.shown, *map(shlex.quote, arguments)])
        made = f"{self.built}\n" if self.built else ""
        return f"{made}printf '{_octal(stdin)}' | {words}; echo exit code $?\n"

    def finding(
        self,
        summary: str,
        stdin: str,
        arguments: Sequence[str],
        expected: str,
        got: str,
        size: int,
        before: str = "",
        pictures: tuple[Picture, ...] = (),
        ran: Ran | None = None,
    ) -> Finding:
        """Return a finding about a run."""
        self.last = (stdin, tuple(arguments), ran) if ran else None
        call = " ".join([self.shown, *map(shlex.quote, arguments)])
        errors = ran.stderr.decode(errors="replace") if ran else ""
        repeat = self.repeat(stdin, *arguments)
        return Finding(summary, call, before, expected, got, repeat, "sh", size, pictures, stderr=errors)


def _octal(text: str) -> str:
    """Return a text for the printf of any shell, to put in single quotes."""
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\v": "\\v", "\f": "\\f", "%": "%%", "\\": "\\\\"}
    return "".join(named.get(c, c if " " <= c <= "~" and c != "'" else f"\\{ord(c):03o}") for c in text)


def text_of(ran: Ran) -> str:
    """Return what was printed; any bytes are valid Latin-1."""
    return ran.stdout.decode("latin-1")
