"""Learns a game from nothing, by self-play with tree search and a small network, as AlphaZero did.

    python alphazero.py [breakdown|reversi] [--minutes N] [--seed N] [--out learning.svg]

A round plays games of the network against itself, 256 at once; the network then learns to foresee what the
search made of its priors, and how the games ended. Now and then it plays a match against tree search with
random games, with as many simulations for a move as its own; the results make the learning curve. The
network is PyTorch's if that is installed, else (or with --numpy) numpy's.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol

# The network is so small that more threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import petteia
from numpy.typing import NDArray

Array = NDArray[Any]

# A full board of Breakdown can be passed on for ever.
MAX_PLIES = 60


class Game(NamedTuple):
    """A game, and how it is learned."""

    start: Any
    simulations: int
    """The simulations for a move in matches, by both players."""
    exploration: float
    temperature: float
    temperature_plies: int


GAMES = {
    # Nearly every game is a draw unless somebody errs. So the search has to mind small differences of values,
    # and self-play has to be careless, or there would be nothing to learn from.
    "breakdown": Game(petteia.Breakdown(7, 6, 2, 3), 16, 0.7, 3.0, MAX_PLIES),
    "reversi": Game(petteia.Reversi(6, 6), 64, 1.5, 1.0, 12),
}
HIDDEN = 128
BATCH = 512
RATE = 1e-3
DECAY = 1e-4


class Network(Protocol):
    """What learns: an evaluator of petteia that can be trained."""

    def __call__(self, observations: Array, masks: Array, /) -> tuple[Array, Array]: ...

    def learn(self, inputs: Array, masks: Array, policies: Array, values: Array) -> float: ...


class NumpyNetwork:
    """Two hidden layers, a prior for each action and a value; trained by Adam."""

    name = "numpy"

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        sizes = [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, actions + 1)]
        weights = [rng.normal(0, (2 / rows) ** 0.5, (rows, columns)) for rows, columns in sizes]
        # At first all moves are about as good.
        weights[-1] *= 0.1
        biases = [np.zeros(columns) for _, columns in sizes]
        self.parameters = [array.astype(np.float32) for array in weights + biases]
        self.means = [np.zeros_like(array) for array in self.parameters]
        self.squares = [np.zeros_like(array) for array in self.parameters]
        self.steps = 0

    def layers(self, inputs: Array) -> tuple[Array, Array, Array]:
        first, second, last, bias1, bias2, bias3 = self.parameters
        one = np.maximum(inputs @ first + bias1, 0)
        two = np.maximum(one @ second + bias2, 0)
        return one, two, two @ last + bias3

    def __call__(self, observations: Array, masks: Array, /) -> tuple[Array, Array]:
        _, _, out = self.layers(observations.reshape(len(observations), -1).astype(np.float32))
        return softmax(out[:, :-1], masks), np.tanh(out[:, -1])

    def learn(self, inputs: Array, masks: Array, policies: Array, values: Array) -> float:
        """Make a step towards the targets, and return the loss before it."""
        one, two, out = self.layers(inputs)
        priors, guess = softmax(out[:, :-1], masks), np.tanh(out[:, -1])
        loss = -(policies * np.log(priors + 1e-9)).sum(1).mean() + ((guess - values) ** 2).mean()
        down = np.empty_like(out)
        down[:, :-1] = priors - policies
        down[:, -1] = 2 * (guess - values) * (1 - guess**2)
        down /= len(inputs)
        slopes: list[Any] = [None] * 6
        for number, layer in ((2, two), (1, one), (0, inputs)):
            slopes[number], slopes[number + 3] = layer.T @ down, down.sum(0)
            down = down @ self.parameters[number].T * (layer > 0)
        self.steps += 1
        rate = RATE * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for own, slope, mean, square in zip(self.parameters, slopes, self.means, self.squares, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            own -= rate * mean / (np.sqrt(square) + 1e-8) + RATE * DECAY * own
        return float(loss)


def softmax(scores: Array, masks: Array) -> Array:
    """Return probabilities of the legal actions."""
    scores = np.where(masks, scores, -np.inf)
    scores = np.exp(scores - scores.max(1, keepdims=True))
    shares: Array = scores / scores.sum(1, keepdims=True)
    return shares


class TorchNetwork:
    """The same with PyTorch."""

    name = "torch"

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        import torch  # pyright: ignore[reportMissingImports]

        torch.manual_seed(seed)
        torch.set_num_threads(1)
        self.torch = torch
        layers = torch.nn
        self.model = layers.Sequential(
            layers.Linear(inputs, HIDDEN),
            layers.ReLU(),
            layers.Linear(HIDDEN, HIDDEN),
            layers.ReLU(),
            layers.Linear(HIDDEN, actions + 1),
        )
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=DECAY)

    def __call__(self, observations: Array, masks: Array, /) -> tuple[Array, Array]:
        with self.torch.no_grad():
            inputs = self.torch.from_numpy(observations).flatten(1).float()
            out = self.model(inputs)
            scores = out[:, :-1].masked_fill(~self.torch.from_numpy(masks), float("-inf"))
            return scores.softmax(1).numpy(), out[:, -1].tanh().numpy()

    def learn(self, inputs: Array, masks: Array, policies: Array, values: Array) -> float:
        """Make a step towards the targets, and return the loss before it."""
        given, legal, wanted, ended = map(self.torch.from_numpy, (inputs, masks, policies, values))
        out = self.model(given)
        shares = out[:, :-1].masked_fill(~legal, -1e9).log_softmax(1)
        loss = -(wanted * shares).sum(1).mean() + ((out[:, -1].tanh() - ended) ** 2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return float(loss)


def network(start: Any, seed: int, numpy_only: bool) -> Network:
    """Return a network that knows nothing."""
    inputs, actions = start.observation().size, start.num_actions
    if not numpy_only:
        try:
            return TorchNetwork(inputs, actions, seed)
        except ModuleNotFoundError:
            pass
    return NumpyNetwork(inputs, actions, seed)


def images(start: Any) -> list[tuple[Array, Array]]:
    """Return the symmetries of a game: where the cells of an observation come from, and where the actions."""
    planes, rows, columns = start.observation().shape
    cells = np.arange(planes * rows * columns).reshape(planes, rows, columns)
    found = []
    for symmetry in range(start.symmetries):
        moved = [start.transform_action(action, symmetry) for action in range(start.num_actions)]
        actions = np.argsort(moved)
        if isinstance(start, petteia.Reversi):
            # Its actions are its squares.
            seen = cells.reshape(planes, -1)[:, actions]
        else:
            seen = cells[:, :, ::-1] if symmetry else cells
        found.append((seen.ravel(), actions))
    return found


class Memory:
    """The positions of the last games."""

    SIZE = 120_000

    def __init__(self, start: Any) -> None:
        self.images = images(start)
        self.kept: list[Array] = []

    def add(self, played: petteia.SelfplayArrays) -> None:
        """Add games; half of what a position is worth is how its game ended, half what the search found."""
        worth = 0.5 * played.outcomes + 0.5 * played.values
        new = [played.observations.reshape(len(worth), -1), played.masks, played.policies, worth]
        self.kept = [
            np.concatenate([old, added])[-self.SIZE :]
            for old, added in zip(self.kept or [array[:0] for array in new], new, strict=True)
        ]

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
        """Return some positions, seen in one of the symmetric ways."""
        rows = rng.integers(len(self.kept[0]), size=BATCH)
        observations, masks, policies, worth = (array[rows] for array in self.kept)
        cells, actions = self.images[rng.integers(len(self.images))]
        return (
            observations[:, cells].astype(np.float32),
            masks[:, actions],
            policies[:, actions],
            worth.astype(np.float32),
        )


Point = tuple[float, int, float, float, float]
"""The minutes of learning, the games of self-play, the score in a match and its confidence interval."""


def train(options: argparse.Namespace, report: Any) -> list[Point]:
    """Learn for some minutes of processor time, and return the learning curve."""
    game = GAMES[options.game]
    start = game.start
    net = network(start, options.seed, options.numpy)
    memory, rng = Memory(start), np.random.default_rng(options.seed)

    def test() -> None:
        """Play a match, which does not count as time of learning."""
        player = petteia.bots.AlphaZero(net, options.against, exploration=game.exploration)
        opponent = f"mcts:{options.against}"
        result = petteia.match(player, opponent, start, options.match, seed=options.seed, max_plies=MAX_PLIES)
        curve.append((spent / 60, games, result.score, *interval(result)))
        report(curve[-1], result, options)

    spent, games, number = 0.0, 0, 0
    curve: list[Point] = []
    test()
    while number < options.rounds and spent < 60 * options.minutes:
        begun = time.process_time()
        played = petteia.selfplay_arrays(
            start,
            options.games,
            net,
            seed=options.seed + number,
            simulations=options.simulations,
            exploration=game.exploration,
            temperature=game.temperature,
            temperature_plies=game.temperature_plies,
            max_plies=MAX_PLIES,
        )
        memory.add(played)
        for _ in range(max(1, 4 * len(played.values) // BATCH)):
            net.learn(*memory.draw(rng))
        number, games = number + 1, games + options.games
        spent += time.process_time() - begun
        last = number == options.rounds or spent >= 60 * options.minutes
        if last or spent / 60 >= options.minutes * len(curve) / options.points:
            test()
    return curve


def interval(result: petteia.bots.MatchResult) -> tuple[float, float]:
    """Return the 95 % confidence interval of a score; that of the result is too wide where most are draws."""
    counts, points = np.array(result.counts), np.array([1.0, 0.5, 0.0])
    variance = (counts * (points - result.score) ** 2).sum() / result.games
    reach = 1.96 * (variance / result.games) ** 0.5
    return max(0.0, result.score - reach), min(1.0, result.score + reach)


def draw(curve: list[Point], title: str) -> str:
    """Return the learning curve as a picture: the score with its confidence interval over the time."""
    left, top, width, height = 56, 40, 560, 260
    longest = max(curve[-1][0], 1e-9)

    def x(minutes: float) -> float:
        return left + width * minutes / longest

    def y(score: float) -> float:
        return top + height * (1 - score)

    def path(points: list[tuple[float, float]]) -> str:
        return " ".join(f"{x(minutes):.1f},{y(score):.1f}" for minutes, score in points)

    low = [(minutes, least) for minutes, _, _, least, _ in curve]
    high = [(minutes, most) for minutes, _, _, _, most in curve]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 24} {top + height + 56}"'
        ' font-family="sans-serif" font-size="13" role="img">',
        f"<title>{title}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{left}" y="22" font-size="15">{title}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        lines.append(f'<path d="M{left} {at:.1f}h{width}" stroke="{"#888" if percent == 50 else "#ddd"}"/>')
        lines.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>')
    for part in range(5):
        minutes = longest * part / 4
        lines.append(
            f'<text x="{x(minutes):.1f}" y="{top + height + 20}" text-anchor="middle">{minutes:.2g}</text>'
        )
    lines += [
        f'<text x="{left + width / 2}" y="{top + height + 44}" text-anchor="middle">'
        f"minutes of learning on one core ({curve[-1][1]:,} games of self-play in all)</text>",
        f'<polygon points="{path(low + high[::-1])}" fill="#1b6ca8" opacity="0.18"/>',
        f'<polyline points="{path([(point[0], point[2]) for point in curve])}" fill="none"'
        ' stroke="#1b6ca8" stroke-width="2"/>',
        *(f'<circle cx="{x(point[0]):.1f}" cy="{y(point[2]):.1f}" r="3" fill="#1b6ca8"/>' for point in curve),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def report(point: Point, result: petteia.bots.MatchResult, options: argparse.Namespace) -> None:
    minutes, games, score, low, high = point
    won, drawn, lost = result.counts
    print(
        f"after {minutes:.1f} minutes, {games:,} games: {score:.1%} of the points "
        f"({low:.1%} to {high:.1%}) against mcts:{options.against}, {won} won, {drawn} drawn, {lost} lost",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Learns a game from nothing, as AlphaZero did.")
    parser.add_argument("game", nargs="?", choices=list(GAMES), default="breakdown")
    parser.add_argument("--minutes", type=float, default=10, help="processor time, without the matches")
    parser.add_argument("--rounds", type=int, default=10**6, help="how many rounds to learn at most")
    parser.add_argument("--games", type=int, default=256, help="games of a round")
    parser.add_argument("--simulations", type=int, default=64, help="for a move in self-play")
    parser.add_argument("--against", type=int, help="simulations for a move in matches, by both players")
    parser.add_argument("--match", type=int, default=200, help="games of a match")
    parser.add_argument("--points", type=int, default=10, help="about how many matches there are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="learning.svg")
    parser.add_argument("--numpy", action="store_true", help="do not use PyTorch")
    options = parser.parse_args()
    options.against = options.against or GAMES[options.game].simulations
    curve = train(options, report)
    record = petteia.Record(GAMES[options.game].start).text.rstrip(":")
    title = f"{record}: points against mcts:{options.against}"
    Path(options.out).write_text(draw(curve, title))
    print(f"the learning curve is in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
