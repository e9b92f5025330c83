"""Compiling the sources under test, linked with the kit's drivers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .rooms import Bounds, Room, current
from .rules import Unusable
from .sandbox import files

DRIVERS = Path(__file__).parent / "drivers"
# Shifts into the sign bit are left out: every compiler of the courses defines them.
SANITIZE = (
    "-fsanitize=address,undefined",
    "-fno-sanitize=shift-base",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-O1",
)

COMPILING = Bounds(seconds=60.0, megabytes=2048, output=64 << 20, idle=20.0, patience=300.0)
"""What a compiler may use: the code under test decides how much that is."""


@dataclass(frozen=True)
class Compilers:
    """Which compilers to use, with which flags."""

    cc: str = "cc"
    cxx: str = "c++"
    cflags: tuple[str, ...] = ("-Wall", "-g", "-O0")
    cxxflags: tuple[str, ...] = ("-Wall", "-g", "-std=c++11")
    sanitize: bool = True


def compile(
    command: Sequence[str], inputs: Sequence[str | Path], output: Path, petteia: bool = False
) -> None:
    """Compile and link in the current sandbox, or raise Unusable with the compiler's first errors.

    Only with petteia, the result may be linked with petteia's library.
    """
    words = [*shlex.split(command[0]), *command[1:], "-o", str(output), *map(str, inputs)]
    found = shutil.which(words[0])
    if found is None:
        raise Unusable(f"compiler {words[0]!r} not found: install it, or choose another with --cc or --cxx")
    room = Room(current(), writable=True, petteia=petteia)
    try:
        with files(2) as (nothing, told):
            room.start([found, *words[1:]], [nothing, told, told], COMPILING)
            ended = room.end()
            errors = os.pread(told, 1 << 20, 0).decode(errors="replace").splitlines()
    finally:
        room.close()
    if ended.why in ("seconds", "idle", "patience"):
        raise Unusable(f"{words[0]} did not finish within {COMPILING.seconds:g} s")
    if ended.why:
        raise Unusable(f"{words[0]} used too much: {COMPILING.megabytes} MB of memory are allowed")
    if ended.code:
        lines = [line for line in errors if re.search(r"error|undefined|multiple|limit", line)]
        said = "\n".join((lines or errors)[:8])
        raise Unusable(f"it does not compile:\n{said}")


def sources(folder: Path, suffixes: Sequence[str], needed: Sequence[str]) -> list[Path]:
    """Return a folder's sources without main functions; raise Unusable if a needed one is missing."""
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        raise Unusable(f"{folder} has no {', '.join(missing)}")
    found = sorted(path for path in folder.iterdir() if path.suffix in suffixes and path.is_file())
    return [path for path in found if path.name in needed or not has_main(path)]


def has_main(path: Path) -> bool:
    """Return whether a source has a main function, outside comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
    return re.search(r"\bmain\s*\(", text) is not None
