"""Long jobs, cut into chunks that are done on threads of this process or by an executor.

A chunk contains everything that determines its result, which is the same on every machine and on every try.
So results do not depend on who does what in which order, and a lost worker only costs its current chunk.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from . import _petteia

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor
    from queue import SimpleQueue

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

SECONDS = 1.0
"""How long a chunk should take: long compared to the cost of submitting it, but short for a user."""

TRIES = 4
"""How often a chunk is tried whose worker is lost. After that, the chunk is probably to blame."""

LOOK = 1.0
"""How often, in seconds, an executor's workers are counted and its connection is checked."""

UNKNOWN_WORKERS = 256
"""The assumed number of workers of an executor that does not say."""


class Pace:
    """The number of items in a chunk of about a second, learned from finished chunks."""

    def __init__(self, time: float | None = None) -> None:
        """Start with chunks of one item; those of a job with little time are shorter."""
        self.seconds = SECONDS if time is None else min(SECONDS, time / 16)
        self.size = 1
        self.sharers = 1

    def learn(self, items: int, seconds: float) -> None:
        """Learn from the time that a chunk took, unless it is much smaller than the current ones."""
        if 2 * items >= self.size or seconds >= self.seconds / 4:
            lasting = int(items * self.seconds / max(seconds, 1e-9))
            self.size = max(1, min(lasting, max(self.size, 8 * items)))

    def cut(self, total: int) -> Iterator[range]:
        """Yield the numbers below a total in ranges, each of the size that is right at the time."""
        first = 0
        while first < total:
            # Towards the end they get smaller, so that all workers finish at about the same time.
            fair = (total - first) // self.sharers
            size = max(1, self.size // 8, min(self.size, fair))
            last = min(first + size, total)
            yield range(first, last)
            first = last


def run(
    function: Callable[[Chunk], Result],
    chunks: Iterable[Chunk],
    executor: Executor | None = None,
    threads: int = 1,
    pace: Pace | None = None,
    stop: _petteia.Stop | None = None,
) -> Generator[tuple[Chunk, Result], None, None]:
    """Yield the chunks with their results as they finish, in any order.

    Chunks are taken one by one, only a few ahead of the workers, so there may be any number of them, and the
    pace can still change their size. The first error of a chunk is raised; then, or when the caller stops
    iterating, chunks that have not started are cancelled, and threads stop amid theirs. When the time of the
    stop is up, the same happens, and some chunks have no result.
    """
    if executor is None and threads == 1:
        for chunk in chunks:
            try:
                result, seconds = call(function, chunk, 0, stop)
            except TimeoutError:
                if stop is not None and stop.is_late:
                    return
                raise
            if pace is not None:
                pace.learn(_items(chunk), seconds)
            yield chunk, result
            if stop is not None and stop.is_late:
                return
    elif executor is None:
        from concurrent.futures import ThreadPoolExecutor

        stop = _petteia.Stop() if stop is None else stop
        with ThreadPoolExecutor(threads, initializer=stop.follow) as pool:
            try:
                yield from _collect(function, iter(chunks), Crew(pool), pace, stop)
            finally:
                # After an error or Ctrl-C, nobody needs what is under way.
                stop.set()
    else:
        crew = Crew(executor)
        try:
            yield from _collect(function, iter(chunks), crew, pace, stop)
        finally:
            crew.dismiss()


def call(
    function: Callable[[Chunk], Result], chunk: Chunk, attempt: int, stop: _petteia.Stop | float | None = None
) -> tuple[Result, float]:
    """Do a chunk and measure the time; the attempt keeps executors from returning an earlier result.

    The stop, or one at the end of a time, stops it.
    """
    start = time.perf_counter()
    if stop is None:
        result = function(chunk)
    else:
        with following(_petteia.Stop(stop) if isinstance(stop, (int, float)) else stop):
            result = function(chunk)
    return result, time.perf_counter() - start


@contextmanager
def following(stop: _petteia.Stop) -> Iterator[None]:
    """Let the calls of this thread in the block be stopped."""
    stop.follow()
    try:
        yield
    finally:
        stop.leave()


def begin_worker(initializer: Callable[..., object] | None = None, *arguments: Any) -> None:
    """Make a process of a pool end with its parent, whatever ended that, and then initialize it.

    By itself it would wait for work for ever: it has both ends of its pipes open.
    """
    from multiprocessing import parent_process
    from threading import Thread

    def watch() -> None:
        if parent := parent_process():
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()
    if initializer is not None:
        initializer(*arguments)


class Crew:
    """An executor, and what is known about its workers."""

    def __init__(self, executor: Executor) -> None:
        """Wrap an executor, which remains the caller's."""
        if not (callable(getattr(executor, "submit", None)) and callable(getattr(executor, "map", None))):
            raise TypeError(f"expected an executor of concurrent.futures, not {type(executor).__name__}")
        self.executor = executor
        self._substitute: ProcessPoolExecutor | None = None
        self._workers = 0
        self._asked = float("-inf")

    def room(self) -> int:
        """Return how many chunks should be in progress: enough that no worker waits for the next."""
        client: Any = getattr(self.executor, "_client", None)
        number = getattr(self.executor, "_max_workers", None)
        if isinstance(number, int):
            self._workers = number
        elif not hasattr(client, "nthreads"):
            self._workers = UNKNOWN_WORKERS
        elif time.monotonic() - self._asked >= LOOK and client.status == "running":
            # Workers of a cluster come and go.
            self._asked = time.monotonic()
            self._workers = sum(client.nthreads().values())
        return 2 * self._workers + 1

    def is_gone(self) -> bool:
        """Return whether an executor with a client has lost its connection."""
        client: Any = getattr(self.executor, "_client", None)
        return hasattr(client, "nthreads") and bool(client.status != "running")

    def unblock(self) -> None:
        """Break a process pool that waits for the rest of a result whose worker died while sending it.

        The pool would wait for ever, because other processes have the pipe open too.
        """
        from multiprocessing.connection import wait

        # Names that are not public; other executors have none of them.
        processes = list((getattr(self.executor, "_processes", None) or {}).values())
        results: Any = getattr(self.executor, "_result_queue", None)
        if processes and hasattr(results, "_writer") and wait([one.sentinel for one in processes], 0):
            for one in processes:
                one.kill()
            results._writer.close()

    def replace(self, broken: Executor) -> None:
        """Replace a process pool, which breaks when one of its processes dies."""
        from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

        if broken is not self.executor:
            return
        if not isinstance(broken, ProcessPoolExecutor):
            raise BrokenExecutor(f"the executor is broken because a worker died: {type(broken).__name__}")
        # The pool's arguments, which have no public names.
        workers, context, initializer, arguments = (
            getattr(broken, name) for name in ("_max_workers", "_mp_context", "_initializer", "_initargs")
        )
        if initializer is not begin_worker:
            initializer, arguments = begin_worker, (initializer, *arguments)
        self.dismiss()
        self.executor = self._substitute = ProcessPoolExecutor(workers, context, initializer, arguments)

    def dismiss(self) -> None:
        """Shut down processes that were started here."""
        if self._substitute is not None:
            self._substitute.shutdown(wait=False, cancel_futures=True)


def _collect(
    function: Callable[[Chunk], Result],
    chunks: Iterator[Chunk],
    crew: Crew,
    pace: Pace | None,
    stop: _petteia.Stop | None,
) -> Generator[tuple[Chunk, Result], None, None]:
    from collections import deque
    from concurrent.futures import BrokenExecutor
    from queue import Empty, SimpleQueue

    done: SimpleQueue[Future[tuple[Result, float]]] = SimpleQueue()
    under_way: dict[Future[tuple[Result, float]], tuple[Chunk, int, Executor]] = {}
    again: deque[tuple[Chunk, int]] = deque()
    try:
        while True:
            left = None if stop is None else stop.left
            if left == 0:
                return
            _hand_out(function, chunks, crew, under_way, again, done, pace, left)
            if not under_way:
                return
            try:
                future = done.get(timeout=LOOK if left is None else min(LOOK, left))
            except Empty:
                if left is not None and left < LOOK:
                    continue
                if crew.is_gone():
                    raise BrokenExecutor(LOST) from None
                crew.unblock()
                continue
            chunk, attempt, executor = under_way.pop(future)
            if future.cancelled():
                # Nothing is cancelled here before the end: the scheduler is gone.
                raise BrokenExecutor(LOST)
            error = future.exception()
            if error is None:
                result, seconds = future.result()
                if pace is not None:
                    pace.learn(_items(chunk), seconds)
                yield chunk, result
            elif isinstance(error, TimeoutError) and stop is not None and stop.is_late:
                return
            elif _is_loss(error):
                if attempt + 1 == TRIES:
                    raise BrokenExecutor(
                        f"a chunk was lost {TRIES} times because its worker died: {error}"
                    ) from error
                again.append((chunk, attempt + 1))
                if isinstance(error, BrokenExecutor):
                    crew.replace(executor)
            else:
                raise error
    finally:
        for future in under_way:
            future.cancel()


LOST = "the connection to the scheduler is lost"


def _hand_out(
    function: Callable[[Chunk], Result],
    chunks: Iterator[Chunk],
    crew: Crew,
    under_way: dict[Future[tuple[Result, float]], tuple[Chunk, int, Executor]],
    again: Any,
    done: SimpleQueue[Future[tuple[Result, float]]],
    pace: Pace | None,
    left: float | None,
) -> None:
    """Submit chunks, lost ones first, until enough are in progress."""
    from concurrent.futures import BrokenExecutor

    try:
        room = crew.room()
    except OSError as error:
        raise BrokenExecutor(LOST) from error
    if pace is not None:
        pace.sharers = room
    while len(under_way) < room:
        if again:
            chunk, attempt = again.popleft()
        else:
            try:
                chunk, attempt = next(chunks), 0
            except StopIteration:
                return
        try:
            future = crew.executor.submit(call, function, chunk, attempt, left)
        except BrokenExecutor:
            crew.replace(crew.executor)
            future = crew.executor.submit(call, function, chunk, attempt, left)
        except Exception as error:
            if crew.is_gone():
                raise BrokenExecutor(LOST) from error
            raise
        under_way[future] = (chunk, attempt, crew.executor)
        future.add_done_callback(done.put)


def _is_loss(error: BaseException) -> bool:
    """Return whether a chunk failed because its worker died, in a process pool or in Dask."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"


def _items(chunk: Any) -> int:
    """Return the number of items in a chunk."""
    return len(chunk)
