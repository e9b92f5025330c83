"""Computer players of every strength, and matches between them.

A bot is any object with a method choose(position) that returns a legal move, so you can enter your own.
Wherever a bot is taken, its name will do, such as "mcts:1000", and so will a function from a position to a
move.

>>> bot = petteia.bots.Mcts(simulations=200, seed=1)
>>> bot.choose(petteia.TicTac.from_text("XX_/OO_/___ X"))
'A3'
>>> bot.last.value
1
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
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import (
    TYPE_CHECKING,
    Any,
    NamedTuple,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeGuard,
    runtime_checkable,
)

from . import _games, _petteia, _pictures
from ._analysis import Estimate
from ._arguments import seed_of, shown, start_of, threads_of, whole
from ._chunks import Pace, run
from ._evaluator import checked, search_of
from ._evaluator import name_of as evaluator_name
from ._progress import hush, telling

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ._evaluator import Evaluator
    from ._types import GameLike, Progress

__all__ = [
    "AlphaBeta",
    "AlphaZero",
    "Bot",
    "BotLike",
    "Choice",
    "Level",
    "MatchResult",
    "Mcts",
    "Myopic",
    "Perfect",
    "Random",
    "match",
    "named",
]


@runtime_checkable
class Bot(Protocol):
    """Anything that chooses moves.

    If a bot also has a method seeded(seed), which returns the same bot with another seed, every game of a
    match gets its own seed, so the match is reproducible.
    """

    def choose(self, position: Any, /) -> str:
        """Return a legal move in a position that is not over."""
        ...


BotLike: TypeAlias = Bot | str | Callable[[Any], str | int]
"""A bot: an object, its name, or a function from a position to a move, as notation or as an action."""


class Choice(NamedTuple):
    """What a player chose, and why."""

    move: str
    """The move."""
    value: int | None
    """The exact value, if the player proved that the move is best: as in petteia.solve."""
    estimate: Estimate | None
    """How the game is likely to end for the player to move; None if the player did not look.

    Tree search knows only the expected result: its draws are those of two games with that result.
    """

    @property
    def exact(self) -> bool:
        """Whether the move is proved to be best, not only estimated."""
        return self.value is not None


class Computer:
    """One of petteia's players; its random choices depend on the seed and on how many moves it has chosen.

    A player that searches remembers what it has seen from move to move, so it is for one game at a time; a
    pickled copy remembers nothing, and seeded returns a fresh player.
    """

    def __init__(self, name: str, seed: SupportsIndex | None) -> None:
        """Create a player by its name in the core; without a seed, a fresh one is drawn."""
        self._name = _petteia.bot_name(name)
        self._seed = seed_of(seed)
        self._chosen = 0
        self._memory = _petteia.Memory()
        self._last: Choice | None = None

    @property
    def name(self) -> str:
        """The name that named takes, such as mcts:1000."""
        return self._name

    @property
    def seed(self) -> int:
        """The seed: a player with the same one chooses the same moves."""
        return self._seed

    def choose(self, position: Any) -> str:
        """Return a move; raise ValueError when the game is over."""
        found = _petteia.bot_choose(self._name, position, self._seed, self._chosen, self._memory)
        if found is None:
            raise ValueError(
                f"the game is over: expected a position with a player to move, not {shown(position)}"
            )
        move, value, estimate = found
        self._chosen += 1
        self._last = Choice(move, value, None if estimate is None else Estimate(*estimate))
        return move

    @property
    def last(self) -> Choice | None:
        """What the player chose last, and why; None before its first move."""
        return self._last

    def seeded(self, seed: SupportsIndex | None) -> Computer:
        """Return the same player with another seed."""
        return named(self._name, seed)

    def __repr__(self) -> str:
        """Return the class and the budget; the seed does not matter for strength."""
        return f"{type(self).__name__}({self._name.partition(':')[2]})"


class Random(Computer):
    """Plays uniformly random moves."""

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        """Create a player with a seed."""
        super().__init__("random", seed)


class Myopic(Computer):
    """Looks one move ahead: wins at once if it can, else tries not to let the opponent win at once."""

    def __init__(self, seed: SupportsIndex | None = None) -> None:
        """Create a player with a seed."""
        super().__init__("myopic", seed)


class Mcts(Computer):
    """Monte-Carlo tree search with a number of simulations per move."""

    def __init__(self, simulations: int = 1000, seed: SupportsIndex | None = None) -> None:
        """Create a player with a number of simulations per move and a seed."""
        super().__init__(f"mcts:{whole('simulations', simulations, 1)}", seed)


class Perfect(Computer):
    """Plays perfectly where the given number of nodes solves a position, else by alpha-beta search.

    last.exact tells which. Of moves that are equally good it prefers the hardest to answer.
    """

    def __init__(self, nodes: int = 2_000_000, seed: SupportsIndex | None = None) -> None:
        """Create a player with a number of nodes per move and a seed."""
        super().__init__(f"perfect:{whole('nodes', nodes, 1)}", seed)


class AlphaBeta(Computer):
    """Alpha-beta search over estimates, and the exact solver where it gets to the end.

    >>> petteia.bots.AlphaBeta(time=0.5).name
    'alphabeta:time=0.5'
    """

    def __init__(
        self,
        depth: SupportsIndex | None = None,
        nodes: SupportsIndex | None = None,
        time: float | None = None,
        seed: SupportsIndex | None = None,
    ) -> None:
        """Create a player with one limit for a move: plies, nodes (100,000 by default) or seconds."""
        super().__init__(_petteia.alphabeta_name(depth, nodes, time), seed)


class Level(Computer):
    """One of ten levels: 1 is for a child's first game, 10 the strongest that thinks for a moment only."""

    def __init__(self, level: SupportsIndex = 5, seed: SupportsIndex | None = None) -> None:
        """Create a player with a level from 1 to 10 and a seed."""
        super().__init__(_petteia.level_name(level), seed)


class AlphaZero:
    """Tree search with an evaluator of your own, such as a neural network: see petteia.mcts.

    The first temperature_moves moves that it chooses, in all or since it was seeded, are drawn with the
    temperature; later ones are the best.

    >>> import numpy
    >>> def even(observations, masks):
    ...     return masks, numpy.zeros(len(masks))
    >>> petteia.bots.AlphaZero(even, simulations=50).choose(petteia.TicTac.from_text("XX_/OO_/___ X"))
    'A3'
    """

    def __init__(
        self,
        evaluator: Evaluator,
        simulations: SupportsIndex = 100,
        seed: SupportsIndex | None = None,
        *,
        batch: SupportsIndex = 1,
        exploration: float = 1.5,
        noise_alpha: float | None = None,
        noise_fraction: float = 0.25,
        temperature: float = 0.0,
        temperature_moves: SupportsIndex = 8,
    ) -> None:
        """Create a player with an evaluator, simulations per move, a seed, and the options of mcts."""
        self._evaluator = checked(evaluator)
        self._seed = seed_of(seed)
        self._batch = _petteia.most_leaves("batch", batch)
        self._search = search_of(simulations, exploration, noise_alpha, noise_fraction, temperature)
        self._temperature_moves = whole("temperature_moves", temperature_moves, 0)
        self._chosen = 0
        self._last: Choice | None = None

    def choose(self, position: Any) -> str:
        """Return a move; raise ValueError when the game is over."""
        draws = self._chosen < self._temperature_moves
        branches, _ = _petteia.puct(
            _games.of_petteia(position, "AlphaZero"),
            self._evaluator,
            self._batch,
            None,
            (self._seed + self._chosen * 0x9E3779B97F4A7C15) % 2**64,
            self._search if draws else self._search._replace(temperature=0.0),
            hush,
        )
        self._chosen += 1
        move, _, value, proven, _ = branches[0]
        won = (1 + value) / 2
        sure = proven == 1 or all(branch[3] is not None for branch in branches)
        self._last = Choice(
            move,
            proven if sure and _petteia.max_score(position) == 1 else None,
            Estimate(won * won, 2 * won * (1 - won), (1 - won) ** 2, None),
        )
        return move

    @property
    def last(self) -> Choice | None:
        """What the player chose last, and why; None before its first move."""
        return self._last

    @property
    def value(self) -> float | None:
        """The value that the last search found for the player to move, from -1 to 1."""
        return None if self._last is None or self._last.estimate is None else self._last.estimate.expected

    @property
    def seed(self) -> int:
        """The seed, a fresh one for None."""
        return self._seed

    def seeded(self, seed: int) -> AlphaZero:
        """Return the same player with another seed."""
        return AlphaZero(self._evaluator, seed=seed, **self._options)

    @property
    def _options(self) -> dict[str, Any]:
        """The arguments that it was created with, besides the evaluator and the seed."""
        return {
            **self._search._asdict(),
            "batch": self._batch,
            "temperature_moves": self._temperature_moves,
        }

    @property
    def _made_of(self) -> dict[str, Any]:
        """What tells it from others in self-play that is resumed."""
        return {
            "evaluator": getattr(self._evaluator, "name", None) or self._evaluator,
            **self._options,
        }

    def __repr__(self) -> str:
        """Return the evaluator, the budget and what else is not as usual; the seed does not matter."""
        usual = AlphaZero.__init__.__kwdefaults__ or {}
        others = {name: given for name, given in self._options.items() if given != usual.get(name, given)}
        words = [evaluator_name(self._evaluator), str(self._search.simulations)]
        return f"AlphaZero({', '.join(words + [f'{name}={given}' for name, given in others.items()])})"


CLASSES: dict[str, Callable[..., Computer]] = {
    "random": Random,
    "myopic": Myopic,
    "mcts": Mcts,
    "perfect": Perfect,
    "alphabeta": AlphaBeta,
    "level": Level,
}


@dataclass(frozen=True, repr=False)
class Function:
    """A bot that is a function from a position to a move."""

    function: Callable[[Any], str | int]

    def choose(self, position: Any) -> Any:
        """Return what the function returns."""
        return self.function(position)

    def __repr__(self) -> str:
        """Return the name of the function, or its repr if it has none."""
        return str(getattr(self.function, "__qualname__", repr(self.function)))


def bot_of(what: str, given: BotLike) -> Bot:
    """Return the bot that an argument is, or raise TypeError."""
    if isinstance(given, str):
        return named(given)
    if not isinstance(given, type):
        if isinstance(given, Bot):
            return given
        if callable(given):
            return Function(given)
    hint = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
    raise TypeError(
        f"expected {what} as a bot with a method choose, the name of one or a function of a position, "
        f"not {hint}"
    )


def named(name: str, seed: SupportsIndex | None = None) -> Computer:
    """Return the player with a name, such as random, myopic, mcts:1000, perfect:1000000, alphabeta:depth=8,
    alphabeta:nodes=100000, alphabeta:time=0.5 or level:3.

    >>> petteia.bots.named("mcts:500"), petteia.bots.named("alphabeta:time=0.5")
    (Mcts(500), AlphaBeta(time=0.5))
    """
    if not isinstance(name, str):
        raise TypeError(f"expected name as a str, not {type(name).__name__}")
    kind, budget = budget_of(_petteia.bot_name(name))
    return CLASSES[kind](**budget, seed=seed)


def budget_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of a player and its budget, as a named argument."""
    kind, _, budget = name.partition(":")
    given, _, amount = budget.rpartition("=")
    if not budget:
        return kind, {}
    return kind, {given or BUDGETS[kind]: float(amount) if given == "time" else int(amount)}


BUDGETS = {"mcts": "simulations", "perfect": "nodes", "level": "level"}
"""What the number in a player's name is, unless the name says it."""


Counts = tuple[int, int, int]


class MatchResult(NamedTuple):
    """The result of a match, for its first bot."""

    bots: tuple[str, str]
    """The reprs of the two bots; of one whose class has none, the name of the class."""
    game: str
    """The game and its parameters as in a record, or the game and its starting position."""
    as_first: Counts
    """The games won, drawn and lost when moving first."""
    as_second: Counts
    """The games won, drawn and lost when moving second."""
    seed: int
    """The seed of the match."""
    distinct: int
    """How many of the games are different: bots that leave nothing to chance repeat theirs.

    Games that are repeated tell nothing new, so the interval is too narrow then."""

    @property
    def repeats(self) -> str:
        """What to say of the number of games if some are repeated."""
        return "" if self.distinct == self.games else f", {self.distinct:,} of them different"

    @property
    def counts(self) -> Counts:
        """All games won, drawn and lost."""
        won, drawn, lost = (a + b for a, b in zip(self.as_first, self.as_second, strict=True))
        return won, drawn, lost

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The share of points, with half a point for a draw."""
        won, drawn, _ = self.counts
        return (won + drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score.

        It is Wilson's interval for wins and losses, which is a little too wide if games are drawn.
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
                f"{self.bots[0]} against {self.bots[1]} in {self.games} games of {self.game}{self.repeats}",
                f"{'':10}{'won':>5}{'drawn':>7}{'lost':>6}",
                *(f"{name:10}{won:5}{drawn:7}{lost:6}" for name, (won, drawn, lost) in rows),
                f"score {score}, with 95 % confidence from {low} to {high}",
            ]
        )

    def _repr_html_(self) -> str:
        """Return the results as notebooks show it."""
        return _pictures.match(self)


def match(
    a: BotLike,
    b: BotLike,
    game: GameLike,
    games: SupportsIndex = 100,
    *,
    seed: SupportsIndex | None = 0,
    threads: SupportsIndex | None = 1,
    max_plies: SupportsIndex | None = 10_000,
    start: Any = None,
    executor: Executor | None = None,
    progress: Progress = None,
    time: float | None = None,
    **parameters: Any,
) -> MatchResult:
    """Play a match between two bots, which take turns to move first, and count the results for a.

    A bot may be given by its name, such as "mcts:1000", or as a function from a position to a move. game is a
    starting position, or the name of a game with its parameters, as in match(a, b, "reversi", width=6,
    height=6). start is where games start instead: a position of that game, or a sequence of them, one of
    which is drawn by the seed for each pair of games; in the second of a pair, the bots change seats. A game
    is drawn after max_plies moves, which Breakdown can reach; None is never. The games are played on threads
    of this process or by an executor; the result is the same if the bots have seeds. After time, in seconds,
    no more games are played, and the result is that of the first ones. progress counts games.

    Raises TimeoutError if not even one game is over in time.
    """
    bots = [bot_of("a", a), bot_of("b", b)]
    starts = starts_of(game, parameters, start)
    number = whole("games", games, 1)
    rules = Rules(bots[0], bots[1], starts, seed_of(seed), most_plies(max_plies))
    stop = None if time is None else _petteia.Stop(time)
    pace = Pace(time)
    play = partial(play_games, rules)
    results = array("b")
    hashes = array("Q")
    early: dict[int, list[tuple[int, int]]] = {}
    done = 0
    with telling(progress, "games") as tell:
        for chunk, played in run(play, pace.cut(number), executor, threads_of(threads), pace, stop):
            early[chunk.start] = played
            # Without a gap, so that the result does not depend on who plays faster.
            while len(results) in early:
                for result, game_hash in early.pop(len(results)):
                    results.append(result)
                    hashes.append(game_hash)
            done += len(chunk)
            tell(done, number)
        if not results:
            raise TimeoutError(f"no game was over in {time} s: expected more time or faster bots")
        if len(results) < number:
            tell(len(results), len(results))
    return MatchResult(
        (_name(bots[0]), _name(bots[1])),
        _describe(starts),
        _count(results[0::2]),
        _count(results[1::2]),
        rules.seed,
        len(set(hashes)),
    )


class Rules(NamedTuple):
    """The arguments that all games of a match share; picklable if the bots are."""

    a: Bot
    b: Bot
    starts: list[Any]
    seed: int
    max_plies: int


def play_games(rules: Rules, games: range) -> list[tuple[int, int]]:
    """Return the results of some games for the first bot (1, 0 or -1), each with a hash of the game."""
    a, b, starts, seed, max_plies = rules
    if is_known(a) and is_known(b):
        return _petteia.contest(a.name, b.name, starts, seed, max_plies, (games.start, games.stop))
    return [_play_game(rules, game) for game in games]


def is_known(bot: Bot) -> TypeGuard[Computer]:
    """Return whether a bot is one of petteia's, which the core plays; a subclass may override choose."""
    return type(bot) in CLASSES.values()


def _play_game(rules: Rules, game: int) -> tuple[int, int]:
    """Play one game; the first bot moves first if the number is even. Return its result and its hash."""
    bots = [for_game(rules.a, rules.seed, 2 * game), for_game(rules.b, rules.seed, 2 * game + 1)]
    if game % 2:
        bots.reverse()
    number = _petteia.drawn_start(len(rules.starts), rules.seed, game // 2)
    start = position = rules.starts[number]
    played = [str(number)]
    for _ in range(rules.max_plies):
        if position.turn is None:
            break
        _petteia.check_stop()
        bot = bots[(position.turn - start.turn) % 2]
        before, move = position, bot.choose(position)
        try:
            position = _after(position, move)
        except (_petteia.IllegalMove, TypeError) as error:
            raise _told_by(error, bot) from error
        played.append(move if isinstance(move, str) else before.move(move))
    game_hash = int.from_bytes(blake2b(" ".join(played).encode(), digest_size=8).digest(), "big")
    winner = None if position.outcome is None else position.outcome.winner
    if winner is None:
        return 0, game_hash
    moved_first = game % 2 == 0
    return (1 if (winner == start.turn) == moved_first else -1), game_hash


def _after(position: Any, move: Any) -> Any:
    """Return the position after a move; your own game need not check its moves."""
    return position.play(move) if isinstance(position, _games.CLASSES) else _petteia.after(position, move)


def _name(bot: Bot) -> str:
    """Return the repr of a bot, or the name of its class if that has none of its own."""
    usual: Any = object.__repr__
    return type(bot).__name__ if type(bot).__repr__ is usual else repr(bot)


def _told_by(error: Exception, bot: Bot) -> Exception:
    """Return a copy of an exception, with its fields, whose message names the bot."""
    told = type(error)(f"{_name(bot)}: {error}")
    told.__dict__.update(error.__dict__)
    return told


def for_game(bot: Bot, seed: int, number: int) -> Bot:
    """Return a bot with the seed of a game, if it takes one."""
    seeded = getattr(bot, "seeded", None)
    if seeded is None:
        return bot
    chosen: Bot = seeded((seed + number * 0x9E3779B97F4A7C15) % 2**64)
    return chosen


def _count(results: array[int]) -> Counts:
    return results.count(1), results.count(0), results.count(-1)


def _describe(starts: list[Any]) -> str:
    """Return the game and its parameters as in a record, or the game and where it starts."""
    if len(starts) > 1:
        return f"{_games.name_of(starts[0])} from {len(starts)} positions"
    (start,) = starts
    if isinstance(start, _games.CLASSES):
        text, middle, _ = _petteia.Record(start).text.partition(" from ")
        return f"{_games.name_of(start)} from {start.text}" if middle else text.removesuffix(":")
    return _games.name_of(start)


def starts_of(game: Any, parameters: dict[str, Any], start: Any = None) -> list[Any]:
    """Return the positions where games start: one, or several to draw from.

    game is a name, with its parameters, or a position. start is a position of that game or a sequence of
    them, for petteia's games also as texts; without it, games start as usual, or from the position given as
    the game.
    """
    usual = start_of(game, parameters)
    if start is None:
        return [usual]
    if isinstance(usual, _games.CLASSES):
        return _petteia.starts(game, parameters, start)
    own = type(usual)
    several = isinstance(start, Sequence) and not isinstance(start, (str, own))
    starts: list[Any] = list(start) if several else [start]
    if not starts:
        raise ValueError("invalid start []: expected at least one position")
    _petteia.check_starts(starts)
    if not isinstance(starts[0], own):
        raise TypeError(f"expected start as a position of {own.__name__}, not {type(starts[0]).__name__}")
    return starts


def drawn(starts: list[Any], seed: int, game: int) -> Any:
    """Return where a game of a seed starts, as the core draws it."""
    return starts[_petteia.drawn_start(len(starts), seed, game)]


def most_plies(given: SupportsIndex | None) -> int:
    """Return after how many plies games end; None is never."""
    return 2**64 - 1 if given is None else whole("max_plies", given, 1)
