"""Python objects with the Position protocol, played in a separate process."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .._games import DECLARED, GAMES
from .build import DRIVERS, shell
from .rooms import Room, current
from .rules import Finding, Pace, Unusable
from .sandbox import Death, Limits, describe, exchange, files

Answer = dict[str, Any]

FULL = frozenset(
    ("is_over", "players", "text", "from_text", "actions", "num_actions", "action", "move"),
)
"""The members that petteia's games have besides the four that every position needs."""


@dataclass(frozen=True)
class Line:
    """A game: its parameters, its moves, and questions to ask at its end."""

    parameters: tuple[Any, ...] = ()
    moves: tuple[str | int, ...] = ()
    questions: tuple[tuple[str, Any], ...] = ()


@dataclass
class Object:
    """A Python object under test: a class or function that makes positions, or a position."""

    path: str
    name: str
    game: str
    limits: Limits
    build: str = "python"
    calls: int = 0
    slow: int = 0
    is_value: bool = False
    members: frozenset[str] | None = None
    """The optional members it has, == for an equality of its own; None until they are known."""
    played: tuple[Any, ...] | None = None
    """The moves of the last game up to the one that raised an exception, if one did."""
    room: Room = field(default_factory=lambda: Room(current()))
    stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def pace(self, pace: Pace) -> None:
        """Do nothing: the limits are always the same."""

    def close(self) -> None:
        """End the process."""
        self.room.close()
        self.stack.close()

    def _start(self) -> None:
        self.stack.close()
        (self.errors,) = self.stack.enter_context(files(1))
        command = [sys.executable, "-u", str(DRIVERS / "position.py"), self.path, self.name]
        variables = {}
        if self.room.sandbox.petteia:
            command.append("--with-petteia")
            variables["PYTHONPATH"] = str(DRIVERS.parents[2])
        bounds = replace(self.limits, megabytes=self.limits.megabytes + 1024).bounds(lasting=True)
        self.room.start(command, [None, None, self.errors], bounds, **variables)

    def ask(self, line: Line) -> list[Answer] | Death:
        """Play a game and return the answers, or how it ended early."""
        self.calls += len(line.moves) + len(line.questions) + 1
        if not self.room.alive():
            self._start()
        request = {
            "parameters": line.parameters,
            "moves": line.moves,
            "questions": line.questions,
            "members": None if self.members is None else sorted(self.members),
        }
        self.played = None
        data = json.dumps(request).encode() + b"\n"
        got = exchange(self.room, data, self.limits, lambda got: got.endswith(b"\n"))
        if got is None:
            ended = self.room.end()
            death = describe(ended, os.pread(self.errors, 1 << 16, 0).decode(errors="replace"), self.limits)
            self.slow += death.slow
            return death
        answers: list[Answer] | Answer = json.loads(got)
        if isinstance(answers, dict) and "unusable" in answers:
            raise Unusable(f"{self.path}:{self.name}: {answers['unusable']}")
        if isinstance(answers, dict):
            self.played = tuple(answers["played"])
            if self.members is None:
                self.members = frozenset(answers["members"])
            return Death(f"it raised {answers['raised']}", "crash")
        return answers

    def again(self, finding: Finding) -> Finding:
        """Run the program that repeats a finding: it must raise what was raised, and nothing else."""
        folder, names = package(self.path)
        where = folder if len(names) == 1 else folder.parent
        script = f"cp {shlex.quote(str(DRIVERS / 'stand_in.py'))} petteia.py && "
        script += f"PYTHONPATH=.:{shlex.quote(str(where))} {shlex.quote(sys.executable)} repeat.py"
        shown = shell(script, self.room.sandbox, {"repeat.py": finding.repeat})
        raised = re.search(r"it raised (\w+)", finding.got)
        if raised and raised[1] not in shown.stderr:
            return replace(finding, again="When this program was run, it raised nothing of the kind.")
        return finding

    def repeat(self, line: Line) -> str:
        """Return a program that plays the game."""
        module = ".".join(package(self.path)[1])
        made = f"{module}.{self.name}({', '.join(map(repr, line.parameters))})"
        made = f"{module}.{self.name}" if self.is_value else made
        plays = "".join(f"position = position.play({move!r})\n" for move in line.moves)
        shown = "position.text" if "text" in (self.members or ()) else "position.turn, position.outcome"
        asked = {
            "play": "position.play({!r})",
            "action": "print(position.action({!r}))",
            "move": "print(position.move({!r}))",
            "again": "print(position.from_text(position.text) == position)",
        }
        questions = "".join(asked[what].format(value) + "\n" for what, value in line.questions)
        return f"import {module}\n\nposition = {made}\n{plays}print({shown}, position.moves)\n{questions}"


def named(made: type) -> str:
    """Return where a class is, as FILE.py:NAME."""
    try:
        file = inspect.getsourcefile(made)
    except (TypeError, OSError):
        file = None
    if file is None or not os.path.isfile(file) or "<locals>" in made.__qualname__:
        raise ValueError(f"{made!r}: expected a class at the top level of a file, or FILE.py:NAME")
    return f"{file}:{made.__qualname__}"


def located(path: str) -> str:
    """Return a path with MODULE:NAME as FILE.py:NAME, without importing anything."""
    module, colon, name = path.rpartition(":")
    if (
        not colon
        or module.endswith(".py")
        or os.path.exists(path)
        or not re.fullmatch(r"\w+(\.\w+)*", module)
    ):
        return path
    parts = module.split(".")
    for folder in [os.getcwd(), *sys.path]:
        for file in (Path(folder, *parts).with_suffix(".py"), Path(folder, *parts, "__init__.py")):
            if file.is_file():
                return f"{file}:{name}"
    raise Unusable(f"{path}: there is no module {module} in this folder or on Python's path")


def package(file: str) -> tuple[Path, list[str]]:
    """Return the folder of the outermost package of a module, or of the module, and its name from there."""
    path = Path(file).resolve()
    names = [] if path.name == "__init__.py" else [path.stem]
    folder = path.parent
    inside = folder
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        inside, folder = folder, folder.parent
    return inside, names


def open_object(path: str, game: str, limits: Limits) -> Object:
    """Start a process for the object at FILE.py:NAME."""
    file, _, name = path.rpartition(":")
    if not os.path.isfile(file) or not all(part.isidentifier() for part in name.split(".")):
        example = GAMES[game].__name__ if game in GAMES else "Game"
        raise Unusable(f"{path}: expected a Python file, a colon and a name in it, such as game.py:{example}")
    target = Object(os.path.abspath(file), name, game, limits)
    usual = DECLARED[game].presets[0][1].values() if game in DECLARED else ()
    answers = target.ask(Line(tuple(usual)))
    if isinstance(answers, Death) and not target.room.running:
        raise Unusable(f"{path}: while it is imported, {answers}")
    if not isinstance(answers, Death):
        target.is_value = answers[0]["value"]
        target.members = frozenset(answers[0]["members"])
    return target
