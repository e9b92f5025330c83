"""Servers of the page, in processes of their own, and the browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from petteia.web.serve import STATIC

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def browser_path() -> str:
    """Return the path of the browser for the tests."""
    names = ["chromium", "chromium-browser", "google-chrome"]
    found = os.environ.get("PETTEIA_BROWSER") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.fail("no browser: install chromium")
    return found


class Server:
    """A server of the page in a process of its own."""

    def __init__(self, command: list[str], folder: str = "/") -> None:
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found, said
        self.address = found[0].rstrip("/") + folder
        self.process.stdout.close()

    def stop(self) -> int:
        """Stop the server and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)


def play(port: int = 0) -> Server:
    """Start `petteia play` as users do."""
    script = Path(sys.executable).with_name("petteia")
    return Server([str(script), "play", "--no-browser", "--port", str(port)])


def subfolder(folder: Path) -> Server:
    """Start a server of files that knows nothing of petteia, with the page in a folder of it."""
    shutil.copytree(STATIC, folder / "some where" / "petteia")
    bound = ["--bind", "127.0.0.1", "--directory", str(folder)]
    return Server([sys.executable, "-u", "-m", "http.server", "0", *bound], "/some%20where/petteia/")
