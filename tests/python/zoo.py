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
from petteia.check.rules import Group, Pace
from petteia.check.targets import Opened, open_target

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
    Bug("one_cell_too_many", "upright-room", 1),
    # It also reads outside memory in game_outcome.
    Bug("right_edge_unchecked", "right-edge", 1, "returns sanitizer"),
    Bug("no_overhang", "overhang", 2),
    Bug("looks_under_overhang", "gravity", 3),
    Bug("breakdown_reorders", "breakdown-order", 3),
    Bug("falls_one_row", "breakdown-falls", 3),
    Bug("word_too_few", "bits-words", 0),
    Bug("word_too_many", "bits-words", 0),
    Bug("ors", "bits-overwrite", 2),
    Bug("row_major_by_height", "bits-layout", 1),
    Bug("layout_from_the_top", "bits-layout", 1),
    Bug("counts_squares", "both-squares", 10),
    Bug("own_colour_only", "win", 4),
    Bug("full_board_only", "draw", 2),
    Bug("outcome_breaks_down", "outcome-looks-only", 1),
    Bug("bounds_with_and", "bounds", 0),
    Bug("white_starts", "new-game", 0),
    Bug("changes_turn", "turn", 1),
    Bug("labels_in_hex", "show", 0),
    Bug("forgets_leaks", "memory", 0),
    Bug("crashes_on_win", "returns", 4),
]

PLAY = [
    Bug("play_white_first", "play-prompts", 2),
    Bug("play_keeps_turn", "play-invalid", 3),
    Bug("play_redraws_nothing", "play-board", 2),
    Bug("play_column_off", "play-board", 2),
    Bug("play_never_ends", "play-ends", 2),
    Bug("play_without_colon", "play-wording", 2),
    Bug("play_other_prompts", "play-wording", 2),
    Bug("play_silent_about_input", "play-invalid", 3),
    Bug("play_silent_about_room", "play-full", 3),
    Bug("play_loops_at_the_end", "play-ends", 2),
    Bug("play_reads_too_far", "play-sanitizer", 2),
    Bug("play_reads_k_first", "play-arguments", 0),
]

TICTAC = [
    Bug("accepts_zero", "move-number", 1),
    Bug("keeps_case", "move-case", 1),
    Bug("comment_without_space", "move-comment", 1),
    Bug("ignores_rest", "move-rest", 1),
    Bug("leading_space", "move-whitespace", 1),
    Bug("exits_zero", "move-exit-codes", 0),
    Bug("no_newline", "move-one-line", 0),
    Bug("no_full_stop", "move-wording", 0),
    Bug("stops_at_win", "game-after-end", 6),
    Bug("misses_diagonal", "game-win", 5),
    Bug("x_must_begin", "game-either-first", 1),
    Bug("ignores_numbers", "game-numbers", 1),
    Bug("overwrites", "game-occupied", 2),
    Bug("win_on_nine_is_draw", "game-win", 9),
    Bug("rules_before_format", "game-parse-after-end", 6),
    Bug("exits_one", "game-exit-codes", 1),
    Bug("crashes_on_empty", "move-ends", 0),
    Bug("hangs_on_comment", "move-ends", 1),
]

REVERSI = [
    Bug("light_first", "dark-first", 0),
    Bug("no_opening", "opening", 0),
    Bug("wrong_centre", "opening", 0),
    Bug("forgets_diagonals", "legal-moves", 4),
    Bug("flips_to_the_edge", "legal-moves", 4),
    Bug("flips_one_line", "flips", 7),
    Bug("allows_empty_moves", "legal-moves", 4),
    Bug("never_skips", "skip", 4),
    Bug("ends_when_skipped", "game-over", 4),
    Bug("fewest_win", "winner", 6),
    Bug("counts_too_early", "winner", 1),
    Bug("find_without_itself", "find", 0),
    Bug("crashes_in_the_corner", "answers", 4),
]

QUARTO = [
    Bug("swaps_shape_and_top", "piece-compare", 0),
    Bug("place_forgets_used", "pool-get", 1),
    Bug("pool_lists_all", "pool-string", 1),
    Bug("second_diagonal_wrong", "square", 0),
    Bug("misses_second_diagonal", "board-winning", 3),
    Bug("misses_columns", "board-winning", 3),
    Bug("needs_same_on_all", "board-winning", 3),
    Bug("not_placed_only", "board-winning", 4),
    Bug("board_in_upper_case", "board-string", 0),
    Bug("myopic_last_square", "myopic", 5),
    Bug("myopic_bad_piece", "myopic", 3),
    Bug("same_player_selects", "game-turns", 4),
    Bug("loser_wins", "game-winner", 4),
    Bug("draw_after_15", "game-draw", 16),
    Bug("no_message_for_used", "game-prompts", 4),
    Bug("crashes_on_occupied", "returns", 1),
    Bug("thrown_with_other_words", "exception-text", 1),
    Bug("turn_without_colon", "game-wording", 4),
    Bug("prompt_without_colon", "game-wording", 4),
    Bug("hangs_after_the_draw", "game-ends", 16),
]

POSITION = [
    Bug("misses_a_diagonal", "position-outcome", 5),
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
    Bug("shuffles", "position-steady", 0),
    Bug("changes_itself", "position-frozen", 1),
    Bug("remembers_games", "position-replay", 1),
    Bug("crashes_in_the_middle", "position-answers", 1),
]
SMALL = [
    Bug("misses_a_diagonal", "position-outcome", 5),
    Bug("turn_after_the_end", "position-turn", 5),
    Bug("turn_counts_on", "position-turn", 2),
    Bug("outcome_is_a_player", "position-outcome", 5),
    Bug("draws_go_on", "position-outcome", 9),
    Bug("corner_twice", "position-moves", 0),
    Bug("forgets_the_last", "position-moves", 0),
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
    group.forget()
    for target in group.targets:
        assert isinstance(target, (Library, Program, Object))
        target.slow = 0
        target.pace(Pace.USUAL)
        if isinstance(target, Program):
            target.seen.clear()
            target.learned.clear()
        if isinstance(target, Object):
            target.close()


def run(opened: Opened, games: int, rule: str | None = None, seed: int = 0) -> list[Result]:
    """Test all rules, or the group of one rule, whose finding alone is then shrunk."""
    results = []
    for group in opened.groups:
        refresh(group)
    for group in opened.groups:
        if rule is not None and rule not in [one.name for one in group.rules]:
            continue
        results += [group.apply(one, games, seed, shrink=rule in (None, one.name)) for one in group.rules]
    return results
