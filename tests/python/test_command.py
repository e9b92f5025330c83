"""The command, as pip installs it and as cargo builds it, in pipes and in a terminal."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

INSTALLED = Path(sys.executable).with_name("petteia")
# The Makefile sets the path of the Rust binary.
COMMANDS = [INSTALLED] + [Path(path) for path in [os.environ.get("PETTEIA_BINARY")] if path]
VECTORS = Path(__file__).parent.parent / "data"

pytestmark = pytest.mark.parametrize("command", COMMANDS, ids=lambda path: path.parent.name)


def run(command: Path, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run([command, *arguments], input=stdin, capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class Terminal:
    """A program in its own terminal."""

    def __init__(self, *arguments: str | Path, **environment: str) -> None:
        self.screen, self.keyboard = pty.openpty()
        self.before = termios.tcgetattr(self.keyboard)
        self.shown = b""
        self.process = subprocess.Popen(
            arguments,
            stdin=self.keyboard,
            stdout=self.keyboard,
            stderr=self.keyboard,
            env={**os.environ, "TERM": "xterm", **environment},
            start_new_session=True,
        )

    def wait_for(self, text: bytes) -> None:
        """Read until a text appears after the previous one."""
        end = time.monotonic() + 20
        while text not in self.shown:
            assert time.monotonic() < end, (text, self.shown)
            if select.select([self.screen], [], [], 0.1)[0]:
                self.shown += os.read(self.screen, 65536)
        self.shown = self.shown.split(text, 1)[1]

    def press(self, keys: bytes) -> None:
        os.write(self.screen, keys)

    def finish(self) -> int:
        code = self.process.wait(timeout=20)
        assert termios.tcgetattr(self.keyboard) == self.before, "the terminal is restored"
        os.close(self.screen)
        os.close(self.keyboard)
        return code


def test_quarto_is_the_document_s(command: Path) -> None:
    code, output, errors = run(command, "quarto", "m", "m", "2019")
    assert (code, hashlib.md5(output).hexdigest(), errors) == (0, "6bad5659fb72cf2366721038f42530f9", b"")


def test_records_of_the_vectors(command: Path) -> None:
    cases = json.loads(gzip.decompress((VECTORS / "tictac.json.gz").read_bytes()))
    for program, key in (("game-check", "records"), ("move-check", "lines")):
        for case in cases[key][::40]:
            expected = (case["exit"], case["output"].encode() + b"\n", b"")
            assert run(command, program, stdin=case["text"].encode()) == expected


def test_bad_arguments_are_one_line(command: Path) -> None:
    for arguments in ([], ["frob"], ["quarto", "h"], ["reversi", "9", "9"], ["breakdown", "-w", "x"]):
        code, output, errors = run(command, *arguments)
        assert (code, output) == (1, b"")
        assert errors.startswith(b"petteia: ") and errors.count(b"\n") == 1


def test_bytes_that_are_no_text(command: Path) -> None:
    assert run(command, "move-check", stdin=b"1 X B2 # \xff\xfe\n") == (0, b"1 X B2\n", b"")
    code, output, _ = run(command, "quarto", "h", "m", stdin=b"\xff\xfe SBCH")
    assert code == 1 and b"\xff\xfe is an invalid input." in output


def test_interrupt_at_a_prompt_ends_it_at_once(command: Path) -> None:
    arguments = ["breakdown", "-w", "4", "-h", "5", "-k", "2", "-q", "2", "-m"]
    process = subprocess.Popen([command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdin is not None
    shown = b""
    while not shown.endswith(b"Black: "):
        shown += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) in (-signal.SIGINT, 130)
    process.stdin.close()
    process.stdout.close()


def test_interrupt_ends_long_work(command: Path) -> None:
    process = subprocess.Popen([command, "perft", "reversi", "40"], stdout=subprocess.PIPE)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) in (-signal.SIGINT, 130)
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.parametrize("key", [b"q", b"\x03"], ids=["q", "ctrl-c"])
def test_reversi_can_be_left_while_the_computer_thinks(command: Path, key: bytes) -> None:
    terminal = Terminal(command, "reversi", "--light", "alphabeta:time=3600", NO_COLOR="1")
    terminal.wait_for(b"Dark to move: d4")
    terminal.press(b"\r")
    # One's own move is there while the computer thinks.
    terminal.wait_for(b"Dark 1, Light 0.")
    terminal.wait_for(b"The computer is thinking.")
    terminal.press(b"a")
    terminal.press(key)
    assert terminal.finish() == 1


def test_reversi_of_two_computers_can_be_left(command: Path) -> None:
    players = ["--dark", "alphabeta:time=3600", "--light", "random"]
    terminal = Terminal(command, "reversi", *players, NO_COLOR="1")
    terminal.wait_for(b"The computer is thinking.")
    terminal.press(b"q")
    assert terminal.finish() == 1


def test_reversi_with_keys(command: Path) -> None:
    terminal = Terminal(command, "reversi", "2", "2", NO_COLOR="1")
    terminal.wait_for(b"Dark 0, Light 0. Dark to move: a1 b1 a2 b2")
    terminal.press(b"\r")  # the cursor begins on the first legal square
    terminal.wait_for(b"Dark 1, Light 0. Light to move: b1 a2 b2")
    terminal.press(b"\r")
    terminal.wait_for(b"That is not a legal move.")
    terminal.press(b"\x1b[C")  # right
    terminal.wait_for(b"b1 would flip nothing.")
    terminal.press(b"\r")
    terminal.wait_for(b"Dark 1, Light 1. Dark to move: a2 b2")
    terminal.press(b"a")  # a square can be named too
    terminal.press(b"2")
    terminal.wait_for(b"a2 would flip nothing.")
    terminal.press(b"\r")
    terminal.wait_for(b"Light to move: b2")
    terminal.press(b"\x1b[D")  # left, around the edge
    terminal.wait_for(b"b2 would flip nothing.")
    terminal.press(b"\r")
    terminal.wait_for(b"The game is over: it is a tie.")
    assert terminal.finish() == 0


def test_reversi_shows_flips_in_colours(command: Path) -> None:
    terminal = Terminal(command, "reversi")
    for square in (b"d4", b"e4", b"e5", b"d5"):
        terminal.wait_for(b"Enter plays")
        for key in square:
            terminal.press(bytes([key]))
        terminal.wait_for(square + b" would flip nothing.")
        terminal.press(b"\r")
    terminal.wait_for(b"Dark 2, Light 2. Dark to move")
    terminal.press(b"e")
    terminal.press(b"3")
    terminal.wait_for(b"[\x1b[1;33mL\x1b[0m]")
    terminal.wait_for(b"e3 would flip e4.")
    terminal.press(b"q")
    assert terminal.finish() == 1


def test_interrupt_leaves_the_terminal_as_it_was(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4")
    terminal.wait_for(b"Enter plays")
    terminal.press(b"\x03")
    terminal.wait_for(b"\x1b[?1049l")
    assert terminal.finish() == 1


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("thinking", [False, True], ids=["waiting", "thinking"])
def test_a_signal_leaves_the_terminal_as_it_was(
    command: Path, ending: signal.Signals, thinking: bool
) -> None:
    players = ["--dark", "alphabeta:time=3600"] if thinking else []
    terminal = Terminal(command, "reversi", *players, NO_COLOR="1")
    terminal.wait_for(b"The computer is thinking." if thinking else b"Enter plays")
    terminal.process.send_signal(ending)
    terminal.wait_for(b"\x1b[?1049l")
    assert terminal.finish() == -ending


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_output_is_one_line(command: Path, unbuffered: str) -> None:
    own = [
        "--cflags",
        "help selfplay",
        "check --help",
        "play --help",
        "play --no-browser",
        "playouts tictac --games 10",
        "perft tictac 3 --workers 1",
        "check position tests/zoo/tictac.py:TicTac --games 1",
        "check position tests/zoo/tictac.py:TicTac --games 1 --json",
    ]
    shared = [
        "--help",
        "--version",
        "help perft",
        "perft tictac 3",
        "solve tictac",
        "completions bash",
        "man",
    ]
    if command != INSTALLED:
        own = []
    for words in own[:3] if unbuffered else own + shared:
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [command, *words.split()],
                stdout=full,
                stderr=subprocess.PIPE,
                cwd=Path(__file__).parent.parent.parent,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
                timeout=60,
            )
        assert (done.returncode, done.stderr.count(b"\n")) == (1, 1), (words, done.stderr.decode())
        assert done.stderr.startswith(b"petteia") and b"No space left on device" in done.stderr


def test_a_closed_pipe_is_silent(command: Path) -> None:
    for words in [
        "help perft",
        "perft tictac 3",
        *(["playouts tictac --games 9"] if command == INSTALLED else []),
    ]:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run(
                [command, *words.split()], stdout=writer, stderr=subprocess.PIPE, timeout=60
            )
        finally:
            os.close(writer)
        assert (done.returncode, done.stderr) == (1, b""), words
