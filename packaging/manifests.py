"""What a release needs to have written in many files at once.

    manifests.py version VERSION    writes the version into all manifests and over its changes
    manifests.py check VERSION      fails unless it is the version of them all and has changes
    manifests.py changes VERSION    prints its section of the changelog
    manifests.py repository URL     writes the address of the repository into all manifests and the site
    manifests.py pages              cuts the packages' own pages from README.md

`make version VERSION=…` also makes what follows from the manifests: headers, manual pages and the list of the
C library's interface. The module for WebAssembly has the version too: `make wasm`.
"""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NUMBER = r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?"
LOCKS = ["Cargo.lock", "fuzz/Cargo.lock", "examples/own_game/Cargo.lock"]
# The pages of the packages, each with the sections of README.md that are theirs.
PAGES = {
    "packaging/pages/crate.md": ["In Rust", "Licence"],
    "packaging/pages/python.md": ["In Python", "Play", "Check an implementation", "Licence"],
    "packaging/pages/npm.md": ["In JavaScript", "Licence"],
}
PACKAGE = "python/petteia/web/static/package.json"

# The files with the version, and what stands before it.
VERSIONS = {
    "Cargo.toml": r'^\[workspace\.package\]\nversion = "',
    PACKAGE: r'^  "version": "',
    **dict.fromkeys(LOCKS, r'^name = "petteia(?:-python)?"\nversion = "'),
}


class Wrong(Exception):
    """What is wrong with what was asked for, in a line."""


def read(name: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def write(name: str, text: str) -> None:
    """Write a file of the repository if that changes it."""
    if read(name) != text:
        (ROOT / name).write_text(text, encoding="utf-8")
        print(name)


def substituted(name: str, pattern: str, to: str, text: str | None = None) -> str:
    """Return a text with all places that match a pattern written anew; there must be one."""
    text, count = re.subn(pattern, to, read(name) if text is None else text, flags=re.MULTILINE)
    if not count:
        raise Wrong(f"{name} has no {pattern}")
    return text


def version(number: str) -> None:
    """Write the version everywhere."""
    if not re.fullmatch(NUMBER, number):
        raise Wrong(f"invalid version {number!r}: expected three numbers, such as 0.2.0")
    for name, before in VERSIONS.items():
        write(name, substituted(name, rf'({before}){NUMBER}"', rf'\g<1>{number}"'))
    changes = read("CHANGELOG.md")
    if f"\n## {number}" not in changes:
        write(
            "CHANGELOG.md",
            substituted("CHANGELOG.md", r"^## Unreleased$", f"## {number} ({date.today()})", changes),
        )


def section(number: str) -> str:
    """Return the section of the changelog on a version."""
    found = re.search(
        rf"^## {re.escape(number)}\b[^\n]*\n(.*?)(?=^## |\Z)", read("CHANGELOG.md"), re.MULTILINE | re.DOTALL
    )
    if not found or not found[1].strip():
        raise Wrong(f"CHANGELOG.md says nothing about {number}")
    return found[1].strip() + "\n"


def check(number: str) -> None:
    """Compare all versions with a number."""
    wrong = []
    for name, before in VERSIONS.items():
        found = re.findall(rf'{before}({NUMBER})"', read(name), re.MULTILINE)
        if not found or set(found) != {number}:
            wrong.append(f"{name}: {', '.join(found) or 'none'}")
    macro = re.search(r'^#define PETTEIA_VERSION "(.*)"$', read("include/petteia.h"), re.MULTILINE)
    if not macro or macro[1] != number:
        wrong.append(f"include/petteia.h: {macro and macro[1]}")
    if wrong:
        raise Wrong(f"expected version {number} everywhere; " + "; ".join(wrong))
    section(number)


def repository(address: str) -> None:
    """Write the address of the repository everywhere."""
    address = address.rstrip("/").removesuffix(".git")
    if not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+", address):
        raise Wrong(f"invalid address {address!r}: expected one such as https://example.org/us/petteia")
    text = re.sub(r"^repository = .*\n", "", read("Cargo.toml"), flags=re.MULTILINE)
    write(
        "Cargo.toml", substituted("Cargo.toml", r"^(readme = .*\n)", rf'\1repository = "{address}"\n', text)
    )
    text = re.sub(r"^\[project\.urls\]\n(?:.+\n)*\n", "", read("pyproject.toml"), flags=re.MULTILINE)
    urls = f'[project.urls]\nRepository = "{address}"\nChangelog = "{address}/blob/main/CHANGELOG.md"\n\n'
    write("pyproject.toml", substituted("pyproject.toml", r"^(\[project\.scripts\])$", rf"{urls}\1", text))
    text = re.sub(r'^  "repository": .*\n', "", read(PACKAGE), flags=re.MULTILINE)
    line = json.dumps({"type": "git", "url": f"git+{address}.git", "directory": str(Path(PACKAGE).parent)})
    write(PACKAGE, substituted(PACKAGE, r'^(  "license": .*\n)', rf'\1  "repository": {line},\n', text))
    text = re.sub(r"^  social:\n(?:    .*\n)*", "", read("website/mkdocs.yml"), flags=re.MULTILINE)
    social = (
        f"  social:\n    - icon: material/source-repository\n      name: Repository\n      link: {address}\n"
    )
    write("website/mkdocs.yml", substituted("website/mkdocs.yml", r"^(extra:\n)", rf"\1{social}", text))
    text = re.sub(r"^\[!\[.*\n+", "", read("README.md"), flags=re.MULTILINE)
    badge = (
        f"[![tests]({address}/actions/workflows/test.yml/badge.svg)]({address}/actions/workflows/test.yml)"
    )
    write("README.md", substituted("README.md", r"\A(# petteia\n\n)", rf"\1{badge}\n\n", text))
    pages()


def page(sections: list[str]) -> str:
    """Return the page of a package: the head of README.md, and some of its sections."""
    head, *rest = re.split(r"^(?=## )", read("README.md"), flags=re.MULTILINE)
    parts = [head, *(part for name in sections for part in rest if part.startswith(f"## {name}\n"))]
    if len(parts) != len(sections) + 1:
        raise Wrong(f"README.md lacks one of the sections {', '.join(sections)}")
    found = re.search(r'^repository = "(.*)"$', read("Cargo.toml"), re.MULTILINE)

    def link(match: re.Match[str]) -> str:
        """Return a link that leads to the repository, or its text while that has no address."""
        text, target = match.groups()
        if ":" in target:
            return match[0]
        return f"[{text}]({found[1]}/blob/main/{target})" if found and target[0] != "#" else text

    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*?)\]\(([^)\s]+)\)", link, "".join(parts))
    # Tables of pictures are for README.md alone, and so are its badges.
    text = re.sub(r"^(?:\|[^\n]*\n\| --- [^\n]*\n)?\|? ?<picture>[^\n]*\n\n?", "", text, flags=re.MULTILINE)
    text = re.sub(r"^\[!\[[^\n]*\n\n", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text)


def pages() -> None:
    """Write the pages of the packages."""
    for name, sections in PAGES.items():
        path = ROOT / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        write(name, page(sections))


def main() -> int:
    """Run a command and return its exit status."""
    commands = {
        "version": version,
        "check": check,
        "changes": lambda number: print(section(number), end=""),
        "repository": repository,
    }
    alone = sys.argv[1:] == ["pages"]
    if not alone and (len(sys.argv) != 3 or sys.argv[1] not in commands):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if alone:
            pages()
        else:
            commands[sys.argv[1]](sys.argv[2])
    except Wrong as wrong:
        print(f"manifests.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
