"""The server of the page: it sends the files in static/ and does nothing else.

It imports nothing of petteia, so it also runs where nothing is built: `python3 serve.py --help`.

A connection either waits for a request or is being answered. Those that wait are cut off after a while, and
where there are too many, the one that has waited longest makes room for a new one: so half-sent requests,
however many, keep nobody out.
"""

from __future__ import annotations

import gzip
import hashlib
import ipaddress
import re
import selectors
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

STATIC = Path(__file__).with_name("static")
GAMES = ("tictac", "breakdown", "reversi", "quarto")

MOST_CONNECTIONS = 1000
SHORTEST_WAIT = 0.05
"""Seconds that every connection is given for the head of a request."""
LONGEST_WAIT = 5.0
"""Seconds after which it is cut off, and so is a connection that is idle."""
LONGEST_ANSWER = 30.0
"""Seconds that it may take to receive the answer."""
LARGEST_HEAD = 16 * 1024
PIECE = 64 * 1024
"""Bytes that are read or sent at a time."""

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ts": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
"""Content types by file names' ends."""

HEADERS = {
    "cache-control": "no-cache",
    "vary": "accept-encoding",
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""What every answer has. The policy forbids all that the page does not do, such as to ask other servers."""


class File(NamedTuple):
    """A file of the page."""

    kind: str
    tag: str
    """Changes with its content."""
    plain: bytes
    packed: bytes | None
    """With gzip, where that is smaller."""


def load(folder: Path = STATIC) -> dict[str, File]:
    """Read the files of a folder, by their paths in URLs: what is not among them cannot be asked for."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            plain = path.read_bytes()
            packed = gzip.compress(plain, mtime=0)
            kind = KINDS.get(path.suffix, "application/octet-stream")
            tag = f'W/"{hashlib.sha256(plain).hexdigest()[:16]}"'
            file = File(kind, tag, plain, packed if len(packed) < 0.9 * len(plain) else None)
            files["/" + path.relative_to(folder).as_posix()] = file
    files["/"] = files["/index.html"]
    return files


class Answer(NamedTuple):
    """The answer to a request."""

    head: bytes
    body: bytes
    last: bool
    """Whether the connection ends with it."""


class Refusal(Exception):
    """A request that is refused."""

    def __init__(self, status: int, reason: str) -> None:
        self.status = status
        self.reason = reason


class Responder:
    """Answers requests for files, whose Host header must name this server."""

    def __init__(self, files: dict[str, File], host: str) -> None:
        self.files = files
        self.host = host

    def answer(self, head: str) -> Answer:
        """Return the answer to the head of a request, without the empty line at its end."""
        first, *lines = head.split("\r\n")
        bodyless = first.startswith("HEAD ")
        try:
            if not (found := re.fullmatch(r"([A-Z]+) (\S+) HTTP/(\d)\.(\d)", first, re.ASCII)):
                raise Refusal(400, "expected a request such as GET / HTTP/1.1")
            method, target, major, minor = found.groups()
            if major != "1":
                raise Refusal(505, "expected HTTP/1.1")
            headers = read_headers(lines)
            self.admit(headers)
            if method not in ("GET", "HEAD"):
                raise Refusal(405, "expected GET or HEAD")
            if not target.startswith("/"):
                raise Refusal(400, "expected a path that begins with /")
            path = unquote(target.partition("?")[0])
            if path not in self.files:
                raise Refusal(404, "there is no such file")
        except Refusal as refusal:
            return refuse(refusal.status, refusal.reason, bodyless)
        # What may follow is not read: neither a body nor, in old clients, another request.
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        last = has_body or minor == "0" or "close" in words(headers.get("connection", ""))
        return self.send(self.files[path], headers, bodyless, last)

    def admit(self, headers: dict[str, str]) -> None:
        """Refuse requests from other pages, and by a foreign name, which DNS rebinding lets point here."""
        host = headers.get("host")
        if host is None:
            raise Refusal(400, "expected a Host header")
        if not self.is_here(host):
            raise Refusal(403, "this host is not served here")
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            raise Refusal(403, "requests from other pages are refused")

    def is_here(self, host: str) -> bool:
        """Return whether a Host header names this server: by its address, localhost or what it listens on."""
        name = re.sub(r":\d*$", "", host, flags=re.ASCII).lower()
        if name in ("localhost", self.host.lower()):
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

    def send(self, file: File, headers: dict[str, str], bodyless: bool, last: bool) -> Answer:
        """Return the answer that has a file, or tells that the browser has it already."""
        known = [tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")]
        if "*" in known or file.tag.removeprefix("W/") in known:
            return compose(304, {"etag": file.tag}, None, bodyless, last)
        told = {"content-type": file.kind, "etag": file.tag}
        if file.packed is None or not takes_gzip(headers.get("accept-encoding", "")):
            return compose(200, told, file.plain, bodyless, last)
        return compose(200, {**told, "content-encoding": "gzip"}, file.packed, bodyless, last)


def read_headers(lines: list[str]) -> dict[str, str]:
    """Return headers by their names in lower case, the values of one name in a list with commas."""
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not (colon and re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name)):
            raise Refusal(400, "expected headers such as Host: localhost")
        name, value = name.lower(), value.strip(" \t")
        if name in headers and name in ("host", "origin"):
            raise Refusal(400, f"expected one {name.title()} header")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def words(value: str) -> list[str]:
    """Return the words of a header with a list."""
    return [word.strip(" \t") for word in value.lower().split(",")]


def takes_gzip(value: str) -> bool:
    """Return whether an Accept-Encoding header has gzip, with a weight other than 0."""
    codings = (word.partition(";") for word in words(value))
    weights = [weight.replace(" ", "").rstrip("0.") for name, _, weight in codings if name.strip() == "gzip"]
    return bool(weights) and weights[0] != "q="


def refuse(status: int, reason: str, bodyless: bool = False) -> Answer:
    """Return the answer to a request that is refused."""
    told = {"content-type": "text/plain; charset=utf-8", **({"allow": "GET, HEAD"} if status == 405 else {})}
    return compose(status, told, f"{reason}\n".encode(), bodyless, last=True)


def compose(status: int, told: dict[str, str], body: bytes | None, bodyless: bool, last: bool) -> Answer:
    """Return an answer with its headers."""
    headers = {"date": formatdate(usegmt=True), **told, **HEADERS}
    if body is not None:
        headers["content-length"] = str(len(body))
    if last:
        headers["connection"] = "close"
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *map(": ".join, headers.items()), "", ""]
    return Answer("\r\n".join(lines).encode(), b"" if bodyless or body is None else body, last)


class Connection:
    """A connection: what was received and not answered yet, and what is to be sent."""

    def __init__(self, endpoint: socket.socket) -> None:
        self.endpoint = endpoint
        self.received = b""
        self.unsent: list[memoryview] = []
        self.last = False
        """Whether it ends once all is sent; what is received until then is ignored."""


class Server:
    """Answers the connections to a listener, one step at a time."""

    def __init__(self, listener: socket.socket, answer: Callable[[str], Answer]) -> None:
        self.listener = listener
        self.answer = answer
        self.selector = selectors.DefaultSelector()
        self.listening = False
        self.stopped = False
        self.most = min(MOST_CONNECTIONS, files_left())
        # The connections in each state, and since when: the first has been there longest.
        self.waiting: dict[Connection, float] = {}
        self.sending: dict[Connection, float] = {}

    def run(self) -> None:
        """Serve until it is stopped, from a signal handler."""
        self.listener.setblocking(False)
        try:
            while not self.stopped:
                self.listen(self.has_room())
                # Not longer: nothing else ends it, and connections expire.
                for key, _ in self.selector.select(0.5 if self.listening else SHORTEST_WAIT):
                    if key.data is None:
                        self.accept()
                    elif key.data in self.waiting:
                        self.receive(key.data)
                    elif key.data in self.sending:
                        self.send(key.data)
                self.expire()
        finally:
            for connection in [*self.waiting, *self.sending]:
                self.close(connection)
            self.selector.close()

    def stop(self, *_: object) -> None:
        """End `run` soon."""
        self.stopped = True

    def listen(self, listening: bool) -> None:
        """Accept connections from now on, or let them wait."""
        if listening != self.listening:
            self.listening = listening
            if listening:
                self.selector.register(self.listener, selectors.EVENT_READ)
            else:
                self.selector.unregister(self.listener)

    def has_room(self) -> bool:
        """Return whether one more connection is accepted, if need be in the place of one that waits."""
        oldest = next(iter(self.waiting.values()), float("inf"))
        return len(self.waiting) + len(self.sending) < self.most or time.monotonic() - oldest >= SHORTEST_WAIT

    def accept(self) -> None:
        """Accept one connection: it may send its request before the next comes."""
        if len(self.waiting) + len(self.sending) >= self.most and self.waiting:
            self.close(next(iter(self.waiting)))
        try:
            endpoint, _ = self.listener.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError:
            # The system has no more files: so many connections there can be.
            self.most = max(1, len(self.waiting) + len(self.sending))
            time.sleep(SHORTEST_WAIT)
            return
        endpoint.setblocking(False)
        with suppress(OSError):
            # Without the delay of Nagle's algorithm.
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(endpoint)
        self.waiting[connection] = time.monotonic()
        self.selector.register(endpoint, selectors.EVENT_READ, connection)

    def receive(self, connection: Connection) -> None:
        """Read what has come."""
        try:
            data = connection.endpoint.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close(connection)
        elif not connection.last:
            connection.received += data
            self.look(connection)

    def look(self, connection: Connection) -> None:
        """Begin to answer a request once its head is there."""
        head, end, rest = connection.received.partition(b"\r\n\r\n")
        if end and len(head) <= LARGEST_HEAD:
            answer = self.answer(head.decode("latin-1"))
        elif len(head) > LARGEST_HEAD:
            answer = refuse(431, f"expected a request of at most {LARGEST_HEAD} bytes")
        elif head and not head[:1].isalpha():
            # Such as the beginning of https.
            answer = refuse(400, "expected a request such as GET / HTTP/1.1")
        else:
            return
        connection.received = rest
        connection.unsent = [memoryview(part) for part in (answer.head, answer.body) if part]
        connection.last = answer.last
        self.move(connection, self.waiting, self.sending, selectors.EVENT_WRITE)

    def send(self, connection: Connection) -> None:
        """Send the next piece, and after the last one wait for the next request."""
        try:
            sent = connection.endpoint.send(connection.unsent[0][:PIECE])
        except BlockingIOError:
            return
        except OSError:
            self.close(connection)
            return
        connection.unsent[0] = connection.unsent[0][sent:]
        if not connection.unsent[0]:
            del connection.unsent[0]
        if connection.unsent:
            return
        self.move(connection, self.sending, self.waiting, selectors.EVENT_READ)
        if not connection.last:
            self.look(connection)
            return
        # The client closes first: if it is still sending, it would lose the answer otherwise.
        try:
            connection.endpoint.shutdown(socket.SHUT_WR)
        except OSError:
            self.close(connection)

    def move(
        self, connection: Connection, old: dict[Connection, float], new: dict[Connection, float], events: int
    ) -> None:
        """Change a connection's state."""
        del old[connection]
        new[connection] = time.monotonic()
        self.selector.modify(connection.endpoint, events, connection)

    def expire(self) -> None:
        """Close the connections that have taken too long."""
        now = time.monotonic()
        for state, longest in ((self.waiting, LONGEST_WAIT), (self.sending, LONGEST_ANSWER)):
            for connection, since in [*state.items()]:
                if now - since <= longest:
                    break
                self.close(connection)

    def close(self, connection: Connection) -> None:
        """Close a connection."""
        self.waiting.pop(connection, None)
        self.sending.pop(connection, None)
        self.selector.unregister(connection.endpoint)
        connection.endpoint.close()


def files_left() -> float:
    """Return how many more files the system lets this process open, but for a few that it may need itself."""
    if sys.platform == "win32":
        return float("inf")
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return float("inf") if soft == resource.RLIM_INFINITY else max(1, soft - 24)


def serve(fragment: str = "", host: str = "127.0.0.1", port: int = 0, browser: bool = True) -> int:
    """Serve the page until Ctrl-C, and return the exit code; port 0 is any free one."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    with listener, suppress(KeyboardInterrupt):
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(1024)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            print(f"petteia: cannot serve on {host} port {port}: {reason}", file=sys.stderr)
            return 1
        server = Server(listener, Responder(load(), host).answer)
        # An exception could come anywhere, and leave things half done.
        signal.signal(signal.SIGINT, server.stop)
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/" + (f"#{fragment}" if fragment else "")
        print(f"petteia: playing at {address} (Ctrl-C to stop)", flush=True)
        if browser:
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
        server.run()
    return 0


USAGE = f"petteia play [{'|'.join(GAMES)} [SIZE...]] [--port N] [--host ADDRESS] [--no-browser]"
HELP = f"""usage: {USAGE}

Serves the games as a web page and opens it in the browser, until Ctrl-C.

  SIZE...         the game's parameters as in a record, such as the width and the height
  --port N        the port (any free one)
  --host ADDRESS  the address to listen on (127.0.0.1: this machine only)
  --no-browser    only print the address of the page

Example: petteia play reversi 6 6 --no-browser --port 8000
"""


def main(arguments: Sequence[str], check: Callable[[str], object] | None = None) -> int:
    """Run the command until it is interrupted, and return its exit code.

    `check` raises a ValueError if a record without moves has wrong parameters; without it, the page tells.
    """
    game: list[str] = []
    host, port, browser = "127.0.0.1", 0, True
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--help":
            print(HELP, end="")
            return 0
        if word == "--no-browser":
            browser = False
        elif word == "--host" and rest:
            host = rest.pop(0)
            if not host:
                return _wrong("host '': expected an address such as 127.0.0.1")
        elif word == "--port" and rest:
            number = rest.pop(0)
            if not (re.fullmatch(r"\d{1,8}", number, re.ASCII) and int(number) < 65536):
                return _wrong(f"port {number!a}: expected a number from 0 to 65535")
            port = int(number)
        elif (word in GAMES and not game) or (game and re.fullmatch(r"[0-9]+|[A-Z]", word)):
            game.append(word)
        else:
            return _wrong(f"unexpected argument {word!a}: expected {USAGE}")
    if len(game) > 1 and check:
        try:
            check(" ".join(game) + ":")
        except ValueError as error:
            return _wrong(str(error))
    # The page's address has a record with _ for its spaces.
    return serve("_".join(game) + ":" * (len(game) > 1), host, port, browser)


def _wrong(complaint: str) -> int:
    print(f"petteia play: {complaint}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
