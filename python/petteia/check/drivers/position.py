"""Plays an object with the Position protocol as petteia asks for it: JSON lines in, JSON lines out.

    python position.py FILE NAME

The file is run on its own: what it imports is found beside it.
"""

import importlib.util
import json
import os
import sys


def load(path, name):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("under_test", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["under_test"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def start(made, parameters):
    return made(*parameters) if callable(made) else made


def described(position):
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


def answer(made, request):
    position = start(made, request["parameters"])
    answers = [described(position)]
    for move in request["moves"]:
        before = position
        position = position.play(move)
        answers.append({**described(position), "kept": described(before) == answers[-1]})
    for question, value in request["questions"]:
        try:
            if question == "play":
                answers.append({"text": position.play(value).text})
            elif question == "action":
                answers.append({"action": int(position.action(value))})
            elif question == "move":
                answers.append({"move": position.move(value)})
            elif question == "again":
                again = type(position).from_text(position.text)
                answers.append({"same": bool(again == position), "hash": hash(again) == hash(position)})
        except ValueError as error:
            answers.append({"error": f"{type(error).__name__}: {error}"})
    return answers


def main():
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    made = load(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        try:
            result = answer(made, json.loads(line))
        except Exception as error:
            result = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(result), file=out, flush=True)


main()
