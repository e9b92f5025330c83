"""Breakdown's play program: whole games, typed at its prompts.

Boards and prompts are found in the output by what they mean: rows of cells, and the texts that the program
prints before each player's turn. Their exact form is judged by rules of its own. Each move is judged from the
board that the program has shown before, so one mistake does not fail all later rules.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import petteia

from ..breakdown import Game
from .breakdown import LABELS, Play, shown
from .programs import Program, text_of
from .rules import Draw, Judgement, Rule, Stopped, sanitizer, watching
from .sandbox import Ran

Entry = tuple[str, int]
NAMES = ("Black", "White")
OVER = (0, 1, 2)


@dataclass(frozen=True)
class Dialogue:
    """A game as it is typed, with invalid entries too; _turns plays it to its end."""

    width: int
    height: int
    stick: int
    square: int
    entries: tuple[Entry, ...] = ()
    order: int = 0
    bits: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command line."""
        pairs = [("-w", self.width), ("-h", self.height), ("-k", self.stick), ("-q", self.square)]
        words = [[letter, str(number)] for letter, number in pairs]
        words.insert(self.order % 5, ["-b" if self.bits else "-m"])
        turn = 2 * self.order % 5
        turned = words[turn:] + words[:turn]
        return tuple(word for group in (turned if self.order else [*words[1:], words[0]]) for word in group)

    def shorter(self) -> Iterator[Dialogue]:
        """Yield the dialogues with one entry fewer."""
        for at in range(len(self.entries)):
            yield replace(self, entries=self.entries[:at] + self.entries[at + 1 :])


@dataclass(frozen=True)
class Typed:
    """What is typed at one prompt: x, ? and c stand for entries that cannot be parsed, c for a bad column."""

    mark: str
    column: int

    def __str__(self) -> str:
        if self.mark in "!x?":
            return f"{self.mark}\n"
        return "|\n*\n" if self.mark == "c" else f"{self.mark}\n{LABELS[self.column]}\n"


def _typed(dialogue: Dialogue) -> list[Typed]:
    """Return what is typed in a game to its end."""
    position = petteia.Breakdown(dialogue.width, dialogue.height, dialogue.stick, dialogue.square)
    typed: list[Typed] = []
    entries = list(dialogue.entries)
    while position.turn is not None:
        if entries:
            mark, column = entries.pop(0)
        else:
            # Legal moves bring the game to its end.
            move = position.moves[0]
            mark, column = move[0], 0 if move == "!" else LABELS.index(move[1])
        typed.append(Typed(mark, column))
        move = mark if mark == "!" else f"{mark}{LABELS[column]}"
        if move in position.moves:
            position = position.play(move)
    return typed


def _dialogue(kinds: str, go_on: int = 8) -> Callable[[Draw], Dialogue]:
    def cases(draw: Draw) -> Dialogue:
        width, height = draw.integer(2, 12 if draw.chance(8) else 5), draw.integer(2, 5)
        stick = draw.integer(2, min(3, max(width, height)))
        square = draw.integer(2, min(3, width, height))
        entries = []
        for _ in draw.several(10, go_on):
            mark = draw.choice(kinds)
            entries.append((mark, draw.integer(0, width - 1) if mark in "|-" else 0))
        return Dialogue(width, height, stick, square, tuple(entries))

    return cases


def _full(draw: Draw) -> Dialogue:
    """Draw a game in which the first column is filled, and chosen again."""
    dialogue = _dialogue("|")(draw)
    sticks = dialogue.height // dialogue.stick + 1
    return replace(dialogue, entries=(("|", 0),) * min(sticks, 3) + dialogue.entries[:3])


def _arguments(bits: bool) -> Callable[[Draw], Dialogue]:
    def cases(draw: Draw) -> Dialogue:
        dialogue = _dialogue("|-")(draw)
        return replace(dialogue, order=draw.integer(1, 4), bits=bool(bits and draw.integer(0, 1)))

    return cases


def _boards(text: str, width: int, height: int) -> list[tuple[int, int, list[int]]]:
    """Return the boards in a text, by their rows: where each starts and ends, and its cells."""
    row = re.compile(rf"^[ \t]*(?:[0-9A-Za-z?][ \t|:]*)?((?:[.*o][ \t|]*){{{width}}})[0-9A-Za-z?]?[ \t|]*$")
    found: list[tuple[int, int, list[int]]] = []
    rows: list[list[int]] = []
    start = at = 0
    for line in text.splitlines(keepends=True):
        match = row.match(line.rstrip("\r\n"))
        if match:
            start = start if rows else at
            rows.append([".*o".index(mark) for mark in match[1] if mark in ".*o"])
            if len(rows) == height:
                found.append((start, at + len(line), [cell for one in rows for cell in one]))
                rows = []
        elif not re.fullmatch(r"[\s|+=-]*", line):
            rows = []
        at += len(line)
    return found


def _without_labels(text: str, width: int) -> str:
    """Return the text before a board without the labels of its columns."""
    labels = r"[ \t|]*".join(re.escape(LABELS[i]) for i in range(width))
    return re.sub(rf"(^|[ \t|]+|(?<=\W)){labels}\s*[\s|+=-]*$", "", text)


@dataclass(frozen=True)
class Habits:
    """What a program prints at its prompts, as far as its boards can be read."""

    players: tuple[str, str] = ("Black:", "White:")
    """The prompts, without blanks at their ends."""
    column: str = ""
    known: bool = True
    """Whether its prompts were found."""
    ends: bool = True
    """Whether it ended as it should."""


def _habits(program: Program) -> Habits:
    """Return a program's habits, learned from two games."""
    if "habits" not in program.learned:
        program.learned["habits"] = _learned(program)
    habits = program.learned["habits"]
    assert isinstance(habits, Habits)
    return habits


def _learned(program: Program) -> Habits:
    said = []
    for entries in ((("!", 0), ("!", 0)), (("|", 0), ("|", 1))):
        dialogue = Dialogue(4, 4, 2, 2, entries)
        ran = program.run("".join(map(str, _typed(dialogue))), *dialogue.arguments)
        text = text_of(ran)
        boards = _boards(text, 4, 4)
        if len(boards) < 3:
            return Habits(known="Black:" in text and "White:" in text, ends=not ran.death)
        said.append([_without_labels(text[boards[i][1] : boards[i + 1][0]], 4) for i in range(2)])
    # What both games print before the first entry is read.
    common = [_common(one, other).strip() for one, other in zip(*said)]
    usual = Habits()
    if all(prompt in text for prompt, text in zip(usual.players, said[1])):
        common = list(usual.players)
    elif "white" in common[0].lower() and "black" in common[1].lower():
        common.reverse()
    if not common[0] or not common[1] or common[0] == common[1]:
        return Habits(known=False)
    column = said[1][0].strip().removeprefix(common[0]).strip()
    return Habits((common[0], common[1]), column)


def _common(one: str, other: str) -> str:
    """Return what two texts have in common at their start."""
    return "".join(a for a, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))


@dataclass(frozen=True)
class Turn:
    """One prompt of a game: who was asked, on which board, what was typed, and what came of it."""

    number: int
    player: int
    before: tuple[int, ...]
    typed: Typed
    after: tuple[int, ...]
    """The board as it should be now."""
    moved: bool
    """Whether the entry was a move, or is a stick that does not fit or cannot be parsed."""
    shown: tuple[int, ...] | None
    """The board that was shown next, if any."""
    words: str
    """What else was printed before the next prompt or the end."""
    then: int | None
    """Who was asked next, or None if nobody was."""


@dataclass(frozen=True)
class Played:
    """A game as a program played it."""

    first: tuple[int, ...] | None
    """The board at the start, if it was shown."""
    text: str
    turns: list[Turn]
    asked: int
    """How many prompts there are."""
    typed: int
    """How many of them were answered."""
    asks: int | None
    """Who is asked first."""
    outcome: int
    """petteia's outcome for the last board."""
    after: str
    """What was printed after the last board or prompt."""


def _follow(dialogue: Dialogue, typed: Sequence[Typed], text: str, habits: Habits) -> Played:
    """Read an output: find its prompts and boards, and compute each board from the one before."""
    width, height = dialogue.width, dialogue.height
    boards = _boards(text, width, height)
    prompts = "|".join(map(re.escape, sorted(habits.players, key=len, reverse=True)))
    # A prompt without a colon may be the beginning of the last message too.
    form = rf"({prompts})(?![^\n]*\b(?:wins?|won|winner)\b)"
    marks = [
        (match.start(), match.end(), habits.players.index(match[1])) for match in re.finditer(form, text)
    ]
    marks = [mark for mark in marks if not any(start <= mark[0] < end for start, end, _ in boards)]
    ends = [mark[0] for mark in marks[1:]] + [len(text)]

    def between(start: int, end: int) -> tuple[tuple[int, ...] | None, str]:
        inside = [board for board in boards if start <= board[0] < end]
        words, at = "", start
        for first, last, _ in inside:
            words, at = words + _without_labels(text[at:first], width), last
        return (tuple(inside[-1][2]) if inside else None), words + text[at:end]

    first, words = between(0, marks[0][0] if marks else len(text))
    board = first or (0,) * (width * height)
    turns = []
    for number, ((_, end, player), stop, entry) in enumerate(zip(marks, ends, typed)):
        game = _game(dialogue, board, player)
        if entry.mark == "!":
            game.breakdown()
            moved = True
        else:
            moved = entry.mark in "|-" and bool(game.drop_stick(entry.column, entry.mark == "|"))
        after = tuple(int(game.board[r, c]) for r in range(height) for c in range(width))
        seen, words = between(end, stop)
        then = marks[number + 1][2] if number + 1 < len(marks) else None
        turns.append(Turn(number, player, board, entry, after, moved, seen, words, then))
        board = seen or after
    over = int(_game(dialogue, board, 0).outcome())
    last = max([end for _, end, _ in boards] + [end for _, end, _ in marks] + [0])
    asks = marks[0][2] if marks else None
    return Played(first, text, turns, len(marks), len(typed), asks, over, text[last:])


def _game(dialogue: Dialogue, cells: Sequence[int], player: int) -> Game:
    return Play(dialogue.width, dialogue.height, dialogue.stick, dialogue.square).game(list(cells), player)


# What is wrong with a game: at which turn, what was expected, and what came.
Wrong = tuple[int, str, str]
Opinion = Callable[[Played, str, Habits], Wrong | bool]


def _rule(
    name: str,
    says: str,
    cases: Callable[[Draw], Dialogue],
    opinion: Opinion,
    share: float = 0.3,
    after: tuple[str, ...] = (),
) -> Rule[Dialogue]:
    """Make a rule from an opinion on a game that was played: right, none, or what is wrong at which turn."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        habits = _habits(program)
        typed = _typed(dialogue)
        stdin = "".join(map(str, typed))
        ran = program.run(stdin, *dialogue.arguments)
        played = _follow(dialogue, typed, text_of(ran), habits)

        def found(at: int, expected: str, got: str, about: str = "") -> Any:
            # Nothing after the turn that is wrong is shown.
            board = played.turns[at].before if at < len(played.turns) else ()
            if played.turns and at >= len(played.turns):
                board = played.turns[-1].shown or played.turns[-1].after
            play = Play(dialogue.width, dialogue.height, dialogue.stick, dialogue.square)
            pictures = (play.picture("the board", list(board)),) if board else ()
            before = play.show(list(board)) if board else ""
            finding = program.finding(
                says, stdin, dialogue.arguments, expected, got, len(typed), before, pictures, ran
            )
            return replace(finding, about=about)

        # A program that is asked for more than was typed cannot be judged by how it ends.
        if ran.death and played.asked <= len(typed):
            finding = found(len(played.turns), "the program plays the game to its end", f"{ran.death}")
            return Stopped(replace(finding, summary=ENDS, about=ran.death.kind), ran.death.kind)
        if not habits.known:
            return False
        said = opinion(played, ran.stderr.decode(errors="replace"), habits)
        return said if isinstance(said, bool) else found(*said)

    return Rule(name, says, cases, judge, Dialogue.shorter, share=share, after=after)


def _stopped(program: Program, dialogue: Dialogue, ran: Ran) -> Judgement:
    """Return that a game did not end, if it did not."""
    if not ran.death:
        return False
    typed = _typed(dialogue)
    finding = program.finding(
        ENDS,
        "".join(map(str, typed)),
        dialogue.arguments,
        "the program plays the game to its end",
        f"{ran.death}",
        len(typed),
        ran=ran,
    )
    return Stopped(replace(finding, about=ran.death.kind), ran.death.kind)


def _prompts(played: Played, stderr: str, habits: Habits) -> Wrong | bool:
    if played.asks != 0:
        return 0, "the prompt for black", "no prompt" if played.asks is None else "the prompt for white"
    for turn in played.turns:
        if not turn.moved or turn.then is None:
            continue
        if turn.then == turn.player:
            names = [habits.players[turn.player], habits.players[1 - turn.player]]
            return (
                turn.number + 1,
                f"the prompt {names[1]!r} after the move",
                f"the prompt {names[0]!r} again",
            )
    return bool(played.turns)


def _drawn(dialogue: Dialogue) -> Callable[[Sequence[int]], str]:
    play = Play(dialogue.width, dialogue.height)
    return lambda cells: play.show(list(cells))


def _board_rule(name: str, says: str, cases: Callable[[Draw], Dialogue]) -> Rule[Dialogue]:
    """Make the rule about the boards that are shown."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        def opinion(played: Played, stderr: str, habits: Habits) -> Wrong | bool:
            show = _drawn(dialogue)
            empty = (0,) * (dialogue.width * dialogue.height)
            if played.first != empty:
                return 0, show(empty), show(played.first) if played.first else "no board"
            for turn in played.turns:
                if turn.moved and turn.shown != turn.after:
                    return turn.number, show(turn.after), show(turn.shown) if turn.shown else "no board"
            return True

        return _rule(name, says, cases, opinion).judge(program, dialogue)

    return Rule(name, says, cases, judge, Dialogue.shorter, share=0.3)


def _layout(program: Program, dialogue: Dialogue) -> Judgement:
    """Judge the form of the boards, where a program shows any."""
    typed = _typed(dialogue)
    stdin = "".join(map(str, typed))
    ran = program.run(stdin, *dialogue.arguments)
    text = text_of(ran)
    boards = _boards(text, dialogue.width, dialogue.height)
    play = Play(dialogue.width, dialogue.height)
    for start, end, cells in boards:
        wanted = play.show(cells)
        # The labels of the columns are two lines above, perhaps after a prompt.
        above = text[:start].rstrip("\n").rsplit("\n", 1)[-1]
        gap = text[:start][len(text[:start].rstrip("\n")) :]
        label = wanted.split("\n", 1)[0]
        head = above[-len(label) :] if above.endswith(label) else above
        whole = f"{head}{gap}{text[start:end]}"
        indents = [len(line) - len(line.lstrip()) for line in text[start:end].splitlines() if line.strip()]
        if above.endswith(label):
            # A prompt before the labels hides how far they are indented.
            whole = f"{' ' * min(indents)}{whole}"
        if not shown(whole, play, cells):
            return program.finding(
                LAYOUT,
                stdin,
                dialogue.arguments,
                wanted,
                f"{above}{gap}{text[start:end]}",
                len(typed),
                "",
                (),
                ran,
            )
    return bool(boards)


LAYOUT = "boards have the document's labels and rows"
ENDS = "the program ends with the game: it neither stops before, nor crashes, nor goes on"


def _says(words: str, stderr: str, habits: Habits, column: bool) -> bool:
    """Return whether there is a message besides the prompt for a column."""
    said = words.replace(habits.column, "", 1) if column and habits.column else words
    return bool(re.search(r"\w", said) or stderr.strip())


def _refused(kinds: str) -> Opinion:
    """Return an opinion on entries that are refused."""

    def opinion(played: Played, stderr: str, habits: Habits) -> Wrong | bool:
        refused = False
        for turn in played.turns:
            if turn.moved or turn.typed.mark not in kinds:
                continue
            refused = True
            again = f"a message, and the prompt {habits.players[turn.player]!r} again"
            if turn.then != turn.player:
                got = "no prompt" if turn.then is None else f"the prompt {habits.players[turn.then]!r}"
                return turn.number, again, got
            if not _says(turn.words, stderr, habits, turn.typed.mark in "|-c"):
                return turn.number, again, "the prompt, but no message"
        return refused

    return opinion


def _same(program: Program, dialogue: Dialogue) -> Judgement:
    """Judge a game by the same game with the arguments in their usual order."""
    stdin = "".join(map(str, _typed(dialogue)))
    usual = replace(dialogue, order=0, bits=False)
    one, other = program.run(stdin, *usual.arguments), program.run(stdin, *dialogue.arguments)
    if one.death:
        return _stopped(program, usual, one)
    if one.stdout == other.stdout:
        return True
    words = [text_of(ran) for ran in (one, other)]
    lines = [text.splitlines() for text in words]
    at = next((i for i, (a, b) in enumerate(zip(*lines)) if a != b), min(map(len, lines)))
    shown = [f"{'…' if at else ''}\n" * bool(at) + "\n".join(text[at : at + 12]) for text in lines]
    expected = f"what it prints after {' '.join(usual.arguments)}:\n{shown[0]}"
    got = f"{other.death}" if other.death else shown[1] or "nothing"
    size = len(dialogue.entries)
    return program.finding(ARGUMENTS, stdin, dialogue.arguments, expected, got, size, "", (), other)


ARGUMENTS = "the arguments may come in any order, with -m or -b among them"


def _result(played: Played, stderr: str, habits: Habits) -> Wrong | bool:
    """Look for the outcome after the last board; the document leaves its wording open."""
    if played.outcome not in OVER or played.asked != len(played.turns):
        return False
    words = played.after.lower()
    if played.outcome == 2:
        right, wanted = re.search(r"\b(draw|drawn|tied?)\b", words) is not None, "a message that it is a draw"
    else:
        winner, loser = NAMES[played.outcome].lower(), NAMES[1 - played.outcome].lower()
        # The loser may be named too, but not as the winner.
        wrong = re.search(rf"{loser}( player)?( has)? (wins|won)|\b(is|a) (draw|tie)\b", words)
        right, wanted = winner in words and not wrong, f"a message that {winner} has won"
    return right or (len(played.turns), wanted, repr(played.after))


def _ends(played: Played, stderr: str, habits: Habits) -> Wrong | bool:
    if played.asked > len(played.turns):
        over = played.outcome in OVER
        return (played.typed, "the program exits when the game is over", "another prompt") if over else False
    if played.outcome not in OVER and played.asked < played.typed:
        return played.asked, "the game goes on", "the program ends"
    return bool(played.turns)


def _wording(program: Program, dialogue: Dialogue) -> Judgement:
    habits = _habits(program)
    if habits.players == ("Black:", "White:") and habits.known:
        return True
    typed = _typed(dialogue)
    stdin = "".join(map(str, typed))
    ran = program.run(stdin, *dialogue.arguments)
    if ran.death or not habits.ends:
        return _stopped(program, dialogue, ran)
    wanted = ["Black: ", "White: "]
    at = next((i for i in (0, 1) if habits.players[i] != wanted[i].strip()), 0)
    got = repr(habits.players[at]) if habits.known else f"no such prompt in\n{text_of(ran)[:600]}"
    return program.finding(WORDING, stdin, dialogue.arguments, repr(wanted[at]), got, len(typed), "", (), ran)


WORDING = 'the prompts are "Black: " and "White: "'


def rules(bits: bool = True, alone: bool = True) -> list[Rule[Any]]:
    """Return the rules of the play program; one that is checked alone is judged by its boards' layout too."""
    moves = _dialogue("|-|-!")
    board = ("play-board",)
    refused = "is reported, and the same player is prompted again"
    found: list[Rule[Any]] = [
        Rule("play-wording", WORDING, _dialogue("!"), _wording, Dialogue.shorter, share=0.05),
        _board_rule("play-board", "the current board is drawn before every turn", moves),
        _rule(
            "play-prompts",
            "black is prompted first, and after each move the other player",
            moves,
            _prompts,
            after=board,
        ),
        _rule("play-invalid", f"input that cannot be parsed {refused}", _dialogue("x|?-!c"), _refused("x?c")),
        _rule("play-full", f"a stick that does not fit {refused}", _full, _refused("|-"), after=board),
        _rule("play-outcome", "the outcome is printed at the end", moves, _result, after=board),
    ]
    if alone:
        found.append(Rule("play-layout", LAYOUT, moves, _layout, Dialogue.shorter, share=0.2))
    parts = [*found, _rule("play-ends", ENDS, moves, _ends)]
    found.append(watching("play-ends", ENDS, parts, share=0.5, after=board))
    found.append(Rule("play-arguments", ARGUMENTS, _arguments(bits), _same, Dialogue.shorter, share=0.3))
    found.append(sanitizer("play-sanitizer", parts, share=0.3))
    return found
