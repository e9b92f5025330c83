"""The programs for long jobs: their arguments, where they run, and what they print."""

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

from ._chunks import begin_worker
from ._extras import extra
from ._games import DECLARED, GAMES
from ._petteia import bot_names
from ._progress import Bar
from ._selfplay import FORMS, selfplay

if TYPE_CHECKING:
    from concurrent.futures import Executor

BOTS = bot_names()
CONNECTING = 10
"""How many seconds to wait for a scheduler."""
UNITS = {"perft": "parts", "solve-table": "positions"}
"""What the progress bars of programs count, other than games."""
RESUME = "run the same command again to resume"


class Wrong(Exception):
    """An error in the arguments, or in what they name."""


class Arguments(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Raise the message, with the usage."""
        usage = self.format_usage().removeprefix("usage: ")
        raise Wrong(f"{message}: expected {' '.join(usage.split())}")

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse would ignore that it cannot be written."""
        print(self.format_help(), end="", file=file)


def main(program: str, words: Sequence[str]) -> int:
    """Run a program with its arguments, and return the exit code."""
    arguments = _arguments(program)
    _, _, perform, can_resume = PROGRAMS[program]
    bar = Bar(UNITS.get(program, "games"), plain=False)
    try:
        given = arguments.parse_args(words)
        with _executor(given.workers, given.dask) as executor:
            result = perform(given, executor, bar)
    except KeyboardInterrupt:
        complaint, code = "interrupted", 130
    except (Wrong, ValueError, OSError, ModuleNotFoundError, MemoryError, OverflowError) as error:
        complaint, code, can_resume = str(error), 1, False
    except RuntimeError as error:
        # The executor is broken, and says why.
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
        add("depth", metavar="DEPTH", type=_number, help="number of plies")
    if program in ("selfplay", "playouts", "match"):
        add("--games", metavar="N", type=_number, required=True, help="number of games")
        add("--seed", metavar="N", type=_number, default=0, help="seed of the random choices (default: 0)")
    if program == "selfplay":
        add("--out", metavar="FOLDER", required=True, help="folder of the files")
        add("--bot", metavar="NAME", default="random", help=f"the player: {BOTS} (default: random)")
        add("--shard", metavar="N", type=_number, help="games per file (default: about a second's worth)")
        add("--max-plies", metavar="N", type=_number, default=10_000, help="maximum plies (default: 10,000)")
        forms = "how positions are written: cells (packed into bytes, the default), text or none"
        add("--positions", metavar="FORM", choices=(*FORMS, "none"), default="cells", help=forms)
    add("--from", metavar="TEXT", dest="text", help="text of a position to start from")
    if program == "solve-table":
        add("--plies", metavar="N", type=_number, required=True, help="solves the positions after N plies")
        add("--journal", metavar="FILE", required=True, help="file of the values, to resume from")
        add("--empties-to-winner", action="store_true", help="counts empty squares for the winner (Reversi)")
    if program in ("perft", "solve-table"):
        add("--table", metavar="MB", type=_number, help="transposition table per worker, in megabytes")
    if program == "perft":
        add("--json", action="store_true", help="prints one JSON object")
        add("--threads", metavar="N", help=argparse.SUPPRESS)
    for name, about in _parameters().items():
        add(f"--{name}", metavar=name.upper(), dest=f"parameter {name}", help=about)
    where = arguments.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=_number, help="runs on N processes of this machine")
    where.add_argument("--dask", metavar="ADDRESS", help="runs on the workers of a Dask scheduler")
    return arguments


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 20


def _number(word: str) -> int:
    if not _is_number(word):
        raise argparse.ArgumentTypeError(f"{word!a} is not a number")
    return int(word)


def _parameters() -> dict[str, str]:
    """Return the help text of every parameter by name, with the games that have it."""
    found: dict[str, dict[str, list[str]]] = {}
    for declared in DECLARED.values():
        for parameter in declared.parameters:
            found.setdefault(parameter.name, {}).setdefault(parameter.about, []).append(declared.title)
    return {
        name: "; ".join(f"{about[0].lower()}{about[1:]} ({', '.join(games)})" for about, games in has.items())
        for name, has in found.items()
    }


def _position(given: Any) -> Any:
    """Return the position that the arguments describe."""
    values = _values(given)
    if getattr(given, "text", None) is None:
        return GAMES[given.game](**values)
    if values:
        raise Wrong(f"--{next(iter(values))}: cannot be combined with --from")
    return GAMES[given.game].from_text(given.text)


def _values(given: Any) -> dict[str, int | str]:
    """Return the given values of the game's parameters."""
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
        progress=bar,
    )
    return f"{given.games:,} games in {len(files):,} file{'s' * (len(files) != 1)} in {given.out}"


def _playouts(given: Any, executor: Executor | None, bar: Bar) -> str:
    from ._counting import playouts

    position = _position(given)
    tally = playouts(position, given.games, given.seed, progress=bar, executor=executor)
    first, second = tally.wins
    return (
        f"{tally.games:,} games, {first:,} won by the first player, {tally.draws:,} drawn, "
        f"{second:,} won by the second"
    )


def _match(given: Any, executor: Executor | None, bar: Bar) -> str:
    from .bots import match, named

    first, second = named(given.bot), named(given.other)
    return str(
        match(
            first,
            second,
            _position(given),
            given.games,
            seed=given.seed,
            executor=executor,
            progress=bar,
        )
    )


def _perft(given: Any, executor: Executor | None, bar: Bar) -> str:
    from ._counting import perft

    if given.threads is not None:
        raise Wrong("--threads: each worker has one thread; expected more --workers instead")
    position, start = _position(given), time.perf_counter()
    leaves = perft(position, given.depth, table_mb=given.table, executor=executor, progress=bar)
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
        progress=bar,
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
        "Plays a match between two bots, which take turns to move first.",
        "petteia match breakdown mcts:1000 perfect --games 1000 --workers 8",
        _match,
        False,
    ),
    "perft": (
        "Counts the move sequences of a given length.",
        "petteia perft reversi 14 --workers 8",
        _perft,
        False,
    ),
    "solve-table": (
        "Solves a position by solving all positions after some plies.",
        "petteia solve-table reversi --width 5 --height 6 --plies 8 --journal r56.journal --workers 8",
        _solve_table,
        True,
    ),
}
"""Each program's description, an example, its function, and whether it can resume."""


@contextmanager
def _executor(workers: int | None, address: str | None) -> Iterator[Executor | None]:
    """Yield an executor: processes of this machine, a cluster, or None for this process."""
    if workers is not None:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import active_children, get_context

        if workers == 0:
            raise Wrong("--workers 0: expected a number from 1")
        # Ctrl-C reaches every process of a terminal: it ends the command, which ends the others.
        ignore = (signal.signal, signal.SIGINT, signal.SIG_IGN)
        with ProcessPoolExecutor(workers, get_context("spawn"), begin_worker, ignore) as pool:
            try:
                yield pool
            except KeyboardInterrupt:
                # Do not wait for the current chunks. The pool's thread would print a traceback for each.
                threading.excepthook = lambda _: None
                for process in active_children():
                    process.kill()
                # Nor for the rest of a half-sent result: the last open end of the pipe is here.
                results: Any = getattr(pool, "_result_queue", None)
                if results is not None:
                    results._writer.close()
                raise
    elif address is not None:
        with extra("cluster"):
            from distributed import Client
        import logging

        # Dask would report a lost scheduler at length; the error here is one line.
        logging.disable(logging.CRITICAL)
        try:
            client = Client(address, timeout=CONNECTING)
        except (OSError, ValueError) as error:
            raise Wrong(f"no scheduler answers at {address}: {error}") from None
        with client:
            yield client.get_executor()
    else:
        yield None
