"""What solving whole openings would cost on 1,000 cores: times measured here, the cluster simulated.

    cluster_plan.py [SECONDS]    measures for about so many seconds a row, 1 unless told

Positions are sampled by random play and solved one by one, as the chunks of petteia.solve_table are. How long
one takes that is further from the end than can be sampled is read off the line through the logarithms of the
means.
"""

import heapq
import math
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import petteia

CORES = 1000
HANDLING = 0.001
"""Seconds in which a scheduler hands out one chunk and takes its result; it does so one after another."""
LATENCY = 0.005
"""Seconds that a worker waits for its next chunk if none is queued there."""
SLOW = 0.01, 3.0
"""The share of workers that are slow, and how many times slower they are."""
LOST = 1e-4
"""The share of chunks whose worker is lost, so that they are done again."""
SIMULATED = 100_000
"""The most chunks that are simulated; the rest of a longer job goes on as these do."""


class Job(NamedTuple):
    """Many positions that are solved one by one."""

    positions: float
    seconds: float
    """The mean of one position."""
    shape: list[float]
    """Measured times over their mean."""


class Run(NamedTuple):
    """What a simulated run took."""

    seconds: float
    busy: float
    """The share of the time in which the cores work."""


def main() -> None:
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print("| job | positions | mean of one | core hours | chunks | on 1,000 cores | busy |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    times = list(measure(sample(petteia.Quarto(), 11, budget), budget))
    show("Quarto, 5 placed and one in hand", job(2.1e6, times))
    for width, height in ((6, 6), (6, 7), (7, 7)):
        plan_reversi(width, height, budget)


def plan_reversi(width: int, height: int, budget: float) -> None:
    """Show what the best split of a board costs, and what solving it from its start would."""
    start = petteia.Reversi(width, height)
    cells = width * height
    means: dict[int, float] = {}
    times: list[float] = []
    for empties in range(10, cells - 4, 2):
        times = list(measure(sample(start, cells - empties, budget), budget))
        means[empties] = statistics.fmean(times)
        if len(times) < 20:
            break
    growth, offset = statistics.linear_regression([*means], [math.log(mean) for mean in means.values()])
    counts = count_classes(start, budget)
    splits = {}
    for ply in range(4, cells - 12):
        known = min(ply, len(counts) - 1)
        positions = counts[known] * (counts[-1] / counts[-2]) ** (ply - known)
        splits[ply] = job(positions, times, math.exp(offset + growth * (cells - ply)))

    def lasting(ply: int) -> float:
        """Return about how long it takes: each core's share, and the longest chunk if it comes last."""
        split = splits[ply]
        return split.seconds * (split.positions / CORES + max(split.shape))

    ply = min(splits, key=lasting)
    name = f"Reversi {width}x{height}"
    show(f"{name}, all positions at ply {ply}", splits[ply])
    alone = math.exp(offset + growth * (cells - 4))
    print(f"| {name}, from its start by one core | 1 | {clock(alone)} | {alone / 3600:,.3g} | 1 | | |")


def sample(start: Any, plies: int, seed: float) -> Iterator[Any]:
    """Yield positions after so many random plies in which the game goes on."""
    choose = random.Random(seed).choice
    while True:
        position = start
        for _ in range(plies):
            if position.is_over:
                break
            position = position.play(choose(position.actions))
        if not position.is_over:
            yield position


def measure(positions: Iterator[Any], budget: float) -> Iterator[float]:
    """Yield how long each of some positions takes to solve, until the time is up."""
    end = time.perf_counter() + budget
    for position in positions:
        start = time.perf_counter()
        petteia.solve(position, all_best=False)
        yield time.perf_counter() - start
        if time.perf_counter() > end:
            return


def count_classes(start: Any, budget: float) -> list[int]:
    """Return how many positions there are after each ply, up to symmetry, as far as the time allows."""
    level, counts = {start.canonical()}, [1]
    end = time.perf_counter() + budget
    while time.perf_counter() < end or len(counts) < 8:
        level = {position.play(action).canonical() for position in level for action in position.actions}
        counts.append(len(level))
    return counts


def job(positions: float, times: Sequence[float], mean: float | None = None) -> Job:
    measured = statistics.fmean(times)
    return Job(positions, measured if mean is None else mean, [one / measured for one in times])


def simulate(chunks: Sequence[float]) -> Run:
    """Hand chunks out to cores, the next to whoever is free first, through one scheduler."""
    choose = random.Random(1)
    slow_share, slowness = SLOW
    slow = set(choose.sample(range(CORES), round(slow_share * CORES)))
    free = [(0.0, core) for core in range(CORES)]
    handed = 0.0
    for chunk in chunks:
        idle, core = heapq.heappop(free)
        handed = max(handed + HANDLING, idle)
        tries = 2 if choose.random() < LOST else 1
        pace = slowness if core in slow else 1.0
        heapq.heappush(free, (handed + LATENCY + tries * pace * chunk, core))
    seconds = max(free)[0]
    return Run(seconds, sum(chunks) / (seconds * CORES))


def cut(job: Job) -> tuple[list[float], float]:
    """Return chunks of about a second, or of one position, and how many there are in all."""
    size = max(1, round(1 / job.seconds))
    total = math.ceil(job.positions / size)
    choose = random.Random(2)
    count = min(total, SIMULATED)
    if size > 30:
        # The sum of many is all but normal.
        spread = statistics.pstdev(job.shape) / math.sqrt(size)
        return [job.seconds * size * max(0.1, choose.gauss(1, spread)) for _ in range(count)], total
    return [job.seconds * sum(choose.choices(job.shape, k=size)) for _ in range(count)], total


def show(name: str, job: Job) -> None:
    """Print a row of the table."""
    chunks, total = cut(job)
    run = simulate(chunks)
    lasting = run.seconds if total == len(chunks) else job.positions * job.seconds / (CORES * run.busy)
    hours = job.positions * job.seconds / 3600
    row = [name, f"{job.positions:.3g}", clock(job.seconds), f"{hours:,.3g}", f"{total:.3g}"]
    print("| " + " | ".join([*row, clock(lasting), f"{100 * run.busy:.0f} %"]) + " |")


def clock(seconds: float) -> str:
    """Return a time in the unit that people would use."""
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.3g} {unit}"
    return f"{1e3 * seconds:.3g} ms"


if __name__ == "__main__":
    main()
