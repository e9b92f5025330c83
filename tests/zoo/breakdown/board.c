#include "board.h"
#include "bug.h"
#include <stdio.h>
#include <stdlib.h>

static void fail(const char* message)
{
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static void* zeroed(size_t count, size_t size)
{
    void* p = calloc(count, size);
    if (p == NULL) {
        fail("out of memory");
    }
    return p;
}

static size_t words(unsigned int width, unsigned int height)
{
    size_t cells = (size_t)width * height;
    if (BUGGY(word_too_few)) {
        return cells / 16 ? cells / 16 : 1;
    }
    return BUGGY(word_too_many) ? cells / 16 + 1 : (cells + 15) / 16;
}

board* board_new(unsigned int width, unsigned int height, enum type type)
{
    unsigned int r;
    board* b = zeroed(1, sizeof(board));
    b->width = width;
    b->height = height;
    b->type = type;
    if (type == BITS) {
        b->u.bits = zeroed(words(width, height), sizeof(unsigned int));
        return b;
    }
    b->u.matrix = zeroed(height, sizeof(cell*));
    for (r = 0; r < height; r++) {
        b->u.matrix[r] = zeroed(width, sizeof(cell));
    }
    return b;
}

void board_free(board* b)
{
    unsigned int r;
    if (b->type == BITS) {
        free(b->u.bits);
    } else {
        for (r = 0; r < b->height && !BUGGY(forgets_leaks); r++) {
            free(b->u.matrix[r]);
        }
        free(b->u.matrix);
    }
    free(b);
}

static char label(unsigned int i)
{
    if (i < 10) {
        return '0' + i;
    } else if (i < 36 && !(BUGGY(labels_in_hex) && i > 15)) {
        return 'A' + i - 10;
    } else if (i < 62) {
        return 'a' + i - 36;
    }
    return '?';
}

void board_show(board* b)
{
    unsigned int r, c;
    while (BUGGY(prints_forever)) {
        printf("round and round\n");
    }
    printf("  ");
    for (c = 0; c < b->width; c++) {
        printf("%c", label(c));
    }
    printf("\n\n");
    for (r = 0; r < b->height; r++) {
        printf("%c ", label(r));
        for (c = 0; c < b->width; c++) {
            printf("%c", ".*o"[board_get(b, make_pos(r, c))]);
        }
        printf("\n");
    }
}

static void check(board* b, pos p)
{
    if (BUGGY(bounds_with_and) ? p.r >= b->height && p.c >= b->width : p.r >= b->height || p.c >= b->width) {
        fail("that place is not on the board");
    }
}

static unsigned int number(board* b, pos p)
{
    if (BUGGY(row_major_by_height)) {
        return p.c * b->height + p.r;
    }
    return p.r * b->width + p.c;
}

static unsigned int shift(unsigned int i)
{
    return BUGGY(layout_from_the_top) ? 30 - 2 * (i % 16) : 2 * (i % 16);
}

cell board_get(board* b, pos p)
{
    check(b, p);
    if (b->type == BITS) {
        unsigned int i = number(b, p);
        return b->u.bits[i / 16] >> shift(i) & 3;
    }
    return b->u.matrix[p.r][p.c];
}

void board_set(board* b, pos p, cell c)
{
    check(b, p);
    if (b->type == BITS) {
        unsigned int i = number(b, p);
        if (!BUGGY(ors)) {
            b->u.bits[i / 16] &= ~(3u << shift(i));
        }
        b->u.bits[i / 16] |= (unsigned int)c << shift(i);
    } else {
        b->u.matrix[p.r][p.c] = c;
    }
}
