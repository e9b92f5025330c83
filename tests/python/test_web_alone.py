"""The page left to itself: without its server, with searches that are ended, on slow and shared machines."""

import json
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from petteia.web.serve import HEADERS, STATIC
from playwright.sync_api import Page, Request, expect
from table import Table
from web import Server, play, subfolder

UNSERVED = {"index.html", "package.json", "petteia.d.ts", "petteia.wasm.txt", "service.js"}
"""What the page does not ask for by these names, once it is there."""


@pytest.fixture(params=["play", "subfolder"])
def mortal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Serve the page until a test kills the server."""
    running = play() if request.param == "play" else subfolder(tmp_path)
    yield running
    running.stop()


def test_offline_after_the_first_visit(page: Page, mortal: Server, expected_errors: list[str]) -> None:
    # Chromium asks for the icon of a tab without the service worker.
    expected_errors.append("Failed to load resource: net::ERR_")
    table = Table(page, mortal.address).open("tictac X: B2")
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    page.wait_for_function("navigator.serviceWorker.controller")
    mortal.process.kill()
    mortal.process.wait()
    # Nobody notices: not the game that is open, nor a visit, nor what is loaded only when it is needed.
    table.click("C2")
    table.reload()
    assert table.record == "tictac X: B2 C2"
    table.open("reversi 8 8: d4 e4")
    page.get_by_label("Who plays light").select_option("mcts")
    table.click("e5")
    table.shown(4)
    page.click("#hint")
    expect(page.locator("#happened")).to_contain_text("Best so far")
    expect(page.locator("#notice")).to_be_empty()


def test_the_service_worker_keeps_all_files() -> None:
    text = (STATIC / "service.js").read_text()
    listed = re.search(r"const FILES = \[(.*?)\];", text, re.DOTALL)
    assert listed
    kept = set(re.findall(r'"([^"]+)"', listed[1]))
    assert kept - {"./"} == {path.name for path in STATIC.iterdir() if path.is_file()} - UNSERVED


def test_it_can_be_installed(page: Page, files: Server) -> None:
    Table(page, files.address).open("")
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["errors"] == []
    assert told["url"] == files.address + "manifest.webmanifest"
    manifest = json.loads(told["data"])
    assert {icon["purpose"] for icon in manifest["icons"] if "purpose" in icon} == {"maskable"}
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            wide, high = struct.unpack(">II", (STATIC / icon["src"]).read_bytes()[16:24])
            assert icon["sizes"] == f"{wide}x{high}"
        else:
            assert (STATIC / icon["src"]).is_file()


def test_the_policy_is_the_same_with_any_server(
    page: Page, files: Server, expected_errors: list[str]
) -> None:
    expected_errors += ["Executing inline script violates", "Refused to execute inline script"]
    Table(page, files.address).open("")
    told = page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content") or ""
    policy = {part.strip() for part in told.split(";")}
    # Pages cannot say themselves who may frame them.
    header = {part.strip() for part in HEADERS["content-security-policy"].split(";")}
    assert policy == header - {"frame-ancestors 'none'"}
    assert re.findall(r"'[a-z-]*unsafe[a-z-]*'", told) == ["'wasm-unsafe-eval'"]
    added = """() => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.body.append(script);
        return Boolean(window.ran);
    }"""
    assert page.evaluate(added) is False


def test_nothing_leaves_the_own_origin(page: Page, files: Server) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.context.on("request", note)
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (event) => console.error(event.blockedURI))"
    )
    table = Table(page, files.address).open("reversi 8 8: d4 e4&play=person,mcts&bar=on")
    table.cell("e5").click()
    table.shown(4)
    page.wait_for_selector("#bar.known")
    assert any(url.endswith("reversi.weights") for url in asked)
    assert {url for url in asked if not url.startswith((files.address, "blob:" + files.address))} == set()


def processes(page: Page) -> int:
    """Return the memory of the browser's processes in bytes."""
    browser = page.context.browser
    assert browser
    session = browser.new_browser_cdp_session()
    total = 0
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process['id']}/status").read_text())
        total += int(found[1]) * 1024 if found else 0
    session.detach()
    return total


def test_a_hundred_searches_are_ended(page: Page, files: Server) -> None:
    page.add_init_script(
        "window.ended = 0; const end = Worker.prototype.terminate;"
        "Worker.prototype.terminate = function () { window.ended++; return end.call(this); };"
    )
    table = Table(page, files.address).open("quarto: SBCH A1 TEQO&bar=on")

    def searches(count: int) -> None:
        for _ in range(count // 2):
            page.wait_for_selector('#bar[data-shown="3/3"]')
            table.press("Control+z")
            page.wait_for_selector('#bar[data-shown="2/3"]')
            table.press("Control+Shift+z")

    def idle() -> int:
        """Return the memory without a search, once what was ended is given back."""
        page.uncheck("#weigh")
        least = processes(page)
        for _ in range(10):
            page.wait_for_timeout(200)
            least = min(least, processes(page))
        page.check("#weigh")
        # The keys below are for the page, not for a field.
        page.locator("#weigh").blur()
        return least

    searches(20)
    before = idle()
    searches(100)
    assert page.evaluate("window.ended") >= 120
    # Chromium keeps about a megabyte of each worker that was ended; one that lived on would take many.
    assert idle() < before + 200_000_000
    # The last one is not ended, and goes on.
    expect(page.locator("#worth")).to_contain_text("for Player")


def test_the_strongest_computer_on_the_largest_board(page: Page, files: Server) -> None:
    table = Table(page, files.address).open("breakdown 64 64 3 9:&play=person,perfect&bar=on")
    table.cell("|3").click()
    table.shown(1)
    expect(page.locator(".player.turn em")).to_have_text("thinking…")
    # The page is not frozen meanwhile.
    table.cell("|5").click()
    expect(page.locator("#notice")).to_have_text("It is the computer's turn.")
    table.shown(2)
    assert table.game.text == table.record


def test_a_computer_that_thinks_is_ended(page: Page, files: Server) -> None:
    table = Table(page, files.address).open("breakdown 64 64 3 9:&play=person,perfect")
    table.cell("|3").click()
    expect(page.locator(".player.turn em")).to_have_text("thinking…")
    page.click("#undo")
    table.shown(0, 1)
    page.get_by_label("Who plays White").select_option("random")
    table.cell("|4").click()
    table.shown(2)
    assert table.record.startswith("breakdown 64 64 3 9: |4 ")


def test_a_worker_that_cannot_be_loaded_is_told(
    page: Page, files: Server, expected_errors: list[str]
) -> None:
    expected_errors.append("Failed to load resource: net::ERR_")
    table = Table(page, files.address)
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    page.route("**/worker.js", lambda route: route.abort())
    table.open("tictac X:&play=person,random")
    table.cell("B2").click()
    expect(page.locator("#notice")).to_contain_text("could not think of a move")
    # It is asked again.
    page.unroute("**/worker.js")
    page.click("#resume")
    table.shown(2)


def test_two_tabs(page: Page, files: Server) -> None:
    first = Table(page, files.address).open("reversi 8 8: d4 e4&bar=on")
    second = Table(page.context.new_page(), files.address).open("quarto: SBCH A1&bar=on")
    first.click("e5")
    second.click("TEQO")
    for table in (first, second):
        table.page.wait_for_selector("#bar.known")
        table.reload()
    assert first.record == "reversi 8 8: d4 e4 e5"
    assert second.record == "quarto: SBCH A1 TEQO"


def test_a_slow_phone(new_page: Callable[..., Page], files: Server) -> None:
    phone = new_page(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True)
    phone.context.new_cdp_session(phone).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    table = Table(phone, files.address).open("reversi 8 8: d4 e4&play=person,mcts&bar=on")
    table.cell("e5").tap()
    table.shown(4)
    phone.wait_for_selector("#bar.known")
    expect(phone.locator("#notice")).to_be_empty()
