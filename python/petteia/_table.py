"""Tables of solved positions: all positions after some plies, kept in a journal to resume from."""

from __future__ import annotations

import zlib
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from . import _petteia
from ._arguments import flag, path_of, start_of, threads_of, whole
from ._chunks import Pace, run
from ._games import of_petteia
from ._owned import Owned
from ._progress import telling
from ._search import Solution, solve

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    from ._types import AnyGame, Progress


class SolvedTable(NamedTuple):
    """The result of solving all positions some plies after a position."""

    value: int
    """The value for the player to move, as in solve."""
    best_moves: list[str]
    """The moves that reach the value, in the order of their actions."""
    values: dict[str, int]
    """The value of each position at the last ply, up to symmetry, for the player to move there, by its
    text."""


def solve_table(
    position: AnyGame | str,
    plies: SupportsIndex,
    journal: str | os.PathLike[str],
    executor: Executor | None = None,
    *,
    threads: SupportsIndex | None = 1,
    table_mb: SupportsIndex | None = None,
    empties_to_winner: bool = False,
    progress: Progress = None,
    time: float | None = None,
) -> SolvedTable:
    """Solve a position by solving all positions after some plies, up to symmetry.

    Each value is written to the journal, a file, as soon as it is known: the same call again resumes from
    there, however the last one ended. The positions are solved on threads of this process or by an executor,
    each with a table of table_mb megabytes; the result is the same. progress counts solved positions.

    Raises TimeoutError if it takes longer than time, in seconds: what is solved until then is in the journal.
    Raises ValueError for a finished game or a journal that is damaged or of another job, OSError if it cannot
    be written to, and BlockingIOError, an OSError, while another call is writing to it.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> table = petteia.solve_table(petteia.TicTac(), 2, pathlib.Path(folder.name, "journal"))
    >>> table.value, len(table.best_moves), len(table.values)
    (0, 9, 12)
    >>> folder.cleanup()
    """
    from contextlib import closing

    start = of_petteia(start_of(position, {}), "solve_table")
    # Check the arguments here, not on a worker.
    flag("empties_to_winner", empties_to_winner)
    _petteia.solve(start, threads, 0.0, 0, table_mb, empties_to_winner, False, lambda done, total: None, None)
    stop = _petteia.Stop(time)
    levels = _levels(start, whole("plies", plies, 0))
    leaves = sorted((leaf for leaf in levels[-1] if not leaf.is_over), key=lambda leaf: leaf.text)
    head = {"game": type(start).__name__, "from": start.text, "plies": len(levels) - 1}
    head |= {"empties_to_winner": bool(empties_to_winner)}
    with (
        closing(Journal(path_of("journal", journal, "file"), head, _petteia.max_score(start))) as book,
        telling(progress, "positions") as tell,
    ):
        missing = [leaf for leaf in leaves if leaf.text not in book.values]
        done = len(leaves) - len(missing)
        tell(done, len(leaves))
        pace = Pace(time)
        chunks = (missing[part.start : part.stop] for part in pace.cut(len(missing)))
        work = partial(_solve, table_mb, empties_to_winner)
        solved = run(work, chunks, executor, threads_of(threads), pace, stop)
        with closing(solved):
            for chunk, values in solved:
                book.write(zip((leaf.text for leaf in chunk), values))
                done += len(chunk)
                tell(done, len(leaves))
        if done < len(leaves):
            raise TimeoutError(
                f"{done:,} of {len(leaves):,} positions were solved in {time} s: "
                f"the same call goes on, with what is in {journal}"
            )
        known = {leaf.text: book.values[leaf.text] for leaf in leaves}
    return _fold(start, levels, known, empties_to_winner)


def _solve(table_mb: SupportsIndex | None, empties_to_winner: bool, positions: list[Any]) -> list[int]:
    return [
        _value(solve(position, table_mb=table_mb, empties_to_winner=empties_to_winner, all_best=False))
        for position in positions
    ]


def _value(solution: Solution) -> int:
    """Return the value of a solution that had no limits."""
    assert solution.value is not None
    return solution.value


def _levels(start: Any, plies: int) -> list[set[Any]]:
    """Return the positions after each number of plies, up to symmetry."""
    levels = [{start.canonical()}]
    for _ in range(plies):
        if all(position.is_over for position in levels[-1]):
            break
        levels.append(
            {position.play(move).canonical() for position in levels[-1] for move in position.actions}
        )
    return levels


def _fold(start: Any, levels: list[set[Any]], leaves: dict[str, int], empties_to_winner: bool) -> SolvedTable:
    """Return the solution of the start, from the values at the last ply."""
    known: dict[Any, int] = {leaf: leaves[leaf.text] for leaf in levels[-1] if not leaf.is_over}

    def worth(position: Any, action: int, known: dict[Any, int]) -> int:
        """Return the value of a move for the player who makes it."""
        reached = position.play(action).canonical()
        if reached.is_over:
            score = _petteia.score(reached, empties_to_winner) or 0
            return score if position.turn == 0 else -score
        return known[reached] if reached.turn == position.turn else -known[reached]

    below = known
    for level in reversed(levels[1:-1]):
        below, deeper = {}, below
        for position in level:
            if not position.is_over:
                below[position] = max(worth(position, action, deeper) for action in position.actions)
    if len(levels) == 1:
        solution = solve(start, empties_to_winner=empties_to_winner)
        return SolvedTable(_value(solution), solution.best_moves, leaves)
    moves = {action: worth(start, action, below) for action in start.actions}
    value = max(moves.values())
    return SolvedTable(value, [start.move(action) for action in moves if moves[action] == value], leaves)


class Journal:
    """Values in a file, one per line; a line cut off when its writer was killed is ignored.

    A line is the text of a position, its value and a checksum, separated by tabs. The first line describes
    the job, and has a checksum too.
    """

    SYNC = 1.0
    """How often, in seconds, lines are synced to survive a crash of the machine, not just of the program."""

    def __init__(self, path: Path, head: dict[str, Any], most: int) -> None:
        """Open or create a journal of values from -most to most.

        Raises ValueError if it is damaged or of another job, and BlockingIOError if another job writes to it.
        """
        import json

        self.values: dict[str, int] = {}
        self._file = Owned(path, path)
        self._synced = monotonic()
        try:
            self._read(path, _line(json.dumps(head)), most)
        except BaseException:
            self._file.close()
            raise

    def _read(self, path: Path, first: bytes, most: int) -> None:
        """Read the values, and begin the file if it is new."""
        *lines, torn = self._file.content.split(b"\n")
        begins = _quote(lines[0] if lines else torn)
        if not lines and not first.startswith(torn):
            raise ValueError(f"{path} is not a journal: it begins with {begins}")
        if lines and lines[0] + b"\n" != first:
            if _content(lines[0]) is None:
                raise ValueError(f"{path} is not a journal, or its first line is damaged: {begins}")
            raise ValueError(f"{path} is the journal of another job: it begins with {begins}")
        possible = {str(value): value for value in range(-most, most + 1)}
        for number, line in enumerate(lines[1:], 2):
            text, _, value = (_content(line) or "").rpartition("\t")
            if not text:
                raise ValueError(
                    f"{path}, line {number}: {_quote(line)} is not a line of a journal, or it is damaged; "
                    "delete it, and its position is solved again"
                )
            if value not in possible:
                raise ValueError(
                    f"{path}, line {number}: {_quote(line)} has an impossible value; "
                    f"expected {-most} to {most}"
                )
            self.values[text] = possible[value]
        self._file.cut(len(self._file.content) - len(torn))
        if not lines:
            self._append(first)

    def write(self, values: Iterator[tuple[str, int]]) -> None:
        """Append values."""
        found = dict(values)
        self._append(b"".join(_line(f"{text}\t{value}") for text, value in found.items()))
        self.values |= found

    def _append(self, lines: bytes) -> None:
        self._file.append(lines)
        if monotonic() - self._synced >= self.SYNC:
            self._file.sync()
            self._synced = monotonic()

    def close(self) -> None:
        """Sync and close the file."""
        try:
            self._file.sync()
        finally:
            self._file.close()


def _line(content: str) -> bytes:
    """Return a line of a journal: the content and its checksum."""
    data = content.encode()
    return b"%b\t%08x\n" % (data, zlib.crc32(data))


def _content(line: bytes) -> str | None:
    """Return the content of a line without its newline, or None if its checksum is wrong."""
    data, _, checksum = line.rpartition(b"\t")
    return data.decode() if checksum == b"%08x" % zlib.crc32(data) else None


def _quote(line: bytes) -> str:
    return repr(line[:80].decode("utf-8", "replace"))


for _public in (SolvedTable, solve_table):
    _public.__module__ = "petteia"
