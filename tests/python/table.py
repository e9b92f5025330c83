"""The page as a player uses it, by mouse or by keyboard."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import petteia
from playwright.sync_api import Locator, Page


class Table:
    """A game on an open page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address

    def open(self, where: str) -> Table:
        """Open the page at a record, or any other fragment of its URL."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{where.replace(' ', '_')}")
        self.page.wait_for_selector("body[data-shown]")
        return self

    def reload(self) -> None:
        """Reload the page and wait until it shows its game again."""
        self.page.reload()
        self.page.wait_for_selector("body[data-shown]")

    @property
    def record(self) -> str:
        return self.page.input_value("#record")

    @property
    def game(self) -> petteia.Record[Any]:
        return petteia.Record.from_text(self.record)

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def shown(self, ply: int, length: int | None = None) -> None:
        """Wait until the page shows a ply."""
        self.page.wait_for_selector(f'body[data-shown="{ply}/{ply if length is None else length}"]')

    def cell(self, move: str) -> Locator:
        return self.page.locator(f'.cell[data-move="{move}"]')

    def label(self, move: str) -> str:
        return self.cell(move).get_attribute("aria-label") or ""

    def click(self, move: str) -> None:
        """Play a move with the mouse and wait until it is shown."""
        plies = len(self.game)
        self.cell(move).click()
        self.shown(plies + 1)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> dict[str, Any] | None:
        """Return the move, row and column of the focused cell."""
        code = """() => {
            const cell = document.activeElement.closest('[role=gridcell]');
            if (!cell) return null;
            const rows = [...cell.closest('[role=grid]').children];
            const row = rows.indexOf(cell.parentNode);
            const places = (at) => [...at.children].indexOf(cell);
            return {move: cell.dataset.move, row, column: places(cell.parentNode),
                    grid: cell.closest('[role=grid]').getAttribute('aria-label')};
        }"""
        found: dict[str, Any] | None = self.page.evaluate(code)
        return found

    def tab_to_board(self) -> None:
        for _ in range(30):
            self.press("Tab")
            if self.focused():
                return
        raise AssertionError("no board within thirty tabs")

    def steer(self, move: str) -> None:
        """Move the focus to the cell of a move with the arrow keys."""
        code = """(move) => {
            const cell = [...document.querySelectorAll('.cell')].find((cell) => cell.dataset.move === move);
            return {row: [...cell.closest('[role=grid]').children].indexOf(cell.parentNode),
                    column: [...cell.parentNode.children].indexOf(cell)};
        }"""
        target = self.page.evaluate(code, move)
        here = self.focused()
        assert here
        down, right = target["row"] - here["row"], target["column"] - here["column"]
        self.press(*["ArrowLeft" if right < 0 else "ArrowRight"] * abs(right))
        self.press(*["ArrowUp" if down < 0 else "ArrowDown"] * abs(down))
        arrived = self.focused()
        assert arrived and arrived["move"] == move

    def axe(self) -> list[str]:
        """Return the accessibility violations that axe-core finds."""
        # evaluate bypasses the content security policy, which forbids injected scripts.
        self.page.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text())
        found = self.page.evaluate("axe.run()")
        return [
            f"{rule['id']}: {json.dumps([node['html'][:160] for node in rule['nodes'][:3]])}"
            for rule in found["violations"]
        ]
