"""The command `petteia play`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .._extras import extra
from .._games import GAMES

USAGE = f"petteia play [{'|'.join(GAMES)}] [--port N] [--host ADDRESS] [--no-browser]"
HELP = f"""usage: {USAGE}

Serves the games as a web page and opens it in the browser, until Ctrl-C.

  --port N        the port (any free one)
  --host ADDRESS  the address to listen on (127.0.0.1: this machine only)
  --no-browser    only print the address of the page

Example: petteia play reversi --no-browser --port 8000
"""


def main(words: Sequence[str]) -> int:
    """Run the command until it is interrupted, and return its exit code."""
    game, host, port, browser = None, "127.0.0.1", 0, True
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--help":
            print(HELP, end="")
            return 0
        if word == "--no-browser":
            browser = False
        elif word == "--host" and rest:
            host = rest.pop(0)
        elif word == "--port" and rest:
            number = rest.pop(0)
            if not (number.isascii() and number.isdecimal() and int(number[:9]) < 65536 and len(number) < 9):
                return _wrong(f"port {number!a}: expected a number from 0 to 65535")
            port = int(number)
        elif word in GAMES and game is None:
            game = word
        else:
            return _wrong(f"unexpected argument {word!a}: expected {USAGE}")
    try:
        with extra("web"):
            from .server import serve
    except ModuleNotFoundError as missing:
        return _wrong(str(missing))
    return serve(game, host, port, browser)


def _wrong(complaint: str) -> int:
    print(f"petteia play: {complaint}", file=sys.stderr)
    return 1
