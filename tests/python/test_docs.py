"""The documentation is true: docstrings, README, stubs, examples."""

import doctest
import inspect
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import petteia
import pytest
import stub_docs
from games import ROOT
from petteia import _clibrary, _enums, _petteia, _position, breakdown, cli, quarto, reversi, tictac
from petteia import gymnasium as petteia_gymnasium
from petteia import openspiel as petteia_openspiel
from petteia import pettingzoo as petteia_pettingzoo

ADAPTERS = [petteia_gymnasium, petteia_openspiel, petteia_pettingzoo]
MODULES = [
    petteia,
    tictac,
    breakdown,
    reversi,
    quarto,
    cli,
    _clibrary,
    _enums,
    _position,
    _petteia,
    *ADAPTERS,
]


def docstrings(owner: Any, name: str, seen: set[int]) -> Iterator[tuple[str, str, Any]]:
    """Yield the docstrings with examples of a module or class and its members."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    text = inspect.getdoc(owner)
    borrowed = str(getattr(owner, "__module__", None)).startswith("numpy")
    if text and ">>>" in text and not borrowed:
        yield name, text, owner
    if isinstance(owner, (ModuleType, type)) and getattr(owner, "__module__", "petteia").startswith(
        "petteia"
    ):
        for key, value in vars(owner).items():
            if not (isinstance(value, ModuleType) or key.startswith("__")):
                yield from docstrings(value, f"{name}.{key}", seen)


FOUND = [found for module in MODULES for found in docstrings(module, module.__name__, set())]


def run(text: str, names: dict[str, Any], name: str) -> int:
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    return len(test.examples)


@pytest.mark.parametrize(("name", "text", "owner"), FOUND, ids=[name for name, _, _ in FOUND])
def test_docstrings(name: str, text: str, owner: Any) -> None:
    home = sys.modules.get(getattr(owner, "__module__", "petteia") or "petteia", petteia)
    assert run(text, {**vars(home), "petteia": petteia}, name)


def test_there_are_examples() -> None:
    classes = {name.rsplit(".", 1)[-1] for name, _, _ in FOUND}
    assert {"gymnasium", "openspiel", "pettingzoo", "VectorEnv"} <= classes
    assert {"TicTac", "Breakdown", "Reversi", "Quarto", "Record", "Model", "Game", "evaluate"} <= classes


def test_everything_public_is_documented() -> None:
    for module in MODULES[:6]:
        assert module.__doc__
        for name in getattr(module, "__all__", []):
            value = getattr(module, name)
            # Strings, mappings and aliases of types have no docstrings.
            if not (isinstance(value, (str, Mapping)) or get_origin(value)):
                assert value.__doc__, f"{module.__name__}.{name}"
            if inspect.isclass(value) and not issubclass(value, Exception):
                for key, member in vars(value).items():
                    assert (
                        key.startswith("_") or getattr(member, "__doc__", None) or isinstance(member, int)
                    ), key


@pytest.mark.parametrize(
    ("page", "least"),
    [("README.md", 9), ("docs/tour.md", 50), ("docs/python.md", 10), ("docs/learning.md", 5)],
)
def test_pages(page: str, least: int) -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / page).read_text(), re.S)
    assert blocks
    assert run("\n".join(blocks), {}, page) > least


def test_stub_has_the_docstrings() -> None:
    assert stub_docs.outdated() == [], "run python tests/python/stub_docs.py"


EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))

# Fewer games than perfect play needs, but enough to learn most of it.
ARGUMENTS = {
    "train.py": ["--games", "8000"],
    "alphazero.py": [
        *("reversi", "--rounds", "12", "--games", "64", "--simulations", "16"),
        *("--against", "16", "--match", "40", "--points", "1"),
    ],
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_examples(example: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONWARNINGS": "error"}
    result = subprocess.run(
        [sys.executable, str(example), *ARGUMENTS.get(example.name, [])],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout
    if example.name == "train.py":
        before, after = (int(lost) for lost in re.findall(r"loses (\d+) of", result.stdout))
        assert after < before / 4
    if example.name == "alphazero.py":
        first, *_, last = (float(score) for score in re.findall(r": ([\d.]+)% of the points", result.stdout))
        assert last > first + 10
        picture = ET.fromstring((tmp_path / "learning.svg").read_text())
        (curve,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
        assert len(curve.attrib["points"].split()) == result.stdout.count("of the points")
    if example.name in ("analysis.py", "train.py"):
        assert next(tmp_path.glob("*.png")).read_bytes().startswith(b"\x89PNG")


def test_there_are_examples_in_files() -> None:
    assert len(EXAMPLES) == 7
