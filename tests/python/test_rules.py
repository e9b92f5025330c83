"""The rules against slow oracles and the vectors, and the laws that every game obeys."""

import itertools
from typing import Any

import oracles
import petteia
import pytest
from games import STARTS, AnyPosition, exactly, random_game, vectors

PAIRS: list[tuple[AnyPosition, Any]] = [
    (petteia.TicTac(), oracles.TicTac),
    *[
        (petteia.Breakdown(*shape), lambda shape=shape: oracles.Breakdown(*shape))
        for shape in [(4, 5, 2, 2), (7, 6, 3, 3), (3, 3, 1, 2), (1, 4, 2, 2), (12, 12, 3, 3), (66, 2, 2, 2)]
    ],
    *[
        (petteia.Reversi(*size), lambda size=size: oracles.Reversi(*size))
        for size in [(8, 8), (2, 2), (3, 3), (5, 6), (7, 4)]
    ],
    (petteia.Quarto(), oracles.Quarto),
]


@pytest.mark.parametrize(("start", "oracle"), PAIRS, ids=lambda pair: getattr(pair, "text", ""))
def test_games_go_as_the_oracle_says(start: AnyPosition, oracle: Any) -> None:
    for seed in range(20):
        slow = oracle()
        for before, after in itertools.pairwise([*random_game(start, seed), None]):
            assert before is not None
            assert sorted(before.moves) == sorted(slow.moves())
            assert before.array.tolist() == slow.cells()
            assert before.is_over == slow.over
            assert before.turn == (None if slow.over else slow.turn)
            if slow.over:
                assert before.outcome == petteia.Outcome(slow.winner)
            if after is not None:
                slow.play(next(move for move in before.moves if before.play(move) == after))


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.text)
def test_laws(start: AnyPosition) -> None:
    for position in itertools.chain(random_game(start, 1), random_game(start, 2)):
        assert type(position).from_text(position.text) == position
        assert (not position.moves) == position.is_over == (position.turn is None)
        assert (position.outcome is None) != position.is_over
        assert position.actions == sorted(set(position.actions))
        assert [position.move(action) for action in position.actions] == position.moves
        assert [position.action(move) for move in position.moves] == position.actions
        for action in range(min(position.num_actions, 20)):
            if action in position.actions:
                assert position.play(action) == position.play(position.move(action))
            else:
                with pytest.raises(petteia.IllegalMove, match="illegal move"):
                    position.play(action)
        images = {position.transform(symmetry) for symmetry in range(min(position.symmetries, 8))}
        assert {image.canonical() for image in images} == {position.canonical()}
        for symmetry in {0, 1, position.symmetries // 2, position.symmetries - 1}:
            image = position.transform(symmetry)
            for action in position.actions:
                after = position.play(action).transform(symmetry)
                assert image.play(image.transform_action(action, symmetry)) == after


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.text)
def test_symmetries_permute_the_actions(start: AnyPosition) -> None:
    every = list(range(min(start.num_actions, 300)))
    for symmetry in range(min(start.symmetries, 16)):
        images = [start.transform_action(action, symmetry) for action in range(start.num_actions)]
        assert sorted(images) == list(range(start.num_actions))
    assert [start.transform_action(action, 0) for action in every] == every
    with exactly(IndexError, f"^invalid action {start.num_actions}: expected "):
        start.transform_action(start.num_actions, 0)
    with exactly(ValueError, f"^invalid symmetry {start.symmetries}: expected 0 to {start.symmetries - 1}$"):
        start.transform_action(0, start.symmetries)


def test_breakdown_vectors() -> None:
    data = vectors("breakdown")
    ends = {"black_win": petteia.Player.FIRST, "white_win": petteia.Player.SECOND, "draw": None}
    for game in data["games"]:
        position = petteia.Breakdown(game["w"], game["h"], game["k"], game["q"])
        for step in game["steps"]:
            stick, column = step["m"] if step["m"] != "!" else ("!", None)
            move = stick if column is None else stick + oracles.label(column)
            if step["ok"]:
                position = position.play(move)
            else:
                with pytest.raises(petteia.IllegalMove):
                    position.play(move)
            assert (position.outcome is None) == (step["outcome"] == "in_progress")
            if position.outcome is not None:
                assert position.outcome.winner == ends[step["outcome"]]
            if "show" in step:
                assert str(position) == step["show"]


def test_reversi_vectors() -> None:
    for game in vectors("reversi")["games"]:
        position = petteia.Reversi(game["width"], game["height"])
        for ply in game["plies"]:
            assert position.turn is not None
            assert position.players[position.turn] == ply["turn"]
            squares = sorted((y, x) for (x, y), _ in ply["moves"])
            assert position.actions == [y * game["width"] + x for y, x in squares]
            x, y = ply["played"]
            position = position.play("abcdefgh"[x] + str(y + 1))
        assert str(position).split() == [row.replace(".", "_") for row in game["final"]]
        assert position.outcome is not None
        winner = position.outcome.winner
        assert game["winner"] == ("neither" if winner is None else position.players[winner])


def test_quarto_vectors() -> None:
    for game in vectors("quarto")["games"]:
        position = petteia.Quarto()
        for piece, square, *_ in game["turns"]:
            position = position.play(piece).play(square)
        winner = position.outcome.winner if position.outcome else None
        assert position.is_over
        assert game["winner"] == (0 if winner is None else winner + 1)
        assert str(position) == game["board"]


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (petteia.TicTac(), [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]),
        (petteia.Breakdown(), [1, 8, 64, 508, 3524, 23090, 129011, 646982]),
        (petteia.Reversi(), [1, 4, 12, 24, 24, 96, 320, 1536, 6624, 38208, 220736]),
        (petteia.Reversi(3, 3), [1, 4, 12, 24, 24, 64, 128, 152, 256, 184, 0, 0]),
        (petteia.Quarto(), [1, 16, 256, 3840, 57600, 806400]),
    ],
    ids=lambda value: getattr(value, "text", ""),
)
def test_perft(position: AnyPosition, counts: list[int]) -> None:
    depths = range(len(counts))
    assert [position.perft(depth) for depth in depths] == counts
    assert [position.perft(depth, threads=3) for depth in depths] == counts
    assert [position.perft(depth, table_mb=1) for depth in depths] == counts
    assert [position.perft(depth, threads=2, table_mb=1) for depth in depths] == counts
