"""Computer players of every strength, and matches between them.

A bot is any object with a method choose(position) that returns a legal move, so that your own can take part.

>>> bot = petteia.bots.Mcts(simulations=200, seed=1)
>>> bot.choose(petteia.TicTac.from_text("XX_/OO_/___ X"))
'A3'
>>> print(petteia.match(petteia.bots.Myopic(), petteia.bots.Random(), "breakdown", games=100))
Myopic() against Random() in 100 games of breakdown 4 5 2 2
            won  drawn  lost
first        46      3     1
second       40      6     4
together     86      9     5
score 90.5 %, with 95 % confidence from 83.2 % to 94.8 %
"""

from __future__ import annotations

import math
import operator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex, runtime_checkable

from . import _games, _petteia
from ._chunks import Pace, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

__all__ = ["Bot", "MatchResult", "Mcts", "Myopic", "Perfect", "Random", "match", "named"]


@runtime_checkable
class Bot(Protocol):
    """Whatever chooses moves.

    A bot that also has a method seeded(seed), which returns a bot that plays alike with other random choices,
    gets a seed of its own for each game of a match: the match can then be played again to the same result.
    """

    def choose(self, position: Any) -> str:
        """Return a legal move of a position that is not over."""


class Computer:
    """One of petteia's own players; its random choices are fixed by the seed and the number of moves it has
    chosen."""

    def __init__(self, name: str, seed: int) -> None:
        """Set up a player by the name that the core has for it."""
        self._name = _petteia.bot_name(name)
        self._seed = whole("seed", seed, 0)
        self._chosen = 0

    @property
    def name(self) -> str:
        """The name by which named knows it, such as mcts:1000."""
        return self._name

    def choose(self, position: Any) -> str:
        """Return a move; raises ValueError when the game is over."""
        move = _petteia.bot_choose(self._name, position, self._seed, self._chosen)
        if move is None:
            raise ValueError(
                f"the game is over: expected a position with a player to move, not {_shown(position)}"
            )
        self._chosen += 1
        return move

    def seeded(self, seed: int) -> Computer:
        """Return a player of the same strength with other random choices."""
        return named(self._name, seed)

    def __repr__(self) -> str:
        """Return the class and how hard it thinks; the seed is nobody's strength."""
        return f"{type(self).__name__}({self._name.partition(':')[2]})"


class Random(Computer):
    """Plays any move, each with the same chance."""

    def __init__(self, seed: int = 0) -> None:
        """Set up a player with a seed."""
        super().__init__("random", seed)


class Myopic(Computer):
    """Looks one move ahead: wins at once if it can, else plays a random move after which the other cannot."""

    def __init__(self, seed: int = 0) -> None:
        """Set up a player with a seed."""
        super().__init__("myopic", seed)


class Mcts(Computer):
    """Searches the tree of the game by a number of random games a move."""

    def __init__(self, simulations: int = 1000, seed: int = 0) -> None:
        """Set up a player with a number of random games a move, and a seed."""
        super().__init__(f"mcts:{whole('simulations', simulations, 1)}", seed)


class Perfect(Computer):
    """Plays perfectly where looking at so many positions solves the game, else by a tree search of about that
    time."""

    def __init__(self, nodes: int = 2_000_000, seed: int = 0) -> None:
        """Set up a player with a number of positions a move, and a seed."""
        super().__init__(f"perfect:{whole('nodes', nodes, 1)}", seed)


CLASSES: dict[str, Callable[..., Computer]] = {
    "random": Random,
    "myopic": Myopic,
    "mcts": Mcts,
    "perfect": Perfect,
}


def named(name: str, seed: int = 0) -> Computer:
    """Return the player with a name: random, myopic, mcts or perfect, the last two with a number if wanted.

    >>> petteia.bots.named("mcts:500")
    Mcts(500)
    """
    kind, _, budget = _petteia.bot_name(name).partition(":")
    arguments = [int(budget)] if budget else []
    return CLASSES[kind](*arguments, seed=seed)


Counts = tuple[int, int, int]


class MatchResult(NamedTuple):
    """How a match ended, from the view of its first bot."""

    bots: tuple[str, str]
    """The two bots as they print."""
    game: str
    """The game and its parameters as in a record, or the position that the match started from."""
    as_first: Counts
    """The games won, drawn and lost in which it moved first."""
    as_second: Counts
    """The games won, drawn and lost in which it moved second."""

    @property
    def counts(self) -> Counts:
        """The games won, drawn and lost together."""
        won, drawn, lost = (a + b for a, b in zip(self.as_first, self.as_second, strict=True))
        return won, drawn, lost

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The share of points, a draw being half a point."""
        won, drawn, _ = self.counts
        return (won + drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the score of endless games would be, with 95 % confidence.

        It is Wilson's interval, which takes every game for a win or a loss and so is a little too wide where
        games are drawn.
        """
        z, n, p = 1.959964, self.games, self.score
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        """Return the table of results."""
        rows = [("first", self.as_first), ("second", self.as_second), ("together", self.counts)]
        score, low, high = (f"{100 * share:.1f} %" for share in (self.score, *self.interval))
        return "\n".join(
            [
                f"{self.bots[0]} against {self.bots[1]} in {self.games} games of {self.game}",
                f"{'':10}{'won':>5}{'drawn':>7}{'lost':>6}",
                *(f"{name:10}{won:5}{drawn:7}{lost:6}" for name, (won, drawn, lost) in rows),
                f"score {score}, with 95 % confidence from {low} to {high}",
            ]
        )


def match(
    a: Bot | str,
    b: Bot | str,
    game: Any,
    games: SupportsIndex = 100,
    *,
    seed: int = 0,
    threads: int = 1,
    max_plies: int = 10_000,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
    **parameters: Any,
) -> MatchResult:
    """Let two bots play a number of games, each moving first in every other one, and count the results for a.

    A bot may be given by the name that named knows it by, such as "mcts:1000".
    game is a position to start from, or the name of a game with its parameters, as in match(a, b, "reversi",
    width=6, height=6). Games that go on for max_plies moves, as they can in Breakdown, are drawn. The games
    are played on threads of this process, or wherever an executor plays them; the result is the same as long
    as the bots have seeds. progress is called now and then with the number of games finished since the last
    call.
    """
    bots = [named(bot) if isinstance(bot, str) else bot for bot in (a, b)]
    for bot in bots:
        if not isinstance(bot, Bot) or isinstance(bot, type):
            raise TypeError(f"expected bots, which have a method choose, or their names, not {bot!r}")
    start = start_of(game, parameters)
    number = whole("games", games, 1)
    rules = Rules(bots[0], bots[1], start, whole("seed", seed, 0), whole("max_plies", max_plies, 1))
    pace = Pace()
    played = run(
        partial(play_games, rules), pace.cut(number), executor, min(whole("threads", threads, 1), 256), pace
    )
    won_and_lost = [0] * number
    for chunk, results in played:
        won_and_lost[chunk.start : chunk.stop] = results
        if progress is not None:
            progress(len(chunk))
    return MatchResult(
        (repr(bots[0]), repr(bots[1])),
        _describe(start),
        _count(won_and_lost[0::2]),
        _count(won_and_lost[1::2]),
    )


class Rules(NamedTuple):
    """What all games of a match have in common; picklable if the bots are."""

    a: Bot
    b: Bot
    start: Any
    seed: int
    max_plies: int


def play_games(rules: Rules, games: range) -> list[int]:
    """Return the results of some of the games of a match for its first bot: 1, 0 or -1."""
    a, b, start, seed, max_plies = rules
    # A class of your own that is made from one of these may choose in its own way.
    if isinstance(a, Computer) and isinstance(b, Computer) and {type(a), type(b)} <= {*CLASSES.values()}:
        return _petteia.contest(a.name, b.name, start, seed, max_plies, (games.start, games.stop))
    return [_play_game(rules, game) for game in games]


def _play_game(rules: Rules, game: int) -> int:
    """Play one game; the first bot moves first if its number is even."""
    bots = [for_game(rules.a, rules.seed, 2 * game), for_game(rules.b, rules.seed, 2 * game + 1)]
    if game % 2:
        bots.reverse()
    position = rules.start
    for _ in range(rules.max_plies):
        if position.turn is None:
            break
        bot = bots[(position.turn - rules.start.turn) % 2]
        move = bot.choose(position)
        try:
            position = position.play(move)
        except (_petteia.IllegalMove, TypeError) as error:
            raise _told_by(error, bot) from error
    winner = None if position.outcome is None else position.outcome.winner
    if winner is None:
        return 0
    moved_first = game % 2 == 0
    return 1 if (winner == rules.start.turn) == moved_first else -1


def _told_by(error: Exception, bot: Bot) -> Exception:
    """Return an exception like another, with its fields, that says whose move it was."""
    told = type(error)(f"{bot!r}: {error}")
    told.__dict__.update(error.__dict__)
    return told


def for_game(bot: Bot, seed: int, number: int) -> Bot:
    """Return a bot with a seed of its own, if it can have one."""
    seeded = getattr(bot, "seeded", None)
    if seeded is None:
        return bot
    chosen: Bot = seeded((seed + number * 0x9E3779B97F4A7C15) % 2**64)
    return chosen


def _count(results: list[int]) -> Counts:
    return results.count(1), results.count(0), results.count(-1)


def _describe(start: Any) -> str:
    """Return the game and its parameters as a record has them, or where else a match starts from."""
    if isinstance(start, _games.CLASSES):
        try:
            return _petteia.Record(start).text.removesuffix(":")
        except ValueError:
            return f"{_games.name_of(start)} from {start.text}"
    return _games.name_of(start)


def _shown(position: Any) -> str:
    text = getattr(position, "text", None)
    return repr(position) if text is None else repr(text)


def start_of(game: Any, parameters: dict[str, Any]) -> Any:
    """Return the position that a match starts from."""
    if isinstance(game, str):
        return _games.game(game, **parameters)
    if parameters:
        raise TypeError(f"a position has its parameters already: {', '.join(parameters)} unexpected")
    # What is wrong with your own game is told before the first move.
    if _petteia.score(game, False) is not None:
        raise ValueError(f"the game is over: expected a position with a player to move, not {_shown(game)}")
    return game


def whole(what: str, given: SupportsIndex, least: int) -> int:
    """Return a number that is not too small."""
    number = operator.index(given)
    if not least <= number < 2**64:
        raise ValueError(f"invalid {what} {number}: expected {least} to {2**64 - 1}")
    return number
