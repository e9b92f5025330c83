"""Time random games in rust-reversi, a Python module with a Rust core, as a JSON line."""

import json
import time
from importlib.metadata import version

from rust_reversi import Board

REPEATS = 5
GAMES = 2_000


def play() -> None:
    board = Board()
    while not board.is_game_over():
        if board.is_pass():
            board.do_pass()
        else:
            board.do_move(board.get_random_move())


rates = []
for _ in range(REPEATS):
    start = time.process_time()
    for _ in range(GAMES):
        play()
    rates.append(GAMES / (time.process_time() - start))
peer = "rust-reversi " + version("rust-reversi")
what = "random games by its own random move, driven from Python"
print(json.dumps({"peer": peer, "game": "othello", "what": what, "per_s": max(rates)}))
