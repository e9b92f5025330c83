"""Plays an object with the Position protocol on request: JSON lines in, JSON lines out.

    python position.py FILE NAME [--with-petteia]

NAME may have dots. FILE can import other files of its folder or package, relatively too. Only with
--with-petteia, it can import all of petteia. If it cannot be used at all, every answer says why.
"""

from __future__ import annotations

import enum
import importlib
import importlib.util
import json
import operator
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

NEEDED = ("turn", "moves", "play", "outcome")
METHODS = ("play", "from_text", "action", "move")
OPTIONAL = ("is_over", "players", "text", "from_text", "actions", "num_actions", "action", "move")


class Unusable(Exception):
    """The object cannot be used: its text says why."""


def load(path: str, name: str) -> Any:
    """Import a file as a module, or as a part of its package, and return what has a name in it."""
    path = os.path.abspath(path)
    folder, stem = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    parts = [] if stem == "__init__" else [stem]
    root = folder
    while os.path.isfile(os.path.join(root, "__init__.py")):
        parts.insert(0, os.path.basename(root))
        root = os.path.dirname(root)
    sys.path.insert(0, folder)
    try:
        if root != folder:
            sys.path.insert(0, root)
            found: Any = importlib.import_module(".".join(parts))
        else:
            try:
                found = executed(path)
            except ImportError as error:
                # Its folder is taken for a package.
                if "relative import" not in str(error):
                    raise
                sys.path.insert(0, os.path.dirname(folder))
                found = importlib.import_module(f"{os.path.basename(folder)}.{stem}")
    except (Exception, SystemExit) as error:
        raise Unusable(told(error)) from None
    for part in name.split("."):
        if not hasattr(found, part):
            names = sorted(word for word in vars(found) if not word.startswith("_"))
            raise Unusable(f"there is no {part} in it, only {', '.join(names) or 'nothing'}")
        found = getattr(found, part)
    return found


def executed(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["under_test"] = module
    spec.loader.exec_module(module)
    return module


def told(error: BaseException) -> str:
    """Return an exception in its own words, with the line of its file that raised it."""
    said = "".join(traceback.format_exception_only(type(error), error)).strip()
    lines = traceback.extract_tb(error.__traceback__)
    own = [line for line in lines if line.filename != __file__ and not line.filename.startswith("<frozen")]
    if isinstance(error, SyntaxError) or not own:
        return said
    return f"{said} ({os.path.basename(own[-1].filename)}, line {own[-1].lineno})"


def start(made: Any, parameters: list[Any]) -> Any:
    """Make a position, or raise Unusable with all that it lacks."""
    try:
        position = made(*parameters) if callable(made) else made
    except Exception as error:
        raise Unusable(told(error)) from None
    # A property that raises is not missing: its exception is reported when it is read.
    lacks = [
        f"no {name}" for name in NEEDED if not (hasattr(type(position), name) or hasattr(position, name))
    ]
    lacks += [f"a {name} that is {what}" for name, what in ill_typed(position)]
    if lacks:
        raise Unusable(f"{type(position).__name__} has {', '.join(lacks)}: --explain says what it needs")
    return position


def ill_typed(position: Any) -> Iterator[tuple[str, str]]:
    """Yield the members that cannot be what they should be, and what they are instead."""
    for name in (*NEEDED, *OPTIONAL):
        try:
            value = getattr(position, name)
        except Exception:
            continue
        if name in METHODS:
            if not callable(value):
                yield name, f"{type(value).__name__}, not a method"
        elif callable(value):
            yield name, "a method, not a property"
        elif name in ("moves", "actions", "players") and (isinstance(value, str) or not is_iterable(value)):
            yield name, f"{type(value).__name__}, not a list"


def is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


def members_of(position: Any) -> list[str]:
    """Return the optional members that a position has, == for an equality of its own."""
    found = [name for name in OPTIONAL if hasattr(type(position), name) or hasattr(position, name)]
    equality: Any = type(position).__eq__
    return found if equality is object.__eq__ else [*found, "=="]


def number(value: Any) -> Any:
    """Return an integer of any type as an int, a member of an enumeration as its name, else the value."""
    try:
        return operator.index(value)
    except TypeError:
        return value.name if isinstance(value, enum.Enum) else value


def asked(position: Any, name: str) -> Any:
    value = getattr(position, name)
    if callable(value):
        raise TypeError(f"{name} is a method: expected a property")
    return value


READ: dict[str, Callable[[Any], Any]] = {
    "is_over": bool,
    "players": list,
    "text": lambda text: text,
    "actions": lambda actions: [int(action) for action in actions],
    "num_actions": int,
}


def described(position: Any, members: list[str]) -> dict[str, Any]:
    """Return the values of a position's members."""
    outcome = asked(position, "outcome")
    winner = None if outcome is None else getattr(outcome, "winner", f"missing in {outcome!r}")
    return {
        "moves": list(asked(position, "moves")),
        "turn": number(asked(position, "turn")),
        "ended": outcome is not None,
        "winner": number(winner),
        **{name: read(asked(position, name)) for name, read in READ.items() if name in members},
    }


def is_text(value: Any) -> bool:
    """Return whether a value is a string that can be written: without half a surrogate."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def wrong_types(position: Any, members: list[str]) -> list[str]:
    """Return the members whose values petteia's functions would reject."""
    turn, moves, outcome = position.turn, position.moves, position.outcome
    wrong = []
    if turn is not None and number(turn) not in (0, 1):
        wrong.append(f"turn is {turn!r}")
    if isinstance(moves, str) or not all(is_text(move) for move in moves):
        wrong.append(f"moves is {moves!r}")
    if "text" in members and not is_text(position.text):
        wrong.append(f"text is {position.text!r}")
    kind = type(outcome)
    if not (outcome is None or (kind.__module__, kind.__qualname__) == ("petteia", "Outcome")):
        wrong.append(f"outcome is {outcome!r}, a {kind.__module__}.{kind.__qualname__}")
    return wrong


def same_hash(one: Any, other: Any) -> bool | None:
    return None if type(one).__hash__ is None else hash(one) == hash(other)


def compared(one: Any, other: Any, members: list[str]) -> dict[str, Any]:
    """Compare two positions by == if they define it, else by their members."""
    if "==" in members:
        return {"same": bool(one == other), "hash": same_hash(one, other)}
    return {"same": described(one, members) == described(other, members), "hash": None}


class Game:
    """A game played with an object."""

    def __init__(self, made: Any, request: dict[str, Any]) -> None:
        self.made, self.request = made, request
        self.members: list[str] = []
        self.played: list[Any] = []
        self.seen: list[Any] = []

    def answers(self) -> Iterator[dict[str, Any]]:
        position = start(self.made, self.request["parameters"])
        self.members = members_of(position)
        members = self.members if self.request["members"] is None else self.request["members"]
        yield {**self.told(position, members), "value": not callable(self.made), "members": self.members}
        for move in self.request["moves"]:
            # A number selects one of the legal moves.
            if isinstance(move, int):
                legal = list(position.moves)
                if not legal:
                    break
                move = legal[move % len(legal)]
            self.played.append(move)
            before, was = position, described(position, members)
            position = position.play(move)
            if position is None:
                raise TypeError("play returned None: expected a position")
            kept = position is not before and described(before, members) == was
            yield {**self.told(position, members), "kept": kept, "played": move}
        for question, value in self.request["questions"]:
            try:
                yield self.answer(position, members, question, value)
            except ValueError as error:
                yield {"error": f"{type(error).__name__}: {error}"}
            except Exception as error:
                yield {"raised": f"{type(error).__name__}: {error}"}

    def told(self, position: Any, members: list[str]) -> dict[str, Any]:
        told = described(position, members)
        self.seen += [move for move in told["moves"] if move not in self.seen]
        return {
            **told,
            "steady": described(position, members) == told,
            "types": wrong_types(position, members),
        }

    def answer(self, position: Any, members: list[str], question: str, value: Any) -> dict[str, Any]:
        if question == "play":
            position.play(value)
            return {"played": value}
        if question == "action":
            return {"action": int(position.action(value))}
        if question == "move":
            return {"move": position.move(value)}
        if question == "numbers":
            moves, actions = list(position.moves), list(position.actions)
            same = [position.action(move) for move in moves] == actions
            return {"same": same and [position.move(action) for action in actions] == moves}
        if question == "again":
            return compared(type(position).from_text(position.text), position, members)
        if question == "replay":
            again = start(self.made, self.request["parameters"])
            for move in self.played:
                again = again.play(move)
            same = described(again, members) == described(position, members)
            return {**compared(again, position, members), **({} if same else {"same": False})}
        assert question == "illegal"
        if {"actions", "num_actions"} <= {*members}:
            legal = set(position.actions)
            wrong: Any = next(i for i in range(position.num_actions + 1) if i not in legal)
        else:
            legal = set(position.moves)
            wrong = next((move for move in self.seen if move not in legal), "no such move")
        position.play(wrong)
        return {"played": wrong}


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if "--with-petteia" not in sys.argv[3:]:
        sys.modules["petteia"] = importlib.import_module("stand_in")
    made: Any = None
    unusable = ""
    try:
        made = load(sys.argv[1], sys.argv[2])
    except Unusable as error:
        unusable = str(error)
    for line in sys.stdin:
        game = Game(made, json.loads(line))
        try:
            if unusable:
                raise Unusable(unusable)
            result: Any = list(game.answers())
        except Unusable as error:
            result = {"unusable": str(error)}
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
            result = {"raised": raised, "played": game.played, "members": game.members}
        print(json.dumps(result, default=repr), file=out, flush=True)


if __name__ == "__main__":
    main()
