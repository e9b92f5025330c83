"""What notebooks show: HTML for records, solutions, trees, analyses, matches and batches.

Each picture stands for itself: it needs nothing from the network and no ids, so that any number of them can
share a page. Names and moves may come from anywhere, so all text is escaped.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from . import _games, _petteia

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Self

    from ._analysis import Analysis, Estimate
    from ._search import Solution, Tree
    from .bots import MatchResult


class Result:
    """What the results about a position add to their tuples: the position, for the picture."""

    _position: Any = None

    @property
    def position(self) -> Any:
        """The position that the result is about, or None if it is unknown; it is no part of the tuple."""
        return self._position

    def _of(self, position: Any) -> Self:
        self._position = position
        return self


MOST_FRAMES = 256
"""The greatest number of boards of a record; a longer game shows its last ones."""
MOST_LANES = 16
"""The greatest number of boards of a batch."""
MOST_ROWS = 12
"""The greatest number of moves in a table."""

STYLE = """<style>
.petteia{font:14px/1.5 system-ui,sans-serif;display:flex;flex-wrap:wrap;gap:8px 20px;align-items:flex-start}
.petteia:focus-visible{outline:2px solid #5f7d99;outline-offset:4px}
.petteia figure{margin:0;text-align:center}
.petteia figure[hidden]{display:none}
.petteia pre{display:inline-block;margin:0;text-align:left;font:13px/1.2 monospace}
.petteia p{margin:0 0 4px;flex-basis:100%}
.petteia table{border-collapse:collapse;margin:0;font:inherit;color:inherit}
.petteia th,.petteia td{padding:2px 10px 2px 0;text-align:left;vertical-align:top;background:none;border:0}
.petteia th{font-weight:600;white-space:nowrap}
.petteia .n{text-align:right;font-variant-numeric:tabular-nums}
.petteia .b{display:inline-flex;vertical-align:top;margin-top:6px}
.petteia .b{width:120px;height:10px;border-radius:3px;overflow:hidden}
.petteia .b i{background:#5f7d99}
.petteia .b i.w{background:#2f7d5b}
.petteia .b i.d{background:#b8bdc4}
.petteia .b i.l{background:#c8692c}
.petteia-record{display:block;width:fit-content}
.petteia-record nav{display:flex;gap:4px;align-items:center;margin-bottom:6px}
.petteia-record button{min-width:2.2em;font:inherit;line-height:1.4}
.petteia-record input{flex:1;min-width:60px}
.petteia-record output{min-width:5em;text-align:right;font-variant-numeric:tabular-nums}
.petteia-beside>div{flex:1;min-width:280px}
.petteia-beside svg{height:240px;width:auto;max-width:420px}
.petteia-lanes svg{height:130px;width:auto;max-width:280px}
</style>
"""

# One handler for clicks on buttons, for keys, and for the slider. It knows only the element it belongs to.
STEP = """\
const e=event,s=this.querySelector('input'),n=+s.value,key=e.type=='click'?e.target.value:e.key;
const to={ArrowLeft:n-1,ArrowRight:n+1,Home:s.min,End:s.max}[key];
if(e.type=='keydown'){
if(to===undefined||e.ctrlKey||e.metaKey||e.altKey||e.shiftKey)return;
e.preventDefault();e.stopPropagation()}
if(to!==undefined)s.value=to;
this.querySelectorAll('figure').forEach((f,i)=>f.hidden=i!=s.value-s.min);
this.querySelector('output').value=s.value+' of '+s.max"""

BUTTONS = (
    ("Home", "«", "to the first position"),
    ("ArrowLeft", "\u2039", "back"),
    ("ArrowRight", "\u203a", "forward"),
    ("End", "»", "to the last position"),
)


def record(game: Any) -> str:
    """Return the boards of a game, of which buttons, a slider and the arrow keys show one at a time."""
    frames = list(_frames(game.start, game.moves))
    last = len(game.moves)
    first = last + 1 - len(frames)
    buttons = "".join(
        f'<button type="button" value="{key}" title="{words}" aria-label="{words}">{sign}</button>'
        for key, sign, words in BUTTONS
    )
    figures = (
        f"<figure{'' if ply == last else ' hidden'}>\n{picture}"
        f"<figcaption>{_text(caption)}</figcaption>\n</figure>\n"
        for ply, (caption, picture) in enumerate(frames, first)
    )
    step = _text(STEP)
    return (
        f'{STYLE}<div class="petteia petteia-record" tabindex="0" role="group" '
        f'aria-label="A game of {last} plies; the arrow keys step through it" '
        f'onkeydown="{step}" onclick="this.onkeydown(event)" oninput="this.onkeydown(event)">\n'
        f'<nav>{buttons}<input type="range" min="{first}" max="{last}" value="{last}" aria-label="ply">'
        f"<output>{last} of {last}</output></nav>\n{''.join(figures)}</div>\n"
    )


def _frames(position: Any, moves: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield a caption and a picture for the last positions, one after the other: they may be large."""
    skipped = len(moves) + 1 - MOST_FRAMES
    if skipped <= 0:
        yield f"the start: {_state(position)}", _board(position)
    for ply, move in enumerate(moves, 1):
        position = _after(position, move)
        if ply >= skipped:
            yield f"{ply}. {move}: {_state(position)}", _board(position, move)


def solution(found: Solution) -> str:
    """Return a solution: the board, the value in words, the best moves and the line."""
    position = found.position
    if found.lower == found.upper:
        value, best = _value(found.lower, position), "best moves"
    else:
        value = f"{_signed(found.lower)} to {_signed(found.upper)}, not known exactly"
        best = f"moves for {_signed(found.lower)} or more"
    rows = [
        ("value", value),
        (best, ", ".join(found.best_moves)),
        ("line", " ".join(found.line)),
        ("searched", _effort(found.nodes, found.seconds)),
    ]
    table = "".join(
        f"<tr><th>{_text(name)}</th><td>{_text(words)}</td></tr>\n" for name, words in rows if words
    )
    return _beside(position, f"<table>\n{table}</table>\n")


PROVEN = {1: "proven win", 0: "proven draw", -1: "proven loss"}


def tree(found: Tree) -> str:
    """Return a tree search: the board, and the moves with their visits, the most visited first."""
    most = max(1, *found.visits.values())
    rows = [
        [
            _text(move),
            _bar([("", visits / most)]),
            f"{visits:,}",
            f"{found.values[move]:+.3f}",
            PROVEN[found.proven[move]] if move in found.proven else "",
        ]
        for move, visits in sorted(found.visits.items(), key=lambda visited: -visited[1])
    ]
    words = f"best move {found.best_move}, value {found.value:+.3f} after {found.simulations:,} simulations"
    return _beside(
        found.position, f"<p>{_text(words)}</p>\n{_table(['move', '', 'visits', 'value', ''], rows)}"
    )


def analysis(found: Analysis) -> str:
    """Return an analysis: the board, and the best lines with what is to be expected of each."""
    rows = [
        [
            _text(line.moves[0]),
            _text(_expected(line.estimate) if line.value is None else _value(line.value, found.position)),
            _bar(zip("wdl", line.estimate[:3]), str(line.estimate)),
            _text(" ".join(line.moves)),
        ]
        for line in found.lines
    ]
    words = f"depth {found.depth}, {_effort(found.nodes, found.seconds)}"
    head = ["move", "expected", "win, draw, loss", "line"]
    return _beside(found.position, f"<p>{_text(words)}</p>\n{_table(head, rows)}")


def match(result: MatchResult) -> str:
    """Return the result of a match: the two names, the games by who began, and the score."""
    first, second = result.bots
    rows = []
    for name, counts in (
        ("first", result.as_first),
        ("second", result.as_second),
        ("together", result.counts),
    ):
        shares = [count / max(1, sum(counts)) for count in counts]
        rows.append([name, *(f"{count:,}" for count in counts), _bar(zip("wdl", shares))])
    score, low, high = (f"{100 * share:.1f} %" for share in (result.score, *result.interval))
    words = f"{first} against {second} in {result.games:,} games of {result.game}{result.repeats}"
    told = f"score {score}, with 95 % confidence from {low} to {high}"
    table = _table(["", "won", "drawn", "lost", ""], rows)
    return _whole(f"<p><b>{_text(words)}</b></p>\n{table}<p>{_text(told)}</p>\n")


def lanes(env: Any) -> str:
    """Return the boards of the first games of a batch."""
    shown = min(env.num_envs, MOST_LANES)
    over = int((env.turns < 0).sum())
    parameters = "".join(f", {name} {value}" for name, value in env.parameters.items())
    games = "1 game" if env.num_envs == 1 else f"{env.num_envs:,} games"
    cut = int(env.truncated.sum())
    words = f"{games} of {env.game}{parameters}; {over:,} over" + (f", {cut:,} truncated" if cut else "")
    figures = ""
    for lane in range(shown):
        position = env.position(lane)
        # A game can be over before its end, by an illegal action say.
        early = env.turns[lane] < 0 and position.turn is not None
        state = "over" if early else _text(_state(position))
        if env.truncated[lane]:
            state = f"truncated, {state}"
        figures += f"<figure>\n{_board(position)}<figcaption>{lane}: {state}</figcaption>\n</figure>\n"
    more = env.num_envs - shown
    rest = f"<p>and {more:,} more</p>\n" if more else ""
    return _whole(f"<p><b>{_text(words)}</b></p>\n{figures}{rest}", " petteia-lanes")


def _whole(inside: str, more: str = "") -> str:
    return f'{STYLE}<div class="petteia{more}">\n{inside}</div>\n'


def _beside(position: Any, inside: str) -> str:
    """Return something beside the board that it is about, if that is known."""
    if position is None:
        return _whole(inside)
    board, state = _board(position, legal=True), _text(_state(position))
    figure = f"<figure>\n{board}<figcaption>{state}</figcaption>\n</figure>\n"
    return _whole(f"{figure}<div>\n{inside}</div>\n", " petteia-beside")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of cells that are HTML already, with a limited number of rows."""

    def line(tag: str, cells: Iterable[str]) -> str:
        kinds = (' class="n"' if number else "" for number in numbers)
        return "".join(f"<{tag}{kind}>{cell}</{tag}>" for cell, kind in zip(cells, kinds))

    # Columns of numbers are right-aligned.
    numbers = [cell.lstrip("+-").replace(",", "").replace(".", "").isdigit() for cell in rows[0]]
    body = "".join(f"<tr>{line('td', row)}</tr>\n" for row in rows[:MOST_ROWS])
    more = len(rows) - MOST_ROWS
    rest = f"<p>and {more:,} more</p>\n" if more > 0 else ""
    return f"<table>\n<tr>{line('th', map(_text, head))}</tr>\n{body}</table>\n{rest}"


def _bar(shares: Iterable[tuple[str, float]], words: str = "") -> str:
    """Return a bar of parts, each with its class and its share of the width, and words that tell of them."""
    parts = "".join(f'<i class="{kind}" style="width:{100 * share:.1f}%"></i>' for kind, share in shares)
    return f'<span class="b" title="{_text(words)}">{parts}</span>'


def _board(position: Any, last: str | None = None, legal: bool = False) -> str:
    """Return a picture of a position; your own game may draw itself."""
    if isinstance(position, _games.CLASSES):
        return position.svg(last=last, legal=legal)
    draw = getattr(position, "_repr_svg_", None)
    return f"<pre>{_text(position)}</pre>\n" if draw is None else f"{draw()}\n"


def _after(position: Any, move: str) -> Any:
    return position.play(move) if isinstance(position, _games.CLASSES) else _petteia.after(position, move)


def _value(value: int, position: Any) -> str:
    """Return a value for the player to move, in words if the position is known."""
    if position is None or value == 0:
        return _signed(value) if value else "0: a draw"
    winner = _names(position)[position.turn if value > 0 else 1 - position.turn]
    counts = _petteia.max_score(position) > 1
    by = f" by {abs(value)} disc{'' if abs(value) == 1 else 's'}" if counts else ""
    return f"{_signed(value)}: {winner} wins{by}"


def _state(position: Any) -> str:
    """Return who is to move, or how the game ended."""
    if position.turn is not None:
        return f"{_names(position)[position.turn]} to move"
    winner = position.outcome.winner
    return "a draw" if winner is None else f"{_names(position)[winner]} won"


def _names(position: Any) -> list[str]:
    """Return the players' names. In your own game they have none."""
    names = position.players if isinstance(position, _games.CLASSES) else ("first", "second")
    return [f"player {name}" if name.isdigit() else name for name in names]


def _expected(estimate: Estimate) -> str:
    if estimate.difference is not None:
        return f"about {estimate.difference:+.1f} discs"
    return f"{100 * estimate.win:.0f} %, {100 * estimate.draw:.0f} %, {100 * estimate.loss:.0f} %"


def _effort(nodes: int, seconds: float) -> str:
    return f"{nodes:,} nodes in " + (f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms")


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _text(words: object) -> str:
    return html.escape(str(words))
