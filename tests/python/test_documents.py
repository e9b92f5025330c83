"""The APIs of the documents, against the vectors and the texts of the documents."""

import hashlib
import io
from collections.abc import MutableSet
from typing import Any

import numpy as np
import petteia
import pytest
from games import exactly, vectors
from petteia import breakdown, quarto, reversi, tictac
from petteia.breakdown import Cell, Turn
from petteia.reversi import Player, PositionSet, other_player


def verdict(record: str | bytes) -> tuple[int, str]:
    """Return the exit code and the output of the game evaluator."""
    try:
        return 0, tictac.evaluate(record)
    except petteia.ParseError:
        return 1, "Parse error."
    except petteia.InvalidMove:
        return 2, "Invalid move."


def test_tictac_vectors() -> None:
    records = vectors("tictac")["records"]
    codes = {2: 7, 1: 6}
    for record in records:
        assert verdict(record["text"]) == (record["exit"], record["output"])
        assert verdict(record["text"].encode()) == (record["exit"], record["output"])
    many = tictac.evaluate_many(record["text"] for record in records)
    assert many.dtype == np.uint8
    assert many.shape == (len(records),)
    for record, number in zip(records, many.tolist()):
        assert number == codes[record["exit"]] if record["exit"] else number < 6
    assert tictac.evaluate_many([]).tolist() == []
    assert tictac.evaluate_many(np.array([b"1 X B2", b""])).tolist() == [2, 0]
    for line in vectors("tictac")["lines"]:
        first = line["text"].split("\n")[0]
        if line["exit"]:
            with pytest.raises(petteia.ParseError):
                tictac.parse_move(first)
        else:
            assert str(tictac.parse_move(first)) == line["output"]


def test_tictac_errors_say_where() -> None:
    with pytest.raises(petteia.ParseError, match=r'ply 2: invalid move "2 O"'):
        tictac.evaluate("1 X B2\n2 O\n")
    with pytest.raises(petteia.InvalidMove, match='ply 2: illegal move "2 X A1" in tictac "___/_X_/___ O"'):
        tictac.evaluate(b"1 X B2\n2 X A1")
    assert tictac.evaluate(b"1 X B2 # \xff\xfe") == "Game in progress: O's turn."
    assert tictac.evaluate("1 X B2 # \ud800") == "Game in progress: O's turn."
    for wrong in (None, 1, ["1 X B2"], bytearray(b"1 X B2")):
        with pytest.raises(TypeError):
            tictac.evaluate(wrong)  # type: ignore[arg-type]
    for one in ("1 X B2", b"1 X B2", 5, [5]):
        with pytest.raises(TypeError):
            tictac.evaluate_many(one)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["matrix", "bits"])
def test_breakdown_vectors(kind: Any) -> None:
    outcomes = {outcome.name.lower(): outcome for outcome in breakdown.Outcome}
    for vector in vectors("breakdown")["games"]:
        game = breakdown.Game(vector["k"], vector["q"], vector["w"], vector["h"], kind)
        for step in vector["steps"]:
            if step["m"] == "!":
                game.breakdown()
                moved = True
            else:
                moved = game.drop_stick(step["m"][1], step["m"][0] == "|")
            assert moved == step["ok"]
            assert game.outcome() == outcomes[step["outcome"]]
            if moved:
                game.next = Turn(1 - game.next)
            if "show" in step:
                assert str(game.board) == step["show"]
                if kind == "bits":
                    assert game.board.bits == step["bits"]
    for vector in vectors("breakdown")["positions"]:
        board = breakdown.Board.from_rows(vector["rows"], kind)
        game = breakdown.Game.on_board(vector["k"], vector["q"], board)
        assert game.board is board
        assert game.outcome() == outcomes[vector["outcome"]]
        game.breakdown()
        assert board == breakdown.Board.from_rows(vector["after_breakdown"], kind)


def test_breakdown_boards() -> None:
    board = breakdown.Board(5, 3, "bits")
    for i in range(15):
        board[i // 5, i % 5] = Cell(i % 3)
    assert board.bits == [0x24924924]
    assert (board.width, board.height, board.kind) == (5, 3, "bits")
    board[0, 0] = Cell.WHITE
    assert board[0, 0] is Cell.WHITE
    for place in ((-1, 0), (0, -1), (3, 0), (0, 5), (10**30, 0)):
        with pytest.raises(IndexError):
            board[place]
        with pytest.raises(IndexError):
            board[place] = Cell.BLACK
    with pytest.raises(ValueError, match="Cell 3"):
        board[0, 0] = 3
    with pytest.raises(AttributeError):
        _ = breakdown.Board(5, 3, "matrix").bits
    for size in ((0, 1), (1, 0), (-1, 1), (2**28, 2), (10**30, 1)):
        with exactly(ValueError, "^invalid (width|height|board size) .*: expected"):
            breakdown.Board(*size)
    with exactly(ValueError, '^invalid kind "hex": expected'):
        breakdown.Board(2, 2, "hex")  # type: ignore[arg-type]
    assert breakdown.Board(2, 2, "bits") != breakdown.Board(2, 2, "matrix")


def test_breakdown_columns_off_the_board_have_no_room() -> None:
    game = breakdown.Game(2, 2, 4, 5)
    for column in (-1, 4, 2**32 - 1, 2**32, 10**30):
        assert game.drop_stick(column, True) is False
    assert game.drop_stick(3, False) is False
    assert game.drop_stick(3, 7) is True
    with pytest.raises(ValueError, match="Turn"):
        game.next = 2


def test_position_sets() -> None:
    a, b = PositionSet([(0, 7), (2, 3)]), PositionSet([(2, 3), (4, 1)])
    assert str(a) == "{{0, 7}, {2, 3}}"
    assert str(PositionSet()) == "{}"
    assert list(a | b) == [(0, 7), (2, 3), (4, 1)]
    assert list(a & b) == [(2, 3)]
    assert list(a ^ b) == [(0, 7), (4, 1)]
    assert list(a - b) == [(0, 7)]
    assert len(~a) == 62
    assert a & ~a == PositionSet()
    assert (a & b) <= a <= a
    assert (a & b) < a
    assert not a < a
    assert a > (a & b)
    assert a[0, 7]
    assert not a[7, 0]
    assert (0, 7) in a
    assert (9, 9) not in a
    c = a.copy()
    c |= b
    assert len(c) == 3
    c &= b
    assert c == b
    c ^= b
    assert c.empty()
    assert not c
    c[1, 1] = True
    c.add((1, 0))
    c[1, 1] = False
    assert c.pop() == (1, 0)
    c.discard((5, 5))
    with pytest.raises(KeyError):
        c.remove((5, 5))
    with pytest.raises(KeyError):
        c.pop()
    a.clear()
    assert a.empty()
    assert isinstance(a, MutableSet)
    assert PositionSet.from_bits(1 << 63).bits == 1 << 63
    assert list(PositionSet.from_bits(1 << 8)) == [(0, 1)]
    for place in ((8, 0), (0, -1), (10**30, 0)):
        with pytest.raises(IndexError):
            a[place]
        with pytest.raises(IndexError):
            a[place] = True


def test_reversi_boards() -> None:
    board = reversi.Board(3, 2)
    board.set_all(PositionSet([(0, 0), (1, 1)]), Player.DARK)
    board[2, 1] = Player.LIGHT
    assert str(board) == "D__\n_DL\n"
    assert [board.count_player(player) for player in Player] == [2, 1, 3]
    assert board.dimensions() == (3, 2)
    assert len(board.all_positions()) == 6
    assert list(board.center_positions()) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert len(set(reversi.Board.all_directions())) == 8
    assert board.positions(Player.LIGHT) == PositionSet([(2, 1)])
    for place in ((3, 0), (0, 2), (-1, 0)):
        with pytest.raises(IndexError):
            board[place]
    with pytest.raises(IndexError):
        board.set_all(PositionSet([(0, 0), (7, 7)]), Player.LIGHT)
    assert board[0, 0] is Player.DARK
    assert [str(player) for player in Player] == ["D", "L", "_"]
    assert [other_player(player) for player in Player] == [Player.LIGHT, Player.DARK, Player.NEITHER]


def test_reversi_vectors() -> None:
    for vector in vectors("reversi")["games"]:
        model = reversi.Model(vector["width"], vector["height"])
        for ply in vector["plies"]:
            assert model.turn.name.lower() == ply["turn"]
            assert not model.is_game_over
            assert model.winner is Player.NEITHER
            moves = {tuple(at): PositionSet(map(tuple, gained)) for at, gained in ply["moves"]}
            assert model.next_moves == moves
            assert list(model.next_moves) == sorted(moves)
            at = tuple(ply["played"])
            found = model.find_move(at)
            assert found is not None
            assert (found.first, found.second) == (at, moves[at])
            model.play_move(at)
            assert [model.board.count_player(player) for player in (Player.DARK, Player.LIGHT)] == ply[
                "counts"
            ]
        assert model.is_game_over
        assert model.turn is Player.NEITHER
        assert model.winner.name.lower() == vector["winner"]
        assert str(model.board).split() == [row.replace(".", "_") for row in vector["final"]]


def test_reversi_model() -> None:
    model = reversi.Model()
    for at in ((0, 0), (8, 8), (-1, 3), (10**30, 0)):
        assert model.find_move(at) is None
        with pytest.raises(petteia.IllegalMove):
            model.play_move(at)
    with pytest.raises(IndexError):
        model[8, 0]
    model.play_move((3, 3))
    assert model[3, 3] is Player.DARK
    assert str(model.find_move((4, 4))) == "Move{{4, 4}, {{4, 4}}}"
    with pytest.raises(TypeError):
        model.board[0, 0] = Player.DARK
    assert model[0, 0] is Player.NEITHER
    assert model.position == petteia.Reversi().play("d4")


def test_quarto_objects_are_shared() -> None:
    board, pool = quarto.Board(), quarto.Pool()
    piece = pool.get_unused_piece("SBCH")
    assert piece is pool.get_unused_piece(0)
    assert piece is pool.get_unused_piece(
        quarto.Height.SHORT, quarto.Color.BEIGE, quarto.Shape.CIRCLE, quarto.Top.HOLLOW
    )
    square = board.get_square("A1")
    assert square is board.get_empty_square(quarto.Vaxis.A, quarto.Haxis.H1)
    with pytest.raises(quarto.SquareException, match=r"^A1 is empty\.$"):
        square.get_piece()
    board.place(piece, square)
    assert square.get_piece() is piece
    assert piece.is_used()
    with pytest.raises(quarto.SquareException, match=r"^A1 is not empty\.$"):
        board.get_empty_square("A1")
    with pytest.raises(quarto.UsedPieceException, match=r"^SBCH is already used\.$"):
        pool.get_unused_piece("SBCH")
    for wrong in ("ABCD", "sbch", "SBC", "SBCHH", "", "SBC\ud800"):
        with pytest.raises(quarto.InvalidInputException):
            pool.get_unused_piece(wrong)
    with pytest.raises(quarto.InvalidInputException, match=r"^C5D is an invalid input\.$"):
        board.get_empty_square("C5D")
    other = pool.get_unused_piece("SBQO")
    assert piece.compare_height(other)
    assert piece.compare_color(other)
    assert not piece.compare_shape(other)
    assert not piece.compare_top(other)
    corner = board.get_square("D1")
    assert corner.is_on_second_diagonal()
    assert not corner.is_on_first_diagonal()
    assert (corner.get_v(), corner.get_h()) == (quarto.Vaxis.D, quarto.Haxis.H1)
    corner.set_v(quarto.Vaxis.B)
    corner.set_h(quarto.Haxis.H3)
    assert str(corner) == "B3"
    piece.set_used(False)
    assert pool.get_unused_piece("SBCH") is piece
    assert str(quarto.Pool()).startswith("Available:\nSB SB ")


def play_quarto(players: str, seed: int, stdin: str) -> str:
    """Play as the document's driver does and return its output."""
    board, pool, out = quarto.Board(), quarto.Pool(), io.StringIO()
    human = quarto.HumanPlayer(board, pool, io.StringIO(stdin), out)
    myopic = quarto.MyopicPlayer(board, pool, seed)
    seats: list[quarto.Player] = [human if player == "h" else myopic for player in players]
    out.write(f"{board}\n{pool}\n")
    i = 0
    for _ in range(16):
        j = 1 - i
        out.write(f"Player {i + 1}'s turn to select a piece:\n")
        piece = seats[i].select_piece()
        out.write(f"{piece} selected.\n\nPlayer {j + 1}'s turn to select a square:\n")
        square = seats[j].select_square(piece)
        out.write(f"{square} selected.\n\n")
        board.place(piece, square)
        out.write(f"{board}\n{pool}\n")
        if board.is_winning(piece, square):
            return out.getvalue() + f"Player {j + 1} has won!\n"
        i = j
    return out.getvalue() + "It is a draw.\n"


def test_quarto_players() -> None:
    data = vectors("quarto")
    for run in data["myopic"]:
        assert play_quarto("mm", run["seed"], "") == run["stdout"]
    for run in data["mixed"]:
        assert play_quarto(run["players"], run["seed"], run["stdin"]) == run["stdout"]
    text = play_quarto("mm", 2019, "")
    assert hashlib.md5(text.encode()).hexdigest() == "6bad5659fb72cf2366721038f42530f9"
    with pytest.raises(EOFError):
        play_quarto("hh", 0, "SBCH A1 ")


def test_quarto_choices_that_there_are_not() -> None:
    board, pool = quarto.Board(), quarto.Pool()
    for piece, square in zip(pool.pieces, board.squares):
        board.place(piece, square)
    player = quarto.MyopicPlayer(board, pool, 1)
    with pytest.raises(ValueError, match="nothing left"):
        player.select_piece()
    with pytest.raises(ValueError, match="nothing left"):
        player.select_square(quarto.Piece())
    assert str(pool) == ""
    for seed in (-1, 2**32):
        with exactly(ValueError, f"^invalid seed {seed}: expected 0 to {2**32 - 1}$"):
            quarto.MyopicPlayer(board, pool, seed)
