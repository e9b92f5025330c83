"""The games as PettingZoo environments, in which agents take turns (AEC).

>>> env = petteia.pettingzoo.env("reversi", width=6, height=6)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     over = termination or truncation
...     action = None if over else env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

It needs the extra petteia[pettingzoo].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from ._extras import extra

with extra("pettingzoo"):
    import gymnasium
    import numpy as np
    from gymnasium.utils import EzPickle
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    from ._adapters import MOST, Starts, mask, picture, planes, score

if TYPE_CHECKING:
    from ._petteia import _Position as AnyGame

__all__ = ["env", "raw_env"]


def env(
    game: str | AnyGame,
    render_mode: str | None = None,
    *,
    start: Any = None,
    max_plies: SupportsIndex | None = MOST,
    **parameters: Any,
) -> Any:
    """Return an environment in which an illegal action loses, as in PettingZoo's own environments."""
    raw = raw_env(game, render_mode, start=start, max_plies=max_plies, **parameters)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]
    """An environment without wrappers; an illegal action raises petteia.IllegalMove.

    The agents are player_0, who begins, and player_1. An observation has the planes of petteia.VectorEnv from
    the agent's point of view, and the mask of its legal actions, all 0 while the opponent is to move. In
    Reversi, an agent acts again if the opponent cannot move. The winner gets 1, the loser -1.

    Games start as usual; or from start, a position or its text; or from one of a sequence of these, which
    reset draws by its seed. A game that is not over after max_plies plies is truncated for both agents, who
    get 0; the default is more than any game has but Breakdown's, which can go on forever, and None is never.
    The last observations are those of the position, with the mask of the agent who would be to move.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "petteia_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | AnyGame,
        render_mode: str | None = None,
        *,
        start: Any = None,
        max_plies: SupportsIndex | None = MOST,
        **parameters: Any,
    ) -> None:
        """Create an environment for a game, by its name and parameters or as a position."""
        EzPickle.__init__(self, game, render_mode, start=start, max_plies=max_plies, **parameters)
        super().__init__()
        if render_mode not in (None, "human", "ansi", "rgb_array"):
            raise ValueError(f"invalid render_mode {render_mode!r}: expected human, ansi or rgb_array")
        self.starts = Starts(game, parameters, start, max_plies)
        self.metadata = {**self.metadata, "name": f"petteia_{self.starts.game}_v0"}
        self.render_mode = render_mode
        self.start: AnyGame = self.starts.first
        self.position: AnyGame = self.start
        self.plies = 0
        self.np_random = np.random.default_rng()
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        shape = self.start.observation().shape
        self.observation_spaces: dict[str, gymnasium.spaces.Space[Any]] = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 1, shape, np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.start.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, gymnasium.spaces.Space[Any]] = {
            agent: gymnasium.spaces.Discrete(self.start.num_actions) for agent in self.possible_agents
        }
        self.state_space = gymnasium.spaces.Box(0, 1, shape, np.uint8)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the planes from an agent's point of view, and its legal actions."""
        player = self.possible_agents.index(agent)
        legal = mask(self.position)
        if self.position.turn != player:
            legal[:] = 0
        return {"observation": planes(self.position, player), "action_mask": legal}

    def state(self) -> NDArray[np.uint8]:
        """Return the planes from the first player's point of view."""
        return planes(self.position, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; nothing in it is random but where it starts, if there are several starts."""
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        self.start = self.position = self.starts.draw(self.np_random)
        self.plies = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self.start.is_over
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.start.turn or 0]

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.position = self.position.play(action)  # type: ignore[arg-type]
        self.plies += 1
        self._clear_rewards()
        turn = self.position.turn
        if turn is None:
            self.terminations = dict.fromkeys(self.agents, True)
            for player, agent in enumerate(self.agents):
                self.rewards[agent] = score(self.position, player)
            turn = 1 - self.agents.index(self.agent_selection)  # type: ignore[assignment]
        elif self.starts.truncates(self.position, self.plies):
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[turn]  # type: ignore[index]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Print the board, or return it as text or as an image, depending on the render mode."""
        if self.render_mode == "rgb_array":
            return picture(self.position)
        if self.render_mode == "ansi":
            return str(self.position)
        if self.render_mode == "human":
            print(self.position)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
