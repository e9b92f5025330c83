"""The server of the page. It keeps no state: a request has a record, and the response all that is shown."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from petteia import IllegalMove, ParseError

from .computers import COMPUTERS, choose, evaluate
from .view import BadRequest, checked, games, read, view

STATIC = Path(__file__).with_name("static")

LARGEST_BODY = 64 * 1024
MOST_CONNECTIONS = 2000
TIME_LIMIT = 10.0
"""Seconds after which a request is given up."""

SECURITY = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

T = TypeVar("T")


class Guard:
    """Admits only requests of the page itself, and adds the security headers to every response.

    Other pages are recognised by their Origin. DNS rebinding makes a foreign name point here, so Host must be
    an address, localhost or the host that is served.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update({"cache-control": "no-cache", **SECURITY})
            await send(message)

        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        app = self.app
        if len(hosts) != 1 or not self.is_here(hosts[0]):
            app = PlainTextResponse("this host is not served here\n", 403)
        elif any(origin != f"http://{hosts[0]}" for origin in origins):
            app = PlainTextResponse("requests from other pages are refused\n", 403)
        await app(scope, receive, send_guarded)

    def is_here(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
        if name == "localhost" or name == self.host:
            return True
        try:
            address = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        try:
            everywhere = ipaddress.ip_address(self.host).is_unspecified
        except ValueError:
            everywhere = False
        return address.is_loopback or everywhere or str(address) == self.host


class Workers:
    """Threads for the engine, so that the event loop is never blocked.

    Quick requests have their own threads: a page is shown at once while computers think for others.
    """

    def __init__(self) -> None:
        self.quick = ThreadPoolExecutor(2, "petteia-quick")
        self.thinking = ThreadPoolExecutor(2, "petteia-thinking")

    async def run(self, thinking: bool, work: Callable[..., T], *arguments: Any) -> T:
        """Run a function and return its result, or raise TimeoutError if it takes too long."""
        pool = self.thinking if thinking else self.quick
        job = asyncio.get_running_loop().run_in_executor(pool, work, *arguments)
        return await asyncio.wait_for(job, TIME_LIMIT)


async def body(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequest("expected the content type application/json")
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > LARGEST_BODY:
            raise BadRequest(f"expected at most {LARGEST_BODY} bytes")
    try:
        # Invalid UTF-8 raises a ValueError too, and deep nesting a RecursionError.
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise BadRequest("expected a JSON object") from None
    if not isinstance(value, dict):
        raise BadRequest("expected a JSON object")
    return value


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Respond to {"record": …} with optional "ply", "computer" (which then plays a move) and "evaluate"."""
    text, ply, computer = asked.get("record"), asked.get("ply"), asked.get("computer")
    if not isinstance(text, str):
        raise BadRequest('expected a record such as {"record": "reversi 8 8: d4 e4"}')
    if not (ply is None or type(ply) is int):
        raise BadRequest("expected ply to be a number")
    record = read(text)
    if computer is not None:
        # Values of other types may not be hashable.
        if not isinstance(computer, str) or computer not in COMPUTERS or record.last.is_over:
            raise BadRequest(f"expected computer to be one of {', '.join(COMPUTERS)}, and an unfinished game")
        record, ply = record.play(choose(computer, record.last)), None
    shown: dict[str, Any] = {**view(record, ply)}
    if asked.get("evaluate"):
        shown["evaluation"] = evaluate(record.positions[shown["ply"]])
    return shown


def picture(text: str, ply: int | None) -> str:
    """Return the library's picture of a game at a ply, the last one for None."""
    record = read(text)
    ply = checked(record, ply)
    svg: str = record.positions[ply].svg(last=record.moves[ply - 1] if ply else None)
    return svg


def refusal(error: Exception) -> Response:
    """Return the response to a request that is refused."""
    if isinstance(error, (ParseError, IllegalMove, BadRequest)):
        # A message may quote the request, and a lone surrogate in it cannot be encoded.
        message, status = str(error).encode("utf-8", "replace").decode(), 400
    else:
        message, status = "this takes too long: try a smaller game", 503
    return JSONResponse({"error": message}, status)


REFUSED = (ParseError, IllegalMove, BadRequest, asyncio.TimeoutError)


def application(host: str = "127.0.0.1") -> ASGIApp:
    """Return the server as an ASGI application for a host."""
    workers = Workers()

    async def game(request: Request) -> Response:
        try:
            asked = await body(request)
            thinking = bool(asked.get("computer") or asked.get("evaluate"))
            return JSONResponse(await workers.run(thinking, answer, asked))
        except REFUSED as error:
            return refusal(error)
        except ClientDisconnect:
            return Response(status_code=400)

    async def declared(request: Request) -> Response:
        return JSONResponse(games())

    async def board(request: Request) -> Response:
        ply = request.query_params.get("ply")
        try:
            if ply is not None and not (ply.isascii() and ply.isdecimal() and len(ply) < 9):
                raise BadRequest("expected ply to be a number")
            drawn = picture, request.query_params.get("record", ""), None if ply is None else int(ply)
            svg = await workers.run(False, *drawn)
        except REFUSED as error:
            return refusal(error)
        return Response(
            svg, media_type="image/svg+xml", headers={"content-disposition": "attachment; filename=board.svg"}
        )

    routes = [
        Route("/game", game, methods=["POST"]),
        Route("/games.json", declared, methods=["GET"]),
        Route("/board.svg", board, methods=["GET"]),
        Mount("/", StaticFiles(directory=STATIC, html=True)),
    ]
    return Guard(Starlette(routes=routes), host)


def serve(game: str | None = None, host: str = "127.0.0.1", port: int = 0, browser: bool = True) -> int:
    """Serve the page until it is interrupted, and return the exit code; port 0 is any free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only if the protocol is given does asyncio turn off Nagle's algorithm, a delay of 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        # From here on, connections wait until the server is up, so the address can be printed.
        listener.bind((host, port))
        listener.listen(MOST_CONNECTIONS)
    except OSError as error:
        print(f"petteia: cannot serve on {host} port {port}: {error.strerror or error}", file=sys.stderr)
        listener.close()
        return 1
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listener.getsockname()[1]}/" + (f"#{game}" if game else "")
    config = uvicorn.Config(
        application(host),
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        backlog=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        ws="none",
        lifespan="off",
    )
    print(f"petteia: playing at {address} (Ctrl-C to stop)", flush=True)
    if browser:
        threading.Timer(0.3, webbrowser.open, [address]).start()
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
    return 0
