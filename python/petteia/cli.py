"""The command `petteia` of the Python package."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence

from . import __version__, get_include, get_library_dir

HELP = """usage: petteia play [GAME] [--port N] [--no-browser]
       petteia --cflags --libs
       petteia --version
       petteia --help

play        the games in the browser: tictac, breakdown, reversi, quarto (needs petteia[web])
--cflags    flags for a C compiler to find the headers of this package
--libs      flags for a linker to find its library, also when the program runs
--version   the version
--help      this text
"""


def _cflags() -> str:
    return "-I" + shlex.quote(get_include())


def _libs() -> str:
    folder = shlex.quote(get_library_dir())
    return f"-L{folder} -Wl,-rpath,{folder} -lpetteia"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["play"]:
        from .web.command import main as play

        return play(words[1:])
    flags = {"--cflags": _cflags, "--libs": _libs}
    if words and all(word in flags for word in words):
        print(" ".join(flags[word]() for word in words))
    elif words == ["--version"]:
        print(f"petteia {__version__}")
    elif words == ["--help"]:
        print(HELP, end="")
    else:
        given = f"unknown argument {words[0]!a}" if words else "no argument"
        print(f"petteia: {given}: expected play, --cflags, --libs, --version or --help", file=sys.stderr)
        return 1
    return 0
