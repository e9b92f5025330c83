"""Processes that end with the check, whatever ended it.

A check that is killed cannot end what it has started. So before all others it starts a keeper, which is told
of them through a pipe. When the pipe is closed, because the check has ended, the keeper kills those that are
left. It is this file, run as a program.
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
    _tell(b"")
    process = subprocess.Popen(list(command), start_new_session=True, **options)
    _tell(b"+%d\n" % process.pid)
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and everything it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    _tell(b"-%d\n" % process.pid)
    process.wait()


_keeper: subprocess.Popen[bytes] | None = None
_starting = threading.Lock()


def _tell(line: bytes) -> None:
    """Write a line to the keeper, which is started the first time."""
    global _keeper
    with _starting:
        if _keeper is None:
            command = [sys.executable, "-I", "-S", __file__]
            _keeper = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, start_new_session=True)
            atexit.register(_dismiss)
    assert _keeper.stdin
    # Without a keeper, a check does everything else.
    with contextlib.suppress(BrokenPipeError):
        _keeper.stdin.write(line)


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
