"""Vector environments: every lane follows the rules, whatever the number of threads."""

import contextlib
import copy
import pickle
import re
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import oracles
import petteia
import pytest
from games import ROOT, exactly

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tictac", {}),
    ("tictac", {"first": "O"}),
    ("breakdown", {"width": 7, "height": 6, "stick": 2, "square": 3}),
    ("breakdown", {"width": 4, "height": 3, "stick": 1, "square": 2}),
    ("breakdown", {"width": 70, "height": 3, "stick": 20, "square": 2}),
    ("reversi", {}),
    ("reversi", {"width": 5, "height": 4}),
    ("quarto", {}),
]
IDS = [" ".join([game, *map(str, parameters.values())]) for game, parameters in GAMES]
each_game = pytest.mark.parametrize(("game", "parameters"), GAMES, ids=IDS)


def oracle(env: petteia.VectorEnv) -> oracles.Oracle:
    if env.game == "breakdown":
        return oracles.Breakdown(**env.parameters)
    if env.game == "reversi":
        return oracles.Reversi(**env.parameters)
    return oracles.TicTac() if env.game == "tictac" else oracles.Quarto()


def planes(env: petteia.VectorEnv, game: oracles.Oracle) -> list[list[list[int]]]:
    """Return the planes of a lane with this game, written from the documentation alone."""
    cells = game.cells()
    if not isinstance(game, oracles.Quarto):
        mine = 2 if game.turn == 1 and not game.over else 1
        return [[[int(cell == whose) for cell in row] for row in cells] for whose in (mine, 3 - mine)]
    # A piece in five bits: presence, then its attributes.
    board = [[0 if cell < 0 else 16 + cell for cell in row] for row in cells]
    hand = [[0 if game.hand is None else 16 + game.hand] * 4] * 4
    return [
        [[cell >> 4 - bit & 1 for cell in row] for row in here] for here in (board, hand) for bit in range(5)
    ]


@each_game
def test_every_lane_follows_the_rules(game: str, parameters: dict[str, Any]) -> None:
    env = petteia.VectorEnv(game, 5, seed=3, threads=2, **parameters)
    games = [oracle(env) for _ in range(5)]
    ended = 0
    for _ in range(150):
        for lane, played in enumerate(games):
            position = env.position(lane)
            assert env.observations[lane].tolist() == planes(env, played)
            assert np.array_equal(env.observations[lane], position.observation())
            legal = sorted(position.action(move) for move in played.moves())
            assert np.flatnonzero(env.action_mask[lane]).tolist() == legal
            assert env.terminated[lane] == played.over
            assert env.turns[lane] == (-1 if played.over else played.turn)
            score = 0 if played.winner is None else 1 - 2 * played.winner
            assert env.rewards[lane].tolist() == ([score, -score] if played.over else [0, 0])
        actions = env.random_actions()
        for lane, played in enumerate(games):
            if played.over:
                games[lane], ended = oracle(env), ended + 1
            else:
                assert env.action_mask[lane, actions[lane]]
                played.play(env.position(lane).move(int(actions[lane])))
        env.step(actions)
    assert ended > 5 or game == "breakdown"


@each_game
def test_arrays(game: str, parameters: dict[str, Any]) -> None:
    env = petteia.VectorEnv(game, 6, **parameters)
    position = env.position(0)
    assert env.num_envs == len(env) == 6
    assert env.num_actions == position.num_actions
    assert env.observation_shape == position.observation().shape
    arrays = [env.observations, env.action_mask, env.turns, env.rewards, env.terminated]
    shapes = [(6, *env.observation_shape), (6, env.num_actions), (6,), (6, 2), (6,)]
    assert [array.shape for array in arrays] == shapes
    assert [str(array.dtype) for array in arrays] == ["uint8", "bool", "int8", "float32", "bool"]
    observations, rewards, terminated = env.step(env.random_actions())
    assert observations is env.observations is arrays[0] is env.reset()
    assert rewards is env.rewards is arrays[3]
    assert terminated is env.terminated is arrays[4]
    # The memory lives as long as any array that uses it.
    mask = env.action_mask
    expected = mask.copy()
    del env, arrays
    assert np.array_equal(mask, expected)


def history(env: petteia.VectorEnv, steps: int) -> list[np.ndarray[Any, Any]]:
    shown = []
    for _ in range(steps):
        env.step(env.random_actions())
        arrays = (env.observations, env.action_mask, env.turns, env.rewards, env.terminated)
        shown += [array.copy() for array in arrays]
    return shown


def same(some: list[np.ndarray[Any, Any]], other: list[np.ndarray[Any, Any]]) -> bool:
    return all(np.array_equal(*pair) for pair in zip(some, other))


@each_game
def test_threads_change_nothing(game: str, parameters: dict[str, Any]) -> None:
    lanes = 3000 if len(parameters) < 4 else 700
    one, four, other = (
        petteia.VectorEnv(game, lanes, seed=seed, threads=threads, **parameters)
        for seed, threads in ((5, 1), (5, 4), (6, 4))
    )
    expected = history(one, 40)
    assert same(history(four, 40), expected)
    assert not same(history(other, 40), expected)
    four.reset(seed=5)
    assert same(history(four, 40), expected)
    # Lanes differ from each other, and a larger environment has the same first lanes.
    assert len({one.position(lane) for lane in range(50)}) > 20
    few = petteia.VectorEnv(game, 7, seed=5, **parameters)
    few.rollout(40)
    assert [few.position(lane) for lane in range(7)] == [one.position(lane) for lane in range(7)]


@each_game
def test_rollout_is_the_same_as_stepping(game: str, parameters: dict[str, Any]) -> None:
    rolled, stepped = (petteia.VectorEnv(game, 300, seed=2, threads=2, **parameters) for _ in range(2))
    tally = rolled.rollout(77)
    wins, draws, resets = np.zeros(2), 0, 0
    for _ in range(77):
        resets += int(stepped.terminated.sum())
        stepped.step(stepped.random_actions())
        wins += (stepped.rewards > 0).sum(axis=0)
        draws += int((stepped.terminated & (stepped.rewards[:, 0] == 0)).sum())
    assert tally == petteia.Tally(wins=(int(wins[0]), int(wins[1])), draws=draws, plies=300 * 77 - resets)
    assert rolled.get_state() == stepped.get_state()
    for name in ("observations", "action_mask", "turns", "rewards", "terminated"):
        assert np.array_equal(getattr(rolled, name), getattr(stepped, name))
    assert rolled.rollout(0).games == 0


def test_random_actions_are_uniform() -> None:
    env = petteia.VectorEnv("tictac", 90_000, seed=9)
    counts = np.bincount(env.random_actions(), minlength=9)
    # The chi-squared statistic with 8 degrees of freedom exceeds 27.9 once in 2000 cases; the seed is fixed.
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 27.9


def test_random_actions_stay_as_they_are() -> None:
    """Later calls do not change an array, or a slice of one, that the caller has kept."""
    env = petteia.VectorEnv("reversi", 500, seed=3, threads=2)
    kept: list[tuple[Any, list[int]]] = []
    for step in range(12):
        actions = env.random_actions()
        part = actions[100:400] if step % 3 == 0 else actions
        kept.append((part, part.tolist()))
        env.step(actions)
    assert all(part.tolist() == numbers for part, numbers in kept)


def test_random_actions_can_be_changed() -> None:
    """A step respects changes to the array: other numbers, another order, shape or type."""
    env = petteia.VectorEnv("tictac", 9)
    for change in (lambda actions: actions[::-1], lambda actions: actions.astype(np.uint8), list):
        env.reset()
        actions = env.random_actions()
        actions[:] = range(9)
        given = change(actions)
        env.step(given)
        assert env.observations[:, 1].reshape(9, 9).argmax(axis=1).tolist() == list(map(int, given))
    actions = env.random_actions()
    actions.shape = (3, 3)
    with pytest.raises(ValueError, match="expected 9 integers"):
        env.step(actions)


def test_illegal_actions_name_the_first_lane() -> None:
    env = petteia.VectorEnv("reversi", 2000, seed=1, threads=2)
    env.rollout(10)
    before = env.get_state()
    shown = [env.observations.copy(), env.action_mask.copy(), env.turns.copy()]
    legal = env.random_actions()
    for bad in (64, -1, 2**62, int(np.flatnonzero(~env.action_mask[1234])[0])):
        actions = legal.copy()
        actions[[1234, 1900]] = bad
        with pytest.raises(petteia.IllegalMove, match=f"^lane 1234: illegal move .*{bad}.*legal moves are"):
            env.step(actions)
    after = env.get_state()
    assert after["positions"] == before["positions"]
    assert same(shown, [env.observations, env.action_mask, env.turns])
    env.step(legal)
    assert env.get_state()["positions"] != before["positions"]


def test_illegal_actions_can_lose() -> None:
    env = petteia.VectorEnv("quarto", 4, illegal="lose")
    env.step([0, 99, 3, -5])
    assert env.terminated.tolist() == [False, True, False, True]
    assert env.rewards.tolist() == [[0, 0], [-1, 1], [0, 0], [-1, 1]]
    assert env.turns.tolist() == [1, -1, 1, -1]
    assert not env.action_mask[[1, 3]].any()
    assert env.random_actions()[[1, 3]].tolist() == [0, 0]
    again = pickle.loads(pickle.dumps(env))
    assert (again.terminated == env.terminated).all() and (again.rewards == env.rewards).all()
    env.step([16, 5, 0, 5])
    assert env.terminated.tolist() == [False, False, True, False]
    assert env.rewards.tolist() == [[0, 0], [0, 0], [1, -1], [0, 0]]
    assert env.turns.tolist() == [1, 0, -1, 0]
    assert env.action_mask[1].sum() == env.action_mask[3].sum() == 16


def test_the_end_is_seen_and_the_next_step_begins() -> None:
    env = petteia.VectorEnv("tictac", 2)
    env.set_position(0, "XX_/OO_/___ X")
    env.step([2, 4])
    assert env.position(0).text == "XXX/OO_/___ -"
    assert env.observations[0].tolist() == [
        [[1, 1, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [1, 1, 0], [0, 0, 0]],
    ]
    assert (env.rewards[0].tolist(), env.terminated.tolist()) == ([1, -1], [True, False])
    assert not env.action_mask[0].any()
    env.step([-77, 0])
    assert env.position(0) == petteia.TicTac()
    assert env.action_mask[0].all() and env.turns.tolist() == [0, 0]
    assert (env.rewards[0].tolist(), env.terminated.tolist()) == ([0, 0], [False, False])


def test_positions_lane_by_lane() -> None:
    env = petteia.VectorEnv("breakdown", 3, width=4, height=5, stick=2, square=2)
    env.set_position(1, "..../..../..../*.../*.oo b 2 2")
    env.set_position(np.int64(2), petteia.Breakdown().play("|0"))
    assert env.position(1) == petteia.Breakdown().play("|0").play("-2")
    assert np.array_equal(env.observations[1], env.position(1).observation())
    assert env.turns.tolist() == [0, 0, 1]
    env.set_position(0, "..../..../..../**../**oo - 2 2")
    assert env.terminated.tolist() == [True, False, False] and env.rewards[0].tolist() == [1, -1]
    # An invalid text raises ParseError, a position of another game ValueError.
    with exactly(petteia.ParseError, 'invalid breakdown position "nonsense": expected'):
        env.set_position(1, "nonsense")
    for wrong in ("..../*.oo b 2 2", petteia.Breakdown(3, 3), petteia.TicTac()):
        text = wrong if isinstance(wrong, str) else wrong.text
        with exactly(
            ValueError, f'^invalid position "{re.escape(text)}": expected one of breakdown 4 5 2 2$'
        ):
            env.set_position(1, wrong)
    for lane in (3, -1, 2**70):
        with exactly(IndexError, f"^invalid lane {lane}: expected 0 to 2$"):
            env.position(lane)
    with pytest.raises(TypeError, match="a position or its text"):
        env.set_position(1, 5)  # type: ignore[arg-type]


@each_game
def test_states_lose_nothing(game: str, parameters: dict[str, Any]) -> None:
    env = petteia.VectorEnv(game, 40, seed=4, illegal="lose", **parameters)
    env.rollout(25)
    env.step(np.where(np.arange(40) % 5 == 0, -1, env.random_actions()))
    copies = [pickle.loads(pickle.dumps(env)), copy.copy(env), copy.deepcopy(env)]
    state = env.get_state()
    other = petteia.VectorEnv(game, 40, **parameters)
    other.set_state(state)
    expected = history(env, 30)
    for copied in [*copies, other]:
        assert copied.game == game and copied.parameters == env.parameters
        assert same(history(copied, 30), expected)
    env.set_state(state)
    assert same(history(env, 30), expected)
    assert eval(repr(env), {"petteia": petteia}).parameters == env.parameters


def test_bad_states_change_nothing() -> None:
    env = petteia.VectorEnv("tictac", 3)
    env.step([0, 1, 2])
    state = env.get_state()
    for wrong in (
        {**state, "positions": [*state["positions"][:2], "nonsense"]},
        {**state, "positions": state["positions"][:2]},
        {**state, "positions": ["X__/___/___ O", "XXX/OO_/___ -", "X__/___/___ O"], "forfeited": [True] * 3},
        {**state, "streams": [-1, 0, 0]},
        {"positions": state["positions"]},
    ):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            env.set_state(wrong)
        assert env.get_state() == state


@pytest.mark.parametrize(
    ("arguments", "named", "error", "words"),
    [
        (("chess", 4), {}, petteia.ParseError, '"chess": expected one of tictac, breakdown, reversi, quarto'),
        (("reversi", 0), {}, ValueError, "invalid num_envs 0"),
        (("reversi", 2**40), {}, ValueError, f"invalid num_envs {2**40}"),
        (("reversi", 4), {"width": 9}, ValueError, "invalid width 9: expected 2 to 8"),
        (("quarto", 4), {"width": 9}, TypeError, 'Quarto has no parameter "width"'),
        (("tictac", 4), {"illegal": "ignore"}, ValueError, 'illegal "ignore": expected raise or lose'),
        (("tictac", 4), {"threads": 0}, ValueError, "invalid threads 0"),
        (("tictac", 4), {"seed": -1}, ValueError, "invalid seed -1"),
        ((3, 4), {}, TypeError, "str"),
        (("breakdown", 2**30), {"width": 16384, "height": 16384}, MemoryError, "environments"),
    ],
)
def test_bad_arguments(
    arguments: tuple[Any, ...], named: dict[str, Any], error: type[Exception], words: str
) -> None:
    with exactly(error, words):
        petteia.VectorEnv(*arguments, **named)


def test_bad_actions() -> None:
    env = petteia.VectorEnv("tictac", 3)
    for wrong in ([0, 1], 0, [[0, 1, 2]], [[0], [1], [2]], []):
        with exactly(ValueError, "3 integers"):
            env.step(wrong)
    mistyped: Any
    actions: Any
    for mistyped in ([0.0, 1.0, 2.0], ["A1", "A2", "A3"], [True, False, True], (0, 1, True), [None] * 3):
        with pytest.raises(TypeError, match="3 integers"):
            env.step(mistyped)
    for actions in ([4, 4, 4], *(np.full(3, 4, kind) for kind in (np.uint8, np.int16, np.uint64))):
        env.reset()
        env.step(actions)
        assert env.turns.tolist() == [1, 1, 1]


def test_actions_too_large_for_their_type_do_not_become_others() -> None:
    env = petteia.VectorEnv("tictac", 2)
    huge: Any
    for huge in (2**63, 2**64 - 1):
        with pytest.raises(petteia.IllegalMove, match=f'^lane 1: illegal move "action {huge}"') as caught:
            env.step(np.array([0, huge], np.uint64))
        assert (caught.value.move, caught.value.lane) == (huge, 1)
    assert env.observations.sum() == 0
    for kind in (np.uint8, np.uint16, np.uint64, np.int8):
        env.step(np.array([3, 4], kind))
        env.reset()


def test_one_thread_at_a_time() -> None:
    env = petteia.VectorEnv("breakdown", 2000, threads=1)
    done = threading.Event()

    def roll() -> None:
        while not done.is_set():
            with contextlib.suppress(RuntimeError):
                env.rollout(200)

    thread = threading.Thread(target=roll)
    thread.start()
    # While the other thread is in a rollout, with the GIL released, this one gets an error.
    with pytest.raises(RuntimeError, match="another thread is using this environment"):
        while True:
            env.position(0)
    done.set()
    thread.join()
    assert np.array_equal(env.observations[0], env.position(0).observation())


def test_interrupt_stops_a_rollout() -> None:
    code = (
        "import petteia, sys\n"
        "env = petteia.VectorEnv('reversi', 1000)\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    env.rollout(10**12)\n"
        "except KeyboardInterrupt:\n"
        "    assert (env.observations[3] == env.position(3).observation()).all()\n"
        "    print('stopped')\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "stopped\n"
    assert process.returncode == 0


def test_forked_children_go_on() -> None:
    code = (
        "import os, petteia\n"
        "env = petteia.VectorEnv('tictac', 20_000, seed=1, threads=4)\n"
        "env.rollout(20)\n"
        "child = os.fork()\n"
        "env.rollout(20)\n"
        "tally = env.rollout(5)\n"
        "if child: os.waitpid(child, 0)\n"
        "print(tally, flush=True)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    lines = result.stdout.splitlines()
    assert len(lines) == 2 and lines[0] == lines[1]


def test_a_child_forked_amid_a_step_goes_on() -> None:
    # The parent's other threads are nearly always inside a step or a rollout when the main thread forks.
    code = """
import os, threading, petteia
def play(env, going):
    while going.is_set():
        env.step(env.random_actions())
        env.rollout(3)
envs = [petteia.VectorEnv("breakdown", 3_000, seed=1, threads=2) for _ in range(2)]
going = threading.Event()
going.set()
threads = [threading.Thread(target=play, args=(env, going)) for env in envs]
for thread in threads: thread.start()
for _ in range(60):
    child = os.fork()
    if child == 0:
        for env in envs:
            env.step(env.random_actions())
            for lane in range(0, 3_000, 500):
                assert (env.observations[lane] == env.position(lane).observation()).all()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
going.clear()
for thread in threads: thread.join()
print("went on")
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr) == ("went on\n", "")


def test_actions_are_taken_over_once() -> None:
    # Another thread changes the actions all the time: whatever is played was checked before.
    env = petteia.VectorEnv("tictac", 20_000, seed=1)
    actions, good = env.random_actions(), env.random_actions()
    going = True

    def scribble() -> None:
        while going:
            actions.fill(99)
            actions[:] = good

    scribbler = threading.Thread(target=scribble)
    scribbler.start()
    try:
        for _ in range(300):
            try:
                env.step(actions)
            except petteia.IllegalMove as error:
                assert error.move == 99 or error.move in range(9)
            np.copyto(good, env.random_actions())
    finally:
        going = False
        scribbler.join()
    for lane in range(0, 20_000, 997):
        position = env.position(lane)
        assert petteia.TicTac.from_text(position.text) == position


def test_what_is_written_to_the_arrays_does_not_matter() -> None:
    env, same = (petteia.VectorEnv("reversi", 50, seed=3, width=4, height=4) for _ in range(2))
    for _ in range(20):
        actions = same.random_actions()
        for array in (env.observations, env.action_mask, env.turns, env.rewards, env.terminated):
            array[...] = 1
        assert (env.random_actions() == actions).all()
        env.step(actions)
        same.step(actions)
        actions.fill(-1)
        assert (env.observations == same.observations).all()
        assert (env.action_mask == same.action_mask).all()
        assert (env.rewards == same.rewards).all()


def test_threads_get_memory_of_their_own() -> None:
    env = petteia.VectorEnv("quarto", 1_000, seed=1)
    seen: list[np.ndarray[Any, Any]] = []

    def take() -> None:
        for _ in range(200):
            try:
                seen.append(env.random_actions())
            except RuntimeError as error:
                assert str(error) == "another thread is using this environment"

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    addresses = {array.__array_interface__["data"][0] for array in seen}
    assert len(addresses) == len(seen)


def test_the_interface_of_memory_is_handed_out_anew() -> None:
    env = petteia.VectorEnv("tictac", 10)
    memory: Any = env.observations.base
    memory.__array_interface__["data"] = (8, False)
    memory.__array_interface__["shape"] = (1 << 40,)
    again = np.asarray(memory)
    assert again.shape == env.observations.shape
    assert again.ctypes.data == env.observations.ctypes.data
    del memory, again
    assert int(env.step(env.random_actions())[0].sum()) == 10


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("tictac", "X_O/_X_/___ O"),
        ("breakdown", "..../..../..../*.../*.oo b 2 2"),
        ("reversi", "____/_DL_/_LD_/____ D"),
        ("quarto", "0.../.f../..../.... 5 2"),
    ],
)
def test_the_drawings_are_true(game: str, text: str) -> None:
    page = (ROOT / "docs" / "vector.md").read_text().split(f"`{text}`")[1]
    # A line has a row of the board and then of each plane, with wider gaps than between cells; no labels.
    lines = [line for line in page.splitlines() if re.match(r" {4} *[\dXDLO*o._f] [\dXDLO*o._f] ", line)]
    rows = [re.split(r" {3,}", line.strip()) for line in lines]
    parameters: dict[str, Any] = {"width": 4, "height": 4} if game == "reversi" else {}
    env = petteia.VectorEnv(game, 1, **parameters)
    env.set_position(0, text)
    count, height, _ = env.observation_shape
    boards = [row[1:6] for row in rows[:height]]
    drawn = [[[int(cell) for cell in row[plane].split()] for row in boards] for plane in range(min(count, 5))]
    if game == "quarto":
        hand = rows[height : 2 * height]
        drawn += [[[int(cell) for cell in row[plane].split()] for row in hand] for plane in range(5)]
    assert env.observations[0].tolist() == drawn


OTHELLO = "________/________/________/___LD___/___DL___/________/________/________ D"
PARALLEL = "________/________/________/___LL___/___DD___/________/________/________ D"
MIDGAME = "__D_____/__DD____/__LDL___/___LDL__/__LLLL__/________/________/________ D"
MANY = [petteia.Reversi.from_text(text) for text in (OTHELLO, PARALLEL, MIDGAME)]


def from_position(position: Any) -> oracles.Reversi:
    """Return the oracle at a position."""
    game = oracles.Reversi(8, 8)
    game.board, game.turn = position.array.tolist(), int(position.turn)
    return game


@pytest.mark.parametrize("max_plies", [None, 1, 7, 55])
def test_lanes_start_anywhere_and_are_truncated(max_plies: int | None) -> None:
    """Every lane follows the rules from one of the starts, and is cut off after so many plies."""
    env = petteia.VectorEnv("reversi", 6, seed=3, threads=2, start=MANY, max_plies=max_plies)
    assert env.starts == MANY and env.max_plies == max_plies
    games = [from_position(env.position(lane)) for lane in range(6)]
    plies, begun, ended, cut = [0] * 6, {env.position(lane) for lane in range(6)}, 0, 0
    for _ in range(260):
        for lane, played in enumerate(games):
            truncated = plies[lane] == max_plies and not played.over
            assert env.truncated[lane] == truncated
            assert env.terminated[lane] == played.over
            # A truncated lane shows its position as it is: a learner may ask for its value.
            assert env.position(lane).array.tolist() == played.cells()
            assert env.observations[lane].tolist() == planes(env, played)
            legal = sorted(env.position(lane).action(move) for move in played.moves())
            assert np.flatnonzero(env.action_mask[lane]).tolist() == legal
            assert env.turns[lane] == (-1 if played.over else played.turn)
            score = 0 if played.winner is None else 1 - 2 * played.winner
            assert env.rewards[lane].tolist() == ([score, -score] if played.over else [0, 0])
        actions = env.random_actions()
        done = env.terminated | env.truncated
        assert not actions[done].any()
        notation = [env.position(lane).move(int(actions[lane])) for lane in range(6)]
        actions[done] = -99
        cut += int(env.truncated.sum())
        ended += int(env.terminated.sum())
        env.step(actions)
        for lane in range(6):
            if done[lane]:
                assert env.position(lane) in MANY
                begun.add(env.position(lane))
                games[lane], plies[lane] = from_position(env.position(lane)), 0
            else:
                games[lane].play(notation[lane])
                plies[lane] += 1
    assert begun == {*MANY}
    assert (cut > 0) == (max_plies is not None)
    assert (ended > 0) == (max_plies in (None, 55))


def test_breakdown_ends_in_batches() -> None:
    """Nothing but breakdowns, which change nothing, could go on for ever."""
    env = petteia.VectorEnv("breakdown", 3, max_plies=10)
    for step in range(33):
        assert env.truncated.tolist() == [step % 11 == 10] * 3
        _, rewards, terminated = env.step([8] * 3)
        assert not rewards.any() and not terminated.any()
    # A game that is over after just so many plies is not truncated.
    env = petteia.VectorEnv("tictac", 1, max_plies=5)
    for action in (0, 3, 1, 4, 2):
        env.step([action])
    assert (env.terminated[0], env.truncated[0], env.rewards[0].tolist()) == (True, False, [1, -1])


@pytest.mark.parametrize("threads", [1, 4])
def test_starts_do_not_depend_on_threads(threads: int) -> None:
    def make(seed: int, threads: int, lanes: int = 3000) -> petteia.VectorEnv:
        return petteia.VectorEnv("reversi", lanes, seed=seed, threads=threads, start=MANY, max_plies=20)

    one, other = make(5, 1), make(5, threads)
    first = [one.position(lane) for lane in range(3000)]
    assert {*first} == {*MANY}
    expected = history(one, 45)
    assert same(history(other, 45), expected)
    assert one.get_state() == other.get_state()
    other.reset(seed=5)
    assert [other.position(lane) for lane in range(3000)] == first
    assert same(history(other, 45), expected)
    assert other.seed == 5
    assert not same(history(make(6, 1), 45), expected)
    few = make(5, threads, lanes=9)
    assert [few.position(lane) for lane in range(9)] == first[:9]
    # Starts are drawn about equally often.
    assert all(900 < first.count(start) < 1100 for start in MANY)


def test_rollouts_truncate_too() -> None:
    rolled, stepped = (petteia.VectorEnv("breakdown", 200, seed=2, threads=2, max_plies=9) for _ in range(2))
    tally = rolled.rollout(50)
    cut = won = drawn = resets = 0
    for _ in range(50):
        resets += int((stepped.terminated | stepped.truncated).sum())
        stepped.step(stepped.random_actions())
        cut += int(stepped.truncated.sum())
        won += int((stepped.rewards[:, 0] != 0).sum())
        drawn += int((stepped.terminated & (stepped.rewards[:, 0] == 0)).sum())
    assert (tally.truncated, sum(tally.wins), tally.draws) == (cut, won, drawn)
    assert tally.plies == 200 * 50 - resets
    assert tally.games == cut + won + drawn
    assert rolled.get_state() == stepped.get_state()
    assert np.array_equal(rolled.truncated, stepped.truncated)
    assert cut > 100 and won > 100


def test_lanes_set_anew_count_from_there() -> None:
    env = petteia.VectorEnv("reversi", 2, start=OTHELLO, max_plies=3)
    for _ in range(2):
        env.step(env.random_actions())
    env.set_position(0, MIDGAME)
    env.step(env.random_actions())
    assert env.truncated.tolist() == [False, True]
    state = env.get_state()
    assert state["plies"] == [1, 3]
    copies = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), eval(repr(env), {"petteia": petteia})]
    copies[2].set_state(state)
    expected = history(env, 20)
    for copied in copies:
        assert copied.starts == [MANY[0]] and copied.max_plies == 3
        assert same(history(copied, 20), expected)
    with pytest.raises(ValueError, match="state"):
        env.set_state({**state, "plies": [0]})


def test_a_game_may_be_a_position() -> None:
    by_name = petteia.VectorEnv("reversi", 4, start=OTHELLO)
    for env in (petteia.VectorEnv(MANY[0], 4), petteia.VectorEnv("reversi", 4, start=[MANY[0]], width=8)):
        assert (env.game, env.parameters) == ("reversi", {"width": 8, "height": 8})
        assert same(history(env, 70), history(copy.copy(by_name), 70))
    small = petteia.Reversi(6, 4)
    env = petteia.VectorEnv("reversi", 4, start=small)
    assert env.parameters == {"width": 6, "height": 4} and env.observation_shape == (2, 4, 6)
    assert petteia.VectorEnv(small, 2, start=["______/__LD__/__DL__/______ D"]).num_actions == 24


def test_a_fresh_seed_can_be_read_back() -> None:
    one, two = (petteia.VectorEnv("tictac", 300, seed=None) for _ in range(2))
    assert one.seed != two.seed
    again = petteia.VectorEnv("tictac", 300, seed=one.seed, threads=None)
    assert same(history(again, 12), history(one, 12))
    assert petteia.VectorEnv("tictac", 3).seed == 0


OVER = "XXX/OO_/___ -"


@pytest.mark.parametrize(
    ("game", "named", "error", "words"),
    [
        ("tictac", {"start": []}, ValueError, r"^invalid start \[\]: expected at least one position$"),
        ("tictac", {"start": OVER}, ValueError, f'^invalid start "{OVER}": expected a game in progress$'),
        ("tictac", {"start": ["X__/___/___ O", OVER]}, ValueError, r"^invalid start\[1\] .* in progress$"),
        ("tictac", {"start": MANY}, ValueError, r'^invalid start\[0\] ".*": expected one of tictac$'),
        ("reversi", {"start": petteia.TicTac()}, ValueError, '^invalid start ".*": expected one of reversi$'),
        (
            "reversi",
            {"start": [*MANY, petteia.Reversi(6, 8)]},
            ValueError,
            r'^invalid start\[3\] ".*": expected one of reversi 8 8$',
        ),
        (
            "reversi",
            {"start": [petteia.Reversi(), petteia.Quarto()]},
            ValueError,
            r'^invalid start\[1\] ".*": expected one of reversi 8 8$',
        ),
        (
            "reversi",
            {"start": OTHELLO, "width": 6},
            ValueError,
            f'^invalid start "{OTHELLO}": expected one of reversi 6 8$',
        ),
        (petteia.TicTac(), {"start": OTHELLO}, petteia.ParseError, "invalid tictac position"),
        (petteia.TicTac(), {"first": "O"}, TypeError, "^unexpected first: a position has its parameters"),
        ("tictac", {"start": 5}, TypeError, "^expected start as a position or its text, or a sequence"),
        ("tictac", {"start": [5]}, TypeError, r"^expected start\[0\] as a position or its text, not int$"),
        ("tictac", {"start": {"X__/___/___ O"}}, TypeError, "^expected start as .*, not set$"),
        ("tictac", {"max_plies": 0}, ValueError, "^invalid max_plies 0: expected 1 to 4294967295$"),
        ("tictac", {"max_plies": 2**32}, ValueError, "^invalid max_plies 4294967296"),
        ("tictac", {"max_plies": 1.5}, TypeError, "max_plies"),
    ],
)
def test_bad_starts(game: Any, named: dict[str, Any], error: type[Exception], words: str) -> None:
    with exactly(error, words):
        petteia.VectorEnv(game, 4, **named)
