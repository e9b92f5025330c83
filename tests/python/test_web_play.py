"""Whole games in the browser, by mouse and by keyboard, to their ends."""

import random
from typing import Any

import petteia
import pytest
from playwright.sync_api import Page
from table import Table
from web import Server

STARTS = ["tictac X:", "tictac O:", "breakdown 4 5 2 2:", "reversi 4 4:", "quarto:"]


@pytest.fixture
def table(page: Page, server: Server) -> Table:
    return Table(page, server.address)


def check_end(table: Table, game: petteia.Record[Any]) -> None:
    """Compare a finished game on the page with the library."""
    outcome = game.outcome
    assert outcome is not None
    standing = table.text("#standing").lower()
    if outcome.winner is None:
        assert "draw" in standing
    else:
        assert f"{game.last.players[outcome.winner]} wins".lower() in standing
        assert table.page.locator(".player.won em").inner_text().endswith("winner")
    cells = 0 if isinstance(game.last, petteia.Reversi) else len(game.last.winning_cells)
    assert table.page.locator(".win rect").count() == cells
    array = game.last.array
    if outcome.winner is not None and not isinstance(game.last, petteia.Quarto):
        greyed = (array == 2 - outcome.winner).sum()
        assert table.page.locator(".piece.lost").count() == greyed
    assert table.page.locator(".playable").count() == 0


@pytest.mark.parametrize("start", [*STARTS, "reversi 8 8:"])
def test_a_game_by_mouse(table: Table, start: str) -> None:
    table.open(start)
    choose, game = random.Random(start), table.game
    while not game.last.is_over and len(game) < 80:
        playable = table.page.locator(".cell.playable").evaluate_all(
            "all => all.map((cell) => cell.dataset.move)"
        )
        assert {move for move in playable if move} == set(game.last.moves)
        game = game.play(choose.choice(game.last.moves))
        table.click(game.moves[-1])
        assert table.record == game.text
    assert game.last.is_over
    check_end(table, game)


@pytest.mark.parametrize("start", STARTS)
def test_a_game_by_keyboard(table: Table, start: str) -> None:
    table.open(start)
    table.tab_to_board()
    choose, game = random.Random(start), table.game
    while not game.last.is_over and len(game) < 60:
        if start == "quarto:" and len(game) == 0:
            # The board comes before the pool, where the first move is made.
            table.press("Tab")
        game = game.play(choose.choice(game.last.moves))
        table.steer(game.moves[-1])
        table.press("Enter" if len(game) % 2 else "Space")
        table.shown(len(game))
        assert table.record == game.text
    check_end(table, game)


def test_one_tab_stop_a_grid(table: Table) -> None:
    for start in STARTS:
        table.open(start)
        grids = table.page.locator("[role=grid]").count()
        assert table.page.locator('[role=grid] [tabindex="0"]').count() == grids
    table.open("reversi 8 8:")
    table.tab_to_board()
    table.press("End", "PageDown")
    assert (table.focused() or {})["move"] == "h8"
    table.press("Home", "PageUp", "ArrowUp", "ArrowLeft")
    assert (table.focused() or {})["move"] == "a1"


def test_reversi_previews(table: Table) -> None:
    table.open("reversi 8 8: d4 e4 e5 d5")
    for legal in table.game.last.moves:
        flips = int((table.game.last.play(legal).array != table.game.last.array).sum()) - 1
        table.cell(legal).hover()
        assert table.page.locator(".preview .flips").count() == flips > 0
        assert table.label(legal) == f"{legal}, empty, would flip {flips}"
    table.cell("a1").hover()
    assert table.page.locator(".preview > *").count() == 0
    assert table.label("a1") == "a1, empty"
    assert table.label("d4") == "d4, dark"
    table.tab_to_board()
    table.steer("e3")
    assert table.page.locator(".preview .flips").count() == 1
    table.press("Escape")
    assert table.page.locator(".preview > *").count() == 0


def test_breakdown_previews(table: Table) -> None:
    table.open("breakdown 4 5 2 2: |0 -2 -0 -1")
    table.cell("|3").hover()
    assert table.page.locator(".preview .coming").count() == 2
    assert "would come to rest on row 3" in table.label("|3")
    before, after = table.game.last.array, table.game.last.play("!").array
    table.cell("!").hover()
    falling = int(((after != before) & (after > 0) & (before == 0)).sum())
    assert table.page.locator(".preview .fall").count() >= falling > 0
    assert "cells would fall" in table.label("!")
    # A click on the board drops the kind of stick that was used last, and R turns it.
    board = table.page.locator('.cell[aria-label^="column 3, row 1"]')
    assert "upright stick would come to rest on row 3" in (board.get_attribute("aria-label") or "")
    table.tab_to_board()
    table.press("r")
    assert "stick" not in (board.get_attribute("aria-label") or "")
    table.press("r")
    board.click()
    table.shown(5)
    assert table.game.moves[-1] == "|3"


def test_tictac_and_quarto_previews(table: Table) -> None:
    table.open("tictac X: A1 B1 A2 B2")
    table.cell("A3").hover()
    assert table.page.locator(".preview .coming").count() == 1
    assert table.page.locator(".preview .would-win").count() == 3
    assert table.label("A3") == "A3, empty, would be X, would win"
    table.open("quarto: SBCH A1 SBCO A2 SBQH A3 SBQO")
    assert table.text("#standing").startswith("Player 1 places the short beige solid square")
    table.cell("A4").hover()
    assert table.page.locator(".preview .coming").count() == 1
    assert table.page.locator(".preview .would-win").count() == 4
    assert table.label("A4").endswith("would win")
    assert table.label("SBQO") == "short beige solid square, in hand"
    assert table.label("SBCH") == "short beige hollow circle, on the board"
    table.click("A4")
    check_end(table, table.game)


def test_illegal_clicks_change_nothing(table: Table) -> None:
    for where, wrong in (
        ("reversi 8 8: d4 e4 e5 d5", "a1"),
        ("reversi 8 8: d4 e4 e5 d5", "d4"),
        ("tictac X: B2", "B2"),
        ("breakdown 4 5 2 2: |0 |0", "|0"),
        ("breakdown 4 5 2 2:", "-3"),
        ("quarto: SBCH", "TEQO"),
        ("quarto: SBCH A1", "SBCH"),
        ("quarto: SBCH A1 TEQO", "A1"),
    ):
        table.open(where)
        table.cell(wrong).click()
        assert "cannot play there" in table.text("#notice")
        assert table.record == where
    table.open("tictac X: B2 C2 C3 A1 B3 A3 B1")
    table.cell("A2").click()
    assert "The game is over" in table.text("#notice")
    table.page.keyboard.press("Escape")
    assert table.text("#notice") == ""


def skipping() -> petteia.Record[Any]:
    """Return a game of Reversi in which a player has just been skipped."""
    for seed in range(1000):
        choose, record = random.Random(seed), petteia.Record(petteia.Reversi(4, 4))
        while not record.last.is_over:
            mover = record.last.turn
            record = record.play(choose.choice(record.last.moves))
            if record.last.turn == mover:
                return record
    raise AssertionError("no such game")


def test_skipped_turns_are_told(table: Table) -> None:
    record = skipping()
    table.open(record.text)
    assert "cannot move and is skipped." in table.text("#happened")
    name = record.last.players[record.last.turn]
    assert table.text("#standing").lower() == f"{name} to move."


@pytest.mark.parametrize("size", ["2 2", "8 2", "2 8"])
def test_small_boards_of_reversi(table: Table, size: str) -> None:
    table.open(f"reversi {size}:")
    game = table.game
    while not game.last.is_over:
        game = game.play(random.Random(7).choice(game.last.moves))
        table.click(game.moves[-1])
    check_end(table, game)


def test_a_wide_board_of_breakdown(table: Table) -> None:
    table.open("breakdown 40 6 2 3:")
    for move in ("|0", "-c", "|d", "!"):
        table.click(move)
    assert table.page.locator("[role=row]").nth(0).locator("[role=gridcell]").count() == 40
    # Cells stay large enough to click, and the page itself never scrolls sideways.
    box = table.cell("|0").bounding_box()
    assert box and box["width"] > 20
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
