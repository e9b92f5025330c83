"""Compiling the sources under test, linked with the kit's drivers."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .keeper import end, start
from .rules import Unusable

DRIVERS = Path(__file__).parent / "drivers"
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1")


@dataclass(frozen=True)
class Compilers:
    """Which compilers to use, with which flags."""

    cc: str = "cc"
    cxx: str = "c++"
    cflags: tuple[str, ...] = ("-Wall", "-g", "-O0")
    cxxflags: tuple[str, ...] = ("-Wall", "-g", "-std=c++11")
    sanitize: bool = True


def compile(command: Sequence[str], inputs: Sequence[str | Path], output: Path) -> None:
    """Compile and link, or raise Unusable with the compiler's first errors."""
    words = [*shlex.split(command[0]), *command[1:], "-o", str(output), *map(str, inputs)]
    if shutil.which(words[0]) is None:
        raise Unusable(f"compiler {words[0]!r} not found: install it, or choose another with --cc or --cxx")
    nothing = subprocess.DEVNULL
    process = start(words, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE)
    try:
        _, errors = process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        raise Unusable(f"{words[0]} did not finish within 300 s") from None
    finally:
        end(process)
        assert process.stderr
        process.stderr.close()
    if process.returncode:
        told = errors.decode(errors="replace").splitlines()
        lines = [line for line in told if re.search(r"error|undefined|multiple", line)]
        said = "\n".join((lines or told)[:8])
        raise Unusable(f"it does not compile:\n{said}")


def sources(folder: Path, suffixes: Sequence[str], needed: Sequence[str]) -> list[Path]:
    """Return a folder's sources without main functions; raise Unusable if a needed one is missing."""
    missing = [name for name in needed if not (folder / name).is_file()]
    if missing:
        raise Unusable(f"{folder} has no {', '.join(missing)}")
    found = sorted(path for path in folder.iterdir() if path.suffix in suffixes)
    return [path for path in found if path.name in needed or not has_main(path)]


def has_main(path: Path) -> bool:
    """Return whether a source has a main function, outside comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
    return re.search(r"\bmain\s*\(", text) is not None
