"""Positions as pictures: what a `boards` block of the documents becomes.

Each line is a record, `breakdown 4 5 2 2: |0 -2`, whose last position is shown with its last move marked, or
a game and the text of a position, `reversi ____/_DL_/_LD_/____ D`, shown with its legal moves marked. A
caption may follow after two spaces and `#`.
"""

from __future__ import annotations

import html
from typing import Any, Literal

import petteia

CLASSES = {
    "tictac": petteia.TicTac,
    "breakdown": petteia.Breakdown,
    "reversi": petteia.Reversi,
    "quarto": petteia.Quarto,
}


def picture(line: str) -> str:
    """Return the picture of a record or a position, once for each of the site's colour schemes."""
    marks: dict[str, Any]
    if ":" in line:
        record = petteia.Record.from_text(line)
        position, marks = record.positions[-1], {"last": record.moves[-1] if record.moves else None}
    else:
        game, _, text = line.partition(" ")
        position, marks = CLASSES[game].from_text(text), {"legal": True}
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    return "".join(
        f'<span class="{theme}">{position.svg(**marks, theme=theme, size=260)}</span>' for theme in themes
    )


def boards(
    source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **kwargs: Any
) -> str:
    """Return the figures of a block, one for each line."""
    figures = []
    for line in source.splitlines():
        what, _, caption = line.partition("  # ")
        caption = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
        figures.append(f'<figure title="{html.escape(what)}">{picture(what)}{caption}</figure>')
    return f'<div class="{css_class}">{"".join(figures)}</div>'
