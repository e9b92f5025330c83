"""Estimates, analysis, and the players that use them."""

import copy
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import petteia
import pytest
from games import AnyPosition, exactly, random_game
from petteia import bots
from petteia._games import GAMES
from petteia._selfplay import SHARDS, _shard_of
from signals import signalled

OVER = petteia.TicTac.from_text("XXX/OO_/___ -")
WON = petteia.TicTac.from_text("XX_/OO_/___ X")
MIDGAME = petteia.Reversi.from_text(
    "________/________/__DDL___/__DDD___/___DL___/____L___/________/________ L"
)


class Nim:
    """A custom game: take one to three; who takes the last wins."""

    def __init__(self, heap: int, player: int = 0) -> None:
        self.heap, self.player = heap, player

    @property
    def turn(self) -> Any:
        return self.player if self.heap else None

    @property
    def moves(self) -> list[str]:
        return [str(n) for n in (1, 2, 3) if n <= self.heap]

    def play(self, move: str) -> Any:
        return type(self)(self.heap - int(move), 1 - self.player)

    @property
    def outcome(self) -> petteia.Outcome | None:
        return None if self.heap else petteia.Outcome(petteia.Player(1 - self.player))


class Broken(Nim):
    """A custom game with a bug."""

    def play(self, move: str) -> Any:
        if self.heap < 15:
            raise LookupError("no such heap")
        return super().play(move)


class Endless(Nim):
    """A custom game that does not end."""

    def play(self, move: str) -> Any:
        return Endless(self.heap, 1 - self.player)


# ---------------------------------------------------------------- estimates


@pytest.mark.parametrize("game", list(GAMES))
def test_estimates_are_probabilities(game: str) -> None:
    start: Any = petteia.game(game)
    for position in list(random_game(start, 7))[:-1]:
        estimate = petteia.evaluate(position)
        assert min(estimate[:3]) >= 0
        assert sum(estimate[:3]) == pytest.approx(1)
        assert estimate.expected == pytest.approx(estimate.win - estimate.loss)
        assert (estimate.difference is not None) == (game == "reversi")
        assert estimate == petteia.evaluate(position)


def test_estimates_as_text() -> None:
    estimate = petteia.Estimate(0.5, 0.25, 0.25, -1.5)
    assert eval(repr(estimate), {"Estimate": petteia.Estimate}) == estimate
    assert repr(estimate).startswith("Estimate(win=0.5, ")
    assert str(estimate) == "estimate: win 50 %, draw 25 %, loss 25 %, difference -1.5"
    assert str(estimate._replace(difference=None)) == "estimate: win 50 %, draw 25 %, loss 25 %"
    assert pickle.loads(pickle.dumps(estimate)) == estimate


def test_an_own_game_is_even() -> None:
    estimate = petteia.evaluate(Nim(7))
    assert (estimate.expected, estimate.difference) == (0, None)


# ---------------------------------------------------------------- analysis


@pytest.mark.parametrize("game", list(GAMES))
def test_lines_are_moves_that_can_be_played(game: str) -> None:
    start: Any = petteia.game(game)
    positions = list(random_game(start, 3))[:-1]
    for position in positions[:: max(1, len(positions) // 5)]:
        analysis = petteia.analyse(position, nodes=2000, lines=3)
        assert len(analysis.lines) == min(3, len(position.moves))
        assert len({line.moves[0] for line in analysis.lines}) == len(analysis.lines)
        assert analysis.best == analysis.lines[0].moves[0]
        assert analysis.exact == analysis.lines[0].exact == (analysis.lines[0].value is not None)
        assert analysis.nodes <= 2000
        assert analysis.seconds >= 0
        for line in analysis.lines:
            petteia.Record(position, line.moves)
            assert sum(line.estimate[:3]) == pytest.approx(1)
            if line.value is not None:
                sign = (line.value > 0) - (line.value < 0)
                assert line.estimate.expected == sign
        assert pickle.loads(pickle.dumps(analysis)) == analysis


def test_exact_lines_agree_with_the_solver() -> None:
    for text in ("____/_LD_/_DL_/____ D", "____/_DD_/_LL_/____ D"):
        position = petteia.Reversi.from_text(text)
        analysis, solution = petteia.analyse(position), petteia.solve(position)
        assert analysis.lines[0].value == solution.value
        assert analysis.lines[0].estimate.difference == solution.value
        assert analysis.best in solution.best_moves
    assert petteia.analyse(WON, depth=1).lines[0][0::2] == (("A3",), 1)


@pytest.mark.parametrize("limit", [{"nodes": 5000}, {"depth": 4}, {"nodes": 5000, "depth": 4, "lines": 4}])
@pytest.mark.parametrize("position", [MIDGAME, petteia.Quarto(), petteia.Breakdown(7, 6, 2, 3)], ids=repr)
def test_nodes_and_depth_repeat(limit: dict[str, Any], position: AnyPosition) -> None:
    first, second = (petteia.analyse(position, **limit)._replace(seconds=0) for _ in range(2))
    assert first == second
    assert first.nodes <= limit.get("nodes", first.nodes) + 1
    assert first.depth <= limit.get("depth", first.depth)


def test_time_is_a_limit() -> None:
    analysis = petteia.analyse(MIDGAME, time=0.05)
    assert 0 < analysis.seconds < 5
    assert analysis.best in MIDGAME.moves


def test_threads_search_together() -> None:
    analysis = petteia.analyse(MIDGAME, nodes=20_000, threads=2)
    assert analysis.best in MIDGAME.moves
    assert petteia.analyse(WON, threads=2).lines[0].value == 1


def test_own_games_are_analysed() -> None:
    for heap in range(1, 12):
        analysis = petteia.analyse(Nim(heap))
        solution = petteia.solve(Nim(heap))
        assert analysis.lines[0].value == solution.value
        assert analysis.best in solution.best_moves
    assert len(petteia.analyse(Nim(30), depth=3, lines=5).lines) == 3
    assert not petteia.analyse(Endless(5), nodes=1000).exact
    with pytest.raises(LookupError, match="no such heap"):
        petteia.analyse(Broken(20))


def test_tables() -> None:
    table = str(petteia.analyse(WON, depth=1, lines=2)).splitlines()
    assert table[0].split() == ["move", "result", "line"]
    assert re.fullmatch(r"A3 +exact: win +A3", table[1])
    assert len(table) == 4
    assert re.fullmatch(r"depth 1, \d+ nodes, \d+\.\d{3} s", table[3])
    table = str(petteia.analyse(MIDGAME, depth=3)).splitlines()
    assert re.search(
        r"estimate: win \d+ %, draw \d+ %, loss \d+ %(, difference [+-]\d+\.\d)?  ([a-h][1-8] ?)+$", table[1]
    )
    exact = petteia.Line(("a1", "b2"), petteia.Estimate(0, 0, 1, -4.0), -4)
    assert str(petteia.Analysis((exact,), 2, 3, 0.5)) == (
        "move  result            line\na1    exact: loss by 4  a1 b2\ndepth 2, 3 nodes, 0.500 s"
    )


def test_progress() -> None:
    news: list[tuple[int, int | None]] = []
    analysis = petteia.analyse(MIDGAME, nodes=3_000_000, progress=lambda *told: news.append(told))
    assert news[-1] == (analysis.nodes, analysis.nodes)
    assert {total for _, total in news[:-1]} <= {3_000_000}

    def enough(*_told: Any) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        petteia.analyse(MIDGAME, time=1000, progress=enough)


@pytest.mark.parametrize(
    "work",
    [
        lambda: petteia.analyse(petteia.Reversi(), time=1000),
        lambda: petteia.analyse(petteia.Reversi(), time=1000, threads=2),
        lambda: petteia.analyse(petteia.Breakdown(400, 400, 2, 3), time=1000),
        lambda: petteia.analyse(Endless(5), time=1000),
        lambda: bots.AlphaBeta(time=1000).choose(petteia.Reversi()),
        lambda: bots.named("alphabeta:nodes=1000000000000").choose(petteia.Reversi()),
    ],
    ids=["one thread", "two threads", "large board", "own game", "a time", "nodes"],
)
def test_signals_end_it(work: Any) -> None:
    signalled(work)


def test_bad_arguments_are_errors() -> None:
    for call in (petteia.evaluate, petteia.analyse):
        with exactly(ValueError, "^the game is over: expected a position with a player to move$"):
            call(OVER)
        with pytest.raises(TypeError, match="expected a position"):
            call(5)  # type: ignore[arg-type]
        with exactly(ValueError, "^invalid game 'chess': expected one of"):
            call("chess")
        with pytest.raises(TypeError, match="expected a position"):
            call(petteia.Reversi)  # type: ignore[arg-type]
    nan, infinity = float("nan"), float("inf")
    bad: dict[str, list[Any]] = {
        "time": [0, 0.0, -1, -0.5, nan, infinity, -infinity, 10**400, -(10**400), 1e10, 1e-300],
        "nodes": [0, -1, 2**64, 10**5000],
        "depth": [0, -1, 2**32],
        "lines": [0, -1, 2**64],
        "threads": [0, -1],
    }
    arguments: dict[str, Any]
    for name, values in bad.items():
        for value in values:
            arguments = {name: value}
            with exactly(ValueError, rf"^invalid {name} .+: expected "):
                petteia.analyse(WON, **arguments)
        for wrong in (True, False, "1", b"1", [1], object()):
            arguments = {name: wrong}
            with exactly(TypeError, rf"^expected {name} as .+, not {type(wrong).__name__}$"):
                petteia.analyse(WON, **arguments)
    with exactly(TypeError, "^expected nodes as an int, not float$"):
        petteia.analyse(WON, nodes=1.5)  # type: ignore[arg-type]
    assert petteia.analyse(WON, time=1e9, nodes=2**64 - 1, depth=2**32 - 1, lines=2**64 - 1, threads=1).exact


# ---------------------------------------------------------------- players

PLAYERS: list[bots.Computer] = [
    bots.AlphaBeta(nodes=500),
    bots.AlphaBeta(depth=2),
    bots.AlphaBeta(time=0.001),
    *(bots.Level(level) for level in (1, 4, 7)),
]


@pytest.mark.parametrize("bot", PLAYERS, ids=repr)
@pytest.mark.parametrize("game", list(GAMES))
def test_players_play_legal_moves_and_say_why(bot: bots.Computer, game: str) -> None:
    start: Any = petteia.game(game)
    bot = bot.seeded(1)
    assert bot.last is None
    for position in list(random_game(start, 5))[:-1]:
        move = bot.choose(position)
        assert move in position.moves
        last = bot.last
        assert last is not None
        assert last.move == move
        assert last.exact == (last.value is not None)
        assert last.estimate is not None


def test_the_last_choice() -> None:
    blind = bots.Random()
    blind.choose(WON)
    assert blind.last is not None
    assert (blind.last.value, blind.last.exact, blind.last.estimate) == (None, False, None)
    perfect = bots.Perfect()
    assert perfect.choose(WON) == "A3"
    assert perfect.last == bots.Choice("A3", 1, petteia.Estimate(1, 0, 0, None))
    # A position that is too hard to solve.
    perfect = bots.Perfect(nodes=1000)
    perfect.choose(petteia.Reversi())
    assert perfect.last is not None
    assert not perfect.last.exact
    assert perfect.last.estimate is not None
    # A failed call leaves it.
    before = perfect.last
    with pytest.raises(ValueError, match="over"):
        perfect.choose(OVER)
    assert perfect.last == before


def test_names_round_trip() -> None:
    for bot, name in [
        (bots.AlphaBeta(), "alphabeta:nodes=100000"),
        (bots.AlphaBeta(8), "alphabeta:depth=8"),
        (bots.AlphaBeta(nodes=7), "alphabeta:nodes=7"),
        (bots.AlphaBeta(time=0.5), "alphabeta:time=0.5"),
        (bots.AlphaBeta(time=1e-9), "alphabeta:time=0.000000001"),
        (bots.AlphaBeta(time=10**9), "alphabeta:time=1000000000"),
        (bots.Level(3), "level:3"),
        (bots.Level(10), "level:10"),
    ]:
        assert bot.name == name
        again = bots.named(name, seed=4)
        assert (type(again), again.name, repr(again)) == (type(bot), name, repr(bot))
        assert eval(repr(bot), {**vars(bots)}).name == name
    assert bots.named("alphabeta").name == "alphabeta:nodes=100000"
    assert bots.named("level").name == "level:5"


def test_bad_players_are_errors() -> None:
    names = ("alphabeta:", "alphabeta:8", "alphabeta:depth=0", "alphabeta:time=-1", "alphabeta:time=nan")
    for name in (
        *names,
        "alphabeta:time=1e3",
        "alphabeta:size=3",
        "level:0",
        "level:11",
        "level:",
        "level:x",
    ):
        with pytest.raises(petteia.ParseError, match=r"expected random, .*alphabeta:depth=8.* level:10"):
            bots.named(name)
    with exactly(TypeError, "^depth and time given: expected only one of depth, nodes and time$"):
        bots.AlphaBeta(depth=3, time=1)
    bad: dict[str, list[Any]] = {
        "depth": [0, 2**32],
        "nodes": [0, -1, 2**64],
        "time": [0, float("nan"), 1e10],
    }
    for name, values in bad.items():
        for value in values:
            with exactly(ValueError, rf"^invalid {name} .+: expected "):
                bots.AlphaBeta(**{name: value})
        with exactly(TypeError, rf"^expected {name} as .+, not bool$"):
            bots.AlphaBeta(**{name: True})
    for level in (0, 11, -1, 2**70):
        with exactly(ValueError, rf"^invalid level {level}: expected 1 to 10$"):
            bots.Level(level)
    with exactly(TypeError, "^expected level as an int, not str$"):
        bots.Level("3")  # type: ignore[arg-type]


def played(bot: bots.Computer) -> list[str]:
    """Return a game of a bot against itself."""
    position, moves = petteia.Reversi(6, 6), []
    while position.turn is not None:
        moves.append(bot.choose(position))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("name", ["alphabeta:nodes=1000", "alphabeta:depth=3", "level:6", "perfect:2000"])
def test_a_fresh_player_repeats_its_game(name: str) -> None:
    bot = bots.named(name, seed=3)
    game = played(bot)
    assert played(bots.named(name, seed=3)) == game
    assert played(bot.seeded(3)) == game


def test_players_can_be_copied() -> None:
    ways: list[Any] = [copy.copy, copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))]
    for again in ways:
        bot = bots.Level(4, seed=9)
        moves = [bot.choose(petteia.Reversi()) for _ in range(3)]
        same = again(bot)
        assert (same.name, repr(same), same.last) == (bot.name, repr(bot), bot.last)
        assert same.last.move == moves[-1]
        assert same.choose(petteia.Quarto()) in petteia.Quarto().moves


def test_a_player_remembers_its_game() -> None:
    # What it has searched once it need not search again, so the same nodes lead deeper.
    bot, differ = bots.AlphaBeta(nodes=500), 0
    starts = [petteia.Reversi(4, 4), petteia.Reversi(6, 6)]
    games = [list(random_game(start, seed))[4:-1] for start in starts for seed in range(5)]
    for position in (position for game in games for position in game):
        fresh = bot.seeded(0)
        fresh.choose(position)
        first = fresh.last
        fresh.choose(position)
        differ += fresh.last != first
        # Neither another player nor a pickled one has seen it.
        for forgetful in (bot.seeded(0), pickle.loads(pickle.dumps(fresh))):
            forgetful.choose(position)
            assert forgetful.last == first
    assert differ > 0


def test_matches_are_the_same_wherever_they_are_played() -> None:
    def play(**where: Any) -> bots.MatchResult:
        return petteia.match("level:4", "alphabeta:nodes=200", "breakdown", 30, seed=3, **where)

    result = play()
    assert result.bots == ("Level(4)", "AlphaBeta(nodes=200)")
    assert play(threads=2) == result
    with ProcessPoolExecutor(2) as executor:
        assert play(executor=executor) == result


class Own(bots.AlphaBeta):
    """A custom player, so that the match is played in Python."""


def test_every_game_of_a_match_has_fresh_players() -> None:
    result = petteia.match(bots.AlphaBeta(nodes=200), bots.Level(4), "breakdown", 10, seed=3)
    assert petteia.match(Own(nodes=200), bots.Level(4), "breakdown", 10, seed=3).counts == result.counts


def test_levels_differ() -> None:
    result = petteia.match("level:8", "level:1", "reversi", 20, width=6, height=6)
    assert result.score > 0.65


def test_selfplay_of_the_players(tmp_path: Path) -> None:
    for name in ("level:2", "alphabeta:nodes=100"):
        files = petteia.selfplay("tictac", 4, name, out=tmp_path / name.replace(":", "-"))
        assert len(files) == 1
    assert set(SHARDS) == set(bots.CLASSES)
    sizes = {
        bot.name: _shard_of(bot, "cells")
        for bot in (
            bots.Mcts(1000),
            bots.Perfect(3_000_000),
            bots.AlphaBeta(),
            bots.AlphaBeta(nodes=600),
            bots.AlphaBeta(time=0.001),
            bots.AlphaBeta(depth=2**32 - 1),
            bots.AlphaBeta(depth=2),
            bots.Level(1),
            bots.Level(10),
        )
    }
    assert list(sizes.values()) == [16, 1, 1, 100, 20, 1, 6666, 2048, 4]
