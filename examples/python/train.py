"""Trains an agent to play TicTac perfectly by self-play, with numpy alone; the plot needs matplotlib.

    python train.py [--games N] [--seed N] [--out learning.png]

The agent has a value for each position it has met, from the point of view of the player to move. All lanes
of a petteia.VectorEnv play at once. A move is random three times out of four, and otherwise leads to the
position that is worst for the opponent; the position before it gets the value of its best move. The agent is
tested on every game that can be played against it, perfect play included.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np
import petteia
from numpy.typing import NDArray

LANES = 256

# A position is a number in base three, one digit per cell.
POWERS = 3 ** np.arange(9)


def swapped(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the numbers of the same positions from the other player's point of view."""
    digits = numbers[..., None] // POWERS % 3
    swapped: NDArray[Any] = (3 - digits) % 3 @ POWERS
    return swapped


class Agent:
    """A value from -1 to 1 for every position, from the point of view of the player to move."""

    def __init__(self) -> None:
        self.values = np.zeros(3**9)

    def look(
        self, observations: NDArray[Any], mask: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the positions' numbers, those after each of the nine moves, and the moves' values."""
        own, other = observations.reshape(-1, 2, 9).transpose(1, 0, 2) @ POWERS
        numbers = own + 2 * other
        after = swapped(numbers[:, None] + POWERS)
        return numbers, after, np.where(mask, -self.values[after], -np.inf)

    def move(self, position: petteia.TicTac) -> int:
        """Return the best action in a position."""
        mask = np.isin(np.arange(9), position.actions)
        return int(self.look(position.observation(), mask)[2].argmax())


def losses(agent: Agent) -> tuple[int, int]:
    """Return how many of all possible games against the agent it loses, and how many there are."""

    def play(position: petteia.TicTac, player: int) -> tuple[int, int]:
        if position.outcome is not None:
            return int(position.outcome.winner == 1 - player), 1
        actions = [agent.move(position)] if position.turn == player else position.actions
        results = [play(position.play(action), player) for action in actions]
        return sum(lost for lost, _ in results), sum(games for _, games in results)

    first, second = (play(petteia.TicTac(), player) for player in (0, 1))
    return first[0] + second[0], first[1] + second[1]


def train(games: int, seed: int) -> tuple[Agent, list[tuple[int, int, int]]]:
    """Return a trained agent and its learning curve: games played, games lost, out of how many."""
    agent, rng = Agent(), np.random.default_rng(seed)
    env = petteia.VectorEnv("tictac", LANES, seed=seed)
    curve, played, lanes = [(0, *losses(agent))], 0, np.arange(LANES)
    while played < games:
        numbers, after, worth = agent.look(env.observations, env.action_mask)
        explore = rng.random(LANES) < 0.75
        actions = np.where(explore, env.random_actions(), worth.argmax(axis=1))
        movers, moved = env.turns.copy(), ~env.terminated
        agent.values[numbers[moved]] = worth[moved].max(axis=1)
        env.step(actions)
        # A final position has the opposite value for the player who would be next.
        ended = env.terminated & moved
        agent.values[after[lanes, actions][ended]] = -env.rewards[lanes, movers][ended]
        played += int(ended.sum())
        if played >= games * len(curve) / 20:
            curve.append((played, *losses(agent)))
            bar = "#" * round(30 * min(played / games, 1))
            shown = f"\r[{bar:30}] {played} games played, {curve[-1][1]} of {curve[-1][2]} lost "
            print(shown, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return agent, curve


def draw(curve: list[tuple[int, int, int]], path: str) -> None:
    """Plot the learning curve to a file."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot([played for played, _, _ in curve], [100 * lost / games for _, lost, games in curve])
    axes.set(xlabel="games of self-play", ylabel="games lost, in percent", title="TicTac: losses to anyone")
    axes.set_ylim(bottom=0)
    figure.savefig(path)


def main() -> int:
    parser = argparse.ArgumentParser(description="Trains an agent to perfect play in TicTac by self-play.")
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learning.png")
    options = parser.parse_args()
    begun = time.perf_counter()
    _, curve = train(options.games, options.seed)
    (_, before, games), (played, after, others) = curve[0], curve[-1]
    print(f"before: loses {before} of the {games} games that can be played against it")
    print(f"after {played} games: loses {after} of {others}, in {time.perf_counter() - begun:.1f} s")
    try:
        draw(curve, options.out)
        print(f"the learning curve is in {options.out}")
    except ModuleNotFoundError as missing:
        print(f"no picture of the learning curve: {missing.name} is not installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
