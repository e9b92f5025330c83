"""Time random games in OpenSpiel, as JSON lines: inside its C++ core, and driven from Python."""

import json
import random
import time
from importlib.metadata import version

import pyspiel

REPEATS = 5


def best(run) -> float:
    """Return the most games per second of processor time over a few runs."""
    rates = []
    for _ in range(REPEATS):
        start = time.process_time()
        games = run()
        rates.append(games / (time.process_time() - start))
    return max(rates)


def inside(game, rollouts: int) -> float:
    """Time rollouts that never leave C++: one simulation of the tree search, which evaluates the root."""
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 7, False)
    start = game.new_initial_state()

    def run() -> int:
        bot.mcts_search(start)
        return rollouts

    return best(run)


def driven(game, games: int) -> float:
    """Time games whose moves are listed, chosen and played from Python."""
    choose = random.Random(1).choice

    def run() -> int:
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
        return games

    return best(run)


peer = "open_spiel " + version("open_spiel")
for name, rollouts in (("othello", 1_000), ("tic_tac_toe", 40_000)):
    game = pyspiel.load_game(name)
    for what, rate in (
        ("random games inside C++", inside(game, rollouts)),
        ("random games driven from Python", driven(game, rollouts)),
    ):
        print(json.dumps({"peer": peer, "game": name, "what": what, "per_s": rate}), flush=True)
