"""The pages of the reference: Python's from lists of names, C's and the command's from the manual pages."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pypandoc

ROOT = Path(__file__).resolve().parent.parent
MAN = ROOT / "docs" / "man"

# Python: the pages, each with its names. A test checks that every public name is on one of them.
PYTHON = {
    "games": (
        "Games and positions",
        "The four games, and what all positions have. [Python: conventions](../../python.md) comes first.",
        "TicTac Breakdown Reversi Quarto Position Player Outcome game GAMES GameName AnyGame GameLike",
    ),
    "errors": ("Errors", "", "ParseError IllegalMove InvalidMove"),
    "records": ("Records", "The guide is [Records](../../records.md).", "Record"),
    "search": (
        "Search",
        "Exact values, analysis, estimates, tree search and counting.",
        "solve Solution analyse Analysis Line evaluate Estimate explain mcts Tree Evaluator"
        " perft playouts Tally Progress",
    ),
    "bots": ("Bots and matches", "", "bots"),
    "batches": ("Batches", "The guide is [Many games at once](../../vector.md).", "VectorEnv"),
    "jobs": (
        "Long jobs",
        "The guides are [On a cluster](../../cluster.md) and [Learning with a network](../../learning.md).",
        "selfplay selfplay_arrays SelfplayArrays solve_table SolvedTable",
    ),
    "building": ("Building C programs", "", "get_include get_library_dir"),
    "courses": (
        "The courses' interfaces",
        "The types and functions of the assignments that the games come from.",
        "tictac breakdown reversi quarto",
    ),
    "check": ("Conformance kit", "The guide is [Check an implementation](../../conformance.md).", "check"),
    "adapters": (
        "Adapters",
        "To Gymnasium, PettingZoo and OpenSpiel; each needs the extra of the same name.",
        "gymnasium pettingzoo openspiel",
    ),
}

# Options of mkdocstrings: a module with all that is in it, and a class without its name.
MEMBERS = "    options:\n      members: true\n"
BARE = "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"


@functools.cache
def pages(folder: str = "") -> dict[str, tuple[str, str]]:
    """Return the pages of the reference or of a folder of it: paths with titles and texts."""
    found = {}
    for name, (title, about, names) in PYTHON.items():
        options = MEMBERS if name in ("bots", "courses", "check", "adapters") else ""
        blocks = "".join(f"::: petteia.{one}\n{options}\n" for one in names.split())
        if name == "games":
            blocks += f"## What all positions have\n\n::: petteia._petteia._Position\n{BARE}"
        found[f"reference/python/{name}.md"] = (title, f"# {title}\n\n{about}\n\n{blocks}")
    manual = {path: path.read_text() for path in sorted(MAN.glob("*"))}
    where = {
        name: f"{path.stem}.md"
        for path, text in manual.items()
        for line in re.findall(r'^\.\\" Names: (.*)', text, re.MULTILINE)
        for name in line.split()
    }
    for path, text in manual.items():
        kind = "c" if path.suffix == ".3" else "command"
        title = path.stem.replace("petteia-", "petteia ", 1) if kind == "command" else section(text, path)
        page = f"{path.name.removesuffix(path.suffix)}.md"
        found[f"reference/{kind}/{page}"] = (title, manual_page(title, text, kind, where, page))
    return {path: page for path, page in sorted(found.items(), key=order) if path.startswith(folder)}


def order(item: tuple[str, tuple[str, str]]) -> tuple[str, int, str]:
    """Return what the pages are sorted by: a header's or the command's own page first, Python's as above."""
    path = Path(item[0])
    names = (
        ["petteia.h", "petteia", *PYTHON]
        if "python" in path.parts
        else ["petteia.h", "breakdown.h", "petteia"]
    )
    return str(path.parent), names.index(path.stem) if path.stem in names else len(names), path.stem


def section(text: str, path: Path) -> str:
    """Return the title of a manual page of the C library."""
    if path.name.endswith(".h.3"):
        return path.name.removesuffix(".3")
    found = re.search(r"^\.SH NAME\n.* \\- (.*)$", text, re.MULTILINE)
    assert found, path
    return found[1]


def manual_page(title: str, text: str, kind: str, where: dict[str, str], page: str) -> str:
    """Return a manual page as a page of the site."""
    # pandoc takes indented code for a quotation.
    text = re.sub(r"^\.RS 4\n\.nf\n(.*?)^\.fi\n\.RE\n", r".nf\n\1.fi\n", text, flags=re.MULTILINE | re.DOTALL)
    text = pypandoc.convert_text(text, "gfm", format="man", extra_args=["--wrap=none"])
    text = re.sub(r"^# NAME\n.*?(?=^# )", "", text, flags=re.MULTILINE | re.DOTALL)
    # A level deeper, and not in capitals.
    text = re.sub(r"^(#+) (.*)$", lambda found: f"#{found[1]} {lower(found[2])}", text, flags=re.MULTILINE)
    language = "c" if kind == "c" else "text"
    code = re.compile(r"(?:^    .*\n(?:\n(?=    ))*)+", re.MULTILINE)
    parts, last = [], 0
    for block in code.finditer(text):
        parts.append(linked(text[last : block.start()], where, page))
        body = re.sub(r"^    ", "", block[0], flags=re.MULTILINE)
        plain = language if kind != "c" or re.search(r"[;{}]", body) else "text"
        parts.append(f"```{plain}\n{body}```\n")
        last = block.end()
    parts.append(linked(text[last:], where, page))
    return f"# {title}\n\n" + "".join(parts)


def lower(title: str) -> str:
    """Return a heading in capitals as others are written."""
    return title.capitalize() if title.isupper() and "_" not in title else title


def linked(text: str, where: dict[str, str], page: str) -> str:
    """Link the names of C functions, and the manual pages of the command's programs."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        if name not in where:
            return name
        return f"[{name}]({'' if where[name] == page else where[name]}#{name})"

    lines = [
        line
        if line.startswith("#")
        else re.sub(r"\bpetteia_\w+", link, line.replace("petteia\\_", "petteia_"))
        for line in text.split("\n")
    ]
    return re.sub(r"^(petteia-[a-z-]+)\(1\)", r"[\1](\1.md)", "\n".join(lines), flags=re.MULTILINE)


def javascript(text: str) -> str:
    """Return TypeDoc's page with a title, what to read first, and the anchors that its links lead to."""
    text = re.sub(r"\A# .*\n", "", text)
    seen: dict[str, int] = {}

    def anchored(found: re.Match[str]) -> str:
        slug = re.sub(r"[^\w -]", "", found[2].lower()).replace(" ", "-")
        number = seen[slug] = seen.get(slug, -1) + 1
        return f"{found[0]} {{#{slug}{f'-{number}' if number else ''}}}"

    text = re.sub(r"^(#+) (.*)$", anchored, text, flags=re.MULTILINE)
    return f"# JavaScript\n\nThe guide is [petteia in JavaScript](../javascript.md).\n{text}"
