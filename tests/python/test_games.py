"""The declarations of the games, games by name, and the fields of errors."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import petteia
import petteia.gymnasium
import petteia.openspiel
import petteia.pettingzoo
import pyspiel
import pytest
from games import STARTS, exactly
from petteia import _petteia
from petteia._games import CLASSES, DECLARED, name_of

each_game = pytest.mark.parametrize("name", DECLARED)


def test_games_are_named() -> None:
    assert list(petteia.GAMES.items())[:4] == [
        ("tictac", petteia.TicTac),
        ("breakdown", petteia.Breakdown),
        ("reversi", petteia.Reversi),
        ("quarto", petteia.Quarto),
    ]
    assert list(DECLARED) == list(petteia.GAMES)
    assert tuple(petteia.GAMES.values()) == CLASSES
    games: Any = petteia.GAMES
    with pytest.raises(TypeError):
        games["chess"] = object


@each_game
def test_declarations_are_the_signatures(name: str) -> None:
    declared = DECLARED[name]
    signature = inspect.signature(petteia.GAMES[name]).parameters.values()
    assert [(known.name, known.default) for known in signature] == [
        (parameter.name, parameter.default) for parameter in declared.parameters
    ]
    assert declared.name == name and declared.cls is petteia.GAMES[name]
    assert declared.title.replace(" ", "") == declared.cls.__name__ and declared.about.endswith(".")
    start = petteia.game(name)
    assert start == declared.cls() and declared.players == start.players
    for parameter in declared.parameters:
        assert parameter.about
        # A position has its parameters as attributes.
        assert getattr(start, parameter.name) == parameter.default


@each_game
def test_values_at_the_ends_are_taken_and_beyond_are_named(name: str) -> None:
    for parameter in DECLARED[name].parameters:
        if parameter.words:
            for word in parameter.words:
                assert getattr(petteia.game(name, **{parameter.name: word}), parameter.name) == word
            for wrong in ("", "nonsense", parameter.words[0].lower(), parameter.words[0] + " "):
                with exactly(
                    ValueError, f'^invalid {parameter.name} "{wrong}": expected {parameter.expected}$'
                ):
                    petteia.game(name, **{parameter.name: wrong})
            with exactly(TypeError, f"^expected {parameter.name} as a str, not int$"):
                petteia.game(name, **{parameter.name: 1})
        else:
            assert parameter.least is not None and parameter.most is not None
            # The other parameters are at their minimum, so even a very wide board is small.
            small = {
                other.name: other.least
                for other in DECLARED[name].parameters
                if other is not parameter and not other.words
            }
            for value in {parameter.least, min(parameter.most, 2**20)}:
                start = petteia.game(name, **{**small, parameter.name: value})
                assert getattr(start, parameter.name) == value
            for outside in (parameter.least - 1, parameter.most + 1, -1, 2**64, 10**30):
                expected = f"^invalid {parameter.name} {outside}: expected {parameter.expected}$"
                with exactly(ValueError, expected):
                    petteia.game(name, **{parameter.name: outside})
            for mistyped, kind in ((1.5, "float"), ("2", "str"), (None, "NoneType")):
                with exactly(TypeError, f"^expected {parameter.name} as an int, not {kind}$"):
                    petteia.game(name, **{parameter.name: mistyped})


@each_game
def test_presets_start(name: str) -> None:
    declared = DECLARED[name]
    assert declared.presets
    for number, (preset, values) in enumerate(declared.presets):
        assert preset and list(values) == [parameter.name for parameter in declared.parameters]
        start = petteia.game(name, **values)
        assert start.moves
        assert {parameter: getattr(start, parameter) for parameter in values} == values
        # Only the first has the defaults.
        assert (start == declared.cls()) == (number == 0)
    assert len({preset for preset, _ in declared.presets}) == len(declared.presets)


def test_unknown_names_are_told() -> None:
    expected = f"expected one of {', '.join(petteia.GAMES)}$"
    for wrong in ("chess", "", "Reversi", "reversi "):
        with exactly(ValueError, f"^invalid game {wrong!r}: {expected}"):
            petteia.game(wrong)
    with exactly(petteia.ParseError, f'^invalid game "chess": {expected}'):
        petteia.VectorEnv("chess", 1)
    mistyped: Any
    for mistyped in (None, 3, petteia.Reversi, petteia.Reversi()):
        with exactly(TypeError, "^expected the name of a game as a str, not "):
            petteia.game(mistyped)


@each_game
def test_unknown_parameters_are_told(name: str) -> None:
    declared = DECLARED[name]
    has = ", ".join(parameter.name for parameter in declared.parameters) or "none"
    expected = f'^{declared.title} has no parameter "depth": expected {has}$'
    calls: list[Callable[..., object]] = [
        lambda **named: petteia.game(name, **named),
        declared.cls,
        lambda **named: petteia.VectorEnv(name, 1, **named),
        lambda **named: petteia.match("random", "random", name, 2, **named),
        lambda **named: petteia.gymnasium.Env(name, **named),
        lambda **named: petteia.pettingzoo.env(name, **named),
    ]
    for call in calls:
        with exactly(TypeError, expected):
            call(depth=3)
    many: list[Any] = [parameter.default for parameter in declared.parameters]
    made: Any = declared.cls
    assert made(*many) == made()
    with exactly(
        TypeError, f"^{declared.title} takes at most {len(many)} arguments \\({len(many) + 1} given\\)$"
    ):
        made(*many, 1)
    for parameter in declared.parameters[:1]:
        with exactly(TypeError, f"^{declared.title} got two values for {parameter.name}$"):
            made(*many, **{parameter.name: parameter.default})


def test_positions_know_their_game() -> None:
    for start in STARTS:
        assert petteia.GAMES[name_of(start)] is type(start)
    assert name_of(3) == "int"


@each_game
def test_the_longest_game_is_never_longer(name: str) -> None:
    for _, values in DECLARED[name].presets:
        start = petteia.game(name, **values)
        longest = _petteia.longest_game(start)
        assert (longest is None) == (name == "breakdown")
        # During a game it is still that of the whole game.
        assert _petteia.longest_game(start.play(start.moves[0])) == longest
        if longest is not None:
            tally = petteia.playouts(start, 2000, seed=1)
            assert tally.plies <= longest * tally.games
    assert _petteia.longest_game(petteia.TicTac()) == 9
    for wrong in (3, "reversi", object()):
        with pytest.raises(TypeError, match="a position of petteia"):
            _petteia.longest_game(wrong)  # type: ignore[arg-type]


@each_game
def test_adapters_have_every_game(name: str) -> None:
    declared = DECLARED[name]
    assert gymnasium.spec(f"petteia/{declared.cls.__name__}-v0").kwargs == {"game": name}
    start = petteia.game(name)
    assert petteia.pettingzoo.raw_env(name).start == start
    game_type = next(known for known in pyspiel.registered_games() if known.short_name == f"petteia_{name}")
    defaults = {parameter.name: parameter.default for parameter in declared.parameters}
    most = 0 if _petteia.longest_game(start) else 200
    assert game_type.parameter_specification == defaults | {"max_plies": most, "start": ""}
    game = pyspiel.load_game(f"petteia_{name}")
    assert game.new_initial_state().position == start
    assert game.max_game_length() == (_petteia.longest_game(start) or 200)
    assert type(game) is getattr(petteia.openspiel, f"{declared.cls.__name__}Game")
    assert declared.title in game_type.long_name
    names = {known.short_name for known in pyspiel.registered_games()}
    assert {known for known in names if known.startswith("petteia_")} == {
        f"petteia_{game}" for game in DECLARED
    }


def raised(call: Callable[[], object]) -> Any:
    with pytest.raises(ValueError) as error:
        call()
    return error.value


MIDDLE = petteia.TicTac().play("B2")


@pytest.mark.parametrize(
    ("call", "fields"),
    [
        (lambda: MIDDLE.play("B2"), ("B2", "___/_X_/___ O", "tictac", None, None)),
        (lambda: MIDDLE.play("nonsense"), ("nonsense", "___/_X_/___ O", "tictac", None, None)),
        # The move is reported as given, even if it does not exist.
        (lambda: MIDDLE.play(4), (4, "___/_X_/___ O", "tictac", None, None)),
        (lambda: MIDDLE.play(10**30), (10**30, "___/_X_/___ O", "tictac", None, None)),
        (
            lambda: petteia.Record.from_text("tictac X: B2 C2 B2"),
            ("B2", "___/_X_/_O_ X", "tictac", 3, None),
        ),
        (
            lambda: petteia.Record(petteia.Reversi(2, 2), ["a1", "a1"]),
            ("a1", "D_/__ L", "reversi", 2, None),
        ),
        (lambda: petteia.Record(petteia.Quarto()).play(31), (31, petteia.Quarto().text, "quarto", 1, None)),
        (
            lambda: petteia.VectorEnv("tictac", 3).step([0, 90, 0]),
            (90, "___/___/___ X", "tictac", None, 1),
        ),
        (
            lambda: petteia.tictac.evaluate("1 X B2\n2 O B2\n"),
            ("2 O B2", "___/_X_/___ O", "tictac", 2, None),
        ),
    ],
)
def test_illegal_moves_have_fields(call: Callable[[], object], fields: tuple[Any, ...]) -> None:
    error, (move, text, game, _, _) = raised(call), fields
    assert isinstance(error, petteia.IllegalMove)
    assert (error.move, error.position, error.game, error.ply, error.lane) == fields
    if isinstance(move, int) and move < 32:
        move = petteia.GAMES[game].from_text(text).move(move)
    assert text in str(error) and str(move) in str(error)


@pytest.mark.parametrize(
    ("call", "text", "ply"),
    [
        (lambda: petteia.Reversi.from_text("D_/__"), "D_/__", None),
        (lambda: petteia.TicTac().action("Z9"), "Z9", None),
        (lambda: petteia.Record.from_text("chess: e4"), "chess", None),
        (lambda: petteia.Record.from_text("reversi 9 9:"), "9 9", None),
        (lambda: petteia.Record.from_text("tictac X: B2 Q9"), "Q9", 2),
        (lambda: petteia.bots.named("clever"), "clever", None),
        (lambda: petteia.tictac.parse_move("1 X D4"), "1 X D4", None),
        (lambda: petteia.tictac.evaluate("1 X B2\n2 O\n"), "2 O", 2),
    ],
)
def test_parse_errors_have_fields(call: Callable[[], object], text: str, ply: int | None) -> None:
    error = raised(call)
    assert type(error) is petteia.ParseError
    assert (error.text, error.ply) == (text, ply)
    assert text in str(error) and error.expected
    assert str(error).endswith(error.expected)


def test_exceptions_keep_their_fields() -> None:
    errors = [
        raised(lambda: MIDDLE.play(4)),
        raised(lambda: petteia.Record.from_text("tictac X: B2 B2")),
        raised(lambda: petteia.VectorEnv("tictac", 3).step([0, 0, 9])),
        raised(lambda: petteia.tictac.evaluate("1 X B2\n2 O B2\n")),
        raised(lambda: petteia.Record.from_text("tictac X: B2 Q9")),
    ]
    for error in errors:
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(again) is type(error)
            assert str(again) == str(error) and vars(again) == vars(error)
            assert any(value is not None for value in vars(again).values())


def test_exceptions_that_others_raise_have_empty_fields() -> None:
    for kind, fields in (
        (petteia.IllegalMove, ("move", "position", "game", "ply", "lane")),
        (petteia.InvalidMove, ("move", "position", "game", "ply", "lane")),
        (petteia.ParseError, ("text", "expected", "ply")),
    ):
        error = kind("somebody's own words")
        assert str(error) == "somebody's own words"
        assert [getattr(error, field) for field in fields] == [None] * len(fields)


def test_a_bot_that_cheats_is_named_with_the_move() -> None:
    class Cheat:
        def choose(self, position: Any) -> str:
            return "B2"

        def __repr__(self) -> str:
            return "Cheat()"

    error = raised(lambda: petteia.match(Cheat(), Cheat(), "tictac", 1))
    assert isinstance(error, petteia.IllegalMove) and str(error).startswith("Cheat(): ")
    assert (error.move, error.position, error.game) == ("B2", "___/_X_/___ O", "tictac")


def test_no_memory_is_a_memory_error() -> None:
    calls: list[Callable[[], object]] = [
        lambda: petteia.solve(petteia.Reversi(), table_mb=2**30),
        lambda: petteia.TicTac().perft(5, table_mb=2**30),
        lambda: petteia.VectorEnv("breakdown", 2**30, width=16384, height=16384),
    ]
    for call in calls:
        with exactly(MemoryError, "^no memory for "):
            call()


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory as Linux has them")
def test_copies_of_boards_without_memory() -> None:
    # Every copy of the board takes 64 MB, and there is room for one of them.
    code = """
import resource, petteia
board = petteia.Breakdown(16384, 16384)
own = petteia.Breakdown(16384, 16384).play("|1")
record = petteia.Record(own)
text = board.text
env = petteia.VectorEnv("breakdown", 1, width=8192, height=8192)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (48 << 20), -1))
calls = [
    lambda: board.play("|0"), lambda: board.transform(1), lambda: own.canonical(), lambda: board.text,
    lambda: str(board), lambda: repr(board), lambda: petteia.Breakdown.from_text(text),
    lambda: petteia.Breakdown(16384, 16384), lambda: board.cells, lambda: board.perft(2),
    lambda: petteia.playouts(board, 1),
    lambda: petteia.solve(board, time_limit=5.0), lambda: petteia.bots.Myopic().choose(board),
    lambda: petteia.mcts(board, 10), lambda: petteia.VectorEnv("breakdown", 4, width=16384, height=16384),
    lambda: petteia.Record(board), lambda: record.play("|1"), lambda: record.positions,
]

def fail(*calls):
    for number, call in enumerate(calls):
        try:
            call()
            print(number, "had memory")
        except MemoryError as error:
            assert str(error).startswith("no memory for "), error

fail(*calls)
# This one takes 8 MB.
resource.setrlimit(resource.RLIMIT_AS, (used + (4 << 20), -1))
fail(lambda: env.position(0), env.get_state)
print(board == board, board.turn)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (result.stdout, result.stderr) == ("True FIRST\n", "")
