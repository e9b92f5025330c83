"""Time batches of random games in Pgx, as JSON lines: the best over sizes, stepped from Python or inside jit.

Finished games restart automatically, and choosing the random action is part of a step, as for petteia.
"""

import json
import time
from importlib.metadata import version

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

BATCHES = (256, 512, 1024, 2048, 8192)
REPEATS = 3


def stepper(name: str):
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state, key):
        choice, restart = jax.random.split(key)
        scores = jnp.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(choice, scores, axis=-1)
        return step(state, action, jax.random.split(restart, action.shape[0])), None

    def many(state, keys):
        return jax.lax.scan(one, state, keys)[0]

    return jax.jit(jax.vmap(env.init)), jax.jit(many)


def measure(name: str, batch: int, seconds: float = 1.0) -> dict[str, float]:
    start, many = stepper(name)
    best = {"driven from Python": 0.0, "inside jit": 0.0}
    for how, steps in (("driven from Python", 1), ("inside jit", 64)):
        state = start(jax.random.split(jax.random.PRNGKey(0), batch))
        state = jax.block_until_ready(many(state, jax.random.split(jax.random.PRNGKey(1), steps)))
        keys = [jax.random.split(jax.random.PRNGKey(seed), steps) for seed in range(64)]
        jax.block_until_ready(keys)
        ends, run = time.perf_counter() + seconds, 0
        # Each call is timed separately and the best counts, as for petteia.
        while run < REPEATS or time.perf_counter() < ends:
            begun = time.perf_counter()
            state = jax.block_until_ready(many(state, keys[run % 64]))
            best[how] = max(best[how], steps * batch / (time.perf_counter() - begun))
            run += 1
    return best


for name in ("othello", "tic_tac_toe"):
    figures = [(rate, how, batch) for batch in BATCHES for how, rate in measure(name, batch).items()]
    rate, how, batch = max(figures)
    peer = f"pgx {version('pgx')}, {how}, batch {batch}"
    print(json.dumps({"peer": peer, "game": name, "per_s": rate, "threads": 2}), flush=True)
