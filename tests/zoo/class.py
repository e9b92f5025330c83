"""Makes a class of 40 who hand in Breakdown: right, wrong, not building, hanging and hostile.

    python3 tests/zoo/class.py FOLDER

All are the zoo's implementation. A wrong one turns on one of its bugs by itself.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ZOO = Path(__file__).resolve().parent / "breakdown"

NAMES = (
    "abara adeyemi alvarez bakker banerjee becker castro chen cohen costa diallo dubois eriksen fischer flores garcia "
    "haddad hansen ivanov jansen kato kim kowalski lopez martin meyer nguyen novak okafor patel petrov quispe rossi "
    "santos sato silva smith tanaka wagner zhang"
).split()

WRONG = (
    "one_cell_too_many right_edge_unchecked no_overhang looks_under_overhang breakdown_reorders falls_one_row "
    "word_too_few word_too_many ors row_major_by_height layout_from_the_top counts_squares own_colour_only "
    "full_board_only outcome_breaks_down bounds_with_and white_starts changes_turn labels_in_hex forgets_leaks "
    "crashes_on_win play_keeps_turn play_never_ends"
).split()

BUG = """
#include <stdlib.h>
__attribute__((constructor)) static void choose(void) { setenv("BUG", "%s", 1); }
"""

ODD = {
    "not building": "\nint missing_semicolon = 1\nint next;\n",
    "not linking": "\nint elsewhere(void);\nint here(void) { return elsewhere(); }\n",
    "no such header": '\n#include "my_own_helpers.h"\n',
    "hangs": "\n__attribute__((constructor)) static void stop(void) { for (;;); }\n",
    "sleeps": "\n#include <unistd.h>\n__attribute__((constructor)) static void stop(void) { for (;;) pause(); }\n",
    "kills": "\n#include <signal.h>\n__attribute__((constructor)) static void end(void) { kill(-1, SIGKILL); raise(9); }\n",
    "forks": "\n#include <unistd.h>\n__attribute__((constructor)) static void bomb(void) { for (;;) fork(); }\n",
    "exits": "\n#include <stdlib.h>\n__attribute__((constructor)) static void leave(void) { exit(0); }\n",
    "fills": "\nchar big[3ul << 30] = {1};\n",
    "escapes": "\n#include <stdio.h>\n__attribute__((constructor)) static void print(void) "
    '{ fputs("\\033]0;mine\\a<script>alert(1)</script>", stderr); }\n',
}
"""What is added to a right implementation; the last one harms nobody."""

RIGHT = len(NAMES) - len(WRONG) - len(ODD)


def kinds() -> dict[str, str]:
    """Return what each of the class has handed in: right, a bug, or an odd thing."""
    # The right ones come between the others.
    handed_in = [*WRONG, *ODD]
    for number in range(RIGHT):
        handed_in.insert(number * len(NAMES) // RIGHT, "right")
    return dict(zip(NAMES, handed_in, strict=True))


def make(folder: Path, names: tuple[str, ...] = tuple(NAMES)) -> None:
    """Write the submissions of the class, or of some of it: every fourth one as an archive."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, kind) in enumerate(kinds().items()):
        if name not in names:
            continue
        place = folder / name / "breakdown"
        shutil.copytree(ZOO, place)
        if kind != "right":
            added = ODD.get(kind) or BUG % kind
            changed = place / ("play.c" if kind.startswith("play_") else "pos.c")
            changed.write_text(changed.read_text() + added)
        if number % 4 == 3:
            shutil.make_archive(str(folder / name), "zip", folder / name)
            shutil.rmtree(folder / name)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
