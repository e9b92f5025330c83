"""The classes of the documents, used as a student would who knows the document: right, and wrong."""

from __future__ import annotations

import copy
import hashlib
import io
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import petteia
import pytest
from games import exactly, vectors
from petteia import breakdown, quarto, reversi, tictac
from petteia.quarto import (
    Board,
    InvalidInputException,
    MyopicPlayer,
    Piece,
    Player,
    Pool,
    Square,
    SquareException,
    UsedPieceException,
)
from petteia.reversi import PositionSet

DARK, LIGHT, NEITHER = reversi.Player

# ---------------------------------------------------------------- Reversi: what a model hands out


def opened() -> reversi.Model:
    model = reversi.Model()
    for position in [(3, 3), (4, 3), (4, 4), (3, 4)]:
        model.play_move(position)
    return model


def test_the_board_of_a_model_is_the_models() -> None:
    model = reversi.Model()
    board = model.board
    assert model.board is board
    model.play_move((3, 3))
    assert board[3, 3] is DARK, "it shows the game as it goes on"
    with pytest.raises(petteia.IllegalMove):
        model.play_move((0, 0))
    assert str(board) == str(model)


@pytest.mark.parametrize(
    "change",
    [
        lambda board: board.__setitem__((2, 2), DARK),
        lambda board: board.set_all(PositionSet([(2, 2)]), DARK),
        lambda board: board.set_all(PositionSet(), DARK),
    ],
)
def test_a_board_of_a_model_refuses_changes(change: Callable[[reversi.Board], object]) -> None:
    model = opened()
    before = str(model)
    with exactly(TypeError, r"^this board belongs to a model.*play_move.*copy\(\)"):
        change(model.board)
    assert str(model) == str(model.board) == before
    for own in (
        model.board.copy(),
        copy.copy(model.board),
        copy.deepcopy(model.board),
        pickle.loads(pickle.dumps(model.board)),
    ):
        assert own == model.board
        own[2, 2] = DARK
        assert own[2, 2] is DARK
    assert str(model) == before
    assert copy.deepcopy(model).board is not model.board


def changes_of_a_set() -> list[Callable[[PositionSet], object]]:
    other = PositionSet([(0, 0), (4, 3)])
    return [
        lambda pset: pset.__setitem__((0, 0), True),
        lambda pset: pset.__setitem__((0, 0), False),
        lambda pset: pset.add((0, 0)),
        lambda pset: pset.discard((0, 0)),
        lambda pset: pset.remove((4, 2)),
        lambda pset: pset.pop(),
        lambda pset: pset.clear(),
        lambda pset: pset.__ior__(other),
        lambda pset: pset.__iand__(other),
        lambda pset: pset.__ixor__(other),
        lambda pset: pset.__isub__(other),
    ]


@pytest.mark.parametrize("change", changes_of_a_set())
def test_sets_of_a_move_or_a_model_refuse_changes(change: Callable[[PositionSet], object]) -> None:
    model = opened()
    found = model.find_move((4, 2))
    assert found is not None
    made = reversi.Move((4, 2), PositionSet([(4, 2), (4, 3)]))
    for view in (found.second, made.second, model.next_moves[4, 2], dict(model.next_moves)[4, 2]):
        with exactly(TypeError, r"^this set belongs to a move.*copy\(\)"):
            change(view)
        assert view == PositionSet([(4, 2), (4, 3)])
        change(view.copy())
        change(copy.copy(view))
        change(pickle.loads(pickle.dumps(view)))
    assert found == made == model.find_move((4, 2))
    with pytest.raises(AttributeError):
        found.second = PositionSet()  # type: ignore[misc]


def test_a_move_keeps_the_set_it_was_made_of() -> None:
    gained = PositionSet([(4, 2)])
    move = reversi.Move((4, 2), gained)
    gained[0, 0] = True
    assert str(move) == "Move{{4, 2}, {{4, 2}}}"


def test_the_moves_of_a_model_refuse_changes() -> None:
    model = opened()
    before = dict(model.next_moves)
    assert isinstance(model.next_moves, dict)
    changes: list[Callable[[Any], object]] = [
        lambda moves: moves.__setitem__((0, 0), PositionSet()),
        lambda moves: moves.__delitem__((4, 2)),
        lambda moves: moves.__ior__({}),
        lambda moves: moves.clear(),
        lambda moves: moves.pop((4, 2)),
        lambda moves: moves.popitem(),
        lambda moves: moves.setdefault((0, 0), PositionSet()),
        lambda moves: moves.update({}),
    ]
    for change in changes:
        with exactly(TypeError, r"^these moves belong to a model.*play_move.*dict\("):
            change(model.next_moves)
        for own in (model.next_moves.copy(), dict(model.next_moves), copy.deepcopy(model.next_moves)):
            change(own)
    assert model.next_moves == before
    again = pickle.loads(pickle.dumps(model.next_moves))
    assert again == before
    assert repr(model.next_moves) == repr(before)
    old = model.next_moves
    model.play_move((4, 2))
    assert old == before, "what was legal then"
    assert model.next_moves != before


def test_sets_change_in_place() -> None:
    a, b = PositionSet([(0, 0), (1, 1)]), PositionSet([(1, 1), (2, 2)])
    for operator, left in [
        ("__ior__", [(0, 0), (1, 1), (2, 2)]),
        ("__iand__", [(1, 1)]),
        ("__ixor__", [(0, 0), (2, 2)]),
        ("__isub__", [(0, 0)]),
    ]:
        here = same = a.copy()
        namespace = {"here": here, "b": b}
        sign = {"__ior__": "|", "__iand__": "&", "__ixor__": "^", "__isub__": "-"}[operator]
        exec(f"here {sign}= b", namespace)
        assert namespace["here"] is same, "every name for the set sees the change, as in the document"
        assert list(same) == left
        with pytest.raises(TypeError):
            exec(f"here {sign}= [(0, 0)]", namespace)
        assert list(same) == left
    a |= a
    assert list(a) == [(0, 0), (1, 1)]
    a ^= a
    assert a.empty()


# ---------------------------------------------------------------- Reversi: the suggested helpers


def test_simple_flips_case() -> None:
    """Figure 3 of the document."""
    board = reversi.Board()
    board[2, 2] = DARK
    board[2, 3] = LIGHT
    assert board.find_flips((2, 4), (0, 1), DARK).empty()
    assert board.find_flips((2, 4), (0, -1), DARK) == PositionSet([(2, 3)])
    assert board.find_flips(pos=(2, 4), dir=(0, -1), player=LIGHT).empty()
    assert board.evaluate_position((2, 4), DARK) == PositionSet([(2, 3), (2, 4)])
    assert board.evaluate_position(pos=(2, 4), player=LIGHT).empty()
    assert board.evaluate_position((2, 1), LIGHT) == PositionSet([(2, 1), (2, 2)])
    assert board.evaluate_position((2, 2), LIGHT).empty(), "it is occupied"
    board.find_flips((2, 4), (0, -1), DARK).clear()
    assert str(board).count("D") == 1


def flips(cells: dict[tuple[int, int], int], start: tuple[int, int], step: tuple[int, int], mine: int) -> Any:
    """Return the line of flips, as section 6.2 describes the search."""
    found: set[tuple[int, int]] = set()
    at = start
    while True:
        at = (at[0] + step[0], at[1] + step[1])
        if cells.get(at, 2) == 2:
            return set()
        if cells[at] == mine:
            return found
        found.add(at)


def test_helpers_on_arbitrary_boards() -> None:
    choose = random.Random(5)
    found = 0
    for _ in range(60):
        width, height = choose.randint(2, 8), choose.randint(2, 8)
        board = reversi.Board(width, height)
        cells = {(x, y): choose.choice((0, 0, 1, 1, 2)) for x in range(width) for y in range(height)}
        for at, owner in cells.items():
            board[at] = owner
        for at, mine in itertools.product(cells, (DARK, LIGHT)):
            union = set()
            for step in reversi.Board.all_directions():
                wanted = flips(cells, at, step, mine)
                assert set(board.find_flips(at, step, mine)) == wanted
                union |= wanted
            gained = {*union, at} if union and cells[at] == 2 else set()
            assert set(board.evaluate_position(at, mine)) == gained
            found += bool(gained)
    assert found > 200


def test_helpers_agree_with_the_model() -> None:
    for vector in vectors("reversi")["games"][:20]:
        model = reversi.Model(vector["width"], vector["height"])
        for ply in vector["plies"]:
            if all(model[at] is not NEITHER for at in model.board.center_positions()):
                here = {
                    at: model.board.evaluate_position(at, model.turn) for at in model.board.all_positions()
                }
                assert {at: gained for at, gained in here.items() if not gained.empty()} == model.next_moves
            model.play_move(tuple(ply["played"]))


def test_helpers_with_wrong_arguments() -> None:
    board = reversi.Board(3, 2)
    calls: list[Callable[[Any], object]] = [
        lambda at: board.find_flips(at, (0, 1), DARK),
        lambda at: board.evaluate_position(at, DARK),
    ]
    for call in calls:
        for at in ((3, 0), (0, 2), (-1, 0), (10**30, 0)):
            with exactly(IndexError, "^no square at x .*: expected an x below 3 and a y below 2$"):
                call(at)
        for wrong in ("a1", None, 3, (1,), (1, 2, 3)):
            with exactly(TypeError, "^expected position as a pair of integers, not "):
                call(wrong)
    for step in ((0, 0), (2, 0), (1, -2), (10**30, 0)):
        with exactly(
            ValueError, r"^invalid dir \(.*\): expected a step of -1, 0 or 1 in x and in y, not both 0$"
        ):
            board.find_flips((0, 0), step, DARK)
    with pytest.raises(TypeError):
        board.find_flips((0, 0), "up", DARK)  # type: ignore[arg-type]
    for nobody in (NEITHER, 2):
        with exactly(ValueError, r"^invalid player NEITHER: expected Player.DARK or Player.LIGHT$"):
            board.find_flips((0, 0), (0, 1), nobody)
        with exactly(ValueError, r"^invalid player NEITHER: expected Player.DARK or Player.LIGHT$"):
            board.evaluate_position((0, 0), nobody)
    with exactly(ValueError, "^invalid Player 3: expected 0 to 2$"):
        board.evaluate_position((0, 0), 3)


# ---------------------------------------------------------------- moves that are refused


@pytest.mark.parametrize(
    ("record", "ply", "reason"),
    [
        ("2 X B2", 1, "the number should be 1"),
        ("1 X B2\n3 O A1", 2, "the number should be 2"),
        ("1 X B2\n1 O A1", 2, "the number should be 2"),
        ("1 O B2\n2 O A1", 2, "it is X's turn"),
        ("1 X B2\n2 X A1", 2, "it is O's turn"),
        ("1 X B2\n3 X A1", 2, "the number should be 2, and it is O's turn"),
        ("1 X B2\n2 O B2", 2, "B2 is taken; the legal moves are A1 A2 A3 B1 B3 C1 C2 C3"),
        ("1 X B2\n2 X B2", 2, "it is O's turn, and B2 is taken"),
        ("1 X B2\n9 X B2", 2, "the number should be 2, it is O's turn, and B2 is taken"),
        ("1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n6 O B3", 6, "the game is over"),
        ("1 X A1\n2 O B1\n3 X A2\n4 O B2\n5 X A3\n9 X A1", 6, "the game is over"),
    ],
)
def test_invalid_moves_name_the_fault(record: str, ply: int, reason: str) -> None:
    with pytest.raises(petteia.InvalidMove) as caught:
        tictac.evaluate(record)
    line = record.split("\n")[-1]
    position = caught.value.position
    assert str(caught.value) == f'ply {ply}: illegal move "{line}" in tictac "{position}": {reason}'
    assert (caught.value.move, caught.value.ply, caught.value.reason) == (line, ply, reason)


def test_moves_of_a_model_that_are_refused() -> None:
    model = opened()
    legal = "the legal moves are e3 f4 c5 d6"
    for at, shown, reason in [
        ((8, 8), "(8, 8)", f"it is off the board; {legal}"),
        ((-1, 3), "(-1, 3)", f"it is off the board; {legal}"),
        ((3, 3), "d4", f"d4 is occupied; {legal}"),
        ((0, 0), "a1", f"a1 captures nothing; {legal}"),
    ]:
        with pytest.raises(petteia.IllegalMove) as caught:
            model.play_move(at)
        assert str(caught.value) == f'illegal move "{shown}" in reversi "{model.position.text}": {reason}'
        assert (caught.value.game, caught.value.position) == ("reversi", model.position.text)
        assert (caught.value.move, caught.value.reason) == (at, reason)
    with pytest.raises(petteia.IllegalMove) as caught:
        reversi.Model(2, 3).play_move((0, 2))
    assert (
        caught.value.reason == "the opening is played on the centre squares; the legal moves are a1 b1 a2 b2"
    )
    over = reversi.Model(2, 2)
    for at in ((0, 0), (0, 1), (1, 0), (1, 1)):
        over.play_move(at)
    for at in ((0, 0), (5, 5)):
        with pytest.raises(petteia.IllegalMove) as caught:
            over.play_move(at)
        assert caught.value.reason == "the game is over"


# ---------------------------------------------------------------- Quarto: the exceptions


def test_exceptions_carry_what_they_are_about() -> None:
    board, pool = Board(), Pool()
    piece, square = pool.get_unused_piece("SBCH"), board.get_square("A1")
    with pytest.raises(SquareException) as empty:
        square.get_piece()
    assert empty.value.square is square
    assert (empty.value.reason, str(empty.value)) == ("empty", "A1 is empty.")
    board.place(piece, square)
    calls: list[Callable[[], object]] = [
        lambda: board.get_empty_square("A1"),
        lambda: board.get_empty_square(quarto.Vaxis.A, quarto.Haxis.H1),
    ]
    for call in calls:
        with pytest.raises(SquareException) as occupied:
            call()
        assert occupied.value.square is square
        assert (occupied.value.reason, str(occupied.value)) == ("not empty", "A1 is not empty.")
    for name in ("SBCH", 0):
        with pytest.raises(UsedPieceException) as used:
            pool.get_unused_piece(name)
        assert used.value.piece is piece
        assert (used.value.reason, str(used.value)) == ("already used", "SBCH is already used.")
    for refused, given in (
        (lambda: pool.get_unused_piece("ABCD"), "ABCD"),
        (lambda: pool.get_unused_piece(16), 16),
        (lambda: board.get_square("C5D"), "C5D"),
        (lambda: board.get_empty_square(""), ""),
    ):
        with pytest.raises(InvalidInputException) as invalid:
            refused()
        assert invalid.value.input == given
        assert invalid.value.reason == "an invalid input"
        assert str(invalid.value) == f"{given} is an invalid input."


def test_exceptions_can_be_thrown_as_in_the_document() -> None:
    square, piece = Square(quarto.Vaxis.B, quarto.Haxis.H2), Piece()
    thrown: list[tuple[Any, str]] = [
        (SquareException(square, "empty"), "B2 is empty."),
        (SquareException(square, "not empty"), "B2 is not empty."),
        (UsedPieceException(piece), "SBCH is already used."),
        (InvalidInputException("ABCD"), "ABCD is an invalid input."),
    ]
    for error, text in thrown:
        assert issubclass(type(error), ValueError)
        assert str(error) == text
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(again) is type(error)
            assert str(again) == text
            assert again.reason == error.reason


# ---------------------------------------------------------------- Quarto: the driver


class First(Player):
    """Take the first of everything."""

    def select_piece(self) -> Piece:
        return next(piece for piece in self.pool.pieces if not piece.is_used())

    def select_square(self, piece: Piece) -> Square:
        return next(square for square in self.board.squares if square.is_empty())


class Duck:
    """Know no Player, and follow a script."""

    def __init__(self, board: Board, pool: Pool, script: str) -> None:
        self.table, self.script = (board, pool), iter(script.split())

    def select_piece(self) -> Piece:
        return self.table[1].get_unused_piece(next(self.script))

    def select_square(self, piece: Piece) -> Square:
        return self.table[0].get_empty_square(next(self.script))


def test_two_myopic_players_play_the_documents_game(capsys: pytest.CaptureFixture[str]) -> None:
    board, pool = Board(), Pool()
    player = MyopicPlayer(board, pool, 2019)
    outcome = quarto.play(player, player)
    text = capsys.readouterr().out
    assert hashlib.md5(text.encode()).hexdigest() == "6bad5659fb72cf2366721038f42530f9"
    assert outcome == petteia.Outcome(petteia.Player.FIRST)
    assert sum(not square.is_empty() for square in board.squares) == 10
    output = io.StringIO()
    assert quarto.play("m", "m", seed=2019, output=output) == outcome
    assert output.getvalue() == text
    assert capsys.readouterr().out == ""


def test_the_driver_prints_the_vectors() -> None:
    for run in vectors("quarto")["mixed"]:
        output = io.StringIO()
        quarto.play(*run["players"], seed=run["seed"], input=io.StringIO(run["stdin"]), output=output)
        assert output.getvalue() == run["stdout"]


DRAWN = (
    "SBCH A1 SBCO A2 TBCH A3 TEQO A4 SBQH B1 SBQO B2 SEQH B3 TBCO B4 SECH C1 TECO C2 TBQH C3 SEQO C4 "
    "TBQO D1 TECH D2 SECO D3 TEQH D4"
)


def test_a_game_of_ones_own_players_against_the_record() -> None:
    board, pool = Board(), Pool()
    duck = Duck(board, pool, DRAWN)
    output = io.StringIO()
    assert quarto.play(duck, duck, board, pool, output=output) == petteia.Outcome()
    assert output.getvalue().endswith("\n\nIt is a draw.\n")
    assert not [piece for piece in pool.pieces if not piece.is_used()]

    board, pool = Board(), Pool()
    mine = First(board, pool)
    for one, other in (
        (mine, MyopicPlayer(board, pool, 1)),
        (First, MyopicPlayer),
        (First, "m"),
        ("m", First),
        (lambda board, pool: First(board, pool), "level:1"),
        (petteia.bots.Myopic(), First),
        ("perfect:100", "random"),
    ):
        output = io.StringIO()
        outcome = quarto.play(one, other, output=output)
        moves = [line.split()[0] for line in output.getvalue().splitlines() if line.endswith(" selected.")]
        record = petteia.Record(petteia.Quarto(), moves)
        assert record.outcome == outcome, "petteia's own rules agree"
    assert sum(piece.is_used() for piece in pool.pieces) > 3, "the players' own board was played on"


def test_a_game_is_not_played_twice_on_one_board() -> None:
    board, pool = Board(), Pool()
    players = First(board, pool), First(board, pool)
    quarto.play(*players, output=io.StringIO())
    with exactly(ValueError, "^the game on this board is over: expected a new Board and Pool"):
        quarto.play(*players, output=io.StringIO())
    # A game in the middle goes on.
    board, pool = Board(), Pool()
    board.place(pool.get_unused_piece("TEQO"), board.get_square("D4"))
    output = io.StringIO()
    quarto.play(First, First, board, pool, output=output)
    assert "| TE |" in output.getvalue().split("Player 1")[0]
    pool.pieces[0].set_used(False)
    with exactly(ValueError, "^the board and the pool do not match: expected"):
        quarto.play(First, First, board, pool, output=io.StringIO())


def test_players_that_return_rubbish() -> None:
    def game(selected: Any = None, square: Any = None) -> Callable[[], object]:
        """Return a game in which player 1 selects SBCH, and player 2 does what is given."""

        class Rubbish(First):
            def select_piece(self) -> Piece:
                return super().select_piece() if selected is None else selected(self)

            def select_square(self, piece: Piece) -> Square:
                return super().select_square(piece) if square is None else square(self)

        return lambda: quarto.play(First, Rubbish, output=io.StringIO())

    for rubbish, shown in ((lambda self: None, "None"), (lambda self: 3.5, "a float")):
        with exactly(
            TypeError, rf"^player 2's select_piece returned {shown}: expected an unused Piece of the pool"
        ):
            game(selected=rubbish)()
        with exactly(
            TypeError, rf"^player 2's select_square returned {shown}: expected an empty Square of the board"
        ):
            game(square=rubbish)()
    with exactly(
        TypeError, r"^player 2's select_piece returned 'SBCO': .*pool.get_unused_piece\(\"SBCO\"\)$"
    ):
        game(selected=lambda self: "SBCO")()
    with exactly(TypeError, r"^player 2's select_square returned 'A2': .*board.get_empty_square\(\"A2\"\)$"):
        game(square=lambda self: "A2")()
    with exactly(
        ValueError, r"^player 2's select_piece returned a piece SBCO that is not one of the pool's: expected"
    ):
        game(selected=lambda self: Piece(top=quarto.Top.SOLID))()
    with exactly(
        ValueError, r"^player 2's select_square returned a square A1 that is not one of the board's: expected"
    ):
        game(square=lambda self: Square())()
    with pytest.raises(
        UsedPieceException, match=r"^player 2 selected SBCH, which is already used\.$"
    ) as used:
        game(selected=lambda self: self.pool.pieces[0])()
    assert (used.value.player, str(used.value.piece)) == (2, "SBCH")

    def onto_the_first(self: Player) -> Square:
        self.board.place(self.pool.pieces[0], self.board.squares[0])
        return self.board.squares[0]

    with pytest.raises(SquareException, match=r"^player 2 selected A1, which is not empty\.$") as taken:
        game(square=onto_the_first)()
    assert (taken.value.player, taken.value.reason) == (2, "not empty")


def test_players_that_fail_fail_with_their_own_error() -> None:
    class Failing(First):
        def select_square(self, piece: Piece) -> Square:
            raise KeyboardInterrupt if self.board.squares[0].is_empty() else ZeroDivisionError

    output = io.StringIO()
    board, pool = Board(), Pool()
    with pytest.raises(KeyboardInterrupt):
        quarto.play(First, Failing, board, pool, output=output)
    assert output.getvalue().endswith("SBCH selected.\n\nPlayer 2's turn to select a square:\n")
    assert board.squares[0].is_empty()
    assert not pool.pieces[0].is_used()
    with pytest.raises(ZeroDivisionError):
        quarto.play(Failing, First, board, pool, output=output)
    with pytest.raises(EOFError, match="the input ended"):
        quarto.play("h", "h", input=io.StringIO("SBCH A1"), output=output)


def test_those_who_are_no_players() -> None:
    class Half:
        def select_piece(self) -> Piece:
            raise AssertionError

    class Abstract(Player):
        def select_piece(self) -> Piece:
            raise AssertionError

    with exactly(TypeError, "^player2 has no select_square: expected a player, "):
        quarto.play("m", Half())  # type: ignore[arg-type]
    with exactly(
        TypeError, "^player1 made a NoneType, which has no select_piece and no select_square: expected"
    ):
        quarto.play(lambda board, pool: None, "m")  # type: ignore[arg-type,return-value]
    with exactly(TypeError, "^player1 is a NoneType: expected a player, "):
        quarto.play(None, "m")  # type: ignore[arg-type]
    with exactly(ValueError, "^invalid player2 'x': expected h for a human, m for the myopic player, "):
        quarto.play("m", "x")
    with pytest.raises(TypeError, match="abstract"):
        quarto.play(Abstract, "m")
    with exactly(ValueError, "^player1 and player2 have different boards: expected the same for both$"):
        quarto.play(First(Board(), Pool()), First(Board(), Pool()))
    board = Board()
    with exactly(ValueError, "^player1 and player2 have different pools: expected the same for both$"):
        quarto.play(First(board, Pool()), First(board, Pool()))
    with exactly(TypeError, "^expected board as a Board, not str$"):
        quarto.play("m", "m", "board")  # type: ignore[arg-type]
    with exactly(TypeError, "^expected pool as a Pool, not Board$"):
        quarto.play("m", "m", board, board)  # type: ignore[arg-type]
    with exactly(TypeError, "^expected output as a text stream, not str$"):
        quarto.play("m", "m", output="log.txt")  # type: ignore[arg-type]
    for seed in (-1, 2**32):
        with exactly(ValueError, f"^invalid seed {seed}: expected 0 to {2**32 - 1}$"):
            quarto.play("m", "m", seed=seed, output=io.StringIO())


# ---------------------------------------------------------------- Breakdown: the words of a board


def test_words_of_a_board_refuse_changes() -> None:
    board = breakdown.Board(5, 3, "bits")
    board[0, 0] = breakdown.Cell.WHITE
    assert board.bits == [2]
    changes: list[Callable[[Any], object]] = [
        lambda words: words.__setitem__(0, 1),
        lambda words: words.__delitem__(0),
        lambda words: words.__iadd__([1]),
        lambda words: words.__imul__(2),
        lambda words: words.append(1),
        lambda words: words.clear(),
        lambda words: words.extend([1]),
        lambda words: words.insert(0, 1),
        lambda words: words.pop(),
        lambda words: words.remove(2),
        lambda words: words.reverse(),
        lambda words: words.sort(),
    ]
    for change in changes:
        with exactly(TypeError, r"^these words are a board's.*board\[r, c\]"):
            change(board.bits)
        change(list(board.bits))
        change(copy.deepcopy(board.bits))
    assert board.bits == [2]
    assert pickle.loads(pickle.dumps(board.bits)) == [2]


# ---------------------------------------------------------------- wrong types


# Without their types, since these are wrong.
B: Any = breakdown
R: Any = reversi
Q: Any = quarto


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: R.other_player(None), ValueError, "^invalid Player None: expected Player.DARK"),
        (lambda: R.other_player(-1), ValueError, "^invalid Player -1: expected Player.DARK"),
        (lambda: R.Player("D"), ValueError, "^invalid Player 'D': expected Player.DARK"),
        (lambda: R.Board.from_rows("D_"), TypeError, "^expected rows as a list of str, not str$"),
        (lambda: R.Board.from_rows(None), TypeError, "^expected rows as a list of str, not NoneType$"),
        (lambda: R.Board.from_rows([3]), TypeError, "^expected each row as a str, not int$"),
        (lambda: B.Board.from_rows(".."), TypeError, "^expected rows as a list of str, not str$"),
        (
            lambda: R.Board().set_all([(1, 1)], DARK),
            TypeError,
            "^expected positions as a PositionSet, not list$",
        ),
        (lambda: R.Move((1, 1), [(1, 1)]), TypeError, "^expected second as a PositionSet, not list$"),
        (
            lambda: R.PositionSet().isdisjoint({(1, 1)}),
            TypeError,
            "^expected other as a PositionSet, not set$",
        ),
        (
            lambda: R.PositionSet().__setitem__((1, 1), "no"),
            TypeError,
            "^expected True to add or False to remove, not str$",
        ),
        (
            lambda: B.Game(2, 2, 4, 5).drop_stick(0, "horizontal"),
            TypeError,
            "^expected vertical as True or False, not str$",
        ),
        (
            lambda: B.Game(2, 2, 4, 5).drop_stick(0, None),
            TypeError,
            "^expected vertical as True or False, not NoneType$",
        ),
        (lambda: Q.Piece("S"), ValueError, "^invalid Height 'S': expected Height.SHORT, Height.TALL$"),
        (lambda: Q.Piece(None), ValueError, "^invalid Height None: expected Height.SHORT, Height.TALL$"),
        (lambda: Q.Piece(Q.Color.BEIGE), TypeError, "^expected a Height, not Color$"),
        (lambda: Q.Square(Q.Haxis.H1), TypeError, "^expected a Vaxis, not Haxis$"),
        (
            lambda: Q.Board().get_square(Q.Haxis.H1, Q.Vaxis.A),
            TypeError,
            "^expected a Vaxis, not Haxis$",
        ),
        (lambda: Q.Pool().get_unused_piece(Q.Height.TALL), TypeError, "^expected a code such as SBCH, "),
        (lambda: Q.Pool().get_unused_piece(1.5), TypeError, "^expected a code such as SBCH, "),
        (lambda: Q.Pool().get_unused_piece(None), TypeError, "^expected a code such as SBCH, "),
        (
            lambda: Q.Board().get_square(None),
            TypeError,
            "^expected a name such as B2, or a row and a column$",
        ),
        (lambda: Q.Piece().set_used("no"), TypeError, "^expected used as a bool, not str$"),
        (lambda: Q.Piece().compare_top(None), TypeError, "^expected a Piece, not NoneType$"),
        (lambda: Q.Board().place("SBCH", Q.Square()), TypeError, "^expected a Piece, not str$"),
        (lambda: Q.Board().place(Q.Piece(), "A1"), TypeError, "^expected a Square, not str$"),
        (lambda: Q.Board().is_winning(Q.Piece(), None), TypeError, "^expected a Square, not NoneType$"),
        (lambda: Q.MyopicPlayer(Q.Pool(), Q.Board()), TypeError, "^expected a Board, not Pool$"),
        (
            lambda: Q.MyopicPlayer(Q.Board(), Q.Pool()).select_square("A1"),
            TypeError,
            "^expected a Piece, not str$",
        ),
        (
            lambda: Q.HumanPlayer(Q.Board(), Q.Pool(), "SBCH"),
            TypeError,
            "^expected input as a text stream, not str$",
        ),
        (
            lambda: Q.HumanPlayer(Q.Board(), Q.Pool(), None, 3),
            TypeError,
            "^expected output as a text stream, not int$",
        ),
        (
            lambda: Q.HumanPlayer(Q.Board(), Q.Pool(), io.BytesIO(b"SBCH"), io.StringIO()).select_piece(),
            TypeError,
            "^expected input as a text stream, not one of bytes$",
        ),
    ],
)
def test_wrong_types_are_told(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with exactly(error, message):
        call()


def test_nothing_is_placed_by_a_wrong_call() -> None:
    board, pool = Board(), Pool()
    board.place(pool.pieces[0], board.squares[0])
    with pytest.raises(TypeError):
        board.place(None, board.squares[0])  # type: ignore[arg-type]
    assert board.squares[0].get_piece() is pool.pieces[0]
