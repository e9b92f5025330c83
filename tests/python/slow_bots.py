"""Bots for the tests of long work. Workers import them, and little else."""

import os
import signal
import time
from pathlib import Path

from games import AnyPosition


class Slow:
    """A bot that takes a moment for each move, so that its games can be disturbed, and leaves a trace."""

    def __init__(self, traces: Path, seconds: float = 0.002) -> None:
        self._traces, self._seconds = traces, seconds

    def choose(self, position: AnyPosition) -> str:
        (self._traces / str(os.getpid())).touch()
        time.sleep(self._seconds)
        return position.moves[-1]

    def __repr__(self) -> str:
        return "Slow()"


class Deadly:
    """A bot whose every move ends the process that it thinks in."""

    def choose(self, position: AnyPosition) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return position.moves[0]
