"""The games for OpenSpiel: importing this module registers them for pyspiel.load_game.

>>> import pyspiel
>>> game = pyspiel.load_game("petteia_reversi(width=4,height=4)")
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
0.0

Every game of petteia.GAMES is registered as petteia_NAME, with the parameters of its class and two more.
start is the text of a position to start from; parameters that are left out are then its own. A game is drawn
after max_plies plies; 0, the default, is never. In OpenSpiel every game must end: for Breakdown, which can go
on forever, the default is 200.
It needs the extra petteia[openspiel].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._extras import extra
from ._games import DECLARED, GAMES
from ._petteia import longest_game

with extra("openspiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

    from ._adapters import MOST, Starts, planes, score

if TYPE_CHECKING:
    from ._petteia import _Position as AnyGame

__all__ = ["Game", "State"]


def _parameters(game: str) -> dict[str, Any]:
    """Return the parameters of a game with their defaults."""
    defaults: dict[str, Any] = {parameter.name: parameter.default for parameter in DECLARED[game].parameters}
    defaults["max_plies"] = MOST if longest_game(GAMES[game]()) is None else 0
    return defaults | {"start": ""}


PARAMETERS = {game: _parameters(game) for game in GAMES}


def _game_type(game: str) -> Any:
    return pyspiel.GameType(
        short_name=f"petteia_{game}",
        long_name=f"{DECLARED[game].title} by petteia",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS[game],
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Create a game with parameters by name."""
        given = {**PARAMETERS[self.name], **(params or {})}
        start = given.pop("start") or None
        max_plies = given.pop("max_plies")
        if start is not None:
            # OpenSpiel fills in the defaults of parameters that are left out, and the start has its own.
            given = {name: value for name, value in given.items() if value != PARAMETERS[self.name][name]}
        starts = Starts(self.name, given, start, max_plies or None)
        self.start = starts.first
        longest = starts.max_plies or longest_game(self.start)
        if longest is None:
            raise ValueError(
                f"invalid max_plies 0: expected 1 or more in {self.name}, which can go on forever"
            )
        self.longest = longest
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest,
        )
        super().__init__(TYPES[self.name], info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """Load the game again; pyspiel's own way would lose what is not in C++."""
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self, state: Any = None) -> State:
        """Return the starting state."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return an observer of the game."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.start, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class State(pyspiel.State):  # type: ignore[misc]
    """A position in the course of a game."""

    def __init__(self, game: Game) -> None:
        """Create the starting state of a game; only the game calls it."""
        super().__init__(game)
        self.position: AnyGame = game.start
        self.left: int = game.longest

    def current_player(self) -> int:
        """Return the player to move, or TERMINAL."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else int(self.position.turn)  # type: ignore

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.actions

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)
        self.left -= 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.move(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over or self.left == 0

    def returns(self) -> list[float]:
        """Return the scores of both players."""
        return [score(self.position, 0), score(self.position, 1)]

    def __str__(self) -> str:
        return self.position.text


class Observer:
    """An OpenSpiel observer of the planes from a player's point of view."""

    def __init__(self, position: AnyGame, params: Any) -> None:
        """Create an observer for positions of this shape; it has no parameters."""
        if params:
            raise ValueError(f"invalid observation parameters {params}: expected none")
        shape = position.observation().shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        """Fill in a player's observation of a state."""
        self.dict["observation"][:] = planes(state.position, player)

    def string_from(self, state: State, player: int) -> str:
        """Return the text of the position, which is the same for both players."""
        return state.position.text


TYPES = {name: _game_type(name) for name in PARAMETERS}


for _name in GAMES:
    # One class per game, such as ReversiGame, which pickle finds here.
    _class = type(f"{GAMES[_name].__name__}Game", (Game,), {"__module__": __name__, "name": _name})
    _class.__doc__ = f"{DECLARED[_name].title}: {DECLARED[_name].about}"
    globals()[_class.__name__] = _class
    pyspiel.register_game(TYPES[_name], _class)
