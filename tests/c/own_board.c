/*
 * A board.c as a student might write it, with functions of the course's names. Nothing is behind the public union: the
 * cells are the characters that are printed, column by column, after the struct.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

static char *place(board *b, pos p) {
  if (p.r >= b->height || p.c >= b->width) {
    fprintf(stderr, "off the board\n");
    exit(1);
  }
  return (char *)(b + 1) + p.c * b->height + p.r;
}

board *board_new(unsigned int width, unsigned int height, enum type type) {
  board *b = calloc(1, sizeof(board) + width * height);
  if (b == NULL) exit(1);
  b->width = width;
  b->height = height;
  b->type = type;
  memset(b + 1, '.', width * height);
  return b;
}

void board_free(board *b) { free(b); }

void board_show(board *b) { printf("my own board, %u by %u\n", b->width, b->height); }

cell board_get(board *b, pos p) { return *place(b, p) == '*' ? BLACK : *place(b, p) == 'o' ? WHITE : EMPTY; }

void board_set(board *b, pos p, cell c) { *place(b, p) = ".*o"[c]; }
