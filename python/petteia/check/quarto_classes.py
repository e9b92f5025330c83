"""Quarto's classes, called through a small program that is linked with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import quarto
from .build import shell
from .programs import Program, text_of
from .quarto_game import LINES, PIECES, SQUARES, form, has_glibc
from .rules import Draw, Finding, Judgement, Picture, Rule, Stopped, sanitizer, watching
from .sandbox import Death

# The driver's commands in C++, for a program that repeats a finding.
IN_CXX = {
    "piece": "std::cout << Piece({attributes}).toString() << std::endl;",
    "compare": "std::cout << Piece({attributes}).compareHeight(Piece({others})) "
    "<< Piece({attributes}).compareColor(Piece({others})) "
    "<< Piece({attributes}).compareShape(Piece({others})) "
    "<< Piece({attributes}).compareTop(Piece({others})) << std::endl;",
    "used": "Piece p({attributes}); std::cout << p.isUsed(); p.setUsed(true); std::cout << p.isUsed(); "
    "p.setUsed(false); std::cout << p.isUsed() << std::endl;",
    "pool": "std::cout << pool.toString();",
    "get": 'std::cout << pool.getUnusedPiece("{0}").toString() << std::endl;',
    "attributes": "std::cout << pool.getUnusedPiece({attributes}).toString() << std::endl;",
    "place": 'board.place(pool.getUnusedPiece("{0}"), board.getSquare({at}));',
    "square": "Square sq({at}); std::cout << sq.toString() << sq.isEmpty() << sq.isOnFirstDiagonal() "
    "<< sq.isOnSecondDiagonal() << sq.getV() << sq.getH() << std::endl;",
    "piece-on": "std::cout << board.getSquare({at}).getPiece().toString() << std::endl;",
    "is-empty": "std::cout << board.getSquare({at}).isEmpty() << std::endl;",
    "empty": 'std::cout << board.getEmptySquare("{0}").toString() << std::endl;',
    "empty-at": "std::cout << board.getEmptySquare({at}).toString() << std::endl;",
    "winning": 'std::cout << board.isWinning(pool.getUnusedPiece("{0}"), board.getSquare({at})) '
    "<< std::endl;",
    "winning-on": "std::cout << board.isWinning(board.getSquare({at}).getPiece(), board.getSquare({at})) "
    "<< std::endl;",
    "board": "std::cout << board.toString();",
    "myopic": "Player *player = getMyopicPlayer(&board, &pool, {0});",
    "select-piece": "std::cout << player->selectPiece().toString() << std::endl;",
    "select-square": 'std::cout << player->selectSquare(pool.getUnusedPiece("{0}")).toString() << std::endl;',
}


def _attributes(index: int) -> str:
    names = (("SHORT", "TALL"), ("BEIGE", "SEPIA"), ("CIRCLE", "SQUARE"), ("HOLLOW", "SOLID"))
    return ", ".join(pair[index >> 3 - i & 1] for i, pair in enumerate(names))


def _in_cxx(command: str) -> str:
    name, *words = command.split()
    numbers = [int(word) for word in words if word.isdigit()]
    square = next((word for word in words if word in SQUARES), "A1")
    return IN_CXX[name].format(
        *words,
        attributes=_attributes(numbers[0] if numbers else 0),
        others=_attributes(numbers[-1] if numbers else 0),
        at=f"{square[0]}, H{square[1]}",
    )


@dataclass(frozen=True)
class Calls:
    """Pieces placed on squares, then questions."""

    placed: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]

    @property
    def commands(self) -> list[str]:
        """The driver's commands."""
        return [*(f"place {piece} {square}" for piece, square in self.placed), *self.asked]

    def shorter(self) -> Iterator[Calls]:
        """Yield the same questions with one piece fewer on the board."""
        for at in range(len(self.placed)):
            yield replace(self, placed=self.placed[:at] + self.placed[at + 1 :])

    def board(self) -> tuple[quarto.Board, quarto.Pool]:
        """Return petteia's board and pool."""
        board, pool = quarto.Board(), quarto.Pool()
        for piece, square in self.placed:
            board.place(pool.get_unused_piece(piece), board.get_square(square))
        return board, pool


def _answer(command: str, board: quarto.Board, pool: quarto.Pool, player: quarto.MyopicPlayer | None) -> str:
    """Return what the driver should print for a question, by petteia's classes."""
    name, *words = command.split()
    piece = (
        pool.pieces[int(words[0])] if words and words[0].isdigit() and int(words[0]) < 16 else pool.pieces[0]
    )
    square = board.get_square(next((word for word in words if word in SQUARES), "A1"))
    try:
        if name == "compare":
            other = pool.pieces[int(words[1])]
            same = (piece.compare_height, piece.compare_color, piece.compare_shape, piece.compare_top)
            return "".join(str(int(compare(other))) for compare in same)
        if name == "square":
            marks = (
                True,
                square.is_on_first_diagonal(),
                square.is_on_second_diagonal(),
                square.get_v(),
                square.get_h(),
            )
            return str(square) + "".join(str(int(mark)) for mark in marks)
        if name == "select-square":
            assert player is not None
            return str(player.select_square(pool.get_unused_piece(words[0])))
        if name == "winning":
            return str(int(board.is_winning(pool.get_unused_piece(words[0]), square)))
        answers: dict[str, Callable[[], object]] = {
            "piece": lambda: piece,
            "used": lambda: "010",
            "pool": lambda: str(pool).replace("\n", "\\n"),
            "get": lambda: pool.get_unused_piece(words[0]),
            "attributes": lambda: pool.get_unused_piece(int(words[0])),
            "piece-on": square.get_piece,
            "is-empty": lambda: int(square.is_empty()),
            "empty": lambda: board.get_empty_square(str(square)),
            "empty-at": lambda: board.get_empty_square(str(square)),
            "winning-on": lambda: int(board.is_winning(square.get_piece(), square)),
            "board": lambda: str(board).replace("\n", "\\n"),
            "myopic": lambda: "ready",
            "select-piece": lambda: player and player.select_piece(),
        }
        return str(answers[name]())
    except (quarto.SquareException, quarto.UsedPieceException) as error:
        return type(error).__name__


@dataclass
class Classes(Program):
    """The driver, linked with an implementation."""

    compiled: str = ""
    inside: str = ""
    """The same with absolute paths."""
    space: str = ""
    """The namespace of the classes, if they have one."""

    def again(self, finding: Finding) -> Finding:
        """Compile and run the program that repeats a finding, and look for what was found."""
        sanitize = "-fsanitize=address,undefined " if self.sanitized else ""
        built = f"c++ -std=c++11 -g {sanitize}repeat.cpp {self.inside} -o repeat"
        shown = shell(f"{built} && ./repeat", self.room.sandbox, {"repeat.cpp": finding.repeat})
        if finding.about:
            # It should not return.
            return finding if shown.code else replace(finding, again=AGAIN)
        wanted = re.sub(
            r"\W+", "", finding.got.split(":")[0] if EXCEPTION.match(finding.got) else finding.got
        )
        printed = re.sub(r"\W+", "", shown.stdout + shown.stderr)
        return (
            finding
            if wanted in printed or "another exception" in finding.got
            else replace(finding, again=AGAIN)
        )

    def program(self, calls: Calls) -> str:
        """Return a C++ program that makes the calls."""
        lines = "\n".join(f"    {_in_cxx(command)}" for command in calls.commands)
        headers = "\n".join(
            f'#include "{name}.h"' for name in ("quarto", "exceptions", "pool", "board", "player")
        )
        using = f"using namespace {self.space};\n" if self.space else ""
        return (
            f"// c++ -std=c++11 -g repeat.cpp {self.compiled} && ./a.out\n"
            f"#include <iostream>\n{headers}\n{using}\n"
            f"int main()\n{{\n    Board board;\n    Pool pool;\n{lines}\n    return 0;\n}}\n"
        )


AGAIN = "When this program was compiled and run, it did not show the mistake."


def _squeezed(answer: str) -> str:
    """Return an answer without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in answer.replace("\\n", "\n").split("\n"))


def _type(answer: str) -> str:
    """Return an answer without the text of an exception: that has a rule of its own."""
    return answer.split(":")[0] if EXCEPTION.match(answer) else answer


EXCEPTION = re.compile(r"(UsedPiece|Square)Exception:")


def _is_right(command: str, got: str, wanted: str) -> bool:
    if command in ("board", "pool"):
        lines = [[form(line) for line in _squeezed(text).strip().split("\n")] for text in (got, wanted)]
        return lines[0] == lines[1]
    return _type(got).rstrip() == wanted


def _says_why(command: str, got: str, wanted: str) -> bool:
    """Return whether an exception's text names the piece or the square, and what is wrong with it."""
    _, _, text = got.partition(":")
    if not EXCEPTION.match(got) or not text or _type(got) != wanted:
        return True
    word = command.split()[-1]
    about = PIECES[int(word)] if word.isdigit() else word
    says = {"UsedPieceException": "used", "SquareException": "empty"}[wanted]
    negated = re.search(r"\b(not|n't|non)\b[- ]*empty", text) is not None
    return about in text and says in text and negated == command.startswith("empty")


Right = Callable[[str, str, str], bool]


def _rule(
    name: str,
    says: str,
    cases: Callable[[Draw], Calls],
    share: float = 0.3,
    after: tuple[str, ...] = (),
    right: Right = _is_right,
) -> Rule[Calls]:
    def judge(program: Classes, calls: Calls) -> Judgement:
        ran = program.run("".join(f"{command}\n" for command in calls.commands))
        answers = text_of(ran).splitlines()
        board, pool = calls.board()
        player = None

        def found(at: int, expected: str, got: str) -> Finding:
            commands = calls.commands[: at + 1]
            placed = calls.placed[: at + (at < len(calls.placed))]
            cut = Calls(placed, tuple(commands[len(placed) :]))
            return Finding(
                says,
                _in_cxx(commands[-1]).replace("std::cout << ", "").replace(" << std::endl", ""),
                str(board),
                expected,
                got,
                program.program(cut),
                "c++",
                len(placed),
                (Picture("the board", _text(board, pool), "quarto"),),
                stderr=ran.stderr.decode(errors="replace"),
            )

        if len(answers) < len(calls.commands):
            # Each answer is printed at once, so the first that is missing is the call that did not return.
            at = len(answers)
            death = ran.death or Death(f"it ended the program with exit code {ran.code}", "exit")
            finding = found(at, "the call returns", f"{death}")
            called = finding.call.split("(")[0]
            summary = f"{finding.call} does not return: {death}"
            return Stopped(replace(finding, summary=summary, about=f"{called} {death.kind}"), death.kind)
        for at, command in enumerate(calls.asked, len(calls.placed)):
            if command.startswith("myopic"):
                player = quarto.MyopicPlayer(board, pool, int(command.split()[1]))
            wanted = _answer(command, board, pool, player)
            if not right(command, answers[at], wanted):
                if right is _says_why:
                    wanted = f"{wanted}: {_message(command, wanted)}"
                return found(at, wanted.replace("\\n", "\n"), answers[at].replace("\\n", "\n"))
        return True

    return Rule(name, says, cases, judge, Calls.shorter, share=share, after=after)


def _message(command: str, kind: str) -> str:
    word = command.split()[-1]
    about = PIECES[int(word)] if word.isdigit() else word
    if kind.startswith("Used"):
        return f"{about} is already used."
    return f"{about} is {'not ' * command.startswith('empty')}empty."


def _text(board: quarto.Board, pool: quarto.Pool) -> str:
    cells = ["." if sq.is_empty() else f"{sq.get_piece().index:x}" for sq in board.squares]
    rows = "/".join("".join(cells[i : i + 4]) for i in range(0, 16, 4))
    placed = 16 - cells.count(".")
    won = any(
        board.is_winning(square.get_piece(), square) for square in board.squares if not square.is_empty()
    )
    return f"{rows} - {'-' if won or placed == 16 else 1 + placed % 2}"


def _placed(draw: Draw, most: int = 10) -> list[tuple[str, str]]:
    pieces, squares = list(PIECES), list(SQUARES)
    return [
        (pieces.pop(draw.integer(0, len(pieces) - 1)), squares.pop(draw.integer(0, len(squares) - 1)))
        for _ in draw.several(most, 6)
    ]


def _numbers(*commands: str) -> Callable[[Draw], Calls]:
    def cases(draw: Draw) -> Calls:
        command = draw.choice(commands)
        count = 2 if command == "compare" else 1
        return Calls((), (" ".join([command, *(str(draw.integer(0, 15)) for _ in range(count))]),))

    return cases


def _asking(*commands: str, most: int = 10) -> Callable[[Draw], Calls]:
    def cases(draw: Draw) -> Calls:
        placed = _placed(draw, most)
        command = draw.choice(commands)
        if command == "get":
            command += f" {draw.choice(PIECES)}"
        elif command == "attributes":
            command += f" {draw.integer(0, 15)}"
        elif command in ("empty", "empty-at", "piece-on", "is-empty", "square"):
            command += f" {draw.choice(SQUARES)}"
        return Calls(tuple(placed), (command,))

    return cases


def _winning(draw: Draw) -> Calls:
    """Draw two or three pieces in a line, another for it, placed or not, and others around."""
    _, line = draw.choice(LINES)
    bit, value = draw.integer(0, 3), draw.integer(0, 1)
    alike = [i for i in range(16) if i >> bit & 1 == value]
    rest = [i for i in range(16) if i not in alike]
    order = list(line)
    target = order.pop(draw.integer(0, 3))
    placed = []
    for square in order[: draw.choice([3, 3, 3, 2])]:
        source = rest if draw.chance(4) else alike
        placed.append((PIECES[source.pop(draw.integer(0, len(source) - 1))], SQUARES[square]))
    piece = PIECES[draw.choice(alike)]
    others = [square for square in range(16) if square not in line]
    for _ in draw.several(3, 2):
        other = rest.pop(draw.integer(0, len(rest) - 1))
        placed.append((PIECES[other], SQUARES[others.pop(draw.integer(0, len(others) - 1))]))
    if draw.integer(0, 1):
        return Calls((*placed, (piece, SQUARES[target])), (f"winning-on {SQUARES[target]}",))
    return Calls(tuple(placed), (f"winning {piece} {SQUARES[target]}",))


def _two_wins(draw: Draw) -> Calls:
    """Draw two lines of three pieces with a common attribute: a choice of squares to win on."""
    bit, value = draw.integer(0, 3), draw.integer(0, 1)
    alike = [i for i in range(16) if i >> bit & 1 == value]
    squares: set[int] = set()
    for _ in range(2):
        _, line = draw.choice(LINES)
        gap = draw.integer(0, 3)
        squares |= {square for i, square in enumerate(line) if i != gap}
    placed = [
        (PIECES[alike.pop(draw.integer(0, len(alike) - 1))], SQUARES[square]) for square in sorted(squares)
    ]
    return Calls(tuple(placed), (f"select-square {PIECES[draw.choice(alike)]}",))


def _is_won(placed: Sequence[tuple[str, str]]) -> bool:
    cells = {SQUARES.index(square): PIECES.index(piece) for piece, square in placed}
    lines = [[cells[i] for i in line] for _, line in LINES if all(i in cells for i in line)]
    return any(len({piece >> bit & 1 for piece in line}) == 1 for line in lines for bit in range(4))


def _myopic(draw: Draw) -> Calls:
    """Draw a board on which nobody has won yet, with a question to the myopic player."""
    seed = f"myopic {draw.integer(0, 99)}"
    calls = _two_wins(draw) if draw.integer(0, 1) else _winning(draw)
    placed = calls.placed
    while _is_won(placed):
        placed = placed[:-1]
    free = [piece for piece in PIECES if piece not in [p for p, _ in placed]]
    asked = calls.asked[0] if calls.asked[0].startswith("select-square") else ""
    if not asked:
        asked = f"select-square {draw.choice(free)}" if draw.integer(0, 1) else "select-piece"
    return Calls(placed, (seed, asked))


def rules() -> list[Rule[Any]]:
    """Return the rules of the classes."""
    pieces = ("piece-string", "piece-used")
    found: list[Rule[Any]] = [
        _rule("piece-string", "a piece is written as four letters", _numbers("piece")),
        _rule("piece-compare", "pieces are compared by one attribute at a time", _numbers("compare")),
        _rule("piece-used", "a new piece is unused, and setUsed changes that", _numbers("used"), 0.1),
        _rule(
            "pool-get",
            "an unused piece is found by its attributes and by its code; a used one throws an exception",
            _asking("get", "attributes"),
            after=pieces,
        ),
        _rule(
            "pool-string", "the pool lists the unused pieces", _asking("pool"), after=(*pieces, "pool-get")
        ),
        _rule(
            "square",
            "a square knows its place, its diagonals, and that it is empty",
            _asking("square", most=0),
        ),
        _rule(
            "square-piece",
            "a square returns its piece, or throws an exception if it is empty",
            _asking("piece-on", "is-empty"),
            after=("piece-string",),
        ),
        _rule(
            "board-empty-square",
            "getEmptySquare throws an exception if the square is not empty",
            _asking("empty", "empty-at"),
            after=("square",),
        ),
        _rule(
            "exception-text",
            "an exception is thrown with the piece, or with the square and whether it is empty",
            _asking("get", "attributes", "piece-on", "empty", "empty-at"),
            after=("piece-string", "square"),
            right=_says_why,
        ),
        _rule(
            "board-string",
            "the board shows each piece on its square",
            _asking("board"),
            after=("piece-string", "square-piece"),
        ),
        _rule(
            "board-winning",
            "four in a line with a common attribute win, whether or not the piece is already placed",
            _winning,
            1.0,
            after=("piece-compare", "pool-get", "square-piece"),
        ),
    ]
    if has_glibc():
        says = "the myopic player takes the first winning square and, if it can, gives no bad piece"
        after = ("board-winning", "piece-compare", "pool-get", "square-piece")
        found.append(_rule("myopic", says, _myopic, 0.6, after))
    returns = "every call returns: none crashes, ends the program, or works or prints without end"
    return [*found, watching("returns", returns, found, share=0.5), sanitizer("sanitizer", found)]
