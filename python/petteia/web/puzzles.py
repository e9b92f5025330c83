"""Makes the puzzles of the page, `make puzzles`: docs/puzzles.md describes them.

In every puzzle exactly one move keeps the result that the player to move can force, proved by the solver.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import petteia

FOLDER = Path(__file__).with_name("static") / "puzzles"
SEED = 1
# How many puzzles of a kind each board gives; TicTac has all that there are.
QUOTA = {"breakdown": 30, "reversi": 120, "quarto": 120}
KINDS = ("two", "only", "draw")

Position: TypeAlias = petteia.TicTac | petteia.Breakdown | petteia.Reversi | petteia.Quarto


class Puzzle(NamedTuple):
    """A position, and the one move that is right; in a win in two turns, the moves up to the end."""

    kind: str
    position: str
    moves: tuple[str, ...]


class Board(NamedTuple):
    """A start, and which positions of games from there can be proved soon: by the number of pieces."""

    start: Position
    pieces: range


BOARDS: dict[str, list[Board]] = {
    "breakdown": [
        Board(petteia.Breakdown(4, 5, 2, 2), range(4, 21)),
        Board(petteia.Breakdown(5, 5, 2, 2), range(6, 26)),
        Board(petteia.Breakdown(6, 6, 3, 2), range(6, 37)),
        Board(petteia.Breakdown(7, 6, 2, 3), range(24, 43)),
    ],
    "reversi": [Board(petteia.Reversi(), range(52, 62))],
    "quarto": [Board(petteia.Quarto(), range(6, 15))],
}


def result(position: Position, move: str) -> int:
    """Return the proved result of a move, 1 for a win, 0 for a draw, -1 for a loss, for who makes it."""
    after = position.play(move)
    if after.outcome is not None:
        winner = after.outcome.winner
        return 0 if winner is None else 1 if winner == position.turn else -1
    value = petteia.solve(after, all_best=False).value
    assert value is not None, "there is no limit"
    return ((value > 0) - (value < 0)) * (1 if after.turn == position.turn else -1)


def quickest(position: Position, player: int, turns: int) -> tuple[str, ...] | None:
    """Return moves by which a player wins before the opponent has begun more than a number of turns.

    It is None if that cannot be forced. The opponent's moves are those that hold out longest.
    """
    if position.outcome is not None:
        return () if position.outcome.winner == player else None
    own = position.turn == player
    lines = []
    for move in position.moves:
        after = position.play(move)
        left = turns - (own and after.turn == 1 - player)
        line = quickest(after, player, left) if left >= 0 else None
        if line is not None:
            lines.append((move, *line))
        elif not own:
            return None
    return (min if own else max)(lines, key=len, default=None)


def puzzle(position: Position) -> Puzzle | None:
    """Return the puzzle that a position is, if it is one."""
    moves, turn = position.moves, position.turn
    # Of two moves one can guess.
    if turn is None or len(moves) < 3:
        return None
    best, right = 0, []
    for move in moves:
        value = result(position, move)
        if value > best:
            best, right = value, [move]
        elif value == best:
            right.append(move)
        if best == 1 and len(right) > 1:
            return None
    if len(right) != 1:
        return None
    after = position.play(right[0])
    if after.is_over:
        return None
    if best == 0:
        return Puzzle("draw", position.text, (right[0],))
    line = quickest(after, turn, 1 if after.turn == turn else 0)
    return Puzzle("only" if line is None else "two", position.text, (right[0], *(line or ())))


def drawn(board: Board, seed: int) -> Iterator[Position]:
    """Yield a position of each random game."""
    for number in itertools.count():
        rng = random.Random(f"{seed} {board.start.text} {number}")
        position, candidates = board.start, []
        while not position.is_over:
            # The number of pieces: what is no sign of an empty cell.
            if sum(sign not in "._/" for sign in position.text.split()[0]) in board.pieces:
                candidates.append(position)
            position = position.play(position.moves[int(rng.random() * len(position.moves))])
        if candidates:
            yield candidates[int(rng.random() * len(candidates))]


def found(board: Board, quota: int, seed: int = SEED) -> Iterator[Puzzle]:
    """Yield puzzles of random games until there are enough of each kind, none twice up to symmetry."""
    seen: set[Position] = set()
    counts: Counter[str] = Counter()
    for position in drawn(board, seed):
        it = puzzle(position)
        if it is None or counts[it.kind] == quota or position.canonical() in seen:
            continue
        seen.add(position.canonical())
        counts[it.kind] += 1
        yield it
        if all(counts[kind] == quota for kind in KINDS):
            return


def all_of_tictac() -> Iterator[Puzzle]:
    """Yield the puzzles among all positions of TicTac, none twice up to symmetry."""
    start = petteia.TicTac()
    seen, queue = {start.canonical()}, [start]
    for position in queue:
        it = puzzle(position)
        if it is not None:
            yield it
        for move in position.moves:
            after = position.play(move).canonical()
            if after not in seen:
                seen.add(after)
                queue.append(after)


def hardness(game: str, it: Puzzle) -> tuple[int, int, str]:
    """Return how hard a puzzle is: how many moves look better than the right one, then how many there are.

    A move looks as good as random games end from there.
    """
    position = petteia.GAMES[game].from_text(it.position)
    assert position.turn is not None
    looks = {}
    for move in position.moves:
        tally = petteia.playouts(position.play(move), 400, seed=SEED)
        looks[move] = tally.wins[position.turn] - tally.wins[1 - position.turn]
    better = sum(look > looks[it.moves[0]] for look in looks.values())
    return better, len(looks), it.position


def written(game: str, puzzles: list[Puzzle]) -> str:
    """Return the file of a game: a line for each puzzle, easy ones first, in five grades of equal size."""
    ordered = sorted(puzzles, key=lambda it: hardness(game, it))
    lines = [
        json.dumps([it.kind, 1 + 5 * place // len(ordered), it.position, it.moves], separators=(",", ":"))
        for place, it in enumerate(ordered)
    ]
    return f'{{"game":"{game}","puzzles":[\n' + ",\n".join(lines) + "\n]}\n"


def main() -> None:
    """Write the files of all games, or of those that are named."""
    FOLDER.mkdir(exist_ok=True)
    for game in sys.argv[1:] or petteia.GAMES:
        if game == "tictac":
            puzzles = list(all_of_tictac())
        else:
            puzzles = [it for board in BOARDS[game] for it in found(board, QUOTA[game])]
        (FOLDER / f"{game}.json").write_text(written(game, puzzles))
        print(game, dict(Counter(it.kind for it in puzzles)))


if __name__ == "__main__":
    main()
