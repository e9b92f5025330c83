/*
 * breakdown.h: the game of Breakdown, with the structs and functions of its document, an assignment of a C course.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. A program that includes the course's own
 * pos.h, board.h and logic.h compiles unchanged with -I.../include/breakdown.
 *
 * Errors: these functions return no status. For an invalid argument (NULL, a place off the board, a size that is 0 or
 * too large, an enum value that does not exist, even one that the program wrote into a board) and for lack of memory,
 * they print a message to stderr and call exit(1). A program can set a handler instead, with petteia_set_error_handler
 * of petteia.h: the handler gets the message, nothing is changed, and the function returns NULL, 0, EMPTY or
 * IN_PROGRESS.
 *
 * Memory: board_new and new_game allocate with calloc; board_free and game_free release with free. Of the other
 * functions, only board_show and game_outcome need memory.
 *
 * Threads: several threads may use different boards and games at once, but only one thread may use each at a time.
 *
 * A program may define some of these functions itself, as students do: all of pos.c, board.c or logic.c of the course.
 * The rules then use its boards by its board_new, board_free, board_get and board_set alone. This holds for the
 * installed libraries, shared and static; the rules of a plain cargo build know petteia's own boards only.
 *
 * Example:
 *
 *     game *g = new_game(2, 2, 4, 5, MATRIX);
 *     if (drop_stick(g, 0, 1)) g->next = WHITE_NEXT;
 *     breakdown(g);
 *     board_show(g->b);
 *     printf("%d\n", game_outcome(g) == IN_PROGRESS);
 *     game_free(g);
 */

#ifndef BREAKDOWN_H
#define BREAKDOWN_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The contents of a place on the board.
 */
typedef enum cell {
  EMPTY,
  BLACK,
  WHITE,
} cell;

/**
 * The result of a game; IN_PROGRESS until it is over.
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
   * One `enum cell` per place, in rows.
   */
  MATRIX,
  /**
   * Two bits per place, packed.
   */
  BITS,
};

/**
 * Whose turn it is.
 */
typedef enum turn {
  BLACK_NEXT,
  WHITE_NEXT,
} turn;

/**
 * A place on the board: row and column, counted from 0 at the top left.
 */
typedef struct pos {
  /**
   * The row.
   */
  unsigned int r;
  /**
   * The column.
   */
  unsigned int c;
} pos;

/**
 * The memory of a board. Programs may read and write it.
 *
 * In a MATRIX board, the cell in row r and column c is `matrix[r][c]`. In a BITS board, it has the number
 * i = r * width + c and is `bits[i / 16] >> (2 * (i % 16)) & 3`. There are no more words than the cells need, and the
 * bits after the last cell are 0.
 */
typedef union board_rep {
  /**
   * The rows of a MATRIX board.
   */
  cell **matrix;
  /**
   * The words of a BITS board.
   */
  unsigned int *bits;
} board_rep;

/**
 * A board. Programs may read all members, but should change only the cells.
 */
typedef struct board {
  /**
   * The number of columns.
   */
  unsigned int width;
  /**
   * The number of rows.
   */
  unsigned int height;
  /**
   * How the cells are stored.
   */
  enum type type;
  /**
   * The cells.
   */
  board_rep u;
} board;

/**
 * A game: the length of a stick, the side of a winning square, the board, and whose turn it is.
 *
 * The program keeps track of the turn: it assigns `next`, which no function changes.
 */
typedef struct game {
  /**
   * The length of a stick.
   */
  unsigned int stick;
  /**
   * The side of a winning square.
   */
  unsigned int square;
  /**
   * The board.
   */
  board *b;
  /**
   * Whose turn it is.
   */
  turn next;
} game;

/**
 * Returns the place in row r and column c.
 */
pos make_pos(unsigned int r, unsigned int c);

/**
 * Creates an empty board. The caller frees it with board_free.
 *
 * It is an error if the width or height is 0, the board has more than 2^28 cells, there is not enough memory for it,
 * or the type is neither MATRIX nor BITS.
 */
board *board_new(unsigned int width, unsigned int height, enum type type);

/**
 * Frees a board created by board_new. NULL is ignored. The board of a game is freed by game_free.
 *
 * It is an error if its type is neither MATRIX nor BITS.
 */
void board_free(board *b);

/**
 * Prints a board to stdout, in order with the program's own output: column labels, an empty line, and the rows with
 * their labels. An empty cell is `.`, a black one `*`, a white one `o`. Rows and columns are labelled 0 to 9, A to Z
 * and a to z; from 62 on, `?`.
 *
 * It is an error, and nothing is printed, if `b` is NULL or its memory holds an invalid cell.
 */
void board_show(board *b);

/**
 * Returns the cell in a place.
 *
 * It is an error if `b` is NULL, or if the place is off the board or holds an invalid cell. With a handler, EMPTY is
 * returned then.
 */
cell board_get(board *b, pos p);

/**
 * Sets the cell in a place, occupied or not.
 *
 * It is an error, and nothing is changed, if `b` is NULL, the place is off the board, or `c` is not a cell.
 */
void board_set(board *b, pos p, cell c);

/**
 * Creates a game on an empty board with black to move. The caller frees it with game_free.
 *
 * It is an error if one of the numbers is 0, and in the cases of board_new. The stick and the square may be larger
 * than the board: such a stick never fits, and such a square cannot be built.
 */
game *new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type);

/**
 * Frees a game created by new_game, with its board. NULL is ignored.
 *
 * It is an error if the board's type is neither MATRIX nor BITS.
 */
void game_free(game *g);

/**
 * Drops a stick of the player whose turn it is into a column. Returns 1 if there was room for it, else 0. `next` does
 * not change.
 *
 * If `vertical` is nonzero the stick stands, else it lies with its left end in the column. It falls as far as it can.
 * There is no room in a column off the board, nor for a stick that would reach past the right edge.
 *
 * It is an error if `g` or its board is NULL, its `next` is neither BLACK_NEXT nor WHITE_NEXT, its `stick` or
 * `square` is 0, or the board holds an invalid cell where the stick goes. With a handler, nothing is changed and 0 is
 * returned then.
 */
int drop_stick(game *g, unsigned int col, int vertical);

/**
 * Breaks all sticks into cells: every cell falls within its column as far as it can. `next` does not change.
 *
 * It is an error, and nothing is changed, if `g` or its board is NULL, its `stick` or `square` is 0, or the board
 * holds an invalid cell.
 */
void breakdown(game *g);

/**
 * Returns the result of a game, or IN_PROGRESS. A colour wins if it has a square and the other has none. The game is
 * a draw if both have one, or if no stick fits anywhere and a breakdown would change nothing.
 *
 * It is an error if `g` or its board is NULL, its `stick` or `square` is 0, or the board holds an invalid cell. With
 * a handler, IN_PROGRESS is returned then.
 */
outcome game_outcome(game *g);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* BREAKDOWN_H */
