"""Games start anywhere in playouts, matches and self-play: by seed, whoever plays."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import petteia
import pyarrow.parquet
import pytest
from cluster import contents, processes
from games import exactly
from petteia import bots

OTHELLO = "________/________/________/___LD___/___DL___/________/________/________ D"
PARALLEL = "________/________/________/___LL___/___DD___/________/________/________ D"
LATE = "DDDDDDDD/DDDDDDDD/DDDDDDDD/DDDDDDDD/LLLLLLLL/LLLLLLLL/LLLLLL__/LLLLLLLL D"
STARTS = [petteia.Reversi.from_text(text) for text in (OTHELLO, PARALLEL, LATE)]


class Heap:
    """A game of your own: two players take 1 or 2, and who takes the last one wins."""

    def __init__(self, heap: int, turn: int = 0) -> None:
        self.heap, self.turn = heap, turn if heap else None
        self.moves = [str(n) for n in (1, 2) if n <= heap]
        self.outcome = None if heap else petteia.Outcome(1 - turn)
        self.text = f"{heap} {turn}"

    def play(self, move: str) -> "Heap":
        assert self.turn is not None
        return Heap(self.heap - int(move), 1 - self.turn)


# ---------------------------------------------------------------- playouts


def test_playouts_from_one_of_several() -> None:
    alone = petteia.playouts(STARTS[0], 2000, seed=7)
    # The draw takes nothing from the games' random streams.
    assert (
        petteia.playouts([STARTS[0]] * 3, 2000, seed=7)
        == petteia.playouts([STARTS[0]], 2000, seed=7)
        == alone
    )
    mixed = petteia.playouts(STARTS, 3000, seed=7)
    assert mixed == petteia.playouts(STARTS, 3000, seed=7, threads=3)
    with ThreadPoolExecutor(2) as pool:
        assert petteia.playouts(STARTS, 3000, seed=7, executor=pool) == mixed
    assert mixed != petteia.playouts(STARTS, 3000, seed=8)
    # About a third of the games begins just before its end.
    each = [petteia.playouts(start, 3000, seed=7).plies / 3000 for start in STARTS]
    assert abs(mixed.plies / 3000 - sum(each) / 3) < 3


@pytest.mark.parametrize("start", [petteia.Breakdown(), petteia.TicTac(), STARTS, Heap(9)], ids=type)
def test_playouts_are_cut_off(start: Any) -> None:
    for most in (1, 3, 6):
        tally = petteia.playouts(start, 500, seed=3, max_plies=most)
        assert tally.games == 500 and tally.plies <= 500 * most
        assert tally == petteia.playouts(start, 500, seed=3, threads=2, max_plies=most)
        assert petteia.Tally(tally.wins, tally.draws, tally.plies, tally.truncated) == tally
        assert eval(repr(tally)) == tally
    assert tally.truncated > 0
    whole = petteia.playouts(start, 500, seed=3)
    assert petteia.playouts(start, 500, seed=3, max_plies=10**9) == whole
    assert whole.truncated == 0
    # Cut games are those that would have gone on: with a limit of one ply more, never more are cut.
    cut = [petteia.playouts(start, 500, seed=3, max_plies=most).truncated for most in range(1, 12)]
    assert cut == sorted(cut, reverse=True) and cut[0] > cut[-1]


def test_playouts_of_your_own_game() -> None:
    starts = [Heap(1), Heap(2, 1)]
    tally = petteia.playouts(starts, 400, seed=1)
    assert tally.wins[0] > 150 and tally.wins[1] > 50 and tally.draws == 0
    with pytest.raises(TypeError, match=r"expected a position of Heap as start\[1\], not Reversi"):
        petteia.playouts([Heap(1), STARTS[0]], 10)
    with pytest.raises(ValueError, match=r'invalid start\[1\] "0 1": expected a game in progress'):
        petteia.playouts([Heap(1), Heap(0, 1)], 10)


# ---------------------------------------------------------------- matches


class Watcher:
    """A bot that records where its games start."""

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def choose(self, position: Any) -> str:
        if position in STARTS:
            self.seen.append(position)
        return str(position.moves[0])


def test_both_games_of_a_pair_share_a_start() -> None:
    seen: list[Any] = []
    first = Watcher(seen)
    result = petteia.match(first, first, "reversi", 40, start=STARTS, seed=3)
    assert len(seen) == 40
    assert seen[0::2] == seen[1::2]
    assert {*seen} == {*STARTS}
    assert result.game == "reversi from 3 positions"
    assert "in 40 games of reversi from 3 positions" in str(result)
    # The same games from the same seat: what one wins as first, the other loses.
    assert result.as_first == result.as_second[::-1]
    # The core draws the same starts for its own bots.
    core = [petteia.match("myopic", "random", "reversi", 30, start=STARTS, seed=3, threads=n) for n in (1, 3)]
    assert core[0] == core[1]
    slow = petteia.match(Same("myopic"), Same("random"), "reversi", 30, start=STARTS, seed=3)
    assert (slow.as_first, slow.as_second) == (core[0].as_first, core[0].as_second)


class Same:
    """One of petteia's bots behind a class of one's own, which the core does not know."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self._bot = bots.named(name, seed)

    def seeded(self, seed: int) -> "Same":
        return Same(self._bot.name, seed)

    def choose(self, position: Any) -> str:
        return self._bot.choose(position)


def test_matches_from_a_start() -> None:
    for start in (STARTS[1], PARALLEL, [PARALLEL]):
        result = petteia.match("random", "random", "reversi", 20, start=start, seed=1)
        assert result == petteia.match("random", "random", STARTS[1], 20, seed=1)
    own = petteia.match(bots.Perfect(1000), "random", Heap(1), 20, start=[Heap(1), Heap(1, 1)], seed=1)
    assert own.as_first == (10, 0, 0) and own.as_second == (0, 0, 10)
    endless = petteia.match(Flip(), Flip(), "breakdown", 4, max_plies=30)
    assert endless.counts == (0, 4, 0)
    assert petteia.match("random", "random", "breakdown", 4, max_plies=None).games == 4


class Flip:
    def choose(self, position: Any) -> str:
        return "!"


@pytest.mark.parametrize(
    ("game", "named", "error", "words"),
    [
        ("reversi", {"start": []}, ValueError, r"^invalid start \[\]: expected at least one position$"),
        ("tictac", {"start": STARTS}, ValueError, r"^invalid start\[0\] .*: expected one of tictac$"),
        ("tictac", {"start": "XXX/OO_/___ -"}, ValueError, "^invalid start .*: expected a game in progress$"),
        ("reversi", {"start": STARTS[0], "width": 4}, ValueError, "expected one of reversi 4 8$"),
        (petteia.Reversi(4, 4), {"start": STARTS[0]}, ValueError, "expected one of reversi 4 4$"),
        (Heap(3), {"start": []}, ValueError, r"^invalid start \[\]"),
        (Heap(3), {"start": STARTS[0]}, TypeError, "^expected start as a position of Heap, not Reversi$"),
        (Heap(3), {"start": Heap(0, 1)}, ValueError, "^invalid start .*: expected a game in progress$"),
        ("reversi", {"start": 3}, TypeError, "^expected start as a position or its text"),
        (
            "reversi",
            {"start": [petteia.Reversi()] * 501 + ["x"]},
            petteia.ParseError,
            r'^invalid reversi position as start\[501\] "x": expected rows',
        ),
        (
            "tictac",
            {"start": petteia.Record(petteia.TicTac(), ["B2"])},
            TypeError,
            "^expected start as a position or its text, or a sequence of these, not Record$",
        ),
        ("tictac", {"start": b"___/___/___ X"}, TypeError, "^expected start as a position .*, not bytes$"),
        ("reversi", {"max_plies": 0}, ValueError, "^invalid max_plies 0"),
    ],
)
def test_bad_starts(game: Any, named: Any, error: type[Exception], words: str, tmp_path: Path) -> None:
    with exactly(error, words):
        petteia.match("random", "random", game, 2, **named)
    if not isinstance(game, Heap):
        with exactly(error, words):
            petteia.selfplay(game, 2, out=tmp_path / "games", **named)
        assert not (tmp_path / "games").exists()


# ---------------------------------------------------------------- self-play


def played(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(folder).to_pylist()
    return sorted(rows, key=lambda row: row["game"])


def test_selfplay_from_one_of_several(tmp_path: Path) -> None:
    def play(name: str, bot: Any, **where: Any) -> list[dict[str, Any]]:
        folder = tmp_path / name
        petteia.selfplay("reversi", 60, bot, 5, folder, start=STARTS, positions="text", shard=15, **where)
        return played(folder)

    rows = play("here", "random")
    assert {row["positions"][0] for row in rows} == {OTHELLO, PARALLEL, LATE}
    for row in rows:
        position = petteia.Reversi.from_text(row["positions"][0])
        for move, text in zip(row["moves"], row["positions"][1:]):
            position = position.play(move)
            assert position.text == text
        assert position.is_over
    play("threads", "random", threads=2)
    with processes() as crew:
        play("there", "random", executor=crew)
    assert contents(tmp_path / "here") == contents(tmp_path / "threads") == contents(tmp_path / "there")
    # Game i of the random bot is game i of playouts.
    tally = petteia.playouts(STARTS, 60, seed=5)
    assert tally.plies == sum(len(row["moves"]) for row in rows)
    assert [sum(row["outcome"] == result for row in rows) for result in (1, -1)] == [*tally.wins]
    # Whoever plays, game i starts where game i does.
    own = play("own", Watcher([]))
    assert [row["positions"][0] for row in own] == [row["positions"][0] for row in rows]
    # A folder of other starts is another job.
    with pytest.raises(ValueError, match="has other games: start is"):
        petteia.selfplay("reversi", 60, "random", 5, tmp_path / "here", start=STARTS[:2], shard=15)


def test_selfplay_is_cut_off_or_never(tmp_path: Path) -> None:
    petteia.selfplay("breakdown", 20, out=tmp_path / "cut", start=petteia.Breakdown(7, 6, 2, 3), max_plies=4)
    assert {(len(row["moves"]), row["outcome"]) for row in played(tmp_path / "cut")} == {(4, None)}
    for bot in ("random", Watcher([])):
        folder = tmp_path / type(bot).__name__
        petteia.selfplay("tictac", 20, bot, out=folder, max_plies=None)
        assert all(row["outcome"] is not None for row in played(folder))
