"""The server of the page: its responses, the requests it refuses, and load."""

import asyncio
import functools
import itertools
import json
import os
import random
import subprocess
import sys
import threading
import urllib.parse
from pathlib import Path
from typing import Any

import petteia
import pytest
from games import STARTS, random_game
from petteia._games import DECLARED
from petteia.web import computers
from petteia.web import server as server_module
from petteia.web.server import STATIC
from petteia.web.view import LONGEST, view
from web import Connection, Server

SOAK = float(os.environ.get("PETTEIA_SOAK", "10"))
"""How long the load test runs, in seconds; 30 for a full test."""


def talk(
    server: Server, *requests: tuple[Any, ...], **headers: str
) -> list[tuple[int, dict[str, str], bytes]]:
    async def run() -> list[tuple[int, dict[str, str], bytes]]:
        connection = await Connection.open(server.port)
        answers = [await connection.request(*request, headers=headers) for request in requests]
        await connection.close()
        return answers

    return asyncio.run(run())


def ask(server: Server, **question: Any) -> tuple[int, Any]:
    ((status, _, body),) = talk(server, ("POST", "/game", json.dumps(question).encode()))
    return status, json.loads(body)


@pytest.mark.parametrize("start", STARTS, ids=repr)
def test_view_agrees_with_the_library(start: Any) -> None:
    if isinstance(start, petteia.Breakdown) and start.width > 64:
        return
    positions = list(random_game(start, seed=1, most=80))
    record = petteia.Record(start)
    for before, position in itertools.pairwise(positions):
        move = next(move for move in before.moves if before.play(move) == position)
        record = record.play(move)
    for ply, position in enumerate(positions):
        shown = view(record, ply)
        assert shown["cells"] == position.array.tolist()
        assert [legal["move"] for legal in shown["legal"]] == position.moves
        assert shown["over"] == position.is_over
        assert shown["turn"] == position.turn
        assert petteia.Record.from_text(shown["record"]) == record
        for legal in shown["legal"]:
            then = position.array
            for row, column, value in legal["changes"]:
                assert then[row, column] != value
                then[row, column] = value
            assert (then == position.play(legal["move"]).array).all()


def test_records_from_the_middle_of_a_game_are_shown(server: Server) -> None:
    text = r'[first "A: \"B\" from"] reversi 4 4 from ____/_LD_/_DL_/____ D: a2'
    status, shown = ask(server, record=text, ply=0)
    assert status == 200
    assert (shown["record"], shown["game"], shown["parameters"]) == (text, "reversi", ["4", "4"])
    assert [legal["move"] for legal in shown["legal"]] == ["b1", "a2", "d3", "c4"]
    status, shown = ask(server, record=text + " a1")
    assert (status, shown["moves"]) == (200, ["a2", "a1"])


def test_a_skipped_turn_is_told() -> None:
    for seed in range(100):
        record = petteia.Record(petteia.Reversi(4, 4))
        while not record.last.is_over:
            before = record.last.turn
            assert before is not None
            record = record.play(random.Random(seed + len(record)).choice(record.last.moves))
            if record.last.turn == before:
                assert view(record)["skipped"] == 1 - before
                return
    pytest.fail("no game with a skipped turn")


def test_winning_cells() -> None:
    assert petteia.TicTac.from_text("OO_/XXX/___ -").winning_cells == [(1, 0), (1, 1), (1, 2)]
    assert petteia.TicTac().winning_cells == []
    square = petteia.Breakdown.from_text("..../..../..../**../**oo - 2 2")
    assert square.winning_cells == [(3, 0), (3, 1), (4, 0), (4, 1)]
    row = petteia.Quarto.from_text("0123/..../..../.... - -")
    assert row.winning_cells == [(0, 0), (0, 1), (0, 2), (0, 3)]


def test_computers_play_whole_games(server: Server) -> None:
    async def play(record: str, name: str) -> None:
        connection = await Connection.open(server.port)
        while True:
            status, shown = await connection.ask(record=record, computer=name)
            assert status == 200
            if shown["over"] or shown["ply"] > 60:
                break
            record = shown["record"]
        await connection.close()

    async def run() -> None:
        for start in ("tictac O:", "breakdown 4 5 2 2:", "reversi 6 6:", "quarto:"):
            for name in computers.COMPUTERS:
                await play(start, name)

    asyncio.run(run())


def test_myopic_does_not_overlook_a_win() -> None:
    won = petteia.Quarto.from_text("012./4.../..../.... 3 2")
    assert computers.choose("myopic", won) == "A4"


LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


def sides(played: list[int]) -> tuple[frozenset[int], frozenset[int]]:
    return frozenset(played[::2]), frozenset(played[1::2])


def has_line(squares: frozenset[int]) -> bool:
    return any(line <= squares for line in LINES)


@functools.cache
def tictac_value(first: frozenset[int], second: frozenset[int]) -> int:
    """Return the value of TicTac for the first player, from its lines alone."""
    if has_line(first) or has_line(second):
        return 1 if has_line(first) else -1
    free = set(range(9)) - first - second
    if len(first) > len(second):
        return min((tictac_value(first, second | {square}) for square in free), default=0)
    return max((tictac_value(first | {square}, second) for square in free), default=0)


def test_evaluations_are_exact(server: Server) -> None:
    def evaluate(record: str) -> Any:
        status, shown = ask(server, record=record, evaluate=True)
        assert status == 200
        return shown["evaluation"]

    choose, names = random.Random(6), [row + column for row in "ABC" for column in "123"]
    for length in (0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 9):
        played: list[int] = []
        free = list(range(9))
        while len(played) < length and not any(map(has_line, sides(played))):
            played.append(free.pop(choose.randrange(len(free))))
        value = tictac_value(*sides(played))
        best = [names[square] for square in free if tictac_value(*sides([*played, square])) == value]
        over = not free or any(map(has_line, sides(played)))
        found = evaluate(" ".join(["tictac X:", *(names[square] for square in played)]))
        assert found == {"value": value, "best": [] if over else best}
    assert evaluate("reversi 8 8:") is None
    assert evaluate("breakdown 60 60 3 9:") is None
    assert evaluate("breakdown 4 2 2 2: -0 -2") == {"value": 1, "best": ["-0"]}
    assert evaluate("breakdown 4 2 2 2: -0 -2 !") == {"value": -1, "best": ["-2"]}
    assert evaluate("reversi 2 2: a1 a2 b1") == {"value": 0, "best": ["b2"]}


def test_bad_records_are_told_in_the_parsers_words(server: Server) -> None:
    for record in (
        "",
        "chess:",
        "reversi 9 9:",
        "tictac X: B2 B2",
        "quarto: SBCH A1 SBCH",
        "tictac X: \ud800",
    ):
        status, answer = ask(server, record=record)
        with pytest.raises(ValueError) as error:
            petteia.Record.from_text(record)
        assert status == 400
        assert answer == {"error": str(error.value).encode("utf-8", "replace").decode()}
    for record, expected in (
        ("breakdown 16384 16384 2 2:", "invalid width 16384: expected at most 64 on the page"),
        ('[first "a: b"] breakdown 16384 16384 2 2:', "invalid width 16384: expected at most 64 on the page"),
        ('[x "\\""] breakdown 16384 9 2 2 from . b 2 2:', "invalid width 16384"),
        ("breakdown 4 65 2 2:", "invalid height 65: expected at most 64 on the page"),
        ("breakdown 4 " + "9" * 5000 + " 2 2:", "invalid height of 5000 digits: expected at most 64"),
        ("breakdown 4 5 2 2:" + " !" * LONGEST, "at most 20000"),
    ):
        status, answer = ask(server, record=record)
        assert (status, expected in answer["error"]) == (400, True)
    for ply in (-1, 4, 10**30, "1", 1.5, True, [1]):
        assert ask(server, record="tictac X: B2 C2 C3", ply=ply)[0] == 400
    wrong: list[Any] = ["deep blue", "Myopic", 1, ["random"], {}]
    for computer in wrong:
        assert ask(server, record="tictac X:", computer=computer)[0] == 400
    assert ask(server, record="tictac X: B2 C2 C3 A1 B3 A3 B1", computer="random")[0] == 400


def test_the_games_are_as_they_are_declared(server: Server) -> None:
    ((status, headers, body),) = talk(server, ("GET", "/games.json"))
    assert (status, headers["content-type"]) == (200, "application/json")
    told = {game["name"]: game for game in json.loads(body)}
    assert list(told) == list(petteia.GAMES)
    for name, declared in DECLARED.items():
        game = told[name]
        assert (game["title"], game["about"]) == (declared.title, declared.about)
        for known, offered in zip(declared.parameters, game["parameters"], strict=True):
            assert offered["about"] == known.about
            if known.words:
                assert tuple(offered["words"]) == known.words
            else:
                assert known.most is not None
                assert (offered["least"], offered["most"]) == (known.least, min(known.most, 64))
        for (known_name, values), preset in zip(declared.presets, game["presets"], strict=True):
            assert preset["name"] == known_name
            status, shown = ask(server, record=" ".join([name, *preset["values"]]) + ":")
            assert (status, shown["record"]) == (200, petteia.Record(petteia.game(name, **values)).text)
            assert shown["parameters"] == preset["values"]


def test_pictures_are_the_librarys(server: Server) -> None:
    record = "reversi 8 8: d4 e4 e5 d5 e3"
    path = "/board.svg?" + urllib.parse.urlencode({"record": record, "ply": 4})
    ((status, headers, body),) = talk(server, ("GET", path))
    assert status == 200
    assert headers["content-type"].startswith("image/svg+xml")
    assert body.decode() == petteia.Record.from_text(record).positions[4].svg(last="d5")
    wrong = [
        "",
        "?record=chess",
        "?record=quarto:&ply=x",
        "?record=quarto:&ply=1",
        "?record=quarto:&ply=%D9%A1",
    ]
    assert {status for status, *_ in talk(server, *(("GET", f"/board.svg{query}") for query in wrong))} == {
        400
    }


def test_only_the_page_itself_is_let_in(server: Server) -> None:
    body = b'{"record": "quarto:"}'
    here = f"127.0.0.1:{server.port}"

    def status(**headers: str) -> int:
        return talk(server, ("POST", "/game", body), **headers)[0][0]

    assert status() == 200
    assert status(origin=f"http://{here}") == 200
    assert status(host=f"localhost:{server.port}") == 200
    assert status(host=f"[::1]:{server.port}") == 200
    for host in (
        "evil.example",
        f"evil.example:{server.port}",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "0.0.0.0",
        "[::",
    ):
        assert status(host=host) == 403, host
        assert talk(server, ("GET", "/"), host=host)[0][0] == 403
    for origin in (
        "http://evil.example",
        "null",
        "https://" + here,
        "http://127.0.0.1:1",
        f"http://localhost:{server.port}",
    ):
        assert status(origin=origin) == 403, origin
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert status(content_type=kind) == 400


def test_every_answer_says_what_a_browser_may_do(server: Server) -> None:
    asked = [
        ("GET", "/"),
        ("GET", "/nothing"),
        ("POST", "/game", b"{}"),
        ("GET", "/main.js"),
        ("GET", "/games.json"),
        ("DELETE", "/game"),
    ]
    answers = talk(server, *asked) + talk(server, ("GET", "/"), host="evil.example")
    assert [status for status, *_ in answers] == [200, 404, 400, 200, 200, 405, 403]
    for _, headers, _ in answers:
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


MODULE = {"package.json", "petteia.d.ts", "petteia.js", "petteia.wasm", "petteia.wasm.txt", "reversi.weights"}
"""The engines in JavaScript, which stand beside the page; it does not load them."""


def test_the_page_is_small() -> None:
    files = [file for file in STATIC.iterdir() if file.name not in MODULE]
    assert {"index.html", "main.js", "board.js", "games.js", "style.css"} <= {file.name for file in files}
    assert sum(file.stat().st_size for file in files) < 100_000
    for file in files:
        # This one is a namespace, which is never fetched.
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text
        assert not any(name in text for name in MODULE)


def malformed(choose: random.Random) -> tuple[Any, ...]:
    """Return a malformed request, or a nearly correct one."""
    good = json.dumps({"record": "reversi 8 8: d4 e4 e5 d5", "ply": 2, "computer": "random"}).encode()
    kind = choose.randrange(6)
    if kind == 0:
        return "POST", "/game", choose.randbytes(choose.randrange(200))
    if kind == 1:
        text = bytearray(good)
        for _ in range(choose.randrange(1, 6)):
            text[choose.randrange(len(text))] = choose.randrange(256)
        return "POST", "/game", bytes(text)
    if kind == 2:
        values: list[Any] = [
            None,
            True,
            -1,
            1e308,
            10**40,
            "",
            "\ud800",
            [],
            {},
            [[]],
            "quarto:",
            "tictac X: B2",
        ]
        keys = ["record", "ply", "computer", "evaluate", "else"]
        return "POST", "/game", json.dumps({key: choose.choice(values) for key in keys}).encode()
    if kind == 3:
        opening = choose.choice([b"[", b'{"record":', b"-", b'"\\u'])
        return "POST", "/game", opening * choose.randrange(1, 3000)
    if kind == 4:
        path = urllib.parse.quote(choose.randbytes(choose.randrange(60)))
        return choose.choice(["GET", "POST", "HEAD", "PUT", "OPTIONS"]), f"/{path}", b""
    query = urllib.parse.quote(choose.randbytes(choose.randrange(60)), safe="&=")
    return "GET", f"/board.svg?record={query}", b""


def test_malformed_requests(server: Server) -> None:
    async def run(seed: int, count: int) -> set[int]:
        connection = await Connection.open(server.port)
        choose, statuses = random.Random(seed), set()
        for _ in range(count):
            method, path, body = malformed(choose)
            # The client would wait for the body, which a response to HEAD does not have.
            status, _, _ = await connection.request("GET" if method == "HEAD" else method, path, body)
            statuses.add(status)
        await connection.close()
        return statuses

    async def crowd() -> set[int]:
        return set().union(*await asyncio.gather(*(run(seed, 1000) for seed in range(10))))

    assert asyncio.run(crowd()) <= {200, 400, 404, 405}
    assert ask(server, record="quarto:")[0] == 200


def test_bytes_that_are_no_request(server: Server) -> None:
    async def run() -> list[int]:
        statuses = []
        for junk in (b"\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"):
            connection = await Connection.open(server.port)
            statuses.append((await connection.raw(junk))[0])
            await connection.close()
        # A body over the limit gets its response before it is read, if the connection survives that long.
        connection = await Connection.open(server.port)
        status, _, _ = await connection.request("POST", "/game", b" " * 200_000)
        await connection.close()
        return [*statuses, status]

    assert set(asyncio.run(run())) <= {400, 403, 505}
    assert ask(server, record="quarto:")[0] == 200


def test_many_players_at_once() -> None:
    server = Server()

    async def player(seed: int, end: float) -> int:
        choose, connection, plies = random.Random(seed), await Connection.open(server.port), 0
        loop = asyncio.get_running_loop()
        while loop.time() < end:
            record = choose.choice(["tictac X:", "breakdown 4 5 2 2:", "reversi 8 8:", "quarto:"])
            over = False
            while not over and loop.time() < end and len(record) < 300:
                status, shown = await connection.ask(record=record)
                assert status == 200, shown
                over, plies = shown["over"], plies + 1
                if not over:
                    record += " " + choose.choice(shown["legal"])["move"]
        await connection.close()
        return plies

    async def crowd(seconds: float) -> int:
        end = asyncio.get_running_loop().time() + seconds
        return sum(await asyncio.gather(*(player(seed, end) for seed in range(500))))

    try:
        asyncio.run(crowd(SOAK / 2))
        before = server.memory()
        assert asyncio.run(crowd(SOAK / 2)) > 500
        assert server.memory() < before * 1.1 + 4_000_000
    finally:
        assert server.stop() in (0, -15)


async def call(app: Any, question: dict[str, Any]) -> int:
    """Call an application in this process and return the status of its response."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/game",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(question).encode()}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return int(sent[0]["status"])


def test_thinking_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """While computers think forever, games are still shown, and the computers are given up."""
    end = threading.Event()

    class Thinker:
        def choose(self, position: Any) -> str:
            end.wait()
            return str(position.moves[0])

    monkeypatch.setitem(computers.COMPUTERS, "deep", lambda seed: Thinker())
    monkeypatch.setattr(server_module, "TIME_LIMIT", 3600)

    async def run() -> None:
        app = server_module.application()
        thinking = [
            asyncio.create_task(call(app, {"record": "quarto:", "computer": "deep"})) for _ in range(5)
        ]
        for _ in range(20):
            assert await call(app, {"record": "reversi 8 8:"}) == 200
        assert not any(task.done() for task in thinking)
        monkeypatch.setattr(server_module, "TIME_LIMIT", 0.01)
        assert await call(app, {"record": "quarto:", "computer": "deep"}) == 503
        end.set()
        assert await asyncio.gather(*thinking) == [200] * 5

    try:
        asyncio.run(run())
    finally:
        end.set()


def petteia_play(*arguments: str) -> subprocess.CompletedProcess[str]:
    script = Path(sys.executable).with_name("petteia")
    return subprocess.run([str(script), "play", *arguments], capture_output=True, text=True, timeout=120)


def test_command_line(server: Server) -> None:
    assert petteia_play("--help").returncode == 0
    busy = ["--no-browser", "--port", str(server.port)]
    for wrong in (
        ["chess"],
        ["--port"],
        ["--port", "x"],
        ["--port", "65536"],
        ["tictac", "quarto"],
        ["--nonsense"],
        busy,
    ):
        result = petteia_play(*wrong)
        assert (result.returncode, result.stdout) == (1, ""), wrong
        assert result.stderr.count("\n") == 1


def test_only_loopback_by_default(server: Server) -> None:
    table = Path("/proc/net/tcp").read_text()
    assert f"0100007F:{server.port:04X}" in table
    assert f"00000000:{server.port:04X}" not in table
