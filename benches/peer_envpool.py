"""Time batches of random games in EnvPool, as JSON lines: the best over sizes and threads, steps only."""

import json
import time
from importlib.metadata import version

import envpool
import numpy as np


def legal(info: dict) -> np.ndarray:
    """Return the mask of legal actions, whatever its key."""
    return next(value for key, value in info.items() if "mask" in key and getattr(value, "ndim", 0) == 2)


def measure(task: str, lanes: int, threads: int, seconds: float = 1.5) -> float:
    env = envpool.make(task, env_type="gymnasium", num_envs=lanes, num_threads=threads, seed=1)
    _, info = env.reset()
    rng, best = np.random.default_rng(0), 0.0
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        scores = rng.random(legal(info).shape, dtype=np.float32) * legal(info)
        actions = scores.argmax(axis=1).astype(np.int32)
        begun = time.perf_counter()
        *_, info = env.step(actions)
        best = max(best, lanes / (time.perf_counter() - begun))
    return best


for task, name in (("Othello-v1", "othello"), ("TicTacToe-v1", "tic_tac_toe")):
    figures = [
        (measure(task, lanes, threads), lanes, threads) for lanes in (256, 1024, 8192) for threads in (1, 2)
    ]
    rate, lanes, threads = max(figures)
    peer = f"envpool {version('envpool')}, {lanes} environments"
    print(json.dumps({"peer": peer, "game": name, "per_s": rate, "threads": threads}), flush=True)
