"""Measure executors, as JSON lines: two workers against one, the cost of a chunk, games written per second.

Needs petteia[cluster]; `report.py cluster` runs it.
"""

import itertools
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

import petteia
import psutil
from dask import config
from distributed import Client, LocalCluster
from petteia import _selfplay, bots
from petteia._chunks import Pace, run

REPEATS = 4
START = petteia.Reversi()
GAMES = 8_000_000
WRITTEN = 1_200_000
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.client.direct-to-workers": True,
}
"""The settings that docs/cluster.md recommends to reduce Dask's overhead."""


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        # All processes must have started and imported what they need before the clock starts.
        list(pool.map(time.sleep, [0.5] * workers))
        warm_up(pool, workers)
        yield pool


@contextmanager
def dask_as_it_comes(workers: int) -> Iterator[Executor]:
    local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**local) as cluster, Client(cluster) as client:
        warm_up(client.get_executor(), workers)
        yield client.get_executor()


@contextmanager
def dask(workers: int) -> Iterator[Executor]:
    with config.set(QUIET), dask_as_it_comes(workers) as executor:
        yield executor


def warm_up(executor: Executor, workers: int) -> None:
    petteia.playouts(START, 1000, executor=executor)
    with tempfile.TemporaryDirectory() as folder:
        petteia.selfplay(START, 8000 * workers, "random", 1, folder, executor, shard=1000)


def emit(what: str, figure: str, compared: str, ratio: float, bar: str) -> None:
    print(
        json.dumps({"what": what, "figure": figure, "compared": compared, "ratio": ratio, "bar": bar}),
        flush=True,
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def play(executor: Executor) -> None:
    petteia.playouts(START, GAMES, executor=executor)


def write(executor: Executor | None, games: int = WRITTEN, positions: Any = "cells") -> None:
    with tempfile.TemporaryDirectory() as folder:
        petteia.selfplay(START, games, "random", 1, folder, executor, positions=positions)


def two_against_one() -> None:
    works: dict[str, Callable[[Executor], None]] = {"playouts": play, "selfplay": write}
    for crew in (processes, dask, dask_as_it_comes):
        best: dict[tuple[str, int], float] = {}
        for _, workers in itertools.product(range(REPEATS), (1, 2)):
            # One crew at a time, since an idle one takes processor time too.
            with crew(workers) as executor:
                for name, work in works.items():
                    taken = seconds(partial(work, executor))
                    best[name, workers] = min(taken, best.get((name, workers), taken))
        for name in works:
            alone, together = best[name, 1], best[name, 2]
            what = f"{name}, Reversi 8x8, {crew.__name__.replace('_', ' ')}"
            told = (f"{together:.2f} s on two", f"{alone:.2f} s on one")
            emit(what, *told, alone / together, "at least 1.8" if crew in (processes, dask) else "")


def processor_seconds() -> float:
    """Return the processor time of this process and its descendants."""
    this = psutil.Process()
    return float(sum(sum(one.cpu_times()[:2]) for one in (this, *this.children(recursive=True))))


def dask_by_itself() -> None:
    """Measure the processor time of an idle Dask cluster, which is lost to its workers."""
    for crew in (dask, dask_as_it_comes):
        with crew(2):
            before = processor_seconds()
            time.sleep(5)
            taken = (processor_seconds() - before) / 5
        what = f"{crew.__name__.replace('_', ' ')}, 2 idle workers"
        emit(what, f"{taken:.2f} s per second", "one core", taken, "")


class Ear(Pace):
    """A pace that only adds up how long the workers are busy."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.busy = size, 0.0

    def learn(self, items: int, seconds: float) -> None:
        self.busy += seconds


def cost_of_a_chunk() -> None:
    """Measure which part of the time workers are idle between chunks of about a second."""
    for crew in (processes, dask):
        for workers in (1, 2):
            with crew(workers) as executor:
                pace = Ear(int(rate()))
                start = time.perf_counter()
                work = run(partial(_playouts, 1), pace.cut(10 * workers * pace.size), executor, pace=pace)
                chunks = len(list(work))
                spent = workers * (time.perf_counter() - start)
            lasting, more = pace.busy / chunks, (spent - pace.busy) / chunks
            what = f"a chunk, {crew.__name__}, {workers} worker(s)"
            emit(what, f"{1e3 * more:.1f} ms overhead", f"{lasting:.2f} s", more / lasting, "at most 0.05")


def _playouts(seed: int, games: range) -> petteia.Tally:
    return petteia._petteia.playouts(START, games.start, games.stop, seed, 1, None)


def rate() -> float:
    """Return how many games are played per second."""
    return 200_000 / seconds(lambda: petteia.playouts(START, 200_000))


def games_written() -> None:
    """Measure how many games one core plays, encodes and writes per second of processor time."""
    for positions in ("cells", "text", None):
        games = 200_000 if positions is None else 50_000
        best = float("inf")
        for _ in range(3 * REPEATS):
            start = time.process_time()
            write(None, games, positions)
            best = min(best, time.process_time() - start)
        job = _selfplay.Job(bots.Random(), [START], 1, 10_000, positions)
        size = len(_selfplay.make_shard(job, range(4096))) / 4096
        emit(
            f"random Reversi into Parquet, positions={positions!r}",
            f"{games / best:,.0f} games/s",
            f"{size:.0f} bytes per game",
            games / best / 100_000,
            "at least 1 (100,000 games/s)" if positions != "text" else "",
        )


def main() -> None:
    games_written()
    cost_of_a_chunk()
    dask_by_itself()
    two_against_one()


if __name__ == "__main__":
    main()
