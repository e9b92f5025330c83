"""Take the screenshots of the page for the README; a test runs this too.

`python tests/python/screenshots.py [FOLDER]` writes them to FOLDER, or docs/screenshots.
"""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Callable
from pathlib import Path

from games import ROOT
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from table import Table
from web import FLAGS, browser_path, play

# A random game.
REVERSI = "reversi 8 8: d5 e5 e4 d4 e6 f4 c3 c6 e3 f3 c5 e2 g3 g5 e1 h3 h2 d1 b7 h1 h6 f5 g2 b5 c4 b2"

SCHEMES = ("light", "dark")
DESKTOP, PHONE = (1120, 800), (390, 800)

SHOTS = {
    # name: the fragment of the URL, the cell under the pointer, the size of the window
    "reversi": (REVERSI, "d6", DESKTOP),
    "breakdown": ("breakdown 7 6 3 3: -0 |3 -1 -4 |6 -2 -4", "!", DESKTOP),
    "quarto": ("quarto: SBCH A1 TEQO B2 SECO C3 TBCO D4 TBQH", "C2", DESKTOP),
    "tictac": ("tictac X: B2 C2 C3 A1 B3 A3 B1&bar=on", None, DESKTOP),
    "reversi-phone": (REVERSI, None, PHONE),
    "breakdown-phone": ("breakdown 4 5 2 2: |0 -2 -0 -1", None, PHONE),
    "quarto-phone": ("quarto: SBCH A1 TEQO B2 SECO C3 TBCO D4", None, PHONE),
}


def take(new_page: Callable[..., Page], address: str, folder: Path) -> list[Path]:
    """Take all screenshots and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for (name, (where, hovered, (width, height))), scheme in itertools.product(SHOTS.items(), SCHEMES):
        page = new_page(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        table = Table(page, address).open(where)
        if hovered:
            table.cell(hovered).hover()
        if "bar=on" in where:
            page.wait_for_selector("#bar.known")
        paths.append(folder / f"{name}-{scheme}.png")
        # The files are kept in the repository, and a palette halves their size.
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        picture = picture.quantize(palette=picture.quantize(256), dither=Image.Dither.FLOYDSTEINBERG)
        picture.save(paths[-1], optimize=True)
        page.close()
    return paths


def main() -> None:
    """Take the screenshots with a new server and browser."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "docs" / "screenshots"
    server = play()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            for path in take(browser.new_page, server.address, folder):
                print(path)
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
