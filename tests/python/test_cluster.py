"""Long calls on executors: the same results with any workers, even if some are lost."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import oracles
import petteia
import psutil  # type: ignore[import-untyped]
import pyarrow.parquet
import pytest
from cluster import COMMAND, PATIENCE, Cluster, contents, processes, run_on_a_full_disk, wait_for
from games import ROOT
from petteia import _progress, _selfplay, bots
from slow_bots import Deadly, Slow


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    running = Cluster(tmp_path_factory.mktemp("dask"), workers=3)
    yield running
    running.stop()


@pytest.fixture(params=["processes", "dask"])
def crew(request: pytest.FixtureRequest) -> Iterator[Executor]:
    """Yield both kinds of executor."""
    if request.param == "processes":
        with processes() as pool:
            yield pool
    else:
        with request.getfixturevalue("cluster").connect(3) as client:
            yield client.get_executor()


def test_results_are_those_of_one_thread(crew: Executor, tmp_path: Path) -> None:
    position = petteia.Reversi(6, 6)
    steps: list[tuple[int, int | None]] = []
    tally = petteia.playouts(
        position, 300_000, seed=4, executor=crew, progress=lambda *step: steps.append(step)
    )
    assert tally == petteia.playouts(position, 300_000, seed=4)
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {300_000}
    assert steps[-1] == (300_000, 300_000)
    assert len(steps) > 4

    assert petteia.perft(position, 10, executor=crew) == position.perft(10)
    assert petteia.perft(petteia.Quarto(), 5, executor=crew, table_mb=1) == petteia.Quarto().perft(5)
    assert petteia.perft(petteia.TicTac(), 0, executor=crew) == 1
    assert petteia.perft(petteia.TicTac(), 12, executor=crew) == 0

    def match(**where: Any) -> bots.MatchResult:
        return petteia.match(bots.Myopic(), bots.Random(), "breakdown", 200, seed=3, **where)

    assert match(executor=crew) == match(threads=2) == match()

    for name, executor in (("here", None), ("there", crew)):
        petteia.selfplay("quarto", 3000, "random", 9, tmp_path / name, executor, shard=500)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert len(contents(tmp_path / "here")) == 7

    small = petteia.Reversi(4, 4)
    tables = [
        petteia.solve_table(small, 5, tmp_path / f"{name}.journal", executor)
        for name, executor in (("here", None), ("there", crew))
    ]
    assert tables[0] == tables[1]
    assert {*(tmp_path / "here.journal").read_text().splitlines()} == {
        *(tmp_path / "there.journal").read_text().splitlines()
    }


def test_wrong_arguments_are_told_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        wrong: list[Callable[[], object]] = [
            lambda: petteia.playouts(petteia.TicTac(), -1, executor=pool),
            lambda: petteia.playouts(petteia.TicTac(), 10, seed=-1, executor=pool),
            lambda: petteia.perft(petteia.TicTac(), 2**16, executor=pool),
            lambda: petteia.perft(petteia.TicTac(), 3, table_mb=0, executor=pool),
            lambda: petteia.selfplay("chess", 10, out=tmp_path, executor=pool),
            lambda: petteia.selfplay("tictac", 0, out=tmp_path, executor=pool),
            lambda: petteia.selfplay("tictac", 10, "clever", out=tmp_path, executor=pool),
            lambda: petteia.selfplay("tictac", 10, positions="hex", out=tmp_path),  # type: ignore[arg-type]
            lambda: petteia.solve_table(petteia.TicTac(), -1, tmp_path / "journal", pool),
            lambda: petteia.solve_table(petteia.TicTac.from_text("XXX/OO_/___ -"), 1, tmp_path / "journal"),
        ]
        for call in wrong:
            with pytest.raises(ValueError):
                call()
        with pytest.raises(TypeError):
            petteia.selfplay("tictac", 10, 5, out=tmp_path, executor=pool)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected an executor"):
        petteia.playouts(petteia.TicTac(), 10, executor=5)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="shutdown"):
        petteia.playouts(petteia.TicTac(), 10, executor=pool)
    assert list(tmp_path.iterdir()) == []


class Wrong:
    """A bot that does not know the rules."""

    def choose(self, position: Any) -> str:
        return "z9"


def test_errors_of_chunks_are_raised(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool, pytest.raises(petteia.IllegalMove):
        petteia.match(Wrong(), Wrong(), "tictac", 1000, executor=pool)
    with processes(1) as crew, pytest.raises(BrokenExecutor, match="lost 4 times"):
        petteia.selfplay("tictac", 1, Deadly(), out=tmp_path, executor=crew)
    assert list(contents(tmp_path)) == ["_selfplay.json"]


def two_bits_each(cells: bytes, shape: tuple[int, int]) -> Any:
    """Unpack cells as docs/cluster.md says."""
    board = np.frombuffer(cells, np.uint8)[:, None] >> [0, 2, 4, 6] & 3
    return board.ravel()[: shape[0] * shape[1]].reshape(shape).tolist()


def test_games_are_what_the_columns_say(tmp_path: Path) -> None:
    """The oracle agrees that the moves are legal and lead to the positions and the outcome."""
    (path,) = petteia.selfplay("reversi", 40, "random", 5, tmp_path / "random", width=6, height=5)
    (as_text,) = petteia.selfplay(
        "reversi", 40, "random", 5, tmp_path / "text", width=6, height=5, positions="text"
    )
    table = pyarrow.parquet.read_table(path)
    texts = pyarrow.parquet.read_table(as_text)
    assert texts.drop(["positions"]) == table.drop(["positions", "turns"])
    assert table.column_names == ["game", "moves", "positions", "turns", "values", "outcome"]
    assert table["game"].to_pylist() == list(range(40))
    assert table["values"].null_count == 40
    for row, written in zip(table.to_pylist(), texts["positions"].to_pylist()):
        oracle = oracles.Reversi(6, 5)
        for move, text, cells, turn in zip(row["moves"], written, row["positions"], row["turns"]):
            assert petteia.Reversi.from_text(text).array.tolist() == oracle.cells()
            assert two_bits_each(cells, (5, 6)) == oracle.cells()
            assert turn == oracle.turn
            assert move in oracle.moves()
            oracle.play(move)
        assert len(row["positions"]) == len(row["turns"]) == len(written) == len(row["moves"]) + 1
        assert row["turns"][-1] == -1
        assert oracle.over
        assert row["outcome"] == {None: 0, 0: 1, 1: -1}[oracle.winner]
    tally = petteia.playouts(petteia.Reversi(6, 5), 40, seed=5)
    assert tally.plies == sum(map(len, table["moves"].to_pylist()))
    assert [table["outcome"].to_pylist().count(outcome) for outcome in (1, -1, 0)] == [
        *tally.wins,
        tally.draws,
    ]

    # A searching bot gives the value of each position before its move; a perfect player's is exact.
    (path,) = petteia.selfplay("tictac", 5, "perfect", 1, tmp_path / "perfect", shard=5)
    for row in pyarrow.parquet.read_table(path).to_pylist():
        assert row["outcome"] == 0
        assert row["values"] == [0] * len(row["moves"])
    (path,) = petteia.selfplay("quarto", 2, "mcts:20", 1, tmp_path / "mcts", shard=2, positions=None)
    table = pyarrow.parquet.read_table(path)
    assert table.column_names == ["game", "moves", "values", "outcome"]
    for row in table.to_pylist():
        assert len(row["values"]) == len(row["moves"])
        assert all(-1 <= value <= 1 for value in row["values"])
        assert petteia.Record(petteia.Quarto(), row["moves"]).last.is_over

    # Games that do not end have no outcome.
    (path,) = petteia.selfplay("breakdown", 3, "random", 1, tmp_path / "short", max_plies=2)
    table = pyarrow.parquet.read_table(path)
    assert table["outcome"].to_pylist() == [None] * 3
    assert [len(moves) for moves in table["moves"].to_pylist()] == [2] * 3


class First:
    """A custom bot with a value."""

    value = 0.5

    def choose(self, position: Any) -> str:
        return str(position.moves[0])


def test_anybody_can_play_and_everybody_can_read(tmp_path: Path) -> None:
    import duckdb
    import pandas
    import polars

    folder = tmp_path / "first"
    paths = petteia.selfplay(petteia.TicTac(), 250, First(), out=folder)
    assert len(paths) == 3
    expected = ["A1", "A2", "A3", "B1", "B2", "B3", "C1"]
    frame = pandas.read_parquet(paths[1])
    assert (frame["game"].iloc[0], list(frame["moves"].iloc[0]), frame["outcome"].iloc[0]) == (
        100,
        expected,
        1,
    )
    table = polars.read_parquet(folder / "*.parquet")
    assert table.height == 250
    assert table["moves"][249].to_list() == expected
    assert table["values"][0].to_list() == [0.5] * 7
    positions = list(petteia.Record(petteia.TicTac(), expected).positions)
    for written in (frame["positions"].iloc[0], table["positions"][249].to_list()):
        assert list(written) == [position.cells for position in positions]
        assert [two_bits_each(cells, (3, 3)) for cells in written] == [
            position.array.tolist() for position in positions
        ]
    assert table["turns"][249].to_list() == [0, 1, 0, 1, 0, 1, 0, -1]
    query = (
        "select count(*), min(moves[5]), sum(outcome), max(len(positions)), min(positions[8]) "
        f"from '{folder}/*.parquet'"
    )
    found = duckdb.sql(query)
    assert found is not None
    assert found.fetchall() == [(250, "B2", 250, 8, positions[-1].cells)]
    (path, *_) = petteia.selfplay(
        petteia.TicTac(), 250, First(), out=tmp_path / "text", positions="text", shard=250
    )
    frame = pandas.read_parquet(path)
    assert list(frame["positions"].iloc[0]) == [position.text for position in positions]


def test_a_folder_has_one_kind_of_games(tmp_path: Path) -> None:
    petteia.selfplay("tictac", 10, out=tmp_path)
    before = contents(tmp_path)
    others: list[dict[str, Any]] = [{"seed": 1}, {"games": 11}, {"bot": "myopic"}, {"game": "quarto"}]
    for other in [*others, {"positions": None}, {"positions": "text"}]:
        with pytest.raises(ValueError, match=f"has other games: {next(iter(other))}"):
            petteia.selfplay(**{"game": "tictac", "games": 10, "out": tmp_path, **other})
    (tmp_path / "_selfplay.json").write_text("nonsense")
    with pytest.raises(ValueError, match="not written by selfplay"):
        petteia.selfplay("tictac", 10, out=tmp_path)
    del before["_selfplay.json"]
    assert before.items() <= contents(tmp_path).items()


def play_slowly(
    tmp_path: Path, name: str, executor: Executor | None, progress: Any = None
) -> dict[str, bytes]:
    """Play 32 shards of slow games, which leave traces of their processes, and return the files."""
    (tmp_path / "traces").mkdir(exist_ok=True)
    bot = Slow(tmp_path / "traces", seconds=0.002 if executor else 0)
    petteia.selfplay("quarto", 64, bot, 0, tmp_path / name, executor, shard=2, progress=progress)
    return contents(tmp_path / name)


def once(action: Callable[[], object]) -> Callable[[int, int | None], None]:
    """Return a progress function that acts when the first chunk is done."""
    steps: list[int] = []

    def step(done: int, total: int | None) -> None:
        steps.append(done)
        if len(steps) == 1:
            action()

    return step


def test_a_killed_process_costs_a_chunk(tmp_path: Path) -> None:
    with processes() as crew:
        assert isinstance(crew, ProcessPoolExecutor)

        def kill() -> None:
            os.kill(next(iter(crew._processes)), signal.SIGKILL)

        assert play_slowly(tmp_path, "there", crew, once(kill)) == play_slowly(tmp_path, "here", None)


@pytest.mark.parametrize("direct", [None, True])
def test_a_killed_worker_costs_a_chunk_and_a_late_one_helps(
    direct: bool | None, cluster: Cluster, tmp_path: Path
) -> None:
    expected = play_slowly(tmp_path, "here", None)
    with cluster.connect(3, direct) as client:
        killed = cluster.workers.pop()
        assert play_slowly(tmp_path, "killed", client.get_executor(), once(killed.kill)) == expected
        assert killed.wait(PATIENCE) == -signal.SIGKILL

        late: list[int] = []

        def join() -> None:
            wait_for(lambda: len(client.nthreads()) == 2)
            cluster.workers.append(cluster.add_worker())
            client.wait_for_workers(3, timeout=PATIENCE)
            late.append(cluster.workers[-1].pid)

        assert play_slowly(tmp_path, "late", client.get_executor(), once(join)) == expected
        assert (tmp_path / "traces" / str(late[0])).exists()


def test_a_killed_scheduler_is_told_and_the_run_goes_on(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, workers=1)
    try:
        with cluster.connect(1) as client:
            with pytest.raises(BrokenExecutor, match="scheduler is lost"):
                play_slowly(tmp_path, "there", client.get_executor(), once(cluster.scheduler.kill))
            client._timeout = 0.1
        begun = contents(tmp_path / "there")
        assert 2 <= len(begun) < 33
        finished = play_slowly(tmp_path, "there", None)
        assert begun.items() <= finished.items()
        assert finished == play_slowly(tmp_path, "here", None)
    finally:
        cluster.stop()


def test_a_read_only_folder(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        before = os.geteuid()
        # For root nothing is read-only.
        if before == 0:
            os.seteuid(65534)
        try:
            with pytest.raises(PermissionError, match=str(folder)):
                petteia.selfplay("tictac", 10, out=folder)
            with pytest.raises(PermissionError, match=str(folder)):
                petteia.solve_table(petteia.TicTac(), 1, folder / "journal")
        finally:
            os.seteuid(before)
        assert list(folder.iterdir()) == []


def run_command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [COMMAND, "selfplay", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)


def test_a_full_disk(tmp_path: Path) -> None:
    words = ("quarto", "--games", "1000", "--out", str(tmp_path / "games"), "--shard", "500")
    result = run_on_a_full_disk(20_000, COMMAND, "selfplay", *words)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert "File too large" in result.stderr
    assert list(contents(tmp_path / "games")) == ["_selfplay.json"]
    # When there is room again, the same command resumes.
    result = run_command(*words)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"1,000 games in 2 files in {tmp_path / 'games'}\n"

    code = f"import petteia; petteia.solve_table(petteia.Reversi(4, 5), 6, {str(tmp_path / 'journal')!r})"
    result = run_on_a_full_disk(300, sys.executable, "-c", code)
    assert "OSError: [Errno 27] File too large" in result.stderr
    assert (tmp_path / "journal").read_text().endswith("\n")


@pytest.mark.parametrize("where", ["workers", "dask"])
def test_ctrl_c(where: str, cluster: Cluster, tmp_path: Path) -> None:
    if where == "workers":
        place = ["--workers", "2"]
    else:
        with cluster.connect(3) as client:
            place = ["--dask", client.scheduler.address]
    out = tmp_path / "games"
    words = ["quarto", "--games", "200000", "--out", str(out), "--shard", "500", "--bot", "myopic"]
    with subprocess.Popen(
        [COMMAND, "selfplay", *words, *place], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(lambda: list(out.glob("*.parquet")))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (130, "")
    assert errors == "petteia selfplay: interrupted; run the same command again to resume\n"
    begun = contents(out)
    assert 2 <= len(begun) < 401
    job = _selfplay.Job(bots.Myopic(), [petteia.Quarto()], 0, 10_000, "cells")
    name = next(name for name in begun if name.endswith(".parquet"))
    first = int(name.removeprefix("games-").removesuffix(".parquet"))
    assert begun[name] == _selfplay.make_shard(job, range(first, first + 500))
    if where == "dask":
        # The cluster has dropped the work and still serves others.
        with cluster.connect(3) as client:
            wait_for(lambda: not any(client.processing().values()))
            tally = petteia.playouts(petteia.TicTac(), 1000, executor=client.get_executor())
            assert tally == petteia.playouts(petteia.TicTac(), 1000)


def test_ctrl_c_does_not_wait_for_long_thoughts(tmp_path: Path) -> None:
    words = ["reversi", "--games", "4", "--out", str(tmp_path), "--bot", "mcts:1000000000", "--workers", "2"]
    with subprocess.Popen(
        [COMMAND, "selfplay", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        family = psutil.Process(process.pid)

        def thinkers() -> list[psutil.Process]:
            return [child for child in family.children() if sum(child.cpu_times()[:2]) > 1]

        wait_for(lambda: len(thinkers()) == 2)
        lost = thinkers()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (130, "")
    assert errors == "petteia selfplay: interrupted; run the same command again to resume\n"
    assert not any(child.is_running() for child in lost)
    assert list(contents(tmp_path)) == ["_selfplay.json"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "required: GAME, --games, --out: expected petteia selfplay"),
        (["chess", "--games", "1", "--out", "x"], "invalid choice: 'chess'"),
        (["tictac", "--out", "x"], "required: --games"),
        (["tictac", "--games", "1"], "required: --out"),
        (["tictac", "--games", "many", "--out", "x"], "--games: 'many' is not a number"),
        (["tictac", "--games", "0", "--out", "x"], "invalid games 0"),
        (["tictac", "--games", "1", "--out", "x", "--width", "3"], "--width: tictac has no such option"),
        (["tictac", "--games", "1", "--out", "x", "--bot", "clever"], "invalid player"),
        (["tictac", "--games", "1", "--out", "x", "--workers", "1", "--dask", "y"], "not allowed with"),
        (["tictac", "--games", "1", "--out", "x", "--workers", "0"], "expected a number from 1"),
        (["tictac", "--games", "1", "--out", "x", "--dask", "nonsense"], "no scheduler answers at nonsense"),
    ],
)
def test_the_command_complains(words: list[str], complaint: str, tmp_path: Path) -> None:
    result = run_command(*words, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("petteia selfplay: ")
    assert result.stderr.count("\n") == 1
    assert complaint in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_time_left_is_in_words_that_fit() -> None:
    said = {0: "0 s", 119: "119 s", 120: "2 min", 7199: "120 min", 7200: "2 h", 200_000: "2 days"}
    assert {seconds: _progress._time(seconds) for seconds in said} == said


def test_help_and_threads() -> None:
    def run(*words: str) -> tuple[int, str, str]:
        result = subprocess.run([COMMAND, *words], capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    for program in ("play", "check", "selfplay", "playouts", "match", "solve-table"):
        code, output, errors = run("help", program)
        assert (code, errors) == (0, "")
        assert output.startswith(f"usage: petteia {program}")
        assert run(program, "--help") == (code, output, errors)
    complaint = "petteia perft: --threads: each worker has one thread; expected more --workers instead\n"
    assert run("perft", "tictac", "3", "--threads", "2", "--workers=1") == (1, "", complaint)


@pytest.mark.parametrize("where", ["here", "workers", "dask"])
def test_programs_give_the_same_everywhere(where: str, cluster: Cluster, tmp_path: Path) -> None:
    place: list[str] = []
    if where == "workers":
        place = ["--workers", "2"]
    elif where == "dask":
        with cluster.connect(3) as client:
            place = ["--dask", client.scheduler.address]
    start, text = petteia.Reversi(4, 4), "____/_DL_/_LD_/____ D"

    def says(*words: str) -> str:
        result = subprocess.run([COMMAND, *words, *place], capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, ""), result.stderr
        return result.stdout

    size = ("--width", "4", "--height", "4")
    tally = petteia.playouts(start, 5000, seed=3)
    first, second = tally.wins
    won = (
        f"5,000 games, {first:,} won by the first player, {tally.draws:,} drawn, {second:,} won by the second"
    )
    assert says("playouts", "reversi", *size, "--games", "5000", "--seed", "3") == won + "\n"
    result = petteia.match(bots.Random(), bots.Myopic(), "tictac", 30, seed=5)
    assert says("match", "tictac", "random", "myopic", "--games", "30", "--seed", "5") == f"{result}\n"
    leaves = petteia.Reversi.from_text(text).perft(7)
    assert says("perft", "reversi", "7", "--from", text).startswith(f"{leaves} leaves, ")
    found = json.loads(says("perft", "reversi", "7", "--from", text, "--json"))
    assert {name: found[name] for name in ("game", "position", "depth", "leaves")} == {
        "game": "reversi",
        "position": text,
        "depth": 7,
        "leaves": leaves,
    }
    journal = tmp_path / "journal"
    words = ("solve-table", "reversi", *size, "--plies", "5", "--journal", str(journal))
    table = petteia.solve_table(start, 5, tmp_path / "other")
    best = " ".join(table.best_moves)
    line = f"value {table.value}, best {best}, from {len(table.values)} positions in {journal}\n"
    assert says(*words) == line
    assert sorted(journal.read_text().splitlines()) == sorted((tmp_path / "other").read_text().splitlines())
    assert says(*words) == line


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("playouts tictac", "required: --games"),
        ("playouts quarto --games 5 --from nonsense", "invalid quarto position"),
        ("playouts reversi --games 5 --width 4 --from x", "--width: cannot be combined with --from"),
        ("match tictac random --games 5", "required: BOT"),
        ("match tictac random clever --games 5", "invalid player"),
        ("perft reversi --workers 2", "required: DEPTH"),
        ("perft reversi 3 --dask nonsense", "no scheduler answers at nonsense"),
        ("solve-table tictac --plies 2 --journal /nowhere/journal", "/nowhere/journal"),
    ],
)
def test_programs_complain(words: str, complaint: str) -> None:
    result = subprocess.run([COMMAND, *words.split()], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"petteia {words.split()[0]}: ")
    assert result.stderr.count("\n") == 1
    assert complaint in result.stderr


def test_a_folder_is_one_table(tmp_path: Path) -> None:
    petteia.selfplay("tictac", 250, "random", 1, tmp_path, shard=100)
    games = pyarrow.parquet.read_table(tmp_path)["game"].to_pylist()
    assert sorted(games) == list(range(250))


def minimax(position: Any, known: dict[Any, int]) -> int:
    """Return the disc difference for the first player, by exhaustive search."""
    if position not in known:
        if position.is_over:
            cells = position.array
            known[position] = int((cells == 1).sum()) - int((cells == 2).sum())
        else:
            best = max if position.turn == petteia.Player.FIRST else min
            known[position] = best(minimax(position.play(action), known) for action in position.actions)
    return known[position]


@pytest.mark.parametrize("plies", [0, 1, 4, 6, 40])
def test_tables_fold_to_the_value(plies: int, tmp_path: Path) -> None:
    position = petteia.Reversi(4, 3)
    known: dict[Any, int] = {}
    value = minimax(position, known)
    best = [move for move in position.moves if known[position.play(move)] == value]
    steps: list[tuple[int, int | None]] = []
    table = petteia.solve_table(
        position, plies, tmp_path / "journal", threads=2, progress=lambda *step: steps.append(step)
    )
    assert (table.value, table.best_moves) == (value, best)
    for text, worth in table.values.items():
        leaf = petteia.Reversi.from_text(text)
        assert leaf.canonical() == leaf
        assert minimax(leaf, known) == (worth if leaf.turn == petteia.Player.FIRST else -worth)
    assert steps[0] == (0, len(table.values))
    assert steps[-1] == (len(table.values), len(table.values))


@pytest.mark.parametrize(
    "position", [petteia.Breakdown(3, 3, 2, 2), petteia.TicTac(first="O"), petteia.Reversi(3, 4)], ids=repr
)
def test_tables_of_every_game(position: Any, tmp_path: Path) -> None:
    solution = petteia.solve(position)
    table = petteia.solve_table(position, 3, tmp_path / "journal")
    assert (table.value, table.best_moves) == (solution.value, solution.best_moves)
    if isinstance(position, petteia.Reversi):
        solution = petteia.solve(position, empties_to_winner=True)
        table = petteia.solve_table(position, 3, tmp_path / "other", empties_to_winner=True)
        assert (table.value, table.best_moves) == (solution.value, solution.best_moves)


def test_tables_are_those_of_the_results(cluster: Cluster, tmp_path: Path) -> None:
    boards = re.findall(
        r"^\| (\d)x(\d) \| ([+-]\d+) \| ([+-]\d+) \|", (ROOT / "docs/results.md").read_text(), re.M
    )
    small = [
        numbers for numbers in (list(map(int, board)) for board in boards) if numbers[0] * numbers[1] <= 20
    ]
    assert len(small) > 10
    lines = [line.split()[:6] for line in (ROOT / "docs/results/breakdown.txt").read_text().splitlines()]
    sticks = [list(map(int, line)) for line in lines if line[:2] == ["4", "3"]]
    assert len(sticks) > 10
    with cluster.connect(3) as client:
        executor = client.get_executor()
        for width, height, *values in small:
            for to_winner, value in enumerate(values):
                start, journal = petteia.Reversi(width, height), tmp_path / f"{width}x{height} {to_winner}"
                table = petteia.solve_table(start, 5, journal, executor, empties_to_winner=bool(to_winner))
                assert table.value == value
        for width, height, stick, square, lower, upper in sticks:
            board = petteia.Breakdown(width, height, stick, square)
            if not board.is_over:
                table = petteia.solve_table(board, 2, tmp_path / f"{stick} {square}", executor)
                assert table.value == lower == upper


def test_a_journal_survives(tmp_path: Path) -> None:
    journal, whole = tmp_path / "journal", tmp_path / "whole"
    position = petteia.Reversi(4, 5)
    expected = petteia.solve_table(position, 6, whole)
    code = (
        "import petteia, time\n"
        f"petteia.solve_table(petteia.Reversi(4, 5), 6, {str(journal)!r}, "
        "progress=lambda done, total: time.sleep(0.05))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 2)
        process.kill()
    lines = journal.read_text().splitlines()
    assert len(lines) < len(whole.read_text().splitlines())
    with journal.open("a") as file:
        file.write(whole.read_text().splitlines()[-1][:20])
    done: list[int] = []
    table = petteia.solve_table(position, 6, journal, progress=lambda found, _: done.append(found))
    assert table == expected
    assert done[0] == len(lines) - 1
    assert sorted(journal.read_text().splitlines()) == sorted(whole.read_text().splitlines())

    for other in (5, 7):
        with pytest.raises(ValueError, match="journal of another job"):
            petteia.solve_table(position, other, journal)
    with journal.open("a") as file:
        file.write("nonsense\n")
    with pytest.raises(ValueError, match="'nonsense' is not a line of a journal"):
        petteia.solve_table(position, 6, journal)
    (tmp_path / "letter").write_text("Dear Sir")
    with pytest.raises(ValueError, match="is not a journal"):
        petteia.solve_table(position, 6, tmp_path / "letter")
    assert (tmp_path / "letter").read_text() == "Dear Sir"


def test_executors_are_left_as_they_were() -> None:
    with ThreadPoolExecutor(2) as pool:
        results: list[AbstractContextManager[Any] | petteia.Tally] = [
            petteia.playouts(petteia.TicTac(), 5000, executor=pool) for _ in range(2)
        ]
        assert results[0] == results[1]
        assert pool.submit(int, "5").result() == 5
