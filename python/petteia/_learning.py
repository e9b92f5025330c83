"""Games of an evaluator against itself as arrays, for a program that learns from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from . import _petteia
from ._arguments import seed_of, whole
from ._evaluator import checked, search_of
from ._games import of_petteia
from ._progress import telling
from .bots import most_plies, starts_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._evaluator import Evaluator
    from ._types import GameLike, Progress


class SelfplayArrays(NamedTuple):
    """Played games as arrays with one row for each position that a move was played in, game by game."""

    observations: NDArray[np.uint8]
    """The planes, as in position.observation(): (rows, planes, board rows, board columns)."""
    masks: NDArray[np.bool_]
    """The legal actions: (rows, actions)."""
    policies: NDArray[np.float32]
    """What the search made of the priors: a probability for each action, (rows, actions)."""
    values: NDArray[np.float32]
    """The value that the search found for the player to move, from -1 to 1."""
    outcomes: NDArray[np.int8]
    """How the game ended for the player to move: 1, 0 or -1; 0 if it was stopped."""
    truncated: NDArray[np.bool_]
    """Whether the game was stopped after max_plies moves."""
    actions: NDArray[np.int32]
    """The action that was played."""
    turns: NDArray[np.int8]
    """The player to move: 0 or 1."""
    games: NDArray[np.int64]
    """The number of the game, from 0."""
    seed: int
    """The seed of the games."""


def selfplay_arrays(
    game: GameLike,
    games: SupportsIndex,
    evaluator: Evaluator,
    seed: SupportsIndex | None = 0,
    *,
    games_at_once: SupportsIndex = 256,
    simulations: SupportsIndex = 100,
    exploration: float = 1.5,
    noise_alpha: float | None = 1.0,
    noise_fraction: float = 0.25,
    temperature: float = 1.0,
    temperature_plies: SupportsIndex = 16,
    max_plies: SupportsIndex | None = 10_000,
    start: Any = None,
    progress: Progress = None,
    time: float | None = None,
    **parameters: Any,
) -> SelfplayArrays:
    """Play games of an evaluator against itself, many at once, and return what a learner needs of them.

    game is a starting position, or the name of a game with its parameters; start is where games start
    instead: a position of that game, or a sequence of them, one of which is drawn for each game. The
    evaluator is that of mcts, and so are simulations, exploration and noise, which every move has. One call
    of it judges one position of each of games_at_once games, without virtual loss. The first
    temperature_plies moves of a game are drawn with the temperature; later ones are the best. A policy is the
    shares of the visits or, where the search has proved which moves are best, the same for each of these.

    Game i of a seed is the same whichever games are played beside it, as long as the evaluator judges a
    position the same whichever are judged with it. After time, in seconds, it returns the games
    that are over: the first ones of the seed. progress counts games.

    >>> import numpy
    >>> def even(observations, masks):
    ...     return masks, numpy.zeros(len(masks))
    >>> played = petteia.selfplay_arrays("tictac", 10, even, simulations=20)
    >>> len(played.policies) == len(played.outcomes), played.observations.shape[1:]
    (True, (2, 3, 3))
    """
    starts = [of_petteia(position, "selfplay_arrays") for position in starts_of(game, parameters, start)]
    number, chosen = whole("games", games, 1), seed_of(seed)
    search = search_of(simulations, exploration, noise_alpha, noise_fraction, temperature)
    stop = None if time is None else _petteia.Stop(time)
    parts: list[tuple[Any, ...]] = []
    with telling(progress, "games") as tell:
        _petteia.play_batched(
            starts,
            [(0, number)],
            checked(evaluator),
            games_at_once,
            search,
            chosen,
            temperature_plies,
            most_plies(max_plies),
            "arrays",
            lambda _, arrays: parts.append(arrays),
            tell,
            stop,
        )
    return SelfplayArrays._make((*parts[0], chosen))


for _public in (SelfplayArrays, selfplay_arrays):
    _public.__module__ = "petteia"
