"""What all calls have in common: progress, seeds, threads, times, games, bots, errors."""

import contextlib
import io
import itertools
import math
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import numpy as np
import petteia
import pyarrow.parquet
import pytest
from games import exactly
from petteia import bots


class Paths:
    """Fresh names of files and folders."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0

    def __call__(self) -> Path:
        self.number += 1
        return self.folder / str(self.number)


@pytest.fixture
def path(tmp_path: Path) -> Paths:
    return Paths(tmp_path)


def first(position: Any) -> Any:
    """Play the first move."""
    return position.moves[0]


Call = Callable[..., Any]
START = petteia.TicTac.from_text("X_O/_X_/___ O")
QUARTO = petteia.Quarto()

# Every call that takes time, with what its arguments are if nothing else is asked for.
CALLS: dict[str, Callable[[Paths], Call]] = {
    "perft": lambda _: lambda game=START, depth=5, **rest: petteia.perft(game, depth, **rest),
    "playouts": lambda _: lambda game=START, n=3000, **rest: petteia.playouts(game, n, **rest),
    "solve": lambda _: lambda game=START, **rest: petteia.solve(game, **rest),
    "analyse": lambda _: lambda game=START, depth=3, **rest: petteia.analyse(game, depth=depth, **rest),
    "mcts": lambda _: lambda game=QUARTO, simulations=1500, **rest: petteia.mcts(game, simulations, **rest),
    "match": lambda _: (
        lambda a="random", b="myopic", game=START, games=60, **rest: petteia.match(a, b, game, games, **rest)
    ),
    "selfplay": lambda path: (
        lambda game=START, games=60, **rest: petteia.selfplay(
            game, games, **{"out": path(), "shard": 20, **rest}
        )
    ),
    "solve_table": lambda path: (
        lambda game=START, plies=3, **rest: petteia.solve_table(game, plies, **{"journal": path(), **rest})
    ),
}
SEEDED = ["playouts", "mcts", "match", "selfplay"]
EXECUTED = ["perft", "playouts", "match", "selfplay", "solve_table"]
every = pytest.mark.parametrize("name", CALLS)


def made(name: str, path: Paths) -> Call:
    return CALLS[name](path)


# Progress


@every
@pytest.mark.parametrize("where", ["here", "threads", "executor"])
def test_progress_is_done_and_total(name: str, where: str, path: Paths) -> None:
    told: list[tuple[int, int | None]] = []
    call = made(name, path)
    if where == "executor":
        if name not in EXECUTED:
            return
        with ThreadPoolExecutor(2) as executor:
            call(progress=lambda done, total: told.append((done, total)), executor=executor)
    else:
        call(progress=lambda done, total: told.append((done, total)), threads=1 + (where == "threads"))
    assert told
    done = [done for done, _ in told]
    assert done == sorted(done)
    last, total = told[-1]
    assert last == total
    # Nobody knows how many nodes a search takes, or how many sequences there are.
    known = {total for _, total in told[:-1]}
    assert known <= ({None} if name in ("solve", "analyse", "perft") and where != "executor" else {total})
    counted = {"playouts": 3000, "mcts": 1500, "match": 60, "selfplay": 60}
    assert name not in counted or last == counted[name]


def test_what_progress_counts(path: Paths) -> None:
    told: list[tuple[int, int | None]] = []

    def tell(done: int, total: int | None) -> None:
        told.append((done, total))

    assert petteia.perft("tictac", 4, progress=tell) == 3024
    assert told[-1] == (3024, 3024)
    assert petteia.perft("tictac", 4, progress=tell, table_mb=1) == 3024
    assert told[-1] == (3024, 3024)
    nodes = petteia.solve(START, progress=tell).nodes
    assert told[-1] == (nodes, nodes)
    # A solved position needs fewer simulations than it was given.
    played = petteia.mcts(START, 10**9, progress=tell).simulations
    assert told[-1] == (played, played)
    files = petteia.selfplay("tictac", 40, out=path.folder / "games", shard=20)
    told.clear()
    assert petteia.selfplay("tictac", 40, out=path.folder / "games", shard=20, progress=tell) == files
    assert told == [(40, 40)]


@every
def test_an_exception_of_progress_ends_the_call(name: str, path: Paths) -> None:
    def fail(done: int, total: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        made(name, path)(progress=fail)


@every
def test_progress_can_be_a_bar(name: str, path: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    # As if tqdm was not installed.
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    units = {"perft": "sequences", "mcts": "simulations", "solve_table": "positions"}
    unit = units.get(name, "nodes" if name in ("solve", "analyse") else "games")
    call = made(name, path)
    for stderr in (io.StringIO(), Terminal()):
        monkeypatch.setattr(sys, "stderr", stderr)
        result = call(progress=True)
        lines = stderr.getvalue().splitlines()
        assert lines and unit in lines[-1]
        if not stderr.isatty():
            assert len(lines) == 1 and lines[0].endswith(" s")
        else:
            # All is done.
            assert "[########################] " in stderr.getvalue()
            assert stderr.getvalue().endswith("\n")
    for none in (None, False):
        silent = io.StringIO()
        monkeypatch.setattr(sys, "stderr", silent)
        assert type(call(progress=none)) is type(result)
        assert silent.getvalue() == ""
    # A program without a console has no stderr.
    monkeypatch.setattr(sys, "stderr", None)
    call(progress=True)


def test_progress_uses_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    class Tqdm:
        def __init__(self, **options: Any) -> None:
            self.n, self.total = 0, None
            seen.append(self)

        def update(self, more: int) -> None:
            self.n += more

        def close(self) -> None:
            seen.append("closed")

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    module = type(sys)("tqdm.auto")
    module.tqdm = Tqdm  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", type(sys)("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    monkeypatch.setattr(sys, "stderr", Terminal())
    petteia.playouts("reversi", 50_000, progress=True)
    bar, closed = seen
    assert (bar.n, bar.total, closed) == (50_000, 50_000, "closed")


def test_a_solver_tells_its_bounds() -> None:
    told: list[tuple[int, int]] = []
    position = petteia.Reversi.from_text("____/_LD_/_DL_/____ D")
    solution = petteia.solve(position, bounds=lambda lower, upper: told.append((lower, upper)))
    assert told[0] == (-16, 16)
    assert told[-1] == (solution.value, solution.value) == (-8, -8)
    assert all(old != new for old, new in itertools.pairwise(told))
    assert [lower for lower, _ in told] == sorted(lower for lower, _ in told)
    assert [upper for _, upper in told] == sorted((upper for _, upper in told), reverse=True)
    told.clear()
    petteia.solve("reversi", node_limit=1000, bounds=lambda lower, upper: told.append((lower, upper)))
    assert told == [(-64, 64)]
    with pytest.raises(TypeError, match=r"^expected bounds as a function of two bounds, not int$"):
        petteia.solve(START, bounds=5)  # type: ignore[arg-type]


# Seeds


def outcome_of(name: str, result: Any) -> Any:
    """Return what depends on the seed."""
    if name == "selfplay":
        return [path.read_bytes() for path in result]
    return result


def seed_of(name: str, result: Any) -> int:
    if name == "selfplay":
        import json

        seed = json.loads((result[0].parent / "_selfplay.json").read_bytes())["seed"]
    else:
        seed = result.seed
    assert isinstance(seed, int)
    return seed


@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_can_be_read_and_used_again(name: str, path: Paths) -> None:
    call = made(name, path)
    assert outcome_of(name, call(seed=7)) == outcome_of(name, call(seed=7))
    assert seed_of(name, call(seed=7)) == 7
    assert seed_of(name, call()) == 0
    fresh = [call(seed=None) for _ in range(4)]
    seeds = [seed_of(name, one) for one in fresh]
    assert len(set(seeds)) == 4
    for seed, one in zip(seeds, fresh):
        assert 0 <= seed < 2**53
        assert outcome_of(name, call(seed=seed)) == outcome_of(name, one)


PLAYERS: dict[str, Callable[..., bots.Computer]] = {
    "random": bots.Random,
    "myopic": bots.Myopic,
    "mcts": lambda **rest: bots.Mcts(20, **rest),
    "perfect": lambda **rest: bots.Perfect(1000, **rest),
    "alphabeta": lambda **rest: bots.AlphaBeta(nodes=100, **rest),
    "level": lambda **rest: bots.Level(1, **rest),
    "named": lambda **rest: bots.named("random", **rest),
}


@pytest.mark.parametrize("player", PLAYERS)
def test_a_bot_has_a_fresh_seed(player: str) -> None:
    def game(bot: bots.Computer) -> list[str]:
        position, moves = petteia.Reversi(), []
        for _ in range(12):
            moves.append(bot.choose(position))
            position = position.play(moves[-1])
        return moves

    make = PLAYERS[player]
    fresh = [make() for _ in range(6)]
    assert len({bot.seed for bot in fresh}) == 6
    if player in ("random", "named"):
        assert len({tuple(game(bot)) for bot in fresh}) == 6
    again = make(seed=fresh[0].seed)
    assert game(fresh[0].seeded(fresh[0].seed)) == game(again)
    assert make(seed=3).seed == 3
    assert make(seed=None).seed != make(seed=None).seed
    assert pickle.loads(pickle.dumps(again)).seed == again.seed


def test_the_documents_player_may_have_a_fresh_seed() -> None:
    from petteia.quarto import Board, MyopicPlayer, Pool

    assert MyopicPlayer(Board(), Pool()).seed == 0
    seeds = {MyopicPlayer(Board(), Pool(), None).seed for _ in range(4)}
    assert len(seeds) == 4
    for seed in seeds:
        choices = [str(MyopicPlayer(Board(), Pool(), seed).select_piece()) for _ in range(2)]
        assert choices[0] == choices[1]


def test_a_fresh_seed_of_selfplay_is_kept_for_resuming(path: Paths) -> None:
    out = path()
    files = petteia.selfplay("tictac", 60, seed=None, out=out, shard=20)
    before = [file.read_bytes() for file in files]
    files[1].unlink()
    assert petteia.selfplay("tictac", 60, seed=None, out=out, shard=20) == files
    assert [file.read_bytes() for file in files] == before


def test_a_tally_keeps_its_seed_and_is_a_value_all_the_same() -> None:
    tally = petteia.playouts("tictac", 10, seed=5)
    assert tally.seed == 5
    assert pickle.loads(pickle.dumps(tally)).seed == 5
    same = petteia.Tally(tally.wins, tally.draws, tally.plies)
    assert same.seed is None
    assert same == tally
    assert hash(same) == hash(tally)
    assert (tally + tally).seed is None


# Threads


@every
def test_no_number_of_threads_is_all_cores(name: str, path: Paths) -> None:
    call = made(name, path)
    assert type(call(threads=None)) is type(call(threads=1))


def test_threads_of_a_position() -> None:
    assert petteia.Reversi().perft(6, threads=None) == petteia.perft("reversi", 6)


# Times


def test_playouts_stop_in_time() -> None:
    told: list[tuple[int, int | None]] = []
    for threads in (1, 2):
        start = time.monotonic()
        tally = petteia.playouts(
            "reversi", 10**12, 3, time=0.3, threads=threads, progress=lambda *step: told.append(step)
        )
        assert 0.25 < time.monotonic() - start < 5
        assert tally.games > 100
        assert tally == petteia.playouts("reversi", tally.games, 3)
        assert told[-1] == (tally.games, tally.games)
    assert petteia.playouts("tictac", 100, time=60).games == 100
    # A game that takes seconds is given up.
    start = time.monotonic()
    assert petteia.playouts(petteia.Breakdown(500, 500, 2, 60), 1, time=0.05).games == 0
    assert time.monotonic() - start < 5


def test_playouts_of_an_executor_stop_in_time() -> None:
    with ThreadPoolExecutor(2) as executor:
        start = time.monotonic()
        tally = petteia.playouts("reversi", 10**12, 3, executor=executor, time=0.5)
        assert time.monotonic() - start < 8
    assert tally.games > 10
    assert tally == petteia.playouts("reversi", tally.games, 3)


@pytest.mark.parametrize("where", ["here", "threads", "executor"])
def test_matches_stop_in_time(where: str) -> None:
    def play(games: int, **rest: Any) -> bots.MatchResult:
        return petteia.match("myopic", "random", "reversi", games, seed=4, **rest)

    start = time.monotonic()
    if where == "executor":
        with ProcessPoolExecutor(2) as executor:
            result = play(10**9, time=2, executor=executor)
    else:
        result = play(10**9, time=0.5, threads=1 + (where == "threads"))
    assert time.monotonic() - start < 8
    assert 0 < result.games < 10**9
    assert result == play(result.games)
    with pytest.raises(TimeoutError, match=r"^no game was over in 0\.05 s"):
        petteia.match("mcts:1000000000", "random", "reversi", 4, time=0.05)


def test_counts_and_tables_say_that_the_time_is_up(path: Paths) -> None:
    ways: list[dict[str, Any]] = [{}, {"threads": 2}, {"table_mb": 1}]
    for where in ways:
        start = time.monotonic()
        with exactly(TimeoutError, r"^not all sequences were counted in 0\.1 s"):
            petteia.perft("reversi", 60, time=0.1, **where)
        assert time.monotonic() - start < 5
    with ThreadPoolExecutor(2) as executor, exactly(TimeoutError, r"counted in 0\.3 s"):
        petteia.perft("quarto", 12, time=0.3, executor=executor)
    assert petteia.perft("tictac", 4, time=60) == 3024
    journal = path()
    with pytest.raises(
        TimeoutError, match=r"of \d+ positions were solved in 0\.001 s: the same call goes on"
    ):
        petteia.solve_table(petteia.Reversi(4, 4), 7, journal, time=0.001)
    lines = journal.read_bytes().count(b"\n")
    for doubled in range(10):
        with contextlib.suppress(TimeoutError):
            petteia.solve_table(petteia.Reversi(4, 4), 7, journal, time=0.002 * 2**doubled)
        assert journal.read_bytes().count(b"\n") >= lines
        lines = journal.read_bytes().count(b"\n")
    table = petteia.solve_table(petteia.Reversi(4, 4), 7, journal)
    assert table.value == petteia.solve(petteia.Reversi(4, 4)).value


def test_selfplay_stops_in_time(path: Paths) -> None:
    out = path()
    start = time.monotonic()
    files = petteia.selfplay("reversi", 10**6, "mcts:50", out=out, shard=10, time=2)
    assert time.monotonic() - start < 10
    assert 0 < len(files) < 10**5
    assert sorted(out.glob("*.parquet")) == files
    more = petteia.selfplay("reversi", 10**6, "mcts:50", out=out, shard=10, time=2)
    assert more[: len(files)] == files
    assert len(more) > len(files)


def test_a_bot_of_ones_own_is_stopped_amid_its_search() -> None:
    def think(position: Any) -> str:
        return petteia.mcts(position, 10**12).best_move

    start = time.monotonic()
    with pytest.raises(TimeoutError):
        petteia.match(think, "random", "reversi", 2, time=0.2)
    assert time.monotonic() - start < 8
    # What is called afterwards has its own time.
    assert petteia.mcts("reversi", 100).simulations == 100
    with pytest.raises(TimeoutError, match="mine"):
        petteia.match(_complain, "random", "reversi", 2, time=60)


def _complain(position: Any) -> str:
    raise TimeoutError("mine")


# Games and bots


@every
def test_a_game_is_a_name_or_a_position(name: str, path: Paths) -> None:
    call = made(name, path)
    small = {"solve_table": {"plies": 1}, "mcts": {"simulations": 50}}.get(name, {})
    named, started = (call(game=game, **small) for game in ("tictac", petteia.TicTac()))
    if name == "selfplay":
        assert outcome_of(name, named) == outcome_of(name, started)
    elif name in ("solve", "analyse"):
        # Only the time differs.
        assert named[0] == started[0]
    else:
        assert named == started
    with exactly(ValueError, "invalid game 'chess': expected one of tictac, breakdown, reversi, quarto"):
        call(game="chess")
    for wrong in (5, None, petteia.TicTac):
        with pytest.raises(TypeError, match=r"\bposition\b"):
            call(game=wrong)


def test_evaluate_takes_names() -> None:
    assert petteia.evaluate("reversi") == petteia.evaluate(petteia.Reversi())


class First:
    def choose(self, position: Any) -> str:
        return str(first(position))


@pytest.mark.parametrize("given", ["object", "function", "lambda", "actions", "name"])
def test_a_bot_is_an_object_a_name_or_a_function(given: str, path: Paths) -> None:
    kinds: dict[str, petteia.BotLike] = {
        "object": First(),
        "function": first,
        "lambda": lambda position: position.moves[0],
        "actions": lambda position: position.actions[0],
    }
    if given == "name":
        assert petteia.match("myopic", "random", "tictac", 20) == petteia.match(
            bots.Myopic(), bots.Random(), "tictac", 20
        )
        return
    bot, same = kinds[given], First()
    for a, b, c, d in ((bot, "random", same, "random"), ("random", bot, "random", same)):
        assert petteia.match(a, b, "reversi", 10).counts == petteia.match(c, d, "reversi", 10).counts
    files = [petteia.selfplay("reversi", 4, one, out=path()) for one in (bot, same)]
    # The metadata says whose games they are.
    tables = [[pyarrow.parquet.read_table(file).to_pydict() for file in one] for one in files]
    assert tables[0] == tables[1] and tables[0][0]["game"] == [0, 1, 2, 3]


def test_a_function_is_shown_by_its_name() -> None:
    result = petteia.match(first, "random", "tictac", 2)
    assert result.bots == ("first", "Random()")
    with ProcessPoolExecutor(1) as executor:
        assert petteia.match(first, "random", "tictac", 2, executor=executor) == result


@pytest.mark.parametrize("wrong", [5, None, bots.Random, First])
def test_what_is_no_bot(wrong: Any, path: Paths) -> None:
    shown = f"the class {wrong.__name__}" if isinstance(wrong, type) else type(wrong).__name__
    calls: dict[str, Callable[[], object]] = {
        "a": lambda: petteia.match(wrong, "random", "tictac"),
        "b": lambda: petteia.match("random", wrong, "tictac"),
        "bot": lambda: petteia.selfplay("tictac", 1, wrong, out=path()),
    }
    for name, call in calls.items():
        with exactly(TypeError, f"^expected {name} as a bot with a method choose, .* not {shown}$"):
            call()


def test_opponents_of_gymnasium() -> None:
    import petteia.gymnasium

    def game(opponent: petteia.BotLike, seed: int) -> str:
        env = petteia.gymnasium.Env("reversi", opponent=opponent, player=0)
        env.reset(seed=seed)
        while not env.position.is_over:
            env.step(env.position.actions[0])
        return env.position.text

    assert game(First(), 1) == game(first, 1) == game(First(), 2)
    assert game("myopic", 1) == game("myopic", 1) == game(bots.Myopic(), 1) != game("myopic", 2)
    assert game("random", 1) == game("random", 1) != game("random", 2)
    with exactly(TypeError, "^expected opponent as a bot .* not int$"):
        petteia.gymnasium.Env("reversi", opponent=5)  # type: ignore[arg-type]


# Errors


NUMBERS: dict[str, dict[str, tuple[int, int]]] = {
    "perft": {"depth": (0, 2**16 - 1), "threads": (1, 2**64 - 1), "table_mb": (1, 2**30)},
    "playouts": {"n": (0, 2**60), "seed": (0, 2**64 - 1), "threads": (1, 2**64 - 1)},
    "solve": {"threads": (1, 2**64 - 1), "node_limit": (0, 2**64 - 1), "table_mb": (1, 2**40)},
    "analyse": {
        "depth": (1, 2**32 - 1),
        "nodes": (1, 2**64 - 1),
        "lines": (1, 2**64 - 1),
        "threads": (1, 2**64 - 1),
    },
    "mcts": {"simulations": (1, 2**60), "seed": (0, 2**64 - 1), "threads": (1, 2**64 - 1)},
    "match": {
        "games": (1, 2**64 - 1),
        "seed": (0, 2**64 - 1),
        "threads": (1, 2**64 - 1),
        "max_plies": (1, 2**64 - 1),
    },
    "selfplay": {
        "games": (1, 2**64 - 1),
        "seed": (0, 2**64 - 1),
        "threads": (1, 2**64 - 1),
        "max_plies": (1, 2**64 - 1),
        "shard": (1, 2**64 - 1),
    },
    "solve_table": {"plies": (0, 2**64 - 1), "threads": (1, 2**64 - 1), "table_mb": (1, 2**40)},
}


@pytest.mark.parametrize(
    ("name", "what", "least", "most"),
    [(name, what, *limits) for name, known in NUMBERS.items() for what, limits in known.items()],
)
def test_numbers(name: str, what: str, least: int, most: int, path: Paths) -> None:
    wrong: Any
    call = made(name, path)
    for wrong in (True, False, 1.0, math.nan, "1", b"1", [], 1j, object()):
        with exactly(TypeError, f"^expected {what} as an int, not {type(wrong).__name__}$"):
            call(**{what: wrong})
    for wrong in (least - 1, -1, most + 1, 2**64, 10**30, -(10**5000)):
        with exactly(ValueError, f"^invalid {what} .*: expected {least} to {most}$"):
            call(**{what: wrong})


@pytest.mark.parametrize("name", [name for name in CALLS if name != "solve"])
def test_times(name: str, path: Paths) -> None:
    wrong: Any
    call = made(name, path)
    for wrong in (True, "1", b"1", [], 1j):
        with exactly(TypeError, f"^expected time as a number of seconds, not {type(wrong).__name__}$"):
            call(time=wrong)
    for wrong in (0, -1, -0.5, math.nan, math.inf, 10**400, -(10**400), 1e10):
        with exactly(ValueError, "^invalid time .*: expected more than 0 and at most 1e9 seconds$"):
            call(time=wrong)


@every
@pytest.mark.parametrize("wrong", [5, 0, 1, "bar", []])
def test_wrong_progress(name: str, wrong: Any, path: Paths) -> None:
    with exactly(TypeError, f"^expected progress as a function .* not {type(wrong).__name__}$"):
        made(name, path)(progress=wrong)


@pytest.mark.parametrize("name", EXECUTED)
def test_wrong_executors(name: str, path: Paths) -> None:
    with exactly(TypeError, r"^expected an executor of concurrent\.futures, not int$"):
        made(name, path)(executor=5)


def test_other_errors_name_the_argument(path: Paths) -> None:
    wrong: Any = True
    calls: dict[str, Callable[[], object]] = {
        "time_limit": lambda: petteia.solve(START, time_limit=wrong),
        "all_best": lambda: petteia.solve(START, all_best=5),  # type: ignore[arg-type]
        "evaluator": lambda: petteia.mcts(START, 10, evaluator=wrong),
        "out": lambda: petteia.selfplay("tictac", 1, out=wrong),
        "width": lambda: petteia.Reversi(wrong, 8),
        "stick": lambda: petteia.game("breakdown", stick=wrong),
        "first": lambda: petteia.TicTac(wrong),
        "move": lambda: petteia.TicTac().play(wrong),
        "action": lambda: petteia.TicTac().move(wrong),
        "symmetry": lambda: petteia.TicTac().transform(wrong),
        "theme": lambda: petteia.TicTac().svg(theme=wrong),
        "num_envs": lambda: petteia.VectorEnv("tictac", wrong),
        "illegal": lambda: petteia.VectorEnv("tictac", 1, illegal=wrong),
        "lane": lambda: petteia.VectorEnv("tictac", 1).position(wrong),
        "simulations": lambda: bots.Mcts(wrong),
        "nodes": lambda: bots.Perfect(wrong),
        "depth": lambda: bots.AlphaBeta(wrong),
        "level": lambda: bots.Level(wrong),
        "seed": lambda: bots.Random(wrong),
        "name": lambda: bots.named(wrong),
        "wins": lambda: petteia.Tally((wrong, 0)),
        "text": lambda: petteia.TicTac.from_text(wrong),
        "winner": lambda: petteia.Outcome(wrong),
        "line": lambda: petteia.tictac.parse_move(wrong),
        "records": lambda: petteia.tictac.evaluate_many(wrong),
        "player": lambda: petteia.tictac.parse_move("1 X B2").__class__(1, wrong, "B2"),
        "next": lambda: setattr(petteia.breakdown.Game(2, 2, 4, 5), "next", wrong),
        "position": lambda: petteia.reversi.Model().find_move(wrong),
        "journal": lambda: petteia.solve_table(START, 1, wrong),
        "empties_to_winner": lambda: petteia.solve(START, empties_to_winner=1),  # type: ignore[arg-type]
        "kind": lambda: petteia.breakdown.Board(2, 2, wrong),
        "col": lambda: petteia.breakdown.Game(2, 2, 4, 5).drop_stick(wrong, 1),
        "number": lambda: petteia.tictac.parse_move("1 X B2").__class__(wrong, "X", "B2"),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError) as caught:
            call()
        # In the message itself: Python 3.10 has no notes.
        assert re.search(rf"\b{name}\b", str(caught.value)), name


def test_the_seed_of_a_check() -> None:
    from petteia.check import check

    told: list[tuple[int, int | None]] = []
    results: list[str] = []
    target = str(Path(__file__).parent.parent / "zoo" / "tictac.py") + ":TicTac"
    report = check(
        "position",
        target,
        games=2,
        seed=None,
        progress=lambda *step: told.append(step),
        on_result=lambda result: results.append(result.rule.name),
    )
    assert told[-1] == (len(report.results), len(report.results))
    assert results == [result.rule.name for result in report.results]
    assert check("position", target, games=2, seed=report.seed).seed == report.seed
    with exactly(TypeError, "^expected games as an int, not str$"):
        check("position", target, games="2")  # type: ignore[arg-type]


# Solutions


def test_a_value_is_none_while_it_is_unknown() -> None:
    unknown = petteia.solve("reversi", node_limit=1000)
    assert (unknown.value, unknown.exact, unknown.lower, unknown.upper) == (None, False, -64, 64)
    assert str(unknown).startswith("value from -64 to 64: a limit was hit\n")
    assert "value=None" in repr(unknown)
    known = petteia.solve(START)
    assert known.value == known.lower == known.upper == 0
    assert str(known).startswith("value 0\nbest C3\nline C3 B3 ")
    # Some bounds are better than none.
    some = [petteia.solve(petteia.Reversi(4, 5), node_limit=limit) for limit in range(0, 400_000, 20_000)]
    assert any(one.value is None and one.lower > -20 for one in some)
    for one in some:
        assert one.value == (one.lower if one.lower == one.upper else None)
        assert one.lower <= 16 <= one.upper


# Illegal moves


def in_a_match() -> None:
    petteia.match(lambda position: "z9", "random", "reversi", 1)


def in_selfplay(folder: Path) -> None:
    petteia.selfplay("reversi", 1, lambda position: "z9", out=folder)


def in_gymnasium() -> None:
    import petteia.gymnasium

    env = petteia.gymnasium.Env("reversi", player=0, illegal="raise")
    env.reset()
    env.step(0)


def in_an_opponent() -> None:
    import petteia.gymnasium

    petteia.gymnasium.Env("reversi", opponent=lambda position: 0, player=1).reset()


def in_a_vector_of_gymnasium() -> None:
    import petteia.gymnasium

    env = petteia.gymnasium.VectorEnv("reversi", 2)
    env.reset()
    env.step(petteia.VectorEnv("reversi", 2).random_actions() * 0)


def in_pettingzoo() -> None:
    import petteia.pettingzoo

    env = petteia.pettingzoo.raw_env("reversi")
    env.reset()
    env.step(0)


def in_openspiel() -> None:
    import petteia.openspiel  # noqa: F401
    import pyspiel

    pyspiel.load_game("petteia_reversi").new_initial_state().apply_action(0)


START_TEXT = petteia.Reversi().text
ILLEGAL: dict[str, tuple[Callable[[Path], object], Any]] = {
    "play": (lambda _: petteia.Reversi().play("a1"), "a1"),
    "play an action": (lambda _: petteia.Reversi().play(0), 0),
    "play what cannot be read": (lambda _: petteia.Reversi().play("z9"), "z9"),
    "play what is too large": (lambda _: petteia.Reversi().play(10**30), 10**30),
    "record": (lambda _: petteia.Record(petteia.Reversi(), ["a1"]), "a1"),
    "record of what cannot be read": (lambda _: petteia.Record(petteia.Reversi(), ["z9"]), "z9"),
    "record of an action": (lambda _: petteia.Record(petteia.Reversi()).play(0), 0),
    "text of a record": (lambda _: petteia.Record.from_text("reversi 8 8: a1"), "a1"),
    "step": (lambda _: petteia.VectorEnv("reversi", 2).step([0, 0]), 0),
    "match": (lambda _: in_a_match(), "z9"),
    "selfplay": (in_selfplay, "z9"),
    "gymnasium": (lambda _: in_gymnasium(), 0),
    "an opponent": (lambda _: in_an_opponent(), 0),
    "gymnasium's vector": (lambda _: in_a_vector_of_gymnasium(), 0),
    "pettingzoo": (lambda _: in_pettingzoo(), 0),
    "openspiel": (lambda _: in_openspiel(), 0),
    "a model": (lambda _: petteia.reversi.Model().play_move((0, 0)), (0, 0)),
    "a model, off the board": (lambda _: petteia.reversi.Model().play_move((-1, 9)), (-1, 9)),
}


@pytest.mark.parametrize("way", ILLEGAL)
def test_illegal_moves_say_what_where_and_of_which_game(way: str, tmp_path: Path) -> None:
    call, move = ILLEGAL[way]
    with pytest.raises(petteia.IllegalMove) as caught:
        call(tmp_path)
    error = caught.value
    assert (error.move, error.position, error.game) == (move, START_TEXT, "reversi")
    assert type(error.move) is type(move)
    again = pickle.loads(pickle.dumps(error))
    assert (again.move, again.position, again.game) == (move, START_TEXT, "reversi")


def test_illegal_moves_of_other_games() -> None:
    with pytest.raises(petteia.InvalidMove) as caught:
        petteia.tictac.evaluate("1 X B2\n2 O B2\n")
    error = caught.value
    assert (error.move, error.position, error.game, error.ply) == ("2 O B2", "___/_X_/___ O", "tictac", 2)


# Types


def test_the_names_of_games_are_those_of_the_engine() -> None:
    assert get_args(petteia.GameName) == tuple(petteia.GAMES)


def test_public_types_are_there_at_run_time() -> None:
    for name in ("AnyGame", "Bot", "BotLike", "GameLike", "GameName", "Progress"):
        assert name in petteia.__all__
        assert getattr(petteia, name) is not None


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda wrong: petteia.TicTac().svg(legal=wrong), "legal"),
        (lambda wrong: petteia.Record(petteia.TicTac(), wrong), "moves"),
        (lambda wrong: petteia.Record.from_text(wrong), "text"),
        (lambda wrong: petteia.Record.from_ggf(wrong), "text"),
        (lambda wrong: petteia.VectorEnv("tictac", 2).set_state(wrong), "state"),
        (lambda wrong: petteia.breakdown.Board.from_rows(wrong), "rows"),
        (lambda wrong: petteia.reversi.Board.from_rows(wrong), "rows"),
        (lambda wrong: petteia.reversi.PositionSet(wrong), "positions"),
    ],
)
def test_a_type_error_names_the_argument_in_its_message(call: Callable[[Any], object], name: str) -> None:
    for wrong in (5, None, 1.5):
        with pytest.raises(TypeError, match=rf"^expected {name} as .*, not {type(wrong).__name__}$"):
            call(wrong)


def test_progress_outlives_its_reader() -> None:
    played = (
        "import os, sys, petteia\n"
        "if sys.argv[1] == 'pipe':\n"
        "    read, write = os.pipe()\n"
        "    os.dup2(write, 2)\n"
        "    os.close(read)\n"
        "else:\n"
        "    sys.stderr.close()\n"
        "print(petteia.playouts('tictac', 1000, progress=True).games)\n"
    )
    for way in ("pipe", "closed"):
        done = subprocess.run([sys.executable, "-c", played, way], capture_output=True, text=True, timeout=60)
        assert done.stdout == "1000\n", done


def test_moves_and_values_of_bots_in_selfplay(path: Paths) -> None:
    class Valued:
        value: Any = 0.5

        def choose(self, position: Any) -> Any:
            return np.int64(position.actions[0])

    def table(bot: Any) -> dict[str, list[Any]]:
        (file,) = petteia.selfplay("tictac", 2, bot, out=path())
        return dict(pyarrow.parquet.read_table(file).to_pydict())

    assert table(Valued())["values"] == [[0.5] * 7] * 2
    Valued.value = lambda self: 0.5
    assert table(Valued())["moves"] == table(first)["moves"]
    for wrong in (5.0, math.nan, "x"):
        Valued.value = wrong
        with pytest.raises(ValueError, match=r"^invalid value .* of the bot .*: expected -1 to 1, or None$"):
            table(Valued())
