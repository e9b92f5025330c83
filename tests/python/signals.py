"""Calls that would never end, and the signal that ends them."""

import signal
from collections.abc import Callable
from types import FrameType

import pytest


class Alarm(Exception):
    """Raised by the signal handler, as Ctrl-C raises KeyboardInterrupt."""


def signalled(work: Callable[[], object]) -> None:
    """Check that a signal ends endless work."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Alarm):
            work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
