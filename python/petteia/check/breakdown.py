"""Breakdown's functions: pos.c, board.c and logic.c, or a library of them, called one by one.

Each call is judged by itself: the expected result is computed from the implementation's own board before the
call, so one mistake does not fail every later rule.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .._clibrary import get_include, get_library_dir
from ..breakdown import Cell, Game, Turn
from .build import shell
from .rooms import current
from .rules import Finding, Pace, Picture, Stopped
from .sandbox import Death, Driver, sanitizer_report

(
    NEW_GAME,
    DROP_STICK,
    BREAKDOWN,
    OUTCOME,
    SET,
    GET,
    SHOW,
    CELLS,
    WORDS,
    NEXT,
    FREE_GAME,
    SET_OFF,
    GET_OFF,
    MAKE_POS,
    NEW_BOARD,
    FREE_BOARD,
    STRUCT,
) = range(17)
# These only access the structs; all others call a function of the implementation.
LOOKS = (WORDS, NEXT, STRUCT)

KINDS = ("MATRIX", "BITS")
CELL_NAMES = ("EMPTY", "BLACK", "WHITE", "an invalid cell")
OUTCOMES = ("BLACK_WIN", "WHITE_WIN", "DRAW", "IN_PROGRESS", "an invalid outcome")
COLOURS = ("black", "white", "neither colour")
LABELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

LEAK = re.compile(r"leak of \d+ byte(?:.*\n)+?\s*#[1-9]\d* \S+ in (\w+) (?:\S*/)?(\S+?:\d+)")
"""Where memory that is not freed was allocated, in a sanitizer's report."""

COMPILE = "cc -g -fsanitize=address,undefined repeat.c"

Call = tuple[int, ...]


@dataclass(frozen=True)
class Play:
    """A game: its parameters, pieces set by hand, and the moves of the players in turn."""

    width: int
    height: int
    stick: int = 2
    square: int = 2
    kind: int = 0
    pieces: tuple[tuple[int, int, int], ...] = ()
    moves: tuple[tuple[str, int], ...] = ()

    def calls(self) -> list[Call]:
        """Return the calls that set up the game."""
        new = (NEW_GAME, self.kind, self.width, self.height, self.stick, self.square)
        return [new, *((SET, *piece) for piece in self.pieces)]

    def move(self, index: int) -> list[Call]:
        """Return the calls that make a move."""
        kind, column = self.moves[index]
        made = (BREAKDOWN,) if kind == "!" else (DROP_STICK, column, int(kind == "|"))
        return [(NEXT, index % 2), made]

    def game(self, cells: list[int], turn: int = 0) -> Game:
        """Return petteia's game with this board."""
        game = Game(self.stick, self.square, self.width, self.height, "matrix")
        for i, cell in enumerate(cells):
            if cell:
                game.board[divmod(i, self.width)] = Cell(cell)
        game.next = Turn(turn)
        return game

    def cells(self, game: Game) -> list[int]:
        """Return the cells of petteia's game."""
        return [int(game.board[r, c]) for r in range(self.height) for c in range(self.width)]

    def show(self, cells: list[int]) -> str:
        """Return the board as board_show prints it."""
        labels = [LABELS[i] if i < 62 else "?" for i in range(max(self.width, self.height))]
        rows = [cells[r * self.width : (r + 1) * self.width] for r in range(self.height)]
        lines = [f"{labels[r]} {''.join('.*o?'[cell] for cell in row)}" for r, row in enumerate(rows)]
        return "\n".join(["  " + "".join(labels[: self.width]), "", *lines]) + "\n"

    def picture(self, caption: str, cells: list[int]) -> Picture:
        """Return a board for the report."""
        rows = [
            "".join(".*o?"[c] for c in cells[r : r + self.width]) for r in range(0, len(cells), self.width)
        ]
        return Picture(caption, f"{'/'.join(rows)} b {self.stick} {self.square}", "breakdown")

    def shorter(self) -> Iterator[Play]:
        """Yield the games with one move or one piece fewer."""
        for i in range(len(self.moves)):
            yield replace(self, moves=self.moves[:i] + self.moves[i + 1 :])
        for i in range(len(self.pieces)):
            yield replace(self, pieces=self.pieces[:i] + self.pieces[i + 1 :])
        if self.pieces and not self.moves:
            yield from self._smaller()

    def _smaller(self) -> Iterator[Play]:
        """Yield the boards without an empty top row or the last column, perhaps with shorter sticks."""
        least = max(2, self.square)
        boards = []
        if self.height > least and all(r for r, _, _ in self.pieces):
            pieces = tuple((r - 1, c, cell) for r, c, cell in self.pieces)
            boards.append(replace(self, height=self.height - 1, pieces=pieces))
        if self.width > least:
            pieces = tuple(piece for piece in self.pieces if piece[1] < self.width - 1)
            boards.append(replace(self, width=self.width - 1, pieces=pieces))
        for board in boards:
            for stick in {self.stick, max(2, self.stick - 1)}:
                if stick <= max(board.width, board.height):
                    yield replace(board, stick=stick)

    @property
    def size(self) -> int:
        """The number of pieces and moves."""
        return len(self.pieces) + len(self.moves)


@dataclass(frozen=True)
class Source:
    """How to compile a program that repeats a game."""

    command: str
    """The end of the compiler's command line."""
    inside: str = ""
    """The same with absolute paths."""


class Library:
    """An implementation's functions, called by a driver."""

    def __init__(self, driver: Driver, build: str, source: Source) -> None:
        self.driver = driver
        self.sandbox = current()
        self.build = build
        self.source = source
        self.calls = 0
        self.slow = 0

    def pace(self, pace: Pace) -> None:
        """Set how much time to spend on failures."""
        self.driver.pace(pace)

    def close(self) -> None:
        """End the driver."""
        self.driver.close()

    def again(self, finding: Finding) -> Finding:
        """Run the program that repeats a finding, and the same with petteia's functions to compare."""
        course, library = f"{get_include()}/breakdown", get_library_dir()
        right = (
            f"-I{shlex.quote(course)} -L{shlex.quote(library)} -Wl,-rpath,{shlex.quote(library)} -lpetteia"
        )
        runs = [
            f"({COMPILE} {ends} -o {name} && ./{name} >{name}.out 2>{name}.err; echo exit $? >>{name}.out; "
            f"grep -c -e Sanitizer -e 'runtime error' {name}.err >>{name}.out)"
            for name, ends in (("mine", self.source.inside), ("right", right))
        ]
        compared = "cat mine.err >&2; cmp -s mine.out right.out && echo same || echo differs"
        script = "; ".join([*runs, "test -x mine -a -x right || echo neither", compared])
        shown = shell(script, self.sandbox, {"repeat.c": finding.repeat}, petteia=True)
        if shown.stdout.strip() != "differs":
            why = (
                "it behaves as it should" if shown.stdout.strip() == "same" else "it cannot be compiled here"
            )
            return replace(finding, again=f"When this program was run, it did not show the mistake: {why}.")
        if (leak := LEAK.search(shown.stderr)) and "not freed" in finding.got:
            where = f"; the first was allocated by {leak[1]} in {leak[2]}"
            return replace(finding, got=finding.got + where)
        report = sanitizer_report(shown.stderr)
        if report and report not in finding.got and finding.about:
            return replace(finding, got=f"{finding.got}\n{report}")
        return finding

    def call(self, calls: list[Call]) -> tuple[list[list[int]], Death | None]:
        """Make calls and return their answers, which are fewer than the calls if the driver dies."""
        answers, death = self.driver.call([number for call in calls for number in call])
        self.slow += death is not None and death.slow
        self.calls += sum(
            len(answer) if call[0] == CELLS else call[0] not in LOOKS for call, answer in zip(calls, answers)
        )
        return answers, death

    def repeat(self, play: Play, calls: list[Call]) -> str:
        """Return a C program that makes the calls."""
        lines = []
        for call in calls:
            lines += _in_c(play, call)
        # An unused variable would cause a warning.
        if not any(re.search(r"\bb\b", line) for line in lines[2:]):
            lines = [line for line in lines if line != "board *b = g->b;"]
        # A leak would distract from the finding.
        for made, freed in (("new_game", "game_free(g);"), ("board_new", "board_free(b);")):
            if lines and made in lines[0] and freed not in lines:
                lines.append(freed)
        body = "\n".join(f"  {line}" for line in lines)
        includes = '#include <stdio.h>\n#include "pos.h"\n#include "board.h"\n#include "logic.h"\n'
        command = f"/* {COMPILE} {self.source.command} && ./a.out */"
        if any("allocated_size" in line for line in lines):
            includes += "size_t __sanitizer_get_allocated_size(const volatile void *);\n"
        return f"{command}\n{includes}\nint main(void) {{\n{body}\n  return 0;\n}}\n"


def _unsigned(number: int) -> str:
    return f"{number % (1 << 32)}u" if number < 0 else str(number)


def _in_c(play: Play, call: Call) -> list[str]:
    """Return a call as lines of C."""
    number, *values = call
    if number == NEW_GAME:
        kind, width, height, stick, square = values
        return [
            f"game *g = new_game({stick}, {square}, {width}, {height}, {KINDS[kind]});"
            f"  /* sticks of {stick}, squares of {square}; {width} wide, {height} high */",
            "board *b = g->b;",
        ]
    place = f"make_pos({', '.join(map(_unsigned, values[:2]))})"
    if number in (SET, SET_OFF):
        return [f"board_set(b, {place}, {CELL_NAMES[values[2]]});"]
    if number in (GET, GET_OFF):
        return [f'printf("%d\\n", board_get(b, {place}));']
    if number == NEXT:
        return [f"g->next = {('BLACK_NEXT', 'WHITE_NEXT')[values[0]]};"]
    if number == DROP_STICK:
        return [f'printf("%d\\n", drop_stick(g, {_unsigned(values[0])}, {values[1]}) != 0);']
    if number == MAKE_POS:
        return [f'printf("%u %u\\n", {place}.r, {place}.c);']
    if number == NEW_BOARD:
        return [f"board *b = board_new({values[1]}, {values[2]}, {KINDS[values[0]]});"]
    if number == STRUCT:
        return [
            'printf("%u %u %d %u %u\\n", g->stick, g->square, g->next == WHITE_NEXT, b->width, b->height);'
        ]
    if number == CELLS:
        return ["board_show(b);"]
    if number == WORDS and not play.pieces and not play.moves:
        return ['printf("%zu bytes\\n", __sanitizer_get_allocated_size(b->u.bits));']
    if number == WORDS:
        words = (play.width * play.height + 15) // 16
        return [f'for (int i = 0; i < {words}; ++i) printf("%08x\\n", b->u.bits[i]);']
    return [
        {
            BREAKDOWN: "breakdown(g);",
            OUTCOME: 'printf("%d\\n", game_outcome(g));',
            SHOW: "board_show(b);",
            FREE_GAME: "game_free(g);",
            FREE_BOARD: "board_free(b);",
        }[number]
    ]


def name(call: Call) -> str:
    """Return a call in C, without the code that prints its result."""
    line = _in_c(Play(1, 1), call)[0].split(";  /*")[0].rstrip(";")
    for start, end in (
        ('printf("%d\\n", ', ")"),
        ('printf("%u %u\\n", ', ".r"),
        ("game *g = ", ""),
        ("board *b = ", ""),
    ):
        if line.startswith(start):
            line = (
                line[len(start) :].split(end)[0] if end == ".r" else line[len(start) : len(line) - len(end)]
            )
    return line.removesuffix(" != 0")


@dataclass(frozen=True)
class Step:
    """A call in a game, with the board before it and its result."""

    play: Play
    call: Call
    done: list[Call]
    """All calls up to and including this one."""
    before: list[int]
    turn: int = 0
    answer: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    death: Death | None = None

    def finding(self, target: Library, summary: str, expected: str, got: str, *boards: Picture) -> Finding:
        """Return a finding about this call."""
        ends: list[Call] = []
        if "g->next" in expected:
            ends = [(STRUCT,)]
        elif self.call[0] in (DROP_STICK, BREAKDOWN, SET) and not self.death:
            ends = [(CELLS,)]
        elif self.call[0] == OUTCOME and "\n" in expected:
            # The board that it has changed.
            ends = [(CELLS,)]
        return Finding(
            summary,
            name(self.call),
            self.play.show(self.before) if self.before else "",
            expected,
            got,
            target.repeat(self.play, [*self.done, *ends]),
            "c",
            self.play.size,
            (*((self.play.picture("before", self.before),) if self.before else ()), *boards),
        )


def stopped(
    target: Library, play: Play, calls: list[Call], answers: list[list[int]], death: Death
) -> Stopped:
    """Return the finding that the first call without an answer does not return."""
    done, call = calls[: len(answers)], calls[len(answers)]
    if call == (CELLS,):
        # Which of its calls of board_get it was is found by making them one by one.
        gets = [(GET, *divmod(i, play.width)) for i in range(play.width * play.height)]
        again, _ = target.call([*done, *gets])
        call = gets[min(max(0, len(again) - len(done)), len(gets) - 1)]
    if done and done[0][0] == NEW_GAME and answers[0] == [0]:
        done, call, death = [], done[0], Death("it returns NULL", "crash")
    elif call[0] in LOOKS:
        call = next(made for made in reversed(done) if made[0] not in LOOKS)
    before = next((answer for made, answer in zip(done[::-1], answers[::-1]) if made == (CELLS,)), [])
    made = [call for call in done if call[0] != CELLS]
    step = Step(play, call, [*made, call], before, death=death)
    called = name(call)
    finding = step.finding(target, f"{called} does not return: {death}", "the call returns", f"{death}")
    return Stopped(replace(finding, about=f"{called.split('(')[0]} {death.kind}"), death.kind)


def steps(target: Library, play: Play) -> Iterator[Step | Stopped]:
    """Play a game and yield its moves, up to one that does not return."""
    calls, marks = [*play.calls(), (CELLS,)], []
    for index in range(len(play.moves)):
        calls += play.move(index)
        marks.append(len(calls) - 1)
        calls.append((CELLS,))
    answers, death = target.call(calls)
    for index, at in enumerate(marks):
        if at + 1 >= len(answers):
            break
        before = answers[at - 2]
        if 3 in before:
            return
        made = Step(play, calls[at], [c for c in calls[: at + 1] if c[0] != CELLS], before, index % 2)
        made = replace(made, play=replace(play, moves=play.moves[: index + 1]))
        yield replace(made, answer=tuple(answers[at]), after=tuple(answers[at + 1]))
    if death and len(answers) < len(calls):
        yield stopped(target, play, calls, answers, death)


def shown(text: str, play: Play, cells: list[int]) -> bool:
    """Return whether a text shows a board in the document's format.

    All of it may be indented, and labels may be repeated below and to the right; blanks at the ends of lines
    and lines around it are ignored.
    """
    wanted = play.show(cells).splitlines()
    lines = [line.rstrip() for line in text.expandtabs().strip("\n").split("\n")]
    # The first row has no indent of its own.
    indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    lines = [line[indent:] for line in lines]
    rows = [
        line if line == row else line.removesuffix(f" {row[0]}") for line, row in zip(lines[2:], wanted[2:])
    ]
    rest = [line for line in lines[len(wanted) :] if line]
    return lines[:2] + rows == wanted and rest in ([], [wanted[0]])
