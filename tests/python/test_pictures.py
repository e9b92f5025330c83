"""What positions tell besides their cells, their pictures, and what notebooks show of everything."""

from __future__ import annotations

import doctest
import math
import pickle
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import numpy as np
import petteia
import petteia.gymnasium
import petteia.pettingzoo
import pytest
from games import ROOT, STARTS, exactly, random_game
from petteia import _pictures, quarto
from playwright.sync_api import Page

SVG = "{http://www.w3.org/2000/svg}"
EVERY = [position for seed, start in enumerate(STARTS) for position in random_game(start, seed, 80)]
HANDS = [position for position in EVERY if isinstance(position, petteia.Quarto)]

# ---------------------------------------------------------------- positions


def test_the_action_mask_is_that_of_a_lane() -> None:
    for start in STARTS:
        name = next(name for name, known in petteia.GAMES.items() if type(start) is known)
        declared = petteia._games.DECLARED[name].parameters
        env = petteia.VectorEnv(name, 1, **{known.name: getattr(start, known.name) for known in declared})
        for position in random_game(start, 5, 80):
            mask = position.action_mask
            assert mask.dtype == np.bool_ and mask.shape == (position.num_actions,)
            assert np.flatnonzero(mask).tolist() == position.actions
            env.set_position(0, position)
            assert np.array_equal(mask, env.action_mask[0])
            mask[:] = True
            assert np.flatnonzero(position.action_mask).tolist() == position.actions, "a mask is a copy"


def test_counts_are_those_of_the_cells() -> None:
    for position in EVERY:
        if isinstance(position, petteia.Quarto):
            assert not hasattr(position, "count"), "its pieces are nobody's"
        else:
            assert position.count == tuple(int((position.array == player).sum()) for player in (1, 2))
    four: Any = petteia.Reversi(4, 4)
    for square in ("b2", "c2", "c3", "b3", "d2"):
        four = four.play(square)
    assert four.count[petteia.Player.FIRST] + four.count[petteia.Player.SECOND] == 5


def test_scores_are_the_first_players() -> None:
    for position in EVERY:
        winner = None if position.outcome is None else position.outcome.winner
        if isinstance(position, petteia.Reversi):
            dark, light = (int((position.array == player).sum()) for player in (1, 2))
            assert position.score == dark - light
            assert not position.is_over or np.sign(position.score) == (
                0 if winner is None else 1 - 2 * winner
            )
        else:
            assert position.score == (0 if winner is None else 1 - 2 * winner)
    assert petteia.TicTac.from_text("XXX/OO_/___ -").score == 1
    assert petteia.TicTac.from_text("OOO/XX_/X__ -").score == -1
    assert petteia.Reversi.from_text("DDD/DDD/DDL -").score == 7


# ---------------------------------------------------------------- pictures of positions


def test_pictures_have_the_size_that_is_asked_for() -> None:
    for position in EVERY[::7]:
        plain = position.svg()
        sizes: tuple[Any, ...] = (300, 1, 72.5, np.int64(40), np.float32(64), 100_000)
        for size in sizes:
            root = ElementTree.fromstring(position.svg(size=size))
            width, height = float(root.attrib["width"]), float(root.attrib["height"])
            assert width == size
            *_, wide, high = map(float, root.attrib["viewBox"].split())
            assert math.isclose(width / height, wide / high, rel_tol=0.01)
        sized = position.svg(size=300)
        assert 'width="300"' in sized
        unsized = re.compile(r' width="[^"]*" height="[^"]*"')
        assert unsized.sub("", sized, count=1) == unsized.sub("", plain, count=1)
        assert position.svg(size=None) == plain and re.search(r'width="[\d.]+em" height="[\d.]+em"', plain)
    marked = petteia.TicTac().play("B2").svg("B2", True, "dark", 300)
    assert 'width="300" height="300"' in marked and "Last move: B2" in marked and "pet-legal" in marked


def test_sizes_that_are_none() -> None:
    start: Any = petteia.Reversi()
    for size, shown in (
        (0, "0"),
        (-3, "-3"),
        (0.5, "0.5"),
        (math.nan, "NaN"),
        (math.inf, "inf"),
        (100_001, "100001"),
        (10**400, "of hundreds of digits"),
    ):
        with exactly(ValueError, f"^invalid size {shown}: expected a number of pixels from 1 to 100000$"):
            start.svg(size=size)
    for wrong, kind in (("300", "str"), ((300, 300), "tuple"), (b"3", "bytes"), (1j, "complex")):
        with exactly(TypeError, f"^expected size as a number of pixels, not {kind}$"):
            start.svg(size=wrong)

    class Broken:
        def __float__(self) -> float:
            raise RuntimeError("broken")

    with exactly(RuntimeError, "^broken$"):
        start.svg(size=Broken())


# ---------------------------------------------------------------- the piece in hand


def document(position: petteia.Quarto) -> quarto.Board:
    """Return the document's board with the pieces of a position."""
    board, pool = quarto.Board(), quarto.Pool()
    for square, piece in zip(board.squares, position.array.flat, strict=True):
        if piece >= 0:
            board.place(pool.pieces[piece], square)
    return board


def test_the_text_shows_the_piece_in_hand() -> None:
    assert {position.hand is None for position in HANDS} == {True, False}
    for position in HANDS:
        board = str(document(position))
        assert len(board.splitlines()) == 14
        hand = "" if position.hand is None else f"in hand: {position.hand}\n"
        assert str(position) == board + hand
        for env in (
            petteia.gymnasium.Env("quarto", render_mode="ansi"),
            petteia.pettingzoo.raw_env("quarto", render_mode="ansi"),
        ):
            env.position = position
            assert env.render() == str(position)


def test_the_image_shows_the_piece_in_hand() -> None:
    env = petteia.gymnasium.Env("quarto", render_mode="rgb_array")
    side, first = 48, None
    squares = {}
    for piece in range(16):
        selected = petteia.Quarto().play(piece)
        env.position = selected
        shown = env.render()
        placed = env.position = selected.play("A1")
        after = env.render()
        assert shown.dtype == np.uint8 and shown.shape == after.shape == (4 * side, 252, 3)
        # Only the square of A1 and that beside the board differ, and they swap what they show.
        there, beside = np.s_[:side, :side], np.s_[6 : 6 + side, 198 : 198 + side]
        assert np.array_equal(shown[beside], after[there]) and np.array_equal(shown[there], after[beside])
        different = (shown != after).any(axis=2)
        different[there] = different[beside] = False
        assert not different.any()
        squares[piece] = shown[beside].tobytes()
        first = after[beside].tobytes()
        assert placed.hand is None
    assert len({*squares.values(), first}) == 17, "every piece looks different, and so does none"
    # Other games have nothing beside the board.
    assert petteia.gymnasium.Env("tictac", render_mode="rgb_array").render().shape == (144, 144, 3)


def test_the_picture_shows_the_piece_in_hand() -> None:
    for position in HANDS[:40]:
        description = ElementTree.fromstring(position.svg()).findtext(f"{SVG}desc")
        assert description is not None
        assert ("In hand: " in description) == (position.hand is not None)


# ---------------------------------------------------------------- notebooks

VOID = {"input", "br", "hr", "img", "meta"}


class Strict(HTMLParser):
    """Reads HTML, and fails where a tag is not closed, or something comes from elsewhere."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "iframe", "link", "img", "object", "embed", "base"), tag
        assert not {"src", "href", "xlink:href", "srcset", "action", "id"} & {
            name for name, _ in attrs if not ("svg" in self.open and name == "id")
        }, attrs
        for name, value in attrs:
            if name.startswith("on"):
                assert value in (_pictures.STEP, "this.onkeydown(event)"), value
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "svg"} & {*self.open}:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words outside the pictures, with single spaces."""
        return " ".join(" ".join(self.words).split())


def strict(shown: Any) -> Strict:
    """Read what a notebook shows."""
    html = shown._repr_html_()
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    return Strict(html)


def test_a_solution_is_told_in_words() -> None:
    position = petteia.Reversi.from_text("DLLD/LLLD/DLDD/DD__ L")
    solution = petteia.solve(position)
    told = strict(solution)
    assert solution.position == position and told.seen.count("svg") == 1
    assert solution.value is not None
    winner = "light" if solution.value > 0 else "dark"
    assert f"value {solution.value:+d}: {winner} wins by {abs(solution.value)} disc" in told.text
    assert f"best moves {', '.join(solution.best_moves)} line {' '.join(solution.line)} searched" in told.text
    assert position.svg(legal=True) in solution._repr_html_()
    for text, value in (("XX_/OO_/___ X", "+1: X wins"), ("X_O/_X_/___ O", "0: a draw")):
        assert f"value {value} best" in strict(petteia.solve(petteia.TicTac.from_text(text))).text
    unknown = strict(petteia.solve(petteia.Reversi(), node_limit=1000)).text
    assert "value -64 to +64, not known exactly" in unknown and "best moves" not in unknown
    # The position is no part of the result, but goes with its copies. Without one there is no board.
    by_hand = petteia.Solution(*solution)
    assert by_hand == solution and by_hand.position is None and "svg" not in strict(by_hand).seen
    for found in (solution, petteia.mcts(position, 10), petteia.analyse(position, depth=1)):
        again = pickle.loads(pickle.dumps(found))
        assert again == found and type(again) is type(found) and again.position == position
        assert again._repr_html_() == found._repr_html_()


def test_a_tree_shows_its_moves_by_visits() -> None:
    tree = petteia.mcts(petteia.TicTac.from_text("XX_/OO_/___ X"), 200)
    told = strict(tree)
    assert told.seen.count("svg") == 1 and told.seen.count("tr") == 1 + len(tree.visits)
    assert f"best move A3, value {tree.value:+.3f} after {tree.simulations:,} simulations" in told.text
    order = sorted(tree.visits, key=lambda move: -tree.visits[move])
    assert re.findall(r"\b[ABC][123]\b", told.text.split("visits", 1)[1]) == order
    assert "proven win" in told.text
    wide = strict(petteia.mcts(petteia.Breakdown(30, 4, 2, 2), 100))
    assert wide.seen.count("tr") == 13 and "and 48 more" in wide.text


def test_an_analysis_shows_its_lines() -> None:
    analysis = petteia.analyse(petteia.TicTac.from_text("XX_/OO_/___ X"), depth=9, lines=3)
    told = strict(analysis)
    assert told.seen.count("svg") == 1 and told.seen.count("tr") == 4
    assert "A3 +1: X wins A3" in told.text and f"{analysis.nodes:,} nodes" in told.text
    guess = petteia.analyse(petteia.Reversi(), nodes=2000, lines=2)
    for line in guess.lines:
        assert f"discs {' '.join(line.moves)}" in strict(guess).text
    assert str(guess).count("\n") >= 2, "printed, it is still a table"


def test_a_match_shows_its_counts() -> None:
    result = petteia.match("myopic", "random", "tictac", games=40)
    told = strict(result)
    assert "Myopic() against Random() in 40 games of tictac X" in told.text
    assert f"together {' '.join(map(str, result.counts))} score {100 * result.score:.1f} %" in told.text


def test_a_batch_shows_its_first_boards() -> None:
    for name in petteia.GAMES:
        env = petteia.VectorEnv(name, 20, seed=3)
        for _ in range(6):
            env.step(env.random_actions())
        told = strict(env)
        assert told.seen.count("svg") == 16 and "and 4 more" in told.text
        assert f"20 games of {name}" in told.text and f"{(env.turns < 0).sum()} over" in told.text
        html = env._repr_html_()
        assert all(env.position(lane).svg() in html for lane in range(16))
    few = strict(petteia.VectorEnv("reversi", 3, width=4, height=6))
    assert few.seen.count("svg") == 3 and "more" not in few.text
    assert "3 games of reversi, width 4, height 6; 0 over 0: dark to move" in few.text
    forfeited = petteia.VectorEnv("tictac", 2, illegal="lose")
    forfeited.step([99, 0])
    assert "2 games of tictac, first X; 1 over 0: over 1: O to move" in strict(forfeited).text
    cut = petteia.VectorEnv("tictac", 3, max_plies=2)
    cut.step([0, 0, 0])
    cut.step([1, 1, 1])
    cut.set_position(1, "X__/___/___ O")
    told = strict(cut)
    assert "3 games of tictac, first X; 0 over, 2 truncated 0: truncated, X to move 1: O to move" in told.text
    one = petteia.VectorEnv("tictac", 1)
    one.set_position(0, "XXX/OO_/___ -")
    assert "1 game of tictac, first X; 1 over 0: X won" in strict(one).text


def test_a_record_shows_every_position() -> None:
    for line in ("tictac X: B2 C2 C3", "reversi 4 4:", "breakdown 4 5 2 2: |0 -2", "quarto: SBCH A1 TEQO"):
        record = petteia.Record.from_text(line)
        told, html = strict(record), record._repr_html_()
        assert told.seen.count("svg") == told.seen.count("figure") == len(record.moves) + 1
        assert html.count("<figure hidden>") == len(record.moves)
        assert told.seen.count("button") == 4
        assert record.start.svg() in html
        for move, position in record.replay():
            assert position.svg(last=move) in html
    assert "the start: X to move 1. A1: O to move" in strict(petteia.Record(petteia.TicTac(), ["A1"])).text
    won = petteia.Record.from_text("tictac X: A1 B1 A2 B2 A3")
    assert "5. A3: X won" in strict(won).text
    long = strict(petteia.Record(petteia.Breakdown(), ["!"] * 1000))
    assert long.seen.count("svg") == 256
    assert "745. !:" in long.text and "744. !:" not in long.text and "the start" not in long.text


HOSTILE = "</td><script>alert('1')</script>\"'&amp;<b>"


class Hostile:
    """A game whose moves, drawing and repr are HTML that means harm."""

    def __init__(self, left: int = 2) -> None:
        self._left = left

    @property
    def turn(self) -> int | None:
        return self._left % 2 if self._left else None

    @property
    def moves(self) -> list[str]:
        return [HOSTILE] if self._left else []

    def play(self, move: str) -> Hostile:
        return Hostile(self._left - 1)

    @property
    def outcome(self) -> petteia.Outcome | None:
        return None if self._left else petteia.Outcome(0)

    def __repr__(self) -> str:
        return HOSTILE

    __str__ = __repr__


class HostileBot:
    def choose(self, position: Any) -> str:
        return str(position.moves[0])

    def __repr__(self) -> str:
        return HOSTILE


def test_texts_are_only_text() -> None:
    named = type(HOSTILE, (Hostile,), {})
    shown: list[Callable[[], object]] = [
        lambda: petteia.Record(Hostile(), [HOSTILE]),
        lambda: petteia.solve(Hostile()),
        lambda: petteia.mcts(Hostile(), 10),
        lambda: petteia.analyse(Hostile(), depth=2),
        lambda: petteia.match(HostileBot(), "random", Hostile(), games=2),
        lambda: petteia.match("random", "random", named(), games=2),
    ]
    for make in shown:
        told = strict(make())
        assert HOSTILE in told.text
        assert "script" not in told.seen and told.seen.count("b") <= 1


def test_own_games_draw_themselves() -> None:
    class Drawn(Hostile):
        def _repr_svg_(self) -> str:
            return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'

        def play(self, move: str) -> Drawn:
            return Drawn(self._left - 1)

    told = strict(petteia.Record(Drawn(), [HOSTILE, HOSTILE]))
    assert told.seen.count("svg") == 3 and "pre" not in told.seen
    assert "first won" in told.text


def test_the_page_about_pictures_is_true() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "notebooks.md").read_text(), re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "notebooks.md", None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert len(test.examples) == 6 and runner.summarize(verbose=False).failed == 0


# ---------------------------------------------------------------- stepping in the browser


@pytest.fixture
def notebook(page: Page) -> Page:
    """Return a page with two records; the second is longer than what is kept of it."""
    short = petteia.Record.from_text("tictac X: B2 C2 C3")
    long = petteia.Record(petteia.Breakdown(), ["!"] * 300)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_content(f"<p>before</p>{short._repr_html_()}{long._repr_html_()}<p>after</p>")
    assert requests == []
    return page


def captions(page: Page) -> list[str]:
    """Return what is seen of each record: its caption and where it says it is."""
    seen = []
    for record in page.locator(".petteia-record").all():
        figures = record.locator("figure:visible")
        assert figures.count() == 1
        assert figures.locator("svg").is_visible()
        seen.append(f"{figures.locator('figcaption').inner_text()}; {record.locator('output').inner_text()}")
    return seen


def test_stepping_with_keys(notebook: Page) -> None:
    last = "300. !: black to move; 300 of 300"
    end = "3. C3: O to move; 3 of 3"
    assert captions(notebook) == [end, last]
    notebook.locator(".petteia-record").first.focus()
    for key, expected in (
        ("ArrowLeft", "2. C2: X to move; 2 of 3"),
        ("ArrowLeft", "1. B2: O to move; 1 of 3"),
        ("ArrowRight", "2. C2: X to move; 2 of 3"),
        ("Home", "the start: X to move; 0 of 3"),
        ("ArrowLeft", "the start: X to move; 0 of 3"),
        ("End", end),
        ("ArrowRight", end),
        # Keys that mean something else are left alone.
        ("Shift+ArrowLeft", end),
        ("Control+ArrowLeft", end),
        ("x", end),
    ):
        notebook.keyboard.press(key)
        assert captions(notebook) == [expected, last], key
    # A click on a board makes its keys work. Plies that are not kept cannot be reached.
    notebook.locator(".petteia-record").nth(1).locator("figure:visible").click()
    notebook.keyboard.press("ArrowLeft")
    assert captions(notebook) == [end, "299. !: white to move; 299 of 300"]
    notebook.keyboard.press("Home")
    assert captions(notebook) == [end, "45. !: white to move; 45 of 300"]


def test_stepping_with_buttons_and_the_slider(notebook: Page) -> None:
    last = "300. !: black to move; 300 of 300"
    first = notebook.locator(".petteia-record").first
    for name, expected in (
        ("back", "2. C2: X to move; 2 of 3"),
        ("back", "1. B2: O to move; 1 of 3"),
        ("forward", "2. C2: X to move; 2 of 3"),
        ("to the first position", "the start: X to move; 0 of 3"),
        ("to the last position", "3. C3: O to move; 3 of 3"),
    ):
        first.get_by_role("button", name=name, exact=True).click()
        assert captions(notebook) == [expected, last], name
    # A button takes a key once, and the arrow keys still step while it has the focus.
    first.get_by_role("button", name="back", exact=True).focus()
    notebook.keyboard.press("Enter")
    assert captions(notebook) == ["2. C2: X to move; 2 of 3", last]
    notebook.keyboard.press("ArrowLeft")
    assert captions(notebook) == ["1. B2: O to move; 1 of 3", last]
    slider = first.get_by_role("slider")
    slider.focus()
    for key, ply in (("ArrowRight", 2), ("ArrowUp", 3), ("Home", 0)):
        notebook.keyboard.press(key)
        assert slider.input_value() == str(ply) and captions(notebook)[0].endswith(f"{ply} of 3")
    slider.fill("1")
    assert captions(notebook) == ["1. B2: O to move; 1 of 3", last]
    first.locator("figure:visible").click()
    assert captions(notebook) == ["1. B2: O to move; 1 of 3", last]


def test_boards_beside_tables_and_in_grids_are_seen_whole(page: Page) -> None:
    page.set_viewport_size({"width": 700, "height": 900})
    env = petteia.VectorEnv("quarto", 17)
    tree = petteia.mcts(petteia.Breakdown(40, 3, 2, 2), 50)
    page.set_content(env._repr_html_() + tree._repr_html_())
    boxes = [svg.bounding_box() for svg in page.locator("svg").all()]
    assert len(boxes) == 17
    for box in boxes:
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 700 and box["height"] > 30
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
