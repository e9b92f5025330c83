"""The rules for Python objects: those of petteia's games, and laws that hold for every game.

A position needs four members: turn, moves, play and outcome. Rules about other members apply only to objects
that have them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import petteia

from .._games import DECLARED, GAMES
from .position import FULL, Answer, Line, Object
from .rules import Draw, Finding, Judgement, Picture, Rule, Stopped, watching
from .sandbox import Death

if TYPE_CHECKING:
    from .._petteia import _Position as AnyGame

# An object with actions numbers its moves as petteia does.
NUMBERS = {"actions", "num_actions", "action", "move"}
TEXT = {"text", "from_text"}
ILLEGAL = "an illegal move raises a ValueError"
ANSWERS = "every member works in every position"
STEADY = "members have the same values when they are read again"
FROZEN = "play does not change the position it is called on"


def remarks(members: Collection[str]) -> list[str]:
    """Return a remark on the rules that are skipped because their members are missing."""
    missing = sorted(FULL.difference(members))
    return [f"rules for missing members are skipped: {', '.join(missing)}"] if missing else []


def _is_same(answer: Answer, members: Collection[str]) -> bool:
    """Return whether two positions were found to be equal, with equal hashes if they need any."""
    wanted = (True,) if FULL.issubset(members) else (True, None)
    return bool(answer.get("same")) and answer.get("hash") in wanted


def _player(value: Any, names: list[str]) -> Any:
    """Return a player as a number, whether it is one or what stands for a player in the document."""
    for number, name in enumerate(names):
        if isinstance(value, str) and value.lower() in (name.lower(), name[:1].lower()):
            return number
    return value


def _described(position: AnyGame) -> Answer:
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
    """Draw parameters no larger than a preset's; words at the end may be left out."""
    declared = DECLARED[game]
    preset = draw.choice(declared.presets)[1]
    values: list[Any] = []
    for parameter in declared.parameters:
        if parameter.words:
            values.append(draw.choice(parameter.words))
        else:
            values.append(draw.integer(parameter.least or 0, preset[parameter.name]))
    while values and isinstance(values[-1], str) and not draw.integer(0, 1):
        values.pop()
    return tuple(values)


def _lines(game: str, question: str | None = None) -> Callable[[Draw], Line]:
    """Return a function that draws games, with a question at the end."""

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


def _rule(
    game: str,
    members: Collection[str],
    name: str,
    says: str,
    keys: str = "",
    question: str | None = None,
    note: bool = False,
    after: tuple[str, ...] = (),
) -> Rule[Line]:
    """Make a rule about some members of a position, or about the answer to a question."""
    # Moves are in the order of their actions, or in any order if there are none.
    ordered = "actions" in members

    def agree(key: str, answer: Answer, wanted: Answer) -> bool:
        if key in ("turn", "winner"):
            return bool(_player(answer[key], wanted["players"]) == wanted[key])
        if key == "moves" and not ordered:
            return sorted(map(str, answer[key])) == sorted(wanted[key])
        return bool(answer[key] == wanted[key])

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
            at = len(line.moves if target.played is None else target.played)
            finding = replace(found(at, "every member works", answers), summary=ANSWERS, about=answers.kind)
            return Stopped(finding, answers.kind)
        for at in range(len(line.moves) + 1):
            wanted = _described(position)
            if question is None:
                for key in keys.split():
                    if key == "kept":
                        if not answers[at].get(key, True):
                            return found(at, "the position before the move stays the same", "it changes")
                    elif key in answers[at] and not agree(key, answers[at], wanted):
                        return found(at, f"{key} is {wanted[key]}", f"{key} is {answers[at][key]}")
            if not all(agree(key, answers[at], wanted) for key in ("moves", "text") if key in answers[at]):
                return question is None
            position = position if at == len(line.moves) else position.play(line.moves[at])
        for (what, value), got in zip(line.questions, answers[len(line.moves) + 1 :]):
            if what == "play":
                right, expected = "error" in got, "a ValueError, such as IllegalMove"
            elif what == "again":
                right = _is_same(got, members)
                expected = "an equal position with the same hash"
            elif what == "move":
                right, expected = got.get("move") == position.move(value), repr(position.move(value))
            else:
                right, expected = got.get("action") == position.action(value), str(position.action(value))
            if not right:
                return found(len(line.moves) + 1, expected, got)
        return True

    return Rule(
        f"position-{name}",
        says,
        _lines(game, question),
        judge,
        _shorter(game),
        share=0.5,
        note=note,
        after=tuple(f"position-{other}" for other in after),
    )


def rules(game: str, members: Collection[str]) -> list[Rule[Any]]:
    """Return the rules of one of petteia's games, for an object with these members."""
    has = {*members}
    in_order = ", in the order of their actions" if "actions" in has else ""
    ended = ("outcome",)
    made = [
        _rule(
            game,
            has,
            "outcome",
            "outcome says who has won, or is None while the game goes on",
            "is_over ended winner",
        ),
        _rule(game, has, "moves", f"moves are the legal moves{in_order}", "moves", after=ended),
    ]
    if "actions" in has:
        says = "actions are the legal moves as numbers"
        made.append(_rule(game, has, "actions", says, "actions num_actions", after=(*ended, "moves")))
    turn = "turn is the player to move, or None when the game is over"
    made.append(_rule(game, has, "turn", turn, "turn players", after=ended))
    if "text" in has:
        says = "play returns the position after a move"
        made.append(_rule(game, has, "play", says, "text", after=(*ended, "moves", "turn")))
    made += [
        _rule(game, has, "frozen", FROZEN, "kept"),
        _rule(
            game, has, "illegal", ILLEGAL, question="play", note="actions" not in has, after=(*ended, "moves")
        ),
    ]
    if has >= NUMBERS:
        says = "action and move convert between notations and numbers"
        made.append(_rule(game, has, "numbers", says, question="numbers"))
    if has >= TEXT:
        made.append(_rule(game, has, "text", "from_text reads a position back", question="again"))
    return [watching("position-answers", ANSWERS, made, after=("position-moves",)), *made]


@dataclass(frozen=True)
class Choices:
    """A game of unknown rules: for each position, which of its moves to play."""

    moves: tuple[int, ...]

    def shorter(self) -> Iterator[Choices]:
        """Yield the games of one move, and those with one move fewer."""
        if len(self.moves) > 1:
            yield from (Choices((number,)) for number in range(31))
        for at in range(len(self.moves)):
            yield Choices(self.moves[:at] + self.moves[at + 1 :])


def _law(
    name: str,
    says: str,
    law: Callable[[Answer], bool],
    question: str | None = None,
    got: Callable[[Answer], object] = lambda answer: answer,
    note: bool = False,
    after: tuple[str, ...] = (),
) -> Rule[Choices]:
    """Make a rule that holds for positions of every game, or for the answers to a question about them."""

    def cases(draw: Draw) -> Choices:
        return Choices(tuple(draw.integer(0, 30) for _ in draw.several(60, 30)))

    def judge(target: Object, choices: Choices) -> Judgement:
        asked = ((question, None),) if question else ()
        answers = target.ask(Line((), choices.moves, asked))
        if isinstance(answers, Death):
            played = target.played or ()
            finding = found(target, played, "", str(answers), ())
            return Stopped(
                replace(finding, summary=ANSWERS, expected=ANSWERS, about=answers.kind), answers.kind
            )
        positions = answers[: len(answers) - len(asked)]
        for at, answer in [(len(positions) - 1, answers[-1])] if question else enumerate(positions):
            if not law(answer):
                moves = tuple(one["played"] for one in positions[1 : at + 1])
                again = asked if question == "again" else ()
                if question == "illegal" and "played" in answer:
                    again = (("play", answer["played"]),)
                before = _shown(positions[max(0, at - 1)])
                return found(target, moves, before, str(got(answer)), again)
        return True

    def found(
        target: Object, moves: tuple[Any, ...], before: str, got: str, again: tuple[tuple[str, Any], ...]
    ) -> Finding:
        call = f"play({moves[-1]!r})" if moves else "the start"
        repeat = target.repeat(Line((), moves, again))
        return Finding(says, call, before, says, got, repeat, "python", len(moves))

    others = tuple(f"position-{other}" for other in after)
    called = f"position-{name}"
    return Rule(called, says, cases, judge, Choices.shorter, share=0.5, note=note, after=others)


def _shown(answer: Answer) -> str:
    """Return the text of a position, or its turn and moves if it has no text."""
    if "text" in answer:
        return str(answer["text"])
    return f"turn {answer['turn']}, moves {' '.join(map(str, answer['moves']))}"


def _difference(answer: Answer) -> str:
    """Return how two positions differ."""
    words = "an equal position with a different hash" if answer.get("same") else "a different position"
    return str(answer.get("error") or answer.get("raised") or words)


def laws(members: Collection[str]) -> list[Rule[Any]]:
    """Return the rules that hold for every game, for an object with these members."""
    has = {*members}

    def each_once(a: Answer) -> bool:
        moves = [str(move) for move in a["moves"]]
        return len(moves) == len(set(moves))

    def ordered(a: Answer) -> bool:
        actions = a["actions"]
        within = "num_actions" not in a or all(0 <= action < a["num_actions"] for action in actions)
        return within and actions == sorted(set(actions)) and each_once(a) and len(a["moves"]) == len(actions)

    def ended(a: Answer) -> bool:
        over = {a["ended"], a["turn"] is None, not a["moves"]}
        return len(over | ({bool(a["is_over"])} if "is_over" in a else set())) == 1

    def same(a: Answer) -> bool:
        return _is_same(a, has)

    made = [
        _law(
            "types",
            "turn is 0, 1 or None, moves and text are strings, outcome is None or a petteia.Outcome",
            lambda a: not a["types"],
            got=lambda a: ", ".join(a["types"]),
        ),
    ]
    if "actions" in has:
        made.append(
            _law(
                "moves",
                "moves and actions are the same moves, in ascending order and without duplicates",
                ordered,
                got=lambda a: f"moves {a['moves']}, actions {a['actions']}",
            )
        )
    else:
        made.append(_law("moves", "no move is listed twice", each_once, got=lambda a: f"moves {a['moves']}"))
    made += [
        _law(
            "over",
            "if and only if the game is over, it has an outcome, no turn and no moves",
            ended,
            got=lambda a: f"moves {a['moves']}, turn {a['turn']}, {'an' if a['ended'] else 'no'} outcome",
        ),
        _law("steady", STEADY, lambda a: bool(a["steady"]), got=lambda a: "other values the second time"),
        _law("frozen", FROZEN, lambda a: a.get("kept", True), got=lambda a: "it changes", after=("steady",)),
        _law(
            "replay",
            "the same moves lead to the same position",
            same,
            "replay",
            _difference,
            after=("steady", "frozen"),
        ),
        _law(
            "illegal",
            ILLEGAL,
            lambda a: "error" in a,
            "illegal",
            lambda a: a.get("raised") or f"{a['played']!r} is accepted",
            # The four required members say nothing about illegal moves.
            note="actions" not in has,
        ),
    ]
    if has >= NUMBERS:
        made.append(
            _law(
                "numbers",
                "action and move convert between notations and numbers",
                lambda a: bool(a.get("same")),
                "numbers",
                lambda a: a.get("error") or a.get("raised") or "action, move and actions disagree",
                after=("moves",),
            )
        )
    if has >= TEXT:
        says = "from_text reads back an equal position"
        made.append(_law("text", says, same, "again", _difference, after=("replay",)))
    return [watching("position-answers", ANSWERS, made), *made]
