"""Compare the Python module with other Python modules in one run, as JSON lines.

Needs petteia, rust-reversi and open_spiel, which `report.py python` installs.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import petteia
import pyspiel
from rust_reversi import Board

REPEATS = 7
CALLS = 100_000
RUST_REVERSI = "rust-reversi " + version("rust-reversi")
OPEN_SPIEL = "open_spiel " + version("open_spiel")


def best(*runs: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """Return the shortest processor time of each run; the runs take turns."""
    times = [float("inf")] * len(runs)
    for _ in range(repeats):
        for index, run in enumerate(runs):
            start = time.process_time()
            run()
            times[index] = min(times[index], time.process_time() - start)
    return times


def emit(
    what: str, unit: str, figures: list[float], baseline: str, asked: float = 1, more_is_better: bool = False
) -> None:
    row = {"what": what, "unit": unit, "figure": figures[0], "baseline": baseline, "asked": asked}
    row |= {"baseline_figure": figures[1] if len(figures) > 1 else None, "more_is_better": more_is_better}
    print(json.dumps(row), flush=True)


def middle_games() -> tuple[petteia.Reversi, Board]:
    """Return the same Othello middle game in both libraries, with a dozen legal moves."""
    ours = petteia.Reversi.from_text(
        "________/________/________/___LD___/___DL___/________/________/________ D"
    )
    theirs = Board()
    choose = random.Random(3).choice
    for _ in range(20):
        action = choose(ours.actions)
        ours = ours.play(action)
        theirs.do_move(action)
    assert sorted(theirs.get_legal_moves_vec()) == ours.actions
    return ours, theirs


def one_call() -> None:
    ours, theirs = middle_games()
    action = ours.actions[0]

    def list_ours() -> None:
        for _ in range(CALLS):
            _ = ours.actions

    def list_theirs() -> None:
        for _ in range(CALLS):
            theirs.get_legal_moves_vec()

    def play_ours() -> None:
        for _ in range(CALLS):
            ours.play(action)

    def play_theirs() -> None:
        for _ in range(CALLS):
            copy = theirs.clone()
            copy.do_move(action)

    moves = len(ours.actions)
    times = [seconds / CALLS * 1e9 for seconds in best(list_ours, list_theirs, play_ours, play_theirs)]
    emit(f"Reversi 8x8 legal list, {moves} moves", "ns", times[:2], f"{RUST_REVERSI}, get_legal_moves_vec")
    emit("Reversi 8x8 play", "ns", times[2:], f"{RUST_REVERSI}, clone and do_move")


def walk_ours(position: petteia.TicTac) -> int:
    nodes = 1
    for action in position.actions:
        nodes += walk_ours(position.play(action))
    return nodes


def walk_theirs(state: pyspiel.State) -> int:
    nodes = 1
    if not state.is_terminal():
        for action in state.legal_actions():
            nodes += walk_theirs(state.child(action))
    return nodes


def whole_tree() -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert walk_ours(petteia.TicTac()) == walk_theirs(state) == 549_946
    times = best(lambda: walk_ours(petteia.TicTac()), lambda: walk_theirs(state))
    emit("TicTac whole tree, 549,946 nodes", "s", times, f"{OPEN_SPIEL}, child", asked=3)


def playouts() -> None:
    games = 200_000
    (seconds,) = best(lambda: petteia.playouts(petteia.Reversi(), games, seed=1), repeats=20)
    rate = [games / seconds]
    emit("Reversi 8x8 random playouts", "games/s", rate, "the Rust engine", 0.95, more_is_better=True)


def records() -> None:
    record = "1 X B2\n2 O C2\n3 X C3\n4 O A1\n5 X B3\n6 O A3\n7 X B1\n"
    many = [record] * CALLS

    def one_by_one() -> None:
        for record in many:
            petteia.tictac.evaluate(record)

    times = [
        seconds / CALLS * 1e9 for seconds in best(lambda: petteia.tictac.evaluate_many(many), one_by_one)
    ]
    emit("TicTac evaluate_many, per record", "ns", times, "evaluate")


def import_time() -> None:
    code = "import time; t = time.perf_counter(); import petteia; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(20)]
    emit("import petteia", "ms", [min(float(run.stdout) for run in runs) * 1e3, 30], "the target")


if __name__ == "__main__":
    one_call()
    whole_tree()
    playouts()
    records()
    import_time()
