"""Processes that end with the check, whatever ended it.

A check that is killed cannot end what it has started. So before all others it starts a keeper. Each process
tells the keeper of itself through a pipe before it does anything else, since the check may be killed at any
time. When the check has ended, its end of the pipe is closed, and the keeper kills those that are left. It is
this file, run as a program.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own."""
    pipe = _pipe()

    def announce() -> None:
        # Without a keeper, a check does everything else.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        with contextlib.suppress(BrokenPipeError):
            os.write(pipe, b"+%d\n" % os.getpid())
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)

    # The child takes no lock before it is replaced, so threads of the caller do no harm.
    return subprocess.Popen(  # pyright: ignore[reportReturnType]
        list(command), start_new_session=True, preexec_fn=announce, **options
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and everything it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    # It has told of itself before it ends.
    process.wait()
    with contextlib.suppress(BrokenPipeError):
        os.write(_pipe(), b"-%d\n" % process.pid)


_keeper: subprocess.Popen[bytes] | None = None
_starting = threading.Lock()


def _pipe() -> int:
    """Return the pipe to the keeper, which is started the first time."""
    global _keeper
    with _starting:
        if _keeper is None:
            command = [sys.executable, "-I", "-S", __file__]
            _keeper = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
            atexit.register(_dismiss)
    assert _keeper.stdin
    return _keeper.stdin.fileno()


def _dismiss() -> None:
    assert _keeper and _keeper.stdin
    _keeper.stdin.close()
    _keeper.wait()


def _keep() -> None:
    """Kill the processes that are left when the pipe is closed."""
    # What ends the check must not end the keeper.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    kept: set[int] = set()
    for line in sys.stdin.buffer:
        change = kept.add if line.startswith(b"+") else kept.discard
        change(int(line[1:]))
    for group in kept:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    _keep()
