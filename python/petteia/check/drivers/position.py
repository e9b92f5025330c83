"""Plays an object with the Position protocol as petteia asks for it: JSON lines in, JSON lines out.

    python position.py FILE NAME

The file is run on its own: what it imports is found beside it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any


def load(path: str, name: str) -> Any:
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["under_test"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def start(made: Any, parameters: list[Any]) -> Any:
    return made(*parameters) if callable(made) else made


def described(position: Any) -> dict[str, Any]:
    outcome = position.outcome
    winner = None if outcome is None or outcome.winner is None else int(outcome.winner)
    return {
        "moves": list(position.moves),
        "actions": [int(action) for action in position.actions],
        "turn": None if position.turn is None else int(position.turn),
        "is_over": bool(position.is_over),
        "ended": outcome is not None,
        "winner": winner,
        "text": position.text,
        "num_actions": int(position.num_actions),
        "players": list(position.players),
    }


def answer(made: Any, request: dict[str, Any]) -> list[dict[str, Any]]:
    position = start(made, request["parameters"])
    answers = [{**described(position), "value": not callable(made)}]
    for move in request["moves"]:
        # A number stands for one of the legal moves, whichever they are.
        if isinstance(move, int):
            if not position.moves:
                break
            move = position.moves[move % len(position.moves)]
        before, was = position, described(position)
        position = position.play(move)
        answers.append({**described(position), "kept": described(before) == was, "played": move})
    for question, value in request["questions"]:
        try:
            if question == "play":
                answers.append({"text": position.play(value).text})
            elif question == "action":
                answers.append({"action": int(position.action(value))})
            elif question == "move":
                answers.append({"move": position.move(value)})
            elif question == "illegal":
                legal = set(position.actions)
                wrong = next((i for i in range(position.num_actions) if i not in legal), position.num_actions)
                answers.append({"text": position.play(wrong).text})
            elif question == "numbers":
                moves, actions = list(position.moves), list(position.actions)
                same = [position.action(move) for move in moves] == actions
                answers.append({"same": same and [position.move(action) for action in actions] == moves})
            elif question == "again":
                again = type(position).from_text(position.text)
                answers.append({"same": bool(again == position), "hash": hash(again) == hash(position)})
        except ValueError as error:
            answers.append({"error": f"{type(error).__name__}: {error}"})
    return answers


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    made = load(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        try:
            result: Any = answer(made, json.loads(line))
        except Exception as error:
            result = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), file=out, flush=True)


if __name__ == "__main__":
    main()
