"""Reversi: any program that speaks the line protocol of docs/conformance.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..reversi import Model, Player
from .programs import Program, text_of
from .rules import Draw, Finding, Judgement, Picture, Rule, Stopped, sanitizer, watching
from .sandbox import Death

Square = tuple[int, int]
MARKS = {Player.DARK: "D", Player.LIGHT: "L", Player.NEITHER: "_"}


@dataclass(frozen=True)
class Match:
    """A game: the board's size, the squares played, and a last command with its square."""

    width: int
    height: int
    moves: tuple[Square, ...] = ()
    last: tuple[str, Square] | None = None

    @property
    def commands(self) -> list[str]:
        """The lines of the program's input."""
        lines = [f"new {self.width} {self.height}", *(f"play {x} {y}" for x, y in self.moves)]
        return [*lines, f"{self.last[0]} {self.last[1][0]} {self.last[1][1]}"] if self.last else lines

    def shorter(self) -> Iterator[Match]:
        """Yield the games with one move fewer that can be played."""
        for at in range(len(self.moves)):
            game = replace(self, moves=self.moves[:at] + self.moves[at + 1 :])
            if _model(game) is not None:
                yield game


@dataclass(frozen=True)
class State:
    """A position as a program describes it."""

    board: str
    turn: str
    winner: str
    moves: frozenset[Square]

    def __str__(self) -> str:
        squares = " ".join(f"{x},{y}" for x, y in sorted(self.moves))
        return f"{self.board}turn {self.turn}\nwinner {self.winner}\nmoves {squares}".rstrip() + "\n"


def _model(match: Match) -> Model | None:
    """Return petteia's game after the moves, or None if they cannot be played."""
    model = Model(match.width, match.height)
    for square in match.moves:
        if model.find_move(square) is None:
            return None
        model.play_move(square)
    return model


def _state(model: Model) -> State:
    return State(str(model.board), MARKS[model.turn], MARKS[model.winner], frozenset(model.next_moves))


Answer = State | str | frozenset[Square] | Death


def _read(lines: list[str], height: int) -> tuple[Answer, list[str]]:
    """Return the first answer and the lines after it; an invalid one is a str that quotes it."""
    if not lines:
        return "no answer", []
    if lines[0] in ("illegal", "none"):
        return lines[0], lines[1:]
    if lines[0].startswith("gains "):
        return _squares(lines[0][6:]), lines[1:]
    if len(lines) < height + 3:
        return "incomplete answer: " + " / ".join(lines)[:200], []
    board, turn, winner, moves = lines[:height], *lines[height : height + 3]
    squares = _squares(moves.removeprefix("moves").strip())
    heads = (turn[:5], winner[:7], moves[:5])
    if heads != ("turn ", "winner ", "moves") or isinstance(squares, str):
        return "invalid answer: " + " / ".join(lines[: height + 3])[:200], []
    return State("\n".join(board) + "\n", turn[5:], winner[7:], squares), lines[height + 3 :]


def _squares(text: str) -> frozenset[Square] | str:
    try:
        pairs = [word.split(",") for word in text.split()]
        return frozenset((int(x), int(y)) for x, y in pairs)
    except ValueError:
        return f"invalid squares: {text[:200]}"


def _answers(program: Program, match: Match) -> list[Answer]:
    """Return the answers received; if the program ended early, its death is the last."""
    ran = program.run("".join(f"{line}\n" for line in match.commands))
    lines = [line.rstrip() for line in text_of(ran).splitlines()]
    answers: list[Answer] = []
    for _ in match.commands:
        if not lines:
            break
        answer, lines = _read(lines, match.height)
        answers.append(answer)
    if len(answers) < len(match.commands):
        silent = Death(f"it ended after {len(answers)} answers, with exit code {ran.code}", "exit")
        answers.append(ran.death or silent)
    return answers


def _finding(program: Program, match: Match, at: int, summary: str, expected: object, got: object) -> Finding:
    """Return a finding about the answer to a command."""
    cut = Match(match.width, match.height, match.moves[:at], match.last if at > len(match.moves) else None)
    before = _model(replace(cut, moves=match.moves[: max(0, at - 1)], last=None))
    assert before is not None
    stdin = "".join(f"{line}\n" for line in cut.commands)
    found = program.finding(summary, stdin, (), str(expected), str(got), len(cut.moves), str(before.board))
    call = f"{cut.commands[-1]!r} to {found.call}"
    return replace(found, call=call, pictures=(Picture("before", _text(before), "reversi"),))


def _text(model: Model) -> str:
    turn = "-" if model.is_game_over else MARKS[model.turn]
    return "/".join(str(model.board).split()) + f" {turn}"


# An opinion on petteia's state and the program's, with the state before: None has nothing to say.
Opinion = Callable[[State, State, State | None], bool | None]


def state_rule(
    name: str,
    says: str,
    opinion: Opinion,
    cases: Callable[[Draw], Match] | None = None,
    after: tuple[str, ...] = (),
) -> Rule[Match]:
    """Make a rule about states from an opinion."""

    def judge(program: Program, match: Match) -> Judgement:
        tested = False
        model, before = Model(match.width, match.height), None
        for at, answer in enumerate(_answers(program, match)):
            if at > len(match.moves):
                break
            if at:
                model.play_move(match.moves[at - 1])
            wanted = _state(model)
            if isinstance(answer, State):
                said = opinion(wanted, answer, before)
                if said is False:
                    return _finding(program, match, at, says, wanted, answer)
                tested = tested or said is True
                if answer != wanted:
                    # What follows a wrong state says nothing about this rule.
                    return tested
            else:
                # A program that dies often loses its output: the last command is taken for the cause.
                last = len(match.moves) if isinstance(answer, Death) else at
                end = _model(replace(match, moves=match.moves[:last]))
                kind = answer.kind if isinstance(answer, Death) else "answer"
                finding = _finding(program, match, last, ANSWERS, _state(end) if end else "", answer)
                return Stopped(replace(finding, about=kind), kind)
            before = wanted
        return tested

    return Rule(name, says, cases or matches, judge, Match.shorter, after=after)


ANSWERS = "every command is answered"


def _size(draw: Draw, most: int = 8) -> tuple[int, int]:
    return draw.integer(2, most), draw.integer(2, most)


def _moves(draw: Draw, model: Model, most: int, go_on: int) -> tuple[Square, ...]:
    moves: list[Square] = []
    for _ in draw.several(most, go_on):
        if not model.is_game_over:
            moves.append(draw.choice(sorted(model.next_moves)))
            model.play_move(moves[-1])
    return tuple(moves)


def matches(draw: Draw) -> Match:
    """Draw a game that may stop before its end."""
    width, height = _size(draw, 8 if draw.chance(4) else 5)
    return Match(width, height, _moves(draw, Model(width, height), 60, 40))


def _opening(draw: Draw) -> Match:
    width, height = _size(draw)
    return Match(width, height, _moves(draw, Model(width, height), 4, 8))


def _complete(draw: Draw) -> Match:
    """Draw a complete game on a small board."""
    width, height = draw.integer(2, 5), draw.integer(2, 4)
    model = Model(width, height)
    moves = list(_moves(draw, model, 20, 60))
    while not model.is_game_over:
        moves.append(min(model.next_moves))
        model.play_move(moves[-1])
    return Match(width, height, tuple(moves))


def _asked(command: str, legal: bool | None) -> Callable[[Draw], Match]:
    def cases(draw: Draw) -> Match:
        match = matches(draw)
        model = _model(match)
        assert model is not None
        every = [(x, y) for x in range(match.width) for y in range(match.height)]
        off = [(match.width, 0), (0, match.height), (-1, 0), (0, -1)]
        asked = [square for square in every if (square in model.next_moves) or not legal]
        if legal is None and draw.integer(0, 1):
            # Most squares of a board are not legal.
            asked = sorted(model.next_moves) or asked
        asked = [square for square in asked if legal is not False or square not in model.next_moves]
        asked += off if legal is not True else []
        return replace(match, last=(command, draw.choice(asked))) if asked else match

    return cases


def _illegal(program: Program, match: Match) -> Judgement:
    answers = _answers(program, match)
    model = _model(match)
    if match.last is None or len(answers) < len(match.commands) or model is None:
        return False
    if answers[-2] != _state(model):
        return False
    if answers[-1] == "illegal":
        return True
    says = "an illegal move is refused"
    return _finding(program, match, len(match.moves) + 1, says, "illegal", answers[-1])


def _find(program: Program, match: Match) -> Judgement:
    answers = _answers(program, match)
    model = _model(match)
    if match.last is None or len(answers) < len(match.commands) or model is None:
        return False
    if answers[-2] != _state(model):
        return False
    move = model.find_move(match.last[1])
    wanted: Answer = "none" if move is None else frozenset(move.second)
    if answers[-1] == wanted:
        return True
    says = "find returns the squares that a move would gain, including its own, or none"

    def words(answer: Answer) -> str:
        if isinstance(answer, frozenset):
            return "gains " + " ".join(f"{x},{y}" for x, y in sorted(answer))
        return str(answer)

    return _finding(program, match, len(match.moves) + 1, says, words(wanted), words(answers[-1]))


def _count(state: State) -> int:
    return sum(mark in "DL" for mark in state.board)


def rules() -> list[Rule[Any]]:
    """Return the rules of Reversi."""

    def opening(wanted: State, got: State, before: State | None) -> bool | None:
        return (wanted.board, wanted.moves) == (got.board, got.moves) if _count(wanted) < 4 else None

    def first(wanted: State, got: State, before: State | None) -> bool | None:
        return got.turn == "D" if before is None else None

    def flips(wanted: State, got: State, before: State | None) -> bool | None:
        return got.board == wanted.board if _count(wanted) > 4 else None

    def legal(wanted: State, got: State, before: State | None) -> bool | None:
        same = (got.board, got.turn) == (wanted.board, wanted.turn)
        return got.moves == wanted.moves if same and _count(wanted) >= 4 and wanted.turn != "_" else None

    def turn(wanted: State, got: State, before: State | None) -> bool | None:
        changes = before is not None and wanted.turn != "_" and before.turn != wanted.turn
        return got.turn == wanted.turn if changes and got.board == wanted.board else None

    def skip(wanted: State, got: State, before: State | None) -> bool | None:
        again = before is not None and wanted.turn != "_" and before.turn == wanted.turn
        # That the game is over is left to its own rule.
        again = again and got.turn != "_"
        return got.turn == wanted.turn if again and got.board == wanted.board else None

    def over(wanted: State, got: State, before: State | None) -> bool | None:
        return (got.turn == "_") == (wanted.turn == "_") if got.board == wanted.board else None

    def winner(wanted: State, got: State, before: State | None) -> bool | None:
        return got.winner == wanted.winner if got.board == wanted.board else None

    legality = ("opening", "legal-moves")
    found: list[Rule[Any]] = [
        state_rule("dark-first", "dark moves first", first, _opening),
        state_rule(
            "opening",
            "the first four moves go to the four centre squares and flip nothing",
            opening,
            _opening,
        ),
        state_rule(
            "legal-moves",
            "a move must capture at least one tile, in any of the eight directions",
            legal,
            after=("opening",),
        ),
        state_rule(
            "flips",
            "every tile between the new one and another of the same player is flipped",
            flips,
            after=legality,
        ),
        state_rule("turn", "the players take turns", turn, after=legality),
        state_rule("skip", "a player who cannot move is skipped", skip, _complete, legality),
        state_rule("game-over", "the game is over when neither player can move", over, _complete, legality),
        state_rule(
            "winner",
            "the player with more tiles wins; in a tie or an unfinished game, nobody does",
            winner,
            _complete,
            (*legality, "game-over"),
        ),
        Rule(
            "illegal",
            "an illegal move is refused",
            _asked("play", False),
            _illegal,
            Match.shorter,
            after=legality,
        ),
        Rule(
            "find",
            "find returns the squares that a move would gain",
            _asked("find", None),
            _find,
            Match.shorter,
            after=(*legality, "flips"),
        ),
    ]
    return [*found, watching("answers", ANSWERS, found), sanitizer("sanitizer", found)]
