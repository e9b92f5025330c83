"""Telling the progress of a long call: to a function of the caller's, or with a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ._types import Progress

Tell: TypeAlias = Callable[[int, "int | None"], object]
"""Takes what is done, and the total or None."""


def hush(done: int, total: int | None) -> None:
    """Hear of progress, and tell nobody."""


@contextmanager
def telling(progress: Progress, unit: str) -> Iterator[Tell]:
    """Yield the function that takes the progress of a call, in some unit such as games."""
    if progress is None or progress is False:
        yield hush
    elif progress is True:
        bar = _bar(unit)
        try:
            yield bar
        finally:
            bar.end()
    elif callable(progress):
        yield progress
    else:
        raise TypeError(
            "expected progress as a function of what is done and the total, or True for a bar, "
            f"not {type(progress).__name__}"
        )


def _bar(unit: str) -> Bar | Tqdm:
    """Return tqdm's bar where one can be seen and tqdm is installed, else petteia's."""
    if _is_terminal() or "ipykernel" in sys.modules:
        try:
            return Tqdm(unit)
        except ImportError:
            pass
    return Bar(unit)


def _is_terminal() -> bool:
    # There is no stderr in programs without a console.
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


def _tell(line: str, end: str = "\n") -> None:
    """Write to stderr. If nobody reads it any more, the result of the call matters more."""
    with suppress(OSError, ValueError):
        print(line, end=end, file=sys.stderr, flush=True)


class Bar:
    """A bar with the rate and the time left, on one line of a terminal; elsewhere, a line at the end."""

    WIDTH = 24
    EVERY = 0.1

    def __init__(self, unit: str, plain: bool = True) -> None:
        """Start the clock; without plain, nothing is written elsewhere."""
        self._unit, self._plain = unit, plain
        self._done, self._before = 0, 0
        self._start = self._shown = time.monotonic()
        self._is_shown, self._is_told = _is_terminal(), False

    def __call__(self, done: int, total: int | None) -> None:
        """Show what is done, now and then and when all is."""
        now = time.monotonic()
        if not self._done and now - self._start < self.EVERY:
            # What an earlier run has done says nothing about the rate.
            self._before = done
        self._done, self._is_told = done, True
        if self._is_shown and (now - self._shown >= self.EVERY or done == total):
            self._shown = now
            rate = (done - self._before) / max(now - self._start, 1e-9)
            _tell(f"\r{self._line(done, total, rate):79}", end="")

    def _line(self, done: int, total: int | None, rate: float) -> str:
        if total is None:
            return f"{done:,} {self._unit}, {rate:,.0f}/s"
        left = f"{_time((total - done) / rate)} left" if rate else ""
        filled = "#" * int(done / max(1, total) * self.WIDTH)
        return f"[{filled:{self.WIDTH}}] {done:,} of {total:,} {self._unit}, {rate:,.0f}/s, {left}"

    def end(self) -> None:
        """End the line."""
        if self._is_shown and self._done:
            _tell("")
        elif self._plain and self._is_told and not self._is_shown and sys.stderr is not None:
            seconds = time.monotonic() - self._start
            _tell(f"{self._done:,} {self._unit} in {seconds:.1f} s")


class Tqdm:
    """A bar of tqdm, which also suits notebooks."""

    def __init__(self, unit: str) -> None:
        """Create a bar, or raise ImportError if tqdm is not installed."""
        import warnings
        from importlib import import_module

        with warnings.catch_warnings():
            # It warns of notebooks without widgets, where it shows a bar of characters.
            warnings.simplefilter("ignore")
            self._bar: Any = import_module("tqdm.auto").tqdm(unit=f" {unit}", unit_scale=True)

    def __call__(self, done: int, total: int | None) -> None:
        """Show what is done."""
        if total is not None:
            self._bar.total = total
        self._bar.update(done - self._bar.n)

    def end(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()


def _time(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"
