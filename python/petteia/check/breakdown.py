"""Breakdown's functions: pos.c, board.c and logic.c, or a library of them, called one by one.

Each call is judged by itself: petteia's answer is worked out from the board that the implementation had before it, so that
one mistake does not break the rules about everything that follows.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ..breakdown import Cell, Game, Outcome, Turn
from .rules import Draw, Finding, Judgement, Pace, Picture, Rule
from .sandbox import SANITIZER_EXIT, Death, Driver, sanitizer_report

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
# These only look into the structs; all others call a function of the implementation.
LOOKS = (WORDS, NEXT, STRUCT)

KINDS = ("MATRIX", "BITS")
CELL_NAMES = ("EMPTY", "BLACK", "WHITE", "no cell at all")
OUTCOMES = ("BLACK_WIN", "WHITE_WIN", "DRAW", "IN_PROGRESS", "no outcome at all")
COLOURS = ("black", "white", "neither colour")
LABELS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

Call = tuple[int, ...]


@dataclass(frozen=True)
class Play:
    """A game: its parameters, pieces that are set by hand, and the moves of players who take turns."""

    width: int
    height: int
    stick: int = 2
    square: int = 2
    kind: int = 0
    pieces: tuple[tuple[int, int, int], ...] = ()
    moves: tuple[tuple[str, int], ...] = ()

    def calls(self) -> list[Call]:
        """Return the calls that set it up."""
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
        rows = ["".join(".*o?"[c] for c in cells[r : r + self.width]) for r in range(0, len(cells), self.width)]
        return Picture(caption, f"{'/'.join(rows)} b {self.stick} {self.square}", "breakdown")

    def shorter(self) -> Iterator[Play]:
        """Yield the games with one piece or one move less."""
        for i in range(len(self.moves)):
            yield replace(self, moves=self.moves[:i] + self.moves[i + 1 :])
        for i in range(len(self.pieces)):
            yield replace(self, pieces=self.pieces[:i] + self.pieces[i + 1 :])

    @property
    def size(self) -> int:
        """How long it is, for those who have to read it."""
        return len(self.pieces) + len(self.moves)


@dataclass(frozen=True)
class Source:
    """How a program that repeats a game is compiled."""

    command: str
    """The end of the compiler's command line."""


class Library:
    """An implementation's functions, behind a driver."""

    def __init__(self, driver: Driver, build: str, source: Source) -> None:
        self.driver = driver
        self.build = build
        self.source = source
        self.calls = 0
        self.slow = 0

    def pace(self, pace: Pace) -> None:
        """Say how much time to take over what fails."""
        self.driver.pace(pace)

    def close(self) -> None:
        """End the driver."""
        self.driver.close()

    def call(self, calls: list[Call]) -> tuple[list[list[int]], Death | None]:
        """Make calls; there are fewer answers than calls exactly when something ended them."""
        answers, death = self.driver.call([number for call in calls for number in call])
        self.slow += death is not None and death.slow
        self.calls += sum(
            len(answer) if call[0] == CELLS else call[0] not in LOOKS for call, answer in zip(calls, answers)
        )
        return answers, death

    def repeat(self, play: Play, calls: list[Call]) -> str:
        """Return a program in C that makes the calls."""
        lines = []
        for call in calls:
            lines += _in_c(play, call)
        body = "\n".join(f"  {line}" for line in lines)
        includes = '#include <stdio.h>\n#include "pos.h"\n#include "board.h"\n#include "logic.h"\n'
        command = f"/* cc -g -fsanitize=address,undefined repeat.c {self.source.command} && ./a.out */"
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
        return [f'printf("%d\\n", drop_stick(g, {_unsigned(values[0])}, {values[1]}));']
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
    """Return a call as it is written in C, without what a program does with its result."""
    line = _in_c(Play(1, 1), call)[0].split(";  /*")[0].rstrip(";")
    for start, end in (('printf("%d\\n", ', ")"), ('printf("%u %u\\n", ', ".r"), ("game *g = ", ""), ("board *b = ", "")):
        if line.startswith(start):
            line = line[len(start) :].split(end)[0] if end == ".r" else line[len(start) : len(line) - len(end)]
    return line


@dataclass(frozen=True)
class Step:
    """A call that was made in a game: the board before it, and what came of it."""

    play: Play
    call: Call
    done: list[Call]
    """All calls up to and with this one."""
    before: list[int]
    turn: int = 0
    answer: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    death: Death | None = None

    def finding(self, target: Library, summary: str, expected: str, got: str, *boards: Picture) -> Finding:
        """Return what was found in this call."""
        ends = [(CELLS,)] if self.call[0] in (DROP_STICK, BREAKDOWN, SET) and not self.death else []
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

    def died(self, target: Library) -> Finding:
        """Return the finding that a call has not come back from."""
        return self.finding(
            target, f"{name(self.call)} does not come back: {self.death}", "the call returns", f"{self.death}"
        )


def steps(target: Library, play: Play) -> Iterator[Step]:
    """Play a game and yield its moves, as far as they were answered."""
    calls, marks = [*play.calls(), (CELLS,)], []
    for index in range(len(play.moves)):
        calls += play.move(index)
        marks.append(len(calls) - 1)
        calls.append((CELLS,))
    answers, death = target.call(calls)
    for index, at in enumerate(marks):
        if at > len(answers):
            return
        before = answers[at - 2]
        made = Step(play, calls[at], [c for c in calls[: at + 1] if c[0] != CELLS], before, index % 2)
        made = replace(made, play=replace(play, moves=play.moves[: index + 1]))
        if at == len(answers):
            yield replace(made, death=death)
            return
        if at + 1 >= len(answers) or 3 in before:
            return
        yield replace(made, answer=tuple(answers[at]), after=tuple(answers[at + 1]))


# What a rule about moves says of a step: nothing, that it is right, or what was expected and what came.
Opinion = bool | tuple[str, str, list[int]]


def moves_rule(
    name: str,
    says: str,
    concerns: Callable[[Step], bool],
    opinion: Callable[[Step, bool, list[int]], Opinion],
    deaths: bool = False,
    cases: Callable[[Draw], Play] | None = None,
    note: bool = False,
    share: float = 1.0,
) -> Rule[Play]:
    """Make a rule about one kind of move, from an opinion on a step, petteia's result and petteia's board."""

    def judge(target: Library, play: Play) -> Judgement:
        tested = False
        for step in steps(target, play):
            if not concerns(step):
                continue
            if step.death:
                return step.died(target) if deaths else tested
            game = play.game(step.before, step.turn)
            result = True
            if step.call[0] == DROP_STICK:
                result = game.drop_stick(step.call[1] % (1 << 32), bool(step.call[2]))
            else:
                game.breakdown()
            board = play.cells(game)
            said = opinion(step, result, board)
            if isinstance(said, tuple):
                expected, got, cells = said
                pictures = [play.picture("expected", cells), play.picture("got", list(step.after))]
                return step.finding(target, says, expected, got, *(pictures if cells else []))
            tested = tested or said
        return tested

    return Rule(name, says, cases or games, judge, Play.shorter, note=note, share=share)


def sizes(draw: Draw, most: int = 6) -> tuple[int, int, int, int]:
    """Draw parameters that make sense: some stick fits, and so does a square."""
    more = 8 if draw.chance(12) else 0
    width, height = draw.integer(2, most + more), draw.integer(2, most + more)
    stick = draw.integer(2, min(4, max(width, height)))
    square = draw.integer(2, min(4, width, height))
    return width, height, stick, square


def games(draw: Draw) -> Play:
    """Draw a game from the empty board."""
    width, height, stick, square = sizes(draw)
    moves = tuple(_move(draw, width, stick) for _ in draw.several(3 * width, 12))
    return Play(width, height, stick, square, moves=moves)


def _move(draw: Draw, width: int, stick: int) -> tuple[str, int]:
    """Draw a move whose stick stays on this side of the right edge: what reaches past it has a rule of its own."""
    kind = draw.choice("|-|-!" if stick <= width else "|!")
    last = {"|": width - 1, "-": width - stick, "!": 0}[kind]
    return kind, draw.integer(0, last)


def _room(step: Step, result: bool, board: list[int]) -> Opinion:
    words = ("0, there is no room", "1, there is room")
    if bool(step.answer[0]) != result:
        return f"drop_stick returns {words[result]}", f"drop_stick returns {words[step.answer[0]]}", []
    if not result and list(step.after) != step.before:
        return (
            "the board stays as it was:\n" + step.play.show(step.before),
            "drop_stick returns 0, but the board changes:\n" + step.play.show(list(step.after)),
            step.before,
        )
    return True


def _place(step: Step, result: bool, board: list[int]) -> Opinion:
    if not result or step.call[0] == DROP_STICK and not step.answer[0]:
        return False
    if [bool(cell) for cell in step.after] != [bool(cell) for cell in board]:
        return step.play.show(board), step.play.show(list(step.after)), board
    return True


def _colour(step: Step, result: bool, board: list[int]) -> Opinion:
    if not _place(step, result, board) or isinstance(_place(step, result, board), tuple):
        return False
    if list(step.after) != board:
        return step.play.show(board), step.play.show(list(step.after)), board
    return True


def _turn(step: Step, result: bool, board: list[int]) -> Opinion:
    if step.answer[-1] != step.turn:
        return (
            f"g->next is still {COLOURS[step.turn]}'s: the caller changes the turn",
            f"g->next is {COLOURS[step.answer[-1]]}'s after the call",
            [],
        )
    return True


def _is_drop(upright: bool, past: bool | None) -> Callable[[Step], bool]:
    def concerns(step: Step) -> bool:
        if step.call[0] != DROP_STICK or bool(step.call[2]) != upright:
            return False
        return past is None or (step.call[1] + step.play.stick > step.play.width) == past

    return concerns


def _past_edge(draw: Draw) -> Play:
    """Draw a game with lying sticks that reach past the right edge."""
    play = games(draw)
    first = max(0, play.width - play.stick + 1)
    return replace(play, moves=(*play.moves[:6], ("-", draw.integer(first, play.width - 1))))


def _off_board(draw: Draw) -> Play:
    play = games(draw)
    column = draw.choice([play.width, play.width + 1, -1])
    return replace(play, moves=(*play.moves[:3], (draw.choice("|-"), column)))


def boards(draw: Draw) -> Play:
    """Draw a board: squares and single pieces on it, or columns with hardly any room left."""
    width, height, stick, square = sizes(draw, 5)
    cells = [0] * (width * height)
    if draw.integer(0, 2) == 2:
        odd = draw.integer(0, 1)
        for c in range(width):
            free = draw.integer(0, min(stick, height))
            for r in range(free, height):
                cells[r * width + c] = 1 + ((r + c + odd) % 2 ^ draw.chance(6))
        for _ in draw.several(3, 1):
            cells[draw.integer(0, len(cells) - 1)] = 0
    else:
        for _ in draw.several(3, 4):
            side = square + draw.chance(5)
            colour = draw.integer(1, 2)
            top, left = draw.integer(0, height - square), draw.integer(0, width - square)
            for r in range(top, min(top + side, height)):
                for c in range(left, min(left + side, width)):
                    cells[r * width + c] = colour
        for _ in draw.several(8, 5):
            cells[draw.integer(0, len(cells) - 1)] = draw.integer(0, 2)
    pieces = tuple((*divmod(i, width), cell) for i, cell in enumerate(cells) if cell)
    return Play(width, height, stick, square, pieces=pieces)


def _squares(play: Play, cells: list[int]) -> set[int]:
    """Return the colours that have a square."""
    side, width = play.square, play.width
    found = set()
    for r in range(play.height - side + 1):
        for c in range(width - side + 1):
            held = {cells[(r + i) * width + c + j] for i in range(side) for j in range(side)}
            found |= held if len(held) == 1 else set()
    return found - {0}


def outcome_rule(name: str, says: str, concerns: Callable[[int, int], bool], share: float = 1.0) -> Rule[Play]:
    """Make a rule about game_outcome, from the outcome that petteia sees and the number of colours with a square."""

    def judge(target: Library, play: Play) -> Judgement:
        step, answers = _outcome(target, play)
        if step is None:
            return False
        expected = int(play.game(step.before).outcome())
        if not concerns(expected, len(_squares(play, step.before))):
            return False
        if step.death:
            return step.died(target)
        if answers[-2][0] != expected:
            return step.finding(
                target,
                says,
                f"game_outcome returns {OUTCOMES[expected]}",
                f"game_outcome returns {OUTCOMES[answers[-2][0]]}",
            )
        return True

    return Rule(name, says, boards, judge, Play.shorter, share=share)


def _outcome(target: Library, play: Play) -> tuple[Step | None, list[list[int]]]:
    calls = [*play.calls(), (NEXT, 0), (CELLS,), (OUTCOME,), (CELLS,)]
    answers, death = target.call(calls)
    if len(answers) < len(calls) - 2 or 3 in answers[len(calls) - 3]:
        return None, answers
    step = Step(play, (OUTCOME,), [*play.calls(), (OUTCOME,)], answers[len(calls) - 3])
    if len(answers) == len(calls) - 2:
        return replace(step, death=death), answers
    return (step if len(answers) == len(calls) else None), answers


def _outcome_looks_only(target: Library, play: Play) -> Judgement:
    step, answers = _outcome(target, play)
    if step is None or step.death:
        return False
    if answers[-1] != step.before:
        return step.finding(
            target,
            "game_outcome reports how the game stands and leaves the board alone",
            play.show(step.before),
            play.show(answers[-1]),
            play.picture("after", answers[-1]),
        )
    if answers[-2][1] != 0:
        return step.finding(target, "game_outcome leaves the turn alone", "g->next is black's", "g->next changed")
    return True


@dataclass(frozen=True)
class Edit:
    """Cells that are set on a new board, one after another, and one that is asked for off the board."""

    width: int
    height: int
    kind: int
    sets: tuple[tuple[int, int, int], ...] = ()
    off: tuple[int, ...] = ()

    @property
    def play(self) -> Play:
        """The game that the board belongs to."""
        return Play(self.width, self.height, kind=self.kind, pieces=self.sets)


def edits(kind: int, again: bool) -> Callable[[Draw], Edit]:
    """Return what draws cells to set, each once or some of them again."""

    def draw_edit(draw: Draw) -> Edit:
        most = 40 if draw.chance(6) else 6
        width, height = draw.integer(2, most), draw.integer(2, 6)
        sets: list[tuple[int, int, int]] = []
        for _ in draw.several(20, 9):
            if again and sets and draw.integer(0, 1):
                r, c, _ = sets[draw.integer(0, len(sets) - 1)]
            else:
                r, c = draw.integer(0, height - 1), draw.integer(0, width - 1)
            if again or (r, c) not in [(y, x) for y, x, _ in sets]:
                sets.append((r, c, draw.integer(0 if again else 1, 2)))
        return Edit(width, height, kind, tuple(sets))

    return draw_edit


def get_set_rule(name: str, says: str, kind: int, again: bool) -> Rule[Edit]:
    """Make a rule about board_get after board_set."""

    def judge(target: Library, edit: Edit) -> Judgement:
        play = edit.play
        calls = [*play.calls(), (CELLS,)]
        answers, death = target.call(calls)
        if not answers:
            return False
        cells = [0] * (edit.width * edit.height)
        for r, c, cell in edit.sets[: max(0, len(answers) - 1)]:
            cells[r * edit.width + c] = cell
        if death:
            last = calls[len(answers)]
            last = (GET, 0, 0) if last == (CELLS,) else last
            done = [*calls[: len(answers)], last]
            return Step(play, last, done, cells, death=death).died(target)
        if answers[-1] == cells:
            return bool(edit.sets) or not again
        wrong = next(i for i, cell in enumerate(cells) if answers[-1][i] != cell)
        at = (GET, *divmod(wrong, edit.width))
        return Step(play, at, [*calls[:-1], at], cells).finding(
            target,
            says,
            f"board_get returns {CELL_NAMES[cells[wrong]]}",
            f"board_get returns {CELL_NAMES[answers[-1][wrong]]}",
        )

    return Rule(name, says, edits(kind, again), judge)


def bounds_rule(name: str, says: str, kind: int) -> Rule[Edit]:
    """Make a rule about places off the board."""

    def draw_off(draw: Draw) -> Edit:
        width, height = draw.integer(2, 6), draw.integer(2, 6)
        which = draw.integer(0, 2)
        far = draw.choice([0, 1, 30])
        r = height + far if which != 1 else draw.integer(0, height - 1)
        c = width + far if which != 0 else draw.integer(0, width - 1)
        if draw.chance(6):
            r, c = (-1, c) if which == 0 else (r, -1)
        return Edit(width, height, kind, (), (draw.choice([GET_OFF, SET_OFF]), r, c, 1))

    def judge(target: Library, edit: Edit) -> Judgement:
        call = edit.off if edit.off[0] == SET_OFF else edit.off[:3]
        calls = [*edit.play.calls(), call]
        answers, _ = target.call(calls)
        if len(answers) < 2:
            return False
        returned, code = answers[-1]
        report = sanitizer_report(target.driver.stderr())
        if not returned and (code > 0 and code != SANITIZER_EXIT or code == -signal.SIGABRT) and not report:
            return True
        got = "the call returns as if nothing were wrong"
        if not returned:
            got = report or (
                "the program ends with exit code 0, which says that all is well"
                if code == 0
                else f"the program is ended by {signal.Signals(-code).name}"
            )
        step = Step(edit.play, call, calls, [0] * (edit.width * edit.height))
        expected = "an error: a message on stderr and the end of the program with an exit code that is not 0"
        return step.finding(target, says, expected, got)

    return Rule(name, says, draw_off, judge, share=0.3)


def _new_game(target: Library, play: Play) -> Judgement:
    calls: list[Call] = [*play.calls(), (STRUCT,), (CELLS,)]
    answers, death = target.call(calls)
    step = Step(play, calls[0], [calls[0], (STRUCT,)], [])
    if death:
        return replace(step, death=death, done=calls[:1]).died(target) if not answers else False
    wanted = (play.stick, play.square, 0, play.width, play.height, 0)
    names = ("g->stick", "g->square", "g->next", "g->b->width", "g->b->height", "g->b->type")
    for what, right, value in zip(names, wanted, answers[1]):
        if right != value:
            named = {"g->next": ("BLACK_NEXT", "WHITE_NEXT", "no turn"), "g->b->type": (*KINDS, "no type")}
            words = named.get(what, range(1 << 31))
            if what == "g->next":
                summary = "a game starts with black to move"
            else:
                summary = "new_game keeps what it is given"
            return step.finding(target, summary, f"{what} is {words[right]}", f"{what} is {words[value]}")
    if any(answers[2]):
        empty = [0] * len(answers[2])
        return step.finding(target, "a new board is empty", play.show(empty), play.show(answers[2]))
    return True


def _make_pos(target: Library, at: tuple[int, int]) -> Judgement:
    call = (MAKE_POS, *at)
    answers, death = target.call([call])
    step = Step(Play(2, 2), call, [call], [], death=death)
    if death:
        return step.died(target)
    if tuple(answers[0]) != at:
        says = "make_pos makes a pos of a row and a column"
        return step.finding(target, says, f"r = {at[0]}, c = {at[1]}", f"r = {answers[0][0]}, c = {answers[0][1]}")
    return True


def _draw_show(draw: Draw) -> Play:
    most = draw.choice([4, 12, 40, 66])
    width, height = draw.integer(2, most), draw.integer(2, most if draw.chance(3) else 4)
    places = {(draw.integer(0, height - 1), draw.integer(0, width - 1)): draw.integer(1, 2) for _ in draw.several(4)}
    return Play(width, height, pieces=tuple((*place, cell) for place, cell in sorted(places.items())))


def shown(text: str, play: Play, cells: list[int]) -> bool:
    """Return whether a text shows a board as the document has it.

    Copies of the headers below and to the right are allowed, and blanks at the ends of lines cannot be seen.
    """
    wanted = play.show(cells).splitlines()
    lines = [line.rstrip() for line in text.rstrip("\n").split("\n")]
    rows = [
        line if line == row else line.removesuffix(f" {row[0]}")
        for line, row in zip(lines[2:], wanted[2:])
    ]
    rest = [line for line in lines[len(wanted) :] if line]
    return lines[:2] + rows == wanted and rest in ([], [wanted[0]])


def _show(target: Library, play: Play) -> Judgement:
    calls = [*play.calls(), (CELLS,), (SHOW,)]
    answers, death = target.call(calls)
    if len(answers) < len(calls) - 1 or 3 in answers[len(calls) - 2]:
        return False
    step = Step(play, (SHOW,), [*play.calls(), (SHOW,)], answers[len(calls) - 2], death=death)
    if death:
        return step.died(target)
    text = bytes(answers[-1]).decode("ascii", "replace")
    if shown(text, play, step.before):
        return True
    summary = "board_show prints the board in the document's format"
    return step.finding(target, summary, play.show(step.before), text)


def _words(play: Play, cells: list[int]) -> list[int]:
    words = [0] * ((len(cells) + 15) // 16)
    for i, cell in enumerate(cells):
        words[i // 16] |= cell << 2 * (i % 16)
    return words


def _bits_words(target: Library, play: Play) -> Judgement:
    calls = [(NEW_BOARD, 1, play.width, play.height), (WORDS,)]
    answers, death = target.call(calls)
    step = Step(play, calls[0], calls[:1], [], death=death)
    if death:
        return step.died(target) if not answers else False
    size, words = answers[1][0], len(_words(play, [0] * (play.width * play.height)))
    if size in (-1, 4 * words):
        return size >= 0
    cells = f"{play.width * play.height} cells at 16 a word"
    got = f"{size} bytes, which is {size // 4} words" + (f" and {size % 4} bytes" if size % 4 else "")
    summary = "a bits board has precisely as many array elements as its cells need"
    return step.finding(target, summary, f"{4 * words} bytes, which is {words} words: {cells}", got)


def _bits_layout(target: Library, edit: Edit) -> Judgement:
    play = edit.play
    calls: list[Call] = [*play.calls(), (WORDS,)]
    answers, death = target.call(calls)
    if death or not answers:
        return False
    cells = [0] * (edit.width * edit.height)
    for r, c, cell in edit.sets:
        cells[r * edit.width + c] = cell
    wanted, got = _words(play, cells), [word % (1 << 32) for word in answers[-1][1:]]
    # The document leaves the bits beyond the last cell unused: whatever they hold is fine.
    used = len(cells) % 16
    if used and len(got) == len(wanted):
        got[-1] &= (1 << 2 * used) - 1
    if got[: len(wanted)] == wanted:
        return True
    if len(got) < len(wanted):
        return False
    summary = "two bits a cell, row by row from the top left, the first cell in the lowest bits of the first word"
    step = Step(play, (WORDS,), calls, cells)
    return replace(step, call=calls[-2]).finding(
        target, summary, " ".join(f"{word:08x}" for word in wanted), " ".join(f"{word:08x}" for word in got)
    )


def _draw_small(draw: Draw) -> Play:
    return Play(draw.integer(1, 40 if draw.chance(4) else 9), draw.integer(1, 9))


def _same(draw: Draw) -> Play:
    play = boards(draw) if draw.chance(3) else games(draw)
    if play.pieces:
        moves = tuple(_move(draw, play.width, play.stick) for _ in draw.several(4))
        play = replace(play, moves=moves)
    return play


def _bits_like_matrix(target: Library, play: Play) -> Judgement:
    calls = [*play.calls(), (STRUCT,), (CELLS,)]
    for index in range(len(play.moves)):
        calls += [*play.move(index), (CELLS,), (OUTCOME,)]
    calls.append((SHOW,))
    matrix, death = target.call(calls)
    if death:
        return False
    bits_play = replace(play, kind=1)
    bits_calls = [bits_play.calls()[0], *calls[1:]]
    bits, death = target.call(bits_calls)
    at = len(play.calls())
    matrix[at] = [*matrix[at][:-1], 1]
    for i, call in enumerate(calls):
        if i < len(bits) and bits[i] == matrix[i]:
            continue
        moves = sum(c[0] in (DROP_STICK, BREAKDOWN) for c in calls[: i + 1])
        shown = replace(bits_play, moves=play.moves[:moves])
        done = [c for c in bits_calls[: i + 1] if c[0] != CELLS and (c[0] != OUTCOME or c is call)]
        cells = next((matrix[j] for j in range(i - 1, -1, -1) if calls[j] == (CELLS,)), [])
        # A difference in the cells is the doing of the call before.
        cause = next(c for c in reversed(bits_calls[: i + 1]) if c[0] not in (CELLS, NEXT)) if call == (CELLS,) else call
        step = Step(shown, bits_calls[0] if cause == (STRUCT,) else cause, done, cells, death=death)
        if i >= len(bits):
            return step.died(target)
        words = _in_words(shown, call)
        return step.finding(
            target, "a bits board behaves as a matrix board does", words(matrix[i]), words(bits[i])
        )
    return True


def _in_words(play: Play, call: Call) -> Callable[[list[int]], str]:
    if call == (CELLS,):
        return play.show
    if call == (SHOW,):
        return lambda answer: bytes(answer).decode("ascii", "replace")
    if call == (OUTCOME,):
        return lambda answer: f"game_outcome returns {OUTCOMES[answer[0]]}"
    if call[0] == DROP_STICK:
        return lambda answer: f"drop_stick returns {answer[0]}"
    return str


def _memory(target: Library, play: Play) -> Judgement:
    calls = play.calls()
    for index in range(len(play.moves)):
        calls += play.move(index)
    calls += [(SHOW,), (OUTCOME,), (FREE_GAME,)]
    answers, death = target.call(calls)
    step = Step(play, calls[-1], calls, [], death=death)
    if death:
        return step.died(target) if len(answers) == len(calls) - 1 else False
    blocks, size = answers[-1]
    if blocks:
        got = f"{blocks} block{'s' if blocks > 1 else ''} of {size} bytes in all {'are' if blocks > 1 else 'is'} not freed"
        return step.finding(target, "game_free frees everything that the game has taken", "all memory is freed", got)
    return True


def _kinds(kinds: tuple[int, ...]) -> Callable[[Draw], Play]:
    return lambda draw: replace(games(draw), kind=draw.choice(kinds))


def rules(bits: bool = True) -> list[Rule[Play] | Rule[Edit] | Rule[tuple[int, int]]]:
    """Return the rules of the document, those of its first part only if there are no bits boards yet."""
    both = (int(Outcome.BLACK_WIN), int(Outcome.WHITE_WIN))
    drop = _is_drop
    found: list[Rule[Play] | Rule[Edit] | Rule[tuple[int, int]]] = [
        Rule("make-pos", "make_pos makes a pos of a row and a column", lambda d: (d.integer(0, 99), d.integer(0, 99)),
             _make_pos, share=0.1),
        Rule("new-game", "new_game makes an empty board, keeps what it is given, and black moves first",
             lambda d: Play(*sizes(d)), _new_game, share=0.3),
        get_set_rule("get-set", "board_get returns what board_set has put there", 0, again=False),
        get_set_rule("overwrite", "board_set replaces what a cell held before", 0, again=True),
        bounds_rule("bounds", "board_get and board_set raise an error for a place that is not on the board", 0),
        Rule("show", "board_show prints labels and rows in the document's format", _draw_show, _show, Play.shorter,
             share=0.5),
        moves_rule("upright-room", "an upright stick is refused exactly when its column has no room for all of it",
                   drop(True, None), _room),
        moves_rule("gravity", "an upright stick falls as far as it can", drop(True, None), _place, deaths=True),
        moves_rule("lying-room", "a lying stick is refused exactly when one of its columns is full",
                   drop(False, False), _room),
        moves_rule("overhang", "a lying stick stays in one piece and rests on the first thing under any part of it",
                   drop(False, False), _place, deaths=True),
        moves_rule("right-edge", "a lying stick that would reach past the right edge is refused",
                   drop(False, True), _room, deaths=True, cases=_past_edge),
        moves_rule("colour", "a stick has the colour of the player whose turn it is",
                   lambda step: step.call[0] == DROP_STICK, _colour),
        moves_rule("breakdown-falls", "breakdown lets every cell fall that has air beneath it",
                   lambda step: step.call[0] == BREAKDOWN, _place, deaths=True),
        moves_rule("breakdown-order", "the cells of a column keep their order when they fall",
                   lambda step: step.call[0] == BREAKDOWN, _colour),
        moves_rule("turn", "drop_stick and breakdown leave the turn alone", lambda step: True, _turn),
        outcome_rule("win", "the colour that alone has a square has won", lambda o, n: o in both),
        outcome_rule("both-squares", "it is a draw when both colours have a square, whoever has more or larger ones",
                     lambda o, n: n == 2),
        outcome_rule("draw", "it is a draw when no stick fits anywhere and a breakdown would change nothing",
                     lambda o, n: o == Outcome.DRAW and n == 0),
        outcome_rule("in-progress", "the game goes on while a stick fits or a breakdown would change something",
                     lambda o, n: o == Outcome.IN_PROGRESS),
        Rule("outcome-looks-only", "game_outcome changes nothing", boards, _outcome_looks_only, Play.shorter,
             share=0.5),
        Rule("memory", "game_free frees everything", _kinds((0, 1) if bits else (0,)), _memory,
             Play.shorter, share=0.5),
        moves_rule("column-off-board", "a column that is not on the board finds no room",
                   lambda step: step.call[0] == DROP_STICK and not 0 <= step.call[1] < step.play.width, _room, True, _off_board, True, 0.1),
    ]  # fmt: skip
    if bits:
        found[-1:-1] = [
            Rule("bits-words", "a bits board has precisely as many array elements as its cells need",
                 _draw_small, _bits_words, share=0.5),
            get_set_rule("bits-get-set", "on a bits board, board_get returns what board_set has put there", 1, False),
            get_set_rule("bits-overwrite", "on a bits board, board_set replaces what a cell held before", 1, True),
            Rule("bits-layout", "two bits a cell, row by row, the first cell in the lowest bits of the first word",
                 edits(1, again=False), _bits_layout),
            bounds_rule("bits-bounds", "on a bits board, a place that is not on the board is an error", 1),
            Rule("bits-like-matrix", "a bits board behaves as a matrix board does", _same, _bits_like_matrix,
                 Play.shorter),
        ]  # fmt: skip
    return found


def compile_line(paths: list[Path], include: Path) -> Source:
    """Return how a program that repeats a game is compiled with these sources or this library."""
    return Source(" ".join([f"-I{include}", *map(str, paths)]))
