"""The server of the page in its own process, and connections to it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

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
    """`petteia play` as users start it."""

    def __init__(self, port: int = 0) -> None:
        script = Path(sys.executable).with_name("petteia")
        command = [str(script), "play", "--no-browser", "--port", str(port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said
        self.port = int(found[1])
        self.address = found[0]
        self.process.stdout.close()

    def stop(self) -> int:
        """Stop the server and return its exit code."""
        self.process.terminate()
        return self.process.wait(60)

    def memory(self) -> int:
        """Return the resident memory of the server in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) * 1024


class Connection:
    """A persistent connection, over which any bytes can be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        self.reader, self.writer, self.port = reader, writer, port

    @classmethod
    async def open(cls, port: int) -> Connection:
        return cls(*await asyncio.open_connection("127.0.0.1", port), port)

    async def raw(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send bytes and return the status, the headers and the body of the response."""
        self.writer.write(request)
        await self.writer.drain()
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])
        }
        body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        return int(head[0].split()[1]), headers, body

    async def request(
        self, method: str, path: str, body: bytes = b"", *, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request as the page does; headers replace its own, and empty ones are left out."""
        sent = {"host": f"127.0.0.1:{self.port}", "content_type": "application/json", **(headers or {})}
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items() if value]
        head = f"{method} {path} HTTP/1.1\r\n{''.join(lines)}content-length: {len(body)}\r\n\r\n"
        return await self.raw(head.encode("latin-1") + body)

    async def ask(self, **question: Any) -> tuple[int, Any]:
        """Send a question as the page does and return the status and the answer."""
        status, _, body = await self.request("POST", "/game", json.dumps(question).encode())
        return status, json.loads(body)

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()
