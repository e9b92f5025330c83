"""The `petteia` command: programs of the Python package run here, all others in Rust."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import signal
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress

from . import get_include, get_library_dir
from ._petteia import command, is_document_name


def _cflags(course: bool) -> str:
    include = get_include()
    folders = [os.path.join(include, "breakdown"), include] if course else [include]
    return " ".join("-I" + shlex.quote(folder) for folder in folders)


def _libs(course: bool) -> str:
    folder = shlex.quote(get_library_dir())
    return f"-L{folder} -Wl,-rpath,{folder} -lpetteia"


FLAGS = {"--cflags": _cflags, "--libs": _libs}
CLUSTER = ("selfplay", "playouts", "match", "solve-table")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What no terminal can show, such as half a surrogate, is printed as an escape.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(arguments)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        return _complain(error)


def _complain(error: OSError) -> int:
    """Report an error that no program expects, such as an output on a full disk, and return the exit code."""
    with suppress(OSError, ValueError, AttributeError):
        # Python must not try to write the rest again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # If the reader has closed the pipe, nobody is left to tell.
    if not isinstance(error, BrokenPipeError):
        with suppress(OSError):
            print(f"petteia: {error if error.filename else error.strerror or error}", file=sys.stderr)
    return 1


def _script() -> str:
    """Return the path of the command, for links to it."""
    # `python -m petteia` was called by the name of a file that is no command.
    called = shutil.which(sys.argv[0])
    return called or os.path.join(
        sysconfig.get_path("scripts"), "petteia" + (".exe" if os.name == "nt" else "")
    )


def _run(arguments: Sequence[str] | None) -> int:
    if arguments is None and is_document_name(sys.argv[0]):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return command(sys.argv)
    words = sys.argv[1:] if arguments is None else list(arguments)
    if len(words) == 2 and words[0] == "help" and words[1] in ("play", "check", *CLUSTER):
        words = [words[1], "--help"]
    program = words[0] if words else ""
    if program == "play":
        from ._petteia import Record
        from .web.serve import main as play

        return play(words[1:], Record.from_text)
    if program == "check":
        from .check.command import main as check

        return check(words[1:])
    # Perft in this process is a Rust program too.
    elsewhere = any(word.partition("=")[0] in ("--workers", "--dask") for word in words)
    if program in CLUSTER or (program == "perft" and elsewhere):
        from ._cluster_command import main as on_a_cluster

        return on_a_cluster(program, words[1:])
    # With --course, the folder with the file names of Breakdown's course too; it says nothing by itself.
    wanted = [word for word in words if word != "--course"]
    if wanted and all(word in FLAGS for word in wanted) and ("--cflags" in wanted or wanted == words):
        print(" ".join(FLAGS[word]("--course" in words) for word in wanted))
        return 0
    if program == "link" and not any(word.partition("=")[0] == "--to" for word in words):
        # This process is Python, not the command.
        words = ["link", "--to", _script(), *words[1:]]
    # Let Ctrl-C end a Rust program that waits for input, without a traceback.
    if arguments is None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["petteia", *words])
