/*
 * The course has three files, pos.c, board.c and logic.c, and so has the installed library: each is a member of its
 * own, which is linked only if a program calls it and does not define its functions itself. So a program may have a
 * board_new of its own, and a student's logic.c works with petteia's board, and the other way round.
 *
 * The functions called here are in the main member. The first six are those of src/capi/breakdown.rs, renamed when the
 * library is put together; the others are in src/capi/course.rs.
 */

#ifndef PETTEIA_COURSE_H
#define PETTEIA_COURSE_H

#include "../../../include/breakdown.h"

/* Not exported by the shared library. */
#pragma GCC visibility push(hidden)

pos petteia_course_make_pos(unsigned int r, unsigned int c);

board *petteia_course_board_new(unsigned int width, unsigned int height, enum type type);
void petteia_course_board_free(board *b);
void petteia_course_board_show(board *b);
cell petteia_course_board_get(board *b, pos p);
void petteia_course_board_set(board *b, pos p, cell c);

/* The functions of a board.c. */
typedef struct petteia_course_functions {
  board *(*make)(unsigned int width, unsigned int height, enum type type);
  void (*free)(board *b);
  cell (*get)(board *b, pos p);
  void (*set)(board *b, pos p, cell c);
} petteia_course_functions;

/* NULL in place of functions stands for those of petteia's board.c. */
game *petteia_course_new_game(const petteia_course_functions *functions, unsigned int stick, unsigned int square,
                              unsigned int width, unsigned int height, enum type type);
void petteia_course_game_free(const petteia_course_functions *functions, game *g);
int petteia_course_drop_stick(const petteia_course_functions *functions, game *g, unsigned int col, int vertical);
void petteia_course_breakdown(const petteia_course_functions *functions, game *g);
outcome petteia_course_game_outcome(const petteia_course_functions *functions, game *g);

/* The functions of petteia's board.c, or all NULL if that is not linked. */
extern petteia_course_functions petteia_course_own;

#pragma GCC visibility pop

#endif /* PETTEIA_COURSE_H */
