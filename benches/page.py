"""Measure the page in a browser: from a click to the move on the screen, and from the URL to the first move.

Prints medians as JSON lines, which `report.py page` (`make bench-page`) puts into docs/benchmarks.md.
"""

import gzip
import json
import random
import statistics
import sys
from pathlib import Path
from urllib.parse import urlsplit

from petteia.web.serve import STATIC
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))

from table import Table
from web import FLAGS, browser_path, play

# Times a click: the work of its handler, and until just before the first frame that has the move.
CLICK = """(move) => new Promise((done) => {
    const cell = [...document.querySelectorAll('.cell')].find((cell) => cell.dataset.move === move);
    const start = performance.now();
    cell.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    const work = performance.now() - start;
    requestAnimationFrame(() => done({work, shown: performance.now() - start}));
})"""

# Notes when the first move can be made.
READY = """new MutationObserver((_, observer) => {
    if (!document.body?.dataset.shown) return;
    observer.disconnect();
    window.ready = performance.now();
}).observe(document, {attributes: true, attributeFilter: ['data-shown'], subtree: true})"""

PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"

GAMES = ("tictac X:", "breakdown 4 5 2 2:", "breakdown 64 64 3 9:", "reversi 8 8:", "quarto:")


def main() -> None:
    """Play each game and print the times."""
    server = play()
    asked: set[str] = set()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            for start in GAMES:
                # As on a first visit, nothing is kept.
                context = browser.new_context(service_workers="block")
                context.add_init_script(READY)
                context.on("request", lambda request: asked.add(urlsplit(request.url).path.strip("/")))
                page = context.new_page()
                table, choose = Table(page, server.address), random.Random(1)
                clicks, paints, readies = [], [], []
                for _ in range(7):
                    table.open(start)
                    page.wait_for_timeout(100)
                    paints.append(page.evaluate(PAINT))
                    readies.append(page.evaluate("ready"))
                while not table.game.last.is_over and len(clicks) < 60:
                    clicks.append(page.evaluate(CLICK, choose.choice(table.game.last.moves)))
                    table.shown(len(clicks))
                row = {"what": start, "moves": len(clicks), "paint": statistics.median(paints)}
                for name in ("work", "shown"):
                    row[name] = statistics.median(click[name] for click in clicks)
                print(json.dumps({**row, "ready": statistics.median(readies)}), flush=True)
                context.close()
            browser.close()
    finally:
        server.stop()
    files = [STATIC / (name or "index.html") for name in asked]
    packed = sum(len(gzip.compress(file.read_bytes())) for file in files if file.is_file())
    print(json.dumps({"what": "files", "bytes": packed}))


if __name__ == "__main__":
    main()
