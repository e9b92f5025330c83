"""Results of one submission or of a class, as other programs read them and as pages.

Whatever a submission has printed is shown escaped, and is never a formula, markup or a terminal's command.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from xml.sax.saxutils import quoteattr

from .grading import Graded, Grading, Row
from .report import MARKS, PAGE, Terminal, html_section
from .rules import Report
from .text import plain

WORTH = 4
"""Digits of points behind the point."""


def graded(name: str, report: Report) -> Graded:
    """Return a report as it is graded."""
    terminal = Terminal(False)
    return Graded(
        name,
        report.target,
        report.seed,
        remarks=list(map(plain, report.remarks)),
        seconds=round(sum(result.seconds for result in report.results), 3),
        rules=[
            {
                "name": result.rule.name,
                "says": result.rule.says,
                "status": result.status,
                "size": result.finding.size if result.finding else 0,
                "seconds": round(result.seconds, 3),
                "text": terminal.result(result),
                "section": html_section(result),
            }
            for result in report.results
        ],
    )


def _count(rows: Sequence[Row], *statuses: str) -> int:
    return sum(row.status in statuses for row in rows)


def as_junit(submissions: Sequence[Graded], grading: Grading) -> str:
    """Return JUnit XML: a suite for each submission, a test case for each rule."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<testsuites>"]
    for each in submissions:
        rows = each.rows(grading)
        failed, untested = _count(rows, "failed"), _count(rows, "untested")
        errors = 1 if each.words else 0
        name = quoteattr(plain(f"petteia check {each.target} {each.name}"))
        lines.append(
            f'<testsuite name={name} tests="{len(rows)}" '
            f'failures="{failed - errors}" errors="{errors}" skipped="{untested}" time="{each.seconds:.3f}">'
        )
        for row in rows:
            case = f"<testcase classname={quoteattr(each.target)} name={quoteattr(row.name)}"
            case += f' time="{row.seconds:.3f}"'
            text = plain(row.text)
            if each.words:
                lines.append(f'{case}><error message="not built">{escape(text)}</error></testcase>')
            elif row.status == "failed":
                message = quoteattr(plain(row.says))
                lines.append(f"{case}><failure message={message}>{escape(text)}</failure></testcase>")
            elif row.status == "untested":
                lines.append(f"{case}><skipped message={quoteattr(text)}/></testcase>")
            else:
                lines.append(f"{case}/>")
        lines.append("</testsuite>")
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def as_results(each: Graded, grading: Grading) -> str:
    """Return the results.json of Gradescope: rules that students see now, later or never."""
    tests = [
        {
            "name": row.name,
            "score": round(row.score, WORTH),
            "max_score": round(row.most, WORTH),
            "status": "passed" if row.status == "passed" else "failed",
            "output": plain(row.text),
            "output_format": "text",
            "visibility": row.visibility,
        }
        for row in each.rows(grading)
        if row.status != "note"
    ]
    return json.dumps(
        {
            "score": each.score(grading),
            "execution_time": round(each.seconds),
            "output": "\n".join([*each.remarks, summary(each, grading)]),
            "output_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "tests": tests,
        },
        indent=2,
    )


def as_classroom(each: Graded, grading: Grading) -> str:
    """Return the line for GITHUB_OUTPUT that GitHub Classroom's reporter of grades reads.

    Its points are whole numbers to people, so they are rounded to hundredths.
    """
    rows = [row for row in each.rows(grading) if row.status != "note"]
    tests = [
        {
            "name": row.name,
            "status": "pass" if row.status == "passed" else "fail",
            "score": round(row.score, 2),
            "max_score": round(row.most, 2),
            "message": plain(row.text) if row.visibility == "visible" else "",
            "test_code": plain(row.says),
            "filename": "",
            "line_no": 0,
            "execution_time": f"{row.seconds:.3f}s",
        }
        for row in rows
    ]
    status = "error" if each.words else "pass" if _count(rows, "passed") == len(rows) else "fail"
    told = {"version": 1, "status": status, "max_score": round(grading.points, 2), "tests": tests}
    return f"result={base64.b64encode(json.dumps(told).encode()).decode()}\n"


def as_csv(submissions: Sequence[Graded], grading: Grading) -> str:
    """Return a table with a row for each submission and a column for each rule."""
    names = list(dict.fromkeys(rule["name"] for each in submissions for rule in each.rules))
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    heads = [
        "submission",
        "status",
        "points",
        "of",
        "passed",
        "failed",
        "not judged",
        "seconds",
        "seed",
        "remark",
    ]
    table.writerow([*heads, *names])
    for each in submissions:
        rows = {row.name: row for row in each.rows(grading)}
        judged = [] if each.words else list(rows.values())
        counts = [_count(judged, status) for status in ("passed", "failed", "untested")]
        remark = " ".join((each.words or "; ".join(each.remarks)).split())[:200]
        table.writerow(
            [
                _cell(each.name),
                each.status,
                f"{each.score(grading):g}",
                f"{grading.points:g}",
                *counts,
                f"{each.seconds:.1f}",
                each.seed,
                _cell(remark),
                *(MARKS[rows[name].status] if name in rows else "" for name in names),
            ]
        )
    return written.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    shown = plain(text).replace("\n", " ").replace("\t", " ")
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown


def as_class_json(submissions: Sequence[Graded], grading: Grading) -> str:
    """Return all results of a class."""
    return json.dumps(
        [
            {
                "submission": each.name,
                "status": each.status,
                "points": each.score(grading),
                "of": grading.points,
                "words": plain(each.words),
                "remarks": each.remarks,
                "seed": each.seed,
                "seconds": each.seconds,
                "rules": [
                    {
                        "name": row.name,
                        "status": row.status,
                        "points": round(row.score, WORTH),
                        "of": round(row.most, WORTH),
                        "visibility": row.visibility,
                        "text": plain(row.text),
                    }
                    for row in each.rows(grading)
                ],
            }
            for each in submissions
        ],
        indent=2,
    )


def summary(each: Graded, grading: Grading) -> str:
    """Return a submission's result in one line, or the compiler's words."""
    if each.words:
        return f"0 of {grading.points:g} points: {plain(each.words)}"
    rows = [row for row in each.rows(grading) if row.status != "note"]
    passed = _count(rows, "passed")
    points = f"{each.score(grading):g} of {grading.points:g} points"
    return f"{points}: {passed} of {len(rows)} rules hold, seed {each.seed}"


def as_page(each: Graded, grading: Grading, everything: bool = False) -> str:
    """Return a submission's page, with the rules that students see, or with everything."""
    rows = each.rows(grading) if everything else each.seen(grading)
    sections = [row.section for row in rows if row.section]
    if each.words:
        sections = [f'<section class="failed"><pre>{escape(plain(each.words))}</pre></section>']
    unseen = len(each.rows(grading)) - len(rows)
    said = [*each.remarks, summary(each, grading)]
    said += [f"{unseen} of the rules are not shown here"] if unseen else []
    title = escape(plain(f"{each.name}: {each.target}"))
    return PAGE.format(title=title, summary="<br>".join(map(escape, said)), rules="\n".join(sections))


HARDEST = 5


def as_class_page(submissions: Sequence[Graded], grading: Grading, links: Mapping[str, str]) -> str:
    """Return the page of a class: who has how many points, which rules fail most, the hardest findings."""
    points = sorted(each.score(grading) for each in submissions)
    built = [each for each in submissions if not each.words]
    middle = (points[(len(points) - 1) // 2] + points[len(points) // 2]) / 2 if points else 0.0
    mean = sum(points) / len(points) if points else 0.0
    said = (
        f"{len(submissions)} submissions, {len(submissions) - len(built)} of them not built; of "
        f"{grading.points:g} points a mean of {mean:.1f} and a median of {middle:g}"
    )
    rows = []
    for each in submissions:
        judged = [row for row in each.rows(grading) if row.status != "note"]
        marks = [_count(judged, status) for status in ("passed", "failed", "untested")]
        shown = "not built" if each.words else " / ".join(map(str, marks))
        rows.append(
            f'<tr><td><a href="{escape(links[each.name])}">{escape(plain(each.name))}</a></td>'
            f"<td>{each.score(grading):g}</td><td>{shown}</td><td>{each.seconds:.1f} s</td></tr>"
        )
    table = (
        "<h2>Submissions</h2><table><tr><th>submission</th><th>points</th><th>hold / fail / not judged</th>"
        f"<th>time</th></tr>{''.join(rows)}</table>"
    )
    fails = Counter(rule["name"] for each in built for rule in each.rules if rule["status"] == "failed")
    says = {rule["name"]: rule["says"] for each in built for rule in each.rules}
    bars = "".join(
        f"<tr><td>{escape(name)}</td><td>{number}</td>"
        f'<td><div style="width:{12 * number / len(built):.2f}rem"></div></td>'
        f"<td>{escape(says[name])}</td></tr>"
        for name, number in fails.most_common()
    )
    most = f"<h2>Which rules fail most</h2><table>{bars or '<tr><td>none</td></tr>'}</table>"
    found = [
        (rule["size"], each.name, rule) for each in built for rule in each.rules if rule["status"] == "failed"
    ]
    hardest: dict[str, str] = {}
    for _, name, rule in sorted(found, key=lambda one: (-one[0], one[1])):
        if rule["name"] not in hardest and len(hardest) < HARDEST:
            hardest[rule["name"]] = f"<p>{escape(plain(name))}</p>{rule['section']}"
    longest = "<h2>The longest games that it took to show a mistake</h2>" + "".join(hardest.values())
    title = escape(f"petteia check {submissions[0].target if submissions else ''}: the class")
    return PAGE.format(title=title, summary=escape(said), rules=table + most + (longest if hardest else ""))


def as_zip(files: Mapping[str, str]) -> bytes:
    """Return texts by their names as one archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            # The same results make the same archive.
            archive.writestr(
                zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text.encode(errors="backslashreplace")
            )
    return written.getvalue()
