"""Fixtures for the tests of the page: a server, a browser, and pages that must not log errors."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from web import FLAGS, Server, browser_path, play, subfolder

# A shell that runs the tests in the background makes them and all their subprocesses ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

TIMEOUT = 60_000
"""How long the tests wait for the page, in milliseconds; a busy machine may need that."""

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Serve the page by `petteia play`."""
    running = play()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the page from a subfolder of a server of files that knows nothing of it."""
    running = subfolder(tmp_path_factory.mktemp("files"))
    yield running
    running.stop()


# Playwright runs an event loop in the thread of the tests; it must not outlive the module that uses it.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def expected_errors() -> list[str]:
    """Return the prefixes of console errors that a test causes on purpose."""
    return []


@pytest.fixture
def new_page(browser: Browser, expected_errors: list[str]) -> Iterator[Callable[..., Page]]:
    """Open pages with any options; an error that one of them logs fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def log(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(message.text)

    def open_page(**options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(TIMEOUT)
        context.on("console", log)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert [error for error in errors if not error.startswith(tuple(expected_errors) or ("\0",))] == []


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Open a page on a desktop, without animation."""
    clipboard = ["clipboard-read", "clipboard-write"]
    return new_page(viewport={"width": 1280, "height": 860}, reduced_motion="reduce", permissions=clipboard)
