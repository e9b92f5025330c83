"""The code under test in separate processes, with limits on time, memory and output."""

from __future__ import annotations

import array
import contextlib
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .rooms import PROCESSES, Bounds, Ended, Room, current
from .rules import Pace

# The exit code that the sanitizers are set to use, to tell their reports from a program's own exits.
SANITIZER_EXIT = 86


@dataclass(frozen=True)
class Limits:
    """The resources that one game may use."""

    seconds: float = 1.0
    """Processor time."""
    megabytes: int = 256
    """Memory."""
    output: int = 1 << 20
    """Bytes printed."""

    def short(self) -> Limits:
        """Return shorter limits, for code that is known to exceed them."""
        return replace(self, seconds=max(self.seconds / 8, 0.1))

    @property
    def patience(self) -> float:
        """The wall-clock seconds after which code counts as hanging however little it has worked."""
        return 10 + 10 * self.seconds

    @property
    def idle(self) -> float:
        """The wall-clock seconds after which code that uses no processor time at all counts as hanging."""
        return 1 + 4 * self.seconds

    def bounds(self, sanitized: bool = False, lasting: bool = False) -> Bounds:
        """Return what a command may use, which is lasting if it plays many games."""
        return Bounds(
            self.seconds,
            self.megabytes,
            self.output,
            address_space=not sanitized,
            idle=self.idle,
            patience=self.patience,
            lasting=lasting,
        )


@dataclass(frozen=True)
class Death:
    """How a process ended that should not have ended."""

    words: str
    kind: str
    """Either crash, hang, memory, output, processes, sanitizer or exit."""

    @property
    def slow(self) -> bool:
        """Whether it exceeded a limit, which takes time."""
        return self.kind in ("hang", "memory", "output", "processes")

    def __str__(self) -> str:
        return self.words


SIGNALS = {
    signal.SIGSEGV: "a segmentation fault: it used memory that is not its own",
    signal.SIGBUS: "a bus error: it used memory that is not its own",
    signal.SIGABRT: "abort()",
    signal.SIGFPE: "an arithmetic error, such as a division by zero",
    signal.SIGILL: "an illegal instruction",
}


def describe(ended: Ended, stderr: str, limits: Limits, refused: bool = False) -> Death:
    """Describe how a process ended by what is known of it, and its stderr."""
    code = ended.code
    if ended.why == "memory":
        return Death(f"it used more than {limits.megabytes} MB of memory", "memory")
    if ended.why == "processes":
        return Death(f"it started more than {PROCESSES} processes", "processes")
    if ended.why == "idle":
        return Death(f"it did nothing for {limits.idle:g} s, and did not return", "hang")
    if ended.why == "patience":
        return Death(f"it did not return within {limits.patience:g} s", "hang")
    report = sanitizer_report(stderr)
    if report and "rss limit" in report:
        return Death(f"it asked for more than {limits.megabytes} MB of memory", "memory")
    if report:
        return Death(report, "sanitizer")
    if ended.why == "seconds" or -code in (signal.SIGPROF, signal.SIGXCPU):
        return Death(f"it did not return within {limits.seconds:g} s of processor time", "hang")
    if -code == signal.SIGXFSZ:
        return Death(f"it printed more than {limits.output} bytes", "output")
    if refused:
        return Death(f"it ended after asking for more than {limits.megabytes} MB of memory", "memory")
    if code < 0:
        name = SIGNALS.get(signal.Signals(-code), signal.Signals(-code).name)
        last = f" ({_last_line(stderr)})" if _last_line(stderr) else ""
        return Death(f"it crashed with {name}{last}", "crash")
    last = f", after printing {_last_line(stderr)!r} on stderr" if _last_line(stderr) else ""
    return Death(f"it ended the program with exit code {code}{last}", "exit")


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1][:200] if lines else ""


def sanitizer_report(stderr: str) -> str | None:
    """Return a sanitizer's report as one sentence with the place in the source, or None without a report."""
    undefined = re.search(r"([^\s/]+:\d+):\d+: runtime error: (.*)", stderr)
    address = re.search(r"ERROR: \w+Sanitizer: (.*)", stderr) or re.search(r"(hard rss limit.*)", stderr)
    if not address:
        return f"undefined behaviour at {undefined[1]}: {undefined[2]}" if undefined else None
    what = re.sub(r" (on|0x|\(pc).*", "", address[1])
    place = re.search(r"#\d+ .* in (\w+) (?:\S*/)?((?!breakdown\.c)[\w.-]+\.\w+:\d+)", stderr)
    where = f" in {place[1]}, {place[2]}" if place else ""
    access = re.search(r"(READ|WRITE) of size (\d+)", stderr)
    how = f", {access[1].lower()}ing {access[2]} bytes".replace("writeing", "writing") if access else ""
    return f"memory error {what}{where}{how}"


def environment(limits: Limits, symbolize: bool = False) -> dict[str, str]:
    """Return the options for the sanitizers; symbolizing is slow."""
    common = f"exitcode={SANITIZER_EXIT}:abort_on_error=0:handle_abort=0:symbolize={symbolize:d}"
    memory = f"hard_rss_limit_mb={limits.megabytes}:max_allocation_size_mb={limits.megabytes}"
    return {
        "ASAN_OPTIONS": f"{common}:detect_leaks=0:allocator_may_return_null=1:{memory}",
        "UBSAN_OPTIONS": f"{common}:halt_on_error=1:print_stacktrace=0",
    }


@contextlib.contextmanager
def files(number: int) -> Iterator[list[int]]:
    """Make files that nobody else can open, but that those they are passed to can."""
    opened: list[int] = []
    try:
        for _ in range(number):
            if sys.platform == "linux":
                opened.append(os.memfd_create("file"))
            else:
                with tempfile.TemporaryFile() as file:
                    opened.append(os.dup(file.fileno()))
        yield opened
    finally:
        for each in opened:
            os.close(each)


@dataclass(frozen=True)
class Ran:
    """The result of running a program."""

    stdout: bytes
    stderr: bytes
    code: int
    death: Death | None
    """Set if a signal, a limit or a sanitizer ended it, but not for an exit code alone."""


def run(
    command: Sequence[str],
    stdin: bytes,
    limits: Limits,
    sanitized: bool = False,
    room: Room | None = None,
    symbolize: bool = False,
) -> Ran:
    """Run a program on an input, in a room or in that of the current sandbox for programs."""
    place = room or current().programs
    with files(3) as (given, out, err):
        os.pwrite(given, stdin, 0)
        place.start(command, [given, out, err], limits.bounds(sanitized), **environment(limits, symbolize))
        ended = place.end()
        output, errors = os.pread(out, limits.output, 0), os.pread(err, limits.output, 0)
    code = ended.code
    # A shell exits with 128 plus the number of the signal that killed its command.
    if 128 < code < 160 and Path(command[0]).suffix in (".sh", ""):
        code = code if code - 128 not in (signal.SIGXCPU, signal.SIGXFSZ) else 128 - code
    text = errors.decode(errors="replace")
    died = code < 0 or ended.why or (code == SANITIZER_EXIT and sanitizer_report(text) is not None)
    death = describe(Ended(code, ended.why), text, limits) if died else None
    return Ran(output, errors, code, death)


SHORT = 0.05
"""Seconds that a task may take before its time is counted: most take far less."""


def exchange(room: Room, request: bytes, limits: Limits, complete: Callable[[bytes], bool]) -> bytes | None:
    """Send a request to the command in a room and return its answer, or None if it ends or is to end."""
    assert room.stdin and room.stdout
    os.set_blocking(room.stdin.fileno(), False)
    got, counted = b"", False
    with contextlib.suppress(BrokenPipeError):
        while True:
            writes = [room.stdin] if request else []
            readable, writable = room.ready([room.stdout], writes, None if counted else SHORT)
            if room.stdout in readable:
                part = os.read(room.stdout.fileno(), 1 << 16)
                got += part
                if complete(got):
                    if counted:
                        room.unwatch()
                    return got
                if not part or len(got) > ANSWER:
                    break
            elif room.told in readable:
                return None
            elif room.stdin in writable:
                request = request[os.write(room.stdin.fileno(), request[: 1 << 16]) :]
            elif not counted:
                counted = True
                room.watch(limits.bounds())
    # It has closed a pipe, so it is about to end, with the exit code that tells why.
    room.watch(replace(limits.bounds(), idle=1.0))
    return None


ANSWER = 1 << 26
"""Bytes that an answer may have."""


class Driver:
    """A process that calls the functions under test on request, restarted whenever it dies.

    A request is a list of integers; each call is answered by a list of integers.
    """

    # It is restarted after this many requests, since not every request frees its memory.
    FRESH = 2000

    def __init__(self, program: Path, limits: Limits, sanitized: bool) -> None:
        self.program = program
        self.limits = self._usual = limits
        self.sanitized = sanitized
        self.requests = 0
        self._symbolize = False
        self._room = Room(current())
        self._stack = contextlib.ExitStack()
        self._answers, self._output, self._errors = self._stack.enter_context(files(3))

    def close(self) -> None:
        """End the process and remove its files."""
        self._room.close()
        self._stack.close()

    def pace(self, pace: Pace) -> None:
        """Set how much time to spend on failures."""
        self._room.stop()
        self._symbolize = pace is Pace.THOROUGH
        self.limits = self._usual.short() if pace is Pace.QUICK else self._usual

    def _start(self) -> None:
        # Nothing of the process before can reach the answers of this one.
        self._stack.close()
        self._answers, self._output, self._errors = self._stack.enter_context(files(3))
        os.ftruncate(self._answers, SHARED)
        arguments = [str(self.program), "/dev/fd/3", "/dev/fd/4"]
        arguments += [f"{self.limits.seconds:.6f}", str(self.limits.megabytes)]
        self._room.start(
            arguments,
            [None, None, self._errors, self._answers, self._output],
            self.limits.bounds(self.sanitized, lasting=True),
            **environment(self.limits, self._symbolize),
        )

    def call(self, request: Sequence[int]) -> tuple[list[list[int]], Death | None]:
        """Make the calls, and return the answers received and how the process died, if it did."""
        self.requests += 1
        if self.requests % self.FRESH == 0:
            self._room.stop()
        if not self._room.alive():
            self._start()
        if os.fstat(self._errors).st_size:
            os.ftruncate(self._errors, 0)
        os.pwrite(self._answers, bytes(12), 0)
        data = array.array("i", [len(request), *request]).tobytes()
        done = exchange(self._room, data, self.limits, lambda got: got == b"\0")
        death = None
        if done is None:
            ended = self._room.end()
            refused = any(os.pread(self._answers, 4, 4))
            death = describe(ended, self.stderr(), self.limits, refused)
        return self._answered(), death

    def _answered(self) -> list[list[int]]:
        # A copy: what the code under test writes from here on changes nothing.
        used = int.from_bytes(os.pread(self._answers, 4, 0), sys.byteorder)
        read = os.pread(self._answers, max(0, min(4 * used, SHARED - 12)), 12)
        values = array.array("i", read[: len(read) // 4 * 4]).tolist()
        answers, at = [], 0
        while at < len(values) and values[at] > 0:
            answers.append(values[at + 1 : at + values[at]])
            at += values[at]
        return answers

    def stderr(self) -> str:
        """Return what the last request printed on stderr."""
        return os.pread(self._errors, 1 << 16, 0).decode(errors="replace")


SHARED = 4 * (3 + (1 << 18))
"""Bytes of the memory in which a driver answers."""
