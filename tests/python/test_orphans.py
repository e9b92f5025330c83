"""Processes that end with the one that started them, whatever ended it."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from cluster import COMMAND, wait_for
from games import ROOT

SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]


@contextmanager
def running(*command: str) -> Iterator[psutil.Process]:
    """Run a command; whatever is left of it at the end is killed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet) as process:
        family = [psutil.Process(process.pid)]
        try:
            yield family[0]
        finally:
            for member in [*family, *family[0].children(recursive=True)] if process.poll() is None else []:
                member.kill()


def is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def assert_none_outlives(
    killed: psutil.Process, how: signal.Signals, ready: Callable[[list[psutil.Process]], bool]
) -> None:
    """Kill a process once its descendants are ready, and wait until they have ended too."""
    wait_for(lambda: ready(killed.children(recursive=True)))
    family = killed.children(recursive=True)
    killed.send_signal(how)
    try:
        wait_for(lambda: not any(map(is_alive, family)), seconds=60)
    finally:
        for process in filter(is_alive, family):
            process.kill()


def workers(family: list[psutil.Process]) -> list[psutil.Process]:
    return [process for process in family if any("spawn_main" in word for word in process.cmdline())]


def seconds(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


@pytest.mark.parametrize("how", SIGNALS)
def test_workers_end_with_the_command(how: signal.Signals, tmp_path: Path) -> None:
    # The workers think for hours.
    words = ["reversi", "--games", "4", "--bot", "mcts:1000000000", "--workers", "2", "--out", str(tmp_path)]
    # Some signals come while they start.
    busy = 1.0 if how == signal.SIGKILL else 0.0

    def are_ready(family: list[psutil.Process]) -> bool:
        found = workers(family)
        return len(found) == 2 and min(map(seconds, found)) >= busy

    with running(COMMAND, "selfplay", *words) as command:
        assert_none_outlives(command, how, are_ready)


SUBSTITUTE = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
import petteia
from slow_bots import Slow

if __name__ == "__main__":
    folder, method = Path(sys.argv[1]), sys.argv[2]
    with ProcessPoolExecutor(2, get_context(method)) as pool:
        pool.submit(int).result()
        os.kill(next(iter(pool._processes)), signal.SIGKILL)
        # No process of the broken pool may get a game: it is not petteia's, and would live on.
        with suppress(BrokenProcessPool):
            while True:
                pool.submit(int).result()
        petteia.selfplay("quarto", 8, Slow(folder, 1000), out=folder / "games", executor=pool, shard=1)
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_of_a_substitute_pool_end_too(method: str, tmp_path: Path) -> None:
    with running(sys.executable, "-c", SUBSTITUTE, str(tmp_path), method) as caller:
        assert_none_outlives(caller, signal.SIGKILL, lambda _: len([*tmp_path.glob("[0-9]*")]) == 2)


HANGS = {
    "object": "def Game():\n    open('started', 'w').close()\n    while True:\n        pass\n",
    "program": "#!/bin/sh\n: >started\nsleep 1000 &\nsleep 1000\n",
    "compiler": "#!/bin/sh\n: >started\nsleep 1000\n",
    "driver": '#include "pos.h"\n#include <fcntl.h>\n#include <unistd.h>\n'
    'pos make_pos(unsigned int r, unsigned int c) { creat("started", 0600); for (;;) pause(); }\n',
}
"""Code under test that waits or runs for ever, by what runs it."""


@pytest.mark.parametrize(
    ("what", "how"),
    [*(("object", how) for how in SIGNALS), *((what, signal.SIGKILL) for what in HANGS if what != "object")],
)
def test_what_a_check_has_started_ends_with_it(
    what: str, how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "tests/zoo/breakdown", "folder")
    path = Path("folder/pos.c" if what == "driver" else "game.py")
    path.write_text(HANGS[what])
    path.chmod(0o755)
    words = {
        "object": ["position", "game.py:Game"],
        "program": ["reversi", "game.py", "--seconds", "1000"],
        "compiler": ["breakdown", "folder", "--cc", "./game.py"],
        "driver": ["breakdown", "folder", "--seconds", "1000", "--no-sanitize"],
    }
    with running(COMMAND, "check", *words[what], "--no-sandbox") as command:
        assert_none_outlives(command, how, lambda _: Path("started").exists())


CONFINED = "setsid sleep 86396.25 & sleep 86396.25"


@pytest.mark.parametrize("how", SIGNALS)
def test_what_is_confined_ends_with_its_check(how: signal.Signals, tmp_path: Path) -> None:
    program = tmp_path / "reversi"
    program.write_text(f"#!/bin/sh\n{CONFINED}\n")
    program.chmod(0o755)

    def sleepers() -> int:
        return sum(
            "86396.25" in (process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])
        )

    with running(COMMAND, "check", "reversi", str(program), "--seconds", "1000") as command:
        assert_none_outlives(command, how, lambda _: sleepers() == 2)
    wait_for(lambda: sleepers() == 0, seconds=60)


AT_ONCE = """
import os, signal, subprocess
from petteia.check import rooms

class Popen(subprocess.Popen):
    # The process is killed before it knows what it has started.
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print(self.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

subprocess.Popen = Popen
rooms.Sandbox().open()
"""


def test_what_a_check_starts_ends_with_it_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, timeout=60)
    started = int(done.stdout)
    wait_for(lambda: not psutil.pid_exists(started) or not is_alive(psutil.Process(started)), seconds=60)
