"""A build from source that cannot succeed says in one line what is missing, and README.md how to build."""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from games import ROOT

SDISTS = sorted((ROOT / "target" / "wheels").glob("*.tar.gz"))
"""The source distribution that `make test` has built; there may be none elsewhere."""

# The build fails before it needs what an isolated environment would have.
PIP = ["-m", "pip", "--disable-pip-version-check"]
WAYS = {
    "wheel": [*PIP, "wheel", "--no-deps", "--no-build-isolation", "."],
    "install": [*PIP, "install", "--no-deps", "--no-build-isolation", "."],
    "editable": [*PIP, "install", "--no-deps", "--no-build-isolation", "-e", "."],
    "build": ["-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "."],
    "sdist": ["-m", "build", "--sdist", "--no-isolation", "--skip-dependency-check", "."],
}


@pytest.fixture(params=["checkout", *(["sdist"] if SDISTS else [])])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "checkout":
        return ROOT
    with tarfile.open(SDISTS[-1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("petteia-*")
    return folder


def attempt(way: str, source: Path, path: Path, **environment: str) -> str:
    """Return the lines that the backend prints in a build with this folder as PATH."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARGO", "RUST"))}
    made = {**kept, "PATH": str(path), "HOME": str(path), "CARGO_HOME": str(path / "none"), **environment}
    result = subprocess.run(
        [sys.executable, *WAYS[way]], cwd=source, env=made, capture_output=True, text=True, timeout=120
    )
    assert result.returncode != 0
    output = result.stdout + result.stderr
    assert "Traceback" not in output
    said = [line.strip() for line in output.splitlines() if "petteia is built from source" in line]
    assert len(said) == 1, output
    return said[0]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder for PATH with a C compiler's name in it."""
    folder = tmp_path / "tools"
    folder.mkdir()
    add(folder, "cc", "")
    return folder


def add(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("way", WAYS)
def test_without_cargo(way: str, source: Path, tools: Path) -> None:
    assert attempt(way, source, tools) == (
        "petteia is built from source here, and cargo is not installed: "
        "expected cargo 1.85 or later on PATH, which comes with Rust."
    )


def test_what_else_may_be_missing(tools: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "bin").mkdir(parents=True)
    add(home / "bin", "cargo", "")
    assert attempt("wheel", ROOT, tools, CARGO_HOME=str(home)).endswith(
        f"cargo is not on PATH: expected {home / 'bin'} there, where it is installed."
    )
    for script, said in {
        "echo cargo 1.63.0": "cargo 1.63.0 is too old: expected cargo 1.85 or later.",
        "echo 'cargo 1.84.1 (66221abde)'": "cargo 1.84.1 is too old: expected cargo 1.85 or later.",
        "echo 'no default is configured' >&2; echo more >&2; exit 1": (
            "cargo does not work (no default is configured): expected cargo 1.85 or later."
        ),
        "exit 3": "cargo does not work (exit status 3): expected cargo 1.85 or later.",
    }.items():
        add(tools, "cargo", script)
        assert attempt("wheel", ROOT, tools).endswith(said)
    add(tools, "cargo", "echo 'cargo 1.85.0 (d73d2caf9 2024-12-31)'")
    (tools / "cc").unlink()
    assert attempt("wheel", ROOT, tools).endswith(
        "and a C compiler is not installed: expected cc on PATH, with which Rust links."
    )


def test_the_readme_says_first_what_works() -> None:
    text = (ROOT / "README.md").read_text()
    title, install = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:3]
    assert title == "Install"
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"`make ([a-z-]+)", install)
    assert len(targets) >= 2
    for target in targets:
        assert f"\n{target}:" in makefile
    for link in re.findall(r"\(#([a-z-]+)\)", install):
        assert f"## {link.replace('-', ' ')}\n" in text.lower()
    project = (ROOT / "pyproject.toml").read_text()
    pages = [text, *(page.read_text() for page in (ROOT / "docs").glob("*.md"))]
    for page in pages:
        assert not re.search(r"pip install '?petteia\b(?!\[)", page), "there is no such package to be had"
        for extras in re.findall(r"pip install '(?:\.|petteia)\[([a-z,]+)\]'", page):
            for extra in extras.split(","):
                assert f"\n{extra} = [" in project
