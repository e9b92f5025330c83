"""The targets: how each is recognised, built and started, and which rules apply to it."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
from .build import (
    DRIVERS,
    GIVEN,
    SANITIZE,
    Builder,
    Compilers,
    Folder,
    has_main,
    make,
    with_includes,
)
from .fairness import refuse_petteia
from .programs import Program
from .rooms import Room, Sandbox, current, entered
from .rules import Group, Rule, Target, Unusable
from .sandbox import Driver, Limits

SHOWN = ("-fsanitize=address,undefined",)
"""The options of the build with the sanitizers that matter, for commands that are shown."""
PARTS = ("pos.c", "board.c", "logic.c")
LIBRARIES = (".so", ".dylib")


@dataclass
class Options:
    """How to build, run and test a target."""

    compilers: Compilers = field(default_factory=Compilers)
    limits: Limits = field(default_factory=Limits)
    bits: bool = True
    """Whether Breakdown has bits boards besides matrix boards."""
    given: str = ""
    """A folder with the course's own files, for those that are not handed in; else the kit has its own."""
    map: Mapping[str, str] = field(default_factory=dict)
    """For names of the document, the files of the submission that stand for them."""
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
    paths = [position.located(path) for path in paths]
    places = [path.rpartition(":")[0] if ".py:" in path else path for path in paths]
    # A module may import others of its package.
    packages = [str(position.package(place)[0]) for place, path in zip(places, paths) if ".py:" in path]
    sandbox = Sandbox(
        confined=options.sandbox,
        paths=[*places, *packages],
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
    course = Path(get_include()) / "breakdown"
    folder, parts = None, []
    if where.is_dir():
        folder = _folder(path, options, [course])
        if not any(map(folder.find, PARTS)) and (made := make(folder, work, ["play"])):
            _play(made["play"], f"{folder.shown}/play", options, opened)
            return
        parts = folder.need(PARTS)
        files = [*parts, *folder.beside(parts, (".c",))]
        flags = folder.flags()
        includes = folder.includes(folder.shims(current().given / "headers"))
        shown = breakdown.Source(
            " ".join([*folder.shown_includes(), *map(folder.show, files), "-lm"]),
            shlex.join([*folder.includes(), *map(str, files), "-lm"]),
        )
    elif where.suffix in LIBRARIES or ".so." in where.name:
        files, flags, includes = [where], [], [f"-I{course}", f"-Wl,-rpath,{where.parent}"]
        words = [f"-I{course}", path, f"-Wl,-rpath,{where.parent}"]
        shown = breakdown.Source(shlex.join(words), shlex.join([words[0], str(where), words[2]]))
    else:
        _play(program(where), _runnable(path), options, opened)
        return
    builder = Builder(options.compilers, False, flags, opened.remarks)

    def build(extra: Sequence[str], name: str) -> Target:
        output = work / name
        library = where.is_file()
        sources = [] if library else files
        builder.build(
            [DRIVERS / "breakdown.c"], sources, output, [*extra, *includes], [str(where)] if library else ()
        )
        return breakdown.Library(Driver(output, options.limits, sanitized=bool(extra)), name, shown)

    started = builds(options, opened, build) if folder else [build((), "library")]
    opened.groups.append(Group(breakdown_rules.rules(options.bits), started))
    play = folder.find("play.c") if folder else None
    if folder and play and has_main(play):
        helpers = [file for file in files if file not in parts and file != play]
        library = [f"-L{get_library_dir()}", f"-Wl,-rpath,{get_library_dir()}", "-lpetteia"]

        def build_play(extra: Sequence[str], name: str) -> Target:
            output = work / f"play-{name}"
            command = [*extra, *includes]
            try:
                # Linked with petteia's functions, the program is judged only by its own mistakes.
                builder.build([], [play, *helpers], output, command, library, petteia=True)
            except Unusable:
                builder.build([], [play, *(file for file in files if not has_main(file))], output, command)
            room = Room(current(), petteia=True)
            target = Program((str(output),), "./play", options.limits, name, bool(extra), room=room)
            built = [
                "cc -g",
                *SHOWN[: len(extra)],
                *folder.shown_includes(),
                *map(folder.show, [play, *files]),
                "-lm -o play",
            ]
            target.built = " ".join(built)
            return target

        rules = breakdown_play.rules(options.bits, alone=False)
        opened.groups.append(Group(rules, builds(options, opened, build_play)))


def _folder(path: str, options: Options, course: Sequence[Path]) -> Folder:
    """Return a submission's folder, completed by the course's files or by the kit's."""
    given = []
    if options.given:
        place = current().given / "course"
        if not place.exists():
            shutil.copytree(existing(options.given), place)
        given.append(place)
    return Folder(path, options.map, [*given, *course])


def _play(path: Path, shown: str, options: Options, opened: Opened) -> None:
    target = Program((str(path),), shown, options.limits)
    opened.groups.append(Group(breakdown_play.rules(options.bits), [target]))


def _tictac(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    kinds = {"move": tictac.move_rules, "game": tictac.game_rules}
    if not where.is_dir():
        words = [word for word in kinds if word in where.name]
        if len(words) != 1:
            raise Unusable(f"{path}: expected a program with move or game in its name, such as move-check")
        started: list[Target] = [Program((str(program(where)),), _runnable(path), options.limits)]
        opened.groups.append(Group(kinds[words[0]](), started))
        return
    folder = _folder(path, options, [])
    names = [f"{word}-check" for word in kinds]
    sources = {word: folder.find(f"{word}-check.cpp") or folder.find(f"{word}_check.cpp") for word in kinds}
    programs = {word: folder.find(f"{word}-check") for word in kinds}
    if not any(sources.values()) and not any(programs.values()):
        made = make(folder, work, names)
        programs = {word: made.get(f"{word}-check") for word in kinds}
    builder = Builder(options.compilers, True, folder.flags(), opened.remarks)
    for word, rules in kinds.items():
        source, built = sources[word], programs[word]
        if source:
            files = with_includes(folder, source, (".cpp", ".cc", ".cxx"))
            opened.groups.append(
                Group(rules(), _compiled(folder, builder, files, f"{word}-check", options, work, opened))
            )
        elif built:
            shown = _runnable(f"{folder.shown}/{built.name}")
            opened.groups.append(Group(rules(), [Program((str(built),), shown, options.limits)]))
    if not opened.groups:
        raise Unusable(f"{path} has neither move-check.cpp nor game-check.cpp, nor programs of these names")


def _compiled(
    folder: Folder,
    builder: Builder,
    files: Sequence[Path],
    name: str,
    options: Options,
    work: Path,
    opened: Opened,
    drivers: Sequence[Path] = (),
) -> list[Target]:
    """Build a program of some sources, as it is and with the sanitizers."""
    includes = folder.includes(folder.shims(current().given / "headers"))

    def build(extra: Sequence[str], kind: str) -> Target:
        output = work / f"{name}-{kind}"
        builder.build(drivers, files, output, [*extra, *includes])
        target = Program((str(output),), f"./{name}", options.limits, kind, bool(extra))
        own = [
            *builder.ways[0],
            *SHOWN[: len(extra)],
            *folder.shown_includes(),
            *map(folder.show, [*drivers, *files]),
        ]
        target.built = f"{' '.join(own)} -o {name}"
        return target

    return builds(options, opened, build)


def _runnable(path: str) -> str:
    """Return a path as a shell command."""
    return shlex.quote(path if "/" in path else f"./{path}")


def _reversi(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    if not where.is_dir():
        target = Program((str(program(where)),), _runnable(path), options.limits)
        opened.groups.append(Group(reversi.rules(), [target]))
        return
    folder = _folder(path, options, [GIVEN / "reversi"])
    model = folder.find("model.cxx") or folder.find("model.cpp")
    if model is None:
        made = make(folder, work, ["reversi"])
        if "reversi" not in made:
            raise Unusable(
                f"{path} has no model.cxx, and no program that speaks the line protocol is made of it"
            )
        target = Program((str(made["reversi"]),), _runnable(f"{folder.shown}/reversi"), options.limits)
        opened.groups.append(Group(reversi.rules(), [target]))
        return
    suffixes = (".cxx", ".cpp", ".cc")
    files = with_includes(folder, model, suffixes)
    flags = [flag for flag in folder.flags() if not flag.startswith("-std")]
    space = folder.namespace(["model.hxx", "model.hpp", "model.h"])
    flags += [f"-DPETTEIA_NAMESPACE={space}"] if space else []
    # The course's standard is later than that of the others.
    flags += ["-std=c++14"]
    builder = Builder(options.compilers, True, flags, opened.remarks)
    started = _compiled(folder, builder, files, "reversi", options, work, opened, [DRIVERS / "reversi.cpp"])
    opened.groups.append(Group(reversi.rules(), started))


CLASSES = ("piece.cpp", "pool.cpp", "square.cpp", "board.cpp", "player.cpp")


def _quarto(path: str, options: Options, work: Path, opened: Opened) -> None:
    where = existing(path)
    if not quarto_game.has_glibc():
        opened.remarks.append("the myopic player is not checked: its games depend on glibc's rand()")
    if not where.is_dir():
        _game(program(where), _runnable(path), options, opened)
        return
    folder = _folder(path, options, [GIVEN / "quarto"])
    if not any(map(folder.find, CLASSES)) and (made := make(folder, work, ["game"])):
        _game(made["game"], f"{folder.shown}/game", options, opened)
        return
    classes = folder.need(CLASSES)
    parts = [*classes, *folder.need(("quarto.cpp", "exceptions.cpp"))]
    driver = folder.find("game.cpp")
    files = [
        *parts,
        *(file for file in folder.beside(classes, (".cpp",)) if file not in parts and file != driver),
    ]
    includes = folder.includes(folder.shims(current().given / "headers"))
    space = folder.namespace(["board.h"])
    flags = [*folder.flags(), *([f"-DPETTEIA_NAMESPACE={space}"] if space else [])]
    builder = Builder(options.compilers, True, flags, opened.remarks)
    shown = " ".join([*folder.shown_includes(), *map(folder.show, files)])
    inside = shlex.join([*includes, *map(str, files)])

    def build(extra: Sequence[str], name: str) -> Target:
        output = work / name
        builder.build([DRIVERS / "quarto.cpp"], files, output, [*extra, *includes])
        return quarto_classes.Classes(
            (str(output),),
            "driver",
            options.limits,
            name,
            bool(extra),
            compiled=shown,
            inside=inside,
            space=space,
        )

    opened.groups.append(Group(quarto_classes.rules(), builds(options, opened, build)))
    if driver:
        sources = [driver, *(file for file in files if not has_main(file))]
        started = _compiled(folder, builder, sources, "game", options, work, opened)
        opened.groups.append(Group(quarto_game.rules(alone=False), started))


def _game(path: Path, shown: str, options: Options, opened: Opened) -> None:
    opened.groups.append(Group(quarto_game.rules(), [Program((str(path),), shown, options.limits)]))


def _position(path: str, options: Options, work: Path, opened: Opened) -> None:
    raise Unusable(f"{path}: expected a Python file, a colon and a name in it, such as game.py:Game")


POSITION = """FILE.py:NAME, or MODULE:NAME: a class or function that makes a position, or a position. It needs
  turn      the player to move, 0 or 1, or what stands for a player in the document, or None at the end
  moves     the legal moves, as a list of strings
  play      play(move) returns the position after a move, and leaves the one it is called on as it is
  outcome   None, or at the end a petteia.Outcome or an object whose `winner` is a player or None
and may have is_over, players, text, from_text, actions, num_actions, action and move, as petteia.Position
does. All but play, from_text, action and move are attributes or properties."""


@dataclass(frozen=True)
class Known:
    """A kind of target."""

    open: Callable[[str, Options, Path, Opened], None]
    """Builds and starts the implementation at a path."""
    paths: str
    """What a path can be."""
    rules: Callable[[Options], list[Rule[Any]]]
    """All its rules."""
    needs: str
    """What an implementation must have."""


TARGETS = {
    "breakdown": Known(
        _breakdown,
        "a folder with pos.c, board.c and logic.c (and play.c), a shared library of them, or a play program",
        lambda options: [*breakdown_rules.rules(options.bits), *breakdown_play.rules(options.bits)],
        """A folder with pos.c, board.c and logic.c and their headers, with the document's names and types:
  pos.h     struct pos { r, c }, make_pos
  board.h   enum cell, union board_rep, enum type, struct board, board_new, board_free, board_show, board_get,
            board_set
  logic.h   enum turn, enum outcome, struct game, new_game, game_free, drop_stick, breakdown, game_outcome
Without headers, those of the document are used. With play.c, the program is checked too:
  play -w WIDTH -h HEIGHT -k STICK -q SQUARE -m|-b
The files may be in subfolders such as src and include, or have other names (--map board.h=grid.h).""",
    ),
    "tictac": Known(
        _tictac,
        "a folder with move-check.cpp and game-check.cpp, or with programs of these names, or one of those",
        lambda options: [*tictac.move_rules(), *tictac.game_rules()],
        """A folder with move-check.cpp and game-check.cpp, compiled with the sources of the headers that they
include; or with a Makefile that makes programs of these names; or the programs. They read stdin, print one
line and exit:
  move-check   the move, or "Parse error."; exit code 0 or 1
  game-check   the state of the game, "Parse error." or "Invalid move."; exit code 0, 1 or 2""",
    ),
    "quarto": Known(
        _quarto,
        "a folder with the document's C++ classes (and game.cpp), or a game program",
        lambda options: [*quarto_classes.rules(), *quarto_game.rules()],
        """A folder with piece.cpp, pool.cpp, square.cpp, board.cpp and player.cpp: the classes Piece, Pool,
Square, Board and Player of the document, with getHumanPlayer and getMyopicPlayer. The headers, quarto.cpp
and exceptions.cpp are those of the folder, of --given DIR, or else the kit's own. With game.cpp, the program
is checked too:
  game h|m h|m [SEED]
The files may be in subfolders and in a namespace, or have other names (--map board.h=Board.hpp).""",
    ),
    "reversi": Known(
        _reversi,
        "a folder with the course's model.cxx, or a program that speaks the line protocol",
        lambda options: reversi.rules(),
        """A folder with model.cxx, in src or elsewhere: the class Model of the document, with
Model(width, height), turn, winner, operator[], find_move and play_move. Its other files are those of the
folder, of --given DIR, or else the kit's own; no graphics library is needed. Or any program that speaks the
line protocol in docs/conformance.md.""",
    ),
    "position": Known(
        _position,
        "FILE.py:NAME or MODULE:NAME, a Python class of positions of any other game",
        lambda options: position_rules.laws(position.FULL),
        POSITION,
    ),
}
"""All targets by name: the only list of them in the kit."""


def explained(target: str) -> str:
    """Return what an implementation must have."""
    needs = TARGETS[target].needs
    return needs if target == "position" else f"{needs}\n\nOr, in Python, {POSITION}"
