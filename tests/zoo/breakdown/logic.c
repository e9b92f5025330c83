#include "logic.h"
#include "bug.h"
#include <stdio.h>
#include <stdlib.h>

game* new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type)
{
    game* g = malloc(sizeof(game));
    if (g == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    g->stick = stick;
    g->square = square;
    g->b = board_new(width, height, type);
    g->next = BUGGY(white_starts) ? WHITE_NEXT : BLACK_NEXT;
    return g;
}

void game_free(game* g)
{
    board_free(g->b);
    free(g);
}

/* The number of free rows at the top of a column. */
static unsigned int room(game* g, unsigned int col)
{
    unsigned int r = 0;
    while (r < g->b->height && board_get(g->b, make_pos(r, col)) == EMPTY) {
        r++;
    }
    if (BUGGY(looks_under_overhang)) {
        for (r = g->b->height; r > 0 && board_get(g->b, make_pos(r - 1, col)) != EMPTY; r--) {
        }
    }
    return r;
}

/* One more than the row in which the top of a stick comes to rest, or 0 if it does not fit. */
static unsigned int landing(game* g, unsigned int col, int vertical)
{
    unsigned int i, least;
    unsigned int length = BUGGY(one_cell_too_many) ? g->stick + 1 : g->stick;
    if (col >= g->b->width) {
        return 0;
    }
    least = room(g, col);
    if (vertical) {
        return least >= length ? least - g->stick + 1 : 0;
    }
    if (g->stick > g->b->width || col > g->b->width - g->stick) {
        if (!BUGGY(right_edge_unchecked)) {
            return 0;
        }
    }
    for (i = 1; i < g->stick && !BUGGY(no_overhang); i++) {
        unsigned int other = 0;
        if (col + i >= g->b->width) {
            /* Only the bug gets here: it reads past the right edge. */
            while (other < g->b->height && g->b->u.matrix[other][col + i] == EMPTY) {
                other++;
            }
        } else {
            other = room(g, col + i);
        }
        least = other < least ? other : least;
    }
    return least;
}

int drop_stick(game* g, unsigned int col, int vertical)
{
    cell colour = g->next == BLACK_NEXT ? BLACK : WHITE;
    unsigned int i, row = landing(g, col, vertical);
    while (BUGGY(eats_memory) && vertical) {
        char* p = malloc(1 << 20);
        for (i = 0; i < 1 << 20; i++) {
            p[i] = (char)i;
        }
    }
    if (row == 0) {
        return 0;
    }
    for (i = 0; i < g->stick; i++) {
        board_set(g->b, vertical ? make_pos(row - 1 + i, col) : make_pos(row - 1, col + i), colour);
    }
    if (BUGGY(changes_turn)) {
        g->next = g->next == BLACK_NEXT ? WHITE_NEXT : BLACK_NEXT;
    }
    return 1;
}

void breakdown(game* g)
{
    unsigned int r, c;
    while (BUGGY(hangs_on_breakdown)) {
    }
    for (c = 0; c < g->b->width; c++) {
        unsigned int bottom = g->b->height;
        for (r = g->b->height; r > 0; r--) {
            cell found = board_get(g->b, make_pos(r - 1, c));
            if (found != EMPTY) {
                bottom--;
                if (BUGGY(falls_one_row) && bottom > r) {
                    bottom = r;
                }
                board_set(g->b, make_pos(r - 1, c), EMPTY);
                board_set(g->b, make_pos(bottom, c), found);
            }
        }
        /* The bug: the fallen cells are reversed. */
        for (r = bottom; BUGGY(breakdown_reorders) && r < (bottom + g->b->height) / 2; r++) {
            pos one = make_pos(r, c), other = make_pos(g->b->height - 1 - (r - bottom), c);
            cell kept = board_get(g->b, one);
            board_set(g->b, one, board_get(g->b, other));
            board_set(g->b, other, kept);
        }
    }
}

static unsigned int squares(game* g, cell colour)
{
    unsigned int r, c, i, j, found = 0;
    for (r = 0; r + g->square <= g->b->height; r++) {
        for (c = 0; c + g->square <= g->b->width; c++) {
            int whole = 1;
            for (i = 0; i < g->square; i++) {
                for (j = 0; j < g->square; j++) {
                    whole = whole && board_get(g->b, make_pos(r + i, c + j)) == colour;
                }
            }
            found += whole;
        }
    }
    return found;
}

static int can_fall(game* g)
{
    unsigned int r, c;
    for (c = 0; c < g->b->width; c++) {
        for (r = 1; r < g->b->height; r++) {
            if (board_get(g->b, make_pos(r, c)) == EMPTY && board_get(g->b, make_pos(r - 1, c)) != EMPTY) {
                return 1;
            }
        }
    }
    return 0;
}

static int fits(game* g)
{
    unsigned int c;
    for (c = 0; c < g->b->width; c++) {
        if (landing(g, c, 0) || landing(g, c, 1)) {
            return 1;
        }
    }
    return 0;
}

static int full(game* g)
{
    unsigned int r, c;
    for (r = 0; r < g->b->height; r++) {
        for (c = 0; c < g->b->width; c++) {
            if (board_get(g->b, make_pos(r, c)) == EMPTY) {
                return 0;
            }
        }
    }
    return 1;
}

outcome game_outcome(game* g)
{
    unsigned int black = squares(g, BLACK), white = squares(g, WHITE);
    if (BUGGY(crashes_on_win) && (black || white)) {
        *(volatile int*)0 = 1;
    }
    if (BUGGY(own_colour_only)) {
        black = g->next == BLACK_NEXT ? black : 0;
        white = g->next == WHITE_NEXT ? white : 0;
    }
    if (black && white && !(BUGGY(counts_squares) && black != white)) {
        return DRAW;
    }
    if (black || white) {
        return black > white ? BLACK_WIN : WHITE_WIN;
    }
    if (BUGGY(outcome_breaks_down)) {
        int before = can_fall(g);
        breakdown(g);
        return fits(g) || before ? IN_PROGRESS : DRAW;
    }
    if (BUGGY(full_board_only)) {
        return full(g) ? DRAW : IN_PROGRESS;
    }
    return fits(g) || can_fall(g) ? IN_PROGRESS : DRAW;
}
