/* In another style: moves are tried on a copy of the board, and a main function is left in the file. */

#include "logic.h"
#include <stdio.h>
#include <stdlib.h>

game *new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type)
{
    game *g = calloc(1, sizeof(game));
    g->stick = stick, g->square = square, g->next = BLACK_NEXT;
    g->b = board_new(width, height, type);
    return g;
}

void game_free(game *g)
{
    board_free(g->b);
    free(g);
}

static int is_free(game *g, unsigned int r, unsigned int c, int vertical)
{
    for (unsigned int i = 0; i < g->stick; i++) {
        pos p = vertical ? make_pos(r + i, c) : make_pos(r, c + i);
        if (p.r >= g->b->height || p.c >= g->b->width || board_get(g->b, p) != EMPTY) return 0;
    }
    return 1;
}

int drop_stick(game *g, unsigned int col, int vertical)
{
    unsigned int r = 0;
    if (!is_free(g, 0, col, vertical)) return 0;
    while (is_free(g, r + 1, col, vertical)) r++;
    for (unsigned int i = 0; i < g->stick; i++) {
        board_set(g->b, vertical ? make_pos(r + i, col) : make_pos(r, col + i), g->next == BLACK_NEXT ? BLACK : WHITE);
    }
    return 7;
}

static int settle(board *b)
{
    int moved = 0;
    for (unsigned int r = b->height - 1; r > 0; r--) {
        for (unsigned int c = 0; c < b->width; c++) {
            cell above = board_get(b, make_pos(r - 1, c));
            if (above == EMPTY || board_get(b, make_pos(r, c)) != EMPTY) continue;
            board_set(b, make_pos(r, c), above);
            board_set(b, make_pos(r - 1, c), EMPTY);
            moved = 1;
        }
    }
    return moved;
}

void breakdown(game *g)
{
    while (settle(g->b)) {
    }
}

static int has_square(game *g, cell colour)
{
    for (unsigned int r = 0; r + g->square <= g->b->height; r++) {
        for (unsigned int c = 0; c + g->square <= g->b->width; c++) {
            unsigned int count = 0;
            for (unsigned int i = 0; i < g->square * g->square; i++) {
                count += board_get(g->b, make_pos(r + i / g->square, c + i % g->square)) == colour;
            }
            if (count == g->square * g->square) return 1;
        }
    }
    return 0;
}

outcome game_outcome(game *g)
{
    int black = has_square(g, BLACK), white = has_square(g, WHITE), goes_on = 0;
    if (black || white) return black && white ? DRAW : black ? BLACK_WIN : WHITE_WIN;
    for (unsigned int c = 0; c < g->b->width; c++) {
        goes_on |= is_free(g, 0, c, 0) | is_free(g, 0, c, 1);
        for (unsigned int r = 1; r < g->b->height; r++) {
            goes_on |= board_get(g->b, make_pos(r, c)) == EMPTY && board_get(g->b, make_pos(r - 1, c)) != EMPTY;
        }
    }
    return goes_on ? IN_PROGRESS : DRAW;
}

int main(void)
{
    game *g = new_game(2, 2, 3, 3, MATRIX);
    printf("%d\n", drop_stick(g, 0, 1));
    game_free(g);
    return 0;
}
