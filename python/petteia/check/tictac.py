"""TicTac's two programs: move-check and game-check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import petteia

from ..tictac import evaluate, parse_move
from .programs import Program, text_of
from .rules import Draw, Finding, Judgement, Picture, Rule

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


def _judge(
    verdict: Callable[[str], tuple[str, int]], what: str, summary: str
) -> Callable[[Program, Text], Judgement]:
    """Return a judge of one aspect of a run: the verdict, the exit code, or the form of the line."""

    def judge(program: Program, case: Text) -> Judgement:
        line, code = verdict(case.text)
        ran = program.run(case.text)
        got = text_of(ran)
        right = not ran.death and got.strip() == line

        def found(expected: str, came: str) -> Finding:
            shown = "the input:\n" + "".join(f"  {part!r}\n" for part in case.text.splitlines(True))
            return program.finding(
                summary, case.text, (), expected, came, case.size, shown, _pictures(case.text)
            )

        if what == "verdict":
            if ran.death:
                return found(f"{line!r}, exit code {code}", f"{ran.death}")
            return right or found(f"{line!r}", f"{got[:300]!r}, exit code {ran.code}")
        if not right:
            return False
        if what == "code":
            return ran.code == code or found(f"{line!r}, exit code {code}", f"{got!r}, exit code {ran.code}")
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
    return _line(player=draw.choice(["Y", "XX", "XO", "0", "", "1", "#", "o", "O"]))


def _square(draw: Draw) -> Text:
    return _line(
        square=draw.choice(["D1", "A4", "A0", "B22", "2B", "B", "2", "", "BB", "B 2", "AB2", "c3", "A1"])
    )


def _blanks(draw: Draw) -> Text:
    blanks = (draw.choice((*BLANKS, "")), draw.choice((*BLANKS, "")))
    line = _line(blanks=blanks, rest=draw.choice(("", *BLANKS)))
    return Text(draw.choice(["", "", "", " ", "\t"]) + line.text)


def _comment(draw: Draw) -> Text:
    words = draw.choice(["", " oops", "#", " 2 O C2", "\twell, well", " X wins. # "])
    return _line(rest=draw.choice([" ", "\t", "  ", ""]) + "#" + words)


def _rest(draw: Draw) -> Text:
    return _line(rest=draw.choice([" x", " B2", "x", " 2 O C2", ";", " .", " "]))


def _any_line(draw: Draw) -> Text:
    return draw.choice([_good, _lower, _number, _player, _square, _blanks, _comment, _rest])(draw)


@dataclass(frozen=True)
class Move:
    """A line of a record."""

    number: int
    player: str
    square: str

    def __str__(self) -> str:
        return f"{self.number} {self.player} {self.square}"


SQUARES = tuple(r + c for r in "ABC" for c in "123")


def _moves(draw: Draw, most: int = 9, on: bool = False) -> list[Move]:
    """Draw a game by the rules; with `on`, it goes on after its end."""
    player = draw.choice("XO")
    moves: list[Move] = []
    position, free = petteia.TicTac(first=player), list(SQUARES)
    for _ in draw.several(most, 15):
        if not free or (position.is_over and not on):
            break
        square = free.pop(draw.integer(0, len(free) - 1))
        position = position if position.is_over else position.play(square)
        moves.append(Move(len(moves) + 1, player, square))
        player = "O" if player == "X" else "X"
    return moves


def _record(lines: list[Move] | list[str], last: str = "\n") -> Text:
    text = "\n".join(map(str, lines))
    return Text(text + last if lines else "", len(lines))


def _game(draw: Draw) -> Text:
    return _record(_moves(draw))


def _changed(change: Callable[[Draw, Move, list[Move]], Move]) -> Callable[[Draw], Text]:
    """Return a function that draws a game with one changed move, and perhaps some after it."""

    def cases(draw: Draw) -> Text:
        moves = _moves(draw)
        if moves:
            at = draw.integer(0, len(moves) - 1)
            moves[at] = change(draw, moves[at], moves[:at])
        return _record(moves)

    return cases


def _same_player(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(move.number, before[-1].player if before else move.player, move.square)


def _other_number(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(draw.choice([n for n in range(1, 10) if n != move.number]), move.player, move.square)


def _taken(draw: Draw, move: Move, before: list[Move]) -> Move:
    return Move(move.number, move.player, draw.choice(before).square if before else move.square)


def _after_end(draw: Draw) -> Text:
    moves = _moves(draw, 9, on=True)
    return _record(moves)


BAD = ("1 X", "", "10 X A1", "x", "2  O  D2", " 1 X A1", "# none", "1 X A1 B2", "1 X A1#")


def _bad_line(draw: Draw) -> Text:
    lines = [str(move) for move in _moves(draw, 9, on=True)]
    lines.insert(draw.integer(0, len(lines)), draw.choice(BAD))
    return _record(lines)


def _two_errors(draw: Draw) -> Text:
    """Draw a game with a line that cannot be parsed and an invalid move, in either order."""
    moves = _moves(draw, 6)
    lines = [str(move) for move in moves]
    wrong = str(Move(len(moves) + 2 if len(moves) < 8 else 1, "X", "A1"))
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


def _rules(
    prefix: str,
    verdict: Callable[[str], tuple[str, int]],
    table: list[tuple[str, str, Callable[[Draw], Text]]],
) -> list[Rule[Text]]:
    anything = table[-1][2]
    found = [
        Rule(f"{prefix}-{name}", says, cases, _judge(verdict, "verdict", says), _shorter)
        for name, says, cases in table
    ]
    codes = "0 for valid input, 1 for a parse error" + (", 2 for an invalid move" * (prefix == "game"))
    line = "the output is one line of text and a newline"
    found.append(
        Rule(
            f"{prefix}-exit-codes",
            f"exit code {codes}",
            anything,
            _judge(verdict, "code", f"exit code {codes}"),
        )
    )
    found.append(Rule(f"{prefix}-one-line", line, anything, _judge(verdict, "line", line), share=0.5))
    return found


def move_rules() -> list[Rule[Text]]:
    """Return the rules of the move parser."""
    table: list[tuple[str, str, Callable[[Draw], Text]]] = [
        ("format", "a well-formed move is printed back", _good),
        ("case", "lower case is accepted, and printed in upper case", _lower),
        ("number", "the move number is 1 to 9, without a sign", _number),
        ("player", "the player is X or O", _player),
        ("square", "the square is a row A to C and a column 1 to 3", _square),
        ("whitespace", "whitespace separates the parts, and only single spaces are printed", _blanks),
        ("comment", "a comment needs whitespace before it, and is not printed", _comment),
        ("rest", "only whitespace and a comment may follow the square", _rest),
        ("lines", "every line is judged by the exact format", _any_line),
    ]
    return _rules("move", move_verdict, table)


IN_PROGRESS = ("Game in progress: New game.", "Game in progress: X's turn.", "Game in progress: O's turn.")


def _anything(draw: Draw) -> Text:
    kinds = [_game, _after_end, _changed(_same_player), _changed(_other_number), _bad_line, _formats]
    return draw.choice(kinds)(draw)


def game_rules() -> list[Rule[Text]]:
    """Return the rules of the game evaluator."""
    table = [
        ("new", "a record without moves is a new game", lambda draw: Text("", 0)),
        ("turn", "while the game goes on, the verdict says whose turn it is", _filtered(_game, *IN_PROGRESS)),
        ("win", "three squares in a line win", _filtered(_game, "Game over: X wins.", "Game over: O wins.")),
        ("draw", "nine squares without a line are a draw", _filtered(_full, "Game over: Draw.")),
        ("either-first", "either player may play first", lambda draw: Text(f"1 {draw.choice('XO')} A1\n")),
        ("alternate", "after the first move the players alternate", _changed(_same_player)),
        ("numbers", "move numbers are one, two, three and so on", _changed(_other_number)),
        ("occupied", "a move claims an unclaimed square", _changed(_taken)),
        ("after-end", "no further moves are allowed when the game is over", _after_end),
        ("parse", "a line that is not a move is a parse error", _bad_line),
        ("first-error", "the first wrong line decides", _two_errors),
        ("formats", "lines are parsed like single moves, with or without a final newline", _formats),
        ("records", "every record is judged by the rules", _anything),
    ]
    return _rules("game", game_verdict, table)


def _full(draw: Draw) -> Text:
    """Draw a drawn game of nine moves, from one of four full boards."""
    rows = draw.choice(["XOXXOOOXX", "XOXOXXOXO", "XXOOOXXXO", "XOXXXOOXO"])
    player = draw.choice("XO")
    mine = [s for s, mark in zip(SQUARES, rows) if mark == "X"]
    theirs = [s for s, mark in zip(SQUARES, rows) if mark == "O"]
    moves = []
    for number in range(1, 10):
        side = mine if number % 2 else theirs
        moves.append(Move(number, player, side.pop(draw.integer(0, len(side) - 1))))
        player = "O" if player == "X" else "X"
    return _record(moves)
