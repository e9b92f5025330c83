"""The targets: how each is recognised, built and started, and which rules apply to it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from .._clibrary import get_include, get_library_dir
from .._games import GAMES
from . import (
    breakdown,
    breakdown_play,
    breakdown_rules,
    position,
    position_rules,
    quarto_classes,
    quarto_game,
    reversi,
    tictac,
)
from .build import DRIVERS, SANITIZE, Compilers, compile, has_main, sources
from .fairness import refuse_petteia
from .programs import Program
from .rooms import Room, Sandbox, current, entered
from .rules import Group, Target, Unusable
from .sandbox import Driver, Limits

PARTS = ("pos.c", "board.c", "logic.c")
LIBRARIES = (".so", ".dylib")


@dataclass
class Options:
    """How to build, run and test a target."""

    compilers: Compilers = field(default_factory=Compilers)
    limits: Limits = field(default_factory=Limits)
    bits: bool = True
    """Whether Breakdown has bits boards besides matrix boards."""
    sandbox: bool = True
    """Whether to confine what is built and run, or raise Unusable where that cannot be done."""
    petteia: bool = False
    """Whether the implementation may use petteia."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment for the implementation, which sees none of yours."""
    budget: float = 600.0
    """Seconds on the clock for the whole of a check."""


@dataclass
class Opened:
    """A target that has been built and started."""

    groups: list[Group] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    sandbox: Sandbox | None = None


def open_target(target: str, paths: Sequence[str], options: Options, stack: ExitStack) -> Opened:
    """Build and start the implementations at the paths, or raise Unusable; closing the stack stops them."""
    folders = [path for path in paths if os.path.isdir(path)]
    if len(folders) > 1:
        raise Unusable(
            f"{folders[0]} and {folders[1]} are two folders: expected one implementation, or --class FOLDER"
        )
    sandbox = Sandbox(
        confined=options.sandbox,
        paths=[path.rpartition(":")[0] if ".py:" in path else path for path in paths],
        variables=options.variables,
        tools=[shlex.split(compiler)[0] for compiler in (options.compilers.cc, options.compilers.cxx)],
        petteia=options.petteia,
        budget=options.budget,
    )
    stack.callback(sandbox.close)
    # Before anything is looked at, let alone run.
    sandbox.open()
    refuse_petteia(sandbox, sandbox.paths)
    stack.enter_context(entered(sandbox))
    opened = Opened(remarks=list(sandbox.remarks), sandbox=sandbox)
    for number, path in enumerate(paths):
        work = sandbox.work / str(number)
        if ".py:" in path:
            started = position.open_object(path, target, options.limits)
            members = started.members or frozenset()
            has_rules = target in GAMES
            rules = position_rules.rules(target, members) if has_rules else position_rules.laws(members)
            opened.groups.append(Group(rules, [started]))
            opened.remarks += position_rules.remarks(members)
        else:
            TARGETS[target].open(path, options, work, opened)
    for group in opened.groups:
        group.siblings = [other for other in opened.groups if other is not group]
        for running in group.targets:
            stack.callback(running.close)
    refuse_petteia(sandbox, sandbox.paths)
    return opened


def existing(path: str) -> Path:
    """Return the absolute path, or raise Unusable if there is nothing."""
    if not os.path.exists(path):
        raise Unusable(f"{path} does not exist")
    return Path(path).resolve()


def program(path: Path) -> Path:
    """Return the path, or raise Unusable if it is not an executable file."""
    if not os.access(path, os.X_OK) or path.is_dir():
        raise Unusable(f"{path} is not an executable file")
    return path


def builds(options: Options, opened: Opened, build: Callable[[Sequence[str], str], Target]) -> list[Target]:
    """Build the sources as they are and, if the compiler can, with the sanitizers."""
    started = [build((), "plain")]
    if options.compilers.sanitize:
        try:
            started.append(build(SANITIZE, "sanitizer"))
        except Unusable as reason:
            opened.remarks.append(f"not built with the sanitizers: {reason}")
    return started


def _breakdown(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    if where.is_dir():
        files = sources(where, (".c",), PARTS)
        include, given = where, path.rstrip("/") or "/"
        shown = breakdown.Source(" ".join([f"-I{given}", *(f"{given}/{file.name}" for file in files)]))
    elif where.suffix in LIBRARIES or ".so." in where.name:
        files, include = [where], Path(get_include()) / "breakdown"
        shown = breakdown.Source(f"-I{include} {path} -Wl,-rpath,{where.parent}")
    else:
        _play(program(where), _runnable(path), options, opened)
        return

    def build(extra: Sequence[str], name: str) -> Target:
        output = work / name
        command = [options.compilers.cc, *options.compilers.cflags, *extra, f"-I{include}"]
        # The course's headers, for a folder without its own.
        command += [f"-I{Path(get_include()) / 'breakdown'}", f"-Wl,-rpath,{where.parent}"]
        compile(command, [DRIVERS / "breakdown.c", *files], output)
        driver = Driver(output, options.limits, sanitized=bool(extra))
        return breakdown.Library(driver, name, shown)

    started = builds(options, opened, build) if where.is_dir() else [build((), "library")]
    opened.groups.append(Group(breakdown_rules.rules(options.bits), started))
    play = where / "play.c"
    if play.is_file() and has_main(play):
        helpers = [file for file in files if file.name not in PARTS]
        library = [f"-L{get_library_dir()}", f"-Wl,-rpath,{get_library_dir()}", "-lpetteia"]

        def build_play(extra: Sequence[str], name: str) -> Target:
            executable = work / f"play-{name}"
            command = [options.compilers.cc, *options.compilers.cflags, *extra, f"-I{include}"]
            try:
                # Linked with petteia's functions, the program is judged only by its own mistakes.
                compile(command, [play, *helpers, *library], executable, petteia=True)
            except Unusable:
                compile(command, [play, *files], executable)
            room = Room(current(), petteia=True)
            return Program((str(executable),), "./play", options.limits, name, bool(extra), room=room)

        opened.groups.append(
            Group(breakdown_play.rules(options.bits, alone=False), builds(options, opened, build_play))
        )


def _play(path: Path, shown: str, options: Options, opened: Opened) -> None:
    target = Program((str(path),), shown, options.limits)
    opened.groups.append(Group(breakdown_play.rules(options.bits), [target]))


def _tictac(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    files = [where]
    if where.is_dir():
        files = [where / name for name in ("move-check", "game-check") if (where / name).is_file()]
        if not files:
            raise Unusable(f"{path} has neither move-check nor game-check: build them first")
    for file in files:
        kinds = {"move": tictac.move_rules, "game": tictac.game_rules}
        rules = [found for word, found in kinds.items() if word in file.name]
        if len(rules) != 1:
            raise Unusable(f"{path}: expected a program with move or game in its name, such as move-check")
        shown = f"{path.rstrip('/')}/{file.name}" if where.is_dir() else path
        target = Program((str(program(file)),), _runnable(shown), options.limits)
        opened.groups.append(Group(rules[0](), [target]))


def _runnable(path: str) -> str:
    """Return a path as a shell command."""
    return shlex.quote(path if "/" in path else f"./{path}")


def _reversi(path: str, options: Options, work: Path, opened: Opened) -> None:
    target = Program((str(program(existing(path))),), _runnable(path), options.limits)
    opened.groups.append(Group(reversi.rules(), [target]))


CLASSES = ("piece.cpp", "pool.cpp", "square.cpp", "board.cpp", "player.cpp")


def _quarto(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    if not quarto_game.has_glibc():
        opened.remarks.append("the myopic player is not checked: its games depend on glibc's rand()")
    if not where.is_dir():
        _game(program(where), _runnable(path), options, opened)
        return
    files = sources(where, (".cpp",), CLASSES)
    given = path.rstrip("/") or "/"
    shown = " ".join([f"-I{given}", *(f"{given}/{file.name}" for file in files)])

    def build(extra: Sequence[str], name: str) -> Target:
        output = work / name
        command = [options.compilers.cxx, *options.compilers.cxxflags, *extra, f"-I{where}"]
        compile(command, [DRIVERS / "quarto.cpp", *files], output)
        return quarto_classes.Classes(
            (str(output),), "driver", options.limits, name, bool(extra), compiled=shown
        )

    opened.groups.append(Group(quarto_classes.rules(), builds(options, opened, build)))
    driver = where / "game.cpp"
    if driver.is_file():

        def build_game(extra: Sequence[str], name: str) -> Target:
            executable = work / f"game-{name}"
            command = [options.compilers.cxx, *options.compilers.cxxflags, *extra, f"-I{where}"]
            compile(command, [driver, *files], executable)
            return Program((str(executable),), "./game", options.limits, name, bool(extra))

        opened.groups.append(Group(quarto_game.rules(alone=False), builds(options, opened, build_game)))


def _game(path: Path, shown: str, options: Options, opened: Opened) -> None:
    opened.groups.append(Group(quarto_game.rules(), [Program((str(path),), shown, options.limits)]))


def _position(path: str, options: Options, work: Path, opened: Opened) -> None:
    raise Unusable(f"{path}: expected a Python file, a colon and a name in it, such as game.py:Game")


@dataclass(frozen=True)
class Known:
    """A kind of target."""

    open: Callable[[str, Options, Path, Opened], None]
    """Builds and starts the implementation at a path."""
    paths: str
    """What a path can be."""


TARGETS = {
    "breakdown": Known(
        _breakdown,
        "a folder with pos.c, board.c and logic.c (and play.c), a shared library of them, or a play program",
    ),
    "tictac": Known(_tictac, "a move-check and a game-check program, or a folder that contains them"),
    "quarto": Known(_quarto, "a folder with the document's C++ classes (and game.cpp), or a game program"),
    "reversi": Known(_reversi, "a program that speaks the line protocol of docs/conformance.md"),
    "position": Known(_position, "FILE.py:NAME, a Python class of positions of any other game"),
}
"""All targets by name: the only list of them in the kit."""
