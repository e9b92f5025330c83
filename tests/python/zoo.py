"""The zoo: correct implementations of the games, in which BUG in the environment turns on a named bug."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from games import ROOT
from petteia.check import Compilers, Limits, Options, Result
from petteia.check.breakdown import Library
from petteia.check.position import Object
from petteia.check.programs import Program
from petteia.check.rules import Pace, apply
from petteia.check.targets import Group, Opened, open_target

ZOO = ROOT / "tests" / "zoo"


class Bugs(Mapping[str, str]):
    """The bug that is turned on when a process starts."""

    def __getitem__(self, key: str) -> str:
        return os.environ[key]

    def __iter__(self) -> Iterator[str]:
        return iter(["BUG"] if "BUG" in os.environ else [])

    def __len__(self) -> int:
        return len([*self])


@dataclass(frozen=True)
class Bug:
    """A bug, the rule that must catch it, the size of its smallest game, and other rules that may fail."""

    name: str
    rule: str
    minimum: int
    also: str = ""


BREAKDOWN = [
    Bug("one_cell_too_many", "upright-room", 1, "in-progress"),
    Bug("right_edge_unchecked", "right-edge", 1, "draw in-progress bits-like-matrix outcome-looks-only"),
    Bug("no_overhang", "overhang", 2, "lying-room draw in-progress"),
    Bug("looks_under_overhang", "gravity", 3, "upright-room lying-room overhang draw in-progress"),
    Bug("breakdown_reorders", "breakdown-order", 3),
    Bug("falls_one_row", "breakdown-falls", 3),
    Bug("word_too_few", "bits-words", 0, "bits-get-set bits-overwrite bits-like-matrix bits-layout memory"),
    Bug("word_too_many", "bits-words", 0),
    Bug("ors", "bits-overwrite", 2, "bits-like-matrix"),
    Bug("row_major_by_height", "bits-layout", 1),
    Bug("layout_from_the_top", "bits-layout", 1),
    Bug("counts_squares", "both-squares", 10),
    Bug("own_colour_only", "win", 4, "both-squares"),
    Bug("full_board_only", "draw", 2),
    Bug("outcome_breaks_down", "outcome-looks-only", 1, "draw in-progress"),
    Bug("bounds_with_and", "bounds", 0, "bits-bounds"),
    Bug("white_starts", "new-game", 0),
    Bug("changes_turn", "turn", 1),
    Bug("labels_in_hex", "show", 0),
    Bug("forgets_leaks", "memory", 0),
    Bug("crashes_on_win", "win", 4, "both-squares"),
]

PLAY = [
    Bug(
        "play_white_first", "play-prompts", 2, "play-arguments play-board play-invalid play-full play-outcome"
    ),
    Bug("play_keeps_turn", "play-invalid", 3),
    Bug("play_redraws_nothing", "play-board", 2, "play-arguments play-outcome"),
    Bug(
        "play_column_off",
        "play-board",
        2,
        "play-arguments play-prompts play-invalid play-full play-outcome play-ends",
    ),
    Bug("play_never_ends", "play-ends", 2, "play-outcome"),
]

PARSER = "move-lines game-parse game-first-error game-records game-formats"
TICTAC = [
    Bug("accepts_zero", "move-number", 1, "move-lines"),
    Bug("keeps_case", "move-case", 1, f"move-player move-square {PARSER}"),
    Bug("comment_without_space", "move-comment", 1, PARSER),
    Bug("ignores_rest", "move-rest", 1, PARSER),
    Bug("leading_space", "move-whitespace", 1, PARSER),
    Bug("exits_zero", "move-exit-codes", 1, "game-exit-codes"),
    Bug("no_newline", "move-one-line", 1, "game-one-line"),
    Bug(
        "stops_at_win",
        "game-after-end",
        6,
        "game-parse game-first-error game-records game-alternate game-numbers",
    ),
    Bug(
        "misses_diagonal", "game-win", 5, "game-after-end game-formats game-records game-parse game-occupied"
    ),
    Bug(
        "x_must_begin",
        "game-either-first",
        1,
        "game-turn game-win game-draw game-occupied game-after-end "
        "game-parse game-first-error game-formats game-records game-alternate game-numbers",
    ),
    Bug("ignores_numbers", "game-numbers", 1, "game-first-error game-records"),
    Bug("overwrites", "game-occupied", 2, "game-records"),
    Bug("win_on_nine_is_draw", "game-win", 9, "game-occupied game-after-end game-records game-alternate"),
    Bug("rules_before_format", "game-parse", 6, "game-first-error game-records"),
    Bug("exits_one", "game-exit-codes", 1),
    Bug("crashes_on_empty", "game-parse", 1, "game-first-error game-records"),
]

REVERSI = [
    Bug("light_first", "dark-first", 0),
    Bug("no_opening", "opening", 0),
    Bug("wrong_centre", "opening", 0),
    Bug("forgets_diagonals", "legal-moves", 4, "flips game-over skip"),
    Bug("flips_to_the_edge", "legal-moves", 4, "flips skip game-over"),
    Bug("flips_one_line", "flips", 7),
    Bug("allows_empty_moves", "legal-moves", 4, "skip game-over"),
    Bug("never_skips", "skip", 4, "game-over"),
    Bug("ends_when_skipped", "game-over", 4, "skip winner"),
    Bug("fewest_win", "winner", 6),
    Bug("counts_too_early", "winner", 1),
    Bug("find_without_itself", "find", 0),
    Bug("crashes_in_the_corner", "answers", 4),
]

GAME = "game-turns game-no-win game-myopic game-row game-column game-diagonal"
QUARTO = [
    Bug("swaps_shape_and_top", "piece-compare", 0, "board-winning myopic game-myopic"),
    Bug(
        "place_forgets_used", "pool-get", 1, f"pool-string myopic board-winning game-pool game-prompts {GAME}"
    ),
    Bug("pool_lists_all", "pool-string", 1, "game-pool"),
    Bug("second_diagonal_wrong", "square", 0),
    Bug("misses_second_diagonal", "board-winning", 3, f"myopic {GAME}"),
    Bug("misses_columns", "board-winning", 3, f"myopic {GAME}"),
    Bug("needs_same_on_all", "board-winning", 3, f"myopic {GAME}"),
    Bug("not_placed_only", "board-winning", 4, GAME),
    Bug("board_in_upper_case", "board-string", 0, "game-board"),
    Bug("myopic_last_square", "myopic", 5, "game-myopic"),
    Bug("myopic_bad_piece", "myopic", 3, "game-myopic"),
    Bug("same_player_selects", "game-turns", 4, GAME + " game-draw"),
    Bug("loser_wins", "game-row", 4, GAME),
    Bug("draw_after_15", "game-draw", 16, "game-no-win"),
    Bug("no_message_for_used", "game-prompts", 4),
    Bug("crashes_on_occupied", "board-empty-square", 1, "game-prompts"),
]

POSITION = [
    Bug(
        "misses_a_diagonal",
        "position-outcome",
        5,
        "position-moves position-actions position-play position-turn",
    ),
    Bug("turn_after_the_end", "position-turn", 5),
    Bug("actions_backwards", "position-actions", 0),
    Bug("forgets_the_last", "position-numbers", 0),
    Bug("plays_anything", "position-illegal", 0),
    Bug("changes_itself", "position-frozen", 1),
    Bug("hash_of_the_object", "position-text", 0),
]

# The same with only the four members that a position needs: by the laws of any game, and by TicTac's rules.
SMALL_LAWS = [
    Bug("outcome_is_a_player", "position-types", 5),
    Bug("turn_counts_on", "position-types", 2),
    Bug("corner_twice", "position-moves", 0),
    Bug("draws_go_on", "position-over", 9),
    Bug("turn_after_the_end", "position-over", 5),
    Bug("shuffles", "position-steady", 0, "position-frozen position-replay"),
    Bug("changes_itself", "position-frozen", 1),
    Bug("remembers_games", "position-replay", 1),
    Bug("crashes_in_the_middle", "position-answers", 1),
]
SMALL = [
    Bug("misses_a_diagonal", "position-outcome", 5, "position-moves position-turn"),
    Bug("turn_after_the_end", "position-turn", 5),
    Bug("turn_counts_on", "position-turn", 2),
    Bug("outcome_is_a_player", "position-outcome", 5),
    Bug("draws_go_on", "position-outcome", 9, "position-turn"),
    Bug("corner_twice", "position-moves", 0),
    Bug("forgets_the_last", "position-moves", 0, "position-answers"),
    Bug("shuffles", "position-frozen", 1),
    Bug("changes_itself", "position-frozen", 1),
    Bug("crashes_in_the_middle", "position-answers", 1),
]


def programs(folder: Path) -> None:
    """Build the zoo's programs: TicTac's and Reversi's."""
    for flags, name in ([], "move-check"), (["-DGAME"], "game-check"):
        source = str(ZOO / "tictac" / "tictac.cpp")
        subprocess.run(["c++", "-std=c++11", "-O1", *flags, "-o", str(folder / name), source], check=True)
    source = str(ZOO / "reversi" / "reversi.c")
    subprocess.run(["cc", "-O1", "-o", str(folder / "reversi"), source], check=True)


def open_zoo(target: str, path: Path | str, stack: ExitStack, sanitize: bool = True) -> Opened:
    """Build and start an implementation of the zoo."""
    compilers = Compilers(cflags=("-g", "-O1"), cxxflags=("-O1", "-std=c++11"), sanitize=sanitize)
    # The limits are far above what the zoo needs: a machine may be slow and busy.
    options = Options(compilers, Limits(seconds=2.0), variables=Bugs(), budget=3600)
    return open_target(target, [str(path)], options, stack)


def refresh(group: Group) -> None:
    """Reset the targets, so that nothing of the last bug is left for the next one."""
    for target in group.targets:
        assert isinstance(target, (Library, Program, Object))
        target.slow = 0
        target.pace(Pace.USUAL)
        if isinstance(target, Program):
            target.seen.clear()
        if isinstance(target, Object):
            target.close()


def run(opened: Opened, games: int, rule: str | None = None, seed: int = 0) -> list[Result]:
    """Test all rules, or the group of one rule, whose finding alone is then shrunk."""
    results = []
    for group in opened.groups:
        if rule is not None and rule not in [one.name for one in group.rules]:
            continue
        refresh(group)
        results += [
            apply(one, group.targets, games, seed, shrink=rule in (None, one.name)) for one in group.rules
        ]
    return results
