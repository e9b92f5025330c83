"""What solving whole openings would cost on 1,000 cores: times are measured here, the cluster is simulated.

    cluster_plan.py [SECONDS]    measures for about this many seconds per row (default: 1)

Positions are sampled by random play and solved one by one, like the chunks of petteia.solve_table. Times for
positions too far from the end to be measured are extrapolated: a line through the logarithms of the means.
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
"""Seconds that the scheduler needs to hand out a chunk and take its result, one chunk at a time."""
LATENCY = 0.005
"""Seconds that a worker waits for its next chunk."""
SLOW = 0.01, 3.0
"""The share of slow workers, and how many times slower they are."""
LOST = 1e-4
"""The share of chunks that are lost with their worker and done again."""
SIMULATED = 100_000
"""The largest number of chunks to simulate; longer jobs are extrapolated."""


class Job(NamedTuple):
    """Many positions to be solved one by one."""

    positions: float
    seconds: float
    """The mean time of one position."""
    shape: list[float]
    """Measured times divided by their mean."""


class Run(NamedTuple):
    """What a simulated run took."""

    seconds: float
    busy: float
    """The share of the time that the cores are busy."""


def main() -> None:
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print("| job | positions | mean of one | core hours | chunks | on 1,000 cores | busy |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    times = list(measure(sample(petteia.Quarto(), 11, budget), budget))
    show("Quarto, 5 placed and one in hand", job(2.1e6, times))
    for width, height in ((6, 6), (6, 7), (7, 7)):
        plan_reversi(width, height, budget)


def plan_reversi(width: int, height: int, budget: float) -> None:
    """Print the cost of the best split of a board, and of solving it from its start."""
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
        """Estimate the time it takes: each core's share, plus the longest chunk in case it comes last."""
        split = splits[ply]
        return split.seconds * (split.positions / CORES + max(split.shape))

    ply = min(splits, key=lasting)
    name = f"Reversi {width}x{height}"
    show(f"{name}, all positions at ply {ply}", splits[ply])
    alone = math.exp(offset + growth * (cells - 4))
    print(f"| {name}, from its start by one core | 1 | {clock(alone)} | {alone / 3600:,.3g} | 1 | | |")


def sample(start: Any, plies: int, seed: float) -> Iterator[Any]:
    """Yield unfinished positions after the given number of random plies."""
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
    """Yield the seconds that each position takes to solve, until the budget is spent."""
    end = time.perf_counter() + budget
    for position in positions:
        start = time.perf_counter()
        petteia.solve(position, all_best=False)
        yield time.perf_counter() - start
        if time.perf_counter() > end:
            return


def count_classes(start: Any, budget: float) -> list[int]:
    """Return the number of positions at each ply, up to symmetry, as far as the budget allows."""
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
    """Hand chunks out through one scheduler, each to the core that is free first."""
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
    """Return chunks of about a second, or of one position, and the total number of chunks."""
    size = max(1, round(1 / job.seconds))
    total = math.ceil(job.positions / size)
    choose = random.Random(2)
    count = min(total, SIMULATED)
    if size > 30:
        # The sum of many is nearly normal.
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
    """Format a time in a convenient unit."""
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.3g} {unit}"
    return f"{1e3 * seconds:.3g} ms"


if __name__ == "__main__":
    main()
