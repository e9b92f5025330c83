"""The sandbox of the conformance kit against submissions that attack the grader."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
import zoo
from petteia.check import Compilers, Limits, Options, Report, Unusable, check
from petteia.check.rooms import Bounds, OutOfTime, Room, Sandbox, Unconfined
from petteia.check.sandbox import files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has namespaces")

EASY = Bounds(2.0, 256, 1 << 20, idle=2.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = Sandbox()
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def room(sandbox: Sandbox) -> Iterator[Room]:
    made = Room(sandbox)
    yield made
    made.close()


def run(room: Room, script: str, bounds: Bounds = EASY) -> tuple[int, str, str]:
    """Run a script in a room, and return its exit code, what it was killed for, and what it printed."""
    with files(2) as (nothing, told):
        room.start(["/bin/sh", "-c", script], [nothing, told, told], bounds)
        ended = room.end()
        return ended.code, ended.why, os.pread(told, 1 << 20, 0).decode(errors="replace")


def python(room: Room, source: str, bounds: Bounds = EASY) -> tuple[int, str, str]:
    """Run a Python program in a room."""
    with files(2) as (nothing, told):
        room.start([sys.executable, "-I", "-S", "-c", source], [nothing, told, told], bounds)
        ended = room.end()
        return ended.code, ended.why, os.pread(told, 1 << 20, 0).decode(errors="replace")


def sleepers(word: str) -> list[int]:
    """Return the processes with a word on their command line."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if word in process.cmdline():
                found.append(process.pid)
    return found


def test_nothing_of_the_grader_is_seen(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "grades.csv").write_text("kept")
    _, _, told = run(room, f"cat {tmp_path}/grades.csv; env; ls -a /home ~; cat /etc/shadow /etc/hosts")
    assert "kept" not in told
    shown = {line.partition("=")[0] for line in told.splitlines() if "=" in line}
    assert shown == {"PATH", "HOME", "TMPDIR", "LC_ALL", "PYTHONDONTWRITEBYTECODE", "PWD"}
    # Not even the processes: the room itself is the first of the system's.
    assert run(room, "echo /proc/[0-9]*")[2].split()[0] == "/proc/1"
    assert len(run(room, "echo /proc/[0-9]*")[2].split()) <= 3


def test_nothing_of_the_grader_is_changed(room: Room, tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text("kept")
    code, _, told = run(
        room, f"rm -rf {tmp_path} /usr/bin/cc; echo x >/usr/x; echo x >/x; echo 1 >/proc/sys/kernel/sysrq"
    )
    assert code != 0 and (tmp_path / "grades.csv").read_text() == "kept"
    assert shutil.which("cc") and not Path("/usr/x").exists()
    assert told.count("cannot create") >= 2


def test_signals_reach_nobody_else(room: Room) -> None:
    code, why, _ = run(room, "kill -9 1; kill -STOP 1; kill -9 -1; echo still here")
    assert (code, why) in ((0, ""), (-9, ""))
    # The room lives on, as does this test.
    assert run(room, "echo next") == (0, "", "next\n")


def test_nobody_is_traced(room: Room) -> None:
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("attached", libc.ptrace(16, 1, 0, 0))
try:
    open("/proc/1/mem", "wb")
    print("memory")
except OSError as error:
    print("refused")
"""
    assert python(room, source)[2].split() == ["attached", "-1", "refused"]


def test_daemons_end(room: Room) -> None:
    word = "86399.25"
    code, why, _ = run(room, f"for i in $(seq 60); do setsid sleep {word} >/dev/null 2>&1 & done; sleep 0.2")
    assert (code, why) == (0, "")
    assert sleepers(word) == []


def test_a_fork_bomb_ends(room: Room) -> None:
    word = "86398.25"
    source = (
        f"import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n# {word}"
    )
    begun = time.monotonic()
    code, why, _ = python(room, source)
    assert code != 0 and why in ("processes", "seconds", "patience", "memory")
    assert time.monotonic() - begun < 60
    assert run(room, "echo next")[2] == "next\n"


def test_there_is_no_network(room: Room) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        source = f"""
import socket
for address in (("127.0.0.1", {port}), ("192.0.2.1", 80)):
    try:
        socket.create_connection(address, 1)
        print("connected")
    except OSError as error:
        print("refused")
for family in (16, 17, 40):
    try:
        socket.socket(family, socket.SOCK_RAW)
        print("made")
    except OSError:
        print("refused")
"""
        assert python(room, source)[2].split() == ["refused"] * 5


def test_no_new_rights(room: Room) -> None:
    status = run(room, "cat /proc/self/status")[2]
    assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status and "CapEff:\t0000000000000000" in status
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for call in (lambda: libc.unshare(0x10000000), lambda: libc.mount(b"x", b"/tmp", b"tmpfs", 0, None),
             lambda: libc.setuid(0), lambda: libc.chroot(b"/tmp"), lambda: libc.shmget(1, 1 << 20, 0o1600)):
    print(call(), ctypes.get_errno())
"""
    assert python(room, source)[2].splitlines() == ["-1 1"] * 5


def test_a_full_disk_is_its_own(room: Room) -> None:
    script = "i=0; while head -c 900000 /dev/zero >/tmp/$i; do i=$((i+1)); done; echo $i"
    _, _, told = run(room, script, Bounds(20.0, 256, 1 << 20))
    assert "No space left" in told and int(told.split()[-1]) < 400
    # In the next room there is space again.
    other = Room(room.sandbox)
    assert run(other, "head -c 900000 /dev/zero >/tmp/x; echo $?")[2] == "0\n"
    other.close()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("while True: pass", "seconds"),
        ("import signal, time\nsignal.signal(signal.SIGPROF, lambda *_: 0)\nwhile True: pass", "seconds"),
        ("import os\nfor _ in range(3): os.fork()\nwhile True: pass", "seconds"),
        ("import time\ntime.sleep(1000)", "idle"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "idle"),
        ("x = []\nwhile True: x.append(bytes(1 << 24))", ""),
    ],
)
def test_limits_hold(room: Room, source: str, why: str) -> None:
    code, killed_for, _ = python(room, source, Bounds(0.3, 200, 1 << 20, idle=1.0))
    assert code != 0 and killed_for == why


def test_memory_beyond_the_address_space(room: Room) -> None:
    bounds = Bounds(20.0, 64, 1 << 20, address_space=False)
    assert python(room, "x = []\nwhile True: x.append(bytearray(b'x') * (1 << 20))", bounds)[1] == "memory"


def test_output_is_limited(room: Room) -> None:
    code, _, told = run(room, "exec yes", Bounds(5.0, 64, 10_000))
    assert code == -25 and len(told) <= 10_000


def test_the_budget_is_for_all() -> None:
    with contextlib.closing(Sandbox(budget=1.0)) as small:
        place = Room(small)
        with pytest.raises(OutOfTime):
            while True:
                run(place, "sleep 0.4")


def attack(
    folder: Path, constructor: str, *, sanitize: bool = False, games: int = 5, budget: float = 60
) -> Report:
    """Check a right Breakdown with a constructor added to it."""
    shutil.copytree(zoo.ZOO / "breakdown", folder)
    (folder / "play.c").unlink()
    with (folder / "pos.c").open("a") as file:
        file.write(
            "\n#define _GNU_SOURCE\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n"
            "#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <sys/time.h>\n"
            "#include <unistd.h>\n"
            f"__attribute__((constructor)) static void attack(void) {{ {constructor} }}\n"
        )
    options = Options(Compilers(sanitize=sanitize), Limits(seconds=2.0), budget=budget)
    return check("breakdown", str(folder), games=games, only=["gravity", "win", "turn"], options=options)


UNHARMED = {
    "daemon": "if (!fork()) { setsid(); for (;;) { sleep(1); } }",
    "children": "for (int i = 0; i < 50; ++i) if (!fork()) for (;;) pause();",
    "output": r'fputs("\033]0;title\a\033[2Jwiped", stderr);',
    "files": 'unlink("results.json"); creat("/results.json", 0600);',
    "timer": "signal(SIGPROF, SIG_IGN); signal(SIGALRM, SIG_IGN);",
}
"""Attacks that do no harm, so that what is left is a right implementation."""


@pytest.mark.parametrize("name", UNHARMED)
def test_attacks_without_effect(name: str, tmp_path: Path) -> None:
    report = attack(tmp_path / "hw5", UNHARMED[name])
    assert report.ok and len(report.results) == 3


HARMING = {
    "kills everybody": "kill(-1, SIGKILL); kill(getppid(), SIGKILL); kill(1, SIGKILL);",
    "exits": "exit(0);",
    "loops": "for (;;) ;",
    "stops": "raise(SIGSTOP);",
}


@pytest.mark.parametrize("name", HARMING)
def test_attacks_on_itself_are_soon_over(name: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    source = HARMING[name]
    if name == "kills everybody":
        source += "abort();"
    report = attack(tmp_path / "hw5", source)
    assert not report.ok
    assert not any(result.status == "passed" for result in report.results)
    assert time.monotonic() - begun < 60


def test_forged_answers(tmp_path: Path) -> None:
    """Answers that make no sense are neither believed nor the end of the check."""
    forge = """
    int fd; char zeros[4096]; memset(zeros, 0xff, sizeof zeros);
    if (!fork()) for (;;) for (fd = 3; fd < 10; ++fd) {
      pwrite(fd, zeros, sizeof zeros, 0);
      ftruncate(fd, 100);
    }
    """
    report = attack(tmp_path / "hw5", forge)
    assert len(report.results) == 3


def test_results_are_out_of_reach(tmp_path: Path) -> None:
    """A daemon that waits for the results finds none, and is dead when they are written."""
    results = tmp_path / "results.json"
    daemon = f"""
    if (!fork()) {{ setsid(); if (!fork()) for (;;) {{
      FILE *f = fopen("{results}", "w");
      if (f) {{ fputs("100 points", f); fclose(f); }}
      usleep(1000); }} }}
    """
    attack(tmp_path / "hw5", daemon)
    results.write_text("{}")
    time.sleep(0.1)
    assert results.read_text() == "{}"


BUILDS = {
    "array": ("char big[3ul << 30] = {1};", "compile|too much|limit"),
    "fifo": ('#include "pipe.h"', "compile|finish"),
    "endless": ('#include "/dev/zero"', "compile|finish|too much"),
    "itself": ("#include __FILE__", "compile"),
}


@pytest.mark.parametrize("name", BUILDS)
def test_compilers_keep_to_limits(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from petteia.check import build

    monkeypatch.setattr(build, "COMPILING", Bounds(10.0, 1024, 64 << 20, idle=2.0, patience=60.0))
    line, told = BUILDS[name]
    folder = tmp_path / "hw5"
    shutil.copytree(zoo.ZOO / "breakdown", folder)
    os.mkfifo(folder / "pipe.h")
    (folder / "pos.c").write_text(f"{line}\n{(folder / 'pos.c').read_text()}")
    with pytest.raises(Unusable, match=told):
        check("breakdown", str(folder), games=1, options=Options(Compilers(sanitize=False)))
    assert [path.name for path in Path(folder).glob("*.o")] == []


def linked(tmp_path: Path) -> Path:
    """Return a folder that carries petteia's library."""
    from petteia import get_library_dir

    folder = tmp_path / "hw5"
    shutil.copytree(zoo.ZOO / "breakdown", folder)
    shutil.copy(Path(get_library_dir()) / "libpetteia.so", folder / "extra.so")
    return folder


def hiding(tmp_path: Path) -> Path:
    """Return a folder whose sources put petteia's library into the program."""
    from petteia import get_library_dir

    folder = tmp_path / "hw5"
    shutil.copytree(zoo.ZOO / "breakdown", folder)
    library = (Path(get_library_dir()) / "libpetteia.so").read_bytes()
    # Not recognised among the submission's files, but in what is built of them.
    (folder / "data.txt").write_bytes(b" " + library)
    with (folder / "pos.c").open("a") as file:
        file.write(f'\n__asm__(".data\\n.incbin \\"{folder}/data.txt\\"\\n.text");\n')
    return folder


@pytest.mark.parametrize("made", [linked, hiding])
def test_petteia_itself_gets_no_points(made: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="uses petteia itself"):
        check("breakdown", str(made(tmp_path)), games=1, options=Options(Compilers(sanitize=False)))


def test_petteia_is_not_there_for_programs(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text("from petteia import Outcome, Player, TicTac as Game\n")
    with pytest.raises(Unusable, match=r"may not use petteia\.TicTac"):
        check("tictac", f"{tmp_path / 'game.py'}:Game", games=1)
    report = check("tictac", f"{tmp_path / 'game.py'}:Game", games=5, options=Options(petteia=True))
    assert report.ok


def test_a_submission_around_what_the_check_needs(tmp_path: Path) -> None:
    """As when someone checks the folder that has their virtual environment in it."""
    folder = tmp_path / "hw5"
    shutil.copytree(zoo.ZOO / "breakdown", folder)
    compiler = folder / ".tools" / "compile"
    compiler.parent.mkdir()
    compiler.write_text('#!/bin/sh\nexec cc "$@"\n')
    compiler.chmod(0o755)
    options = Options(Compilers(cc=str(compiler), sanitize=False))
    assert check("breakdown", str(folder), games=3, only=["turn"], options=options).ok


def test_a_machine_without_namespaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is run before the grader has been asked."""
    from petteia.check import rooms

    broken = tmp_path / "confine.py"
    source = rooms.CONFINE.read_text().replace("told(libc.unshare(flags)", "told(libc.unshare(-1)")
    broken.write_text(source)
    monkeypatch.setattr(rooms, "CONFINE", broken)
    shutil.copytree(zoo.ZOO / "breakdown", tmp_path / "hw5")
    with pytest.raises(Unconfined, match="--no-sandbox"):
        check("breakdown", str(tmp_path / "hw5"), games=1)
    options = Options(Compilers(sanitize=False), sandbox=False)
    assert check("breakdown", str(tmp_path / "hw5"), games=3, only=["turn"], options=options).ok


def test_without_a_sandbox_limits_hold(tmp_path: Path) -> None:
    word = "86397.25"
    with contextlib.closing(Sandbox(confined=False)) as opened:
        place = Room(opened)
        assert run(place, f"setsid sleep {word} & sleep 0.1; exit 3")[0] == 3
        assert sleepers(word) == []
        assert run(place, "while :; do :; done", Bounds(0.3, 256, 1000))[1] == "seconds"
        assert run(place, "sleep 1000", Bounds(0.3, 256, 1000, idle=0.5))[1] == "idle"
