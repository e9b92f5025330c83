"""The code under test in separate processes, with limits on time, memory and output."""

from __future__ import annotations

import array
import contextlib
import mmap
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .keeper import end, start
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
        """The wall-clock seconds after which code that uses no processor time counts as hanging."""
        return 10 + 10 * self.seconds


@dataclass(frozen=True)
class Death:
    """How a process ended that should not have ended."""

    words: str
    kind: str
    """Either crash, hang, memory, output, sanitizer or exit."""

    @property
    def slow(self) -> bool:
        """Whether it exceeded a limit, which takes time."""
        return self.kind in ("hang", "memory", "output")

    def __str__(self) -> str:
        return self.words


SIGNALS = {
    signal.SIGSEGV: "a segmentation fault: it used memory that is not its own",
    signal.SIGBUS: "a bus error: it used memory that is not its own",
    signal.SIGABRT: "abort()",
    signal.SIGFPE: "an arithmetic error, such as a division by zero",
    signal.SIGILL: "an illegal instruction",
}


def describe(code: int, stderr: str, limits: Limits, refused: bool = False) -> Death:
    """Describe the end of a process by its return code, as in subprocess, and its stderr."""
    report = sanitizer_report(stderr)
    if report and "rss limit" in report:
        return Death(f"it asked for more than {limits.megabytes} MB of memory", "memory")
    if report:
        return Death(report, "sanitizer")
    if -code in (signal.SIGPROF, signal.SIGXCPU, signal.SIGKILL):
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
    """Return the environment for code under test, with options for the sanitizers; symbolizing is slow."""
    common = f"exitcode={SANITIZER_EXIT}:abort_on_error=0:handle_abort=0:symbolize={symbolize:d}"
    memory = f"hard_rss_limit_mb={limits.megabytes}:max_allocation_size_mb={limits.megabytes}"
    return {
        **os.environ,
        "ASAN_OPTIONS": f"{common}:detect_leaks=0:allocator_may_return_null=1:{memory}",
        "UBSAN_OPTIONS": f"{common}:halt_on_error=1:print_stacktrace=0",
        "LC_ALL": "C",
    }


def _limit(pid: int, limits: Limits, memory: bool, cpu: bool) -> None:
    """Set the kernel's limits on a process; that it is already running does no harm."""
    wanted = [(resource.RLIMIT_FSIZE, limits.output), (resource.RLIMIT_CORE, 0)]
    if memory:
        wanted.append((resource.RLIMIT_AS, limits.megabytes << 20))
    if cpu:
        # _wait watches the time as well; this works even if the kit itself has been killed.
        wanted.append((resource.RLIMIT_CPU, int(limits.seconds) + 2))
    if sys.platform == "linux":
        # The process may have ended already.
        with contextlib.suppress(ProcessLookupError):
            for which, most in wanted:
                resource.prlimit(pid, which, (most, most))


def _wait(process: subprocess.Popen[bytes], limits: Limits) -> bool:
    """Wait for a process to end, and return whether it did so in time."""
    # The process's CPU clock, with the number that clock_getcpuclockid returns: RLIMIT_CPU counts only whole
    # seconds.
    clock = (~process.pid << 3) | 2
    end = time.monotonic() + limits.patience
    with _ending(process) as pause:
        while process.poll() is None:
            worked = 0.0
            if sys.platform == "linux":
                with contextlib.suppress(OSError):
                    worked = time.clock_gettime(clock)
            if worked > limits.seconds or time.monotonic() > end:
                return False
            pause()
    return True


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes]) -> Iterator[Callable[[], object]]:
    """Yield a function that waits a moment, on Linux no longer than the process runs."""
    try:
        if sys.platform != "linux":
            raise OSError
        handle = os.pidfd_open(process.pid)
    except OSError:
        yield lambda: time.sleep(0.001)
        return
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        yield lambda: poll.poll(20)
    finally:
        os.close(handle)


@dataclass(frozen=True)
class Ran:
    """The result of running a program."""

    stdout: bytes
    stderr: bytes
    code: int
    death: Death | None
    """Set if a signal, a limit or a sanitizer ended it, but not for an exit code alone."""


def run(command: Sequence[str], stdin: bytes, limits: Limits, sanitized: bool = False) -> Ran:
    """Run a program on an input."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        process = start(command, stdin=given, stdout=out, stderr=err, env=environment(limits))
        _limit(process.pid, limits, memory=not sanitized, cpu=True)
        hung = not _wait(process, limits)
        end(process)
        out.seek(0)
        err.seek(0)
        output, errors = out.read(limits.output), err.read(limits.output)
    code = -signal.SIGPROF if hung else process.returncode
    # A shell exits with 128 plus the number of the signal that killed its command.
    if 128 < code < 160 and Path(command[0]).suffix in (".sh", ""):
        code = code if code - 128 not in (signal.SIGXCPU, signal.SIGXFSZ) else 128 - code
    text = errors.decode(errors="replace")
    died = code < 0 or (code == SANITIZER_EXIT and sanitizer_report(text) is not None)
    return Ran(output, errors, code, describe(code, text, limits) if died else None)


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
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="petteia-check-")
        self._files = {name: Path(self._folder.name) / name for name in ("answers", "output", "errors")}
        for path in self._files.values():
            path.touch()
        size = 4 * (3 + (1 << 18))
        with open(self._files["answers"], "r+b") as file:
            file.truncate(size)
            self._shared = mmap.mmap(file.fileno(), size)
        self._errors = open(self._files["errors"], "r+b", buffering=0)  # noqa: SIM115 (closed by close)

    def close(self) -> None:
        """End the process and remove its files."""
        self._stop()
        self._shared.close()
        self._errors.close()
        self._folder.cleanup()

    def pace(self, pace: Pace) -> None:
        """Set how much time to spend on failures."""
        self._stop()
        self._symbolize = pace is Pace.THOROUGH
        self.limits = self._usual.short() if pace is Pace.QUICK else self._usual

    def _stop(self) -> None:
        if self._process:
            end(self._process)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()
            self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        arguments = [str(self.program), str(self._files["answers"]), str(self._files["output"])]
        arguments += [f"{self.limits.seconds:.6f}", str(self.limits.megabytes)]
        with open(self._files["errors"], "ab") as errors:
            self._process = start(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment(self.limits, self._symbolize),
                bufsize=0,
            )
        # The driver limits its own memory, except under a sanitizer, which reserves far more than it uses.
        _limit(self._process.pid, self.limits, memory=False, cpu=False)
        return self._process

    def call(self, request: Sequence[int]) -> tuple[list[list[int]], Death | None]:
        """Make the calls, and return the answers received and how the process died, if it did."""
        self.requests += 1
        if self.requests % self.FRESH == 0:
            self._stop()
        if os.fstat(self._errors.fileno()).st_size:
            self._errors.truncate(0)
        process = self._process or self._start()
        assert process.stdin and process.stdout
        self._shared[:12] = bytes(12)
        done = False
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(array.array("i", [len(request), *request]).tobytes())
            if select.select([process.stdout], [], [], self.limits.patience)[0]:
                done = process.stdout.read(1) == b"\0"
        death = None
        if not done:
            hung = process.poll() is None and not self._gone(process)
            self._stop()
            code = -signal.SIGPROF if hung else process.returncode
            refused = int.from_bytes(self._shared[4:8], sys.byteorder) != 0
            death = describe(code, self.stderr(), self.limits, refused)
        return self._answers(), death

    @staticmethod
    def _gone(process: subprocess.Popen[bytes]) -> bool:
        """Return whether a process that has closed its end of the pipe ends within a second."""
        end = time.monotonic() + 1
        while time.monotonic() < end:
            if process.poll() is not None:
                return True
            time.sleep(0.002)
        return False

    def _answers(self) -> list[list[int]]:
        used = int.from_bytes(self._shared[:4], sys.byteorder)
        values = array.array("i", self._shared[12 : 12 + 4 * used]).tolist()
        answers, at = [], 0
        while at < len(values) and values[at]:
            answers.append(values[at + 1 : at + values[at]])
            at += values[at]
        return answers

    def stderr(self) -> str:
        """Return what the last request printed on stderr."""
        self._errors.seek(0)
        return self._errors.read(1 << 16).decode(errors="replace")
