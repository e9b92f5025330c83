"""Time batches of games stepped from Python, as JSON lines: moves per second, observations and masks too.

Needs petteia, and the path of the compiled perft_baseline to compare machines. `report.py vector` provides
both, and runs peer_pgx.py and peer_envpool.py too.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import petteia

LANES = 8192
# A run is as long as a game of Reversi, so it covers all its stages; the best run was disturbed least.
STEPS = 64
REPEATS = 400
GAMES = {
    "Reversi 8x8": ("reversi", {}),
    "TicTac": ("tictac", {}),
    "Quarto": ("quarto", {}),
    "Breakdown 7x6, k 2, q 3": ("breakdown", {"width": 7, "height": 6, "stick": 2, "square": 3}),
}
OTHELLO = "________/________/________/___LD___/___DL___/________/________/________ D"
PARALLEL = "________/________/________/___LL___/___DD___/________/________/________ D"
ALIKE = {"seed": 1, "threads": 1}
BREAKDOWN = GAMES["Breakdown 7x6, k 2, q 3"][1]
EMPTY = "/".join(["......."] * 6) + " b 2 3"
# The arguments of batches with several starts and a limit, and of others whose games are as long.
STARTED = {
    "Reversi 8x8": ("reversi", {"start": [OTHELLO, PARALLEL], "max_plies": 100}, {"start": OTHELLO}),
    "Breakdown 7x6, k 2, q 3": ("breakdown", {"start": [EMPTY] * 2, "max_plies": 100_000}, BREAKDOWN),
}


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def emit(**row: object) -> None:
    print(json.dumps(row), flush=True)


def moves_per_second(env: petteia.VectorEnv) -> float:
    """Return the most moves per second of all runs; a step that only starts a new game is not a move."""
    best = 0.0
    for _ in range(REPEATS):
        moves = 0
        begun = time.perf_counter()
        for _ in range(STEPS):
            env.step(env.random_actions())
            moves += LANES
        seconds = time.perf_counter() - begun
        best = max(best, moves / seconds)
    # The best run counted every step as a move; correct it for those that start a game.
    tally = env.rollout(1000)
    return best * tally.plies / (1000 * LANES)


def started(what: str) -> None:
    """Compare a batch with several starts and a limit with one that has neither, in turns."""
    # By processor time, which a busy machine does not change.
    game, limited, usual = STARTED[what]
    envs = [petteia.VectorEnv(game, LANES, **ALIKE, **arguments) for arguments in (limited, usual)]
    best = [0.0, 0.0]
    for _ in range(REPEATS):
        for place, env in enumerate(envs):
            begun = time.process_time()
            for _ in range(STEPS):
                env.step(env.random_actions())
            best[place] = max(best[place], STEPS * LANES / (time.process_time() - begun))
    tallies = [env.rollout(1000) for env in envs]
    for tally in tallies:
        # Every lane makes a move in every step that does not start a game.
        assert abs(tally.plies + tally.games - 1000 * LANES) <= LANES
        assert tally.truncated == 0
    rates = [rate * tally.plies / (1000 * LANES) for rate, tally in zip(best, tallies)]
    emit(started=what, threads=1, per_s=rates[0], usual_per_s=rates[1])


def memory(what: str) -> None:
    """Measure the memory of a game besides its arrays."""
    game, parameters = GAMES[what]
    lanes = 500_000
    petteia.VectorEnv(game, 2, threads=2, **parameters)
    before = resident()
    env = petteia.VectorEnv(game, lanes, threads=2, **parameters)
    arrays = (env.observations, env.action_mask, env.turns, env.rewards, env.terminated, env.truncated)
    grown = resident() - before - sum(array.nbytes for array in arrays)
    emit(what=what, bytes_per_env=grown / lanes)


def main() -> None:
    for what, (game, parameters) in GAMES.items():
        for threads in (1, 2):
            env = petteia.VectorEnv(game, LANES, seed=1, threads=threads, **parameters)
            env.rollout(100)
            emit(what=what, threads=threads, per_s=moves_per_second(env))
            assert all(
                env.position(lane).actions == env.action_mask[lane].nonzero()[0].tolist()
                for lane in range(50)
            )
    for what in STARTED:
        started(what)
    for what in GAMES:
        # In a new process, where no memory is left over.
        subprocess.run([sys.executable, __file__, "memory", what], check=True)
    if len(sys.argv) > 1:
        runs = [subprocess.check_output([sys.argv[1], "8", "8", "10"], text=True) for _ in range(3)]
        emit(what="baseline", per_s=max(float(run.split()[-2]) for run in runs))


if __name__ == "__main__":
    if sys.argv[1:2] == ["memory"]:
        memory(sys.argv[2])
    else:
        main()
