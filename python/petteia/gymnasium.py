"""The games as Gymnasium environments: against an opponent, or many at once.

>>> import gymnasium
>>> env = gymnasium.make("petteia/Reversi-v0", width=6, height=6, opponent="random")
>>> observation, info = env.reset(seed=1)
>>> while True:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     if terminated or truncated:
...         break

Importing this module registers every game of petteia.GAMES, under names such as petteia/Reversi-v0, for
gymnasium.make and gymnasium.make_vec, with max_episode_steps: 200 for Breakdown, which can go on forever, and
no less than any other game can have. It needs the extra petteia[gymnasium].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, cast

from . import _petteia
from ._arguments import whole
from ._extras import extra
from ._games import GAMES
from .bots import bot_of, for_game

with extra("gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from ._adapters import Starts, longest, mask, picture, planes, score

if TYPE_CHECKING:
    from ._types import GameLike
    from .bots import BotLike

__all__ = ["Env", "VectorEnv"]


class Env(gymnasium.Env[NDArray[np.uint8], Any]):
    """A game for one player, against an opponent that is part of the environment.

    The opponent is a bot, its name, or a function from a position to a move or an action; the seed of reset
    fixes its choices. player is 0 for the one who
    begins, 1 for the other, or None for a random one in each game. Observations are the planes of
    petteia.VectorEnv from the player's point of view; info["action_mask"] has the legal actions. The reward
    is 1 for a win and -1 for a loss. An illegal action loses, or raises petteia.IllegalMove with
    illegal="raise".

    Games start as usual; or from start, a position or its text; or from one of a sequence of these, which
    reset draws. A game that is not over after max_plies plies, the opponent's among them, is truncated, with
    a reward of 0; the last observation and its mask are those of the position, where the player may not be
    the one to move.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        opponent: BotLike = "random",
        player: int | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
        *,
        start: Any = None,
        max_plies: SupportsIndex | None = None,
        **parameters: Any,
    ) -> None:
        """Create an environment for a game, by its name and parameters or as a position."""
        if player not in (0, 1, None):
            raise ValueError(f"invalid player {player!r}: expected 0, 1 or None")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"invalid illegal {illegal!r}: expected lose or raise")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"invalid render_mode {render_mode!r}: expected ansi or rgb_array")
        self.opponent, self.illegal, self.render_mode = opponent, illegal, render_mode
        # The environment itself plays at random, which is faster.
        self._bot = None if opponent == "random" else bot_of("opponent", opponent)
        self.side = player
        self.player = player or 0
        self.starts = Starts(game, parameters, start, max_plies)
        self.start = self.position = self.starts.first
        self.plies, self.moved, self.lost, self.truncated = 0, False, False, False
        self.begun = False
        self.observation_space = gymnasium.spaces.Box(0, 1, self.start.observation().shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self.start.num_actions)

    def action_masks(self) -> NDArray[np.int8]:
        """Return a 1 for every legal action; sb3-contrib looks for a method of this name."""
        return mask(self.position)

    def _answer(self) -> None:
        """Let the opponent move until it is the player's turn."""
        while self.position.turn not in (self.player, None) and not self.truncated:
            if self._bot is not None:
                self._play(self._bot.choose(self.position))
            else:
                self._play(int(self.np_random.choice(self.position.actions)))

    def _play(self, move: str | int) -> None:
        self.position = self.position.play(move)
        self.plies += 1
        # The player has at least one move.
        self.truncated = self.moved and self.starts.truncates(self.position, self.plies)

    def _seen(self) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        info = {"action_mask": mask(self.position), "player": self.player}
        return planes(self.position, self.player), info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Start a new game; if the opponent is to move first, it has moved already."""
        super().reset(seed=seed)
        self.begun = True
        self.player = int(self.np_random.integers(2)) if self.side is None else self.side
        self.start = self.position = self.starts.draw(self.np_random)
        self.plies, self.moved, self.lost, self.truncated = 0, False, False, False
        if self._bot is not None:
            self._bot = for_game(self._bot, int(self.np_random.integers(2**63)), 0)
        self._answer()
        return self._seen()

    def step(self, action: Any) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play an action, then the opponent's reply."""
        if self.lost or self.truncated or self.position.is_over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset")
        if not self.begun:
            raise gymnasium.error.ResetNeeded("no game has begun: call reset")
        if isinstance(action, (bool, np.bool_)) or not hasattr(action, "__index__"):
            raise TypeError(f"expected action as an int, not {type(action).__name__}")
        if self.illegal == "lose" and int(action) not in self.position.actions:
            self.lost = True
            seen, info = self._seen()
            return seen, -1.0, True, False, info
        self.moved = True
        self._play(int(action))
        self._answer()
        seen, info = self._seen()
        return seen, score(self.position, self.player), self.position.is_over, self.truncated, info

    def render(self) -> Any:
        """Return the board as text or as an image, depending on the render mode."""
        if self.render_mode == "rgb_array":
            return picture(self.position)
        return str(self.position) if self.render_mode == "ansi" else None


class VectorEnv(gymnasium.vector.VectorEnv[NDArray[np.uint8], NDArray[Any], NDArray[Any]]):
    """petteia.VectorEnv for Gymnasium: self-play in many games at once, one ply per step.

    The observation is for the player to move, the reward for the player who has just moved. info has the
    arrays action_mask and turns, and the rewards of both players. A finished or truncated game restarts at
    the next step (AutoresetMode.NEXT_STEP). max_episode_steps, as gymnasium.make_vec calls it, is max_plies
    by another name; the lower one counts. With copy=False the arrays are the environment's own, which every
    step updates.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        *,
        threads: int | None = None,
        illegal: str = "raise",
        copy: bool = True,
        start: Any = None,
        max_plies: SupportsIndex | None = None,
        max_episode_steps: int | None = None,
        **parameters: Any,
    ) -> None:
        """Create an environment with the arguments of petteia.VectorEnv."""
        # As in gymnasium.make, -1 is no limit.
        steps = None if max_episode_steps == -1 else max_episode_steps
        given = {"max_plies": max_plies, "max_episode_steps": steps}
        limits = [whole(name, limit, 1) for name, limit in given.items() if limit is not None]
        self.env = _petteia.VectorEnv(
            cast(Any, game),
            num_envs,
            seed=None,
            threads=threads,
            illegal=illegal,
            start=start,
            max_plies=min(limits, default=None),
            **parameters,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.single_observation_space = gymnasium.spaces.Box(0, 1, self.env.observation_shape, np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        names = ("action_mask", "turns", "rewards")
        return {name: self._own(getattr(self.env, name)) for name in names}

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Start new games in all lanes; the seed, one for all lanes, is that of random_actions."""
        if isinstance(seed, list):
            raise TypeError("expected one seed for all lanes, not a list")
        return self._own(self.env.reset(seed=seed)), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in every lane."""
        movers = self.env.turns.clip(0)
        observations, rewards, terminated = self.env.step(actions)
        own = rewards[np.arange(self.num_envs), movers]
        truncated = self._own(self.env.truncated)
        return self._own(observations), own, self._own(terminated), truncated, self._info()

    def random_actions(self) -> NDArray[np.int64]:
        """Pick a legal action for each lane uniformly at random."""
        return self.env.random_actions()


for _game, _class in GAMES.items():
    gymnasium.register(
        id=f"petteia/{_class.__name__}-v0",
        entry_point="petteia.gymnasium:Env",
        vector_entry_point="petteia.gymnasium:VectorEnv",
        max_episode_steps=longest(_game),
        kwargs={"game": _game},
    )
