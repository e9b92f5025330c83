"""`petteia selfplay`: its arguments, and what it shows."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ._games import GAMES

if TYPE_CHECKING:
    from concurrent.futures import Executor

USAGE = (
    "petteia selfplay GAME --games N --out FOLDER [--bot NAME] [--seed N] [--workers N | --dask ADDRESS] "
    "[--shard N] [--no-positions] [--width N] [--height N] [--stick N] [--square N]"
)
NUMBERS = ("games", "seed", "workers", "shard", "width", "height", "stick", "square")
TEXTS = ("out", "bot", "dask")
PARAMETERS = {"breakdown": ("width", "height", "stick", "square"), "reversi": ("width", "height")}

CONNECTING = 10
"""How many seconds a scheduler has to answer."""


class Wrong(Exception):
    """Something is wrong with the arguments, or with what they name."""


def main(words: Sequence[str]) -> int:
    """Play as the arguments say; return the exit code."""
    if "--help" in words:
        print(f"usage: {USAGE}")
        return 0
    bar = Bar(0)
    try:
        game, numbers, texts, positions = _read(words)
        bar = Bar(numbers["games"])
        options = {name: numbers[name] for name in ("shard", *PARAMETERS.get(game, ())) if name in numbers}
        from ._selfplay import selfplay

        with _executor(numbers.get("workers"), texts.get("dask")) as executor:
            files = selfplay(
                game,
                numbers["games"],
                texts.get("bot", "random"),
                numbers.get("seed", 0),
                texts["out"],
                executor,
                positions=positions,
                progress=bar.advance,
                **options,
            )
    except KeyboardInterrupt:
        bar.end()
        print(f"petteia selfplay: interrupted; {RESUME}", file=sys.stderr)
        return 130
    except (Wrong, ValueError, OSError, ModuleNotFoundError) as error:
        bar.end()
        print(f"petteia selfplay: {_in_a_line(error)}", file=sys.stderr)
        return 1
    except RuntimeError as error:
        # The executor is broken, and says how.
        bar.end()
        print(f"petteia selfplay: {_in_a_line(error)}; {RESUME}", file=sys.stderr)
        return 1
    bar.end()
    print(f"{numbers['games']:,} games in {len(files):,} files in {texts['out']}")
    return 0


RESUME = "the same command again goes on from here"


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _read(words: Sequence[str]) -> tuple[str, dict[str, int], dict[str, str], bool]:
    """Return the game, the numbers, the texts, and whether positions are wanted."""
    game, positions = None, True
    numbers: dict[str, int] = {}
    texts: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name = word[2:] if word.startswith("--") else ""
        if word == "--no-positions":
            positions = False
        elif name in NUMBERS and rest:
            number = rest.pop(0)
            if not (number.isascii() and number.isdecimal() and len(number) < 20):
                raise Wrong(f"{word} {number!a}: expected a number")
            numbers[name] = int(number)
        elif name in TEXTS and rest:
            texts[name] = rest.pop(0)
        elif word in GAMES and game is None:
            game = word
        else:
            raise Wrong(f"unexpected argument {word!a}: expected {USAGE}")
    missing = [name for name in ("games", "out") if name not in numbers and name not in texts]
    if game is None or missing:
        raise Wrong(f"no {'game' if game is None else '--' + missing[0]} given: expected {USAGE}")
    for name in ("width", "height", "stick", "square"):
        if name in numbers and name not in PARAMETERS.get(game, ()):
            raise Wrong(f"unexpected argument --{name}: {game} has none")
    if "workers" in numbers and "dask" in texts:
        raise Wrong("--workers and --dask: expected one of them")
    if numbers.get("workers") == 0:
        raise Wrong("--workers 0: expected a number from 1")
    return game, numbers, texts, positions


@contextmanager
def _executor(workers: int | None, address: str | None) -> Iterator[Executor | None]:
    """Yield what plays the games: processes of this machine, a cluster, or nothing but this process."""
    if workers is not None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # Ctrl-C reaches every process of a terminal: here it ends the command, which lets the others finish.
        ignore = (signal.SIGINT, signal.SIG_IGN)
        with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignore) as pool:
            yield pool
    elif address is not None:
        try:
            from distributed import Client
        except ModuleNotFoundError as missing:
            raise Wrong(f"{missing.name} is not installed: pip install 'petteia[cluster]'") from None
        import logging

        # What Dask would say about a lost scheduler, at length, is said here in one line.
        logging.disable(logging.CRITICAL)
        try:
            client = Client(address, timeout=CONNECTING)
        except (OSError, ValueError) as error:
            raise Wrong(f"no scheduler answers at {address}: {_in_a_line(error)}") from None
        with client:
            yield client.get_executor()
    else:
        yield None


class Bar:
    """How far the games are, with their rate and the time left, on one line of a terminal."""

    WIDTH = 24
    EVERY = 0.1

    def __init__(self, total: int) -> None:
        """Start the clock."""
        self._total, self._done, self._before = total, 0, 0
        self._start = self._shown = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def advance(self, games: int) -> None:
        """Count games."""
        now = time.monotonic()
        if not self._done and now - self._start < self.EVERY:
            # Games that were there already say nothing about the rate.
            self._before = games
        self._done += games
        if self._is_shown and (now - self._shown >= self.EVERY or self._done == self._total):
            self._shown = now
            share = self._done / self._total
            rate = (self._done - self._before) / max(now - self._start, 1e-9)
            left = f"{(self._total - self._done) / rate:,.0f} s left" if rate else ""
            filled = "#" * int(share * self.WIDTH)
            line = f"[{filled:{self.WIDTH}}] {self._done:,} of {self._total:,} games, {rate:,.0f}/s, {left}"
            print(f"\r{line:79}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._is_shown and self._done:
            print(file=sys.stderr)
