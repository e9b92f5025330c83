"""Whether a submission is petteia itself: linked with its library, or carrying a copy of it.

A sandbox hides the petteia that is installed, so only a copy among the submission's files, or in what was
built of them, has to be looked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .rooms import Bounds, Room, Sandbox
from .rules import Unusable
from .sandbox import files

SIGNS = (b"petteia_position_is_legal", b"expected a game in which no position repeats", b"libpetteia.so")
"""Names and messages of petteia's library, of which every copy keeps some."""
BINARY = (b"\x7fELF", b"!<arch>\n", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How libraries and programs begin: a text may speak of petteia."""


def refuse_petteia(sandbox: Sandbox, paths: Sequence[str]) -> None:
    """Raise Unusable if a submission that has been built uses petteia itself."""
    if sandbox.petteia:
        return
    found = [str(path) for place in paths for path in _files(Path(place)) if _is_petteia(path)]
    # What was built can only be seen inside. A play program linked with the library has no copy of it.
    if not found and sandbox.started:
        command = ["/bin/sh", "-c", GREP, "sh", str(sandbox.work)]
        room = Room(sandbox)
        try:
            with files(2) as (nothing, told):
                room.start(command, [nothing, told, nothing], Bounds(20, 256, 1 << 20))
                found = [] if room.end().code else ["what is built of it"]
        finally:
            room.close()
    if found:
        raise Unusable(
            f"it uses petteia itself ({found[0]}), so nothing of it can be judged. If that is meant, give "
            "--with-petteia (petteia=True in Options)"
        )


GREP = f'grep -rlaF -e "{SIGNS[0].decode()}" -e "{SIGNS[1].decode()}" "$1"'


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return [path for path in place.rglob("*") if path.is_file() and not path.is_symlink()]
    return [place] if place.is_file() else []


def _is_petteia(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(8)
            return start.startswith(BINARY) and any(sign in start + file.read() for sign in SIGNS)
    except OSError:
        return False
