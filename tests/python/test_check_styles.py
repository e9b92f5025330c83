"""Right implementations in other layouts, styles and libraries: all rules hold."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import zoo
from petteia.check import Compilers, Limits, Options, Unusable
from petteia.check.targets import open_target

ZOO, STYLES = zoo.ZOO, zoo.ZOO / "styles"
CLASSES = ("piece.cpp", "pool.cpp", "square.cpp", "board.cpp", "player.cpp", "game.cpp")

Layout = tuple[str, Callable[[Path], Path | str], dict[str, Any]]


def copied(source: Path, to: Path, *names: str) -> Path:
    to.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.is_file() and (not names or file.name in names):
            shutil.copy(file, to)
    return to


def folders(at: Path) -> Path:
    """Sources and headers in folders of their own, under a name with spaces, and tests beside them."""
    root = at / "my first submission (2)"
    copied(ZOO / "breakdown", root / "src", "pos.c", "board.c", "logic.c", "play.c")
    copied(ZOO / "breakdown", root / "include", "pos.h", "board.h", "logic.h", "bug.h")
    (root / "tests").mkdir()
    (root / "tests" / "board.c").write_text("#error a test, not the board\n")
    (root / "Makefile").write_text("CFLAGS = -DANYTHING -std=gnu11\nplay: src/*.c\n\tclang $^ -o $@ -lm\n")
    return root


def other_names(at: Path) -> Path:
    root = copied(ZOO / "breakdown", at)
    (root / "board.c").rename(root / "the_board.c")
    (root / "the_board.c").write_text((root / "the_board.c").read_text().replace('"board.h"', '"grid.h"'))
    (root / "logic.h").write_text((root / "logic.h").read_text().replace('"board.h"', '"grid.h"'))
    (root / "board.h").rename(root / "grid.h")
    return root


def six_files(at: Path) -> Path:
    """Just what is to be handed in, written for the course's own headers."""
    root = copied(ZOO / "quarto", at, *CLASSES, "bug.h")
    for name, tables in ("piece.cpp", "HEIGHTS COLORS SHAPES TOPS"), ("square.cpp", "ROWS COLUMNS"):
        text = (root / name).read_text()
        for table in tables.split():
            text = text.replace(table, {"ROWS": '"ABCD"', "COLUMNS": '"1234"'}.get(table, f"{table[0]}CODE"))
        (root / name).write_text(text)
    for file in root.iterdir():
        # The course's exceptions have no common class of their own.
        file.write_text(file.read_text().replace("GameException", "std::exception"))
    return root


def one_file(at: Path) -> Path:
    """All classes in one source, the others empty, in a namespace."""
    root = copied(ZOO / "quarto", at)
    sources = ["quarto.cpp", "exceptions.cpp", *CLASSES[:-1]]
    whole = "\n".join((root / name).read_text() for name in sources)
    includes = [line for line in whole.splitlines() if line.startswith("#include")]
    body = "\n".join(line for line in whole.splitlines() if not line.startswith("#include"))
    for name in sources:
        (root / name).write_text('#include "piece.h"\n')
    (root / "board.cpp").write_text("\n".join(includes) + f"\nnamespace course {{\n{body}\n}}\n")
    for header in root.glob("*.h"):
        if header.name != "bug.h":
            lines = header.read_text().splitlines()
            inside = [line for line in lines[2:-1] if not line.startswith("#include")]
            heads = [line for line in lines[2:-1] if line.startswith("#include")]
            text = [*lines[:2], *heads, "namespace course {", *inside, "}", lines[-1]]
            header.write_text("\n".join(text) + "\n")
    game = (root / "game.cpp").read_text()
    (root / "game.cpp").write_text(game.replace("int main", "using namespace course;\n\nint main"))
    return root


def made(at: Path) -> Path:
    """Sources of other names, of which a Makefile makes the programs."""
    root = copied(STYLES / "tictac", at)
    (root / "move-check.cpp").rename(root / "first.cpp")
    (root / "game-check.cpp").rename(root / "second.cpp")
    rules = "".join(
        f"{name}: {source}.cpp Move.cpp\n\tc++ -std=c++11 -o $@ $^\n"
        for name, source in (("move-check", "first"), ("game-check", "second"))
    )
    (root / "Makefile").write_text(f"all: move-check game-check\n{rules}")
    return root


def with_cmake(at: Path) -> Path:
    root = copied(STYLES / "reversi", at / "src")
    shutil.copy(ZOO.parents[1] / "python/petteia/check/given/reversi/model.hxx", root)
    (at / "src" / "view.cxx").write_text("#include <ge211_window.hxx>\n#error a view, which needs a window\n")
    (at / "CMakeLists.txt").write_text("set(CMAKE_CXX_STANDARD 14)\nadd_executable(reversi src/model.cxx)\n")
    return at


LAYOUTS: dict[str, Layout] = {
    "breakdown in another style": ("breakdown", lambda at: STYLES / "breakdown", {}),
    "breakdown in folders": ("breakdown", folders, {}),
    "breakdown with other names": (
        "breakdown",
        other_names,
        {"map": {"board.c": "the_board.c", "board.h": "grid.h"}},
    ),
    "quarto in six files": ("quarto", six_files, {}),
    "quarto with the course's files": ("quarto", six_files, {"given": "given"}),
    "quarto in one file and a namespace": ("quarto", one_file, {}),
    "quarto with one space more": (
        "quarto",
        lambda at: ZOO / "quarto",
        {"variables": {"BUG": "rows_with_one_space_more"}},
    ),
    "tictac with streams and maps": ("tictac", lambda at: STYLES / "tictac", {}),
    "tictac made by a Makefile": ("tictac", made, {}),
    "reversi as it is handed in": ("reversi", lambda at: STYLES / "reversi", {}),
    "reversi with CMake and a view": ("reversi", with_cmake, {}),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_rule_fails(name: str, tmp_path: Path) -> None:
    target, layout, more = LAYOUTS[name]
    if "given" in more:
        given = tmp_path / "given"
        shutil.copytree(ZOO.parents[1] / "python/petteia/check/given/quarto", given)
        more = {**more, "given": str(given)}
    options = Options(Compilers(sanitize=False), Limits(seconds=2.0), **more)
    with ExitStack() as stack:
        opened = open_target(target, [str(layout(tmp_path / "handed in"))], options, stack)
        assert opened.remarks == []
        results = zoo.run(opened, 20)
    wrong = [
        (each.rule.name, each.status, each.finding)
        for each in results
        if each.status not in ("passed", "note")
    ]
    assert wrong == []


def test_shifts_into_the_sign_bit_are_no_finding() -> None:
    options = Options(Compilers(), Limits(seconds=2.0))
    with ExitStack() as stack:
        opened = open_target("breakdown", [str(STYLES / "breakdown")], options, stack)
        groups = [rule for group in opened.groups for rule in group.rules if rule.sanitized]
        assert [rule.name for rule in groups] == ["sanitizer", "bits-sanitizer", "play-sanitizer"]
        for group in opened.groups:
            for rule in group.rules:
                if rule.sanitized:
                    assert group.apply(rule, 40, 0).status == "passed"


def test_what_the_compiler_refuses_another_may_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, body in (
        ("c++", "echo error: too new for me >&2; exit 1"),
        ("clang++", 'exec /usr/bin/c++ "$@"'),
    ):
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{Path('/usr/bin')}")
    with ExitStack() as stack:
        options = Options(Compilers(sanitize=False), sandbox=False)
        opened = open_target("tictac", [str(STYLES / "tictac")], options, stack)
        assert opened.remarks[-1].startswith("c++ does not take it, but this does: clang++")


@pytest.mark.parametrize(
    ("target", "names", "words"),
    [
        ("breakdown", ("logic.c",), "has no pos.c, board.c"),
        ("quarto", ("piece.cpp", "pool.cpp"), "has no square.cpp, board.cpp, player.cpp"),
        ("tictac", ("nothing",), "has neither move-check.cpp nor game-check.cpp"),
        ("reversi", ("nothing",), "has no model.cxx"),
    ],
)
def test_all_that_is_missing_is_told(target: str, names: tuple[str, ...], words: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_text("\n")
    with ExitStack() as stack, pytest.raises(Unusable, match=words):
        open_target(target, [str(tmp_path)], Options(), stack)


def test_a_wrong_map_is_told(tmp_path: Path) -> None:
    (tmp_path / "pos.c").write_text("\n")
    options = Options(map={"board.c": "grid.c"})
    with (
        ExitStack() as stack,
        pytest.raises(Unusable, match=r"has no grid\.c, which --map names for board\.c"),
    ):
        open_target("breakdown", [str(tmp_path)], options, stack)
