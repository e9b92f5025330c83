"""Rules about Breakdown's moves and outcomes, and the games to test them on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .breakdown import (
    BREAKDOWN,
    CELLS,
    COLOURS,
    DROP_STICK,
    NEXT,
    OUTCOME,
    OUTCOMES,
    Call,
    Library,
    Play,
    Step,
    name,
    steps,
    stopped,
)
from .rules import Draw, Judgement, Rule, Stopped

# An opinion on a step: False for none, True if it is right, else what was expected, what came, and the
# expected board.
Opinion = bool | tuple[str, str, list[int]]


def moves_rule(
    called: str,
    says: str,
    concerns: Callable[[Step], bool],
    opinion: Callable[[Step, bool, list[int]], Opinion],
    cases: Callable[[Draw], Play] | None = None,
    note: bool = False,
    share: float = 1.0,
    after: tuple[str, ...] = (),
) -> Rule[Play]:
    """Make a rule about one kind of move, from an opinion on a step, petteia's result and petteia's board."""

    def judge(target: Library, play: Play) -> Judgement:
        tested = False
        for step in steps(target, play):
            if isinstance(step, Stopped):
                return step
            if not concerns(step):
                continue
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

    return Rule(called, says, cases or games, judge, Play.shorter, note=note, share=share, after=after)


def sizes(draw: Draw, most: int = 6) -> tuple[int, int, int, int]:
    """Draw parameters such that a stick and a square fit on the board."""
    more = 8 if draw.chance(12) else 0
    width, height = draw.integer(2, most + more), draw.integer(2, most + more)
    stick = draw.integer(2, min(4, max(width, height)))
    square = draw.integer(2, min(4, width, height))
    return width, height, stick, square


def games(draw: Draw, kinds: str = "|-|-!") -> Play:
    """Draw a game from the empty board."""
    width, height, stick, square = sizes(draw)
    moves = tuple(a_move(draw, width, stick, kinds) for _ in draw.several(3 * width, 12))
    return Play(width, height, stick, square, moves=moves)


def drops(draw: Draw) -> Play:
    """Draw a game without breakdowns, which have their own rules."""
    return games(draw, "|-")


def a_move(draw: Draw, width: int, stick: int, kinds: str = "|-|-!") -> tuple[str, int]:
    """Draw a move whose stick stays on the board: sticks past the edge have their own rule."""
    kind = draw.choice(kinds if stick <= width else kinds.replace("-", ""))
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


def claiming(rule: Rule[Play]) -> Rule[Play]:
    """Return a rule about lying sticks past the edge that is also about how such a call ends."""

    def judge(target: Library, play: Play) -> Judgement:
        said = rule.judge(target, play)
        column = play.moves[-1][1] if play.moves else 0
        past = column + play.stick > play.width
        if isinstance(said, Stopped) and past and said.finding.call == name((DROP_STICK, column, 0)):
            return replace(said.finding, summary=rule.says, about="")
        return said

    return replace(rule, judge=judge)


def past_edge(draw: Draw) -> Play:
    """Draw a game whose last stick lies and reaches past the right edge."""
    play = drops(draw)
    first = max(0, play.width - play.stick + 1)
    return replace(play, moves=(*play.moves[:6], ("-", draw.integer(first, play.width - 1))))


def off_board(draw: Draw) -> Play:
    play = games(draw)
    column = draw.choice([play.width, play.width + 1, -1])
    return replace(play, moves=(*play.moves[:3], (draw.choice("|-"), column)))


def boards(draw: Draw, both: bool = False) -> Play:
    """Draw a board with squares and single pieces, or with nearly full columns.

    With `both`, there are squares of either colour, unless one covers the other.
    """
    width, height, stick, square = sizes(draw, 5)
    cells = [0] * (width * height)
    if not both and draw.integer(0, 2) == 2:
        odd = draw.integer(0, 1)
        for c in range(width):
            free = draw.integer(0, min(stick, height))
            for r in range(free, height):
                cells[r * width + c] = 1 + ((r + c + odd) % 2 ^ draw.chance(6))
        for _ in draw.several(3, 1):
            cells[draw.integer(0, len(cells) - 1)] = 0
    else:
        for number in range(-1, 2) if both else draw.several(3, 4):
            side = square + draw.chance(5)
            colour = 1 + number % 2 if both else draw.integer(1, 2)
            top, left = draw.integer(0, height - square), draw.integer(0, width - square)
            for r in range(top, min(top + side, height)):
                for c in range(left, min(left + side, width)):
                    cells[r * width + c] = colour
        for _ in draw.several(0 if both else 8, 5):
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
    called: str,
    says: str,
    concerns: Callable[[int, int], bool],
    after: tuple[str, ...] = (),
    cases: Callable[[Draw], Play] = boards,
) -> Rule[Play]:
    """Make a rule about game_outcome, for some outcomes and numbers of colours with a square."""

    def judge(target: Library, play: Play) -> Judgement:
        said = _outcome(target, play)
        if isinstance(said, (Stopped, bool)):
            return said
        step, got = said
        squares = len(_squares(play, step.before))
        expected = int(play.game(step.before).outcome())
        if not concerns(expected, squares):
            return False
        if got == expected:
            return True
        if not squares and {got, expected} == {2, 3} and got == _by_its_own_moves(target, play):
            # It is wrong about a move, not about the end: the rules of that move tell.
            return False
        return step.finding(
            target,
            says,
            f"game_outcome returns {OUTCOMES[expected]}",
            f"game_outcome returns {OUTCOMES[got]}",
        )

    return Rule(called, says, cases, judge, Play.shorter, after=after)


def _by_its_own_moves(target: Library, play: Play) -> int | None:
    """Return the outcome of a board without squares by the implementation's own moves, if all return."""
    moves: list[Call] = [(DROP_STICK, column, kind) for column in range(play.width) for kind in (0, 1)]
    ask: list[Call] = [*play.calls(), (CELLS,), (BREAKDOWN,), (CELLS,)]
    marks = []
    for move in moves:
        ask += [*play.calls(), move]
        marks.append(len(ask) - 1)
    answers, death = target.call(ask)
    if death or len(answers) < len(ask):
        return None
    falls = answers[len(play.calls())] != answers[len(play.calls()) + 2]
    return 3 if falls or any(answers[at][0] for at in marks) else 2


def _outcome(target: Library, play: Play) -> tuple[Step, int] | Stopped | bool:
    """Return a call of game_outcome and its result, or how it could not be judged."""
    calls: list[Call] = [*play.calls(), (NEXT, 0), (CELLS,), (OUTCOME,), (CELLS,)]
    answers, death = target.call(calls)
    if len(answers) < len(calls):
        return stopped(target, play, calls, answers, death) if death else False
    at = len(calls) - 3
    if 3 in answers[at]:
        return False
    step = Step(play, (OUTCOME,), [*play.calls(), (OUTCOME,)], answers[at], answer=tuple(answers[at + 1]))
    return replace(step, after=tuple(answers[at + 2])), answers[at + 1][0]


def outcome_looks_only(target: Library, play: Play) -> Judgement:
    said = _outcome(target, play)
    if isinstance(said, (Stopped, bool)):
        return said
    step, _ = said
    if list(step.after) != step.before:
        return step.finding(
            target,
            "game_outcome does not change the board",
            play.show(step.before),
            play.show(list(step.after)),
            play.picture("after", list(step.after)),
        )
    if step.answer[1] != 0:
        return step.finding(
            target, "game_outcome does not change the turn", "g->next is black's", "g->next changed"
        )
    return True
