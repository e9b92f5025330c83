"""Rules about Breakdown's boards: what they contain, and how they are shown, stored and freed."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, replace

from .breakdown import (
    BREAKDOWN,
    CELL_NAMES,
    CELLS,
    DROP_STICK,
    FREE_GAME,
    GET,
    GET_OFF,
    KINDS,
    MAKE_POS,
    NEW_BOARD,
    NEXT,
    OUTCOME,
    OUTCOMES,
    SET_OFF,
    SHOW,
    STRUCT,
    WORDS,
    Call,
    Library,
    Play,
    Step,
    shown,
    stopped,
)
from .breakdown_moves import a_move, boards, games
from .rules import Draw, Judgement, Rule
from .sandbox import SANITIZER_EXIT, sanitizer_report


@dataclass(frozen=True)
class Edit:
    """Cells to set on a new board, one after another, and a call with a place off the board."""

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
    """Return a function that draws cells to set, each once or some of them again."""

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


def get_set_rule(name: str, says: str, kind: int, again: bool, after: tuple[str, ...] = ()) -> Rule[Edit]:
    """Make a rule about board_get after board_set."""

    def judge(target: Library, edit: Edit) -> Judgement:
        play = edit.play
        calls: list[Call] = [*play.calls(), (CELLS,)]
        answers, death = target.call(calls)
        if len(answers) < len(calls):
            return stopped(target, play, calls, answers, death) if death else False
        cells = [0] * (edit.width * edit.height)
        for r, c, cell in edit.sets:
            cells[r * edit.width + c] = cell
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

    return Rule(name, says, edits(kind, again), judge, after=after)


def bounds_rule(name: str, says: str, kind: int, after: tuple[str, ...] = ()) -> Rule[Edit]:
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
        answers, death = target.call(calls)
        if len(answers) < 2:
            return stopped(target, edit.play, calls, answers, death) if death else False
        returned, code = answers[-1]
        report = sanitizer_report(target.driver.stderr())
        if not returned and ((code > 0 and code != SANITIZER_EXIT) or code == -signal.SIGABRT) and not report:
            return True
        got = "the call returns as if nothing were wrong"
        if not returned:
            got = report or (
                "the program ends with exit code 0, which means success"
                if code == 0
                else f"the program is killed by {signal.Signals(-code).name}"
            )
        step = Step(edit.play, call, calls, [0] * (edit.width * edit.height))
        expected = "an error: a message on stderr, and the program ends with a nonzero exit code"
        return step.finding(target, says, expected, got)

    return Rule(name, says, draw_off, judge, share=0.3, after=after)


def new_game(target: Library, play: Play) -> Judgement:
    calls: list[Call] = [*play.calls(), (STRUCT,), (CELLS,)]
    answers, death = target.call(calls)
    step = Step(play, calls[0], [calls[0], (STRUCT,)], [])
    if len(answers) < len(calls):
        return stopped(target, play, calls, answers, death) if death else False
    wanted = (play.stick, play.square, 0, play.width, play.height, 0)
    names = ("g->stick", "g->square", "g->next", "g->b->width", "g->b->height", "g->b->type")
    for what, right, value in zip(names, wanted, answers[1]):
        if right != value:
            named = {
                "g->next": ("BLACK_NEXT", "WHITE_NEXT", "an invalid turn"),
                "g->b->type": (*KINDS, "an invalid type"),
            }
            words = named.get(what, range(1 << 31))
            if what == "g->next":
                summary = "a game starts with black to move"
            else:
                summary = "new_game keeps its arguments"
            return step.finding(target, summary, f"{what} is {words[right]}", f"{what} is {words[value]}")
    if any(answers[2]):
        empty = [0] * len(answers[2])
        return step.finding(target, "a new board is empty", play.show(empty), play.show(answers[2]))
    return True


def make_pos(target: Library, at: tuple[int, int]) -> Judgement:
    call = (MAKE_POS, *at)
    answers, death = target.call([call])
    step = Step(Play(2, 2), call, [call], [])
    if not answers:
        return stopped(target, step.play, [call], [], death) if death else False
    if tuple(answers[0]) != at:
        says = "make_pos returns a pos with the given row and column"
        return step.finding(
            target, says, f"r = {at[0]}, c = {at[1]}", f"r = {answers[0][0]}, c = {answers[0][1]}"
        )
    return True


def shown_boards(draw: Draw) -> Play:
    most = draw.choice([4, 12, 40, 66])
    width, height = draw.integer(2, most), draw.integer(2, most if draw.chance(3) else 4)
    places = {
        (draw.integer(0, height - 1), draw.integer(0, width - 1)): draw.integer(1, 2) for _ in draw.several(4)
    }
    return Play(width, height, pieces=tuple((*place, cell) for place, cell in sorted(places.items())))


def show(target: Library, play: Play) -> Judgement:
    calls = [*play.calls(), (CELLS,), (SHOW,)]
    answers, death = target.call(calls)
    if len(answers) < len(calls):
        return stopped(target, play, calls, answers, death) if death else False
    if 3 in answers[len(calls) - 2]:
        return False
    step = Step(play, (SHOW,), [*play.calls(), (SHOW,)], answers[len(calls) - 2])
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


def bits_words(target: Library, play: Play) -> Judgement:
    calls: list[Call] = [(NEW_BOARD, 1, play.width, play.height), (WORDS,)]
    answers, death = target.call(calls)
    step = Step(play, calls[0], calls, [])
    if len(answers) < 2:
        return stopped(target, play, calls, answers, death) if death else False
    size, words = answers[1][0], len(_words(play, [0] * (play.width * play.height)))
    if size in (-1, 4 * words):
        return size >= 0
    cells = f"{play.width * play.height} cells at 16 per word"
    got = f"{size} bytes, which is {size // 4} words" + (f" and {size % 4} bytes" if size % 4 else "")
    summary = "a bits board has exactly as many array elements as its cells need"
    return step.finding(target, summary, f"{4 * words} bytes, which is {words} words: {cells}", got)


def bits_layout(target: Library, edit: Edit) -> Judgement:
    play = edit.play
    calls: list[Call] = [*play.calls(), (WORDS,)]
    answers, death = target.call(calls)
    if len(answers) < len(calls):
        return stopped(target, play, calls, answers, death) if death else False
    cells = [0] * (edit.width * edit.height)
    for r, c, cell in edit.sets:
        cells[r * edit.width + c] = cell
    wanted, got = _words(play, cells), [word % (1 << 32) for word in answers[-1][1:]]
    # The bits beyond the last cell are unused: the document leaves their value open.
    used = len(cells) % 16
    if used and len(got) == len(wanted):
        got[-1] &= (1 << 2 * used) - 1
    if got[: len(wanted)] == wanted:
        return True
    if len(got) < len(wanted):
        return False
    summary = "two bits per cell, row by row from the top left, with the first cell in the lowest bits"
    step = Step(play, (WORDS,), calls, cells)
    return replace(step, call=calls[-2]).finding(
        target, summary, " ".join(f"{word:08x}" for word in wanted), " ".join(f"{word:08x}" for word in got)
    )


def small_boards(draw: Draw) -> Play:
    return Play(draw.integer(2, 40 if draw.chance(4) else 9), draw.integer(2, 9))


def both_kinds(draw: Draw) -> Play:
    play = boards(draw) if draw.chance(3) else games(draw)
    if play.pieces:
        moves = tuple(a_move(draw, play.width, play.stick) for _ in draw.several(4))
        play = replace(play, moves=moves)
    return play


def bits_like_matrix(target: Library, play: Play) -> Judgement:
    calls = [*play.calls(), (STRUCT,), (CELLS,)]
    for index in range(len(play.moves)):
        calls += [*play.move(index), (CELLS,), (OUTCOME,)]
    calls.append((SHOW,))
    matrix, death = target.call(calls)
    if len(matrix) < len(calls):
        return stopped(target, play, calls, matrix, death) if death else False
    bits_play = replace(play, kind=1)
    bits_calls = [bits_play.calls()[0], *calls[1:]]
    bits, death = target.call(bits_calls)
    if death and len(bits) < len(calls):
        return stopped(target, bits_play, bits_calls, bits, death)
    at = len(play.calls())
    matrix[at] = [*matrix[at][:-1], 1]
    for i, call in enumerate(calls):
        if i >= len(bits) or bits[i] == matrix[i]:
            continue
        moves = sum(c[0] in (DROP_STICK, BREAKDOWN) for c in calls[: i + 1])
        shown = replace(bits_play, moves=play.moves[:moves])
        done = [c for c in bits_calls[: i + 1] if c[0] != CELLS and (c[0] != OUTCOME or c is call)]
        cells = next((matrix[j] for j in range(i - 1, -1, -1) if calls[j] == (CELLS,)), [])
        # If the cells differ, the call before is to blame.
        cause = (
            next(c for c in reversed(bits_calls[: i + 1]) if c[0] not in (CELLS, NEXT))
            if call == (CELLS,)
            else call
        )
        step = Step(shown, bits_calls[0] if cause == (STRUCT,) else cause, done, cells)
        words = _in_words(shown, call)
        return step.finding(
            target, "a bits board behaves like a matrix board", words(matrix[i]), words(bits[i])
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


def memory(target: Library, play: Play) -> Judgement:
    calls = play.calls()
    for index in range(len(play.moves)):
        calls += play.move(index)
    calls += [(SHOW,), (OUTCOME,), (FREE_GAME,)]
    answers, death = target.call(calls)
    step = Step(play, calls[-1], calls, [])
    if len(answers) < len(calls):
        return stopped(target, play, calls, answers, death) if death else False
    blocks, size = answers[-1]
    if blocks:
        got = f"{blocks} blocks of memory, {size} bytes in all, are not freed"
        return step.finding(
            target, "game_free frees everything that the game has allocated", "all memory is freed", got
        )
    return True


def of_kind(kind: int) -> Callable[[Draw], Play]:
    return lambda draw: replace(games(draw), kind=kind)
