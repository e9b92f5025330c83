"""The driver of Quarto's document: a game between any two players, printed as it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, TextIO, TypeVar

from . import quarto
from ._petteia import Outcome, ParseError, Quarto

if TYPE_CHECKING:
    from collections.abc import Callable

    from .bots import Bot
    from .quarto import Board, Piece, Pool, Square

Kind = TypeVar("Kind")


class Playing(Protocol):
    """Whoever can play: a quarto.Player, or anything else with its two methods."""

    def select_piece(self) -> Piece:
        """Return an unused piece for the other player to place."""
        ...

    def select_square(self, piece: Piece, /) -> Square:
        """Return an empty square to place a piece on."""
        ...


EXPECTED = (
    "expected a player, which has select_piece and select_square, a class or function that makes one of "
    "a board and a pool, a bot, or a name"
)


def play(
    player1: Playing | Callable[[Board, Pool], Playing] | Bot | str,
    player2: Playing | Callable[[Board, Pool], Playing] | Bot | str,
    board: Board | None = None,
    pool: Pool | None = None,
    *,
    seed: SupportsIndex | None = 0,
    input: TextIO | None = None,
    output: TextIO | None = None,
) -> Outcome:
    """Play a game as the document's driver does, and return its outcome.

    A player is an object with select_piece and select_square, such as your own Player; a class or a function
    that makes one of a board and a pool; "h" for a human and "m" for the myopic player, as on the document's
    command line; or a bot of petteia.bots or its name, such as "level:3". A name given twice is one player,
    with one stream of random numbers. The seed is for names (None: a fresh one each), the input for the
    human, and the output, by default standard output, for the driver and the human.

    The game is played on the players' own board and pool, or else on those given, or else on new ones. If
    some pieces have been placed already, it goes on from there, and player 1 selects.

    If a player selects a piece that is already used or a square that is not empty, the document's exceptions
    are raised, and their field player is 1 or 2; if it is no piece of the pool or no square of the board, a
    TypeError or a ValueError is. Nothing is placed then. What a player raises is passed on, and so is Ctrl-C.

    >>> import io
    >>> from petteia.quarto import Player, play
    >>> class First(Player):
    ...     def select_piece(self):
    ...         return next(piece for piece in self.pool.pieces if not piece.is_used())
    ...
    ...     def select_square(self, piece):
    ...         return next(square for square in self.board.squares if square.is_empty())
    >>> output = io.StringIO()
    >>> play(First, "m", seed=2019, output=output)
    petteia.Outcome(petteia.Player.SECOND)
    >>> print(output.getvalue()[-18:], end="")
    Player 2 has won!
    """
    input, output = quarto.streams(input, output)
    seats = {"player1": player1, "player2": player2}
    board = _shared("board", quarto.Board, board, seats)
    pool = _shared("pool", quarto.Pool, pool, seats)
    named: dict[str, Playing] = {}
    players = [_seated(name, seat, board, pool, seed, input, output, named) for name, seat in seats.items()]
    left = _left_to_place(board, pool)

    output.write(f"{board}\n{pool}\n")
    selecting = 1
    for _ in range(left):
        placing = 3 - selecting
        output.write(f"Player {selecting}'s turn to select a piece:\n")
        output.flush()
        piece = _the_pools(players[selecting - 1].select_piece(), pool, selecting)
        output.write(f"{piece} selected.\n\nPlayer {placing}'s turn to select a square:\n")
        output.flush()
        square = _the_boards(players[placing - 1].select_square(piece), board, placing)
        board.place(piece, square)
        output.write(f"{square} selected.\n\n{board}\n{pool}\n")
        if board.is_winning(piece, square):
            output.write(f"Player {placing} has won!\n")
            output.flush()
            return Outcome(placing - 1)
        selecting = placing
    output.write("It is a draw.\n")
    output.flush()
    return Outcome()


def _shared(what: str, kind: type[Kind], given: Kind | None, seats: dict[str, Any]) -> Kind:
    """Return the board or the pool of a game: the one given, or that of the players, or a new one."""
    if not (given is None or isinstance(given, kind)):
        raise TypeError(f"expected {what} as a {kind.__name__}, not {type(given).__name__}")
    found = {} if given is None else {f"the {what} given": given}
    for name, seat in seats.items():
        # A class has no board yet, whatever its attributes are.
        own = None if isinstance(seat, type) else getattr(seat, what, None)
        if isinstance(own, kind):
            found[name] = own
    for name, other in found.items():
        first = next(iter(found))
        if other is not found[first]:
            raise ValueError(f"{first} and {name} have different {what}s: expected the same for both")
    return next(iter(found.values()), None) or kind()


def _seated(
    name: str,
    seat: Any,
    board: Board,
    pool: Pool,
    seed: SupportsIndex | None,
    input: TextIO,
    output: TextIO,
    named: dict[str, Playing],
) -> Playing:
    """Return the player that an argument of `play` stands for."""
    from . import bots

    if isinstance(seat, str):
        if seat not in named:
            if seat == "h":
                named[seat] = quarto.HumanPlayer(board, pool, input, output)
            elif seat == "m":
                named[seat] = quarto.MyopicPlayer(board, pool, seed)
            else:
                try:
                    bot = bots.named(seat, seed)
                except ParseError as error:
                    expected = f"h for a human, m for the myopic player, {error.expected}"
                    raise ValueError(f"invalid {name} {seat!r}: expected {expected}") from None
                named[seat] = _BotPlayer(board, pool, bot)
        return named[seat]
    made = seat
    lacking = _lacking(seat)
    if isinstance(seat, type) or (lacking and callable(seat)):
        made = seat(board, pool)
        lacking = _lacking(made)
    elif len(lacking) == 2 and isinstance(seat, bots.Bot):
        return _BotPlayer(board, pool, seat)
    if not lacking:
        return made  # type: ignore[no-any-return]
    has_no = "has no " + " and no ".join(lacking)
    if made is not seat:
        raise TypeError(f"{name} made a {type(made).__name__}, which {has_no}: {EXPECTED}")
    problem = has_no if len(lacking) == 1 else f"is a {type(seat).__name__}"
    raise TypeError(f"{name} {problem}: {EXPECTED}")


def _lacking(seat: Any) -> list[str]:
    return [name for name in ("select_piece", "select_square") if not callable(getattr(seat, name, None))]


class _BotPlayer:
    """A bot at the document's board."""

    def __init__(self, board: Board, pool: Pool, bot: Bot) -> None:
        self._board, self._pool, self._bot = board, pool, bot

    def select_piece(self) -> Piece:
        return self._pool.get_unused_piece(self._choice("-"))

    def select_square(self, piece: Piece) -> Square:
        return self._board.get_empty_square(self._choice(f"{piece.index:x}"))

    def _choice(self, hand: str) -> str:
        cells = ["." if cell is None else f"{cell:x}" for cell in self._board._cells()]
        rows = "/".join("".join(cells[row : row + 4]) for row in range(0, 16, 4))
        # The player to act follows from the number of pieces placed.
        player = (16 - cells.count(".") + (hand != "-")) % 2 + 1
        return self._bot.choose(Quarto.from_text(f"{rows} {hand} {player}"))


def _left_to_place(board: Board, pool: Pool) -> int:
    """Return how many pieces are left, which must be at least one in a game that nobody has won."""
    placed = [(square.get_piece(), square) for square in board.squares if not square.is_empty()]
    used = [piece for piece in pool.pieces if piece.is_used()]
    if sorted(id(piece) for piece, _ in placed) != sorted(id(piece) for piece in used):
        raise ValueError(
            "the board and the pool do not match: expected the used pieces of the pool on the board, each "
            "on one square, as place puts them"
        )
    left = len(pool.pieces) - len(used)
    if left == 0 or any(board.is_winning(piece, square) for piece, square in placed):
        raise ValueError(
            "the game on this board is over: expected a new Board and Pool, and players with them"
        )
    return left


def _the_pools(piece: Any, pool: Pool, player: int) -> Piece:
    """Check a piece that a player has selected."""
    told = f"player {player}'s select_piece returned"
    if not isinstance(piece, quarto.Piece):
        code = piece if isinstance(piece, str) and len(piece) < 9 else "SBCH"
        like = f'pool.get_unused_piece("{code}")'
        raise TypeError(f"{told} {_shown(piece)}: expected an unused Piece of the pool, such as {like}")
    if not any(piece is known for known in pool.pieces):
        raise ValueError(
            f"{told} a piece {piece} that is not one of the pool's: "
            f'expected the pool\'s own, pool.get_unused_piece("{piece}")'
        )
    if piece.is_used():
        raise quarto.UsedPieceException(piece, player)
    return piece


def _the_boards(square: Any, board: Board, player: int) -> Square:
    """Check a square that a player has selected."""
    told = f"player {player}'s select_square returned"
    if not isinstance(square, quarto.Square):
        name = square if isinstance(square, str) and len(square) < 9 else "A1"
        like = f'board.get_empty_square("{name}")'
        raise TypeError(f"{told} {_shown(square)}: expected an empty Square of the board, such as {like}")
    if not any(square is known for known in board.squares):
        raise ValueError(
            f"{told} a square {square} that is not one of the board's: "
            f'expected the board\'s own, board.get_square("{square}")'
        )
    if not square.is_empty():
        raise quarto.SquareException(square, "not empty", player)
    return square


def _shown(value: Any) -> str:
    if value is None:
        return "None"
    return repr(str(value)) if isinstance(value, str) and len(value) < 40 else f"a {type(value).__name__}"
