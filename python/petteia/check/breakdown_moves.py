"""Rules about Breakdown's moves and outcomes, and the games to test them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .breakdown import (
    CELLS,
    COLOURS,
    DROP_STICK,
    NEXT,
    OUTCOME,
    OUTCOMES,
    Library,
    Play,
    Step,
    steps,
)
from .rules import Draw, Judgement, Rule

# An opinion on a step: False for none, True if it is right, else what was expected, what came, and the
# expected board.
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
    """Draw parameters such that a stick and a square fit on the board."""
    more = 8 if draw.chance(12) else 0
    width, height = draw.integer(2, most + more), draw.integer(2, most + more)
    stick = draw.integer(2, min(4, max(width, height)))
    square = draw.integer(2, min(4, width, height))
    return width, height, stick, square


def games(draw: Draw) -> Play:
    """Draw a game from the empty board."""
    width, height, stick, square = sizes(draw)
    moves = tuple(a_move(draw, width, stick) for _ in draw.several(3 * width, 12))
    return Play(width, height, stick, square, moves=moves)


def a_move(draw: Draw, width: int, stick: int) -> tuple[str, int]:
    """Draw a move whose stick stays on the board: sticks past the edge have their own rule."""
    kind = draw.choice("|-|-!" if stick <= width else "|!")
    last = {"|": width - 1, "-": width - stick, "!": 0}[kind]
    return kind, draw.integer(0, last)


def room(step: Step, result: bool, board: list[int]) -> Opinion:
    words = ("0: there is no room", "1: there is room")
    if bool(step.answer[0]) != result:
        return f"drop_stick returns {words[result]}", f"drop_stick returns {words[step.answer[0]]}", []
    if not result and list(step.after) != step.before:
        return (
            "the board stays as it was:\n" + step.play.show(step.before),
            "drop_stick returns 0, but the board changes:\n" + step.play.show(list(step.after)),
            step.before,
        )
    return True


def place(step: Step, result: bool, board: list[int]) -> Opinion:
    if not result or (step.call[0] == DROP_STICK and not step.answer[0]):
        return False
    if [bool(cell) for cell in step.after] != [bool(cell) for cell in board]:
        return step.play.show(board), step.play.show(list(step.after)), board
    return True


def colour(step: Step, result: bool, board: list[int]) -> Opinion:
    if not place(step, result, board) or isinstance(place(step, result, board), tuple):
        return False
    if list(step.after) != board:
        return step.play.show(board), step.play.show(list(step.after)), board
    return True


def turn(step: Step, result: bool, board: list[int]) -> Opinion:
    if step.answer[-1] != step.turn:
        return (
            f"g->next is still {COLOURS[step.turn]}'s: the caller changes the turn",
            f"g->next is {COLOURS[step.answer[-1]]}'s after the call",
            [],
        )
    return True


def is_drop(upright: bool, past: bool | None) -> Callable[[Step], bool]:
    def concerns(step: Step) -> bool:
        if step.call[0] != DROP_STICK or bool(step.call[2]) != upright:
            return False
        return past is None or (step.call[1] + step.play.stick > step.play.width) == past

    return concerns


def past_edge(draw: Draw) -> Play:
    """Draw a game whose last stick lies and reaches past the right edge."""
    play = games(draw)
    first = max(0, play.width - play.stick + 1)
    return replace(play, moves=(*play.moves[:6], ("-", draw.integer(first, play.width - 1))))


def off_board(draw: Draw) -> Play:
    play = games(draw)
    column = draw.choice([play.width, play.width + 1, -1])
    return replace(play, moves=(*play.moves[:3], (draw.choice("|-"), column)))


def boards(draw: Draw) -> Play:
    """Draw a board with squares and single pieces, or with nearly full columns."""
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


def outcome_rule(
    name: str, says: str, concerns: Callable[[int, int], bool], share: float = 1.0
) -> Rule[Play]:
    """Make a rule about game_outcome, for some outcomes and numbers of colours with a square."""

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


def outcome_looks_only(target: Library, play: Play) -> Judgement:
    step, answers = _outcome(target, play)
    if step is None or step.death:
        return False
    if answers[-1] != step.before:
        return step.finding(
            target,
            "game_outcome does not change the board",
            play.show(step.before),
            play.show(answers[-1]),
            play.picture("after", answers[-1]),
        )
    if answers[-2][1] != 0:
        return step.finding(
            target, "game_outcome does not change the turn", "g->next is black's", "g->next changed"
        )
    return True
