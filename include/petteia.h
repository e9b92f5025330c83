/*
 * petteia.h: two-player board games in C. petteia_game lists them.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. breakdown.h declares the C functions of the
 * course that Breakdown comes from; the two headers can be included together, in any order.
 *
 *     petteia_position *game = NULL;
 *     if (petteia_position_new("reversi", "8 8", &game) != PETTEIA_OK) { ... }
 *     petteia_position_play_notation(game, "d4");
 *     petteia_position_free(game);
 *
 * Every game follows a document: an assignment of a programming course. What is specific to one document is declared
 * in that game's section below.
 *
 * Conventions:
 *
 * - A function that can fail returns a petteia_status. It writes its results through its last parameters, and only if
 *   it returns PETTEIA_OK. After a failure, petteia_last_error writes a full message.
 * - An object that a function creates belongs to the caller, who frees it once, from any thread, with the function
 *   that the comment names. Freeing NULL does nothing. The library keeps no pointer that it is given, except in
 *   petteia_set_error_handler: arguments are only borrowed for the duration of the call.
 * - A text result takes three parameters (buf, cap, len). At most cap - 1 bytes and a NUL are written to buf, and *len
 *   is set to the length of the whole text without its NUL. A truncated text is PETTEIA_OK too; it has *len >= cap. To
 *   get the length alone, pass a cap of 0; buf may then be NULL. Array results work the same way, but without a NUL:
 *   at most cap elements are written, and *len is set to the number of all elements.
 * - Texts are UTF-8 and end with a NUL. TicTac's game records are an exception: they are bytes with a size.
 * - A NULL pointer is an error unless its comment allows it, and so is an enum value that does not exist. A pointer
 *   that is neither NULL nor valid is undefined behaviour, as everywhere in C.
 * - The comment of a function ends with the statuses that its arguments can lead to. Besides, any function can return
 *   PETTEIA_NO_MEMORY and PETTEIA_PANIC.
 * - The library throws no exceptions. A bug in it is reported as PETTEIA_PANIC. Once loaded, it stays in memory until
 *   the process ends, whatever dlclose is told.
 * - A function for which there is not enough memory returns PETTEIA_NO_MEMORY: its arguments are as they were, and it can
 *   be called again. petteia_last_error, and what frees an object, need no memory. There is one exception. Calls that use
 *   threads (those with `threads` above 1, and long calls on Breakdown boards of more than 3840 cells) do without them if
 *   there are not 2 megabytes for one; if these are gone a moment later, while it starts, the process ends. So it does at
 *   the first call of a thread for whose variables the C library has no memory, if the library was loaded by dlopen.
 * - Any number of threads may use the library at once, each with its own objects. Two threads may use the same object
 *   at the same time only through functions that take it as const.
 */

#ifndef PETTEIA_H
#define PETTEIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header; petteia_version() returns the version of the library. */
#define PETTEIA_VERSION "0.1.0"
/* The first number of the version. */
#define PETTEIA_VERSION_MAJOR 0
/* The second number of the version. */
#define PETTEIA_VERSION_MINOR 1
/* The third number of the version. */
#define PETTEIA_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- Status, errors, version ----
 *
 * Ownership: the texts of petteia_status_message and petteia_version are static. petteia_last_error copies the message.
 *
 * Threads: every thread has a last error of its own. The error handler is one for the whole process.
 *
 * Example:
 *
 *     char text[200];
 *     size_t length;
 *     petteia_position *game = NULL;
 *     petteia_status status = petteia_position_new("chess", "", &game);
 *     if (status != PETTEIA_OK) {
 *       petteia_last_error(text, sizeof text, &length);
 *       printf("%s: %s\n", petteia_status_message(status), text);
 *     }
 *     return status != PETTEIA_PARSE_ERROR;
 */

/**
 * The status of a call. Every function that can fail returns one.
 */
typedef enum petteia_status {
  /**
   * Success.
   */
  PETTEIA_OK = 0,
  /**
   * A pointer that must not be NULL is NULL.
   */
  PETTEIA_NULL_POINTER = 1,
  /**
   * A number is out of range, or an enum value does not exist.
   */
  PETTEIA_INVALID_ARGUMENT = 2,
  /**
   * A text is not UTF-8.
   */
  PETTEIA_NOT_UTF8 = 3,
  /**
   * A text does not follow its format.
   */
  PETTEIA_PARSE_ERROR = 4,
  /**
   * A move is illegal. The position is unchanged.
   */
  PETTEIA_ILLEGAL_MOVE = 5,
  /**
   * The position is of the wrong game, or has the wrong parameters.
   */
  PETTEIA_WRONG_GAME = 6,
  /**
   * Not available in this position: a piece is already used, a square is empty or occupied, the game is over,
   * nothing is left to choose from, or the position has no key.
   */
  PETTEIA_UNAVAILABLE = 7,
  /**
   * A bug in petteia. The objects passed to the call can be freed, but should no longer be used.
   */
  PETTEIA_PANIC = 8,
  /**
   * The caller's callback stopped the call.
   */
  PETTEIA_STOPPED = 9,
  /**
   * There is not enough memory. The arguments are unchanged, and can be used.
   */
  PETTEIA_NO_MEMORY = 10,
} petteia_status;

/**
 * A callback for errors in breakdown.h. `message` is valid only during the call; `user` is the pointer given to
 * petteia_set_error_handler.
 */
typedef void (*petteia_error_handler)(const char *message, void *user);

/**
 * Returns a short description of a status, or "unknown status" for any other number. The text is static; do not free
 * it.
 */
const char *petteia_status_message(petteia_status status);

/**
 * Writes a message about the last call that failed in this thread. It quotes the offending argument and says what was
 * expected instead.
 *
 * The message is empty before the first failure. Calls that succeed do not change it, nor does this one, even if it
 * fails. It needs no memory. What is longer than 2048 bytes is cut there.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_last_error(char *buf, size_t cap, size_t *len);

/**
 * Returns the version of the library in use, such as "1.2.3". PETTEIA_VERSION is the version that the program was
 * compiled with. The text is static; do not free it.
 */
const char *petteia_version(void);

/**
 * Sets the error handler of breakdown.h for the whole process. NULL restores the default.
 *
 * The functions of breakdown.h return no status. By default they print errors to stderr and call exit(1). With a
 * handler they call it with the message and `user`, change nothing, and return NULL, 0, EMPTY or IN_PROGRESS.
 *
 * The handler must return (no longjmp, no exception). It may be called on any thread that uses breakdown.h, and may
 * itself use the library. `user` is only passed on to it.
 */
void petteia_set_error_handler(petteia_error_handler handler, void *user);

/* ---------------------------------------------------------------- Games and their parameters ----
 *
 * Ownership: nothing here is to be freed. The texts in a petteia_parameter are static; a name is copied.
 *
 * Threads: these functions may be called by any number of threads at once.
 *
 * Example:
 *
 *     size_t count, i;
 *     petteia_parameter parameter;
 *     if (petteia_game_parameter_count(PETTEIA_BREAKDOWN, &count) != PETTEIA_OK) return 1;
 *     for (i = 0; i < count; ++i) {
 *       if (petteia_game_parameter(PETTEIA_BREAKDOWN, i, &parameter) != PETTEIA_OK) return 1;
 *       printf("%s: %s\n", parameter.name, parameter.about);
 *     }
 */

/**
 * One of the games.
 */
typedef enum petteia_game {
  /**
   * TicTac: Three in a row.
   */
  PETTEIA_TICTAC = 0,
  /**
   * Breakdown: Drop sticks, or let all fall down. A full square wins.
   */
  PETTEIA_BREAKDOWN = 1,
  /**
   * Reversi: Catch tiles between yours. More tiles win.
   */
  PETTEIA_REVERSI = 2,
  /**
   * Quarto: Four in a line with one thing in common wins.
   */
  PETTEIA_QUARTO = 3,
} petteia_game;

/**
 * A parameter of a game, such as the width of its board. The texts are static; do not free them.
 */
typedef struct petteia_parameter {
  /**
   * Its name, such as "width".
   */
  const char *name;
  /**
   * What it is, in a few words.
   */
  const char *about;
  /**
   * Its default value.
   */
  uint32_t fallback;
  /**
   * Its least value.
   */
  uint32_t least;
  /**
   * Its greatest value.
   */
  uint32_t most;
  /**
   * NULL if the values are numbers. If they are words, the words for the values 0 to `most`, then NULL.
   */
  const char *const *words;
} petteia_parameter;

/**
 * Returns the number of games. They are numbered from 0.
 */
size_t petteia_game_count(void);

/**
 * Writes the name of a game, such as "reversi".
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_game_name(petteia_game game, char *buf, size_t cap, size_t *len);

/**
 * Writes the game with a name, such as "reversi". Fails with PETTEIA_PARSE_ERROR if there is none.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR.
 */
petteia_status petteia_game_from_name(const char *name, petteia_game *game);

/**
 * Writes the number of a game's parameters.
 *
 * Loop over the parameters up to this number: a loop until petteia_game_parameter fails would overwrite the last
 * error.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_game_parameter_count(petteia_game game, size_t *count);

/**
 * Writes one of a game's parameters, counted from 0 in the order of petteia_position_new and of records. Fails with
 * PETTEIA_INVALID_ARGUMENT if the index is not below petteia_game_parameter_count.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_game_parameter(petteia_game game, size_t index, petteia_parameter *parameter);

/* ---------------------------------------------------------------- Positions of any game ----
 *
 * Ownership: the caller frees each position with petteia_position_free. A position holds no pointer to another.
 *
 * Threads: any number of threads may read one position at once, through functions that take it as const, if none
 * changes or frees it.
 *
 * Example:
 *
 *     petteia_position *game = NULL, *same = NULL;
 *     bool equal = false;
 *     if (petteia_position_new("breakdown", "7 6 2 3", &game) != PETTEIA_OK) return 1;
 *     if (petteia_position_clone(game, &same) == PETTEIA_OK) petteia_position_equal(game, same, &equal);
 *     petteia_position_free(same);
 *     petteia_position_free(game);
 *     return !equal;
 */

/**
 * A player. petteia_position_player_name writes a game's names for the two, such as "dark" and "light".
 */
typedef enum petteia_player {
  /**
   * The player who moves first.
   */
  PETTEIA_FIRST = 0,
  /**
   * The other player.
   */
  PETTEIA_SECOND = 1,
  /**
   * Neither player: the turn of a finished game, the owner of an empty square.
   */
  PETTEIA_NOBODY = 2,
} petteia_player;

/**
 * The result of a game; PETTEIA_IN_PROGRESS until it is over.
 */
typedef enum petteia_outcome {
  PETTEIA_FIRST_WINS = 0,
  PETTEIA_SECOND_WINS = 1,
  PETTEIA_DRAW = 2,
  PETTEIA_IN_PROGRESS = 3,
} petteia_outcome;

/**
 * A position of a game: the board and the player to move, without the moves that led to it.
 */
typedef struct petteia_position petteia_position;

/**
 * Counts of the results of several games.
 */
typedef struct petteia_tally {
  /**
   * Games won by the first player.
   */
  uint64_t first_wins;
  /**
   * Games won by the second player.
   */
  uint64_t second_wins;
  /**
   * Drawn games.
   */
  uint64_t draws;
  /**
   * Moves played in all games.
   */
  uint64_t plies;
} petteia_tally;

/**
 * Creates the starting position of a game. The caller frees it with petteia_position_free.
 *
 * `game` is the game's name. `parameters` lists the values of its parameters, separated by single spaces, such as
 * "8 8" for the width and height of "reversi"; an empty text stands for the defaults. petteia_game_parameter
 * describes the parameters of a game. Each game also has a function that takes them as numbers, such as
 * petteia_reversi_new.
 *
 * Fails with PETTEIA_PARSE_ERROR if there is no such game or the parameters are invalid, PETTEIA_NO_MEMORY if there
 * is not enough memory for the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_new(const char *game, const char *parameters, petteia_position **position);

/**
 * Creates a position of the game with a name from its text, such as "____/_DL_/_LD_/____ D" for "reversi"; see
 * petteia_position_text. The caller frees it with petteia_position_free. Fails with PETTEIA_PARSE_ERROR if there is no
 * such game or the text is not a position of it, PETTEIA_NO_MEMORY if there is not enough memory for the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_parse(const char *game, const char *line, petteia_position **position);

/**
 * Creates a copy of a position. The caller frees it with petteia_position_free.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_clone(const petteia_position *position, petteia_position **clone);

/**
 * Makes a position a copy of another, of the same game or not. It takes no memory from the heap, except for boards of
 * more than 128 cells that differ in size. Fails with PETTEIA_NO_MEMORY if there is not enough; `dst` is then
 * unchanged. Both may be the same position.
 *
 * A search keeps one position for each ply of its line: it copies the position of one ply to the next, and plays a
 * move there. Nothing needs to be undone.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_copy(petteia_position *dst, const petteia_position *src);

/**
 * Frees a position. NULL is ignored.
 */
void petteia_position_free(petteia_position *position);

/**
 * Writes whether two positions are equal: the same game, parameters, board and player to move. A finished game has no
 * player to move.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_equal(const petteia_position *position, const petteia_position *other, bool *equal);

/**
 * Writes the key of a position: two numbers that two positions of the same game and parameters share exactly if they
 * are equal. It is the key of a transposition table that never mistakes one position for another. It may differ
 * between versions of the library.
 *
 * Fails with PETTEIA_UNAVAILABLE if two numbers cannot hold the position, as on boards of Breakdown with more than 64
 * cells.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_position_key(const petteia_position *position, uint64_t *key);

/**
 * Writes a hash of a position, made from its key if it has one. Equal positions have equal hashes in every process
 * that runs the same version of the library.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_hash(const petteia_position *position, uint64_t *hash);

/**
 * Writes all cells of the board, row by row from the top: 0 is empty, 1 and 2 are the first and the second player's.
 * In Quarto they are the numbers of the pieces; 255 is empty.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_cells(const petteia_position *position, uint8_t *cells, size_t cap, size_t *len);

/**
 * Writes the game of a position.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_game(const petteia_position *position, petteia_game *game);

/**
 * Writes the parameters of a position's game as petteia_position_new takes them.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_parameters(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes the value of a parameter of a position's game, by the parameter's name, such as "width". A word is written
 * as its index in the list of petteia_game_parameter. Fails with PETTEIA_INVALID_ARGUMENT if the game has no
 * parameter of that name.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_NOT_UTF8.
 */
petteia_status petteia_position_parameter(const petteia_position *position, const char *name, int64_t *value);

/**
 * Writes the name that a position's game has for a player, such as "dark". Fails with PETTEIA_INVALID_ARGUMENT for
 * PETTEIA_NOBODY.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_position_player_name(const petteia_position *position,
                                            petteia_player player,
                                            char *buf,
                                            size_t cap,
                                            size_t *len);

/**
 * Writes the player to move, or PETTEIA_NOBODY if the game is over.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_turn(const petteia_position *position, petteia_player *turn);

/**
 * Writes the result of the game, or PETTEIA_IN_PROGRESS if it is not over.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_outcome(const petteia_position *position, petteia_outcome *outcome);

/**
 * Writes whether the game is over.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_is_over(const petteia_position *position, bool *is_over);

/* ---------------------------------------------------------------- Moves ----
 *
 * A move has a text, its notation, and a number, its action. The actions of a game are numbered from 0 without gaps:
 *
 *     TicTac      claim a square         "A1" = 0, "A2" = 1, ... "C3" = 8 (row, column)
 *     Breakdown   drop an upright stick  "|4" = 4 (column)
 *                 drop a lying stick     "-B" = width + 11 (column of its left end)
 *                 break all sticks down  "!" = 2 * width
 *     Reversi     place a tile           "d3" = 2 * width + 3 (column, row)
 *     Quarto      select a piece         "SBCH" = 0 (its number)
 *                 place it on a square   "A1" = 16 (16 + the square's number)
 *
 * A move does not always pass the turn to the other player. In Reversi, a player who cannot move is skipped, without a
 * move for it: the same player moves again. In Quarto, whoever places a piece then selects the next one, so that only
 * selecting passes the turn. A search that negates values from ply to ply (negamax) compares petteia_position_turn
 * before and after the move, and negates the value, and exchanges the bounds, only if they differ. When the game is
 * over, the turn is PETTEIA_NOBODY: take the value from petteia_position_outcome.
 *
 * Ownership: a canonical position belongs to the caller, who frees it with petteia_position_free.
 *
 * Threads: playing a move changes the position: no other thread may use it at that time. All else only reads it.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     uint32_t actions[64];
 *     size_t moves;
 *     char text[100];
 *     size_t length;
 *     if (petteia_position_new("reversi", "6 6", &game) != PETTEIA_OK) return 1;
 *     while (petteia_position_legal_actions(game, actions, 64, &moves) == PETTEIA_OK && moves > 0) {
 *       petteia_position_play(game, actions[0]);
 *     }
 *     petteia_position_text(game, text, sizeof text, &length);
 *     puts(text);
 *     petteia_position_free(game);
 */

/**
 * Writes the number of actions in a position's game. Every action is below it.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_num_actions(const petteia_position *position, uint32_t *num_actions);

/**
 * Writes the actions of the legal moves in increasing order. There are none if and only if the game is over.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_legal_actions(const petteia_position *position,
                                              uint32_t *actions,
                                              size_t cap,
                                              size_t *len);

/**
 * Writes whether a move is legal, by its action. No action beyond the last one is.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_is_legal(const petteia_position *position, uint32_t action, bool *legal);

/**
 * Plays the move with an action. Fails with PETTEIA_ILLEGAL_MOVE if it is not legal; the position is then unchanged.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_ILLEGAL_MOVE.
 */
petteia_status petteia_position_play(petteia_position *position, uint32_t action);

/**
 * Plays the move with a notation, such as "d3". Fails with PETTEIA_PARSE_ERROR if the text is not a move,
 * PETTEIA_ILLEGAL_MOVE if the move is not legal; the position is then unchanged.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_ILLEGAL_MOVE.
 */
petteia_status petteia_position_play_notation(petteia_position *position, const char *notation);

/**
 * Writes the action of the move with a notation, legal or not. Fails with PETTEIA_PARSE_ERROR if the text is not a
 * move, PETTEIA_ILLEGAL_MOVE if the board is too small for it.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_ILLEGAL_MOVE.
 */
petteia_status petteia_position_action(const petteia_position *position, const char *notation, uint32_t *action);

/**
 * Writes the notation of the move with an action, legal or not. Fails with PETTEIA_INVALID_ARGUMENT if the game has
 * no such action.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_position_notation(const petteia_position *position,
                                         uint32_t action,
                                         char *buf,
                                         size_t cap,
                                         size_t *len);

/**
 * Writes a position as one line of text, which petteia_position_parse reads back.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_text(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes the board as the game's document draws it. Every line ends with a newline.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes a picture of a position: one SVG element, for a file or a web page.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_svg(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Creates the canonical form of a position, the same for all positions that are equal up to symmetry, such as mirror
 * images. It may differ between versions of the library. The caller frees it with petteia_position_free.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_position_canonical(const petteia_position *position, petteia_position **canonical);

/* ---------------------------------------------------------------- Long calls ----
 *
 * Calls that may take long take a struct of options each. Fill it with the defaults, and change what should differ. NULL
 * stands for the defaults.
 *
 * Later versions of the library may add members at the end. The first member, the size of the struct in the program,
 * tells which of them a program knows: an older program gets the defaults for the others. A size that no released
 * version has, such as 0 in a struct that was not filled, is PETTEIA_INVALID_ARGUMENT. A larger size than this version's
 * is taken for that of a later version; an option there other than 0, which this version does not know, is
 * PETTEIA_INVALID_ARGUMENT.
 *
 * Ownership: options are only read during the call. The pointer for the callback is only passed on.
 *
 * Threads: a call starts the threads that its options ask for, and ends them before it returns. The callback is called
 * on the calling thread.
 *
 * Example:
 *
 *     petteia_solve_options options;
 *     if (petteia_solve_options_init(&options) != PETTEIA_OK) return 1;
 *     options.threads = 4;
 */

/**
 * The progress of a long call.
 */
typedef struct petteia_progress {
  /**
   * How much is done: games, simulations, or positions searched. 0 where that is not known, as in counting.
   */
  uint64_t done;
  /**
   * How much is to be done at most; 0 if that is not known.
   */
  uint64_t total;
  /**
   * Positions searched so far, if the call solves or analyses; else 0.
   */
  uint64_t nodes;
  /**
   * Seconds taken so far.
   */
  double seconds;
  /**
   * The lower bound on the value of the position, if the call solves or analyses; else 0.
   */
  int32_t lower;
  /**
   * The upper bound on the value of the position, if the call solves or analyses; else 0.
   */
  int32_t upper;
} petteia_progress;

/**
 * A callback of a long call, which returns true to stop it.
 *
 * It is called about every 10 milliseconds, on the thread that made the call, with the progress and the `user` pointer
 * of the options; a call that takes less time may never call it. Once it has returned true, the same call does not
 * call it again. It must return (no longjmp, no exception), and may itself use the library.
 */
typedef bool (*petteia_callback)(const petteia_progress *progress, void *user);

/* ---------------------------------------------------------------- Counting and random games ----
 *
 * Ownership: the results are numbers; nothing is to be freed.
 *
 * Threads: these calls only read the position.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_perft_options options;
 *     petteia_tally tally;
 *     uint64_t count = 0;
 *     if (petteia_position_new("tictac", "", &game) != PETTEIA_OK) return 1;
 *     petteia_perft_options_init(&options);
 *     options.threads = 2;
 *     if (petteia_position_perft(game, 9, &options, &count) != PETTEIA_OK) return 1;
 *     if (petteia_position_playouts(game, 1000, NULL, &tally) != PETTEIA_OK) return 1;
 *     petteia_position_free(game);
 *     return count != 127872;
 */

/**
 * The options of petteia_position_perft.
 */
typedef struct petteia_perft_options {
  /**
   * The size of this struct, as petteia_perft_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can stop the count. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * About how many bytes a transposition table may take, with which positions that are reached in several ways, or
   * are equal up to symmetry, are counted once. Default: 0, for none.
   */
  size_t table_bytes;
  /**
   * How many threads count together. Default: 1; 0 counts as 1, and more than 256 as 256.
   */
  size_t threads;
} petteia_perft_options;

/**
 * The options of petteia_position_playouts.
 */
typedef struct petteia_playouts_options {
  /**
   * The size of this struct, as petteia_playouts_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can stop the games. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * The seed of the games. Default: 0.
   */
  uint64_t seed;
  /**
   * The number of the first game. Default: 0.
   */
  uint64_t first;
  /**
   * How many threads play; the result does not depend on it. Default: 1; 0 counts as 1, and more than 256 as 256.
   */
  size_t threads;
} petteia_playouts_options;

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_perft_options_init calls it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_perft_options_defaults(petteia_perft_options *options, size_t size);

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_playouts_options_init calls
 * it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_playouts_options_defaults(petteia_playouts_options *options, size_t size);

/**
 * Counts the sequences of exactly `depth` legal moves from a position; a finished game has only the empty one.
 * `options` may be NULL for the defaults.
 *
 * Fails with PETTEIA_STOPPED if the callback stopped the count, PETTEIA_NO_MEMORY if there is not enough memory for
 * the table, PETTEIA_INVALID_ARGUMENT if the count does not fit in 64 bits.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_STOPPED, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_perft(const petteia_position *position,
                                      uint32_t depth,
                                      const petteia_perft_options *options,
                                      uint64_t *count);

/**
 * Plays random games from a position to their ends, and counts the results. `options` may be NULL for the defaults. If
 * the game is over, each has no moves and its result.
 *
 * The games of a seed are numbered, and each is the same on every machine. This plays as many as `games` says, from
 * the number `first` of the options on, so that programs can divide a range and add up their tallies.
 *
 * Fails with PETTEIA_STOPPED if the callback stopped the games, PETTEIA_INVALID_ARGUMENT if the sum of `first` and
 * `games` is above 2^64 - 1.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_STOPPED.
 */
petteia_status petteia_position_playouts(const petteia_position *position,
                                         uint64_t games,
                                         const petteia_playouts_options *options,
                                         petteia_tally *tally);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_perft_options_init(petteia_perft_options *options) {
  return petteia_perft_options_defaults(options, sizeof *options);
}

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_playouts_options_init(petteia_playouts_options *options) {
  return petteia_playouts_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Exact values ----
 *
 * Ownership: the caller frees a solution with petteia_solution_free. The position is not needed any longer then.
 *
 * Threads: a search only reads the position. Any number of threads may read a solution at once.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_solution *solution = NULL;
 *     petteia_solve_options options;
 *     petteia_value value = {0};
 *     if (petteia_position_parse("reversi", "____/_DL_/_LD_/____ D", &game) != PETTEIA_OK) return 1;
 *     petteia_solve_options_init(&options);
 *     options.threads = 2;
 *     if (petteia_solve(game, &options, &solution) == PETTEIA_OK) petteia_solution_value(solution, &value);
 *     printf("%d\n", (int)value.value);
 *     petteia_solution_free(solution);
 *     petteia_position_free(game);
 *     if (!value.exact) return 1;
 *
 *     // A search that ends early has bounds, and perhaps no best action.
 *     uint32_t action = 0;
 *     size_t count = 0;
 *     if (petteia_position_new("reversi", "8 8", &game) != PETTEIA_OK) return 1;
 *     options.node_limit = 1000;
 *     if (petteia_solve(game, &options, &solution) != PETTEIA_OK) return 1;
 *     petteia_solution_value(solution, &value);
 *     petteia_solution_best_actions(solution, &action, 1, &count);
 *     if (count > 0) printf("%u, at least %d\n", (unsigned)action, (int)value.lower);
 *     else printf("between %d and %d\n", (int)value.lower, (int)value.upper);
 *     petteia_solution_free(solution);
 *     petteia_position_free(game);
 *     return value.exact;
 */

/**
 * The result of a search.
 */
typedef struct petteia_solution petteia_solution;

/**
 * The options of petteia_solve.
 */
typedef struct petteia_solve_options {
  /**
   * The size of this struct, as petteia_solve_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can end the search, which then returns what it has found. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * About how many positions may be searched. Default: 0, for no limit.
   */
  uint64_t node_limit;
  /**
   * About how many seconds the search may take. Default: 0, for no limit.
   */
  double time_limit;
  /**
   * About how many bytes the transposition table may take. Default: 0, for as many as the game's solver likes: in
   * Reversi 128 MiB, but 32 MiB and less with fewer than 20 empty squares; in Quarto 64 MiB, but 8 MiB and less from
   * three placed pieces on; in Breakdown a table that grows up to 1 GiB, or 128 MiB on boards of more than 3840
   * cells; in TicTac a small one.
   */
  size_t table_bytes;
  /**
   * How many threads search together; the value and the best moves do not depend on it. Default: 1; 0 counts as 1,
   * and more than 256 as 256.
   */
  size_t threads;
  /**
   * Nonzero to find just one best move, which is faster than finding all. Default: 0.
   */
  int one_best;
  /**
   * Nonzero to count empty squares for the winner, as in Reversi tournaments. Default: 0.
   */
  int empties_to_winner;
} petteia_solve_options;

/**
 * The result of a search, except for the moves.
 */
typedef struct petteia_value {
  /**
   * The value for the player to move: the disc difference in Reversi, else 1 for a win, 0 for a draw, -1 for a
   * loss. If the search ended early, this is the lower bound.
   */
  int32_t value;
  /**
   * The lower bound on the value.
   */
  int32_t lower;
  /**
   * The upper bound on the value.
   */
  int32_t upper;
  /**
   * 1 if the value is exact, 0 if a limit or the callback ended the search early.
   */
  int exact;
  /**
   * How many positions were searched.
   */
  uint64_t nodes;
  /**
   * How many seconds it took.
   */
  double seconds;
} petteia_value;

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_solve_options_init calls it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_solve_options_defaults(petteia_solve_options *options, size_t size);

/**
 * Finds the exact value of a position, its best moves and the principal variation. `options` may be NULL for the
 * defaults. The caller frees the solution with petteia_solution_free.
 *
 * A search that a limit or the callback ends early returns PETTEIA_OK too, with bounds in place of the value; there
 * may be no best action and no line then. Fails with PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for
 * `empties_to_winner` in a game that does not count squares, PETTEIA_INVALID_ARGUMENT if the time limit is negative or
 * NaN, PETTEIA_NO_MEMORY if there is not enough memory for the transposition table.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_solve(const petteia_position *position,
                             const petteia_solve_options *options,
                             petteia_solution **solution);

/**
 * Writes the value of a solution, and whether it is exact.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_solution_value(const petteia_solution *solution, petteia_value *value);

/**
 * Writes the actions that achieve the value, in increasing order: all of them, or at least one with `one_best`. If
 * the search ended early, these are the actions known to achieve the lower bound, if any.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_solution_best_actions(const petteia_solution *solution,
                                             uint32_t *actions,
                                             size_t cap,
                                             size_t *len);

/**
 * Writes the actions of the principal variation: best play by both sides, starting with a best move, as far as it is
 * cheap to find.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_solution_line(const petteia_solution *solution, uint32_t *actions, size_t cap, size_t *len);

/**
 * Frees a solution. NULL is ignored.
 */
void petteia_solution_free(petteia_solution *solution);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_solve_options_init(petteia_solve_options *options) {
  return petteia_solve_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Estimates and analysis ----
 *
 * Ownership: the lines are written to the caller's array; nothing is to be freed.
 *
 * Threads: an analysis only reads the position.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_analysis_options options;
 *     petteia_line lines[2];
 *     petteia_analysis analysis;
 *     size_t count, i;
 *     if (petteia_position_new("reversi", "", &game) != PETTEIA_OK) return 1;
 *     petteia_analysis_options_init(&options);
 *     options.node_limit = 10000;
 *     options.lines = 2;
 *     if (petteia_position_analyse(game, &options, lines, 2, &count, &analysis) != PETTEIA_OK) return 1;
 *     for (i = 0; i < count; ++i) printf("%u: %.2f\n", (unsigned)lines[i].actions[0], lines[i].estimate.win);
 *     petteia_position_free(game);
 *     return count != 2;
 */

/**
 * How many moves a petteia_line has room for.
 */
#define PETTEIA_LINE_LENGTH 64

/**
 * The options of petteia_position_analyse. The limit that is met first ends the search; without any limit, it searches
 * a million positions.
 */
typedef struct petteia_analysis_options {
  /**
   * The size of this struct, as petteia_analysis_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can end the search, which then returns what it has found. The bounds that it is told are those
   * of the game. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * How many positions are searched at most. On one thread, the result is always the same. Default: 0, for no limit.
   */
  uint64_t node_limit;
  /**
   * How many seconds the search may take. Default: 0, for no limit.
   */
  double time_limit;
  /**
   * How many threads search together. Default: 1; 0 counts as 1, and more than 256 as 256.
   */
  size_t threads;
  /**
   * How many plies are searched at most. On one thread, the result is always the same. Default: 0, for no limit.
   */
  uint32_t depth;
  /**
   * How many of the best moves are asked for. Default: 1; 0 counts as 1.
   */
  uint32_t lines;
} petteia_analysis_options;

/**
 * How a game is likely to end for the player to move: what a position looks like, not what is proved of it. The three
 * probabilities add up to 1.
 */
typedef struct petteia_estimate {
  /**
   * The probability that the player to move wins.
   */
  double win;
  /**
   * The probability of a draw.
   */
  double draw;
  /**
   * The probability that the player to move loses.
   */
  double loss;
  /**
   * The expected disc difference; 0 in games that do not count squares.
   */
  double difference;
  /**
   * 1 if the game counts squares, so that there is a difference; else 0.
   */
  int has_difference;
} petteia_estimate;

/**
 * A move and what is expected to follow.
 */
typedef struct petteia_line {
  /**
   * How the game is likely to end, for the player to move; certain if the value is exact.
   */
  petteia_estimate estimate;
  /**
   * 1 if the value was proved, 0 if there is only the estimate.
   */
  int exact;
  /**
   * The exact value for the player to move, as in petteia_value; 0 if it is not known.
   */
  int32_t value;
  /**
   * How many actions there are, at least one. A longer line is cut.
   */
  uint32_t length;
  /**
   * The principal variation, which begins with the move; 0 after its end.
   */
  uint32_t actions[PETTEIA_LINE_LENGTH];
} petteia_line;

/**
 * How much an analysis has searched.
 */
typedef struct petteia_analysis {
  /**
   * How many positions were searched: fewer than the limit if all is proved before, or known.
   */
  uint64_t nodes;
  /**
   * How many seconds it took.
   */
  double seconds;
  /**
   * How many plies deep all moves were searched.
   */
  uint32_t depth;
} petteia_analysis;

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_analysis_options_init calls
 * it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_analysis_options_defaults(petteia_analysis_options *options, size_t size);

/**
 * Estimates how a game will end, from a look at the position alone.
 *
 * Fails with PETTEIA_UNAVAILABLE if the game is over.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_position_evaluate(const petteia_position *position, petteia_estimate *estimate);

/**
 * Finds the best moves of a position within limits, best first, with estimates of how the game will end after each,
 * or exact values where they can be proved. `options` may be NULL for the defaults. *len is the number of lines found:
 * as many as were asked for, if there are so many moves, and at least one.
 *
 * With at most two pieces on the board, all moves in Quarto are known to draw, as docs/results.md proves: their value
 * is exact, even if nothing was searched. The search only ranks them, by how hard they are to answer, within a tenth
 * of the limits and 26214 positions; the rest would only prove what is known. petteia_solve proves such positions
 * anew.
 *
 * A search that the callback ends early returns PETTEIA_OK too, with what was found. Fails with PETTEIA_UNAVAILABLE if
 * the game is over, PETTEIA_INVALID_ARGUMENT if the time limit is negative or NaN, PETTEIA_NO_MEMORY if there is not
 * enough memory for the transposition table.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_UNAVAILABLE, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_analyse(const petteia_position *position,
                                        const petteia_analysis_options *options,
                                        petteia_line *lines,
                                        size_t cap,
                                        size_t *len,
                                        petteia_analysis *analysis);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_analysis_options_init(petteia_analysis_options *options) {
  return petteia_analysis_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Tree search ----
 *
 * Ownership: the branches are written to the caller's array; nothing is to be freed.
 *
 * Threads: a search only reads the position.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_mcts_options options;
 *     petteia_tree tree;
 *     size_t branches = 0;
 *     if (petteia_position_parse("tictac", "XX_/OO_/___ X", &game) != PETTEIA_OK) return 1;
 *     petteia_mcts_options_init(&options);
 *     options.simulations = 100;
 *     if (petteia_position_mcts(game, &options, NULL, 0, &branches, &tree) != PETTEIA_OK) return 1;
 *     petteia_position_free(game);
 *     return tree.best.action != 2;
 */

/**
 * The options of petteia_position_mcts.
 */
typedef struct petteia_mcts_options {
  /**
   * The size of this struct, as petteia_mcts_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can end the search, which then returns what it has found. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * How many simulations there are, on all threads together, at least 1; fewer if the position is solved before.
   * Default: 1000.
   */
  uint64_t simulations;
  /**
   * How many seconds the search may take. Default: 0, for no limit.
   */
  double time_limit;
  /**
   * The seed of the simulations: the same seed and number of threads give the same result. Default: 0.
   */
  uint64_t seed;
  /**
   * What tells the value of a position at the end of the tree: "playout", a random game, or "estimate", as
   * petteia_position_evaluate gives it. Default: "playout".
   */
  const char *evaluator;
  /**
   * How many threads search, each with a tree of its own; the trees are merged. Default: 1; 0 counts as 1, and more
   * than 256 as 256.
   */
  size_t threads;
} petteia_mcts_options;

/**
 * What a tree search found for one move.
 */
typedef struct petteia_branch {
  /**
   * The action of the move.
   */
  uint32_t action;
  /**
   * 1 if its exact result was proved, else 0.
   */
  int exact;
  /**
   * How often it was visited; the better a move, the more often.
   */
  uint64_t visits;
  /**
   * Its expected result for the player to move, from -1 for a loss to 1 for a win; 0 for a move that was never
   * visited.
   */
  double value;
} petteia_branch;

/**
 * The result of a tree search, except for the branches.
 */
typedef struct petteia_tree {
  /**
   * The best of the branches: one that was proved to win if there is one, else the most visited of those that were
   * not proved to lose, unless a draw is better.
   */
  petteia_branch best;
  /**
   * How many simulations there were.
   */
  uint64_t simulations;
} petteia_tree;

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_mcts_options_init calls it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_mcts_options_defaults(petteia_mcts_options *options, size_t size);

/**
 * Searches for a good move by Monte Carlo tree search: simulations that visit good moves more and more often.
 * `options` may be NULL for the defaults.
 *
 * There is a branch for each legal move, in the order of the actions, and as many as petteia_position_num_actions are
 * always enough; *len is their number. The best one is in `tree` too, so that `branches` may be NULL if `cap` is 0.
 *
 * A search that the callback or the time limit ends early returns PETTEIA_OK too, with what was found. Fails with
 * PETTEIA_UNAVAILABLE if the game is over, PETTEIA_PARSE_ERROR or PETTEIA_NOT_UTF8 if there is no such evaluator,
 * PETTEIA_INVALID_ARGUMENT if there are no simulations, or the time limit is negative or NaN, PETTEIA_NO_MEMORY if
 * there is not enough memory for the tree.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_UNAVAILABLE,
 * PETTEIA_NO_MEMORY.
 */
petteia_status petteia_position_mcts(const petteia_position *position,
                                     const petteia_mcts_options *options,
                                     petteia_branch *branches,
                                     size_t cap,
                                     size_t *len,
                                     petteia_tree *tree);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_mcts_options_init(petteia_mcts_options *options) {
  return petteia_mcts_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Computer players ----
 *
 * Ownership: the caller frees a computer player with petteia_bot_free.
 *
 * Threads: choosing a move changes the player, so only one thread may use a player at a time. The position is only
 * read.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_bot *bot = NULL;
 *     petteia_choice choice;
 *     bool over = false;
 *     if (petteia_position_new("tictac", "", &game) != PETTEIA_OK) return 1;
 *     if (petteia_bot_new("alphabeta:depth=4", 1, &bot) != PETTEIA_OK) return 1;
 *     while (petteia_position_is_over(game, &over) == PETTEIA_OK && !over) {
 *       if (petteia_bot_choose(bot, game, NULL, &choice) != PETTEIA_OK) return 1;
 *       petteia_position_play(game, choice.action);
 *     }
 *     petteia_bot_free(bot);
 *     petteia_position_free(game);
 */

/**
 * A computer player, who remembers what it has searched from move to move of a game.
 */
typedef struct petteia_bot petteia_bot;

/**
 * The options of petteia_bot_choose.
 */
typedef struct petteia_choose_options {
  /**
   * The size of this struct, as petteia_choose_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can make the player move at once. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
} petteia_choose_options;

/**
 * What a computer player chose, and why.
 */
typedef struct petteia_choice {
  /**
   * The action.
   */
  uint32_t action;
  /**
   * 1 if the move is proved to be best, 0 if it is not.
   */
  int exact;
  /**
   * The exact value for the player to move, as in petteia_value; 0 if it is not known.
   */
  int32_t value;
  /**
   * 1 if the player has estimated how the game will end; 0 if it did not look, as the random player.
   */
  int has_estimate;
  /**
   * How the game is likely to end for the player to move; all zeros if the player did not look.
   */
  petteia_estimate estimate;
} petteia_choice;

/**
 * Creates a computer player by its name: "random", "myopic", "mcts:1000" (simulations a move), "perfect:1000000"
 * (nodes a move), "alphabeta:depth=8", "alphabeta:nodes=100000", "alphabeta:time=0.5" (seconds a move), or "level:1"
 * to "level:10". A bare name has a default: "mcts" is "mcts:1000", "perfect" is "perfect:2000000", "alphabeta" is
 * "alphabeta:nodes=100000", "level" is "level:5". The moves that it chooses at random depend on the seed. The caller
 * frees it with petteia_bot_free.
 *
 * A player is for one game: petteia_bot_new makes a fresh one for the next.
 *
 * Fails with PETTEIA_PARSE_ERROR if no player has this name.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR.
 */
petteia_status petteia_bot_new(const char *name, uint64_t seed, petteia_bot **bot);

/**
 * Writes the full name of a computer player, with how much it does for a move.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_bot_name(const petteia_bot *bot, char *buf, size_t cap, size_t *len);

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_choose_options_init calls it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_choose_options_defaults(petteia_choose_options *options, size_t size);

/**
 * Lets a computer player choose a move. `options` may be NULL for the defaults.
 *
 * A player that the callback ends early returns PETTEIA_OK too, with the best move that it has found; it may be any
 * move. Fails with PETTEIA_UNAVAILABLE if the game is over. A call that fails makes the player forget what it searched
 * for earlier moves.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_bot_choose(petteia_bot *bot,
                                  const petteia_position *position,
                                  const petteia_choose_options *options,
                                  petteia_choice *choice);

/**
 * Frees a computer player. NULL is ignored.
 */
void petteia_bot_free(petteia_bot *bot);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_choose_options_init(petteia_choose_options *options) {
  return petteia_choose_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Matches ----
 *
 * Ownership: the score is numbers; nothing is to be freed.
 *
 * Threads: a match only reads the position. Its games are played on the threads of the options.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_match_options options;
 *     petteia_score score;
 *     if (petteia_position_new("tictac", "", &game) != PETTEIA_OK) return 1;
 *     petteia_match_options_init(&options);
 *     options.seed = 7;
 *     if (petteia_match("mcts:100", "random", game, 20, &options, &score) != PETTEIA_OK) return 1;
 *     petteia_position_free(game);
 *     return score.as_first[0] < score.as_first[2];
 */

/**
 * The options of petteia_match.
 */
typedef struct petteia_match_options {
  /**
   * The size of this struct, as petteia_match_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can stop the match. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * The seed of the players' random choices: each game of a seed is always the same, unless a player has a limit of
   * time. Default: 0.
   */
  uint64_t seed;
  /**
   * After how many moves a game is declared a draw. Default: 10000.
   */
  uint64_t max_plies;
  /**
   * How many threads play, each a game of its own; the result does not depend on it. Default: 1; 0 counts as 1, and
   * more than 256 as 256.
   */
  size_t threads;
} petteia_match_options;

/**
 * The result of a match for the first of its players: how many games it won, drew and lost.
 */
typedef struct petteia_score {
  /**
   * Games won, drawn and lost in which it moved first.
   */
  uint64_t as_first[3];
  /**
   * Games won, drawn and lost in which it moved second.
   */
  uint64_t as_second[3];
} petteia_score;

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_match_options_init calls it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_match_options_defaults(petteia_match_options *options, size_t size);

/**
 * Lets two computer players, named as for petteia_bot_new, play `games` games from a position. They take turns moving
 * first, the first player in the first game. `options` may be NULL for the defaults.
 *
 * Fails with PETTEIA_UNAVAILABLE if the game is over at the start, PETTEIA_PARSE_ERROR if no player has such a name,
 * PETTEIA_STOPPED if the callback stopped the match.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_UNAVAILABLE, PETTEIA_STOPPED.
 */
petteia_status petteia_match(const char *first,
                             const char *second,
                             const petteia_position *start,
                             uint64_t games,
                             const petteia_match_options *options,
                             petteia_score *score);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_match_options_init(petteia_match_options *options) {
  return petteia_match_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Self-play ----
 *
 * Ownership: a game belongs to the library, and is there during the call of `receive` only: copy what is to be kept.
 *
 * Threads: the games are played and received on the calling thread.
 *
 * Example:
 *
 *     static bool count_plies(const petteia_played_game *game, void *user) {
 *       *(size_t *)user += game->plies;
 *       return false;
 *     }
 *
 *     petteia_position *game = NULL;
 *     size_t plies = 0;
 *     if (petteia_position_new("quarto", "", &game) != PETTEIA_OK) return 1;
 *     if (petteia_selfplay("random", game, 100, NULL, count_plies, &plies) != PETTEIA_OK) return 1;
 *     petteia_position_free(game);
 *     return plies < 800;
 */

/**
 * The options of petteia_selfplay.
 */
typedef struct petteia_selfplay_options {
  /**
   * The size of this struct, as petteia_selfplay_options_init fills it in.
   */
  size_t size;
  /**
   * A callback that can stop the games. Default: NULL.
   */
  petteia_callback callback;
  /**
   * The pointer to call `callback` with. Default: NULL.
   */
  void *user;
  /**
   * The seed of the player's random choices. Default: 0.
   */
  uint64_t seed;
  /**
   * The number of the first game. Default: 0.
   */
  uint64_t first;
  /**
   * After how many moves a game is cut off. Default: 2^64 - 1, for never.
   */
  uint64_t max_plies;
} petteia_selfplay_options;

/**
 * A game that a computer player has played against itself.
 */
typedef struct petteia_played_game {
  /**
   * Its number.
   */
  uint64_t number;
  /**
   * How many moves it has.
   */
  size_t plies;
  /**
   * The actions of the moves.
   */
  const uint32_t *actions;
  /**
   * What the player expected before each move, for whoever moves there, from -1 for a loss to 1 for a win; NULL if
   * the player does not search.
   */
  const float *values;
  /**
   * The result; PETTEIA_IN_PROGRESS if the game was cut off.
   */
  petteia_outcome outcome;
} petteia_played_game;

/**
 * A callback that receives one game after another, with the `user` pointer given along with it. The game is valid only
 * during the call. Returning true stops the games. It must return (no longjmp, no exception).
 */
typedef bool (*petteia_game_callback)(const petteia_played_game *game, void *user);

/**
 * Fills options with the defaults, given the size of the struct in the program: petteia_selfplay_options_init calls
 * it.
 * Fails with PETTEIA_INVALID_ARGUMENT if no version of the struct has this size.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_selfplay_options_defaults(petteia_selfplay_options *options, size_t size);

/**
 * Lets a computer player, named as for petteia_bot_new, play `games` games against itself, and hands each to
 * `receive`, in the order of their numbers, on the thread of the call. `options` may be NULL for the defaults.
 *
 * The games of a seed are numbered, and each is always the same, unless the player has a limit of time: threads of the
 * program can divide a range. The games of "random" are those of petteia_position_playouts.
 *
 * Fails with PETTEIA_STOPPED if a callback stopped the games, PETTEIA_NO_MEMORY if there is not enough memory; those
 * that `receive` got until then are whole. Fails with PETTEIA_UNAVAILABLE if the game is over at the start,
 * PETTEIA_PARSE_ERROR if no player has this name, PETTEIA_INVALID_ARGUMENT if the sum of `first` and `games` is above
 * 2^64 - 1.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_UNAVAILABLE,
 * PETTEIA_STOPPED, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_selfplay(const char *player,
                                const petteia_position *start,
                                uint64_t games,
                                const petteia_selfplay_options *options,
                                petteia_game_callback receive,
                                void *user);

/**
 * Fills options with the defaults.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
static inline petteia_status petteia_selfplay_options_init(petteia_selfplay_options *options) {
  return petteia_selfplay_options_defaults(options, sizeof *options);
}

/* ---------------------------------------------------------------- Records of any game ----
 *
 * A record is a game in one line of text: its name, its parameters, a colon and the moves, separated by single spaces,
 * such as "reversi 8 8: d4 e4 e5 d5 e3". If it does not start where the game does, "from" and the text of its first
 * position come before the colon: "tictac X from ___/_X_/___ O: C2". Headers, such as [first "Ada"], may come first;
 * these functions check them and leave them out. A newline at the end is no part of a record.
 *
 * Ownership: a position made from a record belongs to the caller, who frees it with petteia_position_free.
 *
 * Threads: these functions keep nothing, and may be called by any number of threads at once.
 *
 * Example:
 *
 *     petteia_position *last = NULL;
 *     petteia_outcome outcome = PETTEIA_IN_PROGRESS;
 *     if (petteia_record_last("tictac X: B2 C2 C3 A1 B3 A3 B1", &last) != PETTEIA_OK) return 1;
 *     petteia_position_outcome(last, &outcome);
 *     petteia_position_free(last);
 *     return outcome != PETTEIA_FIRST_WINS;
 */

/**
 * Creates the position that a record starts from. The caller frees it with petteia_position_free.
 *
 * This and the next two functions check the whole record. They fail with PETTEIA_PARSE_ERROR if the text is not a
 * record, PETTEIA_ILLEGAL_MOVE if a move is illegal, PETTEIA_NO_MEMORY if there is not enough memory for the board.
 * petteia_last_error names the ply of a bad move.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_ILLEGAL_MOVE, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_record_start(const char *line, petteia_position **start);

/**
 * Creates the position after the last move of a record. The caller frees it with petteia_position_free. Fails like
 * petteia_record_start.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_ILLEGAL_MOVE, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_record_last(const char *line, petteia_position **last);

/**
 * Writes the actions of a record's moves. Fails like petteia_record_start.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_ILLEGAL_MOVE, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_record_actions(const char *line, uint32_t *actions, size_t cap, size_t *len);

/**
 * Writes the record of a game: `count` actions, played from `start`, which may be any position. `actions` may be NULL
 * if `count` is 0.
 *
 * Fails with PETTEIA_ILLEGAL_MOVE if a move is illegal; petteia_last_error then names the ply.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_ILLEGAL_MOVE.
 */
petteia_status petteia_record_format(const petteia_position *start,
                                     const uint32_t *actions,
                                     size_t count,
                                     char *buf,
                                     size_t cap,
                                     size_t *len);

/* ---------------------------------------------------------------- Many games at once ----
 *
 * A vector has many lanes. Each lane is a game with its own random numbers, and a step plays one move in every lane.
 * The state of the lanes is written to the caller's arrays, lane after lane; observations and masks have one byte, 0
 * or 1, per element. docs/vector.md draws them.
 *
 * Lanes reset themselves (autoreset). A lane whose game has ended shows the last position, the rewards and no legal
 * actions. The next step ignores its action and starts a new game in it.
 *
 * Ownership: the caller frees a vector with petteia_vector_free, and allocates the arrays, which must not overlap. The
 * vector keeps no pointer to them.
 *
 * Threads: a vector has threads of its own, which work only during a call. Only one thread may use a vector at a time.
 *
 * Example:
 *
 *     petteia_position *start = NULL;
 *     petteia_vector *vector = NULL;
 *     uint8_t observations[10 * 2 * 9], mask[10 * 9], over[10];
 *     int8_t turns[10];
 *     float rewards[10 * 2];
 *     petteia_vector_arrays arrays = {observations, mask, turns, rewards, over};
 *     petteia_tally tally = {0, 0, 0, 0};
 *     if (petteia_position_new("tictac", "X", &start) != PETTEIA_OK) return 1;
 *     if (petteia_vector_new(start, 10, 1, 1, PETTEIA_REFUSE, &vector) == PETTEIA_OK) {
 *       petteia_vector_rollout(vector, 1000, &arrays, &tally);
 *     }
 *     petteia_vector_free(vector);
 *     petteia_position_free(start);
 *     return tally.first_wins + tally.second_wins + tally.draws == 0;
 */

/**
 * What an illegal action does.
 */
typedef enum petteia_illegal {
  /**
   * The call fails with PETTEIA_ILLEGAL_MOVE, and no lane is stepped.
   */
  PETTEIA_REFUSE = 0,
  /**
   * The player to move loses the game.
   */
  PETTEIA_LOSE = 1,
} petteia_illegal;

/**
 * Many games with the same start, stepped together.
 */
typedef struct petteia_vector petteia_vector;

/**
 * The sizes that determine the lengths of the arrays.
 */
typedef struct petteia_vector_sizes {
  /**
   * The number of lanes.
   */
  size_t num_envs;
  /**
   * The number of planes in an observation.
   */
  size_t planes;
  /**
   * The number of rows in a plane.
   */
  size_t rows;
  /**
   * The number of columns in a plane.
   */
  size_t columns;
  /**
   * The number of actions in the game.
   */
  size_t num_actions;
} petteia_vector_sizes;

/**
 * The caller's arrays for the state of the lanes, lane after lane. None of them may be NULL. Unlike other results, they
 * may have been written to by a call that fails with PETTEIA_NO_MEMORY, as calls on large boards may.
 */
typedef struct petteia_vector_arrays {
  /**
   * 1 or 0 for every cell of every plane, from the point of view of the player to move: planes * rows * columns per
   * lane.
   */
  uint8_t *observations;
  /**
   * 1 for a legal action, else 0: num_actions per lane.
   */
  uint8_t *action_mask;
  /**
   * The player to move, 0 or 1, or -1 if the game is over: one per lane.
   */
  int8_t *turns;
  /**
   * The rewards of the first and the second player, 1 for the winner and -1 for the loser, else 0: two per lane.
   */
  float *rewards;
  /**
   * 1 if the game is over, else 0: one per lane.
   */
  uint8_t *terminated;
} petteia_vector_arrays;

/**
 * Creates a vector of games that start from a position. The caller frees it with petteia_vector_free.
 *
 * Each lane has its own random numbers. Results depend on the seed and the actions, not on the number of threads, of
 * which more than 256 count as 256.
 *
 * Fails with PETTEIA_INVALID_ARGUMENT for 0 or more than 2^30 lanes, 0 threads, or an `illegal` that does not exist;
 * PETTEIA_NO_MEMORY if there is not enough memory for the lanes.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_vector_new(const petteia_position *start,
                                  size_t num_envs,
                                  uint64_t seed,
                                  uint32_t threads,
                                  petteia_illegal illegal,
                                  petteia_vector **vector);

/**
 * Frees a vector. NULL is ignored.
 */
void petteia_vector_free(petteia_vector *vector);

/**
 * Writes the sizes that determine the lengths of the arrays.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_get_sizes(const petteia_vector *vector, petteia_vector_sizes *sizes);

/**
 * Reseeds the random numbers of all lanes.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_seed(petteia_vector *vector, uint64_t seed);

/**
 * Starts new games in all lanes, and writes their state. The random numbers continue where they were.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_reset(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Writes the state of all lanes, for example after petteia_vector_set_position.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_show(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Plays one action in each lane, and writes the state of all lanes. In a lane whose game is over, a new game starts
 * instead, whatever the action.
 *
 * Fails with PETTEIA_ILLEGAL_MOVE if an action is not legal and the vector was created with PETTEIA_REFUSE. Then no
 * lane is stepped, nothing is written, and petteia_last_error names the first such lane.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_ILLEGAL_MOVE.
 */
petteia_status petteia_vector_step(petteia_vector *vector, const int64_t *actions, const petteia_vector_arrays *arrays);

/**
 * Writes a uniformly random legal action for each lane, or 0 if the game is over.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_random_actions(petteia_vector *vector, int64_t *actions);

/**
 * Steps all lanes `steps` times with random actions, writes their state at the end, and counts the results of the
 * games that ended. The same as petteia_vector_random_actions and petteia_vector_step in a loop, but faster.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_vector_rollout(petteia_vector *vector,
                                      uint64_t steps,
                                      const petteia_vector_arrays *arrays,
                                      petteia_tally *tally);

/**
 * Creates a copy of a lane's position. The caller frees it with petteia_position_free. Fails with
 * PETTEIA_INVALID_ARGUMENT if there is no such lane.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_vector_position(const petteia_vector *vector, size_t lane, petteia_position **position);

/**
 * Copies a position, finished or not, into a lane. The lane's random numbers continue where they were. Fails with
 * PETTEIA_INVALID_ARGUMENT if there is no such lane, PETTEIA_WRONG_GAME if the position is of another game or has
 * other parameters.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_vector_set_position(petteia_vector *vector, size_t lane, const petteia_position *position);

/* ---------------------------------------------------------------- TicTac ----
 *
 * The document is a lab of a C++ course: a move parser and an evaluator of game records.
 *
 * Ownership: the caller frees a position with petteia_position_free, an evaluator with petteia_tictac_evaluator_free.
 *
 * Threads: only one thread may use an evaluator at a time, unless all only ask it.
 *
 * Example:
 *
 *     const char *record = "1 X B2\n2 O C2 # oops\n";
 *     petteia_tictac_verdict verdict;
 *     char line[40];
 *     size_t length;
 *     if (petteia_tictac_evaluate(record, strlen(record), &verdict) != PETTEIA_OK) return 1;
 *     petteia_tictac_verdict_line(verdict, line, sizeof line, &length);
 *     puts(line);
 *     return verdict != PETTEIA_TICTAC_X_TURN;
 */

/**
 * The evaluator's verdict on a game record.
 */
typedef enum petteia_tictac_verdict {
  /**
   * No move has been made.
   */
  PETTEIA_TICTAC_NEW_GAME = 0,
  /**
   * The game goes on, and X is to move.
   */
  PETTEIA_TICTAC_X_TURN = 1,
  /**
   * The game goes on, and O is to move.
   */
  PETTEIA_TICTAC_O_TURN = 2,
  /**
   * X has won.
   */
  PETTEIA_TICTAC_X_WINS = 3,
  /**
   * O has won.
   */
  PETTEIA_TICTAC_O_WINS = 4,
  /**
   * All squares are claimed, and nobody has won.
   */
  PETTEIA_TICTAC_DRAW = 5,
  /**
   * A line is not a move.
   */
  PETTEIA_TICTAC_PARSE_ERROR = 6,
  /**
   * A move is against the rules.
   */
  PETTEIA_TICTAC_INVALID_MOVE = 7,
} petteia_tictac_verdict;

/**
 * A player's mark.
 */
typedef enum petteia_tictac_mark {
  PETTEIA_TICTAC_X = 0,
  PETTEIA_TICTAC_O = 1,
} petteia_tictac_mark;

/**
 * An evaluator for a game record that arrives in pieces.
 */
typedef struct petteia_tictac_evaluator petteia_tictac_evaluator;

/**
 * A line of a game record, such as "2 O C2".
 */
typedef struct petteia_tictac_move {
  /**
   * The number of the move, 1 to 9.
   */
  unsigned int number;
  /**
   * The player who moves.
   */
  petteia_tictac_mark player;
  /**
   * The claimed square, row by row from 0 for A1 to 8 for C3.
   */
  unsigned int square;
} petteia_tictac_move;

/**
 * Creates the empty grid, with the given player to move. The caller frees it with petteia_position_free.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_tictac_new(petteia_tictac_mark first, petteia_position **position);

/**
 * Writes who has claimed a square, from 0 for A1 to 8 for C3. PETTEIA_FIRST is the player who moved first.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_tictac_get(const petteia_position *position, unsigned int square, petteia_player *owner);

/**
 * Parses one line of a game record, of `size` bytes, with or without its newline. A comment may contain any bytes.
 * `line` may be NULL if `size` is 0. Fails with PETTEIA_PARSE_ERROR if the line does not follow the document's
 * format.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_PARSE_ERROR.
 */
petteia_status petteia_tictac_parse_move(const char *line, size_t size, petteia_tictac_move *move);

/**
 * Writes a move as a line of a game record, such as "2 O C2", without a newline. Fails with PETTEIA_INVALID_ARGUMENT
 * if there is no such move.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_tictac_format_move(const petteia_tictac_move *move, char *buf, size_t cap, size_t *len);

/**
 * Evaluates a whole game record of `size` bytes, like the document's evaluator. `record` may be NULL if `size` is 0.
 * For an invalid record, the call succeeds and the verdict says so.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_tictac_evaluate(const char *record, size_t size, petteia_tictac_verdict *verdict);

/**
 * Writes the line that the document's evaluator prints for a verdict, such as "Game over: X wins.", without newline.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_tictac_verdict_line(petteia_tictac_verdict verdict, char *buf, size_t cap, size_t *len);

/**
 * Writes the exit status of the document's evaluator for a verdict: 1 for a parse error, 2 for an invalid move, else
 * 0.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_tictac_exit_code(petteia_tictac_verdict verdict, int *exit_code);

/**
 * Creates an evaluator for a game record that arrives in pieces. It uses constant memory. The caller frees it
 * with petteia_tictac_evaluator_free.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_tictac_evaluator_new(petteia_tictac_evaluator **evaluator);

/**
 * Frees an evaluator. NULL is ignored.
 */
void petteia_tictac_evaluator_free(petteia_tictac_evaluator *evaluator);

/**
 * Feeds an evaluator the next `size` bytes of its record, which may be split anywhere. `bytes` may be NULL if `size`
 * is 0.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_tictac_evaluator_push(petteia_tictac_evaluator *evaluator, const char *bytes, size_t size);

/**
 * Writes whether an error has been found. The rest of the record cannot change the verdict then.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_tictac_evaluator_is_decided(const petteia_tictac_evaluator *evaluator, bool *is_decided);

/**
 * Writes the verdict on the record so far. More of it may follow.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_tictac_evaluator_verdict(const petteia_tictac_evaluator *evaluator,
                                                petteia_tictac_verdict *verdict);

/* ---------------------------------------------------------------- Breakdown ----
 *
 * The document is an assignment of a C course; its functions are declared in breakdown.h.
 *
 * In notation, columns are labelled 0 to 9, A to Z and a to z, and from 62 on by their decimal numbers. In drawings,
 * rows and columns from 62 on are labelled ?, as the document says; petteia_position_svg writes their numbers.
 *
 * Ownership and threads: as for positions of any game.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_player owner = PETTEIA_NOBODY;
 *     if (petteia_breakdown_new(4, 5, 2, 2, &game) != PETTEIA_OK) return 1;
 *     petteia_position_play_notation(game, "|0");
 *     petteia_breakdown_get(game, 4, 0, &owner);
 *     petteia_position_free(game);
 *     return owner != PETTEIA_FIRST;
 */

/**
 * Creates an empty board with the given size, stick length and side of a winning square. The caller frees it with
 * petteia_position_free.
 *
 * Fails with PETTEIA_INVALID_ARGUMENT if one of the numbers is 0 or the board has more than 2^28 cells,
 * PETTEIA_NO_MEMORY if there is not enough memory for it.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_NO_MEMORY.
 */
petteia_status petteia_breakdown_new(unsigned int width,
                                     unsigned int height,
                                     unsigned int stick,
                                     unsigned int square,
                                     petteia_position **position);

/**
 * Writes the owner of the cell in a row and column, counted from 0 at the top left: PETTEIA_FIRST is black,
 * PETTEIA_SECOND white, PETTEIA_NOBODY empty. Fails with PETTEIA_INVALID_ARGUMENT if the cell is off the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_breakdown_get(const petteia_position *position,
                                     unsigned int row,
                                     unsigned int column,
                                     petteia_player *owner);

/* ---------------------------------------------------------------- Reversi ----
 *
 * The document is a homework assignment of a C++ course.
 *
 * A set of squares is a uint64_t. On a board of any size, the square in column x and row y is bit 8 * y + x. The
 * operators | & ^ ~ are union, intersection, symmetric difference and complement, the last on the 8 by 8 board.
 *
 * Ownership and threads: as for positions of any game; a set is a number.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     uint64_t legal = 0, gained = 0;
 *     if (petteia_reversi_new(8, 8, &game) != PETTEIA_OK) return 1;
 *     petteia_reversi_legal(game, &legal);
 *     petteia_reversi_find_move(game, 3, 3, &gained);
 *     petteia_position_free(game);
 *     return (legal & PETTEIA_REVERSI_SQUARE(3, 3)) == 0 || gained != PETTEIA_REVERSI_SQUARE(3, 3);
 */

/* The set with one square. */
#define PETTEIA_REVERSI_SQUARE(x, y) (UINT64_C(1) << (8 * (y) + (x)))

/**
 * A square: column x and row y, counted from 0 at the top left.
 */
typedef struct petteia_reversi_square {
  /**
   * The column.
   */
  unsigned int x;
  /**
   * The row.
   */
  unsigned int y;
} petteia_reversi_square;

/**
 * Creates an empty board, 2 to 8 squares wide and high. The caller frees it with petteia_position_free.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_reversi_new(unsigned int width, unsigned int height, petteia_position **position);

/**
 * Creates the position with the given tiles and player to move, PETTEIA_NOBODY for a finished game. The caller frees
 * it with petteia_position_free.
 *
 * Fails with PETTEIA_INVALID_ARGUMENT if the sets overlap or reach off the board, or if the position is easily seen
 * to be unreachable.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_reversi_from_tiles(unsigned int width,
                                          unsigned int height,
                                          uint64_t dark,
                                          uint64_t light,
                                          petteia_player turn,
                                          petteia_position **position);

/**
 * Writes the width and height of a position's board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_size(const petteia_position *position, unsigned int *width, unsigned int *height);

/**
 * Writes who has a tile on a square: PETTEIA_FIRST is dark, PETTEIA_SECOND light, PETTEIA_NOBODY no tile. Fails with
 * PETTEIA_INVALID_ARGUMENT if the square is off the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_get(const petteia_position *position,
                                   unsigned int x,
                                   unsigned int y,
                                   petteia_player *owner);

/**
 * Writes the set of squares with a player's tiles, or of empty squares for PETTEIA_NOBODY.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_tiles(const petteia_position *position, petteia_player player, uint64_t *set);

/**
 * Writes the number of a player's tiles, or of empty squares for PETTEIA_NOBODY.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_count(const petteia_position *position, petteia_player player, unsigned int *count);

/**
 * Writes the set of squares where the player to move may play.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_legal(const petteia_position *position, uint64_t *set);

/**
 * Writes the set of squares that a move would gain: the played one and those of the tiles it would flip. The set is
 * empty (0) if the move is not legal or the square is off the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_find_move(const petteia_position *position,
                                         unsigned int x,
                                         unsigned int y,
                                         uint64_t *gained);

/**
 * Plays on a square. Fails with PETTEIA_ILLEGAL_MOVE if the move is not legal or the square is off the board; the
 * position is then unchanged.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_ILLEGAL_MOVE, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_reversi_play_move(petteia_position *position, unsigned int x, unsigned int y);

/**
 * Returns the set of squares where a player can flip tiles of the opponent, given both players' tiles on a board of
 * the given size; no handle is needed. These are the legal moves once the four centre squares are occupied. If there
 * are none, and none for the opponent either, the game is over.
 *
 * The set is empty (0) too if the sets overlap or reach off the board, or if a side is not from 2 to 8.
 */
uint64_t petteia_reversi_moves(uint64_t own, uint64_t opponent, uint32_t width, uint32_t height);

/**
 * Returns the set of the opponent's tiles that a tile on a square would flip, given both players' tiles; the square in
 * column x and row y is 8 * y + x. It is the same on boards of any size.
 *
 * The set is empty (0) too if the square is occupied or not below 64, or if the sets overlap.
 */
uint64_t petteia_reversi_flips(uint32_t square, uint64_t own, uint64_t opponent);

/**
 * Writes the set of all squares of a board, 2 to 8 squares wide and high.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_reversi_all_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the set of the four centre squares of a board, where the opening phase is played.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_reversi_center_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the squares of a set, ordered by x, then by y.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_reversi_set_squares(uint64_t set, petteia_reversi_square *squares, size_t cap, size_t *len);

/**
 * Writes a set as the document prints it: "{{0, 7}, {2, 3}}", ordered by x, then by y.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_reversi_set_text(uint64_t set, char *buf, size_t cap, size_t *len);

/**
 * Writes a move and its gains as the document prints them: "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}". Fails with
 * PETTEIA_INVALID_ARGUMENT if x or y is above 7.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_reversi_move_text(unsigned int x,
                                         unsigned int y,
                                         uint64_t gained,
                                         char *buf,
                                         size_t cap,
                                         size_t *len);

/* ---------------------------------------------------------------- Quarto ----
 *
 * The document is a project of a C++ course.
 *
 * A piece is a number from 0 to 15: 8 * height + 4 * color + 2 * shape + top. A square is a number from 0 to 15:
 * 4 * row + column, from 0 for A1 to 15 for D4.
 *
 * Ownership: the caller frees a position with petteia_position_free, a myopic player with petteia_quarto_myopic_free.
 *
 * Threads: choosing changes a myopic player's random numbers, so only one thread may use a player at a time.
 *
 * Example:
 *
 *     petteia_position *game = NULL;
 *     petteia_quarto_myopic *player = NULL;
 *     unsigned int piece, square;
 *     char name[3];
 *     size_t length;
 *     if (petteia_quarto_new(&game) != PETTEIA_OK) return 1;
 *     if (petteia_quarto_myopic_new(2019, &player) != PETTEIA_OK) return 1;
 *     if (petteia_quarto_myopic_select_piece(player, game, &piece) != PETTEIA_OK) return 1;
 *     if (petteia_quarto_myopic_select_square(player, game, piece, &square) != PETTEIA_OK) return 1;
 *     petteia_quarto_square_name(square, name, sizeof name, &length);
 *     puts(name);
 *     petteia_quarto_myopic_free(player);
 *     petteia_position_free(game);
 */

/**
 * The height of a piece: S or T in its code.
 */
typedef enum petteia_quarto_height {
  PETTEIA_QUARTO_SHORT = 0,
  PETTEIA_QUARTO_TALL = 1,
} petteia_quarto_height;

/**
 * The colour of a piece: B or E in its code.
 */
typedef enum petteia_quarto_color {
  PETTEIA_QUARTO_BEIGE = 0,
  PETTEIA_QUARTO_SEPIA = 1,
} petteia_quarto_color;

/**
 * The shape of a piece: C or Q in its code.
 */
typedef enum petteia_quarto_shape {
  PETTEIA_QUARTO_CIRCLE = 0,
  PETTEIA_QUARTO_SQUARE = 1,
} petteia_quarto_shape;

/**
 * The top of a piece: H or O in its code.
 */
typedef enum petteia_quarto_top {
  PETTEIA_QUARTO_HOLLOW = 0,
  PETTEIA_QUARTO_SOLID = 1,
} petteia_quarto_top;

/**
 * The document's myopic player. It takes a win in one move, avoids giving one away, and otherwise plays at random. On
 * every machine, its random numbers are those of the GNU C library's srand and rand.
 */
typedef struct petteia_quarto_myopic petteia_quarto_myopic;

/**
 * Creates the empty board, with player 1 to select a piece. The caller frees it with petteia_position_free.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_quarto_new(petteia_position **position);

/**
 * Writes the number of the piece with the given attributes.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_quarto_piece(petteia_quarto_height height,
                                    petteia_quarto_color color,
                                    petteia_quarto_shape shape,
                                    petteia_quarto_top top,
                                    unsigned int *piece);

/**
 * Writes the code of a piece, such as "SBCH".
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_quarto_piece_code(unsigned int piece, char *buf, size_t cap, size_t *len);

/**
 * Writes the number of the piece with a code, used or not. Fails with PETTEIA_PARSE_ERROR if there is none.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR.
 */
petteia_status petteia_quarto_parse_piece(const char *code, unsigned int *piece);

/**
 * Writes the name of a square, such as "B2".
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_quarto_square_name(unsigned int square, char *buf, size_t cap, size_t *len);

/**
 * Writes the number of the square with a name, empty or not. Fails with PETTEIA_PARSE_ERROR if there is none.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR.
 */
petteia_status petteia_quarto_parse_square(const char *name, unsigned int *square);

/**
 * Writes whether a square is on the diagonal from top left to bottom right.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_quarto_is_on_first_diagonal(unsigned int square, bool *is_on_it);

/**
 * Writes whether a square is on the diagonal from top right to bottom left.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT.
 */
petteia_status petteia_quarto_is_on_second_diagonal(unsigned int square, bool *is_on_it);

/**
 * Writes the piece with a code if it has not been placed. Fails with PETTEIA_UNAVAILABLE if it has
 * ("SBCH is already used."), PETTEIA_PARSE_ERROR if there is no such piece ("ABCD is an invalid input.").
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_unused_piece(const petteia_position *position, const char *code, unsigned int *piece);

/**
 * Writes the square with a name if it is empty. Fails with PETTEIA_UNAVAILABLE if it is not ("B2 is not empty."),
 * PETTEIA_PARSE_ERROR if there is no such square ("C5D is an invalid input.").
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_NOT_UTF8, PETTEIA_PARSE_ERROR, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_empty_square(const petteia_position *position, const char *name, unsigned int *square);

/**
 * Writes the piece on a square. Fails with PETTEIA_UNAVAILABLE if there is none ("A1 is empty.").
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_get(const petteia_position *position, unsigned int square, unsigned int *piece);

/**
 * Writes the selected piece, which is to be placed. Fails with PETTEIA_UNAVAILABLE if there is none.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_hand(const petteia_position *position, unsigned int *piece);

/**
 * Writes the set of pieces not yet placed, including a selected one, bit i for piece i.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_unused_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the set of empty squares, bit i for square i.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_empty_squares(const petteia_position *position, uint16_t *squares);

/**
 * Writes whether a piece on a square completes a line with a common attribute. The piece may already be there.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_is_winning(const petteia_position *position,
                                         unsigned int piece,
                                         unsigned int square,
                                         bool *is_winning);

/**
 * Writes the set of empty squares on which a piece would win at once, bit i for square i. It is empty if the game is
 * over.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_winning_squares(const petteia_position *position, unsigned int piece, uint16_t *squares);

/**
 * Writes the set of unselected pieces with which the opponent could win at once, bit i for piece i.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_bad_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the pool as the document draws it: three lines with the unused pieces, or nothing if all are used.
 * petteia_position_drawing draws the board.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME.
 */
petteia_status petteia_quarto_pool_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Creates a myopic player, with the random numbers of srand(seed). The caller frees it with
 * petteia_quarto_myopic_free.
 *
 * Errors: PETTEIA_NULL_POINTER.
 */
petteia_status petteia_quarto_myopic_new(unsigned int seed, petteia_quarto_myopic **player);

/**
 * Frees a myopic player. NULL is ignored.
 */
void petteia_quarto_myopic_free(petteia_quarto_myopic *player);

/**
 * Lets a myopic player choose an unused piece for the opponent, if possible one that does not win at once. The
 * position is unchanged. Fails with PETTEIA_UNAVAILABLE if no piece is left.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_myopic_select_piece(petteia_quarto_myopic *player,
                                                  const petteia_position *position,
                                                  unsigned int *piece);

/**
 * Lets a myopic player choose an empty square for a piece: the first on which it wins, else a random one. The
 * position is unchanged. Fails with PETTEIA_UNAVAILABLE if no square is empty.
 *
 * Errors: PETTEIA_NULL_POINTER, PETTEIA_INVALID_ARGUMENT, PETTEIA_WRONG_GAME, PETTEIA_UNAVAILABLE.
 */
petteia_status petteia_quarto_myopic_select_square(petteia_quarto_myopic *player,
                                                   const petteia_position *position,
                                                   unsigned int piece,
                                                   unsigned int *square);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PETTEIA_H */
