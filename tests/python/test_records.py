"""Records: from any position, as sequences, with headers, and in the formats of Othello programs."""

import collections.abc
import copy
import doctest
import io
import pickle
import re
from collections.abc import Callable
from typing import Any

import petteia
import pytest
from games import ROOT, STARTS, exactly
from hypothesis import given, settings
from hypothesis import strategies as st

PUBLISHED = [
    line
    for line in (ROOT / "tests" / "othello.ggf").read_text().splitlines()
    if line and not line.startswith("#")
]


# Where Othello starts.


def test_the_starts_of_othello() -> None:
    othello, parallel = petteia.Reversi.othello(), petteia.Reversi.parallel()
    rows = ["________"] * 3
    assert othello.text == "/".join([*rows, "___LD___", "___DL___", *rows]) + " D"
    assert parallel.text == "/".join([*rows, "___DD___", "___LL___", *rows]) + " D"
    assert othello.moves == ["d3", "c4", "f5", "e6"]
    assert othello.turn is petteia.Player.FIRST
    # The counts of Othello that everybody knows, by depth.
    assert [othello.perft(depth) for depth in range(1, 8)] == [4, 12, 56, 244, 1396, 8200, 55092]
    assert petteia.Reversi.othello(width=6, height=4).text == "______/__LD__/__DL__/______ D"
    assert petteia.Reversi.othello(2, 2).outcome == petteia.Outcome()
    with exactly(ValueError, "^invalid width 9: expected 2 to 8$"):
        petteia.Reversi.othello(9)
    for start in (othello, parallel):
        line = petteia.Record(start, [start.moves[0]]).text
        assert line == f"reversi 8 8 from {start.text}: {start.moves[0]}"
        assert petteia.Record.from_text(line) == petteia.Record(start, start.moves[:1])


# Records from any position.


def reached(start: Any, choices: list[int]) -> Any:
    for choice in choices:
        if start.is_over:
            break
        start = start.play(start.moves[choice % len(start.moves)])
    return start


choices = st.lists(st.integers(0, 1000), max_size=70)


@given(st.sampled_from(STARTS), choices, choices)
@settings(max_examples=200, deadline=None)
def test_every_position_is_a_start(start: Any, before: list[int], after: list[int]) -> None:
    position = reached(start, before)
    record = petteia.Record(position)
    for choice in after:
        if record.last.is_over:
            break
        record = record.play(record.last.moves[choice % len(record.last.moves)])
    again = petteia.Record.from_text(record.text)
    assert (again, again.text, again.start, again.moves) == (record, record.text, position, record.moves)
    # The position is told exactly if it is not where the game starts.
    kind = petteia.Record.from_text(record.text.split(" from ")[0].split(":")[0] + ":")
    assert (" from " in record.text) == (position != kind.start)
    told = f"{kind.text[:-1]} from {position.text}:"
    assert petteia.Record.from_text(told) == petteia.Record(position)


def test_starts_that_are_none() -> None:
    for line, expected in {
        "tictac X from X__/___/___ X:": "tictac position",
        "tictac X from:": "X or O",
        "tictac from X__/___/___ O:": "X or O",
        "tictac X from  X__/___/___ O:": "tictac position",
        "tictac O from X__/___/___ O:": "one with the parameters O of the record",
        "reversi 8 8 from ____/_DL_/_LD_/____ D:": "one with the parameters 8 8 of the record",
        "quarto from 5:": "quarto position",
    }.items():
        with pytest.raises(petteia.ParseError, match=re.escape(expected)):
            petteia.Record.from_text(line)
    with pytest.raises(petteia.IllegalMove, match=r"^ply 2: illegal move") as caught:
        petteia.Record.from_text("tictac X from X__/___/___ O: A2 A2")
    assert caught.value.ply == 2


def test_a_match_still_names_where_it_starts() -> None:
    start = petteia.TicTac.from_text("XX_/OO_/__X O")
    assert petteia.match("random", "random", start, games=2).game == "tictac from XX_/OO_/__X O"
    assert petteia.match("random", "random", petteia.TicTac("O"), games=2).game == "tictac O"


# Lines of files.


def test_lines_of_a_file() -> None:
    file = io.StringIO('tictac X: B2\nquarto:\r\n[first "Ada"] tictac X: A1')
    records = [petteia.Record.from_text(line) for line in file]
    assert [len(record) for record in records] == [1, 0, 1]
    for junk in (" ", "\n\n", "\r", "\n ", "\t", "\x0b", "\u2028", "\0"):
        with pytest.raises(petteia.ParseError):
            petteia.Record.from_text("tictac X: B2" + junk)
    with pytest.raises(petteia.ParseError):
        petteia.Record.from_text("\ntictac X: B2")


# Sequences.


def test_a_record_is_a_sequence_of_its_moves() -> None:
    moves = ["B2", "C2", "C3", "A1"]
    record = petteia.Record(petteia.TicTac(), moves, {"first": "Ada"})
    assert isinstance(record, collections.abc.Sequence)
    assert list(record) == [record[n] for n in range(4)] == moves
    assert [record[n] for n in range(-4, 0)] == moves
    assert list(reversed(record)) == moves[::-1]
    assert ("C3" in record, "A2" in record) == (True, False)
    assert 4 not in record  # type: ignore[comparison-overlap]
    assert (record.index("C2"), record.count("C2"), record.count("A2")) == (1, 1, 0)
    with exactly(ValueError, "'C2' is not among these moves"):
        record.index("C2", 2)
    for index in (4, -5, 10**30, -(10**30)):
        with exactly(IndexError, f"no move {index}: expected -4 to 3"):
            record[index]
    with exactly(IndexError, "no move 0: the record has none"):
        petteia.Record(petteia.TicTac())[0]
    with exactly(TypeError, "expected the index of a move, or a slice, not str"):
        record["B2"]  # type: ignore[call-overload]
    match record:
        case [first, *_, last]:
            assert (first, last) == ("B2", "A1")
        case _:
            raise AssertionError("a record is matched as a sequence")


def test_slices_are_records() -> None:
    moves = ["B2", "C2", "C3", "A1"]
    record = petteia.Record(petteia.TicTac(), moves, {"first": "Ada"})
    assert record[:] == record
    for start in range(-6, 7):
        for stop in range(-6, 7):
            part = record[start:stop]
            assert part.moves == moves[start:stop]
            place = max(0, 4 + start) if start < 0 else min(start, 4)
            assert part.start == record.positions[place]
            assert part.last == record.positions[place + len(part)]
            assert part.headers == {"first": "Ada"}
            assert petteia.Record.from_text(part.text) == part
    assert record[:2].text == '[first "Ada"] tictac X: B2 C2'
    for step in (2, -1, -2):
        with exactly(ValueError, f"^invalid step {step}: expected 1"):
            record[::step]
    with pytest.raises(ValueError, match="zero"):
        record[::0]
    assert record[::1] == record


def test_undo() -> None:
    record = petteia.Record(petteia.Reversi.othello(), ["d3", "c5"], {"date": "1971"})
    undone = record.undo()
    assert (undone.moves, undone.headers, undone.start) == (["d3"], {"date": "1971"}, record.start)
    assert undone.last == record.positions[1]
    assert record.moves == ["d3", "c5"], "the record itself does not change"
    assert undone.play("c5") == record
    with exactly(ValueError, "^nothing to undo: the record has no moves$"):
        undone.undo().undo()


# Headers.

HEADERS = {
    "first": "Ada",
    "second": 'Bob, "the wall" \\',
    "date": "2026-11-19",
    "result": "",
    "x-1_y": "π: 1",
}
LINE = (
    r'[first "Ada"] [second "Bob, \"the wall\" \\"] [date "2026-11-19"] [result ""] [x-1_y "π: 1"]'
    " reversi 8 8: d4"
)


def test_headers() -> None:
    record = petteia.Record(petteia.Reversi(), ["d4"], HEADERS)
    assert record.text == str(record) == LINE
    again = petteia.Record.from_text(LINE)
    assert (again, hash(again)) == (record, hash(record))
    assert dict(again.headers) == HEADERS
    assert list(again.headers) == list(HEADERS), "in order"
    plain = petteia.Record(petteia.Reversi(), ["d4"])
    assert plain.text == "reversi 8 8: d4"
    assert plain.headers == {}
    assert plain != record
    assert plain.with_headers(**HEADERS) == record
    assert record.with_headers(**dict.fromkeys(HEADERS)) == plain
    assert (
        plain.with_headers(first="A").with_headers(date="D", first="B").text.startswith('[first "B"] [date')
    )
    assert record.play("e4").headers == record.headers
    assert record.last == plain.last, "the result is not believed"
    with pytest.raises(TypeError):
        record.headers["first"] = "Bob"  # type: ignore[index]
    for copied in (
        copy.copy(record),
        copy.deepcopy(record),
        pickle.loads(pickle.dumps(record)),
        eval(repr(record)),
    ):
        assert (copied, copied.headers, copied.text) == (record, HEADERS, LINE)


def test_headers_that_are_none() -> None:
    game = "tictac X: B2"
    for header, expected in {
        '[First "Ada"] ': 'record header name "First": expected a to z',
        '[1st "Ada"] ': "record header name",
        '[ "Ada"] ': "record header name",
        '[first ""]': "] and a space",
        '[first "Ada" ] ': "] and a space",
        '[first "Ada"]  ': "the game's name|invalid game",
        "[first Ada] ": "a name and a text in quotation marks",
        '[first "Ada] ': "a closing",
        '[first "\\n"] ': "a closing",
        '[first "\n"] ': "one line without control characters",
        '[first "\x7f"] ': "control characters",
        '[first "\u2028"] ': "control characters",
        '[first "a"] [first "b"] ': 'record header "first": expected each name once',
        f'[{"a" * 65} "b"] ': "at most 64 characters",
        f'[first "{"a" * 1001}"] ': "at most 1000 characters",
        "".join(f'[a{n} ""] ' for n in range(65)): "at most 64 headers",
        "[": "a name and a text",
    }.items():
        with pytest.raises(petteia.ParseError, match=expected):
            petteia.Record.from_text(header + game)
    with pytest.raises(petteia.IllegalMove, match=r"^ply 2"):
        petteia.Record.from_text('[first "a: b"] tictac X: B2 B2')
    longest = f'[{"a" * 64} "{"é" * 1000}"] ' + "".join(f'[a{n} ""] ' for n in range(63)) + game
    assert petteia.Record.from_text(longest).text == longest

    def made(headers: Any) -> petteia.Record[petteia.TicTac]:
        return petteia.Record(petteia.TicTac(), (), headers)

    with exactly(
        ValueError, '^invalid header first "a\\\\nb": expected one line without control characters$'
    ):
        made({"first": "a\nb"})
    with exactly(ValueError, '^invalid header name "A b": expected a to z'):
        made({"A b": ""})
    with exactly(TypeError, "expected headers as a mapping of str to str, not list"):
        made(["first"])
    with exactly(TypeError, 'expected the header "first" as a str, not int'):
        made({"first": 1})
    with exactly(TypeError, "expected the name of a header as a str, not int"):
        made({1: "first"})
    with exactly(TypeError, 'expected the header "first" as a str or None, not int'):
        made({}).with_headers(first=1)  # type: ignore[arg-type]
    with exactly(ValueError, "at most 64 headers"):
        made({f"a{n}": "" for n in range(65)})


values = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=20)


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True), values, max_size=5), choices)
@settings(max_examples=100, deadline=None)
def test_headers_are_read_as_they_were_written(headers: dict[str, str], before: list[int]) -> None:
    position = reached(petteia.Quarto(), before)
    record = petteia.Record(position, (), headers)
    assert dict(record.headers) == headers
    assert "\n" not in record.text
    assert petteia.Record.from_text(record.text + "\n") == record


# GGF.


def bare(game: str) -> str:
    """Return a published game as petteia writes it: in lower case, without the values and times of moves."""
    game = re.sub(r"(?<![A-Z])([BW])\[([A-Za-z]+\d?)[^]]*\]", lambda m: f"{m[1]}[{m[2].lower()}]", game)
    return re.sub(r"\[pa(ss)?\]", "[PA]", game.removeprefix("1 "))


@pytest.mark.parametrize("game", PUBLISHED, ids=lambda game: game[game.index("DT[") + 3 :][:10])
def test_published_games(game: str) -> None:
    record = petteia.Record.from_ggf(game)
    tags = dict(re.findall(r"([A-Z]{2})\[([^]]*)\]", game))
    moves = re.findall(r"(?<![A-Z])[BW]\[([A-Ha-h][1-8])", game)
    assert record.moves == [move.lower() for move in moves]
    assert record.headers["first"] == tags["PB"]
    assert record.headers["second"] == tags["PW"]
    assert record.headers["date"] == tags["DT"]
    assert record.headers["place"] == tags["PC"]
    cells = record.last.text
    assert record.last.is_over == (tags["RE"] != "?")
    if record.last.is_over:
        # The result that was published, without the komi, is what the moves lead to.
        komi = float(tags.get("KM", "0"))
        assert float(tags["RE"]) + komi == cells.count("D") - cells.count("L")
        assert record.headers["result"] == tags["RE"]
    else:
        assert "result" not in record.headers
    # Nothing else is lost.
    assert petteia.Record.from_ggf(record.to_ggf()) == record
    assert petteia.Record.from_text(record.text) == record
    rows = re.sub("[-*O]{8}(?=[-*O])", r"\g<0> ", tags["BO"])
    assert record.to_ggf() == bare(game).replace(tags["BO"], rows).replace(
        "RE[?]TI[0//0]TY[8]", "TI[0//0]TY[8]RE[?]"
    )


def final(record: Any) -> str:
    cells = record.last.text
    return f"{cells.count('D') - cells.count('L'):+}.000"


def test_where_published_games_start() -> None:
    first, *_ = PUBLISHED
    assert petteia.Record.from_ggf(first).start == petteia.Reversi.othello()
    white = petteia.Record.from_ggf(next(game for game in PUBLISHED if "s8r19" in game))
    assert white.start.turn is petteia.Player.SECOND
    # The rows come from the top: --OOO*-- is row 3.
    assert white.start.text.split("/")[2:4] == ["__LLLD__", "_LDLLD__"]
    assert white.headers["type"] == "s8r19"
    komi = petteia.Record.from_ggf(next(game for game in PUBLISHED if "8k" in game))
    assert [komi.headers[name] for name in ("type", "komi", "first-komi")] == ["8k", "-0.500", "e6//0.90"]


def othello(moves: str, board: str = "4 ---- -O*- -*O- ---- *", tags: str = "") -> str:
    return f"(;GM[Othello]{tags}BO[{board}]{moves};)"


def test_ggf_of_other_sizes_and_forms() -> None:
    read = petteia.Record.from_ggf
    small = read(othello("B[A2/1.5/2]W[a1]"))
    assert small.text == "reversi 4 4 from ____/_LD_/_DL_/____ D: a2 a1"
    assert small.to_ggf() == (
        "(;GM[Othello]PC[]PB[]PW[]TI[0]TY[4]RE[?]BO[4 ---- -O*- -*O- ---- *]B[a2]W[a1];)"
    )
    assert read(small.to_ggf()) == small
    assert read("\n" + othello("B[a2]\n W[a1]\r\n", tags="XX[what] PB[]\n") + "\n") == small
    assert read(othello("", "4 -----O*--*O----- *")) == small[:0]
    # All of petteia's own games, from the end of their openings on.
    for size in range(3, 9):
        record = petteia.Record(petteia.Reversi(size, size))
        while not record.last.is_over:
            record = record.play(record.last.moves[len(record) % len(record.last.moves)])
        again = read(record.to_ggf())
        assert again.start == record.positions[4]
        assert again.moves == record.moves[4:]
        assert again.last == record.last


def test_passes() -> None:
    read = petteia.Record.from_ggf
    skipped = 0
    for seed in range(40):
        record = petteia.Record(petteia.Reversi.othello(4, 4))
        while not record.last.is_over:
            record = record.play(record.last.moves[(seed >> len(record)) % len(record.last.moves)])
        ggf = record.to_ggf()
        colours = re.findall(r"(?<![A-Z])([BW])\[", ggf)
        assert colours == (["B", "W"] * len(colours))[: len(colours)], "Black and White alternate"
        assert read(ggf)[:] == record.with_headers(result=final(record))
        # Programs that leave passes out are understood, too.
        assert read(re.sub(r"[BW]\[PA\]", "", ggf)) == read(ggf)
        skipped += "[PA]" in ggf
        for ply in range(len(record)):
            part = record[:ply]
            assert read(part.to_ggf()) == part
            assert read(record[ply:].to_ggf()).moves == record.moves[ply:]
    assert skipped > 5


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("", r"a game that begins with \(;"),
        ("(;GM[Othello]", r"tags such as PB\[Ada\], then ;\)"),
        (othello("B[a2"), r"a \] after"),
        (othello("b[a2]"), "names in capital letters"),
        (othello("") + "x", r"one game, and nothing after its ;\)"),
        ("2 " + othello("") + othello(""), r"begins with \(;"),
        (othello("") + othello(""), "one game"),
        (othello("").replace("Othello", "Amazons"), r'"GM\[Amazons\]": expected GM\[Othello\]'),
        (othello("").replace("GM[Othello]", ""), r"the tag GM\[Othello\]"),
        ("(;GM[Othello];)", "the tag BO with the first position"),
        (othello("", tags="PB[a]PB[b]"), "one tag PB"),
        (othello("", "4 --- -O*- -*O- ---- *"), "16 cells, of which there are 15"),
        (othello("", "4 ----- -O*- -*O- ---- *"), "16 cells, of which there are 17"),
        (othello("", "10 " + "-" * 100 + " *"), "a size of 2 to 8"),
        (othello("", ""), "a size of 2 to 8"),
        (othello("", "4 ---- -O*- -*O- ----"), r"\* or O for the player to move"),
        (othello("", "4 ---- -OX- -XO- ---- *"), r"cells \*, O or -"),
        (othello("", "4 ---* -O*- -*-- ---- *"), "no tile outside the four centre squares"),
        (othello("", tags="TY[8]"), "the size of the board, 4"),
        (othello("", tags="TY[4a]"), "Anti-Othello"),
        (othello("", tags="PB[a\nb]"), "one line without control characters"),
        (othello("W[a2]"), r'^ply 1: invalid GGF move "W\[a2\]": expected a move of B, who is to move'),
        (othello("B[a2]B[b1]"), r'^ply 2: invalid GGF move "B\[b1\]": expected a move of W'),
        (othello("B[PA]"), "^ply 1: .* a move, since there is one"),
        (othello("B[a9]"), "^ply 1: .* a square such as d3"),
        (othello("B[]"), "^ply 1: .* a square such as d3"),
    ],
)
def test_ggf_that_is_none(game: str, expected: str) -> None:
    with pytest.raises(petteia.ParseError, match=expected):
        petteia.Record.from_ggf(game)


def test_illegal_moves_of_ggf() -> None:
    with pytest.raises(petteia.IllegalMove, match=r'^ply 2: illegal move "d4"') as caught:
        petteia.Record.from_ggf(othello("B[a2]W[d4]"))
    assert (caught.value.ply, caught.value.move) == (2, "d4")
    over = petteia.Record.from_ggf(PUBLISHED[0])
    with pytest.raises(petteia.IllegalMove, match="the game is over"):
        petteia.Record.from_ggf(over.to_ggf().replace(";)", "B[a1];)"))


def test_what_ggf_cannot_say() -> None:
    refused: list[tuple[Callable[[], object], type[Exception], str]] = [
        (petteia.Record(petteia.Reversi(8, 6)).to_ggf, ValueError, "four centre squares are occupied"),
        (petteia.Record(petteia.Reversi(), ["d4", "e4"]).to_pgn, ValueError, "four centre squares"),
        (
            petteia.Record(petteia.Reversi.othello(8, 6)).to_ggf,
            ValueError,
            '^invalid board "8x6": expected a square',
        ),
        (
            petteia.Record(petteia.Reversi.othello(), (), {"first": "a]"}).to_ggf,
            ValueError,
            '^invalid header first "a]": expected a text without ]',
        ),
        (petteia.Record(petteia.TicTac()).to_ggf, TypeError, "for records of reversi, not of tictac"),
        (petteia.Record(petteia.Quarto()).to_pgn, TypeError, "for records of reversi, not of quarto"),
    ]
    for call, error, expected in refused:
        with pytest.raises(error, match=expected):
            call()


def test_results() -> None:
    start = petteia.Reversi.othello()
    for stated, ggf, pgn in [
        ("+64.00:r", "+64.00:r", "1-0"),
        ("-2", "-2", "0-1"),
        ("0:t", "0:t", "1/2-1/2"),
        ("1-0", "?", "1-0"),
        ("nan", "?", "*"),
        ("Ada won", "?", "*"),
    ]:
        record = petteia.Record(start, ["d3"], {"result": stated})
        assert f"RE[{ggf}]" in record.to_ggf()
        assert record.to_pgn().endswith(f" d3 {pgn}\n")
    over = petteia.Record.from_ggf(PUBLISHED[1])
    assert over.with_headers(result="0-1").to_pgn().endswith("{35-29} 1-0\n"), (
        "a finished game speaks for itself"
    )
    assert "RE[+6.000]" in over.with_headers(result="0-1").to_ggf()


# PGN.


def test_pgn() -> None:
    record = petteia.Record.from_ggf(PUBLISHED[0])
    pgn = record.to_pgn()
    head, moves = pgn.split("\n\n")
    assert head.splitlines() == [
        '[Event "?"]',
        '[Site "GGS/os"]',
        '[Date "2003.12.15_13:24:03.MST"]',
        '[Round "?"]',
        '[Black "Saio1200"]',
        '[White "Saio3000"]',
        '[Result "1/2-1/2"]',
        '[FirstRating "2197.01"]',
        '[SecondRating "2199.72"]',
        '[Time "05:00//02:00"]',
    ]
    assert all(len(line) < 80 for line in moves.splitlines())
    words = moves.split()
    assert words[:6] == ["1.", "d3", "c5", "2.", "e6", "d2"]
    # The pass before the last two moves is the one of the published game.
    assert words[-7:] == ["30.", "pass", "a1", "31.", "b1", "{32-32}", "1/2-1/2"]
    assert [word for word in words if re.fullmatch("[a-h][1-8]", word)] == record.moves
    white = petteia.Record.from_ggf(next(game for game in PUBLISHED if "s8r19" in game)).to_pgn()
    assert "\n\n1... b5 2. e2 d8 3. g4" in white
    assert '[Position "________/________/__LLLD__/' in white
    quoted = petteia.Record(petteia.Reversi.othello(), (), {"first": 'a"b\\', "my-own_tag": "c"}).to_pgn()
    assert r'[Black "a\"b\\"]' in quoted
    assert '[MyOwnTag "c"]' in quoted
    other = petteia.Record(petteia.Reversi.parallel(), (), {"white": "no", "position": "no", "site": "no"})
    assert '"no"' not in other.to_pgn()


def test_the_document() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "docs" / "records.md").read_text(), re.S)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "records.md", None, 0)
    assert len(examples.examples) > 10
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_headers_are_text_that_can_be_written() -> None:
    for headers in ({"first": "\ud800x"}, {"\udfff": "x"}):
        with pytest.raises(ValueError, match=r"expected text without a lone surrogate$"):
            petteia.Record(petteia.TicTac(), [], headers)
