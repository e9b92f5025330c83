"""Long calls: threads, progress, Ctrl-C, memory."""

import concurrent.futures
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import petteia
import pytest
from games import STARTS, AnyPosition, random_game
from signals import signalled


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.text)
def test_playouts_depend_on_the_seed_alone(start: AnyPosition) -> None:
    tally = petteia.playouts(start, 2000, seed=5)
    assert tally.games == sum(tally.wins) + tally.draws == 2000
    assert petteia.playouts(start, 2000, seed=5, threads=3) == tally
    assert petteia.playouts(start, 0) == petteia.Tally()
    assert petteia.playouts(start, n=1, seed=2**64 - 1, threads=1000).games == 1


def test_seeds_differ() -> None:
    tallies = [petteia.playouts(petteia.Quarto(), 1000, seed) for seed in range(5)]
    assert len(set(tallies)) == 5


def test_a_finished_game_is_its_own_playout() -> None:
    won = petteia.TicTac.from_text("XXX/OO_/___ -")
    assert petteia.playouts(won, 10) == petteia.Tally(wins=(10, 0))


def test_tallies_add_up() -> None:
    assert petteia.Tally((1, 2), 3, 4) + petteia.Tally((10, 20), 30, 40) == petteia.Tally((11, 22), 33, 44)
    with pytest.raises(OverflowError):
        _ = petteia.Tally((2**60, 0)) + petteia.Tally((1, 0))


def test_progress() -> None:
    steps: list[tuple[int, int | None]] = []
    tally = petteia.playouts(petteia.Reversi(), 50_000, threads=2, progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {tally.games} == {50_000}
    assert steps[-1] == (50_000, 50_000)
    counts: list[tuple[int, int | None]] = []
    count = petteia.perft(petteia.Quarto(), 7, threads=2, progress=lambda *news: counts.append(news))
    assert len(counts) > 2
    assert [done for done, _ in counts] == sorted(done for done, _ in counts)
    assert {total for _, total in counts[:-1]} == {None}
    assert counts[-1] == (count, count)

    def fail(done: int, total: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        petteia.playouts(petteia.Reversi(), 10**12, threads=2, progress=fail)
    with pytest.raises(TypeError):
        petteia.playouts(petteia.TicTac(), 10, progress=5)  # type: ignore[arg-type]


LONG = petteia.Breakdown(100, 100, 5, 30)


class Own:
    """A bot that is written in Python."""

    def choose(self, position: Any) -> Any:
        """Play the first move."""
        return position.moves[0]


ENDLESS: dict[str, Callable[[], object]] = {
    "playouts": lambda: petteia.playouts(petteia.TicTac(), 10**15),
    "playouts on threads": lambda: petteia.playouts(petteia.Reversi(), 10**15, threads=3),
    "one playout on a large board": lambda: petteia.playouts(petteia.Breakdown(500, 500, 2, 60), 1),
    "perft": lambda: petteia.Reversi().perft(60),
    "perft of quarto": lambda: petteia.Quarto().perft(32),
    "perft on threads": lambda: petteia.Breakdown().perft(60, threads=3),
    "perft with a table": lambda: petteia.Reversi().perft(40, table_mb=1),
    "perft on a wide board": lambda: petteia.Breakdown(3000, 3, 2, 2).perft(5, threads=2),
    "perft with few moves and no end": lambda: petteia.Breakdown(1, 4, 2, 2).perft(65535),
    "match on threads": lambda: petteia.match("mcts:1000000000", "random", LONG, 10, threads=2),
    "match of own bots on threads": lambda: petteia.match(Own(), Own(), LONG, 10**6, threads=2),
    "evaluate_many": lambda: petteia.tictac.evaluate_many(iter(lambda: "1 X B2", None)),
}


@pytest.mark.parametrize("work", ENDLESS.values(), ids=ENDLESS.keys())
def test_signals_stop_long_work(work: Callable[[], object]) -> None:
    signalled(work)


def test_other_threads_run_meanwhile() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        done = pool.submit(petteia.playouts, petteia.Reversi(), 200_000)
        counted = 0
        while not done.done():
            counted += 1
            time.sleep(0)
        assert done.result().games == 200_000
        assert counted > 100


def test_threads_play_their_own_games() -> None:
    def play(seed: int) -> list[str]:
        return [position.text for start in STARTS for position in random_game(start, seed)]

    expected = [play(seed) for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(8))) == expected


def test_threads_may_share_what_changes() -> None:
    """Conflicting threads may get an error, and nothing worse happens."""
    model = petteia.reversi.Model()
    pset = petteia.reversi.PositionSet()
    wrong: list[Exception] = []

    def work(seed: int) -> None:
        choose = random.Random(seed)
        for _ in range(2000):
            try:
                pset[choose.randrange(8), choose.randrange(8)] = bool(choose.randrange(2))
                if moves := list(model.next_moves):
                    model.play_move(choose.choice(moves))
            except (petteia.IllegalMove, RuntimeError):
                pass
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_memory_stays_flat() -> None:
    choose = random.Random(1).random

    def play(games: int) -> None:
        start = petteia.TicTac()
        for _ in range(games):
            position = start
            while actions := position.actions:
                position = position.play(actions[int(choose() * len(actions))])

    def everything_else(rounds: int) -> None:
        for _ in range(rounds):
            for start in STARTS:
                record = petteia.Record(start, [start.moves[0]]) if start.moves else petteia.Record(start)
                _ = (record.positions, record.moves, record.last.array, record.last.observation())
                _ = (hash(record), repr(record), str(start), start.svg(), start.turn, start.outcome)
                with pytest.raises(petteia.IllegalMove):
                    start.play("nonsense")
                petteia.playouts(start, 10)
            model = petteia.reversi.Model()
            _ = (model.next_moves, model.board, model.find_move((3, 3)), petteia.quarto.Board())
            _ = petteia.breakdown.Game(2, 2, 4, 5).board
            petteia.tictac.evaluate_many(["1 X B2"] * 100)

    play(100_000)
    everything_else(100)
    before = resident()
    play(1_000_000)
    everything_else(300)
    assert resident() - before < 4_000_000
