/* A correct implementation, and the zoo: -DBUG=name makes one named mistake. BUGGY(name) is 1 when it is to be made. */

#ifndef _BUG_H
#define _BUG_H

enum bug {
    none,
    one_cell_too_many, right_edge_unchecked, no_overhang, breakdown_reorders, word_too_few, word_too_many, ors,
    counts_squares, bounds_with_and, white_starts, row_major_by_height, full_board_only, forgets_leaks, labels_in_hex,
    changes_turn, looks_under_overhang, outcome_breaks_down, falls_one_row, own_colour_only, layout_from_the_top,
    crashes_on_win, hangs_on_breakdown, eats_memory, prints_forever,
    play_white_first, play_keeps_turn, play_redraws_nothing, play_column_off, play_never_ends
};

#ifndef BUG
#define BUG none
#endif

#define BUGGY(name) (BUG == name)

#endif
