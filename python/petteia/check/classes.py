"""A class: submissions in folders and archives, checked in parallel, by workers that end with the command."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import queue
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, Any

from .._owned import Owned
from .formats import graded
from .grading import Graded
from .rooms import COPIED, COPIED_FILES
from .rules import Unusable
from .targets import Options
from .text import plain

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
DEEP = 6
"""How deep below a submission's folder its files may lie."""

MARKS = {
    "breakdown": ("pos.c", "board.c", "logic.c", "play.c"),
    "quarto": ("piece.cpp", "pool.cpp", "square.cpp", "board.cpp", "player.cpp", "game.cpp"),
    "tictac": (
        "move-check",
        "game-check",
        "move-check.cpp",
        "game-check.cpp",
        "move-check.c",
        "game-check.c",
    ),
    "reversi": ("reversi", "model.cpp", "model.h"),
}
"""Files by which the folder of an implementation is recognised."""

SOURCES = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".py", ".java", ".rs", ".go", ".js", ".ts")
"""What tools that look for similar code read."""


@dataclass(frozen=True)
class Task:
    """What is to be done with each submission of a class."""

    target: str
    games: int
    seed: int
    only: tuple[str, ...]
    options: Options
    entry: str = ""
    """The path of the implementation in each submission, if it is not to be looked for."""


class Unreadable(Exception):
    """An archive that is broken, or not safe to unpack."""


def submissions(folder: Path) -> dict[str, Path]:
    """Return the submissions in a folder by their names; raise ValueError if there are none."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise ValueError(f"--class {str(folder)!a}: {error.strerror}") from None
    found: dict[str, Path] = {}
    for entry in entries:
        name = entry.name
        suffix = next((end for end in ARCHIVES if name.lower().endswith(end)), "")
        if name.startswith((".", "__")) or not (entry.is_dir() or suffix):
            continue
        name = name[: len(name) - len(suffix)] or name
        while name in found:
            name += "+"
        found[name] = entry
    if not found:
        raise ValueError(f"--class {str(folder)!a} has no submissions: expected a folder or archive for each")
    return found


def unpack(archive: Path, into: Path) -> None:
    """Unpack the regular files of an archive, or raise Unreadable; nothing is written outside the folder."""
    left = [COPIED, COPIED_FILES]
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                for each in packed.infolist():
                    kind = stat.S_IFMT(each.external_attr >> 16)
                    if not each.is_dir() and kind in (0, stat.S_IFREG):
                        with packed.open(each) as file:
                            _write(file, each.filename, into, left, each.external_attr >> 16)
        else:
            with tarfile.open(archive) as tape:
                for member in tape:
                    source = tape.extractfile(member) if member.isreg() else None
                    if source:
                        _write(source, member.name, into, left, member.mode)
    except Unreadable:
        raise
    except Exception as error:
        # The modules raise all kinds of exceptions for archives that were made to break them.
        raise Unreadable(f"{archive.name} cannot be unpacked: {error or type(error).__name__}") from None


def _write(source: IO[bytes], name: str, into: Path, left: list[int], mode: int) -> None:
    place = PurePosixPath(name.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or "\0" in name or len(place.parts) > 3 * DEEP:
        raise Unreadable(f"it has a file {plain(name)!r}, which would lie outside its folder")
    target = into.joinpath(*place.parts)
    left[1] -= 1
    content = source.read(left[0] + 1)
    left[0] -= len(content)
    if min(left) < 0:
        raise Unreadable(f"it has more than {COPIED >> 20} MB or {COPIED_FILES} files")
    if place.parts and "__MACOSX" not in place.parts and not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        runs = mode & 0o100 or content.startswith((b"#!", b"\x7fELF"))
        target.chmod(0o755 if runs else 0o644)


def implementation(target: str, place: Path, entry: str, unpacked: Path) -> Path:
    """Return where in a submission the implementation is; archives are unpacked."""
    if place.is_file():
        unpack(place, unpacked)
        place = unpacked
    wanted = (entry.partition(":")[0],) if entry else MARKS.get(target, ())
    best, most = place, 0
    for folder, names in _folders(place):
        has = sum(bool(name) and (folder / name).is_file() for name in wanted)
        if has > most:
            best, most = folder, has
        inner = [name for name in names if name.lower().endswith(ARCHIVES)]
        if not most and len(inner) == 1 and place != unpacked:
            # A folder that a learning platform has made around an archive.
            return implementation(target, folder / inner[0], entry, unpacked)
    if not most:
        while len(inside := [one for one in best.iterdir() if not one.name.startswith((".", "__"))]) == 1:
            if not inside[0].is_dir():
                break
            best = inside[0]
    if entry:
        return best / entry
    return best / "reversi" if target == "reversi" and (best / "reversi").is_file() else best


def _folders(place: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield a folder and those in it, with the names of their files, the nearest first."""
    waiting = [(place, 0)]
    while waiting:
        folder, depth = waiting.pop(0)
        entries = sorted(entry for entry in folder.iterdir() if not entry.is_symlink())
        yield folder, [entry.name for entry in entries if entry.is_file()]
        if depth < DEEP:
            hidden = (".", "__")
            waiting += [
                (one, depth + 1) for one in entries if one.is_dir() and not one.name.startswith(hidden)
            ]


def grade(task: Task, name: str, place: Path) -> Graded:
    """Check a submission. Whatever is wrong with it is a result."""
    from . import check

    begun = time.monotonic()
    place = place.resolve()
    with tempfile.TemporaryDirectory(prefix="petteia-class-") as folder:
        unpacked = Path(folder).resolve() / "submission"
        unpacked.mkdir()
        found = place
        try:
            found = implementation(task.target, place, task.entry, unpacked)
            report = check(
                task.target,
                str(found),
                games=task.games,
                seed=task.seed,
                only=task.only,
                options=task.options,
            )
            result = graded(name, report)
        except (Unusable, Unreadable, OSError) as reason:
            result = Graded(name, task.target, task.seed, words=str(reason) or type(reason).__name__)
        result.seconds = round(time.monotonic() - begun, 3)
    # Nobody wants to read where it was unpacked.
    shown = str(found.parent if found.is_file() else found)
    return _replaced(result, {shown: name, str(unpacked): name, str(place): name})


def _replaced(result: Graded, names: dict[str, str]) -> Graded:
    def shorter(value: Any) -> Any:
        if isinstance(value, str):
            for path in sorted(names, key=len, reverse=True):
                value = value.replace(path, names[path])
            return value
        if isinstance(value, list):
            return [shorter(one) for one in value]
        return {key: shorter(one) for key, one in value.items()} if isinstance(value, dict) else value

    return replace(
        result, words=shorter(result.words), remarks=shorter(result.remarks), rules=shorter(result.rules)
    )


class Journal:
    """The results so far, in a file: a class that was interrupted goes on where it was."""

    def __init__(self, path: Path | None, task: Task) -> None:
        self._file = Owned(path, path) if path else None
        self._task = repr(task)
        self._known: dict[str, Graded] = {}
        for line in (self._file.content if self._file else b"").splitlines(keepends=True):
            try:
                told = json.loads(line)
                key = told.pop("key")
                self._known[key] = Graded(**told)
            except (ValueError, TypeError, KeyError):
                # The last line of a job that was killed.
                continue

    def key(self, name: str, place: Path) -> str:
        """Return what a result depends on: whose it is, the files, and what is done with them."""
        hashed = hashlib.sha256(f"{self._task}\0{name}".encode(errors="surrogateescape"))
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            if path.is_file() and not path.is_symlink():
                hashed.update(
                    f"\0{path.relative_to(place)}\0{path.stat().st_size}\0".encode(errors="replace")
                )
                with path.open("rb") as file:
                    while part := file.read(1 << 20):
                        hashed.update(part)
        return hashed.hexdigest()

    def __getitem__(self, key: str) -> Graded | None:
        """Return a result that is there."""
        return self._known.get(key)

    def add(self, key: str, result: Graded) -> None:
        """Keep a result."""
        if self._file:
            self._file.append(json.dumps({"key": key, **asdict(result)}).encode() + b"\n")

    def close(self) -> None:
        """Close the file."""
        if self._file:
            self._file.close()


def grade_class(
    task: Task,
    places: dict[str, Path],
    workers: int,
    journal: Journal,
    on_result: Callable[[Graded], object] = lambda result: None,
) -> list[Graded]:
    """Check a class, several submissions at a time, and return the results in the order of the names."""
    results: dict[str, Graded] = {}
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[str, Graded | BaseException]] = queue.SimpleQueue()
    keys = {name: journal.key(name, place) for name, place in places.items()}
    for name in places:
        known = journal[keys[name]]
        if known:
            results[name] = known
            on_result(results[name])
        else:
            waiting.put(name)
    left = len(places) - len(results)
    team = [Worker(task, places, waiting, done) for _ in range(min(workers, left))]
    try:
        for _ in team:
            waiting.put(None)
        for worker in team:
            worker.start()
        for _ in range(left):
            name, result = done.get()
            if isinstance(result, BaseException):
                raise result
            results[name] = result
            journal.add(keys[name], result)
            on_result(result)
    finally:
        for worker in team:
            worker.stop()
    return [results[name] for name in places]


class Worker:
    """A process that checks one submission after the other, and a thread that waits for it."""

    def __init__(
        self,
        task: Task,
        places: dict[str, Path],
        waiting: queue.SimpleQueue[str | None],
        done: queue.SimpleQueue[tuple[str, Graded | BaseException]],
    ) -> None:
        self._task = task
        self._places = places
        self._waiting = waiting
        self._done = done
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        """Begin to take submissions."""
        self._thread.start()

    def stop(self) -> None:
        """End the process, and with it all that it has started."""
        self._stopped = True
        if self._process:
            self._process.kill()
        if self._thread.ident:
            self._thread.join()

    def _serve(self) -> None:
        name = ""
        try:
            while (taken := self._waiting.get()) is not None and not self._stopped:
                name = taken
                self._done.put((name, self._ask(name)))
        except BaseException as error:
            self._done.put((name, error))
        finally:
            if self._process:
                for pipe in (self._process.stdin, self._process.stdout):
                    # What could not be sent to a process that is gone is lost with it.
                    with suppress(BrokenPipeError):
                        if pipe:
                            pipe.close()
                self._process.wait()

    def _ask(self, name: str) -> Graded:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-c", f"from {__name__} import work; work()"]
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        process = self._process
        assert process.stdin and process.stdout
        # The sandbox has a budget. This is for a worker that hangs in spite of it.
        timer = threading.Timer(self._task.options.budget + 120, process.kill)
        timer.start()
        try:
            pickle.dump((self._task, name, self._places[name]), process.stdin)
            process.stdin.flush()
            result: Graded = pickle.load(process.stdout)
            return result
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            process.wait()
            words = f"the check itself ended while it was tested (exit code {process.returncode})"
            return Graded(name, self._task.target, self._task.seed, words=words)
        finally:
            timer.cancel()


def work() -> None:
    """Check what comes in on stdin; end when it ends, even amid a submission."""
    tasks: queue.SimpleQueue[tuple[Task, str, Path]] = queue.SimpleQueue()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def read() -> None:
        try:
            while True:
                tasks.put(pickle.load(sys.stdin.buffer))
        finally:
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    import hypothesis.configuration

    with tempfile.TemporaryDirectory(prefix="petteia-class-") as folder:
        hypothesis.configuration.set_hypothesis_home_dir(folder)
        while True:
            task, name, place = tasks.get()
            pickle.dump(grade(task, name, place), out)
            out.flush()


def export_sources(task: Task, places: dict[str, Path], into: Path) -> None:
    """Copy the sources of each submission into a folder of its name, for tools that look for similar code."""
    for name, place in places.items():
        target = into / name
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="petteia-class-") as folder:
            try:
                found = implementation(task.target, place, task.entry, Path(folder))
            except (Unreadable, OSError):
                continue
            root = found if found.is_dir() else found.parent
            for path in sorted(root.rglob("*")):
                if path.suffix in SOURCES and path.is_file() and not path.is_symlink():
                    # One level: the tools take a folder for a submission.
                    shutil.copyfile(path, target / "_".join(path.relative_to(root).parts))


def links(names: Sequence[str]) -> dict[str, str]:
    """Return a file name for the page of each submission."""
    found: dict[str, str] = {}
    for name in names:
        safe = "".join(c if c.isalnum() or c in "-_+" else "_" for c in name) or "_"
        while f"{safe}.html" in found.values() or safe == "index":
            safe += "_"
        found[name] = f"{safe}.html"
    return found
