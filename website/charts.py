"""The charts of the site, drawn from the tables of docs/ and the files in docs/results.

`<!-- chart: NAME -->` in a document is replaced by the chart of that name.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt

# Colours that stand for those of the site's scheme, which the chart has in the page: see site.css.
INK = "#010101"
COLOURS = ["#010201", "#010202", "#010203", "#010204"]
PALE = "#010205"
VARIABLES = {
    INK: "currentColor",
    PALE: "var(--chart-pale)",
    **{colour: f"var(--chart-{number})" for number, colour in enumerate(COLOURS, 1)},
}
STYLE = {
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.size": 9,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "petteia",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}

Table = list[list[str]]
CHARTS: dict[str, Callable[[Path], str]] = {}


def chart(name: str, root: Path) -> str:
    """Return a chart as HTML."""
    with plt.rc_context(STYLE):
        caption = CHARTS[name](root / "docs")
        out = io.StringIO()
        plt.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        plt.close("all")
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r"font: (\d+)px [^;\"]*", r"font: \1px inherit; font-size: \1px", svg)
    # Markdown ends HTML at an empty line.
    svg = re.sub(r"\n\s*", "\n", svg)
    return f'<figure class="chart">{svg}<figcaption>{caption}</figcaption></figure>'


def drawn(name: str) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    """Register a function that draws a chart and returns its caption."""

    def register(function: Callable[[Path], str]) -> Callable[[Path], str]:
        CHARTS[name] = function
        return function

    return register


def table(page: Path, *columns: str) -> Table:
    """Return the rows of the first table of a page whose heading begins with these columns."""
    rows: Table = []
    for line in page.read_text().splitlines():
        cells = [cell.strip(" `") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells[: len(columns)] == list(columns):
            rows = [cells]
        elif rows and not cells:
            break
        elif rows:
            rows.append(cells)
    if len(rows) < 3:
        raise ValueError(f"{page} has no table {' | '.join(columns)}")
    return rows[:1] + rows[2:]


@drawn("reversi")
def reversi(docs: Path) -> str:
    """Draw the values of Reversi's boards."""
    values = {}
    for board, value, *_ in table(docs / "results.md", "board", "plain")[1:]:
        width, height = map(int, board.split("x"))
        values[width, height] = int(value)
    _, axes = plt.subplots(figsize=(7, 3.6))
    for (width, height), value in values.items():
        share = value / (width * height)
        colour = COLOURS[0] if value > 0 else COLOURS[1] if value < 0 else PALE
        alpha = 0.25 + 0.6 * abs(share) if value else 0.35
        axes.add_patch(
            plt.Rectangle((height - 0.47, width - 0.47), 0.94, 0.94, color=colour, alpha=alpha, lw=0)
        )
        axes.text(height, width, f"{value:+}", ha="center", va="center", fontsize=11)
    axes.set(xlim=(1.4, 8.6), ylim=(5.6, 1.4), xlabel="rows", ylabel="columns")
    axes.set_xticks(range(2, 9))
    axes.set_yticks(range(2, 6))
    return (
        "The values of Reversi's boards for Dark, who begins, in tiles. "
        "Dark wins on most; the deeper the colour, the larger the share of the board."
    )


@drawn("breakdown")
def breakdown(docs: Path) -> str:
    """Draw who wins Breakdown with squares of two by two, for each stick."""
    rows = [line.split() for line in (docs / "results" / "breakdown.txt").read_text().splitlines()]
    solved = [tuple(map(int, row[:6])) for row in rows]
    sticks = range(1, 9)
    figure, grid = plt.subplots(2, 4, figsize=(7.6, 5), sharex=True, sharey=True)
    for stick, axes in zip(sticks, grid.flat):
        for width, height, k, q, lower, upper in solved:
            if (k, q) == (stick, 2) and lower == upper:
                colour = {1: COLOURS[0], 0: PALE, -1: COLOURS[1]}[lower]
                axes.add_patch(plt.Rectangle((width - 0.45, height - 0.45), 0.9, 0.9, color=colour, lw=0))
        axes.set(xlim=(0.4, 15.6), ylim=(15.6, 0.4), title=f"sticks of {stick}", aspect="equal")
        axes.set_xticks([1, 5, 10, 15])
        axes.set_yticks([1, 5, 10, 15])
    figure.supxlabel("columns", fontsize=9)
    figure.supylabel("rows", fontsize=9)
    return (
        "Breakdown with squares of two by two, on all boards of at most 30 cells: "
        "coloured where black, who begins, wins, pale where it is a draw. White wins nowhere."
    )


@drawn("quarto")
def quarto(docs: Path) -> str:
    """Draw how hard Quarto's openings are."""
    lines = (docs / "results" / "quarto.txt").read_text().splitlines()
    nodes = sorted((int(line.split("\t")[2]) for line in lines if line), reverse=True)
    _, axes = plt.subplots(figsize=(7, 2.6))
    axes.bar(range(1, len(nodes) + 1), [n / 1e6 for n in nodes], width=1, color=COLOURS[0])
    axes.set(
        xlabel="openings, the hardest first", ylabel="million positions", yscale="log", xlim=(0, len(nodes))
    )
    return f"How many positions the proof of each of Quarto's {len(nodes)} openings with three pieces took."


@drawn("levels")
def levels(docs: Path) -> str:
    """Draw what each level scores against the one below."""
    rows = table(docs / "strength.md", "game", "seed")
    _, axes = plt.subplots(figsize=(7, 3))
    games = list(dict.fromkeys(row[0] for row in rows[1:]))
    names = [int(name) for name in rows[0][2:]]
    for game in games:
        runs = [[float(cell) for cell in row[2:]] for row in rows[1:] if row[0] == game]
        axes.plot(names, [sum(column) / len(runs) for column in zip(*runs)], marker="o", ms=4, label=game)
    axes.axhline(50, color=INK, lw=0.6, ls=":")
    axes.set(xlabel="level", ylabel="points against the level below, %", ylim=(45, 90))
    axes.set_xticks(names)
    axes.legend(ncols=4, loc="upper center", fontsize=8)
    return "What each level scores against the one below it, of 600 games. TicTac is perfect from 6 on."


@drawn("players")
def players(docs: Path) -> str:
    """Draw the points of every player."""
    rows = table(docs / "strength.md", "player", "Reversi")
    _, axes = plt.subplots(figsize=(7, 3.4))
    high = 0.8 / (len(rows[0]) - 1)
    for number, game in enumerate(rows[0][1:]):
        at = [place + number * high for place in range(len(rows) - 1)]
        axes.barh(at, [float(row[number + 1]) for row in rows[1:]], high * 0.9, label=game)
    axes.set_yticks([place + 0.3 for place in range(len(rows) - 1)], [row[0] for row in rows[1:]])
    axes.invert_yaxis()
    axes.set(xlabel="points against all others, %", xlim=(0, 100))
    axes.legend(fontsize=8, loc="lower right")
    return "Everybody against everybody: the points of each player in each game."


@drawn("curve")
def curve(docs: Path) -> str:
    """Draw the strength in Reversi by processor time."""
    rows = table(docs / "strength.md", "player", "seconds a game", "points of 50 games")
    _, axes = plt.subplots(figsize=(7, 2.6))
    seconds = [float(row[1]) for row in rows[1:]]
    axes.plot(seconds, [float(row[2].rstrip(" %")) for row in rows[1:]], marker="o", ms=5)
    for row, second in zip(rows[1:], seconds):
        axes.annotate(
            row[3],
            (second, float(row[2].rstrip(" %"))),
            (0, -14),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set(xscale="log", xlabel="seconds a game", ylabel="points, %", ylim=(40, 108))
    axes.set_xticks([0.001, 0.01, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    return "Reversi against GRhino at level 3: points by processor time, with the discs a game."


@drawn("speed")
def speed(docs: Path) -> str:
    """Draw how much faster petteia is than what it is compared with."""
    found = []
    page = docs / "benchmarks.md"
    for columns in (("what", "petteia", "peer"), ("what", "petteia", "compared with")):
        found += [
            (f"{row[0]}\n{row[2]}", float(row[4]))
            for row in table(page, *columns)[1:]
            if re.search(r"\d+\.\d+\.\d+", row[2])
        ]
    found.sort(key=lambda one: one[1])
    _, axes = plt.subplots(figsize=(7.6, 0.42 * len(found) + 0.8))
    bars = axes.barh([name for name, _ in found], [ratio for _, ratio in found], color=COLOURS[0])
    axes.bar_label(bars, [f"{ratio:g}x" for _, ratio in found], padding=3, fontsize=8)
    axes.axvline(1, color=INK, lw=0.6, ls=":")
    axes.set(xscale="log", xlabel="times as fast", xlim=(0.7, 2000))
    axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    return "petteia and other libraries in the same run: how many times as fast."
