"""The adapters pass the conformance tests of their libraries."""

import copy
import pickle
import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import oracles
import petteia
import petteia.gymnasium
import petteia.openspiel
import petteia.pettingzoo
import pettingzoo.test
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from open_spiel.python.algorithms import mcts, minimax
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.bots import uniform_random
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test, state_test

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tictac", {}),
    ("breakdown", {"width": 5, "height": 4}),
    ("reversi", {"width": 6, "height": 5}),
    ("quarto", {}),
]
each_game = pytest.mark.parametrize(("game", "parameters"), GAMES, ids=[game for game, _ in GAMES])


def test_they_are_imported_when_asked_for() -> None:
    code = "import petteia, sys; assert not {'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("module", "library"),
    [("gymnasium", "gymnasium"), ("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")],
)
def test_a_missing_library_is_named_with_its_extra(module: str, library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import petteia; import petteia.{module}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = result.stderr.splitlines()[-1]
    assert last == f"ModuleNotFoundError: {library} is not installed: pip install 'petteia[{module}]'"


# PettingZoo's own board games cause these warnings too: observations with a mask, boards that begin empty.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@each_game
def test_pettingzoo_api(game: str, parameters: dict[str, Any]) -> None:
    for make in (petteia.pettingzoo.env, petteia.pettingzoo.raw_env):
        api_test(make(game, **parameters), num_cycles=100)


# The warning for an action outside the mask.
@pytest.mark.filterwarnings("ignore:.*Illegal move made")
@pytest.mark.filterwarnings("ignore:State numpy array is all zeros")
@each_game
def test_pettingzoo_seeds_pictures_states(game: str, parameters: dict[str, Any]) -> None:
    seed_test(lambda: petteia.pettingzoo.env(game, **parameters), num_cycles=50)
    render_test(lambda **mode: petteia.pettingzoo.env(game, **mode, **parameters))
    env = petteia.pettingzoo.env(game, **parameters)
    # In the package, a function hides the module of the same name.
    parts = sys.modules["pettingzoo.test.state_test"]
    assert parts is not state_test
    parts.test_state_space(env)
    parts.test_state(env, num_cycles=10)
    pettingzoo.test.test_save_obs(env)


def test_pettingzoo_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(petteia.pettingzoo.raw_env("tictac"))
    assert "turns per second" in capsys.readouterr().out


@each_game
def test_pettingzoo_plays_the_game(game: str, parameters: dict[str, Any]) -> None:
    env = petteia.pettingzoo.raw_env(game, **parameters)
    env = pickle.loads(pickle.dumps(env))
    choose = random.Random(3).choice
    for _ in range(5):
        env.reset()
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, termination, _, _ = env.last()
            total[agent] += reward
            if termination:
                env.step(None)
                continue
            player = env.possible_agents.index(agent)
            assert env.position.turn == player
            assert np.array_equal(observation["observation"], env.position.observation())
            assert np.flatnonzero(observation["action_mask"]).tolist() == env.position.actions
            other = env.observe(env.possible_agents[1 - player])
            assert not other["action_mask"].any()
            if game != "quarto":
                assert np.array_equal(other["observation"][::-1], observation["observation"])
            env.step(choose(env.position.actions))
        assert env.position.outcome is not None
        winner = env.position.outcome.winner
        assert list(total.values()) == ([0, 0] if winner is None else [1 - 2 * winner, 2 * winner - 1])
    env.reset()
    with pytest.raises(petteia.IllegalMove):
        env.step(10_000)


@each_game
def test_gymnasium_checks(game: str, parameters: dict[str, Any]) -> None:
    name = {"tictac": "TicTac"}.get(game, game.capitalize())
    for player in (0, 1, None):
        for mode in (None, "ansi", "rgb_array"):
            env = gymnasium.make(f"petteia/{name}-v0", player=player, render_mode=mode, **parameters)
            check_env(env.unwrapped, skip_render_check=player is not None)


@each_game
def test_gymnasium_against_an_opponent(game: str, parameters: dict[str, Any]) -> None:
    moves: list[petteia.Position] = []

    def first_move(position: Any) -> str:
        moves.append(position)
        return str(position.moves[0])

    for player in (0, 1):
        env = petteia.gymnasium.Env(game, opponent=first_move, player=player, illegal="raise", **parameters)
        moves.clear()
        seen, info = env.reset(seed=4)
        while True:
            assert env.position.turn == player == info["player"]
            assert np.array_equal(seen, env.position.observation())
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample(env.action_masks()))
            assert not truncated
            if terminated:
                break
            assert reward == 0
        assert moves and all(position.turn == 1 - player for position in moves)
        assert env.position.outcome is not None
        winner = env.position.outcome.winner
        assert reward == (0 if winner is None else 1 if winner == player else -1)
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
        env.reset()
        with pytest.raises(petteia.IllegalMove):
            env.step(env.start.num_actions)
    for wrong in ({"opponent": "nobody"}, {"player": 2}, {"illegal": "ignore"}, {"render_mode": "human"}):
        with pytest.raises(ValueError, match="expected"):
            petteia.gymnasium.Env(game, **wrong, **parameters)


@each_game
def test_gymnasium_vectors(game: str, parameters: dict[str, Any]) -> None:
    name = {"tictac": "TicTac"}.get(game, game.capitalize())
    made = gymnasium.make_vec(
        f"petteia/{name}-v0", num_envs=64, vectorization_mode="vector_entry_point", threads=1, **parameters
    )
    assert isinstance(made, petteia.gymnasium.VectorEnv)
    env = RecordEpisodeStatistics(made)
    twin = petteia.VectorEnv(game, 64, seed=8, threads=1, **parameters)
    observations, infos = env.reset(seed=8)
    assert env.observation_space.contains(observations)
    episodes = 0
    for _ in range(200):
        actions = made.random_actions()
        assert env.action_space.contains(actions)
        assert np.array_equal(actions, twin.random_actions())
        assert np.array_equal(infos["turns"], twin.turns)
        movers, over = twin.turns.copy(), twin.terminated.copy()
        twin.step(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert np.array_equal(observations, twin.observations)
        assert np.array_equal(rewards, np.where(over, 0, twin.rewards[np.arange(64), movers.clip(0)]))
        assert np.array_equal(terminated, twin.terminated) and not truncated.any()
        assert np.array_equal(infos["action_mask"], twin.action_mask)
        episodes += int(terminated.sum())
    assert env.episode_count == episodes > 50
    with pytest.raises(TypeError):
        env.reset(seed=[1, 2])  # type: ignore[arg-type]


def loaded(game: str, parameters: dict[str, Any]) -> Any:
    words = ",".join(f"{name}={value}" for name, value in parameters.items())
    return pyspiel.load_game(f"petteia_{game}({words})")


@each_game
def test_openspiel_api(game: str, parameters: dict[str, Any]) -> None:
    spiel = loaded(game, parameters)
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)
    assert str(pickle.loads(pickle.dumps(spiel))) == str(spiel)
    state = spiel.new_initial_state()
    observer: Any = make_observation(spiel)
    choose = random.Random(5).choice
    while not state.is_terminal():
        clone = state.clone()
        assert str(clone) == str(state) and clone.legal_actions() == state.legal_actions()
        observer.set_from(state, state.current_player())
        assert np.array_equal(observer.dict["observation"], state.position.observation())
        assert pickle.loads(pickle.dumps(state)).history() == state.history()
        action = choose(state.legal_actions())
        notation = state.action_to_string(state.current_player(), action)
        assert state.position.play(notation) == state.position.play(action)
        state.apply_action(action)
        assert clone.position != state.position or game == "breakdown"
    assert sum(state.returns()) == 0


def test_openspiel_has_the_same_game() -> None:
    ours, theirs = (
        get_all_states(pyspiel.load_game(name), to_string=lambda state: str(state.history()), depth_limit=4)
        for name in ("petteia_tictac", "tic_tac_toe")
    )
    assert ours.keys() == theirs.keys()
    for key, state in ours.items():
        assert state.returns() == theirs[key].returns()
        assert state.current_player() == theirs[key].current_player()
        assert state.legal_actions() == theirs[key].legal_actions()


def test_openspiel_ends_endless_games() -> None:
    game = pyspiel.load_game("petteia_breakdown(max_plies=12)")
    state = game.new_initial_state()
    for _ in range(12):
        assert not state.is_terminal()
        state.apply_action(8)
    assert state.is_terminal() and state.returns() == [0, 0]


@each_game
def test_openspiel_bots(game: str, parameters: dict[str, Any]) -> None:
    spiel = loaded(game, parameters)
    state = spiel.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bots = [
        mcts.MCTSBot(spiel, 2, 5, evaluator, random_state=np.random.RandomState(2)),
        uniform_random.UniformRandomBot(1, np.random.RandomState(3)),
    ]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sorted(state.returns()) in ([-1, 1], [0, 0])


def best_score(game: oracles.Oracle, player: int) -> int:
    """Return a player's result with best play on both sides, by exhaustive search."""
    if game.over:
        return 0 if game.winner is None else 1 if game.winner == player else -1
    scores = []
    for move in game.moves():
        after = copy.deepcopy(game)
        after.play(move)
        scores.append(best_score(after, player))
    return max(scores) if game.turn == player else min(scores)


def test_openspiel_minimax() -> None:
    # X has two ways to win after A1, A2, B2, and O is to move.
    game = pyspiel.load_game("petteia_tictac")
    state = game.new_initial_state()
    for action in (0, 1, 4):
        state.apply_action(action)
    value, best = minimax.alpha_beta_search(game, state)
    assert value == -1 and best in state.legal_actions()
    for width, height in ((3, 2), (2, 4), (3, 3)):
        game = pyspiel.load_game(f"petteia_reversi(width={width},height={height})")
        value, _ = minimax.alpha_beta_search(game)
        assert value == best_score(oracles.Reversi(width, height), 0)


OTHELLO = "________/________/________/___LD___/___DL___/________/________/________ D"
OTHERS = ["X__/___/___ O", "_X_/_O_/___ X"]
CUT: list[tuple[str, dict[str, Any]]] = [
    ("tictac", {"max_plies": 4}),
    ("tictac", {"max_plies": 3, "start": OTHERS}),
    ("breakdown", {"max_plies": 1}),
    ("breakdown", {"max_plies": 7, "width": 5, "height": 4}),
    ("reversi", {"start": OTHELLO, "max_plies": 9}),
    ("reversi", {"start": [OTHELLO, petteia.Reversi()]}),
    ("quarto", {"max_plies": 5}),
]
each_cut = pytest.mark.parametrize(("game", "cut"), CUT)


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.filterwarnings("ignore:.*Illegal move made")
@each_cut
def test_pettingzoo_checks_truncation(game: str, cut: dict[str, Any]) -> None:
    for make in (petteia.pettingzoo.env, petteia.pettingzoo.raw_env):
        api_test(make(game, **cut), num_cycles=200)
    seed_test(lambda: petteia.pettingzoo.env(game, **cut), num_cycles=100)


@each_cut
def test_pettingzoo_truncates_and_starts_anywhere(game: str, cut: dict[str, Any]) -> None:
    env = petteia.pettingzoo.raw_env(game, **cut)
    env = pickle.loads(pickle.dumps(env))
    starts = [petteia.VectorEnv(game, 1, **cut).starts, env.starts.positions]
    assert starts[0] == starts[1]
    choose = random.Random(1).choice
    begun, outcomes = set(), set()
    for seed in range(30):
        env.reset(seed=seed)
        begun.add(env.position)
        assert env.agent_selection == env.possible_agents[env.position.turn or 0]
        plies, total = 0, dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            assert terminated == env.position.is_over
            assert truncated == (plies == cut.get("max_plies") and not terminated)
            if terminated or truncated:
                outcomes.add(truncated)
                player = env.possible_agents.index(agent)
                legal = env.position.actions if env.position.turn == player else []
                assert np.flatnonzero(observation["action_mask"]).tolist() == legal
                env.step(None)
                continue
            env.step(choose(env.position.actions))
            plies += 1
        assert not env.agents
        winner = None if env.position.outcome is None else env.position.outcome.winner
        assert list(total.values()) == ([0, 0] if winner is None else [1 - 2 * winner, 2 * winner - 1])
    assert begun == {*starts[0]}
    assert ("max_plies" in cut) == (True in outcomes)


def test_games_that_could_go_on_for_ever_are_truncated_by_default() -> None:
    env = petteia.pettingzoo.env("breakdown")
    env.reset()
    steps = 0
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        steps += not truncated
        env.step(None if terminated or truncated else 8)
    assert steps == 200
    limits = {"TicTac": 9, "Breakdown": 200, "Reversi": 64, "Quarto": 32}
    for name, limit in limits.items():
        assert gymnasium.spec(f"petteia/{name}-v0").max_episode_steps == limit
    flips = gymnasium.make("petteia/Breakdown-v0", opponent=lambda position: "!")
    flips.reset()
    over = [flips.step(8)[2:4] for _ in range(200)]
    assert over == [(False, False)] * 199 + [(False, True)]
    many = gymnasium.make_vec("petteia/Breakdown-v0", num_envs=2, vectorization_mode="vector_entry_point")
    many.reset()
    cuts = [many.step(np.array([8, 8]))[3].all() for _ in range(201)]
    assert cuts == [False] * 199 + [True, False]
    assert pyspiel.load_game("petteia_breakdown").max_game_length() == 200


@each_cut
def test_gymnasium_checks_truncation(game: str, cut: dict[str, Any]) -> None:
    if cut.get("max_plies") == 1:
        # The checker expects episodes of several steps.
        cut = {**cut, "max_plies": 5}
    for player in (0, 1, None):
        check_env(petteia.gymnasium.Env(game, player=player, **cut), skip_render_check=True)
    name = {"tictac": "TicTac"}.get(game, game.capitalize())
    env = gymnasium.make(f"petteia/{name}-v0", **cut)
    check_env(env.unwrapped, skip_render_check=True)


@each_cut
def test_gymnasium_truncates_and_starts_anywhere(game: str, cut: dict[str, Any]) -> None:
    most = cut.get("max_plies")
    for player in (0, 1, None):
        env = petteia.gymnasium.Env(game, player=player, **cut)
        ends = set()
        for seed in range(30):
            seen, info = env.reset(seed=seed)
            assert env.start in env.starts.positions
            assert env.position.turn == env.player
            terminated = truncated = False
            while not (terminated or truncated):
                seen, reward, terminated, truncated, info = env.step(
                    env.action_space.sample(info["action_mask"])
                )
                assert terminated == env.position.is_over
                assert truncated == (most is not None and env.plies >= most and not terminated)
                assert most is None or env.plies <= max(most, 2)
                assert np.flatnonzero(info["action_mask"]).tolist() == env.position.actions
                assert reward == 0 or terminated
                if env.position.turn == env.player:
                    assert np.array_equal(seen, env.position.observation())
            ends.add(truncated)
            with pytest.raises(gymnasium.error.ResetNeeded):
                env.step(0)
        assert (True in ends) == (most is not None)


@each_cut
def test_gymnasium_vectors_are_truncated(game: str, cut: dict[str, Any]) -> None:
    name = {"tictac": "TicTac"}.get(game, game.capitalize())
    made = gymnasium.make_vec(
        f"petteia/{name}-v0", num_envs=32, vectorization_mode="vector_entry_point", **cut
    )
    assert isinstance(made, petteia.gymnasium.VectorEnv)
    env = RecordEpisodeStatistics(made)
    twin = petteia.VectorEnv(game, 32, seed=4, **cut)
    observations, infos = env.reset(seed=4)
    episodes = cuts = 0
    for _ in range(100):
        assert np.array_equal(observations, twin.observations)
        assert np.array_equal(infos["action_mask"], twin.action_mask)
        actions = twin.random_actions()
        assert np.array_equal(made.random_actions(), actions)
        twin.step(actions)
        observations, _, terminated, truncated, infos = env.step(actions)
        assert np.array_equal(terminated, twin.terminated)
        assert np.array_equal(truncated, twin.truncated)
        episodes += int((terminated | truncated).sum())
        cuts += int(truncated.sum())
    assert env.episode_count == episodes > 20
    assert (cuts > 20) == ("max_plies" in cut)
    shorter = petteia.gymnasium.VectorEnv(game, 2, **{**cut, "max_plies": 9}, max_episode_steps=2)
    assert shorter.env.max_plies == 2


def test_gymnasium_steps_single_environments_side_by_side() -> None:
    """Gymnasium's own vectors of single environments, stepped side by side, truncate too."""
    envs = gymnasium.make_vec(
        "petteia/Breakdown-v0", num_envs=3, vectorization_mode="sync", vector_kwargs={}, max_plies=6
    )
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    cuts = 0
    for _ in range(60):
        masks = infos["action_mask"]
        actions = np.array([np.flatnonzero(mask)[-1] if mask.any() else 0 for mask in masks])
        observations, _, _, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(observations)
        cuts += int(truncated.sum())
    assert cuts > 10


@pytest.mark.parametrize(
    ("words", "start", "most"),
    [
        (f"petteia_reversi(start={OTHELLO})", OTHELLO, 64),
        (f"petteia_reversi(start={OTHELLO},max_plies=5)", OTHELLO, 5),
        ("petteia_reversi(start=____/_LD_/_DL_/____ D)", "____/_LD_/_DL_/____ D", 16),
        ("petteia_breakdown(max_plies=3)", petteia.Breakdown().text, 3),
        ("petteia_breakdown(start=..../..../..../*.../*.oo b 2 2)", "..../..../..../*.../*.oo b 2 2", 200),
        ("petteia_tictac(first=O,max_plies=8)", "___/___/___ O", 8),
        ("petteia_quarto(start=0.../..../..../.... 5 1)", "0.../..../..../.... 5 1", 32),
    ],
)
def test_openspiel_starts_anywhere_and_truncates(words: str, start: str, most: int) -> None:
    game = pyspiel.load_game(words)
    assert game.max_game_length() == most
    assert str(game.new_initial_state()) == start
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game) and str(again.new_initial_state()) == start
    choose = random.Random(1).choice
    state = game.new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(choose(state.legal_actions()))
    assert state.is_terminal()
    assert state.position.is_over or (state.returns() == [0, 0] and state.legal_actions() == [])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("petteia_tictac(start=XXX/OO_/___ -)", "invalid start .*: expected a game in progress"),
        ("petteia_tictac(start=nonsense)", "invalid tictac position"),
        ("petteia_reversi(width=6,start=____/_LD_/_DL_/____ D)", "expected one of reversi 6 4"),
        ("petteia_breakdown(max_plies=-1)", "invalid max_plies -1"),
        ("petteia_breakdown(max_plies=0)", "invalid max_plies 0"),
    ],
)
def test_openspiel_tells_bad_parameters(words: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        pyspiel.load_game(words)


@pytest.mark.parametrize("make", [petteia.pettingzoo.env, petteia.gymnasium.Env, petteia.gymnasium.VectorEnv])
def test_adapters_tell_bad_starts(make: Any) -> None:
    for named, told in (
        ({"start": []}, r"invalid start \[\]"),
        ({"start": OTHELLO, "width": 6}, "expected one of reversi 6 8"),
        ({"start": petteia.TicTac()}, "expected one of reversi"),
        ({"max_plies": 0}, "invalid max_plies 0"),
    ):
        with pytest.raises(ValueError, match=told):
            make("reversi", **named)
    env = make(petteia.Reversi.from_text(OTHELLO))
    env.reset()
    first = env.env.position(0) if make is petteia.gymnasium.VectorEnv else env.unwrapped.start
    assert first.text == OTHELLO


def test_actions_of_the_gymnasium_environment_are_integers() -> None:
    env = petteia.gymnasium.Env("tictac")
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game has begun"):
        env.step(0)
    env.reset(seed=1)
    for wrong in (1.0, np.float32(1), True, np.True_, "1", None, float("nan")):
        with pytest.raises(TypeError, match=r"^expected action as an int, not "):
            env.step(wrong)
    for right in (0, np.int64(4), np.array(8)):
        env.reset(seed=1)
        assert env.step(right)[1] == 0
