/*
 * petteia.h: two-player board games in C. petteia_game lists them.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. breakdown.h declares the C functions of the
 * course that Breakdown comes from; both headers can be included together in any order.
 *
 *     petteia_position *game = NULL;
 *     if (petteia_position_new("reversi", "8 8", &game) != PETTEIA_OK) { ... }
 *     petteia_position_play_notation(game, "d4");
 *     petteia_position_free(game);
 *
 * Every game follows a document, an assignment of a programming course that asks for it. What only one document has is
 * declared in that game's section below.
 *
 * Conventions that every function here keeps:
 *
 * - A function that can fail returns a petteia_status. It writes its results through its last parameters, and only if
 *   it returns PETTEIA_OK. petteia_last_error tells in full what went wrong.
 * - What a function "makes" belongs to the caller, who frees it once, from any thread, with the function that the
 *   comment names. Freeing NULL does nothing. All else is borrowed for the duration of the call: the library keeps no
 *   pointer that it is given.
 * - A text result takes three parameters (buf, cap, len). *len becomes the length of the whole text without its NUL. At
 *   most cap - 1 bytes and a NUL are written to buf. A text that is cut off is PETTEIA_OK too: *len >= cap tells. To
 *   ask for the length alone, pass a cap of 0; buf may then be NULL. Array results work in the same way, but without a
 *   NUL: *len becomes the number of all elements, and at most cap of them are written.
 * - Texts are UTF-8 and end in a NUL. TicTac's game records are an exception: they are bytes with a size.
 * - A NULL pointer is an error unless its comment allows it, and so is an enum value that does not exist. A pointer
 *   that is neither NULL nor valid is undefined behaviour, as everywhere in C.
 * - The library throws no exception. A bug in it is PETTEIA_PANIC.
 * - Any number of threads may use the library at once, each with its own objects. Two threads may use the same object
 *   at the same time only if both take it as const.
 */

#ifndef PETTEIA_H
#define PETTEIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header; petteia_version() returns that of the library. */
#define PETTEIA_VERSION "0.1.0"
#define PETTEIA_VERSION_MAJOR 0
#define PETTEIA_VERSION_MINOR 1
#define PETTEIA_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- Status, errors, version ---- */

/**
 * How a call ended. Every function that can fail returns one of these.
 */
typedef enum petteia_status {
  /**
   * Success.
   */
  PETTEIA_OK = 0,
  /**
   * A pointer is NULL that must not be.
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
   * A move is against the rules. The position has not changed.
   */
  PETTEIA_ILLEGAL_MOVE = 5,
  /**
   * The position is of another game than the call is for, or has other parameters.
   */
  PETTEIA_WRONG_GAME = 6,
  /**
   * A piece is already used, a square is empty or occupied, the game is over, or nothing is left to choose from.
   */
  PETTEIA_UNAVAILABLE = 7,
  /**
   * A bug in petteia. The objects that the call was given may be freed, but should not be used any more.
   */
  PETTEIA_PANIC = 8,
  /**
   * The caller's own function stopped the call.
   */
  PETTEIA_STOPPED = 9,
  /**
   * There is no memory for what was asked.
   */
  PETTEIA_NO_MEMORY = 10,
} petteia_status;

/**
 * A function that breakdown.h calls with the message of an error, which is valid during the call only, and with the
 * pointer that was set with it.
 */
typedef void (*petteia_error_handler)(const char *message, void *user);

/**
 * Returns a short text for a status, or "unknown status" for any other number. The text is a constant that lives as
 * long as the program.
 */
const char *petteia_status_message(petteia_status status);

/**
 * Writes what went wrong in the last call that failed in this thread: the offending argument, quoted, and what was
 * expected instead.
 *
 * The text is empty before the first failure. Calls that succeed leave it as it is, and so does this one even when it
 * fails.
 */
petteia_status petteia_last_error(char *buf, size_t cap, size_t *len);

/**
 * Returns the version of the library in use, such as "1.2.3": a constant that lives as long as the program.
 * PETTEIA_VERSION is the version that the program was compiled with.
 */
const char *petteia_version(void);

/**
 * Sets what the functions of breakdown.h do about an error, for the whole process.
 *
 * They return no status. Without a handler they print a message to stderr and call exit(1). With a handler they call
 * it with the message and `user`, change nothing, and return NULL, 0, EMPTY or IN_PROGRESS. A NULL handler restores
 * exit(1).
 *
 * The handler must return (no longjmp, no exception). It may be called on any thread that uses breakdown.h, and may
 * use the library itself. The library does nothing with `user` but pass it on.
 */
void petteia_set_error_handler(petteia_error_handler handler, void *user);

/* ---------------------------------------------------------------- Games and their parameters ---- */

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
 * A parameter of a game, such as the width of its board. The texts are constants that live as long as the program.
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
   * NULL if the values are numbers. If they are words: the words of the values 0 to `most`, then NULL.
   */
  const char *const *words;
} petteia_parameter;

/**
 * Returns how many games there are. They are numbered from 0.
 */
size_t petteia_game_count(void);

/**
 * Writes the name of a game, such as "reversi".
 */
petteia_status petteia_game_name(petteia_game game, char *buf, size_t cap, size_t *len);

/**
 * Writes the game with a name, such as "reversi". PETTEIA_PARSE_ERROR if there is none.
 */
petteia_status petteia_game_from_name(const char *name, petteia_game *game);

/**
 * Writes how many parameters a game has.
 *
 * Loops over the parameters end by this count: ending when petteia_game_parameter fails would overwrite the last
 * error.
 */
petteia_status petteia_game_parameter_count(petteia_game game, size_t *count);

/**
 * Writes one of a game's parameters, counted from 0 in the order in which petteia_position_new and records have them.
 * PETTEIA_INVALID_ARGUMENT for an index that is not below petteia_game_parameter_count.
 */
petteia_status petteia_game_parameter(petteia_game game, size_t index, petteia_parameter *parameter);

/* ---------------------------------------------------------------- Positions of any game ---- */

/**
 * A player. petteia_position_player_name tells what a game calls the two, such as "dark" and "light".
 */
typedef enum petteia_player {
  /**
   * The player who makes the first move of the game.
   */
  PETTEIA_FIRST = 0,
  /**
   * The other player.
   */
  PETTEIA_SECOND = 1,
  /**
   * Neither: the turn of a finished game, the owner of an empty square.
   */
  PETTEIA_NOBODY = 2,
} petteia_player;

/**
 * The result of a game, PETTEIA_IN_PROGRESS until it is over.
 */
typedef enum petteia_outcome {
  PETTEIA_FIRST_WINS = 0,
  PETTEIA_SECOND_WINS = 1,
  PETTEIA_DRAW = 2,
  PETTEIA_IN_PROGRESS = 3,
} petteia_outcome;

/**
 * A position of a game: the board and whose turn it is, without the moves that led to it.
 */
typedef struct petteia_position petteia_position;

/**
 * The results of some games, counted.
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
   * Games that nobody won.
   */
  uint64_t draws;
  /**
   * Moves played in all games together.
   */
  uint64_t plies;
} petteia_tally;

/**
 * Makes the position that a game starts from. The caller frees it with petteia_position_free.
 *
 * `game` is the game's name. `parameters` are the values of its parameters, separated by single spaces, such as "8 8"
 * for the width and the height of "reversi". An empty text stands for the defaults. petteia_game_parameter tells which
 * parameters a game has. Each game also has a function that takes them as numbers, such as petteia_reversi_new.
 *
 * PETTEIA_PARSE_ERROR if there is no such game or it cannot have such parameters, PETTEIA_NO_MEMORY if there is no
 * memory for the board.
 */
petteia_status petteia_position_new(const char *game, const char *parameters, petteia_position **position);

/**
 * Makes a position from its text in one line, such as "____/_DL_/_LD_/____ D"; see petteia_position_text. The caller
 * frees it with petteia_position_free.
 */
petteia_status petteia_position_parse(petteia_game game, const char *line, petteia_position **position);

/**
 * Makes a copy of a position. The caller frees it with petteia_position_free.
 */
petteia_status petteia_position_clone(const petteia_position *position, petteia_position **clone);

/**
 * Frees a position. NULL is fine.
 */
void petteia_position_free(petteia_position *position);

/**
 * Writes whether two positions are equal: the same game with the same parameters, the same board and the same player
 * to move. A finished position has no player to move.
 */
petteia_status petteia_position_equal(const petteia_position *position, const petteia_position *other, bool *equal);

/**
 * Writes a hash of a position. Equal positions have the same hash, in every process that runs the same version of the
 * library.
 */
petteia_status petteia_position_hash(const petteia_position *position, uint64_t *hash);

/**
 * Writes which game a position is of.
 */
petteia_status petteia_position_game(const petteia_position *position, petteia_game *game);

/**
 * Writes the parameters of a position's game as petteia_position_new reads them.
 */
petteia_status petteia_position_parameters(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes the value of one parameter of a position's game, by the parameter's name, such as "width". If its values are
 * words, it is the place of the word in the list of petteia_game_parameter. PETTEIA_INVALID_ARGUMENT if the game has
 * no parameter of that name.
 */
petteia_status petteia_position_parameter(const petteia_position *position, const char *name, int64_t *value);

/**
 * Writes what a position's game calls a player, such as "dark". PETTEIA_INVALID_ARGUMENT for PETTEIA_NOBODY.
 */
petteia_status petteia_position_player_name(const petteia_position *position,
                                            petteia_player player,
                                            char *buf,
                                            size_t cap,
                                            size_t *len);

/**
 * Writes whose turn it is: PETTEIA_NOBODY when the game is over.
 */
petteia_status petteia_position_turn(const petteia_position *position, petteia_player *turn);

/**
 * Writes the result of the game, PETTEIA_IN_PROGRESS until it is over.
 */
petteia_status petteia_position_outcome(const petteia_position *position, petteia_outcome *outcome);

/**
 * Writes whether the game is over.
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
 */

/**
 * A function that may stop a long call. It is called about every 20 milliseconds, on the thread that made the call,
 * with the pointer that was given with it. Returning true stops the call.
 */
typedef bool (*petteia_cancel)(void *user);

/**
 * Writes how many actions a position's game has. Every move's action is below that number.
 */
petteia_status petteia_position_num_actions(const petteia_position *position, uint32_t *num_actions);

/**
 * Writes the actions of the legal moves in increasing order. There are none exactly when the game is over.
 */
petteia_status petteia_position_legal_actions(const petteia_position *position,
                                              uint32_t *actions,
                                              size_t cap,
                                              size_t *len);

/**
 * Plays the move with an action. PETTEIA_ILLEGAL_MOVE if it is not legal now; the position is then unchanged.
 */
petteia_status petteia_position_play(petteia_position *position, uint32_t action);

/**
 * Plays the move with a notation, such as "d3". PETTEIA_PARSE_ERROR if the text is not a move, PETTEIA_ILLEGAL_MOVE if
 * the move is not legal now; the position is then unchanged.
 */
petteia_status petteia_position_play_notation(petteia_position *position, const char *notation);

/**
 * Writes the action of the move with a notation, legal or not. PETTEIA_PARSE_ERROR if the text is not a move,
 * PETTEIA_ILLEGAL_MOVE if the board is too small for it.
 */
petteia_status petteia_position_action(const petteia_position *position, const char *notation, uint32_t *action);

/**
 * Writes the notation of the move with an action, legal or not. PETTEIA_INVALID_ARGUMENT if the game has no such
 * action.
 */
petteia_status petteia_position_notation(const petteia_position *position,
                                         uint32_t action,
                                         char *buf,
                                         size_t cap,
                                         size_t *len);

/**
 * Writes a position's text in one line, from which petteia_position_parse makes an equal position.
 */
petteia_status petteia_position_text(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes the board as the game's document draws it. Every line ends in a newline.
 */
petteia_status petteia_position_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes a picture of a position: one SVG element, for a file of its own or for a web page.
 */
petteia_status petteia_position_svg(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Makes the canonical form of a position: the same for all positions that are equal up to symmetry, such as mirror
 * images. It may differ between versions of the library. The caller frees it with petteia_position_free.
 */
petteia_status petteia_position_canonical(const petteia_position *position, petteia_position **canonical);

/**
 * Counts the sequences of exactly `depth` legal moves from a position. The time it takes grows with the count;
 * petteia_position_perft_with can be stopped.
 */
petteia_status petteia_position_perft(const petteia_position *position, uint32_t depth, uint64_t *count);

/**
 * Counts as petteia_position_perft does, on `threads` threads (0 counts as 1, more than 256 count as 256), with a
 * transposition table of about `table_bytes` bytes (0 for none). With a table, positions that are reached in several
 * ways, or that are equal up to symmetry, are counted once.
 *
 * `cancel` may be NULL. PETTEIA_STOPPED if it returned true, PETTEIA_NO_MEMORY if there is no memory for the table,
 * PETTEIA_INVALID_ARGUMENT if the count does not fit 64 bits.
 */
petteia_status petteia_position_perft_with(const petteia_position *position,
                                           uint32_t depth,
                                           uint32_t threads,
                                           size_t table_bytes,
                                           petteia_cancel cancel,
                                           void *user,
                                           uint64_t *count);

/**
 * Plays random games from a position to their ends, and counts the results.
 *
 * The games of a seed are numbered, and each is the same on every machine. This plays those from `first` to
 * `first + games - 1`: threads can share the work by ranges and add up their tallies. PETTEIA_INVALID_ARGUMENT if
 * `first + games` is above 2^64 - 1.
 */
petteia_status petteia_position_playouts(const petteia_position *position,
                                         uint64_t first,
                                         uint64_t games,
                                         uint64_t seed,
                                         petteia_tally *tally);

/* ---------------------------------------------------------------- Exact values ---- */

/**
 * What a search found out about a position.
 */
typedef struct petteia_solution petteia_solution;

/**
 * How far a search has come.
 */
typedef struct petteia_progress {
  /**
   * Positions searched so far.
   */
  uint64_t nodes;
  /**
   * Time taken so far.
   */
  double seconds;
  /**
   * What the value is at least.
   */
  int32_t lower;
  /**
   * What the value is at most.
   */
  int32_t upper;
} petteia_progress;

/**
 * A function that a search calls now and then, on the thread that called petteia_solve, with the pointer from its
 * options. Returning true ends the search with the bounds found so far. It must return (no longjmp, no exception).
 */
typedef bool (*petteia_solve_cancel)(const petteia_progress *progress, void *user);

/**
 * How petteia_solve searches. All zeros, as in `petteia_solve_options options = {0};`, are the defaults.
 */
typedef struct petteia_solve_options {
  /**
   * About how many positions to search at most; 0 for no limit.
   */
  uint64_t node_limit;
  /**
   * About how many seconds to search at most; 0 for no limit.
   */
  double time_limit;
  /**
   * About how many bytes the transposition table may take; 0 for the game's default.
   */
  size_t table_bytes;
  /**
   * How many threads search together; 0 and 1 both mean the calling thread alone. The value and the best moves do
   * not depend on it.
   */
  uint32_t threads;
  /**
   * Not 0 if one best move is enough, which is found sooner than all of them.
   */
  int one_best;
  /**
   * Not 0 if squares that stay empty count for the winner, as in Reversi tournaments.
   */
  int empties_to_winner;
  /**
   * A function that may end the search, or NULL.
   */
  petteia_solve_cancel cancel;
  /**
   * The pointer that `cancel` is called with.
   */
  void *user;
} petteia_solve_options;

/**
 * What a search found out, except for the moves.
 */
typedef struct petteia_value {
  /**
   * The value for the player to move: the disc difference in Reversi, else 1 for a win, 0 for a draw, -1 for a loss.
   * If the search ended early, it is the lower bound.
   */
  int32_t value;
  /**
   * What the value is at least.
   */
  int32_t lower;
  /**
   * What the value is at most.
   */
  int32_t upper;
  /**
   * 1 if the value is exact, 0 if the search ended early, by a limit or by `cancel`.
   */
  int exact;
  /**
   * How many positions were searched.
   */
  uint64_t nodes;
  /**
   * How long it took.
   */
  double seconds;
} petteia_value;

/**
 * Finds the exact value of a position, its best moves and the principal variation. The caller frees the solution with
 * petteia_solution_free. `options` may be NULL for the defaults.
 *
 * A search that ends early, by a limit or by `cancel`, is PETTEIA_OK too, with bounds in place of the value.
 * PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for `empties_to_winner` in a game that does not count
 * squares, PETTEIA_INVALID_ARGUMENT for a time limit that is negative or not a number, PETTEIA_NO_MEMORY if there is
 * no memory for the transposition table.
 */
petteia_status petteia_solve(const petteia_position *position,
                             const petteia_solve_options *options,
                             petteia_solution **solution);

/**
 * Writes the value of a solution, and whether it is exact.
 */
petteia_status petteia_solution_value(const petteia_solution *solution, petteia_value *value);

/**
 * Writes the actions that reach the value, in increasing order: all of them, or at least one if one was enough. If the
 * search ended early, these are the ones known to reach the lower bound, and there may be none.
 */
petteia_status petteia_solution_best_actions(const petteia_solution *solution,
                                             uint32_t *actions,
                                             size_t cap,
                                             size_t *len);

/**
 * Writes the principal variation: the actions of best play by both sides. It starts with a best move and goes on as
 * far as the search happens to know it.
 */
petteia_status petteia_solution_line(const petteia_solution *solution, uint32_t *actions, size_t cap, size_t *len);

/**
 * Frees a solution. NULL is fine.
 */
void petteia_solution_free(petteia_solution *solution);

/* ---------------------------------------------------------------- Records of any game ----
 *
 * A record is a played game in one line of text: the game, its parameters, a colon and the moves, separated by single
 * spaces, such as "reversi 8 8: d4 e4 e5 d5 e3".
 */

/**
 * Makes the position that a record starts from. The caller frees it with petteia_position_free.
 *
 * This and the next two functions check the whole record: PETTEIA_PARSE_ERROR if the text is not a record,
 * PETTEIA_ILLEGAL_MOVE if a move is against the rules, PETTEIA_NO_MEMORY if there is no memory for the board. The last
 * error names the ply.
 */
petteia_status petteia_record_start(const char *line, petteia_position **start);

/**
 * Makes the position after the last move of a record. The caller frees it with petteia_position_free.
 */
petteia_status petteia_record_last(const char *line, petteia_position **last);

/**
 * Writes the actions of the moves of a record.
 */
petteia_status petteia_record_actions(const char *line, uint32_t *actions, size_t cap, size_t *len);

/**
 * Writes the record of a game: the moves with the given actions, played from `start`. `actions` may be NULL if `count`
 * is 0.
 *
 * PETTEIA_INVALID_ARGUMENT if `start` is not a position that a game starts from, PETTEIA_ILLEGAL_MOVE if a move is
 * against the rules; the last error then names the ply.
 */
petteia_status petteia_record_format(const petteia_position *start,
                                     const uint32_t *actions,
                                     size_t count,
                                     char *buf,
                                     size_t cap,
                                     size_t *len);

/* ---------------------------------------------------------------- Many games at once ----
 *
 * A vector has many lanes. Each lane is a game with random numbers of its own, and a step plays one move in every lane.
 * Each step writes what the lanes show to arrays of the caller: observations and masks of 0 and 1, a byte each, one
 * lane after another. docs/vector.md draws them.
 *
 * Lanes reset themselves (autoreset). A lane whose game has ended shows the last position, the rewards and no legal
 * action. The next step ignores its action, starts a new game there and shows that.
 */

/**
 * What to do about a lane that is given an illegal action.
 */
typedef enum petteia_illegal {
  /**
   * Step no lane, and return PETTEIA_ILLEGAL_MOVE.
   */
  PETTEIA_REFUSE = 0,
  /**
   * Let the player to move lose the game.
   */
  PETTEIA_LOSE = 1,
} petteia_illegal;

/**
 * Many games of one kind, stepped together.
 */
typedef struct petteia_vector petteia_vector;

/**
 * The sizes from which the lengths of the arrays follow.
 */
typedef struct petteia_vector_sizes {
  /**
   * The number of lanes.
   */
  size_t num_envs;
  /**
   * The planes of an observation.
   */
  size_t planes;
  /**
   * The rows of a plane.
   */
  size_t rows;
  /**
   * The columns of a plane.
   */
  size_t columns;
  /**
   * How many actions the game has.
   */
  size_t num_actions;
} petteia_vector_sizes;

/**
 * The caller's arrays for what the lanes show, one lane after another. None of them may be NULL.
 */
typedef struct petteia_vector_arrays {
  /**
   * 1 or 0 for every cell of every plane, seen by the player to move. planes * rows * columns for each lane.
   */
  uint8_t *observations;
  /**
   * 1 for a legal action, else 0. num_actions for each lane.
   */
  uint8_t *action_mask;
  /**
   * The player to move, 0 or 1, or -1 if the game is over. One for each lane.
   */
  int8_t *turns;
  /**
   * The rewards of the first and of the second player: 1 for the winner and -1 for the loser, else 0. Two for each
   * lane.
   */
  float *rewards;
  /**
   * 1 if the game is over, else 0. One for each lane.
   */
  uint8_t *terminated;
} petteia_vector_arrays;

/**
 * Makes a vector of games that start from a position. The caller frees it with petteia_vector_free.
 *
 * Each lane has random numbers of its own. Results depend on the seed and on the actions, not on the number of
 * threads. PETTEIA_INVALID_ARGUMENT for no lanes or more than 2^30, for 0 threads, or for an `illegal` that does not
 * exist; PETTEIA_NO_MEMORY if there is no memory for the lanes.
 */
petteia_status petteia_vector_new(const petteia_position *start,
                                  size_t num_envs,
                                  uint64_t seed,
                                  uint32_t threads,
                                  petteia_illegal illegal,
                                  petteia_vector **vector);

/**
 * Frees a vector. NULL is fine.
 */
void petteia_vector_free(petteia_vector *vector);

/**
 * Writes the sizes from which the lengths of the arrays follow.
 */
petteia_status petteia_vector_get_sizes(const petteia_vector *vector, petteia_vector_sizes *sizes);

/**
 * Restarts the random numbers of all lanes from a seed.
 */
petteia_status petteia_vector_seed(petteia_vector *vector, uint64_t seed);

/**
 * Starts new games in all lanes, and writes what they show. The random numbers go on where they were.
 */
petteia_status petteia_vector_reset(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Writes what all lanes show, such as after petteia_vector_set_position.
 */
petteia_status petteia_vector_show(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Plays one action in each lane, and writes what all lanes show. In a lane whose game is over, a new game starts
 * instead, whatever the action.
 *
 * PETTEIA_ILLEGAL_MOVE if an action is not legal and the vector was made with PETTEIA_REFUSE. The last error names the
 * first such lane, no lane is stepped and nothing is written.
 */
petteia_status petteia_vector_step(petteia_vector *vector, const int64_t *actions, const petteia_vector_arrays *arrays);

/**
 * Writes a random action for each lane, every legal one being equally likely; 0 where the game is over.
 */
petteia_status petteia_vector_random_actions(petteia_vector *vector, int64_t *actions);

/**
 * Steps all lanes `steps` times with random actions, writes what they show at the end, and counts the results of the
 * games that ended. It does what petteia_vector_random_actions and petteia_vector_step do in a loop, but faster.
 */
petteia_status petteia_vector_rollout(petteia_vector *vector,
                                      uint64_t steps,
                                      const petteia_vector_arrays *arrays,
                                      petteia_tally *tally);

/**
 * Makes a copy of a lane's position. The caller frees it with petteia_position_free. PETTEIA_INVALID_ARGUMENT if there
 * is no such lane.
 */
petteia_status petteia_vector_position(const petteia_vector *vector, size_t lane, petteia_position **position);

/**
 * Puts a copy of a position, finished or not, into a lane, whose random numbers go on where they were.
 * PETTEIA_INVALID_ARGUMENT if there is no such lane, PETTEIA_WRONG_GAME if the position is of another game or has
 * other parameters.
 */
petteia_status petteia_vector_set_position(petteia_vector *vector, size_t lane, const petteia_position *position);

/* ---------------------------------------------------------------- TicTac ----
 *
 * The document is a lab of a C++ course: a parser of moves and an evaluator of game records.
 */

/**
 * What the evaluator says about a game record.
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
 * An evaluator of a game record that arrives in pieces.
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
   * The square that is claimed, from 0 for A1 row by row to 8 for C3.
   */
  unsigned int square;
} petteia_tictac_move;

/**
 * Makes the empty grid with the given player to begin. The caller frees it with petteia_position_free.
 */
petteia_status petteia_tictac_new(petteia_tictac_mark first, petteia_position **position);

/**
 * Writes who has claimed a square, from 0 for A1 to 8 for C3: PETTEIA_FIRST is the player who began.
 */
petteia_status petteia_tictac_get(const petteia_position *position, unsigned int square, petteia_player *owner);

/**
 * Reads one line of a game record, of `size` bytes, with or without the newline at its end. A comment may hold any
 * bytes. `line` may be NULL if `size` is 0. PETTEIA_PARSE_ERROR if the line does not follow the document's format.
 */
petteia_status petteia_tictac_parse_move(const char *line, size_t size, petteia_tictac_move *move);

/**
 * Writes a move as a line of a game record, such as "2 O C2", without a newline.
 */
petteia_status petteia_tictac_format_move(const petteia_tictac_move *move, char *buf, size_t cap, size_t *len);

/**
 * Evaluates a whole game record of `size` bytes, as the document's evaluator does. `record` may be NULL if `size` is
 * 0. A bad record is a verdict, not a failure of the call.
 */
petteia_status petteia_tictac_evaluate(const char *record, size_t size, petteia_tictac_verdict *verdict);

/**
 * Writes the line that the document's evaluator prints for a verdict, such as "Game over: X wins.", without a newline.
 */
petteia_status petteia_tictac_verdict_line(petteia_tictac_verdict verdict, char *buf, size_t cap, size_t *len);

/**
 * Writes the status that the document's evaluator exits with for a verdict: 1 for a parse error, 2 for an invalid
 * move, else 0.
 */
petteia_status petteia_tictac_exit_code(petteia_tictac_verdict verdict, int *exit_code);

/**
 * Makes an evaluator of a game record that arrives in pieces. It takes the same memory however long the record is. The
 * caller frees it with petteia_tictac_evaluator_free.
 */
petteia_status petteia_tictac_evaluator_new(petteia_tictac_evaluator **evaluator);

/**
 * Frees an evaluator. NULL is fine.
 */
void petteia_tictac_evaluator_free(petteia_tictac_evaluator *evaluator);

/**
 * Gives an evaluator the next `size` bytes of its record, which may be cut anywhere. `bytes` may be NULL if `size` is
 * 0.
 */
petteia_status petteia_tictac_evaluator_push(petteia_tictac_evaluator *evaluator, const char *bytes, size_t size);

/**
 * Writes whether an error has been found, so that the rest of the record cannot change the verdict.
 */
petteia_status petteia_tictac_evaluator_is_decided(const petteia_tictac_evaluator *evaluator, bool *is_decided);

/**
 * Writes the verdict on the record if it ended here. More of it may follow all the same.
 */
petteia_status petteia_tictac_evaluator_verdict(const petteia_tictac_evaluator *evaluator,
                                                petteia_tictac_verdict *verdict);

/* ---------------------------------------------------------------- Breakdown ----
 *
 * The document is an assignment of a C course; its own functions are in breakdown.h.
 *
 * In notation, columns are labelled 0 to 9, A to Z and a to z, and from 62 on by their decimal numbers.
 */

/**
 * Makes an empty board with the given size, length of a stick and side of the square that wins. The caller frees it
 * with petteia_position_free.
 *
 * PETTEIA_INVALID_ARGUMENT if one of the numbers is 0 or the board has more than 2^28 cells, PETTEIA_NO_MEMORY if
 * there is no memory for it.
 */
petteia_status petteia_breakdown_new(unsigned int width,
                                     unsigned int height,
                                     unsigned int stick,
                                     unsigned int square,
                                     petteia_position **position);

/**
 * Writes who has a cell, by its row and column, counted from 0 at the top left: PETTEIA_FIRST is black, PETTEIA_SECOND
 * white. PETTEIA_INVALID_ARGUMENT for a cell off the board.
 */
petteia_status petteia_breakdown_get(const petteia_position *position,
                                     unsigned int row,
                                     unsigned int column,
                                     petteia_player *owner);

/* ---------------------------------------------------------------- Reversi ----
 *
 * The document is a homework assignment of a C++ course.
 *
 * A set of squares is a uint64_t. On a board of any size the square in column x and row y is bit 8 * y + x. The
 * operators | & ^ ~ give the union, intersection, symmetric difference and complement, the last on the 8 by 8 board.
 */

/* The set of one square. */
#define PETTEIA_REVERSI_SQUARE(x, y) (UINT64_C(1) << (8 * (y) + (x)))

/**
 * A square, by its column x and row y, counted from 0 at the top left.
 */
typedef struct petteia_reversi_square {
  unsigned int x;
  unsigned int y;
} petteia_reversi_square;

/**
 * Makes an empty board, 2 to 8 squares wide and high. The caller frees it with petteia_position_free.
 */
petteia_status petteia_reversi_new(unsigned int width, unsigned int height, petteia_position **position);

/**
 * Makes the position with the given tiles and player to move, PETTEIA_NOBODY for a finished game. The caller frees it
 * with petteia_position_free.
 *
 * PETTEIA_INVALID_ARGUMENT if the sets overlap or reach off the board, or if no game can have the position.
 */
petteia_status petteia_reversi_from_tiles(unsigned int width,
                                          unsigned int height,
                                          uint64_t dark,
                                          uint64_t light,
                                          petteia_player turn,
                                          petteia_position **position);

/**
 * Writes the width and the height of a position's board.
 */
petteia_status petteia_reversi_size(const petteia_position *position, unsigned int *width, unsigned int *height);

/**
 * Writes who has a tile on a square: PETTEIA_FIRST is dark, PETTEIA_SECOND light. PETTEIA_INVALID_ARGUMENT for a
 * square off the board.
 */
petteia_status petteia_reversi_get(const petteia_position *position,
                                   unsigned int x,
                                   unsigned int y,
                                   petteia_player *owner);

/**
 * Writes the set of squares that have a player's tiles, or of the empty squares for PETTEIA_NOBODY.
 */
petteia_status petteia_reversi_tiles(const petteia_position *position, petteia_player player, uint64_t *set);

/**
 * Writes how many tiles a player has, or how many squares are empty for PETTEIA_NOBODY.
 */
petteia_status petteia_reversi_count(const petteia_position *position, petteia_player player, unsigned int *count);

/**
 * Writes the set of squares on which the player to move may play.
 */
petteia_status petteia_reversi_legal(const petteia_position *position, uint64_t *set);

/**
 * Writes the set of squares that a move would gain: its own square and those of the tiles it would flip. The set is
 * empty, 0, if the move is not legal or the square is off the board.
 */
petteia_status petteia_reversi_find_move(const petteia_position *position,
                                         unsigned int x,
                                         unsigned int y,
                                         uint64_t *gained);

/**
 * Plays on a square. PETTEIA_ILLEGAL_MOVE if that is not legal, also off the board; the position is then unchanged.
 */
petteia_status petteia_reversi_play_move(petteia_position *position, unsigned int x, unsigned int y);

/**
 * Writes the set of all squares of a board, 2 to 8 squares wide and high.
 */
petteia_status petteia_reversi_all_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the set of the four centre squares of a board. The opening phase is played on them.
 */
petteia_status petteia_reversi_center_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the squares of a set, ordered by x, then by y.
 */
petteia_status petteia_reversi_set_squares(uint64_t set, petteia_reversi_square *squares, size_t cap, size_t *len);

/**
 * Writes a set as the document prints it: "{{0, 7}, {2, 3}}", ordered by x, then by y.
 */
petteia_status petteia_reversi_set_text(uint64_t set, char *buf, size_t cap, size_t *len);

/**
 * Writes a move and what it gains as the document prints them: "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}".
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
 * 4 * row + column, from A1 = 0 row by row to D4 = 15.
 */

/**
 * How tall a piece is: S or T in its code.
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
 * The outline of a piece: C or Q in its code.
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
 * The document's myopic player. It never misses a win in one move, and otherwise plays at random. Its random numbers
 * are those of srand and rand of the GNU C library, on every machine.
 */
typedef struct petteia_quarto_myopic petteia_quarto_myopic;

/**
 * Makes the empty board with player 1 to select a piece. The caller frees it with petteia_position_free.
 */
petteia_status petteia_quarto_new(petteia_position **position);

/**
 * Writes the number of the piece with the given attributes.
 */
petteia_status petteia_quarto_piece(petteia_quarto_height height,
                                    petteia_quarto_color color,
                                    petteia_quarto_shape shape,
                                    petteia_quarto_top top,
                                    unsigned int *piece);

/**
 * Writes the code of a piece, such as "SBCH".
 */
petteia_status petteia_quarto_piece_code(unsigned int piece, char *buf, size_t cap, size_t *len);

/**
 * Writes the number of the piece with a code, used or not.
 */
petteia_status petteia_quarto_parse_piece(const char *code, unsigned int *piece);

/**
 * Writes the name of a square, such as "B2".
 */
petteia_status petteia_quarto_square_name(unsigned int square, char *buf, size_t cap, size_t *len);

/**
 * Writes the number of the square with a name, empty or not.
 */
petteia_status petteia_quarto_parse_square(const char *name, unsigned int *square);

/**
 * Writes whether a square is on the diagonal from top left to bottom right.
 */
petteia_status petteia_quarto_is_on_first_diagonal(unsigned int square, bool *is_on_it);

/**
 * Writes whether a square is on the diagonal from top right to bottom left.
 */
petteia_status petteia_quarto_is_on_second_diagonal(unsigned int square, bool *is_on_it);

/**
 * Writes the piece with a code if it has not been placed. PETTEIA_UNAVAILABLE if it has ("SBCH is already used."),
 * PETTEIA_PARSE_ERROR if there is no such piece ("ABCD is an invalid input.").
 */
petteia_status petteia_quarto_unused_piece(const petteia_position *position, const char *code, unsigned int *piece);

/**
 * Writes the square with a name if it is empty. PETTEIA_UNAVAILABLE if it is not ("B2 is not empty."),
 * PETTEIA_PARSE_ERROR if there is no such square ("C5D is an invalid input.").
 */
petteia_status petteia_quarto_empty_square(const petteia_position *position, const char *name, unsigned int *square);

/**
 * Writes the piece on a square. PETTEIA_UNAVAILABLE if there is none ("A1 is empty.").
 */
petteia_status petteia_quarto_get(const petteia_position *position, unsigned int square, unsigned int *piece);

/**
 * Writes the piece that has been selected and is to be placed. PETTEIA_UNAVAILABLE if there is none.
 */
petteia_status petteia_quarto_hand(const petteia_position *position, unsigned int *piece);

/**
 * Writes the set of pieces that have not been placed, bit i for piece i. A selected piece is still among them.
 */
petteia_status petteia_quarto_unused_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the set of empty squares, bit i for square i.
 */
petteia_status petteia_quarto_empty_squares(const petteia_position *position, uint16_t *squares);

/**
 * Writes whether a piece on a square completes a line of pieces that have an attribute in common. The piece may
 * already stand there or not.
 */
petteia_status petteia_quarto_is_winning(const petteia_position *position,
                                         unsigned int piece,
                                         unsigned int square,
                                         bool *is_winning);

/**
 * Writes the set of empty squares on which a piece would win now, bit i for square i. It is empty when the game is
 * over.
 */
petteia_status petteia_quarto_winning_squares(const petteia_position *position, unsigned int piece, uint16_t *squares);

/**
 * Writes the set of pieces still to be selected with which the opponent could win at once, bit i for piece i.
 */
petteia_status petteia_quarto_bad_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the pool as the document draws it: three lines with the unused pieces, or nothing if all are used.
 * petteia_position_drawing draws the board.
 */
petteia_status petteia_quarto_pool_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Makes a myopic player whose random numbers are those after srand(seed). The caller frees it with
 * petteia_quarto_myopic_free.
 */
petteia_status petteia_quarto_myopic_new(unsigned int seed, petteia_quarto_myopic **player);

/**
 * Frees a myopic player. NULL is fine.
 */
void petteia_quarto_myopic_free(petteia_quarto_myopic *player);

/**
 * Lets a myopic player choose an unused piece for the opponent: if there is one, a piece with which the opponent
 * cannot win at once. The position is unchanged. PETTEIA_UNAVAILABLE if no piece is left.
 */
petteia_status petteia_quarto_myopic_select_piece(petteia_quarto_myopic *player,
                                                  const petteia_position *position,
                                                  unsigned int *piece);

/**
 * Lets a myopic player choose an empty square for a piece: the first on which it wins if there is one, else a random
 * one. The position is unchanged. PETTEIA_UNAVAILABLE if no square is empty.
 */
petteia_status petteia_quarto_myopic_select_square(petteia_quarto_myopic *player,
                                                   const petteia_position *position,
                                                   unsigned int piece,
                                                   unsigned int *square);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PETTEIA_H */
