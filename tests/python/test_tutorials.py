"""The tutorials print what they show. The one in Rust is a test of the crate's documentation."""

import os
import shutil
import sys
from pathlib import Path

import pytest
import tutorials
from games import ROOT

FOLDER = ROOT / "docs" / "tutorials"
PAGES = sorted(path.name for path in FOLDER.glob("*.md") if path.stem not in ("index", "rust"))


def test_there_are_tutorials() -> None:
    listed = (FOLDER / "index.md").read_text()
    for page in [*PAGES, "rust.md"]:
        assert f"({page})" in listed
    assert "docs/tutorials/rust.md" in (ROOT / "src" / "lib.rs").read_text()
    assert len(PAGES) == 8


@pytest.mark.parametrize("page", PAGES)
def test_tutorials(page: str, tmp_path: Path) -> None:
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    if page == "javascript.md":
        (tmp_path / "node_modules").mkdir()
        static = ROOT / "python" / "petteia" / "web" / "static"
        shutil.copytree(static, tmp_path / "node_modules" / "petteia")
    assert tutorials.run((FOLDER / page).read_text(), tmp_path, environment) > 0
