"""The installed package: its files and its command."""

import os
import shutil
import signal
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import petteia
import pytest
from games import ROOT

PROGRAM = r"""
#include <breakdown.h>
#include <petteia.h>

int main(void)
{
    game* g = new_game(2, 2, 4, 5, BITS);
    drop_stick(g, 0, 1);
    g->next = WHITE_NEXT;
    drop_stick(g, 2, 0);
    board_show(g->b);
    game_free(g);
    return 0;
}
"""


def test_it_is_the_installed_one() -> None:
    home = Path(petteia.__file__).resolve()
    assert "site-packages" in home.parts
    assert ROOT / "python" not in home.parents
    assert (home.parent / "py.typed").is_file()
    assert (home.parent / "_petteia.pyi").is_file()


def test_one_version() -> None:
    assert metadata.version("petteia") == petteia.__version__
    assert f'version = "{petteia.__version__}"' in (ROOT / "Cargo.toml").read_text()


def test_wheel_is_for_every_later_python() -> None:
    wheel = metadata.distribution("petteia").read_text("WHEEL")
    assert wheel is not None
    assert "cp310-abi3" in wheel


def test_import_is_light() -> None:
    code = "import sys, petteia; print('numpy' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"


COMMAND = str(Path(sys.executable).with_name("petteia"))


def petteia_command(*arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, input=input)


def test_command() -> None:
    assert petteia_command("--version").stdout == f"petteia {petteia.__version__}\n"
    result = petteia_command("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "--cflags" in result.stdout
    for wrong in ([], ["--nonsense"], ["nonsense", "--cflags"], ["\udcff"], ["perft", "chess", "3"]):
        result = petteia_command(*wrong)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.count("\n") == 1
    module = subprocess.run([sys.executable, "-m", "petteia", "--version"], capture_output=True, text=True)
    assert module.stdout == petteia_command("--version").stdout


def test_command_has_the_documents_programs() -> None:
    result = petteia_command("move-check", input="2  o c2 # oops\n")
    assert (result.returncode, result.stdout) == (0, "2 O C2\n")
    result = petteia_command("game-check", input="1 X B2\n2 X A1\n")
    assert (result.returncode, result.stdout) == (2, "Invalid move.\n")
    assert "Player 1 has won!" in petteia_command("quarto", "m", "m", "2019").stdout


def test_ctrl_c_ends_a_program_that_waits() -> None:
    with subprocess.Popen(
        [COMMAND, "quarto", "h", "h"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        text = b""
        while not text.endswith(b"Enter a piece:"):
            text += process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == -signal.SIGINT
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_headers_and_library() -> None:
    include, library = Path(petteia.get_include()), Path(petteia.get_library_dir())
    source = ROOT / "include"
    headers = sorted(path.relative_to(source) for path in source.rglob("*.h"))
    assert {Path("petteia.h"), Path("breakdown.h")} <= set(headers)
    for header in headers:
        assert (include / header).read_bytes() == (source / header).read_bytes()
    files = list(library.iterdir())
    assert len(files) == 1, "one unversioned file, since wheels cannot contain links"
    assert files[0].stem in ("libpetteia", "petteia")


def test_a_c_program_needs_only_the_wheel(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.fail("no C compiler: install cc")
    (tmp_path / "program.c").write_text(PROGRAM)
    flags = petteia_command("--cflags", "--libs").stdout.split()
    build = [compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "program.c", "-o", "program", *flags]
    subprocess.run(build, cwd=tmp_path, check=True)
    environment = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    result = subprocess.run([str(tmp_path / "program")], env=environment, capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stdout == "  0123\n\n0 ....\n1 ....\n2 ....\n3 *...\n4 *.oo\n"


def test_a_program_of_the_course_needs_only_the_wheel(tmp_path: Path) -> None:
    flags = petteia_command("--cflags", "--course", "--libs").stdout.split()
    assert flags[:2] == [f"-I{petteia.get_include()}/breakdown", f"-I{petteia.get_include()}"]
    source, program = ROOT / "tests" / "c" / "evidence.c", tmp_path / "evidence"
    subprocess.run(["cc", "-Werror", str(source), "-o", str(program), *flags], check=True)
    assert subprocess.run([str(program)], capture_output=True, text=True).stdout.endswith("checks passed\n")
    for wrong in (["--course"], ["--course", "--libs"]):
        result = petteia_command(*wrong)
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert "--cflags" in result.stderr


def test_the_library_is_not_unloaded(tmp_path: Path) -> None:
    source, program = ROOT / "tests" / "c" / "load.c", tmp_path / "load"
    flags = ["-std=gnu11", *petteia_command("--cflags").stdout.split(), "-lpthread", "-ldl"]
    subprocess.run(["cc", str(source), "-o", str(program), *flags], check=True)
    (library,) = Path(petteia.get_library_dir()).iterdir()
    result = subprocess.run([str(program), str(library)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
