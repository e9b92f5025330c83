"""Why moves are good: what is said is true according to slow oracles, and it is said where it has to be."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import petteia
import pytest
from games import AnyPosition
from oracles import Proof, after, placed

WINS = "It wins at once."
ONLY_ANSWER = "It is the only move after which the opponent cannot win at once."
SOME_ANSWERS = "It stops a threat: after {} of the {} other moves the opponent could win at once."
ONLY_PIECE = "It is the only piece with which the opponent cannot win at once."
SOME_PIECES = "The opponent cannot win at once with this piece, but could with {} of the {} other pieces."
CORNER = "It takes a corner, which nobody can flip."
ONLY_GUARD = "It is the only move after which the opponent can take no corner."
SOME_GUARDS = "The opponent can take no corner next, but could after {} of the {} other moves."
SKIPS = "The opponent cannot move next and is skipped."
ONLY_WIN = "It is the only move that wins."
FORCES_WIN = "It wins, whatever the opponent does."
ONLY_DRAW = "It is the only move that does not lose."
KEEPS_DRAW = "It keeps the draw; {} of the {} other moves lose."
ALL = {name: text for name, text in globals().items() if name.isupper()}


@pytest.mark.parametrize(
    ("game", "position", "move", "reasons"),
    [
        ("tictac", "XX_/OO_/___ X", "A3", [WINS]),
        ("tictac", "XX_/OO_/___ X", "B3", [SOME_ANSWERS.format(3, 4)]),
        ("tictac", "XX_/_O_/___ O", "A3", [ONLY_ANSWER, ONLY_DRAW]),
        ("tictac", "XX_/_O_/___ O", "C3", []),
        ("tictac", "X__/_O_/__X O", "A2", [KEEPS_DRAW.format(2, 5)]),
        ("tictac", "X__/_O_/__X O", "A3", []),
        ("tictac", "X__/___/_O_ X", "C1", [FORCES_WIN]),
        ("breakdown", "..../*.../*.../*..o/*.oo b 2 2", "|1", [WINS]),
        ("breakdown", "..../..../*.../*.../*oo. w 2 2", "|1", [SOME_ANSWERS.format(5, 7)]),
        ("quarto", "017./..../..../.... 3 1", "A4", [WINS]),
        ("quarto", "017./..../..../.... - 2", "SBQO", []),
        ("quarto", "017./..../..../.... - 2", "TEQO", [SOME_PIECES.format(5, 12)]),
        (
            "reversi",
            "_LD_____/________/________/___LD___/___DL___/________/________/________ D",
            "a1",
            [CORNER],
        ),
    ],
)
def test_what_is_said(game: str, position: str, move: str, reasons: list[str]) -> None:
    said = petteia.explain(petteia.GAMES[game].from_text(position), move)
    assert said == " ".join(reasons)


def sentences(said: str) -> dict[str, tuple[int, ...]]:
    """Take what was said apart: each sentence by its name, with its numbers."""
    found = {}
    for name, sentence in ALL.items():
        match = re.search(re.escape(sentence).replace(r"\{\}", r"(\d+)"), said)
        if match:
            found[name] = tuple(map(int, match.groups()))
            said = said.replace(match[0], "", 1)
    assert not said.strip(), said
    return found


def wins_at_once(game: Any, player: int) -> bool:
    return any(after(game, move).winner == player for move in game.moves() if game.turn == player)


def lets_win(game: Any, move: str) -> bool:
    """Return whether the opponent has won after a move, or can win at once, whatever follows in the turn."""
    end, player = after(game, move), game.turn
    if end.over:
        return bool(end.winner == 1 - player)
    if end.turn != player:
        return wins_at_once(end, 1 - player)
    return all(end.winner == 1 - player or wins_at_once(end, 1 - player) for end in further(end))


def further(game: Any) -> list[Any]:
    return [after(game, move) for move in game.moves()]


def gives_corner(game: Any, move: str) -> bool:
    end = after(game, move)
    corners = {"abcdefgh"[x] + str(y + 1) for x in (0, game.width - 1) for y in (0, game.height - 1)}
    return not end.over and end.turn != game.turn and not corners.isdisjoint(end.moves())


def true_of(game: Any, move: str, proofs: bool) -> dict[str, tuple[int, ...]]:
    """Return what has to be said of a move, with what can be proved if that does not take long."""
    end, moves = after(game, move), game.moves()
    if end.winner == game.turn:
        return {"WINS": ()}
    others = [other for other in moves if other != move]
    said: dict[str, tuple[int, ...]] = {}

    def compare(worse: Callable[[Any, str], bool], only: str, some: str) -> None:
        count = 0 if worse(game, move) else sum(worse(game, other) for other in others)
        if count:
            said[only if count == len(others) else some] = (
                () if count == len(others) else (count, len(others))
            )

    pieces = getattr(game, "hand", 0) is None
    compare(lets_win, *(("ONLY_PIECE", "SOME_PIECES") if pieces else ("ONLY_ANSWER", "SOME_ANSWERS")))
    if "abcdefgh".find(move[0]) >= 0:
        compare(gives_corner, "ONLY_GUARD", "SOME_GUARDS")
        if move[0] in "a" + "abcdefgh"[game.width - 1] and int(move[1]) in (1, game.height):
            said["CORNER"] = ()
        if not end.over and end.turn == game.turn:
            said["SKIPS"] = ()
    if proofs:
        own, other = Proof(game.turn), Proof(1 - game.turn)
        winning = [move for move in moves if own.wins(after(game, move))]
        losing = [move for move in moves if other.wins(after(game, move))]
        worse = len(losing)
        if move in winning:
            said["ONLY_WIN" if len(winning) == 1 and others else "FORCES_WIN"] = ()
        elif not winning and move not in losing and worse:
            said["ONLY_DRAW" if worse == len(others) else "KEEPS_DRAW"] = (
                () if worse == len(others) else (worse, len(others))
            )
    return said


@pytest.mark.parametrize(
    ("start", "proved_with"),
    [
        (petteia.TicTac(), 8),
        (petteia.Breakdown(3, 4, 2, 2), 6),
        (petteia.Breakdown(5, 4, 3, 2), 4),
        (petteia.Quarto(), 5),
        (petteia.Reversi(5, 4), 4),
    ],
    ids=lambda value: getattr(value, "text", None),
)
def test_what_is_said_is_true_and_all_that_is_so(start: AnyPosition, proved_with: int) -> None:
    """Compare random positions with an oracle; near the end, with all that can be forced too."""
    names: set[str] = set()
    for seed in range(8):
        rng, position = random.Random(seed), start
        while not position.is_over:
            game = placed(position.text)
            empty = sum(sign in "._" for sign in position.text.split()[0])
            proofs = empty <= proved_with
            # With many pieces left, the oracle takes long.
            some = 0 if isinstance(position, petteia.Quarto) and empty > 8 else min(2, len(position.moves))
            for move in rng.sample(position.moves, some):
                said, expected = sentences(petteia.explain(position, move)), true_of(game, move, proofs)
                if not proofs:
                    for name in ("ONLY_WIN", "FORCES_WIN", "ONLY_DRAW", "KEEPS_DRAW"):
                        said.pop(name, None)
                if isinstance(position, petteia.Reversi):
                    # Only moves by the most discs are known to win.
                    expected = {
                        "FORCES_WIN" if name == "ONLY_WIN" else name: n for name, n in expected.items()
                    }
                    if "FORCES_WIN" not in said:
                        expected.pop("FORCES_WIN", None)
                assert said == expected, (position.text, move)
                names.update(said)
            position = position.play(rng.choice(position.moves))
    assert len(names) >= (4 if isinstance(start, petteia.Reversi) else 3), names


def test_illegal_moves_and_other_types() -> None:
    for game in petteia.GAMES.values():
        for bad in ("", "Z9", "\ud800"):
            with pytest.raises(petteia.IllegalMove):
                petteia.explain(game(), bad)
    over = petteia.TicTac.from_text("XXX/OO_/___ -")
    with pytest.raises(petteia.IllegalMove):
        petteia.explain(over, "B3")
    wrong: Any = 3
    with pytest.raises(TypeError, match="expected a move as a str, not int"):
        petteia.explain(over, wrong)


def test_boards_of_any_size_are_quick() -> None:
    """Where a look ahead would be long, only a win is seen."""
    start = petteia.Breakdown(3000, 3000, 2, 2)
    assert petteia.explain(start, "|0") == ""
    for move in ("-0", "!", "-0"):
        start = start.play(move)
    assert petteia.explain(petteia.Breakdown(100, 2, 2, 2).play("|0").play("!"), "|1") == WINS


class Countdown:
    """A game of one's own: who takes the last of some stones wins; one or two are taken."""

    def __init__(self, stones: int, turn: int = 0) -> None:
        self.stones, self.mover = stones, turn

    @property
    def turn(self) -> int | None:
        return self.mover if self.stones else None

    @property
    def moves(self) -> list[str]:
        return [str(n) for n in (1, 2) if n <= self.stones]

    @property
    def outcome(self) -> petteia.Outcome | None:
        return None if self.stones else petteia.Outcome(petteia.Player(1 - self.mover))

    def play(self, move: str) -> Countdown:
        return Countdown(self.stones - int(move), 1 - self.mover)


def test_a_game_of_ones_own() -> None:
    assert petteia.explain(Countdown(2), "2") == WINS
    assert petteia.explain(Countdown(4), "1") == f"{ONLY_ANSWER} {ONLY_WIN}"
    assert petteia.explain(Countdown(5), "2") == ONLY_WIN
    assert petteia.explain(Countdown(5), "1") == ""
    with pytest.raises(petteia.IllegalMove):
        petteia.explain(Countdown(5), "3")
