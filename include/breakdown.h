/*
 * breakdown.h: the game of Breakdown, with the structs and functions of the course that it comes from.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. A program that includes the course's own pos.h,
 * board.h and logic.h compiles unchanged with -I.../include/breakdown.
 *
 * Errors: these functions have no status to return. A wrong argument (NULL, a place off the board, a size of 0 or one that
 * is too large, an enum value that does not exist, also one that the program wrote into a board) and missing memory are
 * a message on stderr and exit(1), unless the program has set a handler with petteia_set_error_handler of petteia.h: then
 * the handler gets the message, and the function returns NULL, 0, EMPTY or IN_PROGRESS with nothing changed.
 *
 * Memory: board_new and new_game take it with calloc, board_free and game_free give it back with free. Boards and games
 * may be used from many threads at once, each of them by one thread at a time.
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
 * How a game stands.
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
 * A place on the board: row and column, counted from 0 at the top left corner.
 */
typedef struct pos {
  unsigned int r;
  unsigned int c;
} pos;

/**
 * The memory of a board.
 *
 * `matrix[r][c]` is the cell in row r and column c of a MATRIX board. Of a BITS board, the place in row r and column c is
 * number i = r * width + c, and its cell is `bits[i / 16] >> (2 * (i % 16)) & 3`; there are as few words as hold all
 * cells, and bits beyond the last cell are 0. A program may read and write both.
 */
typedef union board_rep {
  cell **matrix;
  unsigned int *bits;
} board_rep;

/**
 * A board. A program may read all members; the cells are the only memory it should change.
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
 * The caller owns the turn: no function changes `next`, programs assign it.
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
 * An error if the width or the height is 0, if there are more than 2^28 places or no memory for them, and if the type is
 * neither MATRIX nor BITS.
 */
board *board_new(unsigned int width,
                 unsigned int height,
                 enum type type);

/**
 * Frees a board with all its memory; NULL is fine.
 *
 * The board is one that board_new made; the board of a game is freed by game_free. An error if its type is neither
 * MATRIX nor BITS.
 */
void board_free(board *b);

/**
 * Prints a board to stdout, in order with the program's own output: column labels, an empty line, and the rows with
 * their labels. An empty place is `.`, a black one `*`, a white one `o`.
 *
 * An error, with nothing printed, if `b` is NULL or its memory holds what is no cell.
 */
void board_show(board *b);

/**
 * Returns what a place holds.
 *
 * An error, and EMPTY after the handler, if `b` is NULL, the place is not on the board or its memory holds no cell.
 */
cell board_get(board *b, pos p);

/**
 * Puts a cell in a place, whatever it held.
 *
 * An error, with nothing changed, if `b` is NULL, the place is not on the board or `c` is no cell.
 */
void board_set(board *b, pos p, cell c);

/**
 * Makes a game on an empty board with black to move, which the caller frees with game_free.
 *
 * An error if any of the numbers is 0, and as for board_new. A stick or a square larger than the board is fine: the one
 * never fits, the other is never there.
 */
game *new_game(unsigned int stick, unsigned int square, unsigned int width, unsigned int height, enum type type);

/**
 * Frees a game with its board; NULL is fine.
 *
 * The game is one that new_game made. An error if its board's type is neither MATRIX nor BITS.
 */
void game_free(game *g);

/**
 * Drops a stick of the player whose turn it is into a column, and returns whether there was room for it: 1 or 0.
 *
 * With `vertical` not 0 the stick stands; with 0 it lies, its left end in the column. It falls as far as it can. The turn
 * stays as it is. A column that is not on the board, and a stick past the right edge, find no room.
 *
 * An error, and 0 with nothing changed after the handler, if `g` or its board is NULL, its `next` is neither BLACK_NEXT
 * nor WHITE_NEXT, its `stick` or `square` is 0, or the board's memory holds no cell where the stick goes.
 */
int drop_stick(game *g,
               unsigned int col,
               int vertical);

/**
 * Breaks all sticks down: every cell with air beneath it falls within its column. The turn stays as it is.
 *
 * An error, with nothing changed, if `g` or its board is NULL, its `stick` or `square` is 0, or the board's memory holds
 * what is no cell.
 */
void breakdown(game *g);

/**
 * Returns how a game stands: a colour that alone has a square has won, and it is a draw if both have one, or if no stick
 * fits anywhere and a breakdown would change nothing.
 *
 * An error, and IN_PROGRESS after the handler, if `g` or its board is NULL, its `stick` or `square` is 0, or the board's
 * memory holds what is no cell.
 */
outcome game_outcome(game *g);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* BREAKDOWN_H */
