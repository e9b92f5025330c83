"""The page, apart from the games themselves."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import petteia
import pytest
import screenshots
from games import ROOT
from petteia._games import DECLARED
from playwright.sync_api import Page, expect
from table import Table
from web import Server, play


@pytest.fixture
def table(page: Page, files: Server) -> Table:
    return Table(page, files.address)


def test_undo_redo_and_jump(table: Table) -> None:
    table.open("reversi 8 8: d4 e4 e5 d5 e3")
    table.page.click("#undo")
    table.shown(4, 5)
    table.page.click("#undo")
    table.shown(3, 5)
    table.page.click("#redo")
    table.shown(4, 5)
    table.page.click("#moves [data-ply='1']")
    table.shown(1, 5)
    assert table.page.locator("#moves [aria-current]").inner_text() == "d4"
    assert table.page.locator(".piece").count() == 1
    table.press("End")
    table.shown(5, 5)
    # The second key continues from the first, whether that is shown yet or not.
    table.press("ArrowLeft", "Control+z")
    table.shown(3, 5)
    table.press("Control+Shift+z")
    table.shown(4, 5)
    table.page.click("#moves [data-ply='0']")
    table.shown(0, 5)
    expect(table.page.locator("#undo")).to_be_disabled()
    # A move at an earlier ply replaces the moves after it.
    table.cell("e5").click()
    table.shown(1)
    assert table.record == "reversi 8 8: e5"
    expect(table.page.locator("#redo")).to_be_disabled()


def test_the_game_lives_in_the_address(table: Table, new_page: Callable[..., Page]) -> None:
    table.open("quarto")
    for move in ("SBCH", "A1", "TEQO"):
        table.click(move)
    assert table.page.url.endswith("#quarto:_SBCH_A1_TEQO")
    table.reload()
    table.shown(3)
    assert table.record == "quarto: SBCH A1 TEQO"
    table.page.click("#undo")
    table.shown(2, 3)
    other = new_page()
    other.goto(table.page.url)
    other.wait_for_selector('body[data-shown="2/3"]')
    assert other.input_value("#record") == "quarto: SBCH A1 TEQO"


def test_back_leads_to_the_game_before(table: Table) -> None:
    table.open("tictac X: B2")
    table.page.click("nav a:has-text('Breakdown')")
    table.page.wait_for_selector("#boards.breakdown")
    table.page.go_back()
    table.page.wait_for_selector("#boards.tictac")
    assert table.record == "tictac X: B2"


def test_copy_and_paste(table: Table) -> None:
    table.open("breakdown 4 5 2 2: |0 -2")
    table.page.click("#copy")
    expect(table.page.locator("#happened")).to_have_text("Record copied.")
    assert table.page.evaluate("navigator.clipboard.readText()") == "breakdown 4 5 2 2: |0 -2"
    table.page.click("#share")
    expect(table.page.locator("#happened")).to_have_text("Link copied.")
    assert table.page.evaluate("navigator.clipboard.readText()") == table.page.url
    table.page.fill("#record", "tictac O: B2 C2")
    table.press("Enter")
    table.page.wait_for_selector("#boards.tictac")
    assert table.text("#standing") == "O to move."
    table.page.evaluate("navigator.clipboard.writeText(' quarto: SBCH A1\\n')")
    table.page.click("#title")
    table.press("Control+v")
    table.page.wait_for_selector("#boards.quarto")
    assert table.record == "quarto: SBCH A1"


@pytest.mark.parametrize(
    "text",
    [
        "reversi 4 4 from ____/_LD_/_DL_/____ D: a2",
        r'[first "A & B: 100% <é> #1_2"] [second "%26 \"x\""] reversi 4 4 from ____/_LD_/_DL_/____ D: a2',
    ],
)
def test_a_game_from_the_middle_with_headers(table: Table, new_page: Callable[..., Page], text: str) -> None:
    table.open("reversi 4 4: b2")
    table.page.fill("#record", text)
    table.press("Enter")
    table.shown(1)
    table.click("a1")
    assert table.record == text + " a1"
    table.page.click("#undo")
    table.shown(1, 2)
    # The link leads to the same game.
    other = new_page()
    other.goto(table.page.url)
    other.wait_for_selector('body[data-shown="1/2"]')
    assert other.input_value("#record") == text + " a1"
    table.page.go_back()
    expect(table.page.locator("#record")).to_have_value("reversi 4 4: b2")


def test_a_broken_record_is_told_and_harmless(table: Table) -> None:
    table.open("tictac X: B2")
    for broken in (
        "tictac X: B2 B2",
        "chess 8 8: e4",
        "reversi 99 99:",
        "<img src=x onerror=alert(1)>",
        "😀" * 9000,
    ):
        table.page.fill("#record", broken)
        table.page.click("text=Load")
        with pytest.raises(ValueError) as error:
            petteia.Record.from_text(broken)
        expect(table.page.locator("#broken")).to_have_text(str(error.value))
    table.page.evaluate("navigator.clipboard.writeText('quarto: A1')")
    table.page.click("#title")
    table.press("Control+v")
    expect(table.page.locator("#broken")).to_contain_text("A1")
    expect(table.page.locator("#record")).to_have_value("quarto: A1")
    table.cell("C2").click()
    table.shown(2)
    assert table.record == "tictac X: B2 C2"
    assert table.text("#broken") == ""


def test_a_broken_address_is_told_and_harmless(table: Table) -> None:
    for broken in ("nonsense", "%", "reversi 8 8: a1", "tictac X: B2&at=7", "quarto:&play=deep,blue"):
        table.open(broken)
        if "play" not in broken:
            expect(table.page.locator("#notice")).not_to_be_empty()
        assert table.game.text == table.record
        assert table.page.locator(".playable").count() > 0


def test_the_page_has_every_game(table: Table) -> None:
    table.open("")
    links = table.page.locator("nav a")
    assert links.evaluate_all("all => all.map((link) => link.hash)") == [f"#{name}" for name in DECLARED]
    assert links.all_inner_texts() == [declared.title for declared in DECLARED.values()]
    for name, declared in DECLARED.items():
        links.filter(has_text=declared.title).click()
        table.page.wait_for_selector(f"#boards.{name}")
        assert table.text("#title") == declared.title
        assert table.text("#tagline") == declared.about
        # A game starts with its first preset.
        assert table.record == petteia.Record(petteia.game(name, **declared.presets[0][1])).text
        table.page.click("#new")
        presets = table.page.locator("#presets button")
        if not declared.parameters:
            expect(table.page.locator("#presets")).to_be_hidden()
            expect(table.page.locator("#parameters")).to_have_text("This game has no options.")
        else:
            assert presets.all_inner_texts() == [preset for preset, _ in declared.presets]
            assert table.page.locator("#presets [aria-pressed=true]").inner_text() == declared.presets[0][0]
        for parameter in declared.parameters:
            role: Literal["combobox", "spinbutton"] = "combobox" if parameter.words else "spinbutton"
            field = table.page.get_by_role(role, name=parameter.about, exact=True)
            if parameter.words:
                assert field.locator("option").all_inner_texts() == list(parameter.words)
            else:
                assert field.get_attribute("min") == str(parameter.least)
                assert field.get_attribute("max") == str(min(parameter.most or 0, 64))
        table.press("Escape")


def test_games_that_cannot_be_loaded_are_told(table: Table, expected_errors: list[str]) -> None:
    expected_errors.append("Failed to load resource: net::ERR_")
    table.page.route("**/petteia.wasm", lambda route: route.abort())
    table.page.goto(table.address)
    expect(table.page.locator("#notice")).to_contain_text("cannot be loaded")
    table.page.unroute("**/petteia.wasm")
    table.reload()
    expect(table.page.locator("#notice")).to_be_empty()


def test_new_games_from_presets(table: Table) -> None:
    for name, declared in DECLARED.items():
        for preset, values in declared.presets if declared.parameters else ():
            table.open(name)
            table.page.click("#new")
            table.page.get_by_role("button", name=preset, exact=True).click()
            assert table.page.locator("#presets [aria-pressed=true]").inner_text() == preset
            table.page.click("#setup .main")
            record = petteia.Record(petteia.game(name, **values)).text
            expect(table.page.locator("#record")).to_have_value(record)
            expect(table.page.locator("#dialog")).to_be_hidden()


def test_new_games_with_their_parameters(table: Table) -> None:
    table.open("reversi")
    table.page.click("#new")
    table.page.get_by_label("Number of columns", exact=True).fill("6")
    # The fields no longer match a preset.
    assert table.page.locator("#presets [aria-pressed=true]").count() == 0
    table.page.get_by_label("Number of rows", exact=True).fill("3")
    table.page.click("#setup .main")
    expect(table.page.locator("#record")).to_have_value("reversi 6 3:")
    expect(table.page.locator("#dialog")).to_be_hidden()
    table.page.click("#new")
    table.page.get_by_label("Number of rows", exact=True).fill("9")
    table.page.click("#setup .main")
    expect(table.page.locator("#dialog")).to_be_visible()
    table.press("Escape")
    expect(table.page.locator("#dialog")).to_be_hidden()
    assert table.record == "reversi 6 3:"
    table.open("breakdown")
    table.page.click("#new")
    values = (
        ("Number of columns", 6),
        ("Number of rows", 7),
        ("Length of a stick", 3),
        ("Side of the square that wins", 2),
    )
    for label, value in values:
        table.page.get_by_label(label, exact=True).fill(str(value))
    table.press("Enter")
    expect(table.page.locator("#record")).to_have_value("breakdown 6 7 3 2:")
    # The first field has the focus, and Enter starts the game.
    table.page.click("#new")
    assert table.page.get_by_label("Number of columns").evaluate("field => field === document.activeElement")
    table.press("Enter")
    expect(table.page.locator("#dialog")).to_be_hidden()
    assert table.record == "breakdown 6 7 3 2:"
    table.open("tictac")
    table.page.click("#new")
    table.page.get_by_label("Who begins").select_option("O")
    table.page.click("#setup .main")
    expect(table.page.locator("#record")).to_have_value("tictac O:")
    assert table.text("#standing") == "O to move."


def test_playing_against_the_computer(table: Table) -> None:
    table.open("tictac")
    table.page.get_by_label("Who plays O").select_option("random")
    expect(table.page).to_have_url(re.compile("play=person,random$"))
    table.cell("B2").click()
    table.shown(2)
    assert table.text("#standing") == "X to move."
    # Undo takes back the person's move and the computer's reply together.
    table.page.click("#undo")
    table.shown(0, 2)
    table.page.click("#redo")
    table.shown(2)
    table.reload()
    table.shown(2)
    assert table.page.get_by_label("Who plays O").input_value() == "random"
    table.page.click("#moves [data-ply='1']")
    table.shown(1, 2)
    table.page.click("#resume")
    table.shown(2)
    table.cell("B2").click()
    assert "cannot play there" in table.text("#notice")


def test_computers_play_each_other(table: Table) -> None:
    table.open("quarto:&play=myopic,myopic")
    expect(table.page.locator("#standing")).to_have_text(re.compile("wins|draw"))
    assert table.game.last.is_over


def test_hints(table: Table) -> None:
    table.open("tictac X: A1 B1 A2 B2")
    table.page.click("#hint")
    expect(table.page.locator("#happened")).to_have_text("With best play: X wins. Best now: A3.")
    assert table.page.locator(".star").count() == 1
    assert table.label("A3").endswith("best move")
    # What is not known yet is estimated, deeper and deeper.
    table.open("reversi 8 8: d4 e4")
    table.page.click("#hint")
    expect(table.page.locator("#happened")).to_have_text(
        re.compile(r"No exact answer yet: .* by about \d+\.")
    )
    assert table.page.locator(".star").count() == 1
    expect(table.page.locator("#happened")).to_have_text(re.compile(r"looked \d+ moves ahead"))


def test_the_evaluation_bar(table: Table) -> None:
    def weighed(ply: int, words: str | re.Pattern[str], width: float | None) -> None:
        table.page.wait_for_selector(f'#bar[data-shown="{ply}/{len(table.game)}"]')
        expect(table.page.locator("#worth")).to_have_text(words)
        assert table.page.locator("#bar.known").count() == 1
        if width is not None:
            assert float(table.page.get_attribute("#first", "width") or 0) == pytest.approx(width)

    table.open("tictac X: B2 C2")
    expect(table.page.locator("#bar")).to_be_hidden()
    table.page.check("#weigh")
    weighed(2, "X wins", 100)
    assert table.page.url.endswith("&bar=on")
    table.click("A1")
    weighed(3, "X wins", 100)
    # The evaluation changes nothing but the bar.
    assert table.text("#happened") == "X took A1."
    assert table.page.locator(".star").count() == 0
    table.reload()
    weighed(3, "X wins", 100)
    table.page.click("#undo")
    weighed(2, "X wins", 100)
    table.open("tictac X: A1 B1&bar=on")
    weighed(2, "X wins", 100)
    table.open("tictac X: B2 A1&bar=on")
    weighed(2, "a draw", 50)
    table.open("reversi 2 2: a1 a2 b1 b2&bar=on")
    weighed(4, "a draw", 50)
    table.open("quarto:&bar=on")
    weighed(0, re.compile(r"about \d+ % for Player [12]"), None)
    expect(table.page.locator("#bar.guessed")).to_have_count(1)
    # The value of a finished game is its result: the first player's tiles minus the second's.
    game = petteia.Record(petteia.Reversi(4, 4))
    while not game.last.is_over:
        game = game.play(game.last.moves[0])
    first, second = ((game.last.array == value).sum() for value in (1, 2))
    assert first != second
    winner = "Dark" if first > second else "Light"
    table.open(game.text + "&bar=on")
    weighed(len(game), f"{winner} by {abs(first - second)}", 50 + 50 * (first - second) / 16)
    table.page.uncheck("#weigh")
    expect(table.page.locator("#bar")).to_be_hidden()


def test_saving_the_picture(table: Table, tmp_path: Path) -> None:
    table.open("reversi 4 4: b2 c2")
    with table.page.expect_download() as download:
        table.page.click("#save")
    download.value.save_as(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == petteia.Record.from_text("reversi 4 4: b2 c2").last.svg(
        last="c2"
    )


def test_moves_are_said(table: Table) -> None:
    table.open("reversi 8 8: d4 e4 e5 d5")
    assert table.page.get_attribute("#status", "role") == "status"
    table.click("e3")
    said = table.text("#status").split("\n")
    assert [words for words in said if words] == ["Light to move.", "Dark played e3 and flipped 1 tile."]
    # Corners mark the move, dots the flipped tiles.
    assert table.page.locator(".last path").count() == 1
    assert table.page.locator(".last .changed").count() == 1
    table.open("breakdown 4 5 2 2: |0 -2 -0 -1 !")
    after, before = (table.game.positions[ply].array for ply in (5, 4))
    assert table.page.locator(".last .changed").count() == ((after != before) & (after > 0)).sum()


def test_the_piece_follows_the_pointer(table: Table) -> None:
    table.open("reversi 8 8:")
    table.cell("a1").hover()
    assert table.page.locator(".ghost circle").count() > 0
    first = table.page.get_attribute(".ghost", "transform")
    table.cell("h8").hover()
    assert table.page.get_attribute(".ghost", "transform") != first
    table.cell("d4").hover()
    assert table.page.locator(".ghost > *").count() == 0


def test_animation_only_where_it_is_wanted(new_page: Callable[..., Page], files: Server) -> None:
    for motion, expected in (("no-preference", True), ("reduce", False)):
        page = new_page(reduced_motion=motion)
        page.add_init_script(
            "window.ran = 0; const run = Element.prototype.animate;"
            "Element.prototype.animate = function (...all) { window.ran++; return run.apply(this, all); };"
        )
        for where, move in (
            ("reversi 8 8: d4 e4 e5 d5", "e3"),
            ("breakdown", "|0"),
            ("tictac", "B2"),
            ("quarto: SBCH", "A1"),
        ):
            table = Table(page, files.address).open(where)
            table.click(move)
            assert (page.evaluate("window.ran") > 0) == expected


def test_phones_and_touch(new_page: Callable[..., Page], files: Server) -> None:
    phone = new_page(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True)
    table = Table(phone, files.address)
    for where, move in (("reversi", "d4"), ("breakdown", "-0"), ("tictac", "B2"), ("quarto", "SBCH")):
        table.open(where)
        assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        table.cell(move).tap()
        table.shown(1)
        assert table.page.locator(".ghost > *").count() == 0


def test_nobody_notices_that_the_server_is_gone(table: Table, expected_errors: list[str]) -> None:
    # Chromium asks for the icon again whenever the address changes.
    expected_errors.append("Failed to load resource: net::ERR_")
    failed: list[str] = []
    table.page.on("requestfailed", lambda request: failed.append(request.url))
    server = play()
    table.address = server.address
    table.open("reversi 8 8: d4 e4")
    server.process.kill()
    server.process.wait()
    table.click("e5")
    table.page.click("#undo")
    table.shown(2, 3)
    table.page.click("nav a:has-text('Quarto')")
    table.page.wait_for_selector("#boards.quarto")
    table.click("SBCH")
    expect(table.page.locator("#notice")).to_be_empty()
    assert set(failed) <= {server.address + "icon.svg"}


def break_record(table: Table) -> None:
    table.page.fill("#record", "tictac X: B2 B2")
    table.press("Enter")
    expect(table.page.locator("#broken")).not_to_be_empty()


SCREENS: dict[str, tuple[str, Callable[[Table], object] | None]] = {
    "tictac": ("tictac X: B2 C2", None),
    "tictac won": ("tictac X: B2 C2 C3 A1 B3 A3 B1", None),
    "breakdown": ("breakdown 7 6 3 3: -0 |3 -1 -4", lambda table: table.cell("!").hover()),
    "breakdown won": ("breakdown 4 5 2 2: |0 -2 |1", None),
    "breakdown wide": ("breakdown 40 3 2 2:", None),
    "reversi": ("reversi 8 8: d4 e4 e5 d5", lambda table: table.cell("e3").hover()),
    "reversi won": ("reversi 4 3: c2 c1 b1 b2 b3 a3 a2 c3 d2 d1 d3 a1", None),
    "reversi tie": ("reversi 2 2: a1 a2 b1 b2", None),
    "quarto": ("quarto: SBCH A1 TEQO", lambda table: table.cell("B2").hover()),
    "quarto choosing": ("quarto: SBCH A1", None),
    "quarto won": ("quarto: SBCH A1 SBCO A2 SBQH A3 SBQO A4", None),
    "new game": ("breakdown", lambda table: table.page.click("#new")),
    "computer": ("reversi 8 8: d4&at=0&play=random,random", None),
    "illegal": ("reversi", lambda table: table.cell("a1").click()),
    "broken record": ("tictac", break_record),
    "hint": ("tictac X: A1 B1 A2 B2", lambda table: table.page.click("#hint")),
    "evaluation": ("tictac X: A1 B1&bar=on", lambda table: table.page.wait_for_selector("#bar.known")),
}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_accessibility_violation(table: Table, scheme: str, width: int) -> None:
    table.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    table.page.set_viewport_size({"width": width, "height": 800})
    for name, (where, act) in SCREENS.items():
        table.open(where)
        if act:
            act(table)
        assert table.axe() == [], name


def test_screenshots(new_page: Callable[..., Page], files: Server, tmp_path: Path) -> None:
    taken = screenshots.take(new_page, files.address, tmp_path)
    assert {path.name for path in taken} == {
        path.name for path in (ROOT / "docs" / "screenshots").glob("*.png")
    }
    readme = (ROOT / "README.md").read_text()
    for path in taken:
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < 300_000
        assert f"docs/screenshots/{path.name}" in readme
