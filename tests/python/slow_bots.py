"""Bots for the tests of executors, in a small module that workers can import quickly."""

import os
import signal
import time
from pathlib import Path

from games import AnyPosition


class Slow:
    """A bot that sleeps before each move, so its games can be interrupted, and records its process."""

    def __init__(self, traces: Path, seconds: float = 0.002) -> None:
        self._traces, self._seconds = traces, seconds

    def choose(self, position: AnyPosition) -> str:
        (self._traces / str(os.getpid())).touch()
        time.sleep(self._seconds)
        return position.moves[-1]

    def __repr__(self) -> str:
        return "Slow()"


class Deadly:
    """A bot that kills its own process."""

    def choose(self, position: AnyPosition) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return position.moves[0]
