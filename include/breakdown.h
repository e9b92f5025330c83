/*
 * breakdown.h: the game of Breakdown, with the structs and functions of its document, an assignment of a C course.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. A program that includes the course's own pos.h,
 * board.h and logic.h compiles unchanged with -I.../include/breakdown.
 *
 * Errors: an argument may be wrong (NULL, a place off the board, a size that is 0 or too large, an enum value that does
 * not exist, also one that the program wrote into a board), or there may be no memory. These functions return no
 * status: they print a message to stderr and call exit(1). A program can set a handler instead, with
 * petteia_set_error_handler of petteia.h. The handler gets the message, nothing is changed, and the function returns
 * NULL, 0, EMPTY or IN_PROGRESS.
 *
 * Memory: board_new and new_game allocate with calloc, board_free and game_free release with free. Threads may each use
 * boards and games of their own; one board or game is used by one thread at a time.
 */

#ifndef BREAKDOWN_H
#define BREAKDOWN_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a place on the board holds.
 */
typedef enum cell {
  EMPTY,
  BLACK,
  WHITE,
} cell;

/**
 * The result of a game, IN_PROGRESS until it is over.
 */
typedef enum outcome {
  BLACK_WIN,
  WHITE_WIN,
  DRAW,
  IN_PROGRESS,
} outcome;

/**
 * How a board is stored.
 */
enum type {
  /**
   * One `enum cell` a place, in rows.
   */
  MATRIX,
  /**
   * Two bits a place, packed.
   */
  BITS,
};

/**
 * Whose stick is dropped next.
 */
typedef enum turn {
  BLACK_NEXT,
  WHITE_NEXT,
} turn;

/**
 * A place on the board, by its row and column, counted from 0 at the top left.
 */
typedef struct pos {
  unsigned int r;
  unsigned int c;
} pos;

/**
 * The memory of a board. A program may read and write it.
 *
 * Of a MATRIX board, `matrix[r][c]` is the cell in row r and column c. Of a BITS board, that cell has the number
 * i = r * width + c and is `bits[i / 16] >> (2 * (i % 16)) & 3`. There are no more words than the
 * cells need, and the bits after the last cell are 0.
 */
typedef union board_rep {
  cell **matrix;
  unsigned int *bits;
} board_rep;

/**
 * A board. A program may read all members, but should change the cells only.
 */
typedef struct board {
  unsigned int width;
  unsigned int height;
  enum type type;
  board_rep u;
} board;

/**
 * A game: the length of a stick, the side of the square that wins, the board, and whose turn it is.
 *
 * The turn is the program's: no function changes `next`, the program assigns it.
 */
typedef struct game {
  unsigned int stick;
  unsigned int square;
  board *b;
  turn next;
} game;

/**
 * Makes a place.
 */
pos make_pos(unsigned int r, unsigned int c);

/**
 * Makes an empty board, which the caller frees with board_free.
 *
 * An error if the width or the height is 0, if the board has more than 2^28 cells, if there is no memory for it, or if
 * the type is neither MATRIX nor BITS.
 */
board *board_new(unsigned int width, unsigned int height, enum type type);

/**
 * Frees a board that board_new made. NULL is fine. The board of a game is freed by game_free.
 *
 * An error if its type is neither MATRIX nor BITS.
 */
void board_free(board *b);

/**
 * Prints a board to stdout, in order with the program's own output: the labels of the columns, an empty line, and the
 * rows with their labels. An empty cell is `.`, a black one `*`, a white one `o`.
 *
 * An error, with nothing printed, if `b` is NULL or its memory holds an invalid cell.
 */
void board_show(board *b);

/**
 * Returns what a place holds.
 *
 * An error if `b` is NULL, or if the place is off the board or holds an invalid cell. With a handler, it then returns
 * EMPTY.
 */
cell board_get(board *b, pos p);

/**
 * Puts a cell in a place, whatever it held.
 *
 * An error, with nothing changed, if `b` is NULL, the place is off the board, or `c` is not a cell.
 */
void board_set(board *b, pos p, cell c);

/**
 * Makes a game on an empty board with black to move, which the caller frees with game_free.
 *
 * An error if one of the numbers is 0, and as for board_new. The stick and the square may be larger than the board: no
 * such stick fits, and no such square can be made.
 */
game *new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type);

/**
 * Frees a game that new_game made, with its board. NULL is fine.
 *
 * An error if the board's type is neither MATRIX nor BITS.
 */
void game_free(game *g);

/**
 * Drops a stick of the player whose turn it is into a column. Returns 1 if there was room for it, else 0. The turn
 * stays as it is.
 *
 * If `vertical` is not 0 the stick stands, else it lies with its left end in the column. It falls as far as it can.
 * There is no room in a column off the board, nor for a stick that would reach past the right edge.
 *
 * An error if `g` or its board is NULL, its `next` is neither BLACK_NEXT nor WHITE_NEXT, its `stick` or `square` is 0,
 * or the board holds an invalid cell where the stick goes. With a handler, it then changes nothing and returns 0.
 */
int drop_stick(game *g, unsigned int col, int vertical);

/**
 * Breaks all sticks into cells: every cell falls within its column as far as it can. The turn stays as it is.
 *
 * An error, with nothing changed, if `g` or its board is NULL, its `stick` or `square` is 0, or the board holds an
 * invalid cell.
 */
void breakdown(game *g);

/**
 * Returns the result of a game, IN_PROGRESS until it is over. A colour wins if it has a square and the other has none.
 * It is a draw if both have one, and also if no stick fits anywhere and a breakdown would change nothing.
 *
 * An error if `g` or its board is NULL, its `stick` or `square` is 0, or the board holds an invalid cell. With a
 * handler, it then returns IN_PROGRESS.
 */
outcome game_outcome(game *g);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* BREAKDOWN_H */
