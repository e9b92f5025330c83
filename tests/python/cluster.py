"""A Dask cluster on this machine, and what else the tests of long jobs share."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from distributed import Client

COMMAND = str(Path(sys.executable).with_name("petteia"))

PATIENCE = 120
"""How long anything may take on a busy machine, in seconds."""

QUIET = {
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "120s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "60s",
}


class Cluster:
    """A scheduler and workers, each in its own process."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")
        self.workers = [self.add_worker() for _ in range(workers)]

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        module = [
            sys.executable,
            "-m",
            "distributed.cli.dask_" + program,
            "--scheduler-file",
            str(self._file),
        ]
        environment = {**os.environ, **QUIET, "PYTHONPATH": str(Path(__file__).parent)}
        return subprocess.Popen(
            [*module, "--no-dashboard", *arguments],
            cwd=self._file.parent,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start another worker, with one thread."""
        return self._start("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0")

    def connect(self, workers: int, direct: bool | None = None) -> Any:
        """Wait for this many workers and return a client, which may connect to them directly."""
        wait_for(self._file.exists)
        client = Client(scheduler_file=str(self._file), timeout=PATIENCE, direct_to_workers=direct)
        client.wait_for_workers(workers, timeout=PATIENCE)
        return client

    def stop(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
        for process in [*self.workers, self.scheduler]:
            process.wait(PATIENCE)


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


@contextmanager
def processes(number: int = 2) -> Iterator[Executor]:
    """Yield a pool of processes that do not inherit the threads of the tests."""
    with ProcessPoolExecutor(number, get_context("spawn")) as pool:
        yield pool


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder; none may be partial."""
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    assert not [name for name in files if name.endswith(".part")]
    return files


SMALL_FILES = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
os.execv(sys.argv[2], sys.argv[2:])
"""
"""A program that runs another with a limit on file sizes, which acts like a full disk."""


def run_on_a_full_disk(most: int, *command: str) -> subprocess.CompletedProcess[str]:
    limited = [sys.executable, "-c", SMALL_FILES, str(most), *command]
    return subprocess.run(limited, capture_output=True, text=True, timeout=PATIENCE)
