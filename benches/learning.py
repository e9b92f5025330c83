"""Time search and self-play with an evaluator, as JSON lines; each figure is the best of a few runs.

Needs petteia and open_spiel, which `report.py learning` installs. OpenSpiel's Python AlphaZero plays its
games with its Python tree search. Here that is set up as alpha_zero.py does it, but with petteia's net in
numpy, which spares it the calls of JAX for one position each.
"""

import json
import os
import time
from importlib.metadata import version

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import petteia
import pyspiel
from open_spiel.python.algorithms import mcts

REPEATS = 5
AT_ONCE = 256


def emit(**row: object) -> None:
    print(json.dumps(row), flush=True)


class Made:
    """An evaluator that hands out arrays made beforehand."""

    def __init__(self, most: int, actions: int) -> None:
        rng = np.random.default_rng(1)
        priors = rng.random((most, actions), dtype=np.float32)
        values = rng.uniform(-0.3, 0.3, most).astype(np.float32)
        self.answers = [(priors[:count], values[:count]) for count in range(most + 1)]
        self.leaves = 0

    def __call__(self, observations, masks):
        self.leaves += len(masks)
        return self.answers[len(masks)]


class Net:
    """A net with one hidden layer, and the time spent in it."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        rng = np.random.default_rng(1)
        self.first = (rng.standard_normal((inputs, hidden)) * 0.1).astype(np.float32)
        self.last = (rng.standard_normal((hidden, actions + 1)) * 0.1).astype(np.float32)
        self.seconds = 0.0
        self.leaves = 0

    def judge(self, observations, masks):
        inputs = observations.reshape(len(masks), -1).astype(np.float32)
        out = np.maximum(inputs @ self.first, 0) @ self.last
        scores = out[:, :-1]
        return np.exp(scores - scores.max(1, keepdims=True)), np.tanh(out[:, -1])

    def __call__(self, observations, masks):
        begun = time.perf_counter()
        answer = self.judge(observations, masks)
        self.seconds += time.perf_counter() - begun
        self.leaves += len(masks)
        return answer


def leaves() -> None:
    """Search with answers made beforehand: what is timed is petteia alone."""
    for batch in (64, 256):
        rates = []
        for _ in range(REPEATS):
            made = Made(batch, 64)
            begun = time.process_time()
            tree = petteia.mcts(petteia.Reversi(), 100_000, evaluator=made, batch=batch)
            rates.append(made.leaves / (time.process_time() - begun))
            assert sum(tree.visits.values()) == tree.simulations == 100_000
        what = f"Reversi 8x8, mcts of 100,000 simulations, batch={batch}, arrays made beforehand"
        emit(what=what, unit="leaves/s", figure=max(rates), compared="the target", other=1e6, bar=1)


def share() -> None:
    """Play with a net: most of the time should be the net's."""
    best = (0.0, 0.0)
    for _ in range(REPEATS):
        net = Net(128, 256, 64)
        begun = time.perf_counter()
        played = petteia.selfplay_arrays("reversi", AT_ONCE, net, simulations=50, games_at_once=AT_ONCE)
        seconds = time.perf_counter() - begun
        assert len(set(played.games.tolist())) == AT_ONCE
        best = max(best, (net.seconds / seconds, net.leaves / seconds))
    what = f"Reversi 8x8 self-play, {AT_ONCE} games at once, a numpy net of 128-256-65"
    emit(
        what=what,
        unit="leaves/s",
        figure=best[1],
        compared="the net's share of the time",
        other=best[0],
        bar=0.8,
    )


SIMULATIONS = 50


class Evaluator(mcts.Evaluator):
    """The net for OpenSpiel: one position at a time, as its AlphaZero asks, and with a cache as there."""

    def __init__(self, net: Net) -> None:
        self.net, self.cache = net, {}

    def ask(self, state):
        key = state.history_str()
        if key not in self.cache:
            planes = np.array(state.observation_tensor(), np.float32)[None]
            mask = np.array(state.legal_actions_mask(), bool)[None]
            priors, values = self.net(planes, mask)
            self.cache[key] = (priors[0] * mask[0], float(values[0]))
        return self.cache[key]

    def evaluate(self, state):
        value = self.ask(state)[1]
        return np.array([value, -value] if state.current_player() == 0 else [-value, value])

    def prior(self, state):
        priors, _ = self.ask(state)
        return [(action, priors[action] / priors.sum()) for action in state.legal_actions()]


def games() -> None:
    """Play TicTac with a net, here and in OpenSpiel."""
    rates, theirs = [], []
    game, rng = pyspiel.load_game("tic_tac_toe"), np.random.RandomState(1)
    for _ in range(REPEATS):
        net = Net(18, 64, 9)
        begun = time.process_time()
        petteia.selfplay_arrays("tictac", 2_000, net, simulations=SIMULATIONS, games_at_once=AT_ONCE)
        rates.append(2_000 / (time.process_time() - begun))
        begun = time.process_time()
        evaluator = Evaluator(Net(27, 64, 9))
        bot = mcts.MCTSBot(
            game,
            1.5,
            SIMULATIONS,
            evaluator,
            solve=False,
            random_state=rng,
            dirichlet_noise=(0.25, 1.0),
            child_selection_fn=mcts.SearchNode.puct_value,
            dont_return_chance_node=True,
        )
        for _ in range(5):
            state = game.new_initial_state()
            while not state.is_terminal():
                children = bot.mcts_search(state).children
                visits = np.array([child.explore_count for child in children], float)
                chosen = rng.choice(len(children), p=visits / visits.sum())
                state.apply_action(children[chosen].action)
        theirs.append(5 / (time.process_time() - begun))
    peer = f"open_spiel {version('open_spiel')}, the tree search of its Python AlphaZero"
    what = f"TicTac self-play, {SIMULATIONS} simulations for a move, a numpy net of 18-64-10"
    emit(what=what, unit="games/s", figure=max(rates), compared=peer, other=max(theirs), bar=None)


if __name__ == "__main__":
    leaves()
    share()
    games()
