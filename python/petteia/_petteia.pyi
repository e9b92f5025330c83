# The docstrings come from python/src: `python tests/python/stub_docs.py` writes them, and a test compares them.
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import GenericAlias
from typing import Any, Generic, Literal, SupportsIndex, TypeAlias, TypeVar, final, overload, type_check_only

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from ._evaluator import Evaluator
from ._position import Player, Position
from .breakdown import Cell as _Cell
from .breakdown import Outcome as _BreakdownOutcome
from .breakdown import Turn as _Turn
from .reversi import Player as _ReversiPlayer

__all__ = [
    "Breakdown",
    "BreakdownBoard",
    "BreakdownGame",
    "IllegalMove",
    "InvalidMove",
    "Memory",
    "MyopicChoice",
    "Outcome",
    "ParseError",
    "PositionSet",
    "Quarto",
    "Record",
    "Reversi",
    "ReversiBoard",
    "ReversiModel",
    "ReversiMove",
    "Selfplay",
    "Stop",
    "Tally",
    "TicTac",
    "TicTacMove",
    "VectorEnv",
    "__version__",
    "after",
    "alphabeta_name",
    "analyse",
    "analysis_text",
    "bot_choose",
    "bot_name",
    "bot_names",
    "check_starts",
    "check_stop",
    "command",
    "contest",
    "declarations",
    "drawn_start",
    "estimate",
    "estimate_text",
    "evaluate",
    "evaluate_many",
    "explain",
    "is_document_name",
    "level_name",
    "longest_game",
    "max_score",
    "mcts",
    "most_leaves",
    "parse_move",
    "perft",
    "play_batched",
    "playouts",
    "puct",
    "quarto_board_text",
    "quarto_is_winning",
    "quarto_pool_text",
    "score",
    "search_options",
    "solve",
    "starts",
    "thread_count",
    "whole",
]
__version__: str

class IllegalMove(ValueError):
    """An illegal move; the message quotes it, the position and the legal moves.

    Its fields are move (as it was given), position (as text), game (by name), reason (the end of the message), ply (of a record, from 1) and lane (of a batch, from 0), each None if unknown.
    """

    move: str | int | tuple[int, int] | None
    position: str | None
    game: str | None
    reason: str | None
    ply: int | None
    lane: int | None

class ParseError(ValueError):
    """Malformed text; the message quotes it and says what was expected.

    Its fields are text, expected and, for a move of a record, ply, from 1.
    """

    text: str | None
    expected: str | None
    ply: int | None

class InvalidMove(IllegalMove):
    """An illegal move in a TicTac record, raised by petteia.tictac.evaluate; reason names the fault of its number, its player or its square."""

@final
class Outcome:
    """How a finished game ended: with a winner, or in a draw.

    >>> petteia.TicTac.from_text("XXX/OO_/___ -").outcome
    petteia.Outcome(petteia.Player.FIRST)
    """
    def __new__(cls, winner: SupportsIndex | None = None) -> Self: ...
    @property
    def winner(self) -> Player | None:
        """The player who won, or None for a draw."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@type_check_only
class _Position:
    @property
    def moves(self) -> list[str]:
        """The legal moves in the order of their actions; empty if and only if the game is over."""
    @property
    def actions(self) -> list[int]:
        """The actions of the legal moves, in ascending order."""
    def play(self, move: str | SupportsIndex) -> Self:
        """Returns the position after a move, given as notation or as an action.

        Raises IllegalMove for any str or int that is not a legal move.
        """
    @property
    def turn(self) -> Player | None:
        """The player to move, or None when the game is over."""
    @property
    def players(self) -> tuple[str, str]:
        """The players' names, first player first."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
    @property
    def score(self) -> int:
        """The score of the first player as the board stands: in Reversi the discs more than the second player's;
        in the other games 1 for a win, -1 for a loss, and 0 for a draw or while the game goes on.
        """
    @property
    def num_actions(self) -> int:
        """The number of actions of the game, which are numbered from 0."""
    def action(self, move: str) -> int:
        """Returns the action of a move, legal or not.

        Raises ParseError for text that is not a move of this game.
        """
    def move(self, action: SupportsIndex) -> str:
        """Returns the notation of an action, legal or not.

        Raises IndexError for a number that is not an action of this game.
        """
    @property
    def text(self) -> str:
        """The position as one line of text; from_text reads it back."""
    @staticmethod
    def from_text(text: str) -> Any:
        """Reads a position from its line of text.

        Raises ParseError if the text is malformed.
        """
    def svg(
        self,
        last: str | SupportsIndex | None = None,
        legal: bool = False,
        theme: Literal["auto", "light", "dark"] = "auto",
        size: float | None = None,
    ) -> str:
        """Returns a picture of the position as an SVG element.

        last is a move to mark, legal marks the legal moves, theme is auto, light or dark, and size is the width in
        pixels; without it, a picture grows with its board and with the text around it.
        """
    def _repr_svg_(self) -> str:
        """Returns the picture that notebooks show."""
    @property
    def array(self) -> NDArray[np.int8]:
        """The cells as a numpy array of int8, row by row: 0 is empty, 1 the first player's, 2 the second's,
        unless the class says otherwise.
        """
    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """The legal actions as a numpy array of bool, the same as a VectorEnv lane; none where the game is over."""
    @property
    def cells(self) -> bytes:
        """The cells of array packed into bytes, as selfplay writes them: two bits each, four to a byte, the first
        in the lowest bits, unless the class says otherwise.
        """
    def observation(self) -> NDArray[np.uint8]:
        """Returns planes of 0 and 1 from the point of view of the player to move, as a numpy array of uint8.

        The class says which planes. Two planes are the cells of the player to move, then the opponent's; when
        the game is over, the first player's, then the second's.
        """
    def perft(
        self,
        depth: SupportsIndex,
        *,
        threads: SupportsIndex | None = 1,
        table_mb: SupportsIndex | None = None,
    ) -> int:
        """Counts the move sequences of exactly depth plies from here; a finished game has only the empty one.

        With a transposition table of table_mb megabytes, positions that are reached in several ways, up to
        symmetry, are counted once as long as they fit. The count releases the GIL and stops on Ctrl-C.

        Raises OverflowError if there are 2^64 sequences or more.
        """
    @property
    def symmetries(self) -> int:
        """The number of symmetries of the game, including the identity."""
    def transform(self, symmetry: SupportsIndex) -> Self:
        """Returns the position transformed by a symmetry; number 0 is the identity."""
    def transform_action(self, action: SupportsIndex, symmetry: SupportsIndex) -> int:
        """Returns the action that an action becomes by a symmetry, for learning from a position in all its images."""
    def canonical(self) -> Self:
        """Returns the same representative for all positions that are equal up to symmetry."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TicTac(_Position):
    """A position of TicTac: tic-tac-toe in which X or O may begin.

    Squares are written row first: B2 is the centre. Actions are 0 to 8, row by row.

    >>> game = petteia.TicTac().play("B2").play("A1")
    >>> game.text
    'O__/_X_/___ X'
    >>> print(game)
       1   2   3
    A  O |   |
      ---+---+---
    B    | X |
      ---+---+---
    C    |   |
    <BLANKLINE>

    An observation has two planes of 3 by 3.
    """
    def __new__(cls, first: str = "X") -> Self: ...
    @staticmethod
    def from_text(text: str) -> TicTac:
        """Reads a position from its line of text.

        Raises ParseError if the text is malformed.
        """
    @property
    def first(self) -> str:
        """The mark of the player who began, X or O."""
    @property
    def winning_cells(self) -> list[tuple[int, int]]:
        """The squares of the winning lines, as (row, column), row by row; empty if nobody has won."""
    @property
    def count(self) -> tuple[int, int]:
        """The marks of each player, first player first."""

@final
class Breakdown(_Position):
    """A position of Breakdown: sticks are dropped into an upright board, and a square of one colour wins.

    |4 drops an upright stick into column 4, -B a lying one with its left end in column 11, ! breaks all sticks
    down. Columns are 0-9, A-Z, a-z, then numbers from 62. Actions are upright sticks by column, lying ones by
    column, then !.

    >>> petteia.Breakdown().play("|0").play("-2").text
    '..../..../..../*.../*.oo b 2 2'

    An observation has two planes of height by width.
    """
    def __new__(
        cls,
        width: SupportsIndex = 4,
        height: SupportsIndex = 5,
        stick: SupportsIndex = 2,
        square: SupportsIndex = 2,
    ) -> Self: ...
    @staticmethod
    def from_text(text: str) -> Breakdown:
        """Reads a position from its line of text.

        Raises ParseError if the text is malformed.
        """
    @property
    def width(self) -> int:
        """The number of columns."""
    @property
    def height(self) -> int:
        """The number of rows."""
    @property
    def stick(self) -> int:
        """The length of a stick."""
    @property
    def square(self) -> int:
        """The side of a winning square."""
    @property
    def winning_cells(self) -> list[tuple[int, int]]:
        """The cells of all complete squares, as (row, column), row by row."""
    @property
    def count(self) -> tuple[int, int]:
        """The cells of each player, first player first."""

@final
class Reversi(_Position):
    """A position of Reversi on a board from 2x2 to 8x8, with an opening phase on the four centre squares.

    Squares are written column first: d3 is column 3, row 2, counted from 0. Actions are numbered row by row. A
    player who cannot move is skipped.

    >>> game = petteia.Reversi(4, 4)
    >>> for square in ["b2", "c2", "c3", "b3"]:
    ...     game = game.play(square)
    >>> print(game, end="")
    ____
    _DL_
    _LD_
    ____
    >>> game.moves
    ['c1', 'd2', 'a3', 'b4']

    An observation has two planes of height by width.
    """
    def __new__(cls, width: SupportsIndex = 8, height: SupportsIndex = 8) -> Self: ...
    @staticmethod
    def othello(width: SupportsIndex = 8, height: SupportsIndex = 8) -> Reversi:
        """Returns the start of Othello: the opening is over, its tiles lie crosswise, on 8 by 8 squares dark's on e4 and
        d5, and it is dark's turn.

        >>> petteia.Reversi.othello().moves
        ['d3', 'c4', 'f5', 'e6']
        """
    @staticmethod
    def parallel(width: SupportsIndex = 8, height: SupportsIndex = 8) -> Reversi:
        """Returns the other position after an opening: dark's tiles side by side in the upper row of the centre, light's
        in the lower, and it is dark's turn.

        >>> petteia.Reversi.parallel(4, 4).text
        '____/_DD_/_LL_/____ D'
        """
    @staticmethod
    def from_text(text: str) -> Reversi:
        """Reads a position from its line of text.

        Raises ParseError if the text is malformed.
        """
    @property
    def width(self) -> int:
        """The number of columns."""
    @property
    def height(self) -> int:
        """The number of rows."""
    @property
    def count(self) -> tuple[int, int]:
        """The discs of each player, dark's first."""

@final
class Quarto(_Position):
    """A position of Quarto, in which the opponent selects the piece that you place.

    A ply selects a piece by its code (action 0 for SBCH to 15 for TEQO) or places it on a square, row first
    (action 16 for A1 to 31 for D4). Player 1 selects first; the player who places a piece selects the next.

    >>> game = petteia.Quarto().play("SBCH").play("A1").play("TEQO")
    >>> game.text
    '0.../..../..../.... f 1'
    >>> game.hand
    'TEQO'

    An observation has ten planes of 4 by 4: occupied, tall, sepia, square and solid for the board, then the same
    five for the piece in hand, each constant over its plane. In array, an empty square is -1 and a piece is its
    number; in cells, these take a byte each, followed by one for the piece in hand.
    """
    def __new__(cls) -> Self: ...
    @staticmethod
    def from_text(text: str) -> Quarto:
        """Reads a position from its line of text.

        Raises ParseError if the text is malformed.
        """
    @property
    def hand(self) -> str | None:
        """The code of the piece to be placed, or None."""
    @property
    def winning_cells(self) -> list[tuple[int, int]]:
        """The squares of the winning lines, as (row, column), row by row; empty if nobody has won."""

@final
class Tally:
    """How a number of games ended: the result of playouts.

    Tallies can be added. They are equal if the numbers are, whatever the seed. Games cut off after max_plies are counted
    as truncated, and have no result.

    >>> tally = petteia.playouts(petteia.TicTac(), 1000)
    >>> tally
    petteia.Tally(wins=(587, 286), draws=127, plies=7656)
    >>> tally.wins[petteia.Player.FIRST] + tally.wins[petteia.Player.SECOND] + tally.draws == tally.games
    True
    """
    def __new__(
        cls,
        wins: tuple[SupportsIndex, SupportsIndex] = (0, 0),
        draws: SupportsIndex = 0,
        plies: SupportsIndex = 0,
        truncated: SupportsIndex = 0,
        seed: SupportsIndex | None = None,
    ) -> Self: ...
    @property
    def wins(self) -> tuple[int, int]:
        """The games won by each player, first player first."""
    @property
    def draws(self) -> int:
        """The drawn games."""
    @property
    def truncated(self) -> int:
        """The games cut off after a number of plies, which have no result."""
    @property
    def plies(self) -> int:
        """The moves played in all games together."""
    @property
    def games(self) -> int:
        """The number of games."""
    @property
    def seed(self) -> int | None:
        """The seed that playouts played with; None for any other tally, such as a sum."""
    def __add__(self, other: Tally, /) -> Tally: ...
    def __radd__(self, other: Tally, /) -> Tally: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

_Start: TypeAlias = str | _Position

@final
class VectorEnv:
    """Many games of one kind, one per lane, stepped together.

    game is a name in petteia.GAMES; parameters are those of its class, such as width and height. Every call updates
    the arrays in place: they are the same objects for the lifetime of the environment. Each lane has its own random
    stream, so results depend only on the seed and the actions, not on the number of threads, by default one per
    processor (None). A seed of None is a fresh one, which env.seed tells.

    Games start as usual; or from start, a position or its text; or from one of a sequence of these, which each lane
    draws with its random stream. Instead of a name, game may be such a position too.

    A lane whose game has ended shows its last position, the rewards and no legal action. The next step ignores its
    action and starts a new game there. A game that is not over after max_plies plies is truncated: its lane shows its
    last position as it is, with its turn and its legal actions, and rewards of 0, and then it starts a new game too.

    An illegal action raises IllegalMove, which names the first lane that has one, and no lane is stepped; with
    illegal="lose", the player to move loses instead.

    >>> env = petteia.VectorEnv("reversi", 1000, seed=1, width=6, height=6)
    >>> env.observations.shape, env.action_mask.shape
    ((1000, 2, 6, 6), (1000, 36))
    >>> for _ in range(100):
    ...     observations, rewards, terminated = env.step(env.random_actions())
    >>> env.position(0) == petteia.Reversi.from_text(env.position(0).text)
    True
    """
    def __new__(
        cls,
        game: str | _Position,
        num_envs: SupportsIndex,
        *,
        seed: SupportsIndex | None = 0,
        threads: SupportsIndex | None = None,
        illegal: str = "raise",
        start: _Start | Sequence[_Start] | None = None,
        max_plies: SupportsIndex | None = None,
        **parameters: Any,
    ) -> Self: ...
    @property
    def observations(self) -> NDArray[np.uint8]:
        """The planes from the point of view of the player to move: uint8, (lanes, planes, rows, columns)."""
    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """The legal actions: bool, (lanes, actions); none where the game is over."""
    @property
    def turns(self) -> NDArray[np.int8]:
        """The player to move: int8, (lanes,); 0 or 1, or -1 where the game is over."""
    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of both players: float32, (lanes, 2); 1 and -1 if this step won the game, else 0."""
    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether the game is over: bool, (lanes,)."""
    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether the game was truncated after max_plies plies: bool, (lanes,); never where it is over."""
    @property
    def starts(self) -> list[Any]:
        """The positions where games start."""
    @property
    def max_plies(self) -> int | None:
        """After how many plies games are truncated; None is never."""
    @property
    def seed(self) -> int:
        """The seed that the random streams began with, here or at the last reset with a seed."""
    @property
    def num_envs(self) -> int:
        """The number of lanes."""
    @property
    def threads(self) -> int:
        """The number of threads that take part in a step."""
    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the game."""
    @property
    def illegal(self) -> str:
        """What an illegal action does: raise or lose."""
    @property
    def num_actions(self) -> int:
        """The number of actions of the game."""
    @property
    def observation_shape(self) -> tuple[int, int, int]:
        """The planes, rows and columns of one observation."""
    def reset(self, *, seed: SupportsIndex | None = None) -> NDArray[np.uint8]:
        """Starts new games in all lanes, and returns the observations.

        A seed restarts the random streams; without one they continue.
        """
    def step(self, actions: ArrayLike) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_]]:
        """Plays an action in every lane, and returns the arrays (observations, rewards, terminated).

        actions has one integer per lane; where the game is over or truncated it is ignored, and a new game starts.
        """
    def random_actions(self) -> NDArray[np.int64]:
        """Picks a legal action for each lane uniformly at random; 0 where the game is over or truncated.

        Returns a new array of int64.
        """
    def rollout(self, n: SupportsIndex) -> Tally:
        """Steps all lanes n times with random actions, and returns the Tally of the games that ended.

        It is the same as n times step(random_actions()), but faster: the arrays are updated once, at the end. Ctrl-C
        stops it between two steps, or amid one that takes long: some lanes have then made that step and others have
        not. If the arrays are so large that updating them takes long too, they still show the state before the call.
        """
    def position(self, lane: SupportsIndex) -> TicTac | Breakdown | Reversi | Quarto:
        """Returns the position of a lane."""
    def set_position(
        self, lane: SupportsIndex, position: str | TicTac | Breakdown | Reversi | Quarto
    ) -> None:
        """Sets the position of a lane, given as a position or its text, and updates the arrays.

        Plies are counted from there.
        """
    def _repr_html_(self) -> str:
        """Returns the boards of the first lanes as notebooks show them."""
    def get_state(self) -> dict[str, Any]:
        """Returns the state of all lanes: positions as text, random streams, which games are forfeited, and how many plies
        they have had if these are limited.
        """
    def set_state(self, state: dict[str, Any]) -> None:
        """Restores a state returned by get_state, of this or another environment with the same game and number of lanes."""
    def __len__(self) -> int: ...
    def __getnewargs_ex__(self) -> tuple[tuple[str, int], dict[str, Any]]: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, state: dict[str, Any], /) -> None: ...

def declarations() -> list[dict[str, Any]]:
    """Returns the declarations of all games, from which petteia.GAMES is built."""

def perft(
    position: Position,
    depth: SupportsIndex,
    threads: SupportsIndex | None,
    table_mb: SupportsIndex | None,
    progress: _Tell | None,
) -> int:
    """Counts the move sequences of exactly depth plies from a position of any game; petteia.perft adds executors."""

def playouts(
    position: Position | Sequence[Position],
    first: SupportsIndex,
    last: SupportsIndex,
    seed: SupportsIndex,
    threads: SupportsIndex | None,
    progress: _Tell,
    stop: Stop | None,
    max_plies: SupportsIndex | None = None,
) -> Tally:
    """Plays the random games first to last - 1 of a seed; petteia.playouts plays 0 to n - 1.

    stop, if given, has a time limit, at which the games that are over are returned: the first ones, without a gap.
    """

@final
class Stop:
    """Stops the long calls of the threads that follow it: only the main thread of a process hears of signals, and the time
    of a job is that of all its calls.

    time is the seconds from now on after which their calls raise TimeoutError, or None. Whatever stops the current
    thread stops them too.
    """
    def __new__(cls, time: float | None = None) -> Self: ...
    def follow(self) -> None:
        """Lets this stop the long calls of the current thread."""
    def leave(self) -> None:
        """Lets the current thread follow what it did when this was created, there."""
    def set(self) -> None:
        """Stops the long calls of the threads that follow it, now and from now on."""
    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
    @property
    def left(self) -> float | None:
        """The seconds that are left, at least 0, or None if there is no limit."""

def check_stop() -> None:
    """Raises KeyboardInterrupt if the current thread is to stop, and TimeoutError if its time is up."""

def whole(what: str, given: SupportsIndex, least: int, most: int) -> int:
    """Checks an integer for python/petteia."""

def thread_count(threads: SupportsIndex | None) -> int:
    """Returns the number of threads that a number or None stands for."""

@final
class Selfplay:
    """Games of a bot against itself, which petteia.selfplay writes to files.

    positions is cells, text or None.
    """
    def __new__(
        cls,
        bot: str,
        starts: Sequence[_Position],
        seed: int,
        max_plies: int,
        positions: Literal["cells", "text"] | None,
    ) -> Self: ...
    def play(
        self, first: int, last: int
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float32],
        NDArray[np.int8],
        NDArray[np.uint8],
        NDArray[np.int8],
        NDArray[np.int64],
        NDArray[np.float32],
    ]:
        """Plays the games first to last - 1 of the seed.

        Returns arrays: where each game's moves end (int64), actions (int32), values (float32), outcomes (int8),
        positions (uint8), the players to move if these are cells (int8), where their texts end (int64), and the policies
        (float32), none without an evaluator.
        """

def starts(game: str | _Position, parameters: dict[str, Any] | None, start: Any) -> list[Any]:
    """Returns the positions where games start, as a list; petteia.bots.starts_of also takes user-defined games."""

def check_starts(positions: Sequence[Position]) -> None:
    """Checks positions of user-defined games that are to be starts."""

def drawn_start(count: int, seed: int, game: int) -> int:
    """Returns which of a number of starts a game of a seed has."""

def longest_game(position: _Position) -> int | None:
    """Returns the greatest possible number of plies of a game, or None if it can go on forever."""

def after(position: Position, m: str) -> Any:
    """Returns the position after a move of a user-defined game, which need not check its moves itself."""

def score(position: Position, empties_to_winner: bool) -> int | None:
    """Returns the first player's score (1, 0 or -1, or Reversi's disc difference), or None while the game goes on."""

def max_score(position: Position) -> int:
    """Returns the greatest possible score: 1, or the number of squares in Reversi."""

def solve(
    position: Position,
    threads: SupportsIndex | None,
    time_limit: float | None,
    node_limit: SupportsIndex | None,
    table_mb: SupportsIndex | None,
    empties_to_winner: bool,
    all_best: bool,
    progress: _Tell,
    bounds: Callable[[int, int], object] | None,
) -> tuple[int, list[str], list[str], int, float, bool, int, int]:
    """Finds the exact value of a position; petteia.solve names the parts of the result."""

def mcts(
    position: Position,
    simulations: SupportsIndex,
    seed: SupportsIndex,
    threads: SupportsIndex | None,
    progress: _Tell,
    time: float | None,
    evaluator: Literal["estimate"] | None,
) -> tuple[list[tuple[str, int, float, int | None]], int]:
    """Runs a Monte-Carlo tree search; petteia.mcts names the parts of the result."""

_Tell: TypeAlias = Callable[[int, int | None], object]

_Search: TypeAlias = tuple[int, float, float | None, float, float]

def search_options(
    simulations: SupportsIndex,
    exploration: float,
    noise_alpha: float | None,
    noise_fraction: float,
    temperature: float,
) -> _Search:
    """Checks the options of a search with an evaluator, and returns them as ints and floats."""

def most_leaves(what: str, given: SupportsIndex) -> int:
    """Checks how many positions may be judged at once."""

def puct(
    position: _Position,
    evaluator: Evaluator,
    batch: SupportsIndex,
    time: float | None,
    seed: SupportsIndex,
    search: _Search,
    progress: _Tell,
) -> tuple[list[tuple[str, int, float, int | None, float | None]], int]:
    """Runs a tree search with an evaluator; petteia.mcts names the parts of the result."""

def play_batched(
    starts: Sequence[_Position],
    parts: Sequence[tuple[int, int]],
    evaluator: Evaluator,
    games_at_once: SupportsIndex,
    search: _Search,
    seed: int,
    temperature_plies: SupportsIndex,
    max_plies: int,
    positions: Literal["cells", "text", "arrays"] | None,
    deliver: Callable[[int, Any], object],
    progress: _Tell,
    stop: Stop | None,
) -> None:
    """Plays games with an evaluator, many at once, and delivers them in parts.

    parts are ranges of numbers. As soon as all games of one are finished, deliver(number of the part, arrays) is called;
    the arrays are those of Selfplay.play and the policies (float32), or those of a learner if positions is "arrays".
    Late by stop, it ends; then a learner's part has the games that are finished, the first ones, without a gap.
    """

_Estimate: TypeAlias = tuple[float, float, float, float | None]

def estimate(position: Position) -> _Estimate:
    """Estimates how a game will end; petteia.evaluate names the parts of the result."""

def analyse(
    position: Position,
    time: float | None,
    nodes: SupportsIndex | None,
    depth: SupportsIndex | None,
    lines: SupportsIndex,
    threads: SupportsIndex | None,
    progress: _Tell,
) -> tuple[list[tuple[list[str], _Estimate, int | None]], int, int, float]:
    """Finds the best moves of a position; petteia.analyse names the parts of the result."""

def explain(position: Position, move: str) -> str:
    """Says why a move is good, in sentences; see petteia.explain."""

def estimate_text(estimate: _Estimate) -> str:
    """Writes an estimate in words."""

def analysis_text(
    lines: Sequence[tuple[Sequence[str], _Estimate, int | None]], depth: int, nodes: int, seconds: float
) -> str:
    """Writes an analysis as a table."""

@final
class Memory:
    """What a computer player remembers from move to move of a game; a copy remembers nothing."""
    def __new__(cls) -> Self: ...
    def __reduce__(self) -> tuple[type[Self], tuple[()]]: ...

def bot_name(name: str) -> str:
    """Returns a computer player's full name, or raises a ParseError."""

def bot_names() -> str:
    """Returns the names of the computer players, for help."""

def alphabeta_name(depth: SupportsIndex | None, nodes: SupportsIndex | None, time: float | None) -> str:
    """Returns the name of the alpha-beta player with a depth, a number of nodes or a time."""

def level_name(level: SupportsIndex) -> str:
    """Returns the name of the player of a level."""

def bot_choose(
    name: str, position: Position, seed: int, n: int, memory: Memory
) -> tuple[str, int | None, _Estimate | None] | None:
    """Returns a computer player's choice, the n-th that it makes with a seed: its move, the exact value of the move if it
    is proved, and an estimate if the player looked; None when the game is over.
    """

def contest(
    first: str,
    second: str,
    starts: Sequence[Position],
    seed: int,
    max_plies: int,
    games: tuple[int, int],
) -> list[tuple[int, int]]:
    """Plays some games of a match between two computer players, and returns the results for the first (1, 0 or -1), each
    with a hash by which repeated games are known.
    """

_P = TypeVar("_P", bound=Position)

@final
class Record(Sequence[str], Generic[_P]):
    """A game from some position on: the moves played, each checked.

    It is a sequence of its moves: a slice is the record of these moves, which starts from the position before them. It
    can be written as one line of text and read back, also with headers that say what else is known of the game.

    >>> record = petteia.Record.from_text("tictac X: B2 C2 C3")
    >>> record.moves
    ['B2', 'C2', 'C3']
    >>> record.last.text
    '___/_X_/_OX O'
    >>> record.play("A1").text
    'tictac X: B2 C2 C3 A1'
    >>> record[-1], record[:2].text, record[1:].text
    ('C3', 'tictac X: B2 C2', 'tictac X from ___/_X_/___ O: C2 C3')
    >>> record.undo().with_headers(first="Ada", second="Bob").text
    '[first "Ada"] [second "Bob"] tictac X: B2 C2'
    >>> petteia.Record(petteia.Reversi(), ["d4", "e4"])
    petteia.Record.from_text('reversi 8 8: d4 e4')
    """
    def __new__(
        cls,
        position: _P,
        moves: Iterable[str | SupportsIndex] = (),
        headers: Mapping[str, str] | None = None,
    ) -> Record[_P]: ...
    @staticmethod
    def from_text(text: str, game: type[Any] | None = None) -> Record[Any]:
        """Reads a record from its line of text, such as 'reversi 8 8: d4 e4 e5 d5 e3', with or without its newline.

        For your own game, game is its class, whose from_text reads the starting position.

        Raises ParseError or, for an illegal move, IllegalMove; both name the ply.
        """
    @staticmethod
    def from_ggf(text: str) -> Record[Reversi]:
        """Reads a game of Othello in GGF, the Generic Game Format, as a record of Reversi.

        Its tags become headers: PB first, PW second, DT date, PC place, RE result, TI time, RB first-rating, RW
        second-rating, and so on. Passes, and the values and times of moves, are left out.

        >>> game = "(;GM[Othello]PB[Ada]PW[Bob]RE[?]TY[4]BO[4 ---- -O*- -*O- ---- *]B[a2//1.5]W[a1];)"
        >>> petteia.Record.from_ggf(game).text
        '[first "Ada"] [second "Bob"] reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1'

        Raises ParseError for a text that is not one game of Othello, and IllegalMove, which names the ply without
        counting passes.
        """
    def to_ggf(self) -> str:
        """Returns a record of Reversi in GGF, the Generic Game Format of Othello programs, on one line.

        Othello has no opening phase, so the first position is that in which the four centre squares are occupied. Headers
        become tags as in from_ggf; others are left out.

        Raises ValueError for what GGF cannot say: a board that is not square, a game that is still in the opening, a
        header with a closing bracket. Raises TypeError for other games.
        """
    def to_pgn(self) -> str:
        """Returns a record of Reversi in the manner of PGN: tags in brackets, then the moves with their numbers.

        Black is Dark, so the result is 1-0 if Dark won. The first position is that of to_ggf; if it is not the start of
        8x8 Othello, the tag Position has its text. A pass is written pass.

        >>> record = petteia.Record(petteia.Reversi.othello(), ["d3", "c5"], {"first": "Ada"})
        >>> print(record.to_pgn(), end="")
        [Event "?"]
        [Site "?"]
        [Date "?"]
        [Round "?"]
        [Black "Ada"]
        [White "?"]
        [Result "*"]
        <BLANKLINE>
        1. d3 c5 *

        Raises ValueError for a game that is still in the opening, and TypeError for other games.
        """
    @property
    def text(self) -> str:
        """The record as one line of text: the headers, the game, its parameters, a colon and the moves.

        If the record does not start where the game does, "from" and the text of the starting position come before the
        colon. For your own game, the name of its class and the text of the starting position do.

        Raises TypeError for your own game if it has no text.
        """
    @property
    def headers(self) -> Mapping[str, str]:
        """What is known of the game besides its moves, such as its players: texts by name. It cannot be changed.

        Names are lower-case words, such as first, second, date and result. petteia does not check the texts against the
        game: a result is what somebody wrote.
        """
    def with_headers(self, **headers: str | None) -> Self:
        """Returns the record with more or other headers, without those that are None.

        >>> record = petteia.Record(petteia.Reversi.othello(), ["d3"], {"date": "1971"})
        >>> record.with_headers(date=None, first="Ada").headers["first"]
        'Ada'

        Raises ValueError for a name that is no lower-case word, for a text with a newline or another control character,
        or if either is too long.
        """
    @property
    def moves(self) -> list[str]:
        """The moves in notation."""
    @property
    def positions(self) -> list[_P]:
        """Every position of the game from first to last, one more than there are moves."""
    @property
    def start(self) -> _P:
        """The starting position."""
    @property
    def last(self) -> _P:
        """The position after the last move."""
    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it goes on."""
    def play(self, move: str | SupportsIndex) -> Self:
        """Returns the record with one more move, given as notation or as an action.

        Raises IllegalMove, which names the ply.
        """
    def undo(self) -> Self:
        """Returns the record without its last move.

        Raises ValueError if there is no move.
        """
    def replay(self) -> Iterator[tuple[str, _P]]:
        """Iterates over the moves, each with the position it led to.

        >>> for move, position in petteia.Record.from_text("tictac X: B2 C2").replay():
        ...     print(move, position.text)
        B2 ___/_X_/___ O
        C2 ___/_X_/_O_ X
        """
    def _repr_html_(self) -> str:
        """Returns the game as notebooks show it, with buttons, a slider and keys to step through it."""
    @classmethod
    def __class_getitem__(cls, game: Any) -> GenericAlias: ...
    def index(self, move: Any, start: int = 0, stop: int = ...) -> int:
        """Returns the place of the first such move, counted from 0.

        Raises ValueError if there is none from start on and before stop.
        """
    def count(self, move: Any) -> int:
        """Returns how often a move was played."""
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> str: ...
    @overload
    def __getitem__(self, key: slice, /) -> Self: ...
    def __iter__(self) -> Iterator[str]: ...
    def __reversed__(self) -> Iterator[str]: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class TicTacMove:
    """One line of a game record: the number of the move, the player and the square.

    >>> move = petteia.tictac.parse_move("2  o c2 # oops")
    >>> move.number, move.player, move.square
    (2, 'O', 'C2')
    >>> str(move)
    '2 O C2'
    """
    def __new__(cls, number: SupportsIndex, player: str, square: str) -> Self: ...
    @property
    def number(self) -> int:
        """The number of the move in its game, from 1 to 9."""
    @property
    def player(self) -> str:
        """The player who moves, X or O."""
    @property
    def square(self) -> str:
        """The claimed square, A1 to C3."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def parse_move(line: str | bytes) -> TicTacMove:
    """Reads one line of a game record, with or without its newline.

    Raises ParseError if it does not follow the format exactly.

    >>> petteia.tictac.parse_move("1 X B2")
    petteia.tictac.Move(1, 'X', 'B2')
    """

def evaluate(text: str | bytes) -> str:
    r"""Evaluates a whole game record, and returns the line that says how the game stands.

    Raises ParseError for a malformed line and InvalidMove for an illegal move.

    >>> petteia.tictac.evaluate("1 X B2\n2 O C2 # oops\n")
    "Game in progress: X's turn."
    >>> petteia.tictac.evaluate("1 X B2\n2 O B2\n")
    Traceback (most recent call last):
    petteia.InvalidMove: ply 2: illegal move "2 O B2" in tictac "___/_X_/___ O": B2 is taken; the legal moves are A1 A2 A3 B1 B3 C1 C2 C3
    """

def evaluate_many(records: Iterable[str | bytes]) -> NDArray[np.uint8]:
    r"""Evaluates many game records, each a str or bytes, and returns their Verdicts as a numpy array of uint8.

    >>> verdicts = petteia.tictac.evaluate_many(["1 X B2\n", "", b"1 X D4\n"])
    >>> [petteia.tictac.Verdict(verdict).name for verdict in verdicts]
    ['O_TURN', 'NEW_GAME', 'PARSE_ERROR']
    """

@final
class BreakdownBoard:
    """A mutable board, stored as one cell per element ("matrix") or two bits per cell ("bits").

    >>> board = petteia.breakdown.Board(4, 2, "bits")
    >>> board[1, 0] = petteia.breakdown.Cell.BLACK
    >>> board[1, 0]
    petteia.breakdown.Cell.BLACK
    >>> print(board)
      0123
    <BLANKLINE>
    0 ....
    1 *...
    <BLANKLINE>
    >>> board.bits
    [256]
    """
    def __new__(
        cls, width: SupportsIndex, height: SupportsIndex, kind: Literal["matrix", "bits"] = "matrix"
    ) -> Self: ...
    @staticmethod
    def from_rows(rows: Sequence[str], kind: Literal["matrix", "bits"] = "matrix") -> BreakdownBoard:
        """Returns a board with the given rows, from the top, as they are drawn.

        >>> petteia.breakdown.Board.from_rows(["....", "*.oo"])[1, 3]
        petteia.breakdown.Cell.WHITE
        """
    @property
    def width(self) -> int:
        """The number of columns."""
    @property
    def height(self) -> int:
        """The number of rows."""
    @property
    def kind(self) -> Literal["matrix", "bits"]:
        """How the board is stored: "matrix" or "bits"."""
    @property
    def bits(self) -> list[int]:
        """The packed words of a bits board: sixteen cells per word, row by row, the first in the lowest bits.

        They are a list that cannot be changed, which would not change the board.
        """
    def __getitem__(self, index: tuple[SupportsIndex, SupportsIndex], /) -> _Cell: ...
    def __setitem__(self, index: tuple[SupportsIndex, SupportsIndex], cell: SupportsIndex, /) -> None: ...
    def __delitem__(self, index: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class BreakdownGame:
    """A game: sticks of one length are dropped into a board until a square of one colour wins.

    The turn is left to the caller: neither drop_stick nor breakdown changes next.

    >>> from petteia.breakdown import Game, Turn
    >>> game = Game(2, 2, 4, 5, "matrix")
    >>> game.drop_stick(0, True)
    True
    >>> game.next = Turn.WHITE_NEXT
    >>> game.drop_stick(2, False)
    True
    >>> print(game.board)
      0123
    <BLANKLINE>
    0 ....
    1 ....
    2 ....
    3 *...
    4 *.oo
    <BLANKLINE>
    >>> game.outcome()
    petteia.breakdown.Outcome.IN_PROGRESS
    """
    def __new__(
        cls,
        stick: SupportsIndex,
        square: SupportsIndex,
        width: SupportsIndex,
        height: SupportsIndex,
        kind: Literal["matrix", "bits"] = "matrix",
    ) -> Self: ...
    @staticmethod
    def on_board(
        stick: SupportsIndex,
        square: SupportsIndex,
        board: BreakdownBoard,
        next: SupportsIndex = ...,
    ) -> BreakdownGame:
        """Returns a game on an existing board, which it shares."""
    @property
    def stick(self) -> int:
        """The length of a stick."""
    @property
    def square(self) -> int:
        """The side of a winning square."""
    @property
    def board(self) -> BreakdownBoard:
        """The board itself, not a copy: writing to it changes the game."""
    @property
    def next(self) -> _Turn:
        """Whose stick is dropped next."""
    @next.setter
    def next(self, next: SupportsIndex, /) -> None: ...
    def drop_stick(self, col: SupportsIndex, vertical: object) -> bool:
        """Drops a stick of the player to move into a column, upright or lying with its left end there.

        Returns whether there was room for it; if not, nothing changes.
        """
    def breakdown(self) -> None:
        """Lets every cell with air beneath it fall."""
    def outcome(self) -> _BreakdownOutcome:
        """Returns the state of the game."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class PositionSet:
    """A set of positions (x, y), with x and y from 0 to 7.

    It has the operators of a set: & | ^ - and their assignments, comparisons and in; ~ is the complement on the 8x8
    board. Iteration is by x, then by y. A set that belongs to a move or a model cannot be changed, its copy can.

    >>> pset = petteia.reversi.PositionSet([(3, 2), (2, 3)])
    >>> pset[4, 1] = True
    >>> print(pset)
    {{2, 3}, {3, 2}, {4, 1}}
    >>> len(~pset), list(pset & ~petteia.reversi.PositionSet([(2, 3)]))
    (61, [(3, 2), (4, 1)])
    """
    def __new__(cls, positions: Iterable[tuple[SupportsIndex, SupportsIndex]] = ()) -> Self: ...
    @staticmethod
    def from_bits(bits: SupportsIndex) -> PositionSet:
        """Returns the set with the given bits, bit 8 * y + x for the position (x, y)."""
    @property
    def bits(self) -> int:
        """The set as bits, bit 8 * y + x for the position (x, y)."""
    def empty(self) -> bool:
        """Returns whether the set has no positions."""
    def clear(self) -> None:
        """Removes all positions."""
    def add(self, position: tuple[SupportsIndex, SupportsIndex]) -> None:
        """Adds a position."""
    def discard(self, position: tuple[SupportsIndex, SupportsIndex]) -> None:
        """Removes a position if it is in the set."""
    def remove(self, position: tuple[SupportsIndex, SupportsIndex]) -> None:
        """Removes a position; raises KeyError if it is not in the set."""
    def pop(self) -> tuple[int, int]:
        """Removes and returns the first position; raises KeyError if the set is empty."""
    def isdisjoint(self, other: PositionSet) -> bool:
        """Returns whether this set and another have no position in common."""
    def copy(self) -> PositionSet:
        """Returns a copy, which can be changed."""
    def __getitem__(self, position: tuple[SupportsIndex, SupportsIndex], /) -> bool: ...
    def __setitem__(self, position: tuple[SupportsIndex, SupportsIndex], present: bool, /) -> None: ...
    def __delitem__(self, position: Any, /) -> None: ...
    def __contains__(self, position: tuple[SupportsIndex, SupportsIndex], /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[int, int]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __le__(self, other: PositionSet, /) -> bool: ...
    def __lt__(self, other: PositionSet, /) -> bool: ...
    def __ge__(self, other: PositionSet, /) -> bool: ...
    def __gt__(self, other: PositionSet, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __invert__(self) -> PositionSet: ...
    def __and__(self, other: PositionSet, /) -> PositionSet: ...
    def __rand__(self, other: PositionSet, /) -> PositionSet: ...
    def __or__(self, other: PositionSet, /) -> PositionSet: ...
    def __ror__(self, other: PositionSet, /) -> PositionSet: ...
    def __xor__(self, other: PositionSet, /) -> PositionSet: ...
    def __rxor__(self, other: PositionSet, /) -> PositionSet: ...
    def __sub__(self, other: PositionSet, /) -> PositionSet: ...
    def __rsub__(self, other: PositionSet, /) -> PositionSet: ...
    def __iand__(self, other: PositionSet, /) -> Self: ...
    def __ior__(self, other: PositionSet, /) -> Self: ...
    def __ixor__(self, other: PositionSet, /) -> Self: ...
    def __isub__(self, other: PositionSet, /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ReversiMove:
    """A move: the position played, and all positions it gains, which are the one played and the flips."""
    def __new__(cls, first: tuple[SupportsIndex, SupportsIndex], second: PositionSet) -> Self: ...
    @property
    def first(self) -> tuple[int, int]:
        """The position played."""
    @property
    def second(self) -> PositionSet:
        """The positions that the player gains, including the one played. The set cannot be changed, its copy can."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ReversiBoard:
    """A mutable board, 2 to 8 squares wide and high: a map from positions (x, y) to players.

    >>> from petteia.reversi import Board, Player
    >>> board = Board(3, 2)
    >>> board[0, 0] = Player.DARK
    >>> board[2, 1] = Player.LIGHT
    >>> print(board, end="")
    D__
    __L
    >>> board.count_player(Player.NEITHER)
    4
    """
    def __new__(cls, width: SupportsIndex = 8, height: SupportsIndex = 8) -> Self: ...
    @staticmethod
    def from_rows(rows: Sequence[str]) -> ReversiBoard:
        """Returns a board with the given rows, from the top, as they are printed.

        >>> petteia.reversi.Board.from_rows(["D__", "__L"])[2, 1]
        petteia.reversi.Player.LIGHT
        """
    def dimensions(self) -> tuple[int, int]:
        """Returns the board's width and height."""
    def all_positions(self) -> PositionSet:
        """Returns all positions on the board."""
    def center_positions(self) -> PositionSet:
        """Returns the four centre positions, where the opening phase is played."""
    @staticmethod
    def all_directions() -> list[tuple[int, int]]:
        """Returns the eight directions, as steps in x and y."""
    def set_all(self, positions: PositionSet, player: SupportsIndex) -> None:
        """Puts a player's tiles on all positions of a set, or removes the tiles there for Player.NEITHER.

        Raises IndexError, and changes nothing, if a position is off the board.
        """
    def positions(self, player: SupportsIndex) -> PositionSet:
        """Returns the positions of a player's tiles, or the empty ones for Player.NEITHER."""
    def count_player(self, player: SupportsIndex) -> int:
        """Returns the number of a player's tiles, or of empty squares for Player.NEITHER."""
    def copy(self) -> ReversiBoard:
        """Returns a copy, which can be changed."""
    def find_flips(
        self,
        pos: tuple[SupportsIndex, SupportsIndex],
        dir: tuple[SupportsIndex, SupportsIndex],
        player: SupportsIndex,
    ) -> PositionSet:
        """Returns the opponent's tiles in the direction dir from a position that a player's tile there would flip.

        These are the tiles in a straight line that ends in a tile of the player; dir is one of all_directions(). The
        position itself is not looked at. Raises IndexError if it is off the board.

        >>> from petteia.reversi import Board, Player
        >>> board = Board()
        >>> board[2, 2], board[2, 3] = Player.DARK, Player.LIGHT
        >>> print(board.find_flips((2, 4), (0, 1), Player.DARK), board.find_flips((2, 4), (0, -1), Player.DARK))
        {} {{2, 3}}
        """
    def evaluate_position(
        self, pos: tuple[SupportsIndex, SupportsIndex], player: SupportsIndex
    ) -> PositionSet:
        """Returns the positions that a player gains by a tile on a position: that one and all flips.

        The set is empty if the position is occupied or nothing would flip. The opening phase, in which nothing need
        be flipped, is the model's. Raises IndexError if the position is off the board.

        >>> from petteia.reversi import Board, Player
        >>> print(Board.from_rows(["DLL_", "____"]).evaluate_position((3, 0), Player.DARK))
        {{1, 0}, {2, 0}, {3, 0}}
        """
    def __getitem__(self, position: tuple[SupportsIndex, SupportsIndex], /) -> _ReversiPlayer: ...
    def __setitem__(
        self, position: tuple[SupportsIndex, SupportsIndex], player: SupportsIndex, /
    ) -> None: ...
    def __delitem__(self, position: Any, /) -> None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ReversiModel:
    """A game: the board, the turn, the winner and the legal moves.

    >>> model = petteia.reversi.Model()
    >>> for position in [(3, 3), (4, 3), (4, 4), (3, 4)]:
    ...     model.play_move(position)
    >>> model.turn
    petteia.reversi.Player.DARK
    >>> print(model.find_move((4, 2)))
    Move{{4, 2}, {{4, 2}, {4, 3}}}
    >>> model.find_move((0, 0)) is None
    True
    """
    def __new__(cls, width: SupportsIndex = 8, height: SupportsIndex = 8) -> Self: ...
    @staticmethod
    def from_position(position: Reversi) -> ReversiModel:
        """Returns a game that has reached a position."""
    @property
    def turn(self) -> _ReversiPlayer:
        """The player to move, or Player.NEITHER when the game is over."""
    @property
    def winner(self) -> _ReversiPlayer:
        """The winner; Player.NEITHER while the game goes on, and after a tie."""
    @property
    def is_game_over(self) -> bool:
        """Whether the game is over."""
    @property
    def board(self) -> ReversiBoard:
        """The board itself, which goes on with the game. Only play_move changes it; its copy() is a board of your own."""
    @property
    def position(self) -> Reversi:
        """The current position."""
    @property
    def next_moves(self) -> dict[tuple[int, int], PositionSet]:
        """The legal moves: a dict from each position that can be played to the set of positions it gains.

        The dict and its sets cannot be changed, which would not change the game. A later move leaves them as they are.
        """
    def __getitem__(self, position: tuple[SupportsIndex, SupportsIndex], /) -> _ReversiPlayer: ...
    def find_move(self, position: tuple[SupportsIndex, SupportsIndex]) -> ReversiMove | None:
        """Returns the move on a position, or None if it is illegal."""
    def play_move(self, position: tuple[SupportsIndex, SupportsIndex]) -> None:
        """Plays a move. The turn passes to the opponent, back if the opponent cannot move, or to nobody at the end.

        Raises IllegalMove if the move is illegal, which it always is off the board.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class MyopicChoice:
    """The myopic player's choices, from one stream of random numbers, of which some were drawn before."""
    def __new__(cls, seed: SupportsIndex, drawn: SupportsIndex = 0) -> Self: ...
    def piece(self, cells: Sequence[SupportsIndex | None], unused: Sequence[SupportsIndex]) -> int:
        """Returns the piece to give to the opponent."""
    def square(self, cells: Sequence[SupportsIndex | None], piece: SupportsIndex) -> int:
        """Returns the square to place a piece on."""

def quarto_is_winning(
    cells: Sequence[SupportsIndex | None], piece: SupportsIndex, square: SupportsIndex
) -> bool:
    """Returns whether a piece on a square completes a line with a common attribute."""

def quarto_board_text(cells: Sequence[SupportsIndex | None]) -> str:
    """Returns the drawing of a board."""

def quarto_pool_text(unused: Sequence[SupportsIndex]) -> str:
    """Returns the list of unused pieces as text."""

def command(arguments: Sequence[str]) -> int:
    """Runs the command on the streams of the process, and returns its exit status.

    The first argument is the name it was called by.
    """

def is_document_name(called: str | PathLike[str]) -> bool:
    """Returns whether a link of this name to the command runs one of the documents' programs."""
