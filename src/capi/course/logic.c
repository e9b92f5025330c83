#include "course.h"

/* Weak: replaced by the one in board.c where that is linked too. */
__attribute__((weak)) petteia_course_functions petteia_course_own = {0, 0, 0, 0};

/*
 * Returns the functions that the program has for boards, or NULL if they are petteia's, which the rules then need not
 * call: they know its boards. (Where a program that is not position-independent takes the address of a function of the
 * shared library, that is another address here; then petteia's functions are called like a student's.)
 */
static const petteia_course_functions *functions(void) {
  static const petteia_course_functions linked = {board_new, board_free, board_get, board_set};
  const petteia_course_functions *own = &petteia_course_own;
  if (linked.make == own->make && linked.free == own->free && linked.get == own->get && linked.set == own->set) {
    return 0;
  }
  return &linked;
}

game *new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type) {
  return petteia_course_new_game(functions(), stick, square, width, height, type);
}

void game_free(game *g) { petteia_course_game_free(functions(), g); }

int drop_stick(game *g, unsigned int col, int vertical) {
  return petteia_course_drop_stick(functions(), g, col, vertical);
}

void breakdown(game *g) { petteia_course_breakdown(functions(), g); }

outcome game_outcome(game *g) { return petteia_course_game_outcome(functions(), g); }
