"""The servers of the page's files: the script in Python and the command in Rust, which answer alike."""

from __future__ import annotations

import gzip
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import petteia
import pytest
from petteia.web import serve

SCRIPT = [sys.executable, "-I", "-X", "dev", "-W", "error", serve.__file__]
# The Makefile sets the path of the Rust binary.
BINARY = os.environ.get("PETTEIA_BINARY")
SERVERS = {"script": SCRIPT} | ({"binary": [BINARY, "play"]} if BINARY else {})
# The Python package checks arguments as the binary does, and then is the script.
CHECKED = {name: words for name, words in SERVERS.items() if name != "script"}
CHECKED["package"] = [sys.executable, "-m", "petteia", "play"]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """A connection, over which any bytes can be sent."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.endpoint = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.endpoint.makefile("rb")

    def close(self) -> None:
        self.stream.close()
        self.endpoint.close()

    def send(self, data: bytes) -> None:
        self.endpoint.sendall(data)

    def receive(self, bodyless: bool = False) -> Answer:
        status = int(self.stream.readline().split()[1])
        headers = {}
        while (line := self.stream.readline()) != b"\r\n":
            assert line.endswith(b"\r\n")
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value.rstrip("\r\n")
        length = 0 if bodyless or status == 304 else int(headers["content-length"])
        return Answer(status, headers, self.stream.read(length))

    def ask(self, target: str = "/", method: str = "GET", **headers: str) -> Answer:
        """Send a request and return the answer; headers replace a browser's, and empty ones are left out."""
        sent = {"host": f"127.0.0.1:{self.port}", "accept_encoding": "gzip, deflate, br", **headers}
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in sent.items() if value]
        self.send(f"{method} {target} HTTP/1.1\r\n{''.join(lines)}\r\n".encode("latin-1"))
        return self.receive(method == "HEAD")

    def is_ended(self) -> bool:
        """Return whether the server ends the connection, without another byte."""
        try:
            return self.stream.read(1) == b""
        except ConnectionError:
            return True


class Server:
    """A server in its own process."""

    def __init__(self, command: list[str], *arguments: str, files: int | None = None) -> None:
        limited = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh"] if files else []
        words = [*limited, *command, "--no-browser", *arguments]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.fullmatch(
            r"petteia: playing at (http://127\.0\.0\.1:(\d+)/\S*) \(Ctrl-C to stop\)\n", said
        )
        assert found, said
        self.address, self.port = found[1], int(found[2])

    def ask(self, target: str = "/", method: str = "GET", **headers: str) -> Answer:
        with closing(Client(self.port)) as client:
            return client.ask(target, method, **headers)

    def stop(self) -> tuple[int, str]:
        """Stop the server as Ctrl-C does and return its exit code and what else it has printed."""
        self.process.send_signal(signal.SIGINT)
        output, errors = self.process.communicate(timeout=60)
        return self.process.returncode, output + errors


@pytest.fixture(params=list(SERVERS.values()), ids=list(SERVERS))
def command(request: pytest.FixtureRequest) -> list[str]:
    return list(request.param)


@pytest.fixture(scope="module", params=list(SERVERS.values()), ids=list(SERVERS))
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    running = Server(request.param)
    yield running
    # Nothing that was asked of it has made it say a word.
    assert running.stop() == (0, "")


FILES = {
    path.relative_to(serve.STATIC).as_posix(): path for path in serve.STATIC.rglob("*") if path.is_file()
}
KINDS = {
    "index.html": "text/html; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "package.json": "application/json",
    "petteia.wasm": "application/wasm",
    "petteia.wasm.txt": "text/plain; charset=utf-8",
    "reversi.weights": "application/octet-stream",
}


def test_every_file_is_sent_as_it_is(server: Server) -> None:
    assert KINDS.keys() <= FILES.keys()
    with closing(Client(server.port)) as client:
        for name, path in {**FILES, "": FILES["index.html"]}.items():
            content = path.read_bytes()
            plain = client.ask(f"/{name}", accept_encoding="")
            assert (plain.status, plain.body) == (200, content), name
            assert "content-encoding" not in plain.headers
            assert plain.headers["content-type"] == KINDS.get(name, plain.headers["content-type"])
            packed = client.ask(f"/{name}?some=query")
            if packed.headers.get("content-encoding") == "gzip":
                assert len(packed.body) < 0.9 * len(content), name
                assert gzip.decompress(packed.body) == content, name
            else:
                assert packed.body == content, name
            assert packed.headers["etag"] == plain.headers["etag"]
            for method in ("GET", "HEAD"):
                known = client.ask(f"/{name}", method, if_none_match=plain.headers["etag"])
                assert (known.status, known.body) == (304, b"")
                assert known.headers["etag"] == plain.headers["etag"]
            head = client.ask(f"/{name}", "HEAD", accept_encoding="")
            assert head.headers | {"date": ""} == plain.headers | {"date": ""}


def test_what_is_compressed_is_small(server: Server) -> None:
    for name in ("petteia.wasm", "petteia.js", "main.js", "style.css", "index.html"):
        answer = server.ask(f"/{name}")
        assert answer.headers["content-encoding"] == "gzip", name
        ours = len(gzip.compress(FILES[name].read_bytes()))
        assert len(answer.body) < 1.05 * ours, name
    assert "content-encoding" not in server.ask("/reversi.weights").headers


def test_compression_is_the_client_s_choice(server: Server) -> None:
    for accepted in ("gzip", "br, gzip", "GZIP", "gzip;q=0.5", "deflate;q=0, gzip; q=1.0"):
        assert server.ask(accept_encoding=accepted).headers.get("content-encoding") == "gzip", accepted
    for refused in ("", "br", "identity", "gzip;q=0", "gzip; q=0.000", "xgzip"):
        assert "content-encoding" not in server.ask(accept_encoding=refused).headers, refused


def test_files_that_changed_are_sent_again(server: Server) -> None:
    tag = server.ask().headers["etag"]
    strong = tag.removeprefix("W/")
    for known in (tag, strong, f'"other", {tag}', f'{strong} , W/"other"', "*"):
        assert server.ask(if_none_match=known).status == 304, known
    for other in ('"other"', 'W/"0123"', strong.strip('"'), server.ask("/main.js").headers["etag"]):
        assert server.ask(if_none_match=other).status == 200, other


# A target, the status and the body.
NOT_FOUND = 404, b"there is no such file\n"
NO_PATH = 400, b"expected a path that begins with /\n"
NO_REQUEST = 400, b"expected a request such as GET / HTTP/1.1\n"
TARGETS = {
    "/nothing": NOT_FOUND,
    "/main.js/": NOT_FOUND,
    "/MAIN.JS": NOT_FOUND,
    "//": NOT_FOUND,
    "/.": NOT_FOUND,
    "/..": NOT_FOUND,
    "/../serve.py": NOT_FOUND,
    "/../../../../../../../../etc/passwd": NOT_FOUND,
    "/%2e%2e/serve.py": NOT_FOUND,
    "/..%2fserve.py": NOT_FOUND,
    "/%2e%2e%2fserve.py": NOT_FOUND,
    "/%252e%252e/serve.py": NOT_FOUND,
    "/..\\serve.py": NOT_FOUND,
    "/%5c..%5cserve.py": NOT_FOUND,
    "/./main.js": NOT_FOUND,
    "//main.js": NOT_FOUND,
    "/main.js%00": NOT_FOUND,
    "/main.js%00.html": NOT_FOUND,
    "/%": NOT_FOUND,
    "/%zz": NOT_FOUND,
    "/%ff%fe": NOT_FOUND,
    "/\xe9\xff": NOT_FOUND,
    "/" + "a" * 10_000: NOT_FOUND,
    "/game": NOT_FOUND,
    "*": NO_PATH,
    "main.js": NO_PATH,
    "http://127.0.0.1/": NO_PATH,
    "../serve.py": NO_PATH,
    "%2fmain.js": NO_PATH,
    "/main.js more": NO_REQUEST,
    "/ HTTP/1.1": NO_REQUEST,
    "": NO_REQUEST,
}


def test_only_files_of_the_folder_can_be_asked_for(server: Server) -> None:
    for target, expected in TARGETS.items():
        answer = server.ask(target)
        assert (answer.status, answer.body) == expected, target
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        if expected is not NO_REQUEST:
            assert server.ask(target, "HEAD").status == expected[0]
    for path in ("/main%2ejs", "/%6d%61in.js?%", "/main.js?/../serve.py", "/main.js?"):
        assert server.ask(path).status == 200, path


def test_methods_that_change_something_are_refused(server: Server) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW"):
        for target in ("/", "/game", "*"):
            answer = server.ask(target, method)
            assert (answer.status, answer.body) == (405, b"expected GET or HEAD\n"), method
            assert answer.headers["allow"] == "GET, HEAD"
    with closing(Client(server.port)) as client:
        # A body that nobody reads does not cost the client the answer.
        client.send(
            f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{'x' * 1000000}".encode()
        )
        assert client.receive().status == 405


def test_only_the_page_itself_is_let_in(server: Server) -> None:
    here = f"127.0.0.1:{server.port}"
    for host in (
        here,
        f"localhost:{server.port}",
        "LocalHost",
        "127.0.0.1",
        f"[::1]:{server.port}",
        "127.8.8.8",
    ):
        assert server.ask(host=host).status == 200, host
        assert server.ask(host=host, origin=f"http://{host}").status == 200, host
    foreign = (
        "evil.example",
        f"evil.example:{server.port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
    )
    for host in (
        *foreign,
        "10.0.0.1",
        "0.0.0.0",
        "[::",
        "[::]",
        "::",
        ":",
        ":80",
        "localhost:80:80",
        "127.0.0.1:x",
    ):
        for method in ("GET", "POST"):
            answer = server.ask("/", method, host=host)
            assert (answer.status, answer.body) == (403, b"this host is not served here\n"), host
    other = (
        "http://evil.example",
        "null",
        f"https://{here}",
        "http://127.0.0.1:1",
        f"http://localhost:{server.port}",
    )
    for origin in other:
        answer = server.ask(origin=origin)
        assert (answer.status, answer.body) == (403, b"requests from other pages are refused\n"), origin


def test_every_answer_says_what_a_browser_may_do(server: Server) -> None:
    answers = [
        server.ask(),
        server.ask("/main.js", "HEAD"),
        server.ask("/nothing"),
        server.ask("/", "POST"),
        server.ask(host="evil.example"),
        server.ask(if_none_match="*"),
        server.ask("nonsense"),
    ]
    assert [answer.status for answer in answers] == [200, 200, 404, 405, 403, 304, 400]
    for answer in answers:
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'"} <= set(
            policy
        )
        assert not any(
            "*" in part or "unsafe-eval'" in part.replace("wasm-unsafe-eval'", "") for part in policy
        )
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers


HOST = b"Host: localhost\r\n"
# Bytes that are no request as they should be, the status, and the body if there is one.
JUNK = [
    (b"\0\0\0\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", 400),
    (b"\r\n\r\n", 400),
    (b"GET\r\n\r\n", 400),
    (b"GET /\r\n\r\n", 400),
    (b"get / HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    (b"GET  / HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    (b"GET / HTTP/1.1 \r\n" + HOST + b"\r\n", 400),
    (b"GET / HTTP/11\r\n" + HOST + b"\r\n", 400),
    (b"GET / FTP/1.1\r\n" + HOST + b"\r\n", 400),
    (b"G\xc3\x89T / HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n", 505),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/1.0\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n: localhost\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n" + HOST + b" folded: line\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n", 400),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n" + HOST + b"Or\xefgin: x\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 20_000 + b"\r\n\r\n", 431),
    (b"G" * 20_000, 431),
    (b"GET / HTTP/1.1\r\nhost:localhost\r\n\r\n", 200),
    (b"GET / HTTP/1.1\r\nHOST: \t localhost \t\r\nX: \xff\x00\r\nX: y\r\n\r\n", 200),
    (b"GET / HTTP/1.0\r\n" + HOST + b"\r\n", 200),
]


def test_bytes_that_are_no_request(server: Server) -> None:
    for junk, status in JUNK:
        with closing(Client(server.port)) as client:
            client.send(junk)
            answer = client.receive()
            assert answer.status == status, (junk[:80], answer)
            if status != 200:
                assert answer.headers["connection"] == "close"
                assert re.fullmatch(rb"[^\n]{10,100}\n", answer.body)
                assert client.is_ended()


def test_random_requests(server: Server) -> None:
    good = (
        b'GET /main.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nIf-None-Match: W/"1"\r\n\r\n'
    )
    seen = set()
    for seed in range(500):
        choose, data = random.Random(seed), bytearray(good)
        for _ in range(choose.randrange(1, 4)):
            data[choose.randrange(len(data) - 4)] = (
                choose.choice(b"\r\n :/%.\0\xffAz09") if seed % 2 else choose.randrange(256)
            )
        with closing(Client(server.port)) as client:
            client.send(bytes(data))
            client.endpoint.shutdown(socket.SHUT_WR)
            first = client.stream.readline()
            seen.add(int(first.split()[1]) if first else 0)
    assert {200, 400, 403, 404} <= seen <= {0, 200, 400, 403, 404, 405, 505}


def test_a_connection_takes_many_requests(server: Server) -> None:
    with closing(Client(server.port)) as client:
        for _ in range(3):
            assert client.ask("/main.js").status == 200
        # All at once, and in pieces.
        request = f"GET /icon.svg HTTP/1.1\r\nHost: {server.address.split('/')[2]}\r\n\r\n".encode()
        client.send(request * 300)
        assert {client.receive().body for _ in range(300)} == {FILES["icon.svg"].read_bytes()}
        for place in range(len(request)):
            client.send(request[place : place + 1])
        assert client.receive().status == 200
        assert client.ask(connection="close").headers["connection"] == "close"
        assert client.is_ended()
    for head in (
        b"GET / HTTP/1.0\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 3\r\n",
        b"GET / HTTP/1.1\r\nConnection: x, Close\r\n",
    ):
        with closing(Client(server.port)) as client:
            client.send(head + HOST + b"\r\nGET")
            answer = client.receive()
            assert (answer.status, answer.headers["connection"]) == (200, "close")
            assert client.is_ended()


def test_servers_answer_alike() -> None:
    """The same headers in the same order, but for what depends on the time and on who compresses."""
    servers = [Server(command) for command in SERVERS.values()]
    questions = [
        ("/", "GET"),
        ("/petteia.wasm", "HEAD"),
        ("/reversi.weights", "HEAD"),
        ("/x", "GET"),
        ("/", "PUT"),
    ]
    told = []
    for server in servers:
        answers = [server.ask(target, method) for target, method in questions]
        answers += [server.ask(if_none_match="*"), server.ask(host="evil.example")]
        assert all(
            re.fullmatch(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", a.headers["date"]) for a in answers
        )
        changing = {"date": "", "etag": "", "content-length": ""}
        told.append([(a.status, [*(a.headers | changing).items()]) for a in answers])
        server.stop()
    assert all(each == told[0] for each in told)


def half_sent(port: int, count: int) -> list[socket.socket]:
    """Send halves of requests, each over its own connection."""
    endpoints = []
    for number in range(count):
        endpoint = socket.create_connection(("127.0.0.1", port), timeout=20)
        endpoint.sendall([b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\n"][number % 3])
        endpoints.append(endpoint)
    return endpoints


@pytest.mark.parametrize(("files", "count"), [(None, 1600), (64, 500), (32, 200)])
def test_half_sent_requests_keep_nobody_out(command: list[str], files: int | None, count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192) if hard > 0 else 8192, hard))
    server, endpoints = Server(command, files=files), []
    try:
        for _ in range(4):
            endpoints += half_sent(server.port, count // 4)
            assert server.ask("/main.js").status == 200
        # While they still come, from several places.
        with ThreadPoolExecutor(3) as pool:
            floods = [pool.submit(half_sent, server.port, count // 4) for _ in range(2)]
            for _ in range(20):
                assert server.ask("/petteia.wasm").status == 200
            for flood in floods:
                endpoints += flood.result()
        if files is None:
            process = Path(f"/proc/{server.process.pid}")
            assert len(list((process / "fd").iterdir())) < 1100
    finally:
        for endpoint in endpoints:
            endpoint.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert server.stop() == (0, "")


def test_clients_that_do_not_read_keep_nobody_out(server: Server) -> None:
    clients = [Client(server.port) for _ in range(50)]
    request = b"GET /petteia.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try:
        for client in clients:
            client.send(request * 20)
        for _ in range(20):
            assert server.ask("/main.js").status == 200
    finally:
        for client in clients:
            client.close()
    assert server.ask().status == 200


def test_who_waits_too_long_is_cut_off() -> None:
    servers = [Server(command) for command in SERVERS.values()]
    started = time.monotonic()
    endpoints = [half_sent(server.port, 3) for server in servers]
    for server, halves in zip(servers, endpoints):
        for endpoint in halves:
            assert endpoint.recv(1) == b""
            endpoint.close()
        assert server.stop() == (0, "")
    assert time.monotonic() - started >= 4


def test_ctrl_c_ends_it_amid_connections(command: list[str]) -> None:
    server = Server(command)
    with closing(Client(server.port)) as waiting, closing(Client(server.port)) as reading:
        waiting.send(b"GET / HT")
        reading.send(b"GET /petteia.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        assert server.stop() == (0, "")


def test_only_loopback_by_default(server: Server) -> None:
    table = Path("/proc/net/tcp").read_text()
    assert f"0100007F:{server.port:04X}" in table
    assert f"00000000:{server.port:04X}" not in table


def test_any_address_of_a_server_for_all(command: list[str]) -> None:
    process = subprocess.Popen(
        [*command, "--no-browser", "--host", "0.0.0.0"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    found = re.search(r"http://0\.0\.0\.0:(\d+)/", process.stdout.readline())
    assert found
    with closing(Client(int(found[1]))) as client:
        assert client.ask(host="10.1.2.3:80").status == 200
        assert client.ask(host="evil.example").status == 403
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    process.stdout.close()


def test_the_address_opens_a_game(command: list[str]) -> None:
    for words, fragment in (
        ((), ""),
        (("reversi",), "#reversi"),
        (("reversi", "6", "6"), "#reversi_6_6:"),
        (("tictac", "O"), "#tictac_O:"),
        (("breakdown", "7", "6", "2", "3"), "#breakdown_7_6_2_3:"),
    ):
        server = Server(command, *words)
        assert server.address == f"http://127.0.0.1:{server.port}/{fragment}"
        assert server.stop() == (0, "")


def run(command: list[str], *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", [*SERVERS.values(), CHECKED["package"]], ids=[*SERVERS, "package"])
def test_wrong_arguments_are_told(command: list[str], server: Server) -> None:
    code, output, errors = run(command, "--help")
    assert (code, errors) == (0, "")
    assert "--no-browser" in output
    for wrong in (
        ["chess"],
        ["--port"],
        ["--port", "x"],
        ["--port", "-1"],
        ["--port", "65536"],
        ["--port", "9" * 5000],
        ["--host"],
        ["tictac", "quarto"],
        ["reversi", "six"],
        ["6", "6"],
        ["--nonsense"],
        ["--no-browser", "--host", ""],
        ["--no-browser", "--host", "1.2.3.4"],
    ):
        code, output, errors = run(command, *wrong)
        assert (code, output, errors.count("\n")) == (1, "", 1), (wrong, errors)
    taken = f"petteia: cannot serve on 127.0.0.1 port {server.port}: Address already in use\n"
    assert run(command, "--no-browser", "--port", str(server.port)) == (1, "", taken)


@pytest.mark.parametrize("command", CHECKED.values(), ids=CHECKED.keys())
def test_sizes_are_those_of_the_game(command: list[str]) -> None:
    server = Server(command, "reversi", "6", "6")
    assert server.address.endswith("/#reversi_6_6:")
    assert server.stop() == (0, "")
    for wrong in (
        ["reversi", "9", "9"],
        ["reversi", "6"],
        ["tictac", "Y"],
        ["quarto", "4"],
        ["breakdown", "4"],
    ):
        with pytest.raises(ValueError) as expected:
            petteia.Record.from_text(" ".join(wrong) + ":")
        code, output, errors = run(command, *wrong)
        assert (code, output) == (1, "")
        assert errors.endswith(f": {expected.value}\n") and errors.count("\n") == 1


def test_the_script_knows_the_games() -> None:
    assert tuple(petteia.GAMES) == serve.GAMES
