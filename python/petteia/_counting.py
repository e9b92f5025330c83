"""Playouts and perft, here or on a cluster."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _petteia
from ._arguments import position_of, seed_of, threads_of, whole
from ._chunks import SECONDS, Pace, following, run
from ._games import CLASSES
from ._petteia import Tally
from ._progress import Tell, hush, telling

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

    from ._position import Position
    from ._types import GameLike, Progress


def playouts(
    position: GameLike | Sequence[Position],
    n: SupportsIndex,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = 1,
    progress: Progress = None,
    executor: Executor | None = None,
    *,
    max_plies: SupportsIndex | None = None,
    time: float | None = None,
) -> Tally:
    """Play n random games from a position and return how they ended.

    Given a sequence of positions, each game starts from one of them, drawn by the seed. A game that is not
    over after max_plies moves is cut off, and counted as truncated.

    Moves are chosen uniformly. The result depends only on the seed, not on the number of threads or on an
    executor, which takes the place of threads: game i of a seed is always the same. The call releases the GIL
    and stops on Ctrl-C. After time, in seconds, it returns what was played until then: tally.games games, the
    first ones of the seed. progress counts games.

    >>> petteia.playouts("reversi", 10_000, seed=42, threads=2).games
    10000
    """
    start, seed = position_of(position), seed_of(seed)
    stop = None if time is None else _petteia.Stop(time)
    with telling(progress, "games") as tell:
        if executor is None:
            tally = _petteia.playouts(start, 0, n, seed, threads, tell, stop, max_plies)
        else:
            # Check the arguments here, not on a worker.
            number = whole("n", n, 0, 2**60)
            _petteia.playouts(start, 0, 0, seed, threads, hush, None, max_plies)
            tally, pace = Tally(), Pace(time)
            play = partial(_play, start, seed, max_plies)
            played = run(play, pace.cut(number), executor, pace=pace, stop=stop)
            done, early = 0, {}
            for games, more in played:
                done += len(games)
                tell(done, number)
                early[games.start] = more
                # Without a gap, so that the tally does not depend on the workers.
                while tally.games in early:
                    tally += early.pop(tally.games)
            tell(tally.games, tally.games)
    return Tally(tally.wins, tally.draws, tally.plies, tally.truncated, seed)


def _play(position: Any, seed: int, max_plies: SupportsIndex | None, games: range) -> Tally:
    return _petteia.playouts(position, games.start, games.stop, seed, 1, hush, None, max_plies)


def perft(
    position: GameLike,
    depth: SupportsIndex,
    *,
    threads: SupportsIndex | None = 1,
    table_mb: SupportsIndex | None = None,
    executor: Executor | None = None,
    progress: Progress = None,
    time: float | None = None,
) -> int:
    """Count the move sequences of exactly depth plies; a finished game has only the empty one.

    With a transposition table of table_mb megabytes, positions that are reached in several ways are counted
    once; your own game has no table. An executor splits the count into the positions after a few plies, up to
    symmetry; each part has its own table. progress counts the sequences, of a total that nobody knows before
    the end; with an executor, the parts. Ctrl-C stops the count.

    Raises TimeoutError if the count takes longer than time, in seconds, and OverflowError if there are 2^64
    sequences or more.

    >>> petteia.perft(petteia.Reversi(6, 6), 8)
    6624
    """
    start = position_of(position)
    stop = _petteia.Stop(time)
    leaves = None
    try:
        with telling(progress, "parts" if executor else "sequences") as tell, following(stop):
            if executor is None:
                listener = None if progress is None or progress is False else tell
                leaves = _petteia.perft(start, depth, threads, table_mb, listener)
            else:
                leaves = _count_parts(start, depth, threads_of(threads), table_mb, executor, tell, stop)
    except TimeoutError:
        if not stop.is_late:
            raise
    if leaves is None:
        raise TimeoutError(f"not all sequences were counted in {time} s: expected more time or less depth")
    return leaves


def _count_parts(
    position: Any,
    depth: SupportsIndex,
    threads: int,
    table_mb: SupportsIndex | None,
    executor: Executor,
    tell: Tell,
    stop: _petteia.Stop,
) -> int | None:
    """Count on an executor; None if the time is up before that is done."""
    left = whole("depth", depth, 0, 2**16 - 1)
    # Check the arguments here, not on a worker.
    _petteia.perft(position, 0, threads, table_mb, None)
    level = [(_same_for_all(position), 1)]
    wanted = _seconds(position, left) / SECONDS
    while left > 1 and len(level) < min(wanted, MOST_PARTS):
        level, left = _next_level(level), left - 1
    parts = max(1, min(len(level), int(wanted)))
    chunks = [level[first::parts] for first in range(parts)]
    count = partial(_count, left, table_mb)
    leaves, done = 0, 0
    for _, number in run(count, chunks, executor, stop=stop):
        leaves, done = leaves + number, done + 1
        tell(done, parts)
    return leaves if done == parts else None


MOST_PARTS = 200_000
"""The number of positions at which a count is not split further."""


def _count(depth: int, table_mb: SupportsIndex | None, part: list[tuple[Any, int]]) -> int:
    return sum(ways * _petteia.perft(position, depth, 1, table_mb, None) for position, ways in part)


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


def _seconds(position: Any, depth: int) -> float:
    """Estimate how long one core would count, by counting for a moment and extrapolating."""
    counts, seconds = [1], 0.0
    while len(counts) <= depth and seconds < SECONDS / 10:
        start = perf_counter()
        counts.append(_petteia.perft(position, len(counts), 1, None, None))
        seconds = perf_counter() - start
    growth = counts[-1] / max(1, counts[-2]) if len(counts) > 1 else 1.0
    # The limits prevent an overflow; no count takes that long.
    return float(seconds * min(max(1.0, growth), 1e3) ** min(depth + 1 - len(counts), 60))


for _public in (playouts, perft):
    _public.__module__ = "petteia"
