#include "course.h"

board *board_new(unsigned int width, unsigned int height, enum type type) {
  return petteia_course_board_new(width, height, type);
}

void board_free(board *b) { petteia_course_board_free(b); }

void board_show(board *b) { petteia_course_board_show(b); }

cell board_get(board *b, pos p) { return petteia_course_board_get(b, p); }

void board_set(board *b, pos p, cell c) { petteia_course_board_set(b, p, c); }

/* A program may replace a function of the shared library by its own. These names are always the functions above. */
static board *own_new(unsigned int width, unsigned int height, enum type type) __attribute__((alias("board_new")));
static void own_free(board *b) __attribute__((alias("board_free")));
static cell own_get(board *b, pos p) __attribute__((alias("board_get")));
static void own_set(board *b, pos p, cell c) __attribute__((alias("board_set")));

petteia_course_functions petteia_course_own = {own_new, own_free, own_get, own_set};
