"""Quarto's game program: whole games, played at its prompts or by its myopic player."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import petteia

from ..quarto import Board, MyopicPlayer, Pool
from .programs import Program, text_of
from .rules import Draw, Judgement, Picture, Rule

PIECES = tuple("".join(p) for p in ((h, c, s, t) for h in "ST" for c in "BE" for s in "CQ" for t in "HO"))
SQUARES = tuple(r + c for r in "ABCD" for c in "1234")
LINES = tuple(
    [("row", tuple(range(4 * i, 4 * i + 4))) for i in range(4)]
    + [("column", tuple(range(i, 16, 4))) for i in range(4)]
    + [("diagonal", (0, 5, 10, 15)), ("diagonal", (3, 6, 9, 12))]
)
# A drawn game: no line of four has a common attribute.
DRAWN = [
    "SBCH",
    "A1",
    "SBCO",
    "A2",
    "TBCH",
    "A3",
    "TEQO",
    "A4",
    "SBQH",
    "B1",
    "SBQO",
    "B2",
    "SEQH",
    "B3",
    "TBCO",
    "B4",
    "SECH",
    "C1",
    "TECO",
    "C2",
    "TBQH",
    "C3",
    "SEQO",
    "C4",
    "TBQO",
    "D1",
    "TECH",
    "D2",
    "SECO",
    "D3",
    "TEQH",
    "D4",
]
BAD_PIECES = ("ABCD", "SBCX", "TTTT")
BAD_SQUARES = ("E1", "A5", "C5D", "11")


@dataclass(frozen=True)
class Dialogue:
    """A game: the players, the myopic player's seed, and what is typed. _play plays it to its end."""

    players: str = "hh"
    seed: int = 0
    words: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command line."""
        return (*self.players, str(self.seed)) if "m" in self.players else tuple(self.players)

    def shorter(self) -> Iterator[Dialogue]:
        """Yield the dialogues with two words fewer, such as a piece and its square, or one."""
        for count in (2, 1):
            for at in range(len(self.words) - count + 1):
                yield replace(self, words=self.words[:at] + self.words[at + count :])


@dataclass(frozen=True)
class Played:
    """A game as the document defines it: everything typed and everything printed."""

    typed: str
    text: str
    turns: int
    end: str
    """How it ended: row, column, diagonal or draw."""
    position: str


def _play(dialogue: Dialogue) -> Played:
    board, pool = Board(), Pool()
    position = petteia.Quarto()
    words = list(dialogue.words)
    myopic = MyopicPlayer(board, pool, dialogue.seed) if "m" in dialogue.players else None
    out, typed = [f"{board}\n{pool}\n"], []

    def ask(prompt: str, legal: list[str], codes: tuple[str, ...], taken: str) -> str:
        while True:
            # When the words run out, legal moves bring the game to its end.
            word = words.pop(0) if words else legal[0]
            typed.append(word)
            out.append(prompt)
            if word in legal:
                return word
            out.append(f"{word} is {taken}.\n" if word in codes else f"{word} is an invalid input.\n")

    turns = 0
    while not position.is_over:
        selects = int(position.turn or 0)
        out.append(f"Player {selects + 1}'s turn to select a piece:\n")
        if dialogue.players[selects] == "m" and myopic:
            code = str(myopic.select_piece())
        else:
            code = ask("Enter a piece:", position.moves, PIECES, "already used")
        out.append(f"{code} selected.\n\n")
        position = position.play(code)
        piece = pool.get_unused_piece(code)
        places = 1 - selects
        out.append(f"Player {places + 1}'s turn to select a square:\n")
        if dialogue.players[places] == "m" and myopic:
            name = str(myopic.select_square(piece))
        else:
            name = ask("Enter a position:", position.moves, SQUARES, "not empty")
        out.append(f"{name} selected.\n\n")
        position = position.play(name)
        board.place(piece, board.get_square(name))
        out.append(f"{board}\n{pool}\n")
        turns += 1
    winner = position.outcome.winner if position.outcome else None
    out.append("It is a draw.\n" if winner is None else f"Player {winner + 1} has won!\n")
    return Played(" ".join(typed) + "\n", "".join(out), turns, _end(position), position.text)


def _end(position: petteia.Quarto) -> str:
    cells = [int(cell) for cell in position.array.flatten()]
    for kind, line in LINES:
        pieces = [cells[i] for i in line]
        if min(pieces) >= 0 and any(len({p >> bit & 1 for p in pieces}) == 1 for bit in range(4)):
            return kind
    return "draw"


KINDS = {
    "turn": re.compile(r"Player \d's turn to select a (piece|square):$"),
    "selected": re.compile(r"\w+ selected\.$"),
    "prompt": re.compile(r"Enter a (piece|position):$"),
    "error": re.compile(r".* is (an invalid input|already used|not empty)\.$"),
    "result": re.compile(r"Player \d has won!$|It is a draw\.$"),
    "pool": re.compile(r"Available:$|([ST][BE] ?)+$|([CQ][HO] ?)+$"),
    "board": re.compile(r" *[-+|1-4]|[a-dA-D] +\|"),
}


def _lines(text: str) -> list[tuple[str, str]]:
    """Return the lines that are not blank, with their kinds; a prompt counts as a line."""
    text = re.sub(r"(Enter a (?:piece|position):) ?", r"\1\n", text)
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return [
        (next((kind for kind, form in KINDS.items() if form.match(line)), "other"), line) for line in lines
    ]


def _rule(
    name: str,
    says: str,
    cases: Callable[[Draw], Dialogue],
    kinds: str,
    end: str | None = None,
    deaths: bool = False,
    share: float = 0.3,
) -> Rule[Dialogue]:
    """Make a rule about the lines of some kinds, in games with a given end."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        played = _play(dialogue)
        if end is not None and played.end != end:
            return False
        ran = program.run(played.typed, *dialogue.arguments)
        picture = Picture("the last position", played.position, "quarto")

        def found(expected: str, got: str, before: str = "") -> Judgement:
            return program.finding(
                says, played.typed, dialogue.arguments, expected, got, played.turns, before, (picture,)
            )

        if ran.death:
            return found("the game is played to its end", f"{ran.death}") if deaths else False
        wanted, got = _lines(played.text), _lines(text_of(ran))
        mine = [line for kind, line in wanted if kind in kinds.split()]
        # An unknown line may stand for one of the document's sentences.
        sentences = ("other",) if kinds not in ("board", "pool") else ()
        theirs = [line for kind, line in got if kind in (*kinds.split(), *sentences)]
        # The length of a game is judged by the rules about its end.
        length = len(mine) if "result" in kinds else min(len(mine), len(theirs))
        for at in range(max(length, 1)):
            one = mine[at] if at < len(mine) else "nothing"
            other = theirs[at] if at < len(theirs) else "nothing"
            if one != other:
                after = mine[max(0, at - 3) : at]
                before = "the lines before:\n" + "".join(f"  {line}\n" for line in after) if after else ""
                return found(one, other, before)
        return True

    return Rule(name, says, cases, judge, Dialogue.shorter, share=share)


def _games(draw: Draw) -> Dialogue:
    """Draw a game between two people who type only legal moves."""
    words: list[str] = []
    position = petteia.Quarto()
    for _ in draw.several(16, 12):
        for _ in range(2):
            if not position.is_over:
                words.append(draw.choice(position.moves))
                position = position.play(words[-1])
    return Dialogue(words=tuple(words))


def _mistakes(draw: Draw) -> Dialogue:
    """Draw a game with invalid words, used pieces and occupied squares."""
    words: list[str] = []
    position = petteia.Quarto()
    for _ in draw.several(12, 8):
        selecting = position.moves[:1] and position.moves[0] in PIECES
        kind = draw.integer(0, 3)
        if kind == 1:
            words.append(draw.choice(BAD_PIECES if selecting else BAD_SQUARES))
        elif kind == 2:
            words.append(draw.choice(PIECES if selecting else SQUARES))
            position = position.play(words[-1]) if words[-1] in position.moves else position
        elif not position.is_over:
            words.append(draw.choice(position.moves))
            position = position.play(words[-1])
    return Dialogue(words=tuple(words))


def _win(kind: str) -> Callable[[Draw], Dialogue]:
    def cases(draw: Draw) -> Dialogue:
        line = draw.choice([line for name, line in LINES if name == kind])
        bit, value = draw.integer(0, 3), draw.integer(0, 1)
        pieces = [i for i in range(16) if i >> bit & 1 == value]
        words = []
        for square in line:
            words += [PIECES[pieces.pop(draw.integer(0, len(pieces) - 1))], SQUARES[square]]
        return Dialogue(words=tuple(words))

    return cases


def _draws(draw: Draw) -> Dialogue:
    """Draw a variant of the drawn game, with attributes swapped and the board turned."""
    mask, turned, mirrored = draw.integer(0, 15), draw.integer(0, 1), draw.integer(0, 1)
    words = []
    for word in DRAWN:
        if word in PIECES:
            words.append(PIECES[PIECES.index(word) ^ mask])
        else:
            r, c = divmod(SQUARES.index(word), 4)
            r, c = (c, r) if turned else (r, c)
            words.append(SQUARES[4 * (3 - r if mirrored else r) + c])
    return Dialogue(words=tuple(words))


def _myopic(draw: Draw) -> Dialogue:
    return Dialogue(draw.choice(["mm", "hm", "mh"]), draw.integer(0, 3000))


def rules() -> list[Rule[Dialogue]]:
    """Return the rules of the driver."""
    won = "the fourth piece in a line with a common attribute wins: "
    found = [
        _rule(
            "game-turns",
            "the players take turns to select a piece and a square, as announced",
            _games,
            "turn selected",
            deaths=True,
        ),
        _rule("game-board", "the board is printed at the start and after each placement", _games, "board"),
        _rule("game-pool", "the available pieces are printed with the board", _games, "pool"),
        _rule(
            "game-prompts",
            "a human player is told what is wrong and prompted until the input is legal",
            _mistakes,
            "prompt error",
            deaths=True,
        ),
        _rule("game-row", won + "in a row", _win("row"), "turn result", "row"),
        _rule("game-column", won + "in a column", _win("column"), "turn result", "column"),
        _rule("game-diagonal", won + "on a diagonal", _win("diagonal"), "turn result", "diagonal"),
        _rule("game-no-win", "nobody wins before there is a line", _games, "turn result"),
        _rule(
            "game-draw",
            "it is a draw when all pieces are placed without a line",
            _draws,
            "turn result",
            "draw",
        ),
    ]
    if has_glibc():
        says = "the myopic player wins if it can, avoids giving a winning piece, else uses rand() % n"
        found.append(_rule("game-myopic", says, _myopic, "selected"))
    return found


def has_glibc() -> bool:
    """Return whether programs here have glibc's rand(), which determines the myopic player's games."""
    return platform.libc_ver()[0] == "glibc"
