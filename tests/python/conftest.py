"""What the tests of the page share: one server, a browser, and a page a test that must not log an error."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from web import FLAGS, Server, browser_path


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


# Playwright keeps an event loop running in the tests' thread: it must not outlive the module that uses it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def expected_errors() -> list[str]:
    """The beginnings of the console errors that a test means to cause."""
    return []


@pytest.fixture
def page(browser: Browser, expected_errors: list[str]) -> Iterator[Page]:
    """A page on a desktop, without animation; what it logs as an error fails the test."""
    errors: list[str] = []

    def log(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    context = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    opened.on("console", log)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert [error for error in errors if not error.startswith(tuple(expected_errors) or ("\0",))] == []
