"""Positions, records and other values: text, repr, hash, copies, pictures, arrays."""

import copy
import enum
import pickle
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import petteia
import pytest
from games import STARTS, AnyPosition, exactly, random_game
from petteia import bots, breakdown, quarto, reversi, tictac

EVERY = [position for start in STARTS for position in list(random_game(start, 7))[::5]]

VALUES: list[Any] = [
    *EVERY[::3],
    petteia.Outcome(),
    petteia.Outcome(petteia.Player.SECOND),
    petteia.Tally((1, 2), 3, 4),
    petteia.Record(petteia.Reversi(), ["d4", "e4"]),
    petteia.Record(petteia.Reversi().play("d4"), ["e4"]),
    tictac.Move(2, "O", "C2"),
    reversi.Move((2, 6), reversi.PositionSet([(2, 6), (2, 5)])),
    *petteia.Player,
    *tictac.Verdict,
    *reversi.Player,
    *quarto.Height,
]

model = reversi.Model(4, 4)
model.play_move((1, 1))
game = breakdown.Game(2, 2, 4, 5, "bits")
game.next = breakdown.Turn.WHITE_NEXT
game.drop_stick(1, True)

MUTABLE: list[Any] = [
    reversi.PositionSet([(0, 7), (2, 3)]),
    reversi.Board.from_rows(["D__", "__L"]),
    model,
    breakdown.Board.from_rows(["..", "*o"], "bits"),
    game,
]


@pytest.mark.parametrize("value", VALUES + MUTABLE, ids=repr)
def test_reprs_and_copies_rebuild(value: Any) -> None:
    assert eval(repr(value), {"petteia": petteia}) == value
    assert copy.copy(value) == copy.deepcopy(value) == value
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert type(again) is type(value)
    assert value != 0.5
    assert value != "x"
    assert (value == object()) is False


def even(_: Any, masks: Any) -> tuple[Any, Any]:
    return masks, np.zeros(len(masks))


START = petteia.TicTac.from_text("X_O/_X_/___ O")
board, pool = quarto.Board(), quarto.Pool()

# Everything else that is public and can be made.
OTHERS: list[Any] = [
    petteia.solve(START),
    petteia.mcts(START, 20),
    petteia.mcts(START, 20, evaluator=even),
    petteia.analyse(START, depth=2),
    petteia.analyse(START, depth=2).lines[0],
    petteia.evaluate(START),
    petteia.match("random", "myopic", "tictac", 4),
    petteia.selfplay_arrays("tictac", 2, even, simulations=5),
    petteia.VectorEnv("reversi", 3, start=petteia.Reversi.othello(), max_plies=9),
    bots.Random(),
    bots.Myopic(),
    bots.Mcts(10),
    bots.Perfect(100),
    bots.AlphaBeta(depth=2),
    bots.Level(1),
    bots.AlphaZero(even, 5, temperature=1.0),
    bots.Choice("A1", None, None),
    board,
    pool,
    quarto.Piece(),
    quarto.Square(),
    quarto.MyopicPlayer(board, pool, 7),
    *(kind("a message") for kind in (petteia.IllegalMove, petteia.InvalidMove, petteia.ParseError)),
    quarto.SquareException(quarto.Square(), "not empty", 1),
    quarto.UsedPieceException(quarto.Piece()),
    quarto.InvalidInputException("Z9"),
]


@pytest.mark.parametrize("value", OTHERS, ids=lambda value: type(value).__name__)
def test_everything_public_can_be_copied_and_pickled(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert type(again) is type(value)
        assert repr(again) == repr(value) or " at 0x" in repr(value)
    for again in (copy.copy(value), copy.deepcopy(value)):
        assert type(again) is type(value)


def test_no_public_class_was_forgotten() -> None:
    made = {type(value) for value in [*VALUES, *MUTABLE, *OTHERS]} | {petteia.SolvedTable}
    for module in (petteia, bots, breakdown, quarto, reversi, tictac):
        for name in getattr(module, "__all__", vars(module)):
            kind = getattr(module, name)
            if isinstance(kind, type) and kind.__module__.startswith("petteia") and not name.startswith("_"):
                is_made = kind in made or issubclass(kind, enum.Enum) or getattr(kind, "_is_protocol", False)
                # A human player holds streams; the others cannot be made.
                assert is_made or kind in (quarto.Player, quarto.HumanPlayer), f"{module.__name__}.{name}"


def test_a_player_of_quarto_goes_on_where_it_was() -> None:
    board, pool = quarto.Board(), quarto.Pool()
    player = quarto.MyopicPlayer(board, pool, 2019)
    while True:
        copies = [pickle.loads(pickle.dumps(player)), copy.deepcopy(player)]
        piece = player.select_piece()
        assert {str(one.select_piece()) for one in copies} == {str(piece)}
        square = player.select_square(piece)
        for one in copies:
            mine = next(other for other in one.pool.pieces if str(other) == str(piece))
            assert str(one.select_square(mine)) == str(square)
            # It has a board and a pool of its own.
            assert one.board is not board and one.pool is not pool
        board.place(piece, square)
        if board.is_winning(piece, square):
            return


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_are_hashable_and_frozen(value: Any) -> None:
    assert hash(value) == hash(pickle.loads(pickle.dumps(value)))
    if not isinstance(value, int):
        assert not hasattr(value, "__dict__")
        for name in ("new", "text", "winner", "wins", "number", "first"):
            with pytest.raises(AttributeError):
                setattr(value, name, 1)


@pytest.mark.parametrize("value", MUTABLE, ids=repr)
def test_what_changes_has_no_hash(value: Any) -> None:
    with pytest.raises(TypeError):
        hash(value)


def test_positions_tell_each_other_apart() -> None:
    assert len({*EVERY}) == len({(type(position), position.text) for position in EVERY})
    assert petteia.TicTac() != petteia.TicTac(first="O")
    assert petteia.Reversi(2, 3) != petteia.Reversi(3, 2)
    with pytest.raises(TypeError):
        _ = petteia.TicTac() < petteia.TicTac()  # type: ignore[operator]


def test_protocol() -> None:
    assert all(isinstance(start, petteia.Position) for start in STARTS)
    assert not isinstance("text", petteia.Position)

    def turn_after(position: petteia.Position) -> int | None:
        after: petteia.Position = position.play(position.moves[0])
        return after.turn

    assert turn_after(petteia.TicTac()) == petteia.Player.SECOND
    assert petteia.TicTac().play(petteia.TicTac().moves[0]).text == "X__/___/___ O"


def test_players_and_enums() -> None:
    assert petteia.TicTac().players == ("X", "O")
    assert petteia.TicTac(first="O").players == ("O", "X")
    assert petteia.Breakdown().players == ("black", "white")
    assert petteia.Reversi().players == ("dark", "light")
    assert petteia.Quarto().players == ("1", "2")
    assert [int(player) for player in petteia.Player] == [0, 1]
    assert petteia.Player.FIRST.other is petteia.Player.SECOND
    assert f"{petteia.Player.FIRST:>6}" == " FIRST"
    assert isinstance(petteia.Reversi().turn, petteia.Player)


def test_errors_quote() -> None:
    position = petteia.Reversi(2, 2).play("a1")
    with pytest.raises(petteia.IllegalMove, match=r'"a1" in reversi "D_/__ L": the legal moves are b1 a2 b2'):
        position.play("a1")
    with pytest.raises(petteia.IllegalMove, match=r'"h9"'):
        position.play("h9")
    with pytest.raises(petteia.ParseError, match=r'"c1"?.*2 to 8|c1.*board'):
        position.action("c1")
    with exactly(IndexError, "^invalid action 4: expected 0 to 3$"):
        position.move(4)
    with pytest.raises(petteia.ParseError, match='"D_/__"'):
        petteia.Reversi.from_text("D_/__")
    for error in (petteia.IllegalMove, petteia.ParseError, petteia.InvalidMove):
        assert issubclass(error, ValueError)
        assert error.__module__ == "petteia"
    assert issubclass(petteia.InvalidMove, petteia.IllegalMove)


def test_subclasses_are_taken_for_what_they_are() -> None:
    class Text(str):
        def __str__(self) -> str:
            return "nonsense"

    class Number(int):
        def __index__(self) -> int:
            return 99

    class Indexed:
        def __index__(self) -> int:
            return 4

    start = petteia.TicTac()
    middle = start.play("B2")
    for move in (Text("B2"), Number(4), Indexed(), np.int64(4), np.uint8(4), np.str_("B2")):
        assert start.play(move) == middle
    with pytest.raises(TypeError, match="not bool"):
        start.play(True)


def test_pictures() -> None:
    for position in EVERY:
        root = ElementTree.fromstring(position._repr_svg_())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
    start = petteia.TicTac().play("B2")
    assert "Last move: B2" in start.svg(last="B2")
    assert start.svg(last=4) == start.svg(last="B2")
    assert len({start.svg(theme="auto"), start.svg(theme="light"), start.svg(theme="dark")}) == 3
    assert start.svg(legal=True) == start._repr_svg_() != start.svg()
    with exactly(ValueError, '^invalid theme "blue": expected auto, light or dark$'):
        start.svg(theme="blue")  # type: ignore[arg-type]
    with pytest.raises(petteia.ParseError):
        start.svg(last="Z9")


@pytest.mark.parametrize("position", EVERY, ids=lambda position: position.text)
def test_arrays(position: AnyPosition) -> None:
    cells, planes = position.array, position.observation()
    assert cells.dtype == np.int8
    assert planes.dtype == np.uint8
    assert planes.shape[1:] == cells.shape
    if isinstance(position, petteia.Quarto):
        hand = 0 if position.hand is None else 16 + position.action(position.hand)
        here = np.where(cells < 0, 0, cells + 16)
        for plane in range(5):
            assert (planes[plane] == (here >> (4 - plane) & 1)).all()
            assert (planes[plane + 5] == (hand >> (4 - plane) & 1)).all()
    else:
        mine = 2 if position.turn == petteia.Player.SECOND else 1
        assert (planes == [cells == mine, cells == 3 - mine]).all()
    cells[:] = 0
    assert type(position).from_text(position.text) == position, "an array is a copy"


def test_records() -> None:
    record = petteia.Record.from_text("breakdown 4 5 2 2: |0 -2 -0 -1 !")
    assert record.text == str(record) == "breakdown 4 5 2 2: |0 -2 -0 -1 !"
    assert record.moves == ["|0", "-2", "-0", "-1", "!"]
    assert len(record) == 5
    assert len(record.positions) == 6
    assert record.positions[0] == record.start == petteia.Breakdown()
    assert record.positions[-1] == record.last
    assert [move for move, _ in record.replay()] == record.moves
    assert [position for _, position in record.replay()] == record.positions[1:]
    assert petteia.Record(petteia.Breakdown(), [0, "-2", 4, "-1", 8]) == record
    assert petteia.Record(petteia.Breakdown(), iter(record.moves)) == record
    assert petteia.Record(petteia.Breakdown()).play("|0").play(6).moves == ["|0", "-2"]
    assert record.outcome is None
    for line in ("tictac O: B2", "quarto: SBCH A1 TEQO B2", "reversi 8 8:", "quarto:"):
        assert petteia.Record.from_text(line).text == line
    won = petteia.Record.from_text("tictac X: A1 B1 A2 B2 A3")
    assert won.outcome == petteia.Outcome(petteia.Player.FIRST)


def test_records_that_are_none() -> None:
    for line in (
        "",
        "chess:",
        "reversi 8 8",
        "reversi 9 9:",
        "reversi 8 8: ",
        "tictac X:  B2",
        "tictac X: Q9",
    ):
        with pytest.raises(petteia.ParseError):
            petteia.Record.from_text(line)
    with pytest.raises(petteia.IllegalMove, match="ply 2"):
        petteia.Record.from_text("tictac X: B2 B2")
    with pytest.raises(petteia.IllegalMove, match="ply 2"):
        petteia.Record(petteia.TicTac(), ["B2", "B2"])
    with pytest.raises(petteia.IllegalMove, match="ply 3"):
        petteia.Record(petteia.TicTac(), ["B2", "A1"]).play("B2")
    with pytest.raises(TypeError):
        petteia.Record(petteia.TicTac(), "B2")
    middle = petteia.Record(petteia.TicTac().play("B2"))
    assert middle.text == "tictac X from ___/_X_/___ O:"


def test_record_in_a_notebook() -> None:
    record = petteia.Record.from_text("tictac X: B2 C2 C3")
    html = record._repr_html_()
    assert html.count("<svg") == 4
    assert html.count("<figure hidden>") == 3
    assert html.count("<input") == 1
    for _ in range(3):
        record = petteia.Record(petteia.Breakdown(), ["!"] * 1000)
    assert record._repr_html_().count("<svg") == 256
