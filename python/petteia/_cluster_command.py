"""The programs for work that takes hours: their arguments, where they run, and what they show."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from ._extras import extra
from ._games import DECLARED, GAMES
from ._selfplay import FORMS, selfplay

if TYPE_CHECKING:
    from concurrent.futures import Executor

BOTS = "random, myopic, mcts or mcts:SIMULATIONS, perfect or perfect:NODES"
CONNECTING = 10
"""How many seconds a scheduler has to answer."""
RESUME = "the same command again goes on from here"


class Wrong(Exception):
    """Something is wrong with the arguments, or with what they name."""


class Arguments(argparse.ArgumentParser):
    """Arguments with complaints of one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and how the program is called."""
        usage = self.format_usage().removeprefix("usage: ")
        raise Wrong(f"{message}: expected {' '.join(usage.split())}")


def main(program: str, words: Sequence[str]) -> int:
    """Run a program as the arguments say; return the exit code."""
    arguments = _arguments(program)
    _, _, perform, can_resume = PROGRAMS[program]
    bar = Bar()
    try:
        given = arguments.parse_args(words)
        with _executor(given.workers, given.dask) as executor:
            result = perform(given, executor, bar)
    except KeyboardInterrupt:
        complaint, code = "interrupted", 130
    except (Wrong, ValueError, OSError, ModuleNotFoundError, MemoryError, OverflowError) as error:
        complaint, code, can_resume = str(error), 1, False
    except RuntimeError as error:
        # The executor is broken, and says how.
        complaint, code = str(error), 1
    else:
        bar.end()
        print(result)
        return 0
    bar.end()
    resume = f"; {RESUME}" if can_resume else ""
    print(f"{arguments.prog}: {' '.join(complaint.split())}{resume}", file=sys.stderr)
    return code


def _arguments(program: str) -> Arguments:
    about, example, _, _ = PROGRAMS[program]
    arguments = Arguments(
        prog=f"petteia {program}", description=about, epilog=f"Example: {example}", allow_abbrev=False
    )
    add = arguments.add_argument
    add("game", metavar="GAME", choices=GAMES, help=f"one of {', '.join(GAMES)}")
    if program == "match":
        for name in ("bot", "other"):
            add(name, metavar="BOT", help=BOTS)
    if program == "perft":
        add("depth", metavar="DEPTH", type=_number, help="the number of plies")
    if program in ("selfplay", "playouts", "match"):
        add("--games", metavar="N", type=_number, required=True, help="how many games are played")
        add("--seed", metavar="N", type=_number, default=0, help="fixes the random choices (0)")
    if program == "selfplay":
        add("--out", metavar="FOLDER", required=True, help="where the files go")
        add("--bot", metavar="NAME", default="random", help=f"who plays: {BOTS} (random unless told)")
        add("--shard", metavar="N", type=_number, help="how many games go into a file (about a second's)")
        add("--max-plies", metavar="N", type=_number, default=10_000, help="when a game is stopped (10,000)")
        forms = "how positions are written: cells, packed into bytes (unless told), text, or none at all"
        add("--positions", metavar="FORM", choices=(*FORMS, "none"), default="cells", help=forms)
    add("--from", metavar="TEXT", dest="text", help="a position's text instead of the start")
    if program == "solve-table":
        add("--plies", metavar="N", type=_number, required=True, help="after how many plies it is cut")
        add("--journal", metavar="FILE", required=True, help="what is known, and where it goes on from")
        add("--empties-to-winner", action="store_true", help="counts empty squares for the winner (Reversi)")
    if program in ("perft", "solve-table"):
        add("--table", metavar="MB", type=_number, help="the table's size in megabytes, for each worker")
    if program == "perft":
        add("--json", action="store_true", help="prints one JSON object")
        add("--threads", metavar="N", help=argparse.SUPPRESS)
    for name, about in _parameters().items():
        add(f"--{name}", metavar=name.upper(), dest=f"parameter {name}", help=about)
    where = arguments.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=_number, help="runs on processes of this machine")
    where.add_argument("--dask", metavar="ADDRESS", help="runs on the workers of a Dask scheduler")
    return arguments


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 20


def _number(word: str) -> int:
    if not _is_number(word):
        raise argparse.ArgumentTypeError(f"{word!a} is not a number")
    return int(word)


def _parameters() -> dict[str, str]:
    """Return what the parameters of all games are, and which games have them, by their names."""
    found: dict[str, dict[str, list[str]]] = {}
    for declared in DECLARED.values():
        for parameter in declared.parameters:
            found.setdefault(parameter.name, {}).setdefault(parameter.about, []).append(declared.title)
    return {
        name: "; ".join(f"{about[0].lower()}{about[1:]} ({', '.join(games)})" for about, games in has.items())
        for name, has in found.items()
    }


def _position(given: Any) -> Any:
    """Return the position that the arguments name."""
    values = _values(given)
    if getattr(given, "text", None) is None:
        return GAMES[given.game](**values)
    if values:
        raise Wrong(f"--{next(iter(values))}: the text after --from tells it already")
    return GAMES[given.game].from_text(given.text)


def _values(given: Any) -> dict[str, int | str]:
    """Return the values of the game's parameters that are given."""
    has = {parameter.name: parameter for parameter in DECLARED[given.game].parameters}
    values: dict[str, int | str] = {}
    for name in _parameters():
        word = getattr(given, f"parameter {name}")
        if word is None:
            continue
        if name not in has:
            raise Wrong(f"--{name}: {given.game} has no such option")
        if not (has[name].words or _is_number(word)):
            raise Wrong(f"--{name} {word!a}: expected {has[name].expected}")
        values[name] = word if has[name].words else int(word)
    return values


def _selfplay(given: Any, executor: Executor | None, bar: Bar) -> str:
    files = selfplay(
        _position(given),
        given.games,
        given.bot,
        given.seed,
        given.out,
        executor,
        positions=None if given.positions == "none" else given.positions,
        max_plies=given.max_plies,
        shard=given.shard,
        progress=bar.counting("games", given.games),
    )
    return f"{given.games:,} games in {len(files):,} file{'s' * (len(files) != 1)} in {given.out}"


def _playouts(given: Any, executor: Executor | None, bar: Bar) -> str:
    from ._counting import playouts

    position = _position(given)
    tally = playouts(
        position, given.games, given.seed, progress=bar.counting("games", given.games), executor=executor
    )
    first, second = tally.wins
    return (
        f"{tally.games:,} games, {first:,} won by the first player, {tally.draws:,} drawn, "
        f"{second:,} won by the second"
    )


def _match(given: Any, executor: Executor | None, bar: Bar) -> str:
    from .bots import match, named

    first, second = named(given.bot), named(given.other)
    progress = bar.counting("games", given.games)
    return str(
        match(
            first,
            second,
            _position(given),
            given.games,
            seed=given.seed,
            executor=executor,
            progress=progress,
        )
    )


def _perft(given: Any, executor: Executor | None, bar: Bar) -> str:
    from ._counting import perft

    if given.threads is not None:
        raise Wrong("--threads: a worker has one thread; expected more --workers instead")
    position, start = _position(given), time.perf_counter()
    leaves = perft(
        position, given.depth, table_mb=given.table, executor=executor, progress=bar.reaching("parts")
    )
    seconds = time.perf_counter() - start
    rate = leaves / max(seconds, 1e-9)
    if not given.json:
        return f"{leaves} leaves, {seconds:.3f} s, {rate:.0f} leaves/s"
    found = {"game": given.game, "position": position.text, "depth": given.depth, "leaves": leaves}
    return json.dumps(found | {"seconds": round(seconds, 6), "leaves_per_second": round(rate)})


def _solve_table(given: Any, executor: Executor | None, bar: Bar) -> str:
    from ._table import solve_table

    table = solve_table(
        _position(given),
        given.plies,
        given.journal,
        executor,
        table_mb=given.table,
        empties_to_winner=given.empties_to_winner,
        progress=bar.reaching("positions"),
    )
    best = " ".join(table.best_moves)
    return f"value {table.value}, best {best}, from {len(table.values):,} positions in {given.journal}"


Program = Callable[[Any, "Executor | None", "Bar"], str]
PROGRAMS: dict[str, tuple[str, str, Program, bool]] = {
    "selfplay": (
        "Writes played games to Parquet files.",
        "petteia selfplay reversi --games 1000000 --seed 1 --out games --workers 8",
        _selfplay,
        True,
    ),
    "playouts": (
        "Plays random games and counts how they end.",
        "petteia playouts breakdown --games 1000000 --workers 8",
        _playouts,
        False,
    ),
    "match": (
        "Lets two players play games, each moving first in every other one.",
        "petteia match breakdown mcts:1000 perfect --games 1000 --workers 8",
        _match,
        False,
    ),
    "perft": (
        "Counts the move sequences of a number of plies.",
        "petteia perft reversi 14 --workers 8",
        _perft,
        False,
    ),
    "solve-table": (
        "Solves a position by all positions some plies on.",
        "petteia solve-table reversi --width 5 --height 6 --plies 8 --journal r56.journal --workers 8",
        _solve_table,
        True,
    ),
}
"""What each program does, an example of it, how, and whether it goes on where it stopped."""


@contextmanager
def _executor(workers: int | None, address: str | None) -> Iterator[Executor | None]:
    """Yield what does the work: processes of this machine, a cluster, or nothing but this process."""
    if workers is not None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if workers == 0:
            raise Wrong("--workers 0: expected a number from 1")
        # Ctrl-C reaches every process of a terminal: here it ends the command, and that ends the others.
        ignore = (signal.SIGINT, signal.SIG_IGN)
        with ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignore) as pool:
            try:
                yield pool
            except KeyboardInterrupt:
                # Nobody waits for what they are at. The pool's thread would complain of its loss at length.
                threading.excepthook = lambda _: None
                for process in active_children():
                    process.kill()
                # Nor for the rest of what one of them had begun to send: its last open end is here.
                results: Any = getattr(pool, "_result_queue", None)
                if results is not None:
                    results._writer.close()
                raise
    elif address is not None:
        with extra("cluster"):
            from distributed import Client
        import logging

        # What Dask would say about a lost scheduler, at length, is said here in one line.
        logging.disable(logging.CRITICAL)
        try:
            client = Client(address, timeout=CONNECTING)
        except (OSError, ValueError) as error:
            raise Wrong(f"no scheduler answers at {address}: {error}") from None
        with client:
            yield client.get_executor()
    else:
        yield None


def _time(seconds: float) -> str:
    for unit, length in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


class Bar:
    """How far the work is, with its rate and the time left, on one line of a terminal."""

    WIDTH = 24
    EVERY = 0.1

    def __init__(self) -> None:
        """Start the clock."""
        self._done, self._before = 0, 0
        self._start = self._shown = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def counting(self, unit: str, total: int) -> Callable[[int], None]:
        """Return what is called with how much more is done."""
        return lambda more: self._show(unit, self._done + more, total)

    def reaching(self, unit: str) -> Callable[[int, int], None]:
        """Return what is called with how much is done, and of how much."""
        return lambda done, total: self._show(unit, done, total)

    def _show(self, unit: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._done and now - self._start < self.EVERY:
            # What was there already says nothing about the rate.
            self._before = done
        self._done = done
        if self._is_shown and (now - self._shown >= self.EVERY or done == total):
            self._shown = now
            rate = (done - self._before) / max(now - self._start, 1e-9)
            left = f"{_time((total - done) / rate)} left" if rate else ""
            filled = "#" * int(done / max(1, total) * self.WIDTH)
            line = f"[{filled:{self.WIDTH}}] {done:,} of {total:,} {unit}, {rate:,.0f}/s, {left}"
            print(f"\r{line:79}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._is_shown and self._done:
            print(file=sys.stderr)
