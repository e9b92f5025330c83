"""Any arguments to any function: a result or an ordinary exception, never a panic."""

import contextlib
import io
from collections.abc import Callable
from typing import Any

import petteia
import pytest
from games import STARTS, exactly
from hypothesis import given, settings
from hypothesis import strategies as st
from petteia import breakdown, quarto, reversi, tictac


class Text(str):
    pass


class Number(int):
    pass


class Indexed:
    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


class Broken:
    """An object whose every operation fails."""

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __iter__(self) -> Any:
        raise ZeroDivisionError

    def __len__(self) -> int:
        raise ZeroDivisionError

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    __hash__ = None  # type: ignore[assignment]


# Boards of up to 40 by 40 are fast, and the larger numbers are too large for any board.
integers = st.one_of(
    st.integers(-3, 40),
    st.sampled_from([2**31, 2**32 - 1, 2**32, 2**63, 2**64, -(2**63), -(2**64), 10**30, 10**5000]),
).filter(lambda number: number < 41 or number > 2**29)
texts = st.one_of(
    st.text(st.characters(), max_size=8),  # including lone surrogates
    st.sampled_from(
        ["B2", "d4", "|0", "!", "SBCH", "A1", "X", "matrix", "bits", "auto", "tictac X: B2", "\ud800"]
    ),
    st.sampled_from([position.text for position in STARTS]),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    integers,
    integers.map(Number),
    integers.map(Indexed),
    st.floats(),
    st.complex_numbers(),
    texts,
    texts.map(Text),
    st.binary(max_size=8),
    st.binary(max_size=8).map(bytearray),
    st.builds(object),
    st.builds(Broken),
    st.sampled_from(
        [*STARTS, reversi.PositionSet([(1, 1)]), quarto.Piece(), quarto.Square(), breakdown.Cell.BLACK]
    ),
)
anything = st.one_of(
    scalars,
    st.tuples(integers, integers),
    st.lists(scalars, max_size=4),
    st.tuples(scalars, scalars),
    st.lists(st.one_of(st.none(), st.integers(0, 15)), min_size=16, max_size=16),
    st.dictionaries(texts, integers, max_size=2),
)

MODULES = [petteia, tictac, breakdown, reversi, quarto, petteia._petteia]
CALLABLES: dict[str, Callable[..., Any]] = {
    f"{module.__name__}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if callable(value) and not name.startswith("__") and name not in ("Any", "TextIO", "ABC", "overload")
}


def objects() -> list[Any]:
    """Return a new object of each class."""
    board, pool = quarto.Board(), quarto.Pool()
    return [
        *STARTS,
        petteia.Outcome(),
        petteia.Tally(),
        petteia.Record(petteia.TicTac()),
        tictac.Move(1, "X", "B2"),
        breakdown.Board(3, 3),
        breakdown.Board(3, 3, "bits"),
        breakdown.Game(2, 2, 4, 5),
        reversi.PositionSet(),
        reversi.Board(),
        reversi.Model(),
        reversi.Move((0, 0), reversi.PositionSet()),
        board,
        pool,
        quarto.Piece(),
        quarto.Square(),
        quarto.MyopicPlayer(board, pool, 1),
        quarto.HumanPlayer(board, pool, io.StringIO("SBCH A1"), io.StringIO()),
    ]


SKIPPED = {"perft", "__init_subclass__", "__subclasshook__", "__class__", "__getattribute__", "__dir__"}
NAMES = {type(value): sorted(set(dir(type(value))) - SKIPPED) for value in objects()}


def attempt(call: Callable[..., Any], *arguments: Any) -> None:
    """Call and print the result; any Exception may be raised, but a panic is not one."""
    with contextlib.suppress(Exception):
        result = call(*arguments)
        repr(result)
        str(result)


@given(st.data())
@settings(max_examples=600, deadline=None)
def test_functions_and_constructors(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(CALLABLES)))
    if name.endswith(("playouts", "Protocol", "command")):
        return
    arguments = data.draw(st.lists(anything, max_size=5))
    attempt(CALLABLES[name], *arguments)


@given(st.data())
@settings(max_examples=1500, deadline=None)
def test_methods(data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(objects()))
    name = data.draw(st.sampled_from(NAMES[type(value)]))
    arguments = data.draw(st.lists(anything, max_size=4))
    attempt(lambda: getattr(value, name)(*arguments))
    attempt(setattr, value, name, data.draw(anything))


@given(anything, anything, anything)
@settings(max_examples=300, deadline=None)
def test_long_calls(depth: Any, threads: Any, table: Any) -> None:
    for start in (petteia.TicTac(), petteia.Breakdown(2, 2, 2, 2), petteia.Reversi(2, 2)):
        small = depth if not isinstance(depth, int) or depth < 6 or depth > 2**29 else 5
        megabytes = 1 if isinstance(table, (int, Indexed)) else table
        attempt(lambda: start.perft(small, threads=threads, table_mb=megabytes))  # noqa: B023
        games = depth if not isinstance(depth, (int, Indexed)) else 5
        attempt(petteia.playouts, start, games, threads, 2, table)
        attempt(petteia.playouts, start, 5, threads, depth)


@given(anything)
@settings(max_examples=500, deadline=None)
def test_play_raises_what_it_says(move: Any) -> None:
    for start in STARTS:
        try:
            assert isinstance(start.play(move), type(start))
        except petteia.IllegalMove as error:
            assert isinstance(move, (str, int, Indexed)) and not isinstance(move, bool)
            assert start.text[:200] in str(error)
        except (TypeError, ZeroDivisionError):
            assert isinstance(move, bool) or not isinstance(move, (str, int, Indexed))


@given(texts)
@settings(max_examples=500, deadline=None)
def test_texts_are_read_or_refused(text: str) -> None:
    for start in STARTS:
        with contextlib.suppress(petteia.ParseError):
            assert start.from_text(text).text == text
        with contextlib.suppress(petteia.ParseError):
            assert start.move(start.action(text)) == text
    with contextlib.suppress(petteia.ParseError, petteia.IllegalMove):
        assert petteia.Record.from_text(text).text == text


@pytest.mark.parametrize("wrong", [1.5, "3", None, b"3", [], True, float("nan"), -1, 10**30])
def test_numbers(wrong: Any) -> None:
    calls: dict[str, Callable[[], object]] = {
        "width": lambda: petteia.Reversi(wrong, 8),
        "height": lambda: petteia.Breakdown(4, wrong),
        "depth": lambda: petteia.TicTac().perft(wrong),
        "threads": lambda: petteia.TicTac().perft(1, threads=wrong),
        "n": lambda: petteia.playouts(petteia.TicTac(), wrong),
        "seed": lambda: petteia.playouts(petteia.TicTac(), 1, seed=wrong),
        "action": lambda: petteia.TicTac().move(wrong),
        "symmetry": lambda: petteia.TicTac().transform(wrong),
    }
    for name, call in calls.items():
        if wrong is None and name in ("threads", "seed"):
            call()
        elif not isinstance(wrong, int) or isinstance(wrong, bool):
            with pytest.raises(TypeError, match=f"^expected {name} as an int, not {type(wrong).__name__}$"):
                call()
        else:
            # An action is an index; everything else is a value out of range.
            with exactly(
                IndexError if name == "action" else ValueError, f"^invalid {name} {wrong}: expected"
            ):
                call()


def test_none_is_not_the_same_as_nothing() -> None:
    for call in (
        lambda: petteia.TicTac(None),  # type: ignore[arg-type]
        lambda: petteia.TicTac().svg(theme=None),  # type: ignore[arg-type]
        lambda: petteia.Record(petteia.TicTac(), None),  # type: ignore[arg-type]
        lambda: breakdown.Board(2, 2, None),  # type: ignore[arg-type]
        lambda: reversi.PositionSet(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            call()
