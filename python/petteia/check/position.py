"""Python objects with the Position protocol, played in a process of their own and compared move by move."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import petteia

from .build import DRIVERS
from .rules import Draw, Finding, Judgement, Pace, Picture, Rule, Unusable
from .sandbox import Death, Limits, _end, _limit, describe, environment

GAMES: dict[str, Callable[..., petteia.Position]] = {
    "tictac": petteia.TicTac,
    "breakdown": petteia.Breakdown,
    "reversi": petteia.Reversi,
    "quarto": petteia.Quarto,
}

Answer = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A game: the parameters, the moves, and what is asked at the end."""

    parameters: tuple[Any, ...] = ()
    moves: tuple[str | int, ...] = ()
    questions: tuple[tuple[str, Any], ...] = ()


@dataclass
class Object:
    """A Python object under test: a class or function that makes positions, or a position."""

    path: str
    name: str
    game: str
    limits: Limits
    build: str = "python"
    calls: int = 0
    slow: int = 0
    is_value: bool = False
    process: subprocess.Popen[bytes] | None = None

    def pace(self, pace: Pace) -> None:
        """Do nothing: it is as quick as it is."""

    def close(self) -> None:
        """End the process."""
        if self.process:
            _end(self.process)
            for pipe in (self.process.stdin, self.process.stdout, self.errors):
                with contextlib.suppress(BrokenPipeError):
                    pipe.close() if pipe else None
            self.process = None

    def _start(self) -> subprocess.Popen[bytes]:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        # Only what the object's own file needs is on its path.
        command = [sys.executable, "-u", str(DRIVERS / "position.py"), self.path, self.name]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment(self.limits),
            start_new_session=True,
            bufsize=0,
        )
        _limit(self.process.pid, replace(self.limits, megabytes=self.limits.megabytes + 1024), True, False)
        return self.process

    def ask(self, line: Line) -> list[Answer] | Death:
        """Return the answers for a game, or what ended them."""
        self.calls += len(line.moves) + len(line.questions) + 1
        process = self.process or self._start()
        assert process.stdin and process.stdout
        request = {"parameters": line.parameters, "moves": line.moves, "questions": line.questions}
        got = b""
        hung = False
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            while not got.endswith(b"\n"):
                if not select.select([process.stdout], [], [], self.limits.patience)[0]:
                    hung = True
                    break
                part = os.read(process.stdout.fileno(), 1 << 16)
                if not part:
                    break
                got += part
        if not got.endswith(b"\n"):
            errors = self.errors
            _end(process)
            errors.seek(0)
            text = errors.read(1 << 16).decode(errors="replace")
            self.close()
            death = describe(process.returncode, text, self.limits)
            if hung:
                death = Death(f"it did not answer within {self.limits.patience:g} s", "hang")
            self.slow += death.slow
            return death
        answers = json.loads(got)
        return Death(f"it raised {answers['raised']}", "crash") if isinstance(answers, dict) else answers

    def repeat(self, line: Line) -> str:
        """Return a program that plays the game."""
        module = Path(self.path).stem
        made = f"{module}.{self.name}({', '.join(map(repr, line.parameters))})"
        made = f"{module}.{self.name}" if self.is_value else made
        plays = "".join(f"position = position.play({move!r})\n" for move in line.moves)
        asked = {
            "play": "position.play({!r})",
            "action": "print(position.action({!r}))",
            "move": "print(position.move({!r}))",
            "again": "print(position.from_text(position.text) == position)",
        }
        questions = "".join(asked[what].format(value) + "\n" for what, value in line.questions)
        return (
            f"import {module}\n\nposition = {made}\n{plays}print(position.text, position.moves)\n{questions}"
        )


def _described(position: petteia.Position) -> Answer:
    outcome = position.outcome
    return {
        "moves": position.moves,
        "actions": position.actions,
        "turn": None if position.turn is None else int(position.turn),
        "is_over": position.is_over,
        "ended": outcome is not None,
        "winner": None if outcome is None or outcome.winner is None else int(outcome.winner),
        "text": position.text,
        "num_actions": position.num_actions,
        "players": list(position.players),
    }


def _parameters(game: str, draw: Draw) -> tuple[Any, ...]:
    if game == "tictac":
        return (draw.choice("XO"),) if draw.integer(0, 1) else ()
    if game == "reversi":
        return (draw.integer(2, 8), draw.integer(2, 8))
    if game == "breakdown":
        width, height = draw.integer(2, 6), draw.integer(2, 6)
        return (
            width,
            height,
            draw.integer(2, min(3, max(width, height))),
            draw.integer(2, min(3, width, height)),
        )
    return ()


def _lines(game: str, question: str | None = None) -> Callable[[Draw], Line]:
    """Return what draws games, with a question at the end."""

    def cases(draw: Draw) -> Line:
        parameters = _parameters(game, draw)
        position = GAMES[game](*parameters)
        moves = []
        for _ in draw.several(40, 25):
            if not position.is_over:
                moves.append(draw.choice(position.moves))
                position = position.play(moves[-1])
        questions: tuple[tuple[str, Any], ...] = ()
        if question == "play":
            wrong = [
                move for i in range(position.num_actions) if (move := position.move(i)) not in position.moves
            ]
            wrong += ["", "nonsense"]
            questions = (("play", draw.choice(wrong)),)
        elif question == "numbers":
            number = draw.integer(0, position.num_actions - 1)
            questions = (("move", number), ("action", position.move(number)))
        elif question:
            questions = ((question, None),)
        return Line(parameters, tuple(moves), questions)

    return cases


def _shorter(game: str) -> Callable[[Line], Iterator[Line]]:
    def shorter(line: Line) -> Iterator[Line]:
        for count in (2, 1):
            for at in range(len(line.moves) - count + 1):
                moves = line.moves[:at] + line.moves[at + count :]
                position = GAMES[game](*line.parameters)
                with contextlib.suppress(petteia.IllegalMove):
                    for move in moves:
                        position = position.play(move)
                    if not line.questions:
                        yield replace(line, moves=moves)

    return shorter


def _rule(game: str, name: str, says: str, keys: str, question: str | None = None) -> Rule[Line]:
    """Make a rule about some members of a position, or about an answer to a question."""

    def judge(target: Object, line: Line) -> Judgement:
        answers = target.ask(line)
        position = GAMES[game](*line.parameters)

        def found(at: int, expected: object, got: object) -> Finding:
            asked = line.questions if at > len(line.moves) else ()
            cut = Line(line.parameters, line.moves[:at], asked)
            before = GAMES[game](*line.parameters)
            for move in cut.moves[:-1] if not asked else cut.moves:
                before = before.play(move)
            call = f"play({cut.moves[-1]!r})" if cut.moves else "the start"
            call = f"{asked[0][0]}({'' if asked[0][1] is None else repr(asked[0][1])})" if asked else call
            return Finding(
                says,
                call,
                str(before),
                str(expected),
                str(got),
                target.repeat(cut),
                "python",
                len(cut.moves),
                (Picture("before", before.text, game),),
            )

        if isinstance(answers, Death):
            return found(len(line.moves), "every member answers", answers) if name == "answers" else False
        for at in range(len(line.moves) + 1):
            wanted = _described(position)
            if question is None:
                for key in keys.split():
                    if key == "kept":
                        if not answers[at].get(key, True):
                            return found(at, "the position before the move is as it was", "it has changed")
                    elif answers[at][key] != wanted[key]:
                        return found(at, f"{key} is {wanted[key]}", f"{key} is {answers[at][key]}")
            if answers[at]["text"] != wanted["text"] or answers[at]["moves"] != wanted["moves"]:
                return question is None
            position = position if at == len(line.moves) else position.play(line.moves[at])
        for (what, value), got in zip(line.questions, answers[len(line.moves) + 1 :]):
            if what == "play":
                right, expected = "error" in got, "an IllegalMove, which is a ValueError"
            elif what == "again":
                right = bool(got.get("same") and got.get("hash"))
                expected = "an equal position with the same hash"
            elif what == "move":
                right, expected = got.get("move") == position.move(value), repr(position.move(value))
            else:
                right, expected = got.get("action") == position.action(value), str(position.action(value))
            if not right:
                return found(len(line.moves) + 1, expected, got)
        return True

    return Rule(f"position-{name}", says, _lines(game, question), judge, _shorter(game), share=0.5)


def rules(game: str) -> list[Rule[Line]]:
    """Return the rules of the protocol, for one of the four games."""
    return [
        _rule(game, "answers", "every member answers on every position", ""),
        _rule(game, "moves", "moves are the legal moves, in the order of their actions", "moves"),
        _rule(game, "actions", "actions are the same moves as numbers", "actions num_actions"),
        _rule(game, "play", "play returns the position after a move", "text"),
        _rule(game, "frozen", "a position does not change when a move is played from it", "kept"),
        _rule(game, "turn", "turn is the player to move, and None when the game is over", "turn players"),
        _rule(
            game,
            "outcome",
            "the outcome says who has won, and None while the game goes on",
            "is_over ended winner",
        ),
        _rule(game, "illegal", "a move that is not legal is refused with a ValueError", "", "play"),
        _rule(game, "numbers", "a move has one notation and one number", "", "numbers"),
        _rule(game, "text", "from_text reads a position back", "", "again"),
    ]


@dataclass(frozen=True)
class Choices:
    """A game that nobody but the object knows: at each position, which of its moves is played."""

    moves: tuple[int, ...]


def _law(name: str, says: str, law: Callable[[Answer], bool], question: str | None = None) -> Rule[Choices]:
    """Make a rule that every position must keep, of whatever game it is."""

    def cases(draw: Draw) -> Choices:
        return Choices(tuple(draw.integer(0, 30) for _ in draw.several(60, 30)))

    def judge(target: Object, choices: Choices) -> Judgement:
        asked = ((question, None),) if question else ()
        answers = target.ask(Line((), choices.moves, asked))
        if isinstance(answers, Death):
            repeat = target.repeat(Line())
            died = Finding(
                says, "a random game", "", "every member answers", str(answers), repeat, "python", 0
            )
            return died if name == "answers" else False
        positions = answers[: len(answers) - len(asked)]
        for at, answer in enumerate(positions):
            if not law(answers[-1] if question else answer):
                at = len(positions) - 1 if question else at
                moves = tuple(one["played"] for one in positions[1 : at + 1])
                got = answers[-1] if question else answer
                repeat = target.repeat(Line((), moves, ((question, None),) if question == "again" else ()))
                before = positions[max(0, at - 1)]["text"]
                return Finding(says, f"position {at}", before, says, str(got), repeat, "python", len(moves))
        return True

    return Rule(f"position-{name}", says, cases, judge, share=0.5)


def laws() -> list[Rule[Choices]]:
    """Return the rules of the protocol that any game keeps."""

    def ordered(a: Answer) -> bool:
        actions = a["actions"]
        within = all(0 <= action < a["num_actions"] for action in actions)
        return (
            within
            and actions == sorted(set(actions))
            and len(a["moves"]) == len(set(a["moves"])) == len(actions)
        )

    def ended(a: Answer) -> bool:
        return len({bool(a["is_over"]), a["ended"], a["turn"] is None, not a["moves"]}) == 1

    def same(a: Answer) -> bool:
        return bool(a.get("same") and a.get("hash", True))

    return [
        _law("answers", "every member answers on every position", lambda a: True),
        _law(
            "moves",
            "moves and actions are the same moves, in ascending order and without a duplicate",
            ordered,
        ),
        _law("over", "there are no moves, no turn and an outcome exactly when the game is over", ended),
        _law(
            "frozen",
            "a position does not change when a move is played from it",
            lambda a: a.get("kept", True),
        ),
        _law(
            "illegal",
            "a move that is not legal is refused with a ValueError",
            lambda a: "error" in a,
            "illegal",
        ),
        _law("numbers", "a move has one notation and one number", same, "numbers"),
        _law(
            "text",
            "from_text reads an equal position back",
            same,
            "again",
        ),
    ]


def open_object(path: str, game: str, limits: Limits) -> Object:
    """Start the process that has the object in FILE.py:NAME."""
    file, _, name = path.rpartition(":")
    if not os.path.isfile(file) or not name.isidentifier():
        raise Unusable(
            f"{path}: expected a Python file, a colon and a name in it, such as game.py:{game.title()}"
        )
    target = Object(os.path.abspath(file), name, game, limits)
    smallest = {"reversi": (4, 4), "breakdown": (4, 5, 2, 2)}
    answers = target.ask(Line(smallest.get(game, ())))
    if isinstance(answers, Death) and target.process is None:
        raise Unusable(f"{path}: {answers}")
    target.is_value = not isinstance(answers, Death) and answers[0]["value"]
    return target
