"""Measure the page in a browser: from a click to the move on the screen, and from the URL to the first paint.

Prints medians as JSON lines, which `report.py page` (`make bench-page`) puts into docs/benchmarks.md.
"""

import json
import random
import statistics
import sys
from pathlib import Path

from petteia.web.serve import STATIC
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "python"))

from table import Table
from web import FLAGS, browser_path, play

# Times a click until just before the first frame after the page has shown the move.
CLICK = """(move) => new Promise((done) => {
    const cell = [...document.querySelectorAll('.cell')].find((cell) => cell.dataset.move === move);
    const start = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now() - start));
    }).observe(document.body, {attributes: true, attributeFilter: ['data-shown']});
    cell.dispatchEvent(new MouseEvent('click', {bubbles: true}));
})"""

PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def main() -> None:
    """Play each game and print the times."""
    server = play()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
            for start in ("tictac X:", "breakdown 4 5 2 2:", "reversi 8 8:", "quarto:"):
                page = browser.new_page()
                table, choose, times, paints = Table(page, server.address), random.Random(1), [], []
                for _ in range(5):
                    table.open(start)
                    page.wait_for_timeout(100)
                    paints.append(page.evaluate(PAINT))
                while not table.game.last.is_over and len(times) < 60:
                    times.append(page.evaluate(CLICK, choose.choice(table.game.last.moves)))
                row = {"what": start, "moves": len(times), "shown": statistics.median(times)}
                print(json.dumps({**row, "paint": statistics.median(paints)}), flush=True)
                page.close()
            browser.close()
    finally:
        server.stop()
    print(json.dumps({"what": "files", "bytes": sum(file.stat().st_size for file in STATIC.iterdir())}))


if __name__ == "__main__":
    main()
