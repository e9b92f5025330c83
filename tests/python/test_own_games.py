"""Your own game: a class with four members, and every mistake it can contain."""

from __future__ import annotations

import copy
import itertools
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import petteia
import pytest


@dataclass(frozen=True)
class Nim:
    """Each turn takes one, two or three from a heap; whoever takes the last wins."""

    heap: int = 7
    player: int = 0

    @property
    def turn(self) -> int | None:
        return self.player if self.heap else None

    @property
    def moves(self) -> list[str]:
        return [str(number) for number in (1, 2, 3) if number <= self.heap]

    def play(self, move: str) -> Nim:
        return Nim(self.heap - int(move), 1 - self.player)

    @property
    def outcome(self) -> petteia.Outcome | None:
        return None if self.heap else petteia.Outcome(1 - self.player)


class Bare:
    """TicTac with nothing but the four members: no text, no equality."""

    def __init__(self, position: petteia.TicTac | None = None) -> None:
        self._position = position or petteia.TicTac()

    @property
    def turn(self) -> int | None:
        return self._position.turn

    @property
    def moves(self) -> list[str]:
        return self._position.moves

    def play(self, move: str) -> Bare:
        return type(self)(self._position.play(move))

    @property
    def outcome(self) -> petteia.Outcome | None:
        return self._position.outcome


class WithText(Bare):
    """The same with a text, which identifies positions."""

    @property
    def text(self) -> str:
        return self._position.text

    @staticmethod
    def from_text(text: str) -> WithText:
        return WithText(petteia.TicTac.from_text(text))


FACES = [Bare, WithText]


def value(heap: int) -> int:
    """Return the value in theory: a multiple of four is lost."""
    return 1 if heap % 4 else -1


def test_solve_knows_the_theory() -> None:
    for heap in range(1, 20):
        solution = petteia.solve(Nim(heap))
        assert solution.value == value(heap)
        assert solution.exact
        expected = [move for move in Nim(heap).moves if (heap - int(move)) % 4 == 0]
        assert solution.best_moves == (expected or Nim(heap).moves)


@pytest.mark.parametrize("face", FACES)
def test_the_same_rules_give_the_same_answers(face: type[Bare]) -> None:
    """TicTac as your own game gives the same results as petteia's."""
    own, known = face(), petteia.TicTac()
    for depth in range(5):
        assert petteia.perft(own, depth) == known.perft(depth)
    assert petteia.perft(own, 4, threads=3) == known.perft(4)
    tally = petteia.playouts(known, 300, seed=5)
    assert petteia.playouts(own, 300, seed=5) == petteia.playouts(own, 300, seed=5, threads=3) == tally
    for threads in (1, 2):
        tree = petteia.mcts(known, 300, seed=2, threads=threads)
        assert petteia.mcts(own, 300, seed=2, threads=threads) == tree
    for a, b in itertools.product(["random", "myopic", "mcts:20"], repeat=2):
        result = petteia.match(a, b, known, games=6, seed=3)
        assert petteia.match(a, b, own, games=6, seed=3)[2:] == result[2:]
    nearly = face(petteia.TicTac.from_text("X_O/_X_/___ O"))
    mine, theirs = petteia.solve(nearly), petteia.solve(nearly._position)
    assert (mine.value, mine.best_moves, mine.line) == (theirs.value, theirs.best_moves, theirs.line)


def test_whole_games_are_solved_where_positions_can_be_told_apart() -> None:
    # The transposition table reduces a tree of 255,168 games to 5,478 positions.
    solution = petteia.solve(WithText())
    assert (solution.value, len(solution.best_moves)) == (0, 9)


def test_executors_count_own_games() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert petteia.perft(WithText(), 5, executor=executor) == petteia.TicTac().perft(5)
        assert petteia.perft(Bare(), 4, executor=executor) == petteia.TicTac().perft(4)
        assert petteia.playouts(Bare(), 50, executor=executor) == petteia.playouts(petteia.TicTac(), 50)


def best_value(position: petteia.Position) -> int | None:
    """Solve a position; mypy accepts the annotations that users would write."""
    return petteia.solve(position).value


def test_a_function_of_any_position_can_solve() -> None:
    assert best_value(Nim(5)) == 1
    assert best_value(petteia.Reversi(4, 4)) == -3
    assert isinstance(Nim(), petteia.Position)
    assert not isinstance(3, petteia.Position)


def test_bots_play_own_games() -> None:
    for heap in range(1, 12):
        move = petteia.bots.Perfect().choose(Nim(heap))
        assert heap % 4 == 0 or (heap - int(move)) % 4 == 0
    with pytest.raises(ValueError, match="the game is over"):
        petteia.bots.Random().choose(Nim(0))

    class Last:
        def choose(self, position: Any) -> str:
            return str(position.moves[-1])

    result = petteia.match(Last(), "perfect", Nim(21), games=10)
    assert result.counts[2] >= 5
    assert result.game == "Nim"


class Cheat:
    """A bot that plays an illegal move."""

    def choose(self, position: Any) -> str:
        return "9"


@pytest.mark.parametrize("game", [Bare, Nim])
def test_a_bot_that_cheats_is_named(game: Any) -> None:
    """Even if the game does not check its moves, as Nim does not."""
    with pytest.raises(petteia.IllegalMove, match=r"Cheat.*illegal move \"9\"") as caught:
        petteia.match(Cheat(), "random", game(), games=1)
    assert caught.value.move == "9"


# Records.


def test_records_of_own_games() -> None:
    record = petteia.Record(WithText(), ["B2", "A1"])
    assert record.moves == ["B2", "A1"]
    assert len(record) == 2
    assert [position.text for position in record.positions] == [
        "___/___/___ X",
        "___/_X_/___ O",
        "O__/_X_/___ X",
    ]
    assert record.text == "WithText ___/___/___ X: B2 A1"
    again = petteia.Record.from_text(record.text, game=WithText)
    assert again == record
    assert hash(again) == hash(record)
    assert again.play("C3").last.text == "O__/_X_/__X O"
    assert copy.copy(record) == copy.deepcopy(record) == record
    assert pickle.loads(pickle.dumps(petteia.Record(Nim(), ["1"]))) == petteia.Record(Nim(), ["1"])
    assert petteia.Record(Nim(), ["1"]) != petteia.Record(Nim(), ["2"])
    assert petteia.Record(Nim(1), ["1"]).outcome == petteia.Outcome(petteia.Player.FIRST)
    assert repr(petteia.Record(Nim(), ["1"])) == 'petteia.Record(Nim(heap=7, player=0), ["1"])'
    assert "<pre>" in record._repr_html_()
    assert [move for move, _ in record.replay()] == ["B2", "A1"]
    empty = petteia.Record.from_text("WithText ___/___/___ X:", game=WithText)
    assert empty.moves == []


def test_records_of_own_games_are_sequences_with_headers() -> None:
    record = petteia.Record(WithText(), ["B2", "A1", "C3"], {"first": "A: B"})
    assert record.text == '[first "A: B"] WithText ___/___/___ X: B2 A1 C3'
    assert petteia.Record.from_text(record.text + "\r\n", game=WithText) == record
    with pytest.raises(petteia.IllegalMove, match="ply 3"):
        petteia.Record.from_text(record.text + "\n\n", game=WithText)
    with pytest.raises(petteia.ParseError, match="record header name"):
        petteia.Record.from_text(record.text.replace("first", "First"), game=WithText)
    part = record[1:]
    assert part.text == '[first "A: B"] WithText ___/_X_/___ O: A1 C3'
    assert (part.last.text, part[0], list(reversed(part))) == (record.last.text, "A1", ["C3", "A1"])
    assert record.undo() == record[:2]
    assert record.undo().undo().undo().moves == []
    assert pickle.loads(pickle.dumps(part)) == part
    nim = petteia.Record(Nim(), ["1"], {"first": "A"})
    assert repr(nim) == "petteia.Record(Nim(heap=7, player=0), [\"1\"], {'first': 'A'})"
    assert repr(petteia.Record(Nim(), ["1", "2"])[1:].start) == "Nim(heap=6, player=1)"
    with pytest.raises(TypeError, match="for records of reversi, not of Nim"):
        nim.to_ggf()

    class Breaks(Nim):
        broken = False

        def play(self, move: str) -> Breaks:
            if Breaks.broken:
                raise ZeroDivisionError("broken")
            return Breaks(self.heap - int(move), 1 - self.player)

    breaks = petteia.Record(Breaks(), ["1", "2"])
    Breaks.broken = True
    for call in (breaks.undo, lambda: breaks[1:], lambda: breaks.play("1")):
        with pytest.raises(ZeroDivisionError, match="broken"):
            call()


def test_records_tell_what_is_wrong() -> None:
    with pytest.raises(petteia.IllegalMove, match='ply 2: illegal move "9" in Nim') as caught:
        petteia.Record(Nim(), ["1", "9"])
    error = caught.value
    assert (error.move, error.game, error.ply, error.lane) == ("9", "Nim", 2, None)
    assert error.position == "Nim(heap=6, player=1)"
    with pytest.raises(TypeError, match="Nim has no text"):
        _ = petteia.Record(Nim(), ["1"]).text
    with pytest.raises(TypeError, match="expected a move as a str, not int"):
        petteia.Record(Nim(), [1])
    for line, expected in [
        ("", "a colon"),
        ("WithText ___/___/___ X", "a colon"),
        ("Other ___/___/___ X:", "the game's name, WithText"),
        ("WithText ___/___/___ X:B2", "a space after the colon"),
        ("WithText ___ X: B2", "tictac position"),
    ]:
        with pytest.raises(petteia.ParseError, match=expected):
            petteia.Record.from_text(line, game=WithText)
    with pytest.raises(petteia.IllegalMove, match="ply 2"):
        petteia.Record.from_text("WithText ___/___/___ X: B2 B2", game=WithText)
    with pytest.raises(TypeError, match="Nim has no from_text"):
        petteia.Record.from_text("Nim 7: 1", game=Nim)
    with pytest.raises(petteia.ParseError, match="invalid game"):
        petteia.Record.from_text("WithText ___/___/___ X:")

    class Spaced(WithText):
        @property
        def moves(self) -> list[str]:
            return ["to " + move for move in super().moves]

        def play(self, move: str) -> Spaced:
            return Spaced(self._position.play(move.removeprefix("to ")))

    with pytest.raises(ValueError, match="without spaces or colons"):
        _ = petteia.Record(Spaced(), ["to B2"]).text


# Mistakes.

CALLS = {
    "perft": lambda position: petteia.perft(position, 3),
    "perft on threads": lambda position: petteia.perft(position, 6, threads=2),
    "playouts": lambda position: petteia.playouts(position, 20),
    "playouts on threads": lambda position: petteia.playouts(position, 200, threads=2),
    "solve": petteia.solve,
    "mcts": lambda position: petteia.mcts(position, 50),
    "mcts on threads": lambda position: petteia.mcts(position, 50, threads=2),
    "random": lambda position: petteia.match("random", "random", position, games=2),
    "myopic": lambda position: petteia.match("myopic", "myopic", position, games=2),
    "perfect": lambda position: petteia.match("perfect", "mcts:10", position, games=2),
    "record": lambda position: petteia.Record(position, ["2", "2", "2"]),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())


@every_call
def test_all_missing_members_are_named(call: Any) -> None:
    class Half:
        turn = 0
        outcome = None

    with pytest.raises(
        TypeError, match=r"Half has no moves, no play: expected .*turn, moves, play and outcome"
    ):
        call(Half())
    for stranger in (None, 3, b"reversi", object(), [], Nim):
        with pytest.raises(TypeError, match=r"turn|expected"):
            call(stranger)


def broken(member: str, result: Any) -> Nim:
    """Return a game in which a member goes wrong after a few moves."""

    def answer(self: Nim) -> Any:
        fine = getattr(Nim, member)
        if self.heap > 5:
            return fine.fget(self)
        return result(self) if callable(result) else result

    return type("Broken", (Nim,), {member: property(answer), "play": play_same})()  # type: ignore[no-any-return]


def play_same(self: Nim, move: str) -> Nim:
    return type(self)(self.heap - int(move), 1 - self.player)


class Mistake(Exception):
    """Raised by a game by mistake."""


def raises(self: Nim) -> Any:
    raise Mistake("a mistake")


@every_call
@pytest.mark.parametrize(
    ("member", "result", "message"),
    [
        ("turn", "0", "Broken.turn is '0': expected 0, 1 or None"),
        ("turn", 2, "Broken.turn is 2"),
        ("turn", -1, "Broken.turn is -1"),
        ("turn", 0.5, "Broken.turn is 0.5"),
        ("turn", 10**30, "Broken.turn is 10"),
        ("moves", "12", "Broken.moves is '12': expected a list of str"),
        ("moves", None, "Broken.moves is None"),
        ("moves", [1], r"Broken.moves is \[1\]"),
        ("moves", 7, "Broken.moves is 7"),
        ("moves", {"1", "2"}, "Broken.moves is .*: expected a list of str, always in the same order"),
        ("outcome", 1, "Broken.outcome is 1: expected None or a petteia.Outcome"),
        ("outcome", True, "Broken.outcome is True"),
    ],
)
def test_wrong_types_are_told(call: Any, member: str, result: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(broken(member, result))


@every_call
@pytest.mark.parametrize(
    ("member", "result", "message"),
    [
        ("turn", None, "expected no turn, no moves and an outcome when the game is over, and only then"),
        ("moves", [], "expected no turn, no moves and an outcome when the game is over, and only then"),
        ("outcome", petteia.Outcome(), "expected no turn, no moves and an outcome"),
        ("moves", ["2", "2"], 'Broken.moves has "2" twice'),
        ("moves", ["\udc80"], "lone surrogate"),
    ],
)
def test_illegal_states_are_told(call: Any, member: str, result: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(broken(member, result))


@every_call
@pytest.mark.parametrize("member", ["turn", "moves", "outcome"])
def test_what_a_member_raises_is_raised(call: Any, member: str) -> None:
    with pytest.raises(Mistake, match="a mistake"):
        call(broken(member, raises))


@every_call
def test_what_play_raises_is_raised(call: Any) -> None:
    class Broken(Nim):
        def play(self, move: str) -> Nim:
            if self.heap < 6:
                raise Mistake(move)
            return Broken(self.heap - int(move), 1 - self.player)

    with pytest.raises(Mistake):
        call(Broken())


@every_call
@pytest.mark.parametrize(
    ("result", "kind", "message"),
    [
        (lambda self: None, TypeError, "returned None: expected a new position"),
        (lambda self: self, ValueError, "returned the position itself: expected a new one"),
        (lambda self: 7, TypeError, r'Broken\.play\("[123]"\): expected a position.*not int'),
        (lambda self: Nim, TypeError, r'Broken\.play\("[123]"\): .*such as Nim\(\), not the class Nim'),
    ],
)
def test_what_play_returns_is_checked(call: Any, result: Any, kind: type[Exception], message: str) -> None:
    class Broken(Nim):
        def play(self, move: str) -> Any:
            return result(self) if self.heap < 6 else Broken(self.heap - int(move), 1 - self.player)

    with pytest.raises(kind, match=message):
        call(Broken())


@every_call
def test_a_class_is_not_a_position(call: Any) -> None:
    for given in (Nim, petteia.TicTac):
        with pytest.raises(TypeError, match=f"such as {given.__name__}.., not the class {given.__name__}$"):
            call(given)


@every_call
def test_methods_in_place_of_properties_are_told(call: Any) -> None:
    class Method(Nim):
        def moves(self) -> list[str]:  # type: ignore[override]
            return ["1"]

    with pytest.raises(TypeError, match=r"Method\.moves is a method \(did you forget @property"):
        call(Method())


@pytest.mark.parametrize("member", ["__eq__", "__hash__"])
def test_what_equality_raises_is_raised(member: str) -> None:
    def mistake(self: Any, *other: Any) -> Any:
        if self.heap < 6:
            raise Mistake("a mistake")
        return NotImplemented if other else 1

    def one_hash(self: Any) -> int:
        return 1

    members = {"__hash__": one_hash, "play": play_same, member: mistake}
    with pytest.raises(Mistake):
        petteia.solve(type("Broken", (Nim,), members)())


def test_a_game_that_comes_back_to_itself_is_not_solved() -> None:
    class Round(Nim):
        @property
        def moves(self) -> list[str]:
            return ["1"]

        def play(self, move: str) -> Round:
            return Round(self.heap % 3 + 1, 1 - self.player)

    with pytest.raises(ValueError, match="expected a game in which no position repeats"):
        petteia.solve(Round())
    with pytest.raises(ValueError, match="plies"):
        petteia.solve(Round(), node_limit=10**6)
    assert petteia.match("random", "random", Round(), games=2, max_plies=50).counts == (0, 2, 0)


def test_members_that_call_petteia_are_stopped() -> None:
    class Inward(Nim):
        @property
        def moves(self) -> list[str]:
            return petteia.solve(self).best_moves

    with pytest.raises(RecursionError, match="nested too deeply"):
        petteia.solve(Inward())


def test_members_may_call_petteia_for_others() -> None:
    class Perfect(Nim):
        """Nim in which only the best moves are legal."""

        @property
        def moves(self) -> list[str]:
            return petteia.solve(Nim(self.heap)).best_moves if self.heap else []

        def play(self, move: str) -> Perfect:
            return Perfect(self.heap - int(move), 1 - self.player)

    assert petteia.solve(Perfect(7)).value == 1


def test_threads_of_python_run_meanwhile_and_share_positions() -> None:
    start, results = WithText(), []
    threads = [
        threading.Thread(target=lambda: results.append(petteia.playouts(start, 100, seed=1)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [petteia.playouts(petteia.TicTac(), 100, seed=1)] * 4


class Failing:
    """A game of numbers whose rules raise after some calls."""

    calls = 0

    def __init__(self, number: int = 30) -> None:
        self.number = number
        self.turn = number % 2 if number else None
        self.moves = ["one"] * min(number, 1) + ["two"] * (number > 1)
        self.outcome = None if number else petteia.Outcome(None)

    def play(self, move: str) -> Failing:
        Failing.calls += 1
        if Failing.calls > 2000:
            raise ZeroDivisionError(Failing.calls)
        return Failing(self.number - (1 if move == "one" else 2))


@pytest.mark.parametrize(
    "work",
    [
        lambda game: petteia.mcts(game, 10**12),
        lambda game: petteia.mcts(game, 10**12, threads=2),
        lambda game: petteia.playouts(game, 10**12),
        lambda game: petteia.match("mcts:1000000000000", "random", game, 10),
        lambda game: petteia.bots.Mcts(10**12).choose(game),
    ],
)
def test_an_exception_of_the_rules_ends_a_long_call(work: Callable[[Failing], object]) -> None:
    Failing.calls = 0
    with pytest.raises(ZeroDivisionError, match=r"^200[12]$"):
        work(Failing())
    # Nothing more is played, but threads that were at it.
    assert Failing.calls <= 2002


def test_ctrl_c_stops_a_game_without_end() -> None:
    program = """
import petteia
class Endless:
    turn, outcome, moves = 0, None, ["on"]
    def play(self, move): return Endless()
print("ready", flush=True)
petteia.playouts(Endless(), 1)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode != 0
        assert "KeyboardInterrupt" in errors
