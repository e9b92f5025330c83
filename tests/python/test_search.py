"""Solving, tree search, bots and matches."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import petteia
import pytest
from games import AnyPosition, exactly, random_game
from petteia import bots
from petteia._games import GAMES
from signals import signalled
from test_own_games import Nim

LATE: list[AnyPosition] = [
    petteia.TicTac(),
    petteia.TicTac.from_text("X_O/_X_/___ O"),
    petteia.Reversi(4, 3),
    petteia.Reversi.from_text("____/_LD_/_DL_/____ D"),
]


def minimax(position: Any, known: dict[Any, int]) -> int:
    """Return the value for the first player, by exhaustive search."""
    if position not in known:
        if position.is_over:
            cells = position.array
            discs = int((cells == 1).sum()) - int((cells == 2).sum())
            winner = position.outcome.winner
            plain = 0 if winner is None else 1 - 2 * int(winner)
            known[position] = discs if isinstance(position, petteia.Reversi) else plain
        else:
            best = max if position.turn == petteia.Player.FIRST else min
            known[position] = best(minimax(position.play(action), known) for action in position.actions)
    return known[position]


@pytest.mark.parametrize("position", LATE, ids=lambda position: position.text)
@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_are_those_of_minimax(position: AnyPosition, threads: int) -> None:
    known: dict[Any, int] = {}
    sign = 1 if position.turn == petteia.Player.FIRST else -1
    values = {move: sign * minimax(position.play(move), known) for move in position.moves}
    solution = petteia.solve(position, threads=threads)
    assert solution.exact
    assert solution.value == solution.lower == solution.upper == max(values.values())
    assert solution.best_moves == [move for move, value in values.items() if value == solution.value]
    assert solution.line[0] == solution.best_moves[0]
    petteia.Record(position, solution.line)
    one = petteia.solve(position, threads=threads, all_best=False)
    assert one.value == solution.value
    assert set(one.best_moves) <= set(solution.best_moves)
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_empties_count_for_the_winner() -> None:
    diagonal = petteia.Reversi.from_text("____/_LD_/_DL_/____ D")
    parallel = petteia.Reversi.from_text("____/_DD_/_LL_/____ D")
    assert [petteia.solve(start).value for start in (diagonal, parallel)] == [-8, -3]
    assert [petteia.solve(start, empties_to_winner=True).value for start in (diagonal, parallel)] == [-10, -4]


def test_limits_give_bounds() -> None:
    limits: dict[str, Any]
    for limits in ({"node_limit": 1000}, {"time_limit": 0.05}, {"node_limit": 0}, {"time_limit": 0}):
        solution = petteia.solve(petteia.Reversi(), **limits)
        assert not solution.exact
        assert (solution.value, solution.lower, solution.upper) == (None, -64, 64)
    for endless in (float("inf"), 10**400):
        assert petteia.solve(petteia.TicTac(), time_limit=endless, table_mb=1).exact


def test_bad_arguments_are_errors() -> None:
    over = petteia.TicTac.from_text("XXX/OO_/___ -")
    calls: list[Any] = [petteia.solve, lambda position: petteia.mcts(position, 10), bots.Random().choose]
    for call in calls:
        with pytest.raises(ValueError, match="over"):
            call(over)
        with pytest.raises(TypeError, match="position"):
            call(5)
    with pytest.raises(TypeError, match="position"):
        bots.Random().choose("reversi")
    with pytest.raises(ValueError, match="empties"):
        petteia.solve(petteia.Quarto(), empties_to_winner=True)
    with pytest.raises(MemoryError):
        petteia.solve(petteia.Reversi(), table_mb=2**40)
    start = petteia.TicTac()
    arguments: dict[str, Any]
    for arguments in (
        {"threads": 0},
        {"threads": -1},
        {"time_limit": -1.0},
        {"time_limit": float("nan")},
        {"time_limit": -(10**400)},
        {"node_limit": -1},
        {"table_mb": 0},
    ):
        (name,) = arguments
        with exactly(ValueError, rf"^invalid {name} \S+: expected"):
            petteia.solve(start, **arguments)
    for arguments in ({"time_limit": "1"}, {"node_limit": 1.5}, {"threads": "2"}, {"table_mb": "x"}):
        (name,) = arguments
        with pytest.raises(TypeError, match=f"^expected {name} as "):
            petteia.solve(start, **arguments)
    for simulations in (0, -1, 2**70):
        with exactly(ValueError, f"^invalid simulations {simulations}: expected"):
            petteia.mcts(start, simulations)
    for name in ("", "Random", "mcts:0", "mcts:x", "random:1", "\ud800"):
        with pytest.raises(petteia.ParseError, match="expected random"):
            bots.named(name)
    for seed in (-1, 2**64):
        with exactly(ValueError, f"^invalid seed {seed}: expected 0 to"):
            bots.Random(seed)


def test_progress_can_end_a_search() -> None:
    news: list[tuple[int, int | None]] = []

    def look(*told: Any) -> None:
        news.append(told)
        if len(news) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        petteia.solve(petteia.Reversi(), threads=2, progress=look)
    assert [nodes for nodes, *_ in news] == sorted(nodes for nodes, *_ in news)
    with pytest.raises(RuntimeError, match="enough"):
        news.clear()
        petteia.mcts(petteia.Reversi(), 2**60, threads=2, progress=look)


@pytest.mark.parametrize(
    "work",
    [
        lambda: petteia.solve(petteia.Reversi(), threads=2),
        lambda: petteia.mcts(petteia.Reversi(), 2**60, threads=2),
        lambda: bots.Perfect(nodes=2**60).choose(petteia.Reversi()),
    ],
    ids=["solve", "mcts", "perfect"],
)
def test_signals_end_a_search(work: Any) -> None:
    signalled(work)


def test_trees() -> None:
    tree = petteia.mcts(petteia.Quarto(), 2000, seed=3)
    assert list(tree.visits) == list(tree.values) == petteia.Quarto().moves
    assert sum(tree.visits.values()) == tree.simulations == 2000
    assert tree.visits[tree.best_move] == max(tree.visits.values())
    assert tree.value == tree.values[tree.best_move]
    assert petteia.mcts(petteia.Quarto(), 2000, seed=3) == tree
    assert petteia.mcts(petteia.Quarto(), 2000, seed=4) != tree
    assert sum(petteia.mcts(petteia.Quarto(), 2000, threads=3).visits.values()) == 2000


@pytest.mark.parametrize("bot", [bots.Random(), bots.Myopic(), bots.Mcts(50), bots.Perfect(1000)], ids=repr)
@pytest.mark.parametrize("game", list(GAMES))
def test_bots_play_legal_moves(bot: bots.Computer, game: str) -> None:
    start: Any = petteia.game(game)
    for position in list(random_game(start, 5))[:-1]:
        assert bot.choose(position) in position.moves


def test_seeds_fix_a_bot() -> None:
    start = petteia.Reversi()

    def choices(bot: bots.Computer) -> list[str]:
        return [bot.choose(start) for _ in range(20)]

    assert choices(bots.Random(1)) == choices(bots.Random(1)) != choices(bots.Random(2))
    bot = bots.Random(1)
    bot.choose(start)
    assert choices(pickle.loads(pickle.dumps(bot))) == choices(bot)
    assert choices(bots.Mcts(50).seeded(7)) == choices(bots.Mcts(50, seed=7))


def test_perfect_never_loses_tictac() -> None:
    result = petteia.match(bots.Perfect(), bots.Mcts(30), "tictac", games=60)
    assert result.counts[2] == 0
    assert result.counts[0] > 0
    drawn = petteia.match(bots.Perfect(), bots.Perfect(), "tictac", games=20)
    assert drawn.counts == (0, 20, 0)
    assert drawn.score == 0.5


def test_a_match_is_the_same_wherever_it_is_played() -> None:
    def play(**where: Any) -> bots.MatchResult:
        return petteia.match(bots.Myopic(), bots.Random(), "breakdown", 100, seed=3, width=5, **where)

    result = play()
    assert result.games == 100
    assert sum(result.as_first) == sum(result.as_second) == 50
    assert play(threads=2) == result
    with ProcessPoolExecutor(2) as executor:
        assert play(executor=executor) == result
    low, high = result.interval
    assert 0 <= low < result.score < high <= 1
    assert result.game == "breakdown 5 5 2 2"
    assert "Myopic() against Random() in 100 games of breakdown 5 5 2 2" in str(result)


def last(position: Any) -> str:
    """A custom bot: always the last move."""
    return str(position.moves[-1])


def test_a_match_tells_how_many_games_are_different() -> None:
    for a, b, different in (("alphabeta:depth=3", "alphabeta:depth=2", 2), (last, last, 1)):
        with ThreadPoolExecutor(2) as executor:
            ways: list[dict[str, Any]] = [{}, {"threads": 2}, {"executor": executor}]
            for where in ways:
                result = petteia.match(a, b, "tictac", games=30, **where)
                assert result.distinct == different
                assert f"in 30 games of tictac X, {different} of them different\n" in str(result)
                assert f"{different} of them different" in result._repr_html_()
    both = petteia.match("random", last, "reversi", games=40)
    assert both.distinct == both.games
    assert "different" not in str(both)
    # The first two moves of TicTac can be chosen in 72 ways.
    for bot in ("random", lambda position: bots.Random().choose(position)):
        assert 65 <= petteia.match(bot, "random", "tictac", games=1000, max_plies=2).distinct <= 72
    # The same moves from elsewhere are another game.
    starts = [petteia.TicTac(), "O__/X__/___ X"]
    for bot in ("alphabeta:depth=9", last):
        assert petteia.match(bot, bot, "tictac", games=30, start=starts).distinct == 2
    heaps = [Nim(5), Nim(6), Nim(7)]
    assert petteia.match(last, last, heaps[0], games=60, start=heaps).distinct == 3


class First:
    """A custom bot: always the first move."""

    def choose(self, position: AnyPosition) -> str:
        return position.moves[0]


class Wrong:
    """A bot that does not know the rules."""

    def choose(self, position: AnyPosition) -> str:
        return "z9"


def test_a_bot_without_a_repr_is_called_by_its_class() -> None:
    result = petteia.match(First(), "random", "reversi", games=2)
    assert result.bots == ("First", "Random()")
    assert str(result).startswith("First against Random() in 2 games")
    with pytest.raises(petteia.IllegalMove, match=r"^Wrong: illegal move"):
        petteia.match(Wrong(), First(), "reversi", games=2)


def test_anybody_can_take_part() -> None:
    assert isinstance(First(), bots.Bot)
    result = petteia.match(First(), First(), petteia.TicTac(), games=4)
    # Row by row, whoever moves first completes a diagonal first.
    assert result.as_first == (2, 0, 0)
    assert result.as_second == (0, 0, 2)
    with pytest.raises(petteia.IllegalMove, match=r"Wrong.*z9"):
        petteia.match(Wrong(), First(), "reversi", games=1)
    # A game that does not end is stopped after max_plies.
    passing = petteia.match(
        bots.Perfect(), bots.Perfect(), "breakdown", 2, width=2, height=2, stick=2, square=2, max_plies=50
    )
    assert passing.games == 2


def test_matches_from_a_position_give_each_side_its_turn() -> None:
    won = petteia.TicTac.from_text("XX_/OO_/__X O")
    result = petteia.match(bots.Perfect(), First(), won, games=2)
    assert result.as_first == (1, 0, 0)
    assert result.game == "tictac from XX_/OO_/__X O"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"game": "chess"}, ValueError),
        ({"game": 5}, TypeError),
        ({"game": "reversi", "games": 0}, ValueError),
        ({"game": "reversi", "games": 1.5}, TypeError),
        ({"game": "reversi", "width": 9}, ValueError),
        ({"game": "reversi", "max_plies": 0}, ValueError),
        ({"game": petteia.Reversi(), "width": 6}, TypeError),
        ({"game": petteia.TicTac.from_text("XXX/OO_/___ -")}, ValueError),
    ],
)
def test_bad_matches(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        petteia.match(bots.Random(), bots.Random(), **arguments)


def test_bad_bots() -> None:
    for nobody in (None, 5, bots.Random):
        with pytest.raises(TypeError, match="expected b as a bot with a method choose, the name of one or a"):
            petteia.match(bots.Random(), nobody, "tictac")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='invalid player "clever"'):
        petteia.match("random", "clever", "tictac")
    assert petteia.match("random", "mcts:20", "tictac", 10) == petteia.match(
        bots.Random(), bots.Mcts(20), "tictac", 10
    )
    with pytest.raises(ValueError, match="invalid simulations -1"):
        bots.Mcts(-1)
    with pytest.raises(ValueError, match="invalid nodes 0"):
        bots.Perfect(0)


def test_progress_of_matches() -> None:
    steps: list[tuple[int, int | None]] = []
    petteia.match(bots.Random(), bots.Random(), "tictac", 50, progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {50}
    assert steps[-1] == (50, 50)


def test_tree_search_with_estimates_and_a_time_limit() -> None:
    position = petteia.Reversi()
    plain = petteia.mcts(position, 200, seed=1)
    estimated = petteia.mcts(position, 200, seed=1, evaluator="estimate")
    assert estimated == petteia.mcts(position, 200, seed=1, evaluator="estimate")
    assert estimated.values != plain.values
    stopped = petteia.mcts(position, 10**15, time=0.05)
    assert 0 < stopped.simulations < 10**15
    assert stopped.best_move in position.moves


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"time": 0}, ValueError, "time"),
        ({"time": -1.0}, ValueError, "time"),
        ({"time": float("nan")}, ValueError, "time"),
        ({"time": "1"}, TypeError, "time"),
        ({"evaluator": "playout"}, ValueError, "evaluator"),
        ({"evaluator": 3}, TypeError, "evaluator"),
    ],
)
def test_tree_search_says_what_is_wrong(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        petteia.mcts(petteia.TicTac(), 10, **arguments)
