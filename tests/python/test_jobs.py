"""Folders of self-play and journals: one job at a time, and nothing damaged or half-written is believed."""

import os
import signal
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import petteia
import pytest
from cluster import COMMAND, PATIENCE, contents
from petteia import _chunks
from petteia._identity import identity

IN_USE = "is in use: another job is writing to it; wait until that has ended, or choose another place"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=PATIENCE)


def play(folder: Path, seed: int = 0, **options: Any) -> list[Path]:
    return petteia.selfplay("tictac", 300, seed=seed, out=folder, shard=100, **options)


def solve(journal: Path, **options: Any) -> petteia.SolvedTable:
    return petteia.solve_table(petteia.TicTac(), 2, journal, **options)


JOBS: dict[str, Callable[..., object]] = {"selfplay": play, "solve_table": solve}


@pytest.mark.parametrize("job", JOBS)
def test_a_second_job_is_refused(job: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    perform = JOBS[job]
    words = {
        "selfplay": ["selfplay", "tictac", "--games", "300", "--seed", "1", "--out", str(place)],
        "solve_table": ["solve-table", "tictac", "--plies", "2", "--journal", str(place)],
    }[job]
    seconds: list[subprocess.CompletedProcess[str]] = []

    def start_another(*_: int) -> None:
        # Another call of this process, and another process.
        with pytest.raises(BlockingIOError, match=IN_USE):
            perform(place)
        if not seconds:
            seconds.append(run(*words))

    perform(place, progress=start_another)
    assert (seconds[0].returncode, seconds[0].stdout) == (1, "")
    assert seconds[0].stderr == f"petteia {words[0]}: {place} {IN_USE}\n"
    perform(tmp_path / "alone")
    if job == "selfplay":
        assert contents(place) == contents(tmp_path / "alone")
    else:
        assert place.read_bytes() == (tmp_path / "alone").read_bytes()
    # Nobody uses it any more.
    perform(place)


def test_two_jobs_started_at_once_do_not_mix(tmp_path: Path) -> None:
    games = ["selfplay", "quarto", "--games", "400", "--shard", "10", "--out"]
    words = [COMMAND, *games, str(tmp_path / "out")]
    pipe = subprocess.PIPE
    pair = [subprocess.Popen([*words, "--seed", seed], stdout=pipe, stderr=pipe, text=True) for seed in "12"]
    told = [process.communicate(timeout=PATIENCE)[1] for process in pair]
    assert sorted(process.returncode for process in pair) == [0, 1], told
    loser = pair[0].returncode == 0
    assert "is in use" in told[loser] or "has other games" in told[loser]
    seed = 1 + pair[0].returncode
    petteia.selfplay("quarto", 400, seed=seed, out=tmp_path / "alone", shard=10)
    assert contents(tmp_path / "out") == contents(tmp_path / "alone")


KILLED = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import petteia

def die(*_):
    if len(pool._processes) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

with ProcessPoolExecutor(2, get_context("fork")) as pool:
    if sys.argv[1] == "selfplay":
        petteia.selfplay("tictac", 300, out=sys.argv[2], shard=100, executor=pool, progress=die)
    petteia.solve_table(petteia.TicTac(), 2, sys.argv[2], pool, progress=die)
"""


@pytest.mark.parametrize("job", JOBS)
def test_a_killed_owner_keeps_nothing(job: str, tmp_path: Path) -> None:
    """Not even by its workers, which may live on if they are forked."""
    place = tmp_path / "place"
    process = subprocess.Popen([sys.executable, "-c", KILLED, job, str(place)], start_new_session=True)
    try:
        assert process.wait(PATIENCE) == -signal.SIGKILL
        JOBS[job](place)
    finally:
        os.killpg(process.pid, signal.SIGKILL)


def test_what_a_killed_job_left_is_tidied(tmp_path: Path) -> None:
    stale = tmp_path / ".games-000000000100.parquet.part"
    stale.write_bytes(b"PAR1")
    mine = tmp_path / ".notes.part"
    mine.write_text("mine")
    play(tmp_path)
    assert not stale.exists()
    assert mine.exists()
    mine.unlink()
    # A manifest that was cut off is written again, but another's is left alone.
    manifest = tmp_path / "_selfplay.json"
    whole = manifest.read_bytes()
    for size in (0, 1, len(whole) - 1):
        manifest.write_bytes(whole[:size])
        play(tmp_path)
        assert manifest.read_bytes() == whole


@pytest.mark.parametrize("length", [0, 3, 8, 500])
def test_a_file_that_others_cut_off_is_written_again(length: int, tmp_path: Path) -> None:
    paths = play(tmp_path)
    whole = paths[1].read_bytes()
    assert len(whole) > 500
    paths[1].write_bytes(whole[:length])
    assert play(tmp_path) == paths
    assert paths[1].read_bytes() == whole


def test_what_is_no_folder_or_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^invalid out '': expected the path of a folder$"):
        petteia.selfplay("tictac", 10, out="")
    for content in (b"[" * 100_000, b"5", b"{}"):
        (tmp_path / "_selfplay.json").write_bytes(content)
        with pytest.raises(ValueError, match="expected an empty folder"):
            play(tmp_path)


def test_the_first_game_does_not_wait_for_a_million_names(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(done: int, total: int | None) -> None:
        raise Enough

    tracemalloc.start()
    try:
        with pytest.raises(Enough):
            petteia.selfplay("tictac", 10**9, out=tmp_path, shard=1000, positions=None, progress=stop)
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()
    assert len(contents(tmp_path)) == 2


def journal_line(content: str) -> bytes:
    return f"{content}\t{zlib.crc32(content.encode()):08x}\n".encode()


def test_every_damage_to_a_journal_is_told(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    expected = solve(journal)
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert all(line == journal_line(line.decode().rpartition("\t")[0]) for line in lines)
    silent = []
    for at in range(len(whole)):
        for flipped in (1, 64):
            journal.write_bytes(whole[:at] + bytes([whole[at] ^ flipped]) + whole[at + 1 :])
            try:
                assert solve(journal) == expected
                silent.append(at)
            except ValueError as error:
                assert str(journal) in str(error)
    # Only the end of the last line: a line that is cut off is solved again.
    assert {*silent} == {len(whole) - 1}

    damaged = [*lines[:2], lines[2].replace(b"O", b"X", 1), *lines[3:]]
    journal.write_bytes(b"".join(damaged))
    with pytest.raises(ValueError, match=r"journal, line 3: .* is damaged; delete it"):
        solve(journal)
    # What the message says helps.
    journal.write_bytes(b"".join(damaged[:2] + damaged[3:]))
    assert solve(journal) == expected
    assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())

    text = lines[1].decode().partition("\t")[0]
    for value in ("99", "-2", "2", "", "-", "x", "1.0", "+1", "9" * 5000):
        journal.write_bytes(lines[0] + journal_line(f"{text}\t{value}"))
        with pytest.raises(ValueError, match=r"line 2: .* impossible value; expected -1 to 1"):
            solve(journal)
    squares = petteia.Reversi(2, 3)
    petteia.solve_table(squares, 1, tmp_path / "reversi")
    head, first, *_ = (tmp_path / "reversi").read_bytes().splitlines(keepends=True)
    (tmp_path / "reversi").write_bytes(head + journal_line(first.decode().partition("\t")[0] + "\t7"))
    with pytest.raises(ValueError, match="expected -6 to 6"):
        petteia.solve_table(squares, 1, tmp_path / "reversi")


def test_a_journal_cut_off_anywhere_is_resumed(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    expected = solve(journal)
    whole = journal.read_bytes()
    for size in range(0, len(whole), 7):
        journal.write_bytes(whole[:size])
        assert solve(journal) == expected
        assert sorted(journal.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_a_journal_is_a_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", "/dev/full", "/dev/null", str(tmp_path / "pipe")):
        result = run("solve-table", "tictac", "--plies", "1", "--journal", path)
        complaint = f"{path} is not a regular file: expected a file, or the name of a new one"
        assert (result.returncode, result.stderr) == (1, f"petteia solve-table: {complaint}\n")
    result = run("solve-table", "tictac", "--plies", "1", "--journal", str(tmp_path))
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert "Is a directory" in result.stderr
    os.mkfifo(tmp_path / "_selfplay.json")
    with pytest.raises(ValueError, match="not a regular file"):
        play(tmp_path)


@pytest.mark.parametrize("clock", [lambda now: -now, lambda now: now * 1e9, lambda now: 0.0])
def test_clocks_that_jump(
    clock: Callable[[float], float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results do not depend on the time that anything took."""
    reversi = petteia.Reversi(4, 3)
    tally, table = petteia.playouts(reversi, 3000), petteia.solve_table(reversi, 4, tmp_path / "usual")
    play(tmp_path / "games")
    for name in ("time", "monotonic", "perf_counter"):
        real = getattr(time, name)
        monkeypatch.setattr(time, name, lambda real=real: clock(real()))
    assert petteia.playouts(reversi, 3000, threads=2) == tally
    assert petteia.solve_table(reversi, 4, tmp_path / "journal", threads=2) == table
    play(tmp_path / "again", threads=2)
    assert contents(tmp_path / "again") == contents(tmp_path / "games")
    for seconds in (float("-inf"), -1.0, 0.0, 1e-300, 1e300, float("inf")):
        pace = _chunks.Pace()
        for _ in range(5):
            pace.learn(pace.size, seconds)
            assert 1 <= pace.size <= 8**5


@pytest.mark.parametrize("kind", ["kill", "full", "workers"])
@pytest.mark.parametrize("job", ["selfplay", "table"])
def test_disturbed_jobs_end_like_undisturbed_ones(job: str, kind: str, tmp_path: Path) -> None:
    """Killed at every step, on a disk that is full at every size, and with workers that die."""
    words = [sys.executable, str(Path(__file__).with_name("disturbed.py")), job, kind, str(tmp_path)]
    # Its processes may outlive it if it fails, and must not keep a pipe open.
    with open(tmp_path / "said", "w+") as said:
        done = subprocess.run(words, stdout=said, stderr=said, timeout=PATIENCE)
        said.seek(0)
        told = said.read()
    assert done.returncode == 0, told
    assert int(told) >= {"kill": 40, "full": 3, "workers": 3}[kind]


OWN_BOTS = """
import dataclasses, os, signal, sys
import petteia

class Plain:
    def choose(self, position):
        return position.moves[0]

@dataclasses.dataclass
class Measured:
    depth: int
    key: object = len
    seen: list = dataclasses.field(default_factory=list, compare=False)

    def choose(self, position):
        self.seen.append(position)
        return position.moves[-1]

class Named:
    def __init__(self, name):
        self.name, self.cache = name, object()

    def choose(self, position):
        return position.moves[0]

class Loaded(petteia.bots.Mcts):
    def choose(self, position):
        return position.moves[-1]

BOTS = {"plain": Plain(), "measured": Measured(3), "named": Named("greedy"), "loaded": Loaded(10)}

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    out, bot, how = sys.argv[1:]
    progress = die if how == "die" else None
    petteia.selfplay("tictac", 30, BOTS[bot], out=out, shard=10, progress=progress)
"""


@pytest.mark.parametrize("bot", ["plain", "measured", "named", "loaded"])
def test_self_play_of_your_own_bot_is_resumed(bot: str, tmp_path: Path) -> None:
    """In another process, where nothing has the same address."""
    program = tmp_path / "mybots.py"
    program.write_text(OWN_BOTS)

    def play(folder: str, how: str) -> int:
        words = [sys.executable, str(program), str(tmp_path / folder), bot, how]
        return subprocess.run(words, timeout=PATIENCE).returncode

    assert play("killed", "die") == -signal.SIGKILL
    begun = contents(tmp_path / "killed")
    assert len(begun) == 2
    assert play("killed", "live") == 0
    assert play("whole", "live") == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert begun.items() <= contents(tmp_path / "whole").items()
    assert len(contents(tmp_path / "whole")) == 4


class Chooser:
    def choose(self, position: Any) -> str:
        return str(position.moves[0])


@dataclass
class Tuned(Chooser):
    depth: int = 3
    weights: Any = None
    memory: object = field(default_factory=object, compare=False)


class Pair(NamedTuple):
    first: Any
    second: Any = 2

    def choose(self, position: Any) -> str:
        return str(position.moves[0])


class Called(Chooser):
    def __init__(self, name: Any) -> None:
        self.name = name


class Fleeting(Chooser):
    def __repr__(self) -> str:
        return f"Fleeting({object()})"


def heuristic(position: Any) -> int:
    return 0


def test_bots_are_told_apart_by_what_lasts() -> None:
    here = __name__
    for bot, expected in (
        (Chooser(), f"{here}.Chooser"),
        (Called("greedy"), f"{here}.Called 'greedy'"),
        (Called(heuristic), f"{here}.Called"),
        (
            Tuned(4, {"b": heuristic, "a": (1, 2.5)}),
            f"{here}.Tuned (depth=4, weights={{'b': {here}.heuristic, 'a': [1, 2.5]}})",
        ),
        (Tuned(weights={"c", "b", "a"}), f"{here}.Tuned (depth=3, weights={{'a', 'b', 'c'}})"),
        (Pair(Tuned(2)), f"{here}.Pair (first={here}.Tuned{{'depth': 2, 'weights': None}}, second=2)"),
        (
            Pair(partial(heuristic, None)),
            f"{here}.Pair (first=partial({here}.heuristic, [None], {{}}), second=2)",
        ),
        (lambda position: "A1", f"{here}.test_bots_are_told_apart_by_what_lasts.<locals>.<lambda>"),
    ):
        assert identity(bot) == expected
    named = Called("greedy")
    named.__class__ = type("Odd", (Called,), {"__repr__": Fleeting.__repr__})
    assert identity(named).endswith("Odd 'greedy'")


@pytest.mark.parametrize(
    "bot",
    [Fleeting(), Tuned(weights=object()), Pair([object()]), SimpleNamespace(choose=heuristic, of=object())],
)
def test_bots_without_an_identity_are_refused(bot: Any, tmp_path: Path) -> None:
    words = r"^invalid bot of class .*: .* at 0x.* expected a bot with a name, or a dataclass"
    with pytest.raises(ValueError, match=words):
        petteia.selfplay("tictac", 3, bot, out=tmp_path / "games")
    assert not (tmp_path / "games").exists()


def test_another_bot_is_another_job(tmp_path: Path) -> None:
    petteia.selfplay("tictac", 3, Tuned(2), out=tmp_path)
    petteia.selfplay("tictac", 3, Tuned(2), out=tmp_path)
    for other in (Tuned(3), Chooser(), "random"):
        with pytest.raises(ValueError, match="has other games: bot is"):
            petteia.selfplay("tictac", 3, other, out=tmp_path)
