"""Batches of random games in Pgx, as JSON lines: the best over sizes, stepped from Python or inside jit.

Games start anew by themselves, and choosing the random action is part of a step, as in petteia's figures.
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
        for repeat in range(REPEATS):
            keys = jax.random.split(jax.random.PRNGKey(2 + repeat), 4096)
            done, begun = 0, time.perf_counter()
            while time.perf_counter() - begun < seconds / REPEATS:
                at = done % (4096 - steps)
                state = jax.block_until_ready(many(state, keys[at : at + steps]))
                done += steps
            best[how] = max(best[how], done * batch / (time.perf_counter() - begun))
    return best


for name in ("othello", "tic_tac_toe"):
    figures = [(rate, how, batch) for batch in BATCHES for how, rate in measure(name, batch).items()]
    rate, how, batch = max(figures)
    peer = f"pgx {version('pgx')}, {how}, batch {batch}"
    print(json.dumps({"peer": peer, "game": name, "per_s": rate, "threads": 2}), flush=True)
