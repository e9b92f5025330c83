/* In another style: one block for all rows, signed shifts, powers of two as doubles, labels at all four sides. */

#include "board.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PER_WORD 16

static unsigned int words_for(board *b) { return (unsigned int)ceil(b->width * b->height / (double)PER_WORD); }

board *board_new(unsigned int width, unsigned int height, enum type type)
{
    board *b = malloc(sizeof *b);
    assert(b && width && height);
    *b = (board){.width = width, .height = height, .type = type};
    if (type == BITS) {
        b->u.bits = calloc(words_for(b), sizeof *b->u.bits);
    } else {
        b->u.matrix = malloc(height * sizeof *b->u.matrix);
        b->u.matrix[0] = calloc(width * height, sizeof **b->u.matrix);
        for (unsigned int r = 1; r < height; r++) b->u.matrix[r] = b->u.matrix[0] + r * width;
    }
    return b;
}

void board_free(board *b)
{
    if (b->type == MATRIX) free(b->u.matrix[0]);
    free(b->type == MATRIX ? (void *)b->u.matrix : (void *)b->u.bits);
    free(b);
}

static char label(unsigned int i)
{
    const char *all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return i < 62 ? all[i] : '?';
}

static void labels(board *b)
{
    printf("  ");
    for (unsigned int c = 0; c < b->width; c++) putchar(label(c));
    putchar('\n');
}

void board_show(board *b)
{
    labels(b);
    for (unsigned int r = 0; r < b->height; r++) {
        printf("\n%c ", label(r));
        for (unsigned int c = 0; c < b->width; c++) putchar(".*o"[board_get(b, make_pos(r, c))]);
        printf(" %c", label(r));
    }
    printf("\n\n");
    labels(b);
}

static unsigned int number(board *b, pos p)
{
    if (p.r >= b->height || p.c >= b->width) {
        fprintf(stderr, "(%u, %u) is not on the board\n", p.r, p.c);
        abort();
    }
    return p.r * b->width + p.c;
}

cell board_get(board *b, pos p)
{
    unsigned int i = number(b, p);
    return b->type == MATRIX ? b->u.matrix[p.r][p.c] : (cell)(b->u.bits[i / PER_WORD] >> 2 * (i % PER_WORD) & 3);
}

void board_set(board *b, pos p, cell c)
{
    unsigned int i = number(b, p);
    int shift = 2 * (int)(i % PER_WORD);
    if (b->type == MATRIX) {
        b->u.matrix[p.r][p.c] = c;
    } else {
        b->u.bits[i / PER_WORD] &= ~(3 << shift);
        b->u.bits[i / PER_WORD] |= (int)c * (unsigned int)pow(2, shift);
    }
}
