"""The tutorials in docs/tutorials, run as a reader would.

A block of code with a title is a file. A `console` block is a shell session in the folder of the files: each
line that begins with `$` is run, and prints exactly what follows it. A `pycon` block is a session of Python.

`python tests/python/tutorials.py PAGE...` writes into the console blocks what the commands print now.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shell(command: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Return what a command prints, on either stream."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=None if environment is None else dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    return done.stdout


def session(text: str, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Return a console block as it would be if its commands were run now."""
    commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    return "".join(f"$ {command}\n{shell(command, folder, environment)}" for command in commands)


def run(page: str, folder: Path, environment: Mapping[str, str] | None = None) -> int:
    """Run a page and return the number of commands and examples; raise AssertionError where it is wrong."""
    ran = 0
    names: dict[str, Any] = {}
    for language, title, text in BLOCK.findall(page):
        if title:
            (folder / title).write_text(text)
        elif language == "console":
            now = session(text, folder, environment)
            assert now == text, f"expected:\n{text}\ngot:\n{now}"
            ran += text.count("$ ")
        elif language == "pycon":
            test = doctest.DocTestParser().get_doctest(text, names, "tutorial", None, 0)
            runner = doctest.DocTestRunner(verbose=False)
            runner.run(test, clear_globs=False)
            assert runner.summarize(verbose=False).failed == 0
            names = test.globs
            ran += len(test.examples)
    return ran


def rewrite(path: Path) -> None:
    """Write into a page what its commands print now."""
    with tempfile.TemporaryDirectory() as name:

        def block(found: re.Match[str]) -> str:
            language, title, text = found.groups()
            if title:
                (Path(name) / title).write_text(text)
            elif language == "console":
                return f"```console\n{session(text, Path(name))}```"
            return found[0]

        path.write_text(BLOCK.sub(block, path.read_text()))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        rewrite(Path(argument))
