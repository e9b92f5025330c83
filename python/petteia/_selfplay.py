"""Self-play: games of a bot against itself, played here or on a cluster and written to Parquet files."""

from __future__ import annotations

import operator
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex

from . import _petteia
from ._arguments import path_of, seed_of, threads_of, whole
from ._chunks import run
from ._evaluator import Search, checked, search_of, unused
from ._extras import extra
from ._games import name_of, of_petteia
from ._identity import identity
from ._owned import Owned
from ._progress import hush, telling
from .bots import Bot, bot_of, budget_of, drawn, for_game, is_known, most_plies, starts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from ._evaluator import Evaluator
    from ._types import AnyGame, Progress
    from .bots import BotLike

    _Form = Literal["cells", "text"]

Columns = tuple[
    "NDArray[np.int64]",
    "NDArray[np.int32]",
    "NDArray[np.float32]",
    "NDArray[np.int8]",
    "NDArray[np.uint8]",
    "NDArray[np.int8]",
    "NDArray[np.int64]",
    "NDArray[np.float32]",
]
"""Where each game's moves end, actions, values, outcomes, positions, the players to move if these are cells,
where their texts end, and policies, if there is an evaluator."""

FORMS = ("cells", "text")
"""How positions can be written."""

MANIFEST = "_selfplay.json"
"""The file that says which games a folder holds."""

ROWS = 4096
"""How many games are played before they are encoded as a row group: few enough to stay in the cache."""

SHARDS: dict[str, Callable[..., float]] = {
    "random": lambda: 100_000,
    "myopic": lambda: 5_000,
    "mcts": lambda simulations: 16_000 / simulations,
    "perfect": lambda nodes: 2_000_000 / nodes,
    "alphabeta": lambda depth=0, nodes=0, time=0: 60_000 / (nodes or 3_000_000 * time or 3 ** min(depth, 30)),
    "level": lambda level: 4_096 >> level,
}
"""How many games of Reversi a bot plays in about a second, by its budget.

These are fixed estimates, since the same call must write the same files on every machine."""

OWN_BOT_SHARD = 100
"""The games per file of a user-defined bot."""

EVALUATOR_SHARD = 256
"""The games per file of an evaluator."""


def selfplay(
    game: AnyGame | str,
    games: SupportsIndex,
    bot: BotLike = "random",
    seed: SupportsIndex | None = 0,
    out: str | os.PathLike[str] = "selfplay",
    executor: Executor | None = None,
    *,
    threads: SupportsIndex | None = 1,
    shard: SupportsIndex | None = None,
    positions: _Form | None = "cells",
    max_plies: SupportsIndex | None = 10_000,
    start: Any = None,
    progress: Progress = None,
    time: float | None = None,
    evaluator: Evaluator | None = None,
    games_at_once: SupportsIndex = 256,
    simulations: SupportsIndex = 100,
    exploration: float = 1.5,
    noise_alpha: float | None = 1.0,
    noise_fraction: float = 0.25,
    temperature: float = 1.0,
    temperature_plies: SupportsIndex = 16,
    **parameters: Any,
) -> list[Path]:
    """Play games of a bot or an evaluator against itself, and return the Parquet files that have them.

    game is a starting position, or the name of a game with its parameters, as for match; start is where games
    start instead: a position of that game, or a sequence of them, one of which is drawn by the seed for each
    game. bot is a bot, its name or a function.

    A row is a game: its number (game), its moves, all positions from first to last, a searching bot's value
    of the position before each move (from -1 to 1 for the player to move), and the outcome for the first
    player: 1, 0 or -1, or null for a game stopped after max_plies moves (None: never). positions is "cells",
    packed as in position.cells, with a column for the players to move (turns); "text"; or None for no such
    column.

    A file has shard games, by default about a second's worth, and is written whole or not at all. The same
    call again resumes where the last one stopped; docs/cluster.md says how a bot of your own is recognized.
    The files are the same to the byte, whether threads of this process play or an executor. Game i of the
    random bot is game i of playouts with the same seed. After time, in seconds, it returns the files that are
    whole by then. progress counts the games that are written. The seed is in the folder, in _selfplay.json:
    for None, it is the one that is there, or else a fresh one.

    With an evaluator in place of a bot, the games are those of selfplay_arrays, which has these parameters
    too. They have one more column, the policies: for each move, a probability for each action of the game.
    The call is resumed with an evaluator of the same name: its attribute name, or the name that it is
    defined by.

    The metadata of a file has the arguments of its call as JSON, by the key "petteia".

    Raises ValueError if the folder has other games in it, OSError if it cannot be written to, and
    BlockingIOError, an OSError, while another call is writing to it.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> [path.name for path in petteia.selfplay("tictac", 200, out=folder.name, shard=100)]
    ['games-000000000000.parquet', 'games-000000000100.parquet']
    >>> folder.cleanup()
    """
    from contextlib import closing

    starts = [of_petteia(position, "selfplay") for position in starts_of(game, parameters, start)]
    player = bot_of("bot", bot)
    if positions is not None and positions not in FORMS:
        raise ValueError(f"invalid positions {positions!r}: expected cells, text or None")
    folder = path_of("out", out, "folder")
    number = whole("games", games, 1)
    chosen = seed_of(_seed_there(folder) if seed is None else seed)
    job = Job(player, starts, chosen, most_plies(max_plies), positions)
    stop = None if time is None else _petteia.Stop(time)
    given = {
        "games_at_once": (games_at_once, 256),
        "simulations": (simulations, 100),
        "exploration": (exploration, 1.5),
        "noise_alpha": (noise_alpha, 1.0),
        "noise_fraction": (noise_fraction, 0.25),
        "temperature": (temperature, 1.0),
        "temperature_plies": (temperature_plies, 16),
    }
    if evaluator is None:
        unused(**given)
    else:
        _check_alone(bot, executor, threads)
        job = job._replace(
            learning=Learning(
                checked(evaluator),
                search_of(simulations, exploration, noise_alpha, noise_fraction, temperature),
                whole("temperature_plies", temperature_plies, 0),
            )
        )
    at_once = _petteia.most_leaves("games_at_once", games_at_once)
    usual = _shard_of(player, positions) if evaluator is None else EVALUATOR_SHARD
    size = min(number, usual if shard is None else whole("shard", shard, 1))
    about = job.describe() | {"games": number, "shard": size}
    if executor is None:
        _arrow()
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(0, number, size)
    with closing(_own(folder, about)), telling(progress, "games") as tell:
        there = {first for first in _tidy(folder) if first in firsts}
        done = sum(min(size, number - first) for first in there)
        if done:
            tell(done, number)
        missing = (range(first, min(first + size, number)) for first in firsts if first not in there)

        def write(chunk: range, content: Any) -> None:
            nonlocal done
            write_whole(folder / _name(chunk.start), content)
            there.add(chunk.start)
            done += len(chunk)
            tell(done, number)

        if job.learning is not None:

            def deliver(chunk: range, columns: Columns) -> None:
                write(chunk, encode(job, [(chunk, columns)]))

            _play_batched(job, missing, at_once, deliver, stop)
        else:
            shards = run(partial(make_shard, job), missing, executor, threads_of(threads), stop=stop)
            with closing(shards):
                for chunk, content in shards:
                    write(chunk, content)
        if done < number:
            tell(done, done)
    return [folder / _name(first) for first in firsts if first in there]


def _check_alone(bot: BotLike, executor: Executor | None, threads: SupportsIndex | None) -> None:
    """Raise an error if there is more than an evaluator."""
    if bot != "random":
        raise ValueError(f"invalid bot {bot!r}: expected none with an evaluator")
    if executor is not None:
        raise ValueError("invalid executor: expected none with an evaluator, which is called in this process")
    if threads is not None and whole("threads", threads, 1) != 1:
        raise ValueError(f"invalid threads {threads}: expected 1 with an evaluator")


def _play_batched(
    job: Job,
    chunks: Iterable[range],
    games_at_once: int,
    deliver: Callable[[range, Columns], object],
    stop: _petteia.Stop | None,
) -> None:
    """Play chunks of games with an evaluator, and deliver each when its games are finished."""
    ranges = list(chunks)
    if job.learning is None:
        raise ValueError("invalid evaluator None: expected a function")
    _petteia.play_batched(
        job.starts,
        [(chunk.start, chunk.stop) for chunk in ranges],
        job.learning.evaluator,
        games_at_once,
        job.learning.search,
        job.seed,
        job.learning.temperature_plies,
        job.max_plies,
        job.positions,
        lambda number, columns: deliver(ranges[number], columns),
        hush,
        stop,
    )


def _name(first: int) -> str:
    """Return the name of a file by the number of its first game."""
    return f"games-{first:012}.parquet"


def _seed_there(folder: Path) -> int | None:
    """Return the seed of the games that are in a folder, if there are any."""
    import json

    try:
        found = json.loads((folder / MANIFEST).read_bytes())["seed"]
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        # If the file is wrong, _own says so.
        return None
    return found if type(found) is int and 0 <= found < 2**64 else None


def _shard_of(bot: Bot, positions: _Form | None) -> int:
    if not is_known(bot):
        return OWN_BOT_SHARD
    kind, budget = budget_of(bot.name)
    games = max(1, int(SHARDS[kind](**budget)))
    # Without search, most of the time goes into writing positions.
    return games if positions or kind != "random" else 3 * games


class Learning(NamedTuple):
    """How games are played with an evaluator."""

    evaluator: Evaluator
    search: Search
    temperature_plies: int

    def describe(self) -> dict[str, Any]:
        """Return what identifies these games."""
        return {
            "evaluator": identity(self.evaluator, "evaluator"),
            **self.search._asdict(),
            "temperature_plies": self.temperature_plies,
        }


class Job(NamedTuple):
    """The arguments that all games share; picklable if the bot is."""

    bot: Bot
    starts: list[Any]
    seed: int
    max_plies: int
    positions: _Form | None
    learning: Learning | None = None
    """How the evaluator plays, if it is one that plays and no bot."""

    def describe(self) -> dict[str, Any]:
        """Return what identifies these games."""
        texts = [position.text for position in self.starts]
        by = {} if self.learning else {"bot": self.bot.name if is_known(self.bot) else identity(self.bot)}
        return {
            "petteia": _petteia.__version__,
            "game": name_of(self.starts[0]),
            "start": texts if len(texts) > 1 else texts[0],
            **(self.learning.describe() if self.learning else by),
            "seed": self.seed,
            "max_plies": self.max_plies,
            "positions": self.positions,
        }


def _own(folder: Path, wanted: dict[str, Any]) -> Owned:
    """Return the locked manifest of a folder: a new one, or one that says the same."""
    manifest = Owned(folder / MANIFEST, folder)
    try:
        _check_manifest(folder, manifest, wanted)
    except BaseException:
        manifest.close()
        raise
    return manifest


def _check_manifest(folder: Path, manifest: Owned, wanted: dict[str, Any]) -> None:
    """Write an empty manifest, or one that was cut off when its writer was killed; check any other."""
    import json

    content = (json.dumps(wanted, indent=1) + "\n").encode()
    if manifest.content != content and content.startswith(manifest.content):
        manifest.cut(0)
        manifest.append(content)
        manifest.sync()
        return
    try:
        found = dict(json.loads(manifest.content))
    except (ValueError, TypeError, RecursionError):
        raise ValueError(f"{folder / MANIFEST}: not written by selfplay; expected an empty folder") from None
    for name in wanted:
        if found.get(name) != wanted[name]:
            raise ValueError(
                f"{folder} has other games: {name} is {found.get(name)!r} there, not {wanted[name]!r}; "
                "expected an empty folder or the same arguments"
            )


def _tidy(folder: Path) -> Iterator[int]:
    """Yield the first games of the whole files in a folder, and remove what a killed job wrote in part."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".games-") and entry.name.endswith(".part"):
                os.unlink(entry.path)
            number = entry.name.removeprefix("games-").removesuffix(".parquet")
            if number.isdecimal() and entry.name == _name(int(number)) and _is_whole(entry.path):
                yield int(number)


def _is_whole(path: str) -> bool:
    """Return whether a file begins and ends as Parquet files do: one that was cut off by others does not."""
    mark = b"PAR1"
    with open(path, "rb") as file:
        begins = file.read(len(mark)) == mark
        length = file.seek(0, os.SEEK_END)
        file.seek(max(0, length - len(mark)))
        return begins and length > 2 * len(mark) and file.read() == mark


def write_whole(path: Path, content: Any) -> None:
    """Write a file atomically: with all its content, bytes or a buffer, or not at all."""
    from contextlib import suppress

    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet module."""
    from importlib import import_module

    with extra("cluster"):
        return import_module("pyarrow"), import_module("pyarrow.parquet")


def make_shard(job: Job, games: range) -> Any:
    """Play some of the games and return them as a Parquet file, in a buffer that executors need not copy."""
    play = _player(job)
    rows = (range(first, min(first + ROWS, games.stop)) for first in range(games.start, games.stop, ROWS))
    return encode(job, ((batch, play(batch)) for batch in rows))


def encode(job: Job, played: Iterable[tuple[range, Columns]]) -> Any:
    """Return played games as a Parquet file, in a buffer."""
    import json

    arrow, parquet = _arrow()
    start = job.starts[0]
    notation = arrow.array([start.move(action) for action in range(start.num_actions)])
    schema = _schema(arrow, job)
    sink = arrow.BufferOutputStream()
    writer = parquet.ParquetWriter(
        sink,
        schema,
        compression="zstd",
        use_dictionary=["moves.list.element"],
        write_statistics=["game", "outcome"],
        store_schema=False,
    )
    with writer:
        writer.add_key_value_metadata({"petteia": json.dumps(job.describe())})
        for batch, columns in played:
            writer.write_table(_table(arrow, job, batch, columns, notation, schema))
    return sink.getvalue()


def _schema(arrow: Any, job: Job) -> Any:
    """Return the schema. Columns that are never null are written faster."""

    def always(name: str, kind: Any) -> Any:
        return arrow.field(name, kind, nullable=False)

    def lists(name: str, kind: Any) -> Any:
        return always(name, arrow.large_list(always("element", kind)))

    seen = {
        "cells": [lists("positions", arrow.large_binary()), lists("turns", arrow.int8())],
        "text": [lists("positions", arrow.large_string())],
        None: [],
    }
    shares = arrow.list_(always("element", arrow.float32()), job.starts[0].num_actions)
    return arrow.schema(
        [
            always("game", arrow.int64()),
            lists("moves", arrow.dictionary(arrow.int32(), arrow.string())),
            *seen[job.positions],
            arrow.field("values", arrow.large_list(always("element", arrow.float32()))),
            *([lists("policies", shares)] if job.learning else []),
            arrow.field("outcome", arrow.int8()),
        ]
    )


def _table(arrow: Any, job: Job, games: range, columns: Columns, notation: Any, schema: Any) -> Any:
    """Return games as a table, without copying their moves and positions."""
    import numpy as np

    ends, actions, values, outcomes, positions, turns, text_ends, policies = columns
    count, plies = len(games), len(actions)

    def array(kind: Any, length: int, *buffers: Any, children: Any = None) -> Any:
        kept = [None, *map(arrow.py_buffer, buffers)]
        return arrow.Array.from_buffers(kind, length, kept, children=children)

    moves = arrow.DictionaryArray.from_arrays(array(arrow.int32(), plies, actions), notation, safe=False)
    position_ends = ends + np.arange(count + 1)
    if job.positions == "cells":
        text_ends = np.arange(0, len(positions) + 1, len(positions) // len(turns))
    made: dict[str, Callable[[Any], Any]] = {
        "game": lambda kind: arrow.array(np.arange(games.start, games.stop), kind),
        "moves": lambda kind: array(kind, count, ends, children=[moves]),
        "positions": lambda kind: array(
            kind,
            count,
            position_ends,
            children=[array(kind.value_type, plies + count, text_ends, positions)],
        ),
        "turns": lambda kind: array(
            kind, count, position_ends, children=[array(arrow.int8(), plies + count, turns)]
        ),
        "values": lambda kind: (
            array(kind, count, ends, children=[array(arrow.float32(), plies, values)])
            if len(values)
            else arrow.nulls(count, kind)
        ),
        "policies": lambda kind: array(
            kind,
            count,
            ends,
            children=[
                array(kind.value_type, plies, children=[array(arrow.float32(), len(policies), policies)])
            ],
        ),
        "outcome": lambda _: arrow.array(outcomes, mask=outcomes == UNFINISHED),
    }
    return arrow.Table.from_arrays([made[field.name](field.type) for field in schema], schema=schema)


UNFINISHED = 2
"""The outcome of a game that was stopped."""


def _player(job: Job) -> Callable[[range], Columns]:
    """Return a function that plays games: in Rust for petteia's bots, here for others."""
    if not is_known(job.bot):
        return partial(_play, job)
    rust = _petteia.Selfplay(job.bot.name, job.starts, job.seed, job.max_plies, job.positions)
    return lambda games: rust.play(games.start, games.stop)


def _value_of(bot: Bot) -> float:
    """Return the value that a bot found before its last move, or NaN if it tells none."""
    value: Any = getattr(bot, "value", None)
    if value is None or callable(value):
        return float("nan")
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if not -1 <= found <= 1:
        raise ValueError(f"invalid value {value!r} of the bot {bot!r}: expected -1 to 1, or None")
    return found


def _play(job: Job, games: range) -> Columns:
    """Play games move by move."""
    import numpy as np

    bot, starts, seed, max_plies, form, _ = job
    ends, outcomes = [0], []
    actions: list[int] = []
    values: list[float] = []
    seen: list[Any] = []
    for game in games:
        player, position = for_game(bot, seed, game), drawn(starts, seed, game)
        for _ in range(max_plies):
            if position.is_over:
                break
            _petteia.check_stop()
            seen.append(position)
            move = player.choose(position)
            before, position = position, position.play(move)
            actions.append(before.action(move) if isinstance(move, str) else operator.index(move))
            values.append(_value_of(player))
        seen.append(position)
        ends.append(len(actions))
        winner = position.outcome.winner if position.is_over else UNFINISHED
        outcomes.append({None: 0, 0: 1, 1: -1, UNFINISHED: UNFINISHED}[winner])
    if form == "text":
        written = [position.text.encode() for position in seen]
        turns = []
    else:
        written = [position.cells for position in seen] if form else []
        turns = [-1 if position.turn is None else position.turn for position in seen] if form else []
    return (
        np.array(ends, np.int64),
        np.array(actions, np.int32),
        np.array([] if np.isnan(values).all() else values, np.float32),
        np.array(outcomes, np.int8),
        np.frombuffer(b"".join(written), np.uint8),
        np.array(turns, np.int8),
        np.cumsum([0, *map(len, written)], dtype=np.int64),
        np.array([], np.float32),
    )


selfplay.__module__ = "petteia"
