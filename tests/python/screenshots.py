"""Takes the pictures of the page that the README shows; a test runs it too.

python tests/python/screenshots.py [FOLDER] writes them, into docs/screenshots unless told otherwise.
"""

from __future__ import annotations

import sys
from pathlib import Path

from games import ROOT
from playwright.sync_api import Browser, sync_playwright
from table import Table
from web import FLAGS, Server, browser_path

# A random game.
REVERSI = "reversi 8 8: d5 e5 e4 d4 e6 f4 c3 c6 e3 f3 c5 e2 g3 g5 e1 h3 h2 d1 b7 h1 h6 f5 g2 b5 c4 b2"

SHOTS = {
    # name: record, the cell under the pointer, colours, width and height
    "reversi": (REVERSI, "d6", "light", (1120, 800)),
    "breakdown": ("breakdown 7 6 3 3: -0 |3 -1 -4 |6 -2 -4", "!", "dark", (1120, 800)),
    "quarto": ("quarto: SBCH A1 TEQO B2 SECO C3 TBCO D4 TBQH", "C2", "light", (1120, 800)),
    "tictac": ("tictac X: B2 C2 C3 A1 B3 A3 B1", None, "dark", (1120, 800)),
    "reversi-phone": (REVERSI, None, "dark", (390, 760)),
    "quarto-phone": ("quarto: SBCH A1 TEQO B2 SECO C3 TBCO D4", None, "light", (390, 960)),
}


def take(browser: Browser, address: str, folder: Path) -> list[Path]:
    """Take all pictures and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, (record, hovered, scheme, (width, height)) in SHOTS.items():
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            # Fewer pixels where there are many: the pictures are kept in the repository.
            device_scale_factor=0.7 if width > 1000 else 1,
        )
        table = Table(page, address).open(record)
        if hovered:
            table.cell(hovered).hover()
        paths.append(folder / f"{name}.png")
        page.screenshot(path=paths[-1])
        page.close()
    return paths


def main() -> None:
    """Take the pictures with a server and a browser of its own."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "docs" / "screenshots"
    server = Server()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            for path in take(browser, server.address, folder):
                print(path)
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
