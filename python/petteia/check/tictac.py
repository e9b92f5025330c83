"""TicTac's two programs: move-check and game-check."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import petteia

from ..tictac import evaluate, parse_move
from .programs import Program, text_of
from .rules import Draw, Finding, Judgement, Picture, Rule, Stopped, sanitizer, watching

BLANKS = (" ", "  ", "\t", " \t ", "\v", "\f", "\r")


@dataclass(frozen=True)
class Text:
    """An input, and how many moves it has."""

    text: str
    size: int = 1


def move_verdict(text: str) -> tuple[str, int]:
    """Return what move-check prints for an input, and its exit code."""
    try:
        return str(parse_move(text.split("\n")[0])), 0
    except petteia.ParseError:
        return "Parse error.", 1


def game_verdict(text: str) -> tuple[str, int]:
    """Return what game-check prints for an input, and its exit code."""
    try:
        return evaluate(text), 0
    except petteia.ParseError:
        return "Parse error.", 1
    except petteia.InvalidMove:
        return "Invalid move.", 2


SENTENCES = (
    "Parse error.",
    "Invalid move.",
    "Game in progress: New game.",
    "Game in progress: X's turn.",
    "Game in progress: O's turn.",
    "Game over: X wins.",
    "Game over: O wins.",
    "Game over: Draw.",
)
ENDS = "the program ends: it neither crashes nor works without end"


def _open(text: str, prefix: str) -> list[tuple[str, int]]:
    """Return the other answers that are right where the document leaves something open."""
    if prefix == "game":
        # No move and a newline: a new game that ends with a newline, or an empty line that is no move.
        return [("Game in progress: New game.", 0), ("Parse error.", 1)] if text == "\n" else []
    # A number with a zero before it is an integer without a sign.
    return [move_verdict(text[1:])] if re.match(r"0[1-9]\s", text) else []


def _meaning(got: str) -> str:
    """Return the sentence that an output means: the nearest one, or the output itself."""
    lines = [line.strip() for line in got.splitlines() if line.strip()]
    for line in reversed(lines):
        if line in SENTENCES or MOVE.fullmatch(line):
            return line
    for line in reversed(lines):
        key = {re.sub(r"[^a-z]+", " ", text.lower()).strip(): text for text in SENTENCES}
        said = re.sub(r"[^a-z]+", " ", line.lower()).strip()
        near = difflib.get_close_matches(said, key, 1, 0.85)
        if near:
            return key[near[0]]
        if match := LOOSE.fullmatch(line):
            return " ".join(match.groups())
    return got.strip()


MOVE = re.compile(r"[1-9] [XOxo] [A-Ca-c][1-3]")
LOOSE = re.compile(r"\W*(\d)\W*([XOxo])\W*([A-Ca-c][1-3])\W*")


def _judge(
    verdict: Callable[[str], tuple[str, int]], what: str, summary: str, prefix: str
) -> Callable[[Program, Text], Judgement]:
    """Return a judge of one aspect: the verdict, its words, the exit code, or the form of the line."""

    def judge(program: Program, case: Text) -> Judgement:
        ran = program.run(case.text)
        got = text_of(ran)
        answers = [verdict(case.text), *_open(case.text, prefix)]
        meaning = _meaning(got)
        line, code = next((answer for answer in answers if answer[0] == meaning), answers[0])

        def found(expected: str, came: str, about: str = "") -> Finding:
            shown = "the input:\n" + "".join(f"  {part!r}\n" for part in case.text.splitlines(True))
            made = program.finding(
                summary, case.text, (), expected, came, case.size, shown, _pictures(case.text), ran
            )
            return replace(made, about=about)

        if ran.death:
            finding = found(f"{line!r}, exit code {code}", f"{ran.death}", ran.death.kind)
            return Stopped(replace(finding, summary=ENDS), ran.death.kind)
        right = meaning == line
        if what == "verdict":
            return right or found(f"{line!r}", f"{got[:300]!r}, exit code {ran.code}")
        if not right:
            return False
        if what == "code":
            return ran.code == code or found(f"{line!r}, exit code {code}", f"{got!r}, exit code {ran.code}")
        if what == "words":
            lines = [one.strip() for one in got.splitlines() if one.strip()]
            return line in lines or found(f"{line!r}", f"{lines[-1]!r}")
        if line not in got:
            return False
        return got == line + "\n" or found(f"{line + chr(10)!r}", f"{got!r}")

    return judge


def _pictures(text: str) -> tuple[Picture, ...]:
    """Return the board after a record's moves, up to one that cannot be played."""
    first = "X"
    squares: list[str] = []
    for line in text.splitlines():
        try:
            move = parse_move(line)
        except petteia.ParseError:
            break
        first = first if squares else move.player
        squares.append(move.square)
    position = petteia.TicTac(first=first)
    for square in squares:
        if square not in position.moves:
            break
        position = position.play(square)
    return (Picture("the game", position.text, "tictac"),) if squares else ()


def _line(
    number: str = "1",
    player: str = "X",
    square: str = "B2",
    blanks: tuple[str, str] = (" ", " "),
    rest: str = "",
) -> Text:
    return Text(f"{number}{blanks[0]}{player}{blanks[1]}{square}{rest}\n")


def _good(draw: Draw) -> Text:
    return _line(draw.choice("123456789"), draw.choice("XO"), draw.choice("ABC") + draw.choice("123"))


def _lower(draw: Draw) -> Text:
    return _line("1", draw.choice("XOxo"), draw.choice("ABCabc") + draw.choice("123"))


def _number(draw: Draw) -> Text:
    return _line(draw.choice(["0", "10", "01", "+1", "-1", "1.0", "11", "A", "", "1a", "9", "2"]))


def _player(draw: Draw) -> Text:
    return _line(player=draw.choice(["Y", "XX", "XO", "0", "", "1", "#", "O"]))


def _square(draw: Draw) -> Text:
    return _line(square=draw.choice(["D1", "A4", "A0", "B22", "2B", "B", "2", "", "BB", "B 2", "AB2", "A1"]))


def _blanks(draw: Draw) -> Text:
    blanks = (draw.choice((*BLANKS, "")), draw.choice((*BLANKS, "")))
    line = _line(blanks=blanks, rest=draw.choice(("", *BLANKS)))
    return Text(draw.choice(["", "", "", " ", "\t"]) + line.text)


def _comment(draw: Draw) -> Text:
    words = draw.choice(["", " oops", "#", " 2 O C2", "\twell, well", " X wins. # "])
    return _line(rest=draw.choice([" ", "\t", "  ", ""]) + "#" + words)


def _rest(draw: Draw) -> Text:
    return _line(rest=draw.choice([" x", " B2", "x", " 2 O C2", ";", " .", " "]))


def _empty(draw: Draw) -> Text:
    return Text("\n")


def _any_line(draw: Draw) -> Text:
    kinds = [_good, _lower, _number, _player, _square, _blanks, _comment, _rest, _empty]
    return draw.choice(kinds)(draw)


@dataclass(frozen=True)
class Move:
    """A line of a record."""

    number: int
    player: str
    square: str

    def __str__(self) -> str:
        return f"{self.number} {self.player} {self.square}"


SQUARES = tuple(r + c for r in "ABC" for c in "123")


def _moves(draw: Draw, most: int = 9, end: bool = False, on: bool = False, first: str = "X") -> list[Move]:
    """Draw a game by the rules; with `end`, it may come to its end, and with `on`, go on after it."""
    player = first
    moves: list[Move] = []
    position, free = petteia.TicTac(first=player), list(SQUARES)
    for _ in draw.several(most, 15):
        if not free or (position.is_over and not on):
            break
        square = free.pop(draw.integer(0, len(free) - 1))
        position = position if position.is_over else position.play(square)
        if position.is_over and not end and not on:
            break
        moves.append(Move(len(moves) + 1, player, square))
        player = "O" if player == "X" else "X"
    return moves


def _record(lines: list[Move] | list[str], last: str = "\n") -> Text:
    text = "\n".join(map(str, lines))
    return Text(text + last if lines else "", len(lines))


def _game(draw: Draw) -> Text:
    return _record(_moves(draw))


def _ended(draw: Draw) -> Text:
    return _record(_moves(draw, end=True))


def _o_first(draw: Draw) -> Text:
    moves = _moves(draw, first="O")
    return _record(moves or [Move(1, "O", draw.choice(SQUARES))])


def _changed(change: Callable[[Draw, Move, list[Move]], Move]) -> Callable[[Draw], Text]:
    """Return a function that draws a game that ends with a changed move, which no line of three precedes."""

    def cases(draw: Draw) -> Text:
        moves = _moves(draw)
        if moves:
            moves[-1] = change(draw, moves[-1], moves[:-1])
        return _record(moves)

    return cases


def _same_player(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(move.number, before[-1].player if before else move.player, move.square)


def _other_number(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(draw.choice([n for n in range(1, 10) if n != move.number]), move.player, move.square)


def _taken(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(move.number, move.player, draw.choice(before).square if before else move.square)


def _after_end(draw: Draw) -> Text:
    """Draw a game that goes on after a row or a column is complete."""
    lines = ("A1 A2 A3", "B1 B2 B3", "C1 C2 C3", "A1 B1 C1", "A2 B2 C2", "A3 B3 C3")
    mine = draw.choice(lines).split()
    theirs = [square for square in SQUARES if square not in mine]
    moves = [Move(1, "X", mine[0])]
    for number in range(2, 6 + draw.integer(1, 3)):
        square = (
            mine[number // 2] if number % 2 and number < 6 else theirs.pop(draw.integer(0, len(theirs) - 1))
        )
        moves.append(Move(number, "XO"[(number + 1) % 2], square))
    return _record(moves)


BAD = ("x", "1 X", "", "2  O  D2", "# none", "10 X A1")


def _bad_line(draw: Draw) -> Text:
    lines = [str(move) for move in _moves(draw)]
    lines.insert(draw.integer(0, len(lines)), draw.choice(BAD))
    return _record(lines)


def _bad_after_end(draw: Draw) -> Text:
    """Draw a game with a line that cannot be parsed, or a move, after its end."""
    lines = [*_after_end(draw).text.splitlines()[:5], draw.choice(BAD)]
    return _record(lines)


def _two_errors(draw: Draw) -> Text:
    """Draw a game with a line that cannot be parsed and a square that is taken, in either order."""
    moves = _moves(draw, 6) or [Move(1, "X", "A1")]
    lines = [str(move) for move in moves]
    wrong = str(Move(len(moves) + 1, "XO"[len(moves) % 2], moves[0].square))
    errors = [wrong, draw.choice(BAD)]
    return _record(lines + (errors[::-1] if draw.integer(0, 1) else errors))


def _formats(draw: Draw) -> Text:
    moves = _moves(draw, 5)
    lines = [
        str(move).lower() if draw.integer(0, 1) else f"{move}{draw.choice(['', ' # well', chr(9), '  #'])}"
        for move in moves
    ]
    return _record(lines, draw.choice(["\n", ""]))


def _filtered(cases: Callable[[Draw], Text], *verdicts: str) -> Callable[[Draw], Text]:
    """Draw cases with these verdicts; any other becomes an empty record, and is left to other rules."""

    def draw_one(draw: Draw) -> Text:
        case = cases(draw)
        return case if game_verdict(case.text)[0] in verdicts else Text("", 0)

    return draw_one


def _shorter(case: Text) -> Iterator[Text]:
    """Yield the records with two lines or one fewer, the moves renumbered."""
    lines = case.text.splitlines()
    for count in (2, 1):
        for at in range(len(lines) - count + 1):
            kept = [line.split(" ", 1) for line in lines]
            for number, words in enumerate(kept, 1):
                if number > at + count and words[0] == str(number):
                    words[0] = str(number - count)
            yield _record([" ".join(words) for words in kept[:at] + kept[at + count :]])


Table = list[tuple[str, str, Callable[[Draw], Text], tuple[str, ...]]]


def _rules(prefix: str, verdict: Callable[[str], tuple[str, int]], table: Table) -> list[Rule[Any]]:
    anything = table[-1][2]

    def rule(name: str, what: str, says: str, cases: Callable[[Draw], Text], *after: str) -> Rule[Any]:
        return Rule(name, says, cases, _judge(verdict, what, says, prefix), _shorter, after=after)

    found = [rule(f"{prefix}-{name}", "verdict", says, cases, *after) for name, says, cases, after in table]
    codes = "0 for valid input, 1 for a parse error" + (", 2 for an invalid move" * (prefix == "game"))
    line = "the output is one line of text and a newline"
    forms = [f"{form}-{kind}" for form in ("move", "game") for kind in ("exit-codes", "one-line", "wording")]
    words = "what is printed are the document's words"
    found += [
        rule(f"{prefix}-exit-codes", "code", f"exit code {codes}", anything, *forms[:1]),
        replace(rule(f"{prefix}-one-line", "line", line, anything, *forms[1:2]), share=0.5),
        replace(rule(f"{prefix}-wording", "words", words, anything, *forms[2:3]), share=0.5),
    ]
    return [
        *found,
        watching(f"{prefix}-ends", ENDS, found, share=0.5, after=("move-ends",)),
        sanitizer(f"{prefix}-sanitizer", found, share=0.5, after=("move-sanitizer",)),
    ]


def move_rules() -> list[Rule[Any]]:
    """Return the rules of the move parser."""
    form = ("move-format",)
    table: Table = [
        ("format", "a well-formed move is printed back", _good, ()),
        ("case", "lower case is accepted, and printed in upper case", _lower, form),
        ("number", "the move number is 1 to 9, without a sign", _number, form),
        ("player", "the player is X or O", _player, form),
        ("square", "the square is a row A to C and a column 1 to 3", _square, form),
        ("whitespace", "whitespace separates the parts, and only single spaces are printed", _blanks, form),
        ("comment", "a comment needs whitespace before it, and is not printed", _comment, form),
        ("rest", "only whitespace and a comment may follow the square", _rest, (*form, "move-comment")),
    ]
    others = tuple(f"move-{name}" for name, *_ in table)
    table.append(("lines", "every line is judged by the exact format", _any_line, others))
    return _rules("move", move_verdict, table)


IN_PROGRESS = ("Game in progress: New game.", "Game in progress: X's turn.", "Game in progress: O's turn.")


def _anything(draw: Draw) -> Text:
    kinds = [_game, _after_end, _changed(_same_player), _changed(_other_number), _bad_line, _formats]
    return draw.choice([*kinds, _ended, _o_first])(draw)


def game_rules() -> list[Rule[Any]]:
    """Return the rules of the game evaluator."""
    parsed = tuple(
        rule.name for rule in move_rules() if rule.name not in ("move-exit-codes", "move-one-line")
    )
    turn = ("game-turn",)
    table: Table = [
        ("new", "a record without moves is a new game", lambda draw: Text("", 0), ()),
        ("turn", "while the game goes on, the verdict says whose turn it is", _game, ()),
        (
            "win",
            "three squares in a line win",
            _filtered(_ended, "Game over: X wins.", "Game over: O wins."),
            turn,
        ),
        ("draw", "nine squares without a line are a draw", _filtered(_full, "Game over: Draw."), turn),
        ("either-first", "either player may play first", _o_first, turn),
        ("alternate", "after the first move the players alternate", _changed(_same_player), turn),
        ("numbers", "move numbers are one, two, three and so on", _changed(_other_number), turn),
        ("occupied", "a move claims an unclaimed square", _changed(_taken), turn),
        ("after-end", "no further moves are allowed when the game is over", _after_end, (*turn, "game-win")),
        ("parse", "a line that is not a move is a parse error", _bad_line, (*turn, *parsed)),
        (
            "parse-after-end",
            "so it is when the game is over",
            _bad_after_end,
            ("game-parse", "game-after-end"),
        ),
        ("first-error", "the first wrong line decides", _two_errors, ("game-parse", "game-occupied")),
        ("formats", "lines are parsed like single moves, with or without a final newline", _formats, parsed),
    ]
    others = tuple(f"game-{name}" for name, *_ in table)
    table.append(("records", "every record is judged by the rules", _anything, (*parsed, *others)))
    return _rules("game", game_verdict, table)


def _full(draw: Draw) -> Text:
    """Draw a drawn game of nine moves, from one of four full boards."""
    rows = draw.choice(["XOXXOOOXX", "XOXOXXOXO", "XXOOOXXXO", "XOXXXOOXO"])
    player = "X"
    mine = [s for s, mark in zip(SQUARES, rows) if mark == "X"]
    theirs = [s for s, mark in zip(SQUARES, rows) if mark == "O"]
    moves = []
    for number in range(1, 10):
        side = mine if number % 2 else theirs
        moves.append(Move(number, player, side.pop(draw.integer(0, len(side) - 1))))
        player = "O" if player == "X" else "X"
    return _record(moves)
