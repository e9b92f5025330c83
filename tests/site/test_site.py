"""The site that `make site` has built: whole, searchable, and loaded from nowhere else.

Run by `make test-site`, which leaves screenshots in target/site/screenshots.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "site"
SHOTS = ROOT / "target" / "site" / "screenshots"
# Rustdoc writes these, and checks its own links.
OWN = "rust/"


class Document(HTMLParser):
    """The links, the anchors and what is loaded by an HTML file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.anchors |= {has[name] for name in ("id", "name") if name in has}
        # What is saved is made when it is.
        if tag == "a" and "href" in has and "download" not in has:
            self.links.append(has["href"])
        elif tag == "link" and has.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(has.get("href", ""))
        else:
            self.loaded += [has["src"]] if "src" in has else []
            self.loaded += [one.split()[0] for one in has.get("srcset", "").split(",") if one.strip()]


@functools.cache
def document(path: Path) -> Document:
    return Document(path.read_text())


PAGES = sorted(path for path in SITE.rglob("*.html") if not path.relative_to(SITE).as_posix().startswith(OWN))


def test_the_site_is_whole() -> None:
    assert len(PAGES) > 80, "run `make site`"
    for name in (
        "index",
        "tutorials/python",
        "rules/quarto",
        "results",
        "reference/javascript",
        "play/index",
    ):
        assert SITE / f"{name}.html" in PAGES
    assert (SITE / "rust" / "petteia" / "index.html").exists()


def broken(page: Path, target: str) -> str | None:
    """Return what is wrong with a link, if anything is."""
    parts = urlsplit(target)
    if parts.scheme in ("http", "https", "mailto", "data", "javascript"):
        return None
    path = SITE / parts.path.lstrip("/") if parts.path.startswith("/") else page.parent / unquote(parts.path)
    path = (page if not parts.path else path).resolve()
    path = path / "index.html" if path.is_dir() else path
    if not path.is_file() or not path.is_relative_to(SITE):
        return "leads nowhere"
    anchor = unquote(parts.fragment)
    # The page for playing keeps games in the fragment.
    if not anchor or path.suffix != ".html" or (SITE / "play") in path.parents or anchor.startswith("__"):
        return None
    return None if anchor in document(path).anchors else "has no such anchor"


def test_every_link_leads_somewhere() -> None:
    wrong = [
        f"{page.relative_to(SITE)}: {target} {what}"
        for page in PAGES
        if page.name != "404.html"
        for target in [*document(page).links, *document(page).loaded]
        if (what := broken(page, target))
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_comes_from_elsewhere() -> None:
    files = [path for path in SITE.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 100
    wrong = []
    for path in files:
        text = path.read_text(errors="replace")
        loaded = re.findall(
            r"url\(\s*['\"]?((?:https?:)?//[^)'\"]+)|@import\s+['\"]((?:https?:)?//[^'\"]+)", text
        )
        if path.suffix == ".html":
            loaded += [(target,) for target in document(path).loaded if urlsplit(target).netloc]
        wrong += [f"{path.relative_to(SITE)}: {target}" for target in loaded]
    assert not wrong, "\n".join(wrong)


def test_every_public_name_is_in_the_reference() -> None:
    python = "import petteia; print(*(n for n in petteia.__all__ if not n.startswith('_')))"
    names = subprocess.run(
        [os.environ.get("PETTEIA_PYTHON", "python3"), "-c", python],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(names) > 40
    anchors = set().union(
        *(document(page).anchors for page in (SITE / "reference" / "python").glob("*.html"))
    )
    ends = {anchor.rpartition(".")[2] for anchor in anchors}
    assert [name for name in names if name not in ends] == []


def test_examples_in_docstrings_are_code() -> None:
    pages = [page.read_text() for page in (SITE / "reference" / "python").glob("*.html")]
    assert sum(page.count("language-pycon") for page in pages) > 50
    assert not any("<blockquote>" in page for page in pages)


def test_every_c_function_is_in_the_reference() -> None:
    header = (ROOT / "include" / "petteia.h").read_text()
    functions = set(re.findall(r"\b(petteia_\w+)\([^)]", re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)))
    assert len(functions) > 100
    anchors = set().union(*(document(page).anchors for page in (SITE / "reference" / "c").glob("*.html")))
    missing = functions - anchors
    assert not missing, sorted(missing)


def test_every_program_of_the_command_is_in_the_reference() -> None:
    programs = {path.stem for path in (ROOT / "docs" / "man").glob("*.1")}
    assert len(programs) > 10
    assert programs == {path.stem for path in (SITE / "reference" / "command").glob("*.html")}


def test_names_and_words_can_be_searched() -> None:
    index = json.loads((SITE / "search" / "search_index.json").read_text())
    found = {(entry["location"].partition("#")[0], entry["title"]) for entry in index["docs"]}
    assert ("rules/breakdown.html", "Breakdown") in found
    assert any(title.startswith("petteia_position_play") for _, title in found)


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of the site; nothing is logged."""

    extensions_map = {  # noqa: RUF012
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("PETTEIA_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--headless", "--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: Browser, url: str, scheme: str = "light", width: int = 1280) -> tuple[Page, list[str]]:
    """Open a page, and list what went wrong: messages of errors, and requests to other hosts."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    host = urlsplit(url).netloc
    page.on(
        "request",
        lambda sent: wrong.append(sent.url) if urlsplit(sent.url).netloc not in (host, "") else None,
    )
    page.goto(url, wait_until="networkidle")
    return page, wrong


SHOWN = {
    "home": "index.html",
    "tutorial": "tutorials/bot.html",
    "rules": "rules/breakdown.html",
    "reference": "reference/python/games.html",
    "c": "reference/c/petteia-moves.html",
    "results": "results.html",
    "strength": "strength.html",
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_shown(name: str, scheme: str, browser: Browser, address: str) -> None:
    page, wrong = opened(browser, address + SHOWN[name], scheme)
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}-{scheme}.png")
    assert page.locator("h1").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 100")
    assert dark == (scheme == "dark")
    page.close()
    assert not wrong


@pytest.mark.parametrize("name", SHOWN)
def test_pages_fit_a_phone(name: str, browser: Browser, address: str) -> None:
    page, wrong = opened(browser, address + SHOWN[name], width=390)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
    assert not wrong


def test_the_board_at_home_is_played_on(browser: Browser, address: str) -> None:
    page, wrong = opened(browser, f"{address}index.html")
    page.get_by_label("play c3").click()
    page.get_by_text("Dark 1, Light 1. You are Dark").wait_for(timeout=10_000)
    page.get_by_text("Take back").click()
    page.get_by_text("Dark 0, Light 0. You are Dark").wait_for(timeout=10_000)
    page.close()
    assert not wrong


def test_the_search_finds(browser: Browser, address: str) -> None:
    page, wrong = opened(browser, f"{address}index.html")
    page.get_by_placeholder("Search").click()
    page.keyboard.type("petteia_position_svg")
    page.locator(".md-search-result__link", has_text="petteia_position_svg").first.wait_for(timeout=20_000)
    page.close()
    assert not wrong


def test_it_is_read_and_searched_from_a_disk(browser: Browser) -> None:
    page = browser.new_page()
    page.goto((SITE / "rules" / "quarto.html").as_uri())
    page.get_by_placeholder("Search").click()
    page.keyboard.type("overhang")
    page.locator(".md-search-result__link").first.wait_for(timeout=20_000)
    page.close()
