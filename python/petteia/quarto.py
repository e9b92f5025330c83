"""Quarto as in its course assignment: pieces, squares, a pool, a board and two kinds of player.

>>> from petteia.quarto import Board, Pool
>>> board, pool = Board(), Pool()
>>> piece = pool.get_unused_piece("SBCH")
>>> board.place(piece, board.get_empty_square("A1"))
>>> piece.is_used(), str(board.get_square("A1").get_piece())
(True, 'SBCH')
"""

from __future__ import annotations

import operator
import sys
from abc import ABC, abstractmethod
from typing import Any, SupportsIndex, TextIO, TypeVar, overload

from ._arguments import seed_of
from ._enums import Enum
from ._petteia import MyopicChoice, quarto_board_text, quarto_is_winning, quarto_pool_text
from ._quarto_driver import play

__all__ = [
    "Board",
    "Color",
    "Haxis",
    "Height",
    "HumanPlayer",
    "InvalidInputException",
    "MyopicPlayer",
    "Piece",
    "Player",
    "Pool",
    "Shape",
    "Square",
    "SquareException",
    "Top",
    "UsedPieceException",
    "Vaxis",
    "play",
]


class Height(Enum):
    """How tall a piece is."""

    SHORT = 0
    TALL = 1


class Color(Enum):
    """The colour of a piece."""

    BEIGE = 0
    SEPIA = 1


class Shape(Enum):
    """The outline of a piece."""

    CIRCLE = 0
    SQUARE = 1


class Top(Enum):
    """The top of a piece."""

    HOLLOW = 0
    SOLID = 1


class Vaxis(Enum):
    """A row of the board."""

    A = 0
    B = 1
    C = 2
    D = 3


class Haxis(Enum):
    """A column of the board."""

    H1 = 0
    H2 = 1
    H3 = 2
    H4 = 3


class _Refused(ValueError):
    """What the document's exceptions have in common: a subject, and a reason that says what it is."""

    reason: str
    """What is wrong, as in the message."""
    player: int | None
    """The player who has selected it, 1 or 2, in a game of `play`; None elsewhere."""

    def __init__(self, subject: object, reason: str, player: int | None) -> None:
        is_wrong = f"{subject} is {reason}."
        if player is not None:
            is_wrong = f"player {player} selected {subject}, which is {reason}."
        super().__init__(is_wrong)
        self.reason = reason
        self.player = player


class SquareException(_Refused):
    """A square that should have a piece is empty, or one that should be empty is not.

    >>> str(SquareException(Square(Vaxis.A, Haxis.H1), "not empty"))
    'A1 is not empty.'
    """

    def __init__(self, square: Square, reason: str, player: int | None = None) -> None:
        super().__init__(square, reason, player)
        self.square = square

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.square, self.reason, self.player)


class UsedPieceException(_Refused):
    """A piece that should be unused has been placed."""

    def __init__(self, piece: Piece, player: int | None = None) -> None:
        super().__init__(piece, "already used", player)
        self.piece = piece

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.piece, self.player)


class InvalidInputException(_Refused):
    """Text that names no piece or square, or a number of no piece."""

    def __init__(self, input: object, player: int | None = None) -> None:
        super().__init__(input, "an invalid input", player)
        self.input = input

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.input, self.player)


LETTERS = ("ST", "BE", "CQ", "HO")

Kind = TypeVar("Kind")


def _a(kind: type[Kind], given: Kind) -> Kind:
    """Check that an argument is of a class."""
    if not isinstance(given, kind):
        raise TypeError(f"expected a {kind.__name__}, not {type(given).__name__}")
    return given


Value = TypeVar("Value", bound=Enum)


def _value(kind: type[Value], given: Value) -> Value:
    """Check that an attribute is of its kind: all are integers, and the order is easily mistaken."""
    if isinstance(given, Enum):
        return _a(kind, given)
    return kind(given)


def streams(input: TextIO | None, output: TextIO | None) -> tuple[TextIO, TextIO]:
    """Return streams to talk to a human: those given, or the standard ones for None."""
    for name, given, method in (("input", input, "read"), ("output", output, "write")):
        if not (given is None or hasattr(given, method)):
            raise TypeError(f"expected {name} as a text stream, not {type(given).__name__}")
    return sys.stdin if input is None else input, sys.stdout if output is None else output


class Piece:
    """One of the sixteen pieces, and whether it has been placed.

    >>> str(Piece(Height.SHORT, Color.SEPIA, Shape.SQUARE, Top.SOLID))
    'SEQO'
    """

    __slots__ = ("_color", "_height", "_shape", "_top", "_used")

    def __init__(
        self,
        height: Height = Height.SHORT,
        color: Color = Color.BEIGE,
        shape: Shape = Shape.CIRCLE,
        top: Top = Top.HOLLOW,
    ) -> None:
        self._height = _value(Height, height)
        self._color = _value(Color, color)
        self._shape = _value(Shape, shape)
        self._top = _value(Top, top)
        self._used = False

    @property
    def height(self) -> Height:
        """How tall the piece is."""
        return self._height

    @property
    def color(self) -> Color:
        """The piece's colour."""
        return self._color

    @property
    def shape(self) -> Shape:
        """The piece's outline."""
        return self._shape

    @property
    def top(self) -> Top:
        """The piece's top."""
        return self._top

    @property
    def index(self) -> int:
        """The piece's number, one bit per attribute: 0 for SBCH to 15 for TEQO."""
        return self._height << 3 | self._color << 2 | self._shape << 1 | self._top

    def compare_height(self, other: Piece) -> bool:
        """Return whether both pieces have the same height."""
        return self._height == _a(Piece, other)._height

    def compare_color(self, other: Piece) -> bool:
        """Return whether both pieces have the same colour."""
        return self._color == _a(Piece, other)._color

    def compare_shape(self, other: Piece) -> bool:
        """Return whether both pieces have the same shape."""
        return self._shape == _a(Piece, other)._shape

    def compare_top(self, other: Piece) -> bool:
        """Return whether both pieces have the same top."""
        return self._top == _a(Piece, other)._top

    def is_used(self) -> bool:
        """Return whether the piece has been placed on the board."""
        return self._used

    def set_used(self, used: bool) -> None:
        """Set whether the piece has been placed on the board."""
        if not isinstance(used, int):
            raise TypeError(f"expected used as a bool, not {type(used).__name__}")
        self._used = bool(used)

    def __str__(self) -> str:
        values = (self._height, self._color, self._shape, self._top)
        return "".join(letters[value] for letters, value in zip(LETTERS, values))

    def __repr__(self) -> str:
        return f"petteia.quarto.Piece({self._height!r}, {self._color!r}, {self._shape!r}, {self._top!r})"


def _code_index(code: str) -> int:
    """Return the number of the piece with a code, or -1 if there is none."""
    if len(code) != 4 or any(letter not in letters for letter, letters in zip(code, LETTERS)):
        return -1
    return sum(letters.index(letter) << place for letter, letters, place in zip(code, LETTERS, (3, 2, 1, 0)))


class Pool:
    """The sixteen pieces.

    >>> Pool().get_unused_piece("ABCD")
    Traceback (most recent call last):
    petteia.quarto.InvalidInputException: ABCD is an invalid input.
    """

    __slots__ = ("_pieces",)

    def __init__(self) -> None:
        both = (0, 1)
        self._pieces = [
            Piece(Height(h), Color(c), Shape(s), Top(t))
            for h in both
            for c in both
            for s in both
            for t in both
        ]

    @overload
    def get_unused_piece(self, piece: str | SupportsIndex, /) -> Piece: ...
    @overload
    def get_unused_piece(self, height: Height, color: Color, shape: Shape, top: Top, /) -> Piece: ...
    def get_unused_piece(self, *which: Any) -> Piece:
        """Return a piece that has not been placed, by its code, by its number or by its four attributes.

        Raises UsedPieceException if it has been placed, InvalidInputException if there is no such piece.
        """
        if len(which) == 4:
            index = Piece(*which).index
        elif len(which) == 1 and isinstance(which[0], str):
            index = _code_index(which[0])
        elif len(which) != 1 or isinstance(which[0], Enum) or not hasattr(which[0], "__index__"):
            raise TypeError("expected a code such as SBCH, a number, or height, color, shape and top")
        else:
            index = operator.index(which[0])
        if not 0 <= index < len(self._pieces):
            raise InvalidInputException(which[0])
        piece = self._pieces[index]
        if piece.is_used():
            raise UsedPieceException(piece)
        return piece

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All sixteen pieces, in the order of their numbers."""
        return tuple(self._pieces)

    def _unused(self) -> list[int]:
        return [piece.index for piece in self._pieces if not piece.is_used()]

    def __str__(self) -> str:
        return quarto_pool_text(self._unused())

    def __repr__(self) -> str:
        return f"<petteia.quarto.Pool {len(self._unused())} unused>"


class Square:
    """A square of the board, by its row and column, and the piece on it.

    >>> square = Square(Vaxis.B, Haxis.H1)
    >>> str(square), square.is_empty()
    ('B1', True)
    """

    __slots__ = ("_h", "_piece", "_v")

    def __init__(self, v: Vaxis = Vaxis.A, h: Haxis = Haxis.H1) -> None:
        self._v = _value(Vaxis, v)
        self._h = _value(Haxis, h)
        self._piece: Piece | None = None

    def get_v(self) -> Vaxis:
        """Return the row."""
        return self._v

    def set_v(self, v: Vaxis) -> None:
        """Change the row."""
        self._v = _value(Vaxis, v)

    def get_h(self) -> Haxis:
        """Return the column."""
        return self._h

    def set_h(self, h: Haxis) -> None:
        """Change the column."""
        self._h = _value(Haxis, h)

    def get_piece(self) -> Piece:
        """Return the piece on the square; raise SquareException if there is none."""
        if self._piece is None:
            raise SquareException(self, "empty")
        return self._piece

    def set_piece(self, piece: Piece | None) -> None:
        """Put a piece on the square, replacing any other, or empty the square with None."""
        if not (piece is None or isinstance(piece, Piece)):
            raise TypeError(f"expected a Piece or None, not {type(piece).__name__}")
        self._piece = piece

    def is_empty(self) -> bool:
        """Return whether there is no piece on the square."""
        return self._piece is None

    def is_on_first_diagonal(self) -> bool:
        """Return whether the square is on the diagonal from top left to bottom right."""
        return int(self._v) == int(self._h)

    def is_on_second_diagonal(self) -> bool:
        """Return whether the square is on the diagonal from top right to bottom left."""
        return self._v + self._h == 3

    @property
    def index(self) -> int:
        """The square's number: 0 for A1, row by row, to 15 for D4."""
        return 4 * self._v + self._h

    def __str__(self) -> str:
        return f"{self._v.name}{self._h + 1}"

    def __repr__(self) -> str:
        return f"petteia.quarto.Square({self._v!r}, {self._h!r})"


class Board:
    """The sixteen squares.

    >>> board = Board()
    >>> board.place(Piece(), board.get_square("C2"))
    >>> board.get_empty_square("C2")
    Traceback (most recent call last):
    petteia.quarto.SquareException: C2 is not empty.
    """

    __slots__ = ("_squares",)

    def __init__(self) -> None:
        self._squares = [Square(v, h) for v in Vaxis for h in Haxis]

    @overload
    def get_square(self, name: str, /) -> Square: ...
    @overload
    def get_square(self, v: Vaxis, h: Haxis, /) -> Square: ...
    def get_square(self, *which: Any) -> Square:
        """Return a square, by its name such as B2 or by its row and column.

        Raises InvalidInputException if there is no such square.
        """
        if len(which) == 2:
            v, h = _value(Vaxis, which[0]), _value(Haxis, which[1])
            return self._squares[int(4 * v + h)]
        if len(which) != 1 or not isinstance(which[0], str):
            raise TypeError("expected a name such as B2, or a row and a column")
        name = which[0]
        if len(name) != 2 or name[0] not in "ABCD" or name[1] not in "1234":
            raise InvalidInputException(name)
        return self._squares[4 * "ABCD".index(name[0]) + "1234".index(name[1])]

    @overload
    def get_empty_square(self, name: str, /) -> Square: ...
    @overload
    def get_empty_square(self, v: Vaxis, h: Haxis, /) -> Square: ...
    def get_empty_square(self, *which: Any) -> Square:
        """Return an empty square, by its name or by its row and column.

        Raises SquareException if it is not empty, InvalidInputException if there is no such square.
        """
        square = self.get_square(*which)
        if not square.is_empty():
            raise SquareException(square, "not empty")
        return square

    def place(self, piece: Piece, square: Square) -> None:
        """Place a piece on a square and mark it used."""
        _a(Square, square).set_piece(_a(Piece, piece))
        piece.set_used(True)

    def is_winning(self, piece: Piece, square: Square) -> bool:
        """Return whether a piece on a square completes a line with a common attribute.

        The piece may have been placed there already.
        """
        return quarto_is_winning(self._cells(), _a(Piece, piece).index, _a(Square, square).index)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All sixteen squares, row by row."""
        return tuple(self._squares)

    def _cells(self) -> list[int | None]:
        return [None if square.is_empty() else square.get_piece().index for square in self._squares]

    def __str__(self) -> str:
        return quarto_board_text(self._cells())

    def __repr__(self) -> str:
        return f"<petteia.quarto.Board {sum(not square.is_empty() for square in self._squares)} placed>"


class Player(ABC):
    """A player, who selects pieces and squares."""

    def __init__(self, board: Board, pool: Pool) -> None:
        self.board = _a(Board, board)
        self.pool = _a(Pool, pool)

    @abstractmethod
    def select_piece(self) -> Piece:
        """Return an unused piece for the other player to place."""

    @abstractmethod
    def select_square(self, piece: Piece) -> Square:
        """Return an empty square to place a piece on."""


class HumanPlayer(Player):
    """A player who is asked until the answer can be played.

    Answers are words separated by white space. The end of the input raises EOFError.
    """

    def __init__(
        self, board: Board, pool: Pool, input: TextIO | None = None, output: TextIO | None = None
    ) -> None:
        super().__init__(board, pool)
        self.input, self.output = streams(input, output)

    def select_piece(self) -> Piece:
        """Ask for a piece until an unused one is named."""
        while True:
            try:
                return self.pool.get_unused_piece(self._ask("Enter a piece:"))
            except (UsedPieceException, InvalidInputException) as error:
                self.output.write(f"{error}\n")

    def select_square(self, piece: Piece) -> Square:
        """Ask for a square until an empty one is named."""
        while True:
            try:
                return self.board.get_empty_square(self._ask("Enter a position:"))
            except (SquareException, InvalidInputException) as error:
                self.output.write(f"{error}\n")

    def _ask(self, question: str) -> str:
        """Read a word one character at a time, to leave the rest to the next reader."""
        self.output.write(question)
        self.output.flush()
        word = ""
        while character := self.input.read(1):
            if not isinstance(character, str):
                raise TypeError(f"expected input as a text stream, not one of {type(character).__name__}")
            if character not in " \t\n\v\f\r":
                word += character
            elif word:
                return word
        if not word:
            raise EOFError("the input ended before the game did")
        return word


class MyopicPlayer(Player):
    """A player who never misses a win in one move, and otherwise plays at random, by C's srand and rand.

    With None for the seed, a fresh one is drawn; seed tells it.

    >>> str(MyopicPlayer(Board(), Pool(), 2019).select_piece())
    'SECO'
    """

    def __init__(self, board: Board, pool: Pool, seed: SupportsIndex | None = 0) -> None:
        super().__init__(board, pool)
        self.seed = seed_of(seed, 2**32 - 1)
        self._choice = MyopicChoice(self.seed)

    def select_piece(self) -> Piece:
        """Choose among the pieces with which the opponent cannot win at once, or else among all."""
        return self.pool.pieces[self._choice.piece(self.board._cells(), self.pool._unused())]

    def select_square(self, piece: Piece) -> Square:
        """Return the first square that wins at once, or else choose among the empty ones."""
        return self.board.squares[self._choice.square(self.board._cells(), _a(Piece, piece).index)]


SEPIA, BEIGE = (32, 32, 36), (236, 232, 220)


def paint_cell(pixels: Any, piece: int, circle: Any, square: Any) -> None:
    """Paint a square of the board, for images of environments.

    circle and square have each pixel's distance from the centre, whose contours are circles and squares. Tall
    pieces are large, sepia ones dark, square ones square, and hollow ones have a hole.
    """
    if piece >= 0:
        painted = (square if piece & 2 else circle) < (0.42 if piece & 8 else 0.3)
        if not piece & 1:
            painted &= circle >= 0.12
        pixels[painted] = SEPIA if piece & 4 else BEIGE


def beside(position: Any) -> list[list[int]]:
    """Return the piece in hand as the cells of a board of one square; -1 if there is none."""
    return [[-1 if position.hand is None else position.action(position.hand)]]
