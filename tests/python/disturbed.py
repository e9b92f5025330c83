"""Runs a job again and again, each time with another disturbance, and resumes it after each.

    python disturbed.py JOB KIND FOLDER

JOB is selfplay or table. KIND is kill, for SIGKILL before every call of a built-in function that the job's
own code makes; full, for a disk on which files cannot grow beyond a size; or workers, for SIGKILL of a worker
before some of the calls with which it gets a chunk and sends the result, and in the middle of sending it.
Prints how often the job was disturbed.
"""

import concurrent.futures.process
import multiprocessing.connection
import multiprocessing.queues
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any

import petteia
import pyarrow.parquet  # noqa: F401 (every process would import it)
from petteia import _chunks, _owned, _selfplay, _table

WATCHED = {module.__file__ for module in (_owned, _selfplay, _table)}
MAKING = {"make_shard", "_schema", "_table", "array", "always", "lists", "<lambda>", "_levels", "_fold"}
"""Functions that touch no file: where they are killed makes no difference."""


WORKING = {
    module.__file__
    for module in (concurrent.futures.process, multiprocessing.connection, multiprocessing.queues, _chunks)
}
"""Where workers get chunks and send results."""


def selfplay(place: Path, executor: Executor | None = None) -> None:
    petteia.selfplay("tictac", 2, out=place, shard=1, positions=None, executor=executor)


def table(place: Path, executor: Executor | None = None) -> None:
    petteia.solve_table(petteia.Reversi(2, 3), 1, place, executor)


def at(step: int, files: set[str | None], act: Callable[[], None]) -> None:
    """Act before a step of this process, in some source files."""
    left = step

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        if event == "c_call" and frame.f_code.co_filename in files and frame.f_code.co_name not in MAKING:
            left -= 1
            if left < 0:
                act()

    sys.setprofile(watch)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill(step: int) -> None:
    """Let this process kill itself before a step."""
    at(step, WATCHED, die)


def full(step: int) -> None:
    """Let no file grow beyond a size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (53 * step, resource.RLIM_INFINITY))


def die_once(mark: Path) -> None:
    """Kill this process if it is the first that comes here."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        sys.setprofile(None)
    else:
        die()


def send_half(mark: Path) -> None:
    """Let the first worker that sends a result die in the middle of it."""
    send = multiprocessing.connection.Connection._send  # type: ignore[attr-defined]

    def half(connection: Any, content: Any) -> None:
        if not mark.exists() and len(content) > 100:
            send(connection, content[: len(content) // 2])
            die_once(mark)
        send(connection, content)

    multiprocessing.connection.Connection._send = half  # type: ignore[attr-defined]


def with_dying_workers(job: Any, folder: Path) -> int:
    """Do a job once for some steps of a worker, each time with workers of which one dies there."""
    disturbed = 0
    for step in range(-1, 24, 5):
        mark = folder / f"mark {step}"
        begin = partial(send_half, mark) if step < 0 else partial(at, step, WORKING, partial(die_once, mark))
        with ProcessPoolExecutor(2, get_context("fork"), begin) as pool:
            job(folder / str(step), pool)
            # A worker that dies while the pool shuts down would make it wait for ever.
            for process in list((pool._processes or {}).values()):
                process.kill()
        assert written(folder / str(step)) == written(folder / "undisturbed"), step
        disturbed += mark.exists()
    return disturbed


def in_a_child(*actions: Callable[[], None]) -> int:
    """Do something in a process of its own, and return its exit code: 1 for an OSError."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 2
    try:
        for action in actions:
            action()
        code = 0
    except OSError:
        code = 1
    except BaseException:
        traceback.print_exc()
    sys.setprofile(None)
    os._exit(code)


def written(place: Path) -> object:
    """Return everything that a job has written, with the lines of a journal in any order."""
    if place.is_dir():
        return {path.name: path.read_bytes() for path in place.iterdir()}
    return sorted(place.read_bytes().split(b"\n"))


def main() -> None:
    job = {"selfplay": selfplay, "table": table}[sys.argv[1]]
    folder = Path(sys.argv[3])
    # In this process, so that the children need not import and prepare the same again.
    job(folder / "undisturbed")
    if sys.argv[2] == "workers":
        print(with_dying_workers(job, folder))
        return
    disturb, expected = {"kill": (kill, -signal.SIGKILL), "full": (full, 1)}[sys.argv[2]]
    step = 0
    while True:
        place = folder / str(step)
        code = in_a_child(partial(disturb, step), partial(job, place))
        if code == 0:
            break
        assert code == expected, (step, code)
        assert in_a_child(partial(job, place)) == 0, step
        assert written(place) == written(folder / "undisturbed"), step
        step += 1
    print(step)


if __name__ == "__main__":
    main()
