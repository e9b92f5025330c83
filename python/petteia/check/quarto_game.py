"""Quarto's game program: whole games, played at its prompts or by its myopic player."""

from __future__ import annotations

import difflib
import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import petteia

from ..quarto import Board, MyopicPlayer, Pool
from .programs import Program, text_of
from .rules import Draw, Finding, Judgement, Picture, Rule, Stopped, sanitizer, watching
from .sandbox import Ran

PIECES = tuple("".join(p) for p in ((h, c, s, t) for h in "ST" for c in "BE" for s in "CQ" for t in "HO"))
SQUARES = tuple(r + c for r in "ABCD" for c in "1234")
LINES = tuple(
    [("row", tuple(range(4 * i, 4 * i + 4))) for i in range(4)]
    + [("column", tuple(range(i, 16, 4))) for i in range(4)]
    + [("diagonal", (0, 5, 10, 15)), ("diagonal", (3, 6, 9, 12))]
)
# A drawn game: no line of four has a common attribute.
DRAWN_GAME = [
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


# What a line says, in whatever words: a kind, and its facts.
Fact = tuple[str, ...]
TURN = re.compile(r"player\W*([12])\b.*\b(piece|square|position)", re.I)
SELECTED = re.compile(
    r"\b(?:([STst][BEbe][CQcq][HOho])|([A-Da-d][1-4]))\b\W*(?:\w+\W+){0,3}?(?:selected|chosen|picked)", re.I
)
RESULT = re.compile(
    r"player\W*([12])\b.*\b(won|wins?|winner)\b|\b(?:winner|won|wins)\b.*player\W*([12])", re.I
)
DRAWN = re.compile(r"\b(draw|drawn|tied?)\b", re.I)
ERRORS = (
    ("invalid", re.compile(r"(\S+).*\b(invalid|illegal|not valid|wrong)\b", re.I)),
    ("used", re.compile(r"(\S+).*\bused\b", re.I)),
    ("occupied", re.compile(r"(\S+).*\b(not empty|occupied|taken)\b", re.I)),
)
PROMPT = re.compile(
    r"((?:enter|input|type|choose|select|give)\b[^:?>\n]*\b(piece|position|square)(?-i:s)?\s*[:?>]*)", re.I
)
CELL = re.compile(r"[STst][BEbe]|[CQcq][HOho]")


@lru_cache(1 << 12)
def _said(line: str) -> Fact | None:
    """Return what a line says, or None if it is not about the game's course."""
    if match := RESULT.search(line):
        return ("won", match[1] or match[3])
    if match := TURN.search(line):
        return ("turn", match[1], "piece" if match[2].lower() == "piece" else "square")
    if match := SELECTED.search(line):
        return ("selected", (match[1] or match[2]).upper())
    if DRAWN.search(line):
        return ("draw",)
    for kind, form in ERRORS:
        if match := form.search(line):
            return ("error", kind, match[1])
    return None


def _facts(text: str) -> list[tuple[Fact, str]]:
    """Return what the lines of an output say, without those of its boards and pools."""
    # A prompt has no newline of its own.
    text = PROMPT.sub(lambda match: match[1] if TURN.search(_line_of(text, match)) else "\n", text)
    found = [(_said(line), line.strip()) for line in text.splitlines() if line.strip()]
    return [(fact, line) for fact, line in found if fact]


def _line_of(text: str, match: re.Match[str]) -> str:
    """Return the line of a match, up to its end."""
    return text[text.rfind("\n", 0, match.start()) + 1 : match.end()]


def _drawings(text: str) -> list[dict[str, str]]:
    """Return the boards in a text, by their rows: the piece on each square, or an empty string."""
    rows = [
        [cell.strip().upper() for cell in line.strip().strip("|").split("|")][-4:]
        for line in (re.sub(r"^\W*[A-Da-d]\s*\|", "|", line) for line in text.splitlines())
        if line.count("|") >= 4
    ]
    boards = []
    for at in range(0, len(rows) - 7, 8):
        pairs = zip(rows[at : at + 8 : 2], rows[at + 1 : at + 8 : 2])
        cells = [upper + lower for pair in pairs for upper, lower in zip(*pair)]
        boards.append(dict(zip(SQUARES, cells)))
    return boards


def _pools(text: str) -> list[str]:
    """Return the pools in a text: the pieces of each, in order."""
    rows = [line.split() for line in text.splitlines() if "|" not in line]
    halves = [words for words in rows if words and all(CELL.fullmatch(word) for word in words)]
    return [
        " ".join(upper + lower for upper, lower in zip(one, other)).upper()
        for one, other in zip(halves[::2], halves[1::2])
    ]


def _ran(program: Program, dialogue: Dialogue, says: str) -> tuple[Played, Ran, Callable[..., Finding]]:
    """Play a game with a program; the function that is returned makes a finding about it."""
    played = _play(dialogue)
    ran = program.run(played.typed, *dialogue.arguments)
    pictures = (Picture("the last position", played.position, "quarto"),)

    def found(expected: str, got: str, before: str = "", about: str = "") -> Finding:
        made = program.finding(
            says, played.typed, dialogue.arguments, expected, got, played.turns, before, pictures, ran
        )
        return replace(made, about=about)

    return played, ran, found


def _stopped(ran: Ran, found: Callable[..., Finding]) -> Stopped | None:
    if not ran.death:
        return None
    finding = found("the game is played to its end", f"{ran.death}", about=ran.death.kind)
    return Stopped(replace(finding, summary=ENDS), ran.death.kind)


ENDS = "the program ends with the game: it neither stops before, nor crashes, nor goes on"


def _rule(
    name: str,
    says: str,
    cases: Callable[[Draw], Dialogue],
    kinds: str,
    end: str | None = None,
    share: float = 0.3,
    after: tuple[str, ...] = (),
) -> Rule[Dialogue]:
    """Make a rule about what lines of some kinds say, in games with a given end."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        played, ran, found = _ran(program, dialogue, says)
        if end is not None and played.end != end:
            return False
        if stopped := _stopped(ran, found):
            return stopped
        mine = [(fact, line) for fact, line in _facts(played.text) if fact[0] in kinds.split()]
        theirs = [(fact, line) for fact, line in _facts(text_of(ran)) if fact[0] in kinds.split()]
        if not theirs and mine:
            # Nothing could be read: the rule about the wording tells.
            return False
        # The length of a game is judged by the rules about its end.
        for at in range(min(len(mine), len(theirs))):
            (one, line), (other, came) = mine[at], theirs[at]
            if one != other:
                before = [line for _, line in mine[max(0, at - 3) : at]]
                shown = "the lines before:\n" + "".join(f"  {line}\n" for line in before) if before else ""
                return found(line, came, shown)
        if "error" in kinds and len(theirs) < len(mine):
            return found(mine[len(theirs)][1], "nothing")
        return bool(mine) or "error" not in kinds

    return Rule(name, says, cases, judge, Dialogue.shorter, share=share, after=after)


def _end_rule(
    name: str, says: str, cases: Callable[[Draw], Dialogue], end: str | None, after: tuple[str, ...] = ()
) -> Rule[Dialogue]:
    """Make a rule about when a game ends, and whether it is won; who has won has a rule of its own."""

    def judge(program: Program, dialogue: Dialogue) -> Judgement:
        played, ran, found = _ran(program, dialogue, says)
        if end is not None and played.end != end:
            return False
        if stopped := _stopped(ran, found):
            return stopped
        wanted, got = _course(played.text), _course(text_of(ran))
        early = got[1] == "won" and got[0] < wanted[0]
        if not got[0] or not (early if end is None else wanted != got):
            return bool(got[0])
        return found(*(f"after {turns} pieces: {line or 'no result'}" for turns, _, line in (wanted, got)))

    return Rule(name, says, cases, judge, Dialogue.shorter, share=0.3, after=after)


def _course(text: str) -> tuple[int, str, str]:
    """Return after how many pieces a game ended, how, and in which words."""
    squares = 0
    for fact, line in _facts(text):
        squares += fact[0] == "selected" and len(fact[1]) == 2
        if fact[0] in ("won", "draw"):
            return squares, fact[0], line if fact[0] == "draw" else "a player has won"
    return squares, "", ""


def _winner(program: Program, dialogue: Dialogue) -> Judgement:
    """Judge who has won by who placed the last piece, as the program itself announced it."""
    _, ran, found = _ran(program, dialogue, WINNER)
    if stopped := _stopped(ran, found):
        return stopped
    last = None
    for fact, line in _facts(text_of(ran)):
        if fact[0] == "turn" and fact[2] == "square":
            last = fact[1]
        if fact[0] == "won" and last:
            return fact[1] == last or found(f"Player {last} has won!", line)
    return False


WINNER = "the player who has placed the last piece wins"


def _ends(program: Program, dialogue: Dialogue) -> Judgement:
    _, ran, found = _ran(program, dialogue, ENDS)
    if stopped := _stopped(ran, found):
        return stopped
    facts = [fact for fact, _ in _facts(text_of(ran))]
    ends = [at for at, fact in enumerate(facts) if fact[0] in ("won", "draw")]
    if not ends:
        return bool(facts) and found("the game is played to its end", "the program ends without a result")
    if any(fact[0] == "turn" for fact in facts[ends[0] :]):
        return found("the program exits when the game is over", "another turn")
    return True


def _wording(program: Program, dialogue: Dialogue) -> Judgement:
    """Compare sentences, of which the prompts have no newline; more of them are left to other rules."""
    played, ran, found = _ran(program, dialogue, WORDING)
    if stopped := _stopped(ran, found):
        return stopped
    mine, theirs = _sentences(played.text), _sentences(text_of(ran))
    # Lines that say nothing known may be sentences in other words.
    unread = [line for line in theirs if line not in mine and not _said(line)]
    for line in mine:
        if line in theirs:
            continue
        fact = _said(line)
        same = [other for other in theirs if fact and _said(other) == fact]
        near = same or difflib.get_close_matches(line, unread, 1, 0.4)
        # A sentence that is missing is left to the rules about what it says; a prompt has no other.
        if near or not fact:
            return found(repr(line), repr(near[0]) if near else "no such prompt", about=_key(line))
    return True


def _key(line: str) -> str:
    return re.sub(r"\b[STE]*[BECQHOA-D1-4]{1,3}\b|[12]", "", line)


def _sentences(text: str) -> list[str]:
    """Return the lines that are neither boards nor pools, each once; a prompt counts as a line."""
    lines = []
    for line in PROMPT.sub(
        lambda m: m[1] if TURN.search(_line_of(text, m)) else f"\n{m[1].rstrip()}\n", text
    ).splitlines():
        words = line.split()
        drawn = "|" in line or "+-" in line or words == list("1234") or line.strip() == "Available:"
        if words and not drawn and not all(CELL.fullmatch(word) for word in words):
            lines.append(line.strip())
    return list(dict.fromkeys(lines))


WORDING = "what is printed are the document's sentences"


def _boards(program: Program, dialogue: Dialogue) -> Judgement:
    played, ran, found = _ran(program, dialogue, BOARDS)
    if stopped := _stopped(ran, found):
        return stopped
    mine, theirs = _drawings(played.text), _drawings(text_of(ran))
    for at, board in enumerate(mine[: len(theirs) or 1]):
        if at >= len(theirs) or theirs[at] != board:
            got = _shown(theirs[at]) if at < len(theirs) else "no board"
            return found(_shown(board), got)
    return True


def _shown(board: dict[str, str]) -> str:
    rows = [" ".join(board.get(row + column) or "...." for column in "1234") for row in "ABCD"]
    return "\n".join(rows) + "\n"


BOARDS = "the board is printed at the start and after each placement"


def _pool(program: Program, dialogue: Dialogue) -> Judgement:
    played, ran, found = _ran(program, dialogue, POOL)
    if stopped := _stopped(ran, found):
        return stopped
    mine, theirs = _pools(played.text), _pools(text_of(ran))
    for at, pool in enumerate(mine[: len(theirs) or 1]):
        if at >= len(theirs) or theirs[at] != pool:
            return found(pool, theirs[at] if at < len(theirs) else "no pool")
    return True


POOL = "the available pieces are printed with the board"


def _form_of_boards(program: Program, dialogue: Dialogue) -> Judgement:
    """Judge the form of the first board, up to its indents and widths."""
    played, ran, found = _ran(program, dialogue, LAYOUT)
    if stopped := _stopped(ran, found):
        return stopped
    wanted, got = (_drawn(text) for text in (played.text, text_of(ran)))
    if not got:
        return False
    return [form(line) for line in got] == [form(line) for line in wanted] or found(
        "\n".join(wanted), "\n".join(got)
    )


def _drawn(text: str) -> list[str]:
    """Return the lines of the first board."""
    lines = [line.rstrip() for line in text.splitlines()]
    rows = [at for at, line in enumerate(lines) if line.count("|") >= 4][:8]
    if len(rows) < 8:
        return []
    first = next((at for at in range(rows[0] - 1, -1, -1) if re.search(r"1\W+2\W+3\W+4", lines[at])), rows[0])
    last = rows[-1] + 1
    return [line for line in lines[first : last + 1] if line]


def form(line: str) -> str:
    """Return the form of a drawing's line: its indent and the width of its cells do not matter."""
    return re.sub(r"--+", "-", re.sub(r"\s+", " ", line)).strip()


LAYOUT = "the board has the document's labels, edges and cells"


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
    for word in DRAWN_GAME:
        if word in PIECES:
            words.append(PIECES[PIECES.index(word) ^ mask])
        else:
            r, c = divmod(SQUARES.index(word), 4)
            r, c = (c, r) if turned else (r, c)
            words.append(SQUARES[4 * (3 - r if mirrored else r) + c])
    return Dialogue(words=tuple(words))


def _myopic(draw: Draw) -> Dialogue:
    return Dialogue(draw.choice(["mm", "hm", "mh"]), draw.integer(0, 3000))


def rules(alone: bool = True) -> list[Rule[Any]]:
    """Return the rules of the driver; one that is checked alone is judged by its boards' layout too."""
    won = "the fourth piece in a line with a common attribute ends the game: "
    turns = ("game-turns", "board-winning", "piece-compare", "pool-get", "square-piece")
    lines = (*turns, "game-no-win")
    found: list[Rule[Any]] = [
        Rule(
            "game-wording", WORDING, _mistakes, _wording, Dialogue.shorter, share=0.2, after=("game-prompts",)
        ),
        _rule(
            "game-turns",
            "the players take turns to select a piece and a square, as announced",
            _games,
            "turn selected",
            after=("pool-get", "board-empty-square"),
        ),
        Rule(
            "game-board",
            BOARDS,
            _games,
            _boards,
            Dialogue.shorter,
            0.3,
            after=("square-piece", "piece-string"),
        ),
        Rule("game-pool", POOL, _games, _pool, Dialogue.shorter, 0.3, after=("pool-string", "pool-get")),
        _rule(
            "game-prompts",
            "a human player is told what is wrong and prompted until the input is legal",
            _mistakes,
            "error selected",
            after=("game-turns", "pool-get", "board-empty-square"),
        ),
        _end_rule("game-no-win", "nobody wins before there is a line", _games, None, turns),
        _end_rule("game-row", won + "in a row", _win("row"), "row", lines),
        _end_rule("game-column", won + "in a column", _win("column"), "column", lines),
        _end_rule("game-diagonal", won + "on a diagonal", _win("diagonal"), "diagonal", lines),
        _end_rule(
            "game-draw", "it is a draw when all pieces are placed without a line", _draws, "draw", turns
        ),
        Rule("game-winner", WINNER, _any_win, _winner, Dialogue.shorter, 0.3),
    ]
    if alone:
        found.append(Rule("game-layout", LAYOUT, _games, _form_of_boards, Dialogue.shorter, share=0.05))
    if has_glibc():
        says = "the myopic player wins if it can, avoids giving a winning piece, else uses rand() % n"
        found.append(_rule("game-myopic", says, _myopic, "selected", after=(*lines, "myopic")))
    ends = Rule("game-ends", ENDS, _games, _ends, Dialogue.shorter)
    parts = [*found, ends]
    found.append(watching("game-ends", ENDS, parts, share=0.4, after=("game-draw", "returns")))
    found.append(sanitizer("game-sanitizer", parts, share=0.3, after=("sanitizer",)))
    return found


def _any_win(draw: Draw) -> Dialogue:
    return _win(draw.choice(["row", "column"]))(draw)


def has_glibc() -> bool:
    """Return whether programs here have glibc's rand(), which determines the myopic player's games."""
    return platform.libc_ver()[0] == "glibc"
