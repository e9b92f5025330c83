"""Reports: for the terminal, for other programs, and as a page."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from html import escape

import petteia

from .._games import GAMES
from .rules import Finding, Picture, Report, Result
from .text import plain, plain_finding

MARKS = {"passed": "ok", "failed": "FAILED", "untested": "not judged", "note": "note"}
COLOURS = {"passed": "32", "failed": "31;1", "untested": "33", "note": "36"}


def _shortened(text: str, most: int = 12) -> str:
    lines = text.strip().splitlines()
    return "\n".join([*lines[:most], *(["…"] if len(lines) > most else [])])


class Terminal:
    """Text for a terminal, optionally in colour."""

    def __init__(self, colours: bool) -> None:
        self.colours = colours

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self.colours and text else text

    def result(self, result: Result) -> str:
        """Return the lines for one rule."""
        kept = result.status == "note" and not result.finding
        mark = "ok (note)" if kept else MARKS[result.status]
        line = f"{mark:<12}{result.rule.name:<19} {result.rule.says}"
        colour = COLOURS["passed" if kept else result.status]
        lines = [self._paint(line[:12], colour) + line[12:]]
        if result.status == "untested":
            lines.append(f"{' ' * 12}{plain(result.reason)}")
        if result.finding:
            lines.append(self.finding(result.finding, result.build, result.rule.says))
        return "\n".join(lines)

    def finding(self, finding: Finding, build: str, said: str = "") -> str:
        """Return the lines for a finding, without its summary if that has been `said`."""
        finding = plain_finding(finding)
        size = "1 move" if finding.size == 1 else f"{finding.size} moves"
        where = f", {build} build" if build in ("plain", "sanitizer") else ""
        blocks = [] if finding.summary == said else [f"{finding.summary}."]
        blocks.append(f"The smallest game that shows it ({size}{where}): {finding.call}")
        boards = [("before", finding.before), ("expected", finding.expected), ("got", finding.got)]
        blocks.append(self._beside([(head, text) for head, text in boards if text]))
        if finding.stderr.strip():
            blocks.append("On stderr:\n" + textwrap.indent(_shortened(finding.stderr), "  "))
        blocks.append("To reproduce it:\n" + textwrap.indent(finding.repeat.rstrip(), "  "))
        if finding.again:
            blocks.append(finding.again)
        return textwrap.indent("\n\n".join(blocks), " " * 12) + "\n"

    def _beside(self, boards: Sequence[tuple[str, str]]) -> str:
        """Return texts side by side, or below each other if they are too wide or single lines."""
        texts = [(head, text.rstrip("\n").split("\n")) for head, text in boards]
        widths = [max(len(line) for line in (head, *lines)) + 4 for head, lines in texts]
        if sum(widths) > 90 or all(len(lines) == 1 for _, lines in texts):
            return "\n".join(
                f"{self._paint(head + ':', '1')} {text.rstrip()}"
                if "\n" not in text.rstrip()
                else f"{self._paint(head + ':', '1')}\n{textwrap.indent(text.rstrip(), '  ')}"
                for head, text in boards
            )
        rows = max(len(lines) for _, lines in texts)
        heads = "".join(
            self._paint(head, "1") + " " * (width - len(head)) for (head, _), width in zip(texts, widths)
        )
        body = [
            "".join(
                (lines[i] if i < len(lines) else "").ljust(width) for (_, lines), width in zip(texts, widths)
            )
            for i in range(rows)
        ]
        return "\n".join(line.rstrip() for line in [heads, *body])

    def summary(self, report: Report) -> str:
        """Return the closing lines."""
        counted = [result for result in report.results if result.status != "note"]
        passed = sum(result.status == "passed" for result in counted)
        games, calls = (sum(getattr(r, what) for r in report.results) for what in ("cases", "calls"))
        notes = len(report.results) - len(counted)
        noted = f", and {notes} note{'s' * (notes > 1)}" if notes else ""
        words = f"{passed} of {len(counted)} rules hold{noted}; {games} games, {calls} calls"
        words += f", seed {report.seed}."
        lines = [self._paint(words, "32;1" if report.ok else "31;1")]
        return "\n".join([*(f"note: {plain(remark)}" for remark in report.remarks), *lines])


def as_json(report: Report) -> str:
    """Return the whole report as JSON."""
    return json.dumps(
        {
            "target": report.target,
            "paths": report.paths,
            "seed": report.seed,
            "ok": report.ok,
            "remarks": report.remarks,
            "rules": [
                {
                    "name": result.rule.name,
                    "says": result.rule.says,
                    "status": result.status,
                    "games": result.cases,
                    "calls": result.calls,
                    "seconds": round(result.seconds, 3),
                    "build": result.build,
                    "finding": None if result.finding is None else _finding(result.finding),
                }
                for result in report.results
            ],
        },
        indent=2,
    )


def _finding(finding: Finding) -> dict[str, object]:
    names = ("summary", "call", "before", "expected", "got", "repeat", "language")
    return {**{name: getattr(finding, name) for name in names}, "moves": finding.size}


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
section {{ border-left: .3rem solid #888; margin: .6rem 0; padding: .2rem 1rem; }}
section.passed {{ border-color: #2a8a3e; }} section.failed {{ border-color: #c62828; }}
section.untested {{ border-color: #b7791f; }} section.note {{ border-color: #2b6cb0; }}
h2 {{ font-size: 1rem; margin: 0; }} h2 span {{ font-weight: normal; }}
pre {{ margin: 0; overflow-x: auto; background: #8881; padding: .6rem; border-radius: .3rem; }}
.boards {{ display: flex; flex-wrap: wrap; gap: 1.5rem; }} figure {{ margin: .5rem 0; }}
figure svg {{ width: 12rem; height: auto; max-height: 16rem; }}
table {{ border-collapse: collapse; }} td, th {{ padding: .1rem .8rem .1rem 0; text-align: left; }}
td > div {{ background: #c62828; height: .8rem; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }}
dd {{ margin: 0; min-width: 0; }}
</style></head><body><h1>{title}</h1><p>{summary}</p>
{rules}
</body></html>
"""


def as_html(report: Report) -> str:
    """Return the report as a self-contained HTML page."""
    title = escape(plain(f"petteia check {report.target} {' '.join(report.paths)}"))
    rules = [html_section(result) for result in report.results]
    summary = escape(Terminal(False).summary(report)).replace("\n", "<br>")
    return PAGE.format(title=title, summary=summary, rules="\n".join(rules))


def html_section(result: Result) -> str:
    """Return a rule's part of a page."""
    status = "passed" if result.status == "note" and not result.finding else result.status
    head = f"<h2>{MARKS[status]}: {escape(result.rule.name)} <span>{escape(result.rule.says)}</span></h2>"
    return f'<section class="{status}">{head}{_html_finding(result)}</section>'


def _html_finding(result: Result) -> str:
    if result.finding is None:
        return ""
    finding = plain_finding(result.finding)
    figures = "".join(
        f"<figure>{drawing}<figcaption>{escape(picture.caption)}</figcaption></figure>"
        for picture in finding.pictures
        if (drawing := _drawing(picture))
    )
    rows = [
        ("call", finding.call),
        ("before", finding.before),
        ("expected", finding.expected),
        ("got", finding.got),
    ]
    told = "".join(f"<dt>{name}</dt><dd><pre>{escape(text)}</pre></dd>" for name, text in rows if text)
    again = f"<details open><summary>To reproduce it</summary><pre>{escape(finding.repeat)}</pre></details>"
    summary = "" if finding.summary == result.rule.says else f"<p>{escape(finding.summary)}.</p>"
    return f'{summary}<div class="boards">{figures}</div><dl>{told}</dl>{again}'


def _drawing(picture: Picture) -> str:
    """Return the picture of a position, or an empty string if it cannot be parsed."""
    cells, _, rest = picture.position.partition(" ")
    # On a board set by hand, the game may be over: then nobody is to move.
    for text in (picture.position, " ".join([cells, "-", *rest.split()[1:]])):
        try:
            return str(GAMES[picture.game].from_text(text).svg())
        except petteia.ParseError:
            continue
    return ""
