"""Breakdown's play program: whole games, typed at its prompts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import petteia

from .breakdown import LABELS, Play, shown
from .programs import Program, text_of
from .rules import Draw, Judgement, Picture, Rule

Entry = tuple[str, int]
NAMES = ("Black", "White")


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
        turned = words[self.order % 5 :] + words[: self.order % 5]
        return tuple(word for group in (turned if self.order else [*words[1:], words[0]]) for word in group)

    def shorter(self) -> Iterator[Dialogue]:
        """Yield the dialogues with one entry fewer."""
        for at in range(len(self.entries)):
            yield replace(self, entries=self.entries[:at] + self.entries[at + 1 :])


@dataclass(frozen=True)
class Turn:
    """One prompt: the player, the position, and what is typed."""

    player: int
    position: petteia.Breakdown
    typed: str
    kind: str
    """Either move, unreadable or full."""


def _turns(dialogue: Dialogue) -> tuple[list[Turn], petteia.Breakdown]:
    """Return all prompts of a game to its end, and the last position."""
    position = petteia.Breakdown(dialogue.width, dialogue.height, dialogue.stick, dialogue.square)
    turns: list[Turn] = []
    entries = list(dialogue.entries)
    while position.turn is not None:
        player = int(position.turn)
        if entries:
            mark, column = entries.pop(0)
        else:
            # Legal moves bring the game to its end.
            move = position.moves[0]
            mark, column = move[0], 0 if move == "!" else LABELS.index(move[1])
        move = mark if mark == "!" else f"{mark}{LABELS[column]}"
        typed = mark + "\n" if mark in "!x?" else f"{mark}\n{LABELS[column]}\n"
        if mark in "x?":
            turns.append(Turn(player, position, typed, "unreadable"))
        elif move not in position.moves:
            turns.append(Turn(player, position, typed, "full"))
        else:
            turns.append(Turn(player, position, typed, "move"))
            position = position.play(move)
    return turns, position


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


def _arguments(draw: Draw) -> Dialogue:
    dialogue = _dialogue("|-")(draw)
    return replace(dialogue, order=draw.integer(0, 4), bits=bool(draw.integer(0, 1)))


# The parts of a program's output: a prompt or a board; the rest is words.
TOKENS = re.compile(
    r"(?P<prompt>(?:Black|White): ?)"
    r"|(?P<board>^ +[0-9A-Za-z?]+ *\n *\n(?:[0-9A-Za-z?] [.*o]+.*\n?)+)",
    re.M,
)


def _read(text: str) -> list[tuple[str, str]]:
    """Split an output into boards, prompts and the words between them."""
    # A board that follows a prompt on the same line gets its own line.
    text = re.sub(r"(?<=[^ \n])[ \t]*(?=  [0-9A-Za-z?]+ *\n\n0 [.*o])", "\n", text)
    found, at = [], 0
    for match in TOKENS.finditer(text):
        found.append(("words", text[at : match.start()]))
        found.append(("prompt", match["prompt"][:5]) if match["prompt"] else ("board", match["board"]))
        at = match.end()
    return [token for token in [*found, ("words", text[at:])] if token[1].strip()]


def _shows(board: str, position: petteia.Breakdown) -> bool:
    play = Play(position.width, position.height)
    return shown(board, play, [int(cell) for cell in position.array.flatten()])


Opinion = Callable[[list[Turn], petteia.Breakdown, list[tuple[str, str]]], tuple[int, str, str] | bool]


def _rule(
    name: str, says: str, cases: Callable[[Draw], Dialogue], opinion: Opinion, share: float = 0.3
) -> Rule[Dialogue]:
    """Make a rule from an opinion on an output: right, none, or what is wrong at which turn."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        turns, last = _turns(dialogue)
        stdin = "".join(turn.typed for turn in turns)
        ran = program.run(stdin, *dialogue.arguments)
        said: tuple[int, str, str] | bool
        if ran.death:
            said = (len(turns), "the program plays the game to its end", f"{ran.death}")
        else:
            said = opinion(turns, last, _read(text_of(ran)))
        if isinstance(said, bool):
            return said
        at, expected, got = said
        position = turns[at].position if at < len(turns) else last
        play = Play(position.width, position.height, dialogue.stick, dialogue.square)
        board = play.show([int(cell) for cell in position.array.flatten()])
        return program.finding(
            says,
            stdin,
            dialogue.arguments,
            expected,
            got,
            len(turns),
            board,
            (Picture("the board", position.text, "breakdown"),),
        )

    return Rule(name, says, cases, judge, Dialogue.shorter, share=share)


def _prompts(
    turns: list[Turn], last: petteia.Breakdown, tokens: list[tuple[str, str]]
) -> tuple[int, str, str] | bool:
    asked = [text for kind, text in tokens if kind == "prompt"]
    wanted = [NAMES[turn.player] for turn in turns]
    for at, player in enumerate(wanted):
        if at >= len(asked) or asked[at] != player:
            got = f"the prompt {asked[at] + ': '!r}" if at < len(asked) else "no prompt"
            return at, f"the prompt {player + ': '!r} as prompt number {at + 1}", got
    return True


def _boards(
    turns: list[Turn], last: petteia.Breakdown, tokens: list[tuple[str, str]]
) -> tuple[int, str, str] | bool:
    """Compare the boards shown at the start and after each move."""
    asked, boards = -1, [""]
    for kind, text in tokens:
        if kind == "prompt":
            asked += 1
            boards.append("")
        elif kind == "board" and asked + 1 < len(boards):
            boards[asked + 1] = text
    for at in range(len(turns) + 1):
        if at == 0 or turns[at - 1].kind == "move":
            position = turns[at].position if at < len(turns) else last
            if at >= len(boards) or not _shows(boards[at], position):
                play = Play(position.width, position.height)
                wanted = play.show([int(cell) for cell in position.array.flatten()])
                return at, wanted, boards[at] if at < len(boards) and boards[at] else "no board"
    return True


def _result(
    turns: list[Turn], last: petteia.Breakdown, tokens: list[tuple[str, str]]
) -> tuple[int, str, str] | bool:
    """Look for the outcome after the last board; the document leaves its wording open."""
    if _prompts(turns, last, tokens) is not True or last.outcome is None:
        return False
    boards = [at for at, (kind, _) in enumerate(tokens) if kind == "board"]
    after = " ".join(text for _, text in tokens[boards[-1] + 1 :]) if boards else ""
    winner = last.outcome.winner
    words = after.lower()
    if winner is None:
        right, wanted = "draw" in words or "tie" in words, "a message that it is a draw"
    else:
        # The loser may be named too, but not as the winner.
        wrong = re.search(rf"{NAMES[1 - winner].lower()}( player)?( has)? (wins|won)|draw", words)
        right = NAMES[winner].lower() in words and not wrong
        wanted = f"a message that {NAMES[winner].lower()} has won"
    return right or (len(turns), wanted, repr(after))


def _ends(
    turns: list[Turn], last: petteia.Breakdown, tokens: list[tuple[str, str]]
) -> tuple[int, str, str] | bool:
    asked = sum(kind == "prompt" for kind, _ in tokens)
    if _prompts(turns, last, tokens) is not True:
        return False
    return asked == len(turns) or (len(turns), "the program exits when the game is over", "another prompt")


def rules() -> list[Rule[Dialogue]]:
    """Return the rules of the play program."""
    moves = _dialogue("|-|-!")
    return [
        _rule(
            "play-arguments",
            "the arguments may come in any order, with -m or -b among them",
            _arguments,
            _boards,
        ),
        _rule(
            "play-prompts", "black is prompted first, and after each move the other player", moves, _prompts
        ),
        _rule("play-board", "the current board is drawn before every turn", moves, _boards),
        _rule(
            "play-invalid",
            "invalid input is reported, and the same player is prompted again",
            _dialogue("x|?-!"),
            _prompts,
        ),
        _rule(
            "play-full",
            "a stick that does not fit is reported, and the same player is prompted again",
            _dialogue("|", 20),
            _prompts,
        ),
        _rule("play-outcome", "the outcome is printed at the end", moves, _result),
        _rule("play-ends", "the program ends with the game", moves, _ends),
    ]
