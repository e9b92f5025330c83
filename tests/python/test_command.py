"""The command, as pip installs it and as cargo builds it, in pipes and in a terminal."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
import os
import pty
import select
import signal
import struct
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
    """A program in its own terminal, which controls it if keys are to send signals."""

    def __init__(
        self,
        *arguments: str | Path,
        size: tuple[int, int] = (0, 0),
        controls: bool = True,
        **environment: str,
    ) -> None:
        self.screen, self.keyboard = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.keyboard)
        # What was waited for ends `read`; `shown` follows.
        self.read = self.shown = b""
        self.process = subprocess.Popen(
            arguments,
            stdin=self.keyboard,
            stdout=self.keyboard,
            stderr=self.keyboard,
            env={**os.environ, "TERM": "xterm", **environment},
            start_new_session=True,
            preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if controls else None,
        )

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def wait_for(self, text: bytes) -> None:
        """Read until a text appears after the previous one."""
        end = time.monotonic() + 20
        while text not in self.shown:
            assert time.monotonic() < end, (text, self.shown)
            if select.select([self.screen], [], [], 0.1)[0]:
                self.shown += os.read(self.screen, 65536)
        self.read, self.shown = self.shown.split(text, 1)

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


@pytest.mark.parametrize(("key", "code"), [(b"q", 0), (b"\x03", 130)], ids=["q", "ctrl-c"])
def test_reversi_can_be_left_while_the_computer_thinks(command: Path, key: bytes, code: int) -> None:
    terminal = Terminal(command, "reversi", "--light", "alphabeta:time=3600", NO_COLOR="1")
    terminal.wait_for(b"Dark to move: d4")
    terminal.press(b"\r")
    # One's own move is there while the computer thinks.
    terminal.wait_for(b"Dark 1, Light 0.")
    terminal.wait_for(b"The computer is thinking.")
    terminal.press(b"a")
    terminal.press(key)
    assert terminal.finish() == code


def test_reversi_of_two_computers_can_be_left(command: Path) -> None:
    players = ["--dark", "alphabeta:time=3600", "--light", "random"]
    terminal = Terminal(command, "reversi", *players, NO_COLOR="1")
    terminal.wait_for(b"The computer is thinking.")
    terminal.press(b"q")
    assert terminal.finish() == 0


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
    assert terminal.finish() == 0


def test_interrupt_leaves_the_terminal_as_it_was(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4")
    terminal.wait_for(b"Enter plays")
    terminal.press(b"\x03")
    terminal.wait_for(b"\x1b[?1049l")
    assert terminal.finish() == 130


@pytest.mark.parametrize("thinking", [False, True], ids=["waiting", "thinking"])
@pytest.mark.parametrize("controls", [False, True], ids=["without a signal", "with a signal"])
def test_a_game_ends_with_its_terminal(command: Path, thinking: bool, controls: bool) -> None:
    players = ["--dark", "alphabeta:time=3600"] if thinking else []
    terminal = Terminal(command, "reversi", *players, controls=controls)
    terminal.wait_for(b"The computer is thinking." if thinking else b"q quits")
    os.close(terminal.keyboard)
    os.close(terminal.screen)
    try:
        terminal.process.wait(timeout=20)
    finally:
        terminal.process.kill()
        terminal.process.wait()


def test_complaints_go_when_the_cursor_moves(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4", "--light", "random", NO_COLOR="1")
    terminal.wait_for(b"Enter plays")
    terminal.press(b"\r")
    terminal.wait_for(b"The computer plays ")
    terminal.wait_for(b"q quits")
    for wrong, complaint in ((b"\r", b"That is not a legal move."), (b"h", b"The board has no such column.")):
        terminal.press(wrong)
        terminal.wait_for(complaint)
        terminal.wait_for(b"q quits")
        terminal.press(b"\x1b[A")
        # What the computer did can be read again.
        terminal.wait_for(b"The computer plays ")
        terminal.press(b"\x1b[B")
        terminal.wait_for(b"The computer plays ")
        assert complaint not in terminal.read
    terminal.press(b"q")
    assert terminal.finish() == 0


def test_moves_are_taken_back_and_levels_changed(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4", NO_COLOR="1")
    terminal.wait_for(b"q quits")
    terminal.press(b"u")
    terminal.wait_for(b"There is no move of yours to take back.")
    terminal.press(b"\r")
    terminal.wait_for(b"Dark 1, Light 0. Light to move: c2 b3 c3")
    terminal.press(b"u")
    terminal.wait_for(b"Dark 0, Light 0. Dark to move: b2 c2 b3 c3")
    terminal.wait_for(b"The last move is taken back.")
    terminal.press(b"+")
    terminal.wait_for(b"Light: the computer, at level 1 of 10.")
    terminal.press(b"+")
    terminal.wait_for(b"Light: the computer, at level 2 of 10.")
    terminal.press(b"\r")
    terminal.wait_for(b"The computer plays ")
    terminal.press(b"u")
    terminal.wait_for(b"Dark 0, Light 0. Dark to move: b2 c2 b3 c3")
    terminal.wait_for(b"2 moves are taken back.")
    terminal.press(b"--")
    terminal.wait_for(b"Light: a person.")
    terminal.press(b"q")
    assert terminal.finish() == 0


def test_a_small_window_says_so(command: Path) -> None:
    terminal = Terminal(command, "reversi", size=(80, 24), NO_COLOR="1")
    terminal.wait_for(b"q quits")
    terminal.resize(80, 10)
    terminal.wait_for(b"The window is too small: 80 columns and 10 rows, not 26 and 14. q quits.")
    # Nothing is played unseen.
    terminal.press(b"\r")
    terminal.resize(20, 24)
    terminal.wait_for(b"The window is too\r\nsmall: 20 columns\r\nand 24 rows")
    terminal.resize(26, 24)
    terminal.wait_for(b"Dark 0, Light 0. Dark to\r\nmove: d4 e4 d5 e5")
    terminal.press(b"q")
    assert terminal.finish() == 0


@pytest.mark.parametrize("thinking", [False, True], ids=["waiting", "thinking"])
def test_reversi_is_suspended_and_goes_on(command: Path, thinking: bool) -> None:
    players = ["--light", "alphabeta:time=3600"] if thinking else []
    script = 'set -m; "$@"; echo "stopped with $?"; stty -a; echo "and"; fg; echo "ended with $?"'
    terminal = Terminal("sh", "-c", script, "sh", command, "reversi", "4", "4", *players, NO_COLOR="1")
    terminal.wait_for(b"q quits")
    terminal.press(b"\r")
    terminal.wait_for(b"The computer is thinking." if thinking else b"Light to move: c2 b3 c3")
    terminal.wait_for(b"q quits")
    terminal.press(b"\x1a")
    terminal.wait_for(b"\x1b[?1049l\x1b[?25h")
    terminal.wait_for(f"stopped with {128 + signal.SIGTSTP}".encode())
    # The shell has a terminal with lines and echo.
    terminal.wait_for(b"and\r\n")
    assert b" icanon " in terminal.read and b" echo " in terminal.read
    terminal.wait_for(b"\x1b[?1049h")
    terminal.wait_for(b"Dark 1, Light 0. Light to move: c2 b3 c3")
    terminal.wait_for(b"q quits")
    terminal.press(b"\x03")
    terminal.wait_for(b"ended with 130")
    assert terminal.finish() == 0


def test_reversi_stopped_by_others_is_drawn_again(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4", NO_COLOR="1")
    terminal.wait_for(b"q quits")
    terminal.process.send_signal(signal.SIGSTOP)
    os.waitpid(terminal.process.pid, os.WUNTRACED)
    termios.tcsetattr(terminal.keyboard, termios.TCSANOW, terminal.before)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for(b"\x1b[?1049h")
    terminal.wait_for(b"q quits")
    # A line is not awaited.
    terminal.press(b"q")
    assert terminal.finish() == 0


def test_where_nobody_can_continue_it_nothing_is_suspended(command: Path) -> None:
    terminal = Terminal(command, "reversi", "4", "4", NO_COLOR="1")
    terminal.wait_for(b"q quits")
    terminal.press(b"\x1a")
    terminal.wait_for(b"\x1b[?1049h")
    terminal.wait_for(b"q quits")
    terminal.press(b"q")
    assert terminal.finish() == 0


@pytest.mark.parametrize("name", ["move-check", "game-check", "play", "game", "reversi"])
def test_links_are_the_documents_programs(command: Path, name: str, tmp_path: Path) -> None:
    assert run(command, "link", str(tmp_path))[::2] == (0, b"")
    code, output, _ = run(tmp_path / name, "--help")
    assert code == 0 and f"Usage: {name}".encode() in output and b"petteia " not in output
    code, output, errors = run(tmp_path / name, "--wrong")
    assert (code, output) == (1, b"") and errors.startswith(f"{name}: ".encode())
    assert f"usage: {name}".encode() in errors and b"petteia" not in errors


def test_links_are_the_document_s_programs_to_their_output(command: Path, tmp_path: Path) -> None:
    run(command, "link", str(tmp_path))
    assert run(tmp_path / "move-check", stdin=b"1 x b2\n") == (0, b"1 X B2\n", b"")
    # Names of petteia's programs are files here.
    code, _, errors = run(tmp_path / "game-check", "check", "--", "play")
    assert (code, errors.count(b"game-check: ")) == (1, 2)


def test_linking_overwrites_nothing(command: Path, tmp_path: Path) -> None:
    (tmp_path / "game").write_text("mine")
    code, output, errors = run(command, "link", str(tmp_path))
    assert (code, output) == (1, b"")
    assert errors == f"petteia: {tmp_path}/game: is there already, and nothing is overwritten\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["game"]
    assert (tmp_path / "game").read_text() == "mine"
    (tmp_path / "game").unlink()
    names = {"move-check", "game-check", "play", "game", "reversi"}
    assert run(command, "link", str(tmp_path))[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == names
    # Links that are there already are right; others, also broken ones, are somebody's.
    assert run(command, "link", str(tmp_path)) == (0, b"", b"")
    (tmp_path / "play").unlink()
    (tmp_path / "play").symlink_to("nowhere")
    code, _, errors = run(command, "link", str(tmp_path))
    assert code == 1 and b"/play: is there already" in errors
    for bad in (tmp_path / "missing", tmp_path / "game"):
        code, _, errors = run(command, "link", str(bad))
        assert code == 1 and errors.startswith(f"petteia: {bad}: ".encode()) and errors.count(b"\n") == 1
    code, _, errors = run(command, "link", "--to", str(tmp_path), str(tmp_path))
    assert code == 1 and b"expected a command to link to" in errors


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
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
