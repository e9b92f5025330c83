"""Playouts and perft, here or on a cluster."""

from __future__ import annotations

import operator
import time
from functools import partial
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _petteia
from ._chunks import SECONDS, Pace, run
from ._games import CLASSES
from ._petteia import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from ._position import Position


def playouts(
    position: Position | Sequence[Position],
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    progress: Callable[[int], object] | None = None,
    executor: Executor | None = None,
    *,
    max_plies: SupportsIndex | None = None,
) -> Tally:
    """Play n random games from a position and return how they ended.

    Given a sequence of positions, each game starts from one of them, drawn by the seed. A game that is not
    over after max_plies moves is cut off, and counted as truncated.

    Moves are chosen uniformly. The result depends only on the seed, not on the number of threads or on an
    executor, which takes the place of threads: game i of a seed is always the same. The call releases the GIL
    and stops on Ctrl-C. progress is called now and then with the number of games finished since the last
    call, like the update of a tqdm bar.

    >>> petteia.playouts(petteia.Reversi(), 10_000, seed=42, threads=2).games
    10000
    """
    if executor is None:
        return _petteia.playouts(position, 0, n, seed, threads, progress, max_plies)
    # Check the arguments here, not on a worker.
    tally = _petteia.playouts(position, 0, 0, seed, threads, None, max_plies)
    _petteia.playouts(position, n, n, seed, threads, None)
    pace = Pace()
    play = partial(_play, position, seed, max_plies)
    for games, played in run(play, pace.cut(operator.index(n)), executor, pace=pace):
        tally += played
        if progress is not None:
            progress(len(games))
    return tally


def _play(
    position: Position | Sequence[Position],
    seed: SupportsIndex,
    max_plies: SupportsIndex | None,
    games: range,
) -> Tally:
    return _petteia.playouts(position, games.start, games.stop, seed, 1, None, max_plies)


def perft(
    position: Position,
    depth: SupportsIndex,
    *,
    threads: SupportsIndex = 1,
    table_mb: SupportsIndex | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> int:
    """Count the move sequences of exactly depth plies; a finished game has only the empty one.

    With a transposition table of table_mb megabytes, positions that are reached in several ways are counted
    once; your own game has no table. An executor splits the count into the positions after a few plies, up to
    symmetry; each part has its own table. progress is called with the number of finished parts and of all
    parts; without an executor, the whole count is one part. Ctrl-C stops the count.

    >>> petteia.perft(petteia.Reversi(6, 6), 8)
    6624
    """
    if executor is None:
        leaves = _petteia.perft(position, depth, threads, table_mb)
        if progress is not None:
            progress(1, 1)
        return leaves
    left = operator.index(depth)
    # Check the arguments here, not on a worker.
    _petteia.perft(position, 0 if 0 <= left < 2**16 else left, threads, table_mb)
    level = [(_same_for_all(position), 1)]
    wanted = _seconds(position, left) / SECONDS
    while left > 1 and len(level) < min(wanted, MOST_PARTS):
        level, left = _next_level(level), left - 1
    parts = max(1, min(len(level), int(wanted)))
    chunks = [level[first::parts] for first in range(parts)]
    count = partial(_count, left, table_mb)
    leaves = 0
    for done, (_, number) in enumerate(run(count, chunks, executor), 1):
        leaves += number
        if progress is not None:
            progress(done, parts)
    return leaves


MOST_PARTS = 200_000
"""The number of positions at which a count is not split further."""


def _count(depth: int, table_mb: SupportsIndex | None, part: list[tuple[Any, int]]) -> int:
    return sum(ways * _petteia.perft(position, depth, 1, table_mb) for position, ways in part)


def _same_for_all(position: Any) -> Any:
    """Return one position for all that are equal up to symmetry; your own game has no symmetries."""
    return position.canonical() if isinstance(position, CLASSES) else position


def _next_level(level: list[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """Return the positions one ply later, each with the number of ways to reach it.

    Those of your own game are not merged, since they need not be hashable.
    """
    reached = [
        (_same_for_all(position.play(move)), ways) for position, ways in level for move in position.moves
    ]
    if not all(isinstance(position, CLASSES) for position, _ in reached):
        return reached
    following: dict[Any, int] = {}
    for position, ways in reached:
        following[position] = following.get(position, 0) + ways
    return list(following.items())


def _seconds(position: Position, depth: int) -> float:
    """Estimate how long one core would count, by counting for a moment and extrapolating."""
    counts, seconds = [1], 0.0
    while len(counts) <= depth and seconds < SECONDS / 10:
        start = time.perf_counter()
        counts.append(_petteia.perft(position, len(counts), 1, None))
        seconds = time.perf_counter() - start
    growth = counts[-1] / max(1, counts[-2]) if len(counts) > 1 else 1.0
    # The limits prevent an overflow; no count takes that long.
    return float(seconds * min(max(1.0, growth), 1e3) ** min(depth + 1 - len(counts), 60))


for _public in (playouts, perft):
    _public.__module__ = "petteia"
