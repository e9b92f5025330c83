"""The workflows for a forge are well-formed, and what they run exists. A release has one version."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from games import ROOT

FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").glob("*.yml"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of all jobs."""
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


def test_there_are_workflows() -> None:
    names = {path.stem for path in WORKFLOWS}
    assert {"test", "wheels", "release", "nightly", "bench", "site"} == names
    for path in FORGE.rglob("*.yml"):
        assert isinstance(yaml.safe_load(path.read_text()), dict), path


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_they_run_exists(path: Any) -> None:
    workflow = yaml.safe_load(path.read_text())
    makefile = (ROOT / "Makefile").read_text()
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "uses" in job or job["timeout-minutes"] > 0
        if job.get("uses", "").startswith("./"):
            assert (ROOT / job["uses"]).is_file()
    for step in steps(workflow):
        command = step.get("run", "")
        # What others may choose, such as a title, comes in by the environment alone.
        assert "${{" not in command
        done = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        for target in re.findall(r"^\s*make ([a-z-]+)", command, re.MULTILINE):
            assert f"\n{target}:" in makefile, target
        for file in re.findall(r"(?:after/)?((?:tests|benches|packaging|src)/[\w/.]+\.(?:py|sh))", command):
            assert (ROOT / file).is_file(), file
        for name in re.findall(r"--test (\w+)", command):
            assert (ROOT / "tests" / f"{name}.rs").exists() or (ROOT / "tests" / name / "main.rs").exists()
        for action in re.findall(r".+", step.get("uses", "")):
            assert action.startswith("./") or re.fullmatch(r"[\w-]+/[\w-]+@(v\d[\d.]*|release/v\d)", action)


def test_the_matrix_has_what_is_promised() -> None:
    jobs = yaml.safe_load((FORGE / "workflows" / "test.yml").read_text())["jobs"]
    cargo = (ROOT / "Cargo.toml").read_text()
    oldest = re.search(r'^rust-version = "(.*)"', cargo, re.MULTILINE)
    assert oldest
    rusts = jobs["rust"]["strategy"]["matrix"]
    assert oldest[1] in {row["rust"] for row in rusts["include"]}
    pythons = jobs["python"]["strategy"]["matrix"]["python"]
    project = (ROOT / "pyproject.toml").read_text()
    least = re.search(r'requires-python = ">=(.*)"', project)
    assert least and pythons[0] == least[1] and pythons[-1].endswith("t")


def manifests(folder: Path, *words: str) -> tuple[int, str]:
    """Run packaging/manifests.py of a copy, and return its status and what it says."""
    done = subprocess.run(
        [sys.executable, str(folder / "packaging" / "manifests.py"), *words], capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the files that have the version or the address."""
    static = "python/petteia/web/static/package.json"
    locks = ("Cargo.lock", "fuzz/Cargo.lock", "examples/own_game/Cargo.lock")
    rest = ("pyproject.toml", "website/mkdocs.yml", "README.md", "CHANGELOG.md", "include/petteia.h")
    pages = tuple(f"packaging/pages/{name}.md" for name in ("crate", "python", "npm"))
    for name in ("Cargo.toml", "packaging/manifests.py", static, *locks, *rest, *pages):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_one_version_everywhere(copy: Path) -> None:
    macro = re.search(r'PETTEIA_VERSION "(.*)"', (ROOT / "include" / "petteia.h").read_text())
    assert macro
    changes = copy / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace("## Unreleased", f"## {macro[1]}", 1))
    assert manifests(copy, "check", macro[1]) == (0, "")


def test_the_version_is_written_everywhere(copy: Path) -> None:
    status, said = manifests(copy, "version", "9.8.7")
    assert (status, len(said.splitlines())) == (0, 6)
    assert 'version = "9.8.7"' in (copy / "Cargo.toml").read_text()
    assert "\n## 9.8.7 (2" in (copy / "CHANGELOG.md").read_text()
    status, said = manifests(copy, "check", "9.8.7")
    assert status == 1 and "include/petteia.h" in said and "Cargo" not in said
    header = copy / "include" / "petteia.h"
    header.write_text(re.sub(r'(PETTEIA_VERSION) ".*"', r'\1 "9.8.7"', header.read_text()))
    assert manifests(copy, "check", "9.8.7") == (0, "")
    assert manifests(copy, "version", "9.8.7") == (0, "")
    status, said = manifests(copy, "changes", "9.8.7")
    assert status == 0 and said.startswith("### ") and "\n## " not in said
    assert manifests(copy, "version", "v9")[0] == manifests(copy, "changes", "1.2.3")[0] == 1


def test_the_address_is_written_everywhere(copy: Path) -> None:
    for address in ("https://example.org/us/petteia", "https://example.net/them/petteia"):
        assert manifests(copy, "repository", f"{address}.git")[0] == 0
        assert f'\nrepository = "{address}"\n' in (copy / "Cargo.toml").read_text()
        assert f'\nRepository = "{address}"\n' in (copy / "pyproject.toml").read_text()
        package = (copy / "python" / "petteia" / "web" / "static" / "package.json").read_text()
        assert f'"url": "git+{address}.git"' in package
        assert (
            yaml.safe_load((copy / "website" / "mkdocs.yml").read_text())["extra"]["social"][0]["link"]
            == address
        )
        assert (copy / "README.md").read_text().startswith(f"# petteia\n\n[![tests]({address}/")
        assert manifests(copy, "repository", address) == (0, "")
    written = [path.read_text() for path in copy.rglob("*") if path.is_file() and path.suffix != ".py"]
    assert len(written) > 8 and "example.org" not in "".join(written)
    assert manifests(copy, "repository", "petteia")[0] == 1


def test_the_packages_have_their_parts_of_the_readme(copy: Path) -> None:
    assert manifests(copy, "pages") == (0, ""), "run `make pages`"
    page = copy / "packaging" / "pages" / "python.md"
    assert "## In Python\n" in page.read_text() and "## In C\n" not in page.read_text()
    assert manifests(copy, "repository", "https://example.org/us/petteia")[0] == 0
    assert "(https://example.org/us/petteia/blob/main/docs/python.md)" in page.read_text()
    readme = copy / "README.md"
    readme.write_text(readme.read_text().replace("## In Python", "## Python"))
    assert manifests(copy, "pages")[0] == 1
