"""Estimates and analysis: the engine's results, with their parts named."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from . import _petteia, _pictures
from ._arguments import position_of
from ._progress import telling

if TYPE_CHECKING:
    from ._types import GameLike, Progress


class Estimate(NamedTuple):
    """How a game is likely to end for the player to move: what a position looks like, not what is proved.

    >>> estimate = petteia.Estimate(win=0.5, draw=0.25, loss=0.25, difference=None)
    >>> estimate.expected
    0.25
    >>> print(estimate)
    estimate: win 50 %, draw 25 %, loss 25 %
    """

    win: float
    """The probability that the player to move wins."""
    draw: float
    """The probability of a draw."""
    loss: float
    """The probability that the player to move loses."""
    difference: float | None
    """The expected disc difference in Reversi, None in the other games."""

    @property
    def expected(self) -> float:
        """The expected result, from -1 for a loss to 1 for a win."""
        return self.win - self.loss

    def __str__(self) -> str:
        """Return the estimate in words."""
        return _petteia.estimate_text(self)


class Line(NamedTuple):
    """A move and what is expected to follow: as far as it is proved, if the move's value is."""

    moves: tuple[str, ...]
    """The principal variation, which begins with the move."""
    estimate: Estimate
    """How the game is likely to end for the player to move; certain if the value is known."""
    value: int | None
    """The exact value if it was proved: the disc difference in Reversi, else 1 (a win), 0 or -1."""

    @property
    def exact(self) -> bool:
        """Whether the value is proved, not only estimated."""
        return self.value is not None


class _Analysis(NamedTuple):
    """The parts of an Analysis."""

    lines: tuple[Line, ...]
    """The best moves, best first: as many as were asked for, if there are so many, and at least one."""
    depth: int
    """How many plies deep all moves were searched, at most 120; 0 if not even the first round was over."""
    nodes: int
    """The number of positions searched."""
    seconds: float
    """The time it took."""


class Analysis(_Analysis, _pictures.Result):
    """The result of an analysis."""

    @property
    def best(self) -> str:
        """The best move."""
        return self.lines[0].moves[0]

    @property
    def exact(self) -> bool:
        """Whether the best move is proved to be one, not only estimated."""
        return self.lines[0].exact

    def __str__(self) -> str:
        """Return a table with a row for each line."""
        return _petteia.analysis_text(*self)

    def _repr_html_(self) -> str:
        """Return the lines as notebooks show them."""
        return _pictures.analysis(self)


def evaluate(position: GameLike) -> Estimate:
    """Estimate how a game will end, from a look at the position alone.

    analyse looks ahead, and solve finds exact values. Your own game tells nothing by its looks: it is
    estimated to be even.

    Raises ValueError for a finished game.

    >>> estimate = petteia.evaluate(petteia.Reversi())
    >>> abs(estimate.win + estimate.draw + estimate.loss - 1) < 1e-9
    True
    """
    return Estimate(*_petteia.estimate(position_of(position)))


def analyse(
    position: GameLike,
    time: float | None = None,
    nodes: SupportsIndex | None = None,
    depth: SupportsIndex | None = None,
    lines: SupportsIndex = 1,
    *,
    threads: SupportsIndex | None = 1,
    progress: Progress = None,
) -> Analysis:
    """Find the best moves within limits, with estimates of how the game will end after each.

    time, in seconds, nodes and depth, in plies, are limits; the one that is met first ends the search.
    Without any, it searches a million nodes. lines is the number of moves asked for. Where the end of the
    game can be proved, a line has an exact value. With a limit of nodes or depth and one thread, the result
    is always the same. progress counts nodes. Ctrl-C stops the search.

    Raises ValueError for a finished game.

    >>> analysis = petteia.analyse(petteia.TicTac.from_text("XX_/OO_/___ X"), depth=3)
    >>> analysis.best, analysis.exact, analysis.lines[0].value
    ('A3', True, 1)
    """
    start = position_of(position)
    with telling(progress, "nodes") as tell:
        found, reached, searched, seconds = _petteia.analyse(start, time, nodes, depth, lines, threads, tell)
    named = (Line(tuple(moves), Estimate(*estimate), value) for moves, estimate, value in found)
    return Analysis(tuple(named), reached, searched, seconds)._of(start)


def explain(position: GameLike, move: str) -> str:
    """Return why a move is good, in a sentence or more; an empty text if petteia knows no reason.

    What it says is true of the move: it is seen a move or two ahead, or proved by a short search. A bad move
    has no reason, and not every good one has.

    Raises IllegalMove for a str that is not a legal move.

    >>> petteia.explain(petteia.TicTac.from_text("XX_/_O_/___ O"), "A3")
    'It is the only move after which the opponent cannot win at once. It is the only move that does not lose.'
    """
    return _petteia.explain(position_of(position), move)


for _public in (Estimate, Line, Analysis, evaluate, analyse, explain):
    _public.__module__ = "petteia"
