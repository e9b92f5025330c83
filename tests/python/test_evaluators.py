"""Search and self-play with an evaluator: a slow oracle, and all that an evaluator can do wrong."""

from __future__ import annotations

import functools
import json
import os
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import petteia
import puct_oracle
import pyarrow.parquet
import pytest
from cluster import contents
from games import AnyPosition, exactly, random_game
from numpy.typing import NDArray
from petteia import bots
from signals import signalled
from test_own_games import Nim

SMALL: list[AnyPosition] = [
    petteia.TicTac(),
    petteia.TicTac(first="O"),
    petteia.Breakdown(3, 3, 1, 2),
    petteia.Breakdown(7, 6, 2, 3),
    petteia.Breakdown(70, 3, 2, 2),
    petteia.Reversi(4, 4),
    petteia.Reversi(5, 3),
    petteia.Reversi(),
    petteia.Quarto(),
]

Results = tuple[NDArray[Any], NDArray[Any]]


def judge(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
    """Judge positions at random, but each always the same."""
    priors = np.empty(masks.shape, np.float32)
    values = np.empty(len(masks), np.float32)
    for row, observation in enumerate(observations):
        rng = np.random.default_rng(zlib.crc32(observation.tobytes()))
        priors[row] = rng.random(masks.shape[1], np.float32)
        values[row] = rng.random(dtype=np.float32) * 2 - 1
    return priors, values


def even(_: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
    return masks, np.zeros(len(masks))


def middles(start: AnyPosition, seed: int = 1) -> list[AnyPosition]:
    """Return positions of a random game, from the first to nearly the last."""
    positions = [position for position in random_game(start, seed, 60) if not position.is_over]
    return positions[:: max(1, len(positions) // 6)] + positions[-3:]


@pytest.mark.parametrize("start", SMALL, ids=repr)
def test_visits_are_those_of_the_oracle(start: AnyPosition) -> None:
    for position in middles(start):
        for simulations in (1, 2, 30, 200):
            tree = petteia.mcts(position, simulations, evaluator=judge, batch=1)
            root = puct_oracle.search(position, simulations, judge)
            assert tree.visits == root.visits, position.text
            assert tree.priors == root.priors
            assert tree.proven == root.exact
            for move in position.moves:
                assert tree.values[move] == pytest.approx(root.mean(move), abs=1e-12)
            assert tree.simulations == sum(tree.visits.values())


def test_the_oracle_sees_skipped_turns() -> None:
    skipped = [
        puct_oracle.skips(puct_oracle.search(position, 200, judge))
        for start in (petteia.Reversi(4, 4), petteia.Reversi(5, 3))
        for position in middles(start)
    ]
    assert sum(skipped) > 20


@pytest.mark.parametrize("start", SMALL, ids=repr)
def test_proven_values_are_true(start: AnyPosition) -> None:
    """Values that are proved are those of the solver, also where a player is skipped."""
    proved = 0
    for seed in range(3):
        for position in middles(start, seed)[-3:]:
            tree = petteia.mcts(position, 300, evaluator=judge, batch=8)
            for move, value in tree.proven.items():
                after = position.play(move)
                if after.outcome is not None:
                    exact = (
                        0
                        if after.outcome.winner is None
                        else 1
                        if after.outcome.winner == position.turn
                        else -1
                    )
                else:
                    solved = petteia.solve(after, time_limit=20)
                    assert solved.exact
                    sign = 1 if after.turn == position.turn else -1
                    exact = sign * int(np.sign(solved.lower))
                assert value == exact == tree.values[move], (position.text, move)
                proved += 1
            if 1 in tree.proven.values():
                assert tree.proven[tree.best_move] == tree.value == 1
    assert proved or start.text == petteia.Breakdown(70, 3, 2, 2).text


@pytest.mark.parametrize("batch", [1, 2, 7, 64, 500])
@pytest.mark.parametrize("start", SMALL, ids=repr)
def test_batches(start: AnyPosition, batch: int) -> None:
    sizes: list[int] = []

    def watch(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        assert observations.dtype == np.uint8
        assert masks.dtype == bool
        assert observations.shape == (len(masks), *start.observation().shape)
        assert masks.shape == (len(masks), start.num_actions)
        assert masks.any(axis=1).all()
        if not sizes:
            assert (observations[0] == start.observation()).all()
            assert masks[0].nonzero()[0].tolist() == start.actions
        sizes.append(len(masks))
        return judge(observations, masks)

    tree = petteia.mcts(start, 1000, evaluator=watch, batch=batch)
    # No leaf is lost and none counts twice.
    assert sum(tree.visits.values()) == tree.simulations
    assert tree.simulations == 1000 or 1 in tree.proven.values() or len(tree.proven) == len(tree.visits)
    assert sizes[0] == 1
    assert max(sizes) <= batch
    assert sum(sizes) <= 1001
    if batch == 64 and start == petteia.Reversi():
        assert sum(sizes) == 1001
        assert len(sizes) < 40
    for move in start.moves:
        assert -1 <= tree.values[move] <= 1
    if batch == 1:
        assert sizes == [1] * len(sizes)


def test_a_batch_has_no_leaf_twice() -> None:
    # In the first moves of this game no two ways lead to the same position.
    def watch(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        rows = {observation.tobytes() for observation in observations}
        assert len(rows) == len(observations)
        return even(observations, masks)

    petteia.mcts(petteia.Reversi(), 12, evaluator=watch, batch=64)


def test_a_search_ends_when_the_position_is_solved() -> None:
    won = petteia.TicTac.from_text("XX_/OO_/___ X")
    tree = petteia.mcts(won, 1000, evaluator=even)
    assert (tree.best_move, tree.value, tree.proven["A3"]) == ("A3", 1, 1)
    assert tree.simulations < 1000
    lost = petteia.TicTac.from_text("XX_/XO_/O__ O")
    tree = petteia.mcts(lost, 1000, evaluator=even)
    assert tree.proven[tree.best_move] == int(np.sign(petteia.solve(lost).lower))
    last = petteia.TicTac.from_text("XOX/OXO/OX_ O")
    assert petteia.mcts(last, 5, evaluator=even).proven == {"C3": 0}


def test_priors_are_masked_and_normalised() -> None:
    start = petteia.Reversi(4, 4)
    start = start.play(start.moves[0])

    def priors(row: list[float]) -> dict[str, float]:
        tree = petteia.mcts(start, 1, evaluator=lambda o, m: ([row] * len(o), [0.0] * len(o)))
        assert tree.priors is not None
        return tree.priors

    count = len(start.moves)
    row = [7.0] * start.num_actions
    assert priors(row) == {move: pytest.approx(1 / count) for move in start.moves}
    for action in start.actions:
        row[action] = 0.0
    assert priors(row) == {move: pytest.approx(1 / count) for move in start.moves}
    row[start.actions[-1]] = 3e38
    assert priors(row) == {move: float(move == start.moves[-1]) for move in start.moves}


class Like:
    """What numpy can read, as the tensors of other libraries are."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        return self.array


@pytest.mark.parametrize(
    "kind",
    [
        lambda array: array.astype(np.float64),
        lambda array: array.astype(np.float16),
        lambda array: array.astype(">f4"),
        lambda array: array.tolist(),
        lambda array: Like(array),
        lambda array: np.asfortranarray(array),
        lambda array: np.repeat(array, 2, axis=0)[::2],
    ],
)
def test_results_are_anything_that_numpy_reads(kind: Callable[[NDArray[Any]], Any]) -> None:
    def rounded(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        priors, values = judge(observations, masks)
        return priors.astype(np.float16).astype(np.float32), values.astype(np.float16).astype(np.float32)

    start = petteia.Reversi(6, 6)
    expected = petteia.mcts(start, 100, evaluator=rounded, batch=16)
    pair: Any
    for pair in (tuple, list):
        found = petteia.mcts(
            start, 100, evaluator=lambda *a, pair=pair: pair(map(kind, rounded(*a))), batch=16
        )
        assert found == expected


def spoil(row: int, where: str, number: float, call: int = 3) -> Any:
    """Return an evaluator whose results have a wrong number in one of its calls."""
    calls = [0]

    def spoiled(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        priors, values = judge(observations, masks)
        calls[0] += 1
        if calls[0] == call:
            (priors if where == "priors" else values)[row, ...] = number
        return priors, values

    return spoiled


@pytest.mark.parametrize(
    ("evaluator", "error", "text"),
    [
        (
            spoil(2, "priors", float("nan")),
            ValueError,
            r"^invalid priors\[2, 0\] NaN: expected a finite number",
        ),
        (spoil(1, "priors", -0.5), ValueError, r"^invalid priors\[1, 0\] -0.5: expected"),
        (spoil(0, "priors", float("inf")), ValueError, r"^invalid priors\[0, 0\] inf: expected"),
        (spoil(0, "priors", float("nan"), call=1), ValueError, r"^invalid priors\[0, 0\] NaN"),
        (spoil(1, "values", float("nan")), ValueError, r"^invalid values\[1\] NaN: expected -1 to 1$"),
        (spoil(3, "values", 1.5), ValueError, r"^invalid values\[3\] 1.5: expected -1 to 1$"),
        (spoil(0, "values", -1.01, call=1), ValueError, r"^invalid values\[0\] -1.01: expected"),
        (
            lambda o, m: (m[:, 1:], np.zeros(len(m))),
            ValueError,
            r"^invalid priors of shape \(1, 8\): expected \(1, 9\)$",
        ),
        (
            lambda o, m: (m[0], np.zeros(len(m))),
            ValueError,
            r"^invalid priors of shape \(9,\): expected \(1, 9\)$",
        ),
        (
            lambda o, m: (m, np.zeros(len(m) + 1)),
            ValueError,
            r"^invalid values of shape \(2,\): expected \(1,\)$",
        ),
        (
            lambda o, m: (m, np.zeros((len(m), 1))),
            ValueError,
            r"^invalid values of shape \(1, 1\): expected \(1,\)$",
        ),
        (lambda o, m: (m, 0.0), ValueError, r"^invalid values of shape \(\): expected \(1,\)$"),
        (
            lambda o, m: (m, np.array(["0.5"])),
            TypeError,
            r"^expected values as an array of numbers, not of <U3$",
        ),
        (
            lambda o, m: (m * 1j, np.zeros(len(m))),
            TypeError,
            r"^expected priors as an array of numbers, not of complex128$",
        ),
        (
            lambda o, m: (m, np.array([None])),
            TypeError,
            r"^expected values as an array of numbers, not of object$",
        ),
        (lambda o, m: m, TypeError, r"^expected evaluator to return a pair of arrays.*not ndarray$"),
        (lambda o, m: None, TypeError, r"^expected evaluator to return a pair of arrays.*not NoneType$"),
        (lambda o, m: (m, m, m), TypeError, r"^expected evaluator to return a pair of arrays.*not tuple$"),
        (lambda o: o, TypeError, r"takes 1 positional argument"),
    ],
)
def test_wrong_results_are_errors(evaluator: Any, error: type[Exception], text: str) -> None:
    start = petteia.TicTac()
    for search in (
        lambda: petteia.mcts(start, 100, evaluator=evaluator, batch=8),
        lambda: petteia.selfplay_arrays(start, 8, evaluator, games_at_once=1, simulations=8),
    ):
        if getattr(evaluator, "__name__", "") == "spoiled" and search.__code__.co_names[0] != "mcts":
            continue
        with exactly(error, text):
            search()


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"batch": 0}, ValueError, "^invalid batch 0: expected 1 to"),
        ({"batch": 2**70}, ValueError, "^invalid batch"),
        ({"batch": 1.5}, TypeError, "float"),
        ({"simulations": 0}, ValueError, "^invalid simulations 0: expected 1 to"),
        ({"seed": -1}, ValueError, "^invalid seed -1"),
        ({"exploration": -0.5}, ValueError, r"^invalid exploration -0.5: expected 0 to"),
        ({"exploration": float("nan")}, ValueError, "^invalid exploration NaN"),
        ({"noise_alpha": 0.0}, ValueError, "^invalid noise_alpha 0: expected more than 0"),
        ({"noise_alpha": float("inf")}, ValueError, "^invalid noise_alpha inf"),
        ({"noise_fraction": 1.25}, ValueError, "^invalid noise_fraction 1.25: expected 0 to 1$"),
        ({"temperature": -1.0}, ValueError, "^invalid temperature -1: expected 0 to"),
        ({"time": -1.0}, ValueError, "time"),
        ({"threads": 2}, ValueError, "^invalid threads 2: expected 1 with an evaluator of your own$"),
        ({"evaluator": None, "batch": 32}, ValueError, "^invalid batch 32: expected 64 without an evaluator"),
        (
            {"evaluator": "estimate", "noise_alpha": 0.5},
            ValueError,
            "^invalid noise_alpha 0.5: expected None",
        ),
        ({"evaluator": 3}, TypeError, 'expected evaluator as None, "estimate" or a function, not int'),
        (
            {"position": Nim()},
            TypeError,
            "mcts with an evaluator of your own takes positions of petteia's own",
        ),
        ({"position": petteia.TicTac.from_text("XXX/OO_/___ -")}, ValueError, "over"),
    ],
)
def test_wrong_arguments_are_errors(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    given = {"position": petteia.TicTac(), "simulations": 10, "evaluator": even, **arguments}
    with exactly(error, text):
        petteia.mcts(**given)


NUMBERS = ["exploration", "noise_alpha", "noise_fraction", "temperature"]


def searches(evaluator: Any = even, **options: Any) -> list[Callable[[], object]]:
    """Return the calls that take the options of a search."""
    start = petteia.TicTac()
    return [
        lambda: petteia.mcts(start, 5, evaluator=evaluator, **options),
        lambda: petteia.selfplay_arrays(start, 1, evaluator, simulations=5, **options),
        lambda: petteia.selfplay(start, 1, evaluator=evaluator, simulations=5, **options),
        lambda: bots.AlphaZero(evaluator, 5, **options),
    ]


@pytest.mark.parametrize("name", NUMBERS)
def test_options_that_are_no_numbers(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong: Any
    for wrong in (True, "x", [1.0], 1j, object(), *([] if name == "noise_alpha" else [None])):
        for call in searches(**{name: wrong}):
            with exactly(TypeError, f"^expected {name} as a number.*, not {type(wrong).__name__}$"):
                call()
    for wrong in (-0.5, np.nan, np.inf, 10**400, np.float32(-1)):
        for call in searches(**{name: wrong}):
            with exactly(ValueError, f"^invalid {name} .*: expected "):
                call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int64, np.uint8])
def test_options_may_be_numbers_of_numpy(kind: Any, tmp_path: Path) -> None:
    options: dict[str, Any] = {name: kind(1) for name in NUMBERS}
    plain: dict[str, Any] = dict.fromkeys(NUMBERS, 1.0)
    found = petteia.mcts("reversi", 20, evaluator=judge, **options)
    assert found == petteia.mcts("reversi", 20, evaluator=judge, **plain)
    for place, given in (("here", options), ("here", plain)):
        # The same folder: the games have the same description.
        petteia.selfplay("tictac", 2, evaluator=judge, simulations=4, out=tmp_path / place, **given)
    assert repr(bots.AlphaZero(even, **options)) == repr(bots.AlphaZero(even, **plain))
    if kind in (np.int64, np.uint8):
        counts: dict[str, Any] = {"simulations": kind(9), "seed": kind(2)}
        tree = petteia.mcts("tictac", evaluator=judge, batch=kind(4), **counts)
        assert (tree.simulations, tree.seed) == (9, 2)
        played = petteia.selfplay_arrays("tictac", kind(3), judge, games_at_once=kind(2), **counts)
        assert played.games[-1] == 2


def test_a_class_is_no_evaluator() -> None:
    class Net:
        pass

    for call in searches(Net):
        with exactly(
            TypeError, "^expected evaluator as a function of observations and masks, not the class Net$"
        ):
            call()


@pytest.mark.parametrize("state", ["raise", "warn", "ignore"])
def test_the_error_state_of_numpy_changes_nothing(state: Any) -> None:
    def tiny(_: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        return masks * 1e-300, np.full(len(masks), 1e-300)

    def huge(_: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        return masks * 1e300, np.zeros(len(masks))

    expected = petteia.mcts("tictac", 50, evaluator=even).visits
    # Warnings are errors in these tests.
    with np.errstate(all=state):
        assert petteia.mcts("tictac", 50, evaluator=tiny).visits == expected
        played = petteia.selfplay_arrays("tictac", 2, tiny, simulations=5)
        assert (played.masks.sum(axis=1) > 0).all()
        with exactly(ValueError, r"^invalid priors\[0, 0\] inf: expected a finite number"):
            petteia.mcts("tictac", 50, evaluator=huge)
        assert np.geterr() == dict.fromkeys(("divide", "over", "under", "invalid"), state)
        assert petteia.VectorEnv("tictac", 4).rollout(20).games > 0
        assert 0 <= petteia.match("random", "random", "tictac", 4).interval[0] <= 1

    # The evaluator has its own.
    def divide(_: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        return masks, np.zeros(len(masks)) / np.zeros(len(masks))

    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="invalid value encountered"):
        petteia.mcts("tictac", 50, evaluator=divide)


def test_exceptions_of_an_evaluator_travel() -> None:
    class Oops(Exception):
        pass

    calls: list[int] = []

    def fail(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        calls.append(len(masks))
        if len(calls) == 4:
            raise Oops
        return even(observations, masks)

    with pytest.raises(Oops):
        petteia.mcts(petteia.Quarto(), 1000, evaluator=fail, batch=4)
    assert len(calls) == 4
    calls.clear()
    with pytest.raises(Oops):
        petteia.selfplay_arrays("quarto", 10, fail, games_at_once=5, simulations=10)
    assert calls == [5, 5, 5, 5]


def test_signals_end_a_search() -> None:
    signalled(lambda: petteia.mcts(petteia.Reversi(), 2**60, evaluator=even))
    signalled(lambda: petteia.selfplay_arrays("reversi", 10**6, even, simulations=100))


def test_a_time_limit_and_progress() -> None:
    told: list[tuple[int, int]] = []
    begun = time.perf_counter()
    tree = petteia.mcts(
        petteia.Reversi(), 10**9, evaluator=even, time=0.4, progress=lambda *new: told.append(new)
    )
    assert 0.3 < time.perf_counter() - begun < 5
    assert tree.simulations == sum(tree.visits.values()) > 1000
    assert len(told) > 1
    assert told[-1] == (tree.simulations, tree.simulations)
    assert [done for done, _ in told] == sorted(done for done, _ in told)

    def slow(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        time.sleep(0.05)
        return even(observations, masks)

    # Even if the time is up at once, the position itself is judged.
    tree = petteia.mcts(petteia.Reversi(), 100, evaluator=slow, time=1e-9)
    assert tree.simulations == 0
    assert tree.priors == dict.fromkeys(petteia.Reversi().moves, 0.25)
    with pytest.raises(RuntimeError, match="enough"):
        petteia.mcts(petteia.Reversi(), 10**9, evaluator=even, progress=raise_enough)


def test_a_search_stops_amid_a_move() -> None:
    # Here it would take hours to look at all moves once.
    wide = petteia.Breakdown(1_000_000, 16, 2, 3)
    tree = petteia.mcts(wide, 100, evaluator=even, batch=1, time=0.2)
    assert (tree.simulations, tree.best_move) == (0, "|0")
    assert tree.priors is not None
    assert sum(tree.priors.values()) == pytest.approx(1, abs=1e-3)
    played = petteia.selfplay_arrays(wide, 3, even, simulations=100, games_at_once=1, time=0.2)
    assert len(played.values) == 0
    signalled(lambda: petteia.mcts(wide, 100, evaluator=even, batch=1))
    signalled(lambda: petteia.selfplay_arrays(wide, 3, even, simulations=100, games_at_once=1))


def raise_enough(*_: Any) -> None:
    raise RuntimeError("enough")


def test_noise_and_temperature_follow_the_seed() -> None:
    start = petteia.Reversi()

    def priors(**options: Any) -> list[float]:
        tree = petteia.mcts(start, 50, evaluator=even, **options)
        assert tree.priors is not None
        assert sum(tree.priors.values()) == pytest.approx(1)
        return list(tree.priors.values())

    assert priors(seed=3) == [0.25] * 4
    noisy = priors(seed=3, noise_alpha=0.5)
    assert noisy == priors(seed=3, noise_alpha=0.5) != priors(seed=4, noise_alpha=0.5)
    assert min(noisy) >= 0.25 * 0.75 - 1e-6
    assert priors(seed=3, noise_alpha=0.5, noise_fraction=0.0) == [0.25] * 4

    # A symmetric Dirichlet variate of n shares has mean 1/n and variance (n - 1) / (n² (n alpha + 1)).
    for alpha in (0.03, 0.3, 1.0, 10.0):
        drawn = np.array([priors(seed=seed, noise_alpha=alpha, noise_fraction=1.0) for seed in range(600)])
        assert drawn.mean(axis=0) == pytest.approx([0.25] * 4, abs=0.07)
        assert drawn.var(axis=0).mean() == pytest.approx(3 / 16 / (4 * alpha + 1), rel=0.2)

    def skewed(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        return masks * [*range(1, 10)], np.zeros(len(masks))

    visits = petteia.mcts(petteia.TicTac(), 90, evaluator=skewed, batch=1).visits
    chosen = [
        petteia.mcts(petteia.TicTac(), 90, evaluator=skewed, batch=1, temperature=2.0, seed=seed).best_move
        for seed in range(600)
    ]
    weights = {move: count**0.5 for move, count in visits.items()}
    for move, weight in weights.items():
        assert chosen.count(move) / 600 == pytest.approx(weight / sum(weights.values()), abs=0.06)
    # The visits do not depend on it, and without it the most visited move is best.
    warm = petteia.mcts(petteia.TicTac(), 90, evaluator=skewed, batch=1, temperature=2.0, seed=7)
    assert warm.visits == visits
    assert warm.value == warm.values[warm.best_move]
    cold = petteia.mcts(petteia.TicTac(), 90, evaluator=skewed, batch=1, seed=8)
    assert cold.visits[cold.best_move] == max(visits.values())


def test_arrays_that_are_kept_are_not_overwritten() -> None:
    kept: list[tuple[NDArray[Any], NDArray[Any], bytes, bytes]] = []

    def keep(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        if len(kept) % 3:
            kept.append((observations, masks, observations.tobytes(), masks.tobytes()))
        elif len(kept) % 2:
            # A view keeps its array.
            kept.append(
                (observations[:1, 1:], masks[-1:], observations[:1, 1:].tobytes(), masks[-1:].tobytes())
            )
        else:
            kept.append((masks, masks, masks.tobytes(), masks.tobytes()))
        return judge(observations, masks)

    petteia.mcts(petteia.Reversi(), 500, evaluator=keep, batch=8)
    petteia.selfplay_arrays("reversi", 4, keep, simulations=20, games_at_once=3)
    assert len(kept) > 100
    for observations, masks, seen, legal in kept:
        assert (observations.tobytes(), masks.tobytes()) == (seen, legal)


def test_arrays_may_be_written_to() -> None:
    def scribble(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        results = judge(observations, masks)
        observations[:] = 255
        masks[:] = True
        return results

    start = petteia.Reversi(6, 6)
    assert petteia.mcts(start, 200, evaluator=scribble) == petteia.mcts(start, 200, evaluator=judge)


def test_an_evaluator_may_search_too() -> None:
    def nested(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        values = [petteia.mcts(petteia.TicTac(), 5, evaluator=even).value for _ in masks]
        return masks, np.array(values)

    start = petteia.Quarto()
    assert petteia.mcts(start, 30, evaluator=nested) == petteia.mcts(start, 30, evaluator=even)


def test_an_evaluator_that_calls_itself_ends() -> None:
    def endless(observations: NDArray[np.uint8], masks: NDArray[np.bool_]) -> Results:
        petteia.mcts("tictac", 5, evaluator=endless)
        return even(observations, masks)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with pytest.raises(RecursionError, match="your own game or evaluator are nested too deeply"):
            petteia.mcts("tictac", 5, evaluator=endless)
    finally:
        sys.setrecursionlimit(limit)
    assert petteia.mcts("tictac", 5, evaluator=even).simulations == 5


# ---------------------------------------------------------------- self-play


@pytest.mark.parametrize("start", SMALL, ids=repr)
def test_played_games_are_games(start: AnyPosition) -> None:
    played = petteia.selfplay_arrays(start, 7, judge, seed=5, simulations=12, games_at_once=3, max_plies=40)
    assert sorted(set(played.games.tolist())) == list(range(7))
    assert (np.diff(played.games) >= 0).all()
    rows = iter(range(len(played.games)))
    for number in range(7):
        position: Any = start
        mine = [next(rows) for _ in range(int((played.games == number).sum()))]
        for row in mine:
            assert (played.observations[row] == position.observation()).all()
            assert played.masks[row].nonzero()[0].tolist() == position.actions
            assert played.turns[row] == position.turn
            assert played.policies[row][played.masks[row]].sum() == pytest.approx(1, abs=1e-5)
            assert (played.policies[row][~played.masks[row]] == 0).all()
            assert -1 <= played.values[row] <= 1
            position = position.play(int(played.actions[row]))
        stopped = position.outcome is None
        assert (played.truncated[mine] == stopped).all()
        assert not stopped or len(mine) == 40
        winner = None if stopped else position.outcome.winner
        for row in mine:
            assert played.outcomes[row] == (0 if winner is None else 1 if winner == played.turns[row] else -1)


def same(a: petteia.SelfplayArrays, b: petteia.SelfplayArrays) -> bool:
    return all(np.array_equal(*pair) for pair in zip(tuple[Any, ...](a), tuple[Any, ...](b), strict=True))


def test_games_follow_the_seed_alone() -> None:
    def play(**options: Any) -> petteia.SelfplayArrays:
        return petteia.selfplay_arrays(
            "reversi", 6, judge, **{"seed": 1, "simulations": 10, "width": 4, **options}
        )

    played = play()
    assert same(played, play(games_at_once=1))
    assert same(played, play(games_at_once=4))
    assert same(played, petteia.selfplay_arrays(petteia.Reversi(4, 8), 6, judge, 1, simulations=10))
    assert not same(played, play(seed=2))
    starts = [played.actions[played.games == number].tolist() for number in range(6)]
    assert len({*map(tuple, starts)}) == 6
    # Without chance all games are the same.
    alike = play(noise_alpha=None, temperature=0.0)
    first = alike.actions[alike.games == 0].tolist()
    assert all(alike.actions[alike.games == number].tolist() == first for number in range(6))
    # After the first moves there is none either.
    late = play(noise_alpha=None, temperature_plies=0)
    assert same(late, alike)


def test_policies_are_those_of_the_search() -> None:
    played = petteia.selfplay_arrays("breakdown", 3, judge, simulations=25, noise_alpha=None, max_plies=50)
    position = petteia.Breakdown()
    for row in (played.games == 0).nonzero()[0]:
        tree = petteia.mcts(position, 25, evaluator=judge, batch=1)
        policy = played.policies[row][position.actions]
        values = list(tree.proven.values())
        if values and (max(values) == 1 or len(values) == len(tree.visits)):
            best = [float(tree.proven.get(move) == max(values)) for move in position.moves]
            expected = np.array(best) / sum(best)
        else:
            counts = [0 if tree.proven.get(move) == -1 else tree.visits[move] for move in position.moves]
            expected = np.array(counts) / sum(counts)
        assert policy == pytest.approx(expected, abs=1e-6)
        assert played.values[row] == pytest.approx(petteia.mcts(position, 25, evaluator=judge, batch=1).value)
        position = position.play(int(played.actions[row]))


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"games": 0}, ValueError, "games"),
        ({"games_at_once": 0}, ValueError, "^invalid games_at_once 0: expected 1 to"),
        ({"simulations": 0}, ValueError, "^invalid simulations 0: expected 1 to"),
        ({"max_plies": 0}, ValueError, "max_plies"),
        ({"temperature": -1.0}, ValueError, "^invalid temperature -1: expected 0 to"),
        ({"noise_fraction": -0.5}, ValueError, "^invalid noise_fraction -0.5"),
        (
            {"evaluator": 5},
            TypeError,
            "^expected evaluator as a function of observations and masks, not int$",
        ),
        ({"game": Nim()}, TypeError, "selfplay_arrays takes positions of petteia's own games, not Nim"),
        ({"width": 9}, ValueError, "^invalid width 9"),
    ],
)
def test_wrong_selfplay_is_an_error(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    given = {"game": "reversi", "games": 2, "evaluator": even, **arguments}
    with exactly(error, text):
        petteia.selfplay_arrays(**given)


def test_progress_of_selfplay() -> None:
    told: list[tuple[int, int]] = []
    petteia.selfplay_arrays("tictac", 500, even, simulations=30, progress=lambda *new: told.append(new))
    assert told[-1] == (500, 500)
    assert told == sorted(told)


def read(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def test_files_have_the_policies(tmp_path: Path) -> None:
    options: dict[str, Any] = {"simulations": 12, "max_plies": 30, "width": 4, "height": 4}
    paths = petteia.selfplay("reversi", 10, seed=3, out=tmp_path, evaluator=judge, shard=4, **options)
    assert [path.name for path in paths] == [f"games-{first:012}.parquet" for first in (0, 4, 8)]
    played = petteia.selfplay_arrays("reversi", 10, judge, 3, **options)
    rows = [row for path in paths for row in read(path)]
    assert [row["game"] for row in rows] == list(range(10))
    for row in rows:
        mine = played.games == row["game"]
        actions = [petteia.Reversi(4, 4).action(move) for move in row["moves"]]
        assert actions == played.actions[mine].tolist()
        assert row["values"] == played.values[mine].tolist()
        assert row["policies"] == played.policies[mine].tolist()
        positions = petteia.Record(petteia.Reversi(4, 4), row["moves"]).positions
        assert row["positions"] == [position.cells for position in positions]
        assert row["turns"] == [-1 if position.turn is None else position.turn for position in positions]
        outcome = positions[-1].outcome
        assert outcome is not None
        assert row["outcome"] == {None: 0, 0: 1, 1: -1}[outcome.winner]
    texts = petteia.selfplay(
        "reversi", 10, seed=3, out=tmp_path / "text", evaluator=judge, positions="text", **options
    )
    assert [row["moves"] for row in read(texts[0])] == [row["moves"] for row in rows]


def test_files_say_how_they_were_made(tmp_path: Path) -> None:
    (path,) = petteia.selfplay("tictac", 3, seed=3, out=tmp_path / "a", evaluator=judge, simulations=9)
    found = json.loads(pyarrow.parquet.read_metadata(path).metadata[b"petteia"])
    assert found["petteia"] == petteia.__version__
    assert found["evaluator"] == "test_evaluators.judge"
    assert (found["game"], found["start"], found["seed"]) == ("tictac", petteia.TicTac().text, 3)
    assert (found["simulations"], found["noise_alpha"], found["temperature"]) == (9, 1.0, 1.0)
    (path,) = petteia.selfplay("tictac", 3, "mcts:20", out=tmp_path / "b")
    found = json.loads(pyarrow.parquet.read_metadata(path).metadata[b"petteia"])
    assert found["bot"] == "mcts:20"
    assert "policies" not in pyarrow.parquet.read_schema(path).names


def test_selfplay_resumes(tmp_path: Path) -> None:
    def play(place: str, evaluator: Any = judge, **options: Any) -> list[Path]:
        return petteia.selfplay(
            "tictac", 9, out=tmp_path / place, evaluator=evaluator, shard=3, simulations=8, **options
        )

    whole = play("whole")
    before = contents(tmp_path / "whole")
    os.unlink(whole[1])
    (tmp_path / "whole" / ".games-000000000003.parquet.part").write_bytes(b"PAR1")
    calls: list[int] = []

    def judge_and_count(*arrays: Any) -> Results:
        calls.append(len(arrays[0]))
        return judge(*arrays)

    judge_and_count.name = "test_evaluators.judge"  # type: ignore[attr-defined]
    assert play("whole", judge_and_count, games_at_once=2) == whole
    assert contents(tmp_path / "whole") == before
    # Only the missing games were played.
    assert max(calls) == 2
    calls.clear()
    play("whole", judge_and_count)
    assert calls == []
    with pytest.raises(ValueError, match=r"has other games: evaluator is 'test_evaluators.judge' there"):
        play("whole", even)
    with pytest.raises(ValueError, match=r"has other games: temperature_plies"):
        play("whole", temperature_plies=2)

    def die(*arrays: Any) -> Results:
        calls.append(len(arrays[0]))
        if len(calls) > 200:
            raise RuntimeError("the net is gone")
        return judge(*arrays)

    die.name = "test_evaluators.judge"  # type: ignore[attr-defined]
    calls.clear()
    with pytest.raises(RuntimeError, match="the net is gone"):
        play("again", die, games_at_once=1)
    begun = contents(tmp_path / "again")
    assert 1 < len(begun) < len(before)
    play("again")
    assert contents(tmp_path / "again") == before
    assert all(before[name] == content for name, content in begun.items())


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"bot": "mcts:10"}, ValueError, "^invalid bot 'mcts:10': expected none with an evaluator$"),
        ({"threads": 2}, ValueError, "^invalid threads 2: expected 1 with an evaluator$"),
        ({"executor": 5}, ValueError, "^invalid executor: expected none with an evaluator"),
        ({"games_at_once": 0}, ValueError, "^invalid games_at_once 0"),
        ({"noise_alpha": -1.0}, ValueError, "^invalid noise_alpha -1"),
        ({"evaluator": 5}, TypeError, "^expected evaluator as a function"),
        ({"evaluator": None, "simulations": 9}, ValueError, "^invalid simulations 9: expected 100 without"),
    ],
)
def test_wrong_files_are_an_error(
    arguments: dict[str, Any], error: type[Exception], text: str, tmp_path: Path
) -> None:
    given = {"game": "tictac", "games": 2, "evaluator": even, "out": tmp_path / "games", **arguments}
    with exactly(error, text):
        petteia.selfplay(**given)
    assert not (tmp_path / "games").exists()


# ---------------------------------------------------------------- the player


def test_the_player() -> None:
    fresh = bots.AlphaZero(judge)
    assert fresh.last is fresh.seeded(3).last is None
    bot = bots.AlphaZero(judge, simulations=30)
    assert isinstance(bot, bots.Bot)
    assert repr(bot) == "AlphaZero(test_evaluators.judge, 30)"
    for start in SMALL:
        for position in middles(start):
            assert bot.choose(position) == petteia.mcts(position, 30, evaluator=judge, batch=1).best_move
            assert bot.last is not None
            assert bot.last.estimate is not None
            assert bot.value == pytest.approx(bot.last.estimate.expected)
    won = petteia.TicTac.from_text("XX_/OO_/___ X")
    assert bot.choose(won) == "A3"
    assert bot.last is not None
    assert bot.last.exact
    assert bot.last.value == 1
    with pytest.raises(ValueError, match="over"):
        bot.choose(won.play("A3"))
    with pytest.raises(TypeError, match="takes positions of petteia's own games, not Nim"):
        bot.choose(Nim())
    with pytest.raises(TypeError, match="expected evaluator as a function"):
        bots.AlphaZero(5)  # type: ignore[arg-type]
    result = petteia.match(bot, "random", "tictac", games=20, seed=1)
    assert result.score > 0.6
    assert petteia.match(bot, "random", "tictac", games=20, seed=1) == result


def test_the_player_is_shown_with_what_is_not_as_usual() -> None:
    assert repr(bots.AlphaZero(even, 50, 3)) == "AlphaZero(test_evaluators.even, 50)"
    bot = bots.AlphaZero(even, 50, batch=4, exploration=2.0, noise_alpha=0.3, temperature_moves=0)
    shown = (
        "AlphaZero(test_evaluators.even, 50, exploration=2.0, noise_alpha=0.3, batch=4, temperature_moves=0)"
    )
    assert repr(bot) == repr(bot.seeded(7)) == shown
    result = petteia.match(bots.AlphaZero(even, 5), bots.AlphaZero(even, 5, exploration=0.5), "tictac", 2)
    assert result.bots[0] != result.bots[1]


def test_the_player_draws_its_first_moves() -> None:
    bot = bots.AlphaZero(even, simulations=20, temperature=1.0, temperature_moves=2)

    def play(seed: int) -> list[str]:
        player, position, moves = bot.seeded(seed), petteia.Reversi(), []
        for _ in range(4):
            moves.append(player.choose(position))
            position = position.play(moves[-1])
        return moves

    games = [play(seed) for seed in range(30)]
    assert games == [play(seed) for seed in range(30)]
    assert len({tuple(moves[:2]) for moves in games}) > 3


def test_games_of_different_players_do_not_mix(tmp_path: Path) -> None:
    def bot(**options: Any) -> bots.Bot:
        return bots.AlphaZero(even, 4, **options)

    petteia.selfplay("tictac", 2, bot(), out=tmp_path)
    petteia.selfplay("tictac", 2, bot(), out=tmp_path)
    for other in ({"exploration": 9.0}, {"temperature": 2.0}, {"noise_alpha": 1.0}, {"batch": 2}):
        with pytest.raises(ValueError, match="other games"):
            petteia.selfplay("tictac", 2, bot(**other), out=tmp_path)


def test_a_partial_function_has_an_identity(tmp_path: Path) -> None:
    for _ in range(2):
        one = functools.partial(weighted, 1.0)
        petteia.selfplay("tictac", 2, evaluator=one, simulations=4, out=tmp_path)
    other = functools.partial(weighted, 2.0)
    with pytest.raises(ValueError, match="other games"):
        petteia.selfplay("tictac", 2, evaluator=other, simulations=4, out=tmp_path)


def weighted(weight: float, observations: Any, masks: Any) -> tuple[Any, Any]:
    return weight * masks, np.zeros(len(masks))
