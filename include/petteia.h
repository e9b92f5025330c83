/*
 * petteia.h: TicTac, Breakdown, Reversi and Quarto in C.
 *
 * Generated from src/capi of petteia; do not edit. Link with -lpetteia. The document's own API of Breakdown, with open
 * structs, is breakdown.h; both headers can be included together in any order.
 *
 *     petteia_position *game = NULL;
 *     if (petteia_position_new("reversi", "8 8", &game) != PETTEIA_OK) { ... }
 *     petteia_position_play_notation(game, "d4");
 *     petteia_position_free(game);
 *
 * Conventions, kept by every function here:
 *
 * - Every function that can fail returns a petteia_status. Results go through pointers, which are the last parameters,
 *   and nothing is written unless the status is PETTEIA_OK. petteia_last_error has the full text of what was wrong.
 * - What a function "makes" belongs to the caller, who frees it with the function that its comment names, once, from
 *   any thread. All else is borrowed for the duration of the call: the library keeps no pointer that it was given.
 *   Freeing NULL is fine.
 * - A result of variable length comes as (buf, cap, len). On PETTEIA_OK *len is the full length of the text without its
 *   NUL, and at most cap - 1 bytes and a NUL have been written to buf: a text that was cut is PETTEIA_OK too, to be
 *   told by *len >= cap. buf may be NULL when cap is 0, to ask for the length alone. Arrays work the same way with
 *   elements, without a NUL: at most cap have been written, *len is the number of all.
 * - Texts end in a NUL and are UTF-8; game records of TicTac and their lines are bytes with a size.
 * - NULL is an error wherever it is not said to be fine, and so is an enum value that does not exist. A pointer that is
 *   neither NULL nor valid is, as everywhere in C, undefined behaviour.
 * - No exception and no abort comes out of the library. A bug in it is PETTEIA_PANIC.
 * - Everything may be used from many threads at once, each with its own objects. One object is not used by two threads
 *   at a time unless both only read it (take it as const).
 */

#ifndef PETTEIA_H
#define PETTEIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header; petteia_version() tells that of the library. */
#define PETTEIA_VERSION "0.1.0"
#define PETTEIA_VERSION_MAJOR 0
#define PETTEIA_VERSION_MINOR 1
#define PETTEIA_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- Status, errors, version ---- */

/**
 * How a call went. Every function that can fail returns one of these.
 */
typedef enum petteia_status {
  /**
   * It went well.
   */
  PETTEIA_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  PETTEIA_NULL_POINTER = 1,
  /**
   * A number is out of range, an enum has a value that it does not have, or there is no memory for a board.
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
   * A move is against the rules; the position is as it was.
   */
  PETTEIA_ILLEGAL_MOVE = 5,
  /**
   * A function of one game was given a position of another.
   */
  PETTEIA_WRONG_GAME = 6,
  /**
   * A piece is used already, a square is empty or is not, or there is nothing left to choose from.
   */
  PETTEIA_UNAVAILABLE = 7,
  /**
   * A bug in petteia, caught at the border; the arguments of the call should not be used any more.
   */
  PETTEIA_PANIC = 8,
  /**
   * Whoever was asked wanted a call to stop.
   */
  PETTEIA_STOPPED = 9,
} petteia_status;

/**
 * What breakdown.h calls with an error: a text that is only valid during the call, and the pointer it was set with.
 */
typedef void (*petteia_error_handler)(const char *message, void *user);

/**
 * Returns a short text for a status: a constant that lives as long as the program, "unknown status" for a number that
 * is none.
 */
const char *petteia_status_message(petteia_status status);

/**
 * Writes the full text of the last error in the calling thread: what was wrong, with the offending text quoted, and what
 * was expected.
 *
 * It is that of the last call that failed, whatever succeeded since, and empty before the first. This function alone
 * leaves it as it is, also when it fails.
 */
petteia_status petteia_last_error(char *buf,
                                  size_t cap,
                                  size_t *len);

/**
 * Returns the version of the library that the program runs with, such as "1.2.3": a constant that lives as long as the
 * program. PETTEIA_VERSION is the version it was compiled with.
 */
const char *petteia_version(void);

/**
 * Sets what the functions of breakdown.h do about an error, for the whole process.
 *
 * They have no status to return. Without a handler they write a message to stderr and call exit(1). With one they call
 * it with the message and `user`, and when it has returned they return NULL, 0, EMPTY or IN_PROGRESS, with nothing
 * changed. The handler must return (no longjmp, no exception), may be called from any thread that uses breakdown.h, and
 * may itself use the library. `user` is handed through as it is. A NULL handler restores exit(1).
 */
void petteia_set_error_handler(petteia_error_handler handler, void *user);

/* ---------------------------------------------------------------- Positions of any game ---- */

/**
 * One of the games.
 */
typedef enum petteia_game {
  PETTEIA_TICTAC = 0,
  PETTEIA_BREAKDOWN = 1,
  PETTEIA_REVERSI = 2,
  PETTEIA_QUARTO = 3,
} petteia_game;

/**
 * A player, by who makes the first move of the game: X in TicTac unless O begins, black in Breakdown, dark in Reversi, 1
 * in Quarto.
 */
typedef enum petteia_player {
  PETTEIA_FIRST = 0,
  PETTEIA_SECOND = 1,
  /**
   * Neither: the turn of a finished game, the owner of an empty cell.
   */
  PETTEIA_NOBODY = 2,
} petteia_player;

/**
 * How a game stands.
 */
typedef enum petteia_outcome {
  PETTEIA_FIRST_WINS = 0,
  PETTEIA_SECOND_WINS = 1,
  PETTEIA_DRAW = 2,
  PETTEIA_IN_PROGRESS = 3,
} petteia_outcome;

/**
 * A position of a game: the board, whose turn it is and what moves are legal, with no memory of how it came about.
 */
typedef struct petteia_position petteia_position;

/**
 * How a number of random games ended.
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
 * Writes the name of a game, such as "reversi".
 */
petteia_status petteia_game_name(petteia_game game, char *buf, size_t cap, size_t *len);

/**
 * Makes the position that a game starts from, by the game's name and its parameters as one text: for "tictac" who begins
 * ("X"), for "breakdown" width, height, stick and square ("4 5 2 2"), for "reversi" width and height ("8 8"), for
 * "quarto" nothing. Empty parameters stand for those just named. The caller frees it with petteia_position_free.
 *
 * petteia_tictac_new, petteia_breakdown_new, petteia_reversi_new and petteia_quarto_new do the same by numbers.
 */
petteia_status petteia_position_new(const char *game,
                                    const char *parameters,
                                    petteia_position **position);

/**
 * Makes a position from its one-line text, such as "____/_DL_/_LD_/____ D"; see petteia_position_text. The caller frees
 * it with petteia_position_free.
 */
petteia_status petteia_position_parse(petteia_game game, const char *line, petteia_position **position);

/**
 * Makes a copy of a position, which the caller frees with petteia_position_free.
 */
petteia_status petteia_position_clone(const petteia_position *position, petteia_position **clone);

/**
 * Frees a position; NULL is fine.
 */
void petteia_position_free(petteia_position *position);

/**
 * Tells whether two positions are equal: of the same game with the same parameters, and with the same future. Finished
 * positions that differ only in who would have moved are equal.
 */
petteia_status petteia_position_equal(const petteia_position *position, const petteia_position *other, bool *equal);

/**
 * Writes a hash of a position, the same for equal positions, also in other processes that run the same version.
 */
petteia_status petteia_position_hash(const petteia_position *position, uint64_t *hash);

/**
 * Writes which game a position is of.
 */
petteia_status petteia_position_game(const petteia_position *position, petteia_game *game);

/**
 * Writes the parameters of a position's game, as petteia_position_new reads them.
 */
petteia_status petteia_position_parameters(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes a player's name in a position's game: "X" and "O", "black" and "white", "dark" and "light", "1" and "2".
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
 * Writes how the game stands.
 */
petteia_status petteia_position_outcome(const petteia_position *position, petteia_outcome *outcome);

/**
 * Writes whether the game is over.
 */
petteia_status petteia_position_is_over(const petteia_position *position, bool *is_over);

/* ---------------------------------------------------------------- Moves ----
 *
 * A move has a text, its notation, and a number, its action. Actions of a game are dense, from 0:
 *
 *     TicTac      A1 = 0, A2 = 1, ... C3 = 8
 *     Breakdown   upright into column c = c, lying from column c on = width + c, the breakdown = 2 * width
 *     Reversi     y * width + x
 *     Quarto      select piece i = i, place on square s = 16 + s
 */

/**
 * Asks a caller whether to stop: it is called on the thread of the call that it was given to, every 20 milliseconds or so,
 * with the pointer that was given with it, and returns true to stop.
 */
typedef bool (*petteia_cancel)(void *user);

/**
 * Writes how many actions a position's game has: 9 in TicTac, 2 * width + 1 in Breakdown, width * height in Reversi, 32
 * in Quarto. Every move is an action below that number.
 */
petteia_status petteia_position_num_actions(const petteia_position *position, uint32_t *num_actions);

/**
 * Writes the actions of the legal moves in increasing order; there are none exactly when the game is over.
 */
petteia_status petteia_position_legal_actions(const petteia_position *position,
                                              uint32_t *actions,
                                              size_t cap,
                                              size_t *len);

/**
 * Plays the move with an action. PETTEIA_ILLEGAL_MOVE for any that is not legal now, with the position as it was.
 */
petteia_status petteia_position_play(petteia_position *position, uint32_t action);

/**
 * Plays the move with a notation, such as "d3". PETTEIA_PARSE_ERROR for a text that is no move, PETTEIA_ILLEGAL_MOVE for a
 * move that is not legal now, with the position as it was.
 */
petteia_status petteia_position_play_notation(petteia_position *position,
                                              const char *notation);

/**
 * Writes the action of the move with a notation, legal or not. PETTEIA_PARSE_ERROR for a text that is no move,
 * PETTEIA_ILLEGAL_MOVE for one that is off this board.
 */
petteia_status petteia_position_action(const petteia_position *position, const char *notation, uint32_t *action);

/**
 * Writes the notation of the move with an action, legal or not: in TicTac row and column ("B2"), in Breakdown an upright
 * stick ("|4"), a lying one ("-B") or the breakdown ("!"), in Reversi column and row ("d3"), in Quarto the piece that is
 * selected ("SBCH") or the square that it is placed on ("A1"). PETTEIA_INVALID_ARGUMENT for an action that the game does
 * not have.
 */
petteia_status petteia_position_notation(const petteia_position *position,
                                         uint32_t action,
                                         char *buf,
                                         size_t cap,
                                         size_t *len);

/**
 * Writes the one-line text of a position, which petteia_position_parse reads back to an equal position.
 */
petteia_status petteia_position_text(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes the board as it is drawn in its document, in lines that end in a newline.
 */
petteia_status petteia_position_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Writes a picture of a position: one SVG element, for a file of its own or for a page.
 */
petteia_status petteia_position_svg(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Makes the one position that stands for all those equal to this one under the game's symmetries, the same for each of
 * them within a version of the library. The caller frees it with petteia_position_free.
 */
petteia_status petteia_position_canonical(const petteia_position *position, petteia_position **canonical);

/**
 * Counts the move sequences of exactly `depth` plies from a position. It takes as long as there are sequences.
 */
petteia_status petteia_position_perft(const petteia_position *position, uint32_t depth, uint64_t *count);

/**
 * Counts as petteia_position_perft does, on a number of threads (0 is 1, and more than 256 are 256), with a table of about
 * so many bytes (0 for none) by which positions that come again, also by symmetry, are counted once.
 *
 * `cancel` may be NULL. PETTEIA_STOPPED if it returned true, PETTEIA_INVALID_ARGUMENT if there is no memory for the table
 * or if there are 2^64 sequences or more.
 */
petteia_status petteia_position_perft_with(const petteia_position *position,
                                           uint32_t depth,
                                           uint32_t threads,
                                           size_t table_bytes,
                                           petteia_cancel cancel,
                                           void *user,
                                           uint64_t *count);

/**
 * Plays random games from a position to their ends, and tallies them.
 *
 * Game i of a seed is the same game on every machine, and games `first` to `first + games - 1` are played: threads can
 * share a job by ranges, and add their tallies. PETTEIA_INVALID_ARGUMENT if `first + games` is above 2^64 - 1.
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
 * What a search calls every now and then, on the thread that called petteia_solve, with the pointer of its options: if
 * it returns true, the search ends with the bounds found so far. It must return (no longjmp, no exception).
 */
typedef bool (*petteia_solve_cancel)(const petteia_progress *progress, void *user);

/**
 * What is asked of petteia_solve. All zeros, as in `petteia_solve_options options = {0};`, are the defaults.
 */
typedef struct petteia_solve_options {
  /**
   * About how many positions may be searched, or 0 for as many as it takes.
   */
  uint64_t node_limit;
  /**
   * About how many seconds the search may take, or 0 for as long as it takes.
   */
  double time_limit;
  /**
   * About how many bytes the table of positions may take, or 0 for the game's default.
   */
  size_t table_bytes;
  /**
   * How many threads search together, 0 and 1 being the calling one alone. The value and the best moves do not depend
   * on it.
   */
  uint32_t threads;
  /**
   * Not 0 if one best move is enough, which is found sooner.
   */
  int one_best;
  /**
   * Not 0 if squares that stay empty count for the winner, as in tournaments of Reversi.
   */
  int empties_to_winner;
  /**
   * What may end the search, or NULL.
   */
  petteia_solve_cancel cancel;
  /**
   * What `cancel` is called with.
   */
  void *user;
} petteia_solve_options;

/**
 * What a search found out, but for its moves.
 */
typedef struct petteia_value {
  /**
   * The value for the player to move: the disc difference in Reversi, else 1, 0 or -1 for a win, a draw or a loss. It is
   * the lower bound if the search was ended.
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
   * 1 if the value is exact, 0 if a limit was hit or the search was cancelled.
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
 * Finds the exact value of a position, its best moves and the line of best play, as a solution that the caller frees with
 * petteia_solution_free. `options` may be NULL for the defaults.
 *
 * A limit that is hit, or a search that is cancelled, is PETTEIA_OK as well, with bounds in place of the value.
 * PETTEIA_UNAVAILABLE if the game is over, PETTEIA_WRONG_GAME for empties_to_winner in another game than Reversi,
 * PETTEIA_INVALID_ARGUMENT for a time limit that is negative or not a number, and if there is no memory for the table.
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
 * search was ended these are the ones known to reach the lower bound, if there are any.
 */
petteia_status petteia_solution_best_actions(const petteia_solution *solution,
                                             uint32_t *actions,
                                             size_t cap,
                                             size_t *len);

/**
 * Writes the actions of best play by both sides, from a best move on as far as it is known at next to no cost.
 */
petteia_status petteia_solution_line(const petteia_solution *solution, uint32_t *actions, size_t cap, size_t *len);

/**
 * Frees a solution; NULL is fine.
 */
void petteia_solution_free(petteia_solution *solution);

/* ---------------------------------------------------------------- Records of any game ---- */

/**
 * Makes the position that a record starts from, which the caller frees with petteia_position_free.
 *
 * A record is the game, its parameters, a colon and the moves, with single spaces: "reversi 8 8: d4 e4 e5 d5 e3". The
 * whole of it is checked here as in the two functions below: PETTEIA_PARSE_ERROR for a text that is no record,
 * PETTEIA_ILLEGAL_MOVE for a move against the rules; the last error's text names the ply.
 */
petteia_status petteia_record_start(const char *line, petteia_position **start);

/**
 * Makes the position after the last move of a record, which the caller frees with petteia_position_free.
 */
petteia_status petteia_record_last(const char *line, petteia_position **last);

/**
 * Writes the actions of the moves of a record.
 */
petteia_status petteia_record_actions(const char *line, uint32_t *actions, size_t cap, size_t *len);

/**
 * Writes the record of a game: the moves with the given actions, played from the position that a game starts from.
 *
 * PETTEIA_INVALID_ARGUMENT if `start` is not such a position, PETTEIA_ILLEGAL_MOVE if a move is against the rules; the last
 * error's text names the ply. `actions` may be NULL when `count` is 0.
 */
petteia_status petteia_record_format(const petteia_position *start,
                                     const uint32_t *actions,
                                     size_t count,
                                     char *buf,
                                     size_t cap,
                                     size_t *len);

/* ---------------------------------------------------------------- Many games at once ----
 *
 * A lane is a game with random numbers of its own, and a step is a ply in every lane. The caller owns the buffers that
 * every step writes: planes and masks of 0 and 1, a byte each, one lane after another. docs/vector.md draws them.
 *
 * A lane whose game has ended shows its last position, the rewards, and no legal action. The next step pays no heed to its
 * action and starts a new game there, which the lane then shows.
 */

/**
 * What happens to a lane that is given an action that is not legal.
 */
typedef enum petteia_illegal {
  /**
   * No lane is stepped, and the step is PETTEIA_ILLEGAL_MOVE.
   */
  PETTEIA_REFUSE = 0,
  /**
   * The player to move loses the game.
   */
  PETTEIA_LOSE = 1,
} petteia_illegal;

/**
 * Many games of one kind, stepped together.
 */
typedef struct petteia_vector petteia_vector;

/**
 * How long the arrays are: a number for each lane, or as many as this says.
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
 * The caller's memory for what the lanes show, one lane after another. None of it may be NULL.
 */
typedef struct petteia_vector_arrays {
  /**
   * 0 or 1 for every cell of every plane, from the view of the player to move: planes * rows * columns for each lane.
   */
  uint8_t *observations;
  /**
   * 1 for every legal action, else 0: num_actions for each lane.
   */
  uint8_t *action_mask;
  /**
   * The player to move, 0 or 1; -1 when the game is over.
   */
  int8_t *turns;
  /**
   * What the first and the second player get: 1 and -1 for a game that is won, else 0; two for each lane.
   */
  float *rewards;
  /**
   * 1 when the game is over, else 0.
   */
  uint8_t *terminated;
} petteia_vector_arrays;

/**
 * Makes many games that start from a position, which the caller frees with petteia_vector_free.
 *
 * Each lane has a stream of random numbers of its own: results depend on the seed and on the actions, not on the number
 * of threads, which is at least 1. PETTEIA_INVALID_ARGUMENT for no lanes or too many, no threads, or an unknown `illegal`.
 */
petteia_status petteia_vector_new(const petteia_position *start,
                                  size_t num_envs,
                                  uint64_t seed,
                                  uint32_t threads,
                                  petteia_illegal illegal,
                                  petteia_vector **vector);

/**
 * Frees many games. NULL is fine.
 */
void petteia_vector_free(petteia_vector *vector);

/**
 * Writes how long the arrays are.
 */
petteia_status petteia_vector_get_sizes(const petteia_vector *vector, petteia_vector_sizes *sizes);

/**
 * Begins the streams of random numbers of a seed.
 */
petteia_status petteia_vector_seed(petteia_vector *vector, uint64_t seed);

/**
 * Starts new games in all lanes, and writes what they show. The random numbers go on.
 */
petteia_status petteia_vector_reset(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Writes what all lanes show, such as after petteia_vector_set_position.
 */
petteia_status petteia_vector_show(petteia_vector *vector, const petteia_vector_arrays *arrays);

/**
 * Plays an action in every lane, one for each, and writes what all lanes show. In a lane whose game is over a new one
 * starts instead, whatever its action.
 *
 * PETTEIA_ILLEGAL_MOVE for an action that is not legal, unless that loses: the last error's text names the first lane
 * that has one, nothing is written and no lane is stepped.
 */
petteia_status petteia_vector_step(petteia_vector *vector, const int64_t *actions, const petteia_vector_arrays *arrays);

/**
 * Writes an action for every lane, each legal one with the same chance; 0 where the game is over.
 */
petteia_status petteia_vector_random_actions(petteia_vector *vector, int64_t *actions);

/**
 * Steps all lanes a number of times with random actions, writes what they show in the end, and tallies the games that
 * ended. It is the same as so many steps with petteia_vector_random_actions, but faster.
 */
petteia_status petteia_vector_rollout(petteia_vector *vector,
                                      uint64_t steps,
                                      const petteia_vector_arrays *arrays,
                                      petteia_tally *tally);

/**
 * Makes a copy of a lane's position, which the caller frees with petteia_position_free. PETTEIA_INVALID_ARGUMENT if there
 * is no such lane.
 */
petteia_status petteia_vector_position(const petteia_vector *vector,
                                       size_t lane,
                                       petteia_position **position);

/**
 * Puts a copy of a position into a lane, finished or not. PETTEIA_INVALID_ARGUMENT if there is no such lane,
 * PETTEIA_WRONG_GAME for a position of another game or with other parameters.
 */
petteia_status petteia_vector_set_position(petteia_vector *vector, size_t lane, const petteia_position *position);

/* ---------------------------------------------------------------- TicTac ---- */

/**
 * What there is to say about a game record.
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
 * Evaluates a game record that arrives in pieces.
 */
typedef struct petteia_tictac_evaluator petteia_tictac_evaluator;

/**
 * One line of a game record: "2 O C2".
 */
typedef struct petteia_tictac_move {
  /**
   * The number of the move in its game, 1 to 9.
   */
  unsigned int number;
  /**
   * The player who moves.
   */
  petteia_tictac_mark player;
  /**
   * The square that is claimed, 0 for A1, 1 for A2, and so on to 8 for C3.
   */
  unsigned int square;
} petteia_tictac_move;

/**
 * Makes the empty grid with the given player to begin, which the caller frees with petteia_position_free.
 */
petteia_status petteia_tictac_new(petteia_tictac_mark first, petteia_position **position);

/**
 * Writes who has claimed a square, 0 for A1 to 8 for C3: PETTEIA_FIRST is the player who began.
 */
petteia_status petteia_tictac_get(const petteia_position *position, unsigned int square, petteia_player *owner);

/**
 * Reads one line of a game record, of `size` bytes, with or without the newline that ends it. Comments may hold any bytes.
 * `line` may be NULL when `size` is 0. PETTEIA_PARSE_ERROR if it does not follow the document's format exactly.
 */
petteia_status petteia_tictac_parse_move(const char *line,
                                         size_t size,
                                         petteia_tictac_move *move);

/**
 * Writes a move as a line of a game record, such as "2 O C2", without a newline.
 */
petteia_status petteia_tictac_format_move(const petteia_tictac_move *move, char *buf, size_t cap, size_t *len);

/**
 * Evaluates a whole game record of `size` bytes, as the document's game evaluator does. `record` may be NULL when `size` is
 * 0. A bad record is a verdict, not an error.
 */
petteia_status petteia_tictac_evaluate(const char *record,
                                       size_t size,
                                       petteia_tictac_verdict *verdict);

/**
 * Writes the line that the document's game evaluator prints for a verdict, such as "Game over: X wins.", without a
 * newline.
 */
petteia_status petteia_tictac_verdict_line(petteia_tictac_verdict verdict, char *buf, size_t cap, size_t *len);

/**
 * Writes the status that the document's game evaluator exits with for a verdict: 0, or 1 for a parse error, or 2 for an
 * invalid move.
 */
petteia_status petteia_tictac_exit_code(petteia_tictac_verdict verdict, int *exit_code);

/**
 * Makes an evaluator for a record that arrives in pieces, in constant memory. The caller frees it with
 * petteia_tictac_evaluator_free.
 */
petteia_status petteia_tictac_evaluator_new(petteia_tictac_evaluator **evaluator);

/**
 * Frees an evaluator; NULL is fine.
 */
void petteia_tictac_evaluator_free(petteia_tictac_evaluator *evaluator);

/**
 * Gives an evaluator the next `size` bytes of its record, cut anywhere. `bytes` may be NULL when `size` is 0.
 */
petteia_status petteia_tictac_evaluator_push(petteia_tictac_evaluator *evaluator, const char *bytes, size_t size);

/**
 * Writes whether a bad line has been found, so that nothing that follows can change the verdict.
 */
petteia_status petteia_tictac_evaluator_is_decided(const petteia_tictac_evaluator *evaluator, bool *is_decided);

/**
 * Writes the verdict on a record that ends here; more of it may still be pushed afterwards.
 */
petteia_status petteia_tictac_evaluator_verdict(const petteia_tictac_evaluator *evaluator,
                                                petteia_tictac_verdict *verdict);

/* ---------------------------------------------------------------- Breakdown ---- */

/**
 * Makes an empty board of any size with the length of a stick and the side of the square that wins, which the caller frees
 * with petteia_position_free.
 *
 * PETTEIA_INVALID_ARGUMENT if any of the numbers is 0, and if there are more than 2^28 places or no memory for them.
 */
petteia_status petteia_breakdown_new(unsigned int width,
                                     unsigned int height,
                                     unsigned int stick,
                                     unsigned int square,
                                     petteia_position **position);

/**
 * Writes who has a cell, row and column counted from 0 at the top left: PETTEIA_FIRST is black, PETTEIA_SECOND white.
 * PETTEIA_INVALID_ARGUMENT for a place off the board.
 */
petteia_status petteia_breakdown_get(const petteia_position *position,
                                     unsigned int row,
                                     unsigned int column,
                                     petteia_player *owner);

/* ---------------------------------------------------------------- Reversi ----
 *
 * A set of squares is a uint64_t with bit 8 * y + x for the square in column x and row y, whatever the size of the board:
 * C's operators | & ^ ~ are union, intersection, symmetric difference and complement in the 8 by 8 universe.
 */

/* The set of one square. */
#define PETTEIA_REVERSI_SQUARE(x, y) (UINT64_C(1) << (8 * (y) + (x)))

/**
 * A square: column x and row y, counted from 0 at the top left corner.
 */
typedef struct petteia_reversi_square {
  unsigned int x;
  unsigned int y;
} petteia_reversi_square;

/**
 * Makes the empty board of the given size, 2 to 8 each way, which the caller frees with petteia_position_free.
 */
petteia_status petteia_reversi_new(unsigned int width, unsigned int height, petteia_position **position);

/**
 * Makes the position with the given tiles and player to move, PETTEIA_NOBODY for a finished game. The caller frees it with
 * petteia_position_free.
 *
 * PETTEIA_INVALID_ARGUMENT if the sets overlap or reach off the board, and if no game can have such a position.
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
 * Writes who has a tile on a square: PETTEIA_FIRST is dark, PETTEIA_SECOND light. PETTEIA_INVALID_ARGUMENT for a square off
 * the board.
 */
petteia_status petteia_reversi_get(const petteia_position *position,
                                   unsigned int x,
                                   unsigned int y,
                                   petteia_player *owner);

/**
 * Writes the set of squares that a player has, or of the empty ones for PETTEIA_NOBODY.
 */
petteia_status petteia_reversi_tiles(const petteia_position *position, petteia_player player, uint64_t *set);

/**
 * Writes how many squares a player has, or how many are empty for PETTEIA_NOBODY.
 */
petteia_status petteia_reversi_count(const petteia_position *position, petteia_player player, unsigned int *count);

/**
 * Writes the set of squares on which the player to move may play.
 */
petteia_status petteia_reversi_legal(const petteia_position *position, uint64_t *set);

/**
 * Writes the set of squares that a move would gain: the square itself and all tiles it would flip. The set is empty, 0, if
 * the move is not allowed there, or there is no such square.
 */
petteia_status petteia_reversi_find_move(const petteia_position *position,
                                         unsigned int x,
                                         unsigned int y,
                                         uint64_t *gained);

/**
 * Plays on a square. PETTEIA_ILLEGAL_MOVE where that is not allowed, off the board too, with the position as it was.
 */
petteia_status petteia_reversi_play_move(petteia_position *position, unsigned int x, unsigned int y);

/**
 * Writes the set of all squares of a board, 2 to 8 each way.
 */
petteia_status petteia_reversi_all_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the set of the four centre squares of a board, on which the opening phase is played.
 */
petteia_status petteia_reversi_center_positions(unsigned int width, unsigned int height, uint64_t *set);

/**
 * Writes the squares of a set, ordered by x, then by y.
 */
petteia_status petteia_reversi_set_squares(uint64_t set, petteia_reversi_square *squares, size_t cap, size_t *len);

/**
 * Writes a set as its document prints it: "{{0, 7}, {2, 3}}", ordered by x, then by y.
 */
petteia_status petteia_reversi_set_text(uint64_t set, char *buf, size_t cap, size_t *len);

/**
 * Writes a move with what it gains as its document prints it: "Move{{2, 6}, {{2, 4}, {2, 5}, {2, 6}}}".
 */
petteia_status petteia_reversi_move_text(unsigned int x,
                                         unsigned int y,
                                         uint64_t gained,
                                         char *buf,
                                         size_t cap,
                                         size_t *len);

/* ---------------------------------------------------------------- Quarto ----
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
 * The document's myopic player, who never overlooks a win in one and otherwise plays at random, with random numbers of its
 * own: those of the GNU C library's srand and rand, on any machine.
 */
typedef struct petteia_quarto_myopic petteia_quarto_myopic;

/**
 * Makes the empty board with player 1 to select a piece, which the caller frees with petteia_position_free.
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
 * Writes the piece with a code if it has not been placed yet. PETTEIA_UNAVAILABLE if it has ("SBCH is already used."),
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
 * Writes the piece that was selected and is to be placed. PETTEIA_UNAVAILABLE if one is to be selected first.
 */
petteia_status petteia_quarto_hand(const petteia_position *position, unsigned int *piece);

/**
 * Writes the set of pieces that have not been placed, bit i for piece i; the piece in hand is still among them.
 */
petteia_status petteia_quarto_unused_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the set of empty squares, bit i for square i.
 */
petteia_status petteia_quarto_empty_squares(const petteia_position *position, uint16_t *squares);

/**
 * Writes whether a piece on a square makes a line through it with a common attribute; the piece may have been placed
 * there already, or not yet.
 */
petteia_status petteia_quarto_is_winning(const petteia_position *position,
                                         unsigned int piece,
                                         unsigned int square,
                                         bool *is_winning);

/**
 * Writes the set of empty squares on which a piece would win now, bit i for square i; none when the game is over.
 */
petteia_status petteia_quarto_winning_squares(const petteia_position *position, unsigned int piece, uint16_t *squares);

/**
 * Writes the set of pieces still to be selected with which the other player could win at once, bit i for piece i.
 */
petteia_status petteia_quarto_bad_pieces(const petteia_position *position, uint16_t *pieces);

/**
 * Writes the pool as its document draws it: three lines with the unused pieces, or nothing when all are used. The board
 * is drawn by petteia_position_drawing.
 */
petteia_status petteia_quarto_pool_drawing(const petteia_position *position, char *buf, size_t cap, size_t *len);

/**
 * Makes a myopic player whose random numbers are those after srand(seed). The caller frees it with
 * petteia_quarto_myopic_free.
 */
petteia_status petteia_quarto_myopic_new(unsigned int seed, petteia_quarto_myopic **player);

/**
 * Frees a myopic player; NULL is fine.
 */
void petteia_quarto_myopic_free(petteia_quarto_myopic *player);

/**
 * Lets a myopic player choose an unused piece for the other to place: one with which the other cannot win at once, if there
 * is one. The position stays as it is. PETTEIA_UNAVAILABLE if no piece is left.
 */
petteia_status petteia_quarto_myopic_select_piece(petteia_quarto_myopic *player,
                                                  const petteia_position *position,
                                                  unsigned int *piece);

/**
 * Lets a myopic player choose an empty square for a piece: the first on which it wins, if there is one. The position stays
 * as it is. PETTEIA_UNAVAILABLE if no square is empty.
 */
petteia_status petteia_quarto_myopic_select_square(petteia_quarto_myopic *player,
                                                   const petteia_position *position,
                                                   unsigned int piece,
                                                   unsigned int *square);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PETTEIA_H */
